"""Imports go down, imports are light, names are words, and everything stays small."""

import ast
import io
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "specnotes"

# A module may import from layers below its own, and sideways from those written before it.
LAYERS = [
    ["laws", "transforms", "yields"],
    ["models", "drafts", "coins"],
    ["verify", "decode", "tiny"],
    ["exact", "lockstep", "broken"],
    ["audit"],
    ["checks", "plots"],
    ["widgets"],
]
TOP = {"coursework", "grade", "__main__"}  # may use everything; nothing uses them
ORDER = [name for layer in LAYERS for name in layer]
MATHS = ORDER[: ORDER.index("checks")]
CORE = ORDER[: ORDER.index("broken")]

MODULE_LINES, FUNCTION_LINES = 250, 30


def sources(folder):
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.py"))
    }


MODULES = sources(PACKAGE)
TREES = {name: ast.parse(text) for name, text in MODULES.items()}
NOTEBOOKS = sources(ROOT / "notebooks" / "src")
each_module = pytest.mark.parametrize("name", MODULES)


def unit(name):
    """The module or folder that a file belongs to: specnotes/coins/coin.py is in coins."""
    return Path(name).relative_to("specnotes").parts[0].removesuffix(".py")


def imported(tree):
    """Dotted names of all modules that the code imports, wherever it does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: write imports in full"
            if node.module == "specnotes":
                yield from (f"specnotes.{alias.name}" for alias in node.names)
            else:
                yield node.module


def upward(name, tree):
    """Imports that do not go down or sideways."""
    own = unit(name)
    if own in TOP or own == "__init__":
        return []
    used = [used.split(".")[1] for used in imported(tree) if used.startswith("specnotes.")]
    below = ORDER[: ORDER.index(own) + 1]
    return [other for other in used if other not in below]


# Imports.


def test_every_module_has_a_layer():
    assert {unit(name) for name in MODULES} <= {*ORDER, *TOP, "__init__"}


@each_module
def test_imports_go_down_or_sideways(name):
    assert upward(name, TREES[name]) == []


@pytest.mark.parametrize(
    "code", ["from specnotes.audit import x", "def f():\n    import specnotes.exact"]
)
def test_an_import_that_goes_up_would_be_seen(code):
    assert upward("specnotes/coins/coin.py", ast.parse(code))


@pytest.mark.parametrize("name", [name for name in MODULES if unit(name) == "plots"])
def test_a_plot_uses_no_maths_of_the_package(name):
    used = [used for used in imported(TREES[name]) if used.startswith("specnotes.")]
    assert all(used.startswith("specnotes.plots") for used in used)


@pytest.mark.parametrize("library, homes", [("matplotlib", {"plots"}), ("ipywidgets", {"widgets"})])
def test_a_library_of_the_surface_stays_there(library, homes):
    users = {
        unit(name)
        for name, tree in TREES.items()
        if any(used.split(".")[0] == library for used in imported(tree))
    }
    assert users <= homes | TOP


HEAVY = ["sympy", "scipy", "matplotlib", "ipywidgets", "IPython"]


def loaded_by(*modules):
    """Heavy libraries loaded by a fresh Python after each import: [(module, libraries)]."""
    code = "import importlib, sys\n"
    for module in modules:
        code += f"importlib.import_module({module!r})\n"
        code += f"print({module!r}, *[name for name in {HEAVY!r} if name in sys.modules])\n"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return [line.split() for line in run.stdout.splitlines()]


def test_the_maths_loads_no_heavy_library():
    modules = ["specnotes", *(f"specnotes.{name}" for name in MATHS)]
    assert loaded_by(*modules) == [[module] for module in modules]


def test_a_heavy_library_would_be_seen():
    assert loaded_by("sympy") == [["sympy", "sympy"]]


# Names and randomness.


def functions(tree):
    """(name with its class, node) of all functions that are not nested in others."""

    def inside(body, prefix):
        for node in body:
            if isinstance(node, ast.ClassDef):
                yield from inside(node.body, f"{prefix}{node.name}.")
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield prefix + node.name, node

    return inside(tree.body, "")


def parameters(node):
    given = node.args
    return [argument.arg for argument in given.posonlyargs + given.args + given.kwonlyargs]


def is_public(name):
    return not any(part.startswith("_") for part in name.split("."))


@each_module
def test_no_public_parameter_is_called_p_or_q(name):
    """Words at the API.  ``EveryCoin`` alone takes the arguments of NumPy's generator."""
    found = [
        function
        for function, node in functions(TREES[name])
        if is_public(function) and {"p", "q"} & set(parameters(node))
    ]
    assert [function for function in found if not function.startswith("EveryCoin.")] == []


