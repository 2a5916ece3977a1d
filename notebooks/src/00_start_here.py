# %% header [markdown]
r"""
# Can a small model hurry a large one along without changing what it says?

20 minutes, and 15 more for exercise 3 and the ten questions at the end · needs: Python that you
can read · [[launch]]

**After this you can** *trace* a round of guess-and-check by hand, *explain* why one pass checks
a whole guess, and *use* the course: run, drag, check, reset.
"""

# %% how-to [markdown]
r"""
## How to use the course

- **Run** the cells from top to bottom, each with Shift+Enter. *Run → Run All Cells* works too, but
  then the results stand on the page before you have predicted them.
- **Drag** a slider, or click it and use the arrow keys. Beside it is a box that takes a number.
- **Check** an exercise by running the cell below it. ○ is not attempted, ✗ is wrong and says where,
  ✓ is right. Hints and solutions are folded; click them open.
- **Reset** with *Kernel → Restart Kernel*, then run from the top. A broken cell cannot break more
  than that.
- **Save.** On your own machine Ctrl+S is enough. On Binder a session ends when you leave it idle
  for some ten minutes, and everything in it is lost. So press *Save to browser storage* in the
  notebook's toolbar whenever you take a break; next time, open the same notebook and press
  *Restore from browser storage*. That works in one browser, and when Binder sends you to the same
  server. *Download* in the toolbar is the sure way, and works after the session has ended, too;
  next time, upload the file. On Colab, save a copy in your Drive.
"""

# %% setting [markdown]
r"""
## Guess and check

A language model writes one **token** at a time: a word, or a piece of one. Each token costs a run
of the whole network. We call that a **pass**. The passes of a large model are slow.

*Speculative decoding* puts a small **draft** model in front of the large **target** model. The
draft guesses a few tokens ahead. The target checks all of them in one pass. Right guesses are kept.
The first wrong one is replaced, and what follows it is thrown away.

Here we begin without any chance at all: both models always say the same word after the same word.
"""

# %% setup
import matplotlib.pyplot as plt
import numpy as np

from specnotes import checks, widgets
from specnotes.plots import draw_trace
from specnotes.widgets.guessing import rounds

# %% predict-intro [markdown]
r"""
## Predict

Every notebook asks you to commit to an answer before the experiment. Nobody marks it. It comes back
at the end, beside the answer. (The code of these cells is folded. It gives the answer away.)
"""

# %% predict-text tags=["predict"]
widgets.predict(
    "text",
    "The draft is wrong about half of the time. How does the finished text differ from what the "
    "target writes alone?",
    ["it does not differ", "a few words are the draft's", "about half the words are the draft's"],
    answer="it does not differ",
    why="Every word that comes out is the target's own answer. The draft decides only how many "
    "of them one pass yields.",
)

# %% predict-worst tags=["predict"]
widgets.predict(
    "worst",
    "And if the draft is wrong every single time: how many target passes do 14 words take?",
    ["7", "14, as without a draft", "more than 14"],
    answer="14, as without a draft",
    why="Even a pass that refuses every guess yields one word, the target's own. The draft's work "
    "is lost on top, and that is not free.",
)

# %% claim [markdown]
r"""
## What the course proves

The claim: what comes out has *exactly* the target's distribution. Not nearly. A bad draft costs
time, and nothing else.

The course proves the claim ([01](01_one_token_proof.ipynb)), breaks it by one tempting step
([02](02_wrong_fallback.ipynb)), watches it at work ([03](03_markov_lab.ipynb)), builds it
([04](04_block_decoding.ipynb)) and prices it ([05](05_geometric_yield.ipynb)).
"""

