"""Checks of notebook 11: a cache rolled back, positions that stay true, and what a bug spoils."""

import numpy as np

from specnotes.checks.card import NotAttempted, Wrong, ask, exercise
from specnotes.laws import overlap

# Exercise 1: a toy cache forgets

# The first case tells most slips apart, so that the first message is of use.
CASES = [(5, 2)] + [
    (n, length) for n in range(6, 0, -1) for length in range(n + 1) if (n, length) != (5, 2)
]
VISIBLE = 0.995  # a draft that is kept more often than this does not show that its cache is wrong


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
        cache, at = _filled(size), f"cache of {_many(size)}, length {length}"
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
            f"{at}: keys left: {len(keys)}, values left: {len(values)}; a position has one of each"
        )
    right = _filled(length)
    if any(np.shape(vector) != (4,) for vector in keys + values):
        raise Wrong(f"{at}: what is left is not all vectors; remove positions, do not blank them")
    if not _equal(keys, right.keys) or not _equal(values, right.values):
        raise Wrong(
            f"{at}: {_what_is_left(keys, size, length)}. {_consequence(keys, values, right)}"
        )


def _equal(vectors, right):
    same_length = len(vectors) == len(right)
    return same_length and all(np.array_equal(a, b) for a, b in zip(vectors, right))


def _many(count):
    return f"{count} position{'' if count == 1 else 's'}"


def _what_is_left(keys, size, length):
    if len(keys) == size:
        return (
            f"nothing is gone, the cache still has {_many(size)}: it is stale. Shorten the lists "
            "of this cache; a slice under a name of your own, or a copy returned, does not reach it"
        )
    if len(keys) != length:
        return f"{_many(len(keys))} left, it should be {length}"
    return "the right number is left, but not the first ones; the oldest tokens are at the front"


def _consequence(keys, values, right):
    """How often a draft that equals its target would be kept, if its cache were this one."""
    there, healthy = _next_laws(keys, values), _next_laws(right.keys, right.values)
    rate = np.mean([overlap(law, other) for law, other in zip(there, healthy)])
    if rate > VISIBLE:
        return "Keys and values must be the first ones, in their order"
    return f"A draft equal to its target would be kept {rate:.1%} of the time, not always"


def _next_laws(keys, values):
    """Laws after this cache and one more token, for twenty such tokens."""
    for new_key, new_value in map(_vectors, range(200, 220)):
        seen, told = np.array([*keys, new_key]), np.array([*values, new_value])
        yield _softmax(6 * _softmax(seen @ new_key) @ told)


def _softmax(x):
    mass = np.exp(x - x.max())
    return mass / mass.sum()


# Exercise 2: how many positions stay true

ROUNDS = [(n, length, k) for n in (7, 1, 2) for length in (4, 1, 2) for k in range(length + 1)]


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
    if answer == still_true(text_length, draft_length, accepted)[::-1]:
        return f"yours is {answer}; the order is (target, draft)"
    for name, given, right in zip(
        ("target", "draft"), answer, still_true(text_length, draft_length, accepted)
    ):
        said = f"{name} is {given}, it should be {right}"
        if given < text_length:
            return f"{said}. All {text_length} of the old text were read and stay"
        if given < right:
            return f"{said}. That is safe, and reads {_tokens(right - given)} a second time"
        if given == text_length + accepted + 1:
            return f"{said}. Nobody has read the token that the target added to the text"
        if name == "draft" and given == text_length + draft_length:
            return f"{said}. The draft drew its last token, but never read it"
        if given > right:
            return f"{said}. A position behind these holds a token that is not in the text"
    return f"yours is {answer}"


def _tokens(count):
    return "a token" if count == 1 else f"{count} tokens"


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
    answers = {str(name).strip().upper(): word for name, word in answers.items()}
    words = {word for word, _ in SUFFERS.values()}
    for name, (right, why) in SUFFERS.items():
        given = answers.get(name, ...)
        if given is ...:
            raise NotAttempted(f"{name} is not attempted yet")
        given = given.strip().lower() if isinstance(given, str) else given
        if not isinstance(given, str) or given not in words:
            raise Wrong(f"{name} is {given!r}, not one of {', '.join(sorted(words))}")
        if given != right:
            raise Wrong(f"{name} spoils something else than you say ({given}). Remember: {why}")
    return "a draft's cache costs speed, a target's cache the law; handing over another law, too"
