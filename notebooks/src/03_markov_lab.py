# %% header [markdown]
r"""
# What can a sample tell you, and what only a law can?

75 minutes · needs: notebooks [01](01_one_token_proof.ipynb) and [02](02_wrong_fallback.ipynb) ·
[[launch]]

**After this you can** *compute* the exact law of a Markov model's texts, *drive* the lab and
predict what each slider moves, and *judge* whether an observed distance is more than noise.
"""

# %% before-you-start [markdown]
r"""
## Before you start

Answer from memory, then unfold.

1. (Notebook 01) Target and draft are at total variation distance .08. How often is a drafted token
   kept, and what law comes out?
2. (Notebook 02) A decoder keeps 90 % of its drafts and uses the wrong fallback. How far off can the
   law of one token be, at most?

<details><summary>Answers</summary>

1. $\alpha = 1 - \mathrm{TV} = .92$. What comes out has the target's law, exactly.
2. $\alpha(1 - \alpha) = .09$.

</details>
"""

# %% setup
from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np

from specnotes import checks, widgets
from specnotes.models import MarkovModel, toy_pair


def tenths(*parts):
    return np.array([Fraction(part, 10) for part in parts])


# %% predict-intro [markdown]
r"""
## Predict

Below is a lab: two models over eight words, six sliders, and a row of tiles with figures. One
slider is *draft match*. At 1 the draft is the target itself. At 0 it has nothing to do with it.
"""

# %% predict-tile tags=["predict"]
widgets.predict(
    "tile",
    "You drag draft match from 0.84 to 0. Which figure does not move at all?",
    ["kept, α", "the distance of the corrected output", "target passes", "toy speed-up"],
    answer="the distance of the corrected output",
    why="It is 0 for every draft: a bad draft costs time, and nothing else.",
)

# %% predict-noise tags=["predict"]
widgets.predict(
    "noise",
    "You draw 1,000 tokens from the right law, over eight words, and compare their frequencies "
    "with that law. How far apart are they, in total variation?",
    ["0", "about 0.3 %", "about 3 %", "about 30 %"],
    answer="about 3 %",
    why="The mean is Σ √(p(1 − p) / 2πN). The wrong fallback is off by less than that here.",
)

# %% predict-seed tags=["predict"]
widgets.predict(
    "seed",
    "Plain and speculative decoding start from the same seed. Do they write the same text?",
    ["yes, always", "no, and this means that one of them is wrong", "no, and both may be right"],
    answer="no, and both may be right",
    why="Same distribution is not same output: they spend their coins on different questions.",
)

# %% markov [markdown]
r"""
## A model small enough to list

A **Markov model** has no memory but the last token. It is a table: row *cat* is the law of the next
token after *cat*. A real language model has a row for every prefix, too many to write down. Nothing
in the algorithm cares which of the two it is.

| after | cat | sat | mat |
|---|---|---|---|
| (start) | .5 | .3 | .2 |
| cat | .1 | .6 | .3 |
| sat | .7 | .1 | .2 |
| mat | .3 | .3 | .4 |

### Three tokens by hand

How likely is it that the text begins *cat sat mat*? Read one row per step and multiply:

$$p(\text{cat})\; p(\text{sat} \mid \text{cat})\; p(\text{mat} \mid \text{sat})
= .5 \cdot .6 \cdot .2 = .06 .$$

This is the **chain rule**. The row comes from the token before; the column is the token that comes.
If *cat* is given already, leave its factor out: $p(\text{sat mat} \mid \text{cat}) = .12$.
"""

# %% models
NAMES = ("cat", "sat", "mat")
CAT, SAT, MAT = range(3)

target = MarkovModel(
    [tenths(1, 6, 3), tenths(7, 1, 2), tenths(3, 3, 4)], initial=tenths(5, 3, 2), vocabulary=NAMES
)
draft = MarkovModel(
    [tenths(5, 3, 2), tenths(4, 4, 2), tenths(3, 2, 5)], initial=tenths(2, 3, 5), vocabulary=NAMES
)

print("after cat:    ", *target.next_law((CAT,)))
print("after cat sat:", *target.next_law((CAT, SAT)), " (only sat counts)")

