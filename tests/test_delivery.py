"""Two commands and a lock file: what they promise before anything is installed."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib

import pytest
from conftest import ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DIRECT = [
    Requirement(line)
    for line in [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]]
]
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
PINS = re.findall(r"^([\w.-]+)==(\S+)(.*?)(?=^[\w#]|\Z)", LOCK, re.M | re.S)


@pytest.fixture
def folder(tmp_path):
    """A copy of what set-up needs, in a folder with a space in its name."""
    folder = tmp_path / "with space"
    folder.mkdir()
    for name in ("Makefile", "pyproject.toml", "requirements.lock"):
        shutil.copy(ROOT / name, folder)
    return folder


def make(folder, *words):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}
    return subprocess.run(
        ["make", *words], cwd=folder, env=environment, capture_output=True, text=True, timeout=60
    )


def python_with(folder, change):
    """A Python in which something is changed before it runs the code that it is given."""
    program = folder / "python"
    code = f"import sys; {change}; exec(sys.argv[2])"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c {shlex.quote(code)} "$@"\n')
    program.chmod(0o755)
    return f"PYTHON={program}"


def test_an_old_python_is_named_in_a_plain_message(folder):
    old = python_with(folder, "sys.version_info, sys.version = (3, 9), '3.9.2'")
    done = make(folder, "lab", old)
    assert done.returncode != 0 and "Traceback" not in done.stderr
    assert "needs Python 3.11 or newer" in done.stderr and "3.9.2" in done.stderr


def test_a_debian_without_venv_is_told_what_to_install(folder):
    done = make(folder, "lab", python_with(folder, "sys.modules['ensurepip'] = None"))
    assert done.returncode != 0 and "Traceback" not in done.stderr
    assert "apt install python3-venv" in done.stderr


def test_a_machine_without_python_gets_a_plain_message(folder):
    done = make(folder, "lab", "PYTHON=no-such-python")
    assert done.returncode != 0
    assert "There is no no-such-python here: install Python 3.11 or newer." in done.stdout


def test_a_moved_folder_is_set_up_again_and_one_that_stays_is_not(folder):
    stamp = re.search(r"\.venv/ready-\d+", make(folder, "-n", "test").stdout)[0]
    (folder / ".venv").mkdir()
    (folder / stamp).touch()
    assert "Setting up" not in make(folder, "-n", "test").stdout
    moved = folder.rename(folder.parent / "moved")
    assert "Setting up" in make(moved, "-n", "test").stdout


def test_make_alone_lists_every_target(folder):
    listed = set(re.findall(r"make ([a-z-]+)", make(folder).stdout))
    phony = re.search(r"^\.PHONY: (.*)", (ROOT / "Makefile").read_text(), re.M)[1]
    assert listed == set(phony.split())


def test_make_lab_opens_the_first_notebook(folder):
    assert "jupyterlab notebooks/00_start_here.ipynb" in make(folder, "-n", "lab").stdout


@pytest.mark.parametrize("need", DIRECT, ids=lambda need: need.name)
def test_a_direct_requirement_has_a_floor_and_a_pin_above_it(need):
    pins = [version for name, version, _ in PINS if name == canonicalize_name(need.name)]
    assert any(spec.operator == ">=" for spec in need.specifier)
    assert pins and all(need.specifier.contains(version) for version in pins)


def test_every_pin_has_a_hash():
    assert len(PINS) > len(DIRECT)
    assert [name for name, _, rest in PINS if "--hash=sha256:" not in rest] == []


def test_the_site_is_made_with_the_packages_of_the_course():
    pins = re.compile(r"^([\w.-]+)==(\S+)", re.M)
    course = set(pins.findall(LOCK))
    site = set(pins.findall((ROOT / "docs/requirements.lock").read_text(encoding="utf-8")))
    shared = dict(course).keys() & dict(site).keys()
    assert {canonicalize_name(Requirement(need).name) for need in PROJECT["dependencies"]} <= shared
    assert {pin for pin in site if pin[0] in shared} == {pin for pin in course if pin[0] in shared}


def test_the_build_backend_is_locked():
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    assert {Requirement(line).name for line in build} <= {need.name for need in DIRECT}


def test_ci_is_an_executable_script_that_stops_at_the_first_failure():
    listed = subprocess.check_output(["git", "ls-files", "-s", ".ci/run"], cwd=ROOT)
    assert listed.startswith(b"100755 ")
    assert "\nset -euo pipefail\n" in (ROOT / ".ci/run").read_text()


SKIPS = ["def test(): pytest.skip()", "@pytest.mark.skip\ndef test(): 0", "pytest.skip(**WHOLE)"]


@pytest.mark.parametrize("no_skip", ["", "1"])
@pytest.mark.parametrize("code", SKIPS)
def test_a_skip_is_a_failure_exactly_where_no_skip_is_allowed(tmp_path, code, no_skip):
    whole = "WHOLE = {'reason': 'no', 'allow_module_level': True}"
    (tmp_path / "test_skip.py").write_text(f"import pytest\n{whole}\n{code}\n")
    env = os.environ | {"SPECNOTES_NO_SKIP": no_skip, "PYTHONPATH": str(ROOT / "tests")}
    command = [sys.executable, "-m", "pytest", "-p", "conftest", "--rootdir", ".", "test_skip.py"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert ("skipped where no skip is allowed" in done.stdout) == bool(no_skip)
    assert (done.returncode in (1, 2)) == bool(no_skip)


@pytest.mark.slow
def test_a_fresh_clone_sets_itself_up_in_a_folder_with_a_space(tmp_path):
    clone = tmp_path / "a clone"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    subprocess.run(["make", "-s", "lab", "LAB_ARGS=--version"], cwd=clone, check=True)
    where = "import specnotes; print(specnotes.__file__)"
    python = clone / ".venv/bin/python"
    told = subprocess.check_output([python, "-c", where], cwd=tmp_path, text=True)
    assert told.startswith(str(clone / "specnotes"))
