"""Problem sets: what students get, what is marked, and that marks are right."""

import csv
import json
import re
import runpy
from fractions import Fraction

import build_coursework as build
import numpy as np
import pytest
from conftest import ROOT
from course_notebooks import PROBLEMS, about, cells, points, run
from museum_answers import FITTING, KINDS, TASKS, UNFIT, answer_to, lost, lost_points

from specnotes.broken import MUSEUM
from specnotes.coursework import hidden_tests, variant, visible_tests
from specnotes.coursework.suspects import (
    BLOCK_LINES,
    BLOCK_MISTAKES,
    NAMES,
    TOKEN_LINES,
    TOKEN_MISTAKES,
    mending_line,
    planted_line,
)
from specnotes.laws import overlap

each_problem = pytest.mark.parametrize("problem", PROBLEMS)
SOURCE = '''# %% intro [markdown]
r"""
# Twice
"""

# %% setup locked
SEED = ""

# %% q1 answer
def twice(x):
    """Two of it."""
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION
    return ...

# %% q1-test test 2
assert twice(1) == 2
### BEGIN HIDDEN TESTS
assert twice(3) == 6
### END HIDDEN TESTS

# %% q2 manual 3 [markdown]
r"""
### BEGIN SOLUTION
Because.
### END SOLUTION
"""
'''


@pytest.fixture
def derive(tmp_path):
    """derive(text, seed) -> cells by id"""

    def make(text=SOURCE, seed=""):
        path = tmp_path / "ps0.py"
        path.write_text(text, encoding="utf-8")
        return {cell["id"]: cell for cell in json.loads(build.derive(path, seed))["cells"]}

    return make


# --- deriving


def test_roles_become_what_nbgrader_knows(derive):
    found = {name: cell["metadata"].get("nbgrader") for name, cell in derive().items()}
    flags = {
        name: cell and (cell["grade"], cell["solution"], cell["locked"], cell.get("points"))
        for name, cell in found.items()
    }
    assert flags == {
        "intro": None,
        "setup": (False, False, True, None),
        "q1": (False, True, False, None),
        "q1-test": (True, False, True, 2),
        "q2": (True, True, False, 3),
    }
    assert all(cell["grade_id"] == name for name, cell in found.items() if cell)


def test_solutions_and_hidden_tests_stay_in_the_source(derive):
    derived = derive()
    assert "### BEGIN SOLUTION" in "".join(derived["q1"]["source"])
    assert "### BEGIN HIDDEN TESTS" in "".join(derived["q1-test"]["source"])


def test_the_seed_goes_into_the_set_up_cell(derive):
    assert "".join(derive(seed='a "b"')["setup"]["source"]) == "SEED = 'a \"b\"'"


def test_tests_let_run_all_go_on(derive):
    tags = {name: cell["metadata"].get("tags") for name, cell in derive().items()}
    assert tags["q1-test"] == ["raises-exception"] and tags["q1"] is None


@pytest.mark.parametrize(
    ("before", "after", "complaint"),
    [
        ("q1-test test 2", "q1-test test", "points go with manual and test"),
        ("q1 answer", "q1 answer 2", "points go with manual and test"),
        ("q1 answer", "q1 answers", "the role is one of answer, manual, test, locked"),
        ("q1 answer", "q1", "'q1': no solution, or no answer"),
        (
            "    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION\n",
            "",
            "'q1': no solution",
        ),
        ("### END HIDDEN TESTS", "### END HIDDEN TEST", "'q1-test': no hidden test"),
        ("q1-test test 2", "q1 test 2", "'q1': this id is used twice"),
        ("    return 2 * x", "    return 2 * (x", "'q1': line"),
    ],
)
def test_a_mistake_in_a_source_is_refused_by_name(derive, before, after, complaint):
    assert before in SOURCE
    with pytest.raises(ValueError, match=re.escape(complaint)):
        derive(SOURCE.replace(before, after, 1))


@each_problem
def test_what_is_committed_is_what_the_source_derives(problem):
    derived = ROOT / f"coursework/course/source/{problem}/{problem}.ipynb"
    source = ROOT / f"coursework/src/{problem}.py"
    assert derived.read_text(encoding="utf-8") == build.derive(source)


