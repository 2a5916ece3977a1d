"""Checks of notebook 08: right answers of many forms pass, each known mistake is named."""

import pytest

from specnotes import audit
from specnotes.audit import line_up
from specnotes.audit.cases import law
from specnotes.audit.line_up import CHOICE, suspect
from specnotes.broken import MUSEUM
from specnotes.checks import batteries
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


def by_triples_of_two_tokens(verify):
    return off(verify, alike(law(2, 1), law(1, 2)), 2, 3)


def by_the_choice(verify):
    return CHOICE["i.i.d. toy"](suspect(verify))


@parametrize("test", {f.__name__: f for f in (by_pairs, by_triples_of_two_tokens, by_the_choice)})
def test_a_test_for_the_shared_coin_passes_in_any_form(test):
    assert batteries.shared_coin_test(test).ok


@parametrize(
    "test, words",
    {
        "first token": (lambda v: off(v, alike(law(5, 3, 2), law(2, 2, 6)), 2, 1), "two tokens"),
        "γ = 1": (lambda v: off(v, alike(law(5, 3, 2), law(2, 2, 6)), 1, 3), "one drafted token"),
        "equal laws": (lambda v: off(v, alike(law(1, 1), law(1, 1)), 2, 2), "decides nothing"),
        "asks nothing": (lambda v: False, "never runs the verifier"),
        "always": (lambda v: True, "accuses a right verifier"),
        "without tolerance": (
            lambda v: off(v, alike(law(5, 3, 2), law(2, 2, 6)), 2, 2, most=0),
            "allow for rounding",
        ),
        "a number": (lambda v: 0.08, "return True (caught) or False"),
        "raises": (lambda v: 1 // 0, "ZeroDivisionError"),
    },
)
def test_a_blind_or_unjust_test_is_told_why(test, words):
    refuses(batteries.shared_coin_test(test), words)


def test_an_open_test_is_not_attempted():
    open_yet(batteries.shared_coin_test(lambda verify: ...))


def test_the_two_shared_coins_have_one_law():
    models = alike(law(5, 3, 2), law(2, 2, 6))
    one = museum["one coin for the whole block"].function
    laws = [decoder_law(*models, (), 2, 3, verify=v) for v in (one, batteries.one_coin_at_once)]
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


def test_a_battery_made_of_the_line_ups_tests_kills_all():
    result = batteries.battery(choice_battery(*LAWS, *STATE, "boundary coins"))
    assert result.ok
    assert "kills 17 of 17, spares 6 of 6" in result.message


def test_a_battery_of_laws_alone_passes_and_hears_what_it_misses():
    result = batteries.battery(choice_battery("joint law", "nasty laws"))
    assert result.ok
    assert "spares 6 of 6: misses " in result.message
    assert "N (look at: boundary coin), T (look at: inputs" in result.message


@parametrize(
    "would_ship, words",
    {
        "ships all": (lambda v: True, "kills 0 of 17, spares 6 of 6; 14 are wanted"),
        "ships none": (lambda v: False, "kills 17 of 17, spares 0 of 6"),
        "greedy": (choice_battery("greedy equality"), "spares 6 of 6; 14 are wanted. It misses"),
        "counts acceptance": (choice_battery(*LAWS, "acceptance count"), "a price, not an error"),
        "always raises": (lambda v: undefined(v), "it raised NameError"),  # noqa: F821
        "says yes": (lambda v: "yes", "return True (ship it) or False"),
    },
)
def test_a_poor_battery_gets_its_score_and_a_reason(would_ship, words):
    refuses(batteries.battery(would_ship), words)


def test_a_battery_without_tolerance_is_told_about_floats():
    models = alike(law(5, 3, 2), law(2, 2, 6))
    refuses(batteries.battery(lambda v: not off(v, models, 2, 3, most=0)), "allow for rounding")


def test_the_audit_itself_is_no_battery_of_ones_own():
    from specnotes.audit import audit_verifier

    refuses(batteries.battery(audit_battery), "write your own")
    refuses(batteries.battery(lambda v: audit_verifier(v).ok), "write your own")


def audit_battery(verify):
    return audit.audit_verifier(verify).ok


def test_an_endless_battery_is_stopped(monkeypatch):
    monkeypatch.setattr(batteries, "PATIENCE", 0.3)

    def endless(verify):
        while True:
            pass

    refuses(batteries.battery(endless), "for verifier A alone")


def test_an_open_battery_is_not_attempted():
    open_yet(batteries.battery(lambda verify: ...))


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


def overdrawn(target_laws, draft_laws, tokens, rng):
    rng.normal()
    return verify_block(target_laws, draft_laws, tokens, rng)


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
