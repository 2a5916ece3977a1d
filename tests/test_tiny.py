"""The small transformer: its laws, its cache, its layouts, and what was shipped with it."""

import hashlib
import time
from functools import lru_cache
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

from specnotes.broken import MUSEUM
from specnotes.decode import sample, speculate
from specnotes.exact import decoder_law, distance, sequence_law
from specnotes.laws import draw, total_variation
from specnotes.models import PrefixModel, transformed
from specnotes.tiny import weights as stored
from specnotes.tiny.corpus import ALPHABET, decode, documents, encode, plain, split
from specnotes.tiny.layout import WIDTHS, Matrix
from specnotes.tiny.scouts import MultiHead, early_exit
from specnotes.tiny.transformer import Transformer, calibrate
from specnotes.tiny.weights import Weights, card, load_heads, load_weights, names, widen
from specnotes.transforms import greedy, temperature
from specnotes.verify import emitted_law

ROOT = Path(__file__).resolve().parent.parent
TEXT = encode("def total(values):\n    result = 0\n    for value in values:\n        ")
MODELS = names()
CLOSE = 2e-5  # float32 sums in another order; the largest seen is 2e-6


def small(width=32, layers=2, seed=0, sharp=3.0):
    """Random weights: for what does not depend on training."""
    rng = np.random.default_rng(seed)

    def matrix(rows, columns):
        return rng.normal(0, rows**-0.5, (rows, columns)).astype(np.float32)

    embed = rng.normal(0, sharp * width**-0.5, (len(ALPHABET), width)).astype(np.float32)
    shapes = [(width, 3 * width), (width, width), (width, 4 * width), (4 * width, width)]
    made = tuple(tuple(matrix(*shape) for shape in shapes) for _ in range(layers))
    return Weights(embed, embed.T, made)


SMALL = small()


def fresh_law(prefix, weights=SMALL):
    """The law without any cache: a new model reads the whole prefix in one pass."""
    return Transformer(weights).next_law(prefix)


# Laws.


@pytest.mark.parametrize("name", MODELS)
def test_every_shipped_model_gives_laws_over_the_alphabet(name):
    law = Transformer(load_weights(name)).next_law(TEXT)
    assert law.shape == (96,) and law.dtype == float
    assert law.min() >= 0 and abs(law.sum() - 1) < 1e-12


@pytest.mark.parametrize("name", MODELS)
def test_shipped_weights_give_the_logits_that_pytorch_gave(name):
    with np.load(ROOT / "tests" / "tiny_logits.npz") as kept:
        text, logits = tuple(kept["text"].tolist()), kept[name]
    laws = Transformer(load_weights(name)).score((), text)[1:]
    ours = np.log(laws) - np.log(laws).max(axis=1, keepdims=True)
    assert np.abs(ours - (logits - logits.max(axis=1, keepdims=True))).max() < 1e-3


def test_the_trained_target_finishes_a_word_of_the_language():
    law = Transformer().next_law(encode("import os\nimport sys\n\ndef main():\n    retur"))
    assert ALPHABET[law.argmax()] == "n"


def test_an_empty_prefix_is_the_start_of_a_line():
    assert np.abs(fresh_law(()) - Transformer(SMALL).score((), TEXT)[0]).max() < CLOSE


def test_a_block_is_scored_as_its_tokens_are_one_by_one():
    laws = Transformer(SMALL).score(TEXT[:20], TEXT[20:29])
    for i, law in enumerate(laws):
        assert np.abs(law - fresh_law(TEXT[: 20 + i])).max() < CLOSE


def test_the_law_depends_on_every_token_of_the_prefix_and_on_their_order():
    law = fresh_law(TEXT[:8])
    for i in range(8):
        changed = (*TEXT[:i], (TEXT[i] + 1) % 96, *TEXT[i + 1 : 8])
        assert total_variation(law, fresh_law(changed)) > 1e-4
    assert total_variation(law, fresh_law(TEXT[:8][::-1])) > 1e-3