# --- the sets


@each_problem
def test_a_release_has_no_solution_and_no_hidden_test(problem):
    regions = [build.REGION.findall(cell.source) for cell in cells(problem)]
    hidden = [build.HIDDEN.findall(cell.source) for cell in cells(problem)]
    secret = [line for found in regions for _, text in found for line in text.splitlines()]
    secret += [line for found in hidden for text in found for line in text.splitlines()]
    released = "\n".join(build.released(cell.source) for cell in cells(problem))
    kept = {line.strip() for line in released.splitlines()}
    assert "SOLUTION" not in released and "HIDDEN" not in released
    assert "hidden_tests" not in released and "mending_line" not in released
    assert [line for line in secret if len(line.strip()) > 8 and line.strip() in kept] == []


@each_problem
def test_the_reference_solution_gets_every_point(problem):
    assert run(problem) == []


@each_problem
def test_an_untouched_release_gets_nothing_and_does_not_crash(problem):
    blank = {cell.id: build.released(cell.source) for cell in cells(problem) if cell.id != "x"}
    tests = [cell.id for cell in cells(problem) if "hidden_tests" in cell.source]
    assert (
        run(problem, answers={k: v for k, v in blank.items() if k not in tests}, student_id="")
        == tests
    )


@each_problem
def test_the_card_tells_points_and_minutes_of_every_task(problem):
    card = cells(problem)[0].source
    rows = re.findall(r"^\| (\d|–) \|.*\| (\d+|–) \| (\d+) \|$", card, re.M)
    told = {task: int(given) for task, _, given in rows}
    found = {}
    for cell in cells(problem):
        task = "–" if cell.id.startswith("id") else cell.id[1]
        found[task] = found.get(task, 0) + about(cell).get("points", 0)
    assert told == {task: given for task, given in found.items() if given}
    minutes = sum(int(number) for _, number, _ in rows if number != "–")
    whole = re.search(r"About (\d+) minutes · (\d+) points", card)
    assert abs(minutes - int(whole[1])) <= 5 and int(whole[2]) == sum(told.values())
    assert 60 <= minutes <= 120 and 5 <= len(told) - 1 <= 8


# --- the id


def test_an_empty_id_loses_its_point_and_says_so():
    result = hidden_tests("ps1", "").identity("")
    assert not result.ok and "STUDENT_ID is empty" in result.message


def test_an_id_changed_after_the_first_cell_is_noticed():
    result = hidden_tests("ps1", "ann").identity("bob")
    assert not result.ok and "STUDENT_ID is 'bob' now" in result.message


def test_an_id_that_is_not_the_submitters_is_noticed(monkeypatch):
    monkeypatch.setenv("SPECNOTES_STUDENT", "Bob")
    result = hidden_tests("ps1", "ann").identity("ann")
    assert not result.ok and "handed in by 'bob'" in result.message
    assert hidden_tests("ps1", "bob").identity("BOB").ok


def test_nbgraders_folder_tells_who_handed_it_in(monkeypatch, tmp_path):
    folder = tmp_path / "autograded" / "ann" / "ps1"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert hidden_tests("ps1", "ann").identity("ann").ok
    assert not hidden_tests("ps1", "bob").identity("bob").ok


def test_a_number_that_is_right_for_the_empty_id_is_named():
    nobody, ann = variant("", "ps1"), hidden_tests("ps1", "ann")
    result = ann.kept(np.minimum(nobody.target, nobody.draft).sum())
    assert not result.ok and "right for the empty id" in result.message


def test_a_wrong_id_still_gets_its_other_points():
    assert run("ps1", student_id="") == ["id-test"]


# --- answers


@pytest.mark.parametrize("form", [float, Fraction, str, np.array, lambda kept: float(kept) + 4e-4])
def test_a_number_may_be_of_any_kind_within_the_tolerance(form):
    you = variant("ann", "ps1")
    assert hidden_tests("ps1", "ann").kept(form(overlap(you.target, you.draft))).ok


