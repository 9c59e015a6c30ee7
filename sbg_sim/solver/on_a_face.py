"""A mover that hangs on a face from an earlier turn: it goes on up, or comes down before it does anything else."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from sbg_sim.rules.ground import climbed_on
from sbg_sim.rules.results import with_results
from sbg_sim.solver.path.best_path import options
from sbg_sim.solver.path.options import Options, Search
from sbg_sim.table.board import height_of
from sbg_sim.table.levels import supports
from sbg_sim.table.route import Leg, Route, Test
from sbg_sim.tolerance import ROUNDING, TOUCH

if TYPE_CHECKING:
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model

_ON = frozenset({"climb", "descend", "ladder"})


def options_from_a_face(search: Search, limit: float) -> Options:
    """Return the options of a mover with inches climbed: those that climb on, and those that come down first (CLB.4).

    Parameters
    ----------
    search
        What to look for; its mover hangs on a face.
    limit
        The maximum Move, inches.

    """
    on = options(search, limit)
    found = [o for o in on.found if o.route.legs and o.route.legs[0].kind in _ON]
    down = coming_down(search.table, search.mover)
    if down is None:
        return replace(on, found=found)
    foot = replace(search, mover=replace(search.mover, climbed=0.0), offset=search.offset + down.cost)
    more = int(down.test is not None)
    below = options(foot, limit)
    for o in below.found:
        whole = Route((down, *o.route.legs))
        landing = o.landing or (more == 1 and o.cost <= TOUCH)
        begun = o.begun + down.cost if o.tests else 0.0
        cost = o.cost + down.cost
        found.append(replace(o, tests=o.tests + more, landing=landing, cost=cost, begun=begun, route=whole))
    return Options(found, min(on.beyond, below.beyond))


def coming_down(table: Table, mover: Model) -> Leg | None:
    """Return the leg down to the foot of what the mover hangs on; None when there is no way down.

    Free by up to the mover's height (FALL.1), by a ladder for the height (CLB.5), else a Climb test downwards.
    """
    at, high = mover.at, mover.climbed
    under = (mover.on, *supports(table, mover.on))
    pieces = [p for p in table.terrain.values() if p.on == mover.on or ("gap" in p.tags and p.id in under)]
    if any("ladder" in p.tags and p.at is not None and math.dist(p.at, at) <= mover.radius + TOUCH for p in pieces):
        return Leg("ladder", at, at, high, mover.on, rise=-high)
    if high <= height_of(mover) + ROUNDING:
        return Leg("down", at, at, 0.0, mover.on, rise=-high)
    face = next((p for p in pieces if climbed_on(mover, p) and "unscalable" not in p.tags), None)
    if face is None or "cavalry" in mover.keywords:
        return None
    test = Test("descend", face.id, at, at, rule="FALL.1", landing_on=mover.on)
    return with_results(table, mover, Leg("descend", at, at, 2 * high, mover.on, rise=-high, test=test), mover.on)