# %% by-hand [markdown]
r"""
## One round by hand

Each model is a table: the last word in, the next word out. The two differ in one place only.

| after | the | cat | **sat** | down | on | a | mat | . |
|---|---|---|---|---|---|---|---|---|
| target says | cat | sat | **on** | . | a | mat | . | the |
| draft says | cat | sat | **down** | . | a | mat | . | the |

The text so far ends in *the*. The draft may guess three words. Under each guess stands the target's
own answer at that place:

| draft guesses | cat | sat | down | |
|---|---|---|---|---|
| target says | cat | sat | **on** | . |
| so | kept | kept | replaced | thrown away |

Two guesses agree. The third does not, so the target's word *on* takes its place. The fourth answer
belongs to a text that goes on with *down*. That text is gone, and so is the answer.

The round emits **cat sat on**: three words from one target pass.

The next round starts after *on*:

| draft guesses | a | mat | . | |
|---|---|---|---|---|
| target says | a | mat | . | **the** |
| so | kept | kept | kept | bonus |

All three agree. Now the fourth answer does count: it is the target's word after three right
guesses. This **bonus** comes free. Seven words have cost two passes; word by word they cost seven.
"""

# %% code-intro [markdown]
r"""
In code, the round is as short as in words. Watch the last line: what comes out are the target's
*answers*, never the guesses.
"""

# %% one-round
TARGET = dict(the="cat", cat="sat", sat="on", down=".", on="a", a="mat", mat=".") | {".": "the"}
DRAFT = TARGET | {"sat": "down"}


def guess(draft, last, draft_length):
    """The next words by the draft, each from the one before."""
    words = []
    for _ in range(draft_length):
        last = draft[last]
        words.append(last)
    return words


def one_round(target, draft, last, draft_length):
    """The words that one target pass adds after the word ``last``."""
    guesses = guess(draft, last, draft_length)
    answers = [target[word] for word in [last, *guesses]]  # one pass: one answer more than guesses
    kept = 0
    while kept < draft_length and guesses[kept] == answers[kept]:
        kept += 1
    return answers[: kept + 1]


# %% two-rounds
one_round(TARGET, DRAFT, "the", 3), one_round(TARGET, DRAFT, "on", 3)

# %% one-pass [markdown]
r"""
## Why one pass is enough

The line `answers = …` looks up four answers. Why should that be *one* pass of a network?

Because a language model answers at every position of its input anyway, and each position sees only
the words up to itself. That rule is the **causal mask**. So write the guesses behind the text, run
the network once, and read off all answers.

Here is a network small enough to see. Each word votes for its successor: the first word of our
list with one vote, the second with two, and so on. A position adds up the votes of the words that
it sees and answers with the winner. The mask is a triangle of ones.
"""

# %% mask
WORDS = tuple(TARGET)
VOTES = np.array(
    [[votes * (TARGET[word] == w) for w in WORDS] for votes, word in enumerate(WORDS, start=1)]
)


def one_pass(text, causal=True):
    """The answer at every position of a text of n words."""
    n = len(text)
    inputs = np.array([[word == w for w in WORDS] for word in text], int)  # (n, V)
    sees = np.tri(n, dtype=int) if causal else np.ones((n, n), int)  # (n, n)
    scores = sees @ inputs @ VOTES  # (n, V)
    return [WORDS[best] for best in scores.argmax(axis=1)]


np.tri(4, dtype=int)

# %% mask-intro [markdown]
r"""
Row $i$ of the triangle says what position $i$ sees: the first only itself, the last everything. Two
experiments. Does one pass give what four passes over the shorter texts give? And can a guess, such
as *down*, change an answer before it?
"""

# %% mask-experiment
text = ["the", "cat", "sat", "down"]
four_passes = [one_pass(text[: i + 1])[-1] for i in range(4)]
other = ["the", "cat", "sat", "a"]
print("one pass          ", one_pass(text))
print("four passes       ", four_passes)
print("another last word ", one_pass(other))
print("no mask           ", one_pass(text, causal=False))
print("no mask, another  ", one_pass(other, causal=False))

