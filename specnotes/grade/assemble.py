"""The notebook that is run: the instructor's cells in their order, the student's between.

Test and given cells are always the instructor's own.  A student's cell stands where the instructor
has its like; cells of the student's own follow the cell after which the student wrote them.
"""

from collections import defaultdict
from dataclasses import dataclass
from types import CodeType

from specnotes.grade.notebook import ANSWER, FREE, GIVEN, MANUAL, TEST, names_bound, plain

FIXED = (GIVEN, TEST)


@dataclass(frozen=True)
class Step:
    """One cell to run: ``source`` of a student's, ``code`` of the instructor's."""

    role: str
    name: str
    source: str = ""
    code: CodeType | None = None
    binds: frozenset = frozenset()


def assemble(problem, cells):
    """(steps, notes, written): what to run, what was unusual, answers to be marked by hand."""
    match = _Match(problem.cells, cells)
    steps = _student_steps(match, None)
    for place, known in enumerate(problem.cells):
        theirs = match.found.get(place)
        if known.role in FIXED and known.is_code:
            steps.append(Step(known.role, known.grade_id, code=known.code, binds=known.binds))
        elif theirs is not None:
            steps += _student_step(match, theirs, known.grade_id)
        elif known.role == FREE and match.is_lost(known):
            steps.append(Step(FREE, "a cell of the release", source=known.source))
            match.notes.append(f"the cell that sets {_names(known.binds)} was missing: put back")
        steps += _student_steps(match, place)
    written = {
        known.grade_id: cells[match.found[place]].source if place in match.found else ""
        for place, known in enumerate(problem.cells)
        if known.role == MANUAL
    }
    return steps, match.notes + _missing(problem, match), written


def _student_steps(match, place):
    return [step for number in match.extras[place] for step in _student_step(match, number)]


def _student_step(match, number, name=None):
    cell = match.cells[number]
    if not cell.is_code or not cell.source.strip():
        return []
    return [Step(ANSWER, name or f"cell {number + 1}", source=cell.source)]


def _missing(problem, match):
    notes = []
    for place, known in enumerate(problem.cells):
        if place not in match.found and known.grade_id:
            if known.role == TEST:
                notes.append(f"test cell {known.grade_id} was missing: put back")
            elif known.role == GIVEN and known.is_code:
                notes.append(f"given cell {known.grade_id} was missing: put back")
            elif known.role in (ANSWER, MANUAL):
                notes.append(f"the answer cell {known.grade_id} is missing")
    return notes


class _Match:
    """Which cell of the submission stands for which cell of the instructor's."""

    def __init__(self, known, cells):
        self.known, self.cells = known, cells
        self.found, self.used, self.notes = {}, set(), []
        self._bound = [names_bound(cell.source) if cell.is_code else () for cell in cells]
        self._by_grade_id()
        self._by(lambda k, c: k.cell_id and k.cell_id == c.cell_id, "its cell id")
        self._by(lambda k, c: k.released and k.released == plain(c.source), "its text")
        self._by_names()
        self._by_order()
        self._note_edits()
        self.extras = self._extras()

    def is_lost(self, known):
        """Does nothing in the submission bind what this cell binds?"""
        here = set().union(*self._bound)
        return bool(known.is_code and known.binds and not known.binds & here)

    def _by_grade_id(self):
        place_of = {cell.grade_id: place for place, cell in enumerate(self.known) if cell.grade_id}
        for number, cell in enumerate(self.cells):
            place = place_of.get(cell.grade_id)
            if place is None:
                continue
            if place not in self.found:
                self._pair(place, number)
            elif self.known[place].role in FIXED:
                self.used.add(number)
                self.notes.append(f"a second cell {cell.grade_id} was ignored")
            else:
                self.notes.append(f"two answer cells are called {cell.grade_id}: both were run")

    def _by(self, same, how):
        for place, number in self._open_pairs():
            if same(self.known[place], self.cells[number]) and self._is_open(place, number):
                self._pair(place, number, how)

    def _by_names(self):
        """An answer cell is known by the names it has to define."""
        for place, number in self._open_pairs():
            known = self.known[place]
            if known.role == ANSWER and known.defines and self._is_open(place, number):
                if known.defines <= set(self._bound[number]):
                    self._pair(place, number, "the names it defines")

    def _by_order(self):
        """What is left of answer cells, if there are as many as are looked for."""
        places = [
            place
            for place, known in enumerate(self.known)
            if place not in self.found and known.role in (ANSWER, MANUAL)
        ]
        numbers = [
            number
            for number, cell in enumerate(self.cells)
            if number not in self.used and cell.role in (ANSWER, MANUAL)
        ]
        if len(places) == len(numbers):
            for place, number in zip(places, numbers):
                self._pair(place, number, "its place")

    def _open_pairs(self):
        pairs = ((p, n) for p in range(len(self.known)) for n in range(len(self.cells)))
        return [pair for pair in pairs if self._is_open(*pair)]

    def _is_open(self, place, number):
        return place not in self.found and number not in self.used

    def _pair(self, place, number, how=None):
        self.found[place] = number
        self.used.add(number)
        wanted, given = self.known[place].grade_id, self.cells[number].grade_id
        if how and wanted:
            was = f"is now {given!r}" if given else "is gone"
            self.notes.append(f"the grade id {wanted} {was}: recognised by {how}")

    def _note_edits(self):
        for place, number in self.found.items():
            known, text = self.known[place], plain(self.cells[number].source)
            if known.role in FIXED and text not in (known.released, plain(known.source)):
                kind = "test" if known.role == TEST else "given"
                self.notes.append(f"{kind} cell {known.grade_id} was edited: the original was used")
        order = [self.found[place] for place in sorted(self.found)]
        if order != sorted(order):
            self.notes.append("cells were moved: they were run in the original order")

    def _extras(self):
        """place (or None: before all) -> numbers of the cells that follow it."""
        place_of = {number: place for place, number in self.found.items()}
        extras, place = defaultdict(list), None
        for number in range(len(self.cells)):
            if number in place_of:
                place = place_of[number]
            elif number not in self.used:
                extras[place].append(number)
        return extras


def _names(names):
    return ", ".join(sorted(names))
