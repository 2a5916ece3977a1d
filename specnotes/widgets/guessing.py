"""Guess and check without chance: two tables word → next word, and how far the draft guesses."""

import numpy as np

from specnotes.decode import speculate
from specnotes.models import MarkovModel
from specnotes.plots import trace_html
from specnotes.widgets.common import Control, Sheet, choice, full_width

NO_CHANCE = np.random.default_rng(0)  # laws of one word each: the draws make no difference

MEANING = {  # the words of a course that knows no chance yet
    "accepted": "guessed right",
    "corrected": "the target's word in place of a wrong guess",
    "bonus": "bonus from the target, all guesses right",
    "rejected": "wrong guess",
    "unread": "guessed for nothing",
}


def guess_and_check(target, drafts, start, n_words=14, draft_length=3):
    """A list of drafts, a slider for the draft length → the rounds that write ``n_words``.

    ``target`` is a dict word → next word, ``drafts`` a dict name → such a dict over the same
    words; the text goes on after the word ``start``.
    """
    controls = {
        "draft": choice("draft", list(drafts), next(iter(drafts))),
        "draft_length": Control("draft length", draft_length, 1, 8, 1),
    }
    shown = {"bill": full_width(), "trace": full_width()}

    def redraw(draft, draft_length):
        trace = rounds(target, drafts[draft], start, draft_length, n_words)
        words = tuple(target)
        text = " ".join(words[token] for token in trace.tokens)
        passes = _passes(trace.target_passes, "target")
        bill = (
            f"<p><b>{n_words} words in {passes}</b>, {_passes(trace.draft_passes, 'draft')}. "
            "Each column is one target pass, read down.</p>"
            f"<p>The text: {start} <b>{text}</b></p>"
        )
        return {"bill": bill, "trace": trace_html(trace.rounds, words, MEANING)}

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
