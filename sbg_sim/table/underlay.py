"""A photograph that lies under the pictures of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point


@dataclass(frozen=True, slots=True)
class Underlay:
    """Where a photograph of the table belongs; no answer depends on it.

    Parameters
    ----------
    file
        A PNG or JPEG file.
    corners
        Where its lower left, lower right, upper right and upper left corner are on the table, inches. A photograph
        taken aslant is straightened.

    """

    file: str
    corners: tuple[Point, Point, Point, Point]


def turns(corners: tuple[Point, ...]) -> bool:
    """Say whether four corners are those of a convex quadrangle, counter-clockwise."""
    for i in range(4):
        (ax, ay), (bx, by), (cx, cy) = (corners[(i + k) % 4] for k in range(3))
        if (bx - ax) * (cy - by) - (by - ay) * (cx - bx) <= 0:
            return False
    return True
