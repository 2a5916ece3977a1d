"""Verifiers on trial: a test meets them without names, in an order that nobody can foresee.

It is there to keep honest students from fooling themselves.  Who digs in the memory of a course
finds its answers; there are quicker ways to do nothing.
"""

import sys
import warnings
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from random import SystemRandom
from weakref import WeakKeyDictionary

import numpy as np

from specnotes.audit.run import audit
from specnotes.audit.sample import audit_by_sampling

AUDITS = {audit.__code__, audit_by_sampling.__code__}  # all of our audits go through these
_records = WeakKeyDictionary()  # Suspect → Record; no attribute, lest a test reads it


@dataclass
class Record:
    """What is behind a suspect, and what a test did with it."""

    verify: Callable
    calls: int = 0
    audited: bool = False


class Suspect:
    """A verifier without a name of its own and nothing inside: it can be called, no more."""

    __slots__ = ("__weakref__",)
    __name__ = "suspect"

    def __call__(self, target_laws, draft_laws, tokens, rng):
        record = _records[self]
        record.calls += 1
        record.audited = record.audited or _is_audited()
        return record.verify(target_laws, draft_laws, tokens, rng)

    def __deepcopy__(self, memo):
        return self


def suspect(verify):
    """(Suspect, Record) of a verifier."""
    unnamed, record = Suspect(), Record(verify)
    _records[unnamed] = record
    return unnamed, record


def _is_audited():
    """Is one of our audits among the callers, by whatever name it was called?"""
    frame = sys._getframe(2)
    while frame is not None and frame.f_code not in AUDITS:
        frame = frame.f_back
    return frame is not None


def shuffled(things):
    """In an order that no seed foretells."""
    order = list(things)
    SystemRandom().shuffle(order)
    return order


@contextmanager
def quiet():
    """A broken verifier may warn; its verdict is what counts."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def exhibit(name):
    """The museum's exhibit of that name."""
    from specnotes.broken import MUSEUM

    return next(one for one in MUSEUM if one.name == name)
