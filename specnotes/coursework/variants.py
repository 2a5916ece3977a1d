"""Everybody's own numbers: laws, lengths, costs and planted mistakes, made from a student id.

The same id, problem set and class seed give the same numbers on every platform and in every Python
version: they come from SHA-256 and from ``random.Random(…).random()`` alone.  Ids differ in their
numbers, not in how hard these are: what is too easy or too hard is drawn again, and what lets a
known mistake lead to the right number.
"""

import random
import unicodedata
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from hashlib import sha256

import numpy as np

from specnotes.coursework import facts
from specnotes.coursework.suspects import block_suspect, token_suspect
from specnotes.models import MarkovModel

TOKENS = ("cat", "sat", "on", "mat")
# None is 1/2, or 1 less another: the share of what is not kept is another number.
SHARES = [Fraction(2, 3), Fraction(3, 4), Fraction(3, 5), Fraction(4, 5), Fraction(7, 10)]


def variant(student_id, problem, seed=""):
    """The numbers of one student in one problem set, "ps1" or "ps2".

    ``seed`` is the class's: another one changes every number.  An id that is empty or no id at all
    has numbers as well, so that nothing crashes; ``identity`` reports it.
    """
    if problem not in PROBLEMS:
        raise ValueError(f"problem is {problem!r}, not one of {', '.join(PROBLEMS)}")
    return _variant(clean_id(student_id), problem, str(seed))


@cache
def _variant(student_id, problem, seed):
    return PROBLEMS[problem](student_id, seed, Numbers(student_id, problem, seed))


def clean_id(student_id):
    """The id without what people type differently: spaces, capitals, accents' form."""
    if isinstance(student_id, (int, np.integer)) and not isinstance(student_id, bool):
        student_id = str(student_id)
    if not isinstance(student_id, str):
        return ""
    return " ".join(unicodedata.normalize("NFC", student_id).casefold().split())


class Numbers:
    """Draws that words determine."""

    def __init__(self, *words):
        self.words = words
        text = "\n".join(words).encode(errors="backslashreplace")
        self._coin = random.Random(int.from_bytes(sha256(text).digest(), "big")).random

    def below(self, count):
        return int(self._coin() * count)

    def pick(self, items):
        return items[self.below(len(items))]

    def shuffled(self, items):
        items = list(items)
        return [items.pop(self.below(len(items))) for _ in range(len(items))]

    def parts(self, size, whole):
        """Positive whole numbers that add up to ``whole``: a law, times that."""
        cuts = sorted(self.shuffled(range(1, whole))[: size - 1])
        return [b - a for a, b in zip([0, *cuts], [*cuts, whole])]


def as_law(parts):
    whole = sum(parts)
    return np.array([Fraction(part, whole) for part in parts])


def frozen(law):
    law.setflags(write=False)
    return law


@dataclass(frozen=True, eq=False)
class OneToken:
    """The numbers of problem set 1."""

    student_id: str
    seed: str
    target: np.ndarray
    draft: np.ndarray
    owed_token: int  # one that the draft proposes too rarely
    over_token: int  # one that it proposes too often
    forbidden: int
    chance: np.ndarray  # a rule of somebody's own: how often each drafted token is kept
    mixing: Fraction
    mistake: str  # what the muddled fallback draws from otherwise: "target" or "draft"
    share: Fraction  # of the lazy verifier
    _numbers: "Numbers" = field(repr=False)

    problem = "ps1"

    @cached_property  # it takes longer than all else, and few tests need it
    def suspect(self):
        """The verifier with a planted mistake."""
        return token_suspect(self._numbers, self.target, self.draft, self.share)

    def __str__(self):
        rows = [("target p", self.target), ("draft q", self.draft)]
        table = "\n".join(f"{name:9}" + _row(law) for name, law in [("", TOKENS), *rows])
        return f"the numbers of {self.student_id or 'the empty id'}\n{table}"


@dataclass(frozen=True, eq=False)
class Blocks:
    """The numbers of problem set 2."""

    student_id: str
    seed: str
    target: MarkovModel
    draft: MarkovModel
    start: int  # the last token of the prefix
    word: int
    shares: tuple  # of the patient rule, one for each position
    stop: int
    least: int
    length: int  # γ of the formulas
    rate: Fraction
    cost: Fraction
    overhead: Fraction
    _numbers: "Numbers" = field(repr=False)

    problem = "ps2"

    @cached_property
    def suspect(self):
        """The block verifier with a planted mistake."""
        return block_suspect(self._numbers, self.target, self.draft)

    def __str__(self):
        names = self.target.vocabulary
        lines = [f"the numbers of {self.student_id or 'the empty id'}"]
        for title, model in (("target P", self.target), ("draft Q", self.draft)):
            lines.append(f"{title:12}" + _row(names))
            rows = [("at first", model.initial)]
            rows += [(f"after {name}", row) for name, row in zip(names, model.matrix)]
            lines += [f"{name:12}" + _row(row) for name, row in rows]
        return "\n".join(lines)


