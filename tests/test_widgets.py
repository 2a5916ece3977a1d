"""Widgets in process: setting a slider runs its callbacks here, and exceptions reach the test."""

import itertools
import re
import time
from importlib import import_module
from xml.etree import ElementTree

import numpy as np
import pytest

from specnotes import widgets, yields
from specnotes.audit.selfcheck import Row
from specnotes.decode import speculate
from specnotes.laws import overlap
from specnotes.models import toy_pair
from specnotes.widgets import audit_tile as audit_module
from specnotes.widgets import common
from specnotes.widgets.block_trace import CERTAINTY, TOKENS, ending_counts
from specnotes.widgets.fallback import BAD
from specnotes.widgets.lab import MOST_LIKELY, sequence


def scout_plane(longest=None):
    """Three n-grams and a look-up that is silent at some positions, on two kinds of text."""
    rng = np.random.default_rng(10)
    target, other = rng.dirichlet(np.ones(5), (2, 2, 30))
    shares = {"1-gram": 0.2, "2-gram": 0.6, "3-gram": 0.7, "look-up": 0.0, "one layer": 0.8}
    laws = {name: share * target + (1 - share) * other for name, share in shares.items()}
    laws["look-up"] = np.eye(5)[target.argmax(-1)] * (np.arange(30) % 3 > 0)[:, None]
    prices = {"1-gram": 1e-6, "2-gram": 0.002, "3-gram": 0.004, "look-up": 0.003, "one layer": 0.2}
    mirrored = {name: law[..., ::-1] for name, law in laws.items()}
    texts = {"code": {"target": target} | laws, "JSON": {"target": target} | mirrored}
    return widgets.scout_plane(texts, prices, order=2, longest=longest)


MAKERS = (
    widgets.one_token,
    widgets.fallback,
    widgets.lab,
    widgets.block_trace,
    widgets.two_sides,
    widgets.yield_curve,
    scout_plane,
)
every_widget = pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)


def labels(sheet):
    """The text alternatives of all live figures."""
    return re.findall(r'aria-label="([^"]+)"', "".join(f.value for f in sheet.figures.values()))


def settings(control):
    """The smallest, the present and the largest value of a control."""
    if isinstance(control, common.Control):
        return control.slider.min, control.value, control.slider.max
    return tuple(o[1] if isinstance(o, tuple) else o for o in control.options)


def pull(control):
    """Another value of a control."""
    values = settings(control)
    return values[-1] if control.value != values[-1] else values[0]


# Every widget


@every_widget
def test_every_control_changes_a_figure_and_its_words(make):
    for name in make().controls:
        sheet = make()
        control = sheet.controls[name]
        before = [figure.value for figure in sheet.figures.values()], labels(sheet)
        control.value = pull(control)
        after = [figure.value for figure in sheet.figures.values()], labels(sheet)
        silent = ("draft_cost",)  # the cost moves figures in tiles, which are words themselves
        assert after[0] != before[0], name
        assert after[1] != before[1] or name in silent, name


@every_widget
def test_every_slider_has_a_description_and_its_value_in_a_box(make):
    for control in make().controls.values():
        if not isinstance(control, common.Control):
            assert control.description
            continue
        assert control.box.description == control.slider.description != ""
        control.value = settings(control)[0]
        assert control.box.value == control.slider.value


@every_widget
def test_a_typed_value_moves_the_slider_and_the_figure(make):
    sheet = make()
    control = next(c for c in sheet.controls.values() if isinstance(c, common.Control))
    before = labels(sheet)
    control.box.value = settings(control)[2]
    assert control.value == settings(control)[2] and labels(sheet) != before


@every_widget
def test_figures_are_well_formed_at_every_corner(make):
    sheet = make()
    kept = {name: settings(c) for name, c in sheet.controls.items()}
    corners = itertools.product(*((v[0], v[-1]) for v in kept.values()))
    for corner in corners:
        setting = dict(zip(kept, corner))
        if make is widgets.one_token:
            sides = [
                [v for n, v in setting.items() if n.startswith(s)] for s in ("target", "draft")
            ]
            if not all(map(sum, sides)):
                continue
        for markup in sheet.draw(**setting).values():
            ElementTree.fromstring(f"<div>{markup}</div>")


