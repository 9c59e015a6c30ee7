"""Paths of the network that leave the best one for one step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.solver.graph.label_search import NO_EDGE
from sbg_sim.solver.path.paths import trace

if TYPE_CHECKING:
    from sbg_sim.arrays import Ints
    from sbg_sim.solver.graph.label_search import Labels
    from sbg_sim.solver.graph.tangent_graph import TangentGraph

Steps = list[tuple[int, int, int]]
_MOST: Final = 6  # ways into one node that are looked at, the cheapest of each origin


def detours(net: TangentGraph, labels: Labels, layer: int, steps: Steps, slack: float) -> list[tuple[Steps, float]]:
    """Return paths that come into one node of a path from elsewhere, and by how much (inches) they cost more.

    Parameters
    ----------
    net, labels
        The settled network.
    layer
        Dice taken at the end of the path.
    steps
        The path as :func:`sbg_sim.solver.path.paths.trace` gives it.
    slack
        How much more a detour may cost, inches.

    """
    graph = net.graph
    found: list[tuple[Steps, float]] = []
    k = layer
    for i in range(len(steps) - 1, 0, -1):
        e, _, node = steps[i]
        if e >= 0 and graph.layers_up[e]:
            k -= int(graph.layers_up[e])
            continue
        before = steps[i - 1][2]
        here = labels.cost[k, before] + (graph.low[e] if e >= 0 else labels.cost[k, node] - labels.cost[k, before])
        for other, more in (
            *_other_edges(net, labels, k, node, e, here, slack),
            *_other_runs(net, labels, k, node, before, here, slack),
        ):
            found.append(([*other, *steps[i + 1 :]], more))
    return found


def _origins(net: TangentGraph, nodes: Ints) -> list[tuple[int, int, int]]:
    """Say what nodes are on: paths from one rim piece or one ring are of one type."""
    return list(zip(net.kind[nodes].tolist(), net.ref[nodes].tolist(), net.turn[nodes].tolist(), strict=True))


def _other_edges(
    net: TangentGraph, labels: Labels, k: int, node: int, taken: int, here: float, slack: float
) -> list[tuple[Steps, float]]:
    graph = net.graph
    into = np.flatnonzero((graph.dst == node) & (graph.layers_up == 0))
    into = into[into != taken]
    cost = labels.cost[k, graph.src[into]] + graph.low[into]
    into = into[cost <= here + slack]
    cost = labels.cost[k, graph.src[into]] + graph.weights(into)
    order = np.argsort(cost, kind="stable")
    order = order[cost[order] <= here + slack]
    found: dict[tuple[int, int, int], tuple[Steps, float]] = {}
    for e, origin, c in zip(
        into[order].tolist(), _origins(net, graph.src[into[order]]), cost[order].tolist(), strict=True
    ):
        if origin not in found and len(found) < _MOST:
            found[origin] = ([*trace(net, labels, k, int(graph.src[e])), (e, -1, node)], c - here)
    return list(found.values())


def _other_runs(
    net: TangentGraph, labels: Labels, k: int, node: int, before: int, here: float, slack: float
) -> list[tuple[Steps, float]]:
    """Ways onto the node's ring other than the one that is remembered."""
    graph = net.graph
    found: dict[tuple[int, int, int], tuple[Steps, float]] = {}
    for at in np.flatnonzero(graph.along == node).tolist():
        run = int(graph.run[at])
        on = np.flatnonzero(graph.run[:at] == run)
        nodes = graph.along[on]
        cost = labels.cost[k, nodes] + graph.reached[at] - graph.reached[on]
        good = (cost <= here + slack) & (labels.edge[k, nodes] != NO_EDGE) & (nodes != before) & (nodes != node)
        order = np.flatnonzero(good)[np.argsort(cost[good], kind="stable")]
        sources = graph.src[labels.edge[k, nodes[order]]]
        for m, origin, c in zip(nodes[order].tolist(), _origins(net, sources), cost[order].tolist(), strict=True):
            if origin not in found and len(found) < _MOST:
                found[origin] = ([*trace(net, labels, k, m), (-1, run, node)], c - here)
    return list(found.values())
