# %% header [markdown]
r"""
# Is a whole block of guesses still exact?

90 minutes · needs: notebooks 01 to 03 · [[launch]]

**After this you can** *write* a lossless block decoder with its bonus token, *confirm* its joint
law exactly, and *prove* by induction that it is the target's.
"""

# %% before-you-start [markdown]
r"""
## Before you start

Answer from memory, then unfold.

1. (Notebook 01) After `cat` the target's law is $(.1, .6, .3)$ and the draft's $(.5, .3, .2)$. With
   what chance is a drafted `cat` kept? With what chance does `sat` come out as a *correction*?
2. (Notebook 02) A thousand greedy texts are all equal to plain decoding. Why can this test not see
   the wrong fallback?

<details><summary>Answers</summary>

1. $.1/.5 = 1/5$. And $(.6 - .3)_+ = .3$, whichever token was rejected: what is owed to `sat` comes
   out as `sat`.
2. With one-hot laws the residual is the target itself, so that the two fallbacks are the same.

</details>
"""

# %% setup
from fractions import Fraction

import numpy as np

from specnotes import checks, widgets
from specnotes.models import MarkovModel


def tenths(*parts):
    return np.array([Fraction(part, 10) for part in parts])


# %% predict-intro [markdown]
r"""
## Predict

A draft model writes three tokens. The target scores all three positions in one pass. The verifier
rejects the first one and replaces it.

The other two are drawn and paid for; their scores are on the table. Throwing them away looks like
waste. Suppose a decoder goes on and tests them too, each with its own fresh coin, its own row of
scores and the right residual.
"""

# %% predict-keep-going tags=["predict"]
widgets.predict(
    "keep-going",
    "A decoder goes on testing the drafted tokens after a rejection. What happens to its law?",
    [
        "nothing: it is still exact, and faster",
        "already the first token has the wrong law",
        "the first token is exact, pairs of tokens are not",
    ],
    answer="the first token is exact, pairs of tokens are not",
    why="The second token gets the law after a word that was thrown away.",
)

# %% predict-first-token tags=["predict"]
widgets.predict(
    "first-token",
    "We shall meet nine broken decoders. A test compares the law of the first token that comes out "
    "with the target's, exactly. How many of the nine does it see?",
    ["all nine", "about half", "one", "none"],
    answer="one",
    why="It sees the wrong fallback. The others make their mistake later in the text.",
)

# %% by-hand [markdown]
r"""
## One round by hand

The two models of notebook 03 again: the next law depends on the last token alone.

| after | target $p$ | draft $q$ | kept, $\min(p, q)$ | owed, $(p - q)_+$ |
|---|---|---|---|---|
| (start) | .5 .3 .2 | .2 .3 .5 | .2 .3 .2 | .3 0 0 |
| cat | .1 .6 .3 | .5 .3 .2 | .1 .3 .2 | 0 .3 .1 |
| sat | .7 .1 .2 | .4 .4 .2 | .4 .1 .2 | .3 0 0 |
| mat | .3 .3 .4 | .3 .2 .5 | .3 .2 .4 | 0 .1 0 |

The draft length is $\gamma = 2$.

1. **The draft runs ahead.** It draws `mat` from its first row, then `sat` from its row *after mat*.
2. **The target scores in one pass.** It returns three rows: $p(\cdot)$, $p(\cdot \mid \text{mat})$
   and $p(\cdot \mid \text{mat sat})$. One pass is enough, because each row depends only on
   tokens that are already written (notebook 00).
3. **The verifier reads from the left.** `mat` is kept with chance $2/5$.
   - *Rejected:* `cat` takes its place, the only token still owed. The round is over. `sat` was
     written for a text that starts with `mat`, and there is no such text.
   - *Kept:* now `sat` is tested against row two, and kept with chance 1, because the target wants
     it more often than the draft does.
4. **All kept?** Then one more token comes from row three: the **bonus token**.

So a round emits one, two or three tokens: the accepted ones, and always exactly one more.
"""

