"""The label-correcting search: the least cost of each node of a lazy graph in each layer, below a limit.

An edge is weighed only when it could improve a label. This file knows nodes, edges, layers and costs, but no game and
no geometry.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.arrays import ranges
from sbg_sim.solver.graph.lazy_graph import OutEdges
from sbg_sim.tolerance import NO_GAIN, ROUNDING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sbg_sim.arrays import Floats, Ints
    from sbg_sim.solver.graph.lazy_graph import Graph

NO_EDGE: Final = -1
_AT_ONCE: Final = 1000  # edges: weighing fewer takes little longer than weighing one
_ALIKE: Final = 0.05  # inches: samples may make a way with a die look dearer by this than a way without


@dataclass(frozen=True)
class Labels:
    """The result of a search.

    Parameters
    ----------
    cost
        Least cost by layer and node ``(k + 1, n)``; infinite if not reached.
    edge
        Last edge of the cheapest path ``(k + 1, n)``, NO_EDGE at a start or after a run.
    run
        Node of the same run from which the label came ``(k + 1, n)``, -1 otherwise.
    landed
        Least cost of arriving by an edge that leads up, before any other step ``(k + 1, n)``.
    landing_edge
        That edge.

    """

    cost: Floats
    edge: Ints
    run: Ints
    landed: Floats
    landing_edge: Ints

    def ending(self, *, landed: bool) -> Floats:
        """Return the costs of ending a move at each node ``(k + 1, n)``: on landing there, or in any way."""
        return self.landed if landed else self.cost


@dataclass(frozen=True, eq=False)
class Limits:
    """The costs up to which a search needs labels, inches.

    Parameters
    ----------
    cutoff
        Greatest cost of interest.
    ahead
        A lower bound of the cost from each node to the goal ``(n,)``.
    goal
        Goal nodes; the cheapest of them is enough. If empty, the costs of all nodes are needed.
    slack
        How much more than the cheapest goal a path may cost and still be needed.
    begun
        Greatest cost of a node, but for the slack, from which a last way over of any price may lead to a goal. A goal
        that costs more does not cut off such nodes. Below 0 if there is no such way.
    within
        Greatest cost of interest of a node that is no goal.

    """

    cutoff: float = math.inf
    ahead: Floats | float = 0.0
    goal: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    slack: float = 0.0
    begun: float = -math.inf
    within: float = math.inf

    def at_goal(self, cost: Floats) -> Floats:
        """Return the costs of goals, given those of nodes ``(n,)``; infinite for a goal that cuts off no other path."""
        cost = cost[self.goal]
        return np.where(cost <= self.begun, cost, np.inf) if self.begun >= 0 else cost

    def improving(self, cost: Floats, alike: Floats) -> Floats:
        """Return the costs ``(n,)`` below which labels of nodes improve.

        ``cost`` are the labels, ``alike`` costs that make a label useless. Paths dearer than the cheapest goal by more
        than the slack are cut off, except those from which a last way over may begin.
        """
        near = min(self.cutoff, float(cost[self.goal].min(initial=np.inf)) + self.slack)
        most = np.maximum(near - self.ahead, np.minimum(self.begun + self.slack, self.cutoff - self.ahead))
        return _below(cost, alike, most)


def _below(cost: Floats, alike: Floats, most: Floats | float) -> Floats:
    """Return the costs ``(n,)`` below which labels improve: below the label, ``alike`` and at most ``most``."""
    return np.asarray(np.minimum(np.minimum(cost, alike), most + ROUNDING) - NO_GAIN)


def settle(
    graph: Graph, start: dict[int, float], limits: Limits | None = None, *, layers: int = 0, known: Ints | None = None
) -> Labels:
    """Return the least cost of every node in every layer.

    Parameters
    ----------
    graph
        The graph; weights that the search computes stay in it.
    start
        Start nodes with their costs, in layer 0.
    limits
        The costs of interest; all if not given.
    layers
        How many layers lie above layer 0.
    known
        Nodes whose costs in layer 0 are final: their cost at the start, or infinite.

    """
    n, limits = graph.size, Limits() if limits is None else limits
    cost, landed = (np.full((layers + 1, n), np.inf) for _ in range(2))
    edge, landing = (np.full((layers + 1, n), NO_EDGE, dtype=np.int64) for _ in range(2))
    run = np.full((layers + 1, n), -1, dtype=np.int64)
    high = np.full(n, limits.within)
    high[limits.goal] = np.inf
    for node, c in start.items():
        cost[0, node] = c
    walk = OutEdges(graph, 0)
    upward = {dice: OutEdges(graph, dice) for dice in graph.dice if dice <= layers}
    for k in range(layers + 1):
        here, alike = cost[k], high.copy()  # a label is of use only below these costs
        if known is not None and not k:
            alike[known] = -np.inf
        if k:
            at_goal = limits.at_goal(cost[:k].min(axis=0))
            limits = replace(limits, cutoff=min(limits.cutoff, float(at_goal.min(initial=np.inf)) + limits.slack))
            alike = np.minimum(cost[0] + min(limits.slack, _ALIKE), cost[1:k].min(axis=0, initial=np.inf))
            alike = np.minimum(alike, high)
            landing_on = alike.copy()
            landing_on[limits.goal] = at_goal  # no landing on a goal that costs less with fewer dice
            most = partial(_below, here, landing_on, limits.cutoff - limits.ahead)
            for dice, edges_up in upward.items():
                if dice <= k:
                    have = cost[k - dice]
                    first = edges_up.needed(np.flatnonzero(np.isfinite(have)), have, most)
                    _improve(graph, first, have, here, most, edge[k], run[k])
            landed[k], landing[k] = here, edge[k]
        most = partial(limits.improving, here, alike)
        _walk(walk, here, most, edge[k], run[k], min(limits.cutoff, limits.within))
    return Labels(cost, edge, run, landed, landing)


def _walk(edges: OutEdges, cost: Floats, most: Callable[[], Floats], edge: Ints, run: Ints, limit: float) -> None:
    """Improve the labels of one layer along its edges, and along runs below a limit, until none improves any more."""
    settled = np.full(len(cost), np.inf)
    while True:
        _run(edges.graph, cost, edge, run, limit)
        moved = np.flatnonzero(cost < settled)
        if not len(moved):
            return
        while len(moved):  # edges before runs: of two paths of equal cost the straight one wins
            settled = cost.copy()
            _improve(edges.graph, edges.needed(moved, cost, most), cost, cost, most, edge, run)
            moved = np.flatnonzero(cost < settled)


def _improve(
    graph: Graph,
    batches: Iterator[Ints],
    have: Floats,
    get: Floats,
    most: Callable[[], Floats],
    edge: Ints,
    run: Ints,
) -> None:
    """Improve labels over batches of edges, and record the edges taken."""
    count = len(graph.src)
    for edges in batches:
        best = _least(graph, edges, have, get, most())
        took = best != NO_EDGE
        # An edge not taken matters only if the label it comes from falls; it is then made again.
        edge[took], run[took] = graph.keep(best[took], count), -1
        count = len(graph.src)


def _least(graph: Graph, edges: Ints, have: Floats, get: Floats, most: Floats) -> Ints:
    """Improve the labels ``get`` over edges to costs below ``most``; return by node the edge taken, or NO_EDGE.

    If there are many, the edges to each node are weighed in the order of their bounds, in batches that double, until no
    bound is below the label.
    """
    taken = np.full(graph.size, NO_EDGE, dtype=np.int64)
    bound, dst = have[graph.src[edges]] + graph.low[edges], graph.dst[edges]
    k = np.flatnonzero(bound < most[dst])
    if not len(k):
        return taken
    k = k[np.lexsort((bound[k], dst[k]))]
    edges, dst, bound = edges[k], dst[k], bound[k]
    begin = np.flatnonzero(np.diff(dst, prepend=-1))
    end = np.append(begin[1:], len(dst))[: len(begin)]
    many = 1 if np.count_nonzero(~graph.known[edges]) > _AT_ONCE else len(edges)
    while len(begin):
        row = ranges(begin, np.minimum(many, end - begin))
        row = row[bound[row] < most[dst[row]]]
        cost = have[graph.src[edges[row]]] + graph.weights(edges[row])
        good = np.flatnonzero(cost < most[dst[row]])
        good = good[np.argsort(-cost[good], kind="stable")]  # of several edges to one node the cheapest is written last
        row, cost = row[good], cost[good]
        get[dst[row]], taken[dst[row]], most[dst[row]] = cost, edges[row], cost - NO_GAIN
        begin, many = begin + many, 2 * many
        on = begin < end
        on[on] = bound[begin[on]] < most[dst[begin[on]]]
        begin, end = begin[on], end[on]
    return taken


def _run(graph: Graph, cost: Floats, edge: Ints, run: Ints, cutoff: float) -> None:
    """Improve labels along runs: from each node to the later ones of its run, up to the cutoff."""
    if not len(graph.along):
        return
    here = cost[graph.along]
    value = np.where(here <= cutoff, here, np.inf) - graph.reached
    order = np.arange(len(value))
    # One running minimum serves all runs: each run is shifted below the ones before it. Ranks replace the values, so
    # that the shift loses nothing to rounding.
    rank = np.empty(len(value), dtype=np.int64)
    rank[np.argsort(value, kind="stable")] = order
    place = rank - len(value) * graph.run
    low = np.minimum.accumulate(place)
    first = np.where(place <= low, order, 0)
    source = np.maximum.accumulate(first)
    gain = here[source] + (graph.reached - graph.reached[source])
    better = (gain < here - NO_GAIN) & (gain <= cutoff + ROUNDING) & (graph.run == graph.run[source])
    idx = np.flatnonzero(better)
    idx = idx[np.argsort(-gain[idx], kind="stable")]
    nodes = graph.along[idx]
    cost[nodes] = gain[idx]
    edge[nodes] = NO_EDGE
    run[nodes] = graph.along[source[idx]]
