"""A model that hangs on a face from an earlier turn: tested again, or not (CLB.4, ruling ``climb_test_each_turn``)."""

from dataclasses import replace
from fractions import Fraction
from math import cos, inf, pi, sin

import pytest
import shapely

from sbg_sim.dice.play import distribution
from sbg_sim.geometry.shapes import polygon
from sbg_sim.phase import replay
from sbg_sim.referee import audit, audit_path
from sbg_sim.simulate.campaign import campaign
from sbg_sim.simulate.plays import route_play
from sbg_sim.simulate.steps import steps_of
from sbg_sim.solver.reach import reach
from sbg_sim.table.questions import Charge, Move
from sbg_sim.table.record import MoveRecord, Record
from sbg_sim.table.route import Route
from sbg_sim.threats import safe, threats
from tests.heights.stage import PASS, POLISHED, SIX, TOLD, ask, box, charge, move, mover, other, piece, table, wall

ONCE = {"climb_test_each_turn": "no"}


def terrace(height):
    """A platform with its near face at x = 8: bases step from x = 7.5 to x = 8.5."""
    return piece("t", "platform", box(8, 8, 14, 16), height=height)


def test_tested_again_or_not():
    """3 of 5 inches are climbed: 2 more cost 4, and an inch of walking is left of 6 from the rim on."""
    again = table(mover(7.5, 12, climbed=3.0), terrace(5.0))
    top, beyond = move(again, (8.5, 12), "t", alternatives=True), move(again, (9.5, 12), "t")
    assert (top.chance, beyond.chance) == (PASS, SIX)
    assert "climb_test_each_turn = no" in top.rulings
    once = table(mover(7.5, 12, climbed=3.0), terrace(5.0), **ONCE)
    top, beyond = move(once, (8.5, 12), "t", alternatives=True), move(once, (9.5, 12), "t")
    assert (top.answer, top.needed, top.tests) == ("yes", pytest.approx(4, abs=TOLD), ())
    assert (beyond.answer, beyond.needed) == ("yes", pytest.approx(5, abs=POLISHED))
    assert "CLB.4" in top.rules
    assert "climb_test_each_turn = yes" in top.rulings


def test_who_begins_is_tested_either_way():
    assert move(table(mover(7.5, 12), terrace(2.5), **ONCE), (8.5, 12), "t").chance == PASS


def test_up_a_wall_without_a_new_die_and_down_with_one():
    """1 of 2 inches is left: 2 up, 4 down behind it, where only the way down is tested."""
    once = table(mover(7.5, 12, climbed=1.0, move=9.0), wall(2.0, x=8.0), **ONCE)
    found = move(once, (9.0, 12))
    assert ([t.kind for t in found.tests], found.chance) == (["descend"], PASS)
    assert found.needed == pytest.approx(6, abs=TOLD)
    over = move(once.under("climb_over", "over"), (9.0, 12))
    assert (over.answer, over.needed) == ("yes", pytest.approx(2, abs=TOLD))


def test_the_referee_judges_it_alike():
    once = table(mover(7.5, 12, climbed=3.0), terrace(5.0), **ONCE)
    route = move(once, (8.5, 12), "t").route
    again = audit(once.under("climb_test_each_turn", "yes"), "m", route).violations
    assert [v.rule for v in again] == ["CLB.2"]
    tested = move(once.under("climb_test_each_turn", "yes"), (8.5, 12), "t").route
    assert [v.rule for v in audit(once, "m", tested).violations] == ["CLB.4"]
    by_hand = audit_path(once, "m", [(7.5, 12), (9.5, 12)])
    assert (by_hand.violations, by_hand.route.tests) == ((), ())
    assert by_hand.cost == pytest.approx(5, abs=POLISHED)


def test_the_rest_of_a_tall_face():
    """5 in of 9 are climbed, 3 more are within the Move: no die, and it hangs at 8."""
    once = table(mover(7.5, 12, climbed=5.0), terrace(9.0), **ONCE)
    route = ask(once, Move("m", (8.5, 12), "t"), alternatives=False).route
    ends = distribution(route_play(once, "m", route))
    assert {end.climbed: chance for end, chance in ends.items()} == {8.0: Fraction(1)}


