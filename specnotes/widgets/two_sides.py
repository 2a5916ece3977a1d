"""Sampling settings on either side: drag them, and see what comes out beside what is accepted."""

from functools import partial

import numpy as np

from specnotes.laws import accept_prob, overlap, total_variation
from specnotes.plots import acceptance_error_svg, three_laws_svg, tiles_html
from specnotes.plots.numbers import percent
from specnotes.plots.sides import EXACT
from specnotes.transforms import compose, temperature, top_p
from specnotes.verify import token_kernel
from specnotes.widgets.common import Control, Sheet, choice, figures, full_width, wrapped

TOKENS = ("cat", "sat", "mat", "hat")
TARGET, DRAFT = (8, 6, 4, 2), (6, 7, 4, 3)
HONEST, RAW_DRAFT, RAW_TARGET, RAW = "both as sampled", "raw draft", "raw target", "both raw"
READINGS = HONEST, RAW_DRAFT, RAW_TARGET, RAW


def two_sides(target=TARGET, draft=DRAFT, tokens=TOKENS):
    """Temperature and top-p of target and draft, and the laws that the verifier reads.

    Weights are whole numbers.  The draft's settings are those of drawing; "raw" is a law before
    its settings.
    """
    raw = [np.array(weights) / sum(weights) for weights in (target, draft)]
    controls = {
        "target_t": Control("target T", 1.0, 0.1, 2.0, 0.05),
        "target_mass": Control("target top-p, %", 60, 5, 100, 1),
        "draft_t": Control("draft T", 1.0, 0.1, 2.0, 0.05),
        "draft_mass": Control("draft top-p, %", 60, 5, 100, 1),
        "reading": choice("verifier reads", READINGS, HONEST),
    }
    for control in controls.values():  # two in a row: a line for each side
        control.layout.flex, control.layout.min_width = "1 1 40%", "min(290px, 100%)"
    shown = figures("laws", "map") | {"tiles": full_width(), "words": full_width()}

    def redraw(target_t, target_mass, draft_t, draft_mass, reading):
        wanted = _settings(target_t, target_mass)(raw[0])
        drafted = _settings(draft_t, draft_mass)(raw[1])
        read_target = raw[0] if reading in (RAW_TARGET, RAW) else wanted
        read_draft = raw[1] if reading in (RAW_DRAFT, RAW) else drafted
        delivered = drafted @ token_kernel(read_target, read_draft)
        accepted = drafted @ accept_prob(read_target, read_draft)
        return _panels(wanted, drafted, delivered, accepted, tokens)

    drawn = wrapped(shown["laws"], shown["map"])
    return Sheet(controls, shown, redraw, shown["tiles"], drawn, shown["words"])


def _settings(t, mass):
    return compose(partial(temperature, t=t), partial(top_p, mass=mass / 100))


def _panels(wanted, drafted, delivered, accepted, tokens):
    kept, off = overlap(wanted, drafted), total_variation(wanted, delivered)
    beyond = "more than a lossless rule can" if accepted > kept + EXACT else ""
    tiles = tiles_html(
        ("overlap, α", f"{percent(kept)} %", "kept-text", "the most a lossless rule accepts"),
        ("accepted", f"{percent(accepted)} %", "error-text" if beyond else "kept-text", beyond),
        ("output is off by", f"{percent(off, 2)} %", "error-text" if off > EXACT else "kept-text"),
    )
    return {
        "tiles": tiles,
        "laws": three_laws_svg(drafted, wanted, delivered, tokens),
        "map": acceptance_error_svg(kept, accepted, off),
        "words": _words(kept, accepted, off),
    }


def _words(kept, accepted, off):
    verdict = (
        f"the output is off the wanted law by {percent(off, 2)} %"
        if off > EXACT
        else "the output has the wanted law"
    )
    return (
        f'<p role="status">In words: {percent(accepted)} % of the drafts are accepted, where a '
        f"lossless rule accepts at most {percent(kept)} %; {verdict}.</p>"
    )
