# %% header [markdown]
r"""
# Problem set 1: one token

About 100 minutes · 32 points · needs: notebooks 00, 01 and 02

| task | what | minutes | points |
|---|---|---|---|
| 1 | four numbers of your own | 10 | 4 |
| 2 | a forbidden token | 15 | 4 |
| 3 | complete a rule | 15 | 5 |
| 4 | a muddled fallback | 15 | 4 |
| 5 | two candidates | 20 | 5 |
| 6 | somebody else's verifier | 20 | 5 |
| 7 | a test that passes | 8 | 4 |
| – | your id | – | 1 |

**How it is marked.** Your id gives you laws and numbers of your own. Below each task stand its
tests. What you see helps. A function is run on your own laws, on every outcome of its coins, and a
mistake is answered with a counter-example; more cases are tried when the set is marked. Of a number
or a line it only says whether it has the right form, with a · in place of a ✓. There is no luck in
it: only a right answer passes, in whatever form.

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

from specnotes.coins import law_of
from specnotes.coursework import at, variant, visible_tests
from specnotes.laws import accept_prob, draw, overlap, residual, total_variation
from specnotes.verify import emitted_law, token_kernel, verify_token

SEED = ""
you = variant(STUDENT_ID, "ps1", SEED)
check = visible_tests(you)
p, q = you.target, you.draft  # your target and your draft: arrays of Fractions
print(you)

# %% conventions [markdown]
r"""
`p` is your target, `q` your draft; tokens are the numbers 0, 1, 2, 3, which stand for the words
above. Everything imported in the cell above may be used. All functions get arrays, often of
`Fraction`s, must leave them unchanged, and take all chance from `rng`. A number may be a fraction,
a decimal or a text such as `"3/5"`; it counts if it is within 0.001 of the right one.
"""

# %% q1-intro [markdown]
r"""
## Task 1: four numbers of your own (10 min, 4 points)

With your laws and the usual rule (keep with chance $\min(1, p/q)$, else draw from the residual):

1. `kept`: how often is a drafted token kept?
2. `replacement`: a token was refused. How likely is its replacement the token `you.owed_token`?
3. `blame`: a token was refused. How likely was it the token `you.over_token`?
4. `trust`: the token `you.owed_token` comes out. How likely was it drafted and kept?
"""

# %% q1-tokens
print("you.owed_token is", you.owed_token, "and you.over_token is", you.over_token)

# %% q1 answer
kept = ...
replacement = ...
blame = ...
trust = ...
### BEGIN SOLUTION
kept = overlap(p, q)
replacement = residual(p, q)[you.owed_token]
refused = q - np.minimum(p, q)
blame = refused[you.over_token] / refused.sum()
trust = np.minimum(p, q)[you.owed_token] / p[you.owed_token]
### END SOLUTION

# %% q1-kept test 1
check.kept(kept).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps1", STUDENT_ID, SEED).kept(kept).require()
### END HIDDEN TESTS

# %% q1-replacement test 1
check.replacement(replacement).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps1", STUDENT_ID, SEED).replacement(replacement).require()
### END HIDDEN TESTS

# %% q1-blame test 1
check.blame(blame).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps1", STUDENT_ID, SEED).blame(blame).require()
### END HIDDEN TESTS

# %% q1-trust test 1
check.trust(trust).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps1", STUDENT_ID, SEED).trust(trust).require()
### END HIDDEN TESTS

# %% q2-intro [markdown]
r"""
## Task 2: a forbidden token (15 min, 4 points)

Some text must not contain a certain token. The rule is known to the verifier only: the draft knows
nothing of it and may well propose the token.

Write the verifier. What comes out should have the target's law *given that it is not the forbidden
token*: $p(x)/(1 - p(f))$ for $x \ne f$, and never $f$. That is two points, if the draft is used: a
draw of your own that takes no notice of `token`, or only calls it accepted where the two happen to
agree, gets nothing. A third point is for keeping as many drafts as any such verifier can. Return
`(token, accepted)`, as in notebook 01. `target[forbidden]` is below 1.
"""


# %% q2 answer
def verify_without(target, draft, forbidden, token, rng):
    """Keep the drafted token, or replace it; never let `forbidden` out.  -> (token, accepted)"""
    ### BEGIN SOLUTION
    allowed = target.copy()
    allowed[forbidden] = 0 * allowed[forbidden]
    allowed = allowed / allowed.sum()
    if rng.random() * draft[token] < allowed[token]:
        return token, True
    return draw(residual(allowed, draft), rng), False
    ### END SOLUTION
    return ...


# %% q2-law test 2
check.ban_law(verify_without).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps1", STUDENT_ID, SEED).ban_law(verify_without).require()
### END HIDDEN TESTS

# %% q2-kept test 1
check.ban_kept(verify_without).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps1", STUDENT_ID, SEED).ban_kept(verify_without).require()
### END HIDDEN TESTS

# %% q2-edges test 1
check.ban_edges(verify_without).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps1", STUDENT_ID, SEED).ban_edges(verify_without).require()
### END HIDDEN TESTS

# %% q3-intro [markdown]
r"""
## Task 3: complete a rule (15 min, 5 points)

