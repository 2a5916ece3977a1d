"""The one table of nasty cases: pairs of exact laws, and toys, on which verifiers go wrong.

Tests, checks and audits all use it.
"""

from fractions import Fraction
from functools import partial

import numpy as np

from specnotes.broken.toys import BASE, SECOND, Toy, law, rows
from specnotes.transforms import temperature, top_k, top_p

__all__ = ["BASE", "PAIRS", "SECOND", "law"]

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

PAIR_TOYS = sorted((Toy(name, *pair) for name, pair in PAIRS.items()), key=lambda toy: toy.size)
PAIR_TOYS += [
    Toy("floats sum to less than one", law(7, 2, 1, 0), law(0, 0, 0, 1)),
    Toy("so they do once normalised", law(2, 4, 3, 1, 0), law(0, 0, 0, 0, 1)),
    Toy("rare in the draft", law(10**8, 10**6, 10**4, 0), law(10**8, 10**7, 10**5, 1)),
    Toy("rare in the target", law(10**8, 10**6, 10**4, 1), law(1, 1, 1, 1)),
    Toy("many tokens owed", law(*[1] * 11, 0), law(*[0] * 11, 1)),
    Toy("most of the target is owed", law(6, 6, 1), law(1, 2, 10)),  # draws by rejection end soon
]

# Equal but for the last bit of a float: a rejection has chance 1e-16, and nothing is owed.
ROUNDED = [
    Toy("equal up to rounding", np.array([0.5, 0.5]), np.array([0.5, 0.5 + 2**-53])),
    Toy("equal up to rounding, a zero", np.array([0.5, 0.5, 0]), np.array([0.5, 0.5 + 2**-53, 0])),
]

# Two tokens, three contexts (at first, after 0, after 1): every row differs from every other.
_UNEVEN = rows((4, 1), (9, 11), (1, 3)), rows((1, 1), (2, 1), (1, 4))
_ZEROS = rows((1, 1), (0, 1), (3, 1)), rows((1, 2), (1, 1), (0, 1))
_THREE = (
    rows((5, 3, 2), (0, 1, 2), (1, 1, 1), (2, 1, 0)),
    rows((2, 3, 5), (1, 1, 1), (3, 0, 1), (1, 1, 2)),
)
_STAY = rows((4, 1), (4, 1), (9, 11)), law(1, 1)  # a bonus from the row before shows here

CONTEXT_TOYS = [
    Toy("contexts", *_UNEVEN),
    Toy("draft without context", *_STAY),
    Toy("contexts", *_UNEVEN, length=2),
    Toy("contexts, zeros", *_ZEROS, length=2),
    Toy("one context, two drafted", law(2, 1), law(1, 2), length=2),
    Toy("equal contexts", _UNEVEN[0], _UNEVEN[0], length=2),
    Toy("contexts", *_UNEVEN, length=3),
    Toy("one context, three drafted", *BASE, length=2),
    Toy("contexts, three tokens", *_THREE, length=2),
]

# A draft that is certain leaves few paths, so that blocks may be long.
_LONG = rows((1, 1), (1, 3), (2, 3)), rows((0, 1), (0, 1), (1, 0))
IN_ROUNDS = [
    Toy("contexts, two rounds", *_UNEVEN, rounds=2),
    Toy("contexts, two rounds", *_UNEVEN, length=2, rounds=2),
]

TOKEN_TOYS = PAIR_TOYS + IN_ROUNDS[:1] + ROUNDED
BLOCK_TOYS = sorted(PAIR_TOYS + CONTEXT_TOYS, key=lambda toy: (toy.length, toy.size))
BLOCK_TOYS += [Toy("five drafted", *_LONG, length=5)] + IN_ROUNDS + ROUNDED

