"""Answers that two students tried: the wrong ones lose their points, the right ones keep them."""

import re
import sys
from decimal import Decimal
from fractions import Fraction as F
from types import SimpleNamespace

import numpy as np
import pytest
import sympy as sp
from course_notebooks import cells
from museum_answers import TASKS, answer_to, lost_points

from specnotes.checks.card import Wrong, show
from specnotes.coursework import facts, hidden_tests, variant, visible_tests
from specnotes.coursework.least import held_back
from specnotes.coursework.parse import as_number, as_whole
from specnotes.coursework.suspects import PUBLIC, mending_line
from specnotes.decode import sample, speculate
from specnotes.laws import draw, residual

IDS = [f"s{number}" for number in range(100)]
EVERY = {
    "ban": {"ban_law", "ban_kept", "ban_edges"},
    "candidates": {"two_law", "two_kept", "two_edges"},
    "patient": {"patient_law", "patient_kept", "patient_edges"},
    "least": {"least_law", "least_passes", "least_edges"},
}

# --- wrong answers


def never_returns(target, draft, prefix, draft_length, n_tokens, rng, stop, least):
    while rng.random() < F(1, 2):
        pass
    while True:
        _ = rng.random() < F(1, 2)


def at_times_never(task):
    """Right, but one call in eight does not come back."""
    right = answer_to(task, "reference")

    def function(*arguments):
        rng = next(argument for argument in arguments if hasattr(argument, "random"))
        while rng.random() < F(1, 8):
            while True:
                _ = rng.random() < F(1, 2)
        return right(*arguments)

    return function


def redo_until_no_stop(target, draft, prefix, draft_length, n_tokens, rng, stop, least):
    while True:
        tokens = speculate(target, draft, prefix, draft_length, n_tokens, rng, stop=stop).tokens
        if stop not in tokens[:least]:
            return tokens


def redo_until_long_enough(target, draft, prefix, draft_length, n_tokens, rng, stop, least):
    while True:
        tokens = speculate(target, draft, prefix, draft_length, n_tokens, rng, stop=stop).tokens
        if len(tokens) >= min(least, n_tokens):
            return tokens


def usual_decoder(target, draft, prefix, draft_length, n_tokens, rng, stop, least):
    return speculate(target, draft, prefix, draft_length, n_tokens, rng, stop=stop).tokens


def plain_decoder(target, draft, prefix, draft_length, n_tokens, rng, stop, least):
    held = Held(target, len(prefix), stop, least)
    return sample(held, prefix, n_tokens, rng, stop=stop)


def a_pass_too_many(target, draft, prefix, draft_length, n_tokens, rng, stop, least):
    held = HeldOneMore(target, len(prefix), stop, least)
    return speculate(held, draft, prefix, draft_length, n_tokens, rng, stop=stop).tokens


def near_certainty(target, draft, prefix, draft_length, n_tokens, rng, stop, least):
    held = HeldIfUnlikely(target, len(prefix), stop, least)
    return speculate(held, draft, prefix, draft_length, n_tokens, rng, stop=stop).tokens


class Held:
    """The target without its stop token, as long as the text is too short."""

    def __init__(self, target, start, stop, least):
        self.vocabulary, self.target, self.given = target.vocabulary, target, (stop, least, start)

    def held(self, law, text):
        return held_back(law, text, *self.given)

    def next_law(self, text):
        return self.held(self.target.next_law(text), text)

    def score(self, text, tokens):
        laws = self.target.score(text, tokens)
        return np.array([self.held(x, text + tokens[:i]) for i, x in enumerate(laws)])


class HeldIfUnlikely(Held):
    """Takes a stop token for certain that is not, quite."""

    def held(self, law, text):
        stop = self.given[0]
        certain = stop is not None and law[stop] > 1 - 1e-9
        return law if certain else super().held(law, text)


