"""Plain against speculative decoding, by the clock on the wall: `make bench-wallclock`.

For every draft, draft length, temperature and kind of text: seconds per character of both, taken in
turn in one run, the measured speed-up (median of the repeats), what the accounting predicts from
the c and v measured just before, and the ratio of the two.
"""

import argparse
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: threads cost more than they give

import numpy as np

from specnotes.drafts import NGram, PromptLookup
from specnotes.models import transformed
from specnotes.tiny.clock import pass_seconds, proposal_seconds, race
from specnotes.tiny.corpus import ALPHABET, passages, split, stream
from specnotes.tiny.scouts import MultiHead, early_exit
from specnotes.tiny.transformer import Transformer, calibrate
from specnotes.tiny.weights import load_weights
from specnotes.transforms import greedy


def drafts(target, tile):
    """Every draft of the course, by name, and whether it is a model that can be made greedy."""
    order = NGram([stream([doc]) for doc in split()[0]], 6, ALPHABET, least=2)
    yield "6-gram", order, True
    yield "one layer", Transformer(load_weights("draft"), tile), True
    yield "early exit", early_exit(tile), True
    yield "heads", MultiHead(target), False
    yield "lookup", PromptLookup(ALPHABET, longest=8, shortest=3), False


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--longest", type=int, default=8, help="draft lengths 1 … this")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--tokens", type=int, default=120)
    parser.add_argument("--prompts", type=int, default=3)
    options = parser.parse_args()
    target = Transformer()
    tile = calibrate(target)
    print(f"tiles of {tile or 'all'} columns")
    texts = {kind: passages(kind, options.prompts, 240) for kind in ("code", "prose")}
    rows = range(1, options.longest + 2)
    passes = [pass_seconds(target, texts["code"][0], k) for k in rows]
    print("T(1) =", f"{1e3 * passes[0]:.2f} ms;  v:", *(f"{p / passes[0]:.2f}" for p in passes[1:]))
    print("draft       T text   γ      α    N   plain    fast  speed-up  predicted  ratio")
    for name, draft, is_model in drafts(target, tile):
        for heat, kind in [(t, kind) for t in (1, 0) for kind in texts]:
            pair = target, draft
            if heat == 0:
                pair = (
                    transformed(target, greedy),
                    transformed(draft, greedy) if is_model else draft,
                )
            for length in rows[:-1]:
                line(options, name, heat, kind, length, pair, texts[kind], passes)


def line(options, name, heat, kind, length, pair, prompts, passes):
    result = race(*pair, prompts, length, options.tokens, repeats=options.repeats)
    rng = np.random.default_rng(0)
    cost = proposal_seconds(pair[1], prompts[0], length, rng) / passes[0]
    v = np.interp(result.drafted_per_pass + 1, range(1, len(passes) + 1), passes) / passes[0]
    told = result.predicted(cost, v)
    plain, fast = 1e3 * result.plain, 1e3 * result.speculative
    print(
        f"{name:11} {heat} {kind:5} {length:2}  {result.acceptance_rate:.3f} "
        f"{result.tokens_per_pass:4.2f} {plain:6.2f} {fast:6.2f} ms"
        f"  {result.speedup:5.2f}  {told:9.2f}  {result.speedup / told:5.2f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
