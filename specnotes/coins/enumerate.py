"""``law_of`` and the stand-in generator ``EveryCoin``."""

from fractions import Fraction
from math import nan, prod

import numpy as np

from specnotes.coins.coin import MANY, Coin, Interval, is_single
from specnotes.coins.paths import Paths
from specnotes.coins.sources import deadline, foreign_sources
from specnotes.laws import check_whole

SMALL = 6  # items that may be shuffled: 720 orders


class CannotEnumerate(Exception):
    """The program draws, loops or remembers in a way that ``EveryCoin`` cannot follow."""


class Impure(CannotEnumerate):
    """The program is not a function of its coins: it keeps state or draws from elsewhere."""


class Runaway(CannotEnumerate):
    """More paths, or more draws on one path, than allowed."""


class _Postponed(BaseException):
    """All branches of a fork wait in the queue.  Programs that catch ``Exception`` let it pass."""


class OutcomeLaw(dict):
    """Outcome → probability, with the ``paths`` run and the mass left ``unexplored``.

    ``single``: numbers of single precision met a coin, or one was asked for.
    """

    paths = 0
    unexplored = 0
    single = False


def law_of(program, max_paths=1_000_000, max_draws=500, leftover=None, seconds=10):
    """Exact law of what ``program(rng)`` returns, as a dict outcome → probability.

    Outcomes must be hashable; lists and arrays become tuples.  ``max_paths`` and ``max_draws`` (on
    one path) stop a runaway; ``seconds``, what one path may take, a loop that draws nothing.  A
    program with unbounded loops needs ``leftover``: paths are explored likeliest first until at
    most that mass (or ``max_paths``) remains, and the law's ``unexplored`` says how much.

    Raises ``CannotEnumerate`` for a draw without finite branching; its kinds are ``Runaway`` and
    ``Impure``, for state kept between runs and for randomness taken from anywhere but ``rng``.  An
    error of the program passes as it is.
    """
    _check_limits(program, max_paths, max_draws, leftover)
    law, sampled = OutcomeLaw(), []
    queue = Paths(likeliest_first=leftover is not None)
    queue.push((Fraction(1), ()))
    settled = 0
    guard = foreign_sources(program, CannotEnumerate, Impure)
    with guard, deadline(seconds, CannotEnumerate) as clock:
        while queue and (leftover is None or (1 - settled > leftover and law.paths < max_paths)):
            if law.paths == max_paths:
                raise Runaway(
                    f"more than {max_paths:,} paths: take smaller cases, or give leftover= "
                    "if the program loops without bound"
                )
            law.paths += 1
            clock.restart()
            weight, script = queue.pop()
            rng = EveryCoin(script, weight, queue.push, max_draws, queue.patience)
            try:
                outcome = rng.run(program)
            except _Postponed:
                continue
            law[outcome] = law.get(outcome, 0) + rng.weight
            law.single |= rng.single
            settled += rng.weight
            if law.paths & (law.paths - 1) == 0:  # runs 1, 2, 4, 8 …: a sample to repeat
                sampled.append((rng, outcome))
        _check_repeats(program, sampled, clock)
    law.unexplored = queue.mass()
    return law


