r"""Derive the notebooks from their one source: notebooks/src/NN_name.py -> notebooks/NN_name.ipynb

`make notebooks` writes the student version and the launch links in README.md;
`python tools/build_notebooks.py --solutions DIR` writes the complete version into DIR.
Only notebooks/src is edited. The same source gives the same bytes, always.

Source format (percent format; jupytext and editors read it too)

    # %% header [markdown]             the cell's title is its id: stable, readable, unique
    r'''                               (with double quotes) markdown text
    # Why is this safe?
    60 minutes · needs: notebook 00 · [[launch]]
    **After this you can** derive ..., say ..., compute ...
    '''

    # %% ex1 tags=["exercise"]
    def residual(target, draft):
        '''What the target is still owed.'''
        ### BEGIN SOLUTION             the region becomes one comment; the author writes what is
        return ...                     left around it: a docstring and a last `return ...`,
        ### END SOLUTION               or `alpha = ...` before the region
        return ...

    [[launch]]          in markdown: links to run this notebook on Binder or Colab, or to read it,
                        as it is or with its results
    (before the first code cell `derive` puts one that installs the course on Colab, and only there)
    [[solution ex1]]    in markdown: the solution region of cell ex1, folded, as text

Conventions that tests/test_notebooks.py relies on

    id `header`           the card above: `# ` title, minutes, "After this you can", [[launch]]
    ## Before you start   two numbered questions on earlier notebooks (not in 00)
    ## Predict            the question; then a code cell tagged "predict" that keeps the answer (its
                          code comes folded, because it holds the notebook's answer as well)
    ## Exercises          three to five, one or more a stretch; each under a heading
                          `### Exercise 1: name (5 min, core)` has a code cell tagged "exercise",
                          later one tagged "check", and markdown with `<summary>Hint</summary>`
                          and `[[solution ID]]`
    ## Where this breaks
    ## Take away          one formula, one figure, one new function
    tag "recall"          a code cell near the end that shows the predictions again

Updates and students' work (tests/test_updates.py)

    Hubs pull an update into a student's copy with the student's side preferred.  So an answer is
    never lost, and an upstream change of a cell that the student has edited is, without a word.
    Therefore: what students type stands in the cells tagged "exercise" and nowhere else, their ids
    never change, and a mistake is NEVER mended by editing a cell that students type into.  Mend it
    in the text above, in the check below, or in the package.
"""

import argparse
import ast
import copy
import re
import textwrap
import tomllib
from pathlib import Path

import jupytext
import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

ROOT = Path(__file__).resolve().parent.parent
REGION = re.compile(r"^([ \t]*)### BEGIN SOLUTION\n(.*?\n)[ \t]*### END SOLUTION$", re.M | re.S)
README_LINKS = re.compile(r"(?<=<!-- launch -->\n).*?(?=<!-- end of launch -->)", re.S)
FOLD = re.compile(r"\[\[solution ([\w-]+)\]\]")
LEFT_OVER = re.compile(r"(BEGIN|END) SOLUTION|\[\[(launch|solution)")
CELL_ID = re.compile(r"[\w-]{1,64}", re.ASCII)
LONGEST_CELL = 25
COLAB = """\
# On Google Colab this installs the course; anywhere else it does nothing.
import sys
from importlib.util import find_spec

if "google.colab" in sys.modules and find_spec("specnotes") is None:
    get_ipython().run_line_magic("pip", "install -q git+{repo}")"""
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def require(condition, message):
    if not condition:
        raise ValueError(message)


def urls(root):
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]


def repository(root=ROOT):
    """The repository's address, from the one place that states it."""
    return urls(root)["Repository"]


def site_address(root=ROOT):
    """Where `make site` is published, from the same place."""
    return urls(root)["Site"]


def addresses(notebook, repo):
    """Where a notebook runs (Binder, Colab) and where it can be read."""
    owner_and_name = repo.removeprefix("https://github.com/")
    return (
        f"https://mybinder.org/v2/gh/{owner_and_name}/main?urlpath=lab/tree/notebooks/{notebook}",
        f"https://colab.research.google.com/github/{owner_and_name}/blob/main/notebooks/{notebook}",
        f"{repo}/blob/main/notebooks/{notebook}",
    )


def browser_address(notebook):
    """Where it runs in the browser alone, which `make lite` adds to the site."""
    return f"{site_address()}/lite/lab/?path={notebook}"


def launch_links(notebook, repo):
    """A lesson's links: text, not pictures, so that opening it asks nothing of the network."""
    binder, colab, source = addresses(notebook, repo)
    page = f"{site_address()}/notebooks/{notebook.removesuffix('.ipynb')}.html"
    return (
        f"[Binder]({binder}) (it ends when idle: download your work) · [Colab]({colab}) · "
        f"[in this browser]({browser_address(notebook)}) · [GitHub]({source}) · "
        f"[page with results]({page})"
    )


