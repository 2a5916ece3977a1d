# %% header [markdown]
r"""
# Does it pay, in seconds, on this machine?

75 minutes · going further · needs: notebooks [04](04_block_decoding.ipynb) and
[05](05_geometric_yield.ipynb) · [[launch]]

**After this you can** *run* a real transformer with a cache and roll it back, *predict* its
speed-up from what a pass and a draft step cost here, and *account* for the difference to the clock.
"""

# %% before-you-start [markdown]
r"""
## Before you start

Answer from memory, then unfold.

1. (Notebook 05) A round brings 3 tokens on average, with $\gamma = 4$ drafts at $c = .1$ target
   passes each. Which speed-up does the ledger promise, and what does it assume about the target's
   pass over the block?
2. (Notebook 04) The target scores $\gamma$ drafted tokens and gives $\gamma + 1$ rows. Which row
   does the bonus token come from?

<details><summary>Answers</summary>

1. $3/(1 + .4) = 2.14$. It assumes that a pass over the block costs what a pass for one token costs.
2. From the last one: the law after the last drafted token.

</details>
"""

# %% setup
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: one thread is steadier, faster
import sys
import time
from collections import Counter

import numpy as np
from IPython.display import Markdown, display

from specnotes import checks, widgets
from specnotes.tiny.corpus import encode
from specnotes.tiny.transformer import Transformer

IN_BROWSER = sys.platform == "emscripten"  # Python compiled for the browser, without a fast BLAS

# %% predict-intro [markdown]
r"""
## Predict

So far a pass was a unit. Here it is a computation: four layers of a small trained language model,
written in NumPy. It reads and writes characters.
"""

# %% predict-hole tags=["predict"]
widgets.predict(
    "hole",
    "A draft model keeps notes on the text that it has read. By a bug one character is missing "
    "from them, and nobody notices. What suffers?",
    ["the law of the text", "the speed", "both"],
    answer="the speed",
    why="The notes make its guesses worse, and they are checked. A target's notes are not.",
)

# %% predict-rows tags=["predict"]
widgets.predict(
    "rows",
    "One pass of the target over six characters does six times the arithmetic of a pass over one. "
    "How much longer does it take on this machine?",
    ["about the same", "twice as long", "three or four times", "six times"],
    why="That depends on the machine, and you have measured yours in “What a pass costs here”.",
)

# %% by-hand [markdown]
r"""
## A cache by hand

A transformer predicts the next token by looking back. For each token it computes three vectors:
a *query* (what am I looking for?), a *key* (what do I offer?) and a *value* (what do I say?). The
last token compares its query with all keys so far, and mixes the values by how well they match.
This is attention. Here it is for three words, one layer, vectors of four untrained numbers.
"""

# %% toy
CAT, SAT, MAT = range(3)
rng = np.random.default_rng(11)
EMBED = rng.normal(size=(3, 4))
QUERY, KEY, VALUE = rng.normal(size=(3, 4, 4))


def softmax(scores):
    mass = np.exp(scores - scores.max())
    return mass / mass.sum()


def fresh_law(text):
    """The law after ``text``, everything computed anew.  n tokens -> (3,)"""
    x = EMBED[list(text)]  # (n, 4)
    keys, values = x @ KEY, x @ VALUE  # (n, 4) each
    attention = softmax(keys @ (x[-1] @ QUERY))  # (n,)
    return softmax(EMBED @ (attention @ values))


print("after cat sat mat:", fresh_law((CAT, SAT, MAT)).round(3))

# %% toy-why [markdown]
r"""
Write one word more, and `fresh_law` computes all keys and values again. But the key of `cat`
depends on `cat` alone, and nothing that comes later changes it. (With several layers it depends on
what came *before* `cat` as well; that does not change either.) So keep them: the **KV cache**.
"""


# %% toy-cache
class ToyCache:
    """A key and a value per token that was read."""

    def __init__(self):
        self.keys, self.values = [], []

    def read(self, key, value):
        self.keys.append(key)
        self.values.append(value)


def cached_law(cache, token):
    """The law after one more token: only this token's vectors are new.  -> (3,)"""
    x = EMBED[token]
    cache.read(x @ KEY, x @ VALUE)
    attention = softmax(np.array(cache.keys) @ (x @ QUERY))
    return softmax(EMBED @ (attention @ np.array(cache.values)))


notes = ToyCache()
for token in (CAT, SAT, MAT):
    law = cached_law(notes, token)
print("after cat sat mat:", law.round(3), "from", len(notes.keys), "cached positions")

# %% stale-text [markdown]
r"""
The same law, for the work of one token instead of three.

Now speculate. `mat` was drafted, the target read it while checking, and refused it: the text is
`cat sat cat`. The cache still holds `mat`. If nobody tells it, the next law is the law after
`cat sat mat cat`, a text that does not exist.
"""

# %% stale
print("without roll-back:", cached_law(notes, CAT).round(3))
print("what it should be:", fresh_law((CAT, SAT, CAT)).round(3))

