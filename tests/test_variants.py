"""Everybody's own numbers: the same everywhere, different for everybody, equally hard for all."""

from fractions import Fraction as F

import numpy as np
import pytest
from course_notebooks import PROBLEMS, run

from specnotes.coursework.facts import best_length
from specnotes.coursework.suspects import LEAST_BIAS, block_bias, planted_line, token_bias
from specnotes.coursework.variants import TOKENS, clean_id, variant
from specnotes.laws import check_law, overlap

IDS = [f"student {i}" for i in range(200)]
FEW = IDS[:8]
FUNCTIONS = {"ps1": ("q2", "q3", "q5"), "ps2": ("q2", "q3")}  # judged by a table for everybody


def shown(you):
    """All that a student sees of the own numbers."""
    hidden = ("student_id", "seed", "_numbers")
    numbers = {k: str(v) for k, v in vars(you).items() if k not in hidden}
    models = [m.matrix.tolist() for m in (you.target, you.draft) if hasattr(m, "matrix")]
    return str(you).split("\n", 1)[1], you.suspect.listing, str(models), numbers.get("mixing")


def test_one_token_numbers_are_these_on_every_platform():
    ann = variant("ann", "ps1")
    assert list(ann.target) == [F(7, 20), F(1, 2), F(1, 20), F(1, 10)]
    assert list(ann.draft) == [F(1, 20), F(9, 20), F(3, 10), F(1, 5)]
    assert (ann.owed_token, ann.over_token, ann.forbidden) == (1, 3, 3)
    assert planted_line(ann.suspect) == 4


def test_block_numbers_are_these_on_every_platform():
    ann = variant("ann", "ps2")
    assert list(ann.target.initial) == [F(1, 2), F(1, 6), F(1, 3)]
    assert list(ann.draft.matrix[2]) == [F(5, 12), F(1, 12), F(1, 2)]
    assert (ann.shares, ann.length, ann.rate, ann.cost) == (
        (F(4, 5), F(7, 10)),
        3,
        F(4, 5),
        F(1, 20),
    )


@pytest.mark.parametrize("problem", PROBLEMS)
def test_ids_differ_in_their_numbers(problem):
    assert len({shown(variant(name, problem)) for name in FEW}) == len(FEW)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_a_private_seed_changes_every_variant(problem):
    for name in FEW[:4]:
        mine, theirs = variant(name, problem), variant(name, problem, "spring 2027")
        assert shown(mine)[0] != shown(theirs)[0]
        assert (mine.target is theirs.target) is False and mine.seed != theirs.seed


@pytest.mark.parametrize("typed", ["Ann", " ann ", "ANN\n", "ann"])
def test_capitals_and_spaces_in_an_id_make_no_difference(typed):
    assert variant(typed, "ps1") is variant("ann", "ps1")


def test_two_blanks_in_an_id_are_one():
    assert clean_id("Emmy  Noether ") == "emmy noether"


def test_two_ways_to_write_an_accent_are_one_id():
    assert clean_id("Zoe\u0308") == clean_id("zo\u00eb")


@pytest.mark.parametrize("typed", ["", "  ", ..., None, 1.5, ["ann"], True])
def test_what_is_no_id_has_numbers_all_the_same(typed):
    assert variant(typed, "ps1").student_id == ""


@pytest.mark.parametrize("typed", ["李小龙", "Ø'Neil; DROP", "\ud800", "a" * 10_000, 12345])
def test_strange_ids_have_numbers(typed):
    assert check_law(variant(typed, "ps1").target).sum() == 1


def test_an_unknown_problem_set_is_named():
    with pytest.raises(ValueError, match="problem is 'ps9', not one of ps1, ps2"):
        variant("ann", "ps9")


def test_numbers_cannot_be_changed_by_accident():
    with pytest.raises(ValueError, match="read-only"):
        variant("ann", "ps1").target[0] = 1


def check_one_token(you):
    target, draft = you.target, you.draft
    check_law(target), check_law(draft)
    assert len(target) == len(TOKENS) and min(*target, *draft) > 0
    assert sum(target > draft) == sum(target < draft) == 2  # the residual has two tokens
    assert F(11, 20) <= overlap(target, draft) <= F(3, 4)
    assert target[you.owed_token] > draft[you.owed_token]
    assert target[you.over_token] < draft[you.over_token]
    assert target[you.forbidden] <= F(2, 5)
    assert (you.chance == 0).sum() == 1 and (draft * you.chance <= target).all()
    assert (draft * you.chance == np.minimum(target, draft)).sum() == 1
    assert token_bias(you.suspect.function, target, draft) >= LEAST_BIAS


def check_blocks(you):
    rows = [np.vstack([m.initial, m.matrix]) for m in (you.target, you.draft)]
    assert min(row.min() for row in rows) > 0
    assert all(len({tuple(row) for row in model}) == 4 for model in rows)
    assert all(F(1, 2) <= kept <= F(5, 6) for kept in overlap(*rows))
    assert len(set(you.shares)) == 2 and all(0 < share < 1 for share in you.shares)
    assert you.least in (1, 2) and you.length in (3, 4)
    assert (
        2 <= best_length(you.rate, you.cost, you.overhead) < 64
    )  # the ledger has its best inside the range
    assert block_bias(you.suspect.function, you.target, you.draft, 3) >= LEAST_BIAS


CHECKS = {"ps1": check_one_token, "ps2": check_blocks}


@pytest.mark.parametrize("problem", PROBLEMS)
def test_numbers_are_equally_hard(problem):
    for name in FEW:
        CHECKS[problem](variant(name, problem))


@pytest.mark.slow
@pytest.mark.parametrize("problem", PROBLEMS)
def test_numbers_are_equally_hard_for_200_ids(problem):
    for name in IDS:
        CHECKS[problem](variant(name, problem))


def own_tests(problem):
    """Hidden tests of what depends on the id; the rest is the same table for all."""
    return lambda cell: not cell.id.startswith(FUNCTIONS[problem])


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_reference_solution_solves_other_ids(problem):
    for name in FEW[:2]:
        assert run(problem, name, own_tests(problem)) == []


@pytest.mark.slow
@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_reference_solution_solves_200_ids(problem):
    assert {name: run(problem, name, own_tests(problem)) for name in IDS} == dict.fromkeys(IDS, [])


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_reference_solution_solves_a_class_with_a_seed(problem):
    assert run(problem, "ann", seed="spring 2027") == []
