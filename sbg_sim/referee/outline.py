"""How far a point or a piece of a path is from a shape, measured by the referee's own closed forms."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from sbg_sim.referee.curves import (
    Curve,
    Spot,
    meets_circle,
    meets_line,
    nearest_to_line,
    nearest_to_point,
    point_to_segment,
    segment,
)
from sbg_sim.tolerance import ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sbg_sim.geometry.shapes import Shape

Edge = tuple[Spot, Spot]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a curve on one side of a level, a signed distance to a shape.

    Parameters
    ----------
    first, last
        Where it begins and ends along the curve, inches.
    below
        Whether the signed distance to the shape is less than the level there.
    low
        The least signed distance on it, inches.

    """

    first: float
    last: float
    below: bool
    low: float

    @property
    def length(self) -> float:
        """Length, inches."""
        return self.last - self.first


@lru_cache(maxsize=512)
def edges(shape: Shape) -> tuple[Edge, ...]:
    """Return the segments that carry a shape's edge: of its rings, or of its spine."""
    found: list[Edge] = []
    for ring in shape.rings:
        found += zip(ring, (*ring[1:], ring[0]), strict=True)
    if len(shape.spine) == 1:
        found.append((shape.spine[0], shape.spine[0]))
    found += zip(shape.spine, shape.spine[1:], strict=False)
    return tuple(found)


def in_rings(p: Spot, shape: Shape) -> bool:
    """Say whether a point lies in a polygon's filled part (even-odd, so holes are outside)."""
    inside = False
    for ring in shape.rings:
        for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
            if (ay > p[1]) != (by > p[1]):
                # Orientation of the point against the edge: no division, so no edge is missed or met twice.
                turn = (bx - ax) * (p[1] - ay) - (p[0] - ax) * (by - ay)
                inside ^= (turn > 0) == (by > ay)
    return inside


def signed_gap(p: Spot, shape: Shape, among: Sequence[Edge] | None = None) -> float:
    """Return the distance from a point to a shape's edge, negative inside, inches.

    Parameters
    ----------
    p
        The point, inches.
    shape
        The shape.
    among
        Only these of its edges; without any the distance is infinite outside, minus infinite inside.

    """
    near = edges(shape) if among is None else among
    edge = min((point_to_segment(p, a, b) for a, b in near), default=math.inf)
    if shape.rings:
        return -edge if in_rings(p, shape) else edge
    return edge - shape.radius


def across(p: Spot, shape: Shape) -> Spot:
    """Return the direction from a point straight across the side of a shape that is nearest to it.

    Parameters
    ----------
    p
        The point, inches.
    shape
        The shape.

    Returns
    -------
    A unit vector; of length 0 if the point lies on the side itself.

    """
    a, b = min(edges(shape), key=lambda edge: point_to_segment(p, *edge))
    side = segment(a, b)
    u = (p[0] - a[0]) * side.ux + (p[1] - a[1]) * side.uy
    nearest = side.at(min(max(u, 0.0), side.length))
    away = math.dist(p, nearest)
    out = -1.0 if away < shape.radius else 1.0
    return (out * (nearest[0] - p[0]) / away, out * (nearest[1] - p[1]) / away) if away else (0.0, 0.0)


def spans(curve: Curve, shape: Shape, level: float) -> list[Span]:
    """Cut a curve where its signed distance to a shape crosses a level, and say on which side each part is.

    Parameters
    ----------
    curve
        The piece of path.
    shape
        The shape.
    level
        Signed distance, inches: positive outside, negative inside.

    Returns
    -------
    list of Span
        In order, covering the curve; neighbours may lie on the same side.

    """
    reach = abs(level) if shape.rings else level + shape.radius
    near = _near(curve, shape, max(reach, 0.0))
    cuts = {0.0, curve.length}
    for a, b in near:
        cuts.update(_stations(curve, a, b, reach))
    places = sorted(cuts)
    if len(places) == 1:
        gap = signed_gap(curve.start, shape, near)
        return [Span(0.0, 0.0, gap < level, gap)]
    gaps = [signed_gap(curve.at(t), shape, near) for t in places]
    found: list[Span] = []
    for t, u, gap, after in zip(places, places[1:], gaps, gaps[1:], strict=False):
        middle = signed_gap(curve.at((t + u) / 2), shape, near)
        found.append(Span(t, u, middle < level, min(gap, middle, after)))
    return found


