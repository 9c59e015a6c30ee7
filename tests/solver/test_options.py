"""What a search may use, and what fits: goals and how far they are, how far ways lead, what a last way may cost."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.geometry.pieces import Piece, segment
from sbg_sim.solver.path import options
from sbg_sim.solver.path.mending import Mender
from sbg_sim.solver.path.options import Option, Search
from sbg_sim.solver.path.paths import Constraint, Fixed, Link, Path
from sbg_sim.solver.space.surroundings import Goal
from sbg_sim.table.route import Leg, Route, Test

MAN = {"at": (10, 10), "base": 1, "height": 1.5, "move": 6, "side": "good"}


def table(terrain=(), *, models=(), me=(), **readings):
    there = {"me": MAN | dict(me), **dict(models)}
    return sbg.Table(40, 40, models=there, terrain=dict(terrain), rulings=sbg.Rulings(readings))


def square(x, y, *tags, half=1.0, **more):
    corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
    return {"tags": list(tags), "polygon": corners} | more


# -- goals -------------------------------------------------------------------------------------------------------------

ARC = Piece((3.0, 4.0), (0.5, 0.0), 3.0, radius=2.0)
GOALS = [
    Goal(None, (3.0, 4.0)),
    Goal(None, contact=((3.0, 4.0, 1.5),)),
    Goal(None, lines=(segment((1.0, 2.0), (6.0, 4.0)),)),
    Goal(None, lines=(ARC, segment((7.0, 0.0), (7.5, 1.0)))),
    Goal(None, lines=(ARC,)),
]


def places_of(goal):
    if goal.at is not None:
        return np.array([goal.at])
    if goal.contact:
        (x, y, r), turn = goal.contact[0], np.linspace(0, math.tau, 4001)
        return np.array([x, y]) + r * np.column_stack([np.cos(turn), np.sin(turn)])
    return np.concatenate([line.at(np.linspace(0, line.length, 2001)) for line in goal.lines])


@pytest.mark.parametrize("goal", GOALS)
def test_a_goal_lies_within_its_focus_and_is_so_far(goal):
    there = places_of(goal)
    x, y, radius = goal.focus
    away = np.hypot(*(there - [x, y]).T)
    assert away.max() <= radius + 1e-12
    longest = max((line.length for line in goal.lines), default=0.0)
    assert radius <= away.max() + longest / 16 + 1e-9
    for at in np.random.default_rng(1).uniform(-5, 12, (60, 2)):
        apart = float(np.hypot(*(there - at).T).min())
        if not goal.contact or math.dist(at, goal.contact[0][:2]) > goal.contact[0][2]:
            assert goal.apart(tuple(at.tolist())) == pytest.approx(apart, abs=2e-3)
        else:
            assert goal.apart(tuple(at.tolist())) == 0
        ahead = float(goal.ahead(at[None])[0])
        assert ahead == pytest.approx(max(0.0, math.dist(at, (x, y)) - radius), abs=1e-12)
        assert ahead <= apart + 1e-9


def test_of_two_contacts_the_farther_counts():
    assert Goal(None, contact=((3.0, 0.0, 1.0), (0.0, 6.0, 1.5))).apart((0.0, 0.0)) == 4.5
    assert Goal(None, contact=((3.0, 0.0, 1.0), (0.0, 2.0, 1.5))).apart((0.0, 0.0)) == 2.0


# -- how far ways lead -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("terrain", "me", "gain"),
    [
        ({}, {}, 1.0),
        ({"t": square(20, 20, "platform", height=2.0)}, {}, 1.0),  # a base no wider than its model is high
        ({"t": square(20, 20, "platform", height=2.0)}, {"base": 2.0, "height": 1.0}, 2.0),
        ({"t": square(20, 20, "platform", height=0.9)}, {"base": 2.0, "height": 1.0}, 1.0),  # lower than the mover
        ({"t": square(20, 20, "platform", "unscalable", height=2.0)}, {"base": 2.0, "height": 1.0}, 1.0),
        ({"t": square(20, 20, "platform", height=2.0)}, {"base": 2.0, "height": 1.0, "keywords": ["cavalry"]}, 1.0),
        ({"t": square(20, 20, "platform", height=2.0)}, {"base": 2.0, "height": None}, 1.0),
        ({"p": square(20, 20, "gap", depth=2.0)}, {"base": 2.0, "height": 1.0}, 2.0),
    ],
)
@pytest.mark.parametrize("left", [4.0, 6.0])
def test_no_way_leads_farther_than_shifts_over_climbs_may(terrain, me, gain, left):
    there = table(terrain, me=me)
    assert options.farthest(there, there.model("me"), left) == pytest.approx(gain * left)


@pytest.mark.parametrize(("high", "gain"), [(0.5, 2.0), (0.25, 4.0), (1.5, 1.0)])
@pytest.mark.parametrize("told", [True, False])
def test_a_ladder_costs_what_it_is_high_and_leads_a_base_aside(high, gain, told):
    top = square(20, 20, "platform", "unscalable", height=high)
    rungs = {"tags": ["ladder"], "at": (20, 19), "to": "t"} | ({"height": high} if told else {})
    there = table({"t": top, "l": rungs})
    assert options.farthest(there, there.model("me"), 6.0) == pytest.approx(6 * gain)


def test_who_hangs_on_a_face_has_two_bases_more():
    hung = table({"t": square(20, 20, "platform", height=2.0)}, me={"at": (20, 18.5), "climbed": 1.0})
    assert options.farthest(hung, hung.model("me"), 6.0) == 6.0 + 2.0


# -- a last way that may cost more than is left ------------------------------------------------------------------------

NOW, YES = {"leap_needs": "remaining"}, {"jump_without_movement": "yes"}
PIT, HEDGE = square(20, 20, "gap", depth=2.0), square(20, 20, "obstacle", height=1.0)
TOP = square(20, 20, "platform", height=1.0)


# With 14 in left a jump begins wherever the hedge, grown by half an inch, has a rim: within a square 3 in wide. It ends
# within 0.05 in of the goal, or anywhere on that rim.
BESIDE = math.hypot(1.55, 3.05)
ANYWHERE = math.hypot(3.0, 3.0)
MIRE = square(21, 21, "difficult")


@pytest.mark.parametrize(
    ("terrain", "readings", "goal", "more"),
    [
        ({"p": PIT}, {}, None, 6.0),
        ({"p": PIT}, {}, Goal(None, (20, 18.5)), 6.0),
        ({"p": PIT}, {}, Goal(None, (20, 18.4)), 0.0),  # not beside it
        ({"p": PIT}, NOW, Goal(None, (20, 18.5)), 0.0),
        ({"p": PIT}, NOW | YES, Goal(None, (20, 18.5)), 0.0),  # too deep to be jumped out of
        ({"p": PIT | {"depth": 1.5}}, NOW | YES, Goal(None, (20, 18.5)), BESIDE),
        ({"p": PIT}, YES, Goal(None, (20, 18.5)), 6.0),
        ({"h": HEDGE}, {}, Goal(None, (20, 18.5)), 0.0),
        ({"h": HEDGE}, YES, Goal(None, (20, 18.5)), BESIDE),
        ({"h": HEDGE | {"height": 0.7}}, YES, Goal(None, (20, 18.5)), 0.0),  # stepped over
        ({"h": HEDGE | {"height": 1.6}}, YES, Goal(None, (20, 18.5)), 0.0),  # climbed
        ({"h": HEDGE, "m": MIRE}, YES, Goal(None, (20, 18.5)), 2 * BESIDE),
        ({"h": HEDGE}, YES, Goal(None, (20, 18.0)), 0.0),
        ({"h": HEDGE}, YES, None, ANYWHERE),
        ({"h": square(24, 20, "obstacle", height=1.0)}, YES, None, 0.0),  # begun too late
        ({}, YES, None, 0.0),
        ({}, {}, None, 0.0),
        ({"t": TOP}, {}, Goal("t", (20, 20)), 6.0),
        ({"t": TOP}, {}, Goal(None, (20, 18.5)), 0.0),  # beside a top nobody is set down by a leap, but on it
        ({"t": TOP}, {}, None, 6.0),
    ],
)
def test_so_much_more_than_is_left_a_last_way_may_cost(terrain, readings, goal, more):
    there = table(terrain, **readings)
    assert options.beyond_the_move(there, there.model("me"), 14.0, goal) == pytest.approx(more)


def test_over_who_lies_one_jumps_too_and_who_has_no_height_does_not_leap():
    lies = {"friend": MAN | {"at": (20, 20), "prone": True}}  # a base grown by a base is 2 in wide
    there = table(models=lies, **YES)
    for at, more in (((20, 19.0), math.hypot(1.05, 2.05)), ((20, 18.0), 0.0)):
        found = options.beyond_the_move(there, there.model("me"), 14.0, Goal(None, at))
        assert found == pytest.approx(more)
    flat = table({"p": PIT}, me={"height": None})
    assert options.beyond_the_move(flat, flat.model("me"), 4.0) == 0.0
    assert options.beyond_the_move(flat, flat.model("me"), 40.0) == 0.0


def ended(kind, cost, begun, *, landing=True):
    test = Test(kind, "t", (0.0, 0.0), (1.0, 0.0))
    return Option(1, landing, cost, 0.0, Route((Leg(kind, (0.0, 0.0), (1.0, 0.0), cost - begun, test=test),)), begun)


@pytest.mark.parametrize(
    ("option", "readings", "fits"),
    [
        (ended("leap", 4.0, 1.0), {}, True),
        (ended("leap", 4.0 + 5e-10, 1.0), NOW, True),
        (ended("leap", 4.0 + 2e-9, 1.0), NOW, False),
        (ended("leap", 9.0, 4.0), {}, True),
        (ended("leap", 9.0, 4.0 + 5e-10), {}, True),
        (ended("leap", 9.0, 4.0 + 2e-9), {}, False),  # it begins too late
        (ended("leap", 9.0, 3.0 - 2e-9), {}, False),  # it costs more by itself than the Move
        (ended("leap", 9.0, 3.0), {}, True),
        (ended("leap", 9.0, 4.0, landing=False), {}, False),
        (ended("jump", 9.0, 4.0), {}, False),
        (ended("jump", 99.0, 4.0), YES, True),
        (ended("climb", 9.0, 4.0), YES, False),
    ],
)
def test_a_way_fits_that_costs_what_is_left_or_ends_by_a_late_leap(option, readings, fits):
    assert options.fits(table(**readings), option, 4.0, 6.0) is fits


def test_no_more_dice_are_looked_ahead_than_may_give_a_better_chance():
    there = table()
    search = Search(there, there.model("me"), None, Goal(None, (20, 20)), 6.0, dice=True, horizon=12.0, used=1.5)
    assert (search.left, search.most_tests) == (4.5, 6)
    # Of k dice the last sets down with five in six: 5/6, 5/36, 5/216, ...
    for chance, most in (("5/6", 0), ("1/6", 1), ("5/36", 1), ("1/36", 2), ("5/216", 2), ("1/216", 3), ("1", 0)):
        assert replace(search, chance=Fraction(chance)).most_tests == most
    cheap = ended("leap", 4.0, 1.0)
    for least, so in ((4.0, True), (4.0 - 1.5e-9, True), (4.0 - 3e-9, False), (5.0, True)):
        assert replace(search, least=least).cannot_cost_less(cheap) is so


def test_where_a_jump_may_not_set_down_on_the_goal_other_dice_may():
    there = table()
    search = Search(there, there.model("me"), None, Goal(None, (20, 20)), 6.0, dice=True, horizon=12.0, set_down=False)
    kinds = {"jump": False, "leap": False, "jump-prone": False, "climb": True, "descend": True}
    assert {kind: search.may_end(ended(kind, 4.0, 1.0)) for kind in kinds} == kinds
    assert search.may_end(ended("jump", 4.0, 1.0, landing=False))
    assert replace(search, set_down=True).may_end(ended("jump", 4.0, 1.0))


# -- a way that is to begin in time ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "last", "held", "so"),
    [
        (2.0, 3.0, Constraint(0, None, begun=2.0), True),
        (2.0, 3.0, Constraint(0, None, begun=2.0 - 5e-10), True),
        (2.0, 3.0, Constraint(0, None, begun=2.0 - 2e-9), False),
        (2.0, 3.0, Constraint(0, None, alone=3.0), True),
        (2.0, 3.0, Constraint(0, None, alone=3.0 - 5e-10), True),
        (2.0, 3.0, Constraint(0, None, alone=3.0 - 2e-9), False),
        (2.0, 3.0, Constraint(0, None), True),
    ],
)
@pytest.mark.parametrize("crosses", [True, False])
def test_a_route_is_allowed_whose_last_way_begins_in_time_and_costs_no_more_alone(
    monkeypatch, first, last, held, so, crosses
):
    legs = (Leg("straight", (0, 0), (first, 0), first), Leg("leap", (first, 0), (9, 0), last, test=object()))
    route = Route(legs)
    monkeypatch.setattr("sbg_sim.solver.path.mending.route_of", lambda *_: route)
    monkeypatch.setattr("sbg_sim.solver.path.mending.leads_over", lambda *_: crosses)
    some = Path((Fixed((0, 0)), Fixed((9, 0))), (Link(0, transition=0),), (held,))
    mender = Mender(None, None, SimpleNamespace(), 1)
    # Who just touches what it leads over could have walked.
    assert (mender.route(some) is route) == (so and (crosses or held.begun is None))
    assert Mender(None, None, SimpleNamespace(), 2).route(some) is None  # another number of dice
    monkeypatch.setattr("sbg_sim.solver.path.mending.route_of", lambda *_: None)
    assert mender.route(some) is None
