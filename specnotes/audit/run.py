"""Run a program on every coin: in fractions, else in floats, else as far as its mass reaches."""

import warnings
from dataclasses import dataclass

import numpy as np

from specnotes.audit.judge import CLOSE, judge
from specnotes.audit.report import (
    ACCEPTANCE,
    CRASH,
    IMPURE,
    NAN,
    UNCLEAR,
    Finding,
    Report,
)
from specnotes.audit.shrink import smaller
from specnotes.coins import CannotEnumerate, OutcomeLaw, law_of

MOST_PATHS, MOST_DRAWS, SECONDS = 50_000, 100, 10  # for one toy
LEFTOVER = 1e-6
SHRINKS = 150  # tries per finding


@dataclass(frozen=True)
class Run:
    """Law of the outcomes on one toy, and how it was found."""

    law: OutcomeLaw
    exact: bool

    @property
    def unexplored(self):
        return self.law.unexplored

    @property
    def tolerance(self):
        return 0 if self.exact else CLOSE


def run(build, toy):
    """``build(toy, as_tokens=…)`` gives the program.  Float-only code is run again in floats."""
    law = every_coin(build(toy))
    if not toy.is_exact or not _raises(law):
        return Run(law, toy.is_exact)
    law = every_coin(build(toy.as_float()))
    if _raises(law):
        arrays = every_coin(build(toy.as_float(), as_tokens=np.asarray))
        law = law if _raises(arrays) else arrays
    return Run(law, False)


def every_coin(program):
    """Law of the program; one that may loop without bound is explored likeliest first."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return law_of(program, MOST_PATHS, MOST_DRAWS, seconds=SECONDS)
        except CannotEnumerate as error:
            if not str(error).startswith("more than"):
                raise
            return law_of(program, 3000, 10 * MOST_DRAWS, leftover=LEFTOVER, seconds=SECONDS)


def audit(name, build, toys, n_tokens, owed):
    """Judge the programs on all toys and shrink what was found.  -> Report"""
    found, runs = {}, []
    for toy in toys:
        try:
            runs.append(run(build, toy))
        except CannotEnumerate as error:
            kind = IMPURE if is_impure(error) else UNCLEAR
            found = {kind: Finding(kind, str(error), toy)}
            break
        for finding in judge(runs[-1], toy, n_tokens(toy), owed(toy)):
            found.setdefault(finding.kind, finding)
    if len(found) > 1:
        found.pop(ACCEPTANCE, None)  # of a wrong verifier it says nothing
    findings = tuple(_shrunk(finding, build, n_tokens, owed) for finding in found.values())
    return Report(name, findings, coverage(runs))


def coverage(runs):
    """What was covered, in words."""
    paths = sum(one.law.paths for one in runs)
    floats = sum(not one.exact for one in runs)
    text = f"{len(runs)} cases, {paths:,} paths of coins"
    text += ", exact" if not floats else f", {floats} of them in floats to {CLOSE:g}"
    unexplored = max((one.unexplored for one in runs), default=0)
    return text + (f", up to {float(unexplored):.1g} of the mass unexplored" if unexplored else "")


def is_impure(error):
    marks = ("hidden state", "keeps state", "draws from", "ignores its rng")
    return any(mark in str(error) for mark in marks)


def _shrunk(finding, build, n_tokens, owed):
    """The finding on the smallest toy that still shows it."""
    if finding.kind in (IMPURE, UNCLEAR):
        return finding
    tries, todo = 0, list(smaller(finding.toy))
    while todo and tries < SHRINKS:
        toy, tries = todo.pop(0), tries + 1
        try:
            findings = judge(run(build, toy), toy, n_tokens(toy), owed(toy))
        except CannotEnumerate:
            continue
        same = [found for found in findings if found.kind == finding.kind]
        alone = finding.kind != ACCEPTANCE or len(findings) == 1
        if same and alone:
            finding, todo = same[0], list(smaller(toy))
    return finding


def _raises(law):
    return any(kind in (CRASH, NAN) for outcome in law for kind, _ in outcome.flaws)
