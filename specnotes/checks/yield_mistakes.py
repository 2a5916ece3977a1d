"""Known mistakes about yields: what each one would answer, and the sentence that names it.

A mistake that does not apply to a case answers None.
"""

from specnotes.yields import best_draft_length, speedup


def powers(rate, first, end):
    return sum(rate**k for k in range(first, end))


def tokens(rate, length):
    return powers(rate, 0, length + 1)


TOKENS = {
    "That sum stops at α^(γ−1): a round in which all γ drafts are kept also gives a bonus token.": (
        lambda a, n: powers(a, 0, n)
    ),
    "These are the accepted drafts: the target adds one token of its own to every round.": (
        lambda a, n: powers(a, 1, n + 1)
    ),
    "That is one power too many: with γ drafts the last is α^γ.": (
        lambda a, n: powers(a, 0, n + 2)
    ),
    "That is 1 + γα: drafts behind the first rejection are not read.": lambda a, n: 1 + n * a,
    "That is γα: drafts behind the first rejection are not read.": lambda a, n: n * a,
    "That is α/(1−α), accepted drafts without limit: γ is the limit, and the target adds one.": (
        lambda a, n: a / (1 - a) if a < 1 else None
    ),
    "That is 1/(1−α), the mean without a limit: a round has only γ drafts.": (
        lambda a, n: 1 / (1 - a) if a < 1 else None
    ),
    "Your probabilities do not sum to 1: P(N = γ+1) is α^γ, with no factor (1−α).": (
        lambda a, n: sum(k * a ** (k - 1) * (1 - a) for k in range(1, n + 2))
    ),
    "Your sum leaves out the rounds in which all γ drafts are kept.": (
        lambda a, n: sum(k * a ** (k - 1) * (1 - a) for k in range(1, n + 1))
    ),
}

LEDGER = {
    "That bill has the draft steps only: add 1 for the target pass.": (
        lambda a, n, c: tokens(a, n) / (n * c) if c else None
    ),
    "That bill has one draft step: a round takes γ.": lambda a, n, c: tokens(a, n) / (1 + c),
    "That bill has γ+1 draft steps: the round's last token comes from the target's pass.": (
        lambda a, n, c: tokens(a, n) / ((n + 1) * c + 1)
    ),
    "That bill has a target pass per position: one pass scores them all.": (
        lambda a, n, c: tokens(a, n) / (n + 1)
    ),
    "These are tokens per round: divide by the round's time.": lambda a, n, c: tokens(a, n),
    "That is time per token: the speed-up is its inverse.": (
        lambda a, n, c: (n * c + 1) / tokens(a, n)
    ),
    "Its tokens stop at α^(γ−1): the bonus token is missing.": (
        lambda a, n, c: tokens(a, n - 1) / (n * c + 1)
    ),
    "It counts accepted drafts only: the target adds one token to every round.": (
        lambda a, n, c: (tokens(a, n) - 1) / (n * c + 1)
    ),
    "Its tokens are 1 + γα: they should be 1 + α + … + α^γ.": (
        lambda a, n, c: (1 + n * a) / (n * c + 1)
    ),
}

CHOICE = {
    "No γ beats plain decoding here: 0, with speed-up 1, must be among the candidates.": (
        lambda a, c: 1 if best_draft_length(a, c) == 0 else None
    ),
    "One less than the best: an index that starts at 0, where γ starts at 1?": (
        lambda a, c: best_draft_length(a, c) - 1
    ),
    "That is the speed-up itself: the question is which γ gives it.": (
        lambda a, c: speedup(a, best_draft_length(a, c) or 1, c)
    ),
    "That is the longest γ that still gains, not the one that gains most.": (
        lambda a, c: max((n for n in range(1, 65) if speedup(a, n, c) > 1), default=None)
    ),
    "That is the longest γ allowed: tokens per round always grow, but so does the bill.": (
        lambda a, c: 64
    ),
}

LAB_COST = {
    "You left the 20 target passes out of the bill.": lambda: 96 / 3.31 / 100,
    "That is the cost of a whole round's drafts: c is the cost of one.": (
        lambda: 96 / 20 / 3.31 - 1
    ),
    "There are 100 draft steps to pay for, not one per token.": lambda: (96 / 3.31 - 20) / 96,
}

LAB_RATE = {  # solved numerically at c = .09
    "That is accepted/drafted, 76/100: it counts drafts that nobody read.": lambda: 0.76,
    "That is the one-token overlap: the estimate must come from another number.": lambda: 0.9247,
    "There 3.46 would be the tokens per round: divide those by 5c + 1 first.": lambda: 0.7723,
    "That is right for γ = 4: 100 drafts in 20 rounds are 5 a round.": lambda: 0.9697,
    "That fits 3.31×, what the trace measured: the question is the estimate's α.": lambda: 0.9098,
}

PRINTED = {
    "A": "14.1/7.00 is 2.014, which prints as 2.01: line A is right",
    "C": "14.1/5.73 is 2.461, which prints as 2.46: line C is right",
    "D": "1.8/14.1 is .1277, which prints as .13: line D is right",
}

LONGEST_MEAN = {
    "That is α/(1−α), accepted drafts: the target adds one token of its own.": lambda: 0.65 / 0.35,
    "That is one draft a round: the question allows any number.": lambda: 1.65,
}

MEAN_LENGTH = {
    "3.25 includes the target's own token, which nobody drafted: take it off.": lambda: 5,
    "That is accepted drafts per round: .65 is their share of the drafted ones.": lambda: 2.25,
    "Accepted is .65 of drafted: divide by .65.": lambda: 2.25 * 0.65,
}

MEAN_KEPT = {
    "That counts the target's own token, too: K is the kept drafts only.": lambda a, c: 1 / (1 - a),
    "That is one draft: K has no limit.": lambda a, c: a,
    "P(K = k) is α^k (1−α): leave out the factor (1−α), and it does not sum to 1.": (
        lambda a, c: a / (1 - a) ** 2
    ),
}

ORACLE = {
    "That is the mean of the ratios: asked is the ratio of the means.": (
        lambda a, c: sum(
            (1 + k) / (1 + float(c) * k) * float(a) ** k * (1 - float(a)) for k in range(300)
        )
    ),
    "The drafts are not free: K of them cost K·c.": lambda a, c: 1 / (1 - a),
    "The bill lacks the target pass: add 1.": lambda a, c: 1 / (c * a),
    "That drafts the token that will be rejected, too: the oracle stops before it.": (
        lambda a, c: 1 / (1 - a + c)
    ),
    "That is time per token: the speed-up is its inverse.": lambda a, c: 1 - a + c * a,
    "Its tokens are E[K]: they should be 1 + E[K], the target adds one.": (
        lambda a, c: a / (1 - a + c * a)
    ),
}