# %% mask-result [markdown]
r"""
One pass and four passes agree. Another last word leaves the first three answers as they were: no
answer looks ahead. Without the mask every position sees every guess, and the answers are worthless
for checking.

What does a pass over four words cost, against one over a single word? On hardware that spends its
time fetching weights, hardly more. That is where the speed comes from, and
[05](05_geometric_yield.ipynb) keeps the bill.
"""

# %% live-intro [markdown]
r"""
## Drag it

How far ahead should the draft guess? Drag the draft length from 1 to 8. Watch what changes, and
what never does. Then choose another draft: one that is wrong after every other word or so, and one
that says *down* whatever comes before, and is never right. These are the drafts of your
predictions.

A column is one target pass. A green **square** was guessed right. A **diamond** is the target's
word in place of a wrong guess, which stands below it, struck out. A **pill** is the bonus.
**Dashed** words were guessed for nothing. The last column may be cut, because the text is full:
then neither a diamond nor a pill closes it, and even right guesses are dashed.
"""

# %% live
DRAFTS = {
    "wrong after sat": DRAFT,
    "wrong half of the time": TARGET | {"cat": "mat", "on": "the", "mat": "down"},
    "wrong every time": dict.fromkeys(TARGET, "down"),
}
widgets.guess_and_check(TARGET, DRAFTS, "the")

# %% live-result [markdown]
r"""
The text never changes, whatever the draft. With the first draft the target's passes fall from 8
to 3. The draft's own passes go up from 8 to 24 (not at every step: the last round is cut
differently), and more and more of them end in dashed boxes. So longer is not simply better.

The draft that is wrong half of the time still saves: 7 or 8 passes instead of 14. The one that is
never right saves nothing: 14 passes at every draft length, and up to 112 of its own. The first
draft, held still:
"""

# %% static
shape = dict(sharey=True, width_ratios=(8, 4, 3), figsize=(11, 2.8), layout="constrained")
fig, axes = plt.subplots(1, 3, **shape)
for ax, draft_length in zip(axes, (1, 3, 6)):
    trace = rounds(TARGET, DRAFT, "the", draft_length, 14)
    draw_trace(ax, trace.rounds, WORDS)
    ax.set_title(f"draft length {draft_length}: {trace.target_passes} passes", fontsize=11)

# %% exercises [markdown]
r"""
## Exercises

Write your answer where the `...` stands, run the cell, then run the check.
"""

# %% ex1-intro [markdown]
r"""
### Exercise 1: words in a round (1 min, core)

A draft guesses three words. The first two are right, the third is wrong. How many words does the
round emit? Try a wrong answer as well, to see what a check says.
"""

# %% ex1 tags=["exercise"]
words = ...
### BEGIN SOLUTION
words = 3
### END SOLUTION

# %% ex1-check tags=["check"]
checks.words_in_round(words)

# %% ex1-help [markdown]
r"""
<details><summary>Hint</summary>

Two guesses are kept. What stands in the place of the third?

</details>

[[solution ex1]]
"""

# %% ex2-intro [markdown]
r"""
### Exercise 2: trace a round by hand (3 min, core)

Use the two tables at the top. The text so far ends in *cat*, and the draft guesses three words.
Write down the guesses, the target's four answers under them, and the words that come out. Do not
run `one_round`; your pencil is faster.
"""

# %% ex2 tags=["exercise"]
emitted = ...  # a list of words
### BEGIN SOLUTION
# guesses:  sat  down  .
# answers:  sat  on    .    the     "." meets "." here, behind a refused guess: it counts nothing
emitted = ["sat", "on"]
### END SOLUTION

# %% ex2-check tags=["check"]
checks.traced_round(emitted)

# %% ex2-help [markdown]
r"""
<details><summary>Hint</summary>

Each guess follows from the guess before it, and each answer from the guesses before it. Stop at the
first place where the two rows differ. One word still comes out there.

</details>

[[solution ex2]]
"""

# %% ex3-intro [markdown]
r"""
### Exercise 3: to the end of the text (6 min, stretch)

Put the rounds together. Write `guess_and_check`, which returns the first `n_words` words after
`start` and the number of target passes that they took. Use `one_round`. Its last round may bring
more words than you need.
"""


