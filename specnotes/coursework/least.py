"""Graders of problem set 2: a decoder that holds its stop token back."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache, partial

import numpy as np

from specnotes.audit.cases import BASE
from specnotes.audit.kinds import audit_task
from specnotes.audit.programs import decoder_program
from specnotes.audit.report import ACCEPTANCE, OPEN
from specnotes.audit.run import every_coin
from specnotes.audit.tasks import decoder_task
from specnotes.broken.toys import Toy, rows
from specnotes.checks.card import NotAttempted, Wrong, ask, exercise, show
from specnotes.checks.known import metered
from specnotes.coins import CannotEnumerate
from specnotes.coursework.answers import (
    MORE_LATER,
    a_few,
    after,
    count,
    refuse_findings,
    refuse_other_coins,
)
from specnotes.coursework.loops import mean, refuse_wrong_law
from specnotes.coursework.memory import recalled, remembered
from specnotes.coursework.parse import described
from specnotes.decode import cut_round, is_finished
from specnotes.exact import round_law, sequence_law
from specnotes.models import MarkovModel, transformed

SMALL = 1e-12
TEXTS = 150  # to look for one in which a draft saves a pass

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
    toys = _least_toys(you, final)
    (toy, least), *_ = toys
    given = *toy.models, toy.prefix, toy.length, toy.n_tokens
    refuse_other_coins(lambda rng: function(*given, rng, toy.stop, least))
    for toy, least in toys:
        _least_outcomes(function, toy, least)
    _refuse_plain_decoding(function, you)
    return f"the law that was asked for, in {count(len(toys), 'setting')}, exactly"


@exercise("passes with a least length")
def least_passes(function, you, final=False):
    """No more target passes than rounds with the raw draft need."""
    for toy, least in _least_toys(you, final):
        _refuse_passes(function, toy, least)
    return "no target pass too many"


@exercise("the usual decoder, where least is 0")
def least_edges(function, you, final=False):
    """With least = 0 it is the usual decoder: an audit of that."""

    def decoder(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
        return function(target, draft, prefix, draft_length, n_tokens, rng, stop, 0)

    for toy, least in _least_toys(you, final):
        after("law and passes", _refuse_passes, function, toy, least)
    task = decoder_task(decoder)
    report = audit_task(task if final else a_few(task))
    refuse_findings(report, ACCEPTANCE)
    return f"no counter-example in {report.covered}{'' if final else MORE_LATER}"


def _refuse_plain_decoding(function, you):
    """Some text must cost fewer target passes than tokens, be there one too many in every round.

    A whole draft is kept with chance 1/8 at least, so a decoder that keeps drafts fails to show it
    in all texts with chance 3e-9; the seed is fixed, so the verdict is always the same.
    """
    rng, decoder = np.random.default_rng(2), partial(_without_least, function)
    length, models = 3, [_as_float(model) for model in (you.target, you.draft)]
    for _ in range(TEXTS):
        answer = metered(decoder)(*models, (you.start,), length, length + 1, rng)
        if answer is not ... and answer.target_passes <= length:
            return
    raise Wrong(
        f"the law is right, but in {TEXTS} texts of {length + 1} tokens, with γ = {length}, no "
        "drafted token ever saved a target pass: that is plain decoding, and the draft is there to "
        "be used"
    )


def _without_least(function, target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    """Asked for 0 tokens at least, and for no stop token."""
    at = f"γ = {draft_length}, n_tokens = {n_tokens}, stop = None, least = 0"
    return ask(function, target, draft, prefix, draft_length, n_tokens, rng, stop, 0, at=at)


def _as_float(model):
    return MarkovModel(model.matrix.astype(float), model.initial.astype(float), model.vocabulary)


def _refuse_passes(function, toy, least):
    at = _least_setting(toy, least)
    outcomes = after("the law", _least_outcomes, function, toy, least)
    program = _least_program(function, toy, least)

    def saved(outcome):  # from 0 to 1
        return Fraction(outcome.kept + toy.n_tokens, 2 * toy.n_tokens)

    _, most = mean(outcomes, saved, lambda rng: saved(program(rng)))
    wanted, due = _right(toy, least)
    most = toy.n_tokens * (2 * most - 1)
    if most < due - SMALL:
        length = sum(mass * len(tokens) for tokens, mass in wanted.items())
        raise Wrong(
            f"At {at}: you make {float(length - most):.3f} target passes for a text, on average; "
            f"the usual rounds make {float(length - due):.3f}"
        )


@cache
def _sticky_toys():
    uneven = rows((4, 1), (9, 11), (1, 3)), rows((1, 1), (2, 1), (1, 4))
    sticky = rows((1, 1), (9, 1), (1, 9)), rows((1, 1), (9, 1), (1, 9))
    certain = rows((1, 1), (0, 1), (1, 1)), rows((1, 2), (1, 1), (1, 1))
    nearly = rows((1, 1), (1, 10**10), (1, 1)), rows((1, 2), (1, 1), (1, 1))
    return [
        (Toy("", *uneven, length=1, n_tokens=3, stop=1), 1),
        (Toy("", *uneven, length=2, n_tokens=2, stop=0), 2),
        (Toy("", *uneven, length=2, n_tokens=3, stop=1), 1),
        (Toy("", *uneven, length=1, n_tokens=2, stop=1, prefix=(0, 0)), 2),
        (Toy("", *uneven, length=1, n_tokens=2, stop=0), 3),
        (Toy("", *sticky, length=1, n_tokens=3, stop=1), 1),
        (Toy("", *certain, length=2, n_tokens=2, stop=1), 2),  # after 0 nothing else is possible
        (Toy("", *nearly, length=1, n_tokens=2, stop=1), 2),  # something else is, just
        (Toy("", *BASE, length=1, n_tokens=2, stop=2), 1),
    ]


def _least_toys(you, final):
    laws = (np.vstack([model.initial, model.matrix]) for model in (you.target, you.draft))
    own = Toy("your models", *laws, length=1, n_tokens=3, stop=you.stop, prefix=(you.start,))
    return [(own, you.least)] + (_sticky_toys() if final else [])


def _least_setting(toy, least):
    parts = f"γ = {toy.length}, n_tokens = {toy.n_tokens}, stop = {toy.stop}, least = {least}"
    return f"{parts}, prefix {show(toy.prefix)}, {toy.name or toy}"


def _least_program(function, toy, least):
    """program(rng) -> Outcome, or ``Wrong``"""
    at = _least_setting(toy, least)

    def decoder(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
        given = target, draft, prefix, draft_length, n_tokens, rng, stop, least
        answer = ask(function, *given, at=at)
        if answer is None or isinstance(answer, (str, Iterator, int)):
            raise Wrong(f"At {at}: return a tuple of tokens; yours is {described(answer)}")
        return answer

    run = decoder_program(metered(decoder), toy)

    def program(rng):
        outcome = run(rng)
        for kind, said in outcome.flaws:
            if kind == OPEN or "NotAttempted" in said:
                raise NotAttempted
            raise Wrong(said.removeprefix("Wrong: ") if "At " in said else f"At {at}: {said}")
        return outcome

    return program


@remembered
def _least_outcomes(function, toy, least):
    """Law of what happens, after a look at the law of the tokens."""
    at, program = _least_setting(toy, least), _least_program(function, toy, least)
    try:
        outcomes = every_coin(program)
    except CannotEnumerate as error:
        raise Wrong(f"At {at}: {error}") from None
    wanted, _ = _right(toy, least)
    refuse_wrong_law(outcomes, lambda o: o.tokens, wanted, lambda rng: program(rng).tokens, at)
    return outcomes


def _wanted(toy, least):
    target, _ = toy.models
    start = len(toy.prefix)

    def step(law, prefix):
        return held_back(law, prefix, toy.stop, least, start)

    return transformed(target, step)


def prepare():
    """Let hidden tests know what is right in the settings that all students share."""
    for setting in _sticky_toys():
        _right(*setting)


def _right(toy, least):
    """(law of the texts, tokens less target passes on average)"""
    key = "right", toy.key, toy.n_tokens, least
    return recalled(partial(_worked_out, toy, least), *key)


def _worked_out(toy, least):
    law = sequence_law(_wanted(toy, least), toy.prefix, toy.n_tokens, toy.stop)
    return law, _saved(toy, least)


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
