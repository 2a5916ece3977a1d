"""Seconds: what a pass and a proposal cost on this machine, and what a race between decoders says.

In units of a one-row target pass, a proposed token costs c and a pass over γ + 1 rows costs v:
rounds that emit N tokens each are N / (γ c + v) times as fast as plain decoding.  What a race
measures below that is bookkeeping: draws, checks, loops.  Nothing here asserts a speed-up; it
depends on the machine.
"""

import time
from dataclasses import dataclass
from functools import cache, partial
from itertools import cycle, repeat
from statistics import median

import numpy as np

from specnotes.decode import propose, sample, speculate
from specnotes.laws import check_tokens, check_whole
from specnotes.verify import verify_block_unchecked
from specnotes.yields import check_number

TICKS = 20  # of the clock: proposals are timed over at least so many, one after another


def pass_seconds(model, text, rows, repeats=15):
    """Median seconds of one pass that adds the last ``rows`` tokens of ``text`` to the cache."""
    text = check_tokens(text, len(model.vocabulary), "text")
    if not 1 <= check_whole(rows, "rows", 1) < len(text):
        raise ValueError(f"rows is {rows}, and text has {len(text)} tokens: give a longer text")
    first = len(text) - rows + 1

    def one_pass():
        model.rollback(first - 1)
        return _timed(model.score, text[:first], text[first:])[0]

    one_pass()  # not counted: it reads the text
    return median(one_pass() for _ in range(check_whole(repeats, "repeats", 1)))


def proposal_seconds(draft, text, draft_length, rng, repeats=15):
    """Median seconds per drafted token of proposals after ``text``; draws are part of it.

    Of a scout that has nothing to say, the seconds of a call.
    """
    text = check_tokens(text, len(draft.vocabulary), "text")

    def per_token():
        return _per_token(draft, repeat(text), draft_length, rng)

    per_token()  # not counted: it reads the text
    return median(per_token() for _ in range(check_whole(repeats, "repeats", 1)))


def _per_token(draft, texts, draft_length, rng):
    """Seconds per drafted token of proposals after one text after another, until the clock sees."""
    least, count, spent, start = TICKS * tick(), 0, 0.0, time.perf_counter()
    while spent < least:
        tokens, _ = propose(draft, next(texts), draft_length, rng)
        count += max(1, len(tokens))
        spent = time.perf_counter() - start
    return spent / count


@cache
def tick():
    """The clock's smallest step in seconds.  In a browser proposals may be shorter than that."""
    steps, before = [], time.perf_counter()
    while len(steps) < 5:
        now = time.perf_counter()
        if now > before:
            steps.append(now - before)
        before = now
    return min(steps)


@dataclass(frozen=True)
class Race:
    """What plain and speculative decoding of the same prompts took, in turn and in one run.

    seconds per token of both (medians over repeats); ``speedup``, the median of the ratios;
    emitted and drafted tokens per target pass; acceptance rate of the drafted tokens that were
    looked at (those behind a refused one were not); c and v as they were between the decoders'
    turns: a machine with other work has other ones a second later.
    """

    plain: float
    speculative: float
    speedup: float
    tokens_per_pass: float
    drafted_per_pass: float
    acceptance_rate: float
    cost_ratio: float = 0.0
    verify_ratio: float = 1.0

    def predicted(self, cost_ratio=None, verify_ratio=None):
        """The speed-up that the accounting gives these passes: N / (drafted · c + v).

        With the race's own c and v, or with those given.
        """
        c, v = self.cost_ratio, self.verify_ratio
        c = c if cost_ratio is None else check_number(cost_ratio, "cost_ratio")
        v = v if verify_ratio is None else check_number(verify_ratio, "verify_ratio")
        if not self.drafted_per_pass * c + v > 0:
            raise ValueError(f"verify_ratio is {verify_ratio}: a round would cost nothing")
        return self.tokens_per_pass / (self.drafted_per_pass * c + v)


def race(target, draft, prompts, draft_length, n_tokens, seed=0, repeats=5):
    """Decode ``n_tokens`` after each prompt, plainly and speculatively in turn.  -> ``Race``

    Prompts are read before the clock starts, and both decoders see the same target and its cache.
    Both models must answer for their laws: the verifier does not check them again in every round.
    """
    check_whole(n_tokens, "n_tokens", 1)
    if not len(prompts):
        raise ValueError("prompts is empty")
    check_whole(seed, "seed", 0)
    plain, fast = np.zeros((2, check_whole(repeats, "repeats", 1)))
    decode = partial(speculate, verify=verify_block_unchecked)
    rounds, prices = [], []
    # The outer loop goes over prompts: a cache reads each once.
    for place, prompt in enumerate(map(tuple, prompts)):
        for turn in range(repeats):
            rng = np.random.default_rng([seed, turn, place])
            target.next_law(prompt)
            spent, text = _timed(sample, target, prompt, n_tokens, rng)
            plain[turn] += spent
            target.next_law(prompt), propose(draft, prompt, 1, rng)
            spent, trace = _timed(decode, target, draft, prompt, draft_length, n_tokens, rng)
            fast[turn] += spent
            rounds.extend(trace.rounds)
            prices += _prices(target, draft, prompt, text, trace, draft_length, rng)
    return _race(plain, fast, rounds, np.transpose(prices), len(prompts) * n_tokens)


def _prices(target, draft, prompt, text, trace, draft_length, rng):
    """Seconds of a one-row pass, of a drafted token and of a pass that verifies as many tokens as
    some round had, one after another as in a round, and that number.  -> two rows for each number

    The draft goes along the plain decoder's text in steps of a round: what it remembers of a text
    that it has seen would come cheaper than what it says in a race.
    """
    step = max(1, round(len(trace.tokens) / trace.target_passes))
    places = cycle([prompt + text[:end] for end in range(0, len(text), step)])
    propose(draft, next(places), 1, rng)  # not timed: it reads the text
    found = []
    for count in 2 * sorted({len(one.drafted) for one in trace.rounds}):
        verifying, _ = _timed(target.score, prompt, trace.tokens[:count])
        drafting = _per_token(draft, places, draft_length, rng)
        target.next_law(prompt)  # not timed: plain decoding comes from a pass like its next
        one, _ = _timed(target.next_law, prompt)
        found.append((one, drafting, verifying, count))
    return found


def _race(plain, fast, rounds, prices, count):
    ones, drafting, verifying, lengths = prices
    one, drafting = float(np.median(ones)), float(np.median(drafting))
    # A scout that proposes few tokens or many has no pass of middling length: one price for each.
    passes = {length: np.median(verifying[lengths == length]) for length in set(lengths)}
    verifying = float(np.mean([passes[len(r.drafted)] for r in rounds]))
    drafted = sum(len(r.drafted) for r in rounds)
    looked_at = sum(min(r.accepted + 1, len(r.drafted)) for r in rounds)
    return Race(
        plain=float(np.median(plain)) / count,
        speculative=float(np.median(fast)) / count,
        speedup=float(np.median(plain / fast)),
        tokens_per_pass=sum(len(r.emitted) for r in rounds) / len(rounds),
        drafted_per_pass=drafted / len(rounds),
        acceptance_rate=sum(r.accepted for r in rounds) / max(1, looked_at),
        cost_ratio=drafting / one,
        verify_ratio=verifying / one,
    )


def _timed(function, *arguments):
    start = time.perf_counter()
    result = function(*arguments)
    return time.perf_counter() - start, result
