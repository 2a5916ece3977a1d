"""The checks of notebook 01 accept right answers of several looks and refuse the mistakes."""

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp

from specnotes import checks, laws, verify
from specnotes.audit.cases import BASE, PAIRS
from specnotes.checks.one_token_mistakes import VERIFIERS
from specnotes.checks.verdicts import verdict_law


def refused(result, hint):
    assert result.attempted and not result.ok
    assert hint in result.message, result.message


# The residual


def with_lists(target, draft):
    owed = [max(p - q, 0) for p, q in zip(target, draft)]
    return [x / sum(owed) for x in owed] if sum(owed) else list(target)


def in_floats(target, draft):
    owed = np.clip(target.astype(float) - draft.astype(float), 0, None)
    return owed / owed.sum() if owed.sum() > 0 else target.astype(float)


def by_the_shared_mass(target, draft):
    shared = np.minimum(target, draft)
    return target if shared.sum() == 1 else (target - shared) / (1 - shared.sum())


def warned_of_zero(target, draft):
    owed = np.maximum(target - draft, 0)
    return np.where(owed.sum() > 0, owed / owed.sum(), target)


def with_isclose(target, draft):  # takes no fractions
    if np.isclose(target, draft, rtol=0, atol=1e-15).all():
        return target
    owed = np.maximum(target - draft, 0)
    return owed / owed.sum()


@pytest.mark.parametrize(
    "function",
    [
        laws.residual,
        with_lists,
        in_floats,
        by_the_shared_mass,
        warned_of_zero,
        with_isclose,
        lambda p, q: (p + abs(p - q) - q) / abs(p - q).sum() if (p != q).any() else p,
    ],
)
def test_any_right_residual_is_accepted(function, recwarn):
    result = checks.residual(function)
    assert result.ok, result.message
    assert len(recwarn) == 0


def owed(target, draft):
    return np.maximum(target - draft, 0)


def above(tolerance):
    return lambda p, q: owed(p, q) / owed(p, q).sum() if owed(p, q).sum() > tolerance else p


def in_place(target, draft):
    target -= draft
    return np.maximum(target, 0)


P, Q = BASE


def of_base(target, draft):
    return owed(P, Q) / owed(P, Q).sum()


def or_else(fallback):
    """The residual, with something else where nothing is owed."""
    return lambda p, q: owed(p, q) / owed(p, q).sum() if owed(p, q).sum() else fallback(p)


@pytest.mark.parametrize(
    ("function", "hint"),
    [
        (owed, "divide it by its sum"),
        (lambda p, q: owed(q, p) / owed(q, p).sum(), "You took target from draft"),
        (lambda p, q: p - q, "cut the negative part off"),
        (lambda p, q: (p - q) / owed(p, q).sum(), "cut the negative part off, then divide"),
        (lambda p, q: abs(p - q) / abs(p - q).sum(), "absolute value"),
        (lambda p, q: p, "pays again for what is kept"),
        (lambda p, q: q, "proposes what was just refused"),
        (lambda p, q: owed(p, q) / np.minimum(p, q).sum(), "divide by the mass that is owed"),
        (
            lambda p, q: np.exp(owed(p, q).astype(float)) / np.exp(owed(p, q).astype(float)).sum(),
            "softmax",
        ),
        (lambda p, q: owed(p, q) / owed(p, q).sum(), "gives NaN"),
        (lambda p, q: owed(p, q).astype(float) / owed(p, q).sum(), "gives NaN"),
        (lambda p, q: owed(p, q) / max(owed(p, q).sum(), 1e-12), "no law"),
        (lambda p, q: owed(p, q) / (owed(p, q).sum() + 1e-12), "yours is (0.999999999997, 0, 0)"),
        (lambda p, q: owed(p, q) / (owed(p, q).sum() + 1e-12), "Add nothing to the sum"),
        (above(1e-9), "Compare the sum with 0, no tolerance"),
        (in_place, "changes its input, which is read-only; work on a copy"),
        (of_base, "Your function reads P and Q from outside: use its arguments"),
        (or_else(lambda p: np.full(len(p), Fraction(1, len(p)))), "An even law"),
        (or_else(lambda p: np.eye(len(p), dtype=int)[p.argmax()]), "likeliest token alone"),
        (lambda p, q: owed(p, q).sum(), "one number for each"),
        (lambda p, q: None, "one number for each"),
        (lambda p, q: p.sort(), "read-only"),
        (lambda p: p, "raised TypeError"),
        (lambda p, q: np.array([1, 0, 0]), "it should be (0, 3/4, 1/4)"),
    ],
)
def test_a_wrong_residual_is_refused_with_its_reason(function, hint):
    refused(checks.residual(function), hint)


