"""Tokens per round and speed-ups: by several roads, and against published figures."""

import math
from fractions import Fraction as F

import numpy as np
import pytest
import sympy

from specnotes.audit.cases import BASE, SECOND, law
from specnotes.coins import law_of
from specnotes.exact import round_law
from specnotes.laws import overlap
from specnotes.lockstep import simulate
from specnotes.models import MarkovModel, toy_pair
from specnotes.yields import (
    affordable_cost,
    best_draft_length,
    markov_tokens_per_round,
    operations,
    oracle_speedup,
    speedup,
    stationary_law,
    tokens_law,
    tokens_per_round,
)

RATES = [F(0), F(1, 10), F(1, 2), F(7, 10), F(9, 10), F(1)]
LENGTHS = [1, 2, 3, 5, 8]


# Tokens per round, several roads to one number.


def accept_until_rejected(rng, rate, length):
    tokens = 1
    while tokens <= length and rng.random() < rate:
        tokens += 1
    return tokens


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("rate", RATES)
def test_the_law_of_tokens_is_that_of_the_program(rate, length):
    listed = law_of(lambda rng: accept_until_rejected(rng, rate, length))
    expected = {n + 1: mass for n, mass in enumerate(tokens_law(rate, length)) if mass}
    assert listed == expected


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("rate", RATES)
def test_tokens_per_round_is_the_mean_of_the_law(rate, length):
    law = tokens_law(rate, length)
    assert tokens_per_round(rate, length) == sum((n + 1) * mass for n, mass in enumerate(law))


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("rate", RATES[:-1])
def test_tokens_per_round_is_the_closed_form(rate, length):
    assert tokens_per_round(rate, length) == (1 - rate ** (length + 1)) / (1 - rate)


def test_at_acceptance_one_every_round_is_full():
    assert tokens_per_round(1, 4) == 5 and np.array_equal(tokens_law(1, 4), [0, 0, 0, 0, 1])


def test_the_figure_of_the_course():
    assert float(tokens_per_round(F(7, 10), 4)) == 2.7731


def test_a_simulation_agrees():
    """10⁵ rounds, seed fixed: within 5 standard errors, false alarm below 1e-6."""
    accepted = np.random.default_rng(7).random((100_000, 4)) < 0.7
    tokens = 1 + np.cumprod(accepted, axis=1).sum(axis=1)
    error = tokens.std() / math.sqrt(len(tokens))
    assert abs(tokens.mean() - tokens_per_round(0.7, 4)) < 5 * error


@pytest.mark.parametrize("pair", [BASE, SECOND])
@pytest.mark.parametrize("length", [1, 2, 3])
def test_a_pair_without_context_yields_what_its_overlap_says(pair, length):
    target, draft = (MarkovModel([one] * 3, one) for one in pair)
    mean = sum(
        mass * len(one.emitted) for one, mass in round_law(target, draft, (), length).items()
    )
    assert mean == tokens_per_round(overlap(*pair), length)


# Published figures.


@pytest.mark.parametrize(
    "rate, length, printed_operations, printed_speed",
    [
        (0.6, 2, "1.53", "1.96"),
        (0.7, 3, "1.58", "2.53"),
        (0.8, 2, "1.23", "2.44"),
        (0.8, 5, "1.63", "3.69"),
        (0.9, 2, "1.11", "2.71"),
        (0.9, 10, "1.60", "6.86"),
    ],
)
def test_table_1_of_leviathan_to_the_printed_digits(
    rate, length, printed_operations, printed_speed
):
    assert f"{operations(rate, length, 0):.2f}" == printed_operations
    assert f"{speedup(rate, length, 0):.2f}" == printed_speed


@pytest.mark.parametrize("rate, gain", [(0.8, 1.446), (0.9, 1.534)])
def test_an_oracle_length_beats_the_best_fixed_one_by(rate, gain):
    fixed = speedup(rate, best_draft_length(rate, 0.1), 0.1)
    assert round(oracle_speedup(rate, 0.1) / fixed, 3) == gain


