"""Costs along a rim and behind it, as cubics: held against polynomials and against every place of a rim."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from sbg_sim.geometry.pieces import Piece, segment
from sbg_sim.geometry.rims import Rims
from sbg_sim.solver.field import behind_rims
from sbg_sim.solver.field.behind_rims import BehindRims
from sbg_sim.solver.field.candidates import BestPaths
from sbg_sim.solver.field.rim_costs import RimCosts
from sbg_sim.tolerance import CUBIC

LENGTH = 4.0
STRAIGHT = Rims([replace(segment((0.0, 0.0), (LENGTH, 0.0)), normal=(0.0, 1.0))])


def costs_of(cost, u, *, path_type=None, which=None, linked=None, sides=None, rims=None, piece=None):
    """Costs along one straight rim, or others, of a function of the place with its derivative."""
    rims = STRAIGHT if rims is None else rims
    n, piece = len(u), np.zeros(len(u), dtype=np.int64) if piece is None else np.array(piece)
    same = np.ones(n - 1, dtype=bool) if linked is None else np.array(linked)
    kind = np.zeros(n, dtype=np.int64) if path_type is None else np.array(path_type)
    known = np.zeros(n, dtype=np.int64) if which is None else np.array(which)
    both = np.ones((n, 2), dtype=bool) if sides is None else np.array(sides)
    value, slope = cost(u), cost.deriv()(u)
    node = np.arange(n)
    return RimCosts(
        piece, u, rims.at(piece, u), value, slope, both, kind, same, same, node, known, np.zeros((n, 1)), []
    ), rims


CUBE = np.polynomial.Polynomial([2.0, 0.4, -0.05, 0.01])


def test_between_two_places_a_cubic_is_met():
    """By costs and slopes at both ends a cubic is known: Hermite's interpolation."""
    u = np.array([0.0, 1.0, 2.5, 4.0])
    found, rims = costs_of(CUBE, u)
    left, h = np.array([0, 1, 2]), np.diff(u)
    flat, lean, bend, twist = found.cubic(left, h)
    for share in (0.0, 0.3, 1.0):
        t = share * h
        np.testing.assert_allclose(flat + (lean + (bend + twist * t) * t) * t, CUBE(u[:-1] + t), atol=1e-12)
    # More than a parabola by up to 4e-2: not to be relied on.
    assert found.smooth(left, h).tolist() == [False] * 3
    asked = np.linspace(0.0, 4.0, 17)
    assert np.isinf(found.between(rims, np.zeros(17, dtype=np.int64), asked)).all()


@pytest.mark.parametrize(("twist", "smooth"), [(0.9, True), (1.1, False)])
@pytest.mark.parametrize("sign", [-1, 1])
def test_what_is_but_a_little_more_than_a_parabola_is_smooth(twist, smooth, sign):
    """Of a cubic the mean slope differs from the mean of the slopes at the ends by half its third coefficient."""
    h = 0.8
    cubic = np.polynomial.Polynomial([1.0, 0.2, 0.1, sign * twist * 8 * CUBIC / (h**3 / 2)])
    found, rims = costs_of(cubic, np.array([1.0, 1.0 + h]))
    assert found.smooth(np.array([0]), np.array([h])).tolist() == [smooth]
    asked, none = np.array([0.5, 1.0, 1.3, 1.0 + h, 2.0]), np.zeros(5, dtype=np.int64)
    value = found.between(rims, none, asked)
    within = [False, smooth, smooth, smooth, False]
    assert np.isfinite(value).tolist() == within
    np.testing.assert_allclose(value[within], cubic(asked[within]), atol=1e-12)


def test_of_two_types_of_path_nothing_is_known_between():
    flat = np.polynomial.Polynomial([1.0, 0.1])
    u = np.array([0.0, 1.0, 2.0, 3.0, 4.0])
    found, rims = costs_of(flat, u, path_type=[0, 0, 1, 1, 1], which=[0, 0, 0, 0, -1])
    assert found.alike.tolist() == [True, False, True, False]
    asked, none = np.array([0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5]), np.zeros(7, dtype=np.int64)
    known = np.isfinite(found.between(rims, none, asked))
    assert known.tolist() == [True, True, False, True, True, True, False]
    found, _ = costs_of(flat, u, linked=[True, False, True, True])
    assert found.alike.tolist() == [True, False, True, True]


