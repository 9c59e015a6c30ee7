"""Ways through and round difficult ground against Snell's law solved here, by other means than the solver's."""

from __future__ import annotations

import math
from math import acos, atan, cos, hypot, pi, sin, sqrt

import numpy as np
import pytest
import shapely

import sbg_sim as sbg

EXACT = 1e-6


def test_strip_straight(lay):
    """A strip of 2 in holds the base for 3."""
    table = lay.table(lay.mover(5, 12), lay.bog("b", lay.box(8, 0, 10, 24)))
    assert lay.needed(table, (13, 12)) == pytest.approx(5 + 2 * 3, abs=EXACT)


@pytest.mark.parametrize("along", [0.5, 2.0, 5.0, 9.0])
def test_strip_aslant(lay, root, along):
    """Refraction: the angles to the normal obey sin(outside) = 2 sin(inside)."""

    def angles(outside: float) -> tuple[float, float]:
        return outside, math.asin(math.sin(outside) / 2)

    def aside(outside: float) -> float:
        one, two = angles(outside)
        return 5 * math.tan(one) + 3 * math.tan(two)

    one, two = angles(root(lambda a: aside(a) - along, 0.0, pi / 2 - 1e-9))
    expected = 5 / math.cos(one) + 2 * 3 / math.cos(two)
    table = lay.table(lay.mover(5, 8), lay.bog("b", lay.box(8, -20, 10, 40)), depth=24.0)
    assert lay.needed(table, (13, 8 + along)) == pytest.approx(expected, abs=EXACT)


@pytest.mark.parametrize("apart", [1e-3, 1e-4, 1e-5])
def test_strip_beside_the_base_entered_just_past_a_zone(lay, apart):
    """Along the strip, across it as steeply as refraction lets go along again, and on: a cost that is flat to 1e-9.

    Where the way across begins hardly matters, but farther along a zone is in the way of it.
    """
    radius, end = 25 / 50.8, 11.876291
    table = lay.table(
        lay.mover(10, 10, base=25 / 25.4),
        lay.model("m1", 9.394313, 12.293481, base=25 / 25.4, side="evil"),
        lay.bog("b", lay.box(10 + radius + apart, 9, 10.992226, end)),
    )
    wide = 10.992226 + radius - (10 + apart)
    found = sbg.check(table, sbg.Move("m", (10.992226 + radius + apart, 11.8)))
    least = 1.8 + sqrt(2 * 2 - 1) * wide
    assert least <= found.at_least + 1e-8
    assert found.needed <= found.at_least + EXACT
    assert found.needed <= least + 4 * apart * apart


def test_two_strips_aslant(lay, root):
    """Parallel strips bend a way like one of their joint width."""
    strips = (lay.bog("b", lay.box(7, -9, 7.5, 40)), lay.bog("c", lay.box(10, -9, 11, 40)))

    def inside(outside: float) -> float:
        return math.asin(math.sin(outside) / 2)

    def aside(outside: float) -> float:
        return 4.5 * math.tan(outside) + 3.5 * math.tan(inside(outside))

    one = root(lambda a: aside(a) - 4, 0.0, pi / 2 - 1e-9)
    expected = 4.5 / math.cos(one) + 2 * 3.5 / math.cos(inside(one))
    assert lay.needed(lay.table(lay.mover(5, 8), *strips), (13, 12)) == pytest.approx(expected, abs=EXACT)


def test_into_and_no_further(lay, root):
    """From outside to a place inside: the better way bends towards the normal."""
    table = lay.table(lay.mover(5, 8), lay.bog("b", lay.box(8.5, -9, 20, 40)))

    def inside(outside: float) -> float:
        return math.asin(math.sin(outside) / 2)

    one = root(lambda a: 3 * math.tan(a) + 2 * math.tan(inside(a)) - 4, 0.0, pi / 2 - 1e-9)
    expected = 3 / math.cos(one) + 2 * 2 / math.cos(inside(one))
    assert lay.needed(table, (10, 12)) == pytest.approx(expected, abs=EXACT)


@pytest.mark.parametrize(("one", "two", "apart"), [(0.3, 0.3, 4.0), (0.2, 0.7, 6.0), (0.05, 0.4, 2.0)])
def test_out_along_the_rim_and_in_again(lay, one, two, apart):
    """Critical angle, sin = 1/2: depth a costs a * 4/sqrt(3) and gains a/sqrt(3) along the rim."""
    table = lay.table(lay.mover(8, 12 - one), lay.bog("b", lay.box(-20, 2, 60, 11.5)))
    expected = apart + sqrt(3) * (one + two)
    assert expected < 2 * hypot(apart, one - two)
    assert lay.needed(table, (8 + apart, 12 - two)) == pytest.approx(expected, abs=EXACT)


