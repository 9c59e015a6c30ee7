"""A place found for a label, and the end of its leader line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from sbg_sim.plot.fonts import text_width

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.plot.canvas import Box

LED: Final = 8.0
"""Distance in points from which a leader line is drawn."""


class Spot:
    """A place for a label.

    Parameters
    ----------
    at
        Middle of the label, inches.
    box
        Box of the label, inches.
    out
        Distance from the nearest possible place, points.
    free
        Whether it meets no base and no label, and is in view.
    bare
        Whether its leader line, if any, crosses no base and no label.

    """

    __slots__ = ("at", "bare", "box", "free", "out")

    def __init__(self, at: Point, box: Box, out: float, *, free: bool, bare: bool = True) -> None:
        self.at, self.box, self.out, self.free, self.bare = at, box, out, free, bare

    @property
    def led(self) -> bool:
        """Whether the label stands so far off that it has a leader line."""
        return self.out >= LED

    def nearest(self, xy: Point) -> Point:
        """Return the point of the box nearest to a place, inches."""
        return min(max(xy[0], self.box[0]), self.box[2]), min(max(xy[1], self.box[1]), self.box[3])


def end_of_lead(spot: Spot, text: str, xy: Point) -> Point:
    """Return the point of a label's text nearest to a place, inches; short lines leave corners of the box empty."""
    wide = [text_width(line, 1.0) for line in text.split("\n")]
    x0, y0, x1, y1 = spot.box
    tall, middle = (y1 - y0) / len(wide), (x0 + x1) / 2
    ends = []
    for k, width in enumerate(wide):
        half = (x1 - x0) / 2 * (width / max(*wide, 1e-9))
        y = y1 - k * tall
        ends.append((min(max(xy[0], middle - half), middle + half), min(max(xy[1], y - tall), y)))
    return min(ends, key=lambda end: math.dist(end, xy))
