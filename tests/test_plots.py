"""Figures: well-formed, labelled, legible, inside their frame, and true to their numbers."""

import re
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.figure import Figure

from specnotes import plots, yields
from specnotes.audit.cases import BASE, PAIRS, law
from specnotes.decode import Round
from specnotes.laws import overlap, residual, total_variation
from specnotes.plots import palette, svg, trace
from specnotes.plots.coupling import coupling_words
from specnotes.plots.numbers import percent, signed, tiny
from specnotes.plots.scouts import apart, inside
from specnotes.verify import emitted_law, token_kernel

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("the", "<b>&\"'", "extraordinarily", ".")
RATES = ((0.0, 0.0, 1), (1.0, 0.0, 16), (0.9, 0.09, 5), (0.05, 1.0, 16), (1.0, 1.0, 16))
TRACE = (
    Round((0, 1, 3), 3, (0, 1, 3, 2)),  # all kept, bonus
    Round((0, 1, 3), 1, (0, 2)),  # second rejected and corrected
    Round((2, 1, 3), 0, (0,)),  # first rejected
    Round((0, 1, 3), 3, (0, 1)),  # cut by n_tokens inside what was accepted
)


def one_token_figures(target, draft, most=1.0, error=0.25):
    """The figures of one pair of laws."""
    names = NAMES[: len(target)]
    right, wrong = emitted_law(target, draft), emitted_law(target, draft, fallback=target)
    far = total_variation(target, right), total_variation(target, wrong)
    kept, after = overlap(target, draft), residual(target, draft)
    coupling = draft[:, None] * token_kernel(target, draft)
    return {
        "mass": plots.mass_svg(target, draft, names, after, kept, "Next token", most),
        "errors": plots.errors_svg(target, right, wrong, names, far, error),
        "coupling": plots.coupling_svg(coupling, target, draft, names),
        "bound": plots.bound_svg(kept, far[1], [(1, 0), (kept, far[1])]),
        "three laws": plots.three_laws_svg(draft, target, wrong, names),
        "all accepted": plots.acceptance_error_svg(kept, 1, 1 - kept),  # the draft comes out
    }


def yield_figures(rate, cost, length):
    lengths = range(1, 17)
    speeds = [yields.speedup(rate, n, cost) for n in lengths]
    tokens = [yields.tokens_per_round(rate, n) for n in lengths]
    best = yields.best_draft_length(rate, cost, 16)
    return {
        "speedup": plots.speedup_svg(speeds, tokens, length, best),
        "tokens law": plots.tokens_law_svg(yields.tokens_law(rate, length), tokens[length - 1]),
    }


def scout_figure(rate, price, length):
    """Scouts that all lie at one place: their labels have to make room for one another."""
    names = ("1-gram", "2-gram", "3-gram", "look-up", "one layer", "early exit", "heads")
    gain = yields.speedup(rate, length, price)
    gains, family = dict.fromkeys(names, gain), names[:3]
    scouts = dict.fromkeys(names, (price, rate))
    lines = {1: equal_gain(length, 1), 3: equal_gain(length, 3)}
    return plots.scouts_svg(scouts, gains, family, "2-gram", length, lines)


def equal_gain(length, gain):
    """Points (price, overlap) of scouts with this speed-up."""
    return [(yields.affordable_cost(i / 400, length, gain), i / 400) for i in range(401)]


FIGURES = (
    {
        f"{figure}, {case}": markup
        for case, pair in PAIRS.items()
        for figure, markup in one_token_figures(*pair).items()
    }
    | {
        f"{figure}, α = {rate}, c = {cost}, γ = {length}": markup
        for rate, cost, length in RATES
        for figure, markup in yield_figures(rate, cost, length).items()
    }
    | {
        f"scouts, α = {rate}, c = {cost}, γ = {length}": scout_figure(rate, cost, length)
        for rate, cost, length in RATES
    }
)
every_figure = pytest.mark.parametrize("markup", FIGURES.values(), ids=FIGURES.keys())
every_pair = pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS.keys())


# What every live figure owes its reader


@every_figure
def test_figure_is_well_formed_and_labelled(markup):
    root = ElementTree.fromstring(markup)
    assert root.get("role") == "img"
    assert len(root.get("aria-label")) > 20


@every_figure
def test_every_mark_and_label_lies_inside_the_frame(markup):
    root = ElementTree.fromstring(markup)
    _, _, width, height = map(float, root.get("viewBox").split())
    for left, top, right, bottom in boxes(root):
        assert -1 <= left <= right <= width + 1, (left, right, width)
        assert -1 <= top <= bottom <= height + 1, (top, bottom, height)


