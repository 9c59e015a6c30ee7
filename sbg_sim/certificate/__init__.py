"""Certificates: answers as evidence, issued beside an answer, and verified without the solver.

This room may not import the solver; verification needs the table, the referee and arithmetic.
"""

from sbg_sim.certificate.findings import Findings
from sbg_sim.certificate.form import CertificateError, json_schema
from sbg_sim.certificate.issue import issue, text_of
from sbg_sim.certificate.judge import verify
from sbg_sim.certificate.reading import MOST_BYTES, read, read_bytes, read_text

__all__ = [
    "MOST_BYTES",
    "CertificateError",
    "Findings",
    "issue",
    "json_schema",
    "read",
    "read_bytes",
    "read_text",
    "text_of",
    "verify",
]
