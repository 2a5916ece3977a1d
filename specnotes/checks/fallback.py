"""Checks of notebook 02: the wrong fallback, its size, and two look-alikes that are right."""

from fractions import Fraction
from itertools import product
from math import sqrt

import numpy as np

from specnotes.audit.cases import BASE, PAIRS, SECOND, law
from specnotes.checks.card import Wrong, ask, exercise, is_same, show, versus
from specnotes.checks.verdicts import accepted_mass, check_emitted, is_same_law, verdict_law
from specnotes.laws import check_law, overlap, residual, total_variation
from specnotes.verify import emitted_law

LEVEL, POWER = 0.001, 0.97  # of the notebook's χ² test

# Exercise 1: the bias, judged by its value at exact points: p below, equal to and above q.

_VALUES = [Fraction(n, 20) for n in (1, 4, 9, 13, 20)]
_POINTS = list(product(_VALUES, _VALUES, _VALUES[:4]))
_BIASES = {
    "That is the target minus the output: turn it round": lambda p, q, a: a * p - min(p, q),
    "That is the law that comes out: take p off": lambda p, q, a: min(p, q) + (1 - a) * p,
    "That is what is kept, minus p: the fallback adds to it": lambda p, q, a: min(p, q) - p,
    "That holds only where q is p or more; elsewhere only q is kept": lambda p, q, a: (1 - a) * p,
    "That holds only where q is p or less; elsewhere only p is kept": lambda p, q, a: q - a * p,
    "A rejection has the chance 1 − α, not α": lambda p, q, a: min(p, q) + a * p - p,
    "What is owed is a law only after dividing by 1 − α": (
        lambda p, q, a: (1 - a) * (p - max(p - q, 0))
    ),
    "That is 0: you took the right fallback": lambda p, q, a: 0,
}


@exercise("bias of the wrong fallback")
def wrong_fallback_bias(bias):
    """A SymPy expression in p, q and alpha for one token: min(p, q) − αp in any form."""
    given = [_value(bias, *point) for point in _POINTS]
    right = [min(p, q) - a * p for p, q, a in _POINTS]
    if given == right:
        return f"equal at {len(_POINTS)} exact points, with p below, at and above q"
    at = next(i for i, x in enumerate(right) if given[i] != x)
    p, q, a = _POINTS[at]
    known = (name for name, f in _BIASES.items() if given == [f(*x) for x in _POINTS])
    hint = next((f". {name}" for name in known), "")
    raise Wrong(
        f"At p = {p}, q = {q}, α = {a}: yours is {show(given[at])}, it should be {right[at]}{hint}"
    )


def _value(expression, *point):
    """Exact value at a point; symbols are known by name, whatever was assumed about them."""
    import sympy

    try:
        expression = sympy.sympify(expression)
        strange = {s.name for s in expression.free_symbols} - {"p", "q", "alpha"}
    except (sympy.SympifyError, AttributeError, TypeError):
        raise Wrong(f"{expression!r} is no SymPy expression in p, q and alpha") from None
    if strange:
        raise Wrong(f"use p, q and alpha only; yours contains {', '.join(sorted(strange))}")
    given = {name: sympy.Rational(str(x)) for name, x in zip(("p", "q", "alpha"), point)}
    value = expression.subs({s: given[s.name] for s in expression.free_symbols})
    value = sympy.nsimplify(value, rational=True)
    return Fraction(int(value.p), int(value.q)) if value.is_Rational else value


# Exercise 2: a pair at the bound


@exercise("a pair at the bound")
def worst_pair(target, draft):
    """Laws over four tokens, all wanted by the target: the wrong fallback is off by 1/4."""
    target, draft = _four(target, "target"), _four(draft, "draft")
    if not all(target > 0):
        raise Wrong(f"the target must want all four tokens; yours is {show(target)}")
    kept = overlap(target, draft)
    distance = total_variation(target, emitted_law(target, draft, fallback=target))
    if is_same(distance, Fraction(1, 4)):
        return f"overlap {show(kept)}, distance {show(distance)}: no token is both kept and owed"
    if not is_same(kept, Fraction(1, 2)):
        raise Wrong(
            f"the overlap is {show(kept)}, so the distance is at most {show(kept * (1 - kept))} "
            f"(it is {show(distance)}); 1/4 needs an overlap of 1/2"
        )
    token = next(i for i, (p, q) in enumerate(zip(target, draft)) if p > q > 0)
    raise Wrong(
        f"the overlap is 1/2, as it must be, but the distance is only {show(distance)}: token "
        f"{token} (target {show(target[token])}, draft {show(draft[token])}) is kept and owed"
    )


def _four(answer, name):
    try:
        answer = check_law(answer, name)
    except ValueError as error:
        raise Wrong(str(error)) from None
    if answer.shape != (4,):
        raise Wrong(f"{name} should be a law of four tokens; yours has shape {answer.shape}")
    return answer


# Exercise 3: how good a draft hides the mistake

_SUITES = [
    (*BASE, 10_000),
    (*BASE, 1_000_000),
    (*SECOND, 5_000),
    (law(4, 3, 2, 1), law(1, 2, 3, 4), 20_000),
    (law(1, 1), law(1, 3), 3_000),
    (*BASE, 100),
]


