"""Marks as CSV.

Columns of the sheet: ``student`` (the id that the file carries), ``name`` (if the download carries
one), ``typed_id`` (STUDENT_ID in the notebook), one column for each task (points; empty: to be
marked by hand), ``total`` and ``max`` of what was marked by machine, ``by_hand`` (points still to
be given by hand), ``note``, and ``grader``: which version of package and tests made these marks.
Moodle's import takes it: map ``student`` to the ID number and ``total`` to the assignment.  Canvas
wants columns of its own: ``canvas``.
"""

import csv
import io
import re

HARMLESS = re.compile(r"[-\w.@+]+")  # an id that no spreadsheet can run goes to Canvas as it is


def sheet(rows, problem, grader):
    tasks = [cell.grade_id for cell in problem.cells if cell.points and cell.grade_id]
    tasks = [task for task in tasks if not rows or task in rows[0].points]
    lines = [["student", "name", "typed_id", *tasks, "total", "max", "by_hand", "note", "grader"]]
    for row in rows:
        points = [number(row.points[task]) for task in tasks]
        sums = [number(value) for value in (row.total, row.most, row.by_hand)]
        who = [safe(row.student), safe(row.name), safe(row.typed_id)]
        lines.append([*who, *points, *sums, safe(row.note()), grader])
    return _csv(lines)


def canvas(rows, problem):
    """What Canvas's gradebook imports: its own five columns, the points possible, the totals."""
    lines = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", problem.name]]
    most = sum(cell.points for cell in problem.tests())
    lines.append(["    Points Possible", "", "", "", "", number(most)])
    for row in rows:
        student = row.student if HARMLESS.fullmatch(row.student) else safe(row.student)
        ids = [student, "", ""] if row.by_platform else ["", "", student]
        lines.append([safe(row.name), *ids, "", number(row.total)])
    return _csv(lines)


def number(value):
    return "" if value is None else f"{value:g}"


def safe(text):
    """A spreadsheet runs what begins like a formula: a quote in front keeps it text."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t") else text


def _csv(lines):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(lines)
    return out.getvalue()
