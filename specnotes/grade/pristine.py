"""Put back what student code has changed in the modules that tests rely on.

A snapshot is taken before any student code runs: which objects the names of modules and classes
mean, the code inside functions, the contents of the package's own tables.  ``restore`` compares by
identity, so that no ``__eq__`` has a say, and undoes every difference.  It looks at all of them in
one go first, for next to always nothing has changed.
"""

import builtins
import sys
import threading
from contextlib import suppress
from functools import cache
from operator import attrgetter, is_
from types import FunctionType, ModuleType

from specnotes.grade.tables import Contents, restore_table, tables

STANDARD = (
    "cmath itertools decimal random statistics copy collections dataclasses inspect types abc ast "
    "re json enum contextlib"
).split()
LIBRARIES = {*STANDARD, "numpy", "sympy", "scipy"}
# In these nothing changes by itself: a change, even while a test runs, is a student's.
STRICT = {"specnotes", "builtins", "math", "fractions", "operator", "numbers", "functools"}
VAST = {"sympy", "scipy"}  # names and classes are guarded, the code inside functions is not
OWN = "specnotes.grade"
LAZY = {"__slotnames__", "__annotations__", "__annotations_cache__", "__annotate__", "__doc__"}
PARTS = ("__code__", "__defaults__", "__kwdefaults__")
CACHE = type(cache(len))
MISSING = object()


class Pristine:
    """The snapshot of the modules at home in ``homes`` that are loaded now."""

    def __init__(self, homes):
        self.builtins = vars(builtins).copy()
        self._modules = [
            (name, module, type(module), vars(module), _lasting(module))
            for name, module in sorted(sys.modules.items())
            if _home(name) in homes - {"builtins"} and not name.startswith(OWN)
            if not (name.startswith("scipy") and "._" in name)
        ]
        named = [(name, v) for name, *_, known in self._modules for v in known.values()]
        classes = {id(v): v for _, v in named if isinstance(v, type) and _home(v) in homes}
        self._classes = [(c, _namespace(c).copy()) for c in classes.values()]
        values = [v for _, v in named] + [v for _, k in self._classes for v in k.values()]
        inside = {id(f): f for value in values for f in _inside(value)}
        self._functions = [f for f in inside.values() if _home(f) in homes - VAST]
        self._parts = {part: list(map(attrgetter(part), self._functions)) for part in PARTS}
        self._cells = [(f, *entry) for f in self._functions for entry in _cells(f)]
        ours = [value for name, value in named if _home(name) == "specnotes"]
        self._tables = [entry for entry in tables(ours) if entry[0] is not vars(builtins)]
        self._partly = [entry for entry in self._modules if entry[-1].keys() != entry[-2].keys()]
        whole = [names for *_, names, known in self._modules if names.keys() == known.keys()]
        self._all_names = Contents(whole)
        self._all_classes = Contents([_namespace(c) for c, _ in self._classes])
        self._all_tables = Contents([table for table, _ in self._tables])
        self._caches = [value for value in ours if type(value) is CACHE]

    def restore(self):
        """Undo all changes; the names of those that student code must have made."""
        now = builtins.__dict__.copy()
        builtins.__dict__.update(self.builtins)  # first: what follows needs them
        sys.settrace(None)
        sys.setprofile(None)
        threading.settrace(None)
        changed = [f"builtins.{k}" for k, v in self.builtins.items() if now.get(k) is not v]
        changed = [name for name in changed if name != "builtins._"]
        same = self._are_modules() and self._all_names.are_the_same()
        modules = self._partly if same else self._modules
        changed += [name for entry in modules for name in self._restore_module(*entry)]
        if not self._all_classes.are_the_same():
            changed += [name for entry in self._classes for name in _restore_class(*entry)]
        changed += self._restore_functions()
        restore_table(vars(builtins), self.builtins)
        if not self._all_tables.are_the_same():
            for table, content in self._tables:
                restore_table(table, content)
        for cached in self._caches:
            CACHE.cache_clear(cached)
        return changed

    def _are_modules(self):
        return all(
            sys.modules.get(name) is module and type(module) is kind
            for name, module, kind, *_ in self._modules
        )

    def _restore_module(self, name, module, kind, names, known):
        changed = []
        if sys.modules.get(name) is not module or type(module) is not kind:
            sys.modules[name] = module
            ModuleType.__setattr__(module, "__class__", kind)
            changed.append(name)
        if names.keys() != known.keys():  # a name that hides a builtin one
            for key in [key for key in names if key in self.builtins and key not in known]:
                del names[key]
                changed.append(f"{name}.{key}")
        if all(map(is_, map(names.get, known), known.values())):
            return changed
        for key, value in known.items():
            if names.get(key, MISSING) is not value:
                names[key] = value
                if _home(name) in STRICT or callable(value):
                    changed.append(f"{name}.{key}")
        return changed

    def _restore_functions(self):
        changed = []
        for part, values in self._parts.items():
            if not all(map(is_, map(attrgetter(part), self._functions), values)):
                for function, value in zip(self._functions, values):
                    if getattr(function, part) is not value:
                        setattr(function, part, value)
                        changed.append(function)
        for function, cell, value in self._cells:
            if _content(cell) is not value:
                cell.cell_contents = value
                changed.append(function)
        return [f"{function.__module__}.{function.__qualname__}" for function in changed]


def _home(thing):
    name = thing if isinstance(thing, str) else thing.__module__
    return name.partition(".")[0] if isinstance(name, str) else ""


def _lasting(module):
    """Its names, but for this grader, which hides before student code runs."""
    hidden = sys.modules.get(OWN)
    return {name: value for name, value in vars(module).items() if value is not hidden}


def _namespace(cls):
    return type.__dict__["__dict__"].__get__(cls)


def _restore_class(cls, known):
    now = _namespace(cls)
    if len(now) == len(known) and all(map(is_, map(now.get, known), known.values())):
        return []
    different = [key for key, value in known.items() if now.get(key, MISSING) is not value]
    changed = []
    for key in [*different, *(now.keys() - known.keys())]:
        if key in LAZY:
            continue
        with suppress(TypeError, AttributeError):
            if key in known:
                type.__setattr__(cls, key, known[key])
            else:
                type.__delattr__(cls, key)
            changed.append(f"{cls.__module__}.{cls.__name__}.{key}")
    return [name for name in changed if _home(name) in STRICT and "._abc" not in name]


def _inside(value):
    """The functions in a function, a method, a property, a cache: their code can be exchanged."""
    if isinstance(value, property):
        return [f for f in (value.fget, value.fset) if isinstance(f, FunctionType)]
    if isinstance(value, (staticmethod, classmethod)):
        value = value.__func__
    found = []
    while isinstance(value, (FunctionType, CACHE)):
        if isinstance(value, FunctionType):
            found.append(value)
        value = value.__dict__.get("__wrapped__")
    return found


def _cells(function):
    """The cells of a closure that hold a function."""
    cells = [(cell, _content(cell)) for cell in function.__closure__ or ()]
    return [(cell, value) for cell, value in cells if isinstance(value, FunctionType)]


def _content(cell):
    try:
        return cell.cell_contents
    except ValueError:  # empty
        return None
