"""What earlier runs have found, so that a second run grades only what has changed."""

import hashlib
import json
import os
import platform
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

import specnotes
from specnotes.grade.supervise import Report, digest_of


class Store:
    """A file of lines beside the marks: one report for each submission that has been graded."""

    def __init__(self, path):
        self.path = path
        self._reports = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                self._take(line)

    def _take(self, line):
        """A line that was cut off, or is of another version, is as good as none."""
        try:
            entry = json.loads(line)
            self._reports[entry["key"]] = Report(**entry["report"])
        except (ValueError, TypeError, KeyError):
            return

    def get(self, key):
        return self._reports.get(key)

    def add(self, key, report):
        self._reports[key] = report
        with self.path.open("a", encoding="utf-8") as file:
            file.write(_line(key, report))

    def keep_only(self, keys):
        """Write the file anew, from memory: student code may have been at it."""
        lines = [_line(key, self._reports[key]) for key in keys if key in self._reports]
        write_whole(self.path, "".join(lines))


def _line(key, report):
    return json.dumps({"key": key, "report": asdict(report)}) + "\n"


def write_whole(path, text):
    """Write a file in one go: there is never half of it."""
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8", errors="backslashreplace", newline="")
    os.replace(part, path)


def grader(source):
    """What makes the marks, for the record: the package's version, a digest of it and the tests."""
    digest = hashlib.sha256(Path(source).read_bytes())
    for path in package_files():
        digest.update(path.read_bytes())
    return f"specnotes {specnotes.__version__} {digest.hexdigest()[:16]}"


def circumstances(source, limits):
    """A digest of all but the submission that marks depend on: grader, libraries, limits, seed."""
    settings = {k: v for k, v in os.environ.items() if k.startswith("SPECNOTES_")}
    libraries = [platform.python_version(), *map(version, ("numpy", "sympy"))]
    given = grader(source), libraries, limits, sorted(settings.items())
    return digest_of(repr(given).encode())


def package_files():
    return sorted(Path(specnotes.__file__).parent.rglob("*.py"))


def key_of(digest, given):
    return digest_of(f"{digest} {given}".encode())