def test_too_deep_to_come_out(lay):
    table = lay.table(lay.mover(8, 10), lay.bog("b", lay.box(-20, 2, 60, 11.5)))
    assert lay.needed(table, (11, 10)) == pytest.approx(6, abs=EXACT)


def test_round_bog_gone_round(lay):
    """A half turn along the rim costs pi R, through the middle 4 R: round is always better from outside."""
    table = lay.table(lay.mover(8, 12), lay.bog("b", lay.circle(12, 12, 1.5)))
    expected = 2 * sqrt(16 - 4) + 2 * (pi - 2 * acos(2 / 4))
    assert lay.needed(table, (16, 12)) == pytest.approx(expected, abs=EXACT)


@pytest.mark.parametrize("among", [1, 600])
@pytest.mark.parametrize("goal", [(13.9, 11), (14, 11)])
def test_no_way_leads_along_a_round_rim_through_the_zone_that_cuts_it(lay, goal, among):
    """What is left of the rim is one stretch, which leads from one side of the zone to the other the long way only."""
    table = lay.table(lay.mover(8, 12, move=12.0), lay.model("a", 12, 8.2), lay.bog("b", lay.circle(12, 12, 1.5)))
    others = np.random.default_rng(0).uniform(9, 16, (among - 1, 2))
    cost = sbg.reach(table, "m").distance(np.concatenate([[goal], others]))
    assert cost[0] == pytest.approx(lay.needed(table, goal), abs=EXACT)


def out_of_disc(start: float, target: tuple[float, float], big: float, leave: float) -> float:
    """Cost from (start, 0) inside a bog of radius ``big`` straight to its rim at an angle, then on outside."""
    rim = (big * math.cos(leave), big * math.sin(leave))
    inside = 2 * hypot(rim[0] - start, rim[1])
    reach = hypot(*target)
    turn = abs((math.atan2(target[1], target[0]) - leave + pi) % (2 * pi) - pi)
    free = acos(big / reach)
    if turn <= free:
        return inside + hypot(target[0] - rim[0], target[1] - rim[1])
    return inside + big * (turn - free) + sqrt(reach * reach - big * big)


@pytest.mark.parametrize("start", [0.0, 0.5, 1.2, 1.7])
@pytest.mark.parametrize("bearing", [0.3, 1.2, 2.4, 3.0])
def test_out_of_a_round_bog(lay, least, start, bearing):
    """From inside to outside the best place to leave is found by a search over the rim alone."""
    target = (4 * math.cos(bearing), 4 * math.sin(bearing))
    expected = least(lambda a: out_of_disc(start, target, 2.0, a), -pi, pi, 2000)
    table = lay.table(lay.mover(12 + start, 12), lay.bog("b", lay.circle(12, 12, 1.5)))
    found = lay.needed(table, (12 + target[0], 12 + target[1]))
    assert found == pytest.approx(expected, abs=EXACT)


@pytest.mark.parametrize("bearing", [0.8, 1.6, 2.6])
@pytest.mark.parametrize(("one", "two"), [(1.8, 1.8), (1.9, 1.5)])
def test_inside_a_round_bog_along_its_rim(lay, least, bearing, one, two):
    """Out, along the rim and in again, or straight through, whichever is cheaper; the two ends choose apart."""

    def to_rim(start: float) -> float:
        return least(lambda a: 2 * hypot(2 * math.cos(a) - start, 2 * math.sin(a)) - 2 * a, 0.0, pi / 2, 2000)

    round_it = to_rim(one) + to_rim(two) + 2 * bearing
    through = 2 * hypot(one - two * math.cos(bearing), two * math.sin(bearing))
    table = lay.table(lay.mover(12 + one, 12), lay.bog("b", lay.circle(12, 12, 1.5)))
    found = lay.needed(table, (12 + two * math.cos(bearing), 12 + two * math.sin(bearing)))
    assert found == pytest.approx(min(round_it, through), abs=EXACT)


def test_square_bog_gone_round(lay):
    table = lay.table(lay.mover(9, 12), lay.bog("b", lay.box(11.5, 11.5, 12.5, 12.5)))
    d = hypot(2.5, 0.5)
    expected = 2 * (sqrt(d * d - 0.25) + 0.5 * (pi / 2 + atan(0.5 / 2.5) - acos(0.5 / d))) + 1
    assert lay.needed(table, (15, 12)) == pytest.approx(expected, abs=EXACT)


def test_thin_bog_gone_through(lay):
    table = lay.table(lay.mover(9, 12), lay.bog("b", lay.box(11.9, 6, 12.1, 18)))
    assert lay.needed(table, (15, 12)) == pytest.approx(6 + 1.2, abs=EXACT)


