"""Shapes as they are, never as polygons that stand in for circles.

Every shape is a set of rings (closed polygons, even-odd filled) and a set of *capsules*: all points within
``radius`` of a segment. A polygon is its rings with capsules of radius 0 along its edges; a disc is one capsule
of length 0; a thick line is a chain of capsules. Distances are closed forms.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from numbers import Real
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import shapely
import shapely.geometry

from sbg_sim.errors import QuestionError, UnsoundError
from sbg_sim.geometry.spines import in_rings, point_segment_distance, side
from sbg_sim.tolerance import CHORD

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sbg_sim.arrays import Bools, Floats

_ROWS: Final = 2000  # points compared with all sides at once: keeps the arrays within a few megabytes
_PAIRS: Final = 100_000  # pairs of sides compared at once

Point: TypeAlias = tuple[float, float]
"""A place on the table in inches."""


@dataclass(frozen=True)
class Shape:
    """A closed set of the plane, inches.

    Parameters
    ----------
    kind
        ``"polygon"``, ``"circle"`` or ``"line"``.
    rings
        For polygons: every ring, outer ones and holes, without the closing repetition of the first vertex.
    spine
        For circles (one point) and thick lines (two or more points).
    radius
        Radius of the circle, half the thickness of the line, 0 for polygons.

    Examples
    --------
    >>> circle((0, 0), 1).bounds
    (-1.0, -1.0, 1.0, 1.0)
    >>> polygon([(0, 0), (4, 0), (4, 4)]).kind
    'polygon'

    """

    kind: str
    rings: tuple[tuple[Point, ...], ...] = ()
    spine: tuple[Point, ...] = ()
    radius: float = 0.0

    @property
    def __geo_interface__(self) -> dict[str, Any]:
        """The shape as GeoJSON: circles and thick lines as polygons that deviate by at most 1e-4 inches."""
        found: dict[str, Any] = shapely.geometry.mapping(self.to_shapely())
        return found

    @cached_property
    def capsules(self) -> Floats:
        """Segments that carry the shape's edge, shape ``(n, 4)``: ``ax, ay, bx, by``.

        Examples
        --------
        >>> circle((1, 2), 3).capsules.tolist()
        [[1.0, 2.0, 1.0, 2.0]]

        """
        rows: list[tuple[float, float, float, float]] = []
        for ring in self.rings:
            rows += [(*a, *b) for a, b in zip(ring, (*ring[1:], ring[0]), strict=True)]
        if len(self.spine) == 1:
            rows.append((*self.spine[0], *self.spine[0]))
        rows += [(*a, *b) for a, b in zip(self.spine, self.spine[1:], strict=False)]
        return np.array(rows, dtype=float).reshape(-1, 4)

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """Smallest box: ``xmin, ymin, xmax, ymax``.

        Examples
        --------
        >>> line([(0, 0), (4, 0)], thickness=1).bounds
        (-0.5, -0.5, 4.5, 0.5)

        """
        c = self.capsules
        xs, ys = c[:, [0, 2]], c[:, [1, 3]]
        r = self.radius
        return float(xs.min() - r), float(ys.min() - r), float(xs.max() + r), float(ys.max() + r)

    def contains(self, xy: ArrayLike) -> Bools:
        """Say which points lie in the shape's filled rings or capsules.

        Parameters
        ----------
        xy
            Points, shape ``(..., 2)``.

        Examples
        --------
        >>> circle((0, 0), 1).contains([[0, 0.5], [2, 0]]).tolist()
        [True, False]

        """
        p = np.asarray(xy, dtype=float)
        if self.spine:
            return np.asarray(self.edge_distance(p) <= 0)
        flat = p.reshape(-1, 2)
        one = np.zeros(len(self.capsules), dtype=np.int64)
        inside = [in_rings(flat[k : k + _ROWS], self.capsules, one, 1)[:, 0] for k in range(0, len(flat), _ROWS)]
        return np.concatenate([np.zeros(0, dtype=bool), *inside]).reshape(p.shape[:-1])

    def edge_distance(self, xy: ArrayLike) -> Floats:
        """Distance from points to the carrying segments less the radius, inches.

        Negative inside a circle or thick line; for polygons the distance to the outline from either side.

        Examples
        --------
        >>> polygon([(0, 0), (4, 0), (4, 4), (0, 4)]).edge_distance([[2, 1], [5, 2]]).tolist()
        [1.0, 1.0]

        """
        p = np.asarray(xy, dtype=float)
        flat = p.reshape(-1, 2)
        a, b = self.capsules[:, :2], self.capsules[:, 2:]
        best = [
            point_segment_distance(flat[k : k + _ROWS, None], a, b).min(axis=-1) for k in range(0, len(flat), _ROWS)
        ]
        return np.concatenate([np.zeros(0), *best]).reshape(p.shape[:-1]) - self.radius

    def distance(self, xy: ArrayLike) -> Floats:
        """Distance from points to the shape, 0 inside, inches; shape ``(..., 2)`` to ``(...)``.

        Examples
        --------
        >>> polygon([(0, 0), (4, 0), (4, 4), (0, 4)]).distance([[2, 1], [5, 2]]).tolist()
        [0.0, 1.0]

        """
        d = np.maximum(self.edge_distance(xy), 0.0)
        if self.rings:
            d = np.where(self.contains(xy), 0.0, d)
        return d

    def depth(self, xy: ArrayLike) -> Floats:
        """Signed distance: positive outside, negative inside, inches; shape ``(..., 2)`` to ``(...)``.

        Examples
        --------
        >>> polygon([(0, 0), (4, 0), (4, 4), (0, 4)]).depth([[2, 1], [5, 2]]).tolist()
        [-1.0, 1.0]

        """
        d = self.edge_distance(xy)
        return np.where(self.contains(xy), -np.abs(d), np.abs(d)) if self.rings else d

    def to_shapely(self, grow: float = 0.0, tolerance: float = CHORD) -> shapely.Geometry:
        """Turn the shape into a shapely polygon for areas and pictures; never for a decision.

        Parameters
        ----------
        grow
            Minkowski growth (negative shrinks), inches.
        tolerance
            How far a chord may stray from an arc, inches.

        Examples
        --------
        >>> polygon([(0, 0), (4, 0), (4, 4)]).to_shapely().area
        8.0

        """
        if self.rings:
            body: shapely.Geometry = shapely.Polygon()
            for ring in self.rings:
                body = shapely.symmetric_difference(body, shapely.Polygon(ring))
        elif len(self.spine) == 1:
            body = shapely.Point(self.spine[0])
        else:
            body = shapely.LineString(self.spine)
        reach = self.radius + grow
        if reach == 0:
            return body
        step = 2 * math.acos(max(0.0, 1 - tolerance / abs(reach))) if abs(reach) > tolerance else math.pi / 2
        return shapely.buffer(body, reach, quad_segs=max(4, math.ceil(math.pi / 2 / step)))

    def moved(self, turn: float, shift: Point, *, mirror: bool = False) -> Shape:
        """Mirror in the x axis (when asked), turn about the origin (radians), then shift by ``(x, y)``, inches.

        Examples
        --------
        >>> circle((1, 0), 1).moved(0.0, (2, 3)).spine
        ((3.0, 3.0),)

        """
        c, s = math.cos(turn), math.sin(turn)

        def place(p: Point) -> Point:
            x, y = p[0], -p[1] if mirror else p[1]
            return (c * x - s * y + shift[0], s * x + c * y + shift[1])

        rings = tuple(tuple(place(p) for p in ring) for ring in self.rings)
        return Shape(self.kind, rings, tuple(place(p) for p in self.spine), self.radius)


def polygon(ring: Iterable[Point], holes: Iterable[Iterable[Point]] = ()) -> Shape:
    """Make a polygon with holes.

    Parameters
    ----------
    ring
        Its corners, ``(x, y)`` each, inches; the first may be repeated at the end.
    holes
        Rings of the same kind.

    Raises
    ------
    QuestionError
        For a corner that is not two numbers.

    Examples
    --------
    >>> polygon([(0, 0), (4, 0), (4, 4)]).contains([[3, 1], [1, 3]]).tolist()
    [True, False]
    >>> holed = polygon([(0, 0), (4, 0), (4, 4), (0, 4)], [[(1, 1), (3, 1), (3, 3), (1, 3)]])
    >>> float(holed.distance((2, 2)))
    1.0

    """
    rings = []
    inner: Any = holes
    if isinstance(inner, str) or not isinstance(inner, Iterable):
        raise QuestionError(f"holes are rings of places, not {inner!r:.60}")
    for given in (ring, *holes):
        points = list(_places(given))
        if len(points) > 1 and points[0] == points[-1]:
            points.pop()
        kept = [p for i, p in enumerate(points) if p != points[i - 1]] or points[:1]
        rings.append(tuple(kept))
    return Shape("polygon", tuple(rings))


def from_shapely(body: Any) -> Shape:
    """Make a polygon, holes included, from a shapely polygon.

    Raises
    ------
    QuestionError
        For anything else.

    Examples
    --------
    >>> from_shapely(shapely.box(0, 0, 2, 1)).bounds
    (0.0, 0.0, 2.0, 1.0)

    """
    if not isinstance(body, shapely.Polygon) or body.is_empty:
        kind = getattr(body, "geom_type", type(body).__name__)
        raise QuestionError(f"a shape is polygon(...), circle(...), line(...) or a shapely Polygon, not {kind}")
    outer, *holes = (ring.coords for ring in (body.exterior, *body.interiors))
    return polygon(((x, y) for x, y, *_ in outer), [[(x, y) for x, y, *_ in ring] for ring in holes])


def circle(center: Point, radius: float) -> Shape:
    """Make a disc, which stays one: no polygon stands in for it.

    Parameters
    ----------
    center
        ``(x, y)``, inches.
    radius
        Inches; a disc of radius 0 is a point.

    Raises
    ------
    UnsoundError
        For a negative radius.
    QuestionError
        For a centre that is not two numbers.

    Examples
    --------
    >>> float(circle((0, 0), 1).distance((3, 4)))
    4.0

    """
    _size(radius, "a circle", "radius")
    return Shape("circle", spine=_places([center]), radius=float(radius))


def line(points: Iterable[Point], thickness: float) -> Shape:
    """Make a thick line: every point within half the thickness of the polyline, so that its ends are round.

    Parameters
    ----------
    points
        The vertices, ``(x, y)`` each, inches.
    thickness
        Inches; a line of thickness 0 has no inside.

    Raises
    ------
    UnsoundError
        For a negative thickness.
    QuestionError
        For a point that is not two numbers.

    Examples
    --------
    >>> float(line([(0, 0), (4, 0)], thickness=0.5).distance((2, 1)))
    0.75

    """
    _size(thickness, "a line", "thickness")
    return Shape("line", spine=_places(points), radius=thickness / 2)


def _size(given: Any, what: str, name: str) -> None:
    """Raise QuestionError if a size is no number, UnsoundError if it is negative."""
    if isinstance(given, bool) or not isinstance(given, Real):
        raise QuestionError(f"the {name} of {what} is a number of inches, not {given!r:.60}")
    if given < 0:
        raise UnsoundError(f"{what} has no negative {name}: {given:g}")


def _places(points: Iterable[Point]) -> tuple[Point, ...]:
    """Return places as pairs of floats; QuestionError if one is no pair of numbers."""
    try:
        return tuple((float(x), float(y)) for x, y in points)
    except (TypeError, ValueError):
        raise QuestionError(f"a place is [x, y], inches; among {points!r:.60} one is none") from None


@lru_cache(maxsize=2048)
def shape_distance(one: Shape, two: Shape) -> float:
    """Distance between two shapes, 0 when they touch or overlap, inches."""
    inside = one.rings and one.contains(two.capsules[:, :2]).any()
    inside = inside or (two.rings and two.contains(one.capsules[:, :2]).any())
    if inside:
        return 0.0
    p, q = one.capsules, two.capsules
    step = max(1, _PAIRS // len(q))
    best = min(_least_apart(p[k : k + step], q) for k in range(0, len(p), step))
    return max(0.0, best - one.radius - two.radius)


def boxes_distance(one: Shape, two: Shape) -> float:
    """Distance between the boxes of two shapes: they are no nearer than that, inches."""
    a, b = one.bounds, two.bounds
    return math.hypot(max(a[0] - b[2], b[0] - a[2], 0.0), max(a[1] - b[3], b[1] - a[3], 0.0))


def _least_apart(p: Floats, q: Floats) -> float:
    """Least distance between segments ``(n, 4)`` and segments ``(m, 4)``, 0 when two cross, inches."""
    a, b, c, d = p[:, None, :2], p[:, None, 2:], q[None, :, :2], q[None, :, 2:]
    if ((side(a, b, c) * side(a, b, d) < 0) & (side(c, d, a) * side(c, d, b) < 0)).any():
        return 0.0
    ends = [point_segment_distance(end, c, d) for end in (a, b)] + [point_segment_distance(end, a, b) for end in (c, d)]
    return min(float(apart.min()) for apart in ends)
