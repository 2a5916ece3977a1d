"""Each check of notebook 11 takes several right answers and refuses each wrong one by name."""

from fractions import Fraction

import numpy as np
import pytest

from specnotes import checks
from specnotes.checks import caches, clock
from specnotes.decode import propose, speculate
from specnotes.exact import decoder_law, round_law, sequence_law
from specnotes.models import PrefixModel, toy_pair
from specnotes.yields import best_draft_length, tokens_per_round


def each(answers):
    return pytest.mark.parametrize("answer", answers.values(), ids=answers)


# Exercise 1


def delete(cache, length):
    del cache.keys[length:]
    del cache.values[length:]


def rebind(cache, length):
    cache.keys, cache.values = cache.keys[:length], cache.values[:length]


def pop(cache, length):
    while len(cache.keys) > length:
        cache.keys.pop(), cache.values.pop()


def assign(cache, length):
    cache.keys[length:], cache.values[length:] = [], []


def comprehend(cache, length):
    cache.keys = [key for i, key in enumerate(cache.keys) if i < length]
    cache.values = list(cache.values)[:length]
    return cache


def cut_at(shift):
    def function(cache, length):
        end = max(length + shift, 0)
        del cache.keys[end:], cache.values[end:]

    return function


def only_keys(cache, length):
    del cache.keys[length:]


def local_names(cache, length):
    keys, values = cache.keys, cache.values
    keys, values = keys[:length], values[:length]


def from_the_front(cache, length):
    extra = len(cache.keys) - length
    del cache.keys[:extra], cache.values[:extra]


def last_ones(cache, length):
    cache.keys, cache.values = cache.keys[-length:], cache.values[-length:]


def so_many(cache, length):
    """Takes length for the number of tokens to forget."""
    end = len(cache.keys) - length
    del cache.keys[end:], cache.values[end:]


def same_list(cache, length):
    cache.keys = cache.values = cache.keys[:length]


def copied(cache, length):
    """A new cache, which nobody asked for."""
    new = caches.ToyCache()
    new.keys, new.values = cache.keys[:length], cache.values[:length]
    return new


def nearly_all(cache, length):
    """Forgets all but one of the positions that must go."""
    end = max(length, len(cache.keys) - 1)
    del cache.keys[end:], cache.values[end:]


def arrays(cache, length):
    cache.keys = np.array(cache.keys[:length])
    cache.values = np.array(cache.values[:length])


def zeros(cache, length):
    for i in range(length, len(cache.keys)):
        cache.keys[i], cache.values[i] = np.zeros(4), np.zeros(4)


def blanks(cache, length):
    for i in range(length, len(cache.keys)):
        cache.keys[i] = cache.values[i] = None


RIGHT_ROLLBACKS = {f.__name__: f for f in (delete, rebind, pop, assign, comprehend)}
WRONG_ROLLBACKS = {
    "nothing": (lambda cache, length: None, "the cache still has 5 positions: it is stale"),
    "local names": (local_names, "a slice under a name of your own"),
    "a copy": (copied, "or a copy returned, does not reach it"),
    "one too many left": (cut_at(1), "3 positions left, it should be 2"),
    "one too few left": (cut_at(-1), "1 position left, it should be 2"),
    "one is forgotten": (nearly_all, "4 positions left, it should be 2"),
    "only the keys": (only_keys, "a position has one of each"),
    "oldest first": (from_the_front, "not the first ones"),
    "the last ones": (last_ones, "not the first ones"),
    "the number to forget": (so_many, "3 positions left, it should be 2"),
    "one list for both": (same_list, ""),
    "arrays": (arrays, "must stay lists"),
    "zeros in place": (zeros, "stale"),
    "blanks": (blanks, "remove positions, do not blank them"),
    "everything": (lambda cache, length: rebind(cache, 0), "0 positions left"),
    "a crash": (lambda cache, length: cache.length, "AttributeError"),
}


@each(RIGHT_ROLLBACKS)
def test_a_right_rollback_passes(answer):
    assert checks.rollback(answer).ok


@each(WRONG_ROLLBACKS)
def test_a_wrong_rollback_is_refused_and_named(answer):
    function, said = answer
    result = checks.rollback(function)
    assert result.attempted and not result.ok and said in result.message


def test_a_rollback_wrong_at_any_one_case_is_never_told_that_nothing_suffers():
    for size, length in caches.CASES[1:]:

        def function(cache, end, size=size, length=length):
            if (len(cache.keys), end) != (size, length):
                return delete(cache, end)
            cache.keys.append(cache.keys[0]), cache.values.append(cache.values[0])

        message = checks.rollback(function).message
        assert "100.0%" not in message and "1 positions" not in message


