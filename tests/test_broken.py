"""The museum: every exhibit's figure comes out exactly, and every mistake hides where it says."""

from dataclasses import replace
from fractions import Fraction as F
from math import exp

import pytest

from specnotes.audit.battery import TESTS
from specnotes.audit.judge import laws, shortened
from specnotes.audit.matrix import TASKS, bias
from specnotes.audit.run import run
from specnotes.broken import MUSEUM
from specnotes.broken.exhibit import (
    BOUNDARY,
    CONTEXT,
    INPUTS,
    JOINT,
    KEPT,
    LEDGER,
    LENGTH,
    LONGER,
    NOTHING,
    ONE_TOKEN,
    REPLAY,
    ROUNDING,
    STOP,
)
from specnotes.broken.toys import BASE, SECOND, Toy, law
from specnotes.exact import decoder_law, distance, sequence_law

NAMED = {exhibit.name: exhibit for exhibit in MUSEUM}
LAW_IS_RIGHT = {BOUNDARY, INPUTS, KEPT, LEDGER, LENGTH, NOTHING, ROUNDING, STOP}
base, second = Toy("base", *BASE), Toy("second", *SECOND)
each = pytest.mark.parametrize("exhibit", MUSEUM, ids=lambda exhibit: exhibit.name)


def law_of_tokens(name, toy=None, **changes):
    """What the exhibit emits on a toy: first tokens as a tuple of probabilities."""
    exhibit = NAMED[name]
    toy = replace(toy or exhibit.toy, **changes)
    task = TASKS[exhibit.kind](exhibit.function)
    _, actual = laws(run(task.build, toy), toy, task)
    return actual


def first_token(name, toy=None, **changes):
    actual = shortened(law_of_tokens(name, toy, **changes), 1)
    size = (toy or NAMED[name].toy).size
    return tuple(actual.get((token,), 0) for token in range(size))


def kept(name, toy):
    exhibit = NAMED[name]
    law = run(TASKS[exhibit.kind](exhibit.function).build, toy).law
    return sum(mass * outcome.kept for outcome, mass in law.items())


def distance_of_prefixes(name, length, toy):
    exhibit = NAMED[name]
    task = TASKS[exhibit.kind](exhibit.function)
    right, wrong = (shortened(x, length) for x in laws(run(task.build, toy), toy, task))
    return sum(abs(right.get(x, 0) - wrong.get(x, 0)) for x in right.keys() | wrong.keys()) / 2


# --- every exhibit


@pytest.mark.parametrize("exhibit", [e for e in MUSEUM if e.needs != REPLAY], ids=lambda e: e.name)
def test_the_declared_bias_is_the_enumerated_one(exhibit):
    exact = exhibit.toy.is_exact and not isinstance(exhibit.bias, float)
    assert bias(exhibit) == (exhibit.bias if exact else pytest.approx(exhibit.bias, abs=1e-14))


@each
def test_an_exhibit_says_what_is_wrong_and_where_it_was_met(exhibit):
    assert exhibit.diagnosis.endswith(".") and len(exhibit.diagnosis) <= 95
    assert exhibit.reported
    assert (exhibit.bias == 0) == (
        exhibit.needs in LAW_IS_RIGHT | {REPLAY}
    ) or "NaN" in exhibit.name


def test_names_are_unique():
    assert len(NAMED) == len(MUSEUM)


@each
def test_a_lesser_observation_does_not_show_it(exhibit):
    blind = {
        LONGER: ["first token, γ = 1", "pairs, no context"],
        JOINT: ["first token, γ = 1", "first token, γ = 3"],
        CONTEXT: ["first token, γ = 1", "first token, γ = 3", "pairs, no context"],
    }
    law_tests = ["first token, γ = 1", "pairs, no context", "pairs and triples, contexts"]
    for test in blind.get(exhibit.needs, law_tests if exhibit.needs in LAW_IS_RIGHT else []):
        assert not TESTS[test](exhibit), test


def test_a_first_token_is_wrong_wherever_one_token_is_said_to_show_it():
    for exhibit in MUSEUM:
        if exhibit.needs == ONE_TOKEN:
            seen = TESTS["first token, γ = 1"](exhibit) or TESTS["zeros, ties, equal laws"](exhibit)
            assert seen, exhibit.name


