"""A TOML file as data, with the places of its keys and values."""

from __future__ import annotations

import bisect
import json
import os
import re
import select
import stat
import sys
import tomllib
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, Final
from unicodedata import normalize

from sbg_sim.document.positions import Key, Positions, positions
from sbg_sim.document.unreadable import in_words
from sbg_sim.errors import Fault, FileFaultsError

MAX_BYTES: Final = 8_000_000
"""Bytes of a file at most; a larger one is refused unread."""

MAX_TABLES: Final = 50_000
"""Tables in a file at most; more are refused before parsing, which would take seconds."""

MAX_VALUES: Final = 500_000
"""Array elements in a file at most; more are refused before parsing."""

PIPE_WAITS: Final = 5.0
"""Seconds for which a pipe may stay silent before it is given up."""

_DEEPEST: Final = 60  # depth of tables and arrays at most: readers use recursion
_DIGITS: Final = re.compile(rb"(?<![\w.\"'])[+-]?[0-9][0-9_]{1000,}")
_HEADER: Final = re.compile(rb"^[ \t]*\[\[?[^\[\],\n]+\]\]?[ \t\r]*(?:#.*)?$", re.MULTILINE)
_PART: Final = rb"(?:[A-Za-z0-9_-]++|\"[^\"\n]*\"|'[^'\n]*')"
_DOTTED: Final = re.compile(
    rb"(?:^|[{,])[ \t]*\[{0,2}[ \t]*" + _PART + rb"(?:[ \t]*\.[ \t]*" + _PART + rb")+", re.MULTILINE
)
_AT: Final = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")
_OPENS: Final = re.compile(r"^[^=]*=[ \t]*(?=[\[{\"'])")
_TOO_LONG: Final = "a whole number has too many digits to be read"
_LOOKED_BACK: Final = 40  # lines searched back for the beginning of an unclosed value
_LOOKED_THROUGH: Final = 50_000  # characters of a file at most for that search
_NEEDED: Final = "a TOML file, which is UTF-8 text, is needed"
_BEGINNINGS: Final = {
    rb"\x89PNG": "a PNG picture",
    rb"GIF8": "a GIF picture",
    rb"\xff\xd8\xff": "a JPEG picture",
    rb"(?s)....ftyp": "a film",
    rb"%PDF": "a PDF",
    rb"PK\x03\x04": "a ZIP archive or an office document",
    rb"\x1f\x8b": "compressed",
    rb"\xff\xfe\0\0|\0\0\xfe\xff": "UTF-32 text",
    rb"\xff\xfe|\xfe\xff": "UTF-16 text",
    rb"\s*<": "a web page, or an SVG or XML file",
}
_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True)
class Document:
    """A TOML text as plain data.

    Parameters
    ----------
    name
        The file's name in messages.
    text
        The text as bytes.
    data
        Its content; of a duplicate key the first value.
    faults
        The faults found so far, in the order of the file.
    respelt
        Paths of misspelt keys as they are read, each with the path as written.

    """

    name: str
    text: bytes = field(repr=False)
    data: dict[str, Any]
    faults: tuple[Fault, ...] = ()
    respelt: tuple[tuple[Key, Key], ...] = ()

    @cached_property
    def positions(self) -> Positions:
        """The positions of keys and values, computed only when a fault needs them."""
        return positions(self.text)

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer(b"\n", self.text))]

    def has(self, key: Key) -> bool:
        """Say whether the document has a value at a path."""
        here: Any = self.data
        for part in key:
            try:
                here = here[part]
            except (KeyError, IndexError, TypeError):
                return False
        return True

    def place(self, key: Key, *, name: bool = False) -> tuple[int, int]:
        """Return line and column (from 1) of a value, or of its name; else of the nearest enclosing part."""
        if not self.text:  # data without a text
            return (0, 0)
        found = self.positions
        for meant, written in self.respelt:
            if key[: len(meant)] == meant:
                key = (*written, *key[len(meant) :])
        first, second = (found.keys, found.values) if name else (found.values, found.keys)
        for end in range(len(key), 0, -1):
            part = key[:end]
            offset = first.get(part, second.get(part))
            if offset is not None:
                return self._line(offset)
        return (1, 1)

    def fault(self, key: Key, reason: str, *, name: bool = False) -> Fault:
        """Return a fault at a value or, with ``name``, at its key."""
        line, column = self.place(key, name=name)
        return Fault(reason, dotted(key), self.name, line, column)

    def find(self, written: str) -> Key:
        """Return the path of a dotted key, with or without quotes; empty if there is no such key."""
        for key in (*self.positions.keys, *self.positions.values):
            if written in (dotted(key), ".".join(str(part) for part in key)):
                return key
        return ()

    def placed(self, error: FileFaultsError) -> FileFaultsError:
        """Return an error with file, line and column added to faults that have only a key."""
        found = []
        for fault in error.faults:
            written, key = fault.key, self.find(fault.key)
            while not key and "." in written:  # a missing key has the place of its table
                written = written.rpartition(".")[0]
                key = self.find(written)
            line, column = (fault.line, fault.column) if fault.line or not key else self.place(key)
            indexed = any(isinstance(part, int) for part in key)  # entries of arrays are written alike everywhere
            full = dotted(key) + fault.key[len(written) :] if indexed else fault.key
            found.append(replace(fault, key=full, file=fault.file or self.name, line=line, column=column))
        return FileFaultsError(tuple(found))

    def _line(self, offset: int) -> tuple[int, int]:
        line = bisect.bisect_right(self._starts, offset)
        return line, len(self.text[self._starts[line - 1] : offset].decode("utf-8", "replace")) + 1


