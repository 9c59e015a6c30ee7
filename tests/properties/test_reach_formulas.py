"""Areas of reaches by formula: discs, shadows, fronts in difficult ground, zones, prone models."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.referee import audit
from tests.properties.reaches import OUTLINE, R, bog, enemy, places, table, within


def test_open_ground_is_a_disc():
    found = sbg.reach(table(), "me")
    assert found.area.area == pytest.approx(16 * math.pi, abs=found.area_error)
    assert found.swept.area == pytest.approx(4.5**2 * math.pi, abs=2 * found.area_error)
    assert found.area_error < 0.01


@pytest.mark.parametrize("x", [R, 6.0, 12.0 - R])
@pytest.mark.parametrize("y", [R, 6.0, 12.0 - R])
def test_edges_and_corners_of_the_table_cut_the_disc(x, y):
    found = sbg.reach(table(at=(x, y)), "me")
    share = 0.5 ** ((x != 6.0) + (y != 6.0))
    assert found.area.area == pytest.approx(16 * math.pi * share, abs=found.area_error)


def disc_minus_shadow(d, rho, m):
    """Area reached within ``m`` past one disc of radius ``rho`` whose centre is ``d`` away, by integrals.

    Outside the shadow: the disc less the sector between the tangents, plus the part of that sector in front of
    the disc. Behind: each side's involute, ``(m - t - rho*a)^2 / 2`` per angle ``a`` run along the rim, up to the
    line behind where both sides meet.
    """
    half = math.asin(rho / d)
    tangent = math.sqrt(d * d - rho * rho)
    # The kite between the tangents less its sector of the disc.
    in_front = tangent * rho - (math.pi / 2 - half) * rho * rho
    lit = math.pi * m * m - half * m * m + in_front
    left = m - tangent
    # Turned by a, the straight way runs on for left - rho*a, or until it meets the line behind the disc.
    angle = np.linspace(0.0, min(left / rho, math.pi), 200_001)
    ahead = left - rho * angle
    # The tangent that leaves the rim at turn a has come to the direction a - half from the axis, still d-ward of it.
    toward = angle - half
    leave = math.pi / 2 + half - angle  # where on the rim, from the axis
    height = rho * np.sin(leave)
    with np.errstate(divide="ignore"):
        meets = np.where(toward > 0, height / np.sin(np.maximum(toward, 1e-300)), np.inf)
    run = np.maximum(np.minimum(ahead, meets), 0.0)
    run = np.where(leave < 0, 0.0, run)
    side = float(np.trapezoid(run * run / 2, angle))
    return lit + 2 * side


def test_disc_and_its_shadow():
    found = sbg.reach(table(replace(enemy("rock", (8.0, 6.0)), side="good")), "me")
    expected = disc_minus_shadow(2.0, 1.0, 4.0)
    assert found.area.area == pytest.approx(expected, abs=found.area_error)


def snell_front(depth, m, x):
    """How far beyond the rim of a bog one gets along ``x``: least cost of a crossing, by brute force; then inverted."""
    crossing = np.linspace(-m, m, 8_001)
    straight = np.hypot(crossing, depth)

    def cost(y):
        return float((straight + 2 * np.hypot(x - crossing, y)).min())

    low, high = 0.0, m
    if cost(0.0) > m:
        return 0.0
    for _ in range(25):
        mid = (low + high) / 2
        low, high = (mid, high) if cost(mid) <= m else (low, mid)
    return low


def test_bog_half_of_the_table():
    """Half a disc, and beyond the rim the fronts of Snell's law, found by brute force over crossings."""
    depth, m = 1.0, 4.0
    ground = sbg.polygon([(-50, 6 + depth + R), (90, 6 + depth + R), (90, 90), (-50, 90)])
    found = sbg.reach(table(bog("mire", ground), size=40.0, at=(20.0, 6.0)), "me")
    half_chord = math.sqrt(m * m - depth * depth)
    near = m * m * math.pi - (m * m * math.acos(depth / m) - depth * half_chord)
    # y of the table is at 6: below the start the disc runs to y = 2 > R, so nothing is cut off.
    along = np.linspace(0.0, half_chord, 161)
    beyond = 2 * float(np.trapezoid([snell_front(depth, m, x) for x in along], along))
    assert found.area.area == pytest.approx(near + beyond, abs=found.area_error + 2e-3)


def test_inside_a_bog_half_as_far():
    found = sbg.reach(table(bog("mire", sbg.circle((6, 6), 20.0))), "me")
    assert found.area.area == pytest.approx(4 * math.pi, abs=found.area_error)
    assert float(found.distance(np.array([7.0, 6.0]))) == pytest.approx(2.0, abs=1e-9)


def test_zones_are_kept_out_of():
    foe = enemy("foe", (9.0, 6.0))
    found = sbg.reach(table(foe), "me")
    assert shapely.distance(found.area, shapely.Point(foe.at)) == pytest.approx(2.0, abs=1e-3)
    expected = disc_minus_shadow(3.0, 2.0, 4.0)
    assert found.area.area == pytest.approx(expected, abs=found.area_error)
    engaged = sbg.reach(table(replace(foe, engaged=frozenset({"other"}))), "me")
    assert engaged.area.area == pytest.approx(disc_minus_shadow(3.0, 1.0, 4.0), abs=engaged.area_error)


