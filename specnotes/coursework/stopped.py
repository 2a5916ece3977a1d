"""What stopped the cell that ran before a test: its answers may still be open for that reason."""

import sys

KEPT = "require"  # the function in which a test ends its own cell


def stopped_before(known=None):
    """The error of the cell that ran before this one, in words; None if it came to its end.

    ``known`` is what was found before: it stands as long as only tests have ended in an error.
    """
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    result = getattr(shell, "last_execution_result", None)
    error = getattr(result, "error_before_exec", None) or getattr(result, "error_in_exec", None)
    if not isinstance(error, Exception):
        return None
    frames = list(_frames(error.__traceback__))
    if frames and frames[-1][1] == KEPT:
        return known
    return _in_words(error, frames)


def _frames(trace):
    """(file, function, line) from the cell inwards."""
    while trace:
        code = trace.tb_frame.f_code
        yield code.co_filename, code.co_name, trace.tb_lineno
        trace = trace.tb_next


def _in_words(error, frames):
    if isinstance(error, SyntaxError):
        said, line = error.msg, error.lineno
    else:
        said, line = str(error), None
        cell = next((file for file, name, _ in frames if name.startswith("<")), None)
        lines = [number for file, _, number in frames if file == cell]
        line = lines[-1] if lines else None
    where = f" (line {line})" if line else ""
    return f"{type(error).__name__}{': ' * bool(said)}{said}{where}"