class HeldOneMore(Held):
    def score(self, text, tokens):
        return np.vstack([super().score(text, tokens)[:-1], [self.next_law(text + tokens)]])


def one_coin_for_both(target, draft, first, second, rng):
    coin, owed = rng.random(), residual(target, draft)
    if coin * draft[first] < target[first]:
        return first, 1
    if coin * draft[second] < owed[second]:
        return second, 2
    return draw(residual(owed, draft), rng), 0


def renormalised_draft(target, draft, forbidden, token, rng):
    kept = np.arange(len(target)) != forbidden
    p, q = target * kept, draft * kept
    p, q = p / p.sum(), q / q.sum() if q.sum() else q
    if rng.random() * q[token] < p[token]:
        return token, True
    return draw(residual(p, q), rng), False


def no_look_at_the_draft(target, draft, forbidden, token, rng):
    allowed = target * (np.arange(len(target)) != forbidden)
    return draw(allowed / allowed.sum(), rng), False


def no_look_by_rejection(target, draft, forbidden, token, rng):
    while True:
        other = rng.integers(len(target))
        if other != forbidden and rng.random() < target[other]:
            return other, other == token


def no_look_at_two(target, draft, first, second, rng):
    own = draw(target, rng)
    return own, 1 if own == first else 2 if own == second else 0


def always_a_third(target, draft, first, second, rng):
    return draw(target, rng), 0


def no_look_at_blocks(target_laws, draft_laws, tokens, shares, rng):
    text = [draw(law, rng) for law in target_laws]
    k = next((i for i, token in enumerate(tokens) if text[i] != token), len(tokens))
    return k, text[k]


def one_in_two_of_the_first(target, draft, first, second, rng):
    if rng.random() < F(1, 2) and rng.random() * draft[first] < target[first]:
        return first, 1
    left = target - np.minimum(target, draft) / 2
    return draw(left / left.sum(), rng), 0


def no_share(target_laws, draft_laws, tokens, shares, rng):
    for i, token in enumerate(tokens):
        if rng.random() * draft_laws[i][token] >= target_laws[i][token]:
            return i, draw(residual(target_laws[i], draft_laws[i]), rng)
    return len(tokens), draw(target_laws[-1], rng)


def raises_below_one(target_laws, draft_laws, tokens, shares, rng):
    if min(shares) < 1:
        raise ValueError("shares below 1")
    return no_share(target_laws, draft_laws, tokens, shares, rng)


WRONG = {
    "one coin for both candidates": ("candidates", one_coin_for_both, EVERY["candidates"]),
    "the draft renormalised": ("ban", renormalised_draft, EVERY["ban"]),
    "no look at the draft": ("ban", no_look_at_the_draft, EVERY["ban"]),
    "no look at the draft, in a loop": ("ban", no_look_by_rejection, EVERY["ban"]),
    "no look at the candidates": ("candidates", no_look_at_two, EVERY["candidates"]),
    "always a third token": ("candidates", always_a_third, EVERY["candidates"]),
    "no look at the block": ("patient", no_look_at_blocks, EVERY["patient"]),
    "half as often as could be": (
        "candidates",
        one_in_two_of_the_first,
        {"two_kept", "two_edges"},
    ),
    "no share": ("patient", no_share, {"patient_kept", "patient_edges"}),
    "an error below 1": ("patient", raises_below_one, EVERY["patient"]),
    "the usual decoder": ("least", usual_decoder, EVERY["least"]),
    "plain decoding": ("least", plain_decoder, EVERY["least"]),
    "nearly certain is certain": ("least", near_certainty, EVERY["least"]),
    "a target pass too many": ("least", a_pass_too_many, {"least_passes", "least_edges"}),
    "redone until no stop": ("least", redo_until_no_stop, EVERY["least"]),
    "redone until long enough": ("least", redo_until_long_enough, EVERY["least"]),
}
LOOPS = [pytest.param(name, marks=pytest.mark.slow) for name in WRONG if name.startswith("redone")]


