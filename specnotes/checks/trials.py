"""Checks of notebook 08 on the student's tests: one for the shared coin, and a whole battery."""

from functools import cache

import numpy as np

from specnotes.checks.card import NotAttempted, Wrong, ask, exercise
from specnotes.checks.unnamed import exhibit, quiet, shuffled, suspect
from specnotes.coins.sources import deadline

IN_FLOATS = "in logarithms", "vectorised"
SPARE = {
    "in logarithms": "It computes in floats: allow for rounding, say 1e-9",
    "vectorised": "It calls rng.random(size) and rng.choice, with floats where rng is NumPy's",
    "block verification": "It keeps more than token by token: judge the text that comes out",
    "accept if equal": "It keeps few drafted tokens. That is a price, not an error of the law",
    "draft ignored": "It keeps no drafted token. That is a price, not an error of the law",
    "one coin, rescaled": "It tosses one coin for two questions, and rescales it as it must",
    "coin from the other end": "It tosses 1 − u: its law is right, though coin for coin it differs",
    "row of the kernel": "One coin draws the token that comes out: its law is right",
    "ratio first": "It divides before it compares: its law is right",
    "recursion": "It calls itself for the rest of the block: its law is right",
}
# Right ones that no reader has met.  “Residual by rejection” is not among them: its loop has no
# end, ``decoder_law`` stops at such a one, and a battery cannot be blamed for that.
UNMET = "coin from the other end", "row of the kernel", "ratio first", "recursion"


def one_coin_at_once(target_laws, draft_laws, tokens, rng):
    """The shared coin again, vectorised."""
    from specnotes.laws import draw, residual

    rows, tokens = np.arange(len(tokens)), np.asarray(tokens)
    kept = rng.random() * draft_laws[rows, tokens] < target_laws[rows, tokens]
    if kept.all():
        return len(tokens), draw(target_laws[-1], rng)
    first = int(np.argmin(kept))
    return first, draw(residual(target_laws[first], draft_laws[first]), rng)


# Exercise 2: a test that sees the shared coin

ONE_COIN = "one coin for the whole block"


class _Watched:
    """A right verifier that notes what it was asked."""

    def __init__(self):
        self.lengths, self.chance = set(), False

    def __call__(self, target_laws, draft_laws, tokens, rng):
        from specnotes.verify import verify_block

        self.lengths.add(len(tokens))
        kept = [p[x] < q[x] for p, q, x in zip(target_laws, draft_laws, tokens)]
        self.chance |= len(tokens) > 1 and kept[0] and kept[1]
        return verify_block(target_laws, draft_laws, tokens, rng)


@exercise("a test for the shared coin", outside=True)
def shared_coin_test(test):
    """test(verify) -> True if it catches ``verify``: the shared coin, and nothing that is right."""
    from specnotes.audit.line_up import verifiers

    right = {e.name: verify for e, verify in verifiers().values() if e.innocent}
    right |= {name: _unmet()[name][1] for name in UNMET}
    guilty = {ONE_COIN: exhibit(ONE_COIN).function, "the same at once": one_coin_at_once}
    guilty |= {f"{name}, once more": verify for name, verify in guilty.items()}  # against luck
    both = right | guilty
    said = {name: _said(test, name, both[name], name in right) for name in shuffled(both)}
    missed = [name for name in guilty if not said[name]]
    accused = [name for name in right if said[name]]
    if missed and len(accused) == len(right):
        raise Wrong("the answer is the wrong way round: True means that the test objects")
    if missed:
        raise Wrong(_blind_because(test))
    if accused:
        raise Wrong(_unjust(accused, len(right)))
    return f"it catches the coin, written in two ways, and spares {len(right)} right verifiers"


def _said(test, name, verify, is_right):
    at = f"a right verifier, “{name}”" if is_right else ONE_COIN
    unnamed, record = suspect(verify)
    answer = ask(test, unnamed, at=at)
    if not _is_verdict(answer):
        raise Wrong(f"return True (caught) or False; yours is {answer!r}")
    if not record.calls:
        raise Wrong(f"it never runs the verifier, and says {bool(answer)}")
    return bool(answer)


def _is_verdict(answer):
    return isinstance(answer, (bool, np.bool_)) or (isinstance(answer, int) and answer in (0, 1))


def _blind_because(test):
    watched = _Watched()
    ask(test, watched)
    if max(watched.lengths, default=0) < 2:
        why = "it hands over one drafted token at a time, and one token has one coin anyway"
    elif not watched.chance:
        why = "in no block of yours can both tokens be rejected, so a second coin decides nothing"
    else:
        why = "look at the law of two tokens together; each of them alone may be right"
    return f"the verifier with one coin passes: {why}"


def _unjust(accused, right):
    """Why right verifiers may be accused."""
    if len(accused) == right:
        return "it accuses every right verifier: what it objects to is no mistake"
    name = _telling(accused)
    return f"it accuses a right verifier, “{name}”. {SPARE[name]}"


def _telling(accused):
    """Of the names of right verifiers one that tells why: rounding only if it is nothing else."""
    return next((name for name in accused if name not in IN_FLOATS), accused[0])


