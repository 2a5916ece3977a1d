# %% header [markdown]
r"""
# Lossless with respect to which law?

60 minutes, 70 with the stretch exercise · going further · needs: notebooks
[01](01_one_token_proof.ipynb) and [04](04_block_decoding.ipynb) · [[launch]]

**After this you can** *say* which law a decoder preserves, *put* temperature, top-k and top-p on
both sides, and *tell* from the acceptance rate alone that something must be wrong.
"""

# %% before-you-start [markdown]
r"""
## Before you start

Answer from memory, then unfold.

1. (Notebook 01) Tokens are drafted from $q$. How often, at most, can a lossless rule keep the
   drafted token?
2. (Notebook 02) An engine always drafts the draft model's favourite token. Which $q$ belongs into
   the acceptance test?

<details><summary>Answers</summary>

1. With chance $\alpha = \sum \min(p, q) = 1 - \mathrm{TV}(p, q)$. No rule keeps more.
2. The one-hot law on that token, for this is the law that the token was drawn from. The soft $q$
   of the model belongs to draws that nobody made.

</details>
"""

# %% setup
from fractions import Fraction
from functools import partial

import matplotlib.pyplot as plt
import numpy as np

from specnotes import checks, plots, widgets
from specnotes.laws import accept_prob, draw, overlap, total_variation
from specnotes.verify import token_kernel, verify_token


def parts(*weights):
    """The exact law in proportion to whole weights."""
    return np.array([Fraction(weight, sum(weights)) for weight in weights])


def show(law):
    return ", ".join(map(str, law))


# %% predict-intro [markdown]
r"""
## Predict

Nobody samples from a language model's law as it is. People set a temperature, cut off the unlikely
tokens, punish repetition. So when an engine says "lossless", which law has it kept?
"""

# %% predict-order tags=["predict"]
widgets.predict(
    "order",
    "Three tokens, p = (.5, .3, .2). Temperature 1/2, and top-p with mass .6. Does it matter which "
    "comes first?",
    ["no, both sharpen the law", "yes, the two orders give different laws"],
    answer="yes, the two orders give different laws",
    why="Sharpened first, one token reaches the mass; at temperature 1 it takes two.",
)

# %% predict-sides tags=["predict"]
widgets.predict(
    "sides",
    "A user asks for temperature 1/2. The engine gives it to the target, but drafts at temperature "
    "1 and tells the verifier so. Does the output have the law that the user asked for?",
    ["no, both sides need the same temperature", "yes"],
    answer="yes",
    why="The draft may come from any law, if it is the law that the verifier reads.",
)

# %% predict-update tags=["predict"]
widgets.predict(
    "update",
    "A decoder accepts 89 % of its drafts, just the overlap of the two laws. After an update it "
    "accepts 100 %. Same models, same settings, and the drafts are drawn as before. What follows?",
    ["good news, and the law is right at any acceptance", "the law must be wrong", "neither"],
    answer="the law must be wrong",
    why="No lossless rule accepts more than the overlap.",
)

# %% by-hand [markdown]
r"""
## Three tokens by hand

A sampling setting is a map: a law goes in, a law comes out. Here are the usual ones.

| setting | rule | *cat* | *sat* | *mat* |
|---|---|---|---|---|
| none | | 5/10 | 3/10 | 2/10 |
| temperature 1/2 | in proportion to $p^{1/T}$: squares, over their sum | 25/38 | 9/38 | 4/38 |
| top-k, $k = 2$ | the 2 likeliest, over their sum | 5/8 | 3/8 | 0 |
| top-p, mass .6 | the fewest likeliest that reach .6 | 5/8 | 3/8 | 0 |
| min-p, floor .5 | all with at least half of the top's .5 | 5/8 | 3/8 | 0 |
| greedy | the likeliest | 1 | 0 | 0 |

Top-p keeps the token that *crosses* the mark: .5 is not enough, .8 is.

Why a power? A model computes logits, $p \propto e^{z}$. The temperature divides them:
$e^{z/T} = (e^{z})^{1/T}$. Low $T$ sharpens, high $T$ flattens, $T \to 0$ is greedy.
"""

# %% top-k-text [markdown]
r"""
## Build them, then import

Top-k in four lines. Find the likeliest tokens, copy them, and divide by what is left. Of equal
tokens the first wins, so the result is one law and not a matter of luck.
"""


