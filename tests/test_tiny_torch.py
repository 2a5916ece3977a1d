"""The NumPy pass against PyTorch, and a short training run; only where PyTorch is installed."""

import json
import time

import numpy as np
import pytest
from test_tiny import CLOSE, MODELS, TEXT, small

from specnotes.tiny.transformer import Transformer, calibrate
from specnotes.tiny.weights import load_weights

pytestmark = pytest.mark.hf

try:
    import torch
    import train_tiny
    from store_logits import in_pytorch, logits
except ImportError:  # collected everywhere, run where PyTorch is
    torch = None


@pytest.fixture(autouse=True)
def needs_torch():
    if torch is None:
        pytest.skip("PyTorch is not installed")


def gap(weights):
    """Largest difference between the laws of NumPy's pass and of PyTorch's, after each token."""
    theirs = torch.tensor(logits(in_pytorch(weights), TEXT)).softmax(-1).numpy()
    return np.abs(Transformer(weights).score((), TEXT)[1:] - theirs).max()


@pytest.mark.parametrize("name", MODELS)
def test_shipped_models_agree_with_pytorch(name):
    assert gap(load_weights(name)) < 1e-5


@pytest.mark.parametrize("layers", [1, 3])
def test_any_weights_agree_with_pytorch(layers):
    assert gap(small(width=48, layers=layers)) < 1e-5


def test_folding_keeps_the_function():
    model = train_tiny.Transformer(32, 2, 4)
    for layer in model.layers:
        layer.gain1.data.uniform_(0.5, 2)
        layer.gain2.data.uniform_(0.5, 2)
    folded = {name: array.detach().numpy() for name, array in train_tiny.folded("", model).items()}
    layers = [[folded[f"{i}.{part}"] for part in ("qkv", "out", "up", "down")] for i in range(2)]
    weights = small().__class__(folded["embed"], folded["embed"].T, layers)
    theirs = torch.tensor(logits(model, TEXT)).softmax(-1).numpy()
    assert np.abs(Transformer(weights).score((), TEXT)[1:] - theirs).max() < CLOSE


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trained")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(torch, "compile", lambda loss: loss)  # takes a compiler and half a minute
        for part in ("target", "draft", "heads"):
            train_tiny.main([part, "--steps", "20", "--out", str(folder), "--keep", "10"])
    return folder


@pytest.mark.parametrize("part", ["target", "draft", "heads"])
def test_twenty_steps_of_training_bring_the_loss_down_and_leave_a_card(trained, part):
    card = json.loads((trained / f"{part}.json").read_text())
    assert card["steps"] == 20 and card["curve"][-1][0] == 20
    assert card["curve"][-1][1] < card["curve"][0][1]
    assert (trained / f"{part}-10.npz").is_file()


def test_a_step_of_ours_is_no_slower_than_pytorchs():
    """Medians, taken in turn on one thread each (conftest sets NumPy's)."""
    torch.set_num_threads(1)
    weights = load_weights()
    ours, theirs = Transformer(weights), Cached(in_pytorch(weights))
    calibrate(ours)
    ours.next_law(TEXT), theirs.read(TEXT)
    spent = [], []
    for _ in range(60):
        ours.rollback(len(TEXT) - 1)
        for times, step in zip(spent, (lambda: ours.next_law(TEXT), lambda: theirs.step(TEXT[-1]))):
            start = time.process_time()
            step()
            times.append(time.process_time() - start)
    ratio = np.median(spent[0]) / np.median(spent[1])
    print(f"NumPy's one-token step takes {ratio:.2f} of PyTorch's")
    assert ratio < 1.1


class Cached:
    """PyTorch's eager one-token step over the same weights, with a cache of keys and values."""

    def __init__(self, model):
        self.model, self.size = model, model.embed.weight.shape[1] // model.heads

    def read(self, text):
        self.caches = [[None, None] for _ in self.model.layers]
        for token in (0, *text):
            self.step(token, grow=True)

    def step(self, token, grow=False):
        with torch.no_grad():
            return self._step(token, grow)

    def _step(self, token, grow):
        x, norm = self.model.embed.weight[token][None], train_tiny.norm
        slopes = 2.0 ** (-8 * torch.arange(1, self.model.heads + 1) / self.model.heads)
        for layer, cache in zip(self.model.layers, self.caches):
            qkv = layer.qkv(norm(x) * layer.gain1).view(3, self.model.heads, 1, self.size)
            pair = [
                new if old is None else torch.cat([old, new], 1) for old, new in zip(cache, qkv[1:])
            ]
            if grow:
                cache[:] = pair
            far = torch.arange(1 - pair[0].shape[1], 1)
            bias = slopes[:, None, None] * far
            law = (qkv[0] @ pair[0].transpose(1, 2) * self.size**-0.5 + bias).softmax(-1)
            x = x + layer.out((law @ pair[1]).reshape(1, -1))
            x = x + layer.down(torch.relu(layer.up(norm(x) * layer.gain2)).square())
        return self.model.logits(x).softmax(-1)


def test_the_step_that_is_timed_gives_the_same_law():
    weights = small()
    theirs = Cached(in_pytorch(weights))
    theirs.read(TEXT[:-1])
    law = theirs.step(TEXT[-1])[0].numpy()
    assert np.abs(law - Transformer(weights).next_law(TEXT)).max() < 1e-5
