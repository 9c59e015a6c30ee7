"""Replays a game record: step by step, each judged, to one end state with one hash."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sbg_sim.errors import QuestionError
from sbg_sim.phase.canonical import fingerprint
from sbg_sim.phase.state import Phase
from sbg_sim.phase.turn import Melee, Step, Turn, is_chosen, next_turn, refused
from sbg_sim.phase.turn_taking import IllegalMoveError, recorded
from sbg_sim.pictured import Pictured
from sbg_sim.rules.pairing import MOST_PAIRINGS
from sbg_sim.table.board import sound
from sbg_sim.table.record import Record
from sbg_sim.table.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sbg_sim.phase.state import Hook
    from sbg_sim.phase.turn import Judged
    from sbg_sim.rules.pairing import Pairing, Pairings
    from sbg_sim.table.board import Table
    from sbg_sim.table.record import MoveRecord


@dataclass(frozen=True)
class Replay(Pictured):
    """A replayed record.

    Parameters
    ----------
    start
        The table before the first move.
    phase
        The phase at the end, or where the replay stopped.
    steps
        The steps of all turns, the illegal one last if there is one.
    fights
        Every legal way to pair off at the end.
    chosen
        The fights that the Priority player chose, as sets of ids; empty if not given.
    violations
        The violations of the record beyond its steps: a warband left half outside, fights that are no legal pairing
        off.

    """

    start: Table
    phase: Phase
    steps: tuple[Step, ...]
    fights: Pairings
    chosen: tuple[tuple[str, ...], ...] = ()
    violations: tuple[Violation, ...] = ()

    def __repr__(self) -> str:
        return f"<Replay: {'legal' if self.legal else 'illegal'}, ends as {self.phase!r}>"

    @property
    def table(self) -> Table:
        """The table at the end, without a record."""
        return replace(self.phase.table, record=None)

    @property
    def next_table(self) -> Table:
        """The table as the next turn begins, a scenario of its own: no model has moved, and there are no questions."""
        return replace(next_turn(self.table, self.phase.delayed), questions=type(self.start.questions)())

    def next_turn(self, priority: str | None = None) -> Table:
        """Return `next_table`, with the side that moves first if that is known."""
        table = self.next_table
        return table if priority is None else replace(table, record=Record(priority))

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Every turn with its moves, the last one as it stands at the end."""
        phase = self.phase
        done = sum(len(turn.steps) for turn in phase.past)
        steps = self.steps[done:]
        moves = tuple(step.move for step in steps)
        last = Turn(
            phase.number, phase.start or self.start, self.table, steps, Record(phase.priority, moves, self.chosen)
        )
        return (*phase.past, last)

    def listed(self) -> tuple[Pairing, ...]:
        """Return the ways to pair off, at most :data:`LISTED` of them."""
        return self.melee.listed()

    @property
    def melee(self) -> Melee:
        """The fights at the end, with the trapped models."""
        return Melee(self.table, self.fights, self.chosen)

    @property
    def legal(self) -> bool:
        """Whether every step is allowed, and the fights are."""
        return not self.violations and all(step.legal for step in self.steps)

    @property
    def hash(self) -> str:
        """The SHA-256 of the end state's canonical text."""
        return fingerprint(self.table)

    def as_json(self) -> dict[str, Any]:
        """Return the replay as plain data, with the keys of the file format's replays.

        Of the ways to pair off the first :data:`LISTED` are listed; ``pairings`` counts them all.
        """
        turns = self.turns
        return {
            "legal": self.legal,
            "steps": [{"turn": turn.number, **step.as_json()} for turn in turns for step in turn.steps],
            **self.melee.as_json(),
            "turns": [
                {
                    "turn": turn.number,
                    "priority": turn.record.priority,
                    "moves": len(turn.steps),
                    **Melee(turn.end, turn.fights, turn.record.fights).as_json(),
                    "hash": fingerprint(replace(turn.end, record=None)),
                }
                for turn in turns
            ],
            "due": [{"model": name, "bonus": self.table.model(name).waited} for name in sorted(self.table.off)],
            "violations": [{"rule": v.rule, "reason": v.reason} for v in self.violations],
            "hash": self.hash,
        }

    def is_chosen(self, pairing: Pairing) -> bool:
        """Say whether a pairing off is the one that the Priority player chose."""
        return is_chosen(pairing, self.chosen)


