# %% header [markdown]
r"""
# How many tokens does one target pass buy?

90 minutes · needs: notebooks 01 and 04 · [[launch]]

**After this you can** *derive* tokens per round, *keep* the latency ledger, and *choose* a draft
length γ for an acceptance rate α and a cost ratio c.
"""

# %% before-you-start [markdown]
r"""
## Before you start

Answer from memory, then unfold.

1. At one position the target's law is $p = (5, 3, 2)/10$ and the draft's $q = (2, 3, 5)/10$. What
   is the chance that the drafted token is kept? (Notebook 01)
2. A round drafts three tokens, and the second is rejected. Which tokens does the round emit, and
   what becomes of the third draft? When is there a bonus token, and from which law? (Notebook 04)

<details><summary>Answers</summary>

1. $\alpha = \sum \min(p, q) = .2 + .3 + .2 = .7$.
2. The first draft and a correction from the residual: two tokens. The third draft is thrown away
   unread. A bonus token comes only if all drafts are kept, from the target's law after the last of
   them.

</details>
"""

# %% setup
from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np
import sympy

from specnotes import checks, exact, plots, widgets
from specnotes.models import MarkovModel

# %% predict-intro [markdown]
r"""
## Predict

The output is exact; that was settled in notebook 04. Now we ask what it costs. Take a draft whose
tokens are kept with chance $\alpha = .8$, each time, whatever came before. It drafts four at a
time.
"""

# %% predict-mean tags=["predict"]
widgets.predict(
    "mean",
    "α = .8, four drafts a round. How many tokens does one target pass give, on average?",
    ["3.2", "3.36", "4.2", "5"],
    answer="3.36",
    why="1 + .8 + .64 + .512 + .4096: a draft counts only if all before it were kept, too.",
)

# %% predict-likeliest tags=["predict"]
widgets.predict(
    "likeliest",
    "The same round. Which number of tokens does it give most often?",
    ["1", "3", "4", "5"],
    answer="5",
    why="All four are kept in 41 % of the rounds. Three tokens, near the mean, come in 13 %.",
)

# %% predict-best tags=["predict"]
widgets.predict(
    "best",
    "α = .8, and a draft step takes a tenth of a target pass. Which draft length is fastest?",
    ["2", "6", "12", "as long as possible"],
    answer="6",
    why="It makes decoding 2.47 times as fast; from 40 drafts on it is slower than none.",
)

# %% by-hand [markdown]
r"""
## One round by hand

Three tokens, $p = (5, 3, 2)/10$ and $q = (2, 3, 5)/10$ after every prefix, so $\alpha = 7/10$ at
every position. Draft length $\gamma = 2$. A round can end in three ways.

| what happens | chance | tokens $N$ |
|---|---|---|
| first draft rejected | $3/10 = .30$ | 1: the correction |
| first kept, second rejected | $7/10 \cdot 3/10 = .21$ | 2: one draft, the correction |
| both kept | $7/10 \cdot 7/10 = .49$ | 3: two drafts, the bonus |

The chances sum to 1. The mean is $.30 \cdot 1 + .21 \cdot 2 + .49 \cdot 3 = 2.19$ tokens.

Does the real decoder agree? `exact.round_law` runs it on every coin and returns the law of a whole
round. We only count the tokens it emits.
"""

# %% enumerate
target_law = np.array([Fraction(5, 10), Fraction(3, 10), Fraction(2, 10)])
draft_law = np.array([Fraction(2, 10), Fraction(3, 10), Fraction(5, 10)])
target = MarkovModel([target_law] * 3, target_law)  # the same law after every token
draft = MarkovModel([draft_law] * 3, draft_law)


def counted(draft_length):
    """Chances of 1, 2, …, γ+1 tokens in one round of the real decoder."""
    chances = [Fraction(0)] * (draft_length + 1)
    for block, chance in exact.round_law(target, draft, (), draft_length).items():
        chances[len(block.emitted) - 1] += chance
    return chances


print(*counted(2))

