"""What tests in the notebooks call: the graders of a problem set, for one student."""

from functools import partial

from specnotes.coursework import (
    answers,
    blocks,
    candidates,
    least,
    mending,
    one_token,
    rules,
    yields,
)
from specnotes.coursework.memory import kept_in, part_of_memory
from specnotes.coursework.stopped import stopped_before
from specnotes.coursework.variants import variant

GRADERS = {
    "ps1": [one_token, rules, candidates, mending, answers],
    "ps2": [blocks, least, yields, mending, answers],
}


def visible_tests(you):
    """``visible_tests(you).kept(answer)`` is ``one_token.kept(answer, you)``: it helps."""
    return _Graders(you, final=False)


def hidden_tests(problem, student_id, seed=""):
    """The same with ``final=True`` and with numbers made from the id again: these decide."""
    return _Graders(variant(student_id, problem, seed), final=True)


def known_beforehand(problem):
    """A memory of what hidden tests would find out alike for every student."""
    memory = {}
    with kept_in(memory), part_of_memory(True):
        for module in GRADERS.get(problem, []):
            getattr(module, "prepare", lambda: None)()
    return memory


class _Graders:
    def __init__(self, you, final):
        self._you, self._final, self._stop = you, final, None

    def __getattr__(self, name):
        for module in GRADERS[self._you.problem]:
            if hasattr(module, name):
                return partial(self._judge, getattr(module, name))
        raise AttributeError(f"{self._you.problem} has no task {name!r}")

    def _judge(self, grader, *answers, **options):
        """What the grader says; below it, if that may be why, what stopped the cell before."""
        self._stop = stopped_before(self._stop)
        with part_of_memory(self._final):
            result = grader(*answers, you=self._you, final=self._final, **options)
        if self._stop and not result.ok and not self._final:
            print(f"  The cell that ran before this test stopped: {self._stop}")
        return result
