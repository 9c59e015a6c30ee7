"""Where a turn of a campaign may end, and from where a charge may begin."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from sbg_sim import check
from sbg_sim.errors import QuestionError
from sbg_sim.simulate import campaign
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