Somebody else decides which drafts are kept: a drafted token $y$ with chance `chance[y]`, any
numbers from 0 to 1. You decide from which law to draw after a refusal, one law whichever token was
refused. Write `fallback(target, draft, chance)`, which returns the law that makes the whole rule
lossless.

- Some rules are beyond repair: no fallback makes them lossless. Then raise a `ValueError`.
- If no drafted token is ever refused and the rule is lossless, return the target.
- Compare exactly: the arrays hold `Fraction`s, and a float is easily a hair below 0.

Your own rule is `you.chance`, shown below.
"""

# %% q3-rule
print([str(chance) for chance in you.chance])


# %% q3 answer
def fallback(target, draft, chance):
    """Law after a refusal that makes the rule lossless.  three arrays (V,) -> (V,)"""
    ### BEGIN SOLUTION
    owed = target - draft * chance  # kept and owed must add up to the target
    if (owed < 0).any():
        raise ValueError("a token is kept more often than the target wants it")
    return owed / owed.sum() if owed.sum() > 0 else target
    ### END SOLUTION
    return ...


# %% q3-law test 2
check.completion(fallback).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps1", STUDENT_ID, SEED).completion(fallback).require()
### END HIDDEN TESTS

# %% q3-nothing test 1
check.completion_of_all(fallback).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps1", STUDENT_ID, SEED).completion_of_all(fallback).require()
### END HIDDEN TESTS

# %% q3-beyond test 2
check.completion_refused(fallback).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps1", STUDENT_ID, SEED).completion_refused(fallback).require()
### END HIDDEN TESTS

# %% q4-intro [markdown]
r"""
## Task 4: a muddled fallback (15 min, 4 points)

An engine keeps drafts by the right rule. After a refusal it tosses one more coin. With chance
`you.mixing` it draws from the residual. Otherwise it makes a mistake and draws from another law:
from the target's or from the draft's, as the cell below says.

1. `bias`: for one token with masses $p$ and $q$, the chance that it comes out, minus $p$. A SymPy
   expression in the symbols `p_`, `q_` and `alpha` of the cell below (`p` and `q` are your arrays),
   without the residual; $\alpha = \sum \min(p, q)$. Any equivalent form counts, with fractions or
   exact decimals: 0.625 is 5/8, but 0.333 is not 1/3. Put your value of `you.mixing` in as a
   number.
2. `distance`: how far is the law that comes out from your target, in total variation?
3. `draws`: a $\chi^2$ test sees the mistake reliably once (number of draws) $\cdot \sum$
   bias²/$p$ reaches 30. How many draws does your engine's mistake take? One per cent off is fine.
"""

# %% q4-engine
print(f"residual with chance {you.mixing}, otherwise the {you.mistake}'s law")
p_, q_, alpha = sp.symbols("p_ q_ alpha", positive=True)

# %% q4 answer
bias = ...  # an expression in p_, q_ and alpha
distance = ...
draws = ...
### BEGIN SOLUTION
share = sp.Rational(str(1 - you.mixing))  # how often the mistake is made
wrong = p_ if you.mistake == "target" else q_
bias = share * (sp.Min(p_, q_) + (1 - alpha) * wrong - p_)
after = you.mixing * residual(p, q) + (1 - you.mixing) * (p if you.mistake == "target" else q)
off = emitted_law(p, q, fallback=after) - p
distance = abs(off).sum() / 2
draws = 30 / (off**2 / p).sum()
### END SOLUTION

# %% q4-bias test 2
check.muddled_bias(bias).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps1", STUDENT_ID, SEED).muddled_bias(bias).require()
### END HIDDEN TESTS

# %% q4-distance test 1
check.muddled_distance(distance).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps1", STUDENT_ID, SEED).muddled_distance(distance).require()
### END HIDDEN TESTS

# %% q4-draws test 1
check.muddled_draws(draws).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps1", STUDENT_ID, SEED).muddled_draws(draws).require()
### END HIDDEN TESTS

# %% q5-intro [markdown]
r"""
## Task 5: two candidates (20 min, 5 points)

The draft is cheap, so it proposes *two* tokens for the same place, `first` and `second`, drawn
independently from `draft`. One token comes out, with exactly the target's law.

Write the verifier: test the first candidate by the usual rule. If it is refused, do not give up:
the second candidate was drawn from `draft` too, and what the output is still owed has a law.

