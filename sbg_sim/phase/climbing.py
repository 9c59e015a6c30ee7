"""A climb that takes more than one turn: as far up the face as the movement goes (CLB.2, CLB.4)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sbg_sim.table.route import Route
from sbg_sim.tolerance import FITS

if TYPE_CHECKING:
    from sbg_sim.table.models import Model
    from sbg_sim.table.route import Leg

FACES = frozenset({"climb", "ladder"})
"""Legs that can be left half done upwards."""


def as_far_as_it_goes(route: Route, limit: float, mover: Model) -> Route | None:
    """Cut a route that is too long where its movement ends half way up a face.

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
            if leg.kind not in FACES or leg.rise <= 0 or left <= FITS:
                return None
            return Route((*route.legs[:index], _part(leg, left, on)))
        used += leg.cost
        on = leg.surface
    return None


def _part(leg: Leg, left: float, on: str | None) -> Leg:
    """Return the leg left on the face after ``left`` inches of movement."""
    rise = left / 2 if leg.kind == "climb" else left
    test = None if leg.test is None else replace(leg.test, landing=leg.start, landing_on=on)
    return replace(leg, end=leg.start, surface=on, cost=left, rise=rise, test=test)