DECODER_TOYS = [
    Toy("one token wanted", *_UNEVEN, length=1, n_tokens=1),
    Toy("nothing wanted", *_UNEVEN, length=1, n_tokens=0),
    Toy("cut inside a block", *_UNEVEN, length=2, n_tokens=1),
    Toy("contexts", *_UNEVEN, length=1, n_tokens=3),
    Toy("draft without context", *_STAY, length=1, n_tokens=2),
    Toy("after a prefix", *_UNEVEN, length=1, n_tokens=2, prefix=(1,)),
    Toy("equal contexts", _UNEVEN[0], _UNEVEN[0], length=1, n_tokens=4),
    Toy("stop token", *_UNEVEN, length=2, n_tokens=3, stop=1),
    Toy("contexts, zeros", *_ZEROS, length=2, n_tokens=3),
    Toy("second", *SECOND, length=1, n_tokens=2),
    Toy("disjoint", law(1, 0), law(0, 1), length=2, n_tokens=3),
    Toy("stop token, three drafted", *_ZEROS, length=3, n_tokens=4, stop=0),
    Toy("contexts, three tokens", *_THREE, length=2, n_tokens=2),
    Toy("three places back", _UNEVEN[0], law(0, 1), length=2, n_tokens=4, lag=3),
    Toy("rare in the draft", law(1, 1, 1, 1), law(10**8, 10**7, 10**5, 1), n_tokens=1),
    Toy("five drafted", *_LONG, length=5, n_tokens=5),
]

DRAFT_TOYS = sorted(PAIR_TOYS + CONTEXT_TOYS, key=lambda toy: (toy.length, toy.size))


def _less_repetition(law, prefix):
    """Halve the weight of the last token: a penalty that depends on the prefix."""
    weights = law.copy()
    if len(prefix):
        weights[prefix[-1]] = weights[prefix[-1]] / 2
    return weights / weights.sum()


_STEPS = {
    "temperature 1/2": partial(temperature, t=Fraction(1, 2)),
    "top-k": partial(top_k, k=2),
    "top-p": partial(top_p, mass=Fraction(3, 5)),
    "penalty": _less_repetition,
}
MODEL_TOYS = [
    Toy(f"{name}, {where}", *pair, length=length, n_tokens=2, step=step)
    for name, step in _STEPS.items()
    for where, pair, length in (
        ("one context", (law(5, 3, 2), law(2, 3, 5)), 1),
        ("contexts", _UNEVEN, 2),
    )
]

# Nothing is rounded here, in whatever precision: ratios 1/2, 1 and 2, two tokens owed evenly.
POWERS_OF_TWO = Toy("powers of two", law(1, 1, 1, 1), law(4, 2, 1, 1), length=2)

# Halves and quarters, zeros at either end: floats are exact, and coins can hit every boundary.
EDGE_TOYS = [
    Toy("a zero first and last", law(0, 1, 1, 0), law(1, 1, 1, 1)).as_float(),
    Toy("equal, a zero first and last", law(0, 1, 1, 0), law(0, 1, 1, 0)).as_float(),
    Toy("disjoint", law(0, 1, 0), law(1, 0, 1)).as_float(),
]
DECODER_EDGES = [
    Toy("a zero first and last", law(0, 1, 0), law(1, 2, 1), n_tokens=1).as_float(),
    Toy("equal, a zero first and last", law(0, 1, 0), law(0, 1, 0), n_tokens=2).as_float(),
]

# Few outcomes each, so that every event can be tested.
SAMPLE_TOYS = [
    Toy("base", *BASE),
    Toy("draft misses a token", *PAIRS["draft misses a token"]),
    Toy("target misses a token", *PAIRS["target misses a token"]),
    Toy("equal contexts", _UNEVEN[0], _UNEVEN[0]),
    Toy("contexts", *_UNEVEN, length=2),
    Toy("one context, two drafted", law(3, 2), law(1, 5), length=2),  # a shared coin shows here
]
SAMPLE_DECODER_TOYS = [
    Toy("base", *BASE, n_tokens=2),
    Toy("contexts", *_UNEVEN, length=2, n_tokens=3),
    Toy("stop token", *_UNEVEN, length=2, n_tokens=3, stop=1),
]
