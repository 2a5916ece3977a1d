"""The grader on ordinary notebooks: whose they are, what is run, what comes out."""

import builtins
import csv
import json
import os
import re
import subprocess
import sys
import threading
import time
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import ROOT
from grading import FULL, ORDER, STUBS, Class, points, source, submission

import specnotes
from specnotes.__main__ import main
from specnotes.audit import cases
from specnotes.checks import card
from specnotes.grade import files, store
from specnotes.grade.assemble import assemble
from specnotes.grade.feedback import file_name, last_cards
from specnotes.grade.limits import Limits
from specnotes.grade.marks import Row
from specnotes.grade.notebook import Unreadable, read_problem, read_submission
from specnotes.grade.pristine import STRICT, Pristine
from specnotes.grade.sheets import canvas, safe
from specnotes.grade.suspects import suspects

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="grading needs fork")
SOLUTION = "np.minimum(p, q).sum()"
HIDDEN = "checks.verify_token(verify_token).require()"


@pytest.fixture
def room(tmp_path):
    return Class(tmp_path)


@pytest.fixture
def problem(room):
    return read_problem(room.source, "tiny")


def plan(problem, document):
    """(names of what is run, notes, answers by hand)"""
    steps, notes, written = assemble(problem, read_submission(json.dumps(document).encode()))
    return [step.name for step in steps], notes, written


# Reading.


def test_a_problem_keeps_no_solution(problem):
    assert SOLUTION in json.dumps(source()) and SOLUTION not in repr(problem)


def test_a_problem_knows_which_names_are_asked_for(problem):
    defines = {cell.grade_id: cell.defines for cell in problem.cells}
    assert defines["one"] == {"residual"} and defines["three"] == {"overlap"}


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda cells: cells.clear(), "has no test cell"),
        (lambda cells: cells.append(cells[3]), "two cells with grade_id 'one-test'"),
        (lambda cells: cells[3].update(source="assert ("), "cell 'one-test'"),
    ],
)
def test_a_source_that_cannot_be_used_is_named(room, change, message):
    document = source()
    change(document["cells"])
    room.source.write_text(json.dumps(document))
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        read_problem(room.source, "tiny")
    assert str(room.source) in str(error.value)


def test_magics_of_the_instructor_are_understood(room):
    document = source()
    document["cells"][1]["source"] += "\n%matplotlib inline"
    room.source.write_text(json.dumps(document))
    assert read_problem(room.source, "tiny").cells[1].code


@pytest.mark.parametrize("content", [b"", b"{", b"null", b"{}", b'{"cells": 3}', b"\x80"])
def test_what_is_no_notebook_is_unreadable(content):
    with pytest.raises(Unreadable):
        read_submission(content)


def test_thousands_of_cells_are_refused():
    with pytest.raises(Unreadable, match="more than 2,000 cells"):
        read_submission(json.dumps({"cells": [{}] * 2001}).encode())


# What is run.


def test_an_ordinary_notebook_is_run_in_its_order_without_notes(problem):
    names, notes, written = plan(problem, submission("ann"))
    assert names == ORDER[:-1]
    assert notes == [] and written == {"four": "Because the residual is owed."}


def test_a_cell_of_ones_own_stays_behind_the_cell_it_followed(problem):
    names, _, _ = plan(problem, submission("ann", extra="x = 1"))
    assert names[:4] == ["id", "setup", "cell 3", "one"]


def test_a_missing_answer_is_not_filled_in(problem):
    document = submission("ann")
    document["cells"] = [cell for cell in document["cells"] if cell["id"] != "three"]
    names, notes, _ = plan(problem, document)
    assert "three" not in names and notes == ["the answer cell three is missing"]


def test_a_lost_cell_of_the_release_comes_back(room):
    document = source()
    free = {"cell_type": "code", "metadata": {}, "id": "free", "source": "helper = 3"}
    document["cells"].insert(2, free)
    room.source.write_text(json.dumps(document))
    names, notes, _ = plan(read_problem(room.source, "tiny"), submission("ann"))
    assert "a cell of the release" in names
    assert notes == ["the cell that sets helper was missing: put back"]


