"""Checks of notebook 04: right answers of many forms pass, each known mistake is named."""

from fractions import Fraction

import numpy as np
import pytest

from specnotes.checks import blocks
from specnotes.decode import is_finished, one_round, propose, speculate
from specnotes.exact import decoder_law, sequence_law
from specnotes.laws import draw, residual
from specnotes.models import MarkovModel
from specnotes.verify import verify_block, verify_token


def parametrize(names, table):
    return pytest.mark.parametrize(names, table.values(), ids=table.keys())


def refuses(result, words):
    assert result.attempted and not result.ok
    assert words in result.message


# Exercise 1

WAYS = [Fraction(2, 100), 0, Fraction(3, 100), Fraction(9, 100)]


@parametrize(
    "ways",
    {
        "fractions": WAYS,
        "floats": [0.02, 0.0, 0.03, 0.09],
        "products": [0.2 * 0.1, 0.2 * 0, 0.3 * 0.1, 0.3 * 0.3],
        "in quotes": ["2/100", "0", "0.03", "9/100"],
    },
)
def test_the_four_chances_pass(ways):
    assert blocks.pair_by_hand(*ways).ok


@parametrize(
    "position, hundredths, words",
    {
        "drafted, not kept": (0, 10, "not all of it is kept"),
        "start row twice": (0, 4, "uses the rows after cat"),
        "the whole pair": (0, 5, "the ways add up to it"),
        "something else": (0, 7, "kept and kept"),
        "negative": (1, -8, "nothing below 0"),
        "start row's owed": (1, 6, "uses the rows after cat"),
        "first token only": (2, 30, "the second must be cat"),
        "wrong context in the next round": (2, 9, "after cat, not after mat"),
        "right context after going on": (3, 3, "which row does it use"),
        "first token of the wrong way only": (3, 30, "the second must be cat"),
        "all ways together": (3, 11, "the third way alone"),
        "hundredths taken for ones": (0, 200, "in hundredths"),
    },
)
def test_a_wrong_chance_is_refused_with_its_slip(position, hundredths, words):
    ways = list(WAYS)
    ways[position] = Fraction(hundredths, 100)
    refuses(blocks.pair_by_hand(*ways), words)


def tenths(*parts):
    return [Fraction(part, 10) for part in parts]


def test_the_chances_are_those_of_the_notebooks_models():
    after = [tenths(1, 6, 3), tenths(7, 1, 2), tenths(3, 3, 4)]
    target = MarkovModel(after, tenths(5, 3, 2))
    after = [tenths(5, 3, 2), tenths(4, 4, 2), tenths(3, 2, 5)]
    draft = MarkovModel(after, tenths(2, 3, 5))
    right = sequence_law(target, (), 2)
    assert sum(WAYS[:3]) == right[0, 0] == decoder_law(target, draft, (), 2, 2)[0, 0]


# Exercises 2 and 3: right verifiers


def vectorised(target_laws, draft_laws, tokens, rng):
    rows, tokens = np.arange(len(tokens)), np.asarray(tokens)
    kept = rng.random(len(tokens)) * draft_laws[rows, tokens] < target_laws[rows, tokens]
    first = len(tokens) if kept.all() else int(np.argmin(kept))
    owed = np.maximum(target_laws - np.vstack([draft_laws, 0 * target_laws[:1]]), 0)[first]
    law = owed / owed.sum() if owed.sum() > 0 else target_laws[first]
    return first, draw(law, rng)


def recursive(target_laws, draft_laws, tokens, rng):
    if len(tokens) == 0:
        return 0, draw(target_laws[0], rng)
    token, accepted = verify_token(target_laws[0], draft_laws[0], tokens[0], rng)
    if not accepted:
        return 0, token
    more, token = recursive(target_laws[1:], draft_laws[1:], tokens[1:], rng)
    return more + 1, token


