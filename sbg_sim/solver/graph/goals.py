"""What a search looks for, before it is known which surfaces are near: a place to end at, contact, or a line."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.geometry.pieces import Piece
from sbg_sim.geometry.regions import Region
from sbg_sim.solver.graph.tangent_graph import Goal, focus
from sbg_sim.solver.space.setting import make_setting
from sbg_sim.solver.space.transitions import stretch
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from sbg_sim.arrays import Floats
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.rules.defended import Strand
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.space.setting import Setting
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model


@dataclass(frozen=True)
class Wanted:
    """Where a path is to end.

    Parameters
    ----------
    surface
        The platform, None for the ground.
    goal
        The goal there; the index of its space means nothing yet.

    """

    surface: str | None
    goal: Goal

    def __call__(self, setting: Setting) -> Goal | None:
        """Return the goal in a setting, None when the surface cannot be reached."""
        i = setting.index(self.surface)
        return None if i is None else replace(self.goal, space=i)

    def setting(
        self,
        table: Table,
        mover: Model,
        cost: float,
        *,
        charging: str | None,
        without: frozenset[str] = frozenset(),
        dice: bool,
    ) -> Setting:
        """Collect all that ways there can come near which cost no more than so many inches."""
        x, y, radius = focus(self.goal)

        def found(length: float) -> Setting:
            near = Region(mover.at, (x, y), length + TOUCH + radius, mover.radius)
            level = self.surface
            return make_setting(table, mover, region=near, surface=level, charging=charging, without=without, dice=dice)

        setting = found(max(cost, math.dist(mover.at, (x, y)) - radius))
        longer = stretch(setting.transitions)
        # Free shifts may lead out of the ellipse of the straight ways.
        return found(longer * cost) if longer > 1 else setting


def point_goal(to: Point, surface: str | None) -> Wanted:
    """Make the goal of ending with the centre at a place, free."""
    return Wanted(surface, Goal(-1, to))


def line_goal(lines: tuple[Piece, ...], surface: str | None, *, bound: bool) -> Wanted:
    """Make the goal of ending anywhere on some segments and arcs."""
    return Wanted(surface, Goal(-1, None, (), bound, lines))


def contact_goal(circles: tuple[tuple[float, float, float], ...], surface: str | None, *, bound: bool) -> Wanted:
    """Make the goal of ending in contact with circles of centre positions."""
    return Wanted(surface, Goal(-1, None, circles, bound))


def still_to_come(net: TangentGraph, goal: Goal) -> Floats | None:
    """Return a lower bound of the cost from each node to a goal ``(n,)``, inches: straight, but for what is free."""
    if goal.lines:
        return None
    longer = stretch(net.transitions)
    if goal.at is not None:
        return np.asarray(np.hypot(net.xy[:, 0] - goal.at[0], net.xy[:, 1] - goal.at[1]) / longer)
    x, y, r = goal.contact[0]
    ahead = np.maximum(np.hypot(net.xy[:, 0] - x, net.xy[:, 1] - y) - r, 0.0) / longer
    ahead[net.goals] = 0.0
    return np.asarray(ahead)


def pieces_of(locus: tuple[Strand, ...]) -> tuple[Piece, ...]:
    """Return strands as pieces for the solver; each is a rim of its own."""
    return tuple(_piece(strand, -2 - i) for i, strand in enumerate(locus))


def _piece(strand: Strand, owner: int) -> Piece:
    (ax, ay), (bx, by) = strand.start, strand.end
    if strand.center is not None:
        x, y = strand.center
        first = strand.start if strand.sweep >= 0 else strand.end
        angle = math.atan2(first[1] - y, first[0] - x)
        return Piece(strand.center, (angle, 0.0), strand.length, strand.radius, owner=owner)
    toward = ((bx - ax) / strand.length, (by - ay) / strand.length) if strand.length else (1.0, 0.0)
    return Piece(strand.start, toward, strand.length, owner=owner)