# %% pair-by-hand [markdown]
r"""
Now the question of this notebook: how likely is it that the text begins with `cat sat`? It should
be $p(\text{cat})\,p(\text{sat} \mid \text{cat}) = 5/10 \cdot 6/10 = 30/100$. There are three ways.

| first token | second token | chance |
|---|---|---|
| `cat` drafted, kept | `sat` drafted, kept | $2/10 \cdot 3/10 = 6/100$ |
| `cat` drafted, kept | another drafted, corrected to `sat` | $2/10 \cdot 3/10 = 6/100$ |
| another, corrected to `cat` | `sat`, somehow, in a new round | $3/10 \cdot 6/10 = 18/100$ |

The sum is $30/100$, to the last digit. In the third row the new round starts after `cat`, so
notebook 01 gives its first token the law $p(\cdot \mid \text{cat})$, and 6/10 of it is `sat`.

Is this luck? We build the decoder, and then look at every text it can write.
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

for row in target.score((), (MAT, SAT)):  # (γ+1, V): the three rows of one pass
    print(*row)

# %% build-intro [markdown]
r"""
## Build it: verifier, round, loop

The block verifier is notebook 01's `verify_token`, from left to right, until one token is rejected.
"""

# %% build-verifier
from specnotes.laws import draw
from specnotes.verify import verify_token


def verify_block(target_laws, draft_laws, tokens, rng):
    """How many drafted tokens are accepted, and the one token that follows them.

    target_laws (γ+1, V), draft_laws (γ, V), tokens (γ,)  ->  (accepted, token)
    """
    for i, token in enumerate(tokens):
        token, accepted = verify_token(target_laws[i], draft_laws[i], token, rng)
        if not accepted:
            return i, token  # corrected: what was drafted after it is void
    return len(tokens), draw(target_laws[len(tokens)], rng)  # bonus: the row after the last token


# %% try-verifier
scores, laws = target.score((), (MAT, SAT)), draft.score((), (MAT, SAT))[:-1]
print("verdicts on mat sat, for eight seeds:")
print(*(verify_block(scores, laws, (MAT, SAT), np.random.default_rng(seed)) for seed in range(8)))

# %% build-round-text [markdown]
r"""
`(0, 0)`: none accepted, `cat` (token 0) instead. `(2, 2)`: both accepted, and the bonus is `mat`.

One round: the draft runs ahead, the target scores, the verifier decides.
"""


# %% build-round
def run_ahead(draft, prefix, draft_length, rng):
    """The drafted tokens, and the laws they were drawn from."""
    tokens, laws = (), []
    for _ in range(draft_length):
        laws.append(draft.next_law(prefix + tokens))
        tokens += (draw(laws[-1], rng),)
    return tokens, laws


def one_round(target, draft, prefix, draft_length, rng):
    """The tokens that one target pass brings: from 1 to draft_length + 1 of them."""
    tokens, draft_laws = run_ahead(draft, prefix, draft_length, rng)
    target_laws = target.score(prefix, tokens)
    accepted, token = verify_block(target_laws, draft_laws, tokens, rng)
    return tokens[:accepted] + (token,)


# %% build-loop-text [markdown]
r"""
The loop: rounds until there is enough. The last round may bring too much, so we cut.
"""


# %% build-loop
def decode(target, draft, draft_length, n_tokens, rng):
    """A text of n_tokens tokens, with the target's law."""
    tokens = ()
    while len(tokens) < n_tokens:
        tokens += one_round(target, draft, tokens, draft_length, rng)
    return tokens[:n_tokens]


decode(target, draft, 2, 8, np.random.default_rng(4))

# %% every-coin [markdown]
r"""
## Every text, exactly

One text proves nothing, and a million texts prove little (notebook 03). So we run `decode` on every
outcome of its coins. The stand-in for the generator is called `EveryCoin`; in three sentences:

1. Its `random()` is not a number but the interval [0, 1), and a comparison splits the run in two.
2. Each branch is weighted with its share and remembers what was learnt, so that a coin used twice
   is the same coin.
3. `law_of` replays the program along every branch and adds up the weights: with fractions in, the
   exact law comes out.
"""

# %% exact-by-hand
from specnotes.coins import law_of
from specnotes.exact import sequence_law

found = law_of(lambda rng: decode(target, draft, 2, 2, rng))
wanted = sequence_law(target, (), 2)  # plain decoding, by the chain rule

