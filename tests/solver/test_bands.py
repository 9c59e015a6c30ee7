"""Bands of rays beside rims: what is put between two places on a rim."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.arrays import unit
from sbg_sim.geometry.areas import union
from sbg_sim.geometry.pieces import segment
from sbg_sim.geometry.rims import Rims
from sbg_sim.solver.field import bands
from sbg_sim.solver.field.bands import Bands, _Cast, _cut, _halved, _kinked, corners, number_places, sampled_bands
from sbg_sim.solver.field.rays import Caster, polygons
from sbg_sim.tolerance import FRONT_DEPTH, NARROW

FROM, TO = 0.5, 1.7


def halved(cost, slope):
    band = Bands(
        np.array([[0, 0]]),
        np.array([[FROM, TO]]),
        np.array([cost]),
        np.array([slope]),
        np.array([[True, False]]),
        np.array([False]),
    )
    return _halved(band, Rims([segment((0.0, 0.0), (2.0, 0.0))]))


@pytest.mark.parametrize("bend", [0.02, -0.02])
def test_in_the_middle_a_cubic_is_met(bend):
    """By costs and slopes at its ends a cubic is known: Hermite's interpolation."""
    cost = np.polynomial.Polynomial([1.0, 0.3, 0.1, bend])
    found = halved(*([each(FROM), each(TO)] for each in (cost, cost.deriv())))
    middle = (FROM + TO) / 2
    assert found.u.tolist() == [[FROM, pytest.approx(middle)], [pytest.approx(middle), TO]]
    assert found.cost[:, 1].tolist() == pytest.approx([cost(middle), cost(TO)])
    assert found.slope[:, 1].tolist() == pytest.approx([cost.deriv()(middle), cost.deriv()(TO)])
    assert found.slope[1, 0] == found.slope[0, 1]


@pytest.mark.parametrize("slope", [[0.1, 0.3], [0.3, 0.1]])
def test_where_costs_and_slopes_do_not_fit_the_mean_is_taken(slope):
    """Both ends cost the same, though the cost is said to rise at both: the cubic would fall in the middle."""
    found = halved([1.0, 1.0], slope)
    assert found.slope[:, 1].tolist() == pytest.approx([0.2, slope[1]])


def test_three_places_are_a_polygon_and_two_are_none():
    triangle = np.array([(0.0, 0.0), (2.0, 0.0), (0.0, 1.0)])
    found = polygons([triangle[:2], triangle, triangle[:1]])
    assert [one.area for one in found] == [1.0]
    assert len(polygons([triangle[:2]])) == 0


RIM = Rims([replace(segment((0.0, 0.0), (4.0, 0.0)), normal=(0.0, 1.0))])


def along(cost, slope, u, *, met=None, sides=None):
    n = len(u)
    return Bands(
        np.zeros((n, 2), dtype=np.int64),
        np.array(u, dtype=float),
        np.array(cost, dtype=float),
        np.array(slope, dtype=float),
        np.ones((n, 2), dtype=bool) if sides is None else np.array(sides),
        np.zeros(n, dtype=bool) if met is None else np.array(met),
    )


def test_a_stretch_ends_where_the_movement_is_used_up():
    """Its cost rises evenly: a third of it, or the last two thirds, lie within five inches."""
    whole = along([[4, 7], [7, 4], [5, 6], [6, 7], [3, 4]], [[1.5, 1.4]] * 5, [[0, 1.5]] * 5)
    found = _cut(whole, 5.0, RIM)
    np.testing.assert_allclose(found.u, [[0.0, 0.5], [1.0, 1.5], [0.0, 1.5]])
    np.testing.assert_allclose(found.cost, [[4, 5], [5, 4], [3, 4]])
    # Where it ends the cost rises as it does at its other end.
    assert found.slope.tolist() == [[1.5, 1.5], [1.4, 1.4], [1.5, 1.4]]
    assert len(_cut(whole, 3.0, RIM).u) == 0


def test_between_two_types_of_path_a_stretch_is_parted_where_both_cost_the_same():
    """From 4 at its beginning it rises by 0.5, to 4.2 at its end by -0.3: after 0.55 / 0.8 of an inch they meet."""
    one = along([[4.0, 4.2]], [[0.5, -0.3]], [[1.0, 2.0]], met=[True])
    found = _kinked(one, RIM)
    at = (4.2 - 4.0 + 0.3) / 0.8
    np.testing.assert_allclose(found.u, [[1.0, 1.0 + at], [1.0 + at, 2.0]])
    np.testing.assert_allclose(found.cost, [[4.0, 4.0 + 0.5 * at], [4.0 + 0.5 * at, 4.2]])
    np.testing.assert_allclose(found.slope, [[0.5, 0.5], [-0.3, -0.3]])
    assert found.met.tolist() == [True, True]