# %% ex1-text [markdown]
r"""
### Exercise 1: forget (6 min, core)

Write `rollback(cache, length)`: afterwards the cache holds the keys and values of the first
`length` tokens, and can read on. Change the cache itself; return nothing.
"""


# %% ex1 tags=["exercise"]
def rollback(cache, length):
    """Forget every token after the first ``length``."""
    ### BEGIN SOLUTION
    del cache.keys[length:], cache.values[length:]
    return
    ### END SOLUTION
    return ...


# %% ex1-check tags=["check"]
checks.rollback(rollback)

# %% ex1-help [markdown]
r"""
<details><summary>Hint</summary>

`del some_list[3:]` removes everything from position 3 on. A position has a key and a value.

</details>

[[solution ex1]]

In arrays with room to spare not even that is needed: shorten the count, and let new entries
overwrite the old. Forgetting is free.
"""

# %% ex2-text [markdown]
r"""
### Exercise 2: how far back? (10 min, core)

A text has $n$ tokens, all read by both models. A round follows.

- The draft draws $y_1$, reads it, draws $y_2$, reads it, …, draws $y_\gamma$. Then it stops.
- The target reads $y_1 \dots y_\gamma$ in one pass. The verifier accepts the first $k$ of them, and
  one token of the target's own is added.

How many positions of each cache belong to the *new* text and may stay? As many as possible: what is
rolled back too far must be read again. Return `(target, draft)`.
"""


# %% ex2 tags=["exercise"]
def still_true(text_length, draft_length, accepted):
    """Positions of the target's and of the draft's cache that stay after a round."""
    ### BEGIN SOLUTION
    target = text_length + accepted  # the target's own token was never read
    draft = min(target, text_length + draft_length - 1)  # nor did the draft read its last one
    return target, draft
    ### END SOLUTION
    return ...


# %% ex2-check tags=["check"]
checks.positions(still_true)

# %% ex2-help [markdown]
r"""
<details><summary>Hint</summary>

Take $n = 5$, $\gamma = 3$. The target's cache ends at 8 positions, the draft's at 7. Go through
$k = 0, 1, 2, 3$. In which case does the draft lack something?

</details>

[[solution ex2]]

<details><summary>A classical bug (after you have solved it)</summary>

After a *fully accepted* block somebody sets the draft's length to $n + \gamma$. One token was never
read, and from then on everything is shifted.

</details>
"""

# %% real-text [markdown]
r"""
## The real one

`specnotes.tiny` has a trained model of this kind: characters instead of words, four layers. Its
file `transformer.py` is two pages long. You do not roll it back by hand, because at each call it
compares its cache with the text it is given, and keeps the common beginning. It cannot be stale.
"""

# %% real
target = Transformer()
PROMPTS = {
    "code": 'def count_words(path):\n    """Return how often each word occurs in a file."""\n'
    "    counts = {}\n    with open(path) as file:\n        for line in file:\n            for w",
    "prose": "The statement is executed as follows.  First, the expression is evaluated to obtain\n"
    "an object; if it has no such attribute, an exception is raised.  The value of ",
    "list": "colors = {\n    'red': (255, 0, 0),\n    'green': (0, 255, 0),\n"
    "    'blue': (0, 0, 255),\n    'white': (255, 255, 255),\n    'black': (0, 0, 0),\n    'y",
}
prompts = {name: encode(text) for name, text in PROMPTS.items()}

print(f"{target.weights.parameters:,} parameters, {len(target.vocabulary)} characters")
law = target.next_law(prompts["prose"])
print(f"after {len(target.cached)} characters:", end=" ")
print(*(f"{target.vocabulary[i]!r} {law[i]:.3f}" for i in law.argsort()[:-5:-1]), sep=", ")

# %% cache-gain
from specnotes.tiny.transformer import calibrate

calibrate(target)  # for a second it tries how to lay out its matrices on this machine
text = prompts["code"]


def milliseconds(length, tries):
    """Time of a law when ``length`` characters are cached; the best of some tries."""
    spent = []
    for _ in range(tries):
        target.rollback(length)
        start = time.perf_counter()
        target.next_law(text)
        spent.append(1e3 * (time.perf_counter() - start))
    return min(spent)


print(f"one character more, cached:   {milliseconds(len(text) - 1, 5):6.2f} ms")
print(f"everything again ({len(text)} rows): {milliseconds(0, 2):6.2f} ms")

# %% hole-text [markdown]
r"""
## Experiment: a hole in the notes

Back to the first prediction. `with_hole` is a model whose cache has missed the third-last
character. First it is the draft, with the healthy model as target: a draft *equal to its target*,
but for the bug. Then the roles change. What comes out of one step is computed exactly
(`emitted_law`, notebook 01), and compared with the healthy law.
"""

# %% hole
from specnotes.laws import overlap, total_variation
from specnotes.verify import emitted_law

