"""The kill matrix as a widget and as figures: shape as well as colour, words as well as shapes."""

import re
from xml.etree import ElementTree

import pytest

from specnotes import widgets
from specnotes.audit import line_up as suspects
from specnotes.plots.matrix import draw_matrix, draw_needed, matrix_svg, matrix_words

TESTS = {"greedy": True, "joint law": True, "stop token": False}
ROWS = {"A": [False, True, True], "B": [True, None, False], "C": [False, False, True]}
NAMES = {"A": ("shared coin", False), "B": ("plain", True), "C": ("0/0", False)}


@pytest.fixture
def sheet():
    return widgets.line_up()


def label(sheet):
    return re.search(r'aria-label="([^"]+)"', sheet.figures["matrix"].value)[1]


@pytest.mark.parametrize("name", ["joint law", "stop token", "draws", "share", "reveal"])
def test_every_control_changes_the_figure_and_its_words(sheet, name):
    control = sheet.controls[name]
    before = sheet.figures["matrix"].value, label(sheet)
    control.value = {"draws": 20_000, "share": 3}.get(name, True)
    assert sheet.figures["matrix"].value != before[0]
    assert label(sheet) != before[1]


def test_labels_are_hidden_until_they_are_asked_for(sheet):
    assert "wrong fallback" not in sheet.figures["matrix"].value
    sheet.controls["reveal"].value = True
    assert "wrong fallback" in sheet.figures["matrix"].value


def test_no_test_chosen_catches_nobody(sheet):
    for test in (*suspects.CHOICE, suspects.SAMPLED):
        sheet.controls[test].value = False
    assert "No test is chosen" in label(sheet)


def test_asking_another_test_moves_no_frame(sheet):
    frame = re.search(r'viewBox="[^"]+"', sheet.figures["matrix"].value)[0]
    sheet.controls["joint law"].value = sheet.controls["reveal"].value = True
    assert frame in sheet.figures["matrix"].value


def test_a_column_that_was_not_asked_catches_nobody():
    assert "Slips through every chosen test: C" in matrix_words(TESTS, ROWS)


def test_the_words_say_what_each_test_catches_and_what_each_label_hides():
    words = matrix_words(TESTS, ROWS, NAMES)
    assert "greedy: B; joint law: A" in words
    assert "B plain, right" in words and "C 0/0, wrong" in words


def test_a_revealed_row_says_whether_the_verdict_is_just():
    svg = matrix_svg(TESTS, ROWS, NAMES)
    assert all(words in svg for words in ("wrong, caught", "right, accused", "wrong, ships"))


def test_the_figure_is_well_formed_and_a_caught_cell_is_a_crossed_square():
    svg = matrix_svg(TESTS, ROWS)
    ElementTree.fromstring(svg)
    assert svg.count("<rect") == 2 and svg.count("<circle") == 3


def test_text_has_eleven_pixels_or_more():
    sizes = re.findall(r'font-size="([\d.]+)"', matrix_svg(TESTS, ROWS, NAMES))
    assert min(map(float, sizes)) >= 11


def test_static_twins_can_be_drawn():
    from matplotlib.figure import Figure

    top, bottom = Figure().subplots(2)
    draw_matrix(top, list(TESTS), ROWS, NAMES)
    draw_needed(bottom, [1, 0.1], {"hidden": [10, 1000], "shown": [10, 5]})
    assert [line.get_marker() for line in top.lines if line.get_markersize() > 8] == list("XXDX")
