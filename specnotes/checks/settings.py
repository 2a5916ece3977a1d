"""Checks of notebook 07, on decoding: a round with settings on both sides, penalties in a block."""

from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np

from specnotes import transforms
from specnotes.audit.cases import BASE, PAIRS, law
from specnotes.audit.edges import EdgeCoins
from specnotes.audit.run import MOST_EDGES, every_coin
from specnotes.checks.card import ONLY_EXACT, Wrong, ask, exercise, is_same, show, versus
from specnotes.checks.verdicts import is_same_law
from specnotes.coins import CannotEnumerate
from specnotes.coins.few import FewValued
from specnotes.laws import accept_prob, overlap
from specnotes.verify import token_kernel

FLAGS = bool, np.bool_

# Exercise 4: one round, each side with its settings

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


_EDGES = [  # halves and quarters before and after the settings: floats are exact
    (law(3, 3, 1, 1).astype(float), law(2, 2, 4, 0).astype(float)),
    (law(1, 1, 3, 3).astype(float), law(0, 4, 2, 2).astype(float)),
]


@exercise("a round with settings")
def settings_round(function):
    """function(target, draft, target_step, draft_step, rng) -> (token, accepted)."""
    for (said, steps), pair in product(_STEPS.items(), _ROUND_PAIRS.values()):
        at = f"target {show(pair[0])}, draft {show(pair[1])}, {said}"
        _judge_round(function, pair, steps, at)
    for pair in _EDGES:
        _judge_boundary(function, pair)
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
    common = np.minimum(wanted, drafted)
    both = [found.get((x, True), 0) for x in range(size)]
    if not is_same_law(both, common, found):
        raise Wrong(
            f"At {at}: the tokens that you call accepted have the masses {show(both)}. They should "
            f"be those drafted and kept, {show(common)}: is what you accept the drafted token?"
        )


def _judge_boundary(function, pair):
    """No coin on a boundary, such as exactly 0, may bring out what the target never emits."""
    steps = _TWO, partial(transforms.top_k, k=3)
    at = f"target {show(pair[0])}, draft {show(pair[1])}, top-k 2 and top-k 3"

    def program(rng):
        coins = EdgeCoins(rng)
        token, _ = _verdict(function, pair, steps, coins, at)
        return token, tuple(c.any() if isinstance(c, FewValued) else c for c in coins.tossed)

    try:
        law = every_coin(program, MOST_EDGES)
    except CannotEnumerate:
        return  # coins of another kind: the law has been judged
    wanted = steps[0](pair[0])
    for token, coins in sorted(law, key=lambda seen: len(seen[1])):
        if wanted[token] == 0:
            raise Wrong(
                f"At {at}: when rng.random() gives {', '.join(map(repr, coins))}, token {token} "
                "comes out, which the target never emits. Keep a token if u * q < p, not if they "
                "are equal; and draw only where there is mass"
            )


def _wrong_rounds(target, draft, target_step, draft_step):
    wanted, drafted = target_step(target), draft_step(draft)
    common = np.minimum(wanted, drafted)

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
    } | {
        f"After a rejection draw from the residual, not from the {name}": (
            common + (1 - common.sum()) * law_of_it,
            common.sum(),
        )
        for name, law_of_it in (("target", wanted), ("draft", drafted))
    }


def _round_law(function, pair, steps, at):
    """Law of (token, accepted); with floats for a function that cannot take ``Fraction``s."""

    def program(rng):
        return _verdict(function, pair, steps, rng, at)

    try:
        return every_coin(program)
    except CannotEnumerate as error:
        raise Wrong(f"At {at}: {error}") from None
    except Wrong as error:
        if pair[0].dtype != object or not isinstance(error.__cause__, ONLY_EXACT):
            raise
    return _round_law(function, [law.astype(float) for law in pair], steps, at)


def _verdict(function, pair, steps, rng, at):
    """(token, accepted) of one round."""
    try:
        answer = ask(function, *pair, *steps, rng, at=at)
    except Wrong as wrong:
        if isinstance(wrong.__cause__, CannotEnumerate):
            raise wrong.__cause__ from None
        raise
    try:
        token, accepted = answer
        number = int(token)
    except (TypeError, ValueError):
        raise Wrong(f"At {at}: return (token, accepted); yours is {answer!r}") from None
    if isinstance(token, FLAGS) and not isinstance(accepted, FLAGS):
        raise Wrong(f"At {at}: the token comes first, then accepted; yours is {answer!r}")
    if number != token or not 0 <= number < len(pair[0]):
        raise Wrong(f"At {at}: {token!r} comes out, which is no token")
    return number, bool(accepted)


