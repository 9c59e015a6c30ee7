"""Finds where a model could stand unseen: the shadows that terrain and other models cast from an eye.

A model is seen if a point of its top is seen: a body that hides a point of the top hides all below it, for all bodies
here reach down to the ground; those that one can look under are left out. So a model is hidden where the whole disc of
its top lies in the union of the shadows: in the union, shrunk by its radius.

By the ruling ``eye = "volume"`` any place over the base may be the eye. Eyes on its rim see all that the others do
(:mod:`~sbg_sim.geometry.weak_visibility`), so a model is hidden in the area that is dark from every arc of the rim. A
convex body that hides a place from the corners of a triangle hides it from all of the triangle; and the area that all
bodies hide, shrunk by ``d`` as the bodies are, is dark to all eyes within ``d``. If neither decides, the arc is halved.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
import shapely

from sbg_sim.geometry.areas import NOWHERE, clipped, difference, intersection, opened, union
from sbg_sim.rules.sight import has_volume, standing_height
from sbg_sim.table.board import height_of
from sbg_sim.table.bodies import bodies, reach_of_body
from sbg_sim.table.joining import ground_about
from sbg_sim.tolerance import HAIR, NARROW, SHARE, SIMPLIFIED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sbg_sim.arrays import Floats
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain

_ROUND: Final = 32  # segments of a quarter circle: a disc of 1 in loses 3e-4 square inches
_FAR: Final = 1e4  # length of an endless shadow, in distances of its body
_FINEST: Final = SIMPLIFIED  # radians: places that an arc as short as this leaves undecided count as seen

_Bodies: TypeAlias = "Iterable[tuple[shapely.Geometry, float]]"  # outlines of bodies, and the heights of their tops
_Throwing: TypeAlias = "list[tuple[Floats, float, float]]"
"""Corners of convex bodies ``(n, 2)``, and the factors by which they are stretched from an eye to make shadows."""


def hidden(table: Table, looker: Model, target: Model, within: shapely.Geometry) -> shapely.Geometry:
    """Return where the target's centre could be, on its surface, so that the looker sees nothing of it.

    Parameters
    ----------
    table
        The table; the target's place on it does not matter.
    looker, target
        The model that looks, and its target.
    within
        The places that matter, inches.

    Returns
    -------
    The places as a geometry; empty if a height that matters is unknown.

    """
    if looker.height is None or target.height is None or within.is_empty:
        return NOWHERE
    wide = looker.radius if table.rulings["eye"] == "volume" else 0.0
    around = shapely.buffer(shapely.convex_hull(within), target.radius)
    seen = shapely.buffer(shapely.convex_hull(shapely.union(around, shapely.Point(looker.at))), wide)
    # Endless shadows are clipped to the tops that matter: the rest would make shrinking them slow.
    box = shapely.buffer(shapely.box(*around.bounds), target.radius, join_style="mitre").bounds
    bodies = [(body, top) for body, top in _bodies(table, looker, target) if shapely.intersects(body, seen)]
    heights = (standing_height(table, looker) + _counted(looker), standing_height(table, target) + _counted(target))
    how = partial(_throwing, heights=heights, grazing=table.rulings["sight_grazing"] == "passes")
    dark = union(_shadows(how(bodies), looker.at, box))
    if wide:
        dark = _dark_all_round(dark, looker, target.radius, bodies, how)
    found = shapely.intersection(shapely.buffer(dark, -target.radius, quad_segs=_ROUND), within)
    if table.rulings["sight_within"] == "ignored":  # a piece does not hide a model that stands in it
        foot = standing_height(table, target)
        for piece in table.terrain.values():
            if piece.shape is not None and has_volume(piece) and _holds(table, piece, foot):
                found = shapely.difference(found, piece.shape.to_shapely().buffer(target.radius))
    return found


def _holds(table: Table, piece: Terrain, foot: float) -> bool:
    """Say whether feet at a height (inches) are within a piece, not on top of it or below."""
    low = standing_height(table, piece)
    return low <= foot < low + piece.top


def _counted(model: Model) -> float:
    return height_of(model) / (2 if model.prone else 1)


def _bodies(table: Table, looker: Model, target: Model) -> Iterator[tuple[shapely.Geometry, float]]:
    """Yield the bodies that certainly cast a shadow, with the heights of their tops, inches; all reach the ground."""
    inside, foot = table.rulings["sight_within"] == "ignored", standing_height(table, looker)
    for piece in table.terrain.values():
        if piece.shape is None or not has_volume(piece):
            continue
        body = piece.shape.to_shapely(tolerance=SIMPLIFIED)
        near = inside and shapely.distance(body, shapely.Point(looker.at)) < looker.radius
        if near and _holds(table, piece, foot):
            continue
        for shape, low, high in bodies(table, piece):
            if low <= 0:
                yield body if shape is piece.shape else shape.to_shapely(tolerance=SIMPLIFIED), high
    if min(foot, standing_height(table, target)) < 0:  # the ground is in the way of a look into a gap or out of it
        for _, ground in ground_about(table):
            yield ground.to_shapely(tolerance=SIMPLIFIED), 0.0
    if table.rulings["models_block_sight"] != "yes":
        return
    for other in table.standing():
        down = reach_of_body(table, other)
        floats = down is None or down > 0
        if other.id not in (looker.id, target.id) and other.height is not None and not floats:
            disc = shapely.Point(other.at).buffer(other.radius, quad_segs=_ROUND)
            yield disc, standing_height(table, other) + _counted(other)


def _throwing(bodies: _Bodies, heights: tuple[float, float], *, grazing: bool) -> _Throwing:
    """Return the convex parts of bodies that hide a top from an eye (heights, inches), and their stretching factors."""
    eye, high = heights
    found: _Throwing = []
    for body, top in bodies:
        first, last = 1.0, _FAR
        if eye > high:  # the look goes down: it is stopped behind the body until it has passed over its top
            if top < eye:
                last = (eye - high) / (eye - top) if top > high else 1.0
        elif eye < high:  # the look goes up: it is stopped where it still is below the top
            first = max(1.0, (high - eye) / (top - eye)) if top > eye else _FAR
        elif top < eye or (top == eye and grazing):
            continue
        if first < last:
            found += [(shapely.get_coordinates(part), first, last) for part in _convex(body)]
    return found


def _convex(body: shapely.Geometry) -> Iterator[shapely.Geometry]:
    for part in shapely.get_parts(body):
        if math.isclose(part.area, part.convex_hull.area, rel_tol=SHARE):
            yield part
        else:
            yield from shapely.get_parts(shapely.constrained_delaunay_triangles(part))


def _shadows(throwing: _Throwing, at: Point, box: Sequence[float]) -> Sequence[shapely.Geometry]:
    """Return the places in a box that each body hides from an eye: the body stretched between two factors."""
    eye = np.array(at)
    ends = [np.concatenate([eye + first * (xy - eye), eye + last * (xy - eye)]) for xy, first, last in throwing]
    hulls = shapely.convex_hull(list(map(shapely.multipoints, ends)))
    try:  # all at once, in a third of the time
        found: Sequence[shapely.Geometry] = shapely.clip_by_rect(hulls, *box)
    except shapely.errors.GEOSException:
        return [clipped(hull, box) for hull in hulls]
    return found


def _dark_all_round(
    dark: shapely.Geometry,
    looker: Model,
    radius: float,
    bodies: Sequence[tuple[shapely.Geometry, float]],
    how: Callable[[_Bodies], _Throwing],
) -> shapely.Geometry:
    """Return the part of an area dark from the middle of a base that is dark from all of it and has room for a disc."""
    throwing = how(bodies)
    merged = [(union([body for body, high in bodies if high >= top]), top) for top in {top for _, top in bodies}]

    def spot(angle: float, out: float = 1.0) -> Point:
        far = out * looker.radius
        return looker.at[0] + far * math.cos(angle), looker.at[1] + far * math.sin(angle)

    arcs, half = [(turn * math.pi / 4, dark) for turn in (1, 3, 5, 7)], math.pi / 4
    while arcs:
        by = 2 * looker.radius * math.sin(half / 2)
        shrunk = how([(shapely.buffer(body, -by, join_style="mitre"), top) for body, top in merged])
        halves, every = [], []
        for middle, region in arcs:
            left = opened(intersection(region, dark), NARROW)
            if left.is_empty:
                continue
            corners = spot(middle - half), spot(middle + half), spot(middle, 1 / math.cos(half))
            one, two, three = (_shadows(throwing, corner, left.bounds) for corner in corners)
            left = difference(left, union(shapely.intersection(shapely.intersection(one, two), three)))
            left = opened(left, NARROW)
            if left.is_empty:
                continue
            x0, y0, x1, y1 = left.bounds
            deep = union(_shadows(shrunk, spot(middle), (x0 - by, y0 - by, x1 + by, y1 + by)))
            left = opened(difference(left, shapely.buffer(deep, -by)), NARROW)
            if left.is_empty:
                continue
            if half > _FINEST:
                seen = opened(difference(left, union(_shadows(throwing, spot(middle), left.bounds))), HAIR)
                left = difference(left, seen)
                halves += [(middle - half / 2, left), (middle + half / 2, left)]
            every.append(seen if half > _FINEST else left)
        if every:
            dark = difference(dark, union(every))
            dark = intersection(dark, shapely.buffer(shapely.buffer(dark, -radius), radius + NARROW))
        arcs, half = halves, half / 2
    return dark
