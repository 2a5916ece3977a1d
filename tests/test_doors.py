"""What comes in: bad input is refused with its name, place and value; good input is not touched."""

from decimal import Decimal
from fractions import Fraction as F

import numpy as np
import pytest
from context_models import model

from specnotes.audit.cases import law
from specnotes.coins import EveryCoin
from specnotes.decode import Trace, sample, speculate
from specnotes.exact import decoder_law, distance, round_law, sequence_law
from specnotes.laws import accept_prob, check_law, draw, overlap, residual, total_variation
from specnotes.lockstep import simulate
from specnotes.models import MarkovModel, PrefixModel, toy_pair, transformed
from specnotes.transforms import compose, greedy, min_p, temperature, top_k, top_p
from specnotes.verify import emitted_law, token_kernel, verify_block, verify_token
from specnotes.yields import (
    best_draft_length,
    markov_tokens_per_round,
    operations,
    oracle_speedup,
    speedup,
    stationary_law,
    tokens_law,
    tokens_per_round,
)

NAN, INF = float("nan"), float("inf")
GOOD, EVEN = law(5, 3, 2), law(1, 1, 1)
RNG = np.random.default_rng(0)
TARGET, DRAFT = MarkovModel([GOOD, EVEN, GOOD], EVEN), MarkovModel([EVEN] * 3, GOOD)
PREFIXED = model(3, 1)


class Place:
    """Where in a call a bad value goes: which function, under which name, at what good call."""

    def __init__(self, label, call, name):
        self.label, self.call, self.name = label, call, name


def places(name, **calls):
    return [Place(f"{label}: {name}", call, name) for label, call in calls.items()]


def cross(places, values):
    """Each bad value at each place, with what the message must contain."""
    return [
        pytest.param(
            place.call, bad, message.format(name=place.name), id=f"{place.label} = {bad!r}"
        )
        for place in places
        for bad, message in values
    ]


def refused(call, bad, message):
    with pytest.raises(ValueError) as caught:
        call(bad)
    text = str(caught.value)
    assert all(part in text for part in message.split(" … ")), text
    assert type(caught.value) is ValueError


# Laws.

BAD_LAWS = [
    ([0.5, -0.25, 0.75], "{name}[1] is -0.25, not a probability"),
    ([F(3, 2), F(-1, 4), F(-1, 4)], "{name}[1] is -1/4, not a probability"),
    ([0.5, NAN, 0.5], "{name}[1] is nan, not a probability"),
    ([INF, 0.5, 0.5], "{name}[0] is inf, not a probability"),
    ([F(1, 2), F(1, 2), NAN], "{name}[2] is nan, not a probability"),
    ([0.5, 0.25, 0.2], "{name} sums to 0.95, not to 1"),
    ([F(1, 2), F(1, 4), F(1, 5)], "{name} sums to 19/20, not to 1"),
    ([1, 1, 0], "{name} sums to 2, not to 1"),
    ([], "{name} needs at least one token"),
    (1.0, "{name} needs at least one token"),
    (None, "{name} is None, not a number"),
    ("abc", "{name} is "),
    (["0.5", "0.25", "0.25"], "{name}[0] is … 0.5' … not a number"),
    ([b"0.5", b"0.25", b"0.25"], "{name}[0] is … 0.5' … not a number"),
    ([0.5, Decimal("sNaN"), 0.5], "{name}[1] is Decimal('sNaN'), not a number"),
    ([10**400, 0.5, 0.5], "{name}[0] is 1000"),
    ([0.5, None, 0.5], "{name}[1] is None, not a number"),
    ([0.5, 0.5j, 0.5], "{name}[0] is "),
    ([[0.5, 0.5], [1.0]], "{name} has rows of different lengths"),
    ({0: 1.0}, "{name} is {{0: 1.0}}, not a number"),
]
LAWS = [
    *places(
        "target",
        overlap=lambda bad: overlap(bad, EVEN),
        accept_prob=lambda bad: accept_prob(bad, EVEN),
        residual=lambda bad: residual(bad, EVEN),
        token_kernel=lambda bad: token_kernel(bad, EVEN),
        emitted_law=lambda bad: emitted_law(bad, EVEN),
        verify_token=lambda bad: verify_token(bad, EVEN, 0, RNG),
    ),
    *places(
        "draft",
        overlap=lambda bad: overlap(EVEN, bad),
        accept_prob=lambda bad: accept_prob(EVEN, bad),
        residual=lambda bad: residual(EVEN, bad),
        token_kernel=lambda bad: token_kernel(EVEN, bad),
        emitted_law=lambda bad: emitted_law(EVEN, bad),
        verify_token=lambda bad: verify_token(EVEN, bad, 0, RNG),
    ),
    *places("a", total_variation=lambda bad: total_variation(bad, EVEN)),
    *places("b", total_variation=lambda bad: total_variation(EVEN, bad)),
    *places(
        "law",
        check_law=check_law,
        draw=lambda bad: draw(bad, RNG),
        temperature=lambda bad: temperature(bad, 1),
        top_k=lambda bad: top_k(bad, 1),
        top_p=lambda bad: top_p(bad, 0.5),
        min_p=lambda bad: min_p(bad, 0.5),
        greedy=greedy,
        compose=lambda bad: compose(greedy)(bad),
    ),
    *places("initial", MarkovModel=lambda bad: MarkovModel(TARGET.matrix, bad)),
    *places(
        "the law after (1,)",
        PrefixModel=lambda bad: PrefixModel(lambda prefix: bad, "abc").next_law((1,)),
    ),
]


