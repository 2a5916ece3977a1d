"""The coupling diag(draft) @ K: how often each drafted token comes out as each token."""

from specnotes.plots.numbers import percent
from specnotes.plots.palette import LIGHT
from specnotes.plots.svg import dotted, figure, fit, rect, text

LEFT, TOP, CELL = 62, 62, 60
BIGGEST = 36  # side of the square for probability 1, in pixels


def coupling_svg(matrix, target, draft, tokens):
    """Squares whose area is the probability: kept on the diagonal, corrections beside it."""
    size = len(tokens)
    width, bottom = max(LEFT + CELL * size + 60, 240), TOP + CELL * size
    parts = [_heading(size)]
    for i, name in enumerate(tokens):
        middle = CELL * i + CELL / 2
        parts.append(text(LEFT - 8, TOP + middle + 4, fit(name, LEFT - 10), anchor="end"))
        parts.append(text(LEFT + middle, TOP - 8, fit(name, CELL), anchor="middle"))
        row, column = percent(draft[i]), percent(target[i])
        parts.append(text(LEFT + CELL * size + 8, TOP + middle + 4, f"q {row}", "draft-text"))
        parts.append(text(LEFT + middle, bottom + 18, f"p {column}", "target-text", 13, "middle"))
        parts += [_cell(i, j, float(matrix[i][j])) for j in range(size)]
    return figure(width, bottom + 30, " ".join(coupling_words(matrix, draft, tokens)), *parts)


def coupling_words(matrix, draft, tokens):
    """One sentence per drafted token: how much of it is kept, and what the rest becomes."""
    return [_row_words(row, draft[i], tokens, i) for i, row in enumerate(matrix)]


def draw_coupling(ax, matrix, tokens):
    """The squares as a static figure on ``ax``."""
    size = len(tokens)
    for i in range(size):
        for j in range(size):
            share, same = float(matrix[i][j]), i == j
            side = 0.62 * share**0.5
            ax.bar(
                j,
                side,
                side,
                i - 0.12 - side / 2,
                color=LIGHT["kept"] if same else "white",
                hatch=None if same else "ooo",
                edgecolor=LIGHT["kept" if same else "owed"],
            )
            shade = LIGHT["kept-text" if same else "owed-text"] if share else LIGHT["muted"]
            ax.text(j, i + 0.4, percent(share), ha="center", color=shade)
    ax.set(xlim=(-0.5, size - 0.5), ylim=(size - 0.5, -0.5), aspect="equal")
    ax.set(xticks=range(size), yticks=range(size), xticklabels=tokens, yticklabels=tokens)
    ax.set(xlabel="emitted", ylabel="drafted")


def _heading(size):
    title = text(0, 16, "Drafted ↓, emitted →, %", size=15, weight=600)
    return title + rect(LEFT, TOP, CELL * size, CELL * size, "none", stroke="line")


def _row_words(row, drafted, tokens, i):
    moved = [
        f", {percent(share)} % become {tokens[j]}"
        for j, share in enumerate(row)
        if j != i and share > 0
    ]
    start = f"{tokens[i]} is drafted {percent(drafted)} % of the time"
    return f"{start}: {percent(row[i])} % are kept{''.join(moved)}."


def _cell(i, j, share):
    """One cell: a square above, its number below, so that the number never lies on the square."""
    x, y = LEFT + CELL * j + CELL / 2, TOP + CELL * i + 22
    side = BIGGEST * share**0.5
    corner = (x - side / 2, y - side / 2, side, side)
    mark = rect(*corner, "kept") if i == j else dotted(*corner)
    shade = "muted" if share == 0 else "kept-text" if i == j else "owed-text"
    frame = rect(LEFT + CELL * j, TOP + CELL * i, CELL, CELL, "none", stroke="line")
    return frame + mark + text(x, TOP + CELL * i + CELL - 6, percent(share), shade, 13, "middle")
