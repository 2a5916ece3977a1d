# %% header [markdown]
r"""
# Why not just sample from the target again?

70 minutes · needs: notebook [01](01_one_token_proof.ipynb) · [[launch]]

**After this you can** *derive* the error of "sample from the target instead", *say* how large it
can get and which drafts hide it, and *work out* how many samples would show it.
"""

# %% before-you-start [markdown]
r"""
## Before you start

Answer from memory, then unfold.

1. (Notebook 00) The draft guesses three words. The target disagrees with the second. Which words
   does the round emit?
2. (Notebook 01) The target is $p = (5, 3, 2)/10$, the draft $q = (2, 3, 5)/10$. How often is a
   drafted token rejected, and what is drawn then?

<details><summary>Answers</summary>

1. The first guess, and the target's own word in place of the second.
2. With chance $1 - \alpha = 3/10$. Then the residual is drawn. Only the first token is owed
   anything, so here it is the first token, always.

</details>
"""

# %% setup
from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np
import sympy

from specnotes import checks, widgets

NAMES = ("cat", "sat", "mat")
target = np.array([Fraction(n, 10) for n in (5, 3, 2)])
draft = np.array([Fraction(n, 10) for n in (2, 3, 5)])


def show(law):
    """A law in words: cat 1/2, sat 3/10, mat 1/5."""
    return ", ".join(f"{name} {share}" for name, share in zip(NAMES, law))


# %% predict-intro [markdown]
r"""
## Predict

Notebook 01 has one awkward line: after a rejection, draw from the *residual*. There seems to be a
simpler way. The target is what we want. So when the draft has failed, why not sample from the
target itself?

> Keep the drafted token with chance $\min(1, p/q)$. If it is rejected, sample from $p$.

It sounds reasonable, and public code and lessons have shipped it. We call it the **wrong
fallback**.
"""

# %% predict-which tags=["predict"]
widgets.predict(
    "which",
    "Target cat .5, sat .3, mat .2; draft cat .2, sat .3, mat .5. Target and draft agree on sat. "
    "With the wrong fallback, which tokens come out with the wrong probability?",
    ["none of them", "cat and mat, not sat", "all three"],
    answer="all three",
    why="sat had its full share before any rejection, and the fallback pays it again.",
)

# %% predict-greedy tags=["predict"]
widgets.predict(
    "greedy",
    "A team tests its decoder at temperature 0: a thousand texts, every one equal to plain "
    "decoding. Can the wrong fallback be in their code?",
    ["no, a thousand texts would have shown it", "yes, this test cannot see it"],
    answer="yes, this test cannot see it",
    why="At temperature 0 the residual is the target, so the two fallbacks are the same.",
)

# %% predict-size tags=["predict"]
widgets.predict(
    "size",
    "Choose the worst draft and the worst target that you can. How far can the law of one token "
    "get from the target, in total variation?",
    ["as far as 1", "as far as 1/2", "as far as 1/4"],
    answer="as far as 1/4",
    why="It is at most α(1 − α): the mistake needs a rejection, and kept tokens to be paid twice.",
)

# %% by-hand [markdown]
r"""
## Three tokens by hand

| | cat | sat | mat | sum |
|---|---|---|---|---|
| target $p$ | .5 | .3 | .2 | 1 |
| draft $q$ | .2 | .3 | .5 | 1 |
| kept, $\min(p, q)$ | .2 | .3 | .2 | $\alpha = .7$ |
| **right**: residual adds | .3 | 0 | 0 | .3 |
| comes out | .5 | .3 | .2 | 1 |
| **wrong**: target adds $.3\,p$ | .15 | .09 | .06 | .3 |
| comes out | .35 | .39 | .26 | 1 |

Look at *sat*. The draft proposes it just as often as the target wants it, and every proposal is
kept. Its .3 is complete. Then the wrong fallback pays it another .09. That mass was owed to *cat*.
"""

# %% experiment-intro [markdown]
r"""
## Experiment: run it on every coin

Here is the mistake as code. It differs from notebook 01's `verify_token` in its last line.
"""

# %% wrong-token
from specnotes.laws import draw


def wrong_token(target, draft, token, rng):
    """WRONG: keep the drafted token, or sample from the target."""
    if rng.random() * draft[token] < target[token]:
        return token, True
    return draw(target, rng), False


