# %% header [markdown]
r"""
# What makes a useful scout?

110 minutes · needs: notebooks [05](05_geometric_yield.ipynb) and
[07](07_sampling_transforms.ipynb) · [[launch]]

**After this you can** *build* five kinds of draft, *measure* what each is worth on your own
machine, and *choose* one by its overlap and its price instead of its perplexity.
"""

# %% before-you-start [markdown]
r"""
## Before you start

Answer from memory, then unfold.

1. (Notebook 05) A draft step costs $c$ target passes and a drafted token is kept with chance
   $\alpha$. When does some draft length make decoding faster? What does a round of $\gamma$ drafts
   cost?
2. (Notebook 07) A draft always proposes one token, its best guess. What is $q$, and with what
   chance is the token kept?

<details><summary>Answers</summary>

1. If and only if $\alpha > c$. The round costs $\gamma c + 1$ target passes.
2. A one-hot law: all mass on one token. The token $x$ is kept with chance $\min(1, p(x)/1) = p(x)$,
   the overlap of $p$ and the one-hot law.

</details>
"""

# %% setup
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: small matrices, one thread

import json
import re
from collections import Counter
from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np

from specnotes import checks, widgets

# %% predict-intro [markdown]
r"""
## Predict

Until now drafts were tables of four words. From here on they work for a language model: a trained
transformer over characters that comes with the package. Whoever proposes tokens to it, we call a
**scout**. A scout may be a small model, a table, or a search in the text.
"""

# %% predict-perplexity tags=["predict"]
widgets.predict(
    "perplexity",
    "Draft A has infinite perplexity on the target's text, draft B a good one. Whose tokens are "
    "kept more often?",
    ["usually B's", "usually A's", "neither is implied"],
    answer="neither is implied",
    why="One token with q = 0 makes perplexity infinite, and costs only its own small overlap.",
)

# %% predict-price tags=["predict"]
widgets.predict(
    "price",
    "Scout A keeps 80 % and costs a fifth of a target pass per token. Scout B keeps 60 % and costs "
    "a hundredth. Each uses its best draft length. Which one decodes faster?",
    ["A", "B", "about the same"],
    answer="B",
    why="A reaches 1.87 times plain decoding, with 4 drafts; B 2.30 times, with 7.",
)

# %% predict-temperature tags=["predict"]
widgets.predict(
    "hot",
    "Target and draft, neither with a probability of 0, are sampled at the same temperature T, "
    "and T grows without bound. What does the overlap tend to?",
    ["0", "the share of equal first choices", "1"],
    answer="1",
    why="Both laws tend to the uniform one. Equal first choices are the other end, T → 0.",
)

# %% by-hand [markdown]
r"""
## Two scouts by hand

Three tokens, target $p = (12, 6, 2)/20$. Draft A has never seen the last token:
$q_A = (13, 7, 0)/20$. Draft B spreads its bets: $q_B = (9, 7, 4)/20$.

| | *the* | *cat* | *sat* | sum |
|---|---|---|---|---|
| $\min(p, q_A)$ | 12/20 | 6/20 | 0 | **18/20** |
| $\min(p, q_B)$ | 9/20 | 6/20 | 2/20 | **17/20** |

Perplexity asks how much mass the draft gives to what the target writes:
$\exp(-\sum p \ln q)$. For A it is infinite, since $p$ writes *sat* now and then and
$\ln 0 = -\infty$. For B it is finite. Yet A's tokens are kept more often.

Perplexity punishes what a draft *lacks*, without limit. A verifier only rejects what it has *too
much* of, and a missing token costs no more than its own mass.

Now the price. Say a token of A takes .2 target passes and one of B .01. Per unit of drafting time,
A brings $.9/.2 = 4.5$ accepted tokens and B $.85/.01 = 85$. We call this the **accepted target mass
per unit of draft latency**.
"""

# %% by-hand-code
from specnotes.laws import overlap
from specnotes.yields import best_draft_length, speedup, tokens_per_round

p, q_a, q_b = (
    np.array([Fraction(n, 20) for n in row]) for row in ((12, 6, 2), (13, 7, 0), (9, 7, 4))
)
for name, q, price in (("A", q_a, 0.2), ("B", q_b, 0.01)):
    with np.errstate(divide="ignore"):
        perplexity = np.exp(-(p.astype(float) * np.log(q.astype(float))).sum())
    gamma = best_draft_length(float(overlap(p, q)), price)
    gain = speedup(float(overlap(p, q)), gamma, price)
    print(f"{name}: overlap {overlap(p, q)}, perplexity {perplexity:.2f}", end=", ")
    print(f"gain {gain:.2f} at γ = {gamma}")

# %% texts-intro [markdown]
r"""
## Four kinds of text

The target was trained on the sources of Python's standard library and on its reference manual. Some
files were held out. We look at code and prose from those, at made-up JSON, and at an edit: a piece
of code, and then the same piece again with one name written in capitals.

Each text has 360 characters. The first 180 are context, the others are the positions at which we
compare laws.
"""

# %% texts
from specnotes.tiny import corpus

START, LENGTH, EACH = 180, 360, 2
kept_text, _ = corpus.split()
code, prose = (corpus.passages(kind, EACH + 1, LENGTH)[1:] for kind in ("code", "prose"))


def record(number):
    """One made-up entry of a JSON list."""
    return {"id": number, "name": f"item{7 * number % 90}", "size": 37 * number % 64, "open": True}


