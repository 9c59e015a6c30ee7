"""Joins pieces of terrain that are one obstacle: sections of a wall that continue one another are crossed as one."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import shapely

from sbg_sim.table.outlines import cornered, union
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sbg_sim.table.terrain import Terrain

_MITRE: Final = 1.5  # most length of a joint, in thicknesses: ends may be cut aslant, at 45 degrees for a corner


def one_obstacle(terrain: Mapping[str, Terrain]) -> list[tuple[Terrain, tuple[str, ...]]]:
    """Return the obstacles made of several pieces, each with the ids of its pieces except the first.

    They are of one kind and height, stand on the same level, and meet end to end or cross; all are polygons.
    """
    alike: dict[object, list[Terrain]] = defaultdict(list)
    for piece in terrain.values():
        plain = piece.height is not None and "obstacle" in piece.tags and not piece.tags & {"platform", "gap", "ladder"}
        if plain and cornered(piece):
            alike[piece.tags, piece.height, piece.on, piece.lets_through].append(piece)
    return [found for pieces in alike.values() if len(pieces) > 1 for found in _whole(pieces)]


def _whole(pieces: list[Terrain]) -> Iterator[tuple[Terrain, tuple[str, ...]]]:
    group = {p.id: [p] for p in pieces}
    for one, other in _meeting(pieces):
        if group[one.id] is not group[other.id]:
            whole = sorted([*group[one.id], *group[other.id]], key=pieces.index)
            group.update((piece.id, whole) for piece in whole)
    for first, *rest in {id(found): found for found in group.values()}.values():
        if rest:
            shape = union([p.shape for p in (first, *rest) if p.shape is not None])
            yield replace(first, shape=shape), tuple(p.id for p in rest)


def _meeting(pieces: list[Terrain]) -> Iterator[tuple[Terrain, Terrain]]:
    """Yield pairs of sections that continue one another: they meet along no more than about their thickness.

    Walls that stand one behind the other are two obstacles, with no place to land between them.
    """
    areas = shapely.buffer([p.shape.to_shapely() for p in pieces if p.shape is not None], TOUCH, join_style="mitre")
    for i, j in shapely.STRtree(areas).query(areas, predicate="intersects").T.tolist():
        if i < j:
            along = _sides(shapely.intersection(areas[i], areas[j]))[1]
            if 4 * TOUCH < along <= _MITRE * max(_sides(areas[i])[0], _sides(areas[j])[0]):
                yield pieces[i], pieces[j]


def _sides(area: shapely.Geometry) -> tuple[float, float]:
    """Return the sides of the rectangle round an area, the shorter first, inches."""
    corners = shapely.get_coordinates(shapely.oriented_envelope(area))
    if len(corners) < 4:
        return 0.0, 0.0
    one, two = (math.dist(corners[k], corners[k + 1]) for k in (0, 1))
    return min(one, two), max(one, two)
