"""Predictions: the reader commits to an answer before the experiment, and meets it again after.

They are kept in the kernel.  Nothing here blocks: *Run All* goes on without an answer.
"""

from dataclasses import dataclass
from html import escape

from ipywidgets import Button, HBox, HTMLMath, Layout, RadioButtons, Text, VBox

from specnotes.plots.palette import css
from specnotes.widgets.common import page_style

_asked = {}  # key -> Prediction, in the order in which they were asked
_recaps = []  # recaps on show, which follow a prediction that is committed later


@dataclass
class Prediction:
    question: str
    answer: str | None = None
    why: str = ""
    committed: str | None = None
    judged: bool = True  # a written answer is for the reader to compare


def predict(key, question, options=(), answer=None, why=""):
    """Ask for a prediction.  With ``options`` the reader picks one, without they write one.

    ``answer`` and ``why`` are the notebook's own; ``recap`` shows them beside the prediction.
    Running the cell again keeps what was committed under this ``key``.
    """
    if answer is not None and options and answer not in options:
        raise ValueError(f"answer is {answer!r}, not one of the options of {key!r}")
    before = _asked.get(key)
    _asked[key] = entry = Prediction(
        question, answer, why, before and before.committed, bool(options)
    )
    choice = _choice(options, entry.committed)
    button = Button(description="Commit", button_style="primary", layout=Layout(width="110px"))
    note = HTMLMath(_note(entry), layout=Layout(flex="1 1 200px"))

    def commit(_=None):
        if choice.value:
            entry.committed = choice.value
            choice.disabled = button.disabled = True
            note.value = _note(entry)
            for refresh in _recaps:
                refresh()
        else:
            note.value = "<p>Choose or write an answer first.</p>"

    button.on_click(commit)
    choice.disabled = button.disabled = entry.committed is not None
    row = HBox([button, note], layout=Layout(flex_flow="row wrap", align_items="center"))
    return _card(HTMLMath(f"<p><b>Your prediction.</b> {escape(question)}</p>"), choice, row)


def recap():
    """All predictions of this notebook beside its answers; it follows later commitments."""
    shown = HTMLMath(layout=Layout(width="auto"))

    def refresh():
        shown.value = _recap_html()

    _recaps.append(refresh)
    refresh()
    return _card(shown)


def _choice(options, committed):
    wide = Layout(width="auto", max_width="100%")
    if options:
        return RadioButtons(options=list(options), value=committed, layout=wide)
    return Text(value=committed or "", placeholder="your answer", layout=wide)


def _note(entry):
    if entry.committed is None:
        return "<p>No marks here: commit to an answer, then read on.</p>"
    return f"<p>Kept: “{escape(entry.committed)}”. You will meet it again at the end.</p>"


def _card(*children):
    card = VBox([page_style(), *children], layout=Layout(border_left=f"4px solid {css('target')}"))
    card.layout.padding = "4px 14px"
    card.add_class("specnotes")
    return card


def _recap_html():
    if not _asked:
        return "<p>No predictions were asked for in this notebook.</p>"
    nothing = not any(entry.committed for entry in _asked.values())
    head = "<p>You committed to no prediction this time. The answers:</p>" if nothing else ""
    return head + "".join(map(_recap_item, _asked.values()))


def _recap_item(entry):
    said = f"You said: “{escape(entry.committed)}”" if entry.committed else "You did not commit"
    if entry.committed and entry.answer is not None and entry.judged:
        said += " — as predicted." if entry.committed == entry.answer else " — a surprise."
    else:
        said += "."
    answer = "" if entry.answer is None else f"<br>The answer: <b>{escape(entry.answer)}</b>."
    return f"<p>{escape(entry.question)}<br>{said}{answer} {escape(entry.why)}</p>"
