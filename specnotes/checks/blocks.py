"""Checks of notebook 04: a pair by hand, block verifiers, cut and stop, a whole decoder."""

from fractions import Fraction
from itertools import product

import numpy as np

from specnotes.audit import audit_decoder, audit_verifier
from specnotes.audit.cases import BASE
from specnotes.audit.programs import decoder_program
from specnotes.audit.report import (
    ACCEPTANCE,
    BOUNDARY,
    JOINT,
    LENGTH,
    MEANING,
    ONE_TOKEN,
    OPEN,
    UNCLEAR,
    VERDICT,
)
from specnotes.broken.positions import bonus_from_row_before
from specnotes.broken.toys import Toy
from specnotes.checks.card import NotAttempted, Wrong, ask, exercise, is_same, show
from specnotes.checks.known import (
    BLOCK_TOYS,
    Meter,
    metered,
    mistake_of_decoder,
    mistake_of_verifier,
)
from specnotes.coins import CannotEnumerate, law_of
from specnotes.decode import Round, cut_round
from specnotes.exact import decoder_law, distance, sequence_law
from specnotes.models import MarkovModel

BOUNDARY_REMARK = (
    ". One remark: compare with <. With <=, a coin that is exactly 0 keeps a token that the target "
    "never emits"
)

# Exercise 1: the pair "cat cat" of the notebook's models, in hundredths

_WAYS = (
    (2, "kept and kept: min(p, q) of cat at the start, times min(p, q) of cat after cat"),
    (0, "kept, then corrected: is cat owed anything in the row after cat?"),
    (3, "corrected, then the next round: what cat is owed at the start, times p(cat | cat)"),
    (9, "corrected, then tested on: the second token was drafted after mat and meets mat's row"),
)
_SLIPS = {
    (0, 10): "that is how often the draft writes the pair; not all of it is kept",
    (0, 4): "the second test uses the rows after cat",
    (0, 5): "that is the target's chance of the pair; the ways add up to it",
    (1, -8): "nothing below 0 is owed",
    (1, 6): "the second test uses the rows after cat",
    (2, 30): "that is the first token only; the second must be cat as well",
    (2, 9): "the next round starts after cat, not after mat",
    (3, 3): "that is the law after cat, where the decoder ought to be; which row does it use?",
    (3, 30): "that is the first token only; the second must be cat as well",
    (3, 11): "that is the whole pair; asked is the third way alone",
}


@exercise("a pair by hand")
def pair_by_hand(kept_kept, kept_corrected, corrected, tested_on):
    """The three ways to "cat cat", and the third one in a decoder that goes on testing."""
    for i, given in enumerate((kept_kept, kept_corrected, corrected, tested_on)):
        right, guide = _WAYS[i]
        given = _fraction(given)
        if not is_same(given, Fraction(right, 100)):
            slip = (words for (j, n), words in _SLIPS.items() if j == i and _is(given, n))
            if right and is_same(given, right):
                slip = iter(["in hundredths: write Fraction(n, 100)"])
            raise Wrong(f"{show(given)} is not the chance of {guide}{_hint(slip)}")
    return "2/100 + 0 + 3/100 = 5/100 = 5/10 · 1/10; going on makes it 11/100"


def _fraction(given):
    """What "2/100" stands for; anything else as it is."""
    try:
        return Fraction(given) if isinstance(given, str) else given
    except (ValueError, ZeroDivisionError):
        return given


def _is(given, hundredths):
    return is_same(given, Fraction(hundredths, 100))


def _hint(words):
    return next((f" ({hint})" for hint in words), "")


# Exercises 2 and 3: block verifiers


@exercise("a block verifier")
def block_verifier(verify):
    """verify(target_laws, draft_laws, tokens, rng) -> (accepted, token), on every coin."""
    return _lossless(verify)


