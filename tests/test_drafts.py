"""Scouts propose from the laws they hand over; n-grams count; look-up finds what it says."""

import doctest
from fractions import Fraction as F
from itertools import product
from time import process_time

import numpy as np
import pytest
from context_models import PAIRS, model

from specnotes.audit import audit_draft
from specnotes.audit.cases import law
from specnotes.coins import law_of
from specnotes.decode import propose, speculate
from specnotes.drafts import FirstOf, GreedyScout, ModelScout, NGram, PromptLookup, lookup, tables
from specnotes.exact import decoder_law, sequence_law
from specnotes.laws import check_law, draw
from specnotes.transforms import greedy, temperature
from specnotes.verify import verify_block_unchecked

DOCUMENTS = [(0, 1, 0, 2, 0, 1), (2, 2, 0, 1, 1), (), (1,), (0, 1, 0, 2, 2, 0, 1)]
CONTEXTS = [context for n in range(5) for context in product(range(3), repeat=n)]


def rng(seed=0):
    return np.random.default_rng(seed)


def trigram(**options):
    given = dict(documents=DOCUMENTS, order=3, vocabulary="abc", exact=True)
    return NGram(**{**given, **options})


def same(a, b):
    return np.array_equal(np.asarray(a), np.asarray(b))


# N-gram laws.


def written_down(documents, order, size, least, context, weight=1):
    """The formula of the docstring on a dict of counts: law of the token after the context."""
    context = context[max(0, len(context) - order + 1) :]
    n, counts = len(context), [0] * size
    for document in documents:
        for i in range(n, len(document)):
            if tuple(document[i - n : i]) == context:
                counts[document[i]] += 1
    shorter = [F(1, size)] * size
    if context:
        shorter = written_down(documents, order, size, least, context[1:], weight)
    owed = weight * (sum(c > 0 for c in counts) + sum(c for c in counts if c < least))
    kept = [c if c >= least else 0 for c in counts]
    if owed == 0:
        return shorter
    return [F(k + owed * below) / (sum(kept) + owed) for k, below in zip(kept, shorter)]


def test_witten_bell_by_hand():
    """Counts of the empty context 2 1 1, of a: b 1 and c 1, of b: a 1, of c: none."""
    bigram = NGram([(0, 1, 0, 2)], 2, "abc", exact=True)
    assert same(bigram.next_law(()), law(3, 2, 2))
    assert same(bigram.next_law((0,)), law(6, 11, 11))
    assert same(bigram.next_law((1,)), law(5, 1, 1))
    assert same(bigram.next_law((2,)), law(3, 2, 2))


@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize("least", [1, 2, 3])
def test_laws_are_those_of_the_formula(order, least):
    ngram = trigram(order=order, least=least)
    for context in CONTEXTS:
        assert same(ngram.next_law(context), written_down(DOCUMENTS, order, 3, least, context))


@pytest.mark.parametrize("least", [1, 2])
def test_a_weight_multiplies_what_is_owed_to_the_shorter_context(least):
    ngram = trigram(least=least, weight=5)
    for context in CONTEXTS:
        one = ngram.next_law(context)
        assert one.sum() == 1
        assert same(one, written_down(DOCUMENTS, 3, 3, least, context, weight=5))


@pytest.mark.parametrize("least", [1, 2, 3, 99])
def test_every_law_sums_to_one_exactly(least):
    ngram = trigram(order=4, least=least)
    for context in CONTEXTS:
        one = ngram.next_law(context)
        assert one.sum() == 1 and {type(x) for x in one} == {F} and one.min() > 0


def test_what_the_table_forgets_the_shorter_context_says():
    seen_once = NGram([(0, 1, 0, 1, 0, 2)], 2, "abc", least=2, exact=True)
    root = seen_once.next_law(())
    # After a: b twice, c once and forgotten; two kinds seen.  So 2 for b, 3 for the shorter law.
    assert same(seen_once.next_law((0,)), (np.array([0, 2, 0]) + 3 * root) / 5)


def test_nothing_kept_leaves_the_uniform_law():
    assert same(trigram(least=99).next_law((0, 1)), law(1, 1, 1))


def test_contexts_do_not_reach_across_documents():
    apart, joined = (NGram(d, 2, "abc", exact=True) for d in ([(0, 1), (2, 0)], [(0, 1, 2, 0)]))
    assert same(apart.next_law((1,)), apart.next_law(()))
    assert not same(joined.next_law((1,)), joined.next_law(()))


