"""What one submission may use."""

from dataclasses import dataclass

MEGABYTE = 2**20
LARGEST_FILE = 64 * MEGABYTE  # of a notebook, its stored outputs included
MOST_CELLS = 2000
LONGEST_LINE = 2 * MEGABYTE  # of one message from the process that runs student code
MOST_SKIPPED = 20  # cells left out, one more in each attempt, before a submission is given up


@dataclass(frozen=True)
class Limits:
    """Time in seconds of the clock on the wall, memory beyond what the warm grader holds."""

    cell_seconds: float = 30
    seconds: float = 240
    memory_mb: int = 1024
    processes: int = 32
    fence: bool = True
