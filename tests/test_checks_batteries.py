"""Checks of notebook 08: right answers of many forms pass, each known mistake is named."""

import importlib

import numpy as np
import pytest

from specnotes import audit
from specnotes.audit import line_up
from specnotes.audit.battery import TESTS
from specnotes.audit.cases import law
from specnotes.audit.line_up import CHOICE, suspect
from specnotes.broken import MUSEUM
from specnotes.checks import batteries, trials, unnamed
from specnotes.exact import decoder_law, distance, sequence_law
from specnotes.laws import draw
from specnotes.models import MarkovModel
from specnotes.verify import verify_block, verify_token

museum = {exhibit.name: exhibit for exhibit in MUSEUM}


def parametrize(names, table):
    return pytest.mark.parametrize(names, table.values(), ids=table.keys())


def refuses(result, words):
    assert result.attempted and not result.ok
    assert words in result.message


def open_yet(result):
    assert not result.attempted and not result.ok


LAWS_OF_ROUND = np.full((2, 3), 1 / 3)
ROUND = LAWS_OF_ROUND, LAWS_OF_ROUND[:1], (0,), np.random.default_rng(0)


def alike(*laws):
    return [MarkovModel([one] * len(one), one) for one in laws]


def off(verify, models, gamma, n_tokens, most=1e-9):
    found = decoder_law(*models, (), gamma, n_tokens, verify=verify)
    return float(distance(found, sequence_law(models[0], (), n_tokens))) > most


# Exercise 1


@parametrize("answer", {"small": "aed", "capitals": "AED", "spaces": ["a ", " e", "d"]})
def test_the_right_letters_pass(answer):
    assert batteries.named_mistakes(*answer).ok


@parametrize(
    "answer, words",
    {
        "first": ("bed", "first: not the inverted ratio"),
        "second": ("add", "second: not the bonus from the draft"),
        "third": ("aec", "third: not the bonus from the row before. On these laws it would have"),
        "harmless there": ("cea", "first: not the bonus from the row before"),
        "no letter": ("xed", "none of the letters"),
    },
)
def test_a_wrong_letter_is_answered_with_what_it_would_do(answer, words):
    refuses(batteries.named_mistakes(*answer), words)


def test_an_open_letter_is_not_attempted():
    open_yet(batteries.named_mistakes("a", ..., "d"))


@pytest.mark.parametrize("case", batteries.CASES)
def test_each_counter_example_fits_one_letter_only(case):
    finding = batteries.counter_example(case)
    seen = {tokens: mass for tokens, mass in finding.actual.items() if mass}
    fits = [n for n in batteries.MISTAKES.values() if batteries._law_on(finding, n) == seen]
    assert fits == [batteries.CASES[case]]


# Exercise 2


def by_pairs(verify):
    return off(verify, alike(law(5, 3, 2), law(2, 2, 6)), 2, 2)


def first(count):
    """The test that runs the verifier, and objects to the first ones it meets."""
    met = []

    def test(verify):
        met.append(verify(*ROUND))
        return len(met) <= count

    return test


def by_triples_of_two_tokens(verify):
    return off(verify, alike(law(2, 1), law(1, 2)), 2, 3)


def by_the_choice(verify):
    return CHOICE["i.i.d. toy"](suspect(verify))


@parametrize("test", {f.__name__: f for f in (by_pairs, by_triples_of_two_tokens, by_the_choice)})
def test_a_test_for_the_shared_coin_passes_in_any_form(test):
    assert trials.shared_coin_test(test).ok