@pytest.mark.parametrize("name", [name for name in WRONG if not name.startswith("redone")] + LOOPS)
def test_a_wrong_answer_loses_its_points(name):
    task, answer, lost = WRONG[name]
    assert lost_points(task, answer) == lost


@pytest.mark.slow
@pytest.mark.parametrize("student_id", ["noether", "s1", "s2"])
def test_a_redo_loses_the_law_for_every_id(student_id):
    assert not hidden_tests("ps2", student_id).least_law(redo_until_no_stop).ok


@pytest.mark.parametrize("problem", ["ps1", "ps2"])
def test_a_draft_that_is_not_used_is_named_at_once(problem):
    you = variant("s1", problem)
    asked = {"ps1": ("ban_law", no_look_at_the_draft), "ps2": ("patient_law", no_look_at_blocks)}
    name, answer = asked[problem]
    for check in (visible_tests(you), hidden_tests(problem, "s1")):
        message = getattr(check, name)(answer).message
        assert "the law is right" in message and "the draft is there to be used" in message


@pytest.mark.parametrize("task", ["ban", "candidates", "patient"])
def test_a_right_answer_uses_the_draft_for_every_id(task):
    problem, _, _, graders = TASKS[task]
    (law,) = (name for name in graders if name.endswith("law"))
    answer = answer_to(task, "reference")
    checks = [visible_tests(variant(name, problem)) for name in IDS[:30]]
    assert all(getattr(check, law)(answer).ok for check in checks)


def test_plain_decoding_is_named():
    message = hidden_tests("ps2", "s1").least_law(plain_decoder).message
    assert "the law is right" in message and "plain decoding" in message


def test_a_pass_too_many_in_each_round_is_no_plain_decoding_for_any_id():
    least = [hidden_tests("ps2", name).least_law(a_pass_too_many).ok for name in IDS[:5]]
    assert all(least)


def test_one_coin_for_both_candidates_is_seen_for_every_id():
    answers = [hidden_tests("ps1", name).two_law(one_coin_for_both).ok for name in IDS[:25]]
    assert not any(answers)


@pytest.mark.slow
def test_what_never_returns_gets_nothing():
    assert lost_points("least", never_returns) == EVERY["least"]


@pytest.mark.slow
@pytest.mark.parametrize("task", EVERY)
def test_what_does_not_always_return_gets_nothing(task):
    assert lost_points(task, at_times_never(task)) == EVERY[task]


@pytest.mark.slow
def test_redone_until_long_enough_is_seen_by_the_visible_test():
    assert not visible_tests(variant("s1", "ps2")).least_law(redo_until_long_enough).ok


# --- guesses and known mistakes in numbers


def answers_of(you):
    if you.problem == "ps1":
        return facts.one_token(you.target, you.draft, you.owed_token, you.over_token)
    return facts.one_round(you.target, you.draft, you.start, you.word)


@pytest.mark.parametrize("problem", ["ps1", "ps2"])
def test_no_known_mistake_gives_the_right_number(problem):
    for name in IDS:
        you = variant(name, problem)
        for right, slips in answers_of(you).values():
            assert all(abs(right - wrong) > F(1, 100) for wrong in [0, *slips.values()]), name


def test_numbers_of_one_task_cannot_be_exchanged():
    for problem in ("ps1", "ps2"):
        for name in IDS:
            rights = sorted(fact.right for fact in answers_of(variant(name, problem)).values())
            assert min(b - a for a, b in zip(rights, rights[1:])) > F(1, 100)


def test_no_share_is_one_half():
    assert all(variant(name, "ps1").share != F(1, 2) for name in IDS)
    assert all(F(1, 2) not in variant(name, "ps2").shares for name in IDS)