FALLBACKS = places(
    "fallback",
    token_kernel=lambda bad: token_kernel(EVEN, GOOD, bad),
    emitted_law=lambda bad: emitted_law(EVEN, GOOD, bad),
)
NOT_NONE = [row for row in BAD_LAWS if row[0] is not None]  # no fallback is the residual


@pytest.mark.parametrize("call, bad, message", cross(LAWS, BAD_LAWS) + cross(FALLBACKS, NOT_NONE))
@pytest.mark.filterwarnings("error")
def test_a_bad_law_is_refused(call, bad, message):
    refused(call, bad, message)


def test_a_law_may_not_hold_a_coin():
    with pytest.raises(Exception, match="turned into a float"):
        check_law([EveryCoin().random(), 0.5])


def good_rows(count, bad=None):
    """Exact rows, the last replaced; floats if need be."""
    rows = [list(GOOD) for _ in range(count)]
    return rows if bad is None else [*rows[:-1], bad]


ROWS = [
    *places("matrix", MarkovModel=lambda bad: MarkovModel(good_rows(3, bad), EVEN)),
    *places("matrix", stationary_law=lambda bad: stationary_law(good_rows(3, bad))),
    *places(
        "target_matrix",
        markov=lambda bad: markov_tokens_per_round(good_rows(3, bad), TARGET.matrix, 2),
    ),
    *places(
        "draft_matrix",
        markov=lambda bad: markov_tokens_per_round(TARGET.matrix, good_rows(3, bad), 2),
    ),
    *places(
        "target_laws",
        verify_block=lambda bad: verify_block(good_rows(3, bad), [GOOD] * 2, (0, 0), RNG),
    ),
    *places(
        "draft_laws",
        verify_block=lambda bad: verify_block([GOOD] * 4, good_rows(3, bad), (0, 0, 0), RNG),
    ),
    *places("target", overlap=lambda bad: overlap(good_rows(3, bad), GOOD)),
]
BAD_ROWS = [
    ([F(3, 2), F(-1, 4), F(-1, 4)], "{name}[2, 1] is -1/4, not a probability"),
    ([0.5, -0.25, 0.75], "{name}[2, 1] is -0.25, not a probability"),
    ([0.5, NAN, 0.5], "{name}[2, 1] is nan, not a probability"),
    ([0.5, INF, 0.5], "{name}[2, 1] is inf, not a probability"),
    ([0.5, 0.25, 0.2], "{name}[2] sums to 0.95, not to 1"),
    ([F(1, 2), F(1, 4), F(1, 5)], "{name}[2] sums to 19/20, not to 1"),
    ([0.5, "x", 0.5], "{name}[2, 1] is 'x', not a number"),
    ([0.5, None, 0.5], "{name}[2, 1] is None, not a number"),
    ([0.5, 0.5], "{name} has rows of different lengths"),
]


