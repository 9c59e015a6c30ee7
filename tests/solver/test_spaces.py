"""The configuration space by brute force: where a mover may be, and which straights keep to the rules, step by step."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.arrays import unit
from sbg_sim.geometry.grown import grown
from sbg_sim.geometry.pieces import rim_pieces, segment
from sbg_sim.geometry.rims import Rims
from sbg_sim.solver.space.configuration_space import first_entry
from sbg_sim.solver.space.cutting import _alone, _places, cut, cut_rims
from sbg_sim.solver.space.rings import make_rings
from sbg_sim.solver.space.surroundings import make_surroundings
from sbg_sim.tolerance import TOUCH

MODELS = {
    "me": {"at": (8, 8), "base": 1, "height": 1.5, "move": 8, "side": "good"},
    "friend": {"at": (10.2, 9.1), "base": 1.5, "height": 1.5, "move": 6, "side": "good"},
    "foe": {"at": (4.6, 6.4), "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    "other": {"at": (6.6, 11.3), "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    "close": {"at": (8.2, 6.3), "base": 1, "height": 1.5, "move": 6, "side": "evil"},
}
GROUND = {
    "rock": {"tags": ["unscalable"], "polygon": [(2, 10), (4.5, 10.3), (3.2, 13)], "height": 9},
    "bog": {"tags": ["difficult"], "polygon": [(9, 10), (13, 10.5), (12, 13), (8.5, 13.2)]},
}


def space_of(charging=None, **rulings):
    table = sbg.Table(14, 14, models=MODELS, terrain=GROUND, rulings=sbg.Rulings(rulings) if rulings else sbg.Rulings())
    return make_surroundings(table, table.model("me"), reach=12.0, charging=charging).spaces[0]


@pytest.fixture(scope="module", params=[None, "foe", "close"])
def space(request):
    return space_of(request.param)


def zone_radius(name):
    return 0.5 + 1.0 + MODELS[name]["base"] / 2


def test_a_free_mover_may_be_where_it_overlaps_nothing_and_no_zone_but_its_own(space):
    rng = np.random.default_rng(1)
    p = rng.uniform(0, 14, (4000, 2))
    clear = (p > 0.5).all(axis=1) & (p < 13.5).all(axis=1)
    for name in ("friend", "foe", "other", "close"):
        clear &= np.hypot(*(p - MODELS[name]["at"]).T) > 0.5 + MODELS[name]["base"] / 2
    rock = sbg.polygon(GROUND["rock"]["polygon"])
    clear &= rock.depth(p) > 0.5
    assert space.passable(p).tolist() == clear.tolist()
    away = {name: np.hypot(*(p - MODELS[name]["at"]).T) for name in ("foe", "other", "close")}
    free = clear & (away["foe"] >= zone_radius("foe")) & (away["other"] >= zone_radius("other"))
    free &= away["close"] >= math.dist(MODELS["me"]["at"], MODELS["close"]["at"])
    assert space.free(p).tolist() == free.tolist()
    target = space.target
    bound = clear & (away[target.id] <= zone_radius(target.id)) if target else np.zeros(len(p), dtype=bool)
    assert space.bound(p).tolist() == bound.tolist()
    assert [part.tolist() for part in space.states(p)] == [free.tolist(), bound.tolist()]
    heavy = sbg.polygon(GROUND["bog"]["polygon"]).depth(p) < 0.5
    assert space.weight(p).tolist() == np.where(heavy, 2.0, 1.0).tolist()
    assert (space.takes(p, bound=False) == (free & space.may_end(p))).all()
    assert (space.takes(p, bound=True) == (bound & space.may_end(p))).all()


def test_a_straight_is_open_where_every_step_of_it_is(space):
    """Free from end to end: no overlap, no zone but those one starts in, and within those no nearer than at first."""
    rng = np.random.default_rng(2)
    p, q = rng.uniform(0.6, 13.4, (2, 1500, 2))
    keep = space.free(p) & space.free(q)
    p, q = p[keep], q[keep]
    free = np.zeros(len(p), dtype=bool)
    cost = space.straight(p, q, free, free)
    share = (np.arange(1500) + 0.5) / 1500
    zone = next(z for z in space.zones if z.id == "close")
    unsure = 0
    for k in range(len(p)):
        at = p[k] + share[:, None] * (q[k] - p[k])
        away = np.hypot(*(at - zone.at).T)
        inside = math.dist(p[k], zone.at) < zone.radius
        least = zone.closest if inside else zone.radius
        ok = space.free(at).all() and (away >= least).all()
        # What comes within a few thousandths of something steps do not tell.
        loose = space.passable(at).all() and (away >= least - 2e-3).all()
        if ok:
            true = math.dist(p[k], q[k]) * space.weight(at).mean()
            assert cost[k] == pytest.approx(true, rel=2e-3)
        elif not loose:
            assert math.isinf(cost[k])
        else:
            unsure += 1
    assert np.isfinite(cost).sum() > 100
    assert unsure < len(p) / 2


def test_a_straight_that_ends_bound_is_free_until_it_enters_the_zone(space):
    if space.target is None:
        return
    target = space.target
    rng = np.random.default_rng(3)
    p = rng.uniform(0.6, 13.4, (3000, 2))
    q = np.array(target.at) + rng.uniform(-1, 1, (3000, 2)) * target.radius
    keep = space.free(p) & space.bound(q)
    p, q = p[keep], q[keep]
    k = len(p)
    no, yes = np.zeros(k, dtype=bool), np.ones(k, dtype=bool)
    end, enters = space.until_bound(p, q, no, yes)
    assert enters.all()
    outside = np.hypot(*(p - target.at).T) > target.radius
    np.testing.assert_allclose(np.hypot(*(end - target.at).T)[outside], target.radius, atol=1e-9)
    np.testing.assert_allclose(end[~outside], p[~outside])
    # To the place where it enters as a free mover, on from there bound, minding no zone.
    whole = space.straight(p, q, no, yes)
    first = space.straight(p[outside], (end - 1e-6 * (q - p))[outside], no[outside], no[outside])
    then = space.straight(end[outside], q[outside], yes[outside], yes[outside])
    parts = first + then
    both = np.isfinite(whole[outside]) == np.isfinite(parts)
    assert both.mean() > 0.98  # but for what just touches
    np.testing.assert_allclose(whole[outside][both], parts[both], atol=1e-4)
    assert np.isfinite(whole).sum() > 20
    back = space.straight(q, p, yes, no)
    assert np.isinf(back).all()  # who is bound does not come free


def test_a_line_first_enters_a_disc_where_it_does():
    c, radius = (2.0, 1.0), 1.5
    p = np.array([[-3.0, 1.0], [-3.0, 2.4], [-3.0, 2.6], [2.5, 1.0], [9.0, 1.0], [-3.0, 1.0], [0.5 - 1e-8, 1.0]])
    q = np.array([[9.0, 1.0], [9.0, 2.4], [9.0, 2.6], [9.0, 1.0], [12.0, 1.0], [0.5 - 1e-8, 1.0], [-3.0, 1.0]])
    found = first_entry(p, q, c, radius)
    half = math.sqrt(1.5**2 - 1.4**2)
    want = [3.5 / 12, (5 - half) / 12, math.inf, 0.0, math.inf, 1.0, 0.0]
    assert found.tolist() == pytest.approx(want)


@pytest.mark.parametrize("charging", [None, "foe", "close"])
@pytest.mark.parametrize("reading", ["radial", "monotone"])
def test_on_every_ring_arcs_are_open_where_a_mover_may_be(charging, reading):
    rulings = {"stuck_no_closer": "monotone"} if reading == "monotone" else {}
    space = space_of(charging, **rulings)
    rings, _ = make_rings((space,))
    assert len(rings) > 6
    rims = rim_pieces(space.difficult)
    for ring in rings:
        theta = np.sort(np.random.default_rng(4).uniform(-math.pi, math.pi, 400))
        off = (theta[:, None] - ring.angles) % math.tau
        arc = off.argmin(axis=1)
        inner = (off.min(axis=1) > 2e-3) & (ring.width[arc] - off.min(axis=1) > 2e-3)
        p = np.array(ring.center) + ring.rho * unit(theta)
        free, bound = space.states(p)
        deep = space.weight(p) == 2.0
        on_rim = any(ring.rho == piece.radius and piece.start == ring.center for piece in rims)
        usable = ~deep if on_rim else np.ones(len(p), dtype=bool)
        for state, may in ((0, free), (1, bound)):
            found = ring.open[state, arc]
            assert (found[inner] <= may[inner]).all()
            assert (found[inner & usable] == may[inner & usable]).all()
        used = ring.open.any(axis=0)[arc] & inner
        assert (ring.weight[arc][used] == np.where(deep, 2.0, 1.0)[used]).all()
        stuck = [z for z in space.zones if z.stuck]
        for k, zone in enumerate(stuck):
            held = (ring.inner[arc] >> k & 1).astype(bool)
            assert (held[used] == zone.holds(p)[used]).all()
        if not space.monotone:
            assert not ring.nearer.any()
            continue
        (zone,) = stuck
        on = np.array(ring.center) + ring.rho * unit(theta + 1e-6)
        ahead = np.hypot(*(on - zone.at).T)
        rises = ahead - np.hypot(*(p - zone.at).T)
        held = zone.holds(p) & used & (np.abs(rises) > 1e-8)
        assert (ring.nearer[0, arc][held] == (rises[held] < 0)).all()
        assert (ring.nearer[1, arc][held] == (rises[held] > 0)).all()


def test_a_ring_has_room_where_a_move_may_end_on_it():
    space = space_of("foe")
    x, y = MODELS["foe"]["at"]
    assert space.has_room((x, y, 1.0), bound=True)
    assert not space.has_room((x, y, 1.0), bound=False)
    assert not space.has_room((x, y, 0.9), bound=True)
    assert space.has_room((8.0, 3.0, 1.0), bound=False)
    assert not space.has_room((-20.0, 0.0, 5.0), bound=False)
    lone = space_of()
    assert not lone.has_room((x, y, 1.0), bound=True)


# -- rims that are cut -------------------------------------------------------------------------------------------------


def short(rng):
    """Lines of less than an inch about the model in the middle, some of which run into it."""
    begin = np.array(MODELS["friend"]["at"]) + rng.uniform(-1.6, 1.6, (12, 2))
    return begin.tolist(), (begin + rng.uniform(-0.6, 0.6, (12, 2))).tolist()


@pytest.mark.parametrize("charging", [None, "foe", "close"])
@pytest.mark.parametrize("seed", range(4))
def test_of_lines_those_parts_are_kept_where_a_mover_may_be(charging, seed):
    space, rng = space_of(charging), np.random.default_rng(seed)
    lines = [segment(tuple(a), tuple(b)) for a, b in rng.uniform(0.5, 13.5, (6, 2, 2)).tolist()]
    lines += [segment(tuple(a), tuple(b)) for a, b in zip(*short(rng), strict=True)]
    lines += rim_pieces(grown([(sbg.circle(tuple(rng.uniform(3, 11, 2)), 1.0), 1.5)]))
    found = Rims(cut(space, lines))
    rims = Rims(lines)
    for j, line in enumerate(lines):
        u = np.sort(rng.uniform(0, line.length, 300))
        p = rims.at(np.full(300, j), u)
        kept = (found.nearest(p)[1] <= 1e-7).any(axis=1)  # of some line, at least
        free, bound = space.states(p)
        beside = space.states(p + 2e-6)[0] != free
        assert (kept == (free | bound))[~beside].all()
    # What stands there changes only from one part to another.
    for k in range(len(found.length)):
        inner = found.at(np.full(50, k), np.linspace(0.02, 0.98, 50) * found.length[k])
        free, bound = space.states(inner)
        assert (free | bound).all()
        assert len(set(free.tolist())) == 1
        assert len(set(space.weight(inner).tolist())) == 1


def test_a_line_is_also_cut_where_that_is_asked_for_but_not_beside_other_cuts():
    space = space_of()
    line = segment((1.0, 2.0), (6.0, 2.0))
    marks = np.array([0, 0, 0]), np.array([1.5, 3.0, 5.0 - TOUCH])
    parts = cut(space, [line], marks=marks)
    assert sorted(round(part.length, 6) for part in parts) == [1.5, 1.5, 2.0]
    assert [part.length for part in cut(space, [line])] == [5.0]


def test_a_place_between_two_closed_parts_is_kept_where_a_base_just_fits():
    models = {
        "me": {"at": (8, 3), "base": 1, "height": 1.5, "move": 8, "side": "good"},
        "left": {"at": (7, 8), "base": 1, "height": 1.5, "move": 6, "side": "good"},
        "right": {"at": (9, 8), "base": 1, "height": 1.5, "move": 6, "side": "good"},
    }
    table = sbg.Table(16, 16, models=models)
    space = make_surroundings(table, table.model("me"), reach=12.0).spaces[0]
    line = segment((7.2, 8.0), (8.8, 8.0))
    (only,) = cut(space, [line])
    assert (only.length, only.start) == (0.0, pytest.approx((8.0, 8.0)))
    row, u0, u1 = np.array([0, 0]), np.array([0.0, 0.8]), np.array([0.8, 1.6])
    found = _alone(space, Rims([line]), (row, u0, u1), np.array([False, False]))
    assert [piece.start for piece in found] == [pytest.approx((8.0, 8.0))]
    # Beside a part that is of use its end is known.
    assert _alone(space, Rims([line]), (row, u0, u1), np.array([False, True])) == []
    assert _alone(space, Rims([line]), (row, u0, u1), np.array([True, False])) == []
    once = _places(np.array([[1.0, 1.0], [1.0, 1.0 + 5e-7], [2.0, 2.0], [3.0, 3.0]]), np.array([[2.0, 2.0 - 5e-7]]))
    assert [piece.start for piece in once] == [(1.0, 1.0), (3.0, 3.0)]


@pytest.mark.parametrize("width", [1.003, 1.05, 1.4])
@pytest.mark.parametrize("x", [11.3, 12.0004, 13.77])
def test_through_a_slit_behind_a_wall_a_jump_leads_straight_across(width, x):
    """Two bases stand just beyond a wall that is jumped straight across: between them it is open, however narrow."""
    wall = {"tags": ["obstacle"], "line": [(8, 12), (17, 12)], "thickness": 0.2, "height": 1}
    models = {"me": {"at": (12, 6), "base": 1, "height": 1.5, "move": 12, "side": "good"}}
    half = width / 2 + 0.5
    models |= {
        name: {"at": (x + side * half, 13.0), "base": 1, "height": 1.5, "move": 6, "side": "good"}
        for name, side in (("left", -1), ("right", 1))
    }
    rulings = sbg.Rulings({"jump_landing": "across"})
    table = sbg.Table(24, 24, models=models, terrain={"wall": wall}, rulings=rulings)
    here = make_surroundings(table, table.model("me"), reach=14.0)
    (way,) = here.transitions
    assert way.way.across
    kept = cut_rims(way, way.near, here.transitions, near=True)
    south = [piece for piece in kept if piece.at(np.array(piece.length / 2))[1] < 12]
    ends = [piece.at(np.array([0.0, piece.length]))[:, 0] for piece in south]
    spans = [(min(pair), max(pair)) for pair in ends]
    # It comes out at half an inch beyond the wall's face, 0.4 in below the middles of the bases.
    off = math.sqrt(1 - 0.4**2)
    slit = x - half + off, x + half - off
    assert min(abs(a - slit[0]) for a, _ in spans) < 2e-6
    assert min(abs(b - slit[1]) for _, b in spans) < 2e-6
    for side in (-1, 1):
        assert not any(a < x + side * half < b for a, b in spans)
