"""Checks of notebook 10: different right answers pass, each known mistake is named."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from specnotes import checks, yields
from specnotes.checks import drafting, scout_mistakes, scouts
from specnotes.coins import law_of
from specnotes.decode import speculate
from specnotes.drafts import NGram, PromptLookup
from specnotes.models import MarkovModel


def parametrize(names, table):
    return pytest.mark.parametrize(names, table.values(), ids=table.keys())


def refuses(result, words):
    assert result.attempted and not result.ok
    assert words in result.message


# Exercise 1


def witten_bell(counts, shorter):
    different = np.count_nonzero(counts)
    if different == 0:
        return shorter
    return (counts + different * shorter) / (counts.sum() + different)


def token_by_token(counts, shorter):
    different = sum(c > 0 for c in counts.tolist())
    if not different:
        return list(shorter)
    total = int(counts.sum()) + different
    return [(c + different * s) / Fraction(total) for c, s in zip(counts.tolist(), shorter)]


def as_a_mixture(counts, shorter):
    """With the share that the counts deserve, in floats."""
    total, different = counts.sum(), np.count_nonzero(counts)
    if total == 0:
        return shorter.astype(float)
    share = total / (total + different)
    return share * counts / total + (1 - share) * shorter.astype(float)


def weighed(owed):
    return lambda c, s: s if not c.any() else (c + owed(c) * s) / (c.sum() + owed(c))


@parametrize(
    "answer",
    {"formula": witten_bell, "token by token": token_by_token, "mixture": as_a_mixture},
)
def test_forms_of_the_mixed_law_pass(answer):
    assert checks.interpolated(answer).ok


@parametrize(
    "answer, words",
    {
        "number of all counts": (weighed(lambda c: c.sum()), "Half the weight goes to each"),
        "size of the vocabulary": (weighed(len), "size of the vocabulary"),
        "weight one": (weighed(lambda c: 1), "The weight is 1"),
        "half and half": (
            lambda c, s: (c / c.sum() + s) / 2 if c.any() else s,
            "Half the weight goes to each",
        ),
        "add one": (lambda c, s: (c + 1) / (c.sum() + len(c)), "add-one"),
        "counts alone": (lambda c, s: c / c.sum() if c.any() else s, "is left out"),
        "too small a divisor": (
            lambda c, s: (c + np.count_nonzero(c) * s) / c.sum() if c.any() else s,
            "It sums to 3/2, not to 1",
        ),
        "no divisor": (lambda c, s: c + np.count_nonzero(c) * s, "It sums to 6, not to 1"),
        "entries that are one": (weighed(lambda c: (c == 1).sum()), "not how many are 1"),
        "entries that are zero": (weighed(lambda c: (c == 0).sum()), "not how many are 0"),
        "different counts": (weighed(lambda c: len(set(c.tolist()))), "not how many counts differ"),
        "one number": (lambda c, s: 0.5, "yours is 0.5"),
        "nothing": (lambda c, s: None, "yours is None"),
        "no share for what was counted": (
            lambda c, s: (
                np.where(c > 0, c, np.count_nonzero(c) * s) / (c.sum() + np.count_nonzero(c))
            ),
            "get their share of the shorter law too",
        ),
        "never seen is 0/0": (
            lambda c, s: (
                (c + np.count_nonzero(c) * s.astype(float)) / (c.sum() + np.count_nonzero(c))
            ),
            "the shorter context speaks alone",
        ),
        "never seen is uniform": (
            lambda c, s: witten_bell(c, s) if c.any() else np.full(len(c), Fraction(1, len(c))),
            "the shorter context speaks alone",
        ),
        "crash": (lambda c, s: c[99], "IndexError"),
        "changes its input": (lambda c, s: c.__iadd__(1), "changes its input"),
    },
)
def test_a_wrong_mixed_law_is_named(answer, words):
    refuses(checks.interpolated(answer), words)


def test_the_reference_is_the_law_of_the_packages_bigrams():
    documents = [(0, 1, 0, 2, 0, 1), (2, 2, 0, 1, 1)]
    model = NGram(documents, 2, "abc", exact=True)
    pairs = [pair for document in documents for pair in zip(document, document[1:])]
    for context in range(3):
        counts = np.array([pairs.count((context, token)) for token in range(3)])
        mixed = scouts._witten_bell(counts, model.next_law(()))
        assert (mixed == model.next_law((context,))).all()


# Exercise 2


def two_loops(prefix, count, longest):
    for n in range(min(longest, len(prefix) - 1), 0, -1):
        for start in range(len(prefix) - n):
            if prefix[start : start + n] == prefix[-n:]:
                return prefix[start + n : start + n + count]
    return ()


def by_find(prefix, count, longest):
    text = "".join(map(chr, prefix))
    for n in range(longest, 0, -1):
        at = text[:-1].find(text[-n:]) if n < len(text) else -1
        if at >= 0:
            return [ord(letter) for letter in text[at + n : at + n + count]]
    return []


def by_digits(prefix, count, longest):
    """As by_find, but 12 is a 1 and a 2."""
    return by_find(tuple(map(int, "".join(map(str, prefix)))), count, longest)


def by_score(prefix, count, longest):
    """The end of the match: the longest common suffix, then the leftmost."""
    best, where = 0, None
    for end in range(1, len(prefix)):
        n = 0
        while n < min(longest, end) and prefix[end - 1 - n] == prefix[-1 - n]:
            n += 1
        if n > best:
            best, where = n, end
    return np.array(prefix[where : where + count] if where else (), int)


@parametrize("answer", {"loops": two_loops, "find": by_find, "score": by_score})
def test_forms_of_the_look_up_pass(answer):
    assert checks.look_up(answer).ok


def searching(lengths, pick=0, cut=lambda prefix, start, n, count: prefix[start + n :][:count]):
    def search(prefix, count, longest):
        for n in lengths(min(longest, len(prefix) - 1)):
            found = [i for i in range(len(prefix) - n) if prefix[i : i + n] == prefix[-n:]]
            if found:
                return cut(prefix, found[pick], n, count)
        return ()

    return search


def down(most):
    return range(most, 0, -1)


def whole_only(prefix, start, n, count):
    copy = prefix[start + n : start + n + count]
    return copy if len(copy) == count else ()


def finds_itself(prefix, count, longest):
    for n in range(min(longest, len(prefix)), 0, -1):
        for start in range(len(prefix)):
            if prefix[start : start + n] == prefix[-n:]:
                return prefix[start + n : start + n + count]
    return ()


def only_longest(prefix, count, longest):
    suffix = prefix[-longest:]
    for start in range(len(prefix) - longest):
        if prefix[start : start + longest] == suffix:
            return prefix[start + longest : start + longest + count]
    return ()


def cyclic(prefix, start, n, count):
    """Copies on from the copy itself, as compression does."""
    text = list(prefix)
    for i in range(count):
        text.append(text[start + n + i])
    return tuple(text[len(prefix) :])


def around(prefix, start, n, count):
    return tuple(prefix[(start + n + i) % len(prefix)] for i in range(count))


def whole_of_all(prefix, count, longest):
    for n in range(min(longest, len(prefix) - 1), 0, -1):
        for start in range(len(prefix) - n - count + 1):
            if prefix[start : start + n] == prefix[-n:]:
                return prefix[start + n : start + n + count]
    return ()


def with_cap(function):
    return lambda prefix, n, longest: function(prefix, n, min(longest, len(prefix) - 1))


def last_place_left_out(prefix, count, longest):
    for n in range(min(longest, len(prefix) - 1), 0, -1):
        for start in range(len(prefix) - n - 1):
            if prefix[start : start + n] == prefix[-n:]:
                return prefix[start + n : start + n + count]
    return ()


def without_overlap(prefix, count, longest):
    for n in range(min(longest, len(prefix) - 1), 0, -1):
        for start in range(len(prefix) - 2 * n + 1):
            if prefix[start : start + n] == prefix[-n:]:
                return prefix[start + n : start + n + count]
    return ()


@parametrize(
    "answer, words",
    {
        "last occurrence": (searching(down, pick=-1), "take the leftmost"),
        "shortest first": (searching(lambda most: range(1, most + 1)), "longest suffix first"),
        "longest only": (searching(lambda most: [most] if most > 0 else []), "go on with shorter"),
        "whole copies": (searching(down, cut=whole_only), "may be cut short"),
        "whole copies, or another": (whole_of_all, "take it all the same"),
        "longest only, or itself": (with_cap(finds_itself), "or the suffix found itself"),
        "no limit": (lambda prefix, n, longest: two_loops(prefix, n, 99), "`longest` tokens at"),
        "limit one more": (lambda *case: two_loops(*case[:2], case[2] + 1), "at most, not one"),
        "limit one less": (lambda *case: two_loops(*case[:2], case[2] - 1), "`longest` tokens c"),
        "no single tokens": (searching(lambda most: range(most, 1, -1)), "of one token counts"),
        "one place too few": (last_place_left_out, "may end at the last token but one"),
        "one skipped": (
            searching(down, cut=lambda prefix, start, n, count: prefix[start + n + 1 :][:count]),
            "begins right behind the occurrence",
        ),
        "one more": (
            lambda prefix, n, most: two_loops(prefix, n + 1, most),
            "tokens, not one more",
        ),
        "one fewer": (lambda prefix, n, most: two_loops(prefix, n - 1, most), "not one fewer"),
        "digits": (by_digits, "A token may have several digits"),
        "copies the match": (
            searching(down, cut=lambda prefix, start, n, count: prefix[start:][:count]),
            "not the occurrence",
        ),
        "no overlap": (without_overlap, "may overlap the suffix"),
        "finds itself": (finds_itself, "ends before the last token"),
        "only as many as longest": (only_longest, "tokens was tried: go on with shorter ones"),
        "cyclic": (searching(down, cut=cyclic), "it is not repeated"),
        "around": (searching(down, cut=around), "does not go on at the beginning"),
        "count ignored": (
            searching(down, cut=lambda prefix, start, n, count: prefix[start + n :]),
            "Copy `count` tokens at most",
        ),
        "no tokens": (lambda prefix, count, longest: None, "return a tuple of tokens"),
        "crash": (lambda prefix, count, longest: prefix[99], "IndexError"),
    },
)
def test_a_wrong_look_up_is_named(answer, words):
    refuses(checks.look_up(answer), words)


@parametrize(
    "answer",
    {
        "nothing": lambda prefix, count, longest: (),
        "backwards": lambda prefix, count, longest: two_loops(prefix, count, longest)[::-1],
        "only for long texts": lambda *case: two_loops(*case) if len(case[0]) > 4 else (),
    },
)
def test_a_look_up_like_no_known_mistake_is_not_explained(answer):
    message = checks.look_up(answer).message
    assert not any(words in message for words in scout_mistakes.LOOKUPS)


def test_a_single_token_is_shown_as_a_tuple():
    only_short = checks.look_up(lambda *case: two_loops(*case) if len(case[0]) > 2 else ())
    refuses(only_short, "it should be (0,)")


def test_the_reference_is_the_packages_scout_and_no_mistake_equals_it():
    prefixes = [p for n in range(6) for p in product(range(2), repeat=n)]
    cases = [(p, count, n) for p in prefixes for count in (1, 3) for n in (1, 2, 3)]
    cases += [((1, 12, 5, 2, 7, 2), 2, 2)]
    right = [PromptLookup(range(13), n).propose(p, count, None)[0] for p, count, n in cases]
    assert right == [two_loops(*case) for case in cases]
    for words, wrong in scout_mistakes.LOOKUPS.items():
        assert [wrong(*case) for case in cases] != right, words


# Exercise 3


def gain(rate, price, longest=16):
    return max([1.0] + [yields.speedup(rate, n, price) for n in range(1, longest + 1)])


def by_max(candidates):
    name = max(candidates, key=lambda name: gain(*candidates[name]), default=None)
    return name if name is not None and gain(*candidates[name]) > 1 else None


def by_sorting(candidates):
    worth = sorted(((gain(*pair), name) for name, pair in candidates.items()), reverse=True)
    return worth[0][1] if worth and worth[0][0] > 1 else None


def choosing(worth):
    return lambda candidates: max(candidates, key=lambda n: worth(*candidates[n]), default=None)


@parametrize("answer", {"max": by_max, "sorted": by_sorting, "package": scouts._hired})
def test_ways_to_hire_pass(answer):
    assert checks.hire(answer).ok


@parametrize(
    "answer, words",
    {
        "by α − c": (choosing(lambda rate, price: rate - price), "largest α − c"),
        "by α − c, or nobody": (
            lambda some: max(
                (name for name, (rate, price) in some.items() if rate > price),
                key=lambda name: some[name][0] - some[name][1],
                default=None,
            ),
            "largest α − c",
        ),
        "drafts up to 64": (choosing(lambda rate, price: gain(rate, price, 64)), "`longest=16`"),
        "drafts up to 8": (
            choosing(lambda rate, price: gain(rate, price, 8)),
            "more than 8 tokens",
        ),
        "always at γ = 16": (choosing(lambda rate, price: yields.speedup(rate, 16, price)), "= 16"),
        "both gains": (choosing(lambda rate, price: rate), "yours, model, gains 1.87; table gains"),
        "no plain decoding": (
            choosing(lambda a, c: yields.speedup(a, yields.best_draft_length(a, c, 16), c)),
            "0 means that drafting does not pay",
        ),
        "a list": (lambda candidates: [], "return a name or None, yours is []"),
        "by overlap": (choosing(lambda rate, price: rate), "but at a price"),
        "by mass per latency": (choosing(lambda rate, price: rate / price), "target pass has to"),
        "by price": (choosing(lambda rate, price: -price), "seldom kept"),
        "at γ = 4": (choosing(lambda rate, price: yields.speedup(rate, 4, price)), "at γ = 4"),
        "at γ = 1": (choosing(lambda rate, price: yields.speedup(rate, 1, price)), "at γ = 1"),
        "never nobody": (choosing(gain), "it should be None"),
        "never somebody": (lambda candidates: None, "yours is None"),
        "the gain itself": (
            lambda candidates: max(gain(*pair) for pair in candidates.values()),
            "it should be 'table'",
        ),
        "crash": (lambda candidates: candidates["nobody"], "KeyError"),
    },
)
def test_a_wrong_hire_is_answered_with_both_gains(answer, words):
    refuses(checks.hire(answer), words)


@pytest.mark.parametrize("length", range(1, 17))
def test_no_fixed_draft_length_hires_right(length):
    def at_one_length(candidates):
        worth = {n: yields.speedup(rate, length, c) for n, (rate, c) in candidates.items()}
        name = max(worth, key=worth.get, default=None)
        return name if name is not None and worth[name] > 1 else None

    assert not checks.hire(at_one_length).ok


@pytest.mark.parametrize("longest", range(1, 14))
def test_shorter_drafts_than_asked_for_hire_wrong(longest):
    def hired(candidates):
        return scouts._hired(candidates, lambda rate, price: gain(rate, price, longest))

    assert not checks.hire(hired).ok


def test_no_two_candidates_are_close():
    """So that rounding, or a longest draft of 15 or 17, decides nothing."""
    for candidates in scouts.CANDIDATES:
        worth = sorted((gain(*pair) for pair in candidates.values()), reverse=True)
        assert len(worth) < 2 or worth[0] - worth[1] > 0.03 or worth[0] == 1


# Exercise 4


@parametrize("letters", {"set": {"a", "c", "e"}, "string": "ace", "capitals": ["A", " C", "E"]})
def test_the_lawful_letters_pass(letters):
    assert checks.lawful_stops(letters).ok


@parametrize(
    "letters, words",
    {
        "b as well": ("abce", "b does not keep the law"),
        "d as well": ("acde", "d does not keep the law"),
        "f as well": ("acef", "f does not keep the law"),
        "a missing": ("ce", "a keeps the law"),
        "c missing": ("ae", "c keeps the law"),
        "e missing": ("ac", "e keeps the law"),
        "none": (set(), "a keeps the law"),
        "the law is shown": ("abce", "(2/5, 9/25, 6/25)"),
        "no letter": ("ax", "give letters a to f"),
        "a number": (3, "give a set of letters"),
    },
)
def test_a_wrong_letter_is_answered_with_the_law(letters, words):
    refuses(checks.lawful_stops(letters), words)


def test_lawful_and_wrong_rules_by_enumeration():
    lawful = {
        x
        for x, rule in drafting.RULES.items()
        if drafting.first_token_law(rule) == (Fraction(1, 2), Fraction(3, 10), Fraction(1, 5))
    }
    assert lawful == set("ace")


def test_what_the_lawful_rules_hand_over_keeps_the_law_of_two_tokens_as_well():
    """Through the whole decoder: the rules as scouts, on models without context."""
    models = [MarkovModel([law] * 3, law) for law in (drafting.TARGET, drafting.DRAFT)]

    class Ruled:
        vocabulary = models[0].vocabulary

        def __init__(self, rule):
            self.rule = rule

        def propose(self, prefix, draft_length, rng):
            tokens = self.rule(rng)
            laws = np.array([drafting.DRAFT] * len(tokens)).reshape(-1, 3)
            return tokens, laws

    wanted = {(a, b): drafting.TARGET[a] * drafting.TARGET[b] for a in range(3) for b in range(3)}
    for letter in "ace":
        scout = Ruled(drafting.RULES[letter])
        law = law_of(lambda rng: speculate(models[0], scout, (), 4, 2, rng).tokens)
        assert law == wanted, letter


# Exercise 5


@parametrize(
    "answer",
    {
        "best": lambda prefix, rounds: 7 if prefix[-1] == 0 else 1,
        "nearly": lambda prefix, rounds: (8, 1)[prefix[-1]],
        "numpy": lambda prefix, rounds: np.int64(6 if prefix[-1] == 0 else 1),
    },
)
def test_lengths_near_the_best_pass(answer):
    assert checks.length_by_context(answer).ok


@parametrize(
    "answer, words",
    {
        "fixed": (lambda prefix, rounds: 5, "2.306 can be had, and 2.094 with a fixed length"),
        "other way round": (lambda prefix, rounds: (1, 7)[prefix[-1]], "the other way round"),
        "too short": (lambda prefix, rounds: (3, 1)[prefix[-1]], "can be had"),
        "too long": (lambda prefix, rounds: (14, 1)[prefix[-1]], "can be had"),
        "nearly": (lambda prefix, rounds: (5, 1)[prefix[-1]], "the goal is 2.29"),
        "by rounds": (
            lambda prefix, rounds: 7 if rounds and rounds[-1].accepted else 1,
            "looks at `rounds`, which is empty here: go by prefix[-1]",
        ),
        "by the last round": (
            lambda prefix, rounds: 1 + rounds[-1].accepted,
            "looks at `rounds`, which is empty here: go by prefix[-1]",
        ),
        "zero": (lambda prefix, rounds: (7, 0)[prefix[-1]], "from 1 to 16, yours is 0"),
        "half": (lambda prefix, rounds: 2.5, "whole number"),
        "true": (lambda prefix, rounds: prefix[-1] == 0, "whole number"),
        "by the first token": (lambda prefix, rounds: (7, 1)[prefix[0]], "on the last token"),
        "by how many": (lambda prefix, rounds: len(prefix), "on the last token"),
        "crash": (lambda prefix, rounds: prefix[99], "IndexError"),
        "nothing": (lambda prefix, rounds: None, "yours is None"),
    },
)
def test_a_wrong_length_is_answered_with_what_can_be_had(answer, words):
    refuses(checks.length_by_context(answer), words)


def test_lengths_of_one_number_have_the_packages_long_run_yield():
    target, draft = drafting.EASY_OR_HARD
    for n in (1, 2, 5):
        tokens = yields.markov_tokens_per_round(target, draft, n)
        assert drafting.long_run_speedup(lambda prefix, rounds: n) == tokens / (
            1 + n * drafting.PRICE
        )


def test_the_long_run_speedup_is_that_of_the_real_decoder():
    """40,000 tokens: the mean of 2.3 is known to .01 or so, and the fixed best is at 2.09."""
    models = [MarkovModel(matrix.astype(float), [0.5, 0.5]) for matrix in drafting.EASY_OR_HARD]

    def length(prefix, rounds):
        return 7 if prefix[-1] == 0 else 1

    traces = [
        speculate(*models, (0,), length, 400, np.random.default_rng(seed)) for seed in range(100)
    ]
    time = sum(t.target_passes + float(drafting.PRICE) * t.draft_passes for t in traces)
    measured = sum(len(t.tokens) for t in traces) / time
    assert measured == pytest.approx(float(drafting.long_run_speedup(length)), abs=0.05)


@pytest.mark.parametrize(
    "check, count",
    [
        ("interpolated", 1),
        ("look_up", 1),
        ("hire", 1),
        ("lawful_stops", 1),
        ("length_by_context", 1),
    ],
)
def test_what_is_not_attempted_is_open(check, count):
    for answer in (..., lambda *arguments: ...):
        if check == "lawful_stops" and answer is not ...:
            continue
        result = getattr(checks, check)(answer)
        assert not result.attempted and not result.ok