@pytest.mark.parametrize("call, bad, message", cross(ROWS, BAD_ROWS))
def test_a_bad_row_is_refused_with_its_place(call, bad, message):
    refused(call, bad, message)


TWO = law(1, 1)
SHAPES = {
    "another vocabulary": (lambda: overlap(GOOD, TWO), "draft has 2 tokens, target has 3"),
    "another vocabulary, a and b": (lambda: total_variation(GOOD, TWO), "b has 2 tokens, a has 3"),
    "another vocabulary in a fallback": (
        lambda: token_kernel(GOOD, EVEN, TWO),
        "target has 3 tokens, fallback has 2",
    ),
    "batches that do not match": (
        lambda: residual([GOOD] * 2, [EVEN] * 3),
        "draft of shape (3, 3) does not match target of shape (2, 3)",
    ),
    "a batch to draw": (lambda: draw([GOOD] * 2, RNG), "law must have one axis, not shape (2, 3)"),
    "a batch to verify": (
        lambda: verify_token([GOOD] * 2, EVEN, 0, RNG),
        "target and draft must be (V,), got (2, 3) and (3,)",
    ),
    "a batch of drafts to verify": (
        lambda: verify_token(GOOD, [EVEN] * 2, 0, RNG),
        "target and draft must be (V,), got (3,) and (2, 3)",
    ),
    "too few target laws": (
        lambda: verify_block([GOOD] * 2, [GOOD] * 2, (0, 0), RNG),
        "target_laws has shape (2, 3), not (3, V) for 2 tokens",
    ),
    "one target law": (
        lambda: verify_block(GOOD, [GOOD] * 2, (0, 0), RNG),
        "target_laws has shape (3,), not (3, V)",
    ),
    "too few draft laws": (
        lambda: verify_block([GOOD] * 3, [GOOD], (0, 0), RNG),
        "draft_laws has shape (1, 3), not (2, 3)",
    ),
    "another vocabulary in a block": (
        lambda: verify_block([GOOD] * 2, [TWO], (0,), RNG),
        "draft_laws has shape (1, 2), not (1, 3)",
    ),
    "matrix not square": (
        lambda: MarkovModel([GOOD] * 2, GOOD),
        "matrix has shape (2, 3), initial (3,)",
    ),
    "initial of another size": (
        lambda: MarkovModel([GOOD] * 3, TWO),
        "matrix has shape (3, 3), initial (2,)",
    ),
    "initial with two axes": (lambda: MarkovModel([GOOD] * 3, [GOOD]), "initial (1, 3)"),
    "names of another number": (
        lambda: MarkovModel([GOOD] * 3, GOOD, "ab"),
        "vocabulary has 2 tokens, initial has 3",
    ),
    "a rule of another size": (
        lambda: PrefixModel(lambda prefix: GOOD, "ab").next_law(()),
        "the law after () has shape (3,), not (2,)",
    ),
    "a stationary law of no square": (
        lambda: stationary_law([GOOD] * 2),
        "matrix must be square, got shape (2, 3)",
    ),
    "a stationary law of one row": (lambda: stationary_law(GOOD), "matrix must be square"),
    "matrices of two sizes": (
        lambda: markov_tokens_per_round([GOOD] * 3, [TWO] * 2, 2),
        "draft_matrix has 2 tokens, target_matrix has 3",
    ),
    "matrices not square": (
        lambda: markov_tokens_per_round([GOOD] * 2, [EVEN] * 2, 2),
        "must be square and alike, got (2, 3) and (2, 3)",
    ),
    "models of two vocabularies": (
        lambda: speculate(TARGET, model(2, 1), (), 2, 3, RNG),
        "draft has a vocabulary of 2 tokens, target of 3",
    ),
    "models of two vocabularies, enumerated": (
        lambda: decoder_law(TARGET, model(2, 1), (), 2, 3),
        "draft has a vocabulary of 2 tokens, target of 3",
    ),
    "models of two vocabularies, one round": (
        lambda: round_law(TARGET, model(2, 1), (), 2),
        "draft has a vocabulary of 2 tokens, target of 3",
    ),
    "models of two vocabularies, in step": (
        lambda: simulate(TARGET, MarkovModel([TWO] * 2, TWO), 2, 3, 4, RNG),
        "draft has a vocabulary of 2 tokens, target of 3",
    ),
}


