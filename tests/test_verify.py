"""The one-token rule and the block rule: laws, couplings, known mistakes, boundary coins."""

from fractions import Fraction as F

import numpy as np
import pytest
from scipy.optimize import linprog

from specnotes.audit.cases import BASE, PAIRS, SECOND, law
from specnotes.coins import law_of
from specnotes.laws import draw, overlap, residual, total_variation
from specnotes.verify import Verdict, emitted_law, token_kernel, verify_block, verify_token

each_pair = pytest.mark.parametrize("target, draft", PAIRS.values(), ids=PAIRS.keys())


# One token.


def draft_and_verify(target, draft, rng):
    return verify_token(target, draft, draw(draft, rng), rng)


@each_pair
def test_a_verified_token_has_the_targets_law(target, draft):
    emitted = [0] * len(target)
    for (token, _), mass in law_of(lambda rng: draft_and_verify(target, draft, rng)).items():
        emitted[token] += mass
    assert emitted == list(target)


@each_pair
def test_a_drafted_token_is_accepted_as_often_as_the_laws_overlap(target, draft):
    listed = law_of(lambda rng: draft_and_verify(target, draft, rng))
    assert sum(mass for (_, accepted), mass in listed.items() if accepted) == overlap(target, draft)


@each_pair
def test_the_kernel_is_the_law_of_verify_token(target, draft):
    kernel = token_kernel(target, draft)
    for token in np.flatnonzero(draft):
        listed = law_of(lambda rng, token=token: verify_token(target, draft, token, rng)[0])
        assert [listed.get(x, 0) for x in range(len(target))] == list(kernel[token])


@each_pair
def test_the_rule_is_lossless(target, draft):
    assert np.array_equal(draft @ token_kernel(target, draft), target)
    assert np.array_equal(emitted_law(target, draft), target)


@each_pair
def test_the_kernel_is_row_stochastic(target, draft):
    kernel = token_kernel(target, draft)
    assert (kernel >= 0).all() and (kernel.sum(axis=-1) == 1).all()


@each_pair
def test_the_coupling_has_both_laws_as_margins(target, draft):
    coupling = draft[:, None] * token_kernel(target, draft)
    assert np.array_equal(coupling.sum(axis=0), target)
    assert np.array_equal(coupling.sum(axis=1), draft)


@each_pair
def test_the_diagonal_of_the_coupling_is_what_both_laws_share(target, draft):
    coupling = draft[:, None] * token_kernel(target, draft)
    assert np.array_equal(np.diag(coupling), np.minimum(target, draft))


@each_pair
def test_no_coupling_keeps_more(target, draft):
    """The linear program over all couplings: its optimum is the overlap."""
    size = len(target)
    margins = np.concatenate(
        [np.kron(np.eye(size), np.ones(size)), np.kron(np.ones(size), np.eye(size))]
    )
    best = linprog(
        -np.eye(size).ravel(), A_eq=margins, b_eq=np.concatenate([draft, target]).astype(float)
    )
    assert -best.fun == pytest.approx(float(overlap(target, draft)), abs=1e-7)


def test_the_token_comes_back_as_a_plain_int():
    token, accepted = verify_token(*BASE, np.int64(0), np.random.default_rng(0))
    assert type(token) is int and accepted is True


# Other fallbacks.


@pytest.mark.parametrize(
    "pair, emitted, off",
    [
        (BASE, (F(7, 20), F(39, 100), F(13, 50)), F(3, 20)),
        (SECOND, (F(14, 100), F(54, 100), F(32, 100)), F(6, 100)),
    ],
)
def test_falling_back_to_the_target_is_wrong_by_a_known_distance(pair, emitted, off):
    wrong = emitted_law(*pair, fallback=pair[0])
    assert tuple(wrong) == emitted and total_variation(wrong, pair[0]) == off


@each_pair
def test_the_bias_of_falling_back_to_the_target(target, draft):
    """Bias min(p, q) − αp, of size (1 − α) · TV(p, r) and never above α(1 − α)."""
    alpha, wrong = overlap(target, draft), emitted_law(target, draft, fallback=target)
    assert np.array_equal(wrong - target, np.minimum(target, draft) - alpha * target)
    size = total_variation(wrong, target)
    assert size == (1 - alpha) * total_variation(target, residual(target, draft))
    assert size <= alpha * (1 - alpha)


def test_the_worst_case_of_falling_back_to_the_target():
    assert total_variation(emitted_law(law(1, 1), law(1, 0), law(1, 1)), law(1, 1)) == F(1, 4)


@each_pair
def test_falling_back_to_the_residual_is_the_default(target, draft):
    owed = residual(target, draft)
    assert np.array_equal(token_kernel(target, draft, owed), token_kernel(target, draft))


def test_a_fallback_of_floats_makes_the_kernel_float():
    assert token_kernel(*BASE, fallback=[0.5, 0.25, 0.25]).dtype == float
    assert emitted_law(*BASE, fallback=[0.5, 0.25, 0.25]).dtype == float


def test_lists_are_laws():
    assert emitted_law([0.5, 0.5], [0.25, 0.75]).tolist() == [0.5, 0.5]


# Batches.

