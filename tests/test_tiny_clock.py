"""Clocks: they count what was done, and predict from it; the seconds belong to the machine."""

import time

import numpy as np
import pytest
from test_tiny import SMALL, TEXT, small

from specnotes.drafts import PromptLookup
from specnotes.tiny import clock
from specnotes.tiny.clock import Race, pass_seconds, proposal_seconds, race
from specnotes.tiny.corpus import ALPHABET, passages
from specnotes.tiny.transformer import Transformer
from specnotes.yields import speedup, tokens_per_round


def test_a_race_counts_what_both_decoders_did():
    target, draft = Transformer(SMALL), Transformer(SMALL)
    result = race(target, draft, [TEXT, TEXT[:30]], 3, 24, repeats=2)
    assert result.acceptance_rate == 1  # the draft is the target
    assert result.drafted_per_pass == 3 and result.tokens_per_pass == 4
    assert result.plain > 0 and result.speculative > 0 and result.speedup > 0


def test_plain_decoding_takes_a_pass_per_token_and_speculation_one_per_round():
    target = Transformer(SMALL)
    result = race(target, Transformer(small(seed=1)), [TEXT], 2, 20, repeats=1)
    rounds = round(20 / result.tokens_per_pass)
    decoding, pricing = 1 + 20 + 1 + rounds, 2 * 3  # the prompt is read twice, outside the clock
    assert target.passes == decoding + pricing


def test_a_race_predicts_with_the_prices_of_its_own_time():
    target, draft = Transformer(SMALL), Transformer(SMALL)
    result = race(target, draft, [TEXT], 3, 24, repeats=2)
    assert result.verify_ratio > 0 and result.cost_ratio > 0.2  # the draft is the target
    c, v = result.cost_ratio, result.verify_ratio
    assert result.predicted() == result.predicted(c, v) == pytest.approx(4 / (3 * c + v))


def test_a_scout_that_says_nothing_costs_passes_and_saves_none():
    mute = PromptLookup(ALPHABET, longest=40, shortest=40)
    result = race(Transformer(SMALL), mute, [TEXT], 4, 10, repeats=1)
    assert (result.drafted_per_pass, result.tokens_per_pass, result.acceptance_rate) == (0, 1, 0)
    assert proposal_seconds(mute, TEXT, 4, np.random.default_rng(0)) > 0


@pytest.mark.parametrize("rate, length, cost", [(0.7, 4, 0.05), (0.9, 2, 0.3), (0.0, 1, 1.0)])
def test_the_prediction_is_the_formula_of_the_course_where_that_applies(rate, length, cost):
    result = Race(1, 1, 1, tokens_per_round(rate, length), length, rate)
    assert result.predicted(cost) == pytest.approx(speedup(rate, length, cost), rel=1e-12)


def test_a_dearer_pass_over_a_block_lowers_the_prediction():
    result = Race(1, 1, 1, 3.0, 4, 0.8)
    assert result.predicted(0.05, 1.3) == pytest.approx(3 / (0.2 + 1.3))


def test_a_pass_over_more_rows_of_a_plain_matrix_product_takes_longer():
    model = Transformer(SMALL)
    assert pass_seconds(model, TEXT, 50) > pass_seconds(model, TEXT, 1)  # by about four times


class Constant:
    """A scout that takes 30 µs for a token, on a clock that ticks every ``step`` µs."""

    def __init__(self, step):
        self.now, self.step, self.vocabulary = 0, step, tuple(ALPHABET)

    def propose(self, prefix, draft_length, rng):
        self.now += 30 * draft_length
        return (0,) * draft_length, np.tile(np.eye(len(ALPHABET))[0], (draft_length, 1))

    def seconds(self):
        self.now += 1
        return self.now // self.step * self.step / 1e6


@pytest.fixture
def on_the_clock_of(monkeypatch):
    """A function that makes a scout's clock the clock; what its smallest step is, is forgotten."""

    def use(scout):
        monkeypatch.setattr(time, "perf_counter", scout.seconds)
        clock.tick.cache_clear()

    yield use
    clock.tick.cache_clear()


