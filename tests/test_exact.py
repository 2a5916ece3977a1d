"""Every tested decoder has exactly the target's law, and every planted bug has not."""

import itertools
import math
import time
from fractions import Fraction as F
from functools import cache

import numpy as np
import pytest
from context_models import PAIRS, full, law_of_weights, model

from specnotes.audit.cases import BASE, law
from specnotes.coins import law_of
from specnotes.decode import Round, sample, speculate
from specnotes.exact import decoder_law, distance, round_law, sequence_law
from specnotes.laws import draw, overlap, residual
from specnotes.models import MarkovModel, toy_pair, transformed
from specnotes.transforms import greedy
from specnotes.verify import Verdict, verify_block, verify_token

SIZES, LENGTHS, N_TOKENS = (2, 3), (1, 2, 3), (1, 2, 3, 4)


def product_law(size, seed, prefix, n_tokens):
    """The chain rule over a full-support model, written out."""
    expected = {}
    for tokens in itertools.product(range(size), repeat=n_tokens):
        history = [prefix + tokens[:i] for i in range(n_tokens)]
        rows = [law_of_weights(full(past, seed, size)) for past in history]
        expected[tokens] = math.prod(row[token] for row, token in zip(rows, tokens))
    return expected


@pytest.mark.parametrize("prefix", [(), (1,), (0, 1, 1)])
def test_sequence_law_is_the_product_of_conditional_laws(prefix):
    assert sequence_law(model(3, 1), prefix, 3) == product_law(3, 1, prefix, 3)


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("stop", [None, 0, 1])
def test_sequence_law_is_the_law_of_sample(pair, stop):
    target, _ = PAIRS[pair](2)
    expected = law_of(lambda rng: sample(target, (1,), 4, rng, stop))
    assert sequence_law(target, (1,), 4, stop) == expected


def test_no_tokens_have_one_law():
    assert (
        sequence_law(model(2, 1), (), 0)
        == {(): 1}
        == decoder_law(model(2, 1), model(2, 2), (), 1, 0)
    )


# The matrix: every decoder has the target's law, with ==.


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("n_tokens", N_TOKENS)
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("size", SIZES)
def test_speculation_has_the_targets_law(size, length, n_tokens, pair):
    target, draft = PAIRS[pair](size)
    assert decoder_law(target, draft, (), length, n_tokens) == sequence_law(target, (), n_tokens)


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("stop", [0, 1, 2])
@pytest.mark.parametrize("length", LENGTHS)
def test_speculation_has_the_targets_law_with_a_stop_token(length, stop, pair):
    target, draft = PAIRS[pair](3)
    expected = sequence_law(target, (), 3, stop)
    assert decoder_law(target, draft, (), length, 3, stop=stop) == expected


@pytest.mark.parametrize("prefix", [(1,), (0, 1, 1)])
@pytest.mark.parametrize("length", LENGTHS)
def test_speculation_has_the_targets_law_after_a_prefix(length, prefix):
    target, draft = PAIRS["full support"](3)
    expected = sequence_law(target, prefix, 3)
    assert decoder_law(target, draft, prefix, length, 3) == expected != sequence_law(target, (), 3)


def test_a_stop_token_in_the_prefix_does_not_stop():
    target, draft = PAIRS["full support"](2)
    expected = sequence_law(target, (0,), 2, stop=0)
    assert (1, 1) in expected and decoder_law(target, draft, (0,), 2, 2, stop=0) == expected


def test_nothing_follows_a_stop_token():
    target, draft = PAIRS["full support"](2)
    for tokens in decoder_law(target, draft, (), 3, 4, stop=1):
        assert 1 not in tokens[:-1] and (len(tokens) == 4 or tokens[-1] == 1)


class Repeats:
    """A scout sure that the last token comes again: one-hot laws, no coins."""

    def propose(self, prefix, draft_length, rng):
        token = prefix[-1] if prefix else 0
        return (token,) * draft_length, [law(*(int(i == token) for i in range(3)))] * draft_length


class Shortens:
    """A scout that drafts fewer tokens after some prefixes, and none after others."""

    def __init__(self, draft):
        self.draft = draft

    def propose(self, prefix, draft_length, rng):
        count = min(draft_length, len(prefix) % 3)
        laws, tokens = [], ()
        for _ in range(count):
            laws.append(self.draft.next_law(prefix + tokens))
            tokens += (draw(laws[-1], rng),)
        return np.array(tokens, int), laws


class Idle:
    """A scout that never drafts."""

    def propose(self, prefix, draft_length, rng):
        return (), ()


SCOUTS = {"repeats": Repeats(), "shortens": Shortens(model(3, 2)), "idle": Idle()}


