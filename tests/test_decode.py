"""The loops: what they emit, what they count, and what they never do."""

from fractions import Fraction as F

import numpy as np
import pytest
from context_models import PAIRS, model, one_hot

from specnotes.audit.cases import law
from specnotes.decode import Round, Trace, sample, speculate
from specnotes.laws import overlap
from specnotes.models import MarkovModel, toy_pair
from specnotes.yields import speedup

TARGET, DRAFT = toy_pair(0.6, 0.7, seed=1)


def rng(seed=0):
    return np.random.default_rng(seed)


def decode(**options):
    given = dict(target=TARGET, draft=DRAFT, prefix=(1,), draft_length=4, n_tokens=30, rng=rng())
    return speculate(**{**given, **options})


SETTINGS = [
    {"draft_length": length, "n_tokens": n, "rng": rng(seed), "stop": stop}
    for length in (1, 3, 6)
    for n in (1, 2, 17)
    for seed in (0, 1)
    for stop in (None, 7)
]
each_setting = pytest.mark.parametrize("trace", [decode(**setting) for setting in SETTINGS])


# What is emitted.


@pytest.mark.parametrize("n_tokens", [0, 1, 2, 5, 31])
@pytest.mark.parametrize("length", [1, 2, 7])
def test_a_trace_has_exactly_n_tokens(length, n_tokens):
    assert len(decode(draft_length=length, n_tokens=n_tokens).tokens) == n_tokens


@pytest.mark.parametrize("n_tokens", [0, 1, 5])
def test_a_sample_has_exactly_n_tokens(n_tokens):
    assert len(sample(TARGET, (), n_tokens, rng())) == n_tokens


@pytest.mark.parametrize("seed", range(20))
def test_nothing_follows_a_stop_token(seed):
    for tokens in (
        decode(stop=7, rng=rng(seed)).tokens,
        sample(TARGET, (), 30, rng(seed), stop=7),
    ):
        assert 7 not in tokens[:-1] and (len(tokens) == 30 or tokens[-1] == 7)


def test_a_stop_token_inside_an_accepted_block_cuts_it():
    certain = model(2, 1, lambda prefix, seed, size: [int(len(prefix) != 1), int(len(prefix) == 1)])
    trace = speculate(certain, certain, (), 3, 9, rng(), stop=1)
    assert trace == Trace((0, 1), (Round((0, 1, 0), 3, (0, 1)),), 1, 3)


def test_the_last_block_is_cut_at_n_tokens():
    certain = model(2, 1, lambda prefix, seed, size: [1, 0])
    trace = speculate(certain, certain, (), 3, 5, rng())
    assert [one.emitted for one in trace.rounds] == [(0,) * 4, (0,)]
    assert [one.accepted for one in trace.rounds] == [3, 3]


@each_setting
def test_the_rounds_make_the_tokens(trace):
    assert sum((one.emitted for one in trace.rounds), ()) == trace.tokens


@each_setting
def test_a_round_emits_its_accepted_tokens_first(trace):
    for one in trace.rounds:
        kept = one.emitted[: one.accepted]
        assert kept == one.drafted[: len(kept)] and 0 <= one.accepted <= len(one.drafted)


@each_setting
def test_every_round_but_the_last_emits_one_token_more_than_it_accepted(trace):
    for one in trace.rounds[:-1]:
        assert len(one.emitted) == one.accepted + 1


@each_setting
def test_tokens_are_plain_ints(trace):
    for one in trace.rounds:
        assert {type(token) for token in one.drafted + one.emitted} == {int}
    assert type(trace.target_passes) is type(trace.draft_passes) is int


def test_records_cannot_be_changed():
    trace = decode()
    with pytest.raises(AttributeError):
        trace.rounds[0].accepted = 9
    with pytest.raises(AttributeError):
        trace.target_passes = 0


def test_records_hold_their_fields_and_nothing_else():
    trace = decode()
    assert not hasattr(trace, "__dict__") and not hasattr(trace.rounds[0], "__dict__")


# What is counted.


