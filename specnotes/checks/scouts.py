"""Checks of notebook 10: an n-gram's law, a look-up, whom to hire."""

import math
from fractions import Fraction
from functools import partial
from itertools import product
from numbers import Number

import numpy as np

from specnotes import yields
from specnotes.checks import scout_mistakes as mistakes
from specnotes.checks.card import Wrong, ask, compare, exercise, show
from specnotes.drafts import PromptLookup

# Exercise 1: Witten–Bell


def _tenths(*parts):
    return np.array([Fraction(part, 10) for part in parts])


COUNTS = [((3, 1, 0), (5, 3, 2)), ((7, 0, 0), (2, 3, 5)), ((0, 0, 0), (1, 6, 3))]
COUNTS += [((1, 1, 1), (1, 6, 3)), ((0, 4, 9), (10, 0, 0)), ((100, 1, 0), (2, 3, 5))]


def _witten_bell(counts, shorter):
    different = int((counts > 0).sum())
    if not different:
        return shorter
    return (counts + different * shorter) / (int(counts.sum()) + different)


def _smoothing(function, answer, counts, shorter):
    """The sentence of the known mistake that answers so wherever something was counted."""
    if not counts.any():
        return "Never seen: T = 0 and the formula is 0/0, so the shorter context speaks alone"
    seen = [(np.array(c), np.array(s) / 10) for c, s in COUNTS if any(c)]
    for words, wrong in mistakes.SMOOTHINGS.items():
        if _quietly(lambda: all(_close(ask(function, *case), wrong(*case)) for case in seen)):
            return words
    if np.shape(answer) == counts.shape and not _close(sum(answer), 1):
        return f"It sums to {show(sum(answer))}, not to 1: divide all of the numerator by Σc + T"
    return None


def _close(answer, value):
    try:
        return np.allclose(np.asarray(answer, float), value, rtol=0, atol=1e-9)
    except (TypeError, ValueError):
        return False


@exercise("leave room for surprise")
def interpolated(function):
    """``function(counts, shorter)``: (c + T · shorter) / (Σc + T), T different tokens."""
    cases = [(np.array(counts), _tenths(*shorter)) for counts, shorter in COUNTS]
    hint = partial(_smoothing, function)
    return compare(function, _witten_bell, cases, hint=hint, names=("counts", "shorter"))


# Exercise 2: prompt lookup


@exercise("look it up")
def look_up(function):
    """``function(prefix, count, longest)``: the copy, a tuple of tokens."""
    cases = [((1, 2, 3, 4, 2, 3), 4, 3), ((0, 1, 2, 0, 1), 2, 2)]
    prefixes = (prefix for n in range(6) for prefix in product(range(2), repeat=n))
    cases += [(prefix, count, n) for prefix in prefixes for count in (1, 3) for n in (1, 2, 3)]
    cases += [((0, 1, 2, 1, 3, 0, 1), 3, 3), ((2, 0, 1, 0, 1), 3, 3), ((1, 1, 1, 1), 2, 9)]
    cases += [((1, 12, 5, 2, 7, 2), 2, 2)]  # 2 is a digit of the 12, and another token
    rights = [PromptLookup(range(13), n).propose(text, k, None)[0] for text, k, n in cases]
    for case, right in zip(cases, rights):
        prefix, count, longest = case
        at = f"prefix {show(prefix)}, count {count}, longest {longest}"
        answer = _tokens(ask(function, *case, at=at), at)
        if answer != right:
            answers = [_quietly(lambda: _tokens(ask(function, *case), "")) for case in cases]
            note = _like(mistakes.LOOKUPS, answers, rights, cases)
            raise Wrong(f"At {at}: yours is {show(answer)}, it should be {show(right)}{note}")
    return f"right on all {len(cases)} cases, the example (1, 2, 3, 4, 2, 3) among them"


def _quietly(answer):
    try:
        return answer()
    except Wrong:
        return None