def test_the_overhead_decides_which_draft_length_is_best():
    for name in IDS:
        you = variant(name, "ps2")
        best = facts.best_length(you.rate, you.cost, you.overhead)
        assert best not in (facts.best_length(you.rate, you.cost, 0), you.length)


def test_a_distance_of_0_alone_is_a_guess():
    hidden = hidden_tests("ps2", "noether")
    for name in IDS[:12]:
        assert not hidden_tests("ps2", name).block_first(0, three=0).ok
    assert not hidden.block_first(0).ok


@pytest.mark.parametrize("problem", ["ps1", "ps2"])
def test_the_mistake_behind_a_number_is_named(problem):
    you, hidden = variant("s1", problem), hidden_tests(problem, "s1")
    for name, (_, slips) in answers_of(you).items():
        for said, wrong in slips.items():
            if 0 <= wrong <= 1:
                result = getattr(hidden, name)(wrong)
                assert not result.ok and (said in result.message or "empty id" in result.message)


# --- numbers in any form

SAME = [0.6, F(3, 5), "3/5", "0.6", " 0.6 ", np.float64(0.6), np.float32(0.6), np.array(0.6)]
SAME += [np.array([0.6]), sp.Rational(3, 5), sp.Float("0.6"), Decimal("0.6"), np.array([[F(3, 5)]])]


@pytest.mark.parametrize("answer", SAME, ids=repr)
def test_a_number_may_be_written_in_any_form(answer):
    assert abs(as_number("kept", answer) - 0.6) < 1e-7


@pytest.mark.parametrize("answer", [7, 7.0, "7", "7.0", sp.Integer(7), np.int64(7), np.array([7])])
def test_a_whole_number_may_be_written_in_any_form(answer):
    assert as_whole("line", answer) == 7


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ("60%", "write 0.6 for 60%"),
        (True, "should be a number"),
        (np.True_, "should be a number"),
        (sp.true, "should be a number"),
        ("a lot", "should be a number"),
        ([0.6, 0.4], "should be a number"),
        (np.array([0.6, 0.4]), "should be a number"),
        (sp.Symbol("p"), "should be a number"),
        (sp.I, "should be a number"),
        (1j, "should be a number"),
        ("1/0", "should be a number"),
        (float("nan"), "is nan"),
    ],
)
def test_what_is_no_number_is_explained(answer, complaint):
    with pytest.raises(Wrong, match=complaint):
        as_number("kept", answer)


@pytest.mark.parametrize("form", [float, str, sp.Integer, np.int64])
def test_a_line_number_keeps_its_points_in_any_form(form):
    you, hidden = variant("s1", "ps1"), hidden_tests("ps1", "s1")
    line, text = mending_line(you.suspect)
    assert hidden.lazy_line(form(line), mend=text).ok and hidden.lazy_mended(form(line), text).ok


# --- expressions with decimals


def test_decimals_in_an_expression_keep_its_points():
    p, q, alpha = sp.symbols("p_ q_ alpha", positive=True)
    for name in IDS[:8]:
        you = variant(name, "ps1")
        share = float(1 - you.mixing)
        bias = {
            "draft": share * ((1 - alpha) * q - sp.Max(p - q, 0)),
            "target": share * (sp.Min(p, q) - alpha * p),
        }[you.mistake]
        assert hidden_tests("ps1", name).muddled_bias(bias).ok


@pytest.mark.parametrize("factor", [1 / 3, 0.3333333333333333, sp.Rational(1, 3)])
def test_a_decimal_third_is_a_third(factor):
    name = next(name for name in IDS if variant(name, "ps2").length == 3)
    alpha, d = sp.symbols("alpha d")
    mean = 1.0 + alpha + alpha**2 * d + alpha**3 * d**3
    hidden = hidden_tests("ps2", name)
    assert hidden.mean_tokens(mean).ok and hidden.break_even(factor * (mean - 1)).ok
    assert not hidden.break_even(0.3333 * (mean - 1)).ok


