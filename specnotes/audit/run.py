"""Run a program on every coin: in fractions, else in floats, else as far as its mass reaches."""

import warnings
from collections.abc import Callable
from contextlib import contextmanager, suppress
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from specnotes.audit.cases import POWERS_OF_TWO
from specnotes.audit.edges import edge_findings, on_edges
from specnotes.audit.judge import CLOSE, SINGLE, judge, rounding
from specnotes.audit.programs import PROGRAMS_OF_LOOPS
from specnotes.audit.report import (
    ACCEPTANCE,
    CRASH,
    IMPURE,
    NAN,
    ROUNDED,
    STATE,
    UNCLEAR,
    Finding,
    Report,
)
from specnotes.audit.shrink import smaller
from specnotes.coins import CannotEnumerate, Impure, OutcomeLaw, Runaway, law_of

MOST_PATHS, MOST_DRAWS, SECONDS = 50_000, 100, 10  # for one toy
PATHS_OF_A_LOOP, LEFTOVER = 150, 1e-3  # of a program that may go on for ever
MOST_EDGES = 20_000
MOST_TO_SHRINK, LOOPS_COST = 2_000, 5  # paths, for one finding; of a loop they are long


@dataclass(frozen=True)
class Task:
    """What is audited, on which toys, against what."""

    name: str
    build: Callable  # (toy, as_tokens=…) -> program(rng) -> Outcome
    toys: list
    edge_toys: list
    sample_toys: list
    n_tokens: Callable  # of a toy: how many tokens are judged
    owed: Callable  # of a toy: drafted tokens that the overlap allows to keep, on average


@dataclass(frozen=True)
class Run:
    """Law of the outcomes on one toy, and how it was found."""

    law: OutcomeLaw
    exact: bool
    as_tokens: Callable = tuple  # how the code wants its tokens

    @property
    def unexplored(self):
        return self.law.unexplored


def audit(task, shrink=True, tolerance=0):
    """Judge the program on all toys, then on boundary coins.  -> Report

    ``shrink`` looks for the smallest counter-example; it may take longer than the audit.  Of code
    that computes in floats, errors up to ``tolerance`` pass, if that is more than we allow anyway.
    """
    runs, fresh = [], _copied(task.build)
    for toy in task.toys:
        try:
            runs.append(run(task.build, toy, follow=True))
        except CannotEnumerate as error:
            kind = IMPURE if isinstance(error, Impure) else UNCLEAR
            return Report(task.name, (Finding(kind, str(error), toy),), coverage(runs))
    pairs = list(zip(runs, task.toys))
    in_floats = any(toy.is_exact and not one.exact for one, toy in pairs)
    tolerance = max(allowed(runs), tolerance) if in_floats else 0
    found = _first_of_each_kind(pairs, task, tolerance)
    if found and fresh is not None:
        found = _without_state(found, replace(task, build=fresh), tolerance)
    notes = _notes(pairs, task, tolerance) if in_floats else []
    if in_floats:
        found = _without_rounding(found, task)
    covered = coverage(runs)
    if found.keys() <= {ACCEPTANCE}:
        edges, paths, skipped = on_boundaries(task, runs[-1].as_tokens)
        found.update((finding.kind, finding) for finding in edges)
        covered += f"; {paths:,} of boundary coins" if paths else ""
        notes += skipped
    if shrink and ROUNDED not in found:
        found = {kind: _shrunk(one, task, tolerance) for kind, one in found.items()}
    left = max((float(one.unexplored) for one in runs), default=0)
    notes = tuple(dict.fromkeys(notes))
    return Report(task.name, tuple(found.values()), covered, notes, unexplored=left)


def _notes(pairs, task, tolerance):
    """What code in floats does by rounding alone, and what passes for it."""
    notes = [note for one, toy in pairs for note in rounding(one, toy, task)]
    if tolerance > allowed([one for one, _ in pairs]):
        notes.append(f"errors of a law of up to {tolerance:g} pass, as you asked")
    return notes


def _copied(build):
    """What is audited, before it has seen anything; None if it cannot be copied."""
    with suppress(Exception):
        return deepcopy(build)


def _without_state(found, fresh, tolerance):
    """A finding that a fresh copy of a stateful object does not show is about its state."""
    named = {}
    for kind, finding in found.items():
        with suppress(CannotEnumerate):
            one = run(deepcopy(fresh.build), finding.toy)
            found_now = judge(one, finding.toy, fresh, _for(finding.toy, tolerance))
            again = {other.kind for other in found_now}
            kind = kind if kind in again else STATE
        named.setdefault(kind, replace(finding, kind=kind))
    return named


@contextmanager
def remembering():
    """In the block, no function is run twice on the same laws: for many tests of one function."""
    global _remembered
    before, _remembered = _remembered, {} if _remembered is None else _remembered
    try:
        yield
    finally:
        _remembered = before


_remembered = None  # (program, function, toy's laws) → its Run, or why there is none