def test_a_stale_cache_is_told_what_it_costs_a_draft_equal_to_its_target():
    message = checks.rollback(lambda cache, length: None).message
    assert "A draft equal to its target would be kept" in message
    assert "kept 100.0%" not in message


# Exercise 2


def by_cases(text_length, draft_length, accepted):
    if accepted == draft_length:
        return text_length + accepted, text_length + accepted - 1
    return [text_length + accepted] * 2


RIGHT_POSITIONS = {
    "formula": caches.still_true,
    "by cases, a list": by_cases,
    "what is not true is taken off": lambda n, g, k: (
        n + g - (g - k),
        n + g - 1 - max(g - 1 - k, 0),
    ),
    "numpy integers": lambda n, g, k: np.array(caches.still_true(n, g, k)),
}
WRONG_POSITIONS = {
    "draft one short of the truth": (lambda n, g, k: (n + k, n + k), "never read it"),
    "draft always whole": (lambda n, g, k: (n + k, n + g), "draft is"),
    "correction counted": (lambda n, g, k: (n + k + 1, n + k), "Nobody has read"),
    "correction counted for the draft": (lambda n, g, k: (n + k, n + k + 1), "Nobody has read"),
    "back to the start": (lambda n, g, k: (n, n), "a second time"),
    "draft too careful": (lambda n, g, k: (n + k, max(n, n + k - 1)), "a second time"),
    "target too careful": (lambda n, g, k: (n + k - 1, min(n + k, n + g - 1)), "All 7 of the old"),
    "target stale": (lambda n, g, k: (n + g, min(n + k, n + g - 1)), ""),
    "draft stale": (lambda n, g, k: (n + k, n + g - 1), ""),
    "swapped": (lambda n, g, k: caches.still_true(n, g, k)[::-1], "the order is (target, draft)"),
    "of this round alone": (lambda n, g, k: (k, min(k, g - 1)), "All 7 of the old text"),
    "one number": (lambda n, g, k: n + k, "two whole numbers"),
    "nothing": (lambda n, g, k: None, "two whole numbers"),
}


@each(RIGHT_POSITIONS)
def test_right_positions_pass(answer):
    assert checks.positions(answer).ok


@each(WRONG_POSITIONS)
def test_wrong_positions_are_refused_and_named(answer):
    function, said = answer
    result = checks.positions(function)
    assert result.attempted and not result.ok and said in result.message


class Reader:
    """A model with a cache that is trusted: it is cut where it is told to, and never compared."""

    def __init__(self, model):
        self.model, self.read, self.vocabulary = model, (), model.vocabulary

    def catch_up(self, text):
        self.read += text[len(self.read) :]

    def next_law(self, prefix):
        self.catch_up(prefix)
        return self.model.next_law(self.read)

    def score(self, prefix, tokens):
        self.catch_up(prefix + tokens)
        return self.model.score(self.read[: len(prefix)], self.read[len(prefix) :])


def accepted_of_itself(positions, seed):
    """Accepted and drafted tokens, where draft and target are one model with two caches."""
    law = np.random.default_rng(seed).dirichlet(np.ones(3), size=(9, 9))
    model = PrefixModel(lambda prefix: law[sum(prefix[-3:]), len(prefix) % 9], tuple("abc"))
    draft, target, rng, text = Reader(model), Reader(model), np.random.default_rng(seed), (0, 1)
    accepted = drafted = 0
    for length in (3, 1, 2, 4, 2, 3):
        end = len(text)
        one = speculate(target, draft, text, length, length + 1, rng).rounds[0]
        text += one.emitted
        for reader, keep in zip((target, draft), positions(end, length, one.accepted)):
            reader.read = reader.read[:keep]
        for i, token in enumerate(one.drafted[: one.accepted]):
            assert text[end + i] == token
        accepted, drafted = accepted + one.accepted, drafted + len(one.drafted)
    return accepted, drafted


@pytest.mark.parametrize("seed", range(3))
def test_with_the_right_positions_a_draft_equal_to_its_target_is_always_accepted(seed):
    assert accepted_of_itself(caches.still_true, seed) == (15, 15)


# Exercise 3


def by_hand(rate, cost, verify):
    best, best_speed = 0, 1
    for length in range(1, len(verify) - 1):
        speed = tokens_per_round(rate, length) / (length * cost + verify[length + 1])
        if speed > best_speed:
            best, best_speed = length, speed
    return best


def by_time(rate, cost, verify):
    """The least time per token; plain decoding takes 1."""
    times = [1.0]
    for length in range(1, len(verify) - 1):
        tokens = sum(rate**k for k in range(length + 1))
        times.append((verify[length + 1] + cost * length) / tokens)
    return int(np.argmin(times))


def with_slip(**slip):
    return lambda rate, cost, verify: clock.price(rate, cost, verify, **slip)


