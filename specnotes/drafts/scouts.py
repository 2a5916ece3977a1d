"""Scouts made of models and of other scouts, and the one-hot laws of scouts without chance."""

from fractions import Fraction

import numpy as np

from specnotes.laws import check_law, check_whole, draw_unchecked
from specnotes.yields import check_number


class ModelScout:
    """Drafts with a model, one step per token, and may stop early.

    ``step`` maps the model's law to the one drafted from: a draft's own temperature, say.  With
    ``floor``, drafting ends before a token whose likeliest value has less than that mass.  The
    decision looks at the law and at tokens already drafted, never at the one to come, so it costs
    no exactness.  It costs a step of the model: the law that ends drafting was computed, too.
    """

    def __init__(self, model, step=None, floor=0):
        self.vocabulary = _vocabulary(model)
        if step is not None and not callable(step):
            raise ValueError(f"step is {step!r}, not a map law → law")
        self._model, self._step, self._floor = model, step, check_number(floor, "floor", 1)

    def propose(self, prefix, draft_length, rng):
        """Tokens drawn from the model's laws, at most ``draft_length``.  -> (k,), (k, V)"""
        check_whole(draft_length, "draft_length", 1)
        prefix, laws = tuple(prefix), []
        start = len(prefix)
        while len(laws) < draft_length:
            law = self._model.next_law(prefix)
            if self._step is not None:
                law = check_law(self._step(law), f"the law of step after {prefix}")
            if law.max() < self._floor:
                break
            laws.append(law)
            prefix += (draw_unchecked(law, rng),)
        return prefix[start:], np.array(laws).reshape(-1, len(self.vocabulary))


class GreedyScout:
    """Proposes a model's likeliest tokens, the first among equals, without a coin."""

    def __init__(self, model):
        self.vocabulary, self._model = _vocabulary(model), model

    def propose(self, prefix, draft_length, rng):
        """The likeliest tokens and one-hot laws.  -> (draft_length,), (draft_length, V)"""
        check_whole(draft_length, "draft_length", 1)
        prefix = tuple(prefix)
        start = len(prefix)
        for _ in range(draft_length):
            law = self._model.next_law(prefix)
            prefix += (int(law.argmax()),)
        tokens = prefix[start:]
        return tokens, one_hot(tokens, len(self.vocabulary), exact=law.dtype == object)


class FirstOf:
    """Asks several scouts in turn and proposes what the first says that says anything.

    A look-up before an n-gram copies what was written before and drafts the rest.
    """

    def __init__(self, *scouts):
        if not scouts:
            raise ValueError("scouts is empty")
        for i, scout in enumerate(scouts):
            if not (hasattr(scout, "propose") and hasattr(scout, "vocabulary")):
                raise ValueError(f"scouts[{i}] is {scout!r}, not a scout with propose")
        self.vocabulary, self._scouts = scouts[0].vocabulary, scouts
        for i, scout in enumerate(scouts):
            if len(scout.vocabulary) != len(self.vocabulary):
                raise ValueError(
                    f"scouts[{i}] has a vocabulary of {len(scout.vocabulary)} tokens, "
                    f"scouts[0] of {len(self.vocabulary)}"
                )

    def propose(self, prefix, draft_length, rng):
        """The first proposal that is not empty, or an empty one.  -> (k,), (k, V)"""
        for scout in self._scouts:
            tokens, laws = scout.propose(prefix, draft_length, rng)
            if len(tokens):
                break
        return tokens, laws


def one_hot(tokens, size, exact):
    """Laws that are sure of each token, as floats or as ``Fraction``s.  (k,) -> (k, V)"""
    number = Fraction if exact else float
    laws = np.full((len(tokens), size), number(0))
    laws[range(len(tokens)), tokens] = number(1)
    return laws


def _vocabulary(model):
    if not (hasattr(model, "next_law") and hasattr(model, "vocabulary")):
        raise ValueError(f"model is {model!r}, not a model with vocabulary and next_law")
    return model.vocabulary