def test_a_residual_of_other_laws_is_not_taken_for_a_mistake_of_sign():
    assert "You took target from draft" not in checks.residual(of_base).message


# The verifier


def with_a_ratio(target, draft, token, rng):
    if rng.random() < min(1, target[token] / draft[token]):
        return token, True
    return rng.choice(len(target), p=laws.residual(target, draft)), False


def refusing_first(target, draft, token, rng):
    if rng.random() >= target[token] / draft[token]:
        owed = [max(p - q, 0) for p, q in zip(target, draft)]
        u = rng.random() * sum(owed)
        for x, mass in enumerate(owed):
            if u < mass:
                return x, 0
            u = u - mass
    return np.int64(token), 1


def with_logarithms(target, draft, token, rng):
    with np.errstate(divide="ignore"):
        gain = np.log(float(target[token])) - np.log(float(draft[token]))
    if np.log(rng.random()) < gain:
        return token, np.True_
    return int(np.searchsorted(laws.residual(target, draft).cumsum(), rng.random(), "right")), False


def by_its_row_of_the_kernel(target, draft, token, rng):
    """One draw for both questions: keep, or which other token."""
    emitted = rng.choice(len(target), p=verify.token_kernel(target, draft)[token])
    return emitted, emitted == token


def in_lists_of_floats(target, draft, token, rng):
    p, q = [float(x) for x in target], [float(x) for x in draft]
    if p[token] >= q[token] or rng.random() < p[token] / q[token]:
        return [token, True]
    owed = [max(a - b, 0) for a, b in zip(p, q)]
    return [rng.choice(range(len(p)), p=[x / sum(owed) for x in owed]), False]


def until_owed(target, draft, token, rng):
    """Rejection sampling: a loop without bound."""
    if rng.random() * draft[token] < target[token]:
        return token, True
    while True:
        token = laws.draw(target, rng)
        if rng.random() * target[token] < target[token] - draft[token]:
            return token, False


@pytest.mark.parametrize(
    "function",
    [
        verify.verify_token,
        until_owed,
        with_a_ratio,
        refusing_first,
        with_logarithms,
        by_its_row_of_the_kernel,
        in_lists_of_floats,
    ],
)
def test_any_right_verifier_is_accepted(function):
    result = checks.verify_token(function)
    assert result.ok, result.message


def keeps_at_the_boundary(target, draft, token, rng):
    if rng.random() * draft[token] <= target[token]:
        return token, True
    return laws.draw(laws.residual(target, draft), rng), False


def blind_to_rounding(target, draft, token, rng):
    """Right on all pairs that are not within a rounding error of each other."""
    if rng.random() * draft[token] < target[token]:
        return token, True
    owed = np.where(target - draft > 1e-14, target - draft, 0)
    return rng.choice(len(target), p=owed / owed.sum()), False


@pytest.mark.parametrize(
    ("function", "remark"),
    [
        (keeps_at_the_boundary, "when rng.random() gives 0.0"),
        (keeps_at_the_boundary, "Such a coin has a chance of about 2⁻⁵³"),
        (in_lists_of_floats, "division by zero"),
        (blind_to_rounding, "nan"),
    ],
)
def test_a_mistake_of_next_to_no_probability_is_a_remark(function, remark):
    result = checks.verify_token(function)
    assert result.ok and remark in result.message, result.message


OUTSIDE = np.random.default_rng(1)


