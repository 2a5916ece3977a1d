"""Every lesson runs to its end, keeps its skeleton and its budget, and is what its source says."""

import functools
import os
import re
from pathlib import Path

import matplotlib.font_manager  # noqa: F401  makes the font cache; a kernel would tell on stderr
import nbformat
import psutil
import pytest
from build_notebooks import derive, repository
from conftest import ROOT
from nbclient import NotebookClient

SOURCES = sorted((ROOT / "notebooks/src").glob("*.py"))
LONGEST_RUN = 30  # seconds of processor time; the budget is 10, the rest is for slow machines
MOST_MEMORY = 400  # megabytes that a kernel may take
PATIENCE = 300  # seconds that a cell may take by the clock, on a machine that does much else
EXERCISE = re.compile(r"^### Exercise \d+: .+ \(\d+ min, (core|stretch)\)$", re.MULTILINE)

lesson = pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
each_version = pytest.mark.parametrize("version", ["student", "solution"])


def each_run(test):
    return each_version(lesson(test))


def notebook(source, version="student"):
    return nbformat.reads(derive(source, repository(), version == "solution"), as_version=4)


def children_seconds():
    """Processor time of the processes, here kernels, that this one started and saw end."""
    times = os.times()
    return times.children_user + times.children_system


def megabytes(process):
    """The most memory that a process has had so far; where Linux does not tell, what it has now."""
    status = Path(f"/proc/{process}/status")
    if not status.exists():
        return psutil.Process(process).memory_info().rss / 1e6
    return int(re.search(r"VmHWM:\s+(\d+) kB", status.read_text())[1]) * 1024 / 1e6


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """run(source, version) -> (notebook, processor seconds, megabytes), in a fresh kernel and an
    empty folder."""

    @functools.cache
    def run_once(source, version):
        folder = tmp_path_factory.mktemp(source.stem)
        executed, most = notebook(source, version), []
        client = NotebookClient(
            executed,
            timeout=PATIENCE,
            kernel_name="python3",
            allow_errors=True,
            resources={"metadata": {"path": str(folder)}},
            on_cell_executed=lambda **_: most.append(megabytes(client.km.provisioner.pid)),
        )
        before = children_seconds()
        client.execute(env=os.environ | {"IPYTHONDIR": str(folder / "ipython")})
        return executed, children_seconds() - before, max(most)

    return run_once


def outputs(executed):
    """(where, output) of all cells, and of the Output widgets, which keep theirs to themselves."""
    for cell in executed.cells:
        for output in cell.get("outputs", []):
            yield cell.id, output
    saved = executed.metadata.get("widgets", {})
    state = saved.get("application/vnd.jupyter.widget-state+json", {}).get("state", {})
    for model, widget in state.items():
        for output in widget["state"].get("outputs", []):
            yield f"Output widget {model}", output


def printed(cell):
    """What a code cell says, as lines of text."""
    texts = [o.get("text") or o.get("data", {}).get("text/plain", "") for o in cell.outputs]
    return "\n".join(texts).splitlines()


def tagged(nb, tag):
    return [cell for cell in nb.cells if tag in cell.metadata.get("tags", [])]


def markdown(nb):
    return "\n\n".join(cell.source for cell in nb.cells if cell.cell_type == "markdown")


def plain(text):
    """Markdown without folds and code blocks: what the reader sees and the budget counts."""
    return re.sub(r"(?s)<details>.*?</details>|```.*?```", " ", text)


def prose_words(text):
    """Words outside folds, code and formulas; a link counts by its text."""
    seen = re.sub(r"(?s)\$\$.*?\$\$|\]\(.*?\)|<[^>]+>", " ", plain(text))
    return sum(any(letter.isalpha() for letter in word) for word in seen.split())


def exercises(nb):
    """Each exercise's cells: from its heading to the next heading of its level or above."""
    found, inside = [], False
    for cell in nb.cells:
        if cell.cell_type == "markdown" and re.search(r"(?m)^#{1,3} ", plain(cell.source)):
            inside = EXERCISE.search(cell.source) is not None
            found += [[]] * inside
        if inside:
            found[-1] = [*found[-1], cell]
    return found


@each_run
def test_runs_to_the_end_without_an_error(run, source, version):
    executed, *_ = run(source, version)
    errors = [(where, o.ename, o.evalue) for where, o in outputs(executed) if "ename" in o]
    assert errors == []


@each_run
def test_says_nothing_on_stderr(run, source, version):
    executed, *_ = run(source, version)
    said = [(where, o["text"]) for where, o in outputs(executed) if o.get("name") == "stderr"]
    assert said == []


