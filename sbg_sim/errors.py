"""What can be wrong with a file or a call: errors that name the place and say what would be right.

An illegal move is never an error here: it is an answer. Errors are for input that cannot be understood.
"""

from __future__ import annotations

import unicodedata
from dataclasses import asdict, dataclass
from typing import Any, Final

_UNSEEN: Final = ("Cc", "Cf", "Cs", "Zl", "Zp")  # control, format (turning text round), surrogates, line ends


class SbgError(Exception):
    """The root of every error this package raises on purpose.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> try:
    ...     sbg.Table(24, -3)
    ... except sbg.SbgError as error:
    ...     print(error)
    Table: table.depth: must be greater than 0, not -3

    """


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

    Examples
    --------
    >>> print(Fault("is missing", "table.depth", "a.toml", 1, 2))
    a.toml:1:2: table.depth: is missing

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
        place = self.file.replace("\n", "\\n")  # one line, whatever the file is called
        if self.line:
            place += f":{self.line}:{self.column}"
        return ": ".join(part for part in (place, self.key, self.reason) if part)


class FileFaultsError(SbgError):
    r"""A file that cannot be used, with every fault found in it.

    Parameters
    ----------
    faults
        At least one fault, in the order of the file.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> try:
    ...     sbg.loads("[table]\nwidth = 24")
    ... except sbg.FileFaultsError as error:
    ...     print(error.faults[0].key, error.faults[0].reason)
    table.depth is missing

    """

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        self.faults = faults
        super().__init__("\n".join(str(fault) for fault in faults))

    def __reduce__(self) -> tuple[type[FileFaultsError], tuple[tuple[Fault, ...]]]:
        return (FileFaultsError, (self.faults,))


class UnknownNameError(SbgError, KeyError):
    """A model, piece of terrain, question or option that the table does not have.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> try:
    ...     table.model("mery")
    ... except sbg.UnknownNameError as error:
    ...     print(error)
    no model is called 'mery' on this table; did you mean `merry`?

    """

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else "unknown name"


class LengthError(SbgError, ValueError):
    """A length that is none: no number of inches, and no string with a unit such as ``"25 mm"``.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> try:
    ...     sbg.inches("25 furlongs")
    ... except sbg.LengthError as error:
    ...     print(error)
    '25 furlongs' is not a length: write a number of inches, or "25 mm", '1"', "2.5 cm"

    """


class MissingPackageError(SbgError, ImportError):
    """A package that is not installed and that only this call needs; the message says how to install it.

    Examples
    --------
    >>> issubclass(MissingPackageError, ImportError)
    True

    """


class QuestionError(SbgError, ValueError):
    """A question that cannot be asked of this table (a missing height, a move without a mover).

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={"merry": {"at": [4, 4], "base": 1}})
    >>> try:
    ...     sbg.reach(table, "merry")
    ... except sbg.QuestionError as error:
    ...     print(error)
    models.merry.move is missing, and this question needs it

    """


class UnsoundError(SbgError, ValueError):
    """A thing that cannot be, made from Python: a circle of negative radius, a tag that there is not."""


def plain(text: str, *, lines: bool = False) -> str:
    r"""Return a text in which nothing steers the terminal: such characters are shown as their numbers.

    Parameters
    ----------
    lines
        Whether a line may end in it.

    Examples
    --------
    >>> print(plain("a" + chr(27) + "[2Jb"))
    a\x1b[2Jb

    """
    if text.isprintable():
        return text
    kept = "\n" if lines else ""
    return "".join(c if c in kept or unicodedata.category(c) not in _UNSEEN else repr(c)[1:-1] for c in text)
