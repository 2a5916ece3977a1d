"""Checks of notebook 03: right answers of many forms pass, each known mistake is named."""

from math import ceil, pi, sqrt

import numpy as np
import pytest
from scipy.stats import binom, chi2, chisquare, norm, power_divergence

from specnotes.checks import sequences
from specnotes.exact import sequence_law


def parametrize(names, table):
    return pytest.mark.parametrize(names, table.values(), ids=table.keys())


def refuses(result, words):
    assert result.attempted and not result.ok
    assert words in result.message


# Exercise 1


def by_loop(model, prefix, tokens):
    chance = 1
    for token in tokens:
        chance *= model.next_law(prefix)[token]
        prefix = (*prefix, token)
    return chance


def by_one_pass(model, prefix, tokens):
    laws = model.score(prefix, tokens)[:-1]
    return np.prod([law[token] for law, token in zip(laws, tokens)])


def by_recursion(model, prefix, tokens):
    if not tokens:
        return 1
    first, *rest = tokens
    return model.next_law(prefix)[first] * by_recursion(model, (*prefix, first), rest)


def by_listing(model, prefix, tokens):
    return sequence_law(model, prefix, len(tokens)).get(tuple(tokens), 0)


def by_logarithms(model, prefix, tokens):
    laws = model.score(prefix, tokens)[: len(tokens)].astype(float)
    with np.errstate(divide="ignore"):
        return float(np.exp(np.log(laws[range(len(tokens)), list(tokens)]).sum()))


@pytest.mark.parametrize("answer", [by_loop, by_one_pass, by_recursion, by_listing, by_logarithms])
def test_right_chances_pass(answer):
    assert sequences.sequence_probability(answer).ok


def added(model, prefix, tokens):
    return sum(law[t] for law, t in zip(model.score(prefix, tokens), tokens)) if tokens else 1


def one_row_late(model, prefix, tokens):
    laws = model.score(prefix, tokens)[1:]
    return np.prod([law[token] for law, token in zip(laws, tokens)])


def prefix_never_grows(model, prefix, tokens):
    return np.prod([model.next_law(prefix)[token] for token in tokens])


def prefix_ignored(model, prefix, tokens):
    return by_loop(model, (), tokens)


def prefix_counted(model, prefix, tokens):
    return by_loop(model, (), (*prefix, *tokens))


def rows_for_columns(model, prefix, tokens):
    if len(tokens) == 0:
        return 1
    chance = model.next_law(prefix)[tokens[0]]
    for a, b in zip(tokens, tokens[1:]):
        chance *= model.matrix[b, a]
    return chance


def last_token_alone(model, prefix, tokens):
    """Right for Markov models only."""
    chance = 1
    for i, token in enumerate(tokens):
        last = prefix if i == 0 else (tokens[i - 1],)
        chance *= model.next_law(last)[token]
    return chance


@parametrize(
    "answer, words",
    {
        "added": (added, "Multiply"),
        "one row late": (one_row_late, "read before its token"),
        "prefix never grows": (prefix_never_grows, "after all tokens so far"),
        "prefix ignored": (prefix_ignored, "sets the first law"),
        "prefix counted": (prefix_counted, "its own chance does not count"),
        "rows for columns": (rows_for_columns, "A row is where you are"),
        "only the last token": (last_token_alone, "a model of the whole prefix"),
        "nothing for no tokens": (lambda m, x, t: by_loop(m, x, t) if t else 0, "the chance is 1"),
        "a law": (lambda m, x, t: m.next_law(x), "it should be"),
        "a crash": (lambda m, x, t: m.no_such_thing, "AttributeError"),
    },
)
def test_a_wrong_chance_is_refused(answer, words):
    refuses(sequences.sequence_probability(answer), words)


# Exercise 2


def by_matrix_power(model, prefix, steps):
    return model.next_law(prefix) @ np.linalg.matrix_power(model.matrix, steps - 1)


def by_steps(model, prefix, steps):
    law = model.next_law(prefix)
    for _ in range(steps - 1):
        law = law @ model.matrix
    return law


def by_transposing(model, prefix, steps):
    law = model.next_law(prefix)
    for _ in range(1, steps):
        law = model.matrix.T @ law
    return law


