"""Prompt lookup: what followed the last time these tokens came up?"""

from contextlib import suppress

from specnotes.drafts.scouts import one_hot
from specnotes.laws import check_token, check_tokens, check_whole
from specnotes.models import check_names


class PromptLookup:
    """Proposes what followed an earlier occurrence of the last tokens, with one-hot laws.

    The last ``longest`` tokens are looked for first, then fewer, down to ``shortest``; of several
    occurrences the leftmost is taken, and what followed it is copied: ``draft_length`` tokens, or
    as many as there are.  Nothing is found, nothing is proposed.

    The public implementations differ in three places, which the arguments name.

    Transformers takes the leftmost match of at most ``longest`` tokens (2 by default) and of no
    fewer than one, and cuts the copy before the ``stop`` token (its test: the token after the match
    is the end token, so nothing is proposed):

    >>> PromptLookup(range(60), longest=1, stop=0).propose((7, 51, 0, 9, 51), 4, None)[0]
    ()

    vLLM sets a least length too, and takes the longest suffix, then its earliest match; the end of
    the context may cut the copy short.  The example of its source:

    >>> PromptLookup(range(5), longest=3, shortest=2).propose((1, 2, 3, 4, 2, 3), 4, None)[0]
    (4, 2, 3)

    The original (Saxena 2023, prompt-lookup-decoding) wants a ``whole`` copy of ``draft_length``
    tokens, of a match that ends at least one token before the last tokens begin:

    >>> original = PromptLookup(range(5), longest=3, whole=True)
    >>> original.propose((1, 2, 3, 4, 2, 3), 4, None)[0]
    ()
    >>> original.propose((1, 2, 3, 4, 2, 3), 3, None)[0]
    (4, 2, 3)
    """

    def __init__(self, vocabulary, longest=3, shortest=1, whole=False, stop=None, exact=False):
        self.vocabulary = check_names(vocabulary)
        self._shortest = check_whole(shortest, "shortest", 1)
        self._longest = check_whole(longest, "longest", self._shortest)
        self._whole, self._exact = whole, exact
        self._stop = None if stop is None else check_token(stop, len(self.vocabulary), "stop")

    def propose(self, prefix, draft_length, rng):
        """What followed the match, if there is one; no coin is used.  -> (k,), (k, V)"""
        tokens = self._copy(self._text(prefix), check_whole(draft_length, "draft_length", 1))
        if self._stop in tokens:
            tokens = tokens[: tokens.index(self._stop)]
        return tokens, one_hot(tokens, len(self.vocabulary), self._exact)

    def _copy(self, text, count):
        """The tokens after the match."""
        length = len(text)
        for n in range(min(self._longest, length - 1), self._shortest - 1, -1):
            last = length - max(count, n + 1) if self._whole else length - 1  # a match may end here
            at = text.find(text[-n:], 0, max(last, 0))
            if at >= 0:
                found = text[at + n : at + n + count]
                return tuple(found) if isinstance(found, bytes) else tuple(map(ord, found))
        return ()

    def _text(self, prefix):
        """The prefix as bytes or characters, which are checked and searched fast."""
        size = len(self.vocabulary)
        if size <= 256 and isinstance(prefix, tuple):
            with suppress(TypeError, ValueError):  # a fault, or no int: looked at below
                text = bytes(prefix)
                if not text.translate(None, bytes(range(size))):  # nothing beyond the vocabulary
                    return text
        prefix = check_tokens(prefix, size, "prefix")
        return bytes(prefix) if size <= 256 else "".join(map(chr, prefix))