def test_inwards_from_an_end_a_cost_rises_no_faster_than_along_the_rim():
    steep = np.polynomial.Polynomial([1.0, 1.8])
    found, _ = costs_of(steep, np.array([0.0, 1.0]))
    assert found.cubic(np.array([0]), np.ones(1))[1].tolist() == [1.0]
    falling, _ = costs_of(np.polynomial.Polynomial([3.0, -1.8]), np.array([0.0, 1.0]))
    flat, lean, bend, twist = falling.cubic(np.array([0]), np.ones(1))
    assert lean.tolist() == [-1.8]
    assert (lean + 2 * bend + 3 * twist).tolist() == pytest.approx([-1.0])
    assert (flat + lean + bend + twist).tolist() == pytest.approx([1.2])


# -- behind a rim ------------------------------------------------------------------------------------------------------


def behind(costs, rims):
    net = SimpleNamespace(rims=rims, difficult_pieces=len(rims.length))
    return BehindRims(costs, SimpleNamespace(net=net, field=SimpleNamespace(space=0)))


ARC = Rims([Piece((2.0, 0.0), (0.3, 0.0), LENGTH, radius=2.0)])
SLOPES = [
    np.polynomial.Polynomial([2.0, 0.3]),
    np.polynomial.Polynomial([3.0, -0.6, 0.02]),
    np.polynomial.Polynomial([2.0, 0.1, 0.05, -0.01]),
    2.0 + 0.2 * np.polynomial.Polynomial([-1.25, 1.0]) + 9.0 * np.polynomial.Polynomial([-1.27, 1.0]) ** 3,
]


@pytest.mark.parametrize("rims", [STRAIGHT, ARC])
@pytest.mark.parametrize("cost", SLOPES)
@pytest.mark.parametrize("weight", [1.0, 2.0])
def test_the_least_cost_by_way_of_a_stretch_is_that_of_its_best_place(rims, cost, weight):
    """By two thousand places of it: of a place just beside it, farther off, and beyond either end."""
    rng = np.random.default_rng(5)
    u = np.linspace(0.0, LENGTH, 65)
    beside = rims.at(np.zeros(300, dtype=np.int64), rng.uniform(u[20] - 0.05, u[21] + 0.05, 300))
    xy = beside + rng.uniform(-1, 1, (300, 2)) * rng.choice([2e-3, 0.01, 0.1, 1.0, 3.0], (300, 1))
    costs, _ = costs_of(cost, u, rims=rims)
    found = behind(costs, rims)
    left, h = np.full(300, 20), np.full(300, u[1])
    places = np.linspace(u[20], u[21], 2001)
    at = rims.at(np.zeros(2001, dtype=np.int64), places)
    brute = cost(places) + weight * np.hypot(*np.moveaxis(at - xy[:, None], -1, 0))
    # Where it falls at one end and rises at the other.
    inner = (brute[:, 0] > brute[:, 1]) & (brute[:, -1] > brute[:, -2])
    assert inner.sum() > 30
    t, value = found._least(xy, np.full(300, weight), left, h, costs.cubic(left, h))
    np.testing.assert_allclose(value[inner], brute.min(axis=1)[inner], atol=CUBIC)
    assert (value >= brute.min(axis=1) - CUBIC).all()
    assert ((t >= 0) & (t <= h)).all()
    there = rims.at(np.zeros(300, dtype=np.int64), u[20] + t)
    np.testing.assert_allclose(value, cost(u[20] + t) + weight * np.hypot(*(xy - there).T), atol=1e-12)


def test_so_far_from_its_ends_the_cost_of_a_stretch_is_found_in_six_steps():
    """A tenth of a micro-inch beside the rim: there a path crosses at the foot of the place, all but."""
    costs, _ = costs_of(np.polynomial.Polynomial([2.0, 0.3]), np.array([0.0, LENGTH]))
    found, none = behind(costs, STRAIGHT), np.array([0])
    for off in (1e-7, 1e-5, 1e-3, 0.1, 1.0):
        foot = 2.0
        t, value = found._least(
            np.array([[foot, off]]), np.ones(1), none, np.array([LENGTH]), costs.cubic(none, np.array([LENGTH]))
        )
        back = off * 0.3 / math.sqrt(1 - 0.09)  # where the slope of the straight is as much as that of the rim
        assert t[0] == pytest.approx(foot - back, abs=1e-9)
        assert value[0] == pytest.approx(2 + 0.3 * (foot - back) + math.hypot(back, off), abs=1e-12)


