"""Somebody else's verifier, with one line wrong: which line, and what should stand there?

The text that a student reads is the text that runs.  An answer is a line number and a new text for
that line; whatever makes the verifier right is a right answer.
"""

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from textwrap import dedent

import numpy as np
import sympy

from specnotes import decode, exact, laws, verify, yields
from specnotes.coins import law_of
from specnotes.coursework.memory import recalled
from specnotes.exact import decoder_law, distance, sequence_law
from specnotes.laws import draw
from specnotes.models import MarkovModel

LEAST_BIAS = Fraction(1, 40)  # on the student's own laws: no mistake is too small to see
NAMES = {
    "kept": ("kept", "common", "shared"),
    "owed": ("owed", "due", "missing"),
    "law": ("law", "after", "weights"),
    "coin": ("coin", "u", "toss"),
}

# The lines by name, in order.  A lazy rule: kept with chance share · min(1, p/q).
TOKEN_LINES = {
    "def": "def lazy(target, draft, token, rng):",
    "kept": "    {kept} = share * np.minimum(target, draft)",
    "coin": "    {coin} = rng.random()",
    "test": "    if {coin} * draft[token] < {kept}[token]:",
    "keep": "        return token, True",
    "owed": "    {owed} = target - {kept}",
    "law": "    {law} = {owed} / {owed}.sum()",
    "draw": "    return at(rng.random(), {law}), False",
}
TOKEN_MISTAKES = [
    ("test", "    if {coin} * draft[token] < share * target[token]:"),
    ("test", "    if {coin} < {kept}[token]:"),
    ("test", "    if {coin} * target[token] < {kept}[token]:"),
    ("owed", "    {owed} = np.maximum(target - draft, 0)"),
    ("owed", "    {owed} = np.abs(target - draft)"),
    ("owed", "    {owed} = target"),
    ("owed", "    {owed} = draft - {kept}"),
    ("law", "    {law} = {owed} ** 2 / ({owed} ** 2).sum()"),
    ("law", "    {law} = np.sign({owed}) / np.sign({owed}).sum()"),
    ("draw", "    return at({coin}, {law}), False"),
]

BLOCK_LINES = {
    "def": "def verify(target_laws, draft_laws, tokens, rng):",
    "coins": "    {coin} = rng.random(len(tokens))",
    "for": "    for i, token in enumerate(tokens):",
    "kept": "        {kept} = np.minimum(target_laws[i], draft_laws[i])",
    "test": "        if {coin}[i] * draft_laws[i][token] >= {kept}[token]:",
    "owed": "            {owed} = target_laws[i] - {kept}",
    "law": "            {law} = {owed} / {owed}.sum()",
    "back": "            return i, at(rng.random(), {law})",
    "bonus": "    return len(tokens), at(rng.random(), target_laws[-1])",
}
BLOCK_MISTAKES = [
    ("coins", "    {coin} = [rng.random()] * len(tokens)"),
    ("for", "    for i, token in enumerate(tokens[:-1]):"),
    ("test", "        if {coin}[0] * draft_laws[i][token] >= {kept}[token]:"),
    ("test", "        if {coin}[i] * draft_laws[0][token] >= {kept}[token]:"),
    ("owed", "            {owed} = np.maximum(target_laws[0] - draft_laws[0], 0)"),
    ("owed", "            {owed} = target_laws[i]"),
    ("law", "            {law} = np.sign({owed}) / np.sign({owed}).sum()"),
    ("back", "            return i + 1, at(rng.random(), {law})"),
    ("back", "            return i, at({coin}[i], {law})"),
    ("bonus", "    return len(tokens), at(rng.random(), target_laws[-2])"),
    ("bonus", "    return len(tokens), at(rng.random(), draft_laws[-1])"),
]


class NoRepair(Exception):
    """The new line cannot be put in."""


@dataclass(frozen=True)
class Suspect:
    """A verifier with a planted mistake."""

    lines: tuple
    function: Callable = field(repr=False)
    _right: tuple = field(repr=False)
    _known: dict = field(repr=False)  # names that the text uses

    @property
    def listing(self):
        """The text, with line numbers."""
        return "\n".join(f"{i:2}  {line}" for i, line in enumerate(self.lines, start=1))

    def repaired(self, line, text):
        """The function with a new text for one line, or ``NoRepair``."""
        if not isinstance(text, str) or not text.strip():
            raise NoRepair('the new line should be a text, such as "kept = target"')
        old, rows = self.lines[line - 1], dedent(text.strip("\n")).strip().splitlines()
        margin, lines = old[: len(old) - len(old.lstrip())], list(self.lines)
        lines[line - 1] = "\n".join(margin + row for row in rows)
        try:
            same = _shape(lines, line, len(rows)) == _shape(self.lines)
        except (SyntaxError, ValueError) as error:
            if not _is_whole(text.strip()):
                said = getattr(error, "msg", error)
                raise NoRepair(f"Python cannot read it with your line {line}: {said}") from None
            same = False
        if not same:
            raise NoRepair(
                f"line {line} is {_kind(old)}: put one statement of the same kind there; "
                "assignments may stand before it"
            )
        taken = _taken(self.lines, lines, line, len(rows))
        if taken:
            raise NoRepair(
                f"your line {line} assigns to {taken}, of which other lines make use: "
                "take names of your own"
            )
        return _compiled(lines, self._known)


