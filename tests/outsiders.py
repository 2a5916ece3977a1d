"""Verifiers and decoders as people outside write them, from the published descriptions alone.

They share no code with the museum.  ``WRONG``: (audit, function or class, kinds of findings).
``RIGHT``: (audit, function).  What an earlier audit missed is marked there.
"""

import math

import numpy as np

from specnotes.audit import audit_decoder, audit_token, audit_verifier
from specnotes.audit.report import BOUNDARY, JOINT, ONE_TOKEN, STATE


def pick(weights, coin):
    """The item at ``coin`` of the way along the weights; never one of weight 0."""
    level, last = coin * sum(weights), None
    for item, weight in enumerate(weights):
        if weight > 0:
            if level < weight:
                return item
            level, last = level - weight, item
    return last


def owed_to(p, q):
    owed = [max(a - b, 0) for a, b in zip(p, q)]
    return owed if any(owed) else list(p)


def left_to_right(target_laws, draft_laws, tokens, rng):
    for i, x in enumerate(tokens):
        if rng.random() * draft_laws[i][x] >= target_laws[i][x]:
            return i, pick(owed_to(target_laws[i], draft_laws[i]), rng.random())
    return len(tokens), pick(target_laws[len(tokens)], rng.random())


def single(weights, rng):
    """A draw in single precision, which NumPy's ``choice`` allows for."""
    weights = np.asarray(weights, np.float32)
    return int(rng.choice(len(weights), p=weights / weights.sum()))


# --- wrong, one token


def guarded_ratio(target, draft, token, rng):
    """A draft probability too small to divide by counts as an acceptance."""
    if draft[token] < 1e-3 or rng.random() < target[token] / draft[token]:
        return token, True
    return pick(owed_to(target, draft), rng.random()), False


def residual_by_ratio(target, draft, token, rng):
    """(p - q)+ as q · (p/q - 1)+, which forgets what the draft never proposes."""
    p, q = np.asarray(target, np.float32), np.asarray(draft, np.float32)
    ratio = np.divide(p, q, out=np.zeros_like(p), where=q > 0)
    if rng.random() < ratio[token]:
        return token, True
    owed = q * np.maximum(ratio - 1, 0)
    return single(owed if owed.any() else p, rng), False


def ten_best_owed(target, draft, token, rng):
    """Top-k, k = 10, inside the residual."""
    if rng.random() * draft[token] < target[token]:
        return token, True
    owed = owed_to(target, draft)
    best = sorted(range(len(owed)), key=lambda x: -owed[x])[:10]
    return best[pick([owed[x] for x in best], rng.random())], False


class ResidualsByToken:
    """Residuals are kept by drafted token, and not by context."""

    def __init__(self):
        self.kept = {}

    def verify(self, target, draft, token, rng):
        if rng.random() * draft[token] < target[token]:
            return token, True
        if token not in self.kept:
            self.kept[token] = owed_to(target, draft)
        return pick(self.kept[token], rng.random()), False


# --- wrong, blocks


def two_coins_in_turn(target_laws, draft_laws, tokens, rng, wheel=2):
    """The third token is judged by the first one's coin."""
    coins = [rng.random() for _ in range(wheel)]
    for i, x in enumerate(tokens):
        if coins[i % wheel] * draft_laws[i][x] >= target_laws[i][x]:
            return i, pick(owed_to(target_laws[i], draft_laws[i]), rng.random())
    return len(tokens), pick(target_laws[len(tokens)], rng.random())


def four_coins_in_turn(target_laws, draft_laws, tokens, rng):
    """The fifth token is judged by the first one's coin."""
    return two_coins_in_turn(target_laws, draft_laws, tokens, rng, wheel=4)


