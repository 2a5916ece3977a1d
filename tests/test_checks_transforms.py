"""Checks of notebook 07: right answers of many looks pass, each known mistake is named."""

from fractions import Fraction

import numpy as np
import pytest

from specnotes import checks, transforms
from specnotes.laws import draw, overlap, residual
from specnotes.verify import verify_token


def parametrize(names, table):
    return pytest.mark.parametrize(names, table.values(), ids=table.keys())


def refuses(result, words):
    assert result.attempted and not result.ok
    assert words in result.message


def floats(law):
    return np.asarray(law, float)


def softmax(logits):
    weights = np.exp(logits - logits.max())
    return weights / weights.sum()


# Temperature


def by_loop(law, t):
    weights = [float(x / max(law)) ** (1 / float(t)) for x in law]
    return [weight / sum(weights) for weight in weights]


def in_place(law, t):
    law **= 1 / t
    law /= law.sum()
    return law


def centred_logits(law, t):
    logits = np.log(law) / t
    return np.exp(logits - logits.mean()) / np.exp(logits - logits.mean()).sum()


@parametrize(
    "function",
    {
        "package": transforms.temperature,
        "largest first made one": lambda law, t: (
            (law / law.max()) ** (1 / t) / ((law / law.max()) ** (1 / t)).sum()
        ),
        "softmax of logits": lambda law, t: softmax(np.log(floats(law)) / float(t)),
        "log of objects": lambda law, t: softmax(np.log(law) / t),
        "loop": by_loop,
    },
)
def test_temperature_in_any_form_passes(function):
    assert checks.temperature(function).ok


@parametrize(
    "function, words",
    {
        "plain power": (
            lambda law, t: law ** (1 / t) / (law ** (1 / t)).sum(),
            "make the largest weight 1 first",
        ),
        "no return": (lambda law, t: None, "does its last line say return?"),
        "single precision": (
            lambda law, t: transforms.temperature(law, t).astype(np.float32),
            "float32 is not enough",
        ),
        "power t": (lambda law, t: law**t / (law**t).sum(), "1/t: a low temperature sharpens"),
        "logits multiplied": (
            lambda law, t: softmax(np.log(floats(law)) * float(t)),
            "1/t: a low temperature sharpens",
        ),
        "not renormalised": (lambda law, t: law ** (1 / t), "Divide by the sum"),
        "p times t": (lambda law, t: law * t, "Probabilities times t"),
        "p over t": (lambda law, t: law / t, "Probabilities over t"),
        "p times t, renormalised": (lambda law, t: law * t / (law * t).sum(), "common to all"),
        "softmax of probabilities": (
            lambda law, t: softmax(floats(law) / float(t)),
            "logits are logarithms",
        ),
        "softmax of probabilities times t": (
            lambda law, t: softmax(floats(law) * float(t)),
            "does not multiply",
        ),
        "in place": (in_place, "work on a copy"),
        "NaN at mass zero": (centred_logits, "NaN"),
        "another shape": (lambda law, t: law[:1], "it should be"),
        "no array": (lambda law, t: "hot", "it should be"),
    },
)
def test_a_wrong_temperature_is_refused(function, words):
    refuses(checks.temperature(function), words)


# Top-p


def by_hand(law, mass):
    kept, total = [0] * len(law), 0
    for token in sorted(range(len(law)), key=lambda x: -law[x]):
        if total < mass:
            kept[token] = law[token]
            total += law[token]
    return [x / total for x in kept]


def searched(law, mass):
    law = floats(law)
    order = np.argsort(-law, kind="stable")
    count = np.searchsorted(law[order].cumsum(), float(mass)) + 1
    kept = np.zeros(len(law))
    kept[order[:count]] = law[order[:count]]
    return kept / kept.sum()


def masked(law, mass):
    order = np.argsort(-law, kind="stable")
    ahead = law[order].cumsum() - law[order]
    kept = law.copy()
    kept[order[ahead >= mass]] = 0
    return kept / kept.sum()


