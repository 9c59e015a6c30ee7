"""Answers as evidence: issued beside an answer, and verified without the program that found it.

The room may not import the solver; whoever verifies needs the table, the referee and arithmetic.
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
