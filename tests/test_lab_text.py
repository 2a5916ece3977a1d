"""The lab as text says what its drawings show."""

import re
from html import unescape

import numpy as np
import pytest

from specnotes import widgets
from specnotes.laws import overlap, residual
from specnotes.models import TOY_VOCABULARY, toy_pair
from specnotes.widgets.lab import START, sequence


@pytest.fixture
def sheet():
    return widgets.lab()


def words(sheet):
    return unescape(re.sub(r"<[^>]+>", " ", sheet.figures["text"].value))


def columns(sheet):
    """The numbers of the table, one row for each column, in percent."""
    rows = re.findall(r'<th scope="row">.*?</tr>', sheet.figures["text"].value)
    found = [re.findall(r"<td>(.*?)</td>", row) for row in rows]
    return np.array([[float(n.replace("−", "-")) for n in row] for row in found]).T


def box(sheet):
    return next(child for child in sheet.children if child.__class__.__name__ == "Checkbox")


def test_the_table_has_the_laws_in_percent(sheet):
    target, draft = (model.matrix[START] for model in toy_pair(0.5, 0.84, 2))
    shown = columns(sheet)
    wanted = target, draft, np.minimum(target, draft), residual(target, draft)
    assert np.allclose(shown[:4], 100 * np.array(wanted), atol=0.00501)


def test_the_output_minus_the_target_is_zero_and_the_wrong_one_adds_up_to_zero(sheet):
    *_, right, wrong = columns(sheet)
    assert not right.any() and wrong.any() and abs(wrong.sum()) < 0.05


def test_every_token_of_the_vocabulary_has_a_row(sheet):
    named = re.findall(r'<th scope="row">(.*?)</th>', sheet.figures["text"].value)
    assert named == list(TOY_VOCABULARY)


def test_every_round_of_the_sequence_is_told(sheet):
    trace, *_ = sequence(0.5, 0.84, 2, 5, 0.09, 96)
    assert len(re.findall(r"Round \d+\.", words(sheet))) == trace.target_passes


def test_the_share_that_is_kept_is_told(sheet):
    target, draft = (model.matrix[START] for model in toy_pair(0.5, 0.84, 2))
    assert f"Kept, α: {100 * overlap(target, draft):.1f} %" in words(sheet)


def test_every_control_changes_the_text(sheet):
    for control in sheet.controls.values():
        before = words(sheet)
        control.value = 0 if control.value != 0 else 1
        assert words(sheet) != before


def test_the_text_is_hidden_until_it_is_asked_for(sheet):
    assert sheet.figures["text"].layout.display == "none"
    assert sheet.figures["trace"].layout.display is None


def test_as_text_shows_the_text_in_place_of_the_drawings_and_back(sheet):
    for asked in (True, False):
        box(sheet).value = asked
        hidden = [sheet.figures[name].layout.display == "none" for name in ("text", "trace")]
        assert hidden == [not asked, asked]


def test_the_words_in_one_sentence_stay_in_either_mode(sheet):
    box(sheet).value = True
    assert sheet.figures["words"].layout.display != "none"
