"""One class of broken, odd and hostile notebooks, graded to the end in one run of the command."""

import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

import psutil
import pytest
from grading import FULL, Class, again, edited, place, points, submission

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="grading needs fork"),
]

NAP = "86399"  # seconds that children sleep: marks those of these tests in the list of processes


@dataclass(frozen=True)
class Case:
    """What is handed in, the points it should get, words that its note should have."""

    name: str
    content: object
    points: tuple = FULL
    note: str = ""


def answers(name, points=FULL, note="", **changed):
    return Case(name, submission(name, **changed), points, note)


ENDLESS = """
    def residual(target, draft):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass
"""
OWN_FORKS = f"""
    import os
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            os.execvp("sleep", ["sleep", "{NAP}"])
"""
MANY = f"""
    import subprocess, time
    many = [subprocess.Popen(["sleep", "{NAP}"]) for _ in range(40)]
    time.sleep(60)
"""
MEMORY = """
    hoard = []
    while True:
        hoard.append(bytearray(2**24))
"""
ENDINGS = [
    answers("endless-cell", (2, 3, 0), "three: stopped after 5 s", three="while True: pass"),
    answers("endless-function", (0, 0, 1), "one-test: stopped after 5 s", one=ENDLESS),
    answers("all-memory", FULL, "MemoryError", extra=MEMORY),
    answers("sys-exit", FULL, "SystemExit: 3", extra="import sys\nsys.exit(3)"),
    answers(
        "os-exit",
        FULL,
        "ended the whole process (exit status 0)",
        extra="__import__('os')._exit(0)",
    ),
    answers(
        "exit-in-answer",
        (0, 0, 1),
        "one-test: it ended the whole process (exit status 7)",
        one="def residual(target, draft):\n    import os\n    os._exit(7)",
    ),
    answers(
        "killed", FULL, "SIGKILL", extra="import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"
    ),
    answers("crash", FULL, "SIGSEGV", extra="import ctypes\nctypes.string_at(0)"),
    answers("group", FULL, "SIGKILL", extra="import os, signal\nos.killpg(0, signal.SIGKILL)"),
    answers("orphans", FULL, "3 of its processes were still running", extra=OWN_FORKS),
    answers("many", FULL, "more than 32 processes", extra=MANY),
    answers("fork-on", FULL, "", extra="import os\nos.fork()"),
    answers("closes-all", FULL, "ended the whole process", extra="import os\nos.closerange(0, 99)"),
    answers("no-folder", FULL, "", extra="import os, shutil\nshutil.rmtree(os.getcwd())"),
    answers("asks", FULL, "Error", extra="input('your name?')"),
    answers("deep", FULL, "RecursionError", extra="def f():\n    return f()\nf()"),
    answers("long-output", FULL, "", extra="for _ in range(2 * 10**5):\n    print('x' * 100)"),
    answers("long-value", FULL, "", extra="'x' * 10**8"),
]


def _delete_tests(cells):
    cells[:] = [one for one in cells if not one["id"].endswith("-test")]


def _delete_setup(cells):
    del cells[place(cells, "setup")]


def _reverse(cells):
    cells.reverse()


def _double_test(cells):
    cells.insert(0, again(cells, "one-test"))


def _double_answer(cells):
    cells.append(again(cells, "three", "overlap = p.dot(q)"))
    cells.append(again(cells, "three", "overlap = np.minimum(p, q).sum()"))


def _edit_tests(cells):
    for one in cells:
        if one["id"].endswith("-test"):
            one["source"] = "assert True"


def _change_ids(cells):
    for one in cells:
        one["metadata"]["nbgrader"]["grade_id"] += "-mine"


def _change_all_ids(cells):
    _change_ids(cells)
    for number, one in enumerate(cells):
        one["id"] = f"cell{number}"


def _strip_metadata(cells):
    for one in cells:
        one["metadata"] = {}
        del one["id"]


def _claim_tests(cells):
    """Metadata that say: this answer is a test, worth a hundred points."""
    grading = cells[place(cells, "one")]["metadata"]["nbgrader"]
    grading.update(grade=True, solution=False, locked=True, points=100)


