"""The audits on code that was written without a look at them."""

import pytest
from outsiders import RIGHT, WRONG, CoinPool, StaleBuffers, block_normaliser, floored_logs

from specnotes.audit import audit_verifier


def ready(code):
    """The function to audit: of a class, its method on a new object."""
    return code().verify if isinstance(code, type) else code


def name(value):
    return getattr(value, "__name__", "")


@pytest.mark.parametrize("audit, code, kinds", WRONG, ids=name)
def test_a_wrong_one_is_called_wrong_for_the_right_reason(audit, code, kinds):
    report = audit(ready(code))
    assert not report.ok and report.kinds == kinds, str(report)


@pytest.mark.parametrize("audit, code", RIGHT, ids=name)
def test_a_right_one_is_spared(audit, code):
    report = audit(code)
    assert report.ok and report.efficient, str(report)


def test_a_method_is_named_with_its_class():
    assert str(audit_verifier(CoinPool().verify)).startswith("CoinPool.verify: WRONG")


def test_several_rounds_are_told_in_the_counter_example():
    (finding,) = audit_verifier(CoinPool().verify).findings
    assert finding.toy.rounds == 2 and "with 1, then 1 drafted" in finding.message


def test_state_between_calls_comes_with_the_law_that_it_spoilt():
    (finding,) = audit_verifier(StaleBuffers().verify).findings
    assert "right on a fresh object" in str(finding) and "should be P" in finding.message


def test_an_error_of_rounding_does_not_hide_a_large_one():
    (finding,) = audit_verifier(block_normaliser).findings
    assert finding.distance > 0.1


def test_sampled_code_meets_boundary_coins_too():
    report = audit_verifier(floored_logs, detect=0.2)
    (finding,) = report.findings
    assert report.method == "sample" and "target mass is 0" in finding.message