# %% enumerate-text [markdown]
r"""
`law_of` (notebook 01) runs a program on every outcome of its coins and adds up where they lead.
With fractions in, exact fractions come out.
"""

# %% enumerate
from specnotes.coins import law_of
from specnotes.verify import verify_token


def emitted(verify, target, draft):
    """Exact law of the token that comes out."""

    def program(rng):
        token, _ = verify(target, draft, draw(draft, rng), rng)
        return token

    law = law_of(program)
    return np.array([law.get(token, Fraction(0)) for token in range(len(target))])


print("target         ", show(target))
print("with residual  ", show(emitted(verify_token, target, draft)))
print("wrong fallback ", show(emitted(wrong_token, target, draft)))

# %% hand-law-text [markdown]
r"""
The table agrees: $7/20, 39/100, 13/50$. Its last rows are a formula,

$$w = \min(p, q) + (1 - \alpha)\,p,$$

the mass that is kept plus a share $1 - \alpha$ of rejections, each paid with a whole $p$.
"""


# %% hand-law
def wrong_law(target, draft):
    """Law of one token with the wrong fallback, by the formula.  (V,), (V,) -> (V,)"""
    kept = np.minimum(target, draft)
    return kept + (1 - kept.sum()) * target


wrong = wrong_law(target, draft)
print(show(wrong))
print("same as on every coin:", (wrong == emitted(wrong_token, target, draft)).all())

# %% import-law-text [markdown]
r"""
The package has this as `emitted_law`. It takes any fallback, and uses the residual if none is
given.
"""

# %% import-law
from specnotes.laws import overlap, total_variation
from specnotes.verify import emitted_law

print((emitted_law(target, draft, fallback=target) == wrong).all())
print("distance from the target:", total_variation(wrong, target))

# %% simulate-text [markdown]
r"""
A third road: sample. Five thousand tokens, one after the other, from a fixed seed.
"""

# %% simulate
rng = np.random.default_rng(2)
tokens = [wrong_token(target, draft, draw(draft, rng), rng)[0] for _ in range(5000)]
counts = np.bincount(tokens, minlength=3)

for name, count, law in zip(NAMES, counts, wrong):
    error = (law * (1 - law) / 5000) ** 0.5
    print(f"{name}: sampled {count / 5000:.3f} ± {error:.3f}, exact {float(law):.3f}")

# %% bias-text [markdown]
r"""
## How wrong? The bias

Notebook 01 proved $\min(p, q) + (1 - \alpha)\,r = p$, with $r$ the residual. So the kept part is
$p - (1 - \alpha)\,r$. Put that into the formula for $w$:

$$w - p = (1 - \alpha)\,(p - r).$$

This is the whole mistake in one line. With chance $1 - \alpha$ there is a rejection; then $r$ was
owed, and $p$ was paid. SymPy can check the step that it rests on, one token at a time: `p` and `q`
are that token's two probabilities, and $\alpha$ is a number that all tokens share.
"""

# %% bias-sympy
p, q, alpha = sympy.symbols("p q alpha", positive=True)
kept = sympy.Min(p, q)
owed = sympy.Max(p - q, 0) / (1 - alpha)  # the residual r of this token

gap = kept - (p - (1 - alpha) * owed)
sympy.simplify(gap.expand().rewrite(sympy.Piecewise))

# %% size-text [markdown]
r"""
### Its size

The total variation distance is half the sum of absolute biases. The factor comes out:

$$\mathrm{TV}(w, p) = (1 - \alpha)\,\mathrm{TV}(p, r).$$

One more step. The target is made of what is kept and what is owed. Let $k = \min(p, q)/\alpha$ be
the law of the kept tokens. Then $p = \alpha k + (1 - \alpha) r$, so $p - r = \alpha\,(k - r)$, and

$$\mathrm{TV}(w, p) = \alpha(1 - \alpha)\,\mathrm{TV}(k, r) \le \alpha(1 - \alpha) \le \tfrac14 .$$

The mistake needs both: a rejection, to call the fallback, and kept tokens, to be paid twice. (With
$\alpha$ at 0 or 1 one of the two is missing, and $w = p$.)

- **$\alpha(1 - \alpha)$ is reached** when no token is both kept and owed: $\mathrm{TV}(k, r) = 1$.
  A token is owed where $p > q$. So there $q$ must be 0.
- **1/4 is reached** when also $\alpha = 1/2$. The smallest case has two tokens: $q = (1, 0)$ and
  $p = (1/2, 1/2)$ give $w = (3/4, 1/4)$.

SymPy finds the same pair, mirrored. Take two tokens, the first of them owed: $p > q$. Then
$r = (1, 0)$.
"""

