"""Checks of notebook 03: laws of sequences, the lab's tiles, and what a sample can show."""

from math import pi, prod, sqrt

import numpy as np

from specnotes.audit.cases import BASE, SECOND, law
from specnotes.checks.card import NotAttempted, Wrong, ask, compare, exercise, is_same, versus
from specnotes.decode import speculate
from specnotes.exact import sequence_law
from specnotes.laws import overlap
from specnotes.models import MarkovModel, PrefixModel, toy_pair
from specnotes.verify import emitted_law

CHAIN = MarkovModel([law(1, 6, 3), law(2, 2, 6), law(5, 3, 2)], law(1, 2, 1))
HOLES = MarkovModel([law(0, 1), law(1, 2)], law(1, 1))


def _memory(prefix):
    """Likes a token the more, the more often it has been said."""
    return law(*(1 + prefix.count(token) for token in range(2)))


# Exercise 1: the chance of one sequence

_SEQUENCES = [
    (model, prefix, tokens)
    for model in (CHAIN, HOLES, PrefixModel(_memory, "ab"))
    for prefix in ((), (0,), (1, 0))
    for tokens in ((), (1,), (1, 0), (0, 1, 1), (1, 1, 0))
]


@exercise("chance of a sequence")
def sequence_probability(function):
    """function(model, prefix, tokens) -> the chance that ``tokens`` are what comes next."""
    for model, prefix, tokens in _SEQUENCES:
        kind = "Markov" if isinstance(model, MarkovModel) else "a model of the whole prefix"
        at = f"{kind}, prefix {prefix}, tokens {tokens}"
        answer = ask(function, model, prefix, tokens, at=at)
        right = sequence_law(model, prefix, len(tokens)).get(tokens, 0)
        if not is_same(answer, right):
            mistakes = _wrong_chances(model, prefix, tokens).items()
            hint = next((f". {name}" for name, x in mistakes if is_same(answer, x)), "")
            raise Wrong(f"At {at}: {versus(answer, right)}{hint}")
    return f"right on all {len(_SEQUENCES)} sequences, of two chains and of a model that remembers"


def _wrong_chances(model, prefix, tokens):
    laws, whole = model.score(prefix, tokens), (*prefix, *tokens)
    return {
        "Nothing has to happen for no tokens: the chance is 1": 0 if tokens == () else None,
        "Multiply along the way, do not add": sum(x[t] for x, t in zip(laws, tokens)),
        "Each law is read before its token, not after it": _product(laws[1:], tokens),
        "Every step needs the law after all tokens so far": _product([laws[0]] * 9, tokens),
        "The prefix is given: it sets the first law": _product(model.score((), tokens), tokens),
        "The prefix is given: its own chance does not count": _product(
            model.score((), whole), whole
        ),
        "A row is where you are, a column is where you go": _transposed(model, prefix, tokens),
    }


def _product(laws, tokens):
    chance = 1
    for next_law, token in zip(laws, tokens):
        chance = chance * next_law[token]
    return chance


def _transposed(model, prefix, tokens):
    if not tokens or not isinstance(model, MarkovModel):
        return None
    steps = zip(tokens[1:], tokens)
    return model.next_law(prefix)[tokens[0]] * prod(model.matrix[step] for step in steps)


# Exercise 2: one token, some steps on


@exercise("law some steps on")
def law_after(function):
    """function(model, prefix, steps) -> the law of the token ``steps`` places on."""
    cases = [
        (model, prefix, steps)
        for model in (CHAIN, HOLES)
        for prefix in ((), (0,), (0, 1))
        for steps in (1, 2, 3, 5)
    ]
    for model, prefix, steps in cases:
        at = f"prefix {prefix}, steps {steps}"
        answer = ask(function, model, prefix, steps, at=at)
        right = _law_after(model, prefix, steps)
        if not is_same(answer, right):
            mistakes = _wrong_laws_after(model, prefix, steps).items()
            hint = next((f". {name}" for name, x in mistakes if is_same(answer, x)), "")
            raise Wrong(f"At {at}: {versus(answer, right)}{hint}")
    return f"right in all {len(cases)} cases, up to five steps on"


def _law_after(model, prefix, steps):
    """By adding up whole sequences, not by matrices."""
    found = [0] * len(model.vocabulary)
    for tokens, mass in sequence_law(model, prefix, steps).items():
        found[tokens[-1]] += mass
    return np.array(found)


def _wrong_laws_after(model, prefix, steps):
    first = model.next_law(prefix)
    column = first
    for _ in range(steps - 1):
        column = model.matrix @ column
    powers = first @ (model.matrix ** (steps - 1)) if steps > 1 else None
    return {
        "One step too many: the next law is one step on already": _law_after(
            model, prefix, steps + 1
        ),
        "One step too few": _law_after(model, prefix, steps - 1) if steps > 1 else None,
        "A law multiplies the matrix from the left: law @ matrix": column,
        "** raises each entry; multiply matrices with @": powers,
        "The prefix is given: start from its law": _law_after(model, (), steps),
    }


# Exercise 3: exact and slow

SEED, START, TOKENS = 2, 0, 96  # of the lab as it opens
OPENING = dict(certainty=0.5, match=0.84, draft_length=5, draft_cost=0.09)
_RANGES = dict(certainty=(0, 1), match=(0, 1), draft_length=(1, 10), draft_cost=(0, 1))