@pytest.mark.parametrize(
    ("climbed", "height", "wide", "ruled", "ends"),
    [
        (1.0, 2.0, 6.0, "over", {2.0: Fraction(1)}),  # 2 up, and 4 of 5 along the top, on which nobody stays
        (2.0, 2.0, 8.0, "over", {2.0: Fraction(1)}),  # at the top already, and 7 along it
        (4.0, 4.0, 2.0, "down", {1.5: PASS, 0.0: 1 - PASS}),  # 1 along the top, and 5 of 8 down
    ],
)
def test_a_play_that_ends_on_a_wide_wall_hangs_on_it(climbed, height, wide, ruled, ends):
    there = table(mover(7.5, 12, climbed=climbed), wall(height, x=8.0, thick=wide), climb_over=ruled, **ONCE)
    route = ask(there, Move("m", (8.5 + wide, 12)), alternatives=False).route
    found = distribution(route_play(there, "m", route))
    assert {round(end.climbed, 9): chance for end, chance in found.items()} == ends


@pytest.mark.parametrize(
    ("ruled", "kind", "along", "high"),
    [
        ("over", "climb", 6.5, 3.25),  # 8 up, and then 5 along the top
        ("over", "climb", 9.0, 4.0),
        ("down", "climb", 6.5, 3.25),
        ("down", "descend", 3.0, 4.0),  # 5 along the top, and then 8 down
        ("down", "descend", 6.5, 3.25),
    ],
)
def test_from_how_high_on_a_wide_wall_a_turn_of_a_charge_looks(ruled, kind, along, high):
    """CHG.1, as it begins: what leads along the top is neither up nor down."""
    there = table(mover(7.5, 12, move=30.0), wall(4.0, x=8.0, thick=6.0), climb_over=ruled)
    way = steps_of(there, "m", ask(there, Move("m", (14.5, 12)), alternatives=False).route)
    seen = []

    class Heights:
        def sees(self, at, on, climbed, *, prone):
            seen.append(climbed)
            return True

    number = next(n for n, step in enumerate(way.steps) if step.leg is not None and step.leg.kind == kind)
    assert replace(way, sight=Heights()).in_sight(number, along, prone=False)
    assert seen == [pytest.approx(high, abs=TOLD)]


def test_turns_to_the_top():
    """9 in from the foot, M 6: turns to 3, 6 and 9 in. Tested each turn, or in the first alone.

    Who falls lies at the foot and stands up for 3: a turn then gains 1.5 in of height, and 3 turns more follow.
    """
    start = table(mover(7.5, 12), terrace(9.0))
    goal = Move("m", (8.5, 12), "t")
    often, once = campaign(start, goal), campaign(start.under("climb_test_each_turn", "no"), goal)
    assert once.within(3).by_turn(3) == PASS
    assert often.within(3).by_turn(3) == PASS**3


def test_a_record_goes_on_without_a_roll():
    record = Record("good", (MoveRecord("m", to=(8.5, 12), on="t"),), ())
    once = table(mover(7.5, 12, climbed=3.0), terrace(5.0), **ONCE)

    (step,) = replay(replace(once, record=record)).steps
    assert (step.legal, step.on, step.climbed, step.rolls) == (True, "t", 0.0, ())


@pytest.mark.parametrize(
    ("keyword", "tags", "rule"), [("cavalry", "platform", "CLB.3"), ("infantry", "platform unscalable", "TER.5")]
)
def test_who_cannot_climb_down_stays_where_it_hangs(keyword, tags, rule):
    """Two inches up: more than its height, so that it would have to climb down."""
    face = piece("t", tags, box(8, 8, 14, 16), height=5.0)
    rider = mover(7.5, 12, climbed=2.0, keywords=frozenset({keyword}))
    found = move(table(rider, face), (6, 12), None)
    assert (found.answer, found.violations[0].rule) == ("no", rule)
    assert "hangs 2 in up a face" in found.violations[0].reason
    there = reach(table(rider, face), "m")
    assert there.blocked == ("m hangs 2 in up a face: it cannot climb down",)
    assert there.distance((6.0, 12.0)) == inf
    free = move(table(replace(rider, climbed=1.5), face), (6, 12), None)
    assert (free.answer, free.needed) == ("yes", pytest.approx(1.5, abs=TOLD))