# %% other-way [markdown]
r"""
## Add it up the other way

Draw the average round as an area. Each way to end is a column: as wide as its chance, as high as
its tokens. Green is a kept draft, purple a correction, blue the bonus. The mean is the area, and we
added it up by columns.
"""

# %% area
fig, ax = plt.subplots(figsize=(6.4, 2.9), layout="constrained")
plots.draw_area(ax, counted(2))

# %% other-way-2 [markdown]
r"""
Now read the same area by rows. Every round has a first token: the bottom row has width 1. A second
token needs one kept draft: width $\alpha$. A third needs two: $\alpha^2$. The area is
$1 + \alpha + \alpha^2 = 1 + .7 + .49 = 2.19$, as before.

For any draft length, by columns and by rows:

$$E[N] \;=\; \sum_{k=1}^{\gamma} k\,\alpha^{k-1}(1-\alpha) + (\gamma+1)\,\alpha^{\gamma}
\;=\; 1 + \alpha + \alpha^2 + \dots + \alpha^{\gamma}.$$

SymPy can do both sums for a symbolic $\gamma$ and compare them.
"""

# %% sympy-sum
alpha, c = sympy.symbols("alpha c", positive=True)
gamma, k = sympy.symbols("gamma k", integer=True, positive=True)

by_columns = sympy.summation(k * alpha ** (k - 1) * (1 - alpha), (k, 1, gamma))
by_columns += (gamma + 1) * alpha**gamma
by_rows = sympy.summation(alpha**k, (k, 0, gamma))

print("difference:", sympy.simplify(by_columns - by_rows))
by_rows

# %% closed-form [markdown]
r"""
The difference is 0. The second branch is the closed form of a geometric sum. At $\alpha = 1$ it
reads 0/0, which is why SymPy keeps a branch for it. The limit is what it should be: if every draft
is kept, a round gives $\gamma + 1$ tokens.
"""

# %% limit
closed = (1 - alpha ** (gamma + 1)) / (1 - alpha)
sympy.limit(closed, alpha, 1)

# %% ex1-text [markdown]
r"""
### Exercise 1: tokens per round (6 min, core)

Write $1 + \alpha + \dots + \alpha^\gamma$ as a function of `acceptance_rate` and `draft_length`. It
must work for every $\alpha$ from 0 to 1, both ends included. Any form will do.
"""


# %% ex1 tags=["exercise"]
def my_tokens(acceptance_rate, draft_length):
    """Mean number of tokens in one round."""
    ### BEGIN SOLUTION
    total = 1  # with no drafts left, the target gives one token
    for _ in range(draft_length):
        total = 1 + acceptance_rate * total  # one token, and if it was a kept draft, go on
    return total
    ### END SOLUTION
    return ...


# %% ex1-check tags=["check"]
checks.tokens_per_round(my_tokens)

# %% ex1-help [markdown]
r"""
<details><summary>Hint</summary>

Three ways: add the powers; use the closed form and treat $\alpha = 1$ apart; or think of the round
after its first draft. With chance $1 - \alpha$ it is over, with one token. With chance $\alpha$ you
have one token and are at the start of a round with one draft fewer.

</details>

[[solution ex1]]

The solution never divides, so $\alpha = 1$ is no special case.
"""

# %% three-roads [markdown]
r"""
## Three roads to one number

From here on we use the package's function, the same sum. Take $\alpha = 7/10$, $\gamma = 4$, and
reach the mean by the formula, by the decoder on every coin, and by simulation (`lockstep` runs many
decoders side by side).
"""

# %% three-roads-code
from specnotes.lockstep import simulate
from specnotes.yields import tokens_per_round

formula = tokens_per_round(Fraction(7, 10), 4)
listed = sum(n * chance for n, chance in enumerate(counted(4), start=1))
print("formula    ", float(formula), "  equal to the enumeration:", formula == listed)

