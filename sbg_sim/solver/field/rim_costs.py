"""Exact costs along the rims of difficult ground, and the sides on which paths go on from there.

The tangent graph knows the costs of a rim at its samples, by one type of path each. Between two samples the types of
both are polished, so the costs there are exact too. The direction in which the best path arrives gives the slope of the
cost along the rim and, by Snell's law, how the path goes on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from sbg_sim.solver.field.candidates import Candidates
from sbg_sim.solver.graph.tangent_graph import SPACING
from sbg_sim.tolerance import CUBIC, ROUNDING, SMOOTH, TINY, TOUCH

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.geometry.rims import Rims
    from sbg_sim.solver.field.exact_costs import ExactCosts
    from sbg_sim.solver.field.sampled_costs import SampledCosts
    from sbg_sim.solver.field.tails import Tail
    from sbg_sim.solver.graph.tangent_graph import TangentGraph

RIM_STEP: Final = 0.06
"""Distance of samples along rims when areas are drawn, inches: a sampled crossing then errs by 0.0003 on average."""

_APART: Final = 1.6  # times the distance of samples: how far neighbours may lie apart on a course of tiny pieces


@dataclass(frozen=True)
class RimCosts:
    """Costs at places along rims, in order; a place where two stretches meet comes twice.

    Parameters
    ----------
    piece, u, xy
        Rim piece, parameter (inches) and place ``(n, 2)``.
    cost
        Cost at each place, inches.
    slope
        Slope of the cost along the rim, inches an inch.
    sides
        ``(n, 2)``: whether paths go on out of the difficult ground, and into it.
    path_type
        The number of the best path's type.
    linked, joined
        ``(n - 1,)``: whether a place and the next are neighbours on one piece, and on one course of pieces.
    node
        The node of the graph at the place, -1 for none.
    which, slid, tails
        The number of the best path's tail (-1 if none was polished), where that slides ``(n, k)``, and all tails.

    """

    piece: Ints
    u: Floats
    xy: Floats
    cost: Floats
    slope: Floats
    sides: Bools
    path_type: Ints
    linked: Bools
    joined: Bools
    node: Ints
    which: Ints
    slid: Floats
    tails: Sequence[Tail]

    @property
    def alike(self) -> Bools:
        """Whether one type of path leads to a place and to the next one on its course ``(n - 1,)``."""
        return np.asarray(self.joined & (self.path_type[1:] == self.path_type[:-1]) & (self.which[1:] >= 0))

    def smooth(self, left: Ints, h: Floats) -> Bools:
        """Say for which places a cubic gives the costs up to the next one, ``h`` inches on, true to about ``CUBIC``.

        It does where it differs from a parabola by as little.
        """
        found = self.alike[left]
        a, b = left[found], left[found] + 1
        more = self.cost[b] - self.cost[a] - (self.slope[a] + self.slope[b]) / 2 * h[found]
        found[found] = np.abs(more) <= 8 * CUBIC
        return found

    def cubic(self, left: Ints, h: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Return the coefficients of cubics through the costs and slopes of places and the next, by powers of inches.

        The two lie ``h`` inches apart. Inwards from either the slope is at most 1: along the rim itself.
        """
        first, last = self.cost[left], self.cost[left + 1]
        s0, s1 = np.minimum(self.slope[left], 1.0), np.maximum(self.slope[left + 1], -1.0)
        mean = (last - first) / h
        return first, s0, (3 * mean - 2 * s0 - s1) / h, (s0 + s1 - 2 * mean) / (h * h)

    def between(self, rims: Rims, piece: Ints, u: Floats) -> Floats:
        """Return the costs of places on rims ``(m,)``, inches; infinite where no smooth interpolation is possible."""
        at, along = rims.along(piece, u), rims.along(self.piece, self.u)
        left = np.clip(np.searchsorted(along, at, side="right") - 1, 0, len(along) - 2)
        # A place at the end of a stretch belongs to the stretch before it.
        left -= (left > 0) & (at <= along[left] + ROUNDING) & ~self.alike[left]
        cost, h = np.full(len(at), np.inf), np.maximum(along[left + 1] - along[left], TINY)
        k = np.flatnonzero((at >= along[left] - ROUNDING) & (at <= along[left] + h + ROUNDING))
        k = k[self.smooth(left[k], h[k])]
        t = at[k] - along[left[k]]
        flat, lean, bend, twist = self.cubic(left[k], h[k])
        cost[k] = flat + (lean + (bend + twist * t) * t) * t
        return cost