@pytest.mark.parametrize("scout", SCOUTS)
@pytest.mark.parametrize("stop", [None, 1])
def test_speculation_with_a_scout_has_the_targets_law(scout, stop):
    target = model(3, 1)
    expected = sequence_law(target, (), 4, stop)
    assert decoder_law(target, SCOUTS[scout], (), 3, 4, stop=stop) == expected


ADAPTIVE = {
    "by prefix": lambda prefix, rounds: 1 + len(prefix) % 3,
    "by last token": lambda prefix, rounds: 1 + (prefix[-1] if prefix else 0),
    "by last round": lambda prefix, rounds: 1 + (rounds[-1].accepted if rounds else 1),
}


@pytest.mark.parametrize("rule", ADAPTIVE)
@pytest.mark.parametrize("size", SIZES)
def test_a_draft_length_that_adapts_keeps_the_targets_law(size, rule):
    target, draft = PAIRS["full support"](size)
    expected = sequence_law(target, (), 3)
    assert decoder_law(target, draft, (), ADAPTIVE[rule], 3) == expected


def test_greedy_speculation_is_greedy_decoding():
    target, draft = (transformed(one, greedy) for one in PAIRS["full support"](3))
    ((tokens, mass),) = decoder_law(target, draft, (), 3, 4).items()
    best = ()
    for _ in range(4):
        best += (int(np.argmax(model(3, 1).next_law(best))),)
    assert (tokens, mass) == (best, 1)


def test_float_models_have_the_targets_law_up_to_rounding():
    target, draft = toy_pair(0.6, 0.4, seed=1)
    assert distance(decoder_law(target, draft, (2,), 2, 2), sequence_law(target, (2,), 2)) < 1e-14


# Composed rounds against raw replay of the whole loop.


@cache
def raw_law(size, length, n_tokens, pair):
    target, draft = PAIRS[pair](size)
    return law_of(lambda rng: speculate(target, draft, (), length, n_tokens, rng).tokens)


@pytest.mark.parametrize(
    "size, length, n_tokens, pair",
    [
        (2, 3, 4, "full support"),
        (3, 2, 3, "full support"),
        (3, 2, 3, "zeros in both"),
        (2, 3, 4, "disjoint, draft one-hot"),
        (3, 3, 2, "zeros in the draft"),
    ],
)
def test_composing_rounds_gives_the_law_of_the_raw_loop(size, length, n_tokens, pair):
    target, draft = PAIRS[pair](size)
    raw = raw_law(size, length, n_tokens, pair)
    assert decoder_law(target, draft, (), length, n_tokens) == raw


@pytest.mark.parametrize("scout", SCOUTS)
def test_composing_rounds_gives_the_law_of_the_raw_loop_with_a_scout(scout):
    target, draft = model(3, 1), SCOUTS[scout]
    raw = law_of(lambda rng: speculate(target, draft, (), 2, 3, rng, stop=2).tokens)
    assert decoder_law(target, draft, (), 2, 3, stop=2) == raw


@pytest.mark.parametrize("rule", ADAPTIVE)
def test_composing_rounds_gives_the_law_of_the_raw_loop_with_an_adaptive_length(rule):
    target, draft = PAIRS["full support"](2)
    raw = law_of(lambda rng: speculate(target, draft, (), ADAPTIVE[rule], 3, rng).tokens)
    assert decoder_law(target, draft, (), ADAPTIVE[rule], 3) == raw


def test_composing_rounds_gives_the_raw_law_of_a_wrong_verifier_too():
    target, draft = PAIRS["full support"](2)
    raw = law_of(
        lambda rng: speculate(target, draft, (), 2, 3, rng, verify=resamples_the_target).tokens
    )
    assert decoder_law(target, draft, (), 2, 3, verify=resamples_the_target) == raw
    assert raw != sequence_law(target, (), 3)


# Planted bugs: the exact distances that they are known for.


def resamples_the_target(target_laws, draft_laws, tokens, rng):
    for i, token in enumerate(tokens):
        if not rng.random() * draft_laws[i][token] < target_laws[i][token]:
            return i, draw(target_laws[i], rng)
    return len(tokens), draw(target_laws[-1], rng)


def shares_one_coin(target_laws, draft_laws, tokens, rng):
    coin = rng.random()
    for i, token in enumerate(tokens):
        if not coin * draft_laws[i][token] < target_laws[i][token]:
            return i, draw(residual(target_laws[i], draft_laws[i]), rng)
    return len(tokens), draw(target_laws[-1], rng)


def takes_the_bonus_from_the_row_before(target_laws, draft_laws, tokens, rng):
    verdict = verify_block(target_laws, draft_laws, tokens, rng)
    if verdict.accepted < len(tokens):
        return verdict
    return Verdict(len(tokens), draw(target_laws[-2], rng))


