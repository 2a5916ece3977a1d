"""``python -m specnotes audit TARGET``: audit a stranger's function from the command line."""

import json
import sys
from contextlib import redirect_stdout

import numpy as np

from specnotes.audit.kinds import audit_task, can_be_sampled, sampled_instead
from specnotes.audit.report import IMPURE, UNCLEAR
from specnotes.audit.stranger import NotFound, guess_kind, load, with_rng
from specnotes.audit.tasks import TASKS

HELP = """\
TARGET names a function: package.module:name, path/to/file.py:name or notebook.ipynb:name.
It is IMPORTED AND RUN on this machine: audit only code that you would run yourself.
(Of a notebook, only the statements that the function needs are run.)

kinds (guessed from the arguments, or given with --kind):
  token    (target, draft, token, rng) -> (token, accepted)
  block    (target_laws, draft_laws, tokens, rng) -> (accepted, token)
  decoder  (target, draft, prefix, draft_length, n_tokens, rng, stop=None) -> tokens or trace
  draft    (model, prefix, draft_length, rng) -> (tokens, laws)
  model    (target, draft, step) -> (target, draft)

exit code: 0 no counter-example, 1 wrong, 2 the function cannot be loaded.
Without TARGET, the course audits itself."""


def add_arguments(parser):
    parser.add_argument("target", nargs="?", help="the function to audit")
    parser.add_argument("--kind", choices=TASKS, help="what it verifies")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--exact", action="store_true", help="never sample")
    how.add_argument("--sample", action="store_true", help="sample at once")
    parser.add_argument("--tolerance", type=float, default=0, help="what rounding may cost a law")
    parser.add_argument("--seed", type=int, default=0, help="of the samples (default 0)")
    parser.add_argument("--detect", type=float, default=0.02, help="distance to be seen (0.02)")
    parser.add_argument("--false-alarm", type=float, default=1e-6, help="chance of one (1e-6)")


def audit_target(options):
    """Print the report.  -> exit code"""
    try:
        with redirect_stdout(sys.stderr):  # what their code prints is no part of the report
            function = load(options.target)
            kind = options.kind or guess_kind(function)
            report = _audit(TASKS[kind](with_rng(function, kind)), options)
    except NotFound as error:
        print(json.dumps({"error": str(error)}) if options.json else f"error: {error}")
        return 2
    if options.json:
        print(json.dumps(as_dict(report, kind), indent=2))
    else:
        print(report)
    return 0 if report.ok else 1


def as_dict(report, kind):
    """The report for machines: numbers as text, so that fractions stay exact."""
    return {
        "name": report.name,
        "kind": kind,
        "method": report.method,
        "ok": report.ok,
        "efficient": report.efficient,
        "covered": report.covered,
        "findings": [_finding_as_dict(finding) for finding in report.findings],
        "notes": list(report.notes),
    }


def _audit(task, options):
    """Exact if possible; a generator of its own, which graders refuse, is sampled here."""
    sampling = {
        "rng": np.random.default_rng(options.seed),
        "detect": options.detect,
        "false_alarm": options.false_alarm,
    }
    if options.sample:
        return audit_task(task, "sample", **sampling)
    report = audit_task(task, "exact", tolerance=options.tolerance)
    lost = report.kinds and report.kinds <= {IMPURE, UNCLEAR} and can_be_sampled(report, task)
    return sampled_instead(report, task, **sampling) if lost and not options.exact else report


def _finding_as_dict(finding):
    toy = finding.toy
    setting = None
    if toy is not None:
        setting = {
            "target": np.vectorize(str)(toy.target).tolist(),
            "draft": np.vectorize(str)(toy.draft).tolist(),
            "draft_length": toy.length,
            "n_tokens": toy.n_tokens,
            "stop": toy.stop,
            "prefix": list(toy.prefix),
            "lag": toy.lag,
            "rounds": toy.rounds,
        }
    return {
        "kind": finding.kind,
        "message": finding.message,
        "setting": setting,
        "expected": _law_as_dict(finding.expected),
        "actual": _law_as_dict(finding.actual),
        "distance": None if finding.distance is None else str(finding.distance),
    }


def _law_as_dict(law):
    return None if law is None else {str(outcome): str(mass) for outcome, mass in law.items()}
