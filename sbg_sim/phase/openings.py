"""What a model can still do in a phase: the moves open to it, and whom it can charge with what chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sbg_sim.solver.judge import may_move
from sbg_sim.table.board import allowance
from sbg_sim.table.record import MoveRecord

if TYPE_CHECKING:
    from fractions import Fraction

    from sbg_sim.phase.state import Phase
    from sbg_sim.solver.verdict import Violation


@dataclass(frozen=True)
class Openings:
    """The moves open to one model.

    Parameters
    ----------
    model
        Its id.
    closed
        Why it may do nothing; empty when it may.
    does
        What it may do, of ``"move"``, ``"charge"``, ``"crawl"``, ``"stand"``, ``"lie"``, ``"arrive"``.
    allowance
        Its maximum Move, inches.
    charges
        Enemies it can charge now, with the chance of getting there; standing up first where it lies.

    """

    model: str
    closed: tuple[Violation, ...] = ()
    does: tuple[str, ...] = ()
    allowance: float = 0.0
    charges: tuple[tuple[str, Fraction], ...] = ()


def open_moves(phase: Phase, name: str) -> Openings:
    """Return what a model can do now.

    Raises
    ------
    UnknownNameError
        For a model that the table does not have.

    """
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
    does = ["crawl", "stand"] if model.prone else ["move", "lie"]
    does += ["charge"] if charges else []
    return Openings(name, (), tuple(does), allowance(model), tuple(charges))