# %% build-text [markdown]
r"""
Now all texts at once. Start with the empty text, chance 1. In each step, every text grows by every
possible token.
"""


# %% build
def list_texts(model, prefix, n_tokens):
    """Law of the next n_tokens tokens: every text, with its chance."""
    law = {(): 1}
    for _ in range(n_tokens):
        law = {
            (*text, token): chance * share
            for text, chance in law.items()
            for token, share in enumerate(model.next_law((*prefix, *text)))
            if share > 0
        }
    return law


law = list_texts(target, (), 3)
print(len(law), "texts, together", sum(law.values()), "· cat sat mat:", law[CAT, SAT, MAT])

# %% import-text [markdown]
r"""
$V^n$ texts of $n$ tokens: 27 here. The package has the same function, `sequence_law`; it also knows
a stop token. And it has `decoder_law`: it runs each round of *speculative* decoding on every
outcome of its coins and adds up which texts come out. Notebook 04 builds that decoder. Here we look
at the result.
"""

# %% import
from specnotes.exact import decoder_law, sequence_law

print("by hand = package:", law == sequence_law(target, (), 3))

speculative = decoder_law(target, draft, (), draft_length=2, n_tokens=3)
print("cat sat mat, speculative:", speculative[CAT, SAT, MAT])
print("all 27 texts equal:      ", speculative == sequence_law(target, (), 3))

# %% toy-pair [markdown]
r"""
Two lists of 27 fractions, compared with `==`. The draft has its own opinions, and no trace of them
is left.

## The lab

Eight words, so two tables of $8 \times 8$. `toy_pair` makes them from three numbers. *Certainty*
goes from nearly even rows to one favourite per row. *Draft match* $m$ mixes the target into an
unrelated model $b$: $q = m\,p + (1 - m)\,b$. The *seed* picks the tables, and the coins.

- **Next token** (left): per word a strip of draft above one of target. Green is kept, hatched is
  drafted too often, dotted is owed. Beside it stands the residual.
- **What comes out, minus the target** (right): squares at zero for accept-or-residual, bars for
  notebook 02's wrong fallback.
- **Kept, α**: the overlap, in the context that is shown.
- **Corrected** and **wrong fallback is off by**: their distances from the target.
- **Target passes**, **draft steps**: the bill of the text below. **Toy speed-up**: measured on it,
  with the estimate beside it.
- **One decoded sequence**: a column per target pass. Squares are accepted, diamonds corrected,
  pills bonus tokens; dashed boxes were drafted in vain.
- **Audit**: runs the course's own checks; see below.

Tick **as text** to have the laws as a table and the rounds as a list in place of the drawings.
"""

# %% lab
widgets.lab()

# %% experiments [markdown]
r"""
### Seven experiments

Before each one, say aloud which figures will move and which way. Then drag, look, and put the
slider back. The answers are folded.

1. **Draft match** down to 0, then up to 1.
2. **Draft match** from .84 to .92: half of what was missing. What becomes of the wrong fallback?
3. **Draft cost** from end to end.
4. **Draft length** from 1 to 10.
5. **Certainty** up to 1.
6. **Context**, one after the other.
7. **Tokens to emit** down to 8, then a few **seeds**.

<details><summary>What you should see</summary>

1. $\alpha$ falls to about a half, then rises to 1. *Corrected stays at 0 exactly.* The text fills
   with dashed boxes, then has none.
2. Its distance halves. The unrelated share $1 - m$ has halved, and the error is linear in it.
3. One tile moves, the speed-up. No law asks what a guess costs.
4. The laws stand still. The passes get fewer, the draft steps more.
5. Long bars, and a correction that is still exact.
6. Other bars, another $\alpha$: acceptance depends on where you are. One number for it is a
   simplification.
7. Two or three passes make the speed-up jump, and the estimate does not follow. Every seed makes
   new models, too, and corrected stays at 0.

</details>

The lab computes each law in fractions. Its *0 exactly* is an equality, not a small number. Beside
it stands what floating point makes of the same sum, a few $10^{-17}$.

The same without sliders, at the settings with which the lab opens:
"""

# %% static-laws
from specnotes.laws import overlap, total_variation
from specnotes.plots import draw_errors, draw_mass, draw_trace
from specnotes.verify import emitted_law

