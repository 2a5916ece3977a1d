"""What notebook 01 builds by hand gives the package's laws on the whole table of nasty cases."""

import numpy as np
import pytest
from build_notebooks import complete_code, read_source
from conftest import ROOT

from specnotes import laws, verify
from specnotes.audit.cases import PAIRS
from specnotes.coins import law_of

BUILT = {"accept-prob": "accept_prob", "ex1": "residual", "ex2": "verify_token"}
each_pair = pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)


@pytest.fixture(scope="module")
def built():
    """The functions of the notebook's cells, each beside what the notebook had by then."""
    cells = {c.id: c.source for c in read_source(ROOT / "notebooks/src/01_one_token_proof.py")}
    names = {"np": np, "draw": laws.draw, "p": PAIRS["base"][0], "q": PAIRS["base"][1]}
    for cell in (*BUILT, "token-kernel"):
        exec(complete_code(cells[cell]), names)
    functions = {name: names[name] for name in (*BUILT.values(), "token_kernel")}
    assert all(f.__code__.co_filename == "<string>" for f in functions.values())
    return functions


@each_pair
def test_accept_prob_is_the_packages(built, pair):
    assert (built["accept_prob"](*pair) == laws.accept_prob(*pair)).all()


@each_pair
def test_residual_is_the_packages(built, pair):
    assert (built["residual"](*pair) == laws.residual(*pair)).all()


@each_pair
def test_token_kernel_is_the_packages(built, pair):
    assert (built["token_kernel"](*pair) == verify.token_kernel(*pair)).all()


@each_pair
def test_verify_token_has_the_packages_law_for_every_drafted_token(built, pair):
    target, draft = pair
    for token in np.flatnonzero(draft):
        by_hand, packaged = (
            law_of(lambda rng, f=function, y=int(token): f(target, draft, y, rng))
            for function in (built["verify_token"], verify.verify_token)
        )
        assert by_hand == packaged


@each_pair
def test_what_the_hand_built_verifier_emits_is_the_target(built, pair):
    target, draft = pair
    law = law_of(lambda rng: built["verify_token"](*pair, laws.draw(draft, rng), rng)[0])
    assert [law.get(token, 0) for token in range(len(target))] == list(target)