@pytest.mark.parametrize(
    "rate, printed",
    [(0.9247, "3.43"), (0.9272, "3.45"), (0.9274, "3.46"), (0.9284, "3.46"), (0.9286, "3.47")],
)
def test_the_estimate_of_the_ledger_puzzle(rate, printed):
    assert f"{speedup(rate, 5, 0.09):.2f}" == printed


# Speed-ups.


def test_speedup_is_tokens_over_time():
    assert speedup(F(7, 10), 2, F(1, 10)) == F(219, 100) / F(12, 10)


def test_operations_is_arithmetic_over_tokens():
    assert operations(F(7, 10), 2, F(1, 10)) == F(32, 10) / F(219, 100)


def test_without_acceptance_speculation_only_costs():
    assert speedup(0, 3, F(1, 4)) == F(4, 7)


@pytest.mark.parametrize("rate", [F(1, 20), F(3, 10), F(9, 10)])
@pytest.mark.parametrize("cost", [F(0), F(1, 10), F(3, 10), F(1, 2), F(1)])
def test_speculation_pays_if_and_only_if_acceptance_exceeds_the_cost(rate, cost):
    assert (best_draft_length(rate, cost) > 0) == (rate > cost)


@pytest.mark.parametrize("rate", [F(1, 20), F(3, 10), F(9, 10)])
@pytest.mark.parametrize("cost", [F(1, 100), F(1, 10)])
def test_where_it_pays_one_drafted_token_gains_this_much(rate, cost):
    best = best_draft_length(rate, cost)
    if best:
        assert speedup(rate, best, cost) >= (1 + rate) / (1 + cost)


@pytest.mark.parametrize("rate", [F(1, 2), F(7, 10), F(19, 20)])
@pytest.mark.parametrize("cost", [F(1, 50), F(1, 10), F(2, 5), F(4, 5)])
def test_the_best_length_has_the_largest_speedup(rate, cost):
    gains = [F(1)] + [speedup(rate, length, cost) for length in range(1, 65)]
    assert best_draft_length(rate, cost) == gains.index(max(gains))


def test_a_free_and_certain_draft_is_as_long_as_allowed():
    assert best_draft_length(1, 0, longest=7) == 7


def test_a_free_and_useless_draft_is_not_used():
    assert best_draft_length(0, 0) == 0


def test_the_oracle_is_never_slower_than_any_fixed_length():
    for rate in RATES[1:-1]:
        oracle = oracle_speedup(rate, F(1, 10))
        assert all(oracle >= speedup(rate, length, F(1, 10)) for length in range(1, 30))


def test_the_oracle_by_hand():
    assert oracle_speedup(F(4, 5), F(1, 10)) == 1 / (F(1, 5) + F(4, 50))


def test_the_oracle_with_a_free_and_certain_draft_has_no_limit():
    assert oracle_speedup(1, 0) == math.inf


# Kinds of numbers.

a, c = sympy.symbols("a c")


@pytest.mark.parametrize(
    "value, expected",
    [
        (tokens_per_round(a, 3), 1 + a + a**2 + a**3),
        (speedup(a, 2, c), (1 + a + a**2) / (2 * c + 1)),
        (operations(a, 2, c), (2 * c + 3) / (1 + a + a**2)),
        (oracle_speedup(a, c), 1 / (1 - a + c * a)),
        (speedup(sympy.Rational(7, 10), 1, c), sympy.Rational(17, 10) / (c + 1)),
    ],
)
def test_symbols_pass_through(value, expected):
    assert sympy.expand(sympy.simplify(value - expected)) == 0


@pytest.mark.parametrize("kind", [float, object, np.float32])
def test_a_batch_of_rates_gives_each_result(kind):
    rates = np.array([[F(0), F(1, 2)], [F(3, 4), F(1)]]).astype(kind)
    each = [[tokens_per_round(rate, 3) for rate in row] for row in rates]
    assert np.array_equal(tokens_per_round(rates, 3), np.array(each))
    laws = np.array([[tokens_law(rate, 3) for rate in row] for row in rates])
    assert np.array_equal(tokens_law(rates, 3), laws)


