"""Climbs that take several turns: a move ends half way up a face, or half way down (CLB.4)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sbg_sim.solver.answer import ask
from sbg_sim.table.board import horizon_of
from sbg_sim.table.levels import elevation, is_level
from sbg_sim.table.route import Route
from sbg_sim.tolerance import FITS

if TYPE_CHECKING:
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.questions import Move
    from sbg_sim.table.route import Leg

FACES: Final = frozenset({"climb", "ladder", "descend"})
"""Legs that can be left half done."""


def asked_over_tall_faces(table: Table, question: Move, left: float, verdict: Verdict) -> Verdict:
    """Ask for a move again, as far beyond the horizon as the tallest face leads up and down.

    Parameters
    ----------
    table, question
        What is asked.
    left
        Movement there is, inches.
    verdict
        The answer within the horizon.

    Returns
    -------
    That answer, where it has a route or nothing is so tall.

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
    """Cut a route that is too long where its movement ends on a face.

    Parameters
    ----------
    route
        The route, costing more than the limit.
    limit
        Movement there is, inches.
    mover
        Who moves.

    Returns
    -------
    The route up to where the model hangs on the face; None when the movement ends anywhere else.

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
            return Route((*route.legs[:index], _part(leg, left, on)))
        used += leg.cost
        on = leg.surface
    return None


def _part(leg: Leg, left: float, on: str | None) -> Leg:
    """Return the leg left on the face after ``left`` inches of movement; who climbs down hangs over the foot."""
    up = leg.rise > 0
    rise = (left if leg.kind == "ladder" else left / 2) * (1 if up else -1)
    end, surface = (leg.start, on) if up else (leg.end, leg.surface)
    test = None if leg.test is None else replace(leg.test, landing=end, landing_on=surface)
    return replace(leg, end=end, surface=surface, cost=left, rise=rise, test=test)
