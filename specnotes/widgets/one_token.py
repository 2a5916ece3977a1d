"""One token under a microscope: drag both laws of three tokens and watch what comes out."""

from fractions import Fraction
from html import escape

import numpy as np

from specnotes.laws import overlap, residual, total_variation
from specnotes.plots import coupling_svg, errors_svg, mass_svg
from specnotes.plots.coupling import coupling_words
from specnotes.plots.numbers import percent
from specnotes.verify import emitted_law, token_kernel
from specnotes.widgets.common import Control, Sheet, figures, wrapped

TOKENS = ("cat", "sat", "mat")


def one_token(target=(5, 3, 2), draft=(2, 3, 5), tokens=TOKENS):
    """Sliders for the weights of target and draft → strips, coupling and output error.

    Weights are whole numbers and are divided by their sum, so that every law is exact.
    """
    controls = {
        f"{side}_{i}": Control(f"{side} “{name}”", weight, 0, 10, 1)
        for side, weights in (("target", target), ("draft", draft))
        for i, (name, weight) in enumerate(zip(tokens, weights))
    }
    for side in ("target", "draft"):
        _keep_one([c.slider for name, c in controls.items() if name.startswith(side)])
    shown = figures("mass", "errors", "coupling", "words")

    def redraw(**weights):
        laws = [_law(weights, side, len(tokens)) for side in ("target", "draft")]
        return panels(*laws, tokens)

    return Sheet(controls, shown, redraw, wrapped(*shown.values()))


def panels(target, draft, tokens):
    """The three figures of one target and one draft, from exact laws."""
    corrected, wrong = emitted_law(target, draft), emitted_law(target, draft, fallback=target)
    distances = total_variation(target, corrected), total_variation(target, wrong)
    coupling = draft[:, None] * token_kernel(target, draft)
    kept, after = overlap(target, draft), residual(target, draft)
    return {
        "mass": mass_svg(target, draft, tokens, after, kept, row=44),
        "coupling": coupling_svg(coupling, target, draft, tokens),
        "errors": errors_svg(target, corrected, wrong, tokens, distances, row=44),
        "words": _words(coupling_words(coupling, draft, tokens), distances[1]),
    }


def _words(rows, wrong):
    listed = "".join(f"<li>{escape(row)}</li>" for row in rows)
    return (
        f'<div role="status"><p>In words:</p><ul>{listed}</ul><p>Each column adds up to the '
        "target, so the output has the target’s law. With the target itself as fallback it would "
        f"be off by {percent(wrong, 2)} %.</p></div>"
    )


def _law(weights, side, size):
    numbers = [weights[f"{side}_{i}"] for i in range(size)]
    return np.array([Fraction(n, sum(numbers)) for n in numbers])


def _keep_one(sliders):
    """A law needs some mass: the last weight cannot be dragged to zero."""

    def restore(change):
        if sum(slider.value for slider in sliders) == 0:
            change["owner"].value = 1

    for slider in sliders:
        slider.observe(restore, "value")
