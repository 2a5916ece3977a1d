"""Exhibits × tests and checks: mistakes are refused wherever they are claimed, right ones spared.

Everything here but the smallest counter-examples: to shrink them changes no verdict.
"""

import ast
import re
import time
from functools import cache
from pathlib import Path

import pytest
from build_kill_matrix import page

from specnotes import checks
from specnotes.audit import run
from specnotes.audit.battery import TESTS
from specnotes.audit.matrix import as_markdown, as_verifier, audit_exhibit, kill_matrix
from specnotes.broken import MUSEUM
from specnotes.broken.exhibit import (
    BLOCK,
    BOUNDARY,
    CONTEXT,
    DECODER,
    DRAFT,
    JOINT,
    KEPT,
    LEDGER,
    MODEL,
    ROUNDING,
    TOKEN,
)
from specnotes.checks import sly_verifier
from specnotes.checks.matrix import CLAIMS, check_matrix

WRONG = [exhibit for exhibit in MUSEUM if not exhibit.innocent]
RIGHT = [exhibit for exhibit in MUSEUM if exhibit.innocent]
named = {"ids": lambda exhibit: exhibit.name}
ASKED = [(name, e) for name, claim in CLAIMS.items() for e in MUSEUM if claim.asks(e)]


SPENT = []  # seconds of one core, test by test
ONE_CORE = 90  # seconds for all of it


@pytest.fixture(scope="module", autouse=True)
def each_law_once():
    """No exhibit is run twice on the same toy, whatever asks."""
    with run.remembering():
        yield


@pytest.fixture(autouse=True)
def unshrunk(monkeypatch):
    monkeypatch.setattr(run, "_shrunk", lambda finding, *_: finding)
    start = time.process_time()
    yield
    SPENT.append(time.process_time() - start)


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


@pytest.mark.parametrize(
    "check, exhibit", ASKED, ids=[f"{name}-{exhibit.name}" for name, exhibit in ASKED]
)
def test_a_check_refuses_what_it_claims_and_nothing_else(check, exhibit):
    assert CLAIMS[check].refuses(exhibit) == CLAIMS[check].must_refuse(exhibit)


def test_no_right_verifier_is_called_sly(capsys):
    right = [exhibit for exhibit in RIGHT if exhibit.kind == BLOCK]
    assert right and not any(sly_verifier(exhibit.function).ok for exhibit in right)


def test_what_shows_in_a_law_or_in_what_is_kept_is_claimed_by_a_check():
    """Most models are audited alone: no exercise asks for one."""
    claimed = {e.name for name, e in ASKED if CLAIMS[name].must_refuse(e)}
    asked = [e for e in WRONG if e.kind in (TOKEN, BLOCK, DECODER)]
    hidden = BOUNDARY, ROUNDING, LEDGER
    assert {e.name for e in asked if e.needs not in hidden} <= claimed
    scouts = [e for e in WRONG if e.kind == DRAFT and e.needs not in (JOINT, CONTEXT)]
    assert {e.name for e in scouts} <= claimed


def test_what_passes_a_check_is_named_for_a_reason():
    for claim in CLAIMS.values():
        passes = [e for e in MUSEUM if claim.asks(e) and not e.innocent]
        named = {e.name for e in passes} | {e.needs for e in passes}
        assert claim.blind.keys() <= named and all(claim.blind.values())


