"""Judge the mutants of modules by tests: each in a fork of this process, nothing is written.

``python tests/judge.py MODULE,MODULE… TESTS…`` prints a line of JSON for each mutant: function,
line, change, and the test that kills it, null if none does.  Only the tests that call the changed
function are run, the last killer first.
"""

import ast
import gc
import importlib
import json
import os
import resource
import signal
import sys
from types import FunctionType

import pytest
from mutants import mutants

SECONDS = 3  # of processor time for one test: ten times the slowest; more is an endless loop
MEMORY = 8 << 30  # of address space
QUIET = ["terminal", "cacheprovider", "logging", "unraisableexception", "threadexception"]


class Judge:
    """A pytest plugin that, instead of running the tests once, runs them on each mutant."""

    def __init__(self, names):
        self.modules = [importlib.import_module(name) for name in names]

    def pytest_runtestloop(self, session):
        gc.freeze()  # a collection in a fork would copy all memory
        session.config.option.tbstyle = "native"  # the quickest
        killer, called = self.run(session, session.items, lambda: None, watch=True)
        if killer:
            sys.exit(f"{killer} fails without a mutant")
        tests = list(zip(session.items, called))
        for module in self.modules:
            for mutant in mutants(module.__file__):
                able = [one for one, names in tests if reaches(names, module, mutant.part)]
                killer, _ = self.run(session, able, lambda: install(mutant, module))  # noqa: B023
                tests.sort(key=lambda row: row[0].nodeid != killer)  # noqa: B023
                told = f"{module.__name__}.{mutant.owner}", mutant.line, mutant.change
                print(json.dumps([*told, killer]), flush=True)
        return True

    def run(self, session, tests, change, watch=False):
        """The test that fails after ``change()`` or None; which functions each test calls."""
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                self.work(session, tests, change, watch, writer)
            finally:
                os._exit(0)
        os.close(writer)
        with open(reader, encoding="utf-8") as lines:
            told = [json.loads(line) for line in lines]
        os.waitpid(child, 0)
        if told and told[-1] == "passed":
            return None, told[1:-1:2]
        return tests[told[-1]].nodeid if told else "loading it", None

    def work(self, session, tests, change, watch, writer):
        """In the fork: tell the number of each test before it runs and what it called after."""
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        files, names = {module.__file__: module.__name__ for module in self.modules}, set()

        def note(frame, event, argument):
            code = frame.f_code
            if event == "call" and code.co_filename in files:
                names.add(f"{files[code.co_filename]}.{code.co_qualname.split('.')[0]}")

        def tell(value):
            os.write(writer, json.dumps(value).encode() + b"\n")

        change()
        for i, (test, following) in enumerate(zip(tests, [*tests[1:], None])):
            tell(i)
            signal.setitimer(signal.ITIMER_PROF, SECONDS)  # ends the process
            sys.setprofile(note if watch else None)
            session.config.hook.pytest_runtest_protocol(item=test, nextitem=following)
            sys.setprofile(None)
            if session.testsfailed:
                return
            if watch:
                tell(sorted(names))
                names.clear()
        tell("passed")


def reaches(names, module, part):
    """May a test that calls these functions notice a change of this part of the module?"""
    return not isinstance(part, ast.FunctionDef) or f"{module.__name__}.{part.name}" in names


def install(mutant, module):
    """Put a mutant's code into the functions, and its other things where the old ones are."""
    new = {"__name__": module.__name__, "__file__": module.__file__}
    exec(mutant.code, new)
    part = mutant.part
    for name in [part.name] if hasattr(part, "name") else [one.id for one in part.targets]:
        old = getattr(module, name)
        if isinstance(old, FunctionType):
            old.__code__, old.__defaults__ = new[name].__code__, new[name].__defaults__
            continue
        for other in list(sys.modules.values()):
            for where in [key for key, value in list(vars(other).items()) if value is old]:
                setattr(other, where, new[name])


if __name__ == "__main__":
    quiet = [part for name in QUIET for part in ("-p", f"no:{name}")]
    options = ["-s", "--assert=plain", *quiet, *sys.argv[2:]]
    sys.exit(pytest.main(options, plugins=[Judge(sys.argv[1].split(","))]))