def edited(tokens):
    """The text, and once more with its commonest longer word in capitals."""
    body = corpus.decode(tokens[:START])
    word = max(re.findall(r"\w{4,}", body), key=body.count)
    return corpus.encode(body + body.replace(word, word.upper()))


rows = (json.dumps([record(n + 50 * i) for n in range(9)], indent=1) for i in range(EACH))
texts = {"code": code, "prose": prose, "JSON": [corpus.encode(row[:LENGTH]) for row in rows]}
texts["edit"] = [edited(text) for text in code]
for kind, (text, *_) in texts.items():
    print(f"{kind:6}", repr(corpus.decode(text[START : START + 70])))

# %% ngram-intro [markdown]
r"""
## Scout 1: n-grams, with back-off

Count which character followed each context of up to $n - 1$ characters. To propose, take the
longest context that was ever seen: back off from it to shorter ones until one is known. Here it is
on one line of text.
"""


# %% ngram-by-hand
def counts_of(text, order):
    """context → how often each character followed it, for contexts of 0 to order − 1."""
    table = {}
    for n in range(order):
        for i in range(n, len(text)):
            table.setdefault(text[i - n : i], Counter())[text[i]] += 1
    return table


def backed_off(table, context):
    """Law of the next character: what followed the longest known end of the context."""
    while context not in table:
        context = context[1:]
    total = sum(table[context].values())
    return {x: Fraction(n, total) for x, n in table[context].items()}


table = counts_of("the cat sat on the mat; the rat ran", 4)
for context in ("the", "sat", "fat"):
    print(f"{context!r:6}", {x: str(share) for x, share in backed_off(table, context).items()})

# %% ngram-text [markdown]
r"""
*sat* was seen once, and one space followed. So the law is sure of the space. That is rash: a
context seen once says little. A better law mixes: it keeps its counts, and leaves some weight to
the shorter context.

How much? Witten and Bell (1991) take the number $T$ of *different* tokens that followed: a context
that has often been surprised will be surprised again. With the counts $c(x)$ and the law of the
context without its oldest token,

$$q(x) \;=\; \frac{c(x) + T \cdot q_{\text{shorter}}(x)}{\sum c + T}.$$

By hand: after *at*, a space came three times and a semicolon once, so $c = (3, 1)$ and $T = 2$. Let
the shorter context say $(1/2, 1/2)$. Then $q = (3 + 1,\; 1 + 1)/(4 + 2) = (2/3, 1/3)$.
"""

# %% ex1-text [markdown]
r"""
### Exercise 1: leave room for surprise (6 min, core)

Write the formula. `counts` (V,) are whole numbers, `shorter` (V,) is a law. A context that was
never seen has the law of the shorter one.
"""


# %% ex1 tags=["exercise"]
def interpolated(counts, shorter):
    """Witten–Bell: counts, and T parts of the shorter context's law.  (V,), (V,) -> (V,)"""
    ### BEGIN SOLUTION
    different = (counts > 0).sum()
    if different == 0:
        return shorter
    return (counts + different * shorter) / (counts.sum() + different)
    ### END SOLUTION
    return ...


# %% ex1-check tags=["check"]
checks.interpolated(interpolated)

# %% ex1-help [markdown]
r"""
<details><summary>Hint</summary>

$T$ is the number of entries of `counts` above zero. If there are none, the formula is 0/0.

</details>

[[solution ex1]]
"""

# %% ngram-import [markdown]
r"""
From here on we use the package's `NGram`: the same formula, on sorted tables. It counts in every
eighth document of the target's own training text, at orders 1 to 7.
"""

# %% ngrams
from specnotes.drafts import NGram

part = [corpus.stream([document]) for document in kept_text[::8]]
ngrams = {f"{n}-gram": NGram(part, n, corpus.ALPHABET) for n in range(1, 8)}

print(f"{sum(map(len, part)) / 1e6:.1f} M characters")
law = ngrams["4-gram"].next_law(corpus.encode("import o"))
print({corpus.ALPHABET[x]: round(float(law[x]), 3) for x in law.argsort()[:-4:-1]})

# %% lookup-intro [markdown]
r"""
## Scout 2: prompt lookup

No table, no training. Text repeats itself: an edit repeats the code, an answer repeats the
question. Look where the last few tokens came up before, and propose what followed then.

The rule has two choices. We take the *longest* suffix that occurs earlier, up to `longest` tokens,
and of its earlier occurrences the *leftmost*. (An occurrence is earlier if it ends before the last
token. It may overlap the suffix.) Then copy what followed: `count` tokens, or as many as there are.
With the context 1 2 3 4 2 3, the suffix 2 3 was there before, and 4 2 3 followed.
"""

# %% ex2-text [markdown]
r"""
### Exercise 2: look it up (10 min, core)

`prefix` is a tuple of tokens. Return a tuple of tokens, empty if nothing is found.
"""


# %% ex2 tags=["exercise"]
def look_up(prefix, count, longest):
    """What followed the leftmost earlier occurrence of the longest known suffix."""
    ### BEGIN SOLUTION
    for n in range(min(longest, len(prefix) - 1), 0, -1):
        for start in range(len(prefix) - n):
            if prefix[start : start + n] == prefix[-n:]:
                return prefix[start + n : start + n + count]
    return ()
    ### END SOLUTION
    return ...


# %% ex2-check tags=["check"]
checks.look_up(look_up)

# %% ex2-help [markdown]
r"""
<details><summary>Hint</summary>

Two loops. The outer one goes down from the longest suffix to the one of length 1, the inner one
over start positions from the left. The suffix begins at `len(prefix) - n`: an occurrence there is
the suffix itself.

</details>

[[solution ex2]]
"""

