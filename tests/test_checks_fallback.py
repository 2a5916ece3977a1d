"""Checks of notebook 02: right answers of many forms pass, each known mistake is named."""

from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
import sympy
from scipy.optimize import brentq, root_scalar
from scipy.stats import chi2, ncx2

from specnotes.checks import fallback
from specnotes.laws import draw, residual
from specnotes.verify import emitted_law, verify_token

p, q, alpha = sympy.symbols("p q alpha", nonnegative=True)
plain_p, plain_q, plain_alpha = sympy.symbols("p q alpha")
Min, Max, Piecewise = sympy.Min, sympy.Max, sympy.Piecewise


def parametrize(names, table):
    return pytest.mark.parametrize(names, table.values(), ids=table.keys())


def refuses(result, words):
    assert result.attempted and not result.ok
    assert words in result.message


# Exercise 1


@parametrize(
    "answer",
    {
        "as in the text": Min(p, q) - alpha * p,
        "law minus p": Min(p, q) + (1 - alpha) * p - p,
        "paid p, owed r": (1 - alpha) * p - Max(p - q, 0),
        "paid p, owed r, divided": (1 - alpha) * (p - Max(p - q, 0) / (1 - alpha)),
        "factored": p * (Min(1, q / p) - alpha),
        "piecewise": Piecewise((q - alpha * p, q < p), ((1 - alpha) * p, True)),
        "absolute value": (p + q - sympy.Abs(p - q)) / 2 - alpha * p,
        "symbols without assumptions": Min(plain_p, plain_q) - plain_alpha * plain_p,
        "a float in it": 1.0 * Min(p, q) - alpha * p,
    },
)
def test_bias_in_any_form_passes(answer):
    assert fallback.wrong_fallback_bias(answer).ok


@parametrize(
    "answer, words",
    {
        "sign": (alpha * p - Min(p, q), "turn it round"),
        "whole law": (Min(p, q) + (1 - alpha) * p, "take p off"),
        "kept only": (Min(p, q) - p, "the fallback adds to it"),
        "q above p": (p - alpha * p, "only where q is p or more"),
        "q below p": (q - alpha * p, "only where q is p or less"),
        "alpha for 1 - alpha": (Min(p, q) + alpha * p - p, "1 − α, not α"),
        "not normalised": ((1 - alpha) * (p - Max(p - q, 0)), "dividing by 1 − α"),
        "zero": (0, "the right fallback"),
        "max for min": (Max(p, q) - alpha * p, "it should be"),
        "half": ((Min(p, q) - alpha * p) / 2, "At p = 1/20, q = 1/20"),
        "another symbol": (Min(p, q) - sympy.Symbol("a") * p, "p, q and alpha only"),
        "text that is no formula": ("min of the two", "no SymPy expression"),
        "a function": (lambda p, q: p, "no SymPy expression"),
    },
)
def test_a_wrong_bias_is_refused(answer, words):
    refuses(fallback.wrong_fallback_bias(answer), words)


# Exercise 2

QUARTER = Fraction(1, 4)


@parametrize(
    "target, draft",
    {
        "halves": ([QUARTER] * 4, [Fraction(1, 2), Fraction(1, 2), 0, 0]),
        "floats": ([0.25] * 4, [0.5, 0.5, 0, 0]),
        "arrays": (np.array([0.1, 0.4, 0.2, 0.3]), np.array([0.3, 0.7, 0, 0])),
        "one token kept": ([0.5, 0.2, 0.2, 0.1], [1, 0, 0, 0]),
        "one token owed": ([Fraction(1, 2), *[Fraction(1, 6)] * 3], [0, *[Fraction(1, 3)] * 3]),
    },
)
def test_every_pair_with_distance_a_quarter_passes(target, draft):
    assert fallback.worst_pair(target, draft).ok


@parametrize(
    "target, draft, words",
    {
        "two tokens": ([0.5, 0.5], [1, 0], "four tokens"),
        "two of four wanted": ([0.5, 0.5, 0, 0], [1, 0, 0, 0], "want all four"),
        "equal": ([0.25] * 4, [0.25] * 4, "overlap is 1"),
        "overlap too small": ([0.25] * 4, [1, 0, 0, 0], "at most 0.1875"),
        "kept and owed": ([0.6, 0.2, 0.1, 0.1], [0.1, 0.2, 0.1, 0.6], "token 0"),
        "no law": ([0.25] * 4, [0.5, 0.6, 0, 0], "draft sums to 1.1"),
        "not a law at all": ("a", "b", "number"),
    },
)
def test_a_pair_below_the_bound_is_refused(target, draft, words):
    refuses(fallback.worst_pair(target, draft), words)


