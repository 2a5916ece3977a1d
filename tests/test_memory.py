"""What tests recall of one answer: nothing that could be otherwise, and no mark depends on it."""

import gc
import json
import os
import weakref
from dataclasses import replace

import numpy as np
import pytest
from grading import Class, cell, document
from museum_answers import FITTING, TASKS, answer_to, lost, lost_points
from test_coursework_answers import WRONG

from specnotes.audit.cases import law
from specnotes.broken.toys import Toy
from specnotes.coursework import (
    blocks,
    candidates,
    hidden_tests,
    least,
    mending,
    one_token,
    suspects,
    variant,
    variants,
    visible_tests,
)
from specnotes.coursework.marking import known_beforehand
from specnotes.coursework.memory import kept_in, part_of_memory, recalled, remembered

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="grading needs fork")
LAW, OTHER = law(1, 2, 3), law(3, 2, 1)
TOY = Toy("toy", LAW, OTHER)


@remembered
def times(function, *setting):
    """How often the function was asked."""
    function()
    return len(function.calls)


@remembered
def refuses(function, *setting):
    function()
    raise ValueError("wrong")


class Answer:
    """A function that counts its calls."""

    def __init__(self):
        self.calls = []

    def __call__(self):
        self.calls.append(None)


# What is recalled.


def test_nothing_is_kept_unless_a_memory_is_open():
    answer = Answer()
    assert [times(answer, 1), times(answer, 1)] == [1, 2]
    with kept_in({}):
        times(answer, 1)
    assert times(answer, 1) == 4


def test_the_same_function_and_setting_are_asked_once():
    answer = Answer()
    with kept_in({}):
        assert [times(answer, 1), times(answer, 1)] == [1, 1]


def test_a_memory_that_is_opened_again_is_the_same():
    answer, memory = Answer(), {}
    for _ in range(2):
        with kept_in(memory):
            assert times(answer, 1) == 1
    with kept_in({}):
        assert times(answer, 1) == 2


def test_the_memory_outside_is_back_after_one_inside_also_after_an_error():
    answer = Answer()
    with kept_in({}):
        times(answer, 1)
        with pytest.raises(KeyError), kept_in(None):
            raise KeyError
        with kept_in(None):
            assert times(answer, 1) == 2
        assert times(answer, 1) == 1
    assert times(answer, 1) == 3


def test_what_was_found_of_one_function_says_nothing_of_another():
    with kept_in({}):
        one, other = Answer(), Answer()
        times(one, 1), times(one, 2)
        assert times(other, 2) == 1


def test_functions_that_call_themselves_equal_are_two():
    class Equal(Answer):
        def __eq__(self, other):
            return True

        def __hash__(self):
            return 0

    with kept_in({}):
        one, other = Equal(), Equal()
        times(one, 1), times(one, 2)
        assert times(other, 2) == 1


def test_two_judges_of_one_function_find_out_for_themselves():
    answer = Answer()
    with kept_in({}):
        times(answer, 1)
        with pytest.raises(ValueError):
            refuses(answer, 1)
    assert len(answer.calls) == 2


def test_what_raises_is_asked_again():
    answer = Answer()
    with kept_in({}):
        for _ in range(3):
            with pytest.raises(ValueError, match="wrong"):
                refuses(answer, 1)
    assert len(answer.calls) == 3


def test_a_remembered_function_lives_on_so_that_no_other_gets_its_id():
    memory, answer = {}, Answer()
    seen = weakref.ref(answer)
    with kept_in(memory):
        times(answer, 1)
    del answer
    gc.collect()
    assert seen() is not None
    memory.clear()
    gc.collect()
    assert seen() is None


