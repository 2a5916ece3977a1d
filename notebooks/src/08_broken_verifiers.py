# %% header [markdown]
r"""
# Which of these decoders would you ship?

90 minutes, 105 with the stretch exercise · needs: notebooks [02](02_wrong_fallback.ipynb) and
[04](04_block_decoding.ipynb) · [[launch]]

**After this you can** *find* the bias in somebody else's verifier, *choose* a test that is able to
see it, and *write* a test battery and say what it is blind to.

*Evening path: read up to "Choose your tests", tick boxes, stop there.*
"""

# %% before-you-start [markdown]
r"""
## Before you start

Answer from memory, then unfold.

1. (Notebook 02) The wrong fallback, with a draft $q_e = (1 - e)\,p + e\,b$. You halve $e$. By what
   factor does the number of samples grow that would show the mistake? Which test needs no samples?
2. (Notebook 04) A verifier draws its bonus token from the row *before* the last drafted token. Why
   is every test on the first token blind to it, and every test on i.i.d. models?

<details><summary>Answers</summary>

1. By four: the samples grow as $1/e^2$. Running the verifier on every coin needs none.
2. The first token of a round is a bonus token only if nothing was drafted. And if all rows are
   equal, the wrong row is the right one.

</details>
"""

# %% setup
from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np

from specnotes import checks, widgets
from specnotes.laws import draw
from specnotes.models import MarkovModel


def parts(*weights):
    """The law in proportion to whole weights."""
    return np.array([Fraction(weight, sum(weights)) for weight in weights])


# %% predict-intro [markdown]
r"""
## Predict

You review 26 decoders. Each claims to have the target's law. Eighteen are wrong. Able people have
made such mistakes, and most got past their tests.
"""

# %% predict-greedy tags=["predict"]
widgets.predict(
    "greedy",
    "Test one: at temperature 0, is the text equal to plain decoding? How many of the 18 wrong "
    "decoders does it catch?",
    ["none", "about a quarter", "about half", "all but one or two"],
    answer="about a quarter",
    why="It sees wrong rows and forgotten tests. It is blind where only chance goes wrong.",
)

# %% predict-joint tags=["predict"]
widgets.predict(
    "joint",
    "Test two: the joint law of all tokens, exactly, in contexts, with a draft longer than one "
    "token. Does one such test catch all 18?",
    ["yes: the law is all there is", "no: some mistakes are in no law"],
    answer="no: some mistakes are in no law",
    why="Overwritten inputs, a stop token run past, a coin of exactly 0, a rounded 0/0.",
)

# %% predict-draft tags=["predict"]
widgets.predict(
    "good-draft",
    "The draft gets better. Do sampled tests find it harder to see a mistake?",
    ["always harder", "always easier", "it depends on the mistake"],
    answer="it depends on the mistake",
    why="A wrong correction needs a rejection, a wrong bonus token needs an accepted draft.",
)

# %% by-hand [markdown]
r"""
## One mistake by hand

Here is the first suspect. It tests the drafted token as it should. After a rejection it draws from
the residual as it should. It only saves a call to the generator: it uses the same coin twice.

Three tokens: target $p = (1/3, 1/3, 1/3)$, and a draft that always proposes *mat*, $q = (0, 0, 1)$.

1. The coin $u$ is even on $[0, 1)$. *mat* is kept if $u \cdot 1 < 1/3$.
2. Else the residual is $(1/2, 1/2, 0)$: *cat* if the coin is below $1/2$, *sat* if not.
3. But this coin has just rejected: it lies in $[1/3, 1)$. Draw that interval:

| coin $u$ | 0 to 1/3 | 1/3 to 1/2 | 1/2 to 1 |
|---|---|---|---|
| comes out | *mat* | *cat* | *sat* |
| length | 1/3 | **1/6** | **1/2** |

*cat* gets 1/6 where 1/3 is due. A coin that has rejected is never small, so the tokens at the
front of the vocabulary lose.

Fast samplers work on whole arrays of coins, and one array fewer looks like a free gift. SGLang had
this one, fixed in pull request 7207 with a second array of coins. Everybody writes these bugs; few
teams say so as plainly.
"""