print(f"{found.paths} paths lead to {len(found)} pairs")
print(f"cat sat: {found[CAT, SAT]}, the target says {wanted[CAT, SAT]}")
print("all pairs equal:", found == wanted)

# %% import-text [markdown]
r"""
Note the `==`. No tolerance, no p-value: the two tables of fractions are the same.

From here on we use the package. Its `verify_block` and `speculate` are the functions above, with
three additions: they check their inputs, they keep a record `Round(drafted, accepted, emitted)` of
each round, and they know a stop token. `round_law` gives the law of one such record, and
`decoder_law` the law of `speculate`. It enumerates a round at most once for each text so far and
multiplies, so that longer texts stay affordable.
"""

# %% import-package
from specnotes.decode import speculate
from specnotes.exact import decoder_law, distance, round_law
from specnotes.verify import verify_block

for gamma in (1, 2, 3):
    equal = [
        decoder_law(target, draft, (), gamma, n) == sequence_law(target, (), n)
        for n in (1, 2, 3, 4)
    ]
    print(f"draft length {gamma}: 1, 2, 3, 4 tokens exact?", equal)

# %% bonus [markdown]
r"""
## The bonus token: why it is free, and where it comes from

*Free,* because the pass is made anyway. Testing $\gamma$ tokens takes the rows *before* each of
them. Let the same pass read the last drafted token too, one position more, and it returns the row
*after* it. Otherwise the next pass would begin with just that.

*From the target,* because nobody drafted a token for this position. There is nothing to test and
nothing to correct. You may see it as a correction against a draft that proposes nothing: with
$q = 0$ everything is owed, $(p - 0)_+ = p$. (In code, draw from the target: zeros are no law, and
`residual` would refuse them.)

*From the row after the last drafted token,* because that token is part of the text by now. There
are $\gamma + 1$ rows, and the bonus belongs to the last one.

So every pass ends with one token of the target's own, a correction or a bonus. Even if the first
guess is rejected, the pass brings one token, as plain decoding would have done.
"""

# %% bonus-law
full = {r.emitted: mass for r, mass in round_law(target, draft, (), 2).items() if r.accepted == 2}
after_mat_sat = {text: mass for text, mass in full.items() if text[:2] == (MAT, SAT)}
share = sum(after_mat_sat.values())
print("bonus after mat sat:", *(f"{NAMES[t[2]]} {m / share}" for t, m in after_mat_sat.items()))
print("the target there:   ", *(f"{n} {x}" for n, x in zip(NAMES, target.matrix[SAT])))

# %% live [markdown]
r"""
## See it live

One sequence of 48 toy tokens after "the". Each column is one target pass, read down: accepted
tokens (squares), then the one token that the target adds, a correction (diamond) or a bonus (pill).
Dashed tokens were drafted in vain; the struck one is the rejected one. The last column may be cut.

1. Drag *match* to 1. Why is every column full?
2. Drag it to 0. Where do the diamonds go? The text still has the target's law.
3. Now drag the *draft length* up. What grows?
"""

# %% live-figure
widgets.block_trace()

# %% static-text [markdown]
r"""
At match 1 nothing is ever rejected. At match 0 most columns are short, and a longer draft only adds
dashed tokens. The same without sliders, for a good and a bad draft: each column holds exactly one
token of the target's own, below the accepted ones.
"""

# %% static-figure
import matplotlib.pyplot as plt

from specnotes.models import toy_pair
from specnotes.plots import draw_trace

fig, axes = plt.subplots(2, 1, figsize=(10, 4.6), layout="constrained")
for ax, match in zip(axes, (0.9, 0.2)):
    toy = toy_pair(0.5, match, seed=5)
    trace = speculate(*toy, (0,), 4, 48, np.random.default_rng(5))
    draw_trace(ax, trace.rounds, toy[0].vocabulary)
    ax.set(xlim=(-0.6, 17.6))  # cells of one size in both
    ax.set_title(f"match {match}: 48 tokens in {trace.target_passes} target passes", loc="left")

