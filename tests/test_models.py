"""Models give the laws they are made of; the toy pair is the same everywhere."""

from fractions import Fraction as F

import numpy as np
import pytest

from specnotes.audit.cases import law
from specnotes.laws import overlap
from specnotes.models import TOY_VOCABULARY, MarkovModel, PrefixModel, toy_pair, transformed
from specnotes.transforms import compose, greedy, temperature, top_k

MARKOV = MarkovModel([law(5, 3, 2), law(0, 1, 2), law(1, 1, 1)], law(1, 2, 1), "abc")
COUNTING = PrefixModel(lambda prefix: law(1 + len(prefix), 1 + sum(prefix)), ("x", "y"))
THIRD = compose(lambda one: temperature(one, F(1, 3)))


# Laws and scores.


def test_a_markov_model_starts_with_its_initial_law():
    assert np.array_equal(MARKOV.next_law(()), law(1, 2, 1))


def test_a_markov_models_law_depends_on_the_last_token_alone():
    assert np.array_equal(MARKOV.next_law((0, 2, 1)), law(0, 1, 2))


def test_a_prefix_models_law_depends_on_the_whole_prefix():
    assert np.array_equal(COUNTING.next_law((1, 0)), law(3, 2))
    assert np.array_equal(COUNTING.next_law((1, 1)), law(3, 3))


@pytest.mark.parametrize("model", [MARKOV, COUNTING])
@pytest.mark.parametrize("prefix", [(), (1,), (1, 0)])
@pytest.mark.parametrize("tokens", [(), (1,), (0, 1, 1)])
def test_a_score_is_the_laws_after_the_prefix_and_each_token(model, prefix, tokens):
    expected = [model.next_law(prefix + tokens[:i]) for i in range(len(tokens) + 1)]
    assert np.array_equal(model.score(prefix, tokens), np.array(expected))


@pytest.mark.parametrize("model", [MARKOV, COUNTING])
def test_lists_and_arrays_of_tokens_will_do(model):
    expected = model.score((1, 0), (1,))
    assert np.array_equal(model.score([1, 0], [1]), expected)
    assert np.array_equal(model.score(np.array([1, 0]), np.array([1])), expected)


def test_vocabularies_are_tuples_of_names():
    assert MARKOV.vocabulary == ("a", "b", "c")
    assert MarkovModel(MARKOV.matrix, MARKOV.initial).vocabulary == (0, 1, 2)
    assert PrefixModel(lambda prefix: [1.0], (name for name in "a")).vocabulary == ("a",)


@pytest.mark.parametrize("model", [MARKOV, COUNTING])
def test_the_laws_handed_out_are_read_only(model):
    with pytest.raises(ValueError, match="read-only"):
        model.next_law((1,))[0] = 1


def test_a_model_does_not_follow_later_changes_of_its_arrays():
    matrix, initial = np.eye(2), np.array([0.5, 0.5])
    model = MarkovModel(matrix, initial)
    matrix[:], initial[:] = 0, 0
    assert (model.matrix == np.eye(2)).all() and (model.initial == 0.5).all()


def test_a_prefix_models_rule_is_asked_once_for_each_prefix():
    asked = []
    model = PrefixModel(lambda prefix: asked.append(prefix) or law(1, 1), "ab")
    for _ in range(3):
        model.score((0,), [1])
        model.next_law([0])
    assert asked == [(0,), (0, 1)]


def test_a_prefix_models_rule_is_given_a_tuple_of_ints():
    asked = []
    model = PrefixModel(lambda prefix: asked.append(prefix) or law(1, 1), "ab")
    model.next_law(np.array([1, 0]))
    assert asked == [(1, 0)] and {type(token) for token in asked[0]} == {int}


def test_a_model_of_mixed_numbers_is_float_throughout():
    model = MarkovModel([law(1, 1), law(1, 3)], [0.5, 0.5])
    assert model.matrix.dtype == model.initial.dtype == model.score((), (0,)).dtype == float


# Transformed models.


@pytest.mark.parametrize("model", [MARKOV, COUNTING])
@pytest.mark.parametrize("step", [greedy, lambda one: top_k(one, 2), THIRD])
def test_a_transformed_model_has_transformed_laws(model, step):
    changed = transformed(model, step)
    assert changed.vocabulary == model.vocabulary
    for prefix in [(), (0,), (1, 0)]:
        assert np.array_equal(changed.next_law(prefix), step(model.next_law(prefix)))


@pytest.mark.parametrize("model", [MARKOV, COUNTING])
def test_a_step_may_look_at_the_prefix(model):
    def no_repeats(one, prefix):
        kept = np.array([x * (token not in prefix[-1:]) for token, x in enumerate(one)])
        return kept / kept.sum()

    changed = transformed(model, no_repeats)
    for prefix in [(), (0,), (1, 0)]:
        expected = no_repeats(model.next_law(prefix), prefix)
        assert np.array_equal(changed.next_law(prefix), expected)


