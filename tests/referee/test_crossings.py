"""Legs with dice and heights judged by the referee (TER, JMP, LEAP, CLB, FALL, PRN), and polylines."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from sbg_sim.errors import QuestionError
from sbg_sim.geometry.shapes import circle, polygon
from sbg_sim.referee import audit, audit_path
from sbg_sim.table.board import Table
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.models import Model
from sbg_sim.table.route import Leg, Route, Test
from sbg_sim.table.rulings import Rulings
from sbg_sim.table.terrain import Terrain

# The mover has radius 1/2, height 1.5, Move 6; walls stand at x = 8 to 8.4: touched at 7.5 and 8.9.


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


JUMP = die_leg("jump", "wall", (7.5, 10), (8.9, 10))


@pytest.mark.parametrize(("height", "expected"), [(0.75, []), (1.5, []), (1.501, ["JMP.3"])])
def test_jump_height_is_inclusive(height: float, expected: list[str]) -> None:
    table = table_of(me(6, 10), piece("wall", "obstacle", height=height))
    assert rules(table, walk((6, 10), (7.5, 10)), JUMP, walk((8.9, 10), (10, 10))) == expected


def test_unscalable_obstacle_may_be_jumped() -> None:
    assert rules(table_of(me(7.5, 10), piece("wall", "unscalable", height=1.5)), JUMP) == []


@pytest.mark.parametrize(("start", "end"), [(7.499, 8.9), (7.5, 8.901), (7.501, 8.9), (7.5, 8.899)])
def test_jump_runs_from_touching_to_touching(start: float, end: float) -> None:
    table = table_of(me(start, 10), piece("wall", "obstacle", height=1.0))
    assert "JMP.1" in rules(table, die_leg("jump", "wall", (start, 10), (end, 10)))


def test_jump_aslant_and_straight_across_only() -> None:
    slant = die_leg("jump", "wall", (7.5, 10), (8.9, 11))
    things = (me(7.5, 10), piece("wall", "obstacle", height=1.0))
    assert rules(table_of(*things), slant) == []
    assert rules(table_of(*things, jump_landing="across"), slant) == ["JMP.1"]
    assert rules(table_of(*things, jump_landing="across"), JUMP) == []


def test_jump_may_not_run_over_a_place_to_land() -> None:
    # Two arms of one U: between them there is room to stand.
    shape = polygon([(8, 2), (12, 2), (12, 18), (11.6, 18), (11.6, 2.4), (8.4, 2.4), (8.4, 18), (8, 18)])
    table = table_of(me(7.5, 10), Terrain("u", frozenset({"obstacle"}), shape, height=1.0))
    assert rules(table, die_leg("jump", "u", (7.5, 10), (12.5, 10))) == ["JMP.1"]
    one, two = die_leg("jump", "u", (7.5, 10), (8.9, 10)), die_leg("jump", "u", (11.1, 10), (12.5, 10))
    assert rules(table, one, walk((8.9, 10), (11.1, 10)), two) == []
    assert drawn(table, (7.5, 10), (12.5, 10)) == ["jump", "straight", "jump"]


def test_jump_needs_the_movement_or_the_ruling() -> None:
    things = (me(2.5, 10), piece("wall", "obstacle", height=1.0))
    legs = (walk((2.5, 10), (7.5, 10)), JUMP)
    assert rules(table_of(*things), *legs) == ["MOV.3"]
    assert rules(table_of(*things, jump_without_movement="yes"), *legs) == []


def test_jump_into_a_base_and_without_a_die() -> None:
    table = table_of(me(7.5, 10), piece("wall", "obstacle", height=1.0), model("f", 9.8, 10, "good"))
    assert rules(table, JUMP) == ["MOV.4"]
    assert rules(table.having("f", at=(9.9, 10.0)), JUMP) == []
    assert "JMP.1" in rules(table.having("f", at=(9.9, 10.0)), replace(JUMP, test=None))


@pytest.mark.parametrize(("wide", "expected"), [(3.0, []), (3.001, ["LEAP.1"])])
def test_leap_up_to_twice_the_height(wide: float, expected: list[str]) -> None:
    table = table_of(me(7.5, 10), piece("rift", "gap", wide=wide, depth=4.0))
    leap = die_leg("leap", "rift", (7.5, 10), (8.5 + wide, 10))
    assert rules(table, leap) == expected


def test_leap_width_along_the_leap_or_at_the_narrowest() -> None:
    things = (me(7.5, 10), piece("rift", "gap", wide=3.0, depth=4.0))
    slant = die_leg("leap", "rift", (7.5, 10), (11.5, 11))
    assert rules(table_of(*things), slant) == ["LEAP.1"]
    assert rules(table_of(*things, leap_width="narrowest"), slant) == []


def test_leap_needs_remaining_or_maximum_move() -> None:
    things = (me(4.5, 10), piece("rift", "gap", wide=3.0, depth=4.0))
    legs = (walk((4.5, 10), (7.5, 10)), die_leg("leap", "rift", (7.5, 10), (11.5, 10)))
    assert rules(table_of(*things, leap_needs="remaining"), *legs) == ["LEAP.1"]
    assert rules(table_of(*things), *legs) == []


TOWER = replace(piece("tower", "platform", wide=4.0), height=2.0)
CLIMB = die_leg("climb", "tower", (7.5, 10), (8.5, 10), cost=4.0, on="tower", rise=2.0)


def test_climb_onto_a_platform_costs_twice_its_height() -> None:
    table = table_of(me(7.5, 10), TOWER)
    found = audit(table, "m", Route((CLIMB, walk((8.5, 10), (10, 10), "tower"))))
    assert found.violations == ()
    assert found.cost == pytest.approx(2 * 2.0 + 1.5, abs=1e-12)
    assert rules(table, replace(CLIMB, cost=3.0)) == ["MOV.3"]


def test_who_and_what_may_not_climb() -> None:
    rider = me(7.5, 10, keywords=frozenset({"cavalry"}))
    assert rules(table_of(rider, TOWER), CLIMB) == ["CLB.3"]
    sheer = replace(TOWER, tags=frozenset({"platform", "unscalable"}))
    assert rules(table_of(me(7.5, 10), sheer), CLIMB) == ["CLB.3"]


def test_climb_of_several_turns() -> None:
    tall = replace(TOWER, height=5.0)
    part = die_leg("climb", "tower", (7.5, 10), (7.5, 10), cost=6.0, rise=3.0)
    assert rules(table_of(me(7.5, 10), tall), part) == []
    rest = die_leg("climb", "tower", (7.5, 10), (8.5, 10), cost=4.0, on="tower", rise=2.0)
    assert rules(table_of(me(7.5, 10, climbed=3.0), tall), rest) == []
    assert "CLB.4" in rules(table_of(me(7.5, 10), tall), rest)
    assert "CLB.4" in rules(table_of(me(7.5, 10, climbed=3.0), tall), walk((7.5, 10), (6, 10)))


def test_whole_base_stays_on_top() -> None:
    table = table_of(me(9, 10, on="tower"), TOWER)
    assert rules(table, walk((9, 10), (11.5, 10), "tower")) == []
    assert rules(table, walk((9, 10), (11.501, 10), "tower")) == ["FALL.1"]
    disc = replace(TOWER, shape=circle((10, 10), 2.0))
    arc = Leg("arc", (8.5, 10.0), (11.5, 10.0), 1.5 * math.pi, "tower", (10.0, 10.0), 1.5, math.pi)
    assert rules(table_of(me(8.5, 10, on="tower"), disc), arc) == []
    assert rules(table_of(me(8.5, 10, on="tower"), replace(disc, shape=circle((10, 10), 1.999))), arc) == ["FALL.1"]


@pytest.mark.parametrize(("height", "expected"), [(1.5, []), (1.501, ["FALL.1"])])
def test_free_way_down_by_up_to_the_height(height: float, expected: list[str]) -> None:
    table = table_of(me(9, 10, on="tower"), replace(TOWER, height=height))
    down = Leg("down", (8.5, 10.0), (7.5, 10.0), 1.0, None)
    assert rules(table, walk((9, 10), (8.5, 10), "tower"), down, walk((7.5, 10), (7, 10))) == expected


def test_climb_down_when_it_is_farther() -> None:
    table = table_of(me(8.5, 10, on="tower"), TOWER)
    down = die_leg("descend", "tower", (8.5, 10), (7.5, 10), cost=4.0, rise=-2.0)
    assert rules(table, down) == []
    assert rules(table, replace(down, rise=-1.9, cost=3.8)) == ["FALL.1"]


@pytest.mark.parametrize(("height", "kind"), [(0.7, "up"), (1.4, "jump"), (2.0, "climb")])
def test_ways_up_by_height(height: float, kind: str) -> None:
    table = table_of(me(7, 10), replace(TOWER, height=height))
    assert drawn(table, (7, 10), (8.75, 10)) == ["straight", kind, "straight"]
    up = Leg("up", (7.5, 10.0), (8.5, 10.0), 1.0, "tower")
    assert rules(table.having("m", at=(7.5, 10.0)), up) == ([] if kind == "up" else ["TER.3"])


def test_ladder_costs_its_height() -> None:
    rung = Terrain("rungs", frozenset({"ladder"}), at=(8.0, 10.0), to="tower")
    table = table_of(me(7.5, 10), replace(TOWER, height=3.0), rung)
    ladder = Leg("ladder", (7.5, 10.0), (8.5, 10.0), 3.0, "tower", rise=3.0)
    found = audit(table, "m", Route((ladder,)))
    assert found.legal
    assert found.cost == 3.0
    moved = replace(ladder, start=(7.5, 11.0), end=(8.5, 11.0))
    assert rules(table.having("m", at=(7.5, 11.0)), moved) == ["CLB.5"]
    assert drawn(table, (7.5, 10), (9, 10)) == ["ladder", "straight"]
    up_there = table.having("m", at=(9.0, 10.0), on="tower")
    assert drawn(up_there, (9, 10), (7, 10)) == ["straight", "ladder", "straight"]


def test_climbing_over_a_wall() -> None:
    things = (me(7.5, 10), piece("wall", "obstacle", height=1.6))
    up = die_leg("climb", "wall", (7.5, 10), (8.9, 10), cost=3.2, rise=1.6)
    down = die_leg("descend", "wall", (8.9, 10), (8.9, 10), cost=3.2, rise=-1.6)
    assert rules(table_of(*things), up, down, allowance=99.0) == []
    assert rules(table_of(*things), up, allowance=99.0) == ["CLB.1"]
    assert rules(table_of(*things, climb_over="over"), up) == []
    assert drawn(table_of(*things), (7.5, 10), (9, 10), allowance=99.0) == ["climb", "descend", "straight"]
    assert drawn(table_of(*things, climb_over="over"), (7.5, 10), (9, 10)) == ["climb", "straight"]


def test_prone_model_jumped() -> None:
    table = table_of(me(7, 10), model("e", 8, 10, prone=True))
    jump = die_leg("jump", "e", (7, 10), (9, 10), die="jump-prone")
    assert rules(table, jump, walk((9, 10), (9.5, 10))) == []
    assert rules(table, jump) == []
    assert "PRN.5" in rules(table.having("e", prone=False), jump)
    assert drawn(table, (7, 10), (9.5, 10)) == ["jump", "straight"]


def crawl(start: tuple[float, float], end: tuple[float, float]) -> Leg:
    return Leg("crawl", start, end, math.dist(start, end))


def stand(at: tuple[float, float], kind: str = "stand") -> Leg:
    return Leg(kind, at, at, 3.0)


def test_prone_models() -> None:
    lying, upright = table_of(me(4, 4, prone=True)), table_of(me(4, 4))
    assert rules(lying, crawl((4, 4), (5, 4)), stand((5, 4))) == []
    assert rules(lying, crawl((4, 4), (5.001, 4))) == ["PRN.2"]
    assert rules(lying, crawl((4, 4), (4.5, 4)), crawl((4.5, 4), (4.5, 4.501))) == ["PRN.2"]
    assert rules(lying, walk((4, 4), (5, 4))) == ["PRN.2"]
    assert rules(lying, stand((4, 4)), walk((4, 4), (7, 4))) == []
    assert rules(lying, stand((4, 4)), walk((4, 4), (7.001, 4))) == ["MOV.3"]
    assert rules(lying, crawl((4, 4), (4.5, 4)), stand((4.5, 4)), walk((4.5, 4), (5, 4))) == ["PRN.2"]
    assert rules(lying, stand((4, 4)), stand((4, 4), "lie")) == ["PRN.3"]
    assert rules(upright, walk((4, 4), (7, 4)), stand((7, 4), "lie")) == []
    assert rules(upright, stand((4, 4), "lie"), stand((4, 4))) == ["PRN.3"]
    assert rules(upright, stand((4, 4))) == ["PRN.3"]
    assert rules(lying, replace(stand((4, 4)), end=(5.0, 4.0)))[0] == "PRN.3"  # it stands up where it lies
    assert rules(upright, crawl((4, 4), (4.5, 4))) == ["PRN.2"]
    assert drawn(lying, (4, 4), (4.6, 4), (4.6, 4.4)) == ["crawl", "crawl"]
    assert drawn(lying, (4, 4), (4.6, 4), stand=True, lie=False) == ["stand", "straight"]


def test_crawl_ignores_the_ground_and_the_allowance() -> None:
    bog = Terrain("bog", frozenset({"difficult"}), circle((4, 4), 3.0))
    table = table_of(me(4, 4, prone=True), bog)
    found = audit(table, "m", Route((crawl((4, 4), (5, 4)),)), allowance=0.5)
    assert found.legal
    assert found.cost == 1.0


def test_no_jump_while_crawling() -> None:
    table = table_of(me(7.5, 10, prone=True), piece("wall", "obstacle", height=1.0))
    assert rules(table, JUMP) == ["PRN.2"]
    assert drawn(table, (7.5, 10), (8.4, 10)) == ["TER.4"]


def test_polyline_over_a_wall_with_dice() -> None:
    table = table_of(me(6, 10), piece("wall", "obstacle", height=1.0))
    points = ((6, 10), (8, 10), (10, 10), (10, 11))
    whole = audit_path(table, "m", points)
    assert whole.legal
    assert whole.cost == pytest.approx(5.0, abs=1e-9)
    assert [(t.kind, t.over) for t in whole.tests] == [("jump", "wall")]
    assert whole.tests[0].at == pytest.approx((7.5, 10.0))
    assert whole.tests[0].landing == pytest.approx((8.9, 10.0))
    ends = {stop.results: stop.place for stop in whole.stops}
    assert ends[("1",)] == pytest.approx((7.5, 10))
    assert ends[("2-5",)] == pytest.approx((8.9, 10))
    assert ends[("6",)] == pytest.approx((10, 11))
    for roll, place in ((1, (7.5, 10)), (3, (8.9, 10)), (6, (10, 11))):
        cut = audit_path(table, "m", points, rolls=(roll,))
        assert cut.legal
        assert cut.reached is not None
        assert cut.reached.place == pytest.approx(place)
        assert cut.cost == pytest.approx(cut.reached.cost, abs=1e-12)


@pytest.mark.parametrize("rolls", [(), (7,), (0,), (3, 4), (6, 6), (True,)])
def test_dice_that_do_not_fit(rolls: tuple[int, ...]) -> None:
    table = table_of(me(6, 10), piece("wall", "obstacle", height=1.0))
    with pytest.raises(QuestionError):
        audit_path(table, "m", ((6, 10), (10, 10)), rolls=rolls)


@pytest.mark.parametrize("points", [((6, 10), (math.nan, 10)), ((6, 10), (1, 2, 3)), ((6, 10), "ab")])
def test_points_that_are_none(points: object) -> None:
    with pytest.raises(QuestionError):
        audit_path(table_of(me(6, 10)), "m", points)  # type: ignore[arg-type]


def test_polyline_walks_into_what_cannot_be_crossed() -> None:
    solid = piece("wall", "unscalable")
    assert drawn(table_of(me(6, 10), solid), (6, 10), (10, 10)) == ["TER.5"]
    low = piece("wall", "obstacle", height=1.0)
    assert drawn(table_of(me(6, 10), low), (6, 10), (8, 10)) == ["TER.4"]
    assert drawn(table_of(me(6, 10), low), (6.1, 10), (7, 10)) == ["MOV.3"]
    assert drawn(table_of(me(6, 10), piece("rift", "gap", wide=2.0)), (6, 10), (11.5, 10)) == [
        "straight",
        "leap",
        "straight",
    ]


def test_sampled_arc_is_read_as_the_arc() -> None:
    # A reported path goes round a base in chords; read back it costs what the arc costs and overlaps nothing.
    arc = Leg("arc", (9.0, 10.0), (11.0, 10.0), math.pi, None, (10.0, 10.0), 1.0, math.pi)
    table = table_of(me(9, 10), model("f", 10, 10, "good"))
    found = audit_path(table, "m", Route((arc,)).points())
    assert found.legal
    assert found.cost == pytest.approx(math.pi, abs=1e-9)


def test_a_ladder_from_platform_to_platform_costs_what_is_between() -> None:
    low = replace(piece("low", "platform", x=4.0, wide=4.0), height=2.0)
    high = replace(piece("high", "platform", wide=4.0), height=5.0)
    rung = Terrain("rungs", frozenset({"ladder"}), at=(8.0, 10.0), to="high", on="low")
    ladder = Leg("ladder", (7.5, 10.0), (8.5, 10.0), 3.0, "high", rise=3.0)
    table = table_of(me(7.5, 10, on="low"), low, high, rung)
    assert rules(table, ladder) == []
    assert "CLB.5" in rules(table, replace(ladder, cost=5.0, rise=5.0))


@pytest.mark.parametrize(("y", "expected"), [(10.0, []), (10.3, ["CLB.5"])])
def test_a_ladder_s_head_lies_as_far_in_as_its_foot_lies_out(y: float, expected: list[str]) -> None:
    rung = Terrain("rungs", frozenset({"ladder"}), at=(7.7, 10.0), to="tower")
    ladder = Leg("ladder", (7.5, 10.0), (8.5, y), 2.0, "tower", rise=2.0)
    assert rules(table_of(me(7.5, 10), TOWER, rung), ladder) == expected


@pytest.mark.parametrize(("at", "expected"), [((8.5, 2.5), []), ((8.5, 2.501), ["CLB.5"]), ((8.501, 2.5), ["CLB.5"])])
def test_at_a_ladder_beside_a_corner_one_stands_as_near_as_a_base_has_room(
    at: tuple[float, float], expected: list[str]
) -> None:
    # The tower's corner is (8, 2): a base half an inch in radius cannot stand whole on it within touch of (8, 2.1).
    rung = Terrain("rungs", frozenset({"ladder"}), at=(8.0, 2.1), to="tower")
    ladder = Leg("ladder", (7.5, 2.1), at, 2.0, "tower", rise=2.0)
    assert rules(table_of(me(7.5, 2.1), TOWER, rung), ladder) == expected


def test_who_stops_on_a_face_moves_no_further() -> None:
    table = table_of(me(7.5, 10), TOWER)
    stop = die_leg("climb", "tower", (7.5, 10), (7.5, 10), cost=2.0, rise=1.0)
    assert "CLB.4" not in rules(table, stop)
    assert "CLB.4" in rules(table, stop, walk((7.5, 10), (6, 10)))
    assert "CLB.4" in rules(table, replace(stop, end=(8.5, 10), surface="tower"))


def test_a_leap_is_over_a_gap_of_that_level() -> None:
    leap = die_leg("leap", "wall", (7.5, 10), (8.9, 10))
    assert rules(table_of(me(7.5, 10), piece("wall", "obstacle", height=1.0)), leap) != []
    deck = replace(piece("deck", "platform", x=6.0, wide=8.0), height=2.0)
    notch = piece("notch", "gap", wide=2.0, depth=2.0, on="deck")
    below = die_leg("leap", "notch", (2.5, 10), (4.5, 10))
    assert "LEAP.1" in rules(table_of(me(2.5, 10), deck, notch), below)


STEP = replace(piece("step", "platform", wide=4.0), height=0.7)


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (8.0, 8.0, []),
        (8.0 - 2e-6, 8.0 + 1e-6, []),
        (8.0 - 1e-4, 8.0 - 1e-4, ["TER.3"]),  # not at the rim
        (8.0, 8.0 + 1e-4, ["TER.3"]),  # over the rim by more than a touch
        (7.5, 8.5, ["TER.3"]),  # as who stands with the whole base
    ],
)
def test_who_stands_by_the_centre_goes_onto_a_step_where_the_centre_crosses_its_rim(
    start: float, end: float, expected: list[str]
) -> None:
    up = Leg("up", (start, 10.0), (end, 10.0), end - start, "step")
    table = table_of(me(start, 10), STEP, stand_on="centre")
    assert [r for r in rules(table, up) if r == "TER.3"] == expected
    tall = replace(STEP, height=0.8)  # no step: its face is touched from outside, its top by the centre
    jump = die_leg("jump", "step", (7.5, 10), (8.0, 10), on="step")
    assert rules(table_of(me(7.5, 10), tall, stand_on="centre"), jump) == []
    on_the_rim = die_leg("jump", "step", (8.0, 10), (8.0, 10), on="step")
    assert "JMP.1" in rules(table_of(me(8.0, 10), tall, stand_on="centre"), on_the_rim)


def test_a_jump_along_a_wall_does_not_lead_over_it() -> None:
    along = die_leg("jump", "wall", (7.5, 8), (7.5, 10))
    found = audit(table_of(me(7.5, 8), piece("wall", "obstacle", height=1.0)), "m", Route((along,)))
    assert "the crossing does not lead over wall" in [v.reason for v in found.violations]


def test_into_a_pit_of_a_platform_and_out_one_crosses_the_rim_of_the_pit() -> None:
    deck = replace(piece("deck", "platform", x=4.0, wide=12.0), height=2.0)
    pit = Terrain("pit", frozenset({"gap"}), circle((10.0, 10.0), 2.0), depth=0.7, on="deck")
    assert rules(table_of(me(7.5, 10, on="deck"), deck, pit), Leg("down", (7.5, 10), (8.5, 10), 1.0, "pit")) == []
    assert rules(table_of(me(8.5, 10, on="pit"), deck, pit), Leg("up", (8.5, 10), (7.5, 10), 1.0, "deck")) == []


def test_from_a_pit_onto_a_platform_one_crosses_the_rim_of_the_platform() -> None:
    pit = piece("pit", "gap", x=5.0, wide=3.0, depth=0.2)
    step = replace(STEP, height=0.5)
    table = table_of(me(7.5, 10, on="pit"), pit, step)
    assert rules(table, Leg("up", (7.5, 10), (8.5, 10), 1.0, "step")) == []
    short = audit(
        table_of(me(7.4, 10, on="pit"), pit, step), "m", Route((Leg("up", (7.4, 10), (8.4, 10), 1.0, "step"),))
    )
    assert {v.blame for v in short.violations if v.rule == "TER.3"} == {"step"}


def said(table: Table, *legs: Leg, **given: object) -> list[str]:
    return [v.reason for v in audit(table, "m", Route(legs), **given).violations]  # type: ignore[arg-type]


def test_what_jumps_and_climbs_are_told_that_are_none() -> None:
    wall = piece("wall", "obstacle", height=1.0)
    climb = die_leg("climb", "wall", (7.5, 10), (8.9, 10), cost=4.0, rise=2.0)
    assert said(table_of(me(7.5, 10), wall), replace(JUMP, test=climb.test)) == [
        "a leg of kind 'jump' asks for a 'climb' test"
    ]
    low = table_of(me(7.5, 10), replace(TOWER, height=1.0))
    up = die_leg("climb", "tower", (7.5, 10), (8.5, 10), cost=2.0, on="tower", rise=1.0)
    assert "tower is no taller than the model: it is jumped" in said(low, up)
    tall = die_leg("jump", "tower", (7.5, 10), (8.5, 10), on="tower")
    assert "2 inches up are more than the model's height" in said(table_of(me(7.5, 10), TOWER), tall)
    beyond = die_leg("jump", "wall", (7.5, 10), (8.9, 10), on="tower")
    there = table_of(me(7.5, 10), wall, replace(TOWER, shape=circle((14.0, 10.0), 3.0)))
    assert "the jump does not land beyond or on top of wall" in said(there, beyond)
    assert "wall is nothing to climb on this surface" in said(
        table_of(me(3, 10), wall), die_leg("climb", "wall", (3, 10), (3, 10), cost=2.0, rise=1.0)
    )


def test_legs_over_what_is_not_there() -> None:
    """Each is forged: over a ladder, up nothing, down to no foot, by no ladder, beyond no rim."""
    rungs = Terrain("rungs", frozenset({"ladder"}), at=(8.0, 10.0), to="tower")
    there = table_of(me(7.5, 10), TOWER, rungs)
    assert "rungs is no obstacle on this surface" in said(there, die_leg("jump", "rungs", (7.5, 10), (8.9, 10)))
    bare = table_of(me(3, 10), TOWER)
    nothing = die_leg("climb", "tower", (3, 10), (3, 10), cost=2.0, rise=1.0)
    assert said(bare, nothing) == ["tower is nothing to climb on this surface"]
    foot = die_leg("descend", "tower", (7.5, 10), (3, 10), die="climb", cost=2.0, rise=-1.0)
    assert "the way down does not end at the foot of tower" in said(table_of(me(7.5, 10, climbed=1.0), TOWER), foot)
    nowhere = Leg("ladder", (3.0, 10.0), (2.5, 10.0), 2.0, None, rise=2.0)
    assert said(table_of(me(3, 10), TOWER, rungs), nowhere) == [
        "the ladder leg does not end on the platform it leads to"
    ]


def test_who_lies_is_jumped_from_as_near_as_can_be_on_its_own_level() -> None:
    lying = model("e", 8, 10, prone=True)
    there = table_of(me(7, 10), lying)
    over = die_leg("jump", "e", (7, 10), (9, 10), die="jump-prone")
    assert rules(there, over) == []
    short = die_leg("jump", "e", (7, 10), (9.1, 10), die="jump-prone")
    assert said(there, short) == ["the jump over e is not as near as can be on the far side"]
    deck = replace(piece("deck", "platform", x=7.4, wide=4.0), height=1.0)
    above = table_of(me(7, 10), replace(lying, on="deck", at=(8.0, 10.0)), deck)
    assert "e is not on this surface" in said(above, over)


def test_ways_up_and_down_that_lead_nowhere() -> None:
    there = table_of(me(7.5, 10), replace(TOWER, height=0.7))
    up, down = (Leg(kind, (7.5, 10.0), (7.2, 10.0), 0.3, None) for kind in ("up", "down"))
    assert said(there, up) == ["the way up does not lead onto a platform that stands here"]
    assert said(there, down) == ["the way down does not lead to where the platform stands"]
    assert said(there, Leg("straight", (7.5, 10.0), (8.5, 10.0), 1.0, "tower"))[0] == (
        "a leg of kind 'straight' does not lead onto tower"
    )
    with pytest.raises(QuestionError, match="leg 0: 'flight' is no kind of leg"):
        said(there, Leg("flight", (7.5, 10.0), (7, 10.0), 0.5))
    with pytest.raises(QuestionError, match="an arc needs a centre"):
        said(there, Leg("arc", (7.5, 10.0), (7, 10.0), 0.5))


def test_nobody_is_charged_who_is_not_on_the_table() -> None:
    there = replace(table_of(me(7, 10), model("e", 10, 10)), off=frozenset({"e"}))
    assert "e is not on the table" in said(there, walk((7, 10), (9, 10)), charging=("e",))


def test_a_ladder_leg_needs_a_ladder_and_a_level() -> None:
    rung = Terrain("rungs", frozenset({"ladder"}), at=(8.0, 10.0), to="tower")
    up = Leg("ladder", (7.5, 10.0), (8.5, 10.0), 2.0, "tower", rise=2.0)
    assert rules(table_of(me(7.5, 10), TOWER, rung), up) == []
    far = replace(up, start=(7.5, 14.0), end=(8.5, 14.0))
    assert "the base does not touch a ladder of tower" in said(table_of(me(7.5, 14), TOWER, rung), far)
    inner = replace(up, end=(9.5, 10.0))
    assert "the base does not stand at the ladder's head on tower" in said(table_of(me(7.5, 10), TOWER, rung), inner)
