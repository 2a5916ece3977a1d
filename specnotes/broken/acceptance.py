"""Wrong tests: the drafted token is kept too often, too seldom, or on the wrong grounds.

After a rejection all of these draw from the right residual.
"""

from fractions import Fraction as F

import numpy as np

from specnotes.broken.exhibit import BOUNDARY, KEPT, ONE_TOKEN, TOKEN, exhibit
from specnotes.broken.toys import BASE, SECOND, Toy, law
from specnotes.laws import draw, overlap, residual

base, second = Toy("base", *BASE), Toy("second", *SECOND)


@exhibit(
    "always accept",
    TOKEN,
    base,
    ONE_TOKEN,
    F(3, 10),
    "Hugging Face Transformers, fixed in pull request 28508: the count of matches was always full",
)
def always_accept(target, draft, token, rng):
    """Keeps every drafted token, so the draft's own law comes out."""
    return token, True


@exhibit("inverted ratio", TOKEN, second, ONE_TOKEN, F(2, 5))
def inverted_ratio(target, draft, token, rng):
    """Accepts with min(1, q/p): the ratio is upside down."""
    if rng.random() * target[token] < draft[token]:
        return token, True
    return draw(residual(target, draft), rng), False


@exhibit("accept if likelier", TOKEN, second, ONE_TOKEN, F(1, 10))
def accept_if_likelier(target, draft, token, rng):
    """Accepts whenever p ≥ q and never otherwise: no coin is tossed."""
    if target[token] >= draft[token]:
        return token, True
    return draw(residual(target, draft), rng), False


@exhibit("accept with the target's probability", TOKEN, base, ONE_TOKEN, F(31, 100))
def accept_with_target(target, draft, token, rng):
    """Accepts with probability p(x): forgets to divide by q(x)."""
    if rng.random() < target[token]:
        return token, True
    return draw(residual(target, draft), rng), False


@exhibit("accept with the draft's probability", TOKEN, base, ONE_TOKEN, F(21, 100))
def accept_with_draft(target, draft, token, rng):
    """Accepts with probability q(x): trusts the draft's confidence in itself."""
    if rng.random() < draft[token]:
        return token, True
    return draw(residual(target, draft), rng), False


@exhibit("accept relative to the target's favourite", TOKEN, base, ONE_TOKEN, F(3, 25))
def accept_relative_to_favourite(target, draft, token, rng):
    """Accepts with p(x) / max p: asks how good the token is, not how over-proposed."""
    if rng.random() * max(target) < target[token]:
        return token, True
    return draw(residual(target, draft), rng), False


@exhibit("accept only the favourite", TOKEN, base, ONE_TOKEN, F(1, 2))
def accept_only_favourite(target, draft, token, rng):
    """Accepts only the target's most likely token: the greedy test, while sampling."""
    if token == np.argmax(target):
        return token, True
    return draw(residual(target, draft), rng), False


@exhibit("accept at the average rate", TOKEN, second, ONE_TOKEN, F(1, 5))
def accept_at_average_rate(target, draft, token, rng):
    """Accepts every token with the same probability α, the average of the right ones."""
    if rng.random() < overlap(target, draft):
        return token, True
    return draw(residual(target, draft), rng), False


@exhibit("lenience left on", TOKEN, second, ONE_TOKEN, F(1, 10))
def lenience(target, draft, token, rng):
    """Accepts with min(1, 2p/q): faster by leave, but no longer the target's law."""
    if rng.random() * draft[token] < 2 * target[token]:
        return token, True
    return draw(residual(target, draft), rng), False


@exhibit("coin of one half", TOKEN, base, ONE_TOKEN, F(1, 5))
def coin_of_one_half(target, draft, token, rng):
    """Compares the ratio with 1/2 instead of with a coin."""
    if draft[token] < 2 * target[token]:
        return token, True
    return draw(residual(target, draft), rng), False


@exhibit("two coins for one test", TOKEN, base, KEPT)
def two_coins(target, draft, token, rng):
    """Tosses a second coin before it accepts, and repairs the law by drawing from what is left."""
    if rng.random() < F(1, 2) and rng.random() * draft[token] < target[token]:
        return token, True
    left = target - np.minimum(target, draft) / 2
    return draw(left / left.sum(), rng), False


@exhibit(
    "or equal",
    TOKEN,
    Toy("a token that the target never emits", law(0, 1), law(1, 1)),
    BOUNDARY,
    0,
    "SGLang, fixed in pull request 35798",
)
def or_equal(target, draft, token, rng):
    """Compares with ≤: a coin of exactly 0 accepts a token of target mass 0."""
    if rng.random() * draft[token] <= target[token]:
        return token, True
    return draw(residual(target, draft), rng), False
