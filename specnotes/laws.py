"""Finite laws: arrays whose last axis is the vocabulary.

A law holds floats or ``Fraction``s (dtype object).  Whole numbers and ``Fraction``s are exact; one
float among the arguments makes the result float.  Leading axes are a batch.  Every formula here is
the one-token rule of Leviathan et al. 2023 (section 2.3, appendix A.1).
"""

from bisect import bisect_right
from fractions import Fraction
from math import lcm
from numbers import Rational

import numpy as np

# How far the sum of a float law may be from one.  Exact laws get no tolerance.
TOLERANCE = {np.dtype(np.float64): 1e-9, np.dtype(np.float32): 1e-5}


def overlap(target, draft):
    """Acceptance rate α = Σ min(p, q), the mass that both laws share.  (…, V), (…, V) -> (…)"""
    target, draft = check_pair(target, draft)
    return np.minimum(target, draft).sum(axis=-1)


def total_variation(a, b):
    """Total variation distance ½ Σ |a − b|.  (…, V), (…, V) -> (…)"""
    a, b = check_pair(a, b, "a", "b")
    return np.abs(a - b).sum(axis=-1) / 2


def accept_prob(target, draft):
    """Chance min(1, p/q) that each token is kept once drafted.  (…, V), (…, V) -> (…, V)

    A token that the draft never proposes counts as kept if the target wants it, as the test
    ``u * q < p`` would have it; a token with target 0 is never kept.
    """
    return accept_prob_unchecked(*check_pair(target, draft))


def residual(target, draft):
    """Law (p − q)₊ / (1 − α) of the token that replaces a rejected one.  (…, V), (…, V) -> (…, V)

    Where nothing is owed (p equals q, so nothing is ever rejected) the result is the target.
    """
    return residual_unchecked(*check_pair(target, draft))


def draw(law, rng):
    """One token from a law (V,), by one inverse-CDF coin of ``rng``."""
    law = check_law(law)
    if law.ndim != 1:
        raise ValueError(f"law must have one axis, not shape {law.shape}")
    return draw_unchecked(law, rng)


# The same functions for callers that have checked their laws already.


def accept_prob_unchecked(target, draft):
    """``accept_prob`` of two laws of one kind of number."""
    proposed = draft > 0
    kept = np.minimum(target, draft) / np.where(proposed, draft, 1)
    return np.where(proposed, kept, (target > 0) + 0 * target)  # + 0 * target keeps the number type


def residual_unchecked(target, draft):
    """``residual`` of two laws of one kind of number."""
    owed = np.maximum(target - draft, 0)
    total = owed.sum(axis=-1, keepdims=True)
    return np.where(total > 0, owed / np.where(total > 0, total, 1), target)


def draw_unchecked(law, rng):
    """``draw`` from an array (V,)."""
    # The right end skips tokens of mass zero; scaling by the last sum keeps a coin near 1 inside
    # (in float64: a coin rounded to float32 could be 1).
    cumulative = law.cumsum().tolist()
    return bisect_right(cumulative, rng.random() * cumulative[-1])


def check_law(law, name="law"):
    """Return ``law`` as an array of floats or ``Fraction``s after checking every row.

    Raises ``ValueError`` naming ``name``, the position and the value when an entry is negative or
    not finite, a row does not sum to one (see ``TOLERANCE``), or there are no tokens.
    """
    law = _as_numbers(law, name)
    if law.ndim == 0 or law.shape[-1] == 0:
        raise ValueError(f"{name} needs at least one token on its last axis, got shape {law.shape}")
    exact = law.dtype == object
    if exact:
        if all(map(_is_exact_law, law.reshape(-1, law.shape[-1]).tolist())):
            return law
        law = np.array([_as_fraction(x) for x in law.flat]).reshape(law.shape)
    good = (law >= 0) & (law < np.inf)  # NaN fails both
    if not good.all():
        place = _first(~good)
        raise ValueError(f"{_show(name, place)} is {law[place]}, not a probability")
    total = np.asarray(law.sum(axis=-1))
    good = np.asarray(np.abs(total - 1) <= (0 if exact else TOLERANCE[law.dtype]))
    if not good.all():
        place = _first(~good)
        raise ValueError(f"{_show(name, place)} sums to {total[place]}, not to 1")
    return law


