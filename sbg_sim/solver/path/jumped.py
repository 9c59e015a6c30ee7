"""A bound of the cost of a jump: by one reading of JMP.1 the mover's Movement does not limit a jump once begun."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.geometry.boxes import boxes_meet
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
    """Return an upper bound of the cost of a jump, inches; 0 if there is nothing to jump.

    Parameters
    ----------
    table, mover
        The table, and the model that jumps.
    within
        How far from its place the mover may begin the jump, as the crow flies, inches.
    onto
        A circle ``(x, y, radius)``, inches, in which the jump must land; None for anywhere.

    """
    table, r, begin = joined(table), mover.radius, _about(*mover.at, within)
    solid = np.array([*_jumped(table, mover, within)]).reshape(-1, 4) + np.array([-r, -r, r, r])
    end = solid if onto is None else np.broadcast_to(_about(*onto), solid.shape)
    low, high = solid[:, :2] - TOUCH, solid[:, 2:] + TOUCH
    meets = [(box[:, :2] <= high) & (box[:, 2:] >= low) for box in (begin[None], end)]
    k = np.flatnonzero(np.concatenate(meets, axis=1).all(axis=1))
    first, last = np.maximum(begin[:2], solid[k, :2]), np.minimum(begin[2:], solid[k, 2:])
    longest = np.hypot(*np.maximum(end[k, 2:] - first, last - end[k, :2]).T)
    longest[boxes_meet(table.terrain.derived("mired", _mired), low[k], high[k])[0]] *= 2  # TER.2
    return float(longest.max(initial=0.0))


def _jumped(table: Table, mover: Model, within: float) -> Iterator[Floats]:
    """Yield the bounds ``(4,)`` of terrain nearby of a height to be jumped (TER.4), and of prone models (PRN.5)."""
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
    """Return the heights of the levels of a table, inches."""
    return frozenset({0.0, *(elevation(table, piece.id) for piece in terrain.values() if is_level(piece))})


def _mired(terrain: FrozenMap[str, Terrain]) -> Floats:
    """Return the bounds of difficult ground ``(n, 4)``, inches."""
    return np.array([p.shape.bounds for p in terrain.values() if p.difficult and p.shape is not None]).reshape(-1, 4)


def _about(x: float, y: float, radius: float) -> Floats:
    """Return the bounds of a circle ``(4,)``, inches."""
    return np.array([x - radius, y - radius, x + radius, y + radius])