@pytest.mark.parametrize("kind", [float, object])
def test_a_batch_of_rates_meets_a_batch_of_costs(kind):
    rates = np.array([[F(1, 2)], [F(1)]]).astype(kind)
    costs = np.array([F(0), F(1, 4)]).astype(kind)
    for function in (
        oracle_speedup,
        lambda rate, cost: speedup(rate, 3, cost),
        lambda rate, cost: operations(rate, 3, cost),
    ):
        each = [[function(rate, cost) for cost in costs] for rate in rates[:, 0]]
        assert np.array_equal(function(rates, costs), np.array(each))


def test_lists_are_batches():
    assert np.array_equal(tokens_per_round([0.5, 1.0], 2), [1.75, 3])


def test_whole_numbers_are_exact():
    assert type(tokens_per_round(1, 3)) is F and type(speedup(1, 3, F(1, 3))) is F


# Acceptance that varies by context.

HIGH, LOW = F(19, 20), F(9, 20)


def two_contexts(stay):
    """Acceptance .95 in context 0 and .45 in context 1, the next context independent of it.

    Tokens 0 and 1 name the next context; 2 and 3 do too, but only the draft proposes them.
    """
    target, draft = [], []
    for context, rate in ((0, HIGH), (1, LOW)) * 2:
        following = [stay, 1 - stay] if context == 0 else [1 - stay, stay]
        target.append([*following, 0 * stay, 0 * stay])
        draft.append([rate * x for x in following] + [(1 - rate) * x for x in following])
    return np.array(target), np.array(draft)


@pytest.mark.parametrize(
    "stay, tokens",
    [
        (F(0), "2.818"),
        (F(1, 10), "2.841"),
        (F(3, 10), "2.824"),
        (F(1, 2), "2.773"),
        (F(7, 10), "2.696"),
        (F(9, 10), "2.603"),
        (1 - F(1, 10**6), "2.560"),
    ],
)
def test_the_yield_of_two_contexts_by_how_long_they_last(stay, tokens):
    assert f"{float(markov_tokens_per_round(*two_contexts(stay), 4)):.3f}" == tokens


def test_two_contexts_that_forget_each_other_yield_what_their_mean_says():
    assert markov_tokens_per_round(*two_contexts(F(1, 2)), 4) == tokens_per_round(F(7, 10), 4)


def test_two_contexts_that_last_yield_the_harmonic_mean():
    nearly = markov_tokens_per_round(*two_contexts(1 - F(1, 10**9)), 4)
    harmonic = 2 / (1 / tokens_per_round(HIGH, 4) + 1 / tokens_per_round(LOW, 4))
    assert abs(nearly - harmonic) < F(1, 10**8)


def test_contexts_that_last_for_ever_have_no_single_yield():
    with pytest.raises(ValueError, match="several stationary laws"):
        markov_tokens_per_round(*two_contexts(F(1)), 4)


def test_the_mean_over_block_starts_is_another_mean():
    rounds = np.array([1 / tokens_per_round(HIGH, 4), 1 / tokens_per_round(LOW, 4)])
    mean = float(rounds / rounds.sum() @ np.array([HIGH, LOW]))
    assert round(mean, 4) == 0.5914 and round(tokens_per_round(mean, 4), 2) == 2.27


def test_the_mixture_over_rounds_is_a_third_number():
    half = (tokens_per_round(HIGH, 4) + tokens_per_round(LOW, 4)) / 2
    by_token = (HIGH * tokens_per_round(HIGH, 4) + LOW * tokens_per_round(LOW, 4)) / (2 * half)
    assert round(float(half), 2) == 3.15 and round(float(by_token), 3) == 0.809
    assert round(tokens_per_round(float(by_token), 4), 2) == 3.42


def enumerated_yield(target, draft, length):
    """Block starts as a chain, each row from the enumeration of one round."""
    size = len(target.vocabulary)
    chain, tokens = np.full((size, size), F(0)), np.full(size, F(0))
    for start in range(size):
        for one, mass in round_law(target, draft, (start,), length).items():
            chain[start, one.emitted[-1]] += mass
            tokens[start] += mass * len(one.emitted)
    return stationary_law(chain) @ tokens


