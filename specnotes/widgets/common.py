"""What the widgets share: named sliders, figures that redraw, and a layout that wraps."""

from ipywidgets import (
    HTML,
    BoundedFloatText,
    BoundedIntText,
    Checkbox,
    Dropdown,
    FloatSlider,
    HBox,
    IntSlider,
    Layout,
    VBox,
    link,
)

from specnotes.plots.palette import stylesheet

LABEL = "104px"  # room for a control's description
WRAP = dict(display="flex", flex_flow="row wrap", align_items="flex-start")

# What Python cannot reach, the page does itself, once it shows the widget:
# - ipywidgets gives a slider's handle no name for screen readers: it is lent the label of its box;
# - JupyterLab takes arrow keys and letters for its own, some versions on sliders as well, all on
#   lists and radio buttons: inside the widget they belong to the widget, but Ctrl+S still saves.
PAGE_SCRIPT = """<style onload="
const root = this.closest('.specnotes');
const name = () => root.querySelectorAll('.sn-control').forEach(control => {
  const label = control.querySelector('.widget-label');
  const handle = control.querySelector('.noUi-handle:not([aria-label])');
  if (label && handle) handle.setAttribute('aria-label', label.textContent);
});
const keep = event => event.target.toggleAttribute('data-lm-suppress-shortcuts',
  !(event.ctrlKey || event.altKey || event.metaKey || event.shiftKey));
if (root) {
  new MutationObserver(name).observe(root, {childList: true, subtree: true});
  name();
  ['focusin', 'keydown', 'keyup'].forEach(type => root.addEventListener(type, keep));
}
">.sn-control { min-width: 0; }</style>"""


class Control(HBox):
    """A slider with a number box beside it.

    The box says the value in text and takes a typed value; its label names the slider's handle as
    well.  ``value`` and ``observe`` are the slider's.
    """

    def __init__(self, description, value, low, high, step):
        whole = all(isinstance(n, int) for n in (value, low, high, step))
        make_slider, make_box = (
            (IntSlider, BoundedIntText) if whole else (FloatSlider, BoundedFloatText)
        )
        # The slider keeps its description for programs; the style sheet hides that second label.
        words = dict(value=value, min=low, max=high, step=step, description=description)
        self.box = make_box(
            **words,
            tooltip=description,
            style={"description_width": LABEL},
            layout=Layout(width="176px"),
        )
        self.slider = make_slider(
            **words, readout=False, layout=Layout(flex="1 1 90px", width="auto", min_width="90px")
        )
        link((self.slider, "value"), (self.box, "value"), transform=(_tidy, _tidy))
        super().__init__([self.box, self.slider], layout=Layout(flex="1 1 290px", width="auto"))
        self.add_class("sn-control")

    @property
    def value(self):
        return self.slider.value

    @value.setter
    def value(self, value):
        self.slider.value = value


def _tidy(value):
    """Without the last bits that a browser's sum of steps leaves: 1.65, not 1.6500000000000001."""
    return round(value, 9)


class Sheet(VBox):
    """Controls above, figures below; ``draw`` gives every figure anew on each change.

    ``controls`` and ``figures`` are widgets by name; ``draw`` takes the controls' values by name
    and returns markup by name.
    """

    def __init__(self, controls, figures, draw, *rows):
        self.controls, self.figures, self.draw = controls, figures, draw
        super().__init__([page_style(), wrapped(*controls.values()), *rows])
        self.add_class("specnotes")
        for control in controls.values():
            getattr(control, "slider", control).observe(self.refresh, "value")
        self.refresh()

    def refresh(self, _change=None):
        """Draw again from the controls' values."""
        for name, markup in self.draw(**{n: c.value for n, c in self.controls.items()}).items():
            self.figures[name].value = markup


def page_style():
    """The first child of each widget that has the class `specnotes`: its looks and manners."""
    return HTML(stylesheet() + PAGE_SCRIPT, layout=Layout(display="none"))


def figures(*names):
    """Empty figures by name, each as wide as its drawing and no wider than its column."""
    return {name: HTML(layout=Layout(flex="1 1 400px", max_width="552px")) for name in names}


def wrapped(*children):
    """A row that breaks into more rows where the page is narrow."""
    return HBox(children, layout=Layout(**WRAP, overflow="visible", margin="4px 0"))


def full_width():
    """A figure of its own row."""
    return HTML(layout=Layout(width="auto"))


def choice(description, options, value):
    """A drop-down list in the controls' manner."""
    return Dropdown(
        options=options,
        value=value,
        description=description,
        style={"description_width": LABEL},
        layout=Layout(flex="1 1 290px", width="auto", max_width="360px"),
    )


def as_text(text, *drawings):
    """A check box that shows ``text`` in place of the drawings, for the eye and for the ear."""
    box = Checkbox(description="as text", indent=False, layout=Layout(width="auto", height="auto"))

    def swap(_change=None):
        text.layout.display = None if box.value else "none"
        for drawing in drawings:
            drawing.layout.display = "none" if box.value else None

    box.observe(swap, "value")
    swap()
    return box
