"""What happens in the process that runs one submission: a fresh shell, cell after cell.

Student cells run in an IPython shell.  The instructor's cells are run by this module, on pristine
modules: given cells among the student's names, test cells in a copy of them, in which everything
that given cells have bound is as they bound it and no name hides a builtin one.  So a test sees
the student's answers and nothing else of the student's.
"""

import builtins
import contextlib
import copy
import io
import json
import os
import signal
import sys
from types import FunctionType

import numpy as np

from specnotes.coursework.memory import kept_in
from specnotes.grade.fence import end_with_parent, fence_in, limit_resources
from specnotes.grade.notebook import GIVEN, TEST

SUBMITTER = "SPECNOTES_STUDENT"  # tells tests who handed the notebook in, "" if not known
LONGEST_WORDS = 2000  # characters of an error message, or of what a test prints
_getpid, _exit, _write = os.getpid, os._exit, os.write


def run(steps, problem, pristine, student, channel, folder, limits):
    """Run the steps (number, Step), one line of JSON each on the channel; never returns."""
    send = _sender(*channel)
    try:
        isolate(channel[0], folder, limits)
        bench = Bench(problem, pristine, student)
        forget_the_grader()
        send(step="ready")
        for number, step in steps:
            send(step=number, **bench.run(step))
        send(step="done", student_id=bench.student_id())
    except Exception as error:
        send(step="broken", error=describe(error))
    finally:
        _exit(0)


def isolate(keep, folder, limits):
    """A session, a folder and limits of its own; nothing open but the channel."""
    os.setsid()
    end_with_parent(signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.chdir(folder)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    os.closerange(3, keep)
    os.closerange(keep + 1, 1024)
    homes = "HOME TMPDIR IPYTHONDIR MPLCONFIGDIR JUPYTER_CONFIG_DIR XDG_CACHE_HOME"
    os.environ.update(dict.fromkeys(homes.split(), folder), MPLBACKEND="agg")
    limit_resources(limits)
    if limits.fence:
        fence_in(folder)


def forget_the_grader():
    """Keep these modules out of the reach of an import: what runs on has them already."""
    for name in [name for name in sys.modules if name.startswith("specnotes.grade")]:
        del sys.modules[name]
    vars(sys.modules["specnotes"]).pop("grade", None)


def _sender(descriptor, key):
    """A function that sends one line; a copy of this process that student code forks ends here."""
    mine = _getpid()

    def send(**message):
        if _getpid() != mine:
            _exit(1)
        line = json.dumps({"key": key, **message}).encode() + b"\n"
        while line:
            line = line[_write(descriptor, line) :]

    return send


class Bench:
    """The shell, what given cells have bound, and how each kind of cell is run."""

    def __init__(self, problem, pristine, student):
        self._student = student
        self._shell = make_shell()
        self._names = self._shell.user_ns
        self._answers = problem.answers
        self._strict, self._others, self._known = pristine
        self._given, self._found = {}, self._known_only()
        self._restored, self._tampered, self._touched = [], [], True
        self._is_pristine = False  # has nothing run since all was put back?

    def run(self, step):
        """{"ok", "error", "said", "changed", "tampered"} of one cell."""
        if step.role != TEST:
            self._found = self._known_only()  # what tests found out holds until other cells run
        with spoken() as words:
            if step.role == GIVEN:
                error = self._run_given(step)
            elif step.role == TEST:
                error = self._run_test(step)
            else:
                error = self._run_theirs(step)
        said = words.text() if step.role == TEST else ""
        changed, tampered = self._restored[:5], self._tampered[:3]
        self._restored, self._tampered = [], []
        if tampered:
            error = f"while this test ran, student code changed {', '.join(tampered)}"
        verdict = {"ok": error is None, "error": error, "said": said}
        return {**verdict, "changed": changed, "tampered": bool(tampered)}

    def _known_only(self):
        return {part: dict(known) for part, known in self._known.items()}

    def student_id(self):
        given = self._names.get("STUDENT_ID")
        given = str(given) if type(given) is int else given  # typed without quotes
        return given[:200] if type(given) is str else None

    def _run_theirs(self, step):
        """A BaseException that the shell lets through ends the cell as any other does."""
        self._touched, self._is_pristine = True, False
        try:
            result = self._shell.run_cell(step.source, store_history=False)
            error = result.error_before_exec or result.error_in_exec
        except BaseException as raised:
            error = raised
        return None if error is None else describe(error, inside="<ipython-input")

    def _run_given(self, step):
        self._restore()
        names = self._names
        names["__builtins__"] = builtins
        error, self._is_pristine = execute(step.code, names), False
        bound = step.binds - self._answers
        self._given.update({n: _kept(names[n]) for n in bound if n in names})
        return error

    def _run_test(self, step):
        self._restore()
        names = self._names_for_test()
        with kept_in(self._found):
            error = execute(step.code, names)
        self._tampered, self._is_pristine = self._strict.restore(), True
        self._given.update({n: names[n] for n in step.binds - self._answers if n in names})
        return error

    def _names_for_test(self):
        hiding = [n for n in self._names if n in self._strict.builtins and not n.startswith("__")]
        names = {**self._names, **{n: _kept(v) for n, v in self._given.items()}}
        for name in set(hiding) - self._answers:
            del names[name]
        names["__builtins__"] = builtins
        for name, value in names.items():
            if isinstance(value, FunctionType) and value is self._given.get(name):
                if value.__globals__ is self._names:
                    names[name] = _in(names, value)
        return names

    def _restore(self):
        os.environ[SUBMITTER] = self._student
        if not self._is_pristine:
            self._restored = self._strict.restore()
        if self._touched:  # else what ran since could change a library while its own test ran, too
            self._restored += self._others.restore()
            self._touched = False


def _in(names, function):
    """The instructor's function, looking up the names of the test instead of the student's."""
    moved = FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )
    moved.__kwdefaults__ = function.__kwdefaults__
    return moved


