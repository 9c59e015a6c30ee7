"""How long a jump may be that a mover begins in time: by a reading of JMP.1 its Movement does not bound it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.geometry.regions import disc_region
from sbg_sim.table.joining import joined
from sbg_sim.table.levels import elevation, is_level
from sbg_sim.table.nearby import pieces_near, standing_near
from sbg_sim.tolerance import ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sbg_sim.arrays import Floats
    from sbg_sim.table.board import Table
    from sbg_sim.table.frozen import FrozenMap
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain


def longest_jump(table: Table, mover: Model, within: float, onto: tuple[float, float, float] | None = None) -> float:
    """Return an upper bound of what a jump costs, inches; nothing where there is none.

    Parameters
    ----------
    table, mover
        The table and who jumps.
    within
        How far from where it stands the mover may begin it, as the crow flies, inches.
    onto
        A circle ``(x, y, radius)``, inches, in which the jump is to land; anywhere without it.

    """
    table, r, longest = joined(table), mover.radius, 0.0
    begin = _about(*mover.at, within)
    for box in _jumped(table, mover, within):
        solid = box + np.array([-r, -r, r, r])
        p = _shared(begin, solid)
        q = solid if onto is None else _about(*onto)
        if not (_meet(begin, solid) and _meet(q, solid)):
            continue
        apart = np.maximum(q[2:] - p[:2], p[2:] - q[:2])
        mired = any(_meet(solid, ground) for ground in table.terrain.derived("mired", _mired))
        longest = max(longest, math.hypot(*apart.tolist()) * (2 if mired else 1))  # TER.2
    return longest


def _jumped(table: Table, mover: Model, within: float) -> Iterator[Floats]:
    """Yield the bounds of what may be jumped nearby ``(4,)``, by its height (TER.4), and of who lies there (PRN.5)."""
    near = disc_region(mover.at, within, mover.radius + TOUCH)
    for other in standing_near(table, near):
        if other.prone and other.id != mover.id:
            yield _about(*other.at, other.radius)
    if mover.height is None:
        return
    half, whole = mover.height / 2 - ROUNDING, mover.height + ROUNDING
    floors = table.terrain.derived("floors", lambda terrain: _floors(table, terrain))
    for piece in pieces_near(table, near):
        if piece.shape is not None and (piece.is_obstacle or is_level(piece)):
            high = elevation(table, piece.on) + (0.0 if "gap" in piece.tags else piece.top)
            if any(half <= high - floor <= whole for floor in floors):
                yield np.array(piece.shape.bounds)


def _floors(table: Table, terrain: FrozenMap[str, Terrain]) -> frozenset[float]:
    """Return how high the levels of a table lie, inches."""
    return frozenset({0.0, *(elevation(table, piece.id) for piece in terrain.values() if is_level(piece))})


def _mired(terrain: FrozenMap[str, Terrain]) -> list[Floats]:
    return [np.array(p.shape.bounds) for p in terrain.values() if p.difficult and p.shape is not None]


def _about(x: float, y: float, radius: float) -> Floats:
    """Return the bounds of a circle ``(4,)``, inches."""
    return np.array([x - radius, y - radius, x + radius, y + radius])


def _shared(one: Floats, two: Floats) -> Floats:
    return np.concatenate([np.maximum(one[:2], two[:2]), np.minimum(one[2:], two[2:])])


def _meet(one: Floats, two: Floats) -> bool:
    return bool((one[:2] <= two[2:] + TOUCH).all() and (two[:2] <= one[2:] + TOUCH).all())