kept, off_draft, off_target = [], [], []
for end in range(20, 140, 8):
    begun = prompts["prose"][:end]
    healthy = target.next_law(begun)
    with_hole = target.next_law(begun[:-3] + begun[-2:])
    kept.append(overlap(healthy, with_hole))
    off_draft.append(total_variation(emitted_law(healthy, with_hole), healthy))
    off_target.append(total_variation(emitted_law(with_hole, healthy), healthy))

print(f"hole in the draft:  kept {np.mean(kept):.0%} instead of 100%, ", end="")
print(f"law off by {max(off_draft):.0e}")
print(f"hole in the target: law off by {np.mean(off_target):.2f} on average")

# %% hole-why [markdown]
r"""
A draft's bug costs speed, a target's bug costs the law. This gives two tests for a cache, and you
need both. **A draft equal to its target must have every token accepted**: this sees a bug in the
draft's cache, which no test of the law can see. **Laws with the cache must equal laws without**:
this sees the target's.
"""

# %% scouts-text [markdown]
r"""
## Three drafts

A table of 6-grams, counted below in Python's own library (every eighth file that the target was
trained on; what came up only once is left out); a transformer with one layer, trained to imitate
the target; and the target's own first layer, from which a small trained map leads to the exit.
Notebook 10 compares such scouts.
"""

# %% scouts
from specnotes.drafts import NGram
from specnotes.tiny.corpus import ALPHABET, split, stream
from specnotes.tiny.scouts import early_exit
from specnotes.tiny.weights import load_weights

documents = [stream([document]) for document in split()[0][::8]]
drafts = {
    "6-gram": NGram(documents, 6, ALPHABET, least=2),
    "one layer": Transformer(load_weights("draft"), target.tile),
    "early exit": early_exit(target.tile),
}
print(f"{sum(map(len, documents)):,} characters counted")

# %% live [markdown]
r"""
## See it live

Press *Play*, or *Next round* for one target pass at a time (or move *rounds* with the arrow keys).
Accepted characters are squares, corrections diamonds, bonus characters pills. Dashed below them:
what was drafted in vain, the refused one struck out.

1. Which characters are corrected more often: inside words or at their beginnings?
2. Set the temperature to 0. Change the seed. Change the draft. What changes, and what does not?
3. Drag γ to 8. What grows: what is kept in a round, or what is drafted in vain?
"""

# %% live-figure
widgets.token_stream(target, drafts, prompts)

# %% static-text [markdown]
r"""
At temperature 0 the text depends neither on the seed nor on the draft; where its rounds end depends
on the draft. The same without sliders, at temperature 1 and two draft lengths:
"""

# %% static-figure
import matplotlib.pyplot as plt

from specnotes.decode import speculate
from specnotes.plots import draw_trace

shown = ["⏎" if c == "\n" else "␣" if c == " " else c for c in ALPHABET]
fig, axes = plt.subplots(2, 1, figsize=(10, 5), layout="constrained", height_ratios=(4, 9))
for ax, length in zip(axes, (2, 7)):
    run = speculate(target, drafts["6-gram"], text, length, 50, np.random.default_rng(1))
    draw_trace(ax, run.rounds, shown, per_row=26)
    ax.set(xlim=(-0.6, 26.6))  # cells of one size in both
    ax.set_title(f"γ = {length}: 50 characters in {run.target_passes} target passes", loc="left")

# %% same-law [markdown]
r"""
## First of all: the same law

**Greedy.** At temperature 0 the law is one-hot, so that the same distribution means the same text.
"""

# %% greedy
from specnotes.decode import sample
from specnotes.models import transformed
from specnotes.transforms import greedy

sure = transformed(target, greedy)
rng = np.random.default_rng(0)
plain = sample(sure, text, 40, rng)
for name, draft in drafts.items():
    run = speculate(sure, transformed(draft, greedy), text, 4, 40, rng)
    print(f"{name:10} same text: {run.tokens == plain}, {run.target_passes} passes for 40")

# %% exact-text [markdown]
r"""
**Sampled.** One step needs no sample. After a prompt take the real laws over all 96 characters and
compute what the verifier emits. For pairs of characters run the real `speculate` on every coin.
There are too many coins for 96 characters, so both sides keep their five likeliest (`top_k`,
notebook 07). The models' laws are remembered, to spare passes.
"""

# %% exact
from functools import cache

from specnotes.exact import decoder_law, distance, sequence_law
from specnotes.models import PrefixModel
from specnotes.transforms import top_k

for name, draft in drafts.items():
    laws = target.next_law(prompts["prose"]), draft.next_law(prompts["prose"])
    print(f"{name:10} one step, 96 characters: off by", end=" ")
    print(f"{total_variation(emitted_law(*laws), laws[0]):.0e}, α = {overlap(*laws):.3f}")


def top_five(model):
    return PrefixModel(cache(lambda prefix: top_k(model.next_law(prefix), 5)), ALPHABET)