def pit(depth=4.0):
    """A pit whose near side is at x = 8: at its bottom bases touch that side from x = 8.5."""
    return piece("g", "gap", box(8, 8, 14, 16), depth=depth)


def test_the_rest_of_a_pits_side():
    """3 of 4 inches lie below: the last costs 2, and 4 are left from the brim on; before, all 4 were climbed again."""
    there = table(mover(8.5, 12, on="g", climbed=3.0), pit())
    brim, beyond = move(there, (7.5, 12)), move(there, (3.5, 12))
    assert (brim.chance, beyond.chance) == (PASS, SIX)
    assert (brim.needed, beyond.needed) == (pytest.approx(2, abs=TOLD), pytest.approx(6, abs=POLISHED))
    assert brim.route.legs[0].test.fail_hits == 2  # 3 in, and half of it its own height


def test_down_a_pits_side_again():
    """1 in is let down for nothing; 2 in are climbed down for 4."""
    near = move(table(mover(8.5, 12, on="g", climbed=1.0), pit()), (10, 12), "g")
    assert (near.answer, near.needed) == ("yes", pytest.approx(1.5, abs=TOLD))
    far = table(mover(8.5, 12, on="g", climbed=2.0), pit())
    beyond = move(far, (10, 12), "g")
    assert (beyond.chance, beyond.needed) == (SIX, pytest.approx(5.5, abs=POLISHED))


def played(begun, face, to, *rolls, on=None, **rulings):
    """Play one move of a model with its dice: whether it is allowed, and how the model ends."""
    record = Record("good", (MoveRecord("m", to=to, on=on, rolls=rolls),), ())
    things = face if isinstance(face, tuple) else (face,)
    (step,) = replay(replace(table(begun, *things, **rulings), record=record)).steps
    return step.legal, step.at, step.on, round(step.climbed, 9), round(step.used, 9), step.hits


def test_out_of_a_pit_in_two_turns():
    """5 in: 5 of movement after an inch to its side climb 2.5, the other 2.5 cost 5."""
    first = played(mover(9.5, 12, on="g"), pit(5.0), (7.5, 12), 4)
    assert first == (True, (8.5, 12.0), "g", 2.5, 6.0, 0)
    then = played(mover(8.5, 12, on="g", climbed=2.5), pit(5.0), (7.5, 12), 4)
    assert then == (True, (7.5, 12.0), None, 0.0, 5.0, 0)


@pytest.mark.parametrize("height", [9.0, 30.0])
def test_however_tall_it_is_it_can_be_begun(height):
    """An inch to the face and 5 of movement up it, wherever the top is: on a platform, a wall, a ladder."""
    near = mover(6.5, 12)
    half = (True, (7.5, 12.0), None, 2.5, 6.0, 0)
    assert played(near, terrace(height), (8.5, 12), 4, on="t") == half
    assert played(near, wall(height, x=8.0), (9.0, 12), 4) == half
    sheer = piece("t", "platform unscalable", box(8, 8, 14, 16), height=height)
    ladder = piece("l", "ladder", at=(8.0, 12.0), to="t")
    assert played(near, (sheer, ladder), (8.5, 12), on="t") == (True, (7.5, 12.0), None, 5.0, 6.0, 0)
    assert not played(mover(1, 12), terrace(height), (8.5, 12), 4, on="t")[0]  # the face itself is too far


