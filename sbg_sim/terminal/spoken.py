"""A game played by words, whichever it is: kept in a journal, saved, drawn, taken back, left."""

from __future__ import annotations

import pathlib
from abc import ABC, abstractmethod
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, ClassVar, Final

from sbg_sim.errors import QuestionError, SbgError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sbg_sim.terminal.journal import Journal, Kept
    from sbg_sim.terminal.priority import Asker

YES: Final = frozenset({"yes", "y"})


@dataclass
class Spoken(ABC):
    """A game, and the words spoken about it.

    Parameters
    ----------
    asker
        Asks the player: whether a file may be overwritten, and what else a game wants to know.
    file, text
        The scenario file that was read, and its text.
    journal
        Keeps what is done; None keeps nothing.
    seed, rolled
        Of the dice, and how many have been rolled.
    finished
        Whether the player has left.
    saved
        The game as it was last saved.
    leaving
        Whether the player has been told that it is not.
    picture
        The picture that is drawn anew after every move.
    pending
        A move whose dice were being asked for when the session before this one ended.

    """

    command: ClassVar[str]
    asker: Asker
    _: KW_ONLY
    file: str = ""
    text: str = ""
    journal: Journal | None = None
    seed: int | None = None
    rolled: int = 0
    finished: bool = False
    saved: object = None
    leaving: bool = False
    picture: str | None = None
    pending: Kept | None = None
    written: set[pathlib.Path] = field(default_factory=set)

    @property
    @abstractmethod
    def standing(self) -> object:
        """The game as it stands, another value after every move."""

    @abstractmethod
    def hear(self, said: str) -> str:
        """Do what is said and return the answer; SbgError when it makes no sense, and the game is as before."""

    @abstractmethod
    def status(self) -> str:
        """Say whose turn it is, and what can be done."""

    @abstractmethod
    def completions(self, typed: str) -> list[tuple[str, int]]:
        """Return what could be typed next: each with how many letters before the cursor it replaces."""

    @abstractmethod
    def drawing(self) -> Callable[[str], None]:
        """Return what draws the game as it stands now into a file."""

    @abstractmethod
    def recorded(self) -> str:
        """Return the text of the file with what has been done."""

    @abstractmethod
    def begin_journal(self, *, was_resumed: bool) -> None:
        """Let the journal begin with the file as it is now."""

    def go_on(self) -> str:
        """Finish the move whose dice were being asked for when the last session ended; games without dice have none."""
        return ""

    def note(self, **what: object) -> None:
        """Write something that was done into the journal, if there is one."""
        if self.journal is not None:
            self.journal.note(**what)

    def show(self, path: str, *, launch: bool) -> str:
        """Draw the game into a file, and anew after every move; ``off`` ends that."""
        from sbg_sim.terminal.easel import place_for, shown

        if path == "off":
            self.picture = None
            return "no picture is drawn any more"
        path = path or place_for(self.file)
        told = shown(self.drawing(), path, launch=launch)
        self.picture = path
        return told

    def save(self, path: str) -> str:
        """Write the file with what has been done; without a path, the one that was read."""
        from sbg_sim.document import write_whole

        path = path or self.file
        if not path:
            raise QuestionError("to which file? say `save game.toml`")
        target = pathlib.Path(path)
        if target.suffix.lower() != ".toml" and not target.is_dir() and not self._is_read(target):
            raise QuestionError(f"a game is kept in a file that ends in .toml: say `save {target.stem}.toml`")
        if not self._may_write(target):
            return f"{path} is left as it is: nothing is saved; say `save another.toml`"
        text = self.recorded()
        write_whole(path, text)
        self.written.add(target.resolve())
        self.saved = self.standing
        if self._is_read(target):
            self.text = text
            if self.journal is not None:
                self.journal.remove()
                self.begin_journal(was_resumed=True)
        return f"saved to {path}"

    def _is_read(self, target: pathlib.Path) -> bool:
        return bool(self.file) and target.resolve() == pathlib.Path(self.file).resolve()

    def _may_write(self, target: pathlib.Path) -> bool:
        """Ask before a file is overwritten that this session has not written itself."""
        if target.resolve() in self.written or not target.is_file() or not target.stat().st_size:
            return True
        what = "the file that was read" if self._is_read(target) else "there already"
        return self.asker(f"{target} is {what}: overwrite it? (y/n): ").strip().casefold() in YES

    def leave(self, *, begun: bool) -> str:
        """Leave the game; say once that it is not saved."""
        unsaved = begun and self.standing is not self.saved and not self.leaving
        self.finished, self.leaving = not unsaved, True
        kept = f", where {self.journal.path} offers it at the next start" if self.journal is not None else ""
        return f"the record is not saved: say `save game.toml`, or `quit` again{kept}" if unsaved else ""


def steps_back(word: str) -> int:
    """Read how many steps to take back; QuestionError when it is no number above 0."""
    if not word.isdigit() or int(word) == 0:
        raise QuestionError("undo how many? say `undo` or `undo 3`")
    return int(word)


def guarded(session: Spoken, said: str) -> str:
    """Do what is said; whatever goes wrong is part of the answer, and the game goes on as it was."""
    try:
        return session.hear(said)
    except SbgError as error:
        return str(error)
    except OSError as error:
        return f"{error.filename or 'file'}: {error.strerror or error}"
    except (EOFError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - a fault of the program is no reason to lose a game
        return f"that failed, by a fault of the program ({type(error).__name__}: {error}); the game stands as it was"
