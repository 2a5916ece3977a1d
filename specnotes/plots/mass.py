"""The picture of the theorem: the draft's bar is cut where the target's ends.

What is cut off (hatched) has the same total as what the target is still owed elsewhere (dotted).
"""

from specnotes.plots.numbers import listed, percent, percents
from specnotes.plots.palette import LIGHT
from specnotes.plots.svg import dotted, figure, fit, hatched, line, rect, runs, text

WIDTH, LEFT, SCALE, TOP = 460, 62, 232, 64  # pixels: figure, first bar, the axis, first row
AFTER, AFTER_SCALE = 356, 56  # the column of the residual
BAR = 0.38  # height of a strip in the static figure, whose rows are one apart


def mass_svg(target, draft, tokens, residual, kept, title="Next token", most=1.0, row=34):
    """Per token a strip of draft and one of target, on an axis from 0 to ``most``; totals below.

    ``residual`` is the law drawn from after a rejection, ``kept`` the overlap α; ``row`` is the
    height of a token's row in pixels.
    """
    bottom = TOP + row * len(tokens)
    parts = [_heading(title, most), _axis(bottom)]
    for i, name in enumerate(tokens):
        y, strip = TOP + row * i, row * 0.35
        parts.append(text(LEFT - 8, y + strip + 4, fit(name, LEFT - 10), anchor="end"))
        parts.append(_strips(y, strip, float(target[i]), float(draft[i]), most))
        parts.append(_after(y + strip, strip, float(residual[i])) if kept < 1 else "")
    if kept == 1:
        parts.append(text(AFTER + 6, TOP + row * 0.35 + 4.5, "never", "muted", 12))
    parts.append(_totals(bottom + 40, float(kept)))
    label = mass_words(target, draft, tokens, residual, kept, title)
    return figure(WIDTH, bottom + 84, label, *parts)


def mass_words(target, draft, tokens, residual, kept, title="Next token"):
    """The picture in words."""
    owed = (
        "nothing is owed, so nothing is rejected"
        if kept == 1
        else f"after a rejection: {listed(tokens, residual)}"
    )
    return (
        f"{title}. Draft: {listed(tokens, draft)}. Target: {listed(tokens, target)}. "
        f"Kept {percent(kept)} %, rejected {percent(1 - kept)} %; {owed}."
    )


def draw_mass(ax, target, draft, tokens, most=1.0):
    """The strips as a static figure on ``ax``."""
    for i, (wanted, drafted) in enumerate(zip(target, draft)):
        wanted, drafted = float(wanted), float(drafted)
        kept = min(wanted, drafted)
        ax.barh(i - 0.2, kept, BAR, color=LIGHT["kept"])
        ax.barh(i + 0.2, kept, BAR, color=LIGHT["kept-pale"])
        _rest(ax, i - 0.2, kept, drafted, "////", "draft-text")
        _rest(ax, i + 0.2, kept, wanted, "ooo", "owed")
        ax.plot([kept, kept], [i - 0.43, i + 0.43], color=LIGHT["ink"], linewidth=1.4)
        _value(ax, i - 0.2, drafted, "q", "draft-text")
        _value(ax, i + 0.2, wanted, "p", "target-text")
    ax.set(yticks=range(len(tokens)), yticklabels=tokens, xlim=(0, most), xlabel="probability")
    ax.set(ylim=(len(tokens) - 0.5, -0.5))
    percents(ax.xaxis)
    ax.spines[["top", "right"]].set_visible(False)


def _rest(ax, y, kept, end, hatch, edge):
    """What is left of a strip beyond the cut."""
    if end > kept:
        look = dict(color="white", hatch=hatch, edgecolor=LIGHT[edge], linewidth=1)
        ax.barh(y, end - kept, BAR, left=kept, **look)


def _value(ax, y, end, letter, shade):
    place = dict(xytext=(5, 0), textcoords="offset points", va="center")
    ax.annotate(f"{letter} {percent(end)} %", (end, y), color=LIGHT[shade], **place)


def _heading(title, most):
    return (
        text(0, 16, title, size=15, weight=600)
        + runs(
            *(LEFT, 37),
            ("draft q", "draft-text", 600),
            (" above, ", "muted"),
            ("target p", "target-text", 600),
            (" below", "muted"),
        )
        + text(WIDTH - 2, 37, "if rejected, draw", "owed-text", 12, "end", 600)
        + "".join(
            text(x, 54, words, "muted", 11, "middle")
            for x, words in (
                (LEFT, "0"),
                (LEFT + SCALE, f"{percent(most, 0)} %"),
                (AFTER, "0"),
                (AFTER + AFTER_SCALE, "100 %"),
            )
        )
    )


def _axis(bottom):
    ends = (LEFT, LEFT + SCALE, AFTER, AFTER + AFTER_SCALE)
    return "".join(line(x, TOP - 4, x, bottom, "line") for x in ends)


def _strips(y, strip, wanted, drafted, most):
    """Two strips of one token, and the cut through both where the shorter one ends."""
    unit = SCALE / most
    kept, below = min(wanted, drafted) * unit, y + strip + 1
    cut, end = LEFT + kept, LEFT + max(wanted, drafted) * unit + 7
    middle = strip / 2 + 4.5
    return (
        rect(LEFT, y, kept, strip, "kept")
        + rect(LEFT, below, kept, strip, "kept-pale")
        + hatched(cut, y, (drafted * unit) - kept, strip)
        + dotted(cut, below, (wanted * unit) - kept, strip)
        + line(cut, y - 2, cut, below + strip + 2, "ink", 1.4)
        + text(end, y + middle - 1, f"q {percent(drafted)}", "draft-text", 12)
        + text(end, below + middle + 1, f"p {percent(wanted)}", "target-text", 12)
    )


def _after(middle, strip, share):
    if share == 0:
        return ""
    end = AFTER + share * AFTER_SCALE
    return dotted(AFTER, middle - strip / 2, share * AFTER_SCALE, strip) + text(
        end + 5, middle + 4.5, percent(share), "owed-text", 12
    )


def _totals(y, kept):
    """All tokens together: two strips of equal length, because both laws sum to one."""
    split, strip = LEFT + kept * SCALE, 15
    rest = (1 - kept) * SCALE
    number = f"{percent(1 - kept)} %"
    return (
        text(LEFT, y - 8, f"kept, α = {percent(kept)} %", "kept-text", 13, weight=600)
        + text(LEFT - 8, y + 12, "draft", "draft-text", anchor="end")
        + text(LEFT - 8, y + 29, "target", "target-text", anchor="end")
        + rect(LEFT, y, split - LEFT, strip, "kept")
        + rect(LEFT, y + strip + 2, split - LEFT, strip, "kept-pale")
        + hatched(split, y, rest, strip)
        + dotted(split, y + strip + 2, rest, strip)
        + line(split, y - 3, split, y + 2 * strip + 5, "ink", 1.4)
        + text(LEFT + SCALE + 8, y + 12, f"rejected {number}", "draft-text", 13, weight=600)
        + text(LEFT + SCALE + 8, y + 29, f"owed {number} too", "owed-text", 13, weight=600)
    )