@exercise("exact and slow")
def exact_but_slow(settings):
    """Lab settings with a kept α of 80 % or more and a toy speed-up below 1.

    A setting that is left out is as the lab opens; the opening itself is no attempt.
    """
    certainty, match, length, cost = _settings(settings)
    target, draft = toy_pair(certainty, match, SEED)
    kept = overlap(target.matrix[START], draft.matrix[START])
    trace = speculate(target, draft, (START,), length, TOKENS, np.random.default_rng(SEED))
    gain = float(trace.speedup(cost))
    said = f"α is {100 * kept:.1f} % and the toy speed-up {gain:.2f}×"
    if kept < 0.8:
        raise Wrong(f"{said}: too little is kept; raise the match")
    if gain >= 1:
        raise Wrong(f"{said}: still as fast as plain decoding or faster; α is not all of the bill")
    return f"{said}; every sequence still has the target's law"


def _settings(settings):
    if not isinstance(settings, dict) or not set(settings) & set(_RANGES):
        raise Wrong(f"settings should be a dict with the keys {', '.join(_RANGES)}")
    settings = OPENING | settings
    if all(settings[name] == OPENING[name] for name in _RANGES):
        raise NotAttempted
    for name, (low, high) in _RANGES.items():
        value = settings[name]
        if not isinstance(value, (int, float)) or not low <= value <= high:
            raise Wrong(f"{name} is {value!r}; the lab's slider goes from {low} to {high}")
    if settings["draft_length"] % 1:
        raise Wrong(f"draft_length is {settings['draft_length']}; it must be a whole number")
    certainty, match, length, cost = (settings[name] for name in _RANGES)
    return certainty, match, int(length), cost


# Exercise 4: how many draws

_NOISES = [
    (law(5, 3, 2), 0.01),
    (law(1, 1), 0.005),
    (toy_pair(0.5, 0.84, SEED)[0].initial, 0.004),
    (np.array(list(sequence_law(CHAIN, (0,), 3).values())), 0.02),
]


@exercise("draws until the noise is small")
def draws_needed(function):
    """function(law, size) -> the draws after which the right law's mean noise is ``size``."""
    return compare(
        function,
        _draws_needed,
        [(x.astype(float), size) for x, size in _NOISES],
        same=lambda answer, right: abs(float(answer) - right) <= 0.01 * right,
        hint=_draws_hint,
        names=("law", "size"),
    )


def _draws_needed(law, size):
    return np.sqrt(law * (1 - law)).sum() ** 2 / (2 * pi * size**2)


def _draws_hint(answer, law, size):
    spread = np.sqrt(law * (1 - law)).sum()
    mistakes = {
        "Noise falls with the root of the draws: solve for N": spread / (sqrt(2 * pi) * size),
        "2π is under the root as well": spread**2 / size**2,
        "That is with the standard deviation; the mean of its size is less": spread**2
        / (4 * size**2),
        "Distance is half the sum": 4 * _draws_needed(law, size),
        "That sums the variances; sum their roots": (law * (1 - law)).sum() / (2 * pi * size**2),
        "Not every token is equally likely": (len(law) - 1) / (2 * pi * size**2),
    }
    known = (name for name, x in mistakes.items() if abs(float(answer) - x) <= 0.01 * x)
    return next(known, None)


# Exercise 5: a test for samples

RIGHT, WRONG, ALARMS = 400, 100, 5  # samples of either law; P(Poisson(.4) > 5) < 1e-5
_LAB = tuple(model.initial for model in toy_pair(0.5, 0.84, SEED))
_SAMPLES = [(*BASE, 500), (*SECOND, 2500), (*_LAB, 40_000)]


@exercise("a test for samples")
def suspicious(function):
    """function(counts, target) -> bool: rarely true for the target's counts, often for wrong."""
    _refuse_degrees(function)
    rng = np.random.default_rng(2)
    for target, draft, draws in _SAMPLES:
        target, draft = target.astype(float), draft.astype(float)
        wrong = emitted_law(target, draft, fallback=target)
        at = f"{draws:,} draws of {len(target)} tokens"
        alarms = _alarms(function, rng.multinomial(draws, target, RIGHT), target, at)
        caught = _alarms(function, rng.multinomial(draws, wrong, WRONG), target, at)
        if alarms == RIGHT and caught == 0:
            raise Wrong(f"At {at}: it is the wrong way round: small p-values are suspicious")
        if alarms > ALARMS:
            raise Wrong(
                f"At {at}: {alarms} of {RIGHT} samples of the right law are called suspicious; "
                "one in a thousand was allowed"
            )
        if caught < 0.9 * WRONG:
            raise Wrong(
                f"At {at}: of {WRONG} samples of the wrong fallback only {caught} are called "
                "suspicious; a χ² test catches nearly all"
            )
    return (
        f"at most {ALARMS} false alarms in {RIGHT}, and nine of ten wrong samples caught, "
        f"in all {len(_SAMPLES)} settings"
    )


def _refuse_degrees(function):
    """Every table of 30 draws of three tokens: is the limit that of other degrees of freedom?"""
    from scipy.stats import chi2

    target, draws = BASE[0].astype(float), 30
    tables = [(a, b, draws - a - b) for a in range(draws + 1) for b in range(draws + 1 - a)]
    tables = np.array(tables)
    statistic = ((tables - draws * target) ** 2 / (draws * target)).sum(axis=-1)
    at = f"{draws} draws of 3 tokens"
    given = [bool(ask(function, counts, target, at=at)) for counts in tables]
    for degrees in (3, 7):
        if given == list(statistic > chi2.isf(0.001, degrees)):
            raise Wrong(
                f"At {at}: that is the limit of {degrees} degrees of freedom; three counts that "
                "add up to a known number have 2"
            )


def _alarms(function, samples, target, at):
    answers = [ask(function, counts, target, at=at) for counts in samples]
    for answer in answers:
        if not isinstance(answer, (bool, np.bool_)):
            raise Wrong(f"At {at}: return True or False; yours is {answer!r}")
    return sum(map(bool, answers))
