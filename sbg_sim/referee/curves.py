"""Pieces of a path as the referee sees them: segments and arcs, cut by closed forms where they meet rims."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from sbg_sim.tolerance import NO_LENGTH, ROUNDED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sbg_sim.table.route import Leg

Spot: TypeAlias = tuple[float, float]
"""A place in inches."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A segment, or an arc if ``center`` is given, with its length in inches as parameter.

    Parameters
    ----------
    start, end
        First and last point.
    length
        Length, inches.
    ux, uy
        Of a segment: its direction, a unit vector.
    center, radius, first, sign
        Of an arc: centre, radius, the angle at which it begins (radians), 1 for counter-clockwise, else -1.

    """

    start: Spot
    end: Spot
    length: float
    ux: float = 0.0
    uy: float = 0.0
    center: Spot | None = None
    radius: float = 0.0
    first: float = 0.0
    sign: float = 1.0

    def at(self, t: float) -> Spot:
        """Return the point ``t`` inches from the start."""
        if t <= 0:
            return self.start
        if t >= self.length:
            return self.end
        if self.center is None:
            return (self.start[0] + t * self.ux, self.start[1] + t * self.uy)
        turn = self.first + self.sign * t / self.radius
        return (self.center[0] + self.radius * math.cos(turn), self.center[1] + self.radius * math.sin(turn))

    def kept(self, places: Iterable[float]) -> list[float]:
        """Return those lengths that lie strictly between the two ends."""
        return [t for t in places if 0 < t < self.length]

    def turned_to(self, angles: Iterable[float]) -> list[float]:
        """Return the lengths at which an arc passes the given directions from its centre (radians)."""
        full = 2 * math.pi
        return self.kept(self.radius * ((self.sign * (a - self.first)) % full) for a in angles)

    @property
    def box(self) -> tuple[float, float, float, float]:
        """A box that holds the curve: ``xmin, ymin, xmax, ymax``, inches."""
        xs, ys = [self.start[0], self.end[0]], [self.start[1], self.end[1]]
        if self.center is not None:
            for t in self.turned_to((0.0, math.pi / 2, math.pi, -math.pi / 2)):
                x, y = self.at(t)
                xs.append(x)
                ys.append(y)
        return min(xs), min(ys), max(xs), max(ys)


def segment(start: Spot, end: Spot) -> Curve:
    """Make a segment, inches; one of length 0 stands for a single point."""
    length = math.dist(start, end)
    if length == 0:
        return Curve(start, end, 0.0)
    return Curve(start, end, length, (end[0] - start[0]) / length, (end[1] - start[1]) / length)


def of_leg(leg: Leg) -> Curve:
    """Return the curve of a leg: its arc, or the segment between its ends."""
    if leg.kind not in ("arc", "crawl") or leg.center is None or leg.radius <= 0 or leg.sweep == 0:
        return segment(leg.start, leg.end)
    first = math.atan2(leg.start[1] - leg.center[1], leg.start[0] - leg.center[0])
    sign = math.copysign(1.0, leg.sweep)
    length = leg.radius * abs(leg.sweep)
    return Curve(leg.start, leg.end, length, 0.0, 0.0, leg.center, leg.radius, first, sign)


def meets_circle(curve: Curve, middle: Spot, radius: float) -> list[float]:
    """Return the lengths at which a curve is exactly ``radius`` inches from a point."""
    if radius < 0:
        return []
    if curve.center is None:
        dx, dy = middle[0] - curve.start[0], middle[1] - curve.start[1]
        along, aside = dx * curve.ux + dy * curve.uy, abs(dx * curve.uy - dy * curve.ux)
        square = (radius - aside) * (radius + aside)
        if square < 0:
            return []
        half = math.sqrt(square)
        return curve.kept((along - half, along + half))
    dx, dy = middle[0] - curve.center[0], middle[1] - curve.center[1]
    apart, own = math.hypot(dx, dy), curve.radius
    # Half-angle form of the law of cosines: exact to rounding even where the circles all but touch.
    above = (radius - own + apart) * (radius + own - apart)
    below = (own + apart - radius) * (own + apart + radius)
    if apart <= NO_LENGTH or above < 0 or below < 0:
        return []
    half = 2 * math.atan2(math.sqrt(above), math.sqrt(below))
    toward = math.atan2(dy, dx)
    return curve.turned_to((toward - half, toward + half))


def nearest_to_point(curve: Curve, middle: Spot) -> list[float]:
    """Return the lengths at which the distance to a point is least or greatest, ends left out."""
    if curve.center is None:
        return curve.kept(
            ((middle[0] - curve.start[0]) * curve.ux + (middle[1] - curve.start[1]) * curve.uy,),
        )
    dx, dy = middle[0] - curve.center[0], middle[1] - curve.center[1]
    if math.hypot(dx, dy) <= NO_LENGTH:
        return []
    toward = math.atan2(dy, dx)
    return curve.turned_to((toward, toward + math.pi))


def meets_line(curve: Curve, through: Spot, normal: Spot, offset: float) -> list[float]:
    """Return the lengths at which the signed distance to a line (unit ``normal``) is ``offset`` inches."""
    nx, ny = normal
    if curve.center is None:
        here = (curve.start[0] - through[0]) * nx + (curve.start[1] - through[1]) * ny
        slope = curve.ux * nx + curve.uy * ny
        return curve.kept(((offset - here) / slope,)) if abs(slope) > ROUNDED else []
    here = (curve.center[0] - through[0]) * nx + (curve.center[1] - through[1]) * ny
    low, high = curve.radius - (offset - here), curve.radius + (offset - here)
    if low < 0 or high < 0:
        return []
    half = 2 * math.atan2(math.sqrt(low), math.sqrt(high))
    facing = math.atan2(ny, nx)
    return curve.turned_to((facing - half, facing + half))


def nearest_to_line(curve: Curve, normal: Spot) -> list[float]:
    """Return the lengths at which an arc's signed distance to a line is least or greatest, ends left out."""
    if curve.center is None:
        return []
    facing = math.atan2(normal[1], normal[0])
    return curve.turned_to((facing, facing + math.pi))


def point_to_segment(p: Spot, a: Spot, b: Spot) -> float:
    """Return the distance from a point to a segment, inches."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    if square == 0:
        return math.dist(p, a)
    t = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square
    if t <= 0:
        return math.dist(p, a)
    if t >= 1:
        return math.dist(p, b)
    return abs((p[0] - a[0]) * dy - (p[1] - a[1]) * dx) / math.sqrt(square)


def nearest_approach(curve: Curve, middle: Spot) -> tuple[float, float]:
    """Return the least distance from a curve to a point and the length at which it is reached, inches."""
    return min((math.dist(curve.at(t), middle), t) for t in (0.0, *nearest_to_point(curve, middle), curve.length))
