"""From paths to legs: what is told of an arc, a straight and a way over, and what of a route weighed anew elsewhere."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.geometry.grown import grown
from sbg_sim.rules.zones import Zone
from sbg_sim.solver.graph.edges import add_tangents
from sbg_sim.solver.path import onward, routes
from sbg_sim.solver.path.paths import Fixed, Link, OnCircle, Path, Slide, Wrap
from sbg_sim.solver.path.routes import route_of
from sbg_sim.solver.space.rings import Ring, RingArcs
from sbg_sim.solver.space.surroundings import make_surroundings
from sbg_sim.table.route import Leg
from tests.solver.stage import level, net, path, ring

CENTRE, RHO = (3.0, -2.0), 1.7
NONE = sbg.Table(20, 20, models={"m": {"at": (10, 10), "base": 1, "height": 1.5, "move": 6, "side": "good"}})


def parted(rng, parts, closed=()):
    """A ring cut at random angles, each arc of weight 1 or 2; some of them closed to whoever is free."""
    angles = np.sort(rng.uniform(-math.pi, math.pi, parts))
    open_ = np.ones((2, parts), dtype=bool)
    open_[0, list(closed)] = False
    zeros = np.zeros(parts, dtype=np.int64)
    weight = rng.choice([1.0, 2.0], parts)
    return Ring(CENTRE, RHO, 0, angles, open_, weight, zeros, np.zeros((2, parts), dtype=bool), np.zeros(0))


def arc_of(one, start, sweep, turn, *, bound=False):
    at = np.array(CENTRE) + RHO * np.array([math.cos(start), math.sin(start)])
    space = SimpleNamespace(surface="top")
    return routes._arc(RingArcs([one]), Wrap(0, turn), at, sweep, bound, space)


@pytest.mark.parametrize("turn", [-1, 1])
@pytest.mark.parametrize("seed", range(8))
def test_an_arc_is_cut_where_its_weight_changes(seed, turn):
    rng = np.random.default_rng(seed)
    one = parted(rng, 1 + seed)
    start, sweep = float(rng.uniform(-math.pi, math.pi)), turn * float(rng.uniform(0.5, 6.2))
    legs = arc_of(one, start, sweep, turn)
    shares = (np.arange(20000) + 0.5) / 20000
    under = one.weight[np.searchsorted(one.angles, (start + shares * sweep + math.pi) % math.tau - math.pi) - 1]
    assert sum(leg.cost for leg in legs) == pytest.approx(RHO * abs(sweep) * under.mean(), abs=5e-3)
    assert len(legs) == 1 + np.count_nonzero(np.diff(under))
    assert sum(leg.sweep for leg in legs) == pytest.approx(sweep, abs=1e-12)
    for leg, after in pairwise(legs):
        assert leg.end == pytest.approx(after.start, abs=1e-12)
        assert leg.cost / leg.length != pytest.approx(after.cost / after.length)
    for leg in legs:
        assert (leg.kind, leg.surface, leg.center, leg.radius) == ("arc", "top", CENTRE, RHO)
        assert leg.cost / (RHO * abs(leg.sweep)) == pytest.approx(round(leg.cost / leg.length))
        assert leg.sweep * turn > 0
    for at, angle in ((legs[0].start, start), (legs[-1].end, start + sweep)):
        assert at == pytest.approx((CENTRE[0] + RHO * math.cos(angle), CENTRE[1] + RHO * math.sin(angle)), abs=1e-12)


@pytest.mark.parametrize("turn", [-1, 1])
@pytest.mark.parametrize("seed", range(12))
def test_of_an_arc_no_part_may_be_closed(seed, turn):
    """But to who is free alone: who is bound goes on."""
    rng = np.random.default_rng(seed)
    one = parted(rng, 4, closed=[1])
    start, sweep = float(rng.uniform(-math.pi, math.pi)), turn * float(rng.uniform(0.2, 5.0))
    shares = (np.arange(20000) + 0.5) / 20000
    angle = (start + shares * sweep + math.pi) % math.tau - math.pi
    meets = ((angle > one.angles[1]) & (angle < one.angles[2])).any()
    assert (arc_of(one, start, sweep, turn) is None) == meets
    assert arc_of(one, start, sweep, turn, bound=True)


def test_an_arc_on_which_one_comes_nearer_is_closed_that_way_round():
    rng = np.random.default_rng(3)
    one = parted(rng, 3)
    nearer = np.array([[False, False, False], [False, True, False]])
    one = replace(one, nearer=nearer)
    begin, width = one.angles[1], one.angles[2] - one.angles[1]
    assert arc_of(one, begin + 0.2 * width, 0.5 * width, 1)
    assert arc_of(one, begin + 0.7 * width, -0.5 * width, -1) is None


def test_an_arc_that_all_but_has_no_length_is_none_and_one_against_its_turn_is_barred():
    one = parted(np.random.default_rng(0), 1)
    assert arc_of(one, 0.3, 1e-13, 1) == []
    assert arc_of(one, 0.3, -1e-13, 1) == []
    assert arc_of(one, 0.3, -5e-8, 1) == []  # by less than a hair: rounding
    assert arc_of(one, 0.3, -2e-7, 1) is None
    assert arc_of(one, 0.3, 2e-7, -1) is None
    (leg,) = arc_of(one, 0.3, 1e-6, 1)
    assert leg.cost == pytest.approx(RHO * 1e-6 * one.weight[0])


def test_specks_that_seem_closed_go_with_what_lies_beside_them():
    assert routes._without_specks([(0.0, 1.0, 3), (1.0, 1.1, -1), (1.1, 2.0, 4)]) == [(0.0, 1.1, 3), (1.1, 2.0, 4)]
    assert routes._without_specks([(0.0, 0.1, -1), (0.1, 2.0, 0)]) == [(0.0, 2.0, 0)]
    assert routes._without_specks([(0.0, 1.0, 0), (1.0, 2.0, 1)]) == [(0.0, 1.0, 0), (1.0, 2.0, 1)]
    assert routes._without_specks([(0.0, 0.1, -1)]) == []


# -- whole paths -------------------------------------------------------------------------------------------------------


def test_a_route_goes_straight_and_round():
    """From (0, 0) round a circle below (4, 1) to (8, 0): two tangents and an arc."""
    here = net(rings=[ring(4.0, 0.0, 1.0)])
    found = route_of(NONE, NONE.model("m"), here, path(Fixed((0.0, 0.0)), Wrap(0, -1), Fixed((8.0, 0.0))))
    tangent, half = math.sqrt(15), math.asin(1 / 4)
    assert [leg.kind for leg in found.legs] == ["straight", "arc", "straight"]
    assert [leg.cost for leg in found.legs] == pytest.approx([tangent, 2 * half, tangent])
    assert found.legs[1].start == pytest.approx((4 - math.sin(half), math.cos(half)))
    shut = net(rings=[replace(ring(4.0, 0.0, 1.0), open=np.zeros((2, 1), dtype=bool))])
    assert route_of(NONE, NONE.model("m"), shut, path(Fixed((0.0, 0.0)), Wrap(0, -1), Fixed((8.0, 0.0)))) is None


def test_an_arc_that_goes_on_from_a_place_of_its_ring_is_one_leg():
    """Past the top of the circle, a place by itself: whether that is a place of the path is rounding."""
    here = net(rings=[ring(4.0, 0.0, 1.0)])
    begin, top, end = Fixed((0.0, 0.0)), Fixed((4.0, 1.0)), Fixed((8.0, 0.0))
    whole = route_of(NONE, NONE.model("m"), here, path(begin, Wrap(0, -1), end))
    parted_ = route_of(NONE, NONE.model("m"), here, path(begin, Wrap(0, -1), top, Wrap(0, -1), end))
    assert [leg.kind for leg in parted_.legs] == ["straight", "arc", "straight"]
    assert parted_.legs[1].sweep == pytest.approx(whole.legs[1].sweep, abs=1e-9)
    assert parted_.legs[1].cost == pytest.approx(whole.legs[1].cost, abs=1e-9)
    assert parted_.legs[1].end == pytest.approx(whole.legs[1].end, abs=1e-9)
    two = net(rings=[ring(4.0, 0.0, 1.0), ring(8.0, 0.0, 1.0)])
    round_both = path(begin, Wrap(0, -1), Wrap(1, -1), Fixed((12.0, 0.0)))
    kinds = [leg.kind for leg in route_of(NONE, NONE.model("m"), two, round_both).legs]
    assert kinds == ["straight", "arc", "straight", "arc", "straight"]
    # Where an arc has no length there is none to go on from.
    at_once = path(Fixed((4.0, 1.0)), Wrap(0, -1), Fixed((4.0, 1.0)), Wrap(0, -1), end)
    straight = path(begin, Fixed((4.0, 1.0)), Wrap(0, -1), Fixed((4.0, 1.0)), Wrap(0, -1), end)
    assert [leg.kind for leg in route_of(NONE, NONE.model("m"), here, at_once).legs] == ["arc", "straight"]
    assert [leg.kind for leg in route_of(NONE, NONE.model("m"), here, straight).legs] == ["straight", "arc", "straight"]


def test_links_without_length_are_no_legs():
    here, a, b = net(), Fixed((0.0, 0.0)), Fixed((3.0, 4.0))
    found = route_of(NONE, NONE.model("m"), here, path(a, a, b, b))
    assert [(leg.kind, leg.cost) for leg in found.legs] == [("straight", 5.0)]
    assert route_of(NONE, NONE.model("m"), here, path(a, a)).legs == ()


@pytest.mark.parametrize(("end", "begun"), [(True, False), (False, False), (True, True), (False, True)])
def test_who_comes_into_the_zone_of_whom_it_charges_is_bound_from_there(end, begun):
    """A charger that is bound may not leave the zone, and one that is not may not come into contact."""
    zone = Zone("orc", (5.0, 0.0), 1.5, 0.0)
    here = net()
    here.spaces = [replace(here.spaces[0], zones=(zone,), target=zone)]
    first, on = (Fixed((4.0, 0.0)) if begun else Fixed((0.0, 0.0))), OnCircle((5.0, 0.0, 1.0))
    to_zone = Path((first, Fixed((3.6, 0.0)), on), (Link(0, bound=(begun, end)), Link(0, bound=(end, True))))
    found = route_of(NONE, NONE.model("m"), here, to_zone)
    assert (found is None) == (not begun and not end)  # within the zone nobody is free
    if found is not None:
        assert sum(leg.cost for leg in found.legs) == pytest.approx((0.4 if begun else 3.6) + 0.4)
    away = Path((first, Fixed((3.6, 0.0)), Fixed((0.0, 3.0))), (Link(0, bound=(begun, end)), Link(0)))
    assert route_of(NONE, NONE.model("m"), here, away) is None
    past = Path((Fixed((0.0, 0.0)), Fixed((3.4, 0.0)), Fixed((0.0, 3.0))), (Link(0, bound=(False, end)), Link(0)))
    assert route_of(NONE, NONE.model("m"), here, past)


@pytest.mark.parametrize("at", [3.0, 3.4, 3.6, 4.5])
def test_over_things_a_charger_goes_as_one_that_is_bound_only_from_within_the_zone(monkeypatch, at):
    """A place that has slid out of the zone, an inch and a half about (5, 0), is no longer where it is bound."""
    told, here = [], net()
    zone = Zone("orc", (5.0, 0.0), 1.5, 0.0)
    here.spaces = [replace(here.spaces[0], zones=(zone,), target=zone)]
    here.transitions = [SimpleNamespace(way=SimpleNamespace(across=False))]
    monkeypatch.setattr(routes, "legs_over", lambda *args: told.append(args[-1]))
    walk, over = Link(0, bound=(False, True)), Link(0, transition=0, bound=(True, True))
    for first in (at, 2.0):  # it has come there, or it stood there
        went = Path((Fixed((first, 0.0)), Fixed((at, 0.0)), Fixed((5.0, 1.2))), (walk, over))
        assert route_of(NONE, NONE.model("m"), here, went) is None
    assert told == [(at > 3.5, True)] * 2


def test_contact_is_made_where_a_base_may_end():
    here = net()
    on = path(Fixed((0.0, 0.0)), OnCircle((5.0, 0.0, 1.0)))
    assert route_of(NONE, NONE.model("m"), here, on).legs[-1].end == pytest.approx((4.0, 0.0))
    low = sbg.polygon([(3.4, -1), (4.2, -1), (4.2, 1), (3.4, 1)])
    here.spaces = [replace(here.spaces[0], low=grown([(low, 0.5)]))]
    assert route_of(NONE, NONE.model("m"), here, on) is None
    # Past it one may come all the same.
    assert route_of(NONE, NONE.model("m"), here, path(Fixed((0.0, 0.0)), Fixed((4.0, 0.0)), Fixed((0.0, 1.0))))


# -- ways over ---------------------------------------------------------------------------------------------------------

WALL = {"tags": ["obstacle"], "polygon": [(0, 8), (20, 8), (20, 9), (0, 9)]}
MAN = {"at": (10, 7), "base": 1, "height": 1.5, "move": 9, "side": "good"}


def over(terrain, *, at=(10, 7), climbed=0.0, friend=None, **given):
    """What who stands beside a piece of terrain, or hangs on it, meets."""
    me = MAN | {"at": at} | ({"climbed": climbed} if climbed else {})
    table = sbg.Table(20, 20, models={"m": me, **({"f": friend} if friend else {})}, terrain={"t": terrain}, **given)
    return make_surroundings(table, table.model("m"), reach=9.0)


def legs(around, p, q, kind, bound=(False, False)):
    """What the ways of a kind come to from one place to another, each of the ways that lead there."""
    made = (
        routes.legs_over(around.table, around.mover, way, np.array(p), np.array(q), bound)
        for way in around.transitions
        if way.way.kind == kind
    )
    return [found for found in made if found is not None]


def test_a_jump_leads_from_rim_to_rim():
    around = over(WALL | {"height": 1.0})
    (((leg,)),) = legs(around, (10.0, 7.5), (11.0, 9.5), "jump")
    assert (leg.kind, leg.start, leg.end, leg.cost) == ("jump", (10, 7.5), (11, 9.5), pytest.approx(math.hypot(1, 2)))
    assert (leg.test.kind, leg.test.over, leg.test.at, leg.test.landing) == ("jump", "t", (10, 7.5), (11, 9.5))
    for p, q in (((10.0, 7.4), (11.0, 9.5)), ((10.0, 7.5), (11.0, 9.6)), ((math.inf, 7.5), (11.0, 9.5))):
        assert legs(around, p, q, "jump") == []


@pytest.mark.parametrize("reading", ["down", "over"])
@pytest.mark.parametrize("hung", [0.0, 1.0, 2.5])
def test_a_climb_over_is_told_by_what_is_left_of_it(reading, hung):
    """A wall of 2.5 in: twice what is left of it, and by one of the readings twice the whole of it down again."""
    around = over(WALL | {"height": 2.5}, at=(10, 7.5), climbed=hung, rulings=sbg.Rulings({"climb_over": reading}))
    found = legs(around, (10.0, 7.5), (10.0, 9.5), "climb-over")
    up, down, left = ("climb", (10, 7.5), (10, 7.5)), ("descend", (10, 7.5), (10, 9.5)), 2.5 - hung
    want = {
        "down": [(*up, 2 * left, left), (*down, 5.0, -2.5)] if left else [(*down, 5.0, -2.5)],
        "over": [("climb", (10, 7.5), (10, 9.5), 2 * left, left)],
    }[reading]
    told = [[(leg.kind, leg.start, leg.end, leg.cost, leg.rise) for leg in some] for some in found]
    assert want in told
    assert len(told) == 1 + (hung > 0)  # or from the foot again
    begun = found[told.index(want)]
    assert all(leg.test and leg.test.at == leg.start and leg.test.landing == leg.end for leg in begun)
    drops = [leg.test.drop for leg in begun]
    assert drops == ([2.5] if not left else [hung, 2.5] if reading == "down" else [hung])


TOP = {"tags": ["platform"], "polygon": [(0, 8), (20, 8), (20, 16), (0, 16)]}


@pytest.mark.parametrize(
    ("height", "kind", "way", "cost", "rise", "test"),
    [
        (0.7, "up", "up", 1.0, 0.0, None),
        (0.7, "down", "down", 1.0, 0.0, None),
        (1.2, "jump-up", "jump", 1.0, 0.0, "jump"),
        (2.5, "climb", "climb", 5.0, 2.5, "climb"),
        (2.5, "descend", "descend", 5.0, -2.5, "descend"),
    ],
)
def test_ways_up_and_down_are_told_by_their_kind(height, kind, way, cost, rise, test):
    p, q = (10.0, 7.5), (10.0, 8.5)
    p, q, on = (q, p, None) if kind in {"down", "descend"} else (p, q, "t")
    (((leg,)),) = legs(over(TOP | {"height": height}), p, q, kind)
    told = (leg.kind, leg.start, leg.end, leg.cost, leg.rise, leg.surface)
    assert told == (way, p, q, pytest.approx(cost), pytest.approx(rise), on)
    assert (leg.test and leg.test.kind) == test


def test_what_was_climbed_before_is_not_climbed_again():
    found = legs(over(TOP | {"height": 2.5}, at=(10, 7.5), climbed=1.0), (10.0, 7.5), (10.0, 8.5), "climb")
    assert sorted((leg.cost, leg.rise, leg.test.drop) for (leg,) in found) == [(3.0, 1.5, 1.0), (5.0, 2.5, 0.0)]


def test_nobody_lands_where_another_stands():
    friend = {"at": (10, 10.2), "base": 1, "height": 1.5, "side": "good"}
    assert legs(over(WALL | {"height": 1.0}, friend=friend), (10.0, 7.5), (10.0, 9.5), "jump") == []
    assert legs(over(WALL | {"height": 1.0}, friend=friend), (10.0, 7.5), (11.2, 9.5), "jump")


def test_two_cuts_of_a_ring_that_fall_together_leave_no_arc_of_nothing():
    """As one cut alone the arc has two parts, of weight 1 and 2; that between the two is never gone."""
    cuts, weights = (-2.0, 1.0, 1.0), (1.0, 7.0, 2.0)
    both, one = (
        Ring(CENTRE, RHO, 0, np.array(at), np.ones((2, len(at)), dtype=bool), np.array(weight),
             np.zeros(len(at), dtype=np.int64), np.zeros((2, len(at)), dtype=bool), np.zeros(0))
        for at, weight in ((cuts, weights), (cuts[:2], (weights[0], weights[2])))
    )  # fmt: skip
    found, told = (arc_of(ring_, 0.5, 1.5, 1) for ring_ in (both, one))
    assert [(leg.length, leg.cost) for leg in found] == [(leg.length, leg.cost) for leg in told]
    assert [leg.cost / leg.length for leg in found] == pytest.approx([1, 2])


def test_on_a_level_that_is_not_there_no_leg_is_taken():
    around = make_surroundings(NONE, NONE.model("m"), reach=5.0)
    there, nowhere = (Leg("straight", (10.0, 10.0), (12.0, 10.0), 2.0, on) for on in (None, "roof"))
    assert [leg.cost for leg in routes._along(around, there, {False})[0]] == [2.0]
    assert routes._along(around, nowhere, {False}) == ([], set())


def test_a_place_run_into_where_a_way_over_ends_leaves_the_other():
    """The first of the two is where the way over lands, and stays; after the second the path goes on as before."""
    over = Link(0, 1.0, transition=0)
    held = Path((Fixed((0.0, 0.0)), Slide(0, 3.0), Slide(0, 3.0), Fixed((5.0, 5.0))), (over, Link(0), Link(0, 2.0)))
    found = onward._merged(net([level(2)]), SimpleNamespace(path=held, length=[1.0, 0.0, 4.0]))
    assert found.elements == (held.elements[0], held.elements[1], held.elements[3])
    assert (found.links[0], found.links[1].weight) == (over, 2.0)


def test_of_rings_that_are_closed_all_round_there_are_no_tangents():
    closed = parted(np.random.default_rng(1), 3)
    closed = replace(closed, open=np.zeros((2, 3), dtype=bool))
    space = SimpleNamespace(target=None)
    builder = SimpleNamespace(rings=[closed], spaces=[space], arcs=RingArcs([closed]))
    add_tangents(builder, 0)  # nothing is added to it, and nothing else of it is looked at
    assert vars(builder).keys() == {"rings", "spaces", "arcs"}


def test_no_jump_lands_on_what_is_stepped_over():
    """A low box behind the wall: no move may end on it, and a die that lands there would; beside it one lands."""
    low = {"tags": ["obstacle"], "height": 0.3, "polygon": [(12, 9.2), (14, 9.2), (14, 10), (12, 10)]}
    table = sbg.Table(20, 20, models={"m": MAN}, terrain={"t": WALL | {"height": 1.0}, "low": low})
    around = make_surroundings(table, table.model("m"), reach=9.0)
    assert legs(around, (10.0, 7.5), (12.0, 9.5), "jump") == []
    assert len(legs(around, (10.0, 7.5), (11.4, 9.5), "jump")) == 1
    free = table.under("end_on_low_obstacle", "yes")
    assert len(legs(make_surroundings(free, free.model("m"), reach=9.0), (10.0, 7.5), (12.0, 9.5), "jump")) == 1