SEED, THE = 2, 0
big_target, big_draft = toy_pair(certainty=0.5, match=0.84, seed=SEED)
words = big_target.vocabulary
p, q = big_target.matrix[THE], big_draft.matrix[THE]

fig, (left, right) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
left.set_title(f"after “the”: α = {overlap(p, q):.1%}")
right.set_title("what comes out, minus the target")
draw_mass(left, p, q, words, most=0.6)
draw_errors(right, p, emitted_law(p, q), emitted_law(p, q, fallback=p), words, most=0.05)

# %% static-trace
from specnotes.decode import sample, speculate

trace = speculate(big_target, big_draft, (THE,), 5, 96, np.random.default_rng(SEED))
fig, ax = plt.subplots(figsize=(11, 2.6), layout="constrained")
ax.set_title(f"{len(trace.tokens)} tokens in {trace.target_passes} target passes")
draw_trace(ax, trace.rounds, words)

# %% audit-text [markdown]
r"""
### The audit

*Run the audit* recomputes the claims of the course in front of you: are bad inputs refused, do rows
sum to one, is $\alpha = 1 - \mathrm{TV}$, is the joint law of blocks exact, does nothing follow a
stop token, does a seed give the same text twice, do the bills add up. Last comes a grid of 1,296
settings of the six sliders. Each line shows its figure. What it says is "no counter-example among
these", and for the exact lines that is an equality.

## Measured and estimated

The measured speed-up of a text is tokens over time, where a target pass takes 1 and a draft step
$c$. The estimate is for a draft length $\gamma$. It assumes that every guess is kept with the same
chance $\alpha$, and takes for it the mean overlap of the contexts in the text:

$$\frac{\text{tokens}}{\text{target passes} + c \cdot \text{draft steps}}
\qquad\text{against}\qquad \frac{1 + \alpha + \dots + \alpha^\gamma}{1 + c\gamma}.$$

Notebook 05 derives it. Both are **toy accounting**: no memory, no batch, no scheduler. This is no
measurement of a GPU. How far may the two differ? `simulate` decodes many texts in step.
"""

# %% many-texts
from specnotes.lockstep import simulate
from specnotes.yields import speedup

GAMMA, COST = 5, 0.09
chains = simulate(big_target, big_draft, GAMMA, 96, 4000, np.random.default_rng(1))
measured = 96 / (chains.target_passes + COST * chains.draft_passes)
alpha = overlap(big_target.matrix, big_draft.matrix).mean()

low, middle, high = np.quantile(measured, [0.05, 0.5, 0.95])
print(f"4,000 texts: from {low:.2f}× to {high:.2f}× (nine of ten), mean {measured.mean():.2f}×")
print(f"passes: {chains.target_passes.min()} to {chains.target_passes.max()}")
print(f"estimate with the mean α over contexts, {alpha:.3f}: {speedup(alpha, GAMMA, COST):.2f}×")

# %% many-texts-why [markdown]
r"""
One text of 96 tokens is one draw. Its speed-up can only take a few values, one for each number of
passes, and two healthy texts may differ by a quarter and more. So "3.31 measured, 3.5 estimated" is
no contradiction, and one trace is no benchmark.

The mean is a little below the estimate. The last round is cut at 96 tokens but paid in full; and a
mean $\alpha$ is not the whole story when contexts differ. Notebook 05 takes both up.

## What a sample shows

Draw $N$ first tokens with speculative decoding. Count them. How far are the frequencies from the
law?
"""


# %% noise-seen
def seen_distance(tokens, law):
    """Total variation between the tokens' frequencies and a law."""
    counts = np.bincount(tokens, minlength=len(law))
    return total_variation(counts / len(tokens), law)


first = big_target.initial
rng = np.random.default_rng(3)
for draws in (100, 1000, 10_000, 100_000):
    tokens = simulate(big_target, big_draft, GAMMA, 1, draws, rng).tokens[:, 0]
    print(f"{draws:7,} draws: off by {seen_distance(tokens, first):.4f}")

