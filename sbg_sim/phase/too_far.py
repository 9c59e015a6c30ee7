"""Moves that are too far: told by the straight line, asked beyond the horizon, or made as far as a face (CLB.4)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from sbg_sim.rules.defended import defended
from sbg_sim.rules.zones import zones
from sbg_sim.solver.answer import ask
from sbg_sim.table.board import horizon_of
from sbg_sim.table.levels import elevation, is_level
from sbg_sim.table.route import FACES, Route
from sbg_sim.table.violation import Violation
from sbg_sim.tolerance import FITS, TOUCH
from sbg_sim.wording import length

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.questions import Move
    from sbg_sim.table.route import Leg
    from sbg_sim.table.terrain import Terrain


def goes_farther(table: Table, movers: Sequence[Model], within: float = math.inf) -> bool:
    """Say whether one of some models may get farther than its Move: by free shifts, or as ruled.

    Parameters
    ----------
    table, movers
        The table, and the models.
    within
        How far from their places the pieces with such shifts can be, inches.

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
    """Say whether a piece may be climbed, with a free shift across its rim, however wide (CLB.1)."""
    if piece.tags & {"platform", "ladder"}:
        return True
    climbable = piece.is_obstacle and "unscalable" not in piece.tags
    return climbable and (mover.height is None or piece.top > mover.height - TOUCH)


def _apart(piece: Terrain, mover: Model) -> float:
    if piece.shape is not None:
        return float(piece.shape.distance([mover.at])[0])
    return 0.0 if piece.at is None else math.dist(piece.at, mover.at)


def too_far(table: Table, mover: Model, targets: Sequence[Model], left: float) -> Violation | None:
    """Return why a charge is out of reach even straight ahead; None if a way must be sought (MOV.3).

    Parameters
    ----------
    table, mover, targets
        The table, the charger and its targets.
    left
        The movement left, inches.

    """
    if goes_farther(table, [mover], left) or any(d.locus for t in targets for d in defended(table, mover.id, t.id)):
        return None
    far = max(targets, key=lambda t: math.dist(t.at, mover.at) - t.radius)
    least = math.dist(far.at, mover.at) - far.radius - mover.radius
    if least <= left + TOUCH:
        return None
    share = left / math.dist(far.at, mover.at)
    place = tuple(a + share * (b - a) for a, b in zip(mover.at, far.at, strict=True))
    reason = f"{mover.id} needs {length(least, left)} in to {far.id} even straight ahead, and has {left:g} in"
    return Violation("MOV.3", reason, (place[0], place[1]), far.id)


def zones_matter(
    table: Table, mover: Model, goals: Sequence[Point], reach: float, left: float, *, without: Sequence[str]
) -> bool:
    """Say whether a way within the movement left could lead through a zone.

    Parameters
    ----------
    table, mover
        The table and the mover.
    goals, reach
        Places, and how near to one of them the way may end, inches.
    left
        The movement left, inches.
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


def asked_over_tall_faces(table: Table, question: Move, left: float, verdict: Verdict) -> Verdict:
    """Ask for a move again, with the horizon raised by the cost up and down the tallest face.

    Parameters
    ----------
    table, question
        The table, and the question.
    left
        The movement left, inches.
    verdict
        The answer within the horizon.

    Returns
    -------
    That answer, if it has a route or if there is no such face.

    """
    if verdict.route is not None or verdict.at_least is None:
        return verdict
    heights = [0.0, *(elevation(table, p.id) for p in table.terrain.values() if is_level(p))]
    walls = [p.top for p in table.terrain.values() if p.is_obstacle and p.height is not None]
    far = left + 4 * (max(heights) - min(heights) + max(walls, default=0.0))
    if far <= horizon_of(table, left):
        return verdict
    farther = ask(replace(table, horizon=far), question, alternatives=False)
    return verdict if farther.route is None else farther


def as_far_as_it_goes(route: Route, limit: float, mover: Model) -> Route | None:
    """Cut a route that is too long where the movement ends on a face.

    Parameters
    ----------
    route
        The route, which costs more than the limit.
    limit
        The movement left, inches.
    mover
        The mover.

    Returns
    -------
    The route up to where the model hangs on the face; None if the movement ends elsewhere.

    """
    used = 0.0
    on = mover.on
    for index, leg in enumerate(route.legs):
        if used + leg.cost > limit + FITS:
            left = limit - used
            if leg.kind not in FACES:
                return None
            if left <= FITS or (leg.kind == "descend" and index and leg.surface == on):
                # At the top of a wall: behind it the way down begins with the next turn.
                return Route(route.legs[:index]) if index and route.legs[index - 1].kind in FACES else None
            part = _part(leg, left, on)
            return Route((*route.legs[:index], part)) if leg.rise > 0 or part.rise < 0 else None
        used += leg.cost
        on = leg.surface
    return None


def _part(leg: Leg, left: float, on: str | None) -> Leg:
    """Return the part of a leg on a face made with ``left`` inches of movement; a way down ends above the foot."""
    up = leg.rise > 0
    rise = leg.risen(left)
    # No model stays on the top of a wall (CLB.1).
    cost = min(left, rise if leg.kind == "ladder" else 2 * rise) if up else left
    end, surface = (leg.start, on) if up else (leg.end, leg.surface)
    test = None if leg.test is None else replace(leg.test, landing=end, landing_on=surface)
    return replace(leg, end=end, surface=surface, cost=cost, rise=rise, test=test)
