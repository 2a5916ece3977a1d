"""Small building blocks of live figures: strings of SVG, sized in CSS pixels.

Hatching and dots are drawn as lines clipped to their bar, not as ``<pattern>``s: no ids that could
clash between two figures on a page, and the figure needs nothing outside itself.
"""

from html import escape

from specnotes.plots.palette import FONT, css

WIDE = 0.58  # average width of a letter, in font sizes: good enough to shorten a label
GROWTH = 1.2  # how far a figure may grow with its column


def figure(width, height, label, *parts):
    """A whole figure, as wide as its column within limits; ``label`` says it in words.

    A label is one plain sentence or two: what a reader who cannot see the picture needs to know.
    """
    style = f"width:100%;max-width:{GROWTH * width:g}px;height:auto;display:block"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'role="img" aria-label="{escape(label)}" style="{style}" font-family="{escape(FONT)}" '
        f'font-size="13">{"".join(parts)}</svg>'
    )


def shape(name, **attributes):
    """One element: ``shape("circle", cx=1, cy=2, r=3, fill="kept")``; colours are roles."""
    words = []
    for key, value in attributes.items():
        if key in ("fill", "stroke") and value != "none":
            value = css(value)
        shown = f"{value:.1f}" if isinstance(value, float) else value
        words.append(f'{key.replace("_", "-")}="{shown}"')
    return f"<{name} {' '.join(words)}/>"


def rect(x, y, width, height, fill, **attributes):
    """A bar; a width or height below zero is drawn as none."""
    size = {"width": float(max(width, 0)), "height": float(max(height, 0))}
    return shape("rect", x=float(x), y=float(y), **size, fill=fill, **attributes)


def text(x, y, words, fill="ink", size=13, anchor="start", weight=400, halo=False):
    """A label with its baseline at ``y``.  Digits have one width, so that numbers do not jump.

    A ``halo`` of paper keeps a label readable where it crosses a line.
    """
    around = f' stroke="{css("paper")}" stroke-width="4" paint-order="stroke"' if halo else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{css(fill)}" font-size="{size:g}" '
        f'text-anchor="{anchor}" font-weight="{weight}"{around} '
        f'style="font-variant-numeric:tabular-nums">{escape(str(words))}</text>'
    )


def runs(x, y, *words, size=12):
    """Words in several colours on one line: each is (words, role) or (words, role, weight)."""
    spans = "".join(
        f'<tspan fill="{css(fill)}" font-weight="{weight[0] if weight else 400}">'
        f"{escape(part)}</tspan>"
        for part, fill, *weight in words
    )
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}">{spans}</text>'


def line(x1, y1, x2, y2, stroke="line", width=1, dash=None):
    ends = dict(x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2))
    extra = {"stroke_dasharray": dash} if dash else {}
    return shape("line", **ends, stroke=stroke, stroke_width=width, **extra)


def path(points, stroke, width=2, fill="none", close=False, **attributes):
    """A line through ``points``, or a filled polygon."""
    d = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + ("Z" if close else "")
    return shape("path", d=d, fill=fill, stroke=stroke, stroke_width=width, **attributes)


def diamond(x, y, width, height, fill="paper", stroke="owed"):
    """A diamond around the centre (x, y)."""
    corners = [(x - width / 2, y), (x, y - height / 2), (x + width / 2, y), (x, y + height / 2)]
    return path(corners, stroke, 1.8, fill, close=True)


def hatched(x, y, width, height, edge="draft-text", lines="draft"):
    """A bar of the draft's surplus: outline and slanted lines."""
    if min(width, height) < 0.05:
        return ""
    strokes, start = [], x - height
    while start < x + width:
        left, right = max(start, x), min(start + height, x + width)
        strokes.append(
            f"M{left:.1f} {y + height - (left - start):.1f}"
            f"L{right:.1f} {y + height - (right - start):.1f}"
        )
        start += 5
    return (
        rect(x, y, width, height, "paper")
        + shape("path", d="".join(strokes), stroke=lines, stroke_width=2.2, fill="none")
        + rect(x, y, width, height, "none", stroke=edge, stroke_width=1)
    )


def dotted(x, y, width, height):
    """A bar of what is still owed: outline and dots."""
    if min(width, height) < 0.05:
        return ""
    rows = max(1, round(height / 5))
    step = height / rows
    dots = [
        f"M{x + step * (column + 0.5):.1f} {y + step * (row + 0.5):.1f}h0"
        for row in range(rows)
        for column in range(int(width / step))
    ]
    ink = dict(stroke="owed", fill="none", stroke_linecap="round")
    return (
        rect(x, y, width, height, "paper")
        + (shape("path", d="".join(dots), stroke_width=2.6, **ink) if dots else "")
        + rect(x, y, width, height, "none", stroke="owed", stroke_width=1)
    )


def fit(words, width, size=13):
    """The label, shortened with an ellipsis if it would be wider than ``width``."""
    words, room = str(words), int(width / (WIDE * size))
    return words if len(words) <= room else words[: max(room - 1, 1)] + "…"
