"""The coupling diag(draft) @ K: how often each drafted token comes out as each token."""

from specnotes.plots.numbers import percent
from specnotes.plots.palette import LIGHT
from specnotes.plots.svg import dotted, figure, fit, rect, text

LEFT, TOP, CELL = 74, 62, 66
BIGGEST = 40  # side of the square for probability 1, in pixels


def coupling_svg(matrix, target, draft, tokens):
    """Squares whose area is the probability: kept on the diagonal, corrections beside it."""
    size = len(tokens)
    width, bottom = LEFT + CELL * size + 66, TOP + CELL * size
    parts = [_heading(size)]
    for i, name in enumerate(tokens):
        middle = CELL * i + CELL / 2
        parts.append(text(LEFT - 8, TOP + middle + 4, fit(name, LEFT - 10), anchor="end"))
        parts.append(text(LEFT + middle, TOP - 8, fit(name, CELL), anchor="middle"))
        row, column = percent(draft[i]), percent(target[i])
        parts.append(text(LEFT + CELL * size + 8, TOP + middle + 4, f"q {row}", "draft-text"))
        parts.append(text(LEFT + middle, bottom + 18, f"p {column}", "target-text", 13, "middle"))
        parts += [_cell(i, j, float(matrix[i][j])) for j in range(size)]
    return figure(width, bottom + 30, coupling_words(matrix, tokens), *parts)


def coupling_words(matrix, tokens):
    """The matrix in words: what is kept, and every correction that can happen."""
    kept = ", ".join(f"{name} {percent(matrix[i][i])} %" for i, name in enumerate(tokens))
    moved = [
        f"{tokens[i]} becomes {tokens[j]} {percent(matrix[i][j])} %"
        for i in range(len(tokens))
        for j in range(len(tokens))
        if i != j and matrix[i][j] > 0
    ]
    return f"Drafted and emitted together. Kept: {kept}. Corrected: {', '.join(moved) or 'never'}."


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
    title = text(0, 16, "Drafted ↓ and emitted →, %", size=15, weight=600)
    return title + rect(LEFT, TOP, CELL * size, CELL * size, "none", stroke="line")


def _cell(i, j, share):
    """One cell: a square above, its number below, so that the number never lies on the square."""
    x, y = LEFT + CELL * j + CELL / 2, TOP + CELL * i + 24
    side = BIGGEST * share**0.5
    corner = (x - side / 2, y - side / 2, side, side)
    mark = rect(*corner, "kept") if i == j else dotted(*corner)
    shade = "muted" if share == 0 else "kept-text" if i == j else "owed-text"
    frame = rect(LEFT + CELL * j, TOP + CELL * i, CELL, CELL, "none", stroke="line")
    return frame + mark + text(x, TOP + CELL * i + CELL - 6, percent(share), shade, 13, "middle")
