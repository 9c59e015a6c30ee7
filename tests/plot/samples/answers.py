"""Hand-made answers to draw: what the solver hands over, built without it."""

from __future__ import annotations

import math
from fractions import Fraction

from sbg_sim.solver.verdict import Verdict
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.questions import Charge, Gap, Measure, Move, Sight
from sbg_sim.table.route import Leg, Route, Test
from sbg_sim.table.violation import Violation
from tests.plot.samples.tables import BASE, R, box, make_table, model, piece, rich_table


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