def by_adding_up(model, prefix, steps):
    law = np.zeros(len(model.vocabulary))
    for tokens, mass in sequence_law(model, prefix, steps).items():
        law[tokens[-1]] += mass
    return law


def by_lists(model, prefix, steps):
    law = list(model.next_law(prefix))
    size = range(len(law))
    for _ in range(steps - 1):
        law = [sum(law[i] * model.matrix[i][j] for i in size) for j in size]
    return law


@pytest.mark.parametrize(
    "answer", [by_matrix_power, by_steps, by_transposing, by_adding_up, by_lists]
)
def test_right_laws_some_steps_on_pass(answer):
    assert sequences.law_after(answer).ok


def wrong_side(model, prefix, steps):
    law = model.next_law(prefix)
    for _ in range(steps - 1):
        law = model.matrix @ law
    return law


@parametrize(
    "answer, words",
    {
        "one step too many": (lambda m, x, n: by_steps(m, x, n + 1), "One step too many"),
        "one step too few": (lambda m, x, n: by_steps(m, x, max(n - 1, 1)), "One step too few"),
        "the wrong side": (wrong_side, "from the left"),
        "entries to a power": (
            lambda m, x, n: m.next_law(x) @ (m.matrix ** (n - 1)) if n > 1 else m.next_law(x),
            "raises each entry",
        ),
        "the prefix ignored": (lambda m, x, n: by_steps(m, (), n), "start from its law"),
        "a number": (lambda m, x, n: 1, "it should be"),
    },
)
def test_a_wrong_law_some_steps_on_is_refused(answer, words):
    refuses(sequences.law_after(answer), words)


# Exercise 3

OPENING = dict(certainty=0.5, match=0.84, draft_length=5, draft_cost=0.09)


@parametrize(
    "change",
    {
        "a dear draft": dict(draft_cost=0.9),
        "a perfect, long and dear draft": dict(match=1, draft_length=10, draft_cost=1),
        "a long draft": dict(draft_length=10, draft_cost=0.8),
        "certain models": dict(certainty=1.0, match=0.9, draft_cost=0.95),
        "with the seed": dict(draft_cost=0.9, seed=2),
    },
)
def test_settings_that_are_exact_and_slow_pass(change):
    assert sequences.exact_but_slow(OPENING | change).ok
    assert sequences.exact_but_slow(change).ok


@parametrize(
    "settings, words",
    {
        "hardly dearer": (OPENING | dict(draft_cost=0.1), "α is not all of the bill"),
        "a bad draft": (OPENING | dict(match=0), "raise the match"),
        "beyond the slider": (OPENING | dict(draft_cost=2), "from 0 to 1"),
        "half a token": (OPENING | dict(draft_length=2.5), "whole number"),
        "no key of the lab": (dict(speed=1), "keys"),
        "a list": ([0.5, 0.84, 5, 0.9], "keys"),
    },
)
def test_other_settings_are_refused(settings, words):
    refuses(sequences.exact_but_slow(settings), words)


# Exercise 4


def by_formula(law, size):
    return (np.sqrt(law * (1 - law)).sum() / size) ** 2 / (2 * pi)


def rounded_up(law, size):
    return ceil(sum(sqrt(x * (1 - x)) for x in law) ** 2 / (2 * pi * size**2))


def by_exact_means(law, size):
    """Halve the interval, with De Moivre's mean absolute deviation of each count."""

    def noise(n):
        k = np.floor(n * law) + 1
        return (k * (1 - law) * binom.pmf(k, n, law)).sum() / n

    low, high = 1, 10**6
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if noise(middle) > size else (low, middle)
    return high


@pytest.mark.parametrize("answer", [by_formula, rounded_up, by_exact_means])
def test_right_numbers_of_draws_pass(answer):
    assert sequences.draws_needed(answer).ok


