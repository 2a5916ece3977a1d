"""A language model small enough to read: a transformer over characters, in NumPy, with a KV cache.

A pass takes the tokens that are new and returns the law after each of them; the keys and values of
earlier tokens are kept, so that a pass costs what is new.  Sources: Vaswani et al. 2017
(attention); Press et al. 2022 (ALiBi: a penalty on distance in place of positions); Zhang and
Sennrich 2019 (RMSNorm); So et al. 2021 (squared ReLU).
"""

import time
from functools import cache

import numpy as np

from specnotes.laws import check_tokens, check_whole
from specnotes.tiny.cache import Cache
from specnotes.tiny.corpus import ALPHABET
from specnotes.tiny.layout import Matrix, fastest
from specnotes.tiny.weights import load_weights

START = (0,)  # every text begins after a line break, so that an empty prefix has a law too


class Transformer:
    """A model: ``vocabulary``, ``next_law(prefix)`` and ``score(prefix, tokens)``.

    What one call computed is kept for the next.  The cache is compared with the prefix, so a call
    with another prefix is right too, only slower: ``rollback`` is for those who measure, not for
    safety.  Models may share ``weights``; each has a cache of its own.  ``tile``: see ``layout``.
    ``passes`` counts forward passes.

    Sums are rounded in float32, so passes of other shapes give laws that differ by about 1e-6.  To
    enumerate, fix each law by its first value: ``PrefixModel(model.next_law, model.vocabulary)``.
    """

    vocabulary = tuple(ALPHABET)

    def __init__(self, weights=None, tile=0):
        self.weights = load_weights() if weights is None else weights
        heads = self.weights.attention_heads
        self._slopes = 2.0 ** (-8 * np.arange(1, heads + 1) / heads)
        self._cache = Cache(len(self.weights.layers), heads, self.weights.width)
        self.passes = 0
        self.retile(tile)

    def retile(self, tile):
        """Lay the matrices out in tiles of ``tile`` columns; 0 leaves them whole."""
        self.tile, weights = check_whole(tile, "tile", 0), self.weights
        self._layers = [[Matrix(w, tile) for w in layer] for layer in weights.layers]
        self._head = Matrix(weights.head, tile)
        self._exit = None if weights.exit is None else Matrix(weights.exit, tile)

    def next_law(self, prefix):
        """Law of the character after ``prefix``.  -> (V,) float64"""
        return self.score(prefix, ())[0]

    def score(self, prefix, tokens):
        """Laws after the prefix and after each further token, in one pass.  (k,) -> (k+1, V)"""
        prefix, tokens = _as_tuple(prefix, "prefix"), _as_tuple(tokens, "tokens")
        sequence, wanted = START + prefix + tokens, len(tokens) + 1
        kept = min(self._cache.shared(sequence), len(sequence) - wanted)
        new = self._checked(sequence[kept:], prefix, tokens)
        self._cache.rollback(kept)
        return softmax(self._forward(new)[-wanted:])

    def state(self, prefix):
        """The normed state behind the law of ``next_law(prefix)``.  -> (d,) float32"""
        sequence = START + _as_tuple(prefix, "prefix")
        if self._cache.shared(sequence) < len(sequence):
            self.next_law(prefix)
        return self._cache.states[len(sequence) - 1]

    @property
    def cached(self):
        """The tokens whose keys and values are kept."""
        return self._cache.tokens[len(START) :]

    def rollback(self, length):
        """Forget the tokens after the first ``length``."""
        self._cache.rollback(len(START) + check_whole(length, "length", 0))

    def _checked(self, new, prefix, tokens):
        """``new`` as ints in the vocabulary; those in the cache were checked when they came."""
        size = len(self.vocabulary)
        try:
            return check_tokens(new, size, "tokens")
        except ValueError:  # look again, for the name and the position
            check_tokens(prefix, size, "prefix"), check_tokens(tokens, size, "tokens")
            raise

    def _forward(self, tokens):
        """Logits after each of ``tokens``, which follow the cached ones.  (M,) -> (M, V)"""
        self.passes += 1
        begin = len(self._cache.tokens)
        end = begin + len(tokens)
        self._cache.make_room(end)
        x = self.weights.embed[list(tokens)]
        for i, (qkv, out, up, down) in enumerate(self._layers):
            x = x + out(self._attend(qkv(self._norm(x)), i, begin, end))
            x = x + down(np.square(np.maximum(up(self._norm(x)), 0)))
        x = self._norm(x)
        if self._exit is not None:
            x = self._norm(x + self._exit(x))
        self._cache.states[begin:end] = x
        self._cache.tokens += tokens
        return self._head(x)

    def _attend(self, qkv, layer, begin, end):
        """Each new position's mix of the values so far, weighted by how its query meets the keys.

        qkv (M, 3d) -> (M, d)
        """
        count, heads = end - begin, len(self._slopes)
        queries, new_keys, new_values = qkv.reshape(count, 3, heads, -1).transpose(1, 2, 0, 3)
        keys, values = self._cache.keys[layer], self._cache.values[layer]
        keys[:, :, begin:end] = new_keys.transpose(0, 2, 1)
        values[:, begin:end] = new_values
        weights = queries @ keys[:, :, :end]  # (heads, M, end)
        weights += self._penalty(self._cache.room)[:, :, -end:]
        if count > 1:
            weights[:, :, begin:] += _later(count)
        weights -= weights.max(axis=-1, keepdims=True)
        np.exp(weights, out=weights)
        mixed = weights @ values[:, :end]
        mixed /= weights.sum(axis=-1, keepdims=True)  # the softmax's, where fewer numbers are left
        return mixed.transpose(1, 0, 2).reshape(count, -1)

    def _penalty(self, room):
        """ALiBi, less a constant per row that the softmax does not see.  -> (heads, 1, room)"""
        if not hasattr(self, "_far") or self._far.shape[-1] != room:
            far = self._slopes[:, None, None] * np.arange(1 - room, 1)
            self._far = far.astype(np.float32)
        return self._far

    def _norm(self, x):
        return x / np.sqrt(np.vecdot(x, x) / x.shape[1] + self.weights.epsilon)[:, None]


def _as_tuple(tokens, name):
    try:
        return tuple(tokens)
    except TypeError:
        raise ValueError(f"{name} is {tokens!r}, not a sequence of tokens") from None


def softmax(logits):
    """Laws of logits, row by row, in float64.  (…, V) -> (…, V)"""
    laws = logits.astype(np.float64)
    laws -= laws.max(axis=-1, keepdims=True)
    np.exp(laws, out=laws)
    laws /= laws.sum(axis=-1, keepdims=True)
    return laws


def calibrate(model, rows=6, seconds=1.0):
    """Lay ``model`` out for this machine: the tile width with the fastest pair of a pass over one
    row and one over ``rows``.  -> the width, after about ``seconds``"""
    rows = check_whole(rows, "rows", 2)
    text = tuple(range(32)) * 2

    def pair(width):
        if model.tile != width:
            model.retile(width)
            model.score(text, (0,) * (rows - 1))  # not timed: the first use of these matrices
        start = time.perf_counter()
        for tokens in ((), (0,) * (rows - 1)):
            model.rollback(len(text) - 1)
            model.score(text, tokens)
        return time.perf_counter() - start

    model.retile(fastest(pair, seconds=seconds))
    return model.tile


@cache
def _later(count):
    """Minus infinity where a row would see a later column.  -> (count, count)"""
    return np.triu(np.full((count, count), -np.inf, np.float32), 1)
