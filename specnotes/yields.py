"""Tokens per round and what they are worth, for a constant acceptance rate α and draft length γ.

A round is one target pass.  Costs are ratios to one target pass: c for a draft step, ĉ for its
arithmetic.  α may be a float, a ``Fraction``, an array (a batch) or, in ``tokens_per_round``,
``speedup``, ``operations`` and ``oracle_speedup``, a SymPy symbol.  Formulas: Leviathan et al.
2023, sections 3.1–3.4.
"""

import math
from fractions import Fraction

import numpy as np

from specnotes.laws import check_law, check_pair, check_whole


def tokens_per_round(acceptance_rate, draft_length):
    """Expected tokens per target pass, 1 + α + … + α^γ.  Shape of α."""
    rate = check_number(acceptance_rate, "acceptance_rate", most=1)
    total = 1
    for _ in range(check_whole(draft_length, "draft_length", 1)):
        total = 1 + rate * total
    return total


def tokens_law(acceptance_rate, draft_length):
    """Law of the tokens N in one round, N = 1 … γ+1: P(N > k) = α^k for k ≤ γ.  (…) -> (…, γ+1)"""
    rate = np.asarray(check_number(acceptance_rate, "acceptance_rate", most=1))[..., None]
    length = check_whole(draft_length, "draft_length", 1)
    survive = rate ** np.arange(length + 1)  # at least k+1 tokens, k = 0 … γ
    return np.concatenate([survive[..., :-1] - survive[..., 1:], survive[..., -1:]], axis=-1)


def speedup(acceptance_rate, draft_length, cost_ratio):
    """Tokens per unit of time against plain decoding, (1 + α + … + α^γ) / (γc + 1)."""
    cost = check_number(cost_ratio, "cost_ratio")
    return tokens_per_round(acceptance_rate, draft_length) / (draft_length * cost + 1)


def affordable_cost(acceptance_rate, draft_length, gain):
    """The c at which the speed-up is ``gain``, (N/S − 1)/γ; below zero where none is low enough."""
    least = check_number(gain, "gain")
    if not least > 0:
        raise ValueError(f"gain is {gain!r}, not a positive number")
    return (tokens_per_round(acceptance_rate, draft_length) / least - 1) / draft_length


def operations(acceptance_rate, draft_length, operations_ratio):
    """Arithmetic per token against plain decoding, (γĉ + γ + 1) / (1 + α + … + α^γ)."""
    ratio = check_number(operations_ratio, "operations_ratio")
    tokens = tokens_per_round(acceptance_rate, draft_length)
    return (draft_length * ratio + draft_length + 1) / tokens


def best_draft_length(acceptance_rate, cost_ratio, longest=64):
    """The γ in 0 … ``longest`` with the largest speed-up, the shortest among equals.

    0 means: do not speculate.  Some γ pays if and only if α > c.
    """
    rate = _one(check_number(acceptance_rate, "acceptance_rate", most=1), "acceptance_rate")
    cost = _one(check_number(cost_ratio, "cost_ratio"), "cost_ratio")
    best, best_gain, tokens = 0, 1, 1
    for length in range(1, check_whole(longest, "longest", 1) + 1):
        tokens = 1 + rate * tokens
        gain = tokens / (length * cost + 1)
        if gain > best_gain:
            best, best_gain = length, gain
    return best


def oracle_speedup(acceptance_rate, cost_ratio):
    """Speed-up when every round drafts just the tokens that will be kept: 1 / (1 − α + cα).

    Infinite for a draft that is free and always right.
    """
    rate = check_number(acceptance_rate, "acceptance_rate", most=1)
    time = 1 - rate + rate * check_number(cost_ratio, "cost_ratio")
    if isinstance(time, np.ndarray):
        return np.where(time == 0, math.inf, 1 / np.where(time == 0, 1, time))
    return 1 / time if time != 0 else math.inf


def markov_tokens_per_round(target_matrix, draft_matrix, draft_length):
    """Long-run tokens per round of a pair of Markov models, whose acceptance varies by context.

    With M = min(P, Q) and R = (P − Q)₊, the last token before each round is a Markov chain with
    matrix T = Σ_{k<γ} M^k R + M^γ P; the yield is b · Σ_{k≤γ} M^k 1 for its stationary law b.
    (V, V), (V, V) -> number, exact for exact matrices.
    """
    target, draft = check_pair(target_matrix, draft_matrix, "target_matrix", "draft_matrix")
    if target.ndim != 2 or target.shape != draft.shape or len(set(target.shape)) != 1:
        raise ValueError(
            f"target_matrix and draft_matrix must be square and alike, "
            f"got {target.shape} and {draft.shape}"
        )
    kept, owed = np.minimum(target, draft), np.maximum(target - draft, 0)
    reach = np.eye(len(target), dtype=int) + 0 * target  # M^k, from k = 0
    starts, tokens = 0 * target, 0
    for _ in range(check_whole(draft_length, "draft_length", 1)):
        starts, tokens = starts + reach @ owed, tokens + reach.sum(axis=-1)
        reach = reach @ kept
    starts, tokens = starts + reach @ target, tokens + reach.sum(axis=-1)
    return _balance(starts) @ tokens


def stationary_law(matrix):
    """The law b with b · matrix = b, by elimination (exact for ``Fraction``s).  (V, V) -> (V,)

    Raises ``ValueError`` if there are several: then the long run depends on the start.
    """
    matrix = check_law(matrix, "matrix")
    size = len(matrix)
    if matrix.shape != (size, size):
        raise ValueError(f"matrix must be square, got shape {matrix.shape}")
    return _balance(matrix)


def _balance(matrix):
    size = len(matrix)
    rows = np.eye(size, dtype=int) - matrix.T
    rows = np.concatenate([rows, rows[:, :1] * 0], axis=1)
    rows[-1] = 1 + 0 * rows[0, 0]  # one balance is redundant: let the masses sum to one instead
    for i in range(size):
        pivot = i + int(np.argmax(np.abs(rows[i:, i]).astype(float)))
        if abs(rows[pivot, i]) <= (1e-13 if matrix.dtype != object else 0):
            raise ValueError("matrix has several stationary laws, so the long run is not unique")
        rows[[i, pivot]] = rows[[pivot, i]]
        rows[i] = rows[i] / rows[i, i]
        for j in range(size):
            if j != i:
                rows[j] = rows[j] - rows[i] * rows[j, i]
    return rows[:, -1]


def check_number(value, name, most=math.inf):
    """``value`` if each entry lies in [0, most]; whole numbers become exact, symbols pass."""
    if getattr(value, "free_symbols", None):
        return value
    try:
        array = np.asarray(value)
        good = np.asarray((array >= 0) & (array <= most) & (array < math.inf), bool)
    except (TypeError, ValueError):  # nothing to compare, or ragged
        raise ValueError(f"{name} is {value!r}, not a number") from None
    if array.dtype.kind not in "iufO":
        raise ValueError(f"{name} is {value!r}, not a number")
    if not good.all():
        place = tuple(int(i) for i in np.argwhere(~good)[0])
        where = f"{name}[{', '.join(map(str, place))}]" if place else name
        limit = f"in [0, {most}]" if most < math.inf else "a finite number from 0 on"
        raise ValueError(f"{where} is {array[place]}, not {limit}")
    if isinstance(value, (list, tuple)):
        return array
    return Fraction(int(value)) if isinstance(value, (int, np.integer)) else value


def _one(value, name):
    if np.ndim(value) or getattr(value, "free_symbols", None):
        raise ValueError(f"{name} is {value!r}, not one number")
    return value
