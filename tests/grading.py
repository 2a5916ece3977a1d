"""A small problem set, submissions made of it, and one call of the grader."""

import copy
import csv
import json
import re
import subprocess
import sys
from textwrap import dedent

RIGHT = {
    "id": 'STUDENT_ID = "{student}"',
    "one": """
        def residual(target, draft):
            owed = np.maximum(target - draft, 0 * target)
            return owed / owed.sum() if owed.sum() > 0 else target
    """,
    "two": """
        def verify_token(target, draft, token, rng):
            if rng.random() * draft[token] < target[token]:
                return token, True
            return draw(residual(target, draft), rng), False
    """,
    "three": "overlap = np.minimum(p, q).sum()",
    "four": "Because the residual is owed.",
}
STUBS = {
    "id": 'STUDENT_ID = ""',
    "one": "def residual(target, draft):\n    return ...",
    "two": "def verify_token(target, draft, token, rng):\n    return ...",
    "three": "overlap = ...",
    "four": "",
}
FIXED = {
    "setup": """
        from fractions import Fraction

        import numpy as np

        from specnotes import checks
        from specnotes.checks.card import is_same
        from specnotes.laws import draw

        p = np.array([Fraction(1, 2), Fraction(3, 10), Fraction(1, 5)])
        q = np.array([Fraction(1, 5), Fraction(3, 10), Fraction(1, 2)])
    """,
    "one-test": """
        assert callable(residual)
        ### BEGIN HIDDEN TESTS
        checks.residual(residual).require()
        ### END HIDDEN TESTS
    """,
    "two-test": """
        assert callable(verify_token)
        ### BEGIN HIDDEN TESTS
        checks.verify_token(verify_token).require()
        ### END HIDDEN TESTS
    """,
    "three-test": """
        assert abs(float(overlap) - 0.7) < 1e-9 and all([is_same(overlap, Fraction(7, 10))])
    """,
}
ORDER = ["id", "setup", "one", "one-test", "two", "two-test", "three", "three-test", "four"]
POINTS = {"one-test": 2, "two-test": 3, "three-test": 1, "four": 4}
FULL = (2, 3, 1)


def cell(name, source):
    """One cell of the problem set, with nbgrader's metadata."""
    grade, solution = name in POINTS, name not in FIXED
    meta = {"grade": grade, "solution": solution, "locked": not solution, "task": False}
    meta |= {"grade_id": name, "schema_version": 3}
    meta |= {"points": POINTS[name]} if grade else {}
    made = {"id": name, "metadata": {"nbgrader": meta}, "source": dedent(source).strip("\n")}
    if name == "four":
        return {"cell_type": "markdown", **made}
    return {"cell_type": "code", "execution_count": None, "outputs": [], **made}


def document(cells):
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def source():
    """The instructor's notebook, with solutions and hidden tests."""
    cells = []
    for name in ORDER:
        text = FIXED.get(name)
        if text is None:
            right = dedent(RIGHT[name].format(student="reference")).strip("\n")
            text = f"{STUBS[name]}\n### BEGIN SOLUTION\n{right}\n### END SOLUTION"
        cells.append(cell(name, text))
    return document(cells)


def released(name):
    return re.sub(r"(?s) *### BEGIN HIDDEN.*### END HIDDEN TESTS\n?", "", FIXED[name])


def submission(student, extra=None, **answers):
    """A student's notebook: the right answers, but for those that are given.

    ``extra`` is a cell of the student's own, after the cell ``setup``.
    """
    texts = RIGHT | answers
    texts["id"] = texts["id"].format(student=student)
    cells = [cell(n, released(n) if n in FIXED else texts[n]) for n in ORDER]
    if extra is not None:
        own = {"cell_type": "code", "metadata": {}, "outputs": [], "id": "own"}
        cells.insert(2, {**own, "source": dedent(extra).strip("\n")})
    return document(cells)


def edited(student, edit, **answers):
    """A submission whose list of cells ``edit`` has changed in place."""
    made = submission(student, **answers)
    edit(made["cells"])
    return made


def place(cells, name):
    return next(i for i, one in enumerate(cells) if one["id"] == name)


def again(cells, name, source=None):
    """A copy of a cell, as copying and pasting makes it."""
    twin = copy.deepcopy(cells[place(cells, name)])
    twin["id"] += "-copy"
    if source is not None:
        twin["source"] = source
    return twin


class Class:
    """A folder with a source, submissions, and the command to grade them."""

    def __init__(self, folder):
        self.folder = folder
        self.handed_in = folder / "submissions"
        self.handed_in.mkdir()
        self.source = folder / "tiny.ipynb"
        self.source.write_text(json.dumps(source()), encoding="utf-8")
        self.out, self.feedback = folder / "grades.csv", folder / "feedback"

    def add(self, name, content):
        """A file below the folder of submissions; dicts are written as notebooks."""
        path = self.handed_in / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, dict):
            content = json.dumps(content).encode()
        path.write_bytes(content)
        return path

    def command(self, *options):
        """The words after ``python -m specnotes``, with tight limits unless options say more."""
        limits = ["--cell-seconds", "30", "--seconds", "60", "--memory", "512", "--jobs", "2"]
        files = ["--source", self.source, "--out", self.out, "--feedback", self.feedback]
        parts = ["grade", self.handed_in, "--problem", "tiny", *files, *limits, *options]
        return [str(part) for part in parts]

    def run(self, *options, code=0):
        """Call the command in a Python of its own, and see that it exits with ``code``."""
        words = [sys.executable, "-m", "specnotes", *self.command(*options)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=570)
        assert done.returncode == code, done.stderr
        return done

    def marks(self):
        """student -> row of the sheet"""
        with self.out.open(encoding="utf-8", newline="") as file:
            return {row["student"]: row for row in csv.DictReader(file)}


def points(row):
    return tuple(int(row[name]) for name in ("one-test", "two-test", "three-test"))
