"""Store the logits that PyTorch gives the shipped weights, for tests on machines without it.

python tools/store_logits.py tests/tiny_logits.npz
"""

import sys

import numpy as np
import torch
from train_tiny import Transformer

from specnotes.tiny.corpus import encode
from specnotes.tiny.weights import load_weights, names

TEXT = encode('class Point:\n    """A point in the plane."""\n\n    def __init__(self, x, y):\n')


def in_pytorch(weights):
    """The training script's model with these weights; gains are one, for they are folded in."""
    model = Transformer(weights.width, len(weights.layers), weights.attention_heads)
    scale = torch.ones(3 * weights.width, 1)
    scale[: weights.width] = (weights.width // weights.attention_heads) ** 0.5  # folded in, too
    state = {"embed.weight": torch.tensor(weights.embed)}
    for i, (qkv, out, up, down) in enumerate(weights.layers):
        state[f"layers.{i}.gain1"] = state[f"layers.{i}.gain2"] = torch.ones(weights.width)
        state[f"layers.{i}.qkv.weight"] = torch.tensor(qkv.T) * scale
        for name, matrix in (("out", out), ("up", up), ("down", down)):
            state[f"layers.{i}.{name}.weight"] = torch.tensor(matrix.T)
    model.load_state_dict(state)
    return model.eval()


@torch.no_grad()
def logits(model, text):
    """After each token of ``text``, which follows a line break.  -> (len(text), V)"""
    return model(torch.tensor([(0, *text)]))[0, 1:].numpy()


if __name__ == "__main__":
    stored = {name: logits(in_pytorch(load_weights(name)), TEXT) for name in names()}
    np.savez(sys.argv[1], text=np.array(TEXT), **stored)