def test_a_step_with_an_optional_second_argument_is_given_the_law_alone():
    changed = transformed(MARKOV, lambda one, k=1: top_k(one, k))
    assert np.array_equal(changed.next_law(()), law(0, 1, 0))


def test_a_transformed_markov_model_is_one():
    assert isinstance(transformed(MARKOV, greedy), MarkovModel)


# The toy pair.


def test_the_toy_pair_speaks_eight_named_tokens():
    for model in toy_pair(0.5, 0.5, seed=0):
        assert model.vocabulary == TOY_VOCABULARY and len(set(TOY_VOCABULARY)) == 8


@pytest.mark.parametrize(
    "setting, places",
    [
        ((0.5, 0.5, 1), "1840327/4860960 170063/2499360 627147/2517728 46588783/179023712"),
        ((0.9, 0.25, 7), "679397/21418400 301453/27519200 10838551/161944000 937/29120"),
        ((0, 0, 0), "98/827 103/864 73/747 106/727"),
    ],
)
def test_the_toy_pair_has_these_laws_on_every_platform(setting, places):
    target, draft = toy_pair(*setting, exact=True)
    spots = target.initial[0], target.matrix[2, 5], draft.initial[7], draft.matrix[6, 1]
    assert spots == tuple(map(F, places.split()))


@pytest.mark.parametrize("setting", [(0.5, 0.5, 1), (0.123, 0.877, 5), (1, 0, 2), (0, 1, 3)])
def test_the_exact_and_the_float_pair_are_the_same_laws(setting):
    for exact, floats in zip(toy_pair(*setting, exact=True), toy_pair(*setting)):
        assert np.array_equal(exact.matrix.astype(float), floats.matrix)
        assert np.array_equal(exact.initial.astype(float), floats.initial)


def test_one_seed_gives_one_pair():
    first, again = toy_pair(0.5, 0.5, 4, exact=True), toy_pair(0.5, 0.5, 4, exact=True)
    assert all((a.matrix == b.matrix).all() for a, b in zip(first, again))


def test_another_seed_gives_another_pair():
    (first, _), (other, _) = toy_pair(0.5, 0.5, 4), toy_pair(0.5, 0.5, 5)
    assert (first.matrix != other.matrix).any()


def rows(model):
    return np.concatenate([model.initial[None], model.matrix])


@pytest.mark.parametrize("seed", range(4))
def test_at_match_one_the_draft_is_the_target(seed):
    target, draft = toy_pair(0.6, 1, seed, exact=True)
    assert np.array_equal(rows(target), rows(draft))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("match", [F(1, 4), F(1, 2), F(9, 10)])
def test_match_mixes_the_target_into_an_unrelated_draft(seed, match):
    target, draft = toy_pair(0.6, match, seed, exact=True)
    same_target, unrelated = toy_pair(0.6, 0, seed, exact=True)
    assert np.array_equal(rows(same_target), rows(target))
    assert np.array_equal(rows(draft), match * rows(target) + (1 - match) * rows(unrelated))


def test_at_match_zero_the_overlap_is_that_of_unrelated_laws():
    """Over 50 seeds the drafts meet their own target no better than another seed's."""
    own, strangers = [], []
    for seed in range(50):
        (target, draft), (other, _) = toy_pair(0.8, 0, seed), toy_pair(0.8, 0, seed + 1000)
        own.append(overlap(rows(target), rows(draft)).mean())
        strangers.append(overlap(rows(other), rows(draft)).mean())
    spread = np.std(np.array(own) - strangers) / np.sqrt(50)
    assert abs(np.mean(own) - np.mean(strangers)) < 5 * spread


@pytest.mark.parametrize("seed", range(4))
def test_overlap_grows_in_proportion_to_match(seed):
    def mean_loss(match):
        return 1 - overlap(*map(rows, toy_pair(0.6, match, seed, exact=True)))

    for match in (F(1, 10), F(1, 2), F(99, 100)):
        assert np.array_equal(mean_loss(match), (1 - match) * mean_loss(0))


def test_certainty_goes_from_nearly_even_to_one_favourite():
    def largest(certainty):
        return np.mean([rows(toy_pair(certainty, 1, seed)[0]).max(axis=1) for seed in range(5)])

    tops = [largest(certainty) for certainty in (0, 0.25, 0.5, 0.75, 1)]
    assert tops == sorted(tops) and tops[0] < 0.2 and 0.6 < tops[-1] < 1


def test_every_toy_token_is_possible_after_every_other():
    for certainty in (0, 0.5, 1):
        assert (rows(toy_pair(certainty, 0.5, 1)[0]) > 0).all()


def test_certainty_and_match_are_rounded_to_thousandths():
    (first, _), (other, _) = toy_pair(0.5, 0.5, 1), toy_pair(0.5004, 0.5, 1)
    assert np.array_equal(first.matrix, other.matrix)
