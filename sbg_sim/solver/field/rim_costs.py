"""Exact costs along the rims of difficult ground, and in which directions paths go on from there.

The network knows the cost of a rim at its samples, by one kind of path each. In between, the kinds of both neighbours
are polished, so that the cost between samples is exact as well, and the direction in which the best path arrives says
how the cost changes along the rim and, by Snell's law, how the path goes on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from sbg_sim.solver.field.exact_costs import Jobs
from sbg_sim.solver.graph.tangent_graph import SAMPLE, SPACING
from sbg_sim.tolerance import TINY, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.solver.field.exact_costs import ExactCosts
    from sbg_sim.solver.field.tails import Tail
    from sbg_sim.solver.graph.label_search import Labels
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.path.path_types import PathType

RIM_STEP: Final = 0.06
"""Distance of samples along rims when areas are drawn, inches: a sampled crossing then errs by 0.0003 on average."""

_ALONG: Final = 1e-4  # a path that arrives with less of its direction across a rim runs along it
_FLAT: Final = 1e-9
_APART: Final = 1.6  # times the distance of samples that two may lie apart on one course of tiny pieces
_BEFORE: Final = 1e-5  # inches before a rim at which the ground is looked at that a path comes over


class Labelled(Protocol):
    """What is asked of a cost field: labels of nodes, the chains to them, and a polisher."""

    net: TangentGraph
    labels: Labels
    layer: int
    space: int
    cost: Floats

    @property
    def exact(self) -> ExactCosts:
        """The polisher."""
        ...

    def prefix(self, node: int) -> PathType:
        """Return the chain to a node."""
        ...


@dataclass(frozen=True)
class RimCosts:
    """Costs at places along rims, in order; a place of two stretches is there twice.

    Parameters
    ----------
    piece, u, xy
        Rim piece, parameter (inches) and place ``(n, 2)``.
    cost
        Inches.
    slope
        Of the cost along the rim, no unit.
    sides
        ``(n, 2)``: whether paths go on out of the difficult ground, and into it.
    kind
        Which kind of path is the best.
    linked
        ``(n - 1,)``: whether a place and the next are neighbours on one piece.
    node
        Which node of the network is sampled there, -1 for none.
    which, slid, tails
        Which tail its path has (-1 where none was polished), where that slides ``(n, k)``, and all tails.

    """

    piece: Ints
    u: Floats
    xy: Floats
    cost: Floats
    slope: Floats
    sides: Bools
    kind: Ints
    linked: Bools
    node: Ints
    which: Ints
    slid: Floats
    tails: Sequence[Tail]


def rim_costs(field: Labelled, step: float, limit: float) -> RimCosts | None:
    """Work out the exact costs along every rim of difficult ground on a field's space.

    Parameters
    ----------
    field
        The cost field, free.
    step
        Distance of places, inches.
    limit
        Costs beyond this (inches) are not wanted.

    """
    net, nodes = field.net, _nodes(field, limit)
    if not len(nodes):
        return None
    piece, u, cost = net.ref[nodes], net.param[nodes], field.cost[nodes]
    # Wider apart than samples are lies a stretch that may not be entered.
    near = (np.diff(piece) == 0) & (np.minimum(cost[:-1], cost[1:]) <= limit) & (np.diff(u) <= 1.01 * SPACING)
    parts = np.where(near, np.maximum(np.ceil(np.diff(u) / step), 1), 1).astype(int)
    spot = np.concatenate([[0], np.cumsum(parts)])  # where the samples stand among all places
    left = np.concatenate([np.repeat(np.arange(len(parts)), parts), [len(nodes) - 1]])
    share = (np.arange(len(left)) - spot[left]) / np.append(parts, 1)[left]
    u = u[left] + share * np.append(np.where(near, np.diff(u), 0.0), 0.0)[left]
    jobs = Jobs()
    for k, kinds in enumerate(field.exact.ending_at_nodes([field.prefix(n) for n in nodes.tolist()])):
        first = spot[k - 1] if k and near[k - 1] else spot[k]
        last = spot[k + 1] if k < len(near) and near[k] else spot[k]
        own = np.arange(first, last + 1)
        for chain in kinds:
            jobs.add(chain, own, np.full(len(own), cost[k]))
    best = np.where(share == 0, cost[left], np.inf)
    return _settled(field.exact, jobs, piece[left], u, best, near[left[:-1]], np.where(share == 0, nodes[left], -1))


def _nodes(field: Labelled, limit: float) -> Ints:
    """Return the samples on rims of difficult ground with labels, in order along each; none if all are too dear."""
    net = field.net
    mine = np.array([net.piece_space[j] == field.space and p.length > 0 for j, p in enumerate(net.pieces)], dtype=bool)
    mine[net.difficult_pieces :] = False
    nodes = np.flatnonzero((net.kind == SAMPLE) & ~net.bound & np.isfinite(field.cost))
    nodes = nodes[mine[net.ref[nodes]]]
    nodes = nodes[np.lexsort((field.cost[nodes], net.param[nodes], net.ref[nodes]))]
    same = (np.diff(net.ref[nodes]) == 0) & (np.diff(net.param[nodes]) <= _FLAT)
    nodes = nodes[~np.concatenate([[False], same])] if len(nodes) else nodes
    return np.asarray(nodes if len(nodes) > 1 and (field.cost[nodes] <= limit).any() else nodes[:0])


def _sides(across: Floats) -> Bools:
    """Say to which sides of a rim paths go on, given how much of their direction leads across it ``(n, 2)``."""
    return np.stack([~(across < -_ALONG), ~(across > _ALONG)], axis=1)


def sampled_costs(field: Labelled, limit: float) -> RimCosts | None:
    """Return the costs along rims as the samples have them, too high by as much as those lie apart, without polishing.

    Parameters
    ----------
    field
        The cost field, free.
    limit
        Costs beyond this (inches) are not wanted.

    """
    net, nodes = field.net, _nodes(field, limit)
    if not len(nodes):
        return None
    course, begin = net.rims.courses
    piece = net.ref[nodes]
    order = np.lexsort((begin[piece], begin[piece] + net.param[nodes], course[piece]))
    nodes, piece = nodes[order], piece[order]
    u, cost, xy = net.param[nodes], field.cost[nodes], net.xy[nodes]
    gap = np.where(np.diff(course[piece]) == 0, np.diff(begin[piece] + u), np.inf)
    linked = (gap > TOUCH) & (gap <= _APART * SPACING) & (np.minimum(cost[:-1], cost[1:]) <= limit)
    edge, before = field.labels.edge[field.layer, nodes], field.labels.run[field.layer, nodes]
    came = np.where(edge >= 0, net.graph.src[np.maximum(edge, 0)], before)
    tangent, normal, _ = net.rims.frame(piece, u)
    d = xy - net.xy[came]
    d /= np.maximum(np.hypot(d[:, 0], d[:, 1]), TINY)[:, None]
    slope = net.spaces[field.space].weight(xy - _BEFORE * d) * (d * tangent).sum(axis=1)
    across = (d * normal).sum(axis=1)
    # What comes round a ring comes along the rim.
    steep = np.where(linked, np.diff(cost) / np.where(linked, gap, 1.0), 0.0)
    round_ = (edge < 0) & (before >= 0)
    steep = np.where(np.append(linked, False), np.append(steep, 0.0), np.append(0.0, steep))
    slope, across = np.where(round_, steep, slope), np.where(round_, 0.0, across)
    # Where one piece goes on as another there are two samples, and one cost.
    for k in np.flatnonzero(gap <= TOUCH).tolist():
        cheap, dear = (k, k + 1) if cost[k] <= cost[k + 1] else (k + 1, k)
        cost[dear], slope[dear], across[dear] = cost[cheap], slope[cheap], across[cheap]
    none = np.full(len(nodes), -1)
    return RimCosts(piece, u, xy, cost, slope, _sides(across), came, linked, nodes, none, np.zeros((len(nodes), 0)), ())


def _settled(
    exact: ExactCosts, jobs: Jobs, piece: Ints, u: Floats, best: Floats, linked: Bools, node: Ints
) -> RimCosts:
    rims = exact.net.rims
    xy = rims.at(piece, u)
    cost, arrive = exact.along(xy, best, jobs)
    tangent, normal, _ = rims.frame(piece, u)
    slope = arrive.weight * (arrive.direction * tangent).sum(axis=1)
    across = (arrive.direction * normal).sum(axis=1)
    # The way along the rim bounds the cost of places that no kind of path came to.
    gap = np.where(linked, np.diff(u), np.inf)
    for i in range(len(gap)):
        cost[i + 1] = min(cost[i + 1], cost[i] + gap[i])
    for i in range(len(gap) - 1, -1, -1):
        cost[i] = min(cost[i], cost[i + 1] + gap[i])
    bare = np.flatnonzero(np.isnan(slope))
    if len(bare):
        with np.errstate(invalid="ignore", divide="ignore"):
            run = np.where(linked, np.diff(cost) / np.diff(u), np.nan)
        both = np.stack([np.append(run, np.nan), np.append(np.nan, run)])[:, bare]
        known = np.isfinite(both)
        mean = np.where(known, both, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        slope[bare] = np.clip(mean, -1.0, 1.0)
    return RimCosts(
        *(piece, u, xy, cost, slope, _sides(across), arrive.kind, linked, node, arrive.which, arrive.slid, arrive.tails)
    )
