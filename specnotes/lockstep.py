"""Many chains of speculative decoding at once, for statistics.  Tested against enumeration."""

from typing import NamedTuple

import numpy as np

from specnotes.decode import check_draft
from specnotes.laws import check_whole, residual_unchecked
from specnotes.models import MarkovModel


class Chains(NamedTuple):
    """What ``chains`` decoders emitted, and each one's bill."""

    tokens: np.ndarray  # (chains, n_tokens)
    target_passes: np.ndarray  # (chains,)
    draft_passes: np.ndarray  # (chains,)


def simulate(target, draft, draft_length, n_tokens, chains, rng):
    """Run ``chains`` speculative decoders of Markov models, all in step.  -> ``Chains``

    Each step emits one token per chain: accepted, corrected, or bonus.  (Drafting the next token
    only once the last was accepted gives the same law; the bill counts the whole draft.)
    """
    for name, model in (("target", target), ("draft", draft)):
        if not isinstance(model, MarkovModel):
            raise ValueError(f"{name} is {model!r}, not a MarkovModel")
    check_draft(target, draft)
    length = check_whole(draft_length, "draft_length", 1)
    n_tokens, chains = check_whole(n_tokens, "n_tokens", 0), check_whole(chains, "chains", 1)
    wanted, proposed = _table(target), _table(draft)
    cumulative_draft = _cumulative(proposed)
    cumulative_after = _cumulative(np.stack([residual_unchecked(wanted, proposed), wanted]))
    row = np.zeros(chains, int)  # 0 before the first token, then 1 + last token
    accepted = np.zeros(chains, int)  # in this round
    passes, tokens = np.zeros(chains, int), np.empty((chains, n_tokens), int)
    for step in range(n_tokens):
        passes += accepted == 0  # a round begins
        bonus = accepted == length
        drafted = _draw(cumulative_draft[row], rng)
        keep = rng.random(chains) * proposed[row, drafted] < wanted[row, drafted]
        keep &= ~bonus
        after = _draw(cumulative_after[bonus.astype(int), row], rng)
        tokens[:, step] = np.where(keep, drafted, after)
        accepted = np.where(keep, accepted + 1, 0)
        row = tokens[:, step] + 1
    return Chains(tokens, passes, passes * length)


def _table(model):
    return np.concatenate([model.initial[None], model.matrix]).astype(float)  # (V+1, V)


def _cumulative(laws):
    cumulative = laws.cumsum(axis=-1)
    return cumulative / cumulative[..., -1:]


def _draw(cumulative, rng):
    return (rng.random(len(cumulative))[:, None] >= cumulative).sum(axis=-1)  # (chains, V)
