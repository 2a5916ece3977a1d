"""Graders of problem set 1: two candidates for one token."""

import numpy as np

from specnotes.audit import audit_token
from specnotes.audit.cases import PAIRS, law
from specnotes.audit.report import ACCEPTANCE
from specnotes.audit.run import every_coin
from specnotes.checks.card import ONLY_EXACT, Wrong, ask, exercise, show
from specnotes.checks.verdicts import (
    Outcome,
    accepted_mass,
    check_emitted,
    is_same_law,
)
from specnotes.coins import CannotEnumerate
from specnotes.coursework.answers import (
    COUNTED_LATER,
    count,
    refuse_findings,
    refuse_other_coins,
)
from specnotes.laws import draw, overlap, residual

# Task 5: two candidates

# The second candidate may be refused although it is owed, and then two tokens are owed.
_OWED_TWICE = law(7, 7, 6, 0), law(1, 1, 5, 13)


def _pairs(you, final):
    own = [(you.target, you.draft)]
    return [*own, *PAIRS.values(), _OWED_TWICE] if final else own


@exercise("law with two candidates")
def two_law(function, you, final=False):
    """function(target, draft, first, second, rng) -> (token, which), on every coin."""
    refuse_other_coins(
        function, you.target.astype(float), you.draft.astype(float), you.over_token, you.over_token
    )
    pairs = _pairs(you, final)
    for target, draft in pairs:
        at = f"target {show(target)}, draft {show(draft)}"
        check_emitted(_two_verdicts(function, target, draft, at), target, at, {})
    return f"the target's law on {count(len(pairs), 'pair')}, exactly"


@exercise("acceptance with two candidates")
def two_kept(function, you, final=False):
    """One of the two is kept at least as often as by testing them in turn."""
    pairs = _pairs(you, final)
    for target, draft in pairs:
        at = f"target {show(target)}, draft {show(draft)}"
        verdicts = _two_verdicts(function, target, draft, at)
        check_emitted(verdicts, target, at, {})
        once = overlap(target, draft)
        least = once + (1 - once) * overlap(residual(target, draft), draft)
        much = accepted_mass(verdicts)
        if much < least and not is_same_law(much, least, verdicts):
            raise Wrong(
                f"At {at}: a candidate is kept with chance {show(much)}; testing both in turn "
                f"keeps one with chance {show(least)}"
            )
    return f"a candidate is kept as often as it should, on {count(len(pairs), 'pair')}"


@exercise("edges with two candidates")
def two_edges(function, you, final=False):
    """Zeros, equal laws, rounding and coins on a boundary, by an audit of the whole rule."""
    twice = you.over_token, you.over_token
    ask(function, you.target, you.draft, *twice, np.random.default_rng(0))
    if not final:
        return f"runs; {COUNTED_LATER}"

    def verify(target, draft, token, rng):
        second = rng.choice(len(draft), p=draft)
        emitted, _ = ask(function, target, draft, token, second, rng)
        return emitted, False

    target, draft = _OWED_TWICE
    at = f"target {show(target)}, draft {show(draft)}"
    check_emitted(_two_verdicts(function, target, draft, at), target, at, {})
    refuse_findings(audit_token(verify), ACCEPTANCE)
    return "no counter-example among zeros, equal laws, rounded laws and boundary coins"


def _two_verdicts(function, target, draft, at):
    """Law of the verdicts, as ``verdict_law``; ``accepted`` says that a candidate was kept."""
    try:
        return every_coin(lambda rng: _two_verdict(function, target, draft, rng, at))
    except CannotEnumerate as error:
        raise Wrong(f"At {at}: {error}") from None
    except Wrong as wrong:
        if draft.dtype != object or not isinstance(wrong.__cause__, ONLY_EXACT):
            raise
    return _two_verdicts(function, target.astype(float), draft.astype(float), at)


def _two_verdict(function, target, draft, rng, at):
    candidates = draw(draft, rng), draw(draft, rng)
    answer = ask(function, target, draft, *candidates, rng, at=at)
    try:
        token, which = map(int, answer)
    except (TypeError, ValueError):
        raise Wrong(f"At {at}: return (token, which); yours is {answer!r}") from None
    if which not in (0, 1, 2) or not 0 <= token < len(target):
        raise Wrong(f"At {at}: your answer is {answer!r}; which is 0, 1 or 2")
    if which and token != candidates[which - 1]:
        raise Wrong(
            f"At {at}: the candidates are {candidates} and {token} comes out, yet your second "
            f"value says that candidate {which} was kept"
        )
    return Outcome(token, token, which > 0)