@pytest.mark.parametrize("step", [1, 100, 1000])  # as natively, in Chromium, in Firefox
def test_a_coarse_clock_does_not_make_a_cheap_scout_free(on_the_clock_of, step):
    scout = Constant(step)
    on_the_clock_of(scout)
    found = [proposal_seconds(scout, TEXT, 4, None, 1) for _ in range(7)]
    assert all(spent == pytest.approx(30e-6, rel=0.06) for spent in found)


def test_an_interruption_between_two_looks_at_the_clock_is_no_proposal(
    on_the_clock_of, monkeypatch
):
    scout = Constant(1)
    on_the_clock_of(scout)
    clock.tick()
    monkeypatch.setattr(time, "perf_counter", lambda: scout.seconds() * 1000)
    assert proposal_seconds(scout, TEXT, 4, None, 1) > 0


class NowAndThen(Constant):
    """A scout that proposes seven tokens after every fourth text, else none, and takes no time."""

    def propose(self, prefix, draft_length, rng):
        count = 7 * (len(prefix) % 4 == 0)
        return (0,) * count, np.tile(np.eye(len(ALPHABET))[0], (count, 1))


def test_a_race_prices_passes_as_long_as_they_were(on_the_clock_of):
    class Target(Transformer):
        def score(self, prefix, tokens):
            scout.now += 1000 if len(tokens) else 100  # one token more is dear, six more are free
            return super().score(prefix, tokens)

    scout = NowAndThen(1)
    on_the_clock_of(scout)
    result = race(Target(SMALL), scout, [TEXT], 7, 40, repeats=2)
    share = result.drafted_per_pass / 7
    assert 0.1 < share < 0.4
    assert result.verify_ratio == pytest.approx((1 - share) + 10 * share, rel=0.05)


class Remembering(Constant):
    """A scout that takes a hundred times as long after a text that is new to it."""

    def __init__(self, forgets):
        super().__init__(1)
        self.seen, self.forgets = set(), forgets

    def propose(self, prefix, draft_length, rng):
        self.now += 0 if prefix in self.seen else 3000 * draft_length
        self.seen = set() if self.forgets else {*self.seen, prefix}
        return super().propose(prefix, draft_length, rng)


def test_a_race_prices_a_draft_where_it_has_not_been(on_the_clock_of):
    found = []
    for forgets in (True, False):
        scout = Remembering(forgets)
        on_the_clock_of(scout)
        found.append(race(Transformer(SMALL), scout, [TEXT], 3, 24, repeats=2).cost_ratio)
    assert found[0] == pytest.approx(found[1], rel=0.1)


@pytest.mark.parametrize("kind", ["code", "prose"])
def test_passages_are_apart_and_as_long_as_asked(kind):
    found = passages(kind, 3, 200)
    assert [len(one) for one in found] == [200] * 3 and len(set(found)) == 3


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda m: race(m, m, [], 3, 10), "prompts is empty"),
        (lambda m: race(m, m, [TEXT], 3, 0), "n_tokens is 0"),
        (lambda m: race(m, m, [TEXT], 3, 5, repeats=0), "repeats is 0"),
        (lambda m: race(m, m, [TEXT], 0, 5), "draft_length is 0"),
        (lambda m: pass_seconds(m, TEXT, 0), "rows is 0"),
        (lambda m: pass_seconds(m, TEXT[:5], 5), "rows is 5"),
        (lambda m: pass_seconds(m, (3, 99), 1), r"text\[1\] is 99"),
        (lambda m: passages("poems", 1, 10), "kind is 'poems'"),
        (lambda m: passages("prose", 10_000, 200), "count is 10000"),
        (lambda m: Race(1, 1, 1, 2, 3, 0.5).predicted(-1), "cost_ratio is -1"),
        (lambda m: Race(1, 1, 1, 1, 0, 0.5).predicted(1, 0), "verify_ratio is 0"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call(Transformer(SMALL))
