"""Checks of notebook 07, on decoding: a round with settings on both sides, penalties in a block."""

from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np

from specnotes import transforms
from specnotes.audit.cases import BASE, PAIRS, law
from specnotes.audit.run import every_coin
from specnotes.checks.card import ONLY_EXACT, Wrong, ask, exercise, is_same, show, versus
from specnotes.checks.verdicts import is_same_law
from specnotes.coins import CannotEnumerate
from specnotes.laws import accept_prob, overlap
from specnotes.verify import token_kernel

# Exercise 3: one round, each side with its settings

_SQUARE = partial(transforms.temperature, t=Fraction(1, 2))
_TWO = partial(transforms.top_k, k=2)
_NUCLEUS = partial(transforms.top_p, mass=Fraction(13, 20))
_STEPS = {
    "top-k 2 on both sides": (_TWO, _TWO),
    "T = 1/2 for the target, top-k 2 for the draft": (_SQUARE, _TWO),
    "top-p .65 for the target, a greedy draft": (_NUCLEUS, transforms.greedy),
    "a draft without settings": (_SQUARE, lambda law: law),
    "a target without settings": (lambda law: law, _SQUARE),
}
_ROUND_PAIRS = {
    "base": BASE,
    "four tokens": (law(8, 6, 4, 2), law(6, 7, 4, 3)),
    "zeros": PAIRS["draft misses a token"],
    "disjoint": PAIRS["disjoint"],
}


@exercise("a round with settings")
def settings_round(function):
    """function(target, draft, target_step, draft_step, rng) -> (token, accepted)."""
    for (said, steps), pair in product(_STEPS.items(), _ROUND_PAIRS.values()):
        at = f"target {show(pair[0])}, draft {show(pair[1])}, {said}"
        _judge_round(function, pair, steps, at)
    return f"lossless, and accepts the overlap, in {len(_STEPS) * len(_ROUND_PAIRS)} settings"


def _judge_round(function, pair, steps, at):
    found = _round_law(function, pair, steps, at)
    wanted, drafted = steps[0](pair[0]), steps[1](pair[1])
    size, most = len(wanted), overlap(wanted, drafted)
    emitted = [sum(m for (token, _), m in found.items() if token == x) for x in range(size)]
    kept = sum(mass for (_, accepted), mass in found.items() if accepted)
    known = (
        said
        for said, (law_of_it, rate) in _wrong_rounds(*pair, *steps).items()
        if is_same_law(emitted, law_of_it, found) and is_same_law([kept], [rate], found)
    )
    if not is_same_law(emitted, wanted, found):
        hint = next((f". {said}" for said in known), "")
        raise Wrong(f"At {at}: it delivers {show(emitted)}, wanted was {show(wanted)}{hint}")
    if not is_same_law([kept], [most], found):
        hint = next((f". {said}" for said in known), "")
        raise Wrong(
            f"At {at}: the law is right, but {show(kept)} are accepted; the overlap of the two "
            f"laws after their settings is {show(most)}{hint}"
        )


def _wrong_rounds(target, draft, target_step, draft_step):
    wanted, drafted = target_step(target), draft_step(draft)

    def meets(drawn, read_target, read_draft):
        return drawn @ token_kernel(read_target, read_draft), drawn @ accept_prob(
            read_target, read_draft
        )

    return {
        "The draft's law is read without its settings": meets(drafted, wanted, draft),
        "The target's law is read without its settings": meets(drafted, target, drafted),
        "Both laws are read without their settings": meets(drafted, target, draft),
        "The token is drawn before the draft's settings": meets(draft, wanted, drafted),
        "The draft's settings are left out altogether": meets(draft, wanted, draft),
        "All settings are left out": meets(draft, target, draft),
        "The draft goes through the target's settings": meets(
            target_step(draft), wanted, target_step(draft)
        ),
        "The target goes through the draft's settings": meets(drafted, draft_step(target), drafted),
        "The settings have changed sides": meets(
            target_step(draft), draft_step(target), target_step(draft)
        ),
    }


def _round_law(function, pair, steps, at):
    """Law of (token, accepted); with floats for a function that cannot take ``Fraction``s."""

    def program(rng):
        try:
            token, accepted = ask(function, *pair, *steps, rng, at=at)
        except Wrong as wrong:
            if isinstance(wrong.__cause__, CannotEnumerate):
                raise wrong.__cause__ from None
            raise
        if not 0 <= int(token) < len(pair[0]):
            raise Wrong(f"At {at}: {token!r} comes out, which is no token")
        return int(token), bool(accepted)

    try:
        return every_coin(program)
    except CannotEnumerate as error:
        raise Wrong(f"At {at}: {error}") from None
    except (Wrong, TypeError, ValueError) as error:
        if isinstance(error, (TypeError, ValueError)):
            raise Wrong(f"At {at}: return (token, accepted)") from None
        if pair[0].dtype != object or not isinstance(error.__cause__, ONLY_EXACT):
            raise
    return _round_law(function, [law.astype(float) for law in pair], steps, at)


# Exercise 5: penalties


@exercise("penalties in a block")
def penalised_rows(function):
    """function(rows, prefix, tokens, step) -> each row after the step with its own prefix."""
    rows = np.stack([law(5, 3, 2), law(2, 3, 5), law(1, 6, 3), law(1, 1, 2)])
    blocks = [tokens for k in range(4) for tokens in product(range(3), repeat=k)]
    cases = list(product(((0,), (), (2, 2)), blocks))
    given = [rows[: len(tokens) + 1] for _, tokens in cases]
    places = [f"prefix {prefix}, tokens {tokens}" for prefix, tokens in cases]
    answers = [
        ask(function, laws, *case, _less_often, at=at)
        for laws, case, at in zip(given, cases, places)
    ]
    right = [_wanted_rows(laws, *case) for laws, case in zip(given, cases)]
    wrong = [i for i in range(len(cases)) if not is_same(answers[i], right[i])]
    if wrong:
        i = wrong[0]
        tables = [_wrong_rows(laws, *case) for laws, case in zip(given, cases)]
        known = (m for m in tables[0] if all(map(is_same, answers, [t[m] for t in tables])))
        hint = next((f". {said}" for said in known), "")
        verdict = versus(answers[i], right[i])
        raise Wrong(f"At {places[i]}: {verdict}{hint}")
    return f"right on all {len(cases)} blocks of up to three tokens"


def _less_often(law, prefix):
    """A penalty: a token that has come n times has its weight divided by n + 1."""
    times = [list(prefix).count(token) for token in range(len(law))]
    weights = np.array([weight / (n + 1) for weight, n in zip(law, times)])
    return weights / weights.sum()


def _each_row(rows, prefixes):
    return np.stack([_less_often(*pair) for pair in zip(rows, prefixes)])


def _wanted_rows(rows, prefix, tokens):
    return _each_row(rows, [prefix + tokens[:i] for i in range(len(rows))])


def _wrong_rows(rows, prefix, tokens):
    size = len(rows)
    later = [prefix + tokens[: i + 1] for i in range(size)]
    return {
        "There is one row more than tokens: the last one is for the bonus": _wanted_rows(
            rows, prefix, tokens
        )[:-1],
        "All rows count the prefix alone: the drafted tokens before a row count, too": _each_row(
            rows, [prefix] * size
        ),
        "A row must not know its own token, only those before it": _each_row(rows, later),
        "All rows count the whole block: each may know only what comes before it": _each_row(
            rows, [prefix + tokens] * size
        ),
        "The text before the block counts as well": _each_row(
            rows, [tokens[:i] for i in range(size)]
        ),
        "Nothing has been penalised": rows,
    }
