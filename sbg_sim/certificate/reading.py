"""Reads certificates, with one clear message if one cannot be understood."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from sbg_sim.certificate.form import FORMAT, MOST_LEGS, VERSION, CertificateError, CertificateForm
from sbg_sim.document import Document, content_of, faults_of, other_kind, parse
from sbg_sim.errors import FileFaultsError

if TYPE_CHECKING:
    from pathlib import Path

MOST_BYTES: Final = 32_000_000
"""The largest certificate, bytes: one of a table of a thousand models takes less than one megabyte."""

_MOST_DIGITS: Final = 300  # a number with more digits is no float either


def read(path: str | Path) -> dict[str, Any]:
    """Read a certificate from a file; raises as `read_text` does, and FileFaultsError if it cannot be opened."""
    return read_bytes(content_of(path, MOST_BYTES, "a certificate"), path)


def read_bytes(content: bytes, path: str | Path) -> dict[str, Any]:
    """Read a certificate from the bytes of a named file; raises as `read_text` does."""
    if len(content) > MOST_BYTES:
        raise CertificateError(f"{path}: more than {MOST_BYTES} bytes are too many for a certificate")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        reason = _other(content) or f"is not UTF-8: {error.reason} at byte {error.start}"
        raise CertificateError(f"{path}: {reason}") from None
    return read_text(text, str(path))


def read_text(text: str, name: str = "<text>") -> dict[str, Any]:
    """Read a certificate from its text.

    Raises
    ------
    CertificateError
        If it is not JSON, of another version, or not of the form.

    """
    try:
        data = json.loads(text, parse_constant=_no_number, parse_int=_whole, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        if other := _other(text.encode("utf-8", "surrogatepass")):
            raise CertificateError(f"{name}: {other}") from None
        reason = f"is not whole JSON, as a certificate is: {error.msg}"
        raise CertificateError(f"{name}:{error.lineno}:{error.colno}: {reason}") from None
    except RecursionError:
        raise CertificateError(f"{name}: is nested too deeply for a certificate") from None
    except ValueError as error:
        raise CertificateError(f"{name}: {error}") from None
    return check_form(data, name)


def check_form(data: Any, name: str) -> dict[str, Any]:
    """Return the data of a certificate if they have its form.

    Raises
    ------
    CertificateError
        If it is of another version, or not of the form.

    """
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise CertificateError(f'{name}: is no certificate: `format` must be "{FORMAT}"')
    if data.get("version") != VERSION or isinstance(data.get("version"), bool):
        wrong = (
            f"{json.dumps(data['version']):.40} cannot be read here"
            if data.get("version") is not None
            else "is missing"
        )
        raise CertificateError(f"{name}: version: {wrong}; it must be {VERSION}")
    legs = data.get("legs")
    if isinstance(legs, list) and len(legs) > MOST_LEGS:
        raise CertificateError(f"{name}: legs: {len(legs)} are too many; {MOST_LEGS} is the most")
    try:
        CertificateForm.model_validate(data)
    except ValidationError as error:
        fault = faults_of(error, Document(name, b"", data), CertificateForm)[0]
        raise CertificateError(str(fault)) from None
    return data


def _other(content: bytes) -> str:
    """Return what else the data seem to be, as a sentence; empty if that is not clear."""
    try:
        data = parse(content).data
    except FileFaultsError:
        kind = other_kind(content) if content.strip() else "empty"
    else:
        kind = "a scenario" if "table" in data else "the file of a board game" if "game" in data else "a TOML file"
    return f"is {kind}; a certificate is needed, as `check FILE QUESTION --certificate OUT` writes it" if kind else ""


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no number of a certificate")


def _whole(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"a whole number of {len(digits)} digits is none of a certificate")
    return int(digits)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key!r} stands twice")
        found[key] = value
    return found
