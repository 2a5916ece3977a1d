"""Take the README's picture of the lab: notebook 03 in a real JupyterLab, as it opens.

usage: make picture        (needs Chromium or Chrome)
"""

import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

import browser  # noqa: E402  (the harness of the browser tests)

PICTURE = ROOT / "notebooks" / "img" / "lab.png"


def main():
    PICTURE.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copytree(ROOT / "notebooks", Path(folder) / "notebooks")
        with browser.lab_server(copy) as address, browser.chromium() as context:
            page = browser.open_notebook(context, address, "03_markov_lab.ipynb")
            browser.run_all(page)
            page.set_viewport_size({"width": 1240, "height": 2400})
            page.evaluate("() => jupyterapp.shell.collapseLeft()")
            browser.shoot_live(page, PICTURE)


if __name__ == "__main__":
    main()
