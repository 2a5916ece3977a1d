"""Checks of notebook 08: name a mistake, choose a test, write a battery, slip past a weak one."""

import warnings
from contextlib import contextmanager
from functools import cache

import numpy as np

from specnotes.checks.card import Wrong, ask, exercise
from specnotes.coins.sources import deadline

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

    return audit_verifier(as_verifier(_exhibit(CASES[case]))).findings[0]


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
    from specnotes.audit.kinds import block_task
    from specnotes.audit.matrix import as_verifier
    from specnotes.audit.run import run

    task = block_task(as_verifier(_exhibit(name)))
    _, actual = laws(run(task.build, finding.toy), finding.toy, task)
    short = shortened(actual, len(next(iter(finding.actual))))
    return {tokens: mass for tokens, mass in short.items() if mass}


def _exhibit(name):
    from specnotes.broken import MUSEUM

    return next(exhibit for exhibit in MUSEUM if exhibit.name == name)


# Exercise 2: a test that sees the shared coin


class _Watched:
    """A right verifier that notes what it was asked."""

    def __init__(self):
        self.lengths, self.chance = set(), False

    def __call__(self, target_laws, draft_laws, tokens, rng):
        from specnotes.verify import verify_block

        self.lengths.add(len(tokens))
        kept = [p[x] < q[x] for p, q, x in zip(target_laws, draft_laws, tokens)]
        self.chance |= len(tokens) > 1 and kept[0] and kept[1]
        return verify_block(target_laws, draft_laws, tokens, rng)


@exercise("a test for the shared coin")
def shared_coin_test(test):
    """test(verify) -> True if it catches ``verify``: the shared coin, and nothing that is right."""
    from specnotes.audit.line_up import verifiers

    for verify in (_exhibit("one coin for the whole block").function, one_coin_at_once):
        if not _said(test, verify, "one coin for the whole block"):
            raise Wrong(_blind_because(test))
    spared = [(e, verify) for e, verify in verifiers().values() if e.innocent]
    for exhibit, verify in spared:
        if _said(test, verify, f"a right verifier, “{exhibit.name}”"):
            raise Wrong(f"it accuses a right verifier, “{exhibit.name}”. {SPARE[exhibit.name]}")
    return f"it catches the coin, written in two ways, and spares {len(spared)} right verifiers"


def one_coin_at_once(target_laws, draft_laws, tokens, rng):
    """The shared coin again, vectorised."""
    from specnotes.laws import draw, residual

    rows, tokens = np.arange(len(tokens)), np.asarray(tokens)
    kept = rng.random() * draft_laws[rows, tokens] < target_laws[rows, tokens]
    if kept.all():
        return len(tokens), draw(target_laws[-1], rng)
    first = int(np.argmin(kept))
    return first, draw(residual(target_laws[first], draft_laws[first]), rng)


def _said(test, verify, at):
    answer = ask(test, verify, at=at)
    if answer not in (True, False):
        raise Wrong(f"return True (caught) or False; yours is {answer!r}")
    return bool(answer)


def _blind_because(test):
    watched = _Watched()
    ask(test, watched)
    if not watched.lengths:
        why = "it never runs the verifier"
    elif max(watched.lengths) < 2:
        why = "it hands over one drafted token at a time, and one token has one coin anyway"
    elif not watched.chance:
        why = "in no block of yours can both tokens be rejected, so a second coin decides nothing"
    else:
        why = "look at the law of two tokens together; each of them alone may be right"
    return f"the verifier with one coin passes: {why}"


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
            blind = not catches(test, _exhibit(name))
            if blind != (test in answer):
                verb = "is blind to" if blind else "sees"
                raise Wrong(f"{test} {verb} “{name}”: {_WHY[test]}")
    return "no test of the five is best: each of the first four is blind to one of the two"


# Exercise 4: the battery

ENOUGH = 14  # of the wrong ones; and none of the right ones may be accused
PATIENCE = 20  # seconds for one verifier
SPARE = {
    "in logarithms": "It computes in floats: allow for rounding, say 1e-9",
    "block verification": "It keeps more than token by token: judge the text that comes out",
    "accept if equal": "It keeps few drafted tokens. That is a price, not an error of the law",
    "draft ignored": "It keeps no drafted token. That is a price, not an error of the law",
    "one coin, rescaled": "It tosses one coin for two questions, and rescales it as it must",
    "vectorised": "It calls rng.random(size) and rng.choice, with floats where rng is NumPy's",
}


