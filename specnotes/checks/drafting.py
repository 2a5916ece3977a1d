"""Checks on when to stop drafting: which rules keep the law, and what a length by context gains."""

from fractions import Fraction
from itertools import product
from numbers import Integral

import numpy as np

from specnotes import yields
from specnotes.checks.card import Wrong, ask, exercise, show
from specnotes.coins import law_of
from specnotes.decode import Round
from specnotes.laws import draw_unchecked
from specnotes.verify import verify_block

# Exercise 4: which stopping rules keep the law

TARGET, DRAFT = (np.array([Fraction(n, 10) for n in law]) for law in ((5, 3, 2), (2, 3, 5)))
DOUBTFUL = Fraction(3, 10)


def _unsure(rng):
    """a, with a draft that is never unsure here; the law does not depend on it."""
    return (draw_unchecked(DRAFT, rng),) if DRAFT.max() >= Fraction(2, 5) else ()


def _drops(rng):
    token = draw_unchecked(DRAFT, rng)
    return () if DRAFT[token] < DOUBTFUL else (token,)


def _keeps(rng):
    tokens = (draw_unchecked(DRAFT, rng),)
    return tokens if DRAFT[tokens[0]] < DOUBTFUL else (*tokens, draw_unchecked(DRAFT, rng))


def _drops_later(rng):
    tokens = tuple(draw_unchecked(DRAFT, rng) for _ in range(4))
    doubtful = [i for i, token in enumerate(tokens) if DRAFT[token] < DOUBTFUL]
    return tokens[: doubtful[0]] if doubtful else tokens


def _two(rng):
    """e, after a round that accepted one."""
    return draw_unchecked(DRAFT, rng), draw_unchecked(DRAFT, rng)


def _redraws(rng):
    token = draw_unchecked(DRAFT, rng)
    return (draw_unchecked(DRAFT, rng) if DRAFT[token] < DOUBTFUL else token,)


RULES = dict(zip("abcdef", (_unsure, _drops, _keeps, _drops_later, _two, _redraws)))
WHY = {
    "a": "it decides before the token is drawn, so what is handed over has law q",
    "b": "a token that was seen decides its own fate",
    "c": "the doubtful token is handed over all the same, and only later ones are not drawn",
    "d": "a token that was seen decides its own fate, in whatever order they were drawn",
    "e": "earlier rounds are known before anything is drawn",
    "f": "what is handed over is not drawn from q: doubtful tokens come less often",
}


def first_token_law(rule):
    """Law of the first token that comes out of a round with this rule, on the laws of 02."""

    def program(rng):
        tokens = rule(rng)
        count = len(tokens)
        rows = [
            np.stack([law] * n) if n else () for law, n in ((TARGET, count + 1), (DRAFT, count))
        ]
        verdict = verify_block(*rows, tokens, rng)
        return (*tokens[: verdict.accepted], verdict.token)[0]

    law = law_of(program)
    return tuple(law.get(token, Fraction(0)) for token in range(3))


@exercise("which may a scout do?")
def lawful_stops(letters):
    """The set of letters whose rules keep the target's law."""
    try:
        letters = {str(letter).strip().lower() for letter in letters} - {"", ","}
    except TypeError:
        raise Wrong(f"give a set of letters, yours is {letters!r}") from None
    strange = sorted(letters - RULES.keys())
    if strange:
        raise Wrong(f"{', '.join(map(repr, strange))}: give letters a to f")
    for letter, rule in RULES.items():
        law = first_token_law(rule)
        is_lawful = law == tuple(TARGET)
        if is_lawful and letter not in letters:
            raise Wrong(f"{letter} keeps the law: {WHY[letter]}")
        if letter in letters and not is_lawful:
            raise Wrong(
                f"{letter} does not keep the law: {WHY[letter]}. On the laws of notebook 02 the "
                f"first token has law {show(law)}, due is {show(tuple(TARGET))}"
            )
    return "each of the wrong ones shows on the first token, by enumeration"


# Exercise 5: a draft length by context