def sorting(order_of, kept_of, normal=True):
    """A top-p by its two parts: the order of tokens, and which places of it are kept."""

    def function(law, mass):
        order = order_of(law)
        sorted_law = law[order]
        kept = law * 0
        places = order[kept_of(sorted_law.cumsum(), sorted_law, mass).astype(bool)]
        kept[places] = law[places]
        return kept / kept.sum() if normal else kept

    return function


def falling(law):
    return np.argsort(-law, kind="stable")


def unsteady(law):
    """Falling; of more than 16 tokens equals come as a quick sort may leave them."""
    places = np.arange(len(law))
    mixed = places if len(law) < 17 else np.random.default_rng(1).permutation(places)
    return mixed[np.argsort(-law[mixed], kind="stable")]


def needed(total, sorted_law, mass):
    return total - sorted_law < mass


def zeroed_in_place(law, mass):
    law[falling(law)[2:]] = 0
    return law / law.sum()


def threshold(law, mass):
    ordered = np.sort(law)[::-1]
    cut = ordered[(ordered.cumsum() - ordered < mass).sum() - 1]
    kept = np.where(law >= cut, law, 0 * law)
    return kept / kept.sum()


@parametrize(
    "function",
    {
        "package": transforms.top_p,
        "loop": by_hand,
        "searchsorted, floats": searched,
        "mask": masked,
        "two parts": sorting(falling, needed),
    },
)
def test_top_p_in_any_form_passes(function):
    assert checks.top_p(function).ok


@parametrize(
    "function, words",
    {
        "crossing token dropped": (
            sorting(falling, lambda c, s, m: c <= m),
            "The token that crosses the mark is kept",
        ),
        "ties in any order": (sorting(unsteady, needed), "only with kind"),
        "argsort as it comes": (sorting(lambda law: np.argsort(-law), needed), "only with kind"),
        "the favourite, if mass is small": (
            lambda law, mass: transforms.greedy(law) if mass < 0.3 else masked(law, mass),
            "it should be",
        ),
        "no return": (lambda law, mass: None, "does its last line say return?"),
        "single precision": (
            lambda law, mass: masked(law, mass).astype(np.float32),
            "float32 is not enough",
        ),
        "nothing kept": (sorting(falling, lambda c, s, m: c < 0), "NaN"),
        "crossing token dropped, first kept": (
            sorting(falling, lambda c, s, m: (c <= m) | (c == c[0])),
            "crosses the mark",
        ),
        "one too many at the mark": (sorting(falling, lambda c, s, m: c - s <= m), "exactly"),
        "not renormalised": (sorting(falling, needed, normal=False), "Divide by what is left"),
        "threshold keeps ties": (threshold, "a threshold keeps them all"),
        "ties turned round": (
            sorting(lambda law: np.argsort(law, kind="stable")[::-1], needed),
            "turns them round",
        ),
        "least likely first": (
            sorting(lambda law: np.argsort(law, kind="stable"), needed),
            "least likely",
        ),
        "order of the vocabulary": (
            sorting(lambda law: np.arange(len(law)), needed),
            "order of the vocabulary",
        ),
        "sorted order returned": (
            lambda law, mass: masked(law[falling(law)], mass),
            "its own mass back",
        ),
        "min-p": (transforms.min_p, "min-p"),
        "in place": (zeroed_in_place, "work on a copy"),
        "nothing done": (lambda law, mass: law, "it should be"),
        "crash": (lambda law, mass: law[len(law)], "IndexError"),
    },
)
def test_a_wrong_top_p_is_refused(function, words):
    refuses(checks.top_p(function), words)


# A round with settings


def a_round(
    drawn=lambda p, q, s, d: d(q), read_p=lambda p, q, s, d: s(p), read_q=lambda p, q, s, d: d(q)
):
    """A round by what it draws from and what it reads; each is a function of laws and settings."""

    def function(target, draft, target_step, draft_step, rng):
        given = target, draft, target_step, draft_step
        token = draw(drawn(*given), rng)
        return verify_token(read_p(*given), read_q(*given), token, rng)

    return function