OTHERS = {
    "a number": (1, 2),
    "a law": (LAW, OTHER),
    "fractions and floats": (law(1, 1), law(1, 1).astype(float)),
    "precision": (np.array([0.5, 0.5]), np.array([0.5, 0.5], np.float32)),
    "one row and a law": (LAW, LAW[None]),
    "a toy's target": (TOY, Toy("toy", OTHER, OTHER)),
    "a toy's draft": (TOY, Toy("toy", LAW, LAW)),
    "a toy in floats": (TOY, TOY.as_float()),
    "a toy's length": (TOY, Toy("toy", LAW, OTHER, length=2)),
    "a toy's number of tokens": (TOY, Toy("toy", LAW, OTHER, n_tokens=3)),
    "a toy's stop token": (TOY, Toy("toy", LAW, OTHER, stop=0)),
    "a toy's prefix": (TOY, Toy("toy", LAW, OTHER, prefix=(0,))),
    "a toy's rows": (TOY, Toy("toy", np.stack([LAW] * 4), np.stack([OTHER] * 4))),
}


@pytest.mark.parametrize("what", OTHERS)
def test_another_setting_is_asked_for_itself(what):
    answer, (one, other) = Answer(), OTHERS[what]
    with kept_in({}):
        assert [times(answer, one), times(answer, other), times(answer, one)] == [1, 2, 1]


@pytest.mark.parametrize("make", [lambda: law(1, 2), lambda: Toy("", law(1, 2), law(2, 1))])
def test_a_setting_made_again_is_recalled_by_what_is_in_it(make):
    answer = Answer()
    with kept_in({}):
        assert [times(answer, make()), times(answer, make())] == [1, 1]


def test_a_law_that_was_written_into_is_another_setting():
    answer, changed = Answer(), LAW.copy()
    with kept_in({}):
        times(answer, changed)
        changed[:] = OTHER
        assert times(answer, changed) == 2


def test_parts_of_a_memory_know_nothing_of_each_other():
    memory = {}
    with kept_in(memory):
        for number, part in enumerate("abab"):
            with part_of_memory(part):
                assert recalled(lambda number=number: number, "key") == number % 2
    assert memory == {"a": {("key",): 0}, "b": {("key",): 1}}
    with part_of_memory("a"):
        assert recalled(lambda: 5, "key") == 5


# In the graders.

LAW_AND_KEPT = {
    "ban": ("ban_law", "ban_kept"),
    "candidates": ("two_law", "two_kept"),
    "patient": ("patient_law", "patient_kept"),
    "least": ("least_law", "least_passes"),
}
each_task = pytest.mark.parametrize("task", LAW_AND_KEPT)


def counted(function):
    """The function, and a list that grows with its calls."""
    calls = []

    def answer(*arguments):
        calls.append(None)
        return function(*arguments)

    return answer, calls


@each_task
def test_the_test_of_what_is_kept_calls_an_answer_of_right_law_no_more(task):
    hidden, (judge_law, judge_kept) = hidden_tests(TASKS[task][0], "ann"), LAW_AND_KEPT[task]
    answer, calls = counted(answer_to(task, "reference"))
    with kept_in({}):
        assert getattr(hidden, judge_law)(answer).ok
        before = len(calls)
        assert getattr(hidden, judge_kept)(answer).ok
        assert len(calls) == before
        again, calls = counted(answer_to(task, "reference"))
        assert getattr(hidden, judge_kept)(again).ok and calls


def test_hidden_tests_recall_nothing_of_visible_ones():
    answer, calls = counted(answer_to("ban", "reference"))
    memory = {}
    with kept_in(memory):
        assert visible_tests(variant("ann", "ps1")).ban_kept(answer).ok
        visible, found = len(calls), dict(memory[False])
        assert memory.keys() == {False}
        assert hidden_tests("ps1", "ann").ban_kept(answer).ok
    with kept_in({}):
        before = len(calls)
        assert hidden_tests("ps1", "ann").ban_kept(answer).ok
        assert len(calls) - before == before - visible
    assert memory[False] == found and found.keys() <= memory[True].keys()


