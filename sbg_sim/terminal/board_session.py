"""A board game played by words: legal moves are listed, chosen, taken back and recorded."""

from __future__ import annotations

import json
import re
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any, Final

from sbg_sim.boards.names import folded
from sbg_sim.errors import Fault, FileFaultsError, SbgError
from sbg_sim.terminal.spoken import Spoken, steps_back
from sbg_sim.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sbg_sim.boards.room import Played, Scenario
    from sbg_sim.terminal.priority import Asker

LISTED: Final = 40
"""Moves listed at once, at most."""

HELP: Final = """\
moves                 every legal move with its number; `moves bree` only those with these words
3                     make move 3 of the last list; or say enough of its words: lorien over rohan
why bree              every rule that keeps a move to Bree from being made, or how it can be
status                whose turn it is, and who stands where
undo, undo 3          take the last moves back
record                the moves made so far
save [FILE.toml]      write the file anew with the moves made; `play --resume` goes on from there
show [FILE.png]       a picture with the legal moves lit, drawn anew after every move; `show off` ends it
quit                  every move is kept in FILE.journal at once, and offered at the next start"""

VERBS: Final = ("help", "moves", "why", "status", "undo", "record", "save", "show", "quit")

_RECORD: Final = re.compile(r"^\[\[moves\]\][^\[]*", re.MULTILINE)


@dataclass
class BoardSession(Spoken):
    """A session of a board game: the game, and the words understood about it.

    Parameters
    ----------
    scenario
        The scenario of the file.
    state
        The current position.
    past
        The earlier positions, with the words of the moves made there.
    listed
        The moves last listed.

    """

    command = "play"
    scenario: Scenario[Any]
    state: Any
    _: KW_ONLY
    past: list[tuple[Any, str]] = field(default_factory=list)
    listed: list[Any] = field(default_factory=list)

    @classmethod
    def begin(cls, scenario: Scenario[Any], asker: Asker, *, resume: bool = False) -> BoardSession:
        """Begin a game, or continue at the end of the record in its file.

        Raises
        ------
        FileFaultsError
            When the file has no position, or its record has an illegal move.

        """
        if scenario.state is None:
            raise FileFaultsError((Fault(_played(scenario).lacks),))
        session = cls(asker, scenario, scenario.state)
        for i, entry in enumerate(scenario.file.moves if resume else ()):
            if not session.redo(entry.move):
                raise FileFaultsError((Fault(f"{entry.move!r} is no legal move here", f"moves.{i}.move"),))
        session.saved = session.state
        return session

    def redo(self, words: str) -> bool:
        """Do the legal move with exactly these words, or an action that they name; return False if there is none."""
        found = [move for move in self.legal() if self.game.told(self.state, move) == words]
        state = self.game.rules.apply(self.state, found[0]) if found else self.game.aside(self.state, words)
        if state is not None:
            self._to(state, words)
        return state is not None

    def take_back(self, count: int) -> list[str]:
        """Take back ``count`` moves; return their words."""
        taken = self.past[max(0, len(self.past) - count) :]
        if taken:
            self.state, self.listed = taken[0][0], []
            del self.past[-len(taken) :]
        return [words for _, words in taken]

    @property
    def game(self) -> Played[Any]:
        """The functions for playing the game in words."""
        return _played(self.scenario)

    def legal(self) -> tuple[Any, ...]:
        """Return every legal move."""
        found: tuple[Any, ...] = self.game.rules.legal_moves(self.state)
        return found

    def status(self) -> str:
        """Return the turn, the places of the pieces, and the number of legal moves."""
        legal = counted(len(self.legal()), "legal move")
        return "\n".join([*self.game.shown(self.state), f"{legal}; say `moves`, or `help`"])

    def hear(self, said: str) -> str:
        """Do what the player says and return the answer; SbgError if it makes no sense, with the game unchanged."""
        verb, _, rest = said.strip().partition(" ")
        verb, rest = verb.lower(), rest.strip()
        self.leaving = self.leaving and verb in {"quit", "exit"}
        match verb:
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
                return self._undo(rest)
            case "record":
                return "\n".join(words for _, words in self.past) or "no move has been made"
            case "save":
                return self.save(rest)
            case "show":
                return self.show(_file(rest, ".png", ".svg", ".pdf", "off"), launch=not rest)
            case "quit" | "exit":
                return self.leave(begun=bool(self.past))
        return self._choose(said)

    @property
    def standing(self) -> Any:
        """The current position."""
        return self.state

    def drawing(self) -> Callable[[str], None]:
        """Return a function that draws the position into a file, with the legal moves lit."""
        state, lit = self.state, self.game.lit(self.state)

        def draw(path: str) -> None:
            from sbg_sim.plot import save

            save(state, path, lit=lit, theme="auto")

        return draw

    def completions(self, typed: str) -> list[tuple[str, int]]:
        """Return the completions of the last word typed: words of legal moves and, for the first word, verbs."""
        last = typed.rpartition(" ")[2]
        words = [] if " " in typed else list(VERBS)
        for move in self.legal():
            words += self.game.told(self.state, move).replace(",", "").split()
        return [(word, len(last)) for word in dict.fromkeys(words) if word.lower().startswith(last.lower())]

    def recorded(self) -> str:
        """Return the text of the file with its moves replaced by those made."""
        moves = "".join(f"\n[[moves]]\nmove = {json.dumps(words, ensure_ascii=False)}\n" for _, words in self.past)
        return _RECORD.sub("", self.text).rstrip() + "\n" + moves

    def begin_journal(self, *, was_resumed: bool) -> None:
        """Begin the journal with the current file."""
        if self.journal is not None:
            self.journal.begin(self.text.encode(), "", was_resumed=was_resumed, seed=None, rolled=0)

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
        """Return the legal moves with all these words, those with no other words first."""
        wanted = folded(words)
        told = [(folded(self.game.told(self.state, move)), move) for move in self.legal()]
        exact = [move for text, move in told if text == wanted]
        return exact or [move for text, move in told if _has(text, wanted.split())]

    def _choose(self, said: str) -> str:
        words = said.strip()
        state = self.game.aside(self.state, words)
        if state is not None:
            self._to(state, words)
            self.note(do=words)
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
        self.note(do=self.past[-1][1])
        return f"{self.past[-1][1]}\n{self.status()}"

    def _why(self, name: str) -> str:
        if not name:
            raise SbgError("why what? say `why` and the name of a place")
        lines: dict[str, None] = {}
        for move in self.game.tries(self.state, name):
            told, why = self.game.told(self.state, move), self.game.rules.explain(self.state, move)
            lines |= dict.fromkeys([f"{told}: legal"] if not why else [f"{told}: {v.rule}, {v.reason}" for v in why])
        return "\n".join(lines) or "nothing can be tried there now"

    def _undo(self, rest: str) -> str:
        taken = self.take_back(steps_back(rest or "1"))
        if not taken:
            return "no move has been made"
        self.note(undo=len(taken))
        return f"taken back: {', '.join(taken)}"


def _played(scenario: Scenario[Any]) -> Played[Any]:
    played = scenario.room.played
    assert played is not None
    return played


def _has(text: str, words: Iterable[str]) -> bool:
    parts = text.replace(",", "").split()
    return all(any(part.startswith(word.strip(",")) for part in parts) for word in words)


def _file(name: str, *suffixes: str) -> str:
    if name and not name.lower().endswith(suffixes):
        raise SbgError(f"say the name of a file in {' or '.join(suffixes)}")
    return name