def written_out(target, draft, target_step, draft_step, rng):
    target, draft = target_step(target), draft_step(draft)
    token = draw(draft, rng)
    if rng.random() < min(1, target[token] / draft[token]):
        return token, True
    return draw(residual(target, draft), rng), False


def with_numpy(target, draft, target_step, draft_step, rng):
    target, draft = target_step(floats(target)), draft_step(floats(draft))
    token = int(rng.choice(len(draft), p=draft))
    return verify_token(target, draft, token, rng)


def boundary_let_in(target, draft, target_step, draft_step, rng):
    p, q = target_step(target), draft_step(draft)
    token = draw(q, rng)
    if rng.random() * q[token] <= p[token]:
        return token, True
    return draw(residual(p, q), rng), False


def not_the_drafted(target, draft, target_step, draft_step, rng):
    p, q = target_step(target), draft_step(draft)
    return draw(p, rng), bool(rng.random() < overlap(p, q))


def falls_back(law_of_fallback):
    def function(target, draft, target_step, draft_step, rng):
        p, q = target_step(target), draft_step(draft)
        token = draw(q, rng)
        if rng.random() * q[token] < p[token]:
            return token, True
        return draw(law_of_fallback(p, q), rng), False

    return function


def accept_if_equal(target, draft, target_step, draft_step, rng):
    wanted = draw(target_step(target), rng)
    return wanted, wanted == draw(draft_step(draft), rng)


@parametrize(
    "function",
    {"two lines": a_round(), "written out": written_out, "with NumPy's choice": with_numpy},
)
def test_a_round_in_any_form_passes(function):
    assert checks.settings_round(function).ok


@parametrize(
    "function, words",
    {
        "raw draft read": (a_round(read_q=lambda p, q, s, d: q), "draft's law is read without"),
        "raw target read": (a_round(read_p=lambda p, q, s, d: p), "target's law is read without"),
        "raw laws read": (
            a_round(read_p=lambda p, q, s, d: p, read_q=lambda p, q, s, d: q),
            "Both laws are read",
        ),
        "raw draft drawn": (a_round(drawn=lambda p, q, s, d: q), "drawn before the draft's"),
        "no settings on the draft": (
            a_round(drawn=lambda p, q, s, d: q, read_q=lambda p, q, s, d: q),
            "left out altogether",
        ),
        "target's settings on both": (
            a_round(drawn=lambda p, q, s, d: s(q), read_q=lambda p, q, s, d: s(q)),
            "through the target's settings",
        ),
        "draft's settings on both": (
            a_round(read_p=lambda p, q, s, d: d(p)),
            "through the draft's settings",
        ),
        "no settings": (
            a_round(*[lambda p, q, s, d: q, lambda p, q, s, d: p, lambda p, q, s, d: q]),
            "All settings are left out",
        ),
        "accept if equal": (accept_if_equal, "the law is right, but"),
        "at or below": (boundary_let_in, "comes out, which the target never emits"),
        "another token accepted": (not_the_drafted, "is what you accept the drafted token?"),
        "fallback to the target": (falls_back(lambda p, q: p), "not from the target"),
        "fallback to the draft": (falls_back(lambda p, q: q), "not from the draft"),
        "turned round": (lambda *given: a_round()(*given)[::-1], "the token comes first"),
        "one value": (lambda *given: 0, "return (token, accepted)"),
        "no token": (lambda *given: (9, True), "no token"),
        "another generator": (
            lambda p, q, s, d, rng: verify_token(
                s(p), d(q), draw(d(q), np.random.default_rng()), rng
            ),
            "At target",
        ),
    },
)
def test_a_wrong_round_is_refused(function, words):
    refuses(checks.settings_round(function), words)


# The floor after the temperature


@parametrize(
    "function",
    {
        "power": lambda floor, t: floor ** (1 / t),
        "exp and log": lambda floor, t: np.exp(np.log(float(floor)) / float(t)),
    },
)
def test_the_floor_in_any_form_passes(function):
    assert checks.floor_after(function).ok