@every_widget
def test_moving_a_slider_keeps_the_size_of_every_frame(make):
    sheet = make()

    def frames():
        drawn = "".join(f.value for name, f in sheet.figures.items() if name != "trace")
        return re.findall(r'viewBox="([^"]+)"', drawn)

    before = frames()
    for control in sheet.controls.values():
        control.value = pull(control)
    assert frames() == before


# One token


def test_one_token_output_is_exact_for_every_weight():
    sheet = widgets.one_token()
    weights = {name: control.slider for name, control in sheet.controls.items()}
    for corner in itertools.product((1, 0, 10), repeat=3):
        for i, weight in enumerate(corner):
            weights[f"draft_{i}"].value = weight
        assert "equal to the target on every token" in sheet.figures["errors"].value


def test_the_last_weight_of_a_law_cannot_be_dragged_to_zero():
    sheet = widgets.one_token(target=(1, 0, 0))
    sheet.controls["target_0"].value = 0
    assert sheet.controls["target_0"].value == 1


# The wrong fallback


def test_the_wrong_fallback_is_never_off_by_more_than_a_quarter():
    sheet = widgets.fallback()
    for name, share in itertools.product(BAD, range(0, 101, 10)):
        sheet.controls["name"].value, sheet.controls["share"].value = name, share
        distance = re.search(r"distance ([\d.]+) %", sheet.figures["errors"].value)
        assert float(distance[1]) <= 25


def test_the_dot_of_every_draft_lies_on_the_trail_of_its_kind():
    for name in BAD:
        on_trail = [dot_and_trail(name, share) for share in (0, 35, 100)]
        assert all(near(dot, *trail) for dot, trail in on_trail), name


def dot_and_trail(name, share):
    """The dot's centre and the ends of the dashed line."""
    sheet = widgets.fallback()
    sheet.controls["name"].value, sheet.controls["share"].value = name, share
    markup = sheet.figures["bound"].value
    dot = re.search(r'cx="([\d.]+)" cy="([\d.]+)"', markup).groups()
    trail = re.search(r'd="M([\d. L]+)" [^>]*dasharray', markup)[1].split("L")
    return tuple(map(float, dot)), [tuple(map(float, end.split())) for end in trail]


def near(dot, start, end):
    """Is the dot on the line from start to end, to the tenth of a pixel that is drawn?"""
    (x, y), (x0, y0), (x1, y1) = dot, start, end
    return abs((x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)) <= 0.2 * (abs(x1 - x0) + abs(y1 - y0))


def test_the_quarter_is_reached_by_a_draft_that_always_says_a_half_likely_token():
    sheet = widgets.fallback()
    sheet.controls["share"].value = 100
    assert "distance 25.00 %" in sheet.figures["errors"].value


def test_a_perfect_draft_hides_the_wrong_fallback():
    sheet = widgets.fallback()
    sheet.controls["share"].value = 0
    assert "distance 0.00 %" in sheet.figures["errors"].value


def test_the_caller_may_say_how_many_samples_would_show_the_error():
    def samples(target, wrong):
        return f"about {float(max(abs(wrong - target))):.3f}"

    assert "about 0.125" in widgets.fallback(samples=samples).figures["tiles"].value


# Yields


@pytest.mark.parametrize("rate, cost", [(0.92, 0.09), (0.5, 0.05), (0.3, 0.5), (1.0, 0.0)])
def test_the_marked_optimum_is_the_best_draft_length(rate, cost):
    sheet = widgets.yield_curve(rate, 3, cost)
    best = yields.best_draft_length(rate, cost, 16)
    told = f"The best draft length is {best}," if best else "No draft length beats"
    assert told in labels(sheet)[0]


# The lab


def test_the_lab_starts_in_the_region_of_its_source_text():
    tiles = re.sub(r"<[^>]+>", " ", widgets.lab().figures["tiles"].value)
    numbers = [float(n) for n in re.findall(r"[\d.]+(?= %|×)", tiles)]
    kept, rejected, wrong, measured, estimate = numbers
    assert 91 <= kept <= 94 and kept + rejected == pytest.approx(100)
    assert 2 <= wrong <= 5
    assert measured == 3.31 and 3.2 <= estimate <= 3.7
    assert "target passes 20 for 96 tokens" in " ".join(tiles.split())
    assert "draft steps 100" in " ".join(tiles.split())