def rim_costs(exact: ExactCosts, limit: float) -> RimCosts | None:
    """Return the exact costs along the rims of difficult ground on a space, None if no rim is reached.

    Parameters
    ----------
    exact
        Makes costs exact there, for a free mover.
    limit
        The greatest cost of interest, inches.

    """
    field, net, rims = exact.field, exact.net, exact.net.rims
    nodes = _nodes(field, limit)
    if not len(nodes):
        return None
    run = _stretches(field)
    node, like, piece, u = _with_ends(net, nodes, _rim_samples(field, np.isinf), run)
    cost = np.where(like < 0, np.inf, field.cost[like])
    goes_on = (np.diff(run[piece]) == 0) & (run[piece[1:]] > 0)
    gap = np.where(goes_on, np.diff(rims.along(piece, u)), np.inf)
    reached = np.minimum(cost[:-1], cost[1:]) <= limit
    # No path leads along a rim inside a zone; a gap wider than the distance of samples has samples beyond the limit.
    on_one = (np.diff(piece) == 0) & (np.minimum(node[:-1], node[1:]) >= 0)
    linked = reached & on_one & (gap <= 1.01 * SPACING)
    near = linked | (reached & ~on_one & (gap > TOUCH) & (gap <= _APART * SPACING))
    parts = np.where(near, np.maximum(np.ceil(gap / np.where(linked, RIM_STEP, 2 * RIM_STEP)), 1), 1).astype(int)
    spot = np.concatenate([[0], np.cumsum(parts)])  # where the samples stand among all places
    left = np.concatenate([np.repeat(np.arange(len(parts)), parts), [len(node) - 1]])
    share = (np.arange(len(left)) - spot[left]) / np.append(parts, 1)[left]
    right = np.minimum(left + (share > 0), len(node) - 1)
    piece, u = rims.between(np.stack([piece[left], piece[right]], axis=1), np.stack([u[left], u[right]], axis=1), share)
    candidates, sampled = Candidates(), np.flatnonzero(like >= 0)
    for k, types in zip(sampled.tolist(), exact.ending_at_nodes(like[sampled].tolist()), strict=True):
        first = spot[k - 1] if k and near[k - 1] else spot[k]
        last = spot[k + 1] if k < len(near) and near[k] else spot[k]
        own = np.arange(first, last + 1)
        for path in types:
            candidates.add(path, own, np.full(len(own), cost[k]))
    best, node = np.where(share == 0, cost[left], np.inf), np.where(share == 0, node[left], -1)
    return _settled(exact, candidates, piece, u, best, linked[left[:-1]], near[left[:-1]], node)


def _rim_samples(field: SampledCosts, which: Callable[[Floats], Bools]) -> Ints:
    """Return the samples on rims of difficult ground whose labels ``which`` selects."""
    net, at = field.net, field.net.nodes
    nodes = np.flatnonzero(net.on_ground & (at.space == field.space) & ~at.bound & which(field.cost))
    return np.asarray(nodes[net.rims.length[at.ref[nodes]] > 0])


def _nodes(field: SampledCosts, limit: float) -> Ints:
    """Return the labelled samples on rims of difficult ground, in order along each; none if all exceed the limit."""
    net, nodes = field.net, _rim_samples(field, np.isfinite)
    nodes = nodes[np.lexsort((field.cost[nodes], net.nodes.param[nodes], net.rims.place[net.nodes.ref[nodes]]))]
    same = (np.diff(net.nodes.ref[nodes]) == 0) & (np.diff(net.nodes.param[nodes]) <= ROUNDING)
    nodes = nodes[~np.concatenate([[False], same])] if len(nodes) else nodes
    return np.asarray(nodes if len(nodes) > 1 and (field.cost[nodes] <= limit).any() else nodes[:0])


def _stretches(field: SampledCosts) -> Ints:
    """Return by piece the number of its stretch of a course that is open to a free mover; negative if it is closed.

    A stretch ends where it leaves a zone that holds the mover's start: no way leads back (CZ.4). A speck just inside
    that zone's rim is closed.
    """
    rims = field.net.rims
    order = np.argsort(rims.place)
    free, middle = field.open_pieces(order), rims.at(order, rims.length[order] / 2)
    new = np.diff(rims.courses[0][order], prepend=-1) != 0
    for zone in field.net.spaces[field.space].zones:
        if zone.stuck:
            new |= np.diff(zone.holds(middle), prepend=False) != 0
            free &= np.abs(zone.apart(middle) - (zone.radius - TOUCH)) > TOUCH / 2
    new |= np.diff(free, prepend=False) != 0
    run = np.empty(len(order), dtype=np.int64)
    run[order] = np.where(free, np.cumsum(new), -np.cumsum(new))
    return run


