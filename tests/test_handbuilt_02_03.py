"""What notebooks 02 and 03 build by hand gives the package's laws on the nasty cases."""

from fractions import Fraction
from inspect import signature

import numpy as np
import pytest
from build_notebooks import complete_code, read_source
from conftest import ROOT
from scipy.stats import binom, chi2, ncx2

from specnotes import widgets
from specnotes.audit.cases import PAIRS
from specnotes.checks import sequences
from specnotes.coins import law_of
from specnotes.exact import sequence_law
from specnotes.laws import draw, overlap, residual, total_variation
from specnotes.models import MarkovModel, PrefixModel
from specnotes.verify import emitted_law

each_pair = pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)


def built(notebook, *cells, **names):
    """The names that these cells of a notebook leave behind."""
    source = {c.id: c.source for c in read_source(ROOT / f"notebooks/src/{notebook}.py")}
    names = {"np": np, "Fraction": Fraction} | names
    for cell in cells:
        exec(complete_code(source[cell]), names)
    return names


@pytest.fixture(scope="module")
def fallback():
    cells = ("setup", "wrong-token", "enumerate", "hand-law", "noncentrality")
    return built("02_wrong_fallback", *cells)


@each_pair
def test_wrong_law_by_hand_is_the_packages(fallback, pair):
    target, draft = pair
    by_hand = fallback["wrong_law"](target, draft)
    assert (by_hand == emitted_law(target, draft, fallback=target)).all()


@each_pair
def test_wrong_token_by_hand_has_the_formulas_law(fallback, pair):
    target, draft = pair
    law = law_of(lambda rng: fallback["wrong_token"](*pair, draw(draft, rng), rng)[0])
    by_formula = fallback["wrong_law"](target, draft)
    assert [law.get(token, 0) for token in range(len(target))] == list(by_formula)


@each_pair
def test_size_of_the_wrong_fallback_is_as_derived(pair):
    """TV(w, p) = (1 − α) TV(p, r) = α (1 − α) TV(k, r) ≤ α (1 − α)."""
    target, draft = pair
    alpha, owed = overlap(target, draft), residual(target, draft)
    off = total_variation(emitted_law(target, draft, fallback=target), target)
    assert off == (1 - alpha) * total_variation(target, owed) <= alpha * (1 - alpha)
    if alpha > 0:
        kept = np.minimum(target, draft) / alpha
        assert alpha == 1 or off == alpha * (1 - alpha) * total_variation(kept, owed)


@each_pair
def test_bound_is_reached_just_where_no_token_is_kept_and_owed(pair):
    target, draft = pair
    alpha = overlap(target, draft)
    off = total_variation(emitted_law(target, draft, fallback=target), target)
    both = ((target > draft) & (draft > 0)).any()
    assert (off == alpha * (1 - alpha)) == (not both)


@each_pair
def test_error_is_linear_in_the_share_of_the_bad_draft(pair):
    target, bad = pair
    whole = emitted_law(target, bad, fallback=target) - target
    for e in (Fraction(1, 50), Fraction(1, 3)):
        mixed = (1 - e) * target + e * bad
        assert (emitted_law(target, mixed, fallback=target) - target == e * whole).all()


def test_needed_noncentrality_has_the_stated_power(fallback):
    for freedom in (1, 2, 7):
        size, limit = fallback["needed"](freedom), chi2.isf(0.001, freedom)
        assert ncx2.sf(limit, freedom, size) == pytest.approx(0.97, abs=1e-9)


def test_samples_for_the_base_pair_are_30_over_009_with_30_rounded(fallback):
    target, draft = PAIRS["base"]
    signal = sum((emitted_law(target, draft, fallback=target) - target) ** 2 / target)
    assert signal == Fraction(9, 100)
    assert round(fallback["needed"](2)) == 30
    wrong = {e: (1 - e) * target + e * draft for e in (1, Fraction(1, 50))}
    samples = [
        fallback["samples"](target, fallback["wrong_law"](target, mixed))
        for mixed in wrong.values()
    ]
    assert samples == ["335", "836,228"]
    assert (int(30 / 0.09), round(30 / 0.09 / 0.02**2, -3)) == (333, 833_000)


def test_nothing_to_see_needs_no_number(fallback):
    target = PAIRS["base"][0]
    assert fallback["samples"](target, target) == "no number"


# Notebook 03


@pytest.fixture(scope="module")
def texts():
    names = {"first": np.array([0.5, 0.5]), "total_variation": total_variation}
    return built("03_markov_lab", "setup", "models", "build", "noise-roads", **names)


@each_pair
@pytest.mark.parametrize("n_tokens", [0, 1, 2, 3])
def test_list_texts_is_sequence_law_for_markov_models(texts, pair, n_tokens):
    """One row from either law, in turn, so that rows differ and have zeros."""
    size = len(pair[0])
    model = MarkovModel([pair[i % 2] for i in range(size)], pair[0])
    for prefix in ((), (size - 1,)):
        assert texts["list_texts"](model, prefix, n_tokens) == sequence_law(model, prefix, n_tokens)


def test_list_texts_is_sequence_law_for_a_model_that_remembers(texts):
    def rule(prefix):
        weights = [Fraction(1 + prefix.count(token)) for token in range(3)]
        return np.array(weights) / sum(weights)

    model = PrefixModel(rule, "abc")
    assert texts["list_texts"](model, (1,), 4) == sequence_law(model, (1,), 4)


def test_noise_is_within_a_percent_of_the_exact_mean(texts):
    for weights in ((5, 3, 2), (1, 1, 1, 1, 1, 1, 1, 1), (40, 30, 20, 5, 5)):
        law = np.array(weights) / sum(weights)
        counts = np.arange(1001)
        exact = sum((binom.pmf(counts, 1000, p) * abs(counts / 1000 - p)).sum() for p in law) / 2
        assert texts["noise"](law, 1000) == pytest.approx(exact, rel=0.01)


def test_exercise_reads_the_lab_as_it_opens():
    opening = {name: p.default for name, p in signature(widgets.lab).parameters.items()}
    assert (opening["seed"], opening["n_tokens"]) == (sequences.SEED, sequences.TOKENS)