# %% top-k
def my_top_k(law, k):
    """The k likeliest tokens, renormalised.  (V,) -> (V,)"""
    order = np.argsort(-law, kind="stable")
    kept = 0 * law
    kept[order[:k]] = law[order[:k]]
    return kept / kept.sum()


p, q = parts(5, 3, 2), parts(2, 3, 5)
print(show(my_top_k(p, 2)))
print(show(my_top_k(parts(1, 1, 1), 2)), " (a tie)")

# %% ex1-intro [markdown]
r"""
### Exercise 1: temperature (5 min, core)

Write the law in proportion to $p^{1/T}$. A token of mass 0 stays at 0. `law` must not be changed in
place. Any form will do, powers, logits, a loop, if it also works with floats at $T = 1/1000$, where
$0.4^{1/T}$ is too small for a float.
"""


# %% ex1-temperature tags=["exercise"]
def my_temperature(law, t):
    """The law in proportion to p^(1/t).  (V,) -> (V,)"""
    ### BEGIN SOLUTION
    weights = (law / law.max()) ** (1 / t)  # the largest is 1: no power can overflow or vanish
    return weights / weights.sum()
    ### END SOLUTION
    return ...


# %% ex1-check tags=["check"]
checks.temperature(my_temperature)

# %% ex1-help [markdown]
r"""
<details><summary>Hint</summary>

`law ** x` raises each entry. What has to hold for the sum? A common factor goes out with the sum,
so divide by the largest first: its power is 1 at any $T$. If you prefer logits: the logit is the
*logarithm* of the probability.

</details>

[[solution ex1-temperature]]
"""

# %% ex2-intro [markdown]
r"""
### Exercise 2: top-p (8 min, core)

Keep the fewest likeliest tokens whose masses reach `mass`, and renormalise. A mark that is reached
exactly is reached. Of equal tokens keep the first, and only as many as are needed.
"""


# %% ex2-top-p tags=["exercise"]
def my_top_p(law, mass):
    """The fewest likeliest tokens that reach the mass, renormalised.  (V,) -> (V,)"""
    ### BEGIN SOLUTION
    order = np.argsort(-law, kind="stable")
    ahead = law[order].cumsum() - law[order]  # mass before each token
    kept = law.copy()
    kept[order[ahead >= mass]] = 0  # the mark was reached before this token
    return kept / kept.sum()
    ### END SOLUTION
    return ...


# %% ex2-check tags=["check"]
checks.top_p(my_top_p)

# %% ex2-help [markdown]
r"""
<details><summary>Hint</summary>

Walk through the tokens from the likeliest on. A token is kept if the mass *before* it has not
reached the mark. The running sum is `law[order].cumsum()`; what is the mass before?

</details>

[[solution ex2-top-p]]
"""

# %% import-text [markdown]
r"""
The package has all five, and `compose`, which applies its steps from left to right. With fractions
in, the results are exact wherever they are fractions. `temperature` takes $t > 0$; for 0 use
`greedy`.
"""

# %% import
from specnotes.transforms import compose, greedy, min_p, temperature, top_k, top_p

half = Fraction(1, 2)
print("temperature", show(temperature(p, half)))
print("top-k      ", show(top_k(p, 2)), " as by hand:", (top_k(p, 2) == my_top_k(p, 2)).all())
print("top-p      ", show(top_p(p, Fraction(6, 10))))
print("min-p      ", show(min_p(p, half)))
print("greedy     ", show(greedy(p)))

# %% order-text [markdown]
r"""
## Order matters

Each setting alone is well defined. Two of them need an order. Your first prediction:
"""

# %% order
sharpen, nucleus = partial(temperature, t=half), partial(top_p, mass=Fraction(6, 10))

print("temperature, then top-p:", show(compose(sharpen, nucleus)(p)))
print("top-p, then temperature:", show(compose(nucleus, sharpen)(p)))

