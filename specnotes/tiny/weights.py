"""Weights: matrices of bytes on disk, float32 in memory.

``tools/train_tiny.py`` writes each matrix as int8 with a float32 scale per column (per row for the
embedding) and folds the gains of the norms into the matrix that follows, so that the forward pass
has nothing but matrices.  The card beside the weights says how they came about.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from specnotes.laws import check_whole

FOLDER = Path(__file__).parent / "data"
MODELS = ("target", "draft")  # draft-N is the draft after N training steps
EPSILON = 1e-5
LAYER = ("qkv", "out", "up", "down")


@dataclass(frozen=True)
class Weights:
    """All that a transformer knows.  V characters, width d, every matrix (in, out).

    embed (V, d); head (d, V); layers: per layer qkv (d, 3d), out (d, d), up (d, 4d), down (4d, d);
    exit: a (d, d) map before the head, or None; epsilon: of the norms.
    """

    embed: np.ndarray
    head: np.ndarray
    layers: tuple
    attention_heads: int = 4
    epsilon: float = EPSILON
    exit: np.ndarray | None = None

    @property
    def width(self):
        """d, the entries of a state."""
        return self.embed.shape[1]

    @property
    def parameters(self):
        """How many numbers were trained; the head is the embedding."""
        return self.embed.size + sum(matrix.size for layer in self.layers for matrix in layer)


def names():
    """The models that are shipped."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.npz") if path.stem != "heads"))


def card(name):
    """How the weights came about: steps, seed, loss curve, held-out loss, versions, hashes."""
    return json.loads(_file(name, "json").read_text(encoding="utf-8"))


def load_weights(name="target"):
    """The weights of a shipped model (see ``names()``), read once."""
    return _load(name)


@cache
def _load(name):
    arrays = _arrays(name)
    count = sum(key.endswith(".qkv") for key in arrays)
    layers = tuple(tuple(arrays[f"{i}.{part}"] for part in LAYER) for i in range(count))
    return Weights(arrays["embed"], arrays["embed"].T, layers)


@cache
def load_heads():
    """Maps on the target's states: (ahead, exit), each map (d, d); see ``tiny.scouts``."""
    arrays = _arrays("heads")
    ahead = sorted(key for key in arrays if key.startswith("ahead"))
    return tuple(arrays[key] for key in ahead), arrays["exit"]


def widen(weights, width):
    """The same function at a larger ``width``: every vector gets zeros behind it.

    A norm over more entries divides by less: its epsilon and the matrices behind it make up for
    it.  The laws stay as they were, to rounding; the work grows with the square of the width.
    """
    width = check_whole(width, "width", weights.width)
    heads, old = weights.attention_heads, weights.width
    if width % heads:
        raise ValueError(f"width is {width}, not a multiple of the {heads} attention heads")
    scale = np.float32((old / width) ** 0.5)

    def grown(matrix, rows, columns):
        """``rows`` and ``columns`` are (blocks, entries per block): zeros fill up each block."""
        (r, in_row), (c, in_column) = rows, columns
        blocks = matrix.reshape(r, len(matrix) // r, c, matrix.shape[1] // c)
        larger = np.zeros((r, in_row, c, in_column), np.float32)
        larger[:, : blocks.shape[1], :, : blocks.shape[3]] = blocks
        return larger.reshape(r * in_row, c * in_column)

    one, four, split = (1, width), (1, 4 * width), (heads, width // heads)
    layers = tuple(
        (
            grown(qkv, one, (3 * heads, width // heads)) * scale,
            grown(out, split, one),
            grown(up, one, four) * scale,
            grown(down, four, one),
        )
        for qkv, out, up, down in weights.layers
    )
    embed = grown(weights.embed, (1, len(weights.embed)), one)
    head = grown(weights.head, one, (1, weights.head.shape[1])) * scale
    epsilon = weights.epsilon * old / width
    return Weights(embed, head, layers, heads, epsilon)


def _arrays(name):
    with np.load(_file(name, "npz")) as stored:
        whole = {key for key in stored if not key.endswith(".scale")}
        return {key: _read_only(stored[key] * stored[f"{key}.scale"]) for key in whole}


def _file(name, kind):
    path = FOLDER / f"{name}.{kind}"
    if not path.is_file():
        raise ValueError(f"name is {name!r}, not one of {', '.join(names())}")
    return path


def _read_only(array):
    array.setflags(write=False)
    return array
