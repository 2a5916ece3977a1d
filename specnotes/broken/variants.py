"""The right rule, written differently: an audit that rejects one of these is itself wrong."""

import numpy as np

from specnotes.broken.exhibit import BLOCK, DECODER, MODEL, NOTHING, TOKEN, exhibit
from specnotes.broken.positions import block_thresholds
from specnotes.broken.reused_coins import at
from specnotes.broken.steps import SQUARE
from specnotes.broken.toys import BASE, SECOND, Toy
from specnotes.decode import cut_round, one_round
from specnotes.laws import draw, residual
from specnotes.models import transformed
from specnotes.verify import token_kernel

base, second = Toy("base", *BASE), Toy("second", *SECOND)
VARIANT = "a right variant"


@exhibit("in logarithms", TOKEN, base, NOTHING, 0, VARIANT)
def in_logarithms(target, draft, token, rng):
    """Compares log u with log p − log q."""
    with np.errstate(divide="ignore"):
        log_ratio = np.log(float(target[token])) - np.log(float(draft[token]))
        if np.log(rng.random()) < log_ratio:
            return token, True
    return draw(residual(target, draft), rng), False


@exhibit("ratio first", TOKEN, base, NOTHING, 0, VARIANT)
def ratio_first(target, draft, token, rng):
    """Divides, clips at 1, and rejects from the ratio on."""
    ratio = min(1, target[token] / draft[token])
    if rng.random() >= ratio:
        return draw(residual(target, draft), rng), False
    return token, True


@exhibit("residual as what is left", TOKEN, second, NOTHING, 0, VARIANT)
def what_is_left(target, draft, token, rng):
    """Takes p − min(p, q) as residual and lets the generator choose."""
    if rng.random() * draft[token] < target[token]:
        return token, True
    left = target - np.minimum(target, draft)
    law = left / left.sum() if left.sum() > 0 else target
    return int(rng.choice(len(law), p=law)), False


@exhibit("one coin, rescaled", TOKEN, second, NOTHING, 0, VARIANT)
def one_coin_rescaled(target, draft, token, rng):
    """Makes a fresh coin of the one that has rejected: (u − h) / (1 − h)."""
    coin, threshold = rng.random(), target[token] / draft[token]
    if coin < threshold:
        return token, True
    return at((coin - threshold) / (1 - threshold), residual(target, draft)), False


@exhibit("coin from the other end", TOKEN, base, NOTHING, 0, VARIANT)
def coin_from_other_end(target, draft, token, rng):
    """Tosses 1 − u."""
    if (1 - rng.random()) * draft[token] < target[token]:
        return token, True
    return draw(residual(target, draft), rng), False


@exhibit("residual by rejection", TOKEN, base, NOTHING, 0, VARIANT)
def residual_by_rejection(target, draft, token, rng):
    """Draws from p until the token passes with (1 − q/p)₊: an unbounded loop."""
    if rng.random() * draft[token] < target[token]:
        return token, True
    owed = np.maximum(target - draft, 0)
    while owed.any():
        token = draw(target, rng)
        if rng.random() * target[token] < owed[token]:
            return token, False
    return draw(target, rng), False


@exhibit("row of the kernel", TOKEN, second, NOTHING, 0, VARIANT)
def row_of_kernel(target, draft, token, rng):
    """Draws once from the kernel's row of the drafted token."""
    out = draw(token_kernel(target, draft)[token], rng)
    return out, out == token


@exhibit("vectorised", BLOCK, base, NOTHING, 0, VARIANT)
def vectorised(target_laws, draft_laws, tokens, rng):
    """Tosses all coins at once and looks for the first failure."""
    k = len(tokens)
    drafted = np.arange(k), np.asarray(tokens)
    fails = rng.random(k) * draft_laws[drafted] >= target_laws[:-1][drafted]
    i = int(np.argmax(fails)) if fails.any() else k
    law = target_laws[k] if i == k else residual(target_laws[i], draft_laws[i])
    return i, int(rng.choice(len(law), p=law))


@exhibit("recursion", BLOCK, base, NOTHING, 0, VARIANT)
def recursion(target_laws, draft_laws, tokens, rng):
    """Verifies the first token and, if it passes, the rest."""
    if len(tokens) == 0:
        return 0, draw(target_laws[0], rng)
    if rng.random() * draft_laws[0][tokens[0]] >= target_laws[0][tokens[0]]:
        return 0, draw(residual(target_laws[0], draft_laws[0]), rng)
    accepted, token = recursion(target_laws[1:], draft_laws[1:], tokens[1:], rng)
    return 1 + accepted, token


@exhibit("bonus as a residual of nothing", BLOCK, base, NOTHING, 0, VARIANT)
def bonus_as_residual(target_laws, draft_laws, tokens, rng):
    """Pads the draft with a row of zeros, so that the bonus is what is owed there: all of p."""
    padded = np.concatenate([draft_laws, 0 * target_laws[-1:]])
    i = 0
    while i < len(tokens) and rng.random() * padded[i][tokens[i]] < target_laws[i][tokens[i]]:
        i += 1
    owed = np.maximum(target_laws[i] - padded[i], 0)
    return i, draw(owed / owed.sum() if owed.any() else target_laws[i], rng)


@exhibit("block verification", BLOCK, second, NOTHING, 0, "Sun et al. 2024, algorithm 2")
def block_verification(target_laws, draft_laws, tokens, rng):
    """Keeps the longest prefix whose joint test passes; the residual is scaled by b."""
    b, h = block_thresholds(target_laws, draft_laws, tokens)
    i = max(i for i in range(len(h)) if i == 0 or rng.random() < h[i])
    if i == len(tokens):
        return i, draw(target_laws[i], rng)
    owed = np.maximum(b[i] * target_laws[i] - draft_laws[i], 0)
    return i, draw(owed / owed.sum() if owed.any() else target_laws[i], rng)


@exhibit("drafts only what fits", DECODER, base, NOTHING, 0, VARIANT)
def drafts_what_fits(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    """Shortens the last draft to the room that is left, before it drafts."""
    tokens = ()
    while len(tokens) < n_tokens and stop not in tokens:
        room = n_tokens - len(tokens)
        whole = one_round(target, draft, prefix + tokens, min(draft_length, room), rng)
        tokens += cut_round(whole, room, stop).emitted
    return list(tokens)


@exhibit("one token at a time", DECODER, base, NOTHING, 0, VARIANT)
def one_at_a_time(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    """Drafts the next token only once the last was accepted; same law, no block needed."""
    tokens, accepted = [], 0
    while len(tokens) < n_tokens and (not tokens or tokens[-1] != stop):
        p = target.next_law((*prefix, *tokens))
        if accepted == draft_length:  # the bonus token
            tokens.append(draw(p, rng))
            accepted = 0
            continue
        q = draft.next_law((*prefix, *tokens))
        token = draw(q, rng)
        kept = rng.random() * q[token] < p[token]
        tokens.append(token if kept else draw(residual(p, q), rng))
        accepted = accepted + 1 if kept else 0
    return tokens


@exhibit("step on both", MODEL, Toy("temperature", *BASE, step=SQUARE), NOTHING, 0, VARIANT)
def step_on_both(target, draft, step):
    """Sends both laws through the step."""
    return transformed(target, step), transformed(draft, step)
