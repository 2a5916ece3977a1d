"""A whole number with many possible values: known, like a coin, by its comparisons alone."""

from fractions import Fraction
from math import ceil, floor, isfinite


class Whole:
    """scale · ⌊number⌋ + shift, where ``number`` is a coin times how many values there are.

    ``rng.integers(65536) < n`` forks the run in two, not into 65,536 branches.
    """

    __slots__ = ("_number", "_scale", "_shift")

    def __init__(self, number, scale=1, shift=0):
        self._number, self._scale, self._shift = number, scale, shift

    def __lt__(self, other):
        if not _is_number(other):
            return NotImplemented
        if other != other:
            return False
        at = self._place(other)
        if self._scale > 0:
            return self._number < (ceil(at) if isfinite(at) else at)
        return self._number >= (floor(at) + 1 if isfinite(at) else at)

    def __gt__(self, other):
        return -self < -other if _is_number(other) else NotImplemented

    def __ge__(self, other):
        if not _is_number(other):
            return NotImplemented
        return other == other and not self < other

    def __le__(self, other):
        return -self >= -other if _is_number(other) else NotImplemented

    def __eq__(self, other):
        if not _is_number(other):
            return self is other or NotImplemented
        at = self._place(other)
        return isfinite(at) and at == floor(at) and bool(self >= other) and bool(self <= other)

    def __hash__(self):
        return hash(self._settled())

    def __add__(self, other):
        if not _is_number(other):
            return NotImplemented
        return Whole(self._number, self._scale, self._shift + other)

    def __mul__(self, other):
        if not _is_number(other) or other != other:
            return NotImplemented
        if not other:
            return other
        return Whole(self._number, self._scale * other, self._shift * other)

    def __truediv__(self, other):
        if not _is_number(other):
            return NotImplemented
        return self * (Fraction(1, other) if isinstance(other, int) else 1 / other)

    def __sub__(self, other):
        return self + -other if _is_number(other) else NotImplemented

    def __rsub__(self, other):
        return -self + other

    def __neg__(self):
        return self * -1

    __radd__, __rmul__ = __add__, __mul__

    def __floordiv__(self, other):
        if self._scale == 1 and isinstance(self._shift, int) and isinstance(other, int):
            return floor((self._number + self._shift) / other)
        return self._settled() // other

    def __rshift__(self, bits):
        return self // 2**bits

    def __mod__(self, other):
        return self._settled() % other

    def __and__(self, other):
        return self._settled() & other

    def __int__(self):
        return int(self._settled())

    __index__ = __floor__ = __int__

    def __float__(self):
        return float(self._settled())

    def __repr__(self):
        return f"<whole number from {self._number!r}>"

    def _place(self, other):
        """Where ⌊number⌋ would make the value equal to ``other``."""
        other = other.item() if hasattr(other, "item") else other
        if isinstance(other, float) and not isfinite(other):
            return other * self._scale
        return Fraction(other - self._shift) / Fraction(self._scale)

    def _settled(self):
        """The value, one of few that are left: a fork for each."""
        return self._scale * self._number.settled_floor() + self._shift


def _is_number(value):
    return isinstance(value, (int, float, Fraction)) or hasattr(value, "dtype") and not value.shape
