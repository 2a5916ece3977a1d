"""The statistical audit: its size, its false alarms, its power, and other people's signatures."""

import re
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from specnotes.audit import audit_decoder, audit_token, audit_verifier, from_hf, from_row_api
from specnotes.audit.cases import SAMPLE_TOYS
from specnotes.audit.report import (
    ACCEPTANCE,
    COUNT,
    CRASH,
    IMPURE,
    INPUTS,
    JOINT,
    ONE_TOKEN,
    STOP,
)
from specnotes.audit.sample import LOOKS, _halves, make_plan
from specnotes.broken.acceptance import two_coins
from specnotes.broken.fallbacks import wrong_fallback
from specnotes.broken.lookalikes import accept_if_equal, draft_ignored
from specnotes.broken.loops import acceptance_overcounted, runs_past_stop
from specnotes.broken.positions import rows_overwritten
from specnotes.broken.reused_coins import one_coin_for_the_block
from specnotes.broken.toys import BASE, Toy
from specnotes.broken.variants import block_verification
from specnotes.decode import speculate
from specnotes.laws import draw
from specnotes.verify import verify_block, verify_token

GOOD_DRAFT = Toy(  # the wrong fallback is off by 1 % here
    "good draft", BASE[0], Fraction(14, 15) * BASE[0] + Fraction(1, 15) * BASE[1]
)


def sampled(audit, function, seed=0, **settings):
    settings = {"detect": 0.1} | settings
    return audit(function, method="sample", rng=np.random.default_rng(seed), **settings)


def with_own_generator(verify, seed=0):
    own = np.random.default_rng(seed)
    return lambda p, q, x, rng: verify(p, q, x, own)


# --- verdicts


@pytest.mark.parametrize(
    "audit, reference",
    [(audit_token, verify_token), (audit_verifier, verify_block), (audit_decoder, speculate)],
)
def test_the_reference_is_right_and_efficient(audit, reference):
    assert sampled(audit, reference).efficient


@pytest.mark.parametrize(
    "audit, wrong, kind",
    [
        (audit_token, wrong_fallback, ONE_TOKEN),
        (audit_verifier, one_coin_for_the_block, JOINT),
        (audit_verifier, rows_overwritten, INPUTS),
        (audit_decoder, runs_past_stop, STOP),
        (audit_decoder, acceptance_overcounted, COUNT),
        (audit_token, accept_if_equal, ACCEPTANCE),
        (audit_token, lambda p, q, x, rng: 1 / 0, CRASH),
    ],
)
def test_a_wrong_one_is_named(audit, wrong, kind):
    report = sampled(audit, wrong, detect=0.05)
    assert report.kinds == {kind}
    assert report.ok == (kind == ACCEPTANCE)


def second_coin(target_laws, draft_laws, tokens, rng):
    """From the second position on an accepted token needs another coin; the law stays right."""
    for i, token in enumerate(tokens):
        p, q = target_laws[i], draft_laws[i]
        token, accepted = two_coins(p, q, token, rng) if i else verify_token(p, q, token, rng)
        if not accepted:
            return i, token
    return len(tokens), draw(target_laws[-1], rng)


def test_too_little_kept_is_seen_in_longer_blocks():
    report = sampled(audit_verifier, second_coin, detect=0.05)
    assert report.ok and report.kinds == {ACCEPTANCE}
    assert "drafted tokens on average; the overlap allows" in str(report)


