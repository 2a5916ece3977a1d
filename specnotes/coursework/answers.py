"""What the graders of all problem sets share: numbers, expressions, texts of laws, identity.

A grader is called twice.  The visible test helps with the form and with the student's own numbers;
with ``final=True``, in the hidden test, it decides.
"""

import os
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import sympy
from sympy.concrete.expr_with_limits import ExprWithLimits

from specnotes.checks.card import FormOnly, Wrong, ask, exercise, show
from specnotes.coursework.parse import HELD, as_number, described, only
from specnotes.coursework.variants import clean_id, variant

REPEATS = 30  # the same coins, dealt so often to functions that toss at least one
COUNTED_LATER = "whether it is right shows when it is marked"
MORE_LATER = "; more cases are tried when it is marked"
ROUNDED = 0.015  # of the largest value: what decimals of two or three digits may be off
BINDING = sympy.Derivative, sympy.Subs, sympy.Lambda, ExprWithLimits
MOST_UNEXPLORED = 0.9  # of an audit of loops without bound; see ``loops`` for laws


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


def check_number(name, answer, fact, you, final, tolerance=0.001, most=1):
    """One number, by the ``Fact`` of ``fact(you)``; the mistake behind a wrong one is named."""
    number = as_number(name, answer)
    if not 0 <= number <= most:
        raise Wrong(f"{name} is {show(number)}, not in 0 … {show(most)}")
    if not final:
        return FormOnly(f"a number from 0 to {show(most)}; {COUNTED_LATER}")

    def is_near(right):
        return abs(number - float(right)) <= tolerance

    right, slips = fact(you)
    if is_near(right):
        return f"{show(number)} is right for your numbers"
    nobody, _ = fact(variant("", you.problem, you.seed))
    if is_near(nobody):
        raise Wrong(f"{name} is right for the empty id, not for {you.student_id!r}: solve it again")
    hint = next((f". {said}" for said, wrong in slips.items() if is_near(wrong)), "")
    raise Wrong(f"{name} is {show(number)}, it should be {_readable(right, answer)}{hint}")


def _readable(right, answer):
    """A decimal for a decimal, and for a fraction that nobody writes down."""
    if isinstance(right, Fraction) and right.denominator < 1000 and not isinstance(answer, float):
        return show(right)
    return f"{float(right):.4g}"


def check_expression(name, answer, reference, grid, mistakes=None, points=None):
    """A SymPy expression, judged by its value on the grid (of dicts symbol name → number).

    Exactly, or to 1e-9 if it holds decimals.  ``mistakes`` maps a sentence to the function of the
    same arguments that it explains.  A visible test judges at few ``points`` only.
    """
    points, expression = points or grid, _expression(name, answer)
    if not expression.free_symbols:
        raise Wrong(
            f"{name} is the number {show(expression)}; an expression in {', '.join(grid[0])} is "
            "asked for"
        )
    given = [value_at(name, answer, point) for point in points]
    right = [reference(**point) for point in points]
    if all(map(_equal, given, right)):
        return f"equal at {len(points)} points"
    _refuse_rounded(name, expression, grid, [reference(**point) for point in grid])
    i = next(i for i in range(len(points)) if not _equal(given[i], right[i]))
    at = ", ".join(f"{symbol} = {show(value)}" for symbol, value in points[i].items())
    known = (
        said
        for said, wrong in (mistakes or {}).items()
        if all(_equal(a, wrong(**point)) for a, point in zip(given, points))
    )
    hint = next((f". {said}" for said in known), "")
    should = show(right[i] if isinstance(given[i], Fraction) else float(right[i]))
    raise Wrong(f"At {at} {name} is {show(given[i])}, it should be {should}{hint}")


def value_at(name, answer, point):
    """The expression's value; symbols are known by name, whatever was assumed about them."""
    expression = _expression(name, answer)
    named = {symbol: symbol.name.rstrip("_") for symbol in expression.free_symbols}  # p_ is p
    strange = sorted(symbol.name for symbol, plain in named.items() if plain not in point)
    if strange:
        allowed = ", ".join(point)
        raise Wrong(f"{name} contains {', '.join(strange)}; it may contain {allowed} alone")
    numbers = {symbol: sympy.Rational(str(point[plain])) for symbol, plain in named.items()}
    # All symbols at once is much faster than one after another; signs such as ∫ need their own.
    value = expression.subs(numbers) if expression.has(*BINDING) else expression.xreplace(numbers)
    value = value if value.is_Rational else value.doit()
    if value.is_Rational:
        return Fraction(int(value.p), int(value.q))
    try:
        return float(value)
    except TypeError:
        raise Wrong(f"{name} has no value at some points: {value}") from None


def _expression(name, answer):
    answer = only(answer)
    if isinstance(answer, sympy.Lambda) or callable(answer) and not isinstance(answer, sympy.Expr):
        raise Wrong(f"{name} should be an expression in the symbols: leave `lambda …:` away")
    if isinstance(answer, HELD):
        raise Wrong(
            f"{name} should be one expression, yours is {described(answer)}. Use the symbols, "
            "not the arrays of your laws"
        )
    try:
        expression = sympy.sympify(answer)
        expression.free_symbols, expression.subs  # noqa: B018  (neither of a boolean answer)
    except (sympy.SympifyError, AttributeError, TypeError):
        expression = None
    if not isinstance(expression, sympy.Expr):
        raise Wrong(f"{name} should be a SymPy expression, yours is {described(answer)}")
    return expression


def _refuse_rounded(name, expression, grid, right):
    """A third that was written 0.333 is no third; that is another mistake than a wrong formula."""
    decimals = expression.atoms(sympy.Float)
    if not decimals:
        return
    most = max(abs(float(value)) for value in right)
    for point, value in zip(grid, right):
        if abs(float(value_at(name, expression, point)) - float(value)) > ROUNDED * most:
            return
    listed = ", ".join(sorted(f"{float(number):.6g}" for number in decimals))
    raise Wrong(
        f"{name} is right but for rounding: its decimals are {listed}. An exact value is asked "
        "for, such as sp.Rational(1, 3) in place of 0.333"
    )


def _equal(a, b):
    b = b if isinstance(a, Fraction) else float(b)
    return a == b if isinstance(a, Fraction) else abs(a - b) <= 1e-9 * max(1, abs(b))


def refuse_other_coins(function, *arguments):
    """Deal the same coins again and again: a generator of one's own gives itself away."""
    answers = {show(ask(function, *arguments, np.random.default_rng(0))) for _ in range(REPEATS)}
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
    if report.unexplored > MOST_UNEXPLORED:
        raise Wrong(
            f"a loop without bound: {report.unexplored:.0%} of its runs have no end in sight"
        )


def after(said, judge, *arguments):
    """``judge(*arguments)``; what it finds wrong is said by another test already."""
    try:
        return judge(*arguments)
    except Wrong:
        raise Wrong(f"first make {said} right: the test above says where it is not") from None


def a_few(task):
    """The part of an audit that a visible test can wait for."""
    rounded = [toy for toy in task.toys if not toy.is_exact]
    return replace(task, toys=rounded or task.toys[:2], edge_toys=task.edge_toys[:1])


def count(number, word):
    """1 case, 2 cases"""
    return f"{number} {word}{'s' * (number != 1)}"