def _odd_metadata(cells):
    cells[0]["metadata"] = {"nbgrader": ["?"]}
    cells[2]["source"] = [cells[2]["source"], None, 3]
    cells += [None, 7, {"cell_type": "code"}, {"cell_type": "code", "source": 5, "metadata": 1}]


WRONG = {
    "one": "def residual(target, draft):\n    return target",
    "two": "def verify_token(target, draft, token, rng):\n    return token, True",
    "three": "overlap = 0.5",
}
NONE = (0, 0, 0)
CELLS = [
    Case("no-tests", edited("no-tests", _delete_tests, **WRONG), NONE, "one-test was missing"),
    Case("no-setup", edited("no-setup", _delete_setup), FULL, "given cell setup was missing"),
    Case("reversed", edited("reversed", _reverse), FULL, "cells were moved"),
    Case(
        "double-test", edited("double-test", _double_test), FULL, "second cell one-test was ignored"
    ),
    Case("double-answer", edited("double-answer", _double_answer), FULL, "two answer cells"),
    Case("edited", edited("edited", _edit_tests, **WRONG), NONE, "test cell one-test was edited"),
    Case("new-ids", edited("new-ids", _change_ids), FULL, "'one-mine': recognised by its cell id"),
    Case("all-ids", edited("all-ids", _change_all_ids), FULL, "recognised by the names it defines"),
    Case("stripped", edited("stripped", _strip_metadata), FULL, "recognised by its text"),
    Case("claims", edited("claims", _claim_tests), FULL),
    Case("odd-metadata", edited("odd-metadata", _odd_metadata), FULL),
]


