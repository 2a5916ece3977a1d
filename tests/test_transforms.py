"""Temperature, truncation, greedy: by hand, exactly where rational, in batches, and in order."""

from fractions import Fraction as F

import numpy as np
import pytest

from specnotes.audit.cases import PAIRS, law
from specnotes.laws import check_law
from specnotes.transforms import compose, greedy, min_p, temperature, top_k, top_p

P = law(4, 3, 2, 1)

STEPS = {
    "temperature 1/2": lambda one: temperature(one, F(1, 2)),
    "temperature 2": lambda one: temperature(one, 2),
    "top 2": lambda one: top_k(one, 2),
    "top-p 1/2": lambda one: top_p(one, F(1, 2)),
    "min-p 1/2": lambda one: min_p(one, F(1, 2)),
    "greedy": greedy,
}


# By hand.


@pytest.mark.parametrize(
    "t, expected",
    [
        (1, law(4, 3, 2, 1)),
        (F(1, 2), law(16, 9, 4, 1)),
        (0.5, law(16, 9, 4, 1)),
        (F(1, 3), law(64, 27, 8, 1)),
    ],
)
def test_a_temperature_with_whole_inverse_is_an_exact_power(t, expected):
    assert np.array_equal(temperature(P, t), expected)


def test_another_temperature_is_a_float_power():
    roots = np.sqrt([4, 3, 2, 1])
    assert temperature(P, 2) == pytest.approx(roots / roots.sum(), abs=1e-15)


@pytest.mark.parametrize(
    "k, expected", [(1, law(1, 0, 0, 0)), (2, law(4, 3, 0, 0)), (4, P), (99, P)]
)
def test_top_k_keeps_the_k_likeliest(k, expected):
    assert np.array_equal(top_k(P, k), expected)


@pytest.mark.parametrize(
    "mass, expected",
    [
        (F(1, 10), law(1, 0, 0, 0)),
        (F(4, 10), law(1, 0, 0, 0)),
        (F(4, 10) + F(1, 10**9), law(4, 3, 0, 0)),
        (F(7, 10), law(4, 3, 0, 0)),
        (F(9, 10), law(4, 3, 2, 0)),
        (1, P),
    ],
)
def test_top_p_keeps_the_fewest_that_reach_the_mass(mass, expected):
    assert np.array_equal(top_p(P, mass), expected)


@pytest.mark.parametrize(
    "floor, expected",
    [(0, P), (F(1, 2), law(4, 3, 2, 0)), (F(3, 4), law(4, 3, 0, 0)), (1, law(1, 0, 0, 0))],
)
def test_min_p_keeps_what_is_near_the_top(floor, expected):
    assert np.array_equal(min_p(P, floor), expected)


def test_greedy_puts_all_mass_on_the_likeliest():
    assert np.array_equal(greedy(law(1, 5, 3)), law(0, 1, 0))


# Ties, zeros, order.


@pytest.mark.parametrize("step", [greedy, lambda one: top_k(one, 1), lambda one: top_p(one, 0.1)])
def test_ties_go_to_the_lower_token(step):
    assert np.array_equal(step(law(1, 2, 2, 2)), law(0, 1, 0, 0))


def test_a_tie_at_the_cut_of_top_k_keeps_the_lower_token():
    assert np.array_equal(top_k(law(1, 2, 1, 1), 2), law(1, 2, 0, 0))


def test_min_p_keeps_all_of_a_tie():
    assert np.array_equal(min_p(law(2, 2, 1), 1), law(1, 1, 0))


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS.keys())
def test_no_step_gives_mass_to_an_impossible_token(step):
    assert step(law(0, 2, 1, 0))[[0, 3]].sum() == 0


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS.keys())
def test_every_step_keeps_the_order_of_tokens(step):
    after = step(law(1, 4, 2, 3))
    assert after[1] >= after[3] >= after[2] >= after[0]


def test_compose_applies_its_steps_from_left_to_right():
    step = compose(lambda one: temperature(one, F(1, 2)), lambda one: top_p(one, F(1, 2)))
    assert np.array_equal(step(P), law(1, 0, 0, 0))


def test_the_order_of_steps_matters():
    cool, cut = (lambda one: temperature(one, F(1, 2))), (lambda one: top_p(one, F(1, 2)))
    assert (compose(cool, cut)(P) != compose(cut, cool)(P)).any()


def test_composing_nothing_changes_nothing():
    assert np.array_equal(compose()(P), P)


@pytest.mark.parametrize("t", [1e-3, 1e-9, 5e-324])
@pytest.mark.parametrize("kind", [object, float])
def test_a_low_temperature_tends_to_greedy(t, kind):
    assert temperature(P.astype(kind), t) == pytest.approx(greedy(P).astype(float), abs=1e-12)


@pytest.mark.parametrize("t", [1e9, 1e308])
def test_a_high_temperature_tends_to_even_over_what_is_possible(t):
    assert temperature(law(5, 3, 0), t) == pytest.approx([0.5, 0.5, 0], abs=1e-8)


# Every step, on every nasty law: still a law, in exact numbers, in batches, in float32.


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS.keys())
@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS.keys())
def test_every_step_gives_a_law(step, pair):
    for one in pair:
        check_law(step(one))


@pytest.mark.parametrize("name", [name for name in STEPS if name != "temperature 2"])
def test_rational_steps_are_exact(name):
    assert {type(x) for x in STEPS[name](P)} == {F}


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS.keys())
@pytest.mark.parametrize("kind", [object, float])
def test_a_batch_gives_each_rows_law(step, kind):
    batch = np.stack([P, P[::-1], law(0, 1, 1, 0)]).astype(kind).reshape(3, 1, 4)
    assert np.array_equal(step(batch), np.stack([[step(row[0])] for row in batch]))


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS.keys())
def test_float32_gives_the_same_law(step):
    narrow = step(P.astype(np.float32))
    assert narrow.dtype == np.float32
    assert narrow == pytest.approx(step(P).astype(float), abs=1e-6)
