"""The three audits: one token, one block, a whole decoder."""

from functools import partial

import numpy as np

from specnotes.audit.cases import BLOCK_TOYS, DECODER_TOYS, TOKEN_TOYS
from specnotes.audit.programs import block_program, decoder_program, takes_stop, token_program
from specnotes.audit.run import audit
from specnotes.decode import cut_round, is_finished
from specnotes.exact import round_law
from specnotes.laws import overlap


def audit_token(verify_token):
    """Audit ``verify_token(target, draft, token, rng)`` -> (token, accepted) on every coin."""
    build = partial(token_program, verify_token)
    return audit(name_of(verify_token), build, TOKEN_TOYS, lambda toy: 1, token_owed)


def audit_verifier(verify):
    """Audit ``verify(target_laws, draft_laws, tokens, rng)`` -> (accepted, token) on every coin.

    It is judged on the tokens that it emits, completed by the target.
    """
    build = partial(block_program, verify)
    return audit(name_of(verify), build, BLOCK_TOYS, lambda toy: toy.length + 1, block_owed)


def audit_decoder(speculate):
    """Audit ``speculate(target, draft, prefix, draft_length, n_tokens, rng, stop=None)``.

    It returns a ``Trace`` or the tokens alone; only a trace shows how many passes it needed.
    """
    build = partial(decoder_program, speculate)
    toys = [toy for toy in DECODER_TOYS if toy.stop is None or takes_stop(speculate)]
    return audit(name_of(speculate), build, toys, lambda toy: toy.n_tokens, decoder_owed)


def token_owed(toy):
    return overlap(toy.target, toy.draft)


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


def decoder_owed(toy):
    """Tokens less target passes of the token-wise decoder, on average."""
    target, draft = toy.models
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
    return getattr(function, "__name__", type(function).__name__)