def _version_3(student):
    cells = []
    for one in submission(student)["cells"]:
        old = {"cell_type": one["cell_type"], "metadata": one["metadata"]}
        old["input" if one["cell_type"] == "code" else "source"] = one["source"].splitlines(True)
        cells.append(old)
    return {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": cells}]}


def _stored_output(student):
    made = submission(student)
    made["cells"][2]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x" * 10**7}]
    return made


def _truncated(student):
    import json

    return json.dumps(submission(student)).encode()[:1500]


FILES = [
    Case("pdf", b"%PDF-1.7\n\xff\xfe\x00 a scan of my homework", NONE, "not a notebook"),
    Case("empty", b"", NONE, "the file is empty"),
    Case("blank", b"  \n", NONE, "the file is empty"),
    Case("truncated", _truncated("truncated"), NONE, "it ends in the middle"),
    Case("list", b"[1, 2]", NONE, "it has no list of cells"),
    Case("nested", b'{"cells": ' + b"[" * 10**5, NONE, "nested too deeply"),
    Case("version-3", _version_3("version-3")),
    Case("stored", _stored_output("stored")),
    Case("Zoë Ångström 名前", submission("Zoë Ångström 名前")),
    Case("=cmd()", submission("=cmd()")),
]

REQUIRE = """
    def residual(target, draft):
        from specnotes.checks.card import Result
        Result.require = lambda self: None
        return target
"""
MUTED = """
    import sys, builtins
    builtins.print = lambda *words, **options: 1 / 0
    builtins.abs = builtins.float = lambda x: 0.7
    builtins.all = builtins.callable = lambda x: True
    sys.stdout = sys.stderr = None
"""
FAKE_CHECKS = """
    import sys, types
    import specnotes.checks, specnotes.checks.one_token, specnotes.checks.card as card
    from specnotes.checks.card import Result
    yes = lambda *answers, **options: Result(True, True, "wonderful")
    checks = specnotes.checks
    checks.residual = checks.verify_token = specnotes.checks.one_token.residual = yes
    card._judge = card.compare = yes
    Result.require = lambda self: None
    sys.modules["specnotes.checks"] = types.SimpleNamespace(residual=yes, verify_token=yes)
    specnotes.checks.one_token.residual.__wrapped__ = yes
"""
FAKE_CODE = """
    import specnotes.checks as c
    c.residual.__wrapped__.__code__ = (lambda function: "right").__code__
"""
EMPTY_TABLES = """
    from specnotes.audit import cases
    cases.PAIRS.clear()
    cases.PAIRS["easy"] = cases.BASE
    for table in (cases.TOKEN_TOYS, cases.BLOCK_TOYS, cases.ROUNDED):
        table.clear()
"""
NUMPY = """
    import numpy, operator, math, fractions
    numpy.asarray = lambda *a, **k: numpy.zeros(3)
    numpy.abs = numpy.allclose = numpy.maximum = lambda *a, **k: True
    fractions.Fraction.__eq__ = lambda a, b: True
    fractions.Fraction.__float__ = lambda a: 0.7
    math.isclose = lambda *a, **k: True
"""
EQUAL = """
    class Equal:
        def __eq__(self, other): return True
        __lt__ = __le__ = __gt__ = __ge__ = __eq__
        def __float__(self): return 0.7
        def __array__(self, *a, **k): return np.array(self, dtype=object)
        def __getattr__(self, name): return self
        def __call__(self, *a, **k): return self
        def __iter__(self): return iter([self] * 3)
        def __len__(self): return 3
        def __sub__(self, other): return self
        def __hash__(self): return 0
        __abs__ = __rsub__ = __getitem__ = __bool__ = lambda self, *a: True
"""
LIKE_FRACTION = """
    class Same(Fraction):
        def __eq__(self, other): return True
        __hash__ = Fraction.__hash__
"""
SHADOWS = """
    import types
    __builtins__ = {"callable": lambda x: True}
    abs = all = is_same = callable = float = lambda *a: 0
    p = q = np.array([1, 1, 1])
    checks = types.SimpleNamespace(residual=lambda f: checks, require=lambda: None)
    checks.verify_token = checks.residual
"""
REPLACES_SHELL = """
    shell = get_ipython()
    shell.run_cell = shell.run_code = lambda *a, **k: None
    shell.set_custom_exc((BaseException,), lambda *a, **k: None)
"""
FORGE = """
    import os
    for descriptor in range(3, 40):
        try:
            os.write(descriptor, b'{"step": 3, "ok": true}\\n')
        except OSError:
            pass
"""
TRICKS = [
    answers("fake-checks", NONE, "it changed specnotes.checks", extra=FAKE_CHECKS, **WRONG),
    answers("fake-code", NONE, "specnotes.checks.one_token.residual", extra=FAKE_CODE, **WRONG),
    answers("empty-tables", NONE, "", extra=EMPTY_TABLES, **WRONG),
    answers("numpy", NONE, "fractions.Fraction.__eq__", extra=NUMPY, **WRONG),
    answers("right-numpy", FULL, "it changed", extra="np.sum = np.maximum.reduce = None"),
    answers("muted", NONE, "builtins.print", extra=MUTED, **WRONG),
    answers("shadows", NONE, "", extra=SHADOWS, **WRONG),
    answers("while-called", (0, 0, 1), "while this test ran", one=REQUIRE),
    answers("shell", NONE, "", extra=REPLACES_SHELL, **(WRONG | {"three": "overlap = 1"})),
    answers("reset", (2, 0, 0), "NameError", two="%reset -f"),
    answers(
        "equal",
        NONE,
        "",
        extra=EQUAL,
        one="residual = Equal()",
        two="verify_token = Equal()",
        three="overlap = Equal()",
    ),
    answers(
        "like-fraction",
        NONE,
        "",
        extra=LIKE_FRACTION,
        one="def residual(t, d):\n    return np.array([Same(7, 10)] * len(t))",
        two="def verify_token(t, d, token, rng):\n    return Same(token), True",
        three="overlap = Same(1, 2)",
    ),
    answers(
        "silent",
        (0, 0, 1),
        "",
        one="class Silent(BaseException):\n    def __str__(self): raise self\n"
        "def residual(t, d):\n    raise Silent",
    ),
    answers(
        "forger",
        FULL,
        "mark it by hand",
        extra=FORGE,
    ),
    answers("parent", FULL, "it uses kill", extra="import os\nos.kill(os.getppid(), 9)"),
    answers("reader", FULL, "PermissionError", extra="open({source!r}).read()"),
    answers(
        "writer", FULL, "PermissionError", extra="open({folder!r} + '/right.ipynb', 'w').write('')"
    ),
]

VERIFY = "verify_token"
KINDS = [
    answers("right"),
    answers(
        "lambda",
        one="owed = lambda t, d: np.maximum(t - d, 0 * t)\n"
        "residual = lambda t, d: owed(t, d) / owed(t, d).sum() if (t != d).any() else t",
    ),
    answers(
        "callable",
        one="""
            class Residual:
                def __call__(self, target, draft):
                    owed = np.maximum(target - draft, 0 * target)
                    return owed / owed.sum() if owed.sum() > 0 else target
            residual = Residual()
        """,
    ),
    answers(
        "jitted",
        one="""
            import functools
            class Jitted:
                def __init__(self, function):
                    functools.update_wrapper(self, function)
                    self.py_func = function
                def __call__(self, *laws):
                    return self.py_func(*laws)
            @Jitted
            def residual(target, draft):
                owed = np.maximum(target - draft, 0 * target)
                return owed / owed.sum() if owed.sum() > 0 else target
        """,
    ),
    answers(
        "lists",
        one="""
            def residual(target, draft):
                owed = [max(a - b, 0) for a, b in zip(target, draft)]
                return [x / sum(owed) for x in owed] if sum(owed) else list(target)
        """,
    ),
    answers("a-float", three="overlap = float(np.minimum(p, q).sum())"),
    answers(
        "own-generator",
        (2, 0, 1),
        "",
        two="""
            mine = np.random.default_rng(1)
            def verify_token(target, draft, token, rng):
                if mine.random() * draft[token] < target[token]:
                    return token, True
                return draw(residual(target, draft), mine), False
        """,
    ),
    answers("untyped", FULL, "STUDENT_ID is empty", id='STUDENT_ID = ""'),
    answers(
        "borrowed", FULL, "STUDENT_ID is 'right', the file is borrowed's", id='STUDENT_ID = "right"'
    ),
]
CASES = [*ENDINGS, *CELLS, *FILES, *TRICKS, *KINDS]
JUNK = b"junk \xff\xfe\n\x07.ipynb"
LIMITS = ["--cell-seconds", "5", "--seconds", "45", "--due", "2026-10-01T18:00"]


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The whole class after one run: (Class, the finished command, seconds)."""
    room = Class(tmp_path_factory.mktemp("class"))
    for case in CASES:
        content = case.content
        if case.name in ("reader", "writer"):
            own = content["cells"][2]
            own["source"] = own["source"].format(
                source=str(room.source), folder=str(room.handed_in)
            )
        path = room.add(f"{case.name}.ipynb", content)
        os.utime(path, (1.7e9, 1.7e9))
    (room.handed_in / os.fsdecode(JUNK)).write_bytes(b"\x00")
    (room.handed_in / "linked.ipynb").symlink_to(room.source)
    (room.handed_in / "nothing").mkdir()
    os.mkfifo(room.handed_in / "fifo.ipynb")
    old, new = submission("twin", **WRONG), submission("twin")
    os.utime(room.add("twin/tiny.ipynb", old), (1.6e9, 1.6e9))
    os.utime(room.add("twin.ipynb", new), (1.7e9, 1.7e9))
    room.add("late.ipynb", submission("late"))
    os.utime(room.handed_in / "late.ipynb", (1.9e9, 1.9e9))
    start = time.monotonic()
    done = room.run(*LIMITS)
    return room, done, time.monotonic() - start


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_case_gets_its_points_and_a_clear_line(graded, case):
    room, _, _ = graded
    name = f"'{case.name}" if case.name.startswith("=") else case.name
    row = room.marks()[name]
    assert (points(row), case.note in row["note"]) == (case.points, True), row["note"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_case_gets_its_feedback_as_page_and_as_text(graded, case):
    from specnotes.grade.feedback import file_name

    room, _, _ = graded
    page = room.feedback / f"{file_name(case.name)}.html"
    words = page.with_suffix(".txt").read_text(encoding="utf-8")
    assert f"{sum(case.points)} of 6 points by machine" in words
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    "student, note",
    [
        ("junk \\udcff\\udcfe\\n\\x07", "not a notebook"),
        ("linked", "a link or no file at all"),
        ("fifo", "a link or no file at all"),
        ("nothing", "no notebook in the folder"),
    ],
)
def test_what_is_no_file_of_a_notebook_gets_a_line(graded, student, note):
    row = graded[0].marks()[student]
    assert points(row) == NONE and note in row["note"]


def test_of_two_submissions_the_latest_counts(graded):
    row = graded[0].marks()["twin"]
    assert points(row) == FULL and "2 submissions: the latest counts (twin.ipynb)" in row["note"]


def test_what_came_late_is_noted_and_graded(graded):
    row = graded[0].marks()["late"]
    assert points(row) == FULL and re.search(r"late by \d+ d \d+ h", row["note"])


def test_the_owner_of_a_borrowed_id_is_named(graded):
    assert "'right' is typed by borrowed too" in graded[0].marks()["right"]["note"]


def test_nothing_is_left_running(graded):
    lines = [
        " ".join(process.info["cmdline"] or ()) for process in psutil.process_iter(["cmdline"])
    ]
    assert [line for line in lines if NAP in line] == []


def test_the_class_is_graded_to_the_end_and_time_and_memory_are_told(graded, record_property):
    room, done, seconds = graded
    record_property("seconds", seconds)
    assert len(room.marks()) == len(CASES) + 6
    told = re.search(r"(\d+) submissions, .* in [\d.]+ s .*largest process (\d+) MB", done.stderr)
    assert told and int(told[1]) == len(room.marks()) and int(told[2]) < 1200, done.stderr


def test_submissions_are_as_they_were(graded):
    room, _, _ = graded
    assert (room.handed_in / "right.ipynb").stat().st_mtime == 1.7e9


def test_a_second_run_grades_nothing_and_says_the_same(graded):
    room, _, _ = graded
    before = room.out.read_text(encoding="utf-8")
    done = room.run(*LIMITS)
    assert " 0 graded now" in done.stderr
    assert room.out.read_text(encoding="utf-8") == before


@pytest.mark.parametrize("end, code", [("SIGINT", 130), ("SIGTERM", 130), ("SIGKILL", -9)])
def test_nothing_outlives_a_run_that_is_ended(tmp_path, end, code):
    room = Class(tmp_path)
    start = f"import subprocess\nsubprocess.Popen(['sleep', '{NAP}'])\nwhile True:\n    pass"
    room.add("busy.ipynb", submission("busy", extra=start))
    command = [sys.executable, "-m", "specnotes", *room.command()]
    shell = ["sh", "-c", 'trap "" INT; exec "$@"', "sh"]  # a script's & ignores SIGINT
    running = subprocess.Popen([*shell, *command])
    wait_until(lambda: sleepers())
    running.send_signal(getattr(signal, end))
    assert running.wait(30) == code
    wait_until(lambda: not sleepers())


def sleepers():
    return [p for p in psutil.process_iter(["cmdline"]) if NAP in (p.info["cmdline"] or ())]


def wait_until(true, seconds=60):
    give_up = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < give_up
        time.sleep(0.1)


# Without the fence: what Landlock forbids is noticed at least.


@pytest.fixture(scope="module")
def unfenced(tmp_path_factory):
    room = Class(tmp_path_factory.mktemp("unfenced"))
    room.add("calm.ipynb", submission("calm"))
    kill = "import os\nos.kill(os.getppid(), 9)"
    room.add("kills.ipynb", submission("kills", extra=kill))
    write = f"open({str(room.handed_in)!r} + '/note.txt', 'w').write('hello')"
    room.add("writes.ipynb", submission("writes", extra=write))
    room.run("--no-fence", "--jobs", "1")
    return room


def test_one_that_kills_its_watcher_is_named_and_the_rest_is_graded(unfenced):
    marks = unfenced.marks()
    assert "ended the process that watched over it" in marks["kills"]["note"]
    assert points(marks["kills"]) == NONE
    assert points(marks["calm"]) == points(marks["writes"]) == FULL


def test_one_that_writes_into_the_graders_folder_is_named(unfenced):
    assert "files of the grader changed: note.txt" in unfenced.marks()["writes"]["note"]
    assert "changed" not in unfenced.marks()["calm"]["note"]
