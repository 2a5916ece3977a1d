"""Coins that fall on a boundary: mistakes of measure zero, which no law shows.

A generator does return exactly 0, the next number, and the last number below 1.  On laws made of
halves and quarters, floats are exact and every comparison can be hit.  Whatever the coin, a token
that the target never emits must not come out.
"""

import numpy as np

from specnotes.audit.report import BOUNDARY, CRASH, LENGTH, NAN, STOP, VERDICT, Finding
from specnotes.coins import EveryCoin
from specnotes.coins.few import FewValued

VALUES = (0.0, 2**-53, 0.25, 0.5, 0.75, 1 - 2**-53)
PLAIN = (0.0, 0.5, 1 - 2**-53)  # are also dealt as floats, to code that looks at the type
FEW = 3  # coins of one array that are tried in every combination
SERIOUS = {CRASH, LENGTH, NAN, STOP, VERDICT}


class EdgeCoins:
    """Wraps a generator: ``random()`` gives boundary values, in every combination.

    Of an array with more than a few coins, one at a time has such a value.  On ``EveryCoin``,
    combinations that make no difference are run as one, as ``FewValued``; in further runs, all
    coins are one float.
    """

    __class__ = property(lambda self: np.random.Generator)  # for isinstance, as ``EveryCoin``

    def __init__(self, rng):
        self._rng, self.tossed, self._merged = rng, [], isinstance(rng, EveryCoin)
        self._values = VALUES
        if self._merged:
            self._values = (VALUES, *zip(PLAIN))[rng.choice(1 + len(PLAIN))]

    def random(self, size=None, **_):
        count = 1 if size is None else int(np.prod(size))
        if count > FEW:
            coins = [0.5] * count
            coins[self._rng.choice(count)] = self._one()
        else:
            coins = [self._one() for _ in range(count)]
        self.tossed += coins
        return coins[0] if size is None else np.array(coins).reshape(size)

    def _one(self):
        if self._merged and len(self._values) > 1:
            return FewValued(self._rng, self._values)
        return self._values[self._rng.choice(len(self._values))]

    def uniform(self, low=0.0, high=1.0, size=None):
        return low + (high - low) * self.random(size)

    def __getattr__(self, name):
        return getattr(self._rng, name)


def edge_findings(law, toy):
    """The first boundary coins that let out what must not come out.  ``law`` is of ``on_edges``.

    A token says more than an error.
    """
    for outcome, tossed in sorted(law, key=lambda seen: (seen[0].tokens is None, len(seen[1]))):
        wrong = [message for kind, message in outcome.flaws if kind in SERIOUS]
        wrong += _never_emitted(outcome.tokens or (), toy)
        if wrong:
            coins = ", ".join(map(repr, tossed))
            when = f"when rng.random() gives {coins}: " if coins else ""
            return [Finding(BOUNDARY, when + wrong[0], toy)]
    return []


def on_edges(program):
    """The program with boundary coins.  -> program(rng) -> (Outcome, coins tossed)"""

    def on_boundaries(rng):
        coins = EdgeCoins(rng)
        outcome = program(coins)
        return outcome, tuple(c.any() if isinstance(c, FewValued) else c for c in coins.tossed)

    return on_boundaries


def _never_emitted(tokens, toy):
    target = toy.wanted
    for i, token in enumerate(tokens):
        if target.next_law(toy.prefix + tokens[:i])[token] == 0:
            yield f"token {token} comes out, though its target mass is 0"
