"""The label-correcting search against networkx: random graphs with lower bounds, closed edges, runs and layers."""

import math
import random

import networkx as nx
import numpy as np
import pytest

from sbg_sim.solver.graph.label_search import NO_EDGE, Limits, settle
from sbg_sim.solver.graph.lazy_graph import Graph

NODES, LAYERS = 14, 3


def layered(seed):
    """A graph, its true weights, and the same as a networkx graph of places ``(layer, node)``."""
    dice = random.Random(seed)
    edges = [(*dice.sample(range(NODES), 2), dice.uniform(0.5, 4), dice.choice([0, 0, 0, 1, 2])) for _ in range(45)]
    src, dst, true, dies = (np.array(part) for part in zip(*edges, strict=True))
    low = true * np.array([dice.choice([0.3, 0.8, 1.0]) for _ in edges])
    true[[dice.random() < 0.2 for _ in edges]] = math.inf
    along, reached, run = [], [], []
    for k in range(3):
        stops = dice.sample(range(NODES), 5)
        along += stops
        reached += sorted(dice.uniform(0, 3) for _ in stops)
        run += [k] * len(stops)
    graph = Graph(
        NODES, src, dst, low, dies, lambda e: true[e], np.array(along), np.array(reached), np.array(run, dtype=np.int64)
    )
    oracle = nx.MultiDiGraph()
    oracle.add_nodes_from((k, n) for k in range(LAYERS + 1) for n in range(NODES))
    for k in range(LAYERS + 1):
        for a, b, weight, more in zip(src.tolist(), dst.tolist(), true.tolist(), dies.tolist(), strict=True):
            if math.isfinite(weight) and k + more <= LAYERS:
                oracle.add_edge((k, a), (k + more, b), weight=weight)
        for i in range(len(along) - 1):
            if run[i] == run[i + 1]:
                oracle.add_edge((k, along[i]), (k, along[i + 1]), weight=reached[i + 1] - reached[i])
    return graph, true, oracle


def expected(oracle, start):
    """Least costs ``(layers + 1, nodes)``: with so many dice or fewer."""
    found = nx.single_source_dijkstra_path_length(oracle, (0, start))
    cost = np.array([[found.get((k, n), math.inf) for n in range(NODES)] for k in range(LAYERS + 1)])
    return np.minimum.accumulate(cost, axis=0)


