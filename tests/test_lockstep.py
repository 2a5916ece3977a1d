"""Many chains in step have the law of the decoder, and a planted bug shows."""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from specnotes import lockstep
from specnotes.audit.cases import law
from specnotes.coins import law_of
from specnotes.decode import speculate
from specnotes.exact import sequence_law
from specnotes.laws import residual_unchecked
from specnotes.lockstep import simulate
from specnotes.models import MarkovModel, toy_pair

TARGET = MarkovModel([law(5, 3, 2), law(0, 1, 2), law(1, 1, 1)], law(1, 2, 1))
DRAFT = MarkovModel([law(2, 3, 5), law(1, 1, 1), law(3, 0, 1)], law(1, 1, 2))
CHAINS = 20_000


def joint_law(length, n_tokens):
    """Law of (tokens, target passes) by enumeration of the whole loop."""

    def program(rng):
        trace = speculate(TARGET, DRAFT, (), length, n_tokens, rng)
        return trace.tokens, trace.target_passes

    return law_of(program)


def p_value(length, n_tokens, simulated_length=None):
    """χ² of a simulation against the enumerated joint law; rare outcomes are one cell."""
    expected = joint_law(length, n_tokens)
    rng = np.random.default_rng(1)
    chains = simulate(TARGET, DRAFT, simulated_length or length, n_tokens, CHAINS, rng)
    found = Counter(zip(map(tuple, chains.tokens.tolist()), chains.target_passes.tolist()))
    if not found.keys() <= expected.keys():
        return 0
    common = [outcome for outcome, mass in expected.items() if CHAINS * mass >= 10]
    counts = [found[outcome] for outcome in common]
    means = [CHAINS * float(expected[outcome]) for outcome in common]
    if len(common) < len(expected):
        counts.append(CHAINS - sum(counts))
        means.append(CHAINS - sum(means))
    return chisquare(counts, means).pvalue


@pytest.mark.parametrize("length, n_tokens", [(1, 3), (2, 3)])
def test_tokens_and_passes_have_the_joint_law_of_the_decoder(length, n_tokens):
    """20,000 chains, seed fixed; for a right simulation p < 1e-6 has probability 1e-6."""
    assert p_value(length, n_tokens) > 1e-6


def test_the_same_test_sees_the_wrong_fallback(monkeypatch):
    monkeypatch.setattr(lockstep, "residual_unchecked", lambda target, draft: target)
    assert p_value(2, 3) < 1e-6


def test_the_same_test_sees_a_small_bias(monkeypatch):
    def nearly(target, draft):
        return 0.8 * residual_unchecked(target, draft) + 0.2 * target

    monkeypatch.setattr(lockstep, "residual_unchecked", nearly)
    assert p_value(1, 3) < 1e-6


def test_the_same_test_sees_passes_of_another_draft_length():
    assert p_value(1, 3, simulated_length=2) < 1e-6


@pytest.mark.parametrize("length", [1, 3])
def test_long_sequences_have_the_targets_law_of_the_last_pair(length):
    """Tokens 49 and 50 of 20,000 chains against the Markov chain's own marginal."""
    chains = simulate(TARGET, DRAFT, length, 50, CHAINS, np.random.default_rng(2))
    marginal = TARGET.initial.astype(float) @ np.linalg.matrix_power(
        TARGET.matrix.astype(float), 48
    )
    expected = (marginal[:, None] * TARGET.matrix.astype(float)).ravel()
    counts = np.bincount(chains.tokens[:, -2] * 3 + chains.tokens[:, -1], minlength=9)
    possible = expected > 0
    assert (counts[~possible] == 0).all()
    assert chisquare(counts[possible], CHAINS * expected[possible]).pvalue > 1e-6


def test_the_first_token_comes_from_the_initial_law():
    chains = simulate(TARGET, DRAFT, 2, 1, CHAINS, np.random.default_rng(3))
    expected = [CHAINS * float(mass) for mass in sequence_law(TARGET, (), 1).values()]
    assert chisquare(np.bincount(chains.tokens[:, 0]), expected).pvalue > 1e-6


@pytest.mark.parametrize("length, n_tokens", [(1, 1), (3, 20), (5, 96)])
def test_shapes_and_bills(length, n_tokens):
    chains = simulate(*toy_pair(0.5, 0.8, 1), length, n_tokens, 7, np.random.default_rng(0))
    assert chains.tokens.shape == (7, n_tokens) and chains.target_passes.shape == (7,)
    assert (chains.draft_passes == length * chains.target_passes).all()
    least, most = -(-n_tokens // (length + 1)), n_tokens
    assert ((least <= chains.target_passes) & (chains.target_passes <= most)).all()


def test_no_tokens_take_no_passes():
    chains = simulate(TARGET, DRAFT, 2, 0, 3, np.random.default_rng(0))
    assert chains.tokens.shape == (3, 0) and (chains.target_passes == 0).all()


def test_one_chain_is_enough():
    assert simulate(TARGET, DRAFT, 2, 4, 1, np.random.default_rng(0)).tokens.shape == (1, 4)


def test_equal_models_take_the_fewest_passes():
    chains = simulate(TARGET, TARGET, 3, 10, 50, np.random.default_rng(0))
    assert (chains.target_passes == 3).all()


def test_disjoint_models_take_a_pass_per_token():
    there, back = MarkovModel(np.eye(2)[::-1], [1, 0]), MarkovModel(np.eye(2), [0, 1])
    chains = simulate(there, back, 3, 6, 5, np.random.default_rng(0))
    assert (chains.target_passes == 6).all() and (chains.tokens == [0, 1] * 3).all()


def test_one_seed_gives_one_result():
    first, again = (
        simulate(TARGET, DRAFT, 2, 9, 40, np.random.default_rng(4)).tokens for _ in range(2)
    )
    assert (first == again).all()


class Deals:
    """A generator that deals one number over and over."""

    def __init__(self, number):
        self.number = number

    def random(self, size):
        return np.full(size, self.number)


@pytest.mark.parametrize("coin", [0.0, 1 - 2.0**-53])
def test_a_token_without_mass_never_comes_out(coin):
    zeros = MarkovModel([law(0, 1, 1, 0)] * 4, law(0, 1, 2, 0))
    draft = MarkovModel([law(1, 1, 0, 1)] * 4, law(0, 1, 1, 1))
    chains = simulate(zeros, draft, 2, 12, 3, Deals(coin))
    assert set(chains.tokens.ravel()) <= {1, 2}
