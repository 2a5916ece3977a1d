"""Innocent look-alikes: they seem wrong, and are right.  Most keep fewer drafted tokens."""

import numpy as np

from specnotes.broken.exhibit import BLOCK, DECODER, DRAFT, MODEL, NOTHING, TOKEN, exhibit
from specnotes.broken.scouts import roll
from specnotes.broken.steps import SQUARE
from specnotes.broken.toys import BASE, Toy, law
from specnotes.decode import sample
from specnotes.laws import draw
from specnotes.models import transformed

base = Toy("base", *BASE)
PEAKED = Toy("a sure target", law(6, 2, 1, 1), law(14, 4, 1, 1))


@exhibit(
    "accept if equal",
    TOKEN,
    base,
    NOTHING,
    0,
    "called biased by one project and exact by another",
)
def accept_if_equal(target, draft, token, rng):
    """Emits the target's own sample; the draft only decides whether it counts as accepted."""
    own = draw(target, rng)
    return own, own == token


@exhibit("draft ignored", BLOCK, base, NOTHING)
def draft_ignored(target_laws, draft_laws, tokens, rng):
    """Rejects everything and samples from the target: plain decoding at a higher price."""
    return 0, draw(target_laws[0], rng)


@exhibit("accept if equal, whole block", BLOCK, base, NOTHING)
def accept_if_equal_block(target_laws, draft_laws, tokens, rng):
    """Samples from each target law in turn, until the sample is not the drafted token."""
    for i, token in enumerate(tokens):
        own = draw(target_laws[i], rng)
        if own != token:
            return i, own
    return len(tokens), draw(target_laws[-1], rng)


@exhibit("plain decoding", DECODER, base, NOTHING)
def plain_decoding(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    """Never looks at the draft."""
    return sample(target, prefix, n_tokens, rng, stop)


@exhibit(
    "one-hot draft",
    DRAFT,
    PEAKED,
    NOTHING,
    0,
    "how several engines treat an argmax draft: q = 1 looks wrong",
)
def one_hot_draft(model, prefix, draft_length, rng):
    """Drafts the likeliest token and reports it as certain, which it was."""
    tokens, laws = roll(model, prefix, draft_length, np.argmax)
    return tokens, np.eye(laws.shape[-1], dtype=int)[list(tokens)]


@exhibit("one-hot law of a sampled token", DRAFT, base, NOTHING)
def one_hot_of_sampled(model, prefix, draft_length, rng):
    """Samples the draft and reports each token as certain: right for any token, hence for all."""
    tokens, laws = roll(model, prefix, draft_length, lambda q: draw(q, rng))
    return tokens, np.eye(laws.shape[-1], dtype=int)[list(tokens)]


@exhibit("draft without context", DRAFT, base, NOTHING)
def draft_without_context(model, prefix, draft_length, rng):
    """Drafts all tokens from the first law, and says so."""
    first = model.next_law(prefix)
    tokens = tuple(draw(first, rng) for _ in range(draft_length))
    return tokens, np.stack([first] * draft_length)


@exhibit("stops after an unlikely token", DRAFT, base, NOTHING)
def stops_after_unlikely(model, prefix, draft_length, rng):
    """Stops drafting at a token below the even share, and keeps the one it has seen."""
    tokens, laws = roll(model, prefix, draft_length, lambda q: draw(q, rng))
    for i, token in enumerate(tokens):
        if laws[i][token] * laws.shape[-1] < 1:
            return tokens[: i + 1], laws[: i + 1]
    return tokens, laws


@exhibit("length by a coin", DRAFT, base, NOTHING)
def length_by_coin(model, prefix, draft_length, rng):
    """Tosses a coin, before it drafts, for whether to draft one token or all."""
    length = draft_length if rng.integers(2) else 1
    return roll(model, prefix, length, lambda q: draw(q, rng))


@exhibit("step on the target only", MODEL, Toy("temperature", *BASE, step=SQUARE), NOTHING)
def step_on_target_only(target, draft, step):
    """Leaves the draft raw: any honest draft will do, it is only kept less often (or more)."""
    return transformed(target, step), draft
