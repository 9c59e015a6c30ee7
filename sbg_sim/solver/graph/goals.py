"""What a search looks for, before it is known which surfaces are near: a place to end at, contact, or a line."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.geometry.regions import Region
from sbg_sim.solver.space.surroundings import make_surroundings
from sbg_sim.solver.space.transitions import length_per_cost
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from sbg_sim.arrays import Floats
    from sbg_sim.geometry.pieces import Piece
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.space.surroundings import Surroundings
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model


@dataclass(frozen=True)
class Goal:
    """Where a path is to end: at a place, in contact, or anywhere on some lines.

    Parameters
    ----------
    surface
        The platform, None for the ground.
    at
        A point (inches), or None when the goal is contact with circles.
    contact
        Circles ``(x, y, radius)`` of centre positions in contact; with several the goal is where all meet.
    bound
        Whether the goal is reached by a bound mover.
    lines
        Segments and arcs, any place of which will do, when the goal is neither a point nor contact.

    """

    surface: str | None
    at: Point | None = None
    contact: tuple[tuple[float, float, float], ...] = ()
    bound: bool = False
    lines: tuple[Piece, ...] = ()

    @property
    def focus(self) -> tuple[float, float, float]:
        """A circle ``(x, y, radius)`` that holds every place where a path may end, inches."""
        if self.at is not None:
            return (*self.at, 0.0)
        if self.contact:
            return self.contact[0]
        ends = np.concatenate([line.at(np.linspace(0.0, line.length, 9)) for line in self.lines])
        x, y = (ends.min(axis=0) + ends.max(axis=0)) / 2
        # Between two of nine places a line strays from them by no more than half the way along it.
        stray = max(line.length for line in self.lines) / 16
        return float(x), float(y), float(np.hypot(ends[:, 0] - x, ends[:, 1] - y).max()) + stray

    def surroundings(
        self,
        table: Table,
        mover: Model,
        cost: float,
        *,
        charging: str | None,
        without: frozenset[str] = frozenset(),
        dice: bool,
    ) -> Surroundings:
        """Collect all that ways there can come near which cost no more than so many inches."""
        x, y, radius = self.focus

        def found(length: float) -> Surroundings:
            near = Region(mover.at, (x, y), length + TOUCH + radius, mover.radius)
            level = self.surface
            return make_surroundings(
                table, mover, region=near, surface=level, charging=charging, without=without, dice=dice
            )

        surroundings = found(max(cost, math.dist(mover.at, (x, y)) - radius))
        longer = length_per_cost(surroundings.transitions)
        # Free shifts may lead out of the ellipse of the straight ways.
        return found(longer * cost) if longer > 1 else surroundings


def still_to_come(net: TangentGraph, goal: Goal) -> Floats | None:
    """Return a lower bound of the cost from each node to a goal ``(n,)``, inches: straight, but for what is free."""
    if goal.lines:
        return None
    longer = length_per_cost(net.transitions)
    if goal.at is not None:
        return np.asarray(np.hypot(net.xy[:, 0] - goal.at[0], net.xy[:, 1] - goal.at[1]) / longer)
    x, y, r = goal.contact[0]
    ahead = np.maximum(np.hypot(net.xy[:, 0] - x, net.xy[:, 1] - y) - r, 0.0) / longer
    ahead[net.goals] = 0.0
    return np.asarray(ahead)