# %% proof [markdown]
r"""
## The proof

Enumeration covers the cases we ran. This covers all of them.

**Claim.** Whatever text $s$ has been emitted so far, the next emitted token has the law
$p(\cdot \mid s)$.

That is enough, by induction on the length. Say the first $n$ tokens have the target's joint law
(for $n = 0$ there is nothing to say). With the claim,
$P(x_1 \dots x_{n+1}) = P(x_1 \dots x_n)\; p(x_{n+1} \mid x_1 \dots x_n)$, which is the target's
joint law of $n + 1$ tokens.

**Start.** A round begins after the text $s$. Its first drafted token $y_1$ was drawn from
$q(\cdot \mid s)$ and is tested against $p(\cdot \mid s)$ with a fresh coin. By notebook 01 the
emitted token, kept or corrected, has the law $p(\cdot \mid s)$.

**Step.** The verifier looks at $y_{i+1}$ only if $y_1 \dots y_i$ were all accepted. So the text so
far is $s\,y_1 \dots y_i$: the very text for which $y_{i+1}$ was drawn. But we have learnt something
since it was drawn: *its predecessors were accepted*. Does that change the law of $y_{i+1}$? No.
Whether $y_1 \dots y_i$ were accepted depended on those tokens and on their own coins, and on
nothing else. Given the tokens, those coins know nothing about $y_{i+1}$:

$$P(y_{i+1} = y \mid y_1 \dots y_i,\ \text{all accepted}) = q(y \mid s\,y_1 \dots y_i).$$

So $y_{i+1}$ is still an honest draw from the draft's law, its coin is fresh, and its row is
$p(\cdot \mid s\,y_1 \dots y_i)$. Notebook 01 applies again, word for word.

**End.** After a rejection the round is over, and the next round starts with the longer text. After
$\gamma$ acceptances the bonus token is drawn from $p(\cdot \mid s\,y_1 \dots y_\gamma)$ itself.

Before each token the decoder is in one of these cases. Given the text *and* the case, the next
token has the law $p(\cdot \mid \text{text})$. So it has that law given the text alone.
$\blacksquare$

**Cut and stop.** Dropping what lies beyond `n_tokens` changes nothing before it. Neither does
dropping what follows a stop token: whether to stop is decided by the text up to there.

The proof is also a list of what must not be touched. Each sentence has a bug that breaks it:

| the proof says | the bug |
|---|---|
| looked at *only if all before were accepted* | keep testing after a rejection |
| its coin is *fresh* | one coin for the whole block |
| its row is the law after *its own* prefix | rows shifted by one |
| accepted by *their own* coins, and nothing else | keep all up to the last one that passes |
| *notebook 01* applies: its own $p/q$, its own residual | the product of all ratios so far |
| the bonus is drawn *from the target* | from the draft, or the argmax |
| dropped tokens *come later* | redo a block that is too long |
"""

# %% keep-going-text [markdown]
r"""
## Experiment: keep testing after a rejection

You predicted what happens. Here is the decoder. It never wastes a drafted token, and every pass
brings $\gamma + 1$ tokens.
"""


# %% keep-going
def keep_going(target, draft, prefix, draft_length, rng):
    """WRONG: correct a rejected token and test the next one all the same."""
    tokens, draft_laws = run_ahead(draft, prefix, draft_length, rng)
    target_laws = target.score(prefix, tokens)
    emitted = ()
    for i, token in enumerate(tokens):
        emitted += (verify_token(target_laws[i], draft_laws[i], token, rng)[0],)
    return emitted + (draw(target_laws[-1], rng),)


# %% keep-going-law
wrong = law_of(lambda rng: keep_going(target, draft, (), 2, rng)[:2])

for first in (CAT, SAT, MAT):
    print(f"{NAMES[first]}: {sum(wrong[first, second] for second in range(3))}", end="   ")
print("\n\npair      comes out   target")
for pair in sorted(wanted):
    print(f"{NAMES[pair[0]]} {NAMES[pair[1]]}   {wrong[pair]!s:9}   {wanted[pair]}")
print("distance", distance(wrong, wanted))