def _without_rounding(found, task):
    """What is off by as little as single precision rounds, and right where it rounds nothing."""
    small = [one for one in found.values() if _is_small(one)]
    if not small or len(small) < len(found):
        return found
    for length in (1, 2):
        toy = replace(POWERS_OF_TWO, length=length, step=small[0].toy.step)
        with suppress(CannotEnumerate):
            one = run(task.build, toy)
            if not judge(one, toy, replace(task, owed=lambda toy: None), CLOSE):
                continue
        return found
    size = f"{small[0].message} (single precision rounds each number by up to 6e-8 of it)"
    return {ROUNDED: replace(small[0], kind=ROUNDED, message=size)}


def run(build, toy, follow=False):
    """The law on one toy.  Float-only code is run again in floats, then on arrays of tokens."""
    if _remembered is None or not isinstance(build, partial):
        return _run(build, toy, follow)
    key = (build.func, *build.args, toy.key, build.func in PROGRAMS_OF_LOOPS and toy.n_tokens)
    if (*key, follow) not in _remembered:
        try:
            known = _run(build, toy, follow)
        except CannotEnumerate as error:
            known = error
        for other in (follow,) if getattr(known, "unexplored", 0) else (True, False):
            _remembered[*key, other] = known
    known = _remembered[*key, follow]
    if isinstance(known, CannotEnumerate):
        raise known
    return known


def _run(build, toy, follow):
    law = every_coin(build(toy), follow=follow)
    if not _raises(law):
        return Run(law, toy.is_exact and _in_fractions(law))
    floats = toy.as_float()
    for as_tokens in (tuple, np.asarray):
        again = every_coin(build(floats, as_tokens=as_tokens), follow=follow)
        if not _raises(again):
            return Run(again, False, as_tokens)
    return Run(law, False)


def allowed(runs):
    """The error of a law that rounding may cost."""
    if any(one.law.single for one in runs):
        return SINGLE
    return 0 if all(one.exact for one in runs) else CLOSE


def every_coin(program, most_paths=MOST_PATHS, follow=False):
    """Law of the program; one that may loop without bound is explored likeliest first.

    With ``follow``, where a loop's mass runs out quickly, until next to none is left.
    """
    try:
        return quiet_law_of(program, most_paths, MOST_DRAWS)
    except Runaway:
        law = _explored(program, PATHS_OF_A_LOOP, 1e-6)
    if follow and LEFTOVER < law.unexplored < 10 * LEFTOVER:
        return _explored(program, 10 * PATHS_OF_A_LOOP, LEFTOVER)
    return law


def _explored(program, paths, leftover):
    return quiet_law_of(program, paths, 10 * MOST_DRAWS, leftover=leftover)


def quiet_law_of(program, max_paths, max_draws, **options):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return law_of(program, max_paths, max_draws, seconds=SECONDS, **options)


def coverage(runs):
    """What was covered, in words."""
    paths = sum(one.law.paths for one in runs)
    floats = sum(not one.exact for one in runs)
    text = f"{len(runs)} cases, {paths:,} paths of coins"
    text += f", {floats} cases in floats to {CLOSE:g}" if floats else ""
    open_ends = [float(one.unexplored) for one in runs if one.unexplored]
    if open_ends:
        far = sum(mass <= LEFTOVER for mass in open_ends)
        text += f", {len(open_ends)} of them loops without bound ({far} with at most {LEFTOVER:g} "
        text += f"of the mass unexplored, the others with up to {max(open_ends):.2g})"
    return text


def _first_of_each_kind(pairs, task, tolerance):
    """kind → finding.  Of a wrong verifier, how much it keeps says nothing."""
    found = {}
    for one, toy in pairs:
        for finding in judge(one, toy, task, _for(toy, tolerance)):
            known = found.get(finding.kind)
            if known is None or _is_small(known) and finding.distance > known.distance:
                found[finding.kind] = finding
    if len(found) > 1:
        found.pop(ACCEPTANCE, None)
    return found


def _for(toy, tolerance):
    """A toy of floats has its rounding in any case."""
    return tolerance or (0 if toy.is_exact else CLOSE)


def _is_small(finding):
    return finding.distance is not None and finding.distance <= SINGLE


def _shrunk(finding, task, tolerance):
    """The finding on the smallest toy that still shows it."""
    paths, todo = 0, list(smaller(finding.toy))
    while todo and paths < MOST_TO_SHRINK:
        toy = todo.pop(0)
        try:
            one = run(task.build, toy)
        except CannotEnumerate:
            continue
        paths += one.law.paths * (LOOPS_COST if one.unexplored else 1)
        findings = judge(one, toy, task, _for(toy, tolerance))
        same = [found for found in findings if found.kind == finding.kind]
        if same and (finding.kind != ACCEPTANCE or len(findings) == 1):
            finding, todo = same[0], list(smaller(toy))
    return finding


def on_boundaries(task, as_tokens=tuple):
    """(findings, paths, notes)"""
    paths = 0
    for toy in task.edge_toys:
        try:
            law = every_coin(on_edges(task.build(toy, as_tokens=as_tokens)), MOST_EDGES)
        except CannotEnumerate as error:
            return [], paths, [f"boundary coins not tried on {toy.name}: {error}"]
        paths += law.paths
        findings = edge_findings(law, toy)
        if findings:
            return findings, paths, []
    return [], paths, []


def _in_fractions(law):
    return not any(isinstance(mass, (float, np.floating)) for mass in law.values())


def _raises(law):
    return any(kind in (CRASH, NAN) for outcome in law for kind, _ in outcome.flaws)
