"""A Binder session, as far as it can be had without Binder's servers.

What binder/environment.yml and repo2docker's base image name, from the usual package index instead
of conda-forge; a fresh clone; the real binder/postBuild; JupyterLab on the clone, in a browser.
"""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import browser as lab
import nbformat
import pytest
import yaml
from build_notebooks import repository
from conftest import ROOT
from test_binder import CONDA_NAMES

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(lab.chromium_path() is None, reason="no Chromium or Chrome here"),
]

BASE = "buildpacks/conda/environment.yml"  # of repo2docker
NOT_PIP = {"python", "nodejs", "pip", "jupyterhub-singleuser"}  # the last by its name in conda
FIRST = "notebooks/00_start_here.ipynb"
LONGEST_START = 5  # seconds of processor time: imports, first cell; a clock would time the machine
SET = "text => jupyterapp.shell.currentWidget.content.widgets[0].model.sharedModel.setSource(text)"
GET = "() => jupyterapp.shell.currentWidget.content.widgets[0].model.sharedModel.getSource()"
START = """
import sys, time
from jupyter_client.manager import start_new_kernel
manager, client = start_new_kernel()
for code in sys.argv[1:] + ["import time; print('took', time.process_time())"]:
    reply = client.execute_interactive(code, timeout=300)
    assert reply["content"]["status"] == "ok", reply
manager.shutdown_kernel(now=True)
"""


def named(text):
    """The requirements of an environment file, by the names that pip knows."""
    lines = yaml.safe_load(text)["dependencies"]
    name = {conda: pip for pip, conda in CONDA_NAMES.items()}
    parts = [re.match(r"([\w-]+)(.*)", line).groups() for line in lines]
    return [name.get(n, n) + versions for n, versions in parts if n not in NOT_PIP]


class Image:
    """A folder with an environment and a clone, made as repo2docker makes its image."""

    def __init__(self, folder):
        self.home, self.clone = folder / "home", folder / "clone"
        self.python = folder / "env/bin/python"
        base = Path(find_spec("repo2docker").origin).parent / BASE
        wanted = [base.read_text(), (ROOT / "binder/environment.yml").read_text(encoding="utf-8")]
        subprocess.run([sys.executable, "-m", "venv", folder / "env"], check=True)
        for text in wanted:
            self.run(self.python, "-m", "pip", "install", "-q", *named(text), cwd=folder)
        subprocess.run(["git", "clone", "-q", str(ROOT), str(self.clone)], check=True)
        self.run("./binder/postBuild")

    @property
    def environment(self):
        path = f"{self.python.parent}{os.pathsep}{os.environ['PATH']}"
        cache = str(self.home / "matplotlib")
        return os.environ | {"PATH": path, "MPLCONFIGDIR": cache, "BINDER_REPO_URL": repository()}

    def run(self, *words, cwd=None):
        done = subprocess.run(
            words, cwd=cwd or self.clone, env=self.environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def server(self):
        return lab.lab_server(self.clone, self.python, **self.environment)


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    return Image(tmp_path_factory.mktemp("binder"))


@pytest.fixture(scope="module")
def context():
    with lab.chromium() as context:
        yield context


@pytest.fixture(scope="module")
def page(image, context):
    with image.server() as address:
        page = lab.open_notebook(context, address, FIRST)
        lab.run_all(page)
        yield page


def test_the_package_comes_from_the_clone(image):
    told = image.run(image.python, "-c", "import specnotes; print(specnotes.__file__)")
    assert told.startswith(str(image.clone))


def test_the_lab_is_new_enough_for_the_widgets(image):
    major, minor, *_ = image.run(image.python, "-m", "jupyterlab", "--version").split(".")
    assert (int(major), int(minor)) >= (4, 6)


def test_no_extension_is_built_when_the_session_starts(image):
    told = image.run(image.python, "-m", "jupyter", "labextension", "list")
    states = re.findall(r"v[\d.]+\S* .*", told)
    assert states and all("enabled" in state and "OK" in state for state in states), told
    assert not (image.python.parent.parent / "share/jupyter/lab/staging").exists()


def test_fonts_are_looked_for_when_the_image_is_built(image):
    kept = list((image.home / "matplotlib").glob("fontlist*.json"))
    image.run(image.python, "-c", "import matplotlib.pyplot as plt; plt.figure().savefig('f.png')")
    assert kept and list((image.home / "matplotlib").glob("fontlist*.json")) == kept


def test_kernel_and_first_cells_take_less_than_five_seconds(image, record_property):
    cells = nbformat.read(image.clone / FIRST, as_version=4).cells
    first_two = [cell.source for cell in cells if cell.cell_type == "code"][:2]
    told = image.run(image.python, "-c", START, *first_two)
    seconds = float(re.search(r"^took ([\d.]+)", told, re.M)[1])
    record_property("seconds", seconds)
    assert seconds < LONGEST_START


def test_the_first_notebook_runs_and_shows_every_widget(page):
    assert lab.complaints(page) == []
    assert page.evaluate(lab.NOT_RUN) == []


def test_a_slider_moves_the_first_live_figure(page):
    live = lab.live_output(page)
    before = lab.figures(live)
    lab.press_arrows(live.locator(lab.HANDLE).first)
    lab.wait_for_change(page, live, before)


# Work is not lost: the extension that every image of Binder has, as notebook 00 tells it.


def test_work_is_saved_to_the_browser_and_restored(page):
    dialog, button = page.locator(".jp-Dialog"), page.locator(".jp-Dialog button")
    page.evaluate(SET, "my answer")
    page.get_by_title("Save to browser storage").click()
    button.last.click()
    dialog.wait_for(state="hidden")
    page.evaluate(SET, "overwritten")
    page.get_by_title("Restore from browser storage").click()
    button.last.click()
    page.wait_for_function(f"text => ({GET})() === text", arg="my answer")


def test_work_can_be_downloaded_after_the_session_has_died(image, context):
    with image.server() as address:
        page = lab.open_notebook(context, address, FIRST)
        page.evaluate(SET, "my last answer")
    with page.expect_download() as download:
        page.get_by_title("Download visible").dispatch_event("click")
    saved = Path(download.value.path()).read_text(encoding="utf-8")
    assert nbformat.reads(saved, as_version=4).cells[0].source == "my last answer"
