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
    "That is add-one smoothing, which does not look at the shorter context": lambda c, s: (
        (c + 1) / (c.sum() + len(c))
    ),
    "The shorter context is left out": lambda c, s: c / c.sum(),
    "It does not sum to 1: divide by all the weight, T included": lambda c, s: (
        (c + (c > 0).sum() * s) / c.sum()
    ),
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


def _apart(prefix, count, longest):
    """Only occurrences that do not overlap the suffix."""
    for n in _down(min(longest, len(prefix) - 1)):
        for start in [i for i in _matches(prefix, n) if i + n <= len(prefix) - n][:1]:
            return prefix[start + n :][:count]
    return ()


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
    "Only the longest suffix was tried: go on with shorter ones": _copied(
        min, lambda most: range(most, most - 1, -1) if most else ()
    ),
    "A copy may be cut short by the end of the context": _copied(
        min, _down, lambda tokens, count: tokens[:count] if len(tokens) >= count else ()
    ),
    "The copy ends where the context ends: it is not repeated": _copied(
        min, _down, lambda tokens, count: (tokens * count)[:count]
    ),
    "The copy ends where the context ends: it does not go on at the beginning": _around,
    "Copy `count` tokens at most": _copied(min, _down, lambda tokens, count: tokens),
    "Copy what follows the occurrence, not the occurrence": _with_match,
    "An occurrence may overlap the suffix": _apart,
    "Either only a suffix of `longest` tokens was tried: go on with shorter ones; or the suffix "
    "found itself: an occurrence ends before the last token": _with_itself,
}


def _far(rate, price):
    """The speed-up where drafts may be longer than 16."""
    length = best_draft_length(rate, price, longest=64)
    return speedup(rate, length, price) if length else 1.0


NOT_THE_LAST_WORD = {
    "Drafts of more than 16 tokens were looked at: say `longest=16`": _far,
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
