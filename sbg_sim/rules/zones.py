"""Control Zones: which of them bind a mover, and how (CZ.1 - CZ.4)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.geometry.regions import Region, disc_region
from sbg_sim.geometry.spines import keep_off
from sbg_sim.table.nearby import standing_near
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Bools, Floats
    from sbg_sim.geometry.shapes import Point
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
    closest
        Distance below which the mover may not come: its own starting distance when it starts inside (CZ.4); else 0.
    on
        The surface the enemy stands on.
    everywhere
        Whether it binds on other surfaces too (ruling ``zones_across_surfaces``).
    reopened
        Whether the mover starts in it and is only kept at its starting distance, though it leaves and comes back
        (ruling ``zone_once_left``).
    entered
        Whether the mover has entered it before, so that it is bound from the start (CHG.3).

    """

    id: str
    at: tuple[float, float]
    radius: float
    closest: float
    on: str | None = None
    everywhere: bool = False
    reopened: bool = False
    entered: bool = False

    @property
    def stuck(self) -> bool:
        """Whether the mover starts inside it."""
        return self.closest > 0

    @property
    def bar(self) -> float:
        """Distance below which a free mover may not come, inches (CZ.1, CZ.4)."""
        return self.closest if self.stuck else self.radius

    def through(self, places: Sequence[Point]) -> Zone:
        """Return the zone with its rims moved through the places that lie at most TOUCH within them: they touch."""
        apart = self.apart(np.array(places).reshape(-1, 2))
        return replace(self, radius=keep_off(self.radius, apart), closest=keep_off(self.closest, apart))

    def binds(self, surface: str | None) -> bool:
        """Say whether it binds a mover on a surface."""
        return self.everywhere or self.on == surface

    def apart(self, p: Floats) -> Floats:
        """Return how far centres ``(..., 2)`` are from the enemy's, inches."""
        return np.asarray(np.hypot(p[..., 0] - self.at[0], p[..., 1] - self.at[1]))

    def holds(self, p: Floats) -> Bools:
        """Say which places ``(..., 2)`` lie in it, its rim excluded."""
        return np.asarray(self.apart(p) < self.radius - TOUCH)

    def reaches(self, p: Floats) -> Bools:
        """Say which places ``(..., 2)`` lie in it, its rim included."""
        return np.asarray(self.apart(p) <= self.radius + TOUCH)

    def bars(self, p: Floats) -> Bools:
        """Say which places ``(..., 2)`` are closed to a free mover (CZ.1, CZ.4)."""
        return np.asarray(self.apart(p) < self.bar - TOUCH)


def zones(
    table: Table, mover: Model, *, without: frozenset[str] = frozenset(), region: Region | None = None
) -> tuple[Zone, ...]:
    """Return the zones of all enemies that have one, on all surfaces (CZ.1, CZ.2).

    Parameters
    ----------
    table, mover
        The table and the mover.
    without
        Enemies whose zones are left out.
    region
        Only zones that come near it are returned.

    """
    found = []
    everywhere = table.rulings["zones_across_surfaces"] == "yes"
    nearby = table.standing() if region is None else standing_near(table, region, within=ZONE_WIDTH)
    for enemy in nearby:
        if enemy.id in without or not mover.is_enemy(enemy) or not enemy.has_zone:
            continue
        radius = enemy.radius + ZONE_WIDTH + mover.radius
        apart = math.dist(enemy.at, mover.at)
        inside = apart < radius - TOUCH and (everywhere or enemy.on == mover.on) and mover.id not in table.off
        closest = apart if inside else 0.0
        found.append(Zone(enemy.id, enemy.at, radius, closest, enemy.on, everywhere))
    return tuple(found)


def as_left(table: Table, found: tuple[Zone, ...], charging: str | None) -> tuple[Zone, ...]:
    """Return zones as they bind a mover that may come back into a zone that it left, as ruled (``zone_once_left``).

    If the distance inside may never shrink, by ``stuck_no_closer``, it cannot come back.
    """
    if table.rulings["zone_once_left"] == "closed" or table.rulings["stuck_no_closer"] == "monotone":
        return found
    return tuple(
        replace(z, radius=z.closest, closest=0.0, reopened=True) if z.stuck and z.id != charging else z for z in found
    )


def stuck_zones(table: Table, mover: Model) -> tuple[Zone, ...]:
    """Return the zones in which a mover starts (CZ.4)."""
    return tuple(z for z in zones(table, mover, region=disc_region(mover.at, 0.0, mover.radius)) if z.stuck)
