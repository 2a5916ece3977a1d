"""The exact audits: what they reject, what they spare, and what they say."""

from fractions import Fraction

import numpy as np
import pytest

from specnotes.audit import audit_decoder, audit_token, audit_verifier
from specnotes.audit.report import IMPURE, INPUTS, ONE_TOKEN
from specnotes.decode import speculate
from specnotes.laws import draw
from specnotes.verify import verify_block, verify_token


def wrong_fallback(target, draft, token, rng):
    if rng.random() * draft[token] < target[token]:
        return token, True
    return draw(target, rng), False


@pytest.mark.parametrize(
    "audit, reference",
    [(audit_token, verify_token), (audit_verifier, verify_block), (audit_decoder, speculate)],
)
def test_the_reference_is_right_and_efficient(audit, reference):
    report = audit(reference)
    assert report.ok and report.efficient and report.findings == ()


def test_the_wrong_fallback_gets_its_smallest_counter_example():
    report = audit_token(wrong_fallback)
    (finding,) = report.findings
    assert not report.ok and finding.kind == ONE_TOKEN
    assert finding.toy.size == 2
    assert finding.distance == Fraction(1, 4)  # the worst there is


def test_a_modified_input_is_named():
    def careless(target, draft, token, rng):
        answer = verify_token(target, draft, token, rng)
        target[0] = 0
        return answer

    assert audit_token(careless).kinds == {INPUTS}


def test_a_generator_of_its_own_is_named():
    own = np.random.default_rng(1)

    def stubborn(target, draft, token, rng):
        return verify_token(target, draft, token, own)

    assert audit_token(stubborn).kinds == {IMPURE}
