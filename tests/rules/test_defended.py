"""Defended positions: which barriers count, and where a charger touches them opposite to the target."""

import math
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbg_sim.geometry.shapes import circle, line, polygon
from sbg_sim.rules.defended import defended, defended_together, opposite
from sbg_sim.table.board import Table
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.models import Model
from sbg_sim.table.terrain import Terrain

BARRIER = frozenset({"obstacle"})


def table(shape, target, charger, tags=BARRIER, reading="overlap", **more):
    models = {
        "a": Model("a", charger, 1.0, side="good", **more),
        "b": Model("b", target, 1.0, side="evil"),
    }
    wall = Terrain("wall", tags, shape, height=1.0)
    there = Table(40, 40, models=FrozenMap(models), terrain=FrozenMap({"wall": wall}))
    return there.under("defended_opposite", reading)


def box(x0, y0, x1, y1):
    return polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


LONG = box(0, 10, 40, 10.4)


def test_opposite_a_long_wall_is_a_stretch_of_both_radii_either_way():
    (defence,) = defended(table(LONG, (20, 9.5), (20, 14)), "a", "b")
    (piece,) = defence.locus
    assert defence.barrier == "wall"
    assert _ends(piece) == [pytest.approx((19, 10.9)), pytest.approx((21, 10.9))]
    assert piece.length == pytest.approx(2.0)


def test_anywhere_on_the_far_side():
    (defence,) = defended(table(LONG, (20, 9.5), (20, 14), reading="anywhere"), "a", "b")
    # the whole far side and, round the wall's ends, as far as the line to the target still enters it
    straight = [s for s in defence.locus if not s.radius and s.start[1] > 10.4]
    assert sum(s.length for s in straight) == pytest.approx(40)
    assert all(math.hypot(*_off(s, LONG)) == pytest.approx(0, abs=1e-9) for s in defence.locus)


@pytest.mark.parametrize(
    ("height", "exactly", "defends"), [(2.1, "test", False), (2.0, "test", True), (1.9, "free", True)]
)
def test_only_what_takes_a_test_defends_by_the_other_reading(height, exactly, defends):
    """A wall of an inch is stepped over from more than two inches of height on."""
    there = table(LONG, (20, 9.5), (20, 14), height=height).under("obstacle_exactly_half", exactly)
    assert len(defended(there, "a", "b")) == 1
    assert len(defended(there.under("defended_behind", "test"), "a", "b")) == defends


def test_a_wall_of_exactly_half_the_height_defends_as_it_is_ruled():
    there = table(LONG, (20, 9.5), (20, 14), height=2.0).under("defended_behind", "test")
    assert defended(there.under("obstacle_exactly_half", "free"), "a", "b") == ()


def _ends(piece):
    return sorted(map(tuple, piece.at(np.array([0.0, piece.length])).tolist()))


def _off(piece, shape):
    return [float(shape.distance(piece.at(t * piece.length))) - 0.5 for t in (0.0, 0.3, 1.0)]


def test_a_charger_on_the_same_side_meets_no_barrier():
    assert defended(table(LONG, (20, 9.5), (15, 5)), "a", "b") == ()


def test_a_target_that_stands_back_is_not_defended():
    assert defended(table(LONG, (20, 9.5 - 2e-6), (20, 14)), "a", "b") == ()
    assert defended(table(LONG, (20, 9.5 - 5e-7), (20, 14)), "a", "b") != ()


def test_only_barriers_defend():
    for tags in ({"difficult"}, {"platform"}, {"unscalable"}, {"gap"}):
        assert defended(table(LONG, (20, 9.5), (20, 14), tags=frozenset(tags)), "a", "b") == ()
    assert defended(table(LONG, (20, 9.5), (20, 14), on="deck"), "a", "b") == ()


def test_the_end_of_a_wall():
    # the wall ends at x = 20, over the target's centre: from the far side the line must still enter the wall
    wall = box(0, 10, 20, 10.4)
    (defence,) = defended(table(wall, (20, 9.5), (18, 14)), "a", "b")
    flat = [s for s in defence.locus if not s.radius]
    assert sum(s.length for s in flat) == pytest.approx(1.0)
    # beyond the corner the line from the target's centre is x = 20 itself, so nothing of the arc
    assert sum(s.length for s in defence.locus) == pytest.approx(1.0)


def test_round_barriers():
    # radius 1, so the base's centre is on a circle of radius 1.5; on its far half every line to the target's
    # centre, which is 1.5 off too, enters, so the overlap alone is the limit: |x| <= 1
    (defence,) = defended(table(circle((20, 20), 1.0), (20, 18.5), (20, 25)), "a", "b")
    arc = 2 * math.asin(1 / 1.5) * 1.5
    assert sum(s.length for s in defence.locus if s.at(s.length / 2)[1] > 20) == pytest.approx(arc)
    assert sum(s.length for s in defence.locus) >= arc


def test_a_thick_line_is_a_barrier_with_round_ends():
    (defence,) = defended(table(line([(0, 10.2), (40, 10.2)], 0.4), (20, 9.5), (20, 14)), "a", "b")
    assert sum(s.length for s in defence.locus) == pytest.approx(2.0)