chains = simulate(target, draft, 4, n_tokens=2000, chains=200, rng=np.random.default_rng(5))
ratios = 2000 / chains.target_passes  # one ratio per chain
error = ratios.std() / np.sqrt(len(ratios))
print(f"simulation  {ratios.mean():.3f} ± {2 * error:.3f} (two standard errors)")

# %% three-roads-why [markdown]
r"""
Formula and enumeration agree with `==`. The simulation is within its error. It needs 400,000 tokens
for two decimals.

## The law of N, not only its mean

The table by hand is a law: $P(N = k) = \alpha^{k-1}(1 - \alpha)$ for $k \le \gamma$, and
$P(N = \gamma + 1) = \alpha^{\gamma}$. The last one has *no* factor $1 - \alpha$: a round that keeps
everything ends without a rejection. Here it is for your first two predictions.
"""

# %% law
from specnotes.yields import tokens_law

law = tokens_law(0.8, 4)
mean = law @ np.arange(1, 6)
spread = np.sqrt(law @ np.arange(1, 6) ** 2 - mean**2)
print(f"mean {mean:.4f}, standard deviation {spread:.2f}")

fig, ax = plt.subplots(figsize=(5, 2.6), layout="constrained")
plots.draw_tokens_law(ax, law)

# %% law-why [markdown]
r"""
The mean of 3.36 is not a typical round. Rounds of five tokens are the most frequent, then rounds of
one. A user sees text arrive in uneven bursts.

The spread also says how long to measure: over $n$ rounds, the mean is known to about
$\pm 2 \cdot 1.6/\sqrt{n}$, so 1,000 rounds leave $\pm .1$.

## The ledger

Tokens are what a round earns. Time is what it costs. Measure time in target passes, and let $c$ be
the time of one draft step: $c = .1$ means that ten draft steps take as long as one target pass.

By hand, with $\alpha = .7$, $\gamma = 2$, $c = .1$:

| entry | passes |
|---|---|
| two draft steps, one after the other | $2 \cdot .1 = .2$ |
| one target pass, which scores all positions | $1$ |
| **the round** | $1.2$ |

It earns 2.19 tokens. Plain decoding makes one token per pass, so in the same time it would earn
1.2. The **speed-up** is $2.19 / 1.2 = 1.825$.

The second row is an assumption: three positions in one pass take no longer than one. It holds while
reading the weights is what takes the time. We come back to it at the end.
"""

# %% ex2-text [markdown]
r"""
### Exercise 2: keep the ledger (4 min, core)

Write the speed-up for any $\alpha$, $\gamma$ and $c$. You may use `tokens_per_round`.
"""


# %% ex2 tags=["exercise"]
def my_speedup(acceptance_rate, draft_length, cost_ratio):
    """Tokens per unit of time, where plain decoding has 1."""
    ### BEGIN SOLUTION
    return tokens_per_round(acceptance_rate, draft_length) / (draft_length * cost_ratio + 1)
    ### END SOLUTION
    return ...


# %% ex2-check tags=["check"]
checks.speedup(my_speedup)

# %% ex2-help [markdown]
r"""
<details><summary>Hint</summary>

Replace the numbers in the table by letters. How many draft steps? How many target passes?

</details>

[[solution ex2]]
"""

# %% widget-text [markdown]
r"""
## Drag it

Left: the speed-up for each $\gamma$, with the best one starred. The dashed line is what it would be
if drafts were free. Right: the law of $N$ for the $\gamma$ you chose.

1. Set $\alpha = .8$, $c = .1$. Where is the star? Move $\gamma$ to it, then past it.
2. Keep $\alpha = .8$ and raise $c$. The star moves left. At which $c$ does it vanish?
3. Try $\alpha = .5$. At which $c$ does the star vanish now?
"""

# %% widget
widgets.yield_curve(acceptance_rate=0.8, draft_length=4, cost_ratio=0.1)

# %% static-text [markdown]
r"""
The same picture, standing still: one draft that keeps 80 %, at three prices.
"""

# %% static
from specnotes.yields import best_draft_length, speedup

