"""Checks of notebook 08: name a mistake, know what tests are blind to, slip past a weak battery."""

from contextlib import suppress
from functools import cache

from specnotes.audit.edges import on_edges
from specnotes.audit.judge import CLOSE, SINGLE
from specnotes.audit.report import CRASH, NAN, OPEN, UNCLEAR, VERDICT
from specnotes.audit.run import MOST_EDGES, audit, every_coin, remembering, run
from specnotes.audit.tasks import block_task
from specnotes.checks.card import NotAttempted, Wrong, exercise
from specnotes.checks.unnamed import exhibit
from specnotes.coins import CannotEnumerate

# Exercise 1: which class of mistake is it?

MISTAKES = {
    "a": "wrong fallback",
    "b": "inverted ratio",
    "c": "bonus from the row before",
    "d": "bonus from the draft",
    "e": "last position not tested",
    "f": "running product of ratios",
}
CASES = {"first": "wrong fallback", "second": "last position not tested"}
CASES["third"] = "bonus from the draft"


@cache
def counter_example(case):
    """The smallest counter-example that the audit finds for one of the cases of exercise 1."""
    from specnotes.audit import audit_verifier
    from specnotes.audit.matrix import as_verifier

    return audit_verifier(as_verifier(exhibit(CASES[case]))).findings[0]


@exercise("name the mistake")
def named_mistakes(first, second, third):
    """Letters a to f for the three counter-examples."""
    for (case, right), answer in zip(CASES.items(), (first, second, third)):
        letter = str(answer).strip().lower()
        if letter not in MISTAKES:
            raise Wrong(f"{case}: {answer!r} is none of the letters a to f")
        if MISTAKES[letter] != right:
            raise Wrong(f"{case}: not the {MISTAKES[letter]}. {_unlike(case, MISTAKES[letter])}")
    return "each of the three fits one letter alone"


def _unlike(case, name):
    """What the named mistake would have done on the case's toy."""
    from specnotes.audit.report import show_laws

    finding = counter_example(case)
    got = _law_on(finding, name)
    if got == finding.expected:
        return "On these laws it would have done no harm"
    return f"On these laws it would have shown otherwise: {show_laws(finding.actual, got)}".replace(
        "should be", "you see"
    ).replace("; is ", "; it gives ")


def _law_on(finding, name):
    from specnotes.audit.judge import laws, shortened
    from specnotes.audit.matrix import as_verifier

    task = block_task(as_verifier(exhibit(name)))
    _, actual = laws(run(task.build, finding.toy), finding.toy, task)
    short = shortened(actual, len(next(iter(finding.actual))))
    return {tokens: mass for tokens, mass in short.items() if mass}


# Exercise 3: which tests are blind?

ASKED = ("greedy equality", "first token", "γ = 1", "i.i.d. toy", "joint law")
_WHY = {
    "greedy equality": "with one-hot laws an argmax is a fair draw, but a wrong row shows",
    "first token": "the first token is never a bonus token here",
    "γ = 1": "after one accepted token the second is a bonus token, in its own context",
    "i.i.d. toy": "all rows are equal, but a law and its argmax are not",
    "joint law": "it reads γ + 1 tokens in contexts, the bonus token among them",
}


@exercise("blind tests")
def blind_tests(row_before, argmax):
    """Sets of names of the tests that cannot see the exhibit."""
    from specnotes.audit.line_up import catches

    names = {"bonus from the row before": row_before, "bonus by argmax": argmax}
    for name, answer in names.items():
        if isinstance(answer, str):
            answer = {answer}
        strange = set(answer) - set(ASKED)
        if strange:
            raise Wrong(f"{sorted(map(str, strange))[0]!r} is none of {', '.join(ASKED)}")
        for test in ASKED:
            blind = not catches(test, exhibit(name))
            if blind != (test in answer):
                verb = "is blind to" if blind else "sees"
                raise Wrong(f"{test} {verb} “{name}”: {_WHY[test]}")
    return "no test of the five is best: each of the first four is blind to one of the two"


# Exercise 5: slip past a weak battery


@exercise("a sly verifier")
def sly_verifier(verify):
    """A wrong block verifier that the weak battery lets pass and the audit does not."""
    with remembering():
        return _slips_past(block_task(verify), verify)


def _slips_past(task, verify):
    from specnotes.audit.line_up import CHOICE, WEAK, suspect

    report = audit(task, shrink=False)
    if OPEN in report.kinds:
        raise NotAttempted
    if UNCLEAR in report.kinds:
        raise Wrong(f"the audit cannot follow it: {report.findings[0].message}")
    if report.ok:
        raise Wrong(f"the audit finds nothing wrong with it ({report.covered})")
    if illegal := _illegal(task):
        raise Wrong(f"{illegal}. A verifier that crashes, or gives no verdict, is seen at once")
    for test in WEAK:
        if CHOICE[test](suspect(verify)):
            raise Wrong(f"“{test}” of the weak battery catches it")
    if all(f.distance is not None and f.distance <= SINGLE for f in report.findings):
        raise Wrong(f"it is off by no more than rounding: {report.findings[0].message[:160]}")
    finding = report.findings[0]
    return f"six tests pass it, and the audit finds: {finding.kind}. {finding.message[:160]}"


def _illegal(task):
    """What it does somewhere instead of giving a verdict, or None."""
    from specnotes.audit.line_up import CHOICE, WEAK

    toys, as_tokens = [toy for test in WEAK for toy in CHOICE[test].toys], tuple
    for toy in toys + task.toys:
        with suppress(CannotEnumerate):  # coins that are no function of rng: the tests will tell
            one = run(task.build, toy, follow=True)
            as_tokens = one.as_tokens
            if said := _no_verdict(one.law, toy.is_exact):
                return f"at {toy}: {said}"
    for toy in task.edge_toys:
        with suppress(CannotEnumerate):
            law = every_coin(on_edges(task.build(toy, as_tokens=as_tokens)), MOST_EDGES)
            if said := _no_verdict({outcome: 1 for outcome, _ in law}, False):
                return f"at {toy}, with coins on a boundary: {said}"
    return None


def _no_verdict(law, is_exact):
    """The message of the first outcome that is none, but for the rounding of floats."""
    for outcome, mass in law.items():
        for kind, message in outcome.flaws:
            by_rounding = is_exact and kind == VERDICT and mass < CLOSE
            if kind in (CRASH, NAN, VERDICT) and not by_rounding:
                return message
    return None
