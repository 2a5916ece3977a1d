"""The problem sets as tests use them: cells by id, complete or released, run in this process."""

import contextlib
import io
import re
from functools import cache

import build_coursework as build
import jupytext  # noqa: F401  (build_coursework reads with it)
from conftest import ROOT

PROBLEMS = sorted(path.stem for path in (ROOT / "coursework/src").glob("*.py"))
GRADER = re.compile(r"hidden_tests\(.*?\)\.(\w+)\(")


@cache
def cells(problem):
    """The source's cells, in order."""
    return build.read_source(ROOT / f"coursework/src/{problem}.py", build.read_title)


def about(cell):
    return cell.metadata.get("nbgrader", {})


def points(problem):
    """grader's name → points"""
    tests = [cell for cell in cells(problem) if "hidden_tests" in cell.source]
    return {GRADER.search(cell.source)[1]: about(cell)["points"] for cell in tests}


def run(problem, student_id=None, hidden=True, seed="", answers=None):
    """Run the complete notebook.  -> ids of test cells that fail

    ``hidden`` may be a function of the cell; ``answers`` maps cell ids to other sources.
    """
    namespace, failed = {}, []
    for cell in cells(problem):
        if cell.cell_type != "code":
            continue
        source = (answers or {}).get(cell.id, cell.source)
        keep = hidden(cell) if callable(hidden) else hidden
        source = build.HIDDEN.sub(r"\1" if keep else "", source)
        source = source.replace('SEED = ""', f"SEED = {seed!r}")
        if cell.id == "id" and student_id is not None:
            source = f"STUDENT_ID = {student_id!r}"
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(source, cell.id, "exec"), namespace)
        except AssertionError:
            failed.append(cell.id)
    return failed
