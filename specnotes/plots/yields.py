"""What a draft length is worth: speed-up against γ, and the law of tokens in one round."""

import math

from specnotes.plots.numbers import percent
from specnotes.plots.palette import LIGHT
from specnotes.plots.svg import dotted, figure, line, path, rect, shape, text

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 460, 46, 404, 52, 292
LOW, HIGH = -3, 4  # the axis in doublings: 1/8 to 16
NAMES = {-3: "⅛×", -2: "¼×", -1: "½×", 0: "1×", 1: "2×", 2: "4×", 3: "8×", 4: "16×"}


def speedup_svg(speedups, tokens, chosen, best):
    """Speed-up and tokens per round for γ = 1, 2, …; ``chosen`` and ``best`` are values of γ.

    The axis counts doublings, so that a loss by half looks as large as a gain by two.  ``best``
    is 0 where no draft length beats plain decoding.
    """
    speed, free = [[float(v) for v in values] for values in (speedups, tokens)]
    count = len(speed)
    x = [LEFT + (RIGHT - LEFT) * (i + 0.5) / count for i in range(count)]
    parts = [
        _frame(x),
        path(list(zip(x, map(_height, free))), "kept", 1.6, stroke_dasharray="5 4"),
        path(list(zip(x, map(_height, speed))), "ink", 2.4),
        *_best(x, speed, best),
        _chosen(x[chosen - 1], speed[chosen - 1]),
    ]
    return figure(WIDTH, 330, speedup_words(speed, free, chosen, best), *parts)


def speedup_words(speedups, tokens, chosen, best):
    """The curve in words."""
    top = (
        f"The best draft length is {best}, speed-up {speedups[best - 1]:.2f}."
        if best
        else "No draft length beats plain decoding."
    )
    return (
        f"Speed-up against draft length. At draft length {chosen}: {tokens[chosen - 1]:.2f} tokens "
        f"per round, speed-up {speedups[chosen - 1]:.2f}. {top}"
    )


def tokens_law_svg(law, mean):
    """Bars of P(N = 1), …, P(N = γ+1): all but the last end in a correction."""
    count = len(law)
    step = (RIGHT - LEFT) / 17
    parts = [text(0, 16, "Tokens that one round gives", size=15, weight=600)]
    parts += [_tick(LEFT, _share(s), f"{percent(s, 0)} %", RIGHT) for s in (0, 0.5, 1)]
    for i, share in enumerate(map(float, law)):
        bar = (LEFT + step * i + 3, _share(share), step - 6, BOTTOM - _share(share))
        parts.append(
            rect(*bar, "paper", stroke="target", stroke_width=1.8, rx=4)
            if i == count - 1
            else dotted(*bar)
        )
        parts.append(text(LEFT + step * (i + 0.5), BOTTOM + 16, i + 1, "muted", 11, "middle"))
    # From the last bar to the right, where no other bar is in its way.
    at, words = min(LEFT + step * (count - 1) + 3, WIDTH - 114), f"all kept {percent(law[-1])} %"
    parts.append(text(at, _share(float(law[-1])) - 8, words, "target-text", 12, weight=600))
    parts.append(text(LEFT, 40, f"mean {float(mean):.2f} tokens", "ink", 13, weight=600))
    words = ", ".join(f"{i + 1}: {percent(s)} %" for i, s in enumerate(law))
    return figure(WIDTH, 330, f"Tokens in one round. {words}. Mean {float(mean):.2f}.", *parts)


def draw_speedup(ax, speedups, tokens, best):
    """Speed-up and tokens per round as a static figure on ``ax``."""
    lengths = range(1, len(speedups) + 1)
    ax.axhline(1, color=LIGHT["muted"], linewidth=1)
    ax.plot(lengths, tokens, "--", color=LIGHT["kept"], label="if drafts were free")
    ax.plot(lengths, speedups, "-", color=LIGHT["ink"], label="speed-up")
    words = "none pays: do not speculate"
    if best:
        ax.plot(best, speedups[best - 1], "*", markersize=14, color=LIGHT["ink"])
        words = f"★ best γ = {best}: {float(speedups[best - 1]):.2f}×"
    ax.text(0.04, 0.96, words, transform=ax.transAxes, va="top", fontweight="bold")
    ax.set(xlabel="draft length γ", ylabel="times plain decoding", yscale="log")
    ax.set(yticks=[2**k for k in NAMES], yticklabels=NAMES.values(), ylim=(2**LOW, 2**HIGH))
    ax.minorticks_off()
    ax.legend(frameon=False)
    ax.spines[["top", "right"]].set_visible(False)


