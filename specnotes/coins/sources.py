"""Guards around a program that must be a function of the coins it is given.

``foreign_sources`` notices draws from NumPy's or Python's global generator and from generators that
the program's functions can reach by name; ``deadline`` stops a loop that draws nothing.
"""

import contextlib
import ctypes
import random
import sys
import threading
import time
from contextlib import contextmanager, suppress
from functools import partial
from types import CodeType, FunctionType, MethodType, ModuleType

import numpy as np

GENERATORS = (np.random.Generator, np.random.RandomState, random.Random)
LIBRARIES = {*sys.stdlib_module_names, "numpy", "scipy", "sympy", "matplotlib"}
POLL = 0.25  # seconds between two looks at the clock
OURS = (__file__, contextlib.__file__)
TOOL = 4  # of Python's six places for monitoring tools, one that no debugger or profiler takes


@contextmanager
def foreign_sources(program, symptom, error):
    """Raise ``error`` if the block moved a generator other than the one it was handed.

    A ``symptom`` raised in the block gives way to it.
    """
    sources = {
        "NumPy's global generator (np.random.…)": np.random.mtrand._rand,
        "Python's global generator (random.…)": random._inst,
    }
    for name, generator in _reachable(program):
        sources[f"the generator `{name}` from outside the function"] = generator
    before = {name: _state(generator) for name, generator in sources.items()}

    def check():
        for name, generator in sources.items():
            if _state(generator) != before[name]:
                raise error(f"the program draws from {name} instead of the rng it is given")

    try:
        yield
    except symptom:  # the cause, if it is here, says more
        check()
        raise
    check()


@contextmanager
def deadline(seconds, error):
    """Raise ``error`` in the block if it runs longer, counted from the last ``restart()`` of the
    clock it yields.  ``seconds`` None, or a platform without threads before Python 3.12: no limit.
    """
    clock = _Clock(seconds)
    try:
        try:
            if seconds is not None:
                clock.start()
            yield clock
        finally:
            clock.stop()
    except _Late:
        clock.stop()
        if not clock.rang:  # another deadline's
            raise
        raise error(f"still running after {seconds:g} s: an endless loop?") from None


class _Late(BaseException):
    """Not an ``Exception``, so that a loop which swallows those still ends."""


class _Clock:
    """One deadline of one thread."""

    def __init__(self, seconds):
        self.seconds, self.rang = seconds, False
        self._thread = threading.get_ident()

    def restart(self):
        self._start = time.monotonic()

    def start(self):
        self.restart()
        _watcher.add(self)

    def stop(self):
        _watcher.remove(self)

    def is_late(self):
        late = time.monotonic() - self._start > self.seconds
        self.rang |= late
        return late

    def ring_if_late(self):
        """Raise ``_Late`` in the thread.  Again at the next look, if it was swallowed."""
        if self.is_late():
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(self._thread), ctypes.py_object(_Late)
            )


class _Watcher:
    """One thread for all clocks, while there are any: to start one for each takes too long."""

    def __init__(self):
        self._clocks, self._lock, self._alive = [], threading.Lock(), False

    def add(self, clock):
        with self._lock:
            self._clocks.append(clock)
            if not self._alive:
                try:
                    threading.Thread(target=self._watch, daemon=True).start()
                    self._alive = True
                except RuntimeError:  # a platform without threads, such as the browser
                    if len(self._clocks) == 1:  # to switch it on and off takes its time
                        self._watch_loops(True)

    def remove(self, clock):
        with self._lock:
            if clock in self._clocks:
                self._clocks.remove(clock)
                if not self._clocks and not self._alive:
                    self._watch_loops(False)

    def _watch(self):
        while True:
            time.sleep(POLL)
            with self._lock:
                for clock in self._clocks:
                    clock.ring_if_late()
                if not self._clocks:
                    self._alive = False
                    return

    def _watch_loops(self, on):
        """Without a thread: look when a loop goes round or calls.  Python can since 3.12."""
        if monitoring := getattr(sys, "monitoring", None):
            steps = monitoring.events.JUMP | monitoring.events.PY_START
            if monitoring.get_tool(TOOL) is None:
                monitoring.use_tool_id(TOOL, "deadline")
            for event in (monitoring.events.JUMP, monitoring.events.PY_START):
                monitoring.register_callback(TOOL, event, self._look if on else None)
            monitoring.set_events(TOOL, steps if on else 0)

    def _look(self, code, *_):
        if code.co_filename in OURS:  # a deadline's own end is not cut short
            return
        if any([clock.is_late() for clock in self._clocks]):  # a list: each that is late has rung
            raise _Late


_watcher = _Watcher()


def _state(generator):
    if isinstance(generator, np.random.Generator):
        return _plain(generator.bit_generator.state)
    if isinstance(generator, np.random.RandomState):
        return _plain(generator.get_state(legacy=False))
    return generator.getstate()


def _plain(state):
    """Something that ``==`` compares: dicts of arrays are not."""
    if isinstance(state, dict):
        return {key: _plain(value) for key, value in state.items()}
    return state.tobytes() if isinstance(state, np.ndarray) else state


def _reachable(program, depth=4):
    """(name, generator) for each generator that the program's code can name."""
    todo, seen = [("program", program, depth)], set()
    while todo:
        name, thing, depth = todo.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if issubclass(type(thing), GENERATORS):  # not what poses as one
            if not isinstance(thing, random.SystemRandom):  # has no state to compare
                yield name, thing
        elif depth and not _is_foreign(thing):
            todo += [(n, t, depth - 1) for n, t in _named_by(thing)]


def _is_foreign(thing):
    """Follow the user's own functions and objects, not classes and whole libraries."""
    library = _home(thing) in LIBRARIES and not isinstance(thing, partial)
    return library or isinstance(thing, (type, ModuleType))


def _home(thing):
    return (getattr(thing, "__module__", None) or "").split(".")[0]


def _named_by(thing):
    if isinstance(thing, MethodType):
        yield from [("self", thing.__self__), (thing.__name__, thing.__func__)]
    elif isinstance(thing, FunctionType):
        if _home(thing) != "specnotes":  # takes its coins from its arguments alone
            yield from _globals_of(thing.__code__, thing.__globals__)
        for name, cell in zip(thing.__code__.co_freevars, thing.__closure__ or (), strict=True):
            with suppress(ValueError):  # not bound yet
                yield name, cell.cell_contents
        defaults = (*(thing.__defaults__ or ()), *(thing.__kwdefaults__ or {}).values())
        yield from ((f"a default of {thing.__name__}", default) for default in defaults)
    elif isinstance(thing, partial):
        given = (thing.func, *thing.args, *thing.keywords.values())
        yield from (("an argument of a partial", argument) for argument in given)
    elif hasattr(thing, "__dict__"):
        if _home(thing) != "specnotes":
            yield from vars(type(thing)).items()
        yield from vars(thing).items()


def _globals_of(code, known):
    """What the code names, also inside functions and comprehensions, also as ``module.name``."""
    for name in code.co_names:
        thing = known.get(name)
        yield name, thing
        if isinstance(thing, ModuleType):
            inside = [(n, vars(thing).get(n)) for n in code.co_names]
            yield from ((n, t) for n, t in inside if issubclass(type(t), GENERATORS))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _globals_of(constant, known)
