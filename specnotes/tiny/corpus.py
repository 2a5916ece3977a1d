"""The corpus: Python's own standard library, on every machine and read in about a second.

Source code without tests and generated tables, and the prose of the language reference.  About
4 % of the documents are held out by a hash of their name, so that the split is the same on every
machine.  Python versions differ in their texts: the weights' card names the one they were trained
on.  A token is the index of a character in ``ALPHABET``.
"""

import hashlib
import sys
import sysconfig
from functools import cache
from importlib import import_module
from pathlib import Path
from zipfile import ZipFile

import numpy as np

from specnotes.laws import check_whole

ALPHABET = "\n" + "".join(map(chr, range(32, 127)))  # 96 characters
LEFT_OUT = frozenset(
    "test tests encodings idlelib lib2to3 pydoc_data site-packages __pycache__ turtledemo".split()
)
HELD_OUT = 25  # one name in so many

_PLAIN = bytes(byte if chr(byte) in ALPHABET else ord("?") for byte in range(256))
_INDEX = {character: index for index, character in enumerate(ALPHABET)}


def encode(text):
    """Tokens of ``text``, a tuple of ints.  ``ValueError`` names the first foreign character."""
    try:
        return tuple(_INDEX[character] for character in text)
    except KeyError as error:
        at = text.index(error.args[0])
        raise ValueError(f"text[{at}] is {error.args[0]!r}, not in the alphabet") from None


def decode(tokens):
    """The text of ``tokens``."""
    return "".join(ALPHABET[token] for token in tokens)


def documents():
    """(name, text) of every document in order of name, in the characters of ``ALPHABET``."""
    for name, content in sorted(_sources(), key=lambda source: source[0].split("/")):
        if LEFT_OUT.isdisjoint(name.split("/")):
            yield name, plain(content.decode("utf-8", errors="replace"))
    for topic, text in sorted(import_module("pydoc_data.topics").topics.items()):
        yield f"topics/{topic}", plain(text)


def split():
    """(training documents, held-out documents), each a list of (name, text)."""
    return tuple(map(list, _split()))


@cache
def _split():
    train, held_out = [], []
    for name, text in documents():
        digest = hashlib.sha256(name.encode()).digest()
        chosen = int.from_bytes(digest[:4], "big") % HELD_OUT == 0
        (held_out if chosen else train).append((name, text))
    return train, held_out


def _sources():
    """(name, bytes) of the library's modules; in the browser it comes as one archive."""
    root = Path(sysconfig.get_path("stdlib"))
    if (root / "abc.py").is_file():
        yield from (
            (path.relative_to(root).as_posix(), path.read_bytes()) for path in root.rglob("*.py")
        )
        return
    for path in (path for path in sys.path if path.endswith(".zip") and Path(path).is_file()):
        with ZipFile(path) as archive:
            if "abc.py" in archive.namelist():
                names = [name for name in archive.namelist() if name.endswith(".py")]
                yield from ((name, archive.read(name)) for name in names)


def passages(kind, count, length):
    """``count`` beginnings of held-out text, of ``length`` tokens each: what a prompt may be.

    ``kind`` is "code" or "prose".  Passages start at lines, far enough from each other.
    """
    if kind not in ("code", "prose"):
        raise ValueError(f"kind is {kind!r}, not 'code' or 'prose'")
    count, length = check_whole(count, "count", 1), check_whole(length, "length", 1)
    chosen = [text for name, text in split()[1] if name.startswith("topics/") == (kind == "prose")]
    text, found, at = "\n\n\n".join(chosen), [], 0
    stride = max(length, len(text) // (count + 1))
    while len(found) < count and at + length <= len(text):
        found.append(encode(text[at : at + length]))
        at = text.find("\n", at + stride) + 1 or len(text)
    if len(found) < count:
        raise ValueError(f"count is {count}: there is held-out {kind} for {len(found)} passages")
    return found


def stream(docs):
    """All documents as one array of tokens (int64), two empty lines between them."""
    table = np.zeros(128, np.int64)
    table[[ord(character) for character in ALPHABET]] = np.arange(len(ALPHABET))
    text = "\n\n\n".join(text for _, text in docs)
    return table[np.frombuffer(text.encode("ascii"), np.uint8)]


def fingerprint(docs):
    """SHA-256 over names and texts: which corpus was it?"""
    digest = hashlib.sha256()
    for name, text in docs:
        digest.update(f"{name}\0{text}\0".encode())
    return digest.hexdigest()


def plain(text):
    """``text`` in the alphabet: tabs expanded, every other foreign character a question mark."""
    text = text.replace("\r\n", "\n").expandtabs(4)
    return text.encode("ascii", "replace").translate(_PLAIN).decode("ascii")
