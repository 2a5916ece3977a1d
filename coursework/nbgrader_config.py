"""nbgrader's settings for these problem sets; run nbgrader in this folder."""

from pathlib import Path

c = get_config()  # noqa: F821  (nbgrader provides it)

c.CourseDirectory.course_id = "specnotes"
c.CourseDirectory.root = str(Path(__file__).resolve().parent / "course")

# The same words as in the lessons; stubs of answers are written by the author.
c.ClearSolutions.code_stub = {"python": "# your code here"}
c.ClearSolutions.text_stub = "*Your answer here.*"

# A test that a student deleted is put back, and answers of endless loops end.
c.OverwriteCells.add_missing_cells = True
c.Execute.timeout = 60
c.Execute.interrupt_on_timeout = True
