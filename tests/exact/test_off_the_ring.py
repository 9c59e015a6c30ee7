"""Round a wall and across the rim of difficult ground: the best path leaves the wall where the rim leans that way.

The wall is a thick line whose rounded end the mover goes round, from a place above one tangent to a place along
another. Expected costs: tangents and arcs in closed form, the crossings found by ternary search.
"""

import math

import numpy as np
import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.solver.answer import ask
from sbg_sim.table.frozen import FrozenMap

CENTER, RADIUS, MOVER = np.array([10.0, 10.0]), 1.5, 0.5
START, END = (8.5, 12.0), (12.0, 8.5)


def leaning(angle, lean):
    """A line through the ring at an angle: a point, the direction off the ring, the side that lies ahead."""
    away = np.array([math.cos(angle), math.sin(angle)])
    onward = np.array([-away[1], away[0]])
    point = CENTER + RADIUS * away
    along = math.cos(lean) * away + math.sin(lean) * onward
    return point, along, math.cos(lean) * onward - math.sin(lean) * away


def ahead_of(line, by):
    """What lies beyond a line by so much, on a table of 24 x 24."""
    point, along, ahead = line
    p = point + by * ahead
    corners = [p - 60 * along, p + 60 * along, p + 60 * along + 60 * ahead, p - 60 * along + 60 * ahead]
    return shapely.Polygon(corners).intersection(shapely.box(0, 0, 24, 24))


def table_with(bog):
    wall = sbg.Terrain("wall", frozenset({"obstacle", "unscalable"}), sbg.line([(10, 10), (18, 18)], 2.0), 5.0)
    mire = sbg.Terrain("bog", frozenset({"difficult"}), sbg.polygon(list(bog.exterior.coords)[:-1]), None)
    me = sbg.Model("me", START, 2 * MOVER, 1.5, 30.0, "good")
    return sbg.Table(24.0, 24.0, FrozenMap({"me": me}), FrozenMap({"wall": wall, "bog": mire}))


def saved(line, before, after):
    """How much less it costs to cross a line off the ring than on it, weights before and after it given."""
    point, along, _ = line
    base = math.atan2(*(point - CENTER)[::-1])

    def less(v):
        d = point + v * along - CENTER
        apart, turned = math.hypot(*d), (math.atan2(d[1], d[0]) - base + math.pi) % (2 * math.pi) - math.pi
        free, half = math.sqrt(max(apart**2 - RADIUS**2, 0.0)), math.acos(min(RADIUS / apart, 1.0))
        return before * (RADIUS * (half - turned) - free) + after * (RADIUS * (half + turned) - free)

    low, high = 0.0, 1.0
    for _ in range(200):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (a, high) if less(a) < less(b) else (low, b)
    return max(less(low), 0.0)


def both_ways(table, cost):
    """Check the verdict, there and back, and the cost that reach tells."""
    there = sbg.check(table, sbg.Move("me", END))
    back = sbg.check(table.having("me", at=END), sbg.Move("me", START))
    for verdict in (there, back):
        assert verdict.needed == pytest.approx(cost, abs=1e-6)
        assert verdict.at_least <= cost + 1e-9
        assert verdict.at_most >= cost - 1e-9
    assert float(sbg.reach(table, "me").distance([END])[0]) == pytest.approx(cost, abs=1e-6)


@pytest.mark.parametrize("lean", [-0.3, -0.05, 0.0, 0.05, 0.2, 0.35, 0.6])
@pytest.mark.parametrize("angle", [3.6, 5 * math.pi / 4, 4.3])
def test_into_difficult_ground(angle, lean):
    line = leaning(angle, lean)
    on_ring = 2 + RADIUS * (angle - math.pi) + 2 * RADIUS * (3 * math.pi / 2 - angle) + 4
    gain = saved(line, 1.0, 2.0)
    assert (gain > 1e-9) == (lean > 0.01)
    both_ways(table_with(ahead_of(line, MOVER)), on_ring - gain)


@pytest.mark.parametrize(("first", "second"), [(0.3, -0.3), (0.3, 0.2), (-0.2, -0.3), (-0.2, 0.2)])
def test_across_a_strip(first, second):
    entered, left = leaning(3.55, first), leaning(4.3, second)
    gains = saved(entered, 1.0, 2.0), saved(left, 2.0, 1.0)
    assert [g > 1e-9 for g in gains] == [first > 0, second < 0]
    bog = ahead_of(entered, MOVER).difference(ahead_of(left, -MOVER))
    on_ring = 4 + RADIUS * math.pi / 2 + RADIUS * (4.3 - 3.55)
    both_ways(table_with(bog), on_ring - sum(gains))


@pytest.mark.parametrize("lean", [0.01, 0.02, 0.03, 0.05])
def test_off_a_base_a_path_crosses_the_rim_just_before_the_ring_does(lean):
    """Where a tangent off a ring shrinks to nothing it turns fast: a place came to rest at the end of the rim."""
    center, radius, rim, start = (12.0, 12.0), 1.5, 11.96, (9.5, 11.5)
    me, friend = sbg.Model("me", start, 1.0, 1.0, 10.0, "good"), sbg.Model("friend", center, 2.0, 1.0, 6.0, "good")
    mire = sbg.Terrain("bog", frozenset({"difficult"}), sbg.polygon([(2, 2), (rim - 0.5, 2), (rim - 0.5, 22), (2, 22)]))
    table = sbg.Table(24.0, 24.0, FrozenMap({"me": me, "friend": friend}), FrozenMap({"bog": mire}))
    end = center[1] - math.sqrt(radius**2 - (rim - center[0]) ** 2)  # where the ring crosses the rim
    leaves = math.asin(2 * (center[0] - rim) / radius) + lean  # by Snell's law, but for the lean
    goal = (rim + 2 * math.cos(leaves), end - 2 * math.sin(leaves))

    def cost(v):
        y, away = end - v * v, math.dist(start, center)
        onto = math.atan2(start[1] - center[1], start[0] - center[0]) + math.acos(radius / away)
        apart = math.hypot(rim - center[0], y - center[1])
        off = math.atan2(y - center[1], rim - center[0]) - math.acos(min(radius / apart, 1.0))
        tangents = math.sqrt(away**2 - radius**2) + math.sqrt(max(apart**2 - radius**2, 0.0))
        return 2 * (tangents + radius * ((off - onto) % math.tau)) + math.dist((rim, y), goal)

    low, high = 0.0, 0.3
    for _ in range(200):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, b) if cost(a) < cost(b) else (a, high)
    needed = ask(table, sbg.Move("me", goal)).needed
    assert needed == pytest.approx(cost(low), abs=1e-9)