@exercise("test battery")
def battery(would_ship):
    """would_ship(verify) -> True or False, for all verifiers of the line-up."""
    from specnotes.audit.line_up import is_lawful, verifiers

    if "audit_verifier" in _words(would_ship):
        raise Wrong("audit_verifier is our battery; write your own")
    errors, missed, accused, suspects = {}, [], [], verifiers()
    for letter, (exhibit, verify) in suspects.items():
        ships = _ships(would_ship, letter, verify, errors)
        if ships != is_lawful(exhibit):
            (missed if ships else accused).append((letter, exhibit))
    right = sum(is_lawful(exhibit) for exhibit, _ in suspects.values())
    wrong = len(suspects) - right
    score = f"kills {wrong - len(missed)} of {wrong}, spares {right - len(accused)} of {right}"
    if accused:
        raise Wrong(f"{score}: {_accusation(accused, errors)}")
    slips = ", ".join(f"{letter} (look at: {exhibit.needs})" for letter, exhibit in missed)
    if len(missed) > wrong - ENOUGH:
        raise Wrong(f"{score}; {ENOUGH} are wanted. It misses {slips}")
    unseen = f"; {_unseen(would_ship)}"
    return f"{score}: misses {slips}{unseen}" if missed else f"{score}{unseen}"


def _accusation(accused, errors):
    letter, exhibit = accused[0]
    raised = f" (it raised {errors[letter]})" if letter in errors else ""
    return (
        f"it would not ship {letter}, “{exhibit.name}”, which is right{raised}. "
        + SPARE[exhibit.name]
    )


def _ships(would_ship, letter, verify, errors):
    """The battery's verdict; an exception is a red test, too."""

    def suspect(target_laws, draft_laws, tokens, rng):  # one name for all
        return verify(target_laws, draft_laws, tokens, rng)

    late = Wrong(f"more than {PATIENCE} s for verifier {letter} alone")
    try:
        with deadline(PATIENCE, lambda _: late), quiet():
            answer = would_ship(suspect)
    except Wrong:
        raise
    except Exception as error:
        errors[letter] = f"{type(error).__name__}: {error}"
        return False
    if answer is ...:
        return ask(lambda: ...)  # not attempted yet
    if answer not in (True, False):
        raise Wrong(f"return True (ship it) or False; yours is {answer!r}")
    return bool(answer)


@contextmanager
def quiet():
    """A broken verifier may warn; its verdict is what counts."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def _unseen(would_ship):
    """How it does on wrong verifiers that are not in the line-up."""
    from specnotes.audit.line_up import NAMES, is_lawful
    from specnotes.audit.matrix import as_verifier
    from specnotes.broken import MUSEUM
    from specnotes.broken.exhibit import BLOCK, TOKEN

    others = [
        exhibit
        for exhibit in MUSEUM
        if exhibit.kind in (TOKEN, BLOCK) and exhibit.name not in NAMES and not is_lawful(exhibit)
    ]
    others = others[::4]  # some of them, not to keep the reader waiting
    killed = sum(not _ships(would_ship, e.name, as_verifier(e), {}) for e in others)
    return f"of {len(others)} wrong verifiers that you have not met it kills {killed}"


def _words(function):
    """Names that a function uses from outside itself."""
    code = getattr(function, "__code__", None)
    return () if code is None else code.co_names + code.co_freevars


# Exercise 5: slip past a weak battery


@exercise("a sly verifier")
def sly_verifier(verify):
    """A wrong block verifier that the weak battery lets pass and the audit does not."""
    from specnotes.audit.kinds import block_task
    from specnotes.audit.line_up import CHOICE, WEAK, suspect
    from specnotes.audit.report import OPEN, UNCLEAR
    from specnotes.audit.run import audit

    report = audit(block_task(verify), shrink=False)
    if OPEN in report.kinds:
        return ask(lambda: ...)  # not attempted yet
    if UNCLEAR in report.kinds:
        raise Wrong(f"the audit cannot follow it: {report.findings[0].message}")
    for test in WEAK:
        if CHOICE[test](suspect(verify)):
            raise Wrong(f"“{test}” of the weak battery catches it")
    if report.ok:
        raise Wrong(f"the audit finds nothing wrong with it ({report.covered})")
    finding = report.findings[0]
    return f"six tests pass it, and the audit finds: {finding.kind}. {finding.message[:160]}"
