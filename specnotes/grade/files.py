"""Which file is whose submission.

Understood: ``ID.ipynb``, ``ID_ps1.ipynb``, ``ID/ps1.ipynb``, nbgrader's ``ID/ps1/ps1.ipynb``, and
the names that Canvas and Moodle give to downloads.
"""

import csv
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from unicodedata import normalize

CANVAS = re.compile(r"(?P<name>[^_]+)_(?:LATE_)?(?P<id>\d+)_\d+_.+")
MOODLE = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_file(?:_.*)?")
ROSTER = ("student", "student_id", "id", "id number", "sis user id", "sis login id")
COPY = re.compile(r"\s*\(\d+\)$")  # what a browser adds to a second download


@dataclass(frozen=True)
class Submission:
    """One student's file; ``path`` is None where a folder has no notebook."""

    student: str
    name: str
    path: Path | None
    when: float
    by_platform: bool = False  # the id is Canvas's or Moodle's: students do not know it
    notes: tuple = ()


def find(folder, problem, leave_out=()):
    """One Submission for each student, sorted: the latest counts."""
    found = {}
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith((".", "__")) or entry.resolve() in leave_out:
            continue
        if entry.suffix == ".csv":  # a roster, or marks
            continue
        for submission in _in(entry, problem):
            found.setdefault(submission.student, []).append(submission)
    return [_latest(found[student], folder) for student in sorted(found)]


def with_roster(found, path):
    """(submissions with one for each student of the roster, ids that are not on it).

    The roster is a CSV with a column ``student``, ``id``, ``student_id`` or ``ID number``; of
    other files the first column counts.
    """
    ids = _roster(path)
    known = {same_id(one): one for one in ids}
    strange = [one.student for one in found if same_id(one.student) not in known]
    here = {same_id(one.student) for one in found}
    note = ("nothing was handed in",)
    missing = [
        Submission(one, "", None, 0, notes=note) for k, one in known.items() if k not in here
    ]
    return sorted([*found, *missing], key=lambda one: one.student), strange


def _roster(path):
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = [row for row in csv.reader(file) if any(cell.strip() for cell in row)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"roster {path} cannot be read: {error}") from error
    heads = [head.strip().casefold() for head in rows[0]] if rows else []
    column = next((heads.index(name) for name in ROSTER if name in heads), 0)
    rows = rows[1:] if set(heads) & set(ROSTER) else rows
    ids = [clean(row[column].strip()) for row in rows if len(row) > column]
    if not any(ids):
        raise ValueError(f"roster {path} has no ids")
    return [one for one in ids if one]


def same_id(student):
    """Ids that differ in capitals, blanks or the form of accents are one."""
    return " ".join(normalize("NFC", student).casefold().split())


def _in(entry, problem):
    student, name, by_platform = whose(entry.name if entry.is_dir() else entry.stem, problem)
    paths = _notebooks(entry, problem) if entry.is_dir() else [entry]
    if not paths:
        note = f"there is no notebook in the folder {clean(entry.name)}"
        return [Submission(student, name, None, entry.lstat().st_mtime, by_platform, (note,))]
    return [Submission(student, name, path, _when(path), by_platform) for path in paths]


def whose(stem, problem):
    """(id, name, whether a platform chose the id) from the name of a file or folder."""
    stem = normalize("NFC", stem)
    for form in (CANVAS, MOODLE):
        match = form.fullmatch(stem)
        if match:
            return match["id"], clean(match["name"]), True
    stem = COPY.sub("", stem)
    own = re.escape(problem)
    return clean(re.sub(rf"[_-]{own}$|^{own}[_-]", "", stem)) or "(no name)", "", False


def _notebooks(folder, problem):
    """The notebooks of this problem set, else any that belong to none."""
    here = [folder, folder / problem]
    paths = [path for place in here if place.is_dir() for path in sorted(place.glob("*.ipynb"))]
    named = re.compile(rf"{re.escape(problem)}(?!\w)|{re.escape(problem)}_", re.IGNORECASE)
    return [path for path in paths if named.match(path.stem)] or paths


def _when(path):
    """When it was handed in: nbgrader's time stamp if there is one, else the file's time."""
    try:
        stamp = (path.parent / "timestamp.txt").read_text(encoding="utf-8").strip()
        return _moment(stamp.replace(" UTC", "+00:00"))
    except (OSError, ValueError):
        return path.lstat().st_mtime


def _moment(text):
    moment = datetime.fromisoformat(text)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def due_time(text):
    """--due as seconds; a time without a zone is local time."""
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError as error:
        raise ValueError(f"due is {text!r}, not a time such as 2026-10-01T18:00") from error


def lateness(when, due):
    """A note if it was handed in after the due time."""
    if due is None or when <= due:
        return []
    minutes = int((when - due) // 60)
    days, hours = minutes // 1440, minutes // 60 % 24
    late = f"{days} d {hours} h" if days else f"{hours} h {minutes % 60} min"
    return [f"late by {late}"]


def _latest(submissions, folder):
    last = max(submissions, key=lambda submission: (submission.path is not None, submission.when))
    if len(submissions) == 1:
        return last
    name = clean(str(last.path.relative_to(folder))) if last.path else "a folder without a notebook"
    note = f"{len(submissions)} submissions: the latest counts ({name})"
    return Submission(**{**vars(last), "notes": (*last.notes, note)})


def clean(text):
    """Printable: control characters, and bytes that are no text, as escapes."""
    shown = text.encode("utf-8", "backslashreplace").decode()
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shown)
