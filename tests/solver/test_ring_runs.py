"""Rings by brute force: where arcs are open, what lies on them, and what it costs to go round."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sbg_sim.solver.space.rings import Ring, RingArcs, make_runs, ways_round
from sbg_sim.tolerance import ANGLE, TOUCH

RHO = 2.0


def made(angles, open_, *, bound=None, weight=None, inner=None, nearer=None, center=(1.0, -3.0), rho=RHO):
    """A ring of arcs that begin at some angles, open to a free mover and to a bound one."""
    m = len(angles)
    free = np.array(open_, dtype=bool)
    states = np.stack([free, free if bound is None else np.array(bound, dtype=bool)])
    weight = np.ones(m) if weight is None else np.array(weight, dtype=float)
    inner = np.zeros(m, dtype=np.int64) if inner is None else np.array(inner)
    nearer = np.zeros((2, m), dtype=bool) if nearer is None else np.array(nearer, dtype=bool)
    return Ring(center, rho, 0, np.array(angles, dtype=float), states, weight, inner, nearer, np.zeros(0))


def followed(ring, bound, turn):
    """Run numbers of the arcs of a ring for one way round, their order, and whether that closes on itself."""
    runs, way = RingArcs([ring]).runs, 2 * bound + (turn < 0)
    return runs.number[way], np.argsort(runs.until[way], kind="stable"), bool(runs.closes[way])


FOUR = (-2.0, -0.5, 0.4, 2.5)  # arcs of 1.5, 0.9, 2.1 and tau - 4.5 radians


@pytest.mark.parametrize("turn", [-1, 1])
@pytest.mark.parametrize(
    ("open_", "runs"),
    [
        ((1, 1, 1, 1), [{0, 1, 2, 3}]),
        ((0, 1, 1, 0), [{1, 2}]),
        ((1, 0, 1, 1), [{0, 2, 3}]),  # round past the first angle
        ((1, 0, 1, 0), [{0}, {2}]),
    ],
)
def test_open_arcs_that_follow_one_another_are_one_run(open_, runs, turn):
    ring = made(FOUR, open_)
    number, order, closes = followed(ring, 0, turn)
    assert closes is all(open_)
    assert sorted(order.tolist()) == [0, 1, 2, 3]
    assert set((np.diff(order) * turn % 4).tolist()) == {1}
    found = [{k for k in range(4) if number[k] == n and open_[k]} for n in sorted(set(number.tolist()))]
    assert sorted(filter(None, found), key=min) == runs
    # A run is travelled from its first arc to its last without leaving it.
    assert all(len({number[k] for k in run}) == 1 for run in runs)
    assert (np.diff(number[order]) >= 0).all()
    if not closes:
        assert not open_[order[-1]]  # nothing lies at the end of the last arc


@pytest.mark.parametrize(("turn", "order"), [(1, [2, 3, 0, 1]), (-1, [2, 1, 0, 3])])
def test_into_a_zone_that_was_left_there_is_no_way_back(turn, order):
    """Arc 2 and the next lie in a zone that the mover starts in: a run ends just before it would enter that again."""
    ring = made(FOUR, (1, 1, 1, 1), inner=(0, 0, 1, 1) if turn > 0 else (0, 1, 1, 0))
    number, found, closes = followed(ring, 0, turn)
    assert (found.tolist(), closes) == (order, False)
    assert len(set(number.tolist())) == 1
    assert followed(ring, 1, turn)[2]  # who is bound minds no zone
    two = followed(made(FOUR, (1, 1, 1, 1), inner=(1, 0, 1, 0)), 0, turn)[0]
    assert [two[0] == two[1], two[2] == two[3], two[0] == two[2]] == [turn > 0, turn > 0, False]


def test_nearer_to_an_enemy_a_free_mover_goes_neither_way():
    ring = made(FOUR, (1, 1, 1, 1), nearer=((0, 1, 0, 0), (0, 0, 1, 0)))
    passes = RingArcs([ring]).passes
    assert passes[0].tolist() == [True, False, True, True]
    assert passes[1].tolist() == [True, True, False, True]
    assert passes[2:].all()


@pytest.mark.parametrize("turn", [-1, 1])
def test_until_an_arc_begins_so_many_radians_are_travelled(turn):
    ring = made(FOUR, (1, 0, 1, 1))
    until, (_, order, _) = RingArcs([ring]).runs.until[int(turn < 0)], followed(ring, 0, turn)
    far = 0.0
    for k in order.tolist():
        assert until[k] == pytest.approx(far)
        far += ring.width[k]
    assert far == pytest.approx(math.tau)


def test_weight_changes_where_a_mover_can_go_on_are_steps():
    assert made(FOUR, (1, 1, 1, 1), weight=(2, 1, 1, 1)).steps.tolist() == [0, 1]
    assert made(FOUR, (1, 0, 1, 1), weight=(2, 1, 1, 1)).steps.tolist() == [0]
    assert made(FOUR, (1, 0, 0, 0), weight=(2, 1, 1, 1)).steps.tolist() == []
    even = made(FOUR, (1, 1, 1, 1), weight=(2, 2, 2, 2))
    assert (even.steps.tolist(), even.even) == ([], 2.0)
    assert made(FOUR, (1, 1, 1, 1), weight=(1, 2, 2, 2)).even == 0.0


def test_a_ring_closes_where_an_open_stretch_begins_or_ends():
    ring = made(FOUR, (1, 0, 0, 1))

    def at(angle, rho=RHO):
        return (1.0 + rho * math.cos(angle), -3.0 + rho * math.sin(angle))

    assert [ring.closes_at(at(angle)) for angle in FOUR] == [False, True, False, True]
    hair = 4e-7 / RHO
    assert ring.closes_at(at(2.5 - hair))
    assert ring.closes_at(at(2.5 + hair))
    assert not ring.closes_at(at(2.5 + 4 * hair))
    assert not ring.closes_at(at(2.5, RHO + 2e-6))
    assert ring.closes_at(at(2.5, RHO + 5e-7))
    # An angle a hair below none is one a hair below a full turn.
    first = made((0.0, 1.0), (1, 0))
    assert first.closes_at((1.0 + RHO, -3.0 - 4e-7))


def many(seed, count=6):
    rng = np.random.default_rng(seed)
    rings = []
    for k in range(count):
        angles = np.sort(rng.uniform(-math.pi, math.pi, rng.integers(1, 7)))
        m = len(angles)
        free, bound = rng.random((2, m)) < 0.6
        weight = rng.choice([1.0, 2.0], m)
        rings.append(
            made(angles, free, bound=bound, weight=weight, center=(5.0 * k, k), rho=float(rng.uniform(0.4, 3)))
        )
    return rings


@pytest.mark.parametrize("count", [50, 2000])
def test_an_angle_lies_on_the_arc_that_holds_it(count):
    """However many are asked for at once."""
    rings, rng = many(1), np.random.default_rng(2)
    arcs = RingArcs(rings)
    which, theta, state = rng.integers(0, 6, count), rng.uniform(-9, 9, count), rng.integers(0, 2, count)
    found = arcs.locate(which, theta, state)
    maybe = arcs.may_locate(which, theta, state == 1)
    for k, angle, bound, arc, may in zip(*(v.tolist() for v in (which, theta, state, found, maybe)), strict=True):
        ring = rings[k]
        into = (angle - ring.angles) % math.tau
        holds = int(np.argmin(into))
        assert arc == (holds if ring.open[bound, holds] else -1)
        assert may or arc < 0
        if not ring.open[bound].any():
            assert not may


@pytest.mark.parametrize("stray", [0.0, TOUCH])
@pytest.mark.parametrize("side", [-1, 1])
def test_beside_an_open_arc_a_hair_of_a_closed_one_counts_as_open(side, stray):
    edge = max(ANGLE, stray / RHO)
    arcs = RingArcs([made(FOUR, (0, 1, 0, 0))])
    end = FOUR[1] if side < 0 else FOUR[2]
    one, zero = np.array([0]), np.array([0])
    for share, arc in ((0.9, 1), (1.1, -1)):
        theta = np.array([end + side * share * edge])
        assert arcs.locate(one, theta, zero, stray).tolist() == [arc]
        assert arc < 0 or arcs.may_locate(one, theta, np.array([False])).all()
    inside = np.array([end - side * 0.5 * edge])
    assert arcs.locate(one, inside, zero, stray).tolist() == [1]


def test_what_lies_between_the_widest_closed_stretch_may_be_open():
    arcs, none = RingArcs([made(FOUR, (0, 1, 0, 0))]), np.array([0])
    mid = (FOUR[1] + FOUR[2]) / 2
    for off, may in ((0.0, True), (0.44, True), (0.46, False), (math.pi, False)):
        for sign in (-1, 1):
            assert arcs.may_locate(none, np.array([mid + sign * off]), np.array([False])).tolist() == [may]
    two = RingArcs([made(FOUR, (1, 0, 1, 0))])  # arcs 1 and 3 are closed, arc 3 the wider
    inside = np.array([-2.0 + 1e-3, -1.0, 0.0, 1.0, 2.5 - 1e-3])
    assert two.may_locate(np.zeros(5, dtype=int), inside, np.zeros(5, dtype=bool)).all()
    assert not two.may_locate(none, np.array([3.0]), np.array([False])).any()


@pytest.mark.parametrize("turn", [-1, 1])
def test_from_where_travel_comes_to_an_arc_so_much_of_it_is_passed(turn):
    rings, rng = many(3), np.random.default_rng(4)
    arcs = RingArcs(rings)
    for k, ring in enumerate(rings):
        for arc in range(len(ring.angles)):
            share = rng.uniform(0, 1)
            theta = np.array([ring.angles[arc] + share * ring.width[arc] - math.tau])
            one, at = np.array([k]), np.array([arc])
            passed = (share if turn > 0 else 1 - share) * ring.width[arc]
            assert arcs.into(one, theta, at)[0] == pytest.approx(share * ring.width[arc])
            assert arcs.upto(one, theta, at, np.array([turn]))[0] == pytest.approx(passed * ring.rho * ring.weight[arc])
            before = np.array([ring.angles[arc] - 1e-10])  # a hair before an arc is at its beginning
            assert arcs.into(one, before, at)[0] == 0
            assert arcs.into(one, np.array([ring.angles[arc] - 1e-4]), at, 1e-3)[0] == 0


@pytest.mark.parametrize("seed", range(8))
def test_nodes_are_strung_along_runs_at_what_it_costs_to_come_there(seed):
    """By brute force: from node to node in the order of travel, arc by arc, while arcs are open."""
    rings, rng = many(seed, 3), np.random.default_rng(seed)
    arcs = RingArcs(rings)
    count = 40
    ring, turn, theta = rng.integers(0, 3, count), rng.choice([-1, 1], count), rng.uniform(-math.pi, math.pi, count)
    bound = rng.random(count) < 0.3
    along, reached, run, run_ring, run_turn = make_runs(arcs, np.arange(count), ring, turn, theta, bound)
    stands = {n for n in range(count) if arcs.locate(ring[[n]], theta[[n]], bound[[n]])[0] >= 0}
    assert set(along.tolist()) == stands

    def cost(a, b):
        """From node to node with their turn; infinite where something between is closed."""
        one = rings[ring[a]]
        sweep = (theta[b] - theta[a]) * turn[a] % math.tau
        places = theta[a] + turn[a] * (np.arange(4000) + 0.5) / 4000 * sweep
        hold = np.argmin((places[:, None] - one.angles) % math.tau, axis=1)
        if not one.open[int(bound[a]), hold].all():
            return math.inf
        return one.weight[hold].mean() * sweep * one.rho

    for i in range(len(along) - 1):
        a, b = along[i], along[i + 1]
        alike = (ring[a], turn[a], bound[a]) == (ring[b], turn[b], bound[b])
        if run[i] == run[i + 1]:
            assert alike
            assert (run_ring[run[i]], run_turn[run[i]]) == (ring[a], turn[a])
            if a != b:
                assert reached[i + 1] - reached[i] == pytest.approx(cost(a, b), abs=0.02)
    for a in stands:
        for b in stands:
            if a != b and (ring[a], turn[a], bound[a]) == (ring[b], turn[b], bound[b]) and cost(a, b) < math.inf:
                mine = [
                    (i, j) for i in np.flatnonzero(along == a) for j in np.flatnonzero(along == b) if run[i] == run[j]
                ]
                more = [reached[j] - reached[i] for i, j in mine if j > i]
                assert min(more) == pytest.approx(cost(a, b), abs=0.02)


def test_ways_round_are_numbered_ring_by_ring():
    ring, bound, turn = (v.ravel() for v in np.meshgrid([0, 1], [0, 1], [1, -1], indexing="ij"))
    assert ways_round(ring, bound, turn).tolist() == list(range(8))
    rings = [made(FOUR, (0, 1, 1, 0), weight=(1, 2, 1, 1)), made((0.0,), (1,))]
    runs, some = RingArcs(rings).runs, [0, 1, 4, 5]
    number, base = runs.number[some], runs.base[some]
    assert runs.closes[some].tolist() == [False, False, True, True]
    assert (number[2:, 1:] == -1).all()  # the second has one arc
    first, second = rings[0].width[1] * 2 * RHO, rings[0].width[2] * RHO
    assert base[0, 2] - base[0, 1] == pytest.approx(first)
    assert base[1, 1] - base[1, 2] == pytest.approx(second)
    assert number[0, 1] == number[0, 2]
    assert number.shape == base.shape == (4, 4)
