"""Known mistakes of notebook 01: what each one would answer, and the sentence that names it."""

from fractions import Fraction

import numpy as np

from specnotes import laws

# Exercise 1: the residual


def wrong_residuals(target, draft):
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


VERIFIERS = {
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

FALLBACKS = {
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
    "A token is kept with mass s·Min(p, q); s·q is more than that where q is above p": (
        lambda p, q, s, alpha: (p - s * q) / (1 - s * alpha)
    ),
    "The residual of all that is owed is only scaled; owed is p minus what this rule keeps": (
        lambda p, q, s, alpha: s * max(p - q, 0) / (1 - s * alpha)
    ),
}