# %% keep-going-why [markdown]
r"""
The first token is exact: 1/2, 3/10, 1/5. Pairs that begin with `sat` or `mat` are exact too. Pairs
that begin with `cat` are wrong, and `cat` is the only correction.

Look at one of them. A `cat` that was corrected stands where `mat` was drafted (3/10 of the time).
The second token was drawn after `mat` and is tested against the row after `mat`. Every test is
carried out correctly, so it comes out with the law $p(\cdot \mid \text{mat})$, exactly. But the
text says `cat`. The decoder writes a perfect continuation of a text that does not exist.
"""

# %% redo-text [markdown]
r"""
## Experiment: redo instead of cut

We want one token, and a round of draft length 1 may bring two. "Too long? Then throw the round away
and try again." This sounds fair: no token is cut off, and each round is exact.
"""

# %% redo
rounds = round_law(target, draft, (), 1)
short = [sum(mass for r, mass in rounds.items() if r.emitted == (token,)) for token in range(3)]

print("rounds that bring one token:", sum(short))
print("their token, if longer rounds are redone:", *np.array(short) / sum(short))

# %% redo-why [markdown]
r"""
It always writes `cat`. A round is short *because* its draft was rejected, and a rejected draft is
replaced by a token that is owed. Keeping only short rounds keeps only corrections. The rule looked
at the future (how long is this round?) to decide about the past. Cutting does not look.
"""

# %% blind [markdown]
r"""
## Tests that cannot fail

Which test would have told you that a decoder is wrong? `specnotes.broken` is a museum of mistakes
that systems, lessons and readers have made; each exhibit says what it does, for instance
`MUSEUM[0].diagnosis`. Take nine exhibits and seven test settings. All settings compare *exact*
laws, so that none is blind for lack of samples.

In the **i.i.d.** setting both models ignore the text: all their rows are the same. In the
**greedy** setting both models put all mass on their likeliest token. Then a draft is kept if and
only if it is the target's likeliest token, and corrections and bonus tokens are that token too.
Greedy decoding, as in notebook 00, is the same algorithm on other models.
"""

# %% settings
from specnotes.models import transformed
from specnotes.transforms import greedy

pair = target, draft
iid = [MarkovModel([model.initial] * 3, model.initial) for model in pair]
sure = [transformed(model, greedy) for model in pair]
for text, chance in decoder_law(*sure, (), 2, 6).items():
    print("greedy:", *(NAMES[token] for token in text), "with chance", chance)

SETTINGS = {  # name: models, draft length, tokens, stop token
    "first token": (pair, 2, 1, None),
    "γ = 1": (pair, 1, 3, None),
    "i.i.d.": (iid, 2, 3, None),
    "greedy": (sure, 2, 3, None),
    "no more than γ tokens": (pair, 2, 2, None),
    "joint": (pair, 2, 3, None),
    "joint, stop token": (pair, 2, 3, MAT),
}

# %% museum
from specnotes.broken import MUSEUM

museum = {exhibit.name: exhibit.function for exhibit in MUSEUM}


def wrong_fallback(target_laws, draft_laws, tokens, rng):
    """Notebook 02's mistake, at every position."""
    for i, token in enumerate(tokens):
        token, accepted = museum["wrong fallback"](target_laws[i], draft_laws[i], token, rng)
        if not accepted:
            return i, token
    return len(tokens), draw(target_laws[-1], rng)


def error(verify, models, gamma, n_tokens, stop=None):
    """Exact distance of the joint law from the target's."""
    law = decoder_law(*models, (), gamma, n_tokens, verify=verify, stop=stop)
    return distance(law, sequence_law(models[0], (), n_tokens, stop=stop))


def loop_error(decoder, models, gamma, n_tokens, stop=None):
    """The same for a whole decoder."""
    law = law_of(lambda rng: decoder(*models, (), gamma, n_tokens, rng, stop=stop))
    return distance(law, sequence_law(models[0], (), n_tokens, stop=stop))


# %% matrix
from IPython.display import Markdown

VERIFIERS = [
    "one coin for the whole block",
    "running product of ratios",
    "bonus from the row before",
    "bonus by argmax",
    "bonus from the draft",
    "block verification, unscaled residual",
]
LOOPS = ["extra token after a rejection", "runs past a stop token"]

