"""The lab's audit over its whole range: 1,296 settings of six controls."""

from dataclasses import dataclass
from itertools import product
from math import isfinite

import numpy as np

from specnotes.decode import speculate
from specnotes.laws import overlap, total_variation
from specnotes.models import toy_pair
from specnotes.verify import emitted_law, verify_block
from specnotes.yields import speedup

CERTAINTY = (0, 0.35, 0.6, 1)
MATCH = (0, 0.5, 0.85, 1)
DRAFT_LENGTH = (1, 5, 8)
DRAFT_COST = (0, 0.09, 0.5)
TOKENS = (1, 17, 64)
SEED = (0, 1, 2)


@dataclass(frozen=True)
class Grid:
    """What went worst over all settings."""

    settings: int
    worst_distance: float  # of the corrected one-token law from the target, in floats
    unbounded: int  # speed-ups, measured or estimated, that are not finite and positive
    wrong_lengths: int  # traces of another length than asked for, or with an unbalanced bill


def audit_grid(verify=verify_block):
    """Run the lab at every setting and report the worst.  -> ``Grid``"""
    settings = wrong_lengths = unbounded = 0
    worst = 0.0
    for certainty, match, seed in product(CERTAINTY, MATCH, SEED):
        target, draft = toy_pair(certainty, match, seed)
        corrected = emitted_law(target.matrix, draft.matrix)
        worst = max(worst, total_variation(target.matrix, corrected).max())
        rate = overlap(target.matrix, draft.matrix).mean()
        for length, n_tokens in product(DRAFT_LENGTH, TOKENS):
            rng = np.random.default_rng(seed)
            trace = speculate(target, draft, (), length, n_tokens, rng, verify)
            wrong_lengths += not _balanced(trace, length, n_tokens)
            for cost in DRAFT_COST:
                settings += 1
                figures = trace.speedup(cost), speedup(min(rate, 1), length, cost)
                unbounded += not all(isfinite(figure) and figure > 0 for figure in figures)
    return Grid(settings, float(worst), unbounded, wrong_lengths)


def _balanced(trace, length, n_tokens):
    return (
        len(trace.tokens) == n_tokens
        and trace.tokens == sum((r.emitted for r in trace.rounds), ())
        and trace.target_passes == len(trace.rounds)
        and trace.draft_passes == length * len(trace.rounds)
    )
