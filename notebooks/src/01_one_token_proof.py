# %% header [markdown]
r"""
# Why does a wrong guess leave no trace?

65 minutes, 75 with the stretch exercise · needs: notebook [00](00_start_here.ipynb) · [[launch]]

**After this you can** *derive* in SymPy that accept-or-residual emits exactly the target's law, for
any vocabulary, *write* the verifier and run it on every outcome of its coins, and *prove* that no
rule with the same draft keeps more.
"""

# %% before-you-start [markdown]
r"""
## Before you start

Answer from memory, then unfold.

1. A draft guesses three words. The first is right, the second wrong. What comes out, and what
   becomes of the third guess, even if it matches?
2. Why can one pass of the target answer at every guessed position?

<details><summary>Answers</summary>

1. The first guess, then the target's own word. The third guess is thrown away: its answer was given
   for a text that no longer exists.
2. Each position sees only the words up to itself (the causal mask). So the answers are the ones
   that separate passes over the shorter texts would give.

</details>
"""

# %% setup
from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np

from specnotes import checks, widgets
from specnotes.plots import draw_coupling, draw_mass, draw_strips

# %% predict-intro [markdown]
r"""
## Predict

Now the models draw. For one token, the target wants *cat* with chance 50 %, *sat* 30 %, *mat* 20 %.
The draft proposes *cat* 20 %, *sat* 30 %, *mat* 50 %.

A verifier sees the drafted token. It may keep it or put another in its place, and may toss coins
to decide. In the end every token must come out exactly as often as the target wants.
"""

# %% predict-kept tags=["predict"]
widgets.predict(
    "kept",
    "How often can such a verifier keep the drafted token, at best?",
    ["29 %", "50 %", "70 %", "100 %"],
    answer="70 %",
    why="20 % of cat, 30 % of sat and 20 % of mat are wanted and drafted alike. No cleverer rule "
    "keeps more, as this notebook proves.",
)

# %% predict-replacement tags=["predict"]
widgets.predict(
    "replacement",
    "A drafted token was refused. Where should the new one come from?",
    [
        "the target's law",
        "the target's law without the refused token",
        "always the same token here",
    ],
    answer="always the same token here",
    why="Only cat is drafted too rarely, so only cat is still owed anything.",
)

# %% strips [markdown]
r"""
## Two strips of paper

Draw each chance as a strip of paper: one strip of draft $q$ and one of target $p$ per token. Then
take the scissors.
"""

# %% strips-figure
TOKENS = ("cat", "sat", "mat")
p = np.array([Fraction(5, 10), Fraction(3, 10), Fraction(2, 10)])  # the target
q = np.array([Fraction(2, 10), Fraction(3, 10), Fraction(5, 10)])  # the draft

fig, axes = plt.subplots(1, 3, figsize=(12, 2.8), layout="constrained")
draw_strips(axes, p, q, TOKENS, most=0.65)

# %% strips-explained [markdown]
r"""
**Cut** each token's longer strip where the shorter one ends. What lies left of the cut is common to
both laws: it is **kept** (green). Right of the cut there is a piece either of draft, which is
proposed too often and **rejected** (hatched), or of target, which is still **owed** (dotted).

Both laws add up to 1, and the green parts are equal. So the hatched pieces together are as long as
the dotted ones together. **Move** the one onto the other: the strips of the target are complete.

| tenths | cat | sat | mat | sum |
|---|---|---|---|---|
| target $p$ | 5 | 3 | 2 | 10 |
| draft $q$ | 2 | 3 | 5 | 10 |
| kept $\min(p, q)$ | 2 | 3 | 2 | **7** |
| rejected $q - \min(p, q)$ | 0 | 0 | 3 | **3** |
| owed $p - \min(p, q)$ | 3 | 0 | 0 | **3** |

These colours and textures keep their meaning through the whole course.
"""

# %% coins-for-strips [markdown]
r"""
## From strips to coins

A verifier has no scissors. It has one drafted token and a coin.

**Keep.** A drafted *mat* stands somewhere on a strip of length 5, of which 2 are green. So keep it
with chance 2/5. In general

$$a(y) = \frac{\min(p(y), q(y))}{q(y)} = \min\left(1, \frac{p(y)}{q(y)}\right).$$

**Replace.** A refused token is replaced by one that is owed. The dotted pieces add up to 3/10; to
draw from them, divide them by their sum. The result is a law, the **residual**:

$$r(x) = \frac{\max(p(x) - q(x), 0)}{\sum_z \max(p(z) - q(z), 0)}.$$

The first is a line of code. A token with $q = 0$ is never drafted, so its entry does not matter; we
choose 1 if the target wants it, 0 if not.
"""


