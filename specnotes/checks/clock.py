"""Checks of notebook 11: a round priced on this machine, and a report of one read."""

from functools import partial
from itertools import product

import numpy as np

from specnotes.checks.card import NotAttempted, Wrong, ask, compare, exercise, show
from specnotes.yields import best_draft_length, tokens_per_round

# Exercise 3: price a round

FLAT = [0.0] + [1.0] * 9  # a pass costs the same for up to nine rows
STEEP = [float(rows) for rows in range(10)]  # each row costs a pass: no BLAS
STEPS = [0.0, 1.0, 1.05, 1.3, 1.3, 1.45, 1.45, 1.7, 1.7, 2.4]
BUMP = [0.0, 1.0, 1.6, 2.2, 1.2, 1.25, 1.3]  # after two slow lengths comes a fast one
LATE = [0.0, 1.0, 1.7, 1.75, 1.8, 1.85, 1.9]  # one is too few, more are better and better
SHORT, LONG = [0.0, 1.0, 1.1, 1.2], [0.0] + [1 + 0.013 * row for row in range(13)]
LISTS = FLAT, STEPS, STEEP, BUMP, LATE, SHORT, LONG
PRICES = list(product((0.0, 0.37, 0.62, 0.81, 0.95), (0.01, 0.07, 0.3, 0.8), LISTS))
TIES = [(1, 0, list(range(10))), (0, 0, [0] + [1] * 9)]  # as fast as plain decoding, not faster
PRICES += TIES


def price(
    rate,
    cost,
    verify,
    rows=1,
    drafts=0,
    shortest=0,
    ends=(2, 99),
    free=False,
    early=False,
    tie=False,
):
    """The draft length with the largest speed-up, here with slips to recognise them by."""
    first, longest = ends  # entries of the list that are no length, and the largest length tried
    best, best_speed = 0, 1.0 if shortest == 0 else 0.0
    for length in range(1, min(len(verify) - first, longest) + 1):
        drafting = 0 if free else (length + drafts) * cost
        checking = 1 if rows is None else verify[length + rows]
        speed = tokens_per_round(rate, length) / (drafting + checking)
        if speed > best_speed or (tie and speed == best_speed):
            best, best_speed = length, speed
        elif early:
            break
    return best


def _speed(rate, cost, verify):
    """The speed-up in place of the length."""
    length = price(rate, cost, verify)
    speed = tokens_per_round(rate, length) if length else 1
    return speed / (length * cost + verify[length + 1])


def _in_rows(rate, cost, verify, plain=0):
    return price(rate, cost, verify) + 1 if price(rate, cost, verify) else plain


def _first_peak(rate, cost, verify):
    peak = price(rate, cost, verify, shortest=1, early=True)
    return price(rate, cost, verify, ends=(2, peak))


SLIPS = [  # (a wrong answer, what is said of it)
    (
        partial(price, rows=0),
        "A pass over γ + 1 rows, the bonus row among them, is `verify[γ + 1]`",
    ),
    (
        partial(price, rows=0, ends=(1, 99)),
        "A pass over γ + 1 rows is `verify[γ + 1]`: a list of k + 1 entries ends at γ = k − 1",
    ),
    (
        lambda rate, cost, verify: best_draft_length(rate, cost),
        "The list `verify` prices the pass over the block, and ends where you stop",
    ),
    (partial(price, rows=None), "The pass over the block is not free: it costs `verify[γ + 1]`"),
    (partial(price, drafts=1), "A round takes γ draft steps, not γ + 1"),
    (partial(price, free=True), "The drafts are not free: γ steps cost γ · `cost_ratio`"),
    (partial(price, shortest=1), "Plain decoding is a candidate: 0 if nothing is faster"),
    (partial(price, tie=True), "As fast as plain decoding is not faster: then 0"),
    (partial(price, ends=(3, 99)), "The last entry of the list belongs to a length, too"),
    (partial(price, ends=(2, 8)), "You try lengths up to 8; this list has entries for more"),
    (
        partial(price, early=True),
        "Do not stop at the first length that is slower: go on to the end",
    ),
    (_first_peak, "Do not stop at the first fall: a longer one may be faster still"),
    (_in_rows, "Answer γ, the drafted tokens; these are the rows of the pass, γ + 1"),
    (partial(_in_rows, plain=1), "Answer γ, the drafted tokens; these are the rows, γ + 1"),
]


SPEED = "Answer the draft length that is fastest, not how fast it is"


def _are_speeds(answers):
    try:
        return np.allclose(answers, [_speed(*case) for case in PRICES])
    except (TypeError, ValueError):
        return False


