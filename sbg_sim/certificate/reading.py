"""Read a certificate: one clear message for one that cannot be understood."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from sbg_sim.certificate.form import FORMAT, MOST_LEGS, VERSION, CertificateError, CertificateForm

MOST_BYTES: Final = 32_000_000
"""A larger file is no certificate: a table of a thousand models takes less than one megabyte."""

_MOST_DIGITS: Final = 300  # more is no float either


def read(path: str | Path) -> dict[str, Any]:
    """Read a certificate from a file; raises as `read_text` does, and OSError."""
    place = Path(path)
    if place.stat().st_size > MOST_BYTES:
        raise CertificateError(f"{path}: {place.stat().st_size} bytes are too many for a certificate")
    try:
        text = place.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise CertificateError(f"{path}: is not UTF-8: {error.reason} at byte {error.start}") from None
    return read_text(text, str(path))


def read_text(text: str, name: str = "<text>") -> dict[str, Any]:
    """Read a certificate from its text.

    Raises
    ------
    CertificateError
        When it is not JSON, of another version, or not of the form.

    """
    try:
        data = json.loads(text, parse_constant=_no_number, parse_int=_whole, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise CertificateError(f"{name}:{error.lineno}:{error.colno}: is not whole JSON: {error.msg}") from None
    except RecursionError:
        raise CertificateError(f"{name}: is nested too deeply for a certificate") from None
    except ValueError as error:
        raise CertificateError(f"{name}: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise CertificateError(f'{name}: is no certificate: `format` must be "{FORMAT}"')
    if data.get("version") != VERSION or isinstance(data.get("version"), bool):
        raise CertificateError(f"{name}: version: {data.get('version')!r} cannot be read here, only {VERSION}")
    legs = data.get("legs")
    if isinstance(legs, list) and len(legs) > MOST_LEGS:
        raise CertificateError(f"{name}: legs: {len(legs)} are too many; {MOST_LEGS} is the most")
    try:
        CertificateForm.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise CertificateError(f"{name}: {key}: {first['msg'][:1].lower()}{first['msg'][1:]}") from None
    return data


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