def _like(known, answers, rights, cases):
    """The known mistake that answers as the student does; nothing unless it does so nearly always.

    It must explain the first wrong answer, which is shown, and four in five of all wrong ones.
    """
    wrong = [i for i, (answer, right) in enumerate(zip(answers, rights)) if answer != right]

    def score(words):
        same = [known[words](*case) == answer for case, answer in zip(cases, answers)]
        return same[wrong[0]], sum(same[i] for i in wrong), sum(same)

    explained = {words: score(words) for words in known}
    best = max(explained, key=explained.get)
    first, many, _ = explained[best]
    return f". {best}" if first and 5 * many >= 4 * len(wrong) else ""


def _tokens(answer, at):
    """The student's copy as a tuple of ints; a list or an array will do."""
    try:
        return tuple(int(token) for token in answer)
    except (TypeError, ValueError):
        raise Wrong(f"At {at}: return a tuple of tokens, yours is {answer!r}") from None


# Exercise 3: whom to hire

CANDIDATES = (
    {"table": (0.6, 0.01), "model": (0.8, 0.2)},
    {"noise": (0.01, 0.002), "bigram": (0.3, 0.01), "model": (0.8, 0.1)},
    {"big": (0.9, 0.3), "small": (0.75, 0.05), "unigram": (0.15, 0.001)},
    {"unigram": (0.15, 0.001), "deep": (0.85, 0.1), "wide": (0.83, 0.05)},
    {"sure": (0.9, 0.2), "quick": (0.75, 0.1)},
    {"far": (0.95, 0.2), "near": (0.75, 0.05)},
    {"short": (0.8, 0.15), "long": (0.55, 0.02)},
    {"slow": (0.5, 0.2), "swift": (0.18, 0.01)},
    {"patient": (0.99, 0.06), "hasty": (0.9, 0.001)},
    {"patient": (0.99, 0.055), "brisk": (0.94, 0.02)},  # drafts up to 13 decide otherwise
    {"costly": (0.5, 0.6), "dear": (0.8, 0.9)},
    {},
)


def _gain(rate, price):
    length = yields.best_draft_length(rate, price, longest=16)
    return yields.speedup(rate, length, price) if length else 1.0


def _hired(candidates, worth=lambda rate, price: _gain(rate, price), least=1.0):
    best = max(candidates, key=lambda name: worth(*candidates[name]), default=None)
    return best if best is not None and worth(*candidates[best]) > least else None


@exercise("hire a scout")
def hire(function):
    """``function({name: (α, c)})``: the name with the largest speed-up, or None."""
    for candidates in CANDIDATES:
        at = f"candidates {candidates}"
        answer, right = _name(function, candidates, at), _hired(candidates)
        if answer == right:
            continue
        if answer not in candidates:
            raise Wrong(f"At {at}: yours is {answer!r}, it should be {right!r}")
        if right is None:
            raise Wrong(f"At {at}: {answer} does not beat plain decoding, it should be None")
        mine, best = (_gain(*candidates[name]) for name in (answer, right))
        said = f"yours, {answer}, gains {mine:.2f}; {right} gains {best:.2f}"
        raise Wrong(f"At {at}: {said}{_like_hire(function)}")
    return f"right for all {len(CANDIDATES)} lists, also where nobody pays"


def _name(function, candidates, at):
    try:
        answer = ask(function, dict(candidates), at=at)
    except Wrong as wrong:
        if isinstance(wrong.__cause__, ValueError) and "draft_length is 0" in str(wrong):
            raise Wrong(f"{wrong}. 0 means that drafting does not pay: the gain is 1") from wrong
        raise
    if answer is not None and not isinstance(answer, (str, Number)):
        raise Wrong(f"At {at}: return a name or None, yours is {answer!r}")
    return answer


def _like_hire(function):
    """The known mistake that hires like the student's function, where somebody pays."""
    known = {
        words: lambda some, worth=worth: _hired(some, worth, -math.inf)
        for words, worth in mistakes.NOT_THE_LAST_WORD.items()
    }
    cases = [some for some in CANDIDATES if _hired(some) is not None]
    answers = [_quietly(lambda: _name(function, some, "")) for some in cases]
    return _like(known, answers, [_hired(some) for some in cases], [(some,) for some in cases])
