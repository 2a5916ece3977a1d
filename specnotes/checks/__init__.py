"""Exercise checks: each takes the student's answer, prints a card and returns a ``Result``."""

from specnotes.checks.card import Result

__all__ = ["Result"]
