"""Unions and differences of areas that do not fail on slivers.

Overlay of many thin polygons can fail by rounding. Each operation is tried as it is, then on grids far finer than any
stated error, then piece by piece.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
import shapely

from sbg_sim.arrays import unit
from sbg_sim.tolerance import HAIR, ROUNDED, ROUNDING, SPECK, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from sbg_sim.arrays import Array, Floats, Ints
    from sbg_sim.geometry.grown import Grown

HALF: Final = 96
"""Chords along half a circle, by default."""

_ROUGHLY: Final = 0.05  # inches by which an inscribed disc may be smaller than the largest

Regions: TypeAlias = "tuple[tuple[Fraction, shapely.Geometry], ...]"
"""Areas by chance, the best first; each holds the ones before it."""

NOWHERE: Final = shapely.Polygon()
"""An area that holds no place."""

GRIDS: Final = (0.0, ROUNDING, HAIR)
"""Grids to which corners are moved, tried in order, inches; far below the stated error of an area."""


def union(parts: Sequence[shapely.Geometry] | Array, grid: float = 0.0) -> shapely.Geometry:
    """Return the union of areas (and lines), inches, their corners moved to a grid where edges all but coincide."""
    kept = np.array(parts, dtype=object)
    kept = kept[~shapely.is_empty(kept)] if len(kept) else kept
    if not len(kept):
        return NOWHERE
    wrong = ~shapely.is_valid(kept)
    if wrong.any():
        # Edges of invalid areas all but coincide: without a grid a union may lose one. Only these need the grid.
        kept = np.array([*kept[~wrong], _laid(shapely.make_valid(kept[wrong]), GRIDS[1])], dtype=object)
    return _laid(kept, grid)


def _laid(parts: Array, finest: float) -> shapely.Geometry:
    for grid in GRIDS:
        try:
            if grid >= finest:
                return shapely.union_all(parts, grid_size=grid or None)
        except shapely.errors.GEOSException:
            continue
    whole = parts[0]
    for part in parts[1:]:
        whole = _either(shapely.union, whole, part)
    return whole


def difference(one: shapely.Geometry, two: shapely.Geometry) -> shapely.Geometry:
    """Return the part of one area outside another, inches."""
    return _either(shapely.difference, one, two)


def intersection(one: shapely.Geometry, two: shapely.Geometry) -> shapely.Geometry:
    """Return the intersection of two areas, inches; lines and points along which they only touch are left out."""
    found = _either(shapely.intersection, one, two)
    if found.geom_type != "GeometryCollection":
        return found
    parts = shapely.get_parts(found)
    return union(parts[shapely.get_dimensions(parts) == shapely.get_dimensions(parts).max()]) if len(parts) else found


def clipped(shape: shapely.Geometry, box: Sequence[float]) -> shapely.Geometry:
    """Return the parts of areas and lines in a box (least x and y, greatest x and y, inches)."""
    try:
        return shapely.clip_by_rect(shape, *box)
    except shapely.errors.GEOSException:  # it fails where an edge all but touches a corner of the box
        window = shapely.box(*box)
        parts = shapely.get_parts(shapely.get_parts(shape))
        found = [intersection(part, window) for part in parts]
        like = shapely.get_dimensions(found) == shapely.get_dimensions(parts)
        return union(np.array(found, dtype=object)[like])


def opened(area: shapely.Geometry, width: float) -> shapely.Geometry:
    """Return an area without its strips narrower than ``width`` inches (morphological opening)."""
    return shapely.buffer(shapely.buffer(area, -width / 2, join_style="mitre"), width / 2, join_style="mitre")


def closed(area: shapely.Geometry, width: float) -> shapely.Geometry:
    """Return an area without its cracks narrower than ``width`` inches (morphological closing)."""
    found = shapely.buffer(shapely.buffer(area, width / 2, join_style="mitre"), -width / 2, join_style="mitre")
    # Once in thousands of areas, where parts all but touch, a buffer loses one of them.
    return found if found.area > area.area - SPECK else union([area, found])


def merged(*regions: Regions) -> Regions:
    """Return the union of several areas by chance: for each chance, all places where any has it or a better one."""
    some = [rows for rows in regions if rows]
    if len(some) == 1:
        return some[0]
    chances = sorted({chance for rows in some for chance, _ in rows}, reverse=True)
    found: list[tuple[Fraction, shapely.Geometry]] = []
    known: list[shapely.Geometry] = []
    for least in chances:
        # An area contains those of better chances: only areas of this very chance are added to the union so far.
        known += [area for rows in some for chance, area in rows if chance == least]
        known = [shapely.union_all(known)]
        found.append((least, known[0]))
    return tuple(found)


def with_chance(rows: Regions, chance: float | Fraction) -> shapely.Geometry:
    """Return the area with a chance or a better one."""
    return next((area for least, area in reversed(rows) if least >= chance), NOWHERE)


def parts_joined(shape: shapely.Geometry) -> Array:
    """Return the parts of a shape ``(n,)``, its lines joined end to end where exactly two meet."""
    parts = shapely.get_parts(shapely.get_parts(shape))
    lines = shapely.get_dimensions(parts) == 1
    if lines.any():
        joined = shapely.get_parts(shapely.line_merge(shapely.multilinestrings(parts[lines])))
        parts = np.concatenate([parts[~lines], joined])
    return np.asarray(parts)


def buffered(shape: shapely.Geometry, by: float, quad_segs: int) -> shapely.Geometry:
    """Return an area, and lines beside it, grown by some inches, with ``quad_segs`` chords to a quarter of a circle.

    Lines are grown one by one: the time of one buffer of many grows with their square.
    """
    parts = parts_joined(shape)
    flat = shapely.get_dimensions(parts) == 2
    if flat.all():
        return shapely.buffer(shape, by, quad_segs=quad_segs)
    return shapely.union_all(
        shapely.buffer([shapely.multipolygons(parts[flat]), *parts[~flat]], by, quad_segs=quad_segs)
    )


def areas_only(shape: shapely.Geometry) -> shapely.Geometry:
    """Return an area without the lines and points that overlays leave beside it."""
    parts = shapely.get_parts(shape)
    flat = shapely.get_dimensions(parts) == 2
    return shape if flat.all() and shape.geom_type != "GeometryCollection" else union(parts[flat])


def lines_of(shape: shapely.Geometry) -> shapely.Geometry:
    """Return the lines beside an area; empty when there are none."""
    parts = shapely.get_parts(shapely.get_parts(shape))
    return shapely.union_all(parts[shapely.get_dimensions(parts) == 1])


def outlines(body: Grown, half: int = HALF) -> list[shapely.Polygon]:
    """Return the capsules of a grown set as polygons of the same area.

    Their radii are smaller by ``TOUCH`` (inches), so that rounding cuts off no touching place; ``half`` is the number
    of chords along half a circle, an even one.
    """
    if body.empty:
        return []
    step = math.pi / half
    turn = np.arange(half + 1) * step
    # Every other vertex is moved out, so that two chords enclose the area of the arc.
    out = np.where(np.arange(half + 1) % 2 == 1, 1 + (2 * step) ** 2 / 24, 1.0)
    a, b = body.spines[:, :2], body.spines[:, 2:]
    rho = np.maximum(body.rho - TOUCH, 0.0)[:, None]
    along = np.arctan2(b[:, 1] - a[:, 1], b[:, 0] - a[:, 0])[:, None]
    ends = []
    for c, first in ((b, along - math.pi / 2), (a, along + math.pi / 2)):
        angle = first + turn
        ends.append(c[:, None, :] + (rho * out)[..., None] * unit(angle))
    return [*shapely.polygons(np.concatenate(ends, axis=1))[body.rho > TOUCH]]


def fillings(body: Grown) -> dict[int, shapely.Geometry]:
    """Return the polygons enclosed by the rings of a grown set, by group, holes taken away."""
    found: dict[int, shapely.Geometry] = {}
    for ring, group in zip(body.rings, body.groups, strict=True):
        whole = shapely.Polygon(ring)
        found[group] = _either(shapely.symmetric_difference, found[group], whole) if group in found else whole
    return found


def convex_parts_and_discs(body: Grown) -> tuple[Ints, Floats]:
    """Return which parts of a grown set, one for each owner, are convex, and a disc inscribed in each.

    Returns
    -------
    The owners whose part is one capsule or convex rings; and by owner an inscribed disc ``(m, 3)``, inches, about as
    large as possible.

    """
    (owner, count), filled = np.unique(body.owner, return_counts=True), fillings(body)
    convex = [k for k, part in filled.items() if part.convex_hull.area - part.area <= ROUNDED * part.area]
    found = np.zeros((int(body.owner.max(initial=-1)) + 1, 3))
    found[body.owner, :2] = (body.spines[:, :2] + body.spines[:, 2:]) / 2
    for k, part in filled.items():
        found[k, :2] = shapely.get_coordinates(shapely.maximum_inscribed_circle(part, _ROUGHLY))[0]
    found[:, 2] = np.maximum(-body.clearance(found[:, :2]) - TOUCH, 0.0)
    return np.concatenate([owner[count == 1], np.array(convex, dtype=np.int64)]), found


def _either(operation: object, one: shapely.Geometry, two: shapely.Geometry) -> shapely.Geometry:
    for grid in GRIDS:
        try:
            return operation(one, two, grid_size=grid or None)  # type: ignore[operator]
        except shapely.errors.GEOSException:
            continue
    sound = [shapely.make_valid(shapely.set_precision(shapely.make_valid(shape), TOUCH)) for shape in (one, two)]
    return operation(*sound, grid_size=TOUCH)  # type: ignore[operator]
