"""Exhibits × tests: every mistake is caught by the audit of its kind, every right one is spared."""

import pytest

from specnotes.audit.battery import TESTS
from specnotes.audit.matrix import as_markdown, audit_exhibit, kill_matrix
from specnotes.broken import MUSEUM
from specnotes.broken.exhibit import KEPT

WRONG = [exhibit for exhibit in MUSEUM if not exhibit.innocent]
RIGHT = [exhibit for exhibit in MUSEUM if exhibit.innocent]
named = {"ids": lambda exhibit: exhibit.name}


@pytest.mark.parametrize("exhibit", WRONG, **named)
def test_the_audit_rejects_it(exhibit):
    report = audit_exhibit(exhibit)
    assert not report.efficient
    assert report.ok == (exhibit.needs == KEPT), str(report)


@pytest.mark.parametrize("exhibit", RIGHT, **named)
def test_the_audit_spares_it(exhibit):
    report = audit_exhibit(exhibit)
    assert report.ok, str(report)


def test_right_variants_are_efficient():
    for exhibit in RIGHT:
        if "variants" in exhibit.function.__module__:
            assert audit_exhibit(exhibit).efficient, exhibit.name


def test_the_museum_holds_what_it_should():
    assert len(WRONG) >= 70 and len(RIGHT) >= 20
    assert {exhibit.kind for exhibit in WRONG} == {exhibit.kind for exhibit in RIGHT}


def test_no_test_of_the_battery_calls_a_right_verifier_wrong():
    prices = {"acceptance count", "audit: wasteful"}
    matrix = kill_matrix({k: t for k, t in TESTS.items() if k not in prices}, RIGHT)
    assert not [(name, row) for name, row in matrix.items() if any(row.values())]


def test_each_popular_test_is_blind_to_something():
    strong = {"audit: wrong", "audit: wasteful"}
    matrix = kill_matrix({k: t for k, t in TESTS.items() if k not in strong}, WRONG)
    for test in TESTS.keys() - strong:
        assert 0 < sum(row[test] for row in matrix.values()) < len(WRONG), test


def test_greedy_equality_does_not_see_the_wrong_fallback():
    (exhibit,) = (e for e in MUSEUM if e.name == "wrong fallback")
    assert not TESTS["greedy equality"](exhibit)


def test_the_table_has_a_row_for_each_exhibit():
    some = {"inputs unchanged": TESTS["inputs unchanged"]}
    table = as_markdown(kill_matrix(some, WRONG[:3])).splitlines()
    assert len(table) == 2 + 3 and table[0].count("|") == table[2].count("|")
