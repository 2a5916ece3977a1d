"""The loops: plain decoding, and rounds of draft and verify.

A round drafts up to γ tokens, scores them in one target pass and emits the accepted ones and one
more.  Both loops run with a NumPy ``Generator`` and with ``EveryCoin`` alike.
"""

from dataclasses import dataclass, replace

import numpy as np

from specnotes.laws import check_token, check_tokens, check_whole, draw_unchecked
from specnotes.verify import verify_block
from specnotes.yields import check_number


@dataclass(frozen=True, slots=True)
class Round:
    """One target pass: what was drafted, how much of it the verifier accepted, what came out."""

    drafted: tuple
    accepted: int
    emitted: tuple


@dataclass(frozen=True, slots=True)
class Trace:
    """A decoded sequence with its rounds and its bill."""

    tokens: tuple
    rounds: tuple
    target_passes: int
    draft_passes: int

    def speedup(self, cost_ratio):
        """Tokens per unit of time, in target passes; plain decoding makes 1.

        ``cost_ratio`` is c, the time of a draft step over that of a target pass.
        """
        if not self.tokens:
            raise ValueError("tokens is empty: no speed-up to measure")
        cost = check_number(cost_ratio, "cost_ratio")
        return len(self.tokens) / (self.target_passes + cost * self.draft_passes)


def sample(model, prefix, n_tokens, rng, stop=None):
    """Plain decoding: one pass per token, up to ``n_tokens`` or the ``stop`` token.  -> tuple"""
    prefix, stop = check_start(model, prefix, n_tokens, stop)
    tokens = ()
    while not is_finished(tokens, n_tokens, stop):
        tokens += (draw_unchecked(model.next_law(prefix + tokens), rng),)
    return tokens


def speculate(target, draft, prefix, draft_length, n_tokens, rng, verify=verify_block, stop=None):
    """Speculative decoding: the same law as ``sample(target, …)`` in fewer target passes.

    ``draft`` is a model, or a scout with ``propose(prefix, draft_length, rng)`` -> (tokens, laws),
    which may propose fewer.  ``draft_length`` is a whole number from 1 on, or a function of
    (prefix, rounds so far) that gives one: it must not look at tokens yet to be drafted.
    The trace never runs past ``n_tokens`` or a ``stop`` token; passes are counted in full.
    """
    check_draft(target, draft)
    prefix, stop = check_start(target, prefix, n_tokens, stop, "target")
    tokens, rounds = (), ()
    while not is_finished(tokens, n_tokens, stop):
        here = prefix + tokens
        length = length_now(draft_length, here, rounds)
        whole = one_round(target, draft, here, length, rng, verify)
        rounds += (cut_round(whole, n_tokens - len(tokens), stop),)
        tokens += rounds[-1].emitted
    return Trace(tokens, rounds, len(rounds), sum(len(r.drafted) for r in rounds))


def one_round(target, draft, prefix, draft_length, rng, verify=verify_block):
    """Draft, score in one pass, verify.  The round is uncut: n_tokens and stop come later."""
    tokens, draft_laws = propose(draft, prefix, draft_length, rng)
    size = len(target.vocabulary)
    tokens = check_tokens(tokens, size, "drafted")
    if len(tokens) > draft_length:
        raise ValueError(f"drafted is {tokens!r}, more than draft_length = {draft_length}")
    accepted, token = verify(target.score(prefix, tokens), draft_laws, tokens, rng)
    if check_whole(accepted, "accepted", 0) > len(tokens):
        raise ValueError(f"accepted is {accepted}, of {len(tokens)} drafted tokens")
    accepted, token = int(accepted), check_token(token, size)
    return Round(tokens, accepted, tokens[:accepted] + (token,))


def propose(draft, prefix, draft_length, rng):
    """Drafted tokens (k,) and the laws they were drawn from (k, V); a scout may give k < γ."""
    if hasattr(draft, "propose"):
        return draft.propose(prefix, draft_length, rng)
    tokens, laws = (), []
    for _ in range(draft_length):
        laws.append(draft.next_law(prefix + tokens))
        tokens += (draw_unchecked(laws[-1], rng),)
    return tokens, np.stack(laws)


def cut_round(whole, room, stop):
    """The round with only what may still be emitted: ``room`` tokens, none after a stop token."""
    emitted = whole.emitted[:room]
    if stop in emitted:
        emitted = emitted[: emitted.index(stop) + 1]
    return replace(whole, emitted=emitted)


def is_finished(tokens, n_tokens, stop):
    """Are there ``n_tokens``, or is the last one the ``stop`` token?"""
    return len(tokens) >= n_tokens or (len(tokens) > 0 and tokens[-1] == stop)


def length_now(draft_length, prefix, rounds):
    """The draft length of the next round, checked."""
    length = draft_length(prefix, rounds) if callable(draft_length) else draft_length
    return check_whole(length, "draft_length", 1)


def check_start(model, prefix, n_tokens, stop, name="model"):
    """The prefix as a tuple of ints and the stop token, checked against the vocabulary."""
    _check_model(model, name, "next_law")
    size = len(model.vocabulary)
    check_whole(n_tokens, "n_tokens", 0)
    prefix = check_tokens(prefix, size, "prefix")
    return prefix, None if stop is None else check_token(stop, size, "stop")


def check_draft(target, draft):
    """Two models, or a model and a scout, over one vocabulary."""
    _check_model(target, "target", "score")
    if not hasattr(draft, "propose") and not hasattr(draft, "next_law"):
        raise ValueError(f"draft is {draft!r}, with neither next_law nor propose")
    size = len(getattr(draft, "vocabulary", target.vocabulary))
    if size != len(target.vocabulary):
        raise ValueError(
            f"draft has a vocabulary of {size} tokens, target of {len(target.vocabulary)}"
        )


def _check_model(model, name, method):
    if not (hasattr(model, "vocabulary") and hasattr(model, method)):
        raise ValueError(f"{name} is {model!r}, not a model with vocabulary and {method}")
