"""What the course's environment costs to download, and what each direct dependency adds to it.

usage: python tools/sizes.py      (downloads the wheels that pyproject.toml leads to, some 80 MB)

A dependency's own cost is what would not be downloaded without it: what two of them share is
counted in the total only.
"""

import re
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from email.parser import HeaderParser
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ABOUT = re.compile(r"[^/]+\.dist-info/METADATA")
ROOT = Path(__file__).resolve().parent.parent


def direct():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project["dependencies"]


def download(requirements, folder):
    pip = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "--only-binary=:all:", "-d", str(folder), *requirements], check=True)


def wheels(folder):
    """name -> (bytes, [(needed name, extras)]) of all wheels in the folder"""
    found = {}
    for path in sorted(Path(folder).glob("*.whl")):
        with zipfile.ZipFile(path) as box:
            (about,) = (n for n in box.namelist() if ABOUT.fullmatch(n))
            metadata = HeaderParser().parsestr(box.read(about).decode("utf-8"))
        needs = [Requirement(line) for line in metadata.get_all("Requires-Dist", [])]
        found[canonicalize_name(metadata["Name"])] = path.stat().st_size, needs
    return found


def reached(roots, known):
    """The names of the wheels that the requirements lead to, extras included."""
    seen, todo = set(), [(canonicalize_name(n.name), frozenset(n.extras)) for n in roots]
    while todo:
        name, extras = todo.pop()
        if (name, extras) in seen or name not in known:
            continue
        seen.add((name, extras))
        for need in known[name][1]:
            settings = [{"extra": extra} for extra in extras or {""}]
            if need.marker is None or any(need.marker.evaluate(s) for s in settings):
                todo.append((canonicalize_name(need.name), frozenset(need.extras)))
    return {name for name, _ in seen}


def costs(requirements, known):
    """(bytes in all, {dependency: bytes that only it needs})"""
    roots = [Requirement(line) for line in requirements]

    def size(some):
        return sum(known[name][0] for name in reached(some, known))

    total = size(roots)
    alone = {root.name: total - size([r for r in roots if r is not root]) for root in roots}
    return total, alone


def main():
    with tempfile.TemporaryDirectory() as folder:
        download(direct(), folder)
        known = wheels(folder)
    total, alone = costs(direct(), known)
    print(f"{total / 1e6:6.1f} MB  {len(known)} packages in all")
    for name, own in sorted(alone.items(), key=lambda item: -item[1]):
        print(f"{own / 1e6:6.1f} MB  only for {name}")


if __name__ == "__main__":
    main()
