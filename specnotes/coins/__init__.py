"""Every outcome of a random program: run it on all its coins and add up what comes out.

``EveryCoin`` stands in for a NumPy ``Generator``.  Its ``random()`` is a coin, an interval [0, 1)
that remembers what has been learnt about it: a comparison forks the run, and the coin is narrowed
on either branch.  ``law_of`` replays the program along every branch.  With ``Fraction``s in the
program, the law comes out exactly.

Cost: one run of the program per path.  Paths multiply with every coin that is looked at, so a loop
of drafts grows like the number of its distinct histories.
"""

from specnotes.coins.enumerate import (
    CannotEnumerate,
    EveryCoin,
    Impure,
    OutcomeLaw,
    Runaway,
    law_of,
)

__all__ = ["CannotEnumerate", "EveryCoin", "Impure", "OutcomeLaw", "Runaway", "law_of"]
