"""Exercise checks: each takes the student's answer, prints a card and returns a ``Result``."""

from specnotes.checks.batteries import blind_tests, named_mistakes, sly_verifier
from specnotes.checks.blocks import (
    block_verifier,
    bonus_row,
    cut,
    pair_by_hand,
    whole_decoder,
)
from specnotes.checks.caches import positions, rollback, suspects
from specnotes.checks.card import Result
from specnotes.checks.clock import fastest_length, report
from specnotes.checks.drafting import lawful_stops, length_by_context
from specnotes.checks.fallback import (
    accept_iff_equal,
    certain_draft,
    hiding_share,
    worst_pair,
    wrong_fallback_bias,
)
from specnotes.checks.one_token import (
    frugal_fallback,
    no_rule_keeps_more,
    published_proof,
    residual,
    verify_token,
)
from specnotes.checks.scouts import hire, interpolated, look_up
from specnotes.checks.sequences import (
    draws_needed,
    exact_but_slow,
    law_after,
    sequence_probability,
    suspicious,
)
from specnotes.checks.settings import penalised_rows, settings_round
from specnotes.checks.start import guess_and_check, traced_round, words_in_round
from specnotes.checks.transforms import floor_after, temperature, top_p
from specnotes.checks.trials import battery, shared_coin_test
from specnotes.checks.yields import (
    best_draft_length,
    ledger_puzzle,
    oracle,
    printed_numbers,
    speedup,
    tokens_per_round,
)

__all__ = [
    "Result",
    "accept_iff_equal",
    "battery",
    "best_draft_length",
    "blind_tests",
    "block_verifier",
    "bonus_row",
    "certain_draft",
    "cut",
    "draws_needed",
    "exact_but_slow",
    "fastest_length",
    "floor_after",
    "frugal_fallback",
    "guess_and_check",
    "hiding_share",
    "hire",
    "interpolated",
    "law_after",
    "lawful_stops",
    "ledger_puzzle",
    "length_by_context",
    "look_up",
    "named_mistakes",
    "no_rule_keeps_more",
    "oracle",
    "pair_by_hand",
    "penalised_rows",
    "positions",
    "printed_numbers",
    "published_proof",
    "report",
    "residual",
    "rollback",
    "sequence_probability",
    "settings_round",
    "shared_coin_test",
    "sly_verifier",
    "speedup",
    "suspects",
    "suspicious",
    "temperature",
    "tokens_per_round",
    "top_p",
    "traced_round",
    "verify_token",
    "whole_decoder",
    "words_in_round",
    "worst_pair",
    "wrong_fallback_bias",
]
