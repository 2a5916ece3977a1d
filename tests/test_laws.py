"""Overlap, residual and drawing: by hand, by identity, in batches, and at the edges of floats."""

from fractions import Fraction as F

import numpy as np
import pytest

from specnotes.audit.cases import BASE, PAIRS, SECOND, law
from specnotes.coins import law_of
from specnotes.laws import (
    TOLERANCE,
    accept_prob,
    check_law,
    check_pair,
    check_tokens,
    check_whole,
    draw,
    overlap,
    residual,
    total_variation,
)

each_pair = pytest.mark.parametrize("target, draft", PAIRS.values(), ids=PAIRS.keys())


def is_law(values):
    return (values >= 0).all() and values.sum() == 1


# By hand.


@pytest.mark.parametrize("pair, expected", [(BASE, F(7, 10)), (SECOND, F(3, 5))])
def test_overlap_by_hand(pair, expected):
    assert overlap(*pair) == expected


@pytest.mark.parametrize("pair, expected", [(BASE, law(1, 0, 0)), (SECOND, law(0, 3, 1))])
def test_residual_by_hand(pair, expected):
    assert np.array_equal(residual(*pair), expected)


def test_accept_prob_by_hand():
    assert np.array_equal(accept_prob(*BASE), [1, 1, F(2, 5)])


def test_total_variation_by_hand():
    assert total_variation(*BASE) == F(3, 10)


def test_a_token_that_is_never_drafted_counts_as_kept_if_it_is_wanted():
    assert np.array_equal(accept_prob(law(1, 1, 0), law(1, 0, 0)), [F(1, 2), 1, 0])


def test_a_token_with_target_zero_is_never_kept():
    assert np.array_equal(accept_prob(law(1, 0), law(0, 1)), [1, 0])


def test_where_nothing_is_owed_the_residual_is_the_target():
    assert np.array_equal(residual(law(5, 3, 2), law(5, 3, 2)), law(5, 3, 2))


# Identities, exactly, on every nasty pair.


@each_pair
def test_overlap_is_one_less_total_variation(target, draft):
    assert overlap(target, draft) == 1 - total_variation(target, draft)


@each_pair
def test_overlap_is_the_chance_that_a_drafted_token_is_kept(target, draft):
    assert overlap(target, draft) == (draft * accept_prob(target, draft)).sum()


@each_pair
def test_the_residual_is_a_law(target, draft):
    assert is_law(residual(target, draft))


@each_pair
def test_kept_mass_and_owed_mass_make_the_target(target, draft):
    kept = draft * accept_prob(target, draft)
    assert np.array_equal(kept + (1 - overlap(target, draft)) * residual(target, draft), target)


@each_pair
def test_the_residual_has_only_tokens_that_are_owed(target, draft):
    if overlap(target, draft) < 1:
        assert np.array_equal(residual(target, draft) > 0, target > draft)


@each_pair
def test_overlap_and_distance_do_not_depend_on_the_order(target, draft):
    assert overlap(target, draft) == overlap(draft, target)
    assert total_variation(target, draft) == total_variation(draft, target)


@each_pair
def test_total_variation_is_the_largest_gap_over_sets_of_tokens(target, draft):
    gaps = target - draft
    assert total_variation(target, draft) == gaps[gaps > 0].sum()


@each_pair
def test_floats_agree_with_fractions(target, draft):
    exact = residual(target, draft).astype(float)
    assert residual(target.astype(float), draft.astype(float)) == pytest.approx(exact, abs=1e-7)
    assert overlap(target.astype(float), draft.astype(float)) == pytest.approx(
        float(overlap(target, draft)), abs=1e-15
    )


# Batches.

TARGETS = np.stack([law(5, 3, 2), law(1, 6, 3), law(0, 1, 1), law(1, 0, 0)]).reshape(2, 2, 3)
DRAFTS = np.stack([law(2, 3, 5), law(5, 3, 2), law(1, 0, 1), law(1, 0, 0)]).reshape(2, 2, 3)
FUNCTIONS = [overlap, total_variation, accept_prob, residual]


@pytest.mark.parametrize("kind", [object, float])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_batch_gives_each_rows_result(function, kind):
    targets, drafts = TARGETS.astype(kind), DRAFTS.astype(kind)
    batch = function(targets, drafts)
    rows = [[function(targets[i, j], drafts[i, j]) for j in range(2)] for i in range(2)]
    assert np.array_equal(batch, np.array(rows))


