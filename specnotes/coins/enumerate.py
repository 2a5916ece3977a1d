"""``law_of`` and the stand-in generator ``EveryCoin``."""

import heapq
from fractions import Fraction
from math import prod

import numpy as np

from specnotes.coins.coin import Coin, Interval
from specnotes.coins.sources import deadline, foreign_sources

SMALL = 6  # items that may be shuffled: 720 orders


class CannotEnumerate(Exception):
    """The program draws, loops or remembers in a way that ``EveryCoin`` cannot follow."""


class _Postponed(BaseException):
    """All branches of a fork wait in the queue.  Programs that catch ``Exception`` let it pass."""


class OutcomeLaw(dict):
    """Outcome → probability, with the ``paths`` run and the mass left ``unexplored``."""

    paths = 0
    unexplored = 0


def law_of(program, max_paths=1_000_000, max_draws=10_000, leftover=None, seconds=None):
    """Exact law of what ``program(rng)`` returns, as a dict outcome → probability.

    Outcomes must be hashable; lists and arrays become tuples.  ``max_paths`` and ``max_draws`` (on
    one path) stop a runaway, ``seconds`` one that draws nothing.  A program with unbounded loops
    needs ``leftover``: paths are explored likeliest first until at most that mass (or
    ``max_paths``) remains, and the law's ``unexplored`` says how much.

    Raises ``CannotEnumerate`` for a draw without finite branching, for state kept between runs, and
    for randomness taken from anywhere but ``rng``.
    """
    law, sampled = OutcomeLaw(), []
    queue = _Queue(likeliest_first=leftover is not None)
    queue.push((Fraction(1), ()))
    settled = 0
    with foreign_sources(program, CannotEnumerate), deadline(seconds, CannotEnumerate):
        while queue and (leftover is None or (1 - settled > leftover and law.paths < max_paths)):
            if law.paths == max_paths:
                raise CannotEnumerate(
                    f"more than {max_paths:,} paths: take smaller cases, or give leftover= "
                    "if the program loops without bound"
                )
            law.paths += 1
            weight, script = queue.pop()
            rng = EveryCoin(script, weight, queue.push, max_draws, patient=leftover is not None)
            try:
                outcome = rng.run(program)
            except _Postponed:
                continue
            law[outcome] = law.get(outcome, 0) + rng.weight
            settled += rng.weight
            if law.paths & (law.paths - 1) == 0:  # runs 1, 2, 4, 8 …: a sample to repeat
                sampled.append((rng, outcome))
        _check_repeats(program, sampled * (8 if law.paths == 1 else 1))
    law.unexplored = queue.mass()
    return law