def test_a_pair_half_filled_in_is_open():
    assert not fallback.worst_pair([0.25] * 4, ...).attempted


# Exercise 3


def gap(target, bad):
    return emitted_law(target, bad, fallback=target) - target


def needed(tokens, df=None, level=0.001, power=0.97):
    limit = chi2.isf(level, df or tokens - 1)
    return brentq(lambda x: ncx2.sf(limit, df or tokens - 1, x) - power, 1, 500)


def by_formula(target, bad, draws):
    signal = (gap(target, bad) ** 2 / target).sum()
    return min(1.0, sqrt(needed(len(target)) / (draws * signal)))


def by_search(target, bad, draws):
    """Solve for e itself, with the draft mixed and its law computed anew."""
    df = len(target) - 1
    limit = chi2.ppf(0.999, df)

    def power(e):
        error = gap(target, (1 - e) * target + e * bad)
        return ncx2.sf(limit, df, draws * (error**2 / target).sum()) - 0.97

    return 1 if power(1) < 0 else root_scalar(power, bracket=(1e-6, 1)).root


def by_hand(target, bad, draws):
    kept = [min(a, b) for a, b in zip(target, bad)]
    rate = sum(kept)
    signal = sum((k - rate * t) ** 2 / t for k, t in zip(kept, target))
    return np.minimum(np.sqrt(needed(len(target)) / draws / signal), 1)


@pytest.mark.parametrize("answer", [by_formula, by_search, by_hand])
def test_right_hiding_shares_pass(answer):
    assert fallback.hiding_share(answer).ok


def wrong_share(change):
    def answer(target, bad, draws):
        signal = (gap(target, bad) ** 2 / target).sum()
        return min(1, change(target, bad, draws, signal))

    return answer


@parametrize(
    "answer, words",
    {
        "no root": (
            wrong_share(lambda t, b, n, s: needed(len(t)) / (n * s)),
            "square of e",
        ),
        "V degrees of freedom": (
            wrong_share(lambda t, b, n, s: sqrt(needed(len(t) + 1) / (n * s))),
            "V − 1 degrees",
        ),
        "the base toy's two degrees for all": (
            wrong_share(lambda t, b, n, s: sqrt(needed(3) / (n * s))),
            "it should be",
        ),
        "power forgotten": (
            wrong_share(lambda t, b, n, s: sqrt(chi2.isf(0.001, len(t) - 1) / (n * s))),
            "one half",
        ),
        "not divided by the target": (
            wrong_share(lambda t, b, n, s: sqrt(needed(len(t)) / (n * (gap(t, b) ** 2).sum()))),
            "by the target",
        ),
        "bias of the draft": (
            wrong_share(lambda t, b, n, s: sqrt(needed(len(t)) / (n * ((b - t) ** 2 / t).sum()))),
            "not of the draft",
        ),
        "not cut at 1": (
            lambda t, b, n: sqrt(needed(len(t)) / (n * (gap(t, b) ** 2 / t).sum())),
            "e ends at 1",
        ),
        "text": (lambda t, b, n: "small", "it should be"),
        "a crash": (lambda t, b, n: 1 / 0, "ZeroDivisionError"),
    },
)
def test_a_wrong_hiding_share_is_refused(answer, words):
    refuses(fallback.hiding_share(answer), words)


# Exercise 4


def compared_sample(target, draft, token, rng):
    wanted = draw(target, rng)
    return wanted, wanted == token


def numpy_choice(target, draft, token, rng):
    wanted = rng.choice(len(target), p=target.astype(float))
    if wanted == token:
        return token, True
    return wanted, False


def others_only(target, draft, token, rng):
    """One coin for "equal", then a target sample known to differ."""
    if rng.random() < target[token]:
        return token, True
    others = [0 if i == token else x for i, x in enumerate(target)]
    return draw(np.array([x / sum(others) for x in others]), rng), False


@pytest.mark.parametrize("answer", [compared_sample, numpy_choice, others_only])
def test_right_ways_to_accept_if_equal_pass(answer):
    assert fallback.accept_iff_equal(answer).ok


def fresh_sample(target, draft, token, rng):
    return (token, True) if draw(target, rng) == token else (draw(target, rng), False)


