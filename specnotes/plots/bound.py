"""How wrong the wrong fallback can be: its distance under the curve α(1 − α), at most 1/4."""

from specnotes.plots.numbers import percent
from specnotes.plots.palette import LIGHT
from specnotes.plots.svg import figure, line, path, shape, text

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 460, 52, 440, 56, 250
MOST = 0.28  # the distance at the top of the axis
GRID = [i / 50 for i in range(51)]


def bound_svg(kept, distance, trail=()):
    """A dot at (overlap, distance) under the curve; ``trail`` are dots of other drafts."""
    curve = [(_x(a), _y(a * (1 - a))) for a in GRID]
    dots = [(_x(float(a)), _y(float(d))) for a, d in trail]
    x, y = _x(float(kept)), _y(float(distance))
    parts = [
        text(0, 16, "Distance of the wrong fallback", size=15, weight=600),
        _axes(),
        path([*curve, (_x(1), _y(0)), (_x(0), _y(0))], "none", 0, "tile", close=True),
        path(curve, "muted", 1.6),
        path(dots, "error", 1.4, stroke_dasharray="3 4") if len(dots) > 1 else "",
        text(_x(0.5), _y(0.25) - 8, "at most α(1 − α), so at most ¼", "muted", 12, "middle"),
        shape("circle", cx=x, cy=y, r=7, fill="error", stroke="ink", stroke_width=1.4),
        _value(x, y, distance),
    ]
    words = f"Overlap {percent(kept)} %, distance of the wrong fallback {percent(distance, 2)} %"
    limit = f"at this overlap it can be at most {percent(kept * (1 - kept), 2)} %"
    return figure(WIDTH, 290, f"{words}; {limit}, and never more than 25 %.", *parts)


def draw_bound(ax, kept, distances):
    """Dots of many drafts (overlaps, distances) under the curve, as a static figure on ``ax``."""
    ax.plot(GRID, [a * (1 - a) for a in GRID], color=LIGHT["muted"], label="α(1 − α)")
    ax.plot(
        [float(a) for a in kept],
        [float(d) for d in distances],
        "o",
        color=LIGHT["error"],
        label="wrong fallback",
    )
    ax.set(xlabel="overlap α", ylabel="distance from the target", xlim=(0, 1), ylim=(0, MOST))
    ax.legend(frameon=False)
    ax.spines[["top", "right"]].set_visible(False)


def _x(share):
    return LEFT + (RIGHT - LEFT) * share


def _y(distance):
    return BOTTOM - (BOTTOM - TOP) * distance / MOST


def _axes():
    parts = [line(LEFT, _y(0), RIGHT, _y(0), "muted")]
    for share in (0, 0.25, 0.5, 0.75, 1):
        words = percent(share, 0)
        parts.append(text(_x(share), BOTTOM + 17, words, "muted", 12, "middle"))
    for distance in (0, 0.1, 0.2):
        parts.append(
            text(LEFT - 8, _y(distance) + 4, f"{percent(distance, 0)} %", "muted", 12, "end")
        )
    parts.append(text(RIGHT, BOTTOM + 36, "overlap α, %", "muted", 12, "end"))
    return "".join(parts)


def _value(x, y, distance):
    anchor, gap = ("end", -12) if x > (LEFT + RIGHT) / 2 else ("start", 12)
    return text(x + gap, y + 4, f"{percent(distance, 2)} %", "error-text", 14, anchor, 600)
