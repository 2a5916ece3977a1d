"""The theorem as paper work: two strips per token, a cut, the piece moved to where it is owed."""

from specnotes.plots.mass import draw_mass
from specnotes.plots.numbers import percent, percents
from specnotes.plots.palette import LIGHT

HEIGHT = 0.38


def draw_strips(axes, target, draft, tokens, most=1.0):
    """Three steps on three ``axes``: the strips, the cut, what comes out."""
    before, cut, after = axes
    for ax in (before, after):
        ax.set(yticks=range(len(tokens)), yticklabels=tokens, ylim=(len(tokens) - 0.5, -0.5))
        ax.set(xlim=(0, most), xlabel="probability")
        percents(ax.xaxis)
        ax.spines[["top", "right"]].set_visible(False)
    for i, (wanted, drafted) in enumerate(zip(target, draft)):
        wanted, drafted = float(wanted), float(drafted)
        _strip(before, i - 0.2, drafted, "q", "draft")
        _strip(before, i + 0.2, wanted, "p", "target")
        _paid(after, i, min(wanted, drafted), wanted)
    draw_mass(cut, target, draft, tokens, most)
    before.set_title("1  draft q above, target p below", loc="left")
    cut.set_title("2  cut where the shorter strip ends", loc="left")
    after.set_title("3  move the hatched to the dotted", loc="left")


def _strip(ax, y, length, letter, role):
    ax.barh(y, length, HEIGHT, color=LIGHT[role])
    _label(ax, y, length, letter, role)


def _paid(ax, y, kept, wanted):
    """One strip of the output: the kept piece, and the piece that was owed."""
    ax.barh(y, kept, HEIGHT, color=LIGHT["kept"])
    if wanted > kept:
        dots = dict(color="white", hatch="ooo", edgecolor=LIGHT["owed"], linewidth=1)
        ax.barh(y, wanted - kept, HEIGHT, left=kept, **dots)
    _label(ax, y, wanted, "p", "target")


def _label(ax, y, end, letter, role):
    ink = dict(color=LIGHT[f"{role}-text"], va="center", textcoords="offset points")
    ax.annotate(f"{letter} {percent(end)} %", (end, y), (5, 0), **ink)
