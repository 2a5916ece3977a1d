"""Toys: the small exact settings in which a mistake shows.

A toy is a target and a draft with, where it matters, a draft length, a number of tokens and a stop
token.  One law stands for every context; V + 1 rows are the law at the start and after each token.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from specnotes.models import MarkovModel, PrefixModel, transformed


def law(*weights):
    """The exact law in proportion to whole weights: law(5, 3, 2) is (1/2, 3/10, 1/5)."""
    return np.array([Fraction(weight, sum(weights)) for weight in weights])


def rows(*laws):
    """The law at the start and after each token."""
    return np.stack([law(*weights) for weights in laws])


@dataclass(frozen=True, eq=False)
class Toy:
    """One setting.  target and draft: (V,), or (V+1, V) where the context matters.

    With ``lag`` the law depends on the token that many places back, and on no other.
    """

    name: str
    target: np.ndarray
    draft: np.ndarray
    length: int = 1
    n_tokens: int = 2  # for whole decoders
    stop: int | None = None
    prefix: tuple = ()
    step: Callable | None = None  # what both laws should go through, such as a temperature
    lag: int = 1
    rounds: int = 1  # calls of a verifier in a row, each drafting one token less

    @property
    def size(self):
        return self.target.shape[-1]

    @property
    def is_exact(self):
        return self.target.dtype == object and self.draft.dtype == object

    @property
    def lengths(self):
        """Tokens drafted in each round."""
        return [max(self.length - i, 1) for i in range(self.rounds)]

    @cached_property
    def models(self):
        """(target, draft)"""
        return _model(self.target, self.lag), _model(self.draft, self.lag)

    @cached_property
    def wanted(self):
        """The model whose law must come out: the target, after ``step``."""
        target, _ = self.models
        return target if self.step is None else transformed(target, self.step)

    @cached_property
    def known(self):
        """What has been worked out on this toy, by any name: it does not change."""
        return {}

    @cached_property
    def key(self):
        """What a verifier can see of the toy: the same for toys that differ in name only."""
        laws = (tuple(laws.flat) for laws in (self.target, self.draft))
        kinds = self.target.shape, self.draft.shape, self.target.dtype, self.draft.dtype
        lengths = self.length, self.lag, self.rounds
        return (*laws, *kinds, *lengths, self.stop, self.prefix, self.step)

    def as_float(self):
        return replace(self, target=self.target.astype(float), draft=self.draft.astype(float))

    def __str__(self):
        target, draft = (_show_rows(laws, self.lag) for laws in (self.target, self.draft))
        return f"target {target}; draft {draft}"


BASE = law(5, 3, 2), law(2, 3, 5)  # acceptance rate 7/10, wrong fallback off by 3/20
SECOND = law(1, 6, 3), law(5, 3, 2)  # acceptance rate 3/5, residual (0, 3/4, 1/4)


def show(value):
    """Laws, tokens and numbers as a reader writes them: (1/2, 3/10, 1/5)."""
    if isinstance(value, np.ndarray | list | tuple):
        return "(" + ", ".join(show(item) for item in value) + ")"
    if isinstance(value, (float, np.floating)):
        return f"{value:.6g}" if float(f"{value:.6g}") != 0.5 else repr(float(value))
    return str(value)


def _model(laws, lag):
    if laws.ndim == 1:
        return MarkovModel(np.stack([laws] * len(laws)), laws)
    if lag == 1:
        return MarkovModel(laws[1:], laws[0])
    rule = lambda seen: laws[1 + seen[-lag] if len(seen) >= lag else 0]  # noqa: E731
    return PrefixModel(rule, range(laws.shape[1]))


def _show_rows(laws, lag):
    if laws.ndim == 1:
        return show(laws)
    return f"{show(laws[0])} at first, " + ", ".join(
        f"{show(row)} after {_seen(token, lag)}" for token, row in enumerate(laws[1:])
    )


def _seen(token, lag):
    """``0``, or ``(0, ·, ·)`` for a 0 three places back."""
    return str(token) if lag == 1 else f"({token}{', ·' * (lag - 1)})"
