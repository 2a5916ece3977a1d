"""Graders of problem set 1: two candidates for one token."""

from typing import NamedTuple

from specnotes.audit.cases import PAIRS, law
from specnotes.audit.judge import CLOSE
from specnotes.audit.kinds import audit_task
from specnotes.audit.report import ACCEPTANCE
from specnotes.audit.run import every_coin
from specnotes.audit.tasks import token_task
from specnotes.checks.card import ONLY_EXACT, Wrong, ask, exercise, show
from specnotes.checks.verdicts import check_emitted
from specnotes.coins import CannotEnumerate
from specnotes.coursework.answers import (
    MORE_LATER,
    a_few,
    after,
    count,
    refuse_findings,
    refuse_other_coins,
)
from specnotes.coursework.loops import mean, refuse_unused, refuse_wrong_law
from specnotes.coursework.memory import remembered
from specnotes.laws import draw, overlap, residual

# Task 5: two candidates

# The second candidate may be refused although it is owed, and then two tokens are owed.
_OWED_TWICE = law(7, 7, 6, 0), law(1, 1, 5, 13)
# One coin for both candidates: the first test's refusal tells of the second's.
_ONE_COIN = law(10, 6, 4), law(9, 2, 9)


class _Outcome(NamedTuple):
    """Of one call; ``drafted`` is the candidate that is kept, if one is."""

    drafted: int
    token: int
    accepted: bool
    candidates: tuple


def _pairs(you, final):
    own = [(you.target, you.draft)]
    return [*own, *PAIRS.values(), _OWED_TWICE, _ONE_COIN] if final else own


@exercise("law with two candidates")
def two_law(function, you, final=False):
    """function(target, draft, first, second, rng) -> (token, which), on every coin."""
    refuse_other_coins(
        function, you.target.astype(float), you.draft.astype(float), you.over_token, you.over_token
    )
    pairs = _pairs(you, final)
    for pair in pairs:
        verdicts = _judged(function, *pair)
        if pair[1] is you.draft:
            refuse_unused(verdicts, lambda o: o.candidates, lambda o: o.token)
    return f"the target's law on {count(len(pairs), 'pair')}, exactly"


@exercise("acceptance with two candidates")
def two_kept(function, you, final=False):
    """One of the two is kept at least as often as by testing them in turn."""
    pairs = _pairs(you, final)
    for pair in pairs:
        _refuse_wasted(function, *pair)
    return f"a candidate is kept as often as it should, on {count(len(pairs), 'pair')}"


@exercise("edges with two candidates")
def two_edges(function, you, final=False):
    """Zeros, equal laws, rounding and coins on a boundary, by an audit of the whole rule."""

    def verify(target, draft, token, rng):
        second = rng.choice(len(draft), p=draft)
        emitted, _ = function(target, draft, token, second, rng)
        return emitted, False

    for pair in _pairs(you, False) + final * [_OWED_TWICE, _ONE_COIN]:
        after("law and acceptance", _refuse_wasted, function, *pair)
    task = token_task(verify)
    report = audit_task(task if final else a_few(task))
    refuse_findings(report, ACCEPTANCE)
    return f"no counter-example in {report.covered}{'' if final else MORE_LATER}"


@remembered
def _judged(function, target, draft):
    """Law of the verdicts, after a look at what comes out."""
    at = f"target {show(target)}, draft {show(draft)}"
    verdicts = _two_verdicts(function, target, draft, at)
    check_emitted(verdicts, target, at, {})

    def emitted(rng):
        return _two_verdict(function, target, draft, rng, at).token

    refuse_wrong_law(verdicts, lambda o: o.token, dict(enumerate(target)), emitted, at)
    return verdicts


def _refuse_wasted(function, target, draft):
    at = f"target {show(target)}, draft {show(draft)}"
    verdicts = after("the law", _judged, function, target, draft)

    def accepted(rng):
        return _two_verdict(function, target, draft, rng, at).accepted

    _, much = mean(verdicts, lambda o: o.accepted, accepted)
    once = overlap(target, draft)
    least = once + (1 - once) * overlap(residual(target, draft), draft)
    if much < least - CLOSE:
        raise Wrong(
            f"At {at}: a candidate is kept with chance {show(much)}; testing both in turn "
            f"keeps one with chance {show(least)}"
        )


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
        raise Wrong(f"At {at}: return (token, which); yours is {show(answer)}") from None
    if which not in (0, 1, 2) or not 0 <= token < len(target):
        raise Wrong(f"At {at}: your answer is {answer!r}; which is 0, 1 or 2")
    if which and token != candidates[which - 1]:
        raise Wrong(
            f"At {at}: the candidates are {candidates} and {token} comes out, yet your second "
            f"value says that candidate {which} was kept"
        )
    return _Outcome(token, token, which > 0, candidates)