def block_normaliser(target_laws, draft_laws, tokens, rng):
    """Residuals are divided by their sum over the whole block; right for blocks of one."""
    p, q = np.asarray(target_laws, np.float32), np.asarray(draft_laws, np.float32)
    rows, tokens = np.arange(len(tokens)), np.asarray(tokens, dtype=int)
    accept = rng.random(len(tokens)) < p[rows, tokens] / q[rows, tokens]
    accepted = int(np.logical_and.accumulate(accept).sum())
    owed = np.maximum(p[:-1] - q, 0)
    table = np.concatenate([owed / max(owed.sum(), 1e-30), p[-1:]])
    token = int((rng.random() >= np.cumsum(table, axis=-1)[accepted]).sum())
    return accepted, min(token, p.shape[1] - 1)


class OneCoin:
    """One coin, stretched after each use; by p/q even where that is above one."""

    def __init__(self, rng):
        self.coin = rng.random()

    def passes(self, ratio):
        if self.coin < ratio:
            self.coin = self.coin / ratio
            return True
        self.coin = (self.coin - ratio) / (1 - ratio)
        return False


def stretched_too_far(target_laws, draft_laws, tokens, rng):
    one = OneCoin(rng)
    for i, x in enumerate(tokens):
        if not one.passes(target_laws[i][x] / draft_laws[i][x]):
            return i, pick(owed_to(target_laws[i], draft_laws[i]), one.coin)
    return len(tokens), pick(target_laws[-1], one.coin)


class CoinPool:
    """Coins are drawn once per generator, and read from the start in each round."""

    def __init__(self):
        self.rng, self.coins = None, None

    def verify(self, target_laws, draft_laws, tokens, rng):
        if self.rng is not rng:
            self.rng, self.coins = rng, rng.random(12)
        coins = iter(self.coins)
        for i, x in enumerate(tokens):
            if next(coins) * draft_laws[i][x] >= target_laws[i][x]:
                return i, pick(owed_to(target_laws[i], draft_laws[i]), next(coins))
        return len(tokens), pick(target_laws[-1], next(coins))


class StaleBuffers:
    """Buffers are not cleared past the end of a block shorter than the last."""

    def __init__(self):
        self.rejected, self.owed = [False] * 8, [None] * 8

    def verify(self, target_laws, draft_laws, tokens, rng):
        for i, x in enumerate(tokens):
            self.rejected[i] = rng.random() * draft_laws[i][x] >= target_laws[i][x]
            self.owed[i] = owed_to(target_laws[i], draft_laws[i])
        if any(self.rejected):
            first = self.rejected.index(True)
            return min(first, len(tokens)), pick(self.owed[first], rng.random())
        return len(tokens), pick(target_laws[-1], rng.random())


def floored_logs(target_laws, draft_laws, tokens, rng):
    """Probabilities are raised to the precision of a float before the logarithm."""
    least = float(np.finfo(np.float32).eps)
    logp = np.log(np.clip(np.asarray(target_laws, float), least, None))
    logq = np.log(np.clip(np.asarray(draft_laws, float), least, None))
    for i, x in enumerate(tokens):
        if math.log(1 - rng.random()) > logp[i, x] - logq[i, x]:
            return i, pick(owed_to(target_laws[i], draft_laws[i]), rng.random())
    return len(tokens), pick(target_laws[-1], rng.random())


# --- wrong, decoders


def drafted(draft, context, tokens, laws, draft_length, rng):
    """The block filled up to ``draft_length``."""
    while len(tokens) < draft_length:
        law = draft.next_law(context + tokens)
        tokens, laws = tokens + (pick(law, rng.random()),), [*laws, law]
    return tokens, laws


def drops_the_unsure(target, draft, prefix, draft_length, n_tokens, rng, unsure=0.4):
    """Drafting ends at the first token that the draft is unsure of, and that token is dropped."""
    out = tuple(prefix)
    while len(out) < len(prefix) + n_tokens:
        tokens, laws = (), []
        for _ in range(draft_length):
            more, law = drafted(draft, out + tokens, (), [], 1, rng)
            if law[0][more[0]] < unsure:
                break
            tokens, laws = tokens + more, laws + law
        accepted, token = left_to_right(target.score(out, tokens), laws, tokens, rng)
        out += tokens[:accepted] + (token,)
    return out[len(prefix) :][:n_tokens]


