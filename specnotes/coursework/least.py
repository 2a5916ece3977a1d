"""Graders of problem set 2: a decoder that holds its stop token back."""

from functools import cache

import numpy as np

from specnotes.audit import audit_decoder
from specnotes.audit.cases import BASE
from specnotes.audit.programs import decoder_program
from specnotes.audit.report import ACCEPTANCE
from specnotes.audit.run import every_coin
from specnotes.broken.toys import Toy, rows
from specnotes.checks.card import NotAttempted, Wrong, ask, exercise, show
from specnotes.checks.known import metered
from specnotes.coins import CannotEnumerate
from specnotes.coursework.answers import (
    COUNTED_LATER,
    count,
    refuse_findings,
    refuse_wrong_law,
)
from specnotes.decode import cut_round, is_finished
from specnotes.exact import round_law
from specnotes.models import transformed

SMALL = 1e-12

# Task 3: not before ``least`` tokens


def held_back(law, prefix, stop, least, start=0):
    """The law without the stop token, while fewer than ``least`` tokens follow the start."""
    if len(prefix) - start >= least or law[stop] == 1:
        return law
    held = law.copy()
    held[stop] = 0 * held[stop]
    return held / held.sum()


@exercise("law with a least length")
def least_law(function, you, final=False):
    """function(target, draft, prefix, draft_length, n_tokens, rng, stop, least) -> tokens."""
    for toy, least in _least_toys(you, final):
        _least_outcomes(function, toy, least)
    return (
        f"the law that was asked for, in {count(len(_least_toys(you, final)), 'setting')}, exactly"
    )


@exercise("passes with a least length")
def least_passes(function, you, final=False):
    """No more target passes than rounds with the raw draft need."""
    for toy, least in _least_toys(you, final):
        outcomes = _least_outcomes(function, toy, least)
        saved = sum(mass * one.kept for one, mass in outcomes.items())
        due = _saved(toy, least)
        if saved + outcomes.unexplored * toy.length < due - SMALL:
            raise Wrong(
                f"At {_least_setting(toy, least)}: {show(saved)} target passes are saved on "
                f"average; blocks save {show(due)}"
            )
    return "no target pass too many"


@exercise("the usual decoder, where least is 0")
def least_edges(function, you, final=False):
    """With least = 0 it is the usual decoder: an audit of that."""
    toy, least = _least_toys(you, False)[0]
    _least_outcomes(function, toy, least, check=False)
    if not final:
        return f"runs; {COUNTED_LATER}"

    def decoder(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
        return ask(function, target, draft, prefix, draft_length, n_tokens, rng, stop, 0)

    refuse_findings(audit_decoder(decoder), ACCEPTANCE)
    return "no counter-example among prefixes, zeros, stop tokens and boundary coins"


@cache
def _sticky_toys():
    uneven = rows((4, 1), (9, 11), (1, 3)), rows((1, 1), (2, 1), (1, 4))
    sticky = rows((1, 1), (9, 1), (1, 9)), rows((1, 1), (9, 1), (1, 9))
    certain = rows((1, 1), (0, 1), (1, 1)), rows((1, 2), (1, 1), (1, 1))
    return [
        (Toy("", *uneven, length=1, n_tokens=3, stop=1), 1),
        (Toy("", *uneven, length=2, n_tokens=2, stop=0), 2),
        (Toy("", *uneven, length=2, n_tokens=3, stop=1), 1),
        (Toy("", *uneven, length=1, n_tokens=2, stop=1, prefix=(0, 0)), 2),
        (Toy("", *uneven, length=1, n_tokens=2, stop=0), 3),
        (Toy("", *sticky, length=1, n_tokens=3, stop=1), 1),
        (Toy("", *certain, length=2, n_tokens=2, stop=1), 2),  # after 0 nothing else is possible
        (Toy("", *BASE, length=1, n_tokens=2, stop=2), 1),
    ]


def _least_toys(you, final):
    laws = (np.vstack([model.initial, model.matrix]) for model in (you.target, you.draft))
    own = Toy("", *laws, length=1, n_tokens=3, stop=you.stop, prefix=(you.start,))
    return [(own, you.least)] + (_sticky_toys() if final else [])


def _least_setting(toy, least):
    parts = f"γ = {toy.length}, n_tokens = {toy.n_tokens}, stop = {toy.stop}, least = {least}"
    return f"{parts}, prefix {show(toy.prefix)}, {toy}"


def _least_outcomes(function, toy, least, check=True):
    """Law of what happens, after a look at the law of the tokens."""
    at = _least_setting(toy, least)

    def decoder(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
        return ask(function, target, draft, prefix, draft_length, n_tokens, rng, stop, least, at=at)

    try:
        outcomes = every_coin(decoder_program(metered(decoder), toy))
    except CannotEnumerate as error:
        raise Wrong(f"At {at}: {error}") from None
    flaws = [flaw for outcome in outcomes for flaw in outcome.flaws]
    if flaws:
        if flaws[0][0] == "not attempted" or "NotAttempted" in flaws[0][1]:
            raise NotAttempted
        raise Wrong(f"At {at}: {flaws[0][0]}. {flaws[0][1]}")
    if check:
        law = {}
        for outcome, mass in outcomes.items():
            law[outcome.tokens] = law.get(outcome.tokens, 0) + mass
        where = toy.prefix, toy.stop, outcomes.unexplored
        refuse_wrong_law(law, _wanted(toy, least), toy.n_tokens, at, *where)
    return outcomes


def _wanted(toy, least):
    target, _ = toy.models
    start = len(toy.prefix)

    def step(law, prefix):
        return held_back(law, prefix, toy.stop, least, start)

    return transformed(target, step)


def _saved(toy, least):
    """Tokens less target passes, on average, of rounds with the raw draft."""
    target, (_, draft) = _wanted(toy, least), toy.models
    saved, growing = 0, {(): 1}
    while growing:
        tokens = min(growing, key=len)
        mass = growing.pop(tokens)
        if is_finished(tokens, toy.n_tokens, toy.stop):
            saved += mass * len(tokens)
            continue
        saved -= mass
        for whole, chance in round_law(target, draft, toy.prefix + tokens, toy.length).items():
            block = tokens + cut_round(whole, toy.n_tokens - len(tokens), toy.stop).emitted
            growing[block] = growing.get(block, 0) + mass * chance
    return saved
