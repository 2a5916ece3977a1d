"""axe-core in a page of a real browser: which rules of accessibility does the page break?

    assert axe.findings(page) == []

npm fetches axe-core once, at the version below, into a folder that git ignores.
"""

import hashlib
import os
import shutil
import subprocess
import tarfile
import tempfile
from functools import cache
from pathlib import Path

import pytest
from conftest import ROOT

VERSION = "4.14.1"
SHA256 = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"
KEPT = ROOT / ".pytest_cache" / f"axe-{VERSION}.min.js"
WORST = ("serious", "critical")
RUN = """async ([within, without, known]) => {
    const options = {resultTypes: ['violations'], elementRef: true};
    const found = await axe.run({include: within, exclude: without}, options);
    const ours = (id, node) => !(id in known && node.element.matches(known[id]));
    return found.violations.map(({id, impact, help, nodes}) => ({
        id, impact, help,
        where: nodes.filter(node => ours(id, node)).map(node => node.target.join(' '))}));
}"""


@cache
def script():
    """The source of axe-core, of which every byte is known."""
    if not KEPT.exists():
        fetch()
    source = KEPT.read_bytes()
    assert hashlib.sha256(source).hexdigest() == SHA256, f"{KEPT} is not axe-core {VERSION}"
    return source.decode()


def fetch():
    npm = shutil.which("npm")
    if not npm:
        pytest.skip("no npm here to fetch axe-core with: accessibility not tested")
    KEPT.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=KEPT.parent) as folder:
        subprocess.run([npm, "pack", "--silent", f"axe-core@{VERSION}"], cwd=folder, check=True)
        with tarfile.open(next(Path(folder).glob("*.tgz"))) as archive:
            (Path(folder) / KEPT.name).write_bytes(archive.extractfile("package/axe.min.js").read())
        os.replace(Path(folder) / KEPT.name, KEPT)  # whole or not at all: others may fetch as well


def findings(page, within=("html",), without=(), known=None):
    """Serious and critical findings in a page, one line each; ``within`` and ``without`` select.

    ``known`` maps a rule to a selector of elements whose findings under it are somebody else's.
    """
    page.evaluate(script())
    found = page.evaluate(RUN, [list(within), list(without), known or {}])
    return [
        f"{one['impact']}: {one['id']} ({one['help']}) at {'; '.join(one['where'][:4])}"
        + f" and {len(one['where']) - 4} more" * (len(one["where"]) > 4)
        for one in found
        if one["impact"] in WORST and one["where"]
    ]
