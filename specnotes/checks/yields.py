"""Checks on tokens per round, the ledger, and what reports of them can mean.

Functions may be exact or float and are compared to within 1e-9; numbers count as right if they
print as the text asks.  A wrong answer that is a known mistake is named.
"""

from fractions import Fraction
from numbers import Integral, Real

from specnotes import yields
from specnotes.checks import yield_mistakes as mistakes
from specnotes.checks.card import ONLY_EXACT, Wrong, ask, exercise, show, versus
from specnotes.coins.sources import deadline

CLOSE = 1e-9
SECONDS = 5  # for one call: enough for any answer, SymPy's included
PRINTED = 0.005  # two decimals
HALF, TENTH, SEVEN_TENTHS = Fraction(1, 2), Fraction(1, 10), Fraction(7, 10)


@exercise("tokens per round")
def tokens_per_round(function):
    """``function(acceptance_rate, draft_length)`` is 1 + α + … + α^γ, also at α = 1."""
    rates = SEVEN_TENTHS, Fraction(1, 3), Fraction(0), Fraction(99, 100)
    cases = [(SEVEN_TENTHS, 3), *((rate, length) for rate in rates for length in (1, 2, 5, 8))]
    for case in cases:
        _expect(function, yields.tokens_per_round, case, "α = {}, γ = {}", mistakes.TOKENS)
    for length in (1, 4):
        _expect_at_one(function, length)
    return f"right on all {len(cases) + 2} cases, α = 1 among them"


@exercise("the ledger")
def speedup(function):
    """``function(acceptance_rate, draft_length, cost_ratio)``: (1 + α + … + α^γ) / (γc + 1)."""
    cases = [
        (SEVEN_TENTHS, 3, TENTH),
        (SEVEN_TENTHS, 1, HALF),
        (Fraction(1, 5), 4, Fraction(1, 4)),
        (Fraction(9, 10), 8, Fraction(0)),
        (Fraction(0), 5, TENTH),
        (Fraction(1), 5, TENTH),
    ]
    for case in cases:
        try:
            _expect(function, yields.speedup, case, "α = {}, γ = {}, c = {}", mistakes.LEDGER)
        except Wrong as wrong:
            if case[0] == 1 and isinstance(wrong.__cause__, ZeroDivisionError):
                raise Wrong(f"{wrong}; the closed form is 0/0 at α = 1, the sum is γ + 1") from None
            raise
    return f"right on all {len(cases)} cases"


@exercise("the best draft length")
def best_draft_length(function):
    """``function(acceptance_rate, cost_ratio)`` is the best γ in 1 … 64, or 0 if none pays."""
    pairs = [(80, 10), (90, 10), (70, 40), (60, 59), (95, 2), (97, 1), (50, 60), (60, 60), (0, 10)]
    pairs += [(99, 0), (100, 1)]  # every draft up to the longest pays
    for rate, cost in pairs:
        case = Fraction(rate, 100), Fraction(cost, 100)
        known = mistakes.CHOICE
        _expect(function, yields.best_draft_length, case, "α = {}, c = {}", known, _speeds)
    return f"right on all {len(pairs)} cases, also where none pays or all 64 do"


@exercise("the ledger puzzle")
def ledger_puzzle(cost_ratio, acceptance_rate):
    """c from 96 / (20 + 100c) = 3.31, then α from the estimate of 3.46 at γ = 5."""
    cost = _number(cost_ratio, "cost_ratio")
    bill = 20 + 100 * cost
    if not (bill > 0 and abs(96 / bill - 3.31) <= PRINTED):
        note = _note(mistakes.LAB_COST, cost, tolerance=PRINTED)
        speed = f"{96 / bill:.2f}×" if bill > 0 else "no time at all"
        raise Wrong(
            f"with c = {cost:.4g} 96 tokens take {bill:.4g} passes: {speed}, not 3.31×{note}"
        )
    rate = _number(acceptance_rate, "alpha_used")
    if not 0 <= rate <= 1:
        raise Wrong(f"c is right, but α is a probability; yours is {rate:.4g}")
    estimate = yields.speedup(rate, 5, cost)
    if not abs(estimate - 3.46) <= PRINTED:
        note = _note(mistakes.LAB_RATE, rate, tolerance=0.002)
        raise Wrong(f"c is right; α = {rate:.4g} gives {estimate:.2f}× at γ = 5, not 3.46×{note}")
    return f"c = {cost:.3g} prints 3.31×, and α = {rate:.4g} prints 3.46×"


@exercise("printed numbers")
def printed_numbers(odd_one, longest_mean, mean_draft_length):
    """The line that cannot be right, the ceiling 1/(1−α), and γ̄ from 3.25 = 1 + .65·γ̄."""
    letter = str(odd_one).strip().upper()
    if letter != "B":
        unknown = f"odd_one is {odd_one!r}, not one of 'A', 'B', 'C', 'D'"
        raise Wrong(mistakes.PRINTED.get(letter, unknown))
    longest = _number(longest_mean, "longest_mean")
    if not abs(longest - 1 / 0.35) <= PRINTED:
        note = _note(mistakes.LONGEST_MEAN, longest, tolerance=PRINTED)
        raise Wrong(f"line B it is; the longest mean is not {longest:.4g}{note}")
    length = _number(mean_draft_length, "mean_draft_length")
    if not abs(length - 2.25 / 0.65) <= PRINTED:
        note = _note(mistakes.MEAN_LENGTH, length, tolerance=PRINTED)
        raise Wrong(f"the longest mean is right; the mean draft length is not {length:.4g}{note}")
    return "line B; and 3.25 is above 2.857, but fits 1 + .65·3.46"