# %% accept-prob
def accept_prob(target, draft):
    """Chance that each token is kept once it has been drafted.  (V,), (V,) -> (V,)"""
    return np.array([min(1, p / q) if q > 0 else int(p > 0) for p, q in zip(target, draft)])


[str(chance) for chance in accept_prob(p, q)]

# %% ex1-intro [markdown]
r"""
### Exercise 1: residual (7 min, core)

Write the second formula, $r$, as a function. `target` and `draft` are arrays of equal length, like
`p` and `q` above. Return one array or list: the residual of each token.

One case needs a thought of its own: target and draft may be *equal*. Then nothing is refused,
nothing is owed, and the sum is 0. In floats a draft may still be refused then, very rarely, because
of rounding. So return the target if the sum is 0, and only then: what slips through has the right
law.
"""


# %% ex1 tags=["exercise"]
def residual(target, draft):
    """Law of the token that replaces a refused one.  (V,), (V,) -> (V,)"""
    ### BEGIN SOLUTION
    owed = np.maximum(target - draft, 0)
    total = owed.sum()
    return owed / total if total > 0 else target
    ### END SOLUTION
    return ...


# %% ex1-check tags=["check"]
checks.residual(residual)

# %% ex1-help [markdown]
r"""
<details><summary>Hint</summary>

`np.maximum(array, 0)` replaces negative entries by 0. Compute the sum once, and look at it before
you divide.

</details>

[[solution ex1]]
"""

# %% evening [markdown]
r"""
*Evening path: from here jump to "Drag it", then go to [03](03_markov_lab.ipynb).*
"""

# %% ex2-intro [markdown]
r"""
### Exercise 2: the verifier (10 min, core)

From now on `residual` is the package's, which does what yours does. With it comes `draw(law, rng)`,
which draws one token, a number 0, 1, 2, …, by one coin `rng.random()`.

Write the verifier: given one drafted token, return `(token, accepted)`, where `accepted` says
whether the draft was kept. All chance must come from `rng`.

Dividing is not needed. For a coin $u$ in [0, 1), "$u < p/q$" and "$u \cdot q < p$" say the same,
and the second never divides by 0. (With $\le$ a coin that is exactly 0 could let out a token that
the target never emits. Its chance is about $2^{-53}$; the check accepts $\le$ and says so.)

Your function will not be *sampled*. The check runs it on every outcome of its coins. How, comes
next.
"""

# %% ex2-import
from specnotes.laws import draw, residual


# %% ex2 tags=["exercise"]
def verify_token(target, draft, token, rng):
    """Keep the drafted token, or replace it.  -> (token, accepted)"""
    ### BEGIN SOLUTION
    if rng.random() * draft[token] < target[token]:
        return token, True
    return draw(residual(target, draft), rng), False
    ### END SOLUTION
    return ...


# %% ex2-check tags=["check"]
checks.verify_token(verify_token)

# %% ex2-help [markdown]
r"""
<details><summary>Hint</summary>

Toss one coin. If it says keep, return the token and `True`. Otherwise draw from the residual, with
a new coin, and return what you drew and `False`.

</details>

[[solution ex2]]
"""

# %% every-coin [markdown]
r"""
## On every outcome of its coins

A verifier is a random program: it tosses coins, and something comes out. Run it often and you see
frequencies, with noise. There is a better way for a program that tosses finitely many coins and
compares each with numbers.

`law_of(program)` calls `program(rng)` with a stand-in for the generator. Its `random()` is not a
number but the whole interval [0, 1). At a comparison the run *forks*: one branch for "below", one
for "not below", each weighted with its length. All branches are run. The result is the program's
law, exactly.
"""

# %% law-of
from specnotes.coins import law_of

law_of(lambda rng: rng.random() < Fraction(1, 3))

# %% emit-intro [markdown]
r"""
Now one whole step: draft a token, verify it. In the first cell we let the program tell everything:
drafted, emitted, kept. Which paths can you follow by hand? Its first line takes the package's
verifier. To use your own instead, delete that line and run your cell of exercise 2 again.
"""

