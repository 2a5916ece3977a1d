"""Graders of problem set 2: a round in numbers, and a reluctant verifier."""

from fractions import Fraction
from functools import partial
from math import prod

import numpy as np

from specnotes.audit.cases import CONTEXT_TOYS
from specnotes.audit.judge import CLOSE, target_law
from specnotes.audit.kinds import audit_task
from specnotes.audit.report import ACCEPTANCE
from specnotes.audit.run import every_coin
from specnotes.audit.tasks import block_task
from specnotes.broken.toys import Toy, law
from specnotes.checks.card import ONLY_EXACT, Wrong, ask, exercise, show
from specnotes.coins import CannotEnumerate, OutcomeLaw
from specnotes.coursework import facts
from specnotes.coursework.answers import (
    MORE_LATER,
    a_few,
    after,
    check_number,
    count,
    refuse_findings,
    refuse_other_coins,
)
from specnotes.coursework.loops import mean, refuse_unused, refuse_wrong_law
from specnotes.coursework.memory import remembered
from specnotes.decode import one_round, sample

# Task 1: numbers of one round, with two drafted tokens


def _number(name, answer, you, final, most=1):
    def fact(y):
        return facts.one_round(y.target, y.draft, y.start, y.word)[name]

    return check_number(name, answer, fact, you, final, most=most)


@exercise("first kept")
def first_kept(answer, you, final=False):
    """The chance that the first drafted token is kept."""
    return _number("first_kept", answer, you, final)


@exercise("both kept")
def both_kept(answer, you, final=False):
    """The chance that both drafted tokens are kept."""
    return _number("both_kept", answer, you, final)


@exercise("mean tokens of the round")
def round_tokens(answer, you, final=False):
    """1 + P(first kept) + P(both kept)."""
    return _number("round_tokens", answer, you, final, most=3)


@exercise("corrected to the word")
def corrected_to(answer, you, final=False):
    """The chance of one kept token, followed by a correction to ``word``."""
    return _number("corrected_to", answer, you, final)


# Task 2: a reluctant verifier

_OWN = "your models"
_EVEN = Toy("an even target", law(1, 1, 1), law(2, 3, 5), length=2)


@exercise("law of the reluctant verifier")
def patient_law(function, you, final=False):
    """function(target_laws, draft_laws, tokens, shares, rng) -> (accepted, token)."""
    refuse_other_coins(function, *_one_block(you), you.shares)
    settings = _patient_settings(you, final)
    for toy, shares, at in settings:
        rounds = _patient_rounds(function, toy, shares, at)
        if toy.name == _OWN:
            refuse_unused(rounds, lambda one: one.drafted[0], lambda one: one.emitted[0])
    return f"the target's joint law in {count(len(settings), 'setting')}, exactly"


@exercise("acceptance of the reluctant verifier")
def patient_kept(function, you, final=False):
    """Position i is reached and kept as often as its shares say."""
    settings = _patient_settings(you, final)
    for setting in settings:
        _refuse_impatience(function, *setting)
    return f"each position kept as often as it should, in {count(len(settings), 'setting')}"


@exercise("edges of the reluctant verifier")
def patient_edges(function, you, final=False):
    """With all shares 1 it is the usual verifier: an audit of that."""

    def verify(target_laws, draft_laws, tokens, rng):
        return function(target_laws, draft_laws, tokens, (Fraction(1),) * len(tokens), rng)

    (own,) = _patient_settings(you, False)
    after("law and acceptance", _refuse_impatience, function, *own)
    task = block_task(verify)
    report = audit_task(task if final else a_few(task))
    refuse_findings(report, ACCEPTANCE)
    return f"no counter-example in {report.covered}{'' if final else MORE_LATER}"


