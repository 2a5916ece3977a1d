"""The one table of nasty cases: pairs of exact laws on which verifiers go wrong.

Tests, checks and audits all use it.
"""

from fractions import Fraction

import numpy as np


def law(*weights):
    """The exact law in proportion to whole weights: law(5, 3, 2) is (1/2, 3/10, 1/5)."""
    return np.array([Fraction(weight, sum(weights)) for weight in weights])


BASE = law(5, 3, 2), law(2, 3, 5)  # acceptance rate 7/10, wrong fallback off by 3/20
SECOND = law(1, 6, 3), law(5, 3, 2)  # acceptance rate 3/5, residual (0, 3/4, 1/4)

# name: (target, draft)
PAIRS = {
    "base": BASE,
    "second": SECOND,
    "equal": (law(5, 3, 2), law(5, 3, 2)),
    "equal and even": (law(1, 1), law(1, 1)),
    "equal one-hot": (law(0, 1, 0), law(0, 1, 0)),
    "disjoint": (law(1, 1, 0, 0), law(0, 0, 3, 1)),
    "disjoint one-hot": (law(1, 0), law(0, 1)),
    "target one-hot": (law(0, 0, 1), law(1, 2, 3)),
    "draft one-hot": (law(1, 2, 3), law(0, 1, 0)),
    "draft misses a token": (law(1, 2, 3), law(1, 1, 0)),
    "target misses a token": (law(1, 1, 0), law(1, 2, 3)),
    "first token zero in both": (law(0, 2, 1), law(0, 1, 2)),
    "last token zero in both": (law(2, 1, 0), law(1, 2, 0)),
    "ties": (law(2, 2, 1, 1), law(1, 1, 2, 2)),
    "near-equal": (law(10**9 + 1, 10**9 - 1), law(1, 1)),
    "one residual token": (law(1, 1, 2), law(3, 3, 2)),
    "three residual tokens": (law(4, 4, 2, 0), law(1, 2, 1, 6)),
    "ratio above one everywhere but one": (law(3, 3, 3, 1), law(1, 1, 1, 7)),
    "one token": (law(1), law(1)),
}
