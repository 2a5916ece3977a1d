# %% header [markdown]
r"""
# Problem set 2: blocks and yield

About 105 minutes · 32 points · needs: notebooks 00 to 05

| task | what | minutes | points |
|---|---|---|---|
| 1 | a round in numbers | 12 | 4 |
| 2 | a reluctant verifier | 20 | 5 |
| 3 | not before so many tokens | 20 | 5 |
| 4 | acceptance that fades | 15 | 4 |
| 5 | a ledger with an overhead | 8 | 3 |
| 6 | somebody else's block verifier | 20 | 6 |
| 7 | what a test cannot see | 10 | 4 |
| – | your id | – | 1 |

**How it is marked.** Your id gives you models and numbers of your own. Below each task stand its
tests. What you see helps. A function is run on your own models, on every outcome of its coins, and
a mistake is answered with a counter-example; more cases are tried when the set is marked. Of a
number or a line it only says whether it has the right form, with a · in place of a ✓. There is no
luck in it: only a right answer passes, in whatever form.

**What a function is asked.** *Law*: what comes out has exactly the right law, and the draft is
used: if the same comes out whatever was drafted, as in plain decoding, there are no points. *Kept*
(or *passes*): no more work than need be; it counts where the law is right; who keeps too few drafts
still has the points for the law. *Edges*: both are right on your own numbers, and nothing goes
wrong where it easily does: laws with zeros, equal laws, laws of floats that are equal but for
rounding (0.5 and 0.5000000000000001), and coins that are exactly 0 or fall on a boundary, as a real
generator's do. So `<=` in place of `<` makes no difference anywhere but under *edges*, where it may
let out a token of mass 0. Where nothing is owed and a draft is refused all the same, by rounding,
draw from the target. A loop without bound is accepted if every call comes to an end; redo a whole
answer until it pleases, and the law is another one.

A red error under a test says that the task is not solved yet; cells below it still run. Do not
change the cells with tests: they are put back before marking. When you are done, restart the
kernel, run all cells, and look once more.

**What is public.** The course, its notebooks and solutions to these tasks with other numbers can be
read by anybody. They are there to learn from. What you hand in must be your own work, and you
should be able to explain every line of it when asked.
"""

# %% id-intro [markdown]
r"""
## Your id

Type the student id that your instructor knows you by, between the quotes: `STUDENT_ID = "ab1234"`.
Capitals and spaces around it make no difference. Do it now: the numbers below change with it.
"""

# %% id answer
STUDENT_ID = ""
### BEGIN SOLUTION
STUDENT_ID = "reference"
### END SOLUTION

# %% setup locked
import warnings
from fractions import Fraction

import numpy as np
import sympy as sp

warnings.filterwarnings("ignore")  # a warning below a test would cost its points

from specnotes.coursework import at, variant, visible_tests
from specnotes.decode import sample, speculate
from specnotes.exact import decoder_law, distance, round_law, sequence_law
from specnotes.laws import draw, overlap, residual
from specnotes.models import MarkovModel
from specnotes.verify import verify_block, verify_token
from specnotes.yields import speedup, tokens_per_round

SEED = ""
you = variant(STUDENT_ID, "ps2", SEED)
check = visible_tests(you)
P, Q = you.target.matrix, you.draft.matrix  # your target and your draft: arrays of Fractions
print(you)

# %% conventions [markdown]
r"""
`you.target` and `you.draft` are Markov models; row $x$ of `P` and `Q` is the law after token $x$.
Tokens are the numbers 0, 1, 2, which stand for the words above. Everything imported in the cell
above may be used. All functions get arrays, often of `Fraction`s, must leave them unchanged, and
take all chance from `rng`. A number may be a fraction, a decimal or a text such as `"3/5"`; it
counts if it is within 0.001 of the right one.
"""

# %% q1-intro [markdown]
r"""
## Task 1: a round in numbers (12 min, 4 points)

The text so far ends in the token `you.start`. One round drafts **two** tokens and verifies them by
the usual rule.

1. `first_kept`: how likely is the first drafted token kept?
2. `both_kept`: how likely are both kept?
3. `round_tokens`: how many tokens does the round emit, on average?
4. `corrected_to`: how likely is exactly one drafted token kept, and the second corrected to
   `you.word`?
"""

# %% q1-tokens
print("you.start is", you.start, "and you.word is", you.word)

