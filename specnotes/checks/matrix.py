"""Exhibits × checks: the museum handed in as answers, and what each check claims to refuse.

A check is asked about the exhibits that somebody could hand in there.  Of those it refuses every
wrong one, but for what it is ``blind`` to, and accepts every right one.
"""

from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from io import StringIO

import numpy as np

from specnotes import checks
from specnotes.audit.matrix import as_verifier, audit_exhibit
from specnotes.broken import MUSEUM
from specnotes.broken.exhibit import (
    BLOCK,
    BOUNDARY,
    CONTEXT,
    DECODER,
    DRAFT,
    JOINT,
    LEDGER,
    MODEL,
    ROUNDING,
    TOKEN,
)
from specnotes.checks import drafting
from specnotes.checks.card import Result
from specnotes.checks.known import metered
from specnotes.coins import law_of
from specnotes.laws import draw
from specnotes.models import MarkovModel


@dataclass(frozen=True)
class Claim:
    """What a check is asked about, and what it must refuse."""

    check: Callable
    kinds: set
    answer: Callable = lambda exhibit: exhibit.function  # exhibit → what is handed in
    fits: Callable = lambda exhibit: True  # of an exhibit: could it be handed in there?
    counts_kept: bool = False  # right but frugal answers are refused, too
    blind: dict = field(default_factory=dict)  # an exhibit's name or its need → why it passes

    def asks(self, exhibit):
        return exhibit.kind in self.kinds and self.fits(exhibit)

    def must_refuse(self, exhibit):
        if exhibit.innocent:
            return self.counts_kept and not audit_exhibit(exhibit).efficient
        return not self.blind.keys() & {exhibit.name, exhibit.needs}

    def refuses(self, exhibit):
        with redirect_stdout(StringIO()):
            return not self.check(self.answer(exhibit)).ok


def check_matrix(claims=None, exhibits=MUSEUM):
    """{exhibit's name: {check's name: refused, or None if it is not asked}}, by running them."""
    claims = CLAIMS if claims is None else claims
    asked = [e for e in exhibits if any(claim.asks(e) for claim in claims.values())]
    return {
        e.name: {n: c.refuses(e) if c.asks(e) else None for n, c in claims.items()} for e in asked
    }


# How an exhibit is handed in


def fallback(exhibit):
    """function(target, draft) -> the law of what comes out after a rejection."""

    def after_rejection(target, draft):
        law = law_of(lambda rng: exhibit.function(target, draft, draw(draft, rng), rng))
        owed = [law.get((token, False), 0) for token in range(len(target))]
        return np.array(owed) / sum(owed) if any(owed) else target

    return after_rejection


def with_sure_draft(exhibit):
    """verify(target, token, rng), for a token that is drafted for certain."""

    def verify(target, token, rng):
        draft = np.zeros_like(target)
        draft[token] = target.sum()  # a 1 of the target's kind
        return exhibit.function(target, draft, token, rng)

    return verify


def with_settings(exhibit):
    """function(target, draft, target_step, draft_step, rng): a round, both laws after a step."""

    def one_round(target, draft, target_step, draft_step, rng):
        drafted = draft_step(draft)
        return exhibit.function(target_step(target), drafted, draw(drafted, rng), rng)

    return one_round


def on_rows(exhibit):
    """function(rows, prefix, tokens, step) -> the rows as the exhibit's target scores them."""

    def penalised(rows, prefix, tokens, step):
        model = _Rows(rows, len(prefix))
        target, _ = exhibit.function(model, model, step)
        return target.score(prefix, tokens)

    return penalised


class _Rows:
    """A model that has a row for each place after ``start``, whatever stands there."""

    def __init__(self, rows, start):
        self.rows, self.start, self.vocabulary = rows, start, tuple(range(rows.shape[1]))

    def next_law(self, prefix):
        return self.rows[len(prefix) - self.start]

    def score(self, prefix, tokens):
        return self.rows[len(prefix) - self.start :][: len(tokens) + 1]


def as_rule(exhibit):
    """rule(rng) -> the tokens that are handed over, on the laws of the check."""
    draft = MarkovModel([drafting.DRAFT] * 3, drafting.DRAFT)
    return lambda rng: exhibit.function(draft, (), 2, rng)[0]


def lawful_rule(rule):
    """How ``lawful_stops`` judges each of its rules."""
    law = drafting.first_token_law(rule)
    return Result(law == tuple(drafting.TARGET), True, f"the first token has law {law}")


