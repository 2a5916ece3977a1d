"""Train the shipped character models: the target, its one-layer draft, and heads on the target.

    python tools/train_tiny.py target --steps 8000 --out DIR
    python tools/train_tiny.py draft --steps 3000 --out DIR      (distilled from DIR's target)
    python tools/train_tiny.py heads --steps 1500 --out DIR      (on DIR's frozen target)

Needs the extra ``train`` (PyTorch).  The seed fixes the first weights and the order of the data;
the last digits still differ between processors, so the weights are the artefact and this is how
they came about.  ``DIR/PART.pt`` keeps full precision (``-N.pt``: after N steps); ``DIR/PART.npz``
is int8, what the package loads; ``DIR/PART.json`` is the card.
"""

import argparse
import hashlib
import json
import math
import platform
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from specnotes.tiny.corpus import ALPHABET, fingerprint, split, stream

CONTEXT, BATCH = 256, 16
EPSILON = 1e-5
SHAPES = {"target": (256, 4, 4), "draft": (128, 1, 4)}  # width, layers, attention heads
AHEAD = 3  # heads that guess beyond the next character


def norm(x):
    return F.rms_norm(x, x.shape[-1:], eps=EPSILON)


class Layer(nn.Module):
    """Attention, then a squared-ReLU feed-forward; a gain before each, no biases."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.gain1, self.gain2 = (nn.Parameter(torch.ones(width)) for _ in range(2))
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width, bias=False)
        self.up = nn.Linear(width, 4 * width, bias=False)
        self.down = nn.Linear(4 * width, width, bias=False)

    def forward(self, x, bias):
        rows, length, width = x.shape
        qkv = self.qkv(norm(x) * self.gain1).view(rows, length, 3, self.heads, -1)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        weights = (q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5 + bias).softmax(-1).to(v.dtype)
        x = x + self.out((weights @ v).transpose(1, 2).reshape(rows, length, width))
        return x + self.down(F.relu(self.up(norm(x) * self.gain2)).square())


class Transformer(nn.Module):
    """Characters in, logits out; the embedding is also the head."""

    def __init__(self, width, layers, heads):
        super().__init__()
        self.embed = nn.Embedding(len(ALPHABET), width)
        self.layers = nn.ModuleList(Layer(width, heads) for _ in range(layers))
        self.heads = heads
        nn.init.normal_(self.embed.weight, std=0.02)
        for name, weight in self.layers.named_parameters():
            if weight.ndim == 2:
                last = name.endswith(("out.weight", "down.weight"))
                nn.init.normal_(weight, std=0.7 * width**-0.5 / (2 * layers) ** (0.5 * last))

    def states(self, tokens):
        """The stream after the embedding and after each layer, before the last norm."""
        states, bias = [self.embed(tokens)], alibi(self.heads, tokens.shape[1])
        for layer in self.layers:
            states.append(layer(states[-1], bias))
        return states

    def forward(self, tokens):
        return self.logits(self.states(tokens)[-1])

    def logits(self, state):
        return norm(state) @ self.embed.weight.T


class Heads(nn.Module):
    """Linear maps on the frozen target: ``ahead`` guess characters beyond the next one from the
    last state, ``exit`` guesses the next one from the state after the first layer."""

    def __init__(self, width):
        super().__init__()
        self.ahead = nn.ModuleList(nn.Linear(width, width, bias=False) for _ in range(AHEAD))
        self.exit = nn.Linear(width, width, bias=False)
        for linear in (*self.ahead, self.exit):
            nn.init.zeros_(linear.weight)

    def forward(self, target, states):
        last, first = norm(states[-1]), norm(states[1])
        guesses = [target.logits(last + head(last)) for head in self.ahead]
        return [*guesses, target.logits(first + self.exit(first))]


def alibi(heads, length):
    """A penalty per head that grows with distance; minus infinity ahead.  (heads, L, L)"""
    slopes = 2.0 ** (-8 * torch.arange(1, heads + 1) / heads)
    gap = torch.arange(length)[:, None] - torch.arange(length)
    return (-slopes[:, None, None] * gap).masked_fill(gap < 0, -math.inf)


def batches(data, seed):
    """Windows without end, in an order fixed by the seed; every pass has a new offset."""
    rng = np.random.default_rng(seed)
    window = CONTEXT + 1 + AHEAD
    while True:
        starts = rng.permutation(np.arange(rng.integers(window), len(data) - window, CONTEXT))
        for chosen in starts[: len(starts) // BATCH * BATCH].reshape(-1, BATCH):
            yield torch.stack([data[start : start + window] for start in chosen])


def loss_of(part, model, target):
    """rows (B, window) -> the loss that ``part`` is trained on."""

    def next_character(rows):
        return F.cross_entropy(model(rows[:, :CONTEXT]).flatten(0, 1), shifted(rows, 1))

    def distilled(rows):
        with torch.no_grad():
            law = target(rows[:, :CONTEXT]).flatten(0, 1).float().softmax(-1)
        return F.cross_entropy(model(rows[:, :CONTEXT]).flatten(0, 1).float(), law)

    def guesses(rows):
        with torch.no_grad():
            states = target.states(rows[:, :CONTEXT])
        wanted = [*range(2, 2 + AHEAD), 1]
        logits = model(target, states)
        return sum(
            F.cross_entropy(guess.flatten(0, 1), shifted(rows, step)) / len(wanted)
            for guess, step in zip(logits, wanted)
        )

    return {"target": next_character, "draft": distilled, "heads": guesses}[part]


def shifted(rows, step):
    return rows[:, step : step + CONTEXT].flatten()


def optimisers(model, matrix_rate=0.02, rate=3e-3):
    """Muon for the layers' matrices, Adam for the embedding and the gains."""
    inner = [w for name, w in model.named_parameters() if w.ndim == 2 and "embed" not in name]
    outer = [w for name, w in model.named_parameters() if w.ndim != 2 or "embed" in name]
    made = [torch.optim.Muon(inner, lr=matrix_rate, weight_decay=0.05, momentum=0.95)]
    if outer:
        made.append(torch.optim.AdamW(outer, lr=rate, betas=(0.9, 0.98), weight_decay=0.0))
    return made


