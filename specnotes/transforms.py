"""Maps law → law that samplers apply before they draw: temperature, truncation, greedy.

Each works on the last axis, keeps ``Fraction``s exact where the result is rational, and leaves its
input alone.  Ties are broken by the lower token number.  Speculative decoding is lossless with
respect to the *transformed* target law (Leviathan et al. 2023, section 2.2).
"""

from fractions import Fraction
from numbers import Rational

import numpy as np

from specnotes.laws import check_law, check_whole


def temperature(law, t):
    """Law ∝ p^(1/t).  t > 0; the limit t → 0 is ``greedy``.

    An exact law stays exact when 1/t is a whole number up to 1000; else the result is float.
    """
    law = check_law(law, "law")
    if not isinstance(t, (int, float, Rational, np.floating)) or not 0 < t < np.inf:
        raise ValueError(f"t is {t!r}, not a positive number (for 0 use greedy)")
    relative = law / law.max(axis=-1, keepdims=True)  # a power of at most 1 cannot overflow
    if law.dtype == object:
        power = 1 / Fraction(t)
        if power.denominator == 1 and power <= 1000:
            return _normalise(relative ** int(power))
        relative = relative.astype(float)
    return _normalise(relative ** (1 / float(t)))


def top_k(law, k):
    """Keep the k likeliest tokens and renormalise.  k ≥ 1; more than V keeps all."""
    law = check_law(law, "law")
    k = check_whole(k, "k", 1)
    return _keep(law, _ranks(law) < k)


def top_p(law, mass):
    """Keep the fewest likeliest tokens whose masses reach ``mass`` in (0, 1], and renormalise.

    The nucleus of Holtzman et al. 2020: the token that crosses the mark is kept.
    """
    law = check_law(law, "law")
    _check_share(mass, "mass", open_at_zero=True)
    order = _order(law)
    ahead = np.take_along_axis(law, order, axis=-1).cumsum(axis=-1)
    ahead = np.concatenate([0 * ahead[..., :1], ahead[..., :-1]], axis=-1)  # mass before each
    kept = np.take_along_axis((ahead < mass).astype(bool), _ranks(law), axis=-1)
    return _keep(law, kept & (law > 0))


def min_p(law, floor):
    """Keep tokens with at least ``floor`` in [0, 1] times the top probability, and renormalise."""
    law = check_law(law, "law")
    _check_share(floor, "floor")
    return _keep(law, law >= floor * law.max(axis=-1, keepdims=True))


def greedy(law):
    """All mass on the likeliest token, the first among equals."""
    return top_k(law, 1)


def compose(*steps):
    """One map that applies the steps from left to right; their order matters."""
    for i, step in enumerate(steps):
        if not callable(step):
            raise ValueError(f"steps[{i}] is {step!r}, not a map law → law")

    def composed(law):
        for step in steps:
            law = step(law)
        return law

    return composed


def _order(law):
    return np.argsort(-law, axis=-1, kind="stable")


def _ranks(law):
    return np.argsort(_order(law), axis=-1, kind="stable")


def _keep(law, kept):
    return _normalise(np.where(kept.astype(bool), law, 0 * law))


def _normalise(weights):
    return weights / weights.sum(axis=-1, keepdims=True)


def _check_share(share, name, open_at_zero=False):
    number = isinstance(share, (int, float, Rational, np.floating))
    if not number or not 0 <= share <= 1 or (open_at_zero and share == 0):
        span = "(0, 1]" if open_at_zero else "[0, 1]"
        raise ValueError(f"{name} is {share!r}, not in {span}")