def _row(cells):
    return "".join(f"{cell!s:>7}" for cell in cells)


def _one_token(student_id, seed, numbers):
    target, draft, owed, over = _clear_pair(numbers)
    share = numbers.pick(SHARES)
    return OneToken(
        student_id,
        seed,
        target,
        draft,
        owed_token=owed,
        over_token=over,
        forbidden=int(numbers.pick(np.flatnonzero(target <= Fraction(2, 5)))),
        chance=_own_rule(numbers, target, draft),
        mixing=numbers.pick([Fraction(1, 4), Fraction(1, 3), Fraction(2, 5), Fraction(3, 5)]),
        mistake=numbers.pick(["target", "draft"]),
        share=share,
        _numbers=numbers,
    )


def _clear_pair(numbers):
    """(target, draft, a token that is owed, one that is drafted too often)"""
    while True:
        target, draft = _pair(numbers)
        owed = int(numbers.pick(np.flatnonzero(target > draft)))
        over = int(numbers.pick(np.flatnonzero(draft > target)))
        if facts.are_clear(facts.one_token(target, draft, owed, over)):
            return target, draft, owed, over


def _pair(numbers):
    """Two laws of four tokens, two of which are owed, unequally; α from .55 to .75."""
    while True:  # in twentieths
        target, draft = numbers.parts(4, 20), numbers.parts(4, 20)
        gaps = [p - q for p, q in zip(target, draft)]
        owed = [gap for gap in gaps if gap > 0]
        even = 0 in gaps or len(set(owed)) < 2
        if len(owed) == 2 and not even and 11 <= sum(map(min, target, draft)) <= 15:
            return frozen(as_law(target)), frozen(as_law(draft))


def _own_rule(numbers, target, draft):
    """Each token's own share of min(1, p/q): one is never kept, another as often as may be."""
    shares = numbers.shuffled([Fraction(0), Fraction(1), *numbers.shuffled(SHARES)[:2]])
    return frozen(np.array([s * min(1, p / q) for s, p, q in zip(shares, target, draft)]))


def _blocks(student_id, seed, numbers):
    target, draft, start, word = _clear_models(numbers)
    length = numbers.pick([3, 4])
    rate, cost, overhead = _ledger(numbers, length)
    return Blocks(
        student_id,
        seed,
        target,
        draft,
        start=start,
        word=word,
        shares=tuple(numbers.shuffled(SHARES)[:2]),
        stop=numbers.below(3),
        least=numbers.pick([1, 2]),
        length=length,
        rate=rate,
        cost=cost,
        overhead=overhead,
        _numbers=numbers,
    )


def _ledger(numbers, length):
    """(rate, cost, overhead) whose best γ is neither the given one nor that without overhead."""
    while True:
        rate = Fraction(numbers.pick(range(70, 91, 2)), 100)
        cost = Fraction(numbers.pick([4, 5, 6, 8, 10]), 100)
        overhead = Fraction(numbers.pick([10, 15, 20, 25, 30]), 100)
        best = facts.best_length(rate, cost, overhead)
        if best not in (length, facts.best_length(rate, cost, 0)):
            return rate, cost, overhead


def _clear_models(numbers):
    """(target, draft, the last token so far, a word that a correction may lead to)"""
    while True:
        target, draft = _models(numbers)
        start, word = numbers.below(3), numbers.below(3)
        if facts.are_clear(facts.one_round(target, draft, start, word)):
            return target, draft, start, word


def _models(numbers):
    """Markov models of three tokens, all rows different, each with α from 1/2 to 5/6."""
    rows = []
    while len(rows) < 4:  # in twelfths
        pair = numbers.parts(3, 12), numbers.parts(3, 12)
        new = all(pair[i] != row[i] for row in rows for i in (0, 1))
        if new and 6 <= sum(map(min, *pair)) <= 10:
            rows.append(pair)
    target, draft = (np.stack([as_law(parts) for parts in laws]) for laws in zip(*rows))
    return tuple(MarkovModel(laws[1:], laws[0], TOKENS[:3]) for laws in (target, draft))


PROBLEMS = {"ps1": _one_token, "ps2": _blocks}
