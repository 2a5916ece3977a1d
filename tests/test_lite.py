"""The browser-only build: it is complete, and its notebooks run in a real browser.

Run by `make litecheck`.  What runs Python in a page needs an archive of Pyodide 0.27, which the
environment variable PYODIDE names: those tests are skipped without one, also where no other test
may be.  SPECNOTES_SHOTS=folder keeps pictures.
"""

import functools
import http.server
import importlib.util
import json
import os
import shutil
import statistics
import subprocess
import tarfile
import threading
import time
import tomllib
import zipfile
from pathlib import Path

import browser as lab
import build_lite
import pytest
from conftest import ROOT
from packaging.requirements import Requirement

NOTEBOOKS = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))
READ_APART = [name for name in NOTEBOOKS if name >= "10"]  # these need build_lite.APART
CORE = "laws verify decode coins exact yields transforms models".split()
PYTEST = "pytest _pytest pluggy iniconfig packaging pygments py".split()  # all pure Python
# Matplotlib 3.8 says so in every page; the course asks for a newer one, which does not.
EXPECTED = {"Matplotlib is building the font cache; this may take a moment.\n"}
LONG = 900_000  # milliseconds, for any single wait: Python in a page is several times slower
WITH_ARCHIVE = os.environ.get("PYODIDE")
archive = pytest.mark.archive
pytestmark = pytest.mark.lite


def build(venv, out, *options):
    python = ROOT / ".lite" / venv / "bin/python"
    command = [python, ROOT / "tools/build_lite.py", "--out", out, *options]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return build("venv", tmp_path_factory.mktemp("site") / "lite")


def settings(site):
    return json.loads((site / "jupyter-lite.json").read_text())["jupyter-config-data"]


def kernel_settings(site):
    return settings(site)["litePluginSettings"][build_lite.KERNEL]


def packages(site):
    """Pyodide's packages, as the site's settings lead to them."""
    url = kernel_settings(site)["loadPyodideOptions"]["lockFileURL"]
    return json.loads((site / url).read_text())["packages"]


def holds(site, name):
    """Does the site itself come with the package?"""
    return ((site / build_lite.LOCK).parent / packages(site)[name]["file_name"]).is_file()


# What is there.


def test_every_notebook_is_there_as_it_is(site):
    files = {name: (site / "files" / name).read_bytes() for name in NOTEBOOKS}
    assert files == {name: (ROOT / "notebooks" / name).read_bytes() for name in NOTEBOOKS}


def test_the_wheel_holds_the_package_as_it_is(site):
    (wheel,) = (site / "pypi").glob("specnotes-*.whl")
    modules = [path for path in (ROOT / "specnotes").rglob("*.py")]
    with zipfile.ZipFile(wheel) as box:
        for path in modules:
            assert box.read(path.relative_to(ROOT).as_posix()) == path.read_bytes()


def test_the_readme_says_how_large_the_wheel_is(site):
    (wheel,) = (site / "pypi").glob("specnotes-*.whl")
    size = f"{wheel.stat().st_size / 1e6:.1f} MB (as a wheel)"
    assert size in " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())


def test_every_dependency_is_in_pyodide_at_a_version_that_we_accept(site):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    there = packages(site)
    needs = [Requirement(line) for line in project["dependencies"]]
    needs = [need for need in needs if need.name not in build_lite.NOT_THERE]
    assert {"numpy", "matplotlib", "ipywidgets"} <= {need.name for need in needs}
    assert [str(n) for n in needs if not n.specifier.contains(there[n.name]["version"])] == []


def test_import_finds_the_package_and_all_that_it_needs(site):
    there, wanted, seen = packages(site), ["specnotes"], set()
    while wanted:
        name = wanted.pop()
        if name not in seen:
            seen.add(name)
            wanted += [need.lower().replace("_", "-") for need in there[name]["depends"]]
    assert there["specnotes"]["imports"] == ["specnotes"]
    assert {"numpy", "scipy", "sympy", "matplotlib", "ipywidgets", "comm"} <= seen
    assert build_lite.APART in seen


def test_our_wheels_come_with_the_site_and_all_else_from_one_address(site):
    files = {name: package["file_name"] for name, package in packages(site).items()}
    ours = {name for name, file in files.items() if "://" not in file}
    assert ours == {"specnotes", *build_lite.ADDED}
    assert all(holds(site, name) for name in ours)
    assert len({file.rpartition("/")[0] for name, file in files.items() if name not in ours}) == 1


@pytest.mark.parametrize(
    ("there", "said"),
    [
        ({"numpy": "1.26.4"}, "specnotes needs numpy>=2, but there is 1.26.4"),
        ({}, "specnotes needs numpy>=2, but there is none"),
        ({"numpy": "2.0.0"}, None),
    ],
)
def test_a_pyodide_without_what_we_need_is_refused(tmp_path, there, said):
    wheel = tmp_path / "specnotes-1-py3-none-any.whl"
    about = "Name: specnotes\nVersion: 1\nRequires-Dist: numpy>=2\nRequires-Dist: jupyterlab\n"
    with zipfile.ZipFile(wheel, "w") as box:
        box.writestr("specnotes/__init__.py", "")
        box.writestr("specnotes-1.dist-info/METADATA", about)
    known = {name: {"version": version, "file_name": name} for name, version in there.items()}
    assert build_lite.extended({"packages": known}, [wheel])[1] == ([said] if said else [])


# What it does: Python in a page, and the package's tests in Pyodide without one.


