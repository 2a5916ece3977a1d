"""Grade many submissions side by side: one supervising process each, forked from this warm one."""

import ast
import gc
import importlib
import json
import os
import select
import signal
import tempfile
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, field

import psutil

from specnotes.audit import audit_decoder, audit_token, audit_verifier
from specnotes.coursework.marking import known_beforehand
from specnotes.decode import speculate
from specnotes.grade.fence import adopt_orphans, end_with_parent
from specnotes.grade.notebook import as_python
from specnotes.grade.pristine import LIBRARIES, STRICT, Pristine
from specnotes.grade.supervise import Report, grade_one
from specnotes.verify import verify_block, verify_token

WARM = (
    "numpy scipy scipy.stats sympy sympy.tensor.tensor sympy.assumptions.wrapper "
    "specnotes.checks specnotes.audit specnotes.lockstep IPython.core.interactiveshell"
).split()
A_CLASS = 8  # submissions that are worth three audits beforehand
GRACE = 60  # seconds beyond its own limit after which a supervising process is given up


@dataclass
class Job:
    """A submission that is being graded."""

    task: object
    pid: int
    give_up: float
    received: list = field(default_factory=list)


def warm_up(problem, limits, count=1):
    """Import what notebooks need and take the snapshot; grade(task) for ``run_all``.

    For a class of ``count``, what audits find out about their toys, and what is right where hidden
    tests ask all students the same, is found out once.
    """
    sources = [cell.source for cell in problem.cells if cell.is_code and cell.source]
    for name in [*WARM, *(name for source in sources for name in _imports(source))]:
        with suppress(ImportError):
            importlib.import_module(name)
    known = {}
    if count >= A_CLASS:
        audit_verifier(verify_block)
        audit_token(verify_token)
        audit_decoder(speculate)
        known = known_beforehand(problem.name)
    pristine = Pristine(STRICT), Pristine(LIBRARIES), known
    gc.collect()
    gc.freeze()  # these objects stay shared: no collection in a child writes to them

    def grade(task, folder):
        return grade_one(task, problem, pristine, limits, folder)

    return grade


def _imports(source):
    for node in ast.walk(ast.parse(as_python(source))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def run_all(tasks, grade, jobs, seconds, after=lambda running: None):
    """Yield (task, Report) as they are finished, ``jobs`` at a time.

    ``after(tasks)`` is called with those that were running whenever one has ended.
    """
    adopt_orphans()
    waiting, running = list(reversed(tasks)), {}
    with tempfile.TemporaryDirectory(prefix="marks-", ignore_cleanup_errors=True) as folder:
        try:
            while waiting or running:
                while waiting and len(running) < jobs:
                    task = waiting.pop()
                    reader, pid = _start(task, grade, folder)
                    running[reader] = Job(task, pid, time.monotonic() + seconds + GRACE)
                for reader in _finished(running):
                    job = running[reader]
                    after([job.task for job in running.values()])
                    del running[reader]
                    report = _collect(reader, job)
                    _end_strays({job.pid for job in running.values()})
                    yield job.task, report
        finally:
            for job in running.values():
                with suppress(ProcessLookupError):
                    os.kill(job.pid, signal.SIGINT)  # it ends its own children first
            for reader, job in running.items():
                _collect(reader, job)
            _end_strays(set())


def _start(task, grade, folder):
    reader, writer = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writer)
        return reader, pid
    try:
        end_with_parent(signal.SIGINT)
        try:
            report = grade(task, folder)
        except Exception as error:
            report = Report(fatal=f"the grader failed: {type(error).__name__}: {error}")
        with open(writer, "w", encoding="utf-8") as pipe:
            json.dump(asdict(report), pipe)
    finally:
        os._exit(0)


def _finished(running):
    """Readers at their end; those of processes past their time are ended first."""
    ready, _, _ = select.select(list(running), [], [], 1)
    ended = []
    for reader in ready:
        part = os.read(reader, 2**16)
        running[reader].received.append(part)
        if not part:
            ended.append(reader)
    for job in running.values():
        if time.monotonic() > job.give_up:
            os.kill(job.pid, signal.SIGKILL)
    return ended


def _collect(reader, job):
    os.close(reader)
    os.waitpid(job.pid, 0)
    try:
        return Report(**json.loads(b"".join(job.received)))
    except (ValueError, TypeError):
        return Report(fatal="it ended the process that watched over it: mark it by hand")


def _end_strays(known):
    """Processes that lost the one watching over them became children of this one."""
    for process in psutil.Process().children():
        if process.pid not in known:
            with suppress(psutil.NoSuchProcess, ChildProcessError):
                below = process.children(recursive=True)
                for one in [process, *below]:
                    with suppress(psutil.NoSuchProcess):
                        one.kill()
                os.waitpid(process.pid, 0)
