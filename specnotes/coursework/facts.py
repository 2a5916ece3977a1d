"""The right numbers of the short answers, and what known mistakes make of them.

``variants`` draws numbers again until no known mistake comes near the right one; graders name the
mistake behind a wrong number.
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from specnotes.yields import tokens_per_round

CLOSE = Fraction(1, 100)


class Fact(NamedTuple):
    """The right number, and the number that each mistake leads to: a sentence → a number."""

    right: Fraction
    slips: dict


def one_token(target, draft, owed, over):
    """Task 1 of problem set 1: name → Fact."""
    common = np.minimum(target, draft)
    kept, short, long = common.sum(), (target - common)[owed], (draft - common)[over]
    replacement, blame = short / (1 - kept), long / (1 - kept)
    trust = draft[owed] / target[owed]
    of_kept = {
        "That is how often it is refused": 1 - kept,
        "That is how often two independent draws agree": (target * draft).sum(),
    }
    of_replacement = {
        "That is what the token is owed; divide it by the chance of a refusal": short,
        "That is the share of its own mass that the token is owed": 1 - trust,
        "That is its mass in the target": target[owed],
    }
    of_blame = {
        "That is how often it is drafted and refused; divide it by all refusals": long,
        "That is how often it is refused once it is drafted": 1 - target[over] / draft[over],
        "That is its mass in the draft": draft[over],
    }
    of_trust = {
        "That is how often it came out as a replacement": 1 - trust,
        "That is how often it is drafted and kept; divide it by how often it comes out": draft[
            owed
        ],
        "That is its chance given that something is kept": draft[owed] / kept,
        "That is the chance of another replacement": 1 - replacement,
    }
    rights = {"kept": kept, "replacement": replacement, "blame": blame, "trust": trust}
    return _facts(rights, of_kept, of_replacement, of_blame, of_trust)


def one_round(target, draft, start, word):
    """Task 1 of problem set 2, of two Markov models: name → Fact."""
    shared = np.minimum(target.matrix, draft.matrix)
    owed = target.matrix - shared
    alphas, empty = shared.sum(axis=1), np.minimum(target.initial, draft.initial).sum()
    first, both = alphas[start], (shared[start] @ shared).sum()
    right = shared[start] @ owed[:, word]
    of_first = {
        "That is how often it is refused": 1 - first,
        "That is the row of an empty text": empty,
        "That is the mean over all rows": alphas.mean(),
    }
    of_both = {
        "The second token has the row of the first token": first**2,
        "Tokens are not kept equally often: weigh the rows": first * alphas.mean(),
        "That is how often not both are kept": 1 - both,
    }
    of_tokens = {
        "The target's own token counts as well": first + both,
        "The second token has the row of the first token": 1 + first + first**2,
        "The second draft is tested only if the first is kept": 1 + 2 * first,
    }
    of_corrected = {
        "The second token has the row of the first token": first * owed[start, word],
        "The first token has to be kept before": owed[start, word],
        "That takes a refusal for certain": shared[start] @ (owed[:, word] / (1 - alphas)),
    }
    rights = dict(first_kept=first, both_kept=both, round_tokens=1 + first + both)
    return _facts(rights | {"corrected_to": right}, of_first, of_both, of_tokens, of_corrected)


def _facts(rights, *slips):
    return {name: Fact(right, its) for (name, right), its in zip(rights.items(), slips)}


def speed(rate, length, cost, overhead):
    """Tokens per unit of time, when a round also has an overhead that plain decoding has not."""
    return tokens_per_round(rate, length) / (length * cost + 1 + overhead)


def best_length(rate, cost, overhead):
    """The γ in 1 … 64 with the largest speed; the shortest of several.

    Each token more adds less and costs the same: what falls once does not rise again.
    """
    best, most, tokens, reach = 1, 0, 1, 1
    for length in range(1, 65):
        reach *= rate
        tokens += reach
        now = tokens / (length * cost + 1 + overhead)
        if now < most:
            break
        if now > most:
            best, most = length, now
    return best


def are_clear(facts):
    """Is every number far from 0, from the numbers of its mistakes and from the other answers?"""
    rights = [fact.right for fact in facts.values()]
    pairs = [(a, b) for i, a in enumerate(rights) for b in rights[:i]]
    pairs += [(fact.right, wrong) for fact in facts.values() for wrong in [0, *fact.slips.values()]]
    return all(abs(a - b) > CLOSE for a, b in pairs)
