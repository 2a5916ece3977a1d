"""Two sides of a decoder: what was drafted, wanted and delivered; acceptance against error."""

from specnotes.plots.numbers import listed, percent
from specnotes.plots.palette import LIGHT
from specnotes.plots.svg import figure, fit, line, path, rect, runs, shape, text

WIDTH = 460
EXACT = 1e-12  # float laws: a smaller distance is rounding
# the three strips of a token
LEFT, SCALE, TOP, ROW, STRIP = 62, 330, 64, 54, 13
# the map of acceptance and error
MAP_LEFT, MAP_RIGHT, MAP_TOP, MAP_BOTTOM, MOST = 52, 440, 56, 250, 0.6


def three_laws_svg(drafted, wanted, delivered, tokens):
    """Per token: the law it was drafted from, the law that is wanted, the law that comes out."""
    bottom = TOP + ROW * len(tokens)
    parts = [_heading(), *(line(x, TOP - 4, x, bottom) for x in (LEFT, LEFT + SCALE))]
    for i, name in enumerate(tokens):
        y = TOP + ROW * i
        shares = [float(law[i]) for law in (drafted, wanted, delivered)]
        parts.append(text(LEFT - 8, y + 24, fit(name, LEFT - 10), anchor="end"))
        parts.append(_strips(y, *shares))
    return figure(WIDTH, bottom + 4, three_laws_words(drafted, wanted, delivered, tokens), *parts)


def three_laws_words(drafted, wanted, delivered, tokens):
    """The picture in words."""
    return (
        f"Drafted: {listed(tokens, drafted)}. Wanted: {listed(tokens, wanted)}. "
        f"Delivered: {listed(tokens, delivered)}."
    )


def acceptance_error_svg(overlap, accepted, distance):
    """A square at (overlap, 0), where a lossless rule stands, and a dot where this one stands.

    The shaded part is beyond the overlap: no lossless rule accepts so often.
    """
    overlap, accepted, distance = float(overlap), float(accepted), float(distance)
    home, here = (_x(overlap), _y(0)), (_x(accepted), _y(distance))
    parts = [
        text(0, 16, "What is accepted, and how wrong it is", size=15, weight=600),
        rect(home[0], MAP_TOP, MAP_RIGHT - home[0], MAP_BOTTOM - MAP_TOP, "tile"),
        _axes(),
        line(home[0], MAP_TOP, home[0], MAP_BOTTOM, "kept", 1.4, "5 4"),
        text(MAP_LEFT + 8, 44, "right of the dashed line, α: never lossless", "kept-text", 12),
        rect(home[0] - 6, home[1] - 6, 12, 12, "kept"),
        _dot(home, here, distance) if distance > EXACT else _exact(home),
    ]
    return figure(WIDTH, 290, acceptance_error_words(overlap, accepted, distance), *parts)


def acceptance_error_words(overlap, accepted, distance):
    """The picture in words."""
    off = f"off by {percent(distance, 2)} %" if distance > EXACT else "exact"
    beyond = ", more than any lossless rule accepts" * (accepted > overlap + EXACT)
    return (
        f"Accepted: {percent(accepted)} % of the drafts{beyond}. The overlap is "
        f"{percent(overlap)} %. The output is {off}."
    )


def draw_acceptance_error(ax, overlaps, accepted, distances):
    """Many squares and their dots as a static figure on ``ax``, joined by lines."""
    for start, end, off in zip(overlaps, accepted, distances):
        ax.plot([start, end], [0, off], color=LIGHT["line"], linewidth=0.8, zorder=1)
    ax.plot(overlaps, [0] * len(overlaps), "s", color=LIGHT["kept"], label="read as drawn")
    ax.plot(accepted, distances, "o", color=LIGHT["error"], label="read raw, before the filter")
    ax.set(xlabel="accepted", ylabel="distance from the wanted law")
    ax.set_ylim(-0.01, 1.4 * max(map(float, distances)) + 0.01)  # room for the legend
    ax.legend(frameon=False, loc="upper left")
    ax.spines[["top", "right"]].set_visible(False)