def drops_the_very_unsure(target, draft, prefix, draft_length, n_tokens, rng):
    return drops_the_unsure(target, draft, prefix, draft_length, n_tokens, rng, unsure=0.01)


def recycles(target, draft, prefix, draft_length, n_tokens, rng):
    """After a rejection the rest of the block is proposed again, behind the new token.

    Right: the rest was not looked at, so its laws are still those that it was drawn from.
    """
    out, tokens, laws = tuple(prefix), (), []
    while len(out) < len(prefix) + n_tokens:
        tokens, laws = drafted(draft, out, tokens, laws, draft_length, rng)
        accepted, token = left_to_right(target.score(out, tokens), laws, tokens, rng)
        out += tokens[:accepted] + (token,)
        tokens, laws = tokens[accepted + 1 :], laws[accepted + 1 :]
    return out[len(prefix) :][:n_tokens]


def recycles_rescored(target, draft, prefix, draft_length, n_tokens, rng):
    """The same, but the kept tokens are judged by the draft's laws behind the new token."""
    out, tokens = tuple(prefix), ()
    while len(out) < len(prefix) + n_tokens:
        laws = [draft.next_law(out + tokens[:i]) for i in range(len(tokens))]
        tokens, laws = drafted(draft, out, tokens, laws, draft_length, rng)
        accepted, token = left_to_right(target.score(out, tokens), laws, tokens, rng)
        out += tokens[:accepted] + (token,)
        tokens = tokens[accepted + 1 :]
    return out[len(prefix) :][:n_tokens]


def two_token_cache(target, draft, prefix, draft_length, n_tokens, rng):
    """The target's laws are kept by the last two tokens."""
    kept, out = {}, tuple(prefix)
    while len(out) < len(prefix) + n_tokens:
        tokens, laws = drafted(draft, out, (), [], draft_length, rng)
        seen = [out + tokens[:i] for i in range(len(tokens) + 1)]
        rows = [kept.setdefault(one[-2:], target.next_law(one)) for one in seen]
        accepted, token = left_to_right(rows, laws, tokens, rng)
        out += tokens[:accepted] + (token,)
    return out[len(prefix) :][:n_tokens]


# --- right, though they look strange


def owed_by_retry(target, draft, token, rng):
    """The residual from the target: y ~ p is kept with chance (1 - q/p)+, so with mass (p - q)+."""
    if rng.random() * draft[token] < target[token]:
        return token, True
    while True:
        y = pick(target, rng.random())
        if rng.random() * target[y] < target[y] - draft[y]:
            return y, False


def one_coin_sorted(target_laws, draft_laws, tokens, rng):
    """One coin in all: on either side of a threshold it is uniform again, once stretched."""

    def draw(weights, u):
        order = sorted(range(len(weights)), key=lambda x: -weights[x])
        return order[pick([weights[x] for x in order], u)]

    def settle(i, u):
        if i == len(tokens):
            return i, draw(target_laws[i], u)
        ratio = min(1, target_laws[i][tokens[i]] / draft_laws[i][tokens[i]])
        if u < ratio:
            return settle(i + 1, u / ratio)
        return i, draw(owed_to(target_laws[i], draft_laws[i]), (u - ratio) / (1 - ratio))

    return settle(0, rng.random())


def right_to_left(target_laws, draft_laws, tokens, rng):
    """Each position gets its coin and its replacement, as on a GPU; the leftmost rejection wins."""
    k = len(tokens)
    coins, others = rng.random(k), rng.random(k + 1)
    accepted, token = k, pick(target_laws[k], others[k])
    for i in reversed(range(k)):
        instead = pick(owed_to(target_laws[i], draft_laws[i]), others[i])
        if coins[i] * draft_laws[i][tokens[i]] >= target_laws[i][tokens[i]]:
            accepted, token = i, instead
    return accepted, token