def test_in_a_corner_both_legs_defend():
    # an L touched from inside on both legs: opposite to each leg is what lies within one inch of x = 10.9
    # (or y = 10.9): straight from 10 to 11.9, and round the outer corner as far as 9.9
    ell = polygon([(10, 10), (20, 10), (20, 10.4), (10.4, 10.4), (10.4, 20), (10, 20)])
    there = table(ell, (10.9, 10.9), (10.9, 5))
    found = opposite(there, there.piece("wall"), 0.5, there.model("b"))
    below = [s for s in found if not s.radius and s.start[1] < 10]
    left = [s for s in found if not s.radius and s.start[0] < 10]
    assert sum(s.length for s in below) == pytest.approx(1.9)
    assert sum(s.length for s in left) == pytest.approx(1.9)
    assert sum(s.length for s in found if s.radius) == pytest.approx(2 * 0.5 * math.asin(0.1 / 0.5))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.floats(0, 6.3), st.booleans())
def test_every_place_of_the_locus_touches_and_turning_changes_nothing(seed, turn, mirror):
    rng = random.Random(seed)
    reach = [rng.uniform(0.5, 3) for _ in range(7)]
    ring = [(20 + r * math.cos(0.9 * k), 20 + r * math.sin(0.9 * k)) for k, r in enumerate(reach)]
    shape = polygon(ring)
    # the target is pushed out along the ray through the first corner until it touches from outside
    near, far = 0.0, 10.0
    ux, uy = (ring[0][0] - 20, ring[0][1] - 20)
    size = math.hypot(ux, uy)
    ux, uy = ux / size, uy / size
    while far - near > 1e-12:
        mid = (near + far) / 2
        near, far = (mid, far) if shape.distance((20 + mid * ux, 20 + mid * uy)) < 0.5 else (near, mid)
    at = (20 + far * ux, 20 + far * uy)
    there = table(shape, at, (20 - 8 * ux, 20 - 8 * uy))
    (defence,) = defended(there, "a", "b")
    for piece in defence.locus:
        for share in (0.0, 0.5, 1.0):
            assert float(shape.distance(piece.at(share * piece.length))) == pytest.approx(0.5, abs=1e-7)

    def move(p):
        return circle(p, 0).moved(turn, (1, 2), mirror=mirror).spine[0]

    moved = table(shape.moved(turn, (1, 2), mirror=mirror), move(at), move((20 - 8 * ux, 20 - 8 * uy)))
    (other,) = defended(moved, "a", "b")
    assert sum(s.length for s in other.locus) == pytest.approx(sum(s.length for s in defence.locus), abs=1e-6)


def test_a_stretch_stays_whole_behind_a_corner_of_the_near_side():
    # the wall's near side juts out by 0.05 at x = 20.3: the line from the target through that corner comes out inside
    # the stretch of both radii, where nothing changes
    jut = polygon([(0, 10), (20.3, 10), (20.3, 9.95), (40, 9.95), (40, 10.4), (0, 10.4)])
    (defence,) = defended(table(jut, (20, 9.5), (20, 14)), "a", "b")
    (piece,) = defence.locus
    assert _ends(piece) == [pytest.approx((19, 10.9)), pytest.approx((21, 10.9))]


def test_two_horns_hold_a_base_between_them():
    # an open wall 0.2 thick, its horns 0.3 to the left and right of x = 20: a base of radius 0.5 touches both where its
    # centre is 0.6 from their ends, 60 degrees up; from there it goes round either horn for 120 degrees, to its side
    horns = line([(19.7, 12), (19.7, 10.1), (20.3, 10.1), (20.3, 12)], 0.2)
    (defence,) = defended(table(horns, (20, 9.5), (20, 14)), "a", "b")
    arcs = [s for s in defence.locus if s.radius and s.start[1] == 12]
    assert sorted(s.start for s in arcs) == [(19.7, 12), (20.3, 12)]
    ends = sorted((_ends(s) for s in arcs), key=lambda two: two[0][0] + two[1][0])
    high = 12 + 0.6 * math.sqrt(3) / 2
    for (one, two), beside in zip(ends, (19.1, 20.9), strict=True):
        assert sorted((one, two), key=lambda p: p[1]) == [pytest.approx((beside, 12)), pytest.approx((20, high))]
    assert sum(s.length for s in arcs) == pytest.approx(0.6 * math.radians(240))


@pytest.mark.parametrize("width", [0.6, 1.0, 1.4])
def test_across_a_barrier_and_base_to_base_with_another(width):
    # c stands beyond the wall: the charger's centre is 0.5 from the wall and both radii from c's centre
    there = table(LONG, (20, 9.5), (20, 14))
    other = Model("c", (20.2, 11.5), width, side="evil")
    there = replace(there, models=FrozenMap({**there.models, "c": other}))
    (defence,) = defended_together(there, "a", ("b", "c"))
    aside = math.sqrt((0.5 + width / 2) ** 2 - 0.6**2)
    spots = [s.start for s in defence.locus]
    assert all(s.length == 0 for s in defence.locus)
    assert sorted(spots) == [pytest.approx((20.2 + dx, 10.9)) for dx in (-aside, aside) if abs(0.2 + dx) <= 1]


def test_across_a_round_barrier_and_base_to_base_with_another():
    # round the barrier of radius 1 the centre lies on a circle of 1.5, and 0.9 from c's centre, 2.1 from the barrier's
    there = table(circle((20, 20), 1.0), (20, 18.5), (20, 25))
    other = Model("c", (20, 22.1), 0.8, side="evil")
    there = replace(there, models=FrozenMap({**there.models, "c": other}))
    (defence,) = defended_together(there, "a", ("b", "c"))
    up = (2.1**2 + 1.5**2 - 0.9**2) / (2 * 2.1)
    aside = math.sqrt(1.5**2 - up**2)
    assert all(s.length == 0 for s in defence.locus)
    assert sorted(s.start for s in defence.locus) == [pytest.approx((20 + dx, 20 + up)) for dx in (-aside, aside)]
