"""Regions that a path of bounded length can reach: places whose distances from two foci add up to at most a bound."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from sbg_sim.arrays import Bools, Floats
    from sbg_sim.geometry.shapes import Point


Window: TypeAlias = tuple[float, float, float, float]
"""Bounds of places that matter, ``x0, y0, x1, y1``, inches."""


@dataclass(frozen=True)
class Region:
    """An ellipse (a disc if both foci are one) and everything within a margin of it.

    Every answer errs on the side of being near: all that is left out is certainly outside.

    Parameters
    ----------
    start, end
        The foci, inches.
    total
        The bound of the sum of the distances from both, inches.
    margin
        The distance beyond the rim up to which things count, inches.

    """

    start: Point
    end: Point
    total: float
    margin: float = 0.0

    @property
    def breadth(self) -> float:
        """The semi-minor axis, inches: no place inside is farther from the line of the foci."""
        apart = math.dist(self.start, self.end)
        return math.sqrt(max(self.total - apart, 0.0) * (self.total + apart)) / 2 + TOUCH

    def discs(self, x: Floats, y: Floats, radius: Floats) -> Bools:
        """Say which discs ``(n,)`` come near."""
        room = radius + self.margin
        (ax, ay), (bx, by) = self.start, self.end
        if self.start == self.end:
            return np.asarray(np.hypot(x - ax, y - ay) <= self.total / 2 + room + TOUCH)
        near = np.hypot(x - ax, y - ay) + np.hypot(x - bx, y - by) <= self.total + 2 * (room + TOUCH)
        dx, dy = bx - ax, by - ay
        share = np.clip(((x - ax) * dx + (y - ay) * dy) / max(dx * dx + dy * dy, TOUCH * TOUCH), 0.0, 1.0)
        return np.asarray(near & (np.hypot(x - ax - share * dx, y - ay - share * dy) <= self.breadth + room))

    def boxes(self, bounds: Floats) -> Bools:
        """Say which boxes ``(n, 4)`` as ``xmin, ymin, xmax, ymax`` come near."""
        if not len(bounds):
            return np.zeros(0, dtype=bool)
        x0, y0, x1, y1 = bounds.T
        total = np.zeros(len(bounds))
        foci = (self.start,) if self.start == self.end else (self.start, self.end)
        for x, y in foci:
            total += np.hypot(np.maximum(np.maximum(x0 - x, x - x1), 0.0), np.maximum(np.maximum(y0 - y, y - y1), 0.0))
        near = 2 * total / len(foci) <= self.total + 2 * (self.margin + TOUCH)
        (ax, ay), (bx, by) = self.start, self.end
        apart = math.hypot(bx - ax, by - ay)
        if apart > TOUCH:
            # A box is far if its distance across the line of the foci exceeds the breadth.
            nx, ny = -(by - ay) / apart, (bx - ax) / apart
            off = np.abs(((x0 + x1) / 2 - ax) * nx + ((y0 + y1) / 2 - ay) * ny)
            half = (x1 - x0) / 2 * abs(nx) + (y1 - y0) / 2 * abs(ny)
            near &= off - half <= self.breadth + self.margin
        return np.asarray(near)


def disc_region(centre: Point, reach: float, margin: float = 0.0) -> Region:
    """Return everything within ``reach + margin`` inches of a place."""
    return Region(centre, centre, 2 * reach, margin)


def outside(window: Window | None, p: Floats) -> Floats:
    """Return how far places ``(..., 2)`` lie outside a window, inches; 0 without a window."""
    if window is None:
        return np.zeros(p.shape[:-1])
    apart = np.maximum(np.maximum(np.array(window[:2]) - p, p - np.array(window[2:])), 0.0)
    return np.asarray(np.hypot(apart[..., 0], apart[..., 1]))
