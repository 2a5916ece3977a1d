"""Graders of problem set 2, second half: formulas and numbers of tokens per round."""

from fractions import Fraction
from itertools import product

from scipy.optimize import brentq

from specnotes.checks.card import Wrong, exercise, show
from specnotes.coursework.answers import (
    COUNTED_LATER,
    as_number,
    check_expression,
    check_number,
)
from specnotes.yields import tokens_per_round

# Two polynomials whose degrees are below the numbers of values here, and that agree on all of
# these points, are the same: α^k d^(k(k−1)/2) for k up to 4.
_ALPHAS = [Fraction(i, 7) for i in range(1, 6)]
_DECAYS = [Fraction(k, 9) for k in range(1, 8)]
_GRID = [{"alpha": a, "d": d} for a, d in product(_ALPHAS, _DECAYS)]
_ONE_POINT = [{"alpha": Fraction(1, 2), "d": Fraction(1)}]


def fading_tokens(alpha, d, length):
    """1 + α + α · αd + … : each position is kept with d times the chance of the one before."""
    total, reach, chance = 1, 1, alpha
    for _ in range(length):
        reach, chance = reach * chance, chance * d
        total += reach
    return total


@exercise("tokens per round that fade")
def mean_tokens(answer, you, final=False):
    """A SymPy expression in alpha and d, for the own γ."""
    length = you.length
    mistakes = {
        "That takes the chance of position i to be kept for that of reaching it": (
            lambda alpha, d: 1 + sum(alpha * d**i for i in range(length))
        ),
        "That fades once for all positions: α·d is the second, α·d² the third": (
            lambda alpha, d: 1 + sum(alpha**k * d ** (k - 1) for k in range(1, length + 1))
        ),
        "That leaves the target's own token out": (
            lambda alpha, d: fading_tokens(alpha, d, length) - 1
        ),
        "The first position is not faded yet: it is kept with chance α": (
            lambda alpha, d: fading_tokens(alpha * d, d, length)
        ),
    }
    return _expression(
        "mean_tokens", answer, lambda alpha, d: fading_tokens(alpha, d, length), mistakes, final
    )


@exercise("the cost that breaks even")
def break_even(answer, you, final=False):
    """The largest c at which the own γ is not slower than plain decoding, in alpha and d."""
    length = you.length

    def reference(alpha, d):
        return (fading_tokens(alpha, d, length) - 1) / length

    mistakes = {
        "That is the cost of all drafts together: c is the cost of one": (
            lambda alpha, d: fading_tokens(alpha, d, length) - 1
        ),
        "The target pass costs 1, and plain decoding makes 1 token with it": (
            lambda alpha, d: fading_tokens(alpha, d, length) / length
        ),
    }
    return _expression("break_even", answer, reference, mistakes, final)


def _expression(name, answer, reference, mistakes, final):
    said = check_expression(name, answer, reference, _GRID if final else _ONE_POINT, mistakes)
    return said if final else f"right at α = 1/2, d = 1; {COUNTED_LATER}"


def speed(rate, length, cost, overhead):
    """Tokens per unit of time, when a round also has an overhead that plain decoding has not."""
    return tokens_per_round(rate, length) / (length * cost + 1 + overhead)


def best(you):
    return max(range(1, 65), key=lambda n: (speed(you.rate, n, you.cost, you.overhead), -n))


@exercise("the best draft length")
def best_length(answer, you, final=False):
    """The γ in 1 … 64 with the largest speed, for the own α, c and overhead."""
    number = as_number("best_length", answer)
    if number != int(number) or not 1 <= number <= 64:
        raise Wrong(f"best_length is {show(number)}, not a whole number from 1 to 64")
    if not final:
        return f"a whole number; {COUNTED_LATER}"
    if number != best(you):
        given = speed(you.rate, int(number), you.cost, you.overhead)
        right = speed(you.rate, best(you), you.cost, you.overhead)
        raise Wrong(
            f"γ = {int(number)} has the speed-up {float(given):.4f}; γ = {best(you)} has "
            f"{float(right):.4f}"
        )
    return f"γ = {int(number)} is the best for your numbers"


@exercise("its speed-up")
def best_speed(answer, you, final=False):
    """The speed-up at the best γ."""

    def right(y):
        return speed(y.rate, best(y), y.cost, y.overhead)

    return check_number("best_speed", answer, right, you, final, most=10)


@exercise("the least acceptance rate that pays")
def least_rate(answer, you, final=False):
    """The α at which the own γ is as fast as plain decoding."""

    def right(y):
        return brentq(lambda a: speed(a, y.length, y.cost, y.overhead) - 1, 0, 1)

    return check_number("least_rate", answer, right, you, final)
