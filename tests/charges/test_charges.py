"""Charges: free until the first zone, bound after; several targets; what stands in the way (CHG.1 - CHG.7)."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbg_sim.solver.answer import ask
from sbg_sim.table.questions import Charge
from tests.charges.stage import TOLD, box, charge, disc, evil, good, move, piece, stage


def near(value):
    return pytest.approx(value, abs=TOLD)


def onto_circle(way, radius, turn):
    """Tangent to a circle in the way, then along it: from ``way`` off its centre, ``turn`` round that centre."""
    return math.sqrt(way**2 - radius**2) + radius * (turn - math.acos(radius / way))


# -- one target ---------------------------------------------------------------------------------------------------


def test_straight_into_contact():
    found = charge(stage(good("a", (10, 20)), evil("e", (13, 24))), "a", "e")
    assert (found.answer, found.needed) == ("yes", near(4))
    assert {"CHG.1", "CHG.3"} <= set(found.rules)


@pytest.mark.parametrize(("more", "answer"), [(1e-4, "yes"), (-1e-4, "no")])
def test_the_move_just_suffices_or_just_not(more, answer):
    found = charge(stage(good("a", (10, 20), move=4 + more), evil("e", (13, 24))), "a", "e")
    assert (found.answer, found.margin) == (answer, near(more))
    if answer == "no":
        (wrong,) = found.violations
        # where the movement runs out: an inch and a bit short of the target's centre, on the straight line
        share = (4 + more) / 5
        assert wrong.rule == "MOV.3"
        assert wrong.place == (near(10 + 3 * share), near(20 + 4 * share))


def test_a_model_that_is_engaged_moved_or_held_may_not_charge():
    for state in ({"engaged": frozenset({"f"})}, {"moved": True}, {"may_move": False}):
        table = stage(good("a", (10, 20), **state), evil("e", (13, 20)), evil("f", (10, 21)))
        found = charge(table, "a", "e")
        assert (found.answer, found.violations[0].rule) == ("no", "MOV.6")


def test_a_freed_model_may_move_again():
    table = stage(good("a", (10, 20), engaged=frozenset({"f"})), evil("e", (13, 20)))
    assert charge(table.having("a", engaged=frozenset()), "a", "e").needed == near(2)


def test_friends_are_not_charged():
    found = charge(stage(good("a", (10, 20)), good("b", (13, 20))), "a", "b")
    assert (found.answer, found.violations[0].rule, found.violations[0].blame) == ("no", "CHG.1", "b")


# -- the first zone binds (CHG.3) ---------------------------------------------------------------------------------


def behind_a_guard(apart=3.0, **state):
    return stage(good("a", (10, 20)), evil("guard", (13, 20), **state), evil("e", (13 + apart, 20)))


def test_round_a_guard_and_off_by_a_tangent_at_the_target():
    # the tangent that aims at the target's centre leaves the guard's rim before the target's rim crosses it
    want = onto_circle(3, 2, math.pi - math.acos(2 / 3)) + math.sqrt(9 - 4) - 1
    assert charge(behind_a_guard(), "a", "e").needed == near(want)


def test_round_a_guard_until_the_zone_of_the_target():
    # Centres 2.5 in apart, both rims 2 in: they cross half-way. From there the guard's zone no longer matters,
    # only his base, and the way straight at the target is free of it.
    cross = math.acos(1.25 / 2)
    want = onto_circle(3, 2, math.pi - cross) + 2 - 1
    assert charge(behind_a_guard(2.5), "a", "e").needed == near(want)


def test_an_engaged_or_prone_guard_is_only_a_base():
    # round the base (radius 1) and off by the tangent that aims at the target's centre, up to contact
    want = math.sqrt(9 - 1) + (math.pi - 2 * math.acos(1 / 3)) + math.sqrt(9 - 1) - 1
    assert charge(behind_a_guard(engaged=frozenset({"b"})), "a", "e").needed == near(want)
    assert charge(behind_a_guard(prone=True), "a", "e").needed == near(want)


def test_the_first_zone_on_the_straight_way():
    # The guard stands beside the way, its rim first crossed at (x, 20) with (13 - x)^2 + 1.5^2 = 4.
    beside = stage(good("a", (10, 20)), evil("guard", (13, 21.5)), evil("e", (14, 20)))
    found = charge(beside, "a", "e")
    # Straight at the target the guard's rim comes first; the best way in is where the two rims cross.
    half, off = math.hypot(1, 1.5) / 2, math.sqrt(4 - (1 + 2.25) / 4)
    cross = (13.5 - off * 0.75 / half, 20.75 - off * 0.5 / half)
    assert math.dist(cross, (14, 20)) == near(2)
    assert found.needed == near(math.dist((10, 20), cross) + 1)


def test_the_guard_moved_aside_frees_the_way():
    # the rims of guard and target are entered at one instant: 2 in off (12, 20) both
    at = 2 / math.sqrt(2)
    both = stage(good("a", (9, 20)), evil("e", (12 + at, 20 + at)), evil("f", (12 + at, 20 - at)))
    for name in ("e", "f"):
        found = charge(both, "a", name)
        # straight at the centre, the own zone is entered first
        assert found.needed == near(math.dist((9, 20), both.model(name).at) - 1)
    # both at once, along the middle line: the zones are entered at the same instant and either may be chosen
    assert charge(both, "a", "e", "f").answer == "no"  # 2.83 in apart: no base of 1 in touches both
    closer = stage(good("a", (9, 20)), evil("e", (13, 20.8)), evil("f", (13, 19.2)))
    assert charge(closer, "a", "e", "f").needed == near(4 - 0.6)


def test_other_zones_are_ignored_once_bound_but_never_bases():
    free = stage(good("a", (10, 20)), evil("e", (14, 20)), evil("f", (14, 21.2)))
    assert charge(free, "a", "e").needed == near(3)
    # a friend of the target before it: its base is gone round, its zone is not minded inside the target's
    friend = stage(good("a", (10, 20)), evil("e", (14, 20)), evil("f", (13.0, 20.0), base=0.8, prone=True))
    want = onto_circle(3, 0.9, math.pi - math.acos((1 + 0.81 - 1) / (2 * 0.9)))
    assert charge(friend, "a", "e").needed == near(want)


def test_a_friend_in_contact_with_the_target_is_gone_round():
    # Friend and target 1 in apart on the line; the circles of contact (radius 1 both) cross 60 degrees off it.
    table = stage(good("a", (10, 20)), evil("e", (14, 20)), good("b", (13, 20)))
    assert charge(table, "a", "e").needed == near(onto_circle(3, 1, math.pi - math.pi / 3))


def test_round_the_target_to_its_back():
    # Friends of 0.9 in shut all of the target's base but its back: their circles (0.95 in) stay within its zone.
    spots = [(14 + 0.95 * math.cos(t), 20 + 0.95 * math.sin(t)) for t in (math.pi, 1.9, -1.9)]
    ring = [good(f"b{k}", at, base=0.9) for k, at in enumerate(spots)]
    found = charge(stage(good("a", (10, 20), move=12), evil("e", (14, 20)), *ring), "a", "e")
    # contact is free from where the second friend's circle meets the circle of contact
    free = 1.9 - math.acos(1 / (2 * 0.95))
    goal = (14 + math.cos(free), 20 + math.sin(free))
    # a tangent to that friend's circle (it passes over the first), then clockwise round it
    (x, y), way = spots[1], math.dist((10, 20), spots[1])
    turn = math.atan2(20 - y, 10 - x) - math.atan2(goal[1] - y, goal[0] - x)
    assert found.needed == near(onto_circle(way, 0.95, turn % (2 * math.pi)))


def test_nothing_of_the_target_is_free():
    ring = [good(f"b{k}", (14 + math.cos(t), 20 + math.sin(t))) for k, t in enumerate((0, 1.6, 3.2, 4.7))]
    found = charge(stage(good("a", (10, 20)), evil("e", (14, 20)), *ring, models_block_sight="no"), "a", "e")
    assert (found.answer, found.needed, found.violations[0].rule) == ("no", None, "MOV.4")
    assert found.violations[0].blame in {"b0", "b1", "b2", "b3"}


# -- several targets (CHG.6) --------------------------------------------------------------------------------------


@settings(max_examples=15, deadline=None)
@given(st.floats(0.55, 0.99), st.floats(-0.4, 0.4))
def test_two_targets_are_met_where_their_circles_cross(half, turn):
    # two enemies at +-half off a line that leads away at an angle: the meeting point is on that line
    c, s = math.cos(turn), math.sin(turn)
    at = [(20 + 4 * c - h * s, 20 + 4 * s + h * c) for h in (half, -half)]
    table = stage(good("a", (20, 20)), evil("e", at[0]), evil("f", at[1]))
    want = 4 - math.sqrt(1 - half**2)
    assert charge(table, "a", "e", "f").needed == pytest.approx(want, abs=1e-8)


def test_three_targets_need_one_place():
    at = [(14 + math.cos(t), 20 + math.sin(t)) for t in (0, 1.2, -1.2)]
    foes = [evil(f"e{k}", p) for k, p in enumerate(at)]
    table = stage(good("a", (10, 20)), *foes)
    found = charge(table, "a", "e0", "e1", "e2")
    assert found.needed == near(4)
    assert "CHG.6" in found.rules
    moved = charge(table.having("e2", at=(14.01, 18.9)), "a", "e0", "e1", "e2")
    assert (moved.answer, moved.needed, moved.violations[0].rule) == ("no", None, "CHG.6")


def test_too_far_apart_for_one_base():
    found = charge(stage(good("a", (10, 20)), evil("e", (14, 22)), evil("f", (14, 17))), "a", "e", "f")
    assert (found.answer, found.violations[0].rule) == ("no", "CHG.6")
    just = charge(stage(good("a", (10, 20)), evil("e", (14, 21)), evil("f", (14, 19))), "a", "e", "f")
    assert just.needed == near(4)


def test_so_far_apart_that_one_lies_beyond_the_horizon():
    """No way would do at any Move: nothing is said of inches that are missing."""
    found = charge(stage(good("a", (10, 20)), evil("e", (14, 20)), evil("f", (30, 20))), "a", "e", "f")
    assert (found.answer, found.needed, found.at_least) == ("no", None, None)
    assert [v.rule for v in found.violations] == ["CHG.6"]
    assert "cannot touch e and f at once" in found.reason


# -- prone (CZ.2, PRN.3, PRN.4) -----------------------------------------------------------------------------------


def test_a_prone_target_is_charged_outside_other_zones():
    table = stage(good("a", (10, 20)), evil("p", (13, 20), prone=True), evil("e", (13, 21.5)))
    found = charge(table, "a", "p")
    # the contact place nearest to the charger that is not inside the other zone: where the two circles cross
    d = 1.5
    along = (d * d + 1 - 4) / (2 * d)  # from p towards e
    spot = (13 - math.sqrt(1 - along**2), 20 + along)
    assert found.needed == near(math.dist((10, 20), spot))
    assert "PRN.4" in found.rules


def test_a_prone_target_all_inside_another_zone_cannot_be_charged():
    table = stage(good("a", (10, 20)), evil("p", (13, 20), prone=True), evil("e", (13, 20.95), base=0.8))
    # only the far side from the enemy is outside its rim of 1.9 in, and the way there leads along that rim
    spot = _meeting((13, 20), 1.0, (13, 20.95), 1.9)
    assert charge(table, "a", "p").needed == near(_past_rim((10, 20), (13, 20.95), 1.9, spot))
    # the rim just touched from inside leaves one place
    touched = charge(table.having("e", at=(13, 20.9)), "a", "p")
    assert touched.needed == near(_past_rim((10, 20), (13, 20.9), 1.9, (13, 19)))
    shut = charge(table.having("p", base=0.9).having("e", at=(13, 20.86)), "a", "p")
    assert (shut.answer, shut.needed) == ("no", None)
    assert (shut.violations[0].rule, shut.violations[0].blame) == ("CHG.3", "e")
    # both at once: the standing one is charged first, then its zone is no longer minded
    both = charge(table.having("e", at=(13, 21.2)), "a", "p", "e")
    spot = _meeting((13, 20), 1.0, (13, 21.2), 0.9)
    assert both.needed == near(math.dist((10, 20), spot))


def _past_rim(start, centre, radius, goal):
    """Tangent to a circle, then counter-clockwise along it, to a place on it."""
    way = math.dist(start, centre)
    first = math.atan2(start[1] - centre[1], start[0] - centre[0]) % (2 * math.pi) + math.acos(radius / way)
    last = math.atan2(goal[1] - centre[1], goal[0] - centre[0]) % (2 * math.pi)
    return math.sqrt(way**2 - radius**2) + radius * (last - first)


def _meeting(one, a, two, b):
    """The left one of the two places where circles about places above each other cross."""
    d = math.dist(one, two)
    along = (d * d + a * a - b * b) / (2 * d)
    return (one[0] - math.sqrt(a * a - along**2), one[1] + along)


def test_prone_chargers_stand_first():
    found = charge(stage(good("a", (10, 20), prone=True), evil("e", (13, 20))), "a", "e")
    assert (found.answer, found.needed) == ("yes", near(3 + 2))
    assert found.route.legs[0].kind == "stand"
    far = charge(stage(good("a", (10, 20), prone=True), evil("e", (15, 20))), "a", "e")
    assert (far.answer, far.needed) == ("no", near(3 + 4))


# -- ground and obstacles -----------------------------------------------------------------------------------------


def test_on_difficult_ground():
    bog = piece("bog", "difficult", box(12, 10, 20, 30))
    table = stage(good("a", (10, 20), move=8), evil("e", (15, 20)), bog)
    assert charge(table, "a", "e").needed == pytest.approx(1.5 + 2 * 2.5, abs=1e-6)


def test_a_target_behind_a_round_bog():
    # straight through a bog of radius 1 (grown 1.5) costs its width twice; round it is shorter
    bog = piece("bog", "difficult", disc(14, 20, 1.0))
    found = charge(stage(good("a", (10, 20), move=9), evil("e", (18, 20)), bog), "a", "e")
    round_it = 2 * math.sqrt(16 - 2.25) + 1.5 * (math.pi - 2 * math.acos(1.5 / 4)) - 1
    assert found.needed == pytest.approx(min(round_it, 7 + 3), abs=1e-6)


WALL = piece("wall", "obstacle", box(12, 10, 12.4, 30), height=1.0)


def test_over_an_obstacle_into_contact_takes_a_two_or_more():
    # the far rim is at 12.9: a target at 13.9 is touched on landing
    found = charge(stage(good("a", (10, 20)), evil("e", (13.9, 20)), WALL), "a", "e")
    assert (found.answer, str(found.chance), found.needed) == ("chance", "5/6", near(2.9))
    assert [t.kind for t in found.tests] == ["jump"]


def test_over_an_obstacle_and_on_takes_a_six():
    found = charge(stage(good("a", (10, 20)), evil("e", (15, 20)), WALL), "a", "e")
    assert (found.answer, str(found.chance), found.needed) == ("chance", "1/6", near(4))


def test_a_low_obstacle_costs_nothing():
    low = piece("wall", "obstacle", box(12, 10, 12.4, 30), height=0.5)
    assert charge(stage(good("a", (10, 20)), evil("e", (15, 20)), low), "a", "e").needed == near(4)


def test_no_charge_ends_on_top_of_a_low_obstacle():
    # the nearest contact lies on the wall; beside it, where its rim at 12.9 crosses the contact circle, is free
    low = piece("wall", "obstacle", box(12, 10, 12.4, 30), height=0.5)
    found = charge(stage(good("a", (10, 20)), evil("e", (13.6, 20)), low), "a", "e")
    assert found.needed == near(math.hypot(2.9, math.sqrt(1 - 0.49)))


def test_a_target_on_a_platform():
    low = piece("deck", "platform obstacle", box(12, 16, 20, 24), height=0.6)
    table = stage(good("a", (10, 20), move=8), evil("e", (15, 20), on="deck"), low)
    assert charge(table, "a", "e").needed == near(4)
    high = piece("deck", "platform obstacle", box(12, 16, 20, 24), height=1.2)
    jumped = charge(stage(good("a", (10, 20), move=8), evil("e", (15, 20), on="deck"), high), "a", "e")
    assert (jumped.answer, str(jumped.chance), jumped.needed) == ("chance", "1/6", near(4))


def test_down_from_a_platform():
    deck = piece("deck", "platform obstacle", box(12, 16, 20, 24), height=1.2)
    table = stage(good("a", (13, 20), move=8, on="deck"), evil("e", (9, 20)), deck)
    assert charge(table, "a", "e").needed == near(3)


# -- no sight, no reach -------------------------------------------------------------------------------------------


def test_what_hides_the_target_is_named():
    tall = piece("tower", "unscalable", box(12, 18, 12.4, 22), height=3.0)
    found = charge(stage(good("a", (10, 20), move=12), evil("e", (15, 20)), tall), "a", "e")
    (wrong,) = found.violations
    assert (found.answer, wrong.rule, wrong.place, wrong.blame) == ("no", "CHG.1", (15, 20), "tower")
    assert "tower" in wrong.reason
    assert found.needed > 4  # what it would cost is told all the same


def test_a_charge_and_a_move_agree_on_open_ground():
    table = stage(good("a", (10, 20)), evil("e", (13.5, 21), prone=True))
    found = charge(table, "a", "e")
    assert found.needed == near(math.dist((10, 20), (13.5, 21)) - 1)
    short = move(table, "a", (10 + 3.5 * 0.7, 20.7))
    assert short.answer == "yes"


def test_two_that_only_just_can_be_touched_at_once():
    """Exactly a base between them, of a size that binary numbers round: in between, on the line of their centres."""
    base = 25 / 25.4
    two = evil("e", (18, 20 + base), base=base), evil("f", (18, 20 - base), base=base)
    found = charge(stage(good("a", (14, 20), base=base), *two), "a", "e", "f")
    assert (found.answer, found.needed) == ("yes", pytest.approx(4, abs=1e-9))


@pytest.mark.parametrize("zones", ["no", "yes"])
@pytest.mark.parametrize("targets", [("up", "low"), ("low", "up")])
def test_one_on_a_plinth_and_one_beside_it_are_charged_at_once(zones, targets):
    # A plinth as wide as a base, lower than half of who charges: the one place that touches both is straight ahead.
    plinth = piece("plinth", "platform", box(13.5, 19.5, 14.5, 20.5), height=0.5)
    models = good("a", (10, 20)), evil("up", (14, 20), on="plinth"), evil("low", (13, 21))
    table = stage(*models, plinth, zones_across_surfaces=zones)
    found = charge(table, "a", *targets)
    assert (found.answer, found.needed) == ("yes", near(3))
    assert "contact_across_heights = no" in ask(table, Charge("a", targets)).rulings
    apart = charge(table.under("contact_across_heights", "no"), "a", *targets)
    assert (apart.answer, apart.violations[0].rule) == ("no", "CHG.6")
    far = charge(table.having("a", at=(0.5, 20), move=4), "a", *targets)
    assert (far.answer, far.needed, far.at_least) == ("no", None, near(12.5))
    beside = charge(table.having("low", at=(13.3, 21.1)), "a", *targets)  # the place lies under the plinth's edge
    assert (beside.answer, beside.needed, beside.violations[0].rule) == ("no", None, "TER.4")
