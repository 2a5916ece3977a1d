"""What a draft length is worth: drag α, γ and c, with the best γ marked."""

from specnotes.plots import speedup_svg, tokens_law_svg
from specnotes.widgets.common import Control, Sheet, figures, wrapped
from specnotes.yields import best_draft_length, speedup, tokens_law, tokens_per_round

LONGEST = 16


def yield_curve(acceptance_rate=0.92, draft_length=5, cost_ratio=0.09):
    """Sliders for α, γ and c → speed-up against γ, and the law of tokens in one round."""
    controls = {
        "rate": Control("acceptance α", acceptance_rate, 0.0, 1.0, 0.01),
        "length": Control("draft length γ", draft_length, 1, LONGEST, 1),
        "cost": Control("draft cost c", cost_ratio, 0.0, 1.0, 0.01),
    }
    shown = figures("speedup", "law")
    return Sheet(controls, shown, _panels, wrapped(*shown.values()))


def _panels(rate, length, cost):
    lengths = range(1, LONGEST + 1)
    tokens = [tokens_per_round(rate, n) for n in lengths]
    speeds = [speedup(rate, n, cost) for n in lengths]
    best = best_draft_length(rate, cost, LONGEST)
    return {
        "speedup": speedup_svg(speeds, tokens, length, best),
        "law": tokens_law_svg(tokens_law(rate, length), tokens[length - 1]),
    }
