"""Which test sees which mistake: exhibits × tests.

A test is a function exhibit → caught or not.  ``battery.TESTS`` are tests that people use.
"""

from functools import cache, wraps

from specnotes.audit.judge import excess, laws
from specnotes.audit.run import audit, run
from specnotes.audit.tasks import TASKS
from specnotes.broken.exhibit import BLOCK
from specnotes.laws import draw


def kill_matrix(tests, exhibits):
    """{exhibit's name: {test's name: caught}}.  ``tests``: name → test(exhibit)."""
    return {e.name: {name: bool(test(e)) for name, test in tests.items()} for e in exhibits}


def as_markdown(matrix):
    """The matrix as a table; where the answer is None, the question was not asked."""
    tests = list(next(iter(matrix.values())))
    lines = ["| exhibit | " + " | ".join(tests) + " |", "|---" * (len(tests) + 1) + "|"]
    for name, row in matrix.items():
        marks = ("–" if row[test] is None else "✗" if row[test] else "" for test in tests)
        lines.append(f"| {name} | " + " | ".join(marks) + " |")
    return "\n".join(lines)


@cache
def audit_exhibit(exhibit, shrink=False):
    """The report of the audit of the exhibit's kind."""
    return audit(TASKS[exhibit.kind](exhibit.function), shrink)


def bias(exhibit):
    """Distance from the target's law on the exhibit's toy, exact where the arithmetic is."""
    task = TASKS[exhibit.kind](exhibit.function)
    expected, actual = laws(run(task.build, exhibit.toy), exhibit.toy, task)
    return excess(actual, expected)


@cache
def as_verifier(exhibit):
    """A token or block exhibit as ``verify(target_laws, draft_laws, tokens, rng)``."""
    return exhibit.function if exhibit.kind == BLOCK else _in_a_block(exhibit.function)


def _in_a_block(verify_token):
    @wraps(verify_token)  # reports name the function
    def verify(target_laws, draft_laws, tokens, rng):
        for i, drafted in enumerate(tokens):
            token, accepted = verify_token(target_laws[i], draft_laws[i], drafted, rng)
            if not accepted:
                return i, token
        return len(tokens), draw(target_laws[-1], rng)

    return verify
