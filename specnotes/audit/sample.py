"""The statistical audit, for code whose coins cannot be enumerated.

On each toy the tokens are a sample from a law that is known exactly.  Every event (set of
outcomes) and every token after every prefix gets an exact binomial test.  Two laws at distance d
give some event probabilities that differ by d, so the sample size follows from the distance that
must not be missed.  Looks before the end spend their own share of the false alarms.
"""

from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from specnotes.audit.edges import edge_findings, on_edges
from specnotes.audit.judge import shortened
from specnotes.audit.report import ACCEPTANCE, CRASH, JOINT, ONE_TOKEN, Finding, Report
from specnotes.audit.run import SECONDS
from specnotes.broken.toys import show
from specnotes.coins.sources import deadline
from specnotes.exact import sequence_law

EDGES = 300  # runs with boundary coins, on one toy
LOOKS = ((1 / 16, 0.1), (1 / 4, 0.2), (1, 0.7))  # (share of the samples, of the false alarms)


@dataclass(frozen=True)
class Plan:
    """How many samples per toy, and how unlikely a count must be to be called wrong."""

    samples: int
    level: float  # for one test, over all looks
    tests: int


def audit_by_sampling(task, toys, rng, false_alarm=1e-6, detect=0.01, power=0.99):
    """Judge float code on samples.  -> Report

    ``false_alarm`` bounds the chance that right code is called wrong; an error of ``detect``
    (total variation on one toy) is seen with probability ``power`` at least.
    """
    check_settings(rng, false_alarm, detect, power)
    watches = [Watch(task, toy.as_float(), rng) for toy in toys]
    plan = make_plan(sum(watch.tests for watch in watches), false_alarm, detect, power)
    edges, findings = on_random_edges(watches, rng), {}
    for share, spent in LOOKS[:1] if edges else LOOKS:
        for watch in watches:
            watch.run_to(round(plan.samples * share))
            for finding in watch.findings(plan.level * spent):
                findings.setdefault(finding.kind, finding)
        if findings:
            break
    if findings.keys() <= {ACCEPTANCE}:
        findings.update((finding.kind, finding) for finding in edges)
    if len(findings) > 1:
        findings.pop(ACCEPTANCE, None)
    covered = coverage(watches, plan, detect, power)
    return Report(task.name, tuple(findings.values()), covered, method="sample")


def make_plan(tests, false_alarm, detect, power):
    """The number of samples that shows an error of ``detect`` in one of ``tests`` at the last look.

    The hardest case is an event of probability one half.
    """
    from scipy.stats import norm

    level = false_alarm / tests
    last = level * LOOKS[-1][1]
    spread = (norm.isf(last / 2) + norm.isf(1 - power)) / 2
    return Plan(int(np.ceil((spread / detect) ** 2)), level, tests)


def on_random_edges(watches, rng):
    """Findings with boundary coins dealt at random: one is enough, whatever the statistics say."""
    task, as_tokens = watches[0].task, watches[0].as_tokens
    for toy in task.edge_toys:
        program = on_edges(task.build(toy, as_tokens=as_tokens))
        with suppress(TimeoutError), deadline(SECONDS, TimeoutError), np.errstate(all="ignore"):
            findings = edge_findings(dict.fromkeys((program(rng) for _ in range(EDGES)), 1), toy)
            if findings:
                return findings
    return []


