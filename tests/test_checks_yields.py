"""Each check of notebook 05 takes several right answers and refuses each wrong one by name."""

import math
from fractions import Fraction

import numpy as np
import pytest
import sympy
from scipy.optimize import brentq

from specnotes import checks, yields
from specnotes.checks import yield_mistakes

ALPHA, C, K = sympy.symbols("alpha c k")


def horner(rate, length):
    total = 1
    for _ in range(length):
        total = 1 + rate * total
    return total


def recursion(rate, length):
    return 1 if length == 0 else 1 + rate * recursion(rate, length - 1)


def closed(rate, length):
    return length + 1 if rate == 1 else (1 - rate ** (length + 1)) / (1 - rate)


def closed_for_floats(rate, length):
    if math.isclose(rate, 1):
        return length + 1
    return float(-np.expm1((length + 1) * np.log(rate)) / (1 - rate)) if rate > 0 else 1.0


def mean_of_the_law(rate, length):
    law = [rate ** (k - 1) * (1 - rate) for k in range(1, length + 1)] + [rate**length]
    return sum(k * chance for k, chance in enumerate(law, start=1))


def two_parts(rate, length):
    """All kept, or the first rejection at place k."""
    ends = (k * rate ** (k - 1) * (1 - rate) for k in range(1, length + 1))
    return (length + 1) * rate**length + sum(ends)


RIGHT_TOKENS = {
    "package": yields.tokens_per_round,
    "sum": lambda rate, length: sum(rate**k for k in range(length + 1)),
    "horner": horner,
    "recursion": recursion,
    "closed form with its case": closed,
    "closed form, floats only": closed_for_floats,
    "mean of the law": mean_of_the_law,
    "mean in two parts": two_parts,
    "numpy sum": lambda rate, length: np.sum(float(rate) ** np.arange(length + 1)),
    "polyval": lambda rate, length: np.polyval(np.ones(length + 1), float(rate)),
    "sympy": lambda rate, length: sympy.summation(ALPHA**K, (K, 0, length)).subs(ALPHA, rate),
    "sympy limit": lambda rate, length: sympy.limit(
        (1 - ALPHA ** (length + 1)) / (1 - ALPHA), ALPHA, sympy.nsimplify(rate)
    ),
}

WRONG_TOKENS = {
    "closed form without its case": (lambda a, n: (1 - a ** (n + 1)) / (1 - a), "0/0"),
    "closed form that gives nan": (
        lambda a, n: math.nan if a == 1 else (1 - a ** (n + 1)) / (1 - a),
        "0/0",
    ),
    "closed form that gives 1 at α = 1": (
        lambda a, n: 1 if a == 1 else (1 - a ** (n + 1)) / (1 - a),
        "every draft is kept",
    ),
    "one power too few": (lambda a, n: sum(a**k for k in range(n)), "bonus token"),
    "one power too many": (lambda a, n: sum(a**k for k in range(n + 2)), "one power too many"),
    "accepted drafts only": (lambda a, n: sum(a**k for k in range(1, n + 1)), "one token of its"),
    "1 + γα": (lambda a, n: 1 + n * a, "behind the first rejection"),
    "γα": (lambda a, n: n * a, "behind the first rejection"),
    "α/(1−α)": (lambda a, n: a / (1 - a), "α/(1−α)"),
    "1/(1−α)": (lambda a, n: 1 / (1 - a), "without a limit"),
    "last probability times (1−α)": (
        lambda a, n: sum(k * a ** (k - 1) * (1 - a) for k in range(1, n + 2)),
        "do not sum to 1",
    ),
    "rounds kept whole left out": (
        lambda a, n: sum(k * a ** (k - 1) * (1 - a) for k in range(1, n + 1)),
        "leaves out",
    ),
    "nothing returned": (lambda a, n: None, "yours is None"),
    "crash": (lambda a, n: [][n], "IndexError"),
}

