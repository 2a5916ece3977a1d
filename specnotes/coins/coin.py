"""A coin: a uniform number known only through the comparisons made with it."""

import operator
from fractions import Fraction
from math import ceil, exp, floor, inf

import numpy as np

from specnotes.coins.whole import Whole

MANY = 1000  # outcomes that one draw may have
EXACT = int, Fraction


class Coin:
    """A number scale · u + shift on a coin u, or scale · log(c · u + d) + shift."""

    __slots__ = ("_base", "_scale", "_shift", "_inner")

    def __init__(self, base, scale=1, shift=0, inner=None):
        self._base, self._scale, self._shift, self._inner = base, scale, shift, inner

    def log(self):
        """What ``np.log(coin)`` calls."""
        if self._inner is not None:
            self._refuse("the logarithm of the logarithm of a coin")
        if self._ends()[0] < -1e-9:  # the end of a float interval is rounded
            self._refuse("the logarithm of a number that may be negative")
        return Coin(self._base, inner=(self._scale, self._shift))

    def __lt__(self, other):
        return self._compare(other, operator.lt, True)

    def __le__(self, other):
        return self._compare(other, operator.le, True)

    def __gt__(self, other):
        return self._compare(other, operator.gt, False)

    def __ge__(self, other):
        return self._compare(other, operator.ge, False)

    def __eq__(self, other):  # a coin hits one number with probability 0
        return self is other if isinstance(other, Coin) or _is_number(other) else NotImplemented

    def __hash__(self):
        self._refuse("an outcome (or key) that contains a coin itself")

    def __add__(self, other):
        if isinstance(other, Coin):
            return self._add_coin(other)
        if not self._meets(other):
            return NotImplemented
        if _is_nan(other):
            return other
        return Coin(self._base, self._scale, self._shift + other, self._inner)

    def __mul__(self, other):
        if isinstance(other, Coin):
            self._refuse("a product of coins")
        if type(other) is not Fraction and not self._meets(other):
            return NotImplemented
        if other == 1:
            return self
        if not other or _is_nan(other):  # 0 times a coin is no longer random
            return other
        shift = self._shift * other if self._shift else 0
        scale = other if self._scale == 1 else self._scale * other
        return Coin(self._base, scale, shift, self._inner)

    def __truediv__(self, other):
        if isinstance(other, Coin):
            self._refuse("a quotient of coins")
        return self * _divide(1, other) if _is_number(other) else NotImplemented

    def __sub__(self, other):
        return self + -other if isinstance(other, Coin) or _is_number(other) else NotImplemented

    def __rsub__(self, other):
        return -self + other

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self):
        return self * -1

    def __abs__(self):
        return -self if self < 0 else self

    def __floor__(self):
        """⌊number⌋: one of a few, or a ``Whole`` that is known by its comparisons."""
        low, high = self._whole_ends()
        return Whole(self) if high - low >= MANY else self.settled_floor()

    floor = __floor__  # what ``np.floor(coin)`` calls

    def settled_floor(self):
        """⌊number⌋ by bisection: ``int(u * n)`` draws one of n tokens."""
        low, high = self._whole_ends()
        if high - low >= MANY:
            self._refuse(f"a whole number with {high - low + 1:,} possible values")
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (low, middle - 1) if self < middle else (middle, high)
        return low

    def __ceil__(self):
        return -floor(-self)

    def __trunc__(self):
        return ceil(self) if self < 0 else floor(self)

    def __int__(self):  # Python wants a number here and now
        return -(-self).settled_floor() if self < 0 else self.settled_floor()

    def __floordiv__(self, other):
        return floor(self / other)

    def __float__(self):
        self._refuse("a coin turned into a float (np.log(coin) works, math.log(coin) does not)")

    def __repr__(self):
        return f"<coin {self._base.number}>"

    def __format__(self, _):
        return repr(self)

    def _refuse_function(self, *_):
        self._refuse("a function of a coin other than sums, multiples and np.log")

    __pow__ = __rpow__ = __mod__ = __rmod__ = __divmod__ = __rdivmod__ = _refuse_function
    __rtruediv__ = __rfloordiv__ = __round__ = __complex__ = _refuse_function
    # What NumPy calls for its functions of the same names.
    exp = exp2 = expm1 = log2 = log10 = log1p = sqrt = cbrt = sin = cos = tan = _refuse_function
    arcsin = arccos = arctan = sinh = cosh = tanh = rint = _refuse_function

    def _compare(self, other, compare, below):
        if isinstance(other, Coin):
            return compare(self - other, 0)
        if type(other) is not Fraction:  # the usual case, fast
            if not self._meets(other):
                return NotImplemented
            if _is_nan(other):
                return False
        # From here on "or equal" makes no difference.
        if type(other) in EXACT and type(self._scale) in EXACT and self._is_multiple():
            (a, b), (c, d) = other.as_integer_ratio(), self._scale.as_integer_ratio()
            if c > 0 and type(a) is type(b) is type(c) is type(d) is int:  # NumPy's wrap around
                return self._base.is_below_ratio(a * d, b * c) == below
        rising = (self._scale > 0) == (self._inner is None or self._inner[0] > 0)
        return bool(self._base.is_below(self._threshold(other)) == (below == rising))

    def _meets(self, other):
        """Is it a number?  One of single precision is noted: less can be asked of what follows."""
        if type(other) not in (float, int, Fraction) and is_single(other):
            self._base.rng.single = True
        return _is_number(other)

    def _is_multiple(self):
        """Is it a multiple of u, of which all is known in fractions?"""
        return self._inner is None and not self._shift and self._base.is_exact

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

    def _whole_ends(self):
        """The least and the largest ⌊number⌋ that are still possible."""
        if self._inner is not None:
            self._refuse("the whole part of the logarithm of a coin")
        low, high = self._ends()
        return floor(low), ceil(high) - 1

    def _ends(self):
        """The least and the largest value that are still possible."""
        u = self._base
        return sorted((self._scale * u.low + self._shift, self._scale * u.high + self._shift))

    def _add_coin(self, other):
        if other._base is not self._base or other._inner != self._inner:
            self._refuse("two coins together (np.searchsorted takes one coin at a time)")
        scale, shift = self._scale + other._scale, self._shift + other._shift
        return Coin(self._base, scale, shift, self._inner) if scale else shift

    def _refuse(self, what):
        self._base.rng.refuse(f"{what} cannot be enumerated: compare each coin with a number")