rows = {"wrong fallback": [error(wrong_fallback, *one) for one in SETTINGS.values()]}
rows |= {name: [error(museum[name], *one) for one in SETTINGS.values()] for name in VERIFIERS}
rows |= {name: [loop_error(museum[name], *one) for one in SETTINGS.values()] for name in LOOPS}

table = [["mistake", *SETTINGS], ["---"] * (len(SETTINGS) + 1)]
for name, errors in rows.items():
    table.append([name, *(f"**{float(x):.1%}**" if x else "blind" for x in errors)])
Markdown("\n".join(f"| {' | '.join(line)} |" for line in table))

# %% matrix-why [markdown]
r"""
Read the columns.

- **First token:** it sees the wrong fallback and nothing else. Up to the first token a block *is*
  notebook 01; the mistakes of blocks come later.
- **γ = 1** cannot see what goes wrong between two drafted tokens.
- **i.i.d.:** where all rows are equal, the wrong row is no mistake. `keep_going` would pass, too.
- **Greedy** follows a single path. The residual is the target there, the argmax is a fair draw, and
  on these models that path never meets a bonus token.
- **No more than γ tokens:** every bonus token is cut off before anybody looks at it.
- **Joint,** with contexts and more than $\gamma$ tokens, sees most. Running past a stop token needs
  a stop token.

None of them is a bad test, and each is blind to a class, however long it runs. One exhibit escapes
all seven. *Block verification* judges the block as a whole and then scales $p$ before it subtracts
$q$; this copy forgot to scale. On *these two models* the scale is always 1. Laws must be nasty,
too. `audit_verifier` runs a verifier on a table of nasty laws:
"""

# %% audit
from specnotes.audit import audit_verifier

report = audit_verifier(museum["block verification, unscaled residual"])
finding = report.findings[0]
print(f"ok: {report.ok}, off by {finding.distance} at {finding.toy}")
print(audit_verifier(verify_block))

# %% sizes-text [markdown]
r"""
How large do such errors get while the first token is exact? Two toys: one coin for the block, with
$p = (5, 3, 2)/10$ and $q = (2, 2, 6)/10$ in every context; and the bonus row on two tokens, with an
even draft.
"""

# %% sizes
alike = [MarkovModel([row] * 3, row) for row in (tenths(5, 3, 2), tenths(2, 2, 6))]
one_coin = museum["one coin for the whole block"]
print("one coin: pairs off by", error(one_coin, alike, 2, 2), end=", ")
print("triples by", error(one_coin, alike, 3, 3))

after = np.array([[Fraction(16, 20), Fraction(4, 20)], [Fraction(9, 20), Fraction(11, 20)]])
even = np.array([Fraction(1, 2), Fraction(1, 2)])
two = MarkovModel(after, after[0]), MarkovModel([even, even], even)
row_before = museum["bonus from the row before"]
print("bonus from the row before: pairs off by", error(row_before, two, 1, 2))

# %% exercises [markdown]
r"""
## Exercises
"""

# %% ex1-text [markdown]
r"""
### Exercise 1: a pair by hand (8 min, core)

Use the table of "One round by hand", with $\gamma = 2$. In which ways does the text begin with
`cat cat`, and how likely is each? Write `Fraction(n, 100)`.

1. `kept_kept`: `cat` is drafted and kept, `cat` is drafted and kept.
2. `kept_corrected`: `cat` is drafted and kept, then another token is corrected to `cat`.
3. `corrected`: another token is corrected to `cat`, and the next round begins with `cat`.
4. `tested_on`: the third way in `keep_going`. Another token is corrected to `cat`; the second
   drafted token is tested all the same, and `cat` comes out.
"""

# %% ex1 tags=["exercise"]
kept_kept = ...
kept_corrected = ...
corrected = ...
tested_on = ...
### BEGIN SOLUTION
kept_kept = Fraction(2, 10) * Fraction(1, 10)
kept_corrected = Fraction(2, 10) * 0  # after cat, the target owes cat nothing
corrected = Fraction(3, 10) * Fraction(1, 10)
tested_on = Fraction(3, 10) * Fraction(3, 10)  # the second test uses the rows after mat
### END SOLUTION

# %% ex1-check tags=["check"]
checks.pair_by_hand(kept_kept, kept_corrected, corrected, tested_on)

