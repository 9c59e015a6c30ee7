"""The Move phase as a value: whose turn it is, what is allowed, what a move leads to."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from sbg_sim.errors import QuestionError, SbgError
from sbg_sim.phase.canonical import fingerprint
from sbg_sim.phase.step import Judged
from sbg_sim.phase.turn import Turn, fights_of, next_turn, side_of
from sbg_sim.pictured import Pictured
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.record import STAGES, MoveRecord, Record
from sbg_sim.table.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sbg_sim.phase.play import Roller
    from sbg_sim.phase.step import Step
    from sbg_sim.rules.pairing import Pairings
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model

Hook: TypeAlias = "Callable[[Phase], Table]"
"""Called when a side has moved its last model: given the phase, returns the table as it is then (MOV.9)."""


class IllegalMoveError(SbgError):
    """A move that is not allowed was to be played.

    Parameters
    ----------
    violations
        Why not.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> from sbg_sim.table.record import MoveRecord
    >>> try:
    ...     sbg.Phase.begin(table, "good").push(MoveRecord("merry", to=(12, 20)))
    ... except sbg.IllegalMoveError as error:
    ...     print(error.violations[0].rule)
    MOV.3

    """

    def __init__(self, violations: tuple[Violation, ...]) -> None:
        self.violations = violations
        super().__init__("; ".join(f"{v.reason} ({v.rule})" for v in violations))

    def __reduce__(self) -> tuple[type[IllegalMoveError], tuple[tuple[Violation, ...]]]:
        return (IllegalMoveError, (self.violations,))


@dataclass(frozen=True)
class Phase(Pictured):
    """The Move phase of a turn under way, with the turns before it; every move gives a new one.

    Parameters
    ----------
    table
        The table now.
    priority
        The side that moves first (MOV.1).
    stage
        Two per side, Priority first: its models move, then its reinforcements come on; then it is over.
    steps
        The moves so far.
    start
        The table at the beginning.
    hooks
        What happens when a side has moved its last model (MOV.9), in order.
    delayed
        Models whose warband could not be placed: they may try again next turn with +1 to the roll (REINF.2).
    before
        The phase before the last thing that was done.
    past
        The turns before this one.
    waited
        How often reinforcements could not be placed in the turns before: what is added to their roll (REINF.2).
    chosen
        The fights the Priority player chose, as sets of ids; empty when not given (PAIR.3).
    shown
        The stage that the last move shows: when it is an earlier one, a record has to say the stage.

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
    priority: str
    stage: int = 0
    steps: tuple[Step, ...] = ()
    start: Table | None = field(default=None, repr=False)
    hooks: tuple[Hook, ...] = field(default=(), compare=False, repr=False)
    delayed: frozenset[str] = frozenset()
    before: Phase | None = field(default=None, compare=False, repr=False)
    past: tuple[Turn, ...] = field(default=(), repr=False)
    waited: FrozenMap[str, int] = field(default_factory=FrozenMap)
    chosen: tuple[tuple[str, ...], ...] = ()
    shown: int = field(default=0, compare=False, repr=False)

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
            The side that moves first; None takes the one of the table's record.
        hooks
            What happens at the end of each side's moves (MOV.9).

        Raises
        ------
        QuestionError
            When nobody says who has Priority, or no model is on that side.

        """
        if priority is None:
            if table.record is None:
                raise QuestionError("phase.priority is missing: a Move phase needs the side that moves first")
            priority = table.record.priority
        side_of(table, priority)
        return cls(table, priority, start=table, hooks=tuple(hooks))

    # -- whose turn it is ---------------------------------------------------------------------------------

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides in the order in which they move (MOV.1)."""
        others = {m.side for m in self.table.models.values() if m.side} - {self.priority}
        return (self.priority, *sorted(others))

    @property
    def over(self) -> bool:
        """Whether every side has finished."""
        return self.stage >= 2 * len(self.sides)

    @property
    def side(self) -> str:
        """The side whose turn it is; empty when the phase is over."""
        return "" if self.over else self.sides[self.stage // 2]

    @property
    def reinforcing(self) -> bool:
        """Whether the side's reinforcements come on now."""
        return not self.over and self.stage % 2 == 1

    @property
    def number(self) -> int:
        """The number of the turn, from 1."""
        return len(self.past) + 1

    @property
    def opening(self) -> Table:
        """The table at the very beginning, before the first turn."""
        first = self.past[0].start if self.past else self.start
        return self.table if first is None else first

    @property
    def doing(self) -> str:
        """Whose turn it is and for what, as a record says it: ``"evil moves"``, ``"over"``."""
        return "over" if self.over else f"{self.side} {STAGES[self.stage % 2]}"

    @property
    def due(self) -> tuple[str, ...]:
        """Models of every side that wait outside and may come on in this turn (REINF.1)."""
        return tuple(name for name in self.table.models if name in self.table.off - self.delayed)

    @property
    def waiting(self) -> tuple[str, ...]:
        """Models of the side whose turn it is that can still come on."""
        return tuple(
            m.id for m in self.table.models.values() if m.id in self.table.off - self.delayed and m.side == self.side
        )

    @property
    def movable(self) -> tuple[str, ...]:
        """Models that may still move now: of this side, not moved, not engaged, not held (MOV.6)."""
        if self.reinforcing:
            return self.waiting
        return tuple(m.id for m in self.table.standing() if m.side == self.side and _is_free(m))

    @property
    def moved(self) -> tuple[str, ...]:
        """Models on the table that have moved."""
        return tuple(m.id for m in self.table.standing() if m.moved)

    @property
    def engaged(self) -> tuple[str, ...]:
        """Models in contact with an enemy."""
        return tuple(m.id for m in self.table.standing() if m.engaged)

    @property
    def held(self) -> tuple[str, ...]:
        """Models that an effect keeps from moving."""
        return tuple(m.id for m in self.table.standing() if not m.may_move)

    @property
    def prone(self) -> tuple[str, ...]:
        """Models that lie."""
        return tuple(m.id for m in self.table.standing() if m.prone)

    # -- what is allowed ----------------------------------------------------------------------------------

    def judge(self, move: MoveRecord) -> Judged:
        """Judge a move: its route and chance, or why it is not allowed.

        Raises
        ------
        UnknownNameError
            For a model or platform that the table does not have.
        QuestionError
            For a move that says nothing, or two things at once.

        """
        gone = self._gone(move)
        if gone is not None:
            return Judged(move, (gone,), targets=move.charge, rules=(gone.rule,))
        if not move.is_move:
            from sbg_sim.phase.events import judge_event

            return judge_event(self.table, move)
        mover = self.table.model(move.model)
        out_of_turn = self._out_of_turn(mover, move)
        if out_of_turn:
            return Judged(move, (out_of_turn,), targets=move.charge, rules=(out_of_turn.rule,))
        from sbg_sim.phase.legality import judge  # the solver is loaded with the first move, not with the first prompt

        return judge(self.table, move)

    def explain(self, move: MoveRecord) -> tuple[Violation, ...]:
        """Return every reason why a move is not allowed; none means that it is."""
        return self.judge(move).violations

    def legal(self, move: MoveRecord) -> bool:
        """Say whether a move is allowed now; its dice are not looked at."""
        return not self.explain(move)

    def _gone(self, move: MoveRecord) -> Violation | None:
        """Say who of those named has been slain."""
        known = self.opening.models
        for name in (move.model, *move.charge):
            if name not in self.table.models and name in known:
                rule = "MOV.6" if name == move.model else "CHG.1"
                return Violation(rule, f"{name} has been slain", None, name)
        return None

    def _out_of_turn(self, mover: Model, move: MoveRecord) -> Violation | None:
        place = None if mover.id in self.table.off else mover.at
        if self.over:
            return Violation("MOV.1", "the Move phase is over", place)
        if mover.side != self.side:
            whose = f"of {mover.side}" if mover.side else "on no side"
            return Violation("MOV.1", f"{self.side} moves now, and {mover.id} is {whose}", place)
        if self.reinforcing and mover.id not in self.table.off:
            reason = f"{self.side} has finished moving: only its reinforcements come on now"
            return Violation("REINF.1", reason, place)
        if not self.reinforcing and move.arrive is not None and mover.id in self.table.off:
            reason = f"reinforcements come on when {self.side} has finished moving its other models"
            return Violation("REINF.1", reason, move.arrive)
        if mover.id in self.delayed:
            return Violation("REINF.2", f"the warband of {mover.id} could not be placed and waits for next turn", place)
        return self._elsewhere(mover, move)

    def _elsewhere(self, mover: Model, move: MoveRecord) -> Violation | None:
        """Check that a warband comes on from one point (REINF.2)."""
        band = warband(mover)
        if move.arrive is None or not band:
            return None
        for step in self.steps:
            point = step.move.arrive
            if point is not None and self._warband(step.model) == band and point != move.arrive:
                reason = f"the warband comes on from ({point[0]:g}, {point[1]:g}), all of it"
                return Violation("REINF.2", reason, move.arrive, step.model)
        return None

    # -- what happens -------------------------------------------------------------------------------------

    def push(self, move: MoveRecord, dice: Roller | Iterable[int] | None = None) -> Phase:
        """Play a move.

        Parameters
        ----------
        move
            What a model does.
        dice
            The dice in order, or a function that gives one for each test; None takes those of the move.

        Returns
        -------
        The phase after it; the move is its last step.

        Raises
        ------
        IllegalMoveError
            When it is not allowed.
        QuestionError
            For dice too few, too many, or that show no number from 1 to 6.

        """
        judged = self.judge(move)
        if judged.violations:
            raise IllegalMoveError(judged.violations)
        return self.pushed(judged, dice)

    def pushed(self, judged: Judged, dice: Roller | Iterable[int] | None = None) -> Phase:
        """Play a move that has been judged and is allowed; see `push`."""
        if not judged.move.is_move:
            from sbg_sim.phase.events import befallen

            step, table = befallen(self.table, judged)
            kept = self.delayed | ({judged.move.model} if judged.move.delayed else frozenset())
            return replace(self, table=table, steps=(*self.steps, step), delayed=kept, before=self)
        from sbg_sim.phase.play import Cup, played

        if callable(dice):
            step, table = played(self.table, judged, dice)
        else:
            cup = Cup(judged.move.rolls if dice is None else dice, judged.move.model)
            step, table = played(self.table, judged, cup)
            cup.finish()
        return replace(self, table=table, steps=(*self.steps, step), before=self, shown=self.stage)

    def pop(self) -> Phase:
        """Take back the last thing that was done; QuestionError when nothing was."""
        if self.before is None:
            raise QuestionError("there is nothing to take back: the phase has just begun")
        return self.before

    def end(self) -> Phase:
        """Finish: the side's moves, then its reinforcements; the next side follows (MOV.1, MOV.9).

        Raises
        ------
        IllegalMoveError
            When part of a warband would be left outside (REINF.2).
        QuestionError
            When the phase is over.

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

    def left_outside(self) -> tuple[Violation, ...]:
        """Return who waits outside though its warband has begun to come on (REINF.2)."""
        came = {self._warband(s.model) for s in self.steps if s.move.arrive is not None} - {""}
        return tuple(
            Violation("REINF.2", f"{name} stays outside, and its warband comes on whole or not at all", None, name)
            for name in self.waiting
            if warband(self.table.model(name)) in came
        )

    def _warband(self, name: str) -> str:
        """Return the warband of a model, also of one that has been slain since."""
        return warband(self.opening.model(name))

    def delay(self, names: Iterable[str]) -> Phase:
        """Keep reinforcements outside until next turn, with +1 to their roll then (REINF.2).

        That their warband cannot be placed is for `deploy` to say.
        """
        after = self
        for name in sorted(set(names)):
            after = after.push(MoveRecord(name, delayed=True))
        return replace(after, before=self)

    def slain(self, name: str) -> Phase:
        """Take a model off the table; who fought it alone is free again, and may move if it has not (CHG.2).

        Parameters
        ----------
        name
            The model that a throwing weapon, a Magical Power or another effect took away.

        """
        return self.push(MoveRecord(self.table.model(name).id, slain=True))

    def choose(self, fights: Iterable[Iterable[str]]) -> Phase:
        """Choose who fights whom, as the player with Priority does (PAIR.3).

        Raises
        ------
        IllegalMoveError
            When it is no legal pairing off.

        """
        chosen = tuple(tuple(fight) for fight in fights)
        if chosen and not self.fights().allows(chosen):
            told = ", ".join(" against ".join(fight) for fight in chosen)
            raise IllegalMoveError((Violation("PAIR.3", f"the fights chosen are no legal pairing off: {told}"),))
        return replace(self, chosen=chosen, before=self)

    def next(self, priority: str) -> Phase:
        """Begin the next turn: nobody has moved; who is engaged, prone or on a face stays so; the slain are gone.

        Reinforcements that could not be placed are due again, with +1 to their roll (REINF.2).

        Parameters
        ----------
        priority
            The side that moves first now.

        Raises
        ------
        QuestionError
            When this turn is not over, or no model is on that side.

        """
        if not self.over:
            raise QuestionError(f"the Move phase is not over: {self.doing} now")
        begun = Phase.begin(next_turn(self.table), priority, hooks=self.hooks)
        record = replace(self._recorded(), stage="")  # that another turn follows says that it is over
        turn = Turn(self.number, self.start or self.table, self.table, self.steps, record)
        waited = {name: self.waited.get(name, 0) + (name in self.delayed) for name in self.table.off}
        return replace(
            begun,
            before=self,
            past=(*self.past, turn),
            waited=FrozenMap({name: count for name, count in waited.items() if count}),
        )

    # -- what it comes to ---------------------------------------------------------------------------------

    def fights(self) -> Pairings:
        """Pair off who is in contact, also before the end of the phase (PAIR.1-4)."""
        return fights_of(self.table, self.priority)

    @property
    def hash(self) -> str:
        """The SHA-256 of the table's canonical text."""
        return fingerprint(self.table)

    def record(self) -> Table:
        """Return the table at the very beginning with all turns so far as its record, to be written to a file."""
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


def _is_free(model: Model) -> bool:
    """Say whether a model may still move (MOV.6)."""
    return model.may_move and not model.moved and not model.engaged


def warband(model: Model) -> str:
    """Return the warband a model belongs to: its keyword that begins with ``warband``, else nothing."""
    return next((k for k in sorted(model.keywords) if k.startswith("warband")), "")
