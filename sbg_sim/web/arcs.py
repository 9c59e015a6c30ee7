"""The outline of a reach, with its arcs as arcs: round bases, zones and corners of terrain, and at the Move's limit.

The solver returns outlines as chords that stray from an arc by less than 4e-4 in. The circles that they may follow are
known from the table, so that each run of corners on one of them is drawn as an arc. The rest are straight stretches,
and fronts behind things that the path goes round, which are no circular arcs.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from sbg_sim.tolerance import SAGITTA
from sbg_sim.web.drawing import disc_path, spot, turn

if TYPE_CHECKING:
    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.solver.reach_areas import Reach

_STRAY: Final = (
    1.5  # errors of a chord: nearer corners count as on a circle (one may stand out by a third, and rounding)
)
_STRAIGHT: Final = 0.5  # times the error of chords: the error of lines that are no arcs, drawn with fewer corners
_LONG: Final = 8.0  # times the distance of corners: a chord further from the circle belongs to no arc
_LEAST: Final = 4  # corners of a run at least: fewer may lie on a circle by chance
_BLOCK: Final = 4000  # corners compared with all circles at once


def circles_of(reach: Reach) -> Floats:
    """Return the circles that the outline of a reach can follow: rows of x, y and radius ``(n, 3)``, inches."""
    mover, spaces = reach.mover, reach.surroundings.spaces
    space = spaces[reach.surroundings.index(reach.surface) or 0]
    found = np.concatenate([[(*mover.at, reach.limit)], space.curved.ends[0], space.low.ends[0]])
    found = found[found[:, 2] > 0.01]
    far = np.hypot(*(found[:, :2] - np.array(mover.at)).T) - found[:, 2]
    return np.asarray(found[far <= reach.limit + 1.0])


def outline_path(area: shapely.Geometry, circles: Floats, stray: float = SAGITTA) -> str:
    """Draw the outline of an area, with arcs where it follows circles; ``stray`` is its chords' error, inches."""
    found = []
    for part in shapely.get_parts(area):
        if part.geom_type != "Polygon":
            continue
        rings = (part.exterior, *part.interiors)
        found += [_ring(shapely.get_coordinates(ring)[:-1], circles, stray) for ring in rings]
    return "".join(found)


def _ring(points: Floats, circles: Floats, stray: float) -> str:
    owner, begins = _owners(points, circles, _STRAY * stray)
    if not begins.any() and owner[0] >= 0:  # a whole circle
        x, y, r = circles[owner[0]]
        return disc_path((float(x), float(y)), float(r))
    begin = int(np.argmax(begins))
    points, owner, begins = np.roll(points, -begin, axis=0), np.roll(owner, -begin), np.roll(begins, -begin)
    begins[0] = True
    first = np.flatnonzero(begins)
    last = np.append(first[1:], len(owner))
    angle, swept = _turned(points, owner, circles)
    sweep = (swept[last - 1] - swept[first]).tolist()
    corners = _thinned(points, first, last, owner[first] < 0, _STRAIGHT * stray)
    text = f"M{spot(points[0])}"
    for k, (run, circle) in enumerate(zip(first.tolist(), owner[first].tolist(), strict=True)):
        text += "".join(f"L{spot(p)}" for p in corners[k])
        if circle >= 0:
            x, y, r = circles[circle].tolist()
            text += turn((x, y), r, float(angle[run]), sweep[k])
    return text + "Z"


def _turned(points: Floats, owner: Ints, circles: Floats) -> tuple[Floats, Floats]:
    """Return the angle of each corner on its circle, and the sum of turns up to it, radians ``(n,)``."""
    if not len(circles):
        return np.zeros(len(points)), np.zeros(len(points))
    d = points - circles[owner, :2]
    angle = np.arctan2(d[:, 1], d[:, 0])
    return angle, np.concatenate([[0.0], np.cumsum((np.diff(angle) + math.pi) % math.tau - math.pi)])


def _thinned(points: Floats, first: Ints, last: Ints, plain: Bools, stray: float) -> list[list[list[float]]]:
    """Return the corners to draw of each run: the first of a run on a circle, else as few as ``stray`` allows."""
    found = [points[a : b if free else a + 1].tolist() for a, b, free in zip(first, last, plain, strict=True)]
    many = [k for k, run in enumerate(found) if len(run) > 2]
    for k, line in zip(
        many, shapely.simplify([shapely.linestrings(points[first[k] : last[k]]) for k in many], stray), strict=True
    ):
        found[k] = shapely.get_coordinates(line).tolist()
    return found


def _owners(points: Floats, circles: Floats, near: float) -> tuple[Ints, Bools]:
    """Return the circle on which each corner lies, -1 for none, and which corners begin a run on one circle or on none.

    Too few corners on a circle count as on none; a chord that leaves its circle ends a run.
    """
    owner = np.full(len(points), -1)
    for start in range(0, len(points) if len(circles) else 0, _BLOCK):
        block = points[start : start + _BLOCK]
        apart = np.hypot(block[:, None, 0] - circles[None, :, 0], block[:, None, 1] - circles[None, :, 1])
        off = np.abs(apart - circles[None, :, 2])
        best = off.argmin(axis=1)
        owner[start : start + _BLOCK] = np.where(off[np.arange(len(block)), best] <= near, best, -1)
    before = np.roll(owner, 1)
    begins = owner != before
    k = np.flatnonzero(~begins & (owner >= 0))
    x, y, r = circles[owner[k]].T
    middle = (points[k] + points[k - 1]) / 2
    begins[k] = r - np.hypot(middle[:, 0] - x, middle[:, 1] - y) > _LONG * near
    first = np.flatnonzero(begins)
    if len(first):
        count = np.diff(np.append(first, first[0] + len(owner)))
        few = np.repeat(count < _LEAST, count)
        owner[(first[0] + np.flatnonzero(few)) % len(owner)] = -1
        begins &= (owner >= 0) | (owner != np.roll(owner, 1))
    return owner, begins