RIGHT_LEDGERS = {
    "package": yields.speedup,
    "by hand": lambda a, n, c: sum(a**k for k in range(n + 1)) / (1 + n * c),
    "inverse of time per token": lambda a, n, c: 1 / ((1 + n * c) / horner(a, n)),
    "floats": lambda a, n, c: float(horner(a, n)) / float(n * c + 1),
    "sympy": lambda a, n, c: sympy.Rational(horner(a, n)) / (1 + n * sympy.Rational(c)),
}

WRONG_LEDGERS = {
    "no target pass": (lambda a, n, c: horner(a, n) / (n * c), "add 1 for the target pass"),
    "one draft step": (lambda a, n, c: horner(a, n) / (1 + c), "a round takes γ"),
    "γ+1 draft steps": (lambda a, n, c: horner(a, n) / ((n + 1) * c + 1), "γ+1 draft steps"),
    "a pass for each position": (
        lambda a, n, c: horner(a, n) / (n + 1),
        "one pass scores them all",
    ),
    "no bill": (lambda a, n, c: horner(a, n), "divide by the round's time"),
    "time per token": (lambda a, n, c: (n * c + 1) / horner(a, n), "inverse"),
    "no bonus": (lambda a, n, c: horner(a, n - 1) / (n * c + 1), "bonus token is missing"),
    "accepted only": (lambda a, n, c: (horner(a, n) - 1) / (n * c + 1), "accepted drafts only"),
    "1 + γα": (lambda a, n, c: (1 + n * a) / (n * c + 1), "tokens are 1 + γα"),
    "closed form": (
        lambda a, n, c: (1 - a ** (n + 1)) / (1 - a) / (n * c + 1),
        "closed form is 0/0 at α = 1",
    ),
}


def scan(rate, cost):
    speeds = [1] + [yields.speedup(rate, n, cost) for n in range(1, 65)]
    return max(range(65), key=speeds.__getitem__)


def climb(rate, cost):
    """Draft one more as long as its yield per unit of time beats the average so far."""
    length, tokens = 0, 1
    while length < 64 and rate ** (length + 1) * (1 + length * cost) > cost * tokens:
        length, tokens = length + 1, 1 + rate * tokens
    return length


def by_numpy(rate, cost):
    lengths = np.arange(65)
    speeds = np.cumsum(float(rate) ** lengths) / (1 + lengths * float(cost))
    return np.argmax(np.round(speeds, 12))


RIGHT_CHOICES = {
    "package": yields.best_draft_length,
    "scan": scan,
    "climb": climb,
    "numpy": by_numpy,
    "floats": lambda rate, cost: float(scan(rate, cost)),
}

WRONG_CHOICES = {
    "0 is no candidate": (lambda a, c: scan(a, c) or 1, "No γ beats plain decoding here"),
    "index from 0": (lambda a, c: scan(a, c) - 1, "index that starts at 0"),
    "one beyond": (lambda a, c: scan(a, c) + 1, "yours is 7, it should be 6"),
    "the speed-up": (
        lambda a, c: max(yields.speedup(a, n, c) for n in range(1, 65)),
        "the speed-up itself",
    ),
    "the longest that gains": (
        lambda a, c: max((n for n in range(1, 65) if yields.speedup(a, n, c) > 1), default=0),
        "longest γ that still gains",
    ),
    "the longest": (lambda a, c: 64, "so does the bill"),
    "a short search": (lambda a, c: min(scan(a, c), 10), "speed-up 7.187 against"),
    "a short search by numpy": (
        lambda a, c: np.int64(min(scan(a, c), 20)),
        "speed-up 9.421 against",
    ),
    "nothing returned": (lambda a, c: None, "yours is None"),
    "a range that ends at 63": (lambda a, c: min(scan(a, c), 63), "yours is 63, it should be 64"),
    "a constant": (lambda a, c: 5, "yours is 5, it should be 6"),
}


def cases(table):
    return [pytest.param(*(v if isinstance(v, tuple) else (v,)), id=k) for k, v in table.items()]