def in_logarithms(target_laws, draft_laws, tokens, rng):
    """Floats only, as engines do it."""
    p, q = np.asarray(target_laws, float), np.asarray(draft_laws, float)
    with np.errstate(divide="ignore"):
        for i, x in enumerate(tokens):
            if not np.log(rng.random()) < np.log(p[i, x]) - np.log(q[i, x]):
                owed = np.clip(p[i] - q[i], 0, None)
                law = owed / owed.sum() if owed.sum() > 0 else p[i]
                return i, int(np.searchsorted(law.cumsum() / law.sum(), rng.random(), "right"))
    return len(tokens), int(rng.choice(len(p[-1]), p=p[-1]))


def corrections_first(target_laws, draft_laws, tokens, rng):
    """All replacements drawn ahead, most of them for nothing."""
    spare = [draw(residual(p, q), rng) for p, q in zip(target_laws, draft_laws)]
    spare.append(draw(target_laws[-1], rng))
    accepted = 0
    while accepted < len(tokens):
        x = tokens[accepted]
        if rng.random() >= min(1, target_laws[accepted][x] / draft_laws[accepted][x]):
            break
        accepted += 1
    return np.int64(accepted), np.int64(spare[accepted])


def jointly(target_laws, draft_laws, tokens, rng):
    """Block verification of Sun et al. 2024: another rule, at least as many tokens kept."""
    k, ahead, chances = len(tokens), [Fraction(1)], []
    for i, x in enumerate(tokens):
        ahead.append(min(1, ahead[-1] * target_laws[i][x] / draft_laws[i][x]))
    for i in range(1, k + 1):
        if i == k:
            chances.append(ahead[k])
            continue
        left = np.maximum(ahead[i] * target_laws[i] - draft_laws[i], 0).sum()
        rest = left + 1 - ahead[i]
        chances.append(left / rest if rest > 0 else 1)
    kept = max((i + 1 for i, h in enumerate(chances) if rng.random() < h), default=0)
    if kept == k:
        return k, draw(target_laws[-1], rng)
    owed = np.maximum(ahead[kept] * target_laws[kept] - draft_laws[kept], 0)
    return kept, draw(owed / owed.sum() if owed.sum() > 0 else target_laws[kept], rng)


RIGHT = [verify_block, vectorised, recursive, in_logarithms, corrections_first, jointly]


@pytest.mark.parametrize("verify", RIGHT)
def test_different_looking_right_verifiers_pass(verify):
    assert blocks.block_verifier(verify).ok


def verifier(test=None, correct=None, bonus=None):
    """A verifier as a student writes it, with one line exchanged."""
    test = test or (lambda p, q, x, rng: rng.random() < min(1, p[x] / q[x]))
    correct = correct or (lambda p, q, i: residual(p[i], q[i]))
    bonus = bonus or (lambda p, q: p[-1])

    def verify(target_laws, draft_laws, tokens, rng):
        for i, x in enumerate(tokens):
            if not test(target_laws[i], draft_laws[i], x, rng):
                return i, draw(correct(target_laws, draft_laws, i), rng)
        return len(tokens), draw(bonus(target_laws, draft_laws), rng)

    return verify


def one_coin(target_laws, draft_laws, tokens, rng):
    coin = rng.random()
    kept = [coin * q[x] < p[x] for p, q, x in zip(target_laws, draft_laws, tokens)]
    if all(kept):
        return len(kept), draw(target_laws[-1], rng)
    first = kept.index(False)
    return first, draw(residual(target_laws[first], draft_laws[first]), rng)


def counts_all(target_laws, draft_laws, tokens, rng):
    """Goes on after a rejection, and counts."""
    accepted = 0
    for p, q, x in zip(target_laws, draft_laws, tokens):
        accepted += bool(rng.random() * q[x] < p[x])
    if accepted == len(tokens):
        return accepted, draw(target_laws[-1], rng)
    return accepted, draw(residual(target_laws[accepted], draft_laws[accepted]), rng)


def last_that_passes(target_laws, draft_laws, tokens, rng):
    """Goes on after a rejection, and keeps everything up to the last success."""
    accepted = 0
    for i, x in enumerate(tokens):
        if rng.random() * draft_laws[i][x] < target_laws[i][x]:
            accepted = i + 1
    if accepted == len(tokens):
        return accepted, draw(target_laws[-1], rng)
    return accepted, draw(residual(target_laws[accepted], draft_laws[accepted]), rng)