Return `(token, which)`: `which` is 1 or 2 if that candidate was kept, and 0 if neither was. A draw
of your own that takes no notice of the candidates gets nothing, also for the law. The points for
*kept* ask that a candidate is kept at least as often as when the second is tested by the usual rule
as well, against the law that is still owed (the residual).
"""


# %% q5 answer
def verify_two(target, draft, first, second, rng):
    """One token out of two candidates, or another one.  -> (token, which)"""
    ### BEGIN SOLUTION
    if rng.random() * draft[first] < target[first]:
        return first, 1
    owed = residual(target, draft)  # the law that must come out from here on
    if rng.random() * draft[second] < owed[second]:
        return second, 2
    return draw(residual(owed, draft), rng), 0
    ### END SOLUTION
    return ...


# %% q5-law test 2
check.two_law(verify_two).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps1", STUDENT_ID, SEED).two_law(verify_two).require()
### END HIDDEN TESTS

# %% q5-kept test 2
check.two_kept(verify_two).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps1", STUDENT_ID, SEED).two_kept(verify_two).require()
### END HIDDEN TESTS

# %% q5-edges test 1
check.two_edges(verify_two).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps1", STUDENT_ID, SEED).two_edges(verify_two).require()
### END HIDDEN TESTS

# %% q6-intro [markdown]
r"""
## Task 6: somebody else's verifier (20 min, 5 points)

A lazy verifier is *meant* to keep each drafted token with chance `share` · min(1, p/q), to save
work, and to be lossless all the same. In the one below a single line is wrong.

`at(coin, law)` is the token that a coin picks from a law; `draw` does the same with a coin of its
own. The text below is the very text that runs: `you.suspect.function(target, draft, token, rng)`.

1. `distance_6`: how far is what comes out from your target, in total variation?
2. `line`: the number of the wrong line.
3. `mend`: the text that should stand there, like `"coin = rng.random()"`: one statement of the kind
   that stands there (a line with `return` stays one), without the spaces before it. Assignments to
   new names may stand before it, `"\n"` after each: `"u = rng.random()\ncoin = u"`. Your text is
   put into that line and the verifier is run, so any text counts that makes it keep its promise,
   and any line that can be mended so counts as `line`. All imports of this notebook may be used.
"""

# %% q6-listing
print("share =", you.share)
print(you.suspect.listing)

# %% q6 answer
distance_6 = ...
line = ...
mend = ...
### BEGIN SOLUTION
from specnotes.coursework.suspects import mending_line


def step(rng):
    return you.suspect.function(p, q, draw(q, rng), rng)[0]


out = law_of(step)
distance_6 = total_variation([out.get(token, 0) for token in range(4)], p)
line, mend = mending_line(you.suspect)  # you find these by reading
### END SOLUTION

# %% q6-distance test 1
check.lazy_distance(distance_6).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps1", STUDENT_ID, SEED).lazy_distance(distance_6).require()
### END HIDDEN TESTS

# %% q6-line test 1
check.lazy_line(line).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps1", STUDENT_ID, SEED).lazy_line(line, mend=mend).require()
### END HIDDEN TESTS

# %% q6-mend test 3
check.lazy_mended(line, mend).require()
### BEGIN HIDDEN TESTS
from specnotes.coursework import hidden_tests

hidden_tests("ps1", STUDENT_ID, SEED).lazy_mended(line, mend).require()
### END HIDDEN TESTS

# %% q7-intro [markdown]
r"""
## Task 7: a test that passes (8 min, 4 points)

A colleague writes: "Our verifier draws from the target after a refusal. We compared it with plain
decoding at temperature 0 on 10,000 prompts: every output was identical. And a good draft hides
nothing, since with a better draft we refuse less." Answer in at most 150 words: why does the test
pass, what does a better draft do to the error, and which test would you run instead?

*One point each for:* why the test passes; what happens to the size of the error, and to the number
of draws that show it; a test that can see it; what that test compares.
"""

# %% q7 manual 4 [markdown]
r"""
### BEGIN SOLUTION
At temperature 0 target and draft put all mass on one token each. If they agree, nothing is refused.
If they do not, the residual is the target itself, so drawing from the target is the same. The test
cannot fail for this mistake.

With a better draft the error shrinks, being at most α(1 − α), but it stays above 0. The draws
needed to see it grow like one over its square, so a good draft hides the mistake from samples.

I would compare laws, not texts: take a small target and draft that are not one-hot, enumerate every
outcome of the coins, and compare the law of what comes out with the target's, exactly. No draws are
needed.
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

hidden_tests("ps1", STUDENT_ID, SEED).identity(STUDENT_ID).require()
### END HIDDEN TESTS
