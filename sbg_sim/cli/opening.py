"""Open the file of a command, remember it, and report errors with their place in it."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any, Final

import click

from sbg_sim.cli.show import line
from sbg_sim.errors import Fault, FileFaultsError, QuestionError, SbgError, UnknownNameError, plain

if TYPE_CHECKING:
    from sbg_sim.document import Document
    from sbg_sim.table.board import Table

_SHOWN: Final = 100  # faults of one file that are printed
_KEY: Final = re.compile(
    r"^((?:table|models|terrain|questions|moves|phase|turns)[.\[](?:.+?(?:\.[a-z_]+|\])(?= is |: )|\S+?))(?:: | )"
)  # ids may contain blanks and dots


def asked_of(path: str) -> click.Context:
    """Remember the file of a command, and whether the output is JSON: errors take the same form."""
    asked = click.get_current_context()
    root = asked.find_root()
    root.meta["file"] = path
    root.meta["as_json"] = any(asked.params.get(name) for name in ("as_json", "jsonl"))
    return root


def opened(path: str) -> Document:
    """Read a file as data, or standard input for ``-``; later errors are reported with their place in it."""
    from sbg_sim import document

    root = asked_of(path)
    if path == "-":
        if "stdin" not in root.meta:  # it can be read only once
            root.meta["stdin"] = sys.stdin.buffer.read(document.MAX_BYTES + 1)
        source = document.parse(root.meta["stdin"], "<stdin>")
    else:
        source = document.read(path)
    root.obj = source
    return source


def table_in(path: str) -> Table:
    """Read the table of a scenario file."""
    return table_of(opened(path))


def table_of(source: Document) -> Table:
    """Build the table of an opened scenario file."""
    from sbg_sim import scenario

    return scenario.table_of(source)


def faults_of(error: SbgError, source: Document | None) -> tuple[Fault, ...]:
    """Return an error as faults, with file, line, column and key where known."""
    if isinstance(error, FileFaultsError):
        return error.faults
    message = str(error)
    if source is None or not isinstance(error, QuestionError | UnknownNameError):
        return (Fault(message),)
    key = _KEY.match(message) if isinstance(error, QuestionError) else None
    if key is not None:
        return source.placed(FileFaultsError((Fault(message[key.end() :], key[1]),))).faults
    return (Fault(message, file=source.name),)


def listed(faults: tuple[Fault, ...]) -> str:
    """Return a message with a line for each fault."""
    more = [f"and {len(faults) - _SHOWN} more"] if len(faults) > _SHOWN else []
    return "\n".join([*(plain(str(fault)) for fault in faults[:_SHOWN]), *more])


def told(error: SbgError, source: Document | None) -> str:
    """Return the message of an error, with a line for each fault: file, line, column and key where known."""
    return listed(faults_of(error, source))


def as_data(faults: tuple[Fault, ...], path: str) -> dict[str, Any]:
    """Return the faults of a file or of a question, as data for JSON."""
    return {"file": path, "faults": [fault.as_json() for fault in faults]}


def wrote(path: str) -> None:
    """Say on standard error that a file was written, unless a program reads the output."""
    said = click.get_current_context().params
    if not said.get("as_json") and not said.get("as_csv") and not said.get("jsonl"):
        line(f"wrote {path}", err=True)