@exercise("how good a draft hides it")
def hiding_share(function):
    """function(target, bad, draws) -> the share e at which that many draws have the power."""
    for target, bad, draws in _SUITES:
        target, bad = target.astype(float), bad.astype(float)
        at = f"target {show(target)}, bad {show(bad)}, {draws:,} draws"
        answer = ask(function, target, bad, draws, at=at)
        right = min(1, _share(target, bad, draws))
        if not _close(answer, right):
            mistakes = _wrong_shares(target, bad, draws)
            hint = next((f". {name}" for name, x in mistakes.items() if _close(answer, x)), "")
            raise Wrong(f"At {at}: {versus(answer, right)}{hint}")
    return f"right in all {len(_SUITES)} cases, with two to four tokens"


def _share(target, bad, draws):
    return sqrt(_needed(len(target)) / (draws * _signal(target, bad)))


def _wrong_shares(target, bad, draws):
    size, signal, needed = len(target), _signal(target, bad), _needed(len(target))
    limit, gap = _limit(size), emitted_law(target, bad, fallback=target) - target
    return {
        "More than 1 is no share: e ends at 1": _share(target, bad, draws),
        "The noncentrality grows with the square of e": needed / (draws * signal),
        "A law of V tokens has V − 1 degrees of freedom": sqrt(
            _needed(size + 1) / (draws * signal)
        ),
        "At the limit itself the power is about one half": sqrt(limit / (draws * signal)),
        "Divide each squared bias by the target": sqrt(needed / (draws * (gap**2).sum())),
        "Take the bias of the wrong law, not of the draft": sqrt(
            needed / (draws * ((bad - target) ** 2 / target).sum())
        ),
    }


def _needed(tokens):
    """The noncentrality at which the χ² test of this many tokens has the power."""
    from scipy.optimize import brentq
    from scipy.stats import ncx2

    limit = _limit(tokens)
    return brentq(lambda size: ncx2.sf(limit, tokens - 1, size) - POWER, 1, 200)


def _limit(tokens):
    """The alarm's threshold."""
    from scipy.stats import chi2

    return chi2.isf(LEVEL, tokens - 1)


def _signal(target, bad):
    """The noncentrality of one draw when the draft is ``bad`` itself."""
    gap = emitted_law(target, bad, fallback=target) - target
    return (gap**2 / target).sum()


def _close(answer, right):
    try:
        return bool(abs(float(answer) - right) <= 1e-3 * right)
    except (TypeError, ValueError):
        return False


# Exercises 4 and 5: the look-alikes


@exercise("accept if equal")
def accept_iff_equal(verify):
    """verify(target, draft, token, rng) -> (token, accepted), by one sample of the target."""
    for target, draft in PAIRS.values():
        at = f"target {show(target)}, draft {show(draft)}"
        law = verdict_law(verify, (target, draft), draft, at)
        check_emitted(law, target, at, _wrong_equals(target, draft))
        kept, agree = accepted_mass(law), (target * draft).sum()
        if not is_same_law(kept, agree, law):
            rule = " That is the rule of notebook 01." * is_same(kept, overlap(target, draft))
            raise Wrong(
                f"At {at}: the law is right, but {show(kept)} of the drafts count as accepted; "
                f"two samples are equal with chance {show(agree)}.{rule}"
            )
    return f"the target's law, and acceptance Σ pq, exactly, on all {len(PAIRS)} pairs"


def _wrong_equals(target, draft):
    agree = target * draft
    return {
        "That is the draft's law: let the target's sample out": draft,
        "Let out the sample that you compared, not a fresh one": agree + (1 - agree.sum()) * target,
        "No residual here: the compared sample has the target's law": (
            agree + (1 - agree.sum()) * residual(target, draft)
        ),
    }


_CERTAIN = [law(5, 3, 2), law(1, 6, 3), law(1, 1), law(0, 1, 2), law(0, 0, 1), law(6, 2, 1, 1)]


@exercise("a draft without chance")
def certain_draft(verify):
    """verify(target, token, rng) -> (token, accepted), for a token that is drafted for certain."""
    cases = [(target, token) for target in _CERTAIN for token in range(len(target))]
    for target, token in cases:
        at = f"target {show(target)}, drafted token {token}"
        one_hot = np.array([Fraction(i == token) for i in range(len(target))])
        law = verdict_law(verify, (target,), one_hot, at)
        check_emitted(law, target, at, _wrong_certain(target, one_hot))
        kept = accepted_mass(law)
        if not is_same_law(kept, target[token], law):
            raise Wrong(
                f"At {at}: the law is right, but {show(kept)} of the drafts count as accepted; "
                f"the overlap with a one-hot draft is {show(target[token])}"
            )
    return f"the target's law, and acceptance p(token), exactly, in all {len(cases)} cases"


def _wrong_certain(target, one_hot):
    kept, others = target * one_hot, 1 - one_hot
    return {
        "The drafted token always comes out": one_hot,
        "The drafted token comes back after its rejection": kept + (1 - kept.sum()) * target,
        "The others must share in the target's proportions": (
            kept + (1 - kept.sum()) * others / max(others.sum(), 1)
        ),
    }