def train(model, loss, data, steps, seed, keep):
    """-> the loss curve, [[step, mean loss since the last entry], ...]"""
    made, curve, recent, begun = optimisers(model), [], [], time.time()
    rates = [optimiser.param_groups[0]["lr"] for optimiser in made]
    for step, rows in zip(range(1, steps + 1), batches(data, seed)):
        warmth = min(1.0, step / min(100, steps), (steps - step + 1) / (0.9 * steps))
        for optimiser, rate in zip(made, rates):
            optimiser.param_groups[0]["lr"] = rate * warmth
        with torch.autocast("cpu", torch.bfloat16):
            value = loss(rows)
        model.zero_grad()
        value.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for optimiser in made:
            optimiser.step()
        recent.append(value.item())
        if step % max(1, steps // 40) == 0 or step == steps:
            curve.append([step, round(float(np.mean(recent)), 4)])
            print(
                f"step {step}/{steps}  {curve[-1][1]:.3f}  {time.time() - begun:.0f} s", flush=True
            )
            recent.clear()
        keep(step)
    return curve


@torch.no_grad()
def held_out(model, data, most=200_000):
    """Nats per character on held-out windows, after at least half a window of context."""
    half = CONTEXT // 2
    starts = range(0, min(len(data), most) - CONTEXT - 1, half)
    losses = []
    for at in range(0, len(starts), BATCH):
        rows = torch.stack([data[s : s + CONTEXT + 1] for s in starts[at : at + BATCH]])
        logits = model(rows[:, :-1])[:, half:].flatten(0, 1)
        losses.append(F.cross_entropy(logits, rows[:, half + 1 :].flatten(), reduction="none"))
    return round(float(torch.cat(losses).mean()), 4)


def folded(part, model):
    """Matrices as the package multiplies them, (in, out), gains and 1/√d folded in."""
    if part == "heads":
        return {name.removesuffix(".weight"): w.T for name, w in model.state_dict().items()}
    arrays = {"embed": model.embed.weight}
    for i, layer in enumerate(model.layers):
        width = len(layer.gain1)
        scale = torch.ones(3 * width)
        scale[:width] = (width // layer.heads) ** -0.5
        arrays[f"{i}.qkv"] = layer.gain1[:, None] * layer.qkv.weight.T * scale
        arrays[f"{i}.out"] = layer.out.weight.T
        arrays[f"{i}.up"] = layer.gain2[:, None] * layer.up.weight.T
        arrays[f"{i}.down"] = layer.down.weight.T
    return arrays


def int8(arrays):
    """Each matrix in bytes and a float32 scale per column (for the embedding: per row)."""
    stored = {}
    for name, array in arrays.items():
        array = array.detach().float().numpy()
        axis = 1 if name == "embed" else 0
        scale = np.abs(array).max(axis=axis, keepdims=True) / 127 + 1e-12
        stored[name] = np.round(array / scale).astype(np.int8)
        stored[f"{name}.scale"] = scale.astype(np.float32)
    return stored


def load(part, folder, name=None):
    """The model of ``folder/name.pt``, frozen."""
    model = Heads(SHAPES["target"][0]) if part == "heads" else Transformer(*SHAPES[part])
    model.load_state_dict(torch.load(folder / f"{name or part}.pt"))
    return model.eval().requires_grad_(False)


def save(part, model, folder, name):
    torch.save(model.state_dict(), folder / f"{name}.pt")
    np.savez(folder / f"{name}.npz", **int8(folded(part, model)))


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("part", choices=["target", "draft", "heads"])
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--keep", type=int, nargs="*", default=[], help="also save after N steps")
    args = parser.parse_args(arguments)
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    args.out.mkdir(parents=True, exist_ok=True)
    training, held = split()
    part, target = args.part, None
    if part != "target":
        target = load("target", args.out)
    model = Heads(SHAPES["target"][0]) if part == "heads" else Transformer(*SHAPES[part])

    def keep(step):
        if step in args.keep:
            save(part, model, args.out, f"{part}-{step}")

    begun = time.time()
    loss = torch.compile(loss_of(part, model, target))
    data = torch.from_numpy(stream(training))
    curve = train(model, loss, data, args.steps, args.seed, keep)
    card = {
        "part": part,
        "shape": SHAPES.get(part),
        "steps": args.steps,
        "characters": args.steps * BATCH * CONTEXT,
        "seconds": round(time.time() - begun),
        "seed": args.seed,
        "curve": curve,
        "corpus": fingerprint(training),
        "corpus_characters": len(data),
        "held_out_documents": len(held),
        "script": hashlib.sha256(Path(__file__).read_bytes()).hexdigest(),
        "versions": {
            "python": platform.python_version(),
            "torch": torch.__version__,
            "numpy": np.__version__,
        },
    }
    if part != "heads":
        card["held_out_nats"] = held_out(model, torch.from_numpy(stream(held)))
        print(f"held out: {card['held_out_nats']} nats per character")
    save(part, model, args.out, part)
    card["weights"] = hashlib.sha256((args.out / f"{part}.npz").read_bytes()).hexdigest()
    (args.out / f"{part}.json").write_text(json.dumps(card, indent=1) + "\n")


if __name__ == "__main__":
    main()
