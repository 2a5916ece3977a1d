"""Models: maps prefix → law of the next token, scored many positions at a time.

A model has ``vocabulary`` (a tuple of token names), ``next_law(prefix)`` -> (V,) and
``score(prefix, tokens)`` -> (k+1, V), the laws after the prefix and after each token: what a
language model computes in one pass, because a causal mask keeps later tokens out of earlier laws.
"""

import inspect
import operator
import random
from fractions import Fraction
from numbers import Rational

import numpy as np

from specnotes.laws import alike, check_law, check_token, check_tokens, check_whole

TOY_VOCABULARY = ("the", "cat", "dog", "sat", "ran", "on", "mat", ".")
STEPS = 1000  # certainty and match are rounded to thousandths, so that weights are whole numbers


class PrefixModel:
    """Any function prefix → law.  Each law is checked once, kept, and handed out read-only."""

    def __init__(self, rule, vocabulary):
        _check_callable(rule, "rule")
        self.vocabulary = check_names(vocabulary)
        self._rule, self._laws = rule, {}

    def next_law(self, prefix):
        """Law of the token after ``prefix``.  -> (V,)"""
        return self._law(check_tokens(prefix, len(self.vocabulary), "prefix"))

    def score(self, prefix, tokens):
        """Laws after the prefix and after each further token, one pass.  tokens (k,) -> (k+1, V)"""
        size = len(self.vocabulary)
        prefix, tokens = check_tokens(prefix, size, "prefix"), check_tokens(tokens, size, "tokens")
        return np.stack([self._law(prefix + tokens[:i]) for i in range(len(tokens) + 1)])

    def _law(self, prefix):
        if prefix not in self._laws:
            self._laws[prefix] = self._checked(prefix)
        return self._laws[prefix]

    def _checked(self, prefix):
        law = check_law(self._rule(prefix), f"the law after {prefix}")
        if law.shape != (len(self.vocabulary),):
            raise ValueError(
                f"the law after {prefix} has shape {law.shape}, not ({len(self.vocabulary)},)"
            )
        return _read_only(law)


class MarkovModel:
    """The next law depends on the last token alone: row ``matrix[last]``, at first ``initial``.

    matrix (V, V), initial (V,); ``vocabulary`` defaults to the token numbers.
    """

    def __init__(self, matrix, initial, vocabulary=None):
        matrix, initial = alike(check_law(matrix, "matrix"), check_law(initial, "initial"))
        self.matrix, self.initial = _read_only(matrix), _read_only(initial)
        size = self.initial.shape[-1]
        if self.matrix.shape != (size, size) or self.initial.ndim != 1:
            raise ValueError(
                f"matrix has shape {self.matrix.shape}, initial {self.initial.shape}: "
                "they must be (V, V) and (V,)"
            )
        self.vocabulary = check_names(range(size) if vocabulary is None else vocabulary)
        if len(self.vocabulary) != size:
            raise ValueError(f"vocabulary has {len(self.vocabulary)} tokens, initial has {size}")

    def next_law(self, prefix):
        """Law of the token after ``prefix``.  -> (V,)"""
        if not hasattr(prefix, "__getitem__"):
            raise ValueError(f"prefix is {prefix!r}, not a sequence of tokens")
        if len(prefix) == 0:
            return self.initial
        name = f"prefix[{len(prefix) - 1}]"
        return self.matrix[check_token(prefix[-1], len(self.initial), name)]

    def score(self, prefix, tokens):
        """Laws after the prefix and after each further token, one pass.  tokens (k,) -> (k+1, V)"""
        rows = check_tokens(tokens, len(self.initial), "tokens")
        return np.concatenate([self.next_law(prefix)[None], self.matrix[list(rows)]])


def transformed(model, step):
    """The model whose laws are ``step(law)``, or ``step(law, prefix)``, of the given model's."""
    _check_callable(step, "step")
    if not (hasattr(model, "next_law") and hasattr(model, "vocabulary")):
        raise ValueError(f"model is {model!r}, not a model with vocabulary and next_law")
    with_prefix = step if _takes_prefix(step) else lambda law, prefix: step(law)
    if isinstance(model, MarkovModel) and not _takes_prefix(step):
        rows = [step(row) for row in model.matrix]
        return MarkovModel(rows, step(model.initial), model.vocabulary)
    if isinstance(model, (MarkovModel, PrefixModel)) or not hasattr(model, "score"):
        return PrefixModel(
            lambda prefix: with_prefix(model.next_law(prefix), prefix), model.vocabulary
        )
    return _Transformed(model, with_prefix)