pair, here = (top_five(target), top_five(drafts["6-gram"])), prompts["prose"]
wanted = sequence_law(pair[0], here, 2)
found = decoder_law(*pair, here, 1, 2)
print(f"pairs, {found.paths:,} paths of coins: off by {distance(found, wanted):.0e}")

# %% sampled-text [markdown]
r"""
**Tested.** The same pairs as somebody would test them who cannot enumerate: decode many, count,
compare by χ². At level .001 one right decoder in a thousand is accused. A test that finds nothing
says little unless we know what it *would* find. Its power against the wrong fallback of notebook 02
can be computed, for we have that decoder's exact law too: its bias shifts the law of χ² upwards.
"""

# %% chi-square-verifier
from specnotes.laws import draw
from specnotes.verify import verify_block


def wrong_fallback(target_laws, draft_laws, tokens, rng):
    """Notebook 02's mistake: after a rejection it draws from the whole target."""
    for i, token in enumerate(tokens):
        if rng.random() * draft_laws[i][token] >= target_laws[i][token]:
            return i, draw(target_laws[i], rng)
    return len(tokens), draw(target_laws[-1], rng)


# %% chi-square-counts
RUNS = 2000
likely = sorted(wanted, key=wanted.get, reverse=True)
common = [outcome for outcome in likely if RUNS * wanted[outcome] >= 10]
while RUNS * (1 - sum(map(wanted.get, common))) < 10:
    common.pop()  # all others are pooled, and they must be enough, too


def table(law):
    mass = [float(law.get(outcome, 0)) for outcome in common]
    return RUNS * np.array([*mass, 1 - sum(mass)])


def decoded(verify, seed):
    """How often each pair came out of RUNS runs, as a law."""
    rng, counts = np.random.default_rng(seed), Counter()
    for _ in range(RUNS):
        counts[speculate(*pair, here, 1, 2, rng, verify).tokens] += 1 / RUNS
    return counts


# %% chi-square
from scipy.stats import chi2, chisquare, ncx2

level, freedom = 1e-3, len(common)  # level: how often a right decoder may be accused
bias = table(decoder_law(*pair, here, 1, 2, wrong_fallback)) - table(wanted)
shift = (bias**2 / table(wanted)).sum()  # by so much the bias moves the mean of χ²
missed = ncx2.cdf(chi2.isf(level, freedom), freedom, shift)  # ncx2: χ² shifted by the bias
print(f"{RUNS} runs at level {level}: the wrong fallback escapes with chance {missed:.1g}")

for verify in (verify_block, wrong_fallback):
    verdict = chisquare(table(decoded(verify, seed=2)), table(wanted))
    print(f"{verify.__name__:15} χ² = {verdict.statistic:6.1f}, p = {verdict.pvalue:.2g}")

# %% clock-text [markdown]
r"""
## What a pass costs here

Now the clock. Two numbers decide, both in units of one pass over one new character:

- $c$, a draft step, draw included;
- $v(\gamma)$, the target's pass over a block. It has $\gamma + 1$ rows: the last character of the
  text, and the $\gamma$ drafted ones. (In exercise 2 the text had been read to its end. In a
  running decoder it has not: its last character came from the pass before, which did not read it.)

So the ledger of notebook 05 gets one more letter:

$$S = \frac{N}{\gamma c + v(\gamma)},$$

where $N$ is the mean number of tokens that a pass brings. We take the least of several tries, all
after the same text. So these are prices at their best; the 6-gram even remembers some of its laws.
"""

# %% calibrate
from specnotes.tiny.clock import pass_seconds, proposal_seconds, race

count = 5 if IN_BROWSER else 15
tries = [[pass_seconds(target, text, k, 1) for k in range(1, 10)] for _ in range(count)]
passes = np.min(tries, axis=0)  # the least: whatever else this machine does only adds
second, pass_cost = passes[0], [0.0] + [spent / passes[0] for spent in passes]
six_rows = pass_cost[6]
print(f"a pass over one row: {1e3 * second:.2f} ms, in tiles of {target.tile or 'all'} columns")
print("v of 2 … 9 rows:", *(f"{v:.2f}" for v in pass_cost[2:]))
if IN_BROWSER:  # virtual time: what a machine would take for which a pass is a pass
    pass_cost, costs = [0.0] + [1.0] * 9, dict(zip(drafts, (0.02, 0.08, 0.3)))
    print("virtual time: v = 1 for all rows", end=", ")
else:
    fewer = passes[:-1] / np.minimum.accumulate(passes[::-1])[-2::-1]  # against passes of more rows
    is_busy = np.median(tries, axis=0).sum() > 1.6 * passes.sum() or fewer.max() > 1.5
    rng = np.random.default_rng(0)
    costs = {
        name: min(proposal_seconds(draft, text, 4, rng, 1) for _ in range(10)) / second
        for name, draft in drafts.items()
    }
print("c:", *(f"{name} {cost:.3f}" for name, cost in costs.items()), sep="  ")

