"""Limits that the operating system keeps for the process that runs student code.

``rlimits`` work on every Unix.  Landlock (Linux 5.13 and later) forbids reading and writing outside
a few folders, from 6.7 on also TCP, from 6.12 on also signals to processes outside; where it is
missing, nothing stands in its place.
"""

import ctypes
import os
import resource
import site
import sys
from pathlib import Path

from specnotes.grade.limits import MEGABYTE

CREATE, ADD_RULE, RESTRICT = 444, 445, 446  # the same on every architecture
DEATH_SIGNAL, CHILD_SUBREAPER, NO_NEW_PRIVILEGES = 1, 36, 38
FILE_BITS, READ_BITS = 0b1100_0000_0000_0111, 0b1101  # of a file; execute, read file, read folder
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}  # version of Landlock: number of file rights
TCP, SIGNALS = 0b11, 0b11
SYSTEM = "/usr /lib /lib64 /lib32 /bin /sbin /etc /proc /sys /opt /run /nix /dev".split()


def adopt_orphans():
    """Become the parent of every process below whose own parent ends (Linux alone)."""
    if sys.platform == "linux":
        _libc().prctl(CHILD_SUBREAPER, 1, 0, 0, 0)


def end_with_parent(signal):
    """Have this signal sent to this process when its parent ends (Linux alone)."""
    if sys.platform == "linux":
        _libc().prctl(DEATH_SIGNAL, int(signal), 0, 0, 0)


def limit_resources(limits):
    """Memory, CPU time, size of files, no core dump: for this process and its children."""
    bounds = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_CPU: int(limits.seconds) + 5,
        resource.RLIMIT_FSIZE: limits.memory_mb * MEGABYTE,
        resource.RLIMIT_AS: _address_space() + limits.memory_mb * MEGABYTE,
    }
    for what, most in bounds.items():
        hard = resource.getrlimit(what)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(what, (most, most))
        except (ValueError, OSError):  # macOS knows no limit of address space
            continue


def fence_in(folder):
    """Forbid to write outside ``folder``, to read what is not installed, TCP, signals outside.

    Returns whether this kernel could do it.
    """
    version = landlock()
    if not version:
        return False
    rights = (1 << RIGHTS.get(version, 16)) - 1
    fields = [rights, TCP if version >= 4 else 0, SIGNALS if version >= 6 else 0]
    size = 8 if version < 4 else 16 if version < 6 else 24
    rules = (ctypes.c_uint64 * 3)(*fields)
    libc = _libc()
    handle = libc.syscall(CREATE, rules, ctypes.c_size_t(size), 0)
    if handle < 0:
        return False
    for path in _readable():
        _allow(libc, handle, path, rights & READ_BITS)
    _allow(libc, handle, folder, rights)
    for path in ("/dev/null", "/dev/zero", "/dev/full", "/dev/tty"):
        _allow(libc, handle, path, rights)
    libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    done = libc.syscall(RESTRICT, handle, 0) == 0
    os.close(handle)
    return done


def landlock():
    """The version of Landlock that this kernel has, 0 if none."""
    if sys.platform != "linux":
        return 0
    return max(0, _libc().syscall(CREATE, None, ctypes.c_size_t(0), 1))


def _allow(libc, handle, path, rights):
    """Allow ``rights`` below ``path``, if it is there."""
    try:
        target = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    if not os.path.isdir(path):
        rights &= FILE_BITS
    rule = rights.to_bytes(8, sys.byteorder) + target.to_bytes(4, sys.byteorder)
    libc.syscall(ADD_RULE, handle, 1, rule, 0)
    os.close(target)


def _readable():
    """The system, Python and its packages; of this project the package alone."""
    linked = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    packages = [*linked, *site.getsitepackages(), site.getusersitepackages()]
    package = Path(__file__).resolve().parent.parent
    return [*SYSTEM, sys.prefix, sys.base_prefix, os.path.dirname(os.__file__), *packages, package]


def _address_space():
    """Bytes of address space that this process has already."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return 0
    return pages * resource.getpagesize()


def _libc():
    return ctypes.CDLL(None, use_errno=True)