@every_figure
def test_text_has_eleven_pixels_or_more(markup):
    assert min(float(size) for size in re.findall(r'font-size="([\d.]+)"', markup)) >= 11


@every_figure
def test_figure_writes_no_number_that_is_none(markup):
    assert not re.search(r"\b(nan|inf|None)\b", markup)


@every_figure
def test_figure_uses_no_ids_that_could_clash_on_a_page(markup):
    assert " id=" not in markup


def boxes(root):
    """(left, top, right, bottom) of rectangles, lines, circles and, by estimate, of labels."""
    for node in root.iter():
        place = {key: float(v) for key, v in node.attrib.items() if is_number(v)}
        if node.tag == f"{SVG}rect":
            x, y = place["x"], place["y"]
            yield x, y, x + place["width"], y + place["height"]
        elif node.tag == f"{SVG}line":
            yield (*map(min, *ends(place)), *map(max, *ends(place)))
        elif node.tag == f"{SVG}circle":
            x, y, r = place["cx"], place["cy"], place["r"]
            yield x - r, y - r, x + r, y + r
        elif node.tag == f"{SVG}text":
            words = "".join(node.itertext())
            wide = svg.WIDE * place["font-size"] * len(words)
            left = place["x"] - {"middle": wide / 2, "end": wide}.get(node.get("text-anchor"), 0)
            yield left, place["y"] - place["font-size"], left + wide, place["y"]


def ends(place):
    return (place["x1"], place["y1"]), (place["x2"], place["y2"])


def is_number(words):
    return re.fullmatch(r"-?\d+(\.\d+)?", words) is not None


# Colours


