r"""Derive nbgrader's source notebooks: coursework/src/psN.py -> …/source/psN/psN.ipynb

`make coursework` writes them all into coursework/course/source, and with SEED="spring 2027" it
gives the class numbers of its own.  nbgrader derives the students' version from these.  Only
coursework/src is edited.

The format is that of build_notebooks.py, with a role and points behind a cell's id:

    # %% q1 answer               students write here; nothing is marked
    # %% q1-test test 2          marked by running it: 2 points or 0
    # %% q7 manual 4 [markdown]  students write here, and a person marks it
    # %% setup locked            put back as it was before marking

`### BEGIN SOLUTION` … `### END SOLUTION` are replaced and `### BEGIN HIDDEN TESTS` …
`### END HIDDEN TESTS` removed in the students' version.  `SEED = ""` stands in the set-up cell.
"""

import argparse
import copy
import re
from pathlib import Path

import nbformat
from build_notebooks import (
    METADATA,
    REGION,
    ROOT,
    check_cell,
    complete_code,
    read_source,
    require,
    student_code,
)
from nbformat.v4 import new_notebook

HIDDEN = re.compile(r"^### BEGIN HIDDEN TESTS\n(.*?\n)### END HIDDEN TESTS$", re.M | re.S)
TITLE = re.compile(r"(?P<id>\S*)(?: (?P<role>\w+))?(?: (?P<points>\d+))?")
# role: graded, answered by students, kept as it was
ROLES = {
    "answer": (False, True, False),
    "manual": (True, True, False),
    "test": (True, False, True),
    "locked": (False, False, True),
}


def read_title(title):
    """'q1-test test 2' -> ('q1-test', what nbgrader wants to know)"""
    parts = TITLE.fullmatch(title)
    require(parts, f"{title!r} is not an id, a role and points")
    cell_id, role, points = parts["id"], parts["role"], parts["points"]
    if role is None:
        return cell_id, {}
    require(role in ROLES, f"{title!r}: the role is one of {', '.join(ROLES)}")
    grade, solution, locked = ROLES[role]
    require(grade == (points is not None), f"{title!r}: points go with manual and test")
    about = {"grade": grade, "grade_id": cell_id, "locked": locked, "schema_version": 3}
    about |= {"solution": solution, "task": False}
    about |= {"points": int(points)} if grade else {}
    # so that Run All goes on behind a task that is not solved yet
    tags = {"tags": ["raises-exception"]} if role == "test" else {}
    return cell_id, {"nbgrader": about} | tags


def released(source):
    """A cell as students will get it."""
    return HIDDEN.sub("", student_code(source))


def derive(path, seed=""):
    """The text of nbgrader's source notebook."""
    notebook = new_notebook(metadata=METADATA, nbformat_minor=5)
    for cell in read_source(path, read_title):
        where = f"{path.name}: cell {cell.id!r}"
        about = cell.metadata.get("nbgrader", {})
        regions = bool(REGION.search(cell.source)), bool(HIDDEN.search(cell.source))
        require(regions[0] == about.get("solution", False), f"{where}: no solution, or no answer")
        is_test = about.get("grade", False) and about["locked"]
        require(regions[1] == is_test, f"{where}: no hidden test, or no test")
        for source in (released(cell.source), complete_code(HIDDEN.sub(r"\1", cell.source))):
            require("HIDDEN TESTS" not in source, f"{where}: a marker is left over")
            shown = copy.copy(cell)
            shown.source = source
            check_cell(shown, where)
        cell.source = cell.source.replace('SEED = ""', f"SEED = {seed!r}") if seed else cell.source
        notebook.cells.append(cell)
    nbformat.validate(notebook)
    return nbformat.writes(notebook) + "\n"


def main():
    parser = argparse.ArgumentParser(description="Derive the problem sets from coursework/src.")
    parser.add_argument("--seed", default="", help="gives a class numbers of its own")
    parser.add_argument(
        "--into", metavar="DIR", type=Path, default=ROOT / "coursework/course/source"
    )
    given = parser.parse_args()
    for source in sorted((ROOT / "coursework/src").glob("*.py")):
        text = derive(source, given.seed)
        folder = given.into / source.stem
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{source.stem}.ipynb").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    try:
        main()
    except ValueError as error:
        raise SystemExit(f"build_coursework: {error}") from None