def readme_badges(repo):
    """The README's links: the usual badges, and the site."""
    binder, colab, _ = addresses("00_start_here.ipynb", repo)
    return (
        f"[![Open in Binder](https://mybinder.org/badge_logo.svg)]({binder})\n"
        f"[![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)]({colab})\n"
        f"\nTo run it in the browser alone, with nothing to install and no server, "
        f"[open this]({browser_address('00_start_here.ipynb')}).\n"
        f"To read it with its results, see [the site]({site_address()}); `make site` builds it.\n"
    )


def read_source(path, read_title=lambda title: (title, {})):
    """The source's cells, complete, each with the id that its author gave.

    ``read_title`` takes a cell's title apart: the id, and metadata to add.
    """
    options = {"extension": ".py", "format_name": "percent", "comment_magics": False}
    cells, seen = [], set()
    for cell in jupytext.reads(path.read_text(encoding="utf-8"), fmt=options).cells:
        cell_id, added = read_title(cell.metadata.get("title", ""))
        first_line = cell.source.partition("\n")[0]
        where = f"{path.name}: cell {cell_id or first_line!r}"
        require(CELL_ID.fullmatch(cell_id), f"{where}: needs an id of letters, digits, - and _")
        require(cell_id not in seen, f"{where}: this id is used twice")
        require(cell.cell_type != "raw", f"{where}: is neither code nor markdown")
        seen.add(cell_id)
        new = new_code_cell if cell.cell_type == "code" else new_markdown_cell
        tags = cell.metadata.get("tags", [])
        kept = {"tags": tags} if tags else {}
        folded = {"jupyter": {"source_hidden": True}} if "predict" in tags else {}
        cells.append(new(cell.source, id=cell_id, metadata=folded | kept | added))
    return cells


def student_code(source):
    return REGION.sub(r"\1# your code here", source)


def complete_code(source):
    return REGION.sub(lambda region: region[2].rstrip("\n"), source)


def folded_solution(cell_id, cells):
    """The solution regions of a cell, as text under a fold."""
    sources = [cell.source for cell in cells if cell.id == cell_id]
    require(sources, f"[[solution {cell_id}]]: no cell has this id")
    regions = [textwrap.dedent(region[2]).rstrip() for region in REGION.finditer(sources[0])]
    require(regions, f"[[solution {cell_id}]]: this cell has no solution region")
    code = "\n\n".join(regions)
    return f"<details><summary>Solution</summary>\n\n```python\n{code}\n```\n\n</details>"


def colab_cell(repo):
    """Installs the course where it must be, and comes folded; the site leaves it out."""
    metadata = {"jupyter": {"source_hidden": True}, "tags": ["remove-cell"]}
    return new_code_cell(COLAB.format(repo=repo), id="colab", metadata=metadata)


def check_cell(cell, where):
    require(not LEFT_OVER.search(cell.source), f"{where}: a marker is left over")
    if cell.cell_type == "code":
        lines = cell.source.count("\n") + 1
        require(lines <= LONGEST_CELL, f"{where}: {lines} lines, over {LONGEST_CELL}")
        try:
            ast.parse(cell.source)
        except SyntaxError as error:
            raise ValueError(f"{where}: line {error.lineno}: {error.msg}") from None


def derive(path, repo, solutions=False):
    """The text of the notebook that a source stands for."""
    cells = read_source(path)
    first_code = next((i for i, c in enumerate(cells) if c.cell_type == "code"), len(cells))
    cells.insert(first_code, colab_cell(repo))
    links = launch_links(f"{path.stem}.ipynb", repo)
    code = complete_code if solutions else student_code
    notebook = new_notebook(metadata=METADATA, nbformat_minor=5)
    for cell in copy.deepcopy(cells):
        if cell.cell_type == "code":
            cell.source = code(cell.source)
        else:
            text = cell.source.replace("[[launch]]", links)
            cell.source = FOLD.sub(lambda fold: folded_solution(fold[1], cells), text)
        check_cell(cell, f"{path.name}: cell {cell.id!r}")
        notebook.cells.append(cell)
    nbformat.validate(notebook)
    return nbformat.writes(notebook) + "\n"


def main():
    parser = argparse.ArgumentParser(description="Derive the notebooks from notebooks/src.")
    parser.add_argument("--solutions", metavar="DIR", type=Path, help="complete version, into DIR")
    solutions = parser.parse_args().solutions
    folder, repo = solutions or ROOT / "notebooks", repository()
    folder.mkdir(parents=True, exist_ok=True)
    for source in sorted((ROOT / "notebooks/src").glob("*.py")):
        text = derive(source, repo, solutions=solutions is not None)
        (folder / f"{source.stem}.ipynb").write_text(text, encoding="utf-8", newline="\n")
    if not solutions:
        readme = ROOT / "README.md"
        text = README_LINKS.sub(lambda _: readme_badges(repo), readme.read_text(encoding="utf-8"))
        readme.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    try:
        main()
    except ValueError as error:
        raise SystemExit(f"build_notebooks: {error}") from None