@pytest.mark.parametrize(
    "answer", [0.45, 0.46, float("nan"), "a lot", None, [0.55, 0.45], True, -0.55, ...]
)
def test_other_numbers_are_wrong(answer):
    assert not hidden_tests("ps1", "ann").kept(answer).ok


def test_a_thing_that_equals_everything_is_no_answer():
    class Yes:
        def __eq__(self, other):
            return True

        __hash__ = None

    hidden = hidden_tests("ps1", "ann")
    graders = [name for name in points("ps1") if name != "identity" and name != "lazy_mended"]
    assert not any(getattr(hidden, name)(Yes()).ok for name in graders)
    assert not hidden.lazy_mended(Yes(), Yes()).ok


def test_any_form_of_an_expression_counts():
    import sympy as sp

    ann = variant("ann", "ps1")
    p, q, a = sp.symbols("p q alpha")  # other assumptions than the notebook's
    share = 1 - ann.mixing
    kept = (p + q - sp.Abs(p - q)) / 2
    wrong = p if ann.mistake == "target" else q
    form = sp.Rational(str(share)) * (kept - p) + wrong * sp.Rational(str(share)) * (1 - a)
    assert hidden_tests("ps1", "ann").muddled_bias(form).ok
    assert hidden_tests("ps1", "ann").muddled_bias(sp.N(form)).ok
    for held in ([form], (form,), {form}, np.array([form]), sp.Matrix([form]), sp.FiniteSet(form)):
        assert hidden_tests("ps1", "ann").muddled_bias(held).ok  # as solvers hand back
    for held in ([], [form, form], {form, p}, sp.Matrix([form, form])):
        assert not hidden_tests("ps1", "ann").muddled_bias(held).ok
    assert not hidden_tests("ps1", "ann").muddled_bias([form + 1]).ok
    assert not hidden_tests("ps1", "ann").muddled_bias(form + p / 1000).ok


def test_a_generator_of_ones_own_is_detected_and_explained():
    own = np.random.default_rng(1)

    def verify(target, draft, forbidden, token, rng):
        return answer_to("ban", "reference")(target, draft, forbidden, token, own)

    for check in (visible_tests(variant("ann", "ps1")), hidden_tests("ps1", "ann")):
        result = check.ban_law(verify)
        assert not result.ok and "draw from the rng you are given" in result.message


@pytest.mark.parametrize("convert", [list, tuple, np.asarray])
def test_a_fallback_may_be_a_list_or_an_array(convert):
    def fallback(target, draft, chance):
        owed = target - draft * chance
        if min(owed) < 0:
            raise ValueError
        return convert(owed / sum(owed) if sum(owed) else target)

    assert lost_points("rules", fallback) == set()


def _owed(target, draft, chance):
    owed = target - draft * chance
    if min(owed) < 0:
        raise ValueError
    return owed


WRONG_FALLBACKS = {
    "the residual": lambda p, q, a: np.maximum(p - q, 0) / np.maximum(p - q, 0).sum(),
    "the target": lambda p, q, a: p,
    "not normalised": _owed,
    "0/0": lambda p, q, a: _owed(p, q, a) / _owed(p, q, a).sum(),
    "clipped, never refused": lambda p, q, a: (
        np.maximum(p - q * a, 0) / (np.maximum(p - q * a, 0).sum() or 1)
    ),
    "forgets q": lambda p, q, a: np.maximum(p - a, 0) / (np.maximum(p - a, 0).sum() or 1),
    "even": lambda p, q, a: np.ones(len(p)) / len(p),
    "always ValueError": lambda p, q, a: int("never"),
    "into the target": lambda p, q, a: np.subtract(p, q * a, out=p),
}


@pytest.mark.parametrize("name", WRONG_FALLBACKS)
def test_a_wrong_fallback_loses_points(name):
    assert lost_points("rules", WRONG_FALLBACKS[name]) != set()


# --- the museum on marks


@pytest.mark.parametrize("task", TASKS)
def test_the_reference_answer_keeps_a_tasks_points(task):
    assert lost_points(task, answer_to(task, "reference")) == set()


