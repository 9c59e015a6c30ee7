"""Where paths cross rims last, of several rims, types of path and kinds of ground at once: held against every place."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from sbg_sim.geometry.grown import discs
from sbg_sim.geometry.pieces import Piece, segment
from sbg_sim.geometry.rims import Rims
from sbg_sim.solver.field.behind_rims import BehindRims, Crossings
from sbg_sim.solver.field.rim_costs import RimCosts
from sbg_sim.solver.field.tails import Tail
from sbg_sim.solver.graph.graph_builder import GraphBuilder
from sbg_sim.solver.path.paths import Fixed, Link, Path, Slide, Wrap
from sbg_sim.solver.space import cutting
from sbg_sim.solver.space.surroundings import Goal
from sbg_sim.tolerance import CUBIC
from tests.solver.stage import level, net, ring

LENGTH, PLACES = 4.0, 2001
RIMS = Rims([replace(segment((0.0, y), (LENGTH, y)), normal=(0.0, 1.0)) for y in (0.0, 2.5, 5.0)])


def lamps(rng, pieces=3):
    """For every rim two lamps below it: what a place of it costs by each, two types of path."""
    x, y, cost = rng.uniform(-1, 5, (pieces, 2)), rng.uniform(0.5, 3, (pieces, 2)), rng.uniform(0, 1, (pieces, 2))

    def of(k, u):
        d = np.asarray(u)[..., None] - x[k]
        away = np.hypot(d, y[k])
        every = cost[k] + 0.6 * away
        best = every.argmin(axis=-1)
        slope = 0.6 * d / away
        return (np.take_along_axis(part, best[..., None], -1)[..., 0] for part in (every, slope, 0 * every + [0, 1]))

    return of


def tail(path, kind):
    fields = dict.fromkeys(Tail.__dataclass_fields__)
    return Tail(**fields | {"path": path, "whole": path, "path_type": kind})


OVER = tail(Path((Fixed((0.0, -1.0)), Fixed((0.0, 0.0))), (Link(0, weight=2.0),)), ("over",))  # comes over the ground


def exact(here, space):
    return SimpleNamespace(net=here, field=SimpleNamespace(space=space))


def behind(of, samples=33, *, sides=(True, True), apart=1):
    """Rims with places an eighth of an inch apart, of which every so many is a sample: between two is one stretch."""
    u = np.tile(np.linspace(0.0, LENGTH, samples), 3)
    piece = np.repeat(np.arange(3), samples)
    cost, slope, kind = (np.concatenate(part) for part in zip(*(of(k, u[:samples]) for k in range(3)), strict=True))
    linked = piece[1:] == piece[:-1]
    n = len(u)
    both = np.tile(np.array(sides), (n, 1))
    kind = kind.astype(np.int64) + 2 * piece
    node = np.where(np.arange(n) % samples % apart == 0, np.arange(n), -1)
    costs = RimCosts(
        piece, u, RIMS.at(piece, u), cost, slope, both, kind, linked, linked, node, kind, np.zeros((n, 1)), [OVER] * 6
    )
    here = SimpleNamespace(rims=RIMS, difficult_pieces=3)
    return BehindRims(costs, exact(here, 0))


def brute(of, xy, weight):
    """The least cost of each place by way of any place of a rim to whose side it lies, by its weight."""
    u, best = np.linspace(0.0, LENGTH, PLACES), np.full(len(xy), np.inf)
    for k, y in enumerate((0.0, 2.5, 5.0)):
        cost = next(of(k, u))
        by = (cost + weight[:, None] * np.hypot(xy[:, :1] - u, xy[:, 1:] - y)).min(axis=1)
        best = np.where((xy[:, 1] >= y) == (weight == 1.0), np.minimum(best, by), best)
    return best


@pytest.mark.parametrize("apart", [1, 4, 32])
@pytest.mark.parametrize("seed", range(6))
def test_the_cheapest_crossing_of_every_rim_is_found_for_places_of_either_ground(seed, apart):
    rng = np.random.default_rng(seed)
    of = lamps(rng)
    found = behind(of, apart=apart)
    y = rng.choice([0.0, 2.5, 5.0], 120) + rng.choice([-1, 1], 120) * rng.uniform(0.1, 2.0, 120)
    xy, weight = np.column_stack([rng.uniform(-1, 5, 120), y]), rng.choice([1.0, 2.0], 120)
    true = brute(of, xy, weight)
    near = found.near(xy, weight, np.full(120, 99.0))
    best, sure = np.full(120, np.inf), np.full(120, np.inf)
    np.minimum.at(best, near.row, near.cost)
    np.minimum.at(sure, near.row[near.sure], near.cost[near.sure])
    assert (np.isfinite(best) == np.isfinite(true)).all()
    some = np.isfinite(true)
    assert 60 < some.sum() < 120
    # Where two types meet a lower bound is told; elsewhere what it costs.
    assert (best[some] <= true[some] + 1e-5).all()
    assert (sure[some] >= true[some] - 3 * CUBIC).all()
    assert np.median(np.abs(best[some] - true[some])) < 1e-5
    there = RIMS.at(near.piece, near.u)
    own = np.concatenate([next(of(k, np.array([u]))) for k, u in zip(near.piece.tolist(), near.u, strict=True)])
    by = own + weight[near.row] * np.hypot(*(xy[near.row] - there).T)
    assert (near.cost[near.sure] >= by[near.sure] - 3 * CUBIC).all()
    assert (near.cost[near.sure] <= by[near.sure] + 3 * CUBIC).all()
    assert ((near.u >= 0) & (near.u <= LENGTH)).all()
    # Each place by itself has the same.
    for k in range(0, 120, 8):
        one = found.near(xy[k : k + 1], weight[k : k + 1], np.full(1, 99.0))
        mine = near.some(np.flatnonzero(near.row == k))
        assert sorted(one.cost.tolist()) == pytest.approx(sorted(mine.cost.tolist()), abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_of_what_may_cost_no_less_than_is_known_little_is_looked_at(seed):
    rng = np.random.default_rng(seed)
    of = lamps(rng)
    found = behind(of)
    xy, weight = np.column_stack([rng.uniform(-1, 5, 200), rng.uniform(-2, 7, 200)]), rng.choice([1.0, 2.0], 200)
    true = brute(of, xy, weight)
    most = np.where(np.isfinite(true), true, 5.0)
    every, above, below = (found.near(xy, weight, bar) for bar in (np.full(200, 99.0), most + 1e-3, most - 0.05))
    assert set(above.row.tolist()) == set(np.flatnonzero(np.isfinite(true)).tolist())
    assert len(above.row) < 0.7 * len(every.row)
    assert len(below.row) < 0.25 * len(every.row)
    assert (below.cost[below.sure] >= true[below.row[below.sure]] - 3 * CUBIC).all()


def test_paths_go_on_only_to_the_sides_they_may():
    of = lamps(np.random.default_rng(0))
    xy, weight = np.array([[2.0, 1.0], [2.0, -1.0]]), np.array([1.0, 2.0])
    for sides, rows in (((True, True), {0, 1}), ((True, False), {0}), ((False, True), {1}), ((False, False), set())):
        near = behind(of, sides=sides).near(xy, weight, np.full(2, 99.0))
        assert set(near.row.tolist()) == rows


# -- tails behind a rim ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weight", [1.0, 2.0])
@pytest.mark.parametrize("own", [True, False])
def test_behind_a_rim_a_path_crosses_it_and_goes_on_but_off_its_own_ring(weight, own):
    """A path round a ring to its rim: on bare ground it leaves the ring by a tangent, and bends nowhere else."""
    arc = Piece((2.0, 0.0), (0.3, 0.0), 3.0, radius=1.5)
    here = net([arc, level(9.0)], [ring(2.0, 0.0, 1.5 if own else 1.0)])
    to = Path((Fixed((9.0, 9.0)), Wrap(0, 1), Slide(0, 1.0)), (Link(0), Link(0)))
    u = np.array([0.5, 1.0, 1.5])
    none, three = np.zeros(3, dtype=np.int64), np.ones(2, dtype=bool)
    sides = np.ones((3, 2), dtype=bool)
    costs = RimCosts(
        none, u, here.rims.at(none, u), u + 1, 0 * u, sides, none + 4, three, three, none, none, np.ones((3, 3)),
        [tail(to, ("t",))],
    )  # fmt: skip
    found = BehindRims(costs, exact(here, 7))
    found.tails = list(costs.tails)
    row, at = np.array([0, 1]), np.array([0.7, 1.2])
    cross = Crossings(row, row, none[:2], at, at, row, np.ones(2, dtype=bool))
    which, slid = found.paths(cross, np.full(2, weight))
    made = found.tails[which[0]]
    assert which.tolist() == [1, 1]  # one for both
    leaves = own and weight == 1.0
    assert len(made.path.elements) == (3 if leaves else 4)
    assert made.path.elements[:2] == to.elements[:2]
    assert made.path.links[-1] == Link(7, weight=weight)
    if not leaves:
        assert made.path.elements[2] == Slide(0, 0.0)
        assert slid[:, 2].tolist() == at.tolist()
    assert made.path_type == ("t", 0, weight)
    assert found.paths(cross, np.full(2, weight))[0].tolist() == [1, 1]
    assert found.paths(cross, np.full(2, 3.0 - weight))[0].tolist() == [2, 2]


# -- where rims are cut ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_pieces_cross_the_rims_of_discs_where_steps_along_them_say(seed):
    rng = np.random.default_rng(seed)
    pieces = [
        segment((0.0, 0.0), (4.0, 1.0)),
        Piece((1.0, 1.0), (2.5, 0.0), 6.0, radius=1.5),
        segment((3.0, 3.0), (3.0, 3.0)),
        segment((-1.0, 2.0), (4.0, -1.0)),
    ]
    rims = Rims(pieces)
    some = [(*rng.uniform(-1, 4, 2).tolist(), float(rng.uniform(0.4, 1.2))) for _ in range(3)]
    body = discs(some)
    found = [np.concatenate(part) for part in zip(*cutting.crossed_by(rims, body), strict=True)]
    for k, piece in enumerate(pieces):
        u = np.linspace(0.0, piece.length, 20001)
        inside = ~body.clears(piece.at(u), 0.0)
        crossed = u[1:][inside[1:] != inside[:-1]]
        at = np.sort(found[1][found[0] == k])
        # Rims within another disc are cut at as well: what is known is among them.
        assert all(np.abs(at - one).min() < 1e-3 for one in crossed.tolist())
        away = np.abs(np.hypot(*np.moveaxis(piece.at(at)[:, None] - body.spines[:, :2], -1, 0)) - body.rho)
        assert not len(at) or away.min(axis=1).max() < 1e-7


def test_marks_beside_known_places_are_left_out():
    row, u = np.array([0, 0, 1, 1, 2]), np.array([1.0, 2.0, 1.0, 3.0, 0.5])
    known = [(np.array([0, 1]), np.array([1.0 + 3e-6, 1.0 - 5e-6])), (np.array([1]), np.array([3.0 - 3e-6]))]
    kept = cutting._apart((row, u), known)
    assert list(zip(*(part.tolist() for part in kept), strict=True)) == [(0, 2.0), (1, 1.0), (2, 0.5)]
    none = cutting._apart((row, u), [(row, u)])
    assert len(none[0]) == 0


def test_places_are_told_once_and_not_those_that_are_known():
    at = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 5e-7], [1.0, 2e-6], [3.0, 3.0]])
    found = cutting._places(at, np.array([[3.0, 3.0 + 5e-7]]))
    assert [(piece.start, piece.length) for piece in found] == [((0, 0), 0), ((1, 0), 0), ((1, 2e-6), 0)]


# -- where contacts meet -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_in_contact_with_two_bases_one_is_where_their_circles_cross(seed):
    rng = np.random.default_rng(seed)
    one, two = ((*rng.uniform(-2, 2, 2).tolist(), float(rng.uniform(0.5, 2))) for _ in range(2))
    found = GraphBuilder._meeting_points(SimpleNamespace(), Goal(None, contact=(one, two)))
    apart = math.dist(one[:2], two[:2])
    crosses = abs(one[2] - two[2]) < apart < one[2] + two[2]
    assert len(found) == 2 * crosses
    for x, y, r in (one, two):
        np.testing.assert_allclose(np.hypot(*(found - [x, y]).T), r, atol=1e-9)


@pytest.mark.parametrize(("off", "many"), [(0.0, 1), (5e-7, 1), (3e-6, 0), (-1e-4, 2)])
def test_circles_that_all_but_touch_meet_at_one_place(off, many):
    goal = Goal(None, contact=((0.0, 0.0, 1.0), (0.0, 2.5 + off, 1.5)))
    found = GraphBuilder._meeting_points(SimpleNamespace(), goal)
    assert len(found) == many
    if many == 1:
        np.testing.assert_allclose(found, [[0.0, 1.0]], atol=1e-6)
    third = replace(goal, contact=(*goal.contact, (1.0, 1.0, 1.0)))
    assert len(GraphBuilder._meeting_points(SimpleNamespace(), third)) == (many == 1)
