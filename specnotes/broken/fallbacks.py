"""Wrong replacements: the test is right, the token after a rejection has the wrong law."""

from fractions import Fraction as F
from math import exp

import numpy as np

from specnotes.broken.exhibit import (
    INPUTS,
    ONE_TOKEN,
    ROUNDING,
    TEACHING,
    TOKEN,
    exhibit,
)
from specnotes.broken.toys import BASE, SECOND, Toy, law
from specnotes.laws import draw, overlap, residual

base, second = Toy("base", *BASE), Toy("second", *SECOND)
NEARLY_EQUAL = Toy(
    "equal up to rounding", np.array([0.5, 0.5, 0.0]), np.array([0.5, 0.5 + 2**-53, 0.0])
)


def kept(target, draft, token, rng):
    return rng.random() * draft[token] < target[token]


@exhibit(
    "wrong fallback",
    TOKEN,
    second,
    ONE_TOKEN,
    F(3, 50),
    "asked in public (why not?), and shown as right in several teaching notebooks",
)
def wrong_fallback(target, draft, token, rng):
    """Samples from the target after a rejection: pays twice for what the draft had covered."""
    if kept(target, draft, token, rng):
        return token, True
    return draw(target, rng), False


@exhibit("fallback to the draft", TOKEN, base, ONE_TOKEN, F(6, 25))
def fallback_to_draft(target, draft, token, rng):
    """Draws another token from the draft after a rejection, and keeps it untested."""
    if kept(target, draft, token, rng):
        return token, True
    return draw(draft, rng), False


@exhibit("second chance", TOKEN, second, ONE_TOKEN, F(3, 50))
def second_chance(target, draft, token, rng):
    """Lets the draft try once more before it falls back to the residual."""
    if kept(target, draft, token, rng):
        return token, True
    again = draw(draft, rng)
    if kept(target, draft, again, rng):
        return again, False
    return draw(residual(target, draft), rng), False


@exhibit("absolute difference", TOKEN, base, ONE_TOKEN, F(3, 20))
def absolute_difference(target, draft, token, rng):
    """Residual ∝ |p − q|: also owes what was over-proposed."""
    if kept(target, draft, token, rng):
        return token, True
    owed = np.abs(target - draft)
    return draw(owed / owed.sum(), rng), False


@exhibit("residual upside down", TOKEN, base, ONE_TOKEN, F(3, 10))
def residual_upside_down(target, draft, token, rng):
    """Residual ∝ (q − p)₊: returns what was just taken away."""
    if kept(target, draft, token, rng):
        return token, True
    return draw(residual(draft, target), rng), False


@exhibit(
    "softmax of the residual",
    TOKEN,
    base,
    ONE_TOKEN,
    0.3 - 0.3 * exp(0.3) / (exp(0.3) + 2),
    "Hugging Face Transformers, fixed in pull request 28508: easily done, both make a law",
)
def softmax_residual(target, draft, token, rng):
    """Normalises the residual by softmax instead of by its sum: nothing stays at zero."""
    if kept(target, draft, token, rng):
        return token, True
    weights = np.exp(np.maximum(target - draft, 0).astype(float))
    return rng.choice(len(target), p=weights / weights.sum()), False


@exhibit("residual not normalised", TOKEN, base, ONE_TOKEN, F(21, 100))
def residual_not_normalised(target, draft, token, rng):
    """Forgets to divide by 1 − α: the last token gets all that is missing."""
    if kept(target, draft, token, rng):
        return token, True
    return draw_or_last(np.maximum(target - draft, 0), rng), False


@exhibit("residual divided by α", TOKEN, base, ONE_TOKEN, F(6, 35))
def residual_divided_by_overlap(target, draft, token, rng):
    """Divides the residual by the mass that was accepted, not by the mass that was not."""
    if kept(target, draft, token, rng):
        return token, True
    return draw_or_last(np.maximum(target - draft, 0) / overlap(target, draft), rng), False


def draw_or_last(weights, rng):
    """Inverse CDF that ends on the last token, whatever the weights sum to."""
    past = rng.random() >= np.cumsum(weights)
    return min(int(past.sum()), len(weights) - 1)


@exhibit("drafted token removed", TOKEN, second, ONE_TOKEN, F(1, 30))
def drafted_token_removed(target, draft, token, rng):
    """Samples from the target without the rejected token: right only for a one-hot draft."""
    if kept(target, draft, token, rng):
        return token, True
    left = target.copy()
    left[token] = 0
    return draw(left / left.sum(), rng), False


