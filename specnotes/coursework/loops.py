"""Laws of programs that may loop without bound: what is not followed to its end is not forgiven.

A loop that draws until it may stop has no last path.  It is followed until 1/1000 of the mass is
left.  Where that takes too many paths, at least half of the mass must have come to an end, and
4,000 calls with coins of a generator decide the rest: every one must return, and what comes out
must agree with the right law.  The seeds are fixed, so the verdict is always the same.  A program
that hangs with chance 1/400 is noticed but for a chance of 1 in 20,000; each outcome's chance, if
it is off by more than about 1/20.
"""

from math import sqrt

import numpy as np

from specnotes.audit.judge import CLOSE, excess
from specnotes.checks.card import Wrong, show
from specnotes.exact import distance

UNFINISHED, MOST_UNFINISHED = 1e-3, 0.5
CALLS = 4000
DEVIATIONS, FEW = 6.5, 12  # for an outcome in many calls, and for one that is rare
MOST_LEFT = 0.03  # right answers depend on the draft four times as much, for every id
MARGIN = 0.055  # of a mean from 0 to 1: wrong with chance 1e-10, by Hoeffding's bound


def refuse_wrong_law(law, read, wanted, call, at):
    """Raise ``Wrong`` unless the outcomes' law, as ``read(outcome)``, is ``wanted``.

    ``call(rng)`` is one outcome by a generator's coins, read.
    """
    got = {}
    for outcome, mass in law.items():
        key = read(outcome)
        got[key] = got.get(key, 0) + mass
    if law.unexplored > MOST_UNFINISHED:
        raise Wrong(
            f"At {at}: after {law.paths} paths of its coins only {float(1 - law.unexplored):.0%} "
            "of the runs have returned: does it surely end?"
        )
    is_exact = not any(isinstance(mass, float) for mass in (*got.values(), law.unexplored))
    if _off(got, wanted, law.unexplored) > (0 if is_exact else CLOSE):
        _refuse(got, wanted, law.unexplored, at)
    if law.unexplored > UNFINISHED:
        _sample(call, wanted, at)


def refuse_unused(law, drafted, emitted):
    """Raise ``Wrong`` if what comes out has the same law whatever was drafted.

    ``drafted(outcome)`` and ``emitted(outcome)`` are then independent.  Of a loop only what was
    followed is known: it may look a little dependent by where it was left.
    """
    joint, before, after = {}, {}, {}
    for outcome, mass in law.items():
        x, y = drafted(outcome), emitted(outcome)
        joint[x, y] = joint.get((x, y), 0) + mass
        before[x], after[y] = before.get(x, 0) + mass, after.get(y, 0) + mass
    whole = sum(before.values())
    by_chance = {(x, y): before[x] * after[y] / whole for x in before for y in after}
    if distance(joint, by_chance) <= CLOSE + min(law.unexplored, MOST_LEFT):
        raise Wrong(
            "the law is right, but it is the same whatever was drafted: that takes the target "
            "alone, and the draft is there to be used"
        )


def mean(law, value, call, most=1):
    """(least, most) that the mean of ``value(outcome)``, from 0 to ``most``, may be.

    ``call(rng)`` is the value by a generator's coins.
    """
    known = sum(mass * value(outcome) for outcome, mass in law.items())
    if law.unexplored <= UNFINISHED:
        return known, known + law.unexplored * most
    rng = np.random.default_rng(1)
    near = sum(call(rng) for _ in range(CALLS)) / CALLS
    return max(known, near - most * MARGIN), min(
        known + law.unexplored * most, near + most * MARGIN
    )


def _off(got, wanted, unexplored):
    """Distance of the laws; while mass is unexplored, what of it is certain."""
    missing = excess(wanted, got) - unexplored
    return max(excess(got, wanted), missing)


def _refuse(got, wanted, unexplored, at):
    worst = max(wanted | got, key=lambda x: abs(got.get(x, 0) - wanted.get(x, 0)))
    if unexplored:
        worst = max(got, key=lambda x: got[x] - wanted.get(x, 0))
    what = "the text" if isinstance(worst, tuple) else "token"
    least = "at least " if unexplored else ""
    raise Wrong(
        f"At {at}: {what} {show(worst)} comes out with chance {least}{show(got.get(worst, 0))}, "
        f"it should be {show(wanted.get(worst, 0))}"
    )


def _sample(call, wanted, at):
    """The same by counting, for a loop that is too long to be followed."""
    counts, rng = dict.fromkeys(wanted, 0), np.random.default_rng(0)
    for _ in range(CALLS):
        key = call(rng)
        counts[key] = counts.get(key, 0) + 1
    for key, number in counts.items():
        right = float(wanted.get(key, 0))
        bound = DEVIATIONS * sqrt(CALLS * right * (1 - right)) + (FEW if right else 0)
        if abs(number - CALLS * right) > bound:
            raise Wrong(
                f"At {at}: in {CALLS} calls {show(key)} comes out with frequency "
                f"{number / CALLS:.3f}, it should be near {right:.3f}"
            )