def test_a_wrong_decimal_is_answered_with_decimals():
    p, q = sp.symbols("p q")
    result = hidden_tests("ps1", "s1").muddled_bias(0.123456789 * (p - q))
    assert not result.ok and "00000/" not in result.message


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (lambda p, q, alpha: p - q, "leave `lambda …:` away"),
        (sp.Lambda(sp.Symbol("p"), sp.Symbol("p")), "leave `lambda …:` away"),
        (np.array([F(1, 2), F(1, 2)]), "not the arrays of your laws"),
        (sp.Symbol("x"), "contains x"),
    ],
)
def test_what_is_no_expression_is_explained(answer, complaint):
    result = hidden_tests("ps1", "s1").muddled_bias(answer)
    assert not result.ok and complaint in result.message


# --- mended lines


@pytest.mark.parametrize("problem", ["ps1", "ps2"])
def test_a_new_line_may_use_all_that_the_notebook_imports(problem):
    (setup,) = (cell.source for cell in cells(problem) if cell.id == "setup")
    space = {}
    exec(setup, {"STUDENT_ID": ""}, space)
    ours = {n for n, v in space.items() if callable(v) or n in ("np", "sp")}
    assert ours - {"variant", "visible_tests", "check"} <= PUBLIC.keys()


def test_a_mended_line_may_use_draw():
    mends = {name: mending_line(variant(name, "ps1").suspect) for name in IDS}
    name = next(name for name, (_, text) in mends.items() if text.startswith("return at("))
    line, text = mends[name]
    law = text.rpartition(", ")[0].partition(", ")[2].rstrip(")")
    hidden = hidden_tests("ps1", name)
    assert hidden.lazy_mended(line, text).ok
    assert hidden.lazy_mended(line, f"return draw({law}, rng), False").ok
    assert hidden.lazy_line(line, mend=f"return draw({law}, rng), False").ok


def test_any_line_that_can_be_mended_is_the_line():
    """The law is wrong in one line, and made right in the next."""
    name = next(n for n in IDS if "/" in mending_line(variant(n, "ps1").suspect)[1])
    line, text = mending_line(variant(name, "ps1").suspect)
    law = text.partition(" = ")[2]
    hidden = hidden_tests("ps1", name)
    mend = f"return at(rng.random(), {law}), False"
    assert hidden.lazy_mended(line + 1, mend).ok and hidden.lazy_line(line + 1, mend=mend).ok
    assert not hidden.lazy_line(line + 1, mend="return token, False").ok


@pytest.mark.parametrize("problem", ["ps1", "ps2"])
def test_a_name_that_does_not_exist_shows_in_the_visible_test(problem):
    you = variant("s1", problem)
    check = visible_tests(you)
    mended = check.lazy_mended if problem == "ps1" else check.block_mended
    line = next(n for n, text in enumerate(you.suspect.lines, 1) if " = " in text)
    name = you.suspect.lines[line - 1].split(" = ")[0].strip()
    result = mended(line, f"{name} = drawn")
    assert not result.ok and "NameError" in result.message


def test_a_text_in_the_wrong_line_is_told_so():
    you = variant("s1", "ps1")
    line = next(n for n, t in enumerate(you.suspect.lines, 1) if ".random()" in t)
    name = you.suspect.lines[line - 1].split(" = ")[0].strip()
    result = hidden_tests("ps1", "s1").lazy_mended(line, f"{name} = 0.5")
    assert not result.ok and "look for the mistake in another line" in result.message


# --- what is said


def test_an_untouched_function_is_not_attempted():
    def function(*arguments):
        raise NotImplementedError

    for problem, names in (("ps1", ("ban", "two")), ("ps2", ("patient",))):
        for check in (visible_tests(variant("s1", problem)), hidden_tests(problem, "s1")):
            for name in names:
                for part in ("law", "kept", "edges"):
                    assert not getattr(check, f"{name}_{part}")(function).attempted
    for part in ("law", "passes", "edges"):
        assert not getattr(hidden_tests("ps2", "s1"), f"least_{part}")(function).attempted