@exercise("the fastest draft length here")
def fastest_length(function):
    """function(acceptance_rate, cost_ratio, verify) -> γ, or 0 for plain decoding."""

    def hint(_answer, *_case):
        try:
            answers = [ask(function, *case) for case in PRICES]
        except Wrong:
            return None
        same = (said for slip, said in SLIPS if answers == [slip(*case) for case in PRICES])
        return next(same, SPEED if _are_speeds(answers) else None)

    names = "acceptance_rate", "cost_ratio", "verify"
    return compare(function, price, PRICES, hint=hint, names=names)


TWO_DIGITS = 0.003  # .41 will do for .4125

# Exercise 4: read a report.  Plain 1.00 ms a token; γ = 4, 3.0 tokens a pass, .06 ms a draft step,
# 1.35 ms a pass over five rows; measured .60 ms a token

REPORT = {
    "predicted": (
        (4 * 0.06 + 1.35) / 3,
        {
            4 * 0.06 + 1.35: "that is a whole round; it brings 3.0 tokens",
            (5 * 0.06 + 1.35) / 3: "a round takes four draft steps, not five",
            (1 * 0.06 + 1.35) / 3: "a round takes four draft steps, not one",
            (4 * 0.06 + 1.35) / 5: "a round brings 3.0 tokens, not five",
            (4 * 0.06 + 1.35) / 4: "a round brings 3.0 tokens, not four",
            (4 * 0.06 + 1) / 3: "the pass over five rows takes 1.35 ms",
            1.35 / 3: "the draft's steps are missing",
            1.0 / 3: "that is plain decoding's time over 3; a round is longer than a token",
            0.6: "that is what was measured",
            3 / (4 * 0.06 + 1.35): "that is the speed-up; asked is the time of a token",
        },
    ),
    "rest": (
        3 * 0.6 - (4 * 0.06 + 1.35),
        {
            0.6 - (4 * 0.06 + 1.35) / 3: "that is per token; asked is a round",
            (4 * 0.06 + 1.35) - 3 * 0.6: "the clock showed more than the accounting, not less",
            (4 * 0.06 + 1.35) / 3 - 0.6: "that is per token, and the clock showed more, not less",
            5 * 0.6 - (4 * 0.06 + 1.35): "a round brings 3.0 tokens, not five",
            4 * 0.6 - (4 * 0.06 + 1.35): "a round brings 3.0 tokens, not four",
            3 * 0.6 - 0.53: "the accounting gives a round 1.59 ms; .53 is a token",
            3 * 0.6 - 1.35: "the draft's steps are accounted for, too",
        },
    ),
    "slowest_step": (
        (3 * 1.0 - 1.35) / 4,
        {
            (3 * 1.0 - 1) / 4: "the pass over five rows takes 1.35 ms",
            (3 * 1.0 - 1.35) / 5: "a round takes four draft steps, not five",
            (3 * 0.6 - 1.35) / 4: "the time to beat is plain decoding's, 1.00 ms a token",
            (1 - 1.35 / 3) / 4: "that is per token; a round may take what three plain tokens take",
            (5 * 1.0 - 1.35) / 4: "a round brings 3.0 tokens, not five",
            3 * 1.0 / 4: "the pass has to be paid as well",
            3 * 1.0 - 1.35: "that is what all four steps may take together",
            (3 * 1.0 - 1.35) / 3: "a round takes four draft steps, not three",
            (3 * 1.0 - 1.59) / 4: "asked is the whole step, in place of .06 ms, not what is added",
            (3 * 1.0 - 1.35 - 0.21) / 4: "the accounting leaves the rest out; so do you here",
        },
    ),
}


@exercise("a report read", halves=True)
def report(predicted, rest, slowest_step):
    """Milliseconds: a token by the accounting, the rest of a round, the slowest draft step."""
    given = {"predicted": predicted, "rest": rest, "slowest_step": slowest_step}
    for name, answer in given.items():
        if answer is ...:
            raise NotAttempted(f"`{name}` is not attempted yet")
        right, slips = REPORT[name]
        if not _near(answer, right):
            said = (f": {words}" for wrong, words in slips.items() if _near(answer, wrong))
            raise Wrong(f"{name} is {_told(answer)}{next(said, _unit(answer, right))}")
    return "0.53 ms a token by the accounting, 0.21 ms a round unaccounted for, 0.4125 ms at most"


def _told(answer):
    if _number(answer) is None:
        return f"{answer!r}, which is not a number: give milliseconds, without the unit"
    return f"not {show(answer, 4)} ms"


def _unit(answer, right):
    number = _number(answer)
    is_other = number is not None and (_near(1000 * number, right) or _near(number / 1000, right))
    return ": the unit is the millisecond" if is_other else ""


def _number(answer):
    try:
        return None if isinstance(answer, str) else float(answer)
    except (TypeError, ValueError):
        return None


def _near(answer, right):
    """Equal to two digits, as the report prints them; units of seconds do not pass."""
    number = _number(answer)
    return number is not None and abs(number - right) <= TWO_DIGITS
