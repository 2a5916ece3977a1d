"""The museum's exhibits as answers to the problem sets' tasks.

An exhibit fits a task if a student could paste it there.  ``lost`` says which graders must refuse
it: none for a right variant.
"""

import contextlib
import io
from functools import cache

import numpy as np
from build_notebooks import complete_code
from course_notebooks import cells

from specnotes.audit.matrix import as_verifier
from specnotes.broken import MUSEUM
from specnotes.broken.exhibit import (
    BLOCK,
    BOUNDARY,
    DECODER,
    DRAFT,
    KEPT,
    MODEL,
    ROUNDING,
    TOKEN,
)
from specnotes.broken.variants import VARIANT
from specnotes.coursework import hidden_tests
from specnotes.decode import speculate
from specnotes.laws import draw, residual

# task: (problem set, cell with the answer, name of the function, graders by what they look at)
TASKS = {
    "ban": ("ps1", "q2", "verify_without", {"ban_law", "ban_kept", "ban_edges"}),
    "rules": (
        "ps1",
        "q3",
        "fallback",
        {"completion", "completion_of_all", "completion_refused"},
    ),
    "candidates": ("ps1", "q5", "verify_two", {"two_law", "two_kept", "two_edges"}),
    "patient": ("ps2", "q2", "verify_patiently", {"patient_law", "patient_kept", "patient_edges"}),
    "least": ("ps2", "q3", "speculate_at_least", {"least_law", "least_passes", "least_edges"}),
}


def lost_points(task, answer, student_id="museum"):
    """Names of the graders that refuse the answer."""
    problem, _, _, graders = TASKS[task]
    hidden = hidden_tests(problem, student_id)
    with contextlib.redirect_stdout(io.StringIO()):
        return {name for name in graders if not getattr(hidden, name)(answer).ok}


def answer_to(task, exhibit):
    """The exhibit as an answer, or the "reference"."""
    if exhibit == "reference":
        return _reference(task)
    return PASTED[task](exhibit)


@cache
def _reference(task):
    problem, cell_id, name, _ = TASKS[task]
    namespace = {}
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in cells(problem):
            if cell.id in ("id", "setup", cell_id):
                exec(complete_code(cell.source), namespace)
    return namespace[name]


def _ban(exhibit):
    """The exhibit, given the target without the forbidden token."""

    def verify(target, draft, forbidden, token, rng):
        allowed = target.copy()
        allowed[forbidden] = 0 * allowed[forbidden]
        return exhibit.function(allowed / allowed.sum(), draft, token, rng)

    return verify


def _candidates(exhibit):
    """The exhibit on the first candidate, then on the second with what is still owed."""

    def verify(target, draft, first, second, rng):
        token, kept = exhibit.function(target, draft, first, rng)
        if kept:
            return token, 1
        token, kept = exhibit.function(residual(target, draft), draft, second, rng)
        return token, 2 if kept else 0

    return verify


def _patient(exhibit):
    """The exhibit on the positions before the first one whose share says no."""
    usual = as_verifier(exhibit)

    def verify(target_laws, draft_laws, tokens, shares, rng):
        k = len(tokens)
        m = next((i for i in range(k) if rng.random() >= shares[i]), k)
        if m == 0 < k:
            return 0, draw(target_laws[0], rng)
        return usual(target_laws[: m + 1], draft_laws[:m], tokens[:m], rng)

    return verify


def _least(exhibit):
    """The exhibit's decoder, verifier or scout around a target that holds its stop token back."""

    def decode(target, draft, prefix, draft_length, n_tokens, rng, stop, least):
        held = _HeldBack(target, len(prefix), stop, least)
        if exhibit.kind == DECODER:
            done = exhibit.function(held, draft, prefix, draft_length, n_tokens, rng, stop=stop)
            return getattr(done, "tokens", done)
        verify = {}
        if exhibit.kind == MODEL:
            held, draft = exhibit.function(target, draft, held.hold)
        elif exhibit.kind == DRAFT:
            draft = _Scout(exhibit.function, draft)
        else:
            verify = {"verify": as_verifier(exhibit)}
        return speculate(
            held, draft, prefix, draft_length, n_tokens, rng, stop=stop, **verify
        ).tokens

    return decode