# %% calibrate-says
if IN_BROWSER:
    said = f"""Six rows cost **{six_rows:.2f}** times one row. In the browser NumPy has no fast
    library for matrices, and every row is computed for itself. Little can be gained then: six rows
    bring six characters at most, and mostly fewer. So from here on time is *virtual*, as on a
    machine where checking is free: every pass costs 1, and the drafts' costs are typical ones."""
elif is_busy or min(pass_cost[2:]) < 0.95:
    said = """These numbers do not hang together: equal passes differ a lot, or one over more rows
    took *less* time. Most likely this machine is busy with something else: run the cell above again
    before you believe a number."""
elif six_rows < 1.7:
    said = f"""Six rows cost **{six_rows:.2f}** times one row. For one row the processor waits
    for the weights, all twelve megabytes of them; the other rows use them while they are there.
    Checking is cheap here."""
elif six_rows < 3:
    said = f"""Six rows cost **{six_rows:.2f}** times one row. Part of the advantage is lost:
    for a few rows this machine's library copies a matrix into another order first, or its processor
    is already busy with arithmetic, not only with waiting for weights."""
else:
    said = f"""Six rows cost **{six_rows:.2f}** times one row. Checking is expensive here: the
    library for matrices (BLAS) repacks each matrix for a few rows, or works row by row. Expect
    little or no speed-up below. The law is right all the same, and the accounting says why."""
display(Markdown(said))

# %% race-text [markdown]
r"""
## Predicted against measured

`race` decodes the same prompts plainly and speculatively in turn, and takes medians. The prediction
puts *that run's* $N$ into the formula with the $c$ and $v$ measured above, so that only the clock
can prove it wrong. This takes some seconds, on a busy machine half a minute. It is a small sample:
96 characters for each row leave $\alpha$ uncertain by about $\pm .07$ and $N$ by a few tenths, so
that $N$ may even fall where γ grows (in a browser they are 32, with $\pm .12$). Prediction and
clock share that $N$.
"""

# %% race
GAMMAS = 1, 3, 6
texts = [prompts["code"][-80:], prompts["prose"][-80:]]  # shorter ones are read sooner
results = {
    (name, length): race(target, draft, texts, length, 16, repeats=1 if IN_BROWSER else 3)
    for name, draft in drafts.items()
    for length in GAMMAS
}


def predicted(name, length):
    return results[name, length].predicted(costs[name], pass_cost[length + 1])


print("draft       γ    α  tokens per pass  passes saved  predicted  measured")
for (name, length), r in results.items():
    clock = "  –" if IN_BROWSER else f"{r.speedup:.2f}"
    print(f"{name:10} {length:2}  {r.acceptance_rate:.2f}  {r.tokens_per_pass:15.2f}", end="  ")
    print(f"{1 - 1 / r.tokens_per_pass:12.0%}  {predicted(name, length):9.2f}  {clock:>8}")

# %% race-figure
from specnotes.plots.palette import LIGHT

fig, ax = plt.subplots(figsize=(5.4, 4.2), layout="constrained")
for name, marker in zip(drafts, "osD"):
    ours = [(predicted(*key), r) for key, r in results.items() if key[0] == name]
    told = [x for x, _ in ours]
    seen = [r.tokens_per_pass if IN_BROWSER else r.speedup for _, r in ours]
    ax.plot(told, seen, marker, markersize=12, color="white", markeredgecolor="0.1", label=name)
    for x, y, length in zip(told, seen, GAMMAS):
        ax.text(x, y, length, ha="center", va="center_baseline", fontsize=8)
ends = [0, 1.1 * max(*ax.get_xlim(), *ax.get_ylim())]
ax.plot(ends, ends, color="0.6", linewidth=1, zorder=0)
ax.axhline(1, color="0.6", linestyle=":", zorder=0)
ax.text(0.03, 1.03, "plain decoding", color="0.35", fontsize=8)
seen = "tokens per pass" if IN_BROWSER else "measured speed-up"
ax.set(xlim=ends, ylim=ends, xlabel="predicted speed-up", ylabel=seen)
ax.legend(frameon=False, title="the number is γ", markerscale=0.6)
ax.spines[["top", "right"]].set_visible(False)

# %% race-says
gaps = [r.speedup / predicted(*key) - 1 for key, r in results.items()]
best = max(results, key=lambda key: results[key].speedup)
if IN_BROWSER:
    said = """Virtual time agrees with itself, so there is no comparison here: look at passes saved.
    In the figure a point lies above the line by what its drafts cost."""
else:
    said = f"Measured against predicted: {min(gaps):+.0%} to {max(gaps):+.0%}. "
    if max(map(abs, gaps)) > 0.25:
        said += """A gap of more than 25% is mostly noise: most likely this machine is busy. So no
        verdict; run the cells from “What a pass costs here” on again when it is quiet."""
    else:
        verdict = "pays" if results[best].speedup > 1 else "does not pay"
        said += f"""The fastest of these on this machine is {best[0]} with γ = {best[1]},
        {results[best].speedup:.2f} times plain decoding. So here and now it {verdict}. Run these
        cells again: the seeds are the same, so that only the clock can move. How steady is it?"""