@pytest.mark.parametrize(
    "code, word",
    [
        ("import sys\nsys._getframe(1)", "_getframe"),
        ("from specnotes import checks\nchecks.residual = 3", "checks.residual = …"),
        ("import specnotes.checks.known", "specnotes.checks.known"),
        ("from specnotes import coursework", "specnotes.coursework"),
        ("import specnotes\nspecnotes.coursework", "specnotes.coursework"),
        ("import gc", "gc"),
    ],
)
def test_code_that_nobody_needs_is_pointed_out(problem, code, word):
    steps, _, _ = assemble(
        problem, read_submission(json.dumps(submission("ann", extra=code)).encode())
    )
    assert suspects(steps) == [f"read cell 3: it uses {word}"]


def test_right_answers_raise_no_suspicion(problem):
    steps, _, _ = assemble(problem, read_submission(json.dumps(submission("ann")).encode()))
    assert suspects(steps) == []


# Putting back what was changed.


def _shadow():
    card.all = lambda items: True


CHANGES = {
    "a function of the package": lambda: setattr(card, "compare", print),
    "a name that hides a builtin one": _shadow,
    "a method": lambda: setattr(Fraction, "__eq__", lambda a, b: True),
    "a method that was inherited": lambda: setattr(card.Result, "__bool__", lambda self: True),
    "the code in a function": lambda: setattr(card.show, "__code__", (lambda value: "").__code__),
    "the default of a function": lambda: setattr(card.ask, "__kwdefaults__", {"at": "x"}),
    "a builtin": lambda: setattr(builtins, "sum", lambda items: 1),
    "a module": lambda: sys.modules.update({"specnotes.checks.card": builtins}),
    "a table": cases.PAIRS.clear,
    "a list in a table": cases.ROUNDED.clear,
    "an array in a table": lambda: cases.BASE[0].__setitem__(0, 1),
    "a record": lambda: cases.ROUNDED[0].__dict__.update(length=9),
    "all of a record": lambda: object.__setattr__(
        cases.ROUNDED[0], "__dict__", {**vars(cases.ROUNDED[0]), "length": 9}
    ),
    "a builtin that was not there": lambda: setattr(builtins, "every", all),
}


def state():
    """What the changes change."""
    kept = [card.compare, Fraction.__eq__, card.show.__code__, card.ask.__kwdefaults__, sum]
    known = [sys.modules["specnotes.checks.card"], list(cases.PAIRS), len(cases.ROUNDED)]
    added = [hasattr(card, "all"), "__bool__" in vars(card.Result)]
    added += [hasattr(builtins, "every"), vars(cases.ROUNDED[0])["length"] if cases.ROUNDED else 0]
    return [*kept, *known, *added, str(cases.BASE[0])]


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_is_seen_and_put_back(change):
    snapshot, before = Pristine(STRICT), state()
    writeable = cases.BASE[0].flags.writeable
    cases.BASE[0].setflags(write=True)
    try:
        change()
        changed = state() != before
    finally:
        snapshot.restore()
        cases.BASE[0].setflags(write=writeable)
    assert changed and state() == before


def test_without_a_change_nothing_is_reported():
    assert Pristine(STRICT).restore() == []


# Whose it is.


@pytest.mark.parametrize(
    "stem, student, name",
    [
        ("ann", "ann", ""),
        ("ann_ps1", "ann", ""),
        ("ps1-ann", "ann", ""),
        ("ann (2)", "ann", ""),
        ("group-1", "group-1", ""),
        ("leeann_LATE_4711_99001_ps1-2", "4711", "leeann"),
        ("leeann_4711_99001_ps1", "4711", "leeann"),
        ("Ann Lee_2001_assignsubmission_file_", "2001", "Ann Lee"),
        ("José", "José", ""),
        ("a\nb\udcff", "a\\nb\\udcff", ""),
    ],
)
def test_the_student_is_known_by_the_name_of_the_file(stem, student, name):
    assert files.whose(stem, "ps1")[:2] == (student, name)


@pytest.mark.parametrize("name", ["ann.ipynb", "ann/ps1.ipynb", "ann/ps1/ps1.ipynb", "ann/x.ipynb"])
def test_every_layout_is_found(tmp_path, name):
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).touch()
    (found,) = files.find(tmp_path, "ps1")
    assert (found.student, found.path) == ("ann", tmp_path / name)


