"""Checks of notebook 01: the residual, the verifier, and the proof that nobody can keep more."""

from fractions import Fraction
from itertools import product

import numpy as np

from specnotes import laws
from specnotes.audit import audit_token
from specnotes.audit.cases import BASE, PAIRS, SECOND
from specnotes.audit.judge import excess
from specnotes.audit.report import BOUNDARY
from specnotes.checks.card import Wrong, ask, compare, exercise, is_same, show, versus
from specnotes.checks.one_token_mistakes import FALLBACKS, VERIFIERS, wrong_residuals
from specnotes.checks.verdicts import accepted_mass, is_same_law, verdict_law

SMALL = 1e-12  # what rounding may do to a sum of floats
NEXT_TO_NOTHING = 1e-6  # less is owed only where target and draft are nearly equal

REPEATS = 30  # a drafted 2 is kept with chance 2/5: .4³⁰ + .6³⁰ is 2e-7


# Exercise 1: the residual


@exercise("residual")
def residual(function):
    """function(target, draft) -> the law of the token that replaces a rejected one."""
    covered = compare(function, laws.residual, PAIRS.values(), hint=_residual_hint)
    return f"{covered}, exactly where yours is exact"


def _residual_hint(answer, target, draft):
    try:
        answer = np.asarray(answer, float)
    except (TypeError, ValueError):
        return "Return one law: a list or an array of numbers"
    if answer.shape != target.shape:
        return f"Return one number for each of the {len(target)} tokens"
    target, draft = target.astype(float), draft.astype(float)
    if (target == draft).all():
        return _nothing_owed_hint(answer, target)
    if np.maximum(target - draft, 0).sum() < NEXT_TO_NOTHING:
        return "Compare the sum with 0, no tolerance: nearly equal laws still have a residual"
    right = laws.residual(target, draft)
    if abs(answer - right).max() < NEXT_TO_NOTHING:
        return "Add nothing to the sum: compare it with 0 before you divide"
    known = {mistake: wrong for mistake, wrong in wrong_residuals(target, draft).items()}
    return next((m for m, wrong in known.items() if is_same(answer, wrong)), None)


def _nothing_owed_hint(answer, target):
    kind = "That is no law"
    if np.isnan(answer).any():
        kind = "Dividing by a sum of 0 gives NaN"
    elif is_same(answer, np.full(len(target), 1 / len(target))):
        kind = "An even law need not be the target's"
    elif is_same(answer, np.eye(len(target))[target.argmax()]):
        kind = "The likeliest token alone has not the target's law"
    return f"{kind}. Target and draft are equal, nothing is owed: return the target"


# Exercise 2: the verifier


@exercise("verify_token")
def verify_token(function):
    """function(target, draft, token, rng) -> (token, accepted), on every outcome of its coins."""
    for target, draft in (BASE, SECOND):
        where = _where(target, draft)
        law = verdict_law(function, (target, draft), draft, where)
        _refuse_other_coins(function)
        wrong = _complaint(law, target, draft)
        if wrong:
            raise Wrong(f"{_known_mistake(law, target, draft)}At {where}: {wrong}")
    report = audit_token(function)
    said = [str(finding).removeprefix("✗ ") for finding in report.findings]
    for finding, words in zip(report.findings, said):
        if not _is_remark(finding):
            raise Wrong(words)
    remark = f"\n  One remark. {said[0]}" if said else ""
    if "when rng.random() gives" in remark:
        remark += f"\n  {RARE}"
    return f"emits the target's law and keeps α of the drafts ({report.covered}){remark}"


RARE = "Such a coin has a chance of about 2⁻⁵³. If it is 0, < in place of ≤ avoids even that."


def _is_remark(finding):
    """Of next to no probability: a coin on a boundary, or laws equal but for rounding."""
    return finding.kind == BOUNDARY or not (finding.toy is None or finding.toy.is_exact)


def _refuse_other_coins(function):
    """Deal the same coins again and again: a generator of one's own gives itself away."""
    target, draft = (law.astype(float) for law in BASE)
    answers = {
        str(ask(function, target, draft, 2, np.random.default_rng(0))) for _ in range(REPEATS)
    }
    if len(answers) > 1:
        raise Wrong(
            "the same coins gave two answers: draw from the rng you are given, and no other"
        )


def _complaint(law, target, draft):
    """What is wrong with a law of (drafted, emitted, kept), or None."""
    emitted = [sum(m for o, m in law.items() if o.token == y) for y in range(len(target))]
    if not is_same_law(emitted, target, law):
        if not law.unexplored:
            return f"what comes out has law {show(emitted)}, it should be {show(target)}"
        return (
            f"what comes out has at least the chances {show([float(x) for x in emitted])}, with "
            f"{float(law.unexplored):.2g} still to be shared out; it should be {show(target)}"
        )
    lie = next((o for o in law if o.accepted and o.token != o.drafted), None)
    if lie:
        return (
            f"token {lie.drafted} was drafted and {lie.token} comes out, yet the second value says "
            "that the draft was kept"
        )
    kept, most = accepted_mass(law), laws.overlap(target, draft)
    if not is_same_law(kept, most, law):
        return (
            f"the right law comes out, but by the second value {show(kept)} of the drafts "
            f"are kept, and the overlap is {show(most)}"
        )


def _known_mistake(law, target, draft):
    for mistake, wrong in VERIFIERS.items():
        if excess(law, verdict_law(wrong, (target, draft), draft, "")) < SMALL:
            return f"{mistake}. "
    return ""