# %% ex3 tags=["exercise"]
def guess_and_check(target, draft, start, draft_length, n_words):
    """-> (list of n_words words, target passes)"""
    ### BEGIN SOLUTION
    text, passes = [start], 0
    while len(text) <= n_words:
        text += one_round(target, draft, text[-1], draft_length)
        passes += 1
    return text[1 : n_words + 1], passes
    ### END SOLUTION
    return ...


# %% ex3-check tags=["check"]
checks.guess_and_check(guess_and_check)

# %% ex3-help [markdown]
r"""
<details><summary>Hint</summary>

Keep a list of words and a counter. While there are too few words, add the words of one more round
after the last one. At the end, cut the list to `n_words`. The start itself is no new word.

</details>

[[solution ex3]]
"""

# %% breaks [markdown]
r"""
## Where this breaks

**Comparing words.** Our models had no choice. A real one *draws* its next word from a law, and two
honest draws may differ even when both models agree about everything. Then "is the guess equal?" is
the wrong question. [01](01_one_token_proof.ipynb) finds the right one.

**Exact arithmetic.** A network rounds. If two words score almost the same, a pass over four words
may round the other way than four passes, and another word wins. That is a matter of numerics, not
of the method.

**Cheap passes.** If a pass over four words costs four times as much, nothing is gained.
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

**One formula:** words per pass = right guesses before the first wrong one + 1.

**One figure:** the columns of squares, each closed by a diamond or a pill unless the text is full.

**One new function:** `one_round`, which emits the target's answers and never the guesses.
"""

# %% self-check [markdown]
r"""
## What you need to know: ten questions

For 10 minutes, now or when a word is new to you. Answer each before you open it. Eight right: go
on. Fewer: the words in bold are explained at the end of this list; any first course in probability
has more.

**1.** A **law** gives three tokens the chances 1/2, 3/10 and … what?
<details><summary>Answer</summary>

1/5. The chances of a law are not negative and add up to 1. We write (5, 3, 2)/10.

</details>

**2.** Of 100 texts 20 begin with *the*, and 5 of these go on with *cat*. What is the **conditional
probability** P(cat | the)?
<details><summary>Answer</summary>

5/20 = 1/4: only texts that begin with *the* count.

</details>

**3.** With chance 7/10 a guess is kept. If not, a new word is drawn, and it is *cat* with chance
1/2. How often is a word rejected and replaced by *cat*?
<details><summary>Answer</summary>

3/10 · 1/2 = 3/20. Along a path chances multiply; over separate **cases** they add.

</details>

**4.** P(the) = 1/5, P(cat | the) = 1/4, P(sat | the cat) = 1/2. What is P(the cat sat)?
<details><summary>Answer</summary>

1/5 · 1/4 · 1/2 = 1/40, the **chain rule**.

</details>

**5.** `rng.random()` gives a number $u$ that is **uniform** in [0, 1). What is P($u$ < 3/10), and
P($u$/2 < 1/10)?
<details><summary>Answer</summary>

3/10, and P($u$ < 2/10) = 1/5. Such a number is our coin.

</details>

**6.** What is the **total variation** distance of (5, 3, 2)/10 and (2, 3, 5)/10?
<details><summary>Answer</summary>

Half the sum of the absolute differences: (3 + 0 + 3)/20 = 3/10. No event differs by more than that.

</details>

**7.** In a **Markov chain**, what does the next token depend on? What do the rows of its matrix add
up to?
<details><summary>Answer</summary>

On the last token alone. Each row is a law, so it adds up to 1.

</details>

**8.** Two machines toss two fair coins each. In the first the coins are independent, in the second
they always agree. Which law tells the machines apart?
<details><summary>Answer</summary>

Only the **joint law** of the pair: (1/4, 1/4, 1/4, 1/4) against (1/2, 0, 0, 1/2). Each coin alone
is fair in both.

</details>

**9.** A network gives three tokens the **logits** 0, log 2 and log 5. Which law do they stand for?
What becomes of it if all logits are divided by a temperature near 0?
<details><summary>Answer</summary>

Exponentiate and divide by the sum: (1, 2, 5)/8, the softmax. Near temperature 0 all mass moves to
the last token: greedy decoding.

</details>

**10.** A round emits 1 word with chance 3/10, else 2. How many does it emit in the **mean**?
<details><summary>Answer</summary>

1 · 3/10 + 2 · 7/10 = 1.7.

</details>

<details><summary>The words in bold</summary>

- **law** (distribution): a chance for each outcome, none negative, all together 1.
- **conditional probability** P(B | A): the share of the cases with A in which B happens too.
- **case**: one of several ways that exclude each other; their chances add up.
- **chain rule**: P(A and B) = P(A) · P(B | A), and so on for more events.
- **uniform**: every part of [0, 1) is hit with a chance equal to its length.
- **total variation**: half the sum of absolute differences of two laws; the most by which the
  chance of any event can differ.
- **Markov chain**: a sequence in which the law of the next token depends on the last one alone.
- **joint law**: the law of several things together, a chance for each combination.
- **logits**: scores that become a law when they are exponentiated and divided by the sum.
- **mean**: each value times its chance, added up.

</details>
"""