@exercise("the bonus row", halves=True)
def bonus_row(verify, smallest):
    """The verifier repaired, and the smallest (draft length, tokens) that shows the mistake."""
    covered = "the repair is open" if verify is ... else _lossless(verify)
    if smallest is ...:
        raise NotAttempted("the repair is right; `smallest` is not attempted yet")
    try:
        length, n_tokens = map(int, smallest)
    except (TypeError, ValueError):
        raise Wrong(f"smallest is {show(smallest)}, not (draft length, number of tokens)") from None
    if length < 1 or n_tokens < 1:
        raise Wrong(f"smallest is {show(smallest)}: both numbers are at least 1")
    off = _row_error(length, n_tokens)
    at = f"the mistake with draft length {length} and {n_tokens} tokens"
    if off == 0:
        raise Wrong(f"the verifier is right, but no law shows {at}: is a bonus token among them?")
    if (length, n_tokens) != (1, 2):
        raise Wrong(
            f"the verifier is right, and {at} does show (distance {show(off)}), but so "
            "it does in a smaller setting"
        )
    if verify is ...:
        raise NotAttempted("`smallest` is right; the repair is not attempted yet")
    return f"{covered}; the second token is the first one that can be a bonus"


def _row_error(length, n_tokens):
    if length > 3 or n_tokens > 4:
        raise Wrong("smallest is larger than it need be: try draft lengths and texts up to 3")
    target, draft = BLOCK_TOYS[0].models
    wrong = decoder_law(target, draft, (), length, n_tokens, verify=bonus_from_row_before)
    return distance(wrong, sequence_law(target, (), n_tokens))


def _lossless(verify):
    report = audit_verifier(verify)
    remark = _refuse(report.findings, lambda: mistake_of_verifier(verify))
    return f"no counter-example in {report.covered}{remark}"


# Exercise 4: what of a round may come out


@exercise("cut and stop")
def cut(function):
    """function(emitted, room, stop) -> the tokens that may come out, on every small case."""
    rounds = [tokens for size in range(1, 5) for tokens in product(range(3), repeat=size)]
    cases = list(product(rounds, range(1, 6), (None, 0, 1, 2)))
    answers = [_as_tokens(ask(function, *case), case) for case in cases]
    right = [cut_round(Round((), 0, tokens), room, stop).emitted for tokens, room, stop in cases]
    if answers != right:
        i = next(i for i, pair in enumerate(zip(answers, right)) if pair[0] != pair[1])
        same = (said for said, f in _WRONG_CUTS.items() if answers == [f(*case) for case in cases])
        hint = next((f". {said}" for said in same), "")
        raise Wrong(f"{_case(cases[i])}: yours is {answers[i]}, it should be {right[i]}{hint}")
    return f"right on all {len(cases):,} rounds of up to 4 tokens, with and without a stop token"


def _as_tokens(answer, case):
    try:
        return tuple(map(int, answer))
    except (TypeError, ValueError):
        raise Wrong(f"{_case(case)}: return a tuple of tokens; yours is {answer!r}") from None


def _case(case):
    return "With emitted {}, room {}, stop {}".format(*case)


def _up_to(tokens, stop, keep=1):
    return tokens[: tokens.index(stop) + keep] if stop in tokens else tokens


_WRONG_CUTS = {
    "The stop token itself still comes out": lambda t, room, s: _up_to(t[:room], s, keep=0),
    "Nothing comes out after a stop token": lambda t, room, s: t[:room],
    "There is room for so many tokens and no more": lambda t, room, s: _up_to(t, s),
    "The cut comes first, and then the stop": lambda t, room, s: (
        _up_to(t, s) if s in t else t[:room]
    ),
    "Token 0 may be the stop token as well: ask `stop is not None`": lambda t, room, s: (
        _up_to(t[:room], s) if s else t[:room]
    ),
}


# Exercise 5: a whole decoder