def draws_the_bonus_from_the_draft(target_laws, draft_laws, tokens, rng):
    verdict = verify_block(target_laws, draft_laws, tokens, rng)
    if verdict.accepted < len(tokens):
        return verdict
    return Verdict(len(tokens), draw(draft_laws[-1], rng))


def free(law):
    """The model with one law in all contexts."""
    return MarkovModel([law] * len(law), law)


def first_token(sequences):
    law = {}
    for tokens, mass in sequences.items():
        law[tokens[0]] = law.get(tokens[0], 0) + mass
    return law


SHARED = free(law(5, 3, 2)), free(law(1, 1, 3))
ROWS = MarkovModel([law(4, 1), law(9, 11)], law(4, 1)), free(law(1, 1))


@pytest.mark.parametrize("length, n_tokens, off", [(2, 2, F(2, 25)), (3, 3, F(4, 25))])
def test_one_coin_for_a_whole_block_is_wrong_by_a_known_distance(length, n_tokens, off):
    wrong = decoder_law(*SHARED, (), length, n_tokens, verify=shares_one_coin)
    assert distance(wrong, sequence_law(SHARED[0], (), n_tokens)) == off


def test_one_coin_for_a_whole_block_leaves_the_first_token_exact():
    wrong = decoder_law(*SHARED, (), 2, 2, verify=shares_one_coin)
    assert first_token(wrong) == dict(enumerate(law(5, 3, 2)))


def test_one_coin_for_a_whole_block_biases_the_second_token():
    wrong = decoder_law(*SHARED, (), 2, 2, verify=shares_one_coin)
    second = [sum(mass for tokens, mass in wrong.items() if tokens[1] == x) for x in range(3)]
    assert second == [F(11, 25), F(7, 25), F(7, 25)]


def test_one_coin_for_a_block_of_one_is_right():
    wrong = decoder_law(*SHARED, (), 1, 3, verify=shares_one_coin)
    assert wrong == sequence_law(SHARED[0], (), 3)


def test_a_bonus_from_the_row_before_is_wrong_by_seven_percent():
    wrong = decoder_law(*ROWS, (0,), 1, 2, verify=takes_the_bonus_from_the_row_before)
    assert distance(wrong, sequence_law(ROWS[0], (0,), 2)) == F(7, 100)


def test_a_bonus_from_the_row_before_leaves_the_first_token_exact():
    wrong = decoder_law(*ROWS, (0,), 1, 2, verify=takes_the_bonus_from_the_row_before)
    assert first_token(wrong) == {0: F(4, 5), 1: F(1, 5)}


def test_a_bonus_from_the_row_before_is_invisible_without_context():
    wrong = decoder_law(*SHARED, (), 2, 3, verify=takes_the_bonus_from_the_row_before)
    assert wrong == sequence_law(SHARED[0], (), 3)


def test_a_bonus_from_the_draft_shows_where_a_block_is_accepted_whole():
    target, draft = PAIRS["full support"](3)
    wrong = decoder_law(target, draft, (), 2, 3, verify=draws_the_bonus_from_the_draft)
    assert distance(wrong, sequence_law(target, (), 3)) > 0
    assert first_token(wrong) == first_token(sequence_law(target, (), 3))


def test_the_wrong_fallback_is_wrong_by_the_known_distance():
    wrong = decoder_law(free(BASE[0]), free(BASE[1]), (), 1, 1, verify=resamples_the_target)
    assert wrong == {(0,): F(7, 20), (1,): F(39, 100), (2,): F(13, 50)}


# Two Markov models: a round is enumerated once for each last token.

CONTEXTS = (
    MarkovModel([law(4, 1), law(9, 11)], law(1, 4)),
    MarkovModel([law(1, 2), law(0, 1)], law(3, 1)),
)


class AnyModel:
    """A Markov model that does not tell that it is one."""

    def __init__(self, model):
        self.vocabulary, self.next_law, self.score = model.vocabulary, model.next_law, model.score


@pytest.mark.parametrize("prefix", [(), (1,), (1, 0)])
@pytest.mark.parametrize("stop", [None, 1])
@pytest.mark.parametrize("length", [1, 2, *ADAPTIVE])
@pytest.mark.parametrize("verify", [verify_block, resamples_the_target])
def test_the_law_of_markov_models_is_that_of_any_models(prefix, stop, length, verify):
    any_models = map(AnyModel, CONTEXTS)
    given = prefix, ADAPTIVE.get(length, length), 3
    known = decoder_law(*CONTEXTS, *given, verify=verify, stop=stop)
    assert known == decoder_law(*any_models, *given, verify=verify, stop=stop)
    assert (known == sequence_law(CONTEXTS[0], prefix, 3, stop)) == (verify is verify_block)


