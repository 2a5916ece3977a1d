"""A real JupyterLab in a real, headless Chromium: the harness behind test_browser.py.

    with lab_server(folder) as address, chromium() as browser:
        page = open_notebook(browser, address, "00_start_here.ipynb")
        run_all(page)

Waits are for a state (server answers, kernel idle, figure changed), never for a time.
"""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

TOKEN = "tests"
PATIENCE = 180_000  # milliseconds, for any single wait, on a machine that does much else
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = """--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
--disable-component-update --disable-sync --disable-dev-shm-usage""".split()
OVERRIDES = {
    "@jupyterlab/apputils-extension:notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
        "doNotDisturbMode": True,
    },
    # cells outside the window stay in the page, with their outputs
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
    "@jupyterlab/docmanager-extension:plugin": {"autosave": False},
}
KERNEL_IDLE = """() => window.jupyterapp?.shell.currentWidget?.sessionContext
    ?.session?.kernel?.status === 'idle'"""
RUN_ALL = """() => {
    window.ranAll = false;
    jupyterapp.commands.execute('notebook:run-all-cells').finally(() => { window.ranAll = true; });
}"""
NOT_RUN = """() => jupyterapp.shell.currentWidget.content.widgets.map(cell => cell.model)
    .filter(model => model.type === 'code' && model.executionCount === null)
    .map(model => model.id)"""
CELLS = "() => jupyterapp.shell.currentWidget.content.widgets.length"
UNSAVED = "() => jupyterapp.shell.currentWidget.context.model.dirty"
ERROR = '.jp-RenderedText[data-mime-type="application/vnd.jupyter.error"]'
STDERR = '.jp-RenderedText[data-mime-type="application/vnd.jupyter.stderr"]'
WIDGET = ".specnotes"
FIGURE = "svg[role=img]"
HANDLE = ".widget-slider .noUi-handle"
CHOICE = ".specnotes :is(select, .widget-radio-box)"
LIVE = f".jp-OutputArea-output:has({HANDLE}):has({FIGURE})"

# outputs that are wider than their place, or hold something that sticks out or scrolls
TOO_WIDE = """outputs => outputs.flatMap(output => {
    const edge = output.getBoundingClientRect().right + 1;
    return [output, ...output.querySelectorAll('*')].filter(one =>
        one.getBoundingClientRect().right > edge && one.getClientRects().length
        || one.scrollWidth > one.clientWidth + 1
            && /auto|scroll/.test(getComputedStyle(one).overflowX)
    ).map(one => `${one.tagName}.${one.getAttribute('class')}`);
})"""
# elements with an animation or a transition that takes time
MOVING = """all => all.filter(one => {
    const style = getComputedStyle(one);
    const seconds = style.transitionDuration.split(',').map(parseFloat);
    return Math.max(...seconds) > 0 || style.animationName !== 'none';
}).map(one => one.getAttribute('class'))"""
# every slider's value is the one in its box, which the kernel passes on, but for the last bits of
# the browser's sum of steps
SETTLED = """() => [...document.querySelectorAll('.sn-control')].every(control => Math.abs(
    Number(control.querySelector('.noUi-handle').getAttribute('aria-valuetext'))
        - Number(control.querySelector('input').value)) < 1e-9)"""
OTHER_TEXT = "([live, selector, text]) => live.querySelector(selector)?.innerText !== text"