# --- the figures of the classes reported in public


def test_wrong_fallback():
    assert first_token("wrong fallback") == (F(14, 100), F(54, 100), F(32, 100))
    assert first_token("wrong fallback", base) == (F(7, 20), F(39, 100), F(13, 50))


def test_softmax_of_the_residual():
    third = exp(0.3) / (exp(0.3) + 2)
    expected = (0.2 + 0.3 * third, 0.3 + 0.15 * (1 - third), 0.2 + 0.15 * (1 - third))
    assert first_token("softmax of the residual") == pytest.approx(expected, abs=1e-12)


def test_always_accept_emits_the_draft():
    assert first_token("always accept") == tuple(BASE[1])


def test_argmax_draft_with_a_soft_law():
    assert first_token("argmax draft, soft law", base) == (F(3, 5), 0, F(2, 5))
    assert first_token("argmax draft, soft law", second) == (F(1, 5), F(3, 5), F(1, 5))


def test_top_k_draft_with_a_raw_law_accepts_more():
    assert first_token("top-k draft, raw law") == (F(6, 13), F(7, 13), 0, 0)
    pair = replace(NAMED["top-k draft, raw law"].toy, n_tokens=2)  # one pass if kept, else two
    assert kept("top-k draft, raw law", pair) == 1
    assert kept("step on both", pair) == F(81, 91)  # .89


def test_top_p_on_the_draft_only_emits_the_raw_target():
    toy = NAMED["top-p on the draft only"].toy
    assert first_token("top-p on the draft only") == tuple(toy.target)
    assert tuple(toy.wanted.initial) == (F(5, 8), F(3, 8), 0, 0)


def test_the_coin_used_again():
    assert first_token("coin used again for the residual") == (F(8, 25), F(12, 25), F(1, 5))


def test_a_residual_of_one_token_hides_the_coin_used_again():
    assert first_token("coin used again for the residual", base) == tuple(BASE[0])


def test_one_coin_for_the_block():
    toy = Toy("one context", law(5, 3, 2), law(1, 1, 3))
    verify = NAMED["one coin for the whole block"].function
    wrong = {n: decoder_law(*toy.models, (), 3, n, verify=verify) for n in (1, 2, 3)}
    off = [distance(wrong[n], sequence_law(toy.wanted, (), n)) for n in (1, 2, 3)]
    assert off == [0, F(2, 25), F(4, 25)]
    second_token = [sum(m for x, m in wrong[2].items() if x[1] == token) for token in range(3)]
    assert second_token == [F(11, 25), F(7, 25), F(7, 25)]


def test_bonus_from_the_row_before():
    toy = NAMED["bonus from the row before"].toy
    assert distance_of_prefixes("bonus from the row before", 1, toy) == 0
    assert bias(NAMED["bonus from the row before"]) == F(7, 100)


def test_accept_if_likelier():
    assert first_token("accept if likelier") == (0, F(675, 1000), F(325, 1000))


def test_inverted_ratio():
    assert first_token("inverted ratio") == (F(1, 2), F(5, 16), F(3, 16))
    assert first_token("inverted ratio", base) == tuple(BASE[1])


def test_lenience():
    assert first_token("lenience left on") == (F(1, 5), F(525, 1000), F(275, 1000))


def test_a_seen_token_dropped():
    assert first_token("seen token dropped") == (F(2, 5), F(9, 25), F(6, 25))


def test_accept_if_equal_is_exact_and_keeps_less():
    assert first_token("accept if equal", base) == tuple(BASE[0])
    assert kept("accept if equal", base) == F(29, 100)
    assert kept("ratio first", base) == F(7, 10)


def test_three_exact_prices_for_one_law():
    peaked = NAMED["one-hot draft"].toy  # the draft is one half of (1.4, .4, .1, .1)
    assert kept("ratio first", peaked) == F(9, 10)
    assert kept("one-hot draft", peaked) == F(6, 10)
    assert kept("accept if equal", peaked) == F(47, 100)


def test_block_verification_keeps_more_than_the_token_wise_rule():
    pair = replace(second, length=2)
    assert kept("block verification", pair) > kept("recursion", pair)


def test_nothing_is_imported_from_above():
    import specnotes.broken as broken

    assert not any("audit" in getattr(thing, "__module__", "") for thing in vars(broken).values())