def test_only_the_last_tokens_matter():
    ngram = trigram()
    assert same(ngram.next_law((2, 2, 1, 0, 1)), ngram.next_law((0, 1)))
    assert not same(ngram.next_law((0, 1)), ngram.next_law((2, 1)))


def test_float_laws_are_the_exact_ones_rounded():
    exact, floats = trigram(), trigram(exact=False)
    for context in CONTEXTS:
        one = floats.next_law(context)
        assert one.dtype == np.float64
        assert np.abs(one - exact.next_law(context).astype(float)).max() < 1e-15


def test_keys_that_would_not_fit_in_64_bits_are_renumbered():
    """1,001 to the power of 12 is above 2 to the power of 119."""
    numbers, size, order = rng(1), 1000, 12
    text = tuple(numbers.choice([3, 500, 999], 300).tolist())
    long = NGram([text, text[:50]], order, range(size), exact=True)
    for end in (0, 5, 40, 299):
        one = long.next_law(text[:end])
        assert same(one, written_down([text, text[:50]], order, size, 1, text[:end]))


def test_counting_in_chunks_changes_nothing(monkeypatch):
    whole = trigram()
    monkeypatch.setattr(tables, "CHUNK", 4)
    parts = trigram()
    assert all(same(getattr(whole.tables, n), getattr(parts.tables, n)) for n in tables.NAMES)


@pytest.mark.parametrize("kind", [list, np.array, lambda d: np.array(d, np.uint8), bytes])
def test_a_document_is_any_sequence_of_whole_numbers(kind):
    given = trigram(documents=[kind(document) for document in DOCUMENTS if document])
    assert all(same(given.next_law(c), trigram().next_law(c)) for c in CONTEXTS)


def test_documents_are_not_changed():
    document = np.array([0, 1, 2, 0])
    document.setflags(write=False)
    trigram(documents=[document])
    assert document.tolist() == [0, 1, 2, 0]


# It is a model, and it is saved and loaded.


@pytest.mark.parametrize("exact", [True, False])
def test_a_score_is_the_laws_after_the_prefix_and_each_token(exact):
    ngram = trigram(exact=exact)
    for prefix, tokens in [((), ()), ((1,), (0, 1)), ((2, 0, 1), (0, 2, 2, 1))]:
        expected = [ngram.next_law(prefix + tokens[:i]) for i in range(len(tokens) + 1)]
        assert same(ngram.score(prefix, tokens), expected)


def test_lists_and_arrays_of_tokens_will_do():
    ngram = trigram()
    for kind in (list, np.array):
        assert same(ngram.next_law(kind((2, 0, 1))), ngram.next_law((2, 0, 1)))
        assert same(ngram.score(kind((0, 1)), kind((2, 2))), ngram.score((0, 1), (2, 2)))


def test_the_laws_handed_out_are_read_only():
    with pytest.raises(ValueError, match="read-only"):
        trigram().next_law((0,))[0] = 1


@pytest.mark.parametrize("exact", [True, False])
def test_what_is_loaded_has_the_laws_of_what_was_saved(tmp_path, exact):
    saved = trigram(least=2, exact=exact)
    saved.save(tmp_path / "tables.npz")
    loaded = NGram.load(tmp_path / "tables.npz", "abc", exact=exact)
    assert loaded.vocabulary == ("a", "b", "c")
    assert all(same(loaded.next_law(c), saved.next_law(c)) for c in CONTEXTS)


