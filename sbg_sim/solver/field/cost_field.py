"""The cost field of one search: the exact cost of any place, from the tangent graph of one start.

Labels of rings that paths come to over difficult ground know only where its rims are sampled. From exact costs along
rims follow those of places on rings that can be seen from there: where a path turns round a ring from such a place on
for less than labels say, the place becomes a node, and the labels behind it fall.
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

_FEW: Final = 500  # places up to which it does not pay to know the costs along rims
_TABLE: Final = 600_000  # places times last bends looked at in one go: a few megabytes a column
_AT_ONCE: Final = 512  # straights checked at once at first where sampled costs are all that is asked
_BETWEEN: Final = 0.1
"""Radians between places on rings: whoever joins a ring at the last before a tangent ends loses 2e-4 of its radius."""


class CostField(SampledCosts):
    """Exact costs of places on one space, free or bound, after a number of dice; parameters are those of its base."""

    def distance(self, xy: Floats, *, exact: tuple[float, float] = (-math.inf, math.inf)) -> Floats:
        """Exact cost of places ``(n, 2)``: ``(n,)``, inches; infinite beyond the cutoff or where one may not be.

        Sampled costs outside the range ``exact`` stay as they are: too high by as much as samples on rims lie apart.
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
            # Other types of path are looked for among all last bends.
            best[again] = np.minimum(best[again], self._block(xy[again], exact, None))
        return best

    def _straight(self, xy: Floats) -> Floats:
        """Costs of places that are reached as the crow flies, inches: nothing else needs to be asked of them."""
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
        """Costs of places as the crow flies, less what shifts that cost nothing may save, inches: none is less."""
        at = self.net.nodes.xy[self.net.source]
        return np.asarray(distances(xy, at).min(axis=1) / length_per_cost(self.net.transitions))

    @cached_property
    def rims(self) -> RimCosts | None:
        """Exact costs along rims of difficult ground."""
        return rim_costs(self.exact, self.cutoff)

    @cached_property
    def behind(self) -> BehindRims | None:
        """What tells where paths cross rims last; nothing where ways over or dice lead there.

        Those down from tops to which nothing leads, and those that only lead away, are on none of the paths.
        """
        nodes = self.net.nodes
        reached = np.unique(nodes.space[np.isfinite(self.cost)]).tolist()
        over = any(way.dest == self.space and way.source in reached for way in self.net.transitions)
        if self.bound or self.layer or over or (nodes.space[self.net.source] != self.space).any() or self.rims is None:
            return None
        return BehindRims(self.rims, self.exact)

    @cached_property
    def _still(self) -> Ints:
        """The points at which costs along rims do not say how paths go on."""
        assert self.behind is not None
        return self.points[~np.isin(self.points, self.behind.nodes)]

    @cached_property
    def exact(self) -> ExactCosts:
        """What polishes the costs of this field."""
        return ExactCosts(self)

    # -- rings ----------------------------------------------------------------------------------------------

    @cached_property
    def sharp(self) -> tuple[TangentGraph, Floats]:
        """The graph with more nodes on its rings, and what its nodes cost without dice, inches; of a free mover."""
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
        # Whoever comes straight to the next place for less does not come there round the ring.
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
        """Return the graph with some places on rings as nodes, whose costs are known, and what its nodes cost."""
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