def test_an_error_with_an_address_is_no_hidden_state():
    def function(target, draft, prefix, draft_length, n_tokens, rng, stop, least):
        if stop is None:
            raise TypeError(f"{target} has no stop")
        return answer_to("least", "reference")(
            target, draft, prefix, draft_length, n_tokens, rng, stop, least
        )

    result = hidden_tests("ps2", "s1").least_edges(function)
    assert not result.ok and "TypeError" in result.message
    assert "0x" not in result.message and "same coins" not in result.message


def test_arguments_are_told_by_their_names_without_the_rng():
    def function(target, draft, first, second, rng):
        raise RuntimeError("no")

    message = visible_tests(variant("s1", "ps1")).two_law(function).message
    assert "first " in message and "Generator" not in message and "EveryCoin" not in message


def test_a_law_that_is_wrong_is_told_once():
    hidden = hidden_tests("ps1", "s1")
    assert "it should be" in hidden.ban_law(lambda p, q, f, token, rng: (token, True)).message
    kept = hidden.ban_kept(lambda p, q, f, token, rng: (token, True)).message
    assert kept.startswith("first make the law right")


def test_laws_are_told_in_fractions_also_where_floats_were_tried_after_them():
    def function(*given):
        if type(given[-1]) is np.random.Generator:  # EveryCoin is one, too
            return answer_to("patient", "reference")(*given)
        raise (TypeError if given[0].dtype == object else ValueError)("no")

    you = variant("s1", "ps2")
    message = hidden_tests("ps2", "s1").patient_law(function).message
    assert "ValueError" in message and f"first laws {show(you.target.initial)} and" in message


def test_passes_are_told_as_passes():
    def function(target, draft, prefix, draft_length, n_tokens, rng, stop, least):
        tokens = ()
        while len(tokens) < n_tokens and (not tokens or tokens[-1] != stop):
            law = target.next_law(prefix + tokens)
            if len(tokens) < least and law[stop] < 1:
                law = law * (np.arange(len(law)) != stop)
                law = law / law.sum()
            tokens += (draw(law, rng),)
        return tokens

    message = hidden_tests("ps2", "s1").least_passes(function).message
    assert "target passes for a text, on average; the usual rounds make" in message


def test_a_number_that_is_not_judged_yet_has_no_tick(capsys):
    check = visible_tests(variant("s1", "ps1"))
    assert check.kept(0).ok and check.lazy_line(3).ok
    assert [line[0] for line in capsys.readouterr().out.splitlines()] == ["·", "·"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [(lambda *_: ValueError("no"), "you return a ValueError; raise it")],
)
def test_an_error_that_is_returned_is_explained(wrong, said):
    assert said in hidden_tests("ps1", "s1").completion_refused(wrong).message


def test_an_assertion_in_place_of_a_value_error_is_explained():
    def fallback(target, draft, chance):
        owed = target - draft * chance
        assert min(owed) >= 0
        return owed / owed.sum() if owed.sum() else target

    result = hidden_tests("ps1", "s1").completion_refused(fallback)
    assert not result.ok and "raise a ValueError" in result.message


# --- answers of the wrong kind, and cells that stopped


def _without_address(value):  # two workers must give a test one name
    return re.sub(" at 0x[0-9a-f]+", "", repr(value))


A, D = sp.symbols("alpha d")
OF_ONE = [[0.75], (0.75,), {0.75}, sp.Matrix([0.75]), sp.FiniteSet(F(3, 4)), np.array([[0.75]])]
OF_ONE += [0.75 + 0j, np.complex128(0.75), sp.Float(0.75) + 1e-20 * sp.I, sp.Poly(F(3, 4), A)]