# %% emit
from specnotes.verify import verify_token  # the package's


def step(rng):
    drafted = draw(q, rng)
    emitted, accepted = verify_token(p, q, drafted, rng)
    return TOKENS[drafted], TOKENS[emitted], accepted


for (drafted, emitted, accepted), chance in law_of(step).items():
    print(f"{drafted} → {emitted}  {'kept' if accepted else 'replaced':9} {chance}")

# %% emit-law
emitted_law = law_of(lambda rng: verify_token(p, q, draw(q, rng), rng)[0])
print({TOKENS[token]: str(chance) for token, chance in emitted_law.items()})
[emitted_law[token] for token in range(3)] == list(p)

# %% emit-result [markdown]
r"""
`==`, not "close to". The fractions are the target's.
"""

# %% kernel-intro [markdown]
r"""
## The rule as a matrix

Put all of it into one table: $K[y, x]$ is the chance that a drafted $y$ comes out as $x$. It is
kept with chance $a(y)$; otherwise the residual speaks, *whichever* $y$ was refused.

$$K[y, x] = a(y)\,[x = y] + (1 - a(y))\, r(x)$$

Then "no trace of the draft" is one equation: `draft @ K == target`. And `diag(draft) @ K` tells how
often $y$ is drafted *and* $x$ comes out. It is called the **coupling**: its rows add up to the
draft, its columns to the target.
"""


# %% token-kernel
def token_kernel(target, draft):
    """K[y, x]: the chance that drafted y comes out as x.  (V,), (V,) -> (V, V)"""
    keep = accept_prob(target, draft)
    return np.diag(keep) + np.outer(1 - keep, residual(target, draft))


K = token_kernel(p, q)
print((np.diag(q) @ K).astype(str))
bool((q @ K == p).all())

# %% import-all
from specnotes.laws import accept_prob, overlap, total_variation
from specnotes.verify import token_kernel

# %% live-intro [markdown]
r"""
## Drag it

Six weights, three for the target and three for the draft; each law is its weights divided by their
sum. Three figures move together: the strips, the coupling, and what comes out minus the target.

1. Drag until nothing is refused. Until everything is.
2. Where do the purple squares stand, and in which columns never?
3. On the right, try to move a green square off the line. (The vermilion bars belong to another
   rule, the subject of [02](02_wrong_fallback.ipynb).)
"""

# %% live
widgets.one_token()

# %% live-result [markdown]
r"""
A purple square stands in the row of a token that is drafted too often and in the column of one that
is owed. Never both for one token: **a refused token never comes back**, because what is drafted too
often is not owed. Keep this for exercise 4.

The green squares stay on the line, wherever you drag. The same picture, held still:
"""

# %% static
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
left.set_title("3/10 is cut off, 3/10 is owed", loc="left")
draw_mass(left, p, q, TOKENS, most=0.65)
right.set_title("the cut-off piece moves from mat to cat", loc="left")
draw_coupling(right, np.diag(q) @ token_kernel(p, q), TOKENS)

# %% proof-two [markdown]
r"""
## The proof, first for two tokens

Enumeration covers the laws that we try. A proof covers all. Let SymPy do the algebra.

Two tokens: $p = (a, 1-a)$ and $q = (b, 1-b)$. Say the first is drafted too rarely by $d > 0$, so
$a = b + d$. (If it is drafted too often, swap the tokens.) Before you run the cell: how much is
kept?
"""

# %% two-tokens
import sympy as sp

b, d = sp.symbols("b d", positive=True)
p2, q2 = (b + d, 1 - b - d), (b, 1 - b)

kept = [sp.Min(x, y) for x, y in zip(p2, q2)]
owed = [sp.Max(x - y, 0) for x, y in zip(p2, q2)]
alpha = sp.simplify(sum(kept))
emitted = [k + (1 - alpha) * o / sum(owed) for k, o in zip(kept, owed)]
print("kept   ", kept, " in all", alpha)
print("owed   ", owed)
print("emitted", [sp.expand(e) for e in emitted], " = target:", emitted == list(p2))

# %% proof-three [markdown]
r"""
## Three tokens: SymPy needs a push

With three tokens there are more cases than we want to write. So we leave $\min$ and $\max$ as they
are. Is the mass that is refused the mass that is owed?
"""