def up_to_eight(rate, cost, verify):
    """The student's list has nine entries."""
    return by_hand(rate, cost, [*verify, *[99.0] * 10][:10])


def eight_for_granted(rate, cost, verify):
    speeds = [tokens_per_round(rate, n) / (n * cost + verify[n + 1]) for n in range(1, 9)]
    return int(np.argmax([1.0, *speeds]))


def until_it_falls(rate, cost, verify):
    def speed(n):
        return tokens_per_round(rate, n) / (n * cost + verify[n + 1])

    length = 1
    while length + 2 < len(verify) and speed(length + 1) > speed(length):
        length += 1
    return length if speed(length) > 1 else 0


def fastest_speed(rate, cost, verify):
    lengths = range(1, len(verify) - 1)
    speeds = [tokens_per_round(rate, n) / (n * cost + verify[n + 1]) for n in lengths]
    return max([1.0, *speeds])


def no_bonus_row(rate, cost, verify):
    lengths = range(1, len(verify))
    speeds = [tokens_per_round(rate, n) / (n * cost + verify[n]) for n in lengths]
    return int(np.argmax([1.0, *speeds]))


RIGHT_PRICES = {"by hand": by_hand, "by time": by_time, "with floats": with_slip()}
WRONG_PRICES = {str(i): answer for i, answer in enumerate(clock.SLIPS)} | {
    "up to eight": (up_to_eight, "You try lengths up to 8"),
    "eight for granted": (eight_for_granted, "IndexError"),
    "until it falls": (until_it_falls, "Do not stop at the first fall"),
    "the last entry forgotten": (lambda *case: by_hand(*case[:2], case[2][:-1]), "last entry"),
    "drafts free": (lambda rate, cost, verify: by_hand(rate, 0, verify), "are not free"),
    "always four": (lambda rate, cost, verify: 4, ""),
    "shortest": (lambda rate, cost, verify: min(by_hand(rate, cost, verify), 1), ""),
    "most tokens": (lambda rate, cost, verify: len(verify) - 2, ""),
    "past the end": (lambda rate, cost, verify: verify[len(verify)], "IndexError"),
    "always the same speed": (lambda rate, cost, verify: 1.5, ""),
    "the speed": (fastest_speed, "Answer the draft length that is fastest"),
    "no bonus row, to the end": (no_bonus_row, "a list of k + 1 entries ends at γ = k − 1"),
    "the list unread": (
        lambda rate, cost, verify: best_draft_length(rate, cost),
        "prices the pass",
    ),
}


@each(RIGHT_PRICES)
def test_a_right_choice_passes(answer):
    assert checks.fastest_length(answer).ok


@each(WRONG_PRICES)
def test_a_wrong_choice_is_refused_and_named(answer):
    function, said = answer
    result = checks.fastest_length(function)
    assert result.attempted and not result.ok and said in result.message


def test_slips_in_the_choice_are_told_apart_by_the_cases():
    found = [[slip(*case) for case in clock.PRICES] for slip, _ in clock.SLIPS]
    assert all(found.count(answers) == 1 for answers in found)


def test_what_is_said_of_a_slip_begins_like_a_sentence():
    assert all(said[0].isupper() for _, said in clock.SLIPS)


def test_no_two_lengths_are_equally_fast_in_a_case_of_the_check():
    for rate, cost, verify in (case for case in clock.PRICES if case not in clock.TIES):
        lengths = range(1, len(verify) - 1)
        speeds = [tokens_per_round(rate, n) / (n * cost + verify[n + 1]) for n in lengths]
        first, second = sorted([1.0, *speeds])[:-3:-1]
        assert first - second > 1e-6


def test_if_every_row_costs_a_pass_no_draft_pays():
    assert {by_hand(rate, cost, clock.STEEP) for rate, cost, _ in clock.PRICES} == {0}


# Exercise 4

TRUE = (0.53, 0.21, 0.4125)


@pytest.mark.parametrize(
    "answers",
    [
        TRUE,
        (1.59 / 3, 1.8 - 1.59, 1.65 / 4),
        (Fraction(53, 100), np.float64(0.21), 0.412),
        (0.53, 0.21, 0.41),
    ],
)
def test_a_report_read_right_passes(answers):
    assert checks.report(*answers).ok


@pytest.mark.parametrize("place", range(3))
def test_each_slip_in_the_report_is_named(place):
    _, slips = list(clock.REPORT.values())[place]
    for wrong, said in slips.items():
        result = checks.report(*TRUE[:place], wrong, *TRUE[place + 1 :])
        assert not result.ok and said in result.message


