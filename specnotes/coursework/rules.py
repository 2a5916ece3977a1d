"""Graders of problem set 1: a rule to complete, and the bias of a muddled fallback."""

from fractions import Fraction
from itertools import product

import numpy as np

from specnotes.audit.cases import PAIRS
from specnotes.checks.card import ONLY_EXACT, FormOnly, Wrong, ask, exercise, is_same, show
from specnotes.coursework.answers import (
    COUNTED_LATER,
    check_expression,
    check_number,
    count,
)
from specnotes.coursework.facts import Fact
from specnotes.coursework.parse import as_number, described
from specnotes.laws import overlap, residual

# Task 3: complete a rule


@exercise("fallback of a rule")
def completion(function, you, final=False):
    """function(target, draft, chance) -> the law after a refusal, where there is one."""
    rules = _rules(you) if final else [(you.target, you.draft, you.chance)]
    possible = [rule for rule in rules if _owed(*rule).min() >= 0 and sum(_owed(*rule)) > 0]
    for rule in possible:
        at = "target {}, draft {}, chance {}".format(*map(show, rule))
        owed = _owed(*rule)
        answer, right = _ask_exactly(function, rule, at), owed / owed.sum()
        if not is_same(answer, right):
            hint = next((f". {m}" for m, x in _slips(*rule).items() if is_same(answer, x)), "")
            raise Wrong(f"At {at}: yours is {show(answer)}, it should be {show(right)}{hint}")
    return f"right for {count(len(possible), 'rule')}, exactly"


@exercise("nothing to fall back from")
def completion_of_all(function, you, final=False):
    """If every draft is kept, any law will do; it must be a law, and we ask for the target."""
    cases = [you.target, *(p for p, _ in PAIRS.values())] if final else [you.target]
    for target in cases:
        rule = target, target, np.array([Fraction(1)] * len(target))
        at = f"draft = target = {show(target)}, chance 1 for every token"
        answer = _ask_exactly(function, rule, at)
        if not is_same(answer, target):
            raise Wrong(f"At {at}: yours is {show(answer)}; nothing is refused: return the target")
    return "the target, where nothing is ever refused"


@exercise("rules beyond repair")
def completion_refused(function, you, final=False):
    """ValueError exactly where no fallback makes the rule lossless."""
    always = np.array([Fraction(1)] * 4)
    rules = _rules(you) if final else [(you.target, you.draft, always)]
    beyond = 0
    for rule in rules:
        at = "target {}, draft {}, chance {}".format(*map(show, rule))
        possible = _owed(*rule).min() >= 0
        beyond += not possible
        try:
            answer = _ask_exactly(function, rule, at)
        except Wrong as wrong:
            meant = isinstance(wrong.__cause__, ValueError) and "read-only" not in str(wrong)
            if possible or not meant:
                said = "" if possible else ". No fallback helps here: raise a ValueError"
                raise Wrong(f"{wrong}{said}") from None
            continue
        if possible:
            continue
        if isinstance(answer, Exception):
            raise Wrong(f"At {at}: you return a {type(answer).__name__}; raise it")
        token = int(np.argmin(_owed(*rule)))
        raise Wrong(
            f"At {at}: yours is {show(answer)}, but no fallback helps: raise ValueError. Token "
            f"{token} is kept with mass {show((rule[1] * rule[2])[token])}, more than its p"
        )
    return (
        f"ValueError for {count(beyond, 'rule')} that no fallback makes lossless, and for no other"
    )


def _owed(target, draft, chance):
    return target - draft * chance


def _rules(you):
    """(target, draft, chance): a share of the best rule, best for some tokens, one kept too often.

    Only rules that leave something to be decided: equal laws with every draft kept come elsewhere.
    """
    rules = [(you.target, you.draft, you.chance)]
    for target, draft in [(you.target, you.draft), *PAIRS.values()]:
        best = np.array([min(1, p / q) if q else Fraction(1) for p, q in zip(target, draft)])
        rules += [(target, draft, best * share) for share in (Fraction(0), Fraction(2, 3), 1)]
        for i, (p, q) in enumerate(zip(target, draft)):
            only, more = best * (np.arange(len(best)) == i), best.copy()
            more[i] = min(1, (p + q) / (2 * q)) if q else Fraction(1)
            rules += [(target, draft, only), (target, draft, more)]
    return [rule for rule in rules if (_owed(*rule) != 0).any()]


