"""Playing a game record: step by step, judged as it goes, to one end state with one hash."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from sbg_sim.errors import QuestionError
from sbg_sim.phase.canon import fingerprint
from sbg_sim.phase.state import IllegalMoveError, Phase
from sbg_sim.phase.steps import Step, refused
from sbg_sim.rules.pairing import MOST_PAIRINGS
from sbg_sim.solver.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sbg_sim.phase.judging import Judged
    from sbg_sim.phase.state import Hook
    from sbg_sim.rules.pairing import Pairing, Pairings
    from sbg_sim.table.board import Table
    from sbg_sim.table.record import MoveRecord, Record

LISTED: Final = 1000
"""Ways to pair off that are listed in plain data; there can be very many more."""


@dataclass(frozen=True)
class Replay:
    """A record, played.

    Parameters
    ----------
    start
        The table before the first move.
    phase
        The phase at the end, or where it stopped.
    steps
        What happened, the illegal step last when there is one.
    fights
        Every legal way to pair off.
    chosen
        The fights the Priority player chose, as sets of ids; empty when not given.
    violations
        What is wrong with the record beyond its steps: a warband left half outside, fights that are no legal
        pairing off.

    """

    start: Table
    phase: Phase
    steps: tuple[Step, ...]
    fights: Pairings
    chosen: tuple[tuple[str, ...], ...] = ()
    violations: tuple[Violation, ...] = ()

    @property
    def table(self) -> Table:
        """The table at the end, without a record."""
        return replace(self.phase.table, record=None)

    @property
    def next_table(self) -> Table:
        """The end state as a scenario of its own, without the questions asked before."""
        return replace(self.table, questions=type(self.start.questions)())

    def listed(self) -> tuple[Pairing, ...]:
        """Return the ways to pair off, at most :data:`LISTED` of them."""
        return tuple(itertools.islice(self.fights.each(), LISTED))

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
        return {
            "legal": self.legal,
            "steps": [step.as_json() for step in self.steps],
            "fights": [
                {"pairing": [[*f.good, *f.evil] for f in pairing], "chosen": self.is_chosen(pairing)}
                for pairing in self.listed()
            ],
            "pairings": self.fights.count,
            "violations": [{"rule": v.rule, "reason": v.reason} for v in self.violations],
            "hash": self.hash,
        }

    def is_chosen(self, pairing: Pairing) -> bool:
        """Say whether a pairing off is the one the Priority player chose."""
        wanted = {frozenset(fight) for fight in self.chosen}
        return bool(wanted) and {fight.models for fight in pairing} == wanted


def replay(table: Table, record: Record | None = None, *, hooks: Iterable[Hook] = ()) -> Replay:
    """Play a record.

    A move of the next side ends the turn of the side before it; so does the end of the record. The first
    illegal step ends the replay.

    Parameters
    ----------
    table
        The table before the first move.
    record
        The record; None takes the table's own.
    hooks
        What happens at the end of each side's moves (MOV.9).

    Raises
    ------
    QuestionError
        When there is no record, or a move is malformed: dice too few, too many, or that are none.
    UnknownNameError
        For a model or platform that the table does not have.

    """
    record = table.record if record is None else record
    if record is None:
        raise QuestionError("the file holds no record to play: it needs [phase] and [[moves]]")
    phase, wrong = _played(Phase.begin(table, record.priority, hooks=hooks), record)
    if wrong is not None:
        return Replay(table, phase, (*phase.steps, refused(phase.table, wrong)), phase.fights(), record.fights)
    return _finished(table, phase, record)


def resumed(table: Table, *, hooks: Iterable[Hook] = ()) -> Phase:
    """Play the record of a table and return the phase as it stands then, the last turn not ended.

    Raises
    ------
    IllegalMoveError
        When a move of the record is not allowed.
    QuestionError, UnknownNameError
        As `replay` does.

    """
    if table.record is None:
        raise QuestionError("the file holds no record to go on from: it needs [phase] and [[moves]]")
    phase, wrong = _played(Phase.begin(table, table.record.priority, hooks=hooks), table.record)
    if wrong is not None:
        raise IllegalMoveError(wrong.violations)
    return phase


def _played(phase: Phase, record: Record) -> tuple[Phase, Judged | None]:
    """Play the moves of a record; return also the first that is not allowed."""
    for index, move in enumerate(record.moves):
        phase = _turned_to(phase, move)
        try:
            judged = phase.judge(move)
            if judged.violations:
                return phase, judged
            phase = phase.pushed(judged)
        except QuestionError as error:
            place = f"moves[{index}].rolls" if "die" in str(error) or "dice" in str(error) else f"moves[{index}]"
            raise QuestionError(f"{place} {error}") from None
    return phase, None


def _finished(table: Table, phase: Phase, record: Record) -> Replay:
    wrong: tuple[Violation, ...] = ()
    while not phase.over:
        wrong = phase.left_outside() if phase.reinforcing else ()
        if wrong:
            break
        phase = phase.end()
    fights = phase.fights()
    if record.fights and fights.count <= MOST_PAIRINGS and not fights.allows(record.fights):
        chosen = ", ".join(" against ".join(fight) for fight in record.fights)
        wrong = (*wrong, Violation("PAIR.3", f"the fights chosen are no legal pairing off: {chosen}"))
    return Replay(table, phase, phase.steps, fights, record.fights, wrong)


def _turned_to(phase: Phase, move: MoveRecord) -> Phase:
    """End turns as far as a move shows that they have ended."""
    mover = phase.table.model(move.model)
    later = phase
    while not later.over and (
        later.side != mover.side or (move.arrive is not None and mover.id in later.table.off and not later.reinforcing)
    ):
        if later.reinforcing and later.left_outside():
            return phase
        later = later.end()
    return phase if later.over else later
