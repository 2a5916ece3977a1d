"""Problem sets: everybody's own numbers, and graders that need no secrecy.

A grader takes answers and the student's ``variant``, prints a card and returns a ``Result``, whose
``require()`` is the mark: only a right answer passes, known or not.  Notebooks reach the graders by
``visible_tests`` and ``hidden_tests``.
"""

from specnotes.coursework.marking import hidden_tests, visible_tests
from specnotes.coursework.suspects import at
from specnotes.coursework.variants import variant

__all__ = ["at", "hidden_tests", "variant", "visible_tests"]
