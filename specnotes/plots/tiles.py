"""Tiles: a label, a figure, and a note beside it."""

from html import escape

from specnotes.plots.palette import css


def tiles_html(*tiles):
    """Each tile is (label, figure, role of its colour) or (label, figure, role, note)."""
    return f'<div class="sn-tiles" role="list">{"".join(_tile(*tile) for tile in tiles)}</div>'


def checks_html(rows):
    """A table of checks; each row is (name, figure, whether it holds)."""
    body = "".join(
        f'<tr><td style="color:{css("kept-text" if ok else "error-text")}">'
        f"{'✓ holds' if ok else '✗ fails'}</td><td>{escape(str(name))}</td>"
        f"<td>{escape(str(figure))}</td></tr>"
        for name, figure, ok in rows
    )
    head = "<tr><th>result</th><th>check</th><th>figure</th></tr>"
    return f'<table class="sn-checks"><thead>{head}</thead><tbody>{body}</tbody></table>'


def _tile(label, figure, role="ink", note=""):
    return (
        f'<div role="listitem"><div>{escape(label)}</div>'
        f'<div style="color:{css(role)}">{escape(str(figure))}</div>'
        f"<div>{escape(note)}</div></div>"
    )