EASY_OR_HARD = (
    np.array([[Fraction(9, 10), Fraction(1, 10)], [Fraction(7, 10), Fraction(3, 10)]]),
    np.array([[Fraction(19, 20), Fraction(1, 20)], [Fraction(0), Fraction(1)]]),
)
PRICE = Fraction(1, 5)
LONGEST = 16
GOAL = Fraction(229, 100)  # the best that the last token can tell is 2.306
SOME_ROUNDS = (Round((0, 0), 2, (0, 0, 1)), Round((0, 0), 0, (1,)))


def long_run_speedup(length):
    """Exact speed-up of ``speculate`` on the toy, for a length that looks at the last token.

    A round from last token x drafts γ(x): tokens and next last token follow from M = min(P, Q) and
    R = (P − Q)₊, as in notebook 05; the rounds are a Markov chain.
    """
    return _speedup_of([_asked(length, token) for token in (0, 1)])


def _speedup_of(lengths):
    target, draft = EASY_OR_HARD
    kept, owed = np.minimum(target, draft), np.maximum(target - draft, 0)
    step, tokens = [], []
    for token, length in enumerate(lengths):
        row = np.array([Fraction(int(i == token)) for i in range(2)])
        after, count = row @ owed, Fraction(1)
        for k in range(1, length + 1):
            row = row @ kept
            count += row.sum()
            after = after + row @ (owed if k < length else target)
        step.append(after), tokens.append(count)
    starts = yields.stationary_law(np.array(step))
    time = sum(share * (1 + PRICE * length) for share, length in zip(starts, lengths))
    return sum(share * count for share, count in zip(starts, tokens)) / time


def _asked(length, token):
    """The student's draft length after ``token``, the same after any prefix that ends so."""
    answers = {}
    for prefix in ((token,), (0, token), (1, 1, token), (0, 0, 0, 1, token)):
        answer = _without_rounds(length, prefix)
        is_whole = isinstance(answer, (Integral, np.integer)) and not isinstance(answer, bool)
        if not is_whole or not 1 <= answer <= LONGEST:
            raise Wrong(
                f"At prefix {show(prefix)}: a draft length is a whole number from 1 to {LONGEST}, "
                f"yours is {answer!r}"
            )
        answers[prefix] = int(answer)
    if len(set(answers.values())) > 1:
        raise Wrong(f"the length should depend on the last token alone; yours is {answers}")
    return answers[(token,)]


def _without_rounds(length, prefix):
    """The answer when no round has been yet, which must be the same after some."""
    at, looks = f"prefix {show(prefix)}", "your length looks at `rounds`, which is empty here"
    try:
        answer = ask(length, prefix, (), at=at)
    except Wrong as wrong:
        try:
            ask(length, prefix, SOME_ROUNDS, at=at)
        except Wrong:
            raise wrong from wrong.__cause__
        raise Wrong(f"{wrong}; {looks}: go by prefix[-1]") from wrong
    if any(ask(length, prefix, some, at=at) != answer for some in (SOME_ROUNDS, SOME_ROUNDS[::-1])):
        raise Wrong(f"{looks}: go by prefix[-1]")
    return answer


@exercise("long where it is easy")
def length_by_context(function):
    """``function(prefix, rounds)``: nearly the best that the last token can tell."""
    lengths = [_asked(function, token) for token in (0, 1)]
    fixed = max(_speedup_of((n, n)) for n in range(1, LONGEST + 1))
    best = max(_speedup_of(pair) for pair in product(range(1, LONGEST + 1), repeat=2))
    mine = _speedup_of(lengths)
    words = f"{lengths[0]} after the easy token and {lengths[1]} after the hard one give"
    if mine < GOAL:
        note = "; it is the other way round" if mine < _speedup_of(lengths[::-1]) else ""
        raise Wrong(
            f"{words} {float(mine):.3f} times plain decoding; the goal is {float(GOAL):g}, "
            f"{float(best):.3f} can be had, and {float(fixed):.3f} with a fixed length{note}"
        )
    return f"{words} {float(mine):.3f}, the best fixed length {float(fixed):.3f}"