def keys_of(judge, settings):
    """What the judge would be recalled by, for each setting."""
    memory = {}
    with kept_in(memory):
        for setting in settings:
            remembered(judge)(len, *setting)
    return list(memory)


def settings_of(task, student_id):
    you = variant(student_id, TASKS[task][0])
    read = {
        "ban": one_token._bans,
        "candidates": candidates._pairs,
        "patient": blocks._patient_settings,
        "least": least._least_toys,
    }
    return read[task](you, True)


@each_task
def test_no_two_settings_of_a_hidden_test_are_taken_for_one(task):
    for number in range(20):
        settings = settings_of(task, f"s{number}")
        assert len(keys_of(lambda function, *setting: None, settings)) == len(settings)


def test_what_is_known_beforehand_is_what_tests_work_out():
    known, found, settings = known_beforehand("ps2"), {}, settings_of("least", "ann")
    with kept_in(found), part_of_memory(True):
        right = [least._right(*setting) for setting in settings]
    assert known.keys() == {True} and len(known[True]) == len(settings) - 1
    assert found[True].items() >= known[True].items()
    assert right == [least._worked_out(*setting) for setting in settings]


def test_what_is_right_depends_on_how_many_tokens_are_asked_for_and_at_least():
    (toy, _), *_ = settings_of("least", "ann")
    settings = [(replace(toy, n_tokens=n), at_least) for n in (1, 2) for at_least in (0, 1, 2)]
    with kept_in({}):
        for _ in range(2):
            right = [least._right(*setting) for setting in settings]
            assert right == [least._worked_out(*setting) for setting in settings]


def test_tests_make_use_of_what_is_known_beforehand(monkeypatch):
    known = known_beforehand("ps2")
    monkeypatch.setattr(least, "_worked_out", lambda toy, least: toy.name)
    with kept_in(known), part_of_memory(True):
        right = [least._right(*setting) for setting in settings_of("least", "ann")]
    assert right[0] == "your models" and not any(isinstance(one, str) for one in right[1:])


@pytest.mark.parametrize("problem", ["ps1", "tiny"])
def test_of_other_problems_nothing_is_known_beforehand(problem):
    assert not any(known_beforehand(problem).values())


def suspect(student_id, problem):
    """Of numbers that are drawn anew."""
    numbers = variants.Numbers(student_id, problem, "")
    return variants.PROBLEMS[problem](student_id, "", numbers).suspect


@pytest.mark.parametrize("problem", ["ps1", "ps2"])
def test_a_suspect_is_recalled_as_it_was_planted(problem, monkeypatch):
    ids = ["s0", "s5", "s37"]  # of s5 in ps1 and s37 in ps2 the second mistake is the first to show
    planted = [suspect(student_id, problem).lines for student_id in ids]
    with kept_in({}):
        assert [suspect(student_id, problem).lines for student_id in ids] == planted
        for bias in ("token_bias", "block_bias"):
            monkeypatch.setattr(suspects, bias, None)
        assert [suspect(student_id, problem).lines for student_id in ids] == planted


def test_a_suspect_whose_mistakes_do_not_show_is_refused():
    numbers = variants.Numbers("ann")
    for memory in (None, {}):
        with kept_in(memory), pytest.raises(ValueError, match="no mistake shows on these laws"):
            suspects._suspect(
                numbers,
                suspects.BLOCK_LINES,
                suspects.BLOCK_MISTAKES,
                suspects.PUBLIC,
                lambda function: 0,
            )


def test_each_students_distance_is_recalled_for_that_student_and_length():
    asked = [(n_tokens, variant(name, "ps2")) for name in ("ann", "bob") for n_tokens in (1, 3)]
    right = [mending._own_bias(*one) for one in asked]
    with kept_in({}):
        for _ in range(2):
            assert [mending._own_bias(*one) for one in asked] == right
    assert len({bias.right for bias in right[1::2]}) == 2


# On marks.


