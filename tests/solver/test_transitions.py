"""Ways over by other means: what lies under their chords by shapely, where they lead by their outlines."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.geometry.grown import Grown
from sbg_sim.rules.zones import Zone
from sbg_sim.solver.graph.graph_builder import GraphBuilder
from sbg_sim.solver.path.constraints import (
    _end_to_pass,
    _held_off,
    apart_from_rims,
    fix_at_corners,
    left_of,
)
from sbg_sim.solver.path.onward import _bound_beside, mend, obstacles
from sbg_sim.solver.path.paths import Constraint, Fixed, Link, Path, Slide, Wrap
from sbg_sim.solver.space.surroundings import Goal, make_surroundings
from sbg_sim.solver.space.transitions import led_to, length_per_cost
from sbg_sim.tolerance import TOUCH
from tests.solver.stage import net as bare
from tests.solver.stage import ring

WALL = [(9, 9), (15, 9), (15, 10), (10, 10), (10, 15), (9, 15)]  # an L, whose rim turns inward at (10, 10)
MIRE = [(12, 6), (20, 6), (20, 18), (12, 18)]
PIT = [(9, 9), (13, 9), (13, 14), (9, 14)]


def surroundings(terrain, **others):
    models = {"m": {"at": (6, 12), "base": 1, "height": 1.5, "move": 12, "side": "good"}}
    table = sbg.Table(24, 24, models=models | others, terrain=terrain)
    return make_surroundings(table, table.model("m"), reach=16.0)


@pytest.fixture(scope="module")
def jump():
    wall = {"tags": ["obstacle"], "polygon": WALL, "height": 1}
    mire = {"tags": ["difficult"], "polygon": MIRE}
    friend = {"at": (11.6, 12.4), "base": 1, "height": 1.5, "move": 6, "side": "good"}
    (way,) = surroundings({"wall": wall, "mire": mire}, f=friend).transitions
    return way


def chords(seed, count=600):
    rng = np.random.default_rng(seed)
    p = rng.uniform(7, 17, (count, 2))
    return p, p + rng.uniform(-4, 4, (count, 2))


def test_a_chord_over_a_wall_weighs_what_lies_under_it(jump):
    p, q = chords(1)
    lines = shapely.linestrings(np.stack([p, q], axis=1))
    long = np.hypot(*(q - p).T)
    mire = shapely.Polygon(MIRE).buffer(0.5, quad_segs=400)
    wet = shapely.length(shapely.intersection(lines, mire))
    np.testing.assert_allclose(jump.cost(p, q), long + wet + jump.way.cost, atol=1e-4)
    dry = jump.difficult.without(int(jump.difficult.owner[0]))
    np.testing.assert_allclose(jump.cost(p, q, dry), long + jump.way.cost)
    under = shapely.intersection(lines, shapely.Polygon(WALL))
    dry, single = shapely.length(under), shapely.get_num_geometries(under) == 1
    np.testing.assert_allclose(jump.over(p, q)[single], dry[single], atol=1e-6)


def test_a_chord_is_open_that_runs_through_the_wall_alone_and_past_nothing(jump):
    p, q = chords(2, 4000)
    free = np.zeros(len(p), dtype=bool)
    found = jump.open(p, q, free, free)
    lines = shapely.linestrings(np.stack([p, q], axis=1))
    body = shapely.Polygon(WALL).buffer(0.5, quad_segs=400)
    within = shapely.length(shapely.intersection(lines, body)) / np.hypot(*(q - p).T)
    friend = shapely.distance(lines, shapely.Point(11.6, 12.4))
    sure = (np.abs(within - 1) > 1e-4) | (within == 1)
    assert (found == ((within == 1) & (friend >= 1.0)))[sure & (np.abs(friend - 1) > 1e-6)].mean() > 0.999
    assert found.sum() > 20
    assert jump.open_free(p, q).tolist() == found.tolist()
    assert not jump.open(p[:3], p[:3], free[:3], free[:3]).any()
    nowhere = np.full((2, 2), np.nan)
    assert not jump.open(p[:2], nowhere, free[:2], free[:2]).any()


def test_where_its_rim_turns_inward_a_chord_leaves_a_wall(jump):
    np.testing.assert_allclose(jump.notches, [[10.5, 10.5]], atol=1e-9)
    p, q = np.array([[10.5, 12.0], [8.5, 11.0], [10.8, 10.5]]), np.array([[12.0, 10.5], [10.5, 10.4], [10.5, 10.8]])
    assert jump.leaves(p, q).tolist() == [True, False, True]
    assert jump.leaves(p[1:2], q[1:2]).tolist() == [False]


def test_straight_across_one_comes_out_where_a_line_at_right_angles_leaves_the_wall(jump):
    p = np.array([[8.5, 12.0], [10.5, 13.0], [12.0, 8.5], [12.0, 10.5], [15.5, 9.5], [9.5, 15.5]])
    want = np.array([[10.5, 12.0], [8.5, 13.0], [12.0, 10.5], [12.0, 8.5], [8.5, 9.5], [9.5, 8.5]])
    np.testing.assert_allclose(jump.landing(p), want, atol=1e-9)
    rows, tied = jump.tied(p)
    assert (len(rows), len(tied)) == (0, 0)  # on one level there is one way straight across
    assert jump.landing(np.zeros((0, 2))).shape == (0, 2)
    np.testing.assert_allclose(jump.to_far(np.array([[8.5, 12.0], [8.0, 12.0]])), [0.0, 0.5], atol=1e-9)
    assert jump.leads(p[0], want[0])
    assert not jump.leads(p[0], want[0] + 0.01)


def test_a_jump_costs_no_less_than_it_is_long_and_a_climb_over_is_free_for_two_bases(jump):
    assert jump.at_least(np.array([0.0, 2.0])).tolist() == pytest.approx([jump.way.cost, 2 + jump.way.cost])
    assert jump.length_per_cost == 1.0
    high = {"tags": ["obstacle"], "polygon": WALL, "height": 2}
    ways = surroundings({"wall": high}).transitions
    climb = next(way for way in ways if way.way.kind == "climb-over")
    apart = np.array([0.0, 1.9, 2.0, 2.5])
    assert climb.at_least(apart).tolist() == pytest.approx((np.array([0, 0, 0, 0.5]) + climb.way.cost).tolist())
    p, q = np.array([[8.5, 12.0]]), np.array([[10.5, 12.0]])
    assert climb.cost(p, q).tolist() == pytest.approx([climb.way.cost])
    assert climb.cost(p, q + 3).tolist() == pytest.approx([math.hypot(5, 3) - 2 + climb.way.cost])
    assert climb.length_per_cost == pytest.approx(max(1.0, 2.0 / climb.way.cost))
    assert length_per_cost([climb, jump]) == climb.length_per_cost
    assert length_per_cost([]) == 1.0


def test_rings_about_the_corners_of_a_wall_are_turned_round_with_it(jump):
    for corner in WALL:
        assert jump.turns_at(ring(*corner, 0.5))
    assert not jump.turns_at(ring(9, 9, 0.6))
    assert not jump.turns_at(ring(9, 12, 0.5))


def test_levels_that_ways_lead_to_are_found_however_far():
    ways = [(0, 1), (1, 2), (2, 0), (4, 5), (2, 3)]
    assert led_to(ways, 0) == {0, 1, 2, 3}
    assert led_to(ways, 4) == {4, 5}
    assert led_to(iter(ways), 3) == {3}
    assert led_to([], 7) == {7}


# -- climbs and leaps --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ledge():
    top = {"tags": ["platform"], "polygon": [(8, 8), (16, 8), (16, 16), (8, 16)], "height": 2.0}
    here = surroundings({"top": top})
    return {way.way.kind: way for way in here.transitions}, here


def test_a_climb_leads_straight_across_the_side_it_begins_at(ledge):
    ways, _ = ledge
    up = next(way for kind, way in ways.items() if way.source == 0)
    p = np.array([[7.5, 12.0], [12.0, 16.5], [16.5, 9.0]])
    q = up.landing(p)
    assert (np.hypot(*(q - p).T) >= up.least - 1e-9).all()
    inward = q - p
    np.testing.assert_allclose(inward / np.hypot(*inward.T)[:, None], [[1, 0], [0, -1], [-1, 0]], atol=1e-9)
    free = np.zeros(3, dtype=bool)
    assert up.open(p, q, free, free).all()
    # From beside a corner a face on either side can be taken.
    corner = np.array([[8 - 0.5 * math.sqrt(0.5), 8 - 0.5 * math.sqrt(0.5)]])
    both = np.concatenate([up.landing(corner), up.tied(corner)[1]])
    assert len(np.unique(both.round(6), axis=0)) == len(both)
    assert not up.aslant(p, q).any()
    aside = q + np.array([[0.0, 0.3], [0.3, 0.0], [0.0, 0.3]])
    assert up.aslant(p, aside).all()
    assert up._at_its_side(p, aside).all()
    # It begins off the corner and crosses a side that the base does not touch there (CLB.1).
    begin, land = np.array([[7.3, 16.4]]), np.array([[8.9, 14.6]])
    assert up.aslant(begin, land).all()
    assert not up._at_its_side(begin, land).any()


def test_what_a_leap_over_a_pit_leads_over_is_the_pit():
    pit = {"tags": ["gap"], "polygon": PIT, "depth": 3}
    here = surroundings({"pit": pit})
    leap = next(way for way in here.transitions if way.way.kind == "leap")
    rng = np.random.default_rng(4)
    p, q = (np.column_stack([rng.uniform(low, low + 2, 200), rng.uniform(8, 15, 200)]) for low in (6.9, 13.1))
    lines = shapely.linestrings(np.stack([p, q], axis=1))
    under = shapely.length(shapely.intersection(lines, shapely.Polygon(PIT)))
    np.testing.assert_allclose(leap.over(p, q), under, atol=1e-9)


# -- what ways over must clear -----------------------------------------------------------------------------------------


def test_lines_are_so_far_from_rims():
    rng = np.random.default_rng(6)
    p, q = rng.uniform(0, 9, (2, 30, 2))
    circles = np.column_stack([rng.uniform(0, 9, (7, 2)), rng.uniform(0.2, 2, 7)])
    lines = shapely.linestrings(np.stack([p, q], axis=1))
    true = shapely.distance(lines[:, None], shapely.points(circles[:, :2])) - circles[:, 2]
    np.testing.assert_allclose(apart_from_rims(p, q, circles), true, atol=1e-9)
    way = p[:1], q[:1]
    side = (q - p)[0, 0] * (circles[:, 1] - p[0, 1]) - (q - p)[0, 1] * (circles[:, 0] - p[0, 0])
    np.testing.assert_allclose(left_of(way, circles[:, :2]), side / math.dist(p[0], q[0]))


def test_a_side_that_is_cut_far_from_its_ends_is_passed_at_the_end_nearer_to_the_way_that_was_sampled(jump):
    body = jump.others.capsules(np.zeros(len(jump.others.rho), dtype=bool))
    cut = np.array([[0.0, 0.0]]), np.array([[10.0, 0.0]])
    assert _end_to_pass(body, cut, cut) is None
    spines = np.array([[5.0, -3.0, 5.0, 4.0], [8.0, 6.0, 9.0, 6.0]])
    two = Grown(spines, np.full(2, 0.5), owner=np.zeros(2, dtype=int))
    above, below = ((np.array([[0.0, y]]), np.array([[10.0, y]])) for y in (5.0, -4.0))
    assert _end_to_pass(two, cut, above) == (5.0, 4.0, 0.5)
    assert _end_to_pass(two, cut, below) == (5.0, -3.0, 0.5)
    assert _end_to_pass(two, above, above) is None


@pytest.fixture(scope="module")
def net():
    """A wall to jump and a friend beside it, as a graph."""
    wall = {"tags": ["obstacle"], "polygon": [(9, 9), (9.4, 9), (9.4, 15), (9, 15)], "height": 1}
    models = {"m": {"at": (6, 12), "base": 1, "height": 1.5, "move": 12, "side": "good"}}
    models["f"] = models["m"] | {"at": (10.9, 12.3)}
    table = sbg.Table(24, 24, models=models, terrain={"wall": wall})
    here = make_surroundings(table, table.model("m"), reach=12.0)
    return GraphBuilder(here, Goal(None, (13.0, 12.0)), 0.25, 12.0).build()


def test_a_jump_that_cuts_a_base_is_held_to_clear_it_on_the_side_it_was_sampled_on(net):
    places = [Fixed(at) for at in ((6.0, 12.0), (8.5, 12.3), (9.9, 12.3), (13.0, 12.0))]
    over = Path(tuple(places), (Link(0), Link(0, transition=0), Link(0)))
    for y, side in ((13.4, -1.0), (11.2, 1.0)):
        sampled = replace(over, elements=(over.elements[0], Fixed((8.5, y)), Fixed((9.9, y)), over.elements[3]))
        legs, first = (((np.array([e.elements[1].at]), np.array([e.elements[2].at]))) for e in (over, sampled))
        cut = legs[0], np.array([[10.4, 12.3]])
        held = _held_off(net, over.links[1], sampled, 0, cut, first)
        assert held.constraints == (Constraint(0, (10.9, 12.3, 1.0), side),)
        assert _held_off(net, over.links[1], held, 0, cut, first) is None  # it is held already
        assert _held_off(net, over.links[1], sampled, 0, first, first) is None  # it cuts nothing


def test_ways_straight_across_are_fixed_where_they_begin_or_land_at_an_end_of_a_rim(net):
    j = 0
    rim = net.rim_of(j, near=True)[0]
    length = net.pieces[rim].length
    links = (Link(0), Link(0, transition=j), Link(0))
    start, end = Fixed((6.0, 12.0)), Fixed((13.0, 12.0))
    free = Path((start, Slide(rim, length / 2), Slide(rim, 0.0), end), links)
    assert fix_at_corners(net, free) is free  # a jump need not lead straight across


def test_what_a_path_runs_into_it_goes_round_on_the_nearer_side(net):
    for y in (12.0, 12.6):
        straight = Path((Fixed((10.9, 16.0)), Fixed((10.9 + 12.3 - y, 8.0))), (Link(0),))
        (found,) = mend(net, [straight])
        (inner,) = found.elements[1:-1]
        assert net.rings[inner.ring].center == (10.9, 12.3)
        left = (straight.elements[1].at[0] - 10.9) * (12.3 - 16.0) - (8.0 - 16.0) * 0.0
        assert inner.turn == (1 if left > 0 else -1)
    clear = Path((Fixed((13.0, 16.0)), Fixed((13.0, 8.0))), (Link(0),))
    assert mend(net, [clear]) == [None]
    round_ = Path((Fixed((13.0, 16.0)), Wrap(inner.ring, -1), Fixed((13.0, 8.0))), (Link(0), Link(0)))
    assert [one.elements for one in mend(net, [round_], [1])] == [clear.elements]
    assert mend(net, []) == []


def test_obstacles_are_walls_and_zones_that_bind_a_free_mover():
    foes = {
        name: {"at": at, "base": 1, "height": 1.5, "move": 6, "side": "evil"}
        for name, at in (("near", (6.0, 10.2)), ("far", (12.0, 12.0)))
    }
    models = {"m": {"at": (6, 12), "base": 1, "height": 1.5, "move": 12, "side": "good"}} | foes
    table = sbg.Table(24, 24, models=models)
    space = make_surroundings(table, table.model("m"), reach=12.0, charging="far").spaces[0]
    p, q = np.array([[6.0, 12.0], [2.0, 10.2], [6.0, 12.0]]), np.array([[11.0, 12.0], [4.5, 10.2], [9.0, 10.2]])
    circles, depth = obstacles(space, p, q)
    rows = {tuple(circle): depth[:, k] for k, circle in enumerate(circles.round(6).tolist())}
    assert rows[12.0, 12.0, 2.0].tolist() == pytest.approx([-1.0, 5.77, 1.498], abs=0.3)
    assert rows[6.0, 10.2, 1.8][0] == pytest.approx(0.0)
    left = rows[6.0, 10.2, 2.0]
    assert np.isinf(left[[0, 2]]).all()  # who starts in the zone may be in it
    assert left[1] == pytest.approx(-0.5)
    bound, _ = obstacles(space, p, q, (True, True))
    assert {tuple(c) for c in bound.round(6).tolist()} == {(6.0, 10.2, 1.0), (12.0, 12.0, 1.0)}
    ending, deep = obstacles(space, p[:1], q[:1], (False, True))
    assert (12.0, 12.0, 2.0) not in {tuple(c) for c in ending.round(6).tolist()}
    assert (deep > -TOUCH).all()


def test_between_its_ends_a_link_is_bound_where_it_comes_into_the_zone(net):
    here = bare(rings=[ring(3.0, 0.0, 1.0), ring(7.0, 0.0, 1.0), ring(99.0, 0.0, 1.0)])
    here.spaces = [SimpleNamespace(target=Zone("orc", (8.0, 0.0), 2.0, 0.0))]
    ends = np.array([0.0, 0.5]), np.array([8.0, 0.5])
    coming = Link(0, bound=(False, True))
    assert [_bound_beside(here, coming, ends, Wrap(k, 1)) for k in (0, 1, 2)] == [False, True, True]
    for state in (True, False):
        same = Link(0, bound=(state, state))
        assert [_bound_beside(here, same, ends, Wrap(k, 1)) for k in (0, 1)] == [state, state]


def test_who_steps_up_within_a_zone_and_comes_out_of_it_is_not_bound_by_it():
    """A notch 1.2 in wide, beside it whom one charges: up the other side one lands 2.2 in off, its zone being 2 in."""
    notched = [(6, 2), (18, 2), (18, 14), (11.2, 14), (11.2, 4), (10, 4), (10, 14), (6, 14)]
    man = {"base": 1, "height": 1.5, "move": 12}
    models = {"me": {**man, "at": (10.6, 13.3), "side": "good"}}
    models["foe"] = {**man, "at": (9.5, 8), "side": "evil", "on": "top"}
    top = {"tags": ["platform"], "height": 0.5, "polygon": notched}
    table = sbg.Table(24, 16, models=models, terrain={"top": top}).under("charge_stays_in_zone", "no")
    around = make_surroundings(table, table.model("me"), reach=14.0, charging="foe")
    (up,) = (way for way in around.transitions if way.source == 0)
    begun = np.array([[10.7, 8.0], [10.7, 11.0], [10.5, 9.8]])
    landed = begun + np.array([[1.0, 0.0], [1.0, 0.0], [-1.0, 0.0]])
    free, bound = np.zeros(3, dtype=bool), np.ones(3, dtype=bool)
    assert up.open(begun, landed, free, bound).tolist() == [False, False, True]  # the last comes out in it
    assert up.open(begun, landed, free, free).tolist() == [False, True, False]
    assert up.open(begun, landed, bound, bound).tolist() == [True, True, True]
