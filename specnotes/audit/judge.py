"""From the law of what happened to findings: is it the target's law, and is enough kept?"""

from specnotes.audit.report import ACCEPTANCE, JOINT, ONE_TOKEN, VERDICT, Finding, show_law
from specnotes.broken.toys import show
from specnotes.exact import sequence_law

CLOSE = 1e-12  # for code that computes in floats


def judge(run, toy, n_tokens, owed):
    """Findings on one toy.  ``run`` is a ``Run``; ``owed`` the drafted tokens to be kept."""
    findings = flaw_findings(run, toy)
    if all(outcome.tokens is not None for outcome in run.law):
        findings += law_findings(run, toy, n_tokens)
        if not findings:
            findings += kept_findings(run, toy, owed)
    return findings


def flaw_findings(run, toy):
    found = {}
    for outcome, mass in run.law.items():
        for kind, message in outcome.flaws:
            if kind == VERDICT and mass < CLOSE and toy.is_exact:
                continue  # the rounding of float-only code
            total, first = found.get(kind, (0, message))
            found[kind] = total + mass, first
    return [
        Finding(kind, f"{message} (probability {show(mass)})".strip(), toy)
        for kind, (mass, message) in found.items()
    ]


def law_findings(run, toy, n_tokens):
    """The first token's law if that is wrong, else the joint law if that is."""
    target, _ = toy.models
    expected = sequence_law(target, toy.prefix, n_tokens, toy.stop)
    actual = completed(run.law, toy, n_tokens)
    for kind, length in ((ONE_TOKEN, 1), (JOINT, n_tokens)):
        right, got = shortened(expected, length), shortened(actual, length)
        off = excess(got, right)
        if off > run.tolerance:
            message = f"should be {show_law(right)}; is {show_law(got)}; distance {show(off)}"
            return [Finding(kind, _where(toy) + message, toy, right, got, off)]
    return []


def kept_findings(run, toy, owed):
    if owed is None or any(outcome.kept is None for outcome in run.law):
        return []
    kept = sum(mass * outcome.kept for outcome, mass in run.law.items())
    if kept + run.unexplored * toy.length >= owed - run.tolerance:
        return []
    message = f"keeps {show(kept)} drafted tokens on average; the overlap allows {show(owed)}"
    return [Finding(ACCEPTANCE, _where(toy) + message, toy, {"kept": owed}, {"kept": kept})]


def completed(law, toy, n_tokens):
    """Law of the first ``n_tokens`` tokens if the target alone goes on after the round."""
    target, _ = toy.models
    ends, whole = {}, {}
    for outcome, mass in law.items():
        ends[outcome.tokens] = ends.get(outcome.tokens, 0) + mass
    for tokens, mass in ends.items():
        rest = n_tokens - len(tokens)
        stopped = bool(tokens) and tokens[-1] == toy.stop
        more = {(): 1} if stopped else sequence_law(target, toy.prefix + tokens, rest, toy.stop)
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


def _where(toy):
    return f"with {toy.length} drafted: " if toy.length > 1 else ""