TARGETS = np.stack([law(5, 3, 2), law(1, 6, 3), law(1, 0, 0)])
DRAFTS = np.stack([law(2, 3, 5), law(5, 3, 2), law(1, 0, 0)])


@pytest.mark.parametrize("kind", [object, float])
@pytest.mark.parametrize("function", [token_kernel, emitted_law])
def test_a_batch_gives_each_rows_result(function, kind):
    targets, drafts = TARGETS.astype(kind), DRAFTS.astype(kind)
    for fallback in (None, targets, targets[0]):
        rows = [
            function(t, d, f if fallback is not None else None)
            for t, d, f in zip(
                targets,
                drafts,
                np.broadcast_to(targets if fallback is None else fallback, targets.shape),
            )
        ]
        assert np.array_equal(function(targets, drafts, fallback), np.stack(rows))


@pytest.mark.parametrize("kind", [object, float])
def test_one_law_meets_a_batch(kind):
    batch = token_kernel(TARGETS[0].astype(kind), DRAFTS.astype(kind))
    assert batch.shape == (3, 3, 3)
    assert np.array_equal(batch[1], token_kernel(TARGETS[0].astype(kind), DRAFTS[1].astype(kind)))


def test_a_batch_may_be_shorter_than_the_vocabulary():
    assert (emitted_law(TARGETS[:2], DRAFTS[:2]) == TARGETS[:2]).all()


# A block.

TARGET_LAWS = np.stack([law(5, 3, 2), law(0, 1, 2), law(1, 1, 1), law(3, 2, 1)])
DRAFT_LAWS = np.stack([law(2, 3, 5), law(1, 1, 1), law(1, 0, 1)])


@pytest.mark.parametrize("tokens", [(0, 1, 2), (2, 2, 0), (1, 0, 2)])
def test_the_law_of_a_blocks_verdict_by_hand(tokens):
    """Accepted up to the first rejection, then the residual of that position, or the bonus."""
    expected, reached = {}, F(1)
    for i, token in enumerate(tokens):
        kept = min(F(1), TARGET_LAWS[i, token] / DRAFT_LAWS[i, token])
        for x, mass in enumerate(residual(TARGET_LAWS[i], DRAFT_LAWS[i])):
            expected[Verdict(i, x)] = reached * (1 - kept) * mass
        reached *= kept
    expected |= {Verdict(3, x): reached * mass for x, mass in enumerate(TARGET_LAWS[3])}
    listed = law_of(lambda rng: verify_block(TARGET_LAWS, DRAFT_LAWS, tokens, rng))
    assert listed == {verdict: mass for verdict, mass in expected.items() if mass}


def test_an_empty_block_is_one_plain_step():
    listed = law_of(lambda rng: verify_block(TARGET_LAWS[:1], (), (), rng))
    assert listed == {Verdict(0, x): mass for x, mass in enumerate(law(5, 3, 2))}


def test_a_block_of_equal_laws_is_accepted():
    listed = law_of(lambda rng: verify_block(TARGET_LAWS, TARGET_LAWS[:3], (0, 2, 1), rng))
    assert {verdict.accepted for verdict in listed} == {3}


def test_floats_and_fractions_may_meet():
    verdict = verify_block(
        TARGET_LAWS, DRAFT_LAWS.astype(float), (0, 1, 2), np.random.default_rng(1)
    )
    assert 0 <= verdict.accepted <= 3


def test_tokens_may_be_an_array():
    given = np.array([0, 1, 2])
    verdict = verify_block(TARGET_LAWS, DRAFT_LAWS, given, np.random.default_rng(1))
    assert verdict == verify_block(TARGET_LAWS, DRAFT_LAWS, (0, 1, 2), np.random.default_rng(1))


# Boundary coins: what no law can show.

LAST = 1 - 2.0**-53


class Deals:
    """A generator that deals the given numbers, over and over."""

    def __init__(self, *numbers):
        self.numbers = list(numbers)

    def random(self):
        self.numbers.append(self.numbers.pop(0))
        return self.numbers[-1]


@each_pair
@pytest.mark.parametrize("kind", [object, np.float64, np.float32])
@pytest.mark.parametrize("first", [0.0, LAST])
@pytest.mark.parametrize("second", [0.0, LAST])
def test_a_token_without_target_mass_never_comes_out(target, draft, kind, first, second):
    target, draft = target.astype(kind), draft.astype(kind)
    for drafted in np.flatnonzero(draft):
        token, _ = verify_token(target, draft, drafted, Deals(first, second))
        assert target[token] > 0


@pytest.mark.parametrize("kind", [object, np.float64, np.float32])
@pytest.mark.parametrize("coin", [0.0, 0.5, LAST])
@each_pair
def test_where_the_target_is_no_smaller_every_coin_accepts(target, draft, kind, coin):
    target, draft = target.astype(kind), draft.astype(kind)
    for token in np.flatnonzero((target >= draft) & (draft > 0)):
        assert verify_token(target, draft, token, Deals(coin)) == (token, True)


def test_a_coin_of_zero_does_not_accept_a_token_with_target_zero():
    assert verify_token(law(1, 0), law(1, 1), 1, Deals(0.0)) == (0, False)
