"""Checks of notebook 11: caches rolled back, rounds priced, a report read, suspects named."""

from itertools import product

import numpy as np

from specnotes.checks.card import NotAttempted, Wrong, ask, compare, exercise, show
from specnotes.laws import overlap
from specnotes.yields import tokens_per_round

# Exercise 1: a toy cache forgets

CASES = [(size, length) for size in range(1, 7) for length in range(size + 1)]


class ToyCache:
    """A key and a value per token that was read, in two lists."""

    def __init__(self):
        self.keys, self.values = [], []

    def read(self, key, value):
        self.keys.append(key)
        self.values.append(value)


@exercise("a cache rolled back")
def rollback(function):
    """function(cache, length) leaves the first ``length`` keys and values, in place."""
    for size, length in CASES:
        cache, at = _filled(size), f"cache of {size} positions, length {length}"
        ask(function, cache, length, at=at)
        _judge_cache(cache, size, length, f"At {at}")
        for step in range(size, size + 2):  # life goes on: other tokens than before
            _read_on(cache, step, at)
        ask(function, cache, length, at=at)
        _judge_cache(cache, length + 2, length, f"At {at}, two tokens read and rolled back again")
    return f"keys and values right after {2 * len(CASES)} roll-backs, and the cache can read on"


def _filled(size):
    cache = ToyCache()
    for step in range(size):
        cache.read(*_vectors(step))
    return cache


def _vectors(step):
    return np.random.default_rng([11, step]).normal(size=(2, 4))


def _read_on(cache, step, at):
    try:
        cache.read(*_vectors(step + 100))
    except AttributeError:
        raise Wrong(f"At {at}: keys and values must stay lists, to read on") from None


def _judge_cache(cache, size, length, at):
    keys, values = list(cache.keys), list(cache.values)
    if len(keys) != len(values):
        raise Wrong(
            f"{at}: {len(keys)} keys and {len(values)} values are left; a position has one of each"
        )
    right = _filled(length)
    if not _equal(keys, right.keys) or not _equal(values, right.values):
        raise Wrong(f"{at}: {_what_is_left(keys, size, length)}{_consequence(keys, values, right)}")


def _equal(vectors, right):
    same_length = len(vectors) == len(right)
    return same_length and all(np.array_equal(a, b) for a, b in zip(vectors, right))


def _what_is_left(keys, size, length):
    if len(keys) == size:
        return f"all {size} positions are still there: the cache is stale"
    if len(keys) != length:
        return f"{len(keys)} positions are left, it should be {length}"
    return "the right number is left, but not the first ones; the oldest tokens are at the front"


def _consequence(keys, values, right):
    """How often a draft that equals its target would be kept, if its cache were this one."""
    laws = []
    for pair in ((keys, values), (right.keys, right.values)):
        new_key, new_value = _vectors(200)
        seen, told = np.array([*pair[0], new_key]), np.array([*pair[1], new_value])
        laws.append(_softmax(6 * _softmax(seen @ new_key) @ told))
    rate = overlap(*laws)
    return f". A draft equal to its target would be kept {rate:.1%} of the time, not always"


def _softmax(x):
    mass = np.exp(x - x.max())
    return mass / mass.sum()


# Exercise 2: how many positions stay true

ROUNDS = [(n, length, k) for n in (1, 2, 7) for length in (1, 2, 4) for k in range(length + 1)]


def still_true(text_length, draft_length, accepted):
    """(target, draft): positions of each cache that belong to the text after the round."""
    kept = text_length + accepted
    return kept, min(kept, text_length + draft_length - 1)


@exercise("positions that stay true")
def positions(function):
    """function(text_length, draft_length, accepted) -> (target, draft), as many as may stay."""
    for case in ROUNDS:
        at = "text_length {}, draft_length {}, accepted {}".format(*case)
        answer = _pair(ask(function, *case, at=at), at)
        if answer != still_true(*case):
            raise Wrong(f"At {at}: {_wrong_position(answer, *case)}")
    return f"right for all {len(ROUNDS)} rounds, the fully accepted ones among them"


def _pair(answer, at):
    try:
        target, draft = answer
        return int(target), int(draft)
    except (TypeError, ValueError):
        raise Wrong(f"At {at}: return two whole numbers (target, draft), not {answer!r}") from None


def _wrong_position(answer, text_length, draft_length, accepted):
    for name, given, right in zip(
        ("target", "draft"), answer, still_true(text_length, draft_length, accepted)
    ):
        said = f"{name} is {given}, it should be {right}"
        if given < right:
            return f"{said}. That is safe, and reads {right - given} token(s) a second time"
        if given == text_length + accepted + 1:
            return f"{said}. Nobody has read the token that the target added to the text"
        if name == "draft" and given == text_length + draft_length:
            return f"{said}. The draft drew its last token, but never read it"
        if given > right:
            return f"{said}. A position behind these holds a token that is not in the text"
    return f"yours is {answer}"


# Exercise 3: price a round