def test_the_lab_says_the_corrected_output_is_exact_and_shows_the_float_beside():
    sheet = widgets.lab()
    for certainty, match in itertools.product((0.0, 0.5, 1.0), (0.0, 0.37, 1.0)):
        sheet.controls["certainty"].value, sheet.controls["match"].value = certainty, match
        assert "0 exactly" in sheet.figures["tiles"].value
        assert float(re.search(r"in floats ([\d.e-]+)", sheet.figures["tiles"].value)[1]) < 1e-15


def test_the_speed_up_is_tokens_over_passes_weighed_by_their_cost():
    trace, measured, _ = sequence(0.5, 0.84, 2, 5, 0.09, 96)
    assert measured == 96 / (trace.target_passes + 0.09 * trace.draft_passes)


def test_the_estimate_of_a_perfect_draft_is_that_of_full_acceptance():
    _, _, estimate = sequence(0.5, 1.0, 2, 5, 0.1, 96)
    assert estimate == pytest.approx(6 / 1.5)


def test_no_toy_law_runs_off_the_labs_axis():
    laws = [
        model.matrix.max()
        for certainty, match, seed in itertools.product((0, 0.5, 1), (0, 1), range(20))
        for model in toy_pair(certainty, match, seed)
    ]
    assert max(laws) <= MOST_LIKELY


def test_the_context_chooses_the_row_that_is_shown():
    sheet = widgets.lab()
    target, draft = toy_pair(0.5, 0.84, 2)
    for context in range(8):
        sheet.controls["context"].value = context
        kept = 100 * overlap(target.matrix[context], draft.matrix[context])
        assert f"Kept {kept:.1f} %" in sheet.figures["mass"].value


def test_the_lab_shows_as_many_rounds_as_there_were_target_passes():
    sheet = widgets.lab()
    sheet.controls["match"].value = 0.3
    passes = re.search(r"target passes.*?>(\d+)<", sheet.figures["tiles"].value)
    assert sheet.figures["trace"].value.count("listitem") == int(passes[1])


def test_one_step_of_the_lab_costs_no_more_than_a_few_decoded_sequences():
    sheet, (target, draft) = widgets.lab(), toy_pair(0.5, 0.84, 2)

    def decode():
        speculate(target, draft, (0,), 5, 96, np.random.default_rng(2))

    assert fastest(sheet.refresh) < 30 * fastest(decode)


def fastest(action, times=7):
    spent = []
    for _ in range(times):
        start = time.perf_counter()
        action()
        spent.append(time.perf_counter() - start)
    return min(spent)


# The audit


def press_audit(monkeypatch, *rows):
    monkeypatch.setattr(audit_module, "self_audit_rows", lambda: iter(rows))
    tile = audit_module.audit_tile()
    (button, verdict), table = tile.children[0].children, tile.children[1]
    button.click()
    return verdict.value, table.value, button.disabled


def test_the_audit_lists_each_check_with_its_figure(monkeypatch):
    rows = Row("α = 1 − TV", "19 pairs", True), Row("grid", "1,296 settings", True)
    verdict, table, disabled = press_audit(monkeypatch, *rows)
    assert "All 2 checks hold." in verdict and not disabled
    assert all(row.name in table and row.figure in table for row in rows)


def test_the_audit_names_a_check_that_fails(monkeypatch):
    verdict, table, _ = press_audit(monkeypatch, Row("a", "1", True), Row("b < c", "2", False))
    assert "1 of 2 checks failed: b &lt; c." in verdict and "✗ fails" in table


# Predictions


@pytest.fixture(autouse=True)
def fresh_kernel(monkeypatch):
    module = import_module("specnotes.widgets.predict")  # the package has a function of that name
    monkeypatch.setattr(module, "_asked", {})
    monkeypatch.setattr(module, "_recaps", [])


def ask(**words):
    return widgets.predict("k", "How much?", **({"options": ["a", "b"]} | words))


def parts(card):
    """The choice, the button and the note of a prediction."""
    _, _, choice, row = card.children
    return choice, *row.children


def shown(recap):
    return recap.children[-1].value


def test_run_all_goes_on_without_an_answer():
    choice, button, _ = parts(ask(answer="a"))
    assert choice.value is None and not button.disabled


def test_without_a_commitment_the_recap_says_so_and_still_gives_the_answer():
    ask(answer="b", why="because.")
    assert "committed to no prediction" in shown(widgets.recap())
    assert "<b>b</b>" in shown(widgets.recap()) and "because." in shown(widgets.recap())