def _marks(exhibit):
    """A loop without bound takes long to enumerate."""
    return [pytest.mark.slow] if exhibit.name == "residual by rejection" else []


def _cases(*tasks):
    return [
        pytest.param(task, exhibit, id=f"{task}: {exhibit.name}", marks=_marks(exhibit))
        for task in tasks
        for exhibit in FITTING[task]
    ]


@pytest.mark.parametrize(("task", "exhibit"), _cases("ban"))
def test_an_exhibit_loses_what_it_deserves(task, exhibit):
    assert lost_points(task, answer_to(task, exhibit)) == lost(task, exhibit)


@pytest.mark.slow
@pytest.mark.parametrize(("task", "exhibit"), _cases("candidates", "patient", "least"))
def test_an_exhibit_loses_what_it_deserves_in_longer_tasks(task, exhibit):
    assert lost_points(task, answer_to(task, exhibit)) == lost(task, exhibit)


def test_every_exhibit_but_few_fits_a_task():
    kinds = set().union(*KINDS.values())
    fitting = {exhibit.name for task in FITTING.values() for exhibit in task}
    left = {e.name for e in MUSEUM if e.kind in kinds} - fitting
    assert left == set(UNFIT["least"]) | {"block verification"}


# --- somebody else's verifier


def _wrong_mends(you, lines, mistakes):
    """(line, text) of every mistake, put where it belongs in this student's text."""
    text = "\n".join(you.suspect.lines)
    names = {
        key: next((w for w in words if re.search(rf"\b{w}\b", text)), words[0])
        for key, words in NAMES.items()
    }
    line, right = mending_line(you.suspect)
    here = [key for key, template in lines.items() if template.format(**names).strip() == right]
    return [(line, wrong.format(**names).strip()) for key, wrong in mistakes if [key] == here]


@pytest.mark.parametrize("student_id", [f"s{i}" for i in range(6)])
@pytest.mark.parametrize("problem", PROBLEMS)
def test_only_a_mended_line_gets_the_points(problem, student_id):
    you, hidden = variant(student_id, problem), hidden_tests(problem, student_id)
    bank = (TOKEN_LINES, TOKEN_MISTAKES) if problem == "ps1" else (BLOCK_LINES, BLOCK_MISTAKES)
    mended = hidden.lazy_mended if problem == "ps1" else hidden.block_mended
    wrong = _wrong_mends(you, *bank)
    assert wrong and not any(mended(line, text).ok for line, text in wrong)
    assert mended(*mending_line(you.suspect)).ok


@pytest.mark.parametrize("problem", PROBLEMS)
def test_only_the_planted_line_is_the_line(problem):
    you, hidden = variant("ann", problem), hidden_tests(problem, "ann")
    named = hidden.lazy_line if problem == "ps1" else hidden.block_line
    lines = range(1, len(you.suspect.lines) + 1)
    assert [line for line in lines if named(line).ok] == [planted_line(you.suspect)]


@pytest.mark.parametrize("student_id", [f"s{i}" for i in range(6)])
@pytest.mark.parametrize("problem", PROBLEMS)
def test_a_mend_may_have_helpers(problem, student_id):
    you, hidden = variant(student_id, problem), hidden_tests(problem, student_id)
    mended = hidden.lazy_mended if problem == "ps1" else hidden.block_mended
    line, text = mending_line(you.suspect)
    helped = [f"a = 1\nb = a\n{text}", f"\n    a: int = 1\n    {text}"]
    helped += [] if text.endswith(":") else [f"helper = 1; {text}"]
    assert all(mended(line, words).ok for words in helped)
    assert not mended(line, f"{text}; raise ValueError").ok


# Line 1 of a mend that does the whole verifier's work and bends the other lines to it.
BENT = {
    "a parameter": "tokens = [0]",
    "part of a parameter": "target_laws[0] = draft_laws[0]",
    "in a row of targets": "n, draft_laws = 1, 2",
    "in passing": "n = (draft := 3)",
    "another line's name": "rng = None",
}


