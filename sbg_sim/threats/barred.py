"""Ground on which the very model that stands there is in the way of a jump, a leap or a climb that leads to it.

An enemy that walks to a model is in contact when it first comes that near, wherever it meant to go. Not so on a way
over something or to another level: that must end clear of the base. Where all ways of an enemy to a model are of
this kind and the model stands near enough to be in their way, single charges are asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from sbg_sim.geometry.areas import difference, intersection, union
from sbg_sim.solver.path.options import beyond_the_move, farthest, late_ways
from sbg_sim.threats.chargeable import ASIDE, ROUND, grown
from sbg_sim.tolerance import CHORD

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from sbg_sim.arrays import Bools, Floats
    from sbg_sim.geometry.pieces import Piece
    from sbg_sim.solver.field.cost_fields import Regions
    from sbg_sim.solver.reach import Reach
    from sbg_sim.table.models import Model


def may_bar(walk: Reach, model: Model) -> tuple[shapely.Geometry, shapely.Geometry]:
    """Return the places of a model, and more, at which it may be in the way of what leads an enemy over something.

    And of them those at which it surely is: its base would lie wherever such a way ends on its level.

    Parameters
    ----------
    walk
        Where the enemy may end its move on the table without the model.
    model
        Who is charged.

    Returns
    -------
    Both as geometries, inches; but for what it certainly comes to afoot.

    """
    enemy, loose = walk.mover, beyond_the_move(walk.table, walk.mover, walk.limit)
    kinds = late_ways(walk.table, enemy.move or 0.0)
    crossed: list[Any] = []
    landed: list[Floats] = []
    apart, here = 0.0, walk.surroundings.index(model.on)
    for way in walk.surroundings.transitions:
        if way.way.tests or way.source != way.dest:
            near, far = (_along(rim) for rim in (way.near, way.far))
            late = loose if way.way.kind in kinds else 0.0
            # What is begun later than this would cost more than the Move.
            near = near[_within(walk, near, walk.limit + late - way.way.cost)]
            if way.way.across or way.way.foot is not None:  # each place it begins at leads to one
                ends, free = way.landing(near), np.zeros(len(near), dtype=bool)
                open_ = way.open(near, ends, free, free) if len(near) else free
                landed += [ends[open_]] if way.dest == here else []
                apart = max(apart, 0.0 if way.way.foot else ASIDE)
                crossed += [shapely.linestrings(np.stack([near[open_], ends[open_]], axis=1))] if open_.any() else []
                continue
            far = far[_within(walk, far, walk.limit + late)]
            if len(near) and len(far):
                landed += [far] if way.dest == here else []
                apart = ASIDE
                crossed.append([shapely.convex_hull(shapely.multipoints(np.concatenate([near, far])))])
    if not crossed:
        return shapely.Polygon(), shapely.Polygon()
    contact = enemy.radius + model.radius
    # A way over leads straight from one of its rims to another; places on them are looked at so far apart.
    zone = shapely.buffer(shapely.union_all(np.concatenate(crossed)), contact + ASIDE, quad_segs=ROUND)
    afoot = grown(walk.afoot, contact) if model.on == walk.surface else shapely.Polygon()
    barred = shapely.Polygon()
    if sum(map(len, landed)):
        corners = shapely.get_coordinates(shapely.convex_hull(shapely.multipoints(np.concatenate(landed))))
        discs = shapely.buffer(shapely.points(corners), contact - apart - CHORD, quad_segs=ROUND)
        barred = shapely.intersection_all(discs)
    return difference(zone, union([afoot, barred])), difference(barred, afoot)


def _along(rim: Sequence[Piece]) -> Floats:
    """Return places ``(n, 2)`` along pieces of a rim, inches."""
    places = [piece.at(np.linspace(0.0, piece.length, 2 + int(piece.length / ASIDE))) for piece in rim]
    return np.concatenate(places) if places else np.empty((0, 2))


def _within(walk: Reach, places: Floats, left: float) -> Bools:
    """Return which places no enemy with so much movement (inches) is too far away from."""
    far = farthest(walk.table, walk.mover, max(0.0, left)) + ASIDE
    return np.asarray((np.hypot(*(places - np.array(walk.mover.at)).T) <= far) & (left >= 0))


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