class EveryCoin:
    """Stands in for ``numpy.random.Generator`` on one path of ``law_of``."""

    def __init__(self, script=(), weight=Fraction(1), push=None, max_draws=10_000, patient=False):
        self.weight = weight
        self.script = list(script)  # (what was asked, branch taken) for each fork
        self._push, self._max_draws, self._patient = push, max_draws, patient
        self._asked = self._draws = 0
        self._error = None

    def run(self, program):
        """What the program returns on this path; an error of ours cannot be swallowed by it."""
        outcome = _freeze(program(self))
        if self._error:
            raise self._error
        if self._asked < len(self.script):
            raise CannotEnumerate(f"hidden state: {_replayed} it drew less")
        return outcome

    def fork(self, what, shares):
        """Take one branch; the others wait with weight × share.

        ``what`` identifies the draw; ``shares`` is called where the script has not been yet.
        """
        at, self._asked = self._asked, self._asked + 1
        if at < len(self.script):
            asked, branch = self.script[at]
            if asked != what:
                self.refuse(f"hidden state: {_replayed} it asked something else of rng")
            return branch
        shares = shares()
        branches = [i for i, share in enumerate(shares) if share > 0]
        for branch in branches[: None if self._patient else 0 : -1]:
            self._push((self.weight * shares[branch], (*self.script, (what, branch))))
        if self._patient:  # a loop may go on for ever on its likeliest branch: let others go first
            raise _Postponed
        self.weight = self.weight * shares[branches[0]]
        self.script.append((what, branches[0]))
        return branches[0]

    def refuse(self, message):
        self._error = CannotEnumerate(message)
        raise self._error

    def random(self, size=None):
        """A coin, or an array of coins."""
        if size is None:
            return Coin(Interval(self, self._count()))
        return _filled(size, self.random)

    def uniform(self, low=0.0, high=1.0, size=None):
        if size is None:
            return self.random() * (high - low) + low
        return _filled(size, lambda: self.uniform(low, high))

    def choice(self, a, size=None, replace=True, p=None):
        """One of ``range(a)`` or of the items of ``a``, with law ``p``; or an array of them."""
        items = np.arange(a) if isinstance(a, (int, np.integer)) else np.asarray(a)
        if len(items) == 0:
            raise ValueError("a is empty: nothing to choose from")
        weights = [Fraction(1, len(items))] * len(items) if p is None else _weights(p, len(items))
        if size is None:
            picked = items[self._pick(weights)]
            return picked.item() if isinstance(picked, np.generic) else picked
        if replace:
            return _filled(size, lambda: self.choice(a, p=p), items.dtype)
        if prod(np.atleast_1d(size)) > sum(weight > 0 for weight in weights):
            raise ValueError(f"size is {size}, more than there is to choose without replacement")
        return items[self._without_replacement(weights, prod(np.atleast_1d(size)))].reshape(size)

    def integers(self, low, high=None, size=None, endpoint=False):
        """A whole number in [low, high), or [0, low) if only one bound is given."""
        low, high = (0, low) if high is None else (low, high)
        if high + endpoint <= low:
            raise ValueError(f"high is {high}, not above low = {low}")
        return self.choice(np.arange(low, high + endpoint), size=size)

    def multinomial(self, n, pvals, size=None):
        """Counts of one draw; more than one draw at once has too many outcomes."""
        if n != 1 or size is not None:
            self.refuse(f"rng.multinomial of {n} draws cannot be enumerated: draw one at a time")
        return np.eye(len(pvals), dtype=int)[self._pick(_weights(pvals, len(pvals)))]

    def binomial(self, n, p):
        """Heads among n coins, one fork each."""
        return sum(self._pick([1 - p, p]) for _ in range(n))

    def permutation(self, x):
        items = np.arange(x) if isinstance(x, (int, np.integer)) else np.array(x)
        if len(items) > SMALL:
            self.refuse(f"rng.permutation of {len(items)} items: at most {SMALL} can be enumerated")
        return items[self._without_replacement([Fraction(1, len(items))] * len(items), len(items))]

    def shuffle(self, x):
        x[:] = [x[i] for i in self.permutation(len(x))]

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        self.refuse(
            f"rng.{name} has no finite list of outcomes here: "
            "draw with rng.random(), rng.choice or rng.integers"
        )

    def _count(self):
        self._draws += 1
        if self._draws > self._max_draws:
            self.refuse(f"more than {self._max_draws:,} draws on one path: an endless loop?")
        return self._draws

    def _pick(self, weights):
        self._count()
        return self.fork(tuple(weights), lambda: weights)

    def _without_replacement(self, weights, count):
        left, picked = list(weights), []
        for _ in range(count):
            total = sum(left)
            picked.append(self._pick([weight / total for weight in left]))
            left[picked[-1]] = 0 * left[picked[-1]]
        return picked


class _Queue:
    """Paths (weight, script) still to run: the latest first, or the likeliest first."""

    def __init__(self, likeliest_first):
        self._items, self._pushed, self._heap = [], 0, likeliest_first

    def push(self, path):
        if self._heap:
            self._pushed += 1  # breaks ties, so that scripts are never compared
            heapq.heappush(self._items, (-float(path[0]), self._pushed, path))
        else:
            self._items.append(path)

    def pop(self):
        return heapq.heappop(self._items)[2] if self._heap else self._items.pop()

    def __len__(self):
        return len(self._items)

    def mass(self):
        return sum((item[2] if self._heap else item)[0] for item in self._items)


_replayed = "the same coins were dealt again, and this time"


def _check_repeats(program, sampled):
    for rng, outcome in sampled:
        again = EveryCoin(rng.script, rng.weight).run(program)
        if again != outcome:
            ignored = "" if rng.script else "ignores its rng: it "
            raise CannotEnumerate(
                f"the program {ignored}gave {outcome!r}, then {again!r} from the same coins: "
                "it keeps state between runs or draws from another source than rng"
            )


def _freeze(outcome):
    """A hashable form: arrays and lists become tuples, NumPy numbers Python's."""
    if isinstance(outcome, Coin):
        raise CannotEnumerate("the outcome contains a coin itself: compare it with a number first")
    if isinstance(outcome, np.ndarray | np.generic):
        return _freeze(outcome.tolist())
    if isinstance(outcome, tuple) and hasattr(outcome, "_fields"):
        return type(outcome)(*map(_freeze, outcome))
    return tuple(map(_freeze, outcome)) if isinstance(outcome, (list, tuple)) else outcome


def _filled(size, make, dtype=object):
    array = np.empty(size, dtype)
    for place in np.ndindex(array.shape):
        array[place] = make()
    return array


def _weights(p, size):
    weights = list(np.asarray(p).tolist())
    if len(weights) != size:
        raise ValueError(f"p has {len(weights)} entries for {size} items")
    for place, weight in enumerate(weights):
        if not weight >= 0:
            raise ValueError(f"p[{place}] is {weight}, not a probability")
    if not abs(sum(weights) - 1) <= 1e-8:
        raise ValueError(f"p sums to {sum(weights)}, not to 1")
    return weights
