"""A graph whose edges are weighed, and some of them made, only when a search needs them.

An edge first has a lower bound of its weight; its true weight (infinite if it cannot be used) is computed later, if at
all. Nodes may also form *runs* (along a circle): each node of a run leads to the next at a known cost. If every node of
one group leads to every node of another, the graph stores one *biclique* with one bound until the search needs edges.
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
    """Complete bipartite subgraphs: from every node of one group an edge leads to every node of another.

    Parameters
    ----------
    nodes, begin
        The groups, concatenated ``(p,)``, and the index at which each begins ``(g,)``; none is empty.
    src, dst
        The groups that each biclique leads from and to ``(m,)``.
    low
        By biclique, a lower bound of the weights of all its edges ``(m,)``.
    layers_up
        By how many layers its edges lead up ``(m,)``.
    make
        Called with numbers of bicliques, the costs of all nodes, and the costs below which their labels improve
        ``(n,)``. It adds to the graph the edges that could improve a label, and returns their numbers.

    """

    nodes: Ints
    begin: Ints
    src: Ints
    dst: Ints
    low: Floats
    layers_up: Ints
    make: Callable[[Ints, Floats, Floats], Ints]

    def needed(self, have: Floats, layers_up: int, most: Callable[[], Floats]) -> Iterator[Ints]:
        """Make the edges that could improve labels, and yield their numbers in batches.

        For each group led to, the bicliques are opened in the order of their bounds, twice as many in each batch.

        Parameters
        ----------
        have
            Costs of the nodes that edges leave ``(n,)``, inches.
        layers_up
            By how many layers the edges are to lead up.
        most
            Returns the costs below which labels of nodes improve now ``(n,)``, inches.

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
        First and last nodes of the edges ``(m,)``.
    low
        Lower bounds of the weights ``(m,)``; true weights replace them once known.
    layers_up
        By how many layers each edge leads up, one for each die ``(m,)``.
    weigh
        Returns the true weights of edges, given their numbers.
    along, reached, run
        The runs, concatenated: node, cost since the run's start, run number; in order.
    known
        Whether ``low`` holds the true weight ``(m,)``.
    mark
        A number for each edge that ``weigh`` may use ``(m,)``; -1 by default.
    bicliques
        Further edges, made when the search needs them.

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
        """Add edges whose true weights are unknown; return their numbers."""
        first, more = len(self.src), (src, dst, low, layers_up, np.zeros(len(src), dtype=bool), mark)
        for name, new in zip(_PER_EDGE, more, strict=True):
            setattr(self, name, np.concatenate([getattr(self, name), new]))
        return np.arange(first, len(self.src))

    def keep(self, taken: Ints, first: int) -> Ints:
        """Remove the edges from number ``first`` on that are not in ``taken``; return the new numbers of ``taken``."""
        if first == len(self.src):
            return taken
        made = np.unique(taken[taken >= first])
        for name in _PER_EDGE:
            column = getattr(self, name)
            setattr(self, name, np.concatenate([column[:first], column[made]]))
        return np.where(taken < first, taken, first + np.searchsorted(made, taken))

    @property
    def dice(self) -> list[int]:
        """The numbers of dice, above 0, that edges of the graph need."""
        up = [self.layers_up] if self.bicliques is None else [self.layers_up, self.bicliques.layers_up]
        found = np.unique(np.concatenate(up))
        return [int(n) for n in found if n]

    def weights(self, edges: Ints) -> Floats:
        """Return the true weights of edges ``(n,)``; each edge is weighed once."""
        fresh = edges[~self.known[edges]]
        if len(fresh):
            self.low[fresh] = self.weigh(fresh)
            self.known[fresh] = True
        return np.asarray(self.low[edges])


class OutEdges:
    """The edges of a graph that lead up by a given number of layers, sorted by the nodes they leave."""

    def __init__(self, graph: Graph, layers_up: int) -> None:
        self.graph, self.layers_up = graph, layers_up
        edges = np.flatnonzero(graph.layers_up == layers_up)
        self.edges = edges[np.argsort(graph.src[edges], kind="stable")]
        self.begin = np.searchsorted(graph.src[self.edges], np.arange(graph.size + 1))

    def out(self, nodes: Ints) -> Ints:
        """Return the edges that leave nodes."""
        return np.asarray(self.edges[ranges(self.begin[nodes], self.begin[nodes + 1] - self.begin[nodes])])

    def needed(self, nodes: Ints, have: Floats, most: Callable[[], Floats]) -> Iterator[Ints]:
        """Yield the edges that leave nodes, then the edges of bicliques that could still improve labels."""
        yield self.out(nodes)
        if self.graph.bicliques is not None:
            costs = np.full(self.graph.size, np.inf)
            costs[nodes] = have[nodes]
            yield from self.graph.bicliques.needed(costs, self.layers_up, most)