def check_pair(target, draft, target_name="target", draft_name="draft"):
    """Both laws checked, over one vocabulary, exact together or float together."""
    target, draft = check_law(target, target_name), check_law(draft, draft_name)
    if target.shape[-1] != draft.shape[-1]:
        raise ValueError(
            f"{draft_name} has {draft.shape[-1]} tokens, {target_name} has {target.shape[-1]}"
        )
    try:
        np.broadcast_shapes(target.shape, draft.shape)
    except ValueError:
        raise ValueError(
            f"{draft_name} of shape {draft.shape} does not match "
            f"{target_name} of shape {target.shape}"
        ) from None
    return alike(target, draft)


def alike(a, b):
    """Both arrays exact, or both float."""
    if (a.dtype == object) != (b.dtype == object):
        return a.astype(float), b.astype(float)
    return a, b


def check_token(token, size, name="token"):
    """Return ``token`` as an int after checking that it lies in a vocabulary of ``size``."""
    if _is_whole(token) and 0 <= token < size:
        return int(token)
    raise ValueError(f"{name} is {token!r}, not one of the tokens 0 … {size - 1}")


def check_tokens(tokens, size, name):
    """Return a sequence of tokens as a tuple of ints after checking each of them."""
    try:
        tokens = tuple(tokens)
    except TypeError:
        raise ValueError(f"{name} is {tokens!r}, not a sequence of tokens") from None
    if all(type(token) is int and 0 <= token < size for token in tokens):  # the usual case, fast
        return tokens
    return tuple(check_token(token, size, f"{name}[{i}]") for i, token in enumerate(tokens))


def check_whole(number, name, least):
    """Return ``number`` as an int after checking that it is whole and at least ``least``."""
    if _is_whole(number) and number >= least:
        return int(number)
    raise ValueError(f"{name} is {number!r}, not a whole number from {least} on")


def _is_whole(number):
    return isinstance(number, (int, np.integer)) and not isinstance(number, bool)


def _as_numbers(values, name):
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(f"{name} has rows of different lengths") from None
    if array.dtype in TOLERANCE:
        return array
    kinds = {type(x) for x in array.flat}
    if kinds == {Fraction}:
        return array
    exact = all(issubclass(kind, Rational) for kind in kinds)
    numbers = np.empty(array.shape, object if exact else float)
    for place, value in np.ndenumerate(array):
        try:
            numbers[place] = (_as_fraction if exact else _as_float)(value)
        except (TypeError, ValueError, OverflowError):
            raise ValueError(f"{_show(name, place)} is {value!r}, not a number") from None
    return numbers


def _as_fraction(value):
    return Fraction(int(value.numerator), int(value.denominator))  # no NumPy integers inside


def _as_float(value):
    if isinstance(value, (str, bytes, np.complexfloating)):  # float() would take them
        raise TypeError
    return float(value)


def _is_exact_law(row):
    """In whole numbers over a common denominator: faster than adding ``Fraction``s."""
    ratios = [x.as_integer_ratio() for x in row]
    if not all(type(above) is type(below) is int for above, below in ratios):
        return False  # NumPy's, as in Fraction(weights[0], weights.sum()): they would wrap around
    whole = lcm(*[below for _, below in ratios])
    parts = [above * (whole // below) for above, below in ratios]
    return sum(parts) == whole and min(parts) >= 0


def _first(bad):
    return tuple(np.argwhere(bad)[0])


def _show(name, place):
    return f"{name}[{', '.join(map(str, place))}]" if place else name