def test_a_climb_over_a_wall_rests_at_its_top():
    """2 in: an inch and 4 up; 4 more down do not fit any more, and are left for the next turn."""
    to = (9.0, 12)
    assert played(mover(6.5, 12), wall(2.0, x=8.0), to, 4) == (True, (7.5, 12.0), None, 2.0, 5.0, 0)
    assert played(mover(7.5, 12, climbed=2.0), wall(2.0, x=8.0), to, 4) == (True, (9.0, 12.0), None, 0.0, 4.0, 0)
    assert played(mover(7.5, 12, climbed=4.0), wall(4.0, x=8.0), to, 4) == (True, (9.0, 12.0), None, 1.0, 6.0, 0)


@pytest.mark.parametrize(
    ("begun", "wide", "height", "rulings", "ends"),
    [
        (mover(6.5, 12), 2.0, 2.0, {}, (True, (7.5, 12.0), None, 2.0, 5.0, 0)),
        (mover(7.5, 12, climbed=2.0), 2.0, 2.0, {}, (True, (10.5, 12.0), None, 0.0, 5.0, 0)),
        (mover(7.5, 12, climbed=4.0), 2.0, 4.0, {}, (True, (10.5, 12.0), None, 1.5, 6.0, 0)),
        (mover(7.5, 12, climbed=4.0), 7.0, 4.0, {}, (False, (7.5, 12.0), None, 4.0, 0.0, 0)),
        (mover(7.5, 12), 4.0, 2.0, {"climb_over": "over"}, (True, (7.5, 12.0), None, 2.0, 4.0, 0)),
        (mover(7.5, 12, climbed=1.0), 4.0, 2.0, {"climb_over": "over"}, (True, (12.5, 12.0), None, 0.0, 5.0, 0)),
        (mover(7.5, 12, climbed=2.0), 4.0, 2.0, {"climb_over": "over"}, (True, (12.5, 12.0), None, 0.0, 3.0, 0)),
        (mover(7.5, 12, climbed=2.0), 0.5, 2.0, {"climb_over": "over"}, (True, (9.0, 12.0), None, 0.0, 0.0, 0)),
    ],
)
def test_a_wall_wider_than_a_base_is_led_along_on_top(begun, wide, height, rulings, ends):
    """A base's width onto it and off it are free: of w + 1 in from side to side w - 1 count, when it comes down."""
    assert played(begun, wall(height, x=8.0, thick=wide), (8.5 + wide, 12), 4, **rulings) == ends


@pytest.mark.parametrize(("ruled", "cost"), [("down", 10.5), ("over", 6.5)])
def test_a_line_drawn_over_a_wide_wall(ruled, cost):
    """An inch to it, 4 up, one along the top, half an inch on; and 4 down."""
    there = table(mover(6.5, 12, move=20.0), wall(2.0, x=8.0, thick=2.0), climb_over=ruled)
    found = audit_path(there, "m", [(6.5, 12), (11, 12)])
    assert (found.legal, found.cost) == (True, pytest.approx(cost, abs=TOLD))


def test_half_way_down():
    """Half an inch to the rim and 5.5 of movement for 2.75 of 5 inches down; a 1 falls all of them: 1 + 3 hits."""
    top = mover(9.0, 12, on="t")
    assert played(top, terrace(5.0), (6.5, 12), 4) == (True, (7.5, 12.0), None, 2.25, 6.0, 0)
    assert played(top, terrace(5.0), (6.5, 12), 1) == (True, (7.5, 12.0), None, 0.0, 0.5, 4)
    below = mover(7.5, 12, climbed=2.25)
    assert played(below, terrace(5.0), (7.0, 12), 6) == (True, (7.0, 12.0), None, 0.0, 5.0, 0)
    sheer = piece("t", "platform unscalable", box(8, 8, 14, 16), height=8.0)
    ladder = piece("l", "ladder", at=(8.0, 12.0), to="t")
    assert played(top, (sheer, ladder), (6.5, 12)) == (True, (7.5, 12.0), None, 2.5, 6.0, 0)


def test_half_way_down_is_no_end_of_another_question():
    """Only a record may leave a model over the foot: as an answer it would be a cheaper way down than there is."""
    there = table(mover(8.5, 12, on="t"), terrace(5.0))
    way = move(there, (7.5, 12)).route
    (leg,) = way.legs
    half = Route((replace(leg, cost=6.0, rise=-3.0),))
    assert [v.rule for v in audit(there, "m", half).violations] == ["FALL.1"]
    assert audit(there, "m", half, hanging=True).violations == ()