# %% evening-path [markdown]
r"""
## The evening path: 90 minutes

| minutes | what |
|---|---|
| 15 | this notebook up to its exercises |
| 20 | [01](01_one_token_proof.ipynb) up to exercise 1, then its live figure |
| 45 | [03](03_markov_lab.ipynb), the lab |
| 10 | [02](02_wrong_fallback.ipynb) up to its first experiment: the best-known wrong verifier |

The whole course, 00 to 05 in order, takes six to eight hours: eight with every exercise.
"""

# %% questions [markdown]
r"""
## Questions that people ask

To look up later, not to read now: the answers use words that the notebooks explain. Each is short,
and names the notebook that gives the long one.

- **Why does my output differ from plain decoding?** The same *distribution* is not the same
  *output*. Try another seed: plain decoding differs from itself as well.
  [02](02_wrong_fallback.ipynb), [03](03_markov_lab.ipynb)
- **Why not sample from the target after a rejection?** It would pay again for what was kept.
  [02](02_wrong_fallback.ipynb)
- **Can the residual be all zero?** Only if target and draft agree, and then nothing is ever
  rejected. [01](01_one_token_proof.ipynb)
- **With greedy decoding the rule lets out words that are not the likeliest. Is that a
  counter-example?** No. Target and draft mean the laws *after* temperature, and greedy puts all
  mass on one word. [02](02_wrong_fallback.ipynb),
  [07](07_sampling_transforms.ipynb)
- **Is "accept if equal" the same thing?** It has the same law if the word that comes out is the
  one compared. It keeps fewer guesses. [02](02_wrong_fallback.ipynb)
- **Why is q = 1 in some engines?** Their draft looks its guess up and draws nothing, so all its
  mass is on one word. [02](02_wrong_fallback.ipynb)
- **What exactly is α? Acceptance rate, acceptance length?** The chance that one draft is kept; its
  mean over contexts; accepted over drafted tokens; and the length is tokens per round. Papers mean
  different ones. [05](05_geometric_yield.ipynb)
- **Why is my proof wrong?** A rejected draft may turn into *any* word: sum over all drafts.
  [01](01_one_token_proof.ipynb), exercise 4
- **Which draft should I take?** One that is cheap and often kept. It need not be the one with
  the best perplexity. [10](10_scouts.ipynb)
- **When is it slower?** When drafting costs more than the kept guesses save
  ([05](05_geometric_yield.ipynb); [11](11_wall_clock.ipynb) measures it on your machine). A busy
  server has no idle arithmetic to give away, so there even a good draft can lose.
"""
