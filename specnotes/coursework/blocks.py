"""Graders of problem set 2: a round in numbers, and a patient verifier."""

from fractions import Fraction
from functools import partial
from math import prod

import numpy as np

from specnotes.audit import audit_verifier
from specnotes.audit.cases import CONTEXT_TOYS
from specnotes.audit.report import ACCEPTANCE
from specnotes.audit.run import every_coin
from specnotes.broken.toys import Toy, law
from specnotes.checks.card import ONLY_EXACT, Wrong, ask, exercise, show
from specnotes.checks.verdicts import is_same_law
from specnotes.coins import CannotEnumerate
from specnotes.coursework.answers import (
    COUNTED_LATER,
    check_number,
    count,
    refuse_findings,
    refuse_other_coins,
    refuse_wrong_law,
)
from specnotes.decode import one_round
from specnotes.exact import sequence_law

# Task 1: numbers of one round, with two drafted tokens


def _shared(you):
    """min(p, q) at the start, and after each token."""
    first = np.minimum(you.target.matrix[you.start], you.draft.matrix[you.start])
    return first, np.minimum(you.target.matrix, you.draft.matrix)


@exercise("first kept")
def first_kept(answer, you, final=False):
    """The chance that the first drafted token is kept."""
    return check_number("first_kept", answer, lambda y: _shared(y)[0].sum(), you, final)


@exercise("both kept")
def both_kept(answer, you, final=False):
    """The chance that both drafted tokens are kept."""

    def right(y):
        first, then = _shared(y)
        return (first @ then).sum()

    return check_number("both_kept", answer, right, you, final)


@exercise("mean tokens of the round")
def round_tokens(answer, you, final=False):
    """1 + P(first kept) + P(both kept)."""

    def right(y):
        first, then = _shared(y)
        return 1 + first.sum() + (first @ then).sum()

    return check_number("round_tokens", answer, right, you, final, most=3)


@exercise("corrected to the word")
def corrected_to(answer, you, final=False):
    """The chance of one kept token, followed by a correction to ``word``."""

    def right(y):
        first, _ = _shared(y)
        return first @ np.maximum(y.target.matrix - y.draft.matrix, 0)[:, y.word]

    return check_number("corrected_to", answer, right, you, final)


# Task 2: a patient verifier

_EVEN = Toy("an even target", law(1, 1, 1), law(2, 3, 5), length=2)


@exercise("law of the patient verifier")
def patient_law(function, you, final=False):
    """function(target_laws, draft_laws, tokens, shares, rng) -> (accepted, token)."""
    refuse_other_coins(function, *_one_block(you), you.shares)
    settings = _patient_settings(you, final)
    for target, draft, shares, at in settings:
        _patient_rounds(function, target, draft, shares, at)
    return f"the target's joint law in {count(len(settings), 'setting')}, exactly"


@exercise("acceptance of the patient verifier")
def patient_kept(function, you, final=False):
    """Position i is reached and kept as often as its shares say."""
    settings = _patient_settings(you, final)
    for target, draft, shares, at in settings:
        rounds = _patient_rounds(function, target, draft, shares, at)
        for kept in range(1, len(shares) + 1):
            much = sum(mass for one, mass in rounds.items() if one.accepted >= kept)
            most = prod(shares[:kept]) * _all_kept(target, draft, kept)
            if not is_same_law(much, most, rounds):
                raise Wrong(
                    f"At {at}: {kept} or more are kept with chance {show(much)}, "
                    f"it should be {show(most)}"
                )
    return f"each position kept as often as it should, in {count(len(settings), 'setting')}"


@exercise("edges of the patient verifier")
def patient_edges(function, you, final=False):
    """With all shares 1 it is the usual verifier: an audit of that."""
    ask(function, *_one_block(you), you.shares, np.random.default_rng(0))
    if not final:
        return f"runs; {COUNTED_LATER}"

    def verify(target_laws, draft_laws, tokens, rng):
        ones = (Fraction(1),) * len(tokens)
        return ask(function, target_laws, draft_laws, tokens, ones, rng)

    refuse_findings(audit_verifier(verify), ACCEPTANCE)
    return "no counter-example among zeros, equal laws, rounded laws and boundary coins"


def _one_block(you):
    tokens = (you.word, you.stop)
    laws = you.target.score((you.start,), tokens), you.draft.score((you.start,), tokens)[:-1]
    return *(one.astype(float) for one in laws), tokens


def _patient_settings(you, final):
    settings = [(you.target, you.draft, you.shares)]
    if final:
        half, some, all_ = Fraction(1, 2), Fraction(2, 3), Fraction(1)
        orders = [(half, some, all_), (all_, half, some), (0 * half, all_, half)]
        for i, toy in enumerate(CONTEXT_TOYS):
            settings.append((*toy.models, orders[i % 3][: toy.length]))
        settings.append((*_EVEN.models, (all_, all_)))
    return [(*one, _setting(*one)) for one in settings]


def _setting(target, draft, shares):
    laws = " and ".join(show(model.initial) for model in (target, draft))
    return f"shares {show(shares)}, first laws {laws}"


def _patient_rounds(function, target, draft, shares, at):
    """Law of the rounds, after a look at what they emit, completed by the target."""

    def verify(target_laws, draft_laws, tokens, rng):
        return _as_pair(ask(function, target_laws, draft_laws, tokens, shares, rng, at=at), at)

    try:
        rounds = every_coin(partial(one_round, target, draft, (), len(shares), verify=verify))
    except (CannotEnumerate, ValueError) as error:  # also: accepted or token out of range
        raise Wrong(f"At {at}: {error}") from None
    except Wrong as wrong:
        if not isinstance(wrong.__cause__, ONLY_EXACT) or target.initial.dtype != object:
            raise
        return _patient_rounds(function, _floats(target), _floats(draft), shares, at)
    n_tokens = len(shares) + 1
    texts = _completed(rounds, target, n_tokens)
    refuse_wrong_law(texts, target, n_tokens, at, slack=rounds.unexplored)
    return rounds


def _completed(rounds, target, n_tokens):
    """Law of the first tokens, if the target alone goes on after the round."""
    texts = {}
    for one, mass in rounds.items():
        more = sequence_law(target, one.emitted, n_tokens - len(one.emitted))
        for tail, chance in more.items():
            texts[one.emitted + tail] = texts.get(one.emitted + tail, 0) + mass * chance
    return texts


def _as_pair(answer, at):
    try:
        accepted, token = answer
        return int(accepted), int(token)
    except (TypeError, ValueError):
        raise Wrong(f"At {at}: return (accepted, token); yours is {answer!r}") from None


def _floats(model):
    return type(model)(model.matrix.astype(float), model.initial.astype(float), model.vocabulary)


def _all_kept(target, draft, length):
    """The chance that the usual rule keeps ``length`` drafted tokens."""
    kept = np.minimum(target.initial, draft.initial)
    for _ in range(length - 1):
        kept = kept @ np.minimum(target.matrix, draft.matrix)
    return kept.sum()
