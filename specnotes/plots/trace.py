"""One decoded sequence, round by round.

A column is one target pass, read down: accepted tokens, then the one token the target adds (a
correction or a bonus), then, dashed, what was drafted in vain; the rejected token is struck out.
"""

from html import escape

from specnotes.plots.palette import LIGHT
from specnotes.plots.svg import diamond, figure, fit, rect, text

WIDTH, HEIGHT, HEAD = 42, 26, 16  # pixels: a cell, and the round's number above it
MEANING = {
    "accepted": "accepted",
    "corrected": "corrected from the residual",
    "bonus": "bonus from the target, all drafts kept",
    "rejected": "rejected",
    "unread": "drafted, thrown away",
}


def cells(rounds, vocabulary):
    """Per round a list of (kind, token name); kinds are the keys of ``MEANING``."""
    return [_cells(r, vocabulary) for r in rounds]


def trace_html(rounds, vocabulary, meaning=MEANING):
    """Columns that wrap like words in a line, each a figure with its round in words.

    ``meaning`` has the words for the kinds of cells.
    """
    columns = "".join(
        f'<span role="listitem">{_column(i + 1, column, meaning)}</span>'
        for i, column in enumerate(cells(rounds, vocabulary))
    )
    return f'<div class="sn-trace" role="list" aria-label="Rounds">{columns}</div>'


def legend_html():
    """What the shapes mean."""
    items = "".join(
        f'<span><svg width="{WIDTH}" height="{HEIGHT}" aria-hidden="true">'
        f"{_cell(0, kind, 'cat')}</svg> {escape(meaning)}</span>"
        for kind, meaning in MEANING.items()
    )
    return f'<div class="sn-legend">{items}</div>'


def round_words(number, column, meaning=MEANING):
    """``"Round 3: accepted cat sat; corrected from the residual on; rejected mat."``"""
    parts = [
        f"{words}: {' '.join(names)}"
        for kind, words in meaning.items()
        if (names := [str(name) for k, name in column if k == kind])
    ]
    return f"Round {number}. {'; '.join(parts)}."


def draw_trace(ax, rounds, vocabulary, per_row=20):
    """The rounds as a static figure on ``ax``, ``per_row`` columns in a row of columns."""
    columns = cells(rounds, vocabulary)
    tall = max(map(len, columns), default=0) + 1
    for i, column in enumerate(columns):
        x, top = i % per_row, i // per_row * tall
        ax.text(x, top, i + 1, ha="center", va="center", fontsize=8, color=LIGHT["muted"])
        for j, (kind, name) in enumerate(column):
            _draw_cell(ax, x, top + j + 1, kind, str(name))
    rows = -(-len(columns) // per_row)
    ax.set(xlim=(-0.6, min(len(columns), per_row) - 0.4), ylim=(rows * tall - 0.4, -0.6))
    ax.axis("off")


def _draw_cell(ax, x, y, kind, name):
    from matplotlib.patches import FancyBboxPatch, Polygon, Rectangle

    box, w, h = (x - 0.45, y - 0.42), 0.9, 0.84
    if kind == "corrected":
        corners = [(x - 0.5, y), (x, y - 0.5), (x + 0.5, y), (x, y + 0.5)]
        patch = Polygon(corners, facecolor="white", edgecolor=LIGHT["owed"], linewidth=1.5)
    elif kind == "accepted":
        patch = Rectangle(box, w, h, color=LIGHT["kept"])
    elif kind == "bonus":
        style = dict(boxstyle="round,pad=0,rounding_size=0.4", mutation_aspect=1)
        patch = FancyBboxPatch(
            box, w, h, **style, facecolor="white", edgecolor=LIGHT["target"], linewidth=1.5
        )
    else:
        patch = Rectangle(box, w, h, fill=False, edgecolor=LIGHT["muted"], linestyle=":")
    ax.add_patch(patch)
    ax.text(x, y, name, ha="center", va="center", fontsize=9, color=LIGHT[_ink(kind)[0]])
    if kind == "rejected":
        ax.plot([x - 0.3, x + 0.3], [y, y], color=LIGHT["muted"], linewidth=1)


def _cells(one_round, vocabulary):
    drafted, accepted = one_round.drafted, one_round.accepted
    kinds = ["accepted"] * len(one_round.emitted[:accepted])
    names = [vocabulary[token] for token in one_round.emitted]
    if len(names) > accepted:
        kinds.append("bonus" if accepted == len(drafted) else "corrected")
    for i in range(len(one_round.emitted[:accepted]), len(drafted)):
        # A round cut by n_tokens or a stop token leaves accepted drafts unread as well.
        kinds.append("rejected" if i == accepted else "unread")
        names.append(vocabulary[drafted[i]])
    return list(zip(kinds, names))


def _column(number, column, meaning):
    body = "".join(_cell(HEAD + HEIGHT * j, *cell) for j, cell in enumerate(column))
    head = text(WIDTH / 2, 11, number, "muted", 11, "middle")
    label = round_words(number, column, meaning)
    return figure(WIDTH, HEAD + HEIGHT * len(column), label, head, body)


def _cell(y, kind, name):
    x, w, h, middle = 1.5, WIDTH - 3, HEIGHT - 3, y + HEIGHT / 2
    if kind == "corrected":
        mark = diamond(WIDTH / 2, middle, WIDTH - 1, HEIGHT - 1)
    elif kind == "accepted":
        mark = rect(x, y + 1.5, w, h, "kept", rx=2)
    elif kind == "bonus":
        mark = rect(x, y + 1.5, w, h, "paper", stroke="target", stroke_width=1.8, rx=h / 2)
    else:
        mark = rect(x, y + 1.5, w, h, "paper", stroke="muted", stroke_dasharray="2 3")
    shade, weight = _ink(kind)
    room = WIDTH - (14 if kind == "corrected" else 6)
    label = text(WIDTH / 2, middle + 4, fit(name, room, 11.5), shade, 11.5, "middle", weight)
    strike = f'<g text-decoration="line-through">{label}</g>' if kind == "rejected" else label
    return mark + strike


def _ink(kind):
    inks = {"accepted": ("on-kept", 500), "corrected": ("owed-text", 700)}
    return inks.get(kind, ("target-text", 700) if kind == "bonus" else ("muted", 400))
