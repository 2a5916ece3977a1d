"""The audit as a button: runs the package's own checks and lists each with its figure."""

from html import escape

from ipywidgets import HTML, Button, Layout, VBox

from specnotes.audit.selfcheck import self_audit_rows
from specnotes.plots import checks_html
from specnotes.widgets.common import wrapped


def audit_tile():
    """A button, its verdict in words, and the list of checks."""
    button = Button(description="Run the audit", layout=Layout(width="140px"))
    verdict = HTML(
        "<p>Checks the laws, the decoder and a grid of 1,296 settings: some seconds.</p>"
    )
    table = HTML(layout=Layout(width="auto"))

    def run(_):
        button.disabled = True
        rows = []
        for row in self_audit_rows():
            rows.append(row)
            verdict.value = f'<p role="status">{len(rows)} checks so far …</p>'
            table.value = checks_html([(r.name, r.figure, r.ok) for r in rows])
        verdict.value = f'<p role="status">{_said(rows)}</p>'
        button.disabled = False

    button.on_click(run)
    tile = VBox([wrapped(button, verdict), table])
    tile.add_class("sn-box")
    return tile


def _said(rows):
    failed = [row.name for row in rows if not row.ok]
    if failed:
        return escape(f"{len(failed)} of {len(rows)} checks failed: {', '.join(failed)}.")
    return f"All {len(rows)} checks hold."
