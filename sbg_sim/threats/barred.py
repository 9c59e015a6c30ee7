"""Finds ground on which the model itself bars an enemy's way over something, or to another level.

An enemy that walks to a model is in contact as soon as it comes near enough. But a way over something, or to another
level, must end clear of the base. Where all ways of an enemy to a model are of this kind, and the model stands near
enough to be in their way, single charges are judged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from sbg_sim.arrays import distances
from sbg_sim.geometry.areas import NOWHERE, clipped, difference, intersection, union, with_chance
from sbg_sim.rules.zones import ZONE_WIDTH
from sbg_sim.solver.path.options import late_ways
from sbg_sim.solver.reach import HangingReach
from sbg_sim.threats.begun import rim_places, ways_begun
from sbg_sim.threats.chargeable import ASIDE, ROUND, grown
from sbg_sim.tolerance import CHORD

if TYPE_CHECKING:
    from sbg_sim.arrays import Floats
    from sbg_sim.geometry.areas import Regions
    from sbg_sim.solver.reach_areas import Reach
    from sbg_sim.table.models import Model


def may_bar(walk: Reach, model: Model) -> tuple[shapely.Geometry, shapely.Geometry]:
    """Return a superset of the places at which a model may bar a way over, and some at which it surely does.

    It may be in the way, or dice may be barred that would land the enemy in its zone (``charge_on_a_six``). It surely
    is in the way where its base would cover every end of such a way on its level.

    Parameters
    ----------
    walk
        The enemy's reach on the table without the model.
    model
        The model.

    Returns
    -------
    Both as geometries, inches, without the places that the enemy certainly reaches on foot.

    """
    if isinstance(walk, HangingReach):  # wherever the model may bar one of its ways, single charges decide
        parts = [part for _, there in walk.begun for part in may_bar(there, model)]
        return union([*parts, _spots(walk, model)]), NOWHERE
    enemy, late = walk.mover, late_ways(walk.table, walk.mover.move or 0.0)
    crossed: list[Any] = []
    landed: list[Floats] = []
    thrown: list[Floats] = []
    aside, here = 0.0, walk.surroundings.index(model.on)
    for way, places, leads in ways_begun(walk):
        if way.way.tests or way.source != way.dest:
            near, far = (np.concatenate([np.empty((0, 2)), *rim_places(rim)]) for rim in (way.near, way.far))
            in_time = leads >= (0.0 if way.way.kind in late else way.way.cost)
            begun, left = places[in_time], leads[in_time]
            near = near[(distances(near, begun) <= 2 * ASIDE).any(axis=1)]
            if way.way.across or way.way.foot is not None:  # each begin has one landing
                ends, free = way.landing(near), np.zeros(len(near), dtype=bool)
                open_ = way.open(near, ends, free, free) if len(near) else free
                landed += [ends[open_]] if way.dest == here else []
                thrown += [ends[open_]] if way.way.tests else []
                aside = max(aside, 0.0 if way.way.foot else ASIDE)
                crossed += [shapely.linestrings(np.stack([near[open_], ends[open_]], axis=1))] if open_.any() else []
                continue
            far = far[(distances(far, begun) <= left + ASIDE).any(axis=1)]
            if len(near) and len(far):
                landed += [far] if way.dest == here else []
                thrown += [far] if way.way.tests else []
                aside = ASIDE
                crossed.append([shapely.convex_hull(shapely.multipoints(np.concatenate([near, far])))])
    if not crossed:
        return NOWHERE, NOWHERE
    contact = enemy.radius + model.radius
    # A way over leads straight from rim to rim; places on the rims are ASIDE apart.
    zone = shapely.buffer(shapely.union_all(np.concatenate(crossed)), contact + ASIDE, quad_segs=ROUND)
    if thrown and model.has_zone and walk.table.rulings["charge_on_a_six"] == "no":
        ends = shapely.union_all(shapely.points(np.concatenate(thrown)))
        zone = union([zone, shapely.buffer(ends, contact + ZONE_WIDTH + ASIDE, quad_segs=ROUND)])
    afoot = grown(walk.afoot, contact) if model.on == walk.surface else NOWHERE
    barred = NOWHERE
    if sum(map(len, landed)):
        corners = shapely.get_coordinates(shapely.convex_hull(shapely.multipoints(np.concatenate(landed))))
        discs = shapely.buffer(shapely.points(corners), contact - aside - CHORD, quad_segs=ROUND)
        barred = shapely.intersection_all(discs)
    return difference(zone, union([afoot, barred])), difference(barred, afoot)


def _spots(walk: HangingReach, model: Model) -> shapely.Geometry:
    """Return where a model, grown a little, overlaps the base of an enemy that has just climbed on from a face."""
    contact, places = walk.mover.radius + model.radius, [there.mover.at for _, there in walk.begun]
    return shapely.union_all(shapely.buffer(shapely.points(places), contact + ASIDE, quad_segs=ROUND))


def unsettled(
    rows: Regions, bars: shapely.Geometry, others: list[tuple[Regions, shapely.Geometry]]
) -> shapely.Geometry:
    """Return where an enemy's danger depends on what the model bars, and no other enemy is as great a danger anyway.

    Parameters
    ----------
    rows
        The areas by chance where the enemy could charge the model, if the model barred nothing.
    bars
        Where the model may bar its ways.
    others
        The same two for each other enemy.

    """
    found = []
    for chance, area in rows:
        part = intersection(area, bars) if not bars.is_empty else NOWHERE
        for regions, barred in others:
            if part.is_empty:
                break
            # Clipped to the part that is still open: overlays of whole areas take long.
            surely = with_chance(regions, chance)
            if shapely.intersects(surely, part):
                box = shapely.buffer(part, ASIDE).bounds
                part = difference(part, difference(clipped(surely, box), barred))
        found.append(part)
    return union(found)
