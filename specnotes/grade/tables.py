"""The contents of lists, dicts, arrays and records that modules keep, noted and put back."""

from dataclasses import is_dataclass
from itertools import chain
from operator import attrgetter, is_
from types import MappingProxyType

import numpy as np


def tables(things):
    """(object, copy of its contents) for all that can be changed in ``things``, however deep."""
    todo, seen, found = list(things), {}, []
    while todo:
        thing = todo.pop()
        if id(thing) in seen:
            continue
        seen[id(thing)] = thing  # kept, so that no other object gets its id
        content = _content(thing)
        if content is None:
            continue
        if not isinstance(thing, tuple):
            found.append((thing, content))
        if isinstance(content, dict):
            todo += content.values()
        elif isinstance(content, list):
            todo += content
    return found


def restore_table(table, content):
    """Give an object the contents that it had; nothing is written if they are still there."""
    if isinstance(table, np.ndarray):
        _restore_array(table, content)
    elif isinstance(table, list):
        if len(table) != len(content) or not all(map(is_, table, content)):
            table[:] = content
    else:
        names = table if isinstance(table, dict) else table.__dict__
        same = len(names) == len(content) and all(
            map(is_, map(names.get, content), content.values())
        )
        if not same:
            names.clear()
            names.update(content)


class Contents:
    """What is in many lists, mappings, records and arrays: compared in one go, by identity."""

    def __init__(self, things):
        self._arrays = [thing for thing in things if isinstance(thing, np.ndarray)]
        tables = [thing for thing in things if isinstance(thing, (dict, MappingProxyType))]
        lists = [thing for thing in things if isinstance(thing, list)]
        known = {id(thing) for thing in [*self._arrays, *tables, *lists]}
        self._records = [thing for thing in things if id(thing) not in known]
        self._dicts = [record.__dict__ for record in self._records]
        tables += self._dicts
        views = [
            view for table in tables for view in (_of(table).keys(table), _of(table).values(table))
        ]
        self._views = [*lists, *views]
        self._bytes, self._before = self._look()

    def are_the_same(self):
        if not all(map(is_, map(attrgetter("__dict__"), self._records), self._dicts)):
            return False
        try:
            written, now = self._look()
        except RuntimeError:  # one of them changes in this moment
            return False
        same = len(now) == len(self._before) and all(map(is_, now, self._before))
        return same and written == self._bytes

    def _look(self):
        return [array.tobytes() for array in self._arrays], list(chain.from_iterable(self._views))


def _of(table):
    """Its methods; those of a subclass of dict do not count."""
    return dict if isinstance(table, dict) else MappingProxyType


def _content(thing):
    if isinstance(thing, (list, tuple)):
        return list(thing)
    if isinstance(thing, dict):
        return dict(thing)
    if isinstance(thing, np.ndarray):
        return list(thing.flat) if thing.dtype == object else thing.tobytes()
    if is_dataclass(thing) and not isinstance(thing, type) and hasattr(thing, "__dict__"):
        return dict(thing.__dict__)
    return None


def _restore_array(array, content):
    if array.dtype == object:
        if all(map(is_, array.flat, content)):
            return
    elif array.tobytes() == content:
        return
    else:
        content = np.frombuffer(content, array.dtype)
    was, _ = array.flags.writeable, array.setflags(write=True)
    array.flat = content
    array.setflags(write=was)