# %% reuse
def reuses_coin(target, draft, token, rng):
    """WRONG: the coin that rejects also draws the correction."""
    coin = rng.random()
    if coin * draft[token] < target[token]:
        return token, True
    owed = np.maximum(target - draft, 0)
    return int(np.searchsorted(np.cumsum(owed / owed.sum()), coin, side="right")), False


# %% reuse-exact
from specnotes.coins import law_of


def emitted(verify, target, draft):
    """Exact law of the token that comes out, on every coin."""
    law = law_of(lambda rng: verify(target, draft, draw(draft, rng), rng)[0])
    return [str(law.get(token, 0)) for token in range(len(target))]


print("even target, sure draft:", emitted(reuses_coin, parts(1, 1, 1), parts(0, 0, 1)))
print("target of notebook 02:  ", emitted(reuses_coin, parts(5, 3, 2), parts(2, 3, 5)))

# %% reuse-text [markdown]
r"""
The second line is $(1/2, 3/10, 1/5)$: the target, exactly. On the laws of notebook 02 only *cat* is
owed, so any coin draws *cat*. An exact test on an unlucky pair of laws proves nothing about others.

## A kill matrix by hand

So which test would have caught it? Take a few verifiers and a few tests. A *test* is a function: it
gets a verifier and says whether it objects. The **kill matrix** has a row for each verifier and a
column for each test.

All tests here compare exact laws. They differ in the models they use, the draft length $\gamma$
and how many tokens they look at, and their names say so: "2 tokens, γ = 1" is the law of two tokens
with one drafted. They are small. All have two tokens, so after a rejection one token is owed. The
tests of the line-up further down are larger, and have names of their own.
"""

# %% models
tables = [(4, 1), (9, 11), (1, 3)], [(1, 1), (2, 1), (1, 4)]  # at first, after 0, after 1
contexts = [MarkovModel([parts(*row) for row in table[1:]], parts(*table[0])) for table in tables]
alike = [MarkovModel([parts(*table[0])] * 2, parts(*table[0])) for table in tables]  # i.i.d.

# %% by-hand-tests
from specnotes.exact import decoder_law, distance, sequence_law


def differs(models, gamma, n_tokens):
    """The test that objects unless the first n_tokens have the target's law."""

    right = sequence_law(models[0], (), n_tokens)

    def objects(verify):
        law = decoder_law(*models, (), gamma, n_tokens, verify=verify)
        return float(distance(law, right)) > 1e-9

    return objects


tests = {
    "1 token, γ = 1": differs(contexts, 1, 1),
    "2 tokens, γ = 1": differs(contexts, 1, 2),
    "3, γ = 2, i.i.d.": differs(alike, 2, 3),
    "3 tokens, γ = 2": differs(contexts, 2, 3),
}

# %% by-hand-matrix
from specnotes.audit.matrix import as_verifier
from specnotes.broken import MUSEUM

museum = {exhibit.name: exhibit for exhibit in MUSEUM}
NAMES = (
    "wrong fallback",
    "one coin for the whole block",
    "bonus by argmax",
    "bonus from the row before",
    "in logarithms",
)


def kill_matrix(tests, exhibits):
    """Does this test object to this exhibit?"""
    return {
        e.name: {name: objects(as_verifier(e)) for name, objects in tests.items()} for e in exhibits
    }


rows = kill_matrix(tests, [museum[name] for name in NAMES])
for name, row in rows.items():
    print(f"{name:30}", "  ".join(test if hit else "·" * len(test) for test, hit in row.items()))

# %% by-hand-matrix-text [markdown]
r"""
(`as_verifier` makes a block verifier of a one-token rule, position by position.)

The last row is a right verifier, written with logarithms. A battery that objects to it is wrong as
well. Note the `1e-9`: logarithms need floats, so its law is off by rounding, and `==` would have
accused an innocent.

The package has the function as `specnotes.audit.matrix.kill_matrix`. From here on the matrix is
larger.

## Choose your tests

26 decoders, A to Z, without labels. Tick boxes and see what is
caught. The columns:

| test | what it does |
|---|---|
| greedy equality | one-hot laws: is the text that of plain decoding? Some drafts pass whole |
| first token | its exact law on two pairs of laws, $\gamma = 1$ |
| γ = 1 | exact law of three tokens in contexts, one token drafted |
| i.i.d. toy | exact law of three tokens, $\gamma = 2$, all rows alike |
| joint law | exact law of $\gamma + 1$ tokens, contexts, $\gamma$ up to 2 |
| nasty laws | one token on seven pairs: zeros, ties, equal laws, equal up to rounding |
| stop token | does anything come out after it? (decoders only) |
| inputs unchanged | are the arrays that were handed in still the same? |
| same coins again | same inputs, same coins: same answer? |
| boundary coins | coins of exactly 0, 1/4, 1/2, …: does an impossible token come out? |
| acceptance count | are as many drafted tokens kept as the overlap allows? |
| χ² on N draws | $N$ sampled texts of three tokens, alarm at level .001 |

Do three things. **(1)** Tick the first four tests only: the popular ones. Who slips through?
**(2)** Find the fewest exact tests that catch all that can be caught. **(3)** Pull $N$ up, then
make the draft better: a smaller share $e$ of bad draft. Reveal the labels when you have made up
your mind.
"""