# %% noise-formula [markdown]
r"""
The decoder is exact, yet the samples are off. This is **noise**, and we can say how much to expect.

A token of chance $p$ appears in $N$ draws with frequency $p$, give or take a standard deviation of
$\sqrt{p(1 - p)/N}$. The mean *size* of that deviation is smaller by $\sqrt{2/\pi}$, as for a bell
curve. Total variation is half the sum over tokens, so the expected distance is

$$\text{noise}(N) \approx \sum_x \sqrt{\frac{p_x (1 - p_x)}{2 \pi N}} .$$

Three roads again: this formula, the exact sum over all possible counts (each is binomial), and
2,000 repetitions.
"""

# %% noise-roads
from scipy.stats import binom


def noise(law, draws):
    """Expected distance between a law and the frequencies of draws from it."""
    return np.sqrt(law * (1 - law) / (2 * np.pi * draws)).sum()


N = 1000
counts = np.arange(N + 1)
exact = sum((binom.pmf(counts, N, p) * abs(counts / N - p)).sum() for p in first) / 2

many = np.random.default_rng(4).multinomial(N, first, size=2000) / N
seen = total_variation(many, first)
print(f"formula {noise(first, N):.5f}   exact {exact:.5f}")
print(f"2,000 samples of 1,000: mean {seen.mean():.5f}, each ± {seen.std():.4f}")

# %% noise-figure-text [markdown]
r"""
Now the question that matters. At the start of a text the wrong fallback's law is off by 2.8 %. (The
lab's 2.65 % is for the token after *the*.) Would you see it?
"""

# %% noise-figure
from specnotes.plots.palette import LIGHT

wrong = emitted_law(first, big_draft.initial, fallback=first)
sizes = np.geomspace(100, 300_000, 15).astype(int)
rng = np.random.default_rng(6)
right_seen = [
    seen_distance(simulate(big_target, big_draft, GAMMA, 1, n, rng).tokens[:, 0], first)
    for n in sizes
]
wrong_seen = [total_variation(rng.multinomial(n, wrong) / n, first) for n in sizes]

fig, ax = plt.subplots(figsize=(7.5, 4), layout="constrained")
ax.loglog(sizes, [noise(first, n) for n in sizes], color=LIGHT["muted"])
ax.loglog(sizes, right_seen, "s", color=LIGHT["kept"])
ax.loglog(sizes, wrong_seen, "o", color=LIGHT["error"])
ax.axhline(total_variation(wrong, first), color=LIGHT["error"], linestyle=":")
ax.text(4e5, 0.045, "wrong fallback", color=LIGHT["error-text"], ha="right")
ax.text(4e5, 0.004, "right decoder", color=LIGHT["kept-text"], ha="right")
ax.text(100, 0.055, "noise(N)", color=LIGHT["muted"])
ax.set(xlabel="draws N", ylabel="distance seen from the target", ylim=(5e-4, 0.2))
ax.set_title("With a thousand draws they look alike")
ax.spines[["top", "right"]].set_visible(False)

# %% noise-lesson [markdown]
r"""
At 1,000 draws the right decoder and the wrong one both show two to four per cent. Neither figure
means anything by itself. An observed distance is *never* 0, so "the distance is only 3 %" is no
praise, and "it is not 0" is no charge. Compare it with the noise. Only where the noise lies well
below the error do the two part: here from some 10,000 draws on. Notebook 02's $\chi^2$ plan says
the same:
"""

# %% chi-square-plan
from scipy.optimize import brentq
from scipy.stats import chi2, ncx2

limit = chi2.isf(0.001, df=7)
needed = brentq(lambda size: ncx2.sf(limit, 7, size) - 0.97, 1, 200)
print(f"draws: {needed / ((wrong - first) ** 2 / first).sum():,.0f}")

# %% texts-noise-text [markdown]
r"""
### Longer texts drown

That was one token. A decoder can be right on every single token and wrong on pairs (notebook 04),
so the *joint* law is what counts. It has $8^n$ entries, and the noise adds up over all of them.
"""

# %% texts-noise
for n in (1, 2, 3, 4):
    law = np.array(list(sequence_law(big_target, (), n).values()))
    print(f"n = {n}: {len(law):5,} texts, noise at 10,000 draws {noise(law, 10_000):.3f}")

