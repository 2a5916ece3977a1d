"""The exact audits: what they reject, what they spare, and what they say."""

import math
import random
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from specnotes.audit import audit_decoder, audit_draft, audit_models, audit_token, audit_verifier
from specnotes.audit import run as runs
from specnotes.audit.judge import CLOSE, excess, judge, laws
from specnotes.audit.report import (
    ACCEPTANCE,
    BOUNDARY,
    COUNT,
    CRASH,
    IMPURE,
    INPUTS,
    JOINT,
    LENGTH,
    MEANING,
    NAN,
    ONE_TOKEN,
    OPEN,
    ROUNDED,
    STATE,
    STOP,
    UNCLEAR,
    VERDICT,
)
from specnotes.audit.shrink import smaller
from specnotes.audit.tasks import TASKS
from specnotes.broken import MUSEUM
from specnotes.broken.acceptance import or_equal
from specnotes.broken.exhibit import BLOCK, TOKEN
from specnotes.broken.fallbacks import wrong_fallback, zero_over_zero
from specnotes.broken.lookalikes import accept_if_equal, one_hot_draft
from specnotes.broken.loops import acceptance_overcounted, prefix_emitted, runs_past_stop
from specnotes.broken.positions import bonus_from_row_before
from specnotes.broken.scouts import argmax_draft
from specnotes.broken.steps import step_on_draft_only
from specnotes.broken.toys import BASE, Toy, law
from specnotes.broken.variants import block_verification, residual_by_rejection, step_on_both
from specnotes.decode import sample, speculate
from specnotes.laws import draw, residual
from specnotes.verify import verify_block, verify_token


@pytest.mark.parametrize(
    "audit, reference",
    [(audit_token, verify_token), (audit_verifier, verify_block), (audit_decoder, speculate)],
)
def test_the_reference_is_right_and_efficient(audit, reference):
    report = audit(reference)
    assert report.ok and report.efficient and report.findings == ()
    assert report.method == "exact"


# --- each kind of failure has its name


def test_every_kind_is_explained():
    assert {kind for _, _, kind in NAMED} | {ROUNDED, UNCLEAR} == set(MEANING)


def counts_calls(target, draft, token, rng, calls=[]):  # noqa: B006
    calls.append(token)
    return token if len(calls) % 2 else 0, False


def global_generator(target, draft, token, rng):
    return (token, True) if random.random() < 0.5 else verify_token(target, draft, token, rng)


def writes(target, draft, token, rng):
    answer = verify_token(target, draft, token, rng)
    target[0] = 0
    return answer


def swaps_tokens(target, draft, token, rng):
    return draw(target, rng), True


class KeepsResiduals:
    def __init__(self):
        self.kept = {}

    def verify(self, target, draft, token, rng):
        if rng.random() * draft[token] < target[token]:
            return token, True
        return draw(self.kept.setdefault(token, residual(target, draft)), rng), False


OWN = np.random.default_rng(1)
NAMED = [
    (audit_token, wrong_fallback, ONE_TOKEN),
    (audit_verifier, bonus_from_row_before, JOINT),
    (audit_token, accept_if_equal, ACCEPTANCE),
    (audit_token, writes, INPUTS),
    (audit_decoder, prefix_emitted, LENGTH),
    (audit_decoder, runs_past_stop, STOP),
    (audit_token, counts_calls, IMPURE),
    (audit_token, global_generator, IMPURE),
    (audit_token, lambda p, q, x, rng: verify_token(p, q, x, OWN), IMPURE),
    (audit_token, lambda p, q, x, rng: p.nosuch(), CRASH),
    (audit_token, zero_over_zero, NAN),
    (audit_token, lambda p, q, x, rng: (math.nan, False), NAN),
    (audit_decoder, acceptance_overcounted, COUNT),
    (audit_token, lambda p, q, x, rng: x, VERDICT),
    (audit_token, lambda p, q, x, rng: (len(p), False), VERDICT),
    (audit_token, lambda p, q, x, rng: (0.5, False), VERDICT),
    (audit_verifier, lambda p, q, x, rng: (len(x) + 1, 0), VERDICT),
    (audit_decoder, lambda p, q, c, g, n, rng: n, VERDICT),
    (audit_token, or_equal, BOUNDARY),
    (audit_token, KeepsResiduals().verify, STATE),
    (audit_token, lambda p, q, x, rng: ..., OPEN),
]


