"""Guess and check without chance: two tables word → next word, and how far the draft guesses."""

import numpy as np

from specnotes.decode import speculate
from specnotes.models import MarkovModel
from specnotes.plots import trace_html
from specnotes.widgets.common import Control, Sheet, full_width

NO_CHANCE = np.random.default_rng(0)  # laws of one word each: the draws make no difference


def guess_and_check(target, draft, start, n_words=14, draft_length=3):
    """A slider for the draft length → the rounds that write ``n_words`` after ``start``.

    ``target`` and ``draft`` are dicts word → next word over the same words.
    """
    controls = {"draft_length": Control("draft length", draft_length, 1, 8, 1)}
    shown = {"bill": full_width(), "trace": full_width()}

    def redraw(draft_length):
        trace = rounds(target, draft, start, draft_length, n_words)
        words = tuple(target)
        text = " ".join(words[token] for token in trace.tokens)
        passes = _passes(trace.target_passes, "target")
        bill = (
            f"<p><b>{n_words} words in {passes}</b>, {_passes(trace.draft_passes, 'draft')}. "
            "Each column is one target pass, read down.</p>"
            f"<p>The text: {start} <b>{text}</b></p>"
        )
        return {"bill": bill, "trace": trace_html(trace.rounds, words)}

    return Sheet(controls, shown, redraw, *shown.values())


def rounds(target, draft, start, draft_length, n_words):
    """The trace of greedy decoding with the two tables."""
    words = tuple(target)
    models = [_certain(table, words) for table in (target, draft)]
    return speculate(*models, (words.index(start),), draft_length, n_words, NO_CHANCE)


def _passes(number, model):
    return f"{number} {model} pass{'es' * (number != 1)}"


def _certain(table, words):
    """The model that always continues as the table says."""
    rows = np.eye(len(words), dtype=int)[[words.index(table[word]) for word in words]]
    return MarkovModel(rows, rows[0], words)
