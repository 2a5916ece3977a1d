"""What each kind of audit runs, on which toys, and how much of the draft it must keep."""

from functools import partial, wraps

import numpy as np

from specnotes.audit.cases import (
    BLOCK_TOYS,
    DECODER_EDGES,
    DECODER_TOYS,
    DRAFT_TOYS,
    EDGE_TOYS,
    MODEL_TOYS,
    SAMPLE_DECODER_TOYS,
    SAMPLE_TOYS,
    TOKEN_TOYS,
)
from specnotes.audit.programs import (
    block_program,
    decoder_program,
    draft_program,
    model_program,
    takes_stop,
    token_program,
)
from specnotes.audit.run import Task
from specnotes.decode import cut_round, is_finished
from specnotes.exact import round_law
from specnotes.laws import overlap
from specnotes.models import transformed


def token_task(verify_token):
    build = partial(token_program, verify_token)
    name = name_of(verify_token)
    samples = [toy for toy in SAMPLE_TOYS if toy.draft.ndim == 1]
    return Task(name, build, TOKEN_TOYS, EDGE_TOYS, samples, lambda toy: toy.rounds, token_owed)


def block_task(verify):
    build = partial(block_program, verify)
    toys = BLOCK_TOYS, EDGE_TOYS, SAMPLE_TOYS
    return Task(name_of(verify), build, *toys, lambda toy: toy.length + toy.rounds, block_owed)


def decoder_task(speculate):
    build = partial(decoder_program, speculate)
    stops = takes_stop(speculate)
    toys, samples = (
        [toy for toy in toys if toy.stop is None or stops]
        for toys in (DECODER_TOYS, SAMPLE_DECODER_TOYS)
    )
    edges = DECODER_EDGES
    return Task(name_of(speculate), build, toys, edges, samples, wanted_tokens, decoder_owed)


def draft_task(propose):
    build = partial(draft_program, propose)
    name = name_of(propose)
    return Task(name, build, DRAFT_TOYS, [], [], lambda toy: toy.length + 1, block_owed)


def model_task(prepare):
    build = partial(model_program, prepare)
    return Task(name_of(prepare), build, MODEL_TOYS, [], [], wanted_tokens, model_owed)


def wanted_tokens(toy):
    return toy.n_tokens


def once_a_toy(owed):
    @wraps(owed)
    def known(toy):
        if owed not in toy.known:
            toy.known[owed] = owed(toy)
        return toy.known[owed]

    return known


@once_a_toy
def token_owed(toy):
    """Chance that the drafted token is kept."""
    if toy.rounds > 1:
        return None
    return overlap(*(model.next_law(toy.prefix) for model in toy.models))


@once_a_toy
def block_owed(toy):
    """Drafted tokens kept by the token-wise rule, on average."""
    target, draft = toy.models
    owed, alive = 0, {(): 1}
    for _ in range(toy.length):
        alive = {
            (*tokens, token): mass * shared
            for tokens, mass in alive.items()
            for token, shared in enumerate(
                np.minimum(*(m.next_law(toy.prefix + tokens) for m in (target, draft)))
            )
            if shared > 0
        }
        owed += sum(alive.values())
    return owed


@once_a_toy
def decoder_owed(toy):
    """Tokens less target passes of the token-wise decoder, on average."""
    return saved_passes(*toy.models, toy)


@once_a_toy
def model_owed(toy):
    """The same, with both models after the step."""
    return saved_passes(*(transformed(model, toy.step) for model in toy.models), toy)


def saved_passes(target, draft, toy):
    owed, growing = 0, {(): 1}
    while growing:
        tokens = min(growing, key=len)
        mass = growing.pop(tokens)
        if is_finished(tokens, toy.n_tokens, toy.stop):
            owed += mass * len(tokens)
            continue
        owed -= mass
        for whole, chance in round_law(target, draft, toy.prefix + tokens, toy.length).items():
            block = tokens + cut_round(whole, toy.n_tokens - len(tokens), toy.stop).emitted
            growing[block] = growing.get(block, 0) + mass * chance
    return owed


def name_of(function):
    if isinstance(function, partial):
        return name_of(function.func)
    name = getattr(function, "__qualname__", type(function).__name__)  # a method's with its class
    return name.rpartition("<locals>.")[2]


TASKS = {
    "token": token_task,
    "block": block_task,
    "decoder": decoder_task,
    "draft": draft_task,
    "model": model_task,
}
