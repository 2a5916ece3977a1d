"""The course audits itself: each check recomputes a claim from the running code.

``self_audit`` is what the lab's audit tile and ``python -m specnotes audit`` show.  Exact checks
compare ``Fraction``s with ``==`` over the nasty cases.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from specnotes import decode, laws, verify, yields
from specnotes.audit.cases import BASE, PAIRS, SECOND, law
from specnotes.audit.grid import audit_grid
from specnotes.coins import law_of
from specnotes.exact import decoder_law, distance, round_law, sequence_law
from specnotes.lockstep import simulate
from specnotes.models import MarkovModel, toy_pair, transformed
from specnotes.transforms import greedy

CHECKS = []
PREFIX = (0,)


@dataclass(frozen=True)
class Row:
    """One line of the audit."""

    name: str
    figure: str
    ok: bool


def self_audit():
    """Run every check.  -> list of ``Row``; a check that crashes has failed."""
    return list(self_audit_rows())


def self_audit_rows():
    """The same, one row at a time as they are done."""
    for name, run in CHECKS:
        try:
            ok, figure = run()
        except Exception as error:
            ok, figure = False, f"{type(error).__name__}: {error}"
        yield Row(name, figure, bool(ok))


def check(name):
    def register(run):
        CHECKS.append((name, run))
        return run

    return register


def small_pair():
    """An exact pair of three-token Markov models with a zero on either side."""
    target = MarkovModel([law(5, 3, 2), law(0, 1, 2), law(1, 1, 1)], law(1, 2, 1))
    draft = MarkovModel([law(2, 3, 5), law(1, 1, 1), law(3, 0, 1)], law(1, 1, 2))
    return target, draft


def over_pairs(holds, what="pairs, exactly"):
    """(ok, figure) of a claim about (target, draft) over all nasty pairs."""
    failed = [name for name, pair in PAIRS.items() if not holds(*pair)]
    return not failed, f"fails for {failed[0]}" if failed else f"{len(PAIRS)} {what}"


def refused(*calls):
    """(ok, figure): each call must raise a ``ValueError``."""
    let_through = 0
    for call in calls:
        try:
            call()
        except ValueError:
            continue
        let_through += 1
    return not let_through, f"{len(calls) - let_through} of {len(calls)} refused"


@check("bad laws are refused")
def _():
    bad = [[-0.5, 1.5], [0.5, np.nan], [np.inf, 0], [0.5, 0.4], [], [[0.5, 0.5], [1, 1]], ["a", 1]]
    return refused(*(lambda x=x: laws.residual(x, [0.5, 0.5]) for x in bad))


@check("bad rates, lengths and costs are refused")
def _():
    bad = [(-0.1, 3, 0.1), (1.1, 3, 0.1), (np.nan, 3, 0.1), (0.5, 0, 0.1), (0.5, 2.5, 0.1)]
    return refused(*(lambda x=x: yields.speedup(*x) for x in [*bad, (0.5, 3, -1)]))


@check("bad lab settings are refused")
def _():
    bad = [(-0.1, 0.5, 0), (0.5, 1.2, 0), (np.nan, 0.5, 0), (0.5, 0.5, -1), (0.5, 0.5, 0.5)]
    return refused(*(lambda x=x: toy_pair(*x) for x in bad))


@check("toy models: every row sums to one")
def _():
    pairs = [toy_pair(c, m, 3, exact=True) for c, m in product((0, 0.6, 1), (0, 0.85, 1))]
    rows = [row for pair in pairs for model in pair for row in (*model.matrix, model.initial)]
    return all(sum(row) == 1 for row in rows), f"{len(rows)} rows, exactly"


@check("toy models: floats are the exact laws, rounded")
def _():
    exact, rounded = toy_pair(0.6, 0.85, 7, exact=True), toy_pair(0.6, 0.85, 7)
    same = [(a.matrix.astype(float) == b.matrix).all() for a, b in zip(exact, rounded)]
    return all(same), "128 entries equal"


@check("toy models: match 1 is the target itself")
def _():
    target, draft = toy_pair(0.6, 1, 7, exact=True)
    return (target.matrix == draft.matrix).all(), "64 entries, exactly"


@check("residual is a law")
def _():
    return over_pairs(lambda p, q: sum(laws.residual(p, q)) == 1 and min(laws.residual(p, q)) >= 0)


@check("residual mass is what the draft left over")
def _():
    def holds(p, q):
        owed = np.maximum(p - q, 0)
        return (laws.residual(p, q) * (1 - laws.overlap(p, q)) == owed).all()

    return over_pairs(holds)


@check("residual of equal laws is the target")
def _():
    return over_pairs(lambda p, _: (laws.residual(p, p) == p).all(), "laws, exactly")


@check("α = 1 − TV")
def _():
    return over_pairs(lambda p, q: laws.overlap(p, q) == 1 - laws.total_variation(p, q))


@check("token kernel: every row is a law")
def _():
    return over_pairs(lambda p, q: (verify.token_kernel(p, q).sum(axis=-1) == 1).all())


@check("one token, by formula: the target's law")
def _():
    return over_pairs(lambda p, q: (verify.emitted_law(p, q) == p).all())


def token_law(target, draft):
    """Law of (token, accepted) when the real verifier runs on every coin."""
    return law_of(lambda rng: verify.verify_token(target, draft, laws.draw(draft, rng), rng))


@check("one token, by enumeration: the target's law")
def _():
    def holds(p, q):
        found = token_law(p, q)
        return all(
            found.get((x, True), 0) + found.get((x, False), 0) == p[x] for x in range(len(p))
        )

    return over_pairs(holds)


@check("one token: kept with chance min(p, q), the most possible")
def _():
    def holds(p, q):
        found = token_law(p, q)
        return all(found.get((x, True), 0) == min(p[x], q[x]) for x in range(len(p)))

    return over_pairs(holds)


@check("control: the wrong fallback is seen")
def _():
    off = [laws.total_variation(p, verify.emitted_law(p, q, fallback=p)) for p, q in (BASE, SECOND)]
    return off == [Fraction(3, 20), Fraction(3, 50)], f"off by {off[0]} and {off[1]}, as derived"


@check("exact joint law of blocks")
def _():
    target, draft = small_pair()
    right = sequence_law(target, PREFIX, 4)
    found = [decoder_law(target, draft, PREFIX, length, 4) for length in (1, 2, 3)]
    off = max(distance(right, law) for law in found)
    return off == 0, f"distance {off} over {sum(law.paths for law in found):,} paths"


@check("bonus token follows the last accepted one")
def _():
    target, draft = small_pair()
    rounds = round_law(target, draft, PREFIX, 2)
    full = {r.emitted: mass for r, mass in rounds.items() if r.accepted == 2}
    kept = {t[:2]: sum(m for u, m in full.items() if u[:2] == t[:2]) for t in full}
    right = all(full[t] == kept[t[:2]] * target.matrix[t[1]][t[2]] for t in full)
    return right and full, f"{len(full)} full blocks, exactly"


@check("stop token ends the sequence inside a block")
def _():
    target, draft = small_pair()
    found = decoder_law(target, draft, PREFIX, 3, 4, stop=2)
    off = distance(found, sequence_law(target, PREFIX, 4, stop=2))
    return off == 0 and not any(2 in t[:-1] for t in found), f"distance {off}"


@check("a cut inside a block keeps the law")
def _():
    target, draft = small_pair()
    off = [
        distance(decoder_law(target, draft, PREFIX, 3, n), sequence_law(target, PREFIX, n))
        for n in (1, 2, 3)
    ]
    return max(off) == 0, f"distance {max(off)} for 1, 2 and 3 tokens"


@check("greedy models: greedy decoding")
def _():
    target, draft = (transformed(model, greedy) for model in small_pair())
    found = decoder_law(target, draft, PREFIX, 2, 4)
    one = len(found) == 1 and set(found.values()) == {1}
    return one and found == sequence_law(target, PREFIX, 4), "one sequence, probability 1"


@check("tokens per round: enumeration gives the geometric law")
def _():
    p, q = BASE
    target, draft = MarkovModel([p] * 3, p), MarkovModel([q] * 3, q)
    found = [Fraction(0)] * 4
    for whole, mass in round_law(target, draft, (), 3).items():
        found[len(whole.emitted) - 1] += mass
    same = (yields.tokens_law(laws.overlap(p, q), 3) == found).all()
    return same, f"({', '.join(map(str, found))})"


@check("tokens per round: the formula is the mean of that law")
def _():
    rate, sizes = Fraction(7, 10), range(1, 9)
    means = [yields.tokens_law(rate, n) @ np.arange(1, n + 2) for n in sizes]
    return means == [yields.tokens_per_round(rate, n) for n in sizes], "γ = 1 … 8, exactly"


@check("best draft length: no other is faster")
def _():
    cases = list(product((0.3, 0.6, 0.9, 0.95), (0.02, 0.1, 0.4)))
    for rate, cost in cases:
        best = yields.best_draft_length(rate, cost)
        gains = {n: yields.speedup(rate, n, cost) for n in range(1, 65)} | {0: 1}
        if gains[best] < max(gains.values()):
            return False, f"α = {rate}, c = {cost}: {best} is not the best"
    return True, f"{len(cases)} cases of 64 lengths"


@check("same seed, same trace")
def _():
    pair = toy_pair(0.6, 0.85, 7)
    runs = [decode.speculate(*pair, (), 5, 96, np.random.default_rng(s)) for s in (7, 7, 8)]
    return runs[0] == runs[1] != runs[2], "96 tokens, seeds 7, 7 and 8"


@check("ledger: rounds, passes and tokens balance")
def _():
    trace = decode.speculate(*toy_pair(0.6, 0.85, 7), (), 5, 96, np.random.default_rng(7))
    emitted = sum(len(r.emitted) for r in trace.rounds)
    full = all(len(r.emitted) == r.accepted + 1 for r in trace.rounds[:-1])
    balanced = full and emitted == 96 and trace.draft_passes == 5 * trace.target_passes
    return balanced, f"96 tokens, {trace.target_passes} + {trace.draft_passes} passes"


@check("inputs are left alone")
def _():
    pairs = [(p.copy(), q.copy()) for p, q in PAIRS.values()]
    for p, q in pairs:
        token_law(p, q), verify.emitted_law(p, q)
    same = all((a == b).all() for now, was in zip(pairs, PAIRS.values()) for a, b in zip(now, was))
    return same, f"{len(pairs)} pairs unchanged"


@check("simulation agrees with the Markov yield")
def _():
    target, draft = toy_pair(0.6, 0.85, 7)
    right = yields.markov_tokens_per_round(target.matrix, draft.matrix, 5)
    runs = simulate(target, draft, 5, 300, 2000, np.random.default_rng(1))
    tail = simulate(target, draft, 5, 100, 2000, np.random.default_rng(1))
    found = 200 / (runs.target_passes.mean() - tail.target_passes.mean())  # past the start
    return abs(found - right) < 0.05, f"{found:.3f} against {right:.3f} tokens per round"


@check("grid of lab settings: laws, speed-ups, lengths")
def _():
    grid = audit_grid()
    ok = grid.worst_distance < 1e-12 and not grid.unbounded and not grid.wrong_lengths
    return ok and grid.settings == 1296, (
        f"{grid.settings:,} settings: worst distance {grid.worst_distance:.1e}, "
        f"{grid.unbounded} speed-ups not finite, {grid.wrong_lengths} wrong traces"
    )
