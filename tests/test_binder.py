"""Binder and conda get what pyproject.toml says, and Binder's image does what we think."""

import subprocess
import sys
import tomllib

import pytest
import yaml
from conftest import ROOT
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

CONDA_NAMES = {"matplotlib": "matplotlib-base"}
NOT_IN_PYPROJECT = {"python", "pip"}
FLOORS_ON_BINDER = {"jupyterlab": ">=4.6"}  # the base image's older Lab does not fit our widgets


def wanted():
    """Conda's name -> versions, from pyproject.toml"""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needs = [Requirement(line) for line in project["dependencies"]]
    return {CONDA_NAMES.get(need.name, need.name): need.specifier for need in needs}


def environment(path):
    content = yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))
    needs = [Requirement(line.replace("=3.12", "==3.12")) for line in content["dependencies"]]
    return {need.name: need.specifier for need in needs if need.name not in NOT_IN_PYPROJECT}


@pytest.fixture(scope="module")
def recipe():
    """What repo2docker would build; it writes that without Docker."""
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    return done.stderr + done.stdout


def test_conda_users_get_what_pyproject_asks_for():
    assert environment("environment.yml") == wanted()


def test_binder_gets_what_pyproject_asks_for_and_a_newer_lab():
    floors = {name: SpecifierSet(versions) for name, versions in FLOORS_ON_BINDER.items()}
    assert environment("binder/environment.yml") == wanted() | floors


@pytest.mark.parametrize("path", ["environment.yml", "binder/environment.yml"])
def test_packages_come_from_conda_forge_only(path):
    content = yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))
    assert content["channels"] == ["conda-forge", "nodefaults"]


def test_the_image_has_the_python_we_name(recipe):
    assert "Building conda environment for python=3.12\n" in recipe
    assert "unspecified" not in recipe


def test_the_image_takes_the_environment_of_the_binder_folder(recipe):
    assert 'env update -p ${NB_PYTHON_PREFIX} --file "binder/environment.yml"' in recipe


def test_the_image_runs_post_build(recipe):
    assert "\nRUN ./binder/postBuild\n" in recipe


def test_post_build_is_executable_in_git():
    listed = subprocess.check_output(["git", "ls-files", "-s", "binder/postBuild"], cwd=ROOT)
    assert listed.startswith(b"100755 ")


def test_post_build_is_a_script_with_unix_line_ends_that_stops_at_an_error():
    script = (ROOT / "binder/postBuild").read_bytes()
    assert script.startswith(b"#!/bin/bash\nset -e\n") and b"\r" not in script