@pytest.mark.parametrize("call, message", SHAPES.values(), ids=SHAPES.keys())
def test_shapes_that_do_not_fit_are_refused(call, message):
    with pytest.raises(ValueError) as caught:
        call()
    assert message in str(caught.value)


# Tokens.

BAD_TOKENS = [
    (3, "{name} is 3, not one of the tokens 0 … 2"),
    (-1, "{name} is -1, not one of"),
    (1.0, "{name} is 1.0, not one of"),
    (np.float64(1), "{name} is … not one of"),
    (NAN, "{name} is nan, not one of"),
    (True, "{name} is True, not one of"),
    (np.True_, "{name} is … not one of"),
    ("a", "{name} is 'a', not one of"),
    ([0], "{name} is [0], not one of"),
    (F(1), "{name} is Fraction(1, 1), not one of"),
]
TOKENS = [
    *places("token", verify_token=lambda bad: verify_token(GOOD, EVEN, bad, RNG)),
    *places(
        "tokens[1]", verify_block=lambda bad: verify_block([GOOD] * 3, [EVEN] * 2, (0, bad), RNG)
    ),
    *places("tokens[1]", score=lambda bad: TARGET.score((), (0, bad))),
    *places("tokens[1]", score_by_rule=lambda bad: PREFIXED.score((), (0, bad))),
    *places(
        "prefix[1]",
        next_law=lambda bad: TARGET.next_law((0, bad)),
        next_law_by_rule=lambda bad: PREFIXED.next_law((0, bad)),
        next_law_asked_before=lambda bad: (PREFIXED.next_law((0, 1)), PREFIXED.next_law((0, bad))),
        score=lambda bad: TARGET.score((0, bad), (0,)),
        score_by_rule=lambda bad: PREFIXED.score((0, bad), (0,)),
        sample=lambda bad: sample(TARGET, (0, bad), 2, RNG),
        speculate=lambda bad: speculate(TARGET, DRAFT, (0, bad), 2, 3, RNG),
        sequence_law=lambda bad: sequence_law(TARGET, (0, bad), 2),
        decoder_law=lambda bad: decoder_law(TARGET, DRAFT, (0, bad), 2, 2),
        round_law=lambda bad: round_law(TARGET, DRAFT, (0, bad), 2),
    ),
    *places(
        "stop",
        sample=lambda bad: sample(TARGET, (), 2, RNG, bad),
        speculate=lambda bad: speculate(TARGET, DRAFT, (), 2, 3, RNG, stop=bad),
        sequence_law=lambda bad: sequence_law(TARGET, (), 2, bad),
        decoder_law=lambda bad: decoder_law(TARGET, DRAFT, (), 2, 2, stop=bad),
    ),
]


@pytest.mark.parametrize("call, bad, message", cross(TOKENS, BAD_TOKENS))
def test_a_token_outside_the_vocabulary_is_refused(call, bad, message):
    refused(call, bad, message)