def product_of_ratios(target_laws, draft_laws, tokens, rng):
    """Half of block verification: its test, with the one-token residual."""
    joint = 1
    for i, x in enumerate(tokens):
        joint *= target_laws[i][x] / draft_laws[i][x]
        if rng.random() > joint:
            return i, draw(residual(target_laws[i], draft_laws[i]), rng)
    return len(tokens), draw(target_laws[-1], rng)


def undivided(target_laws, draft_laws, tokens, rng):
    """The residual is not divided by its sum, so that the last token takes the rest."""
    for i, x in enumerate(tokens):
        if not rng.random() * draft_laws[i][x] < target_laws[i][x]:
            owed, coin = np.maximum(target_laws[i] - draft_laws[i], 0).cumsum(), rng.random()
            return i, next((j for j, edge in enumerate(owed) if coin < edge), len(owed) - 1)
    return len(tokens), draw(target_laws[-1], rng)


def without_bonus(target_laws, draft_laws, tokens, rng):
    accepted, token = verify_block(target_laws, draft_laws, tokens, rng)
    return (accepted, token) if accepted < len(tokens) else (accepted - 1, tokens[-1])


def argmin_of_all_true(target_laws, draft_laws, tokens, rng):
    """The vectorised slip: argmin is 0 where nothing was rejected."""
    rows, tokens = np.arange(len(tokens)), np.asarray(tokens)
    kept = rng.random(len(tokens)) * draft_laws[rows, tokens] < target_laws[rows, tokens]
    first = int(np.argmin(kept))
    return first, draw(residual(target_laws[first], draft_laws[first]), rng)


def compared(target_laws, draft_laws, tokens, rng):
    """Right, and keeps less: the draft is kept where the target's own sample is the same."""
    for i, x in enumerate(tokens):
        if (wanted := draw(target_laws[i], rng)) != x:
            return i, wanted
    return len(tokens), draw(target_laws[-1], rng)


@parametrize(
    "verify, name",
    {
        "target as fallback": (verifier(correct=lambda p, q, i: p[i]), "wrong fallback"),
        "draft as fallback": (verifier(correct=lambda p, q, i: q[i]), "fallback to the draft"),
        "first residual for all": (
            verifier(correct=lambda p, q, i: residual(p[0], q[0])),
            "correction from the first row",
        ),
        "residual of the next row": (
            verifier(correct=lambda p, q, i: residual(p[i + 1], q[i])),
            "correction from the row after",
        ),
        "shared coin": (one_coin, "one coin for the whole block"),
        "counting on": (counts_all, "all that pass are counted"),
        "last success": (last_that_passes, "from right to left"),
        "half of block verification": (product_of_ratios, "running product of ratios"),
        "residual not divided": (undivided, "residual not normalised"),
        "always accepted": (verifier(test=lambda p, q, x, rng: True), "always accept"),
        "upside down": (
            verifier(test=lambda p, q, x, rng: rng.random() * p[x] < q[x]),
            "inverted ratio",
        ),
        "no coin": (verifier(test=lambda p, q, x, rng: p[x] >= q[x]), "accept if likelier"),
        "bonus from the draft": (verifier(bonus=lambda p, q: q[-1]), "bonus from the draft"),
        "bonus by argmax": (
            verifier(bonus=lambda p, q: np.eye(len(p[-1]), dtype=int)[np.argmax(p[-1])]),
            "bonus by argmax",
        ),
        "row before": (verifier(bonus=lambda p, q: p[-2]), "bonus from the row before"),
        "no bonus": (without_bonus, "no bonus token"),
        "target's own sample": (compared, "accept if equal, whole block"),
    },
)
def test_a_known_mistake_of_a_verifier_is_named(verify, name):
    refuses(blocks.block_verifier(verify), f"“{name}”")


def overwrites(target_laws, draft_laws, tokens, rng):
    verdict = verify_block(target_laws, draft_laws, tokens, rng)
    target_laws[0] = target_laws[-1]
    return verdict


def own_generator(target_laws, draft_laws, tokens, rng):
    return verify_block(target_laws, draft_laws, tokens, np.random.default_rng())


