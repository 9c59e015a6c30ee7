"""Ground moves judged by the referee: expectations are closed forms written out here."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import pytest

from sbg_sim.geometry.shapes import circle, line, polygon
from sbg_sim.referee import audit
from sbg_sim.table.board import Table
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.models import Model
from sbg_sim.table.route import Leg, Route
from sbg_sim.table.rulings import Rulings
from sbg_sim.table.terrain import Terrain


def table_of(*models: Model, terrain: tuple[Terrain, ...] = (), **rulings: str) -> Table:
    return Table(
        24.0,
        24.0,
        FrozenMap({m.id: m for m in models}),
        FrozenMap({t.id: t for t in terrain}),
        rulings=Rulings(FrozenMap(rulings)),
    )


def mover(x: float, y: float, **changes: object) -> Model:
    given: dict[str, object] = {"base": 1.0, "height": 1.5, "move": 6.0, "side": "good"} | changes
    return Model("m", (x, y), **given)  # type: ignore[arg-type]


def straight(*points: tuple[float, float], weight: float = 1.0) -> Route:
    pairs = itertools.pairwise(points)
    return Route(tuple(Leg("straight", p, q, weight * math.dist(p, q)) for p, q in pairs))


def arc(center: tuple[float, float], radius: float, first: float, sweep: float, weight: float = 1.0) -> Leg:
    def at(angle: float) -> tuple[float, float]:
        return (center[0] + radius * math.cos(angle), center[1] + radius * math.sin(angle))

    cost = weight * radius * abs(sweep)
    return Leg("arc", at(first), at(first + sweep), cost, None, center, radius, sweep)


def rules(table: Table, route: Route, **given: object) -> list[str]:
    return [v.rule for v in audit(table, "m", route, **given).violations]  # type: ignore[arg-type]


def test_open_ground_costs_its_length() -> None:
    found = audit(table_of(mover(4, 4)), "m", straight((4, 4), (7, 8)))
    assert found.legal
    assert found.cost == pytest.approx(5.0, abs=1e-12)
    assert found.clearance == math.inf


@pytest.mark.parametrize(("length", "expected"), [(6.0, []), (6.0001, ["MOV.3"])])
def test_allowance(length: float, expected: list[str]) -> None:
    assert rules(table_of(mover(4, 4)), straight((4, 4), (4 + length, 4))) == expected


def test_allowance_given_is_the_one_that_counts() -> None:
    route = straight((4, 4), (12, 4))
    assert rules(table_of(mover(4, 4)), route, allowance=8.0) == []
    assert rules(table_of(mover(4, 4)), route, allowance=math.inf) == []


@pytest.mark.parametrize("allowance", [6.5, math.inf])
@pytest.mark.parametrize("beside", [(), (Model("f", (4, 6), 1.0, 1.5, 6.0, "good"),)])
def test_what_has_no_bound_is_none_in_json(allowance, beside) -> None:
    """Three to the right from 2 in beside a friend: bases of radius 1/2 come no nearer than at the start."""
    found = audit(table_of(mover(4, 4), *beside), "m", straight((4, 4), (7, 4)), allowance=allowance).as_json()
    said = {name: found[name] for name in ("legal", "cost", "allowance", "clearance", "violations", "reached")}
    assert said == {
        "legal": True,
        "cost": pytest.approx(3, abs=1e-12),
        "allowance": 6.5 if allowance == 6.5 else None,
        "clearance": pytest.approx(1, abs=1e-12) if beside else None,
        "violations": [],
        "reached": None,
    }


def test_claimed_cost_must_be_right() -> None:
    leg = Leg("straight", (4.0, 4.0), (6.0, 4.0), 2.0 - 1e-7)
    assert rules(table_of(mover(4, 4)), Route((leg,))) == ["MOV.3"]


def test_broken_path_and_wrong_start() -> None:
    legs = (Leg("straight", (4.0, 4.0), (5.0, 4.0), 1.0), Leg("straight", (5.001, 4.0), (6.001, 4.0), 1.0))
    assert rules(table_of(mover(4, 4)), Route(legs)) == ["MOV.3"]
    assert rules(table_of(mover(4, 4)), straight((4, 4.001), (5, 4.001))) == ["MOV.3"]


def test_arc_must_end_where_it_says() -> None:
    leg = arc((6, 4), 2.0, math.pi, -1.0)
    assert rules(table_of(mover(4, 4)), Route((leg,))) == []
    assert rules(table_of(mover(4, 4)), Route((replace(leg, end=(leg.end[0] + 1e-4, leg.end[1])),))) == ["MOV.3"]


@pytest.mark.parametrize(("aside", "expected"), [(1.0, []), (0.999, ["MOV.4"])])
def test_base_passed_touching_or_overlapping(aside: float, expected: list[str]) -> None:
    table = table_of(mover(4, 4), Model("friend", (6.0, 4 + aside), 1.0, side="good"))
    found = audit(table, "m", straight((4, 4), (8, 4)))
    assert [v.rule for v in found.violations] == expected
    assert found.clearance == pytest.approx(aside - 1.0, abs=1e-12)
    if expected:
        assert found.violations[0].blame == "friend"
        assert found.violations[0].place == pytest.approx((6.0, 4.0))


@pytest.mark.parametrize(("short", "expected"), [(0.0, 0), (0.001, 2)])
def test_gap_exactly_a_base_wide(short: float, expected: int) -> None:
    half = 1.0 - short / 2
    table = table_of(
        mover(4, 4),
        Model("a", (6.0, 4 + half), 1.0, side="good"),
        Model("b", (6.0, 4 - half), 1.0, side="good"),
    )
    assert len(rules(table, straight((4, 4), (8, 4)))) == expected


@pytest.mark.parametrize(("radius", "expected"), [(1.0, []), (0.999, ["MOV.4"])])
def test_arc_round_a_base(radius: float, expected: list[str]) -> None:
    table = table_of(mover(10 - radius, 10), Model("friend", (10.0, 10.0), 1.0, side="good"))
    assert rules(table, Route((arc((10, 10), radius, math.pi, -2.5),))) == expected


def test_arc_is_judged_between_its_ends() -> None:
    # The bulge of a half circle about (10, 10) reaches (10, 12): a base there is met, far from both ends.
    table = table_of(mover(8, 10), Model("friend", (10.0, 12.9), 1.0, side="good"))
    assert rules(table, Route((arc((10, 10), 2.0, math.pi, -math.pi),)), allowance=9.0) == ["MOV.4"]
    far = table.having("friend", at=(10.0, 13.0))
    assert rules(far, Route((arc((10, 10), 2.0, math.pi, -math.pi),)), allowance=9.0) == []


@pytest.mark.parametrize(("y", "expected"), [(0.5, []), (0.499, ["MOV.5"])])
def test_table_edge_along_and_on_arcs(y: float, expected: list[str]) -> None:
    assert rules(table_of(mover(4, y)), straight((4, y), (8, y))) == expected
    dip = arc((10, y + 2), 2.0, math.pi, math.pi)
    assert rules(table_of(mover(8, y + 2)), Route((dip,)), allowance=9.0) == expected


@pytest.mark.parametrize(("off", "expected"), [(0.5, []), (0.499, ["MOV.5"])])
@pytest.mark.parametrize("edge", ["lower", "right", "upper", "left"])
def test_every_edge_of_the_table_holds_alike(edge: str, off: float, expected: list[str]) -> None:
    """Beside the lower edge, and turned by quarters of the table, an inch from either end of each edge."""
    turns = ["lower", "right", "upper", "left"].index(edge)

    def turned(x: float, y: float) -> tuple[float, float]:
        for _ in range(turns):
            x, y = 24 - y, x
        return x, y

    for first, last in (((1, off), (5, off)), ((23, off), (19, off)), ((12, 4), (12, off))):
        start, end = turned(*first), turned(*last)
        found = audit(table_of(mover(*start)), "m", straight(start, end)).violations
        assert [v.rule for v in found] == expected
        assert all(f"over the {edge} edge by 0.001 inches" in v.reason for v in found)


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ({}, []),
        ({"engaged": frozenset({"x"})}, ["MOV.6"]),
        ({"moved": True}, ["MOV.6"]),
        ({"may_move": False}, ["MOV.6"]),
    ],
)
def test_models_that_may_not_move(state: dict[str, object], expected: list[str]) -> None:
    assert rules(table_of(mover(4, 4, **state)), straight((4, 4), (5, 4))) == expected
    assert rules(table_of(mover(4, 4, **state)), Route()) == []


WALL = polygon([(6, 0), (6.5, 0), (6.5, 8), (6, 8)])


@pytest.mark.parametrize(
    ("height", "tags", "expected"),
    [
        (0.74, {"obstacle"}, []),
        (0.75, {"obstacle"}, ["TER.4"]),
        (1.5, {"obstacle"}, ["TER.4"]),
        (1.51, {"obstacle"}, ["TER.4"]),
        (1.51, {"unscalable"}, ["TER.5"]),
        (None, {"unscalable"}, ["TER.5"]),
        (0.7, {"unscalable"}, []),
        (0.2, {"platform"}, []),  # too narrow to be stood on
        (0.75, {"platform"}, ["TER.4"]),
        (None, {"gap"}, ["LEAP.1"]),
        (None, {"difficult"}, ["MOV.3"]),  # it costs more than the route claims
    ],
)
def test_walking_through_a_wall(height: float | None, tags: set[str], expected: list[str]) -> None:
    wall = Terrain("wall", frozenset(tags), WALL, height=height)
    assert rules(table_of(mover(4, 4), terrain=(wall,)), straight((4, 4), (8, 4))) == expected


def test_walking_through_what_is_stood_on() -> None:
    low = Terrain("low", frozenset({"platform"}), polygon([(5, 0), (7, 0), (7, 24), (5, 24)]), height=0.2)
    assert rules(table_of(mover(4, 4), terrain=(low,)), straight((4, 4), (8, 4))) == ["TER.4"]


def test_wall_exactly_half_as_high_under_the_other_reading() -> None:
    wall = Terrain("wall", frozenset({"obstacle"}), WALL, height=0.75)
    table = table_of(mover(4, 4), terrain=(wall,), obstacle_exactly_half="free")
    assert rules(table, straight((4, 4), (8, 4))) == []


@pytest.mark.parametrize(("shift", "expected"), [(0.0, []), (0.001, ["TER.5"])])
def test_round_the_end_of_a_wall(shift: float, expected: list[str]) -> None:
    # Up the near side, round both corners at the base's radius, down the far side.
    wall = Terrain("wall", frozenset({"unscalable"}), WALL)
    table = table_of(mover(5.5 + shift, 7.5), terrain=(wall,))
    legs = (
        Leg("straight", (5.5 + shift, 7.5), (5.5 + shift, 8.0), 0.5),
        arc((6 + shift, 8), 0.5, math.pi, -math.pi / 2),
        Leg("straight", (6 + shift, 8.5), (6.5, 8.5), 0.5 - shift),
        arc((6.5, 8), 0.5, math.pi / 2, -math.pi / 2),
        Leg("straight", (7.0, 8.0), (7.0, 7.0), 1.0),
    )
    # 1/2 up, a quarter circle, 1/2 across, a quarter circle, 1 down
    found = audit(table, "m", Route(tuple(replace(g, start=p) for g, p in zip(legs, _chain(legs), strict=True))))
    assert sorted({v.rule for v in found.violations}) == expected
    if not shift:
        assert found.cost == pytest.approx(2.0 + math.pi / 2, abs=1e-12)


def _chain(legs: tuple[Leg, ...]) -> list[tuple[float, float]]:
    return [legs[0].start, *(g.end for g in legs[:-1])]


def test_deep_inside_a_solid_is_seen_without_meeting_its_edge() -> None:
    block = Terrain("block", frozenset({"unscalable"}), polygon([(2, 2), (20, 2), (20, 20), (2, 20)]))
    assert rules(table_of(mover(10, 10), terrain=(block,)), straight((10, 10), (12, 10))) == ["TER.5"]
    court = Terrain(
        "court",
        frozenset({"unscalable"}),
        polygon([(2, 2), (20, 2), (20, 20), (2, 20)], [[(8, 8), (14, 8), (14, 14), (8, 14)]]),
    )
    assert rules(table_of(mover(10, 10), terrain=(court,)), straight((10, 10), (12, 10))) == []


def test_agreed_opening_lets_through() -> None:
    wall = Terrain("gate", frozenset({"unscalable"}), WALL, lets_through=frozenset({"m"}))
    assert rules(table_of(mover(4, 4), terrain=(wall,)), straight((4, 4), (8, 4))) == []


@pytest.mark.parametrize(("x", "reading", "expected"), [(7.0, "no", []), (6.9, "no", ["TER.3"]), (6.9, "yes", [])])
def test_ending_on_a_low_obstacle(x: float, reading: str, expected: list[str]) -> None:
    wall = Terrain("log", frozenset({"obstacle"}), WALL, height=0.5)
    table = table_of(mover(4, 4), terrain=(wall,), end_on_low_obstacle=reading)
    assert rules(table, straight((4, 4), (x, 4))) == expected


def test_strip_crossed_straight_and_aslant() -> None:
    strip = Terrain("strip", frozenset({"difficult"}), polygon([(10, 0), (12, 0), (12, 24), (10, 24)]))
    table = table_of(mover(8, 10), terrain=(strip,))
    # Grown by r = 1/2 the strip is 3 wide.
    assert audit(table, "m", straight((8, 10), (14, 10))).cost == pytest.approx(6.0 + 3.0, abs=1e-12)
    aslant = audit(table, "m", straight((8, 10), (14, 14)))
    assert aslant.cost == pytest.approx(math.hypot(6, 4) * (1 + 3 / 6), abs=1e-12)


def test_bog_crossed_along_a_chord() -> None:
    bog = Terrain("bog", frozenset({"difficult"}), circle((12, 12), 2.0))
    table = table_of(mover(8, 13), terrain=(bog,))
    chord = 2 * math.sqrt(2.5**2 - 1)
    assert audit(table, "m", straight((8, 13), (16, 13))).cost == pytest.approx(8 + chord, abs=1e-12)


def test_arc_through_a_bog() -> None:
    # Circle of radius 3 about the origin of the arc, grown bog of radius 2.5 at distance 3: they meet at
    # +-phi with cos(phi) = (9 + 9 - 6.25) / 18.
    bog = Terrain("bog", frozenset({"difficult"}), circle((13, 10), 2.0))
    phi = math.acos((9 + 9 - 6.25) / 18)
    leg = arc((10, 10), 3.0, -math.pi / 2, math.pi)
    found = audit(table_of(mover(10, 7), terrain=(bog,)), "m", Route((leg,)), allowance=99.0)
    assert found.cost == pytest.approx(3 * math.pi + 3 * 2 * phi, abs=1e-12)


def test_overlapping_difficult_pieces_double_once() -> None:
    one = Terrain("one", frozenset({"difficult"}), polygon([(10, 0), (12, 0), (12, 24), (10, 24)]))
    two = Terrain("two", frozenset({"difficult"}), line([(11, 0), (11, 24)], 4.0))
    table = table_of(mover(6, 10), terrain=(one, two))
    # two: half thickness 2 grown to 2.5 either side of x = 11
    assert audit(table, "m", straight((6, 10), (16, 10))).cost == pytest.approx(10 + 5, abs=1e-12)


@pytest.mark.parametrize("turn", [0.0, 0.3, 1.1, 2.9])
@pytest.mark.parametrize("inward", [0.0, 1e-3])
def test_rims_cost_single(turn: float, inward: float) -> None:
    # Along a straight rim at distance r, then the corner's arc; 0.001 in further in it costs double.
    square = polygon([(-2, -2), (2, -2), (2, 2), (-2, 2)]).moved(turn, (12.0, 12.0))
    bog = Terrain("bog", frozenset({"difficult"}), square)
    c, s = math.cos(turn), math.sin(turn)

    def place(x: float, y: float) -> tuple[float, float]:
        return (12 + c * x - s * y, 12 + s * x + c * y)

    r = 0.5 - inward
    corner = arc(place(2, 2), r, math.pi / 2 + turn, -math.pi / 2)
    start, turned = place(-2, 2 + r), corner.start
    weight = 2.0 if inward else 1.0
    legs = (
        Leg("straight", start, turned, weight * math.dist(start, turned)),
        replace(corner, cost=weight * corner.cost),
    )
    table = table_of(mover(*start), terrain=(bog,))
    found = audit(table, "m", Route(legs), allowance=99.0)
    assert found.violations == ()
    assert found.cost == pytest.approx(weight * (4 + r * math.pi / 2), abs=1e-9)


@pytest.mark.parametrize("turn", [0.0, 0.7, 2.2])
def test_rim_of_a_round_bog_and_in_at_the_critical_angle(turn: float) -> None:
    # From inside straight out at sin = 1/2, along the rim, in again: weights 2, 1, 2.
    grown = 2.5
    bog = Terrain("bog", frozenset({"difficult"}), circle((12, 12), 2.0))

    def at(radius: float, angle: float) -> tuple[float, float]:
        return (12 + radius * math.cos(angle + turn), 12 + radius * math.sin(angle + turn))

    out, back = at(grown, 0.0), at(grown, 2.0)
    start, end = at(2.2, -0.1), at(2.2, 2.1)
    legs = (
        Leg("straight", start, out, 2 * math.dist(start, out)),
        replace(arc((12, 12), grown, turn, 2.0), start=out, end=back),
        Leg("straight", back, end, 2 * math.dist(back, end)),
    )
    found = audit(table_of(mover(*start), terrain=(bog,)), "m", Route(legs), allowance=99.0)
    assert found.violations == ()
    assert found.cost == pytest.approx(2 * math.dist(start, out) * 2 + grown * 2.0, abs=1e-9)


def test_route_that_grazes_a_bog_costs_single() -> None:
    bog = Terrain("bog", frozenset({"difficult"}), circle((12, 12), 2.0))
    for turn in range(40):
        c, s = math.cos(turn), math.sin(turn)
        ends = [(12 + c * x - s * 2.5, 12 + s * x + c * 2.5) for x in (-3.0, 3.0)]
        assert rules(table_of(mover(*ends[0]), terrain=(bog,)), straight(*ends), allowance=6.1) == []


def test_rim_that_runs_on_into_the_piece() -> None:
    # An L: along the foot's upper rim, then straight on into the upright's grown edge.
    shape = polygon([(0, 0), (10, 0), (10, 8), (8, 8), (8, 2), (0, 2)])
    bog = Terrain("bog", frozenset({"difficult"}), shape)
    found = audit(table_of(mover(2, 2.5), terrain=(bog,)), "m", straight((2, 2.5), (9, 2.5)), allowance=99.0)
    assert found.cost == pytest.approx(7 + (9 - 7.5), abs=1e-9)
