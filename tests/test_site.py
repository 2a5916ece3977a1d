"""The built site: every page is there, no link is broken, it can be read on a phone and by ear.

Run by `make sitecheck`, which builds site/ first.  SPECNOTES_SHOTS=folder keeps pictures.
"""

import functools
import http.server
import importlib
import inspect
import os
import pkgutil
import re
import threading
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import axe
import browser
import pytest
from build_notebooks import site_address
from build_site import DOCS, lessons
from conftest import ROOT

import specnotes
from specnotes.broken import MUSEUM

SITE = ROOT / "site"
LESSONS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
MODULES = [module.name for module in pkgutil.iter_modules(specnotes.__path__, "specnotes.")]
LOOKED_AT = [
    *("index", "kill_matrix", "api/index", "api/specnotes.laws", "api/specnotes.broken"),
    *("coursework/README", "coursework/GRADING", "search", "notebooks/index"),
    *(f"notebooks/{name}" for name in LESSONS),
]
each_lesson = pytest.mark.parametrize("name", LESSONS)
pytestmark = pytest.mark.site


class Page(HTMLParser):
    """A page's targets, anchors, and elements as (tag, attributes) in their order."""

    def __init__(self, path):
        super().__init__()
        self.elements = []
        self.text = path.read_text(encoding="utf-8")
        self.feed(self.text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def values(self, *names):
        return [attrs[name] for _, attrs in self.elements for name in names if attrs.get(name)]


@functools.cache
def read(path):
    return Page(path)


def pages(folder):
    """The pages that are ours: those of the browser-only build are checked by its own tests."""
    return [p for p in sorted(folder.rglob("*.html")) if "lite" not in p.relative_to(folder).parts]


def broken_targets(folder):
    """(page, target) for every link, image, script and anchor that leads nowhere."""
    for page in pages(folder):
        for target in read(page).values("href", "src"):
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            path = (page.parent / unquote(parts.path)) if parts.path else page
            path = path / "index.html" if path.is_dir() else path
            anchor = unquote(parts.fragment)
            if not path.is_file() or (
                anchor and path.suffix == ".html" and anchor not in read(path).values("id", "name")
            ):
                yield page.relative_to(folder).as_posix(), target


def lesson(name):
    return read(SITE / "notebooks" / f"{name}.html")


# What is there.


def test_every_local_target_and_anchor_exists():
    assert list(broken_targets(SITE)) == []


def test_a_broken_target_is_found(tmp_path):
    links = '<a href="b.html"><a href="#no"><img src="no.png"><a id="yes" href="#yes">'
    (tmp_path / "a.html").write_text(links + '<a href="a.html#yes"><a href="https://no.example">')
    assert [target for _, target in broken_targets(tmp_path)] == ["b.html", "#no", "no.png"]


def test_nothing_is_fetched_from_elsewhere():
    fetched = [
        (page.name, value)
        for page in pages(SITE)
        for tag, attrs in read(page).elements
        for value in (attrs.get("src"), attrs.get("href") if tag == "link" else None)
        if value and urlsplit(value).netloc
    ]
    assert fetched == []


@each_lesson
def test_the_header_of_a_notebook_links_its_page(name):
    text = (ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8")
    assert f"({site_address()}/notebooks/{name}.html)" in text
    assert (SITE / f"notebooks/{name}.html").is_file()


@each_lesson
def test_a_lesson_shows_results_and_no_error(name):
    page = lesson(name)
    classes = " ".join(page.values("class")).split()
    assert classes.count("cell_output") >= 10
    assert {"stderr", "traceback"}.isdisjoint(classes) and "Traceback (most" not in page.text


@each_lesson
def test_what_is_live_has_a_sentence_a_launch_link_and_a_figure_that_follows(name):
    page = lesson(name)
    assert "application/vnd.jupyter" not in page.text and "VBox(" not in page.text
    after = page.elements[[attrs.get("class") for _, attrs in page.elements].index("live") :]
    assert re.search(r'class="live">[^<]+<a href="https://mybinder.org/', page.text)
    assert any(tag == "img" for tag, _ in after)


@each_lesson
def test_a_figure_says_what_it_shows(name):
    images = [attrs for tag, attrs in lesson(name).elements if tag == "img"]
    assert images and [one["alt"] for one in images if len(one.get("alt", "")) < 30] == []


@each_lesson
def test_a_prediction_is_asked_in_words_and_its_code_is_folded(name):
    text = lesson(name).text
    assert "Your prediction." in text and "tag_hide-input" in text


@pytest.mark.parametrize("module", [name for name in MODULES if "__" not in name])
def test_a_module_has_a_page_with_all_functions_and_classes_that_it_exports(module):
    anchors = read(SITE / "api" / f"{module}.html").values("id")
    loaded = importlib.import_module(module)
    own = [
        name for name, value in vars(loaded).items() if getattr(value, "__module__", 0) == module
    ]
    names = getattr(loaded, "__all__", [name for name in own if name[0] != "_"])
    made = [
        name
        for name in names
        if inspect.isroutine(value := vars(loaded)[name]) or inspect.isclass(value)
    ]
    assert [name for name in made if f"{module}.{name}" not in anchors] == []


def test_the_kill_matrix_has_a_row_for_each_exhibit():
    text = read(SITE / "kill_matrix.html").text.replace("’", "'")
    assert [exhibit.name for exhibit in MUSEUM if f">{exhibit.name}<" not in text] == []


def test_the_browser_only_build_is_linked_exactly_if_it_is_there():
    linked = "lite/index.html" in read(SITE / "index.html").values("href")
    assert linked == (SITE / "lite/index.html").is_file()


def test_preparing_again_writes_nothing_so_that_nothing_runs_again():
    before = {path: path.stat().st_mtime_ns for path in (DOCS / "notebooks").glob("*.*")}
    lessons()
    assert {path: path.stat().st_mtime_ns for path in before} == before


# How it looks and sounds, in a real browser.


@pytest.fixture(scope="module")
def address():
    """The site behind a server of its own, at a free port."""
    handler = functools.partial(Quiet, directory=SITE)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Nothing between the tests' lines."""


@pytest.fixture(scope="module")
def context():
    if browser.chromium_path() is None:
        pytest.skip("no Chromium or Chrome here: pages not looked at")
    with browser.chromium() as context:
        yield context


@pytest.fixture
def visit(context, address):
    """visit(name, width, scheme) -> the page, loaded"""
    page = context.new_page()

    def visit(name, width, scheme="light"):
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.goto(f"{address}/{name}.html", wait_until="load")
        return page

    yield visit
    page.close()


def shoot(page, name, width):
    if "SPECNOTES_SHOTS" in os.environ:
        folder = Path(os.environ["SPECNOTES_SHOTS"])
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=folder / f"{name.replace('/', '-')}-{width}.png", full_page=True)


@pytest.mark.parametrize("name", LOOKED_AT)
@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1280, "dark")])
def test_a_page_fits_its_width_and_axe_finds_nothing_serious(visit, name, width, scheme):
    page = visit(name, width, scheme)
    shoot(page, name, width)
    assert page.evaluate("() => document.scrollingElement.scrollWidth") <= width
    assert axe.findings(page) == []


def test_axe_finds_what_is_wrong(visit):
    page = visit("index", 390)
    page.evaluate("""() => {
        document.querySelector('article').innerHTML +=
            '<img src="x.png"><p style="color:#999;background:#aaa">pale</p>';
    }""")
    said = " ".join(axe.findings(page))
    assert "image-alt" in said and "color-contrast" in said
