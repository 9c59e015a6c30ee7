"""Ways that come into one node of a way from elsewhere: each hangs together, and costs what is said of it."""

from __future__ import annotations

import itertools
import math
from types import SimpleNamespace

import numpy as np
import pytest

from sbg_sim.solver.graph.label_search import settle
from sbg_sim.solver.path import type_search
from sbg_sim.solver.path.gathering import detours, trace
from tests.solver.test_search import LAYERS, NODES, layered

SLACK = 4.0


def cost_of(graph, true, steps):
    """What a way costs from its first node, edge by edge and along runs."""
    total = 0.0
    for (_, _, before), (e, run, node) in itertools.pairwise(steps):
        if run >= 0:
            on = [int(i) for i in np.flatnonzero(graph.run == run)]
            first, last = (next(i for i in on if graph.along[i] == n) for n in (before, node))
            assert first <= last
            total += graph.reached[last] - graph.reached[first]
        else:
            assert (graph.src[e], graph.dst[e]) == (before, node)
            total += true[e]
    return total


@pytest.mark.parametrize("seed", range(20))
def test_a_detour_hangs_together_and_costs_so_much_more(seed):
    graph, true, _ = layered(seed)
    labels = settle(graph, {0: 0.0}, layers=LAYERS)
    nodes = SimpleNamespace(kind=np.zeros(NODES, int), ref=np.arange(NODES), turn=np.zeros(NODES, int))
    net = SimpleNamespace(graph=graph, nodes=nodes)
    seen = 0
    for layer, goal in itertools.product(range(LAYERS + 1), range(1, NODES)):
        if not labels.cost[layer, goal] < min(labels.cost[:layer, goal], default=math.inf):
            continue  # what fewer dice do as cheaply is not followed back
        steps = trace(net, labels, layer, goal)
        for way, more in detours(net, labels, layer, steps, SLACK):
            seen += 1
            assert (way[0][2], way[-1][2]) == (0, goal)
            assert -1e-9 <= more <= SLACK + 1e-9
            assert cost_of(graph, true, way) == pytest.approx(labels.cost[layer, goal] + more, abs=1e-9)
    assert seen


@pytest.mark.parametrize("seed", range(10))
def test_each_way_to_a_goal_is_told_with_what_it_costs_as_sampled(monkeypatch, seed):
    """Those that end over another last step, and those that come from elsewhere into a node on the way, as well."""
    monkeypatch.setattr(type_search, "NEAR_BEST", SLACK)
    graph, true, _ = layered(seed)
    labels = settle(graph, {0: 0.0}, layers=LAYERS)
    nodes = SimpleNamespace(kind=np.zeros(NODES, int), ref=np.arange(NODES), turn=np.zeros(NODES, int))
    net = SimpleNamespace(graph=graph, nodes=nodes, goals=np.array([NODES - 2, NODES - 1]), pieces=[None])
    beside = 0
    for layer in range(LAYERS + 1):
        best = labels.cost[layer, net.goals].min()
        if not best < labels.cost[:layer, net.goals].min(initial=math.inf):
            continue
        for way, cost in type_search._endings((net, labels), layer, landed=False):
            assert (way[0][2], way[-1][2] in net.goals) == (0, True)
            assert best - 1e-9 <= cost <= best + SLACK + 1e-9
            assert cost_of(graph, true, way) == pytest.approx(cost, abs=1e-9)
            beside += cost > best + 1e-9
    assert beside
