"""A number that has one of a few values: which one is settled when it makes a difference."""

import operator
from math import ceil, floor, trunc

import numpy as np


class FewValued:
    """A float drawn from ``values``, that stands for all of them until they are told apart.

    Arithmetic is done with each value, as floats do it; a comparison, or whatever needs a single
    number, forks the run of ``rng`` (an ``EveryCoin``) if the values answer differently.
    """

    __slots__ = ("_values", "_left")

    def __init__(self, rng, values):
        rng.random()  # is counted as one, and stops an endless loop
        self._values, self._left = tuple(values), _Left(rng, range(len(values)))

    def any(self):
        """A value that it may still have."""
        return self._values[self._left.places[0]]

    def _map(self, function):
        """The same of a function of the value."""
        made = object.__new__(type(self))
        now = dict.fromkeys(self._left.places)
        try:
            values = [function(v) if i in now else None for i, v in enumerate(self._values)]
        except Exception:  # of some values only: let each go its way
            return function(float(self))
        made._values, made._left = tuple(values), self._left
        return made

    def _settle(self, function):
        """function(value), after a fork if it is not the same for all values."""
        return self._left.settle([(i, function(self._values[i])) for i in self._left.places])

    def __float__(self):
        return float(self._settle(lambda value: value))

    def __hash__(self):
        return hash(float(self))

    def __format__(self, how):
        return format(float(self), how)

    def __repr__(self):
        return repr(float(self))

    def __getattr__(self, name):
        """What NumPy calls for its functions of an object, such as ``log``; else a float's."""
        if name.startswith("_"):
            raise AttributeError(name)
        if isinstance(getattr(np, name, None), np.ufunc):
            return lambda: self._map(getattr(np, name))
        return getattr(float(self), name)


class _Left:
    """Which values a number may have on this path: shared by all that is made of it."""

    def __init__(self, rng, places):
        self._rng, self.places = rng, tuple(places)

    def settle(self, answers):
        """The answer, of a list of (place, answer), on this path."""
        groups = {}
        for place, answer in answers:
            groups.setdefault(answer, []).append(place)
        if len(groups) == 1:
            return answers[0][1]
        sides = tuple(map(tuple, groups.values()))
        branch = self._rng.fork(sides, lambda sides: [len(side) / len(answers) for side in sides])
        self.places = sides[branch]
        return list(groups)[branch]


def _mapped(operation):
    def method(self, *others):
        others = [float(x) if isinstance(x, FewValued) else x for x in others]
        if not all(map(_is_number, others)):
            return NotImplemented
        return self._map(lambda value: operation(value, *others))

    return method


def _reflected(operation):
    return _mapped(lambda value, other: operation(other, value))


def _settled(operation):
    def method(self, *others):
        others = [float(x) if isinstance(x, FewValued) else x for x in others]
        if not all(map(_is_number, others)):
            return NotImplemented
        return self._settle(lambda value: operation(value, *others))

    return method


def _is_number(value):
    return hasattr(value, "__float__") and not isinstance(value, np.ndarray)


for _name in "add sub mul truediv floordiv mod pow".split():
    _operation = getattr(operator, _name)
    setattr(FewValued, f"__{_name}__", _mapped(_operation))
    setattr(FewValued, f"__r{_name}__", _reflected(_operation))
for _name in "neg pos abs".split():
    setattr(FewValued, f"__{_name}__", _mapped(getattr(operator, _name)))
for _name in "lt le gt ge eq ne".split():
    _operation = getattr(operator, _name)
    setattr(FewValued, f"__{_name}__", _settled(lambda a, b, do=_operation: bool(do(a, b))))
for _name, _operation in dict(
    bool=bool, int=int, trunc=trunc, floor=floor, ceil=ceil, round=round, complex=complex
).items():
    setattr(FewValued, f"__{_name}__", _settled(_operation))