@pytest.mark.parametrize(
    "answers, said",
    [
        ((0.53, 0.21, 0.36), "leaves the rest out"),
        ((0.53, 0.21, 0.55), "four draft steps, not three"),
        ((0.53, 0.21, 0.35), "in place of .06 ms"),
        ((0.53, 0.21, 0.3525), "in place of .06 ms"),
        ((0.47, 0.21, 0.41), "four draft steps, not one"),
        ((0.318, 0.21, 0.41), "3.0 tokens, not five"),
        ((530, 210, 412.5), "the unit is the millisecond"),
        ((0.00053, 0.21, 0.41), "the unit is the millisecond"),
        ((0.53, 1.27, 0.41), ".53 is a token"),
        ((0.53, 0.81, 0.41), "3.0 tokens, not four"),
        ((0.53, 0.21, 0.1375), "that is per token"),
        ((0.53, 0.21, 0.75), "the pass has to be paid"),
        ((0.53, -0.21, 0.41), "more than the accounting, not less"),
        ((".53 ms", 0.21, 0.41), "predicted is '.53 ms', which is not a number"),
    ],
)
def test_common_slips_in_the_report_are_named_as_a_student_writes_them(answers, said):
    result = checks.report(*answers)
    assert result.attempted and not result.ok and said in result.message


@pytest.mark.parametrize("wrong", [0.5, 5.3e-4, "much", None, float("nan"), -0.53])
def test_another_number_in_the_report_is_refused(wrong):
    assert not checks.report(wrong, *TRUE[1:]).ok


def test_a_report_half_read_is_not_attempted_yet():
    result = checks.report(TRUE[0], ..., ...)
    assert not result.attempted and "`rest` is not attempted yet" in result.message


# Exercise 5

RIGHT_SUSPECTS = {name: right for name, (right, _) in caches.SUFFERS.items()}


def test_the_right_suspects_pass():
    assert checks.suspects(dict(reversed(RIGHT_SUSPECTS.items()))).ok


@pytest.mark.parametrize("name", RIGHT_SUSPECTS)
def test_each_wrong_word_about_a_suspect_is_refused(name):
    for word in ("law", "acceptance", "nothing", "speed", "LAWS", 1, [1]):
        if word != RIGHT_SUSPECTS[name]:
            result = checks.suspects(RIGHT_SUSPECTS | {name: word})
            assert result.attempted and not result.ok and name in result.message


def test_capitals_in_the_words_about_suspects_do_not_matter():
    assert checks.suspects({name: f"{word.title()} " for name, word in RIGHT_SUSPECTS.items()}).ok
    assert checks.suspects({name: word.upper() for name, word in RIGHT_SUSPECTS.items()}).ok


def test_small_letters_of_the_suspects_will_do():
    assert checks.suspects({name.lower(): word for name, word in RIGHT_SUSPECTS.items()}).ok


def test_suspects_that_are_open_or_no_dict_are_told_apart():
    assert not checks.suspects({name: ... for name in "ABCDE"}).attempted
    assert not checks.suspects({"A": "acceptance"}).attempted
    assert checks.suspects("law").attempted


HEALTHY, _ = toy_pair(0.6, 0.5, 3, exact=True)


def first_three(model):
    """The model over three tokens: small enough for every coin of two rounds."""
    rows = [row[:3] / row[:3].sum() for row in model.matrix[:3]]
    return PrefixModel(lambda prefix: rows[prefix[-1] if prefix else 0], model.vocabulary[:3])


def skipping(model):
    """The model with a cache from which the last but one token is missing."""
    return PrefixModel(lambda prefix: model.next_law(prefix[:-1]), model.vocabulary)


class DrawsFromElsewhere:
    """Suspect E: draws with a stale cache, and hands over the laws of a fresh one."""

    def __init__(self, model):
        self.vocabulary, self.model, self.stale = model.vocabulary, model, skipping(model)

    def propose(self, prefix, draft_length, rng):
        tokens, _ = propose(self.stale, prefix, draft_length, rng)
        return tokens, self.model.score(prefix, tokens)[:-1]


def observed(target, draft):
    """What suffers, by every coin: the law of three tokens, or the accepted ones, or nothing."""
    healthy, prefix = first_three(HEALTHY), (1,)
    if decoder_law(target, draft, prefix, 2, 3) != sequence_law(healthy, prefix, 3):
        return "law"
    rounds = round_law(target, draft, prefix, 2)
    return "nothing" if all(one.accepted == 2 for one in rounds) else "acceptance"


def test_what_the_check_says_of_the_suspects_is_what_every_coin_says():
    healthy = first_three(HEALTHY)
    stale = skipping(healthy)
    assert observed(healthy, healthy) == caches.SUFFERS["C"][0]  # read again: the same laws
    assert observed(healthy, stale) == caches.SUFFERS["A"][0] == caches.SUFFERS["D"][0]
    assert observed(stale, healthy) == caches.SUFFERS["B"][0]
    assert observed(healthy, DrawsFromElsewhere(healthy)) == caches.SUFFERS["E"][0]