lengths = range(1, 17)
tokens = [tokens_per_round(0.8, n) for n in lengths]
fig, axes = plt.subplots(1, 3, figsize=(8.4, 2.9), layout="constrained", sharey=True)
for ax, price in zip(axes, (0.02, 0.1, 0.85)):
    speeds = [speedup(0.8, n, price) for n in lengths]
    plots.draw_speedup(ax, speeds, tokens, best_draft_length(0.8, price, longest=16))
    ax.set_title(f"c = {price}")
    ax.label_outer()
for ax in axes[1:]:
    ax.get_legend().remove()

# %% pays [markdown]
r"""
## When does it pay at all?

You saw the star vanish at $c = .8$ for $\alpha = .8$, and at $c = .5$ for $\alpha = .5$. That is a
theorem (Leviathan et al. 2023, section 3.3):

> Some draft length makes decoding faster **if and only if** $\alpha > c$. The best one then gives a
> speed-up of at least $(1 + \alpha)/(1 + c)$.

**If $\alpha > c$:** draft a single token. The speed-up is $(1 + \alpha)/(1 + c) > 1$. The best
$\gamma$ does at least as well.

**If $\alpha \le c$:** no $\gamma$ helps. A round earns $1 + \alpha + \alpha^2 + \dots +
\alpha^\gamma$. Each power is at most $\alpha$, so this is at most $1 + \gamma\alpha \le
1 + \gamma c$, which is the bill.

The step to check is that $1 + \gamma\alpha$ is never less than $1 + \alpha + \dots +
\alpha^\gamma$. SymPy takes a factor $\alpha(1 - \alpha)$ out of the difference. Is what remains
positive?
"""

# %% pays-sympy
print("one draft gains", sympy.cancel(speedup(alpha, 1, c) - 1))
for n in (2, 3, 4, 5):
    slack = 1 + n * alpha - tokens_per_round(alpha, n)
    print(f"γ = {n}: α (1 − α) times", sympy.cancel(slack / (alpha * (1 - alpha))))

# %% pays-why [markdown]
r"""
It is: all coefficients are positive, and you can see how they go on. The package's functions took
SymPy symbols here, just as they take fractions and floats.
"""

# %% best-text [markdown]
r"""
## Where is the best γ?

Calculus sets a derivative to zero. With a real-valued $\gamma$ that works, and SymPy finds the zero
numerically. But nobody drafts 1.48 tokens. Here is the case $\alpha = .7$ with $c = .4$.
"""

# %% best-real
x = sympy.Symbol("x", positive=True)  # a draft length that need not be whole
S = (1 - alpha ** (x + 1)) / (1 - alpha) / (x * c + 1)
slope = sympy.diff(S, x).subs({alpha: sympy.Rational(7, 10), c: sympy.Rational(2, 5)})

print("the derivative is 0 at", round(sympy.nsolve(slope, x, 1), 3))
print(*(f"γ = {n}: {speedup(0.7, n, 0.4):.4f}" for n in (1, 2, 3)), sep="   ")

# %% best-why [markdown]
r"""
Rounding 1.475 gives 1, but 2 is faster. With whole numbers, compare neighbours. One more draft
costs $c$. It earns $\alpha^{\gamma+1}$, since it counts only if it and all before it are kept. So
it pays exactly as long as *its own* rate beats the average so far:

$$\frac{\alpha^{\gamma+1}}{c} > S(\gamma).$$

($S(\gamma)$ is the speed-up at draft length $\gamma$. Like a mark in class: one more result raises
your average if it lies above it.) Say a further draft does not pay. It pulls the average down, but
not below its own rate. The draft after it earns a factor $\alpha$ less, so its rate lies below that
average too. Once a further draft does not pay, none after it does: the curve rises to the star and
then falls.

## Against published numbers

Leviathan et al. (2023, table 1) print two figures for drafts that cost nothing: the speed-up, and
the growth in *arithmetic*. That is a second ledger. A pass over $\gamma + 1$ positions may take the
*time* of one, but it does $\gamma + 1$ positions' worth of *operations*. If a draft step does
$\hat c$ times the operations of the target for one position, a round does
$\gamma\hat c + \gamma + 1$, for $E[N]$ tokens.
"""