def test_of_a_folder_with_several_sets_the_one_asked_for_is_taken(tmp_path):
    (tmp_path / "ann").mkdir()
    for name in ("ps1.ipynb", "ps2.ipynb", "ps10.ipynb"):
        (tmp_path / "ann" / name).touch()
    (found,) = files.find(tmp_path, "ps1")
    assert found.path.name == "ps1.ipynb" and found.notes == ()


def test_rosters_hidden_files_and_the_graders_own_are_left_out(tmp_path):
    for name in ("list.csv", ".DS_Store", "out.txt"):
        (tmp_path / name).touch()
    assert files.find(tmp_path, "ps1", [tmp_path / "out.txt"]) == []


@pytest.mark.parametrize(
    "roster", ["student,name\nAnn,A\nbob,B\n", "ann\nbob\n", "name,ID number\nA,ann\nB,bob\n"]
)
def test_who_handed_in_nothing_is_known_by_the_roster(tmp_path, roster):
    (tmp_path / "class.csv").write_text(roster)
    found = [files.Submission(name, "", tmp_path / name, 0) for name in ("ann", "eve")]
    everybody, strange = files.with_roster(found, tmp_path / "class.csv")
    assert [one.student for one in everybody] == ["ann", "bob", "eve"] and strange == ["eve"]
    assert everybody[1].notes == ("nothing was handed in",) and everybody[1].path is None


@pytest.mark.parametrize("roster", [b"", b"student\n", b"\x80"])
def test_a_roster_without_ids_is_refused(tmp_path, roster):
    (tmp_path / "class.csv").write_bytes(roster)
    with pytest.raises(ValueError, match="roster .*class.csv"):
        files.with_roster([], tmp_path / "class.csv")


def test_nbgraders_time_stamp_is_the_time_of_submission(tmp_path):
    (tmp_path / "ann/ps1").mkdir(parents=True)
    (tmp_path / "ann/ps1/ps1.ipynb").touch()
    (tmp_path / "ann/ps1/timestamp.txt").write_text("2026-10-01 18:30:00.000000 UTC")
    (found,) = files.find(tmp_path, "ps1")
    due = files.due_time("2026-10-01T18:00+00:00")
    assert files.lateness(found.when, due) == ["late by 0 h 30 min"]


def test_a_due_time_that_is_none_is_named():
    with pytest.raises(ValueError, match="due is 'tomorrow'"):
        files.due_time("tomorrow")


