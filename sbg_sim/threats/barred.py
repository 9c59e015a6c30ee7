"""Ground on which the very model that stands there is in the way of a jump, a leap or a climb that leads to it.

An enemy that walks to a model is in contact when it first comes that near, wherever it meant to go. Not so on a way
over something or to another level: that must end clear of the base. Where all ways of an enemy to a model are of
this kind and the model stands near enough to be in their way, single charges are asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely

from sbg_sim.geometry.areas import difference, intersection, union
from sbg_sim.solver.path.options import beyond_the_move, farthest
from sbg_sim.threats.chargeable import ASIDE, ROUND, grown

if TYPE_CHECKING:
    from fractions import Fraction

    from sbg_sim.solver.field.cost_fields import Regions
    from sbg_sim.solver.reach import Reach
    from sbg_sim.table.models import Model


def may_bar(walk: Reach, model: Model) -> shapely.Geometry:
    """Return the places of a model, and more, at which it may be in the way of what leads an enemy over something.

    Parameters
    ----------
    walk
        Where the enemy may end its move on the table without the model.
    model
        Who is charged.

    Returns
    -------
    The places as a geometry, inches; but for what it certainly comes to afoot.

    """
    enemy = walk.mover
    most = farthest(walk.table, enemy, walk.limit) + beyond_the_move(walk.table, enemy, walk.limit) + ASIDE
    disc = shapely.buffer(shapely.Point(enemy.at), most, quad_segs=ROUND)
    rims = []
    for way in walk.surroundings.transitions:
        if way.way.tests or way.source != way.dest:
            ends = [
                piece.at(np.linspace(0.0, piece.length, 2 + int(piece.length / ASIDE))) for piece in way.near + way.far
            ]
            rims.append(shapely.multilinestrings([shapely.linestrings(end) for end in ends if len(end)]))
    if not rims:
        return shapely.Polygon()
    contact = enemy.radius + model.radius
    # A way over leads straight from one of its rims to another.
    crossed = shapely.convex_hull(shapely.intersection(np.array(rims, dtype=object), disc))
    zone = shapely.buffer(union(list(crossed)), contact, quad_segs=ROUND)
    afoot = walk.afoot if model.on == walk.surface else shapely.Polygon()
    return zone if afoot.is_empty else difference(zone, grown(afoot, contact))


def unsettled(
    rows: Regions, bars: shapely.Geometry, others: list[tuple[Regions, shapely.Geometry]]
) -> shapely.Geometry:
    """Return where an enemy's danger hangs on what the model may bar, and no other is as great a danger anyway.

    Parameters
    ----------
    rows
        Where the enemy comes at the model, by chance, were the model in the way of nothing.
    bars
        Where it may be in the way.
    others
        The same two of other enemies.

    """
    return union([intersection(difference(area, _surely(others, chance)), bars) for chance, area in rows])


def _surely(others: list[tuple[Regions, shapely.Geometry]], least: Fraction) -> shapely.Geometry:
    found = []
    for rows, bars in others:
        area = next((area for chance, area in reversed(rows) if chance >= least), None)
        if area is not None:
            found.append(difference(area, bars))
    return union(found)
