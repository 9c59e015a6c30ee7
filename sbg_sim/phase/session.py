"""A Move phase played by words: what is said, and what is answered. No terminal is known here."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from sbg_sim.errors import QuestionError, UnknownNameError
from sbg_sim.phase.deploy import deploy
from sbg_sim.phase.openings import open_moves
from sbg_sim.phase.replaying import resumed
from sbg_sim.phase.state import IllegalMoveError, Phase, warband
from sbg_sim.phase.words import in_words, read_die, read_move, read_point

if TYPE_CHECKING:
    from sbg_sim.solver.verdict import Violation
    from sbg_sim.table.board import Table
    from sbg_sim.table.route import Test

Asker: TypeAlias = Callable[[str], str]
"""Asks the player for a die and returns what is typed."""

HELP: Final = """\
gimli charge uruk-1          a charge, at several: gimli charge uruk-1 and uruk-2
gimli to 10 12               a move by the shortest way; on a platform: gimli to 10 12 on scaffold
gimli path 1 1 2 3 4 3       a move along a line you draw, charging whom it ends in contact with
frodo stand | frodo lie | frodo crawl 3 4 stand | frodo stand to 10 12
faramir arrive 0 12 to 3 12  a reinforcement, from a point of the edge
... rolls 4 6                dice you have rolled already; else you are asked for each
who                          who can do what; `who gimli` for one model
why gimli charge uruk-1      why that is allowed or not, and its chance
fights                       who fights whom, as it stands
deploy 0 12                  can the warband that waits come on there? how, or why not
undo | end | slay uruk-1     take back; the side has finished; a model is removed, its foe is free
show pic.png | save file.toml | record | hash | quit"""

_WORDS: Final = frozenset(
    {"help", "who", "why", "fights", "deploy", "undo", "end", "slay", "show", "save", "record", "hash", "quit", "exit"}
)


@dataclass
class Session:
    """A phase, and the words spoken about it.

    Parameters
    ----------
    phase
        As it stands.
    asker
        Asks for dice.
    dice
        Rolls them when nobody does.
    saving, drawing
        A file to write after the last word: path and table; path of a picture.
    finished
        Whether the player has left.
    saved
        The phase as it was last saved.
    leaving
        Whether the player has been told that it is not.

    """

    phase: Phase
    asker: Asker
    dice: random.Random
    saving: tuple[str, Table] | None = None
    drawing: str | None = None
    finished: bool = False
    saved: Phase | None = None
    leaving: bool = False

    @classmethod
    def begin(
        cls, table: Table, priority: str | None, asker: Asker, seed: int | None = None, *, resume: bool = False
    ) -> Session:
        """Begin a session, or go on where the record of the table ends."""
        if resume:
            phase = resumed(table)
            return cls(phase, asker, _dice(seed), saved=phase)
        first = priority
        if first is None and table.record is None:
            first = min((m.side for m in table.models.values() if m.side), default="")
        return cls(Phase.begin(table, first), asker, _dice(seed))

    def hear(self, said: str) -> str:
        """Do what is said and return the answer.

        Raises
        ------
        SbgError
            When what is said makes no sense; the phase is as before.

        """
        self.saving = self.drawing = None
        words = said.split()
        if not words:
            return ""
        verb, rest = words[0].lower(), words[1:]
        self.leaving = self.leaving and verb in {"quit", "exit"}
        if verb not in _WORDS or words[0] in self.phase.table.models:
            return self._move(said)
        answer: Callable[[list[str]], str] = getattr(self, f"_{'quit' if verb == 'exit' else verb}")
        return answer(rest)

    def status(self) -> str:
        """Say whose turn it is and who can do what."""
        if self.phase.over:
            return f"the Move phase is over\n{self._fights([])}"
        doing = "brings on its reinforcements" if self.phase.reinforcing else "moves"
        lines = [f"{self.phase.side} {doing}"]
        lines += [self._openings(name) for name in self.phase.movable]
        if not self.phase.movable:
            lines.append("  nobody is left to move: say `end`")
        return "\n".join(lines)

    def _openings(self, name: str) -> str:
        found = open_moves(self.phase, name)
        if found.closed:
            return f"  {name}: nothing: {_reasons(found.closed)}"
        model = self.phase.table.model(name)
        charges = [who if chance == 1 else f"{who} ({chance})" for who, chance in found.charges]
        place = "outside" if name in self.phase.table.off else f"({model.at[0]:g}, {model.at[1]:g})"
        state = " prone" if model.prone else ""
        can = f"{', '.join(found.does)}" + (f" {', '.join(charges)}" if charges else "")
        return f"  {name} at {place}{state}, Move {found.allowance:g}: {can}"

    def _move(self, said: str) -> str:
        move = read_move(said, self.phase.table)
        judged = self.phase.judge(move)
        if judged.violations:
            return f"not allowed: {_reasons(judged.violations)}"
        self.phase = self.phase.pushed(judged, move.rolls or self._die)
        step = self.phase.steps[-1]
        return f"{step.reason} [{', '.join(step.rules)}]"

    def _die(self, test: Test) -> int:
        word = self.asker(f"{test.kind} over {test.over}")
        return read_die(word) if word else self.dice.randint(1, 6)

    def _help(self, _: list[str]) -> str:
        return HELP

    def _who(self, rest: list[str]) -> str:
        return "\n".join(self._openings(self.phase.table.model(name).id) for name in rest) or self.status()

    def _why(self, rest: list[str]) -> str:
        judged = self.phase.judge(read_move(" ".join(rest), self.phase.table))
        if judged.violations:
            return f"not allowed: {_reasons(judged.violations)}"
        dice = ", ".join(f"{t.kind} over {t.over}" for t in judged.route.tests)
        chance = f", with a chance of {judged.chance} ({dice})" if dice else ""
        return f"allowed{chance}: {judged.route.cost:.4f} in [{', '.join(judged.rules)}]"

    def _fights(self, _: list[str]) -> str:
        found = self.phase.fights()
        if not found.contacts:
            return "nobody fights"
        lines = [f"{', '.join(f.good)} against {', '.join(f.evil)}" for f in found.forced]
        for name, sets in found.choices.items():
            enemies = " or ".join(" and ".join(s) for s in sets)
            lines.append(f"{self.phase.priority} chooses whether {name} fights {enemies}")
        return "\n".join(lines)

    def _deploy(self, rest: list[str]) -> str:
        point = read_point(rest, "deploy")
        waiting = [self.phase.table.model(name) for name in self.phase.waiting]
        if not waiting:
            raise QuestionError(f"nobody of {self.phase.side} waits outside the table")
        band = [m.id for m in waiting if warband(m) == warband(waiting[0])]
        found = deploy(self.phase.table, band, point)
        later = "; they may try again next turn with +1 to the roll (REINF.2)" if found.bonus else ""
        return "\n".join((f"{found.answer}: {found.reason}{later}", *(in_words(move) for move in found.moves)))

    def _undo(self, _: list[str]) -> str:
        self.phase = self.phase.pop()
        return self.status()

    def _end(self, _: list[str]) -> str:
        try:
            self.phase = self.phase.end()
        except IllegalMoveError as error:
            return f"not yet: {error}"
        return self.status()

    def _slay(self, rest: list[str]) -> str:
        if len(rest) != 1:
            raise QuestionError("slay whom? say `slay uruk-1`")
        self.phase = self.phase.slain(rest[0])
        return f"{rest[0]} is off the table"

    def _show(self, rest: list[str]) -> str:
        self.drawing = _file(rest, "show pic.png")
        return f"drawn to {self.drawing}"

    def _save(self, rest: list[str]) -> str:
        path = _file(rest, "save file.toml")
        self.saving = (path, self.phase.record())
        return f"saved to {path}"

    def _record(self, _: list[str]) -> str:
        return "\n".join(in_words(step.move) for step in self.phase.steps) or "nothing has been done"

    def _hash(self, _: list[str]) -> str:
        return self.phase.hash

    def _quit(self, _: list[str]) -> str:
        unsaved = bool(self.phase.steps) and self.phase is not self.saved and not self.leaving
        self.finished, self.leaving = not unsaved, True
        return "the record is not saved: say `save file.toml`, or `quit` again" if unsaved else ""


def _dice(seed: int | None) -> random.Random:
    return random.SystemRandom() if seed is None else random.Random(seed)  # noqa: S311 - dice, not keys


def _file(rest: list[str], example: str) -> str:
    if len(rest) != 1:
        raise UnknownNameError(f"to which file? say `{example}`")
    return rest[0]


def _reasons(violations: tuple[Violation, ...]) -> str:
    return "; ".join(f"{v.reason} ({v.rule})" for v in violations)
