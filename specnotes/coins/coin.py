"""A coin: a uniform number known only through the comparisons made with it."""

from fractions import Fraction
from math import exp, inf

import numpy as np


class Coin:
    """A number scale · u + shift on a coin u, or scale · log(c · u + d) + shift."""

    __slots__ = ("_base", "_scale", "_shift", "_inner")

    def __init__(self, base, scale=1, shift=0, inner=None):
        self._base, self._scale, self._shift, self._inner = base, scale, shift, inner

    def log(self):
        """What ``np.log(coin)`` calls."""
        if self._inner is not None:
            self._refuse("the logarithm of the logarithm of a coin")
        return Coin(self._base, inner=(self._scale, self._shift))

    def _below(self, other):
        """Is the number below ``other``?  Whether "or equal" makes no difference to a law."""
        if isinstance(other, Coin):
            return other is not self and (self - other)._below(0)
        if not _is_number(other):
            return NotImplemented
        if self._scale == 0:
            return self._shift < other
        return self._base.is_below(self._threshold(other), rising=self._rises())

    def _threshold(self, other):
        """The u at which the number equals ``other``."""
        if self._shift:
            other = other - self._shift
        if self._scale != 1:
            other = _divide(other, self._scale)
        if self._inner is None:
            return other
        scale, shift = self._inner
        return _divide((exp(other) if other < 700 else inf) - shift, scale)

    def _rises(self):
        return (self._scale > 0) == (self._inner is None or self._inner[0] > 0)

    def __lt__(self, other):
        return False if _is_nan(other) else self._below(other)

    def __gt__(self, other):
        below = True if _is_nan(other) else self._below(other)
        return below if below is NotImplemented else not below

    __le__, __ge__ = __lt__, __gt__

    def __eq__(self, other):  # a coin hits one number with probability 0
        return self is other if isinstance(other, Coin) or _is_number(other) else NotImplemented

    __hash__ = object.__hash__

    def __add__(self, other):
        if isinstance(other, Coin):
            return self._add_coin(other)
        if not _is_number(other):
            return NotImplemented
        return Coin(self._base, self._scale, self._shift + other, self._inner)

    def __mul__(self, other):
        if isinstance(other, Coin):
            self._refuse("a product of coins")
        if not _is_number(other):
            return NotImplemented
        if other == 1:
            return self
        return Coin(self._base, self._scale * other, self._shift * other, self._inner)

    def __truediv__(self, other):
        if isinstance(other, Coin):
            self._refuse("a quotient of coins")
        return self * _divide(1, other) if _is_number(other) else NotImplemented

    def __rtruediv__(self, other):
        self._refuse("a number divided by a coin")

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -other if isinstance(other, Coin) or _is_number(other) else NotImplemented

    def __rsub__(self, other):
        return -self + other

    __radd__, __rmul__ = __add__, __mul__

    def __floor__(self):
        """⌊number⌋, one fork for each whole number that it may pass: int(u * n) draws a token."""
        if self._inner is not None:
            self._refuse("the whole part of the logarithm of a coin")
        ends = sorted((self._shift, self._shift + self._scale))
        floor = int(ends[0] // 1)
        while floor + 1 < ends[1] and not self._below(floor + 1):
            floor += 1
        return floor

    def __trunc__(self):
        return self.__floor__() if not self._below(0) else -(-self).__floor__()

    __int__ = __trunc__

    def __floordiv__(self, other):
        return (self / other).__floor__()

    def __bool__(self):
        return True

    def __float__(self):
        self._refuse("a coin turned into a float (np.log(coin) works, math.log(coin) does not)")

    __index__ = __round__ = None
    exp = sqrt = log2 = log10 = log1p = sin = cos = property(
        lambda self: self._refuse("a function of a coin other than np.log")
    )

    def _add_coin(self, other):
        if other._base is not self._base or self._inner or other._inner:
            self._refuse("two coins added or compared with each other")
        return Coin(self._base, self._scale + other._scale, self._shift + other._shift)

    def _refuse(self, what):
        self._base.rng.refuse(f"{what} cannot be enumerated: compare each coin with a number")


class Interval:
    """What a path knows about one coin: low ≤ u < high."""

    def __init__(self, rng, number):
        self.rng, self.number, self.low, self.high = rng, number, 0, Fraction(1)

    def is_below(self, threshold, rising=True):
        """Is u below the threshold (above it, if the number falls as u rises)?"""
        if threshold <= self.low:
            return not rising
        if threshold >= self.high:
            return rising
        if self.rng.fork((self.number, threshold), lambda: self._shares(threshold)) == 0:
            self.high = threshold
            return rising
        self.low = threshold
        return not rising

    def _shares(self, threshold):
        share = (threshold - self.low) / (self.high - self.low)
        return share, 1 - share


def _is_number(value):
    return isinstance(value, (Fraction, float, int)) or (
        hasattr(value, "__float__") and not isinstance(value, np.ndarray)
    )


def _is_nan(value):
    return isinstance(value, float) and value != value


def _divide(a, b):
    whole = (int, np.integer)
    return Fraction(int(a), int(b)) if isinstance(a, whole) and isinstance(b, whole) else a / b