# %% bound-sympy
kept_two = q + (1 - p)  # α: all of q on the first token, all of p on the second
size = (1 - kept_two) * (1 - p)  # (1 − α) TV(p, r)
print("size:", sympy.factor(size), "· slope in q:", sympy.diff(size, q))

peak = sympy.solve(sympy.diff(size.subs(q, 0), p), p)[0]
print("with q = 0 it is largest at p =", peak, "where it is", size.subs({q: 0, p: peak}))

half, one_sided = np.array([Fraction(1, 2)] * 2), np.array([Fraction(0), Fraction(1)])
print("and the law there is off by", total_variation(wrong_law(half, one_sided), half))

# %% hide-text [markdown]
r"""
## Which draft hides it?

Nobody ships the draft of our example. A good draft is a target with a little of something else in
it, $q_e = (1 - e)\,p + e\,b$, with a bad draft $b$ and a small share $e$. Then

$$p - q_e = e\,(p - b).$$

What is owed shrinks in proportion, so its *law* $r$ does not change at all. What is rejected
shrinks in proportion too: $1 - \alpha_e = e\,\mathrm{TV}(p, b)$. So the error is exactly linear:

$$w_e - p = e\,(w_1 - p), \qquad \mathrm{TV}(w_e, p) = e\,(1 - \alpha_1)\,\mathrm{TV}(p, r).$$

The index 1 means the bad draft alone. In our example the coefficient is $3/20$. A draft with
$e = 2\,\%$ keeps 99.4 % of its guesses, and the law is off by $3/1000$: wrong, and well hidden.
"""

# %% hide
for e in (Fraction(1), Fraction(1, 2), Fraction(1, 10), Fraction(1, 50)):
    mixed = (1 - e) * target + e * draft
    off = total_variation(wrong_law(target, mixed), target)
    print(f"e = {e!s:5} α = {float(overlap(target, mixed)):.1%}  off by {off!s:6} = e · {off / e}")

# %% samples-text [markdown]
r"""
## How many samples would show it?

Suppose you can only sample. You draw $N$ tokens, count each token, and compute

$$X = \sum_x \frac{(\text{count}_x - N p_x)^2}{N p_x}.$$

If the law is right, $X$ follows, nearly, a $\chi^2$ law with $V - 1 = 2$ degrees of freedom. Raise
the alarm above a limit that the right law passes once in a thousand times (the *level*).

If the law is $w$, then $X$ follows, nearly, a *noncentral* $\chi^2$ law. Its noncentrality counts
the evidence:

$$\lambda = N\,S, \qquad S = \sum_x \frac{(w_x - p_x)^2}{p_x}.$$

We want the alarm with chance .97 (the *power*). SciPy has both laws. How much $\lambda$ is needed?
"""

# %% noncentrality
from scipy.optimize import brentq
from scipy.stats import chi2, ncx2

LEVEL, POWER = 0.001, 0.97


def needed(freedom):
    """The noncentrality that raises the alarm with the wanted power."""
    limit = chi2.isf(LEVEL, freedom)
    return brentq(lambda size: ncx2.sf(limit, freedom, size) - POWER, 1, 200)


def samples(target, wrong):
    """Draws that would show the difference between two laws."""
    signal = float(sum((wrong - target) ** 2 / target))
    return f"{np.ceil(needed(len(target) - 1) / signal):,.0f}" if signal else "no number"


print("alarm above", round(chi2.isf(LEVEL, 2), 2), "· needed λ =", round(needed(2), 2))
print("draws for the draft of our example:", samples(target, wrong))

# %% samples-check-text [markdown]
r"""
So $N = 30.10/S$, with $S = .09$: 334.5, so 335 draws. (People round $\lambda$ to 30 and say 333.)

Is this formula true? The noncentral law is an approximation. But three tokens and 335 draws have
only 56,616 possible tables of counts, so we can add up the probability of every table that raises
the alarm.
"""

# %% exact-power
from scipy.stats import multinomial

N = 335
first, second = np.meshgrid(np.arange(N + 1), np.arange(N + 1))
tables = np.stack([first, second, N - first - second], axis=-1)[first + second <= N]