FLAT = [0.0] + [1.0] * 9  # a pass costs the same for up to nine rows
STEEP = [float(rows) for rows in range(10)]  # each row costs a pass: no BLAS
STEPS = [0.0, 1.0, 1.05, 1.3, 1.3, 1.45, 1.45, 1.7, 1.7, 2.4]
PRICES = list(product((0.0, 0.37, 0.62, 0.81, 0.95), (0.01, 0.07, 0.3, 0.8), (FLAT, STEPS, STEEP)))


def price(rate, cost, verify, rows=1, drafts=0, shortest=0):
    """The draft length with the largest speed-up, here with slips to recognise them by."""
    speeds = {0: 1.0}
    for length in range(1, len(verify) - 1):
        bill = (length + drafts) * cost + (verify[length + rows] if rows is not None else 1)
        speeds[length] = tokens_per_round(rate, length) / bill
    return max((x for x in speeds if x >= shortest), key=speeds.get)


SLIPS = {
    "a pass over γ + 1 rows, the bonus row among them, is `verify[γ + 1]`": dict(rows=0),
    "the pass over the block is not free: it costs `verify[γ + 1]`": dict(rows=None),
    "a round takes γ draft steps, not γ + 1": dict(drafts=1),
    "plain decoding is a candidate: 0 if nothing is faster": dict(shortest=1),
}


@exercise("the fastest draft length here")
def fastest_length(function):
    """function(acceptance_rate, cost_ratio, verify) -> γ, or 0 for plain decoding."""

    def hint(_answer, *_case):
        answers = [ask(function, *case) for case in PRICES]
        same = (
            said
            for said, slip in SLIPS.items()
            if answers == [price(*case, **slip) for case in PRICES]
        )
        return next(same, None)

    names = "acceptance_rate", "cost_ratio", "verify"
    return compare(function, price, PRICES, hint=hint, names=names)


# Exercise 4: read a report.  Plain 1.00 ms a token; γ = 4, 3.0 tokens a pass, .06 ms a draft step,
# 1.35 ms a pass over five rows; measured .60 ms a token

REPORT = {
    "predicted": (
        (4 * 0.06 + 1.35) / 3,
        {
            4 * 0.06 + 1.35: "that is a whole round; it brings 3.0 tokens",
            (5 * 0.06 + 1.35) / 3: "a round takes four draft steps, not five",
            (4 * 0.06 + 1) / 3: "the pass over five rows takes 1.35 ms",
            1.35 / 3: "the draft's steps are missing",
            3 / (4 * 0.06 + 1.35): "that is the speed-up; asked is the time of a token",
        },
    ),
    "rest": (
        3 * 0.6 - (4 * 0.06 + 1.35),
        {
            0.6 - (4 * 0.06 + 1.35) / 3: "that is per token; asked is a round",
            5 * 0.6 - (4 * 0.06 + 1.35): "a round brings 3.0 tokens, not five",
            3 * 0.6 - 1.35: "the draft's steps are accounted for, too",
        },
    ),
    "slowest_step": (
        (3 * 1.0 - 1.35) / 4,
        {
            (3 * 1.0 - 1) / 4: "the pass over five rows takes 1.35 ms",
            (3 * 1.0 - 1.35) / 5: "a round takes four draft steps, not five",
            (3 * 0.6 - 1.35) / 4: "the time to beat is plain decoding's, 1.00 ms a token",
            3 * 1.0 - 1.35: "that is what all four steps may take together",
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
            said = next(
                (f": {words}" for wrong, words in slips.items() if _near(answer, wrong)), ""
            )
            raise Wrong(f"{name} is not {show(answer, 4)} ms{said}")
    return "0.53 ms a token by the accounting, 0.21 ms a round unaccounted for, 0.4125 ms at most"


def _near(answer, right):
    """Equal to the digits that the report prints; units of seconds do not pass."""
    try:
        return abs(float(answer) - right) <= 0.002
    except (TypeError, ValueError):
        return False


# Exercise 5: what suffers

SUFFERS = {
    "A": ("acceptance", "the draft's laws are worse, but they are the laws it draws from"),
    "B": ("law", "the target's own rows belong to another text"),
    "C": ("nothing", "a token that is read again gets the same key and value"),
    "D": ("acceptance", "a draft may guess from any text it likes"),
    "E": ("law", "the law handed over is not the law drawn from"),
}


@exercise("what suffers")
def suspects(answers):
    """{"A": "law" or "acceptance" or "nothing", …}: what each cache spoils."""
    if not isinstance(answers, dict):
        raise Wrong(f"a dict is asked for, yours is {answers!r}")
    words = {word for word, _ in SUFFERS.values()}
    for name, (right, why) in SUFFERS.items():
        given = answers.get(name, ...)
        if given is ...:
            raise NotAttempted(f"{name} is not attempted yet")
        if given not in words:
            raise Wrong(f"{name} is {given!r}, not one of {', '.join(sorted(words))}")
        if given != right:
            raise Wrong(f"{name} spoils something else than you say ({given}). Remember: {why}")
    return "a draft's cache costs speed, a target's cache the law; handing over another law, too"
