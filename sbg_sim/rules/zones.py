"""Control Zones: which of them bind a mover, and how (CZ.1 - CZ.4)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model

ZONE_WIDTH: Final = 1.0
"""How far a Control Zone reaches beyond the edge of a base, inches (CZ.1)."""


@dataclass(frozen=True)
class Zone:
    """An enemy's zone as the mover's centre meets it.

    Parameters
    ----------
    id
        The enemy.
    at
        Its centre, inches.
    radius
        Distance of centres at which the mover's base touches the zone's rim, inches.
    floor
        Distance below which the mover may not come: its own starting distance when it starts inside (CZ.4); else 0.
    contact
        Distance of centres in base contact, inches.
    on
        The surface the enemy stands on.

    """

    id: str
    at: tuple[float, float]
    radius: float
    floor: float
    contact: float
    on: str | None = None

    @property
    def stuck(self) -> bool:
        """Whether the mover starts inside it."""
        return self.floor > 0


def zones(table: Table, mover: Model, *, without: frozenset[str] = frozenset()) -> tuple[Zone, ...]:
    """Return the zones of all enemies on the mover's surface that have one (CZ.1, CZ.2).

    Parameters
    ----------
    table, mover
        The table and who moves.
    without
        Enemies whose zones are to be left out.

    """
    found = []
    for enemy in table.standing():
        if enemy.id in without or not mover.is_enemy(enemy) or not enemy.has_zone:
            continue
        radius = enemy.radius + ZONE_WIDTH + mover.radius
        apart = math.dist(enemy.at, mover.at)
        inside = apart < radius - TOUCH and enemy.on == mover.on and mover.id not in table.off
        found.append(Zone(enemy.id, enemy.at, radius, apart if inside else 0.0, enemy.radius + mover.radius, enemy.on))
    return tuple(found)
