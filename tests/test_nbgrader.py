"""nbgrader end to end, in one process: generate, release, autograde, feedback, export."""

import csv
import os
import shutil
import sys
from pathlib import Path

import build_coursework as build
import nbformat
import pytest
from build_notebooks import complete_code
from conftest import ROOT
from course_notebooks import cells
from traitlets.config import PyFileConfigLoader

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("nbgrader")]
# Of ps1: what the mixed submission gets right, with its points.
SOLVED = {"q1": 4, "q3": 5, "q6": 5}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course folder after a term: (folder, gradebook's address)"""

    from nbgrader.apps import NbGraderAPI  # here: `make test` collects this file without nbgrader
    from nbgrader.plugins import CsvExportPlugin

    folder = tmp_path_factory.mktemp("course")
    beside = str(Path(sys.executable).parent)  # nbgrader calls alembic by name
    os.environ["PATH"] = os.pathsep.join([beside, os.environ["PATH"]])
    shutil.copytree(ROOT / "coursework/course/source", folder / "source")
    config = PyFileConfigLoader(str(ROOT / "coursework/nbgrader_config.py")).load_config()
    config.CourseDirectory.root = str(folder)
    config.CourseDirectory.db_url = address = f"sqlite:///{folder}/gradebook.db"
    api = NbGraderAPI(config=config)
    for problem in ("ps1", "ps2"):
        check(api.generate_assignment(problem))
    hand_in(folder, "full", "ps1", solve=lambda task: True)
    hand_in(folder, "full", "ps2", solve=lambda task: True)
    hand_in(folder, "empty", "ps1", student_id=None)
    hand_in(folder, "mixed", "ps1", solve=lambda task: task in SOLVED)
    hand_in(folder, "careless", "ps1", solve=lambda task: task in SOLVED, damage=True)
    hand_in(folder, "copied", "ps1", solve=lambda task: True, student_id="full")
    for problem in ("ps1", "ps2"):
        for student in sorted(path.name for path in (folder / "submitted").iterdir()):
            if (folder / "submitted" / student / problem).is_dir():
                check(api.autograde(problem, student))
    check(api.generate_feedback("ps1"))
    with gradebook_at(address) as gradebook:
        CsvExportPlugin(to=str(folder / "grades.csv")).export(gradebook)
    return folder, address


def gradebook_at(address):
    from nbgrader.api import Gradebook

    return Gradebook(address)


def check(done):
    assert done["success"], done.get("error") or done.get("log")


def hand_in(folder, student, problem, solve=lambda task: False, student_id="", damage=False):
    """Fill in the released notebook as a student would."""
    path = folder / "release" / problem / f"{problem}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    solved = {cell.id: complete_code(cell.source) for cell in cells(problem)}
    for cell in notebook.cells:
        grade_id = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        if grade_id == "id" and student_id is not None:
            cell.source = f'STUDENT_ID = "{student_id or student}"'
        elif cell.metadata.get("nbgrader", {}).get("solution") and solve(grade_id):
            cell.source = solved[grade_id]
        if damage and grade_id == "q1-kept":
            cell.source = "pass  # a test made harmless"
    if damage:
        notebook.cells = [
            cell
            for cell in notebook.cells
            if cell.metadata.get("nbgrader", {}).get("grade_id") != "q2-law"
        ]
    target = folder / "submitted" / student / problem
    target.mkdir(parents=True)
    nbformat.write(notebook, target / f"{problem}.ipynb")


@pytest.fixture(scope="module")
def scores(course):
    """(student, problem) → score"""
    with open(course[0] / "grades.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    return {(row["student_id"], row["assignment"]): float(row["score"]) for row in rows}


def manual_points(problem):
    found = [cell.metadata.nbgrader for cell in cells(problem) if "nbgrader" in cell.metadata]
    return sum(one.get("points", 0) for one in found if one["grade"] and one["solution"])


@pytest.mark.parametrize("problem", ["ps1", "ps2"])
def test_the_release_has_no_solution_and_no_hidden_test(course, problem):
    text = (course[0] / "release" / problem / f"{problem}.ipynb").read_text(encoding="utf-8")
    for secret in ("SOLUTION", "HIDDEN", "hidden_tests", "mending_line", "brentq("):
        assert secret not in text
    assert text.count("# your code here") == len(
        [c for c in cells(problem) if c.cell_type == "code" and build.REGION.search(c.source)]
    )


@pytest.mark.parametrize("problem", ["ps1", "ps2"])
def test_the_release_is_what_the_tests_of_the_release_look_at(course, problem):
    path = course[0] / "release" / problem / f"{problem}.ipynb"
    released = {cell.id: cell.source.strip() for cell in nbformat.read(path, as_version=4).cells}
    code = [cell for cell in cells(problem) if cell.cell_type == "code"]
    mine = {cell.id: build.released(cell.source).strip() for cell in code}
    assert {name: released[name] for name in mine} == mine


@pytest.mark.parametrize("problem", ["ps1", "ps2"])
def test_the_reference_gets_all_that_is_marked_by_running(scores, problem):
    assert scores["full", problem] == 32 - manual_points(problem)


def test_the_reference_gets_everything_once_a_person_has_read_it(course):

    folder, address = course
    with gradebook_at(address) as gradebook:
        grade = gradebook.find_grade("q7", "ps1", "ps1", "full")
        assert grade.needs_manual_grade
        grade.manual_score, grade.needs_manual_grade = 4, False
        gradebook.db.commit()
        submission = gradebook.find_submission("ps1", "full")
        assert submission.score == submission.max_score == 32


def test_an_untouched_release_gets_nothing(scores):
    assert scores["empty", "ps1"] == 0


def test_a_mixed_submission_gets_what_it_has_solved(scores):
    assert scores["mixed", "ps1"] == sum(SOLVED.values()) + 1  # and its id


def test_tests_that_were_edited_or_deleted_are_put_back(scores):
    assert scores["careless", "ps1"] == scores["mixed", "ps1"]


def test_a_copy_under_another_id_is_noticed(course, scores):
    assert scores["copied", "ps1"] == scores["full", "ps1"] - 1
    text = (course[0] / "feedback/copied/ps1/ps1.html").read_text(encoding="utf-8")
    assert "handed in by" in text


def test_feedback_explains_what_is_missing(course):
    text = (course[0] / "feedback/mixed/ps1/ps1.html").read_text(encoding="utf-8")
    assert "not attempted yet" in text and "right for your numbers" in text


def test_no_test_cell_writes_to_stderr(course):
    for path in sorted((course[0] / "autograded").glob("*/*/*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            streams = [o for o in cell.get("outputs", []) if o.get("name") == "stderr"]
            assert streams == [], f"{path.parent}: cell {cell.id}"