# %% lookup-import [markdown]
r"""
The package's `PromptLookup` searches like yours, as Transformers and vLLM do; with `whole=True` it
wants whole copies, as the original does. `shortest=3`: it looks for no fewer than three characters,
for one alone stands everywhere. A scout without chance hands over one-hot laws, so the verifier
needs no change.
"""

# %% lookup
from specnotes.drafts import PromptLookup

lookup = PromptLookup(corpus.ALPHABET, longest=8, shortest=3)
prompt = corpus.encode("def first(items):\n    return items[0]\n\n\ndef last(ite")
tokens, laws = lookup.propose(prompt, 6, None)
print(repr(corpus.decode(tokens)), laws.shape, laws.max(axis=1))

# %% transformer-intro [markdown]
r"""
## Scout 3: a small transformer

The target has four layers of width 256; the draft has one layer of width 128, trained on the
target's laws. A layer does two things. *Attention*: each position asks the earlier ones, and takes
a mix of their values. *A small network*: each position by itself. Before each stands a norm, and
the result is added to what was there. Attention discounts far positions (ALiBi), the small network
squares what is above zero, and token 0, a line break, begins every text. This is all of it, for a
whole text at once:
"""


# %% transformer-by-hand
def norm(x):
    return x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + 1e-5)


def attention(x, qkv, out, heads=4):
    """Each position mixes the values of the positions up to its own.  (L, d) -> (L, d)"""
    length, width = x.shape
    asked, keys, values = (x @ qkv).reshape(length, 3, heads, width // heads).transpose(1, 2, 0, 3)
    distance = np.arange(length)[:, None] - np.arange(length)
    slopes = 2.0 ** (-8 * np.arange(1, heads + 1) / heads)
    weights = asked @ keys.transpose(0, 2, 1) - slopes[:, None, None] * distance
    weights = np.exp(np.where(distance < 0, -np.inf, weights))
    weights /= weights.sum(axis=-1, keepdims=True)
    return (weights @ values).transpose(1, 0, 2).reshape(length, width) @ out


def states(weights, tokens, layers):
    """What the model knows after a line break and after each token.  -> (len(tokens) + 1, d)"""
    x = weights.embed[[0, *tokens]]
    for qkv, out, up, down in weights.layers[:layers]:
        x = x + attention(norm(x), qkv, out)
        x = x + np.maximum(norm(x) @ up, 0) ** 2 @ down
    return norm(x)


# %% transformer-check
from specnotes.tiny.transformer import Transformer, softmax
from specnotes.tiny.weights import load_weights

weights = load_weights("draft")
by_hand = softmax(states(weights, prompt, layers=1) @ weights.head)

target, one_layer = Transformer(load_weights("target")), Transformer(weights)
print("largest difference:", f"{np.abs(by_hand - one_layer.score((), prompt)).max():.0e}")
print(f"{load_weights().parameters:,} parameters against {weights.parameters:,}")

# %% transformer-text [markdown]
r"""
The same laws to rounding. The package's `Transformer` does it with a cache, so that a step costs
what is new. How that works, and what it does to the clock, is the matter of notebook 11.

## Scouts 4 and 5: the target's own insides

**Early exit.** Stop after the target's first layer, send its state through one trained map, and
read it with the target's own head. No second model has to be kept in memory.

**Several heads.** The target's last state has just been computed. Train maps that guess from it,
not the next character, but the ones after. A proposal then costs a few small products and no pass
at all. But each head guesses for itself: the second does not know what the first has drawn.
"""

# %% insides-by-hand
from specnotes.tiny.scouts import MultiHead, early_exit
from specnotes.tiny.weights import load_heads

ahead, leave = load_heads()
whole = load_weights("target")

first = states(whole, prompt, layers=1)
early = softmax(norm(first + first @ leave) @ whole.head)  # early exit
# The heads start one token back: head 1 guesses the second character after this state.
state = states(whole, prompt[:-1], layers=4)[-1]
heads = softmax(np.stack([norm(state + state @ head) for head in ahead]) @ whole.head)

exit_scout, head_scout = early_exit(), MultiHead(target)
print(f"{np.abs(early - exit_scout.score((), prompt)).max():.0e}", end="  ")
print(f"{np.abs(heads - head_scout.laws(prompt)).max():.0e}", f"{len(ahead)} heads")

# %% along-intro [markdown]
r"""
## Overlap, measured without dice

To know a scout's $\alpha$ there is no need to decode and count. At every position of a text, target
and scout have laws; their overlap $\sum \min(p, q)$ is the chance that a drafted token is kept
there. We average over 360 positions of each kind. No sampling error, only the choice of texts.

A row of zeros stands for "nothing to propose". The heads stand here with their first one.
"""


# %% along
def laws_along(scout, text):
    """The scout's laws before each token of text[START:].  -> (LENGTH − START, V)"""
    if hasattr(scout, "score"):
        return scout.score(text[:START], text[START:-1])
    proposals = (scout.propose(text[:i], 1, None)[1] for i in range(START, LENGTH))
    return np.stack([law.sum(axis=0) for law in proposals])  # no row at all: zeros


def head_laws(text):
    """What all heads say before each token of text[START:].  -> (LENGTH − START, heads, V)"""
    target.next_law(text)  # one pass: every state is at hand
    return np.stack([head_scout.laws(text[:i]) for i in range(START, LENGTH)])


# %% along-all
scouts = ngrams | {"look-up": lookup, "one layer": one_layer, "early exit": exit_scout}
laws, guesses = {}, {}
for kind, some in texts.items():
    whole = [(laws_along(target, text), head_laws(text)) for text in some]  # one pass for both
    laws[kind] = {"target": np.stack([due for due, _ in whole])}
    guesses[kind] = np.stack([ahead_of for _, ahead_of in whole])  # (texts, positions, heads, V)
    for name, scout in scouts.items():
        laws[kind][name] = np.stack([laws_along(scout, text) for text in some])
    laws[kind]["heads"] = guesses[kind][:, :, 0]
scouts["heads"] = head_scout


def kept(kind, name):
    """Chance that the scout's token is kept, at each position.  -> (texts, positions)"""
    return np.minimum(laws[kind]["target"], laws[kind][name]).sum(axis=-1)


# %% along-table
print(" " * 12, *(f"{kind:>7}" for kind in texts))
for name in scouts:
    print(f"{name:12}", *(f"{kept(kind, name).mean():7.2f}" for kind in texts))

# %% along-text [markdown]
r"""
Read along a row. Who gains most from repeated text, who loses most where little repeats? Read down
a column: how much does each further order bring?

These are overlaps along texts that somebody wrote. In use the scout works behind text that the
*target* wrote.

## The price

Latency has to be measured, on your machine. A target pass over one more token is the unit. The
price $c$ is the time of one drafted token, draw included. We time all in turn and take the least:
whatever else the machine does only adds. (An n-gram keeps the laws it has looked up, as here; in
new text it takes a few times as long.)
"""

# %% price
from specnotes.tiny.clock import pass_seconds, proposal_seconds

rng, spent = np.random.default_rng(10), []
for text in code + prose:
    for _ in range(7):
        tries = [proposal_seconds(scout, text, 4, rng, 1) for scout in scouts.values()]
        spent.append([pass_seconds(target, text, 1, 1), *tries])
spent = np.array(spent).reshape(len(code + prose), 7, -1)
unit = spent[..., 0].min()
least = spent[..., 1:].min(axis=1).mean(axis=0)  # the least on each text: some texts suit a scout
cost = {name: seconds / unit for name, seconds in zip(scouts, least)}

print(f"one target pass: {1000 * unit:.2f} ms")
if np.median(spent[..., 0]) > 2 * unit:
    print("This machine is busy with something else: run this cell again before you trust a price.")

# %% price-table
everywhere = {name: np.mean([kept(kind, name) for kind in texts]) for name in scouts}


def best_gain(rate, price, longest=16):
    """(γ, speed-up) at the best draft length; (0, 1) where plain decoding is best."""
    gamma = best_draft_length(rate, price, longest)
    return gamma, speedup(rate, gamma, price) if gamma else 1


print(f"{'':12}      c  overlap   mass per latency   best γ   gain")
mass = {name: rate / cost[name] for name, rate in everywhere.items()}
gains = {}
for name, rate in everywhere.items():
    gamma, gains[name] = best_gain(rate, cost[name], len(ahead) if name == "heads" else 16)
    print(f"{name:12} {cost[name]:6.4f} {rate:8.2f} {mass[name]:18.0f}", end="")
    print(f" {gamma:8} {gains[name]:6.2f}")
most, first = max(mass, key=mass.get), max(gains, key=gains.get)
print(f"\nmost mass per latency: {most}, with gain {gains[most]:.2f}")
print(f"largest gain: {first}, {gains[first]:.2f}")

# %% price-text [markdown]
r"""
*Mass per latency* is the overlap by the price: what a moment of drafting brings. *Gain* is the
speed-up that notebook 05 predicts from both, if a pass over a few tokens takes as long as one over
a single token. (It does not quite; notebook 11 measures it.)

The two columns do not agree. Compare the 1-gram with the one-layer draft: more mass per latency,
less gain. For the target pass at the end of the round has to be paid whatever the scout cost.
**Mass per latency says whether a scout pays: above 1 it does. It does not rank scouts. Once
drafting is nearly free, only the overlap counts.** The gain weighs both:

$$S = \frac{1 + \alpha + \dots + \alpha^{\gamma}}{\gamma c + 1}.$$

## Scouts on a plane

Each scout is a point: price to the right, overlap upwards. On a line all scouts are worth the same.
Up and left is better.

1. Drag the order of the n-gram from 1 to 7. In which direction does the point move? Where does a
   further order stop paying?
2. Make γ larger. The lines bend: long drafts forgive no price.
3. Go from code to JSON and to the edit. Who moves most?
4. Lower the temperature, on both sides. Does it help all scouts?

(The heads are three: beyond γ = 3 their gain stays.)
"""

# %% live
widgets.scout_plane(laws, cost, order=5, draft_length=4, longest={"heads": len(ahead)})

# %% static-text [markdown]
r"""
Standing still: temperature 1. Orders 1 to 7 are joined by a line.
"""

# %% static
from specnotes.plots import draw_scouts
from specnotes.yields import affordable_cost

rates = np.linspace(0, 1, 401)
lines = {gain: list(zip(affordable_cost(rates, 4, gain), rates)) for gain in (1, 1.5, 2, 3, 4)}
fig, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained", sharey=True)
for ax, kind in zip(axes, ("code", "edit")):
    draw_scouts(
        ax, {name: (cost[name], kept(kind, name).mean()) for name in scouts}, lines, ["look-up"]
    )
    ax.set_title(f"{kind}, γ = 4", loc="left")
    ax.label_outer()
plt.show()

# %% equal-intro [markdown]
r"""
## At equal cost

Allow every scout the same time to draft in each round, a third of a target pass. A cheap scout then
drafts long, a dear one short: 12 tokens at most, so a cheap one does not spend it all, and at least
one, even if it is too dear (column γc). Who brings more tokens?

A mean overlap is not enough now, because overlaps come in runs: easy stretches and hard places. So
we follow the text. A round begins somewhere; its $k$-th drafted token is kept with the product of
the overlaps up to its own; so we know where the next round begins, and with what chance. Walking
through the text once with these chances gives the tokens per pass, without dice.
"""


# %% equal-blocks
def blocks(kind, name, length):
    """Overlaps of the 1st, 2nd, … token of a draft, from each position.  -> (…, length)"""
    if name == "heads":
        rows = laws[kind]["target"][..., None, :], guesses[kind]
        count = rows[0].shape[1] - length + 1
        ahead_by = [rows[0][:, j : j + count, 0] for j in range(length)]
        said = [rows[1][:, :count, j] for j in range(length)]
        return np.minimum(ahead_by, said).sum(axis=-1).transpose(1, 2, 0)
    return np.lib.stride_tricks.sliding_window_view(kept(kind, name), length, axis=-1)


# %% equal
def follow(along, going=1):
    """(draft steps, tokens) per target pass on a walk through the texts.  along (texts, places, γ)

    ``going`` (texts, places, γ) is 1 for tokens that are drafted, 0 for those that are not.
    Whoever stops before γ has seen the law that stopped it: one step more.
    """
    survive = along.cumprod(axis=-1) * going  # the k-th is drafted and kept
    edge = np.ones_like(survive[..., :1])
    ends = -np.diff(np.concatenate([edge, survive, 0 * edge], axis=-1))  # just k are kept
    texts, places, length = survive.shape
    begins = np.zeros((texts, places + length + 1))  # chance that a round begins here
    begins[:, 0] = 1
    for i in range(places):
        begins[:, i + 1 : i + 2 + length] += begins[:, i : i + 1] * ends[:, i]
    begins = begins[:, :places] / begins[:, :places].sum()
    steps = np.minimum(np.broadcast_to(going, along.shape).sum(axis=-1) + 1, length)
    return (begins * steps).sum(), (begins * (1 + survive.sum(axis=-1))).sum()


# %% equal-table
BUDGET = 1 / 3  # of a target pass, for drafting
length = {name: int(np.clip(BUDGET / cost[name], 1, 12)) for name in scouts}
length["heads"] = min(length["heads"], len(ahead))

print("tokens per target pass   γ   γc ", *(f"{kind:>6}" for kind in texts))
for name, gamma in length.items():
    brings = (follow(blocks(kind, name, gamma))[1] for kind in texts)
    spends = f"{gamma:3} {gamma * cost[name]:5.2f}"
    print(f"{name:22} {spends}", *(f"{tokens:6.2f}" for tokens in brings))

falls = blocks("code", "heads", len(ahead)).mean(axis=(0, 1))
print("\nheads on code, one by one:", *(f"{share:.2f}" for share in falls))

print("\nlook-up, γ = 12   spread evenly   from any place   from where rounds begin")
for kind in texts:
    along = blocks(kind, "look-up", 12)
    even = tokens_per_round(kept(kind, "look-up").mean(), 12)
    anywhere = 1 + along.cumprod(axis=-1).sum(axis=-1).mean()
    print(f"{kind:15} {even:15.2f} {anywhere:16.2f} {follow(along)[1]:25.2f}")

# %% equal-text [markdown]
r"""
Each head looks one character further ahead, without knowing what the heads before it have drawn.

Now the look-up on the edit. A copy goes well for a long stretch and then breaks off. From any place
it brings far more than the same mean overlap spread evenly. But a round begins where the last copy
broke off, and that eats the advantage: what is left is about what an even overlap gives.
"""

# %% perplexity-intro [markdown]
r"""
## Perplexity against usefulness

Does a better language model make a better scout? We take all models: seven n-grams, the early
exit, and the one-layer draft at the moments of its training that were kept (`draft` is the last).
For each, on code and prose alone: the loss in nats per character (perplexity is its exponential),
the overlap, and the gain at the best draft length (1 where plain decoding is best).
"""

# %% perplexity
from specnotes.tiny.weights import card, names

saved = sorted((n for n in names() if n.startswith("draft")), key=lambda n: card(n)["steps"])
trained = {name: Transformer(load_weights(name)) for name in saved}
points = {}
for name, scout in (ngrams | {"early exit": exit_scout} | trained).items():
    losses, rates = [], []
    for kind in ("code", "prose"):
        q = np.stack([laws_along(scout, text) for text in texts[kind]])
        written = np.array(texts[kind])[:, START:, None]
        losses.append(-np.log(np.take_along_axis(q, written, -1)).mean())
        rates.append(np.minimum(laws[kind]["target"], q).sum(axis=-1).mean())
    price = cost["one layer" if name in trained else name]
    rate = np.mean(rates)
    gain = best_gain(rate, price)[1]
    points[name] = np.mean(losses), rate, gain
    print(f"{name:12} {np.mean(losses):5.2f} nats   overlap {rate:.2f}   gain {gain:.2f}")

# %% perplexity-figure
from specnotes.plots import draw_named

fig, axes = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
for ax, column, label in zip(axes, (1, 2), ("overlap", "gain")):
    places = {name: (point[0], point[column]) for name, point in points.items()}
    ax.plot(*zip(*(places[name] for name in ngrams)), color="#E69F00", zorder=1)
    ax.margins(x=0.25, y=0.15)
    named = [name for name in places if name not in ("4-gram", "6-gram")]
    left = ("2-gram", "3-gram", "draft") if label == "overlap" else trained
    draw_named(ax, places, named, left=("5-gram", *left))
    ax.set(xlabel="nats per character (left is better)", ylabel=label)
axes[0].set_title("Overlap against loss …", loc="left")
axes[1].set_title("… and what it is worth", loc="left")
plt.show()

# %% perplexity-text [markdown]
r"""
(The line joins the orders 1 to 7.) Left, loss and overlap go together in the large. In the small
they need not; is there a pair where the worse model overlaps more? Right, look for a worse model
that stands higher: a table against the transformer, say. There the cheaper scout wins, though it
knows the language less well.

Yan et al. (2024) found it at scale. Two drafts of the same size, 1.3 billion parameters, for the
same target, one wide and shallow, one deep:

| | tokens per round | one draft step | throughput |
|---|---|---|---|
| wide | 3.70 | 6.69 ms | **32.59** tokens/s |
| deep | **3.81** | 13.13 ms | 23.10 tokens/s |

The deep draft is the better guesser, and loses by 29 %. Depth is latency: layers wait for one
another.

## Acceptance against temperature

Cool target and draft alike, to a temperature $T$, and compare: $p^{1/T}$ and $q^{1/T}$, normalised.
Two ends are theorems. Where no token has probability 0, both become uniform as $T \to \infty$,
and the overlap tends to 1. Where no first choice is tied, both become one-hot as $T \to 0$, and it
tends to the share of positions with the same first choice.
In between it may do as it likes. The dashed lines keep the draft at temperature 1 and change the
target's only.
"""

# %% temperature
from specnotes.transforms import temperature

heats = [0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.85, 1, 1.25, 1.5, 2, 3, 5]
fig, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained", sharey=True)
for ax, kind in zip(axes, ("code", "prose")):
    wanted = laws[kind]["target"]
    for name, colour in (("one layer", "#8f5f00"), ("5-gram", "#E69F00"), ("2-gram", "#57606a")):
        q = laws[kind][name]
        both = [overlap(temperature(wanted, t), temperature(q, t)).mean() for t in heats]
        alone = [overlap(temperature(wanted, t), q).mean() for t in heats]
        ax.plot(heats, both, color=colour, label=name)
        ax.plot(heats, alone, "--", color=colour, linewidth=1)
    ax.set(xlabel="temperature T", xscale="log", ylim=(0, 1), title=kind)
    ax.set(xticks=[0.1, 0.3, 1, 3], xticklabels=["0.1", "0.3", "1", "3"])
    ax.spines[["top", "right"]].set_visible(False)
axes[0].set_ylabel("overlap")
axes[0].legend(frameon=False)
plt.show()

# %% temperature-text [markdown]
r"""
Far to the right the dashed lines fall: a draft that is surer than a hot target proposes too much of
its favourite. To the left they lie low: a draft that stays warm proposes what a cool target no
longer wants. Just right of 1 a dashed line may lie above its solid one. A weak draft is flatter
than its target, and a target a little warmer comes to meet it. So start with one temperature for
both, then try others for the draft: nothing demands that they agree, and the law that comes out is
the target's in any case.

## Acceptance against training

The other knob is how long the draft was trained, or, for a table, how much context it may look at.
"""

# %% training
fig, axes = plt.subplots(1, 2, figsize=(9, 3), layout="constrained", sharey=True)
for kind, marker in (("code", "o"), ("prose", "s")):
    rates = [kept(kind, name).mean() for name in ngrams]
    axes[0].plot(range(1, 8), rates, f"-{marker}", label=kind, color="#8f5f00")
    rates = []
    for scout in trained.values():
        q = np.stack([laws_along(scout, text) for text in texts[kind]])
        rates.append(overlap(laws[kind]["target"], q).mean())
    steps = [card(name)["steps"] for name in trained]
    axes[1].plot(steps, rates, f"-{marker}", label=kind, color="#8f5f00")
    print(f"{kind}:", *(f"{rate:.2f} at {n} steps" for n, rate in zip(steps, rates)), sep="  ")
axes[0].set(xlabel="order of the n-gram", ylabel="overlap", ylim=(0, 1))
axes[1].set(xlabel="training steps of the one-layer draft", xscale="log")
axes[1].set_xticks(steps, steps)
axes[1].minorticks_off()
for ax in axes:
    ax.legend(frameon=False)
    ax.spines[["top", "right"]].set_visible(False)
plt.show()

# %% training-text [markdown]
r"""
On the left, a few characters of context bring most. A long context thins the counts, and the table
falls back on a shorter one. On the right, equal distances are equal
*factors*, so each further gain takes a multiple of the training.

## Where a static draft length fails

Look at one line of code: how likely is each character of the one-layer model to be kept?
"""

# %% strip
from specnotes.plots import draw_kept_along

line = kept("code", "one layer")[0, :72]
fig, ax = plt.subplots(figsize=(10, 1.7), layout="constrained")
draw_kept_along(ax, corpus.decode(code[0][START : START + 72]), line)
ax.set_title("Chance that a drafted character is kept", loc="left")
plt.show()

# %% strip-text [markdown]
r"""
In an indent or a common word a draft can run; names and starts of words are guesses. A fixed
$\gamma$ stops short in the one place and drafts in vain in the other.

The draft's own laws tell something: where its likeliest token has little mass, it is unsure. Two
rules make use of it. **Floor:** stop before a token if its largest $q$ is below a floor. **Alive:**
stop if the *product* of the largest $q$s of this draft, that of the next token included, is below a
floor: a guess at the chance that the draft is still alive. The law that stops a
draft is computed, too: one step more than tokens drafted. Which is better, and does it pay? We
follow the texts of code, with all floors.
"""

# %% floor
windows = np.lib.stride_tricks.sliding_window_view
overlaps = blocks("code", "one layer", 12)
sure = windows(laws["code"]["one layer"].max(axis=-1), 12, axis=-1)
levels = np.linspace(0.02, 0.9, 23)
rules = {
    "fixed draft length": [follow(blocks("code", "one layer", n)) for n in range(1, 13)],
    "floor": [follow(overlaps, (sure >= level).cumprod(axis=-1)) for level in levels],
    "alive": [follow(overlaps, sure.cumprod(axis=-1) >= level) for level in levels],
}
fig, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
for (name, points), style in zip(rules.items(), ("-s", ":^", "-o")):
    best = max(tokens / (1 + cost["one layer"] * steps) for steps, tokens in points)
    colour = "#009E73" if name == "alive" else "#57606a"
    ax.plot(*zip(*points), style, color=colour, label=f"{name}: best gain {best:.2f}")
ax.set(xlabel="draft steps per round", ylabel="tokens per target pass")
ax.legend(frameon=False)
ax.spines[["top", "right"]].set_visible(False)
plt.show()

# %% decide-text [markdown]
r"""
Where a line lies above the grey squares, the same draft steps bring more tokens; the legend says
what it comes to. A floor on the single token stops at the first hard place, and a round *begins* at
hard places, where the last one was rejected. It then drafts nothing, and the target pass brings one
token. The product lets a young draft take a risk and is strict with a long one, whose later tokens
count only if all before them are kept. SpecDec++ (Huang et al. 2024) stops by such a product, with
a trained guess for each token's chance in place of the largest $q$.

## Decide before you look

There is a trap. The decision to stop may use anything that is known *before* the next token is
drawn: the draft's law, the tokens so far, earlier rounds. It may not use the token itself and then
drop it. Suppose a scout draws a token, finds that $q$ of it is below .3, and throws it away. On the
laws of notebook 02:
"""

# %% dropped
from specnotes.coins import law_of
from specnotes.laws import draw
from specnotes.verify import verify_block

p = np.array([Fraction(n, 10) for n in (5, 3, 2)])
q = np.array([Fraction(n, 10) for n in (2, 3, 5)])


def drops_doubtful(rng):
    """One round, one drafted token: WRONG, for a seen token decides its own fate."""
    token = draw(q, rng)
    tokens = (token,) if q[token] >= Fraction(3, 10) else ()
    n = len(tokens)
    verdict = verify_block(np.stack([p] * (n + 1)), np.stack([q] * n) if n else (), tokens, rng)
    return (*tokens[: verdict.accepted], verdict.token)[0]


print({token: str(mass) for token, mass in sorted(law_of(drops_doubtful).items())})

# %% dropped-text [markdown]
r"""
Due is $(1/2, 3/10, 1/5)$; out comes $(2/5, 9/25, 6/25)$. The token that was thrown away would have
been kept whenever it came, for the target wants more of it. Its law is now $q$ *given that it was
not dropped*, and the verifier was told $q$.

In the package a scout stops by itself, as `ModelScout(model, floor=…)` does, or `speculate` asks a
function `draft_length(prefix, rounds)`. Neither can see a token that was not drafted. A scout of
your own needs one method. Five policies, decoding for
once: 200 characters each.
"""


# %% policies
def cautious(prefix, rounds):
    """Two more after a round that kept all, one fewer after any other."""
    length = 4
    for r in rounds:
        length = length + 2 if r.accepted == len(r.drafted) else max(1, length - 1)
    return min(length, 12)


class Alive:
    """Stops before a token that would bring the product of the largest q below .2."""

    vocabulary = one_layer.vocabulary

    def propose(self, prefix, draft_length, rng):
        tokens, said, alive = (), [], 1.0
        while len(tokens) < draft_length:
            law = one_layer.next_law(prefix + tokens)
            alive *= law.max()
            if alive < 0.2:
                break
            said.append(law)
            tokens += (draw(law, rng),)
        return tokens, np.array(said).reshape(-1, len(law))


# %% policies-run
from specnotes.decode import speculate
from specnotes.drafts import ModelScout

policies = {"always 2": (one_layer, 2), "always 4": (one_layer, 4), "rounds": (one_layer, cautious)}
policies |= {"floor .4": (ModelScout(one_layer, floor=0.4), 12), "alive": (Alive(), 12)}

for name, (scout, policy) in policies.items():
    rng, before = np.random.default_rng(1), one_layer.passes
    traces = [speculate(target, scout, text[:START], policy, 100, rng) for text in code]
    steps = one_layer.passes - before  # with the laws that only said "stop"
    tokens = sum(len(t.tokens) for t in traces)
    passes = sum(t.target_passes for t in traces)
    gain = tokens / (passes + cost["one layer"] * steps)
    print(
        f"{name:14} {steps / passes:5.1f} draft steps, {tokens / passes:.2f} tokens per pass, "
        f"gain {gain:.2f}"
    )

# %% policies-text [markdown]
r"""
Some eighty rounds leave the tokens per pass uncertain by about $\pm .3$. The figure above has no
dice in it.

## Exercises

Exercises 1 and 2 stand above, where they are needed.
"""

# %% ex3-text [markdown]
r"""
### Exercise 3: hire a scout (8 min, core)

`candidates` maps names to pairs (overlap α, price c). Return the name of the scout whose speed-up
is largest, each at its own best draft length up to 16, or `None` if none beats plain decoding.
`best_draft_length(alpha, c, longest=16)` is 0 where drafting does not pay.
"""


# %% ex3 tags=["exercise"]
def hire(candidates):
    """The most useful scout's name, or None.  {name: (α, c)} -> name"""
    ### BEGIN SOLUTION
    best, chosen = 1, None
    for name, (rate, price) in candidates.items():
        gamma = best_draft_length(rate, price, longest=16)
        gain = speedup(rate, gamma, price) if gamma else 1
        if gain > best:
            best, chosen = gain, name
    return chosen
    ### END SOLUTION
    return ...


# %% ex3-check tags=["check"]
checks.hire(hire)

# %% ex3-help [markdown]
r"""
<details><summary>Hint</summary>

Go over the candidates and keep the best so far. Start with plain decoding: a speed-up of 1, and no
name.

</details>

[[solution ex3]]
"""

# %% ex4-text [markdown]
r"""
### Exercise 4: which may a scout do? (8 min, core)

Which of these keep the target's law? The scout hands over its tokens, and for each of them the law
$q$ that its model gave. "Doubtful" means that the model gave the token less than .3.

| | rule |
|---|---|
| a | before drawing: if the largest $q$ is below .4, draft no more |
| b | draw; if the token is doubtful, throw it away and draft no more |
| c | draw; if the token is doubtful, keep it, and draft no more |
| d | draw four; hand over those before the first doubtful one |
| e | draft one more than the last round has accepted |
| f | draw; if the token is doubtful, draw once more and hand over the second |

Give the letters as a set.
"""

# %% ex4 tags=["exercise"]
lawful = ...
### BEGIN SOLUTION
lawful = {"a", "c", "e"}
### END SOLUTION

# %% ex4-check tags=["check"]
checks.lawful_stops(lawful)

# %% ex4-help [markdown]
r"""
<details><summary>Hint</summary>

For a token that is handed over, ask: given that it was handed over, is its law still $q$? For a
place where none is handed over: could the token that was drawn there have had a say in that?

</details>

[[solution ex4]]
"""

# %% ex5-text [markdown]
r"""
### Exercise 5: long where it is easy (12 min, stretch)

A toy with two tokens. After token 0 a draft is kept with chance .95, after token 1 with chance .3:
target and draft are Markov models. A draft step costs .2 target passes. Write a draft length that
looks at the last token of the prefix (`rounds` is empty here) and reaches a speed-up of **2.29**.
`long_run_speedup` is the exact speed-up of the real decoder, over a long text. Here it is for fixed
lengths.
"""

# %% ex5-toy
from specnotes.checks.drafting import long_run_speedup

for n in (1, 2, 4, 5, 6, 8):
    print(f"always {n}: {float(long_run_speedup(lambda prefix, rounds, n=n: n)):.4f}")


# %% ex5 tags=["exercise"]
def my_length(prefix, rounds):
    """How many tokens to draft now: 1 to 16.  The last token is prefix[-1]."""
    ### BEGIN SOLUTION
    return 7 if prefix[-1] == 0 else 1
    ### END SOLUTION
    return ...


# %% ex5-check tags=["check"]
checks.length_by_context(my_length)

# %% ex5-help [markdown]
r"""
<details><summary>Hint</summary>

After the hard token drafting hardly pays, and 1 is the least that you may say. After the easy one,
try a few: `long_run_speedup(my_length)` tells.

</details>

[[solution ex5]]
"""

# %% breaks [markdown]
r"""
## Where this breaks

- **Overlap along somebody's text is not acceptance in use.** The scout works behind what the target
  wrote. And a mean over all positions is not that over the places where rounds begin, which are
  harder (notebook 05): the column *gain* in the first table is too high for that reason.
- **Following the text is an estimate, too.** It takes the drafted tokens to be those of the text.
  Where they differ, and are kept, the next overlap may be another.
- **A price is a price on this machine, now.** Another processor, other matrices, a busy core: the
  order of two close scouts can change. On a GPU the step of a small model waits for its layers, not
  for its arithmetic.
- **The gain takes a pass over $\gamma + 1$ tokens to cost one.** Where it costs more, long drafts
  lose; notebook 11 measures it and times whole texts.
- **Small numbers of texts.** Two passages of each kind are an illustration. Rankings of close
  scouts need more, and *your* texts.
- **A scout never makes the output wrong**, only slow, as long as it is honest about the laws its
  tokens came from. One that drops, redraws or reports another $q$ is no longer covered.
"""

# %% recall-text [markdown]
r"""
## Your predictions
"""

# %% recall tags=["recall"]
widgets.recap()

# %% take-away [markdown]
r"""
## Take away

**One formula.** Accepted target mass per unit of draft latency, $\alpha / c$, says whether a scout
pays; by how much, $S = (1 + \alpha + \dots + \alpha^\gamma)/(\gamma c + 1)$.

**One figure.** Scouts on a plane: price to the right, overlap upwards, lines of equal gain.

**One new function.** `scout.propose(prefix, draft_length, rng)`: tokens, and the laws they were
drawn from. Tables, searches, models and heads all speak it.
"""
