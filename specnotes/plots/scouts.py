"""Scouts on a plane: price to the right, overlap upwards, and lines on which all gain the same."""

import math

from specnotes.plots.palette import LIGHT
from specnotes.plots.svg import figure, line, path, rect, shape, text

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 552, 400, 46, 520, 52, 352
CHEAP, DEAR = -4, 0.3  # powers of ten of a target pass
PRICES = {-4: "1/10,000", -3: "1/1000", -2: "1/100", -1: "1/10", 0: "1"}
LETTER = 8.6, 0.021  # a label's width per letter: in pixels, and as a share of a static axis


def scouts_svg(scouts, gains, family, chosen, draft_length, lines):
    """``scouts`` {name: (price, overlap)}, ``gains`` {name: speed-up at ``draft_length``}, and
    ``lines`` {speed-up: points (price, overlap)} of what gains the same.

    The names of ``family`` are circles joined by a line, of which only ``chosen`` is labelled; the
    others are squares.
    """
    shown = [name for name in scouts if name == chosen or name not in family]
    places = {name: _place(*point) for name, point in scouts.items()}
    parts = [_frame(draft_length), *_gain_lines(lines)]
    parts.append(path([places[name] for name in family], "draft", 1.6))
    parts += [_mark(*places[name], name in family, name in shown) for name in scouts]
    words = {name: f"{name} {gains[name]:.2f}×" for name in shown}
    labels = {name: _beside(*places[name], LETTER[0] * len(words[name])) for name in shown}
    marks = [places[name] for name in shown]
    for name, (x, y) in apart(labels, 15, marks, TOP, BOTTOM - 8).items():
        if abs(y - places[name][1]) > 8:  # tied to its point
            near = x - 2 if x > places[name][0] else x + 0.9 * labels[name][2]
            parts.insert(2, line(*places[name], near, y, "draft-text"))
        parts.append(text(x, y + 4, words[name], "draft-text", 13, weight=600, halo=True))
    said = (
        f"{name}: price {scouts[name][0]:.4f}, overlap {scouts[name][1]:.2f}, {gains[name]:.2f}"
        for name in shown
    )
    words = f"Scouts at draft length {draft_length}, with speed-ups. {'; '.join(said)}."
    return figure(WIDTH, HEIGHT, words, *parts)


def draw_scouts(ax, scouts, lines, left=()):
    """The same plane as a static figure on ``ax``; n-grams are circles joined by a line."""
    ax.set(xscale="log", xlim=(10**CHEAP, 10**DEAR), ylim=(0, 1))
    ax.set(xlabel="price c of a token, in target passes", ylabel="overlap α")
    for gain, points in inside(lines).items():
        role, style = ("error", "-") if gain == 1 else ("muted", ":")
        ax.plot(*zip(*points), style, color=LIGHT[role], linewidth=1.2, zorder=1)
        ax.annotate(f"{gain:g}×", points[0], xytext=(3, 3), textcoords="offset points")
    points = {name: (max(c, 10**CHEAP), rate) for name, (c, rate) in scouts.items()}
    grams = [name for name in scouts if name.endswith("-gram")]
    ax.plot(*zip(*(points[name] for name in grams)), color=LIGHT["draft"], zorder=2)
    draw_named(ax, points, [n for n in scouts if n not in grams[1:-1]], left)


def draw_named(ax, points, labelled=None, left=()):
    """Points {name: (x, y)} with their names on the right, or on the ``left`` of those named so and
    of those at the right edge.  A name that had to move away is tied to its point by a line.
    """
    for name, point in points.items():
        marker = "o" if name.endswith("-gram") else "s"
        ax.plot(*point, marker, color=LIGHT["draft"], markeredgecolor=LIGHT["ink"], zorder=3)
    ax.autoscale_view()
    places = ax.transAxes.inverted().transform(ax.transData.transform(list(points.values())))
    marks = {name: (x, 1 - y) for name, (x, y) in zip(points, places)}
    labels = {}
    for name in points if labelled is None else labelled:
        (x, down), width = marks[name], LETTER[1] * len(name)
        on_left = name in left or x + 0.025 + width > 1
        labels[name] = (x - 0.025 - width if on_left else x + 0.025), down, width
    for name, (x, down) in apart(labels, 0.06, marks.values(), 0.0, 1.0).items():
        is_left = x < marks[name][0]
        at = x + labels[name][2] if is_left else x, 1 - down
        ax.text(*at, name, transform=ax.transAxes, ha="right" if is_left else "left", va="center")
        if abs(down - marks[name][1]) > 0.04:
            ends = (marks[name][0], at[0]), (1 - marks[name][1], at[1])
            ax.plot(*ends, color=LIGHT["muted"], linewidth=0.8, zorder=2, transform=ax.transAxes)
    ax.spines[["top", "right"]].set_visible(False)


