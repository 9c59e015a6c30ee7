"""Small tables for the tests of the phase."""

from __future__ import annotations

import random
from typing import Any

from sbg_sim.geometry.shapes import circle, polygon
from sbg_sim.table.board import Table
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.models import Model
from sbg_sim.table.rulings import Rulings
from sbg_sim.table.terrain import Terrain

BASE = 1.0
R = BASE / 2


def man(name: str, at: tuple[float, float] = (0.0, 0.0), side: str = "good", **more: Any) -> Model:
    fields: dict[str, Any] = {"base": BASE, "height": 1.5, "move": 6.0, "side": side, **more}
    return Model(name, at, **fields)


def table(*models: Model, off: tuple[str, ...] = (), **more: Any) -> Table:
    terrain = {p.id: p for p in more.pop("terrain", ())}
    rulings = Rulings(FrozenMap(more.pop("rulings", {})))
    width, depth = more.pop("width", 24.0), more.pop("depth", 24.0)
    return Table(
        width, depth, FrozenMap({m.id: m for m in models}), FrozenMap(terrain), rulings=rulings, off=frozenset(off),
        **more,
    )  # fmt: skip


def box(name: str, x0: float, y0: float, x1: float, y1: float, tags: str, **more: Any) -> Terrain:
    shape = polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    return Terrain(name, frozenset(tags.split()), shape, **more)


def busy(seed: int) -> Table:
    """A crowded table with walls, bogs, a gap, a step and a scaffold, its models nowhere overlapping."""
    dice = random.Random(seed)
    terrain = [
        box("wall", 2, 8, 9, 8.3, "obstacle", height=1.0),
        box("rock", 13, 9, 15, 10, "unscalable"),
        Terrain("bog", frozenset({"difficult"}), circle((6, 15), 2.5)),
        box("chasm", 14, 14, 20, 15.5, "gap", depth=3.0),
        box("scaffold", 17, 4, 21, 8, "platform", height=2.5),
        box("step", 9.5, 18, 13, 21, "platform", height=0.6),
    ]
    models: list[Model] = []
    while len(models) < 10:
        at = (round(dice.uniform(1, 23), 4), round(dice.uniform(1, 23), 4))
        base = dice.choice([25 / 25.4, 25 / 25.4, 40 / 25.4])
        clear = all((at[0] - m.at[0]) ** 2 + (at[1] - m.at[1]) ** 2 > (base + m.base) ** 2 / 4 for m in models)
        if not clear or any(float(p.shape.distance([at])[0]) < base / 2 for p in terrain if p.id != "bog" and p.shape):
            continue
        side = "good" if len(models) % 2 else "evil"
        name = f"{side}-{len(models)}"
        models.append(man(name, at, side, base=base, height=dice.choice([0.9, 1.5]), prone=dice.random() < 0.15))
    off = [man("late-good", base=25 / 25.4), man("late-evil", (0, 0), "evil", base=25 / 25.4)]
    return table(*models, *off, off=("late-good", "late-evil"), terrain=terrain)
