"""The checks of notebook 00 accept right answers of several looks and refuse the mistakes."""

import pytest

from specnotes import checks
from specnotes.checks import start
from specnotes.widgets.guessing import rounds


@pytest.fixture(autouse=True)
def brief(monkeypatch):
    monkeypatch.setattr(start, "SECONDS", 0.5)


@pytest.mark.parametrize("answer", [3, 3.0, "3"])
def test_the_words_in_a_round_may_be_written_in_any_way(answer):
    assert checks.words_in_round(answer).ok


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (2, "the target's own word comes out as well"),
        (4, "the third one was wrong"),
        (7, "count the words"),
        ("three", "a whole number"),
        (2.5, "a whole number"),
        ([3], "a whole number"),
    ],
)
def test_a_wrong_number_of_words_is_refused_with_its_reason(answer, hint):
    result = checks.words_in_round(answer)
    assert result.attempted and not result.ok and hint in result.message


@pytest.mark.parametrize(
    "answer", [["sat", "on"], ("sat", "on"), "sat on", "sat, on", "“sat” “on”"]
)
def test_a_traced_round_may_be_written_in_any_way(answer):
    assert checks.traced_round(answer).ok


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (["sat"], "own word after it"),
        (["sat", "down"], "the guess “down” does not come out"),
        (["sat", "down", "."], "the guess “down” does not come out"),
        (["sat", "on", "."], "nothing later counts"),
        (["sat", "on", "a"], "nothing later counts"),
        (["cat", "sat", "on"], "was there before the round"),
        (["on", "sat"], "write the guesses first"),
        ([], "write the guesses first"),
        (7, "yours is 7; a list of words is asked for"),
        (None, "a list of words is asked for"),
    ],
)
def test_a_wrong_trace_is_refused_with_its_reason(answer, hint):
    result = checks.traced_round(answer)
    assert result.attempted and not result.ok and hint in result.message


def one_round(target, draft, last, length):
    guesses = []
    for _ in range(length):
        guesses.append(draft[guesses[-1] if guesses else last])
    answers = [target[word] for word in [last, *guesses]]
    kept = 0
    while kept < length and guesses[kept] == answers[kept]:
        kept += 1
    return answers[: kept + 1]


def by_rounds(target, draft, start, draft_length, n_words):
    words, passes = [], 0
    while len(words) < n_words:
        words += one_round(target, draft, words[-1] if words else start, draft_length)
        passes += 1
    return words[:n_words], passes


def word_by_word(target, draft, start, draft_length, n_words):
    """One string, and a pass counted wherever a guess fails or the guesses run out."""
    text, passes, left, guess = [start], 1, draft_length, draft[start]
    while len(text) - 1 < n_words:
        right = target[text[-1]]
        keeps = left > 0 and guess == right
        left, guess = (left - 1, draft[right]) if keeps else (draft_length, draft[right])
        text.append(right)
        passes += not keeps and len(text) - 1 < n_words
    return " ".join(text[1:]), float(passes)


def as_a_tuple_of_tuples(target, draft, start, draft_length, n_words, so_far=(), passes=0):
    if len(so_far) >= n_words:
        return so_far[:n_words], passes
    more = one_round(target, draft, (start, *so_far)[-1], draft_length)
    so_far += tuple(more)
    return as_a_tuple_of_tuples(target, draft, start, draft_length, n_words, so_far, passes + 1)


@pytest.mark.parametrize("function", [by_rounds, word_by_word, as_a_tuple_of_tuples])
def test_any_right_loop_is_accepted(function):
    result = checks.guess_and_check(function)
    assert result.ok, result.message


def never_cut(target, draft, start, draft_length, n_words):
    words, passes = [], 0
    while len(words) < n_words:
        words += one_round(target, draft, words[-1] if words else start, draft_length)
        passes += 1
    return words, passes


def with_the_start(*given):
    words, passes = by_rounds(*given)
    return [given[2], *words][: given[4]], passes


def start_and_all(*given):
    words, passes = by_rounds(*given)
    return [given[2], *words], passes


def the_draft_alone(target, draft, *given):
    return by_rounds(draft, draft, *given)


def a_pass_per_word(*given):
    return by_rounds(*given)[0], given[4]


def passes_first(*given):
    return by_rounds(*given)[::-1]


TARGET = dict(the="cat", cat="sat", sat="on", down=".", on="a", a="mat", mat=".") | {".": "the"}
DRAFT = TARGET | {"sat": "down"}


def on_the_notebooks_own_tables(target, draft, start, draft_length, n_words):
    return by_rounds(TARGET, DRAFT, start, draft_length, n_words)


def words_alone(*given):
    return by_rounds(*given)[0]


def no_passes(*given):
    return by_rounds(*given)[0], None


def endless(*given):
    while True:
        pass


def always_from_the_start(target, draft, start, draft_length, n_words):
    words, passes = [], 0
    while len(words) < n_words:
        words += one_round(target, draft, start, draft_length)
        passes += 1
    return words[:n_words], passes


@pytest.mark.parametrize(
    ("function", "hint"),
    [
        (never_cut, "cut what the last round wrote too much"),
        (with_the_start, "the start is no new word"),
        (start_and_all, "the start is no new word"),
        (the_draft_alone, "the target writes"),
        (a_pass_per_word, "target passes, it takes"),
        (words_alone, "return two things"),
        (no_passes, "a whole number"),
        (endless, "endless loop"),
        (always_from_the_start, "the target writes"),
        (lambda target, draft: None, "raised TypeError"),
        (passes_first, "words first, then passes"),
        (lambda *given: (None, 7), "a list of words is asked for"),
        (on_the_notebooks_own_tables, "reads TARGET and DRAFT from outside: use its arguments"),
    ],
)
def test_a_wrong_loop_is_refused_with_its_reason(function, hint):
    result = checks.guess_and_check(function)
    assert result.attempted and not result.ok and hint in result.message, result.message


def test_other_words_are_not_taken_for_the_start():
    message = checks.guess_and_check(on_the_notebooks_own_tables).message
    assert "the start is no new word" not in message and "yours is “mat”" in message


@pytest.mark.parametrize("check", [checks.words_in_round, checks.traced_round])
def test_an_open_answer_is_not_attempted(check):
    assert not check(...).attempted


def test_an_open_function_is_not_attempted():
    assert not checks.guess_and_check(lambda *given: ...).attempted


@pytest.mark.parametrize(("name", "length", "n_words"), start.CASES)
def test_what_the_check_expects_is_what_the_decoder_does(name, length, n_words):
    target, draft = start.TARGET, start.DRAFTS[name]
    trace = rounds(target, draft, "a", length, n_words)
    words = [tuple(target)[token] for token in trace.tokens]
    assert start.right_run(target, draft, length, n_words) == (words, trace.target_passes)
