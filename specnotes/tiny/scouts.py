"""Scouts made from the target itself: its first layer, and heads that guess further ahead.

Sources: Elhoushi et al. 2024 (LayerSkip: draft with the first layers); Cai et al. 2024 (Medusa:
further heads on the last state).  Here the target stays frozen and only small maps are trained.
"""

from dataclasses import replace

import numpy as np

from specnotes.laws import check_whole, draw_unchecked
from specnotes.tiny.transformer import Transformer, softmax
from specnotes.tiny.weights import load_heads, load_weights


def early_exit(tile=0):
    """The target's first layer under a map of its own and the target's head: a draft model."""
    weights = load_weights("target")
    _, leave = load_heads()
    return Transformer(replace(weights, layers=weights.layers[:1], exit=leave), tile)


class MultiHead:
    """A scout: heads on the target's last state guess the next characters, each by itself.

    The target's pass over a round has left its states behind, so that a proposal costs a few small
    products and no pass.  The state used lies one token before the end of the prefix, for the last
    token came out of that very pass.  Heads do not see each other's guesses.  ``step`` maps each
    law to the one drafted from: ``greedy``, say.
    """

    def __init__(self, target, step=None):
        if step is not None and not callable(step):
            raise ValueError(f"step is {step!r}, not a map law → law")
        self.vocabulary, self._target, self._step = target.vocabulary, target, step
        self._ahead, _ = load_heads()
        self._embed = load_weights("target").embed

    def propose(self, prefix, draft_length, rng):
        """-> (tokens, laws (k, V)), k at most ``draft_length`` and the number of heads."""
        count = min(check_whole(draft_length, "draft_length", 1), len(self._ahead))
        laws = self.laws(prefix)[:count]
        return tuple(draw_unchecked(law, rng) for law in laws), laws

    def laws(self, prefix):
        """What each head says of the characters after ``prefix``.  -> (heads, V)"""
        if len(prefix) == 0:
            return np.empty((0, len(self.vocabulary)))
        width = self._embed.shape[1]
        state = self._target.state(prefix[:-1])  # of a widened target: zeros behind, and a factor
        state = state[:width] * np.float32((width / len(state)) ** 0.5)
        guesses = np.stack([state + state @ head for head in self._ahead])
        norms = np.sqrt(np.square(guesses).mean(axis=1, keepdims=True))
        laws = softmax(guesses / norms @ self._embed.T)
        return laws if self._step is None else np.stack([self._step(law) for law in laws])
