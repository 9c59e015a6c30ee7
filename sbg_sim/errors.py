"""What can be wrong with a file or a call: errors that name the place and say what would be right.

An illegal move is never an error here: it is an answer. Errors are for input that cannot be understood.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


class SbgError(Exception):
    """The root of every error this package raises on purpose."""


_FAULT = ("file", "line", "column", "key", "reason")


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of one file.

    Parameters
    ----------
    reason
        What is wrong and what would be right, one sentence.
    key
        The dotted key in the file, as ``models.lurtz.base``; empty for the file as a whole.
    file, line, column
        Where it stands; line and column count from 1, 0 when unknown.

    """

    reason: str
    key: str = ""
    file: str = ""
    line: int = 0
    column: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return the fault as plain data; line and column are None when unknown.

        Examples
        --------
        >>> Fault("is missing", "table.depth", "a.toml", 1, 2).as_json()
        {'file': 'a.toml', 'line': 1, 'column': 2, 'key': 'table.depth', 'reason': 'is missing'}

        """
        held = asdict(self)
        return {key: held[key] or None if key in ("line", "column") else held[key] for key in _FAULT}

    def __str__(self) -> str:
        place = self.file
        if self.line:
            place += f":{self.line}:{self.column}"
        return ": ".join(part for part in (place, self.key, self.reason) if part)


class FileFaultsError(SbgError):
    """A file that cannot be used, with every fault found in it.

    Parameters
    ----------
    faults
        At least one fault, in the order of the file.

    """

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        self.faults = faults
        super().__init__("\n".join(str(fault) for fault in faults))

    def __reduce__(self) -> tuple[type[FileFaultsError], tuple[tuple[Fault, ...]]]:
        return (FileFaultsError, (self.faults,))


class UnknownNameError(SbgError, KeyError):
    """A model, piece of terrain, question or option that the table does not have."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else "unknown name"


class LengthError(SbgError, ValueError):
    """A length that is none: no number of inches, and no string with a unit such as ``"25 mm"``."""


class MissingPackageError(SbgError, ImportError):
    """A package that is not installed and that only this call needs; the message says how to install it."""


class QuestionError(SbgError, ValueError):
    """A question that cannot be asked of this table (a missing height, a move without a mover)."""


class UnsoundError(SbgError, ValueError):
    """A thing that cannot be, made from Python: a circle of negative radius, a tag that there is not."""


class SbgWarning(UserWarning):
    """Something that can be worked with but is hardly meant; a fault is its text."""
