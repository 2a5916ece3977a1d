"""What the graders of all problem sets share: numbers, expressions, texts of laws, identity.

A grader is called twice.  The visible test helps with the form and with the student's own numbers;
with ``final=True``, in the hidden test, it decides.
"""

import os
from fractions import Fraction
from pathlib import Path

import numpy as np
import sympy

from specnotes.checks.card import Wrong, ask, exercise, show
from specnotes.coursework.variants import clean_id, variant
from specnotes.exact import distance, sequence_law

SMALL = 1e-12  # what rounding may do to a law of floats
REPEATS = 30  # the same coins, dealt so often to functions that toss at least one
COUNTED_LATER = "whether it is right shows when it is marked"


@exercise("student id")
def identity(student_id, you, final=False):
    """Is there an id, is it still the one of ``you``, and is it the one of the submission?"""
    typed, sent_by = clean_id(student_id), submitter()
    if not typed:
        raise Wrong("STUDENT_ID is empty: type yours in the first cell, and run all cells again")
    if typed != you.student_id:
        raise Wrong(
            f"STUDENT_ID is {typed!r} now, but the numbers above are those of "
            f"{you.student_id or 'the empty id'!r}: run all cells again from the top"
        )
    if sent_by and sent_by != typed:
        raise Wrong(f"STUDENT_ID is {typed!r}, but this was handed in by {sent_by!r}")
    return f"{typed}, and all numbers are those of this id"


def submitter():
    """Who handed the notebook in: told by the grader, or by the folder in which nbgrader runs it.

    "" where it is not being graded.
    """
    if os.environ.get("SPECNOTES_STUDENT"):
        return clean_id(os.environ["SPECNOTES_STUDENT"])
    if os.environ.get("NBGRADER_EXECUTION") == "autograde":  # in autograded/STUDENT/ps1
        return clean_id(Path.cwd().parent.name)
    return ""


def check_number(name, answer, right, you, final, tolerance=0.001, most=1):
    """One number, by ``right(you)``; what is right for the numbers of no id is named."""
    number = as_number(name, answer)
    if not 0 <= number <= most:
        raise Wrong(f"{name} is {show(number)}, not in 0 … {show(most)}")
    if not final:
        return f"a number from 0 to {show(most)}; {COUNTED_LATER}"
    if abs(number - float(right(you))) <= tolerance:
        return f"{show(number)} is right for your numbers"
    nobody = variant("", you.problem, you.seed)
    if abs(number - float(right(nobody))) <= tolerance:
        raise Wrong(f"{name} is right for the empty id, not for {you.student_id!r}: solve it again")
    raise Wrong(f"{name} is {show(number)}, it should be {show(right(you))}")


def as_number(name, answer):
    """A finite float."""
    try:
        number = float(answer)
    except (TypeError, ValueError, OverflowError):
        raise Wrong(f"{name} should be a number, yours is {answer!r}") from None
    if not np.isfinite(number):
        raise Wrong(f"{name} is {number}")
    return number


def check_expression(name, answer, reference, points, mistakes=None):
    """A SymPy expression, judged by its exact value at points (dicts symbol name → number).

    ``mistakes`` maps a sentence to the function of the same arguments that it explains.
    """
    given = [value_at(name, answer, point) for point in points]
    right = [reference(**point) for point in points]
    if all(map(_equal, given, right)):
        return f"equal at {len(points)} exact points"
    i = next(i for i in range(len(points)) if not _equal(given[i], right[i]))
    at = ", ".join(f"{symbol} = {show(value)}" for symbol, value in points[i].items())
    known = (
        said
        for said, wrong in (mistakes or {}).items()
        if all(_equal(a, wrong(**point)) for a, point in zip(given, points))
    )
    hint = next((f". {said}" for said in known), "")
    raise Wrong(f"At {at} {name} is {show(given[i])}, it should be {show(right[i])}{hint}")


def value_at(name, answer, point):
    """The expression's value; symbols are known by name, whatever was assumed about them."""
    try:
        expression = sympy.sympify(answer)
        strange = {symbol.name for symbol in expression.free_symbols} - point.keys()
    except (sympy.SympifyError, AttributeError, TypeError):
        raise Wrong(f"{name} should be a SymPy expression, yours is {answer!r}") from None
    if strange:
        allowed = ", ".join(point)
        raise Wrong(f"{name} contains {', '.join(sorted(strange))}; use {allowed} alone")
    exact = {key: sympy.Rational(str(value)) for key, value in point.items()}
    value = expression.subs({symbol: exact[symbol.name] for symbol in expression.free_symbols})
    if not value.is_Rational:
        value = sympy.nsimplify(value.doit(), rational=True)  # decimals as fractions
    if value.is_Rational:
        return Fraction(int(value.p), int(value.q))
    try:
        return float(value)
    except TypeError:
        raise Wrong(f"{name} has no value at some points: {value}") from None


def _equal(a, b):
    return a == b if isinstance(a, Fraction) else abs(a - float(b)) <= 1e-12


def refuse_other_coins(function, *arguments):
    """Deal the same coins again and again: a generator of one's own gives itself away."""
    answers = {str(ask(function, *arguments, np.random.default_rng(0))) for _ in range(REPEATS)}
    if len(answers) > 1:
        raise Wrong(
            "the same coins gave two answers: draw from the rng you are given, and no other"
        )


def refuse_findings(report, *allowed, exact_only=False):
    """Raise ``Wrong`` with an audit's first finding, if it is not of a kind that is allowed.

    ``exact_only`` allows what shows on laws that are equal but for rounding.
    """
    for finding in report.findings:
        rounded = finding.toy is not None and not finding.toy.is_exact
        if finding.kind not in allowed and not (exact_only and rounded):
            raise Wrong(str(finding).removeprefix("✗ "))


def count(number, word):
    """1 case, 2 cases"""
    return f"{number} {word}{'s' * (number != 1)}"


def refuse_wrong_law(actual, target, n_tokens, at, prefix=(), stop=None, slack=0):
    """Raise ``Wrong`` unless texts have the target's law, up to a mass left unexplored."""
    expected = sequence_law(target, prefix, n_tokens, stop)
    off = distance(actual, expected)
    if off - slack > (0 if _is_exact(actual) else SMALL):
        both = expected | actual
        text = max(both, key=lambda t: abs(expected.get(t, 0) - actual.get(t, 0)))
        raise Wrong(
            f"At {at}: the text {show(text)} comes out with chance {show(actual.get(text, 0))}, "
            f"it should be {show(expected.get(text, 0))}; distance {show(off)}"
        )


def _is_exact(law):
    return not any(isinstance(mass, float) for mass in law.values())
