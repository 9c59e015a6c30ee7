"""Control Zones: where they keep a mover out, and what a mover may do that starts inside some (CZ.1 - CZ.4)."""

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbg_sim.geometry.shapes import line
from sbg_sim.solver.reach import reach
from tests.charges.stage import TOLD, box, charge, disc, evil, good, move, piece, stage


def near(value):
    return pytest.approx(value, abs=TOLD)


def round_disc(apart, radius):
    """Length of the way past a disc midway between two places in line with its centre, ``apart`` from it each."""
    return 2 * math.sqrt(apart**2 - radius**2) + radius * (math.pi - 2 * math.acos(radius / apart))


# -- CZ.1: kept out, the rim may be touched -----------------------------------------------------------------------


def test_a_zone_is_gone_round_on_its_rim():
    found = move(stage(good("a", (10, 20), move=9), evil("e", (13, 20))), "a", (16, 20))
    assert found.needed == near(round_disc(3, 2))
    assert "CZ.1" in found.rules


def test_the_rim_may_be_touched_and_no_more():
    table = stage(good("a", (10, 20)), evil("e", (13, 20)))
    assert move(table, "a", (11, 20)).answer == "yes"
    found = move(table, "a", (11.001, 20))
    assert (found.answer, found.needed) == ("no", None)
    (wrong,) = found.violations
    assert (wrong.rule, wrong.place, wrong.blame) == ("CZ.1", (11.001, 20), "e")


def test_between_two_rims_that_touch_there_is_just_room():
    # bases 4 in apart: the two discs of radius 2 touch at one place, on the line x = 14
    def table(half):
        return stage(good("a", (10, 20), move=9), evil("e", (14, 20 + half)), evil("f", (14, 20 - half)))

    assert move(table(2.0), "a", (18, 20)).needed == near(8)
    narrow = move(table(1.99), "a", (18, 20))
    assert narrow.needed > 9


def test_friends_have_no_zones_against_each_other():
    found = move(stage(good("a", (10, 20), move=9), good("b", (13, 20))), "a", (16, 20))
    assert found.needed == near(round_disc(3, 1))


def test_a_zone_over_the_edge_of_the_table_closes_the_strip_beside_it():
    # between rim and edge less than a base: 1.5 + 1 + 1 from the edge
    closed = stage(good("a", (10, 1), move=9), evil("e", (14, 2.4)), piece("w", "unscalable", box(14, 3.5, 14.1, 40)))
    found = move(closed, "a", (18, 1))
    assert (found.answer, found.needed) == ("no", None)
    assert found.violations[0].rule == "CZ.1"
    assert found.violations[0].blame == "e"
    assert math.dist(found.violations[0].place, (14, 2.4)) == pytest.approx(2, abs=2e-6)


# -- CZ.2: prone and engaged models have none ---------------------------------------------------------------------


@pytest.mark.parametrize("state", [{"prone": True}, {"engaged": frozenset({"b"})}])
def test_prone_and_engaged_models_have_no_zone(state):
    table = stage(good("a", (10, 20), move=9), evil("e", (13, 20), **state), good("b", (13.0, 25)))
    assert move(table, "a", (16, 20)).needed == near(round_disc(3, 1))
    assert move(table, "a", (11.5, 20)).needed == near(1.5)


# -- CZ.4: starting inside ----------------------------------------------------------------------------------------


def stuck(**rulings):
    return stage(good("a", (20, 18.8)), evil("e", (20, 20)), **rulings)


def test_stuck_it_may_stay():
    found = move(stuck(), "a", (20, 18.8))
    assert (found.answer, found.needed) == ("yes", 0.0)


def test_stuck_it_may_charge():
    assert charge(stuck(), "a", "e").needed == near(0.2)


def test_stuck_it_may_go_straight_away():
    found = move(stuck(), "a", (20, 15))
    assert (found.needed, found.rules) == (near(3.8), ("MOV.3", "CZ.4"))
    assert "CZ.4" not in move(stage(good("a", (20, 17.9)), evil("e", (20, 20))), "a", (20, 15)).rules


