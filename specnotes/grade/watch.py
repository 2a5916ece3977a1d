"""Follow a process that runs student code, and end it with all that it has started."""

import json
import os
import secrets
import select
import signal
import sys
import time
from contextlib import suppress

import psutil

from specnotes.grade.limits import LONGEST_LINE, MEGABYTE

TICK = 0.05  # seconds between two looks at a process that says nothing
COUNT = 0.5  # seconds between two counts of its processes
READY, DONE, BROKEN = "ready", "done", "broken"  # messages that belong to no step
LONGEST_END = 5  # seconds to end what a submission has started
RSS_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes in one unit of ru_maxrss


class Watched:
    """One attempt.  ``start(channel)`` runs in the forked process and never returns."""

    def __init__(self, start, limits, until):
        self._key = secrets.token_hex(16)
        self._read, write = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            start((write, self._key))
        os.close(write)
        self._limits, self._until = limits, until
        self._buffer, self._status, self._counted = b"", None, time.monotonic()
        self.foreign, self.peak_mb, self.current = 0, 0, None

    def follow(self, numbers, keep):
        """Call ``keep(number, message)`` for each step in turn; why it ended early, or None.

        ``current`` is then the number of the step that was running.
        """
        for number in [READY, *numbers, DONE]:
            self.current = number
            message, stopped = self._next(number)
            stopped = stopped or self._out_of_time()  # many quick steps use up the time as well
            if stopped:
                return stopped
            keep(number, message)
        return None

    def _next(self, number):
        """(message of this step, None) or (None, why there is none)."""
        bound = self._until
        if number != READY:
            bound = min(time.monotonic() + self._limits.cell_seconds, bound)
        while True:
            for message in self._messages():
                if message.get("step") == BROKEN:
                    return None, f"it broke the notebook's shell: {message.get('error')}"
                if message.get("step") == number:
                    return message, None
            stopped = self._trouble(bound)
            if stopped:
                return None, stopped

    def _messages(self):
        """Genuine messages, one at a time: what follows stays in the buffer."""
        if b"\n" not in self._buffer and not self._read_more(TICK) and self._status is not None:
            time.sleep(TICK)
        while b"\n" in self._buffer:
            line, _, self._buffer = self._buffer.partition(b"\n")
            message = self._genuine(line)
            if message is not None:
                yield message

    def _genuine(self, line):
        with suppress(ValueError, RecursionError):
            message = json.loads(line)
            if isinstance(message, dict) and message.get("key") == self._key:
                return message
        self.foreign += 1
        return None

    def _trouble(self, bound):
        now = time.monotonic()
        if len(self._buffer) > LONGEST_LINE:
            return "it flooded the channel to the grader"
        if now > bound:
            return self._out_of_time() or (
                f"stopped after {self._limits.cell_seconds:g} s: an endless loop?"
            )
        if self._has_ended() and b"\n" not in self._buffer and not self._read_more():
            return _how_it_ended(self._status)
        if now - self._counted > COUNT:
            self._counted = now
            if len(descendants()) > self._limits.processes:
                return f"it started more than {self._limits.processes} processes"
        return None

    def _out_of_time(self):
        if time.monotonic() > self._until:
            return f"the {self._limits.seconds:g} s for the whole notebook were used up"
        return None

    def _has_ended(self):
        if self._status is None:
            self._reap()
        return self._status is not None

    def _read_more(self, wait=0):
        """What has come on the channel; nothing if nothing has, or nothing can."""
        more = b""
        if select.select([self._read], [], [], wait)[0]:
            more = os.read(self._read, 2**16)
            self._buffer += more
        return more

    def end_all(self):
        """Kill every process below this one; the number of those that had outlived the notebook."""
        left = len([process for process in descendants() if process.pid != self.pid])
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        if self._status is None:
            os.kill(self.pid, signal.SIGKILL)
        give_up = time.monotonic() + LONGEST_END
        while self._reap() and time.monotonic() < give_up:
            for process in descendants():
                with suppress(psutil.NoSuchProcess):
                    process.kill()
            time.sleep(0.001)
        os.close(self._read)
        return left

    def _reap(self):
        """Bury the dead; is there a child left?"""
        try:
            while True:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
                if pid == 0:
                    return True
                self.peak_mb = max(self.peak_mb, usage.ru_maxrss * RSS_UNIT // MEGABYTE)
                if pid == self.pid:
                    self._status = status
        except ChildProcessError:
            return False


def descendants():
    """The living processes below this one."""
    living = []
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if process.status() != psutil.STATUS_ZOMBIE:
                living.append(process)
    return living


def _how_it_ended(status):
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return f"it ended the whole process (exit status {code})"
    if -code == signal.SIGXCPU:
        return "its processor time was used up"
    return f"the process was killed ({signal.Signals(-code).name})"
