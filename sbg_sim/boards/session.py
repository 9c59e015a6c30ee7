"""A board game played by words: legal moves listed, chosen, taken back, kept as a record. No terminal is known here."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from sbg_sim.boards.names import folded
from sbg_sim.boards.wording import counted
from sbg_sim.errors import Fault, FileFaultsError, SbgError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sbg_sim.boards.room import Played, Scenario

LISTED: Final = 40
"""So many moves are listed at once."""

HELP: Final = """\
moves                 every legal move with its number; `moves bree` only those with these words
3                     make move 3 of the last list; or say enough of its words: lorien over rohan
why bree              every rule that keeps a move to Bree from being made, or how it can be
status                whose turn it is, and who stands where
undo                  take the last move back
record                the moves made so far
save FILE.toml        write the file anew with the moves made; `play --resume` goes on from there
show FILE.png         a picture with the legal moves lit
quit"""

_RECORD: Final = re.compile(r"^\[\[moves\]\][^\[]*", re.MULTILINE)


@dataclass
class Session:
    """A game being played.

    Parameters
    ----------
    scenario
        The file.
    state
        The position as it stands.
    past
        Every position before it with the words of the move made there.
    listed
        The moves of the last list.
    saving, drawing
        Files asked for by the last words; who runs the session writes them.
    finished
        Whether the player has left.
    kept
        How many moves are saved.

    """

    scenario: Scenario[Any]
    state: Any
    past: list[tuple[Any, str]] = field(default_factory=list)
    listed: list[Any] = field(default_factory=list)
    saving: str | None = None
    drawing: str | None = None
    finished: bool = False
    kept: int = 0
    leaving: bool = False

    @classmethod
    def begin(cls, scenario: Scenario[Any], *, resume: bool = False) -> Session:
        """Begin a game, or go on where the record in its file ends.

        Raises
        ------
        FileFaultsError
            When the file shows no position, or its record has a move that is not legal.

        """
        if scenario.state is None:
            raise FileFaultsError((Fault(_played(scenario).lacks),))
        session = cls(scenario, scenario.state)
        for i, entry in enumerate(scenario.file.moves if resume else ()):
            found = [move for move in session.legal() if session.game.told(session.state, move) == entry.move]
            state = session.game.aside(session.state, entry.move) if not found else None
            if not found and state is None:
                raise FileFaultsError((Fault(f"{entry.move!r} is no legal move here", f"moves.{i}.move"),))
            session._to(state if state is not None else session.game.rules.apply(session.state, found[0]), entry.move)
        session.kept = len(session.past)
        return session

    @property
    def game(self) -> Played[Any]:
        """How the game is played."""
        return _played(self.scenario)

    def legal(self) -> tuple[Any, ...]:
        """Return every legal move."""
        found: tuple[Any, ...] = self.game.rules.legal_moves(self.state)
        return found

    def status(self) -> str:
        """Return whose turn it is, who stands where, and how many moves are legal."""
        legal = counted(len(self.legal()), "legal move")
        return "\n".join([*self.game.shown(self.state), f"{legal}; say `moves`, or `help`"])

    def hear(self, said: str) -> str:
        """Do what is said and return the answer.

        Raises
        ------
        SbgError
            When it makes no sense; the game is as before.

        """
        self.saving = self.drawing = None
        verb, _, rest = said.strip().partition(" ")
        rest = rest.strip()
        if verb.lower() not in {"quit", "exit"}:
            self.leaving = False
        match verb.lower():
            case "":
                return ""
            case "help" | "?":
                return HELP
            case "status":
                return self.status()
            case "moves" | "who":
                return self._moves(rest)
            case "why" | "explain":
                return self._why(rest)
            case "undo":
                return self._undo()
            case "record":
                return "\n".join(words for _, words in self.past) or "no move has been made"
            case "save":
                self.saving = _file(rest, ".toml")
                return f"saved in {rest}"
            case "show":
                self.drawing = _file(rest, ".png", ".svg", ".pdf")
                return f"drawn in {rest}"
            case "quit" | "exit":
                return self._quit()
        return self._choose(said)

    def record(self, text: str) -> str:
        """Return the text of the file with the moves made instead of those it has."""
        moves = "".join(f"\n[[moves]]\nmove = {json.dumps(words, ensure_ascii=False)}\n" for _, words in self.past)
        return _RECORD.sub("", text).rstrip() + "\n" + moves

    def _to(self, state: Any, words: str) -> None:
        self.past.append((self.state, words))
        self.state, self.listed = state, []

    def _moves(self, words: str) -> str:
        self.listed = self._with(words)
        if not self.listed:
            return f"no legal move has the words {words!r}" if words else "no move is legal"
        lines = [f"{i:>4}  {self.game.told(self.state, move)}" for i, move in enumerate(self.listed[:LISTED], 1)]
        more = len(self.listed) - LISTED
        return "\n".join([*lines, *([f"      and {more} more; say `moves` and a word of those you want"] * (more > 0))])

    def _with(self, words: str) -> list[Any]:
        """Return the legal moves that have all these words, those that are nothing else first."""
        wanted = folded(words)
        told = [(folded(self.game.told(self.state, move)), move) for move in self.legal()]
        exact = [move for text, move in told if text == wanted]
        return exact or [move for text, move in told if _has(text, wanted.split())]

    def _choose(self, said: str) -> str:
        words = said.strip()
        state = self.game.aside(self.state, words)
        if state is not None:
            self._to(state, words)
            return self.status()
        if words.isdigit():
            moves = self.listed or list(self.legal())
            found = moves[int(words) - 1 : int(words)] if int(words) else []
            if not found:
                raise SbgError(f"the list has no move {words}; it ends with {len(moves)}")
        else:
            found = self._with(words)
        if not found:
            raise SbgError(f"no legal move has the words {words!r}; say `moves`, `why {words.split()[-1]}` or `help`")
        if len(found) > 1:
            listed = self._moves(words)
            return f"{len(found)} moves have these words; say a number, or more words:\n{listed}"
        self._to(self.game.rules.apply(self.state, found[0]), self.game.told(self.state, found[0]))
        return f"{self.past[-1][1]}\n{self.status()}"

    def _why(self, name: str) -> str:
        if not name:
            raise SbgError("why what? say `why` and the name of a place")
        lines: dict[str, None] = {}
        for move in self.game.tries(self.state, name):
            told, why = self.game.told(self.state, move), self.game.rules.explain(self.state, move)
            lines |= dict.fromkeys([f"{told}: legal"] if not why else [f"{told}: {v.rule}, {v.reason}" for v in why])
        return "\n".join(lines) or "nothing can be tried there now"

    def _undo(self) -> str:
        if not self.past:
            return "no move has been made"
        self.state, words = self.past.pop()
        self.listed = []
        return f"taken back: {words}"

    def _quit(self) -> str:
        if len(self.past) != self.kept and not self.leaving:
            self.leaving = True
            return "the moves are not saved; say `save FILE.toml`, or `quit` again"
        self.finished = True
        return ""


def _played(scenario: Scenario[Any]) -> Played[Any]:
    played = scenario.room.played
    assert played is not None
    return played


def _has(text: str, words: Iterable[str]) -> bool:
    parts = text.replace(",", "").split()
    return all(any(part.startswith(word.strip(",")) for part in parts) for word in words)


def _file(name: str, *suffixes: str) -> str:
    if not name.lower().endswith(suffixes):
        raise SbgError(f"say the name of a file in {' or '.join(suffixes)}")
    return name
