"""Tests that people use, from weak to strong, each exact; the audit is the last.

Each takes an exhibit of the museum and says whether it catches it.
"""

from dataclasses import dataclass, replace
from functools import cache

from specnotes.audit.cases import BASE, CONTEXT_TOYS, PAIR_TOYS, ROUNDED, SECOND
from specnotes.audit.judge import judge
from specnotes.audit.matrix import TASKS, as_verifier, audit_exhibit
from specnotes.audit.report import (
    ACCEPTANCE,
    BOUNDARY,
    COUNT,
    CRASH,
    IMPURE,
    INPUTS,
    JOINT,
    LENGTH,
    NAN,
    ONE_TOKEN,
    STOP,
)
from specnotes.audit.run import allowed, on_boundaries, run
from specnotes.audit.tasks import block_task
from specnotes.broken.exhibit import BLOCK, DECODER, DRAFT, MODEL, TOKEN
from specnotes.broken.toys import Toy, law, rows
from specnotes.coins import CannotEnumerate, Impure

LAW = {ONE_TOKEN, JOINT}


@dataclass(frozen=True, eq=False)
class Sees:
    """An exact test: looks at the first ``n_tokens`` of each toy, for some kinds of findings."""

    toys: list
    kinds: set
    for_loops: list | None = None  # smaller toys for whole loops, whose paths multiply

    @cache  # noqa: B019  (the battery lives as long as the museum)
    def __call__(self, exhibit):
        if self.kinds <= {LENGTH, STOP} and exhibit.kind != DECODER:
            return False  # only a loop can go too far
        task = replace(_task(exhibit), n_tokens=lambda toy: toy.n_tokens)
        if ACCEPTANCE not in self.kinds:
            task = replace(task, owed=lambda toy: None)
        small = self.for_loops and exhibit.kind in (DECODER, DRAFT, MODEL)
        toys, step = self.for_loops if small else self.toys, exhibit.toy.step
        toys = toys if step is None else [replace(toy, step=step) for toy in toys]
        return any(self._catches(task, toy) for toy in toys)

    def _catches(self, task, toy):
        try:
            one = run(task.build, toy)
        except CannotEnumerate as error:
            return IMPURE in self.kinds and isinstance(error, Impure)
        return any(found.kind in self.kinds for found in judge(one, toy, task, allowed([one])))


def boundary_coins(exhibit, toys=None, loops=None):
    """Does a token of target mass zero come out when a coin falls on a boundary?

    ``toys`` are tried, or ``loops`` with a whole loop; by default those of the audit.
    """
    task = _task(exhibit)
    chosen = loops if exhibit.kind == DECODER else toys
    findings, _, _ = on_boundaries(task if chosen is None else replace(task, edge_toys=chosen))
    return bool(findings)


def audit_says_wrong(exhibit):
    return not audit_exhibit(exhibit).ok


def audit_says_wasteful(exhibit):
    report = audit_exhibit(exhibit)
    return report.ok and not report.efficient


def _task(exhibit):
    if exhibit.kind in (TOKEN, BLOCK):
        return block_task(as_verifier(exhibit))
    return TASKS[exhibit.kind](exhibit.function)


def _sized(length, n_tokens, *pairs):
    return [Toy("", *pair, length=length, n_tokens=n_tokens) for pair in pairs]


_SURE = rows((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0))
_STRAYS_EARLY = rows((1, 0, 0), (0, 0, 1), (0, 0, 1), (0, 1, 0))
_STRAYS_LATE = rows((1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 1, 0))  # a whole draft is accepted
_EVEN = law(1, 1, 1), law(2, 3, 5)
_TWO = law(2, 1), law(1, 2)
_CONTEXTS = [replace(toy, n_tokens=toy.length + 1) for toy in CONTEXT_TOYS if toy.length < 3]
_LONGER = replace(CONTEXT_TOYS[0], length=1, n_tokens=4)

TESTS = {
    "greedy equality": Sees(_sized(2, 4, (_SURE, _STRAYS_EARLY), (_SURE, _STRAYS_LATE)), LAW),
    "first token, γ = 1": Sees(_sized(1, 1, BASE, SECOND), LAW),
    "first token, γ = 3": Sees(_sized(3, 1, BASE), LAW, for_loops=_sized(3, 1, _TWO)),
    "pairs, no context": Sees(_sized(1, 2, BASE, SECOND), LAW),
    "triples, no context": Sees(_sized(2, 3, _EVEN), LAW, for_loops=_sized(2, 3, _TWO)),
    "pairs and triples, contexts": Sees(
        _CONTEXTS, LAW, for_loops=[toy for toy in _CONTEXTS if toy.size == 2]
    ),
    "zeros, ties, equal laws": Sees(
        [replace(toy, n_tokens=1) for toy in PAIR_TOYS + ROUNDED],
        LAW | {NAN, CRASH, BOUNDARY},
    ),
    "length": Sees(
        _sized(1, 0, BASE) + _sized(2, 1, BASE) + [Toy("", *BASE, prefix=(1,))], {LENGTH}
    ),
    "stop token": Sees([Toy("", *_TWO, length=2, n_tokens=3, stop=1)], {STOP}),
    "acceptance count": Sees(
        [_LONGER, replace(_LONGER, draft=_LONGER.target)], {ACCEPTANCE, COUNT}
    ),
    "inputs unchanged": Sees(_sized(1, 2, BASE), {INPUTS}),
    "same coins again": Sees(_sized(1, 2, BASE), {IMPURE}),
    "boundary coins": boundary_coins,
    "audit: wrong": audit_says_wrong,
    "audit: wasteful": audit_says_wasteful,
}