@parametrize(
    "function, words",
    {
        "turned round": (lambda floor, t: floor**t, "solve for the other"),
        "the same": (lambda floor, t: floor, "so the floor must"),
        "times": (lambda floor, t: floor * t, "not times a factor"),
        "over": (lambda floor, t: floor / t, "not divided"),
        "no number": (lambda floor, t: "low", "a number is wanted"),
        "an array": (lambda floor, t: np.array([floor ** (1 / t)]), "a number is wanted"),
        "complex": (lambda floor, t: complex(floor ** (1 / t)), "a number is wanted"),
        "no return": (lambda floor, t: None, "does its last line say return?"),
        "single precision": (lambda floor, t: np.float32(floor ** (1 / t)), "float32 is not"),
    },
)
def test_a_wrong_floor_is_refused(function, words):
    refuses(checks.floor_after(function), words)


@pytest.mark.parametrize("t", [Fraction(1, 2), Fraction(1, 3), Fraction(1)])
def test_the_graders_formula_moves_a_floor_past_a_temperature(t):
    law = np.array([Fraction(n, 16) for n in (7, 4, 3, 1, 1)])
    for floor in (Fraction(1, 7), Fraction(3, 7), Fraction(4, 7), Fraction(1, 2)):
        first = transforms.temperature(transforms.min_p(law, floor), t)
        last = transforms.min_p(transforms.temperature(law, t), floor ** int(1 / t))
        assert (first == last).all()


# Penalties


def rows_by(prefix_of, count=None):
    def function(rows, prefix, tokens, step):
        seen = [prefix_of(prefix, tokens, i) for i in range(len(rows))]
        return np.stack([step(*pair) for pair in zip(rows, seen)])[:count]

    return function


def bonus_raw(rows, prefix, tokens, step):
    after = [step(row, prefix + tokens[:i]) for i, row in enumerate(rows)]
    return np.stack([*after[:-1], rows[-1]])


def growing(rows, prefix, tokens, step):
    answer, seen = [], list(prefix)
    for i, row in enumerate(rows):
        answer.append(step(row, seen))
        seen += tokens[i : i + 1]
    return answer


@parametrize(
    "function",
    {"slices": rows_by(lambda before, new, i: before + new[:i]), "growing list": growing},
)
def test_penalised_rows_in_any_form_pass(function):
    assert checks.penalised_rows(function).ok


@parametrize(
    "function, words",
    {
        "stale": (rows_by(lambda before, new, i: before), "count the prefix alone"),
        "knows its own token": (rows_by(lambda b, new, i: b + new[: i + 1]), "its own token"),
        "whole block": (rows_by(lambda before, new, i: before + new), "whole block"),
        "block alone": (rows_by(lambda before, new, i: new[:i]), "text before the block"),
        "bonus forgotten": (rows_by(lambda b, new, i: b + new[:i], -1), "for the bonus"),
        "bonus raw": (bonus_raw, "goes through the step as well"),
        "prefix last": (rows_by(lambda before, new, i: new[:i] + before), "The prefix comes first"),
        "sorted": (
            rows_by(lambda before, new, i: tuple(sorted(before + new[:i]))),
            "keep their order",
        ),
        "without doubles": (
            rows_by(lambda before, new, i: tuple(dict.fromkeys(before + new[:i]))),
            "it should be",
        ),
        "the last two": (rows_by(lambda before, new, i: (before + new[:i])[-2:]), "it should be"),
        "bonus skipped": (
            lambda rows, prefix, tokens, step: np.stack(
                [step(rows[i], prefix + tokens[:i]) for i in range(len(tokens))]
            ),
            "for the bonus",
        ),
        "no step": (lambda rows, prefix, tokens, step: rows, "Nothing has been penalised"),
    },
)
def test_wrong_penalised_rows_are_refused(function, words):
    refuses(checks.penalised_rows(function), words)


@pytest.mark.parametrize(
    "check",
    (
        checks.temperature,
        checks.top_p,
        checks.settings_round,
        checks.floor_after,
        checks.penalised_rows,
    ),
)
def test_an_open_answer_is_not_attempted(check):
    result = check(lambda *given: ...)
    assert not result.attempted and not result.ok
