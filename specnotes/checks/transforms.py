"""Checks of notebook 07, on maps law → law: temperature, top-p, min-p."""

from fractions import Fraction
from itertools import product

import numpy as np

from specnotes import transforms
from specnotes.audit.cases import BASE, PAIRS, SECOND, law
from specnotes.checks.card import Wrong, ask, compare, exercise, is_same

HALF = Fraction(1, 2)
_LAWS = [target for target, _ in PAIRS.values()] + [BASE[1], SECOND[1], law(1, 4, 1, 2)]
NAN = "Something was 0/0 or log 0: the answer is NaN"
UNDERFLOW = f"{NAN}. Far below 1 a power is 0 in floats: make the largest weight 1 first"
NOTHING = "Your function returns nothing: does its last line say return?"
SINGLE = "That is right to some digits: work in double precision, float32 is not enough"
STABLE = 'Of equals keep the first: np.argsort keeps their order only with kind="stable"'
IN_PLACE = "Your function changes the law that it is given: work on a copy"


def _law_to_law(function, reference, cases, mistakes, name):
    """``compare`` for a function of (law, number); ``mistakes`` gives the laws of wrong answers."""

    def hint(answer, *case):
        if answer is None:
            return NOTHING
        right, case = reference(*case), (case[0].astype(float), float(case[1]))
        if _is_near(answer, right):
            return SINGLE
        known = _everywhere(function, cases, mistakes)
        nan = UNDERFLOW if name == "t" and case[0].all() else NAN
        here = (said for said, wrong in mistakes(*case).items() if is_same(answer, wrong))
        return known or (nan if _has_nan(answer) else next(here, None)) or _unordered(answer, right)

    try:
        return compare(function, reference, cases, hint=hint, names=("law", name))
    except Wrong as wrong:
        if "read-only" in str(wrong.__cause__):
            raise Wrong(f"{IN_PLACE} ({wrong})") from None
        raise


def _everywhere(function, cases, mistakes):
    """The mistake that the function makes in all cases, or None."""
    asked = [(x.astype(float), float(number)) for x, number in cases]
    try:
        answers = [np.asarray(ask(function, *case), float) for case in asked]
    except (Wrong, TypeError, ValueError):
        return None
    tables = [mistakes(*case) for case in asked]
    return next(
        (m for m in tables[0] if all(map(_same_nan, answers, [t[m] for t in tables]))), None
    )


def _same_nan(answer, wrong):
    near = answer.shape == wrong.shape and np.allclose(answer, wrong, 0, 1e-12, equal_nan=True)
    return bool(near)


def _is_near(answer, right):
    """Right to single precision."""
    try:
        answer, right = np.asarray(answer, float), np.asarray(right, float)
        return answer.shape == right.shape and bool(np.allclose(answer, right, 1e-6, 1e-7))
    except (TypeError, ValueError):
        return False


def _unordered(answer, right):
    """The right numbers, at the places of other tokens?"""
    try:
        same = is_same(np.sort(np.asarray(answer, float)), np.sort(np.asarray(right, float)))
    except (TypeError, ValueError):
        return None
    return STABLE if same else None


def _has_nan(answer):
    try:
        return bool(np.isnan(np.asarray(answer, float)).any())
    except (TypeError, ValueError):
        return False


def _normal(weights):
    with np.errstate(all="ignore"):
        return weights / weights.sum()


# Exercise 1: temperature


@exercise("temperature")
def temperature(function):
    """function(law, t) -> the law in proportion to p^(1/t)."""
    cases = [(x, t) for t in (HALF, Fraction(1, 3), Fraction(2), Fraction(1)) for x in _LAWS]
    cases += [(np.array(x), t) for x in ([0.4, 0.3, 0.3], [0.25, 0.5, 0.25]) for t in (0.001, 50.0)]
    return _law_to_law(function, transforms.temperature, cases, _wrong_temperatures, "t")


def _wrong_temperatures(x, t):
    return {
        "Divide by the sum, so that it is a law again": x ** (1 / t),
        "The power is 1/t: a low temperature sharpens": _normal(x**t),
        "A factor common to all goes out with the sum: take a power of each": x,
        "Probabilities times t are no law": x * t,
        "Probabilities over t are no law": x / t,
        "Temperature divides logits, and logits are logarithms: softmax of log p / t": _normal(
            np.exp(x / t)
        ),
        "Temperature divides the logits: it does not multiply them": _normal(np.exp(x * t)),
    }


