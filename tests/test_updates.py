"""An update of the course, pulled as hubs and Binder do it, keeps what a student has written."""

import re
import subprocess

import nbformat
import pytest
from build_notebooks import derive, repository
from conftest import ROOT

pytestmark = pytest.mark.slow  # needs nbgitpuller, which the extra `grade` brings

SOURCE = ROOT / "notebooks/src/01_one_token_proof.py"
ANSWER = "alpha = 'what the student wrote'"
NOTE = "A sentence that the course got later."
HELLO = {"output_type": "stream", "name": "stdout", "text": "a result\n"}
INSERTED = f'# %% added [markdown]\nr"""\n{NOTE}\n"""\n\n'


class Class:
    """A course in a real repository, and one student's copy of it."""

    def __init__(self, folder):
        self.origin, self.copy = folder / "origin", folder / "student"
        self.origin.mkdir()
        self.git("init", "-q", "-b", "main")
        self.publish(lambda source: source)
        self.update()

    def git(self, *words):
        who = ("-c", "user.name=course", "-c", "user.email=course@example.org")
        subprocess.run(["git", *who, *words], cwd=self.origin, check=True)

    def publish(self, change):
        """The course changes its source, derives the notebook and commits it."""
        changed = change(SOURCE.read_text(encoding="utf-8"))
        path = self.origin / SOURCE.name
        path.write_text(changed, encoding="utf-8")
        text = derive(path, repository())
        (self.origin / f"{SOURCE.stem}.ipynb").write_text(text, encoding="utf-8")
        self.git("add", ".")
        self.git("commit", "-q", "--allow-empty", "-m", "change")

    def update(self):
        from nbgitpuller.pull import GitPuller

        puller = GitPuller(str(self.origin), str(self.copy), branch="main")
        return [*puller.pull()]

    @property
    def notebook(self):
        return nbformat.read(self.copy / f"{SOURCE.stem}.ipynb", as_version=4)

    def work(self):
        """The student answers every exercise and saves, with outputs and what Lab adds."""
        notebook = self.notebook
        notebook.metadata["language_info"]["version"] = "3.12.1"
        for count, cell in enumerate(code_cells(notebook), start=1):
            cell.outputs, cell.execution_count = [nbformat.from_dict(HELLO)], count
            if is_exercise(cell):
                cell.source = ANSWER
        nbformat.write(notebook, self.copy / f"{SOURCE.stem}.ipynb")


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def is_exercise(cell):
    return "exercise" in cell.metadata.get("tags", [])


def answers(notebook):
    """The sources of all cells that students type into."""
    return [cell.source for cell in code_cells(notebook) if is_exercise(cell)]


def everything(notebook):
    nbformat.validate(notebook)
    return "\n".join(cell.source for cell in notebook.cells)


def reworded(source):
    return source.replace("## Where this breaks\n", f"## Where this breaks\n\n{NOTE}\n")


def with_a_cell_before(cell_id):
    return lambda source: re.sub(rf"^# %% {cell_id}(?= )", f"{INSERTED}\\g<0>", source, flags=re.M)


@pytest.fixture
def course(tmp_path):
    return Class(tmp_path)


CHANGES = {"a text is reworded": reworded, "a cell is inserted": with_a_cell_before("breaks")}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_the_change_arrives_and_every_answer_and_output_stays(course, change):
    course.work()
    course.publish(change)
    course.update()
    after = course.notebook
    assert NOTE in everything(after)
    assert set(answers(after)) == {ANSWER} and len(answers(after)) >= 3
    assert all(cell.outputs == [HELLO] for cell in code_cells(after))


def test_a_cell_inserted_beside_an_answer_costs_no_answer(course):
    exercise = next(c.id for c in code_cells(course.notebook) if is_exercise(c))
    course.work()
    course.publish(with_a_cell_before(exercise))
    course.update()
    everything(course.notebook)
    assert set(answers(course.notebook)) == {ANSWER}


def test_two_updates_in_a_row_keep_the_answers(course):
    course.work()
    course.publish(reworded)
    course.update()
    course.publish(lambda source: with_a_cell_before("breaks")(reworded(source)))
    course.update()
    assert set(answers(course.notebook)) == {ANSWER}
    assert everything(course.notebook).count(NOTE) == 2


def test_a_change_of_a_cell_that_the_student_edited_is_lost_which_is_why_none_is_made(course):
    """The reason for the rule at the top of tools/build_notebooks.py."""
    course.work()
    course.publish(lambda text: re.sub(r"^( *)(?=### BEGIN)", r"\1# mended\n\1", text, flags=re.M))
    course.update()
    assert "# mended" not in everything(course.notebook)
    assert set(answers(course.notebook)) == {ANSWER}


def test_without_work_of_the_student_an_update_is_the_new_notebook(course):
    course.publish(reworded)
    course.update()
    assert everything(course.notebook).count(NOTE) == 1
    assert ANSWER not in everything(course.notebook)