def test_stuck_it_may_go_round_no_closer():
    assert move(stuck(), "a", (21.2, 20)).needed == near(1.2 * math.pi / 2)
    # off the circle by a tangent
    beyond = 1.2 * (math.pi / 2 - math.acos(1.2 / 3)) + math.sqrt(9 - 1.44)
    assert move(stuck(), "a", (23, 20)).needed == near(beyond)


def test_stuck_it_may_not_come_closer():
    found = move(stuck(), "a", (20, 18.9))
    assert found.answer == "no"
    (wrong,) = found.violations
    assert (wrong.rule, wrong.place, wrong.blame) == ("CZ.4", (20, 18.9), "e")
    assert "e" in wrong.reason


def beside_a_friend(apart, base, turn, **rulings):
    """Stuck 1.2 in from an enemy, a friend ``apart`` from it in the way; mirrored places on either side of him."""
    sides = [(20 + 1.2 * math.cos(t), 20 + 1.2 * math.sin(t)) for t in (turn, -turn)]
    table = stage(good("a", sides[0]), evil("e", (20, 20)), good("b", (20 + apart, 20), base=base), **rulings)
    return table, sides


def outside_of(apart, radius, turn):
    """Length of the way round the friend's far side: two tangents and an arc."""
    x, y = 1.2 * math.cos(turn) - apart, 1.2 * math.sin(turn)
    away = math.hypot(x, y)
    return 2 * math.sqrt(away**2 - radius**2) + 2 * radius * (math.atan2(y, x) - math.acos(radius / away))


@pytest.mark.parametrize("reading", ["start", "monotone"])
def test_the_two_readings_of_no_closer(reading):
    # round the friend the distance grows to 1.6 in, inside the zone, and shrinks to the 1.2 in of the start
    table, (_, there) = beside_a_friend(1.0, 0.2, math.pi / 6, stuck_no_closer=reading)
    found = move(table, "a", there)
    if reading == "start":
        assert (found.answer, found.needed) == ("yes", near(outside_of(1.0, 0.6, math.pi / 6)))
    else:
        assert (found.answer, found.needed) == ("no", near(1.2 * (2 * math.pi - math.pi / 3)))


def test_a_zone_that_was_left_is_closed():
    # the far side of the friend is 2.1 in from the enemy, outside its zone: no way back in
    turn = math.radians(40)
    table, (_, there) = beside_a_friend(1.3, 0.6, turn)
    assert move(table, "a", there).needed == near(1.2 * (2 * math.pi - 2 * turn))
    # once the enemy lies down nothing is closed
    free = move(table.having("e", prone=True), "a", there)
    assert free.needed == near(outside_of(1.3, 0.8, turn))


def test_between_two_it_leaves_in_the_middle():
    table = stage(good("a", (20, 20)), evil("e", (21.5, 20)), evil("f", (18.5, 20)))
    assert move(table, "a", (20, 24)).needed == near(4)
    for name in ("e", "f"):
        assert charge(table, "a", name).needed == near(0.5)
    toward = move(table, "a", (20.1, 22.5))
    # up to where the circle round e no longer matters: straight would come closer to e at first
    assert toward.needed > math.dist((20, 20), (20.1, 22.5))


def test_three_round_it_hold_it_where_it_is():
    ring = [2 * math.pi * k / 3 for k in range(3)]
    foes = [evil(f"e{k}", (20 + 1.5 * math.cos(a), 20 + 1.5 * math.sin(a))) for k, a in enumerate(ring)]
    table = stage(good("a", (20, 20)), *foes)
    assert move(table, "a", (20, 20)).answer == "yes"
    held = move(table, "a", (15, 20))
    assert (held.answer, held.needed) == ("no", None)
    assert "CZ.4" in held.rules
    assert held.violations[0].blame in {"e1", "e2"}
    for foe in foes:
        assert charge(table, "a", foe.id).needed == near(0.5)
    # with one of them engaged, opposite the gap between the two others, the way towards it is open
    freed = table.with_model(replace(table.model("e0"), engaged=frozenset({"b"})))
    assert move(freed, "a", (20.4, 20)).needed == near(0.4)