def dotted(key: Key) -> str:
    """Write a path as in TOML: ``models.lurtz.at[0]``.

    Examples
    --------
    >>> dotted(("models", "the one", "at", 0))
    'models."the one".at[0]'

    """
    text = ""
    for part in key:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += ("." if text else "") + _quoted(part)
    return text


def _quoted(part: str) -> str:
    return part if _BARE.fullmatch(part) else json.dumps(part, ensure_ascii=False)


def read(path: str | Path) -> Document:
    """Read a TOML file.

    Raises
    ------
    FileFaultsError
        When it is missing, unreadable, a directory, larger than :data:`MAX_BYTES`, or not TOML.

    """
    return parse(content_of(path, MAX_BYTES), str(path))


def content_of(path: str | Path, most: int, needed: str = "a TOML file") -> bytes:
    """Return the content of a file, cut off after ``most`` bytes and one.

    Raises
    ------
    FileFaultsError
        When it is missing, unreadable or a directory; the message names what is ``needed``.

    """
    if not str(path):
        raise FileFaultsError((Fault(f"the name of a file is empty; {needed} is needed"),))
    try:
        with _opened(Path(path)) as file:
            return file.read(most + 1)
    except FileNotFoundError:
        reason = "there is no such file"
    except IsADirectoryError:
        reason = f"this is a directory; {needed} is needed"
    except (OSError, ValueError) as error:
        reason = f"cannot be read: {getattr(error, 'strerror', None) or error}"
    raise FileFaultsError((Fault(reason, file=str(path)),))


def _opened(path: Path) -> BinaryIO:
    """Open a file to read; for a pipe without a writer raise TimeoutError after some seconds."""
    if not stat.S_ISFIFO(path.stat().st_mode):
        return path.open("rb")
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    file = os.fdopen(number, "rb")
    if not select.select([file], [], [], PIPE_WAITS)[0]:
        file.close()
        raise TimeoutError(None, f"it is a pipe, and nobody wrote to it for {PIPE_WAITS:g} seconds")
    os.set_blocking(number, True)
    return file


def parse(text: str | bytes, name: str = "<text>") -> Document:
    """Read a TOML text.

    Parameters
    ----------
    text
        The text; bytes must be UTF-8.
    name
        Its name in messages.

    Returns
    -------
    The document. Duplicate keys are among its ``faults`` and do not keep the rest from being read.

    Raises
    ------
    FileFaultsError
        When it is empty, too large, not UTF-8 or not TOML.

    """
    content = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    content = content.removeprefix(b"\xef\xbb\xbf")
    refused = _refusal(content, name)
    if refused is not None:
        raise FileFaultsError((refused,))
    content = normalize("NFC", content.decode("utf-8")).encode("utf-8")  # so that names match however they were typed
    try:
        return Document(name, content, _loads(content))
    except ValueError as error:
        if other := other_kind(content):
            raise FileFaultsError((Fault(f"is {other}; {_NEEDED}", file=name),)) from None
        fault = _syntax(error, name, content)
    except RecursionError:
        raise FileFaultsError((Fault("is nested too deeply", file=name),)) from None
    found = positions(content)
    if not found.twice:
        raise FileFaultsError((fault,))
    place = Document(name, content, {})
    second = "stands twice in this file; keep one of the two"
    faults = []
    kept = bytearray(content)
    for key, offset, start, end in found.twice:
        line, column = place._line(offset)  # noqa: SLF001 - a document of the same module
        faults.append(Fault(second, dotted(key), name, line, column))
        _blank(kept, start, end)
    try:
        data = _loads(bytes(kept))
    except ValueError as error:
        fault = _syntax(error, name, content)
        raise FileFaultsError((*(f for f in faults if f.line < fault.line), fault)) from None
    return Document(name, bytes(kept), data, tuple(faults))


def other_kind(content: bytes) -> str:
    """Return the likely kind of a content that is not TOML; empty if that is unknown.

    Examples
    --------
    >>> other_kind(b"%PDF-1.7"), other_kind(b"[1, 2]"), other_kind(b"[table]")
    ('a PDF', 'JSON', '')

    """
    for beginning, kind in _BEGINNINGS.items():
        if re.match(beginning, content):
            return kind
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        return ""
    is_certificate = isinstance(data, dict) and data.get("format") == "sbg-sim certificate"
    return "a certificate (`sbg-sim verify` judges it)" if is_certificate else "JSON"