# %% q1 answer
first_kept = ...
both_kept = ...
round_tokens = ...
corrected_to = ...
### BEGIN SOLUTION
shared = np.minimum(P, Q)
first_kept = shared[you.start].sum()
both_kept = (shared[you.start] @ shared).sum()
round_tokens = 1 + first_kept + both_kept
corrected_to = shared[you.start] @ np.maximum(P - Q, 0)[:, you.word]
### END SOLUTION

# %% q1-first test 1
check.first_kept(first_kept).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps2", STUDENT_ID, SEED).first_kept(first_kept).require()
### END HIDDEN TESTS

# %% q1-both test 1
check.both_kept(both_kept).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps2", STUDENT_ID, SEED).both_kept(both_kept).require()
### END HIDDEN TESTS

# %% q1-tokens-test test 1
check.round_tokens(round_tokens).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps2", STUDENT_ID, SEED).round_tokens(round_tokens).require()
### END HIDDEN TESTS

# %% q1-corrected test 1
check.corrected_to(corrected_to).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps2", STUDENT_ID, SEED).corrected_to(corrected_to).require()
### END HIDDEN TESTS

# %% q2-intro [markdown]
r"""
## Task 2: a reluctant verifier (20 min, 5 points)

An engine wants to keep fewer drafted tokens at some positions than it could. It gives each position
$i$ a share `shares[i]` from 0 to 1 (both possible). A drafted token at position $i$ that is reached
is kept with chance `shares[i]` · min(1, p/q), *and the output has the target's law all the same*.

Write the block verifier. `target_laws` (k+1, V), `draft_laws` (k, V) and `tokens` (k,) are those of
`verify_block`, with k ≥ 1; `shares` has k numbers. Return `(accepted, token)`: how many drafted
tokens are kept, and the token that follows them. The bonus token after the last position has no
share. Draws of your own that take no notice of `tokens`, or only keep those that happen to agree,
get nothing, also for the law.
"""


# %% q2 answer
def verify_patiently(target_laws, draft_laws, tokens, shares, rng):
    """Verify from left to right, position i with its share.  -> (accepted, token)"""
    ### BEGIN SOLUTION
    for i, token in enumerate(tokens):
        kept = shares[i] * np.minimum(target_laws[i], draft_laws[i])
        if rng.random() * draft_laws[i][token] >= kept[token]:
            owed = target_laws[i] - kept
            return i, draw(owed / owed.sum() if owed.sum() > 0 else target_laws[i], rng)
    return len(tokens), draw(target_laws[-1], rng)
    ### END SOLUTION
    return ...


# %% q2-law test 2
check.patient_law(verify_patiently).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps2", STUDENT_ID, SEED).patient_law(verify_patiently).require()
### END HIDDEN TESTS

# %% q2-kept test 2
check.patient_kept(verify_patiently).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps2", STUDENT_ID, SEED).patient_kept(verify_patiently).require()
### END HIDDEN TESTS

# %% q2-edges test 1
check.patient_edges(verify_patiently).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps2", STUDENT_ID, SEED).patient_edges(verify_patiently).require()
### END HIDDEN TESTS

# %% q3-intro [markdown]
r"""
## Task 3: not before so many tokens (20 min, 5 points)

A user wants answers of at least `least` tokens. So the `stop` token is held back: as long as fewer
than `least` new tokens stand after `prefix`, the next token's law is the target's *without* the
stop token (its mass 0, the rest divided by its sum). From then on it is the target's law. If the
target wants the stop token with certainty, it may come at any place.

Write the speculative decoder. It returns up to `n_tokens` new tokens and nothing after a stop
token, with exactly the law just described, in rounds of `draft_length` drafted tokens. The draft
knows nothing of `least`. Every call of `target.score` or `target.next_law` is a target pass and
costs. The points for *passes* ask for no more of them than the usual rounds make: one `score` for
each round, and no `next_law`. Plain decoding, token by token, has the right law but uses no draft:
it gets no points here, so *law* also asks that drafted tokens save a pass at times. Where `least`
is 0, `stop` may be `None`.

*Two ways to go:* write a small model around the target, with `vocabulary`, `next_law(prefix)` and
`score(prefix, tokens)`, and hand it to `speculate`; or write the loop yourself around
`verify_block`. `score(prefix, tokens)` gives one row before each token and one after the last.
"""