@each_run
def test_runs_in_its_time(run, source, version, record_property):
    _, seconds, _ = run(source, version)
    record_property("seconds", seconds)
    assert seconds < LONGEST_RUN


@each_run
def test_runs_in_its_memory(run, source, version):
    *_, most = run(source, version)
    print(f"{most:.0f} MB")
    assert 20 < most < MOST_MEMORY


@each_run
def test_every_check_gives_the_verdict_of_its_version(run, source, version):
    executed, *_ = run(source, version)
    verdict = {"student": "○", "solution": "✓"}[version]
    heads = {cell.id: [line[:1] for line in printed(cell)] for cell in tagged(executed, "check")}
    wrong = {
        cell_id: marks
        for cell_id, marks in heads.items()
        if verdict not in marks or set(marks) & (set("○✓✗") - {verdict})
    }
    assert wrong == {}


def test_an_error_inside_an_output_widget_is_found():
    nb = nbformat.v4.new_notebook()
    code = "from ipywidgets import interact\ninteract(lambda n: 1 // n, n=(0, 0))"
    nb.cells = [nbformat.v4.new_code_cell(code)]
    NotebookClient(nb, timeout=PATIENCE, kernel_name="python3").execute()
    assert [o["ename"] for _, o in outputs(nb) if "ename" in o] == ["ZeroDivisionError"]


@lesson
def test_the_committed_notebook_is_the_derived_one(source):
    committed = ROOT / "notebooks" / f"{source.stem}.ipynb"
    assert committed.read_text(encoding="utf-8") == derive(source, repository()), "make notebooks"


def test_every_notebook_has_a_source():
    committed = {path.stem for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert committed == {path.stem for path in SOURCES}


@lesson
def test_no_output_is_stored(source):
    stored = nbformat.read(ROOT / "notebooks" / f"{source.stem}.ipynb", as_version=4)
    assert [cell.id for cell in stored.cells if cell.get("outputs")] == []


@lesson
def test_prose_is_at_most_3000_words(source):
    assert prose_words(markdown(notebook(source))) <= 3000


@lesson
def test_at_most_45_code_cells(source):
    assert sum(cell.cell_type == "code" for cell in notebook(source).cells) <= 45


@lesson
def test_header_card_has_title_minutes_promise_and_links(source):
    card = next((cell.source for cell in notebook(source).cells if cell.id == "header"), "")
    parts = [r"^# ", r"\b\d+ min", r"(?i)\bneed", r"After this you can", r"mybinder\.org"]
    assert [part for part in parts if not re.search(part, card, re.MULTILINE)] == []


@lesson
def test_the_readmes_table_gives_the_minutes_of_the_header_card(source):
    card = next(cell.source for cell in notebook(source).cells if cell.id == "header")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    row = re.search(rf"\(notebooks/{source.stem}\.ipynb\)[^|]*\| (\d+) \|", readme)
    assert row[1] == re.search(r"\b(\d+) min", card)[1]


@lesson
def test_it_opens_with_two_questions_on_earlier_notebooks(source):
    if source.stem.startswith("00_"):
        return
    text = plain(markdown(notebook(source)))
    opening = re.search(r"(?ms)^## Before you start$(.*?)(?=^#{1,2} |\Z)", text)
    assert opening and len(re.findall(r"(?m)^\d\. ", opening[1])) == 2


@lesson
def test_it_asks_for_a_prediction_and_shows_it_again(source):
    nb = notebook(source)
    ids = [cell.id for cell in nb.cells]
    asked, recalled = tagged(nb, "predict"), tagged(nb, "recall")
    assert re.search(r"(?m)^## Predict", markdown(nb))
    assert asked and recalled and ids.index(asked[0].id) < ids.index(recalled[-1].id)


@lesson
def test_it_says_where_it_breaks_and_what_to_take_away(source):
    headings = re.findall(r"(?m)^## (.+)$", markdown(notebook(source)))
    assert {"Exercises", "Where this breaks", "Take away"} <= set(headings)


@lesson
def test_three_to_five_exercises_at_least_one_a_stretch(source):
    kinds = EXERCISE.findall(markdown(notebook(source)))
    assert 3 <= len(kinds) <= 5 and "stretch" in kinds


@lesson
def test_every_exercise_has_a_stub_a_check_a_hint_and_a_solution(source):
    for cells in exercises(notebook(source)):
        tags = [tag for cell in cells for tag in cell.metadata.get("tags", [])]
        text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        folds = re.findall(r"<summary>(Hint|Solution)", text)
        assert {"exercise", "check"} <= set(tags), cells[0].source
        assert {"Hint", "Solution"} <= set(folds), cells[0].source