class _HeldBack:
    def __init__(self, model, start, stop, least):
        self.model, self.vocabulary = model, model.vocabulary
        self.start, self.stop, self.least = start, stop, least

    def hold(self, law, prefix):
        if len(prefix) - self.start >= self.least or law[self.stop] == 1:
            return law
        law = law.copy()
        law[self.stop] = 0 * law[self.stop]
        return law / law.sum()

    def next_law(self, prefix):
        return self.hold(self.model.next_law(prefix), prefix)

    def score(self, prefix, tokens):
        rows = self.model.score(prefix, tokens)
        return np.stack([self.hold(row, prefix + tokens[:i]) for i, row in enumerate(rows)])


class _Scout:
    def __init__(self, function, model):
        self.function, self.model, self.vocabulary = function, model, model.vocabulary

    def propose(self, prefix, draft_length, rng):
        return self.function(self.model, prefix, draft_length, rng)


PASTED = {"ban": _ban, "candidates": _candidates, "patient": _patient, "least": _least}

KINDS = {
    "ban": {TOKEN},
    "candidates": {TOKEN},
    "patient": {TOKEN, BLOCK},
    "least": {DECODER, DRAFT, MODEL},
}

# Exhibits that do not fit, and why.
NO_TRACE = "the task asks for tokens, not for a trace"
ASKS_ANEW = "right, but its model asks the target anew for every row"
UNFIT = {
    "ban": {"residual written into the target": "it writes into the answer's own copy"},
    "candidates": {"accept if equal": "its own sample is thrown away with the first candidate"},
    "patient": {"block verification": "keeps more than the shares allow: another contract"},
    "least": {
        "acceptance overcounted": NO_TRACE,
        "target passes undercounted": NO_TRACE,
        "draft passes undercounted": NO_TRACE,
        "temperature applied twice": "to hold back twice is to hold back",
        "step on both": ASKS_ANEW,
        "step on the target only": ASKS_ANEW,
    },
}

# What an exhibit loses where it is not what its kind of mistake loses.
LOST = {
    ("candidates", "two coins for one test"): {"two_law", "two_kept", "two_edges"},
    # The draft is not used: the same law comes out whatever was drafted, which the tasks rule out.
    ("ban", "accept if equal"): TASKS["ban"][3],
    ("patient", "accept if equal"): TASKS["patient"][3],
    ("patient", "accept if equal, whole block"): TASKS["patient"][3],
    ("patient", "draft ignored"): TASKS["patient"][3],
    ("least", "one token at least"): {"least_edges"},
    # A pass for every token: the draft saves none, which the task asks for.
    ("least", "one token at a time"): {"least_law", "least_passes", "least_edges"},
    ("least", "plain decoding"): {"least_law", "least_passes", "least_edges"},
    ("least", "draft without context"): set(),
    ("least", "stops after an unlikely token"): set(),
}


def lost(task, exhibit):
    """The graders that must refuse it."""
    law, kept, edges = sorted(TASKS[task][3], key=_order)
    if (task, exhibit.name) in LOST:
        return LOST[task, exhibit.name]
    if exhibit.innocent:
        return set() if exhibit.reported == VARIANT else {kept, edges}
    return {BOUNDARY: {edges}, ROUNDING: {edges}, KEPT: {kept, edges}}.get(
        exhibit.needs, {law, kept, edges}
    )


def _order(name):
    return ["law", "kept", "passes", "edges"].index(name.rpartition("_")[2])


FITTING = {
    task: [e for e in MUSEUM if e.kind in kinds and e.name not in UNFIT[task]]
    for task, kinds in KINDS.items()
}