@pytest.mark.parametrize("kind", [object, float])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_one_law_meets_a_batch(function, kind):
    targets, draft = TARGETS.astype(kind), BASE[1].astype(kind)
    whole = np.broadcast_to(draft, targets.shape)
    assert np.array_equal(function(targets, draft), function(targets, whole))
    assert np.array_equal(function(draft, targets), function(whole, targets))


def test_leading_axes_broadcast():
    assert overlap(TARGETS[:, :1], DRAFTS[:1]).shape == (2, 2)


def test_an_empty_batch_stays_empty():
    assert overlap(np.zeros((0, 3)), np.zeros((0, 3))).shape == (0,)


# Kinds of numbers.


def test_fractions_stay_fractions():
    assert {type(x) for x in residual(*SECOND)} == {F} and type(overlap(*SECOND)) is F


def test_accept_prob_is_all_fractions_where_nothing_is_drafted_too():
    assert {type(x) for x in accept_prob(law(1, 1, 0), law(1, 0, 0))} == {F}


def test_accept_prob_stays_float32():
    target, draft = np.array([0.5, 0.5], np.float32), np.array([1, 0], np.float32)
    assert accept_prob(target, draft).dtype == np.float32


def test_whole_numbers_are_exact():
    assert type(overlap([1, 0], np.array([0, 1]))) is F


def test_right_exact_laws_are_checked_in_whole_numbers_alone(monkeypatch):
    """Quick: the fractions themselves are neither added nor compared."""
    rows = [[F(1, 2), F(1, 3), F(1, 6)], [F(1, 6), F(1, 3), F(1, 2)], [F(0), F(0), F(1)]]
    for name in ("__add__", "__radd__", "__ge__", "__lt__"):
        monkeypatch.delattr(F, name)
    assert check_law(np.array(rows)).shape == (3, 3)


@pytest.mark.parametrize("first, last", [(np.int64, int), (int, np.int64), (np.int64, np.int64)])
def test_fractions_of_numpys_integers_leave_nothing_of_numpy_behind(first, last):
    """They would wrap around: the cube of such a 1/3000000001 is not what it should be."""
    given = check_law([F(first(1), first(4)), F(last(3), last(4))])
    assert {type(part) for x in given for part in x.as_integer_ratio()} == {int}
    assert given.tolist() == [F(1, 4), F(3, 4)]


@pytest.mark.parametrize("order", [1, -1])
def test_whole_numbers_find_a_wrong_sum_whatever_the_denominators(order):
    """6 is common to sixths and thirds; three times 6 // 4 would make it right."""
    with pytest.raises(ValueError, match="sums to 5/4"):
        check_law([F(3, 4), F(1, 6), F(1, 3)][::order])


def test_whole_numbers_of_numpy_leave_nothing_of_numpy_behind():
    assert type(check_law(np.array([1, 0]))[0].numerator) is int


def test_one_float_makes_the_result_float():
    assert residual(law(5, 3, 2), [0.2, 0.3, 0.5]).dtype == float


@pytest.mark.parametrize("target, draft", [(law(1, 0), [0.0, 1.0]), ([1.0, 0.0], law(0, 1))])
def test_an_exact_law_and_a_float_law_keep_their_places(target, draft):
    assert residual(target, draft).tolist() == [1.0, 0.0]


def test_lists_and_tuples_are_laws():
    assert total_variation([0.5, 0.5], (1.0, 0.0)) == 0.5


def test_float32_stays_float32_and_agrees():
    target, draft = (one.astype(np.float32) for one in SECOND)
    assert residual(target, draft).dtype == np.float32
    assert residual(target, draft) == pytest.approx([0, 0.75, 0.25], abs=1e-6)


@pytest.mark.parametrize("kind, slack", [(np.float64, 1e-9), (np.float32, 1e-5)])
def test_the_tolerance_of_a_float_sum_is_the_stated_one(kind, slack):
    assert TOLERANCE[np.dtype(kind)] == slack
    check_law(np.array([0.5, 0.5 + slack / 2], kind))
    with pytest.raises(ValueError, match="sums to"):
        check_law(np.array([0.5, 0.5 + 2 * slack], kind))


def test_an_exact_sum_has_no_tolerance():
    with pytest.raises(ValueError, match="sums to"):
        check_law([F(1, 2), F(1, 2) + F(1, 10**30)])


def test_in_an_exact_batch_every_row_must_sum_to_one():
    half = F(1, 2)
    rows = [[half, 0], [half, 0], [0, 1], [0, 0]]  # as two rows of four they would pass
    with pytest.raises(ValueError, match=r"law\[0\] sums to 1/2"):
        check_law(rows)


def test_checking_returns_a_right_array_as_it_is():
    exact, floats = law(1, 2), np.array([0.25, 0.75])
    assert check_law(exact) is exact and check_law(floats) is floats


