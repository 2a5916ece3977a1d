"""Graders of problem set 2, second half: formulas and numbers of tokens per round."""

from fractions import Fraction
from itertools import product

from scipy.optimize import brentq

from specnotes.checks.card import FormOnly, Wrong, exercise
from specnotes.coursework import facts
from specnotes.coursework.answers import COUNTED_LATER, check_expression, check_number
from specnotes.coursework.facts import Fact
from specnotes.coursework.parse import as_whole

# Two polynomials whose degrees are below the numbers of values here, and that agree on all of
# these points, are the same: α^k d^(k(k−1)/2) for k up to 4.
_ALPHAS = [Fraction(i, 7) for i in range(1, 6)]
_DECAYS = [Fraction(k, 9) for k in range(1, 8)]
_GRID = [{"alpha": a, "d": d} for a, d in product(_ALPHAS, _DECAYS)]
_ONE_POINT = [{"alpha": Fraction(1, 2), "d": Fraction(1, 2)}]


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
    said = check_expression(
        name, answer, reference, _GRID, mistakes, points=None if final else _ONE_POINT
    )
    return said if final else f"right at α = 1/2, d = 1/2; {COUNTED_LATER}"


def _best(you):
    return facts.best_length(you.rate, you.cost, you.overhead)


def _speed(you, length):
    return facts.speed(you.rate, length, you.cost, you.overhead)


@exercise("the best draft length")
def best_length(answer, you, final=False):
    """The γ in 1 … 64 with the largest speed, for the own α, c and overhead."""
    number = as_whole("best_length", answer)
    if not 1 <= number <= 64:
        raise Wrong(f"best_length is {number}, not a whole number from 1 to 64")
    if not final:
        return FormOnly(f"a whole number; {COUNTED_LATER}")
    best = _best(you)
    if number != best:
        alone = number == facts.best_length(you.rate, you.cost, 0)
        hint = ". That is the best one without the overhead" if alone else ""
        raise Wrong(
            f"γ = {number} has the speed-up {float(_speed(you, number)):.4f}; γ = {best} has "
            f"{float(_speed(you, best)):.4f}{hint}"
        )
    return f"γ = {number} is the best for your numbers"


@exercise("its speed-up")
def best_speed(answer, you, final=False):
    """The speed-up at the best γ."""

    def fact(y):
        alone = facts.speed(y.rate, _best(y), y.cost, 0)
        return Fact(_speed(y, _best(y)), {"That leaves the overhead out": alone})

    return check_number("best_speed", answer, fact, you, final, most=10)


@exercise("the least acceptance rate that pays")
def least_rate(answer, you, final=False):
    """The α at which the own γ is as fast as plain decoding."""

    def fact(y):
        right, alone = (
            brentq(lambda a: facts.speed(a, y.length, y.cost, h) - 1, 0, 1) for h in (y.overhead, 0)
        )
        return Fact(right, {"That leaves the overhead out": alone})

    return check_number("least_rate", answer, fact, you, final)
