"""The project can be checked out and set up on Linux, macOS and Windows, and stores no results."""

import re
import subprocess
import tomllib
from collections import Counter

import nbformat
import pytest
import yaml
from conftest import ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

RESERVED = {"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(1, 10))}
LONGEST_PATH = 120  # Windows allows 260 in all, and a clone lies somewhere
QUIET = re.compile(r" (-q|--disable-pip-version-check|--allow-root)(?= )")
CORE = (ROOT / "tests/core.txt").read_text(encoding="utf-8").split()
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def git(*words):
    return subprocess.check_output(["git", *words], cwd=ROOT, text=True, encoding="utf-8")


@pytest.fixture(scope="module")
def stored():
    """[(mode, path)] of all files in git."""
    lines = git("ls-files", "-s", "-z").rstrip("\0").split("\0")
    return [(line.split()[0], line.partition("\t")[2]) for line in lines]


def paths(stored):
    return [path for _, path in stored]


# Files that every system can have.


def test_there_is_no_symbolic_link(stored):
    assert [path for mode, path in stored if mode == "120000"] == []


def test_windows_can_name_every_file(stored):
    def bad(part):
        return (
            re.search(r'[<>:"\\|?*\x00-\x1f]|[. ]$', part) or part.split(".")[0].lower() in RESERVED
        )

    assert [path for path in paths(stored) if any(map(bad, path.split("/")))] == []


def test_no_two_names_differ_by_case_only(stored):
    counted = Counter(path.lower() for path in paths(stored))
    assert [path for path, times in counted.items() if times > 1] == []


def test_no_path_is_too_long_for_windows(stored):
    assert [path for path in paths(stored) if len(path) > LONGEST_PATH] == []


def test_names_are_ascii(stored):
    assert [path for path in paths(stored) if not path.isascii()] == []


def test_every_text_is_stored_and_checked_out_with_unix_line_ends():
    odd = [
        line for line in git("ls-files", "--eol").splitlines() if re.match(r"i/(crlf|mix)", line)
    ]
    assert odd == []
    assert "* text=auto eol=lf" in (ROOT / ".gitattributes").read_text(encoding="utf-8")


def test_only_scripts_are_executable(stored):
    for mode, path in stored:
        if mode == "100755":
            assert (ROOT / path).read_bytes().startswith(b"#!"), path


# Nothing that a run leaves behind is stored.


def test_no_notebook_in_git_has_outputs_counts_or_widget_state(stored):
    notebooks = [path for path in paths(stored) if path.endswith(".ipynb")]
    assert any(path.startswith("coursework/") for path in notebooks)
    for path in notebooks:
        notebook = nbformat.read(ROOT / path, as_version=4)
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        assert "widgets" not in notebook.metadata, path
        assert not any(cell.outputs or cell.execution_count for cell in code), path
        assert not any(cell.metadata.get("execution") for cell in code), path


def test_no_checkpoint_or_cache_is_stored(stored):
    left = re.compile(r"\.ipynb_checkpoints|__pycache__|\.pyc$|\.DS_Store|Thumbs\.db")
    assert [path for path in paths(stored) if left.search(path)] == []


# Set-up without make is the Makefile's.


def makes_steps():
    """What `make lab` runs where nothing is set up, by Windows' names, without what only hushes."""
    told = subprocess.check_output(["make", "-Bn", "lab"], cwd=ROOT, text=True)
    lines = [line.partition("  #")[0] for line in told.splitlines()]
    steps = [line for line in lines if re.match(r'\.venv/bin/python|"python3" -m venv', line)]
    named = [s.replace('"python3"', "py").replace(".venv/bin/", ".venv\\Scripts\\") for s in steps]
    return [QUIET.sub("", QUIET.sub("", f"{step} ")).rstrip() for step in named]


def test_the_readme_has_the_makefiles_steps_for_windows():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    block = re.search(r"(?s)```bat\n(.*?)```", readme)[1]
    assert block.splitlines() == makes_steps()


# Versions and workflows.


@pytest.mark.parametrize("line", PROJECT["dependencies"])
def test_the_lowest_versions_are_locked_at_the_floors(line):
    need = Requirement(line)
    lock = (ROOT / "tests/lowest.lock").read_text(encoding="utf-8")
    pin = re.search(rf"(?m)^{canonicalize_name(need.name)}==(\S+)", lock)[1]
    (floor,) = (spec.version for spec in need.specifier if spec.operator == ">=")
    assert [int(n) for n in pin.split(".")][: floor.count(".") + 1] == list(
        map(int, floor.split("."))
    )


def test_the_core_is_made_of_test_files_that_exist():
    assert len(CORE) == len(set(CORE)) > 20
    assert [path for path in CORE if not (ROOT / path).is_file()] == []


def steps(workflow):
    jobs = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"]
    return [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_calls_make_targets_that_exist(workflow):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.search(r"^\.PHONY: (.*)", makefile, re.M)[1].split())
    called = set(re.findall(r"\bmake ([a-z]+)", "\n".join(steps(workflow))))
    assert called <= targets
    assert called or any(".ci/run" in step for step in steps(workflow))


def test_windows_is_tested_by_the_readmes_steps():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    block = re.search(r"(?s)```bat\n(.*?)```", readme)[1].splitlines()
    run = "\n".join(steps(ROOT / ".github/workflows/tests.yml")).splitlines()
    assert [line for line in block[:-1] if line.replace("py -m", "python -m") not in run] == []
    assert any("pytest" in line and "@tests/core.txt" in line for line in run)
    assert "@tests/core.txt" in readme


def test_linux_macos_and_windows_are_tested_on_three_pythons():
    jobs = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text())["jobs"]
    matrices = [job["strategy"]["matrix"] for job in jobs.values() if "strategy" in job]
    tried = {(os, python) for m in matrices for os in m["os"] for python in m["python"]}
    systems = ("ubuntu-latest", "macos-latest", "windows-latest")
    assert tried == {(os, python) for os in systems for python in ("3.11", "3.12", "3.13")}
