"""Edges made when they are needed: the same costs as with all of them made before, and far fewer of them."""

import math
import random

import networkx as nx
import numpy as np
import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.geometry.spines import all_cross
from sbg_sim.solver.graph import ways_over
from sbg_sim.solver.graph.graph_builder import GraphBuilder
from sbg_sim.solver.graph.label_search import Limits, settle
from sbg_sim.solver.graph.lazy_graph import Bicliques, Graph
from tests.benchmarks.crowds import hedge_rows
from tests.fuzz.kinds import make

NODES, LAYERS = 24, 2


def bipartite(seed):
    """Groups of nodes, some joined by all edges, and the same as a networkx graph of places ``(layer, node)``."""
    dice = random.Random(seed)
    nodes = dice.sample(range(NODES), NODES)
    begin = sorted(dice.sample(range(1, NODES), 5))
    groups = [nodes[a:b] for a, b in zip([0, *begin], [*begin, NODES], strict=True)]
    joined = [(i, j) for i in range(6) for j in range(6) if i != j and dice.random() < 0.5]
    up = [dice.choice([0, 0, 1]) for _ in joined]
    true = np.array([[dice.uniform(1, 4) for _ in nodes] for _ in nodes])
    true[[[dice.random() < 0.3 for _ in nodes] for _ in nodes]] = math.inf
    bound = np.minimum(true, 4) * 0.7
    oracle = nx.MultiDiGraph([((k, n), (k + 1, n), {"weight": 0.0}) for k in range(LAYERS) for n in range(NODES)])
    for (i, j), more in zip(joined, up, strict=True):
        for a, b in [(a, b) for a in groups[i] for b in groups[j] if true[a, b] < math.inf]:
            oracle.add_edges_from([((k, a), (k + more, b), {"weight": true[a, b]}) for k in range(LAYERS + 1 - more)])

    def made(which, have, most):
        pairs = [(a, b, up[n]) for n in which for a in groups[joined[n][0]] for b in groups[joined[n][1]]]
        a, b, more = np.array(pairs, dtype=np.int64).reshape(-1, 3).T
        use = have[a] + bound[a, b] < most[b]
        return graph.add(a[use], b[use], bound[a[use], b[use]], more[use], 10 * a[use])

    low = np.array([bound[np.ix_(groups[i], groups[j])].min() for i, j in joined])
    src, dst = np.array(joined).T
    none = np.zeros(0, dtype=np.int64)
    graph = Graph(NODES, none, none, np.zeros(0), none, lambda e: true[graph.src[e], graph.dst[e]])
    graph.bicliques = Bicliques(np.array(nodes), np.array([0, *begin]), src, dst, low, np.array(up), made)
    return graph, oracle


@pytest.mark.parametrize("seed", range(40))
def test_costs_over_edges_between_whole_groups_are_those_of_dijkstra(seed):
    graph, oracle = bipartite(seed)
    found = np.minimum.accumulate(settle(graph, {0: 0.0}, layers=LAYERS).cost, axis=0)
    want = nx.single_source_dijkstra_path_length(oracle, (0, 0))
    for k, n in np.ndindex(found.shape):
        assert found[k, n] == pytest.approx(want.get((k, n), math.inf), abs=1e-9)


@pytest.mark.parametrize("seed", range(40))
def test_of_the_edges_that_are_made_those_stay_that_labels_come_over(seed):
    graph, _ = bipartite(seed)
    found = settle(graph, {0: 0.0}, layers=LAYERS)
    for k, n in np.argwhere(found.edge >= 0).tolist():
        e = found.edge[k, n]
        a = graph.src[e]
        assert (graph.dst[e], graph.mark[e], bool(graph.known[e])) == (n, 10 * a, True)
        assert found.cost[k, n] == pytest.approx(found.cost[k - graph.layers_up[e], a] + graph.low[e], abs=1e-9)
    assert len(graph.src) == len(graph.dst) == len(graph.low) == len(graph.layers_up) == len(graph.known)
    assert graph.known.all()


TABLES = [(kind, seed) for kind in ("hedges", "platforms", "mounds", "stairs", "rows") for seed in (3, 4, 9)]


@pytest.mark.parametrize(("kind", "seed"), TABLES)
def test_labels_are_those_of_a_network_with_all_edges(monkeypatch, kind, seed):
    monkeypatch.setattr(ways_over, "past_tangents", lambda *_, **__: iter(()))  # more places, and no goal
    table = make(kind, seed, small=True)[0]
    found = sbg.reach(table, "me" if "me" in table.models else "m", least=1 / 1296)
    labels = []
    for lazy in (False, True):
        net = GraphBuilder(found.surroundings, None, 0.1, found.allowance, lazy=lazy).build()
        got = settle(net.graph, dict.fromkeys(net.source, 0.0), Limits(found.allowance), layers=3)
        labels.append((got.cost, got.landed))
    np.testing.assert_allclose(*labels, rtol=0, atol=1e-12)


def test_over_hedges_in_a_row_few_edges_are_made_and_fewer_stay(monkeypatch):
    made, add = [], Graph.add
    monkeypatch.setattr(Graph, "add", lambda graph, src, *rest: made.append(len(src)) or add(graph, src, *rest))
    found = sbg.reach(hedge_rows(7), "me")
    net, labels = found.fields.fine
    near = np.count_nonzero(np.isfinite(labels.cost[:2]))
    assert near > 2000  # nodes from which straights lead to thousands of others
    assert sum(made) < 100 * near
    assert len(net.graph.src) < 10 * near


@pytest.mark.parametrize("seed", range(200))
def test_all_straights_cross_just_where_those_of_the_corners_do(seed):
    rng = np.random.default_rng(seed)
    boxes = np.sort(rng.uniform(-3, 3, (2, 2, 2)), axis=1) * [[[0.4, 0.4]]] + rng.uniform(-2, 2, (2, 1, 2))
    p, q = (np.array([[x, y] for x in box[:, 0] for y in box[:, 1]]) for box in boxes)
    wall = rng.uniform(-6, 6, 4)
    spine = shapely.LineString(wall.reshape(2, 2))
    cross = [shapely.LineString([a, b]).crosses(spine) for a in p for b in q]
    assert all_cross(p[None], q[None], wall[None]).tolist() == [all(cross)]
    if all(cross):
        share = rng.uniform(0, 1, (2, 50, 2))
        a, b = (low + part * (high - low) for part, (low, high) in zip(share, boxes, strict=True))
        assert shapely.crosses(shapely.linestrings(np.stack([a, b], axis=1)), spine).all()