class Watch:
    """Samples on one toy, and the tests of their counts."""

    def __init__(self, task, toy, rng):
        self.task, self.toy, self.rng = task, toy, rng
        self.n_tokens = task.n_tokens(toy)
        self.expected = sequence_law(toy.wanted, toy.prefix, self.n_tokens, toy.stop)
        self.counts = dict.fromkeys(self.expected, 0)
        self.samples = self.kept = 0
        self.flaws = {}
        self.program, self.as_tokens = task.build(toy), tuple
        self._try()
        self.events = list(self._events())
        masses = [[sum(self.expected[x] for x in part) for part in e[1:]] for e in self.events]
        self.chances = np.array([float(min(event / given, 1)) for event, given in masses])
        self.tests = len(self.events) + 1  # and how many drafted tokens are kept

    def _try(self):
        """One run; perhaps the code wants its tokens as an array."""
        with suppress(TimeoutError), deadline(SECONDS, TimeoutError):
            if self.program(self.rng).tokens is None:
                self.as_tokens = np.asarray
                self.program = self.task.build(self.toy, as_tokens=np.asarray)

    def run_to(self, samples):
        ends = {}
        try:
            with deadline(SECONDS, TimeoutError) as clock:
                while self.samples < samples and not self.flaws:
                    clock.restart()
                    self._count(self.program(self.rng), ends)
        except TimeoutError as late:
            self.flaws[CRASH] = str(late)
        for tokens, count in ends.items():
            self._complete(tokens, count)

    def _count(self, outcome, ends):
        self.samples += 1
        self.kept = None if outcome.kept is None else (self.kept or 0) + outcome.kept
        for kind, message in outcome.flaws:
            self.flaws.setdefault(kind, message)
        if outcome.tokens is not None:
            ends[outcome.tokens] = ends.get(outcome.tokens, 0) + 1

    def findings(self, level):
        """What is too unlikely, each test at ``level``."""
        if self.flaws:
            return [Finding(kind, text, self.toy) for kind, text in self.flaws.items()]
        strange = [x for x in self.counts if x not in self.expected]
        if strange:
            text = f"{strange[0]} came out, which the target never emits"
            return [Finding(ONE_TOKEN, text, self.toy, self.expected, dict(self.counts))]
        seen = np.array([sum(self.counts[x] for x in event) for _, event, _ in self.events])
        of = np.array([sum(self.counts[x] for x in given) for _, _, given in self.events])
        likely = two_sided(seen, of, self.chances)
        wrong = [i for i in np.argsort(likely) if likely[i] < level]
        first = [i for i in wrong if self.events[i][0] == ONE_TOKEN] or wrong
        if not first:
            return self._kept(level)
        return [self._finding(first[0], seen[first[0]], of[first[0]], likely[first[0]])]

    def _finding(self, i, seen, of, likely):
        kind, event, _ = self.events[i]
        text = (
            f"{_names(event)} came out {seen:,} times in {of:,}: {show(seen / of)} instead of "
            f"{show(self.chances[i])} (p-value {likely:.1g})"
        )
        off = abs(seen / of - self.chances[i])
        return Finding(kind, text, self.toy, self.expected, dict(self.counts), off)

    def _complete(self, tokens, count):
        """Let the target go on after what was emitted, ``count`` times."""
        rest = max(self.n_tokens - len(tokens), 0)
        stopped = bool(tokens) and tokens[-1] == self.toy.stop
        law = sequence_law(self.toy.wanted, self.toy.prefix + tokens, rest, self.toy.stop)
        tails = {(): 1.0} if stopped else law
        drawn = self.rng.multinomial(count, np.array(list(tails.values())) / sum(tails.values()))
        for tail, number in zip(tails, drawn):
            whole = (tokens + tail)[: self.n_tokens]
            self.counts[whole] = self.counts.get(whole, 0) + int(number)

    def _events(self):
        """(kind, event, given): sets of sequences, and the set that they are a part of."""
        whole = frozenset(self.expected)
        starts = sorted(shortened(self.expected, 1))
        for event in _halves(starts):
            yield ONE_TOKEN, frozenset(x for x in whole if x[:1] in event), whole
        for event in _halves(sorted(whole)):
            yield JOINT, frozenset(event), whole
        for length in range(1, self.n_tokens):
            for prefix in sorted(shortened(self.expected, length)):
                given = frozenset(x for x in whole if x[:length] == prefix)
                for token in sorted({x[length] for x in given if len(x) > length}):
                    yield JOINT, frozenset(x for x in given if x[length] == token), given

    def _kept(self, level):
        """Fewer drafted tokens kept, on average, than the overlap allows?

        Of one token this is a binomial count.  Of more, a verifier may keep as many in another
        way than ours: Hoeffding's bound holds for them all.
        """
        from scipy.stats import binom

        owed, most = self.task.owed(self.toy), max(self.n_tokens - 1, 1)
        if self.kept is None or owed is None or not owed > 0:
            return []
        rate, owed = self.kept / self.samples, float(owed)
        if most == 1:
            likely = binom.cdf(self.kept, self.samples, min(owed, 1.0))
        else:
            likely = np.exp(-2 * self.samples * (max(owed - rate, 0) / most) ** 2)
        if likely >= level:
            return []
        text = f"keeps {show(rate)} drafted tokens on average; the overlap allows {show(owed)}"
        return [Finding(ACCEPTANCE, text, self.toy)]


def two_sided(seen, of, chance):
    """Exact p-values of binomial counts."""
    from scipy.stats import binom

    tails = np.minimum(binom.cdf(seen, of, chance), binom.sf(seen - 1, of, chance))
    return np.minimum(2 * tails, 1)


def coverage(watches, plan, detect, power):
    samples = sum(watch.samples for watch in watches)
    text = f"{samples:,} samples on {len(watches)} cases, {plan.tests:,} binomial tests"
    if all(watch.samples >= plan.samples for watch in watches):
        text += f"; an error of {detect:g} in one case would be missed with chance {1 - power:.2g}"
        text += ", smaller ones are not excluded"
    return text


def check_settings(rng, false_alarm, detect, power):
    if not isinstance(rng, np.random.Generator):
        raise ValueError(f"rng is {rng!r}: sampling needs a NumPy Generator")
    for name, value in (("false_alarm", false_alarm), ("detect", detect), ("power", power)):
        if not 0 < value < 1:
            raise ValueError(f"{name} is {value!r}, not between 0 and 1")


def _halves(outcomes):
    """Every set of outcomes but one of each set and its complement, nor nothing, nor all."""
    outcomes = list(outcomes)
    for size in range(1, len(outcomes) // 2 + 1):
        for event in combinations(outcomes, size):
            if 2 * size < len(outcomes) or event[0] == outcomes[0]:
                yield event


def _names(event, most=3):
    names = [f"{tuple(x)}" for x in sorted(event)]
    return "{" + ", ".join(names[:most]) + (", …}" if len(names) > most else "}")