def _heading():
    return (
        text(0, 16, "Drafted, wanted, delivered", size=15, weight=600)
        + runs(
            *(LEFT, 37),
            ("drafted", "draft-text", 600),
            (" above, ", "muted"),
            ("wanted", "target-text", 600),
            (" in the middle, ", "muted"),
            ("delivered", "kept-text", 600),
            (" below", "muted"),
        )
        + text(LEFT, 54, "0", "muted", 11, "middle")
        + text(LEFT + SCALE, 54, "100 %", "muted", 11, "middle")
    )


def _strips(y, drafted, wanted, delivered):
    """Three strips; where the lowest differs from the middle one, the difference is the error."""
    right, low = min(wanted, delivered), y + 2 * (STRIP + 1)
    gap, wrong = abs(delivered - wanted), abs(delivered - wanted) > EXACT
    fill = "error" if delivered > wanted else "paper"
    error = rect(LEFT + right * SCALE, low, gap * SCALE, STRIP, fill, stroke="error")
    parts = [
        rect(LEFT, y, drafted * SCALE, STRIP, "draft"),
        rect(LEFT, y + STRIP + 1, wanted * SCALE, STRIP, "target"),
        rect(LEFT, low, right * SCALE, STRIP, "kept"),
        error if wrong else "",
    ]
    ends = drafted, wanted, max(wanted, delivered)
    roles = "draft-text", "target-text", "error-text" if wrong else "kept-text"
    for i, (share, end, role) in enumerate(zip((drafted, wanted, delivered), ends, roles)):
        parts.append(
            text(LEFT + end * SCALE + 7, y + 11 + i * (STRIP + 1), percent(share), role, 12)
        )
    return "".join(parts)


def _x(share):
    return MAP_LEFT + (MAP_RIGHT - MAP_LEFT) * share


def _y(distance):
    return MAP_BOTTOM - (MAP_BOTTOM - MAP_TOP) * min(distance / MOST, 1)


def _axes():
    parts = [line(MAP_LEFT, _y(0), MAP_RIGHT, _y(0), "muted")]
    for share in (0, 0.25, 0.5, 0.75, 1):
        parts.append(text(_x(share), MAP_BOTTOM + 22, percent(share, 0), "muted", 12, "middle"))
    for distance in (0, 0.2, 0.4, 0.6):
        label = f"{percent(distance, 0)} %"
        parts.append(text(MAP_LEFT - 8, _y(distance) + 4, label, "muted", 12, "end"))
    parts.append(text(MAP_RIGHT, MAP_BOTTOM + 38, "accepted, %", "muted", 12, "end"))
    return "".join(parts)


def _exact(home):
    anchor, gap = ("end", -12) if home[0] > (MAP_LEFT + MAP_RIGHT) / 2 else ("start", 12)
    return text(home[0] + gap, home[1] - 14, "exact", "kept-text", 14, anchor, 600, halo=True)


def _dot(home, here, distance):
    """The way from the square to the dot; a dot above the axis ends in an arrow at its edge."""
    x, y = here
    anchor, gap = ("end", -13) if x > (MAP_LEFT + MAP_RIGHT) / 2 else ("start", 13)
    mark = (
        shape("circle", cx=x, cy=y, r=7, fill="error", stroke="ink", stroke_width=1.4)
        if distance <= MOST
        else path([(x - 8, y + 8), (x, y - 4), (x + 8, y + 8)], "ink", 1.4, "error", close=True)
    )
    label = f"off by {percent(distance, 2)} %"
    return (
        line(*home, x, y, "error", 1.6)
        + mark
        + text(x + gap, y + 5, label, "error-text", 14, anchor, 600, halo=True)
    )
