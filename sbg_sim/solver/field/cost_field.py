"""The cost field of one search: the exact cost of any place, from the tangent graph of one start.

Behind difficult ground the labels of rings are too high, since its rims are crossed at samples only. The exact costs
along rims give exact costs of places on rings that can be seen from there. Where such a cost is below the label, the
place becomes a node, and the labels behind it on the ring fall.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.arrays import distances
from sbg_sim.solver.field.behind_rims import BehindRims
from sbg_sim.solver.field.exact_costs import ExactCosts
from sbg_sim.solver.field.rim_costs import RimCosts, rim_costs
from sbg_sim.solver.field.sampled_costs import SampledCosts
from sbg_sim.solver.graph.label_search import Limits, settle
from sbg_sim.solver.graph.tangent_graph import ON_RING, Nodes
from sbg_sim.solver.space.rings import make_runs
from sbg_sim.solver.space.transitions import length_per_cost
from sbg_sim.tolerance import LABEL_EXCESS, ROUNDING

if TYPE_CHECKING:
    from sbg_sim.arrays import Floats, Ints
    from sbg_sim.solver.graph.tangent_graph import TangentGraph

_FEW: Final = 500  # places up to which it does not pay to compute the costs along rims
_TABLE: Final = 600_000  # pairs of places and last bends in one array: a few megabytes a column
_AT_ONCE: Final = 512  # straights tested in the first call where only sampled costs are wanted
_BETWEEN: Final = 0.1
"""Radians between places on rings: a path that joins at the last place before its tangent loses 2e-4 of the radius."""


class CostField(SampledCosts):
    """Exact costs of places on one space, free or bound, after a number of dice; parameters are those of its base."""

    def distance(self, xy: Floats, *, exact: tuple[float, float] = (-math.inf, math.inf)) -> Floats:
        """Return the exact costs ``(n,)`` of places ``(n, 2)``, inches; infinite beyond the cutoff or at closed places.

        Sampled costs outside the range ``exact`` stay sampled: they may be too high by the sampling error.
        """
        xy = np.asarray(xy, dtype=float).reshape(-1, 2)
        out = np.full(len(xy), np.inf)
        space = self.net.spaces[self.space]
        ok = space.bound(xy) if self.bound else space.free(xy)
        k = np.flatnonzero(ok)
        k = k[self._crow(xy[k]) <= self.cutoff + ROUNDING]
        out[k] = self._straight(xy[k])
        k = k[np.isinf(out[k])]
        behind = self.behind if len(xy) > _FEW and exact == (-math.inf, math.inf) else None
        points = self.points if behind is None else self._still
        step = max(1, _TABLE // (len(points) + len(self.runs) + 1))
        for a in range(0, len(k), step):
            rows = k[a : a + step]
            out[rows] = self._block(xy[rows], exact, behind)
        return np.where(out <= self.cutoff + ROUNDING, out, np.inf)

    def _block(self, xy: Floats, exact: tuple[float, float], behind: BehindRims | None) -> Floats:
        """Return the exact costs of a block of places that the straight from the start does not reach, inches."""
        points = self.points if behind is None else self._still
        bends = self.last_bends(xy, points)
        if exact[0] == math.inf:
            return self.verify(xy[:, None], bends, points, at_once=_AT_ONCE)[0]
        best, _ = self.verify(xy[:, None], bends, points)
        if not len(self.net.pieces) or not bends.node.shape[1]:
            return best
        k = np.flatnonzero((best > self._crow(xy) + ROUNDING) & (best >= exact[0]) & (best <= exact[1]))
        known, again = np.full(len(k), np.inf), k[:0]
        if behind is not None and len(k):
            known, other = behind.least(xy[k], np.minimum(best[k], self.sampled))
            again = k[other]
        reached = np.minimum(best[k], known) <= self.sampled
        k, known = k[reached], known[reached]
        if len(k):
            best[k] = self.exact.polished(xy[k], bends.some(k), best[k], known)
        if len(again):
            # Other types of path may come from any last bend.
            bends = self.last_bends(xy[again], self.points)
            sampled, _ = self.verify(xy[again, None], bends, self.points)
            best[again] = self.exact.polished(xy[again], bends, sampled, best[again], wide=True)
        return best

    def _straight(self, xy: Floats) -> Floats:
        """Return the costs of places that the open straight from the start reaches, inches; infinite for others."""
        out, source = np.full(len(xy), np.inf), self.net.source
        if self.layer or len(source) > 1 or self.net.nodes.space[source[0]] != self.space:
            return out
        start = np.broadcast_to(self.net.nodes.xy[source[0]], xy.shape)
        state = np.broadcast_to(self.net.nodes.bound[source[0]], len(xy))
        true = self.net.spaces[self.space].straight(start, xy, state, np.full(len(xy), self.bound))
        open_ = true <= self._crow(xy) + ROUNDING
        out[open_] = true[open_]
        return out

    def _crow(self, xy: Floats) -> Floats:
        """Return lower bounds of the costs of places, inches: the straight from the start, less free shifts."""
        at = self.net.nodes.xy[self.net.source]
        return np.asarray(distances(xy, at).min(axis=1) / length_per_cost(self.net.transitions))

    @cached_property
    def rims(self) -> RimCosts | None:
        """Exact costs along rims of difficult ground."""
        return rim_costs(self.exact, self.cutoff)

    @cached_property
    def behind(self) -> BehindRims | None:
        """Finds where paths cross rims last; None if ways over or dice may lead here.

        Ways from tops that are not reached, and ways that only lead away, do not count.
        """
        nodes = self.net.nodes
        reached = np.unique(nodes.space[np.isfinite(self.cost)]).tolist()
        over = any(way.dest == self.space and way.source in reached for way in self.net.transitions)
        if self.bound or self.layer or over or (nodes.space[self.net.source] != self.space).any() or self.rims is None:
            return None
        return BehindRims(self.rims, self.exact)

    @cached_property
    def _still(self) -> Ints:
        """The points that count as last bends although costs along rims are known."""
        assert self.behind is not None
        return self.points[~np.isin(self.points, self.behind.nodes)]

    @cached_property
    def exact(self) -> ExactCosts:
        """Polishes the costs of this field."""
        return ExactCosts(self)

    # -- rings ----------------------------------------------------------------------------------------------

    @cached_property
    def sharp(self) -> tuple[TangentGraph, Floats]:
        """The graph with more nodes on its rings, and the costs of its nodes, inches; for a free mover without dice."""
        net, runs, behind = self.net, self.runs, None if self.net.transitions else self.behind
        if behind is None or not len(runs):
            return net, self.cost
        parts = [(np.full(len(theta), k), theta) for k in range(len(runs)) for theta in [runs.along(k, _BETWEEN)]]
        run, theta = (np.concatenate(part) for part in zip(*parts, strict=True))
        ring = runs.ring[run]
        xy = net.arcs.places(ring, theta)
        labels = runs.pairs(xy, run)[0]
        below = np.minimum(labels, self.cutoff) - LABEL_EXCESS
        k = np.flatnonzero((self._crow(xy) < below) & np.isinf(self._straight(xy)))
        if not len(k):
            return net, self.cost
        weight = self.exact.space.weight(xy[k])
        crossings = behind.near(xy[k], weight, below[k])
        if not len(crossings.row):
            return net, self.cost
        straight, cost = np.full((2, len(xy)), np.inf)
        cost[k] = behind.straight(xy[k], weight, below[k], crossings)
        # If the straight to the next place is cheaper, no path comes there round the ring.
        k = np.flatnonzero(np.isfinite(cost))
        asked = np.unique(np.append(k, np.minimum(k + 1, len(xy) - 1)))
        straight[asked] = self.distance(xy[asked], exact=(np.inf, np.inf))
        next_ = np.where(np.diff(run, append=-1) == 0, np.append(np.minimum(straight, cost)[1:], np.inf), np.inf)
        new = (cost < straight) & (cost + _BETWEEN * net.arcs.rho[ring] < next_ + LABEL_EXCESS)
        k = np.flatnonzero(new)
        return self._with_nodes(xy[k], ring[k], runs.turn[run[k]], theta[k], cost[k]) if len(k) else (net, self.cost)

    def _with_nodes(
        self, xy: Floats, ring: Ints, turn: Ints, theta: Floats, cost: Floats
    ) -> tuple[TangentGraph, Floats]:
        """Return the graph with further nodes on rings, whose costs are known, and the costs of all its nodes."""
        net, graph = self.net, self.net.graph
        new = Nodes.on(xy, self.space, bound=False, kind=ON_RING, ref=ring, turn=turn, param=theta)
        nodes, size = Nodes.joined([net.nodes, new]), graph.size + len(xy)
        mine = np.unique(np.stack([graph.along, net.run_ring[graph.run], net.run_turn[graph.run]]), axis=1)
        node, of, way = np.column_stack([mine, [np.arange(graph.size, size), ring, turn]])
        d = nodes.xy[node] - net.arcs.center[of]
        angle = np.where(nodes.kind[node] == ON_RING, nodes.param[node], np.arctan2(d[:, 1], d[:, 0]))
        along, reached, run, run_ring, run_turn = make_runs(net.arcs, node, of, way, angle, nodes.bound)
        more = replace(graph, size=size, along=along, reached=reached, run=run)
        known = np.append(self.cost, cost)
        start = {int(k): float(known[k]) for k in np.flatnonzero(np.isfinite(known))}
        wider = replace(net, graph=more, nodes=nodes, run_ring=run_ring, run_turn=run_turn)
        return wider, settle(more, start, Limits(self.sampled)).cost[0]
