"""Where the last die of a move puts the mover down: lines along the far rims of what is crossed."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import shapely

from sbg_sim.solver.graph.tangent_graph import SAMPLE
from sbg_sim.solver.space.transitions import nearest_on
from sbg_sim.tolerance import FITS, TOUCH

if TYPE_CHECKING:
    from sbg_sim.arrays import Floats
    from sbg_sim.solver.graph.label_search import Labels
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.space.transitions import Transition


def landing_lines(net: TangentGraph, labels: Labels, space: int, layer: int, limit: float) -> shapely.Geometry:
    """Return the places on a space where the last of some dice puts the mover down, as lines.

    Parameters
    ----------
    net, labels
        The settled network; lines are as fine as its samples on rims.
    space
        Index of the space landed on.
    layer
        Number of dice.
    limit
        Movement there is, inches.

    """
    lines = _aslant(net, labels, space, layer, limit)
    for transition in net.transitions:
        straight = transition.way.across or transition.way.foot is not None
        if transition.dest == space and straight and 0 < transition.way.tests <= layer:
            lines += _across(net, labels, transition, layer, limit)
    return shapely.union_all(lines) if lines else shapely.GeometryCollection()


def _aslant(net: TangentGraph, labels: Labels, space: int, layer: int, limit: float) -> list[shapely.Geometry]:
    """Landings on sampled far rims, along any chord."""
    lines: list[shapely.Geometry] = []
    for j in range(net.difficult_pieces, len(net.pieces)):
        if net.piece_space[j] == space:
            nodes = np.flatnonzero((net.kind == SAMPLE) & (net.ref == j) & ~net.bound)
            _, first = np.unique(net.param[nodes], return_index=True)
            nodes = nodes[first]
            lines += _runs(net.xy[nodes], labels.landed[layer, nodes], limit)
    return lines


def _across(
    net: TangentGraph, labels: Labels, transition: Transition, layer: int, limit: float
) -> list[shapely.Geometry]:
    """Landings straight opposite the places on the near rim from which the way begins."""
    lines: list[shapely.Geometry] = []
    space, dest = net.spaces[transition.source], net.spaces[transition.dest]
    before = labels.cost[layer - transition.way.tests]
    for j in range(net.difficult_pieces, len(net.pieces)):
        nodes = np.flatnonzero((net.kind == SAMPLE) & (net.ref == j) & ~net.bound)
        if net.piece_space[j] != transition.source or not len(nodes):
            continue
        _, first = np.unique(net.param[nodes], return_index=True)
        nodes = nodes[first]
        p = net.xy[nodes]
        near = np.min([np.hypot(*(nearest_on(rim, p) - p).T) for rim in transition.near], axis=0)
        if (near > TOUCH).all():
            continue
        q, free = transition.landing(p), np.zeros(len(p), dtype=bool)
        open_ = (near <= TOUCH) & transition.open(p, q, space, free, free)
        open_[open_] = dest.free(q[open_]) & dest.may_end(q[open_])
        cost = np.full(len(p), np.inf)
        cost[open_] = before[nodes[open_]] + transition.cost(p[open_], q[open_])
        lines += _runs(q, cost, limit)
    return lines


def _runs(places: Floats, cost: Floats, limit: float) -> list[shapely.Geometry]:
    """Join neighbouring places within a limit to lines, their ends interpolated between samples."""
    lines: list[list[Floats]] = [[]]
    for (p, low), (q, high) in pairwise(zip(places, cost.tolist(), strict=True)):
        if not (math.isfinite(low) and math.isfinite(high)) or min(low, high) > limit:
            lines.append([])
            continue
        share = (limit - low) / (high - low) if max(low, high) > limit else 1.0
        if low > limit:
            lines.append([p + share * (q - p), q])
        else:
            lines[-1] += (
                [q if high <= limit else p + share * (q - p)]
                if lines[-1]
                else [p, q if high <= limit else p + share * (q - p)]
            )
        if high > limit:
            lines.append([])
    made = [shapely.LineString(line) for line in lines if len(line) > 1]
    return [line for line in made if line.length > FITS]