@pytest.mark.parametrize("audit, function, kind", NAMED)
def test_the_kind_is_named(audit, function, kind):
    report = audit(function)
    assert report.kinds == {kind}, str(report)
    assert report.ok == (kind == ACCEPTANCE)
    assert MEANING[kind] in str(report)


def test_a_token_called_accepted_must_be_the_drafted_one():
    assert COUNT in audit_token(swaps_tokens).kinds


def test_a_scout_and_a_pair_of_models_are_audited_too():
    assert audit_draft(one_hot_draft).ok and not audit_draft(one_hot_draft).efficient
    assert audit_draft(argmax_draft).kinds == {ONE_TOKEN}
    assert audit_models(step_on_both).efficient
    assert ONE_TOKEN in audit_models(step_on_draft_only).kinds


# --- loops and draws that cannot be enumerated


def test_an_endless_loop_of_draws_ends():
    def stubborn(target, draft, token, rng):
        while True:
            if rng.random() > 2:
                return token, True

    report = audit_token(stubborn, toys=[Toy("base", *BASE)])
    assert report.kinds == {UNCLEAR} and "endless loop" in str(report)


def test_an_endless_loop_without_draws_ends(monkeypatch):
    monkeypatch.setattr(runs, "SECONDS", 0.2)

    def stuck(target, draft, token, rng):
        while True:
            pass

    report = audit_token(stuck)
    assert report.kinds == {UNCLEAR} and "endless loop" in str(report)


def test_a_loop_that_ends_with_probability_one_is_judged_as_far_as_it_is_explored():
    report = audit_token(residual_by_rejection)
    assert report.efficient
    assert "loops without bound (6 with at most 0.001 of the mass unexplored" in report.covered


def test_a_wrong_loop_gets_a_lower_bound():
    def careless(target, draft, token, rng):
        if rng.random() * draft[token] < target[token]:
            return token, True
        while True:
            token = draw(target, rng)
            if target[token] > draft[token]:  # any of them, as often as the target has it
                return token, False

    report = audit_token(careless, toys=[Toy("three owed", law(4, 4, 2, 0), law(1, 2, 1, 6))])
    (finding,) = report.findings
    assert finding.kind == ONE_TOKEN and finding.distance > Fraction(1, 50)


def gumbel(target, draft, token, rng):
    if rng.random() * float(draft[token]) < target[token]:
        return token, True
    with np.errstate(divide="ignore"):
        logits = np.log(residual(target, draft).astype(float))
    return int(np.argmax(logits + rng.gumbel(size=len(logits)))), False


def test_noise_without_finite_branching_is_refused_by_the_exact_method():
    report = audit_token(gumbel, method="exact")
    assert report.kinds == {UNCLEAR} and "rng.gumbel" in str(report)


def test_noise_without_finite_branching_is_sampled_otherwise():
    report = audit_token(gumbel)
    assert report.ok and report.method == "sample"
    assert "sampled, because" in str(report) and "rng.gumbel" in str(report)


# --- how strangers write


def in_floats(p, q, x, rng):
    p, q = np.asarray(p, float), np.asarray(q, float)
    if math.log(p[x] or 1e-300) - math.log(q[x]) > np.log(rng.random()) and p[x] > 0:
        return x, True
    owed = np.maximum(p - q, 0)
    if np.isclose(owed.sum(), 0, atol=1e-15):
        owed = p
    return rng.choice(len(p), p=owed / owed.sum()), False


def test_float_only_code_is_run_in_floats():
    report = audit_token(in_floats)
    assert report.efficient, str(report)
    assert "in floats to 1e-12" in report.covered


def test_single_precision_passes_with_a_note():
    def single(p, q, x, rng):
        p, q = np.asarray(p, np.float32), np.asarray(q, np.float32)
        if rng.random() * q[x] < p[x]:
            return x, True
        cumulative = np.cumsum(np.maximum(p - q, 0) if (p > q).any() else p, dtype=float)
        coin = rng.random() * cumulative[-1]
        return int(np.searchsorted(cumulative, coin, side="right")), False

    report = audit_token(single)
    assert report.ok and any("single precision" in note for note in report.notes), str(report)


