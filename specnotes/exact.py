"""Exact laws of whole sequences, by enumeration.

``decoder_law`` runs the real round of ``decode`` on every coin and composes the rounds; it holds
no second copy of the algorithm.  Cost: one enumeration of a round per distinct prefix, so about
V^n_tokens prefixes, or the V + 1 last tokens of Markov models, of up to
V^draft_length · (draft_length + 1) paths.  (Raw ``law_of(speculate)`` multiplies the paths of
successive rounds instead of adding them.)
"""

from specnotes.coins import OutcomeLaw, law_of
from specnotes.decode import (
    check_draft,
    check_start,
    cut_round,
    is_finished,
    length_now,
    one_round,
)
from specnotes.models import MarkovModel
from specnotes.verify import verify_block


def sequence_law(model, prefix, n_tokens, stop=None):
    """Law of plain decoding, by the chain rule.  -> dict tuple → probability"""
    prefix, stop = check_start(model, prefix, n_tokens, stop)
    law, growing = {}, {(): 1}
    while growing:
        tokens, mass = growing.popitem()
        if is_finished(tokens, n_tokens, stop):
            law[tokens] = mass
            continue
        for token, chance in enumerate(model.next_law(prefix + tokens)):
            if chance > 0:
                growing[(*tokens, token)] = mass * chance
    return law


def round_law(target, draft, prefix, draft_length, verify=verify_block):
    """Law of one uncut ``Round`` of speculative decoding.  -> dict Round → probability"""
    check_draft(target, draft)
    prefix, _ = check_start(target, prefix, 0, None, "target")
    length = length_now(draft_length, prefix, ())
    return law_of(lambda rng: one_round(target, draft, prefix, length, rng, verify))


def decoder_law(target, draft, prefix, draft_length, n_tokens, verify=verify_block, stop=None):
    """Law of ``speculate(…).tokens``, composed from rounds.  -> dict tuple → probability

    States are taken shortest first, so that each prefix is met once with all its mass; if
    ``draft_length`` is a function, the rounds so far are part of the state.  A round is enumerated
    once for each draft length and prefix, of which two Markov models see the last token.
    """
    check_draft(target, draft)
    prefix, stop = check_start(target, prefix, n_tokens, stop, "target")
    adaptive = callable(draft_length)
    seen = -1 if type(target) is type(draft) is MarkovModel else 0  # the last token, or all
    law, growing, known = OutcomeLaw(), {((), ()): 1}, {}
    while growing:
        tokens, rounds = min(growing, key=lambda state: len(state[0]))
        mass = growing.pop((tokens, rounds))
        if is_finished(tokens, n_tokens, stop):
            law[tokens] = law.get(tokens, 0) + mass
            continue
        here = prefix + tokens
        length = length_now(draft_length, here, rounds)
        place = here[seen:], length
        if place not in known:
            known[place] = round_law(target, draft, here, length, verify)
            law.paths += known[place].paths
        for whole, chance in known[place].items():
            block = cut_round(whole, n_tokens - len(tokens), stop)
            state = (tokens + block.emitted, (*rounds, block) if adaptive else ())
            growing[state] = growing.get(state, 0) + mass * chance
    return law


def distance(law_a, law_b):
    """Total variation distance of two laws given as dicts outcome → probability."""
    for name, law in (("law_a", law_a), ("law_b", law_b)):
        if not isinstance(law, dict):
            raise ValueError(f"{name} is {law!r}, not a dict outcome → probability")
    outcomes = law_a.keys() | law_b.keys()
    return sum(abs(law_a.get(x, 0) - law_b.get(x, 0)) for x in outcomes) / 2
