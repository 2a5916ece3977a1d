"""The kill matrix: decoders in rows, tests in columns, a crossed square where a test objects.

A column that was not asked stays empty, so that asking moves nothing.  Cells are True (objects),
False, None (the question makes no sense there); a row that is revealed has a name and a truth.
"""

from specnotes.plots.palette import LIGHT
from specnotes.plots.svg import figure, fit, line, rect, shape, text

ROW, COLUMN, LEFT, TOP, SAID, NAME = 21, 40, 28, 104, 132, 232
VERDICTS = {  # (lawful, caught): the mark and the words of a revealed row
    (False, True): ("✓", "wrong, caught", "kept-text"),
    (False, False): ("✗", "wrong, ships", "error-text"),
    (True, True): ("!", "right, accused", "owed-text"),
    (True, False): ("✓", "right, spared", "kept-text"),
}
CAUGHT, SHIPS = ("×", "caught", "error-text"), ("○", "slips through", "muted")


def matrix_svg(tests, rows, names=None):
    """Live kill matrix.

    tests: test -> whether it is asked; rows: letter -> list of cells in the order of ``tests``;
    names: letter -> (name, lawful), or None while the labels are hidden.
    """
    end, asked = LEFT + COLUMN * len(tests), list(tests.values())
    parts = [_head(LEFT + COLUMN * i, *one) for i, one in enumerate(tests.items())]
    for i, (letter, cells) in enumerate(rows.items()):
        y = TOP + ROW * i
        parts.append(line(0, y + ROW, end + SAID + NAME, y + ROW))
        parts.append(text(8, y + 15, letter, weight=600))
        for j, cell in enumerate(cells):
            parts.append(_cell(LEFT + COLUMN * (j + 0.5), y + ROW / 2, cell) if asked[j] else "")
        known = names and names[letter]
        mark, words, role = verdict(cells, asked, known)
        parts.append(text(end + 8, y + 15, f"{mark} {words}", role, 12, weight=600))
        if known:
            parts.append(text(end + SAID, y + 15, fit(known[0], NAME, 12), size=12))
    height = TOP + ROW * len(rows) + 6
    return figure(end + SAID + NAME, height, matrix_words(tests, rows, names), *parts)


def verdict(cells, asked, known):
    """(mark, words, role) of one row."""
    caught = any(cell for cell, wanted in zip(cells, asked) if wanted)
    if known:
        return VERDICTS[known[1], caught]
    return CAUGHT if caught else SHIPS


def matrix_words(tests, rows, names=None):
    """The picture in words: what each test objects to, and who slips through."""
    letters = {
        test: [letter for letter, cells in rows.items() if cells[i]]
        for i, (test, asked) in enumerate(tests.items())
        if asked
    }
    if not letters:
        return f"Kill matrix of {len(rows)} decoders. No test is chosen yet."
    said = "; ".join(f"{test}: {', '.join(found) or 'none'}" for test, found in letters.items())
    passed = [letter for letter in rows if not any(letter in found for found in letters.values())]
    words = f"Kill matrix of {len(rows)} decoders. Caught by {said}. "
    words += f"Slips through every chosen test: {', '.join(passed) or 'none'}."
    if names:
        words += " Labels: " + "; ".join(
            f"{letter} {name}, {'right' if lawful else 'wrong'}"
            for letter, (name, lawful) in names.items()
        )
    return words


def draw_matrix(ax, tests, rows, names):
    """The static kill matrix on ``ax``, labels shown.  ``tests`` is a list of names."""
    for y, (letter, cells) in enumerate(rows.items()):
        objects = ("D", "owed") if names[letter][1] else ("X", "error")
        for x, cell in enumerate(cells):
            marker, shade = objects if cell else ("." if cell is False else "_", "muted")
            ax.plot(x, y, marker, color=LIGHT[shade], markersize=9 if cell else 4)
    labels = [
        f"{letter}  {names[letter][0]}{' (right)' if names[letter][1] else ''}" for letter in rows
    ]
    ax.set(xticks=range(len(tests)), yticks=range(len(rows)), yticklabels=labels)
    ax.set_xticklabels(tests, rotation=40, ha="left")
    ax.set(xlim=(-0.6, len(tests) - 0.4), ylim=(len(rows) - 0.5, -0.5))
    ax.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=0)
    ax.spines[:].set_visible(False)


def draw_needed(ax, shares, curves):
    """Draws that a test needs against the share e of a bad draft, on logarithmic axes.

    curves: label -> numbers of draws, one per share.
    """
    for (label, draws), marker, shade in zip(curves.items(), "oDs^", _SHADES):
        ax.plot(shares, draws, marker + "-", color=LIGHT[shade])
        ax.annotate(
            label,
            (shares[-1], draws[-1]),
            (9, 0),
            textcoords="offset points",
            va="center",
            color=LIGHT["ink"],
        )
    ax.set(xscale="log", yscale="log", xlim=(max(shares) * 1.2, min(shares) / 30))
    ax.set_xticks(shares, [f"{share:.0%}" for share in shares])
    ax.set_xlabel("share e of the bad draft: the draft gets better to the right")
    ax.set_ylabel("draws needed")
    ax.minorticks_off()
    ax.spines[["top", "right"]].set_visible(False)


_SHADES = ("error", "draft-text", "owed", "target")


def _head(x, test, asked):
    """A column's name, slanted."""
    x, y = x + COLUMN / 2, TOP - 8
    name = text(x, y, test, "ink" if asked else "muted", 12.5, weight=600 if asked else 400)
    return f'<g transform="rotate(-45 {x:.1f} {y:.1f})">{name}</g>'


def _cell(x, y, cell):
    if cell is None:
        return line(x - 5, y, x + 5, y, "muted", 1.5)
    if not cell:
        return shape("circle", cx=float(x), cy=float(y), r=3.2, fill="none", stroke="muted")
    slants = ((-4, 4), (4, -4))
    cross = "".join(line(x - 4, y + a, x + 4, y + b, "paper", 2) for a, b in slants)
    return rect(x - 8, y - 8, 16, 16, "error") + cross