class Interval:
    """What a path knows about one coin: low ≤ u < high."""

    def __init__(self, rng, number):
        self.rng, self.number, self.low, self.high = rng, number, 0, 1
        self._ratios, self.is_exact = ((0, 1), (1, 1)), True  # of the ends; while both are exact

    def is_below_ratio(self, top, bottom):
        """Is u below top / bottom?  All in whole numbers: the usual case, fast."""
        (a, b), (c, d) = self._ratios
        if top * b <= a * bottom:
            return False
        if top * d >= c * bottom:
            return True
        below = self.rng.fork((self.number, top, bottom), self._exact_shares) == 0
        self._narrow(Fraction(top, bottom), below)
        return below

    def is_below(self, threshold):
        """Is u below the threshold?  Forks the run if that is not known yet."""
        if threshold <= self.low:
            return False
        if threshold >= self.high:
            return True
        below = self.rng.fork((self.number, threshold), self._shares) == 0
        self._narrow(threshold, below)
        return below

    def _narrow(self, threshold, below):
        if below:
            self.high = threshold
        else:
            self.low = threshold
        self.is_exact = self.is_exact and isinstance(threshold, (Fraction, int))
        if self.is_exact:
            ratio, (low, high) = threshold.as_integer_ratio(), self._ratios
            self._ratios = (low, ratio) if below else (ratio, high)

    def _exact_shares(self, what):
        (a, b), (c, d), (_, top, bottom) = *self._ratios, what
        part, whole = (top * b - a * bottom) * d, bottom * (c * b - a * d)
        return Fraction(part, whole), Fraction(whole - part, whole)

    def _shares(self, what):
        share = _divide(what[1] - self.low, self.high - self.low)
        return share, 1 - share


def _is_number(value):
    return isinstance(value, (Fraction, float, int)) or (
        hasattr(value, "__float__") and not isinstance(value, np.ndarray)
    )


def is_single(value):
    """Single precision, of NumPy or of a framework such as PyTorch."""
    return str(getattr(value, "dtype", "")).endswith("float32")


def _is_nan(value):
    return not isinstance(value, (Fraction, int)) and value != value


def _divide(a, b):
    whole = (int, np.integer)
    return Fraction(int(a), int(b)) if isinstance(a, whole) and isinstance(b, whole) else a / b