@each_task
def test_a_right_answer_keeps_its_points_with_a_memory(task):
    with kept_in(known_beforehand(TASKS[task][0])):
        assert lost_points(task, answer_to(task, "reference")) == set()


QUICK = [name for name in WRONG if not name.startswith("redone")]


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_a_wrong_answer_loses_the_same_points_with_a_memory(name):
    task, answer, points = WRONG[name]
    with kept_in(known_beforehand(TASKS[task][0])):
        assert lost_points(task, answer) == points


@pytest.mark.slow
@each_task
def test_exhibits_lose_the_same_points_with_one_memory_for_all(task):
    exhibits = [one for one in FITTING[task] if one.name != "residual by rejection"]
    with kept_in(known_beforehand(TASKS[task][0])):
        for exhibit in exhibits:
            assert lost_points(task, answer_to(task, exhibit)) == lost(task, exhibit), exhibit.name


# In the process that runs a submission.

ANSWER = """
    half, calls = 1, []


    def rule(target, draft, forbidden, token, rng):
        calls.append(token)
        allowed = target.copy()
        allowed[forbidden] = 0 * allowed[forbidden]
        allowed = allowed / allowed.sum()
        kept = np.minimum(allowed, draft) * half
        if rng.random() * draft[token] < kept[token]:
            return token, True
        owed = allowed - kept
        return draw(owed / owed.sum() if owed.sum() > 0 else allowed, rng), False
"""
SETUP = """
    from fractions import Fraction

    import numpy as np

    from specnotes.coursework import hidden_tests
    from specnotes.laws import draw
"""
TEXTS = {
    "id": 'STUDENT_ID = "ann"',
    "setup": SETUP,
    "rule": ANSWER,
    "law-test": 'hidden_tests("ps1", "ann").ban_law(rule).require()',
    "kept-test": """
        before = len(calls)
        hidden_tests("ps1", "ann").ban_kept(rule).require()
    """,
    "recalled-test": "assert len(calls) == before",
    "given": "nothing = 0",
    "anew-test": """
        before = len(calls)
        hidden_tests("ps1", "ann").ban_kept(rule).require()
        assert len(calls) > before
    """,
}
TESTS = [name for name in TEXTS if name.endswith("-test")]


def _cell(name, text):
    """As ``grading.cell``, with a point for each test."""
    made, is_answer = cell(name, text), name in ("id", "rule")
    about = {"grade": name in TESTS, "solution": is_answer, "locked": not is_answer}
    made["metadata"]["nbgrader"] |= about | ({"points": 1} if name in TESTS else {})
    return made


def _notebook(after_law=None):
    """A problem of one rule; a student's notebook may hold a cell after the test of its law."""
    cells = [_cell(name, text) for name, text in TEXTS.items()]
    if after_law is not None:
        own = {"cell_type": "code", "metadata": {}, "outputs": [], "id": "own"}
        cells.insert(list(TEXTS).index("kept-test"), {**own, "source": after_law})
    return document(cells)


# A student's cell between two tests → points of law, kept, recalled, anew.
BETWEEN = {
    "none": (None, (1, 1, 1, 1)),
    "idle": ("1 + 1", (1, 1, 0, 1)),
    "changed": ("half = Fraction(1, 2)", (1, 0, 0, 0)),
    "mended": ("half = Fraction(1, 1)", (1, 1, 0, 1)),
}


@needs_fork
def test_a_students_cell_between_two_tests_empties_the_memory(tmp_path):
    room = Class(tmp_path)
    room.source.write_text(json.dumps(_notebook()), encoding="utf-8")
    for name, (own, _) in BETWEEN.items():
        room.add(f"{name}.ipynb", _notebook(own))
    room.run()
    marks = {s: tuple(int(row[name]) for name in TESTS) for s, row in room.marks().items()}
    assert marks == {name: expected for name, (_, expected) in BETWEEN.items()}
