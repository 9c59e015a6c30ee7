"""Stepping, jumping and climbing over walls: what each height asks for and what it costs (TER.3-5, JMP, CLB)."""

from math import acos, cos, hypot, sin, sqrt

import pytest
import shapely

from sbg_sim.geometry.shapes import line, polygon
from sbg_sim.referee import audit_path
from sbg_sim.solver.reach import reach
from sbg_sim.tolerance import CERTIFICATE
from tests.heights.stage import (
    PASS,
    POLISHED,
    SIX,
    TOLD,
    box,
    charge,
    corridor,
    disc,
    move,
    mover,
    other,
    piece,
    table,
    wall,
)  # fmt: skip


@pytest.mark.parametrize("height", [0.1, 0.5, 0.7499999])
def test_lower_than_half_is_free(height):
    found = move(table(mover(3, 12), wall(height)), (9, 12))
    assert (found.answer, found.chance, found.tests) == ("yes", 1, ())
    assert found.needed == pytest.approx(6, abs=TOLD)


def test_a_step_over_goes_aslant_and_costs_nothing_more():
    found = move(table(mover(4, 12), wall(0.7)), (8, 15))
    assert found.chance == 1
    assert found.needed == pytest.approx(5, abs=TOLD)


@pytest.mark.parametrize("x", [5.51, 6.25, 6.99])
def test_no_end_on_top_of_a_low_wall(x):
    found = move(table(mover(4, 12), wall(0.7)), (x, 12), alternatives=True)
    assert found.answer == "no"
    assert found.violations[0].rule == "TER.3"
    assert found.violations[0].blame == "wall"
    assert "end_on_low_obstacle = yes" in found.rulings
    there = move(table(mover(4, 12), wall(0.7), end_on_low_obstacle="yes"), (x, 12))
    assert (there.answer, there.needed) == ("yes", pytest.approx(x - 4, abs=TOLD))


@pytest.mark.parametrize(("ruling", "chance"), [("no", 0), ("yes", SIX)])
def test_no_jump_lands_on_top_of_a_low_wall(ruling, chance):
    """Right behind the wall that is jumped stands one low enough to step over: a 2 to 5 would end the move on it."""
    at = table(mover(4, 12, move=9.0), wall(1.0), wall(0.5, x=7.0, thick=0.4, name="low"), end_on_low_obstacle=ruling)
    assert move(at, (9, 12)).chance == chance
    seen = audit_path(at, "m", [(4, 12), (9, 12)])
    told = [("TER.3", "a 2 to 5 would end the move on top of low")] if ruling == "no" else []
    assert [(v.rule, v.reason) for v in seen.violations] == told


@pytest.mark.parametrize("x", [5.5, 7.0])
def test_beside_a_low_wall_is_not_on_it(x):
    assert move(table(mover(4, 12), wall(0.7)), (x, 12)).needed == pytest.approx(x - 4, abs=TOLD)


def test_a_low_wall_on_difficult_ground():
    """From x = 4 to 8 the ground is difficult; the grown piece goes from 3.5 to 8.5."""
    bog = piece("bog", "difficult", box(4, -1, 8, 41))
    found = move(table(mover(3, 12, move=20.0), wall(0.7), bog), (9, 12))
    assert found.needed == pytest.approx(6 + 5, abs=POLISHED)


def test_exactly_half_asks_for_a_test_unless_ruled_free():
    start = table(mover(5, 12), wall(0.75))
    found = move(start, (7, 12), alternatives=True)
    assert (found.chance, found.needed) == (PASS, pytest.approx(2, abs=TOLD))
    assert "obstacle_exactly_half = free" in found.rulings
    assert [t.kind for t in found.tests] == ["jump"]
    free = move(start.under("obstacle_exactly_half", "free"), (7, 12), alternatives=True)
    assert (free.chance, free.needed) == (1, pytest.approx(2, abs=TOLD))
    assert "obstacle_exactly_half = test" in free.rulings