class _Transformed:
    """A model whose passes cost something, under a step: one pass of it for each of ours."""

    def __init__(self, model, step):
        self.vocabulary, self._model, self._step = model.vocabulary, model, step

    def next_law(self, prefix):
        """Law of the token after ``prefix``.  -> (V,)"""
        return self._checked([self._step(self._model.next_law(prefix), tuple(prefix))])[0]

    def score(self, prefix, tokens):
        """Laws after the prefix and after each further token, one pass.  tokens (k,) -> (k+1, V)"""
        laws, prefix, tokens = self._model.score(prefix, tokens), tuple(prefix), tuple(tokens)
        return self._checked([self._step(law, prefix + tokens[:i]) for i, law in enumerate(laws)])

    def _checked(self, laws):
        laws = check_law(np.array(laws), "the laws that step gives")
        if laws.ndim != 2 or laws.shape[1] != len(self.vocabulary):
            raise ValueError(
                f"step gives laws of shape {laws.shape[1:]}, not ({len(self.vocabulary)},)"
            )
        return laws


def toy_pair(certainty, match, seed, exact=False):
    """Target and draft Markov models over eight named tokens.

    ``certainty`` in [0, 1] goes from nearly even laws to one favourite per context; ``match`` in
    [0, 1] from an unrelated draft to the target itself.  Both are rounded to thousandths: laws are
    ratios of whole numbers, so the exact and the float pair are the same on every platform.
    """
    sharp = _thousandths(certainty, "certainty")
    near = _thousandths(match, "match")
    numbers = random.Random(check_whole(seed, "seed", 0))
    size = len(TOY_VOCABULARY)
    target = [_weights(numbers, size, sharp) for _ in range(size + 1)]
    other = [_weights(numbers, size, sharp) for _ in range(size + 1)]
    draft = [
        [near * a * sum(row_b) + (STEPS - near) * b * sum(row_a) for a, b in zip(row_a, row_b)]
        for row_a, row_b in zip(target, other)
    ]
    return _toy_model(target, exact), _toy_model(draft, exact)


def _weights(numbers, size, sharp):
    """Whole weights of one context: an uneven floor, and a ladder of favourites in random order."""
    order = sorted(range(size), key=lambda _: numbers.random())
    ladder = [0] * size
    for rank, token in enumerate(order):
        ladder[token] = 3 ** (size - 1 - rank)
    floor = [60 + int(80 * numbers.random()) for _ in range(size)]
    return [
        (STEPS - sharp) * a * sum(ladder) + sharp * b * sum(floor) for a, b in zip(floor, ladder)
    ]


def _toy_model(rows, exact):
    divide = Fraction if exact else operator.truediv  # both correctly rounded: the same law
    laws = [[divide(weight, total) for weight in row] for row, total in zip(rows, map(sum, rows))]
    laws = np.array(laws)
    return MarkovModel(laws[1:], laws[0], TOY_VOCABULARY)


def _thousandths(share, name):
    number = isinstance(share, (int, float, Rational, np.floating))
    if not number or not 0 <= share <= 1:
        raise ValueError(f"{name} is {share!r}, not in [0, 1]")
    return round(share * STEPS)


def _takes_prefix(step):
    try:
        parameters = inspect.signature(step).parameters.values()
    except (TypeError, ValueError):  # a builtin without a signature
        return False
    needed = [p for p in parameters if p.default is p.empty and p.kind <= p.POSITIONAL_OR_KEYWORD]
    return len(needed) >= 2


def check_names(vocabulary):
    """The names of a vocabulary as a tuple, after checking that there are any."""
    try:
        names = tuple(vocabulary)
    except TypeError:
        raise ValueError(f"vocabulary is {vocabulary!r}, not a sequence of names") from None
    if not names:
        raise ValueError("vocabulary is empty")
    return names


def _check_callable(function, name):
    if not callable(function):
        raise ValueError(f"{name} is {function!r}, not a function")


def _read_only(array):
    array = array.copy()
    array.setflags(write=False)
    return array
