"""What is left out unasked is left out by bounds: none lies above what it bounds, and each tells something."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.geometry.rims import Rims
from sbg_sim.solver.graph.edges import Product, _Groups, _linked, _may_cross, _walled
from sbg_sim.solver.graph.graph_builder import GraphBuilder
from sbg_sim.solver.graph.label_search import Limits, settle
from sbg_sim.solver.graph.tangent_graph import SAMPLE
from sbg_sim.solver.space.surroundings import Goal, make_surroundings
from sbg_sim.tolerance import TOUCH
from tests.fuzz.kinds import make

TABLES = [("hedges", 5), ("platforms", 12), ("mounds", 6), ("stairs", 8), ("yards", 11), ("mires", 7), ("towers", 9)]
RANGE = 6.0


def built(kind, seed, *, lazy=False, goal=None, range_=RANGE):
    table, question = make(kind, seed, small=True)
    mover = table.model(question.model)
    surroundings = make_surroundings(table, mover, reach=range_)
    return GraphBuilder(surroundings, goal, 0.2, range_, lazy=lazy), table, mover


@pytest.fixture(scope="module", params=TABLES, ids=lambda row: row[0])
def net(request):
    return built(*request.param)[0].build()


def test_an_edge_weighs_no_less_than_it_is_bound_to(net):
    every = np.arange(len(net.graph.src))
    low, true = net.graph.low.copy(), net.weigh(every)
    assert (low <= true + 1e-9).all()
    # A bound says how far apart its ends are at least, whatever the way over spares.
    plain = net.transition_of == -1
    p, q = net.ends(every)
    assert (low[plain] >= np.hypot(*(q - p)[plain].T) - 2 * TOUCH).all()


@pytest.mark.parametrize(("kind", "seed"), [("squeezes", 1), ("squeezes", 4), ("riders", 3)])
def test_an_optimistic_weight_is_no_more_than_that_of_any_way_over_beside(kind, seed):
    """Difficult ground that begins so much farther in is cut no more than all of it, by lines moved by as much."""
    net, by = built(kind, seed)[0].build(), 0.06
    other = net.optimistic(by)
    every = np.arange(len(net.graph.src))
    true, told = net.graph.weights(every), other.graph.weights(every)
    over = net.transition_of >= 0
    np.testing.assert_array_equal(told[~over], true[~over])
    assert (told <= true + 1e-9).all()
    assert (told[over] < true[over] - 0.1).any()
    rng, (p, q) = np.random.default_rng(5), net.ends(every)
    for j, way in enumerate(net.transitions):
        k = np.flatnonzero((net.transition_of == j) & np.isfinite(true))
        for _ in range(8):
            angle = rng.uniform(0, math.tau)
            aside = by * np.array([math.cos(angle), math.sin(angle)])
            assert (told[k] <= way.cost(p[k] + aside, q[k] + aside) + 1e-9).all()


def test_without_difficult_ground_no_weight_is_optimistic():
    assert built("hedges", 5)[0].build().optimistic(0.06) is None


@pytest.mark.parametrize("most", [0.5, math.inf])
def test_a_straight_between_nodes_weighs_no_less_than_it_is_bound_to(net, most):
    """Whatever leads through the wall or the difficult ground on whose rim it begins, or ends."""
    rng, told = np.random.default_rng(7), 0
    for i, space in enumerate(net.spaces):
        mine = np.flatnonzero((net.nodes.space == i) & ~net.nodes.bound)
        if len(mine) < 2:
            continue
        a, b = rng.choice(mine, 3000), rng.choice(mine, 3000)
        p, q = net.nodes.xy[a], net.nodes.xy[b]
        plain = np.hypot(*(q - p).T)
        a, b, p, q = (v[plain > 0.01] for v in (a, b, p, q))
        plain = plain[plain > 0.01]
        free = np.zeros(len(a), dtype=bool)
        low = net.bounds(a, b, i, -1, np.full(len(a), most))
        assert (low <= space.straight(p, q, free, free) + 1e-9).all()
        assert (low >= plain).all()
        # What is as long as it may weigh is not looked at.
        np.testing.assert_array_equal(low[plain >= most], plain[plain >= most])
        samples = (net.nodes.kind[a] == SAMPLE) | (net.nodes.kind[b] == SAMPLE)
        assert (low[~samples] == plain[~samples]).all()
        told += (low[samples] > plain[samples] + 0.01).sum()
    if len(net.pieces) and most == math.inf:
        assert told > 20


def test_difficult_ground_on_whose_rim_a_straight_begins_is_told_of():
    """A chord of a convex piece weighs twice its length; of what leaves a round one a disc within it tells."""
    bog = {"tags": ["difficult"], "circle": {"center": (12, 12), "radius": 2}}
    models = {"m": {"at": (6, 12), "base": 1, "height": 1.5, "move": 20}}
    table = sbg.Table(24, 24, models=models, terrain={"bog": bog})
    net = GraphBuilder(make_surroundings(table, table.model("m"), reach=20.0), None, 0.3, 20.0).build()
    rim = np.flatnonzero(net.on_ground)
    angle = np.arctan2(*(net.nodes.xy[rim] - (12, 12)).T[::-1])
    a = rim[np.argmin(np.abs(angle - 0.3))]
    (start,) = net.source
    across = np.array([n for n in rim if n != a])
    low = net.bounds(np.full(len(across), a), across, 0, -1, np.full(len(across), math.inf))
    plain = np.hypot(*(net.nodes.xy[across] - net.nodes.xy[a]).T)
    # But for chords so short that they may count as lying along the rim.
    long = plain > 0.02
    np.testing.assert_allclose(low[long], 2 * plain[long], atol=1e-4)
    far = rim[np.argmax(net.nodes.xy[rim, 0])]
    through = net.bounds(np.array([start, far]), np.array([far, start]), 0, -1, np.full(2, math.inf))
    assert through.tolist() == pytest.approx([6 + 2.5 + 5] * 2, abs=0.05)  # straight through the middle
    none = net.bounds(np.array([start]), np.array([far]), 0, -1, np.array([8.0]))
    assert none.tolist() == pytest.approx([8.5])


def test_into_a_wall_on_whose_rim_a_straight_ends_nothing_leads():
    hedge = {"tags": ["obstacle"], "line": [(12, 8), (12, 16)], "thickness": 0.4, "height": 1}
    models = {"m": {"at": (6, 12), "base": 1, "height": 1.5, "move": 20}}
    table = sbg.Table(24, 24, models=models, terrain={"hedge": hedge})
    net = GraphBuilder(make_surroundings(table, table.model("m"), reach=20.0), None, 0.3, 20.0).build()
    on = np.flatnonzero((net.nodes.kind == SAMPLE) & (np.abs(net.nodes.xy[:, 1] - 12) < 3))
    near, far = (on[np.sign(net.nodes.xy[on, 0] - 12) == side] for side in (-1, 1))
    start = net.source[0]
    for ends, walled in ((near, False), (far, True)):
        low = net.bounds(np.full(len(ends), start), ends, 0, -1, np.full(len(ends), math.inf))
        assert np.isinf(low).tolist() == [walled] * len(ends)
        back = net.bounds(ends, np.full(len(ends), start), 0, -1, np.full(len(ends), math.inf))
        assert np.isinf(back).tolist() == [walled] * len(ends)


def test_a_way_over_costs_no_less_than_its_length_says(net):
    rng, seen = np.random.default_rng(3), 0
    for j, way in enumerate(net.transitions):
        begin, land = (net.rim_of(j, near=near) for near in (True, False))
        if not len(begin):
            continue
        pieces = rng.choice(begin, 200)
        p = net.rims.at(pieces, rng.uniform(0, 1, 200) * net.rims.length[pieces])
        if len(land):
            pieces = rng.choice(land, 200)
            q = net.rims.at(pieces, rng.uniform(0, 1, 200) * net.rims.length[pieces])
        else:
            q = way.landing(p)
        free = np.zeros(200, dtype=bool)
        k = np.flatnonzero(way.open(p, q, free, free))
        apart, cost = np.hypot(*(q - p)[k].T), way.cost(p[k], q[k])
        assert (way.at_least(apart) <= cost + 1e-9).all()
        assert (apart <= cost * way.length_per_cost + 1e-9).all()
        assert (np.diff(way.at_least(np.linspace(0, 9, 50))) >= 0).all()
        if way.way.horizontal:
            np.testing.assert_allclose(way.at_least(apart), apart + way.way.cost)
            heavy = np.array(
                [
                    way.difficult.empty or way.difficult.clears(np.linspace(*pq, 50), TOUCH).all()
                    for pq in zip(p[k], q[k], strict=True)
                ],
                dtype=bool,
            )
            np.testing.assert_allclose(cost[heavy], way.at_least(apart)[heavy], atol=1e-6)
        seen += len(k)
    assert seen or not net.transitions or net.transitions[0].way.foot is not None


@pytest.mark.parametrize(("kind", "seed"), TABLES)
def test_what_is_ahead_of_a_node_is_no_less_than_is_said(kind, seed):
    """Labels to a goal and labels from there back: what is left from each node on the best way is no less."""
    table, question = make(kind, seed, small=True)
    mover = table.model(question.model)
    x, y = mover.at
    places = [(x + 3 * math.cos(a), y + 3 * math.sin(a)) for a in (0.5, 3.7)]
    tried = 0
    for at in places:
        goal = Goal(None, at)
        builder = built(kind, seed, goal=goal, range_=9.0)[0]
        net = builder.build()
        if not len(net.goals):
            continue
        labels = settle(
            net.graph, dict.fromkeys(net.source, 0.0), Limits(goal=net.goals, ahead=net.ahead(goal)), layers=2
        )
        plain = settle(
            built(kind, seed, goal=goal, range_=9.0)[0].build().graph, dict.fromkeys(net.source, 0.0), layers=2
        )
        assert labels.cost[:, net.goals].min() == pytest.approx(plain.cost[:, net.goals].min(), abs=1e-9)
        ahead = net.ahead(goal)
        assert ahead[net.goals].max() <= 1e-9
        # Along every edge that can be used what is ahead falls by no more than it weighs.
        every = np.arange(len(net.graph.src))
        true = net.weigh(every)
        fall = ahead[net.graph.src] - ahead[net.graph.dst]
        assert (fall <= true + 1e-6).all()
        tried += 1
    assert tried


def test_where_a_last_way_may_begin_that_costs_more_than_is_left_is_within_reach():
    """A leap over a pit, late: what is ahead of a place is no more than to where one begins that lands on the goal."""
    pit = {"tags": ["gap"], "polygon": [(9, 2), (11, 2), (11, 8), (9, 8)], "depth": 3}
    models = {"m": {"at": (5, 5), "base": 1, "height": 1.5, "move": 6}}
    table = sbg.Table(24, 24, models=models, terrain={"pit": pit})
    here = make_surroundings(table, table.model("m"), reach=14.0)
    goal = Goal(None, (11.5, 5.0))
    late = GraphBuilder(here, goal, 0.2, 9.0, begun=5.0, late=("leap",))
    (x0, y0, x1, y1), *more = late.late
    assert not more
    # Along the pit's near rim, half an inch off it, all places up to five inches from the start, and a sample more.
    begins = Rims(here.transitions[0].near)
    rim = begins.at(*begins.evenly(0.01))
    rim = rim[np.hypot(*(rim - (5, 5)).T) <= 5.0 + 0.2]
    (left, low), (right, high) = rim.min(axis=0), rim.max(axis=0)
    for told, true in ((x0, left), (y0, low), (-x1, -right), (-y1, -high)):
        assert true - 0.2 - 1e-9 <= told <= true + 1e-9
    p = np.array([[8.0, 5.0], [5.0, 5.0], [8.0, 12.0]])
    box = np.hypot(
        np.maximum(np.maximum(x0 - p[:, 0], p[:, 0] - x1), 0), np.maximum(np.maximum(y0 - p[:, 1], p[:, 1] - y1), 0)
    )
    plain = np.hypot(*(p - (11.5, 5.0)).T)
    np.testing.assert_allclose(late.ahead(p), np.minimum(box, plain) + late.range - late.begun)
    assert list(GraphBuilder(here, goal, 0.2, 9.0, begun=5.0, late=("jump",)).late) == []
    assert list(GraphBuilder(here, goal, 0.2, 9.0, late=("leap",)).late) == []  # nothing may begin late
    assert list(GraphBuilder(here, Goal(None, (13.5, 5.0)), 0.2, 9.0, begun=5.0, late=("leap",)).late) == []
    assert list(GraphBuilder(here, goal, 0.2, 9.0, begun=3.0, late=("leap",)).late) == []  # the rim is farther off


def test_places_are_nodes_in_every_state_in_which_one_may_be_there():
    models = {"m": {"at": (5, 12), "base": 1, "height": 1.5, "move": 9, "side": "good"}}
    models["foe"] = models["m"] | {"at": (10, 12), "side": "evil"}
    table = sbg.Table(24, 24, models=models)
    here = make_surroundings(table, table.model("m"), reach=14.0, charging="foe")
    builder = GraphBuilder(here, None, 0.2, 9.0)
    p = np.array([[6.0, 12.0], [8.0, 12.0], [8.5, 12.0], [10.0, 12.5]])  # outside, on the rim, within, in the base
    ids, of = builder.add_points(0, p, SAMPLE, np.array([3, 4, 5, 6]), np.array([0.1, 0.2, 0.3, 0.4]))
    rows = zip(of.tolist(), builder.nodes.bound[ids].tolist(), strict=True)
    assert sorted(rows) == [(0, False), (1, False), (1, True), (2, True)]
    assert builder.nodes.ref[ids].tolist() == (of + 3).tolist()
    np.testing.assert_allclose(builder.nodes.param[ids], 0.1 * (of + 1))
    np.testing.assert_array_equal(builder.nodes.xy[ids], p[of])
    assert set(builder.nodes.kind[ids].tolist()) == {SAMPLE}


# -- groups of nodes ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_groups_of_neighbours_lie_as_far_apart_as_their_boxes(seed):
    rng = np.random.default_rng(seed)
    xy = np.cumsum(rng.normal(0, 0.3, (150, 2)), axis=0)
    xy[70:] += (3, 1)
    sides = [np.arange(0, 40), np.arange(40, 41), np.arange(41, 150)]
    groups = _Groups(xy, sides, 0.5)
    assert np.array_equal(groups.nodes, np.arange(150))
    assert (groups.size <= 32).all()
    assert groups.size.sum() == 150
    every = np.split(groups.nodes, groups.begin[1:])
    for k, ids in enumerate(every):
        assert set(ids.tolist()) <= set(sides[groups.side[k]].tolist())
        assert (np.hypot(*np.diff(xy[ids], axis=0).T) <= 0.5).all()
        np.testing.assert_array_equal(groups.low[k], xy[ids].min(axis=0))
        np.testing.assert_array_equal(groups.high[k], xy[ids].max(axis=0))
        box = {(x, y) for x in (groups.low[k, 0], groups.high[k, 0]) for y in (groups.low[k, 1], groups.high[k, 1])}
        assert set(map(tuple, groups.corners[k].tolist())) == box
    # No two groups that follow one another could be one.
    for k in range(len(every) - 1):
        close = math.dist(xy[every[k][-1]], xy[every[k + 1][0]]) <= 0.5
        assert not close or groups.side[k] != groups.side[k + 1] or groups.size[k] == 32
    i, j = (v.ravel() for v in np.indices((len(every), len(every))))
    apart = groups.apart(i, j)
    for a, b, d in zip(i.tolist(), j.tolist(), apart.tolist(), strict=True):
        true = np.hypot(*(xy[every[a]][:, None] - xy[every[b]]).T).min()
        assert d <= true + 1e-12
        gap = np.maximum(0, np.maximum(groups.low[a] - groups.high[b], groups.low[b] - groups.high[a]))
        assert d == pytest.approx(math.hypot(*gap))
    a, b = groups.pairs(np.array([0, 2]), np.array([1, 0]))
    want = [(x, y) for one, two in ((0, 1), (2, 0)) for x in every[one] for y in every[two]]
    assert list(zip(a.tolist(), b.tolist(), strict=True)) == want


@pytest.mark.parametrize(("kind", "seed"), TABLES)
def test_groups_that_are_not_linked_have_no_edge_within_range(kind, seed):
    builder, _, _ = built(kind, seed, lazy=True)
    net = builder.build()
    left = builder.range - builder.near(net.nodes.xy)
    tried = dropped = 0
    for n, product in enumerate(p for p in builder.products if len(p.src) and len(p.dst)):
        groups = _Groups(net.nodes.xy, [product.src, product.dst], 0.8)
        i, j, low = _linked(net, product, groups, 0, left)
        linked = set(zip(i.tolist(), j.tolist(), strict=True))
        # Where two rims meet in a corner of a yard, a chord along one of them leads inward from the other.
        ends = {b: np.concatenate([groups.pairs(i[j == b], j[j == b])[0], product.src[:0]]) for b in set(j.tolist())}
        free = np.zeros(32 * 32, dtype=bool)
        for a in np.flatnonzero(groups.side == 0).tolist():
            for b in np.flatnonzero(groups.side == 1).tolist():
                src, dst = groups.pairs(np.array([a]), np.array([b]))
                p, q = net.nodes.xy[src], net.nodes.xy[dst]
                states = net.nodes.bound[src] | net.nodes.bound[dst]
                if product.transition < 0:
                    true = net.spaces[product.space].straight(p, q, free[: len(p)], free[: len(p)])
                else:
                    way = net.transitions[product.transition]
                    open_ = way.open(p, q, free[: len(p)], free[: len(p)])
                    true = np.where(open_, way.cost(p, q), np.inf)
                true = true[~states & (np.hypot(*(q - p).T) > 0.01)]
                spare = left[src[~states & (np.hypot(*(q - p).T) > 0.01)]]
                if (a, b) in linked:
                    bound = low[(i == a) & (j == b)][0]
                    assert (bound <= true + 1e-9).all()
                else:
                    dropped += 1
                    twins = net.nodes.xy[ends.get(b, product.src[:0])]
                    here = p[~states & (np.hypot(*(q - p).T) > 0.01)][true <= spare - 1e-6]
                    assert all((np.hypot(*(twins - at).T) < 1e-9).any() for at in here)
                tried += 1
        assert n < 40
    assert tried


def test_a_wall_that_all_straights_cross_parts_two_groups():
    wall = {"tags": ["unscalable"], "line": [(12, 4), (12, 20)], "thickness": 0.2, "height": 9}
    models = {"m": {"at": (6, 12), "base": 1, "height": 1.5, "move": 20}}
    table = sbg.Table(24, 24, models=models, terrain={"wall": wall})
    walls = make_surroundings(table, table.model("m"), reach=12.0).spaces[0].walls
    square = np.array([[0, 0], [1, 0], [0, 1], [1, 1]], dtype=float)
    here = np.array([square + np.array([8, 11])] * 4)
    there = np.array([square + at for at in ((15, 11), (9.5, 11), (12.5, 20.5), (12.2, 24))])
    # Beyond it; on this side; past its end some cross and some do not; past its end none does.
    assert _walled(walls, here, there).tolist() == [True, False, False, False]
    assert _walled(walls, here[:0], there[:0]).tolist() == []


def test_from_a_straight_rim_no_chord_leads_outward():
    hedge = {"tags": ["obstacle"], "line": [(12, 8), (12, 16)], "thickness": 0.4, "height": 1}
    models = {"m": {"at": (6, 12), "base": 1, "height": 1.5, "move": 20}}
    table = sbg.Table(24, 24, models=models, terrain={"hedge": hedge})
    net = GraphBuilder(make_surroundings(table, table.model("m"), reach=20.0), None, 0.3, 20.0).build()
    (j,) = (j for j, way in enumerate(net.transitions) if not way.way.across)
    on = np.flatnonzero((net.nodes.kind == SAMPLE) & (np.abs(net.nodes.xy[:, 1] - 12) < 3.9))
    west, east = (on[np.sign(net.nodes.xy[on, 0] - 12) == side] for side in (-1, 1))
    groups = _Groups(net.nodes.xy, [west, east, west], 1.2)
    i, k = (v.ravel() for v in np.indices((len(groups.begin),) * 2))
    may = _may_cross(net, net.transitions[j], groups, i, k)
    across = (groups.low[i, 0] < 12) != (groups.low[k, 0] < 12)
    assert across.any()
    assert may.tolist() == across.tolist()
    low = _linked(
        net, Product(west, east, 0, j), _Groups(net.nodes.xy, [west, east], 1.2), 0, np.full(len(net.nodes.xy), 9.0)
    )[2]
    assert low.min() == pytest.approx(1.4 + net.transitions[j].way.cost)  # grown by half an inch on either side
