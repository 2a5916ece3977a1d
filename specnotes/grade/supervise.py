"""Grade one submission, in a process of its own that runs no student code.

If a cell ends the process that runs the cells, or takes too long, all is run again without that
cell, so that the other tasks keep their marks.
"""

import hashlib
import time
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from specnotes.grade import child
from specnotes.grade.assemble import assemble
from specnotes.grade.fence import adopt_orphans
from specnotes.grade.limits import MOST_SKIPPED
from specnotes.grade.notebook import TEST, Unreadable, read_submission
from specnotes.grade.suspects import suspects
from specnotes.grade.watch import DONE, READY, Watched


@dataclass(frozen=True)
class Task:
    """A file to grade; ``digest`` is that of its bytes when grading began."""

    path: Path
    digest: str
    student: str  # "" where students do not know the id they are filed under


@dataclass
class Report:
    """What is known of one submission: plain data, for it crosses a pipe as JSON."""

    fatal: str | None = None
    tests: dict = field(default_factory=dict)  # grade_id -> {"ok", "error", "said"}
    errors: list = field(default_factory=list)  # [cell, error] of cells that are no tests
    notes: list = field(default_factory=list)
    flags: list = field(default_factory=list)  # for the instructor's eyes alone
    written: dict = field(default_factory=dict)  # grade_id -> text to be marked by hand
    started: bool = True  # False: no cell was run, for a reason that is not the student's
    student_id: str | None = None
    seconds: float = 0.0
    peak_mb: int = 0


def grade_one(task, problem, pristine, limits, folder):
    """The report on one submission; it may leave things in ``folder``."""
    start = time.monotonic()
    try:
        content = task.path.read_bytes()
        if digest_of(content) != task.digest:
            raise Unreadable("the file was changed while grading ran")
        cells = read_submission(content)
    except (Unreadable, OSError) as error:
        return Report(fatal=str(error))
    adopt_orphans()
    steps, notes, written = assemble(problem, cells)
    report = Report(notes=notes, flags=suspects(steps), written=written)
    _Runs(steps, (problem, pristine, task.student), limits, folder, report).until_done()
    report.seconds = round(time.monotonic() - start, 2)
    return report


def digest_of(content):
    return hashlib.sha256(content).hexdigest()


class _Runs:
    """Attempts at one notebook, each without the cells that ended the ones before."""

    def __init__(self, steps, context, limits, folder, report):
        self._steps, self._context = list(enumerate(steps)), context
        self._limits, self._folder, self._report = limits, folder, report
        self._until = time.monotonic() + limits.seconds
        self._skipped, self._said = set(), {}

    def until_done(self):
        current = stopped = None
        while len(self._skipped) <= MOST_SKIPPED and time.monotonic() < self._until:
            current, stopped = self._attempt()
            if stopped is None or current in (READY, DONE):
                break
            self._skipped.add(current)
            self._said[current] = {"ok": False, "error": stopped}
        if current in (None, READY):
            self._report.started = False
            self._report.fatal = f"it could not be run: {stopped or 'there was no time'}"
        self._write_report(stopped)

    def _attempt(self):
        todo = [(number, step) for number, step in self._steps if self._is_due(number, step)]
        with TemporaryDirectory(dir=self._folder, ignore_cleanup_errors=True) as folder:

            def start(channel):
                child.run(todo, *self._context, channel, folder, self._limits)

            watched = Watched(start, self._limits, self._until)
            try:
                stopped = watched.follow([number for number, _ in todo], self._said.__setitem__)
            finally:
                left = watched.end_all()
        if left:
            self._report.notes.append(f"{left} of its processes were still running: ended")
        if watched.foreign:
            self._report.flags.append("it wrote into the channel of results: mark it by hand")
        self._report.peak_mb = max(self._report.peak_mb, watched.peak_mb)
        return watched.current, stopped

    def _is_due(self, number, step):
        """A test that has been run keeps its verdict, unless later ones need its names."""
        settled = number in self._said and step.role == TEST and not step.binds
        return number not in self._skipped and not settled

    def _write_report(self, stopped):
        report, changed = self._report, []
        for number, step in self._steps:
            said = self._said.get(number)
            changed += said.get("changed", []) if said else []
            if step.role == TEST:
                error = stopped or "the notebook ended before this test"
                said = said or {"ok": False, "error": f"not run: {error}"}
                if said.get("tampered"):
                    report.notes.append(f"{step.name}: {said['error']}")
                report.tests[step.name] = {key: said.get(key) for key in ("ok", "error", "said")}
            elif said and not said["ok"]:
                report.errors.append([step.name, said["error"]])
        report.student_id = self._said.get(DONE, {}).get("student_id")
        if changed:
            names = ", ".join(dict.fromkeys(changed))
            report.notes.append(f"it changed {names}: put back before the tests")
        report.notes = list(dict.fromkeys(report.notes))
        report.flags = list(dict.fromkeys(report.flags))