# %% table-one
from specnotes.yields import operations

TABLE_1 = {  # (α, γ): operations, speed, as printed
    (0.6, 2): ("1.53", "1.96"),
    (0.7, 3): ("1.58", "2.53"),
    (0.8, 2): ("1.23", "2.44"),
    (0.8, 5): ("1.63", "3.69"),
    (0.9, 2): ("1.11", "2.71"),
    (0.9, 10): ("1.60", "6.86"),
}
for (rate, length), printed in TABLE_1.items():
    computed = f"{operations(rate, length, 0):.2f}", f"{speedup(rate, length, 0):.2f}"
    print(f"α = {rate}, γ = {length:2}", *computed, "as printed:", computed == printed)

# %% table-one-why [markdown]
r"""
All twelve figures agree to the printed digits. Speculation *buys time with arithmetic*: the last
line is 6.86 times as fast and does 1.60 times the work.

**How much does a fixed γ leave on the table?** An oracle would tell us, before each round, how many
drafts will be kept. We would draft just those. Exercise 5 derives what that gains.
"""

# %% oracle-gap
from specnotes.yields import oracle_speedup

for rate in (0.8, 0.9):
    best = best_draft_length(rate, 0.1)
    fixed, ideal = speedup(rate, best, 0.1), oracle_speedup(rate, 0.1)
    print(f"α = {rate}: γ = {best} gives {fixed:.3f}, an oracle {ideal:.3f}", end=" ")
    print(f"(×{ideal / fixed:.3f})")

# %% meanings [markdown]
r"""
## Which α?

Papers, engines and dashboards all report "the acceptance rate". At least three numbers go by that
name, and they differ even in our simplest case.
"""

# %% meanings-code
rate, length = 0.7, 4
reach = [rate**k for k in range(1, length + 1)]  # draft k and all before it are kept
kept = tokens_per_round(rate, length) - 1  # the target's own token was not drafted

print("mean over contexts of Σ min(p, q) ", rate)
print("kept at position 1, 2, 3, 4       ", *(f"{share:.3f}" for share in reach))
print("accepted / drafted                ", f"{kept / length:.3f}")

# %% meanings-why [markdown]
r"""
- **Mean overlap:** the chance that a draft is kept *if it is read*. This is the $\alpha$ of the
  formula.
- **Per-position survival:** the chance that draft $k$ is kept, counting rounds that never reached
  it. It falls as $\alpha^k$.
- **Accepted / drafted:** the mean of the survivals. It counts unread drafts as failures, so it
  depends on $\gamma$. Its mean length is $1 + \gamma \cdot \text{accepted/drafted}$.

Put .443 into the formula for $\alpha$, and it promises 1.8 tokens a round instead of 2.8. So ask of
every report: kept, out of *which* drafts?
"""

# %% exercises [markdown]
r"""
## Exercises

Exercises 1 and 2 are above.

### Exercise 3: choose the draft length (10 min, core)

Write a function that returns the $\gamma$ from 1 to 64 with the largest speed-up, or 0 if none is
faster than plain decoding. You may use `speedup`.
"""


# %% ex3 tags=["exercise"]
def my_best(acceptance_rate, cost_ratio):
    """The fastest draft length; 0 means: do not speculate."""
    ### BEGIN SOLUTION
    best, best_speed = 0, 1  # plain decoding
    for length in range(1, 65):
        speed = speedup(acceptance_rate, length, cost_ratio)
        if speed > best_speed:
            best, best_speed = length, speed
    return best
    ### END SOLUTION
    return ...


# %% ex3-check tags=["check"]
checks.best_draft_length(my_best)

# %% ex3-help [markdown]
r"""
<details><summary>Hint</summary>

Plain decoding is a candidate, with $\gamma = 0$ and speed-up 1. Start from it and keep the best so
far. Or climb: from $\gamma = 1$ go on to $\gamma + 1$ while $\alpha^{\gamma+1} > c\,S(\gamma)$, but
not past 64; at the end ask whether you beat 1.

</details>

[[solution ex3]]
"""