def chromium_path():
    """The browser's program, or None; SPECNOTES_CHROMIUM names one in an unusual place."""
    named = os.environ.get("SPECNOTES_CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


@contextlib.contextmanager
def chromium():
    """A browser that reaches this machine only."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        context.set_default_timeout(PATIENCE)
        context.route(lambda url: "://127.0.0.1" not in url, lambda route: route.abort())
        yield context
        browser.close()


@contextlib.contextmanager
def lab_server(folder, python=sys.executable, **environment):
    """JupyterLab on `folder` at a free port, with settings of its own; gives its address."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as private:
        private = Path(private)
        settings = private / "settings"
        settings.mkdir()
        (settings / "overrides.json").write_text(json.dumps(OVERRIDES))
        port = free_port()
        address = f"http://127.0.0.1:{port}"
        with open(private / "log", "w") as log:
            server = subprocess.Popen(
                lab_command(python, folder, port, settings),
                env=os.environ | private_folders(private) | environment,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        try:
            wait_for_answer(f"{address}/api", server, private / "log")
            yield address
        finally:
            server.terminate()
            try:
                server.wait(timeout=30)
            except subprocess.TimeoutExpired:  # it waits for a busy kernel
                server.kill()
                server.wait()


def lab_command(python, folder, port, settings):
    return [
        *(str(python), "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1"),
        *(f"--port={port}", "--ServerApp.port_retries=0", f"--IdentityProvider.token={TOKEN}"),
        *(f"--ServerApp.root_dir={folder}", f"--LabServerApp.app_settings_dir={settings}"),
        *("--LabApp.expose_app_in_browser=True", "--LabApp.extension_manager=readonly"),
    ]


def private_folders(private):
    """The user's own Jupyter settings and kernels stay out of the tests."""
    names = ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR")
    folders = {f"JUPYTER_{name}": str(private / name.lower()) for name in names}
    folders["JUPYTERLAB_SETTINGS_DIR"] = str(private / "user-settings")
    folders["JUPYTERLAB_WORKSPACES_DIR"] = str(private / "workspaces")
    folders["IPYTHONDIR"] = str(private / "ipython")
    return folders


def free_port():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def wait_for_answer(url, server, log):
    for _ in range(PATIENCE // 100):
        with contextlib.suppress(urllib.error.URLError, ConnectionError):
            return urllib.request.urlopen(url, timeout=10).close()
        if server.poll() is not None:
            break
        time.sleep(0.1)  # the only one: a port cannot be waited for
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()}")


def open_notebook(browser, address, name):
    """A page with the notebook open and its kernel idle."""
    page = browser.new_page()
    page.goto(f"{address}/lab/workspaces/{Path(name).stem}/tree/{name}?token={TOKEN}")
    page.wait_for_function(KERNEL_IDLE)
    return page


def run_all(page):
    page.evaluate(RUN_ALL)
    page.wait_for_function("() => window.ranAll")
    page.wait_for_function(KERNEL_IDLE)


def complaints(page):
    """What a reader would see go wrong: errors, stderr, widgets that were not drawn."""
    broken = page.get_by_text("Error displaying widget").or_(page.get_by_text("Loading widget..."))
    return [*page.locator(f"{ERROR}, {STDERR}").all_inner_texts(), *broken.all_inner_texts()]


def close(page):
    """Close the page and end its kernel."""
    page.evaluate("() => jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    page.close()


def live_output(page):
    """The first output that has a slider and a figure."""
    live = page.locator(LIVE)
    assert live.count(), "no slider with a figure is shown"
    return live.first


def figures(live):
    """(drawings, text alternatives) of a live output, as two strings."""
    drawn = live.locator(FIGURE)
    return (
        "".join(drawn.evaluate_all("all => all.map(one => one.outerHTML)")),
        " ".join(drawn.evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")),
    )


CHANGED = """([live, selector, drawing, text]) => {
    const all = [...live.querySelectorAll(selector)];
    return all.map(one => one.outerHTML).join('') !== drawing
        && all.map(one => one.getAttribute('aria-label')).join(' ') !== text;
}"""


def wait_for_change(page, live, before):
    """Until both the drawing and its text alternative differ from what they were."""
    page.wait_for_function(CHANGED, arg=[live.element_handle(), FIGURE, *before])


def far_end(handle):
    """-1 or 1: the direction in which the slider has more room."""
    low, now, high = (
        float(handle.get_attribute(f"aria-value{name}")) for name in ("min", "now", "max")
    )
    return 1 if now - low < high - now else -1


def drag(page, handle):
    """Drag a slider's handle with the mouse, a third of the track, where there is room."""
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    track = handle.locator("xpath=ancestor::*[contains(@class, 'noUi-target')]").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + far_end(handle) * track["width"] / 3, y, steps=8)
    page.mouse.up()


def press_arrows(handle, times=5):
    """Move a slider with the keyboard, where there is room."""
    direction = "ArrowRight" if far_end(handle) == 1 else "ArrowLeft"
    handle.focus()
    for _ in range(times):
        handle.press(direction)


CHOSEN = "one => [...one.querySelectorAll('option, input')].map(x => x.selected || x.checked)"


def choose_by_keys(page, group):
    """Choose another entry of a list, or among radio buttons, with an arrow key."""
    before = group.evaluate(CHOSEN)
    entry = group.locator("xpath=self::select | .//input").first
    entry.focus()
    entry.press("ArrowUp" if before[-1] else "ArrowDown")
    other = f"([one, before]) => String(({CHOSEN})(one)) !== String(before)"
    page.wait_for_function(other, arg=[group.element_handle(), before])


@contextlib.contextmanager
def zoomed(page, zoom):
    """The page as it is at a browser zoom, that many times fewer pixels wide, and very high."""
    full = page.viewport_size
    page.set_viewport_size({"width": full["width"] // zoom, "height": 2400})
    page.evaluate("() => jupyterapp.shell.collapseLeft()")
    yield
    page.set_viewport_size(full)


def shoot_live(page, path):
    """A picture of the first live figure with its sliders, or of the notebook's top."""
    live = page.locator(LIVE)
    (live.first if live.count() else page.locator(".jp-Notebook")).screenshot(path=path)


def shoot_all(page, folder, name, zoom=1, pane=1600):
    """The whole notebook at a zoom, as pictures of one pane each."""
    page.set_viewport_size({"width": 1280 // zoom, "height": pane // zoom})
    page.evaluate("() => jupyterapp.shell.collapseLeft()")
    scroller = page.locator(".jp-NotebookPanel:visible .jp-WindowedPanel-outer")
    height = scroller.evaluate("one => one.scrollHeight")
    for number, top in enumerate(range(0, height, pane // zoom - 100), start=1):
        scroller.evaluate("(one, top) => one.scrollTo(0, top)", top)
        page.screenshot(path=folder / f"{name}-{zoom}00-{number:02}.png")