@pytest.mark.parametrize("function", cases(RIGHT_TOKENS))
def test_tokens_per_round_takes_any_right_form(function):
    checks.tokens_per_round(function).require()


@pytest.mark.parametrize(("function", "words"), cases(WRONG_TOKENS))
def test_tokens_per_round_names_the_mistake(function, words):
    assert_refused(checks.tokens_per_round(function), words)


@pytest.mark.parametrize("function", cases(RIGHT_LEDGERS))
def test_speedup_takes_any_right_form(function):
    checks.speedup(function).require()


@pytest.mark.parametrize(("function", "words"), cases(WRONG_LEDGERS))
def test_speedup_names_the_mistake(function, words):
    assert_refused(checks.speedup(function), words)


@pytest.mark.parametrize("function", cases(RIGHT_CHOICES))
def test_best_draft_length_takes_any_right_search(function):
    checks.best_draft_length(function).require()


@pytest.mark.parametrize(("function", "words"), cases(WRONG_CHOICES))
def test_best_draft_length_names_the_mistake(function, words):
    assert_refused(checks.best_draft_length(function), words)


EXACT_COST = (96 / 3.31 - 20) / 100
SOLVED = brentq(lambda rate: yields.speedup(rate, 5, EXACT_COST) - 3.46, 0, 1)


@pytest.mark.parametrize(
    ("cost", "rate"),
    [
        (0.09, 0.928),
        (EXACT_COST, SOLVED),
        (Fraction(9, 100), sympy.Float("0.9275")),
        (0.0897, 0.9272),
    ],
)
def test_ledger_puzzle_takes_every_pair_that_prints_as_reported(cost, rate):
    checks.ledger_puzzle(cost, rate).require()


@pytest.mark.parametrize(
    ("cost", "rate", "words"),
    [
        (96 / 3.31 / 100, 0.9, "left the 20 target passes out"),
        (96 / 20 / 3.31 - 1, 0.9, "whole round's drafts"),
        ((96 / 3.31 - 20) / 96, 0.9, "100 draft steps"),
        (0.1, 0.928, "not 3.31×"),
        (0.09, 0.76, "accepted/drafted"),
        (0.09, 0.9247, "one-token overlap"),
        (0.09, 0.9247, "gives 3.43×"),
        (0.09, 0.7723, "divide those by 5c + 1"),
        (0.09, 0.9697, "right for γ = 4"),
        (0.09, 0.909, "what the trace measured"),
        (0.09, 92.8, "a probability"),
        (0.09, "a", "should be a number"),
        (math.nan, 0.928, "not 3.31×"),
    ],
)
def test_ledger_puzzle_names_the_mistake(cost, rate, words):
    assert_refused(checks.ledger_puzzle(cost, rate), words)


@pytest.mark.parametrize(
    "answers",
    [("B", 1 / 0.35, 2.25 / 0.65), ("b", 2.857, 3.46), (" B ", Fraction(20, 7), Fraction(45, 13))],
)
def test_printed_numbers_takes_two_decimals_or_more(answers):
    checks.printed_numbers(*answers).require()


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        (("A", 2.857, 3.46), "14.1/7.00"),
        (("C", 2.857, 3.46), "14.1/5.73"),
        (("D", 2.857, 3.46), "1.8/14.1"),
        (("1.92", 2.857, 3.46), "not one of"),
        (("B", 0.65 / 0.35, 3.46), "α/(1−α)"),
        (("B", 2.857, 5), "take it off"),
        (("B", 2.857, 2.25), "accepted drafts per round"),
        (("B", 2.857, 3.25), "not 3.25"),
    ],
)
def test_printed_numbers_names_the_mistake(answers, words):
    assert_refused(checks.printed_numbers(*answers), words)


