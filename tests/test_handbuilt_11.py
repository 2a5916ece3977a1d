"""What notebook 11 builds by hand agrees with the package, and with what its text says."""

import time

import numpy as np
import pytest
from test_handbuilt_02_03 import built
from test_tiny import SMALL, TEXT

from specnotes import checks
from specnotes.broken import MUSEUM
from specnotes.checks import caches
from specnotes.coins import law_of
from specnotes.decode import sample
from specnotes.models import PrefixModel, toy_pair
from specnotes.tiny.transformer import Transformer
from specnotes.verify import verify_block
from specnotes.yields import tokens_per_round

MADE = "toy", "toy-cache", "stale", "chi-square-verifier", "stopwatch"
CELLS = "setup", *MADE, "ex1", "ex2", "ex3", "ex4", "ex5"


@pytest.fixture(scope="module")
def notebook():
    return built("11_wall_clock", *CELLS, tokens_per_round=tokens_per_round)


def test_the_toy_with_its_cache_has_the_law_of_the_toy_without(notebook):
    for text in ((0,), (1, 1), (0, 1, 2), (2, 0, 2, 1, 1, 0)):
        cache = notebook["ToyCache"]()
        for token in text:
            law = notebook["cached_law"](cache, token)
        assert law == pytest.approx(notebook["fresh_law"](text), abs=1e-12)
        assert len(cache.keys) == len(cache.values) == len(text)


def test_the_toy_rolled_back_goes_on_as_if_it_had_never_read_more(notebook):
    cache = notebook["ToyCache"]()
    for token in (0, 1, 2, 2):
        notebook["cached_law"](cache, token)
    notebook["rollback"](cache, 2)
    law = notebook["cached_law"](cache, 0)
    assert law == pytest.approx(notebook["fresh_law"]((0, 1, 0)), abs=1e-12)


def test_without_the_roll_back_the_toy_has_another_law(notebook):
    stale = notebook["cached_law"], notebook["ToyCache"]()
    laws = [stale[0](stale[1], token) for token in (0, 1, 2, 0)]
    assert abs(laws[-1] - notebook["fresh_law"]((0, 1, 0))).max() > 0.01


def test_the_toy_cache_is_the_one_that_the_check_hands_out(notebook):
    ours, theirs = notebook["ToyCache"](), caches.ToyCache()
    ours.read(1, 2), theirs.read(1, 2)
    assert vars(ours) == vars(theirs)


def test_the_notebooks_solutions_pass_their_checks(notebook):
    assert checks.rollback(notebook["rollback"]).ok
    assert checks.positions(notebook["still_true"]).ok
    assert checks.fastest_length(notebook["my_fastest"]).ok
    assert checks.suspects(notebook["suffers"]).ok
    names = ("predicted_ms", "rest_ms", "slowest_step_ms")
    assert checks.report(*(notebook[name] for name in names)).ok


def test_the_wrong_fallback_over_a_block_is_the_museums_token_by_token(notebook):
    target, draft = (model.matrix for model in toy_pair(0.5, 0.5, 3, exact=True))
    exhibit = next(one.function for one in MUSEUM if one.name == "wrong fallback")
    for token in range(3):
        rows, one = np.stack([target[1], target[token]]), [draft[1]]
        block = law_of(lambda rng: notebook["wrong_fallback"](rows, one, (token,), rng))
        by_token = law_of(lambda rng: exhibit(target[1], draft[1], token, rng))
        refused = {t: mass for (t, kept), mass in by_token.items() if not kept}
        assert {t: mass for (k, t), mass in block.items() if k == 0} == refused
        right = law_of(lambda rng: verify_block(rows, one, (token,), rng))
        assert sum(m for (k, _), m in block.items() if k) == sum(
            m for (k, _), m in right.items() if k
        )


def test_the_stopwatch_changes_nothing_and_adds_up(notebook):
    def rule(prefix):
        time.sleep(0.002)
        return np.array([0.5, 0.5])

    model = PrefixModel(rule, ("a", "b"))  # it remembers its laws: another one for the stopwatch
    timed = notebook["Timed"](PrefixModel(rule, ("a", "b")))
    plain = [sample(m, (), 5, np.random.default_rng(1)) for m in (model, timed)]
    assert plain[0] == plain[1]
    assert timed.seconds >= 5 * 0.002
    assert (timed.score((), (0, 1)) == model.score((), (0, 1))).all()


@pytest.fixture
def in_a_page(capsys):
    """The cells that measure, as they run where Python is compiled for the browser."""
    said, text = [], TEXT * 2
    small_ones = {name: Transformer(SMALL) for name in ("6-gram", "one layer", "early exit")}
    names = {"text": text, "prompts": {"code": text, "prose": text}, "drafts": small_ones}
    names |= {"IN_BROWSER": True, "Markdown": str, "display": said.append, "said_all": said}
    cells = "calibrate", "calibrate-says", "race", "race-says"
    made = built("11_wall_clock", *cells, target=Transformer(SMALL), **names)
    return made | {"printed": capsys.readouterr().out.splitlines()}


def test_in_the_browser_time_is_virtual_and_passes_saved_are_counted(in_a_page):
    free = in_a_page["results"]["6-gram", 3]
    assert in_a_page["pass_cost"][1:] == [1.0] * 9
    assert in_a_page["costs"] == {"6-gram": 0.02, "one layer": 0.08, "early exit": 0.3}
    assert in_a_page["predicted"]("6-gram", 3) == pytest.approx(4 / (3 * 0.02 + 1))
    assert free.tokens_per_pass == 4  # a draft that is its target: nothing is refused


def test_in_the_browser_no_sentence_tells_a_measured_speed_up(in_a_page):
    rows = [line for line in in_a_page["printed"] if line.startswith("6-gram ")]
    assert len(rows) == 3 and all(row.endswith("–") and "%" in row for row in rows)
    of_rows, of_race = in_a_page["said_all"]
    assert f"**{in_a_page['six_rows']:.2f}**" in of_rows and "virtual" in of_rows
    assert "passes saved" in of_race and "pays" not in of_race
