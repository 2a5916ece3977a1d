"""One sequence, round by round: drag the draft's length and quality and read the columns."""

from ipywidgets import HTML, Layout

from specnotes.models import TOY_VOCABULARY
from specnotes.plots import legend_html, tiles_html, trace_html
from specnotes.widgets.common import Control, Sheet, full_width
from specnotes.widgets.lab import sequence

CERTAINTY, TOKENS = 0.5, 48


def block_trace(draft_length=4, match=0.6, seed=5):
    """Sliders for γ, draft match and seed → the rounds of one sequence of 48 toy tokens."""
    controls = {
        "draft_length": Control("draft length γ", draft_length, 1, 8, 1),
        "match": Control("draft match", match, 0.0, 1.0, 0.01),
        "seed": Control("seed", seed, 0, 99, 1),
    }
    shown = {name: full_width() for name in ("tiles", "trace")}
    legend = HTML(legend_html(), layout=Layout(width="auto"))
    return Sheet(controls, shown, redraw, shown["tiles"], legend, shown["trace"])


def redraw(draft_length, match, seed):
    """The figures, by name, for one setting of the sliders."""
    trace, *_ = sequence(CERTAINTY, match, seed, draft_length, 0, TOKENS)
    counts = ending_counts(trace.rounds)
    tiles = tiles_html(
        ("target passes", trace.target_passes, "target-text", f"for {TOKENS} tokens"),
        ("tokens drafted", trace.draft_passes, "draft-text", f"{draft_length} per pass"),
        ("accepted", counts["accepted"], "kept-text", "from the draft"),
        ("corrected", counts["corrected"], "owed-text", "from a residual"),
        ("bonus", counts["bonus"], "target-text", "from the target itself"),
    )
    title = '<h3 class="sn-title">Each column is one target pass, read down</h3>'
    return {"tiles": tiles, "trace": title + trace_html(trace.rounds, TOY_VOCABULARY)}


def ending_counts(rounds):
    """How many emitted tokens came each way; the last round may be cut before its own token."""
    accepted = sum(min(r.accepted, len(r.emitted)) for r in rounds)
    ended = [r for r in rounds if len(r.emitted) > r.accepted]
    bonus = sum(r.accepted == len(r.drafted) for r in ended)
    return {"accepted": accepted, "corrected": len(ended) - bonus, "bonus": bonus}