def test_passes_of_a_decoder_are_counted_too():
    def draft_nothing_of_use(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
        return speculate(
            target, draft, prefix, draft_length, n_tokens, rng, verify=draft_ignored, stop=stop
        )

    report = sampled(audit_decoder, draft_nothing_of_use)
    assert report.ok and report.kinds == {ACCEPTANCE}


def test_block_verification_keeps_enough():
    assert sampled(audit_verifier, block_verification).efficient


def test_code_with_a_generator_of_its_own_can_be_sampled():
    assert audit_token(with_own_generator(verify_token)).kinds == {IMPURE}
    assert sampled(audit_token, with_own_generator(verify_token)).ok
    assert sampled(audit_token, with_own_generator(wrong_fallback)).kinds == {ONE_TOKEN}


def test_code_in_single_precision_can_be_sampled():
    def single(target, draft, token, rng):
        target, draft = np.asarray(target, np.float32), np.asarray(draft, np.float32)
        return verify_token(target, draft, token, rng)

    assert sampled(audit_token, single).ok


def test_the_same_seed_gives_the_same_report():
    assert str(sampled(audit_token, wrong_fallback)) == str(sampled(audit_token, wrong_fallback))


def test_the_report_says_what_would_have_been_missed():
    text = str(sampled(audit_token, verify_token, detect=0.1))
    assert re.search(r"[\d,]+ samples on \d cases, \d+ binomial tests; an error of 0.1 ", text)


def test_a_gross_mistake_is_found_at_the_first_look():
    reports = (sampled(audit_token, f, detect=0.05) for f in (wrong_fallback, verify_token))
    samples, whole = (int(r.covered.split()[0].replace(",", "")) for r in reports)
    assert samples * 10 < whole


@pytest.mark.parametrize(
    "settings",
    [{}, {"rng": None}, {"rng": np.random}, {"rng": np.random.default_rng(0), "detect": 0}],
)
def test_settings_that_make_no_sense_are_refused(settings):
    with pytest.raises(ValueError, match="rng|detect"):
        audit_token(verify_token, method="sample", **settings)


def test_an_unknown_method_is_refused():
    with pytest.raises(ValueError, match="method is 'guess'"):
        audit_token(verify_token, method="guess")


# --- size, power and false alarms


@pytest.mark.parametrize("detect", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("tests, power", [(17, 0.99), (703, 0.99), (703, 0.9)])
def test_the_sample_size_gives_the_stated_power(detect, tests, power):
    """Exact binomial power of one event, whatever its probability, at the last look."""
    plan = make_plan(tests, 1e-6, detect, power)
    n, level = plan.samples, plan.level * LOOKS[-1][1]
    for chance in (0.05, 0.3, 0.5, 0.5 - detect / 2):
        critical = binom.isf(level / 2, n, chance) + 1
        assert binom.sf(critical - 1, n, chance + detect) > power - 0.01


def test_the_looks_share_the_false_alarms():
    assert sum(spent for _, spent in LOOKS) == pytest.approx(1)
    assert LOOKS[-1][0] == 1


def test_every_event_is_tested_once():
    events = list(_halves(range(5)))
    whole = frozenset(range(5))
    either = {frozenset(event) for event in events} | {whole - set(event) for event in events}
    assert len(events) == 2**4 - 1 and len(either) == 2**5 - 2


@pytest.mark.slow
def test_false_alarms_are_as_rare_as_stated():
    """2,000 runs at 5 %: more than the bound has probability below 1e-6."""
    rng = np.random.default_rng(1)
    alarms = sum(
        not audit_token(verify_token, "sample", rng=rng, false_alarm=0.05, detect=0.3).efficient
        for _ in range(2000)
    )
    assert alarms <= binom.isf(1e-6, 2000, 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_the_wrong_fallback_is_found_behind_a_good_draft(seed):
    """At an error of 1 % each run finds it with probability .99."""
    report = sampled(audit_token, wrong_fallback, seed, detect=0.01, toys=[GOOD_DRAFT])
    assert report.kinds == {ONE_TOKEN}


def test_the_good_draft_hides_one_per_cent():
    report = audit_token(wrong_fallback, toys=[GOOD_DRAFT])
    assert audit_token(verify_token, toys=[GOOD_DRAFT]).ok
    assert report.kinds == {ONE_TOKEN}


# --- other people's signatures


def hf_style(ids, logits, length, new_logits, is_done_candidate):
    """The one-token rule in the signature of Transformers, in NumPy with its own generator."""
    q, p = np.exp(logits[0]), np.exp(new_logits[0])
    accepted, token = verify_block(p, q, [int(i) for i in ids[0]], HF_RNG)
    return np.array([[*ids[0][:accepted], token]]), accepted


HF_RNG = np.random.default_rng(5)


def row_style(draft_token_ids, draft_probs, target_probs, bonus_token_ids, rng):
    (tokens,), (q,), (p,) = draft_token_ids, draft_probs, target_probs
    row = [-1] * (len(tokens) + 1)
    for i, token in enumerate(tokens):
        row[i], accepted = verify_token(p[i], q[i], int(token), rng)
        if not accepted:
            return [row]
    row[-1] = bonus_token_ids[0][0]
    return [row]


def test_from_hf_wraps_the_signature_of_transformers():
    assert sampled(audit_verifier, from_hf(hf_style, np.array)).ok


def test_from_hf_lets_a_mistake_through_to_the_audit():
    def full(ids, logits, length, new_logits):
        valid, _ = hf_style(ids, logits, length, new_logits, False)
        return np.array([[*ids[0], valid[0, -1]]]), length

    assert sampled(audit_verifier, from_hf(full, np.array)).kinds == {ONE_TOKEN}


def test_from_row_api_is_audited_exactly_if_it_takes_rng():
    report = audit_verifier(from_row_api(row_style))
    assert report.efficient


def test_from_row_api_refuses_a_row_that_is_not_of_the_draft():
    def shuffled(draft_token_ids, draft_probs, target_probs, bonus_token_ids):
        return [[(1 + draft_token_ids[0][0]) % 2, bonus_token_ids[0][0]]]

    report = audit_verifier(from_row_api(shuffled), toys=[SAMPLE_TOYS[0]])
    assert CRASH in report.kinds and "not a part of the draft" in str(report)