def luminance(shade):
    channels = [int(shade[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return float(np.dot([0.2126, 0.7152, 0.0722], linear))


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


themes = pytest.mark.parametrize("shades", [palette.LIGHT, palette.DARK], ids=["light", "dark"])


def test_contrast_of_black_on_white_is_twenty_one():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@themes
def test_text_has_contrast_on_paper_and_on_tiles(shades):
    inks = {role for role in shades if role.endswith("-text")} | {"ink", "muted"}
    found = {(i, b): contrast(shades[i], shades[b]) for i in inks for b in ("paper", "tile")}
    assert min(found.values()) >= 4.5, min(found, key=found.get)


@themes
def test_text_has_contrast_on_accepted_cells(shades):
    assert contrast(shades["on-kept"], shades["kept"]) >= 4.5


@themes
def test_outlines_and_bars_have_contrast_on_paper(shades):
    marks = ("target", "kept", "owed", "error", "draft-text", "ink", "muted")
    assert min(contrast(shades[mark], shades["paper"]) for mark in marks) >= 3


def test_both_themes_name_the_same_roles():
    assert palette.LIGHT.keys() == palette.DARK.keys()


def test_every_colour_of_a_figure_is_a_variable_with_its_light_shade():
    for markup in FIGURES.values():
        used = set(re.findall(r"#[0-9a-fA-F]{6}", markup))
        assert used <= set(palette.LIGHT.values())
        assert len(re.findall(r"#[0-9a-fA-F]{6}", markup)) == markup.count("var(--sn-")


# The picture of the theorem


def filled(markup, role):
    """(x, width) of the rectangles filled with a role's colour."""
    nodes = ElementTree.fromstring(markup).iter(f"{SVG}rect")
    return [
        (float(n.get("x")), float(n.get("width")))
        for n in nodes
        if n.get("fill") == palette.css(role)
    ]


@every_pair
def test_kept_bars_are_as_long_as_the_shorter_law(pair):
    target, draft = pair
    bars = filled(one_token_figures(*pair)["mass"], "kept")[:-1]  # the last is the total
    wanted = np.minimum(target, draft).astype(float)
    scale = filled(one_token_figures(law(1), law(1))["mass"], "kept")[0][1]
    assert [width / scale for _, width in bars] == pytest.approx(list(wanted), abs=5e-4)


def total(markup, edge):
    """Lengths of the outlined bars in the strips of all tokens together, which are 15 high."""
    nodes = ElementTree.fromstring(markup).iter(f"{SVG}rect")
    ours = [n for n in nodes if n.get("stroke") == palette.css(edge) and n.get("height") == "15.0"]
    return [float(n.get("width")) for n in ours]


@every_pair
def test_what_is_cut_off_is_as_long_as_what_is_owed(pair):
    markup = one_token_figures(*pair)["mass"]
    assert total(markup, "draft-text") == total(markup, "owed")


@every_pair
def test_strips_of_all_tokens_show_the_overlap(pair):
    markup, scale = one_token_figures(*pair)["mass"], 232
    rest = 1 - float(overlap(*pair))
    assert sum(total(markup, "owed")) == pytest.approx(rest * scale, abs=0.06)


def test_equal_laws_show_no_residual():
    assert ">never<" in one_token_figures(law(1, 2), law(1, 2))["mass"]
    assert ">never<" not in one_token_figures(*BASE)["mass"]


def test_hatching_stays_inside_its_bar():
    markup = svg.hatched(10, 20, 37, 12)
    path = re.search(r'd="([^"]+)"', markup)[1]
    points = [tuple(map(float, p.split())) for p in re.findall(r"[\d.]+ [\d.]+", path)]
    assert points and all(10 <= x <= 47 and 20 <= y <= 32 for x, y in points)


def test_dots_stay_inside_their_bar():
    path = re.search(r'd="([^"]+)"', svg.dotted(10, 20, 37, 12))[1]
    points = [tuple(map(float, p.split())) for p in re.findall(r"[\d.]+ [\d.]+", path)]
    assert points and all(10 <= x <= 47 and 20 <= y <= 32 for x, y in points)


def test_bars_of_no_length_leave_no_mark():
    assert svg.hatched(0, 0, 0, 10) == svg.dotted(0, 0, 10, 0) == ""


def test_moving_a_law_moves_no_axis():
    def axes(figure, pair):
        nodes = ElementTree.fromstring(one_token_figures(*pair)[figure]).iter(f"{SVG}line")
        quiet = {palette.css("line"), palette.css("muted")}
        return [n.attrib for n in nodes if n.get("stroke") in quiet]

    for figure in ("mass", "errors", "coupling", "bound"):
        assert axes(figure, BASE) == axes(figure, (law(1, 0, 0), law(0, 0, 1)))


def test_an_error_beyond_the_axis_ends_in_an_arrow():
    inside = one_token_figures(*BASE)["errors"]
    beyond = one_token_figures(*BASE, error=0.1)["errors"]
    assert inside.count("<polygon") == 0 and beyond.count("<polygon") == 1


def test_the_corrected_column_is_zero_exactly_and_says_so():
    markup = one_token_figures(*BASE)["errors"]
    assert "0 exactly" in markup and "equal to the target on every token" in markup


def test_a_corrected_law_that_is_off_is_not_called_exact():
    target = law(5, 3, 2)
    off = law(4, 4, 2)
    markup = plots.errors_svg(target, off, off, NAMES[:3], (0.1, 0.1))
    assert "exactly" not in markup and "equal to the target" not in markup


def test_labels_follow_the_numbers():
    one, other = one_token_figures(*BASE), one_token_figures(*BASE[::-1])
    for figure in ("mass", "errors", "coupling"):
        assert label(one[figure]) != label(other[figure])


def label(markup):
    return ElementTree.fromstring(markup).get("aria-label")


def test_the_mass_label_says_what_is_kept_rejected_and_owed():
    words = label(one_token_figures(*BASE)["mass"])
    assert "Kept 70.0 %, rejected 30.0 %" in words
    assert f"after a rejection: the 100.0 %, {NAMES[1]} 0.0 %" in words


def test_the_coupling_is_told_row_by_row():
    target, draft = BASE
    rows = coupling_words(draft[:, None] * token_kernel(target, draft), draft, "abc")
    assert rows[2] == "c is drafted 50.0 % of the time: 20.0 % are kept, 30.0 % become a."


# Numbers and labels


def test_numbers_are_written_with_the_digits_that_matter():
    assert (percent(0.3541), signed(-0.056), signed(0), tiny(0)) == (
        *("35.4", "−5.60", "0", "0 exactly"),
    )
    assert (signed(0.0055), tiny(2e-17)) == ("+0.55", "2e−17")


def test_long_names_are_shortened_and_short_ones_kept():
    assert svg.fit("extraordinarily", 50) == "extra…" and svg.fit("cat", 50) == "cat"


def test_names_are_escaped():
    assert "<b>" not in plots.trace_html(TRACE, NAMES) + plots.tiles_html(
        ("<b>", "<b>", "ink", "<b>")
    )


# The trace


def kinds(one_round):
    return [kind for kind, _ in trace.cells([one_round], NAMES)[0]]


def test_a_full_round_ends_in_a_bonus():
    assert kinds(TRACE[0]) == ["accepted"] * 3 + ["bonus"]


def test_a_rejection_shows_the_correction_then_what_was_drafted_in_vain():
    assert kinds(TRACE[1]) == ["accepted", "corrected", "rejected", "unread"]


def test_a_first_rejection_leaves_only_the_correction():
    assert kinds(TRACE[2]) == ["corrected", "rejected", "unread", "unread"]


def test_a_cut_round_shows_what_was_accepted_but_not_emitted_as_thrown_away():
    assert kinds(TRACE[3]) == ["accepted", "accepted", "unread"]


def test_a_column_shows_the_emitted_tokens_and_every_drafted_one():
    for one_round, column in zip(TRACE, trace.cells(TRACE, NAMES)):
        names = [name for _, name in column]
        assert names[: len(one_round.emitted)] == [NAMES[t] for t in one_round.emitted]
        kept = min(one_round.accepted, len(one_round.emitted))
        assert len(names) == len(one_round.emitted) + len(one_round.drafted) - kept


def test_every_round_is_a_labelled_figure_in_a_list():
    root = ElementTree.fromstring(plots.trace_html(TRACE, NAMES))
    items = root.findall("span[@role='listitem']")
    assert root.get("role") == "list" and len(items) == len(TRACE)
    words = [item.find(f"{SVG}svg").get("aria-label") for item in items]
    assert words[1] == (
        f"Round 2. accepted: the; corrected from the residual: {NAMES[2]}; "
        f"rejected: {NAMES[1]}; drafted, thrown away: .."
    )


def test_rounds_of_every_kind_differ_by_shape_and_not_by_colour_alone():
    looks = {kind: trace._cell(0, kind, "x") for kind in trace.MEANING}
    bare = {re.sub(r"(fill|stroke)=\"[^\"]*\"", "", look) for look in looks.values()}
    assert len(bare) == len(trace.MEANING)


# Yields


def test_the_speed_up_label_names_the_optimum():
    words = label(yield_figures(0.9, 0.09, 5)["speedup"])
    best = yields.best_draft_length(0.9, 0.09, 16)
    assert f"The best draft length is {best}, speed-up" in words


def test_where_nothing_pays_the_figure_says_so():
    markup = yield_figures(0.05, 1.0, 16)["speedup"]
    assert "do not speculate" in markup and "No draft length beats plain decoding." in label(markup)


def test_checks_are_marked_by_words_and_not_by_colour_alone():
    markup = plots.checks_html([("one", "1", True), ("two", "2", False)])
    assert "✓ holds" in markup and "✗ fails" in markup


# Static twins


def drawn(draw, *numbers):
    """The axis after drawing and laying out, without pyplot."""
    figure = Figure()
    ax = figure.subplots()
    draw(ax, *numbers)
    figure.canvas.draw()
    return ax


def words_of(ax):
    return [word.get_text() for word in ax.texts]


@every_pair
def test_static_twins_of_one_token_can_be_drawn(pair):
    target, draft = pair
    names = NAMES[: len(target)]
    right, wrong = emitted_law(target, draft), emitted_law(target, draft, fallback=target)
    assert f"q {percent(draft[0])} %" in words_of(drawn(plots.draw_mass, target, draft, names))
    assert signed(wrong[0] - target[0]) in words_of(
        drawn(plots.draw_errors, target, right, wrong, names)
    )
    coupling = draft[:, None] * token_kernel(target, draft)
    assert len(words_of(drawn(plots.draw_coupling, coupling, names))) == len(names) ** 2
    assert drawn(plots.draw_bound, [overlap(target, draft)], [0.1]).lines


def test_static_strips_have_one_unit_on_bars_and_axes():
    figure = Figure()
    axes = figure.subplots(1, 3)
    plots.draw_strips(axes, *BASE, NAMES[:3])
    figure.canvas.draw()
    ticks = [tick.get_text() for ax in axes for tick in ax.get_xticklabels()]
    assert "50 %" in ticks and "100 %" in ticks
    assert all(word.endswith(" %") for word in ticks + [w for ax in axes for w in words_of(ax)])


def test_the_static_trace_shows_every_cell():
    ax = drawn(plots.draw_trace, TRACE, NAMES, 3)
    assert len(ax.patches) == sum(map(len, trace.cells(TRACE, NAMES)))


@pytest.mark.parametrize("rate, cost, length", RATES)
def test_static_twins_of_the_yield_can_be_drawn(rate, cost, length):
    lengths = range(1, 17)
    speeds = [yields.speedup(rate, n, cost) for n in lengths]
    best = yields.best_draft_length(rate, cost, 16)
    assert len(drawn(plots.draw_speedup, speeds, speeds, best).lines) == (4 if best else 3)
    assert len(drawn(plots.draw_tokens_law, yields.tokens_law(rate, length)).patches) == length + 1


@pytest.mark.parametrize("length", [1, 2, 8])
def test_the_area_of_all_tokens_is_their_mean(length):
    """Boxes are drawn a little smaller than they are, so that their edges can be seen."""
    boxes = drawn(plots.draw_area, yields.tokens_law(0.8, length)).patches
    area = sum(box.get_width() * round(box.get_height()) for box in boxes)
    edges = 0.008 * (length + 1)
    assert area + edges == pytest.approx(yields.tokens_per_round(0.8, length))


def test_live_figures_load_no_matplotlib():
    code = "import specnotes.widgets, sys; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


# Scouts


@pytest.mark.parametrize("length", [1, 4, 16])
def test_lines_of_equal_gain_begin_at_the_frame_and_stay_inside(length):
    lines = inside({gain: equal_gain(length, gain) for gain in (1, 1.5, 2, 3, 4)})
    assert (3 in lines) == (length > 1)  # one draft never gives three tokens
    for points in lines.values():
        assert points[0][0] == 1e-4 and points[0][1] == points[1][1]
        assert all(1e-4 <= price <= 2 for price, _ in points)


def test_labels_that_would_meet_are_moved_apart():
    labels = {"a": (100, 50, 60), "b": (120, 52, 60), "c": (300, 51, 60), "d": (110, 60, 60)}
    moved = apart(labels, 15, [(340, 50), (90, 50)], 0, 200)
    assert moved["a"] == (100, 50)  # the mark on its left is its own
    ys = sorted(moved[name][1] for name in "abd")
    assert min(np.diff(ys)) >= 15 and max(ys) < 90
    assert abs(moved["c"][1] - 50) >= 15  # a mark stood where its words would be


def test_a_label_moves_no_further_than_it_must_and_stays_between_its_bounds():
    marks = [(50, 10)]
    assert apart({"a": (0, 10, 40)}, 15, marks, 0, 99) == {"a": (0, 10)}  # it ends before the mark
    assert apart({"a": (0, 10, 60)}, 15, marks, 0, 99) == {"a": (0, 25)}
    assert apart({"a": (0, 10, 60)}, 15, marks, -9, 20) == {"a": (0, -5)}


def test_static_scouts_stay_inside_their_axes_and_carry_their_names():
    ax = Figure().subplots()
    scouts = {"1-gram": (1e-6, 0.3), "2-gram": (0.01, 0.5), "3-gram": (0.01, 0.6)}
    plots.draw_scouts(ax, scouts | {"heads": (0.02, 0.4)}, {2: equal_gain(4, 2)})
    names = {label.get_text() for label in ax.texts}
    assert {"1-gram", "3-gram", "heads"} <= names and "2-gram" not in names
    assert all(line.get_xdata()[0] >= 1e-4 for line in ax.lines)


def named(points):
    """Axes with these names, the names' boxes, and the axes' box: all in pixels."""
    ax = Figure(figsize=(4.5, 4)).subplots()
    ax.set(xlim=(0, 1), ylim=(0, 1))
    plots.draw_named(ax, points)
    ax.figure.draw_without_rendering()
    return ax, {t.get_text(): t.get_window_extent() for t in ax.texts}, ax.get_window_extent()


def test_a_name_at_the_right_edge_stands_on_the_left_of_its_point():
    ax, boxes, frame = named({"early exit": (0.97, 0.5), "one layer": (0.1, 0.5)})
    assert frame.x0 < boxes["early exit"].x0 and boxes["early exit"].x1 < frame.x1
    assert boxes["early exit"].x1 < ax.transData.transform((0.97, 0.5))[0]
    assert boxes["one layer"].x0 > ax.transData.transform((0.1, 0.5))[0]


def test_a_name_that_had_to_move_is_tied_to_its_point():
    ax, boxes, _ = named({"one": (0.5, 0.5), "two": (0.5, 0.5), "far": (0.1, 0.9)})
    ties = [line for line in ax.lines if line.get_marker() == "None"]
    assert len(ties) == 1 and ties[0].get_xdata()[0] == pytest.approx(0.5)
    assert not boxes["one"].overlaps(boxes["two"])


def test_characters_stand_under_their_chances():
    ax = Figure().subplots()
    plots.draw_kept_along(ax, "a\nb", [0.2, 0.5, 1.0])
    assert [label.get_text() for label in ax.get_xticklabels()] == ["a", "↵", "b"]
    assert [bar.get_height() for bar in ax.patches] == [0.2, 0.5, 1.0]