def widened(p, q, x, rng):
    """Computes in float32, and is back in float64 before it tosses a coin."""
    p, q = np.asarray(p, np.float32), np.asarray(q, np.float32)
    if rng.random() < float(p[x] / q[x]):
        return x, True
    owed = np.maximum(p - q, 0)
    law = (owed / owed.sum() if owed.any() else p).astype(np.float64)
    cumulative = law.cumsum()
    return int(np.searchsorted(cumulative, rng.random() * cumulative[-1], side="right")), False


def test_rounding_of_float32_is_called_so_and_not_a_wrong_rule():
    report = audit_token(widened)
    assert report.kinds == {ROUNDED} and not report.ok, str(report)
    assert "single precision" in str(report) and "WRONG" not in str(report)
    assert 1e-9 < report.findings[0].distance < 1e-6


def test_rounding_of_float32_passes_if_you_say_how_much_may():
    report = audit_token(widened, tolerance=1e-6)
    assert report.ok and any("1e-06 pass, as you asked" in note for note in report.notes)


def test_a_wrong_rule_in_float32_is_wrong():
    def to_the_target(p, q, x, rng):
        token, accepted = widened(p, q, x, rng)
        return (token, True) if accepted else (int(rng.choice(len(p), p=p)), False)

    assert ROUNDED not in audit_token(to_the_target).kinds


def test_a_tolerance_is_a_distance_and_samples_have_none():
    for settings in (
        {"tolerance": -1},
        {"tolerance": 1e-6, "method": "sample", "rng": np.random.default_rng(0)},
    ):
        with pytest.raises(ValueError, match="tolerance is"):
            audit_token(widened, **settings)


def test_a_coin_in_single_precision_can_be_1():
    def single(p, q, x, rng):
        p, q = np.asarray(p, np.float32), np.asarray(q, np.float32)
        if rng.random() * q[x] < p[x]:
            return x, True
        cumulative = np.cumsum(np.maximum(p - q, 0) if (p > q).any() else p)
        coin = rng.random() * cumulative[-1]  # float32: just below 1 becomes 1
        return int(np.searchsorted(cumulative, coin, side="right")), False

    assert audit_token(single).kinds == {BOUNDARY}


SMALL = [1e-8, 1e-9, 1e-10, 1e-11]


@pytest.mark.parametrize("epsilon", SMALL)
def test_an_epsilon_in_the_ratio_is_found(epsilon):
    def padded(p, q, x, rng):
        if rng.random() < p[x] / (q[x] + epsilon):
            return x, True
        return draw(residual(p, q), rng), False

    (finding,) = audit_token(padded).findings
    assert finding.kind == ONE_TOKEN and finding.distance < 10 * epsilon


@pytest.mark.parametrize("epsilon", SMALL)
def test_an_epsilon_under_the_residuals_sum_is_found(epsilon):
    def clamped(p, q, x, rng):
        if rng.random() * q[x] < p[x]:
            return x, True
        owed = np.maximum(np.asarray(p - q, float), 0)
        coin = rng.random()
        below = coin * (owed.sum() + epsilon) < np.cumsum(owed)
        return int(np.argmax(below)) if below.any() else len(p) - 1, False

    report = audit_token(clamped)
    assert not report.ok and ONE_TOKEN in report.kinds


@pytest.mark.parametrize("bits", [16, 24, 30])
def test_a_threshold_of_few_bits_is_found(bits):
    def quantised(p, q, x, rng):
        if x != 0 and rng.random() < int(float(p[x] / q[x]) * 2**bits) / 2**bits:
            return x, True
        if x == 0 and rng.random() * q[x] < p[x]:
            return x, True
        return draw(residual(p, q), rng), False

    report = audit_token(quantised)  # from 24 bits on no coarser than float32
    assert not report.ok and report.kinds == {ROUNDED if bits >= 24 else ONE_TOKEN}, str(report)


def test_the_rounding_of_right_float_code_is_far_below_the_tolerance():
    """The largest error that rounding makes, on any toy, of any right exhibit run in floats."""
    worst = 0
    for exhibit in MUSEUM:
        if exhibit.innocent and exhibit.kind in (TOKEN, BLOCK) and "rejection" not in exhibit.name:
            task = TASKS[exhibit.kind](exhibit.function)
            for toy in (toy.as_float() for toy in task.toys):
                one = runs.run(task.build, toy)
                if all(outcome.tokens is not None for outcome in one.law):
                    expected, actual = laws(one, toy, task)
                    worst = max(worst, excess(actual, expected))
    assert 0 < worst < CLOSE / 1000


