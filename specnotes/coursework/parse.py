"""One reader for all numbers that students write: whole ones, decimals, fractions, as texts too."""

import math
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from numbers import Number, Real
from textwrap import shorten

import numpy as np
import sympy
from sympy.core.relational import Relational

from specnotes.checks.card import NotAttempted, Wrong, show

HELD = np.ndarray, list, tuple, set, frozenset, sympy.MatrixBase, sympy.FiniteSet, sympy.Tuple
IMAGINARY = 1e-9  # that a solver leaves in a root which is real


def as_number(name, answer):
    """The answer as a finite float, or ``Wrong``."""
    answer = only(answer)
    number = _read(name, answer)
    try:
        number = float(number)
    except (OverflowError, ZeroDivisionError, ValueError, TypeError):
        raise Wrong(f"{name} should be a number, yours is {described(answer)}") from None
    if not math.isfinite(number):
        raise Wrong(f"{name} is {number}")
    return number


def as_whole(name, answer):
    """A whole number, also written 7.0 or "7"."""
    number = as_number(name, answer)
    if number != int(number):
        raise Wrong(f"{name} should be a whole number, yours is {answer!r}")
    return int(number)


def only(answer):
    """What is in a container of one, as solvers hand back; a polynomial's expression."""
    if isinstance(answer, sympy.Poly):
        return answer.as_expr()
    if isinstance(answer, np.generic):
        return answer.item()
    if isinstance(answer, HELD):
        parts = list(answer.flat if isinstance(answer, np.ndarray) else answer)
        return only(parts[0]) if len(parts) == 1 else answer
    if answer is ...:  # it was in a list
        raise NotAttempted
    return answer


def described(answer):
    """What an answer of the wrong kind is, and what to do about it."""
    if answer is None:
        return "None: something without `return`, as print(…) is, hands back nothing"
    if isinstance(answer, HELD):
        size = len(list(answer.flat)) if isinstance(answer, np.ndarray) else len(answer)
        return f"{size} in a row, {_short(answer)}: say which" if size else "empty"
    if isinstance(answer, dict):
        return f"a dict, {_short(answer)}: take the value out of it, with [ ]"
    if isinstance(answer, Relational):
        return f"an equation, {_short(answer)}: give its right-hand side alone"
    if isinstance(answer, Iterator):
        return f"a {type(answer).__name__}, which has yet to be run"
    if isinstance(answer, sympy.Basic) and answer.free_symbols:
        names = ", ".join(sorted(symbol.name for symbol in answer.free_symbols))
        return f"{_short(answer)}: put numbers in for {names}"
    if callable(answer) and not isinstance(answer, sympy.Basic):
        return f"a function, {getattr(answer, '__name__', '')}: call it with ( ), or give its value"
    if isinstance(answer, str) and answer.strip():
        return f"the text {_short(repr(answer))}: leave the quotes away"
    return _short(answer) or "an empty text"


def _short(answer):
    return shorten(show(answer), 80, placeholder=" …")


def _read(name, answer):
    """Something for ``float``, or None."""
    if isinstance(answer, str):
        return _read_text(name, answer.strip())
    if isinstance(answer, bool):
        return None
    if isinstance(answer, sympy.Expr):
        answer = complex(answer) if answer.is_number and not answer.is_real else answer
        return _real(answer) if isinstance(answer, complex) or answer.is_number else None
    return _real(answer) if isinstance(answer, (Number, Decimal)) else None


def _real(number):
    """Without an imaginary part that is there by rounding; None if there is another."""
    if isinstance(number, (Real, Decimal, sympy.Expr)):
        return number
    return number.real if abs(number.imag) <= IMAGINARY else None


def _read_text(name, text):
    if text.endswith("%"):
        raise Wrong(f"{name} is {text!r}: write 0.6 for 60%")
    try:
        return Fraction(text)  # "3/5", "0.6", "7"
    except (ValueError, ZeroDivisionError):
        pass
    if text.replace(",", "", 1).isdigit():
        raise Wrong(f"{name} should be a number, yours is {text!r}: write a point for the comma")
    return None
