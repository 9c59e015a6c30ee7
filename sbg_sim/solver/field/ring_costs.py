"""Costs along rings that paths come to over difficult ground: labels know only where its rims are sampled.

From exact costs along rims follow those of places on rings that can be seen from there. Where a path turns round a ring
from such a place on for less than labels say, the place becomes a node, and the labels behind it fall.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from sbg_sim.solver.graph.label_search import settle
from sbg_sim.solver.graph.tangent_graph import ON_RING
from sbg_sim.solver.space.rings import ordered
from sbg_sim.tolerance import LABEL_EXCESS

if TYPE_CHECKING:
    from sbg_sim.arrays import Floats, Ints
    from sbg_sim.solver.field.behind_rims import BehindRims
    from sbg_sim.solver.field.cost_field import CostField
    from sbg_sim.solver.graph.tangent_graph import TangentGraph

_STEP: Final = 0.1  # radians between places: whoever joins a ring at the last before a tangent ends loses 2e-4 of rho


Sharp: TypeAlias = "tuple[TangentGraph, Floats]"
"""A network with more nodes on its rings, and what its nodes cost without dice, inches."""


def sharpened(field: CostField, behind: BehindRims | None) -> Sharp:
    """Return the network of a free field with more nodes on its rings, and what its nodes cost without dice, inches.

    ``behind`` tells where paths cross rims last.
    """
    net, runs = field.net, field.runs
    if behind is None or not len(runs):
        return net, field.cost
    parts = [(np.full(len(theta), k), theta) for k in range(len(runs)) for theta in [runs.along(k, _STEP)]]
    run, theta = (np.concatenate(part) for part in zip(*parts, strict=True))
    ring = runs.ring[run]
    xy = net.arcs.places(ring, theta)
    best = np.minimum(field.distance(xy, exact=(np.inf, np.inf)), field.sampled)
    labels = runs.pairs(xy, run)[0]
    cost = np.minimum(best, behind.least(field.exact, xy, np.minimum(best, labels - LABEL_EXCESS))[0])
    # Whoever comes straight to the next place for less does not come there round the ring.
    next_ = np.where(np.diff(run, append=-1) == 0, np.append(cost[1:], np.inf), np.inf)
    new = (cost < labels - LABEL_EXCESS) & (cost < field.cutoff)
    new &= cost + _STEP * net.arcs.rho[ring] < next_ + LABEL_EXCESS
    k = np.flatnonzero(new)
    return _with_nodes(field, xy[k], ring[k], runs.turn[run[k]], theta[k], cost[k]) if len(k) else (net, field.cost)


def _with_nodes(
    field: CostField, xy: Floats, ring: Ints, turn: Ints, theta: Floats, cost: Floats
) -> tuple[TangentGraph, Floats]:
    """Return the network with some places on rings as nodes, whose costs are known, and what its nodes cost."""
    net, graph, n = field.net, field.net.graph, len(xy)
    mine = np.unique(np.stack([graph.along, net.run_ring[graph.run], net.run_turn[graph.run]]), axis=1)
    d = net.xy[mine[0]] - net.arcs.center[mine[1]]
    angle = np.where(net.kind[mine[0]] == ON_RING, net.param[mine[0]], np.arctan2(d[:, 1], d[:, 0]))
    bound = np.append(net.bound, np.zeros(n, dtype=bool))
    node, of, way = np.column_stack([mine, [graph.size + np.arange(n), ring, turn]])
    along, reached, run, run_ring, run_turn = ordered(
        net.rings, net.arcs, node, of, way, np.append(angle, theta), bound
    )
    more = replace(graph, size=graph.size + n, along=along, reached=reached, run=run)
    known = np.append(field.cost, cost)
    start = {int(k): float(known[k]) for k in np.flatnonzero(np.isfinite(known))}
    wider = replace(
        net,
        graph=more,
        xy=np.concatenate([net.xy, xy]),
        bound=bound,
        run_ring=run_ring,
        run_turn=run_turn,
        space=np.append(net.space, np.full(n, field.space)),
        kind=np.append(net.kind, np.full(n, ON_RING)),
        ref=np.append(net.ref, ring),
        turn=np.append(net.turn, turn),
        param=np.append(net.param, theta),
    )
    return wider, settle(more, start, cutoff=field.sampled).cost[0]
