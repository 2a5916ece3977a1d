"""What notebook 07 builds by hand gives the package's laws on the nasty cases; its claims hold."""

import re
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from test_handbuilt_02_03 import built

from specnotes import transforms
from specnotes.audit.cases import PAIRS, law
from specnotes.coins import law_of
from specnotes.exact import decoder_law, distance, sequence_law
from specnotes.laws import accept_prob, overlap, total_variation
from specnotes.models import MarkovModel, transformed
from specnotes.verify import emitted_law, token_kernel
from specnotes.widgets.two_sides import DRAFT, RAW_DRAFT, RAW_TARGET, READINGS, TARGET, two_sides

HALF = Fraction(1, 2)
each_pair = pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
CELLS = (
    *("setup", "top-k", "ex1-temperature", "ex2-top-p", "import", "order", "delivered"),
    *("ex4-round", "rising", "texts", "penalty", "ex5-rows"),
)


@pytest.fixture(scope="module")
def notebook():
    return built("07_sampling_transforms", *CELLS)


# By hand


@each_pair
def test_top_k_by_hand_is_the_packages(notebook, pair):
    for x in pair:
        for k in (1, 2, 3, 9):
            assert (notebook["my_top_k"](x, k) == transforms.top_k(x, k)).all()


@each_pair
def test_temperature_by_hand_is_the_packages(notebook, pair):
    for x in pair:
        for t in (HALF, Fraction(1, 3), Fraction(1)):
            assert (notebook["my_temperature"](x, t) == transforms.temperature(x, t)).all()
        by_hand, packages = notebook["my_temperature"](x, 1.7), transforms.temperature(x, 1.7)
        assert total_variation(by_hand, packages) < 1e-14


@each_pair
def test_top_p_by_hand_is_the_packages(notebook, pair):
    for x in pair:
        for mass in (Fraction(1, 5), HALF, Fraction(3, 5), Fraction(5, 6), Fraction(1)):
            assert (notebook["my_top_p"](x, mass) == transforms.top_p(x, mass)).all()


@each_pair
def test_delivered_is_the_emitted_law_when_the_draft_is_read_as_drawn(notebook, pair):
    target, draft = pair
    output, accepted = notebook["delivered"](draft, target, draft)
    assert (output == emitted_law(target, draft)).all() and (output == target).all()
    assert accepted == overlap(target, draft)


@each_pair
@pytest.mark.parametrize("step", [transforms.greedy, partial(transforms.temperature, t=HALF)])
def test_the_round_with_settings_delivers_its_target_on_every_coin(notebook, pair, step):
    target, draft = pair
    found = law_of(lambda rng: notebook["settings_round"](target, draft, step, lambda x: x, rng)[0])
    assert [found.get(x, 0) for x in range(len(target))] == list(step(target))


@each_pair
def test_penalised_rows_are_the_scores_of_the_transformed_model(notebook, pair):
    model = MarkovModel([pair[i % 2] for i in range(len(pair[0]))], pair[0])
    step, last = notebook["less_often"], len(pair[0]) - 1
    for prefix, tokens in (((), (0,)), ((0,), (0, last)), ((last, 0), (last, last, 0))):
        rows = notebook["penalised_rows"](model.score(prefix, tokens), prefix, tokens, step)
        assert (rows == transformed(model, step).score(prefix, tokens)).all()


# What the text says


def test_the_two_orders_differ_as_printed(notebook):
    p, sharpen, nucleus = (notebook[name] for name in ("p", "sharpen", "nucleus"))
    first, last = transforms.compose(sharpen, nucleus), transforms.compose(nucleus, sharpen)
    assert list(first(p)) == [1, 0, 0] and (last(p) == law(25, 9, 0)).all()


@each_pair
def test_temperature_and_top_k_commute(pair):
    for x in pair:
        for k in (1, 2, 3):
            one = transforms.temperature(transforms.top_k(x, k), HALF)
            assert (one == transforms.top_k(transforms.temperature(x, HALF), k)).all()


def test_the_top_k_draft_read_raw_accepts_all_and_is_off_by_ten_ninety_firsts(notebook):
    wanted, drawn, raw = notebook["top_two"](law(4, 3, 2, 1)), law(6, 7, 0, 0), law(6, 7, 4, 3)
    output, accepted = notebook["delivered"](drawn, wanted, raw)
    assert accepted == 1 and (output == drawn).all()
    assert total_variation(output, wanted) == Fraction(10, 91)
    assert overlap(wanted, drawn) == Fraction(81, 91)


@each_pair
def test_a_filter_reported_raw_never_accepts_less_and_is_wrong_where_it_accepts_more(pair):
    for k in (1, 2, 3):
        wanted, drawn = (transforms.top_k(x, k) for x in pair)
        accepted = drawn @ accept_prob(wanted, pair[1])
        honest = overlap(wanted, drawn)
        assert accepted >= honest
        output = drawn @ token_kernel(wanted, pair[1])
        assert accepted == honest or total_variation(output, wanted) > 0