def _kept(value):
    """A copy of what could be changed in place."""
    if type(value) in (list, dict, set, np.ndarray):
        try:
            return copy.deepcopy(value)
        except Exception:  # something in it cannot be copied
            return value
    return value


def make_shell():
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "NoColor"
    shell = InteractiveShell.instance(config=config)
    quiet = [lambda *args, **options: None] * 3
    shell.showtraceback, shell.showsyntaxerror, shell.showindentationerror = quiet
    return shell


def execute(code, names):
    """Run code of the instructor's: None, or what it raised, in words."""
    try:
        exec(code, names)
    except BaseException as error:
        return describe(error)
    return None


def describe(error, inside=None):
    """An error in words, with its line in files named ``inside…``; it may be a student's class."""
    try:
        plain = (
            isinstance(error, SyntaxError) and inside
        )  # else it tells the shell's name of the cell
        words = str.strip(str(error.msg if plain else error))
        line, kind = _line(error, inside) if inside else None, str.strip(type(error).__name__)
    except BaseException:
        return "an error that cannot be shown"
    if not words or type(error) is not AssertionError:
        words = f"{kind}: {words}" if words else kind
    return words[:LONGEST_WORDS] + (f" (line {line})" if line else "")


def _line(error, inside):
    line, trace = getattr(error, "lineno", None), error.__traceback__
    while trace:
        if trace.tb_frame.f_code.co_filename.startswith(inside):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


class Tail(io.TextIOBase):
    """A stream that keeps the first words and counts the rest."""

    def __init__(self):
        self._parts, self._room, self._lost = [], LONGEST_WORDS, 0

    def writable(self):
        return True

    def write(self, text):
        if self._room > 0:
            self._parts.append(text[: self._room])
        self._lost += max(0, len(text) - max(self._room, 0))
        self._room -= len(text)
        return len(text)

    def text(self):
        more = f"\n… and {self._lost:,} characters more" if self._lost else ""
        return "".join(self._parts) + more


@contextlib.contextmanager
def spoken():
    """Catch what is printed."""
    tail = Tail()
    with contextlib.redirect_stdout(tail), contextlib.redirect_stderr(tail):
        yield tail