def draw_kept_along(ax, characters, chances):
    """Characters in a row, under bars of the chance that a drafted one is kept."""
    chances = [float(chance) for chance in chances]
    ax.bar(range(len(chances)), chances, 0.9, color=LIGHT["kept"])
    ax.set_xticks(range(len(characters)), [c.replace("\n", "↵") for c in characters])
    ax.tick_params(axis="x", length=0)
    for label in ax.get_xticklabels():
        label.set_family("monospace")
    ax.set(ylim=(0, 1), xlim=(-0.6, len(chances) - 0.4), yticks=(0, 0.5, 1))
    ax.spines[["top", "right"]].set_visible(False)


def inside(lines):
    """What of each line {speed-up: points (price, overlap)} lies between the frame's sides.

    Towards the left edge a line is level: there it begins.
    """
    kept = {
        gain: [point for point in points if 10**CHEAP < point[0] <= 10**DEAR]
        for gain, points in lines.items()
    }
    return {gain: [(10**CHEAP, some[0][1]), *some] for gain, some in kept.items() if some}


def apart(labels, gap, marks, low, high):
    """Where labels {name: (x, y, width)} begin, each at the nearest y between ``low`` and ``high``
    where it meets no other label and no mark.  -> {name: (x, y)}

    ``gap`` is a line's height; marks are points (x, y).
    """
    placed = {}
    for name, (x, y, width) in sorted(labels.items(), key=lambda item: item[1][1]):
        taken = [o_y for o_x, o_y, o in placed.values() if x < o_x + o and o_x < x + width]
        taken += [mark_y for mark_x, mark_y in marks if x < mark_x < x + width]
        ways = (y + way * k * gap / 2 for k in range(40) for way in (1, -1))
        free = (v for v in ways if low <= v <= high and all(abs(v - o) >= gap for o in taken))
        placed[name] = x, next(free, y), width
    return {name: place[:2] for name, place in placed.items()}


def _gain_lines(lines):
    for gain, points in inside(lines).items():
        role, words = ("error", "error-text") if gain == 1 else ("muted", "muted")
        yield path([_place(*point) for point in points], role, 1.4, stroke_dasharray="2 4")
        x, y = _place(*points[0])
        yield text(x + 4, y - 5, f"{gain:g}×", words, 12, halo=True)


def _beside(x, y, width):
    """Where a mark's label begins: on its right, or on its left where the frame ends."""
    return (x + 11 if x + 11 + width < WIDTH else x - 9 - width), y, width


def _mark(x, y, is_round, is_large):
    size = 6.5 if is_large else 3
    if is_round:
        return shape("circle", cx=x, cy=y, r=size, fill="draft", stroke="ink")
    return rect(x - size, y - size, 2 * size, 2 * size, "draft", stroke="ink")


def _place(price, rate):
    """Pixels of a scout; a price outside the frame is drawn on its edge."""
    power = min(max(math.log10(max(float(price), 10**CHEAP)), CHEAP), DEAR)
    x = LEFT + (RIGHT - LEFT) * (power - CHEAP) / (DEAR - CHEAP)
    return x, BOTTOM - (BOTTOM - TOP) * float(rate)


def _frame(draft_length):
    parts = [text(0, 16, f"Scouts by price and overlap, γ = {draft_length}", size=15, weight=600)]
    parts.append(text(0, 36, "overlap α, with lines of equal speed-up", "muted", 12))
    for rate in (0, 0.25, 0.5, 0.75, 1):
        y = _place(1, rate)[1]
        parts.append(line(LEFT, y, RIGHT, y) + text(LEFT - 6, y + 4, rate, "muted", 12, "end"))
    for power, name in PRICES.items():
        x = _place(10**power, 0)[0]
        parts.append(line(x, BOTTOM, x, BOTTOM + 4))
        parts.append(text(x, BOTTOM + 18, name, "muted", 12, "middle"))
    words = "price c of a drafted token, in target passes"
    return "".join(parts) + text((LEFT + RIGHT) / 2, HEIGHT - 8, words, "muted", 12, "middle")
