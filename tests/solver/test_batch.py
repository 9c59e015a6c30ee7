"""Links of paths in arrays: tangents and arcs by what they are, clearances by the distance of a segment."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from sbg_sim.solver.path.gathering import gather
from sbg_sim.solver.path.lagrangian import _clearance, _turned_off
from sbg_sim.solver.path.paths import Constraint, Fixed, Link, OnCircle, Path, Slide, Wrap
from sbg_sim.tolerance import TOUCH
from tests.solver.stage import level, net, path, ring

RINGS = net(rings=[ring(4.0, 0.5, 1.0), ring(9.0, -0.7, 0.4), ring(13.0, 2.0, 1.7)])


def turned(p, angle, about):
    """A place turned about another."""
    (x, y), c, s = p - about, math.cos(angle), math.sin(angle)
    return about + np.array([c * x - s * y, s * x + c * y])


@pytest.mark.parametrize("turns", [(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
def test_links_touch_rings_and_arcs_lead_from_the_one_to_the_next(turns):
    wraps = [Wrap(k, turn) for k, turn in enumerate(turns)]
    batch = gather(RINGS, [path(Fixed((0.0, 1.0)), *wraps, Fixed((17.0, -1.0)))])
    legs = batch.legs()
    total = 0.0
    for i, (p, q) in enumerate(zip(legs.p[0], legs.q[0], strict=True)):
        ahead = (q - p) / math.dist(p, q)
        assert legs.length[0, i] == pytest.approx(math.dist(p, q), abs=1e-12)
        assert ahead == pytest.approx(legs.ahead[0, i], abs=1e-12)
        for at, k in ((p, i - 1), (q, i)):
            if 0 <= k < 3:
                (x, y), one = at - RINGS.rings[k].center, RINGS.rings[k]
                assert math.hypot(x, y) == pytest.approx(one.rho, abs=1e-12)
                # Counter-clockwise the ring lies to the left of the way.
                assert x * ahead[1] - y * ahead[0] == pytest.approx(turns[k] * one.rho, abs=1e-12)
        total += math.dist(p, q)
    for k, turn in enumerate(turns):
        sweep, one = legs.sweep[0, k + 1], RINGS.rings[k]
        assert 0 <= sweep * turn < math.tau
        np.testing.assert_allclose(turned(legs.q[0, k], sweep, one.center), legs.p[0, k + 1], atol=1e-12)
        total += abs(sweep) * one.rho
    assert batch.cost()[0] == pytest.approx(total, abs=1e-12)
    assert np.isfinite(batch.cost(legs)).all()


def test_a_way_to_a_circle_ends_on_its_rim():
    end = OnCircle((6.0, 8.0, 2.5))
    batch = gather(RINGS, [path(Fixed((0.0, 0.0)), end), path(Fixed((6.0, 7.0)), end)])
    assert batch.cost().tolist() == pytest.approx([7.5, 1.5])  # from within a circle as well as from without
    legs = batch.legs()
    assert legs.whole[:, 0].tolist() == pytest.approx([10.0, 1.0])
    assert legs.q[0, 0].tolist() == pytest.approx([4.5, 6.0])


@pytest.mark.parametrize("over", [0.2, 0.001])
def test_an_arc_that_a_way_clears_has_shrunk_past_nothing(over):
    """A hair above the top of a ring: the tangents cross, and the arc leads back."""
    round_ = net(rings=[ring(5.0, 0.0, 1.0)])
    on, off = (Fixed((x, 1.0 + over)) for x in (0.0, 10.0))
    batch = gather(round_, [path(on, Wrap(0, -1), off)])
    plain, below = replace(batch, past=np.zeros_like(batch.past)), batch.ending(np.array([[10.0, 0.5]])).letting_past()
    assert plain.legs().sweep[0, 1] < -6  # taken for a full turn
    assert below.legs().sweep[0, 1] < 0
    shrunk = below.ending(np.array([[10.0, 1.0 + over]]))
    d = math.hypot(5, 1 + over)
    half = math.acos(1 / d) - math.atan2(5, 1 + over)  # from where a tangent touches to the top
    assert shrunk.legs().sweep[0, 1] == pytest.approx(2 * half, abs=1e-9)  # against its turn
    assert shrunk.cost()[0] == pytest.approx(2 * math.sqrt(d * d - 1) - 2 * half, abs=1e-9)
    assert shrunk.past_nothing(shrunk.legs()).tolist() == [1]
    assert below.past_nothing(below.legs()).tolist() == [0]


def test_where_an_arc_is_more_than_half_a_turn_it_is_not_looked_past_nothing():
    round_ = net(rings=[ring(5.0, 0.0, 1.0)])
    long, short = (path(Fixed((0.0, 0.0)), Wrap(0, 1), Fixed(end)) for end in ((0.0, 1.0), (10.0, 0.0)))
    back = gather(round_, [long, short]).letting_past().past[:, 1]
    assert back[0] < 1e-3
    assert back[1] == 1.0
    unwound = gather(round_, [long, short]).taken_past(np.array([True, False]))
    assert unwound.past[0].tolist() == [math.pi] * 3
    assert unwound.legs().sweep[0, 1] < 0 < unwound.legs().sweep[1, 1]


def test_what_leads_from_a_ring_to_a_place_within_it_is_cut_short():
    within, outside, on = (Fixed((4.0 + off, 0.5)) for off in (0.9, 1.1, 1.0 - TOUCH / 2))
    start, wrap = Fixed((0.0, 0.0)), Wrap(0, 1)
    ends = [path(start, wrap, one) for one in (within, outside, on)]
    starts = [path(one, wrap, start) for one in (within, outside, on)]
    onto = path(start, wrap, OnCircle((4.5, 0.5, 0.2)))  # ended on a rim
    rings = path(start, Wrap(0, 1), Wrap(1, 1), start)
    found = gather(RINGS, [*ends, *starts, onto, rings]).cut_short
    assert found.tolist() == [True, False, False, True, False, False, False, False]


def test_rings_within_one_another_have_no_tangent():
    nested = net(rings=[ring(0.0, 0.0, 3.0), ring(0.5, 0.0, 1.0)])
    start, end = Fixed((9.0, 9.0)), Fixed((-9.0, 9.0))
    assert gather(nested, [path(start, Wrap(0, 1), Wrap(1, 1), end)]).cost().tolist() == [math.inf]


def test_what_slides_to_an_end_has_ended():
    batch = gather(net([level(2.0)]), [path(Fixed((0, 0)), Slide(0, u), Fixed((5, 6))) for u in (0.0, 7.0, 40.0)])
    assert batch.ended.tolist() == [[False, True, False], [False] * 3, [False, True, False]]
    assert batch.slides.tolist() == [[False, True, False]] * 3


@pytest.mark.parametrize("side", [-1.0, 1.0])
@pytest.mark.parametrize("off", [-0.3, 0.0, 0.25])
def test_a_way_from_a_place_is_turned_off_a_circle_by_so_much_of_its_rim(side, off):
    near, rho, d = np.array([[1.0, 2.0]]), 0.5, 4.0
    toward = 0.7
    at = near[0] + d * np.array([math.cos(toward), math.sin(toward)])
    angle = toward - side * (math.asin(rho / d) + off)  # with the circle to its left a way leads by on its right
    far = near + 7.0 * np.array([math.cos(angle), math.sin(angle)])
    assert _turned_off(near, far, (*at, rho), side)[0] == pytest.approx(off * rho, abs=1e-12)


def crossing(u, v, *, still=False):
    """One way over from a level to another, and what must be cleared on it."""
    here = net([level(0.0), level(6.0)])
    here.transitions = [SimpleNamespace(way=SimpleNamespace(across=False))]
    ends = [Slide(0, 20.0 + u), Slide(1, 20.0 + v)]
    ends = [Fixed((u, 0.0)), Fixed((v, 6.0))] if still else ends
    return gather(here, [Path(tuple(ends), (Link(0, transition=0),))])


@pytest.mark.parametrize("still", [False, True])
@pytest.mark.parametrize("at", [(-1.0, 3.0), (-4.0, 5.0), (-0.7, 7.0), (-3.0, -1.0), (0.6, 8.0)])
@pytest.mark.parametrize("ends", [(0.0, 0.0), (1.0, -0.5), (-1.0, 2.0)])
def test_a_way_clears_a_circle_by_how_far_it_keeps_off(at, ends, still):
    """Past its ends it is the end that keeps off; what lies to the right is cleared on the other side."""
    batch, rho = crossing(*ends, still=still), 0.3
    p, q = np.array([ends[0], 0.0]), np.array([ends[1], 6.0])
    places = p + np.linspace(0, 1, 20001)[:, None] * (q - p)
    apart = np.hypot(*(places - at).T).min()
    left = (q - p)[0] * (at[1] - p[1]) - (q - p)[1] * (at[0] - p[0]) > 0
    assert left is not (at[0] > 0)
    held = Constraint(0, (*at, rho), 1.0 if left else -1.0)
    none = np.array([0])
    found = _clearance(batch, held, batch.net.transitions[0], batch.legs(), none, none)
    assert found[0] == pytest.approx(apart - rho, abs=1e-6)


def test_a_way_on_the_wrong_side_of_a_circle_clears_it_by_less_than_nothing():
    batch, none = crossing(0.0, 0.0), np.array([0])
    legs, over = batch.legs(), batch.net.transitions[0]
    for x, side in ((-1.0, -1.0), (1.0, 1.0)):
        assert _clearance(batch, Constraint(0, (x, 3.0, 0.3), side), over, legs, none, none)[0] == pytest.approx(-1.3)
    beyond = Constraint(0, (-1.0, 9.0, 0.3), 1.0, line=True)  # binds beyond the ends too
    assert _clearance(batch, beyond, over, legs, none, none)[0] == pytest.approx(0.7)


def test_the_length_of_a_way_that_may_be_no_longer_is_told_between_the_sides_of_its_gap():
    batch, none = crossing(0.0, 3.0), np.array([0])
    over = SimpleNamespace(way=SimpleNamespace(longest=5.0), over=lambda *_, **__: np.array([1.5]))
    slant = math.hypot(3, 6) / 6  # inches of way an inch up
    sides = ((-20.0, 1.0, 20.0, 1.0), (-20.0, 4.5, 20.0, 4.5))
    between = Constraint(0, None, lines=sides)
    assert _clearance(batch, between, over, batch.legs(), none, none)[0] == pytest.approx(5 - 3.5 * slant)
    assert _clearance(batch, Constraint(0, None), over, batch.legs(), none, none)[0] == pytest.approx(3.5)
    assert _clearance(batch, Constraint(0, None, opposite=True), over, batch.legs(), none, none)[0] == 0


def flat(more):
    """A way over that costs its length and so much more."""
    return SimpleNamespace(cost=lambda p, q, _ground: np.hypot(*(q - p).T) + more, way=SimpleNamespace(across=False))


def test_of_several_ways_over_the_last_is_told_from_all_before_it():
    """In whichever order they come in a path, and where another has none."""
    stage, places = net(), [Fixed((float(x), 0.0)) for x in (0, 2, 3, 7, 8)]
    stage.transitions = [flat(5.0), flat(9.0)]

    def over(first, last):
        return Path(tuple(places), (Link(0, 1.0), Link(0, 0.0, first), Link(0, 1.0), Link(0, 0.0, last)))

    batch = gather(stage, [over(0, 1), over(1, 0), path(*places)])
    begun, last = batch.costs()
    assert begun.tolist() == [2 + 1 + 5 + 4, 2 + 1 + 9 + 4, 8]
    assert last.tolist() == [1 + 9, 1 + 5, 0]
    assert batch.cost().tolist() == [22, 22, 8]
    stage.transitions[0] = flat(np.nan)
    begun, last = gather(stage, [over(0, 1), over(1, 0)]).costs()
    assert np.isinf([begun[0], last[1]]).all()
    assert [begun[1], last[0]] == [16, 10]
