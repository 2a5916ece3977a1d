"""Google Colab: one cell installs the course there, and no notebook needs what Colab lacks.

No test here runs on Colab: they state what a notebook asks of the place where it runs.
"""

import ast
import re
import sys
from types import ModuleType

import nbformat
import pytest
from build_notebooks import COLAB, repository
from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
KNOWN = {"IPython", "ipywidgets", "matplotlib", "numpy", "scipy", "specnotes", "sympy"}
PATHS = re.compile(r"\.\./|\.(csv|json|npy|npz|png|svg|txt)$|^/\w")

lesson = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def code(path):
    """(cell id, source) of all code cells."""
    cells = nbformat.read(path, as_version=4).cells
    return [(cell.id, cell.source) for cell in cells if cell.cell_type == "code"]


def nodes(path, kind):
    return [n for _, source in code(path) for n in ast.walk(ast.parse(source)) if type(n) is kind]


def installed(monkeypatch, colab, specnotes):
    """What the cell asks pip for where Colab's and our package are there or not."""
    monkeypatch.setitem(sys.modules, "google.colab", ModuleType("colab") if colab else None)
    if not colab:
        monkeypatch.delitem(sys.modules, "google.colab")
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name: specnotes if name == "specnotes" else None
    )
    asked = []

    class Shell:
        def run_line_magic(self, name, line):
            asked.append((name, line))

    exec(COLAB.format(repo=repository()), {"get_ipython": Shell})
    return asked


def test_on_colab_the_cell_installs_the_course_from_its_repository(monkeypatch):
    asked = installed(monkeypatch, colab=True, specnotes=None)
    assert asked == [("pip", f"install -q git+{repository()}")]


def test_on_colab_the_cell_does_nothing_the_second_time(monkeypatch):
    assert installed(monkeypatch, colab=True, specnotes="there") == []


@pytest.mark.parametrize("specnotes", [None, "there"])
def test_elsewhere_the_cell_does_nothing(monkeypatch, specnotes):
    assert installed(monkeypatch, colab=False, specnotes=specnotes) == []


@lesson
def test_it_is_the_first_code_cell_and_folded(path):
    first = next(c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code")
    assert first.id == "colab" and first.source == COLAB.format(repo=repository())
    assert first.metadata["jupyter"] == {"source_hidden": True}


@lesson
def test_a_notebook_imports_the_course_its_dependencies_and_the_standard_library_only(path):
    plain = {alias.name for node in nodes(path, ast.Import) for alias in node.names}
    names = plain | {node.module for node in nodes(path, ast.ImportFrom)}
    assert {name.split(".")[0] for name in names} - KNOWN - sys.stdlib_module_names == set()


@lesson
def test_a_notebook_uses_no_magic_and_no_widget_manager(path):
    text = "\n".join(source for cell_id, source in code(path) if cell_id != "colab")
    assert not re.search(r"(?m)^\s*[%!]|get_ipython|ipympl|widget_manager", text)


@lesson
def test_a_notebook_opens_no_file(path):
    texts = [node.value for node in nodes(path, ast.Constant) if isinstance(node.value, str)]
    assert [text for text in texts if PATHS.search(text)] == []
    calls = [node.func for node in nodes(path, ast.Call)]
    assert "open" not in {call.id for call in calls if isinstance(call, ast.Name)}


@lesson
def test_a_notebook_shows_no_picture_from_a_file(path):
    cells = nbformat.read(path, as_version=4).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    assert not re.search(r"!\[[^\]]*\]\((?!https?:)|<img ", text)