# %% order-why [markdown]
r"""
At temperature 1/2 the first token has 25/38, about .66: it reaches the mass alone. At temperature 1
it has .5, and a second one is needed. Engines differ here: Transformers applies the temperature
first, llama.cpp by default last. So "temperature .5 and top-p .6" is not yet a law; the order is
part of the setting.

Temperature and top-k do commute: a power changes neither the ranking nor who is among the first
$k$.

### Exercise 3: the floor after the temperature (5 min, core)

Min-p looks at ratios to the top. Applied *before* a temperature $t$, with the floor $f$, it keeps
$p \ge f \cdot p_\max$. Which floor keeps the same tokens *after* the temperature?
"""


# %% ex3-floor tags=["exercise"]
def floor_after(floor, t):
    """The floor of min-p after temperature t that keeps what `floor` keeps before it."""
    ### BEGIN SOLUTION
    return floor ** (1 / t)
    ### END SOLUTION
    return ...


# %% ex3-check tags=["check"]
checks.floor_after(floor_after)

# %% ex3-help [markdown]
r"""
<details><summary>Hint</summary>

The temperature turns the ratio $p / p_\max$ into its power $1/t$. Do the same to both sides of the
inequality.

</details>

[[solution ex3-floor]]
"""

# %% contract-text [markdown]
r"""
## The contract

Nothing in the proof of notebook 01 cares where $p$ and $q$ come from. It needs two things:

- $p$, read by the verifier, is the law that is **wanted**: the target's, after the user's settings;
- $q$, read by the verifier, is the law that the token was **drawn from**: the draft's, after
  whatever was done to it before the draw.

Then the output has the law $p$: the target's *after* its settings. That is the answer to our title.
"The same settings on both sides" is a simple way to keep the contract, and you will read it as a
rule. It is sufficient and not necessary. Your second prediction was such a case.

So there are three laws to keep apart: drawn from, read as target, read as draft. Given the three,
the output law and the acceptance follow.
"""


# %% delivered
def delivered(drawn, target, draft):
    """A token from `drawn` meets a verifier that reads `target`, `draft`.  -> (law, accepted)"""
    return drawn @ token_kernel(target, draft), drawn @ accept_prob(target, draft)


def report(settings, wanted):
    """One line for each decoder: its output law, its distance from the wanted law, acceptance."""
    for name, laws in settings.items():
        output, accepted = delivered(*laws)
        off = total_variation(output, wanted)
        print(f"{name:18} {show(output):27} off by {off!s:6} accepted {float(accepted):.3f}")


# %% sides-text [markdown]
r"""
The user wants temperature 1/2, that is (25, 9, 4)/38. Six decoders:
"""

# %% sides
hot_p, hot_q = temperature(p, half), temperature(q, half)
decoders = {  # drawn from, read as target, read as draft
    "both sides, T = ½": (hot_q, hot_p, hot_q),
    "draft at T = 1": (q, hot_p, q),
    "a greedy draft": (greedy(q), hot_p, greedy(q)),
    "raw draft read": (hot_q, hot_p, q),
    "raw draft drawn": (q, hot_p, hot_q),
    "raw target read": (hot_q, p, hot_q),
}
print("wanted            ", show(hot_p))
report(decoders, wanted=hot_p)

# %% sides-why [markdown]
r"""
The first three keep the contract and are exact, each at its own acceptance. Drafting at $T = 1$
even keeps *more* here than equal temperatures do: sharpening drives these two laws apart.

The last three read a law that is not the one in use, and each is wrong in its own way. When the
target is read raw, the output is exactly the raw target: the theorem works, on the wrong law.

### Exercise 4: a round with settings (8 min, core)

Write one round that is lossless with respect to `target_step(target)`, with the token drawn from
`draft_step(draft)`, and accepts as much as can be. A step is a map law → law. The check runs it on
every coin, with equal and with different settings on the two sides, and on coins of exactly 0.
"""


# %% ex4-round tags=["exercise"]
def settings_round(target, draft, target_step, draft_step, rng):
    """Draw a drafted token and verify it.  -> (token, accepted)"""
    ### BEGIN SOLUTION
    wanted, drawn_from = target_step(target), draft_step(draft)
    token = draw(drawn_from, rng)
    return verify_token(wanted, drawn_from, token, rng)
    ### END SOLUTION
    return ...


# %% ex4-check tags=["check"]
checks.settings_round(settings_round)

# %% ex4-help [markdown]
r"""
<details><summary>Hint</summary>

Compute the two laws once, before anything is drawn. Then forget the raw ones. `draw(law, rng)` and
`verify_token(target, draft, token, rng)` do the rest.

</details>

[[solution ex4-round]]
"""