def test_other_zones_stay_closed_for_who_starts_in_one():
    table = stage(good("a", (20, 18.8)), evil("e", (20, 20)), evil("f", (20, 14)))
    found = move(table, "a", (20, 15.5))
    assert (found.answer, found.violations[0].rule, found.violations[0].blame) == ("no", "CZ.1", "f")
    assert move(table, "a", (20, 16)).needed == near(2.8)


@pytest.mark.parametrize(("reading", "answer"), [("yes", "yes"), ("no", "no")])
def test_stuck_in_one_zone_and_charging_another(reading, answer):
    table = stage(good("a", (20, 20)), evil("e", (21.2, 20)), evil("g", (15, 20)), stuck_then_charge=reading)
    found = charge(table, "a", "g")
    assert (found.answer, found.needed, "CZ.4" in found.rules) == (answer, near(4), True)
    if answer == "no":
        assert (found.violations[0].rule, found.violations[0].blame) == ("CZ.4", "e")


# -- reach -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", [0.0, 0.7, 2.0, 3.5, 5.1])
def test_round_the_end_of_a_wall_back_into_the_zone(turn):
    """Out of its zone no closer than it began, and back into it on the way round the wall: bound only from there on."""
    foe, start, end = (20.0, 20.0), (20.0, 18.2), (21.75, 19.1)
    wall = line([(10.0, 19.1), end], thickness=0.5).moved(turn, (0.0, 0.0))  # seen over, and too tall to be jumped
    places = [disc(*at, 1.0).moved(turn, (0.0, 0.0)).spine[0] for at in (start, foe)]
    shift = (20.0 - places[1][0], 20.0 - places[1][1])
    wall, at = wall.moved(0.0, shift), (places[0][0] + shift[0], places[0][1] + shift[1])
    table = stage(good("a", at), evil("e", foe, height=6.0), piece("w", "unscalable", wall, height=2.0))
    # Along the circle of 1.8 in within which it may not come, straight to that of 0.75 in round the end of the wall.
    apart = math.dist(foe, end)
    toward = math.atan2(end[1] - foe[1], end[0] - foe[0])
    leaves, comes = toward + math.asin((1.8 - 0.75) / apart), toward + math.pi + math.asin(0.75 / apart)
    first, between = 1.8 * leaves, math.sqrt(apart**2 - (1.8 - 0.75) ** 2)
    needed = first + between + 0.75 * (comes - leaves) + math.sqrt(apart**2 - 0.75**2) - 1.0
    for short in (1e-4, -1e-4):
        found = charge(replace(table, models=table.models.with_item("a", good("a", at, move=needed - short))), "a", "e")
        assert (found.answer, found.needed) == ("no" if short > 0 else "yes", near(needed))


def test_the_reach_spares_the_zone():
    # Move 1.5, the rim 1 in ahead: a disc of 1.5 less its overlap with the disc of 2, centres 3 apart
    found = reach(stage(good("a", (10, 20), move=1.5), evil("e", (13, 20))), "a")
    lens = _lens(1.5, 2.0, 3.0)
    assert found.area.area == pytest.approx(math.pi * 1.5**2 - lens, abs=0.01)


def _lens(r, s, d):
    a = r * r * math.acos((d * d + r * r - s * s) / (2 * d * r))
    b = s * s * math.acos((d * d + s * s - r * r) / (2 * d * s))
    return a + b - 0.5 * math.sqrt((-d + r + s) * (d + r - s) * (d - r + s) * (d + r + s))


@settings(max_examples=25, deadline=None)
@given(st.floats(1.05, 1.95), st.floats(0.2, 2.8))
def test_round_an_enemy_inside_its_zone_the_way_is_an_arc(apart, turn):
    table = stage(good("a", (20 + apart, 20)), evil("e", (20, 20)))
    there = (20 + apart * math.cos(turn), 20 + apart * math.sin(turn))
    assert move(table, "a", there).needed == pytest.approx(apart * turn, abs=2e-6)