@exercise("the oracle")
def oracle(mean_kept, speed):
    """SymPy expressions in alpha and c, judged by value: α/(1 − α) and 1/(1 − α + cα)."""
    _expect_equal("mean_kept", mean_kept, lambda a, c: a / (1 - a), mistakes.MEAN_KEPT)
    _expect_equal("oracle", speed, lambda a, c: 1 / (1 - a + c * a), mistakes.ORACLE)
    return "both expressions are right, whatever their form"


def _expect(function, reference, case, words, known, more=None):
    """Equal to the reference on one case, or ``Wrong`` with a known mistake's name and ``more``."""
    at = words.format(*map(show, case))
    answer, right = _answer(function, case, at), reference(*case)
    if _is_close(answer, right):
        return
    note = _note(known, answer, *case)
    note += more(answer, right, *case) if more else ""
    raise Wrong(f"At {at}: {versus(answer, right)}{note}")


def _speeds(answer, right, rate, cost):
    """What the student's length and the best one are worth."""
    if not isinstance(answer, Integral) or answer < 0:
        return ""
    mine, best = (yields.speedup(rate, int(n), cost) if n else 1 for n in (answer, right))
    return f" (speed-up {float(mine):.3f} against {float(best):.3f})"


def _expect_at_one(function, length):
    why = f"the closed form is 0/0 there, but every draft is kept: the sum is γ + 1 = {length + 1}"
    try:
        answer = _answer(function, (Fraction(1), length), f"α = 1, γ = {length}")
    except Wrong as wrong:
        if isinstance(wrong.__cause__, ZeroDivisionError):
            raise Wrong(f"{wrong}; {why}") from None
        raise
    if not _is_close(answer, length + 1):
        raise Wrong(f"At α = 1, γ = {length}: yours is {show(answer)}; {why}")


def _answer(function, case, at):
    """The student's answer, to ``Fraction``s or else to floats."""
    try:
        with deadline(SECONDS, Wrong):
            return ask(function, *case, at=at)
    except Wrong as wrong:
        if not isinstance(wrong.__cause__, ONLY_EXACT):
            raise
    with deadline(SECONDS, Wrong):
        return ask(function, *(float(x) if isinstance(x, Fraction) else x for x in case), at=at)


def _is_close(answer, right, tolerance=CLOSE):
    """NaN, None and what is not a number are close to nothing."""
    try:
        return right is not None and abs(float(answer) - float(right)) <= tolerance
    except (TypeError, ValueError, OverflowError):
        return False


def _note(known, answer, *case, tolerance=CLOSE):
    """The sentence of the first known mistake that gives this answer."""
    names = (name for name, wrong in known.items() if _is_close(answer, wrong(*case), tolerance))
    return next((f". {name.removesuffix('.')}" for name in names), "")


def _number(value, name):
    try:
        return float(value)
    except (TypeError, ValueError):
        raise Wrong(f"{name} should be a number, yours is {value!r}") from None


def _expect_equal(name, answer, reference, known):
    """Are two functions of α and c equal?  Asked on a grid, so that forms do not matter.

    Two ratios of polynomials of degree 3 or less that agree on 4 × 4 points are the same.
    """
    points = [(Fraction(i, 7), Fraction(k, 11)) for i in (1, 2, 4, 6) for k in (1, 3, 5, 8)]
    try:
        with deadline(SECONDS, TimeoutError):
            values = [_value(answer, name, *point) for point in points]
    except TimeoutError:
        raise Wrong(
            f"{name}: SymPy does not get to a number in {SECONDS} s; give a closed form. (A sum "
            "over K of tokens/time is the mean of the ratios: asked is the ratio of the means.)"
        ) from None

    def agrees(function):
        return all(_is_close(value, function(*point)) for value, point in zip(values, points))

    if not agrees(reference):
        note = next((f". {text.removesuffix('.')}" for text in known if agrees(known[text])), "")
        at = f"at α = 1/7, c = 1/11 your {name} is {show(values[0])}"
        raise Wrong(f"{at}, it should be {reference(*points[0])}{note}")


def _value(answer, name, rate, cost):
    """The expression's value; symbols are known by name, whatever was assumed about them."""
    symbols = getattr(answer, "free_symbols", None)
    if symbols is None and not isinstance(answer, Real):
        raise Wrong(f"{name} should be a SymPy expression in alpha and c, yours is {answer!r}")
    given = {"alpha": rate, "α": rate, "a": rate, "c": cost}
    strange = sorted(str(symbol) for symbol in symbols or () if str(symbol) not in given)
    if strange:
        raise Wrong(
            f"{name} should depend on alpha and c only, yours contains {', '.join(strange)}"
        )
    at = {symbol: given[str(symbol)] for symbol in symbols or ()}
    return _as_number(answer.subs(at)) if symbols else answer


def _as_number(value):
    """Exact if it is rational; sums and integrals are worked out."""
    value = value if value.is_Rational else value.doit()
    return Fraction(int(value.p), int(value.q)) if value.is_Rational else float(value)
