"""The audits: one token, one block, a whole decoder, a scout, a pair of models."""

from dataclasses import replace

import numpy as np

from specnotes.audit.report import UNCLEAR
from specnotes.audit.run import audit
from specnotes.audit.sample import audit_by_sampling
from specnotes.audit.tasks import block_task, decoder_task, draft_task, model_task, token_task

ENDLESS = ("more than", "still running")  # how coins name a loop that does not end


def audit_token(verify_token, method="auto", toys=None, tolerance=0, **sampling):
    """Audit ``verify_token(target, draft, token, rng)`` -> (token, accepted).

    It runs on every coin.  Code whose coins cannot be followed is sampled: at once with
    ``method="sample"`` and ``rng=``, never with ``method="exact"``.  ``false_alarm=``, ``detect=``
    and ``power=`` are those of ``sample.audit_by_sampling``; ``toys`` replaces the settings tried.
    ``tolerance`` is what rounding may cost the law of code that computes in floats, 1e-6 in single
    precision; by default 1e-12, and 1e-6 if single precision meets a coin.
    """
    return audit_task(token_task(verify_token), method, toys, tolerance, **sampling)


def audit_verifier(verify, method="auto", toys=None, tolerance=0, **sampling):
    """Audit ``verify(target_laws, draft_laws, tokens, rng)`` -> (accepted, token).

    It is judged on the tokens that it emits, completed by the target, so that verifiers which look
    at the whole block are right if they are.  For the other arguments see ``audit_token``.
    """
    return audit_task(block_task(verify), method, toys, tolerance, **sampling)


def audit_decoder(speculate, method="auto", toys=None, tolerance=0, **sampling):
    """Audit ``speculate(target, draft, prefix, draft_length, n_tokens, rng, stop=None)``.

    It returns a ``Trace`` or the tokens alone; only a trace shows how many passes it needed.  For
    the other arguments see ``audit_token``.
    """
    return audit_task(decoder_task(speculate), method, toys, tolerance, **sampling)


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


def audit_task(task, method="auto", toys=None, tolerance=0, **sampling):
    """Audit what a ``Task`` runs: exactly, by sampling, or exactly if its coins can be followed."""
    if not 0 <= tolerance < 1 or (tolerance and method == "sample"):
        raise ValueError(f"tolerance is {tolerance!r}: from 0 to 1, and samples have none")
    if method == "sample":
        if "rng" not in sampling:
            raise ValueError('method="sample" needs rng=, a NumPy Generator')
        return audit_by_sampling(task, task.sample_toys if toys is None else toys, **sampling)
    if method not in ("auto", "exact") or (method == "exact" and sampling):
        raise ValueError(f"method is {method!r} with {sampling or 'no settings'}: exact or sample?")
    chosen = task if toys is None else replace(task, toys=list(toys), edge_toys=[])
    report = audit(chosen, tolerance=tolerance)
    if method == "auto" and report.kinds == {UNCLEAR} and can_be_sampled(report, task):
        return sampled_instead(report, task, toys, **sampling)
    return report


def can_be_sampled(report, task):
    """Coins that cannot be followed can be tossed; a loop without end cannot."""
    endless = any(finding.message.startswith(ENDLESS) for finding in report.findings)
    return bool(task.sample_toys) and not endless


def sampled_instead(report, task, toys=None, **sampling):
    """The report by sampling, with a note why."""
    sampling = {"rng": np.random.default_rng(0), "detect": 0.05} | sampling
    toys = task.sample_toys if toys is None else toys
    why = f"sampled, because its coins cannot be followed: {report.findings[0].message}"
    return replace(audit_by_sampling(task, toys, **sampling), notes=(why,))
