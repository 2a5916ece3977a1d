"""``python -m specnotes grade``: from a folder of notebooks to a sheet of marks."""

import resource
import signal
import sys
import time
from collections import defaultdict
from pathlib import Path

import specnotes
from specnotes.grade import files
from specnotes.grade.feedback import write_feedback
from specnotes.grade.fence import landlock
from specnotes.grade.limits import LARGEST_FILE, MEGABYTE, Limits
from specnotes.grade.marks import rows
from specnotes.grade.notebook import read_problem
from specnotes.grade.options import SOURCES
from specnotes.grade.pool import run_all, warm_up
from specnotes.grade.progress import Progress
from specnotes.grade.sheets import canvas, sheet
from specnotes.grade.store import Store, circumstances, grader, key_of, package_files, write_whole
from specnotes.grade.supervise import Report, Task, digest_of
from specnotes.grade.watch import RSS_UNIT
from specnotes.grade.watchdog import Watchdog


def grade(options):
    """Grade a class as the options say.  -> exit code"""
    start = time.monotonic()
    try:
        limits, due = _limits(options), options.due and files.due_time(options.due)
        run = _Run(options, limits)
        for end in (signal.SIGINT, signal.SIGTERM):  # behind a shell's & SIGINT would be ignored
            signal.signal(end, signal.default_int_handler)
        graded = run.grade_class()
    except ValueError as error:
        print(f"specnotes grade: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\ninterrupted: the same command goes on from here", file=sys.stderr)
        return 130
    sheet_rows = rows(graded, run.problem, due)
    for row in sheet_rows:
        row.flags += ["this id is not on the roster"] if row.student in run.strange else []
    write_whole(options.out, sheet(sheet_rows, run.problem, run.grader))
    if options.canvas:
        write_whole(options.canvas, canvas(sheet_rows, run.problem))
    if options.feedback:
        reports = [report for _, report in graded]
        pages = list(zip(sheet_rows, reports, strict=True))
        write_feedback(options.feedback, pages, run.problem, run.grader, options.show_tests)
    print(run.summary(time.monotonic() - start), file=sys.stderr)
    failed = [row.student for row, (_, report) in zip(sheet_rows, graded) if not report.started]
    if failed:
        print(f"COULD NOT BE RUN, see their notes: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def _limits(options):
    for name in ("jobs", "cell_seconds", "seconds", "memory"):
        if getattr(options, name) <= 0:
            raise ValueError(f"{name} is {getattr(options, name)}, not above 0")
    if not options.submissions.is_dir():
        raise ValueError(f"submissions is {options.submissions}, not a folder")
    for path in (options.out, options.canvas):
        if path:
            _make_folder_of(path)
    return Limits(options.cell_seconds, options.seconds, options.memory, fence=not options.no_fence)


def _make_folder_of(path):
    try:
        path.resolve().parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {error.strerror}") from error


def _source_of(problem):
    """The instructor's notebook: below the working folder, else below the checkout in use."""
    places = [Path.cwd(), Path(specnotes.__file__).resolve().parents[1]]
    paths = [place / SOURCES / problem / f"{problem}.ipynb" for place in places]
    found = next((path for path in paths if path.is_file()), None)
    if found is None:
        where = " nor ".join(str(path) for path in dict.fromkeys(paths))
        raise ValueError(f"there is no notebook of {problem}, neither {where}: give --source FILE")
    return found


class _Run:
    """One call of the command."""

    def __init__(self, options, limits):
        self.options, self.limits = options, limits
        name = options.problem
        self.source = options.source or _source_of(name)
        self.problem, self.grader = read_problem(self.source, name), grader(self.source)
        self.store = Store(options.out.with_name(options.out.name + ".graded"))
        written = [options.out, options.feedback, options.canvas, self.store.path]
        self._own = [path.resolve() for path in written if path]
        self.found, self.strange = files.find(options.submissions, name, self._own), []
        self.count = len(self.found)
        if options.roster:
            self.found, self.strange = files.with_roster(self.found, options.roster)
        if not self.found:
            raise ValueError(f"submissions is {options.submissions}: nothing was handed in there")
        self.fresh = 0

    def grade_class(self):
        """(Submission, Report) of everybody."""
        given = circumstances(self.source, self.limits)
        reports, tasks, keys = {}, {}, {}
        for submission in self.found:
            task, trouble = _task(submission)
            if trouble:
                reports[submission.student] = Report(fatal=trouble)
                continue
            keys[submission.student] = key = key_of(f"{task.digest} {task.student}", given)
            known = None if self.options.again else self.store.get(key)
            if known:
                reports[submission.student] = known
            else:
                tasks[task] = submission.student
        for task, report in self._grade(list(tasks)):
            reports[tasks[task]] = report
            if report.started:
                self.store.add(keys[tasks[task]], report)
        self.store.keep_only(keys.values())
        return [(submission, reports[submission.student]) for submission in self.found]

    def _grade(self, tasks):
        """(Task, Report) as they are done; files that change are told to those that ran then."""
        if not tasks:
            return
        self.fresh = len(tasks)
        grade_one = warm_up(self.problem, self.limits, len(tasks))
        places = [self.options.submissions, self.source, *package_files()]
        dog = Watchdog([] if self._is_fenced() else places, self._own)
        seen, progress = defaultdict(list), Progress(len(tasks))

        def look(running):
            changes = dog.changes()
            for task in running if changes else ():
                seen[task] += changes

        jobs, seconds = self.options.jobs, self.limits.seconds
        for task, report in run_all(tasks, grade_one, jobs, seconds, look):
            if seen[task]:
                names = ", ".join(dict.fromkeys(seen[task]))
                report.notes.append(f"while it ran, files of the grader changed: {names}")
            progress.step(task.path.name)
            yield task, report

    def _is_fenced(self):
        return self.limits.fence and landlock() > 0

    def summary(self, seconds):
        lines = [f"{self.count} submissions, {self.fresh} graded now, in {seconds:.1f} s"]
        if self.fresh:
            most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * RSS_UNIT // MEGABYTE
            lines[0] += f" ({60 * self.fresh / seconds:.0f} a minute)"
            lines.append(f"largest process {most} MB")
        if self.limits.fence and not self._is_fenced():
            lines.append("this system has no Landlock: notebooks could read and write other files")
        return "; ".join([*lines, f"marks in {self.options.out}"])


def _task(submission):
    """(Task, None) or (None, why there is nothing to grade)."""
    path = submission.path
    if path is None:
        return None, "there is nothing to grade"
    try:
        if path.is_symlink() or not path.is_file():
            return None, "the file is a link or no file at all: it was not read"
        if path.stat().st_size > LARGEST_FILE:
            return None, f"the file is larger than {LARGEST_FILE // MEGABYTE} MB"
        digest = digest_of(path.read_bytes())
    except OSError as error:
        return None, f"the file cannot be read: {error.strerror}"
    return Task(path, digest, "" if submission.by_platform else submission.student), None