@pytest.mark.parametrize(("height", "chance"), [(0.7501, PASS), (1.0, PASS), (1.5, PASS)])
def test_up_to_the_own_height_is_jumped(height, chance):
    """The distance across counts, the height does not (JMP.2), and the height itself is within (JMP.3)."""
    found = move(table(mover(5, 12), wall(height)), (7, 12))
    assert (found.chance, found.needed) == (chance, pytest.approx(2, abs=TOLD))
    beyond = move(table(mover(5, 12), wall(height)), (8, 12))
    assert (beyond.chance, beyond.needed) == (SIX, pytest.approx(3, abs=TOLD))


def test_a_hair_higher_is_climbed():
    """Up its height and down again, each doubled; the way across is free. Two dice: up with a 6, down with a 2."""
    tall = 1.5 + 1e-4
    found = move(table(mover(5, 12, move=8.0), wall(tall)), (7, 12), alternatives=True)
    assert [t.kind for t in found.tests] == ["climb", "descend"]
    assert (found.chance, found.needed) == (SIX * PASS, pytest.approx(0.5 + 4 * tall, abs=TOLD))
    assert "climb_over = over" in found.rulings
    one = move(table(mover(5, 12, move=8.0), wall(tall), climb_over="over"), (7, 12))
    assert [t.kind for t in one.tests] == ["climb"]
    assert (one.chance, one.needed) == (PASS, pytest.approx(0.5 + 2 * tall, abs=TOLD))


def test_what_results_of_climbing_over_do():
    found = move(table(mover(5, 12, move=12.0), wall(2.0)), (7, 12))
    up, down = found.tests
    assert (up.drop, up.fail_hits, up.prone_on_fail) == (0.0, 0, True)  # from the ground to the ground
    assert (down.drop, down.fail_hits, down.prone_on_fail) == (2.0, 1, True)  # 2 in is half an inch more than 1.5
    assert up.fail_at == pytest.approx((5.5, 12))
    assert down.fail_at == pytest.approx((7, 12))


@pytest.mark.parametrize(("height", "answer"), [(1.0, "chance"), (1.5, "chance"), (1.500001, "no"), (3.0, "no")])
def test_unscalable_is_jumped_or_walked_round(height, answer):
    found = move(table(mover(5, 12, move=20.0), wall(height, tags="obstacle unscalable")), (7, 12))
    assert found.answer == answer
    if answer == "no":
        assert found.needed is None
        assert found.violations[0].rule == "TER.5"


def test_a_low_unscalable_piece_is_still_stepped_over():
    assert move(table(mover(5, 12), wall(0.5, tags="obstacle unscalable")), (8, 12)).chance == 1


def test_cavalry_jumps_but_does_not_climb():
    rider = mover(5, 12, move=20.0, keywords=frozenset({"cavalry"}))
    assert move(table(rider, wall(1.5)), (7, 12)).chance == PASS
    stopped = move(table(rider, wall(1.6)), (7, 12))
    assert stopped.needed is None
    assert "CLB.3" in stopped.rules


@pytest.mark.parametrize(("x", "y"), [(7.0, 13.0), (7.0, 10.5), (8.0, 14.0), (9.5, 9.0)])
def test_a_jump_may_lead_aslant(x, y):
    """Any straight crossing: the way to a place beyond is the straight line."""
    found = move(table(mover(5.5, 12), wall(1.0)), (x, y))
    assert found.chance == (PASS if x == 7.0 else SIX)
    assert found.needed == pytest.approx(hypot(x - 5.5, y - 12), abs=POLISHED)


def test_straight_across_only():
    """The other reading: along the wall first, then across; beyond the wall the way goes on straight."""
    start = table(mover(5.5, 12), wall(1.0), jump_landing="across")
    assert move(start, (7, 13)).needed == pytest.approx(1 + 1.5, abs=POLISHED)
    assert move(start, (8, 14)).needed == pytest.approx(1.5 + hypot(1, 2), abs=POLISHED)