@exercise("a whole decoder")
def whole_decoder(function):
    """function(target, draft, prefix, draft_length, n_tokens, rng, stop=None) -> tokens."""
    decoder = metered(function)
    _refuse_redoing(decoder)
    report = audit_decoder(decoder)
    wrong = [finding for finding in report.findings if finding.kind != ACCEPTANCE]
    remark = _refuse(wrong, lambda: mistake_of_decoder(decoder))
    if report.efficient or not mistake_of_decoder(decoder):
        _refuse_waste(function)
    _refuse(report.findings, lambda: mistake_of_decoder(decoder))
    return f"no counter-example in {report.covered}, and no target pass too many{remark}"


def _refuse_waste(function):
    """A draft that knows the text: 8 tokens with 3 drafts a round are two rounds, all kept."""
    ring = MarkovModel(np.eye(4, dtype=int)[[1, 2, 3, 0]], [1, 0, 0, 0])
    meter = Meter(ring)
    function(meter, ring, (0,), 3, 8, np.random.default_rng(0))
    asked = meter.single + meter.scores
    if meter.single:
        raise Wrong(
            f"You called the target {asked} times for 8 tokens: 2 passes are enough. One `score` "
            "gives its laws after the text and after every guess"
        )
    if asked > 2:
        raise Wrong(
            f"With a draft equal to the target, 8 tokens took {asked} passes where 2 are enough: "
            "does every guess follow the guesses before it, prefix + tokens + guesses?"
        )


def _refuse_redoing(decoder):
    """One token wanted, one drafted: redoing a round of two leaves only corrections."""
    toy = Toy("base", *BASE, n_tokens=1)
    program = decoder_program(decoder, toy)
    try:
        law = law_of(program, max_paths=500, leftover=1e-3, seconds=10)
    except CannotEnumerate:
        return  # the audit says why
    if law.unexplored and {outcome.tokens for outcome in law} == {(0,)}:
        raise Wrong(
            "A round that is too long is redone: cut it. Short rounds are those with a rejection, "
            f"so that only corrections come out: always token 0 where p is {show(BASE[0])}"
        )


# What they share: an audit's finding in one line, with the mistake's name where it is known


def _refuse(findings, name_mistake):
    """Raise ``Wrong`` if there is a finding; one that only a boundary coin shows is a remark."""
    wrong = [finding for finding in findings if finding.kind != BOUNDARY]
    if not wrong:
        return BOUNDARY_REMARK if findings else ""
    finding = wrong[0]
    if finding.kind == OPEN:
        raise NotAttempted
    known = name_mistake() if finding.kind in (ONE_TOKEN, JOINT, ACCEPTANCE) else None
    what = known or _capital(MEANING[finding.kind]) + "."
    ask_back = _ASK_BACK.get(finding.kind, "")
    raise Wrong(f"{what} {_figure(finding)} (at {_setting(finding.toy)}){ask_back}")


_ASK_BACK = {
    VERDICT: ". Is it the other way round? The order is (accepted, token)",
    LENGTH: ". Return the new tokens, without the prefix, and no more than n_tokens",
}


def _setting(toy):
    """The toy in words, with what is not the usual: one drafted token, no prefix, no stop."""
    parts = [str(toy), f"{toy.length} drafted" if toy.length > 1 else ""]
    parts += [f"after {show(toy.prefix)}" if toy.prefix else ""]
    parts += [f"stop token {toy.stop}" if toy.stop is not None else ""]
    return "; ".join(filter(None, parts))


def _figure(finding):
    """The text whose chance is most wrong; other findings speak for themselves."""
    if finding.kind not in (ONE_TOKEN, JOINT):
        message = (
            finding.message.split(" (leftover=")[0] if finding.kind == UNCLEAR else finding.message
        )
        return _capital(message)
    expected, actual = finding.expected, finding.actual
    text = max(expected | actual, key=lambda t: abs(expected.get(t, 0) - actual.get(t, 0)))
    chances = show(actual.get(text, 0)), show(expected.get(text, 0))
    return f"The text {show(text)} comes out with chance {chances[0]}, it should be {chances[1]}"


def _capital(words):
    return words[0].upper() + words[1:]