def _ask_exactly(function, rule, at):
    """In fractions, or in floats for a function that cannot take them."""
    try:
        return _refuse_texts(ask(function, *rule, at=at), at)
    except Wrong as wrong:
        if not isinstance(wrong.__cause__, ONLY_EXACT):
            raise
    return _refuse_texts(ask(function, *(part.astype(float) for part in rule), at=at), at)


def _refuse_texts(answer, at):
    """They look like the numbers in them."""
    items = answer if isinstance(answer, (list, tuple, np.ndarray)) else [answer]
    if answer is None or any(isinstance(item, str) for item in items):
        raise Wrong(f"At {at}: return an array of numbers; yours is {described(answer)}")
    return answer


def _slips(target, draft, chance):
    owed = _owed(target, draft, chance)
    slips = {
        "That is the residual of the rule that keeps all it can": residual(target, draft),
        "That is the target, which pays again for what is kept": target,
        "That is what is owed; divide by its sum to make a law of it": owed,
    }
    raw = np.maximum(target - chance, 0)
    if raw.any():
        slips["A token is kept with mass q · chance, not chance"] = raw / raw.sum()
    return slips


# Task 4: a muddled fallback

_VALUES = [Fraction(n, 20) for n in (1, 4, 9, 13, 20)]
_POINTS = [{"p": p, "q": q, "alpha": a} for p, q, a in product(_VALUES, _VALUES, _VALUES[1:4])]


def _bias_of_mistake(you):
    """Of the mistake alone, for one token."""
    if you.mistake == "target":
        return lambda p, q, alpha: min(p, q) - alpha * p
    return lambda p, q, alpha: min(p, q) - p + (1 - alpha) * q


@exercise("bias of the muddled fallback")
def muddled_bias(answer, you, final=False):
    """A SymPy expression in p, q and alpha, equal in value to the bias."""
    whole, share = _bias_of_mistake(you), 1 - you.mixing
    mistakes = {
        "That is the bias if the residual is never drawn from": whole,
        "The chances of the two are exchanged": lambda **at: you.mixing * whole(**at),
        "Output minus target, not target minus output": lambda **at: -share * whole(**at),
        "That is the output's law; take p off": lambda p, q, alpha: share * whole(p, q, alpha) + p,
    }
    points = (
        _POINTS if final else [{"p": Fraction(1, 5), "q": Fraction(1, 2), "alpha": Fraction(3, 4)}]
    )

    def reference(**at):
        return share * whole(**at)

    said = check_expression("bias", answer, reference, _POINTS, mistakes, points)
    return said if final else f"right at one point with p < q; {COUNTED_LATER}"


def _own_bias(you):
    alpha = overlap(you.target, you.draft)
    each = _bias_of_mistake(you)
    return [(1 - you.mixing) * each(p, q, alpha) for p, q in zip(you.target, you.draft)]


@exercise("distance of the muddled fallback")
def muddled_distance(answer, you, final=False):
    """Total variation distance on the own laws."""

    def fact(y):
        right, share = sum(map(abs, _own_bias(y))) / 2, 1 - y.mixing
        slips = {
            "That is the sum of the differences; half of it is the distance": 2 * right,
            "That is the distance if the residual is never drawn from": right / share,
            "The chances of the two are exchanged": right / share * y.mixing,
        }
        return Fact(right, slips)

    return check_number("distance", answer, fact, you, final)


@exercise("draws to see it")
def muddled_draws(answer, you, final=False):
    """The number of draws at which draws · Σ bias²/p is 30, within one per cent."""
    number = as_number("draws", answer)
    if not final:
        return FormOnly(f"a number; {COUNTED_LATER}")
    right = float(30 / sum(b**2 / p for b, p in zip(_own_bias(you), you.target)))
    if abs(number - right) > max(1, 0.01 * right):
        raise Wrong(f"draws is {show(number)}, it should be about {right:.0f}")
    return f"{show(number)} is right for your numbers"
