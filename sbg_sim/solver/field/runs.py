"""The runs of one space: ways round its rings, and the costs of leaving them for places.

The least cost of a place by way of a run is the least sum of the label of a node on it, the arc from there to the
tangent, and the tangent (Chang and others 2005).
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.arrays import distances, unit
from sbg_sim.geometry.tangents import leave_to_point
from sbg_sim.solver.space.rings import ways_round
from sbg_sim.tolerance import HAIR, ROUNDING, TOUCH

if TYPE_CHECKING:
    from sbg_sim.arrays import Floats, Ints
    from sbg_sim.solver.graph.tangent_graph import TangentGraph


class Runs:
    """The runs of one space that are reached within a cutoff, and the costs of leaving them.

    Parameters
    ----------
    net
        The tangent graph.
    space
        Index of the space.
    bound
        Whether to include runs of a bound mover.
    cost
        Labels of the nodes ``(n,)``, inches.
    cutoff
        Runs whose labels are all above it are left out, inches.

    """

    def __init__(self, net: TangentGraph, space: int, cost: Floats, cutoff: float, *, bound: bool) -> None:
        graph = net.graph
        self.arcs = net.arcs
        first, last = _reached(net, space, cost, cutoff, bound=bound)
        run, head = graph.run[first], graph.along[first]
        self.ring, self.turn, self.state = net.run_ring[run], net.run_turn[run], net.nodes.bound[head]
        every = [graph.along[a:b] for a, b in zip(first.tolist(), last.tolist(), strict=True)]
        self.least = np.array([cost[nodes].min() for nodes in every], dtype=float)
        self.total = self.arcs.whole[self.ring]
        self.way, n = ways_round(self.ring, self.state, self.turn), len(first)
        # By node along all runs: its place, the least label minus place up to there, and the node of that label.
        at, label, source = [np.zeros(0)], [np.zeros(0)], [head[:0]]
        self.joins: list[Ints] = []  # by run the nodes at which paths join it
        for k, nodes in enumerate(every):
            along = graph.reached[first[k] : last[k]]
            low = np.minimum.accumulate(cost[nodes] - along)
            # The node that last lowered the label: all behind it are reached from there.
            new = np.concatenate([[True], low[1:] < low[:-1]])
            at.append(along)
            label.append(low)
            source.append(nodes[np.maximum.accumulate(np.where(new, np.arange(len(nodes)), 0))])
            falls = cost[nodes][1:] - along[1:] < low[:-1] - ROUNDING
            self.joins.append(nodes[np.concatenate([[True], falls])])
        self.label, self.source = np.concatenate(label), np.concatenate(source)
        self.begin = np.concatenate([[0], np.cumsum(last - first)])
        d = net.nodes.xy[head] - self.arcs.center[self.ring]
        arc = self.arcs.locate(self.ring, np.arctan2(d[:, 1], d[:, 0]), self.state)
        self.mine = self.arcs.runs.number[self.way, arc]
        # One sorted array serves all runs: the keys of each run are shifted beyond those of the runs before it.
        self.shift = 3.0 * (self.total.max(initial=0.0) + 1.0) * np.arange(n)
        self.key = np.concatenate(at) + np.repeat(self.shift, last - first)

    def __len__(self) -> int:
        return len(self.ring)

    @cached_property
    def stretches(self) -> tuple[Floats, Floats]:
        """The angles at which the open stretches of the runs begin, and their widths ``(n,)``, radians.

        A run that closes on itself counts two full turns.
        """
        arcs, runs = self.arcs, self.arcs.runs
        width, mine = arcs.width[self.ring], runs.number[self.way] == self.mine[:, None]
        first = np.where(mine, runs.until[self.way], np.inf).argmin(axis=1)
        n = np.arange(len(self))
        begin = arcs.angle[self.ring, first] + np.where(self.turn > 0, 0.0, width[n, first])
        return begin, np.where(mine, width, 0.0).sum(axis=1) * (1 + runs.closes[self.way])

    def along(self, k: int, step: float) -> Floats:
        """Return angles at most ``step`` apart along a run, in the order of travel, both ends included, radians."""
        begin, span = (float(some[k]) for some in self.stretches)
        span = min(span, math.tau)
        count = math.ceil(span / step) + 1
        return np.asarray(begin + self.turn[k] * np.linspace(0.0, span, count))

    def leave(self, xy: Floats, cutoff: float = np.inf) -> tuple[Floats, Floats, Ints]:
        """Return the costs of leaving every run for places.

        Parameters
        ----------
        xy
            Places ``(n, 2)``, inches.
        cutoff
            The greatest cost of interest, inches.

        Returns
        -------
        low, start, node
            Lower bounds of costs (inches) by way of every run ``(n, m)``, the places where the last straight leaves its
            ring ``(n, m, 2)``, and the nodes whose labels give the bounds.

        """
        n, m = len(xy), len(self.ring)
        low, start = np.full((n, m), np.inf), np.zeros((n, m, 2))
        node = np.zeros((n, m), dtype=np.int64)
        if not m:
            return low, start, node
        c, rho = self.arcs.center[self.ring], self.arcs.rho[self.ring]
        away = distances(xy, c)
        i, j = np.nonzero((away >= rho - TOUCH) & (self.least + away - rho <= cutoff))
        low[i, j], start[i, j], node[i, j] = self.pairs(xy[i], j)
        return low, start, node

    def pairs(self, xy: Floats, j: Ints) -> tuple[Floats, Floats, Ints]:
        """Return the costs of leaving run ``j[i]`` for place ``xy[i]``, as :meth:`leave` does for all pairs."""
        ring, turn, state, way, runs = self.ring[j], self.turn[j], self.state[j], self.way[j], self.arcs.runs
        c, rho = self.arcs.center[ring], self.arcs.rho[ring]
        theta, length = leave_to_point(c, rho, turn, xy)
        arc = self.arcs.locate(ring, theta, state)
        mine = (arc >= 0) & (runs.number[way, np.maximum(arc, 0)] == self.mine[j])
        mine &= np.hypot(*(xy - c).T) >= rho - TOUCH
        arc = np.maximum(arc, 0)
        total = self.total[j]
        place = runs.base[way, arc] + self.arcs.upto(ring, theta, arc, turn)
        place = np.where(place > total - HAIR, 0.0, place)
        k = np.searchsorted(self.key, self.shift[j] + place + ROUNDING, side="right") - 1
        known = mine & (k >= self.begin[j])
        k = np.maximum(k, self.begin[j])
        low, node = np.where(known, self.label[k] + place, np.inf), self.source[k]
        again = np.flatnonzero(mine & runs.closes[way])
        if len(again):
            far = place[again] + total[again]
            k = np.searchsorted(self.key, self.shift[j[again]] + far + ROUNDING, side="right") - 1
            k = np.maximum(k, self.begin[j[again]])
            round_ = self.label[k] + far
            better = round_ < low[again]
            node[again[better]] = self.source[k[better]]
            low[again] = np.minimum(low[again], round_)
        start = c + rho[:, None] * unit(theta)
        return low + length, start, node


def _reached(net: TangentGraph, space: int, cost: Floats, cutoff: float, *, bound: bool) -> tuple[Ints, Ints]:
    """Return the begin and end, in the graph's runs, of each run that :class:`Runs` includes."""
    graph, run = net.graph, net.graph.run
    first = np.flatnonzero(np.concatenate([[True], run[1:] != run[:-1]])) if len(run) else run
    last = np.append(first[1:], len(run))
    least = np.minimum.reduceat(cost[graph.along], first) if len(first) else np.zeros(0)
    spaces = np.array([ring.space for ring in net.rings], dtype=np.int64)
    use = (
        (spaces[net.run_ring[run[first]]] == space) & (least <= cutoff) & (~net.nodes.bound[graph.along[first]] | bound)
    )
    return first[use], last[use]