# %% q3 answer
def speculate_at_least(target, draft, prefix, draft_length, n_tokens, rng, stop, least):
    """Up to n_tokens new tokens; no stop token among the first `least`.  -> tuple"""

    ### BEGIN SOLUTION
    class HeldBack:
        vocabulary = target.vocabulary

        def next_law(self, text):
            return self.hold(target.next_law(text), len(text))

        def score(self, text, tokens):
            laws = target.score(text, tokens)
            return np.array([self.hold(law, len(text) + i) for i, law in enumerate(laws)])

        def hold(self, law, length):
            if length - len(prefix) >= least or law[stop] == 1:
                return law
            law = law.copy()
            law[stop] = 0 * law[stop]
            return law / law.sum()

    trace = speculate(HeldBack(), draft, prefix, draft_length, n_tokens, rng, stop=stop)
    return trace.tokens
    ### END SOLUTION
    return ...


# %% q3-law test 2
check.least_law(speculate_at_least).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps2", STUDENT_ID, SEED).least_law(speculate_at_least).require()
### END HIDDEN TESTS

# %% q3-passes test 2
check.least_passes(speculate_at_least).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps2", STUDENT_ID, SEED).least_passes(speculate_at_least).require()
### END HIDDEN TESTS

# %% q3-edges test 1
check.least_edges(speculate_at_least).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps2", STUDENT_ID, SEED).least_edges(speculate_at_least).require()
### END HIDDEN TESTS

# %% q4-intro [markdown]
r"""
## Task 4: acceptance that fades (15 min, 4 points)

The further a draft runs ahead, the worse it guesses. Say the first drafted token is kept with
chance $\alpha$; the second, if reached, with chance $\alpha d$; the third, if reached, with
$\alpha d^2$; and so on, for a fading $0 < d \le 1$. Your draft length is $\gamma$ = `you.length`,
a number. One draft step costs $c$ target passes, as always.

1. `mean_tokens`: tokens per round, the target's own token included, as a SymPy expression in
   `alpha` and `d`.
2. `break_even`: the largest $c$ at which this is not slower than plain decoding, as a SymPy
   expression in `alpha` and `d`.

Any equivalent form counts, with fractions or exact decimals: 0.25 is 1/4, but 0.333 is not 1/3.
"""

# %% q4-length
print("you.length is", you.length)
alpha, d = sp.symbols("alpha d", positive=True)

# %% q4 answer
mean_tokens = ...  # expressions in alpha and d
break_even = ...
### BEGIN SOLUTION
reach = [alpha**k * d ** sp.Rational(k * (k - 1), 2) for k in range(you.length + 1)]
mean_tokens = sum(reach)  # the k-th token is emitted if k − 1 drafts are kept
break_even = (mean_tokens - 1) / you.length  # mean_tokens / (γc + 1) = 1
### END SOLUTION

# %% q4-tokens test 2
check.mean_tokens(mean_tokens).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps2", STUDENT_ID, SEED).mean_tokens(mean_tokens).require()
### END HIDDEN TESTS

# %% q4-break-even test 2
check.break_even(break_even).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps2", STUDENT_ID, SEED).break_even(break_even).require()
### END HIDDEN TESTS

# %% q5-intro [markdown]
r"""
## Task 5: a ledger with an overhead (8 min, 3 points)

In your engine every round of speculation also takes an overhead of $h$ = `you.overhead` target
passes, for moving the cache about; plain decoding has none. Acceptance is constant:
$\alpha$ = `you.rate`, and a draft step costs $c$ = `you.cost`. So a round takes
$\gamma c + 1 + h$.

1. `best_length`: which $\gamma$ from 1 to 64 is the fastest?
2. `best_speed`: its speed-up over plain decoding.
3. `least_rate`: keep $c$ and $h$, take $\gamma$ = `you.length`. From which $\alpha$ on is this not
   slower than plain decoding?
"""

# %% q5-numbers
print(f"alpha = {you.rate}, c = {you.cost}, h = {you.overhead}, you.length = {you.length}")

# %% q5 answer
best_length = ...
best_speed = ...
least_rate = ...
### BEGIN SOLUTION
from scipy.optimize import brentq


def speed(rate, length):
    return tokens_per_round(rate, length) / (length * you.cost + 1 + you.overhead)


best_length = max(range(1, 65), key=lambda length: speed(you.rate, length))
best_speed = speed(you.rate, best_length)
least_rate = brentq(lambda rate: speed(rate, you.length) - 1, 0, 1)
### END SOLUTION