@each_setting
def test_passes_are_counted_in_full(trace):
    assert trace.target_passes == len(trace.rounds)
    assert trace.draft_passes == sum(len(one.drafted) for one in trace.rounds)


@pytest.mark.parametrize("length", [1, 4])
def test_a_model_drafts_its_full_length_every_round(length):
    trace = decode(draft_length=length)
    assert trace.draft_passes == length * trace.target_passes


class Counts:
    """A model that counts its passes."""

    def __init__(self, inner):
        self.inner, self.vocabulary, self.steps, self.passes = inner, inner.vocabulary, 0, 0

    def next_law(self, prefix):
        self.steps += 1
        return self.inner.next_law(prefix)

    def score(self, prefix, tokens):
        self.passes += 1
        return self.inner.score(prefix, tokens)


def test_the_bill_is_what_the_models_did():
    target, draft = Counts(TARGET), Counts(DRAFT)
    trace = decode(target=target, draft=draft)
    assert (target.passes, target.steps) == (trace.target_passes, 0)
    assert (draft.passes, draft.steps) == (0, trace.draft_passes)


def test_plain_decoding_takes_one_step_per_token():
    target = Counts(TARGET)
    sample(target, (), 12, rng())
    assert (target.steps, target.passes) == (12, 0)


def test_equal_models_take_the_fewest_passes():
    trace = decode(draft=TARGET, draft_length=4, n_tokens=50)
    assert trace.target_passes == 10 and {one.accepted for one in trace.rounds} == {4}


def test_disjoint_models_take_a_pass_per_token():
    target, draft = PAIRS["disjoint, draft one-hot"](3)
    assert speculate(target, draft, (), 3, 8, rng()).target_passes == 8


def test_the_speedup_of_a_trace_is_tokens_over_its_bill():
    trace = Trace((0,) * 96, (), target_passes=20, draft_passes=100)
    assert round(trace.speedup(0.09), 2) == 3.31
    assert trace.speedup(F(9, 100)) == F(96, 29)


def test_a_free_draft_makes_the_speedup_the_tokens_per_pass():
    assert Trace((0,) * 9, (), 3, 12).speedup(0) == 3


def test_long_traces_reach_the_speedup_of_the_formula():
    """Acceptance the same in all contexts: 4,000 tokens, within 5 %, seed fixed."""
    target, draft = (MarkovModel([one] * 3, one) for one in (law(5, 3, 2), law(2, 3, 5)))
    trace = speculate(target, draft, (), 4, 4000, rng(3))
    expected = speedup(float(overlap(target.initial, draft.initial)), 4, 0.1)
    assert trace.speedup(0.1) == pytest.approx(expected, rel=0.05)


# Randomness, scouts, lengths.


def test_one_seed_gives_one_trace():
    assert decode(rng=rng(5)) == decode(rng=rng(5))


def test_another_seed_gives_another_trace():
    assert decode(rng=rng(5)) != decode(rng=rng(6))


def test_an_idle_scout_leaves_plain_decoding():
    class Idle:
        def propose(self, prefix, draft_length, rng):
            return [], []

    trace = decode(draft=Idle(), n_tokens=9)
    assert trace.target_passes == 9 and trace.draft_passes == 0
    assert trace.tokens == sample(TARGET, (1,), 9, rng())


def test_a_scout_is_asked_with_prefix_length_and_rng():
    asked, coins = [], rng()

    class Records:
        def propose(self, prefix, draft_length, rng):
            asked.append((prefix, draft_length, rng is coins))
            return np.array([2]), [DRAFT.next_law((7,))]

    trace = decode(draft=Records(), n_tokens=3, rng=coins)
    starts = [
        (1,) + sum((r.emitted for r in trace.rounds[:i]), ()) for i in range(len(trace.rounds))
    ]
    assert asked == [(start, 4, True) for start in starts]


def test_a_scout_may_propose_fewer_tokens():
    class Short:
        def propose(self, prefix, draft_length, rng):
            return (2, 3), [one_hot_law(2), one_hot_law(3)]

    trace = decode(draft=Short(), draft_length=5)
    assert {len(one.drafted) for one in trace.rounds} == {2}