display(Markdown(said))

# %% rest-text [markdown]
r"""
## Where the rest goes

Points below the line took longer than predicted. What is not in $c$ and $v$? A stopwatch around
each model shows it. What neither model accounts for is draws, the verifier's coins, the residual,
tuples and loops: bookkeeping. Each try has another seed, so that no text is known before, and
another number of passes. So we take the least time *per pass* and the mean number of passes.
"""


# %% stopwatch
class Timed:
    """A model that adds up the seconds it takes."""

    def __init__(self, model):
        self.model, self.vocabulary, self.seconds = model, model.vocabulary, 0.0

    def next_law(self, prefix):
        return self._timed(self.model.next_law, prefix)

    def score(self, prefix, tokens):
        return self._timed(self.model.score, prefix, tokens)

    def _timed(self, method, *arguments):
        start = time.perf_counter()
        answer = method(*arguments)
        self.seconds += time.perf_counter() - start
        return answer


# %% bill
def bill(draft, seed, length=3, count=40):
    """Milliseconds per pass of (target, draft, rest), and passes per character."""
    timed, guesser, rng = Timed(target), Timed(draft or target), np.random.default_rng(seed)
    start = time.perf_counter()
    if draft is None:
        passes = len(sample(timed, text, count, rng))
    else:
        passes = speculate(timed, guesser, text, length, count, rng).target_passes
    rest = time.perf_counter() - start - timed.seconds - guesser.seconds
    parts = np.array([timed.seconds, guesser.seconds, rest])
    return 1e3 * parts / passes, passes / count


# %% rest-figure
bills = {}
for name, draft in {"plain": None, **drafts}.items():
    parts, passes = zip(*(bill(draft, seed) for seed in range(3)))
    bills[name] = np.min(parts, axis=0) * np.mean(passes)
fig, ax = plt.subplots(figsize=(7.5, 2.6), layout="constrained")
kinds = ("target", "target", ""), ("draft", "draft", "//"), ("the rest", "line", "..")
for i, (label, role, hatch) in enumerate(kinds):
    left = [sum(one[:i]) for one in bills.values()]
    ax.barh(
        list(bills), [one[i] for one in bills.values()], left=left, label=label,
        color=LIGHT[role], hatch=hatch, edgecolor="white",
    )  # fmt: skip
for y, one in enumerate(bills.values()):
    ax.text(sum(one), y, f"  {sum(one):.2f}", va="center")
ax.invert_yaxis()
ax.set(xlabel="milliseconds per character, γ = 3", xlim=(0, 1.15 * max(map(sum, bills.values()))))
ax.legend(frameon=False, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1))
ax.spines[["top", "right"]].set_visible(False)

# %% rest-says
for name, (passes, drafting, rest) in bills.items():
    whole = passes + drafting + rest
    print(f"{name:10} target {passes / whole:4.0%}, draft {drafting / whole:4.0%}", end=", ")
    print(f"the rest {rest / whole:4.0%}: {1e3 * rest:.0f} µs per character")
rests = [1e3 * rest for *_, rest in bills.values()]
print(f"\nbookkeeping: {min(rests):.0f} to {max(rests):.0f} µs per character", end="")
print("." if IN_BROWSER else f"; a pass over one row: {1e6 * second:.0f} µs")
if not IN_BROWSER and (max(rests) > 4 * min(rests) or sum(bills["plain"]) > 2e3 * second):
    print("This machine is busy with something else: run the cell with the bills again.")

# %% rest-why [markdown]
r"""
The line “bookkeeping” says what it costs here; it does not grow with the models. A large model,
whose passes take tens of milliseconds, would hardly notice; a target as small as ours may. Another
part of the gap hides in $c$ and $v$ themselves. They were measured on one text again and again, at
their best: weights warm in the processor's cache, some of the 6-gram's laws looked up before. In a
race contexts are new, and the draft's work pushes some of the target's weights out. So `race` has
prices of its own, taken between the decoders' turns, where the draft has not been. With its $c$:
"""

# %% prices-in-place
if IN_BROWSER:
    print("virtual time: the same prices everywhere")
else:
    for name in drafts:
        print(f"{name:10} c {costs[name]:.3f} above, {results[name, 3].cost_ratio:.3f} in the race")
    told = [r.predicted(verify_ratio=pass_cost[length + 1]) for (_, length), r in results.items()]
    now = [r.speedup / x - 1 for r, x in zip(results.values(), told)]
    print(f"median of measured against predicted: {np.median(gaps):+.0%} → {np.median(now):+.0%}")