def test_an_empty_commitment_is_asked_for_again():
    choice, button, note = parts(ask())
    button.click()
    assert not choice.disabled and "first" in note.value


def commit(card, value):
    choice, button, _ = parts(card)
    choice.value = value
    button.click()
    return choice, button


def test_a_commitment_is_kept_and_cannot_be_changed_afterwards():
    choice, button = commit(ask(answer="b"), "a")
    assert choice.disabled and button.disabled
    assert "You said: “a”" in shown(widgets.recap())


def test_a_recap_shown_earlier_follows_a_later_commitment():
    card, recap = ask(answer="b"), widgets.recap()
    commit(card, "b")
    assert "as predicted" in shown(recap) and "no prediction" not in shown(recap)


def test_a_prediction_that_missed_is_called_a_surprise():
    commit(ask(answer="b"), "a")
    assert "a surprise" in shown(widgets.recap())


def test_running_the_cell_again_keeps_the_commitment():
    commit(ask(answer="b"), "a")
    choice, button, _ = parts(ask(answer="b"))
    assert choice.value == "a" and choice.disabled and button.disabled


def test_a_question_without_options_takes_a_written_answer():
    commit(widgets.predict("w", "Why?", answer="c"), "so < so")
    assert "You said: “so &lt; so”." in shown(widgets.recap())


def test_a_written_answer_is_not_judged_by_its_letters():
    commit(widgets.predict("w", "How many?", answer="6"), "six")
    assert "surprise" not in shown(widgets.recap()) and "<b>6</b>" in shown(widgets.recap())


def test_an_answer_that_is_no_option_is_refused():
    with pytest.raises(ValueError, match="answer is 'c', not one of the options of 'k'"):
        ask(answer="c")


def test_a_notebook_without_predictions_says_so():
    assert "No predictions" in shown(widgets.recap())


def test_questions_are_recalled_in_the_order_they_were_asked():
    for key in "zab":
        widgets.predict(key, f"Question {key}?")
    assert re.findall(r"Question (\w)", shown(widgets.recap())) == list("zab")


# The rounds of one sequence


@pytest.mark.parametrize("draft_length, match, seed", [(1, 0.3, 0), (4, 0.6, 5), (8, 1.0, 2)])
def test_every_emitted_token_is_counted_once(draft_length, match, seed):
    trace, *_ = sequence(CERTAINTY, match, seed, draft_length, 0, TOKENS)
    assert sum(ending_counts(trace.rounds).values()) == len(trace.tokens) == TOKENS


# Scouts on a plane


def test_a_scouts_point_is_its_mean_overlap_and_its_silence_counts_as_nothing_kept():
    sheet = scout_plane()
    texts = np.random.default_rng(10).dirichlet(np.ones(5), (2, 2, 30))
    best = texts[0].max(-1) * (np.arange(30) % 3 > 0)
    words = f"look-up: price 0.0030, overlap {best.mean():.2f}"
    assert words in labels(sheet)[0]


def test_a_scouts_gain_is_the_packages_speedup_and_temperature_is_on_both_sides():
    sheet = scout_plane()
    sheet.controls["t"].value, sheet.controls["length"].value = 0.5, 6
    target, other = np.random.default_rng(10).dirichlet(np.ones(5), (2, 2, 30))
    draft = 0.8 * target + 0.2 * other
    cold = [law**2 / (law**2).sum(-1, keepdims=True) for law in (target, draft)]
    rate = overlap(*cold).mean()
    gain = yields.speedup(rate, 6, 0.2)
    assert f"one layer: price 0.2000, overlap {rate:.2f}, {gain:.2f}" in labels(sheet)[0]


def test_behind_its_longest_draft_a_scout_gains_no_more():
    sheet = scout_plane({"one layer": 3})
    gains = set()
    for length in (3, 4, 9):
        sheet.controls["length"].value = length
        gains |= set(re.findall(r"one layer: price .*?, overlap .*?, ([.\d]+)", labels(sheet)[0]))
    assert len(gains) == 1


def test_only_the_n_gram_of_the_chosen_order_is_named():
    sheet = scout_plane()
    sheet.controls["order"].value = 3
    assert "3-gram:" in labels(sheet)[0] and "2-gram:" not in labels(sheet)[0]
