"""A graph whose edges are weighed, and some of them made, only when a search comes to need them.

An edge comes with a lower bound of its weight; its true weight (infinite for one that cannot be used) is asked for
later, if at all. Nodes may also be strung along *runs* (a way round a circle): each node of a run leads to the next at
a known cost. Where every node of one group leads to every node of another, the graph knows no more than that until the
search asks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.arrays import first_of_each, ranges

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sbg_sim.arrays import Bools, Floats, Ints

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
            now = first_of_each(self.dst[k], many)
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
