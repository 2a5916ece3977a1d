"""Checks of notebook 00: guess and check, without chance."""

from collections.abc import Iterable

from specnotes.checks.card import Wrong, ask, exercise
from specnotes.coins.sources import deadline

SECONDS = 5  # enough for any answer, short enough to wait for after an endless loop


@exercise("words in a round")
def words_in_round(answer):
    """Three guesses, two of them right: how many words come out?"""
    number = _whole(answer)
    if number == 2:
        raise Wrong("2 is how many guesses were right; the target's own word comes out as well")
    if number == 4:
        raise Wrong("4 would need three right guesses; here the third one was wrong")
    if number != 3:
        raise Wrong(f"yours is {number}; count the words that the round emitted")
    return "two right guesses and the target's own word"


@exercise("a round traced by hand")
def traced_round(answer):
    """The words that a round from "cat" with three guesses emits."""
    words = _words(answer)
    said = " ".join(words)
    if words == ["sat", "on"]:
        return "one right guess, then the target's own word; the rest is thrown away"
    if words == ["sat"]:
        raise Wrong("“sat” is right and kept; the target's own word after it comes out as well")
    if words[:1] == ["cat"]:
        raise Wrong("“cat” was there before the round; write only the words that it adds")
    if words[:2] == ["sat", "down"]:
        raise Wrong("after “sat” the target says “on”, so the guess “down” does not come out")
    if words[:2] == ["sat", "on"]:
        raise Wrong(
            f"yours is “{said}”; after “down” was refused, nothing later counts: "
            "those answers were given for a text that goes on with “down”"
        )
    raise Wrong(f"yours is “{said}”; write the guesses first, the target's answers under them")


START = "a"
TARGET = {"a": "b", "b": "c", "c": "d", "d": "e", "e": "a", "f": "a"}
DRAFTS = {
    "a draft that is always right": TARGET,
    "a draft that is always wrong": dict.fromkeys(TARGET, "f"),
    "a draft that is right after a, b and d": TARGET | {"c": "f", "e": "f"},
}
CASES = [(name, length, n) for name in DRAFTS for length in (1, 2, 4) for n in (1, 2, 7, 12)]


@exercise("guess and check to the end")
def guess_and_check(function):
    """function(target, draft, start, draft_length, n_words) -> (words, target passes)."""
    for name, length, n in CASES:
        at = f"{name}, draft_length {length}, n_words {n}"
        with deadline(SECONDS, Wrong):
            answer = ask(function, dict(TARGET), dict(DRAFTS[name]), START, length, n, at=at)
        _judge_run(*_two(answer, at), *right_run(TARGET, DRAFTS[name], length, n), at)
    return f"the target's own words and the right number of passes, in {len(CASES)} cases"


def right_run(target, draft, length, n_words):
    """The words of plain decoding, and the passes that guessing needs for them."""
    words, passes = [START], 0
    while len(words) <= n_words:
        guess, passes = words[-1], passes + 1
        for _ in range(length):
            guess = draft[guess]
            if guess != target[words[-1]]:
                break
            words.append(guess)
        words.append(target[words[-1]])
    return words[1 : n_words + 1], passes


def _judge_run(words, passes, right, right_passes, at):
    if words != right:
        said = f"yours is “{' '.join(words)}”, the target writes “{' '.join(right)}”"
        if words[: len(right)] == right:
            raise Wrong(f"At {at}: {said}; cut what the last round wrote too much")
        from_start = words[1 : len(right) + 1] == right or words[1:] == right[:-1]
        if words[:1] == [START] and from_start:
            raise Wrong(f"At {at}: {said}; the start is no new word")
        raise Wrong(f"At {at}: {said}")
    if passes != right_passes:
        raise Wrong(f"At {at}: you count {passes} target passes, it takes {right_passes}")


def _two(answer, at):
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        raise Wrong(f"At {at}: return two things, the words and the number of target passes")
    first, second = answer
    if isinstance(second, (str, list, tuple)) and isinstance(first, (int, float)):
        raise Wrong(f"At {at}: words first, then passes; yours is {tuple(answer)!r}")
    return _words(first), _whole(second)


def _words(answer):
    """A list of words, from a list, a tuple or one string with spaces or commas."""
    if isinstance(answer, str):
        answer = answer.replace(",", " ").split()
    if not isinstance(answer, Iterable):
        raise Wrong(f"yours is {answer!r}; a list of words is asked for")
    return [str(word).strip().strip("“”\"'") for word in answer]


def _whole(answer):
    try:
        number = float(answer)
    except (TypeError, ValueError):
        raise Wrong(f"yours is {answer!r}; a whole number is asked for") from None
    if number != int(number):
        raise Wrong(f"yours is {answer!r}; a whole number is asked for")
    return int(number)
