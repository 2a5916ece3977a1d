"""How checks answer: the card, the result, the comparison."""

import math
import warnings
from fractions import Fraction as F

import numpy as np
import pytest

from specnotes.audit.cases import BASE, law
from specnotes.checks import card
from specnotes.checks.card import (
    Result,
    Wrong,
    ask,
    compare,
    exercise,
    is_open,
    is_same,
    show,
    versus,
)
from specnotes.laws import overlap, residual


@exercise("Overlap")
def check_overlap(student):
    """A check of a function."""
    return compare(student, overlap, [BASE, (law(1, 0), law(0, 1))])


@exercise("A number")
def check_number(answer):
    if answer != 3:
        raise Wrong("it is not that")
    return "as it is"


def by_loop(target, draft):
    return sum(min(a, b) for a, b in zip(target, draft))


# The card and the result.


def test_a_right_answer_gets_a_tick_and_what_was_covered(capsys):
    result = check_overlap(by_loop)
    assert result == Result(True, True, "right on all 2 cases")
    assert capsys.readouterr().out == "✓ Overlap: right on all 2 cases\n"


def test_a_wrong_answer_gets_a_counter_example(capsys):
    result = check_overlap(lambda target, draft: F(7, 10))
    assert (result.ok, result.attempted) == (False, True)
    assert capsys.readouterr().out == (
        "✗ Overlap: At target (1, 0), draft (0, 1): yours is 7/10, it should be 0\n"
    )


@pytest.mark.parametrize("answer", [..., lambda target, draft: ...])
def test_an_exercise_not_attempted_is_not_wrong(answer, capsys):
    result = check_overlap(answer)
    assert (result.ok, result.attempted) == (False, False)
    assert capsys.readouterr().out == "○ Overlap: not attempted yet\n"


@pytest.mark.parametrize("answer", [3, 4, None, "3", [3], np.array([3, 4]), ...])
def test_a_check_never_raises(answer, capsys):
    assert check_number(answer).ok == (isinstance(answer, int) and answer == 3)


def test_an_answer_of_an_unforeseen_kind_is_wrong_and_says_so(capsys):
    result = check_number(np.array([3, 4]))
    assert result.attempted and "cannot be used here: ValueError" in result.message


def test_a_check_keeps_its_name_and_docstring():
    assert (check_overlap.__name__, check_overlap.__doc__) == (
        "check_overlap",
        "A check of a function.",
    )


def test_require_raises_for_a_wrong_answer_with_its_message(capsys):
    with pytest.raises(AssertionError, match="it is not that"):
        check_number(4).require()
    with pytest.raises(AssertionError, match="not attempted yet"):
        check_number(...).require()


def test_require_is_silent_for_a_right_answer(capsys):
    check_number(3).require()


def test_a_result_is_not_shown_twice_in_a_notebook(capsys):
    result = check_number(3)
    capsys.readouterr()
    result._ipython_display_()
    assert capsys.readouterr().out == ""


# Asking.


def test_a_crash_is_a_wrong_answer_with_its_reason(capsys):
    result = check_overlap(lambda target, draft: target[9])
    assert (
        "At target (1/2, 3/10, 1/5), draft (1/5, 3/10, 1/2): your function raised IndexError"
        in (result.message)
    )


def test_a_function_of_the_wrong_number_of_arguments_is_a_wrong_answer(capsys):
    assert "TypeError" in check_overlap(lambda target: 1).message


def test_what_is_not_a_function_is_a_wrong_answer(capsys):
    assert "0.7 stands where a function is asked for" in check_overlap(0.7).message


def test_an_endless_loop_is_a_wrong_answer(monkeypatch, capsys):
    def loop(target, draft):
        while True:
            pass

    monkeypatch.setattr(card, "SECONDS", 0.2)
    assert "still running after 0.2 s: an endless loop?" in check_overlap(loop).message


def test_the_arguments_cannot_be_changed(capsys):
    def spoils(target, draft):
        target[0] = 0

    assert "changes its input, which is read-only; work on a copy" in check_overlap(spoils).message


def in_place(target, draft):
    target -= draft
    return target.sum()


def test_a_function_that_changes_its_input_is_told_to_copy(capsys):
    assert "your function changes its input" in check_overlap(in_place).message


p, q = BASE


@pytest.mark.parametrize(
    "careless",
    [
        lambda target, draft: np.minimum(p, q).sum(),
        lambda target, draft: sum(0 * p) + sum(min(a, b) for a, b in zip(target, q)),
        lambda target, draft: sum(p[i] if p[i] < q[i] else q[i] for i in range(3)),
    ],
)
def test_a_function_that_forgets_its_arguments_is_told_so(careless, capsys):
    message = check_overlap(careless).message
    assert message.endswith(". Your function reads p and q from outside: use its arguments")


def test_what_a_function_reads_from_outside_silences_a_guess_at_its_formula():
    with pytest.raises(Wrong, match="it should be 7/10$"):
        compare(lambda t, d: 2 * sum(p), overlap, [BASE], hint=lambda answer, *case: "Twice")