# The cache.


@pytest.mark.parametrize("accepted", range(5))
def test_after_any_acceptance_the_next_round_has_the_laws_of_a_fresh_model(accepted):
    model = Transformer(SMALL)
    model.score(TEXT, (5, 6, 7, 8))
    prefix = (*TEXT, *(5, 6, 7, 8)[:accepted], 50)  # a correction, or the bonus token
    laws = model.score(prefix, (9, 10))
    for i, law in enumerate(laws):
        assert np.abs(law - fresh_law(prefix + (9, 10)[:i])).max() < CLOSE


def test_a_round_runs_only_the_tokens_that_are_new():
    class Counted(Transformer):
        rows = ()

        def _forward(self, tokens):
            self.rows += (len(tokens),)
            return super()._forward(tokens)

    model = Counted(SMALL)
    model.score(TEXT, (5, 6, 7, 8))
    model.score((*TEXT, 5, 6, 50), (9, 10))  # two kept: the correction, and two more drafted
    model.score((*TEXT, 5, 6, 50, 9, 10, 11), (1,))  # all kept: the bonus token, one drafted
    model.next_law((*TEXT, 5, 6, 50, 9, 10, 11, 1))  # known: its last token runs once more
    assert model.rows == (1 + len(TEXT) + 4, 3, 2, 1) and model.passes == 4


def test_a_stop_token_inside_a_block_leaves_a_cache_that_serves_the_next_text():
    target, draft = Transformer(SMALL), Transformer(small(seed=1))
    trace = speculate(target, draft, TEXT, 4, 200, np.random.default_rng(0), stop=7)
    assert trace.tokens[-1] == 7 and 7 not in trace.tokens[:-1]
    other = TEXT[:30] + trace.tokens[:2]
    assert np.abs(target.next_law(other) - fresh_law(other)).max() < CLOSE


def test_a_text_longer_than_the_buffer_makes_it_grow():
    long = TEXT * 20
    assert len(long) > 2 * 512
    model = Transformer(SMALL)
    model.next_law(long[:300])
    laws = model.score(long[:1100], long[1100:1110])
    assert np.abs(laws[-1] - fresh_law(long[:1110])).max() < CLOSE
    assert model.cached == long[:1110]


def test_two_decoders_share_weights_and_nothing_else():
    one, other = Transformer(SMALL), Transformer(SMALL)
    for i in range(1, 12):
        one.score(TEXT[:i], TEXT[i : i + 3])
        other.score(TEXT[::-1][:i], (3,))
    assert np.abs(one.next_law(TEXT[:12]) - fresh_law(TEXT[:12])).max() < CLOSE
    assert np.abs(other.next_law(TEXT[::-1][:12]) - fresh_law(TEXT[::-1][:12])).max() < CLOSE


def test_two_decoders_may_even_share_the_model():
    model = Transformer(SMALL)
    first, second = TEXT[:25], TEXT[5:40]
    for _ in range(2):
        assert np.abs(model.next_law(first) - fresh_law(first)).max() < CLOSE
        assert np.abs(model.next_law(second) - fresh_law(second)).max() < CLOSE


def test_rollback_forgets_the_end_and_keeps_the_law():
    model = Transformer(SMALL)
    model.next_law(TEXT)
    model.rollback(10)
    assert model.cached == TEXT[:10]
    assert np.abs(model.next_law(TEXT) - fresh_law(TEXT)).max() < CLOSE


def accepted_share(target, draft, rounds=40):
    trace = speculate(target, draft, TEXT, 4, 5 * rounds, np.random.default_rng(3))
    return sum(r.accepted for r in trace.rounds) / trace.draft_passes


def test_a_draft_that_is_the_target_is_always_accepted():
    # A coin can fall between two float32 roundings of one law: chance below 1e-5 over the run.
    assert accepted_share(Transformer(SMALL), Transformer(SMALL)) == 1


