"""Known mistakes about scouts: what each one would answer, and the sentence that names it."""

import numpy as np

from specnotes.yields import best_draft_length, speedup


def _by(owed):
    """The formula with another weight for the shorter context."""
    return lambda c, s: (c + owed(c) * s) / (c.sum() + owed(c))


SMOOTHINGS = {
    "Half the weight goes to each; T is how many entries are above zero": _by(lambda c: c.sum()),
    "The weight is the size of the vocabulary; T is how many entries are above zero": _by(len),
    "The weight is 1; T is how many entries are above zero": _by(lambda c: 1),
    "T is how many entries are above zero, not how many are 1": _by(lambda c: (c == 1).sum()),
    "T is how many entries are above zero, not how many are 0": _by(lambda c: (c == 0).sum()),
    "T is how many entries are above zero, not how many counts differ": _by(lambda c: len(set(c))),
    "That is add-one smoothing, which does not look at the shorter context": lambda c, s: (
        (c + 1) / (c.sum() + len(c))
    ),
    "The shorter context is left out": lambda c, s: c / c.sum(),
    "Tokens that were counted get their share of the shorter law too": lambda c, s: np.where(
        c > 0, c / (c.sum() + (c > 0).sum()), (c > 0).sum() * s / (c.sum() + (c > 0).sum())
    ),
}


def _matches(prefix, n):
    """Where the last n tokens occur and end before the last token."""
    return [i for i in range(len(prefix) - n) if prefix[i : i + n] == prefix[-n:]]


def _copied(pick, lengths, cut=lambda tokens, count: tokens[:count]):
    """A look-up that picks another match, tries other lengths, or cuts what follows otherwise."""

    def search(prefix, count, longest):
        for n in lengths(min(longest, len(prefix) - 1)):
            found = _matches(prefix, n)
            if found:
                return cut(prefix[pick(found) + n :], count)
        return ()

    return search


def _down(most):
    return range(most, 0, -1)


def _with_match(prefix, count, longest):
    for n in _down(min(longest, len(prefix) - 1)):
        for start in _matches(prefix, n)[:1]:
            return prefix[start:][:count]
    return ()


def _around(prefix, count, longest):
    """A copy that goes on at the beginning of the context."""
    for n in _down(min(longest, len(prefix) - 1)):
        for start in _matches(prefix, n)[:1]:
            return tuple(prefix[(start + n + i) % len(prefix)] for i in range(count))
    return ()


def _ending(by):
    """Only occurrences of n tokens that end by a place, ``by(length of the context, n)``."""

    def search(prefix, count, longest):
        for n in _down(min(longest, len(prefix) - 1)):
            for start in [i for i in _matches(prefix, n) if i + n <= by(len(prefix), n)][:1]:
                return prefix[start + n :][:count]
        return ()

    return search


def _whole(prefix, count, longest):
    """Goes on to other occurrences, and to shorter suffixes, until a copy is whole."""
    for n in _down(min(longest, len(prefix) - 1)):
        for start in _matches(prefix, n):
            if start + n + count <= len(prefix):
                return prefix[start + n :][:count]
    return ()


def _up_to(most):
    """Another longest suffix than was asked for."""
    return lambda prefix, count, longest: _copied(min, _down)(prefix, count, most(longest))


def _as_text(prefix, count, longest):
    """Searches the digits of all tokens, one after another."""
    digits = tuple("".join(map(str, prefix)))
    return tuple(map(int, _copied(min, _down)(digits, count, longest)))


def _with_itself(prefix, count, longest):
    """Among the occurrences is the suffix itself; who tries only ``longest`` answers the same."""
    for n in _down(min(longest, len(prefix))):
        for start in range(len(prefix)):
            if prefix[start : start + n] == prefix[-n:]:
                return prefix[start + n :][:count]
    return ()


LOOKUPS = {
    "Of several occurrences take the leftmost, not the last": _copied(max, _down),
    "Try the longest suffix first": _copied(min, lambda most: range(1, most + 1)),
    "Either only the longest suffix was tried: go on with shorter ones; or the suffix found "
    "itself: an occurrence ends before the last token": _copied(
        min, lambda most: range(most, most - 1, -1) if most else ()
    ),
    "A copy may be cut short by the end of the context": _copied(
        min, _down, lambda tokens, count: tokens[:count] if len(tokens) >= count else ()
    ),
    "A copy may be cut short by the end of the context: take it all the same": _whole,
    "The copy ends where the context ends: it is not repeated": _copied(
        min, _down, lambda tokens, count: (tokens * count)[:count]
    ),
    "The copy ends where the context ends: it does not go on at the beginning": _around,
    "Copy `count` tokens at most": _copied(min, _down, lambda tokens, count: tokens),
    "Copy `count` tokens, not one more": _copied(min, _down, lambda tokens, n: tokens[: n + 1]),
    "Copy `count` tokens, not one fewer": _copied(min, _down, lambda tokens, n: tokens[: n - 1]),
    "Copy what follows the occurrence, not the occurrence": _with_match,
    "The copy begins right behind the occurrence": _copied(
        min, _down, lambda tokens, count: tokens[1:][:count]
    ),
    "A suffix of one token counts, too": _copied(min, lambda most: range(most, 1, -1)),
    "A suffix of `longest` tokens counts, too": _up_to(lambda longest: longest - 1),
    "A suffix has `longest` tokens at most": _up_to(lambda longest: 99),
    "A suffix has `longest` tokens at most, not one more": _up_to(lambda longest: longest + 1),
    "An occurrence may overlap the suffix": _ending(lambda length, n: length - n),
    "An occurrence may end at the last token but one": _ending(lambda length, n: length - 2),
    "A token may have several digits: compare tokens, not texts": _as_text,
    "Either only a suffix of `longest` tokens was tried: go on with shorter ones; or the suffix "
    "found itself: an occurrence ends before the last token": _with_itself,
}


def _at_most(longest):
    """The speed-up at the best of other lengths than those up to 16."""

    def gain(rate, price):
        length = best_draft_length(rate, price, longest=longest)
        return speedup(rate, length, price) if length else 1.0

    return gain


NOT_THE_LAST_WORD = {
    "Drafts of more than 16 tokens were looked at: say `longest=16`": _at_most(64),
    "Drafts of more than 8 tokens were not looked at: say `longest=16`": _at_most(8),
    "It is best at γ = 16: let each have its own best draft length": (
        lambda rate, price: speedup(rate, 16, price)
    ),
    "It is best at γ = 4: let each have its own best draft length": (
        lambda rate, price: speedup(rate, 4, price)
    ),
    "It is best at γ = 1: let each have its own best draft length": (
        lambda rate, price: speedup(rate, 1, price)
    ),
    "It has the most mass per latency, but the target pass has to be paid too": (
        lambda rate, price: rate / price
    ),
    "It has the largest α − c, which says whether drafting pays, not how much": (
        lambda rate, price: rate - price
    ),
    "It has the largest overlap, but at a price": lambda rate, price: rate,
    "It is the cheapest, but its tokens are seldom kept": lambda rate, price: -price,
}
