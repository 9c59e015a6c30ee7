"""Tables and legs for the referee: a mover of radius 1/2, height 1.5 and Move 6; walls stand at x = 8 to 8.4."""

from __future__ import annotations

import math
from dataclasses import replace

from sbg_sim.geometry.shapes import polygon
from sbg_sim.referee import audit, audit_path
from sbg_sim.table.board import Table
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.models import Model
from sbg_sim.table.route import Leg, Route, Test
from sbg_sim.table.rulings import Rulings
from sbg_sim.table.terrain import Terrain


def model(name: str, x: float, y: float, side: str = "evil", **changes: object) -> Model:
    return Model(name, (x, y), 1.0, 1.5, 6.0, side, **changes)  # type: ignore[arg-type]


def me(x: float, y: float, **changes: object) -> Model:
    return model("m", x, y, "good", **changes)


def piece(name: str, *tags: str, x: float = 8.0, wide: float = 0.4, **more: object) -> Terrain:
    shape = polygon([(x, 2), (x + wide, 2), (x + wide, 18), (x, 18)])
    return Terrain(name, frozenset(tags), shape, **more)  # type: ignore[arg-type]


def table_of(*things: Model | Terrain, **rulings: str) -> Table:
    models = {t.id: t for t in things if isinstance(t, Model)}
    terrain = {t.id: t for t in things if isinstance(t, Terrain)}
    chosen = Rulings(FrozenMap(rulings))
    return Table(24.0, 24.0, FrozenMap(models), FrozenMap(terrain), rulings=chosen)


def walk(start: tuple[float, float], end: tuple[float, float], on: str | None = None) -> Leg:
    return Leg("straight", start, end, math.dist(start, end), on)


def die_leg(
    kind: str,
    over: str,
    start: tuple[float, float],
    end: tuple[float, float],
    *,
    die: str = "",
    cost: float | None = None,
    on: str | None = None,
    rise: float = 0.0,
) -> Leg:
    test = Test(die or kind, over, start, end, landing_on=on)
    return Leg(kind, start, end, math.dist(start, end) if cost is None else cost, on, rise=rise, test=test)


def rules(table: Table, *legs: Leg, **given: object) -> list[str]:
    return [v.rule for v in audit(table, "m", Route(legs), **given).violations]  # type: ignore[arg-type]


def drawn(table: Table, *points: tuple[float, float], **given: object) -> list[str]:
    found = audit_path(table, "m", points, **given)  # type: ignore[arg-type]
    return [leg.kind for leg in found.route.legs] if found.legal else [v.rule for v in found.violations]


TOWER = replace(piece("tower", "platform", wide=4.0), height=2.0)


def said(table: Table, *legs: Leg, **given: object) -> list[str]:
    return [v.reason for v in audit(table, "m", Route(legs), **given).violations]  # type: ignore[arg-type]