def test_a_draft_cache_off_by_one_is_caught_by_the_draft_that_is_the_target():
    class OffByOne(Transformer):
        def _forward(self, tokens):
            begin = len(self._cache.tokens)
            for layer in range(len(self._layers)):  # keys one place too late from here on
                keys = self._cache.keys[layer]
                if begin > 1:
                    keys[:, :, begin - 1] = keys[:, :, begin - 2]
            return super()._forward(tokens)

    assert accepted_share(Transformer(SMALL), OffByOne(SMALL)) < 1


def test_a_stale_target_cache_changes_the_law():
    class Stale(Transformer):
        """Never rolls back: refused keys and values stay where the new ones should be."""

        def score(self, prefix, tokens):
            kept = len(self._cache.tokens)
            sequence = (0, *prefix, *tokens)
            if kept > 1:
                self._cache.tokens = sequence[: min(kept, len(sequence) - len(tokens) - 1)]
            return super().score(prefix, tokens)

    model = Stale(SMALL)
    model.score(TEXT, (5, 6, 7, 8))
    prefix = (*TEXT, 50, 51, 52)  # all four were refused; 50 is the correction
    assert total_variation(model.next_law(prefix), fresh_law(prefix)) > 0.01


# Decoding.


def test_greedy_text_is_the_same_with_and_without_a_draft():
    target, draft = (transformed(Transformer(load_weights(n)), greedy) for n in ("target", "draft"))
    rng = np.random.default_rng(0)
    plainly = sample(target, TEXT, 60, rng)
    trace = speculate(target, draft, TEXT, 4, 60, rng)
    assert trace.tokens == plainly and trace.target_passes < 45


def test_a_transformed_model_is_scored_in_one_pass():
    model = Transformer(SMALL)
    cold = transformed(model, lambda law: temperature(law, 0.5))
    laws = cold.score(TEXT, (1, 2, 3))
    assert model.passes == 1
    assert np.abs(laws[2] - temperature(fresh_law((*TEXT, 1, 2)), 0.5)).max() < CLOSE


def fixed(model):
    """Each law as it was first computed: passes of other shapes round otherwise."""
    return PrefixModel(model.next_law, model.vocabulary)


class FixedHeads:
    """The heads' laws as they were first computed."""

    def __init__(self, target):
        self._laws = lru_cache(MultiHead(target).laws)

    def propose(self, prefix, draft_length, rng):
        laws = self._laws(prefix)[:draft_length]
        return tuple(draw(law, rng) for law in laws), laws


def few(model, count=4):
    """Only the likeliest ``count`` tokens after TEXT, so that two tokens can be enumerated."""
    mask = np.isin(np.arange(96), np.argsort(Transformer().next_law(TEXT))[-count:])
    return fixed(transformed(model, lambda law: np.where(mask, law, 0) / law[mask].sum()))


@pytest.mark.parametrize("make", [lambda: Transformer(load_weights("draft")), early_exit])
def test_the_enumerated_law_of_two_tokens_is_the_targets(make):
    target, draft = few(Transformer()), few(make())
    law = decoder_law(target, draft, TEXT, 2, 2)
    assert distance(law, sequence_law(target, TEXT, 2)) < 1e-12


@pytest.mark.parametrize("make", [lambda: fixed(Transformer(load_weights("draft"))), None])
def test_the_first_token_of_all_96_keeps_its_law_over_every_outcome_of_the_coins(make):
    target = fixed(Transformer())
    draft = make() if make else FixedHeads(Transformer())
    law = decoder_law(target, draft, TEXT, 1, 1)
    assert distance(law, sequence_law(target, TEXT, 1)) < 1e-12


