"""``python -m specnotes audit TARGET`` on files that an outsider might have written."""

import json
import subprocess
import sys

import pytest

from specnotes.__main__ import main

PURE_PYTHON = '''
"""Speculative sampling with lists and nothing else."""


def pick(weights, rng):
    u = rng.random() * sum(weights)
    for token, weight in enumerate(weights):
        if u < weight:
            return token
        u -= weight
    return len(weights) - 1


def verify(target_laws, draft_laws, tokens, rng):
    for i, token in enumerate(tokens):
        p, q = list(target_laws[i]), list(draft_laws[i])
        if rng.random() < min(1, p[token] / q[token]):
            continue
        left = FALLBACK
        return i, pick(left if sum(left) > 0 else p, rng)
    return len(tokens), pick(list(target_laws[len(tokens)]), rng)
'''

NUMPY = """
import numpy as np


def verify(target_probs, draft_probs, token_ids, rng):
    target_probs, draft_probs = np.asarray(target_probs, float), np.asarray(draft_probs, float)
    k = len(token_ids)
    at = np.arange(k), np.asarray(token_ids)
    ratio = target_probs[:-1][at] / draft_probs[at]
    rejected = np.flatnonzero(rng.random(k) >= ratio)
    n = rejected[0] if rejected.size else k
    if n == k:
        probs = target_probs[BONUS]
    else:
        probs = np.clip(target_probs[n] - draft_probs[n], 0, None)
        total = probs.sum()
        probs = probs / total if total > 0 else target_probs[n]
    return n, rng.choice(probs.size, p=probs)
"""

FRAMEWORK = '''
"""Single precision, batched, with the framework's own generator: no coin can be followed."""
import numpy as np

GENERATOR = np.random.default_rng(7)


def rand(*shape):
    return GENERATOR.random(shape, dtype=np.float32)


def multinomial(probs):
    return int((probs.cumsum() / probs.sum() <= GENERATOR.random()).sum())


def verify(target_probs, draft_probs, draft_ids, rng=None):
    p = np.asarray(target_probs, dtype=np.float32)[None]
    q = np.asarray(draft_probs, dtype=np.float32)[None]
    ids = np.asarray(draft_ids)[None]
    steps = np.arange(ids.shape[1])
    p_i, q_i = p[0, steps, ids[0]], q[0, steps, ids[0]]
    accepted = COIN * q_i < p_i
    n = int(accepted.cumprod().sum())
    if n == ids.shape[1]:
        return n, multinomial(p[0, n])
    left = np.maximum(p[0, n] - q[0, n], 0)
    return n, multinomial(left if left.sum() > 0 else p[0, n])
'''

RESIDUAL = "[max(a - b, 0) for a, b in zip(p, q)]"
RIGHT = {
    "pure": PURE_PYTHON.replace("FALLBACK", RESIDUAL),
    "numpy": NUMPY.replace("BONUS", "k"),
    "framework": FRAMEWORK.replace("COIN", "rand(ids.shape[1])"),
}
WRONG = {
    "pure": PURE_PYTHON.replace("FALLBACK", "p"),
    "numpy": NUMPY.replace("BONUS", "k - 1"),
    "framework": FRAMEWORK.replace("COIN", "rand(1)"),
}


@pytest.fixture
def audit(tmp_path, capsys):
    """Write the code to a file and audit a function of it.  -> (exit code, what was printed)"""

    def run(code, *options, name="verify", file="theirs.py"):
        (tmp_path / file).write_text(code)
        exit_code = main(["audit", f"{tmp_path / file}:{name}", *options])
        return exit_code, capsys.readouterr().out

    return run


# --- three outsiders' files


@pytest.mark.parametrize("style", RIGHT)
def test_a_right_verifier_passes(audit, style):
    exit_code, text = audit(RIGHT[style], "--detect", "0.1")
    assert exit_code == 0, text
    assert "no counter-example" in text
    assert ("sampled, because" in text) == (style == "framework")


def test_the_wrong_fallback_in_pure_python(audit):
    exit_code, text = audit(WRONG["pure"])
    assert exit_code == 1
    assert "law of one token" in text
    assert "at target (1/2, 1/2); draft (0, 1)" in text
    assert "should be P(0) = 1/2, P(1) = 1/2; is P(0) = 1/4, P(1) = 3/4; distance 1/4" in text


def test_the_bonus_from_the_row_before_in_numpy(audit):
    exit_code, text = audit(WRONG["numpy"])
    assert exit_code == 1
    assert "joint law: the first token is right, the tokens together are not" in text
    assert "after 0" in text and "after 1" in text  # only a context shows it


