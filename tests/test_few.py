"""Numbers with a few values: merged while they make no difference, told apart where they do."""

from itertools import product

import numpy as np
import pytest

from specnotes.audit import audit_token
from specnotes.audit.edges import VALUES, EdgeCoins
from specnotes.coins import law_of
from specnotes.coins.few import FewValued
from specnotes.laws import draw
from specnotes.verify import verify_token as right

LAW = np.array([0, 0.5, 0.5, 0])
NEAR = np.array([0.1, 0.2, 0.3, 0.4])  # floats that sum to 1 only after rounding
PROGRAMS = {
    "a comparison": lambda u, v: u < 0.25,
    "from the right": lambda u, v: 0.5 >= u,
    "a number of NumPy's": lambda u, v: bool(np.float64(0.75) <= u),
    "rounding of a product": lambda u, v: u * 0.3 < 0.3 * (1 - 2**-53),
    "a whole number": lambda u, v: int(u * 3),
    "two of them": lambda u, v: u < v,
    "their sum": lambda u, v: u + v >= 1,
    "a logarithm": lambda u, v: bool(np.log(u) < np.log(NEAR[1])),
    "a float": lambda u, v: float(u),
    "an array": lambda u, v: tuple((np.array([u, v]) < 0.5).tolist()),
    "times an array": lambda u, v: tuple((u * LAW < 0.25).tolist()),
    "a search": lambda u, v: int(np.searchsorted(np.cumsum(NEAR), u, side="right")),
    "an error of some values": lambda u, v: 1 / u > 2 if u else "none",
    "a method": lambda u, v: u.is_integer(),
    "in words": lambda u, v: f"{u:.2f}",
    "is it zero": lambda u, v: (u == 0, u != v, bool(u)),
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_outcomes_are_those_of_all_combinations(program):
    with np.errstate(all="ignore"):
        merged = law_of(lambda rng: program(FewValued(rng, VALUES), FewValued(rng, VALUES)))
        assert set(merged) == {program(*map(float, pair)) for pair in product(VALUES, VALUES)}


@pytest.mark.parametrize("toss", [lambda rng: draw(LAW, rng), lambda rng: 3 * rng.uniform(1, 2)])
def test_each_value_keeps_its_share(toss):
    law = law_of(lambda rng: float(toss(Dealt(FewValued(rng, VALUES)))))
    one_by_one = law_of(lambda rng: float(toss(Dealt(VALUES[rng.choice(len(VALUES))]))))
    assert law == pytest.approx({key: float(mass) for key, mass in one_by_one.items()})


class Dealt:
    def __init__(self, coin):
        self._coin = coin

    def random(self):
        return self._coin

    def uniform(self, low, high):
        return low + (high - low) * self._coin


def test_values_that_make_no_difference_are_one_path():
    assert law_of(lambda rng: [FewValued(rng, VALUES) < 0.6 for _ in range(3)]).paths == 8
    assert law_of(lambda rng: 0 * FewValued(rng, VALUES) < 1).paths == 1


def test_code_that_looks_at_the_type_meets_floats_too():
    law = law_of(lambda rng: isinstance(EdgeCoins(rng).random(), float))
    assert set(law) == {True, False}


def test_a_verifier_that_is_right_on_coins_alone_is_seen():
    def verify(target, draft, token, rng):
        return (
            (token, True) if isinstance(rng.random(), float) else right(target, draft, token, rng)
        )

    assert not audit_token(verify).ok


def test_a_value_that_is_left_is_one_that_led_here():
    def program(rng):
        coin = FewValued(rng, VALUES)
        return coin >= 0.75, coin.any()

    assert set(law_of(program)) == {(False, 0.0), (True, 0.75)}


def test_an_error_of_one_value_is_raised_for_it():
    with pytest.raises(ZeroDivisionError):
        law_of(lambda rng: 1 / FewValued(rng, VALUES) > 2)
