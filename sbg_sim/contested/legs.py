"""Distances of the legs of a way from a point, in closed form, and whether they lead towards it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.geometry.pieces import Piece, segment

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.route import Leg


def nearest(leg: Leg, spot: Point) -> float:
    """Return the least distance of a leg from a point, inches."""
    if leg.center is None:
        return segment(leg.start, leg.end).nearest(spot)[1]
    first = _bearing(leg, leg.start if leg.sweep > 0 else leg.end)
    return Piece(leg.center, (first, 0.0), abs(leg.sweep) * leg.radius, leg.radius).nearest(spot)[1]


def farthest(leg: Leg, spot: Point, first: float = 0.0) -> float:
    """Return the greatest distance from a point of a leg from ``first`` inches on, inches."""
    ends = math.dist(at(leg, first), spot), math.dist(leg.end, spot)
    if leg.center is None or _at_angle(leg, _bearing(leg, spot) + math.pi, first) is None:
        return max(ends)
    return max(*ends, leg.radius + math.dist(spot, leg.center))


def at(leg: Leg, along: float) -> Point:
    """Return the place some inches along a straight leg or an arc."""
    share = along / leg.length if leg.length else 0.0
    if leg.center is None:
        (x, y), (u, v) = leg.start, leg.end
        return x + share * (u - x), y + share * (v - y)
    angle = _bearing(leg, leg.start) + share * leg.sweep
    return leg.center[0] + leg.radius * math.cos(angle), leg.center[1] + leg.radius * math.sin(angle)


def comes_within(leg: Leg, spot: Point, radius: float) -> float:
    """Return how far along a leg it first comes within ``radius`` inches of a point; its length if never."""
    if math.dist(leg.start, spot) <= radius:
        return 0.0
    if leg.center is not None:
        apart = math.dist(spot, leg.center)
        share = (leg.radius**2 + apart**2 - radius**2) / (2 * leg.radius * apart or math.inf)
        if abs(share) > 1:
            return leg.length
        middle, aside = _bearing(leg, spot), math.acos(share)
        found = [_at_angle(leg, angle, 0.0) for angle in (middle - aside, middle + aside)]
        return min((along for along in found if along is not None), default=leg.length)
    d = np.subtract(leg.end, leg.start) / (leg.length or 1.0)
    w = np.subtract(leg.start, spot)
    b = float(w @ d)
    root = b * b - float(w @ w) + radius * radius
    return leg.length if root < 0 else min(leg.length, max(0.0, -b - math.sqrt(root)))


def least_ahead(leg: Leg, spot: Point, first: float, last: float) -> float:
    """Return the least distance by which a point lies ahead, in the leg's direction, between two places of the leg.

    Inches. The distance from any place nearer than that to the point shrinks there.
    """
    found = [_ahead(leg, spot, along) for along in (first, last)]
    if leg.center is not None:
        behind = _at_angle(leg, _bearing(leg, spot) + math.copysign(math.pi / 2, leg.sweep), first)
        found += [_ahead(leg, spot, behind)] if behind is not None and behind < last else []
    return min(found)


def cut(leg: Leg, length: float) -> Leg:
    """Return the first ``length`` inches of a straight leg; an arc as a whole."""
    if length >= leg.length or leg.center is not None or leg.length == 0:
        return leg
    return replace(leg, end=at(leg, length))


def _ahead(leg: Leg, spot: Point, along: float) -> float:
    x, y = at(leg, along)
    if leg.center is None:
        u, v = np.subtract(leg.end, leg.start) / (leg.length or 1.0)
    else:
        side = math.copysign(1.0, leg.sweep) / leg.radius
        u, v = -side * (y - leg.center[1]), side * (x - leg.center[0])
    return float(u * (spot[0] - x) + v * (spot[1] - y))


def _bearing(leg: Leg, spot: Point) -> float:
    assert leg.center is not None
    return math.atan2(spot[1] - leg.center[1], spot[0] - leg.center[0])


def _at_angle(leg: Leg, angle: float, first: float) -> float | None:
    """Return how far along an arc it comes to an angle, from ``first`` inches on; None if it does not."""
    turned = (angle - _bearing(leg, leg.start)) * math.copysign(1, leg.sweep) % math.tau
    along = turned * leg.radius
    return along if turned <= abs(leg.sweep) and along >= first else None
