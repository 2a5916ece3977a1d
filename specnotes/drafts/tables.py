"""Counts of n-grams in flat, sorted arrays: the contexts as a tree, breadth first.

Node 0 is the empty context.  A child of a node is its context with one more token *in front*: the
children of node n have the keys n · V + (older token).  Nodes are numbered by depth, then by key,
so the keys of the whole tree are one sorted array.
"""

from bisect import bisect_left
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from zipfile import BadZipFile

import numpy as np

from specnotes.laws import check_tokens, check_whole

CHUNK = 1_000_000  # tokens that are sorted at once
HEAVIEST = 1_000_000  # weight of the shorter context, whose products must fit in 64 bits


@dataclass(frozen=True, eq=False)
class Tables:
    """The tree of contexts and what followed them.

    R nodes, E kept n-grams.  keys (R−1,); starts (R+1,) says where a node's n-grams begin; owed
    (R,) is the weight of the shorter context; tokens (E,) and counts (E,).
    """

    order: int
    size: int
    keys: np.ndarray
    starts: np.ndarray
    owed: np.ndarray
    tokens: np.ndarray
    counts: np.ndarray

    def child(self, node, token):
        """The node of the context with ``token`` in front, or −1."""
        starts, tokens = self._children
        start, end = starts[node : node + 2].tolist()
        at = bisect_left(tokens, token, start, end)
        return at + 1 if at < end and tokens[at] == token else -1

    @cached_property
    def _children(self):
        """Where each node's children begin among the keys (R+1,), and their tokens in front (R−1,).

        As views whose items are Python's numbers: a search of all keys would wait for memory.
        """
        begins = np.searchsorted(self.keys, np.arange(len(self.owed) + 1) * self.size)
        return begins.astype(np.int32).data, (self.keys % self.size).astype(self.tokens.dtype).data

    def nodes(self):
        """The node of each n-gram.  -> (E,)"""
        return np.repeat(np.arange(len(self.owed)), np.diff(self.starts))

    def shares(self, exact):
        """Each n-gram's share of its context (E,), and what is left for the shorter one (R,).

        As floats or as ``Fraction``s.
        """
        nodes = self.nodes()
        total = self.owed + np.bincount(nodes, self.counts, len(self.owed)).astype(np.int64)
        divide = np.frompyfunc(_fraction, 2, 1) if exact else np.divide
        return divide(self.counts, total[nodes]), divide(self.owed, total)

    def save(self, path):
        """Write all fields to an ``.npz`` file."""
        np.savez(path, **{name: getattr(self, name) for name in NAMES})

    def fit_together(self):
        """Are these tables that ``count`` could have made, as far as laws depend on it?"""
        return (
            all(getattr(self, name).dtype.kind in "iu" for name in NAMES[2:])
            and len(self.keys) == len(self.owed) - 1
            and len(self.starts) == len(self.owed) + 1
            and len(self.counts) == len(self.tokens)
            and (self.starts[0], self.starts[-1]) == (0, len(self.tokens))
            and (np.diff(self.starts) >= 0).all()
            and (np.diff(self.keys) > 0).all()
            and (np.diff(self.nodes() * self.size + self.tokens) > 0).all()
            and (self.tokens < self.size).all()
            and (self.counts > 0).all()
            and (self.owed > 0).all()
        )


NAMES = [field.name for field in fields(Tables)]


def load_tables(path):
    """Read what ``save`` wrote."""
    try:
        with np.load(path) as file:
            arrays = {name: file[name] for name in NAMES}
    except (KeyError, TypeError, ValueError, EOFError, BadZipFile):
        raise ValueError(f"path is {str(path)!r}, not a file of n-gram tables") from None
    order, size = (int(arrays.pop(name)) for name in ("order", "size"))
    tables = Tables(order, size, **arrays)
    if not tables.fit_together():
        raise ValueError(f"path is {str(path)!r}, whose tables contradict one another")
    return tables


