"""The journal of a session: every action is written to the disk at once, so that none is lost if the session dies.

The journal of ``game.toml`` is ``game.toml.journal``: a head, then one JSON object for each action, forced to the disk
before the player is answered. Dice are written as they fall, so that an interrupted move continues at the die that was
asked for. A line only half written when the machine stopped is left out.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pathlib
import time
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Annotated, Any, Final

from pydantic import BaseModel, Field, ValidationError

from sbg_sim.errors import QuestionError, SbgError
from sbg_sim.phase import Phase
from sbg_sim.phase.record import resumed
from sbg_sim.scenario.build import entry_of
from sbg_sim.scenario.write import entry

if TYPE_CHECKING:
    from sbg_sim.table.board import Table
    from sbg_sim.table.record import MoveRecord

SUFFIX: Final = ".journal"
_FORM: Final = 1


class _Head(BaseModel, strict=True):
    sha256: str = ""
    priority: str | None = None
    resumed: bool = False
    seed: Annotated[int, Field(ge=0)] | None = None
    rolled: Annotated[int, Field(ge=0, le=100_000)] = 0


class _Line(BaseModel, strict=True, extra="forbid"):
    asked: dict[str, Any] = {}
    die: Annotated[int, Field(ge=1, le=6)] = 1
    rolled: bool = False
    dropped: bool = False
    do: dict[str, Any] | str = ""
    end: str = ""
    next: str = ""
    choose: list[list[str]] = []
    undo: Annotated[int, Field(ge=0)] = 0


class BusyError(SbgError):
    """Another session plays the same file."""


@dataclass(frozen=True)
class Kept:
    """The content of a journal.

    Parameters
    ----------
    head
        The beginning of the game: the file's hash, the side with Priority, whether the file's record was played first.
    done
        The actions, in order.
    asked, dice
        The unfinished move when the session ended, or None, and its dice so far.
    rolled
        The number of dice rolled by the program.

    """

    head: dict[str, Any]
    done: tuple[dict[str, Any], ...] = ()
    asked: MoveRecord | None = None
    dice: tuple[int, ...] = ()
    rolled: int = 0

    @property
    def moves(self) -> int:
        """The number of moves that were not taken back."""
        return sum("do" in line for line in self.standing)

    @property
    def standing(self) -> list[dict[str, Any]]:
        """The actions that were not taken back."""
        left: list[dict[str, Any]] = []
        for line in self.done:
            if "undo" in line:
                del left[len(left) - min(len(left), int(line["undo"])) :]
            else:
                left.append(line)
        return left

    def begun(self, table: Table) -> Phase:
        """Return the phase at the beginning of the session.

        Raises
        ------
        SbgError
            When the record of the file can no longer be played.

        """
        return resumed(table) if self.head.get("resumed") else Phase.begin(table, self.head.get("priority"))

    def played(self, table: Table) -> Phase:
        """Return the phase at the end of the journal.

        Raises
        ------
        SbgError
            When an action is not allowed on this table, because the file has been changed since.

        """
        phase = self.begun(table)
        for line in self.done:
            phase = _redone(phase, line)
        return phase


def _redone(phase: Phase, line: dict[str, Any]) -> Phase:
    match line:
        case {"do": data}:
            return phase.push(_move(data))
        case {"end": _}:
            return phase.end()
        case {"next": side}:
            return phase.next(side)
        case {"choose": fights}:
            return phase.choose(fights)
        case {"undo": count}:
            for _ in range(count):
                phase = phase.pop()
    return phase


def _move(data: dict[str, Any]) -> MoveRecord:
    try:
        return entry_of(data)
    except (QuestionError, TypeError, ValueError):
        raise QuestionError(f"the journal holds a move that is none: {json.dumps(data)}") from None


@dataclass
class Journal:
    """The journal of one file.

    Parameters
    ----------
    path
        The path of the journal.
    head
        The beginning of the game.
    trouble
        The reason why it can no longer be written; empty while it can.
    under_way
        Whether dice of a move are being asked for.

    """

    path: pathlib.Path
    head: dict[str, Any] = field(default_factory=dict)
    trouble: str = ""
    under_way: bool = False
    _file: IO[str] | None = None

    @classmethod
    def beside(cls, file: str | os.PathLike[str]) -> Journal:
        """Return the journal of a file; it is written with the first action."""
        path = pathlib.Path(file)
        return cls(path.with_name(path.name + SUFFIX))

    def kept(self) -> Kept | None:
        """Return its content, or None if there is no journal or an empty one.

        Raises
        ------
        BusyError
            When another session writes it.
        SbgError
            When a line was not written by a session.

        """
        try:
            with self.path.open(encoding="utf-8", errors="replace") as file:
                if not _lock(file):
                    raise self._busy()
                text = file.read()
        except OSError:
            return None
        return _kept(text, self.path)

    def displaced(self) -> bool:
        """Say whether another file has its name: one with whole lines, but without the head of a journal."""
        try:
            first, ended, _ = self.path.read_text(encoding="utf-8", errors="replace").partition("\n")
        except OSError:
            return False
        try:
            _Head.model_validate(data := json.loads(first))
        except (ValueError, RecursionError):
            return bool(ended)
        return bool(ended) and data.get("journal") != _FORM

    def begin(self, text: bytes, priority: str, *, was_resumed: bool, seed: int | None, rolled: int) -> None:
        """Set the head of the journal; it is written with the first action."""
        self.close()
        self.head = {
            "journal": _FORM,
            "sha256": _hash(text),
            "priority": priority,
            "resumed": was_resumed,
            "seed": seed,
            "rolled": rolled,
        }

    def began_with(self, text: bytes) -> bool:
        """Say whether the game began with this text of the file, or the text is not known."""
        return self.head.get("sha256", "") in {"", _hash(text)}

    def go_on(self, kept: Kept) -> None:
        """Continue at the end of the content, without a line that was cut off."""
        self.head, self.under_way = kept.head, kept.asked is not None
        lines = [kept.head, *kept.done]
        if kept.asked is not None:
            lines += [{"asked": entry(kept.asked)}, *({"die": die} for die in kept.dice)]
        lines[0] = {**kept.head, "rolled": kept.rolled}
        text = "".join(json.dumps(line, allow_nan=False) + "\n" for line in lines)
        self._guarded(lambda: self._rewritten(kept, text))

    def note(self, **what: Any) -> None:
        """Write one action to the disk; if that fails, `trouble` gives the reason."""
        line = json.dumps(what, allow_nan=False) + "\n"
        self._guarded(lambda: self._written(line))

    def move(self, move: MoveRecord, key: str = "do") -> None:
        """Write a move, finished or (``asked``) unfinished."""
        self.under_way = key == "asked"
        self.note(**{key: entry(move)})

    def set_aside(self) -> pathlib.Path:
        """Rename the journal, so that a new game can begin; return the new name."""
        self.close()
        aside = self.path.with_name(self.path.name + ".old")
        with contextlib.suppress(OSError):
            self.path.replace(aside)
        return aside

    def remove(self) -> None:
        """Delete the journal if this session has written it, as the game is saved elsewhere."""
        if self._file is None:
            return
        self.close()
        with contextlib.suppress(OSError):
            self.path.unlink()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.close()
            self._file = None

    def _busy(self) -> BusyError:
        return BusyError(f"{self.path}: the same file is being played in another terminal")

    def _guarded(self, write: Any) -> None:
        if self.trouble:
            return
        try:
            write()
        except SbgError as fault:
            self.trouble = f"{fault}; this game is kept in no journal"
        except OSError as fault:
            self.trouble = f"no journal can be kept in {self.path}: {fault.strerror or fault}"

    def _written(self, line: str) -> None:
        if self._file is None:
            self._file = self._held(None)
            self._file.truncate(0)
            self._file.write(json.dumps(self.head) + "\n")
        self._file.write(line)
        self._forced(self._file)

    def _rewritten(self, kept: Kept, text: str) -> None:
        """Replace the journal by a new text, whole or not at all."""
        from sbg_sim.document import write_whole

        self.close()
        with self._held(kept) as held:
            if os.name != "posix":
                held.close()  # on Windows an open file cannot be replaced
            write_whole(self.path, text)
            self._file = self.path.open("a", encoding="utf-8")
            _lock(self._file)

    def _held(self, kept: Kept | None) -> IO[str]:
        """Open it for this session alone; BusyError if another session has written it since it was read."""
        file = self.path.open("a+", encoding="utf-8", errors="replace")
        file.seek(0)
        if not _lock(file) or _kept(file.read(), self.path) != kept:
            file.close()
            raise self._busy()
        return file

    @staticmethod
    def _forced(file: IO[str]) -> None:
        file.flush()
        os.fsync(file.fileno())


def _hash(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


def _lock(file: IO[str]) -> bool:
    """Lock a file while it is open; return False if another process holds it, True on systems without locks."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _kept(text: str, path: pathlib.Path) -> Kept | None:
    given = text.splitlines()
    lines: list[dict[str, Any]] = []
    for number, line in enumerate(given, 1):
        try:
            data = json.loads(line)
            (_Line if lines else _Head).model_validate(data)
        except (ValueError, RecursionError) as fault:
            if number == len(given) and not isinstance(fault, ValidationError):
                break  # cut off when the machine stopped
            if not lines:
                return None  # not written by a session
            why = "is nothing that is done in a game"
            raise SbgError(f"{path}:{number}: {why}; move the journal away to begin anew") from None
        lines.append(data)
    if not lines or lines[0].get("journal") != _FORM:
        return None
    head, *rest = lines
    done: list[dict[str, Any]] = []
    asked: MoveRecord | None = None
    dice: list[int] = []
    rolled = int(head.get("rolled", 0))
    for data in rest:
        rolled += bool(data.get("rolled"))
        if "asked" in data:
            asked, dice = _move(data["asked"]), []
        elif "die" in data:
            dice.append(int(data["die"]))
        elif "dropped" in data:
            asked, dice = None, []
        else:
            done.append(data)
            asked, dice = None, []
    kept = Kept(head, tuple(done), asked, tuple(dice) if asked is not None else (), rolled)
    taken_back = any("undo" in line for line in done) and head.get("resumed")  # perhaps moves of the file's record
    return kept if kept.standing or asked is not None or taken_back else None


def left_off(path: pathlib.Path) -> str:
    """Say when a journal was last written."""
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(path.stat().st_mtime))
    except OSError:
        return "before"