@parametrize(
    "verify, words",
    {
        "argmin where all are kept": (argmin_of_all_true, "should be"),
        "first row's bonus": (verifier(bonus=lambda p, q: p[0]), "should be"),
        "inputs changed": (overwrites, "are changed"),
        "a generator of its own": (own_generator, "same coins"),
        "no token": (lambda p, q, tokens, rng: (0, None), "(accepted, token)"),
        "only a count": (lambda p, q, tokens, rng: len(tokens), "(accepted, token)"),
        "too many accepted": (lambda p, q, tokens, rng: (9, 0), "(accepted, token)"),
        "the other way round": (
            lambda p, q, tokens, rng: tuple(verify_block(p, q, tokens, rng))[::-1],
            "other way round",
        ),
        "a crash": (lambda p, q, tokens, rng: p[99], "IndexError"),
    },
)
def test_other_wrong_verifiers_are_refused(verify, words):
    refuses(blocks.block_verifier(verify), words)


def test_a_boundary_that_no_law_shows_is_only_a_remark():
    at_most = verifier(test=lambda p, q, x, rng: rng.random() * q[x] <= p[x])
    result = blocks.block_verifier(at_most)
    assert result.ok and "With <=, a coin that is exactly 0" in result.message
    assert "With <=" not in blocks.block_verifier(verify_block).message


@pytest.mark.parametrize("smallest", [(1, 2), [1, 2], np.array([1, 2])])
def test_the_bonus_row_repaired_passes(smallest):
    assert blocks.bonus_row(verify_block, smallest).ok


@parametrize(
    "verify, smallest, words",
    {
        "not repaired": (verifier(bonus=lambda p, q: p[-2]), (1, 2), "from the row before"),
        "repaired to the first row": (verifier(bonus=lambda p, q: p[0]), (1, 2), "should be"),
        "no bonus among the tokens": (verify_block, (1, 1), "is a bonus token among them"),
        "long draft, short text": (verify_block, (3, 3), "is a bonus token among them"),
        "larger than need be": (verify_block, (1, 3), "smaller setting"),
        "longer than need be": (verify_block, (2, 3), "smaller setting"),
        "far larger": (verify_block, (5, 40), "larger than it need be"),
        "zero": (verify_block, (0, 1), "at least 1"),
        "one number": (verify_block, 2, "not (draft length, number of tokens)"),
    },
)
def test_a_wrong_bonus_row_or_size_is_refused(verify, smallest, words):
    refuses(blocks.bonus_row(verify, smallest), words)


# Exercise 4


def cut_by_loop(emitted, room, stop):
    out = []
    for token in emitted:
        if len(out) == room:
            break
        out.append(token)
        if token == stop:
            break
    return out


def cut_by_length(emitted, room, stop):
    ends = [i + 1 for i, token in enumerate(emitted) if token == stop]
    return emitted[: min([len(emitted), room, *ends])]


def cut_by_array(emitted, room, stop):
    array = np.array(emitted[:room])
    hits = np.flatnonzero(array == stop) if stop is not None else []
    return array[: hits[0] + 1] if len(hits) else array


@pytest.mark.parametrize("answer", [cut_by_loop, cut_by_length, cut_by_array])
def test_right_cuts_pass(answer):
    assert blocks.cut(answer).ok


def stop_before_room(emitted, room, stop):
    if stop in emitted:
        return emitted[: emitted.index(stop) + 1]
    return emitted[:room]


@parametrize(
    "answer, words",
    {
        "drops the stop token": (
            lambda e, room, stop: e[:room][: e.index(stop)] if stop in e[:room] else e[:room],
            "itself still comes out",
        ),
        "runs past the stop": (lambda e, room, stop: e[:room], "Nothing comes out after"),
        "no cut": (
            lambda e, room, stop: e[: e.index(stop) + 1] if stop in e else e,
            "There is room for",
        ),
        "stop instead of cut": (stop_before_room, "The cut comes first"),
        "stop 0 ignored": (
            lambda e, room, stop: cut_by_length(e, room, stop or None),
            "Token 0 may be",
        ),
        "the last stop token": (
            lambda e, room, stop: (
                e[: room - e[:room][::-1].index(stop)] if stop in e[:room] else e[:room]
            ),
            "should be",
        ),
        "a number": (lambda e, room, stop: room, "return a tuple"),
        "a crash": (lambda e, room, stop: e[: e.index(stop)], "ValueError"),
    },
)
def test_a_wrong_cut_is_refused(answer, words):
    refuses(blocks.cut(answer), words)