# Exercise 4: the battery

ENOUGH = 14  # of the wrong ones; and none of the right ones may be accused
PATIENCE = 20  # seconds for one verifier
LOOK = {  # where what an exhibit needs is not enough
    "coin used again for the residual": "one token, of laws that owe two tokens or more",
    "block verification, unscaled residual": "joint law of two drafted tokens, of laws that owe "
    "two tokens and have p/q not far below 1, such as an even target",
}


@exercise("test battery", outside=True)
def battery(would_ship):
    """would_ship(verify) -> True or False, for all verifiers of the line-up and some others."""
    from specnotes.audit.line_up import is_lawful, verifiers

    met = verifiers()
    everybody = met | _unmet()
    ships, errors = {}, {}
    for key in shuffled(everybody):
        ships[key] = _ships(would_ship, key, everybody[key][1], errors)
        if len(ships) == 1:
            print(f"… it is tried on {len(everybody)} verifiers, one by one", flush=True)
    _judge_all(ships, errors)
    lawful = {key: is_lawful(e) for key, (e, _) in everybody.items()}
    missed = [everybody[key][0] for key in met if ships[key] and not lawful[key]]
    accused = [key for key in met if lawful[key] and not ships[key]]
    right = sum(lawful[key] for key in met)
    wrong = len(met) - right
    score = f"kills {wrong - len(missed)} of {wrong}, spares {right - len(accused)} of {right}"
    if len(accused) == right and not errors:
        turned = ". Is it the wrong way round? True means ship it" * (len(missed) > wrong / 2)
        raise Wrong(f"{score}: what it objects to is no mistake{turned}")
    if accused:
        raise Wrong(f"{score}: {_accusation(accused, everybody, errors)}")
    letters = {e.name: key for key, (e, _) in met.items()}
    slips = ", ".join(f"{letters[e.name]} (look at: {LOOK.get(e.name, e.needs)})" for e in missed)
    if len(missed) > wrong - ENOUGH:
        raise Wrong(f"{score}; {ENOUGH} are wanted. It misses {slips}")
    others = _unseen(ships, lawful, met, errors, everybody)
    return f"{score}: misses {slips}; {others}" if missed else f"{score}; {others}"


def _judge_all(ships, errors):
    """Batteries that tell nothing apart."""
    if len(errors) == len(ships):
        raise Wrong(f"it raised {next(iter(errors.values()))}, whatever the verifier")
    if not any(ships.values()):
        raise Wrong("it ships none, right or wrong: it tells nothing apart")


def _accusation(accused, everybody, errors):
    names = {everybody[key][0].name: key for key in accused}
    name = _telling(list(names))
    if names[name] in errors:
        return f"it raised {errors[names[name]]} on {names[name]}, “{name}”, which is right"
    return f"it would not ship {names[name]}, “{name}”, which is right. {SPARE[name]}"


def _ships(would_ship, key, verify, errors):
    """The battery's verdict; an exception is a red test, too."""
    unnamed, record = suspect(verify)
    late = Wrong(f"more than {PATIENCE} s for verifier {key} alone")
    answer = False
    try:
        with deadline(PATIENCE, lambda _: late), quiet():
            answer = would_ship(unnamed)
    except Wrong:
        raise
    except NotImplementedError:
        raise NotAttempted from None
    except Exception as error:
        errors[key] = f"{type(error).__name__}: {error}"
    if answer is ...:
        raise NotAttempted
    if record.audited:
        raise Wrong("audit_verifier is our battery; write your own")
    if not _is_verdict(answer):
        raise Wrong(f"return True (ship it) or False; yours is {answer!r}")
    if not record.calls:
        said = f"it raised {errors[key]} before that" if key in errors else f"it says {answer}"
        raise Wrong(f"it never runs the verifier: {said}")
    return bool(answer)


@cache
def _unmet():
    """name -> (exhibit, verify): verifiers that are not in the line-up, right ones and wrong."""
    from specnotes.audit.line_up import NAMES, is_lawful
    from specnotes.audit.matrix import as_verifier
    from specnotes.broken import MUSEUM
    from specnotes.broken.exhibit import BLOCK, TOKEN

    others = [e for e in MUSEUM if e.kind in (TOKEN, BLOCK) and e.name not in NAMES]
    wrong = [e for e in others if not is_lawful(e)][::4]  # some, not to keep the reader waiting
    return {e.name: (e, as_verifier(e)) for e in wrong + [e for e in others if e.name in UNMET]}


def _unseen(ships, lawful, met, errors, everybody):
    """How it does on verifiers that are not in the line-up."""
    others = [key for key in ships if key not in met]
    right = [key for key in UNMET if key in others]
    accused = [key for key in right if not ships[key]]
    killed = sum(not ships[key] and not lawful[key] for key in others)
    if accused:
        said = _accusation(accused, everybody, errors)
        raise Wrong(f"right on those that you know, but of those that you have not met {said}")
    return (
        f"of {len(others) - len(right)} wrong verifiers that you have not met it kills {killed}, "
        f"and spares {len(right)} right ones"
    )
