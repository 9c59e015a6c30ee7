"""What was done in a session, line by line on the disk as it is done: nothing is lost when the session dies.

Beside ``game.toml`` stands ``game.toml.journal``: a head, then one JSON object per thing that was done, each
forced to the disk before the player is answered. Dice are noted as they fall, so that a move under way goes on
where its die was asked for. A line that was only half written when the machine stopped is left out.
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
    """The same file is being played elsewhere."""


@dataclass(frozen=True)
class Kept:
    """What a journal keeps of a game.

    Parameters
    ----------
    head
        How the game began: the file's hash, the side with Priority, whether the file's record was played first.
    done
        What was done, in order.
    asked, dice
        The move under way when the session ended, and the dice it had; None when none was.
    rolled
        How many dice the program had rolled.

    """

    head: dict[str, Any]
    done: tuple[dict[str, Any], ...] = ()
    asked: MoveRecord | None = None
    dice: tuple[int, ...] = ()
    rolled: int = 0

    @property
    def moves(self) -> int:
        """How many moves it keeps that were not taken back."""
        return sum("do" in line for line in self.standing)

    @property
    def standing(self) -> list[dict[str, Any]]:
        """What was done and not taken back."""
        left: list[dict[str, Any]] = []
        for line in self.done:
            if "undo" in line:
                del left[len(left) - min(len(left), int(line["undo"])) :]
            else:
                left.append(line)
        return left

    def begun(self, table: Table) -> Phase:
        """Return the phase as the session began.

        Raises
        ------
        SbgError
            When the record of the file cannot be played any more.

        """
        return resumed(table) if self.head.get("resumed") else Phase.begin(table, self.head.get("priority"))

    def played(self, table: Table) -> Phase:
        """Return the phase as the journal leaves it.

        Raises
        ------
        SbgError
            When something in it is not allowed on this table: the file has been changed since.

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
        Where it is.
    head
        How the game began.
    trouble
        Why nothing can be written any more; empty while it can.
    under_way
        Whether the dice of a move are being asked for.

    """

    path: pathlib.Path
    head: dict[str, Any] = field(default_factory=dict)
    trouble: str = ""
    under_way: bool = False
    _file: IO[str] | None = None

    @classmethod
    def beside(cls, file: str | os.PathLike[str]) -> Journal:
        """Return the journal of a file; nothing is written before something is done."""
        path = pathlib.Path(file)
        return cls(path.with_name(path.name + SUFFIX))

    def kept(self) -> Kept | None:
        """Return what it keeps; None when there is none, or nothing in it.

        Raises
        ------
        BusyError
            When another session is writing it.
        SbgError
            When a line of it is none that a session wrote.

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
        """Say whether another file stands in its place: whole lines, and the first of them begins no game."""
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
        """Set down how a game begins; it is written with the first thing that is done."""
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
        """Say whether the game began with a file as it is now, as far as it is known."""
        return self.head.get("sha256", "") in {"", _hash(text)}

    def go_on(self, kept: Kept) -> None:
        """Write on at the end of what is kept, without the line that was cut off."""
        self.head, self.under_way = kept.head, kept.asked is not None
        lines = [kept.head, *kept.done]
        if kept.asked is not None:
            lines += [{"asked": entry(kept.asked)}, *({"die": die} for die in kept.dice)]
        lines[0] = {**kept.head, "rolled": kept.rolled}
        text = "".join(json.dumps(line, allow_nan=False) + "\n" for line in lines)
        self._guarded(lambda: self._rewritten(kept, text))

    def note(self, **what: Any) -> None:
        """Write one thing that was done, down to the disk; a journal that cannot be written says so in `trouble`."""
        line = json.dumps(what, allow_nan=False) + "\n"
        self._guarded(lambda: self._written(line))

    def move(self, move: MoveRecord, key: str = "do") -> None:
        """Write a move: done, or (``asked``) under way."""
        self.under_way = key == "asked"
        self.note(**{key: entry(move)})

    def set_aside(self) -> pathlib.Path:
        """Keep what is there under another name, so that a new game can begin; return the name."""
        self.close()
        aside = self.path.with_name(self.path.name + ".old")
        with contextlib.suppress(OSError):
            self.path.replace(aside)
        return aside

    def remove(self) -> None:
        """Take it away, if this session has written it: the game is saved elsewhere."""
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
        """Put the whole journal down anew, whole or not at all."""
        from sbg_sim.document import write_whole

        self.close()
        with self._held(kept) as held:
            if os.name != "posix":
                held.close()  # there nothing that is open can be replaced
            write_whole(self.path, text)
            self._file = self.path.open("a", encoding="utf-8")
            _lock(self._file)

    def _held(self, kept: Kept | None) -> IO[str]:
        """Open it for this session alone; BusyError where another has kept something since this one looked."""
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
    """Lock a file as long as it is open; False when another process holds it. True where locks are unknown."""
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
                break  # cut off as the machine stopped
            if not lines:
                return None  # none of ours
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
    taken_back = any("undo" in line for line in done) and head.get("resumed")  # of the file's record, perhaps
    return kept if kept.standing or asked is not None or taken_back else None


def left_off(path: pathlib.Path) -> str:
    """Say when a journal was last written."""
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(path.stat().st_mtime))
    except OSError:
        return "before"
