"""What notebook 04 builds by hand has the package's laws, and the figures in its text hold."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from build_notebooks import complete_code, read_source
from conftest import ROOT

from specnotes.audit.cases import PAIRS, law
from specnotes.coins import law_of
from specnotes.decode import Round, cut_round, propose, speculate
from specnotes.exact import round_law, sequence_law
from specnotes.models import MarkovModel, PrefixModel
from specnotes.verify import verify_block

SOURCE = ROOT / "notebooks/src/04_block_decoding.py"
BUILT = ("setup", "models", "build-verifier", "build-round", "build-loop", "ex2", "ex3", "ex4")
LATER = ("exact-by-hand", "import-package", "keep-going", "keep-going-law", "redo")
BLIND = ("settings", "museum", "matrix", "sizes", "ex5")


@pytest.fixture(scope="module")
def cells():
    return {cell.id: complete_code(cell.source) for cell in read_source(SOURCE)}


@pytest.fixture(scope="module")
def built(cells):
    """What the cells up to the import define: no function of the package by a built one's name."""
    names = {}
    for cell in BUILT:
        exec(cells[cell], names)
    return names


@pytest.fixture(scope="module")
def read_on(cells, built):
    """The notebook's names at its end."""
    names = dict(built)
    for cell in LATER + BLIND:
        exec(cells[cell], names)
    return names


def context_free(target, draft):
    return tuple(MarkovModel(np.stack([row] * len(row)), row) for row in (target, draft))


def markov():
    """Three tokens, zeros on either side."""
    target = MarkovModel([law(5, 3, 2), law(0, 1, 2), law(1, 1, 1)], law(1, 2, 1))
    draft = MarkovModel([law(2, 3, 5), law(1, 1, 1), law(3, 0, 1)], law(1, 1, 2))
    return target, draft


def remembering():
    """Laws that depend on every token so far, read as a number in base 2."""

    def number(prefix):
        return sum(token << place for place, token in enumerate(prefix))

    target = PrefixModel(lambda prefix: law(1 + len(prefix), 1 + number(prefix)), (0, 1))
    draft = PrefixModel(lambda prefix: law(2, 1 + number(prefix[::-1])), (0, 1))
    return target, draft


MODELS = {name: context_free(*pair) for name, pair in PAIRS.items()}
MODELS |= {"markov": markov(), "remembering": remembering()}
SMALL = {name: pair for name, pair in MODELS.items() if len(pair[0].vocabulary) <= 3}


def each(models):
    return pytest.mark.parametrize("models", models.values(), ids=models.keys())


def verdicts(verify, models):
    """Law of (drafted tokens, accepted, token), one drafted token and two."""

    def program(rng, draft_length):
        tokens, laws = propose(models[1], (), draft_length, rng)
        return tokens, *verify(models[0].score((), tokens), laws, tokens, rng)

    return [law_of(lambda rng, k=k: program(rng, k)) for k in (1, 2)]


@each(MODELS)
@pytest.mark.parametrize("name", ["verify_block", "verify_at_once", "repaired"])
def test_a_block_verifier_built_by_hand_has_the_packages_law(built, name, models):
    assert built[name] is not verify_block
    assert verdicts(built[name], models) == verdicts(verify_block, models)


@each(SMALL)
def test_the_round_built_by_hand_has_the_packages_law(built, models):
    emitted = {}
    for whole, mass in round_law(*models, (), 2).items():
        emitted[whole.emitted] = emitted.get(whole.emitted, 0) + mass
    assert law_of(lambda rng: built["one_round"](*models, (), 2, rng)) == emitted


@each(SMALL)
def test_the_loop_built_by_hand_has_the_packages_law(built, models):
    by_hand = law_of(lambda rng: built["decode"](*models, 2, 2, rng))
    assert by_hand == law_of(lambda rng: speculate(*models, (), 2, 2, rng).tokens)


@each(SMALL)
@pytest.mark.parametrize("length, n_tokens", [(1, 2), (2, 1)])
def test_the_loop_built_by_hand_has_the_targets_law(built, models, length, n_tokens):
    found = law_of(lambda rng: built["decode"](*models, length, n_tokens, rng))
    assert found == sequence_law(models[0], (), n_tokens)


def test_the_cut_built_by_hand_is_the_packages(built):
    for size, room, stop in product((1, 2, 3), (1, 2, 3), (None, 0, 2)):
        for tokens in product(range(3), repeat=size):
            whole = cut_round(Round((), 0, tokens), room, stop)
            assert built["cut"](tokens, room, stop) == whole.emitted


@each({name: MODELS[name] for name in ("markov", "remembering", "base", "disjoint one-hot")})
@pytest.mark.parametrize("stop", [None, 0])
def test_the_decoder_built_by_hand_has_the_packages_law(read_on, models, stop):
    setting = *models, (1,), 2, 2
    by_hand = law_of(lambda rng: read_on["my_speculate"](*setting, rng, stop=stop))
    assert by_hand == law_of(lambda rng: speculate(*setting, rng, stop=stop).tokens)


def test_testing_on_after_a_rejection_is_wrong_on_pairs_and_right_on_the_first_token(read_on):
    wrong, wanted = read_on["wrong"], read_on["wanted"]
    first = [sum(wrong[x, y] for y in range(3)) for x in range(3)]
    assert first == list(read_on["target"].initial)
    assert {pair for pair in wanted if wrong[pair] != wanted[pair]} == {(0, 0), (0, 1), (0, 2)}


def test_after_a_correction_the_second_token_has_the_law_after_the_rejected_one(read_on):
    kept, corrected = Fraction(2, 10), Fraction(3, 10)
    after_cat, _, after_mat = read_on["target"].matrix
    for y in range(3):
        assert read_on["wrong"][0, y] == kept * after_cat[y] + corrected * after_mat[y]


def test_redoing_long_rounds_leaves_cat_alone(read_on):
    assert [mass > 0 for mass in read_on["short"]] == [True, False, False]


def test_the_first_token_shows_the_wrong_fallback_and_no_other_of_the_nine(read_on):
    at = list(read_on["SETTINGS"]).index("first token")
    seen = [name for name, errors in read_on["rows"].items() if errors[at]]
    assert len(read_on["rows"]) == 9 and seen == ["wrong fallback"]


@pytest.mark.parametrize(
    "setting, blind_to",
    [
        ("γ = 1", "one coin for the whole block"),
        ("i.i.d.", "bonus from the row before"),
        ("greedy", "wrong fallback"),
        ("no more than γ tokens", "bonus by argmax"),
        ("joint", "runs past a stop token"),
        ("joint, stop token", "block verification, unscaled residual"),
    ],
)
def test_each_setting_is_blind_to_what_the_text_says(read_on, setting, blind_to):
    at = list(read_on["SETTINGS"]).index(setting)
    assert read_on["rows"][blind_to][at] == 0


def test_testing_on_after_a_rejection_passes_on_iid_models(read_on):
    iid = read_on["iid"]
    found = law_of(lambda rng: read_on["keep_going"](*iid, (), 2, rng))
    assert found == sequence_law(iid[0], (), 3)


def test_the_shared_coin_and_the_bonus_row_are_off_by_the_printed_figures(read_on):
    error, one_coin = read_on["error"], read_on["one_coin"]
    assert error(one_coin, read_on["alike"], 2, 2) == Fraction(2, 25)
    assert error(one_coin, read_on["alike"], 3, 3) == Fraction(4, 25)
    assert error(read_on["row_before"], read_on["two"], 1, 2) == Fraction(7, 100)
