"""Models and terrain near a region, by arrays of places and boxes, made once for each map of a table.

So the work for a question about a small part of a table does not grow with the table.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.table.levels import is_level

if TYPE_CHECKING:
    from sbg_sim.arrays import Floats
    from sbg_sim.geometry.regions import Region
    from sbg_sim.table.board import Table
    from sbg_sim.table.frozen import FrozenMap
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain


def standing_near(table: Table, region: Region, *, within: float = 0.0) -> list[Model]:
    """Return the models on the table whose bases come within some inches of a region, in the table's order."""
    models, rows = table.models.derived("places", _places)
    keep = region.discs(rows[:, 0], rows[:, 1], rows[:, 2] + within)
    found = [models[i] for i in np.flatnonzero(keep).tolist()]
    return [m for m in found if m.id not in table.off] if table.off else found


def pieces_near(table: Table, region: Region) -> list[Terrain]:
    """Return the pieces of terrain that come near a region, in the table's order."""
    pieces, rows = table.terrain.derived("boxes", _boxes)
    return [pieces[i] for i in np.flatnonzero(region.boxes(rows)).tolist()]


def platforms_near(table: Table, region: Region) -> list[Terrain]:
    """Return the platforms that come near a region, in the table's order."""
    pieces, rows = table.terrain.derived("platforms", _platforms)
    return [pieces[i] for i in np.flatnonzero(region.boxes(rows)).tolist()]


def levels_near(table: Table, region: Region) -> list[Terrain]:
    """Return the pieces with a level to stand on that come near a region, in the table's order."""
    pieces, rows = table.terrain.derived("levels", _levels)
    return [pieces[i] for i in np.flatnonzero(region.boxes(rows)).tolist()]


def without_difficult(table: Table) -> Table:
    """Return the table without difficult ground."""
    return replace(table, terrain=table.terrain.derived("easy", _easy))


def _easy(terrain: FrozenMap[str, Terrain]) -> FrozenMap[str, Terrain]:
    return type(terrain)({k: replace(p, tags=p.tags - {"difficult"}) for k, p in terrain.items()})


def _places(models: FrozenMap[str, Model]) -> tuple[tuple[Model, ...], Floats]:
    every = tuple(models.values())
    return every, np.array([(*m.at, m.radius) for m in every], dtype=float).reshape(-1, 3)


def _box(piece: Terrain) -> tuple[float, float, float, float]:
    if piece.shape is not None:
        return piece.shape.bounds
    x, y = piece.at or (math.nan, math.nan)
    return (x, y, x, y)


def _boxes(terrain: FrozenMap[str, Terrain]) -> tuple[tuple[Terrain, ...], Floats]:
    every = tuple(terrain.values())
    return every, np.array([_box(p) for p in every], dtype=float).reshape(-1, 4)


def _platforms(terrain: FrozenMap[str, Terrain]) -> tuple[tuple[Terrain, ...], Floats]:
    every = tuple(p for p in terrain.values() if "platform" in p.tags and p.shape is not None)
    return every, np.array([_box(p) for p in every], dtype=float).reshape(-1, 4)


def _levels(terrain: FrozenMap[str, Terrain]) -> tuple[tuple[Terrain, ...], Floats]:
    every = tuple(p for p in terrain.values() if is_level(p))
    return every, np.array([_box(p) for p in every], dtype=float).reshape(-1, 4)
