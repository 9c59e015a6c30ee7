"""Shortest paths over a graph whose edges are checked only when they matter.

The search knows nodes, edges, layers and costs; it knows no game and no geometry. The true weight of an edge (infinite
for one that cannot be used) is asked for only when its lower bound could improve a label. Everything works on whole
arrays.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
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
_STEP: Final = 0.1  # inches by which the limit of a search grows at least
_AT_ONCE: Final = 1000  # edges that take little longer to weigh than one does
_ALIKE: Final = 0.05  # inches: so much dearer a way with a die may seem, by its samples, than one without


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
        Cost on arriving over an edge that leads up, before anything else ``(k + 1, n)``.
    landing_edge
        The edge of that arrival.

    """

    cost: Floats
    edge: Ints
    run: Ints
    landed: Floats
    landing_edge: Ints

    def ending(self, *, landed: bool) -> Floats:
        """Return the costs with which a move may end at each node ``(k + 1, n)``: only on landing there, or anyhow."""
        return self.landed if landed else self.cost


def settle(
    graph: Graph,
    start: dict[int, float],
    *,
    layers: int = 0,
    cutoff: float = np.inf,
    ahead: Floats | None = None,
    goal: Ints | None = None,
    slack: float = 0.0,
    begun: float = -np.inf,
    within: float = np.inf,
    known: Ints | None = None,
) -> Labels:
    """Find the least cost of every node in every layer.

    Parameters
    ----------
    graph
        The graph; weights that become known stay in it.
    start
        Nodes to begin from with their costs, in layer 0.
    layers
        How many layers lie above the first.
    cutoff
        Costs beyond this need not be found.
    ahead
        A lower bound of the cost from each node to the goal ``(n,)``, to leave out what cannot matter.
    goal
        Nodes of which one is enough: what costs more than the cheapest of them need not be found.
    slack
        How much more it may cost to be found all the same.
    begun
        A last way over may begin at what costs no more than this, however dear it is: a goal that costs more keeps
        none of that from being found, nor what costs more by the slack. Below 0 where no way may.
    within
        What costs more than this and is no goal need not be found.
    known
        Nodes whose costs in layer 0 are those they begin with, or infinite.

    """
    n = graph.size
    cost, landed = (np.full((layers + 1, n), np.inf) for _ in range(2))
    edge, landing = (np.full((layers + 1, n), NO_EDGE, dtype=np.int64) for _ in range(2))
    run = np.full((layers + 1, n), -1, dtype=np.int64)
    high, rest = np.full(n, within), np.zeros(n) if ahead is None else ahead
    if goal is not None:
        high[goal] = np.inf
    bounds = begun if begun >= 0 else np.inf  # a goal that costs no more keeps what is dearer from being found
    for node, c in start.items():
        cost[0, node] = c
    walk = OutEdges(graph, 0)
    upward = {dice: OutEdges(graph, dice) for dice in graph.dice if dice <= layers}
    for k in range(layers + 1):
        here, alike = cost[k], high.copy()  # what costs as much by as few dice or fewer need not be found
        if known is not None and not k:
            alike[known] = -np.inf
        if k:
            best = cost[:k].min(axis=0)
            if goal is not None:
                best[goal] = np.where(best[goal] <= bounds, best[goal], np.inf)
                cutoff = min(cutoff, float(best[goal].min(initial=np.inf)) + slack)
            alike = np.minimum(cost[0] + min(slack, _ALIKE), cost[1:k].min(axis=0, initial=np.inf))
            alike = np.minimum(alike, high)
            landing_on = alike.copy()
            if goal is not None:
                landing_on[goal] = best[goal]  # what can be walked to for less is not landed on
            most = partial(_most, here, landing_on, cutoff - rest)
            for dice, edges_up in upward.items():
                if dice <= k:
                    have = cost[k - dice]
                    first = edges_up.needed(np.flatnonzero(np.isfinite(have)), have, most)
                    _improve(graph, first, have, here, most, edge[k], run[k])
            landed[k], landing[k] = here, edge[k]
        for limit in _limits(here + rest, cutoff, goal):
            most = partial(_most, here, alike, limit - rest)
            if goal is not None:
                most = partial(_most_to, goal, here, alike, rest, limit, slack, begun)
            settled = np.full(n, np.inf)
            while True:
                _run(graph, here, edge[k], run[k], min(limit, within))
                moved = np.flatnonzero(here < settled)
                if not len(moved):
                    break
                while len(moved):  # of ways that cost the same the straight ones come first, then those round rings
                    settled = here.copy()
                    _improve(graph, walk.needed(moved, here, most), here, here, most, edge[k], run[k])
                    moved = np.flatnonzero(here < settled)
            near = np.inf if goal is None else here[goal].min(initial=np.inf)
            if near + slack <= limit and near <= bounds:
                break
    return Labels(cost, edge, run, landed, landing)