def with_certain_words(exhibit):
    """function(target, draft, start, draft_length, n_words): both are dicts word → next word."""

    def guess(target, draft, start, draft_length, n_words):
        words = list(target)
        models = [_certain(next_word, words) for next_word in (target, draft)]
        rng, prefix = np.random.default_rng(0), (words.index(start),)
        answer = metered(exhibit.function)(*models, prefix, draft_length, n_words, rng)
        return [words[token] for token in answer.tokens], answer.target_passes

    return guess


def _certain(next_word, words):
    sure = np.eye(len(words), dtype=int)
    return MarkovModel(sure[[words.index(next_word[word]) for word in words]], sure[0])


# What is not handed in, and what passes

SEEN_ONCE = {
    BOUNDARY: "a remark: such a coin has a chance of 2⁻⁵³",
    ROUNDING: "a remark: the laws differ in the last bit of a float",
}
NOT_EMITTED = {
    BOUNDARY: SEEN_ONCE[BOUNDARY],
    "even if nothing is owed": SEEN_ONCE[ROUNDING],  # 0/0 is an error, not a remark
}
KEEPS = {BOUNDARY: "it moves no law", ROUNDING: "these laws are exact"}
_REJECTS_AS_IT_SHOULD = "specnotes.broken.fallbacks", "specnotes.broken.reused_coins"
_OWN_RULE = "accept if equal", "residual by rejection", "two coins for one test"
_ASKS_TOO_OFTEN = "plain decoding", "one token at a time"


def _has_a_residual(exhibit):
    """After the usual test; right ones with the usual residual, written down."""
    where = exhibit.function.__module__
    return exhibit.name not in _OWN_RULE and (exhibit.innocent or where in _REJECTS_AS_IT_SHOULD)


CLAIMS = {
    "residual": Claim(checks.residual, {TOKEN}, fallback, _has_a_residual, blind=KEEPS),
    "verify_token": Claim(checks.verify_token, {TOKEN}, counts_kept=True, blind=SEEN_ONCE),
    "accept_iff_equal": Claim(
        checks.accept_iff_equal,
        {TOKEN},
        fits=lambda e: not e.innocent or e.name == "accept if equal",  # no other rule is asked for
    ),
    "certain_draft": Claim(
        checks.certain_draft,
        {TOKEN},
        with_sure_draft,
        blind=KEEPS
        | dict.fromkeys(
            ["accept at the average rate", "accept with the target's probability"],
            "with a sure draft these are α and p(x), too",
        )
        | dict.fromkeys(
            ["drafted token removed", "residual of the ratio", "residual p·(1 − q)"],
            "with a sure draft all but the drafted token is owed, in the target's proportions",
        ),
    ),
    "settings_round": Claim(
        checks.settings_round,
        {TOKEN},
        with_settings,
        counts_kept=True,
        blind={ROUNDING: KEEPS[ROUNDING]},
    ),
    "block_verifier": Claim(
        checks.block_verifier, {TOKEN, BLOCK}, as_verifier, counts_kept=True, blind=NOT_EMITTED
    ),
    "bonus_row": Claim(
        lambda verify: checks.bonus_row(verify, (1, 2)),
        {BLOCK},
        counts_kept=True,
    ),
    "whole_decoder": Claim(
        checks.whole_decoder,
        {DECODER},
        fits=lambda e: e.name not in _ASKS_TOO_OFTEN,
        counts_kept=True,
        blind={LEDGER: "it counts the passes itself"},
    ),
    "penalised_rows": Claim(
        checks.penalised_rows,
        {MODEL},
        on_rows,
        blind=dict.fromkeys(
            ["top-k draft, raw law", "raw draft, top-k law"], "the rows are the target's"
        ),
    ),
    "lawful_stops": Claim(
        lawful_rule,
        {DRAFT},
        as_rule,
        fits=lambda e: "one-hot" not in e.name,  # its rules hand over tokens with the draft's law
        blind={JOINT: "it looks at one token", CONTEXT: "its draft has no contexts"},
    ),
    "guess_and_check": Claim(
        checks.guess_and_check,
        {DECODER},
        with_certain_words,
        fits=lambda e: e.name not in _ASKS_TOO_OFTEN,
        counts_kept=True,
        blind={
            LEDGER: "it counts the passes itself",
            "runs past a stop token": "it has no stop token",
            "one token at least": "it asks for a word at least",
        },
    ),
}
