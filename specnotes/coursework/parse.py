"""One reader for all numbers that students write: whole ones, decimals, fractions, as texts too."""

import math
from decimal import Decimal
from fractions import Fraction
from numbers import Real

import numpy as np
import sympy

from specnotes.checks.card import Wrong


def as_number(name, answer):
    """The answer as a finite float, or ``Wrong``."""
    number = _read(name, _alone(answer))
    if number is None:
        raise Wrong(f"{name} should be a number, yours is {answer!r}")
    try:
        number = float(number)
    except (OverflowError, ZeroDivisionError, ValueError, TypeError):
        raise Wrong(f"{name} should be a number, yours is {answer!r}") from None
    if not math.isfinite(number):
        raise Wrong(f"{name} is {number}")
    return number


def as_whole(name, answer):
    """A whole number, also written 7.0 or "7"."""
    number = as_number(name, answer)
    if number != int(number):
        raise Wrong(f"{name} should be a whole number, yours is {answer!r}")
    return int(number)


def _alone(answer):
    """The only element of an array."""
    if isinstance(answer, np.ndarray) and answer.size == 1:
        return answer.item()
    return answer.item() if isinstance(answer, np.generic) else answer


def _read(name, answer):
    """Something for ``float``, or None."""
    if isinstance(answer, str):
        return _read_text(name, answer.strip())
    if isinstance(answer, bool):
        return None
    if isinstance(answer, sympy.Expr):
        return answer if answer.is_number and answer.is_real else None
    return answer if isinstance(answer, (Real, Decimal)) else None


def _read_text(name, text):
    if text.endswith("%"):
        raise Wrong(f"{name} is {text!r}: write 0.6 for 60%")
    try:
        return Fraction(text)  # "3/5", "0.6", "7"
    except (ValueError, ZeroDivisionError):
        return None
