"""What all tests share: where the project lies, no silent skips in CI, notebook times shown."""

import os
from pathlib import Path

import pytest

# Before NumPy is imported: two workers with two threads each would wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

ROOT = Path(__file__).resolve().parent.parent


def _fail_if_skipped(report):
    """With SPECNOTES_NO_SKIP=1 (set by .ci/run) a skipped test is a failed one.

    Those that need an archive of Pyodide are exempt: it cannot be had everywhere.
    """
    skipped = report.skipped and not hasattr(report, "wasxfail")
    exempt = "archive" in getattr(report, "keywords", ())
    if skipped and not exempt and os.environ.get("SPECNOTES_NO_SKIP"):
        report.outcome = "failed"
        report.longrepr = f"skipped where no skip is allowed: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    return _fail_if_skipped((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    return _fail_if_skipped((yield))


def pytest_terminal_summary(terminalreporter):
    """Seconds that tests recorded under the name "seconds", longest first."""
    times = {
        report.nodeid.split("[")[-1].rstrip("]"): value
        for report in terminalreporter.getreports("passed")
        for name, value in report.user_properties
        if name == "seconds"
    }
    for what, seconds in sorted(times.items(), key=lambda item: -item[1]):
        terminalreporter.write_line(f"{seconds:6.1f} s  {what}")


@pytest.fixture(scope="session")
def root():
    return ROOT