def below(curve: Curve, shape: Shape, level: float) -> list[tuple[float, float]]:
    """Return the stretches of a curve nearer to a shape than a level, neighbours merged, inches along it."""
    return merged((s.first, s.last) for s in spans(curve, shape, level) if s.below)


def above(curve: Curve, shape: Shape, level: float) -> list[tuple[float, float]]:
    """Return the stretches of a curve farther from a shape than a level, neighbours merged, inches."""
    return merged((s.first, s.last) for s in spans(curve, shape, level) if not s.below)


def left_at(piece: Curve, shape: Shape, margin: float) -> float | None:
    """Return where the centre begins to be less than ``margin`` inches inside a shape; None if it never is."""
    out = above(piece, shape, TOUCH - margin)
    return next((a for a, b in above(piece, shape, -margin) if b >= out[0][1]), out[0][0]) if out else None


def comes_onto(piece: Curve, top: Shape, after: float, margin: float) -> float | None:
    """Return where, from ``after`` inches on, the centre is first ``margin`` inches inside a top; None for nowhere."""
    exact = [a for a, b in below(piece, top, -margin) if a >= after - ROUNDING and b > a]
    shallow = below(piece, top, TOUCH - margin)
    inside = [_deepest(piece, top, a, b) for a, b in shallow if a >= after - ROUNDING]
    return next((to_its_end(piece, a) for a in exact[:1] or inside[:1]), None)


def to_its_end(piece: Curve, along: float) -> float:
    """Return a length along a piece, or the piece's whole length if they differ by rounding only."""
    return piece.length if 0 < piece.length - along <= TOUCH else along


def _deepest(piece: Curve, top: Shape, first: float, last: float) -> float:
    """Return where a stretch with just enough room on a top is entered: near its begin, or at a piece's deeper end."""
    begin = first + min((last - first) / 2, 2 * TOUCH)
    ends = last >= piece.length - ROUNDING
    deeper = signed_gap(piece.end, top) < signed_gap(piece.at(begin), top) - TOUCH / 4
    return piece.length if ends and deeper else begin


def near_point(curve: Curve, middle: Spot, level: float) -> list[tuple[float, float]]:
    """Return the stretches of a curve nearer to a point than a distance, neighbours merged, inches."""
    places = sorted({0.0, curve.length, *meets_circle(curve, middle, level)})
    if len(places) == 1:
        return [(0.0, 0.0)] if math.dist(curve.start, middle) < level else []
    pairs = itertools.pairwise(places)
    return merged((t, u) for t, u in pairs if math.dist(curve.at((t + u) / 2), middle) < level)


def merged(stretches: Iterable[tuple[float, float]], gap: float = 2 * TOUCH) -> list[tuple[float, float]]:
    """Join stretches that overlap or lie less than a gap apart, in order.

    Parameters
    ----------
    stretches
        Pairs of first and last, inches.
    gap
        The longest break that counts as rounding, inches.

    """
    found: list[tuple[float, float]] = []
    for first, last in sorted(stretches):
        if found and first <= found[-1][1] + gap:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        else:
            found.append((first, last))
    return found


def _near(curve: Curve, shape: Shape, reach: float) -> tuple[Edge, ...]:
    """Return the edges that can come within ``reach`` of the curve, by boxes; at least one for a spine."""
    left, low, right, high = curve.box
    left, low, right, high = left - reach, low - reach, right + reach, high + reach

    def meets(a: Spot, b: Spot) -> bool:
        return not (
            max(a[0], b[0]) < left or min(a[0], b[0]) > right or max(a[1], b[1]) < low or min(a[1], b[1]) > high
        )

    return tuple(e for e in edges(shape) if meets(*e))


def _stations(curve: Curve, a: Spot, b: Spot, reach: float) -> list[float]:
    """Return where the distance to one edge is ``reach``, least or greatest: between these places it is monotone."""
    found = [*meets_circle(curve, a, reach), *nearest_to_point(curve, a)]
    along = math.dist(a, b)
    if along == 0:
        return found
    found += [*meets_circle(curve, b, reach), *nearest_to_point(curve, b)]
    normal = ((a[1] - b[1]) / along, (b[0] - a[0]) / along)
    for offset in (-reach, 0.0, reach):
        found += meets_line(curve, a, normal, offset)
    return found + nearest_to_line(curve, normal)