def then_residual(target, draft, token, rng):
    if draw(target, rng) == token:
        return token, True
    return draw(residual(target, draft), rng), False


def always_accepted(target, draft, token, rng):
    return draw(target, rng), True


def own_generator(target, draft, token, rng):
    wanted = int(np.random.default_rng(0).choice(len(target), p=target.astype(float)))
    return wanted, wanted == token


def until_equal(target, draft, token, rng):
    while draw(target, rng) != token:
        pass
    return token, True


@parametrize(
    "answer, words",
    {
        "a fresh sample": (fresh_sample, "not a fresh one"),
        "the residual": (then_residual, "No residual here"),
        "the draft": (lambda t, d, token, rng: (token, True), "the draft's law"),
        "accept or residual": (verify_token, "the rule of notebook 01"),
        "all called accepted": (always_accepted, "calls the draft accepted"),
        "a generator of its own": (own_generator, "what comes out has the law"),
        "waits for the draft": (until_equal, "the draft's law"),
        "only a token": (lambda t, d, token, rng: token, "return (token, accepted)"),
        "no token": (lambda t, d, token, rng: (7, False), "none of the tokens"),
        "accepted is text": (lambda t, d, token, rng: (token, "yes"), "True or False"),
        "a crash": (lambda t, d, token, rng: t[9], "IndexError"),
    },
)
def test_a_wrong_accept_if_equal_is_refused(answer, words):
    refuses(fallback.accept_iff_equal(answer), words)


# Exercise 5


def one_hot_residual(target, token, rng):
    draft = np.array([Fraction(i == token) for i in range(len(target))])
    return verify_token(target, draft, token, rng)


def by_the_target(target, token, rng):
    wanted = draw(target, rng)
    return wanted, wanted == token


def rest_of_the_target(target, token, rng):
    if rng.random() < target[token]:
        return token, True
    rest = target.copy()
    rest[token] = 0
    return draw(rest / rest.sum(), rng), False


def until_another(target, token, rng):
    """The rest by rejection: a loop without bound."""
    if rng.random() < target[token]:
        return token, True
    wanted = token
    while wanted == token:
        wanted = draw(target, rng)
    return wanted, False


def with_numpy(target, token, rng):
    if rng.random() <= float(target[token]):
        return token, 1
    rest = np.where(np.arange(len(target)) == token, 0.0, target.astype(float))
    return rng.choice(len(target), p=rest / rest.sum()), 0


@pytest.mark.parametrize(
    "answer", [one_hot_residual, by_the_target, rest_of_the_target, until_another, with_numpy]
)
def test_right_verifiers_of_a_certain_draft_pass(answer):
    assert fallback.certain_draft(answer).ok


def from_the_target(target, token, rng):
    return (token, True) if rng.random() < target[token] else (draw(target, rng), False)


def uniform_rest(target, token, rng):
    if rng.random() < target[token]:
        return token, True
    others = [i for i in range(len(target)) if i != token]
    return others[rng.integers(len(others))], False


def timid(target, token, rng):
    """Right law, but only ever called accepted by half."""
    wanted = draw(target, rng)
    return wanted, bool(wanted == token and rng.random() < 0.5)


@parametrize(
    "answer, words",
    {
        "the whole target": (from_the_target, "comes back after its rejection"),
        "uniform": (uniform_rest, "the target's proportions"),
        "always": (lambda target, token, rng: (token, True), "always comes out"),
        "right but timid": (timid, "the law is right"),
        "overwrites its input": (
            lambda target, token, rng: (target.__setitem__(0, 0), True),
            "read-only",
        ),
    },
)
def test_a_wrong_verifier_of_a_certain_draft_is_refused(answer, words):
    refuses(fallback.certain_draft(answer), words)


# All of them


@pytest.mark.parametrize(
    "check, stub",
    [
        (fallback.wrong_fallback_bias, (...,)),
        (fallback.worst_pair, (..., ...)),
        (fallback.hiding_share, (lambda target, bad, draws: ...,)),
        (fallback.accept_iff_equal, (lambda target, draft, token, rng: ...,)),
        (fallback.certain_draft, (lambda target, token, rng: ...,)),
    ],
)
def test_a_stub_is_not_attempted(check, stub, capsys):
    result = check(*stub)
    assert not result.attempted and not result.ok
    assert capsys.readouterr().out.startswith("○ ")