def test_overlapping_bogs_double_once(lay):
    """Two bogs on one another cost twice, not four times."""
    bogs = [lay.bog(f"b{x}", lay.box(x, 0, x + 3, 24)) for x in (8, 9, 10)]
    assert lay.needed(lay.table(lay.mover(5, 12), *bogs), (16, 12)) == pytest.approx(11 + 6, abs=EXACT)


def test_base_too_wide_for_the_path_between(lay):
    """Two bogs half an inch apart: the base touches both corners sqrt(3)/4 before them, and is in both from there."""
    bogs = (lay.bog("b", lay.box(8, 0, 14, 11.75)), lay.bog("c", lay.box(8, 12.25, 14, 24)))
    expected = (3 - sqrt(3) / 4) + 2 * (1 + sqrt(3) / 4)
    assert lay.needed(lay.table(lay.mover(5, 12), *bogs), (9, 12)) == pytest.approx(expected, abs=EXACT)


def test_dry_path_just_wide_enough(lay):
    """Two bogs one base apart leave a dry line; a thousandth less and it is wet."""
    dry = (lay.bog("b", lay.box(8, 0, 14, 11.5)), lay.bog("c", lay.box(8, 12.5, 14, 24)))
    assert lay.needed(lay.table(lay.mover(5, 12), *dry), (17, 12)) == pytest.approx(12, abs=EXACT)


def test_bog_behind_a_corner(lay, least):
    """Round a wall's corner into a bog: an arc, a line, and a bend at the rim."""
    wall = lay.wall("w", lay.polygon([(8, 12), (8.2, 12), (8.2, 30), (8, 30)]))
    bog = lay.bog("b", lay.box(10.5, -20, 30, 40))
    goal = (11.0, 13.0)
    d = hypot(2, 1)
    to_corner = sqrt(d * d - 0.25) + 0.5 * (pi / 2 + atan(1 / 2) - acos(0.5 / d)) + 0.2

    def beyond(y: float) -> float:
        off = (10 - 8.2, y - 12)
        reach = hypot(*off)
        arc = pi / 2 + math.atan2(off[1], off[0]) - acos(0.5 / reach)
        return sqrt(reach * reach - 0.25) + 0.5 * arc + 2 * hypot(goal[0] - 10, goal[1] - y)

    table = lay.table(lay.mover(6, 13), wall, bog, depth=40.0)
    assert lay.needed(table, goal) == pytest.approx(to_corner + least(beyond, 11.6, 13.0), abs=EXACT)


def test_zone_rim_in_a_bog(lay):
    """Along the rim of a zone that lies wholly in a bog every step is doubled."""
    table = lay.table(lay.mover(8, 12), lay.model("a", 12, 12), lay.bog("b", lay.box(-50, -50, 80, 80)))
    expected = 2 * (2 * sqrt(16 - 4) + 2 * (pi - 2 * acos(2 / 4)))
    assert lay.needed(table, (16, 12)) == pytest.approx(expected, abs=EXACT)


def test_shallow_bog_corner_cut(lay, least):
    """A rectangular bog entered through its face near a corner: the best place to leave is found by a scan."""
    table = lay.table(lay.mover(12, 10), lay.bog("b", lay.box(2, 2, 12.5, 11.5)))

    def through_top(x: float) -> float:
        return 2 * hypot(x - 12, 2) + hypot(14 - x, 2)

    def through_side(y: float) -> float:
        return 2 * hypot(1, y - 10) + hypot(1, 14 - y)

    expected = min(least(through_top, 6.0, 12.5), least(through_side, 2.0, 11.5))
    found = lay.needed(table, (14, 14))
    assert found <= expected + EXACT
    assert found >= hypot(2, 4) + 1


@pytest.mark.parametrize("inside", [0.003, 0.0265, 0.1, -0.0265])
def test_a_front_that_leaves_from_beside_a_rim_is_round(inside):
    """All of it then leaves a hair of the rim; a base and a hedge's end throw shadows into it."""
    kind = {"base": 1, "height": 1, "move": 6}
    table = sbg.Table(
        30,
        24,
        models={"me": {"at": [8, 8.5 - inside], **kind}, "friend": {"at": [9.4, 13.48], **kind}},
        terrain={
            "bog": {"tags": ["difficult"], "polygon": [[0, 5], [30, 5], [30, 8], [0, 8]]},
            "hedge": {"tags": ["unscalable"], "height": 9, "polygon": [[10, 11], [10.1, 11], [10.1, 15], [10, 15]]},
        },
    )
    found = sbg.reach(table, "me")
    assert found.area.geom_type == "Polygon"
    angle, away = np.meshgrid(np.linspace(0, math.pi, 181), np.linspace(5, 6, 11))
    at = np.array([8, 8.5 - inside]) + np.stack([away * np.cos(angle), away * np.sin(angle)], axis=-1).reshape(-1, 2)
    cost, places = found.distance(at), shapely.points(at)
    drawn = shapely.contains(found.area, places)
    assert drawn[cost < 6 - 0.004].all()
    assert np.isfinite(cost[drawn & (shapely.distance(found.area.boundary, places) > 0.004)]).all()


