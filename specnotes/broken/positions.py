"""Wrong places in a block: the one-token rule is right, its row, order or count is not."""

from fractions import Fraction as F

import numpy as np

from specnotes.broken.exhibit import (
    BLOCK,
    CONTEXT,
    INPUTS,
    JOINT,
    KEPT,
    LONGER,
    ONE_TOKEN,
    TEACHING,
    exhibit,
)
from specnotes.broken.toys import BASE, SECOND, Toy, law, rows
from specnotes.laws import draw, residual

STAY = Toy("the next law depends on the last token", rows((4, 1), (4, 1), (9, 11)), law(1, 1))
PAIR = Toy("second, two drafted", *SECOND, length=2)
TRIPLE = Toy("base, three drafted", *BASE, length=3)
CONTEXTS = Toy(
    "contexts, two drafted", rows((4, 1), (9, 11), (1, 3)), rows((1, 1), (2, 1), (1, 4)), length=2
)


def passes(target, draft, token, rng):
    return rng.random() * draft[token] < target[token]


def first_rejection(target_laws, draft_laws, tokens, rng):
    """How many drafted tokens pass before one fails."""
    for i, token in enumerate(tokens):
        if not passes(target_laws[i], draft_laws[i], token, rng):
            return i
    return len(tokens)


def corrected(target_laws, draft_laws, i, rng):
    """The token after i accepted ones: a correction, or the bonus token."""
    if i == len(draft_laws):
        return draw(target_laws[i], rng)
    return draw(residual(target_laws[i], draft_laws[i]), rng)


# --- the bonus token


@exhibit("bonus from the row before", BLOCK, STAY, CONTEXT, F(7, 100), TEACHING)
def bonus_from_row_before(target_laws, draft_laws, tokens, rng):
    """Draws the bonus token from the law before the last drafted token, not after it."""
    i = first_rejection(target_laws, draft_laws, tokens, rng)
    if i == len(tokens):
        return i, draw(target_laws[i - 1], rng)
    return i, corrected(target_laws, draft_laws, i, rng)


@exhibit("bonus by argmax", BLOCK, Toy("second", *SECOND), JOINT, F(6, 25), TEACHING)
def bonus_by_argmax(target_laws, draft_laws, tokens, rng):
    """Takes the likeliest bonus token while everything else is sampled."""
    i = first_rejection(target_laws, draft_laws, tokens, rng)
    if i == len(tokens):
        return i, int(np.argmax(target_laws[i]))
    return i, corrected(target_laws, draft_laws, i, rng)


@exhibit("bonus from the draft", BLOCK, Toy("second", *SECOND), JOINT, F(6, 25))
def bonus_from_draft(target_laws, draft_laws, tokens, rng):
    """Draws the bonus token from the draft's last law: nobody verifies it."""
    i = first_rejection(target_laws, draft_laws, tokens, rng)
    if i == len(tokens):
        return i, draw(draft_laws[-1], rng)
    return i, corrected(target_laws, draft_laws, i, rng)


@exhibit(
    "bonus as a residual of nothing, evenly",
    BLOCK,
    Toy("equal laws", BASE[0], BASE[0]),
    JOINT,
    F(1, 6),
    TEACHING,
)
def bonus_evenly(target_laws, draft_laws, tokens, rng):
    """Pads the draft with the target's last row and draws evenly where the residual is empty."""
    padded = np.concatenate([draft_laws, target_laws[-1:]])
    i = first_rejection(target_laws, draft_laws, tokens, rng)
    owed = np.maximum(target_laws[i] - padded[i], 0)
    owed = owed if owed.any() else owed + 1
    return i, draw(owed / owed.sum(), rng)


@exhibit(
    "bonus as a residual of nothing, by argmax",
    BLOCK,
    Toy("equal laws", BASE[0], BASE[0]),
    JOINT,
    F(1, 2),
    TEACHING,
)
def bonus_of_empty_residual(target_laws, draft_laws, tokens, rng):
    """Pads the draft with the target's last row and takes argmax p where the residual is empty."""
    padded = np.concatenate([draft_laws, target_laws[-1:]])
    i = first_rejection(target_laws, draft_laws, tokens, rng)
    owed = np.maximum(target_laws[i] - padded[i], 0)
    if not owed.any():
        return i, int(np.argmax(target_laws[i]))
    return i, draw(owed / owed.sum(), rng)


@exhibit("no bonus token", BLOCK, Toy("base", *BASE), KEPT)
def no_bonus(target_laws, draft_laws, tokens, rng):
    """Lets the last drafted token stand in for the bonus token: right, one token less a round."""
    i = first_rejection(target_laws, draft_laws, tokens, rng)
    if i == len(tokens):
        return i - 1, tokens[-1]
    return i, corrected(target_laws, draft_laws, i, rng)


