"""Shortest paths over a graph whose edges are weighed, and some of them made, only when the search comes to need them.

An edge comes with a lower bound of its weight; its true weight (infinite for one that cannot be used) is asked for only
when that could improve a label. Nodes may also be strung along *runs* (a way round a circle): each node of a run leads
to the next at a known cost. Where every node of one group leads to every node of another, the graph knows no more than
that until the search asks. It knows nodes, edges, layers and costs, but no game and no geometry.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.arrays import ranges
from sbg_sim.tolerance import NO_GAIN, ROUNDING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sbg_sim.arrays import Bools, Floats, Ints

NO_EDGE: Final = -1
_STEP: Final = 0.1  # inches by which the limit of a search grows at least
_AT_ONCE: Final = 1000  # edges that take little longer to weigh than one does
_ALIKE: Final = 0.05  # inches: so much dearer a way with a die may seem, by its samples, than one without
_PER_EDGE: Final = ("src", "dst", "low", "layers_up", "known", "mark")


@dataclass
class Bicliques:
    """Complete bipartite parts of a graph: from every node of one group an edge leads to every node of another.

    Parameters
    ----------
    nodes, begin
        The groups, concatenated ``(p,)``, and where in them each begins ``(g,)``; none is empty.
    src, dst
        From which groups and to which the edges lead ``(m,)``.
    low
        Lower bounds of the weights of all their edges ``(m,)``.
    layers_up
        How many layers up they lead ``(m,)``.
    make
        Called with numbers of bicliques, costs of the nodes they leave and costs below which labels improve ``(n,)``;
        adds those of their edges to the graph that could improve labels, and returns their numbers.

    """

    nodes: Ints
    begin: Ints
    src: Ints
    dst: Ints
    low: Floats
    layers_up: Ints
    make: Callable[[Ints, Floats, Floats], Ints]

    def needed(self, have: Floats, layers_up: int, most: Callable[[], Floats]) -> Iterator[Ints]:
        """Make edges that could improve labels; yield them by groups led to, ever more, in the order of their bounds.

        Parameters
        ----------
        have
            Costs of the nodes they leave ``(n,)``, inches.
        layers_up
            How many layers up they are to lead.
        most
            Tells below which costs the labels of nodes improve by now ``(n,)``, inches.

        """
        first = np.minimum.reduceat(have[self.nodes], self.begin)
        k = np.flatnonzero((self.layers_up == layers_up) & np.isfinite(first[self.src]))
        bound, many = first[self.src[k]] + self.low[k], 1
        order = np.lexsort((bound, self.dst[k]))
        k, bound = k[order], bound[order]
        while len(k):
            limits = most()
            open_ = bound < np.maximum.reduceat(limits[self.nodes], self.begin)[self.dst[k]]
            k, bound = k[open_], bound[open_]
            now = np.arange(len(k)) < np.searchsorted(self.dst[k], self.dst[k]) + many
            yield self.make(k[now], have, limits)
            k, bound, many = k[~now], bound[~now], 2 * many


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
    layers_up
        How many layers up each edge leads (a layer a die): ``(m,)``.
    weigh
        Called with edge indices, returns true weights.
    along, reached, run
        The runs, concatenated: node, cost since the run's start, run number; in order.
    known
        Whose true weights were asked for ``(m,)``; none at first.
    mark
        What whoever weighs edges knows each by ``(m,)``; nothing at first.
    bicliques
        Further edges, made as the search comes to need them.

    """

    size: int
    src: Ints
    dst: Ints
    low: Floats
    layers_up: Ints
    weigh: Callable[[Ints], Floats]
    along: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    reached: Floats = field(default_factory=lambda: np.zeros(0))
    run: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    known: Bools = field(default_factory=lambda: np.zeros(0, dtype=bool))
    mark: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    bicliques: Bicliques | None = None

    def __post_init__(self) -> None:
        if len(self.known) < len(self.src):
            self.known = np.zeros(len(self.src), dtype=bool)
        if len(self.mark) < len(self.src):
            self.mark = np.full(len(self.src), -1)

    def add(self, src: Ints, dst: Ints, low: Floats, layers_up: Ints, mark: Ints) -> Ints:
        """Add edges whose true weights are not known yet; return their numbers."""
        first, more = len(self.src), (src, dst, low, layers_up, np.zeros(len(src), dtype=bool), mark)
        for name, new in zip(_PER_EDGE, more, strict=True):
            setattr(self, name, np.concatenate([getattr(self, name), new]))
        return np.arange(first, len(self.src))

    def keep(self, taken: Ints, first: int) -> Ints:
        """Forget the edges from some number on but for those taken; return what numbers these have now."""
        if first == len(self.src):
            return taken
        made = np.unique(taken[taken >= first])
        for name in _PER_EDGE:
            every = getattr(self, name)
            setattr(self, name, np.concatenate([every[:first], every[made]]))
        return np.where(taken < first, taken, first + np.searchsorted(made, taken))

    @property
    def dice(self) -> list[int]:
        """By how many layers edges lead up."""
        up = [self.layers_up] if self.bicliques is None else [self.layers_up, self.bicliques.layers_up]
        found = np.unique(np.concatenate(up))
        return [int(n) for n in found if n]

    def weights(self, edges: Ints) -> Floats:
        """Return the true weights of edges ``(n,)``, each weighed the first time."""
        fresh = edges[~self.known[edges]]
        if len(fresh):
            self.low[fresh] = self.weigh(fresh)
            self.known[fresh] = True
        return np.asarray(self.low[edges])


class OutEdges:
    """A graph's edges that lead so many layers up, by the nodes they leave."""

    def __init__(self, graph: Graph, layers_up: int) -> None:
        self.graph, self.layers_up = graph, layers_up
        edges = np.flatnonzero(graph.layers_up == layers_up)
        self.edges = edges[np.argsort(graph.src[edges], kind="stable")]
        self.begin = np.searchsorted(graph.src[self.edges], np.arange(graph.size + 1))

    def out(self, nodes: Ints) -> Ints:
        """Return the edges that leave nodes."""
        return np.asarray(self.edges[ranges(self.begin[nodes], self.begin[nodes + 1] - self.begin[nodes])])

    def needed(self, nodes: Ints, have: Floats, most: Callable[[], Floats]) -> Iterator[Ints]:
        """Yield the edges that leave nodes, then those of bicliques that could still improve labels."""
        yield self.out(nodes)
        if self.graph.bicliques is not None:
            costs = np.full(self.graph.size, np.inf)
            costs[nodes] = have[nodes]
            yield from self.graph.bicliques.needed(costs, self.layers_up, most)


# -- the search -------------------------------------------------------------------------------------------------------


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
            _walk(walk, here, most, edge[k], run[k], min(limit, within))
            near = np.inf if goal is None else here[goal].min(initial=np.inf)
            if near + slack <= limit and near <= bounds:
                break
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
