"""Where a model could stand unseen: the shadows that terrain and other models throw from an eye.

A look at a model sees something of it when it sees a point of its top (what hides a point of the top hides all below
it, for everything in the way stands on the ground). So a model is hidden where the whole disc of its top lies in the
union of the shadows: the union, shrunk by its radius.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Final

import shapely
from shapely import affinity

from sbg_sim.rules.sight import has_volume, standing_height
from sbg_sim.table.board import height_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model

_ROUND: Final = 32  # segments of a quarter circle: a disc of 1 in loses 3e-4 square inches
_FAR: Final = 1e4  # times the distance of what throws a shadow: as good as for ever


def hidden(table: Table, looker: Model, target: Model, within: shapely.Geometry) -> shapely.Geometry:
    """Return where the target's centre could be, on the surface it stands on, so that the looker sees nothing of it.

    Parameters
    ----------
    table
        The table; where the target stands on it now does not matter.
    looker, target
        Who looks at whom.
    within
        The places that matter, inches.

    Returns
    -------
    The places as a geometry; empty under the ruling ``eye = "volume"``, where every part of a base may look, and when
    a height that matters is not given.

    """
    nowhere = shapely.Polygon()
    if table.rulings["eye"] != "centre" or looker.height is None or target.height is None or within.is_empty:
        return nowhere
    eye = standing_height(table, looker) + _counted(looker)
    high = standing_height(table, target) + _counted(target)
    around = shapely.buffer(shapely.convex_hull(within), target.radius)
    seen = shapely.convex_hull(shapely.union(around, shapely.Point(looker.at)))
    # Of shadows that go on for ever only what falls on tops that matter: the rest makes shrinking them slow.
    box = shapely.buffer(shapely.box(*around.bounds), target.radius, join_style="mitre").bounds
    throwing = [
        shapely.clip_by_rect(shadow, *box)
        for body, top in _bodies(table, looker, target)
        if shapely.intersects(body, seen)
        for shadow in _shadow(table, body, top, looker.at, (eye, high))
    ]
    if not throwing:
        return nowhere
    dark = shapely.buffer(shapely.union_all(throwing), -target.radius, quad_segs=_ROUND)
    found = shapely.intersection(dark, within)
    if table.rulings["sight_within"] == "ignored":  # a piece does not hide who stands in it
        for piece in table.terrain.values():
            if piece.shape is not None and has_volume(piece):
                found = shapely.difference(found, piece.shape.to_shapely().buffer(target.radius))
    return found


def _counted(model: Model) -> float:
    return height_of(model) / (2 if model.prone else 1)


def _bodies(table: Table, looker: Model, target: Model) -> Iterator[tuple[shapely.Geometry, float]]:
    """Yield what may throw a shadow and how high its top is, inches; all of it stands on the ground."""
    inside = table.rulings["sight_within"] == "ignored"
    for piece in table.terrain.values():
        if piece.shape is None or not has_volume(piece):
            continue
        body = piece.shape.to_shapely(tolerance=1e-3)
        if not (inside and shapely.distance(body, shapely.Point(looker.at)) < looker.radius):
            yield body, standing_height(table, piece) + piece.top
    if table.rulings["models_block_sight"] != "yes":
        return
    for other in table.standing():
        if other.id not in (looker.id, target.id) and other.height is not None and not other.climbed:
            disc = shapely.Point(other.at).buffer(other.radius, quad_segs=_ROUND)
            yield disc, standing_height(table, other) + _counted(other)


def _shadow(
    table: Table, body: shapely.Geometry, top: float, at: Point, heights: tuple[float, float]
) -> list[shapely.Geometry]:
    """Return the places whose upper end a body hides: the body stretched away from the eye between two factors."""
    eye, high = heights
    grazing = table.rulings["sight_grazing"] == "passes"
    first, last = 1.0, _FAR
    if eye > high:  # the look goes down: it is stopped behind the body until it has passed over its top
        if top < eye:
            last = (eye - high) / (eye - top) if top > high else 1.0
        if last <= 1.0:
            return []
    elif eye < high:  # the look goes up: it is stopped where it still is below the top
        if top <= eye:
            return []
        first = max(1.0, (high - eye) / (top - eye))
    elif top < eye or (top == eye and grazing):
        return []
    return _stretched(body, at, first, last)


def _stretched(body: shapely.Geometry, at: Point, first: float, last: float) -> list[shapely.Geometry]:
    near = affinity.scale(body, first, first, origin=at)
    far = affinity.scale(body, last, last, origin=at)
    found = [near, far]
    for part in shapely.get_parts(body):
        if math.isclose(part.area, part.convex_hull.area, rel_tol=1e-9):
            a, b = (affinity.scale(part, s, s, origin=at) for s in (first, last))
            found.append(shapely.convex_hull(shapely.union(a, b)))
            continue
        for ring in (part.exterior, *part.interiors):
            for one, two in itertools.pairwise(ring.coords):
                side = shapely.LineString([one, two])
                ends = [affinity.scale(side, s, s, origin=at) for s in (first, last)]
                found.append(shapely.convex_hull(shapely.union_all(ends)))
    return found