# Checks that no exhibit can be handed to, and why.
A_NUMBER = "it asks for numbers or an expression"
A_FORMULA = "it asks for a function of numbers or of laws, without rng"
WORDS = "it asks for letters, words or names"
NOT_ASKED = {
    "battery": "it asks for a test; the exhibits are what the test is tried on",
    "shared_coin_test": "it asks for a test; the exhibits are what the test is tried on",
    "sly_verifier": "it asks for a wrong one; the right ones are tried below",
    "cut": "it asks for the last step of a round alone",
    "rollback": "it asks for a cache; a decoder with a wrong one goes through whole_decoder",
    "positions": "it asks for positions in a cache, which are numbers",
    "length_by_context": "it asks for a length, which moves no law",
    "look_up": "it asks for a copy of the prefix, which is no matter of chance",
    "hire": "it asks for a name",
    "no_rule_keeps_more": "it asks for prices that prove a bound, not for a rule",
    "worst_pair": "it asks for two laws, which any verifier would be handed",
    **dict.fromkeys(
        ["exact_but_slow", "ledger_puzzle", "oracle", "pair_by_hand", "printed_numbers", "report"]
        + ["frugal_fallback", "published_proof", "wrong_fallback_bias"],
        A_NUMBER,
    ),
    **dict.fromkeys(
        ["best_draft_length", "draws_needed", "fastest_length", "floor_after", "hiding_share"]
        + ["interpolated", "law_after", "sequence_probability", "speedup", "suspicious"]
        + ["temperature", "tokens_per_round", "top_p"],
        A_FORMULA,
    ),
    **dict.fromkeys(
        ["blind_tests", "named_mistakes", "suspects", "traced_round", "words_in_round"], WORDS
    ),
}


def test_each_check_is_in_the_matrix_or_cannot_be_asked_about_an_exhibit():
    graders = set(checks.__all__) - {"Result"}
    assert graders == CLAIMS.keys() | NOT_ASKED.keys()
    assert not CLAIMS.keys() & NOT_ASKED.keys()


@pytest.mark.parametrize("check", NOT_ASKED)
def test_a_check_outside_the_matrix_has_its_own_test_with_wrong_answers(check):
    call, refused = (
        re.compile(rf"\b(?!yields)\w+\.{check}\("),
        re.compile(r"refuse[sd]\(|not \w+\.ok"),
    )
    assert any(call.search(test) and refused.search(test) for test in _tests_of_checks())


@cache
def _tests_of_checks():
    """The source of each test of the checks."""
    files = Path(__file__).parent.glob("test_checks_*.py")
    nodes = [node for file in files for node in ast.parse(file.read_text("utf-8")).body]
    tests = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    return [ast.unparse(node) for node in tests if node.name.startswith("test_")]


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


def test_a_token_verifier_keeps_its_name():
    (exhibit,) = (e for e in MUSEUM if e.name == "wrong fallback")
    assert as_verifier(exhibit).__qualname__ == exhibit.function.__qualname__


def test_greedy_equality_sees_a_bonus_token_from_the_wrong_row():
    (exhibit,) = (e for e in MUSEUM if e.name == "bonus from the row before")
    assert TESTS["greedy equality"](exhibit)


def test_the_page_is_made_of_what_the_tests_and_checks_say():
    tests, claims = {"length": TESTS["length"]}, {"penalised_rows": CLAIMS["penalised_rows"]}
    lines = page(tests, claims, MUSEUM).splitlines()
    cells = [line.split(" | ")[0].strip("| ") for line in lines if line.startswith("|")]
    assert [cells.count(e.name) for e in MUSEUM] == [1 + (e.kind == MODEL) for e in MUSEUM]
    assert "| no step at all | ✗ |" in lines and "| step on both |  |" in lines


def test_a_question_that_was_not_asked_has_a_mark_of_its_own():
    assert as_markdown({"x": {"a": True, "b": False, "c": None}}).endswith("| x | ✗ |  | – |")


def test_the_check_matrix_has_a_column_for_each_check():
    (exhibit,) = (e for e in MUSEUM if e.name == "no step at all")
    matrix = check_matrix(exhibits=[exhibit])
    assert matrix == {exhibit.name: dict.fromkeys(CLAIMS) | {"penalised_rows": True}}


def test_all_of_it_takes_less_than_ninety_seconds_of_one_core():
    assert sum(SPENT) < ONE_CORE, f"{len(SPENT)} tests took {sum(SPENT):.0f} s"
