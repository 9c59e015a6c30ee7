"""Hand-made tables to draw."""

from __future__ import annotations

from sbg_sim.geometry.shapes import circle, line, polygon
from sbg_sim.table.board import Table
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.models import Model
from sbg_sim.table.terrain import Terrain

BASE = 25 / 25.4
R = BASE / 2


def model(name, at, side="good", **more):
    return Model(
        name,
        at,
        more.pop("base", BASE),
        height=more.pop("height", 1.5),
        move=more.pop("move", 6.0),
        side=side,
        **more,
    )


def make_table(models, terrain=(), *, size=(24.0, 24.0), title=""):
    return Table(*size, FrozenMap({m.id: m for m in models}), FrozenMap({t.id: t for t in terrain}), title=title)


def piece(name, tags, shape=None, **more):
    return Terrain(name, frozenset(tags.split()), shape, **more)


def box(x0, y0, x1, y1):
    return polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def rich_table():
    return make_table(
        [
            model("aragorn", (5, 6)),
            model("legolas", (8.5, 4), prone=True),
            model("gimli", (11, 11), engaged=frozenset({"uruk-2"})),
            model("lurtz", (12, 6.5), "evil"),
            model("uruk-2", (11 + BASE, 11), "evil", engaged=frozenset({"gimli"})),
            model("uruk-3", (16, 16), "evil", prone=True),
            model("warg", (4, 15), "evil", base=40 / 25.4),
            model("bystander", (21, 3), ""),
            model("scout", (19.5, 19.5), on="scaffold"),
        ],
        [
            piece("bog", "difficult", circle((6, 11), 2.2)),
            piece("wood", "difficult", polygon([(14, 1), (18, 1.5), (19, 5), (15.5, 6), (13.5, 3.5)])),
            piece("wall", "obstacle", box(1, 8, 1.4, 13), height=1.0),
            piece("hedge", "obstacle", line([(8, 13), (12, 14), (14, 13)], 0.3), height=0.7),
            piece("cliff", "unscalable", box(20, 6, 23, 9), height=4.0),
            piece("ditch", "gap", box(8, 17, 9.5, 23), depth=3.0),
            piece("scaffold", "platform", box(18, 17, 22.5, 22), height=2.5),
            piece("ladder", "ladder", at=(17.6, 19.0), to="scaffold"),
            piece(
                "ring",
                "obstacle",
                polygon([(1, 18), (6, 18), (6, 22), (1, 22)], [[(2, 19), (5, 19), (5, 21), (2, 21)]]),
                height=1.5,
            ),
        ],
        title="Everything a table can hold",
    )
