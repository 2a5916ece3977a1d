"""The audits: one token, one block, a whole decoder, a scout, a pair of models."""

from dataclasses import replace

from specnotes.audit.run import audit
from specnotes.audit.sample import audit_by_sampling
from specnotes.audit.tasks import block_task, decoder_task, draft_task, model_task, token_task


def audit_token(verify_token, method="exact", toys=None, **sampling):
    """Audit ``verify_token(target, draft, token, rng)`` -> (token, accepted).

    ``method="exact"`` runs it on every coin.  ``method="sample"`` is for code whose coins cannot be
    enumerated; it needs ``rng=`` and takes ``false_alarm=``, ``detect=`` and ``power=`` (see
    ``sample.audit_by_sampling``).  ``toys`` replaces the settings that are tried.
    """
    return audit_task(token_task(verify_token), method, toys, **sampling)


def audit_verifier(verify, method="exact", toys=None, **sampling):
    """Audit ``verify(target_laws, draft_laws, tokens, rng)`` -> (accepted, token).

    It is judged on the tokens that it emits, completed by the target, so that verifiers which look
    at the whole block are right if they are.  For the other arguments see ``audit_token``.
    """
    return audit_task(block_task(verify), method, toys, **sampling)


def audit_decoder(speculate, method="exact", toys=None, **sampling):
    """Audit ``speculate(target, draft, prefix, draft_length, n_tokens, rng, stop=None)``.

    It returns a ``Trace`` or the tokens alone; only a trace shows how many passes it needed.  For
    the other arguments see ``audit_token``.
    """
    return audit_task(decoder_task(speculate), method, toys, **sampling)


def audit_draft(propose):
    """Audit a scout ``propose(model, prefix, draft_length, rng)`` -> (tokens, laws).

    The right verifier runs on what it proposes: the laws must be those the tokens came from.
    """
    return audit(draft_task(propose))


def audit_models(prepare):
    """Audit ``prepare(target, draft, step)`` -> (target, draft) as decoding will see them.

    ``step`` is what the target's law should go through, such as a temperature; the right decoder
    runs on the two models (the second may be a scout).
    """
    return audit(model_task(prepare))


def audit_task(task, method="exact", toys=None, **sampling):
    """Audit what a ``Task`` runs, exactly or by sampling."""
    if method == "exact" and not sampling:
        return audit(task if toys is None else replace(task, toys=list(toys), edge_toys=[]))
    if method != "sample":
        raise ValueError(f"method is {method!r} with {sampling or 'no settings'}: exact or sample?")
    if "rng" not in sampling:
        raise ValueError('method="sample" needs rng=, a NumPy Generator')
    return audit_by_sampling(task, task.sample_toys if toys is None else toys, **sampling)