def test_a_newton_step_off_the_stretch_is_halved_back_into_what_is_left_of_it():
    """Beside its foot the straight has all its curvature: a step from there would lead far past the stretch."""
    rng = np.random.default_rng(11)
    slope = rng.uniform(-0.9, 0.9, 200)
    u = np.array([0.0, 0.25])
    for s in slope[:40].tolist():
        costs, _ = costs_of(np.polynomial.Polynomial([2.0, s]), u)
        found = behind(costs, STRAIGHT)
        off = float(rng.uniform(1e-4, 0.15))
        foot = 0.125 + off * s / math.sqrt(1 - s * s)
        if not 0 < foot < 0.25:
            continue
        none, h = np.array([0]), np.array([0.25])
        t, _ = found._least(np.array([[foot, off]]), np.ones(1), none, h, costs.cubic(none, h))
        assert t[0] == pytest.approx(0.125, abs=1e-4)


@pytest.mark.parametrize("weight", [1.0, 2.0])
def test_at_a_place_of_a_rim_the_cost_behind_it_rises_as_differences_say(weight):
    cost = np.polynomial.Polynomial([2.0, 0.1, 0.05])
    u = np.linspace(0.0, LENGTH, 9)
    sides = np.tile([True, False], (9, 1))
    costs, _ = costs_of(cost, u, sides=sides)
    found, xy = behind(costs, STRAIGHT), np.array([[1.2, 1.5], [3.1, -0.4]])
    spot = np.array([3, 5])
    normal = STRAIGHT.frame(np.zeros(2, dtype=np.int64), u[spot])[1]
    out = ((xy - costs.xy[spot]) * normal).sum(axis=1) > 0
    value, rise, goes = found._at(xy, np.full(2, weight), spot)
    away = np.hypot(*(xy - costs.xy[spot]).T)
    np.testing.assert_allclose(value, costs.cost[spot] + weight * away)
    for k, at in enumerate(u[spot]):
        side = [cost(v) + weight * math.dist(xy[k], (v, 0.0)) for v in (at - 1e-6, at + 1e-6)]
        assert rise[k] == pytest.approx((side[1] - side[0]) / 2e-6, abs=1e-5)
    # Out of the ground a way weighs 1, into it 2; of these rims paths go on out alone.
    assert goes.tolist() == (out & (weight == 1.0)).tolist()


def test_all_crossings_that_could_be_cheaper_are_looked_at(monkeypatch):
    """Of every place the least over the whole rim: never below what is found, and what is found is on the rim."""
    cost, u = np.polynomial.Polynomial([2.0, -0.3, 0.1]), np.linspace(0.0, LENGTH, 17)
    costs, rims = costs_of(cost, u)
    found = behind(costs, rims)
    rng = np.random.default_rng(2)
    xy = np.column_stack([rng.uniform(-1, 5, 80), rng.uniform(0.05, 2.5, 80)])
    near = found.near(xy, np.ones(80), np.full(80, 9.0))
    best = np.full(80, np.inf)
    np.minimum.at(best, near.row, near.cost)
    places = np.linspace(0.0, LENGTH, 8001)
    brute = (cost(places) + np.hypot(places - xy[:, :1], xy[:, 1:])).min(axis=1)
    np.testing.assert_allclose(best, brute, atol=1e-6)
    np.testing.assert_allclose(near.cost, cost(near.u) + np.hypot(near.u - xy[near.row, 0], xy[near.row, 1]), atol=1e-6)
    assert near.sure.all()
    # Little more is looked at than may cost: a tangent at either end tells, of a place half an inch behind a rim.
    assert not (xy[found.near(xy, np.ones(80), brute - 0.02).row, 1] > 0.5).any()
    assert set(found.near(xy, np.ones(80), brute + 1e-3).row.tolist()) == set(range(80))
    # Whatever is looked at in one go.
    parts = [found.near(xy[k : k + 1], np.ones(1), np.full(1, 9.0)) for k in range(80)]
    np.testing.assert_allclose(np.concatenate([part.cost for part in parts]).min(), best.min(), atol=1e-12)
    monkeypatch.setattr(behind_rims, "_BLOCK", 7 * (len(found.spots) + 1))
    again, by_parts = found.near(xy, np.ones(80), np.full(80, 9.0)), np.full(80, np.inf)
    np.minimum.at(by_parts, again.row, again.cost)
    np.testing.assert_allclose(by_parts, best, atol=1e-12)