# %% rising-text [markdown]
r"""
## More accepted, less right

Now your third prediction. Top-k with $k = 2$ on both sides, four tokens. The engine drew the draft
from its top two, and handed the *raw* draft law to the verifier. The logits from before the filter
were simply the ones at hand.
"""

# %% rising
p4, q4 = parts(8, 6, 4, 2), parts(6, 7, 4, 3)
top_two = partial(top_k, k=2)
wanted, drawn = top_two(p4), top_two(q4)

print("wanted            ", show(wanted))
report({"as drawn": (drawn, wanted, drawn), "raw draft read": (drawn, wanted, q4)}, wanted)

# %% rising-why [markdown]
r"""
From .890 to 1, and off by 10/91. The filter removed mass and scaled up the rest: the kept tokens
were drawn *more* often than the raw $q$ says. The test $p/q$ divides by a $q$ that is too small,
and lets everything pass. What comes out is the draft.

On a dashboard this looks like a better draft. But an acceptance above the overlap is never good
news: $\alpha$ bounds every lossless rule with this draft. So if you know the two laws, **an
acceptance above $\sum \min(p, q)$ is a proof of a bug**. The converse fails: *raw draft read*, in
the table of temperatures, accepted *less* than the overlap, and was wrong too.

The other side can be forgotten as well. Top-p went to the draft, and the target was scored
unfiltered:
"""

# %% unfiltered
p_raw, q_raw = parts(10, 6, 3, 1), parts(1, 1, 1, 1)
nucleus = partial(top_p, mass=Fraction(7, 10))

print("wanted            ", show(nucleus(p_raw)))
report({"raw target read": (nucleus(q_raw), p_raw, nucleus(q_raw))}, wanted=nucleus(p_raw))

# %% stories [markdown]
r"""
Out comes the raw target, tail and all: the user's top-p has no effect. Distance 1/5.

These are not inventions. vLLM once scored the target unfiltered (fixed in pull request 10198).
Hugging Face Transformers once drafted the favourite token while the ratio used the soft $q$ (fixed
in pull request 33534). Everybody writes these bugs. Filter and verifier live in different files,
the output reads well, and the dashboard is pleased.

## Drag it

Four sliders for the settings, two for each side, applied in the order temperature, then top-p. The
draft's are those used for *drawing*. The list says what the verifier reads.

1. Leave the list at *both as sampled*, and drag anything. What moves, and what never does?
2. Both sides start with top-p 60 %, which keeps two tokens. Choose *raw draft*. Where does the dot
   go?
3. Choose *raw target*. Which sliders bring the error back to 0?
4. Can you find a wrong decoder that accepts *less* than the overlap?
"""

# %% live
widgets.two_sides()

# %% live-explained [markdown]
r"""
1. As sampled, the error is 0 wherever the sliders stand. On the right the square moves along the
   axis, and the dashed line with it.
2. With a raw draft and top-p the dot goes to the right, across the dashed line: accepted 100 %
   where α is 89.0 %. Truncation makes each kept token more likely than the raw $q$ says, so
   $\min(1, p/q)$ can only grow.
3. The raw target comes out, whatever the draft does. So the error is 0 if the target has no
   settings: *target T* at 1 and *target top-p* at 100 %.
4. You have just seen one. The *raw target*, at the start, accepts 70.0 % where α is 89.0 %. (A raw
   draft can do it as well, if its temperature flattens: *target top-p* 75, *draft T* 1.5, *draft
   top-p* 100 accept 80.5 % where α is 82.0 %.)

Standing still, for forty random pairs of eight tokens, with top-k 3 on both sides: squares for the
law as drawn, dots for the same decoder when the raw draft is read.
"""

# %% static
rng = np.random.default_rng(7)
raw_targets = rng.dirichlet(np.ones(8), 40)
raw_drafts = 0.8 * raw_targets + 0.2 * rng.dirichlet(np.ones(8), 40)

targets, drafts = top_k(raw_targets, 3), top_k(raw_drafts, 3)
outputs = (drafts[:, None] @ token_kernel(targets, raw_drafts))[:, 0]
accepted = (drafts * accept_prob(targets, raw_drafts)).sum(axis=-1)

