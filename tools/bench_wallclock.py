"""Plain against speculative decoding, by the clock on the wall: `make bench-wallclock`.

For every draft, draft length, temperature and kind of text: seconds per character of both, taken in
turn in one run, the measured speed-up (median of the repeats), what the accounting predicts from
the c and v measured between those turns, and the ratio of the two.
"""

import argparse
import os
from itertools import islice

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: threads cost more than they give


from specnotes.drafts import FirstOf, GreedyScout, NGram, PromptLookup
from specnotes.models import transformed
from specnotes.tiny.clock import pass_seconds, race
from specnotes.tiny.corpus import ALPHABET, passages, split, stream
from specnotes.tiny.scouts import MultiHead, early_exit
from specnotes.tiny.transformer import Transformer, calibrate
from specnotes.tiny.weights import load_weights
from specnotes.transforms import greedy


def drafts(target, tile):
    """Every draft of the course by name, for sampling and for greedy decoding."""
    order = NGram([stream([doc]) for doc in split()[0]], 8, ALPHABET, least=3, weight=5)
    copy = PromptLookup(ALPHABET, longest=20, shortest=6)
    yield "8-gram", order, GreedyScout(order)
    yield "copy or 8-gram", FirstOf(copy, order), FirstOf(copy, GreedyScout(order))
    layer = Transformer(load_weights("draft"), tile)
    yield "one layer", layer, GreedyScout(layer)
    leave = early_exit(tile)
    yield "early exit", leave, GreedyScout(leave)
    yield "heads", MultiHead(target), MultiHead(target, step=greedy)
    lookup = PromptLookup(ALPHABET, longest=8, shortest=3)
    yield "lookup", lookup, lookup


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--lengths", type=int, nargs="+", default=range(1, 9))
    parser.add_argument("--drafts", type=int, default=9, help="only the first so many")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--tokens", type=int, default=80)
    parser.add_argument("--prompts", type=int, default=6)
    options = parser.parse_args()
    target = Transformer()
    tile = calibrate(target)
    print(f"tiles of {tile or 'all'} columns")
    texts = {kind: passages(kind, options.prompts, 240) for kind in ("code", "prose")}
    rows = range(1, max(options.lengths) + 2)
    passes = [pass_seconds(target, texts["code"][0], k, repeats=60) for k in rows]
    print("T(1) =", f"{1e3 * passes[0]:.2f} ms;  v:", *(f"{p / passes[0]:.2f}" for p in passes[1:]))
    print(
        "draft           T text   γ      α    N     c     v   plain    fast  speed-up  pred.  ratio"
    )
    for name, draft, greedy_draft in islice(drafts(target, tile), options.drafts):
        pairs = {1: (target, draft), 0: (transformed(target, greedy), greedy_draft)}
        for heat, kind in [(t, kind) for t in pairs for kind in texts]:
            for length in options.lengths:
                line(options, name, heat, kind, length, pairs[heat], texts[kind])


def line(options, name, heat, kind, length, pair, prompts):
    result = race(*pair, prompts, length, options.tokens, repeats=options.repeats)
    told = result.predicted()
    plain, fast = 1e3 * result.plain, 1e3 * result.speculative
    print(
        f"{name:15} {heat} {kind:5} {length:2}  {result.acceptance_rate:.3f} "
        f"{result.tokens_per_pass:4.2f} {result.cost_ratio:5.3f} {result.verify_ratio:5.2f} "
        f"{plain:6.2f} {fast:6.2f} ms  {result.speedup:5.2f}  {told:7.2f}"
        f"  {result.speedup / told:5.2f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
