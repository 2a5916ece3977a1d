"""Smaller toys: what a counter-example is tried on next."""

from dataclasses import replace
from itertools import product

import numpy as np

from specnotes.broken.toys import law

MANY = 5  # tokens: of more, there are too many simple laws


def smaller(toy):
    """Toys one step smaller, the boldest steps first."""
    if not toy.is_exact:
        return
    if toy.rounds > 1:
        yield replace(toy, rounds=toy.rounds - 1)
    if toy.lag > 1:
        yield replace(toy, lag=toy.lag - 1)
    if toy.length > 1:
        yield replace(toy, length=toy.length - 1)
    if toy.n_tokens > 1:
        yield replace(toy, n_tokens=toy.n_tokens - 1)
    if toy.prefix:
        yield replace(toy, prefix=())
    yield from _fewer_tokens(toy)
    yield from _fewer_contexts(toy)
    yield from _simpler_laws(toy)


def _fewer_tokens(toy):
    for token in range(toy.size if toy.size > 1 else 0):
        target, draft = _without(toy.target, token), _without(toy.draft, token)
        kept = toy.prefix == () and toy.stop != token
        if kept and target is not None and draft is not None:
            stop = toy.stop if toy.stop is None or toy.stop < token else toy.stop - 1
            yield replace(toy, target=target, draft=draft, stop=stop)


def _without(laws, token):
    left = np.delete(laws, token, axis=-1)
    if laws.ndim == 2:
        left = np.delete(left, token + 1, axis=0)
    total = left.sum(axis=-1, keepdims=True)
    return left / total if (total > 0).all() else None


def _fewer_contexts(toy):
    if toy.draft.ndim == 2:
        for row in toy.draft:
            yield replace(toy, draft=row)
    if toy.target.ndim == 2:
        for row in toy.target:
            yield replace(toy, target=row)


def _simpler_laws(toy):
    few = toy.size <= MANY
    weights = product(range(3), repeat=toy.size) if few else np.eye(toy.size, dtype=int).tolist()
    simple = [law(*row) for row in weights if any(row)]
    for name in ("target", "draft"):
        laws = getattr(toy, name)
        for place in np.ndindex(laws.shape[:-1]):
            for row in sorted(simple, key=_digits):
                if _digits(row) < _digits(laws[place]):
                    changed = laws.copy()
                    changed[place] = row
                    yield replace(toy, **{name: changed})


def _digits(row):
    return sum(x.numerator + x.denominator for x in row), tuple(row)
