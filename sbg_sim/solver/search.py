"""Shortest paths over a graph whose edges are checked only when they matter.

The search knows nodes, edges, layers and costs; it knows no game and no geometry. An edge comes with a lower bound
of its weight; the true weight (infinite for an edge that cannot be used) is asked for only when the bound could
improve a label. Nodes may also be strung along *runs* (a way round a circle): each node of a run leads to the
next at a known cost. Everything works on whole arrays.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

NO_EDGE: Final = -1
_IMPROVES: Final = 1e-12  # a gain below this is rounding, and would let labels chase each other

Floats = np.ndarray
Ints = np.ndarray


@dataclass
class Graph:
    """Nodes, lazily weighted edges, and runs.

    Parameters
    ----------
    size
        Number of nodes.
    src, dst
        Ends of the edges ``(m,)``.
    low
        Lower bounds of the weights ``(m,)``; replaced by true weights as they are asked for.
    toll
        True for edges that lead one layer up (a die): ``(m,)``.
    weigh
        Called with edge indices, returns true weights.
    along, reached, string
        The runs, concatenated: node, cost since the run's start, run number; in order.

    """

    size: int
    src: NDArray[np.int64]
    dst: NDArray[np.int64]
    low: NDArray[np.float64]
    toll: NDArray[np.bool_]
    weigh: Callable[[NDArray[np.int64]], NDArray[np.float64]]
    along: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    reached: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    string: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def __post_init__(self) -> None:
        self.known = np.zeros(len(self.src), dtype=bool)


@dataclass(frozen=True)
class Labels:
    """What a search found.

    Parameters
    ----------
    cost
        Least cost per layer and node ``(k + 1, n)``; infinite when not reached.
    edge
        Last edge taken ``(k + 1, n)``, NO_EDGE at a start or after a run.
    run
        Node of the same run from which the label came ``(k + 1, n)``, -1 otherwise.
    landed
        Cost on arriving over a toll edge, before anything else ``(k + 1, n)``.
    landing_edge
        The toll edge of that arrival.

    """

    cost: NDArray[np.float64]
    edge: NDArray[np.int64]
    run: NDArray[np.int64]
    landed: NDArray[np.float64]
    landing_edge: NDArray[np.int64]


def settle(
    graph: Graph,
    start: dict[int, float],
    *,
    layers: int = 0,
    cutoff: float = np.inf,
    ahead: NDArray[np.float64] | None = None,
    goal: NDArray[np.int64] | None = None,
) -> Labels:
    """Find the least cost of every node in every layer.

    Parameters
    ----------
    graph
        The graph; weights that become known stay in it.
    start
        Nodes to begin from with their costs, in layer 0.
    layers
        How many toll edges may be taken.
    cutoff
        Costs beyond this need not be found.
    ahead
        A lower bound of the cost from each node to the goal ``(n,)``, to leave out what cannot matter.
    goal
        Nodes of which one is enough (only with ``ahead``).

    """
    n = graph.size
    cost = np.full((layers + 1, n), np.inf)
    edge = np.full((layers + 1, n), NO_EDGE, dtype=np.int64)
    run = np.full((layers + 1, n), -1, dtype=np.int64)
    landed = np.full((layers + 1, n), np.inf)
    landing = np.full((layers + 1, n), NO_EDGE, dtype=np.int64)
    rest = np.zeros(n) if ahead is None else ahead
    for node, c in start.items():
        cost[0, node] = c
    walk = np.flatnonzero(~graph.toll)
    tolls = np.flatnonzero(graph.toll)
    for k in range(layers + 1):
        best = cost[:k].min(axis=0) if k else None
        if k:
            best_edge = _relax(graph, tolls, cost[k - 1], cost[k], rest, cutoff, None, best)
            took = best_edge != NO_EDGE
            edge[k, took] = best_edge[took]
            landed[k] = cost[k]
            landing[k] = edge[k]
        while True:
            moved = _run(graph, cost[k], edge[k], run[k], cutoff)
            best_edge = _relax(graph, walk, cost[k], cost[k], rest, cutoff, goal, best)
            took = best_edge != NO_EDGE
            edge[k, took] = best_edge[took]
            run[k, took] = -1
            if not took.any() and not moved:
                break
    return Labels(cost, edge, run, landed, landing)


def _relax(
    graph: Graph,
    edges: Ints,
    have: Floats,
    get: Floats,
    rest: Floats,
    cutoff: float,
    goal: Ints | None,
    dominated: Floats | None,
) -> Ints:
    """Improve labels over edges once, weighing only what could improve; returns the edge taken per node."""
    taken = np.full(graph.size, NO_EDGE, dtype=np.int64)
    if not len(edges):
        return taken
    src, dst = graph.src[edges], graph.dst[edges]
    while True:
        limit = cutoff if goal is None else min(cutoff, float(get[goal].min(initial=np.inf)))
        new = have[src] + graph.low[edges]
        mask = (new < get[dst] - _IMPROVES) & (new + rest[dst] <= limit + 1e-9)
        if dominated is not None:
            mask &= new < dominated[dst] - _IMPROVES
        if not mask.any():
            return taken
        cand = np.flatnonzero(mask)
        least = np.full(graph.size, np.inf)
        np.minimum.at(least, dst[cand], new[cand])
        cand = cand[new[cand] <= least[dst[cand]]]
        fresh = cand[~graph.known[edges[cand]]]
        if len(fresh):
            e = edges[fresh]
            graph.low[e] = graph.weigh(e)
            graph.known[e] = True
            still = have[src[cand]] + graph.low[edges[cand]] <= new[cand] + _IMPROVES
            cand = cand[still]
        if len(cand):
            at = dst[cand]
            get[at] = have[src[cand]] + graph.low[edges[cand]]
            taken[at] = edges[cand]


def _run(graph: Graph, cost: Floats, edge: Ints, run: Ints, cutoff: float) -> bool:
    """Carry labels along the runs; returns whether any improved."""
    if not len(graph.along):
        return False
    here = cost[graph.along]
    value = np.where(here <= cutoff, here, 1e6) - graph.reached
    # One running minimum serves all runs: each later run is pushed below the ones before it.
    value = value - 4e6 * graph.string
    order = np.arange(len(value))
    low = np.minimum.accumulate(value)
    first = np.where(value <= low, order, 0)
    source = np.maximum.accumulate(first)
    gain = here[source] + (graph.reached - graph.reached[source])
    better = (gain < here - _IMPROVES) & (gain <= cutoff + 1e-9) & (graph.string == graph.string[source])
    if not better.any():
        return False
    idx = np.flatnonzero(better)
    idx = idx[np.argsort(-gain[idx], kind="stable")]
    nodes = graph.along[idx]
    cost[nodes] = gain[idx]
    edge[nodes] = NO_EDGE
    run[nodes] = graph.along[source[idx]]
    return True
