"""Rays by brute force: how far one may go straight on, step by step; and what a wavefront holds."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.arrays import unit
from sbg_sim.solver.field import rays
from sbg_sim.solver.field.rays import Caster, Rays, cast_finely, wavefront
from sbg_sim.tolerance import SAGITTA

MODELS = {
    "me": {"at": (8, 8), "base": 1, "height": 1.5, "move": 6, "side": "good"},
    "friend": {"at": (10.2, 9.1), "base": 1.5, "height": 1.5, "move": 6, "side": "good"},
    "foe": {"at": (5, 6.4), "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    "close": {"at": (8.2, 6.3), "base": 1, "height": 1.5, "move": 6, "side": "evil"},
}
GROUND = {
    "rock": {"tags": ["unscalable"], "polygon": [(4, 10), (6.5, 10.3), (5.2, 13)], "height": 9},
    "bog": {"tags": ["difficult"], "polygon": [(9, 10), (13, 10.5), (12, 13), (8.5, 13.2)]},
    "pool": {"tags": ["difficult"], "circle": {"center": (12.5, 6.5), "radius": 1.1}},
}
STEP = 0.004


@pytest.fixture(scope="module")
def caster():
    reach = sbg.reach(sbg.Table(14, 14, models=MODELS, terrain=GROUND), "me")
    return Caster(reach.certain.at(0, None).net, 0, reach.limit)


def marched(space, p, angle, limit):
    """How far a free mover comes straight on until it may not, the ground changes, or movement is used up."""
    at = p + (np.arange(1, 3000) * STEP)[:, None] * unit(np.array(angle))
    weight = space.weight(p[None] + 1e-6 * unit(np.array([angle])))[0]
    stops = [~space.free(at), space.weight(at) != weight]
    # Into a zone that the mover starts in there is no way back, and within it none nearer to its enemy (CZ.4).
    nearest = [(z, z.closest if z.holds(p[None])[0] else z.radius) for z in space.zones if z.stuck]
    stops += [np.hypot(*(at - zone.at).T) < radius for zone, radius in nearest]
    ends = [STEP * int(np.argmax(stop)) if stop.any() else math.inf for stop in stops]
    return min(*ends, limit / weight), weight, ends


@pytest.mark.parametrize("seed", range(6))
def test_a_ray_goes_as_far_as_one_may_walk_straight_on(caster, seed):
    space, rng = caster.space, np.random.default_rng(seed)
    p = rng.uniform(1, 13, (40, 2))
    p = p[space.free(p)]
    angle, cost = rng.uniform(-4, 4, len(p)), rng.uniform(0, 7, len(p))
    ends, end = caster.cast(p, angle, cost)
    length = ((ends - p) * unit(angle)).sum(axis=1)
    np.testing.assert_allclose(p + length[:, None] * unit(angle), ends, atol=1e-12)
    for k in range(len(p)):
        left = max(caster.limit - cost[k], 0.0)
        far, weight, stops = marched(space, p[k], angle[k], left)
        assert length[k] == pytest.approx(far, abs=2 * STEP)
        if left / weight < min(stops) - 2 * STEP:
            assert end[k] == -weight  # the movement is used up
        elif min(stops) < left / weight - 2 * STEP:
            assert end[k] >= 0


def test_from_within_a_zone_rays_end_where_its_enemy_would_be_nearer(caster):
    (zone,) = caster.stuck
    angle = np.linspace(-math.pi, math.pi, 90)
    p = np.broadcast_to(np.array(MODELS["me"]["at"], dtype=float), (90, 2))
    ends, _ = caster.cast(p, angle, np.full(90, 4.5))
    away = np.hypot(*(ends - zone.at).T)
    assert (away >= zone.closest - 1e-5).all()
    ahead = np.cos(angle - math.atan2(zone.at[1] - 8, zone.at[0] - 8))
    assert np.hypot(*(ends - p)[ahead > 0.05].T).max() < 5e-5  # every step would lead nearer
    assert np.hypot(*(ends - p)[ahead < -0.05].T).min() > 0.2


def test_where_it_may_come_no_nearer_at_all_a_mover_walks_away_alone():
    """Under a reading every step has to lead away: who stands within the zone goes on no ray that begins toward it."""
    table = sbg.Table(14, 14, models=MODELS, terrain=GROUND, rulings=sbg.Rulings({"stuck_no_closer": "monotone"}))
    caster = Caster(sbg.reach(table, "me").certain.at(0, None).net, 0, 6.0)
    (zone,) = caster.stuck
    toward = math.atan2(zone.at[1] - 8, zone.at[0] - 8)
    off = np.array([-2.5, -1.6, -1.5, -1.0, 0.0, 1.0, 1.5, 1.6, 2.5])
    p = np.broadcast_to(np.array([8.0, 8.0]), (9, 2)) + 0.1 * unit(np.array(toward + math.pi))
    ends, _ = caster.cast(p, toward + off, np.full(9, 4.5))
    assert (np.hypot(*(ends - p).T) > 0.05).tolist() == (np.abs(off) > math.pi / 2).tolist()


def test_rays_that_leave_a_top_by_different_sides_end_at_different_things():
    """Of a top whose rim the centre may reach: each side is one thing, and none is an edge of the table."""
    top = {"tags": ["platform"], "polygon": [(5, 5), (9, 5), (9, 9), (7, 9), (7, 7), (5, 7)], "height": 4}
    models = {"me": MODELS["me"] | {"at": (8, 6), "on": "top"}}
    rulings = sbg.Rulings({"stand_on": "centre"})
    table = sbg.Table(14, 14, models=models, terrain={"top": top}, rulings=rulings)
    field = sbg.reach(table, "me").certain.at(0, "top")
    caster = Caster(field.net, field.space, 6.0)
    assert not caster.space.margin
    p = np.broadcast_to(np.array([8.0, 6.0]), (6, 2))
    to = np.array([(9, 6.2), (8, 5), (5, 5.6), (5, 6.4), (8.2, 9), (6, 6)], dtype=float)
    d = to - p
    ends, end = caster.cast(p, np.arctan2(d[:, 1], d[:, 0]), np.zeros(6))
    np.testing.assert_allclose(ends[:5], to[:5], atol=1e-5)
    assert ends[5].tolist() == pytest.approx([5.0, 6.0], abs=1e-5)
    sides = (end - rays._KINDS).tolist()
    assert min(sides) >= 5
    assert sides[2] == sides[3] == sides[5]
    assert len(set(sides)) == 4


def test_rays_are_the_same_however_many_are_cast_at_once(caster, monkeypatch):
    rng = np.random.default_rng(9)
    p = rng.uniform(1, 13, (30, 2))
    asked = p[caster.space.free(p)], rng.uniform(-4, 4, caster.space.free(p).sum()), rng.uniform(0, 6, 30)
    asked = (*asked[:2], asked[2][: len(asked[0])])
    whole = caster.cast(*asked)
    monkeypatch.setattr(rays, "_BATCH", 1)
    for one, two in zip(whole, caster.cast(*asked), strict=True):
        np.testing.assert_array_equal(one, two)
    nothing = caster.cast(p[:0], np.zeros(0), np.zeros(0))
    assert [len(part) for part in nothing] == [0, 0]


def test_along_the_edge_of_the_table_a_ray_does_not_end(caster):
    x0, y0, x1, y1 = caster.space.box
    p = np.array([[x0, y0], [x1, y0], [x0, y1]])
    ends, _ = caster.cast(p, np.array([0.0, math.pi, -math.pi / 2]), np.zeros(3))
    assert np.hypot(*(ends - p).T).min() > 2


def test_chords_cut_so_deep_into_what_ends_their_rays(caster):
    """Into a disc by what lies between its chord and its arc; into a straight side not at all."""
    disc = int(np.flatnonzero(np.isclose(caster.closed.rho, 1.25))[0])  # the friend's base, grown
    x, y = MODELS["friend"]["at"]
    half = 0.3
    one, two = (np.array([(x, y)]) + 1.25 * unit(np.array([2.0 + side * half])) for side in (-1, 1))
    assert caster.cut(one, two, np.array([disc]))[0] == pytest.approx(1.25 * (1 - math.cos(half)))
    (zone,) = caster.stuck
    for row, rho in ((0, zone.radius), (1, zone.closest)):
        one, two = (np.array([zone.at]) + rho * unit(np.array([0.4 + side * half])) for side in (-1, 1))
        end = np.array([2 * rays._KINDS + row])
        assert caster.cut(one, two, end)[0] == pytest.approx(rho * (1 - math.cos(half)))
    arc = int(np.flatnonzero(np.isclose(caster.rims.radius, 1.6))[0])  # the pool's rim, grown
    rim = (2 + len(caster.stuck)) * rays._KINDS + arc
    c, rho = caster.rims.start[arc], caster.rims.radius[arc]
    one, two = (c[None] + rho * unit(np.array([1.1 + side * half])) for side in (-1, 1))
    assert caster.cut(one, two, np.array([rim]))[0] == pytest.approx(rho * (1 - math.cos(half)))
    assert caster.cut(one, two, np.array([-1]))[0] == 0  # where the movement is used up
    straight = (2 + len(caster.stuck)) * rays._KINDS + int(np.flatnonzero(caster.rims.radius == 0)[0])
    assert caster.cut(one, two, np.array([straight]))[0] == 0


def test_chords_run_on_from_one_piece_of_a_rim_to_the_next(caster):
    rim, rims = (2 + len(caster.stuck)) * rays._KINDS, caster.rims
    meet = [
        (i, j)
        for i in range(len(rims.length))
        for j in range(len(rims.length))
        if i != j and np.hypot(*(rims.ends[i, 1] - rims.ends[j, 0])) < 1e-9
    ]
    assert meet
    for i, j in meet:
        for off, on in ((0.01, True), (0.3, False)):
            before = min(off, rims.length[i] / 2)
            after = min(off, rims.length[j] / 2)
            one, two = rims.at(np.array([i]), rims.length[[i]] - before), rims.at(np.array([j]), np.array([after]))
            d = (two - one) / np.hypot(*(two - one).T)
            corner = rims.ends[i, 1] - one
            away = np.abs(corner[0, 0] * d[0, 1] - corner[0, 1] * d[0, 0])
            found = caster.go_on(one, two, np.array([rim + i]), np.array([rim + j]))
            assert found.tolist() == [bool(away <= SAGITTA)]
            assert on or found.tolist() == [False] or away <= SAGITTA
    i, j = meet[0]
    far = next(
        k
        for k in range(len(rims.length))
        if np.hypot(*(rims.ends[i][:, None] - rims.ends[k][None]).reshape(-1, 2).T).min() > 0.1
    )
    at = rims.at(np.array([i]), rims.length[[i]])
    assert not caster.go_on(at, at, np.array([rim + i]), np.array([rim + far]))[0]
    assert not caster.go_on(at, at, np.array([rim + i]), np.array([0]))[0]


def test_between_two_rays_that_one_solid_thing_ends_others_add_nothing(caster):
    rim = (2 + len(caster.stuck)) * rays._KINDS
    end = np.array([7, 7, 7, 7, 8, 8, 8, 8, -1, -1, -1, rim, rim, rim])
    fan = np.array([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1])
    assert np.flatnonzero(caster.between(end, fan)).tolist() == [1, 2]
    edge = np.array([rays._KINDS + 2] * 3)
    assert caster.between(edge, np.zeros(3)).tolist() == [False, True, False]


def test_nor_do_others_between_two_that_one_straight_piece_of_a_rim_ends(caster):
    rim = (2 + len(caster.stuck)) * rays._KINDS
    straight, arc = (int(np.argmax(kind)) for kind in (caster.rims.radius == 0, caster.rims.radius > 0))
    assert caster.between(np.full(3, rim + straight), np.zeros(3)).tolist() == [False, True, False]
    assert not caster.between(np.full(3, rim + arc), np.zeros(3)).any()


# -- fans that are cast finely -----------------------------------------------------------------------------------------


def test_of_a_gap_eighths_are_even():
    value = np.array([1.0, 9.0, 3.0])
    np.testing.assert_allclose(rays._eighths(value, np.array([0, 1])), [np.linspace(1, 9, 9), np.linspace(9, 3, 9)])
    have, new = np.array([[0, 0], [8, 8], [5, 5]]), np.arange(1, 15).repeat(2).reshape(14, 2)
    found = rays._within(have, new, np.array([0, 1]))
    assert found[..., 0].tolist() == [[0, 1, 2, 3, 4, 5, 6, 7, 8], [8, 8, 9, 10, 11, 12, 13, 14, 5]]


@pytest.mark.parametrize("edge", [0.31, 0.77, 1.42])
def test_where_one_thing_ends_and_another_begins_rays_come_closer(edge):
    """What is beyond an angle is farther away: eighths of eighths of the gap are looked at about it, no others."""
    asked = []

    def cast(p, angle, cost):
        asked.append(len(angle))
        end = (angle % math.tau > edge).astype(np.int64)
        return p + (2.0 + end)[:, None] * unit(angle), end

    theta = np.linspace(0.0, 1.6, 5)
    caster = SimpleNamespace(cast=cast, go_on=lambda one, *_: np.zeros(one.shape[:-1], dtype=bool))
    fan = Rays(np.zeros((1, 2)), np.zeros(1), np.zeros(1), np.zeros(5, dtype=int), theta, np.zeros(5))
    found, ends, end = cast_finely(caster, fan, math.inf)
    assert (np.diff(found.theta) > 0).all()
    assert set(theta.tolist()) <= set(found.theta.tolist())
    (k,) = np.flatnonzero(np.diff(end))
    assert found.theta[k] <= edge < found.theta[k + 1]
    assert found.theta[k + 1] - found.theta[k] == pytest.approx(0.4 / 64)
    assert asked == [5, 7, 7]
    assert len(found.theta) == 5 + 2 * 3  # three halvings each time
    np.testing.assert_allclose(np.hypot(*ends.T), 2.0 + end)


def test_rays_of_two_fans_leave_no_gap_between_them():
    caster = SimpleNamespace(
        cast=lambda p, angle, cost: (p + unit(angle), np.arange(len(angle))),
        go_on=lambda one, *_: np.zeros(one.shape[:-1], dtype=bool),
    )
    fan = np.array([0, 1])
    two = Rays(np.zeros((2, 2)), np.zeros(2), np.zeros(2), fan, np.array([0.0, 1.0]), np.zeros(2))
    assert len(cast_finely(caster, two, math.inf)[1]) == 2


def test_where_chords_cut_too_deep_rays_come_closer():
    """All rays end at a wheel: chords between them may stray by so much."""
    caster = SimpleNamespace(
        cast=lambda p, angle, cost: (p + 3 * unit(angle), np.ones(len(angle), dtype=np.int64)),
        go_on=lambda one, *_: np.zeros(one.shape[:-1], dtype=bool),
        cut=lambda one, two, end: 3 - np.hypot(*np.moveaxis((one + two) / 2, -1, 0)),
    )
    theta = np.array([0.0, 0.8])
    fan = Rays(np.zeros((1, 2)), np.zeros(1), np.zeros(1), np.zeros(2, dtype=int), theta, np.zeros(2))
    for stray, gap in ((0.3, 0.8), (0.1, 0.4), (0.03, 0.2), (0.006, 0.1), (0.0015, 0.05), (0.0004, 0.025)):
        found = cast_finely(caster, fan, stray)[0].theta
        np.testing.assert_allclose(np.diff(found), gap)


def test_rays_leave_circles_by_tangents_and_places_straight():
    fans = Rays(
        np.array([[1.0, 2.0], [5.0, 5.0], [7.0, 7.0]]),
        np.array([0.5, 2.0, 0.0]),
        np.array([1.0, -1.0, 0.0]),
        np.array([0, 0, 1, 2]),
        np.array([0.0, 1.0, math.pi, 0.3]),
        np.arange(4.0),
    )
    np.testing.assert_allclose(fans.start[[0, 2, 3]], [[1.5, 2.0], [3.0, 5.0], [7.0, 7.0]], atol=1e-12)
    np.testing.assert_allclose(fans.angle, [math.pi / 2, 1 + math.pi / 2, math.pi / 2, 0.3])
    both = fans.joined(fans)
    assert both.fan.tolist() == [0, 0, 1, 2, 3, 3, 4, 5]
    np.testing.assert_array_equal(both.start, np.tile(fans.start, (2, 1)))
    assert both.cost.tolist() == [0, 1, 2, 3] * 2


# -- wavefronts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("steps", [8, 16, 40])
def test_a_wavefront_holds_as_much_as_its_arcs(steps):
    """Of a fan all round a place: the error falls with the fourth power of a step, that of chords with the second."""
    theta = np.linspace(0.0, math.tau, steps + 1)
    ends = 2.5 * unit(theta)
    points, own = wavefront(ends, theta, np.full(steps + 1, -1), np.zeros(steps + 1, dtype=int))
    near = math.cos(math.tau / steps) > rays.STRAIGHT_ON
    assert len(points) == (2 * steps + 1 if near else steps + 1)
    np.testing.assert_array_equal(points[own], ends)
    true = math.pi * 2.5**2
    if near:
        assert shapely.Polygon(points).area == pytest.approx(true, rel=2 * (math.tau / steps) ** 4 / 100)


def test_a_wavefront_lies_only_between_rays_of_one_fan_that_use_the_movement_up():
    theta = np.array([0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    end = np.array([-1, -1, 5, -1, -2, -2, -2])
    fan = np.array([0, 0, 0, 0, 0, 0, 1])
    points, own = wavefront(2 * unit(theta), theta, end, fan)
    assert own.tolist() == [0, 2, 3, 4, 5, 7, 8]
    middle = points[[1, 6]]
    np.testing.assert_allclose(np.arctan2(middle[:, 1], middle[:, 0]), [0.05, 0.45])
    chord, arc = 2 * math.cos(0.05), 2.0
    # Between a chord and its arc lies two thirds of the height of a triangle that holds as much.
    np.testing.assert_allclose(np.hypot(*middle.T), chord + 4 / 3 * (arc - chord), rtol=1e-4)


def test_parallel_rays_and_single_ones_have_no_wavefront():
    ends = np.array([[0.0, 3.0], [1.0, 3.0]])
    up = np.full(2, math.pi / 2)
    points, own = wavefront(ends, up, np.full(2, -1), np.zeros(2, dtype=int))
    assert (points.tolist(), own.tolist()) == (ends.tolist(), [0, 1])
    points, own = wavefront(ends[:1], up[:1], np.full(1, -1), np.zeros(1, dtype=int))
    assert (points.tolist(), own.tolist()) == (ends[:1].tolist(), [0])