def test_the_filtered_draft_with_a_raw_target_delivers_the_raw_target(notebook):
    raw, drawn = law(10, 6, 3, 1), law(1, 1, 1, 0)
    output, _ = notebook["delivered"](drawn, raw, drawn)
    assert (output == raw).all()
    wanted = transforms.top_p(raw, Fraction(7, 10))
    assert total_variation(output, wanted) == Fraction(1, 5)


def test_the_temperatures_on_one_side_are_off_as_printed(notebook):
    p, q = law(5, 3, 2), law(2, 3, 5)
    hot_p, hot_q = (transforms.temperature(x, HALF) for x in (p, q))
    settings = {
        (Fraction(0), Fraction(103, 190)): (q, hot_p, q),
        (Fraction(18, 361), Fraction(311, 722)): (hot_q, hot_p, q),
        (Fraction(6, 95), Fraction(29, 50)): (q, hot_p, hot_q),
        (Fraction(3, 19), Fraction(103, 190)): (hot_q, p, hot_q),
    }
    for printed, laws in settings.items():
        output, accepted = notebook["delivered"](*laws)
        assert (total_variation(output, hot_p), accepted) == printed


def test_the_stale_penalty_shows_in_pairs_only(notebook):
    large, small = (MarkovModel([x] * 3, x) for x in (law(5, 3, 2), law(2, 3, 5)))
    step = notebook["less_often"]
    target, draft = transformed(large, step), transformed(small, step)
    off = [
        distance(
            decoder_law(notebook["Stale"](large, step), draft, (0,), 1, n_tokens),
            sequence_law(target, (0,), n_tokens),
        )
        for n_tokens in (1, 2)
    ]
    assert off == [0, Fraction(331, 2295)]


# The widget


def reading(name, **settings):
    """Overlap, acceptance and distance, in percent, as the tiles of the widget say them."""
    sheet = two_sides()
    for control, value in settings.items():
        sheet.controls[control].value = value
    sheet.controls["reading"].value = name
    words = re.sub(r"<[^>]+>", " ", sheet.figures["tiles"].value)
    return tuple(float(number) for number in re.findall(r"([\d.]+) %", words))


SETTINGS = dict(target_t=0.6, target_mass=80, draft_t=1.4, draft_mass=75)


def test_as_sampled_the_output_is_exact_whatever_the_settings():
    for t in (0.1, 0.6, 2.0):
        for mass in (5, 60, 100):
            most, accepted, off = reading(
                READINGS[0], **(SETTINGS | dict(draft_t=t, draft_mass=mass))
            )
            assert off == 0 and accepted == most


def test_the_widget_tells_the_story_of_top_two():
    assert (TARGET, DRAFT) == ((8, 6, 4, 2), (6, 7, 4, 3))
    assert reading(RAW_DRAFT) == (89.0, 100.0, 10.99)


def test_reading_the_raw_target_is_harmless_only_without_target_settings():
    assert reading(RAW_TARGET, target_mass=100, draft_t=0.5)[2] == 0
    assert reading(RAW_TARGET, target_mass=100, target_t=0.5)[2] > 0


def test_a_wrong_decoder_accepts_less_where_the_text_says_so():
    assert reading(RAW_TARGET)[:2] == (89.0, 70.0)
    assert reading(RAW_DRAFT, target_mass=75, draft_t=1.5, draft_mass=100)[:2] == (82.0, 80.5)
    assert reading(RAW_DRAFT, draft_t=0.5)[1] == 100  # a colder draft is accepted whole


def test_what_each_reading_delivers_is_what_the_kernel_says():
    rows = {name: reading(name, **SETTINGS)[2] for name in READINGS}
    raw = [np.array(weights) / sum(weights) for weights in (TARGET, DRAFT)]
    wanted = transforms.top_p(transforms.temperature(raw[0], 0.6), 0.8)
    drawn = transforms.top_p(transforms.temperature(raw[1], 1.4), 0.75)
    pairs = {
        name: (p, q)
        for name, p, q in zip(
            READINGS, (wanted, wanted, raw[0], raw[0]), (drawn, raw[1], drawn, raw[1])
        )
    }
    for name, (p, q) in pairs.items():
        kept = np.array([min(1, a / b) if b else float(a > 0) for a, b in zip(p, q)])
        owed = np.maximum(p - q, 0)
        output = drawn * kept + (drawn * (1 - kept)).sum() * (
            owed / owed.sum() if owed.any() else p
        )
        assert rows[name] == pytest.approx(100 * abs(output - wanted).sum() / 2, abs=0.006)
