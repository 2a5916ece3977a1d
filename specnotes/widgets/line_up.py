"""The line-up: tick tests, watch which of 26 unlabelled decoders they catch."""

from ipywidgets import HTML, Checkbox, Layout

from specnotes.audit import line_up as suspects
from specnotes.plots import tiles_html
from specnotes.plots.matrix import matrix_svg, verdict
from specnotes.widgets.common import Control, Sheet, choice, full_width

SHARES = {"100 %": 100, "30 %": 30, "10 %": 10, "3 %": 3}
MARKS = (
    "<p>× in a square: the test objects · ○: it does not · –: the question makes no sense there. "
    "All tests are exact but the last.</p>"
)


def line_up(chosen=("greedy equality", suspects.SAMPLED), draws=1000):
    """Checkboxes for tests, sliders for the sampled one → the kill matrix, labels on demand."""
    boxes = {test: _box(test, test in chosen) for test in (*suspects.CHOICE, suspects.SAMPLED)}
    controls = boxes | {
        "draws": Control("draws N", draws, 100, 20_000, 100),
        "share": choice("bad share e", list(SHARES.items()), 100),
        "reveal": _box("reveal the labels", False),
    }
    shown = {name: full_width() for name in ("tiles", "matrix")}
    return Sheet(controls, shown, redraw, shown["tiles"], shown["matrix"], HTML(MARKS))


def redraw(draws, share, reveal, **asked):
    """The figures, by name, for one setting of the controls."""
    exhibits = suspects.line_up()
    rows = {
        letter: [_cell(test, exhibit, draws, share) if on else False for test, on in asked.items()]
        for letter, exhibit in exhibits.items()
    }
    names = {x: (e.name, suspects.is_lawful(e)) for x, e in exhibits.items()} if reveal else None
    tests = {test.replace("N", f"{draws:,}"): on for test, on in asked.items()}
    tiles = _tiles(rows, list(asked.values()), names)
    return {"tiles": tiles, "matrix": matrix_svg(tests, rows, names)}


def _cell(test, exhibit, draws, share):
    if test == suspects.SAMPLED:
        return suspects.sampled(exhibit, suspects.Fraction(share, 100), draws)
    return suspects.catches(test, exhibit)


def _tiles(rows, asked, names):
    said = [verdict(cells, asked, names and names[x])[1] for x, cells in rows.items()]
    tiles = [("tests chosen", sum(asked), "ink", f"of {len(asked)}")]
    if not names:
        count = said.count("caught")
        tiles.append(("decoders caught", count, "error-text", f"of {len(rows)}"))
        tiles.append(("not caught", len(rows) - count, "ink", "right ones among them"))
    else:
        right = sum(lawful for _, lawful in names.values())
        wrong = len(names) - right
        tiles.append(("wrong and caught", said.count("wrong, caught"), "kept-text", f"of {wrong}"))
        tiles.append(("right and spared", said.count("right, spared"), "kept-text", f"of {right}"))
    return tiles_html(*tiles)


def _box(words, value):
    layout = Layout(width="auto", flex="0 0 158px")
    return Checkbox(value=value, description=words, indent=False, layout=layout)
