"""Read notebooks: the instructor's with trust, a student's with none.

A submission is read without nbformat: it may be of version 3, miss fields or hold anything else.
Its outputs are dropped unread.  Of the instructor's answer cells only the names they bind are
kept, so that the process which runs student code never holds a solution.
"""

import json
import re
import symtable
from dataclasses import dataclass, field, replace
from types import CodeType

from specnotes.grade.limits import LARGEST_FILE, MEGABYTE, MOST_CELLS

FREE, ANSWER, MANUAL, GIVEN, TEST = "free", "answer", "manual", "given", "test"
REGION = r"^[^\S\n]*### BEGIN {0}.*?### END {0}[^\n]*\n?"
HIDDEN = re.compile(REGION.format("HIDDEN TESTS"), re.MULTILINE | re.DOTALL)
SOLUTION = re.compile(REGION.format("SOLUTION"), re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^## ([^(\n]*)", re.MULTILINE)


class Unreadable(Exception):
    """The file is no notebook; the message says why."""


@dataclass(frozen=True)
class Cell:
    """A cell of a submission."""

    is_code: bool
    source: str
    cell_id: str | None
    role: str
    grade_id: str | None


@dataclass(frozen=True)
class ProblemCell:
    """A cell of the instructor's notebook.

    ``released`` is the text of a fixed cell as students got it; ``defines`` are the names that an
    answer cell asks for.
    """

    role: str
    grade_id: str | None
    cell_id: str | None
    points: float
    is_code: bool
    released: str
    binds: frozenset
    defines: frozenset
    code: CodeType | None = None  # of given and test cells
    source: str | None = None  # of given, test and free cells
    title: str = ""  # of an answer's cell or a test: its task, and what is tested


@dataclass(frozen=True)
class Problem:
    name: str
    cells: tuple
    answers: frozenset = field(default_factory=frozenset)  # names that answer cells bind

    def tests(self):
        return [cell for cell in self.cells if cell.role == TEST]

    def by_hand(self):
        return [cell for cell in self.cells if cell.role == MANUAL]


def read_submission(content):
    """The cells in the bytes of a student's file."""
    if len(content) > LARGEST_FILE:
        raise Unreadable(f"the file is larger than {LARGEST_FILE // MEGABYTE} MB")
    if not content.strip():
        raise Unreadable("the file is empty")
    raw = _raw_cells(_parse(content))
    if len(raw) > MOST_CELLS:
        raise Unreadable(f"the notebook has more than {MOST_CELLS:,} cells")
    return [_cell(entry) for entry in raw if isinstance(entry, dict)]


def _parse(content):
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable("the file is not a notebook: it is not text in UTF-8") from error
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        cut = text.lstrip()[:1] == "{" and error.pos >= len(text.rstrip()) - 1
        cut = cut or error.msg.startswith("Unterminated string")
        why = "it ends in the middle" if cut else f"line {error.lineno} is not JSON"
        raise Unreadable(f"the file is not a notebook: {why}") from error
    except RecursionError as error:
        raise Unreadable("the file is not a notebook: it is nested too deeply") from error


def _raw_cells(document):
    """The list of cells, of version 4 or of version 3, which kept it in worksheets."""
    if isinstance(document, dict):
        if isinstance(document.get("cells"), list):
            return document["cells"]
        sheets = document.get("worksheets")
        if isinstance(sheets, list) and all(isinstance(sheet, dict) for sheet in sheets):
            lists = [sheet.get("cells") for sheet in sheets]
            return [cell for cells in lists if isinstance(cells, list) for cell in cells]
    raise Unreadable("the file is not a notebook: it has no list of cells")


def _cell(entry):
    meta = entry.get("metadata")
    grading = meta.get("nbgrader") if isinstance(meta, dict) else None
    grading = grading if isinstance(grading, dict) else {}
    grade_id, cell_id = grading.get("grade_id"), entry.get("id")
    return Cell(
        is_code=entry.get("cell_type") == "code",
        source=_text(entry.get("input", entry.get("source"))),
        cell_id=cell_id if isinstance(cell_id, str) else None,
        role=_role(grading),
        grade_id=grade_id if isinstance(grade_id, str) else None,
    )


def _text(source):
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    source = source if isinstance(source, str) else ""
    return source.encode("utf-8", "replace").decode()  # no lone surrogates


def _role(grading):
    if grading.get("task") or (grading.get("grade") and grading.get("solution")):
        return MANUAL
    if grading.get("solution"):
        return ANSWER
    if grading.get("grade"):
        return TEST
    return GIVEN if grading.get("locked") else FREE


def read_problem(path, name):
    """The instructor's notebook, without its solutions.

    ValueError names the file, or the first cell in it, that cannot be used.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        entries = _raw_cells(document)
    except (OSError, ValueError, Unreadable) as error:
        raise ValueError(f"source {path} is not a notebook: {error}") from error
    cells = tuple(_titled([_problem_cell(entry, path) for entry in entries], entries))
    ids = [cell.grade_id for cell in cells if cell.grade_id]
    twice = next((one for one in ids if ids.count(one) > 1), None)
    if twice:
        raise ValueError(f"source {path} has two cells with grade_id {twice!r}")
    if not any(cell.role == TEST for cell in cells):
        raise ValueError(f"source {path} has no test cell (grade true, solution false)")
    answered = [cell.binds for cell in cells if cell.role in (ANSWER, MANUAL)]
    return Problem(name, cells, frozenset().union(*answered))


def _titled(cells, entries):
    """The cells, with the heading of level 2 above them and what their ids say more."""
    heading = ""
    for cell, entry in zip(cells, entries):
        if not cell.is_code:
            found = HEADING.search(_text(entry.get("source")))
            heading = found[1].strip() if found else heading
        name = re.sub(r"^q\d+-?|-test$", "", cell.grade_id or "")
        yield replace(cell, title=": ".join(part for part in (heading, name) if part))


def _problem_cell(entry, path):
    cell, role = _cell(entry), _cell(entry).role
    fixed = role in (GIVEN, TEST)
    code = None
    if fixed and cell.is_code:
        try:
            code = compile_cell(cell.source, cell.grade_id)
        except SyntaxError as error:
            raise ValueError(f"source {path}, cell {cell.grade_id!r}: {error}") from error
    return ProblemCell(
        role=role,
        grade_id=cell.grade_id if role != FREE else None,
        cell_id=cell.cell_id,
        points=float(entry.get("metadata", {}).get("nbgrader", {}).get("points") or 0),
        is_code=cell.is_code,
        released=plain(HIDDEN.sub("", cell.source)) if fixed or role == FREE else "",
        binds=names_bound(cell.source) if cell.is_code else frozenset(),
        defines=names_bound(SOLUTION.sub("", cell.source)) if cell.is_code else frozenset(),
        code=code,
        source=cell.source if fixed or role == FREE else None,
    )


def compile_cell(source, name):
    """The code of a cell, its IPython magics included."""
    return compile(as_python(source), f"<{name}>", "exec", dont_inherit=True)


def names_bound(source):
    """The names that a cell defines, assigns or imports at its top level."""
    try:
        table = symtable.symtable(as_python(source), "<cell>", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    symbols = table.get_symbols()
    return frozenset(s.get_name() for s in symbols if s.is_assigned() or s.is_imported())


def plain(source):
    """Text to compare by: spaces at line ends, and blank lines, do not count."""
    return "\n".join(line.rstrip() for line in source.splitlines() if line.strip())


def as_python(source):
    from IPython.core.inputtransformer2 import TransformerManager

    return TransformerManager().transform_cell(source)
