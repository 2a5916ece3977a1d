"""A stranger's verifier or decoder as a random program whose outcome tells all that happened.

Errors, changed inputs and impossible answers become part of the outcome, so that they get a
probability like any other.
"""

import inspect
import re
from functools import cache
from typing import NamedTuple

import numpy as np

from specnotes.audit.report import COUNT, CRASH, INPUTS, LENGTH, NAN, OPEN, STOP, VERDICT
from specnotes.coins import CannotEnumerate
from specnotes.decode import speculate
from specnotes.verify import verify_block

ADDRESS = re.compile(" at 0x[0-9a-f]+", re.IGNORECASE)


class Outcome(NamedTuple):
    """What one run did.  ``tokens`` is None if nothing usable came out."""

    tokens: tuple | None
    kept: int | None = None  # drafted tokens that cost no further target pass
    flaws: tuple = ()  # (kind, message)


class Flaw(Exception):
    """The answer cannot be right, whatever its law."""


def token_program(verify, toy, as_tokens=int):
    """One drafted token verified.  -> program(rng) -> Outcome"""

    def verified(rng, prefix, _):
        given = [model.next_law(prefix).copy() for model in toy.models]
        token = rng.choice(toy.size, p=given[1])
        return attempt(lambda: verify(*given, token, rng), read, (token,), given)

    def read(answer, drafted):
        token, accepted = _pair(answer, "(token, accepted)")
        token = whole(token, "token", toy.size - 1)
        accepted = whole(accepted, "accepted", 1)
        flaws = ()
        if accepted and token != drafted[0]:
            flaws = ((COUNT, f"drafted {drafted[0]}, accepted, and yet {token} came out"),)
        return Outcome((token,), accepted, flaws)

    return in_rounds(verified, toy)


def block_program(verify, toy, as_tokens=tuple):
    """One block drafted, scored and verified.  -> program(rng) -> Outcome"""
    target, draft = toy.models
    scored = cache(lambda *seen: (target.score(*seen), draft.score(*seen)[:-1]))

    def verified(rng, prefix, length):
        tokens = ()
        for _ in range(length):
            tokens += (rng.choice(toy.size, p=draft.next_law(prefix + tokens)),)
        given = [laws.copy() for laws in scored(prefix, tokens)] + [as_tokens(tokens)]
        return attempt(lambda: verify(*given, rng), read, tokens, given)

    def read(answer, drafted):
        accepted, token = _pair(answer, "(accepted, token)")
        accepted = whole(accepted, "accepted", len(drafted))
        token = whole(token, "token", toy.size - 1)
        return Outcome(drafted[:accepted] + (token,), accepted)

    return in_rounds(verified, toy)


def in_rounds(verified, toy):
    """``toy.rounds`` calls of verified(rng, prefix, length) with one generator: a verifier must
    carry nothing from one to the next.  -> program(rng) -> Outcome
    """

    def program(rng):
        outcome = verified(rng, toy.prefix, toy.length)
        for length in toy.lengths[1:]:
            if outcome.flaws:
                break
            after = verified(rng, toy.prefix + outcome.tokens, length)
            tokens = None if after.tokens is None else outcome.tokens + after.tokens
            outcome = Outcome(tokens, None, after.flaws)
        return outcome

    return program


def decoder_program(decoder, toy, as_tokens=tuple):
    """A whole sequence decoded.  -> program(rng) -> Outcome"""
    target, draft = toy.models
    options = {} if toy.stop is None else {"stop": toy.stop}

    def program(rng):
        given = (target, draft, as_tokens(toy.prefix), toy.length, toy.n_tokens, rng)
        return attempt(lambda: decoder(*given, **options), read, ())

    def read(answer, _):
        tokens = getattr(answer, "tokens", answer)
        if not isinstance(tokens, (tuple, list, np.ndarray)):
            raise Flaw(VERDICT, f"it returned {answer!r}, not a trace or a tuple of tokens")
        tokens = tuple(whole(t, f"tokens[{i}]", toy.size - 1) for i, t in enumerate(tokens))
        check_length(tokens, toy)
        passes = getattr(answer, "target_passes", None)
        kept = None if passes is None else len(tokens) - passes
        return Outcome(tokens, kept, tuple(ledger_flaws(answer, tokens)))

    return program


def draft_program(propose, toy, as_tokens=tuple):
    """One round of the right verifier on what a scout proposes.  -> program(rng) -> Outcome"""
    target, draft = toy.models

    def program(rng):
        return attempt(lambda: propose(draft, as_tokens(toy.prefix), toy.length, rng), read, rng)

    def read(answer, rng):
        tokens, laws = _pair(answer, "(tokens, laws)")
        tokens = tuple(whole(t, f"tokens[{i}]", toy.size - 1) for i, t in enumerate(tokens))
        accepted, token = verify_block(target.score(toy.prefix, tokens), laws, tokens, rng)
        return Outcome(tokens[:accepted] + (token,), accepted)

    return program