@pytest.fixture(scope="module")
def pyodide():
    if not WITH_ARCHIVE:
        pytest.skip("PYODIDE names no archive of Pyodide 0.27: nothing is run in a page")
    return Path(WITH_ARCHIVE).resolve()


@pytest.fixture(scope="module")
def offline(pyodide, tmp_path_factory):
    """A site for the archive; that has Matplotlib 3.8, so the versions are not checked."""
    pins = ROOT / "tests/lite.lock"
    out = tmp_path_factory.mktemp("offline") / "lite"
    options = ["--pyodide", pyodide, "--pins", pins, "--unchecked"]
    build("venv-archive", out, *options)
    path = out / "jupyter-lite.json"
    whole = json.loads(path.read_text())
    whole["jupyter-config-data"]["exposeAppInBrowser"] = True
    whole["jupyter-config-data"]["settingsOverrides"] = lab.OVERRIDES
    path.write_text(json.dumps(whole))
    return out


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Nothing between the tests' lines."""


@pytest.fixture(scope="module")
def address(offline):
    handler = functools.partial(Quiet, directory=offline)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def context(address):
    """A browser, and the addresses outside this machine that its pages asked for."""
    with lab.chromium() as context:
        context.set_default_timeout(LONG)
        asked = []
        context.on("request", lambda request: asked.append(request.url))
        context.asked = asked
        yield context


@pytest.fixture(scope="module")
def page(request, offline, context, address):
    """The notebook after Run All, opened once for all tests of it."""
    if request.param in READ_APART and not holds(offline, build_lite.APART):
        pytest.skip(f"the archive lacks {build_lite.APART}, which this notebook reads")
    page = context.new_page()
    began = time.monotonic()
    page.goto(f"{address}/lab/index.html?path={request.param}")
    page.wait_for_function(lab.KERNEL_IDLE)
    lab.run_all(page)
    page.seconds = time.monotonic() - began
    if "SPECNOTES_SHOTS" in os.environ:
        folder = Path(os.environ["SPECNOTES_SHOTS"])
        folder.mkdir(parents=True, exist_ok=True)
        lab.shoot_live(page, folder / f"lite-{request.param.removesuffix('.ipynb')}.png")
    yield page
    lab.close(page)


each_page = pytest.mark.parametrize("page", NOTEBOOKS, ids=NOTEBOOKS, indirect=True, scope="module")
# notes the milliseconds from the next key to the first frame with another drawing
NOTE_REDRAW = """([live, selector]) => {
    const drawn = () => [...live.querySelectorAll(selector)].map(one => one.outerHTML).join('');
    const before = drawn();
    window.redraw = null;
    const look = began => drawn() === before ? requestAnimationFrame(() => look(began))
        : window.redraw = performance.now() - began;
    live.addEventListener('keydown', event => look(event.timeStamp), {once: true});
}"""


def redraw_times(page, live, handle, times=6):
    """Milliseconds from a key on the slider, to where there is room, to the changed drawing."""
    for _ in range(times):
        page.evaluate(NOTE_REDRAW, [live.element_handle(), lab.FIGURE])
        lab.press_arrows(handle, times=1)
        yield page.wait_for_function("() => window.redraw").json_value()


@archive
def test_a_site_with_an_archive_names_no_other_server(offline):
    assert not any("://" in package["file_name"] for package in packages(offline).values())
    assert kernel_settings(offline)["pyodideUrl"].startswith("./")
    assert kernel_settings(offline)["disablePyPIFallback"] is True


@archive
@each_page
def test_run_all_is_clean(page, record_property):
    record_property("seconds", page.seconds)
    assert page.evaluate(lab.NOT_RUN) == []
    assert [said for said in lab.complaints(page) if said not in EXPECTED] == []


@archive
@each_page
def test_dragging_a_slider_changes_the_figure_and_its_text_alternative(page):
    live = lab.live_output(page)
    before = lab.figures(live)
    lab.drag(page, live.locator(lab.HANDLE).first)
    lab.wait_for_change(page, live, before)


@archive
@each_page
def test_each_arrow_key_changes_the_figure(page, capsys):
    live = lab.live_output(page)
    times = sorted(redraw_times(page, live, live.locator(lab.HANDLE).first))
    with capsys.disabled():
        print(f" {statistics.median(times):.0f} ms from a key, {times[-1]:.0f} at most ", end="")


@archive
@each_page
def test_arrow_keys_choose_in_a_list_and_among_answers(page):
    for group in page.locator(lab.CHOICE).all():
        lab.choose_by_keys(page, group)


@archive
@each_page
def test_nothing_is_asked_of_other_servers(page, context, address):
    local = (address, "data:", "blob:")
    assert [url for url in context.asked if not url.startswith(local)] == []


@archive
@pytest.mark.skipif(not shutil.which("node"), reason="no Node here")
def test_the_core_passes_its_tests_in_pyodide(pyodide, tmp_path):
    with tarfile.open(pyodide) as box:
        box.extractall(tmp_path, filter="data")
    libraries = tmp_path / "libraries"
    for name in PYTEST:
        copy_module(importlib.util.find_spec(name), libraries)
    tests = [f"tests/test_{name}.py" for name in CORE]
    script = ROOT / "tests/pyodide.mjs"
    command = ["node", script, tmp_path / "pyodide", libraries, ROOT, *tests]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert " passed" in done.stdout and " failed" not in done.stdout


def copy_module(spec, folder):
    folder.mkdir(exist_ok=True)
    path = Path(spec.origin)
    if path.name == "__init__.py":
        shutil.copytree(path.parent, folder / path.parent.name)
    else:
        shutil.copy(path, folder)