real = sympy.symbols("alpha c", positive=True)
KEPT = ALPHA / (1 - ALPHA)
RIGHT_ORACLES = {
    "reference": (KEPT, 1 / (1 - ALPHA + C * ALPHA)),
    "factored": (-ALPHA / (ALPHA - 1), 1 / (1 - ALPHA * (1 - C))),
    "a ratio of means": (1 / (1 - ALPHA) - 1, (1 + KEPT) / (1 + C * KEPT)),
    "another assumption": (real[0] / (1 - real[0]), 1 / (1 - real[0] + real[0] * real[1])),
    "a series": (
        sympy.summation(K * ALPHA**K * (1 - ALPHA), (K, 0, sympy.oo)),
        sympy.Sum(ALPHA**K * (1 - C) ** K, (K, 0, sympy.oo)),
    ),
    "tails": (sympy.Sum(ALPHA**K, (K, 1, sympy.oo)), 1 / (1 - ALPHA + C * ALPHA)),
    "other letters": (
        1 / (1 - sympy.Symbol("α")) - 1,
        1 / (1 - sympy.Symbol("a") + C * sympy.Symbol("a")),
    ),
}


@pytest.mark.parametrize(("mean_kept", "speed"), cases(RIGHT_ORACLES))
def test_oracle_takes_any_form(mean_kept, speed):
    checks.oracle(mean_kept, speed).require()


_k = sympy.Symbol("k", integer=True, nonnegative=True)
MEAN_OF_RATIOS = sympy.Sum((1 + _k) / (1 + C * _k) * ALPHA**_k * (1 - ALPHA), (_k, 0, sympy.oo))


@pytest.mark.parametrize(
    ("mean_kept", "speed", "words"),
    [
        (1 / (1 - ALPHA), ALPHA, "kept drafts only"),
        (ALPHA, ALPHA, "K has no limit"),
        (KEPT / (1 - ALPHA), ALPHA, "does not sum to 1"),
        (KEPT, 1 / (1 - ALPHA), "drafts are not free"),
        (KEPT, 1 / (C * ALPHA), "lacks the target pass"),
        (KEPT, 1 / (1 - ALPHA + C), "drafts the token that will be rejected"),
        (KEPT, 1 - ALPHA + C * ALPHA, "inverse"),
        (KEPT, ALPHA / (1 - ALPHA + C * ALPHA), "the target adds one"),
        (KEPT, 1 / (1 - C), "it should be"),
        (KEPT, 1 / (1 - ALPHA + C * sympy.Symbol("gamma")), "contains gamma"),
        (KEPT, "1/(1-alpha)", "SymPy expression"),
        (2.5, ALPHA, "your mean_kept is 2.5"),
        (KEPT, MEAN_OF_RATIOS, "mean of the ratios"),
    ],
)
def test_oracle_names_the_mistake(mean_kept, speed, words):
    assert_refused(checks.oracle(mean_kept, speed), words)


@pytest.mark.parametrize(
    "result",
    [
        lambda: checks.tokens_per_round(lambda rate, length: ...),
        lambda: checks.speedup(lambda rate, length, cost: ...),
        lambda: checks.best_draft_length(lambda rate, cost: ...),
        lambda: checks.ledger_puzzle(..., ...),
        lambda: checks.ledger_puzzle(0.09, ...),
        lambda: checks.printed_numbers("B", ..., ...),
        lambda: checks.oracle(..., ...),
    ],
)
def test_an_open_stub_is_not_attempted(result):
    assert not result().attempted


def test_an_endless_loop_is_stopped(monkeypatch):
    def endless(rate, length):
        while length:
            rate = rate + 1

    monkeypatch.setattr("specnotes.checks.yields.SECONDS", 0.2)
    assert_refused(checks.tokens_per_round(endless), "endless loop")


def test_mistakes_of_tokens_per_round_differ_where_they_are_told_apart():
    values = [float(wrong(Fraction(7, 10), 3)) for wrong in yield_mistakes.TOKENS.values()]
    assert len(set(values)) == len(values)


def assert_refused(result, words):
    assert result.attempted and not result.ok
    assert words in result.message