NO_SEQUENCES = [
    (None, "{name} is None, not a sequence of tokens"),
    (2, "{name} is 2, not a sequence of tokens"),
    (0.5, "{name} is 0.5, not a sequence of tokens"),
    ("the", "{name}["),
]
WHOLE_PREFIX = [
    *places(
        "prefix",
        next_law=TARGET.next_law,
        next_law_by_rule=PREFIXED.next_law,
        score=lambda bad: TARGET.score(bad, ()),
        score_by_rule=lambda bad: PREFIXED.score(bad, ()),
        sample=lambda bad: sample(TARGET, bad, 2, RNG),
        speculate=lambda bad: speculate(TARGET, DRAFT, bad, 2, 3, RNG),
        sequence_law=lambda bad: sequence_law(TARGET, bad, 2),
        decoder_law=lambda bad: decoder_law(TARGET, DRAFT, bad, 2, 2),
        round_law=lambda bad: round_law(TARGET, DRAFT, bad, 2),
    ),
    *places(
        "tokens",
        score=lambda bad: TARGET.score((), bad),
        score_by_rule=lambda bad: PREFIXED.score((), bad),
        verify_block=lambda bad: verify_block([GOOD] * 3, [EVEN] * 2, bad, RNG),
    ),
]


@pytest.mark.parametrize("call, bad, message", cross(WHOLE_PREFIX, NO_SEQUENCES))
def test_what_is_not_a_sequence_of_tokens_is_refused(call, bad, message):
    refused(call, bad, message)


# Whole numbers.

NOT_WHOLE = [
    (-1, "{name} is -1"),
    (1.5, "{name} is 1.5"),
    (2.0, "{name} is 2.0"),
    (NAN, "{name} is nan"),
    (INF, "{name} is inf"),
    (True, "{name} is True"),
    (None, "{name} is None"),
    ("2", "{name} is '2'"),
    ([2], "{name} is [2]"),
    (F(2), "{name} is Fraction(2, 1)"),
]
LENGTHS = places(
    "draft_length",
    tokens_per_round=lambda bad: tokens_per_round(0.5, bad),
    tokens_law=lambda bad: tokens_law(0.5, bad),
    speedup=lambda bad: speedup(0.5, bad, 0.1),
    operations=lambda bad: operations(0.5, bad, 0.1),
    markov=lambda bad: markov_tokens_per_round(TARGET.matrix, DRAFT.matrix, bad),
    speculate=lambda bad: speculate(TARGET, DRAFT, (), bad, 3, RNG),
    speculate_by_rule=lambda bad: speculate(TARGET, DRAFT, (), lambda *_: bad, 3, RNG),
    decoder_law=lambda bad: decoder_law(TARGET, DRAFT, (), bad, 2),
    decoder_law_by_rule=lambda bad: decoder_law(TARGET, DRAFT, (), lambda *_: bad, 2),
    round_law=lambda bad: round_law(TARGET, DRAFT, (), bad),
    simulate=lambda bad: simulate(TARGET, DRAFT, bad, 3, 4, RNG),
)
FROM_ONE = [
    *LENGTHS,
    *places("k", top_k=lambda bad: top_k(GOOD, bad)),
    *places("longest", best_draft_length=lambda bad: best_draft_length(0.5, 0.1, bad)),
    *places("chains", simulate=lambda bad: simulate(TARGET, DRAFT, 2, 3, bad, RNG)),
]
FROM_ZERO = [
    *places(
        "n_tokens",
        sample=lambda bad: sample(TARGET, (), bad, RNG),
        speculate=lambda bad: speculate(TARGET, DRAFT, (), 2, bad, RNG),
        sequence_law=lambda bad: sequence_law(TARGET, (), bad),
        decoder_law=lambda bad: decoder_law(TARGET, DRAFT, (), 2, bad),
        simulate=lambda bad: simulate(TARGET, DRAFT, 2, bad, 4, RNG),
    ),
    *places("seed", toy_pair=lambda bad: toy_pair(0.5, 0.5, bad)),
]


@pytest.mark.parametrize(
    "call, bad, message",
    [*cross(FROM_ONE, [(0, "{name} is 0"), *NOT_WHOLE]), *cross(FROM_ZERO, NOT_WHOLE)],
)
def test_what_is_not_a_whole_number_in_range_is_refused(call, bad, message):
    refused(call, bad, message)


# Rates, costs and shares.

