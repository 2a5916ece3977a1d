"""Which known mistake is it?  An answer's laws on a few toys, compared with the museum's."""

from functools import cache, partial
from typing import NamedTuple

from specnotes.audit.programs import block_program, decoder_program
from specnotes.audit.run import run
from specnotes.broken import MUSEUM
from specnotes.broken.exhibit import (
    BLOCK,
    BOUNDARY,
    DECODER,
    INPUTS,
    NOTHING,
    REPLAY,
    ROUNDING,
    TOKEN,
)
from specnotes.broken.toys import Toy, rows
from specnotes.coins import CannotEnumerate
from specnotes.decode import Round, cut_round, is_finished, one_round, propose, speculate
from specnotes.exact import distance
from specnotes.laws import draw
from specnotes.verify import verify_block, verify_token

SMALL = 1e-9
HIDDEN = {INPUTS, BOUNDARY, ROUNDING, REPLAY}  # exhibits that need these have the right laws
# All contexts differ and residuals have two tokens, so that different mistakes show different laws.
_ROWS = (
    rows((5, 3, 2), (2, 5, 3), (4, 2, 4), (3, 4, 3)),
    rows((2, 2, 6), (6, 3, 1), (3, 6, 1), (2, 2, 6)),
)
BLOCK_TOYS = Toy("one drafted", *_ROWS), Toy("two drafted", *_ROWS, length=2)
DECODER_TOYS = (
    Toy("one drafted", *_ROWS, n_tokens=2, prefix=(1,)),
    Toy("a bonus in its context", *_ROWS, n_tokens=3, prefix=(1,)),
    Toy("two drafted", *_ROWS, length=2, n_tokens=2, prefix=(1,)),
)


def mistake_of_verifier(verify):
    """What is wrong with a block verifier, in a sentence or two, or None."""
    return _known(block_program, verify, _block_mistakes(), BLOCK_TOYS)


def mistake_of_decoder(decoder):
    """What is wrong with a decoder (``metered``), in a sentence or two, or None."""
    return _known(decoder_program, decoder, _decoder_mistakes(), DECODER_TOYS)


class Counted(NamedTuple):
    """What a metered decoder returns."""

    tokens: tuple
    target_passes: int


def metered(function):
    """The decoder with its target passes counted by us."""

    def decoder(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
        target = Meter(target)
        answer = function(target, draft, prefix, draft_length, n_tokens, rng, stop=stop)
        tokens = getattr(answer, "tokens", answer)
        return tokens if tokens is ... else Counted(tokens, target.scores + target.single)

    return decoder


class Meter:
    """A target that counts its passes: ``scores`` of many positions, ``single`` ones of one."""

    def __init__(self, model):
        self.vocabulary, self._model = model.vocabulary, model
        self.scores = self.single = 0

    def score(self, prefix, tokens):
        self.scores += 1
        return self._model.score(prefix, tokens)

    def next_law(self, prefix):
        self.single += 1
        return self._model.next_law(prefix)


def _known(program, answer, mistakes, toys):
    """Name of the first mistake whose outcomes have the answer's laws on all toys."""
    left = list(mistakes)
    for toy in toys:
        law = _law.__wrapped__(program, answer, toy)
        left = [one for one in left if _near(law, _law(program, mistakes[one], toy))]
    return left[0] if left else None


@cache
def _law(program, function, toy):
    try:
        return run(partial(program, function), toy).law
    except CannotEnumerate:
        return None


def _near(law, other):
    return law is not None and other is not None and distance(law, other) < SMALL


@cache
def _block_mistakes():
    """What is wrong → verifier: the museum's, with its one-token verifiers at every position."""
    blocks = {_said(one): one.function for one in _exhibits(BLOCK)}
    tokens = {_said(one): _at_every_position(one.function) for one in _exhibits(TOKEN, NOTHING)}
    return {None: verify_block} | blocks | tokens


@cache
def _decoder_mistakes():
    """What is wrong → decoder: the right loop around those, the museum's, and slips of loops."""
    blocks = {name: partial(speculate, verify=v) for name, v in _block_mistakes().items()}
    loops = {_said(one): one.function for one in _exhibits(DECODER)}
    slips = {
        "Drafted tokens are tested after a rejection: the first rejection ends the round.": (
            _loop(_testing_on)
        ),
        "A round forgets the prefix: it continues prefix + tokens.": (
            _loop(one_round, lambda prefix, tokens: tokens)
        ),
        "Each round continues the prefix alone: it continues prefix + tokens.": (
            _loop(one_round, lambda prefix, tokens: prefix)
        ),
    }
    return {name: metered(decoder) for name, decoder in (blocks | loops | slips).items()}


def _exhibits(kind, *without):
    """Those that their laws, or what they keep, give away; of blocks also what is right."""
    hidden = HIDDEN.union(without)
    return [one for one in MUSEUM if one.kind == kind and one.needs not in hidden]


def _said(exhibit):
    return f"“{exhibit.name}”. {exhibit.diagnosis}"


def _at_every_position(verify):
    def verify_all(target_laws, draft_laws, tokens, rng):
        for i, token in enumerate(tokens):
            token, accepted = verify(target_laws[i], draft_laws[i], token, rng)
            if not accepted:
                return i, token
        return len(tokens), draw(target_laws[-1], rng)

    return verify_all


def _loop(make_round, continued=lambda prefix, tokens: prefix + tokens):
    """A decoder from its round and from the text that a round continues."""

    def decode(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
        tokens = ()
        while not is_finished(tokens, n_tokens, stop):
            whole = make_round(target, draft, continued(prefix, tokens), draft_length, rng)
            tokens += cut_round(whole, n_tokens - len(tokens), stop).emitted
        return tokens

    return decode


def _testing_on(target, draft, prefix, draft_length, rng):
    """A round that tests every drafted token, also after a rejection."""
    tokens, draft_laws = propose(draft, prefix, draft_length, rng)
    target_laws = target.score(prefix, tokens)
    rows = zip(target_laws, draft_laws, tokens)
    emitted = tuple(verify_token(*row, rng)[0] for row in rows)
    return Round(tokens, 0, (*emitted, draw(target_laws[-1], rng)))