def with_its_own_generator(target, draft, token, rng):
    return verify.verify_token(target, draft, token, np.random.default_rng())


def with_the_global_generator(target, draft, token, rng):
    if np.random.random() * draft[token] < target[token]:  # noqa: NPY002
        return token, True
    return laws.draw(laws.residual(target, draft), rng), False


def with_a_generator_from_outside(target, draft, token, rng):
    return verify.verify_token(target, draft, token, OUTSIDE)


def undivided(target, draft, token, rng):
    if rng.random() * draft[token] < target[token]:
        return token, True
    owed = np.maximum(target - draft, 0)
    return int(np.searchsorted(owed.cumsum(), rng.random(), side="right")), False


def undivided_choice(target, draft, token, rng):
    if rng.random() * draft[token] < target[token]:
        return token, True
    return rng.choice(len(target), p=np.maximum(target - draft, 0)), False


def not_a_number(target, draft, token, rng):
    owed = np.maximum(target - draft, 0).astype(float)
    owed = owed / owed.sum()
    if rng.random() * draft[token] < target[token] and not np.isnan(owed).any():
        return token, True
    return rng.choice(len(target), p=owed), False


def equal_to_the_targets_own(target, draft, token, rng):
    own = laws.draw(target, rng)
    return own, own == token


def flags_turned_round(target, draft, token, rng):
    token, accepted = verify.verify_token(target, draft, token, rng)
    return token, not accepted


def until_it_fits(target, draft, token, rng):
    while rng.random() > target[token] / draft[token]:
        token = rng.choice(len(draft), p=draft)
    return token, True


def until_wanted(target, draft, token, rng):
    """A loop that draws from the target's part above the draft, in the wrong proportions."""
    if rng.random() * draft[token] < target[token]:
        return token, True
    while True:
        token = laws.draw(target, rng)
        if target[token] > draft[token]:
            return token, False


def until_kept(target, draft, token, rng):
    while rng.random() * draft[token] >= target[token]:
        token = laws.draw(target, rng)
    return token, False


def token_last(target, draft, token, rng):
    return verify.verify_token(target, draft, token, rng)[::-1]


target, draft = BASE


def of_the_notebooks_laws(_target, _draft, token, rng):
    return verify.verify_token(target, draft, token, rng)


def takes_the_likeliest(target, draft, token, rng):
    token, accepted = verify.verify_token(target, draft, token, rng)
    return token if accepted else target.argmax(), accepted


def endless(target, draft, token, rng):
    while True:
        pass


@pytest.mark.parametrize(
    ("function", "hint"),
    [
        (lambda p, q, y, rng: (y, True), "Every draft is kept"),
        *((function, mistake) for mistake, function in VERIFIERS.items()),
        (with_its_own_generator, "the same coins gave two answers"),
        (with_the_global_generator, "NumPy's global generator"),
        (with_a_generator_from_outside, "OUTSIDE"),
        (until_wanted, "what comes out has"),
        (until_kept, "still to be shared out"),
        (token_last, "the token comes first, then accepted; yours is (True, 0)"),
        (of_the_notebooks_laws, "reads target and draft from outside: use its arguments"),
        (undivided, "none of the tokens"),
        (undivided_choice, "sums to 3/10"),
        (not_a_number, "0/0"),
        (equal_to_the_targets_own, "by the second value 29/100 of the drafts"),
        (flags_turned_round, "yet the second value says"),
        (lambda p, q, y, rng: verify.verify_token(p, q, y, rng)[0], "return (token, accepted)"),
        (lambda p, q, y, rng: (0.5, True), "none of the tokens"),
        (lambda p, q, y, rng: (np.nan, True), "(token, accepted)"),
        (lambda p, q, y, rng: (laws.draw(p, rng), False), "by the second value 0 of the drafts"),
        (until_it_fits, "what comes out has at least the chances (0.285714, 0.428571, 0.285714)"),
        (lambda p, q: 0, "raised TypeError"),
        (takes_the_likeliest, "you take the likeliest token"),
    ],
)
def test_a_wrong_verifier_is_refused_with_its_reason(function, hint):
    refused(checks.verify_token(function), hint)


