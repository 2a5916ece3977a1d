"""What notebook 10 builds by hand is the package's, and what its text says is so."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from test_handbuilt_02_03 import built

from specnotes import yields
from specnotes.coins import law_of
from specnotes.decode import Round
from specnotes.drafts import NGram, PromptLookup
from specnotes.exact import decoder_law, distance, sequence_law
from specnotes.laws import draw, overlap
from specnotes.models import toy_pair
from specnotes.tiny import corpus
from specnotes.tiny.scouts import MultiHead, early_exit
from specnotes.tiny.transformer import Transformer, softmax
from specnotes.tiny.weights import load_heads, load_weights

CELLS = ("by-hand-code", "ngram-by-hand", "ex1", "ex2", "transformer-by-hand", "policies")
NAMES = dict(Counter=Counter, draw=draw, one_layer=toy_pair(0.5, 0.5, 0)[1])
TEXT = corpus.encode("def first(items):\n    return items[0]\n\n\nclass Last:")


@pytest.fixture(scope="module")
def notebook():
    return built("10_scouts", *CELLS, **NAMES)


def test_the_two_scouts_by_hand():
    p, a, b = (np.array([Fraction(n, 20) for n in x]) for x in ((12, 6, 2), (13, 7, 0), (9, 7, 4)))
    assert (overlap(p, a), overlap(p, b)) == (Fraction(18, 20), Fraction(17, 20))


def test_what_the_prediction_on_prices_says():
    assert yields.best_draft_length(0.8, 0.2) == 4 and yields.best_draft_length(0.6, 0.01) == 7
    gains = yields.speedup(0.8, 4, 0.2), yields.speedup(0.6, 7, 0.01)
    assert [round(gain, 2) for gain in gains] == [1.87, 2.3]


def test_mass_per_latency_says_whether_a_scout_pays_and_does_not_rank():
    pairs = [(a / 20, c / 20) for a in range(1, 20) for c in range(1, 20)]
    assert all((yields.best_draft_length(a, c) > 0) == (a / c > 1) for a, c in pairs)
    (a, c), (b, d) = one_gram, one_layer = (0.17, 0.007), (0.61, 0.1)  # about as printed
    assert a / c > b / d
    best = [yields.speedup(x, yields.best_draft_length(x, y), y) for x, y in (one_gram, one_layer)]
    assert best[0] < 1.2 and best[1] > 1.6


@pytest.mark.parametrize("text", ["abracadabra", "the cat sat on the mat", "aaaa"])
def test_backed_off_counts_what_followed_the_longest_known_end(notebook, text):
    table = notebook["counts_of"](text, 3)
    for context in ("", "a", "ab", "ra", "xa", "xyz"):
        known = next(c for n in range(4) if (c := context[n:]) in table)
        after = [
            text[i + len(known)]
            for i in range(len(text) - len(known))
            if text[i:].startswith(known)
        ]
        law = notebook["backed_off"](table, context)
        assert law == {x: Fraction(after.count(x), len(after)) for x in after}
        assert sum(law.values()) == 1


def test_the_context_at_has_the_counts_of_the_text(notebook):
    table = notebook["counts_of"]("the cat sat on the mat; the rat ran", 4)
    assert table["sat"] == {" ": 1}
    assert table["at"] == {" ": 3, ";": 1}
    counts, half = np.array(list(table["at"].values())), np.array([Fraction(1, 2)] * 2)
    assert list(notebook["interpolated"](counts, half)) == [Fraction(2, 3), Fraction(1, 3)]


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_mixing_from_the_empty_context_up_gives_the_packages_ngram(notebook, order):
    text = (0, 1, 0, 2, 0, 1, 1, 2, 0, 1, 0)
    model, table = NGram([text], order, "abc", exact=True), notebook["counts_of"](text, order)
    for context in [
        (),
        (0,),
        (1,),
        (2, 0),
        (0, 1),
        (1, 1),
        (2, 2),
        (1, 0, 1),
        (0, 1, 0),
        (2, 1, 2),
    ]:
        law, known = np.array([Fraction(1, 3)] * 3), context[max(0, len(context) - order + 1) :]
        for n in range(len(known) + 1):
            counts = table.get(known[len(known) - n :], {})
            law = notebook["interpolated"](np.array([counts.get(x, 0) for x in range(3)]), law)
        assert (law == model.next_law(context)).all()


@pytest.mark.parametrize("longest", [1, 2, 3, 8])
def test_the_look_up_by_hand_is_the_packages(notebook, longest):
    rng = np.random.default_rng(longest)
    for length in (0, 1, 2, 5, 12, 40):
        prefix = tuple(rng.integers(0, 3, length).tolist())
        scout = PromptLookup(range(3), longest)
        for count in (1, 4):
            by_hand = notebook["look_up"](prefix, count, longest)
            assert by_hand == scout.propose(prefix, count, None)[0]


@pytest.mark.parametrize("name", ["target", "draft"])
def test_the_transformer_by_hand_has_the_packages_laws(notebook, name):
    weights = load_weights(name)
    states = notebook["states"](weights, TEXT, len(weights.layers))
    by_hand = softmax(states @ weights.head)
    assert by_hand == pytest.approx(Transformer(weights).score((), TEXT), abs=1e-5)


def test_early_exit_and_heads_by_hand_have_the_packages_laws(notebook):
    weights, (ahead, leave) = load_weights("target"), load_heads()
    norm, states = notebook["norm"], notebook["states"]
    first = states(weights, TEXT, 1)
    early = softmax(norm(first + first @ leave) @ weights.head)
    assert early == pytest.approx(early_exit().score((), TEXT), abs=1e-5)
    state = states(weights, TEXT[:-1], 4)[-1]
    heads = softmax(np.stack([norm(state + state @ head) for head in ahead]) @ weights.head)
    assert heads == pytest.approx(MultiHead(Transformer(weights)).laws(TEXT), abs=1e-5)


def test_the_scout_that_drops_what_it_saw_has_the_law_of_the_text():
    dropped = built("10_scouts", "dropped")
    law = law_of(dropped["drops_doubtful"])
    assert law == {0: Fraction(2, 5), 1: Fraction(9, 25), 2: Fraction(6, 25)}


def test_the_cautious_length_looks_at_rounds_alone(notebook):
    whole, broken = Round((1, 2), 2, (1, 2, 3)), Round((1, 2), 0, (3,))
    lengths = [
        notebook["cautious"]((), rounds) for rounds in ((), (whole,), (broken,), (whole,) * 9)
    ]
    assert lengths == [4, 6, 3, 12]


def test_the_published_throughputs_follow_from_steps_and_rounds():
    """Yan et al.: with 8 drafts and a pass of 60 ms the printed throughputs come out."""
    for tokens, step, printed in ((3.70, 6.69, 32.59), (3.81, 13.13, 23.10)):
        assert 1000 * tokens / (8 * step + 60) == pytest.approx(printed, rel=0.005)
    assert round(1 - 23.10 / 32.59, 2) == 0.29


@pytest.fixture(scope="module")
def follow():
    return built("10_scouts", "equal")["follow"]


@pytest.mark.parametrize("rate, length", [(0.5, 3), (0.9, 6), (0.0, 1), (1.0, 12)])
def test_following_equal_overlaps_gives_the_packages_tokens_per_round(follow, rate, length):
    drafted, tokens = follow(np.full((2, 50, length), rate))
    assert drafted == pytest.approx(length)
    assert tokens == pytest.approx(yields.tokens_per_round(rate, length))


def test_following_overlaps_in_turn_gives_the_yield_of_a_markov_pair(follow):
    """Even places .9, odd places .4: a Markov pair whose tokens alternate has the same rounds."""
    rates, length = np.where(np.arange(6003) % 2, 0.4, 0.9), 3
    along = np.lib.stride_tricks.sliding_window_view(rates, length)[None]
    target = np.array([[0, 0, 1.0, 0], [0, 0, 1.0, 0], [1.0, 0, 0, 0], [1.0, 0, 0, 0]])
    draft = np.array([[0, 0, 0.9, 0.1], [0, 0, 0.9, 0.1], [0.4, 0.6, 0, 0], [0.4, 0.6, 0, 0]])
    wanted = yields.markov_tokens_per_round(target, draft, length)
    assert follow(along)[1] == pytest.approx(wanted, abs=2e-3)


def test_following_counts_what_is_drafted_and_the_step_that_stops(follow):
    along, going = np.full((1, 40, 3), 0.5), np.tile([1, 1, 0], (1, 40, 1))
    assert follow(along, going) == pytest.approx((3, yields.tokens_per_round(0.5, 2)))


def test_the_scout_alive_proposes_from_the_laws_it_hands_over(notebook):
    model = notebook["one_layer"]
    tokens, laws = notebook["Alive"]().propose((0,), 12, np.random.default_rng(0))
    assert len(tokens) == len(laws) <= 12
    for i, law in enumerate(laws):
        assert (law == model.next_law((0,) + tokens[:i])).all()
    following = model.next_law((0,) + tokens).max()
    alive = np.prod([law.max() for law in laws])
    assert alive >= 0.2 and (len(tokens) == 12 or alive * following < 0.2)


def test_the_scout_alive_keeps_the_law(notebook):
    target, draft = toy_pair(0.5, 0.5, 0)
    law = decoder_law(target, notebook["Alive"](), (), 2, 2)
    assert float(distance(law, sequence_law(target, (), 2))) < 1e-12