NO_NUMBERS = [
    (-0.1, "{name} is -0.1"),
    (F(-1, 10), "{name} is -1/10"),
    (NAN, "{name} is nan"),
    (INF, "{name} is inf"),
    (None, "{name} is None"),
    ("0.5", "{name} is '0.5'"),
    (True, "{name} is True"),
    (0.5j, "{name} is 0.5j"),
    ([0.5, -0.5], "{name}"),
]
ABOVE_ONE = [(1.5, "{name} is 1.5, not in"), (F(3, 2), "{name} is 3/2, not in")]
IN_A_BATCH = [
    ([0.5, -0.5], "{name}[1] is -0.5"),
    ([[0.5, NAN]], "{name}[0, 1] is nan"),
    ([0.5, "x"], "{name} is "),
    ([[0.1], [0.1, 0.2]], "{name} is "),
    (np.array([True]), "{name} is "),
]
RATES = places(
    "acceptance_rate",
    tokens_per_round=lambda bad: tokens_per_round(bad, 2),
    tokens_law=lambda bad: tokens_law(bad, 2),
    speedup=lambda bad: speedup(bad, 2, 0.1),
    operations=lambda bad: operations(bad, 2, 0.1),
    oracle_speedup=lambda bad: oracle_speedup(bad, 0.1),
)
COSTS = [
    *places(
        "cost_ratio",
        speedup=lambda bad: speedup(0.5, 2, bad),
        oracle_speedup=lambda bad: oracle_speedup(0.5, bad),
        trace_speedup=lambda bad: Trace((0,), (), 1, 2).speedup(bad),
    ),
    *places("operations_ratio", operations=lambda bad: operations(0.5, 2, bad)),
]
SINGLE_RATE = places("acceptance_rate", best_draft_length=lambda bad: best_draft_length(bad, 0.1))
SINGLE_COST = places("cost_ratio", best_draft_length=lambda bad: best_draft_length(0.5, bad))


@pytest.mark.parametrize(
    "call, bad, message",
    [
        *cross(RATES + SINGLE_RATE, NO_NUMBERS + ABOVE_ONE),
        *cross(COSTS + SINGLE_COST, NO_NUMBERS),
        *cross(RATES + COSTS, IN_A_BATCH),
        *cross(SINGLE_RATE + SINGLE_COST, [([0.5, 0.6], "{name} is … not one number")]),
    ],
)
def test_a_rate_or_cost_out_of_range_is_refused(call, bad, message):
    refused(call, bad, message)


SHARES = [
    *places("mass", top_p=lambda bad: top_p(GOOD, bad)),
    *places("floor", min_p=lambda bad: min_p(GOOD, bad)),
    *places("certainty", toy_pair=lambda bad: toy_pair(bad, 0.5, 0)),
    *places("match", toy_pair=lambda bad: toy_pair(0.5, bad, 0)),
]
NO_SHARES = [
    (-0.1, "{name} is -0.1, not in"),
    (1.5, "{name} is 1.5, not in"),
    (NAN, "{name} is nan, not in"),
    (INF, "{name} is inf, not in"),
    (None, "{name} is None, not in"),
    ("0.5", "{name} is '0.5', not in"),
    ([0.5], "{name} is [0.5], not in"),
]
TEMPERATURES = places("t", temperature=lambda bad: temperature(GOOD, bad))
NO_TEMPERATURES = [
    (0, "{name} is 0, not a positive number (for 0 use greedy)"),
    (-1, "{name} is -1, not a positive"),
    (NAN, "{name} is nan"),
    (INF, "{name} is inf"),
    (None, "{name} is None"),
    ("1", "{name} is '1'"),
    ([1.0], "{name} is [1.0]"),
]


@pytest.mark.parametrize(
    "call, bad, message",
    [
        *cross(SHARES, NO_SHARES),
        *cross(SHARES[:1], [(0, "mass is 0, not in (0, 1]")]),
        *cross(TEMPERATURES, NO_TEMPERATURES),
    ],
)
def test_a_share_or_temperature_out_of_range_is_refused(call, bad, message):
    refused(call, bad, message)


# Models, functions, laws of sequences.