# %% live
widgets.line_up()

# %% live-text [markdown]
r"""
## What you should have seen

The same matrix without boxes, labels shown. A diamond marks a test that accuses a right decoder.
"""

# %% static
from specnotes.audit import line_up
from specnotes.plots.matrix import draw_matrix

suspects = line_up.line_up()
names = {letter: (e.name, line_up.is_lawful(e)) for letter, e in suspects.items()}
cells = {x: [line_up.catches(test, e) for test in line_up.CHOICE] for x, e in suspects.items()}

fig, ax = plt.subplots(figsize=(8.6, 8.4), layout="constrained")
draw_matrix(ax, list(line_up.CHOICE), cells, names)
plt.show()

# %% static-text [markdown]
r"""
- **Greedy equality** sees wrong rows and forgotten tests. It is blind to the wrong fallback, the
  reused coin, the shared coin, the bonus by argmax: with one-hot laws chance has nothing to do.
- **First token** is notebook 01 and no more. Everything that goes wrong between tokens is out of
  sight.
- **γ = 1** has one test per block: no two tests can share a coin, and there is no second position
  to get wrong. A coin shared by the test and the bonus token (Z) it does see.
- **The i.i.d. toy** sees the shared coin and misses every wrong row (C, P). The toy's draft has
  *two* tokens; with a residual of one token it misses the reused coin (I), too.
- **Joint law** sees most. What it misses is in no law: T overwrites its inputs, H runs past a stop
  token, K divides 0 by 0 only where the laws differ by a rounding error, N goes wrong if a coin is
  0.0 exactly.
- **Acceptance count** asks another question. It accuses J, U and O, whose texts are right: they
  waste drafted tokens. "Is it lossless?" and "is it fast?" need separate tests.

No column catches all. How few do together? There are 2,047 choices of exact tests; let us try
them, the small ones first.
"""

# %% fewest
from itertools import combinations


def separates(tests):
    """Do these catch every wrong decoder, and accuse no right one?"""
    columns = [list(line_up.CHOICE).index(test) for test in tests]
    return all(
        any(cells[x][i] for i in columns) != line_up.is_lawful(e) for x, e in suspects.items()
    )


sizes = range(1, len(line_up.CHOICE) + 1)
complete = [c for n in sizes for c in combinations(line_up.CHOICE, n) if separates(c)]
fewest = [c for c in complete if len(c) == len(complete[0])]
for choice in fewest:
    print(len(choice), "tests:", ", ".join(choice))

# %% fewest-text [markdown]
r"""
One choice of five, and no smaller one. (E, which keeps a counter between calls, falls to the joint
law here. What its law looks like depends on who called it before. *Same coins again* sees it in any
case: in earnest, keep that one too.)

## A good draft hides some mistakes, and shows others

The sampled test is the one that engines use, because it needs no access to the coins. How many
draws does it need? As in notebook 02: the alarm rings with chance .97 once the noncentrality
$\lambda = N S$ is large enough, with $S = \sum (w - p)^2 / p$ over all texts of three tokens.
"""

# %% needed
from scipy.optimize import brentq
from scipy.stats import chi2, ncx2

limit = chi2.isf(line_up.LEVEL, 7)  # two tokens, texts of three: 8 texts, 7 degrees of freedom
enough = brentq(lambda size: ncx2.sf(limit, 7, size) - 0.97, 1, 200)
shares = [Fraction(1), Fraction(3, 10), Fraction(1, 10), Fraction(3, 100), Fraction(1, 100)]


