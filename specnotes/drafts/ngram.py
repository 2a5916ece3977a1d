"""N-gram models, which are drafts that cost microseconds."""

from fractions import Fraction
from functools import lru_cache

import numpy as np

from specnotes.drafts.tables import count, load_tables
from specnotes.laws import check_tokens, check_whole, draw_unchecked
from specnotes.models import check_names

KEPT = 2_000_000  # numbers in laws that are kept for the next time


class NGram:
    """The next token given the last ``order`` − 1 tokens, by interpolated Witten–Bell smoothing.

    Let c(h, x) be how often x followed the context h, T(h) how many different tokens did, and h'
    the context without its oldest token.  Then

        law(x | h) = (c(h, x) + owed(h) · law(x | h')) / (Σ c(h, ·) + owed(h)),
        owed(h) = weight · T(h),

    down to the empty context, whose shorter law is uniform; an unseen h has the law of h'
    (Witten and Bell 1991, method C; interpolated as in Chen and Goodman 1998, section 2.6).  So the
    chance of something new is estimated by how often something new came.  n-grams seen fewer than
    ``least`` times are left out and their counts are added to T(h): what a table forgets, the
    shorter context says.  A ``weight`` above Witten and Bell's 1 trusts the shorter context more,
    as long contexts of few counts deserve: of a draft the overlap counts, not the perplexity.

    It is a model (``next_law``, ``score``) and a scout (``propose``).  ``exact`` makes laws of
    ``Fraction``s.
    """

    def __init__(self, documents, order, vocabulary, least=1, weight=1, exact=False):
        names = check_names(vocabulary)
        self._open(count(documents, order, len(names), least, weight), names, exact)

    @classmethod
    def load(cls, path, vocabulary, exact=False):
        """The model that ``save`` wrote to ``path``."""
        tables, names = load_tables(path), check_names(vocabulary)
        if len(names) != tables.size:
            raise ValueError(f"vocabulary has {len(names)} tokens, the tables have {tables.size}")
        model = cls.__new__(cls)
        model._open(tables, names, exact)
        return model

    def save(self, path):
        """Write the tables, without names of tokens, to an ``.npz`` file."""
        self.tables.save(path)

    def next_law(self, prefix):
        """Law of the token after ``prefix``.  -> (V,)"""
        return self._look(self._context(prefix))[0]

    def score(self, prefix, tokens):
        """Laws after the prefix and after each further token, one pass.  tokens (k,) -> (k+1, V)"""
        context = self._context(prefix)
        laws = [self._look(context)[0]]
        for token in check_tokens(tokens, len(self.vocabulary), "tokens"):
            context = self._recent(context + (token,))
            laws.append(self._look(context)[0])
        return np.array(laws)

    def propose(self, prefix, draft_length, rng):
        """Tokens drawn one after another, and their laws.  -> (draft_length,), (draft_length, V)"""
        context, tokens, laws = self._context(prefix), (), []
        for _ in range(check_whole(draft_length, "draft_length", 1)):
            laws.append(self._look(context)[0])
            tokens += (draw_unchecked(laws[-1], rng),)
            context = self._recent(context + tokens[-1:])
        return tokens, np.array(laws)

    def _open(self, tables, vocabulary, exact):
        self.vocabulary, self.tables = vocabulary, tables
        size = len(vocabulary)
        self._reach = tables.order - 1
        self._uniform = np.full(size, Fraction(1, size) if exact else 1 / size)
        self._shares, self._rest = tables.shares(exact)
        self._tokens = tables.tokens.astype(np.intp)  # others would be cast in every look
        self._look = lru_cache(maxsize=KEPT // size + 1)(self._interpolated)

    def _interpolated(self, context):
        """Law after the context, and its node in the tables (−1 if it was never seen)."""
        law, node = self._uniform, 0
        if context:
            law, node = self._look(context[1:])
            node = self.tables.child(node, context[0]) if node >= 0 else -1
            if node < 0:
                return law, -1
        start, end = self.tables.starts[node : node + 2].tolist()
        law = law * self._rest[node]
        law[self._tokens[start:end]] += self._shares[start:end]
        law.setflags(write=False)
        return law, node

    def _recent(self, tokens):
        return tokens[max(0, len(tokens) - self._reach) :]

    def _context(self, prefix):
        """The last tokens as a tuple of ints; the whole prefix is searched only for the fault."""
        size = len(self.vocabulary)
        if isinstance(prefix, tuple):
            context = self._recent(prefix)
            if all(type(token) is int and 0 <= token < size for token in context):
                return context
        return self._recent(check_tokens(prefix, size, "prefix"))
