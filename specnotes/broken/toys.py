"""Toys: the small exact settings in which a mistake shows.

A toy is a target and a draft with, where it matters, a draft length, a number of tokens and a stop
token.  One law stands for every context; V + 1 rows are the law at the start and after each token.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from specnotes.models import MarkovModel, transformed


def law(*weights):
    """The exact law in proportion to whole weights: law(5, 3, 2) is (1/2, 3/10, 1/5)."""
    return np.array([Fraction(weight, sum(weights)) for weight in weights])


def rows(*laws):
    """The law at the start and after each token."""
    return np.stack([law(*weights) for weights in laws])


@dataclass(frozen=True, eq=False)
class Toy:
    """One setting.  target and draft: (V,), or (V+1, V) where the context matters."""

    name: str
    target: np.ndarray
    draft: np.ndarray
    length: int = 1
    n_tokens: int = 2  # for whole decoders
    stop: int | None = None
    prefix: tuple = ()
    step: Callable | None = None  # what both laws should go through, such as a temperature

    @property
    def size(self):
        return self.target.shape[-1]

    @property
    def is_exact(self):
        return self.target.dtype == object and self.draft.dtype == object

    @cached_property
    def models(self):
        """(target, draft) as Markov models."""
        return _model(self.target), _model(self.draft)

    @cached_property
    def wanted(self):
        """The model whose law must come out: the target, after ``step``."""
        target, _ = self.models
        return target if self.step is None else transformed(target, self.step)

    def as_float(self):
        return replace(self, target=self.target.astype(float), draft=self.draft.astype(float))

    def __str__(self):
        return f"target {_show_rows(self.target)}; draft {_show_rows(self.draft)}"


BASE = law(5, 3, 2), law(2, 3, 5)  # acceptance rate 7/10, wrong fallback off by 3/20
SECOND = law(1, 6, 3), law(5, 3, 2)  # acceptance rate 3/5, residual (0, 3/4, 1/4)


def show(value):
    """Laws, tokens and numbers as a reader writes them: (1/2, 3/10, 1/5)."""
    if isinstance(value, np.ndarray | list | tuple):
        return "(" + ", ".join(show(item) for item in value) + ")"
    if isinstance(value, (float, np.floating)):
        return f"{value:.6g}" if float(f"{value:.6g}") != 0.5 else repr(float(value))
    return str(value)


def _model(laws):
    if laws.ndim == 1:
        return MarkovModel(np.stack([laws] * len(laws)), laws)
    return MarkovModel(laws[1:], laws[0])


def _show_rows(laws):
    if laws.ndim == 1:
        return show(laws)
    return f"{show(laws[0])} at first, " + ", ".join(
        f"{show(row)} after {token}" for token, row in enumerate(laws[1:])
    )
