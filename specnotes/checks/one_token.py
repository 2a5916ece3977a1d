"""Checks of notebook 01: the residual, the verifier, and the proof that nobody can keep more."""

from fractions import Fraction
from itertools import product

import numpy as np

from specnotes import laws
from specnotes.audit import audit_token
from specnotes.audit.cases import BASE, PAIRS, SECOND
from specnotes.audit.report import BOUNDARY
from specnotes.checks.card import Wrong, ask, compare, exercise, is_same, show
from specnotes.checks.verdicts import accepted_mass, verdict_law
from specnotes.exact import distance

SMALL = 1e-12  # what rounding may do to a sum of floats


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
    known = {mistake: wrong for mistake, wrong in _wrong_residuals(target, draft).items()}
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


def _wrong_residuals(target, draft):
    """Known wrong answers, where target and draft differ."""
    gap = target - draft
    owed, kept = np.maximum(gap, 0), np.minimum(target, draft).sum()
    wrong = {
        "What is owed is not a law yet: divide it by its sum": owed,
        "You took target from draft: that is what was drafted too often": np.maximum(-gap, 0)
        / owed.sum(),
        "Nothing may be owed below 0: cut the negative part off": gap,
        "Nothing may be owed below 0: cut the negative part off, then divide": gap / owed.sum(),
        "An absolute value counts what was drafted too often as owed": abs(gap) / abs(gap).sum(),
        "That is the target itself: it pays again for what is kept already": target,
        "That is the draft itself: it proposes what was just refused": draft,
        "A softmax changes the proportions: divide by the sum": np.exp(owed) / np.exp(owed).sum(),
    }
    if kept > 0:
        wrong["You divided by the mass that is kept: divide by the mass that is owed"] = owed / kept
    return wrong


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
    return f"emits the target's law and keeps α of the drafts ({report.covered}){remark}"


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
    if not is_same(emitted, target):
        return f"what comes out has law {show(emitted)}, it should be {show(target)}"
    lie = next((o for o in law if o.accepted and o.token != o.drafted), None)
    if lie:
        return (
            f"token {lie.drafted} was drafted and {lie.token} comes out, yet the second value says "
            "that the draft was kept"
        )
    kept, most = accepted_mass(law), laws.overlap(target, draft)
    if not is_same(kept, most):
        return (
            f"the right law comes out, but by the second value {show(kept)} of the drafts "
            f"are kept, and the overlap is {show(most)}"
        )


def _known_mistake(law, target, draft):
    for mistake, wrong in MISTAKES.items():
        if distance(law, verdict_law(wrong, (target, draft), draft, "")) < SMALL:
            return f"{mistake}. "
    return ""


def _where(target, draft):
    return f"target {show(target)}, draft {show(draft)}"


def _wrong(chance, fallback):
    """The verifier that keeps a token with ``chance(p, q)``, else draws from ``fallback``."""

    def verify(target, draft, token, rng):
        if rng.random() < chance(target[token], draft[token]):
            return token, True
        return laws.draw(fallback(target, draft), rng), False

    return verify


def _one_coin(target, draft, token, rng):
    coin = rng.random()
    if coin * draft[token] < target[token]:
        return token, True
    return int(np.searchsorted(laws.residual(target, draft).cumsum(), coin, side="right")), False


def _ratio(p, q):
    return min(1, p / q)


def _certain(scores):
    return np.eye(len(scores), dtype=int)[int(np.argmax(scores))]


MISTAKES = {
    "Every draft is kept, so the draft's law comes out": _wrong(lambda p, q: 1, laws.residual),
    "The ratio is upside down: keep with chance min(1, p/q)": _wrong(
        lambda p, q: min(1, q / p) if p else 1, laws.residual
    ),
    "Keeping a token whenever p ≥ q, and only then, forgets the coin": _wrong(
        lambda p, q: p >= q, laws.residual
    ),
    "You compare the coin with p; compare it with p/q": _wrong(lambda p, q: p, laws.residual),
    "After a rejection you draw from the target, which pays again for what is kept": _wrong(
        _ratio, lambda target, draft: target
    ),
    "After a rejection you draw from the draft, whose surplus was just refused": _wrong(
        _ratio, lambda target, draft: draft
    ),
    "After a rejection you draw from the surplus, residual(draft, target)": _wrong(
        _ratio, lambda target, draft: laws.residual(draft, target)
    ),
    "After a rejection you take the likeliest token; draw from the residual": _wrong(
        _ratio, lambda target, draft: _certain(laws.residual(target, draft))
    ),
    "After a rejection you draw evenly; draw from the residual": _wrong(
        _ratio, lambda target, draft: np.array([Fraction(1, len(target))] * len(target))
    ),
    "The coin that refused the draft draws the new token too; toss another": _one_coin,
}


# Exercise 3: a rule that keeps less


@exercise("the fallback of a frugal rule")
def frugal_fallback(expression):
    """Expression in p, q, s, alpha for what comes after a rejection, judged by its values."""
    values = [(point, _value(expression, point)) for point in GRID]
    for point, yours in values:
        if not is_same(yours, _frugal(*point)):
            same = [
                m for m, f in WRONG_FALLBACKS.items() if all(is_same(y, f(*g)) for g, y in values)
            ]
            at = ", ".join(f"{n} = {show(v)}" for n, v in zip(("p", "q", "s", "alpha"), point))
            raise Wrong(
                f"{same[0] + '. ' if same else ''}At {at}: yours is {show(yours)}, "
                f"it should be {show(_frugal(*point))}"
            )
    return f"equal to ours at all {len(GRID)} points"


SHARES = [Fraction(n, 10) for n in (2, 4, 5, 8)]
GRID = list(
    product(SHARES, SHARES, (Fraction(1, 4), Fraction(1, 2), 1), (Fraction(1, 3), Fraction(7, 10)))
)


def _frugal(p, q, s, alpha):
    return (p - s * min(p, q)) / (1 - s * alpha)


WRONG_FALLBACKS = {
    "That is the residual of the rule that keeps all it can; this one owes more": (
        lambda p, q, s, alpha: max(p - q, 0) / (1 - alpha)
    ),
    "The rejected mass is right; owed is p minus what this rule keeps": (
        lambda p, q, s, alpha: max(p - q, 0) / (1 - s * alpha)
    ),
    "What is owed is right; divide it by the mass that this rule rejects": (
        lambda p, q, s, alpha: (p - s * min(p, q)) / (1 - alpha)
    ),
    "What is owed is right; divide it by the rejected mass to make a law of it": (
        lambda p, q, s, alpha: p - s * min(p, q)
    ),
    "That is the target, which pays again for what is kept": lambda p, q, s, alpha: p,
    "A token is kept with mass s·Min(p, q), which is not Min(p, s·q)": (
        lambda p, q, s, alpha: max(p - s * q, 0) / (1 - s * alpha)
    ),
}


def _value(expression, point):
    """The answer at one point; symbols are known by their names."""
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
        raise Wrong(
            f"its law is not {show(published)}: take each token x, and ask what r(x) is "
            "wherever 1 − a(x) is not 0"
        )
    compare(after_rejection, _after_rejection, PAIRS.values(), hint=_rejection_hint)
    return f"it loses all that is rejected; your term brings it back, on {len(PAIRS)} pairs"


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
