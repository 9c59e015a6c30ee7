"""What a verdict tells beside its answer: where movement runs out, by which rules it bends, whose zone binds first."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.solver import charges, moving, why_not
from sbg_sim.solver.path.options import Option
from sbg_sim.solver.space.surroundings import make_surroundings
from sbg_sim.table.route import Leg, Route

MAN = {"base": 1, "height": 1.5, "move": 6}


def table(terrain=None, models=(), **given):
    there = {"me": {**MAN, "at": (10, 10), "side": "good"}, **dict(models)}
    return sbg.Table(40, 40, models=there, terrain=terrain or {}, **given)


def straight(*places, weight=1.0):
    legs = [Leg("straight", a, b, weight * math.dist(a, b)) for a, b in pairwise(places)]
    return Route(tuple(legs))


@pytest.mark.parametrize("weight", [1.0, 2.0])
@pytest.mark.parametrize(("along", "at"), [(0.0, (0, 0)), (2.5, (2.5, 0)), (3.0, (3, 0)), (4.0, (3, 1)), (7.0, (3, 4))])
def test_movement_runs_out_so_far_along_a_route(weight, along, at):
    route = straight((0.0, 0.0), (3.0, 0.0), (3.0, 4.0), weight=weight)
    assert moving._place_at(route, weight * along) == pytest.approx(at)


def test_beyond_its_end_a_route_ends_and_none_has_no_place():
    assert moving._place_at(straight((0.0, 0.0), (3.0, 0.0)), 9.0) == (3.0, 0.0)
    assert moving._place_at(Route(()), 1.0) is None


@pytest.mark.parametrize("share", [0.1, 0.37, 0.5, 0.9])
def test_on_an_arc_it_runs_out_on_the_arc(share):
    arc = Leg("arc", (2.0, 0.0), (0.0, 2.0), math.pi, None, (0.0, 0.0), 2.0, math.pi / 2)
    x, y = moving._place_at(Route((Leg("straight", (2.0, -1.0), (2.0, 0.0), 1.0), arc)), 1 + share * math.pi)
    assert math.atan2(y, x) == pytest.approx(share * math.pi / 2, abs=0.02)
    assert math.hypot(x, y) == pytest.approx(2.0, abs=0.02)


# -- rules -------------------------------------------------------------------------------------------------------------

FOE = {**MAN, "at": (20, 20), "side": "evil"}
CORNER = [(20, 20), (24, 20), (24, 24), (20, 24)]


@pytest.mark.parametrize(
    ("terrain", "models", "radius", "rule"),
    [
        ({}, {"foe": FOE}, 1.0, ["MOV.4"]),
        ({}, {"foe": FOE}, 2.0, ["CZ.1"]),
        ({}, {"foe": FOE}, 1.4, ["CZ.4"]),
        ({}, {"foe": FOE | {"at": (20, 20.1)}}, 1.0, []),
        ({"t": {"tags": ["obstacle"], "polygon": CORNER, "height": 1.0}}, {}, 0.5, ["TER.4"]),
        ({"t": {"tags": ["obstacle", "unscalable"], "polygon": CORNER, "height": 1.0}}, {}, 0.5, ["TER.5"]),
        ({"t": {"tags": ["difficult"], "polygon": CORNER}}, {}, 0.5, ["TER.2"]),
        ({"t": {"tags": ["difficult"], "polygon": [(x + 0.1, y) for x, y in CORNER]}}, {}, 0.5, []),
        ({}, {}, 0.5, []),
    ],
)
def test_an_arc_is_told_by_the_rule_of_what_it_turns_round(terrain, models, radius, rule):
    assert moving._rule_of_arc(table(terrain, models), 0.5, (20.0, 20.0), radius) == rule


LOW = {"tags": ["obstacle"], "polygon": [(14, 8), (15, 8), (15, 12), (14, 12)], "height": 0.5}


@pytest.mark.parametrize(
    ("piece", "y", "rules"),
    [
        (LOW, 10.0, ["TER.3"]),
        (LOW, 12.4, ["TER.3"]),
        (LOW, 12.6, []),
        (LOW | {"tags": ["obstacle", "unscalable"], "height": 5.0, "lets_through": ["me"]}, 10.0, ["MOV.8"]),
        (LOW | {"tags": ["gap"], "depth": 0.5, "height": None}, 10.0, ["TER.3"]),
        ({"tags": ["difficult"], "polygon": LOW["polygon"]}, 10.0, []),
    ],
)
def test_what_is_passed_freely_is_told(piece, y, rules):
    given = {key: value for key, value in piece.items() if value is not None}
    there = table({"t": given})
    mover = there.model("me")
    assert moving._passed_freely(there, mover, straight((10.0, y), (20.0, y))) == rules
    jump = Route((Leg("jump", (10.0, y), (20.0, y), 10.0),))
    assert moving._passed_freely(there, mover, jump) == []
    above = Route((Leg("straight", (10.0, y), (20.0, y), 10.0, "t"),))
    assert moving._passed_freely(there, mover, above) == []


def test_at_least_is_what_is_proven():
    one = Option(0, landing=False, cost=3.0, slack=0.2, route=Route(()))
    tiny = Option(0, landing=False, cost=0.1, slack=0.2, route=Route(()))
    for best, beyond, want in ((one, 9.0, 2.8), (tiny, 9.0, 0.0), (None, 9.0, 9.0), (None, math.inf, None)):
        assert moving._at_least(SimpleNamespace(best=best, beyond=beyond)) == want


@pytest.mark.parametrize(("answer", "margin", "words"), [
    ("yes", 1.25, "m: yes, 4.7500 of 6 in, 1.2500 in to spare"),
    ("yes", -1e-10, "m: yes, 4.7500 of 6 in, 0.0000 in to spare"),
    ("chance", 1.25, "m: with a chance of 5/6 (), 4.7500 of 6 in"),
    ("no", -2.0, "m: no, needs 4.7500 in and has 6, 2.0000 in short"),
])  # fmt: skip
def test_a_reason_says_what_it_costs_and_what_is_left(answer, margin, words):
    best = Option(0, landing=False, cost=4.75, slack=0.0, route=Route(()))
    finding = SimpleNamespace(violations=(), best=best, limit=6.0, chance=Fraction(5, 6), shortfall="more")
    assert moving._reason(finding, answer, "m", margin) == words
    bare = SimpleNamespace(violations=(), best=None, limit=6.0, chance=Fraction(0), shortfall="more than 9 in")
    assert moving._reason(bare, "no", "m", None) == "m: no, needs more than 9 in"


# -- zones on the way to a charge --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_zones_bind_first_that_the_straight_there_enters_before_its_own(seed):
    rng = np.random.default_rng(seed)
    spots = rng.uniform(2, 38, (9, 2)).tolist()
    models = {f"foe-{k}": {**MAN, "at": tuple(at), "side": "evil"} for k, at in enumerate(spots)
              if math.dist(at, (10, 10)) > 2.2 and all(math.dist(at, b) > 1.05 for b in spots[:k])}  # fmt: skip
    there = table(models=models)
    mover = there.model("me")
    enemies = [there.model(name) for name in models]
    found = charges._first_bound(there, mover, enemies)
    share = np.linspace(0, 1, 20001)[:, None]
    for enemy, names in zip(enemies, found, strict=True):
        at = np.array(mover.at) + share * (np.array(enemy.at) - mover.at)
        enters = {}
        for other in enemies:
            within = np.hypot(*(at - other.at).T) < 2.0
            if within.any():
                enters[other.id] = float(share[int(within.argmax()), 0])
        own = enters.pop(enemy.id)
        want = sorted((when, name) for name, when in enters.items() if when < own)
        assert list(names) == [name for _, name in want]


@pytest.mark.parametrize(("on", "what"), [(None, "the table"), ("top", "top")])
def test_a_base_that_sticks_out_is_told_of_what(on, what):
    top = {"tags": ["platform"], "polygon": [(12, 8), (18, 8), (18, 14), (12, 14)], "height": 1.0}
    there = table({"top": top})
    spaces = make_surroundings(there, there.model("me"), reach=9.0).spaces
    space = next(space for space in spaces if space.surface == on)
    out = (0.2, 10.0) if on is None else (17.8, 10.0)
    reasons = [v.reason for v in why_not._unfit(space, out)]
    assert f"the base would not be wholly on {what}" in reasons
    within = (4.0, 4.0) if on is None else (15.0, 11.0)
    assert why_not._unfit(space, within) == []