# %% width-text [markdown]
r"""
## The width knob

What if the target were larger? Fill every vector up with zeros, from 256 to 384 entries. The same
function, more work: about $(384/256)^2 = 2.25$ times. Nothing about the draft has changed, so that
$c$ falls by the factor by which the target's pass grows. That is all we know beforehand: $v$
belongs to the new matrices and may move either way, and with it the gain. (Where predicted and
measured are far apart, or the factor from 2.25, it is noise, or the gap of the last section: run
both cells again.)
"""

# %% width
from specnotes.tiny.weights import widen

wide = Transformer(widen(target.weights, 384), target.tile)
off = np.abs(wide.next_law(text) - target.next_law(text)).max()
print(f"laws differ by at most {off:.0e}")
names = "6-gram", "one layer"
if IN_BROWSER:
    least = [1.0, 1.0, 2.25, 2.25, *(costs[name] for name in names)]
else:  # in turn: whatever else this machine does, it does to all of them
    kinds = [(model, rows) for model in (target, wide) for rows in (1, 4)]
    tries = []
    for _ in range(10):
        tries.append([pass_seconds(model, text, rows, 1) for model, rows in kinds])
        tries[-1] += [proposal_seconds(drafts[name], text, 4, rng, 1) for name in names]
    least = np.min(tries, axis=0)

one, four, wide_one, wide_four, *steps = least
print("virtual time: " if IN_BROWSER else "", end="")
print(f"a pass over one row: {wide_one / one:.2f} times as long", end=", ")
print(f"v of four rows: {four / one:.2f} → {wide_four / wide_one:.2f}")

# %% width-race
for name, step in zip(names, steps):
    run = results[name, 3] if IN_BROWSER else race(wide, drafts[name], texts[:1], 3, 16, repeats=3)
    before = run.predicted(step / one, four / one)
    after = run.predicted(step / wide_one, wide_four / wide_one)
    print(f"{name:10} c {step / one:.3f} → {step / wide_one:.3f}", end=", ")
    print(f"predicted {before:.2f} → {after:.2f}", end="")
    print("" if IN_BROWSER else f", measured with the wide target {run.speedup:.2f}")

# %% too-much-text [markdown]
r"""
## Too much drafting, and a GPU

The $\gamma$-th drafted token costs $c$ and usually a longer pass. It brings $\alpha^\gamma$ tokens
on average, because all before it must be kept. Put the measured $\alpha$, $c$ and $v$ into the
formula. To the right the same drafts on a machine where $v = 1$ for every block.

If the curves to the left zigzag, it is $v$: a library takes rows in groups, so that one row more
can be nearly free, or even save time. (Noise in $v$ looks the same: measure twice.)
"""

# %% too-much-figure
from specnotes.yields import tokens_per_round

lengths, machine = range(1, 9), "virtual time" if IN_BROWSER else "this machine"
fig, axes = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained", sharey=True)
for ax, v, title in zip(axes, (pass_cost, [1.0] * 10), (machine, "v = 1")):
    for name, line in zip(drafts, ("o-", "s--", "D:")):
        rate = results[name, 3].acceptance_rate
        speeds = [tokens_per_round(rate, n) / (n * costs[name] + v[n + 1]) for n in lengths]
        ax.plot(lengths, speeds, line, color=LIGHT["draft-text"], label=name)
    ax.axhline(1, color="0.5", linestyle=":")
    ax.set(title=title, xlabel="draft length γ")
axes[0].set(ylabel="speed-up by the accounting", ylim=(0, None))
axes[1].legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
for ax in axes:
    ax.spines[["top", "right"]].set_visible(False)

# %% gpu [markdown]
r"""
Why $v = 1$? In round numbers: 70 billion weights of two bytes are 140 GB, and a pass reads them
all. At 2 TB a second this takes 70 ms. The arithmetic for one token is 140 billion operations,
which at 300 trillion a second take half a millisecond. Six rows take three, and still nobody waits
for them. Decoding one text on a GPU is **memory-bound**, and checking is nearly free. For the draft
the same holds: its $c$ is a ratio of *bytes*, plus what it costs to start a computation at all.

Our target has 12 MB. On many machines they fit into the processor's cache, so that it waits less,
and arithmetic counts earlier. And with many users at once the GPU's rows are already full: $v$
rises there, too.
"""

# %% exercises [markdown]
r"""
## Exercises

Exercises 1 and 2 are above.

### Exercise 3: the fastest draft length here (10 min, core)

Write the function that chooses $\gamma$. `verify[k]` is the cost of a pass over $k$ rows, in passes
over one (`verify[0]` is a filler). Try every $\gamma \ge 1$ for which the list has an entry. Return
0 if none is faster than plain decoding. You may use
`tokens_per_round(acceptance_rate, draft_length)`.
"""


# %% ex3 tags=["exercise"]
def my_fastest(acceptance_rate, cost_ratio, verify):
    """The draft length with the largest speed-up; 0 means: do not speculate."""
    ### BEGIN SOLUTION
    best, best_speed = 0, 1
    for length in range(1, len(verify) - 1):
        bill = length * cost_ratio + verify[length + 1]
        speed = tokens_per_round(acceptance_rate, length) / bill
        if speed > best_speed:
            best, best_speed = length, speed
    return best
    ### END SOLUTION
    return ...