def count(documents, order, size, least, weight=1):
    """Count the n-grams up to ``order`` of documents over a vocabulary of ``size`` tokens.

    n-grams seen fewer than ``least`` times are left out; contexts do not reach across documents.
    What is owed to the shorter context counts ``weight`` times.
    """
    order = check_whole(order, "order", 1)
    least = check_whole(least, "least", 1)
    weight = check_whole(weight, "weight", 1)
    if weight > HEAVIEST:
        raise ValueError(f"weight is {weight}, not a whole number up to {HEAVIEST}")
    tokens, ages = _joined(documents, order, size)
    where, weights = _windows(tokens, ages, order, size)
    nodes, first, levels = np.zeros(len(where), np.int64), 0, []
    for depth in range(order):
        keys = nodes * size + tokens[where - depth] if depth else nodes
        level, places = _level(depth, keys, tokens[where], weights, size, least)
        goes_on = (places >= 0) & (ages[where] > depth)
        nodes, where, weights = first + places[goes_on], where[goes_on], weights[goes_on]
        first += len(level["owed"])
        levels.append(level)
    joined = {name: np.concatenate([one[name] for one in levels]) for name in levels[0]}
    return Tables(
        order=order,
        size=size,
        keys=joined["keys"][1:],
        starts=np.concatenate([[0], np.cumsum(joined["lengths"])]).astype(np.int32),
        owed=(weight * joined["owed"]).astype(np.int64),
        tokens=joined["tokens"].astype(tokens.dtype),
        counts=joined["counts"].astype(np.int32),
    )


def _level(depth, keys, following, weights, size, least):
    """The nodes of one depth, and the place of each key's node among them (−1: left out).

    A context of which no n-gram is kept is left out; the root never is.
    """
    keys, places = np.unique(keys, return_inverse=True)
    pairs, which = np.unique(places * size + following, return_inverse=True)
    counts = np.bincount(which, weights).astype(np.int64)
    parents, common = pairs // size, counts >= least
    lengths = np.bincount(parents[common], minlength=len(keys))
    forgotten = np.bincount(parents, np.where(common, 0, counts), len(keys)).astype(np.int64)
    kept = (lengths > 0) | (depth == 0)
    level = {
        "keys": keys[kept],
        "lengths": lengths[kept],
        "owed": (np.bincount(parents) + forgotten)[kept],
        "tokens": (pairs % size)[common],
        "counts": counts[common],
    }
    return level, np.where(kept, np.cumsum(kept) - 1, -1)[places]


def _windows(tokens, ages, order, size):
    """A place of each distinct run of ``order`` tokens (fewer at a start), and how many there are.

    In chunks: a sort of everything at once would take ten times the memory of the text.
    """
    chunks = []
    for start in range(0, len(tokens), CHUNK):
        where = np.arange(start, min(start + CHUNK, len(tokens)))
        chunks.append(_distinct(where, np.ones(len(where)), tokens, ages, order, size))
    where, weights = map(np.concatenate, zip(*chunks))
    return _distinct(where, weights, tokens, ages, order, size)


def _distinct(where, weights, tokens, ages, order, size):
    """The first place of each distinct window that ends there, with its summed weight."""
    keys, top = np.zeros(len(where), np.int64), 1
    for back in range(order):
        if top > 2**62 // (size + 1):  # the next digit would not fit
            keys = np.unique(keys, return_inverse=True)[1]
            top = len(where)
        digits = np.where(ages[where] >= back, tokens[where - back].astype(np.int64) + 1, 0)
        keys, top = keys * (size + 1) + digits, top * (size + 1)
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    return where[first], np.bincount(which, weights)


def _joined(documents, order, size):
    """All tokens in a row, and how many (up to ``order``) stand before each in its document."""
    try:
        documents = list(documents)
    except TypeError:
        raise ValueError(f"documents is {documents!r}, not a list of sequences") from None
    parts = [_tokens(one, size, f"documents[{i}]") for i, one in enumerate(documents)]
    if not sum(map(len, parts)):
        raise ValueError("documents hold no tokens")
    ages = [np.minimum(np.arange(len(part)), order).astype(np.int32) for part in parts]
    return np.concatenate(parts), np.concatenate(ages)


def _tokens(document, size, name):
    kind = np.min_scalar_type(size)
    if isinstance(document, np.ndarray) and document.dtype.kind in "iu" and document.ndim == 1:
        if len(document) == 0 or 0 <= document.min() <= document.max() < size:
            return document.astype(kind)  # the usual case, fast
    return np.array(check_tokens(document, size, name), dtype=kind)


def _fraction(above, below):
    return Fraction(int(above), int(below))  # no NumPy integers inside
