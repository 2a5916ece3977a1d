"""Dishonest scouts: the tokens do not come from the laws that are handed to the verifier."""

from fractions import Fraction as F

import numpy as np

from specnotes.broken.exhibit import CONTEXT, DRAFT, JOINT, ONE_TOKEN, exhibit
from specnotes.broken.reused_coins import at
from specnotes.broken.toys import BASE, SECOND, Toy, rows
from specnotes.laws import draw

base = Toy("base", *BASE)
TURNING = Toy(
    "contexts, two drafted", rows((4, 1), (9, 11), (1, 3)), rows((1, 1), (2, 1), (1, 4)), length=2
)


def roll(model, prefix, draft_length, pick):
    """Draft token by token with ``pick(law)``.  -> (tokens, laws)"""
    tokens, laws = (), []
    for _ in range(draft_length):
        laws.append(model.next_law(prefix + tokens))
        tokens += (int(pick(laws[-1])),)
    return tokens, np.stack(laws)


@exhibit(
    "argmax draft, soft law",
    DRAFT,
    base,
    ONE_TOKEN,
    F(3, 10),
    "Hugging Face Transformers, fixed in pull request 33534: more matches, another law",
)
def argmax_draft(model, prefix, draft_length, rng):
    """Drafts the likeliest token and reports the law it would have been drawn from."""
    return roll(model, prefix, draft_length, np.argmax)


@exhibit("sharpened draft, soft law", DRAFT, base, ONE_TOKEN, F(6, 95))
def sharpened_draft(model, prefix, draft_length, rng):
    """Drafts at temperature 1/2 and reports the law at temperature 1."""
    return roll(model, prefix, draft_length, lambda q: draw(q**2 / (q**2).sum(), rng))


@exhibit("truncated draft, whole law", DRAFT, base, ONE_TOKEN, F(1, 8))
def truncated_draft(model, prefix, draft_length, rng):
    """Drafts without the least likely token and reports the law with it."""

    def pick(q):
        left = q.copy()
        left[np.argmin(q)] = 0
        return draw(left / left.sum() if left.any() else q, rng)

    return roll(model, prefix, draft_length, pick)


@exhibit("better of two drafts", DRAFT, base, ONE_TOKEN, F(1, 10))
def better_of_two(model, prefix, draft_length, rng):
    """Draws two candidates and drafts the likelier one."""
    return roll(
        model, prefix, draft_length, lambda q: max(draw(q, rng), draw(q, rng), key=lambda x: q[x])
    )


@exhibit("seen token dropped", DRAFT, base, ONE_TOKEN, F(1, 10))
def seen_token_dropped(model, prefix, draft_length, rng):
    """Stops drafting at a token with q < 3/10 and drops it: the choice depends on what it saw."""
    tokens, laws = roll(model, prefix, draft_length, lambda q: draw(q, rng))
    for i, token in enumerate(tokens):
        if laws[i][token] < F(3, 10):
            return tokens[:i], laws[:i]
    return tokens, laws


@exhibit("unlikely draft drawn again", DRAFT, base, ONE_TOKEN, F(1, 10))
def unlikely_drawn_again(model, prefix, draft_length, rng):
    """Draws again, once, if the token has q < 3/10."""

    def pick(q):
        token = draw(q, rng)
        return draw(q, rng) if q[token] < F(3, 10) else token

    return roll(model, prefix, draft_length, pick)


@exhibit("no token twice", DRAFT, Toy("second, two drafted", *SECOND, length=2), JOINT, F(27, 280))
def no_token_twice(model, prefix, draft_length, rng):
    """Drafts without repeating a token of the block and reports laws that allow it."""
    seen = set()

    def pick(q):
        left = np.array([0 * x if token in seen else x for token, x in enumerate(q)])
        token = draw(left / left.sum() if left.any() else q, rng)
        seen.add(token)
        return token

    return roll(model, prefix, draft_length, pick)


@exhibit(
    "one coin for the whole draft",
    DRAFT,
    Toy("base, two drafted", *BASE, length=2),
    JOINT,
    F(37, 100),
)
def one_coin_draft(model, prefix, draft_length, rng):
    """Draws every token of the block with the same coin, as if they were independent."""
    coin = rng.random()
    return roll(model, prefix, draft_length, lambda q: at(coin, q))


@exhibit("laws of the next position", DRAFT, TURNING, CONTEXT, F(103, 1200))
def laws_shifted(model, prefix, draft_length, rng):
    """Reports the laws after the tokens instead of those before them."""
    tokens, _ = roll(model, prefix, draft_length, lambda q: draw(q, rng))
    return tokens, model.score(prefix, tokens)[1:]


@exhibit("drafted in ignorance, scored in context", DRAFT, TURNING, CONTEXT, F(9, 80))
def drafted_in_ignorance(model, prefix, draft_length, rng):
    """Draws all tokens from the first law and reports the laws in context."""
    first = model.next_law(prefix)
    tokens = tuple(draw(first, rng) for _ in range(draft_length))
    return tokens, model.score(prefix, tokens)[:-1]


@exhibit("drafted in context, scored in ignorance", DRAFT, TURNING, CONTEXT, F(21, 200))
def scored_in_ignorance(model, prefix, draft_length, rng):
    """Draws in context and reports the first law for every position."""
    tokens, laws = roll(model, prefix, draft_length, lambda q: draw(q, rng))
    return tokens, np.stack([laws[0]] * draft_length)
