"""The label-setting search: least costs of the nodes of a lazy graph, in layers, below a limit that rises.

The true weight of an edge is asked for only when that could improve a label. It knows nodes, edges, layers and costs,
but no game and no geometry.
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
_STEP: Final = 0.1  # inches by which the limit of a search grows at least
_PARTS: Final = 4  # parts of the range in which all nodes are looked for, one after the other
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


@dataclass(frozen=True, eq=False)
class Limits:
    """Up to which costs labels are wanted, inches.

    Parameters
    ----------
    cutoff
        Costs beyond this need not be found.
    ahead
        A lower bound of the cost from each node to the goal ``(n,)``, to leave out what cannot matter.
    goal
        Nodes of which one is enough: what costs more than the cheapest of them need not be found. None: all are wanted.
    slack
        How much more it may cost to be found all the same.
    begun
        A last way over may begin at what costs no more than this, however dear it is: a goal that costs more keeps
        none of that from being found, nor what costs more by the slack. Below 0 where no way may.
    within
        What costs more than this and is no goal need not be found.

    """

    cutoff: float = math.inf
    ahead: Floats | float = 0.0
    goal: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    slack: float = 0.0
    begun: float = -math.inf
    within: float = math.inf

    def at_goal(self, cost: Floats) -> Floats:
        """Return what goals cost, given what nodes do ``(n,)``; infinite if that keeps nothing from being found."""
        cost = cost[self.goal]
        return np.where(cost <= self.begun, cost, np.inf) if self.begun >= 0 else cost

    def cheapest(self, cost: Floats) -> float:
        """Return what the cheapest of those goals costs, inches."""
        return float(self.at_goal(cost).min(initial=np.inf))

    def rising(self, cost: Floats) -> Iterator[float]:
        """Yield ever higher limits of the cost of a way to a goal, up to the cutoff, as costs of nodes fall ``(n,)``.

        Most edges cost more than is needed, and many that lead from what is not settled yet would be weighed in vain.
        None comes after one within which all is found that is wanted.
        """
        limit = float((cost + self.ahead).min(initial=np.inf))
        even = (self.cutoff - limit) / _PARTS
        while math.isfinite(self.cutoff) and limit < self.cutoff:
            yield limit
            if self.cheapest(cost) + self.slack <= limit:
                return
            limit += (self.cutoff - limit) / 4 + _STEP if len(self.goal) else max(even, _STEP)
        yield self.cutoff

    def improving(self, cost: Floats, alike: Floats, limit: float) -> Floats:
        """Return below which costs labels of nodes improve, given what they cost and what they would at most ``(n,)``.

        No way to a goal is wanted that costs more than a limit, or than the cheapest by more than the slack, but for
        those that a last way over may begin on.
        """
        near = min(limit, float(cost[self.goal].min(initial=np.inf)) + self.slack)
        most = np.maximum(near - self.ahead, np.minimum(self.begun + self.slack, limit - self.ahead))
        return _below(cost, alike, most)


def _below(cost: Floats, alike: Floats, most: Floats | float) -> Floats:
    """Return below which costs labels of nodes improve, given what they cost and what they would at most ``(n,)``."""
    return np.asarray(np.minimum(np.minimum(cost, alike), most + ROUNDING) - NO_GAIN)


def settle(
    graph: Graph, start: dict[int, float], limits: Limits | None = None, *, layers: int = 0, known: Ints | None = None
) -> Labels:
    """Find the least cost of every node in every layer.

    Parameters
    ----------
    graph
        The graph; weights that become known stay in it.
    start
        Nodes to begin from with their costs, in layer 0.
    limits
        Up to which costs; all if not given.
    layers
        How many layers lie above the first.
    known
        Nodes whose costs in layer 0 are those they begin with, or infinite.

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
        here, alike = cost[k], high.copy()  # what costs as much by as few dice or fewer need not be found
        if known is not None and not k:
            alike[known] = -np.inf
        if k:
            before = cost[:k].min(axis=0)
            limits = replace(limits, cutoff=min(limits.cutoff, limits.cheapest(before) + limits.slack))
            alike = np.minimum(cost[0] + min(limits.slack, _ALIKE), cost[1:k].min(axis=0, initial=np.inf))
            alike = np.minimum(alike, high)
            landing_on = alike.copy()
            landing_on[limits.goal] = limits.at_goal(before)  # what can be walked to for less is not landed on
            most = partial(_below, here, landing_on, limits.cutoff - limits.ahead)
            for dice, edges_up in upward.items():
                if dice <= k:
                    have = cost[k - dice]
                    first = edges_up.needed(np.flatnonzero(np.isfinite(have)), have, most)
                    _improve(graph, first, have, here, most, edge[k], run[k])
            landed[k], landing[k] = here, edge[k]
        for limit in limits.rising(here):
            most = partial(limits.improving, here, alike, limit)
            _walk(walk, here, most, edge[k], run[k], min(limit, limits.within))
    return Labels(cost, edge, run, landed, landing)


def _walk(edges: OutEdges, cost: Floats, most: Callable[[], Floats], edge: Ints, run: Ints, limit: float) -> None:
    """Let labels of one layer fall along edges within it, and along runs below a limit, until none falls any more."""
    settled = np.full(len(cost), np.inf)
    while True:
        _run(edges.graph, cost, edge, run, limit)
        moved = np.flatnonzero(cost < settled)
        if not len(moved):
            return
        while len(moved):  # of ways that cost the same the straight ones come first, then those round rings
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
    """Improve labels over edges, batch by batch, and note by which edges."""
    count = len(graph.src)
    for edges in batches:
        best = _least(graph, edges, have, get, most())
        took = best != NO_EDGE
        # Edges that were made and not taken improve nothing, unless the label they come from falls: then made anew.
        edge[took], run[took] = graph.keep(best[took], count), -1
        count = len(graph.src)


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