MODELS = [
    *places("model", sample=lambda bad: sample(bad, (), 2, RNG)),
    *places("model", sequence_law=lambda bad: sequence_law(bad, (), 2)),
    *places("model", transformed=lambda bad: transformed(bad, greedy).next_law(())),
    *places(
        "target",
        speculate=lambda bad: speculate(bad, DRAFT, (), 2, 3, RNG),
        decoder_law=lambda bad: decoder_law(bad, DRAFT, (), 2, 2),
        round_law=lambda bad: round_law(bad, DRAFT, (), 2),
        simulate=lambda bad: simulate(bad, DRAFT, 2, 3, 4, RNG),
    ),
    *places(
        "draft",
        speculate=lambda bad: speculate(TARGET, bad, (), 2, 3, RNG),
        decoder_law=lambda bad: decoder_law(TARGET, bad, (), 2, 2),
        round_law=lambda bad: round_law(TARGET, bad, (), 2),
        simulate=lambda bad: simulate(TARGET, bad, 2, 3, 4, RNG),
    ),
]


class OnlyNames:
    """Has a vocabulary and no laws."""

    vocabulary = (0, 1, 2)

    def __repr__(self):  # test names must not change from run to run
        return "<only names>"


class OnlyLaws:
    """Has laws and no vocabulary, which a draft may do without."""

    next_law, score = DRAFT.next_law, DRAFT.score


class ScoresOnly:
    """No next law: not a model."""

    vocabulary = range(3)

    def score(self, prefix, tokens):
        return [EVEN] * (len(tokens) + 1)

    def __repr__(self):
        return "scores only"


NO_MODELS = [
    (OnlyNames(), "{name} is <"),
    (None, "{name} is None"),
    (3, "{name} is 3"),
    ("abc", "{name} is 'abc'"),
    ([], "{name}"),
    (ScoresOnly(), "{name} is scores only"),
]


@pytest.mark.parametrize("call, bad, message", cross(MODELS, NO_MODELS))
def test_what_is_not_a_model_is_refused(call, bad, message):
    refused(call, bad, message)


@pytest.mark.parametrize("place", [place for place in MODELS if place.name != "draft"])
def test_a_model_without_vocabulary_is_refused(place):
    refused(place.call, OnlyLaws(), f"{place.name} is <")


def test_a_draft_may_do_without_vocabulary():
    assert decoder_law(TARGET, OnlyLaws(), (), 2, 2) == sequence_law(TARGET, (), 2)


@pytest.mark.parametrize("which", ["target", "draft"])
def test_chains_in_step_need_markov_models(which):
    pair = {"target": TARGET, "draft": DRAFT, which: PREFIXED}
    with pytest.raises(ValueError, match=f"{which} is .* not a MarkovModel"):
        simulate(**pair, draft_length=2, n_tokens=3, chains=4, rng=RNG)


FUNCTIONS = [
    *places("rule", PrefixModel=lambda bad: PrefixModel(bad, "ab")),
    *places("step", transformed=lambda bad: transformed(TARGET, bad)),
    *places("steps[1]", compose=lambda bad: compose(greedy, bad)),
]


@pytest.mark.parametrize(
    "call, bad, message", cross(FUNCTIONS, [(None, "{name} is None"), (3, "{name} is 3")])
)
def test_what_is_not_a_function_is_refused(call, bad, message):
    refused(call, bad, message)


VOCABULARIES = places(
    "vocabulary",
    PrefixModel=lambda bad: PrefixModel(lambda prefix: GOOD, bad),
    MarkovModel=lambda bad: MarkovModel(TARGET.matrix, GOOD, bad),
)


@pytest.mark.parametrize(
    "call, bad, message",
    cross(VOCABULARIES, [(3, "{name} is 3, not a sequence of names"), ("", "{name} is empty")]),
)
def test_a_bad_vocabulary_is_refused(call, bad, message):
    refused(call, bad, message)


DICTS = [
    *places("law_a", distance=lambda bad: distance(bad, {0: 1})),
    *places("law_b", distance=lambda bad: distance({0: 1}, bad)),
]


