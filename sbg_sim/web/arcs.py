"""The outline of a reach with its arcs as arcs: those round bases, zones, corners of terrain, and the move's own end.

The engine draws outlines by chords that stray from an arc by less than 4e-4 in. Which circles they may follow is
known from the table, so that each run of corners on one of them is drawn as the arc it stands for. What is left are
straight stretches, and fronts behind something that is walked round, which are no arcs of a circle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from sbg_sim.rules.zones import zones
from sbg_sim.solver.field.fans import SAGITTA
from sbg_sim.web.drawing import disc_path, spot, turn

if TYPE_CHECKING:
    from sbg_sim.solver.reach import Reach

Floats = np.ndarray
_STRAY: Final = 1.5  # times what chords may stray: a chord's third place stands out by a third of that, and rounding
_STRAIGHT: Final = 0.5  # times what chords may stray: what is no arc is drawn with fewer corners, as near as this
_LEAST: Final = 4  # corners that make a run: fewer may lie on a circle by chance
_BLOCK: Final = 4000  # corners held against all circles at once


def circles_of(reach: Reach) -> Floats:
    """Return the circles that the outline of a reach can follow: rows of x, y and radius, inches."""
    table, mover = reach.table, reach.mover
    r = mover.radius
    rows = [(*mover.at, reach.limit)]
    rows += [(*m.at, m.radius + r) for m in table.standing() if m.id != mover.id]
    rows += [(*z.at, z.floor if z.stuck else z.radius) for z in zones(table, mover)]
    for piece in table.terrain.values():
        if piece.shape is None:
            continue
        corners = [p for ring in piece.shape.rings for p in ring] or list(piece.shape.spine)
        rows += [(*p, piece.shape.radius + r) for p in corners]
    found = np.array([row for row in rows if row[2] > 0.01], dtype=float).reshape(-1, 3)
    far = np.hypot(*(found[:, :2] - np.array(mover.at)).T) - found[:, 2]
    return np.asarray(found[far <= reach.limit + 1.0])


def outline_path(area: shapely.Geometry, circles: Floats, stray: float = SAGITTA) -> str:
    """Draw the outline of an area, with arcs where it follows one of some circles; its chords stray so far (inches)."""
    found = []
    for part in shapely.get_parts(area):
        if part.geom_type != "Polygon":
            continue
        rings = (part.exterior, *part.interiors)
        found += [_ring(shapely.get_coordinates(ring)[:-1], circles, stray) for ring in rings]
    return "".join(found)


def _ring(points: Floats, circles: Floats, stray: float) -> str:
    owner = _owners(points, circles, _STRAY * stray)
    begin = _first_change(owner)
    if begin is None:  # one circle all round
        x, y, r = circles[owner[0]]
        return disc_path((float(x), float(y)), float(r))
    points, owner = np.roll(points, -begin, axis=0), np.roll(owner, -begin)
    cuts = np.flatnonzero(np.diff(owner)) + 1
    text = f"M{spot(points[0])}"
    for run in np.split(np.arange(len(points)), cuts):
        some = points[run]
        if owner[run[0]] >= 0 and len(run) >= _LEAST:
            text += f"L{spot(some[0])}" + _arc(some, circles[owner[run[0]]])
        else:
            thin = (
                shapely.get_coordinates(shapely.simplify(shapely.linestrings(some), _STRAIGHT * stray))
                if len(some) > 2
                else some
            )
            text += "".join(f"L{spot(p)}" for p in thin)
    return text + "Z"


def _owners(points: Floats, circles: Floats, near: float) -> Floats:
    """Return the circle each corner lies on, -1 for none; corners alone on theirs count as none."""
    owner = np.full(len(points), -1)
    for start in range(0, len(points) if len(circles) else 0, _BLOCK):
        some = points[start : start + _BLOCK]
        apart = np.hypot(some[:, None, 0] - circles[None, :, 0], some[:, None, 1] - circles[None, :, 1])
        off = np.abs(apart - circles[None, :, 2])
        best = off.argmin(axis=1)
        owner[start : start + _BLOCK] = np.where(off[np.arange(len(some)), best] <= near, best, -1)
    same = np.flatnonzero(owner != np.roll(owner, 1))
    for a, b in zip(same, np.append(same[1:], same[:1] + len(owner)), strict=True):
        if b - a < _LEAST:
            owner[np.arange(a, b) % len(owner)] = -1
    return owner


def _first_change(owner: Floats) -> int | None:
    change = np.flatnonzero(owner != np.roll(owner, 1))
    if len(change):
        return int(change[0])
    return 0 if owner[0] < 0 else None


def _arc(points: Floats, circle: Floats) -> str:
    x, y, r = (float(n) for n in circle)
    angle = np.unwrap(np.arctan2(points[:, 1] - y, points[:, 0] - x))
    return turn((x, y), r, float(angle[0]), float(angle[-1] - angle[0]))
