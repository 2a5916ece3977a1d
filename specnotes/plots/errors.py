"""What comes out, minus the target: zeros for the residual, bars for the wrong fallback."""

from specnotes.plots.numbers import percent, signed, tiny
from specnotes.plots.palette import LIGHT
from specnotes.plots.svg import figure, fit, line, rect, shape, text

WIDTH, LEFT, TOP = 460, 62, 64
ZERO, WRONG, HALF = 156, 330, 78  # pixels: the two zero lines, half the axis of the wrong bars


def errors_svg(target, corrected, wrong, tokens, distances, most=0.25, row=34):
    """Both rules side by side.  ``distances``: (corrected, wrong) from the target.

    The axis runs from −``most`` to +``most``; a longer bar ends in an arrow at its edge.
    """
    bottom = TOP + row * len(tokens)
    parts = [_heading(most), _axes(bottom)]
    for i, name in enumerate(tokens):
        y = TOP + row * i + row * 0.35
        parts.append(text(LEFT - 8, y + 4, fit(name, LEFT - 10), anchor="end"))
        parts.append(_right(y, corrected[i], corrected[i] - target[i]))
        parts.append(_wrong(y, float(wrong[i] - target[i]), most))
    parts.append(_distances(bottom + 22, distances))
    label = errors_words(target, corrected, wrong, tokens, distances)
    return figure(WIDTH, bottom + 46, label, *parts)


def errors_words(target, corrected, wrong, tokens, distances):
    """The picture in words."""
    off = ", ".join(f"{n} {signed(w - t)}" for n, w, t in zip(tokens, wrong, target))
    right = (
        "equal to the target on every token"
        if all(c == t for c, t in zip(corrected, target))
        else f"at distance {tiny(distances[0])} from the target"
    )
    return (
        f"What comes out, minus the target. Accept or residual: {right}. "
        f"Accept or target, the wrong fallback, in percentage points: {off}; "
        f"distance {percent(distances[1], 2)} %."
    )


def draw_errors(ax, target, corrected, wrong, tokens, most=0.25):
    """Both errors as a static figure on ``ax``: squares at zero, bars beside them."""
    rows = range(len(tokens))
    bars = [100 * float(w - t) for w, t in zip(wrong, target)]
    dots = [100 * float(c - t) for c, t in zip(corrected, target)]
    ax.barh(rows, bars, 0.36, color=LIGHT["error"], label="accept or target (wrong)")
    ax.plot(dots, rows, "s", color=LIGHT["kept"], label="accept or residual")
    for i, bar in enumerate(bars):
        side = 1 if bar >= 0 else -1
        ax.annotate(
            signed(bar / 100),
            (bar, i),
            (6 * side, 0),
            textcoords="offset points",
            va="center",
            ha="left" if side > 0 else "right",
            color=LIGHT["error-text"],
        )
    ax.axvline(0, color=LIGHT["muted"], linewidth=1)
    ax.set(yticks=rows, yticklabels=tokens, xlim=(-100 * most, 100 * most))
    ax.set_xlabel("output minus target, percentage points")
    ax.set(ylim=(len(tokens) - 0.5, -0.5))
    ax.legend(frameon=False)
    ax.spines[["top", "right"]].set_visible(False)


def _heading(most):
    return (
        text(0, 16, "What comes out, minus the target", size=15, weight=600)
        + text(ZERO, 37, "accept or residual", "kept-text", 12, "middle", 600)
        + text(WRONG, 37, "accept or target: wrong", "error-text", 12, "middle", 600)
        + text(ZERO - 16, 54, "output", "muted", 11, "end")
        + text(ZERO + 14, 54, "error", "muted", 11)
        + text(WRONG - HALF, 54, f"−{percent(most, 0)}", "muted", 11, "middle")
        + text(WRONG, 54, "0", "muted", 11, "middle")
        + text(WRONG + HALF, 54, f"+{percent(most, 0)} %", "muted", 11, "middle")
    )


def _axes(bottom):
    ends = "".join(line(x, TOP - 4, x, bottom) for x in (WRONG - HALF, WRONG + HALF))
    zeros = "".join(line(x, TOP - 4, x, bottom, "muted") for x in (ZERO, WRONG))
    return ends + zeros


def _right(y, share, error):
    """The corrected law in numbers, and its error: a square on the zero line."""
    exact = "0" if error == 0 else tiny(error)
    return (
        text(ZERO - 16, y + 4.5, percent(share), "muted", 12, "end")
        + rect(ZERO - 4.5, y - 4.5, 9, 9, "kept")
        + text(ZERO + 14, y + 4.5, exact, "kept-text", 13, weight=600)
    )


def _wrong(y, error, most):
    side = -1 if error < 0 else 1
    length = min(abs(error) / most, 1) * HALF
    end = WRONG + side * length
    tip = ""
    if abs(error) > most:
        points = f"{end:.1f},{y - 9:.1f} {end + 8 * side:.1f},{y:.1f} {end:.1f},{y + 9:.1f}"
        tip, end = shape("polygon", points=points, fill="error"), end + 8 * side
    anchor = "end" if side < 0 else "start"
    return (
        rect(min(WRONG, WRONG + side * length), y - 6, length, 12, "error")
        + tip
        + text(end + 6 * side, y + 4.5, signed(error), "error-text", 12, anchor)
    )


def _distances(y, distances):
    return text(ZERO, y, f"distance {tiny(distances[0])}", "kept-text", 13, "middle", 600) + text(
        WRONG, y, f"distance {percent(distances[1], 2)} %", "error-text", 13, "middle", 600
    )