class EveryCoin:
    """Stands in for ``numpy.random.Generator`` on one path of ``law_of``.

    Its methods take the same arguments; ``dtype`` makes no difference here.  ``isinstance`` takes
    it for a ``Generator``: programs ask that before they use what they were given.
    """

    __class__ = property(lambda self: np.random.Generator)

    def __init__(self, script=(), weight=Fraction(1), push=None, max_draws=500, patient=None):
        self.weight = weight
        self.script = list(script)  # (what was asked, branch taken) for each fork
        self.draws, self.max_draws, self._asked = 0, max_draws, 0
        self._push, self._patient, self.single = push, patient, False
        self._error = None  # once set, raised by every draw: a program cannot swallow it

    def run(self, program):
        """What the program returns on this path."""
        try:
            outcome = _freeze(program(self))
        finally:
            if self._error:
                raise self._error
        if self._asked < len(self.script):
            raise Impure(f"hidden state: {_REPLAYED} it drew less")
        self._error = Impure("hidden state: the program kept the rng of an earlier run")
        return outcome

    def fork(self, what, shares):
        """Take one branch; the others wait with weight × share.

        ``what`` identifies the draw; ``shares(what)`` is called where the script ends.
        """
        if self._error:
            raise self._error
        at, self._asked = self._asked, self._asked + 1
        if at < len(self.script):
            asked, branch = self.script[at]
            if asked != what:
                self.refuse(f"hidden state: {_REPLAYED} it asked something else of rng", Impure)
            return branch
        shares = shares(what)
        branches = [i for i, share in enumerate(shares) if share > 0]
        if self._patient:  # a loop may go on for ever: likelier paths that wait go first
            branches.sort(key=shares.__getitem__, reverse=True)
        for branch in branches[:0:-1]:
            self._push((self.weight * shares[branch], (*self.script, (what, branch))))
        self.weight = self.weight * shares[branches[0]]
        self.script.append((what, branches[0]))
        if self._patient and (4 * self.draws > self.max_draws or not self._patient(self.weight)):
            self._push((self.weight, tuple(self.script)))
            self._error = _Postponed()
            raise self._error
        return branches[0]

    def refuse(self, message, kind=CannotEnumerate):
        """Stop the run with an error that the program cannot swallow."""
        self._error = kind(message)
        raise self._error

    def random(self, size=None, dtype=float, out=None):
        """A coin, or an array of coins."""
        self.single |= dtype in (np.float32, "float32", "f4")
        if out is not None:
            self.refuse("coins do not fit into the array out of rng.random: leave it away")
        if size is not None:
            return self._filled(size, self.random)
        return Coin(Interval(self, self._count()))

    def uniform(self, low=0.0, high=1.0, size=None):
        """A coin between the bounds, or an array of coins."""
        if size is not None:
            return self._filled(size, lambda: self.uniform(low, high))
        return self.random() * (high - low) + low

    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        """One of ``range(a)`` or of the items of ``a``, with law ``p``; or an array of them."""
        whole = isinstance(a, (int, np.integer))
        count = int(a) if whole else np.shape(a)[axis] if np.ndim(a) else 0
        if count < 1:
            raise ValueError(f"a is {a!r}: nothing to choose from")
        if count > MANY:
            self.refuse(f"a choice among {count:,}: at most {MANY:,} can be enumerated")
        items = np.arange(a) if whole else np.asarray(a)
        self.single |= is_single(p)
        weights = [Fraction(1, count)] * count if p is None else _weights(p, count)
        if size is None:
            picked = self._pick(weights)
            return picked if whole else items.take(picked, axis)
        if replace:
            picked = self._filled(size, lambda: self._pick(weights), int)
        else:
            picked = np.reshape(self._without_replacement(weights, prod(np.atleast_1d(size))), size)
        return items.take(picked.astype(int), axis)

    def integers(self, low, high=None, size=None, dtype=int, endpoint=False):
        """A whole number in [low, high), or in [0, low) if only one bound is given."""
        if np.ndim(low) or np.ndim(high):
            self.refuse("rng.integers with arrays of bounds: draw one at a time")
        low, high = (0, low) if high is None else (low, high)
        count = high + endpoint - low
        if count < 1:
            raise ValueError(f"high is {high}, not above low = {low}")
        if count > MANY:  # forks at comparisons, not into so many branches
            return np.floor(self.uniform(low, low + count, size))
        return low + self.choice(count, size)

    def multinomial(self, n, pvals, size=None):
        """Counts of one draw; more than one draw at once has too many outcomes."""
        if n != 1 or size is not None:
            self.refuse(f"rng.multinomial of {n} draws cannot be enumerated: draw one at a time")
        *weights, _ = _nonnegative(pvals, len(pvals))
        left = 1 - sum(weights)  # what the last one gets, whatever its own weight is
        if left < -1e-12:
            raise ValueError(f"pvals but the last sum to {1 - left}, more than 1")
        return np.eye(len(pvals), dtype=int)[self._pick([*weights, max(left, 0)])]

    def binomial(self, n, p, size=None):
        """Heads among n coins, one fork each."""
        if size is not None:
            return self._filled(size, lambda: self.binomial(n, p), int)
        return sum(self._pick([1 - p, p]) for _ in range(n))

    def permutation(self, x, axis=0):
        """``range(x)`` or the items of ``x`` in random order: few, for n! orders are tried."""
        items = np.arange(x) if isinstance(x, (int, np.integer)) else np.asarray(x)
        count = items.shape[axis]
        if count > SMALL:
            self.refuse(f"an order of {count} items: at most {SMALL} can be enumerated")
        order = self._without_replacement([Fraction(1, count)] * count, count)
        return items.take(np.array(order, int), axis)

    def shuffle(self, x, axis=0):
        """``permutation`` in place."""
        array = isinstance(x, np.ndarray)
        x[:] = self.permutation(x, axis) if array else [x[i] for i in self.permutation(len(x))]

    def __getattr__(self, name):
        if name.startswith("_") or not hasattr(np.random.Generator, name):
            raise AttributeError(f"neither EveryCoin nor a NumPy Generator has {name!r}")
        self.refuse(
            f"rng.{name} has no finite list of outcomes here: "
            "draw with rng.random(), rng.choice or rng.integers"
        )

    def _count(self, draws=1):
        if self._error:
            raise self._error
        self.draws += draws
        if self.draws > self.max_draws:
            self.refuse(
                f"more than {self.max_draws:,} draws on one path: an endless loop? "
                "(leftover= explores a loop that ends with probability 1)",
                Runaway,
            )
        return self.draws

    def _pick(self, weights):
        self._count()
        return self.fork(tuple(weights), tuple)

    def _without_replacement(self, weights, count):
        if count > sum(weight > 0 for weight in weights):
            raise ValueError(f"size is {count}: more than can be chosen without replacement")
        left, picked = list(weights), []
        for _ in range(count):
            total = sum(left)
            picked.append(self._pick([weight / total for weight in left]))
            left[picked[-1]] = 0
        return picked

    def _filled(self, size, make, dtype=object):
        if prod(np.atleast_1d(size)) > self.max_draws:
            self._count(prod(np.atleast_1d(size)))
        array = np.empty(size, dtype)
        for place in np.ndindex(array.shape):
            array[place] = make()
        return array