# %% texts-noise-lesson [markdown]
r"""
With 10,000 draws of four tokens the right decoder looks nearly 20 % wrong, and ten times the draws
only help by $\sqrt{10}$. The exact law of all 4,096 texts takes some milliseconds. A decoder's
exact law takes longer, so we ask for it on a smaller model, as above; the comparison is an `==`.

What a sample *can* do: it needs no access to the laws, it works for vocabularies that nobody can
list, and it can convict. What it *cannot* do is acquit. It says "no error above such a size, in
what I counted".

## Seeds

A seed makes a run repeatable. It does not make two programs alike.
"""


# %% seeds
def text_of(decode, seed):
    tokens = decode(np.random.default_rng(seed))
    return " ".join(words[token] for token in tokens)


def plain(rng):
    return sample(big_target, (THE,), 8, rng)


def speculative(rng):
    return speculate(big_target, big_draft, (THE,), 5, 8, rng).tokens


for decode in (plain, plain, speculative, speculative):
    print(f"{decode.__name__:12} seed 7: {text_of(decode, 7)}")
print(f"{'plain':12} seed 8: {text_of(plain, 8)}")

# %% seeds-lesson [markdown]
r"""
Each decoder repeats itself. The two agree for five words and then part. One spends the coins on
words, the other spends the same five coins on *guesses* from a similar law, and the next ones on
testing them. Both are exact. Whoever asks "why does my output differ from plain decoding?" has
compared outputs. Compare laws. And do not try seeds until a test passes: with a level of one in a
thousand, a perfect decoder fails one seed in a thousand. Fix the seed before you look.

## Exercises

### Exercise 1: The chance of one text (5 min, core)

Write the chain rule for one text: the chance that `tokens` come next, given `prefix`. The model may
be a Markov model, or one that remembers its whole prefix. It has `model.next_law(prefix)`.
"""


# %% ex1-chance tags=["exercise"]
def sequence_probability(model, prefix, tokens):
    """The chance that the model goes on with exactly these tokens."""
    ### BEGIN SOLUTION
    chance = 1
    for token in tokens:
        chance = chance * model.next_law(prefix)[token]
        prefix = (*prefix, token)
    return chance
    ### END SOLUTION
    return ...


# %% ex1-check tags=["check"]
checks.sequence_probability(sequence_probability)

# %% ex1-help [markdown]
r"""
<details><summary>Hint</summary>

Multiply one number per token: `model.next_law(so_far)[token]`. Then put the token at the end of
`so_far`: `(*so_far, token)` makes a new tuple. Start from `prefix`.

</details>

[[solution ex1-chance]]

One pass is enough for all of it: `model.score(prefix, tokens)` returns every row at once.
"""

# %% ex2-intro [markdown]
r"""
### Exercise 2: Some steps on (5 min, core)

What is the law of the token `steps` places on, if you do not care what lies between? `steps` = 1 is
the next token. For a Markov model you need no list of texts: the chance of $y$ one step later is
$\sum_x \text{law}(x)\, M_{xy}$, with $M$ = `model.matrix`.
"""


# %% ex2-law tags=["exercise"]
def law_after(model, prefix, steps):
    """Law of the token `steps` places after the prefix, for a Markov model."""
    ### BEGIN SOLUTION
    law = model.next_law(prefix)
    for _ in range(steps - 1):
        law = law @ model.matrix
    return law
    ### END SOLUTION
    return ...


# %% ex2-check tags=["check"]
checks.law_after(law_after)

# %% ex2-help [markdown]
r"""
<details><summary>Hint</summary>

The sum over $x$ is `law @ matrix`: a row times a matrix. How often, if `steps` is 1?

</details>

[[solution ex2-law]]
"""

# %% ex3-intro [markdown]
r"""
### Exercise 3: Exact and slow (4 min, core)

In the lab, leave the seed, the context and the number of tokens as they are at the start. Find
settings with $\alpha \ge 80\,\%$ and a toy speed-up *below* 1. Read them off the sliders and put
them in below, where the lab's opening stands.
"""

# %% ex3-settings tags=["exercise"]
settings = dict(certainty=0.5, match=0.84, draft_length=5, draft_cost=0.09)
### BEGIN SOLUTION
settings = dict(certainty=0.5, match=0.84, draft_length=5, draft_cost=0.9)
### END SOLUTION

