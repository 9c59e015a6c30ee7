"""Levels: the surfaces on which models can stand.

A level is the ground (None), the top of a platform, or the bottom of a gap of known depth; it is named by the id of its
piece.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import shapely

from sbg_sim.geometry.shapes import boxes_distance
from sbg_sim.table.outlines import cornered, corners, outline
from sbg_sim.tolerance import ROUNDING, SLIVER, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sbg_sim.geometry.shapes import Point, Shape
    from sbg_sim.table.board import Table
    from sbg_sim.table.frozen import FrozenMap
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain


def is_level(piece: Terrain) -> bool:
    """Say whether a piece has a surface to stand on: a platform's top, or the bottom of a gap of known depth."""
    if piece.shape is None:
        return False
    return ("platform" in piece.tags and math.isfinite(piece.top)) or ("gap" in piece.tags and piece.depth is not None)


def elevation(table: Table, level: str | None) -> float:
    """Return the height of a level above the ground, inches; negative at the bottom of a gap.

    Raises
    ------
    UnknownNameError
        If the table has no such piece.

    """
    total, seen = 0.0, set()
    while level is not None and level not in seen:
        seen.add(level)
        piece = table.piece(level)
        total += -(piece.depth or 0.0) if "gap" in piece.tags else piece.top
        level = piece.on
    return total


def supports(table: Table, level: str | None) -> tuple[str, ...]:
    """Return the ids of the pieces on which a level stands or into which it is cut, down to the ground."""
    found: list[str] = []
    on = None if level is None else table.piece(level).on
    while on is not None and on not in found:
        found.append(on)
        on = table.piece(on).on
    return tuple(found)


def is_stood_on(table: Table, piece: Terrain, radius: float) -> bool:
    """Say whether a platform is a level for a base: its top has room, as ruled (``stand_on``), or is not empty.

    For a base without room there it is an obstacle, crossed as any other (TER.3, TER.4).
    """
    if piece.shape is None or table.rulings["stand_on"] == "centre":
        return True
    shape = piece.shape
    room = table.terrain.derived(f"room on {piece.id}", lambda _: _room(shape))
    if radius <= room + TOUCH:
        return True
    carrying = table.terrain.derived("carrying", lambda terrain: frozenset(p.on for p in terrain.values()))
    return piece.id in carrying or piece.id in table.models.derived("stood on", _stood_on)


def _stood_on(models: FrozenMap[str, Model]) -> frozenset[str | None]:
    return frozenset(model.on for model in models.values())


def _room(shape: Shape) -> float:
    """Return the radius of the largest disc within a shape, inches."""
    if not shape.rings:
        return shape.radius
    return float(shapely.maximum_inscribed_circle(shape.to_shapely(), TOUCH / 10).length)


def floor_at(table: Table, at: Point, below: float, near: Iterable[Terrain]) -> tuple[str | None, float] | None:
    """Return the highest level under a place and below an elevation, with its own elevation, inches; None if unknown.

    A level into which a gap is cut at the place is not there. Only the pieces ``near`` are considered.
    """
    found: list[tuple[float, str | None]] = []
    pieces = [p for p in near if p.shape is not None and float(p.shape.distance([at])[0]) <= TOUCH]
    cut = {p.on for p in pieces if "gap" in p.tags}
    if None not in cut:
        found.append((0.0, None))
    found += [(elevation(table, p.id), p.id) for p in pieces if is_level(p) and p.id not in cut]
    under = [row for row in found if row[0] < below - ROUNDING]
    if not under:
        return None
    high, level = max(under, key=lambda row: row[0])
    return level, high


def uncovered(table: Table, piece: Terrain) -> tuple[Shape, ...]:
    """Return the parts of a piece of ground that are not covered by platforms that stand on its level.

    No model is beneath a platform: a base that overlaps its rim is on top of it (TER.2). A round piece, or one covered
    in part by round platforms, is left as it is.
    """
    level = piece.id if is_level(piece) else piece.on
    return table.terrain.derived(f"uncovered {piece.id}", lambda terrain: _left_by(_platforms(terrain, level), piece))


def standing_out(table: Table, piece: Terrain) -> tuple[Shape, ...]:
    """Return the parts of an obstacle or a gap that are not covered by taller platforms on the same level.

    A piece drawn into a taller platform ends at its rim; a platform over a gap is a bridge.
    """
    return table.terrain.derived(
        f"standing out {piece.id}", lambda terrain: _left_by(taller_tops(terrain, piece), piece)
    )


def taller_tops(terrain: FrozenMap[str, Terrain], piece: Terrain) -> list[Terrain]:
    """Return the taller platforms of its level, at whose rims an obstacle, a gap or a lower platform ends."""
    top = 0.0 if "gap" in piece.tags else piece.top
    return [p for p in _platforms(terrain, piece.on) if p.top > top + ROUNDING and not p.lets_through]


def _platforms(terrain: FrozenMap[str, Terrain], level: str | None) -> list[Terrain]:
    return [p for p in terrain.values() if "platform" in p.tags and p.on == level]


def _left_by(platforms: Iterable[Terrain], piece: Terrain) -> tuple[Shape, ...]:
    """Return the parts of a piece that platforms leave uncovered."""
    assert piece.shape is not None
    whole, box = piece.shape.to_shapely(), piece.shape
    over = [p for p in platforms if p.shape and p.id != piece.id and boxes_distance(p.shape, box) <= 0]
    over = [p for p in over if p.shape and shapely.intersects(p.shape.to_shapely(), whole)]
    if not over:
        return (piece.shape,)
    if shapely.covers(shapely.union_all([p.shape.to_shapely() for p in over if p.shape]), whole):
        return ()
    over = [p for p in over if cornered(p, piece)]
    hidden = shapely.union_all([p.shape.to_shapely() for p in over if p.shape])
    rest = shapely.difference(whole, shapely.buffer(hidden, TOUCH, join_style="mitre"))
    if rest.area >= whole.area - SLIVER:
        return (piece.shape,)
    sharp = corners(piece.shape, *(p.shape for p in over if p.shape))
    return tuple(outline(part, sharp) for part in shapely.get_parts(rest) if part.area > SLIVER)