def _with_ends(net: TangentGraph, nodes: Ints, beyond: Ints, run: Ints) -> tuple[Ints, Ints, Ints, Floats]:
    """Add the ends of open stretches, and samples without labels, to the nodes beside them.

    Returns
    -------
    node, like, piece, u
        The nodes, -1 for added places; the nodes at the same place, whose paths lead there too, -1 for none; rim pieces
        and inches along them; all in order.

    """
    rims, piece, u = net.rims, net.nodes.ref[nodes], net.nodes.param[nodes]
    order = np.argsort(rims.place)
    edge = np.flatnonzero(np.diff(run[order], prepend=0, append=0))
    starts, lasts = order[edge[:-1]], order[edge[1:] - 1]
    ends = np.concatenate([starts, lasts, net.nodes.ref[beyond]])
    at = np.concatenate([np.zeros(len(starts)), rims.length[lasts], net.nodes.param[beyond]])
    along, far = rims.along(piece, u), rims.along(ends, at)
    # Where one stretch ends another may begin, whose sample does not count for this one.
    before = np.repeat([TOUCH, -TOUCH, 0.0], [len(starts), len(lasts), len(beyond)])
    k = np.searchsorted(along, far + before) - 1 + np.array([[0], [1]])
    k = np.clip(k, 0, len(along) - 1)
    apart = np.where(run[piece[k]] == run[ends], np.abs(along[k] - far), np.inf).min(axis=0)
    use = np.flatnonzero((run[ends] > 0) & (apart > TOUCH) & (apart <= _APART * SPACING))
    row, there = shapely.STRtree(shapely.points(net.nodes.xy[nodes])).query(
        shapely.points(rims.at(ends[use], at[use])), "dwithin", TOUCH
    )
    like = np.full(len(use), -1)
    like[row] = nodes[there]
    node, like = np.concatenate([nodes, np.full(len(use), -1)]), np.concatenate([nodes, like])
    piece, u = np.concatenate([piece, ends[use]]), np.concatenate([u, at[use]])
    order = np.lexsort((u, rims.place[piece]))
    return node[order], like[order], piece[order], u[order]


def _settled(
    exact: ExactCosts,
    candidates: Candidates,
    piece: Ints,
    u: Floats,
    best: Floats,
    linked: Bools,
    joined: Bools,
    node: Ints,
) -> RimCosts:
    """Polish candidates for places along rims, and derive slopes and sides from how the best paths arrive."""
    rims = exact.net.rims
    xy = rims.at(piece, u)
    cost, arrive = exact.along(xy, best, candidates)
    tangent, normal, _ = rims.frame(piece, u)
    slope = arrive.weight * (arrive.direction * tangent).sum(axis=1)
    across = (arrive.direction * normal).sum(axis=1)
    # Ways along the rim bound the costs of places for which no type of path was open.
    gap = np.where(joined, np.diff(rims.along(piece, u)), np.inf)
    polished = cost.copy()
    for i in range(len(gap)):
        cost[i + 1] = min(cost[i + 1], cost[i] + gap[i])
    for i in range(len(gap) - 1, -1, -1):
        cost[i] = min(cost[i], cost[i + 1] + gap[i])
    dearer = polished > cost + ROUNDING
    slope[dearer] = across[dearer] = np.nan
    bare = np.flatnonzero(np.isnan(slope))
    if len(bare):
        with np.errstate(invalid="ignore", divide="ignore"):
            run = np.where(joined, np.diff(cost) / gap, np.nan)
        both = np.stack([np.append(run, np.nan), np.append(np.nan, run)])[:, bare]
        known = np.isfinite(both)
        mean = np.where(known, both, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        slope[bare] = np.clip(mean, -1.0, 1.0)
    sides = np.stack([~(across < -SMOOTH), ~(across > SMOOTH)], axis=1)
    places = (piece, u, xy, cost, slope, sides, arrive.path_type, linked, joined, node)
    return RimCosts(*places, arrive.which, arrive.slid, arrive.tails)