@pytest.mark.parametrize(("ruled", "dice"), [("down", ["climb", "descend"]), ("over", ["climb"])])
@pytest.mark.parametrize("thick", [0.4, 1.0, 1.001, 3.0])
@pytest.mark.parametrize("aside", [0.0, 4.0, 6.0])
def test_straight_across_only_for_who_climbs_over(thick, aside, ruled, dice):
    """Up counts twice, and so does down; a base's width onto the top and off it are free; what leads aside is not."""
    start = table(mover(6, 10, move=16.0), wall(1.6, 8, thick), climb_over=ruled)
    found = move(start, (10 + thick, 10 + aside))
    assert [test.kind for test in found.tests] == dice
    top = max(0, thick + 1 - 2)
    assert found.needed == pytest.approx(2 * 1.6 * len(dice) + top + 2 * hypot(1.5, aside / 2), abs=POLISHED)


@pytest.mark.parametrize("ruled", ["any", "across"])
def test_straight_up_out_of_a_pit(ruled):
    """Its side is met from inside; aslant it is 3 in straight there, else straight across at the side."""
    pit = piece("pit", "gap", box(4, 8, 8, 16), depth=1.0)
    start = table(mover(6, 12, on="pit"), pit, jump_landing=ruled)
    straight = hypot(3, 2)
    assert move(start, (9, 14)).needed == pytest.approx(straight if ruled == "any" else 1 + hypot(2, 2), abs=POLISHED)
    assert move(start, (9, 12)).needed == pytest.approx(3, abs=POLISHED)


def test_across_a_round_rock():
    """From touching a rock of radius 1 to touching it opposite: 2 (1 + r) across."""
    rock = piece("rock", "obstacle", disc(8, 12, 1.0), height=1.2)
    shut = [piece(f"s{i}", "unscalable", box(7.5, y, 8.5, y + 18)) for i, y in enumerate((-7.5, 13.5))]
    found = move(table(mover(6, 12), rock, *shut), (9.5, 12))
    assert (found.chance, found.needed) == (PASS, pytest.approx(0.5 + 3, abs=TOLD))


def test_a_jump_on_difficult_ground_counts_double_where_the_ground_does():
    """Beyond the wall a bog begins: grown, it begins at x = 6, so the last inch across counts double."""
    bog = piece("bog", "difficult", box(6.5, -1, 9, 41))
    start = table(mover(5, 12), wall(1.0), bog)
    assert move(start, (7, 12)).needed == pytest.approx(1 + 2 * 1, abs=POLISHED)
    assert move(start, (7.5, 12)).needed == pytest.approx(1 + 2 * 1.5, abs=POLISHED)


def test_a_base_in_the_way_of_the_landing():
    """A friend beyond the wall: the jump leads past its base, along the tangent and to where that meets x = 7."""
    friend = other("f", 7.4, 12, side="good")
    start = table(mover(5.5, 12), friend, wall(1.0))
    blocked = move(start, (7, 12))
    assert blocked.answer == "no"
    assert blocked.violations[0].rule == "MOV.4"
    slope = acos(1 / 1.9)  # the angle at the friend between the mover and the tangent's foot
    foot = (7.4 - cos(slope), 12 + sin(slope))
    y = 12 + 1.5 * (foot[1] - 12) / (foot[0] - 5.5)
    along = move(start, (7, y + 1e-9))
    assert (along.chance, along.needed) == (PASS, pytest.approx(hypot(1.5, y - 12), abs=POLISHED))
    # Right beside the friend: first along the wall, since the chord has to pass clear of the base.
    rise = sqrt(1 - 0.4**2)
    begin = rise - 1.5 * 0.4 / rise
    beside = move(start, (7, 12 + rise))
    assert beside.chance == PASS
    assert beside.needed == pytest.approx(begin + hypot(1.5, rise - begin), abs=1e-5)