def _where(target, draft):
    return f"target {show(target)}, draft {show(draft)}"


# Exercise 3: a rule that keeps less


@exercise("the fallback of a frugal rule")
def frugal_fallback(expression):
    """Expression in p, q, s, alpha for what comes after a rejection, judged by its values."""
    values = [(point, _value(expression, point)) for point in GRID]
    for point, yours in values:
        if not is_same(yours, _frugal(*point)):
            same = [m for m, f in FALLBACKS.items() if all(is_same(y, f(*g)) for g, y in values)]
            at = ", ".join(f"{n} = {show(v)}" for n, v in zip(("p", "q", "s", "alpha"), point))
            raise Wrong(
                f"{same[0] + '. ' if same else ''}At {at}: {versus(yours, _frugal(*point))}"
            )
    return f"equal to ours at all {len(GRID)} points"


SHARES = [Fraction(n, 10) for n in (2, 4, 5, 8)]
GRID = list(
    product(SHARES, SHARES, (Fraction(1, 4), Fraction(1, 2), 1), (Fraction(1, 3), Fraction(7, 10)))
)


def _frugal(p, q, s, alpha):
    return (p - s * min(p, q)) / (1 - s * alpha)


def _value(expression, point):
    """The answer at one point; symbols are known by their names."""
    if isinstance(expression, str):
        raise Wrong(f"{expression!r} is a string; write an expression, without the quotes")
    if not hasattr(expression, "free_symbols"):
        return expression(*point) if callable(expression) else expression
    named = dict(zip(("p", "q", "s", "alpha"), point))
    unknown = sorted({str(symbol) for symbol in expression.free_symbols} - named.keys())
    if unknown:
        raise Wrong(f"your expression contains {unknown[0]}; use p, q, s and alpha alone")
    number = expression.subs({symbol: named[str(symbol)] for symbol in expression.free_symbols})
    return Fraction(int(number.p), int(number.q)) if number.is_Rational else float(number)


# Exercise 4: the published proof


@exercise("the published proof")
def published_proof(published, after_rejection):
    """What the published formula gives on the base pair, and the term that it should have had."""
    target, draft = BASE
    if not is_same(published, np.minimum(target, draft)):
        if is_same(published, target):
            raise Wrong("that is what the proof claims; work its second term out, token by token")
        scaled = _scaled_hint(published, np.minimum(target, draft))
        raise Wrong(
            scaled
            or f"its law is not {show(published)}: take each token x, and ask what r(x) is "
            "wherever 1 − a(x) is not 0"
        )
    compare(after_rejection, _after_rejection, PAIRS.values(), hint=_rejection_hint)
    sum_of_three = show(laws.overlap(target, draft))
    return (
        f"its chances add up to {sum_of_three}, so it loses all that is rejected; "
        f"your term brings it back, on {len(PAIRS)} pairs"
    )


def _scaled_hint(answer, right):
    """Right but for the unit, or divided by their sum."""
    for factor, hint in UNITS.items():
        if is_same(answer, factor * right):
            return hint
    if is_same(answer, right / right.sum()):
        return "do not divide by the sum: say what the formula gives, law or not"


UNITS = {
    10: "these are tenths: give the chances themselves, such as 3/10 for 3",
    100: "these are percents: give the chances themselves, such as 0.3 for 30",
}


def _after_rejection(target, draft):
    return np.maximum(target - draft, 0)


def _rejection_hint(answer, target, draft):
    kept, rejected = np.minimum(target, draft), 1 - laws.overlap(target, draft)
    surplus, after = draft - kept, laws.residual(target, draft)
    known = {
        "That is the published term again, in which x itself must be rejected": surplus * after,
        "That is the chance that x is drafted and rejected; where does it go?": surplus,
        "That is the residual alone: it is drawn from only after a rejection": after,
        "That draws from the target after a rejection: the wrong fallback": rejected * target,
        "That is the whole output: give the second term alone": target,
    }
    return next((m for m, wrong in known.items() if is_same(answer, wrong.astype(float))), None)


# Exercise 5: nobody can keep more


@exercise("prices that prove it")
def no_rule_keeps_more(function):
    """function(target, draft) -> (u, v), prices that bound what any lossless rule can keep."""
    for target, draft in PAIRS.values():
        where = _where(target, draft)
        try:
            u, v = (_numbers(prices, target) for prices in ask(function, target, draft, at=where))
        except (TypeError, ValueError):
            raise Wrong(f"At {where}: return two lists, one price for each token in both") from None
        for y, x in product(range(len(target)), repeat=2):
            if u[y] + v[x] < (y == x) - SMALL:
                raise Wrong(
                    f"At {where}: u[{y}] + v[{x}] is {show(u[y] + v[x])}, "
                    f"below {int(y == x)}, so these prices bound nothing"
                )
        bound, most = draft @ u + target @ v, laws.overlap(target, draft)
        if not is_same(bound, most):
            raise Wrong(
                f"At {where}: the prices are fair, but they only show that nobody keeps more than "
                f"{show(bound)}; the overlap is {show(most)}"
            )
    return f"fair prices that cost exactly α, on all {len(PAIRS)} pairs"


def _numbers(prices, target):
    """Prices as numbers; True and False count as 1 and 0."""
    numbers = np.array([x + 0 for x in np.asarray(prices).tolist()], object)
    if numbers.shape != target.shape or any(x != x for x in numbers):
        raise ValueError
    return numbers