def test_a_pair_is_exact_together_or_float_together():
    target, draft = check_pair(law(1, 2), [0.5, 0.5])
    assert target.dtype == draft.dtype == float


def test_a_tuple_of_plain_ints_comes_back_as_it_is():
    tokens = (0, 2, 1)
    assert check_tokens(tokens, 3, "tokens") is tokens


def test_a_whole_number_comes_back_as_a_plain_int():
    assert type(check_whole(np.int64(3), "length", 1)) is int


# The edges of floats: never NaN, always a law.

TINY = 5e-324  # the smallest positive float
EDGES = {
    "equal but for the last bit": ([0.5, 0.5], [0.5, 0.5 + 2**-53]),
    "equal but for the last bit, above": ([0.5, 0.5 + 2**-53], [0.5, 0.5]),
    "three thirds": ([1 / 3, 1 / 3, 1 / 3], [1 / 3, 1 / 3, 1 - 2 / 3]),
    "owes the smallest float": ([TINY, 1.0], [0.0, 1.0]),
    "owes the smallest float three times": ([TINY] * 3 + [1.0], [0.0] * 3 + [1.0]),
    "drafts the smallest float": ([0.0, 1.0], [TINY, 1.0]),
    "both hold the smallest float": ([TINY, 1.0], [TINY, 1.0]),
    "sums off one in opposite ways": ([0.5, 0.5 + 9e-10], [0.5, 0.5 - 9e-10]),
    "sums below one": ([0.5, 0.5 - 9e-10], [0.5, 0.5]),
    "long": (np.full(50_000, 1 / 50_000), np.full(50_000, 1 / 50_000)),
}


@pytest.mark.parametrize("name", EDGES)
@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.filterwarnings("error")
def test_the_residual_is_a_law_at_the_edges_of_floats(name, kind):
    target, draft = (np.array(one, kind) for one in EDGES[name])
    owed = residual(target, draft)
    assert np.isfinite(owed).all() and (owed >= 0).all()
    assert owed.sum() == pytest.approx(1, abs=2e-5 if kind is np.float32 else 2e-9)


@pytest.mark.parametrize("name", EDGES)
@pytest.mark.filterwarnings("error")
def test_accept_prob_is_a_probability_at_the_edges_of_floats(name):
    kept = accept_prob(*EDGES[name])
    assert ((kept >= 0) & (kept <= 1)).all()


# Drawing.


@each_pair
def test_draw_has_the_law_it_is_given(target, draft):
    for one in (target, draft):
        assert law_of(lambda rng, one=one: draw(one, rng)) == {
            token: mass for token, mass in enumerate(one) if mass
        }


class Deals:
    """A generator that deals one number."""

    def __init__(self, number):
        self.number = number

    def random(self):
        return self.number


LAST = 1 - 2.0**-53  # the largest number that a generator deals
DRAWN = {
    "zero first": [0.0, 0.5, 0.5],
    "zero last": [0.5, 0.5, 0.0],
    "zeros at both ends": [0.0, 0.0, 1.0, 0.0, 0.0],
    "sum below one, zero last": [0.5, 0.5 - 9e-10, 0.0],
    "sum above one, zero first and last": [0.0, 0.5, 0.5 + 9e-10, 0.0],
    "a last bin of one bit": [1 - 2.0**-53, 2.0**-53, 0.0],
    "tenths": [0.0, *[0.1] * 10, 0.0],
    "one token": [1.0],
}


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.parametrize("coin", [0.0, 5e-324, 0.5, LAST])
def test_draw_never_lands_on_a_token_without_mass(name, kind, coin):
    given = np.array(DRAWN[name], kind)
    assert given[draw(given, Deals(coin))] > 0


@each_pair
@pytest.mark.parametrize("coin", [F(0), F(1, 2), 1 - F(1, 10**30)])
def test_an_exact_draw_never_lands_on_a_token_without_mass(target, draft, coin):
    assert target[draw(target, Deals(coin))] > 0 and draft[draw(draft, Deals(coin))] > 0


def test_the_extreme_coins_give_the_first_and_the_last_token_with_mass():
    given = law(0, 1, 2, 0)
    assert (draw(given, Deals(0.0)), draw(given, Deals(LAST))) == (1, 2)


def test_draw_uses_one_coin():
    rng = np.random.default_rng(0)
    draw(law(5, 3, 2), rng)
    other = np.random.default_rng(0)
    other.random()
    assert rng.random() == other.random()


def test_draw_gives_a_plain_int():
    assert type(draw(np.array([0.0, 1.0]), np.random.default_rng(0))) is int