@pytest.mark.parametrize(
    ("cost", "slope", "met"),
    [
        ([4.0, 4.2], [0.5, -0.3], False),  # of one type
        ([4.0, 4.2], [-0.3, 0.5], True),  # slopes rise
        ([4.0, 4.2], [0.2005, 0.2], True),  # they hardly differ
        ([4.0, 4.6], [0.5, -0.3], True),  # steeper than either
        ([4.0, 3.6], [0.5, -0.3], True),
    ],
)
def test_no_kink_is_made_where_slopes_do_not_tell_of_one(cost, slope, met):
    one = along([cost], [slope], [[1.0, 2.0]], met=[met])
    found = _kinked(one, RIM)
    assert (found.u.tolist(), found.slope.tolist()) == ([[1.0, 2.0]], [slope])


def test_kinks_stay_in_the_order_of_their_stretches():
    two = along([[4.0, 4.2]] * 3, [[0.5, -0.3], [0.2, 0.2], [0.5, -0.3]], [[0, 1], [1, 2], [2, 3]], met=[True] * 3)
    assert np.diff(_kinked(two, RIM).u[:, 0]).tolist() == pytest.approx([0.625, 0.375, 1.0, 0.625])


def cast(base, ends, *, end=((0, 0),)):
    base, ends = np.array([base], dtype=float), np.array([ends], dtype=float)
    d = ends - base
    none = np.zeros(1)
    return _Cast(base, np.arctan2(d[..., 1], d[..., 0]), ends, np.array(end), np.zeros((1, 2)), none, none)


def test_rays_of_a_band_cross_where_they_do():
    crossed, at = cast([(0, 0), (2, 0)], [(3, 3), (-1, 3)]).crossing
    assert crossed.tolist() == [True]
    np.testing.assert_allclose(at, [[1.0, 1.0]])
    for base, ends in (
        ([(0, 0), (2, 0)], [(0.5, 0.5), (1.5, 0.5)]),  # they end before they would
        ([(0, 0), (2, 0)], [(-1, 3), (3, 3)]),  # they lead apart
        ([(0, 0), (2, 0)], [(0, 3), (2, 3)]),  # side by side
        ([(0, 0), (2, 0)], [(3, 3), (1.5, 0.5)]),
        ([(0, 0), (2, 0)], [(0.5, 0.5), (-1, 3)]),
    ):
        assert cast(base, ends).crossing[0].tolist() == [False]


@pytest.mark.parametrize(
    ("ends", "end", "differ"),
    [
        ([(0, 3), (1, 3)], (5, 5), False),
        ([(0, 3), (1, 3)], (5, 6), True),  # at two things
        ([(0, 3), (NARROW / 2, 3)], (5, 6), False),  # so near to each other that it does not matter
        ([(-3, 3), (4, 3)], (5, 5), True),  # far apart in direction
        ([(1.5, 3), (-0.5, 3)], (5, 6), False),  # behind a crossing others cover
        ([(0, 1), (1, 1)], (5, 5), False),
    ],
)
def test_bands_whose_rays_tell_too_little_are_parted(ends, end, differ):
    one = along([[4.0, 4.2]], [[0.1, 0.1]], [[0.0, 1.0]])
    done = cast([(0, 0), (1, 0)], ends, end=(end,))
    assert bands._differing(one, done, RIM).tolist() == ([0] if differ else [])


@pytest.mark.parametrize(("share", "differ"), [(0.9, False), (1.1, True)])
@pytest.mark.parametrize("side", [-1, 1])
def test_bands_whose_rays_turn_by_too_much_are_parted(share, differ, side):
    """Two rays that end four inches apart stray by an eighth of that times the sine of their angle."""
    lean = side * math.tan(math.asin(share * 8 * FRONT_DEPTH / 4.0))
    done = cast([(0, 0), (4, 0)], [(0, 2), (4, 2 + 0 * lean)])
    done = replace(done, angle=done.angle + np.array([[0.0, math.atan(lean)]]))
    one = along([[4.0, 4.2]], [[0.1, 0.1]], [[0.0, 4.0]])
    assert bands._differing(one, done, RIM).tolist() == ([0] if differ else [])


