"""How a check answers: a short card, and a ``Result`` that marks can be built on.

A grader is a function of the student's answers.  It raises ``Wrong`` with a counter-example, or
returns what it has covered; ``exercise`` turns it into a check that never raises.
"""

from dataclasses import dataclass
from dis import get_instructions
from fractions import Fraction
from functools import wraps
from inspect import signature
from textwrap import shorten
from types import CodeType, FunctionType

import numpy as np

from specnotes.coins.sources import deadline

MARKS = {"right": "✓", "wrong": "✗", "open": "○", "form": "·"}
CUT = " … (see above)"
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
        """Raise ``AssertionError`` unless the answer is right: for marks.

        Its words stand below the card, which says all: the first ones will do.
        """
        if not self.ok:
            raise AssertionError(shorten(self.message, 100, placeholder=CUT))

    def _ipython_display_(self):
        """The card has been printed already."""


class Wrong(Exception):
    """The answer is wrong, and this is where it shows."""


class NotAttempted(Exception):
    pass


class FormOnly(str):
    """What is said of an answer that has the right form, when nobody has looked further."""


def exercise(title, halves=False, outside=False):
    """Make a check of a grader: print the card, return the ``Result``, never raise.

    With ``halves`` the grader also sees answers that are only partly filled in; ``outside`` is for
    answers that are meant to use data from outside.
    """

    def make(grade):
        @wraps(grade)
        def check(*answers, **options):
            note = (lambda _: "") if outside else _note
            result = _judge(grade, answers, options, all if halves else any, note)
            mark = "right" if result.ok else "wrong" if result.attempted else "open"
            mark = "form" if isinstance(result.message, FormOnly) else mark
            print(f"{MARKS[mark]} {title}: {result.message}")
            return result

        return check

    return make


def ask(function, *arguments, at=""):
    """Call the student's function on read-only copies; a crash is a wrong answer."""
    if not callable(function):
        raise Wrong(f"{show(function)} stands where a function is asked for: did you call it?")
    given = [_protected(argument) for argument in arguments]
    try:
        # A 0/0 shows in the answer: no warning between the cards.
        with deadline(SECONDS, TimeoutError), np.errstate(all="ignore"):
            answer = function(*given)
    except NotImplementedError:
        raise NotAttempted from None
    except Exception as error:
        place, said = _place(at, function, arguments), f"your function raised {_describe(error)}"
        if isinstance(error, ValueError) and "read-only" in str(error):
            said = "your function changes its input, which is read-only; work on a copy"
        raise Wrong(f"{place} {said}") from error
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
            # A mistake in the formula is a wrong guess if other data went into it.
            said = hint(answer, *case) if hint and not read_from_outside(function) else None
            verdict = f"At {_named(names, case)}: {versus(answer, right)}"
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


def show(value, digits=6):
    """Laws and numbers as a reader writes them: (1/2, 3/10, 1/5)."""
    if isinstance(value, np.ndarray | list | tuple):
        alone = "," if isinstance(value, tuple) and len(value) == 1 else ""
        return "(" + ", ".join(show(item, digits) for item in value) + alone + ")"
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, (float, np.floating)):
        return f"{value:.{digits}g}"
    said = str(value)
    return f"a {type(value).__name__}" if " at 0x" in said else said


def versus(answer, right):
    """Both in words, with as many digits as it takes to tell them apart."""
    for digits in (6, 9, 12, 15, 17):
        if show(_floats(answer), digits) != show(_floats(right), digits):
            break
    return f"yours is {show(answer, digits)}, it should be {show(right, digits)}"


def read_from_outside(*answers):
    """Names of the data that functions among the answers read without being handed them."""
    return [
        step.argval
        for answer in answers
        if isinstance(answer, FunctionType)
        for code in _codes(answer.__code__)
        for step in get_instructions(code)
        if step.opname == "LOAD_GLOBAL" and _is_data(answer.__globals__.get(step.argval))
    ]


def _judge(grade, answers, options, enough, note):
    if enough(answer is ... for answer in answers):
        return Result(False, False, "not attempted yet")
    try:
        return Result(True, True, grade(*answers, **options))
    except NotAttempted as still:
        return Result(False, False, str(still) or "not attempted yet")
    except Wrong as wrong:
        return Result(False, True, f"{wrong}{note(answers)}")
    except Exception as error:  # an answer of a kind that the grader did not foresee
        return Result(False, True, f"your answer cannot be used here: {_describe(error)}")


def _note(answers):
    """A second sentence for an answer that forgets its arguments."""
    names = " and ".join(dict.fromkeys(read_from_outside(*answers)))
    return f". Your function reads {names} from outside: use its arguments" if names else ""


def _codes(code):
    """The code of a function and of the functions and comprehensions inside it."""
    inner = (const for const in code.co_consts if isinstance(const, CodeType))
    return [code, *(nested for const in inner for nested in _codes(const))]


def _is_data(value):
    """A law, a table or a model; neither a number that is a setting nor a function."""
    return isinstance(value, (np.ndarray, dict, list)) or hasattr(type(value), "next_law")


def _place(at, function, arguments):
    """Where it happened: ``at`` if the check says so, else the arguments by their names."""
    if at:
        return f"At {at}:"
    names = _parameters(function)
    names = names if len(names) == len(arguments) else ("target", "draft")
    if len(names) != len(arguments):
        return f"At {', '.join(map(show, arguments))}:"
    told = [(n, a) for n, a in zip(names, arguments) if not hasattr(a, "random")]
    words = ", ".join(f"{name} {show(argument)}" for name, argument in told)
    return f"At {words}:" if words else "Called once:"


def _parameters(function):
    try:
        return list(signature(function).parameters)
    except (TypeError, ValueError):
        return []


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


def _floats(value):
    """The numbers of an answer as floats, in lists; anything else as it is."""
    if isinstance(value, np.ndarray | list | tuple):
        return [_floats(item) for item in value]
    return float(value) if isinstance(value, (Fraction, int, np.integer)) else value


def _as_float(argument):
    if isinstance(argument, np.ndarray):
        return argument.astype(float)
    return float(argument) if isinstance(argument, Fraction) else argument