def draw_tokens_law(ax, law):
    """The law of tokens in one round as a static figure on ``ax``."""
    counts = range(1, len(law) + 1)
    values = [float(share) for share in law]
    dots = dict(color="white", hatch="ooo", edgecolor=LIGHT["owed"])
    ax.bar(counts[:-1], values[:-1], label="ends in a correction", **dots)
    ax.bar(
        counts[-1],
        values[-1],
        color="white",
        edgecolor=LIGHT["target"],
        linewidth=2,
        label="all kept, with bonus",
    )
    ax.set(xlabel="tokens in one round", ylabel="probability", ylim=(0, 1), xticks=counts)
    ax.legend(frameon=False)
    ax.spines[["top", "right"]].set_visible(False)


def _height(factor):
    """Pixels of a factor on the doubling axis, kept inside the frame."""
    doublings = math.log2(factor) if factor > 0 else LOW
    return BOTTOM - (BOTTOM - TOP) * (min(max(doublings, LOW), HIGH) - LOW) / (HIGH - LOW)


def _share(share):
    return BOTTOM - (BOTTOM - TOP) * share


def _tick(x, y, label, right):
    return line(x, y, right, y) + text(x - 6, y + 4, label, "muted", 12, "end")


def _frame(x):
    ticks = [_tick(LEFT, _height(2.0**k), name, RIGHT) for k, name in NAMES.items()]
    numbers = [text(v, BOTTOM + 16, i + 1, "muted", 11, "middle") for i, v in enumerate(x)]
    return (
        text(0, 16, "Speed-up against draft length γ", size=15, weight=600)
        + path([(LEFT, 36), (LEFT + 24, 36)], "ink", 2.4)
        + text(LEFT + 30, 40, "speed-up", "ink", 12)
        + path([(LEFT + 100, 36), (LEFT + 124, 36)], "kept", 1.6, stroke_dasharray="5 4")
        + text(LEFT + 130, 40, "tokens per round (if drafts were free)", "kept-text", 12)
        + "".join(ticks + numbers)
        + line(LEFT, _height(1), RIGHT, _height(1), "error", 1.6)
        + text(RIGHT + 4, _height(1) + 4, "no gain", "error-text", 12)
        + text(RIGHT, BOTTOM + 34, "draft length γ", "muted", 12, "end")
    )


def _best(x, speed, best):
    if not best:
        return [text(LEFT + 12, TOP + 24, "best: do not speculate", weight=600)]
    at, y = x[best - 1], _height(speed[best - 1])
    words = f"best γ = {best}: {speed[best - 1]:.2f}×"
    near = min(max(at, LEFT + 66), RIGHT - 66)
    return [
        _star(at, y),
        text(near, max(y - 14, TOP - 1), words, "ink", 13, "middle", 600, halo=True),
    ]


def _star(x, y):
    points = " ".join(
        f"{x + r * math.sin(k * math.pi / 5):.1f},{y - r * math.cos(k * math.pi / 5):.1f}"
        for k in range(10)
        for r in [9 if k % 2 == 0 else 4]
    )
    return shape("polygon", points=points, fill="ink")


def _chosen(x, speed):
    y = _height(speed)
    side, anchor = (-10, "end") if x > RIGHT - 60 else (10, "start")
    drop = line(x, y, x, BOTTOM, "draft-text", 1.4, "3 3")
    dot = shape("circle", cx=x, cy=y, r=6, fill="draft", stroke="ink", stroke_width=1.4)
    low = min(y + 22, BOTTOM - 6)
    words = text(x + side, low, f"{speed:.2f}×", "draft-text", 13, anchor, 600, halo=True)
    return drop + dot + words