# Exercise 2: top-p

_MARKS = [  # halves and eighths: a mark that is reached exactly is exact in floats as well
    *product([law(4, 2, 1, 1), law(1, 1, 4, 2)], [HALF, Fraction(3, 4), Fraction(5, 8)]),
    *product([law(1, 1), law(1, 1, 1, 1), law(3, 1, 1, 3)], [HALF, Fraction(5, 8)]),
    *product([law(0, 1, 0), law(0, 0, 3, 1), law(1)], [HALF, Fraction(3, 4), Fraction(1)]),
    *product([*BASE, *SECOND], [Fraction(3, 11), Fraction(9, 11), Fraction(1)]),
    *product([law(*[1] * 8), law(2, 2, *[1] * 12)], [Fraction(1, 4), Fraction(1, 10)]),
]
# Long enough for a sort that does not keep the order of equals; the last ones are wanted late,
# for their texts are long.
_LONG = [
    (x, mass)
    for mass in (Fraction(1, 4), Fraction(5, 8), Fraction(3, 64))
    for x in (law(*[2, 1, 1] * 16), law(*[1] * 64))
]


@exercise("top-p")
def top_p(function):
    """function(law, mass) -> the fewest likeliest tokens that reach the mass, renormalised."""
    cases = _MARKS + [(x, Fraction(7, 11)) for x in _LAWS] + _LONG
    cases += [(x.astype(float), float(mass)) for x, mass in _LONG]
    return _law_to_law(function, transforms.top_p, cases, _wrong_top_ps, "mass")


def _wrong_top_ps(x, mass):
    order, rising = np.argsort(-x, kind="stable"), np.argsort(x, kind="stable")
    count = _needed(x, order, mass)
    last = x[order[count - 1]]
    in_order = np.where(np.cumsum(x[order]) - x[order] < mass, x[order], 0)
    kept = {
        "The token that crosses the mark is kept as well": order[np.cumsum(x[order]) <= mass],
        "The mark is reached exactly: no further token is needed": order[: count + 1],
        "Of equals keep only as many as are needed: a threshold keeps them all": x >= last,
        "Of equals keep the first: [::-1] turns them round": rising[::-1][:count],
        "Start from the likeliest token; you start from the least likely": rising[
            : _needed(x, rising, mass)
        ],
        "Take the likeliest first, not the order of the vocabulary": np.cumsum(x) - x < mass,
        "That keeps tokens of at least that probability: add the masses up": x >= mass,
        "That is min-p": x >= mass * x.max(),
    }
    return {
        "Divide by what is left, so that it is a law again": _only(x, order[:count]),
        "Give each token its own mass back: yours is in sorted order": _normal(in_order),
    } | {said: _normal(_only(x, tokens)) for said, tokens in kept.items()}


def _needed(x, order, mass):
    """How many tokens, in this order, reach the mass."""
    return int((np.cumsum(x[order]) - x[order] < mass).sum())


def _only(x, tokens):
    kept = np.zeros(len(x))
    kept[tokens] = x[tokens]
    return kept


# Exercise 4: min-p on either side of a temperature


@exercise("the floor after the temperature")
def floor_after(function):
    """function(floor, t) -> the floor of min-p that does after t what ``floor`` does before."""
    floors = [Fraction(n, 16) for n in (1, 4, 9, 0, 16)]
    cases = list(product(floors, (HALF, Fraction(2), Fraction(1), Fraction(4))))
    return compare(
        function,
        lambda floor, t: float(floor) ** float(1 / t),
        cases,
        same=lambda answer, right: abs(_number(answer) - right) <= 1e-9,
        hint=_floor_hint,
        names=("floor", "t"),
    )


def _number(answer):
    if answer is None:
        raise Wrong(NOTHING)
    if np.shape(answer) != () or isinstance(answer, (str, complex, np.complexfloating)):
        raise Wrong(f"a number is wanted; yours is {answer!r}")
    return float(answer)


def _floor_hint(answer, floor, t):
    floor, t = float(floor), float(t)
    if abs(answer - floor ** (1 / t)) < 1e-6:
        return SINGLE
    known = {
        "That is the floor before for a floor after: solve for the other": floor**t,
        "All ratios change with the temperature, so the floor must, too": floor,
        "Ratios go to a power, not times a factor": floor * t,
        "Ratios go to a power; they are not divided": floor / t,
    }
    return next((said for said, wrong in known.items() if abs(float(answer) - wrong) < 1e-9), None)