def test_the_wrong_fallback_on_real_laws_is_as_wrong_as_its_formula_says():
    target, draft = fixed(Transformer()), fixed(Transformer(load_weights("draft")))
    wrong = next(exhibit.function for exhibit in MUSEUM if exhibit.name == "wrong fallback")

    def verify(target_laws, draft_laws, tokens, rng):
        token, accepted = wrong(target_laws[0], draft_laws[0], tokens[0], rng)
        return int(accepted), token

    law = decoder_law(target, draft, TEXT, 1, 1, verify=verify)
    p, q = target.next_law(TEXT), draft.next_law(TEXT)
    assert distance(law, sequence_law(target, TEXT, 1)) == pytest.approx(
        total_variation(emitted_law(p, q, fallback=p), p), abs=1e-12
    )


# Scouts made from the target.


def test_heads_need_no_pass_once_the_target_has_scored_the_round():
    target = Transformer()
    scout, rng = MultiHead(target), np.random.default_rng(0)
    trace = speculate(target, scout, TEXT, 3, 40, rng)
    assert target.passes == trace.target_passes + 1  # one more to read the prompt
    assert trace.target_passes < 40


def test_heads_propose_nothing_after_an_empty_prefix_and_at_most_their_number():
    scout = MultiHead(Transformer())
    tokens, laws = scout.propose((), 3, np.random.default_rng(0))
    assert tokens == () and laws.shape == (0, 96)
    tokens, laws = scout.propose(TEXT, 9, np.random.default_rng(0))
    assert len(tokens) == 3 and laws.shape == (3, 96)


def test_greedy_heads_propose_the_likeliest_of_their_guesses():
    target = Transformer()
    tokens, laws = MultiHead(target, step=greedy).propose(TEXT, 3, np.random.default_rng(0))
    assert tokens == tuple(MultiHead(target).laws(TEXT).argmax(axis=1))
    assert laws.max(axis=1).tolist() == [1, 1, 1]


def test_heads_say_the_same_of_a_widened_target():
    wide = Transformer(widen(load_weights(), 384))
    ours, theirs = MultiHead(Transformer()).laws(TEXT), MultiHead(wide).laws(TEXT)
    assert np.abs(ours - theirs).max() < CLOSE


def test_the_early_exit_is_one_layer_of_the_target_and_better_than_guessing():
    scout, target = early_exit(), Transformer()
    assert len(scout.weights.layers) == 1
    assert scout.weights.layers[0] is target.weights.layers[0]
    laws, wanted = scout.score(TEXT[:30], TEXT[30:]), target.score(TEXT[:30], TEXT[30:])
    assert total_variation(laws, wanted).mean() < 0.6


# Layouts and width.


@pytest.mark.parametrize("tile", [0, 16, 32, 64, 1000])
@pytest.mark.parametrize("rows", [1, 2, 6])
def test_a_tiled_matrix_multiplies_as_a_whole_one(tile, rows):
    rng = np.random.default_rng(0)
    matrix = rng.normal(size=(48, 128)).astype(np.float32)
    x = rng.normal(size=(rows, 48)).astype(np.float32)
    assert np.allclose(Matrix(matrix, tile)(x), x @ matrix, atol=1e-4)


def test_calibration_chooses_one_of_the_widths_and_leaves_the_laws():
    model = Transformer(SMALL)
    assert calibrate(model, seconds=0.05) in WIDTHS
    assert np.abs(model.next_law(TEXT) - fresh_law(TEXT)).max() < CLOSE


@pytest.mark.parametrize("width", [32, 36, 64, 100])
def test_a_widened_model_has_the_same_laws(width):
    wide = widen(SMALL, width)
    assert wide.width == width and wide.layers[0][2].shape == (width, 4 * width)
    laws = Transformer(wide).score(TEXT[:20], TEXT[20:])
    assert np.abs(laws - Transformer(SMALL).score(TEXT[:20], TEXT[20:])).max() < CLOSE


