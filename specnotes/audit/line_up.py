"""The line-up: decoders without labels, and the tests that a reader may choose.

All tests are exact but one, which samples: it draws from the decoder's exact law, as the decoder
itself would, so that a slider can ask for another number of draws at once.
"""

from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from string import ascii_uppercase

import numpy as np

from specnotes.audit.battery import LAW, TESTS, Sees, boundary_coins
from specnotes.audit.cases import CONTEXT_TOYS, DECODER_EDGES, EDGE_TOYS, PAIRS, ROUNDED
from specnotes.audit.judge import laws
from specnotes.audit.kinds import block_task, decoder_task
from specnotes.audit.matrix import as_verifier
from specnotes.audit.report import ACCEPTANCE, BOUNDARY, COUNT, CRASH, NAN, STOP
from specnotes.audit.run import run
from specnotes.broken import MUSEUM
from specnotes.broken.exhibit import BLOCK, DECODER, KEPT, NOTHING, REPLAY, Exhibit
from specnotes.broken.toys import Toy, law

NAMES = (
    "one coin for the whole block",
    "in logarithms",
    "correction from the first row",
    "wrong fallback",
    "state kept between calls",
    "block verification",
    "bonus by argmax",
    "runs past a stop token",
    "coin used again for the residual",
    "accept if equal",
    "0/0",
    "all that pass are counted",
    "one coin, rescaled",
    "or equal",
    "stale draft cache",
    "bonus from the row before",
    "softmax of the residual",
    "vectorised",
    "running product of ratios",
    "rows overwritten by residuals",
    "draft ignored",
    "block verification, unscaled residual",
    "one token at a time",
    "inverted ratio",
    "last position not tested",
    "bonus from the last test's coin",
)
SAMPLED = "χ² on N draws"
LEVEL = 0.001  # of the sampled test
TOY = replace(CONTEXT_TOYS[2], n_tokens=3)  # two drafted tokens, every row different

# Small enough to run on every decoder while a reader waits.
_JOINT = [
    replace(toy, n_tokens=toy.length + 1)
    for toy in CONTEXT_TOYS
    if toy.length < 3 and toy.target.ndim == 2
]
_PAIRS = "equal", "disjoint", "target misses a token", "ties", "three residual tokens"
_NASTY = [Toy(name, *PAIRS[name], n_tokens=1) for name in _PAIRS]
_NASTY += [replace(toy, n_tokens=1) for toy in ROUNDED]
_LONG = replace(CONTEXT_TOYS[0], n_tokens=4)

CHOICE = {
    "greedy equality": TESTS["greedy equality"],
    "first token": TESTS["first token, γ = 1"],
    "γ = 1": Sees([replace(t, n_tokens=3) for t in CONTEXT_TOYS if t.length == 1], LAW),
    "i.i.d. toy": Sees([Toy("", law(2, 1), law(1, 2), length=2, n_tokens=3)], LAW),
    "joint law": Sees(_JOINT, LAW, for_loops=[toy for toy in _JOINT if toy.size == 2]),
    "nasty laws": Sees(_NASTY, LAW | {NAN, CRASH, BOUNDARY}),
    "stop token": Sees([Toy("", law(2, 1), law(1, 2), length=2, n_tokens=3, stop=1)], {STOP}),
    "inputs unchanged": TESTS["inputs unchanged"],
    "same coins again": TESTS["same coins again"],
    "boundary coins": partial(boundary_coins, toys=EDGE_TOYS[1:], loops=DECODER_EDGES[1:]),
    "acceptance count": Sees([_LONG, replace(_LONG, draft=_LONG.target)], {ACCEPTANCE, COUNT}),
}
WEAK = (  # a battery that many would call thorough
    "greedy equality",
    "first token",
    "γ = 1",
    "i.i.d. toy",
    "inputs unchanged",
    "same coins again",
)


def line_up():
    """letter -> exhibit, in an order that tells nothing."""
    museum = {exhibit.name: exhibit for exhibit in MUSEUM}
    return {letter: museum[name] for letter, name in zip(ascii_uppercase, NAMES)}


def verifiers():
    """letter -> (exhibit, verify) of those that verify tokens or blocks."""
    return {
        letter: (exhibit, as_verifier(exhibit))
        for letter, exhibit in line_up().items()
        if exhibit.kind != DECODER
    }


def is_lawful(exhibit):
    """Does it have the target's law?  It may still waste drafted tokens."""
    return exhibit.needs in (NOTHING, KEPT)


def suspect(verify):
    """A stranger's block verifier as an exhibit, for tests that take one."""
    return Exhibit("suspect", BLOCK, verify, "", TOY, "", 0, "")


@cache
def catches(test, exhibit):
    """True, False, or None where the question makes no sense."""
    if test == "stop token" and exhibit.kind != DECODER:
        return None  # a verifier never sees where the text ends
    return bool(CHOICE[test](exhibit))


def sampled(exhibit, share, draws, seed=0):
    """Does a χ² test on this many texts of three tokens raise the alarm?  None: no law to sample.

    The draft is q = (1 − share)·p + share·bad.
    """
    from scipy.stats import chisquare

    if exhibit.needs == REPLAY:
        return None
    expected, actual = three_tokens(exhibit, Fraction(share))
    counts = np.random.default_rng([seed, NAMES.index(exhibit.name)]).multinomial(draws, actual)
    return bool(chisquare(counts, draws * expected).pvalue < LEVEL)


@cache
def three_tokens(exhibit, share):
    """Exact laws of three tokens, as floats in one order: (target's, decoder's)."""
    toy = replace(TOY, draft=(1 - share) * TOY.target + share * TOY.draft)
    decodes = exhibit.kind == DECODER
    task = decoder_task(exhibit.function) if decodes else block_task(as_verifier(exhibit))
    task = replace(task, n_tokens=lambda toy: toy.n_tokens)
    expected, actual = laws(run(task.build, toy), toy, task)
    texts = sorted(expected)
    return tuple(np.array([float(law.get(x, 0)) for x in texts]) for law in (expected, actual))