def test_a_zone_in_the_way_of_the_landing():
    """An enemy 2 in beyond the face: its zone, grown, ends 2 in from its centre and the landing must keep out."""
    enemy = other("e", 8.5, 12)
    start = table(mover(5.5, 12), enemy, wall(1.0))
    within = move(start, (7, 12))
    assert (within.answer, within.violations[0].rule) == ("no", "CZ.1")
    rise = sqrt(2**2 - 1.5**2)
    begin = rise - 1.5 * 1.5 / rise  # where the tangent at the landing meets the near side
    assert begin < 0  # so the chord may begin where the mover stands
    found = move(start, (7, 12 + rise))
    assert (found.chance, found.needed) == (PASS, pytest.approx(hypot(1.5, rise), abs=1e-5))


def test_a_lone_wall_is_walked_round_when_the_move_allows():
    """Round a wall's end: 2 tangents and 2 corners of radius r."""
    stone = piece("wall", "obstacle", box(6, 11, 6.5, 13), height=1.0)
    rich = move(table(mover(5.5, 12, move=5.0), stone), (7, 12))
    assert (rich.answer, rich.chance, rich.tests) == ("yes", 1, ())
    quarter = 3.141592653589793 / 4
    assert rich.needed == pytest.approx(1 + 2 * quarter + 0.5 + 1, abs=TOLD)
    poor = move(table(mover(5.5, 12, move=4.0), stone), (7, 12))
    assert (poor.answer, poor.chance, poor.needed) == ("chance", PASS, pytest.approx(1.5, abs=TOLD))


@pytest.mark.parametrize("count", [1, 2, 3])
def test_walls_behind_each_other(count):
    """Sixes over all but the last; that one is passed with a 2 to end touching it, with a 6 to go on."""
    walls = [piece(f"w{i}", "obstacle", box(6 + 2 * i, 10.5, 6.5 + 2 * i, 13.5), height=1.0) for i in range(count)]
    start = table(mover(5, 12, move=9.0), *walls, *corridor())
    last = 7 + 2 * (count - 1)
    touching, beyond = move(start, (last, 12)), move(start, (last + 0.25, 12))
    assert (touching.chance, touching.needed) == (SIX ** (count - 1) * PASS, pytest.approx(last - 5, abs=TOLD))
    assert (beyond.chance, beyond.needed) == (SIX**count, pytest.approx(last - 4.75, abs=TOLD))


def test_two_walls_that_touch_leave_no_landing_between():
    """Over both at once there is no jump: the base would land on the second."""
    start = table(mover(5, 12), wall(1.0), wall(1.0, x=6.5, name="second"))
    assert move(start, (7.5, 12)).needed is None


def test_too_little_movement_left_for_the_jump():
    """A jump of 1.5 with 1.4 left: not begun; by the other reading it may be, and ends touching the far side."""
    start = table(mover(5, 12, move=1.9), wall(1.0))
    found = move(start, (7, 12), alternatives=True)
    assert (found.answer, found.needed) == ("no", pytest.approx(2, abs=TOLD))
    assert "jump_without_movement = yes" in found.rulings
    assert move(start.under("jump_without_movement", "yes"), (7, 12)).chance == PASS
    assert move(start.under("jump_without_movement", "yes"), (7.2, 12)).chance == 0