# %% ex4-text [markdown]
r"""
### Exercise 4: read three reports (12 min, core)

**A lab's tiles.** A published demonstration, much like the lab of notebook 03 but with models of
its own, emits 96 tokens with 20 target calls and 100 draft calls, 5 drafts to a call. It shows a
one-token overlap of .9247 and a speed-up of 3.31×, "close to the accounting estimate of 3.46×". It
does not say what a draft call costs, nor which $\alpha$ is behind the estimate. (a) Which
`cost_ratio` gives 3.31? (b) With it, which `alpha_used` gives 3.46 by the formula? Every answer
that prints the same digits counts.
"""

# %% ex4a tags=["exercise"]
cost_ratio = ...
alpha_used = ...
### BEGIN SOLUTION
from scipy.optimize import brentq

cost_ratio = (96 / 3.31 - 20) / 100  # the bill is 20 + 100c passes
alpha_used = brentq(lambda rate: speedup(rate, 5, cost_ratio) - 3.46, 0, 1)  # 100 / 20 = 5 drafts
### END SOLUTION

# %% ex4a-check tags=["check"]
checks.ledger_puzzle(cost_ratio, alpha_used)

# %% ex4a-help [markdown]
r"""
<details><summary>Hint</summary>

(a) Write the bill of the whole run in target passes. Plain decoding would pay 96. (b) The draft
length is 5. Try values of $\alpha$, or let `scipy.optimize.brentq` find the one.

</details>

[[solution ex4a]]

<details><summary>What the answer says</summary>

The formula turns the overlap of .9247 into 3.43×, not 3.46×. So the estimate
used another $\alpha$, somewhere in .927–.9285, for instance a mean over other contexts. And
accepted/drafted is 76/100. Three alphas in one run.

</details>
"""

# %% ex4b-text [markdown]
r"""
**Printed numbers.** Chen et al. (2023, table 1) time one token with and without speculation, at
$\gamma = 4$.

| line | printed | from |
|---|---|---|
| A | 2.01× | 14.1 ms without, 7.00 ms with |
| B | 1.92× | 14.1 ms without, 7.52 ms with |
| C | 2.46× | 14.1 ms without, 5.73 ms with |
| D | $c = .13$ | 1.8 ms per draft step, 14.1 ms per target step |

(c) `odd_one`: which line cannot be right, even allowing for rounded inputs?

**Another report** says: "acceptance rate .65, mean length 3.25 tokens a round". (d)
`longest_mean`: if .65 were the $\alpha$ of the formula, which mean could no $\gamma$ exceed? (e)
`mean_draft_length`: if .65 is accepted/drafted, how many tokens does a round draft on average? Two
decimals will do.
"""

# %% ex4b tags=["exercise"]
odd_one = ...  # "A", "B", "C" or "D"
longest_mean = ...
mean_draft_length = ...
### BEGIN SOLUTION
odd_one = "B"  # 14.1/7.52 = 1.875; with rounded inputs at most 14.15/7.515 = 1.883
longest_mean = 1 / (1 - 0.65)  # 1 + α + α² + … without end
mean_draft_length = (3.25 - 1) / 0.65  # 2.25 kept drafts are 65 % of those drafted
### END SOLUTION

# %% ex4b-check tags=["check"]
checks.printed_numbers(odd_one, longest_mean, mean_draft_length)

# %% ex4b-help [markdown]
r"""
<details><summary>Hint</summary>

(c) Divide. How far can rounding move 14.1 and 7.52? (d) Let $\gamma$ grow: what does
$1 + \alpha + \alpha^2 + \dots$ tend to? (e) The target's own token was not drafted.

</details>

[[solution ex4b]]

<details><summary>What the answer says</summary>

A report of .65 and 3.25 is impossible for one meaning of the rate (ceiling 2.857), and quite
ordinary for another ($1 + .65 \cdot 3.46$). It need not be wrong. It has to say which.

</details>
"""

