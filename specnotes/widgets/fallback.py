"""The wrong fallback at work: drag the draft from perfect to bad and watch the error."""

from fractions import Fraction

import numpy as np

from specnotes.laws import overlap, residual, total_variation
from specnotes.plots import bound_svg, errors_svg, mass_svg, tiles_html
from specnotes.plots.numbers import percent
from specnotes.verify import emitted_law
from specnotes.widgets.common import Control, Sheet, choice, figures, full_width, wrapped

TOKENS = ("cat", "sat", "mat")
TARGET = (5, 3, 2)
BAD = {
    "always the first token": (1, 0, 0),
    "the target backwards": (2, 3, 5),
    "all tokens alike": (1, 1, 1),
    "only what the target likes least": (0, 0, 1),
}
ENDS = 0, 1  # overlap and distance are both linear in e, so two drafts give the whole trail


def fallback(target=TARGET, bad=None, tokens=TOKENS, samples=None):
    """A draft q = (1 − e)·p + e·bad: the wrong fallback's law, distance and bound against e.

    ``bad`` maps a name to the weights of a bad draft.  ``samples``, if given, is a function of
    (target, wrong law) that says how many samples would show the difference.
    """
    target, bad = _law(target), bad or BAD
    controls = {
        "share": Control("bad share e, %", 50, 0, 100, 1),
        "name": choice("bad draft", list(bad), next(iter(bad))),
    }
    shown = figures("mass", "errors", "bound") | {"tiles": full_width()}

    def redraw(share, name):
        other = _law(bad[name])
        drafts = [(1 - e) * target + e * other for e in (*ENDS, Fraction(share, 100))]
        return _panels(target, np.array(drafts), tokens, samples)

    rows = shown["tiles"], wrapped(*(shown[name] for name in ("mass", "errors", "bound")))
    return Sheet(controls, shown, redraw, *rows)


def _panels(target, drafts, tokens, samples):
    """Figures of the last draft; the others are the trail of the dot."""
    kept, wrong = overlap(target, drafts), emitted_law(target, drafts, fallback=target)
    far = total_variation(target, wrong)
    right, after = emitted_law(target, drafts[-1]), residual(target, drafts[-1])
    distances = total_variation(target, right), far[-1]
    tiles = [
        ("kept, α", f"{percent(kept[-1])} %", "kept-text"),
        ("wrong fallback is off by", f"{percent(far[-1], 2)} %", "error-text", "never above 25 %"),
    ]
    if samples:
        number = samples(target, wrong[-1])
        tiles.append(("samples that would show it", number, "ink"))
    return {
        "tiles": tiles_html(*tiles),
        "mass": mass_svg(target, drafts[-1], tokens, after, kept[-1], row=44),
        "errors": errors_svg(target, right, wrong[-1], tokens, distances, row=44),
        "bound": bound_svg(kept[-1], far[-1], list(zip(kept[:-1], far[:-1]))),
    }


def _law(weights):
    return np.array([Fraction(n, sum(weights)) for n in weights])