@pytest.mark.parametrize("corner", [10.51, 10.515, 10.52, 10.525, 10.53, 10.532, 10.537, 10.54, 10.546, 10.55, 10.58])
def test_a_jump_between_a_base_and_the_corner_of_a_bog(lay, least, corner):
    """The jump just clears the base, and cuts off of the bog's corner what it must: the deeper, the more, as its root.

    Nearer the base it would lead past the bog at no more cost than its length.
    """
    (x, y), ring, start, goal = (9.17, 7.82), 1.3, (10.0, 10.0), (10.48, 7.71)
    near, far = 9.0 + 0.5, 8.7 - 0.5

    def tangent(at: tuple[float, float]) -> float:
        return sqrt(math.dist(at, (x, y)) ** 2 - ring * ring)

    def cost(landing: float) -> float:
        # The line through the landing that touches the ring on its right, back up to where jumps begin.
        across, away = landing - x, far - y
        aside = pi + math.atan2(away, across) - math.asin(ring / hypot(across, away))
        begun = landing + (near - far) / math.tan(aside)
        jump = hypot(begun - landing, near - far)
        off = (corner - begun) * math.sin(aside) - (9.0 - near) * math.cos(aside)
        chord = 2 * sqrt(max(0.25 - off * off, 0.0))
        # From the landing round the ring to the goal, or straight where that is clear of it.
        to = math.atan2(goal[1] - y, goal[0] - x)
        turned = math.atan2(away, across) - acos(ring / hypot(across, away)) - to - acos(ring / math.dist(goal, (x, y)))
        walk = tangent((landing, far)) + ring * turned + tangent(goal)
        walk = walk if turned > 0 else math.dist((landing, far), goal)
        return math.dist(start, (begun, near)) + jump + chord + walk

    table = lay.table(
        lay.mover(*start),
        lay.model("m1", x, y, base=2 * (ring - 0.5), side="good"),
        lay.bog("b", lay.box(corner, 9, corner + 0.5, 11)),
        lay.piece("w", lay.box(0, 8.7, 24, 9), "obstacle", height=1.5),
    )
    expected = least(cost, x + sqrt(ring**2 - (far - y) ** 2) + 1e-6, 10.6)
    found = lay.move(table, goal)
    assert found.needed == pytest.approx(expected, abs=EXACT)
    assert found.needed - found.at_least <= 1e-8


@pytest.mark.parametrize(
    ("start", "goal", "turned", "half"),
    [
        (9.843, 10.027, -0.078, 0.498),
        (9.856, 9.841, 0.297, 0.498),
        (9.839, 9.791, 0.256, 0.498),
        (10.145, 10.103, -0.262, 0.45),
        (9.881, 9.719, 0.219, 0.498),
        (9.937, 10.181, -0.033, 0.47),
        (10.227, 9.758, -0.218, 0.47),
    ],
)
def test_a_jump_through_where_two_bogs_meet(lay, start, goal, turned, half):
    """The corners of two bogs stand less than a base apart: the base cuts least of both through where their rims cross.

    To either side of that line one of them is cut deeper, and what is cut grows as the root of how deep.
    """
    across, onward = np.array([cos(turned), sin(turned)]), np.array([-sin(turned), cos(turned)])
    middle, chord = np.array([10.0, 8.85]), 2 * sqrt(0.25 - half * half)

    def bog(side: int) -> sbg.Shape:
        corner, far = middle + side * half * across, middle + side * (half + 0.6) * across
        return sbg.polygon([tuple(corner), tuple(far + 0.3 * onward), tuple(far - 0.3 * onward)])

    table = lay.table(
        lay.mover(start, 10.1, height=2.0),
        lay.bog("left", bog(-1)),
        lay.bog("right", bog(1)),
        lay.piece("w", lay.box(0, 8.7, 24, 9), "obstacle", height=1.5),
    )
    begun, landed = (middle + onward * (y - 8.85) / onward[1] for y in (9.5, 8.2))
    expected = math.dist((start, 10.1), begun) + math.dist(begun, landed) + chord + math.dist(landed, (goal, 7.6))
    found = lay.move(table, (goal, 7.6))
    assert found.needed == pytest.approx(expected, abs=EXACT)
    assert found.needed - found.at_least <= 1e-8