# %% ex1-help [markdown]
r"""
<details><summary>Hint</summary>

A token is drafted *and kept* with chance $\min(p, q)$: the column "kept". It comes out as a
*correction* with chance $(p - q)_+$: the column "owed". Which row of the table holds for the second
token? For 4, ask which token was drafted where `cat` now stands.

</details>

[[solution ex1]]
"""

# %% ex2-text [markdown]
r"""
### Exercise 2: all coins at once (12 min, core)

An engine verifies many blocks in one go and has no loop over positions. Write the block
verifier that way: toss all coins at once with `rng.random(len(tokens))`, compare them in one line,
find the first rejection, and draw **one** token from **one** law. (A right loop passes, too.)

Both tables of laws come as arrays, so that `target_laws[rows, tokens]` picks the drafted tokens'
probabilities. You may use `draw` and `residual`. Return `(accepted, token)`. Does it matter that
coins after the first rejection were tossed for nothing? The check plays every coin.
"""

# %% ex2 tags=["exercise"]
from specnotes.laws import residual


def verify_at_once(target_laws, draft_laws, tokens, rng):
    """The verdict on a block without a loop.  (γ+1, V), (γ, V), (γ,)  ->  (accepted, token)"""
    ### BEGIN SOLUTION
    rows, tokens = np.arange(len(tokens)), np.asarray(tokens)
    coins = rng.random(len(tokens))
    kept = coins * draft_laws[rows, tokens] < target_laws[rows, tokens]
    if kept.all():
        return len(tokens), draw(target_laws[-1], rng)
    first = int(np.argmin(kept))  # the first False
    return first, draw(residual(target_laws[first], draft_laws[first]), rng)
    ### END SOLUTION
    return ...


# %% ex2-check tags=["check"]
checks.block_verifier(verify_at_once)

# %% ex2-help [markdown]
r"""
<details><summary>Hint</summary>

`kept = coins * q < p`, with `p = target_laws[rows, tokens]`, `q = draft_laws[rows, tokens]` and
`rows = np.arange(len(tokens))`. `np.argmin(kept)` is the position of the first `False`, but it is 0
if there is none: ask `kept.all()` first.

</details>

[[solution ex2]]

Coins after the first rejection change nothing: no token that comes out has looked at them.
"""

# %% ex3-text [markdown]
r"""
### Exercise 3: the row before (8 min, core)

Somebody wrote the verifier below. It passes every test on the first token, and every test on
i.i.d. models.
"""


# %% someone-elses
def someone_elses(target_laws, draft_laws, tokens, rng):
    for i, token in enumerate(tokens):
        row = target_laws[i], draft_laws[i]
        token, accepted = verify_token(*row, token, rng)
        if not accepted:
            return i, token
    return len(tokens), draw(row[0], rng)


# %% ex3-task [markdown]
r"""
Repair it, and say how small a test can be that sees the mistake: `smallest` is a pair
`(draft length, number of tokens)`. You may try pairs with
`distance(decoder_law(target, draft, (), 1, 1, verify=someone_elses), sequence_law(target, (), 1))`.
"""


# %% ex3 tags=["exercise"]
def repaired(target_laws, draft_laws, tokens, rng):
    """The verifier above with its mistake repaired."""
    ### BEGIN SOLUTION
    for i, token in enumerate(tokens):
        row = target_laws[i], draft_laws[i]
        token, accepted = verify_token(*row, token, rng)
        if not accepted:
            return i, token
    return len(tokens), draw(target_laws[-1], rng)  # not the row of the last drafted token
    ### END SOLUTION
    return ...


smallest = ...
### BEGIN SOLUTION
smallest = (1, 2)  # the first bonus token is the second token of the text
### END SOLUTION

# %% ex3-check tags=["check"]
checks.bonus_row(repaired, smallest)

# %% ex3-help [markdown]
r"""
<details><summary>Hint</summary>

After the loop `row` still holds the last drafted token's rows: the laws *before* that token. Which
row comes after it? A bonus token is emitted only if the whole draft was accepted. How many tokens
must a text have until one can be among them?

</details>

[[solution ex3]]
"""

