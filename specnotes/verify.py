"""The verifier: keep a drafted token, or replace it by one that the target is still owed.

``verify_token`` and ``verify_block`` run with a NumPy ``Generator`` and with ``EveryCoin`` alike.
Sources: Leviathan et al. 2023, algorithm 1; Chen et al. 2023, algorithm 2 (who call the target q
and the draft p).
"""

from typing import NamedTuple

import numpy as np

from specnotes.laws import (
    accept_prob_unchecked,
    alike,
    check_law,
    check_pair,
    check_token,
    check_tokens,
    draw_unchecked,
    residual_unchecked,
)


class Verdict(NamedTuple):
    """What one target pass settles: tokens accepted, and the one that follows them."""

    accepted: int
    token: int


def verify_token(target, draft, token, rng):
    """Keep the drafted token, or replace it.  (V,), (V,), int -> (token, accepted)

    The emitted token has law ``target`` whenever the token was drawn from ``draft``.
    """
    target, draft = check_pair(target, draft)
    if target.ndim != 1 or draft.ndim != 1:
        raise ValueError(f"target and draft must be (V,), got {target.shape} and {draft.shape}")
    return _verify_token(target, draft, check_token(token, len(target)), rng)


def verify_block(target_laws, draft_laws, tokens, rng):
    """Verify drafted tokens from left to right, up to the first rejection.

    target_laws (k+1, V): the target's laws before each drafted token and after the last;
    draft_laws (k, V); tokens (k,), each drawn from its draft law.  The verdict's token replaces
    the first rejected one or, if all are accepted, is the bonus token.
    """
    return verify_block_unchecked(*_check_block(target_laws, draft_laws, tokens), rng)


def verify_block_unchecked(target_laws, draft_laws, tokens, rng):
    """``verify_block`` of arrays of one kind of number and a tuple of ints, all checked already.

    For models that answer for their laws: the checks take half of the time around a pass.
    """
    for i, token in enumerate(tokens):
        token, accepted = _verify_token(target_laws[i], draft_laws[i], token, rng)
        if not accepted:
            return Verdict(i, token)
    return Verdict(len(tokens), draw_unchecked(target_laws[-1], rng))


def token_kernel(target, draft, fallback=None):
    """Matrix K[y, x]: the chance that drafted y comes out as x.  (…, V), (…, V) -> (…, V, V)

    After a rejection the token comes from ``fallback`` (…, V), by default the residual.  The rule
    is lossless when ``draft @ K`` equals the target; ``diag(draft) @ K`` is its coupling.
    """
    target, draft = check_pair(target, draft)
    after, kept = residual_unchecked(target, draft), accept_prob_unchecked(target, draft)
    if fallback is not None:
        after, _ = check_pair(fallback, target, "fallback", "target")
        after, kept = alike(after, kept)
    kept = kept[..., None]
    identity = np.eye(target.shape[-1], dtype=int)
    return kept * identity + (1 - kept) * after[..., None, :]


def emitted_law(target, draft, fallback=None):
    """Law of the token that comes out, ``draft @ token_kernel(target, draft, fallback)``."""
    kernel = token_kernel(target, draft, fallback)
    draft, kernel = alike(check_law(draft), kernel)
    return (draft[..., None, :] @ kernel)[..., 0, :]


def _verify_token(target, draft, token, rng):
    if rng.random() * draft.item(token) < target.item(token):  # float32 would round the coin
        return token, True
    return draw_unchecked(residual_unchecked(target, draft), rng), False


def _check_block(target_laws, draft_laws, tokens):
    target_laws = check_law(target_laws, "target_laws")
    size = target_laws.shape[-1]
    tokens = check_tokens(tokens, size, "tokens")
    k = len(tokens)
    if target_laws.shape != (k + 1, size):
        raise ValueError(
            f"target_laws has shape {target_laws.shape}, not ({k + 1}, V) for {k} tokens"
        )
    if k == 0:  # nothing was drafted: one plain step
        return target_laws, (), ()
    draft_laws = check_law(draft_laws, "draft_laws")
    if draft_laws.shape != (k, size):
        raise ValueError(f"draft_laws has shape {draft_laws.shape}, not ({k}, {size})")
    return *alike(target_laws, draft_laws), tokens