@exhibit("residual p·(1 − q)", TOKEN, base, ONE_TOKEN, F(93, 710))
def residual_as_product(target, draft, token, rng):
    """Residual ∝ p(1 − q), as if target and draft were independent."""
    if kept(target, draft, token, rng):
        return token, True
    owed = target * (1 - draft)
    return draw(owed / owed.sum(), rng), False


@exhibit("residual of the ratio", TOKEN, second, ONE_TOKEN, F(1, 30))
def residual_of_ratio(target, draft, token, rng):
    """Residual ∝ (p/q − 1)₊: forgets to multiply by q again."""
    if kept(target, draft, token, rng):
        return token, True
    proposed = draft > 0
    ratio = target / np.where(proposed, draft, 1)
    owed = np.maximum(np.where(proposed, ratio - 1, target), 0)
    return draw(owed / owed.sum(), rng), False


@exhibit("sharpened residual", TOKEN, second, ONE_TOKEN, F(3, 50))
def sharpened_residual(target, draft, token, rng):
    """Applies the temperature once more, to the residual."""
    if kept(target, draft, token, rng):
        return token, True
    owed = residual(target, draft) ** 2
    return draw(owed / owed.sum(), rng), False


@exhibit("likeliest of the residual", TOKEN, second, ONE_TOKEN, F(1, 10))
def likeliest_of_residual(target, draft, token, rng):
    """Takes the argmax of the residual instead of a draw."""
    if kept(target, draft, token, rng):
        return token, True
    return int(np.argmax(target - draft)), False


@exhibit("likeliest of the target", TOKEN, second, ONE_TOKEN, F(1, 10))
def likeliest_of_target(target, draft, token, rng):
    """Takes the target's argmax after a rejection: the greedy repair, while sampling."""
    if kept(target, draft, token, rng):
        return token, True
    return int(np.argmax(target)), False


@exhibit("even over what is owed", TOKEN, second, ONE_TOKEN, F(1, 10))
def even_over_owed(target, draft, token, rng):
    """Draws evenly among the tokens with p > q: forgets how much each is owed."""
    if kept(target, draft, token, rng):
        return token, True
    return int(rng.choice(np.flatnonzero(target > draft))), False


@exhibit("rejected and kept", TOKEN, base, ONE_TOKEN, F(3, 10))
def rejected_and_kept(target, draft, token, rng):
    """Rejects on paper, and still emits the drafted token."""
    return token, kept(target, draft, token, rng)


@exhibit(
    "0/0",
    TOKEN,
    NEARLY_EQUAL,
    ROUNDING,
    0,
    TEACHING + " and production engines: a NaN, or a request that never ends",
)
def zero_over_zero(target, draft, token, rng):
    """Divides by the residual's sum without asking whether it is 0."""
    if kept(target, draft, token, rng):
        return token, True
    owed = np.maximum(target - draft, 0)
    return rng.choice(len(target), p=owed / owed.sum()), False


@exhibit(
    "NaN past the guard",
    TOKEN,
    Toy("a token of mass zero in both", law(0, 2, 1), law(0, 1, 2)),
    ONE_TOKEN,
    0,
    TEACHING,
)
def nan_past_the_guard(target, draft, token, rng):
    """Computes q·(p/q − 1)₊: 0/0 is NaN, and NaN ≤ 0 is false, so the guard lets it pass."""
    if kept(target, draft, token, rng):
        return token, True
    owed = draft * np.maximum(target / draft - 1, 0)
    if owed.sum() <= 0:
        return draw(target, rng), False
    return rng.choice(len(target), p=owed / owed.sum()), False


@exhibit("even if nothing is owed", TOKEN, NEARLY_EQUAL, ROUNDING, 0, TEACHING)
def even_if_nothing_owed(target, draft, token, rng):
    """Draws evenly where the residual is empty: the right limit is the target."""
    if kept(target, draft, token, rng):
        return token, True
    owed = np.maximum(target - draft, 0)
    owed = owed / owed.sum() if owed.sum() > 0 else np.ones(len(owed)) / len(owed)
    return rng.choice(len(target), p=owed), False


@exhibit("residual written into the target", TOKEN, base, INPUTS)
def residual_in_place(target, draft, token, rng):
    """Computes the residual in the array it was handed: the caller's target law is gone."""
    if kept(target, draft, token, rng):
        return token, True
    target -= np.minimum(target, draft)
    if not target.any():
        target += draft
    return draw(target / target.sum(), rng), False