expected = N * target.astype(float)
alarm = ((tables - expected) ** 2 / expected).sum(axis=-1) > chi2.isf(LEVEL, 2)
for name, law in (("right", target), ("wrong", wrong)):
    chance = multinomial.pmf(tables[alarm], N, law.astype(float)).sum()
    print(f"{len(tables):,} tables; alarm under the {name} law: {chance:.4f}")

# %% samples-price [markdown]
r"""
The formula promised .001 and .97; the exact values are .0010 and .976. Good enough to plan with.

Now the price of a good draft. The bias is $e$ times as large and enters $S$ squared, so the samples
grow as $1/e^2$.
"""

# %% samples-table
for e in (Fraction(1), Fraction(1, 10), Fraction(1, 50)):
    mixed = (1 - e) * target + e * draft
    off = total_variation(emitted(wrong_token, target, mixed), target)
    draws = samples(target, wrong_law(target, mixed))
    print(f"e = {e!s:5} sampling: {draws:>8} draws    every coin: off by {off}, no draws")

# %% samples-lesson [markdown]
r"""
At $e = 2\,\%$ a test needs 836,000 draws (833,000 if you round $\lambda$). They buy a
probable verdict. Enumeration runs a three-line function a few times and gives $3/1000$.

## Drag it

The figure mixes a bad draft into the target, as above. Before you move the slider, say what happens
to each: the strips, the error bars, the dot under the curve, the number of samples. What does
halving $e$ do? Which bad draft brings the dot up to the curve?
"""

# %% live
widgets.fallback(samples=samples)

# %% live-explained [markdown]
r"""
The error bars grow in step with $e$. So does the distance, while $\alpha$ falls:
the dot runs along a straight line. Halving $e$ multiplies the samples by four.

With *always the first token* at $e = 100\,\%$ the dot sits on top: $q = (1, 0, 0)$ leaves nothing
to tokens that are owed, and $\alpha = 1/2$. *Only what the target likes least* touches the curve
further left, at $\alpha = 1/5$. The other two stay below: something is kept and owed.

The same point, without a slider: 400 random pairs of laws, and the curve that none of them crosses.
"""

# %% static
from specnotes.plots import draw_bound

rng = np.random.default_rng(5)
targets = rng.dirichlet(np.ones(3), 400)
drafts = rng.dirichlet(np.full(3, 0.3), 400)
wrongs = emitted_law(targets, drafts, fallback=targets)

fig, ax = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
ax.set_title("The wrong fallback is off by at most α(1 − α)")
draw_bound(ax, overlap(targets, drafts), total_variation(targets, wrongs))

# %% greedy-text [markdown]
r"""
## Why greedy tests cannot see it

At temperature 0 the target is one-hot: all its mass is on one token. If that token is not kept, it
is the only one owed. So $r = p$, and $w - p = (1 - \alpha)(p - r) = 0$. The wrong fallback is right
there, whatever the draft.

So the popular test "greedy output is the same with and without speculation" passes, with every
draft. A test that can see the mistake must sample. Then it needs draws, or every coin.
"""

# %% greedy
from specnotes.transforms import greedy

print("greedy target, greedy draft:", show(wrong_law(greedy(target), greedy(draft))))
print("greedy target, any draft:   ", show(wrong_law(greedy(target), draft)))

# %% look-alikes [markdown]
r"""
## Two look-alikes that are right

Not everything that looks wrong is. In public, both of these have been called bugs.

**Accept if equal.** Sample a token from the target as well. If it equals the drafted one, call that
accepted. If not, emit *the target's sample*. What comes out is a sample of $p$ by construction.
This samples from the target after a mismatch, just as the wrong fallback does after a rejection!
The difference: here the emitted sample is the very one that was compared. There, a *fresh* one is
drawn after the test has looked. The price is acceptance: two samples agree with chance
$\sum_x p(x)\,q(x)$, never more than $\alpha$.

**A draft without chance.** An engine proposes one token by a rule: the draft's favourite, or what
followed last time. Its code puts $q = 1$ for that token. This is no shortcut; it is the true law of
such a draft, one-hot. Accept-or-residual works as ever, with $\alpha = p(\text{that token})$.

Same law, other price:
"""

# %% look-alike-prices
four = np.array([Fraction(n, 10) for n in (6, 2, 1, 1)])
guess = np.array([Fraction(n, 20) for n in (14, 4, 1, 1)])

