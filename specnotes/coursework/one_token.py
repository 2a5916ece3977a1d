"""Graders of problem set 1: numbers of one's own, and a forbidden token."""

from functools import partial

import numpy as np

from specnotes.audit.cases import PAIRS
from specnotes.audit.judge import CLOSE
from specnotes.audit.kinds import audit_task
from specnotes.audit.programs import Flaw
from specnotes.audit.report import ACCEPTANCE, VERDICT
from specnotes.audit.tasks import token_task
from specnotes.checks.card import Wrong, exercise, show
from specnotes.checks.verdicts import check_emitted, verdict, verdict_law
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
from specnotes.laws import overlap
from specnotes.verify import emitted_law

# Task 1: numbers of one's own


def _number(name, answer, you, final):
    def fact(y):
        return facts.one_token(y.target, y.draft, y.owed_token, y.over_token)[name]

    return check_number(name, answer, fact, you, final)


@exercise("kept")
def kept(answer, you, final=False):
    """How often the drafted token is kept."""
    return _number("kept", answer, you, final)


@exercise("replacement")
def replacement(answer, you, final=False):
    """The chance that a replacement is ``owed_token``."""
    return _number("replacement", answer, you, final)


@exercise("blame")
def blame(answer, you, final=False):
    """Given that the draft was refused: the chance that it was ``over_token``."""
    return _number("blame", answer, you, final)


@exercise("trust")
def trust(answer, you, final=False):
    """Given that ``owed_token`` comes out: the chance that it was drafted and kept."""
    return _number("trust", answer, you, final)


# Task 2: a forbidden token


def _without(target, forbidden):
    allowed = target.copy()
    allowed[forbidden] = 0 * allowed[forbidden]
    return allowed / allowed.sum()


def _bans(you, final):
    """(target, draft, forbidden)"""
    if not final:
        return [(you.target, you.draft, you.forbidden)]
    cases = [(you.target, you.draft, token) for token in range(4)]
    for i, (target, draft) in enumerate(PAIRS.values()):
        possible = [token for token, mass in enumerate(target) if mass < 1]
        cases += [(target, draft, token) for token in possible[i % 3 :][:1]]
    return cases


@exercise("law without the forbidden token")
def ban_law(function, you, final=False):
    """function(target, draft, forbidden, token, rng) -> (token, accepted), on every coin."""
    refuse_other_coins(
        function, you.target.astype(float), you.draft.astype(float), you.forbidden, you.over_token
    )
    cases = _bans(you, final)
    for case in cases:
        verdicts = _ban_verdicts(function, *case)
        if case[1] is you.draft and case[2] == you.forbidden:
            refuse_unused(verdicts, lambda o: o.drafted, lambda o: o.token)
    return f"the target's law without the forbidden token, in {count(len(cases), 'case')}, exactly"


@exercise("acceptance with a forbidden token")
def ban_kept(function, you, final=False):
    """As many drafts kept as any rule can: the overlap with what may come out."""
    cases = _bans(you, final)
    for case in cases:
        _refuse_wasted(function, *case)
    return f"as many drafts kept as may be, in {count(len(cases), 'case')}"


@exercise("edges with a forbidden token")
def ban_edges(function, you, final=False):
    """Zeros, equal laws, rounding and coins on a boundary, by an audit of the whole rule."""
    task = token_task(partial(_with_a_ban, function))
    after("law and acceptance", _refuse_wasted, function, you.target, you.draft, you.forbidden)
    report = audit_task(task if final else a_few(task))
    refuse_findings(report, ACCEPTANCE)
    return f"no counter-example in {report.covered}{'' if final else MORE_LATER}"


@remembered
def _ban_verdicts(function, target, draft, forbidden):
    """Law of the verdicts, after a look at what comes out."""
    at = f"target {show(target)}, draft {show(draft)}, token {forbidden} forbidden"
    verify, wanted = _banning(function, forbidden), _without(target, forbidden)
    verdicts = verdict_law(verify, (target, draft), draft, at)
    check_emitted(verdicts, wanted, at, _wrong_bans(target, draft, forbidden))

    def emitted(rng):
        return verdict(verify, (target, draft), draft, rng, at).token

    refuse_wrong_law(verdicts, lambda o: o.token, dict(enumerate(wanted)), emitted, at)
    return verdicts


def _refuse_wasted(function, target, draft, forbidden):
    at = f"target {show(target)}, draft {show(draft)}, token {forbidden} forbidden"
    verify = _banning(function, forbidden)
    verdicts = after("the law", _ban_verdicts, function, target, draft, forbidden)

    def accepted(rng):
        return verdict(verify, (target, draft), draft, rng, at).accepted

    much = mean(verdicts, lambda o: o.accepted, accepted)
    right = overlap(_without(target, forbidden), draft)
    if not much[0] - CLOSE <= right <= much[1] + CLOSE:
        raise Wrong(f"At {at}: {show(much[0])} of the drafts are kept, it should be {show(right)}")


def _banning(function, forbidden):
    def verify(target, draft, token, rng):
        return function(target, draft, forbidden, token, rng)

    return verify


def _with_a_ban(function, target, draft, token, rng):
    """The audit's laws plus one token, which the target wants half the time and is forbidden."""
    size = len(target)
    target, draft = np.append(target / 2, target.sum() / 2), np.append(draft, 0 * draft[:1])
    token, accepted = function(target, draft, size, token, rng)
    if token == size:
        raise Flaw(VERDICT, f"the forbidden token {size} comes out")
    return token, accepted


def _wrong_bans(target, draft, forbidden):
    wanted = _without(target, forbidden)
    spread = emitted_law(target, draft, fallback=wanted)
    return {
        "The forbidden token still comes out": target,
        "A draft that is kept is kept by the law that may come out, p without the token": spread,
        "After a refusal you draw from all that may come out": emitted_law(
            wanted, draft, fallback=wanted
        ),
        "Every draft is kept": draft,
    }