def test_a_scout_may_propose_from_an_iterator():
    class Lazy:
        def propose(self, prefix, draft_length, rng):
            return iter((2, 3)), [one_hot_law(2), one_hot_law(3)]

    assert decode(draft=Lazy()).rounds[0].drafted == (2, 3)


def one_hot_law(token):
    return np.eye(8)[token]


def test_a_draft_length_may_depend_on_prefix_and_rounds():
    asked = []

    def length(prefix, rounds):
        asked.append((prefix, rounds))
        return 1 + len(rounds) % 3

    trace = decode(draft_length=length)
    assert [len(one.drafted) for one in trace.rounds] == [
        1 + i % 3 for i in range(len(trace.rounds))
    ]
    assert asked[0] == ((1,), ()) and asked[-1][1] == trace.rounds[:-1]


def test_a_draft_length_is_asked_with_all_tokens_so_far():
    asked = []

    def length(prefix, rounds):
        asked.append(prefix)
        return 1

    trace = decode(draft_length=length, n_tokens=5)
    emitted = [one.emitted for one in trace.rounds]
    assert asked == [(1,) + sum(emitted[:i], ()) for i in range(len(emitted))]


def test_another_verifier_may_be_given():
    def nothing(target_laws, draft_laws, tokens, rng):
        return 0, 5

    trace = decode(verify=nothing, n_tokens=3)
    assert trace.tokens == (5, 5, 5) and trace.target_passes == 3


def test_a_verifier_is_given_arrays():
    given = []

    def looks(target_laws, draft_laws, tokens, rng):
        given.append((target_laws.shape, draft_laws.shape, tokens))
        return 0, 5

    trace = decode(verify=looks, n_tokens=1)
    assert given == [((5, 8), (4, 8), trace.rounds[0].drafted)]


def test_what_a_verifier_accepts_is_recorded_as_a_plain_int():
    trace = decode(verify=lambda *_: (np.int64(0), 5), n_tokens=1)
    assert type(trace.rounds[0].accepted) is int


@pytest.mark.parametrize(
    "verdict, message",
    [
        ((5, 0), "accepted is 5, of 4 drafted"),
        ((-1, 0), "accepted is -1"),
        ((0.0, 0), "accepted is 0.0"),
        ((0, 8), "token is 8"),
        ((0, np.nan), "token is nan"),
        ((0, None), "token is None"),
    ],
)
def test_an_impossible_verdict_is_refused(verdict, message):
    with pytest.raises(ValueError, match=message):
        decode(verify=lambda *_: verdict)


@pytest.mark.parametrize(
    "proposal, message",
    [
        (((0,) * 5, [TARGET.initial] * 5), "more than draft_length = 4"),
        ((None, []), "drafted is None, not a sequence"),
        (((0, 8), [TARGET.initial] * 2), r"drafted\[1\] is 8"),
        (((0, -1), [TARGET.initial] * 2), r"drafted\[1\] is -1"),
        (((0.5,), [TARGET.initial]), r"drafted\[0\] is 0.5"),
        (((0, 0), [TARGET.initial]), r"draft_laws has shape \(1, 8\), not \(2, 8\)"),
        (((0,), [[1.0]]), r"draft_laws has shape \(1, 1\)"),
        (((0,), [[0.5] * 8]), r"draft_laws\[0\] sums to 4"),
    ],
)
def test_an_impossible_proposal_is_refused(proposal, message):
    class Scout:
        def propose(self, prefix, draft_length, rng):
            return proposal

    with pytest.raises(ValueError, match=message):
        decode(draft=Scout())


def test_greedy_models_decode_greedily_whatever_the_coins():
    target, draft = model(3, 1, one_hot), model(3, 2, one_hot)
    traces = {speculate(target, draft, (), 2, 9, rng(seed)) for seed in range(5)}
    assert len(traces) == 1 and traces.pop().tokens == sample(target, (), 9, rng())