for name, p4, q4 in (("four tokens", four, guess), ("our example", target, draft)):
    print(name)
    print("  accept or residual, draft sampled    ", float(overlap(p4, q4)))
    print("  accept or residual, draft's favourite", float(overlap(p4, greedy(q4))))
    print("  accept if equal                      ", float((p4 * q4).sum()))

# %% look-alike-wrong-text [markdown]
r"""
The mixture of the two *is* a bug. Propose the favourite, but accept with $\min(1, p/q)$ of the soft
$q$: the ratio then belongs to a law that nobody drew from. In our example the favourite is *mat*.
"""

# %% look-alike-wrong
favourite = greedy(draft)  # the law that the token is really drawn from


def soft_ratio(target, favourite, token, rng):
    """WRONG: a token drawn from one law, judged by another."""
    return verify_token(target, draft, token, rng)


print("target      ", show(target))
print("true law q  ", show(emitted(verify_token, target, favourite)))
print("soft ratio  ", show(emitted(soft_ratio, target, favourite)))

# %% same-law-text [markdown]
r"""
## "Why does my output differ from plain decoding?"

Because the same *distribution* is not the same *output*. Both decoders below have the target's law.
They spend their coins differently, so one seed gives two texts. Plain decoding also differs from
itself, from seed to seed. A difference in output is no evidence of a bug, and no difference
(greedy!) is no evidence of health.
"""


# %% same-law
def plain(seed):
    return NAMES[draw(target, np.random.default_rng(seed))]


def speculative(seed):
    rng = np.random.default_rng(seed)
    return NAMES[verify_token(target, draft, draw(draft, rng), rng)[0]]


print("seed       ", *range(10), sep="   ")
print("plain      ", *map(plain, range(10)))
print("speculative", *map(speculative, range(10)))
print("same law:", (emitted(verify_token, target, draft) == target).all())

# %% exercises [markdown]
r"""
## Exercises

Run the check below each answer. It says what is wrong, with a counter-example.

### Exercise 1: The bias (5 min, core)

For *one* token with probabilities `p` and `q`, write the bias $w - p$ as a SymPy expression in `p`,
`q` and `alpha` alone. Which form is shortest? The check takes any.
"""

# %% ex1-bias tags=["exercise"]
bias = ...
### BEGIN SOLUTION
bias = sympy.Min(p, q) - alpha * p
### END SOLUTION

# %% ex1-check tags=["check"]
checks.wrong_fallback_bias(bias)

# %% ex1-help [markdown]
r"""
<details><summary>Hint</summary>

Start from $w = \min(p, q) + (1 - \alpha)\,p$ and take $p$ off. SymPy calls the minimum
`sympy.Min(p, q)`.

</details>

[[solution ex1-bias]]

<details><summary>What the answer says</summary>

A token gains exactly if $\min(p, q) > \alpha p$: if more than the share $\alpha$ of its mass is
kept. Tokens that the draft covers well gain, and the others pay for it.

</details>
"""

# %% ex2-intro [markdown]
r"""
### Exercise 2: The worst pair (5 min, core)

The pair $p = (1/2, 1/2)$, $q = (1, 0)$ is off by 1/4. Find a target and a draft over **four**
tokens, with all four wanted by the target, that are off by 1/4 as well. Lists of numbers are fine.
"""

# %% ex2-pair tags=["exercise"]
worst_target = ...
worst_draft = ...
### BEGIN SOLUTION
worst_target = [Fraction(1, 4)] * 4
worst_draft = [Fraction(1, 2), Fraction(1, 2), 0, 0]
### END SOLUTION

# %% ex2-check tags=["check"]
checks.worst_pair(worst_target, worst_draft)

# %% ex2-help [markdown]
r"""
<details><summary>Hint</summary>

Two conditions: $q = 0$ wherever $p > q$, and $\alpha = 1/2$. So split the tokens into kept ones and
owed ones. How much of $p$ lies on the kept ones?

</details>

[[solution ex2-pair]]
"""

# %% ex3-intro [markdown]
r"""
### Exercise 3: How good a draft hides it? (10 min, core)

Your test suite draws `draws` tokens and runs the $\chi^2$ test with `LEVEL` and `POWER`. The draft
is $q_e = (1 - e)\,p + e\,b$. For which share $e$ does the test have exactly the wanted power? Every
smaller share hides from it.

`target` and `bad` are arrays of floats over $V$ tokens, all wanted by the target. If even $e = 1$
hides, return 1.
"""


