"""Every small change of laws, verify and decode fails one of their tests, or changes nothing."""

import ast
import json
import os
import subprocess
import sys

import pytest
from mutants import STATEMENTS, is_doc, mutants

MODULES = ["laws", "verify", "decode"]
TESTS = [
    *[f"tests/test_{name}.py" for name in [*MODULES, "doors"]],
    "tests/test_exact.py::test_sequence_law_is_the_law_of_sample",
    "tests/test_exact.py::test_speculation_has_the_targets_law_with_a_stop_token",
    "tests/test_exact.py::test_speculation_with_a_scout_has_the_targets_law",
    "tests/test_exact.py::test_verify_block_is_verify_token_repeated",
]

# (function, line, change): why no test can see it
EQUIVALENT = {
    (
        "specnotes.laws.overlap",
        "target, draft = check_pair(target, draft)",
        "(target, draft) → (draft, target)",
    ): "the overlap is the same in either order",
    (
        "specnotes.laws.total_variation",
        'a, b = check_pair(a, b, "a", "b")',
        "(a, b) → (b, a)",
    ): "the distance is the same in either order, and a and b have been checked",
    (
        "specnotes.laws.accept_prob_unchecked",
        "kept = np.minimum(target, draft) / np.where(proposed, draft, 1)",
        "1 → 2",
    ): "divides where nothing is drafted, and what comes out there is not used",
    (
        "specnotes.laws.accept_prob_unchecked",
        "return np.where(proposed, kept, (target > 0) + 0 * target)",
        "(target > 0) + 0 * target → (target > 0) - 0 * target",
    ): "0 * target is zero: only its number type matters",
    (
        "specnotes.laws.residual_unchecked",
        "return np.where(total > 0, owed / np.where(total > 0, total, 1), target)",
        "1 → 2",
    ): "divides where nothing is owed, and what comes out there is not used",
    (
        "specnotes.laws.check_law",
        "if all(map(_is_exact_law, law.reshape(-1, law.shape[-1]).tolist())):",
        "law.reshape(-1, law.shape[-1]).tolist() → law.reshape(-1, law.shape[-1])",
    ): "an array gives the same fractions as a list, only later",
    (
        "specnotes.laws.check_law",
        "if all(map(_is_exact_law, law.reshape(-1, law.shape[-1]).tolist())):",
        "-1 → -2",
    ): "NumPy works out any length that is negative",
    (
        "specnotes.laws._is_whole",
        "return isinstance(number, (int, np.integer)) and not isinstance(number, bool)",
        "(int, np.integer) → (np.integer, int)",
    ): "the order of classes does not matter to isinstance",
    (
        "specnotes.laws._as_numbers",
        "except (TypeError, ValueError, OverflowError):",
        "(TypeError, ValueError, OverflowError) → (ValueError, TypeError, OverflowError)",
    ): "the order of classes does not matter to except",
    (
        "specnotes.laws._as_numbers",
        "except (TypeError, ValueError, OverflowError):",
        "(TypeError, ValueError, OverflowError) → (TypeError, OverflowError, ValueError)",
    ): "the order of classes does not matter to except",
    (
        "specnotes.laws._as_float",
        "if isinstance(value, (str, bytes, np.complexfloating)):",
        "(str, bytes, np.complexfloating) → (bytes, str, np.complexfloating)",
    ): "the order of classes does not matter to isinstance",
    (
        "specnotes.laws._as_float",
        "if isinstance(value, (str, bytes, np.complexfloating)):",
        "(str, bytes, np.complexfloating) → (str, np.complexfloating, bytes)",
    ): "the order of classes does not matter to isinstance",
    (
        "specnotes.laws._as_float",
        "raise TypeError",
        "TypeError → ValueError",
    ): "its one caller catches both alike",
    (
        "specnotes.laws._is_exact_law",
        "if not all(type(above) is type(below) is int for above, below in ratios):",
        "(above, below) → (below, above)",
    ): "both are asked the same",
    (
        "specnotes.laws._is_exact_law",
        "return False",
        "return False → return",
    ): "None is as false as False to all",
    (
        "specnotes.verify.emitted_law",
        "return (draft[..., None, :] @ kernel)[..., 0, :]",
        "0 → -1",
    ): "the axis has length one: its first place is its last",
    (
        "specnotes.decode.speculate",
        "tokens, rounds = (), ()",
        "(tokens, rounds) → (rounds, tokens)",
    ): "both are empty",
}


@pytest.fixture
def package(root):
    return root / "specnotes"


@pytest.mark.slow
def test_every_mutant_is_killed_or_equivalent(root):
    modules = ",".join(f"specnotes.{name}" for name in MODULES)
    judged = subprocess.run(
        [sys.executable, "tests/judge.py", modules, *TESTS],
        cwd=root,
        env=os.environ | {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        check=True,
    )
    rows = [json.loads(line) for line in judged.stdout.splitlines()]
    assert {tuple(mark) for *mark, killer in rows if killer is None} == EQUIVALENT.keys()
    assert len(rows) > 1000


@pytest.mark.parametrize("name", MODULES)
def test_every_statement_has_a_mutant(package, name):
    path = package / f"{name}.py"
    text = path.read_text(encoding="utf-8")
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, STATEMENTS)]
    lines = {text.splitlines()[node.lineno - 1] for node in nodes if not is_doc(node)}
    changed = {mutant.line for mutant in mutants(path)}
    assert {line.split("  #")[0].strip() for line in lines} <= changed


def test_the_mutants_of_a_line(tmp_path):
    path = tmp_path / "small.py"
    path.write_text('def f(a, b):\n    """Doc."""\n    return a < b[1]\n', encoding="utf-8")
    assert [mutant.change for mutant in mutants(path)] == [
        "return a < b[1] → dropped",
        "return a < b[1] → return",
        "a < b[1] → a <= b[1]",
        "a < b[1] → a >= b[1]",
        "b[1] → b",
        "1 → 2",
        "1 → 0",
    ]