# Exercise 5: penalties


@exercise("penalties in a block")
def penalised_rows(function):
    """function(rows, prefix, tokens, step) -> each row after the step with its own prefix."""
    rows = np.stack([law(5, 3, 2), law(2, 3, 5), law(1, 6, 3), law(1, 1, 2)])
    blocks = [tokens for k in (1, 2, 3, 0) for tokens in product(range(3), repeat=k)]
    cases = list(product(((0,), (), (2, 2), (2, 0)), blocks))
    cases.sort(key=lambda case: not case[1])  # an empty block tells no mistake from another
    for said, step in _PENALTIES.items():
        given = [(rows[: len(tokens) + 1], prefix, tokens, step) for prefix, tokens in cases]
        _judge_rows(function, given, said)
    return f"right on all {len(cases)} blocks of up to three tokens, with {len(_PENALTIES)} steps"


def _judge_rows(function, cases, said):
    """One step on all blocks.  A mistake is named if all wrong answers with tokens show it."""
    answers, wrong = [], []
    for rows, prefix, tokens, step in cases:
        at = f"prefix {prefix}, tokens {tokens}, {said}"
        if wrong and not tokens:
            break
        answers.append(ask(function, rows, prefix, tokens, step, at=at))
        if not is_same(answers[-1], _wanted_rows(rows, prefix, tokens, step)):
            wrong.append((at, len(answers) - 1))
    if wrong:
        at, i = wrong[0]
        tables = [_wrong_rows(*case) for case, _ in zip(cases, answers)]
        known = (m for m in tables[0] if all(map(is_same, answers, [t[m] for t in tables])))
        hint = next((f". {mistake}" for mistake in known), "")
        raise Wrong(f"At {at}: {versus(answers[i], _wanted_rows(*cases[i]))}{hint}")


def _less_often(law, prefix):
    """A penalty: a token that has come n times has its weight divided by n + 1."""
    times = [list(prefix).count(token) for token in range(len(law))]
    weights = np.array([weight / (n + 1) for weight, n in zip(law, times)])
    return weights / weights.sum()


def _not_again(law, prefix):
    """Halves the weight of the last token."""
    weights = law.copy()
    if len(prefix):
        weights[prefix[-1]] /= 2
    return weights / weights.sum()


def _by_distance(law, prefix):
    """Each token loses weight by its place: the first one least."""
    weights = law.copy()
    for place, token in enumerate(prefix):
        weights[token] /= place + 2
    return weights / weights.sum()


_PENALTIES = {  # the first counts, the others know the order as well
    "a step that counts": _less_often,
    "a step that looks at the last token": _not_again,
    "a step that looks at all places": _by_distance,
}


def _each_row(rows, prefixes, step):
    return np.stack([step(*pair) for pair in zip(rows, prefixes)])


def _wanted_rows(rows, prefix, tokens, step):
    return _each_row(rows, [prefix + tokens[:i] for i in range(len(rows))], step)


def _wrong_rows(rows, prefix, tokens, step):
    size = len(rows)
    wanted = _wanted_rows(rows, prefix, tokens, step)
    seen = {
        "All rows count the prefix alone: the drafted tokens before a row count, too": (
            lambda i: prefix
        ),
        "A row must not know its own token, only those before it": (
            lambda i: prefix + tokens[: i + 1]
        ),
        "All rows count the whole block: each may know only what comes before it": (
            lambda i: prefix + tokens
        ),
        "The text before the block counts as well": lambda i: tokens[:i],
        "The prefix comes first, the drafted tokens after it": lambda i: tokens[:i] + prefix,
        "The tokens keep their order": lambda i: tuple(sorted(prefix + tokens[:i])),
    }
    return {
        "There is one row more than tokens: the last one is for the bonus": wanted[:-1],
        "The last row, for the bonus, goes through the step as well": np.stack(
            [*wanted[:-1], rows[-1]]
        ),
        "Nothing has been penalised": rows,
    } | {said: _each_row(rows, map(of, range(size)), step) for said, of in seen.items()}