# --- rows and positions


@exhibit("test against the row after", BLOCK, CONTEXTS, CONTEXT, F(7, 20))
def test_against_row_after(target_laws, draft_laws, tokens, rng):
    """Tests each token against the target's law after it: the rows are shifted by one."""
    for i, token in enumerate(tokens):
        if not passes(target_laws[i + 1], draft_laws[i], token, rng):
            return i, draw(residual(target_laws[i + 1], draft_laws[i]), rng)
    return len(tokens), draw(target_laws[-1], rng)


@exhibit("correction from the row after", BLOCK, CONTEXTS, CONTEXT, F(3, 10))
def correction_from_row_after(target_laws, draft_laws, tokens, rng):
    """Tests with the right row and corrects with the target's next one."""
    i = first_rejection(target_laws, draft_laws, tokens, rng)
    if i == len(tokens):
        return i, draw(target_laws[i], rng)
    return i, draw(residual(target_laws[i + 1], draft_laws[i]), rng)


@exhibit("correction from the first row", BLOCK, CONTEXTS, CONTEXT, F(13, 120))
def correction_from_first_row(target_laws, draft_laws, tokens, rng):
    """Computes one residual for the block and uses it at every position."""
    i = first_rejection(target_laws, draft_laws, tokens, rng)
    if i == len(tokens):
        return i, draw(target_laws[i], rng)
    return i, draw(residual(target_laws[0], draft_laws[0]), rng)


@exhibit("draft law of the first position", BLOCK, CONTEXTS, CONTEXT, F(21, 200))
def draft_law_of_first_position(target_laws, draft_laws, tokens, rng):
    """Uses the draft's first law at every position."""
    frozen = np.stack([draft_laws[0]] * len(tokens))
    i = first_rejection(target_laws, frozen, tokens, rng)
    return i, corrected(target_laws, frozen, i, rng)


@exhibit("first position not tested", BLOCK, Toy("base", *BASE), ONE_TOKEN, F(3, 10))
def first_position_not_tested(target_laws, draft_laws, tokens, rng):
    """Starts its loop at 1: the first drafted token is always kept."""
    for i in range(1, len(tokens)):
        if not passes(target_laws[i], draft_laws[i], tokens[i], rng):
            return i, draw(residual(target_laws[i], draft_laws[i]), rng)
    return len(tokens), draw(target_laws[-1], rng)


@exhibit("last position not tested", BLOCK, PAIR, JOINT, F(6, 25))
def last_position_not_tested(target_laws, draft_laws, tokens, rng):
    """Ends its loop one too early: the last drafted token is always kept if there are two."""
    for i in range(max(len(tokens) - 1, 1)):
        if not passes(target_laws[i], draft_laws[i], tokens[i], rng):
            return i, draw(residual(target_laws[i], draft_laws[i]), rng)
    return len(tokens), draw(target_laws[-1], rng)


@exhibit("first test decides", BLOCK, PAIR, JOINT, F(6, 25))
def first_test_decides(target_laws, draft_laws, tokens, rng):
    """Tests the first drafted token and keeps the whole block with it."""
    if passes(target_laws[0], draft_laws[0], tokens[0], rng):
        return len(tokens), draw(target_laws[-1], rng)
    return 0, draw(residual(target_laws[0], draft_laws[0]), rng)


@exhibit("from right to left", BLOCK, PAIR, LONGER, F(6, 25))
def from_right_to_left(target_laws, draft_laws, tokens, rng):
    """Looks for the last token that passes and keeps everything before it untested."""
    for i in reversed(range(len(tokens))):
        if passes(target_laws[i], draft_laws[i], tokens[i], rng):
            return i + 1, corrected(target_laws, draft_laws, i + 1, rng)
    return 0, corrected(target_laws, draft_laws, 0, rng)


@exhibit("all that pass are counted", BLOCK, PAIR, LONGER, F(6, 25))
def all_that_pass(target_laws, draft_laws, tokens, rng):
    """Counts every token that passes, also those after the first rejection."""
    i = sum(passes(p, q, x, rng) for p, q, x in zip(target_laws, draft_laws, tokens))
    return i, corrected(target_laws, draft_laws, i, rng)


@exhibit("stops at the second rejection", BLOCK, PAIR, LONGER, F(14, 25))
def stops_at_second_rejection(target_laws, draft_laws, tokens, rng):
    """Forgives the first rejection of a block."""
    rejected = 0
    for i, token in enumerate(tokens):
        rejected += not passes(target_laws[i], draft_laws[i], token, rng)
        if rejected == 2 or (rejected and len(tokens) == 1):
            return i, draw(residual(target_laws[i], draft_laws[i]), rng)
    return len(tokens), draw(target_laws[-1], rng)