def _refuse_impatience(function, toy, shares, at):
    rounds = after("the law", _patient_rounds, function, toy, shares, at)
    program = _patient_round(function, toy, shares, at)
    for kept in range(1, len(shares) + 1):

        def is_kept(one, kept=kept):
            return one.accepted >= kept

        def sampled(rng, is_kept=is_kept):
            return is_kept(program(rng))

        much = mean(rounds, is_kept, sampled)
        right = prod(shares[:kept]) * _all_kept(*toy.models, kept)
        if not much[0] - CLOSE <= right <= much[1] + CLOSE:
            raise Wrong(
                f"At {at}: {kept} or more are kept with chance {show(much[0])}, "
                f"it should be {show(right)}"
            )


def _one_block(you):
    tokens = (you.word, you.stop)
    laws = you.target.score((you.start,), tokens), you.draft.score((you.start,), tokens)[:-1]
    return *(one.astype(float) for one in laws), tokens


def _patient_settings(you, final):
    """(toy, shares, both in words)"""
    laws = (np.vstack([model.initial, model.matrix]) for model in (you.target, you.draft))
    settings = [(Toy(_OWN, *laws, length=len(you.shares)), you.shares)]
    if final:
        half, some, all_ = Fraction(1, 2), Fraction(2, 3), Fraction(1)
        orders = [(half, some, all_), (all_, half, some), (0 * half, all_, half)]
        for i, toy in enumerate(CONTEXT_TOYS):
            settings.append((toy, orders[i % 3][: toy.length]))
        settings.append((_EVEN, (all_, all_)))
    return [(*one, _setting(*one)) for one in settings]


def _setting(toy, shares):
    laws = " and ".join(show(model.initial) for model in toy.models)
    return f"shares {show(shares)}, first laws {laws}"


def _patient_round(function, toy, shares, at):
    """program(rng) -> Round"""

    def verify(target_laws, draft_laws, tokens, rng):
        return _as_pair(ask(function, target_laws, draft_laws, tokens, shares, rng, at=at), at)

    return partial(one_round, *toy.models, (), len(shares), verify=verify)


@remembered
def _patient_rounds(function, toy, shares, at):
    """Law of the rounds, after a look at what they emit, completed by the target."""
    program = _patient_round(function, toy, shares, at)
    try:
        rounds = every_coin(program)
    except (CannotEnumerate, ValueError) as error:  # also: accepted or token out of range
        raise Wrong(f"At {at}: {error}") from None
    except Wrong as wrong:
        if not isinstance(wrong.__cause__, ONLY_EXACT) or not toy.is_exact:
            raise
        return _patient_rounds(function, toy.as_float(), shares, at)
    n_tokens, (target, _) = len(shares) + 1, toy.models
    texts = OutcomeLaw(_completed(rounds, toy, n_tokens))
    texts.unexplored, texts.paths = rounds.unexplored, rounds.paths

    def text(rng):
        tokens = program(rng).emitted
        return tokens + sample(target, tokens, n_tokens - len(tokens), rng)

    refuse_wrong_law(texts, tuple, target_law(toy, (), n_tokens), text, at)
    return rounds


def _completed(rounds, toy, n_tokens):
    """Law of the first tokens, if the target alone goes on after the round."""
    ends, texts = {}, {}
    for one, mass in rounds.items():
        ends[one.emitted] = ends.get(one.emitted, 0) + mass
    for tokens, mass in ends.items():
        for tail, chance in target_law(toy, tokens, n_tokens - len(tokens)).items():
            texts[tokens + tail] = texts.get(tokens + tail, 0) + mass * chance
    return texts


def _as_pair(answer, at):
    try:
        accepted, token = answer
        return int(accepted), int(token)
    except (TypeError, ValueError):
        raise Wrong(f"At {at}: return (accepted, token); yours is {show(answer)}") from None


def _all_kept(target, draft, length):
    """The chance that the usual rule keeps ``length`` drafted tokens."""
    kept = np.minimum(target.initial, draft.initial)
    for _ in range(length - 1):
        kept = kept @ np.minimum(target.matrix, draft.matrix)
    return kept.sum()