@pytest.mark.parametrize("turn", [0.3, 0.77, 1.9, 4.0])
def test_places_typed_to_six_decimals_keep_the_climb(turn):
    """On a tower that stands aslant a base hangs a part of a micro-inch off the face: 3 of 8 inches are left, 6 in."""

    def turned(x, y):
        c, s = cos(turn), sin(turn)
        return round(c * (x - 11) - s * (y - 12) + 20, 6), round(s * (x - 11) + c * (y - 12) + 20, 6)

    tower = piece("t", "platform", polygon([turned(*p) for p in [(8, 8), (14, 8), (14, 16), (8, 16)]]), height=8.0)
    found = move(table(mover(*turned(7.5, 10), climbed=5.0, move=7.0), tower), turned(8.5, 10), "t")
    assert found.needed == pytest.approx(6, abs=2e-6)
    assert found.chance > 0
    steps = table(mover(*turned(7.5, 10), climbed=5.0, move=7.0), tower, climb_test_each_turn="no")
    assert move(steps, turned(8.5, 10), "t").answer == "yes"


def test_a_cheaper_way_from_the_foot_does_not_hide_the_climb():
    """3.5 of 7 in are left: 7 in, 5/6. Steps beside it, 5.02 in from the foot, are come to by a Climb test down."""
    tower = piece("t", "platform", box(10, 4, 16, 16), height=7.0)
    steps = [piece(f"s{i}", "platform", box(8 + i / 2, 8, 8.5 + i / 2, 10), height=1.4 * (i + 1)) for i in range(4)]
    hangs = mover(9.75, 11, base=0.5, height=3.0, move=10.0, climbed=3.5)
    for there in (table(hangs, tower), table(hangs, tower, *steps)):
        found = move(there, (10.25, 11), "t")
        assert (found.needed, found.chance) == (pytest.approx(7, abs=TOLD), PASS)
        along = move(there, (10.25, 9.5), "t")  # a 6 goes on, along the rim as well as away from it
        assert (along.needed, along.chance) == (pytest.approx(8.5, abs=POLISHED), SIX)


def test_over_a_wall_it_goes_on_from_where_it_hangs():
    """1 of 2 in is left, 2 in; the way round the wall's end, shorter from the foot, begins with a Climb test down."""
    end = piece("wall", "obstacle", box(8, 6, 8.4, 12.2), height=2.0)
    hangs = mover(7.5, 12, climbed=1.0, move=9.0, height=0.9)
    found = move(table(hangs, end, climb_over="over"), (8.9, 12))
    assert found.chance == PASS
    assert found.needed == pytest.approx(2, abs=TOLD)


def test_a_reach_knows_where_the_climb_goes_on():
    """An inch of 3 is climbed, and coming down is free: here 4 in lead to the top, from beside it 6."""
    there = table(mover(7.5, 12, climbed=1.0, move=6.5), piece("t", "platform", box(8, 4, 14, 20), height=3.0))
    rows = dict(reach(there, "m").on("t"))
    assert shapely.covers(rows[SIX], shapely.Point(8.6, 14.4))  # a 6, and 2.4 in on
    for y, lands in ((12.45, True), (12.55, False)):  # 6 in from the foot, and the half inch that is left
        assert (shapely.distance(rows[PASS], shapely.Point(8.5, y)) < 1e-6) == lands
        assert (move(there, (8.5, y), "t").chance == PASS) == lands


@pytest.mark.parametrize("x", [10.0, 12.0])
def test_into_a_charge_on_top(x):
    """1 of 2.5 in left, 2 in, and on to the base of an enemy in whose zone the climb ends, or beyond it."""
    there = table(mover(7.5, 12, climbed=1.5, move=6.0), terrace(2.5), other("e", x, 12, on="t", move=None))
    found = charge(there, "e")
    assert found.needed == pytest.approx(2 + x - 9.5, abs=POLISHED)
    assert found.chance == SIX


