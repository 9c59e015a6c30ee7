"""TOML text as plain data with the place of every value: faults with file, line, column and key."""

from sbg_sim.document.positions import Key
from sbg_sim.document.source import (
    MAX_BYTES,
    MAX_TABLES,
    MAX_VALUES,
    Document,
    content_of,
    dotted,
    not_json,
    other_kind,
    parse,
    read,
)
from sbg_sim.document.suggest import Names, meant
from sbg_sim.document.validate import faults_of, shown, validate
from sbg_sim.document.whole import write_whole

__all__ = [
    "MAX_BYTES",
    "MAX_TABLES",
    "MAX_VALUES",
    "Document",
    "Key",
    "Names",
    "content_of",
    "dotted",
    "faults_of",
    "meant",
    "not_json",
    "other_kind",
    "parse",
    "read",
    "shown",
    "validate",
    "write_whole",
]
