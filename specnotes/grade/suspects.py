"""Words in a student's code that an instructor should look at: nobody needs them for an answer.

They change no mark.  What they can do inside the process that grades cannot be prevented there.
"""

import ast

from specnotes.grade.notebook import as_python

WORDS = set(
    "_getframe currentframe settrace setprofile addaudithook __code__ __closure__ __globals__ "
    "__subclasses__ __builtins__ builtins gc ctypes get_objects get_referrers setattr psutil "
    "_exit kill killpg fork system popen Popen subprocess".split()
)
GRADERS = ("specnotes.coursework", "specnotes.grade", "specnotes.checks.")


def suspects(steps):
    """One note for each student cell with such words or assignments to a module's names."""
    modules, notes = set(), []
    for step in steps:
        try:
            tree = ast.parse(as_python(step.source))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        nodes = list(ast.walk(tree))
        modules |= {name for node in nodes for name in _imported(node)}
        found = sorted({word for node in nodes for word in _words(node, modules)})
        if found:
            notes.append(f"read {step.name}: it uses {', '.join(found[:5])}")
    return notes


def _imported(node):
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        for alias in node.names:
            yield (alias.asname or alias.name).partition(".")[0]


def _words(node, modules):
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        home = getattr(node, "module", None) or ""
        paths = [f"{home}.{alias.name}".strip(".") for alias in node.names]
        yield from (path for path in paths if path.startswith(GRADERS))
        yield from WORDS.intersection(part for path in paths for part in path.split("."))
    elif isinstance(node, ast.Name) and node.id in WORDS:
        yield node.id
    elif isinstance(node, ast.Attribute):
        if node.attr in WORDS:
            yield node.attr
        elif isinstance(node.ctx, ast.Store) and _root(node) in modules:
            yield f"{ast.unparse(node)} = …"
        elif ast.unparse(node).startswith(GRADERS):
            yield ast.unparse(node)


def _root(node):
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
