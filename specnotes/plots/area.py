"""The mean of a round as an area: read it by columns or by rows."""

from specnotes.plots.palette import LIGHT

ROWS = ("1", "α", "α²", "α³", "α⁴", "α⁵", "α⁶", "α⁷", "α⁸")


def draw_area(ax, chances):
    """Columns: rounds of N = 1, …, γ+1 tokens, as wide as their chance and as high as N.

    Row k of the pile holds the k-th tokens, and is α^(k−1) wide.
    """
    chances, left, count = [float(chance) for chance in chances], 0, len(chances)
    kept = dict(color=LIGHT["kept"], edgecolor="white", linewidth=1.5)
    owed = dict(color="white", hatch="ooo", edgecolor=LIGHT["owed"])
    bonus = dict(color="white", edgecolor=LIGHT["target"], linewidth=2.5)
    for n, chance in enumerate(chances, start=1):
        for row in range(n - 1):
            ax.bar(left, 0.94, chance, bottom=row + 0.03, align="edge", **kept)
        last = owed if n < count else bonus
        ax.bar(left + 0.004, 0.9, chance - 0.008, bottom=n - 0.95, align="edge", **last)
        ax.text(left + chance / 2, n + 0.06, f"{n} × {chance:.2g}", ha="center")
        left += chance
    for row in range(count):
        share = sum(chances[row:])
        words = f"row {row + 1}: {ROWS[row]}" + (f" = {share:.2g}" if row else "")
        ax.text(1.02, row + 0.5, words, va="center")
    ax.set(xlim=(0, 1.25), ylim=(0, count + 0.4), yticks=range(count + 1), xticks=[0, 1])
    ax.set(ylabel="tokens", xlabel="share of all rounds")
    ax.xaxis.set_label_coords(0.4, -0.04)
    ax.spines[["top", "right"]].set_visible(False)