def test_numbers_functions_and_modules_from_outside_are_no_data(capsys):
    assert "outside" not in check_overlap(lambda target, draft: F(7, 10) + F(0) * math.pi).message


def test_arrays_inside_a_list_cannot_be_changed_either():
    def spoils(laws):
        laws[0][0] = 0

    given = [law(1, 1)]
    with pytest.raises(Wrong, match="read-only"):
        ask(spoils, given)
    assert (given[0] == law(1, 1)).all()


def test_a_student_may_change_a_list_without_harm():
    given = [1, 2]
    ask(lambda items: items.clear(), given)
    assert given == [1, 2]


def test_a_division_by_zero_in_the_answer_warns_nobody():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert math.isnan(ask(lambda a: (a / a)[0], np.zeros(1)))


# Comparing.


def test_a_function_for_floats_is_asked_with_floats(capsys):
    def floats_only(target, draft):
        return 1 - np.exp(np.log(np.abs(target - draft).sum())) / 2

    assert check_overlap(floats_only).ok


def test_an_error_that_floats_do_not_cure_stays_wrong(capsys):
    assert not check_overlap(lambda target, draft: target.missing).ok


def test_a_float_answer_is_compared_with_a_tolerance(capsys):
    assert check_overlap(lambda target, draft: float(by_loop(target, draft)) + 1e-13).ok
    assert not check_overlap(lambda target, draft: float(by_loop(target, draft)) + 1e-9).ok


def test_an_exact_answer_is_compared_exactly(capsys):
    assert not check_overlap(lambda target, draft: by_loop(target, draft) + F(1, 10**20)).ok


def test_a_residual_that_is_nan_is_wrong(capsys):
    def divides(target, draft):
        owed = np.maximum(target.astype(float) - draft.astype(float), 0)
        return owed / owed.sum()

    with pytest.raises(Wrong, match=r"yours is \(nan, nan\), it should be \(1/2, 1/2\)"):
        compare(divides, residual, [(law(1, 1), law(1, 1))])


def test_a_hint_is_added_to_a_counter_example():
    with pytest.raises(Wrong, match="it should be 7/10. Twice as much$"):
        compare(lambda t, d: 1.4, overlap, [BASE], hint=lambda answer, *case: "Twice as much")


@pytest.mark.parametrize(
    "answer, right, same",
    [
        (F(1, 2), F(1, 2), True),
        (0.5, F(1, 2), True),
        (0.5 + 1e-13, F(1, 2), True),
        (0.5 + 1e-11, F(1, 2), False),
        ([0.5, 0.5], law(1, 1), True),
        ((F(1, 2), F(1, 2)), law(1, 1), True),
        ([F(1, 2), F(1, 2) + F(1, 10**20)], law(1, 1), False),
        (np.array([1, 0]), law(1, 0), True),
        ([0.5, 0.5, 0], law(1, 1), False),
        ([[0.5, 0.5]], law(1, 1), False),
        (1, np.array([1.0]), False),
        (math.nan, 1.0, False),
        ([math.nan, 1.0], law(0, 1), False),
        (math.inf, math.inf, True),
        (math.inf, 1.0, False),
        (None, 1.0, False),
        ("0.5", 0.5, False),
        ([0.1, [0.2]], law(1, 1), False),
        (0.5 + 0j, 0.5, False),
        ({}, 1.0, False),
    ],
)
def test_what_counts_as_the_same(answer, right, same):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert is_same(answer, right) is same


def test_only_an_ellipsis_is_open():
    assert is_open(1, ...) and not is_open(1, None, 0, "", np.zeros(2))


@pytest.mark.parametrize(
    "answer, right, verdict",
    [
        (F(7, 10), 0, "yours is 7/10, it should be 0"),
        (
            np.array([1 - 3e-12, 0, 0]),
            law(1, 0, 0),
            "yours is (0.999999999997, 0, 0), it should be (1, 0, 0)",
        ),
        (0.5 + 1e-7, F(1, 2), "yours is 0.5000001, it should be 1/2"),
        (2e-16 + 0.3, 0.3, "yours is 0.30000000000000021, it should be 0.29999999999999999"),
        (None, 1, "yours is None, it should be 1"),
        ([], law(1), "yours is (), it should be (1)"),
    ],
)
def test_two_numbers_that_differ_are_shown_with_digits_that_differ(answer, right, verdict):
    assert versus(answer, right) == verdict


@pytest.mark.parametrize(
    "value, text",
    [
        (law(5, 3, 2), "(1/2, 3/10, 1/5)"),
        ([0.1 + 0.2, F(1, 3)], "(0.3, 1/3)"),
        (np.eye(2), "((1, 0), (0, 1))"),
        (math.nan, "nan"),
        (None, "None"),
    ],
)
def test_numbers_are_shown_as_a_reader_writes_them(value, text):
    assert show(value) == text