@pytest.mark.parametrize("height", [1.0, 0.4])
def test_too_little_movement_left_for_a_jump_up(height):
    """The near rim of the top is 0.9 in too far; a base's width of it takes no die where one steps up."""
    top = piece("top", "obstacle platform", box(9.4, 8, 15, 16), height=height)
    start = table(mover(3, 12), top)
    assert move(start, (9.9, 12), "top").needed == pytest.approx(6.9, abs=TOLD)
    assert not reach(start, "m").platforms.get("top")
    begun = start.under("jump_without_movement", "yes")
    rows = reach(begun, "m").platforms.get("top", ())
    assert [chance for chance, _ in rows] == ([PASS] if height > 0.75 else [])
    for place, jumped in (((9.9, 12), PASS), ((14.5, 14), 0), ((9.9, 8.5), PASS), ((9.95, 12), 0)):
        asked = jumped if height > 0.75 else 0
        assert move(begun, place, "top").chance == asked
        assert any(shapely.dwithin(area, shapely.Point(place), 1e-6) for _, area in rows) == bool(asked)


@pytest.mark.parametrize(("short", "answer"), [(1e-4, "no"), (-1e-4, "chance"), (0.0, "chance")])
def test_the_move_decides_to_a_hair(short, answer):
    assert move(table(mover(5, 12, move=2 - short), wall(1.0)), (7, 12)).answer == answer


def test_what_a_jump_says():
    (test,) = move(table(mover(5, 12), wall(1.0)), (7, 12)).tests
    assert test.over == "wall"
    assert (test.at, test.landing, test.fail_at) == (
        pytest.approx((5.5, 12)),
        pytest.approx((7, 12)),
        pytest.approx((5.5, 12)),
    )
    assert (test.prone_on_fail, test.fail_hits) == (False, 0)
    assert "stops" in test.results["1"]
    assert "touching the far side" in test.results["2-5"]
    assert "go on" in test.results["6"]


@pytest.mark.parametrize(("x", "y"), [(7.0, 12.0), (7.0, 10.5), (8.0, 14.0), (9.5, 9.0)])
def test_bounds_of_jumps_close(x, y):
    found = move(table(mover(5.5, 12), wall(1.0)), (x, y))
    assert found.at_most - found.at_least <= CERTIFICATE


def test_straight_across_to_a_face_aslant():
    """A wedge 16 in long, 0.6 in thinner at its end: what lies opposite to a place is not where one comes from."""
    wedge = piece("w", "obstacle", polygon([(6, 4), (7, 4), (6.4, 20), (6, 20)]), height=1.0)
    to = 6.7 + sqrt(1 + 0.0375**2) / 2
    found = move(table(mover(4, 12), wedge, jump_landing="across"), (to, 12))
    assert (found.chance, found.needed) == (PASS, pytest.approx(to - 4, abs=POLISHED))


def test_straight_across_from_the_end_of_a_line_to_its_side():
    """Through the middle of its round end, at 30 degrees to the line's normal; walks round, and others, are longer."""
    end = piece("w", "obstacle", line([(0, 12), (6, 12)], 0.2), height=1.0)
    start = table(mover(7, 12 - sqrt(3), move=2.8), end, jump_landing="across")
    found = move(start, (6 - 0.6 / sqrt(3), 12.6))
    assert (found.chance, found.needed) == (PASS, pytest.approx(2 + 0.4 * sqrt(3), abs=POLISHED))


@pytest.mark.parametrize(
    ("ruled", "chance", "walked"),
    [("yes", SIX * PASS, 3), ("no", SIX * SIX, hypot(0.1, 3 + sqrt(1 - 0.1**2)) - 1)],
)
def test_who_clings_to_the_top_of_a_wall_in_the_zone_of_its_target_is_short_of_contact(ruled, chance, walked):
    """Opposite to where it comes down in contact it is in the zone already, and a 2 to 5 up leaves it there.

    By the other reading it goes over where it stands, outside the zone, and on from there with a second six.
    """
    tall = other("e", 7, 12 + sqrt(1 - 0.1**2), height=3.0)
    start = table(mover(5.5, 9, move=10.0), tall, wall(1.6, thick=0.4), charge_on_a_six=ruled)
    found = charge(start, "e")
    assert found.chance == chance
    assert found.needed == pytest.approx(4 * 1.6 + walked, abs=POLISHED)