def test_a_reach_that_begins_with_a_climb_test_is_certain_of_nothing():
    """It may move, and gets on top with a 2: that it may not was said."""
    there = table(mover(7.5, 12, climbed=3.0), terrace(5.0))
    told = reach(there, "m")
    assert "goes nowhere for certain: m hangs 3 in up a face" in told.verdict().reason
    assert told.area.area == 0
    assert move(there, (8.5, 12), "t").chance == PASS


@pytest.mark.parametrize("once_left", ["closed", "nearer"])
def test_over_a_wall_within_a_zone_it_is_stuck_in(once_left):
    """It hangs 1.5 in from whom it is stuck with and lands 1.86 in off, inside the zone: it may come as near as 1.5."""
    there = table(mover(7.5, 12, climbed=1.0, move=9.0, height=0.9), wall(2.0, x=8.0, thick=0.1), other("e", 7.5, 10.5))
    there = there.under("climb_over", "over").under("zone_once_left", once_left)
    along = move(there, (8.6, 11.53))  # 1.1 in beside it and 1.03 off
    assert (along.chance, along.needed) == (SIX, pytest.approx(2.47, abs=POLISHED))
    assert move(there, (8.6, 11.5)).chance == 0


def test_over_a_wall_out_of_a_zone_it_is_stuck_in():
    """It lands 2.05 in off, out of the zone of 2: that is closed again, or only nearer than the 1.5 in of its start."""
    there = table(mover(7.5, 12, climbed=1.0, move=9.0, height=0.9), wall(2.0, x=8.0, thick=0.4), other("e", 7.5, 10.5))
    there = there.under("climb_over", "over")
    assert move(there, (8.9, 11.94)).chance == SIX
    assert move(there, (8.9, 11.9)).chance == 0
    reopened = there.under("zone_once_left", "nearer")
    assert move(reopened, (8.9, 11.05)).chance == SIX
    assert move(reopened, (8.9, 11.03)).chance == 0


def test_a_reach_behind_a_climb_test():
    """3 of 5 in are climbed. Of 8, down takes 6 and leaves 2, up takes 4 and leaves 4 on top: behind a 6 each."""
    there = table(mover(7.5, 12, climbed=3.0, move=8.0), terrace(5.0))
    found = reach(there, "m")
    assert found.blocked
    for surface, edge, side in ((None, 5.5, -1), ("t", 12.5, 1)):
        rows = dict(found.on(surface))
        assert shapely.covers(rows[PASS], shapely.Point(8 + side / 2, 12))  # where the die sets it down
        for hair in (-0.01, 0.01):
            spot = (edge + side * hair, 12)
            assert shapely.covers(rows[SIX], shapely.Point(spot)) == (hair < 0)
            assert (move(there, spot, surface).chance == SIX) == (hair < 0)


def test_a_reach_that_climbs_on_without_a_die():
    """Where it is not tested again the top is certain: 4 in up, and 4 more on it."""
    found = reach(table(mover(7.5, 12, climbed=3.0, move=8.0), terrace(5.0), **ONCE), "m")
    assert not found.blocked
    assert found.distance_on("t", [[8.5, 12], [12.0, 12], [12.6, 12]]).tolist() == pytest.approx([4, 7.5, inf])
    assert found.distance([7.4, 12]) == inf  # the way down is a Climb test all the same
    assert dict(found.regions)[SIX].area > 0


def test_a_reach_half_way_up_a_ladder():
    """3 of 6 in are left: of a Move of 4 an inch is left on top, and as much at the foot."""
    sheer = piece("t", "platform unscalable", box(8, 8, 14, 16), height=6.0)
    there = table(mover(7.5, 12, climbed=3.0, move=4.0), sheer, piece("l", "ladder", at=(8.0, 12.0), to="t"))
    found = reach(there, "m")
    assert found.distance_on("t", [[8.5, 12], [9.4, 12], [9.6, 12]]).tolist() == pytest.approx([3, 3.9, inf])
    assert found.distance([[7.5, 13], [7.5, 13.1]]).tolist() == pytest.approx([4, inf])
    assert found.area.area == pytest.approx(pi / 2, abs=0.01)
    assert found.on("t")[0][1].area == pytest.approx(pi / 2, abs=0.01)


