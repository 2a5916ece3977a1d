"""From the law of what happened to findings: is it the target's law, and is enough kept?"""

from specnotes.audit.report import (
    ACCEPTANCE,
    BOUNDARY,
    JOINT,
    ONE_TOKEN,
    VERDICT,
    Finding,
    show_laws,
)
from specnotes.broken.toys import show
from specnotes.exact import sequence_law

CLOSE = 1e-12  # for code that computes in floats: right code is off by less than 1e-15
SINGLE = 1e-6  # in single precision, by less than 1e-7; a note says that it was


def judge(run, toy, task, tolerance):
    """Findings on one toy, given the ``Run``.  Law errors up to ``tolerance`` pass."""
    findings = flaw_findings(run, toy)
    if all(outcome.tokens is not None for outcome in run.law):
        findings += law_findings(run, toy, task, tolerance)
        if not findings:
            findings += kept_findings(run, toy, task.owed(toy), tolerance)
    return findings


def flaw_findings(run, toy):
    found = {}
    for outcome, mass in run.law.items():
        for kind, message in outcome.flaws:
            if kind == VERDICT and mass < CLOSE and toy.is_exact:
                continue  # see ``rounding``
            total, first = found.get(kind, (0, message))
            found[kind] = total + mass, first
    return [
        Finding(kind, f"{message} (probability {show(mass)})".strip(), toy)
        for kind, (mass, message) in found.items()
    ]


def law_findings(run, toy, task, tolerance):
    """The first token's law if that is wrong, else the joint law if that is."""
    expected, actual = laws(run, toy, task)
    strange = [tokens for tokens in actual if tokens not in expected]
    if strange and not toy.is_exact:
        mass = show(float(sum(actual[tokens] for tokens in strange)))
        message = f"{strange[0]} comes out with probability {mass}, by rounding: its mass is 0"
        return [Finding(BOUNDARY, message, toy, expected, actual)]
    for kind, length in ((ONE_TOKEN, 1), (JOINT, task.n_tokens(toy))):
        right, got = shortened(expected, length), shortened(actual, length)
        off = excess(got, right)
        strange = sum(mass for tokens, mass in got.items() if tokens not in right)
        if off > tolerance or strange > min(tolerance, CLOSE):
            message = f"{show_laws(right, got)}; {_distance(off, run)}"
            return [Finding(kind, _where(toy) + message, toy, right, got, off)]
    return []


def kept_findings(run, toy, owed, tolerance):
    if owed is None or any(outcome.kept is None for outcome in run.law):
        return []
    kept = sum(mass * outcome.kept for outcome, mass in run.law.items())
    if kept + run.unexplored * toy.length >= owed - tolerance:
        return []
    message = f"keeps {show(kept)} drafted tokens on average; the overlap allows {show(owed)}"
    return [Finding(ACCEPTANCE, _where(toy) + message, toy, {"kept": owed}, {"kept": kept})]


def rounding(run, toy, task):
    """Notes on errors as small as the rounding of floats: not failures, but not nothing."""
    if run.exact or not toy.is_exact:
        return
    flaws = [kind for outcome, mass in run.law.items() for kind, _ in outcome.flaws if mass < CLOSE]
    usable = all(outcome.tokens is not None for outcome in run.law)
    expected, actual = laws(run, toy, task) if usable else ({}, {})
    if VERDICT in flaws or actual.keys() - expected.keys():
        yield (
            "rounding: a coin just below 1 draws past the end of a law whose floats sum to less; "
            "scale the coin by the last sum"
        )
    if CLOSE < excess(actual, expected) <= SINGLE:
        yield "law off by less than 1e-6, as single precision may cost"


def laws(run, toy, task):
    """(expected, actual) law of the tokens judged."""
    n_tokens = task.n_tokens(toy)
    return target_law(toy, (), n_tokens), completed(run.law, toy, n_tokens)


def target_law(toy, tokens, n_tokens):
    """The target's law of ``n_tokens`` tokens after those already there."""
    if (tokens, n_tokens) not in toy.known:
        law = sequence_law(toy.wanted, toy.prefix + tokens, n_tokens, toy.stop)
        toy.known[tokens, n_tokens] = law
    return toy.known[tokens, n_tokens]


def completed(law, toy, n_tokens):
    """Law of the first ``n_tokens`` tokens if the target alone goes on after the round."""
    ends, whole = {}, {}
    for outcome, mass in law.items():
        if outcome.tokens is not None:
            tokens = outcome.tokens[:n_tokens]
            ends[tokens] = ends.get(tokens, 0) + mass
    for tokens, mass in ends.items():
        rest = n_tokens - len(tokens)
        stopped = bool(tokens) and tokens[-1] == toy.stop
        more = {(): 1} if stopped else target_law(toy, tokens, rest)
        for tail, chance in more.items():
            whole[tokens + tail] = whole.get(tokens + tail, 0) + mass * chance
    return whole


def shortened(law, length):
    """Law of the first ``length`` tokens."""
    short = {}
    for tokens, mass in law.items():
        short[tokens[:length]] = short.get(tokens[:length], 0) + mass
    return short


def excess(actual, expected):
    """Total variation distance, or a lower bound of it while mass is unexplored."""
    return sum(max(mass - expected.get(x, 0), 0) for x, mass in actual.items())


def _distance(off, run):
    if run.unexplored:
        most = show(float(off + run.unexplored))
        return f"distance between {show(off)} and {most}, for {_mass(run)} is unexplored"
    return f"distance {show(off)}"


def _mass(run):
    return f"{float(run.unexplored):.2g} of the mass"


def _where(toy):
    lengths = ", then ".join(map(str, toy.lengths))
    return f"with {lengths} drafted: " if lengths != "1" else ""