def replay(table: Table, record: Record | None = None, *, hooks: Iterable[Hook] = ()) -> Replay:
    """Play a record, turn by turn.

    A move of the next side ends the turn of the side before it; so does the end of the record. The first illegal step
    ends the replay.

    Parameters
    ----------
    table
        The table before the first move.
    record
        The record; None takes the table's own.
    hooks
        Called at the end of each side's moves (MOV.9).

    Raises
    ------
    QuestionError
        If there is no record, or if a move is malformed: too few or too many dice, or invalid ones.
    UnknownNameError
        For a model or platform that the table does not have.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> played = replay(sbg.load("scenarios/phase/charging-2-sequence.toml"))
    >>> played.legal, len(played.steps)
    (True, 3)

    """
    record = sound(table).record if record is None else record
    if record is None:
        raise QuestionError("the file holds no record to play: it needs [phase] and [[moves]]")
    if not isinstance(record, Record):
        raise QuestionError(f"{record!r:.60} is not a record: a Record holds the moves of a phase")
    phase = Phase.begin(table, record.priority, hooks=hooks)
    done: tuple[Step, ...] = ()
    for turn in record.turns:
        if turn is not record:
            phase = _next(phase, turn)
        phase, wrong = _played(phase, turn)
        if wrong is not None:
            steps = (*done, *phase.steps, refused(phase.table, wrong))
            return Replay(table, phase, steps, phase.fights(), turn.fights)
        phase, faults = _finished(phase, turn)
        done = (*done, *phase.steps)
        if faults:
            return Replay(table, phase, done, phase.fights(), turn.fights, faults)
    return Replay(table, phase, done, phase.fights(), phase.chosen)


def resumed(table: Table, *, hooks: Iterable[Hook] = ()) -> Phase:
    """Play the record of a table and return the phase at its end, the last turn as far as the record goes.

    Raises
    ------
    IllegalMoveError
        If a move of the record is not allowed.
    QuestionError, UnknownNameError
        As `replay` does.

    """
    record = table.record
    if record is None:
        raise QuestionError("the file holds no record to go on from: it needs [phase] and [[moves]]")
    phase = Phase.begin(table, record.priority, hooks=hooks)
    *earlier, last = record.turns
    for turn, following in zip(earlier, record.later, strict=True):
        phase, faults = _finished(_resumed(phase, turn), turn)
        if faults:
            raise IllegalMoveError(faults)
        phase = _next(phase, following)
    phase = _resumed(phase, last)
    while last.stage and phase.doing != last.stage and not phase.over:
        phase = phase.end()
    return replace(phase, chosen=last.fights)


def _resumed(phase: Phase, turn: Record) -> Phase:
    phase, wrong = _played(phase, turn)
    if wrong is not None:
        raise IllegalMoveError(wrong.violations)
    return phase


def _next(phase: Phase, turn: Record) -> Phase:
    try:
        return phase.next(turn.priority)
    except QuestionError as error:
        raise QuestionError(f"{turn.key or 'phase.'}priority: {error}") from None


def _played(phase: Phase, record: Record) -> tuple[Phase, Judged | None]:
    """Play the moves of a turn; return also the first that is not allowed."""
    for index, move in enumerate(record.moves):
        try:
            recorded(move)
            phase = _turned_to(phase, move)
            judged = phase.judge(move)
            if judged.violations:
                return phase, judged
            phase = phase.pushed(judged)
        except QuestionError as error:
            place = f"{record.key}moves[{index}]"
            place += ".rolls" if "die" in str(error) or "dice" in str(error) else ""
            raise QuestionError(f"{place} {error}") from None
    return phase, None


def _finished(phase: Phase, record: Record) -> tuple[Phase, tuple[Violation, ...]]:
    """End a turn; return also the violations of its end."""
    while not phase.over:
        left = phase.left_outside() if phase.reinforcing else ()
        if left:
            return phase, left
        phase = phase.end()
    fights = phase.fights()
    if record.fights and fights.count <= MOST_PAIRINGS and not fights.allows(record.fights):
        chosen = ", ".join(" against ".join(fight) for fight in record.fights)
        return phase, (Violation("PAIR.3", f"the fights chosen are no legal pairing off: {chosen}"),)
    return replace(phase, chosen=record.fights), ()


def _turned_to(phase: Phase, move: MoveRecord) -> Phase:
    """End turns as far as a move shows that they have ended."""
    if not move.is_move or move.model not in phase.table.models:
        return phase
    mover = phase.table.model(move.model)
    later = phase
    while not later.over and (
        later.side != mover.side or (move.arrive is not None and mover.id in later.table.off and not later.reinforcing)
    ):
        if later.reinforcing and later.left_outside():
            return phase
        later = later.end()
    return phase if later.over else later