@pytest.mark.parametrize("answer", OF_ONE, ids=_without_address)
def test_a_number_may_be_as_a_solver_hands_it_back(answer):
    assert as_number("kept", answer) == 0.75


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (None, "something without `return`"),
        (lambda: 0.75, "a function, <lambda>: call it"),
        (F, "a function, Fraction: call it"),
        ((0.3, 0.4), "2 in a row, (0.3, 0.4): say which"),
        (sp.Matrix([1, 2]), "2 in a row, Matrix([[1], [2]]): say which"),
        ([], "yours is empty"),
        ({A: 0.75}, "take the value out of it"),
        (sp.Eq(A, 1), "give its right-hand side alone"),
        (sp.Poly(A, A), "put numbers in for alpha"),
        (map(float, [1]), "a map, which has yet to be run"),
        ("0,75", "write a point for the comma"),
        ("2 * 0.3", "leave the quotes away"),
        ("...", "leave the quotes away"),
        ("", "an empty text"),
    ],
    ids=_without_address,
)
def test_what_is_no_number_is_told_what_it_is(answer, complaint):
    for check in (visible_tests(variant("s1", "ps1")), hidden_tests("ps1", "s1")):
        message = check.kept(answer).message
        assert complaint in message and " at 0x" not in message and "\n" not in message


def test_what_is_left_open_in_a_list_is_not_attempted():
    assert not hidden_tests("ps1", "s1").kept([...]).attempted


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (None, "something without `return`"),
        (sp.Eq(sp.Symbol("c"), A), "give its right-hand side alone"),
        ({sp.Symbol("c"): A}, "take the value out of it"),
        (sp.Matrix([A, D]), "2 in a row"),
        (sp.Rational(41, 192), "is the number 41/192; an expression in alpha, d is asked for"),
        ("alpha +* d", "leave the quotes away"),
    ],
    ids=_without_address,
)
def test_what_is_no_expression_is_told_what_it_is(answer, complaint):
    for check in (visible_tests(variant("s1", "ps2")), hidden_tests("ps2", "s1")):
        result = check.break_even(answer)
        assert not result.ok and complaint in result.message


def _break_even(factor):
    """The right expression of somebody whose γ is 3, with another form of 1/3."""
    name = next(name for name in IDS if variant(name, "ps2").length == 3)
    return name, sp.expand(factor * (A + A**2 * D + A**3 * D**3))


@pytest.mark.parametrize("factor", [0.333, 0.33, 0.3333333])
def test_a_rounded_decimal_is_asked_for_an_exact_value(factor):
    name, form = _break_even(factor)
    for check in (visible_tests(variant(name, "ps2")), hidden_tests("ps2", name)):
        result = check.break_even(form)
        assert not result.ok and "right but for rounding" in result.message
        assert "sp.Rational(1, 3) in place of 0.333" in result.message
        assert f"{factor:.6g}" in result.message


def test_a_wrong_decimal_is_not_taken_for_a_rounded_one():
    name, form = _break_even(0.3)
    assert "it should be" in hidden_tests("ps2", name).break_even(form).message
    for check in (visible_tests(variant(name, "ps2")), hidden_tests("ps2", name)):
        message = check.break_even(0.427 * A).message  # right to 1/100 at the visible point alone
        assert "it should be" in message and "rounding" not in message


@pytest.mark.parametrize("text", ["0.625", "0.125", "0.0625"])
def test_an_exact_decimal_is_its_fraction(text):
    """Of somebody whose share is another one: whatever is taken off is put back in fractions."""
    p, q, alpha = sp.symbols("p_ q_ alpha", positive=True)
    you = variant("s1", "ps1")
    wrong = {"target": sp.Min(p, q) - alpha * p, "draft": (1 - alpha) * q - sp.Max(p - q, 0) + 0}
    rest = sp.Rational(str(1 - you.mixing)) - sp.Rational(text)
    form = float(text) * wrong[you.mistake] + rest * wrong[you.mistake]
    assert form.atoms(sp.Float) and hidden_tests("ps1", "s1").muddled_bias(form).ok


