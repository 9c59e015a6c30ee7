"""Tables with models, walls and platforms to look over."""

from sbg_sim.geometry.shapes import polygon
from sbg_sim.table.board import Table
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.models import Model
from sbg_sim.table.rulings import Rulings
from sbg_sim.table.terrain import Terrain

WALL = frozenset({"obstacle"})


def table(models, terrain=(), **rulings):
    return Table(
        48,
        48,
        models=FrozenMap({m.id: m for m in models}),
        terrain=FrozenMap({t.id: t for t in terrain}),
        rulings=Rulings(FrozenMap(rulings)),
    )


def man(name, at, height=1.5, base=1.0, **more):
    return Model(name, at, base, height, **more)


def wall(x0, x1, height, y0=-20.0, y1=60.0, name="wall", **more):
    return Terrain(name, WALL, polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]), height=height, **more)


def platform(name, x0, x1, height, on=None, y0=0.0, y1=10.0):
    return Terrain(
        name, frozenset({"platform"}), polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]), height=height, on=on
    )
