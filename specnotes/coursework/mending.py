"""Graders of "somebody else's verifier": which line is wrong, and a new text for it."""

from functools import partial

import numpy as np

from specnotes.audit import audit_verifier
from specnotes.audit.cases import PAIRS
from specnotes.audit.report import BOUNDARY
from specnotes.checks.card import FormOnly, NotAttempted, Wrong, ask, exercise, is_same, show
from specnotes.checks.verdicts import check_emitted, verdict_law
from specnotes.coursework.answers import (
    COUNTED_LATER,
    after,
    check_number,
    count,
    refuse_findings,
)
from specnotes.coursework.facts import Fact
from specnotes.coursework.loops import refuse_wrong_law
from specnotes.coursework.memory import recalled
from specnotes.coursework.parse import as_whole
from specnotes.coursework.suspects import (
    NoRepair,
    block_bias,
    block_law,
    planted_line,
    token_bias,
)
from specnotes.exact import sequence_law


def check_line(line, suspect, check_mended, final):
    """The planted line, or any other whose new text passes ``check_mended()``."""
    line = _number(line, suspect)
    if not final:
        return FormOnly(f"one of the {len(suspect.lines)} lines; {COUNTED_LATER}")
    if line != planted_line(suspect):
        try:
            check_mended()
        except (Wrong, NotAttempted):
            raise Wrong(
                f"the mistake is not in line {line}, and your text does not mend it there"
            ) from None
        return f"the mistake can be mended in line {line}"
    return f"the mistake is in line {line}"


def repaired(line, mend, suspect):
    """The suspect with the new text for that line."""
    if mend is ... or mend is None:
        raise NotAttempted
    try:
        return suspect.repaired(_number(line, suspect), mend)
    except NoRepair as error:
        raise Wrong(str(error)) from None


def _number(line, suspect):
    number = as_whole("line", line)
    if not 2 <= number <= len(suspect.lines):
        raise Wrong(f"line is {number}, not one of 2 … {len(suspect.lines)}")
    return number


def judged(line, mend, suspect, judge):
    """What ``judge(verify)`` says of the repaired suspect; a wrong line is said first."""
    verify = repaired(line, mend, suspect)
    try:
        return judge(verify)
    except Wrong as wrong:
        number = _number(line, suspect)
        if number != planted_line(suspect):
            raise Wrong(
                f"with your text in line {number} the verifier is still wrong: look for the "
                f"mistake in another line. {wrong}"
            ) from None
        raise wrong


def runs(verify, *laws, tokens, at):
    """Run the repaired verifier once on each of the tokens, whatever it answers."""
    for token in tokens:
        ask(verify, *laws, token, np.random.default_rng(0), at=at)
    return f"runs on your numbers; {COUNTED_LATER}"


# Of one token


@exercise("the line")
def lazy_line(line, you, mend=None, final=False):
    """The number of the line with the mistake, or of any line whose new text mends it."""
    return check_line(line, you.suspect, lambda: _lazy(line, mend, you), final)


@exercise("its distance")
def lazy_distance(answer, you, final=False):
    """How far its output is from the target, on the own laws."""

    def fact(y):
        return _distances(token_bias(y.suspect.function, y.target, y.draft))

    return check_number("distance_6", answer, fact, you, final)


def _distances(right):
    return Fact(
        right, {"That is the sum of the differences; half of it is the distance": 2 * right}
    )


@exercise("the mended line")
def lazy_mended(line, mend, you, final=False):
    """With the new text, the verifier keeps share · min(1, p/q) of each token, and is lossless."""
    if not final:
        verify = repaired(line, mend, you.suspect)
        at = f"target {show(you.target)}, draft {show(you.draft)}"
        return FormOnly(runs(verify, you.target, you.draft, tokens=range(4), at=at))
    return _lazy(line, mend, you)


def _lazy(line, mend, you):
    return judged(line, mend, you.suspect, lambda verify: _is_lazy(verify, you))


def _is_lazy(verify, you):
    pairs = [(you.target, you.draft), *PAIRS.values()]
    for target, draft in pairs:
        at = f"target {show(target)}, draft {show(draft)}"
        verdicts = verdict_law(verify, (target, draft), draft, at)
        check_emitted(verdicts, target, at, {})
        if verdicts.unexplored:
            raise Wrong(f"At {at}: it loops without bound; a verifier of one coin need not")
        for token, most in enumerate(you.share * np.minimum(target, draft)):
            much = sum(m for o, m in verdicts.items() if o.accepted and o.drafted == token)
            if not is_same(much, most):
                raise Wrong(
                    f"At {at}: token {token} is drafted and kept with chance {show(much)}, "
                    f"it should be {show(most)}"
                )
    return f"lossless, and lazy as it should be, on {count(len(pairs), 'pair')}"


# Of a block


@exercise("the line")
def block_line(line, you, mend=None, final=False):
    """The number of the line with the mistake, or of any line whose new text mends it."""
    return check_line(line, you.suspect, lambda: _block(line, mend, you), final)


@exercise("distance of the first token")
def block_first(answer, you, three=None, final=False):
    """How far the first token's law is off, with two drafted tokens, at the start of a text.

    It may be 0, and a guess of 0 is nothing: it counts with the distance of ``three`` tokens.
    """
    said = check_number("first_distance", answer, partial(_own_bias, 1), you, final)
    if final:
        after("three_distance, with which this counts,", _three, three, you)
    return said


@exercise("distance of three tokens")
def block_three(answer, you, final=False):
    """The same for the joint law of three tokens."""
    return _three(answer, you, final)


def _three(answer, you, final=True):
    if answer is ... or answer is None:
        raise Wrong("three_distance is open")
    return check_number("three_distance", answer, partial(_own_bias, 3), you, final)


def _own_bias(n_tokens, you):
    def find():
        return block_bias(you.suspect.function, you.target, you.draft, n_tokens)

    return _distances(recalled(find, "bias", n_tokens, you.student_id, you.seed))


@exercise("the mended line")
def block_mended(line, mend, you, final=False):
    """With the new text it is lossless and keeps what the overlap allows."""
    if not final:
        verify = repaired(line, mend, you.suspect)
        laws = you.target.score((), (0, 1)), you.draft.score((), (0, 1))[:-1]
        blocks = [(0, 1), (1, 2), (2, 0)]
        return FormOnly(runs(verify, *laws, tokens=blocks, at="your models, two drafted"))
    return _block(line, mend, you)


def _block(line, mend, you):
    return judged(line, mend, you.suspect, lambda verify: _is_lossless(verify, you))


def _is_lossless(verify, you):
    at = "your own models, two drafted tokens"
    try:
        law = block_law(verify, you.target, you.draft, 3)
    except Exception as error:  # the student's line
        raise Wrong(f"At {at}: it raises {type(error).__name__}: {error}") from None
    refuse_wrong_law(law, tuple, sequence_law(you.target, (), 3), None, at)
    report = audit_verifier(verify)
    refuse_findings(report, BOUNDARY, exact_only=True)
    return f"no counter-example in {report.covered}"
