"""Ladders on a drawn line: where the base goes by one from level to level (CLB.5)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sbg_sim.referee.climbs import ladder
from sbg_sim.referee.curves import of_leg
from sbg_sim.referee.ground import weigh
from sbg_sim.referee.outline import below
from sbg_sim.table.route import Leg
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from sbg_sim.referee.curves import Curve
    from sbg_sim.referee.scene import Scene, Surface
    from sbg_sim.table.terrain import Terrain


def by_ladder(
    scene: Scene,
    climbed: float,
    piece: Curve,
    edge: Terrain,
    levels: tuple[Surface, Surface],
    rise: float,
    first: float,
    last: float,
) -> Leg | None:
    """Return the leg by a ladder over a rim that a piece crosses; None if none is allowed, or if it saves nothing.

    Parameters
    ----------
    scene, climbed
        The mover and its table, and the inches of a face below it.
    piece
        The straight piece.
    edge
        The piece of terrain whose rim is crossed.
    levels
        The levels from which and to which it leads.
    rise
        The rise, inches; negative for down.
    first, last
        Where along the piece the base meets the rim, and where it has crossed it, inches.

    """
    (here, there), shape = levels, edge.shape
    low, high = levels if rise > 0 else (there, here)
    if shape is None or not math.isfinite(last) or not any(_leads(p, low, high) for p in scene.table.terrain.values()):
        return None
    # A ladder shifts the whole base across at no cost, even if the centre alone decides on which level it stands.
    outside, within = below(piece, shape, scene.radius), below(piece, shape, TOUCH / 2 - scene.radius)
    if ("gap" in edge.tags) == (rise < 0):
        starts = [a for a, _ in outside if a <= first + TOUCH][-1:]
        ends = [min(a + TOUCH / 2, b) for a, b in within if a >= first][:1]
    else:
        starts = [max(b - TOUCH / 2, a) for a, b in within if b <= first + TOUCH][-1:]
        ends = [b for _, b in outside if b >= first][:1]
    for begin in (*starts, first):
        for end in (*ends, last):
            leg = Leg("ladder", piece.at(begin), piece.at(end), abs(rise), there, rise=rise)
            if ladder(scene, leg, here, climbed, last=False, hanging=False):
                continue
            free = scene.is_step(rise) if rise > 0 else scene.no_taller(-rise)  # no die without it (TER.3, FALL.1)
            dearer = free and weigh(scene, of_leg(leg), set(levels)).cost < leg.cost - TOUCH
            return None if dearer else leg
    return None


def _leads(piece: Terrain, low: Surface, high: Surface) -> bool:
    """Say whether a piece is a ladder that may lead from a level to a higher one; from a gap to its brim."""
    return "ladder" in piece.tags and piece.on == low and piece.to in {high, None}