# %% three-tokens
p1, p2, q1, q2 = sp.symbols("p1 p2 q1 q2", nonnegative=True)
target, draft = (p1, p2, 1 - p1 - p2), (q1, q2, 1 - q1 - q2)

refused = sum(y - sp.Min(x, y) for x, y in zip(target, draft))
owed = sum(sp.Max(x - y, 0) for x, y in zip(target, draft))
sp.simplify(refused - owed)

# %% push [markdown]
r"""
SymPy does not see that this is 0. It never splits $\min$ and $\max$ into cases unasked. But both
are absolute values in disguise,

$$\min(p, q) = \frac{p + q - |p - q|}{2}, \qquad \max(p - q, 0) = \frac{p - q + |p - q|}{2},$$

and in that form the cases cancel. `.rewrite(sp.Abs)` is the push.
"""

# %% three-tokens-pushed
emitted = [sp.Min(x, y) + refused * sp.Max(x - y, 0) / owed for x, y in zip(target, draft)]
print("refused - owed    ", sp.simplify((refused - owed).rewrite(sp.Abs)))
print("emitted - target  ", [sp.simplify((e - x).rewrite(sp.Abs)) for e, x in zip(emitted, target)])

# %% proof-any [markdown]
r"""
## Any vocabulary

A vocabulary of 50,000 tokens needs no 50,000 symbols. Two facts about *one* token, with masses $p$
and $q$, are enough; then we add up over tokens.

**Fact 1.** Drafted and kept: $q \cdot \min(1, p/q) = \min(p, q)$, if $q > 0$.

**Fact 2.** Kept and owed: $\min(p, q) + \max(p - q, 0) = p$.
"""

# %% facts
p_, q_ = sp.symbols("p q", positive=True)
fact_1 = q_ * sp.Min(1, p_ / q_) - sp.Min(p_, q_)
fact_2 = sp.Min(p_, q_) + sp.Max(p_ - q_, 0) - p_
for fact in (fact_1, fact_2):
    print(sp.simplify(fact), " but pushed:", sp.simplify(fact.rewrite(sp.Abs)))

# %% cases-intro [markdown]
r"""
Without the push Fact 1 stays as it is: SymPy will not pull a factor into a minimum. If you do not
trust the push, take the cases yourself. With $d > 0$ put $p = q + d$, then $q = p + d$:
"""

# %% cases
print("p > q:", sp.simplify(fact_1.subs(p_, q_ + d)))
print("p < q:", sp.simplify(fact_1.subs(q_, p_ + d)))
gap = sp.simplify(1 - p_ / (p_ + d))
print("1 - p/q =", gap, " positive:", gap.is_positive)

# %% cases-result [markdown]
r"""
The first case is settled. In the second SymPy cannot tell which of 1 and $p/(p + d)$ is smaller. We
can: their difference is $d/(p + d) > 0$. So the minimum is $p/q$, and $q \cdot p/q = p$.
"""

# %% totals [markdown]
r"""
**Add up.** Write $\alpha = \sum \min(p, q)$ for the mass that is kept.

- Fact 2, summed over all tokens: $\alpha + \sum \max(p - q, 0) = \sum p = 1$. So the mass that is
  owed is $1 - \alpha$, and the residual is $r = \max(p - q, 0)/(1 - \alpha)$.
- Fact 1, summed: a draft is kept with chance $\alpha$. So *some* draft, whichever, is refused with
  chance $\sum_y q(y)\,(1 - a(y)) = 1 - \alpha$.

**The theorem.** A token $x$ comes out in two ways. It is drafted and kept. Or *any* token is
drafted and refused, and then $x$ is drawn from the residual:

$$\begin{aligned}
\Pr[x] &= \underbrace{q(x)\,a(x)}_{\min(p,\,q)} +
\underbrace{\Big(\sum_y q(y)(1 - a(y))\Big)}_{1 - \alpha} \cdot
\underbrace{r(x)}_{\max(p - q,\,0)/(1 - \alpha)} \\
&= \min(p, q) + \max(p - q, 0) = p(x).
\end{aligned}$$

If $\alpha = 1$ there is nothing to refuse, and the first term is already $p$. Nothing was assumed
about the number of tokens, or about the draft. A bad draft makes $\alpha$ small, and that is all it
does.
"""