UNEVEN = (
    MarkovModel([law(5, 3, 2), law(0, 1, 2), law(1, 1, 1)], law(1, 2, 1)),
    MarkovModel([law(2, 3, 5), law(1, 1, 1), law(3, 0, 1)], law(1, 1, 2)),
)


@pytest.mark.parametrize("length", [1, 2, 3])
def test_the_markov_yield_is_that_of_the_enumerated_rounds(length):
    target, draft = UNEVEN
    expected = enumerated_yield(target, draft, length)
    assert markov_tokens_per_round(target.matrix, draft.matrix, length) == expected


@pytest.mark.parametrize("pair", [UNEVEN, toy_pair(0.6, 0.7, seed=3)], ids=["uneven", "toy"])
def test_the_markov_yield_is_the_long_run_of_a_simulation(pair):
    """400 chains of 1,000 tokens, seed fixed: within 5 standard errors (false alarm below 1e-6)
    and what the first context and the cut last round can do."""
    exact = float(markov_tokens_per_round(pair[0].matrix, pair[1].matrix, 3))
    chains = simulate(*pair, 3, 1000, 400, np.random.default_rng(5))
    ratios = 1000 / chains.target_passes
    error = 5 * ratios.std() / math.sqrt(len(ratios)) + exact * 2 * 4 / 1000
    assert abs(ratios.mean() - exact) < error < 0.05


def test_the_markov_yield_of_one_law_in_all_contexts_is_the_polynomial():
    target, draft = (np.stack([one] * 3) for one in BASE)
    assert markov_tokens_per_round(target, draft, 3) == tokens_per_round(F(7, 10), 3)


def test_a_pair_of_equal_matrices_yields_full_rounds():
    matrix = UNEVEN[0].matrix
    assert markov_tokens_per_round(matrix, matrix, 4) == 5


def test_a_pair_of_disjoint_matrices_yields_one_token_a_round():
    target, draft = np.array([[0, 1], [1, 0]]), np.array([[1, 0], [0, 1]])
    assert markov_tokens_per_round(target, draft, 4) == 1


def test_floats_agree_with_fractions():
    exact = markov_tokens_per_round(*two_contexts(F(3, 10)), 4)
    floats = markov_tokens_per_round(*(one.astype(float) for one in two_contexts(F(3, 10))), 4)
    assert floats == pytest.approx(float(exact), abs=1e-12)


# Stationary laws.


@pytest.mark.parametrize(
    "matrix",
    [
        np.stack([law(5, 3, 2), law(0, 1, 2), law(1, 1, 1)]),
        np.stack([law(0, 1), law(1, 0)]),  # periodic
        np.stack([law(1, 1, 0), law(0, 1, 0), law(0, 1, 1)]),  # ends in token 1
        np.stack([law(1)]),
    ],
)
def test_a_stationary_law_does_not_change(matrix):
    balanced = stationary_law(matrix)
    assert np.array_equal(balanced @ matrix, balanced) and balanced.sum() == 1
    assert stationary_law(matrix.astype(float)) == pytest.approx(balanced.astype(float))


def test_rows_within_the_tolerance_have_a_yield_at_any_length():
    """Products of such rows may be further from one than the rows are."""
    target = np.array([[0.5, 0.5 + 9e-10], [0.25, 0.75 + 9e-10]])
    expected = markov_tokens_per_round([[0.5, 0.5], [0.25, 0.75]], np.eye(2), 8)
    assert markov_tokens_per_round(target, np.eye(2), 8) == pytest.approx(expected, abs=1e-6)


# What a draft may cost


@pytest.mark.parametrize("gain", [F(1, 2), F(1), F(2), F(4)])
@pytest.mark.parametrize("length", [1, 2, 7])
def test_at_the_affordable_cost_the_speedup_is_the_gain(length, gain):
    for rate in (F(1, 3), F(9, 10), F(1)):
        cost = affordable_cost(rate, length, gain)
        if cost >= 0:
            assert speedup(rate, length, cost) == gain
        else:
            assert speedup(rate, length, 0) < gain


def test_no_cost_is_affordable_for_a_gain_of_zero():
    with pytest.raises(ValueError, match="gain is 0"):
        affordable_cost(0.5, 2, 0)