# %% ex5-text [markdown]
r"""
### Exercise 5: the oracle (10 min, stretch)

The oracle knows how many drafts in a row will be kept, $K$, if we never stop. We draft just those
$K$ tokens, at cost $c$ each, and one target pass adds its own token. Write as SymPy expressions in
`alpha` and `c`: (a) `mean_kept`, the mean of $K$, and (b) `oracle`, the speed-up: mean tokens over
mean time. Any equivalent form counts.
"""

# %% ex5 tags=["exercise"]
mean_kept = ...
oracle = ...
### BEGIN SOLUTION
mean_kept = alpha / (1 - alpha)  # α + α² + …, by rows
oracle = sympy.cancel((1 + mean_kept) / (1 + c * mean_kept))  # 1 / (1 − α + cα)
### END SOLUTION

# %% ex5-check tags=["check"]
checks.oracle(mean_kept, oracle)

# %% ex5-help [markdown]
r"""
<details><summary>Hint</summary>

$P(K \ge k) = \alpha^k$. Add up the rows, as for $N$. A round earns $1 + K$ tokens and takes
$1 + cK$ passes; over many rounds the speed-up is the ratio of the means.

</details>

[[solution ex5]]

With $c = 0$ this is $1/(1 - \alpha)$, the ceiling of Exercise 4(d). With $c = 1$ it is 1: even an
oracle gains nothing from a draft as slow as the target.
"""

# %% breaks [markdown]
r"""
## Where this breaks

**A round is cut.** Decode exactly $n$ tokens, and the last round may give more than fits. The pass
is paid in full, so tokens per pass come out too low. A recursion over the room that is left gives
the mean number of passes, exactly.
"""


# %% cut
def mean_passes(acceptance_rate, draft_length, n_tokens):
    """Mean target passes for exactly n_tokens; a last round that does not fit is cut."""
    law = list(enumerate(tokens_law(acceptance_rate, draft_length), start=1))
    passes = [0]  # no room, no pass
    for room in range(1, n_tokens + 1):  # one pass, then those for the room it leaves
        passes.append(1 + sum(chance * passes[max(room - n, 0)] for n, chance in law))
    return passes[n_tokens]


for n_tokens in (5, 20, 96, 1000):
    ratio = n_tokens / mean_passes(0.7, 4, n_tokens)
    print(f"{n_tokens:4} tokens: {ratio:.3f} tokens per pass")
print(f"formula:     {tokens_per_round(0.7, 4):.3f}")

# %% cut-why [markdown]
r"""
Short runs understate a decoder. Take the lab of Exercise 4, with its overlap of .9247, for
which the formula promises 3.43×. With the cut after 96 tokens, 3.35× is what to expect. It measured
3.31×, so little is left for bad luck.

**α is not constant.** The formula assumes one $\alpha$, independent from draft to draft. Real
acceptance depends on the context. For a pair of Markov models `markov_tokens_per_round` gives the
exact long-run yield. Compare it with the formula at the mean overlap, for forty of the lab's pairs
with a poor draft.
"""

# %% lab-pairs
from specnotes.laws import overlap
from specnotes.models import toy_pair
from specnotes.yields import markov_tokens_per_round, stationary_law

gaps = []
for seed in range(40):
    models = toy_pair(certainty=0.8, match=0.1, seed=seed)
    wanted, proposed = (model.matrix for model in models)
    mean_rate = stationary_law(wanted) @ overlap(wanted, proposed)  # over contexts, as they occur
    exact_yield = markov_tokens_per_round(wanted, proposed, 5)
    gaps.append(exact_yield / tokens_per_round(mean_rate, 5) - 1)
print(f"exact against formula: {min(gaps):+.1%} to {max(gaps):+.1%}")