def planted_line(suspect):
    """The number of the line that was changed."""
    pairs = zip(suspect.lines, suspect._right)
    return next(i for i, (there, right) in enumerate(pairs, start=1) if there != right)


def mending_line(suspect):
    """(number, text) of one line that mends it."""
    line = planted_line(suspect)
    return line, suspect._right[line - 1].strip()


def at(coin, law):
    """The token that a coin picks from a law: what ``draw`` does with a coin of its own."""
    return int(np.searchsorted(np.cumsum(law), coin, side="right"))


# What a new line may use: all that the problem sets import.
PUBLIC = {
    function.__name__: function
    for function in (at, law_of, Fraction, MarkovModel)
    + (laws.accept_prob, laws.draw, laws.overlap, laws.residual, laws.total_variation)
    + (verify.emitted_law, verify.token_kernel, verify.verify_block, verify.verify_token)
    + (decode.sample, decode.speculate, yields.speedup, yields.tokens_per_round)
    + (exact.decoder_law, exact.distance, exact.round_law, exact.sequence_law)
} | {"np": np, "sp": sympy}


def token_suspect(numbers, target, draft, share):
    """A lazy one-token verifier whose mistake shows on these laws."""

    def bias(function):
        return token_bias(function, target, draft)

    known = PUBLIC | {"share": share}
    return _suspect(numbers, TOKEN_LINES, TOKEN_MISTAKES, known, bias, ("kept", "coin"))


def block_suspect(numbers, target, draft):
    """A block verifier whose mistake shows in three tokens of these models."""

    def bias(function):
        return block_bias(function, target, draft, 3)

    return _suspect(numbers, BLOCK_LINES, BLOCK_MISTAKES, PUBLIC, bias)


def token_bias(verify, target, draft):
    """Distance of what comes out from the target."""
    law = law_of(lambda rng: verify(target, draft, draw(draft, rng), rng)[0])
    return distance(law, dict(enumerate(target)))


@cache
def block_bias(verify, target, draft, n_tokens):
    """Distance of the first tokens' joint law from the target's, with two drafted tokens."""
    return distance(block_law(verify, target, draft, n_tokens), sequence_law(target, (), n_tokens))


@cache
def block_law(verify, target, draft, n_tokens):
    """Joint law of the first tokens, with two drafted tokens."""
    return decoder_law(target, draft, (), 2, n_tokens, verify)


def _suspect(numbers, lines, mistakes, known, bias, swapped=()):
    """The first mistake, in the student's own order, that is large enough on the own laws."""
    names = {name: numbers.pick(words) for name, words in NAMES.items()}
    order = list(lines)
    if swapped and numbers.below(2):
        i, j = map(order.index, swapped)
        order[i], order[j] = order[j], order[i]
    doc = numbers.below(2) * ['    """Keep a drafted token, or replace it."""']

    def text_of(templates):
        chosen = [templates[order[0]], *doc, *map(templates.get, order[1:])]
        return tuple(line.format(**names) for line in chosen)

    texts = [text_of(lines | dict([mistake])) for mistake in numbers.shuffled(mistakes)]

    def first():
        for i, text in enumerate(texts):
            if bias(_compiled(text, known)) >= LEAST_BIAS:
                return i
        raise ValueError("no mistake shows on these laws")

    planted = texts[recalled(first, "planted", *numbers.words)]
    return Suspect(planted, _compiled(planted, known), text_of(lines), known)


def _compiled(lines, known):
    space = dict(known)
    exec(compile("\n".join(lines), "<verifier>", "exec"), space)  # our text, or the student's line
    (name,) = space.keys() - known.keys() - {"__builtins__"}
    return space[name]


def _kind(line):
    """What a line is, in words."""
    word = line.split()[0].rstrip(":")
    if word in ("return", "for", "if", "def"):
        return f"a `{word}` line"
    return "an assignment" if " = " in line else "a text in quotes"


def _is_whole(text):
    """Can Python read it by itself?"""
    try:
        return bool(ast.parse(text).body)
    except (SyntaxError, ValueError):
        return False


def _taken(old_lines, lines, first, count):
    """What the ``count`` rows from ``first`` on assign to though it belongs to other lines."""
    old, new = (ast.parse("\n".join(text)) for text in (old_lines, lines))
    names = {node.id for node in ast.walk(old) if isinstance(node, ast.Name)}
    names |= {node.arg for node in ast.walk(old) if isinstance(node, ast.arg)}
    may = set(_stored(old, first, 1))
    return next((name for name in _stored(new, first, count) if name in names - may), None)


def _stored(tree, first, count):
    """Names that these rows assign to, or to a part of which they do."""
    for node in ast.walk(tree):
        stores = isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))
        if stores and first <= node.lineno < first + count:
            while isinstance(node, (ast.Subscript, ast.Attribute)):
                node = node.value
            if isinstance(node, ast.Name):
                yield node.id


def _shape(lines, first=0, count=0):
    """The kinds of statements, in order, but for helpers: assignments before the last one of the
    ``count`` rows from row ``first`` on.
    """
    tree = ast.walk(ast.parse("\n".join(lines)))
    statements = [node for node in tree if isinstance(node, ast.stmt)]
    new = [node for node in statements if first <= node.lineno < first + count]
    new.sort(key=lambda node: (node.lineno, node.col_offset))
    helpers = [node for node in new[:-1] if isinstance(node, (ast.Assign, ast.AnnAssign))]
    return [type(node).__name__ for node in statements if node not in helpers]
