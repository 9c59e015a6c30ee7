"""Hand-made tables and results to draw: what the solver will hand over, built without it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import shapely

from sbg_sim.geometry.shapes import circle, line, polygon
from sbg_sim.solver.verdict import Verdict, Violation
from sbg_sim.table.board import Table
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.models import Model
from sbg_sim.table.questions import Charge, Gap, Measure, Move, Sight
from sbg_sim.table.route import Leg, Route, Test
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


def around_disc():
    """Round a prone-free friend: tangent, arc, tangent; and its length by formula."""
    return make_table([model("lurtz", (4, 10), "evil"), model("merry", (9.2, 10.2)), model("ally", (6.6, 10), "evil")])


def arc_route():
    """Half-way tangent, arc round (6.6, 10) at distance BASE, tangent down to (9.2, 10)."""
    cx, cy, d = 6.6, 10.0, BASE
    dist = 2.6
    turn = math.acos(d / dist)
    a0, a1 = math.pi - turn, turn
    p0 = (cx + d * math.cos(a0), cy + d * math.sin(a0))
    p1 = (cx + d * math.cos(a1), cy + d * math.sin(a1))
    flat = math.sqrt(dist**2 - d**2)
    return Route(
        (
            Leg("straight", (4.0, 10.0), p0, flat),
            Leg("arc", p0, p1, d * (a0 - a1), center=(cx, cy), radius=d, sweep=a1 - a0),
            Leg("straight", p1, (9.2, 10.0), flat),
        )
    )


def move_yes():
    table = make_table(
        [model("lurtz", (4, 10), "evil"), model("ally", (6.6, 10), "evil"), model("merry", (10.5, 12.3))]
    )
    route = arc_route()
    return Verdict(
        table,
        Move("lurtz", (9.2, 10.0)),
        "round-him",
        "yes",
        route.cost,
        route.cost,
        route.cost,
        6.0,
        6.0 - route.cost,
        Fraction(1),
        route=route,
        rules=("MOV.3", "MOV.4"),
        reason="It goes round its friend and has some of its Move left.",
    )


def move_short():
    verdict = move_yes()
    from dataclasses import replace

    return replace(
        verdict,
        answer="no",
        allowance=4.0,
        margin=4.0 - verdict.needed,
        name="too-far",
        reason="The best way is longer than its Move.",
    )


def charge_refused():
    table = make_table([model("lurtz", (4, 10), "evil"), model("boromir", (8, 11)), model("merry", (9.4, 9.0))])
    return Verdict(
        table,
        Charge("lurtz", "merry"),
        "can-he",
        "no",
        None,
        None,
        None,
        6.0,
        None,
        Fraction(0),
        rules=("CHG.3",),
        reason="Every way to merry enters boromir's Control Zone first.",
        violations=(Violation("CHG.3", "enters boromir's zone first", (6.6, 10.3), "boromir"),),
    )


def jump():
    wall = piece("wall", "obstacle", box(6, 4, 6.4, 16), height=1.0)
    bog = piece("bog", "difficult", box(9, 8, 11, 13))
    table = make_table([model("merry", (4, 10))], [wall, bog], size=(16.0, 16.0))
    near, far = (6 - R, 10.0), (6.4 + R, 10.0)
    test = Test(
        "jump",
        "wall",
        near,
        far,
        FrozenMap({"1": "stops here", "2-5": "placed beyond, move over", "6": "goes on"}),
        "JMP.1",
    )
    enter = (9 - R, 10.0)
    end = (9 - R + 0.5, 10.0)
    route = Route(
        (
            Leg("straight", (4.0, 10.0), near, 2 - R),
            Leg("jump", near, far, 0.4 + 2 * R, test=test),
            Leg("straight", far, enter, enter[0] - far[0]),
            Leg("straight", enter, end, 1.0),
        )
    )
    return Verdict(
        table,
        Move("merry", end),
        "over-the-wall",
        "chance",
        route.cost,
        route.cost,
        route.cost,
        6.0,
        6 - route.cost,
        Fraction(1, 6),
        route=route,
        play=route,
        rules=("JMP.1", "TER.2"),
        reason="A 6 on the Jump test lets it go on into the bog.",
    )


def climb():
    block = piece("scaffold", "platform", box(7, 6, 11, 14), height=2.0)
    ditch = piece("ditch", "gap", box(12, 4, 13, 16), depth=2.0)
    table = make_table([model("legolas", (4.5, 10), move=12.0)], [block, ditch], size=(18.0, 18.0))
    foot, top = (7 - R, 10.0), (7 + R, 10.0)
    rim, down = (11 - R, 10.0), (11 + R, 10.0)
    brink, over = (12 - R, 10.0), (13 + R, 10.0)
    up = Test(
        "climb",
        "scaffold",
        foot,
        top,
        FrozenMap({"1": "falls", "2-5": "up", "6": "up, goes on"}),
        "CLB.1",
        "scaffold",
    )
    descend = Test("descend", "scaffold", rim, down, FrozenMap({"1": "falls", "2-5": "down", "6": "goes on"}), "FALL.1")
    leap = Test("leap", "ditch", brink, over, FrozenMap({"1": "falls in", "2-5": "over", "6": "goes on"}), "LEAP.1")
    route = Route(
        (
            Leg("straight", (4.5, 10.0), foot, foot[0] - 4.5),
            Leg("climb", foot, top, 4.0, surface="scaffold", rise=2.0, test=up),
            Leg("straight", top, rim, rim[0] - top[0], surface="scaffold"),
            Leg("descend", rim, down, 4.0, rise=-2.0, test=descend),
            Leg("straight", down, brink, brink[0] - down[0]),
            Leg("leap", brink, over, 1 + 2 * R, test=leap),
        )
    )
    return Verdict(
        table,
        Move("legolas", over),
        "up-and-over",
        "chance",
        route.cost,
        route.cost,
        route.cost,
        16.0,
        16 - route.cost,
        Fraction(5, 216),
        route=route,
        play=route,
        rules=("CLB.1", "FALL.1", "LEAP.1"),
        reason="Three tests, two of them on a 6.",
    )


def sight(clear):
    wall = piece("wall", "obstacle", box(8, 6, 8.4, 14 if not clear else 10.2), height=2.0)
    table = make_table(
        [model("legolas", (4, 10)), model("lurtz", (12, 10.8), "evil"), model("orc", (10.4, 10.3), "evil")],
        [wall],
    )
    line3 = ((4.0, 10.0, 1.5), (11.8, 11.25, 1.2)) if clear else None
    return Verdict(
        table,
        Sight("legolas", "lurtz"),
        "sees",
        "yes" if clear else "no",
        sightline=line3,
        hidden_by=() if clear else ("wall", "orc"),
        rules=("LOS",),
        reason="Past the wall's end." if clear else "The wall and the orc hide it.",
    )


def measured():
    return Verdict(
        rich_table(),
        Measure("aragorn", "wall"),
        "how-far",
        inches=5 - 1.4 - R,
        rules=("MOV.3",),
        reason="Edge to edge.",
    )


def gap():
    table = make_table([model("a", (6, 6), "evil"), model("b", (8.1, 6), "evil"), model("sam", (7, 9))])
    return Verdict(
        table,
        Gap(("a", "b"), "sam"),
        "squeeze",
        "yes",
        inches=2.1 - BASE,
        rules=("MOV.4",),
        reason="The gap is wider than the base.",
    )


@dataclass(frozen=True)
class Reach:
    table: Table
    model: str
    allowance: float
    area: Any
    regions: tuple[tuple[Fraction, Any], ...]
    swept: Any
    area_error: float = 0.01
    contacts: Any = field(default_factory=dict)
    way: Route | None = None

    def path(self, xy):
        return self.way


def reach():
    wall = piece("wall", "obstacle", box(13, 6, 13.4, 18), height=1.0)
    bog = piece("bog", "difficult", circle((6, 8), 1.5))
    table = make_table(
        [model("aragorn", (10, 12)), model("lurtz", (7.3, 15.5), "evil"), model("orc", (16, 14), "evil")],
        [wall, bog],
    )
    disc = shapely.Point(10, 12).buffer(6, quad_segs=128)
    enemy = shapely.Point(7.3, 15.5).buffer(BASE + 1, quad_segs=64)
    near = disc.difference(shapely.box(13 - R, -9, 40, 40)).difference(enemy)
    five = (
        disc.difference(shapely.box(13.4 + R + 0.02, -9, 40, 40))
        .difference(enemy)
        .difference(shapely.box(13 - R, 0, 13.4 + R, 40))
    )
    strip = shapely.box(13.4 + R, 8, 13.4 + R + 0.35, 16).intersection(disc)
    five = near.union(strip)
    six = near.union(disc.intersection(shapely.box(13.4 + R, 6, 40, 40)))
    ring = ((math.radians(-140), math.radians(-10)),)
    return Reach(
        table,
        "aragorn",
        6.0,
        near,
        ((Fraction(1), near), (Fraction(5, 6), five), (Fraction(1, 6), six)),
        six.buffer(R),
        contacts={"lurtz": ring},
    )


@dataclass(frozen=True)
class ChargeEntry:
    target: str
    verdict: Verdict
    arcs: tuple[tuple[float, float], ...] = ()
    binds: tuple[str, ...] = ()


@dataclass(frozen=True)
class ChargeList:
    table: Table
    model: str
    entries: tuple[ChargeEntry, ...]


def straight_charge(table, name, target):
    a, b = table.model(name), table.model(target)
    far = math.dist(a.at, b.at)
    touch = a.radius + b.radius
    end = tuple(q + (p - q) * touch / far for p, q in zip(a.at, b.at, strict=True))
    route = Route((Leg("straight", a.at, end, far - touch),))
    return Verdict(
        table,
        Charge(name, target),
        "",
        "yes",
        far - touch,
        far - touch,
        far - touch,
        6.0,
        6 - far + touch,
        Fraction(1),
        route=route,
        rules=("CHG.1",),
    )


def charges():
    table = make_table(
        [
            model("lurtz", (8, 8), "evil"),
            model("boromir", (12, 9)),
            model("merry", (9, 12.5)),
            model("pippin", (4, 11.5)),
            model("frodo", (15.5, 12.5)),
            model("sam", (3, 4)),
        ]
    )
    far = Verdict(table, Charge("lurtz", "frodo"), "", "no", 7.8, 7.8, 7.8, 6.0, -1.8, Fraction(0), rules=("MOV.3",))
    barred = Verdict(
        table,
        Charge("lurtz", "sam"),
        "",
        "no",
        None,
        None,
        None,
        6.0,
        None,
        Fraction(0),
        rules=("CHG.1",),
        violations=(Violation("CHG.1", "no line of sight", None, ""),),
    )
    return ChargeList(
        table,
        "lurtz",
        (
            ChargeEntry("boromir", straight_charge(table, "lurtz", "boromir"), ((2.0, 4.6),)),
            ChargeEntry("merry", straight_charge(table, "lurtz", "merry"), ((3.4, 5.9),)),
            ChargeEntry("pippin", straight_charge(table, "lurtz", "pippin"), ((4.5, 6.9),), ("merry",)),
            ChargeEntry("frodo", far),
            ChargeEntry("sam", barred),
        ),
    )


@dataclass(frozen=True)
class Denial:
    enemy: str
    area: float
    region: Any


@dataclass(frozen=True)
class DenialList:
    table: Table
    model: str
    entries: tuple[Denial, ...]


def denials():
    whole = reach()
    rings = {}
    disc = shapely.Point(10, 12).buffer(6, quad_segs=64)
    for name in ("lurtz", "orc"):
        rings[name] = shapely.Point(whole.table.model(name).at).buffer(BASE + 1).intersection(disc)
    return DenialList(whole.table, "aragorn", tuple(Denial(n, float(g.area), g) for n, g in rings.items()))


@dataclass(frozen=True)
class Step:
    model: str
    legal: bool
    at: Any
    used: float = 0.0
    rules: tuple[str, ...] = ()
    rolls: tuple[int, ...] = ()
    route: Route | None = None


@dataclass(frozen=True)
class Phase:
    start: Table
    table: Table
    steps: tuple[Step, ...]
    side: str = "good"


def phase():
    start = make_table(
        [
            model("uruk-1", (4, 4), "evil"),
            model("uruk-2", (7, 4), "evil"),
            model("boromir", (5, 8)),
            model("merry", (9, 9)),
        ],
        size=(12.0, 12.0),
    )
    table = start.having("uruk-1", at=(5.0, 8 - BASE), engaged=frozenset({"boromir"})).having(
        "boromir", engaged=frozenset({"uruk-1"})
    )
    table = table.having("uruk-2", at=(8.0, 6.5))
    steps = (
        Step("uruk-1", True, (5.0, 8 - BASE), math.dist((4, 4), (5, 8 - BASE)), ("CHG.1",)),
        Step("uruk-2", True, (8.0, 6.5), math.dist((7, 4), (8, 6.5)), ("MOV.3",), (4,)),
        Step("merry", False, (8.0, 7.0), 2.2, ("CZ.1",)),
    )
    return Phase(start, table, steps)
