"""Guards around a program that must be a function of the coins it is given.

``foreign_sources`` notices draws from NumPy's or Python's global generator and from generators that
the program's functions can reach by name; ``deadline`` stops a loop that draws nothing.
"""

import ctypes
import pickle
import random
import threading
from contextlib import contextmanager
from types import FunctionType, MethodType

import numpy as np

GENERATORS = (np.random.Generator, np.random.RandomState, random.Random)


@contextmanager
def foreign_sources(program, error):
    """Raise ``error`` if the block moved a generator other than the one it was handed."""
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
    except error:  # the symptom; the cause, if it is here, says more
        check()
        raise
    check()


@contextmanager
def deadline(seconds, error):
    """Raise ``error`` in the block if it runs longer.  Without threads there is no limit."""
    if seconds is None:
        yield
        return
    lock, thread, over = threading.Lock(), threading.get_ident(), []

    def stop():
        with lock:
            if not over:
                over.append("late")
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(thread), ctypes.py_object(_Late)
                )

    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    try:
        timer.start()
    except RuntimeError:  # a platform without threads, such as the browser
        yield
        return
    try:
        yield
    except _Late:
        raise error(f"still running after {seconds:g} s: an endless loop?") from None
    finally:
        with lock:
            over.append("done")
        timer.cancel()


class _Late(BaseException):
    """Not an ``Exception``, so that a loop which swallows those still ends."""


def _state(generator):
    if isinstance(generator, np.random.Generator):
        return pickle.dumps(generator.bit_generator.state)
    if isinstance(generator, np.random.RandomState):
        return pickle.dumps(generator.get_state())
    return generator.getstate()


def _reachable(program, depth=4):
    """(name, generator) for each generator that the program's code can name."""
    todo, seen = [("program", program, depth)], set()
    while todo:
        name, thing, depth = todo.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, GENERATORS):
            yield name, thing
        elif depth:
            todo += [(n, t, depth - 1) for n, t in _named_by(thing) if _worth_a_look(t)]


def _worth_a_look(thing):
    """Follow the user's own functions and objects, not whole libraries."""
    if isinstance(thing, (*GENERATORS, FunctionType, MethodType)):
        return not getattr(thing, "__module__", "").startswith("numpy.") or isinstance(
            thing, GENERATORS
        )
    return callable(thing) and not isinstance(thing, type) and hasattr(thing, "__dict__")


def _named_by(thing):
    if isinstance(thing, MethodType):
        yield from [("self", thing.__self__), (thing.__name__, thing.__func__)]
    elif isinstance(thing, FunctionType):
        names = thing.__code__.co_names
        yield from ((name, thing.__globals__[name]) for name in names if name in thing.__globals__)
        for name, cell in zip(thing.__code__.co_freevars, thing.__closure__ or (), strict=True):
            yield name, _contents(cell)
        yield from ((f"a default of {thing.__name__}", d) for d in thing.__defaults__ or ())
    else:
        yield from getattr(thing, "__dict__", {}).items()


def _contents(cell):
    try:
        return cell.cell_contents
    except ValueError:  # not bound yet
        return None
