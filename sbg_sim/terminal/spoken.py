"""The common part of games played by words: journal, saving, pictures, taking back, leaving."""

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
    """A session of a game: the game, and the words understood about it.

    Parameters
    ----------
    asker
        Asks the player questions, such as whether a file may be overwritten.
    file, text
        The scenario file that was read, and its text.
    journal
        The journal of all actions, or None.
    seed, rolled
        The seed of the dice, and the number of dice rolled.
    finished
        Whether the player has left.
    saved
        The state of the game when it was last saved.
    leaving
        Whether the player has been told that the game is not saved.
    picture
        The file of the picture that is drawn anew after every move.
    pending
        The move that was interrupted at its dice when the last session ended.

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
        """The state of the game, another value after every move."""

    @abstractmethod
    def hear(self, said: str) -> str:
        """Do what the player says and return the answer; SbgError if it makes no sense, with the game unchanged."""

    @abstractmethod
    def status(self) -> str:
        """Return the turn, and the options of the player."""

    @abstractmethod
    def completions(self, typed: str) -> list[tuple[str, int]]:
        """Return completions of a line, each with the number of letters before the cursor that it replaces."""

    @abstractmethod
    def drawing(self) -> Callable[[str], None]:
        """Return a function that draws the current state of the game into a file."""

    @abstractmethod
    def recorded(self) -> str:
        """Return the text of the file with the record of the game."""

    @abstractmethod
    def begin_journal(self, *, was_resumed: bool) -> None:
        """Begin the journal with the current file."""

    def go_on(self) -> str:
        """Finish the move that was interrupted at its dice when the last session ended; without dice there is none."""
        return ""

    def note(self, **what: object) -> None:
        """Write an action into the journal, if there is one."""
        if self.journal is not None:
            self.journal.note(**what)

    def show(self, path: str, *, launch: bool) -> str:
        """Draw the game into a file, now and after every move; ``off`` ends that."""
        from sbg_sim.terminal.easel import place_for, shown

        if path == "off":
            self.picture = None
            return "no picture is drawn any more"
        path = path or place_for(self.file)
        told = shown(self.drawing(), path, launch=launch)
        self.picture = path
        return told

    def save(self, path: str) -> str:
        """Write the file with the record of the game; without a path, the one that was read."""
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
        """Ask before overwriting a file that this session has not written."""
        if target.resolve() in self.written or not target.is_file() or not target.stat().st_size:
            return True
        reason = "the file that was read" if self._is_read(target) else "there already"
        return self.asker(f"{target} is {reason}: overwrite it? (y/n): ").strip().casefold() in YES

    def leave(self, *, begun: bool) -> str:
        """Leave the game; if it is not saved, say so once and stay."""
        unsaved = begun and self.standing is not self.saved and not self.leaving
        self.finished, self.leaving = not unsaved, True
        kept = f", where {self.journal.path} offers it at the next start" if self.journal is not None else ""
        return f"the record is not saved: say `save game.toml`, or `quit` again{kept}" if unsaved else ""


def steps_back(word: str) -> int:
    """Return the number of steps to take back; QuestionError if the word is no number above 0."""
    if not word.isdigit() or int(word) == 0:
        raise QuestionError("undo how many? say `undo` or `undo 3`")
    return int(word)


def guarded(session: Spoken, said: str) -> str:
    """Do what the player says and return the answer; errors become part of it, with the game unchanged."""
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