def test_the_shared_coin_in_a_framework(audit):
    exit_code, text = audit(WRONG["framework"], "--detect", "0.1")
    assert exit_code == 1
    assert "joint law" in text and "p-value" in text
    assert "generator `GENERATOR` from outside the function" in text


# --- options


def test_json_holds_the_whole_report(audit):
    exit_code, text = audit(WRONG["pure"], "--json")
    report = json.loads(text)
    assert exit_code == 1 and report["ok"] is False
    assert (report["kind"], report["method"]) == ("block", "exact")
    (finding,) = report["findings"]
    assert finding["distance"] == "1/4"
    assert finding["setting"]["target"] == ["1/2", "1/2"]
    assert finding["actual"] == {"(0,)": "1/4", "(1,)": "3/4"}


def test_exact_never_samples(audit):
    exit_code, text = audit(RIGHT["framework"], "--exact")
    assert exit_code == 1
    assert "not a function of its rng" in text and "samples" not in text


def test_sample_samples_at_once_and_a_seed_repeats_it(audit):
    options = ("--sample", "--detect", "0.2", "--seed", "3", "--json")
    reports = [json.loads(audit(WRONG["pure"], *options)[1]) for _ in range(2)]
    assert reports[0] == reports[1]
    assert reports[0]["method"] == "sample" and not reports[0]["ok"]


def test_a_token_verifier_is_known_by_its_arguments(audit):
    code = """
def rule(target, draft, token, rng):
    return token, True
"""
    assert json.loads(audit(code, "--json", name="rule")[1])["kind"] == "token"


def test_a_verifier_without_rng_is_audited_by_sampling(audit):
    code = RIGHT["framework"].replace(", rng=None", "")
    exit_code, text = audit(code, "--detect", "0.2")
    assert exit_code == 0 and "samples" in text


def test_a_decoder_is_known_by_its_arguments(audit):
    code = """
from specnotes.decode import sample

def generate(target, draft, prompt, gamma, length, rng):
    return sample(target, prompt, length, rng)
"""
    exit_code, text = audit(code, "--json", name="generate")
    assert exit_code == 0 and json.loads(text)["kind"] == "decoder"


def test_unclear_arguments_are_asked_about(audit):
    code = "def rule(a, b, c, d): return c, True\n"
    exit_code, text = audit(code, name="rule")
    assert exit_code == 2 and "--kind" in text
    assert audit(code, "--kind", "token", name="rule")[0] == 1


def test_a_notebook_runs_only_what_the_function_needs(audit):
    cells = [
        "%matplotlib inline\nimport numpy as np",
        "raise SystemExit('not asked for')",
        "HALF = 0.5\nprint('not part of the report')",
        "def coin(rng):\n    return rng.random()",
        "def verify(target, draft, token, rng):\n    return (token, True) if coin(rng) < HALF "
        "else (int(np.argmax(target)), False)",
        "verify(1, 2, 3, 4)",
    ]
    book = {"cells": [{"cell_type": "code", "source": cell} for cell in cells]}
    exit_code, text = audit(json.dumps(book), "--json", file="theirs.ipynb")
    report = json.loads(text)
    assert exit_code == 1 and report["kind"] == "token"
    assert report["findings"][0]["kind"] == "law of one token"


@pytest.mark.parametrize(
    "code, name, words",
    [
        ("import nosuchlibrary", "verify", "cannot be loaded"),
        ("verify = 3", "verify", "no function"),
        ("def other(): pass", "verify", "no function"),
    ],
)
def test_what_cannot_be_loaded_gives_exit_code_2(audit, code, name, words):
    exit_code, text = audit(code, name=name)
    assert exit_code == 2 and words in text


def test_a_name_without_a_place_is_refused(capsys):
    assert main(["audit", "verify_block"]) == 2
    assert "module:function" in capsys.readouterr().out


def test_a_crash_is_a_finding(audit):
    code = "def verify(target_laws, draft_laws, tokens, rng):\n    return tokens[9]\n"
    exit_code, text = audit(code)
    assert exit_code == 1 and "IndexError" in text


def test_help_says_that_it_runs_their_code(capsys):
    with pytest.raises(SystemExit):
        main(["audit", "--help"])
    assert "IMPORTED AND RUN" in capsys.readouterr().out


def test_the_command_exits_with_the_code():
    command = [sys.executable, "-m", "specnotes", "audit"]
    right = subprocess.run([*command, "specnotes.verify:verify_token"], capture_output=True)
    wrong = subprocess.run(
        [*command, "specnotes.broken.fallbacks:wrong_fallback", "--json"], capture_output=True
    )
    assert (right.returncode, wrong.returncode) == (0, 1)
    assert json.loads(wrong.stdout)["name"] == "wrong_fallback"