def by_alias(target, draft, token, rng):
    """The residual by an alias table: an even column, then one of its two tokens."""
    if rng.random() * draft[token] < target[token]:
        return token, True
    owed = owed_to(target, draft)
    share = [weight * len(owed) / sum(owed) for weight in owed]
    other = list(range(len(owed)))
    small = [i for i in other if share[i] < 1]
    large = [i for i in other if share[i] >= 1]
    while small and large:
        i, j = small.pop(), large[-1]
        other[i], share[j] = j, share[j] - (1 - share[i])
        if share[j] < 1:
            small.append(large.pop())
    column = int(rng.integers(len(share)))
    full = column in large or column in small  # what is left over is full, but for rounding
    return (column if full or rng.random() < share[column] else other[column]), False


def vectorised_in_single(target_laws, draft_laws, tokens, rng):
    p, q = np.asarray(target_laws, np.float32), np.asarray(draft_laws, np.float32)
    rows, tokens = np.arange(len(tokens)), np.asarray(tokens, dtype=int)
    accept = rng.random(len(tokens)) < p[rows, tokens] / q[rows, tokens]
    accepted = int(np.logical_and.accumulate(accept).sum())
    weights = np.maximum(p[:-1] - q, 0)[accepted] if accepted < len(tokens) else p[-1]
    return accepted, single(weights if weights.any() else p[accepted], rng)


def exponential_race(target, draft, token, rng):
    """The residual by a race of exponentials with its weights as rates."""
    if rng.random() * draft[token] < target[token]:
        return token, True
    owed = np.array(owed_to(target, draft), dtype=float)
    return int(np.argmax(owed / rng.exponential(size=len(owed)))), False


def adaptive(target, draft, prefix, draft_length, n_tokens, rng):
    """Drafts one more than was kept in the round before, which says nothing of what comes."""
    out, wanted = tuple(prefix), 1
    while len(out) < len(prefix) + n_tokens:
        left = len(prefix) + n_tokens - len(out)
        tokens, laws = drafted(draft, out, (), [], min(wanted, draft_length, left - 1), rng)
        accepted, token = left_to_right(target.score(out, tokens), laws, tokens, rng)
        out, wanted = out + tokens[:accepted] + (token,), accepted + 1
    return out[len(prefix) :]


WRONG = [
    (audit_token, guarded_ratio, {ONE_TOKEN}),  # missed: no draft was that unlikely
    (audit_token, residual_by_ratio, {ONE_TOKEN}),
    (audit_token, ten_best_owed, {ONE_TOKEN}),  # missed: too few tokens
    (audit_token, ResidualsByToken, {STATE}),  # seen, by a counter-example that was none
    (audit_verifier, two_coins_in_turn, {JOINT}),
    (audit_verifier, four_coins_in_turn, {JOINT}),  # missed: blocks had three tokens at most
    (audit_verifier, block_normaliser, {ONE_TOKEN}),
    (audit_verifier, stretched_too_far, {JOINT}),
    (audit_verifier, CoinPool, {JOINT}),  # missed: one round per generator
    (audit_verifier, StaleBuffers, {STATE}),  # missed: no block was shorter than the last
    (audit_verifier, floored_logs, {BOUNDARY}),  # missed: sampled, and never on a boundary
    (audit_decoder, drops_the_unsure, {ONE_TOKEN, JOINT}),
    (audit_decoder, drops_the_very_unsure, {ONE_TOKEN}),  # missed: no draft was that unsure
    (audit_decoder, recycles_rescored, {JOINT}),
    (audit_decoder, two_token_cache, {JOINT}),  # missed: only the last token mattered
]
RIGHT = [
    (audit_token, owed_by_retry),
    (audit_token, by_alias),
    (audit_token, exponential_race),
    (audit_verifier, one_coin_sorted),
    (audit_verifier, right_to_left),
    (audit_verifier, vectorised_in_single),  # called wrong: weights in single precision
    (audit_decoder, recycles),
    (audit_decoder, adaptive),
]
