"""The lab: an eight-token pair of models, alive."""

import numpy as np
from ipywidgets import HTML, Layout

from specnotes.decode import speculate
from specnotes.laws import overlap, residual, total_variation
from specnotes.models import TOY_VOCABULARY, toy_pair
from specnotes.plots import errors_svg, legend_html, mass_svg, tiles_html, trace_html
from specnotes.plots.numbers import percent, tiny
from specnotes.verify import emitted_law
from specnotes.widgets.audit_tile import audit_tile
from specnotes.widgets.common import Control, Sheet, as_text, choice, figures, full_width, wrapped
from specnotes.widgets.lab_text import state_html
from specnotes.yields import speedup

START = TOY_VOCABULARY.index("the")  # every sequence continues this token
MOST_LIKELY, MOST_WRONG = 0.7, 0.1  # ends of the fixed axes; no toy law exceeds the first

_TRACE_HEAD = (
    '<h3 class="sn-title">One decoded sequence, round by round</h3>'
    "<p>Each column is one target pass: read it down, then go on to the next.</p>"
)


def lab(certainty=0.5, match=0.84, draft_length=5, draft_cost=0.09, n_tokens=96, seed=2):
    """Six controls and a context → one token's laws, one decoded sequence, its bill, the audit."""
    controls = {
        "certainty": Control("certainty", certainty, 0.0, 1.0, 0.01),
        "match": Control("draft match", match, 0.0, 1.0, 0.01),
        "draft_length": Control("draft length γ", draft_length, 1, 10, 1),
        "draft_cost": Control("draft cost c", draft_cost, 0.0, 1.0, 0.01),
        "n_tokens": Control("tokens to emit", n_tokens, 8, 160, 8),
        "seed": Control("seed", seed, 0, 99, 1),
        "context": choice("context", [(n, i) for i, n in enumerate(TOY_VOCABULARY)], START),
    }
    wide = {name: full_width() for name in ("tiles", "words", "text", "trace")}
    shown = figures("mass", "errors") | wide
    drawn = wrapped(shown["mass"], shown["errors"])
    head = HTML(_TRACE_HEAD + legend_html(), layout=Layout(width="auto"))
    rows = (
        as_text(shown["text"], drawn, head, shown["trace"]),
        shown["tiles"],
        drawn,
        shown["words"],
        shown["text"],
        head,
        shown["trace"],  # the number of rounds changes its height, so it stands low
        audit_tile(),
    )
    return Sheet(controls, shown, redraw, *rows)


def redraw(certainty, match, draft_length, draft_cost, n_tokens, seed, context):
    """All figures of the lab, by name, for one setting of its controls."""
    one = one_token(certainty, match, seed, context)
    trace, measured, estimate = sequence(certainty, match, seed, draft_length, draft_cost, n_tokens)
    after = f"Next token after “{TOY_VOCABULARY[context]}”"
    target, draft, kept = one["target"], one["draft"], one["kept"]
    laws = target, one["corrected"], one["wrong"], TOY_VOCABULARY, one["distances"]
    setting = (
        f"Certainty {certainty:g}, draft match {match:g}, draft length {draft_length}, draft cost "
        f"{draft_cost:g}, {n_tokens} tokens, seed {seed}, after “{TOY_VOCABULARY[context]}”."
    )
    return {
        "mass": mass_svg(target, draft, TOY_VOCABULARY, one["residual"], kept, after, MOST_LIKELY),
        "errors": errors_svg(*laws, MOST_WRONG),
        "tiles": _tiles(one, trace, measured, estimate),
        "trace": trace_html(trace.rounds, TOY_VOCABULARY),
        "words": _words(one, trace, measured, estimate),
        "text": state_html(setting, one, trace.rounds, TOY_VOCABULARY),
    }


def one_token(certainty, match, seed, context):
    """The laws after one context, exact, and the float distance beside the exact one."""
    target, draft = (model.matrix[context] for model in toy_pair(certainty, match, seed, True))
    corrected, wrong = emitted_law(target, draft), emitted_law(target, draft, fallback=target)
    floats = target.astype(float), emitted_law(target.astype(float), draft.astype(float))
    return dict(
        target=target,
        draft=draft,
        corrected=corrected,
        wrong=wrong,
        kept=overlap(target, draft),
        residual=residual(target, draft),
        distances=(total_variation(target, corrected), total_variation(target, wrong)),
        float_distance=total_variation(*floats),
    )


def sequence(certainty, match, seed, draft_length, draft_cost, n_tokens):
    """One decoded sequence → (trace, measured speed-up, estimated speed-up).

    The estimate takes for α the mean overlap over the contexts that this sequence went through.
    """
    target, draft = toy_pair(certainty, match, seed)
    rng = np.random.default_rng(seed)
    trace = speculate(target, draft, (START,), draft_length, n_tokens, rng)
    bill = trace.target_passes + draft_cost * trace.draft_passes
    contexts = [START, *trace.tokens[:-1]]
    rate = overlap(target.matrix, draft.matrix)[contexts].mean()
    return trace, len(trace.tokens) / bill, speedup(min(rate, 1.0), draft_length, draft_cost)


def _tiles(one, trace, measured, estimate):
    kept, (exact, wrong) = one["kept"], one["distances"]
    return tiles_html(
        ("kept, α", f"{percent(kept)} %", "kept-text", f"rejected {percent(1 - kept)} %"),
        ("corrected is off by", tiny(exact), "kept-text", f"in floats {one['float_distance']:.1g}"),
        ("wrong fallback is off by", f"{percent(wrong, 2)} %", "error-text", "accept or target"),
        ("target passes", trace.target_passes, "target-text", f"for {len(trace.tokens)} tokens"),
        ("draft steps", trace.draft_passes, "draft-text", "small passes"),
        ("toy speed-up", f"{measured:.2f}×", "ink", f"estimate {estimate:.2f}×"),
    )


def _words(one, trace, measured, estimate):
    """The state of the lab as a sentence, for everybody and for screen readers."""
    return (
        f'<p role="status">In words: {percent(one["kept"])} % of the draft’s proposals are kept '
        "here. With the residual the output has the target’s law exactly; with the target itself "
        f"as fallback it would be off by {percent(one['distances'][1], 2)} %. This sequence of "
        f"{len(trace.tokens)} tokens took {trace.target_passes} target passes and "
        f"{trace.draft_passes} draft steps, {measured:.2f} times as fast as plain decoding. The "
        f"estimate, {estimate:.2f}, takes one α for all: the mean overlap over the contexts this "
        "sequence went through. It is a toy account, not a measured GPU.</p>"
    )