def test_an_endless_loop_is_stopped(monkeypatch):
    monkeypatch.setattr("specnotes.audit.run.SECONDS", 0.3)
    refused(checks.verify_token(endless), "endless loop")


@pytest.mark.parametrize("mistake", VERIFIERS)
def test_each_known_mistake_is_known_apart_from_the_right_rule_and_the_others(mistake):
    def laws_of(function):
        pairs = [pair for pair in PAIRS.values() if (pair[1] > 0).all()]
        return [verdict_law(function, pair, pair[1], "") for pair in pairs]

    others = [verify.verify_token, *(f for m, f in VERIFIERS.items() if m != mistake)]
    assert all(laws_of(VERIFIERS[mistake]) != laws_of(other) for other in others)


# A rule that keeps less, in SymPy

p, q, s, alpha = sp.symbols("p q s alpha", positive=True)
RIGHT = (p - s * sp.Min(p, q)) / (1 - s * alpha)


@pytest.mark.parametrize(
    "expression",
    [
        RIGHT,
        (sp.Max(p - q, 0) + (1 - s) * sp.Min(p, q)) / (1 - s * alpha),
        (p - s * q * sp.Min(1, p / q)) / (1 - s * alpha),
        RIGHT.rewrite(sp.Abs),
        RIGHT.rewrite(sp.Piecewise),
        sp.simplify(RIGHT),
        sp.Piecewise((p * (1 - s), p < q), (p - s * q, True)) / (1 - s * alpha),
        RIGHT.subs({p: sp.Symbol("p"), alpha: sp.Symbol("alpha")}),
        (p - s * sp.Min(p, q)) / (1.0 - s * alpha),
        lambda p, q, s, alpha: (p - s * min(p, q)) / (1 - s * alpha),
        lambda p, q, s, alpha: float((p - s * min(p, q)) / (1 - s * alpha)),
    ],
)
def test_any_equivalent_derivation_is_accepted(expression):
    result = checks.frugal_fallback(expression)
    assert result.ok, result.message


@pytest.mark.parametrize(
    ("expression", "hint"),
    [
        (sp.Max(p - q, 0) / (1 - alpha), "the rule that keeps all it can"),
        (sp.Max(p - q, 0) / (1 - s * alpha), "owed is p minus what this rule keeps"),
        ((p - s * sp.Min(p, q)) / (1 - alpha), "divide it by the mass that this rule rejects"),
        (p - s * sp.Min(p, q), "to make a law of it"),
        (p, "pays again"),
        (sp.Max(p - s * q, 0) / (1 - s * alpha), "which is not Min(p, s·q)"),
        (RIGHT + sp.Symbol("x"), "contains x"),
        (sp.oo, "yours is inf"),
        (sp.nan, "yours is nan"),
        (1, "yours is 1"),
        ("p", "'p' is a string; write an expression"),
        ((p - s * q) / (1 - s * alpha), "s·q is more than that where q is above p"),
        (s * sp.Max(p - q, 0) / (1 - s * alpha), "only scaled"),
    ],
)
def test_a_wrong_derivation_is_refused_with_its_reason(expression, hint):
    refused(checks.frugal_fallback(expression), hint)


# The published proof

SECOND_TERM = laws.residual  # of the right proof, before it is weighed


def weighed(target, draft):
    return (1 - laws.overlap(target, draft)) * laws.residual(target, draft)


def summed_over_all_drafts(target, draft):
    refused = [q * (1 - min(1, p / q)) if q else 0 for p, q in zip(target, draft)]
    return [sum(refused) * float(r) for r in laws.residual(target, draft)]


@pytest.mark.parametrize(
    ("published", "after"),
    [
        (np.minimum(*BASE), weighed),
        ([0.2, 0.3, 0.2], summed_over_all_drafts),
        ((Fraction(1, 5), 0.3, 0.2), owed),
        ([Fraction(2, 10), Fraction(3, 10), Fraction(2, 10)], lambda p, q: p - np.minimum(p, q)),
    ],
)
def test_any_right_repair_of_the_proof_is_accepted(published, after):
    result = checks.published_proof(published, after)
    assert result.ok, result.message


