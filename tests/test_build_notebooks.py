"""Deriving notebooks: what becomes of a source, and which mistakes are refused."""

import json

import build_notebooks as build
import pytest

REPO = "https://github.com/someone/somewhere"
SOURCE = '''# %% header [markdown]
r"""
# What is $\\alpha$?

[[launch]]
"""

# %% twice tags=["exercise"]
def twice(x):
    """Two of it."""
    ### BEGIN SOLUTION
    # %time and !this stay comments
    return 2 * x
    ### END SOLUTION
    return ...

# %% alpha
alpha = ...
### BEGIN SOLUTION
alpha = 0.7
### END SOLUTION
alpha

# %% twice-help [markdown]
r"""
[[solution twice]]
"""
'''


@pytest.fixture
def source(tmp_path):
    """source(text) -> path of a source with this text"""

    def write(text=SOURCE):
        path = tmp_path / "00_a.py"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def authors(text):
    """The cells that the source has: all but the one that installs the course on Colab."""
    return [cell for cell in json.loads(text)["cells"] if cell["id"] != "colab"]


def cells(text):
    return {cell["id"]: "".join(cell["source"]) for cell in authors(text)}


def test_deriving_twice_gives_the_same_bytes(source):
    assert build.derive(source(), REPO) == build.derive(source(), REPO)


def test_cell_ids_are_the_titles_in_order(source):
    assert list(cells(build.derive(source(), REPO))) == ["header", "twice", "alpha", "twice-help"]


def test_student_gets_a_comment_for_the_solution_and_keeps_the_stub(source):
    derived = cells(build.derive(source(), REPO))
    assert derived["twice"].endswith('it."""\n    # your code here\n    return ...')
    assert derived["alpha"] == "alpha = ...\n# your code here\nalpha"


def test_solution_version_keeps_the_solution_without_its_markers(source):
    derived = cells(build.derive(source(), REPO, solutions=True))
    assert "    return 2 * x\n    return ..." in derived["twice"]
    assert derived["alpha"] == "alpha = ...\nalpha = 0.7\nalpha"


def test_student_code_holds_no_word_of_the_solution(source):
    derived = cells(build.derive(source(), REPO))
    assert "2 * x" not in derived["twice"] and "0.7" not in derived["alpha"]


def test_folded_solution_is_the_region_as_text(source):
    folded = cells(build.derive(source(), REPO))["twice-help"]
    code = "```python\n# %time and !this stay comments\nreturn 2 * x\n```"
    assert folded == f"<details><summary>Solution</summary>\n\n{code}\n\n</details>"


def test_launch_links_name_this_notebook_and_this_repository(source):
    header = cells(build.derive(source(), REPO))["header"]
    assert "/gh/someone/somewhere/main?urlpath=lab/tree/notebooks/00_a.ipynb" in header
    assert "/github/someone/somewhere/blob/main/notebooks/00_a.ipynb" in header
    assert f"{REPO}/blob/main/notebooks/00_a.ipynb" in header


def test_the_links_lead_to_the_lesson_s_page_on_the_site(source):
    header = cells(build.derive(source(), REPO))["header"]
    assert f"({build.site_address()}/notebooks/00_a.html)" in header
    assert f"({build.site_address()}/lite/lab/?path=00_a.ipynb)" in header


def test_the_code_of_a_prediction_which_holds_the_answer_is_folded(source):
    question = '# %% guess tags=["predict"]\nask("how often?", answer="never")\n'
    (cell,) = authors(build.derive(source(question), REPO))
    assert cell["metadata"] == {"jupyter": {"source_hidden": True}, "tags": ["predict"]}


def test_tags_are_kept_and_nothing_else_is_added(source):
    metadata = [cell["metadata"] for cell in authors(build.derive(source(), REPO))]
    assert metadata == [{}, {"tags": ["exercise"]}, {}, {}]


def test_nothing_is_stored_but_source(source):
    notebook = json.loads(build.derive(source(), REPO))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    assert notebook["metadata"] == build.METADATA


@pytest.mark.parametrize(
    ("before", "after", "complaint"),
    [
        ("# %% alpha", "# %% twice", "'twice': this id is used twice"),
        ("# %% alpha", "# %%", "'alpha = ...': needs an id"),
        ("# %% alpha", "# %% two words", "'two words': needs an id"),
        ("### END SOLUTION\nalpha", "### END SOLUTION \nalpha", "'alpha': a marker is left over"),
        ("### END SOLUTION\nalpha", "alpha", "'alpha': a marker is left over"),
        ("[[solution twice]]", "[[solution thrice]]", "thrice]]: no cell has this id"),
        ("[[solution twice]]", "[[solution header]]", "header]]: this cell has no solution region"),
        ("[[launch]]", "[[launch ]]", "'header': a marker is left over"),
        ("alpha = ...\n", "alpha = ...\n" * 25, "'alpha': 27 lines, over 25"),
        ("alpha = ...\n", "alpha = (\n", "'alpha': line 1: '(' was never closed"),
        ('    """Two of it."""\n', "", None),
        ("    return ...\n", "", None),
    ],
)
def test_a_mistake_is_refused_by_name(source, before, after, complaint):
    assert before in SOURCE
    path = source(SOURCE.replace(before, after))
    if complaint is None:  # a docstring or a last return is enough: still a function
        assert build.derive(path, REPO)
    else:
        with pytest.raises(ValueError, match="00_a.py|solution") as refusal:
            build.derive(path, REPO)
        assert complaint in str(refusal.value)


def test_a_function_left_with_no_body_is_refused(source):
    bare = SOURCE.replace('    """Two of it."""\n', "").replace("    return ...\n", "")
    with pytest.raises(ValueError, match="cell 'twice'"):
        build.derive(source(bare), REPO)
