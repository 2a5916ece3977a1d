"""Build the site: lessons with their results, the package's pages, the instructors' pages.

usage: make site        (in .site/venv; the pages go to site/, and `make lite` adds site/lite/)

Sphinx reads docs/.  What is derived is put there first, in folders that git ignores:

    docs/notebooks/          the lessons, each with a first cell that stands in for what is live
    docs/made/               how to run the course, and the kill matrix
    docs/api/                the list of modules; each gets a page from its docstrings

A lesson runs again when it or the package has changed, else its results come from .site/cache.
Two things run at a time: lessons, and the kill matrix.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import nbformat
from build_notebooks import ROOT, addresses, launch_links, repository

DOCS, OUT, KEPT = ROOT / "docs", ROOT / "site", ROOT / ".site"
MATHS = "laws transforms yields models coins verify decode exact lockstep".split()
MATHS += ["broken", "audit", "checks"]
LESSONS = """# The lessons

```{{toctree}}
:titlesonly:

{}
```
"""
RUN = """Run it in [Binder]({}) or [Colab]({}){}, or [on your own machine]({}). Read it here: every
lesson is a page with its results.
"""


def fingerprint(*folders):
    """A digest of all Python files in folders, or of modules of this name."""
    files = (file for folder in folders for file in [folder, *folder.rglob("*.py")])
    digest = hashlib.sha256()
    for file in sorted(file for file in files if file.is_file()):
        digest.update(file.relative_to(ROOT).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


def write(path, text):
    """Sphinx reads a file again if it has been written."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


def page(notebook, path, version):
    """A lesson as its page is made from."""
    repo = repository()
    binder, colab, source = addresses(path.name, repo)
    code = f"# package and tools: {version}\nimport still\n\nstill.begin({binder!r})"
    begin = nbformat.v4.new_code_cell(code, id="begin", metadata={"tags": ["remove-cell"]})
    links = f"run it in [Binder]({binder}) or [Colab]({colab}) · [the notebook]({source})"
    for cell in notebook.cells:
        cell.source = cell.source.replace(launch_links(path.name, repo), links)
        if cell.metadata.get("jupyter", {}).get("source_hidden"):
            cell.metadata["tags"] = [*cell.metadata.get("tags", []), "hide-input"]
    notebook.cells.insert(0, begin)
    return nbformat.writes(notebook) + "\n"


def lessons():
    """The lessons' pages, and the list of them; pages of lessons that are gone go."""
    made, version = DOCS / "notebooks", fingerprint(ROOT / "specnotes", DOCS / "still.py")
    paths = sorted((ROOT / "notebooks").glob("*.ipynb"))
    for path in paths:
        write(made / path.name, page(nbformat.read(path, as_version=4), path, version))
    for old in {old.name for old in made.glob("*.ipynb")} - {path.name for path in paths}:
        (made / old).unlink()
    entries = "\n".join(f"{short_title(path)} <{path.stem}>" for path in paths)
    write(made / "index.md", LESSONS.format(entries))
    shutil.copytree(ROOT / "notebooks/img", made / "img", dirs_exist_ok=True)


def short_title(path):
    """01_one_token_proof -> 01 One token proof"""
    number, name = path.stem.split("_", 1)
    return f"{number} {name.replace('_', ' ').capitalize()}"


def how_to_run():
    binder, colab, _ = addresses("00_start_here.ipynb", repository())
    browser = ', or <a href="lite/index.html">in this browser</a>, with nothing to install'
    in_browser = browser if (OUT / "lite/index.html").exists() else ""
    write(DOCS / "made/run.md", RUN.format(binder, colab, in_browser, f"{repository()}#start"))


def modules():
    """The list of modules and folders, from which Sphinx makes their pages."""
    paths = (ROOT / "specnotes").iterdir()
    names = sorted(p.stem for p in paths if p.suffix == ".py" or (p / "__init__.py").exists())
    listed = "\n".join(f"   specnotes.{name}" for name in names if name[0] != "_")
    template = (DOCS / "_templates/api.md").read_text(encoding="utf-8")
    write(DOCS / "api/index.md", template.replace("MODULES", listed))


def kill_matrix():
    """Some minutes' work: done again when what it measures has changed."""
    path, stamp = DOCS / "made/kill_matrix.md", KEPT / "kill_matrix"
    units = [ROOT / "specnotes" / name for name in MATHS]
    version = fingerprint(*units, *(unit.with_suffix(".py") for unit in units))
    if not path.exists() or not stamp.exists() or stamp.read_text() != version:
        command = [sys.executable, ROOT / "tools/build_kill_matrix.py", path]
        path.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(command, check=True, env=os.environ | {"PYTHONPATH": str(ROOT)})
        stamp.write_text(version)


def run_lessons(pool):
    """Run lessons into the cache where Sphinx looks first; one that fails, Sphinx runs itself."""
    from jupyter_cache import get_cache
    from jupyter_cache.base import CacheBundleIn
    from jupyter_cache.executors.utils import single_nb_execution

    cache = get_cache(KEPT / "cache")
    paths = [path for path in sorted((DOCS / "notebooks").glob("*.ipynb")) if new(cache, path)]
    books = [nbformat.read(path, as_version=4) for path in paths]
    run = partial(single_nb_execution, cwd=str(DOCS / "notebooks"), timeout=300, allow_errors=False)
    for path, done in zip(paths, pool.map(run, books)):
        if done.err is None:
            bundle = CacheBundleIn(done.nb, str(path), data={"execution_seconds": done.time})
            cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)


def new(cache, path):
    """Whether nothing in the cache is this lesson."""
    try:
        return not cache.match_cache_notebook(nbformat.read(path, as_version=4))
    except KeyError:
        return True


def clear():
    """Away with pages that nothing makes any more; the browser-only build is made by others."""
    for old in OUT.glob("*"):
        if old.name != "lite":
            shutil.rmtree(old) if old.is_dir() else old.unlink()


def main():
    sys.path.insert(0, str(ROOT))
    KEPT.mkdir(exist_ok=True)
    lessons()
    how_to_run()
    modules()
    clear()
    paths = os.pathsep.join([str(ROOT), str(DOCS)])
    os.environ |= {"PYTHONPATH": paths, "IPYTHONDIR": str(KEPT / "ipython")}
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # two run at a time
    with ThreadPoolExecutor(2) as pool:
        matrix = pool.submit(kill_matrix)  # first, for it takes longest
        run_lessons(pool)
        matrix.result()
    sphinx = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-aE"]
    done = subprocess.run([*sphinx, "-d", str(KEPT / "doctrees"), str(DOCS), str(OUT)])
    shutil.rmtree(ROOT / "jupyter_execute", ignore_errors=True)  # MyST-NB's copies of the lessons
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
