"""Other people's signatures, wrapped as ``verify(target_laws, draft_laws, tokens, rng)``.

What they draw from is their own business: audit the result by sampling, unless it takes ``rng``.
"""

import inspect
from functools import wraps

import numpy as np

from specnotes.laws import draw_unchecked


def from_hf(function, tensor=None):
    """Wrap a function with the signature of Transformers' ``_speculative_sampling``.

    (candidate_input_ids (1, n), candidate_logits (1, k, V), candidate_length, new_logits
    (1, k+1, V), …) -> (valid_tokens (1, accepted+1), accepted).  Arguments that older releases ask
    for are filled in.  ``tensor`` makes the arrays, by default PyTorch's.
    """
    tensor = tensor or _torch_tensor()
    asked = inspect.signature(function).parameters
    older = {"is_done_candidate": False, "last_assistant_token_is_eos": False}

    @wraps(function)
    def verify(target_laws, draft_laws, tokens, rng):
        extra = {name: value for name, value in older.items() if name in asked}
        if "max_matches" in asked:
            extra["max_matches"] = len(tokens)
        valid, accepted = function(
            tensor([list(tokens)]),
            tensor(_logits(draft_laws)[None]),
            len(tokens),
            tensor(_logits(target_laws)[None]),
            **extra,
        )
        return int(accepted), int(valid[0, -1])

    return verify


def from_row_api(function, padding=-1, array=np.asarray):
    """Wrap a verifier that fills rows, as vLLM's rejection sampler does.

    (draft_token_ids (1, k), draft_probs (1, k, V), target_probs (1, k, V), bonus_token_ids (1, 1))
    -> rows (1, k+1): the accepted tokens, one more, and ``padding``.  The caller draws the bonus
    token.  A function with an argument ``rng`` gets it.
    """
    takes_rng = "rng" in inspect.signature(function).parameters

    @wraps(function)
    def verify(target_laws, draft_laws, tokens, rng):
        k = len(tokens)
        bonus = draw_unchecked(target_laws[k], rng)
        rows = function(
            array([list(tokens)]),
            array(draft_laws[None]),
            array(target_laws[None, :k]),
            array([[bonus]]),
            **({"rng": rng} if takes_rng else {}),
        )
        row = [int(token) for token in rows[0]]
        while row and row[-1] == padding:
            row.pop()
        if not row or row[:-1] != list(tokens[: len(row) - 1]):
            raise ValueError(f"row {row} is not a part of the draft {tuple(tokens)} and one token")
        return len(row) - 1, row[-1]

    return verify


def _torch_tensor():
    import torch

    return torch.tensor


def _logits(laws):
    with np.errstate(divide="ignore"):
        return np.log(np.asarray(laws, float))
