"""What the straight line tells before any way is looked for: a charge that is too far, a zone that bars no way."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sbg_sim.rules.defended import defended
from sbg_sim.rules.zones import zones
from sbg_sim.solver.verdict import Violation
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain


def goes_farther(table: Table, movers: Sequence[Model], within: float = math.inf) -> bool:
    """Say whether one of some models may get farther than its Move: by shifts that cost nothing, or as ruled.

    Parameters
    ----------
    table, movers
        Who moves.
    within
        How far from where they stand what shifts them can lie, inches.

    """
    if table.rulings["jump_without_movement"] == "yes":
        return True
    gaps = any("gap" in piece.tags for piece in table.terrain.values())
    if gaps and table.rulings["leap_needs"] == "maximum":
        return True
    return any(
        _shifts(piece, mover) and _apart(piece, mover) <= within + mover.radius + TOUCH
        for piece in table.terrain.values()
        for mover in movers
    )


def _shifts(piece: Terrain, mover: Model) -> bool:
    """Say whether a piece is climbed: the shift across its rim costs nothing, however wide (CLB.1)."""
    if piece.tags & {"platform", "ladder"}:
        return True
    climbable = piece.is_obstacle and "unscalable" not in piece.tags
    return climbable and (mover.height is None or piece.top > mover.height - TOUCH)


def _apart(piece: Terrain, mover: Model) -> float:
    if piece.shape is not None:
        return float(piece.shape.distance([mover.at])[0])
    return 0.0 if piece.at is None else math.dist(piece.at, mover.at)


def too_far(table: Table, mover: Model, targets: Sequence[Model], left: float) -> Violation | None:
    """Return why a charge is out of reach even straight ahead; None when a way has to be looked for (MOV.3).

    Parameters
    ----------
    table, mover, targets
        Who charges whom.
    left
        The movement it has, inches.

    """
    if goes_farther(table, [mover], left) or any(d.locus for t in targets for d in defended(table, mover.id, t.id)):
        return None
    far = max(targets, key=lambda t: math.dist(t.at, mover.at) - t.radius)
    least = math.dist(far.at, mover.at) - far.radius - mover.radius
    if least <= left + TOUCH:
        return None
    share = left / math.dist(far.at, mover.at)
    place = tuple(a + share * (b - a) for a, b in zip(mover.at, far.at, strict=True))
    reason = f"{mover.id} needs {least:.4f} in to {far.id} even straight ahead, and has {left:g} in"
    return Violation("MOV.3", reason, (place[0], place[1]), far.id)


def zones_matter(
    table: Table, mover: Model, goals: Sequence[Point], reach: float, left: float, *, without: Sequence[str]
) -> bool:
    """Say whether a zone lies so that a way within the movement there is could lead through it.

    Parameters
    ----------
    table, mover
        Who moves.
    goals, reach
        Places, and how near to one of them the way may end, inches.
    left
        The movement there is, inches.
    without
        Enemies whose zones do not bar the way: the targets of a charge.

    """
    if goes_farther(table, [mover], left):
        return True
    return any(
        math.dist(mover.at, zone.at) + math.dist(zone.at, goal) - 2 * zone.radius - reach <= left + TOUCH
        for zone in zones(table, mover, without=frozenset(without))
        for goal in goals
    )