@pytest.mark.parametrize(
    ("published", "after", "hint"),
    [
        (BASE[0], weighed, "what the proof claims"),
        ([0.5, 0.3, 0.2], weighed, "what the proof claims"),
        (BASE[1], weighed, "what r(x) is"),
        ([0, 0, 0], weighed, "what r(x) is"),
        (0.7, weighed, "what r(x) is"),
        ([2, 3, 2], weighed, "these are tenths"),
        ([20, 30, 20], weighed, "these are percents"),
        ([2 / 7, 3 / 7, 2 / 7], weighed, "do not divide by the sum"),
        (np.minimum(*BASE), lambda p, q: 0 * p, "published term again"),
        (np.minimum(*BASE), lambda p, q: q - np.minimum(p, q), "where does it go"),
        (np.minimum(*BASE), laws.residual, "only after a rejection"),
        (np.minimum(*BASE), lambda p, q: (1 - laws.overlap(p, q)) * p, "wrong fallback"),
        (np.minimum(*BASE), lambda p, q: p, "second term alone"),
        (np.minimum(*BASE), lambda p, q: None, "it should be"),
    ],
)
def test_a_wrong_repair_of_the_proof_is_refused_with_its_reason(published, after, hint):
    refused(checks.published_proof(published, after), hint)


def test_the_card_of_the_published_proof_answers_what_its_chances_add_up_to():
    message = checks.published_proof(np.minimum(*BASE), weighed).message
    assert "its chances add up to 7/10" in message


# Prices


def by_the_shorter_strip(target, draft):
    return draft <= target, target < draft


def shifted(target, draft):
    u, v = by_the_shorter_strip(target, draft)
    return u + Fraction(1, 3), v - Fraction(1, 3)


@pytest.mark.parametrize(
    "function",
    [
        by_the_shorter_strip,
        shifted,
        lambda p, q: (q < p, p <= q),
        lambda p, q: ([float(b < a) for a, b in zip(p, q)], [float(b >= a) for a, b in zip(p, q)]),
        lambda p, q: np.array([[b < a, b >= a] for a, b in zip(p, q)], int).T,
    ],
)
def test_any_tight_and_fair_prices_are_accepted(function):
    result = checks.no_rule_keeps_more(function)
    assert result.ok, result.message


@pytest.mark.parametrize(
    ("function", "hint"),
    [
        (lambda p, q: (q > p, q <= p), "nobody keeps more than"),
        (lambda p, q: (1 + 0 * p, 0 * p), "nobody keeps more than 1"),
        (lambda p, q: (0 * p, 0 * p), "below 1, so these prices bound nothing"),
        (lambda p, q: (p < q, p < q), "below 1"),
        (lambda p, q: (p, q), "below 1"),
        (lambda p, q: ([-1] * len(p), [2] * len(p)), "nobody keeps more than 1"),
        (lambda p, q: (5 * (p >= q), -4 * (p >= q) + (p < q)), "below 0"),
        (lambda p, q: q <= p, "two lists"),
        (lambda p, q: ([1], [0]), "two lists"),
        (lambda p, q: (np.nan * p.astype(float), 0 * p), "two lists"),
        (lambda p, q: None, "two lists"),
    ],
)
def test_unfair_or_loose_prices_are_refused_with_their_reason(function, hint):
    refused(checks.no_rule_keeps_more(function), hint)


@pytest.mark.parametrize(
    "result",
    [
        lambda: checks.residual(lambda p, q: ...),
        lambda: checks.verify_token(lambda p, q, y, rng: ...),
        lambda: checks.frugal_fallback(...),
        lambda: checks.published_proof(..., weighed),
        lambda: checks.published_proof(np.minimum(*BASE), lambda p, q: ...),
        lambda: checks.no_rule_keeps_more(lambda p, q: ...),
    ],
)
def test_an_open_answer_is_not_attempted(result):
    assert not result().attempted and not result().ok
