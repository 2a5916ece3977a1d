"""The loops: plain decoding, and rounds of draft and verify.

A round drafts up to γ tokens, scores them in one target pass and emits the accepted ones and one
more.  Both loops run with a NumPy ``Generator`` and with ``EveryCoin`` alike.
"""

from dataclasses import dataclass, replace

import numpy as np

from specnotes.laws import check_token, check_whole, draw_unchecked
from specnotes.verify import verify_block


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
        return len(self.tokens) / (self.target_passes + cost_ratio * self.draft_passes)


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
    prefix, stop = check_start(target, prefix, n_tokens, stop)
    tokens, rounds = (), ()
    while not is_finished(tokens, n_tokens, stop):
        length = length_now(draft_length, prefix + tokens, rounds)
        whole = one_round(target, draft, prefix + tokens, length, rng, verify)
        rounds += (cut_round(whole, n_tokens - len(tokens), stop),)
        tokens += rounds[-1].emitted
    return Trace(tokens, rounds, len(rounds), sum(len(r.drafted) for r in rounds))


def one_round(target, draft, prefix, draft_length, rng, verify=verify_block):
    """Draft, score in one pass, verify.  The round is uncut: n_tokens and stop come later."""
    tokens, draft_laws = propose(draft, prefix, draft_length, rng)
    target_laws = target.score(prefix, tokens)
    accepted, token = verify(target_laws, draft_laws, tokens, rng)
    accepted = check_token(accepted, len(tokens) + 1, "accepted")
    token = check_token(token, target_laws.shape[-1])
    return Round(tokens, accepted, tokens[:accepted] + (token,))


def propose(draft, prefix, draft_length, rng):
    """Drafted tokens (k,) and the laws they were drawn from (k, V); a scout may give k < γ."""
    if hasattr(draft, "propose"):
        tokens, laws = draft.propose(prefix, draft_length, rng)
        return tuple(map(int, tokens)), laws
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
    return len(tokens) >= n_tokens or (len(tokens) > 0 and tokens[-1] == stop)


def length_now(draft_length, prefix, rounds):
    length = draft_length(prefix, rounds) if callable(draft_length) else draft_length
    return check_whole(length, "draft_length", 1)


def check_start(model, prefix, n_tokens, stop):
    """The prefix as a tuple of ints and the stop token, checked against the vocabulary."""
    size = len(model.vocabulary)
    check_whole(n_tokens, "n_tokens", 0)
    prefix = tuple(check_token(t, size, f"prefix[{i}]") for i, t in enumerate(prefix))
    return prefix, None if stop is None else check_token(stop, size, "stop")


def check_draft(target, draft):
    if hasattr(draft, "vocabulary") and len(draft.vocabulary) != len(target.vocabulary):
        raise ValueError(
            f"draft has a vocabulary of {len(draft.vocabulary)} tokens, "
            f"target of {len(target.vocabulary)}"
        )