def draws_needed(exhibit, share):
    """Draws for power .97, by the exact law of three tokens with the draft (1 − e) p + e b."""
    right, law = line_up.three_tokens(exhibit, share)
    return enough / ((law - right) ** 2 / right).sum()


curves = {
    museum[name].name: [draws_needed(museum[name], share) for share in shares]
    for name in ("one coin for the whole block", "wrong fallback", "bonus from the row before")
}
for name, draws in curves.items():
    print(f"{name:30}", *(f"{n:>14,.0f}" for n in draws))

# %% needed-figure
from specnotes.plots.matrix import draw_needed

fig, ax = plt.subplots(figsize=(8, 3.8), layout="constrained")
ax.set_title("A better draft hides wrong corrections and shows wrong bonus tokens", loc="left")
draw_needed(ax, [float(share) for share in shares], curves)
plt.show()

# %% needed-text [markdown]
r"""
- *Wrong fallback* and *one coin* act when a token is rejected. With a share $e$ of bad draft that
  happens in proportion to $e$, the error is of order $e$, and the draws grow as $1/e^2$: slope 2 on
  these axes. At $e = 1\,\%$, beyond the sliders above, the shared coin needs some 150 million
  texts.
- *Bonus from the row before* acts when a whole draft is accepted. The better the draft, the more
  often that is. At $e = 1\,\%$ some 400 texts show it.

So a sampled test should run with a bad draft *and* with a perfect one. Enumeration has no such
worry: it needs 0 draws at every $e$.

## Reading an audit

`audit_verifier(verify)` runs a block verifier on every coin, on some forty toys, then on boundary
coins. When something is wrong it *shrinks*: fewer tokens, fewer drafted, simpler laws, as long as
the failure stays. What is left is the smallest counter-example it can find. Here are the suspect
from above, and two others.
"""

# %% audit-reuse
from specnotes.audit import audit_verifier

report = audit_verifier(as_verifier(museum["coin used again for the residual"]))
print(report.findings[0])

# %% audit-others
print(audit_verifier(as_verifier(museum["or equal"])))
print()
print(audit_verifier(as_verifier(museum["accept if equal"])))

# %% audit-text [markdown]
r"""
The first report is the table that you worked out by hand.

The second verifier compares with `<=` where `<` is due. No law shows it: a coin is exactly 0 with
probability 0, on paper. A generator of 24-bit floats returns 0 once in 17 million draws, and an
engine draws that often in minutes. SGLang had this comparison, fixed in pull request 35798.

The third is *right, but wasteful*: `.ok` is true, `.efficient` is not. The report reads as a
review should: what was covered, what is wrong, where, and how you can see it yourself.

"No counter-example" in some forty cases is no proof. The proof is in notebook 04, and the audit
looks for the places where a program departs from it.

## Exercises
"""

# %% ex1-text [markdown]
r"""
### Exercise 1: name the mistake (8 min, core)

Three verifiers, three smallest counter-examples. Which mistake is it? What you see is one whole
round, with all its drafted tokens: "2 drafted" gives up to three tokens, and the target alone fills
up what a rejection cut off. (A loop as in notebook 04, asked for three tokens, would shorten its
last round.)

| | mistake |
|---|---|
| a | wrong fallback: after a rejection it samples from the target |
| b | inverted ratio: accepts with $\min(1, q/p)$ |
| c | bonus token from the row before the last drafted token |
| d | bonus token from the draft |
| e | the last of several drafted tokens is always kept |
| f | tests each position with the product of all ratios so far |
"""

# %% ex1-cases
from specnotes.checks.batteries import counter_example

for case in ("first", "second", "third"):
    print(f"{case.upper()} {counter_example(case)}\n")

# %% ex1 tags=["exercise"]
first = ...
second = ...
third = ...
### BEGIN SOLUTION
first = "a"
second = "e"
third = "d"
### END SOLUTION

# %% ex1-check tags=["check"]
checks.named_mistakes(first, second, third)

