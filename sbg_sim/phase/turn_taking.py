"""Turn-taking in a Move phase: the side whose turn it is, and the moves that are open to each model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sbg_sim.errors import QuestionError, SbgError
from sbg_sim.phase.turn import Judged
from sbg_sim.table.board import allowance
from sbg_sim.table.record import STAGES, MoveRecord
from sbg_sim.table.violation import Violation

if TYPE_CHECKING:
    from fractions import Fraction

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.phase.turn import Step, Turn
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model


class IllegalMoveError(SbgError):
    """The error of playing a move that is not allowed.

    Parameters
    ----------
    violations
        The reasons.

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


class TurnTaking:
    """The part of a phase that tells whose turn it is and what is allowed; its fields are those of `Phase`."""

    table: Table
    priority: str
    stage: int
    steps: tuple[Step, ...]
    start: Table | None
    delayed: frozenset[str]
    past: tuple[Turn, ...]

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
        """The side whose turn it is; empty if the phase is over."""
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
        """The side whose turn it is and its stage, as in a record: ``"evil moves"``, ``"over"``."""
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
        """Models that are prone."""
        return tuple(m.id for m in self.table.standing() if m.prone)

    # -- what is allowed ----------------------------------------------------------------------------------

    def judge(self, move: MoveRecord) -> Judged:
        """Judge a move: its route and chance, or why it is not allowed.

        Raises
        ------
        UnknownNameError
            For a model or platform that the table does not have.
        QuestionError
            For a move without an action, or with two at once.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> from sbg_sim.table.record import MoveRecord
        >>> phase = sbg.Phase(sbg.load("scenarios/charging-2-open.toml"), "evil")
        >>> judged = phase.judge(MoveRecord("uruk-3", charge=("pippin",)))
        >>> round(judged.route.cost, 3), judged.violations
        (4.516, ())

        """
        recorded(move)
        gone = self.gone(move)
        if gone is not None:
            return Judged(move, (gone,), targets=move.charge, rules=(gone.rule,))
        if not move.is_move:
            from sbg_sim.phase.events import judge_event

            begun = self._first_on(move.model) if move.delayed and move.model in self.table.off else None
            if begun is not None:
                reason = f"{begun.model} has come on, and the warband of {move.model} comes on whole or not at all"
                return Judged(move, (Violation("REINF.2", reason, None, begun.model),), rules=("REINF.2",))
            return judge_event(self.table, move)
        mover = self.table.model(move.model)
        out_of_turn = self.out_of_turn(mover, move)
        if out_of_turn:
            return Judged(move, (out_of_turn,), targets=move.charge, rules=(out_of_turn.rule,))
        from sbg_sim.phase.legality import judge  # the solver is loaded with the first move, not with the first prompt

        return judge(self.table, move)

    def explain(self, move: MoveRecord) -> tuple[Violation, ...]:
        """Return every reason why a move is not allowed; none if it is allowed.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> from sbg_sim.table.record import MoveRecord
        >>> phase = sbg.Phase(sbg.load("scenarios/charging-2-open.toml"), "evil")
        >>> [v.rule for v in phase.explain(MoveRecord("pippin", to=(12, 15)))]
        ['MOV.1']

        """
        return self.judge(move).violations

    def legal(self, move: MoveRecord) -> bool:
        """Say whether a move is allowed now; its dice are not considered.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> from sbg_sim.table.record import MoveRecord
        >>> phase = sbg.Phase(sbg.load("scenarios/charging-2-open.toml"), "evil")
        >>> phase.legal(MoveRecord("uruk-3", charge=("pippin",))), phase.legal(MoveRecord("pippin", to=(12, 15)))
        (True, False)

        """
        return not self.explain(move)

    # -- why not now --------------------------------------------------------------------------------------

    def gone(self, move: MoveRecord) -> Violation | None:
        """Return the violation of naming models that have been slain."""
        known = self.opening.models
        for name in (move.model, *move.charge):
            if name not in self.table.models and name in known:
                rule = "MOV.6" if name == move.model else "CHG.1"
                return Violation(rule, f"{name} has been slain", None, name)
        return None

    def out_of_turn(self, mover: Model, move: MoveRecord) -> Violation | None:
        """Return the violation by which a model may not move now, whatever the move."""
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
        band = self._warband(mover.id)
        if mover.id in self.delayed or (band and band in map(self._warband, self.delayed)):
            return Violation("REINF.2", f"the warband of {mover.id} could not be placed and waits for next turn", place)
        return self._elsewhere(mover, move)

    def _elsewhere(self, mover: Model, move: MoveRecord) -> Violation | None:
        """Check that all of a warband comes on from one point (REINF.2)."""
        first = None if move.arrive is None else self._first_on(mover.id)
        if first is None or first.move.arrive is None or first.move.arrive == move.arrive:
            return None
        x, y = first.move.arrive
        return Violation("REINF.2", f"the warband comes on from ({x:g}, {y:g}), all of it", move.arrive, first.model)

    def entry(self, name: str) -> Point | None:
        """Return the point of the edge where the warband of a model has begun to come on in this turn (REINF.2)."""
        first = self._first_on(name)
        return None if first is None else first.move.arrive

    def _first_on(self, name: str) -> Step | None:
        band = self._warband(name)
        came = (step for step in self.steps if band and self._warband(step.model) == band)
        return next((step for step in came if step.move.arrive is not None), None)

    def left_outside(self) -> tuple[Violation, ...]:
        """Return the models that wait outside though their warband has begun to come on (REINF.2)."""
        came = {self._warband(s.model) for s in self.steps if s.move.arrive is not None} - {()}
        return tuple(
            Violation("REINF.2", f"{name} stays outside, and its warband comes on whole or not at all", None, name)
            for name in self.waiting
            if self._warband(name) in came
        )

    def _warband(self, name: str) -> tuple[str, ...]:
        """Return side and warband of a model, also of a slain one; nothing if it is in none."""
        model = self.opening.model(name)
        band = warband(model)
        return (model.side, band) if band else ()


