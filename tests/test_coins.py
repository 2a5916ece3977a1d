"""``law_of`` gives the law of a program: by hand, over a grid of numbers, and against NumPy."""

import functools
import itertools
import math
import operator
import random
import re
import sys
import threading
import time
from bisect import bisect, bisect_left
from collections import Counter
from fractions import Fraction as F

import numpy as np
import pytest
from scipy.stats import chisquare

from specnotes.coins import CannotEnumerate, EveryCoin, Impure, Runaway, law_of, sources

HALF, THIRD, QUARTER = F(1, 2), F(1, 3), F(1, 4)
STEPS = np.array([0.25, 0.5, 1.0])
EXACT_STEPS = np.array([QUARTER, HALF, F(1)])
ITEMS = ("a", "b", "c")


def chance(probability):
    return {True: probability, False: 1 - probability}


def one_coin(ask):
    return lambda rng: ask(rng.random())


# Programs on coins.  name: (program, its law by hand, coins drawn).  Every number that a coin meets
# is a multiple of 1/12 of it, so that the midpoints of twelve equal steps have the same law.
COINS = {
    "below": (one_coin(lambda u: u < QUARTER), chance(QUARTER), 1),
    "at most": (one_coin(lambda u: u <= QUARTER), chance(QUARTER), 1),
    "above": (one_coin(lambda u: u > QUARTER), chance(F(3, 4)), 1),
    "at least": (one_coin(lambda u: u >= QUARTER), chance(F(3, 4)), 1),
    "number first": (one_coin(lambda u: QUARTER > u), chance(QUARTER), 1),
    "number first, reversed": (one_coin(lambda u: QUARTER <= u), chance(F(3, 4)), 1),
    "certainly below": (one_coin(lambda u: u < 1), chance(1), 1),
    "certainly not below": (one_coin(lambda u: u < 0), {False: 1}, 1),
    "against NaN": (
        one_coin(lambda u: (u < math.nan, u > np.float32("nan"))),
        {(False,) * 2: 1},
        1,
    ),
    "against infinity": (one_coin(lambda u: (u < math.inf, u > math.inf)), {(True, False): 1}, 1),
    "scaled twice": (one_coin(lambda u: 2 * u * THIRD < HALF), chance(F(3, 4)), 1),
    "scaled to whole numbers": (one_coin(lambda u: u * 2 < 1), chance(HALF), 1),
    "divided": (one_coin(lambda u: u / 3 < F(1, 12)), chance(QUARTER), 1),
    "scaled to nothing": (one_coin(lambda u: (u * 0 > 0, u * 0 <= 0)), {(False, True): 1}, 1),
    "what is left of a coin": (
        one_coin(lambda u: (u - QUARTER) / (1 - QUARTER) < THIRD),
        chance(HALF),
        1,
    ),
    "complement": (one_coin(lambda u: 1 - u < THIRD), chance(THIRD), 1),
    "negative": (one_coin(lambda u: -u > -THIRD), chance(THIRD), 1),
    "negative scale": (one_coin(lambda u: -2 * u + 1 >= HALF), chance(QUARTER), 1),
    "distance from the middle": (one_coin(lambda u: abs(u - HALF) < QUARTER), chance(HALF), 1),
    "the larger of coin and number": (
        one_coin(lambda u: max(u, HALF) < F(3, 4)),
        chance(F(3, 4)),
        1,
    ),
    "np.minimum with a number": (one_coin(lambda u: np.minimum(u, 0.5) < 0.25), chance(QUARTER), 1),
    "between, chained": (one_coin(lambda u: QUARTER <= u < F(3, 4)), chance(HALF), 1),
    "used twice": (
        one_coin(lambda u: (u < HALF, u < QUARTER)),
        {(True, True): QUARTER, (True, False): QUARTER, (False, False): HALF},
        1,
    ),
    "used again from the other side": (
        one_coin(lambda u: (u < HALF, 1 - u < HALF)),
        {(True, False): HALF, (False, True): HALF},
        1,
    ),
    "compared with itself": (
        one_coin(lambda u: (u < u, u <= u, u > u, u >= u)),
        {(False, True, False, True): 1},
        1,
    ),
    "compared with its double": (one_coin(lambda u: (2 * u < u, u < 2 * u)), {(False, True): 1}, 1),
    "compared with its complement": (one_coin(lambda u: u < 1 - u), chance(HALF), 1),
    "less itself": (one_coin(lambda u: u - u < HALF), {True: 1}, 1),
    "equal to a number": (one_coin(lambda u: u == HALF), {False: 1}, 1),
    "two coins": (
        lambda rng: (rng.random() < HALF) + (rng.random() < THIRD),
        {0: THIRD, 1: HALF, 2: F(1, 6)},
        2,
    ),
    "second coin only sometimes": (
        lambda rng: rng.random() < HALF and rng.random() < HALF,
        chance(QUARTER),
        2,
    ),
    "searchsorted": (
        one_coin(lambda u: np.searchsorted(STEPS, u, side="right")),
        {0: QUARTER, 1: QUARTER, 2: HALF},
        1,
    ),
    "searchsorted, left, scaled": (
        one_coin(lambda u: np.searchsorted(STEPS, 3 * u)),
        {0: F(1, 12), 1: F(1, 12), 2: F(1, 6), 3: F(2, 3)},
        1,
    ),
    "searchsorted on Fractions": (
        one_coin(lambda u: EXACT_STEPS.searchsorted(u, "right")),
        {0: QUARTER, 1: QUARTER, 2: HALF},
        1,
    ),
    "searchsorted on Fractions, left": (
        one_coin(lambda u: np.searchsorted(EXACT_STEPS, 1 - u)),
        {0: QUARTER, 1: QUARTER, 2: HALF},
        1,
    ),
    "searchsorted on a logarithm": (
        one_coin(lambda u: np.searchsorted(np.log(STEPS), np.log(u))),
        {0: QUARTER, 1: QUARTER, 2: HALF},
        1,
    ),
    "bisect": (one_coin(lambda u: bisect(STEPS, u)), {0: QUARTER, 1: QUARTER, 2: HALF}, 1),
    "bisect_left on Fractions": (
        one_coin(lambda u: bisect_left(list(EXACT_STEPS), u)),
        {0: QUARTER, 1: QUARTER, 2: HALF},
        1,
    ),
    "sum of comparisons": (
        one_coin(lambda u: (u >= STEPS).sum()),
        {0: QUARTER, 1: QUARTER, 2: HALF},
        1,
    ),
    "argmax of comparisons": (
        one_coin(lambda u: np.argmax(EXACT_STEPS > u)),
        {0: QUARTER, 1: QUARTER, 2: HALF},
        1,
    ),
    "np.where": (one_coin(lambda u: np.where(u < QUARTER, 7, 9)), {7: QUARTER, 9: F(3, 4)}, 1),
    "np.log": (one_coin(lambda u: np.log(u) < math.log(0.25)), chance(QUARTER), 1),
    "difference of logarithms": (
        one_coin(lambda u: np.log(u) < np.log(0.25) - np.log(0.5)),
        chance(HALF),
        1,
    ),
    "np.log of the complement": (
        one_coin(lambda u: np.log(1 - u) < np.log(0.25)),
        chance(QUARTER),
        1,
    ),
    "np.log of a multiple": (one_coin(lambda u: np.log(2 * u) >= 0), chance(HALF), 1),
    "np.log against impossible": (one_coin(lambda u: np.log(u) < -np.inf), {False: 1}, 1),
    "exponential waiting time": (
        one_coin(lambda u: -np.log(u) / 3 < math.log(2) / 3),
        chance(HALF),
        1,
    ),
    "whole part": (one_coin(lambda u: int(u * 3)), {0: THIRD, 1: THIRD, 2: THIRD}, 1),
    "math.floor, shifted": (one_coin(lambda u: math.floor(2 * u - 1)), {-1: HALF, 0: HALF}, 1),
    "towards zero": (
        one_coin(lambda u: int(4 * u - 2)),
        {-1: QUARTER, 0: HALF, 1: QUARTER},
        1,
    ),
    "math.ceil": (one_coin(lambda u: math.ceil(3 * u)), {1: THIRD, 2: THIRD, 3: THIRD}, 1),
    "floor division": (one_coin(lambda u: u // QUARTER), {i: QUARTER for i in range(4)}, 1),
    "np.floor of coins": (
        lambda rng: tuple(np.floor(np.asarray(rng.random(2) * 2))),
        {pair: QUARTER for pair in itertools.product(range(2), repeat=2)},
        2,
    ),
    "NumPy number times coin": (one_coin(lambda u: np.float64(0.5) * u < 0.25), chance(HALF), 1),
    "coin times NumPy number": (
        one_coin(lambda u: u * np.float64(0.5) < np.float64(0.25)),
        chance(HALF),
        1,
    ),
    "NumPy number less coin": (
        one_coin(lambda u: np.float64(1) - u < np.float64(0.25)),
        chance(QUARTER),
        1,
    ),
    "array times coin": (
        one_coin(lambda u: tuple(np.array([1.0, 2.0]) * u < 0.5)),
        {(True, True): QUARTER, (True, False): QUARTER, (False, False): HALF},
        1,
    ),
    "coin less array": (
        one_coin(lambda u: tuple(u - np.array([QUARTER, HALF]) < 0)),
        {(True, True): QUARTER, (False, True): QUARTER, (False, False): HALF},
        1,
    ),
    "array of coins": (
        lambda rng: tuple(rng.random(2) < np.array([QUARTER, HALF])),
        {
            (True, True): F(1, 8),
            (True, False): F(1, 8),
            (False, True): F(3, 8),
            (False, False): F(3, 8),
        },
        2,
    ),
    "accepted before the first rejection": (
        lambda rng: int(np.cumprod(rng.random(3) < HALF).sum()),
        {0: HALF, 1: QUARTER, 2: F(1, 8), 3: F(1, 8)},
        3,
    ),
    "matrix of coins": (
        lambda rng: (rng.random((2, 1)) < HALF).all(),
        chance(QUARTER),
        2,
    ),
}


class Scripted:
    """Deals the given numbers."""

    def __init__(self, numbers):
        self._left = list(numbers)

    def random(self, size=None):
        if size is None:
            return self._left.pop(0)
        count = math.prod(np.atleast_1d(size))
        dealt, self._left = self._left[:count], self._left[count:]
        return np.array(dealt).reshape(size)


def grid_law(program, coins, kind, steps=12):
    """The law over the midpoints of ``steps`` equal parts of each coin: no enumeration of paths."""
    midpoints = [kind(2 * i + 1) / (2 * steps) for i in range(steps)]
    law = Counter()
    for point in itertools.product(midpoints, repeat=coins):
        outcome = program(Scripted(point))
        if isinstance(outcome, np.ndarray | np.generic):
            outcome = outcome.tolist()
        law[outcome] += F(1, steps**coins)
    return dict(law)


def same(law, expected):
    """Equal, exactly where both are exact."""
    exact = all(isinstance(x, (F, int)) for x in law.values())
    gap = max(abs(law.get(x, 0) - expected.get(x, 0)) for x in law.keys() | expected.keys())
    return gap == 0 if exact else gap < 1e-12


@pytest.mark.parametrize("name", COINS)
def test_the_law_is_the_one_computed_by_hand(name):
    program, expected, _ = COINS[name]
    assert same(law_of(program), {x: mass for x, mass in expected.items() if mass})


@pytest.mark.parametrize("name", COINS)
def test_the_law_by_hand_is_the_law_over_a_grid_of_numbers(name):
    program, expected, coins = COINS[name]
    # Logarithms and NumPy's floor need floats; the grid keeps clear of all thresholds.
    kind = float if re.search("log|NumPy|np.floor|expon|NaN", name) else F
    law = grid_law(program, coins, kind)
    assert law == {x: mass for x, mass in expected.items() if mass}


def table(*weights):
    return [F(weight, sum(weights)) for weight in weights]


def shuffled(rng, count):
    items = list(range(count))
    rng.shuffle(items)
    return items


def shuffled_rows(rng):
    rows = np.array([[0, 1], [2, 3]])
    rng.shuffle(rows)
    return rows


UNIFORM2 = {i: HALF for i in range(2)}
UNIFORM3 = {i: THIRD for i in range(3)}
PAIRS_OF_3 = {pair: F(1, 6) for pair in itertools.permutations(range(3), 2)}
ORDERS = {order: F(1, 6) for order in itertools.permutations(range(3))}

# Other draws.  name: (program, its law by hand)
DRAWS = {
    "choice of n": (lambda rng: rng.choice(3), UNIFORM3),
    "choice by law": (
        lambda rng: rng.choice(3, p=table(5, 3, 2)),
        dict(enumerate(table(5, 3, 2))),
    ),
    "choice skips zeros": (lambda rng: rng.choice(3, p=[0, 1, 0]), {1: 1}),
    "choice of items": (lambda rng: rng.choice(ITEMS), dict.fromkeys(ITEMS, THIRD)),
    "choice of one item": (lambda rng: rng.choice([7]), {7: 1}),
    "choice of rows": (
        lambda rng: rng.choice(np.array([[1, 2], [3, 4]])),
        {(1, 2): HALF, (3, 4): HALF},
    ),
    "choice of columns": (
        lambda rng: rng.choice(np.array([[1, 2], [3, 4]]), axis=1),
        {(1, 3): HALF, (2, 4): HALF},
    ),
    "choice of size 2": (
        lambda rng: rng.choice(2, size=2, p=table(1, 2)),
        {(0, 0): F(1, 9), (0, 1): F(2, 9), (1, 0): F(2, 9), (1, 1): F(4, 9)},
    ),
    "choice of shape (1, 2)": (
        lambda rng: rng.choice([5, 6], (1, 2)),
        {((a, b),): QUARTER for a in (5, 6) for b in (5, 6)},
    ),
    "choice without replacement": (lambda rng: rng.choice(3, size=2, replace=False), PAIRS_OF_3),
    "choice without replacement, by law": (
        lambda rng: rng.choice(2, 2, replace=False, p=table(1, 2)),
        {(0, 1): THIRD, (1, 0): F(2, 3)},
    ),
    "choice of no items": (lambda rng: len(rng.choice(3, size=0)), {0: 1}),
    "integers below": (lambda rng: rng.integers(3), UNIFORM3),
    "integers between": (lambda rng: rng.integers(-1, 1), {-1: HALF, 0: HALF}),
    "integers with endpoint": (lambda rng: rng.integers(0, 2, endpoint=True), UNIFORM3),
    "integers of size 2": (
        lambda rng: rng.integers(2, size=2, dtype=np.int32),
        {pair: QUARTER for pair in itertools.product(range(2), repeat=2)},
    ),
    "uniform": (lambda rng: rng.uniform(2, 4) < 3, chance(HALF)),
    "uniform of size 2": (lambda rng: (rng.uniform(size=2) < 0.5).all(), chance(QUARTER)),
    "random with a type": (lambda rng: rng.random(dtype=np.float64) < 0.5, chance(HALF)),
    "multinomial of one": (
        lambda rng: rng.multinomial(1, [0.5, 0.25, 0.25]),
        {(1, 0, 0): 0.5, (0, 1, 0): 0.25, (0, 0, 1): 0.25},
    ),
    "argmax of a multinomial": (lambda rng: np.argmax(rng.multinomial(1, [0.5, 0.5])), UNIFORM2),
    "binomial": (lambda rng: rng.binomial(2, HALF), {0: QUARTER, 1: HALF, 2: QUARTER}),
    "binomial of size 2": (
        lambda rng: rng.binomial(1, HALF, size=2),
        {pair: QUARTER for pair in itertools.product(range(2), repeat=2)},
    ),
    "permutation of n": (lambda rng: rng.permutation(3), ORDERS),
    "permutation of items": (
        lambda rng: rng.permutation(["a", "b"]),
        {("a", "b"): HALF, ("b", "a"): HALF},
    ),
    "permutation of columns": (
        lambda rng: rng.permutation(np.array([[1, 2]]), axis=1),
        {((1, 2),): HALF, ((2, 1),): HALF},
    ),
    "shuffle of a list": (lambda rng: shuffled(rng, 3), ORDERS),
    "shuffle of rows": (
        shuffled_rows,
        {((0, 1), (2, 3)): HALF, ((2, 3), (0, 1)): HALF},
    ),
}


@pytest.mark.parametrize("name", DRAWS)
def test_the_law_of_a_draw_is_the_one_computed_by_hand(name):
    program, expected = DRAWS[name]
    assert same(law_of(program), expected)


PROGRAMS = {name: row[0] for name, row in (COINS | DRAWS).items()}


def sampled(program, seed, count):
    """Outcomes of the same program under NumPy's generator."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        outcome = program(rng)
        if isinstance(outcome, np.ndarray | np.generic):
            outcome = outcome.tolist()
        yield _tuples(outcome)


def _tuples(outcome):
    return tuple(map(_tuples, outcome)) if isinstance(outcome, (list, tuple)) else outcome


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_the_same_program_runs_under_numpy_with_that_law(name):
    """χ² over 600 runs, seed fixed; a right law would fail with probability 1e-6 per program."""
    law = law_of(PROGRAMS[name])
    counts = Counter(sampled(PROGRAMS[name], seed=len(name), count=600))
    assert counts.keys() <= law.keys()
    expected = [600 * float(mass) for mass in law.values()]
    if len(law) > 1:
        assert chisquare([counts[x] for x in law], expected).pvalue > 1e-6


@pytest.mark.parametrize(
    "method",
    "random uniform choice integers multinomial binomial permutation shuffle".split(),
)
def test_each_method_takes_the_arguments_of_numpys(method):
    def arguments(call):
        return [part.split("=")[0].strip() for part in call.split(",")]

    def signature(function):
        return re.search(r"\w+\((.*)\)", function.__doc__.strip().splitlines()[0])[1]

    numpys = signature(getattr(np.random.Generator, method))
    ours = getattr(EveryCoin, method).__code__
    assert list(ours.co_varnames[1 : ours.co_argcount]) == arguments(numpys)


# Programs that cannot be followed, and what they are told.
FIXED = np.random.default_rng(1)
OLD = np.random.RandomState(1)
PYTHONS = random.Random(1)


class Holder:
    def __init__(self):
        self.rng = np.random.default_rng(2)

    def __call__(self, rng):
        return self.rng.random() < 0.5

    def method(self, rng):
        return self.rng.random() < 0.5


class ClassHolder:
    rng = np.random.default_rng(3)

    def __call__(self, rng):
        return self.rng.random() < 0.5


def with_closure():
    hidden = np.random.default_rng(4)
    return lambda rng: hidden.random() < 0.5


def with_default(rng, hidden=np.random.default_rng(5)):  # noqa: B008
    return hidden.random() < 0.5


def with_keyword(rng, *, hidden=np.random.default_rng(6)):  # noqa: B008
    return hidden.random() < 0.5


def with_argument(hidden, rng):
    return hidden.random() < 0.5


def inside_a_comprehension(rng):
    return [FIXED.random() < 0.5 for _ in range(2)]


def through_a_helper(rng):
    return with_default(rng)


def loop_of_draws(rng):
    while True:
        rng.random()


def loop_until_lucky(rng):
    while rng.random() < HALF:
        pass


def loop_until_unlucky(rng):
    while rng.random() > HALF:
        pass


def loop_without_draws(rng):
    while True:
        pass


def loop_that_catches(rng):
    while True:
        try:
            rng.normal()
        except Exception:
            continue


def catches_everything(rng):
    try:
        return rng.normal() < 0
    except:  # noqa: E722
        return True


def catches_a_float(rng):
    try:
        return math.log(rng.random()) < -1
    except Exception:
        return True


def counter():
    calls = itertools.count()
    return lambda rng: (rng.random() < HALF, next(calls))


def alternating():
    calls = itertools.cycle([0, 1])
    return lambda rng: (rng.random() < HALF, next(calls))


def changing_late():
    calls = itertools.count()
    return lambda rng: next(calls) > 8


def drawing_less():
    calls = itertools.count()
    return lambda rng: rng.random() < HALF if next(calls) < 1 else True


def asking_another_thing():
    calls = itertools.count()
    return lambda rng: rng.random() < F(1, 2 + next(calls))


def keeping_the_rng():
    kept = []

    def program(rng):
        kept.append(rng)
        return kept[0].random() < HALF

    return program


REFUSED = {
    "normal": (lambda rng: rng.normal() < 0, "rng.normal has no finite list of outcomes"),
    "exponential": (lambda rng: rng.exponential() < 1, "rng.exponential has no finite list"),
    "gumbel": (lambda rng: np.argmax(rng.gumbel(size=3)), "rng.gumbel has no finite list"),
    "multinomial of many": (lambda rng: rng.multinomial(9, [0.5, 0.5]), "multinomial of 9 draws"),
    "big shuffle": (lambda rng: rng.permutation(20), "an order of 20 items: at most 6"),
    "big choice": (lambda rng: rng.choice(10**12), "a choice among 1,000,000,000,000"),
    "seed for another generator": (
        lambda rng: rng.integers(2**31),
        "2,147,483,648 possible values",
    ),
    "many coins": (lambda rng: rng.random(10**12), "more than 500 draws"),
    "coins into an array": (lambda rng: rng.random(out=np.zeros(2)), "out of rng.random"),
    "bounds in an array": (lambda rng: rng.integers([1, 2]), "arrays of bounds"),
    "fine whole part": (lambda rng: int(rng.random() * 1e9), "1,000,000,000 possible values"),
    "fine whole part on both sides": (
        one_coin(lambda u: math.floor(2000 * u - 1000)),
        "2,000 possible values",
    ),
    "float(coin)": (one_coin(float), "a coin turned into a float"),
    "math.log(coin)": (one_coin(lambda u: math.log(u) < -1), r"np.log\(coin\) works"),
    "np.asarray(coins, float)": (
        lambda rng: np.asarray(rng.random(2), float) < 0.5,
        "a coin turned into a float",
    ),
    "searchsorted of many": (
        lambda rng: np.searchsorted(STEPS, rng.random(2)),
        "np.searchsorted takes one coin at a time",
    ),
    "two coins compared": (lambda rng: rng.random() < rng.random(), "two coins together"),
    "two coins added": (lambda rng: rng.random() + rng.random() < 1, "two coins together"),
    "two coins multiplied": (lambda rng: rng.random() * rng.random() < 0.5, "product of coins"),
    "two coins divided": (lambda rng: rng.random() / rng.random() < 0.5, "quotient of coins"),
    "sorted coins": (lambda rng: np.argsort(rng.random(2)), "two coins together"),
    "square root": (one_coin(lambda u: np.sqrt(u) < 0.5), "function of a coin other than"),
    "square roots in an array": (
        lambda rng: np.sqrt(rng.random(2)) < 0.5,
        "function of a coin other than",
    ),
    "exp": (one_coin(lambda u: np.exp(u) < 2), "function of a coin other than"),
    "log2": (one_coin(lambda u: np.log2(u) < -1), "function of a coin other than"),
    "power": (one_coin(lambda u: u**2 < 0.5), "function of a coin other than"),
    "remainder": (one_coin(lambda u: u % 0.5 < 0.25), "function of a coin other than"),
    "round": (one_coin(lambda u: round(u, 1)), "function of a coin other than"),
    "reciprocal": (one_coin(lambda u: 1 / u < 2), "function of a coin other than"),
    "log of a log": (one_coin(lambda u: -np.log(-np.log(u)) < 1), "logarithm of the logarithm"),
    "log of a negative": (one_coin(lambda u: np.log(u - 1) < 1), "may be negative"),
    "whole part of a log": (one_coin(lambda u: int(np.log(u))), "whole part of the logarithm"),
    "the coin itself": (one_coin(lambda u: u), "contains a coin itself"),
    "a coin in a tuple": (one_coin(lambda u: (1, [u])), "contains a coin itself"),
    "a coin in an array": (lambda rng: rng.random(2), "contains a coin itself"),
    "an error swallowed": (catches_everything, "rng.normal has no finite list"),
    "another error swallowed": (catches_a_float, "a coin turned into a float"),
    "loop of draws": (loop_of_draws, "more than 500 draws on one path: an endless loop"),
    "loop until lucky": (loop_until_lucky, "endless loop.*leftover="),
    "loop until unlucky": (loop_until_unlucky, "endless loop.*leftover="),
}

# Programs that are no function of their coins.
IMPURE = {
    "hidden counter": (counter(), "keeps state between runs"),
    "hidden alternation": (alternating(), "keeps state between runs"),
    "hidden counter, no draws": (changing_late(), "ignores its rng"),
    "hidden state that draws less": (drawing_less(), "hidden state: .* drew less"),
    "hidden state that asks differently": (
        asking_another_thing(),
        "hidden state: .* something else",
    ),
    "an rng kept": (keeping_the_rng(), "kept the rng of an earlier run"),
    "a generator of its own": (lambda rng: np.random.default_rng().random(), "ignores its rng"),
    "np.random.random": (lambda rng: np.random.random() < 0.5, r"NumPy's global.*np\.random"),  # noqa: NPY002
    "random.random": (lambda rng: random.random() < 0.5, r"Python's global.*random\."),
    "module-level Generator": (lambda rng: FIXED.random() < 0.5, "generator `FIXED` from outside"),
    "module-level RandomState": (lambda rng: OLD.rand() < 0.5, "generator `OLD` from outside"),
    "module-level Random": (lambda rng: PYTHONS.random() < 0.5, "generator `PYTHONS` from outside"),
    "rng and a module-level generator": (
        lambda rng: rng.random() < HALF and FIXED.random() < 0.5,
        "generator `FIXED` from outside",
    ),
    "generator in a comprehension": (inside_a_comprehension, "generator `FIXED` from outside"),
    "generator in a closure": (with_closure(), "generator `hidden` from outside"),
    "generator in a default": (with_default, "a default of with_default"),
    "generator in a keyword's default": (with_keyword, "a default of with_keyword"),
    "generator of a helper": (through_a_helper, "a default of with_default"),
    "generator in a partial": (
        functools.partial(with_argument, np.random.default_rng(7)),
        "an argument of a partial",
    ),
    "generator in an attribute": (Holder(), "generator `rng` from outside"),
    "generator of a method's object": (Holder().method, "generator `rng` from outside"),
    "generator in a class": (ClassHolder(), "generator `rng` from outside"),
}


@pytest.mark.parametrize("name", REFUSED | IMPURE)
def test_a_program_that_cannot_be_followed_is_told_why(name):
    program, message = (REFUSED | IMPURE)[name]
    with pytest.raises(CannotEnumerate, match=message) as caught:
        law_of(program)
    runaway = "more than 500 draws" in str(caught.value)
    assert type(caught.value) is (
        Impure if name in IMPURE else Runaway if runaway else CannotEnumerate
    )


@pytest.mark.parametrize("program", [loop_without_draws, loop_that_catches])
def test_a_loop_that_draws_nothing_is_stopped_in_time(program):
    with pytest.raises(CannotEnumerate, match="still running after 0.2 s|rng.normal"):
        law_of(program, seconds=0.2)


def cannot_start(thread):
    raise RuntimeError("can't start new thread")


if hasattr(sys, "monitoring"):  # since Python 3.12, which the browser has

    @pytest.mark.parametrize("program", [loop_without_draws, loop_that_catches])
    def test_a_loop_that_draws_nothing_is_stopped_where_there_are_no_threads(program, monkeypatch):
        monkeypatch.setattr(threading.Thread, "start", cannot_start)
        monkeypatch.setattr(sources, "_watcher", sources._Watcher())
        with pytest.raises(CannotEnumerate, match="still running after 0.2 s|rng.normal"):
            law_of(program, seconds=0.2)
        assert sys.monitoring.get_events(sources.TOOL) == 0


def test_many_short_paths_may_take_longer_than_one_path_may():
    def program(rng):
        time.sleep(0.1)
        return (rng.random(3) < HALF).sum()

    assert law_of(program, seconds=1)[0] == F(1, 8)


def test_too_many_paths_are_refused():
    with pytest.raises(Runaway, match="more than 100 paths: .*leftover="):
        law_of(lambda rng: (rng.random(8) < HALF).sum(), max_paths=100)


def test_as_many_paths_as_allowed_are_followed():
    assert law_of(lambda rng: (rng.random(2) < HALF).sum(), max_paths=4).paths == 4


class Mine(BaseException):
    pass


@pytest.mark.parametrize("error", [ValueError("x"), StopIteration(), Mine(), KeyboardInterrupt()])
def test_an_error_of_the_program_passes_untouched(error):
    def program(rng):
        if rng.random() < HALF:
            raise error
        return 0

    with pytest.raises(type(error)) as caught:
        law_of(program)
    assert caught.value is error


def test_an_error_leaves_nothing_behind():
    with pytest.raises(ZeroDivisionError):
        law_of(lambda rng: 1 / 0)
    assert law_of(lambda rng: rng.random() < HALF) == chance(HALF)


def test_a_program_may_handle_its_own_errors():
    def program(rng):
        try:
            return 1 // int(rng.random() * 2)
        except ZeroDivisionError:
            return -1

    assert law_of(program) == {-1: HALF, 1: HALF}


@pytest.mark.parametrize("name", ["rand", "randint", "foo"])
def test_what_numpys_generator_lacks_is_an_ordinary_attribute_error(name):
    assert not hasattr(np.random.Generator, name)
    with pytest.raises(AttributeError, match=name):
        law_of(lambda rng: getattr(rng, name)())


# Loops without bound.


def by_rejection(target, draft):
    """The residual by rejection from the target: right, with no finite tree."""

    def program(rng):
        while True:
            token = rng.choice(len(target), p=target)
            if rng.random() * target[token] < target[token] - draft[token]:
                return token

    return program


def test_a_loop_without_bound_is_explored_up_to_its_leftover():
    law = law_of(by_rejection([F(1, 2), F(1, 2)], [F(1), F(0)]), leftover=F(1, 1000))
    assert law == {1: 1 - law.unexplored} and 0 < law.unexplored <= F(1, 1000)


def test_what_is_found_of_a_loop_without_bound_is_right_up_to_the_leftover():
    law = law_of(by_rejection(table(5, 3, 2), table(1, 3, 6)), leftover=F(1, 5))
    assert law[0] == 1 - law.unexplored  # the residual is one-hot on token 0


def test_the_likeliest_paths_come_first():
    def program(rng):
        count = 0
        while rng.random() < F(1, 10):
            count += 1
        return count

    law = law_of(program, leftover=F(1, 500))
    assert dict(law) == {0: F(9, 10), 1: F(9, 100), 2: F(9, 1000)}


def test_a_loop_without_bound_stops_at_max_paths_and_says_what_is_left():
    law = law_of(by_rejection(table(5, 3, 2), table(1, 3, 6)), leftover=0, max_paths=50)
    assert law.paths == 50 and sum(law.values()) + law.unexplored == 1


def test_a_finite_program_has_the_same_law_with_leftover():
    program = PROGRAMS["array of coins"]
    assert law_of(program, leftover=0) == law_of(program)


def test_a_bare_except_cannot_confuse_the_exploration_by_leftover():
    def program(rng):
        try:
            first = rng.random() < HALF
        except:  # noqa: E722
            first = None
        return first, rng.random() < QUARTER

    assert law_of(program, leftover=0) == law_of(program)
    assert (None, True) not in law_of(program, leftover=0)


# The law itself.


def test_exact_thresholds_give_exact_laws():
    law = law_of(lambda rng: rng.random() * F(3, 10) < F(1, 10))
    assert law == chance(THIRD) and isinstance(law[True], F)


def test_whole_numbers_give_exact_laws():
    assert law_of(lambda rng: 3 * rng.random() < 1) == chance(THIRD)


def test_float_thresholds_give_float_laws():
    assert law_of(lambda rng: rng.random() < 0.3)[True] == 0.3


def test_a_decided_comparison_makes_no_path():
    law = law_of(lambda rng: [rng.random() < x for x in (0, 1, 2)])
    assert law.paths == 1


def test_paths_counts_the_runs():
    assert law_of(lambda rng: [u < HALF for u in rng.random(3)]).paths == 8


def test_outcomes_are_frozen():
    law = law_of(lambda rng: [np.int64(1), np.array([[1.0, 2.0]]), (True,)])
    assert law == {(1, ((1.0, 2.0),), (True,)): 1}


def test_nan_is_an_outcome_like_any_other():
    ((outcome, mass),) = law_of(lambda rng: rng.random() < HALF and math.nan or math.nan).items()
    assert math.isnan(outcome) and mass == 1


def test_a_coin_can_be_printed():
    assert law_of(lambda rng: f"{rng.random():.2f}") == {"<coin 1>": 1}


def test_deterministic_programs_have_one_outcome():
    assert law_of(lambda rng: 7) == {7: 1}


@pytest.mark.parametrize(
    "options, message",
    [
        ({"max_paths": 0}, "max_paths is 0"),
        ({"max_draws": 1.5}, "max_draws is 1.5"),
        ({"leftover": 1}, "leftover is 1"),
        ({"leftover": -0.1}, "leftover is -0.1"),
        ({"leftover": math.nan}, "leftover is nan"),
    ],
)
def test_bad_limits_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        law_of(lambda rng: 0, **options)


def test_a_program_must_be_callable():
    with pytest.raises(ValueError, match="program is 3"):
        law_of(3)


THIRDS = np.array([1 / 3, 2 / 3, 0], np.float32)  # sums to a little more than 1


def test_weights_may_be_of_single_precision_as_they_may_for_numpy():
    np.random.default_rng(0).choice(3, p=THIRDS)
    law = law_of(lambda rng: rng.choice(3, p=THIRDS))
    assert law == pytest.approx({0: 1 / 3, 1: 2 / 3}, abs=1e-7)
    assert sum(law.values()) == pytest.approx(1, abs=1e-12)


def test_the_last_of_a_multinomial_gets_what_the_others_leave():
    counts = np.random.default_rng(0).multinomial(1000, [0.25, 0.25, 0])
    assert counts[2] > 400
    law = law_of(lambda rng: np.argmax(rng.multinomial(1, [0.25, 0.25, 0])))
    assert law == {0: 0.25, 1: 0.25, 2: 0.5}


@pytest.mark.parametrize(
    "draw, message",
    [
        (lambda rng: rng.choice(0), "a is 0"),
        (lambda rng: rng.choice([]), r"a is \[\]"),
        (lambda rng: rng.choice(2, p=[1]), r"p has shape \(1,\) for 2 items"),
        (lambda rng: rng.choice(2, p=[0.5, 0.6]), "p sums to 1.1"),
        (lambda rng: rng.choice(2, p=[1.5, -0.5]), r"p\[1\] is -0.5"),
        (lambda rng: rng.choice(2, p=[math.nan, 1]), r"p\[0\] is nan"),
        (lambda rng: rng.choice(2, size=3, replace=False), "size is 3"),
        (lambda rng: rng.choice(2, size=2, replace=False, p=[1, 0]), "size is 2"),
        (lambda rng: rng.integers(2, 2), "high is 2, not above low = 2"),
        (lambda rng: rng.multinomial(1, [0.5, -0.5, 1]), r"p\[1\] is -0.5"),
        (lambda rng: rng.multinomial(1, THIRDS), "pvals but the last sum to 1.0000000"),
    ],
)
def test_draws_refuse_what_numpy_refuses(draw, message):
    with pytest.raises(ValueError):
        draw(np.random.default_rng(0))
    with pytest.raises(ValueError, match=message):
        law_of(draw)


def test_comparisons_need_no_particular_spelling():
    ways = [
        lambda u: u < QUARTER,
        lambda u: QUARTER > u,
        lambda u: not u >= QUARTER,
        lambda u: operator.lt(u, QUARTER),
        lambda u: np.less(u, QUARTER),
        lambda u: bool(np.array([u < QUARTER]).any()),
        lambda u: 1 - u > F(3, 4),
        lambda u: u / QUARTER < 1,
        lambda u: int(u * 4) == 0,
    ]
    for way in ways:
        assert law_of(one_coin(way)) == chance(QUARTER)


def test_a_program_that_asks_for_a_generator_is_given_one():
    def program(rng):
        rng = rng if isinstance(rng, np.random.Generator) else np.random.default_rng(rng)
        return bool(rng.random() < 0.25)

    assert law_of(program) == {True: F(1, 4), False: F(3, 4)}


def test_a_coin_that_was_kept_is_not_taken_for_a_generator_of_the_programs_own():
    kept = []

    def program(rng):
        kept.append(rng)
        return bool(rng.random() < 0.25)

    assert law_of(program)[True] == F(1, 4)
