"""The audit as a button: runs the package's own checks and lists each with its figure."""

from ipywidgets import HTML, Button, Layout, VBox

from specnotes.plots import checks_html
from specnotes.widgets.common import wrapped


def audit_tile():
    """A button, its verdict in words, and the list of checks."""
    button = Button(description="Run the audit", layout=Layout(width="140px"))
    verdict = HTML(
        "<p>Checks the laws, the decoder and a grid of 1,296 settings; some seconds.</p>"
    )
    table = HTML(layout=Layout(width="auto"))

    def run(_):
        button.disabled, verdict.value = True, '<p role="status">The audit is running …</p>'
        verdict.value, table.value = _report()
        button.disabled = False

    button.on_click(run)
    return VBox([wrapped(button, verdict), table])


def _report():
    # Only on request, because it loads the whole package.
    from specnotes.audit import self_audit

    rows = self_audit()
    failed = [row.name for row in rows if not row.ok]
    said = f"failed: {', '.join(failed)}" if failed else f"all {len(rows)} hold"
    checks = [(row.name, row.figure, row.ok) for row in rows]
    return f'<p role="status">{len(rows)} checks, {said}.</p>', checks_html(checks)