@pytest.mark.parametrize(
    "call, bad, message",
    cross(DICTS, [(None, "{name} is None, not a dict"), ([0.5, 0.5], "{name} is [0.5, 0.5], not")]),
)
def test_a_law_of_sequences_that_is_not_a_dict_is_refused(call, bad, message):
    refused(call, bad, message)


def test_an_empty_trace_has_no_speedup():
    with pytest.raises(ValueError, match="tokens is empty"):
        Trace((), (), 0, 0).speedup(0.1)


# Good input is not touched.


def read_only(values, kind):
    array = np.array(values).astype(kind)
    array.setflags(write=False)
    return array


CALLS = {
    "overlap": lambda t, d: overlap(t, d),
    "total_variation": lambda t, d: total_variation(t, d),
    "accept_prob": lambda t, d: accept_prob(t, d),
    "residual": lambda t, d: residual(t, d),
    "residual of equal laws": lambda t, d: residual(t, t),
    "check_law": lambda t, d: check_law(t),
    "draw": lambda t, d: draw(t[0], RNG),
    "temperature": lambda t, d: temperature(t, F(1, 2)),
    "top_k": lambda t, d: top_k(t, 2),
    "top_p": lambda t, d: top_p(t, F(1, 2)),
    "min_p": lambda t, d: min_p(t, F(1, 2)),
    "greedy": lambda t, d: greedy(t),
    "token_kernel": lambda t, d: token_kernel(t, d, t),
    "emitted_law": lambda t, d: emitted_law(t, d, d),
    "verify_token": lambda t, d: [verify_token(t[0], d[0], 2, RNG) for _ in range(9)],
    "verify_block": lambda t, d: [verify_block(t, d[:2], (2, 2), RNG) for _ in range(9)],
    "MarkovModel": lambda t, d: speculate(
        MarkovModel(t, t[0]), MarkovModel(d, d[0]), (), 2, 9, RNG
    ),
    "transformed": lambda t, d: transformed(MarkovModel(t, t[0]), greedy),
    "PrefixModel": lambda t, d: PrefixModel(lambda prefix: t[0], "abc").score((), (1,)),
    "simulate": lambda t, d: simulate(MarkovModel(t, t[0]), MarkovModel(d, d[0]), 2, 9, 5, RNG),
    "markov_tokens_per_round": lambda t, d: markov_tokens_per_round(t, d, 2),
    "stationary_law": lambda t, d: stationary_law(t),
    "tokens_per_round": lambda t, d: tokens_per_round(t, 3),
    "tokens_law": lambda t, d: tokens_law(t, 3),
    "speedup": lambda t, d: speedup(t, 3, d),
    "operations": lambda t, d: operations(t, 3, d),
    "oracle_speedup": lambda t, d: oracle_speedup(t, d),
}


@pytest.mark.parametrize("kind", [object, np.float64, np.float32])
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_read_only_input_is_not_touched(call, kind):
    target, draft = read_only([GOOD, law(0, 1, 2), EVEN], kind), read_only([EVEN, GOOD, EVEN], kind)
    before = target.tolist(), draft.tolist()
    call(target, draft)
    assert (target.tolist(), draft.tolist()) == before


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_a_result_shares_no_memory_that_a_caller_could_spoil(call):
    """A result that is a view of the input would change with it; returning it whole is allowed."""
    target, draft = np.array([GOOD, law(0, 1, 2), EVEN], float), np.array([EVEN, GOOD, EVEN], float)
    result = call(target, draft)
    if isinstance(result, np.ndarray) and result is not target:
        assert not np.shares_memory(result, target) and not np.shares_memory(result, draft)


def test_lists_are_not_touched():
    prefix, tokens = [0, 1], [2, 2]
    speculate(TARGET, DRAFT, prefix, 2, 5, RNG)
    verify_block([list(GOOD)] * 3, [list(EVEN)] * 2, tokens, RNG)
    assert (prefix, tokens) == ([0, 1], [2, 2])
