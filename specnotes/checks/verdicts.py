"""A student's one-token verifier, run on every coin: the law of its verdicts, or ``Wrong``."""

from typing import NamedTuple

import numpy as np

from specnotes.audit.run import every_coin
from specnotes.checks.card import FLOAT_TOLERANCE, ONLY_EXACT, Wrong, ask, is_same, show
from specnotes.coins import CannotEnumerate
from specnotes.laws import draw


class Outcome(NamedTuple):
    drafted: int
    token: int
    accepted: bool


def verdict_law(verify, laws, drafted, at):
    """Law of the ``Outcome`` when the token comes from the law ``drafted``.

    ``verify(*laws, token, rng)`` answers (token, accepted).  Exact, or float for a function that
    cannot take ``Fraction``s; a loop without bound is followed until next to no mass is left.
    """
    try:
        return every_coin(lambda rng: verdict(verify, laws, drafted, rng, at))
    except CannotEnumerate as error:
        raise Wrong(f"At {at}: {error}") from None
    except Wrong as wrong:
        if drafted.dtype != object or not isinstance(wrong.__cause__, ONLY_EXACT):
            raise
    return verdict_law(verify, [law.astype(float) for law in laws], drafted.astype(float), at)


def check_emitted(law, target, at, mistakes):
    """What comes out must have the target's law, and what is called accepted must be the draft.

    ``mistakes`` maps a sentence to the law that the mistake leads to.
    """
    emitted = [sum(m for o, m in law.items() if o.token == token) for token in range(len(target))]
    if not is_same_law(emitted, target, law):
        known = (name for name, other in mistakes.items() if is_same_law(emitted, other, law))
        hint = next((f". {name}" for name in known), "")
        should = f"it should be {show(target)}"
        raise Wrong(f"At {at}: what comes out has the law {show(emitted)}, {should}{hint}")
    for outcome in law:
        if outcome.accepted and outcome.token != outcome.drafted:
            raise Wrong(
                f"At {at}: token {outcome.drafted} was drafted and {outcome.token} comes out, "
                "yet your second value calls the draft accepted"
            )


def accepted_mass(law):
    return sum(mass for outcome, mass in law.items() if outcome.accepted)


def is_same_law(answer, right, law):
    """``is_same``, up to the mass that the enumeration of ``law`` left unexplored."""
    if not law.unexplored:
        return is_same(answer, right)
    missing = np.asarray(right, float) - np.asarray(answer, float)  # more coins can only add
    least, most = -FLOAT_TOLERANCE, float(law.unexplored) + FLOAT_TOLERANCE
    return bool(((least <= missing) & (missing <= most)).all())


def verdict(verify, laws, drafted, rng, at):
    """One ``Outcome``, by the coins of ``rng``."""
    token = draw(drafted, rng)
    try:
        answer = ask(verify, *laws, token, rng, at=at)
    except Wrong as wrong:
        if isinstance(wrong.__cause__, CannotEnumerate):  # for the enumeration to deal with
            raise wrong.__cause__ from None
        raise
    try:
        emitted, accepted = answer
        number = int(emitted)
    except (TypeError, ValueError):
        raise Wrong(f"At {at}: return (token, accepted); yours is {show(answer)}") from None
    if _is_flag(emitted) and not _is_flag(accepted):
        raise Wrong(f"At {at}: the token comes first, then accepted; yours is {answer!r}")
    if number != emitted or not 0 <= number < len(drafted):
        raise Wrong(f"At {at}: {emitted!r} comes out, none of the tokens 0 … {len(drafted) - 1}")
    if not _is_flag(accepted) and not isinstance(accepted, (int, np.integer)):
        raise Wrong(f"At {at}: accepted must be True or False; yours is {accepted!r}")
    return Outcome(token, number, bool(accepted))


def _is_flag(value):
    return isinstance(value, (bool, np.bool_))