fig, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
ax.set_title("A raw draft law: as much accepted or more, and off the law", loc="left")
plots.draw_acceptance_error(
    ax, overlap(targets, drafts), accepted, total_variation(targets, outputs)
)

# %% alpha-text [markdown]
r"""
## α is not a property of the two models

It belongs to two *laws*, and the settings make them. Take one temperature on both sides. At
$T \to \infty$ all laws are even and $\alpha \to 1$. At $T \to 0$ both are one-hot: $\alpha$ is 1 if
the favourites agree and 0 if not. In between it need not rise, nor fall.
"""

# %% alpha
from specnotes.models import toy_pair

ts = np.linspace(0.04, 2.5, 60)
toy = [model.matrix for model in toy_pair(0.5, 0.84, seed=2)]
pairs = {  # raw target, raw draft, line, where its label stands
    "the lab's pair, mean of 8 contexts": (*toy, "-", (1.2, 1.0)),
    "favourites agree": ([0.5, 0.3, 0.2], [0.4, 0.25, 0.35], "--", (0.2, 0.61)),
    "favourites differ": ([0.5, 0.3, 0.2], [0.2, 0.3, 0.5], ":", (0.6, 0.42)),
}
fig, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
for name, (target, draft, line, place) in pairs.items():
    rates = [np.mean(overlap(temperature(target, t), temperature(draft, t))) for t in ts]
    ax.plot(ts, rates, line, color="#00735a", linewidth=2)
    ax.annotate(name, place, color="#00735a")
ax.set(xlabel="temperature, on both sides", ylabel="overlap α", xlim=(0, 2.5), ylim=(0, 1.08))
ax.set_title("The same two models at other temperatures", loc="left")
ax.spines[["top", "right"]].set_visible(False)

# %% alpha-why [markdown]
r"""
So a reported acceptance without its settings says little. Leviathan et al. 2023 (table 3) measure
both: T5-XXL on translation with a small draft keeps .75 at temperature 0 and .62 at 1; a GPT-like
model with a 6M draft keeps .88 and .89.

## A counter-example that is none

It comes up in public again and again: "Take $p = (.5, .3, .2)$ and $q = (.2, .3, .5)$, and decode
at temperature 0. The theorem says that 70 % are kept. But greedy decoding keeps a guess only if it
is the target's favourite, and here that is never. So the theorem fails for greedy."

Which laws does the theorem speak of?
"""

# %% greedy
wanted, drawn = greedy(p), greedy(q)
print("laws after temperature 0:", show(wanted), "and", show(drawn))
report({"greedy, greedy": (drawn, wanted, drawn), "greedy, sampled": (q, wanted, q)}, wanted)
print("α at T = 1, 1/2, 1/4, 1/16:")
for cold in (1, half, half**2, half**4):
    print(f"  {float(overlap(temperature(p, cold), temperature(q, cold))):.4f}")

# %% greedy-why [markdown]
r"""
$p$ and $q$ are the laws *after* the temperature. There they are one-hot, $\alpha = 0$, every guess
is replaced by the target's favourite, and the formula is right on every count. The 70 % belong to
temperature 1. (A *sampled* draft under a greedy target keeps 20 %: another $q$, another $\alpha$.)

## Whole texts

For blocks nothing new is needed. `transformed(model, step)` is the model after its settings, with
every law of every context sent through the step. Decode with two of those, and notebook 04's
induction holds word for word, also with different settings:
"""

# %% texts
from specnotes.exact import decoder_law, distance, sequence_law
from specnotes.models import MarkovModel, transformed

large = MarkovModel([parts(5, 3, 2), parts(1, 2, 3), parts(2, 2, 1)], parts(5, 3, 2))
small = MarkovModel([parts(2, 3, 5), parts(1, 1, 1), parts(3, 1, 1)], parts(2, 3, 5))

target = transformed(large, compose(sharpen, partial(top_p, mass=Fraction(9, 10))))
draft = transformed(small, top_two)
blocks = decoder_law(target, draft, (), draft_length=2, n_tokens=3)
print("lossless for the model with its settings:", blocks == sequence_law(target, (), 3))
print(f"distance from the raw model: {float(distance(blocks, sequence_law(large, (), 3))):.3f}")

