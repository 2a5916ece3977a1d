"""The options of ``python -m specnotes grade``; light, so that other commands stay quick."""

import os
from pathlib import Path

SOURCES = Path("coursework/course/source")


def add_options(parser):
    """Declare them on an argparse parser."""
    add = parser.add_argument
    add("submissions", type=Path, help="folder with ID.ipynb, ID/ps1.ipynb or ID/ps1/ps1.ipynb")
    add("--problem", required=True, help="name of the problem set, such as ps1")
    add("--out", type=Path, required=True, help="CSV file for the marks")
    add("--source", type=Path, help=f"the instructor's notebook ({SOURCES}/PROBLEM/PROBLEM.ipynb)")
    add("--feedback", type=Path, metavar="DIR", help="write a page and a text for each student")
    add("--show-tests", action="store_true", help="show the tests, hidden ones too, in feedback")
    add("--canvas", type=Path, metavar="FILE", help="write a CSV for Canvas's gradebook too")
    add("--roster", type=Path, metavar="FILE", help="CSV of the class: who handed in nothing")
    add("--due", metavar="TIME", help="note what came later, e.g. 2026-10-01T18:00")
    add("--jobs", type=int, default=os.cpu_count() or 1, help="submissions at a time (all cores)")
    add("--cell-seconds", type=float, default=30, help="limit for one cell (30)")
    add("--seconds", type=float, default=240, help="limit for one submission (240)")
    add("--memory", type=int, default=1024, metavar="MB", help="limit of memory (1024)")
    add("--again", action="store_true", help="grade everything, also what has not changed")
    add("--no-fence", action="store_true", help="let notebooks read and write other folders")


def run(options):
    """Check that grading can work here, and grade.  -> exit code"""
    if not hasattr(os, "fork"):
        raise SystemExit(
            "specnotes grade runs each notebook in a forked process, which this system (Windows, a "
            "browser) does not have. Mark with nbgrader, which needs none: `nbgrader autograde "
            f"{options.problem}` in the folder coursework, see coursework/README.md. Or run this "
            "command on Linux, on macOS or in WSL."
        )
    from specnotes.grade.command import grade

    return grade(options)
