"""Runs by brute force: what it costs to leave a ring for a place, over every node that leads onto it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.geometry.tangents import leave_to_point
from sbg_sim.solver.field.fans import RayFans
from sbg_sim.solver.field.rays import STRAIGHT_ON
from sbg_sim.solver.field.sampled_costs import sampling_error
from sbg_sim.tolerance import OUTLINE_ERROR, SAGITTA, TOUCH

MODELS = {
    "me": {"at": (8, 8), "base": 1, "height": 1.5, "move": 7, "side": "good"},
    "one": {"at": (10.2, 8.4), "base": 1.5, "height": 1.5, "move": 6, "side": "good"},
    "two": {"at": (7.1, 10.6), "base": 2, "height": 1.5, "move": 6, "side": "good"},
    "three": {"at": (5.2, 6.9), "base": 1, "height": 1.5, "move": 6, "side": "good"},
    "foe": {"at": (9.4, 4.6), "base": 1, "height": 1.5, "move": 6, "side": "evil"},
}
BOG = {"bog": {"tags": ["difficult"], "polygon": [(10, 9.5), (13, 10), (12, 12), (9.5, 12)]}}


@pytest.fixture(scope="module")
def field():
    reach = sbg.reach(sbg.Table(16, 16, models=MODELS, terrain=BOG), "me")
    return reach.certain.at(0, None)


def travelled(net, ring, turn, a, b):
    """Cost of going round a ring from one angle to another with a turn, infinite where an arc is closed."""
    sweep = (b - a) * turn % math.tau
    if sweep > math.tau - 1e-9:
        sweep = 0.0
    angle = a + turn * (np.arange(2000) + 0.5) / 2000 * sweep
    hold = np.argmin((angle[:, None] - ring.angles) % math.tau, axis=1)
    if not ring.open[0, hold].all():
        return math.inf
    return float(ring.weight[hold].mean() * sweep * ring.rho)


def test_a_run_is_left_for_what_the_cheapest_node_before_says(field):
    net, runs, cost = field.net, field.runs, field.cost
    rng = np.random.default_rng(3)
    xy = rng.uniform(2, 14, (25, 2))
    low, start, node = runs.leave(xy)
    seen = 0
    for k in range(len(runs)):
        ring, turn, c = net.rings[runs.ring[k]], int(runs.turn[k]), net.rings[runs.ring[k]].center
        nodes = np.unique(runs.source[runs.begin[k] : runs.begin[k + 1]])
        for i, p in enumerate(xy):
            if math.dist(p, c) < ring.rho:
                assert math.isinf(low[i, k])
                continue
            angle, length = leave_to_point(np.array(c), ring.rho, turn, p)
            ways = [
                (cost[n] + travelled(net, ring, turn, math.atan2(*(net.nodes.xy[n] - c)[::-1]), float(angle)), n)
                for n in nodes.tolist()
            ]
            best = min(ways)[0]
            if math.isinf(low[i, k]):
                # Only where the run is closed there, or begins later.
                assert best == math.inf or best > field.sampled
                continue
            assert low[i, k] == pytest.approx(best + float(length), abs=0.02)
            np.testing.assert_allclose(
                start[i, k], np.array(c) + ring.rho * np.array([math.cos(angle), math.sin(angle)])
            )
            own = {n: way for way, n in ways}
            assert own[int(node[i, k])] == pytest.approx(best, abs=0.02)
            seen += 1
    assert seen > 100


def test_only_what_may_cost_so_little_is_looked_at(field):
    xy = np.random.default_rng(3).uniform(2, 14, (200, 2))
    every, _, _ = field.runs.leave(xy)
    for cutoff in (3.0, 5.0):
        some, _, _ = field.runs.leave(xy, cutoff)
        assert (some[every <= cutoff] == every[every <= cutoff]).all()
        left_out = np.isinf(some) & np.isfinite(every)
        assert left_out.sum() > 50
        assert (every[left_out] > cutoff).all()


def test_a_stretch_is_what_is_open_about_its_nodes(field):
    net, runs = field.net, field.runs
    for k in range(len(runs)):
        ring, turn = net.rings[runs.ring[k]], int(runs.turn[k])
        begin, span = (some[k] for some in runs.stretches)
        closes = bool(runs.arcs.runs.closes[runs.way[k]])
        assert closes is bool(ring.open[0].all())
        if closes:
            assert span == pytest.approx(2 * math.tau)
            continue
        inside = begin + turn * np.linspace(1e-4, span - 1e-4, 200)
        hold = np.argmin((inside[:, None] - ring.angles) % math.tau, axis=1)
        assert ring.open[0, hold].all()
        for beyond in (begin - turn * 1e-4, begin + turn * (span + 1e-4)):
            assert not ring.open[0, np.argmin((beyond - ring.angles) % math.tau)]
        step = 0.3
        along = runs.along(k, step)
        assert along[[0, -1]].tolist() == pytest.approx([begin, begin + turn * span])
        assert (np.abs(np.diff(along)) <= step + 1e-12).all()
        assert len(along) == math.ceil(span / step) + 1


def test_paths_join_a_run_where_no_label_before_is_as_low(field):
    net, runs, cost = field.net, field.runs, field.cost
    assert runs.least.tolist() == [
        pytest.approx(cost[runs.source[a:b]].min()) for a, b in zip(runs.begin[:-1], runs.begin[1:], strict=True)
    ]
    for k, joins in enumerate(runs.joins):
        ring, turn = net.rings[runs.ring[k]], int(runs.turn[k])
        angle = {n: math.atan2(*(net.nodes.xy[n] - ring.center)[::-1]) for n in joins.tolist()}
        for n in joins.tolist()[1:]:
            before = [cost[m] + travelled(net, ring, turn, angle[m], angle[n]) for m in joins.tolist() if m != n]
            assert cost[n] < min(before) + 0.02


@pytest.mark.parametrize(
    ("ways", "spacing", "error"), [(0, 0.25, 0.05 + 0.125), (1, 0.25, 0.25), (1, 0.02, 0.05), (0, 0.0, 0.05)]
)
def test_sampled_costs_err_by_half_the_distance_of_samples_or_behind_ways_over_by_all_of_it(ways, spacing, error):
    assert sampling_error([None] * ways, spacing) == pytest.approx(error)


def test_a_sampled_cost_lies_no_lower_than_the_exact_one_and_no_higher_than_may_be(field):
    xy = np.random.default_rng(5).uniform(2, 14, (400, 2))
    exact = field.distance(xy)
    bends = field.last_bends(xy, field.points)
    best, choice = field.verify(xy[:, None], replace(bends, low=bends.low.copy()), field.points)
    reached = np.isfinite(exact) & (exact < field.cutoff - field.sampling_error)
    assert reached.sum() > 100
    assert (best[reached] >= exact[reached] - 1e-6).all()
    assert (best[reached] <= exact[reached] + field.sampling_error + 1e-9).all()
    # One at a time the same.
    for n in np.flatnonzero(reached)[:40]:
        alone, last = field.verify(xy[[n], None], bends.some(np.array([n])), field.points)
        assert alone[0] == pytest.approx(best[n], abs=1e-12)
        assert bends.low[n, last[0]] <= alone[0] + 1e-12
        assert choice[n] >= 0


def test_few_straights_are_asked_of_each_place(field, monkeypatch):
    """The likeliest first, several at once where places are few; none twice."""
    asked = []
    space = field.net.spaces[0]
    known = type(space).straight
    monkeypatch.setattr(type(space), "straight", lambda self, p, q, *a: asked.append(len(p)) or known(self, p, q, *a))
    xy = np.random.default_rng(6).uniform(2, 14, (300, 2))
    bends = field.last_bends(xy, field.points)
    within = int((bends.low <= field.sampled).sum())
    field.verify(xy[:, None], bends, field.points)
    assert 0 < sum(asked) < within
    assert len(asked) < 40
    # In the first round of all no more than one straight of each place.
    assert asked[0] <= len(xy)


STEP = {"step": {"tags": ["platform"], "polygon": [(10, 5), (13, 5), (13, 8), (10, 8)], "height": 0.3}}


def hedged(more):
    """The reach of one model beside a bog, and whatever else there is."""
    return sbg.reach(sbg.Table(16, 16, models={"me": MODELS["me"]}, terrain=BOG | more), "me")


def test_a_sketch_is_drawn_without_closer_samples():
    found = hedged(STEP)
    assert found.certain.surroundings.transitions
    assert found.sketch(0.05).area == pytest.approx(found.sketch(0.02).area, rel=0.01)
    assert "fine" not in vars(found.certain)
    assert found.area.area > 0
    assert "fine" in vars(found.certain)


def test_an_area_errs_by_its_outline_and_by_the_rims_that_are_sampled():
    """By the mean square distance to a sample, a twelfth of that between two of them squared, an inch of rim."""
    plain, over = (hedged(more) for more in ({}, STEP))
    assert plain.certain.error(10.0) == pytest.approx(10 * OUTLINE_ERROR + TOUCH)
    fields = over.certain
    net = fields.fine[0] if fields.surroundings.transitions else None
    free = [way for way in fields.surroundings.transitions if not way.way.tests]
    sampled = sum(piece.length for way in free for piece in (*way.near, *way.far))
    sampled += sum(piece.length for piece in net.pieces[: net.difficult_pieces]) if net else 0.0
    assert sampled > 10
    for outline in (1.0, 30.0, 900.0):
        more = min(sampled, outline) * fields._step**2 / 12
        assert fields.error(outline) == pytest.approx(outline * OUTLINE_ERROR + more + TOUCH)


# -- the fans about them -----------------------------------------------------------------------------------------------


def test_in_open_ground_a_sketch_strays_no_farther_than_it_may():
    table = sbg.Table(30, 30, models={"me": MODELS["me"] | {"at": (15, 15)}})
    reach = sbg.reach(table, "me")
    field = reach.certain.at(0, None)
    for sagitta in (SAGITTA, 0.01, 0.05, 0.2):
        area = RayFans(field, 7.0, sagitta).region()
        edge = np.hypot(*(np.array(area.exterior.coords) - 15).T)
        assert edge.max() <= 7.0 + sagitta
        middle = (np.array(area.exterior.coords)[1:] + np.array(area.exterior.coords)[:-1]) / 2
        assert np.hypot(*(middle - 15).T).min() >= 7.0 - sagitta


@pytest.mark.parametrize("sagitta", [SAGITTA, 0.01, 0.05, 0.2])
def test_rays_from_a_place_are_so_close_that_chords_and_wavefronts_between_them_hold(sagitta):
    """A chord strays by as much as is left times what a cosine lacks; wavefronts lie between rays near in direction."""
    table = sbg.Table(30, 30, models={"me": MODELS["me"] | {"at": (15, 15)}})
    field = sbg.reach(table, "me").certain.at(0, None)
    counts = []
    for left in np.geomspace(0.03, 7.0, 60).tolist():
        rays = RayFans(field, left, sagitta)._spot_rays()
        steps = np.diff(rays.theta)
        assert rays.theta[[0, -1]].tolist() == pytest.approx([0.0, math.tau])
        assert left * (1 - math.cos(steps.max() / 2)) <= 1.0001 * sagitta
        assert math.cos(steps.max()) > STRAIGHT_ON
        counts.append((left, len(steps)))
    # No more of them than that takes: four times as far, twice as many.
    assert all(
        n <= 4 * math.ceil(max(math.tau / 0.2, math.tau / math.sqrt(7.9 * sagitta / left)) / 4) for left, n in counts
    )


def test_rays_touch_every_circle_they_can(field):
    """On both sides of each direction in which a ray from a place just touches a ring that is open there."""
    fans = RayFans(field, field.cutoff)
    rng = np.random.default_rng(8)
    at = rng.uniform(4, 12, (12, 2))
    left = np.full(12, 5.0)
    spot, angle = fans._critical_from(at, left)
    half = len(spot) // 2
    np.testing.assert_allclose(angle[half:] - angle[:half], 2e-7, rtol=1e-6)
    assert spot[:half].tolist() == spot[half:].tolist()
    for n, p in enumerate(at):
        mine = angle[:half][spot[:half] == n] + 1e-7
        want = []
        for (x, y, rho), k in zip(fans.circles.tolist(), fans.rings.tolist(), strict=True):
            d = math.dist(p, (x, y))
            if not rho < d < 5.0 + rho:
                continue
            toward = math.atan2(y - p[1], x - p[0])
            for side in (-1, 1):
                direction = toward + side * math.asin(rho / d)
                touch = np.array([direction + side * math.pi / 2])
                if field.net.arcs.may_locate(np.array([k]), touch, np.array([False]))[0]:
                    want.append(direction)
        assert np.allclose(np.sort(mine % math.tau), np.sort(np.array(want) % math.tau), atol=1e-9)
        assert len(want) > 0


def test_along_a_ring_rays_leave_at_every_join_and_bend(field):
    fans = RayFans(field, field.cutoff)
    rays = fans._ring_rays()
    assert (np.diff(rays.fan) >= 0).all()
    for fan in range(len(rays.rho)):
        mine = rays.fan == fan
        turn, theta, cost = rays.turn[fan], rays.theta[mine], rays.cost[mine]
        assert len(theta) > 1
        assert (np.diff(theta) * turn > 0).all()
        assert (cost < field.cutoff).all()
        # Along a ring the cost rises by no more than twice the arc.
        arc = np.abs(np.diff(theta)) * rays.rho[fan]
        assert (np.diff(cost) <= 2 * arc + 1e-9).all()
        steps = np.sqrt(8 * SAGITTA / np.maximum(field.cutoff - cost.min(), rays.rho[fan]))
        assert np.abs(np.diff(theta)).max() <= 1.05 * steps