# %% theorem
alpha = sp.Symbol("alpha")
emitted = q_ * sp.Min(1, p_ / q_) + (1 - alpha) * sp.Max(p_ - q_, 0) / (1 - alpha)
sp.simplify(emitted.rewrite(sp.Abs))

# %% alpha-tv [markdown]
r"""
## What α says about two laws

The push has shown that $\min(p, q) = (p + q - |p - q|)/2$. Sum over all tokens:

$$\alpha = \frac{1 + 1 - \sum |p - q|}{2} = 1 - \mathrm{TV}(p, q).$$

The acceptance rate *is* closeness, measured in total variation.
"""

# %% alpha-tv-numbers
overlap(p, q), 1 - total_variation(p, q)

# %% optimal [markdown]
r"""
## Nobody can keep more

Could a cleverer rule, with the same draft, keep more than $\alpha$?

Whatever it does, let $J[y, x]$ be the chance that it is handed $y$ and lets out $x$. The entries
are not negative. Row $y$ adds up to $q(y)$, since that is how often $y$ is drafted. Column $x$ adds
up to $p(x)$, if the rule is lossless. It keeps the diagonal, $\sum_x J[x, x]$. And $J[x, x]$ is
part of a row and of a column, so it is at most $q(x)$ and at most $p(x)$:

$$\sum_x J[x, x] \le \sum_x \min(p(x), q(x)) = \alpha.$$

Our rule reaches $\alpha$. So it is optimal.

**The same with prices.** Put a price $u(y)$ on each drafted token and $v(x)$ on each emitted one.
Call the prices *fair* if $u(y) + v(x) \ge 1$ where $x = y$ and $\ge 0$ elsewhere. Then every rule
pays for what it keeps:

$$\sum_x J[x, x] \le \sum_{y, x} J[y, x]\,(u(y) + v(x)) = \sum_y q(y)\,u(y) + \sum_x p(x)\,v(x).$$

So *any* fair prices bound *every* rule. In our example $u = (1, 1, 0)$, $v = (0, 0, 1)$ are fair
and cost 2/10 + 3/10 + 2/10 = 7/10: a certificate that nobody keeps more. This is linear
programming duality. A solver that knows nothing of our rule must find the same number. We try it
on `PAIRS`, the package's table of awkward pairs of laws by name, on which the checks run too:
"""


# %% linear-program
def most_kept(target, draft):
    """The largest diagonal of any J with rows `draft` and columns `target`, by a solver."""
    from scipy.optimize import linprog

    size = len(target)
    rows = np.kron(np.eye(size), np.ones(size))  # (V, V·V): adds up row y of J
    columns = np.kron(np.ones(size), np.eye(size))  # (V, V·V): adds up column x of J
    sums = np.concatenate([draft, target]).astype(float)
    best = linprog(-np.eye(size).ravel(), A_eq=np.vstack([rows, columns]), b_eq=sums)
    return abs(best.fun)  # the solver minimises minus the diagonal


# %% linear-program-run
from specnotes.audit.cases import PAIRS

for name in ("base", "second", "ties", "three residual tokens", "disjoint", "equal"):
    print(f"{name:22} solver {most_kept(*PAIRS[name]):.6f}   α = {overlap(*PAIRS[name])}")

# %% exercises [markdown]
r"""
## Exercises

The first two are above.
"""

# %% ex3-intro [markdown]
r"""
### Exercise 3: a frugal rule (8 min, core)

A verifier is lazy. It keeps a drafted token only with chance $s \cdot \min(1, p/q)$, for some share
$0 < s \le 1$. After a refusal it draws from a law of its own. Which law makes it lossless?

Derive its value for one token with masses $p$ and $q$, as a SymPy expression in the symbols below;
$\alpha = \sum \min(p, q)$ as before. Any equivalent form counts. Mind that a refused token may now
come back.
"""

# %% ex3 tags=["exercise"]
p_, q_, s, alpha = sp.symbols("p q s alpha", positive=True)
fallback = ...  # an expression in p_, q_, s and alpha
### BEGIN SOLUTION
kept = s * sp.Min(p_, q_)  # drafted and kept: s times Fact 1
refused = 1 - s * alpha  # summed over all tokens
fallback = (p_ - kept) / refused  # kept + refused * fallback must be p
### END SOLUTION