def recorded(move: object) -> None:
    """Raise QuestionError for a value that is no entry of a record."""
    if not isinstance(move, MoveRecord):
        raise QuestionError(f"{move!r:.60} is no move: a MoveRecord says what a model does")


def _is_free(model: Model) -> bool:
    """Say whether a model may still move (MOV.6)."""
    return model.may_move and not model.moved and not model.engaged


def warband(model: Model) -> str:
    """Return the warband of a model: its keyword that begins with ``warband``, else nothing."""
    return next((k for k in sorted(model.keywords) if k.startswith("warband")), "")


@dataclass(frozen=True)
class Openings:
    """The moves open to one model.

    Parameters
    ----------
    model
        Its id.
    closed
        Why it may do nothing; empty if it may.
    does
        Its possible actions, of ``"move"``, ``"charge"``, ``"crawl"``, ``"stand"``, ``"lie"``, ``"arrive"``.
    allowance
        Its maximum Move, inches.
    charges
        Enemies that it can charge now, with the chance of success; it stands up first if it is prone.

    """

    model: str
    closed: tuple[Violation, ...] = ()
    does: tuple[str, ...] = ()
    allowance: float = 0.0
    charges: tuple[tuple[str, Fraction], ...] = ()


def open_moves(phase: TurnTaking, name: str) -> Openings:
    """Return the moves open to a model now.

    Raises
    ------
    UnknownNameError
        For a model that the table does not have.

    """
    from sbg_sim.solver.judge import may_move

    model = phase.table.model(name)
    if name in phase.table.off:
        closed = () if name in phase.movable else phase.explain(MoveRecord(name, arrive=(0.0, 0.0)))
        return Openings(name, closed, () if closed else ("arrive",), allowance(model))
    stay = phase.explain(MoveRecord(name, to=model.at, on=model.on))
    if name not in phase.movable:
        return Openings(name, tuple(dict.fromkeys((*stay, *may_move(model)))), (), allowance(model))
    charges = []
    for enemy in phase.table.standing():
        if enemy.is_enemy(model):
            judged = phase.judge(MoveRecord(name, charge=(enemy.id,), stand=model.prone))
            if not judged.violations:
                charges.append((enemy.id, judged.chance))
    posture = "stand" if model.prone else "lie"  # a model that hangs on a face does neither (CLB.4)
    does = ["crawl" if model.prone else "move"]
    does += [posture] if phase.legal(MoveRecord(name, stand=model.prone, lie=not model.prone)) else []
    does += ["charge"] if charges else []
    return Openings(name, (), tuple(does), allowance(model), tuple(charges))
