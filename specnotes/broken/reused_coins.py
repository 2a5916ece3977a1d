"""Coins used twice, in part, or not at all: dependence where the proof needs fresh randomness."""

from fractions import Fraction as F

import numpy as np

from specnotes.broken.exhibit import (
    BLOCK,
    BOUNDARY,
    DECODER,
    JOINT,
    ONE_TOKEN,
    REPLAY,
    TEACHING,
    TOKEN,
    exhibit,
)
from specnotes.broken.toys import BASE, SECOND, Toy, law
from specnotes.decode import sample
from specnotes.laws import draw, residual

REUSE = Toy("two residual tokens", law(4, 4, 2), law(1, 2, 7))
SHARED = Toy("one context, pairs", law(5, 3, 2), law(1, 1, 3), length=2, n_tokens=2)


def at(coin, weights):
    """The token at a given coin, by inverse CDF."""
    return int(np.searchsorted(np.cumsum(weights), coin, side="right"))


@exhibit(
    "coin used again for the residual",
    TOKEN,
    REUSE,
    ONE_TOKEN,
    F(2, 25),
    "SGLang, fixed in pull request 7207 by a second coin",
)
def coin_used_again(target, draft, token, rng):
    """Draws from the residual with the coin that has just rejected: that coin is never small."""
    coin = rng.random()
    if coin * draft[token] < target[token]:
        return token, True
    return at(coin, residual(target, draft)), False


@exhibit("coin mirrored for the residual", TOKEN, REUSE, ONE_TOKEN, F(3, 25))
def coin_mirrored(target, draft, token, rng):
    """Uses 1 − u for the residual: as dependent on u as u itself."""
    coin = rng.random()
    if coin * draft[token] < target[token]:
        return token, True
    return at(1 - coin, residual(target, draft)), False


@exhibit("coin shifted, not rescaled", TOKEN, REUSE, ONE_TOKEN, F(3, 25))
def coin_not_rescaled(target, draft, token, rng):
    """Makes a fresh coin of the old one as u − h: it must also be divided by 1 − h."""
    coin, threshold = rng.random(), target[token] / draft[token]
    if coin < threshold:
        return token, True
    return at(coin - threshold, residual(target, draft)), False


@exhibit("generator made inside", TOKEN, Toy("base", *BASE), ONE_TOKEN, F(1, 5), TEACHING)
def generator_made_inside(target, draft, token, rng):
    """Makes a generator with a fixed seed in each call: every call tosses the same coins."""
    rng = np.random.default_rng(0)
    if rng.random() * draft[token] < target[token]:
        return token, True
    return draw(residual(target, draft), rng), False


@exhibit("state kept between calls", TOKEN, Toy("second", *SECOND), REPLAY)
def remembers(target, draft, token, rng, calls=[0]):  # noqa: B006
    """Keeps a counter between calls and skips every other test."""
    calls[0] += 1
    if calls[0] % 2 or rng.random() * draft[token] < target[token]:
        return token, True
    return draw(residual(target, draft), rng), False


@exhibit(
    "one coin for the whole block",
    BLOCK,
    SHARED,
    JOINT,
    F(2, 25),
    TEACHING + ": the seed was set inside the loop",
)
def one_coin_for_the_block(target_laws, draft_laws, tokens, rng):
    """Tests all positions with one coin: the first token is right, the tokens together are not."""
    coin = rng.random()
    for i, token in enumerate(tokens):
        if coin * draft_laws[i][token] >= target_laws[i][token]:
            return i, draw(residual(target_laws[i], draft_laws[i]), rng)
    return len(tokens), draw(target_laws[-1], rng)


@exhibit("bonus from the last test's coin", BLOCK, Toy("second", *SECOND), JOINT, F(1, 25))
def bonus_from_last_coin(target_laws, draft_laws, tokens, rng):
    """Draws the bonus token with the coin that accepted the last drafted one."""
    for i, token in enumerate(tokens):
        coin = rng.random()
        if coin * draft_laws[i][token] >= target_laws[i][token]:
            return i, draw(residual(target_laws[i], draft_laws[i]), rng)
    return len(tokens), at(coin, target_laws[-1])


@exhibit(
    "draft's noise used again", DECODER, Toy("second", *SECOND, n_tokens=1), ONE_TOKEN, F(1, 10)
)
def draft_noise_used_again(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    """Tests each drafted token with the coin that drew it."""
    tokens = ()
    while len(tokens) < n_tokens and stop not in tokens:
        p, q = target.next_law(prefix + tokens), draft.next_law(prefix + tokens)
        coin = rng.random()
        token = at(coin, q)
        kept = coin * q[token] < p[token]
        tokens += (token if kept else draw(residual(p, q), rng),)
    return tokens


@exhibit(
    "coins tossed once for all rounds", DECODER, Toy("second", *SECOND, n_tokens=2), JOINT, F(2, 25)
)
def coins_tossed_once(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    """Tosses the acceptance coin before the loop and uses it in every round."""
    coin, tokens = rng.random(), ()
    while len(tokens) < n_tokens and stop not in tokens:
        p, q = target.next_law(prefix + tokens), draft.next_law(prefix + tokens)
        (token,) = sample(draft, prefix + tokens, 1, rng)
        kept = coin * q[token] < p[token]
        tokens += (token if kept else draw(residual(p, q), rng),)
    return tokens


@exhibit(
    "first bin of mass zero",
    TOKEN,
    Toy("a first token of mass zero", law(0, 1, 1), law(1, 0, 1)),
    BOUNDARY,
)
def first_bin(target, draft, token, rng):
    """Searches the cumulative sums from the left: a coin of 0 draws token 0, whatever its mass."""
    if rng.random() * draft[token] < target[token]:
        return token, True
    return int(np.searchsorted(np.cumsum(residual(target, draft)), rng.random())), False


@exhibit(
    "last bin of mass zero",
    TOKEN,
    Toy("a last token of mass zero", law(1, 1, 0), law(0, 1, 1)),
    BOUNDARY,
)
def last_bin(target, draft, token, rng):
    """Draws with 1 − u, which may be 1, and clips the index: the last token, whatever its mass."""
    if rng.random() * draft[token] < target[token]:
        return token, True
    return min(at(1 - rng.random(), residual(target, draft)), len(target) - 1), False