def test_an_epsilon_on_tokens_that_the_target_never_emits_does_not_pass():
    def padded(p, q, x, rng):
        if rng.random() * q[x] < p[x]:
            return x, True
        owed = np.maximum(p - q, 0).astype(float) + 1e-9
        return draw(owed / owed.sum(), rng), False

    assert not audit_token(padded).ok


def test_a_draw_past_the_end_by_rounding_is_a_note():
    def unscaled(p, q, x, rng):
        p, q = np.asarray(p, float), np.asarray(q, float)
        if rng.random() * q[x] < p[x]:
            return x, True
        owed = np.maximum(p - q, 0) if (p > q).any() else p
        return int(np.searchsorted(np.cumsum(owed / owed.sum()), rng.random(), side="right")), False

    report = audit_token(unscaled)
    assert report.ok and any("past the end" in note for note in report.notes), str(report)


def test_tokens_may_be_wanted_as_an_array():
    def strict(target_laws, draft_laws, tokens, rng):
        assert tokens.shape == (len(draft_laws),)
        return verify_block(target_laws, draft_laws, tokens.tolist(), rng)

    assert audit_verifier(strict).efficient


def test_answers_may_be_numbers_of_numpy():
    def boxed(target_laws, draft_laws, tokens, rng):
        return np.array(verify_block(target_laws, draft_laws, tokens, rng))

    assert audit_verifier(boxed).efficient


@pytest.mark.parametrize("container", [list, np.array, tuple])
def test_a_decoder_may_return_its_tokens_alone(container):
    def decoder(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
        return container(sample(target, prefix, n_tokens, rng, stop))

    report = audit_decoder(decoder)
    assert report.ok, str(report)


def test_a_decoder_without_stop_is_not_asked_to_stop():
    def decoder(target, draft, prefix, draft_length, n_tokens, rng):
        return speculate(target, draft, prefix, draft_length, n_tokens, rng)

    assert audit_decoder(decoder).ok


def test_a_partial_has_a_name():
    assert "verify_token" in str(audit_token(partial(verify_token)))


def test_block_verification_is_right_and_efficient():
    assert audit_verifier(block_verification).efficient


# --- the counter-example


def test_the_wrong_fallback_gets_its_smallest_counter_example():
    (finding,) = audit_token(wrong_fallback).findings
    assert finding.toy.size == 2
    assert finding.distance == Fraction(1, 4)  # the worst there is
    assert finding.expected == {(0,): Fraction(1, 2), (1,): Fraction(1, 2)}
    assert finding.actual == {(0,): Fraction(1, 4), (1,): Fraction(3, 4)}
    assert str(finding).splitlines()[1:] == [
        "  at target (1/2, 1/2); draft (0, 1)",
        "  should be P(0) = 1/2, P(1) = 1/2; is P(0) = 1/4, P(1) = 3/4; distance 1/4",
    ]


@pytest.mark.parametrize(
    "kind, function", [("token", wrong_fallback), ("block", bonus_from_row_before)]
)
def test_nothing_smaller_fails(kind, function):
    task = TASKS[kind](function)
    for finding in runs.audit(task).findings:
        for toy in smaller(finding.toy):
            found = judge(runs.run(task.build, toy), toy, task, 0)
            assert finding.kind not in {other.kind for other in found}, str(toy)


def test_own_settings_replace_the_usual_ones():
    equal = Toy("equal", law(1, 1), law(1, 1))
    assert audit_token(wrong_fallback, toys=[equal]).ok
    assert audit_token(wrong_fallback, toys=[equal, Toy("base", *BASE)]).kinds == {ONE_TOKEN}


def test_a_boundary_coin_is_shown():
    (finding,) = audit_token(or_equal).findings
    assert "when rng.random() gives 0.0" in finding.message
    assert "target mass is 0" in finding.message


def test_the_report_says_what_was_covered():
    text = str(audit_verifier(verify_block))
    assert text.startswith("verify_block: no counter-example (")
    assert " cases, " in text and " paths of coins" in text and " of boundary coins" in text


def test_two_audits_agree():
    assert str(audit_token(wrong_fallback)) == str(audit_token(wrong_fallback))


def test_a_verifier_may_ask_for_a_numpy_generator():
    def asks(target, draft, token, rng):
        if not isinstance(rng, np.random.Generator):
            raise TypeError("rng must be a Generator")
        return verify_token(target, draft, token, rng)

    assert audit_token(asks).ok
