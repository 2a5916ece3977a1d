"""What a student sees: the real JupyterLab, opened, run and dragged in a real browser.

Screenshots go to the folder that SPECNOTES_SHOTS names, else to pytest's temporary one.
"""

import os
import shutil
from pathlib import Path

import browser as lab
import nbformat
import pytest
from build_notebooks import METADATA
from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
FAULTY = Path("faulty.ipynb")
FAULTS = (
    "from ipywidgets import interact\ninteract(lambda n: 1 // n, n=(0, 0))",
    "import sys\nprint('on stderr', file=sys.stderr)",
    "no_such_name",
    "'never run'",
)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        lab.chromium_path() is None, reason="no Chromium or Chrome here: browser not tested"
    ),
]


def each(notebooks):
    ids = [path.stem for path in notebooks]
    return pytest.mark.parametrize("page", notebooks, ids=ids, indirect=True, scope="module")


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """JupyterLab on a copy of the notebooks, and on one that goes wrong in every way it can."""
    copy = shutil.copytree(ROOT / "notebooks", tmp_path_factory.mktemp("lab") / "notebooks")
    cells = [nbformat.v4.new_code_cell(code) for code in FAULTS]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=METADATA), copy / FAULTY.name)
    with lab.lab_server(copy) as address:
        yield address


@pytest.fixture(scope="module")
def context():
    with lab.chromium() as context:
        yield context


@pytest.fixture(scope="session")
def shots(tmp_path_factory):
    folder = Path(os.environ.get("SPECNOTES_SHOTS") or tmp_path_factory.mktemp("shots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="module")
def page(request, server, context, shots):
    """The notebook after Run All, opened once for all tests of it."""
    page = lab.open_notebook(context, server, request.param.name)
    lab.run_all(page)
    lab.shoot_live(page, shots / f"{request.param.stem}.png")
    yield page
    if "SPECNOTES_SHOTS" in os.environ:
        lab.shoot_all(page, shots, request.param.stem, zoom=1)
        lab.shoot_all(page, shots, request.param.stem, zoom=2)
    lab.close(page)


@each([FAULTY])
def test_errors_are_complained_about_wherever_they_are(page):
    said = " ".join(lab.complaints(page))
    assert "ZeroDivisionError" in said and "on stderr" in said and "NameError" in said
    assert len(page.evaluate(lab.NOT_RUN)) == 1


@each(NOTEBOOKS)
def test_run_all_leaves_nothing_to_complain_about(page):
    assert lab.complaints(page) == []


@each(NOTEBOOKS)
def test_run_all_runs_every_code_cell(page):
    assert page.evaluate(lab.NOT_RUN) == []


@each(NOTEBOOKS)
def test_dragging_a_slider_changes_the_figure_and_its_text_alternative(page):
    live = lab.live_output(page)
    before = lab.figures(live)
    lab.drag(page, live.locator(lab.HANDLE).first)
    lab.wait_for_change(page, live, before)


@each(NOTEBOOKS)
def test_arrow_keys_change_the_figure_and_its_text_alternative(page):
    live = lab.live_output(page)
    before = lab.figures(live)
    lab.press_arrows(live.locator(lab.HANDLE).first)
    lab.wait_for_change(page, live, before)
