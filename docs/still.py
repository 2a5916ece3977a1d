"""What a page shows where a notebook is live.  Runs in the kernel that executes the pages.

`begin` is called by a cell that tools/build_site.py puts in front of each lesson.  Widgets become
plain text, and figures get a text alternative, which is made of their titles and labels.
"""

import re
from html import escape

import comm
import ipywidgets
from IPython import get_ipython
from IPython.core.pylabtools import print_figure
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

LIVE = (
    '<p class="live">In the notebook, sliders move a figure here. That needs a running kernel: '
    '<a href="{}">open this lesson in Binder</a>. The figure that follows holds the same point '
    "still.</p>"
)
DPI = 160  # sharp on a phone; pages show figures at 100


def begin(launch):
    """``launch`` is the address at which the lesson runs."""
    comm.create_comm = lambda *_, **options: comm.DummyComm(**options)  # no widget state on pages
    plt.close()  # makes IPython take over Matplotlib now, not after what follows
    formatters = get_ipython().display_formatter.formatters
    get_ipython().run_line_magic("matplotlib", "inline")
    formatters["image/png"].pop(Figure, None)
    formatters["text/html"].for_type(Figure, figure_html)
    formatters["text/plain"].for_type(Figure, lambda figure, printer, _: printer.text(""))
    get_ipython().display_formatter.mimebundle_formatter.for_type(
        ipywidgets.Widget, lambda widget, **_: widget_data(widget, launch)
    )


def figure_html(figure):
    data = print_figure(figure, dpi=DPI, bbox_inches="tight", base64=True)
    width = round(figure.get_size_inches()[0] * 100)
    words = escape(figure_words(figure), quote=True)
    return f'<img alt="{words}" width="{width}" src="data:image/png;base64,{data.strip()}">'


def figure_words(figure):
    """A figure in words: each panel's title and what its axes say."""
    panels = [panel_words(axes) for axes in figure.axes]
    return "Figure. " + " ".join(f"{words}." for words in panels if words)


def panel_words(axes):
    title = " ".join(filter(None, (axes.get_title(loc) for loc in ("left", "center", "right"))))
    sides = (("across", axes.xaxis), ("up", axes.yaxis)) if axes.axison else ()
    labels = (f"{side}: {text}" for side, axis in sides if (text := axis_words(axis)))
    return "; ".join(filter(None, (title, *labels))).replace("\n", " ").replace("$", "")


def axis_words(axis):
    """An axis' label, or the names of its places: tokens, tests, exhibits, but not numbers."""
    places = [tick.get_text() for tick in axis.get_ticklabels()]
    named = [text for text in places if re.search("[^\\W\\d]", text) and "math" not in text]
    return axis.get_label_text() or ", ".join(named)


def widget_data(widget, launch):
    if any(
        isinstance(part, ipywidgets.IntSlider | ipywidgets.FloatSlider) for part in parts(widget)
    ):
        return {"text/html": LIVE.format(escape(launch, quote=True))}
    return {"text/markdown": "\n\n".join(filter(None, map(as_markdown, parts(widget))))}


def parts(widget):
    """A widget and what is in it, but not a button and its neighbours: nothing to press here."""
    children = getattr(widget, "children", ())
    if not any(isinstance(child, ipywidgets.Button) for child in children):
        yield widget
        for child in children:
            yield from parts(child)


def as_markdown(widget):
    """What a widget says, without what only a kernel can do."""
    if isinstance(widget, ipywidgets.RadioButtons):
        return "\n".join(f"- {option}" for option in widget.options)
    if isinstance(widget, ipywidgets.HTML | ipywidgets.HTMLMath):
        if widget.layout.display == "none":  # a style sheet
            return ""
        text = re.sub(r"</?b>", "**", widget.value.replace("<br>", " \\\n"))
        return re.sub(r"<[^>]+>", "\n\n", text).strip()
    return ""
