"""Which test kills which exhibit."""

from specnotes.audit.judge import excess, laws
from specnotes.audit.kinds import (
    block_task,
    decoder_task,
    draft_task,
    model_task,
    token_task,
)
from specnotes.audit.run import audit, run
from specnotes.broken.exhibit import BLOCK, DECODER, DRAFT, MODEL, TOKEN

TASKS = {
    TOKEN: token_task,
    BLOCK: block_task,
    DECODER: decoder_task,
    DRAFT: draft_task,
    MODEL: model_task,
}


def audit_exhibit(exhibit, shrink=False):
    """The report of the audit of the exhibit's kind."""
    return audit(TASKS[exhibit.kind](exhibit.function), shrink)


def bias(exhibit):
    """Distance from the target's law on the exhibit's toy, exact where the arithmetic is."""
    task = TASKS[exhibit.kind](exhibit.function)
    expected, actual = laws(run(task.build, exhibit.toy), exhibit.toy, task)
    return excess(actual, expected)