# %% ex4-text [markdown]
r"""
### Exercise 4: cut and stop (8 min, core)

Our loop cuts at `n_tokens`, but it does not know a stop token. Write the function that says which
of a round's tokens may still come out: at most `room` of them, and none after the first stop token.
The stop token itself comes out. `stop` is `None` if there is none, and token 0 may be the stop
token.
"""


# %% ex4 tags=["exercise"]
def cut(emitted, room, stop):
    """The beginning of a round's tokens that may still come out."""
    ### BEGIN SOLUTION
    emitted = emitted[:room]
    if stop in emitted:
        emitted = emitted[: emitted.index(stop) + 1]
    return emitted
    ### END SOLUTION
    return ...


# %% ex4-check tags=["check"]
checks.cut(cut)

# %% ex4-help [markdown]
r"""
<details><summary>Hint</summary>

Two cuts, one after the other. `stop in emitted` is `False` for `None`; `if stop:` is also false for
token 0. `emitted.index(stop)` is the position of the first one.

</details>

[[solution ex4]]
"""

# %% ex5-text [markdown]
r"""
### Exercise 5: a whole decoder (15 min, stretch)

Write the whole thing without looking up: a text of `n_tokens` tokens that continues `prefix` (a
tuple), or ends with its first `stop` token. You have
`draft.next_law`, `target.score`, `draw`, `verify_block`, and your own `cut`. Return the new tokens.
The check counts the target's passes: more than needed is wrong, too.
"""


# %% ex5 tags=["exercise"]
def my_speculate(target, draft, prefix, draft_length, n_tokens, rng, stop=None):
    """Up to n_tokens new tokens after prefix, with the target's law.  -> tuple"""
    ### BEGIN SOLUTION
    text = tuple(prefix)
    end = len(text) + n_tokens
    while len(text) < end and (len(text) == len(prefix) or text[-1] != stop):
        drafted, laws = (), []
        for _ in range(draft_length):
            laws.append(draft.next_law(text + drafted))
            drafted += (draw(laws[-1], rng),)
        scores = target.score(text, drafted)
        accepted, token = verify_block(scores, np.array(laws), drafted, rng)
        emitted = drafted[:accepted] + (token,)
        text += cut(emitted, end - len(text), stop)
    return text[len(prefix) :]
    ### END SOLUTION
    return ...


# %% ex5-check tags=["check"]
checks.whole_decoder(my_speculate)

# %% ex5-help [markdown]
r"""
<details><summary>Hint</summary>

Keep one growing text that includes the prefix, and remember where it has to end. Draft after the
*text*, not after the prefix. The prefix may itself end in the stop token; that does not count. If
`cut` is not written yet, see exercise 4.

</details>

[[solution ex5]]
"""

# %% breaks [markdown]
r"""
## Where this breaks

- **The law handed over must be the law drawn from.** If the draft samples at one temperature and
  hands over the law of another, notebook 01 loses its premise (notebook 07).
- **`score` must agree with `next_law`.** In exact arithmetic it does. Floating-point passes over
  several positions may differ from passes over one in the last digits, and a stale cache differs in
  all of them.
- **The draft length may look at the past, not at the tokens to come.** Stopping early because a
  *drawn* token looks unlikely, and dropping it, changes the law.
- **Exact is not fast.** Nothing here says how many tokens a pass brings. That is notebook 05.
- **Enumeration is not a proof.** It covered three tokens and short texts. The induction covers the
  rest, for real-number laws and independent coins.
- **First rejection stops is not the last word.** A verifier that tests the block as a whole can
  keep more drafted tokens with the same law, if its corrections change as well.
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

- **One formula.** Given the text so far, the next token has the target's law, so that

  $$P(x_1 \dots x_N) = \prod_{n=1}^{N} p(x_n \mid x_1 \dots x_{n-1}).$$

- **One figure.** The columns of "See it live": accepted tokens, then exactly one token of the
  target's own, a correction or a bonus.
- **One function.** `speculate(target, draft, prefix, draft_length, n_tokens, rng)` decodes with the
  target's law, in fewer passes. `decoder_law`, with the same arguments less the generator, says so
  exactly.

Next: [05](05_geometric_yield.ipynb). How many tokens a pass brings, and when that is worth a draft.
"""