def test_a_strip_that_lies_over_itself_holds_what_its_bands_hold(monkeypatch):
    """A turn and a quarter about a rim that winds outward: by even and odd what is covered twice would be left out."""
    theta = np.linspace(0.0, 2.5 * math.pi, 31)
    base, ends = ((r + 0.1 * theta)[:, None] * unit(theta) for r in (1.0, 2.0))
    rays = [np.stack([v[:-1], v[1:]], axis=1) for v in (base, theta, ends)]
    n = len(theta) - 1
    done = _Cast(*rays, np.zeros((n, 2), dtype=np.int64), np.zeros((n, 2)), np.ones(n), np.arange(float(n)))
    monkeypatch.setattr(bands, "_cast_finely", lambda *_: done)
    drawn = union(bands._drawn(done, done.side, RIM, None))
    alone = shapely.polygons(np.stack([base[:-1], base[1:], ends[1:], ends[:-1]], axis=1))
    assert drawn.area == pytest.approx(shapely.union_all(alone).area, abs=1e-9)


@pytest.mark.parametrize("edge", [0.31, 1.9, 3.3])
def test_bands_that_are_parted_stay_in_the_order_of_their_rim(edge):
    """Rays from beyond a place end at another thing: quarters of quarters about it come between their neighbours."""

    def cast(p, angle, cost):
        return p + 2.0 * unit(angle), (p[:, 0] > edge).astype(np.int64)

    space = SimpleNamespace(weight=lambda p: np.ones(len(p)))
    caster = SimpleNamespace(cast=cast, space=space, limit=9.0)
    two = along([[4.0, 4.2], [4.2, 4.4]], [[0.1, 0.1]] * 2, [[0.0, 2.0], [2.0, 4.0]])
    done = bands._cast_finely(two, np.ones(2), RIM, caster)
    x = done.base[..., 0]
    assert x[0, 0] == 0.0
    assert x[-1, 1] == 4.0
    np.testing.assert_allclose(x[1:, 0], x[:-1, 1])
    assert (x[:, 1] > x[:, 0]).all()
    (k,) = np.flatnonzero(done.end[:, 0] != done.end[:, 1])
    assert x[k, 0] <= edge <= x[k, 1]
    assert x[k, 1] - x[k, 0] < 0.01
    assert len(x) < 30


def test_places_that_are_one_have_one_number_and_the_cheapest_stands_for_them():
    at = np.array([(1.0, 2.0), (3.0, 4.0), (1.0 + 1e-9, 2.0), (3.0, 4.0 + 1e-3), (3.0, 4.0)])
    of, first = number_places(at, np.array([5.0, 3.0, 4.0, 1.0, 2.0]))
    assert of[0] == of[2] != of[1] == of[4] != of[3]
    assert sorted(first.tolist()) == [2, 3, 4]


def test_the_samples_between_which_nothing_is_reached_bound_no_band():
    """A stretch that no label reaches parts what is left in two, and where each ends a fan is drawn."""
    u = np.linspace(0.0, 4.0, 17)
    cost = np.hypot(u - 1.0, 2.0)
    cost[[8, 9]] = np.inf
    found, at, least = sampled_bands(RIM, np.zeros(17, dtype=np.int64), u, cost)
    assert not ((found.u[:, 0] < 2.1) & (found.u[:, 1] > 2.1)).any()
    assert found.u.min() == 0.0
    assert found.u.max() == 4.0
    assert sorted(at[:, 0].tolist()) == pytest.approx([0.0, 1.75, 2.5, 4.0])
    assert least.tolist() == pytest.approx(np.hypot(at[:, 0] - 1.0, 2.0).tolist())
    assert found.sides.all()
    empty, at, least = sampled_bands(RIM, np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0))
    assert (len(empty.u), len(at), len(least)) == (0, 0, 0)


@pytest.mark.parametrize("wide", [0.02, 0.12, 0.3, 0.6])
def test_about_where_a_zone_covers_a_rim_whole_fans_are_drawn(wide):
    """A zone covers so many inches of a straight rim; below it leads an arc through the bog, an inch for two."""
    rim, before, radius = 8.0, 0.8, 2.0
    begins, ends = 8 - wide / 2, 8 + wide / 2
    models = {
        "me": {"at": (begins - before, rim), "base": 1.0, "height": 1, "move": 3, "side": "good"},
        "foe": {"at": (8, rim + math.sqrt(radius**2 - wide**2 / 4)), "base": 1.0, "height": 1, "side": "evil"},
    }
    bog = {"tags": ["difficult"], "polygon": [(2, 3), (14, 3), (14, rim - 0.5), (2, rim - 0.5)]}
    table = sbg.Table(16, 16, models=models, terrain={"bog": bog})
    field = sbg.reach(table, "me").certain.at(0, None, fine=True)
    about = corners(field.rims, field.net.rims, Caster(field.net, 0, 3.0))
    found = {tuple(np.round(at, 6).tolist()): cost for at, cost in about}
    assert found[(round(begins, 6), rim)] == pytest.approx(before, abs=1e-9)
    through = 4 * radius * math.asin(wide / 2 / radius)
    assert found[(round(ends, 6), rim)] == pytest.approx(before + through, abs=1e-6)
