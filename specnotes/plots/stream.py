"""A text as it was decoded: rounds one after another, each token in the shape of how it came.

A round is two lines: what came out, and under the first refused token what was drafted in vain,
struck out.  Shapes and colours are those of ``trace``.
"""

from html import escape

from specnotes.plots.palette import css
from specnotes.plots.svg import diamond, figure, line, rect, text
from specnotes.plots.trace import cells, round_words

LETTER, HEIGHT, LOST = 9, 26, 20  # pixels: a letter, the line that came out, the line of refused
SHOWN = {"\n": "⏎", " ": "␣"}
SPOKEN = {"\n": "line break", " ": "space"}
INK = {"accepted": "on-kept", "corrected": "owed-text", "bonus": "target-text"}


def stream_html(rounds, vocabulary):
    """Rounds that wrap like words in a line, each a figure with its round in words."""
    columns = cells(rounds, [SPOKEN.get(name, name) for name in vocabulary])
    shown = cells(rounds, [SHOWN.get(name, name) for name in vocabulary])
    items = "".join(map(_item, range(1, len(rounds) + 1), shown, columns))
    return f'<div class="sn-stream" role="list" aria-label="Rounds">{items}</div>'


def reading_html(prompt, words, joint=""):
    """The text as a reader sees it: the prompt pale, what was decoded after it in full ink."""
    before, after = (escape(joint.join(part)) for part in (prompt, words))
    style = "white-space:pre-wrap;overflow-wrap:anywhere;margin:0;font-size:13px;line-height:1.5"
    return (
        f'<div class="sn-box"><pre style="{style};color:{css("muted")}" tabindex="0" '
        f'aria-label="The text so far">{before}{joint}<b style="color:{css("ink")}">{after}</b>'
        "</pre></div>"
    )


def _item(number, shown, spoken):
    came = [cell for cell in shown if cell[0] in INK]
    lost = [cell for cell in shown if cell[0] not in INK]
    at = sum(_wide(*cell) for cell in came if cell[0] == "accepted")
    width = max(sum(_wide(*c) for c in came), at + sum(_wide(*c) for c in lost)) + 4
    body = _row(came, 2, 0) + _row(lost, 2 + at, HEIGHT)
    drawn = figure(width, HEIGHT + LOST, round_words(number, spoken), body)
    return f'<span role="listitem" style="width:{width}px">{drawn}</span>'


def _wide(kind, name):
    return LETTER * len(name) + (13 if kind == "corrected" else 7)


def _row(row, x, y):
    parts = []
    for kind, name in row:
        parts.append(_token(x, y, kind, name))
        x += _wide(kind, name)
    return "".join(parts)


def _token(x, y, kind, name):
    w, h = _wide(kind, name), HEIGHT if kind in INK else LOST
    box, middle = (x + 0.5, y + 2, w - 1, h - 4), y + h / 2
    if kind == "accepted":
        mark = rect(*box, "kept", rx=2)
    elif kind == "corrected":
        mark = diamond(x + w / 2, middle, w, h - 1)
    elif kind == "bonus":
        mark = rect(*box, "paper", stroke="target", stroke_width=1.8, rx=w / 2)
    else:
        mark = rect(*box, "paper", stroke="muted", stroke_dasharray="2 3")
        if kind == "rejected":
            mark += line(x + 1, middle, x + w - 1, middle, "muted", 1.4)
    bold = 700 if kind in ("corrected", "bonus") else 400
    return mark + text(x + w / 2, middle + 4, name, INK.get(kind, "muted"), 13, "middle", bold)
