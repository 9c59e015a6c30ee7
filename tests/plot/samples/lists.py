"""Hand-made reaches, lists and a phase to draw: what the solver hands over, built without it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import shapely

from sbg_sim.geometry.shapes import circle
from sbg_sim.phase.turn import Step
from sbg_sim.solver.verdict import Verdict
from sbg_sim.table.questions import Charge
from sbg_sim.table.record import MoveRecord
from sbg_sim.table.route import Leg, Route
from sbg_sim.table.violation import Violation
from tests.plot.samples.tables import BASE, R, box, make_table, model, piece

if TYPE_CHECKING:
    from sbg_sim.table.board import Table


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
        _step("uruk-1", (5.0, 8 - BASE), math.dist((4, 4), (5, 8 - BASE)), ("CHG.1",)),
        _step("uruk-2", (8.0, 6.5), math.dist((7, 4), (8, 6.5)), ("MOV.3",), (4,)),
        _step("merry", (8.0, 7.0), 2.2, ("CZ.1",), legal=False),
    )
    return Phase(start, table, steps)


def _step(model: str, at: Any, used: float, rules: tuple[str, ...], rolls: Any = (), *, legal: bool = True) -> Step:
    return Step(model, legal, "", MoveRecord(model, to=at), at, used=used, rules=rules, rolls=rolls)