@parametrize(
    "answer, words",
    {
        "no square": (lambda law, size: sqrt(by_formula(law, size)), "solve for N"),
        "no 2π": (lambda law, size: 2 * pi * by_formula(law, size), "2π is under the root"),
        "standard deviation": (
            lambda law, size: (np.sqrt(law * (1 - law)).sum() / (2 * size)) ** 2,
            "standard deviation",
        ),
        "no half": (lambda law, size: 4 * by_formula(law, size), "half the sum"),
        "variances": (
            lambda law, size: (law * (1 - law)).sum() / (2 * pi * size**2),
            "sum their roots",
        ),
        "even law": (lambda law, size: (len(law) - 1) / (2 * pi * size**2), "equally likely"),
        "a guess": (lambda law, size: 1000, "it should be"),
        "text": (lambda law, size: "many", "cannot be used"),
    },
)
def test_a_wrong_number_of_draws_is_refused(answer, words):
    refuses(sequences.draws_needed(answer), words)


# Exercise 5


def by_chisquare(counts, target):
    return chisquare(counts, counts.sum() * target).pvalue < 0.001


def by_statistic(counts, target):
    expected = counts.sum() * target
    return ((counts - expected) ** 2 / expected).sum() > chi2.isf(0.001, len(target) - 1)


def by_likelihood(counts, target):
    return power_divergence(counts, counts.sum() * target, lambda_=0).pvalue < 0.001


def by_each_token(counts, target):
    """One test per token, with the level shared out."""
    n = counts.sum()
    scores = abs(counts - n * target) / np.sqrt(n * target * (1 - target))
    return scores.max() > norm.isf(0.001 / len(target) / 2)


def by_noise(counts, target):
    """Distance against a multiple of the mean noise."""
    n = counts.sum()
    noise = np.sqrt(target * (1 - target) / (2 * pi * n)).sum()
    return abs(counts / n - target).sum() / 2 > 3.2 * noise


def with_degrees(degrees):
    def suspicious(counts, target):
        expected = counts.sum() * target
        statistic = ((counts - expected) ** 2 / expected).sum()
        return statistic > chi2.isf(0.001, degrees(target))

    return suspicious


@pytest.mark.parametrize(
    "answer", [by_chisquare, by_statistic, by_likelihood, by_each_token, by_noise]
)
def test_right_tests_for_samples_pass(answer):
    assert sequences.suspicious(answer).ok


@parametrize(
    "answer, words",
    {
        "always": (lambda counts, target: True, "right law are called suspicious"),
        "never": (lambda counts, target: False, "only 0 are called"),
        "any difference": (
            lambda counts, target: bool((counts != counts.sum() * target).any()),
            "right law are called suspicious",
        ),
        "level 5 %": (
            lambda counts, target: chisquare(counts, counts.sum() * target).pvalue < 0.05,
            "one in a thousand",
        ),
        "p-value upside down": (
            lambda counts, target: chisquare(counts, counts.sum() * target).pvalue >= 0.001,
            "wrong way round",
        ),
        "frequencies for counts": (
            lambda counts, target: chisquare(counts / counts.sum(), target).pvalue < 0.001,
            "only 0 are called",
        ),
        "a fixed distance": (
            lambda counts, target: abs(counts / counts.sum() - target).sum() / 2 > 0.08,
            "wrong fallback only",
        ),
        "one degree of freedom too many": (with_degrees(len), "3 degrees of freedom"),
        "degrees of another case": (with_degrees(lambda target: 7), "7 degrees of freedom"),
        "a p-value": (
            lambda counts, target: chisquare(counts, counts.sum() * target).pvalue,
            "True or False",
        ),
    },
)
def test_a_wrong_test_for_samples_is_refused(answer, words):
    refuses(sequences.suspicious(answer), words)


# All of them


@pytest.mark.parametrize(
    "check, stub",
    [
        (sequences.sequence_probability, lambda model, prefix, tokens: ...),
        (sequences.law_after, lambda model, prefix, steps: ...),
        (sequences.exact_but_slow, ...),
        (sequences.exact_but_slow, OPENING),
        (sequences.draws_needed, lambda law, size: ...),
        (sequences.suspicious, lambda counts, target: ...),
    ],
)
def test_a_stub_is_not_attempted(check, stub, capsys):
    result = check(stub)
    assert not result.attempted and not result.ok
    assert capsys.readouterr().out.startswith("○ ")
