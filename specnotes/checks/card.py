"""How a check answers: a short card, and a ``Result`` that marks can be built on.

A grader is a function of the student's answers.  It raises ``Wrong`` with a counter-example, or
returns what it has covered; ``exercise`` turns it into a check that never raises.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import wraps

import numpy as np

from specnotes.coins.sources import deadline

MARKS = {"right": "✓", "wrong": "✗", "open": "○"}
FLOAT_TOLERANCE = 1e-12
SECONDS = 10  # that one call of the student's function may take
# What a function written for floats may raise when it meets ``Fraction``s: 0/0 is no NaN there.
ONLY_EXACT = (TypeError, AttributeError, ZeroDivisionError)


@dataclass(frozen=True)
class Result:
    """The verdict on one exercise."""

    ok: bool
    attempted: bool
    message: str

    def require(self):
        """Raise ``AssertionError`` unless the answer is right: for marks."""
        if not self.ok:
            raise AssertionError(self.message)

    def _ipython_display_(self):
        """The card has been printed already."""


class Wrong(Exception):
    """The answer is wrong, and this is where it shows."""


class NotAttempted(Exception):
    pass


def exercise(title):
    """Make a check of a grader: print the card, return the ``Result``, never raise."""

    def make(grade):
        @wraps(grade)
        def check(*answers, **options):
            result = _judge(grade, answers, options)
            mark = "right" if result.ok else "wrong" if result.attempted else "open"
            print(f"{MARKS[mark]} {title}: {result.message}")
            return result

        return check

    return make


def ask(function, *arguments, at=""):
    """Call the student's function on read-only copies; a crash is a wrong answer."""
    given = [_protected(argument) for argument in arguments]
    try:
        # A 0/0 shows in the answer: no warning between the cards.
        with deadline(SECONDS, TimeoutError), np.errstate(all="ignore"):
            answer = function(*given)
    except Exception as error:
        raise Wrong(f"{_place(at, arguments)} your function raised {_describe(error)}") from error
    if answer is ...:
        raise NotAttempted
    return answer


def compare(function, reference, cases, same=None, hint=None, names=("target", "draft")):
    """Ask the student's function for every case (a tuple of laws or numbers).

    ``reference`` gives the right answer; ``same(answer, right)`` decides, by default exact equality
    for ``Fraction``s and 1e-12 for floats.  A function that cannot take ``Fraction``s is asked
    again with floats.  ``hint(answer, *case)`` may name the mistake in a wrong answer, or be None.
    ``names`` are those of the arguments.
    """
    for case in cases:
        right = reference(*case)
        try:
            answer = ask(function, *case, at=_named(names, case))
        except Wrong as wrong:
            if not isinstance(wrong.__cause__, ONLY_EXACT):
                raise
            case = tuple(_as_float(argument) for argument in case)
            answer = ask(function, *case, at=_named(names, case))
        if not (same or is_same)(answer, right):
            said = hint(answer, *case) if hint else None
            verdict = (
                f"At {_named(names, case)}: yours is {show(answer)}, it should be {show(right)}"
            )
            raise Wrong(f"{verdict}. {said}" if said else verdict)
    return f"right on all {len(cases)} cases"


def is_same(answer, right):
    """Equal: exactly for exact answers, within 1e-12 for floats; never for another shape."""
    try:
        answer, right = np.asarray(answer), np.asarray(right)
        if answer.shape != right.shape or answer.dtype.kind not in "biufO":
            return False
        if answer.dtype == object and right.dtype == object:
            # type, not isinstance: a subclass has its own idea of ==
            if all(type(x) in (Fraction, int) for x in answer.flat):
                return bool((answer == right).all())
        answer, right = answer.astype(float), right.astype(float)
        with np.errstate(invalid="ignore"):  # infinite less infinite
            close = np.abs(answer - right) <= FLOAT_TOLERANCE  # a NaN is never close
        return bool((close | (answer == right)).all())
    except (TypeError, ValueError):
        return False


def is_open(*answers):
    """Has one of the answers not been filled in?"""
    return any(answer is ... for answer in answers)


def show(value):
    """Laws and numbers as a reader writes them: (1/2, 3/10, 1/5)."""
    if isinstance(value, np.ndarray | list | tuple):
        return "(" + ", ".join(show(item) for item in value) + ")"
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, (float, np.floating)):
        return f"{value:.6g}"
    return str(value)


def _judge(grade, answers, options):
    if is_open(*answers):
        return Result(False, False, "not attempted yet")
    try:
        return Result(True, True, grade(*answers, **options))
    except NotAttempted:
        return Result(False, False, "not attempted yet")
    except Wrong as wrong:
        return Result(False, True, str(wrong))
    except Exception as error:  # an answer of a kind that the grader did not foresee
        return Result(False, True, f"your answer cannot be used here: {_describe(error)}")


def _place(at, arguments):
    return f"At {at or _named(('target', 'draft'), arguments)}:"


def _named(names, arguments):
    """Arguments in words, with their names if there are as many."""
    if len(names) != len(arguments):
        return ", ".join(map(show, arguments))
    return ", ".join(f"{name} {show(a)}" for name, a in zip(names, arguments, strict=True))


def _describe(error):
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _protected(argument):
    if isinstance(argument, np.ndarray):
        argument = argument.copy()
        argument.setflags(write=False)
    return [_protected(item) for item in argument] if isinstance(argument, list) else argument


def _as_float(argument):
    if isinstance(argument, np.ndarray):
        return argument.astype(float)
    return float(argument) if isinstance(argument, Fraction) else argument