# %% topics-text [markdown]
r"""
Small, in both directions: the lab's contexts change quickly. Now make them stick. A text is about
*code* or *prose*. The draft follows the topic perfectly but makes typing errors, and only those are
rejected: $\alpha = .95$ in code, $.45$ in prose. After each token the topic stays with chance $s$.
Both topics are equally frequent, so the mean is $.7$ for every $s$.
"""

# %% predict-sticky tags=["predict"]
widgets.predict(
    "sticky",
    "Mean α = .7, four drafts. The formula says 2.77 tokens a round. If topics last long (s = .9), "
    "how many does a round give?",
    ["fewer", "the same", "more"],
    answer="fewer",
    why="2.60. The hard stretches take more rounds for the same number of tokens.",
)


# %% topics
def typing_pair(stay, kept=(Fraction(19, 20), Fraction(9, 20))):
    """Target and draft matrix; tokens are code, code typo, prose, prose typo."""
    topic = np.array([[stay, 1 - stay], [1 - stay, stay]])
    target_rows = [np.kron(topic[now], [1, 0]) for now in (0, 0, 1, 1)]
    draft_rows = [np.kron(topic[now], [kept[now], 1 - kept[now]]) for now in (0, 0, 1, 1)]
    return np.array(target_rows), np.array(draft_rows)


for stay in (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)):
    print(f"s = {float(stay)}: {float(markov_tokens_per_round(*typing_pair(stay), 4)):.4f}")

half = markov_tokens_per_round(*typing_pair(Fraction(1, 2)), 4)
print("at s = 1/2 the formula is exact:", half == tokens_per_round(Fraction(7, 10), 4))

# %% topics-figure
stays = np.linspace(0.02, 0.98, 49)
exact_yields = [markov_tokens_per_round(*typing_pair(s, (0.95, 0.45)), 4) for s in stays]

fig, ax = plt.subplots(figsize=(6, 2.8), layout="constrained")
ax.axhline(tokens_per_round(0.7, 4), color="0.35", linestyle="--")
ax.plot(stays, exact_yields, color="black")
ax.text(0.62, 2.79, "formula, mean α = .7", color="0.35")
ax.text(0.8, 2.67, "exact")
ax.set(xlabel="chance s that the topic stays", ylabel="tokens per round", ylim=(2.5, 2.9))
ax.spines[["top", "right"]].set_visible(False)

# %% topics-why [markdown]
r"""
One mean, many yields: the formula is too high for sticky topics, too low for alternating ones, and
exact where the next topic is a fair coin. Two effects pull against each other.

- **Within a round.** Draft 2 is read only if draft 1 was kept, so probably in code. If topics
  stick, the rest of the round is easier than average. This raises the yield.
- **Between rounds.** Take long stretches. Half of the *tokens* are prose, but prose needs more
  rounds for them: a round gives 1.78 tokens there and 4.52 in code. So most *rounds* are prose
  rounds. It is the average speed of a trip, half the way slow and half fast: the harmonic mean,
  2.56. This lowers the yield, and for sticky topics it wins.

So the mean over contexts, the mean over rounds and the mean over drafts are different numbers.

**A pass over γ+1 positions is not always the price of one.** With many users at once, arithmetic is
what takes the time, and the operations factor becomes the bill.

**Questions asked in public.** *What exactly is α?* One of three numbers; see above. *When is it
slower?* Whenever $1 + \alpha + \dots + \alpha^\gamma < 1 + \gamma c$: always if $\alpha \le c$, and
else if $\gamma$ is too long.
"""

# %% predictions [markdown]
r"""
## Your predictions, again
"""

# %% recall tags=["recall"]
widgets.recap()

# %% take-away [markdown]
r"""
## Take away

**One formula.** $\displaystyle S = \frac{1 + \alpha + \dots + \alpha^\gamma}{1 + \gamma c}$: tokens
over time. It can exceed 1 if and only if $\alpha > c$.

**One figure.** The area with two readings: columns are ways to end, rows are powers of $\alpha$.

**One new function.** `best_draft_length(acceptance_rate, cost_ratio)`; 0 means, do not speculate.
"""