# %% ex1-help [markdown]
r"""
<details><summary>Hint</summary>

Play the toy by hand, it is small. Which tokens can the draft propose? With what chance should each
be kept, and what is owed? In the second and third case the target never emits token 0: at which
position does a 0 get through, and is that position a drafted one or a bonus?

</details>

[[solution ex1]]

<details><summary>Why these</summary>

*First:* the draft always says 1, kept with chance 1/2. After a rejection only 0 is owed; half of
the corrections are 1, so it sampled from the target. *Second:* two are drafted; the first position
is right, a 0 stands at the second, and the bonus after it is right. *Third:* one is drafted and
tested well; the 0 stands where the bonus is.

</details>
"""

# %% ex2-text [markdown]
r"""
### Exercise 2: a test for the shared coin (10 min, core)

Write `sees_shared_coin(verify)`: `True` if the verifier tests all positions of a block with one
coin, `False` for a right one. You may use `differs` from above, or your own way. It must spare the
right verifiers, also the one that computes in floats.
"""


# %% ex2 tags=["exercise"]
def sees_shared_coin(verify):
    """True if verify shares a coin between the positions of a block."""
    ### BEGIN SOLUTION
    models = [MarkovModel([law] * 3, law) for law in (parts(5, 3, 2), parts(2, 2, 6))]
    return differs(models, 2, 2)(verify)
    ### END SOLUTION
    return ...


# %% ex2-check tags=["check"]
checks.shared_coin_test(sees_shared_coin)

# %% ex2-help [markdown]
r"""
<details><summary>Hint</summary>

One coin does harm only where two tests of one block could both fail. So draft two tokens, with laws
that can be rejected at both positions, and compare the law of the *pair*.

</details>

[[solution ex2]]
"""

# %% ex3-text [markdown]
r"""
### Exercise 3: which tests are blind? (7 min, core)

Without running them: which of these five are blind to *bonus from the row before*, and which to
*bonus by argmax*? Give two sets of names out of `"greedy equality"`, `"first token"`, `"γ = 1"`,
`"i.i.d. toy"`, `"joint law"`, as defined in the table above.
"""

# %% ex3 tags=["exercise"]
blind_to_row_before = ...
blind_to_argmax = ...
### BEGIN SOLUTION
blind_to_row_before = {"first token", "i.i.d. toy"}
blind_to_argmax = {"greedy equality", "first token"}
### END SOLUTION

# %% ex3-check tags=["check"]
checks.blind_tests(blind_to_row_before, blind_to_argmax)

# %% ex3-help [markdown]
r"""
<details><summary>Hint</summary>

Ask of each test two things. Does a bonus token occur among the tokens it looks at? And in its
models, does it matter which row the bonus comes from, or whether it is drawn or the argmax?

</details>

[[solution ex3]]
"""

# %% ex4-text [markdown]
r"""
### Exercise 4: the battery (20 min, core)

Write `would_ship(verify)`: `True` if the verifier passes all your tests. It is scored on the 23
verifiers of the line-up, 17 wrong and 6 right. You need 14 kills, and no right one accused. Some
that you have not met are mixed in, and of those, too, no right one may be accused. They come
without names, in another order each time. (This is a course, not a safe: who wants to cheat will.)
An exception counts as a refusal. Our audits are not allowed, everything else is. Some parts that
you may want:
"""


# %% ex4-parts
class Always:
    """A generator whose every coin has the same value."""

    def __init__(self, coin):
        self.coin = coin

    def random(self, size=None):
        return self.coin if size is None else np.full(size, self.coin)

    def choice(self, n, p):
        return int(np.searchsorted(np.cumsum(p), self.coin, side="right"))


ROUNDED = np.array([0.5, 0.5, 0.0]), np.array([0.5, 0.5 + 2**-53, 0.0])  # equal up to rounding


def block(target, draft, tokens):
    """Arguments of a verifier on one law throughout, in floats that cannot be written to."""
    laws = [np.stack([np.asarray(law, float)] * n) for law, n in ((target, 3), (draft, 2))]
    for law in laws:
        law.setflags(write=False)
    return *laws, tokens


