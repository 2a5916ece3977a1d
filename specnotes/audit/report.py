"""What an audit says: a verdict, what it covered, and the smallest counter-examples."""

from dataclasses import dataclass

from specnotes.broken.toys import Toy, show

ONE_TOKEN = "law of one token"
JOINT = "joint law"
ACCEPTANCE = "acceptance"
INPUTS = "input modified"
LENGTH = "wrong length"
STOP = "runs past a stop token"
IMPURE = "not a function of its rng"
CRASH = "exception"
NAN = "NaN"
COUNT = "accepted count"
VERDICT = "not a verdict"
BOUNDARY = "boundary"
STATE = "state between calls"
ROUNDED = "rounding, as of float32"
UNCLEAR = "cannot be enumerated"
OPEN = "not attempted"

MEANING = {
    ONE_TOKEN: "the first token does not have the target's law",
    JOINT: "the first token is right, the tokens together are not",
    ACCEPTANCE: "fewer drafted tokens are kept than the overlap allows; the law is right",
    INPUTS: "the laws or tokens handed in are changed",
    LENGTH: "too many or too few tokens come out",
    STOP: "tokens come out after the stop token",
    IMPURE: "the same coins give different results",
    CRASH: "it raises an error",
    NAN: "0/0: a law that is not a number",
    COUNT: "tokens counted as accepted are not the drafted ones",
    VERDICT: "what it returns is not (accepted, token) within the vocabulary",
    BOUNDARY: "a coin on a boundary, or rounding, brings out what must not come out",
    STATE: "right on a fresh object, wrong after other calls",
    ROUNDED: "off by what float32 rounds, and right where nothing is rounded: no wrong rule",
    UNCLEAR: "its draws have no finite list of outcomes",
    OPEN: "it returns ...",
}


@dataclass(frozen=True)
class Finding:
    """One kind of failure, with the smallest setting in which it was seen."""

    kind: str
    message: str
    toy: Toy | None = None
    expected: dict | None = None  # the target's law of the tokens
    actual: dict | None = None
    distance: object = None

    def __str__(self):
        lines = [f"✗ {self.kind}: {MEANING[self.kind]}"]
        if self.toy is not None and self.kind not in (IMPURE, UNCLEAR):
            lines.append(f"  at {self.toy}")
        if self.message:
            lines.append(f"  {self.message}")
        return "\n".join(lines)


@dataclass(frozen=True)
class Report:
    """The verdict on one verifier or decoder."""

    name: str
    findings: tuple
    covered: str
    notes: tuple = ()
    method: str = "exact"
    unexplored: float = 0  # the most mass that a loop without bound left open

    @property
    def ok(self):
        """Right law, right length, no side effects: safe to use."""
        return all(finding.kind == ACCEPTANCE for finding in self.findings)

    @property
    def efficient(self):
        """Right, and keeps as many drafted tokens as the overlap allows."""
        return not self.findings

    @property
    def kinds(self):
        return {finding.kind for finding in self.findings}

    def __str__(self):
        verdict = "no counter-example" if self.ok else "WRONG"
        if self.ok and not self.efficient:
            verdict = "right, but wasteful"
        if self.kinds == {ROUNDED}:
            verdict = "the right rule, rounded as by float32: ok with tolerance=1e-6"
        lines = [f"{self.name}: {verdict} ({self.covered})"]
        return "\n".join(lines + [str(f) for f in self.findings] + [f"· {n}" for n in self.notes])


def show_laws(right, got, most=4):
    """Two laws of token sequences side by side; of long ones, where they differ most."""
    outcomes = sorted(right.keys() | got.keys())
    if len(outcomes) > most:
        outcomes.sort(key=lambda x: -abs(float(right.get(x, 0) - got.get(x, 0))))
    shown = outcomes[:most]
    rest = f", … ({len(outcomes)} outcomes)" if len(outcomes) > most else ""
    should = ", ".join(f"P{_event(x)} = {show(right.get(x, 0))}" for x in shown)
    actual = ", ".join(f"P{_event(x)} = {show(got.get(x, 0))}" for x in shown)
    return f"should be {should}{rest}; is {actual}{rest}"


def _event(tokens):
    return "(" + ", ".join(map(str, tokens)) + ")"