def not_json(error: ValueError) -> str:
    """Return the fault of a text that should be JSON."""
    if isinstance(error, UnicodeDecodeError):
        return "is not JSON: its bytes are no text in UTF-8"
    too_long = "integer string conversion" in str(error)  # Python's own limit
    return f"is not JSON: {_TOO_LONG if too_long else error}"


def _blank(content: bytearray, start: int, end: int) -> None:
    """Replace a pair or table by blanks, keeping line breaks; in an inline table also the comma before it."""
    first = start
    while first > 0 and content[first - 1 : first].isspace():
        first -= 1
    first = first - 1 if content[first - 1 : first] == b"," else start
    content[first:end] = re.sub(rb"[^\n]", b" ", bytes(content[first:end]))


def _loads(content: bytes) -> dict[str, Any]:
    data = tomllib.loads(content.decode("utf-8"))
    inner: list[Any] = [data]
    for _ in range(_DEEPEST):
        held = [value for one in inner for value in (one.values() if isinstance(one, dict) else one)]
        inner = [value for value in held if isinstance(value, dict | list)]
        if not inner:
            return data
    raise RecursionError  # a dotted key nests as deep as it has dots, and the parser accepts any depth


def _refusal(content: bytes, name: str) -> Fault | None:
    if len(content) > MAX_BYTES:
        return Fault(f"is larger than {MAX_BYTES // 1_000_000} MB; no table needs that much", file=name)
    if not content.strip():
        return Fault("is empty; a scenario needs at least [table] with width and depth", file=name)
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        if other := other_kind(content):
            return Fault(f"is {other}; {_NEEDED}", file=name)
        line = content.count(b"\n", 0, error.start) + 1
        before = content[content.rfind(b"\n", 0, error.start) + 1 : error.start]
        column = len(before.decode("utf-8", "replace")) + 1
        wrong = content[error.start]
        return Fault(f"is not UTF-8 text: byte 0x{wrong:02x}; save it as UTF-8", "", name, line, column)
    # The parser stores every prefix of a dotted key: with many dots they would fill the memory.
    dots = [found[0].count(b".") for found in _DOTTED.finditer(content)]
    if max(dots, default=0) > _DEEPEST:
        return Fault("is nested too deeply", file=name)
    if max(sum(dots), content.count(b",")) > MAX_VALUES:
        return Fault(f"holds more than {MAX_VALUES} values; it is refused unread", file=name)
    tables = content.count(b"{")
    if tables <= MAX_TABLES:
        tables += sum(1 for _ in _HEADER.finditer(content))
    if tables > MAX_TABLES:
        return Fault(f"holds more than {MAX_TABLES} tables; it is refused unread", file=name)
    return None


def _syntax(error: ValueError, name: str, content: bytes) -> Fault:
    message = str(error)
    if "integer string conversion" in message:  # Python's own limit, raised without a place
        return _too_long(name, content)
    at = _AT.search(message)
    if at is None:
        return Fault(f"is not TOML: {message[:1].lower()}{message[1:]}", "", name)
    text = content.decode("utf-8")
    said, last = message[: at.start()], text.rfind("\n") + 1
    line, column = (int(at[1]), int(at[2])) if at[1] else (text.count("\n") + 1, len(text) - last + 1)
    told = in_words(said, text, line, column)
    if not at[1] or said.lower().startswith(("unclosed", "unterminated")):
        opened = _opening(text, line)
        if opened is not None:
            line, column = opened
            told += "; what begins here has no end"
    return Fault(f"is not TOML: {told}", "", name, line, column)


def _opening(text: str, line: int) -> tuple[int, int] | None:
    """Find line and column of an unclosed value: all lines before it are TOML; None if it is too far up."""
    lines = text.splitlines(keepends=True) if len(text) <= _LOOKED_THROUGH else []
    for first in range(min(line, len(lines)) - 1, max(-1, line - _LOOKED_BACK), -1):
        try:
            tomllib.loads("".join(lines[:first]))
        except (ValueError, RecursionError):
            continue
        value = _OPENS.search(lines[first])
        return (first + 1, value.end() + 1) if value else None
    return None


def _too_long(name: str, content: bytes) -> Fault:
    """Return the fault of an integer with too many digits to be read."""
    place = Document(name, content, {})
    values = set(place.positions.values.values())
    most = sys.get_int_max_str_digits()
    runs = [m.start() for m in _DIGITS.finditer(content) if len(m[0]) > most and m.start() in values]
    line, column = place._line(runs[0]) if runs else (0, 0)  # noqa: SLF001 - a document of the same module
    return Fault(f"is not TOML: {_TOO_LONG}", "", name, line, column)