@pytest.mark.parametrize("problem", ["ps1", "ps2"])
def test_a_mend_that_is_refused_has_a_counter_example(problem):
    for name in IDS[:6]:
        you, hidden = variant(name, problem), hidden_tests(problem, name)
        mended = hidden.lazy_mended if problem == "ps1" else hidden.block_mended
        line, _ = mending_line(you.suspect)
        for number in (line, line - 1 if line > 2 else line + 1):
            message = mended(number, you.suspect.lines[number - 1].strip()).message
            assert re.search(r"At .*, it should be \(?\d", message), message


class Shell:
    """What IPython knows of the cell that ran before."""

    def __init__(self, monkeypatch):
        class IPython:
            get_ipython = staticmethod(lambda: self)

        self.last_execution_result = None
        monkeypatch.setitem(sys.modules, "IPython", IPython)

    def ran(self, source):
        result = SimpleNamespace(error_before_exec=None, error_in_exec=None)
        self.last_execution_result = result
        try:
            exec(compile(source, "<ipython-input-1>", "exec"), {})
        except SyntaxError as error:
            result.error_before_exec = error
        except Exception as error:
            result.error_in_exec = error


def test_a_visible_test_tells_what_stopped_the_cell_before(monkeypatch, capsys):
    shell, check = Shell(monkeypatch), visible_tests(variant("s1", "ps1"))
    shell.ran("kept = 1\nkept = nothing")
    assert not check.kept(...).ok
    said = "The cell that ran before this test stopped: NameError: name 'nothing' is not defined"
    assert f"{said} (line 2)" in capsys.readouterr().out
    with pytest.raises(AssertionError) as failed:
        check.kept(...).require()
    shell.last_execution_result.error_in_exec = failed.value
    check.blame(...)
    assert capsys.readouterr().out.count(said) == 2  # still so after the first test failed
    shell.ran("blame = 1")
    check.blame(...)
    assert "stopped" not in capsys.readouterr().out


def test_a_cell_that_cannot_be_read_is_told_with_its_line(monkeypatch, capsys):
    shell, check = Shell(monkeypatch), visible_tests(variant("s1", "ps1"))
    shell.ran("kept = 1\nretrun 3")
    check.kept(...)
    assert "stopped: SyntaxError: invalid syntax (line 2)" in capsys.readouterr().out
    check.kept(0.5)
    assert "stopped" not in capsys.readouterr().out  # nothing is wrong with this one


def _as(task, form):
    """The right answer in another form."""
    return lambda *arguments: form(answer_to(task, "reference")(*arguments))


def test_a_token_and_a_flag_may_be_in_an_array():
    answer = _as("ban", lambda pair: np.array([int(pair[0]), pair[1]]))
    assert visible_tests(variant("s1", "ps1")).ban_law(answer).ok


@pytest.mark.parametrize(
    ("name", "answer", "complaint"),
    [
        ("ban_law", 3, "3 stands where a function is asked for"),
        ("ban_law", lambda *given: (yield 1), "yours is a generator"),
        ("completion", _as("rules", lambda law: list(map(str, law))), "an array of numbers"),
        ("completion", lambda *given: None, "something without `return`"),
        ("least_law", lambda *given: None, "something without `return`"),
        ("least_law", _as("least", iter), "a tuple_iterator, which has yet to be run"),
        ("least_law", _as("least", str), "return a tuple of tokens; yours is the text"),
    ],
)
def test_a_function_that_hands_back_another_kind_is_told(name, answer, complaint):
    problem = "ps2" if name.startswith("least") else "ps1"
    for check in (visible_tests(variant("s1", problem)), hidden_tests(problem, "s1")):
        result = getattr(check, name)(answer)
        assert not result.ok and complaint in result.message and "Counted" not in result.message