# %% ex4 tags=["exercise"]
def would_ship(verify):
    """True if the verifier passes every test of mine."""
    ### BEGIN SOLUTION
    even = [MarkovModel([law] * 3, law) for law in (parts(1, 1, 1), parts(2, 3, 5))]
    rounded = [MarkovModel([law] * 3, law) for law in ROUNDED]
    second = [MarkovModel([law] * 3, law) for law in (parts(1, 6, 3), parts(5, 3, 2))]
    settings = (contexts, 2, 3), (even, 2, 2), (second, 1, 1), (rounded, 1, 1)
    if any(differs(*setting)(verify) for setting in settings):
        return False
    for seed in range(20):  # same coins, same answer; and nothing is written into the arrays
        given = block(parts(5, 3, 2), parts(2, 3, 5), (2, 2))
        if verify(*given, np.random.default_rng(seed)) != verify(
            *given, np.random.default_rng(seed)
        ):
            return False
    accepted, token = verify(*block(parts(0, 1, 1), parts(2, 1, 1), (0, 0)), Always(0.0))
    return accepted == 0 and token != 0
    ### END SOLUTION
    return ...


# %% ex4-check tags=["check"]
checks.battery(would_ship)

# %% ex4-help [markdown]
r"""
<details><summary>Hint</summary>

Start with `return not differs(contexts, 2, 3)(verify)` and read what slips through. Each miss names
the law or the observation that sees it; where two tokens are owed, the laws need three. Rounding:
run `differs` on models made of the two laws `ROUNDED`. Inputs: the arrays of `block` refuse to be
written to. Boundary: with `Always(0.0)` a token of target mass 0 must not come out.

</details>

[[solution ex4]]

<details><summary>What the last figure means</summary>

A battery that knows its exhibits may be tuned to them. So the check also runs it on some of the
museum's other verifiers, wrong and right. Most mistakes fall to the joint law in contexts. The rest
need laws in which something is zero, tied or equal.

One right verifier is not asked: *residual by rejection* draws from the target until a token passes.
Its loop has no last path, so `differs` stops with an error, and this battery would refuse it. The
audit follows such a loop until little mass is left.

</details>
"""

# %% ex5-text [markdown]
r"""
### Exercise 5: slip past (15 min, stretch)

A team runs six tests: greedy equality, first token, γ = 1, i.i.d. toy, inputs unchanged, same coins
again. It looks thorough. Write a *wrong* verifier, new if you can, that passes all six. The audit
must reject it. It gives a verdict wherever it is asked: a crash would be seen at once.
"""


# %% ex5 tags=["exercise"]
def sly(target_laws, draft_laws, tokens, rng):
    """Wrong, and the weak battery does not see it.  -> (accepted, token)"""
    ### BEGIN SOLUTION
    for i, token in enumerate(tokens):
        q = draft_laws[0]  # the row of the first position, at every position
        if rng.random() * q[token] >= target_laws[i][token]:
            owed = np.maximum(target_laws[i] - q, 0)
            law = owed / owed.sum() if owed.any() else target_laws[i]
            return i, draw(law, rng)
    return len(tokens), draw(target_laws[-1], rng)
    ### END SOLUTION
    return ...


# %% ex5-check tags=["check"]
checks.sly_verifier(sly)

# %% ex5-help [markdown]
r"""
<details><summary>Hint</summary>

γ = 1 knows contexts but no second position; the i.i.d. toy knows a second position but no contexts.
What can only go wrong where both meet, and not with one-hot laws?

</details>

[[solution ex5]]
"""

# %% breaks [markdown]
r"""
## Where this breaks

- **The matrix is about these exhibits.** A test that catches all of them may miss the next. That is
  why the audit uses many nasty laws, and why the proof stays in charge.
- **Enumeration needs code that takes its coins from `rng`.** A kernel with its own generator can
  only be sampled. Then say which size of error the sample would have missed.
- **The draws above are texts of three tokens over two.** A real vocabulary spreads the same error
  over many cells, and the test needs more.
- **Equality of texts is no test of a law.** It is a good test of plumbing: caches, rows, positions.
  Keep greedy equality, and know what it cannot say.
- **Right laws can be slow.** A stale draft cache or a verifier that accepts too little has the
  target's law. Count the accepted tokens as well (O, J, U).
- **Whether a right decoder is the one you run** is another question: batching, kernels and floats
  can change laws between test and service (notebook 13).
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

**One formula.** With a share $e$ of bad draft, draws to see a wrong correction grow as $1/e^2$;
a wrong bonus token does not hide. Enumeration needs none.

**One figure.** The kill matrix: exhibits × tests. No column is full.

**One new function.** `audit_verifier(verify)` on somebody else's code; read its smallest
counter-example. `kill_matrix(tests, exhibits)` says what your own tests can see.
"""
