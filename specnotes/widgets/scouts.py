"""Scouts on a plane: drag the n-gram's order, the temperature and the draft length."""

from specnotes.laws import overlap
from specnotes.plots import scouts_svg
from specnotes.transforms import temperature
from specnotes.widgets.common import Control, Sheet, choice, full_width
from specnotes.yields import affordable_cost, speedup

RATES = [i / 400 for i in range(401)]
GAINS = (1, 1.5, 2, 3, 4)


def scout_plane(laws, prices, order=5, draft_length=4, longest=None):
    """Every scout by its price and its mean overlap with the target.

    ``laws`` maps kinds of text to {"target": …, name: …}, laws (…, V) at the same positions;
    a row of zeros stands for a scout that proposes nothing there.  ``prices`` maps the scouts'
    names to target passes per drafted token.  n-grams are named "1-gram", "2-gram", ….  ``longest``
    maps names of scouts that cannot draft any length to the longest that they can.
    """
    longest = longest or {}
    family = [name for name in prices if name.endswith("-gram")]
    kinds = list(laws)
    controls = {
        "kind": choice("text", kinds, kinds[0]),
        "order": Control("order of n-gram", order, 1, len(family), 1),
        "t": Control("temperature T", 1.0, 0.2, 2.0, 0.1),
        "length": Control("draft length γ", draft_length, 1, 16, 1),
    }

    def panels(kind, order, t, length):
        target = laws[kind]["target"]
        rates = {name: _mean_overlap(target, laws[kind][name], t) for name in prices}
        gains = {
            name: speedup(rates[name], min(length, longest.get(name, length)), prices[name])
            for name in prices
        }
        points = {name: (prices[name], rates[name]) for name in prices}
        lines = {g: [(affordable_cost(a, length, g), a) for a in RATES] for g in GAINS}
        chosen = family[order - 1]
        return {"plane": scouts_svg(points, gains, family, chosen, length, lines)}

    shown = {"plane": full_width()}
    return Sheet(controls, shown, panels, *shown.values())


def _mean_overlap(target, draft, t):
    """Both tempered; where the scout has nothing to say, nothing is kept."""
    said = draft.any(axis=-1)
    if not said.any():
        return 0.0
    kept = overlap(temperature(target[said], t), temperature(draft[said], t))
    return float(kept.sum() / said.size)