def _limits(through: Floats, cutoff: float, goal: Ints | None) -> Iterator[float]:
    """Yield ever higher limits of the cost of a way to a goal, up to a cutoff: most edges cost more than is needed."""
    limit = float(through.min(initial=np.inf))
    while goal is not None and math.isfinite(cutoff) and limit < cutoff:
        yield limit
        limit += (cutoff - limit) / 4 + _STEP
    yield cutoff


def _improve(
    graph: Graph,
    batches: Iterator[Ints],
    have: Floats,
    get: Floats,
    most: Callable[[], Floats],
    edge: Ints,
    run: Ints,
) -> None:
    """Improve labels over edges, batch by batch, and note by which edges."""
    count = len(graph.src)
    for edges in batches:
        best = _least(graph, edges, have, get, most())
        took = best != NO_EDGE
        # Edges that were made and not taken improve nothing, unless the label they come from falls: then made anew.
        edge[took], run[took] = graph.keep(best[took], count), -1
        count = len(graph.src)


def _most(get: Floats, dominated: Floats, cutoff: Floats) -> Floats:
    """Return below which costs labels of nodes improve."""
    return np.asarray(np.minimum(np.minimum(get, dominated), cutoff + ROUNDING) - NO_GAIN)


def _most_to(
    goal: Ints, get: Floats, dominated: Floats, rest: Floats, limit: float, slack: float, begun: float
) -> Floats:
    """Return the same for ways to a goal: none is wanted that costs more than the cheapest by more than the slack.

    But for those that a last way over may begin on.
    """
    near = min(limit, float(get[goal].min(initial=np.inf)) + slack)
    return _most(get, dominated, np.maximum(near - rest, np.minimum(begun + slack, limit - rest)))


def _least(graph: Graph, edges: Ints, have: Floats, get: Floats, most: Floats) -> Ints:
    """Improve labels over edges, not over those beyond, to costs below the most there may be; return the edges taken.

    If they are many, the edges to each node are weighed in the order of their bounds, ever more at once, until no bound
    is below what was found.
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
        good = good[np.argsort(-cost[good], kind="stable")]  # of several to one node the least comes last, and stays
        row, cost = row[good], cost[good]
        get[dst[row]], taken[dst[row]], most[dst[row]] = cost, edges[row], cost - NO_GAIN
        begin, many = begin + many, 2 * many
        on = begin < end
        on[on] = bound[begin[on]] < most[dst[begin[on]]]
        begin, end = begin[on], end[on]
    return taken


def _run(graph: Graph, cost: Floats, edge: Ints, run: Ints, cutoff: float) -> None:
    """Carry labels along the runs."""
    if not len(graph.along):
        return
    here = cost[graph.along]
    value = np.where(here <= cutoff, here, np.inf) - graph.reached
    order = np.arange(len(value))
    # One running minimum serves all runs: each later run is pushed below the ones before it. Ranks stand for the
    # values, so that nothing is lost to rounding by the push.
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
