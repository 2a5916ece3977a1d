"""The function that the installed Transformers runs, audited (extra ``hf``).

Found in Transformers 5.24 with PyTorch 2.13: lossless; q = 0 with p > 0 is accepted; with p = q
every token is accepted; an empty residual after a rejection, which rounding can cause, raises.
"""

import numpy as np
import pytest

from specnotes.__main__ import main
from specnotes.audit import audit_verifier, from_hf

pytestmark = pytest.mark.hf


@pytest.fixture
def torch():
    torch = pytest.importorskip("torch", reason="needs the extra hf")
    torch.set_num_threads(1)
    torch.manual_seed(0)
    return torch


@pytest.fixture
def verify(torch):
    utils = pytest.importorskip("transformers.generation.utils", reason="needs the extra hf")
    return from_hf(utils._speculative_sampling)


def test_it_is_lossless(verify):
    rng = np.random.default_rng(0)
    report = audit_verifier(verify, method="sample", rng=rng, detect=0.1)
    assert report.efficient, str(report)


def test_a_token_that_the_draft_calls_impossible_is_accepted_if_the_target_wants_it(verify):
    target, draft = np.array([[0.5, 0.5], [0.5, 0.5]]), np.array([[1.0, 0.0]])
    accepted = {verify(target, draft, (1,), None)[0] for _ in range(200)}
    assert accepted == {1}


def test_equal_laws_accept_everything(verify):
    target, draft = np.array([[0.3, 0.7], [0.5, 0.5]]), np.array([[0.3, 0.7]])
    accepted = {verify(target, draft, (token,), None)[0] for token in (0, 1) for _ in range(200)}
    assert accepted == {1}


def test_an_empty_residual_raises(verify, torch, monkeypatch):
    """p ≤ q everywhere, as rounding can make it, and a coin just below 1."""
    monkeypatch.setattr(torch, "rand_like", lambda ratio: torch.ones_like(ratio) * (1 - 2**-30))
    target, draft = np.array([[0.5, 0.5], [0.5, 0.5]]), np.array([[0.5, 0.5 + 2**-20]])
    monkeypatch.setattr(torch.Tensor, "softmax", lambda logits, dim: logits.exp())
    with pytest.raises(RuntimeError, match="inf|nan"):
        verify(target, draft, (1,), None)


def test_a_coin_of_exactly_0_accepts_what_the_target_never_emits(verify, torch, monkeypatch):
    monkeypatch.setattr(torch, "rand_like", torch.zeros_like)
    target, draft = np.array([[0.0, 1.0], [0.0, 1.0]]), np.array([[0.5, 0.5]])
    assert verify(target, draft, (0,), None)[0] == 1


THEIRS = """
import torch


@torch.no_grad()
def verify(target_probs, draft_probs, draft_ids):
    p = torch.tensor(target_probs, dtype=torch.float32)
    q = torch.tensor(draft_probs, dtype=torch.float32)
    ids = torch.tensor(draft_ids)
    at = torch.arange(len(ids)), ids
    accepted = torch.rand(COINS) * q[at] < p[:-1][at]
    n = int(accepted.long().cumprod(0).sum())
    left = p[n] if n == len(ids) else (p[n] - q[n]).clamp(min=0)
    left = left if left.sum() > 0 else p[n]
    return n, torch.multinomial(left, 1)
"""


@pytest.mark.parametrize("coins, exit_code", [("len(ids)", 0), ("1", 1)])
def test_a_file_in_the_style_of_pytorch_is_audited_from_the_command_line(
    torch, tmp_path, capsys, coins, exit_code
):
    (tmp_path / "theirs.py").write_text(THEIRS.replace("COINS", coins))
    target = f"{tmp_path / 'theirs.py'}:verify"
    assert main(["audit", target, "--sample", "--detect", "0.1"]) == exit_code
    assert ("joint law" in capsys.readouterr().out) == bool(exit_code)
