"""Build the course for the browser alone: JupyterLite, with Python itself in the page.

usage: make lite                              (in .lite/venv; the result goes to site/lite/)
       make lite PYODIDE=archive.tar.bz2      (then the page asks no other server for anything)

Python in the page is Pyodide.  By default the page fetches it from its public address, in the
version that the kernel names; an archive of it is copied into the site instead.

Pyodide's lock file lists the packages that `import` finds by itself.  Ours, and the widgets that
Pyodide lacks, are added to it: so `import specnotes` just works, and no cell installs anything.
"""

import argparse
import hashlib
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from email.parser import HeaderParser
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".lite/cache"
ADDED = ("comm", "ipywidgets", "jupyterlab-widgets")  # pure Python, and not in Pyodide
# Nothing imports these in a page: Jupyter's front ends, and what the kernel has a stand-in for.
NOT_THERE = {"jupyterlab", "widgetsnbextension"}
APART = "pydoc-data"  # of Python's own library, but a package in Pyodide; lessons 10 and 11 read it
LOCK = "static/pyodide/pyodide-lock.json"
KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
OVERRIDES = {
    "@jupyterlab/apputils-extension:notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
    },
}


def our_wheel(folder):
    from flit_core import buildapi

    os.chdir(ROOT)
    return folder / buildapi.build_wheel(folder)


def added_wheels(folder, pins):
    """The wheels of ADDED in the versions that are pinned, each with a hash that is pinned."""
    text = pins.read_text(encoding="utf-8")
    found = [re.search(rf"^{name}==.*?(?=^\w)", text, re.M | re.S)[0] for name in ADDED]
    wanted = folder / "wanted.txt"
    wanted.write_text(re.sub(r"^ +#.*\n", "", "".join(found), flags=re.M))
    pip = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check"]
    flags = ["--no-deps", "--only-binary=:all:", "--require-hashes", "-d", str(folder)]
    subprocess.run([*pip, *flags, "-r", str(wanted)], check=True)
    wanted.unlink()


def requirements(metadata):
    """What a wheel needs in a page, without its extras."""
    for line in metadata.get_all("Requires-Dist", []):
        need = Requirement(line)
        need.name = canonicalize_name(need.name)
        if "extra" not in str(need.marker) and need.name not in NOT_THERE:
            yield need


def entry(wheel):
    """(what Pyodide's lock says about a wheel, the wheel's requirements)"""
    with zipfile.ZipFile(wheel) as box:
        names = box.namelist()
        (about,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        metadata = HeaderParser().parsestr(box.read(about).decode())
    needs = list(requirements(metadata))
    return {
        "name": canonicalize_name(metadata["Name"]),
        "version": metadata["Version"],
        "file_name": f"../../pypi/{wheel.name}",
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": sorted({n.split("/")[0] for n in names if n.count("/") == 1 and ".py" in n}),
        "depends": sorted(need.name for need in needs),
        "unvendored_tests": False,
    }, needs


def extended(lock, wheels, address=""):
    """(Pyodide's lock with our wheels in it, what they miss); its own files lie at ``address``."""
    packages = lock["packages"]
    for package in packages.values():
        package["file_name"] = address + package["file_name"]
    entries = [entry(wheel) for wheel in wheels]
    packages |= {ours["name"]: ours for ours, _ in entries}
    return lock, [
        f"{ours['name']} needs {need}, but there is {version or 'none'}"
        for ours, needs in entries
        for need in needs
        if not need.specifier.contains(version := packages.get(need.name, {}).get("version", ""))
    ]


def public_lock():
    """The lock of the Pyodide that the kernel fetches, and the address that it fetches it from.

    Pyodide's npm package carries it.
    """
    from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL, PYODIDE_VERSION

    npm = shutil.which("npm") or sys.exit("build_lite: npm is needed, or PYODIDE=archive.tar.bz2")
    CACHE.mkdir(parents=True, exist_ok=True)
    kept = CACHE / f"pyodide-{PYODIDE_VERSION}.tgz"
    if not kept.exists():
        package = f"pyodide@{PYODIDE_VERSION}"
        quiet = subprocess.DEVNULL
        subprocess.run([npm, "pack", "--silent", package], cwd=CACHE, check=True, stdout=quiet)
    with tarfile.open(kept) as archive:
        return json.load(archive.extractfile("package/pyodide-lock.json")), PYODIDE_CDN_URL + "/"


def build(lite_dir, out, archive):
    """What JupyterLite builds by itself."""
    (lite_dir / "overrides.json").write_text(json.dumps(OVERRIDES))
    contents = lite_dir / "contents"
    shutil.copytree(ROOT / "notebooks", contents, ignore=shutil.ignore_patterns("src", ".*"))
    command = [sys.executable, "-m", "jupyterlite_core.app", "build", "--lite-dir", str(lite_dir)]
    command += ["--contents", str(contents), "--output-dir", str(out), "--no-sourcemaps"]
    command += ["--apps", "lab", f"--LiteBuildConfig.cache_dir={lite_dir / 'cache'}"]
    command += ["--pyodide", str(archive)] if archive else []
    done = subprocess.run(command, cwd=lite_dir, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)


def configure(out, archive, unchecked):
    """Put our wheels into the lock, and the lock into the site's settings."""
    wheels, path = sorted((out / "pypi").glob("*.whl")), out / LOCK
    lock, address = (json.loads(path.read_text()), "") if archive else public_lock()
    lock, missing = extended(lock, wheels, address)
    if missing and not unchecked:
        sys.exit("build_lite: this Pyodide will not do: " + "; ".join(missing))
    file = lock["packages"][APART]["file_name"]
    if "://" in file or (path.parent / file).is_file():  # an archive may lack it
        lock["packages"]["specnotes"]["depends"].append(APART)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(lock))
    settings = out / "jupyter-lite.json"
    whole = json.loads(settings.read_text())
    plugins = whole["jupyter-config-data"].setdefault("litePluginSettings", {})
    plugins.setdefault(KERNEL, {})["loadPyodideOptions"] = {"lockFileURL": f"./{LOCK}"}
    plugins[KERNEL]["disablePyPIFallback"] = bool(archive)
    settings.write_text(json.dumps(whole, indent=2))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pyodide", metavar="ARCHIVE", type=Path, help="Pyodide, as .tar.bz2")
    parser.add_argument("--out", type=Path, default=ROOT / "site/lite")
    parser.add_argument("--pins", type=Path, default=ROOT / "docs/lite.lock", help="of the widgets")
    parser.add_argument("--unchecked", action="store_true", help="take packages of any version")
    given = parser.parse_args()
    if given.pyodide and not given.pyodide.is_file():
        parser.error(f"there is no archive {given.pyodide}")
    return given


def main():
    given = arguments()
    out, archive = given.out.resolve(), given.pyodide and given.pyodide.resolve()
    shutil.rmtree(out, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        wheels = Path(folder) / "pypi"
        wheels.mkdir()
        added_wheels(wheels, given.pins)
        our_wheel(wheels)
        build(Path(folder), out, archive)
    configure(out, archive, given.unchecked)
    size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    version = importlib.metadata.version("jupyterlite-core")
    print(f"{given.out.name}: JupyterLite {version}, {size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
