"""Graders of problem set 1: numbers of one's own, and a forbidden token."""

from functools import partial

import numpy as np

from specnotes.audit import audit_token
from specnotes.audit.cases import PAIRS
from specnotes.audit.report import ACCEPTANCE
from specnotes.checks.card import Wrong, ask, exercise, show
from specnotes.checks.verdicts import (
    accepted_mass,
    check_emitted,
    is_same_law,
    verdict_law,
)
from specnotes.coursework.answers import (
    COUNTED_LATER,
    check_number,
    count,
    refuse_findings,
    refuse_other_coins,
)
from specnotes.laws import overlap, residual
from specnotes.verify import emitted_law

# Task 1: numbers of one's own


@exercise("kept")
def kept(answer, you, final=False):
    """How often the drafted token is kept."""
    return check_number("kept", answer, lambda y: overlap(y.target, y.draft), you, final)


@exercise("replacement")
def replacement(answer, you, final=False):
    """The chance that a replacement is ``owed_token``."""

    def right(y):
        return residual(y.target, y.draft)[y.owed_token]

    return check_number("replacement", answer, right, you, final)


@exercise("blame")
def blame(answer, you, final=False):
    """Given that the draft was refused: the chance that it was ``over_token``."""

    def right(y):
        return residual(y.draft, y.target)[y.over_token]

    return check_number("blame", answer, right, you, final)


@exercise("trust")
def trust(answer, you, final=False):
    """Given that ``owed_token`` comes out: the chance that it was drafted and kept."""

    def right(y):
        return y.draft[y.owed_token] / y.target[y.owed_token]

    return check_number("trust", answer, right, you, final)


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
    for target, draft, forbidden in cases:
        at = f"target {show(target)}, draft {show(draft)}, token {forbidden} forbidden"
        wanted = _without(target, forbidden)
        verdicts = verdict_law(_banning(function, forbidden), (target, draft), draft, at)
        check_emitted(verdicts, wanted, at, _wrong_bans(target, draft, forbidden))
    return f"the target's law without the forbidden token, in {count(len(cases), 'case')}, exactly"


@exercise("acceptance with a forbidden token")
def ban_kept(function, you, final=False):
    """As many drafts kept as any rule can: the overlap with what may come out."""
    cases = _bans(you, final)
    for target, draft, forbidden in cases:
        at = f"target {show(target)}, draft {show(draft)}, token {forbidden} forbidden"
        verdicts = verdict_law(_banning(function, forbidden), (target, draft), draft, at)
        check_emitted(verdicts, _without(target, forbidden), at, {})
        much, most = accepted_mass(verdicts), overlap(_without(target, forbidden), draft)
        if not is_same_law(much, most, verdicts):
            raise Wrong(f"At {at}: {show(much)} of the drafts are kept, it should be {show(most)}")
    return f"as many drafts kept as may be, in {count(len(cases), 'case')}"


@exercise("edges with a forbidden token")
def ban_edges(function, you, final=False):
    """Zeros, equal laws, rounding and coins on a boundary, by an audit of the whole rule."""
    laws = you.target, you.draft
    ask(function, *laws, you.forbidden, you.over_token, np.random.default_rng(0))
    if not final:
        return f"runs; {COUNTED_LATER}"
    refuse_findings(audit_token(partial(_with_a_ban, function)), ACCEPTANCE)
    return "no counter-example among zeros, equal laws, rounded laws and boundary coins"


def _banning(function, forbidden):
    def verify(target, draft, token, rng):
        return function(target, draft, forbidden, token, rng)

    return verify


def _with_a_ban(function, target, draft, token, rng):
    """The audit's laws plus one token, which the target wants half the time and is forbidden."""
    size = len(target)
    target, draft = np.append(target / 2, target.sum() / 2), np.append(draft, 0 * draft[:1])
    token, accepted = ask(function, target, draft, size, token, rng)
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