def test_stuck_in_a_zone_no_nearer_than_at_the_start():
    foe = enemy("foe", (7.5, 6.0))
    found = sbg.reach(table(foe), "me")
    assert shapely.distance(found.area, shapely.Point(foe.at)) == pytest.approx(1.5, abs=1e-3)
    xy = places(found, 150, 3)
    cost, inside = found.distance(xy), within(found.area, xy)
    clear = shapely.distance(shapely.boundary(found.area), shapely.points(xy)) > OUTLINE
    assert (np.isfinite(cost) == inside)[clear].all()
    near = np.hypot(*(xy - np.array(foe.at)).T) < 1.5 - 1e-6
    assert not np.isfinite(cost[near]).any()
    for k in np.flatnonzero(np.isfinite(cost))[:6].tolist():
        at = (float(xy[k, 0]), float(xy[k, 1]))
        assert sbg.check(found.table, sbg.Move("me", at)).needed == pytest.approx(cost[k], abs=1e-6)
        assert audit(found.table, "me", found.path(at)).violations == ()


def test_a_zone_that_was_left_is_closed_again():
    """The far side of the foe is reached round its zone's rim, never through the zone."""
    foe = enemy("foe", (7.9, 6.0))
    found = sbg.reach(table(foe, move=8.0), "me")
    beyond = (7.9 + 1.95, 6.0)  # inside the zone, on its far side
    cost = float(found.distance(np.array(beyond)))
    # Stuck at 1.9 of 2.0: within the zone it may go round at its starting distance all the way.
    round_it = 1.9 * math.pi
    assert cost <= round_it + 0.2
    verdict = sbg.check(found.table, sbg.Move("me", beyond))
    assert verdict.needed == pytest.approx(cost, abs=1e-6)
    assert audit(found.table, "me", found.path(beyond)).violations == ()


def test_prone_stands_up_with_half_or_crawls_an_inch():
    found = sbg.reach(table(prone=True), "me")
    assert found.area.area == pytest.approx(4 * math.pi, abs=found.area_error)
    assert float(found.distance(np.array([6.9, 6.0]))) == pytest.approx(0.9, abs=1e-9)  # by crawling
    assert float(found.distance(np.array([7.5, 6.0]))) == pytest.approx(2 + 1.5, abs=1e-9)
    assert not math.isfinite(float(found.distance(np.array([8.1, 6.0]))))
    short = sbg.reach(table(prone=True, move=1.0), "me")
    assert short.area.area == pytest.approx(math.pi, abs=short.area_error)


def test_who_may_not_move_stays():
    found = sbg.reach(table(may_move=False), "me")
    assert found.area.area == 0
    assert np.isfinite(found.distance(np.array([[6.0, 6.0], [6.5, 6.0]]))).tolist() == [True, False]


def test_regions_beyond_jumps_are_nested_by_chance():
    body = sbg.polygon([(7, -5), (7.4, -5), (7.4, 20), (7, 20)])
    wall = sbg.Terrain("wall", frozenset({"obstacle"}), body, height=1.2)
    found = sbg.reach(table(wall), "me")
    chances = [float(c) for c, _ in found.regions]
    assert chances == sorted(chances, reverse=True)
    assert chances[0] == 1
    for (_, one), (_, two) in zip(found.regions, found.regions[1:], strict=False):
        assert shapely.difference(one, two).area < 1e-6
    # Certain: the disc less its cap beyond the near side of the wall.
    h, m = 1.0 - R, 4.0
    cap = m * m * math.acos(h / m) - h * math.sqrt(m * m - h * h)
    assert found.area.area == pytest.approx(math.pi * m * m - cap, abs=found.area_error)
    # On a 6 the move goes on straight: the disc less the strip of centres that would touch the wall.
    far = 1.4 + R
    strip = m * m * math.acos(far / m) - far * math.sqrt(m * m - far * far)
    six = found.regions[-1] if len(found.regions) < 4 else next(g for g in found.regions if float(g[0]) == 1 / 6)
    assert six[1].area == pytest.approx(math.pi * m * m - cap + strip, abs=0.01)


def test_low_obstacles_are_crossed_but_not_ended_on():
    step = sbg.Terrain("step", frozenset({"obstacle"}), sbg.circle((8.0, 6.0), 0.5), height=0.5)
    found = sbg.reach(table(step), "me")
    assert found.area.area == pytest.approx(16 * math.pi - math.pi, abs=found.area_error)
    assert float(found.distance(np.array([9.5, 6.0]))) == pytest.approx(3.5, abs=1e-9)
    assert not math.isfinite(float(found.distance(np.array([8.5, 6.0]))))


@pytest.mark.parametrize("at", [(8.0, 8.0), (48.136512775789704, 35.57569024126055)])
def test_no_fan_is_lost_round_a_shape_of_many_corners(at):
    """A ray that leaves a ring just where a path joins it is worked out to rounding; far out that is coarser."""
    x, y = at[0] + 1.09, at[1] - 2.7
    turns = [2 * math.pi * k / 50 for k in range(50)]
    body = shapely.Polygon([(x + 1.25 * math.cos(a), y + 1.25 * math.sin(a)) for a in turns])
    rock = sbg.Terrain("rock", frozenset({"obstacle", "unscalable"}), body, height=10.0)
    start = table(rock, size=72.0, move=6.0, at=at)
    found = sbg.reach(start, "me")
    places = np.random.default_rng(0).uniform(-6, 6, (3000, 2)) + np.array(at)
    near = shapely.distance(found.area.boundary, shapely.points(places)) < 2e-3
    inside = shapely.covers(found.area, shapely.points(places))
    assert ((found.distance(places) <= 6) == inside)[~near].all()
