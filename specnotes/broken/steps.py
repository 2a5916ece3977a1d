"""One-sided processing: a temperature or a truncation that one law went through and another not.

``step`` is what the target's law should go through before a token is drawn.
"""

from fractions import Fraction as F
from functools import partial

import numpy as np

from specnotes.broken.exhibit import EXERCISE, JOINT, MODEL, ONE_TOKEN, exhibit
from specnotes.broken.toys import BASE, Toy, law
from specnotes.decode import propose
from specnotes.models import transformed
from specnotes.transforms import temperature, top_k, top_p

SQUARE = partial(temperature, t=F(1, 2))
TOP_2 = Toy("top-k", law(4, 3, 2, 1), law(6, 7, 4, 3), n_tokens=1, step=partial(top_k, k=2))
NUCLEUS = Toy(
    "top-p", law(10, 6, 3, 1), law(1, 1, 1, 1), n_tokens=1, step=partial(top_p, mass=F(7, 10))
)


@exhibit(
    "top-p on the draft only",
    MODEL,
    NUCLEUS,
    ONE_TOKEN,
    F(1, 5),
    "vLLM, fixed in pull request 10198: the target was scored unfiltered",
)
def step_on_draft_only(target, draft, step):
    """Filters the draft and scores with the raw target: the raw target comes out."""
    return target, transformed(draft, step)


@exhibit(
    "no step at all",
    MODEL,
    Toy("temperature", *BASE, n_tokens=1, step=SQUARE),
    ONE_TOKEN,
    F(3, 19),
    EXERCISE,
)
def no_step(target, draft, step):
    """Samples at temperature 1 whatever was asked."""
    return target, draft


class Scout:
    """Drafts with one model and reports the laws of another."""

    def __init__(self, drafts_with, reports):
        self.drafts_with, self.reports = drafts_with, reports

    def propose(self, prefix, draft_length, rng):
        tokens, _ = propose(self.drafts_with, prefix, draft_length, rng)
        return tokens, self.reports.score(prefix, tokens)[:-1]


@exhibit(
    "top-k draft, raw law",
    MODEL,
    TOP_2,
    ONE_TOKEN,
    F(10, 91),
    "a production engine: acceptance went up to 1, from .89",
)
def filtered_draft_scored_raw(target, draft, step):
    """Draws the draft after the step and reports its law before: q is too small, all is kept."""
    return transformed(target, step), Scout(transformed(draft, step), draft)


@exhibit("raw draft, top-k law", MODEL, TOP_2, ONE_TOKEN, F(3, 20))
def raw_draft_scored_filtered(target, draft, step):
    """Draws the draft before the step and reports its law after."""
    return transformed(target, step), Scout(draft, transformed(draft, step))


@exhibit(
    "temperature applied twice",
    MODEL,
    Toy("temperature", *BASE, n_tokens=1, step=SQUARE),
    ONE_TOKEN,
    F(75, 361),
)
def step_twice(target, draft, step):
    """Sends the target through the step twice."""
    return transformed(transformed(target, step), step), transformed(draft, step)


def halve_last(law, prefix):
    """A penalty: the last token counts half."""
    weights = law.copy()
    if len(prefix):
        weights[prefix[-1]] = weights[prefix[-1]] / 2
    return weights / weights.sum()


class BlindToBlock:
    """Scores a block with the step as it was before the block's first token."""

    def __init__(self, model, step):
        self.model, self.step, self.vocabulary = model, step, model.vocabulary

    def next_law(self, prefix):
        return transformed(self.model, self.step).next_law(prefix)

    def score(self, prefix, tokens):
        before = lambda law: apply_step(self.step, law, prefix)  # noqa: E731
        return np.stack([before(row) for row in self.model.score(prefix, tokens)])


def apply_step(step, law, prefix):
    """A step may look at the prefix."""
    try:
        return step(law, prefix)
    except TypeError:
        return step(law)


@exhibit(
    "penalty without the drafted tokens",
    MODEL,
    Toy("penalty", *BASE, n_tokens=2, step=halve_last, prefix=(0,)),
    JOINT,
    F(331, 2295),
)
def penalty_without_drafted(target, draft, step):
    """Counts only the tokens before the block in a penalty that depends on the prefix."""
    return BlindToBlock(target, step), transformed(draft, step)