# What comes out.


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A few students, graded once."""
    room = Class(tmp_path_factory.mktemp("class"))
    room.add("ann.ipynb", submission("ann", three="overlap = 0.5"))
    room.add("bob.ipynb", submission("bob", **STUBS))
    room.add("cy.ipynb", submission("cy", one="def residual(target, draft):\n    return target"))
    room.add("leeann_4711_99001_tiny.ipynb", submission("lee"))
    room.run("--canvas", room.folder / "canvas.csv")
    return room


@needs_fork
def test_points_per_task_total_and_max(graded):
    row = graded.marks()["ann"]
    names = ("one-test", "two-test", "three-test", "four", "total", "max", "by_hand")
    assert [row[name] for name in names] == ["2", "3", "0", "", "5", "6", "4"]


@needs_fork
def test_an_untouched_release_gets_nothing(graded):
    assert points(graded.marks()["bob"]) == (0, 0, 0)


@needs_fork
def test_feedback_shows_the_counter_example(graded):
    said = (graded.feedback / "cy.txt").read_text()
    assert "yours is (1/2, 3/10, 1/5), it should be (1, 0, 0)" in said


@needs_fork
def test_feedback_tells_beside_a_test_what_stopped_its_answer(room):
    stopped = {"one": "import numpy as np\nresidual = nothing", "two": "x = 1\ndef verify(:"}
    room.add("ann.ipynb", submission("ann", **stopped))
    room.add("bob.ipynb", submission("bob", three="overlap = 0.7\n1 / 0"))
    room.run()
    ann, bob = ((room.feedback / f"{name}.txt").read_text() for name in ("ann", "bob"))
    assert "your cell one stopped: NameError: name 'nothing' is not defined (line 2)" in ann
    assert "your cell two stopped: SyntaxError: invalid syntax (line 2)" in ann
    assert "ipython-input" not in ann and "not attempted" not in ann
    assert "your cell three" not in bob  # that test is passed
    assert "- three: ZeroDivisionError: division by zero (line 2)" in bob


def test_of_two_cards_with_one_title_the_last_is_shown():
    said = "· kept: form\n✓ kept: 0.6 is right\n✗ its law: no\n  at p"
    assert last_cards(said) == "✓ kept: 0.6 is right\n✗ its law: no\n  at p"


def test_a_tests_title_is_its_task_and_what_it_tests():
    path = ROOT / "coursework/course/source/ps1/ps1.ipynb"
    titles = {cell.grade_id: cell.title for cell in read_problem(path, "ps1").cells}
    assert titles["q2-kept"] == "Task 2: a forbidden token: kept"
    assert titles["q7"] == "Task 7: a test that passes" and titles["id-test"].endswith(": id")


@needs_fork
def test_the_roster_fills_the_sheet(graded):
    (graded.folder / "class.csv").write_text("student\nann\nbob\ncy\nzoe\n")
    graded.run("--roster", graded.folder / "class.csv")
    marks = graded.marks()
    assert marks["zoe"]["total"] == "0" and "nothing was handed in" in marks["zoe"]["note"]
    assert "not on the roster" in marks["4711"]["note"] and "roster" not in marks["ann"]["note"]
    graded.run()


@needs_fork
def test_an_id_typed_without_quotes_is_read(room):
    room.add("1862.ipynb", submission("1862", id="STUDENT_ID = 1862"))
    room.run()
    assert room.marks()["1862"]["typed_id"] == "1862"


@needs_fork
def test_sheet_and_feedback_say_which_grader_made_the_marks(graded):
    made_by = store.grader(graded.source)
    assert re.fullmatch(rf"specnotes {re.escape(specnotes.__version__)} [0-9a-f]{{16}}", made_by)
    assert {row["grader"] for row in graded.marks().values()} == {made_by}
    for name in ("ann.html", "ann.txt"):
        assert f"Marked by {made_by}" in (graded.feedback / name).read_text()


@needs_fork
def test_feedback_shows_no_test_unless_asked(graded):
    assert HIDDEN not in (graded.feedback / "ann.html").read_text()
    graded.run("--show-tests")
    assert HIDDEN in (graded.feedback / "ann.html").read_text()


@needs_fork
def test_canvas_gets_its_own_columns(graded):
    with (graded.folder / "canvas.csv").open(newline="") as file:
        head, possible, *rows = csv.reader(file)
    assert head == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "tiny"]
    assert possible[-1] == "6"
    assert ["leeann", "4711", "", "", "", "6"] in rows and ["", "", "", "ann", "", "5"] in rows


@needs_fork
def test_a_second_run_grades_only_what_has_changed(room):
    for name in ("ann", "bob"):
        room.add(f"{name}.ipynb", submission(name))
    assert " 2 graded now" in room.run().stderr
    room.add("bob.ipynb", submission("bob", three="overlap = 0"))
    assert " 1 graded now" in room.run().stderr
    assert points(room.marks()["bob"]) == (2, 3, 0)


@needs_fork
@pytest.mark.parametrize("again", ["--again", "--memory=400", "source"])
def test_other_circumstances_grade_everything_anew(room, again):
    room.add("ann.ipynb", submission("ann"))
    room.run()
    if again == "source":
        document = source()
        document["cells"][3]["source"] += "\nassert False"
        room.source.write_text(json.dumps(document))
    assert " 1 graded now" in room.run(*([again] if again != "source" else [])).stderr
    assert points(room.marks()["ann"]) == ((0, 3, 1) if again == "source" else FULL)


@needs_fork
def test_a_store_cut_off_in_the_middle_does_no_harm(room):
    room.add("ann.ipynb", submission("ann"))
    room.run()
    store = room.out.with_name("grades.csv.graded")
    store.write_text(store.read_text()[:100] + "\n[]\nnull\n")
    assert " 1 graded now" in room.run().stderr


@needs_fork
@pytest.mark.parametrize(
    "options, message",
    [
        (["--jobs", "0"], "jobs is 0, not above 0"),
        (["--due", "soon"], "due is 'soon'"),
        (["--source", "nowhere.ipynb"], "source nowhere.ipynb is not a notebook"),
        ([], "nothing was handed in"),
    ],
)
def test_a_call_that_cannot_work_says_why(room, options, message, capsys):
    assert main(room.command(*options)) == 2
    assert message in capsys.readouterr().err


@needs_fork
def test_the_package_belongs_to_the_circumstances(tmp_path, monkeypatch):
    source, module = tmp_path / "source", tmp_path / "grader.py"
    source.write_text("{}"), module.write_text("MARKS = 1")
    monkeypatch.setattr(store, "package_files", lambda: [module])
    before, name = store.circumstances(source, Limits()), store.grader(source)
    assert (store.circumstances(source, Limits()), store.grader(source)) == (before, name)
    module.write_text("MARKS = 2")
    assert store.circumstances(source, Limits()) != before and store.grader(source) != name


@needs_fork
def test_the_tests_belong_to_the_name_of_the_grader(tmp_path):
    source = tmp_path / "source"
    source.write_text("assert a")
    name = store.grader(source)
    source.write_text("assert b")
    assert store.grader(source) != name


def test_every_module_of_the_package_counts():
    names = {path.name for path in store.package_files()}
    assert {"judge.py", "coin.py", "one_token.py", "card.py"} <= names


@needs_fork
def test_it_works_outside_the_checkout_and_makes_the_folder_of_marks(room):
    room.add("ann.ipynb", b"no notebook")
    out = room.folder / "new" / "deep" / "grades.csv"
    words = ["grade", room.handed_in, "--problem", "ps1", "--out", out, "--jobs", "1"]
    command = [sys.executable, "-m", "specnotes", *map(str, words)]
    done = subprocess.run(command, cwd=room.folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and out.is_file(), done.stderr


@needs_fork
def test_an_unknown_problem_says_where_it_was_looked_for(room, capsys):
    words = ["grade", str(room.handed_in), "--problem", "ps9", "--out", str(room.out)]
    assert main(words) == 2
    assert "there is no notebook of ps9" in capsys.readouterr().err


def test_without_fork_it_says_what_to_do_instead(room, monkeypatch):
    monkeypatch.delattr(os, "fork", raising=False)
    with pytest.raises(SystemExit, match="nbgrader autograde tiny"):
        main(room.command())


@needs_fork
def test_what_could_not_be_run_is_told_and_tried_again(room):
    room.add("ann.ipynb", submission("ann"))
    done = room.run("--seconds", "1e-9", code=1)  # gone before the first look at the clock
    assert "COULD NOT BE RUN, see their notes: ann" in done.stderr
    assert "it could not be run" in room.marks()["ann"]["note"]
    assert " 1 graded now" in room.run("--seconds", "1e-9", code=1).stderr


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x"])
def test_no_cell_of_the_sheet_is_a_formula(text):
    assert safe(text) == f"'{text}"


@pytest.mark.parametrize(
    "student, login", [("-ada", "-ada"), ("@ada+1", "@ada+1"), ("=A1", "'=A1"), ("-f(1)", "'-f(1)")]
)
def test_canvas_gets_logins_as_they_are_unless_a_spreadsheet_would_run_them(student, login):
    problem = SimpleNamespace(name="ps1", tests=lambda: [])
    row = Row(student, "", "", {}, total=1.0, most=1.0, by_hand=0.0)
    assert canvas([row], problem).splitlines()[-1] == f",,,{login},,1"


@pytest.mark.parametrize("student", ["../up", "a/b", "x" * 300, ".."])
def test_no_id_leads_out_of_the_feedback_folder(student):
    name = file_name(student)
    assert Path(name).name == name and 0 < len(name) <= 90


# The problem sets themselves.


@needs_fork
@pytest.mark.parametrize("path", sorted((ROOT / "coursework/course/source").glob("*/ps*.ipynb")))
def test_the_reference_solution_gets_every_point_and_the_release_none(room, path):
    document = json.loads(path.read_text(encoding="utf-8"))
    text = json.dumps(document).replace('\\"reference\\"', '\\"ann\\"')
    room.add("ann.ipynb", json.loads(text))
    for cell in document["cells"]:
        whole = "".join(cell["source"])
        cell["source"] = re.sub(r"(?s) *### BEGIN (\w+).*?### END \1[^\n]*\n?", "", whole)
    room.add("bob.ipynb", document)
    room.run("--source", path, "--memory", "1024")
    marks = room.marks()
    assert marks["ann"]["total"] == marks["ann"]["max"], marks["ann"]["note"]
    assert marks["bob"]["total"] == "0" and "Error" not in marks["bob"]["note"]


# Slow: a whole class, and the authority.


def processor_seconds():
    """Of all processes that this one has waited for, and of those that they have waited for."""
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Pace:
    """Processor seconds of a fixed sum of fractions, over and over: how fast a machine is now."""

    IDLE = 0.0175  # where the minutes below were measured, with nothing else to do

    def __enter__(self):
        self._took, self._over = [], threading.Event()
        self._thread = threading.Thread(target=self._measure)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join()
        self.slowness = max(1, sum(self._took) / len(self._took) / self.IDLE)

    def _measure(self):
        while not self._over.wait(1 if self._took else 0):
            start = time.thread_time()
            for _ in range(30):
                sum(Fraction(1, number) for number in range(1, 300))
            self._took.append(time.thread_time() - start)


@needs_fork
@pytest.mark.slow
@pytest.mark.parametrize("problem, a_minute", [("ps1", 60), ("ps2", 60)])
def test_two_cores_grade_so_many_submissions_a_minute(room, record_property, problem, a_minute):
    """Reckoned from processor time; a machine that is slower, or shared, is given so much more."""
    path = ROOT / f"coursework/course/source/{problem}/{problem}.ipynb"
    text = path.read_text(encoding="utf-8")
    for number in range(60):
        room.add(f"s{number}.ipynb", text.replace('\\"reference\\"', f'\\"s{number}\\"').encode())
    start, used = time.monotonic(), processor_seconds()
    with Pace() as pace:
        done = room.run("--source", path, "--memory", "1024")
    used = processor_seconds() - used
    record_property("seconds", time.monotonic() - start)
    rate = 60 * 60 / (used / 2)
    print(
        f"{used:.1f} s of processor time, {rate:.0f} a minute, {pace.slowness:.2f}\n{done.stderr}"
    )
    assert all(row["total"] == row["max"] for row in room.marks().values())
    assert rate * pace.slowness >= a_minute


ORDINARY = {
    "full": {},
    "untouched": STUBS,
    "half": {"two": STUBS["two"]},
    "wrong": {"three": "overlap = 0.5", "one": "def residual(target, draft):\n    return draft"},
    "raises": {"one": "def residual(target, draft):\n    raise RuntimeError('no')"},
    "broken": {"three": "overlap = ("},
    "numbers": {"three": "overlap = 7 / 10"},
}


@needs_fork
@pytest.mark.slow
def test_ordinary_notebooks_get_the_same_marks_as_from_nbgrader(room, monkeypatch):
    here = os.path.dirname(sys.executable)  # nbgrader calls a program of its environment
    monkeypatch.setenv("PATH", here + os.pathsep + os.environ["PATH"])
    from nbgrader.apps import NbGraderAPI
    from traitlets.config import Config

    course = room.folder / "course"
    (course / "source/tiny").mkdir(parents=True)
    (course / "source/tiny/tiny.ipynb").write_bytes(room.source.read_bytes())
    config = Config()
    config.CourseDirectory.root = str(course)
    config.CourseDirectory.db_url = f"sqlite:///{course}/gradebook.db"
    config.ClearSolutions.code_stub = {"python": "# your code here"}
    api = NbGraderAPI(config=config)
    assert api.generate_assignment("tiny")["success"]
    theirs = {}
    for student, changes in ORDINARY.items():
        room.handed_in = course / "submitted"
        room.add(f"{student}/tiny/tiny.ipynb", submission(student, **changes))
        assert api.autograde("tiny", student)["success"]
        with api.gradebook as book:
            grades = book.find_submission("tiny", student).notebooks[0].grades
            theirs[student] = {
                grade.name: grade.auto_score for grade in grades if grade.name != "four"
            }
    room.run()
    names = ("one-test", "two-test", "three-test")
    ours = {s: {name: float(row[name]) for name in names} for s, row in room.marks().items()}
    assert ours == theirs
