"""What an exhibit is, and the museum that collects them."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from specnotes.broken.toys import Toy

# Kinds, by the function's arguments:
TOKEN = "token"  # (target, draft, token, rng) -> (token, accepted)
BLOCK = "block"  # (target_laws, draft_laws, tokens, rng) -> (accepted, token)
DECODER = "decoder"  # (target, draft, prefix, draft_length, n_tokens, rng, stop=None) -> tokens
DRAFT = "draft"  # (model, prefix, draft_length, rng) -> (tokens, laws)
MODEL = "model"  # (target, draft, step) -> (target, draft), both after the step

# The least observation that shows the mistake:
ONE_TOKEN = "one token"
LONGER = "first token of a longer block"
JOINT = "joint law"
CONTEXT = "joint law with contexts"
STOP = "stop token"
LENGTH = "number of tokens"
KEPT = "acceptance count"
LEDGER = "the trace's counts"
INPUTS = "inputs after the call"
BOUNDARY = "boundary coin"
ROUNDING = "laws equal up to rounding"
REPLAY = "the same coins again"
NOTHING = "none: it is right"

EXERCISE = "a common slip in exercises"
TEACHING = "teaching repositories"

MUSEUM = []


@dataclass(frozen=True)
class Exhibit:
    """One mistake, or one right thing that looks like a mistake."""

    name: str
    kind: str
    function: Callable
    diagnosis: str
    toy: Toy  # the smallest setting that shows it
    needs: str  # the observation without which it stays hidden
    bias: Fraction | float  # distance from the target's law on the toy
    reported: str

    @property
    def innocent(self):
        return self.needs == NOTHING


def exhibit(name, kind, toy, needs, bias=0, reported=EXERCISE):
    """Put the decorated function into the museum; its docstring's first line is the diagnosis."""

    def put(function):
        diagnosis = function.__doc__.split("\n")[0]
        MUSEUM.append(Exhibit(name, kind, function, diagnosis, toy, needs, bias, reported))
        return function

    return put