@pytest.mark.parametrize("seed", range(60))
def test_costs_are_those_of_dijkstra(seed):
    graph, _, oracle = layered(seed)
    found = settle(graph, {0: 0.0}, layers=LAYERS)
    np.testing.assert_allclose(np.minimum.accumulate(found.cost, axis=0), expected(oracle, 0), rtol=0, atol=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_beyond_the_cutoff_is_left_out_and_nothing_else(seed):
    graph, _, oracle = layered(seed)
    found = np.minimum.accumulate(settle(graph, {0: 0.0}, Limits(3.0), layers=LAYERS).cost, axis=0)
    want = expected(oracle, 0)
    near = want <= 3.0
    np.testing.assert_allclose(found[near], want[near], rtol=0, atol=1e-9)
    assert (found[~near] >= want[~near] - 1e-9).all()


@pytest.mark.parametrize("seed", range(20))
def test_the_cheapest_goal_is_found_with_a_bound_on_what_is_ahead(seed):
    graph, _, oracle = layered(seed)
    want = expected(oracle, 0)
    goals = np.array([5, 9])
    ahead = np.zeros(NODES)
    for n in range(NODES):
        left = nx.single_source_dijkstra_path_length(oracle, (0, n))
        ahead[n] = 0.9 * min(left.get((k, g), 50.0) for k in range(LAYERS + 1) for g in (5, 9))
    found = settle(graph, {0: 0.0}, Limits(goal=goals, ahead=ahead), layers=LAYERS)
    assert found.cost[:, goals].min() == pytest.approx(want[:, goals].min(), abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("slack", [0.0, 0.5, 2.0])
def test_ways_to_a_goal_within_a_slack_of_the_cheapest_are_found(seed, slack):
    """All the way: what lies on a way to the goal that costs no more has its true label, in the layer of its dice."""
    graph, _, oracle = layered(seed)
    true, goal = expected(oracle, 0), 5
    ahead = np.array([
        min(nx.single_source_dijkstra_path_length(oracle, (0, n)).get((k, goal), 50.0) for k in range(LAYERS + 1))
        for n in range(NODES)
    ])  # fmt: skip
    found = np.minimum.accumulate(
        settle(graph, {0: 0.0}, Limits(goal=np.array([goal]), ahead=ahead, slack=slack), layers=LAYERS).cost, axis=0
    )
    near = true[0] + ahead <= true[0, goal] + slack
    np.testing.assert_allclose(found[0, near], true[0, near], rtol=0, atol=1e-9)
    assert found[-1, goal] == pytest.approx(true[-1, goal], abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("within", [2.0, 4.0])
def test_goals_are_found_by_last_edges_from_what_costs_no_more_than_is_wanted(seed, within):
    graph, true, oracle = layered(seed)
    reached = nx.single_source_dijkstra_path_length(oracle, (0, 0), cutoff=within)
    edges = list(zip(graph.src.tolist(), graph.dst.tolist(), true.tolist(), graph.layers_up.tolist(), strict=True))
    for goal in (5, 9):
        last = [
            reached[k, a] + cost
            for a, b, cost, more in edges
            if b == goal
            for k in range(LAYERS + 1 - more)
            if (k, a) in reached
        ]
        want = min([*last, *(reached.get((k, goal), math.inf) for k in range(LAYERS + 1))])
        found = settle(
            layered(seed)[0], {0: 0.0}, Limits(goal=np.array([goal]), begun=within, within=within), layers=LAYERS
        )
        assert found.cost[:, goal].min() == pytest.approx(want, abs=1e-9)
        others = np.delete(found.cost, goal, axis=1)
        assert others[np.isfinite(others)].max() <= within


def test_what_comes_with_dice_within_the_slack_of_a_way_without_is_found():
    """One die saves a tenth of what the goal costs; another goal costs more with it, but by less than the slack."""
    ends = np.array([0, 0, 0]), np.array([1, 1, 2])
    true, dice = np.array([1.0, 0.9, 1.2]), np.array([0, 1, 1])
    for slack, cost in ((0.3, 1.2), (0.1, math.inf)):
        graph = Graph(3, *ends, true.copy(), dice, lambda e: true[e])
        found = settle(graph, {0: 0.0}, Limits(goal=np.array([1, 2]), slack=slack), layers=1)
        assert (found.cost[0, 1], found.cost[1, 1], found.cost[1, 2]) == (1.0, 0.9, cost)


@pytest.mark.parametrize("seed", range(20))
def test_labels_say_how_their_costs_came_about(seed):
    graph, true, _ = layered(seed)
    found = settle(graph, {0: 0.0}, layers=LAYERS)
    parts = (found.cost, found.edge, found.run, found.landed, found.landing_edge)
    assert {part.shape for part in parts} == {(LAYERS + 1, NODES)}
    for k, n in np.argwhere(np.isfinite(found.cost)).tolist():
        e, before = int(found.edge[k, n]), int(found.run[k, n])
        if before >= 0:
            steps = {
                float(graph.reached[j] - graph.reached[i])
                for i in np.flatnonzero(graph.along == before).tolist()
                for j in np.flatnonzero(graph.along == n).tolist()
                if graph.run[i] == graph.run[j] and j > i
            }
            more = found.cost[k, n] - found.cost[k, before]
            assert min(abs(step - more) for step in steps) < 1e-9
        elif e != NO_EDGE:
            here = found.cost[k - graph.layers_up[e], graph.src[e]]
            assert found.cost[k, n] == pytest.approx(here + true[e], abs=1e-9)
        else:
            assert (k, n) == (0, 0)


def test_edges_that_cannot_matter_are_never_weighed():
    asked = []

    def weigh(e):
        asked.extend(e.tolist())
        return np.array([1.0, 1.0, 9.0])[e]

    ends = np.array([0, 1, 0]), np.array([1, 2, 2])
    graph = Graph(3, *ends, np.array([1.0, 1.0, 5.0]), np.zeros(3, dtype=np.int64), weigh)
    assert settle(graph, {0: 0.0}, Limits(4.0, goal=np.array([2]))).cost[0, 2] == 2.0
    assert sorted(asked) == [0, 1]


def test_many_edges_to_one_node_of_another_layer_are_weighed_in_few_rounds():
    many, rounds = 5000, []
    low, true = np.linspace(1.0, 2.0, many), np.linspace(6.0, 5.0, many)

    def weigh(edges):
        rounds.append(len(edges))
        return true[edges]

    ones = np.ones(many, dtype=np.int64)
    graph = Graph(2, 0 * ones, ones, low, ones, weigh)
    found = settle(graph, {0: 0.0}, layers=1)
    assert found.cost[1, 1] == 5.0
    assert found.edge[1, 1] == many - 1
    assert sum(rounds) == many
    assert len(rounds) < 20
