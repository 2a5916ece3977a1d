"""The guess-and-check widget of notebook 00: one text at every draft length, fewer passes."""

import pytest

from specnotes.plots import trace
from specnotes.widgets import guess_and_check, guessing
from specnotes.widgets.guessing import rounds

TARGET = {"the": "cat", "cat": "sat", "sat": "on", "down": "on", "on": "the"}
DRAFT = TARGET | {"sat": "down"}
DRAFTS = {"one slip": DRAFT, "always wrong": dict.fromkeys(TARGET, "down")}


@pytest.mark.parametrize("draft_length", range(1, 9))
def test_the_text_is_the_targets_own_at_every_draft_length(draft_length):
    trace = rounds(TARGET, DRAFT, "the", draft_length, 10)
    words, last = [], "the"
    for _ in range(10):
        last = TARGET[last]
        words.append(last)
    assert [tuple(TARGET)[token] for token in trace.tokens] == words


def test_a_draft_that_is_never_right_takes_a_pass_for_each_word():
    never = dict.fromkeys(TARGET, "down")
    assert rounds(TARGET, never, "the", 3, 10).target_passes == 10


def test_moving_the_slider_redraws_the_rounds_and_the_bill():
    sheet = guess_and_check(TARGET, DRAFTS, "the", n_words=8)
    before = {name: figure.value for name, figure in sheet.figures.items()}
    sheet.controls["draft_length"].value = 1
    assert all(sheet.figures[name].value != before[name] for name in before)


def test_the_bill_says_words_passes_and_text():
    bill = guess_and_check(TARGET, DRAFTS, "the", n_words=3).figures["bill"].value
    assert "3 words in 1 target pass<" in bill and "cat sat on" in bill


def test_another_draft_writes_the_same_text_in_more_passes():
    sheet = guess_and_check(TARGET, DRAFTS, "the", n_words=8)
    before = sheet.figures["bill"].value
    sheet.controls["draft"].value = "always wrong"
    bill = sheet.figures["bill"].value
    assert "8 words in 8 target passes" in bill and "8 words in 8" not in before
    assert bill.split("The text")[1] == before.split("The text")[1]


def test_the_rounds_are_told_in_words_without_the_residual():
    shown = guess_and_check(TARGET, DRAFTS, "the").figures["trace"].value
    assert "in place of a wrong guess: on" in shown and "residual" not in shown


def test_every_kind_of_cell_has_its_word():
    assert list(guessing.MEANING) == list(trace.MEANING)