def model_program(prepare, toy, as_tokens=tuple):
    """The right loop on models that went through a step.  -> program(rng) -> Outcome"""
    prepared = cache(lambda: prepare(*toy.models, toy.step))

    def program(rng):
        return attempt(prepared, read, rng)

    def read(answer, rng):
        models = _pair(answer, "(target, draft)")
        trace = speculate(*models, toy.prefix, toy.length, toy.n_tokens, rng)
        return Outcome(trace.tokens, len(trace.tokens) - trace.target_passes)

    return program


PROGRAMS_OF_LOOPS = decoder_program, model_program  # these ask for a number of tokens


def attempt(call, read, context, given=()):
    """The outcome of one call on arrays that it must leave alone."""
    given = [thing for thing in given if isinstance(thing, np.ndarray)]
    before = [(thing.tobytes(), thing.copy()) for thing in given]
    try:
        answer = call()
        if answer is ...:
            raise Flaw(OPEN, "")
        outcome = read(answer, context)
    except CannotEnumerate:
        raise
    except Flaw as flaw:
        return Outcome(None, flaws=(flaw.args,))
    except Exception as error:
        return Outcome(None, flaws=(describe(error),))
    # The same bytes are the same numbers; other bytes may be, such as another 1/2.
    if any(now.tobytes() != b and not np.array_equal(now, a) for now, (b, a) in zip(given, before)):
        outcome = outcome._replace(flaws=(*outcome.flaws, (INPUTS, "")))
    return outcome


def describe(error):
    """(kind, message) of an exception."""
    text = ADDRESS.sub("", f"{type(error).__name__}: {error}")  # no two runs have the same ones
    if "read-only" in text:
        return INPUTS, f"it writes into a law of a model ({text})"
    return NAN if "nan" in text.lower().replace("nance", "") else CRASH, text


def whole(value, name, most):
    """``value`` as an int from 0 to ``most``; NumPy's and PyTorch's scalars count."""
    if hasattr(value, "item") and np.prod(getattr(value, "shape", ())) == 1:
        value = value.item()
    if value != value:
        raise Flaw(NAN, f"{name} is NaN")
    if isinstance(value, int) and 0 <= value <= most:
        return int(value)
    raise Flaw(VERDICT, f"{name} is {value!r}, not a whole number from 0 to {most}")


def check_length(tokens, toy):
    if toy.stop in tokens[:-1]:
        raise Flaw(STOP, f"it emits {tokens} with stop token {toy.stop}")
    if len(tokens) > toy.n_tokens:
        raise Flaw(LENGTH, f"{len(tokens)} tokens where n_tokens is {toy.n_tokens}")
    stopped = toy.stop in tokens and toy.stop is not None
    if len(tokens) < toy.n_tokens and not stopped:
        raise Flaw(LENGTH, f"only {len(tokens)} tokens where n_tokens is {toy.n_tokens}")


def ledger_flaws(trace, tokens):
    """Do the trace's rounds and passes add up, and are accepted tokens the drafted ones?"""
    rounds = getattr(trace, "rounds", None)
    if rounds is None:
        return
    if sum((tuple(r.emitted) for r in rounds), ()) != tokens:
        yield COUNT, "the rounds' emitted tokens are not the trace's tokens"
    for one in rounds:
        both = list(zip(one.drafted, one.emitted))[: one.accepted]
        if one.accepted > len(one.drafted) or any(a != b for a, b in both):
            drafted, emitted = tuple(one.drafted), tuple(one.emitted)
            yield COUNT, f"drafted {drafted}, emitted {emitted}, counted as {one.accepted} accepted"
    if getattr(trace, "target_passes", len(rounds)) != len(rounds):
        yield COUNT, f"target_passes is {trace.target_passes} for {len(rounds)} rounds"
    drafted = sum(len(one.drafted) for one in rounds)
    if getattr(trace, "draft_passes", drafted) != drafted:
        yield COUNT, f"draft_passes is {trace.draft_passes} for {drafted} drafted tokens"


def takes_stop(function):
    """Can ``function`` be called with stop=…?"""
    parameters = inspect.signature(function).parameters.values()
    return any(p.name == "stop" or p.kind is p.VAR_KEYWORD for p in parameters)


def _pair(answer, form):
    try:
        first, second = answer
    except (TypeError, ValueError):
        raise Flaw(VERDICT, f"it returned {answer!r}, not {form}") from None
    return first, second