# %% ex3-check tags=["check"]
checks.frugal_fallback(fallback)

# %% ex3-help [markdown]
r"""
<details><summary>Hint</summary>

Three questions, as in the theorem. How much of this token is drafted and kept? How much is refused,
over all tokens together? What must the second, times the fallback, add to the first?

</details>

[[solution ex3]]
"""

# %% ex4-intro [markdown]
r"""
### Exercise 4: a published proof (6 min, core)

A proof in print adds up the two ways for $x$ to come out like this:

$$\Pr[x] = q(x)\,a(x) + q(x)\,(1 - a(x))\,r(x),$$

"$x$ is drafted and kept, or $x$ is drafted, refused, and drawn again", and concludes
$\Pr[x] = p(x)$.

1. Which three numbers does this formula really give for our `p` and `q`, as chances? Add them up;
   the check tells you their sum once they are right.
2. Write the second term as it should be: an array with, for each $x$, the chance that *something*
   is refused and $x$ comes out.
"""

# %% ex4 tags=["exercise"]
published = ...  # three numbers
### BEGIN SOLUTION
# Where 1 - a(x) > 0, token x is drafted too often, so r(x) = 0: the second term is always 0.
published = np.minimum(p, q)  # adds up to 7/10
### END SOLUTION


def after_refusal(target, draft):
    """For each x: the chance that some draft is refused and x comes out.  (V,), (V,) -> (V,)"""
    ### BEGIN SOLUTION
    refused = sum(draft * (1 - accept_prob(target, draft)))
    return refused * residual(target, draft)
    ### END SOLUTION
    return ...


# %% ex4-check tags=["check"]
checks.published_proof(published, after_refusal)

# %% ex4-help [markdown]
r"""
<details><summary>Hint</summary>

Look at *mat*, the one token that can be refused. What is its residual? For the second part, add up
over all $y$ that may be refused, before the residual is drawn from.

</details>

[[solution ex4]]
"""

# %% ex5-intro [markdown]
r"""
### Exercise 5: prices that prove it (12 min, stretch)

Write `prices`, which returns fair prices `u` (for drafted tokens) and `v` (for emitted ones) whose
cost `draft @ u + target @ v` is exactly α, for any pair of laws. That is the proof of optimality as
a program. There is more than one right answer.
"""


# %% ex5 tags=["exercise"]
def prices(target, draft):
    """-> (u, v), each with one price per token"""
    ### BEGIN SOLUTION
    u = np.where(draft <= target, 1, 0)  # pay where the draft's strip is the shorter one
    return u, 1 - u
    ### END SOLUTION
    return ...


# %% ex5-check tags=["check"]
checks.no_rule_keeps_more(prices)

# %% ex5-help [markdown]
r"""
<details><summary>Hint</summary>

Each token must be paid for once, either by its strip of $q$ or by its strip of $p$. The bound
should be small. Which of the two strips is cheaper? Compare with the example in the text.

</details>

[[solution ex5]]
"""

# %% breaks [markdown]
r"""
## Where this breaks

**The draft lies about its law.** The proof uses that the token was drawn from the very $q$ that the
coin uses. A token picked by argmax, or from a law that was sharpened afterwards, breaks Fact 1.

**The target is not the one you mean.** What comes out is $p$ as it was handed in. Temperature and
top-k have to be applied to both laws *before* the rule.

**One coin too few.** The residual needs a coin of its own. The coin that refused the draft is no
longer uniform.

**Floats.** Fractions gave `==`. With floats the law is right up to rounding.

**Optimal, for one token.** A rule that judges several tokens together can keep more of them. And a
sequence needs an argument of its own: [04](04_block_decoding.ipynb).

**What was covered.** Enumeration found no counter-example in the cases that were run. That it never
will is the theorem.
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

**One formula:** $\min(p, q) + \max(p - q, 0) = p$, and so $\alpha = \sum \min(p, q) = 1 -
\mathrm{TV}(p, q)$.

**One figure:** two strips, one cut; the hatched piece moves onto the dotted.

**One new function:** `verify_token`, four lines, run on every outcome of its coins by `law_of`.

Still open: what if, after a refusal, we simply ask the target? [02](02_wrong_fallback.ipynb)
"""
