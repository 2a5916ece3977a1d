"""Scouts: whoever proposes the tokens that the target verifies.

A scout has ``propose(prefix, draft_length, rng)`` -> (tokens, laws): at most ``draft_length``
tokens and the laws (k, V) they were drawn from.  It may propose fewer, or none, when it has nothing
to say.  A scout without chance proposes with one-hot laws.  All of them keep the target's law: the
laws handed over are those that the tokens came from, and whether to go on is settled before the
next token is drawn.
"""

from specnotes.drafts.lookup import PromptLookup
from specnotes.drafts.ngram import NGram
from specnotes.drafts.scouts import FirstOf, GreedyScout, ModelScout

__all__ = ["FirstOf", "GreedyScout", "ModelScout", "NGram", "PromptLookup"]
