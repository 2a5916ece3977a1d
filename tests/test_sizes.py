"""The tool that says what each dependency costs, on wheels of known sizes."""

import zipfile

import pytest
import sizes


@pytest.fixture
def known(tmp_path):
    """a needs b and shared; c needs shared; b brings d only with its extra."""
    needs = {"a": ["b[more]", "shared"], "b": ["d; extra == 'more'"], "c": ["Shared >=1"]}
    for name in ("a", "b", "c", "d", "shared"):
        lines = [f"Name: {name}", *(f"Requires-Dist: {n}" for n in needs.get(name, []))]
        with zipfile.ZipFile(tmp_path / f"{name}-1-py3-none-any.whl", "w") as box:
            box.writestr(f"{name}-1.dist-info/METADATA", "\n".join(lines) + "\n\n")
    found = sizes.wheels(tmp_path)
    size = {"a": 1, "b": 10, "c": 100, "d": 1000, "shared": 10000}
    return {name: (size[name], needed) for name, (_, needed) in found.items()}


def test_the_total_counts_every_package_once(known):
    assert sizes.costs(["a", "c"], known)[0] == 11111


def test_a_dependency_costs_what_only_it_needs(known):
    assert sizes.costs(["a", "c"], known)[1] == {"a": 1011, "c": 100}


def test_a_package_that_only_an_extra_needs_is_left_out_without_it(known):
    assert sizes.costs(["b", "c"], known) == (10110, {"b": 10, "c": 10100})


def test_the_direct_dependencies_are_those_of_the_project():
    assert any(line.startswith("numpy") for line in sizes.direct())