# %% q5-length test 1
check.best_length(best_length).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps2", STUDENT_ID, SEED).best_length(best_length).require()
### END HIDDEN TESTS

# %% q5-speed test 1
check.best_speed(best_speed).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps2", STUDENT_ID, SEED).best_speed(best_speed).require()
### END HIDDEN TESTS

# %% q5-rate test 1
check.least_rate(least_rate).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps2", STUDENT_ID, SEED).least_rate(least_rate).require()
### END HIDDEN TESTS

# %% q6-intro [markdown]
r"""
## Task 6: somebody else's block verifier (20 min, 6 points)

In the block verifier below a single line is wrong. `at(coin, law)` is the token that a coin picks
from a law; `draw` does the same with a coin of its own. The text is the very text that runs:
`you.suspect.function(target_laws, draft_laws, tokens, rng)`.

Run it in a decoder, from the empty prefix, with your models and draft length 2
(`decoder_law(…, verify=…)` of notebook 04 does that).

1. `first_distance`: how far is the law of the first token from the target's, in total variation? It
   counts together with the next.
2. `three_distance`: how far is the joint law of the first three tokens?
3. `line`: the number of the wrong line.
4. `mend`: the text that should stand there, like `"coin = rng.random()"`: one statement of the kind
   that stands there (a line with `return` stays one), without the spaces before it. Assignments to
   new names may stand before it, `"\n"` after each: `"u = rng.random()\ncoin = u"`. Your text is
   put into that line and the verifier is run, so any text counts that makes it lossless and keeps
   as much as the overlap allows, for k ≥ 1. All imports of this notebook may be used.
"""

# %% q6-listing
print(you.suspect.listing)

# %% q6 answer
first_distance = ...
three_distance = ...
line = ...
mend = ...
### BEGIN SOLUTION
from specnotes.coursework.suspects import mending_line


def off(n_tokens):
    law = decoder_law(you.target, you.draft, (), 2, n_tokens, verify=you.suspect.function)
    return distance(law, sequence_law(you.target, (), n_tokens))


first_distance = off(1)
three_distance = off(3)
line, mend = mending_line(you.suspect)  # you find these by reading
### END SOLUTION

# %% q6-first test 1
check.block_first(first_distance, three=three_distance).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden = hidden_tests("ps2", STUDENT_ID, SEED)
hidden.block_first(first_distance, three=three_distance).require()
### END HIDDEN TESTS

# %% q6-three test 1
check.block_three(three_distance).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps2", STUDENT_ID, SEED).block_three(three_distance).require()
### END HIDDEN TESTS

# %% q6-line test 1
check.block_line(line).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps2", STUDENT_ID, SEED).block_line(line, mend=mend).require()
### END HIDDEN TESTS

# %% q6-mend test 3
check.block_mended(line, mend).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps2", STUDENT_ID, SEED).block_mended(line, mend).require()
### END HIDDEN TESTS

# %% q7-intro [markdown]
r"""
## Task 7: what a test cannot see (10 min, 4 points)

A test suite for a block decoder does this: models without context (every row the same law), draft
length 1, and it compares the law of the *first* emitted token with the target's, exactly. Answer in
at most 150 words: name two mistakes of block decoders that pass this test, and say for each *why*
it cannot show. Then describe the smallest exact test that would catch both.

*One point each for:* the first mistake, with the reason; the second, for another reason; a test
that catches both; nothing in that test larger than it need be.
"""

# %% q7 manual 4 [markdown]
r"""
### BEGIN SOLUTION
**One coin for all positions of a block.** With draft length 1 there is one position, and even in
longer blocks the first token's own coin is a fair one. Only the joint law of two positions shows
it.

**The bonus token from the row before.** The bonus token is never the first token of a round, so the
first token cannot show it; and if all rows are equal, the row before is the right law anyway.

Smallest test: two tokens in the vocabulary, rows that differ, draft length 2, and the joint law of
the first three tokens, compared exactly with the target's by the chain rule. (The first needs two
positions, the second a third token.)
### END SOLUTION
"""

# %% end-intro [markdown]
r"""
## Before you hand it in

Restart the kernel and run all cells. Then look at every ✓, ✗ and ○, and at the last line.
"""

# %% id-test test 1
check.identity(STUDENT_ID).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps2", STUDENT_ID, SEED).identity(STUDENT_ID).require()
### END HIDDEN TESTS
