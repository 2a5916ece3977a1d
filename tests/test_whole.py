"""Whole numbers with many values: comparisons split them, and nothing else does."""

import math
from fractions import Fraction as F

import numpy as np
import pytest

from specnotes.audit import audit_token
from specnotes.coins import CannotEnumerate, law_of
from specnotes.laws import draw, residual

N = 2**16

# name: (program, chance of True)
COMPARED = {
    "below": (lambda rng: rng.integers(N) < 3, F(3, N)),
    "up to": (lambda rng: rng.integers(N) <= 3, F(4, N)),
    "above": (lambda rng: rng.integers(N) > 3, 1 - F(4, N)),
    "from": (lambda rng: rng.integers(N) >= 3, 1 - F(3, N)),
    "equal": (lambda rng: rng.integers(N) == 3, F(1, N)),
    "not equal": (lambda rng: rng.integers(N) != 3, 1 - F(1, N)),
    "between two": (lambda rng: rng.integers(N) < 2.5, F(3, N)),
    "equal to no whole number": (lambda rng: rng.integers(N) == 2.5, F(0)),
    "a number on the left": (lambda rng: 3 > rng.integers(N), F(3, N)),
    "NumPy's numbers": (lambda rng: rng.integers(N) < np.int64(3), F(3, N)),
    "single precision": (lambda rng: rng.integers(N) < np.float32(3), F(3, N)),
    "between bounds": (lambda rng: rng.integers(-N, N) < 0, F(1, 2)),
    "the last one counted": (lambda rng: rng.integers(0, N - 1, endpoint=True) < 3, F(3, N)),
    "divided": (lambda rng: rng.integers(N) / N < F(1, 3), F(21846, N)),
    "divided in floats": (lambda rng: rng.integers(N) / float(N) < 1 / 3, F(21846, N)),
    "times a number": (lambda rng: 5 * rng.integers(N) < 11, F(3, N)),
    "turned round": (lambda rng: N - 1 - rng.integers(N) < 3, F(3, N)),
    "turned round, up to": (lambda rng: -rng.integers(N) <= -3, 1 - F(3, N)),
    "shifted right": (lambda rng: rng.integers(N) >> 8 < 3, F(3, 256)),
    "divided down": (lambda rng: rng.integers(N) // 256 < 3, F(3, 256)),
    "math.floor": (lambda rng: math.floor(rng.random() * N) < 3, F(3, N)),
    "np.floor": (lambda rng: np.floor(rng.random() * N) <= 3, F(4, N)),
    "math.ceil": (lambda rng: math.ceil(rng.random() * N) <= 3, F(3, N)),
    "an array": (lambda rng: bool((rng.integers(N, size=2) < 3).all()), F(9, N**2)),
    "NaN": (lambda rng: rng.integers(N) < math.nan or rng.integers(N) > math.nan, F(0)),
    "infinity": (lambda rng: -math.inf < rng.integers(N) < math.inf, F(1)),
}


@pytest.mark.parametrize("program, chance", COMPARED.values(), ids=COMPARED)
def test_a_comparison_has_its_chance(program, chance):
    law = law_of(lambda rng: bool(program(rng)))
    assert law.get(True, 0) == chance and law.paths <= 256


def test_asked_twice_it_is_one_number():
    def program(rng):
        number = rng.integers(N)
        return bool(number < 10), bool(number < 20), bool(number < 5)

    law = law_of(program)
    assert law[False, True, False] == F(10, N) and law[True, True, True] == F(5, N)
    assert (True, False, False) not in law


def test_once_few_values_are_left_it_can_be_a_number():
    def program(rng):
        number = rng.integers(N)
        return int(number) if number < 3 else range(4)[3]

    assert law_of(program) == {0: F(1, N), 1: F(1, N), 2: F(1, N), 3: 1 - F(3, N)}


@pytest.mark.parametrize("use", [int, float, hash, lambda n: n % 7, lambda n: n & 1, str.__mul__])
def test_of_many_values_it_cannot(use):
    with pytest.raises((CannotEnumerate, TypeError)):
        law_of(lambda rng: use(rng.integers(N)))


def few_bits(toss):
    def verify(p, q, x, rng):
        if toss(rng) < int(float(p[x] / q[x]) * N):
            return x, True
        return draw(residual(p, q), rng), False

    return verify


TOSSES = {
    "integers": lambda rng: rng.integers(N),
    "math.floor": lambda rng: math.floor(rng.random() * N),
    "np.floor": lambda rng: np.floor(rng.random() * N),
}


@pytest.mark.parametrize("toss", TOSSES.values(), ids=TOSSES)
def test_a_coin_of_16_bits_is_found_exactly(toss):
    report = audit_token(few_bits(toss))
    assert not report.ok and report.method == "exact", str(report)
    assert 0 < report.findings[0].distance < F(2, N)


def test_of_a_coin_turned_into_a_python_int_the_report_says_what_it_cannot_exclude():
    report = audit_token(few_bits(lambda rng: int(rng.random() * N)))
    assert report.method == "sample" and "smaller ones are not excluded" in report.covered
    assert "65,536 possible values" in str(report)
