"""What a student reads: one page for each, and the same as plain text."""

import hashlib
import re
from html import escape

from specnotes.checks.card import CUT
from specnotes.grade.marks import MORE_ERRORS
from specnotes.grade.notebook import ANSWER
from specnotes.grade.sheets import number
from specnotes.grade.store import write_whole

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: auto; padding: 1rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .4rem; border-bottom: 1px solid #888 }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; font-size: .9rem }
"""
VERDICTS = {True: "✓ right", False: "✗ no points", None: "to be marked by hand"}
OPEN = "○ not attempted"
CARD = re.compile(r"^[✓✗○·] ", re.MULTILINE)


def write_feedback(folder, graded, problem, grader, show_tests=False):
    """``graded`` holds (Row, Report); two files for each, named after the student."""
    folder.mkdir(parents=True, exist_ok=True)
    for row, report in graded:
        parts = list(_tasks(row, report, problem, show_tests)), _more(row, report), grader
        write_whole(folder / f"{file_name(row.student)}.html", _page(row, problem, *parts))
        write_whole(folder / f"{file_name(row.student)}.txt", _text(row, problem, *parts))


def file_name(student):
    """The id if it can be a file's name, else what is left of it and a few digits."""
    plain = re.sub(r"[^\w.@+-]", "_", student).strip(".")[:80]
    if plain == student:
        return plain
    return f"{plain}-{hashlib.sha256(student.encode()).hexdigest()[:6]}"


def _tasks(row, report, problem, show_tests):
    """(task, points in words, verdict, what was said) in the order of the notebook."""
    stopped, answer = dict(report.errors), None
    for cell in problem.cells:
        answer = cell.grade_id if cell.role == ANSWER else answer if cell.is_code else None
        if cell.grade_id not in row.points:
            continue
        got, test = row.points[cell.grade_id], report.tests.get(cell.grade_id, {})
        title = cell.title or cell.grade_id
        if got is None:
            yield title, f"… of {number(cell.points)}", VERDICTS[None], ""
            continue
        said, error = last_cards(test.get("said") or ""), test.get("error") or ""
        repeated = error.removesuffix(CUT) in " ".join(said.split())
        right = test.get("ok") is True
        stop = "" if right else _stop(stopped, answer, error)
        parts = [
            "" if "  The cell that ran before" in said else stop,
            "" if repeated else error,
            said,
            cell.source if show_tests else "",
        ]
        words = "\n".join(part for part in parts if part)
        verdict = OPEN if said.startswith("○") and not stop else VERDICTS[right]
        yield title, f"{number(got)} of {number(cell.points)}", verdict, words


def _stop(stopped, answer, error):
    """The student's own error behind a test's: of its answer's cell, or of whatever it misses."""
    missing = stopped if error.startswith("NameError") else {}
    cell = answer if answer in stopped else next(iter(missing), None)
    return f"your cell {cell} stopped: {stopped[cell]}" if cell else ""


def last_cards(said):
    """Of several cards with one title the last: that of the hidden test, if it came so far."""
    starts = [found.start() for found in CARD.finditer(said)]
    if not starts:
        return said.strip()
    cards = [said[a:b].strip() for a, b in zip(starts, [*starts[1:], None])]
    last = {card[2:].partition(":")[0]: card for card in cards}
    return "\n".join([said[: starts[0]].strip(), *last.values()]).strip()


def _more(row, report):
    """(heading, lines) of what is not about one task."""
    errors = [f"{cell}: {error}" for cell, error in report.errors]
    notes = [note for note in row.notes if note not in errors and not note.endswith(MORE_ERRORS)]
    both = [("Please note", notes), ("Cells that ended in an error", errors)]
    return [(heading, lines) for heading, lines in both if lines]


def _summary(row):
    hand = f", and up to {number(row.by_hand)} by hand" if row.by_hand else ""
    return f"{number(row.total)} of {number(row.most)} points by machine{hand}"


def _page(row, problem, tasks, more, grader):
    table = "".join(
        f'<tr><th scope="row">{escape(task)}</th><td>{points}</td><td>{verdict}</td>'
        f"<td><pre>{escape(words)}</pre></td></tr>\n"
        for task, points, verdict, words in tasks
    )
    lists = "".join(
        f"<h2>{heading}</h2>\n<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>\n"
        for heading, lines in more
    )
    title = escape(f"{problem.name}: {row.name or row.student}")
    heads = "".join(
        f'<th scope="col">{head}</th>' for head in ("Task", "Points", "", "What the test says")
    )
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{title}</title>\n'
        f"<style>{STYLE}</style>\n<h1>{title}</h1>\n<p><strong>{_summary(row)}</strong></p>\n"
        f"<table>\n<tr>{heads}</tr>\n{table}</table>\n"
        f"{lists}<p>Marked by {escape(grader)}</p>\n</html>\n"
    )


def _text(row, problem, tasks, more, grader):
    lines = [f"{problem.name}: {row.name or row.student}", _summary(row), ""]
    for task, points, verdict, words in tasks:
        lines.append(f"{task}: {points}, {verdict}")
        lines += [f"    {line}" for line in words.splitlines()]
    for heading, entries in more:
        lines += ["", f"{heading}:", *(f"- {entry}" for entry in entries)]
    return "\n".join([*lines, "", f"Marked by {grader}"]) + "\n"