# Exercise 5


def from_the_package(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    return speculate(target, draft, prefix, draft_length, n_tokens, rng, stop=stop).tokens


def one_text(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    """A list that grows token by token; never drafts more than it can use."""
    text, start = list(prefix), len(prefix)
    while len(text) - start < n_tokens:
        drafted, laws = [], []
        for _ in range(draft_length):
            laws.append(draft.next_law(tuple(text + drafted)))
            drafted.append(draw(laws[-1], rng))
        scores = target.score(tuple(text), tuple(drafted))
        accepted, token = verify_block(scores, np.array(laws), drafted, rng)
        for emitted in [*drafted[:accepted], token][: n_tokens - len(text) + start]:
            text.append(emitted)
            if emitted == stop:
                return text[start:]
    return text[start:]


def recursively(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    if n_tokens == 0:
        return ()
    fresh = one_round(target, draft, prefix, draft_length, rng).emitted
    emitted = tuple(cut_by_loop(fresh, n_tokens, stop))
    if emitted[-1] == stop:
        return emitted
    rest = n_tokens - len(emitted)
    return emitted + recursively(target, draft, prefix + emitted, draft_length, rest, rng, stop)


@pytest.mark.parametrize("answer", [from_the_package, one_text, recursively])
def test_right_decoders_pass(answer):
    assert blocks.whole_decoder(answer).ok


def loop(make_round, after=lambda prefix, tokens: prefix + tokens):
    """A decoder as a student writes it, from its round and the text that the round continues."""

    def decode(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
        tokens = ()
        while not is_finished(tokens, n_tokens, stop):
            emitted = make_round(target, draft, after(prefix, tokens), draft_length, rng)
            tokens += tuple(cut_by_loop(emitted, n_tokens - len(tokens), stop))
        return tokens

    return decode


def with_verifier(verify):
    return lambda *setting: one_round(*setting, verify).emitted


def going_on(target, draft, prefix, draft_length, rng):
    """Tests every drafted token, also after a rejection."""
    tokens, laws = propose(draft, prefix, draft_length, rng)
    scores = target.score(prefix, tokens)
    emitted = [verify_token(*row, rng)[0] for row in zip(scores, laws, tokens)]
    return (*emitted, draw(scores[-1], rng))


def only_accepted(target, draft, prefix, draft_length, rng):
    """Gives the bonus token away."""
    whole = one_round(target, draft, prefix, draft_length, rng)
    return whole.emitted[:-1] if whole.accepted == draft_length else whole.emitted


@parametrize(
    "answer, words",
    {
        "wrong fallback": (
            loop(with_verifier(verifier(correct=lambda p, q, i: p[i]))),
            "“wrong fallback”",
        ),
        "shared coin": (loop(with_verifier(one_coin)), "“one coin for the whole block”"),
        "bonus from the draft": (
            loop(with_verifier(verifier(bonus=lambda p, q: q[-1]))),
            "“bonus from the draft”",
        ),
        "no bonus": (loop(only_accepted), "“no bonus token”"),
        "goes on after a rejection": (loop(going_on), "tested after a rejection"),
        "forgets the prefix": (
            loop(with_verifier(verify_block), after=lambda prefix, tokens: tokens),
            "forgets the prefix",
        ),
        "forgets its own tokens": (
            loop(with_verifier(verify_block), after=lambda prefix, tokens: prefix),
            "the prefix alone",
        ),
    },
)
def test_a_known_mistake_of_a_decoder_is_told(answer, words):
    refuses(blocks.whole_decoder(answer), words)


def past_the_stop(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    tokens = ()
    while not is_finished(tokens, n_tokens, stop):
        tokens += one_round(target, draft, prefix + tokens, draft_length, rng).emitted
    return tokens[:n_tokens]


def too_long(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    tokens = ()
    while not is_finished(tokens, n_tokens, stop):
        emitted = one_round(target, draft, prefix + tokens, draft_length, rng).emitted
        tokens += tuple(cut_by_loop(emitted, len(emitted), stop))
    return tokens


def redone(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    tokens = ()
    while not is_finished(tokens, n_tokens, stop):
        emitted = one_round(target, draft, prefix + tokens, draft_length, rng).emitted
        emitted = tuple(cut_by_loop(emitted, len(emitted), stop))
        if len(tokens + emitted) <= n_tokens:
            tokens += emitted
    return tokens


def with_the_prefix(*setting, stop=None):
    return (*setting[2], *speculate(*setting, stop=stop).tokens)


def without_draft(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    tokens = ()
    while not is_finished(tokens, n_tokens, stop):
        tokens += (draw(target.next_law(prefix + tokens), rng),)
    return tokens


def position_by_position(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    """A right law, but each of the target's laws is a pass of its own."""

    def make_round(target, draft, prefix, draft_length, rng):
        tokens, laws = propose(draft, prefix, draft_length, rng)
        scores = [target.next_law(prefix + tokens[:i]) for i in range(draft_length + 1)]
        accepted, token = verify_block(np.array(scores), laws, tokens, rng)
        return (*tokens[:accepted], token)

    return loop(make_round)(target, draft, prefix, draft_length, n_tokens, rng, stop)


def forgetting_its_guesses(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    """A right law, but every guess is drafted as if it were the round's first."""

    def make_round(target, draft, prefix, draft_length, rng):
        laws = [draft.next_law(prefix) for _ in range(draft_length)]
        tokens = tuple(draw(law, rng) for law in laws)
        accepted, token = verify_block(target.score(prefix, tokens), np.array(laws), tokens, rng)
        return (*tokens[:accepted], token)

    return loop(make_round)(target, draft, prefix, draft_length, n_tokens, rng, stop)


def endless(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    tokens = ()
    while len(tokens) < n_tokens:
        tokens = tokens[:1] + (draw(target.next_law(prefix), rng),) * (n_tokens == 1)
    return tokens


def with_its_own_generator(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    rng = np.random.default_rng()
    return speculate(target, draft, prefix, draft_length, n_tokens, rng, stop=stop).tokens


@parametrize(
    "answer, words",
    {
        "runs past a stop token": (past_the_stop, "after the stop token"),
        "runs past n_tokens": (too_long, "Too many or too few"),
        "redoes long rounds": (redone, "is redone: cut it"),
        "returns the prefix too": (with_the_prefix, "without the prefix"),
        "a pass for each position": (position_by_position, "2 passes are enough"),
        "forgets its guesses": (forgetting_its_guesses, "follow the guesses before it"),
        "never ends": (endless, "endless loop"),
        "asks the target token by token": (without_draft, "“draft ignored”"),
        "a generator of its own": (with_its_own_generator, "same coins"),
        "a crash": (lambda *setting, stop=None: setting[9], "IndexError"),
    },
)
def test_other_wrong_decoders_are_refused(answer, words):
    refuses(blocks.whole_decoder(answer), words)


# All of them


@parametrize(
    "check, stub",
    {
        "pair": (blocks.pair_by_hand, (..., ..., ..., ...)),
        "verifier": (blocks.block_verifier, (lambda p, q, tokens, rng: ...,)),
        "bonus": (blocks.bonus_row, (lambda p, q, tokens, rng: ..., ...)),
        "bonus half done": (blocks.bonus_row, (verify_block, ...)),
        "bonus half understood": (blocks.bonus_row, (..., (1, 2))),
        "cut": (blocks.cut, (lambda emitted, room, stop: ...,)),
        "decoder": (blocks.whole_decoder, (lambda *setting, stop=None: ...,)),
    },
)
def test_a_stub_is_not_attempted(check, stub, capsys):
    result = check(*stub)
    assert not result.attempted and not result.ok
    assert capsys.readouterr().out.startswith("○ ")
