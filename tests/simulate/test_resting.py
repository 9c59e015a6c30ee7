"""Where a turn of a campaign may end, and from where a charge may begin."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from sbg_sim import check
from sbg_sim.errors import QuestionError
from sbg_sim.simulate import campaign
from sbg_sim.simulate.campaign import Standing, turn
from sbg_sim.simulate.resting import part
from sbg_sim.simulate.ways import _fresh
from sbg_sim.table.board import Table
from sbg_sim.table.questions import Charge, Move
from sbg_sim.table.route import Leg, Route


def lane(move, **changes):
    """A lane along y = 12, with a mover at x = 2."""
    models = {"uruk": {"at": [2, 12], "base": 1, "height": 1.5, "move": move, "side": "evil"}}
    return Table(24, 24, models=models, **changes)


def low_wall(left, right):
    polygon = [[left, 0], [right, 0], [right, 24], [left, 24]]
    return {"low": {"tags": ["obstacle"], "height": 0.5, "polygon": polygon}}


@pytest.mark.parametrize(
    ("left", "right", "turns"),
    [
        (7, 9, 3),  # six inches end at x = 8, on the wall: it waits at 6.5, and 6 of the 7.5 left bring it to 12.5
        (8.5, 9, 2),  # six inches end at x = 8, touching it
        (8.4999, 9, 3),  # a hair on it
        (9, 13.9, 4),  # touches it in the second turn; 4.9 and 1 in are the third but for a tenth, then 2 in are left
        (9, 14.1, None),  # 6.1 in are more than one Move, and nobody rests up there
    ],
)
def test_no_turn_ends_on_what_is_stepped_over(left, right, turns):
    """TER.3: twelve inches, M 6, across a wall lower than half the model."""
    goal = Move("uruk", (16.5, 12)) if right > 13 else Move("uruk", (14, 12))
    found = campaign(lane(6, terrain=low_wall(left, right)), goal)
    assert found.expected == turns
    if turns is None:
        assert found.chance == 0
    free = lane(6, terrain=low_wall(left, right)).under("end_on_low_obstacle", "yes")
    assert campaign(free, goal).expected == (3 if right > 13 else 2)  # 14.5 and 12 in of 6


def test_a_round_wall_is_left_out_of_an_arc_too():
    """Round a trunk at (12, 12), and over a low disc of radius 0.3 on the arc: 0.8 in each way of its centre."""
    terrain = {
        "trunk": {"tags": ["unscalable"], "circle": {"center": [12, 12], "radius": 1.5}},
        "log": {"tags": ["obstacle"], "height": 0.2, "circle": {"center": [12, 14], "radius": 0.3}},
    }
    model = {"at": [10, 12], "base": 1, "height": 1.5, "move": math.pi, "side": "evil"}
    table_ = Table(24, 24, models={"m": model}, terrain=terrain)
    arc = Leg("arc", (10.0, 12.0), (14.0, 12.0), 2 * math.pi, center=(12.0, 12.0), radius=2.0, sweep=-math.pi)
    found = campaign(table_, Move("m", (14, 12)), Route((arc,)))
    # The centres meet the rim of the grown log where the chord is 0.8: 2 asin(0.2) on either side of the top.
    assert found.expected == 3
    assert found.chain.states[1].along == 0.0
    assert sum(s.cost for s in found.steps.steps[:1]) == pytest.approx(2 * (math.pi / 2 - 2 * math.asin(0.2)))


def test_a_leap_into_contact_may_begin_with_the_last_inches():
    """``leap_needs`` = maximum: in one turn with 2 to 6, as `check` says, and not never."""
    pit = {"pit": {"tags": ["gap"], "depth": 3, "polygon": [[6, 0], [8, 0], [8, 24], [6, 24]]}}
    model = {"at": [9, 12], "base": 1, "height": 1.5, "move": 6, "side": "good"}
    table_ = lane(4, terrain=pit)
    table_ = Table(24, 24, models={**table_.models, "merry": model}, terrain=pit)
    asked = Charge("uruk", "merry")
    assert check(table_, asked).chance == Fraction(5, 6)
    assert campaign(table_, asked).within(1).by_turn(1) == Fraction(5, 6)


def behind(move):
    """A wall between charger and target, 2 in beyond its end; the way is 12.7 in."""
    models = {
        "uruk": {"at": [4, 12], "base": 1, "height": 1.5, "move": move, "side": "evil"},
        "merry": {"at": [14, 12], "base": 1, "height": 1.5, "move": 6, "side": "good"},
    }
    wall = {"tags": ["obstacle", "unscalable"], "height": 5, "polygon": [[8, 8], [8.5, 8], [8.5, 16], [8, 16]]}
    return Table(24, 24, models=models, terrain={"wall": wall})


def test_a_charge_begins_in_sight():
    """CHG.1: with Move enough for all of the way it still takes a turn to come to where it sees the target."""
    asked = Charge("uruk", "merry")
    assert check(behind(13), asked).answer == "no"
    assert campaign(behind(13), asked).expected == 2
    assert campaign(behind(6), asked).expected == 3  # as before: it sees it by then
    seen = behind(13)
    seen = Table(24, 24, models=seen.models)
    assert campaign(seen, asked).expected == 1


def test_who_never_sees_its_target_from_its_way_never_arrives():
    """A way drawn close behind the wall: the zone of 1 in begins before the target is seen."""
    box = [[9, 5], [9.2, 5], [9.2, 13.2], [9, 13.2]]
    wall = {"tags": ["obstacle", "unscalable"], "height": 5, "polygon": box}
    models = {
        "uruk": {"at": [8.4, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
        "merry": {"at": [9.9, 12], "base": 1, "height": 1.5, "move": 6, "side": "good"},
    }
    found = campaign(Table(24, 24, models=models, terrain={"wall": wall}), Charge("uruk", "merry"))
    assert (found.chance, found.expected) == (0, None)


@pytest.mark.parametrize(
    ("held", "said"), [({"may_move": False}, "held by an effect"), ({"engaged": ["x"]}, "engaged")]
)
def test_who_may_not_move_is_not_asked_about(held, said):
    """MOV.6, as `check` has it; who has moved in this turn begins with the next."""
    man = {"base": 1, "height": 1, "move": 6}
    models = {"m": {**man, "side": "good", "at": [8, 12]}, "x": {**man, "side": "evil", "at": [8, 13]}}
    there = Table(24, 24, models=models)
    goal = Move("m", (12, 11))
    with pytest.raises(QuestionError, match=f"{said}.*MOV.6.*in which turn"):
        campaign(there.having("m", **held), goal)
    assert campaign(there.having("m", moved=True), goal).expected == 1


@pytest.mark.parametrize(
    ("at", "prone", "turns"),
    [
        (11.5, True, Fraction(66, 25)),  # in contact with who stands up there, and has no zone
        (11.5, False, Fraction(66, 25)),
        (12.0, False, None),  # up there it is in the zone, half an inch from contact
    ],
)
def test_who_climbs_up_to_its_target_out_of_sight_waits_below(at, prone, turns):
    """CHG.1: 3 in up are 6 of the Move of 8, and from the foot nobody is seen up there.

    By hand, of contact at the top: E = 1 + L/6 + 5/6 H from the foot, H = 1 + L/6 hanging below the top, and L from
    lying at the foot; with half of the Move L = 1 + L/6 + 5/6 H too, since from half way up the target is seen.
    """
    models = {
        "uruk": {"at": [9.5, 12], "base": 1, "height": 1.5, "move": 8, "side": "evil"},
        "merry": {"at": [at, 12], "on": "top", "base": 1, "height": 1.5, "move": 6, "side": "good", "prone": prone},
    }
    top = {"tags": ["platform", "obstacle"], "height": 3, "polygon": [[10, 8], [16, 8], [16, 16], [10, 16]]}
    table_, asked = Table(24, 24, models=models, terrain={"top": top}), Charge("uruk", "merry")
    assert check(table_, asked).answer == "no"
    found = campaign(table_, asked)
    first = turn(found.steps, found.chain.states[0])
    assert first == {Standing(0, 0.0, prone=True): Fraction(1, 6), Standing(0, 6.0): Fraction(5, 6)}
    second = turn(found.steps, Standing(0, 6.0))
    if turns is not None:
        assert found.expected == turns
        assert second[Standing(found.steps.goal)] == Fraction(5, 6)
    else:  # a 6 goes on into contact; a 2 to 5 stops in the zone, as it does within one turn
        assert second[Standing(found.steps.goal)] == Fraction(1, 6)
        assert second[Standing(1)] == Fraction(4, 6)


def test_who_never_sees_from_below_its_goal_hangs_there():
    """What stands before the target hides it from the face as well: no dice are rolled for nothing."""
    models = {
        "uruk": {"at": [9.5, 12], "base": 1, "height": 1.5, "move": 8, "side": "evil"},
        "merry": {"at": [11.5, 12], "on": "top", "base": 1, "height": 1.5, "move": 6, "side": "good"},
    }
    top = {"tags": ["platform", "obstacle"], "height": 3, "polygon": [[10, 8], [16, 8], [16, 16], [10, 16]]}
    table_ = Table(24, 24, models=models, terrain={"top": top})
    route = campaign(table_, Charge("uruk", "merry")).route
    screen = {"tags": [], "height": 9, "polygon": [[10.9, 8], [11.1, 8], [11.1, 16], [10.9, 16]], "on": "top"}
    hidden = Table(24, 24, models=models, terrain={"top": top, "screen": screen})
    found = campaign(hidden, Charge("uruk", "merry"), route)
    assert (found.expected, found.chance) == (None, 0)
    assert turn(found.steps, Standing(0, 6.0)) == {Standing(0, 6.0): 1}


def test_of_a_leg_all_of_it_is_itself():
    leg = Leg("straight", (0.0, 0.0), (4.0, 0.0), 4.0, None)
    assert part(leg, 0.0, 1.0) is leg
    assert (part(leg, 0.25, 1.0).start, part(leg, 0.25, 1.0).cost) == ((1.0, 0.0), 3.0)


def test_ways_of_one_kind_are_told_apart_by_numbers():
    assert _fresh("over wall", {}) == "over wall"
    assert _fresh("over wall", {"over wall": Route()}) == "over wall (2)"
    assert _fresh("over wall", {"over wall": Route(), "over wall (2)": Route()}) == "over wall (3)"
