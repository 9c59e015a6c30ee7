"""Bodies: the volumes of terrain and models that stand in the way of a look.

A piece that stands on a platform counts as solid down to the ground, for the platform is under it: no look passes along
the joint. A piece that juts out over the edge of its platform, such as a bridge, floats there: a look passes under it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import shapely

from sbg_sim.table.joining import part_under, without_pits
from sbg_sim.table.levels import elevation, is_level
from sbg_sim.table.outlines import cornered, corners, outline
from sbg_sim.tolerance import ROUNDING, SLIVER, TOUCH

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Shape
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain

Bodies: TypeAlias = "tuple[tuple[Shape, float, float], ...]"
"""Outlines, each with the heights of its foot and its top, inches."""


def bodies(table: Table, piece: Terrain) -> Bodies:
    """Return the volumes of a piece with a height that are in the way of a look."""
    return table.terrain.derived(f"bodies {piece.id}", lambda _: _bodies(table, piece))


def _bodies(table: Table, piece: Terrain) -> Bodies:
    assert piece.shape is not None  # a piece without a shape has no volume
    foot, low = elevation(table, piece.on), lowest(table, piece)
    over = [p for p in _under(table, piece) if cornered(piece, p)] if sticks_out(table, piece) else []
    if low == foot > 0 and not over:
        low -= TOUCH
    parts = [
        (shape, low, foot + piece.top - less)
        for shape, less in without_pits(table, piece.id, piece.shape)
        if less < piece.top
    ]
    for support in over if parts else ():
        assert support.shape is not None
        both = shapely.intersection(piece.shape.to_shapely(), support.shape.to_shapely())
        joint = outline(both, corners(piece.shape, support.shape))
        parts.append((joint, lowest(table, support), min(high for _, _, high in parts)))
    return tuple(parts)


def lowest(table: Table, piece: Terrain) -> float:
    """Return the height down to which a piece, with the pieces under it, is in the way of a look, inches."""
    foot, support = elevation(table, piece.on), None if piece.on is None else table.piece(piece.on)
    if sticks_out(table, piece):
        return foot
    if support is None or "gap" in support.tags:
        return min(0.0, foot)
    return min(lowest(table, support), foot)


def sticks_out(table: Table, piece: Terrain) -> bool:
    """Say whether a part of a piece juts out over the edge of the platforms on which it stands."""
    return table.terrain.derived(f"sticks out {piece.id}", lambda _: _sticks_out(table, piece))


def _sticks_out(table: Table, piece: Terrain) -> bool:
    under = _under(table, piece)
    if not under or piece.shape is None:
        return False
    held = shapely.union_all([p.shape.to_shapely() for p in under if p.shape is not None])
    return bool(shapely.difference(piece.shape.to_shapely(), held).area > SLIVER)


def _under(table: Table, piece: Terrain) -> list[Terrain]:
    """Return the platforms on whose tops a piece lies; none for a piece on the ground or in a gap."""
    if piece.on is None or piece.shape is None or "gap" in table.piece(piece.on).tags:
        return []
    foot, area = elevation(table, piece.on), piece.shape.to_shapely()
    tops = [p for p in table.terrain.values() if p.id != piece.id and "gap" not in p.tags and is_level(p) and p.shape]
    level = [p for p in tops if abs(elevation(table, p.id) - foot) <= ROUNDING]
    return [p for p in level if p.shape and shapely.intersection(area, p.shape.to_shapely()).area > SLIVER]


def reach_of_body(table: Table, model: Model) -> float | None:
    """Return the height down to which a model is in the way of a look, inches; None for its own feet."""
    if model.climbed:
        return None
    under = part_under(table, model.on, model.at)
    if under is None or "gap" in under.tags:
        return min(0.0, elevation(table, model.on))
    return lowest(table, under)