@pytest.mark.parametrize("mirrored", [False, True])
def test_beside_an_end_that_is_come_to_steeply_crossings_are_where_the_rim_is_walked_along(mirrored):
    """Through the ground to that end, back along the rim and into the ground again: held against all its places."""
    u, rng = np.array([0.0, 1.0]), np.random.default_rng(4)
    walked = np.polynomial.Polynomial([3.0, 0.4, -0.7, 0.0])  # it comes to its end at an inch an inch
    xy = np.column_stack([rng.uniform(0.1, 0.9, 60), -rng.uniform(0.02, 0.4, 60)])
    if mirrored:
        walked, xy = walked(np.polynomial.Polynomial([1.0, -1.0])), xy * (-1, 1) + (1, 0)
    costs, rims = costs_of(walked, u)
    steep = replace(costs, slope=np.where(np.abs(costs.slope) > 0.9, 1.8 * costs.slope, costs.slope))
    near = behind(steep, rims).near(xy, np.full(60, 2.0), np.full(60, 9.0))
    found = np.full(60, np.inf)
    np.minimum.at(found, near.row, near.cost)
    places = np.linspace(0.0, 1.0, 4001)
    brute = walked(places) + 2 * np.hypot(places - xy[:, :1], xy[:, 1:])
    inner = (brute.argmin(axis=1) % 4000) > 0
    assert inner.sum() > 20
    np.testing.assert_allclose(found[inner], brute.min(axis=1)[inner], atol=1e-6)


# -- types of path to places in a row ----------------------------------------------------------------------------------


def noted(at, lamps):
    """Costs of places on a line, each by the cheapest of lamps ``(x, y, cost)``, and how the best paths come there."""
    xy = np.column_stack([at, np.zeros(len(at))])
    every = np.array([c + np.hypot(at - x, y) for x, y, c in lamps])
    which = every.argmin(axis=0)
    source = np.array([(x, y) for x, y, _ in lamps])[which]
    direction = (xy - source) / np.hypot(*(xy - source).T)[:, None]
    cost = every.min(axis=0)
    return xy, cost, BestPaths(direction, np.ones(len(at)), which, which, np.zeros((len(at), 0)))


AT = np.linspace(-3.0, 3.0, 25)


def test_where_one_type_of_path_leads_nothing_is_doubtful():
    xy, cost, best = noted(AT, [(0.3, 2.0, 1.0)])
    assert not best.doubtful(xy, cost, 9.0).any()


def test_where_two_types_meet_costs_lie_between_what_both_slopes_say():
    xy, cost, best = noted(AT, [(-2.0, 1.0, 0.0), (2.0, 1.0, 0.3)])
    assert not best.doubtful(xy, cost, 9.0).any()


@pytest.mark.parametrize(("off", "doubtful"), [(0.005, False), (0.02, True)])
@pytest.mark.parametrize("sign", [-1, 1])
def test_a_cost_that_slopes_do_not_account_for_is_doubtful_with_its_neighbours(off, doubtful, sign):
    """By more than two hundredths of an inch an inch: places are a quarter of an inch apart."""
    xy, cost, best = noted(AT, [(0.3, 2.0, 1.0)])
    cost[10] += sign * off
    assert np.flatnonzero(best.doubtful(xy, cost, 9.0)).tolist() == ([9, 10, 11] if doubtful else [])


def test_what_no_path_was_polished_to_is_doubtful_within_the_limit():
    xy, cost, best = noted(AT, [(0.0, 2.0, 1.0)])
    best.which[[0, 12]] = -1
    assert np.flatnonzero(best.doubtful(xy, cost, 9.0)).tolist() == [0, 12]
    assert cost[0] == pytest.approx(1 + math.hypot(3, 2))
    # By the way from the place beside it less a quarter of an inch: that one too is beyond.
    assert np.flatnonzero(best.doubtful(xy, cost, cost[1] - 0.25 - 1e-9)).tolist() == [12]
    cost[0] = math.inf
    assert 0 in np.flatnonzero(best.doubtful(xy, cost, cost[1] - 0.25 + 1e-9))
    assert 0 not in np.flatnonzero(best.doubtful(xy, cost, cost[1] - 0.25 - 1e-9))