@exhibit("one too many kept", BLOCK, Toy("base", *BASE), ONE_TOKEN, F(3, 10))
def one_too_many(target_laws, draft_laws, tokens, rng):
    """Counts the rejected token as accepted and goes on after it."""
    i = first_rejection(target_laws, draft_laws, tokens, rng)
    i = min(i + 1, len(tokens))
    return i, draw(target_laws[i], rng)


@exhibit("one too few kept", BLOCK, PAIR, ONE_TOKEN, F(3, 50))
def one_too_few(target_laws, draft_laws, tokens, rng):
    """Puts the correction in place of the last accepted token."""
    i = first_rejection(target_laws, draft_laws, tokens, rng)
    return max(i - 1, 0), corrected(target_laws, draft_laws, i, rng)


@exhibit(
    "count always full",
    BLOCK,
    Toy("base", *BASE),
    ONE_TOKEN,
    F(3, 10),
    "Hugging Face Transformers, fixed in pull request 28508",
)
def count_always_full(target_laws, draft_laws, tokens, rng):
    """Finds the first rejection, draws its correction, and reports that all were accepted."""
    i = first_rejection(target_laws, draft_laws, tokens, rng)
    return len(tokens), corrected(target_laws, draft_laws, i, rng)


@exhibit("rows overwritten by residuals", BLOCK, CONTEXTS, INPUTS)
def rows_overwritten(target_laws, draft_laws, tokens, rng):
    """Turns the target's rows into residuals in place: they were the caller's."""
    i = first_rejection(target_laws, draft_laws, tokens, rng)
    for row, q in zip(target_laws, draft_laws):
        row[:] = residual(row, q)
    return i, draw(target_laws[i], rng)


# --- whole blocks at once


@exhibit("all or nothing", BLOCK, PAIR, LONGER, F(31, 500))
def all_or_nothing(target_laws, draft_laws, tokens, rng):
    """Accepts the block with the ratio of the joint probabilities, else corrects token 1."""
    drafted = range(len(tokens))
    p = np.prod([target_laws[i][tokens[i]] for i in drafted])
    q = np.prod([draft_laws[i][tokens[i]] for i in drafted])
    if rng.random() * q < p:
        return len(tokens), draw(target_laws[-1], rng)
    return 0, draw(residual(target_laws[0], draft_laws[0]), rng)


@exhibit("running product of ratios", BLOCK, PAIR, JOINT, F(13, 250))
def running_product(target_laws, draft_laws, tokens, rng):
    """Tests each position with the product of all ratios so far."""
    ratio = 1
    for i, token in enumerate(tokens):
        ratio = ratio * target_laws[i][token] / draft_laws[i][token]
        if rng.random() >= ratio:
            return i, draw(residual(target_laws[i], draft_laws[i]), rng)
    return len(tokens), draw(target_laws[-1], rng)


def block_thresholds(target_laws, draft_laws, tokens):
    """(b, h) of block verification, Sun et al. 2024: ratios so far and acceptance thresholds."""
    b = [F(1)]
    for i, token in enumerate(tokens):
        b.append(min(b[-1] * target_laws[i][token] / draft_laws[i][token], 1))
    h = [1]
    for i in range(1, len(tokens)):
        owed = np.maximum(b[i] * target_laws[i] - draft_laws[i], 0).sum()
        h.append(owed / (owed + 1 - b[i]) if owed > 0 else 1 - (b[i] < 1))
    return b, h + [b[-1]]


@exhibit(
    "block verification, unscaled residual",
    BLOCK,
    Toy("an even target, two drafted", law(1, 1, 1), law(2, 3, 5), length=2),
    JOINT,
    F(1, 450),
    "vLLM-Ascend, fixed in pull request 7808: the paper's scaling is easy to miss",
)
def block_verification_unscaled(target_laws, draft_laws, tokens, rng):
    """Accepts by block verification and corrects with the one-token residual (p − q)₊."""
    _, h = block_thresholds(target_laws, draft_laws, tokens)
    i = max(i for i in range(len(h)) if i == 0 or rng.random() < h[i])
    return i, corrected(target_laws, draft_laws, i, rng)


@exhibit("block verification, stops early", BLOCK, TRIPLE, LONGER, F(13, 50))
def block_verification_stops_early(target_laws, draft_laws, tokens, rng):
    """Stops block verification at the first failure, where it must take the last success."""
    b, h = block_thresholds(target_laws, draft_laws, tokens)
    i = 0
    while i < len(tokens) and rng.random() < h[i + 1]:
        i += 1
    if i == len(tokens):
        return i, draw(target_laws[i], rng)
    owed = np.maximum(b[i] * target_laws[i] - draft_laws[i], 0)
    return i, draw(owed / owed.sum() if owed.any() else target_laws[i], rng)
