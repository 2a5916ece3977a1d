"""The course's own audit passes, is long enough, and each of its checks can fail."""

import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from specnotes import decode, exact, laws, models, verify, yields
from specnotes.audit import grid, selfcheck
from specnotes.audit.selfcheck import CHECKS, self_audit


def test_every_check_holds_and_there_are_at_least_twenty():
    rows = self_audit()
    assert len(rows) >= 20
    assert [row for row in rows if not row.ok] == []


def test_the_grid_covers_1296_settings():
    assert grid.audit_grid().settings == 1296


def run_audit(before=""):
    code = f"import sys, runpy\n{before}\nsys.argv[1:] = ['audit']\n"
    code += "runpy.run_module('specnotes', run_name='__main__')"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)


def test_the_command_prints_the_table_and_exits_0():
    done = run_audit()
    assert done.returncode == 0 and not done.stderr
    assert all(name in done.stdout for name, _ in CHECKS)
    assert "1,296 settings" in done.stdout


def test_with_the_wrong_fallback_planted_the_command_exits_1_and_names_the_check():
    plant = "import specnotes.verify as v; v.residual_unchecked = lambda target, draft: target"
    done = run_audit(plant)
    assert done.returncode == 1
    assert "FAILED: one token, by enumeration: the target's law" in done.stdout
    assert "FAILED: exact joint law of blocks" in done.stdout


def fallback_target(target, draft):
    return target


def always_below(law, rng):
    rng.random()
    return int(np.argmax(law))


def modifies(target, draft, token, rng, honest=verify.verify_token):
    result = honest(target, draft, token, rng)
    target[...] = draft
    return result


def no_cut(whole, room, stop):
    return whole


def no_stop(whole, room, stop, honest=decode.cut_round):
    return honest(whole, room, None)


def never_bonus(target_laws, draft_laws, tokens, rng, honest=verify.verify_block):
    return verify.Verdict(honest(target_laws, draft_laws, tokens, rng).accepted, 0)


def unchecked(law, name="law"):
    return np.asarray(law)


def frugal(target, draft):
    return laws.accept_prob(target, draft) / 2


def unseeded(target, draft, prefix, length, n, rng, honest=decode.speculate):
    return honest(target, draft, prefix, length, n, np.random.default_rng())


def forgets_a_pass(*args, honest=decode.speculate):
    trace = honest(*args)
    return decode.Trace(trace.tokens, trace.rounds[1:], trace.target_passes, trace.draft_passes)


def half(*args):
    return Fraction(1, 2)


def plain_uniform(target, draft):
    return np.full(len(target), Fraction(1, len(target)))


def rounds_off(weight, exact, honest=models._toy_model):
    model = honest(weight, exact)
    return model if not exact else models.MarkovModel(np.roll(model.matrix, 1, 0), model.initial)


def unnormalised(rows, exact):
    class Odd:
        matrix = np.full((8, 8), 1)
        initial = np.full(8, 1)

    return Odd()


def constant_length(rate, cost, longest=64):
    return 3


def shifted_law(rate, length, honest=yields.tokens_law):
    return honest(rate, length)[..., ::-1]


PLANTS = [
    ("bad laws are refused", laws, "check_law", unchecked),
    ("bad rates, lengths and costs are refused", yields, "speedup", half),
    ("bad lab settings are refused", selfcheck, "toy_pair", half),
    ("toy models: every row sums to one", models, "_toy_model", unnormalised),
    ("toy models: floats are the exact laws, rounded", models, "_toy_model", rounds_off),
    ("toy models: match 1 is the target itself", models, "_thousandths", lambda *_: 600),
    ("residual is a law", laws, "residual", lambda target, draft: target - draft),
    ("residual mass is what the draft left over", laws, "residual", fallback_target),
    ("residual of equal laws is the target", laws, "residual", plain_uniform),
    ("α = 1 − TV", laws, "overlap", half),
    ("token kernel: every row is a law", verify, "token_kernel", lambda t, d: np.outer(t, d)),
    ("one token, by formula: the target's law", verify, "residual_unchecked", fallback_target),
    ("one token, by enumeration: the target's law", verify, "residual_unchecked", fallback_target),
    ("one token: kept with chance min(p, q), the most possible", laws, "draw", always_below),
    ("control: the wrong fallback is seen", verify, "emitted_law", lambda t, d, fallback: t),
    ("exact joint law of blocks", verify, "residual_unchecked", fallback_target),
    ("bonus token follows the last accepted one", selfcheck, "round_law", None),
    ("stop token ends the sequence inside a block", exact, "cut_round", no_stop),
    ("a cut inside a block keeps the law", exact, "cut_round", no_cut),
    ("greedy models: greedy decoding", selfcheck, "greedy", lambda law: law),
    ("tokens per round: enumeration gives the geometric law", yields, "tokens_law", shifted_law),
    ("tokens per round: the formula is the mean of that law", yields, "tokens_law", shifted_law),
    ("best draft length: no other is faster", yields, "best_draft_length", constant_length),
    ("same seed, same trace", decode, "speculate", unseeded),
    ("ledger: rounds, passes and tokens balance", decode, "speculate", forgets_a_pass),
    ("inputs are left alone", verify, "verify_token", modifies),
    ("simulation agrees with the Markov yield", yields, "markov_tokens_per_round", half),
    ("grid of lab settings: laws, speed-ups, lengths", grid, "emitted_law", lambda t, d: d),
]


@pytest.mark.parametrize("name, module, attribute, wrong", PLANTS, ids=[p[0] for p in PLANTS])
def test_each_check_fails_when_its_claim_is_broken(name, module, attribute, wrong, monkeypatch):
    if wrong is None:  # the same rounds, with the bonus token drawn without looking

        def wrong(*args, honest=exact.round_law):
            return honest(*args, verify=never_bonus)

    monkeypatch.setattr(module, attribute, wrong)
    try:
        ok, _ = dict(CHECKS)[name]()
    except Exception:
        ok = False
    assert not ok


def test_every_check_has_a_plant():
    assert {plant[0] for plant in PLANTS} == {name for name, _ in CHECKS}
