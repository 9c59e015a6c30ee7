"""Unions and differences of outlines of terrain: polygons that touch become one polygon."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import shapely

from sbg_sim.geometry.shapes import polygon
from sbg_sim.tolerance import ROUNDING, SLIVER, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sbg_sim.geometry.shapes import Point, Shape
    from sbg_sim.table.terrain import Terrain


def cornered(*pieces: Terrain) -> bool:
    """Say whether all pieces are polygons, so that their union is one too."""
    return all(p.shape is not None and p.shape.rings and not p.shape.radius for p in pieces)


def flush_somewhere(shape: Shape, other: Shape) -> bool:
    """Say whether two outlines run along one another somewhere."""
    near = shapely.buffer(shapely.boundary(other.to_shapely()), TOUCH)
    return bool(shapely.intersection(shapely.boundary(shape.to_shapely()), near).length > 4 * TOUCH)


def union(shapes: Iterable[Shape]) -> Shape:
    """Join polygons that touch within TOUCH into one outline, with no seam and no corners on straight sides."""
    grown = [shapely.buffer(s.to_shapely(), TOUCH, join_style="mitre") for s in shapes]
    whole = shapely.buffer(shapely.union_all(grown), -TOUCH, join_style="mitre")
    return outline(whole, corners(*shapes))


def less(shape: Shape, other: Shape, *more: Shape) -> Shape | None:
    """Return one polygon without another, with corners moved to theirs and those of more; None if nothing is left."""
    rest = shapely.difference(shape.to_shapely(), shapely.buffer(other.to_shapely(), TOUCH, join_style="mitre"))
    return None if rest.area <= SLIVER else outline(rest, corners(shape, other, *more))


def corners(*shapes: Shape) -> list[Point]:
    """Return the corners of polygons."""
    return [p for shape in shapes for ring in shape.rings for p in ring]


def outline(area: shapely.Geometry, corners: list[Point]) -> Shape:
    """Turn an area into a shape; corners of it that all but meet one of the given corners are moved to it."""
    rings: list[list[Point]] = []
    for part in shapely.get_parts(shapely.simplify(area, ROUNDING)):
        if part.geom_type == "Polygon" and part.area > SLIVER:
            rings += [list(ring.coords) for ring in (part.exterior, *part.interiors)]
    first, *more = _snapped(rings, corners)
    return polygon(first, more)


def _snapped(rings: list[list[Point]], corners: list[Point]) -> list[list[Point]]:
    def near(p: Point) -> Point:
        return min((c for c in corners if math.dist(c, p) <= 4 * TOUCH), key=lambda c: math.dist(c, p), default=p)

    return [[near((p[0], p[1])) for p in ring] for ring in rings]
