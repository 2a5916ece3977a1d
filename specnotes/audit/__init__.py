"""Is this verifier lossless?  Exact audits of anybody's verifier or decoder."""

from specnotes.audit.adapters import from_hf, from_row_api
from specnotes.audit.grid import audit_grid
from specnotes.audit.kinds import (
    audit_decoder,
    audit_draft,
    audit_models,
    audit_token,
    audit_verifier,
)
from specnotes.audit.report import Finding, Report
from specnotes.audit.selfcheck import self_audit

__all__ = [
    "Finding",
    "Report",
    "audit_decoder",
    "audit_draft",
    "audit_grid",
    "audit_models",
    "audit_token",
    "audit_verifier",
    "from_hf",
    "from_row_api",
    "self_audit",
]
