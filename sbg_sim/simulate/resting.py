"""Where a model under way may end a turn, and what it sees from there (TER.3, CHG.1)."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.geometry.breaks import circles_breaks
from sbg_sim.geometry.grown import grown, segments_meet
from sbg_sim.rules.ground import ground
from sbg_sim.rules.sight import look
from sbg_sim.simulate.plays import WALKS, point_on
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point, Shape
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.route import Leg


@dataclass(frozen=True, slots=True)
class Lookout:
    """Who charges whom: the targets are to be in sight as its move begins (CHG.1).

    Parameters
    ----------
    table
        The table, everyone but the mover where they stay.
    model, targets
        Ids of who charges and whom.

    """

    table: Table
    model: str
    targets: tuple[str, ...]

    def sees(self, at: Point, on: str | None, climbed: float, *, prone: bool) -> bool:
        """Say whether all targets are seen from a place (inches), on a level or so high up a face beside it."""
        there = replace(self.table.model(self.model), at=at, on=on, climbed=climbed, prone=prone)
        table = self.table.with_model(there)
        return all(look(table, self.model, target, widest=False).seen for target in self.targets)


@dataclass
class LowGround:
    """What a mover steps over and may not end a move on (TER.3), level by level."""

    table: Table
    mover: Model

    def __post_init__(self) -> None:
        self._known: dict[str | None, tuple[Shape, ...]] = {}

    def on(self, surface: str | None) -> tuple[Shape, ...]:
        """Return the shapes of what lies on a level; none where the table is ruled otherwise."""
        if surface not in self._known:
            known = surface is None or surface in self.table.terrain  # a way of the caller may lead over what is not
            low = ground(self.table, self.mover, surface).low if known and self._barring else ()
            self._known[surface] = tuple(shape for _, shape in low)
        return self._known[surface]

    @property
    def _barring(self) -> bool:
        ruled = self.table.rulings["end_on_low_obstacle"] == "yes"
        return not ruled and any(piece.is_obstacle for piece in self.table.terrain.values())

    def bars(self, at: Point, surface: str | None) -> bool:
        """Say whether a move may not end at a place."""
        inside = self.mover.radius - TOUCH
        return any(float(shape.distance(np.array([at]))[0]) < inside for shape in self.on(surface))

    def cut(self, leg: Leg) -> list[tuple[Leg, bool]]:
        """Cut a leg where what bars an end begins and ceases, and say of each part whether it is barred."""
        shapes = self.on(leg.surface) if leg.kind in WALKS else ()
        if not shapes:
            return [(leg, False)]
        body = grown((shape, self.mover.radius) for shape in shapes)
        if leg.center is None:
            _, met = segments_meet(np.array([leg.start]), np.array([leg.end]), body)
        else:
            (cx, cy), (x, y) = leg.center, leg.start
            _, angles = circles_breaks(np.array([leg.center]), np.array([math.hypot(x - cx, y - cy)]), body)
            along = (angles - math.atan2(y - cy, x - cx)) * math.copysign(1.0, leg.sweep) % math.tau
            met = along / max(abs(leg.sweep), TOUCH)
        found: list[tuple[float, float, bool]] = []
        cuts = [0.0, *sorted(float(s) for s in met if 0 < s < 1), 1.0]
        for low, high in itertools.pairwise(cuts):
            barred = self.bars(point_on(leg, (low + high) / 2), leg.surface)
            if found and (found[-1][2] == barred or (high - low) * leg.length <= TOUCH):
                found[-1] = (found[-1][0], high, found[-1][2])
            else:
                found.append((low, high, barred))
        return [(part(leg, low, high), barred) for low, high, barred in found]


def part(leg: Leg, low: float, high: float) -> Leg:
    """Return what lies between two shares (0 to 1) of a leg that is walked."""
    if (low, high) == (0.0, 1.0):
        return leg
    start, end = (leg.start if low == 0 else point_on(leg, low)), (leg.end if high == 1 else point_on(leg, high))
    share = high - low
    return replace(leg, start=start, end=end, cost=share * leg.cost, sweep=share * leg.sweep)
