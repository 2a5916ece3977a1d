"""Wrong loops: each round is right, what the loop makes of it is not."""

from dataclasses import replace
from fractions import Fraction as F

from specnotes.broken.exhibit import (
    CONTEXT,
    DECODER,
    KEPT,
    LEDGER,
    LENGTH,
    ONE_TOKEN,
    STOP,
    exhibit,
)
from specnotes.broken.toys import BASE, SECOND, Toy, law, rows
from specnotes.decode import Trace, cut_round, is_finished, one_round, propose, sample
from specnotes.decode import speculate as right
from specnotes.verify import verify_block

STOPS = Toy("a stop token inside the block", law(1, 1), law(1, 1), length=3, n_tokens=3, stop=0)
STICKY = Toy("sticky contexts", rows((1, 1), (9, 1), (1, 9)), rows((1, 1), (9, 1), (1, 9)), 1, 3)
TURNING = Toy("contexts", rows((1, 1), (1, 4), (4, 1)), law(1, 1), length=1, n_tokens=3)
UNEVEN = Toy("uneven contexts", rows((4, 1), (9, 11), (1, 3)), law(1, 1))
CACHED = "production engines: a cache rewound by the wrong amount"


# --- where to end


@exhibit(
    "runs past a stop token",
    DECODER,
    STOPS,
    STOP,
    0,
    "several production engines, fixed since: the stop token was accepted inside a block",
)
def runs_past_stop(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    """Looks for the stop token only at the end of a block."""
    tokens = ()
    while len(tokens) < n_tokens and tokens[-1:] != (stop,):
        tokens += one_round(target, draft, prefix + tokens, draft_length, rng).emitted
    return tokens[:n_tokens]


@exhibit("drafted stop tokens do not stop", DECODER, STOPS, STOP)
def drafted_stop_goes_on(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    """Stops at a stop token that the target chose, not at one that it accepted."""
    tokens, corrected = (), None
    while len(tokens) < n_tokens and corrected != stop:
        block = one_round(target, draft, prefix + tokens, draft_length, rng).emitted
        tokens, corrected = (tokens + block)[:n_tokens], block[-1] if stop is not None else -1
    return tokens


@exhibit("runs past the end", DECODER, Toy("base", *BASE, n_tokens=1), LENGTH)
def runs_past_end(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    """Emits whole blocks, also the one that overruns n_tokens."""
    tokens = ()
    while not is_finished(tokens, n_tokens, stop):
        whole = one_round(target, draft, prefix + tokens, draft_length, rng)
        tokens += cut_round(whole, len(whole.emitted), stop).emitted
    return tokens


@exhibit("one token at least", DECODER, Toy("nothing wanted", *BASE, n_tokens=0), LENGTH)
def one_token_at_least(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    """Decodes a round before it asks how many tokens are wanted."""
    return right(target, draft, prefix, draft_length, max(n_tokens, 1), rng, stop=stop).tokens


@exhibit("prefix emitted again", DECODER, Toy("after a prefix", *BASE, prefix=(1,)), LENGTH)
def prefix_emitted(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    """Returns the prompt together with what was decoded."""
    return prefix + right(target, draft, prefix, draft_length, n_tokens, rng, stop=stop).tokens


@exhibit(
    "last tokens kept",
    DECODER,
    Toy("base", *BASE, n_tokens=1),
    ONE_TOKEN,
    F(3, 20),
)
def last_tokens_kept(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    """Cuts an overrunning sequence at its front."""
    tokens = ()
    while not is_finished(tokens, n_tokens, stop):
        whole = one_round(target, draft, prefix + tokens, draft_length, rng)
        tokens += cut_round(whole, len(whole.emitted), stop).emitted
    return tokens[-n_tokens:] if n_tokens else ()


@exhibit("overrunning block redone", DECODER, Toy("base", *BASE, n_tokens=1), ONE_TOKEN, F(3, 20))
def overrunning_block_redone(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    """Throws a block away if it overruns, and ends with plain decoding: only short blocks stay."""
    tokens = ()
    while not is_finished(tokens, n_tokens, stop):
        room = n_tokens - len(tokens)
        whole = one_round(target, draft, prefix + tokens, draft_length, rng)
        if len(whole.emitted) > room:
            return tokens + sample(target, prefix + tokens, room, rng, stop)
        tokens += cut_round(whole, room, stop).emitted
    return tokens


@exhibit(
    "empty first round drafted again",
    DECODER,
    Toy("second", *SECOND, n_tokens=1),
    ONE_TOKEN,
    F(3, 50),
)
def empty_round_again(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    """Drafts the first round again, once, if nothing of it was accepted."""
    tokens = ()
    while not is_finished(tokens, n_tokens, stop):
        whole = one_round(target, draft, prefix + tokens, draft_length, rng)
        if whole.accepted == 0 and not tokens:
            whole = one_round(target, draft, prefix + tokens, draft_length, rng)
        tokens += cut_round(whole, n_tokens - len(tokens), stop).emitted
    return tokens


# --- what each round starts from


@exhibit("correction left out of the context", DECODER, TURNING, CONTEXT, F(12, 25))
def correction_left_out(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    """Emits the last token of each round but does not feed it back to the models."""
    tokens, context = (), prefix
    while not is_finished(tokens, n_tokens, stop):
        whole = one_round(target, draft, context, draft_length, rng)
        tokens += cut_round(whole, n_tokens - len(tokens), stop).emitted
        context += whole.emitted[:-1]
    return tokens


@exhibit("stale target cache", DECODER, TURNING, CONTEXT, F(12, 25), CACHED)
def stale_target_cache(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    """Scores with a target that has not seen the last correction: the law changes."""
    tokens, seen = (), prefix
    while not is_finished(tokens, n_tokens, stop):
        drafted, laws = propose(draft, prefix + tokens, draft_length, rng)
        accepted, token = verify_block(target.score(seen, drafted), laws, drafted, rng)
        seen = prefix + tokens + drafted[:accepted]
        tokens = (tokens + drafted[:accepted] + (token,))[:n_tokens]
        if stop in tokens:
            return tokens[: tokens.index(stop) + 1]
    return tokens


@exhibit("stale draft cache", DECODER, STICKY, KEPT, 0, CACHED)
def stale_draft_cache(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    """Drafts from a context that lacks the last correction: right law, acceptance decays."""
    tokens, rounds, seen = (), (), prefix
    while not is_finished(tokens, n_tokens, stop):
        stale = _Stale(draft, seen)
        whole = one_round(target, stale, prefix + tokens, draft_length, rng)
        seen = prefix + tokens + whole.emitted[:-1]
        rounds += (cut_round(whole, n_tokens - len(tokens), stop),)
        tokens += rounds[-1].emitted
    return Trace(tokens, rounds, len(rounds), sum(len(r.drafted) for r in rounds))


class _Stale:
    """A scout that drafts from what it has seen, not from where the text is."""

    def __init__(self, draft, seen):
        self.draft, self.seen = draft, seen

    def propose(self, prefix, draft_length, rng):
        return propose(self.draft, self.seen, draft_length, rng)


@exhibit("extra token after a rejection", DECODER, UNEVEN, CONTEXT, F(3, 50))
def extra_token(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    """Adds a token from the row after a rejected one: that row stood on the rejected token."""
    tokens = ()
    while not is_finished(tokens, n_tokens, stop):
        whole = one_round(target, draft, prefix + tokens, draft_length, rng)
        rejected = whole.drafted[: whole.accepted + 1]
        if whole.accepted < len(whole.drafted):
            extra = sample(target, prefix + tokens + rejected, 1, rng)
            whole = replace(whole, emitted=whole.emitted + extra)
        tokens += cut_round(whole, n_tokens - len(tokens), stop).emitted
    return tokens


@exhibit("bonus token not emitted", DECODER, TURNING, CONTEXT, F(318, 625))
def bonus_not_emitted(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    """Feeds the bonus token to the models and forgets to emit it."""
    tokens, context = (), prefix
    while not is_finished(tokens, n_tokens, stop):
        whole = one_round(target, draft, context, draft_length, rng)
        context += whole.emitted
        if whole.accepted == len(whole.drafted):
            whole = replace(whole, emitted=whole.drafted)
        tokens += cut_round(whole, n_tokens - len(tokens), stop).emitted
    return tokens


# --- what the trace says


@exhibit(
    "acceptance overcounted",
    DECODER,
    Toy("base", *BASE),
    LEDGER,
    0,
    "a production engine's counters: more tokens accepted than emitted",
)
def acceptance_overcounted(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    """Reports every drafted token as accepted; the tokens are right."""
    trace = right(target, draft, prefix, draft_length, n_tokens, rng, stop=stop)
    rounds = tuple(replace(r, accepted=len(r.drafted)) for r in trace.rounds)
    return replace(trace, rounds=rounds)


@exhibit("target passes undercounted", DECODER, Toy("base", *BASE), LEDGER)
def passes_undercounted(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    """Bills only the rounds in which something was accepted."""
    trace = right(target, draft, prefix, draft_length, n_tokens, rng, stop=stop)
    return replace(trace, target_passes=sum(r.accepted > 0 for r in trace.rounds))


@exhibit("draft passes undercounted", DECODER, Toy("base", *BASE), LEDGER)
def drafts_undercounted(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    """Bills only the drafted tokens that were emitted."""
    trace = right(target, draft, prefix, draft_length, n_tokens, rng, stop=stop)
    return replace(trace, draft_passes=sum(r.accepted for r in trace.rounds))
