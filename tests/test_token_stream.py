"""The text as it is decoded: a widget that plays rounds, and the marks that it draws."""

import itertools
import re

import numpy as np
import pytest
import test_widgets

from specnotes import widgets
from specnotes.decode import Round, sample, speculate
from specnotes.drafts import PromptLookup
from specnotes.models import toy_pair, transformed
from specnotes.plots import reading_html, stream_html
from specnotes.transforms import greedy

RULES = [
    test_widgets.test_every_control_changes_a_figure_and_its_words,
    test_widgets.test_every_slider_has_a_description_and_its_value_in_a_box,
    test_widgets.test_a_typed_value_moves_the_slider_and_the_figure,
    test_widgets.test_figures_are_well_formed_at_every_corner,
    test_widgets.test_moving_a_slider_keeps_the_size_of_every_frame,
]


def token_stream():
    target, draft = toy_pair(0.5, 0.6, 5)
    drafts = {"toy": draft, "lookup": PromptLookup(target.vocabulary, longest=1)}
    return widgets.token_stream(target, drafts, {"the": (0,), "cat": (1, 2)}, most=12)


def spoken(sheet):
    return re.findall(r'aria-label="(Round \d[^"]+)"', sheet.figures["trace"].value)


def reading(sheet):
    """The decoded words, without the prompt."""
    return re.search(r"<b [^>]*>(.*?)</b>", sheet.figures["text"].value)[1].split()


def buttons(sheet):
    """(the hidden clock, Play or Pause, Next round, From the start)"""
    return sheet.children[2].children


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__.removeprefix("test_"))
def test_the_rules_of_every_widget_hold(rule):
    rule(token_stream)


def test_the_stream_shows_the_rounds_of_the_decoder_and_no_more():
    sheet = token_stream()
    target, draft = toy_pair(0.5, 0.6, 5)
    rounds = speculate(target, draft, (0,), 4, 99, np.random.default_rng(1)).rounds[:8]
    names = [target.vocabulary[token] for one in rounds for token in one.emitted]
    assert reading(sheet) == names and len(spoken(sheet)) == 8


def test_one_more_round_keeps_those_before():
    sheet = token_stream()
    before = spoken(sheet)
    buttons(sheet)[2].click()
    assert spoken(sheet)[:-1] == before and len(before) == 8


def test_all_rounds_can_be_stepped_through_from_the_start_and_no_further():
    sheet = token_stream()
    _, _, following, again = buttons(sheet)
    again.click()
    assert spoken(sheet) == [] and reading(sheet) == []
    for _ in range(15):
        following.click()
    assert len(spoken(sheet)) == sheet.controls["rounds"].value == 12


def test_the_clock_moves_the_rounds_and_its_button_says_what_it_would_do():
    sheet = token_stream()
    clock, toggle, *_ = buttons(sheet)
    assert toggle.description == "Play" and not clock.playing
    toggle.value = True
    assert clock.playing and toggle.description == "Pause"
    clock.value += 1  # the browser does this twice a second
    assert len(spoken(sheet)) == 9
    clock.playing = False  # at the end
    assert toggle.description == "Play"


@pytest.mark.parametrize(
    "draft, length, seed", list(itertools.product(("toy", "lookup"), (1, 5), (0, 7)))
)
def test_at_temperature_0_the_text_is_the_greedy_one_whatever_else_is_set(draft, length, seed):
    sheet = token_stream()
    target, _ = toy_pair(0.5, 0.6, 5)
    for name, value in dict(heat=0, draft=draft, draft_length=length, seed=seed).items():
        sheet.controls[name].value = value
    sure = transformed(target, greedy)
    tokens = sample(sure, (0,), len(reading(sheet)), np.random.default_rng(0))
    assert reading(sheet) == [target.vocabulary[token] for token in tokens]


def test_another_temperature_is_set_on_both_sides():
    sheet = token_stream()
    sheet.controls["heat"].value = 0.5
    pair = [
        transformed(model, lambda law: law**2 / (law**2).sum()) for model in toy_pair(0.5, 0.6, 5)
    ]
    rounds = speculate(*pair, (0,), 4, 99, np.random.default_rng(1)).rounds[:8]
    names = [pair[0].vocabulary[token] for one in rounds for token in one.emitted]
    assert reading(sheet) == names


def test_the_tiles_count_what_the_words_say():
    sheet = token_stream()
    said, tiles = " ".join(spoken(sheet)), sheet.figures["tiles"].value
    for kind in ("corrected", "bonus"):
        shown = re.search(rf">{kind}</div><div[^>]*>(\d+)<", tiles)[1]
        assert int(shown) == said.count(kind) > 0
    assert f">{len(reading(sheet)) / 8:.2f}<" in tiles


def test_each_kind_of_token_has_a_shape_of_its_own():
    markup = stream_html([Round((1, 2, 3), 1, (1, 4)), Round((1,), 1, (1, 5))], "abcdef")
    first, second = re.findall(r"<svg.*?</svg>", markup)
    assert re.search(r'<rect[^>]*fill="var\(--sn-kept,', first)  # accepted: a filled square
    assert re.search(r'<path[^>]*Z"[^>]*stroke="var\(--sn-owed,', first)  # corrected: a diamond
    assert re.search(r'<rect[^>]*stroke="var\(--sn-target,[^>]*rx="8.0"', second)  # bonus: a pill
    assert first.count("stroke-dasharray") == 2 and "dasharray" not in second  # in vain: dashed
    assert first.count("<line") == 1  # and the refused one, which is the first, struck out


def test_spaces_and_line_breaks_are_seen_and_said():
    markup = stream_html([Round((0, 1), 2, (0, 1, 2))], ("\n", " ", "<"))
    assert "accepted: line break space; bonus" in markup
    assert "⏎" in markup and "␣" in markup and "&lt;" in markup


def test_the_text_is_escaped_and_keeps_its_lines():
    assert "a &lt;b\n  c" in reading_html("", "a <b\n  c")
