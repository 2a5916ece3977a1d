"""What notebook 05 builds by hand is the package's, and its printed figures come out."""

from fractions import Fraction
from types import FunctionType

import numpy as np
import pytest
from build_notebooks import complete_code, read_source
from conftest import ROOT

from specnotes import exact, yields
from specnotes.audit.cases import PAIRS
from specnotes.coins import law_of
from specnotes.decode import speculate
from specnotes.laws import check_law, overlap
from specnotes.models import MarkovModel

RATES = [Fraction(0), Fraction(1, 3), Fraction(7, 10), Fraction(99, 100), Fraction(1)]
CELLS = "enumerate", "ex1", "ex2", "ex3", "table-one", "cut", "topics"


@pytest.fixture(scope="module")
def built():
    """The names that the notebook's cells leave behind."""
    cells = {c.id: c.source for c in read_source(ROOT / "notebooks/src/05_geometric_yield.py")}
    names = {"np": np, "Fraction": Fraction, "exact": exact, "MarkovModel": MarkovModel}
    names |= {name: getattr(yields, name) for name in ("tokens_per_round", "tokens_law", "speedup")}
    names["markov_tokens_per_round"] = yields.markov_tokens_per_round
    for cell in CELLS:
        exec(complete_code(cells[cell]), names)
    return names


@pytest.mark.parametrize("length", [1, 2, 5, 8])
@pytest.mark.parametrize("rate", RATES)
def test_my_tokens_is_the_packages_sum(built, rate, length):
    assert built["my_tokens"](rate, length) == yields.tokens_per_round(rate, length)
    by_float = built["my_tokens"](float(rate), length)
    assert by_float == pytest.approx(float(yields.tokens_per_round(rate, length)), abs=1e-12)


def test_my_tokens_takes_symbols(built):
    sympy = pytest.importorskip("sympy")
    alpha = sympy.Symbol("alpha")
    assert sympy.expand(built["my_tokens"](alpha, 3)) == 1 + alpha + alpha**2 + alpha**3


@pytest.mark.parametrize("cost", [Fraction(0), Fraction(1, 10), Fraction(7, 10), Fraction(2)])
@pytest.mark.parametrize("rate", RATES)
def test_my_speedup_and_my_best_are_the_packages(built, rate, cost):
    for length in (1, 4):
        by_hand = built["my_speedup"](rate, length, cost)
        assert by_hand == yields.speedup(rate, length, cost)
    assert built["my_best"](rate, cost) == yields.best_draft_length(rate, cost)


@pytest.mark.parametrize("length", [1, 2])
@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_counted_tokens_of_the_real_round_have_the_packages_law(built, pair, length):
    target, draft = (MarkovModel([law] * len(law), law) for law in pair)
    names = built | {"target": target, "draft": draft}
    counted = FunctionType(built["counted"].__code__, names)  # the same code on other models
    assert counted(length) == list(yields.tokens_law(overlap(*pair), length))


@pytest.mark.parametrize("n_tokens", [1, 2, 3, 4])
def test_mean_passes_is_that_of_the_real_decoder(built, n_tokens):
    target, draft = built["target"], built["draft"]
    passes = law_of(lambda rng: speculate(target, draft, (), 2, n_tokens, rng).target_passes)
    wanted = sum(number * chance for number, chance in passes.items())
    assert built["mean_passes"](Fraction(7, 10), 2, n_tokens) == wanted


def test_the_typing_pair_keeps_its_topics_and_its_mean(built):
    for stay in (Fraction(1, 10), Fraction(9, 10)):
        target, draft = map(check_law, built["typing_pair"](stay))
        kept = overlap(target, draft)
        assert list(kept) == [Fraction(19, 20)] * 2 + [Fraction(9, 20)] * 2
        assert yields.stationary_law(target) @ kept == Fraction(7, 10)
        assert target[0, :2].sum() == draft[0, :2].sum() == stay


@pytest.mark.parametrize(
    ("stay", "tokens"), [(0.1, 2.841), (0.3, 2.824), (0.5, 2.7731), (0.7, 2.696), (0.9, 2.603)]
)
def test_yields_of_the_typing_pair(built, stay, tokens):
    pair = built["typing_pair"](stay, (0.95, 0.45))
    assert yields.markov_tokens_per_round(*pair, 4) == pytest.approx(tokens, abs=5e-4)


def test_long_stretches_give_the_harmonic_mean(built):
    """Half of the tokens at each rate: the text's 1.78, 4.52 and 2.56."""
    slow, fast = (yields.tokens_per_round(rate, 4) for rate in (0.45, 0.95))
    long = yields.markov_tokens_per_round(*built["typing_pair"](0.99999, (0.95, 0.45)), 4)
    assert (round(slow, 2), round(fast, 2)) == (1.78, 4.52)
    assert round(long, 2) == round(2 / (1 / slow + 1 / fast), 2) == 2.56


def test_table_1_comes_out_to_the_printed_digits(built):
    for (rate, length), (operations, speed) in built["TABLE_1"].items():
        exact_rate = Fraction(str(rate))
        assert f"{float(yields.operations(exact_rate, length, 0)):.2f}" == operations
        assert f"{float(yields.speedup(exact_rate, length, 0)):.2f}" == speed


@pytest.mark.parametrize(("rate", "more"), [(0.8, 1.446), (0.9, 1.534)])
def test_what_an_oracle_adds(rate, more):
    best = yields.speedup(rate, yields.best_draft_length(rate, 0.1), 0.1)
    assert round(yields.oracle_speedup(rate, 0.1) / best, 3) == more


def test_what_the_text_says_of_the_lab(built):
    """3.43 by the formula at the overlap, 3.35 with the cut, and .927–.9285 behind 3.46."""
    passes = built["mean_passes"](0.9247, 5, 96)
    assert round(yields.speedup(0.9247, 5, 0.09), 2) == 3.43
    assert round(96 / (passes * (1 + 5 * 0.09)), 2) == 3.35
    assert [f"{yields.speedup(a, 5, 0.09):.3f}" for a in (0.9273, 0.9285)] == ["3.455", "3.465"]


def test_what_the_predictions_say():
    law = yields.tokens_law(0.8, 4)
    assert round(yields.tokens_per_round(0.8, 4), 2) == 3.36
    assert int(np.argmax(law)) + 1 == 5 and (round(law[4], 2), round(law[2], 2)) == (0.41, 0.13)
    assert yields.best_draft_length(0.8, 0.1) == 6 and round(yields.speedup(0.8, 6, 0.1), 2) == 2.47
    assert yields.speedup(0.8, 39, 0.1) > 1 > yields.speedup(0.8, 40, 0.1)
