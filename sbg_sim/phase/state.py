"""The Move phase as an immutable value: the side whose turn it is, the moves so far, and the table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from sbg_sim.errors import QuestionError
from sbg_sim.phase.canonical import fingerprint
from sbg_sim.phase.turn import Turn, fights_of, next_turn, side_of, sides_of
from sbg_sim.phase.turn_taking import IllegalMoveError, TurnTaking
from sbg_sim.pictured import Pictured
from sbg_sim.table.board import sound
from sbg_sim.table.record import MoveRecord, Record
from sbg_sim.table.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Callable

    from sbg_sim.phase.play import Roller
    from sbg_sim.phase.turn import Judged, Step
    from sbg_sim.rules.pairing import Pairings
    from sbg_sim.table.board import Table

Hook: TypeAlias = "Callable[[Phase], Table]"
"""Called when a side has moved its last model: takes the phase, returns the table after its effects (MOV.9)."""


@dataclass(frozen=True)
class Phase(TurnTaking, Pictured):
    """The Move phase of a turn under way, with the turns before it; every move gives a new one.

    Parameters
    ----------
    table
        The table now.
    priority
        The side that moves first (MOV.1); by default that of the table's record.
    stage
        Two per side, Priority first: its models move, then its reinforcements come on; then it is over.
    steps
        The moves so far.
    start
        The table at the beginning.
    hooks
        Called when a side has moved its last model (MOV.9), in order.
    delayed
        Models whose warband could not be placed: they may try again next turn with +1 to the roll (REINF.2).
    before
        The phase before the last action.
    past
        The turns before this one.
    chosen
        The fights that the Priority player chose, as sets of ids; empty if not given (PAIR.3).
    shown
        The stage that the last move shows; if it is an earlier one, a record must state the stage.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> from sbg_sim.table.record import MoveRecord
    >>> phase = Phase.begin(table, "good")
    >>> after = phase.push(MoveRecord("merry", to=(12, 15)))
    >>> after.table.model("merry").at, after.pop() == phase
    ((12, 15), True)

    """

    table: Table
    priority: str = ""
    stage: int = 0
    steps: tuple[Step, ...] = ()
    start: Table | None = field(default=None, repr=False)
    hooks: tuple[Hook, ...] = field(default=(), compare=False, repr=False)
    delayed: frozenset[str] = frozenset()
    before: Phase | None = field(default=None, compare=False, repr=False)
    past: tuple[Turn, ...] = field(default=(), repr=False)
    chosen: tuple[tuple[str, ...], ...] = ()
    shown: int = field(default=0, compare=False, repr=False)

    def __post_init__(self) -> None:
        sound(self.table)
        if not self.priority:
            if self.table.record is None:
                sides = " or ".join(map(repr, sides_of(self.table))) or "and no model has a side"
                raise QuestionError(f"phase.priority is missing: a Move phase needs the side that moves first, {sides}")
            object.__setattr__(self, "priority", self.table.record.priority)
        if self.start is None and not self.steps:
            side_of(self.table, self.priority)

    def __repr__(self) -> str:
        turn = "over" if self.over else f"{self.side} to move"
        moves = "".join(f"\n  {step.move.model}: {step.reason}" for step in self.steps)
        return f"<Phase: {len(self.steps)} move{'s' * (len(self.steps) != 1)}, {turn}>{moves}"

    @classmethod
    def begin(cls, table: Table, priority: str | None = None, *, hooks: Iterable[Hook] = ()) -> Phase:
        """Begin a phase on a table.

        Parameters
        ----------
        table
            The table; models that have moved already stay moved.
        priority
            The side that moves first; None takes that of the table's record.
        hooks
            Called at the end of each side's moves (MOV.9).

        Raises
        ------
        QuestionError
            If it is unknown which side has Priority, or if no model is on that side.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/charging-2-open.toml")
        >>> Phase.begin(table, "evil").side
        'evil'

        """
        phase = cls(table, priority or "", start=table, hooks=tuple(_several(hooks, "hooks")))
        side_of(table, phase.priority)
        return phase

    # -- what happens -------------------------------------------------------------------------------------

    def push(self, move: MoveRecord, dice: Roller | Iterable[int] | None = None) -> Phase:
        """Play a move.

        Parameters
        ----------
        move
            The move.
        dice
            The dice in order, or a function that returns one for each test; None takes those of the move.

        Returns
        -------
        The phase after it; the move is its last step.

        Raises
        ------
        IllegalMoveError
            If it is not allowed.
        QuestionError
            For too few or too many dice, or for one that shows no number from 1 to 6.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> from sbg_sim.table.record import MoveRecord
        >>> phase = sbg.Phase(sbg.load("scenarios/charging-2-open.toml"), "evil")
        >>> phase.push(MoveRecord("uruk-3", to=(6, 12))).table.model("uruk-3").at
        (6, 12)

        """
        judged = self.judge(move)
        if judged.violations:
            raise IllegalMoveError(judged.violations)
        return self.pushed(judged, dice)

    def pushed(self, judged: Judged, dice: Roller | Iterable[int] | None = None) -> Phase:
        """Play a move that has been judged and is allowed; see `push`.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> from sbg_sim.table.record import MoveRecord
        >>> phase = sbg.Phase(sbg.load("scenarios/charging-2-open.toml"), "evil")
        >>> judged = phase.judge(MoveRecord("uruk-3", to=(6, 12)))
        >>> phase.pushed(judged).table.model("uruk-3").at
        (6, 12)

        """
        if not judged.move.is_move:
            from sbg_sim.phase.events import befallen

            step, table = befallen(self.table, judged)
            step = replace(step, before=self.table, after=table)
            kept = self.delayed | ({judged.move.model} if judged.move.delayed else frozenset())
            return replace(self, table=table, steps=(*self.steps, step), delayed=kept, before=self)
        from sbg_sim.phase.play import Cup, played

        if callable(dice):
            step, table = played(self.table, judged, dice)
        else:
            cup = Cup(judged.move.rolls if dice is None else dice, judged.move.model)
            step, table = played(self.table, judged, cup)
            cup.finish()
        step = replace(step, before=self.table, after=table)
        return replace(self, table=table, steps=(*self.steps, step), before=self, shown=self.stage)

    def pop(self) -> Phase:
        """Take back the last action; QuestionError if there is none.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> from sbg_sim.table.record import MoveRecord
        >>> phase = sbg.Phase(sbg.load("scenarios/charging-2-open.toml"), "evil")
        >>> phase.push(MoveRecord("uruk-3", to=(6, 12))).pop() == phase
        True

        """
        if self.before is None:
            raise QuestionError("there is nothing to take back: the phase has just begun")
        return self.before

    def end(self) -> Phase:
        """End the stage: the side's moves, then its reinforcements; then the next side follows (MOV.1, MOV.9).

        Raises
        ------
        IllegalMoveError
            If part of a warband would be left outside (REINF.2).
        QuestionError
            If the phase is over.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> phase = sbg.Phase(sbg.load("scenarios/charging-2-open.toml"), "evil")
        >>> phase.end().side
        'good'

        """
        if self.over:
            raise QuestionError("the Move phase is over")
        if self.reinforcing:
            left = self.left_outside()
            if left:
                raise IllegalMoveError(left)
            return replace(self, stage=self.stage + 1, before=self)
        after = self
        for hook in self.hooks:
            after = replace(after, table=hook(after))
        step = 1 if after.waiting else 2
        return replace(after, stage=self.stage + step, before=self)

    def delay(self, names: Iterable[str]) -> Phase:
        """Keep reinforcements, by their ids, outside until next turn, with +1 to their roll then (REINF.2).

        Whether their warband cannot be placed is for `deploy` to say.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> phase = sbg.Phase(sbg.load("scenarios/phase/three-turns.toml"))
        >>> sorted(phase.delay(["eowyn"]).delayed)
        ['eowyn']

        """
        after = self
        for name in sorted(set(_several(names, "who is delayed"))):
            after = after.push(MoveRecord(name, delayed=True))
        return replace(after, before=self)

    def slain(self, name: str) -> Phase:
        """Take a model off the table; models that fought it alone are free, and may move if they have not (CHG.2).

        Parameters
        ----------
        name
            The model that a throwing weapon, a Magical Power or another effect took away.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> from sbg_sim.table.record import MoveRecord
        >>> phase = sbg.Phase(sbg.load("scenarios/charging-2-open.toml"), "evil")
        >>> "uruk-1" in phase.slain("uruk-1").table.models
        False

        """
        return self.push(MoveRecord(self.table.model(name).id, slain=True))

    def choose(self, fights: Iterable[Iterable[str]]) -> Phase:
        """Choose the fights, each given by the ids of its models, as the player with Priority does (PAIR.3).

        Raises
        ------
        IllegalMoveError
            If it is no legal pairing off.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> phase = sbg.Phase(sbg.load("scenarios/charging-2-open.toml"), "evil")
        >>> first = next(phase.fights().each())
        >>> phase.choose([sorted(fight.models) for fight in first]).chosen
        (('aragorn', 'uruk-1'), ('boromir', 'uruk-2'))

        """
        chosen = tuple(tuple(_several(fight, "a fight")) for fight in _several(fights, "the fights"))
        if chosen and not self.fights().allows(chosen):
            told = ", ".join(" against ".join(fight) for fight in chosen)
            raise IllegalMoveError((Violation("PAIR.3", f"the fights chosen are no legal pairing off: {told}"),))
        return replace(self, chosen=chosen, before=self)

    def next(self, priority: str) -> Phase:
        """Begin the next turn: no model has moved; engaged, prone and hanging models stay so; the slain are gone.

        Reinforcements that could not be placed are due again, with +1 to their roll (REINF.2).

        Parameters
        ----------
        priority
            The side that moves first now.

        Raises
        ------
        QuestionError
            If this turn is not over, or if no model is on that side.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> phase = sbg.Phase(sbg.load("scenarios/charging-2-open.toml"), "evil")
        >>> over = phase.end().end()
        >>> over.next("good").side
        'good'

        """
        if not self.over:
            raise QuestionError(f"the Move phase is not over: {self.doing} now")
        begun = Phase.begin(next_turn(self.table, self.delayed), priority, hooks=self.hooks)
        record = replace(self._recorded(), stage="")  # the turn is over, for another follows
        turn = Turn(self.number, self.start or self.table, self.table, self.steps, record)
        return replace(begun, before=self, past=(*self.past, turn))

    # -- results ------------------------------------------------------------------------------------------

    def fights(self) -> Pairings:
        """Pair off the models in contact, also before the end of the phase (PAIR.1-4).

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> from sbg_sim.table.record import MoveRecord
        >>> phase = sbg.Phase(sbg.load("scenarios/charging-2-open.toml"), "evil")
        >>> after = phase.push(MoveRecord("uruk-3", charge=("pippin",)))
        >>> after.fights().count
        1

        """
        return fights_of(self.table, self.priority)

    @property
    def hash(self) -> str:
        """The SHA-256 of the table's canonical text.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> from sbg_sim.table.record import MoveRecord
        >>> phase = sbg.Phase(sbg.load("scenarios/charging-2-open.toml"), "evil")
        >>> len(phase.hash), phase.hash == phase.push(MoveRecord("uruk-3", to=(6, 12))).pop().hash
        (64, True)

        """
        return fingerprint(self.table)

    def record(self) -> Table:
        """Return the table at the very beginning with all turns so far as its record, to be written to a file.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> from sbg_sim.table.record import MoveRecord
        >>> phase = sbg.Phase(sbg.load("scenarios/charging-2-open.toml"), "evil")
        >>> played = phase.push(MoveRecord("uruk-3", to=(6, 12))).record()
        >>> [move.model for move in played.record.moves]
        ['uruk-3']

        """
        turns = [*(turn.record for turn in self.past), self._recorded()]
        given = self.opening.record
        ahead = 0 if given is not None and given.key else -1
        keyed = [replace(turn, key=f"turns[{i + ahead}]." if i + ahead >= 0 else "") for i, turn in enumerate(turns)]
        return replace(self.opening, record=replace(keyed[0], later=tuple(keyed[1:])))

    def _recorded(self) -> Record:
        """Return this turn as a record."""
        moves = tuple(step.move for step in self.steps)
        stage = self.doing if self.stage > self.shown else ""
        return Record(self.priority, moves, self.chosen, stage)


def _several(given: Any, what: str) -> Iterable[Any]:
    """Return a sequence of several values; QuestionError for a single one, or for a word."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise QuestionError(f"{what}: one after the other, as in a list, not {given!r:.60}")
    return given