# %% ex3-hiding tags=["exercise"]
def hiding_share(target, bad, draws):
    """The share e of the bad draft at which the test reaches its power."""
    ### BEGIN SOLUTION
    bias_of_bad = wrong_law(target, bad) - target
    signal = (bias_of_bad**2 / target).sum()
    return min(1, (needed(len(target) - 1) / (draws * signal)) ** 0.5)
    ### END SOLUTION
    return ...


# %% ex3-check tags=["check"]
checks.hiding_share(hiding_share)

# %% ex3-help [markdown]
r"""
<details><summary>Hint</summary>

With the bad draft alone, a draw brings $S_1 = \sum (w_1 - p)^2 / p$. With the share $e$ it brings
$e^2 S_1$. Solve $N e^2 S_1 = \lambda$ for $e$; `needed` above gives $\lambda$, and a law over $V$
tokens has $V - 1$ degrees of freedom.

</details>

[[solution ex3-hiding]]

With 10,000 draws our example gives $e = .18$: every draft that keeps more than 94.5 % hides the
mistake.
"""

# %% ex4-intro [markdown]
r"""
### Exercise 4: Accept if equal (7 min, core)

Write the first look-alike. The check runs it on every coin, on all nasty pairs: what comes out must
have the target's law, and the chance of `accepted` must be $\sum pq$.
"""


# %% ex4-equal tags=["exercise"]
def accept_if_equal(target, draft, token, rng):
    """One sample of the target decides.  -> (emitted token, accepted)"""
    ### BEGIN SOLUTION
    wanted = draw(target, rng)
    return wanted, wanted == token
    ### END SOLUTION
    return ...


# %% ex4-check tags=["check"]
checks.accept_iff_equal(accept_if_equal)

# %% ex4-help [markdown]
r"""
<details><summary>Hint</summary>

`draw(target, rng)` is one sample of the target. Draw once, and keep what you drew in a variable.

</details>

[[solution ex4-equal]]
"""

# %% ex5-intro [markdown]
r"""
### Exercise 5: A draft without chance (10 min, stretch)

The draft proposes `token`, always; there is no array for $q$. Write the lossless verifier that
keeps as many proposals as possible: $p(\text{token})$ of them. `target` must not be changed in
place.
"""


# %% ex5-certain tags=["exercise"]
def verify_certain(target, token, rng):
    """Verify a token that was drafted for certain.  -> (emitted token, accepted)"""
    ### BEGIN SOLUTION
    if rng.random() < target[token]:
        return token, True
    others = target.copy()
    others[token] = 0
    return draw(others / others.sum(), rng), False
    ### END SOLUTION
    return ...


# %% ex5-check tags=["check"]
checks.certain_draft(verify_certain)

# %% ex5-help [markdown]
r"""
<details><summary>Hint</summary>

Put the one-hot $q$ into accept-or-residual. What is $\min(1, p/q)$ for the proposed token? What is
$(p - q)_+$ for that token, and for the others?

</details>

[[solution ex5-certain]]

`accept_if_equal` with this token passes, too: for a draft without chance the two rules are one.
"""

# %% breaks [markdown]
r"""
## Where this breaks

- **The quarter is for one token.** Over a text the error grows, or stays; it never shrinks, because
  the first token is part of every longer text. Notebook 04 finds the law of whole texts.
- **One token's law is not the whole contract.** A verifier can be exact on one token and wrong on
  pairs. Notebook 04 collects such mistakes.
- **The $\chi^2$ plan needs expected counts of about five or more per token.** A real vocabulary has
  $10^5$ tokens, most of them rare. Pool the rare ones, or test the function on small laws, as here.
- **$p$ and $q$ are the laws after temperature, top-k and so on.** "At temperature 0 the formula
  fails" is no counter-example: there both laws are one-hot, and the formula holds.
- **Enumeration covers the cases that you ran.** The formulas above cover all.
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

- **One formula.** $w - p = (1 - \alpha)\,(p - r)$: it paid $p$ where $r$ was owed. Its size is
  $\alpha(1 - \alpha)\,\mathrm{TV}(k, r) \le 1/4$.
- **One figure.** The dot under the curve $\alpha(1 - \alpha)$.
- **One function.** `emitted_law(target, draft, fallback=…)`: the exact law of one token, with any
  fallback.

Next: [03](03_markov_lab.ipynb). From one token to texts, and what a sample can tell you about them.
"""