def test_who_hangs_endangers_what_it_can_charge_behind_a_climb_test():
    """Down 6 of 10 in, and behind a 6 4 more: what is within 4 in of the foot is charged, at 1 to 6."""
    there = table(other("e", 7.5, 12, climbed=3.0, move=10.0), mover(3.0, 12, move=4.0), terrace(5.0))
    found = safe(there, "m").levels[0]
    ((chance, area),) = found.dangers[0].regions
    assert chance == SIX
    for x in (2.49, 2.51):  # four inches and the base of both: the foot is at 7.5
        charged = ask(there.having("m", at=(x, 12)), Charge("e", "m"), alternatives=False)
        assert shapely.covers(area, shapely.Point(x, 12)) == (charged.chance == SIX) == (x > 2.5)
    (target,) = threats(there, "evil").targets
    assert [(c.model, c.verdict.chance) for c in target.chargers] == [("e", SIX)]


def test_a_reach_with_less_move_of_who_hangs():
    """An inch up it comes down for nothing: of 6 in it goes as far as with a Move of 2, if it spends no more."""
    there = table(mover(7.5, 12, climbed=1.0), terrace(5.0))
    less = reach(there, "m").near(None, less=4.0)
    assert less.area.area == pytest.approx(reach(there.having("m", move=2.0), "m").area.area, abs=0.01)


def test_a_reach_maps_no_chance_below_the_least():
    there = table(mover(7.5, 12, climbed=3.0, move=8.0), terrace(5.0))
    for least, chances in ((1, []), (PASS, [PASS]), (SIX, [PASS, SIX])):
        assert [chance for chance, _ in reach(there, "m", least=least).on("t")] == chances


def test_who_has_climbed_into_a_zone_does_not_leave_it():
    """Friends wall off whom it charges: bound by its climb it may not go round them, who comes down first may."""
    friends = [other(f"f{k}", 9.5, 10.5 + k, side="good", on="t") for k in range(4)]
    hangs = mover(7.5, 12, climbed=1.5, move=14.0)
    there = table(hangs, piece("t", "platform", box(8, 4, 16, 20), height=2.5), other("e", 10.4, 12, on="t"), *friends)
    found = charge(there, "e")
    assert [leg.kind for leg in found.route.legs][:3] == ["down", "straight", "climb"]
    loose = charge(there.under("charge_stays_in_zone", "no"), "e")
    assert loose.route.legs[0].kind == "climb"
    assert found.needed - loose.needed == pytest.approx(3, abs=POLISHED)  # 1.5 in climbed for nothing


def test_down_to_the_own_foot():
    """Two inches up, twice that down with a test; an inch up, no more than its height, it comes down for nothing."""
    found = move(table(mover(7.5, 12, climbed=2.0), terrace(5.0)), (7.5, 12))
    assert (found.chance, found.needed) == (PASS, pytest.approx(4, abs=TOLD))
    assert [test.kind for test in found.tests] == ["descend"]
    assert campaign(found.table, Move("m", (7.5, 12))).expected == Fraction(7, 6)  # a 1 takes another turn, to stand up
    low = move(table(mover(7.5, 12, climbed=1.0), terrace(5.0)), (7.5, 12))
    assert (low.answer, low.needed, [leg.kind for leg in low.route.legs]) == ("yes", 0, ["down"])


def test_a_tall_face_is_come_down_by_the_same_move_every_turn():
    """Of 5 in a Move of 6 leads down 3; the next turn down the other 2."""
    roof = mover(8.5, 12, on="t")
    down = MoveRecord("m", to=(7.5, 12), rolls=(4,))
    played = replay(table(roof, terrace(5.0)), Record("good", (down,), later=(Record("good", (down,)),)))
    assert [(s.legal, s.climbed, s.used) for s in played.steps] == [(True, 2.0, 6.0), (True, 0.0, 4.0)]