_REPLAYED = "the same coins were dealt again, and this time"


def _check_limits(program, max_paths, max_draws, leftover):
    if not callable(program):
        raise ValueError(f"program is {program!r}, not a function of rng")
    check_whole(max_paths, "max_paths", 1)
    check_whole(max_draws, "max_draws", 1)
    if leftover is not None and not 0 <= leftover < 1:
        raise ValueError(f"leftover is {leftover!r}, not in [0, 1)")


def _check_repeats(program, sampled, clock):
    """Run some paths again, the last twice: state that alternates must not fall into step."""
    times = 2 if any(rng.draws for rng, _ in sampled) else 20
    for rng, outcome in sampled[:-1] + sampled[-1:] * times:
        clock.restart()
        again = EveryCoin(rng.script, rng.weight, max_draws=rng.max_draws).run(program)
        if (again,) != (outcome,):  # in a tuple NaN equals itself
            ignored = "" if rng.draws else "ignores its rng: it "
            raise Impure(
                f"the program {ignored}gave {outcome!r}, then {again!r} from the same coins: "
                "it keeps state between runs or draws from another source than rng"
            )


def _freeze(outcome):
    """A hashable form: arrays and lists become tuples, NumPy numbers Python's, all NaNs one."""
    if isinstance(outcome, np.ndarray | np.generic):
        return _freeze(outcome.tolist())
    if isinstance(outcome, tuple) and hasattr(outcome, "_fields"):
        return type(outcome)(*map(_freeze, outcome))
    if isinstance(outcome, (list, tuple)):
        return tuple(map(_freeze, outcome))
    return nan if isinstance(outcome, float) and outcome != outcome else outcome


def _nonnegative(p, size):
    weights = np.asarray(p).tolist()
    if np.ndim(p) != 1 or len(weights) != size:
        raise ValueError(f"p has shape {np.shape(p)} for {size} items")
    for place, weight in enumerate(weights):
        if not weight >= 0:
            raise ValueError(f"p[{place}] is {weight}, not a probability")
    return weights


def _weights(p, size):
    weights = _nonnegative(p, size)
    total = sum(weights)
    if total == 1:
        return weights
    if not abs(total - 1) <= _precision(p):
        raise ValueError(f"p sums to {total}, not to 1")
    return [weight / total for weight in weights]


def _precision(p):
    """How far from 1 NumPy lets the sum of ``p`` be."""
    kind = p.dtype if isinstance(p, np.ndarray) and p.dtype.kind == "f" else np.dtype(float)
    return max(np.finfo(kind).eps, np.finfo(float).eps) ** 0.5