# %% ex3-check tags=["check"]
checks.exact_but_slow(settings)

# %% ex3-help [markdown]
r"""
<details><summary>Hint</summary>

Which slider makes the bill longer without touching a law?

</details>

[[solution ex3-settings]]
"""

# %% ex4-intro [markdown]
r"""
### Exercise 4: How many draws for quiet? (6 min, core)

Turn the noise formula round. After how many draws is the expected distance of a right sampler as
small as `size`? `law` is an array of floats. A fraction of a draw is fine.
"""


# %% ex4-draws tags=["exercise"]
def draws_needed(law, size):
    """The N at which the noise of this law is `size`."""
    ### BEGIN SOLUTION
    return np.sqrt(law * (1 - law)).sum() ** 2 / (2 * np.pi * size**2)
    ### END SOLUTION
    return ...


# %% ex4-check tags=["check"]
checks.draws_needed(draws_needed)

# %% ex4-help [markdown]
r"""
<details><summary>Hint</summary>

Set $\text{size} = \frac{1}{\sqrt{2 \pi N}} \sum_x \sqrt{p_x(1 - p_x)}$ and solve for $N$: multiply
by $\sqrt N$, divide by the size, square.

</details>

[[solution ex4-draws]]

For 1 % noise in the lab, one token needs 9,300 draws, a pair 76,000, three tokens 544,000.
"""

# %% ex5-intro [markdown]
r"""
### Exercise 5: A test for samples (10 min, stretch)

Write the judge that a test suite needs. It gets counts and the target's law (floats, all above 0).
On samples of the right law it may cry wolf once in a thousand times. Samples of the wrong fallback
it should catch, if there are enough draws. The check tries it on 400 samples of the right law and
100 of the wrong one, in three settings; the numbers of draws and of tokens differ.
"""


# %% ex5-suspicious tags=["exercise"]
def suspicious(counts, target):
    """True if these counts are hardly ever drawn from the target."""
    ### BEGIN SOLUTION
    expected = counts.sum() * target
    statistic = ((counts - expected) ** 2 / expected).sum()
    return statistic > chi2.isf(0.001, df=len(target) - 1)
    ### END SOLUTION
    return ...


# %% ex5-check tags=["check"]
checks.suspicious(suspicious)

# %% ex5-help [markdown]
r"""
<details><summary>Hint</summary>

Notebook 02 has the statistic: squared deviations of the counts, each divided by its expected count.
`chi2.isf(level, df)` is the limit that the right law passes with chance `level`; here df is the
number of tokens less one. (`scipy.stats.chisquare` does all of it and returns a p-value.)

</details>

[[solution ex5-suspicious]]
"""

# %% breaks [markdown]
r"""
## Where this breaks

- **Real models cannot be listed.** With $V = 50{,}000$ there are $2.5 \cdot 10^9$ pairs. So test
  the *function* that verifies, on small laws, exactly. It does not know how large its vocabulary
  is.
- **Real text remembers.** A Markov toy forgets all but one token, and so does its acceptance.
  `decoder_law` works for any model; `simulate` needs Markov models.
- **The noise formula wants expected counts of some size.** With far fewer draws than texts it can
  say more than 1, which no distance is.
- **A sample sees what it counts.** Count first tokens, and pairs may be wrong in peace.
- **The toy bill is a bill of passes.** Whether a target pass over six positions costs the same as
  over one is a question about hardware.
"""

# %% predictions [markdown]
r"""
## Your predictions
"""

# %% recall tags=["recall"]
widgets.recap()

# %% take-away [markdown]
r"""
## Take away

- **One formula.** $\text{noise}(N) \approx \sum_x \sqrt{p_x(1 - p_x) / 2 \pi N}$: how far the
  *right* law's sample is off.
- **One figure.** The lab: what is cut off on one side is what is owed on the other, and a column of
  zeros.
- **One function.** `sequence_law(model, prefix, n_tokens)`: every text and its chance.

Next: [04](04_block_decoding.ipynb). How a block of guesses is decoded, and why its joint law is
right.
"""