# %% penalty-text [markdown]
r"""
## Penalties look back

A repetition penalty makes tokens less likely that the text already has. It is a map of law *and*
prefix. `transformed` takes such steps, too. Each position has a prefix of its own; for the third
drafted token it contains the first two. The target pass still scores all positions at once, because
the penalty is applied afterwards, to laws that are already there.

A tempting short cut computes the penalty once a block, from the text before it:
"""


# %% penalty
def less_often(law, prefix):
    """A penalty: halve the weight of the last token."""
    weights = law.copy()
    if len(prefix):
        weights[prefix[-1]] /= 2
    return weights / weights.sum()


class Stale:
    """WRONG: penalises a whole block by the text before it."""

    def __init__(self, model, step):
        self.model, self.step, self.vocabulary = model, step, model.vocabulary

    def next_law(self, prefix):
        return self.step(self.model.next_law(prefix), prefix)

    def score(self, prefix, tokens):
        return np.stack([self.step(row, prefix) for row in self.model.score(prefix, tokens)])


# %% penalty-run
large, small = (MarkovModel([x] * 3, x) for x in (p, q))
target, draft = (transformed(model, less_often) for model in (large, small))

for n_tokens in (1, 2):
    right = sequence_law(target, (0,), n_tokens)
    fresh = decoder_law(target, draft, (0,), draft_length=1, n_tokens=n_tokens)
    stale = decoder_law(Stale(large, less_often), draft, (0,), 1, n_tokens)
    print(f"tokens {n_tokens}: own prefix {distance(fresh, right)}, stale {distance(stale, right)}")

# %% penalty-why [markdown]
r"""
With its own prefix for each position the decoder is exact. The stale one has a perfect first token,
and the pair is off by 331/2295, or .144: the first token's row stands right behind the prefix, and
the bonus row does not. A test of first tokens cannot see it.
"""

# %% ex5-intro [markdown]
r"""
## Exercises

Exercises 1 to 4 stand where they are needed, above. One is left.

### Exercise 5: penalties in a block (10 min, stretch)

`rows` are the target's raw laws from one pass: before each drafted token, and after the last. Send
each through `step(law, prefix)` with the prefix of its own position. `prefix` and `tokens` are
tuples.
"""


# %% ex5-rows tags=["exercise"]
def penalised_rows(rows, prefix, tokens, step):
    """Each row after the step.  rows (k+1, V), tokens (k,) -> (k+1, V)"""
    ### BEGIN SOLUTION
    return np.stack([step(row, prefix + tokens[:i]) for i, row in enumerate(rows)])
    ### END SOLUTION
    return ...


# %% ex5-check tags=["check"]
checks.penalised_rows(penalised_rows)

# %% ex5-help [markdown]
r"""
<details><summary>Hint</summary>

Row 0 has seen the prefix and no drafted token. Row $i$ has seen the first $i$ drafted tokens. How
many tokens has the last row seen?

</details>

[[solution ex5-rows]]
"""

# %% breaks [markdown]
r"""
## Where this breaks

- **A setting may look at the prefix, never at the drafted token itself.** A step that knows the
  token it will be tested on gives no law, and the proof has no $q$.
- **A truncation can cut what the other side has.** Then $q = 0$ where $p > 0$, or the reverse. The
  rule copes, in the form `u * q < p`; a table of ratios $p/q$ has 0/0 in it.
- **On floats a mark can be missed.** `.6 + .3` is less than `.9`, so top-p keeps one token more,
  and another machine may not. Apply a filter once, and hand its law on to the verifier.
- **The acceptance proof needs the laws.** A mean acceptance over a changed mix of prompts can rise
  without any bug. Compare with the mean of $\sum \min(p, q)$ over the same positions.
- **"Lossless" is about $p$, and says nothing about quality.** If top-p .6 writes dull texts, the
  decoder writes the same dull texts, faster.
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

- **One formula.** $p$ is the law that is wanted, $q$ the law the token was drawn from; then
  accepted $\le \sum \min(p, q)$ for every lossless rule, and more is proof of a bug.
- **One figure.** The square on the axis, and the dot above it or to its upper right.
- **One function.** `transformed(model, step)`: a model after its sampling settings.

Next: [08](08_broken_verifiers.ipynb), a line-up of decoders. Which of them would you ship?
"""
