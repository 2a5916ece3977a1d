"""What a student sees: the real JupyterLab, opened, run and dragged in a real browser.

Screenshots go to the folder that SPECNOTES_SHOTS names, else to pytest's temporary one.
"""

import os
import shutil
from pathlib import Path

import axe
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

WIDGETS = f".jp-OutputArea-output:has({lab.WIDGET})"
LABS_OWN = {  # rule of axe-core -> where JupyterLab 4.6 breaks it, which a notebook cannot mend
    "aria-input-field-name": ".cm-content",  # the editor of a cell has no name
    "aria-required-children": ".jp-WindowedPanel-viewport",  # a list whose items are wrapped
    "button-name": ".jp-collapseHeadingButton",  # folds a section; it has a picture only
    "image-alt": ".jp-RenderedImage > img",  # Lab drops the text that an image output brings
    "scrollable-region-focusable": "[data-mime-type='text/latex']",  # a long formula scrolls
}
LAB_NOTEBOOK = [path for path in NOTEBOOKS if path.stem == "03_markov_lab"]

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


# For everybody: by ear, by keyboard, at 200 %, without motion.


@each(NOTEBOOKS)
def test_widgets_have_no_serious_finding(page):
    assert axe.findings(page, [WIDGETS]) == []


@each(NOTEBOOKS)
def test_a_notebook_has_no_serious_finding_that_is_not_labs_own(page):
    assert axe.findings(page, [".jp-Notebook"], known=LABS_OWN) == []


@each([FAULTY])
def test_a_slider_without_a_name_is_found(page):
    assert any("aria-input-field-name" in found for found in axe.findings(page, [".widget-slider"]))


@each(NOTEBOOKS)
def test_every_slider_has_the_name_and_the_value_of_its_box(page):
    page.wait_for_function(lab.SETTLED)
    controls = page.locator(".sn-control")
    assert controls.count()
    for control in controls.all():
        name = control.locator(".widget-label").first.inner_text()
        assert name and control.locator(lab.HANDLE).get_attribute("aria-label") == name


@each(NOTEBOOKS)
def test_every_slider_can_be_reached_by_the_keyboard(page):
    handles = page.locator(f".sn-control {lab.HANDLE}")
    assert set(handles.evaluate_all("all => all.map(one => one.tabIndex)")) == {0}


@each(NOTEBOOKS)
def test_arrow_keys_choose_in_a_list_and_among_answers(page):
    for group in page.locator(lab.CHOICE).all():
        lab.choose_by_keys(page, group)


@each(LAB_NOTEBOOK)
def test_on_a_slider_letters_do_nothing_and_control_s_saves(page):
    handle = lab.live_output(page).locator(lab.HANDLE).first
    handle.focus()
    cells = page.evaluate(lab.CELLS)
    handle.press("b")  # elsewhere JupyterLab would add a cell
    assert page.evaluate(lab.CELLS) == cells and page.evaluate(lab.UNSAVED)
    handle.press("Control+s")
    page.wait_for_function(f"() => !({lab.UNSAVED})()")


@each(NOTEBOOKS)
def test_at_200_percent_no_widget_scrolls_sideways(page):
    with lab.zoomed(page, 2):
        assert page.locator(WIDGETS).evaluate_all(lab.TOO_WIDE) == []


@each(NOTEBOOKS)
def test_nothing_moves_where_motion_is_not_wanted(page):
    parts = page.locator(f"{lab.WIDGET} *")
    tapped = "all => all.forEach(one => one.classList.add('noUi-state-tap'))"
    page.locator(".sn-control .noUi-target").evaluate_all(tapped)  # a tap lets the handle slide
    assert parts.evaluate_all(lab.MOVING)
    page.emulate_media(reduced_motion="reduce")
    still = parts.evaluate_all(lab.MOVING)
    page.emulate_media(reduced_motion="no-preference")
    page.locator(".noUi-state-tap").evaluate_all(tapped.replace("add", "remove"))
    assert still == []


@each(LAB_NOTEBOOK)
def test_the_lab_turns_into_text_by_the_keyboard_and_the_text_follows_a_slider(page, shots):
    live = lab.live_output(page)
    box, text = live.get_by_label("as text"), live.locator(".sn-state")
    assert not text.is_visible()
    box.focus()
    box.press("Space")
    text.wait_for(state="visible")
    assert live.locator(lab.FIGURE).first.is_hidden()
    before = text.inner_text()
    lab.press_arrows(live.get_by_role("slider", name="draft match"))
    page.wait_for_function(lab.OTHER_TEXT, arg=[live.element_handle(), ".sn-state", before])
    assert axe.findings(page, [WIDGETS]) == []
    with lab.zoomed(page, 1):
        live.screenshot(path=shots / "lab-as-text.png")
    with lab.zoomed(page, 2):
        live.screenshot(path=shots / "lab-as-text-200.png")
        assert page.locator(WIDGETS).evaluate_all(lab.TOO_WIDE) == []
    box.press("Space")
    text.wait_for(state="hidden")
    assert live.locator(lab.FIGURE).first.is_visible()