# %% ex3-check tags=["check"]
checks.fastest_length(my_fastest)

# %% ex3-help [markdown]
r"""
<details><summary>Hint</summary>

How many rows has the pass that checks $\gamma$ drafted tokens? The last index of the list is
`len(verify) - 1`, and `verify[0]` is a filler.

</details>

[[solution ex3]]

<details><summary>One more thought (after you have solved it)</summary>

If every row costs a pass, `verify[k] = k`, the answer is always 0: $\gamma + 1$ rows bring at most
$\gamma + 1$ tokens.

</details>
"""

# %% ex4-text [markdown]
r"""
### Exercise 4: read a report (8 min, core)

A report says: plain decoding 1.00 ms a token. With $\gamma = 4$: 3.0 tokens a pass, .06 ms a draft
step, 1.35 ms a pass over five rows, and .60 ms a token on the clock. In milliseconds:

1. `predicted`: the time of a token by the accounting.
2. `rest`: what a *round* took beyond what the accounting gives a round.
3. `slowest_step`: with a draft slower than this per step, but guessing as well, the accounting
   expects nothing from speculation.
"""

# %% ex4 tags=["exercise"]
predicted_ms = ...
rest_ms = ...
slowest_step_ms = ...
### BEGIN SOLUTION
predicted_ms = (4 * 0.06 + 1.35) / 3.0
rest_ms = 3.0 * 0.60 - (4 * 0.06 + 1.35)
slowest_step_ms = (3.0 * 1.00 - 1.35) / 4  # a round may take what three plain tokens take
### END SOLUTION

# %% ex4-check tags=["check"]
checks.report(predicted_ms, rest_ms, slowest_step_ms)

# %% ex4-help [markdown]
r"""
<details><summary>Hint</summary>

Write the bill of one round in milliseconds: four draft steps and one pass. It brings 3.0 tokens.

</details>

[[solution ex4]]
"""

# %% ex5-text [markdown]
r"""
### Exercise 5: what suffers? (8 min, stretch)

Five decoders with a cache. Say for each what it spoils: `"law"`, `"acceptance"` (the law is right,
but fewer drafted tokens are kept), or `"nothing"`.

- **A** After a fully accepted block the draft's cache lacks the last drafted token.
- **B** The target's cache keeps the keys and values of refused tokens.
- **C** Both caches are rolled back one position too far, and the token is read again.
- **D** The *draft's* cache keeps the keys and values of refused tokens.
- **E** The draft draws with a stale cache. The laws it hands to the verifier are computed anew,
  without a cache, and right.
"""

# %% ex5 tags=["exercise"]
suffers = {"A": ..., "B": ..., "C": ..., "D": ..., "E": ...}
### BEGIN SOLUTION
suffers = {"A": "acceptance", "B": "law", "C": "nothing", "D": "acceptance", "E": "law"}
### END SOLUTION

# %% ex5-check tags=["check"]
checks.suspects(suffers)

# %% ex5-help [markdown]
r"""
<details><summary>Hint</summary>

The proof of notebook 01 asks two things: the target's law is the target's, and the law that the
draft hands over is the law it drew from. It does not ask that this law is any good.

</details>

[[solution ex5]]
"""

# %% breaks [markdown]
r"""
## Where this breaks

- **Seconds are not a theorem.** They belong to this machine, at this hour, with these neighbours.
  Medians over alternating runs help; a second run tells how much.
- **One $\alpha$ is a mean.** The code prompt, the prose and the list differ, and so do their
  stretches. Notebook 05 shows that a mean of rates is not the rate of the mean.
- **Same text needs the same numbers.** A pass over six rows adds in another order than six passes
  over one. The laws differ in the seventh digit. Where two characters are equally likely to that
  digit, greedy decoding may take the other one: neither is wrong, and a test of equal texts fails.
- **Without a fast library there is little to gain.** In a browser $v$ grows with every row; if
  $v(\gamma) = \gamma + 1$, then $S \le 1$ for every draft, however good.
- **One user.** Speculation buys time with idle arithmetic. A busy server has none to spare.

`make bench-wallclock` measures all drafts, $\gamma$ from 1 to 8, code and prose, sampled and
greedy.
"""

# %% recall-text [markdown]
r"""
## Your predictions, again
"""

# %% recall tags=["recall"]
widgets.recap()

# %% take-away [markdown]
r"""
## Take away

- **One formula.** $\displaystyle S = \frac{N}{\gamma c + v(\gamma)}$: tokens of a round over its
  bill, with the pass over the block priced as it is.
- **One figure.** Predicted against measured: what lies below the line is bookkeeping, colder
  caches, and noise. The first has a size.
- **One function.** `race(target, draft, prompts, draft_length, n_tokens)` times both decoders in
  turn and says what the accounting makes of it: `.predicted(cost_ratio, verify_ratio)`.
"""