def test_one_markov_model_of_two_does_not_make_rounds_alike():
    for pair in ((CONTEXTS[0], model(2, 2)), (model(2, 1), CONTEXTS[1])):
        known = decoder_law(*pair, (), 2, 3, verify=resamples_the_target)
        assert known == decoder_law(*map(AnyModel, pair), (), 2, 3, verify=resamples_the_target)


def test_a_markov_model_of_a_class_of_its_own_may_look_further_back():
    class Turns(MarkovModel):
        def next_law(self, prefix):
            return super().next_law(prefix) if len(prefix) % 2 else self.initial

        def score(self, prefix, tokens):
            return np.stack([self.next_law(prefix + tokens[:i]) for i in range(len(tokens) + 1)])

    target = Turns(CONTEXTS[0].matrix, CONTEXTS[0].initial)
    assert decoder_law(target, CONTEXTS[1], (), 2, 4) == sequence_law(target, (), 4)


def test_markov_models_cost_a_round_for_each_last_token():
    rounds = [round_law(*CONTEXTS, last, 2) for last in ((), (0,), (1,))]
    assert decoder_law(*CONTEXTS, (), 2, 5).paths == sum(one.paths for one in rounds)


# One round.


def test_the_law_of_a_round_of_one_is_the_one_token_rule():
    rounds = round_law(free(BASE[0]), free(BASE[1]), (), 1)
    by_token = [sum(m for r, m in rounds.items() if r.emitted[0] == x) for x in range(3)]
    accepted = sum(mass for r, mass in rounds.items() if r.accepted)
    assert (by_token, accepted) == (list(BASE[0]), overlap(*BASE))


def test_a_round_emits_what_it_accepted_and_one_token_more():
    for one, mass in round_law(*PAIRS["full support"](3), (1,), 2).items():
        assert mass > 0 and len(one.drafted) == 2
        assert one.emitted[:-1] == one.drafted[: one.accepted]


def test_equal_models_accept_every_round_in_full():
    rounds = round_law(*PAIRS["equal"](3), (), 3)
    assert {one.accepted for one in rounds} == {3} and len(rounds) == 3**4


def test_disjoint_models_accept_nothing():
    for pair in ("disjoint, target one-hot", "disjoint, draft one-hot"):
        assert {one.accepted for one in round_law(*PAIRS[pair](3), (), 3)} == {0}


def test_the_law_of_a_round_sums_to_one():
    assert sum(round_law(*PAIRS["zeros in both"](3), (0,), 3).values()) == 1


def test_a_round_is_an_outcome():
    target = model(2, 15, lambda *_: (1, 0))
    assert round_law(target, target, (), 2) == {Round((0, 0), 2, (0, 0, 0)): 1}


def test_the_composed_law_counts_the_paths_of_its_rounds():
    target, draft = PAIRS["full support"](2)
    once = decoder_law(target, draft, (), 2, 1)
    assert once.paths == round_law(target, draft, (), 2).paths


# Distances.


@pytest.mark.parametrize(
    "a, b, expected",
    [
        ({"x": 1}, {"x": 1}, 0),
        ({"x": 1}, {"y": 1}, 1),
        ({"x": F(1, 2), "y": F(1, 2)}, {"x": 1}, F(1, 2)),
        ({"x": 0.5, "y": 0.5}, {"x": 0.25, "y": 0.75}, 0.25),
    ],
)
def test_distance_is_half_the_sum_of_differences(a, b, expected):
    assert distance(a, b) == distance(b, a) == expected


# What it costs.


def test_four_tokens_of_three_at_draft_length_three_take_less_than_a_second(record_property):
    """Full support: 20 rounds enumerated.  Process time, the best of five."""
    target, draft = PAIRS["full support"](3)
    seconds, paths = [], 0
    for _ in range(5):
        start = time.process_time()
        paths = decoder_law(target, draft, (), 3, 4).paths
        seconds.append(time.process_time() - start)
    record_property("seconds", min(seconds))
    record_property("paths", paths)
    assert min(seconds) < 1


def test_composing_rounds_runs_far_fewer_paths_than_the_raw_loop():
    target, draft = PAIRS["full support"](2)
    raw = raw_law(2, 3, 4, "full support")
    assert decoder_law(target, draft, (), 3, 4).paths < raw.paths / 10


def test_verify_block_is_verify_token_repeated():
    """The block's rule is the one-token rule, repeated: two programs, one law."""

    def by_token(target_laws, draft_laws, tokens, rng):
        for i, token in enumerate(tokens):
            token, accepted = verify_token(target_laws[i], draft_laws[i], token, rng)
            if not accepted:
                return i, token
        return len(tokens), draw(target_laws[-1], rng)

    target, draft = PAIRS["full support"](2)
    assert round_law(target, draft, (), 3, by_token) == round_law(target, draft, (), 3)