# Each is one change that makes the laws wrong, or the look-up fail.
DAMAGE = {
    "a token outside the vocabulary": lambda a: a["tokens"].__setitem__(0, 3),
    "a token twice after a context": lambda a: a["tokens"].__setitem__(1, a["tokens"][0]),
    "a count of nothing": lambda a: a["counts"].__setitem__(2, 0),
    "nothing left for the shorter context": lambda a: a["owed"].__setitem__(1, 0),
    "keys out of order": lambda a: a["keys"].__setitem__(1, -1),
    "a start beyond the end": lambda a: a["starts"].__setitem__(-1, 999),
    "a first start that is not 0": lambda a: a["starts"].__setitem__(0, 1),
    "starts that go back": lambda a: a["starts"].__setitem__(2, 0),
    "a context too few": lambda a: a.update(owed=a["owed"][:-1]),
    "a start too many": lambda a: a.update(starts=np.append(a["starts"], a["starts"][-1])),
    "a count too few": lambda a: a.update(counts=a["counts"][:-1]),
    "keys that are not whole": lambda a: a.update(keys=a["keys"] * 1.0),
    "a field missing": lambda a: a.pop("owed"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_refused(tmp_path, damage):
    path = tmp_path / "tables.npz"
    trigram().save(path)
    arrays = dict(np.load(path))
    DAMAGE[damage](arrays)
    np.savez(path, **arrays)
    with pytest.raises(ValueError, match="path is .*tables.npz"):
        NGram.load(path, "abc")


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04 broken"])
def test_another_file_is_refused(tmp_path, content):
    (tmp_path / "file.npz").write_bytes(content)
    with pytest.raises(ValueError, match="path is .*file.npz.*, not a file of n-gram tables"):
        NGram.load(tmp_path / "file.npz", "abc")


def test_a_single_array_is_refused(tmp_path):
    np.save(tmp_path / "file.npy", np.arange(3))
    with pytest.raises(ValueError, match="not a file of n-gram tables"):
        NGram.load(tmp_path / "file.npy", "abc")


def test_a_loaded_table_needs_its_vocabulary(tmp_path):
    trigram().save(tmp_path / "tables.npz")
    with pytest.raises(ValueError, match="vocabulary has 2 tokens, the tables have 3"):
        NGram.load(tmp_path / "tables.npz", "ab")


# Proposals.


ONE_HOT = {
    "greedy": lambda exact: GreedyScout(trigram(exact=exact)),
    "look-up": lambda exact: PromptLookup("abc", exact=exact),
    "look-up, else greedy": lambda exact: FirstOf(
        PromptLookup("abc", shortest=2, exact=exact), GreedyScout(trigram(exact=exact))
    ),
}
DRAWN = {
    "n-gram": lambda exact: trigram(exact=exact),
    "model": lambda exact: ModelScout(trigram(exact=exact)),
    "model, square": lambda exact: ModelScout(
        trigram(exact=exact), lambda one: temperature(one, F(1, 2))
    ),
    "model with a floor": lambda exact: ModelScout(trigram(exact=exact), floor=F(11, 20)),
    "sure model, else model": lambda exact: FirstOf(
        ModelScout(trigram(exact=exact), floor=F(11, 20)), trigram(exact=exact)
    ),
}
SCOUTS = ONE_HOT | DRAWN


@pytest.mark.parametrize("scout", SCOUTS)
@pytest.mark.parametrize("exact", [True, False])
def test_a_proposal_is_a_tuple_of_ints_and_as_many_laws(scout, exact):
    for prefix in CONTEXTS:
        for length in (1, 4):
            tokens, laws = SCOUTS[scout](exact).propose(prefix, length, rng())
            assert type(tokens) is tuple and {type(token) for token in tokens} <= {int}
            assert len(tokens) <= length and laws.shape == (len(tokens), 3)
            assert len(tokens) == 0 or check_law(laws).dtype == (object if exact else float)
            assert {type(x) for x in laws.flat} <= {F if exact else np.float64}


@pytest.mark.parametrize("scout", SCOUTS)
def test_a_prefix_may_be_a_list_or_an_array(scout):
    expected = SCOUTS[scout](True).propose((0, 1, 2, 0, 1), 3, rng())
    for kind in (list, np.array):
        tokens, laws = SCOUTS[scout](True).propose(kind((0, 1, 2, 0, 1)), 3, rng())
        assert tokens == expected[0] and same(laws, expected[1])


@pytest.mark.parametrize("scout", DRAWN)
def test_the_laws_are_those_the_tokens_were_drawn_from(scout):
    """Each token is what its law gives for its own coin."""
    for exact in (True, False):
        for seed in range(20):
            tokens, laws = SCOUTS[scout](exact).propose((0, 1), 5, rng(seed))
            coins = rng(seed)
            assert tokens == tuple(draw(one, coins) for one in laws)


@pytest.mark.parametrize("scout", ONE_HOT)
def test_a_scout_without_chance_is_sure_of_its_tokens_and_uses_no_coin(scout):
    tokens, laws = SCOUTS[scout](True).propose((0, 1, 2, 0, 1), 3, rng=None)
    assert len(tokens) == 3 and same(laws, np.eye(3, dtype=int)[list(tokens)])


def test_an_ngram_proposes_with_its_own_law():
    ngram = trigram()
    proposals = law_of(lambda coins: ngram.propose((2, 0), 3, coins)[0])
    assert proposals == sequence_law(ngram, (2, 0), 3)


def test_an_ngram_proposes_what_the_loop_would_draft_with_it():
    class Plain:
        next_law = trigram().next_law

    for seed in range(10):
        tokens, laws = trigram().propose((1, 0), 4, rng(seed))
        expected = propose(Plain(), (1, 0), 4, rng(seed))
        assert tokens == expected[0] and same(laws, expected[1])


def test_a_greedy_scout_proposes_what_a_greedy_model_drafts():
    for prefix in CONTEXTS:
        tokens, laws = GreedyScout(trigram()).propose(prefix, 4, None)
        expected = ModelScout(trigram(), greedy).propose(prefix, 4, rng())
        assert tokens == expected[0] and same(laws, expected[1])


def test_a_model_scout_drafts_with_its_step():
    def square(one):
        return temperature(one, F(1, 2))

    scout = ModelScout(trigram(), square)
    for seed in range(10):
        tokens, laws = scout.propose((0,), 3, rng(seed))
        assert same(laws, [square(trigram().next_law((0,) + tokens[:i])) for i in range(3)])


def test_the_first_scout_with_something_to_say_is_heard():
    both = FirstOf(PromptLookup("abc", shortest=2), GreedyScout(trigram()))
    copied, drafted = (0, 1, 2, 0, 1), (2, 1)
    assert both.propose(copied, 2, None)[0] == (2, 0)
    assert both.propose(drafted, 2, None)[0] == GreedyScout(trigram()).propose(drafted, 2, None)[0]
    silent = FirstOf(PromptLookup("abc"), PromptLookup("abc")).propose((0,), 2, None)
    assert silent[0] == () and silent[1].shape == (0, 3)


def test_a_model_scout_stops_before_a_token_it_is_not_sure_of():
    draft, floor, lengths = model(3, 1), F(1, 2), set()
    for prefix in CONTEXTS:
        tokens, laws = ModelScout(draft, floor=floor).propose(prefix, 3, rng(sum(prefix)))
        lengths.add(len(tokens))
        assert all(one.max() >= floor for one in laws)
        if len(tokens) < 3:
            assert draft.next_law(prefix + tokens).max() < floor
    assert lengths == {0, 1, 2, 3}


# Prompt look-up.


def test_the_documented_examples_hold():
    examples = doctest.testmod(lookup)
    assert examples.attempted >= 5 and examples.failed == 0


# (implementation, options, prefix, draft length, proposal).  The first three of vLLM are the
# example of its source and two of its tests, the first of Transformers is its test of the end token
# with numbers filled in; the rest follows from their rules.
EXAMPLES = [
    ("vLLM", dict(longest=3, shortest=2), (1, 2, 3, 4, 2, 3), 4, (4, 2, 3)),
    ("vLLM", dict(longest=2, shortest=2), (1, 2, 3, 4, 1, 2, 3, 5, 6), 2, ()),
    ("vLLM", dict(longest=2, shortest=2), (1, 2, 3, 4, 1, 2, 3), 3, (4, 1, 2)),
    ("vLLM, too short a match", dict(longest=3, shortest=3), (1, 2, 3, 4, 2, 3), 4, ()),
    ("Transformers", dict(longest=1, stop=0), (7, 5, 8, 9, 0, 6, 4, 3, 2, 9), 4, ()),
    ("Transformers, leftmost", dict(longest=2), (3, 1, 3, 2, 3), 1, (1,)),
    ("Transformers, cut at stop", dict(longest=2, stop=0), (1, 2, 5, 0, 4, 1, 2), 4, (5,)),
    ("original, whole", dict(whole=True), (1, 2, 3, 4, 2, 3), 4, ()),
    ("original, whole", dict(whole=True), (1, 2, 3, 4, 2, 3), 3, (4, 2, 3)),
    ("original, no neighbour", dict(whole=True), (2, 2), 1, ()),
    ("the others, a neighbour", {}, (2, 2), 1, (2,)),
    ("longest suffix first", dict(longest=2), (3, 5, 2, 3, 6, 2, 3), 1, (6,)),
    ("three tokens by default", {}, (1, 2, 3, 7, 2, 3, 8, 1, 2, 3), 1, (7,)),
    ("no more by default", {}, (1, 2, 3, 7, 4, 1, 2, 3, 8, 4, 1, 2, 3), 1, (7,)),
    ("overlap", dict(longest=2), (4, 4, 4, 4), 3, (4, 4)),
    ("nothing to match", {}, (1, 2, 3), 3, ()),
    ("one token", {}, (1,), 3, ()),
    ("empty", {}, (), 3, ()),
]


@pytest.mark.parametrize("size", [10, 300], ids=["bytes", "text"])
@pytest.mark.parametrize("name, options, prefix, length, expected", EXAMPLES)
def test_public_behaviours(size, name, options, prefix, length, expected):
    tokens, laws = PromptLookup(range(size), **options).propose(prefix, length, None)
    assert tokens == expected and laws.shape == (len(expected), size)


def searched(prefix, longest, shortest, whole, count):
    """All starts tried from the left, for each suffix from the longest."""
    for n in range(longest, shortest - 1, -1):
        for start in range(len(prefix) - n):
            follows = start + n
            if prefix[start:follows] == prefix[len(prefix) - n :]:
                there = prefix[follows : follows + count]
                apart = follows < len(prefix) - n and len(there) == count
                if apart or not whole:
                    return there
    return ()


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("longest, shortest", [(1, 1), (3, 1), (3, 2)])
@pytest.mark.parametrize("count", [1, 3])
def test_look_up_finds_what_a_search_of_all_places_finds(longest, shortest, whole, count):
    scout = PromptLookup("ab", longest, shortest, whole)
    for n in range(9):
        for prefix in product(range(2), repeat=n):
            expected = searched(prefix, longest, shortest, whole, count)
            assert scout.propose(prefix, count, None)[0] == expected


def test_laws_are_floats_unless_exact_ones_are_asked_for():
    for scout in (PromptLookup("ab"), NGram([(0, 1)], 2, "ab")):
        assert scout.propose((0, 1, 0), 2, rng())[1].dtype == np.float64


def test_the_last_token_of_a_vocabulary_is_found():
    for size in (256, 257):
        last = size - 1
        assert PromptLookup(range(size)).propose((last, 5, last), 1, None)[0] == (5,)


def test_tokens_beyond_one_byte_are_not_confused():
    """65 · 256 + 66 is no match for 66, nor are halves of a surrogate pair."""
    high = (0xD83D, 0xDE00, 16706, 7, 66, 0x1F600, 8, 66)
    assert PromptLookup(range(200_000)).propose(high, 2, None)[0] == (0x1F600, 8)
    assert PromptLookup(range(200_000)).propose(high[:4] + (0xDE00,), 1, None)[0] == (16706,)


# Lossless with every scout.


@pytest.mark.parametrize("scout", SCOUTS)
@pytest.mark.parametrize("stop", [None, 1])
@pytest.mark.parametrize("prefix", [(), (0, 1, 2, 0)])
def test_speculation_with_the_scout_has_the_targets_law(scout, stop, prefix):
    target = model(3, 1)
    expected = sequence_law(target, prefix, 4, stop)
    assert decoder_law(target, SCOUTS[scout](True), prefix, 2, 4, stop=stop) == expected


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("floor", [0, F(1, 3), 1])
def test_scouts_of_any_model_keep_the_targets_law(pair, floor):
    target, draft = PAIRS[pair](2)
    expected = sequence_law(target, (), 4)
    for scout in (ModelScout(draft, floor=floor), GreedyScout(draft)):
        assert decoder_law(target, scout, (), 2, 4) == expected


def test_speculation_with_the_scout_keeps_the_law_without_checks():
    target = model(3, 1)
    expected = sequence_law(target, (), 4)
    assert decoder_law(target, trigram(), (), 2, 4, verify=verify_block_unchecked) == expected


def test_an_ngram_may_be_the_target():
    target, draft = trigram(), trigram(order=2)
    assert decoder_law(target, draft, (1,), 3, 4) == sequence_law(target, (1,), 4)


class Overruns(ModelScout):
    """Looks at the token it has drawn, and withholds it: the law changes."""

    def propose(self, prefix, draft_length, rng):
        tokens, laws = super().propose(prefix, draft_length, rng)
        keep = next((i for i, token in enumerate(tokens) if token == 1), len(tokens))
        return tokens[:keep], laws[:keep]


class Untrue(ModelScout):
    """Hands over other laws than those it has drawn from."""

    def propose(self, prefix, draft_length, rng):
        tokens, laws = super().propose(prefix, draft_length, rng)
        return tokens, laws[:, [1, 0, 2]]


@pytest.mark.parametrize("scout", [Overruns, Untrue])
def test_a_scout_that_breaks_the_rules_would_be_seen(scout):
    target = model(3, 1)
    assert decoder_law(target, scout(trigram()), (), 2, 2) != sequence_law(target, (), 2)


@pytest.mark.parametrize(
    "make",
    [
        ModelScout,
        GreedyScout,
        lambda draft: ModelScout(draft, floor=F(1, 2)),
        lambda draft: FirstOf(ModelScout(draft, floor=F(1, 2)), GreedyScout(draft)),
    ],
    ids=["model", "greedy", "floor", "first of two"],
)
def test_the_audit_of_scouts_passes(make):
    report = audit_draft(lambda draft, *asked: make(draft).propose(*asked))
    assert report.ok, report


def test_a_look_up_in_what_it_should_continue_saves_passes():
    """A target that repeats itself, sure of it: three tokens per match and the bonus."""
    target = model(3, 1, lambda prefix, seed, size: [int(i == len(prefix) % 3) for i in range(3)])
    trace = speculate(target, PromptLookup("abc"), (0, 1, 2) * 3, 3, 40, rng())
    assert trace.target_passes == 10 and trace.tokens == ((0, 1, 2) * 14)[:40]


# What comes in.


class Nameless:
    """Has laws, but no vocabulary."""

    next_law = None


BAD = [
    (lambda: trigram(order=0), "order is 0"),
    (lambda: trigram(order=2.0), "order is 2.0"),
    (lambda: trigram(least=0), "least is 0"),
    (lambda: trigram(weight=0), "weight is 0"),
    (lambda: trigram(weight=1.5), "weight is 1.5"),
    (lambda: trigram(weight=10**30), "weight is 1000000000000000000000000000000"),
    (lambda: trigram(vocabulary=""), "vocabulary is empty"),
    (lambda: trigram(vocabulary=3), "vocabulary is 3"),
    (lambda: trigram(documents=3), "documents is 3, not a list of sequences"),
    (lambda: trigram(documents=[(0, 1), 2]), r"documents\[1\] is 2, not a sequence"),
    (lambda: trigram(documents=[(0, 1), (0, 3)]), r"documents\[1\]\[1\] is 3"),
    (lambda: trigram(documents=[(0, 1), (0, -1)]), r"documents\[1\]\[1\] is -1"),
    (lambda: trigram(documents=[np.array([0, 9, 1])]), r"documents\[0\]\[1\] is .*9"),
    (lambda: trigram(documents=[np.array([0.5])]), r"documents\[0\]\[0\] is .*0.5"),
    (lambda: trigram(documents=[[0, True]]), r"documents\[0\]\[1\] is True"),
    (lambda: trigram(documents=[]), "documents hold no tokens"),
    (lambda: trigram(documents=[(), ()]), "documents hold no tokens"),
    (lambda: trigram().next_law((0, 3)), r"prefix\[1\] is 3"),
    (lambda: trigram().next_law((0, 0, 0, 1.0)), r"prefix\[3\] is 1.0"),
    (lambda: trigram().next_law((0, True)), r"prefix\[1\] is True"),
    (lambda: trigram().next_law(5), "prefix is 5, not a sequence"),
    (lambda: trigram().score((0,), (0, 3)), r"tokens\[1\] is 3"),
    (lambda: trigram().propose((0,), 0, rng()), "draft_length is 0"),
    (lambda: PromptLookup(""), "vocabulary is empty"),
    (lambda: PromptLookup("abc", longest=0), "longest is 0"),
    (lambda: PromptLookup("abc", longest=1, shortest=2), "longest is 1, not .* from 2 on"),
    (lambda: PromptLookup("abc", shortest=0), "shortest is 0"),
    (lambda: PromptLookup("abc", stop=3), "stop is 3"),
    (lambda: PromptLookup("abc").propose((0, 3), 2, None), r"prefix\[1\] is 3"),
    (lambda: PromptLookup("abc").propose((0, -1), 2, None), r"prefix\[1\] is -1"),
    (lambda: PromptLookup("abc").propose((0, 300), 2, None), r"prefix\[1\] is 300"),
    (lambda: PromptLookup("abc").propose((0, 1.0), 2, None), r"prefix\[1\] is 1.0"),
    (lambda: PromptLookup("abc").propose(5, 2, None), "prefix is 5, not a sequence"),
    (lambda: PromptLookup(range(300)).propose((0, 300), 2, None), r"prefix\[1\] is 300"),
    (lambda: PromptLookup("abc").propose((0,), 1.5, None), "draft_length is 1.5"),
    (lambda: PromptLookup("abc").propose((0,), 0, None), "draft_length is 0"),
    (lambda: ModelScout(3), "model is 3, not a model"),
    (lambda: ModelScout(trigram(), step=3), "step is 3"),
    (lambda: ModelScout(trigram(), floor=2), r"floor is 2, not .*\[0, 1\]"),
    (lambda: ModelScout(trigram(), floor="x"), "floor is 'x'"),
    (lambda: ModelScout(trigram()).propose((0,), 0, rng()), "draft_length is 0"),
    (
        lambda: ModelScout(trigram(), lambda one: 2 * one).propose((0,), 1, rng()),
        "law of step .* sums to 2",
    ),
    (lambda: GreedyScout(3), "model is 3, not a model"),
    (lambda: FirstOf(), "scouts is empty"),
    (lambda: FirstOf(PromptLookup("abc"), 3), r"scouts\[1\] is 3, not a scout"),
    (
        lambda: FirstOf(PromptLookup("abc"), PromptLookup("ab")),
        r"scouts\[1\] has a vocabulary of 2",
    ),
    (lambda: FirstOf(PromptLookup("abc")).propose((0,), 0, None), "draft_length is 0"),
    (lambda: ModelScout(PromptLookup("abc")), "not a model with vocabulary and next_law"),
    (lambda: ModelScout(Nameless()), "not a model with vocabulary and next_law"),
    (lambda: GreedyScout(trigram()).propose((0,), 0, rng()), "draft_length is 0"),
    (lambda: speculate(model(2, 1), trigram(), (), 2, 3, rng()), "draft has a vocabulary of 3"),
]


@pytest.mark.parametrize("call, message", BAD)
def test_bad_input_is_refused_by_name_place_and_value(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# Speed, as ratios in one run.


def least_seconds(call, repeats=7):
    """Processor time of the fastest call."""
    times = []
    for _ in range(repeats):
        start = process_time()
        call()
        times.append(process_time() - start)
    return min(times)


def text_of(length):
    return rng(2).integers(0, 96, length)


def test_the_cost_of_a_draft_does_not_grow_with_the_table():
    """30 times the contexts, at most 4 times the time; 1.2 to 1.5 when measured.

    A key that is a float copies all keys at each look-up: 20 times the time.
    """

    def seconds(length):
        text = text_of(length)
        ngram, prefix = NGram([text], 4, range(96)), tuple(text[:600].tolist())

        def walk():
            ngram._look.cache_clear()
            ngram.score(prefix[:1], prefix[1:])

        return least_seconds(walk)

    assert seconds(300_000) < 4 * seconds(10_000)


def test_counting_takes_time_in_proportion_to_the_text():
    """Ten times the text, at most 40 times the time."""

    def seconds(length):
        return least_seconds(lambda: NGram([text_of(length)], 5, range(96), least=2), 3)

    assert seconds(200_000) < 40 * seconds(20_000)


def test_a_draft_step_costs_less_than_five_checks_of_its_law():
    """So a look-up needs microseconds, once its context has come up before."""
    text = text_of(20_000)
    ngram, prefix = NGram([text], 3, range(96)), tuple(text[:50].tolist())
    one = ngram.next_law(prefix)
    ngram.propose(prefix, 5, rng())

    def drafts():
        for _ in range(50):
            ngram.propose(prefix, 5, rng())

    def checks():
        for _ in range(250):
            check_law(one)

    assert least_seconds(drafts) < 5 * least_seconds(checks)
