"""What README promises: its commands exist, its code runs, its links lead somewhere."""

import re
import runpy

import pytest
from build_notebooks import readme_badges, repository
from conftest import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
CODE = re.findall(r"^```python\n(.*?)^```", README, re.M | re.S)
LINKS = [link for link in re.findall(r"\]\(([^)]+)\)", README) if "://" not in link]


def test_every_make_command_is_a_target():
    commands = set(re.findall(r"\bmake ([a-z]+)\b", re.sub(r"[^`]*(`[^`]*`)?", r"\1 ", README)))
    assert {"lab", "test"} <= commands <= TARGETS


def test_the_two_commands_come_first():
    assert re.findall(r"^```sh\n(.*?)\n```", README, re.M | re.S)[:2] == ["make lab", "make test"]


@pytest.mark.parametrize("code", CODE, ids=range(len(CODE)))
def test_code_runs(code, tmp_path):
    path = tmp_path / "readme.py"
    path.write_text(code, encoding="utf-8")
    runpy.run_path(str(path))


def test_there_is_code_to_run():
    assert len(CODE) >= 1 and "assert" in CODE[0]


@pytest.mark.parametrize("link", LINKS)
def test_local_link_leads_somewhere(link):
    assert (ROOT / link.split("#")[0]).exists()


def test_badges_name_the_repository_of_pyproject():
    assert f"<!-- launch -->\n{readme_badges(repository())}<!-- end of launch -->" in README


def test_the_course_map_lists_the_notebooks():
    listed = re.findall(r"\(notebooks/(\w+)\.ipynb\)", README)
    assert listed == sorted(path.stem for path in (ROOT / "notebooks/src").glob("*.py"))
