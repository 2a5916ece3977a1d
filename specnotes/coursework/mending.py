"""Graders of "somebody else's verifier": which line is wrong, and a new text for it."""

from functools import partial

import numpy as np

from specnotes.audit import audit_verifier
from specnotes.audit.cases import PAIRS
from specnotes.audit.report import BOUNDARY
from specnotes.checks.card import NotAttempted, Wrong, exercise, is_same, show
from specnotes.checks.verdicts import check_emitted, verdict_law
from specnotes.coursework.answers import COUNTED_LATER, check_number, count, refuse_findings
from specnotes.coursework.suspects import NoRepair, block_bias, planted_line, token_bias


def check_line(line, suspect, check_mended, final):
    """The planted line, or any other whose new text passes ``check_mended()``."""
    line = _number(line, suspect)
    if not final:
        return f"one of the {len(suspect.lines)} lines; {COUNTED_LATER}"
    if line != planted_line(suspect):
        try:
            check_mended()
        except (Wrong, NotAttempted):
            raise Wrong(f"the mistake is not in line {line}") from None
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
    if isinstance(line, bool) or not isinstance(line, (int, np.integer)):
        raise Wrong(f"line should be a whole number, yours is {line!r}")
    if not 2 <= line <= len(suspect.lines):
        raise Wrong(f"line is {line}, not one of 2 … {len(suspect.lines)}")
    return int(line)


# Of one token


@exercise("the line")
def lazy_line(line, you, mend=None, final=False):
    """The number of the line with the mistake, or of any line whose new text mends it."""
    return check_line(line, you.suspect, lambda: _lazy(line, mend, you), final)


@exercise("its distance")
def lazy_distance(answer, you, final=False):
    """How far its output is from the target, on the own laws."""

    def right(y):
        return token_bias(y.suspect.function, y.target, y.draft)

    return check_number("distance", answer, right, you, final)


@exercise("the mended line")
def lazy_mended(line, mend, you, final=False):
    """With the new text, the verifier keeps share · min(1, p/q) of each token, and is lossless."""
    if not final:
        repaired(line, mend, you.suspect)
        return f"Python can read it; {COUNTED_LATER}"
    return _lazy(line, mend, you)


def _lazy(line, mend, you):
    verify = repaired(line, mend, you.suspect)
    pairs = [(you.target, you.draft), *PAIRS.values()]
    for target, draft in pairs:
        at = f"target {show(target)}, draft {show(draft)}"
        verdicts = verdict_law(verify, (target, draft), draft, at)
        check_emitted(verdicts, target, at, {})
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
def block_first(answer, you, final=False):
    """How far the first token's law is off, with two drafted tokens, at the start of a text."""
    return check_number("first_distance", answer, partial(_own_bias, 1), you, final)


@exercise("distance of three tokens")
def block_three(answer, you, final=False):
    """The same for the joint law of three tokens."""
    return check_number("three_distance", answer, partial(_own_bias, 3), you, final)


def _own_bias(n_tokens, you):
    return block_bias(you.suspect.function, you.target, you.draft, n_tokens)


@exercise("the mended line")
def block_mended(line, mend, you, final=False):
    """With the new text it is lossless and keeps what the overlap allows."""
    if not final:
        repaired(line, mend, you.suspect)
        return f"Python can read it; {COUNTED_LATER}"
    return _block(line, mend, you)


def _block(line, mend, you):
    verify = repaired(line, mend, you.suspect)
    if block_bias(verify, you.target, you.draft, 3) != 0:
        raise Wrong("on your own models three tokens do not have the target's joint law")
    report = audit_verifier(verify)
    refuse_findings(report, BOUNDARY, exact_only=True)
    return f"no counter-example in {report.covered}"