@parametrize(
    "test, words",
    {
        "first token": (lambda v: off(v, alike(law(5, 3, 2), law(2, 2, 6)), 2, 1), "two tokens"),
        "γ = 1": (lambda v: off(v, alike(law(5, 3, 2), law(2, 2, 6)), 1, 3), "one drafted token"),
        "equal laws": (lambda v: off(v, alike(law(1, 1), law(1, 1)), 2, 2), "decides nothing"),
        "asks nothing": (lambda v: False, "never runs the verifier"),
        "asks nothing, objects": (lambda v: True, "never runs the verifier"),
        "by its name": (
            lambda v: v.__name__ in ("one_coin_for_block", "one_coin_at_once"),
            "never runs the verifier",
        ),
        "always": (lambda v: bool(v(*ROUND)), "accuses every right verifier"),
        "always, never": (lambda v: not v(*ROUND), "one drafted token at a time"),
        "the wrong way round": (lambda v: not by_pairs(v), "the wrong way round"),
        "without tolerance": (
            lambda v: off(v, alike(law(5, 3, 2), law(2, 2, 6)), 2, 2, most=0),
            "allow for rounding",
        ),
        "a number": (lambda v: 0.08, "return True (caught) or False"),
        "raises": (lambda v: 1 // 0, "ZeroDivisionError"),
    },
)
def test_a_blind_or_unjust_test_is_told_why(test, words):
    refuses(trials.shared_coin_test(test), words)


def test_a_test_that_counts_its_calls_depends_on_luck(monkeypatch):
    monkeypatch.setattr(trials, "shuffled", sorted)
    refuses(trials.shared_coin_test(first(4)), "the verifier with one coin passes")


def test_suspects_come_in_another_order_each_time():
    assert len({tuple(trials.shuffled(range(30))) for _ in range(5)}) == 5  # 5 orders out of 30!


def test_a_suspect_has_no_name_and_no_inside_of_its_own():
    one, other = (unnamed.suspect(verify)[0] for verify in (verify_block, by_pairs))
    assert one.__name__ == other.__name__ and not hasattr(one, "__closure__")
    assert not hasattr(one, "__dict__")
    assert repr(one).split(" at ")[0] == repr(other).split(" at ")[0]


def test_an_open_test_is_not_attempted():
    open_yet(trials.shared_coin_test(lambda verify: ...))


def test_the_two_shared_coins_have_one_law():
    models = alike(law(5, 3, 2), law(2, 2, 6))
    one = museum["one coin for the whole block"].function
    laws = [decoder_law(*models, (), 2, 3, verify=v) for v in (one, trials.one_coin_at_once)]
    assert laws[0] == laws[1]


# Exercise 3

ROW, ARGMAX = {"first token", "i.i.d. toy"}, {"greedy equality", "first token"}


@parametrize("answer", {"sets": (ROW, ARGMAX), "lists": (list(ROW), tuple(ARGMAX))})
def test_the_blind_tests_pass(answer):
    assert batteries.blind_tests(*answer).ok


@parametrize(
    "answer, words",
    {
        "exchanged": ((ARGMAX, ROW), "greedy equality sees “bonus from the row before”"),
        "one missing": (({"first token"}, ARGMAX), "i.i.d. toy is blind to"),
        "one too many": ((ROW, ARGMAX | {"γ = 1"}), "γ = 1 sees “bonus by argmax”"),
        "all": ((set(batteries.ASKED), ARGMAX), "greedy equality sees"),
        "a word": (("first token", ARGMAX), "i.i.d. toy is blind to"),
        "no test": (({"first tokens"}, ARGMAX), "none of greedy equality"),
    },
)
def test_wrong_blind_tests_are_named(answer, words):
    refuses(batteries.blind_tests(*answer), words)


def test_open_sets_are_not_attempted():
    open_yet(batteries.blind_tests(ROW, ...))


# Exercise 4


def choice_battery(*names):
    return lambda verify: not any(CHOICE[name](suspect(verify)) for name in names)


LAWS = "joint law", "nasty laws"
STATE = "inputs unchanged", "same coins again"
ALL = choice_battery(*LAWS, *STATE, "boundary coins")
RIGHT = [verify for e, verify in line_up.verifiers().values() if line_up.is_lawful(e)]
RIGHT_NAMES = {verify.__name__ for verify in RIGHT}


def ships(verdict):
    """The battery that runs the verifier once, and then says what it would have said anyway."""

    def would_ship(verify):
        verify(*ROUND)
        return verdict(verify)

    return would_ship


def refuses_after(count):
    """A battery that works, and refuses whatever comes late."""
    met = []

    def would_ship(verify):
        met.append(verify(*ROUND))
        return len(met) <= count and ALL(verify)

    return would_ship


def same_coins_same_answer(one, other):
    """Do two verifiers agree, coin for coin?"""
    target, draft = (np.array([laws] * 3) for laws in ([0.5, 0.3, 0.2], [0.2, 0.3, 0.5]))
    seeds = range(60)
    return all(
        one(target, draft[:2], (2, 2), np.random.default_rng(seed))
        == other(target, draft[:2], (2, 2), np.random.default_rng(seed))
        for seed in seeds
    )


def test_a_battery_made_of_the_line_ups_tests_kills_all():
    result = trials.battery(choice_battery(*LAWS, *STATE, "boundary coins"))
    assert result.ok
    assert "kills 17 of 17, spares 6 of 6" in result.message
    assert "and spares 4 right ones" in result.message


def test_a_battery_of_laws_alone_passes_and_hears_what_it_misses():
    result = trials.battery(choice_battery("joint law", "nasty laws"))
    assert result.ok
    assert "spares 6 of 6: misses " in result.message
    assert "N (look at: boundary coin), T (look at: inputs" in result.message


@parametrize(
    "would_ship, words",
    {
        "runs nothing": (lambda v: True, "never runs the verifier: it says True"),
        "runs nothing, refuses": (lambda v: False, "never runs the verifier: it says False"),
        "ships all": (ships(lambda v: True), "kills 0 of 17, spares 6 of 6; 14 are wanted"),
        "ships none": (ships(lambda v: False), "it ships none, right or wrong"),
        "by the name": (
            ships(lambda v: v.__name__ in RIGHT_NAMES or v.__qualname__ in RIGHT_NAMES),
            "it raised AttributeError",
        ),
        "by the closure": (
            ships(lambda v: v.__closure__[0].cell_contents.__name__ in RIGHT_NAMES),
            "it raised AttributeError",
        ),
        "the wrong way round": (lambda v: not ALL(v), "the wrong way round"),
        "most the wrong way round": (
            lambda v: CHOICE["joint law"](suspect(v)),
            "what it objects to is no mistake. Is it the wrong way round?",
        ),
        "over-strict": (
            lambda v: ALL(v) and any(same_coins_same_answer(v, r) for r in RIGHT),
            "of those that you have not met it would not ship",
        ),
        "greedy": (choice_battery("greedy equality"), "spares 6 of 6; 14 are wanted. It misses"),
        "counts acceptance": (choice_battery(*LAWS, "acceptance count"), "a price, not an error"),
        "raises": (lambda v: undefined(v), "before that"),  # noqa: F821
        "runs, and raises": (ships(lambda v: undefined(v)), "it raised NameError"),  # noqa: F821
        "accuses all that is right": (
            ships(lambda v: not CHOICE["joint law"](suspect(v)) and v(*ROUND)[1] < 0),
            "it ships none",
        ),
        "says yes": (ships(lambda v: "yes"), "return True (ship it) or False"),
    },
)
def test_a_poor_battery_gets_its_score_and_a_reason(would_ship, words):
    refuses(trials.battery(would_ship), words)


def test_a_battery_that_refuses_whatever_comes_late_refuses_right_ones(monkeypatch):
    monkeypatch.setattr(trials, "shuffled", list)  # the line-up first
    refuses(trials.battery(refuses_after(23)), "of those that you have not met it would not ship")


def test_a_battery_that_counts_its_calls_has_no_order_to_rely_on():
    calls = []

    def by_number(verify):
        verify(*ROUND)
        calls.append(verify)
        return list(line_up.verifiers().values())[len(calls) % 23][0].innocent

    assert not trials.battery(by_number).ok  # right by luck: less than 1 in 100,000


def test_a_battery_without_tolerance_is_told_about_floats():
    models = alike(law(5, 3, 2), law(2, 2, 6))
    refuses(trials.battery(lambda v: not off(v, models, 2, 3, most=0)), "allow for rounding")


def test_the_audit_itself_is_no_battery_of_ones_own():
    from specnotes.audit import audit_verifier

    refuses(trials.battery(audit_battery), "write your own")
    refuses(trials.battery(lambda v: audit_verifier(v).ok), "write your own")
    refuses(trials.battery(by_another_name), "write your own")
    refuses(trials.battery(lambda v: audit_verifier(lambda *given: v(*given)).ok), "write your own")
    refuses(trials.battery(by_the_tests), "write your own")


def by_another_name(verify):
    return getattr(importlib.import_module("specnotes.audit"), "audit_" + "verifier")(verify).ok


def by_the_tests(verify):
    return not TESTS["audit: wrong"](suspect(verify))


def audit_battery(verify):
    return audit.audit_verifier(verify).ok


def test_an_endless_battery_is_stopped(monkeypatch):
    monkeypatch.setattr(trials, "PATIENCE", 0.3)

    def endless(verify):
        while True:
            pass

    refuses(trials.battery(endless), " alone")


def test_an_open_battery_is_not_attempted():
    open_yet(trials.battery(lambda verify: ...))


# Exercise 5


def fallback_on_the_second(target_laws, draft_laws, tokens, rng):
    """The wrong fallback, where two were drafted in two contexts and nothing is certain."""
    for i, drafted in enumerate(tokens):
        token, accepted = verify_token(target_laws[i], draft_laws[i], drafted, rng)
        if not accepted:
            uneven = i and (target_laws[i] != target_laws[0]).any()
            return i, draw(target_laws[i], rng) if uneven else token
    return len(tokens), draw(target_laws[-1], rng)


def frozen_draft(target_laws, draft_laws, tokens, rng):
    return museum["draft law of the first position"].function(target_laws, draft_laws, tokens, rng)


@parametrize("verify", {f.__name__: f for f in (fallback_on_the_second, frozen_draft)})
def test_a_verifier_that_needs_two_positions_and_contexts_slips_past(verify):
    assert batteries.sly_verifier(verify).ok


def forgotten(verify):
    """The verifier without its last line."""
    return lambda *given: verify(*given) and None


def at_once(answer):
    return lambda target_laws, draft_laws, tokens, rng: answer


def crashes(verify, when):
    """The verifier, where it does not raise an error."""

    def verified(target_laws, draft_laws, tokens, rng):
        if when(target_laws, draft_laws, tokens):
            raise ValueError("no such case")
        return verify(target_laws, draft_laws, tokens, rng)

    return verified


def crashes_at_zero(target_laws, draft_laws, tokens, rng):
    coin = rng.random()
    if coin == 0:
        raise ValueError("a coin of 0")
    return frozen_draft(target_laws, draft_laws, tokens, rng)


def overdrawn(target_laws, draft_laws, tokens, rng):
    rng.normal()
    return verify_block(target_laws, draft_laws, tokens, rng)


SEEN = "A verifier that crashes, or gives no verdict, is seen at once"


@parametrize(
    "verify, words",
    {
        "right": (verify_block, "the audit finds nothing wrong"),
        "right, other form": (museum["vectorised"].function, "the audit finds nothing wrong"),
        "wasteful only": (museum["draft ignored"].function, "the audit finds nothing wrong"),
        "shared coin": (museum["one coin for the whole block"].function, "“i.i.d. toy”"),
        "bonus row": (museum["bonus from the row before"].function, "“greedy equality”"),
        "argmax": (museum["bonus by argmax"].function, "“γ = 1”"),
        "overwrites": (museum["rows overwritten by residuals"].function, "“inputs unchanged”"),
        "keeps all": (lambda p, q, x, rng: (len(x), draw(p[-1], rng)), "catches it"),
        "nothing": (at_once(None), SEEN),
        "raises": (lambda p, q, x, rng: int("no"), SEEN),
        "a typo": (lambda p, q, x, rng: verify_blok(p, q, x, rng), SEEN),  # noqa: F821
        "a token alone": (at_once(0), SEEN),
        "too many": (at_once((9, 0)), SEEN),
        "less than none": (lambda p, q, x, rng: (-1, draw(p[0], rng)), SEEN),
        "words": (at_once(("0", "x")), SEEN),
        "three values": (lambda p, q, x, rng: (*verify_block(p, q, x, rng), True), SEEN),
        "NaN": (at_once((0, float("nan"))), SEEN),
        "no return": (forgotten(verify_block), SEEN),
        "no return, sly": (forgotten(fallback_on_the_second), SEEN),
        "crashes on three": (crashes(frozen_draft, lambda p, q, x: len(x) > 2), SEEN),
        "crashes on zeros": (crashes(frozen_draft, lambda p, q, x: (p == 0).any()), SEEN),
        "crashes on a coin": (crashes_at_zero, SEEN),
        "normal draws": (overdrawn, "cannot follow it"),
    },
)
def test_what_is_right_or_caught_is_not_sly(verify, words):
    refuses(batteries.sly_verifier(verify), words)


def test_an_open_verifier_is_not_attempted():
    open_yet(batteries.sly_verifier(lambda target_laws, draft_laws, tokens, rng: ...))


# The line-up


def test_the_line_up_has_eighteen_wrong_and_eight_right_decoders():
    lawful = [line_up.is_lawful(exhibit) for exhibit in line_up.line_up().values()]
    assert (lawful.count(False), lawful.count(True)) == (18, 8)


def test_six_tests_catch_every_wrong_decoder_and_accuse_no_right_one():
    six = *LAWS, *STATE, "stop token", "boundary coins"
    caught = {
        letter: any(line_up.catches(test, exhibit) for test in six)
        for letter, exhibit in line_up.line_up().items()
    }
    assert caught == {x: not line_up.is_lawful(e) for x, e in line_up.line_up().items()}


def test_a_good_draft_hides_a_wrong_correction_and_shows_a_wrong_bonus():
    def signal(name, share):
        right, found = line_up.three_tokens(museum[name], share)
        return ((found - right) ** 2 / right).sum()

    assert signal("wrong fallback", 1) > 5000 * signal("wrong fallback", line_up.Fraction(1, 100))
    bonus = "bonus from the row before"
    assert signal(bonus, 1) < signal(bonus, line_up.Fraction(1, 100)) / 5


def test_the_sampled_test_spares_every_right_decoder_on_its_seed():
    right = [e for e in line_up.line_up().values() if line_up.is_lawful(e)]
    assert not any(line_up.sampled(e, 1, n) for e in right for n in (100, 1000, 20_000))