# At the door.


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda m: m.next_law((3, 96)), r"prefix\[1\] is 96"),
        (lambda m: m.next_law((3, -1)), r"prefix\[1\] is -1"),
        (lambda m: m.next_law(5), "prefix is 5"),
        (lambda m: m.score(TEXT, (1, 2.5)), r"tokens\[1\] is 2.5"),
        (lambda m: m.score(TEXT, None), "tokens is None"),
        (lambda m: m.rollback(-1), "length is -1"),
        (lambda m: m.retile(-1), "tile is -1"),
        (lambda m: Transformer(SMALL, 0.5), "tile is 0.5"),
        (lambda m: calibrate(m, rows=1), "rows is 1"),
        (lambda m: widen(SMALL, 16), "width is 16"),
        (lambda m: widen(SMALL, 33), "width is 33"),
        (lambda m: load_weights("giant"), "name is 'giant'"),
        (lambda m: card("../target"), "name is '../target'"),
        (lambda m: encode("naïve"), r"text\[2\] is 'ï'"),
        (lambda m: MultiHead(Transformer(), step=3), "step is 3"),
        (lambda m: MultiHead(Transformer()).propose(TEXT, 0, None), "draft_length is 0"),
    ],
)
def test_bad_input_is_named(call, message):
    model = Transformer(SMALL)
    model.next_law(TEXT)
    with pytest.raises(ValueError, match=message):
        call(model)
    assert np.abs(model.next_law(TEXT) - fresh_law(TEXT)).max() < CLOSE  # and nothing is broken


def test_lists_and_numpy_integers_are_tokens_too():
    law = Transformer(SMALL).next_law(np.array(TEXT))
    assert np.abs(law - fresh_law(TEXT)).max() < CLOSE
    model = Transformer(SMALL)
    model.score(list(TEXT), np.array([1, 2]))
    assert model.cached == (*TEXT, 1, 2) and all(type(token) is int for token in model.cached)


# What was shipped.


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("name", [*MODELS, "heads"])
def test_card_weights_and_script_agree(name):
    told = card(name)
    assert told["weights"] == sha256(stored.FOLDER / f"{name}.npz")
    assert told["script"] == sha256(ROOT / "tools" / "train_tiny.py")


def test_all_weights_together_stay_under_six_megabytes():
    assert sum(path.stat().st_size for path in stored.FOLDER.iterdir()) < 6e6


def test_the_card_tells_how_the_target_came_about():
    told = card("target")
    assert told["curve"][-1][0] == told["steps"]
    assert told["curve"][-1][1] < told["curve"][0][1]
    assert 0 < told["held_out_nats"] < 1.2
    assert set(told["versions"]) == {"python", "torch", "numpy"}


def test_weights_load_in_a_fifth_of_a_second():
    spent = []
    for _ in range(3):
        stored._load.cache_clear()
        start = time.process_time()
        load_weights("target")
        spent.append(time.process_time() - start)
    assert min(spent) < 0.2


def test_loaded_weights_cannot_be_changed():
    for array in (load_weights().embed, load_heads()[1], load_weights().layers[0][0]):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1


def test_the_corpus_keeps_some_documents_back_by_their_names():
    train, held_out = split()
    named, kept_back = {name for name, _ in train}, {name for name, _ in held_out}
    assert not named & kept_back and "abc.py" in named | kept_back
    assert 0.01 < len(kept_back) / (len(named) + len(kept_back)) < 0.1


def test_the_library_may_come_as_an_archive(tmp_path, monkeypatch):
    archive = tmp_path / "library.zip"
    with ZipFile(archive, "w") as library:
        library.writestr("abc.py", "x = 1\n")
        library.writestr("email/charset.py", "y\t= 2\r\n")
        library.writestr("test/left_out.py", "")
        library.writestr("email/charset.pyc", b"\x00")
    monkeypatch.setattr("sys.path", [str(archive)])
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(tmp_path / "nowhere"))
    found = [pair for pair in documents() if not pair[0].startswith("topics/")]
    assert found == [("abc.py", "x = 1\n"), ("email/charset.py", "y   = 2\n")]


def test_text_and_tokens_are_one_to_one():
    assert decode(encode(ALPHABET)) == ALPHABET
    assert plain("a\tb\r\nç") == "a   b\n?"
