"""Fetch a function from a stranger's module, file or notebook.  This runs their code."""

import ast
import importlib
import importlib.util
import inspect
import json
import symtable
import sys
from functools import wraps
from pathlib import Path
from types import ModuleType


class NotFound(Exception):
    """There is no such function, or it cannot be loaded; the message says why."""


def load(target):
    """The function named by ``module:name``, ``path.py:name`` or ``notebook.ipynb:name``."""
    where, _, name = target.rpartition(":")
    if not where or not name:
        raise NotFound(
            f"{target!r} is not module:function, file.py:function or book.ipynb:function"
        )
    try:
        scope = _scope(where, name)
    except NotFound:
        raise
    except Exception as error:
        raise NotFound(f"{where} cannot be loaded: {type(error).__name__}: {error}") from error
    if not callable(scope.get(name)):
        raise NotFound(f"{where} has no function {name!r}")
    return scope[name]


def guess_kind(function):
    """token, block, decoder, draft or model, from the names and number of its arguments."""
    names = _arguments(function)
    third = names[2] if len(names) > 2 else ""
    if len(names) >= 6:
        return "decoder"
    if third == "step":
        return "model"
    if "prefix" in names[1:2]:
        return "draft"
    if third.endswith("s"):
        return "block"
    if "tok" in third:
        return "token"
    raise NotFound(
        f"cannot tell from its arguments {tuple(names)} what it verifies: give --kind token "
        "(target, draft, token, rng), block (target_laws, draft_laws, tokens, rng) or decoder "
        "(target, draft, prefix, draft_length, n_tokens, rng)"
    )


def with_rng(function, kind):
    """The function as the audit calls it: a verifier may have a generator of its own."""
    if kind not in ("token", "block") or len(_arguments(function)) > 3:
        return function
    return wraps(function)(lambda target, draft, tokens, rng: function(target, draft, tokens))


def _arguments(function):
    parameters = inspect.signature(function).parameters.values()
    return [p.name for p in parameters if p.kind <= p.POSITIONAL_OR_KEYWORD]


def _scope(where, name):
    path = Path(where)
    if path.suffix == ".ipynb":
        return _run_cells(path, name)
    if path.suffix == ".py":
        sys.path.insert(0, str(path.resolve().parent))
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return vars(module)
    sys.path.insert(0, "")
    return vars(importlib.import_module(where))


def _run_cells(path, name):
    """Run those statements of the notebook that the function needs, and no others."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    statements = [node for source in sources for node in _parsed(source)]
    needed = _needed(statements, name)
    if not needed:
        raise NotFound(f"no cell of {path.name} defines {name!r}")
    module = ModuleType(path.stem)
    code = ast.Module([node for node in statements if node in needed], [])
    exec(compile(code, str(path), "exec"), vars(module))
    return vars(module)


def _parsed(source):
    """Statements of a cell, without the lines that are for IPython."""
    lines = source.splitlines()
    try:
        return ast.parse("\n".join("" if line[:1] in "%!?" else line for line in lines)).body
    except SyntaxError:
        return []  # a cell in another language


def _needed(statements, name):
    """The statements that bind ``name``, and those that bind what they use."""
    needed, todo = set(), {name}
    while todo:
        wanted = todo.pop()
        for node in statements:
            if node not in needed and wanted in _bound(node):
                needed.add(node)
                todo |= _used(node)
    return needed


def _used(node):
    """Names that a statement takes from the outermost level."""
    outermost = symtable.symtable(ast.unparse(node), "cell", "exec")
    names, tables = set(), [outermost]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        for symbol in table.get_symbols():
            if symbol.is_global() or (table is outermost and symbol.is_referenced()):
                names.add(symbol.get_name())
    return names


def _bound(node):
    """Names that a statement of the outermost level defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    names = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Import | ast.ImportFrom):
            names |= {(alias.asname or alias.name).split(".")[0] for alias in part.names}
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            names.add(part.id)
    return names
