"""Shapes, ways and areas as the path data of SVG: arcs stay arcs, y runs down as on a screen."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Final

import shapely

from sbg_sim.tolerance import SAGITTA

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np

    from sbg_sim.geometry.shapes import Point, Shape
    from sbg_sim.table.route import Leg, Route

_DECIMALS: Final = 5
_SPREAD: Final = 9  # places tried for a name along each side of a piece
_KEPT: Final = 24
_FILLED: Final = 0.8  # share of its smallest enclosing rectangle from which a piece counts as one stretch


def number(value: float) -> str:
    """Write a coordinate, inches, as short as possible.

    Examples
    --------
    >>> number(2.5000000001), number(-0.0)
    ('2.5', '0')

    """
    return f"{round(value, _DECIMALS) + 0.0:.{_DECIMALS}f}".rstrip("0").rstrip(".")


def spot(point: Sequence[float] | np.ndarray) -> str:
    """Write a place of the table, inches, as a place of the screen: y runs down.

    Examples
    --------
    >>> spot((1.0, 2.0))
    '1 -2'

    """
    return f"{number(float(point[0]))} {number(-float(point[1]))}"


def arc(radius: float, sweep: float, end: Point) -> str:
    """Write an arc from the current point; ``sweep`` in radians, counter-clockwise positive, less than a full turn."""
    r = number(radius)
    return f"A{r} {r} 0 {int(abs(sweep) > math.pi)} {int(sweep < 0)} {spot(end)}"


def shape_path(shape: Shape) -> str:
    """Draw a piece of terrain: polygons with holes, circles, lines with round ends."""
    if shape.rings:
        return "".join("M" + "L".join(spot(p) for p in ring) + "Z" for ring in shape.rings)
    if len(shape.spine) == 1:
        return disc_path(shape.spine[0], shape.radius)
    # Each segment of a thick line is a capsule; together, filled, they form the line.
    return "".join(_capsule(a, b, shape.radius) for a, b in zip(shape.spine, shape.spine[1:], strict=False) if a != b)


def disc_path(center: Point, radius: float) -> str:
    """Draw a whole circle."""
    return f"M{spot(_on(center, radius, 0.0))}{turn(center, radius, 0.0, math.tau)}Z"


def turn(center: Point, radius: float, first: float, sweep: float) -> str:
    """Write an arc of any length from the current point, which is at angle ``first``, radians.

    It is written in parts of at most a third of a turn: the side of a half circle would depend on the last digit of its
    ends.
    """
    parts = max(1, math.ceil(abs(sweep) / (math.tau / 3) - 1e-9))
    step = sweep / parts
    return "".join(arc(radius, step, _on(center, radius, first + step * (i + 1))) for i in range(parts))


def _capsule(a: Point, b: Point, r: float) -> str:
    ahead = math.atan2(b[1] - a[1], b[0] - a[0])
    left, right = ahead + math.pi / 2, ahead - math.pi / 2
    return (
        f"M{spot(_on(a, r, left))}L{spot(_on(b, r, left))}{turn(b, r, left, -math.pi)}"
        f"L{spot(_on(a, r, right))}{turn(a, r, right, -math.pi)}Z"
    )


def area_path(area: shapely.Geometry) -> str:
    """Draw an area (polygons, and lines where a die puts a model down) by its outline."""
    if area.is_empty:
        return ""
    found = []
    for part in shapely.get_parts(shapely.simplify(area, SAGITTA)):
        if part.geom_type == "Polygon":
            rings = (part.exterior, *part.interiors)
            found += ["M" + "L".join(map(spot, shapely.get_coordinates(ring)[:-1])) + "Z" for ring in rings]
        elif part.geom_type in {"LineString", "LinearRing"}:
            found.append("M" + "L".join(map(spot, shapely.get_coordinates(part))))
    return "".join(found)


def contact_path(center: Point, radius: float, arcs: Iterable[Sequence[float]]) -> str:
    """Draw arcs (pairs of angles, radians) of a circle."""
    found = []
    for low, high in arcs:
        if high - low >= math.tau - 1e-9:
            found.append(disc_path(center, radius))
            continue
        found.append(f"M{spot(_on(center, radius, low))}" + turn(center, radius, low, max(high - low, 1e-6)))
    return "".join(found)


def _on(center: Point, radius: float, angle: float) -> Point:
    return center[0] + radius * math.cos(angle), center[1] + radius * math.sin(angle)


def route_paths(route: Route, allowance: float) -> tuple[str, str]:
    """Draw a way in two parts: up to the allowance (inches), and beyond it."""
    within, beyond = [], []
    left = allowance + 1e-9
    for leg in route.legs:
        if leg.cost <= left:
            within.append(_leg(leg, 0.0, 1.0))
        else:
            share = max(0.0, left / leg.cost) if leg.cost else 1.0
            if share > 0:
                within.append(_leg(leg, 0.0, share))
            beyond.append(_leg(leg, share, 1.0))
        left = max(0.0, left - leg.cost)
    return "".join(within), "".join(beyond)


def _leg(leg: Leg, low: float, high: float) -> str:
    if leg.center is None:
        return f"M{spot(_along(leg, low))}L{spot(_along(leg, high))}"
    first = math.atan2(leg.start[1] - leg.center[1], leg.start[0] - leg.center[0]) + low * leg.sweep
    return f"M{spot(_along(leg, low))}" + turn(leg.center, leg.radius, first, leg.sweep * (high - low))


def _along(leg: Leg, share: float) -> Point:
    if leg.center is None:
        (x0, y0), (x1, y1) = leg.start, leg.end
        return x0 + share * (x1 - x0), y0 + share * (y1 - y0)
    first = math.atan2(leg.start[1] - leg.center[1], leg.start[0] - leg.center[0])
    return _on(leg.center, leg.radius, first + share * leg.sweep)


def label_spots(shape: Shape, over: Sequence[Shape]) -> list[Point]:
    """Return places for the name of a piece where no other covers it, those with most room first; inches."""
    first = label_spot(shape)
    box = shapely.box(*shape.bounds)
    bodies = [other.to_shapely() for other in over if shapely.box(*other.bounds).intersects(box)]
    if not bodies:
        return [first]
    left = shapely.difference(shape.to_shapely(), shapely.union_all(bodies))
    if left.is_empty:
        return [first]
    (x0, y0, x1, y1), parts = left.bounds, [(k + 0.5) / _SPREAD for k in range(_SPREAD)]
    spots = [(x0 + (x1 - x0) * u, y0 + (y1 - y0) * v) for u in parts for v in parts]
    points = [shapely.Point(at) for at in (first, *spots, left.representative_point().coords[0])]
    inside = [(float(left.boundary.distance(p)), (float(p.x), float(p.y))) for p in points if left.contains(p)]
    return [at for _, at in sorted(inside, key=lambda row: -row[0])[:_KEPT]]


def strips(shape: Shape) -> list[tuple[float, float, float, float, float]]:
    """Return the straight stretches of a piece, the longest first: the ends of the middle line and the breadth, inches.

    A polygon that is nearly a rectangle is one stretch; others have one along each long side. A name is not written
    across a narrow stretch.

    Examples
    --------
    >>> from sbg_sim.geometry.shapes import line, polygon
    >>> strips(line([(0, 0), (0, 2), (5, 2)], 0.4)) == [(0, 2, 5, 2, 0.4), (0, 0, 0, 2, 0.4)]
    True
    >>> strips(polygon([(0, 0), (6, 0), (6, 1), (0, 1)]))
    [(0.0, 0.5, 6.0, 0.5, 1.0)]

    """
    if not shape.rings:
        ends = [(*a, *b, 2 * shape.radius) for a, b in zip(shape.spine, shape.spine[1:], strict=False)]
        return sorted(ends, key=lambda end: -math.dist(end[:2], end[2:4]))
    body = shapely.Polygon(shape.rings[0])
    about = shapely.oriented_envelope(body)
    if about.geom_type != "Polygon" or not body.is_valid:
        return []
    if body.area < _FILLED * about.area:
        return _within_sides(body, 2 * about.length)
    corners = shapely.get_coordinates(about)
    corners = corners if math.dist(*corners[:2]) >= math.dist(*corners[1:3]) else corners[1:]
    (x0, y0), (x1, y1) = (corners[0] + corners[3]) / 2, (corners[1] + corners[2]) / 2
    return [(float(x0), float(y0), float(x1), float(y1), math.dist(corners[1], corners[2]))]


def _within_sides(body: shapely.Polygon, far: float) -> list[tuple[float, float, float, float, float]]:
    """Return the stretches along those sides of a polygon that are longer than it is broad there, the longest first."""
    ring, found = shapely.get_coordinates(shapely.orient_polygons(body).exterior), []
    for (x0, y0), (x1, y1) in itertools.pairwise(ring):
        long = math.dist((x0, y0), (x1, y1))
        x, y, inward = (x0 + x1) / 2, (y0 + y1) / 2, (-(y1 - y0) / max(long, SAGITTA), (x1 - x0) / max(long, SAGITTA))
        across = shapely.LineString([(x + d * inward[0], y + d * inward[1]) for d in (SAGITTA, far)])
        broad = shapely.Point(x, y).distance(shapely.intersection(across, body.exterior))
        if 0 < broad < long:
            dx, dy = broad / 2 * inward[0], broad / 2 * inward[1]
            found.append((float(x0 + dx), float(y0 + dy), float(x1 + dx), float(y1 + dy), float(broad)))
    return sorted(found, key=lambda end: -math.dist(end[:2], end[2:4]))


def label_spot(shape: Shape) -> Point:
    """Return a place for the name of a piece, well inside it, inches."""
    if shape.rings:
        body = shapely.Polygon(shape.rings[0], shape.rings[1:])
        if body.is_valid:
            point = body.centroid if body.contains(body.centroid) else body.representative_point()
            return float(point.x), float(point.y)
        return shape.rings[0][0]
    if len(shape.spine) == 1:
        return shape.spine[0]
    point = shapely.LineString(shape.spine).interpolate(0.5, normalized=True)
    return float(point.x), float(point.y)
