"""Ways up and down judged by the referee: climbs, ladders, steps, pits and what stands on them (TER, CLB, FALL)."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from sbg_sim.errors import QuestionError
from sbg_sim.geometry.shapes import circle, polygon
from sbg_sim.referee import audit, audit_path
from sbg_sim.table.route import Leg, Route
from sbg_sim.table.terrain import Terrain
from tests.referee.legs import TOWER, die_leg, drawn, me, piece, rules, said, table_of, walk

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


@pytest.mark.parametrize(("more", "expected"), [(0.0, ["FALL.1"]), (1e-3, [])])
def test_no_climb_down_by_up_to_the_height(more: float, expected: list[str]) -> None:
    """By up to its height a model comes down without a test: none may be thrown, nor cost twice the drop."""
    drop = me(8.5, 10).height + more
    table = table_of(me(8.5, 10, on="tower"), replace(TOWER, height=drop))
    down = die_leg("descend", "tower", (8.5, 10), (7.5, 10), cost=2 * drop, rise=-drop)
    assert rules(table, down) == expected


@pytest.mark.parametrize("rise", [0.0, 0.5])
def test_no_way_down_leads_nowhere_or_up(rise: float) -> None:
    """At the foot of a face no Climb test may be thrown for no way at all: it is no way down, nor would it cost."""
    stays = die_leg("descend", "tower", (7.5, 10), (7.5, 10), cost=2 * rise, rise=rise)
    assert "FALL.1" in rules(table_of(me(7.5, 10), TOWER), stays)


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


HOUSE = Terrain("house", frozenset({"platform"}), polygon([(8, 2), (18, 2), (18, 8), (12, 8), (12, 18), (8, 18)]), 2.0)
PIT = piece("pit", "gap", wide=4.0, depth=2.0)
OVER = "climb_over"


@pytest.mark.parametrize("aside", [0.0, 1e-7, 0.01, 0.3, 5.0])
@pytest.mark.parametrize(
    ("things", "rulings", "leg"),
    [
        ((me(7.5, 10), TOWER), {}, CLIMB),
        ((me(8.5, 10, on="tower"), TOWER), {}, die_leg("descend", "tower", (8.5, 10), (7.5, 10), cost=4.0, rise=-2.0)),
        ((me(7.5, 10), PIT), {}, die_leg("descend", "pit", (7.5, 10), (8.5, 10), cost=4.0, on="pit", rise=-2.0)),
        ((me(8.5, 10, on="pit"), PIT), {}, die_leg("climb", "pit", (8.5, 10), (7.5, 10), cost=4.0, rise=2.0)),
        (
            (me(7.5, 10), piece("wall", "obstacle", height=1.6)),
            {OVER: "over"},
            die_leg("climb", "wall", (7.5, 10), (8.9, 10), cost=3.2, rise=1.6),
        ),
    ],
    ids=["up", "down", "into a pit", "out of a pit", "over a wall"],
)
def test_a_climb_leads_straight_across(things, rulings, leg, aside) -> None:
    """The shift costs nothing: aslant it would carry the model along the face as far as it likes."""
    end = (leg.end[0], leg.end[1] + aside)
    aslant = replace(leg, end=end, test=replace(leg.test, landing=end))
    rule = "FALL.1" if leg.kind == "descend" else "CLB.1"
    told = [r for r in rules(table_of(*things, **rulings), aslant) if r != "MOV.3"]  # far along a top is walked, too
    assert told == ([] if aside < 1e-6 else [rule])


def test_a_climb_leads_to_the_nearest_room_there_is() -> None:
    """At a corner into the top; past a corner that turns inward to the side it faces, and no farther."""

    def climbed(start: tuple[float, float], end: tuple[float, float]) -> list[str]:
        leg = die_leg("climb", "house", start, end, cost=4.0, on="house", rise=2.0)
        return rules(table_of(me(*start), HOUSE), leg)

    aside = 0.5 / math.sqrt(2)
    assert climbed((8 - aside, 18 + aside), (8.5, 17.5)) == []
    assert climbed((8 - aside, 18 + aside), (8.5, 17.0)) == ["CLB.1"]
    assert climbed((7.8, 18 + math.sqrt(0.25 - 0.04)), (8.5, 17.5)) == []  # beside it, aslant: there is none nearer
    assert climbed((12.5, 8.5), (11.5, 8.5)) == []  # in the corner, up either side
    assert climbed((12.5, 8.5), (12.5, 7.5)) == []
    assert climbed((12.5, 8.5), (11.5, 7.5)) == ["CLB.1"]
    assert climbed((7.5, 10), (11.5, 10)) == ["CLB.1"]  # straight, but to the other side
    down = die_leg("descend", "house", (11.5, 10), (7.5, 10), cost=4.0, rise=-2.0)
    assert rules(table_of(me(11.5, 10, on="house"), HOUSE), down) == ["FALL.1"]


@pytest.mark.parametrize("short", [0.1, 1e-4, 0.0])
def test_a_climb_begins_at_the_side_it_crosses(short: float) -> None:
    """It touches an arm of the top that is too narrow to stand on, short of the side it climbs."""
    comb = [(10, 10), (20, 10), (20, 14), (24, 14), (24, 14.4), (20, 14.4), (20, 15.5), (24, 15.5), (24, 20), (10, 20)]
    top = Terrain("comb", frozenset({"platform"}), polygon(comb), 2.0)
    walked = replace(top, shape=polygon([(x, y + 0.1 - short if y == 14.4 else y) for x, y in comb]))
    leg = die_leg("climb", "comb", (22, 15 - short), (22, 16), cost=4.0, on="comb", rise=2.0)
    reasons = [] if short == 0 else ["the base does not touch the side of comb it crosses"]
    assert said(table_of(me(22, 15 - short), walked), leg) == reasons


def test_from_the_one_place_on_a_top_down_any_side() -> None:
    square = replace(TOWER, shape=polygon([(9.5, 9.5), (10.5, 9.5), (10.5, 10.5), (9.5, 10.5)]))
    for end in ((9.0, 10.0), (9.0, 10.3), (10.4, 11.0)):
        down = die_leg("descend", "tower", (10, 10), end, cost=4.0, rise=-2.0)
        assert rules(table_of(me(10, 10, on="tower"), square), down) == []


@pytest.mark.parametrize("shape", [TOWER.shape, circle((10, 10), 2.0)], ids=["house", "disc"])
@pytest.mark.parametrize(("start", "end"), [((7, 9.5), (9.5, 10.8)), ((9.5, 10.8), (6.5, 9.7))])
def test_a_line_drawn_aslant_over_a_face_climbs_straight_where_it_meets_it(shape, start, end) -> None:
    top = replace(TOWER, shape=shape)
    table = table_of(me(*start, on="tower" if start[0] > 9 else None), top)
    found = audit_path(table, "m", (start, end), allowance=99.0)
    assert found.legal
    kind = "climb" if start[0] < 9 else "descend"
    assert [leg.kind for leg in found.route.legs] == ["straight", kind, "straight"]
    climbed = found.route.legs[1]
    assert math.dist(climbed.start, climbed.end) == pytest.approx(1.0, abs=1e-9)
    assert found.route.legs[2].end == end


def test_a_line_drawn_aslant_over_a_wall_climbs_straight_over() -> None:
    table = table_of(me(7, 9.5), piece("wall", "obstacle", height=1.6))
    found = audit_path(table, "m", ((7, 9.5), (10, 10.8)), allowance=99.0)
    assert found.legal
    over = next(leg for leg in found.route.legs if leg.kind == "climb")
    assert (over.start[1], over.end[0]) == pytest.approx((over.end[1], 8.9), abs=1e-9)


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


@pytest.mark.parametrize(("x", "expected"), [(7.5, []), (7.499, ["CLB.5"])])
def test_the_head_of_a_ladder_in_a_pit_lies_as_far_out_as_its_foot_lies_in(x: float, expected: list[str]) -> None:
    rung = Terrain("rungs", frozenset({"ladder"}), at=(8.3, 10.0), on="pit")
    ladder = Leg("ladder", (8.5, 10.0), (x, 10.0), 2.0, None, rise=2.0)
    assert rules(table_of(me(8.5, 10, on="pit"), PIT, rung), ladder) == expected


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


def test_from_level_to_level_one_goes_over_nothing_else() -> None:
    """A roof, and from y = 8 on a ledge at its side: before that the base would lie over the ground."""
    roof = Terrain("roof", frozenset({"platform"}), polygon([(4, 0), (8, 0), (8, 10), (4, 10)]), height=2.4)
    ledge = Terrain("ledge", frozenset({"platform"}), polygon([(8, 8), (10, 8), (10, 10), (8, 10)]), height=1.0)
    beside = Leg("down", (7.5, 8.5), (8.5, 8.5), 1.0, "ledge")
    assert rules(table_of(me(7.5, 8.5, on="roof"), roof, ledge), beside) == []
    aslant = Leg("down", (7.5, 8.4), (8.5, 8.5), math.hypot(1.0, 0.1), "ledge")
    over = "the base lies over what is beside ledge and roof on its way"
    assert said(table_of(me(7.5, 8.4, on="roof"), roof, ledge), aslant) == [over]
    up = die_leg("jump", "roof", (8.5, 8.5), (7.5, 8.4), on="roof")
    assert said(table_of(me(8.5, 8.5, on="ledge"), roof, ledge), up) == [over]


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


def test_what_is_stood_on_is_no_face_to_climb() -> None:
    """From the top of a block on a deck over the deck, as out of a pit over its side."""
    deck = replace(TOWER, id="deck", height=1.0)
    block = replace(TOWER, id="block", shape=polygon([(9, 8), (11, 8), (11, 12), (9, 12)]), height=1.0, on="deck")
    over = die_leg("climb", "deck", (10, 10), (10, 10), cost=2.0, on="block", rise=1.0)
    assert said(table_of(me(10, 10, on="block"), deck, block), over)[0] == "deck is nothing to climb on this surface"


def test_up_the_side_of_a_pit_one_comes_out_of_it() -> None:
    stays = die_leg("climb", "pit", (8.5, 10), (8.5, 10), cost=4.0, on="pit", rise=2.0)
    found = said(table_of(me(8.5, 10, on="pit"), PIT), stays)
    assert found == ["the climb does not lead up pit from touching it"]


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


def test_a_ladder_leg_needs_a_ladder_and_a_level() -> None:
    rung = Terrain("rungs", frozenset({"ladder"}), at=(8.0, 10.0), to="tower")
    up = Leg("ladder", (7.5, 10.0), (8.5, 10.0), 2.0, "tower", rise=2.0)
    assert rules(table_of(me(7.5, 10), TOWER, rung), up) == []
    far = replace(up, start=(7.5, 14.0), end=(8.5, 14.0))
    assert "the base does not touch a ladder of tower" in said(table_of(me(7.5, 14), TOWER, rung), far)
    inner = replace(up, end=(9.5, 10.0))
    assert "the base does not stand at the ladder's head on tower" in said(table_of(me(7.5, 10), TOWER, rung), inner)


@pytest.mark.parametrize(
    ("landing", "expected"), [((8.5, 10.0), []), ((8.6, 10.0), ["CLB.1"]), ((10.0, 10.0), ["CLB.1"])]
)
def test_onto_a_tread_just_a_base_wide_a_climb_leads_to_its_nearest_place_alone(
    landing: tuple[float, float], expected: list[str]
) -> None:
    """There a base has room on a line: any place of it is as near to either side, and all but one are farther off."""
    start = (8 - 0.5 * math.cos(0.46), 10.5 + 0.5 * math.sin(0.46))  # at the corner of its side
    tread = replace(TOWER, shape=polygon([(8, 9.5), (13, 9.5), (13, 10.5), (8, 10.5)]))
    table = table_of(me(*start), tread).under("stand_on", "centre")
    climb = die_leg("climb", "tower", start, landing, cost=2 * tread.top, on="tower", rise=tread.top)
    assert rules(table, climb) == expected


HIGH = replace(TOWER, height=5.0)
DEEP = replace(piece("pit", "gap", wide=4.0), depth=5.0)


@pytest.mark.parametrize(
    ("x", "on", "leg"),
    [
        (7.5, None, Leg("down", (7.5, 10), (8.5, 10), 1.0, "tower")),
        (8.5, "tower", die_leg("jump", "tower", (8.5, 10), (7.5, 10))),
        (8.5, "pit", Leg("down", (8.5, 10), (7.5, 10), 1.0)),
        (7.5, None, die_leg("jump", "pit", (7.5, 10), (8.5, 10), on="pit")),
    ],
    ids=["down that leads up", "jumped off", "down out of a pit", "jumped into a pit"],
)
def test_ways_down_lead_down_and_jumps_up(x, on, leg) -> None:
    there = DEEP if "pit" in {on, leg.surface} else HIGH
    assert "FALL.1" in rules(table_of(me(x, 10, on=on), there), leg)


@pytest.mark.parametrize("foot", [(7.8, 10.0), (8.0, 10.0)])
@pytest.mark.parametrize("end", [(8.6, 11.9), (9.0, 10.0)])
def test_a_line_that_touches_a_ladder_and_leads_past_its_head_climbs_as_without_it(foot, end) -> None:
    """Straight up it goes by the ladder; aslant the base is nowhere at its head, and climbs the face all the same."""
    tower, begin = replace(TOWER, height=1.8), (7.5, 10.0)
    rungs = Terrain("rungs", frozenset({"ladder"}), at=foot, to="tower")
    straight = end[1] == begin[1]
    for start, way, on in ((begin, (begin, end), None), (end, (end, begin), "tower")):
        without = drawn(table_of(me(*start, on=on), tower), *way)
        read = drawn(table_of(me(*start, on=on), tower, rungs), *way)
        assert without == [kind for kind in without if kind in {"straight", "climb", "descend"}]
        assert read == ([{"climb": "ladder", "descend": "ladder"}.get(k, k) for k in without] if straight else without)


def test_far_from_the_ladder_a_line_climbs() -> None:
    rungs = Terrain("rungs", frozenset({"ladder"}), at=(8.0, 16.0), to="tower")
    tower = replace(TOWER, height=1.8)
    assert drawn(table_of(me(7.5, 10), tower, rungs), (7.5, 10), (9.5, 10)) == ["climb", "straight"]
    assert drawn(table_of(me(7.5, 16), tower, rungs), (7.5, 16), (9.5, 16)) == ["ladder", "straight"]


def test_a_way_down_by_a_test_names_it() -> None:
    down = Leg("descend", (8.5, 10.0), (7.5, 10.0), 4.0, None, rise=-2.0)
    assert said(table_of(me(8.5, 10, on="tower"), TOWER), down) == ["a leg of kind 'descend' names no test"]


def test_into_a_pit_of_which_nobody_knows_how_deep_it_is_no_line_leads() -> None:
    pit = replace(piece("pit", "gap", wide=4.0), depth=None)
    there = table_of(me(6, 10), pit)
    assert drawn(there, (6, 10), (10, 10)) == ["LEAP.1"]  # it is leapt, or not entered at all
    assert drawn(table_of(me(6, 10), replace(pit, depth=0.5)), (6, 10), (10, 10)) == ["straight", "down", "straight"]


@pytest.mark.parametrize(("left", "expected"), [(9.0, ["top has no face down there"]), (8.0, [])])
def test_what_ends_on_the_block_it_stands_on_has_a_face_to_the_ground_where_it_is_flush(left, expected) -> None:
    def square(name, x0, y0, x1, y1, **more):
        corners = polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
        return replace(TOWER, id=name, shape=corners, height=2.0, **more)

    low, top = square("low", 8, 6, 16, 14), square("top", left, 7, 15, 13, on="low")
    down = die_leg("descend", "top", (left + 0.5, 10), (7.5, 10), cost=8.0, rise=-4.0)
    assert said(table_of(me(left + 0.5, 10, on="top"), low, top), down, allowance=99.0) == expected


def across(name: str, x0: float, x1: float, *tags: str, **more: object) -> Terrain:
    return Terrain(name, frozenset(tags), polygon([(x0, 2), (x1, 2), (x1, 18), (x0, 18)]), **more)  # type: ignore[arg-type]


HOLLOW = across("hollow", 4, 10, "gap", depth=3.0)
TREAD = across("tread", 8, 10, "platform", height=1.0, on="hollow")
LOW = across("low", 4, 10, "platform", height=1.0)
STEEP = across("steep", 10, 16, "platform", height=4.0)


@pytest.mark.parametrize(
    ("terrain", "below", "above", "tall"),
    [
        ([HOLLOW], "hollow", None, 3.0),
        (
            [
                replace(TOWER, id="deck", shape=polygon([(2, 0), (20, 0), (20, 20), (2, 20)]), height=4.0),
                replace(HOLLOW, on="deck"),
            ],
            "hollow",
            "deck",
            3.0,
        ),
        ([HOLLOW, TREAD], "tread", None, 2.0),
        ([HOLLOW, across("shelf", 10, 16, "gap", depth=1.0)], "hollow", "shelf", 2.0),
        ([HOLLOW, STEEP], "hollow", "steep", 7.0),
        ([HOLLOW, TREAD, STEEP], "tread", "steep", 6.0),
        ([STEEP], None, "steep", 4.0),
        ([LOW, STEEP], "low", "steep", 3.0),
    ],
)
def test_who_hangs_goes_on_up_between_any_two_levels_without_a_new_test(terrain, below, above, tall) -> None:
    """Where it is ruled so (``climb_test_each_turn``): an inch hangs below it already, the rest costs twice as much."""
    there = table_of(me(9.5, 10, on=below, climbed=1.0), *terrain, climb_test_each_turn="no")
    on = Leg("climb", (9.5, 10.0), (10.5, 10.0), 2 * (tall - 1), above, rise=tall - 1)
    assert audit(there, "m", Route((on,)), allowance=99.0).violations == ()
    short = replace(on, cost=2 * (tall - 1.1), rise=tall - 1.1)
    assert rules(there, short, allowance=99.0) == ["CLB.4"]


def test_who_hangs_on_a_wall_that_stands_on_a_deck_goes_on_up_the_wall() -> None:
    """2.5 in of wall, an inch of which are climbed; by the deck itself, 3 in tall, nothing leads up there."""
    deck = across("deck", 2, 20, "platform", height=3.0)
    wall = across("wall", 10, 11, "obstacle", height=2.5, on="deck")
    there = table_of(me(9.5, 10, on="deck", climbed=1.0), deck, wall, climb_test_each_turn="no")
    on = Leg("climb", (9.5, 10.0), (9.5, 10.0), 3.0, "deck", rise=1.5)
    assert audit(there, "m", Route((on,))).violations == ()
    assert said(there, replace(on, cost=4.0, rise=2.0)) == ["the climb does not go up the face of wall"]
