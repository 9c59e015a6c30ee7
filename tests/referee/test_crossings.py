"""Legs with dice judged by the referee (TER, JMP, LEAP, PRN), and polylines."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from sbg_sim.errors import QuestionError
from sbg_sim.geometry.shapes import Shape, circle, line, polygon
from sbg_sim.referee import audit, audit_path
from sbg_sim.referee.crossings import edge_between
from sbg_sim.referee.scene import Scene
from sbg_sim.table.route import Leg, Route
from sbg_sim.table.terrain import Terrain
from tests.referee.legs import TOWER, die_leg, drawn, me, model, piece, rules, said, table_of, walk

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


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ((7.5, 10.0), (8.5, 10.0), []),
        ((7.5, 10.0), (8.5, 10.01), ["JMP.1"]),
        # Beside a corner, to where the base has room: a step aside of straight at the face.
        ((7.5, 2.0), (8.5, 2.5), []),
        ((7.7, 1.6), (8.5, 2.5), []),
        ((7.7, 1.6), (8.5, 2.6), ["JMP.1"]),
    ],
)
def test_onto_a_top_straight_across_leads_to_the_nearest_room(
    start: tuple[float, float], end: tuple[float, float], expected: list[str]
) -> None:
    table = table_of(me(*start), replace(TOWER, height=1.0), jump_landing="across")
    assert rules(table, die_leg("jump", "tower", start, end, on="tower")) == expected


def test_jump_may_not_run_over_a_place_to_land() -> None:
    # Two arms of one U: between them there is room to stand.
    shape = polygon([(8, 2), (12, 2), (12, 18), (11.6, 18), (11.6, 2.4), (8.4, 2.4), (8.4, 18), (8, 18)])
    table = table_of(me(7.5, 10), Terrain("u", frozenset({"obstacle"}), shape, height=1.0))
    assert rules(table, die_leg("jump", "u", (7.5, 10), (12.5, 10))) == ["JMP.1"]
    one, two = die_leg("jump", "u", (7.5, 10), (8.9, 10)), die_leg("jump", "u", (11.1, 10), (12.5, 10))
    assert rules(table, one, walk((8.9, 10), (11.1, 10)), two) == []
    assert drawn(table, (7.5, 10), (12.5, 10)) == ["jump", "straight", "jump"]


@pytest.mark.parametrize(("out", "expected"), [(-1e-3, []), (0.0, []), (1e-5, ["JMP.1"]), (1e-2, ["JMP.1"])])
def test_one_jump_over_two_arms_may_just_touch_between_them(out: float, expected: list[str]) -> None:
    """A base of an inch touches both arms at (10.75, 10.75) and no farther out."""
    arms = [(9.75, 9.75), (20, 9.75), (20, 10.25), (10.25, 10.25), (10.25, 20), (9.75, 20)]
    start, end = (12.25 + out, 9.25), (9.25, 12.25 + out)
    hedge = Terrain("hedge", frozenset({"obstacle"}), polygon(arms), height=1.0)
    table = table_of(me(*start), hedge)
    assert rules(table, die_leg("jump", "hedge", start, end)) == expected


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
    # Begun with nothing left, it is the leap that is too long, and not the way there.
    whole = (walk((1.5, 10), (7.5, 10)), legs[1])
    assert rules(table_of(me(1.5, 10), *things[1:], leap_needs="remaining"), *whole) == ["LEAP.1"]
    farther = (walk((1.4, 10), (7.5, 10)), legs[1])
    assert rules(table_of(me(1.4, 10), *things[1:], leap_needs="remaining"), *farther) == ["MOV.3"]


def test_a_last_leap_is_no_longer_than_the_whole_move() -> None:
    """As ruled it may begin with nothing left of the Move; it takes no more than all of it, nor does what is before."""
    table = table_of(me(7.5, 10), piece("rift", "gap", wide=2.0, depth=4.0))
    leap = die_leg("leap", "rift", (7.5, 10), (10.5, 10))
    assert rules(table.having("m", move=3.0), leap) == []
    assert rules(table.having("m", move=2.999), leap) == ["LEAP.1"]
    assert rules(table.having("m", at=(1.5, 10)), walk((1.5, 10), (7.5, 10)), leap) == []
    assert rules(table.having("m", at=(1.499, 10)), walk((1.499, 10), (7.5, 10)), leap) == ["MOV.3"]


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


@pytest.mark.parametrize(
    ("shape", "center", "radius"),
    [
        (polygon([(8, 2), (8.4, 2), (8.4, 10), (8, 10)]), (8.4, 10.0), 0.5),
        (line([(8, 2), (8, 10)], 0.4), (8.0, 10.0), 0.7),
    ],
    ids=["a corner", "the end of a thick line"],
)
def test_a_sampled_arc_round_a_wall_is_read_as_the_arc(
    shape: Shape, center: tuple[float, float], radius: float
) -> None:
    """Its chords would cut into the wall."""
    (x, y), r = center, radius
    arc = Leg("arc", (x + r, y), (x, y + r), r * math.pi / 2, None, center, r, math.pi / 2)
    wall = Terrain("wall", frozenset({"unscalable"}), shape)
    found = audit_path(table_of(me(x + r, y), wall), "m", Route((arc,)).points())
    assert found.legal
    assert {leg.kind for leg in found.route.legs} == {"arc"}
    assert found.cost == pytest.approx(r * math.pi / 2, abs=1e-9)


def test_sampled_arc_is_read_as_the_arc() -> None:
    # A reported path goes round a base in chords; read back it costs what the arc costs and overlaps nothing.
    arc = Leg("arc", (9.0, 10.0), (11.0, 10.0), math.pi, None, (10.0, 10.0), 1.0, math.pi)
    table = table_of(me(9, 10), model("f", 10, 10, "good"))
    found = audit_path(table, "m", Route((arc,)).points())
    assert found.legal
    assert found.cost == pytest.approx(math.pi, abs=1e-9)


def test_a_leap_is_over_a_gap_of_that_level() -> None:
    leap = die_leg("leap", "wall", (7.5, 10), (8.9, 10))
    assert rules(table_of(me(7.5, 10), piece("wall", "obstacle", height=1.0)), leap) != []
    deck = replace(piece("deck", "platform", x=6.0, wide=8.0), height=2.0)
    notch = piece("notch", "gap", wide=2.0, depth=2.0, on="deck")
    below = die_leg("leap", "notch", (2.5, 10), (4.5, 10))
    assert "LEAP.1" in rules(table_of(me(2.5, 10), deck, notch), below)


def test_a_jump_along_a_wall_does_not_lead_over_it() -> None:
    along = die_leg("jump", "wall", (7.5, 8), (7.5, 10))
    found = audit(table_of(me(7.5, 8), piece("wall", "obstacle", height=1.0)), "m", Route((along,)))
    assert "the crossing does not lead over wall" in [v.reason for v in found.violations]


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


def test_nobody_is_charged_who_is_not_on_the_table() -> None:
    there = replace(table_of(me(7, 10), model("e", 10, 10)), off=frozenset({"e"}))
    assert "e is not on the table" in said(there, walk((7, 10), (9, 10)), charging=("e",))


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [("step", None, "pit"), (None, "step", "pit"), ("step", "pit", "step"), ("pit", None, "pit")],
)
def test_between_a_step_in_a_pit_and_the_ground_lies_the_rim_of_the_pit(
    one: str | None, two: str | None, expected: str
) -> None:
    pit = Terrain("pit", frozenset({"gap"}), polygon([(6, 6), (18, 6), (18, 18), (6, 18)]), depth=1.0)
    step = Terrain("step", frozenset({"platform"}), polygon([(6, 8), (14, 8), (14, 16), (6, 16)]), height=0.5, on="pit")
    table = table_of(me(10, 12), pit, step)
    between = edge_between(Scene(table, table.model("m")), one, two)
    assert between is not None
    assert between.id == expected


@pytest.mark.parametrize(("end", "expected"), [((8.5, 10.0), []), ((8.5, 12.0), []), ((11.5, 10.0), ["JMP.1"])])
def test_a_jump_onto_a_top_ends_where_the_base_first_stands(end: tuple[float, float], expected: list[str]) -> None:
    table = table_of(me(7.5, 10), replace(TOWER, height=1.0))
    assert rules(table, die_leg("jump", "tower", (7.5, 10.0), end, on="tower")) == expected


@pytest.mark.parametrize(("end", "expected"), [((6.5, 15.0), []), ((12.5, 15.0), ["JMP.1"])])
def test_a_jump_out_of_one_arm_of_a_pit_ends_between_its_arms(end: tuple[float, float], expected: list[str]) -> None:
    arms = polygon([(4, 8), (12, 8), (12, 16), (10, 16), (10, 10), (6, 10), (6, 16), (4, 16)])
    table = table_of(replace(me(5.5, 15), move=9.0, on="pit"), Terrain("pit", frozenset({"gap"}), arms, depth=1.2))
    assert rules(table, die_leg("jump", "pit", (5.5, 15.0), end)) == expected


@pytest.mark.parametrize(("end", "expected"), [((11.5, 10.0), []), ((14.5, 10.0), ["LEAP.1"])])
def test_a_leap_to_a_roof_ends_at_the_rim_it_comes_over(end: tuple[float, float], expected: list[str]) -> None:
    roofs = (replace(TOWER, id="near"), replace(TOWER, id="far", shape=polygon([(11, 8), (15, 8), (15, 12), (11, 12)])))
    near = replace(roofs[0], shape=polygon([(6, 8), (10, 8), (10, 12), (6, 12)]))
    table = table_of(replace(me(9.5, 10), move=9.0, on="near"), near, roofs[1])
    assert rules(table, die_leg("leap", "far", (9.5, 10.0), end, on="far")) == expected
