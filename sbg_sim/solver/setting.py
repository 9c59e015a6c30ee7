"""Setting a question up: which sheets, zones and portals a mover meets, and within what range."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sbg_sim.rules.ground import Ground, ground
from sbg_sim.rules.zones import Zone, zones
from sbg_sim.solver.sheet import Sheet, make_sheet
from sbg_sim.solver.ways import Portal, portals

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point, Shape
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model


@dataclass(frozen=True)
class Setting:
    """What a mover meets.

    Parameters
    ----------
    table, mover
        The table and who moves.
    grounds, sheets
        Per surface, the one the mover starts on first.
    portals
        Ways between and within them.

    """

    table: Table
    mover: Model
    grounds: tuple[Ground, ...]
    sheets: tuple[Sheet, ...]
    portals: tuple[Portal, ...]

    def index(self, surface: str | None) -> int | None:
        """Return the index of a surface's sheet, None when the mover cannot get there at all."""
        return next((i for i, sheet in enumerate(self.sheets) if sheet.surface == surface), None)


def make_setting(
    table: Table,
    mover: Model,
    *,
    centre: Point | None = None,
    reach: float = math.inf,
    charging: str | None = None,
    without: frozenset[str] = frozenset(),
    dice: bool = True,
) -> Setting:
    """Collect everything within range.

    Parameters
    ----------
    table, mover
        The table and who moves.
    centre, reach
        Only what comes within ``reach`` inches of ``centre`` is kept.
    charging
        The enemy whose zone may be entered first.
    without
        Enemies whose zones are left out.
    dice
        Whether ways that need a test are kept.

    """
    at = mover.at if centre is None else centre
    near = _Near(at, reach + mover.radius)
    surfaces = _surfaces(table, mover)
    found = zones(table, mover, without=without)
    r = mover.radius
    box = (r, r, table.width - r, table.depth - r)
    grounds, sheets = [], []
    for surface in surfaces:
        g = _prune(ground(table, mover, surface, prone=not dice), near)
        here = tuple(z for z in found if z.binds(surface) and near.disc(z.at, z.radius - r))
        target = next((z for z in here if z.id == charging), None)
        grounds.append(g)
        sheets.append(
            make_sheet(
                g,
                r,
                box,
                here,
                target,
                stays=table.rulings["charge_stays_in_zone"] == "yes",
                monotone=table.rulings["stuck_no_closer"] == "monotone",
                may_end_low=table.rulings["end_on_low_obstacle"] == "yes",
            )
        )
    return Setting(table, mover, tuple(grounds), tuple(sheets), tuple(portals(sheets, grounds)))


def _surfaces(table: Table, mover: Model) -> list[str | None]:
    found: list[str | None] = [mover.on]
    found += [None] if mover.on is not None else []
    found += [
        p.id for p in table.terrain.values() if "platform" in p.tags and p.id not in found and p.shape is not None
    ]
    return found


@dataclass(frozen=True)
class _Near:
    """A disc within which things matter."""

    at: Point
    reach: float

    def disc(self, c: Point, radius: float) -> bool:
        return math.dist(self.at, c) <= self.reach + radius

    def shape(self, shape: Shape) -> bool:
        x0, y0, x1, y1 = shape.bounds
        dx = max(x0 - self.at[0], 0.0, self.at[0] - x1)
        dy = max(y0 - self.at[1], 0.0, self.at[1] - y1)
        return math.hypot(dx, dy) <= self.reach


def _prune(g: Ground, near: _Near) -> Ground:
    if math.isinf(near.reach):
        return g
    return replace(
        g,
        bases=tuple(b for b in g.bases if near.shape(b.shape)),
        solids=tuple(b for b in g.solids if near.shape(b.shape)),
        difficult=tuple(d for d in g.difficult if near.shape(d[1])),
        low=tuple(d for d in g.low if near.shape(d[1])),
    )


def target_zone(setting: Setting, name: str) -> Zone | None:
    """Return the zone of an enemy on any sheet, None when it has none."""
    return next((z for sheet in setting.sheets for z in sheet.zones if z.id == name), None)