@pytest.mark.parametrize("bent", BENT)
def test_a_mend_may_not_bend_the_other_lines(bent):
    """So a text that knows the right rule does not mend a suspect that was never read."""
    for problem in PROBLEMS:
        you, hidden = variant("ann", problem), hidden_tests(problem, "ann")
        words = BENT[bent]
        if problem == "ps1":
            words = words.replace("target_laws", "target").replace("draft_laws", "draft")
            words = words.replace("tokens", "token")
        elif bent == "in passing":
            words = words.replace("draft", "draft_laws")
        mended = hidden.lazy_mended if problem == "ps1" else hidden.block_mended
        line, text = mending_line(you.suspect)
        result = mended(line, f"{words}\n{text}")
        assert not result.ok and "take names of your own" in result.message


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("owed = (", "cannot read it"),
        ("a = 1; b = 2; return b", "put one statement of the same kind there"),
        ("if a:\n    kept = b", "put one statement of the same kind there"),
        ("a = 1; print(a); kept = b", "put one statement of the same kind there"),
        ("import os", "put one statement of the same kind there"),
        ("", "should be a text"),
        (3, "should be a text"),
    ],
)
def test_a_line_that_cannot_be_put_in_is_explained(text, complaint):
    result = visible_tests(variant("ann", "ps1")).lazy_mended(4, text)
    assert not result.ok and complaint in result.message


# --- for the instructor


def test_canvas_gets_one_row_per_student_and_one_column_per_set():
    who = {"last_name": "Ng", "first_name": "Ann", "student_id": "ann"}
    nobody = {"last_name": "", "first_name": "", "student_id": "bob"}
    grades = [
        who | {"assignment": "ps1", "score": "28.0", "max_score": "32.0"},
        nobody | {"assignment": "ps1", "score": "0.0", "max_score": "32.0"},
        who | {"assignment": "ps2", "score": "30.0", "max_score": "32.0"},
    ]
    sheet = runpy.run_path(str(ROOT / "coursework/canvas.py"))["sheet"]
    assert list(sheet(grades)) == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "ps1", "ps2"],
        ["    Points Possible", "", "", "", "", "32.0", "32.0"],
        ["Ng, Ann", "", "", "ann", "", "28.0", "30.0"],
        ["", "", "", "bob", "", "0.0", ""],
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_comma_in_a_name_that_nbgrader_does_not_quote_moves_no_marks(tmp_path, encoding):
    head = "assignment,student_id,last_name,first_name,email,score,max_score"
    text = f"{head}\nps1,ann,Núñez, Jr.,Ann,a@b.c,15.0,32.0\nps1,bob,,,,28.0,32.0\n"
    source, target = tmp_path / "grades.csv", tmp_path / "canvas.csv"
    source.write_text(text, encoding=encoding)
    runpy.run_path(str(ROOT / "coursework/canvas.py"))["main"](source, target)
    with open(target, newline="", encoding="utf-8") as file:
        assert list(csv.reader(file))[2:] == [
            ["Núñez, Jr., Ann", "", "", "ann", "", "15.0"],
            ["", "", "", "bob", "", "28.0"],
        ]


def test_the_instructors_page_tells_minutes_and_points_of_every_task():
    page = (ROOT / "coursework/README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?:\*\*ps\d\*\* )?\d .*?\| (\d+) \| (\d+) \| \d\d", page, re.M)
    cards = [
        row
        for problem in PROBLEMS
        for row in re.findall(r"^\| \d \|.*\| (\d+) \| (\d+) \|$", cells(problem)[0].source, re.M)
    ]
    assert rows == cards


@pytest.mark.parametrize("page", ["README.md", "GRADING.md"])
def test_links_of_the_instructors_pages_lead_somewhere(page):
    text = (ROOT / "coursework" / page).read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link]
    assert [link for link in links if not (ROOT / "coursework" / link).exists()] == []


def test_make_commands_of_the_instructors_page_are_targets():
    text = (ROOT / "coursework/README.md").read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    named = re.findall(r"^make ([a-z]+)|`make ([a-z]+)", text, re.M)
    assert named and {a or b for a, b in named} <= set(targets)
