"""Checks whether the end of a move is impossible, whatever the way: by the referee, and by distances."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Final

from sbg_sim.referee import audit
from sbg_sim.table.questions import Charge, Move
from sbg_sim.table.route import Leg, Route
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sbg_sim.table.board import Table

ZONE: Final = 1.0
"""Width of a Control Zone, inches (CZ.1)."""
_ENDS: Final = ("CZ.1", "CHG.1", "MOV.4", "MOV.5", "TER.", "LEAP.")
"""Rules that a place by itself can violate."""


def no_end(table: Table, question: Move | Charge) -> list[str]:
    """Return why no move can end as the question demands, with rule ids; empty if that depends on ways.

    Parameters
    ----------
    table, question
        The table, and the question.

    """
    return _no_place(table, question) if isinstance(question, Move) else list(_no_contact(table, question))


def _no_place(table: Table, question: Move) -> list[str]:
    """Let the referee judge a move that only ends there, on the level on which it begins."""
    if question.on != table.model(question.model).on:
        return []  # such a move would have to change its level
    there = Route((Leg("straight", question.to, question.to, 0.0, question.on),))
    judged = audit(table, question.model, there)
    # A die may put it down beside a prone model without a charge (PRN.5).
    lying = {m.id for m in table.standing() if m.prone}
    return [
        f"{v.reason} ({v.rule})"
        for v in judged.violations
        if v.rule.startswith(_ENDS) and not (v.rule == "CHG.1" and v.blame in lying)
    ]


def _no_contact(table: Table, question: Charge) -> Iterator[str]:
    mover = table.model(question.model)
    targets = [table.model(name) for name in question.targets]
    ground = not any(p.tags & {"platform", "ladder"} or p.is_obstacle for p in table.terrain.values())
    for one, two in itertools.combinations(targets, 2):
        apart = math.dist(one.at, two.at) - one.radius - two.radius
        if ground and apart > mover.base + TOUCH:
            yield f"a base of {mover.base:.6g} in cannot touch {one.id} and {two.id}, {apart:.6g} in apart (CHG.6)"
    holds = [
        m.id
        for m in table.standing()
        if m.is_enemy(mover)
        and m.has_zone
        and m.on == mover.on
        and math.dist(m.at, mover.at) < m.radius + mover.radius + ZONE - TOUCH
    ]
    if holds and table.rulings["stuck_then_charge"] == "no" and not {*holds} & {*question.targets}:
        yield f"{mover.id} starts in the zone of {', '.join(holds)} and may charge only there (CZ.4)"
