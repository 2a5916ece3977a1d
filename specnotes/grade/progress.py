"""A bar on the error stream: one line that grows on a terminal, a few lines in a log."""

import sys

WIDTH = 30


class Progress:
    def __init__(self, total, stream=None):
        self._total, self._stream = total, stream or sys.stderr
        self._done, self._tenth = 0, 0

    def step(self, name):
        """One more is done."""
        self._done += 1
        if self._stream.isatty():
            filled = WIDTH * self._done // self._total
            bar = "#" * filled + "." * (WIDTH - filled)
            self._write(f"\r[{bar}] {self._done}/{self._total} {name[:30]:<30}")
            if self._done == self._total:
                self._write("\n")
        elif 10 * self._done // self._total > self._tenth:
            self._tenth = 10 * self._done // self._total
            self._write(f"{self._done} of {self._total} graded\n")

    def _write(self, text):
        self._stream.write(text)
        self._stream.flush()
