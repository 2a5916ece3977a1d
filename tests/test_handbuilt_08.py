"""What notebook 08 builds by hand agrees with the package."""

from fractions import Fraction

import numpy as np
import pytest
from test_handbuilt_02_03 import built

from specnotes.audit import matrix
from specnotes.audit.cases import PAIRS
from specnotes.broken import MUSEUM
from specnotes.checks import trials
from specnotes.coins import law_of
from specnotes.laws import draw

museum = {exhibit.name: exhibit for exhibit in MUSEUM}
CELLS = ("setup", "reuse", "models", "by-hand-tests", "by-hand-matrix", "ex4-parts", "ex4")
COUNTED = ("setup", "static", "fewest")


@pytest.fixture(scope="module")
def notebook():
    return built("08_broken_verifiers", *CELLS)


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_the_reused_coin_by_hand_is_the_museums(notebook, pair):
    target, draft = pair

    def law(verify):
        return law_of(lambda rng: verify(target, draft, draw(draft, rng), rng))

    exhibit = museum["coin used again for the residual"].function
    assert law(notebook["reuses_coin"]) == law(exhibit)


def test_the_reused_coin_has_the_law_of_the_table(notebook):
    even, sure = notebook["parts"](1, 1, 1), notebook["parts"](0, 0, 1)
    law = law_of(lambda rng: notebook["reuses_coin"](even, sure, 2, rng)[0])
    assert law == {2: Fraction(1, 3), 0: Fraction(1, 6), 1: Fraction(1, 2)}


def test_the_kill_matrix_by_hand_is_the_packages(notebook):
    tests = {
        name: lambda exhibit, objects=objects: objects(matrix.as_verifier(exhibit))
        for name, objects in notebook["tests"].items()
    }
    exhibits = [museum[name] for name in notebook["NAMES"]]
    assert notebook["rows"] == matrix.kill_matrix(tests, exhibits)


def test_the_generator_of_one_value_draws_the_first_token_that_has_mass(notebook):
    always = notebook["Always"](0.0)
    assert always.random() == 0 and (always.random(2) == 0).all()
    assert always.choice(3, p=np.array([0, 0.5, 0.5])) == 1


def test_the_notebooks_battery_kills_all_and_spares_all(notebook):
    result = trials.battery(notebook["would_ship"])
    assert result.ok and "kills 17 of 17, spares 6 of 6" in result.message
    assert "it kills 11, and spares 4 right ones" in result.message


def test_the_fewest_tests_are_five_and_they_are_one_choice():
    found = built("08_broken_verifiers", *COUNTED)
    five = ("joint law", "nasty laws", "stop token", "inputs unchanged", "boundary coins")
    assert found["fewest"] == [five]
    assert 2 ** len(found["line_up"].CHOICE) - 1 == 2047  # choices, says the text


@pytest.mark.parametrize("name, n_tokens", list(zip(trials.LOOK, (1, 2))), ids=trials.LOOK)
def test_a_law_that_owes_two_tokens_sees_what_the_small_contexts_do_not(notebook, name, n_tokens):
    verify = matrix.as_verifier(museum[name])
    small = notebook["differs"](notebook["contexts"], 2, 3)
    laws = notebook["parts"](1, 1, 1), notebook["parts"](2, 3, 5)
    owing = [notebook["MarkovModel"]([law] * 3, law) for law in laws]
    assert not small(verify) and notebook["differs"](owing, 2, n_tokens)(verify)