# What may be named in a module of generators; all else moves or reads its hidden, global one.
NUMPYS = {"Generator", "RandomState", "SeedSequence", "BitGenerator", "default_rng"}
PYTHONS = {"Random", "SystemRandom"}
WATCHES = "specnotes/coins/sources.py"  # looks whether anybody moved the global generators


def global_randomness(tree):
    """Uses of NumPy's or Python's global generator, as written."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in ("numpy.random", "random"):
            allowed = NUMPYS if node.module == "numpy.random" else PYTHONS
            yield from (alias.name for alias in node.names if alias.name not in allowed)
        if isinstance(node, ast.Attribute):
            text = ast.unparse(node)
            if text.startswith(("np.random.", "numpy.random.")) and text.count(".") == 2:
                if node.attr not in NUMPYS:
                    yield text
            if text.startswith("random.") and text.count(".") == 1 and node.attr not in PYTHONS:
                yield text


@pytest.mark.parametrize("name", [*MODULES, *NOTEBOOKS])
def test_no_global_generator_is_used(name):
    if name != WATCHES:
        assert list(global_randomness(ast.parse((MODULES | NOTEBOOKS)[name]))) == []


@pytest.mark.parametrize(
    "code",
    [
        "np.random.rand(3)",
        "numpy.random.seed(0)",
        "x = np.random.choice",
        "from numpy.random import rand",
        "import random\nrandom.random()",
        "from random import choice",
    ],
)
def test_a_global_generator_would_be_seen(code):
    assert list(global_randomness(ast.parse(code)))


# Sizes and docstrings.

NOT_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


def code_lines(text, tree):
    """Numbers of the lines that hold code: no blank lines, comments, docstrings."""
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NOT_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(tree):
        documented = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        if documented and ast.get_docstring(node) is not None:
            lines -= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return lines


def length(node, lines):
    return sum(node.lineno <= line <= node.end_lineno for line in lines)


def test_lines_of_code_are_counted_without_blanks_comments_and_docstrings():
    text = (
        '"""Doc."""\n\n# no\ndef f(x):  # why\n    """Doc\n\n    more."""\n'
        "\n    return (\n        x\n    )"
    )
    tree = ast.parse(text)
    assert len(code_lines(text, tree)) == length(tree.body[1], code_lines(text, tree)) == 4


@each_module
def test_a_module_has_at_most_250_lines_of_code(name):
    assert len(code_lines(MODULES[name], TREES[name])) <= MODULE_LINES


@each_module
def test_a_function_has_at_most_30_lines_of_code(name):
    lines = code_lines(MODULES[name], TREES[name])
    nodes = [node for node in ast.walk(TREES[name]) if isinstance(node, ast.FunctionDef)]
    assert [node.name for node in nodes if length(node, lines) > FUNCTION_LINES] == []


def undocumented(name):
    """Public functions without a docstring: all of a module's, of a folder's what it exports."""
    bare = [function for function, node in functions(TREES[name]) if not ast.get_docstring(node)]
    folder = Path(name).parent / "__init__.py"
    if unit(name) in CORE or folder == Path("specnotes/__init__.py"):
        return [function for function in bare if is_public(function)]
    if str(folder) not in TREES:
        return []
    exports = [node for node in ast.walk(TREES[str(folder)]) if isinstance(node, ast.ImportFrom)]
    names = {alias.name for node in exports for alias in node.names}
    return [function for function in bare if function in names]


@each_module
def test_every_public_function_has_a_docstring(name):
    assert undocumented(name) == []


@each_module
def test_every_module_says_what_it_is(name):
    assert ast.get_docstring(TREES[name]) or not MODULES[name].strip()
