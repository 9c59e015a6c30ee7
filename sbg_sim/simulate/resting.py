"""Tells where a model under way may end a turn, and whether it sees its targets from there (TER.3, CHG.1)."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.geometry.breaks import circles_breaks
from sbg_sim.geometry.grown import discs, segments_meet
from sbg_sim.geometry.regions import Region, disc_region
from sbg_sim.rules.sight import look
from sbg_sim.simulate.plays import point_on
from sbg_sim.solver.space.surroundings import make_surroundings
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from sbg_sim.geometry.grown import Grown
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.route import Leg


@dataclass(frozen=True, slots=True)
class LineOfSight:
    """A charge, whose targets must be in sight as the move begins (CHG.1).

    Parameters
    ----------
    table
        The table, on which all but the mover stay where they are.
    model, targets
        Ids of the charger and of its targets.

    """

    table: Table
    model: str
    targets: tuple[str, ...]

    def sees(self, at: Point, on: str | None, climbed: float, *, prone: bool) -> bool:
        """Say whether all targets are seen from a place (inches), on a level or some way up a face beside it."""
        there = replace(self.table.model(self.model), at=at, on=on, climbed=climbed, prone=prone)
        table = self.table.with_model(there)
        return all(look(table, self.model, target, widest=False).seen for target in self.targets)


def low_obstacles(table: Table, mover: Model, near: Region, on: str | None) -> Grown:
    """Return the obstacles near a place that a mover may step over but not end on (TER.3), grown by its radius.

    Empty if the table is ruled otherwise, or on a surface that is no level, to which a caller's route may lead.
    """
    surroundings = make_surroundings(table, mover, region=near, surface=on, over=False)
    i = surroundings.index(on)
    return discs(()) if i is None else surroundings.spaces[i].low


def may_rest(table: Table, mover: Model, at: Point, on: str | None) -> bool:
    """Say whether no low obstacle keeps a move from ending at a place (TER.3)."""
    low = low_obstacles(table, mover, disc_region(at, 0.0, mover.radius), on)
    return bool(low.clears(np.array([at]), TOUCH)[0])


def cut(table: Table, mover: Model, leg: Leg) -> list[tuple[Leg, bool]]:
    """Cut a leg where it comes onto and off low obstacles; say for each part whether it lies on one (TER.3)."""
    if not leg.stops_anywhere:
        return [(leg, False)]
    near = Region(leg.start, leg.end, leg.length + TOUCH, mover.radius)
    low = low_obstacles(table, mover, near, leg.surface)
    if low.empty:
        return [(leg, False)]
    if leg.center is None:
        _, met = segments_meet(np.array([leg.start]), np.array([leg.end]), low)
    else:
        (cx, cy), (x, y) = leg.center, leg.start
        _, angles = circles_breaks(np.array([leg.center]), np.array([math.hypot(x - cx, y - cy)]), low)
        along = (angles - math.atan2(y - cy, x - cx)) * math.copysign(1.0, leg.sweep) % math.tau
        met = along / max(abs(leg.sweep), TOUCH)
    found: list[tuple[float, float, bool]] = []
    ends = [0.0, *sorted(float(s) for s in met if 0 < s < 1), 1.0]
    for begun, ended in itertools.pairwise(ends):
        barred = not low.clears(np.array([point_on(leg, (begun + ended) / 2)]), TOUCH)[0]
        if found and (found[-1][2] == barred or (ended - begun) * leg.length <= TOUCH):
            found[-1] = (found[-1][0], ended, found[-1][2])
        else:
            found.append((begun, ended, barred))
    return [(part(leg, begun, ended), barred) for begun, ended, barred in found]


def part(leg: Leg, low: float, high: float) -> Leg:
    """Return the part of a walked leg between two shares (0 to 1) of it."""
    if (low, high) == (0.0, 1.0):
        return leg
    start, end = (leg.start if low == 0 else point_on(leg, low)), (leg.end if high == 1 else point_on(leg, high))
    share = high - low
    return replace(leg, start=start, end=end, cost=share * leg.cost, sweep=share * leg.sweep)
