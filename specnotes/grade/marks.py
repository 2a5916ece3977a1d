"""From a report to a row of marks: points, and in words whatever was unusual."""

from collections import defaultdict
from dataclasses import dataclass, field

from specnotes.grade.files import clean, lateness, same_id

ID = "STUDENT_ID"
MORE_ERRORS = "more cells with errors"


@dataclass
class Row:
    """One student.  ``points`` of a task that is marked by hand are None."""

    student: str
    name: str
    typed_id: str
    points: dict
    total: float
    most: float
    by_hand: float
    notes: list = field(default_factory=list)  # for the student too
    flags: list = field(default_factory=list)  # for the instructor
    by_platform: bool = False

    def note(self):
        return "; ".join(clean(" ".join(note.split()))[:300] for note in self.notes + self.flags)


def rows(graded, problem, due=None):
    """A Row for each (Submission, Report)."""
    typed = defaultdict(list)
    for submission, report in graded:
        if report.student_id:
            typed[same_id(report.student_id)].append(submission.student)
    return [_row(submission, report, problem, due, typed) for submission, report in graded]


def _row(submission, report, problem, due, typed):
    tests, by_hand = problem.tests(), problem.by_hand()
    points = {cell.grade_id: None for cell in by_hand}
    for cell in tests:
        right = report.tests.get(cell.grade_id, {}).get("ok") is True
        points[cell.grade_id] = cell.points if right else 0.0
    notes = [report.fatal] if report.fatal else []
    notes += [*submission.notes, *(lateness(submission.when, due) if submission.path else [])]
    notes += [] if report.fatal else _about_id(submission, report, problem)
    notes += [*report.notes, *(_stopped(report) if report.started else []), *_errors(report)]
    others = [s for s in typed[same_id(report.student_id or "")] if s != submission.student]
    same = [f"the {ID} {report.student_id!r} is typed by {', '.join(others)} too"] if others else []
    return Row(
        submission.student,
        submission.name,
        clean(report.student_id or ""),
        points,
        total=sum(value for value in points.values() if value),
        most=sum(cell.points for cell in tests),
        by_hand=sum(cell.points for cell in by_hand),
        notes=notes,
        flags=[*same, *report.flags],
        by_platform=submission.by_platform,
    )


def _about_id(submission, report, problem):
    if not any(ID in cell.binds for cell in problem.cells):
        return []
    if not (report.student_id or "").strip():
        return [f"{ID} is empty"]
    if submission.by_platform or same_id(report.student_id) == same_id(submission.student):
        return []
    return [f"{ID} is {report.student_id!r}, the file is {submission.student}'s"]


def _stopped(report):
    """Tests that never came to a verdict."""
    ended = [(n, t["error"]) for n, t in report.tests.items() if not t["ok"] and t["said"] is None]
    return [f"{name}: {error}" for name, error in ended[:3]]


def _errors(report):
    shown = [f"{cell}: {error}" for cell, error in report.errors[:3]]
    more = len(report.errors) - len(shown)
    return shown + ([f"{more} {MORE_ERRORS}"] if more else [])
