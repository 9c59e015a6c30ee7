"""Bicliques of a tangent graph: straights and ways over between groups of neighbouring places, made when needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from sbg_sim.arrays import ranges
from sbg_sim.geometry.spines import all_cross, gaps2
from sbg_sim.solver.graph.lazy_graph import Bicliques
from sbg_sim.tolerance import RIM, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.geometry.grown import Grown
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.space.transitions import Transition

_MOST: Final = 32  # nodes in a group
_PAIRS: Final = 100_000  # of groups, or of nodes, looked at together: as many as stay near the processor


class Product(NamedTuple):
    """Edges from some nodes to others: the straights of a space, or (from 0 on) the chords of a transition."""

    src: Ints
    dst: Ints
    space: int
    transition: int = -1


class _Groups:
    """Groups of nodes that follow one another closely: where in the nodes they begin, their sides, boxes about them.

    Parameters
    ----------
    xy
        Places of all nodes ``(n, 2)``.
    sides
        Lists of nodes; no group is of two.
    gap
        How far apart the nodes of a group may follow one another, inches.

    """

    def __init__(self, xy: Floats, sides: Sequence[Ints], gap: float) -> None:
        self.nodes = np.concatenate(sides)
        side, p = np.repeat(np.arange(len(sides)), [len(ids) for ids in sides]), xy[self.nodes]
        course = np.cumsum((np.hypot(*np.diff(p, axis=0, prepend=p[:1]).T) > gap) | (np.diff(side, prepend=0) > 0))
        self.begin = np.flatnonzero((np.arange(len(p)) - np.searchsorted(course, course)) % _MOST == 0)
        self.size, self.side = np.diff(self.begin, append=len(p)), side[self.begin]
        self.low, self.high = np.minimum.reduceat(p, self.begin), np.maximum.reduceat(p, self.begin)
        x, y = np.stack([self.low, self.high], axis=1).transpose(2, 0, 1)
        self.corners = np.stack([x[:, [0, 1, 0, 1]], y[:, [0, 0, 1, 1]]], axis=2)

    def apart(self, i: Ints, j: Ints) -> Floats:
        """Return how far the boxes of groups lie apart, inches."""
        d = np.maximum(np.maximum(self.low[i] - self.high[j], self.low[j] - self.high[i]), 0.0)
        return np.asarray(np.hypot(d[..., 0], d[..., 1]))

    def pairs(self, i: Ints, j: Ints) -> tuple[Ints, Ints]:
        """Return every node of each of some groups with every node of another."""
        count, size = self.size[i] * self.size[j], self.size[j]
        row, at = np.repeat(np.arange(len(i)), count), ranges(0 * count, count)
        return self.nodes[self.begin[i][row] + at // size[row]], self.nodes[self.begin[j][row] + at % size[row]]


def bicliques(net: TangentGraph, products: Sequence[Product], spacing: float, left: Floats) -> Bicliques | None:
    """Return the edges of some products as bicliques of groups of neighbours; none if there are no edges.

    Parameters
    ----------
    net
        The tangent graph that is to have the edges.
    products
        The products.
    spacing
        How far apart samples on rims lie, inches.
    left
        How much longer a path through each node may be ``(n,)``, inches.

    """
    products = [product for product in products if len(product.src) and len(product.dst)]
    if not products:
        return None
    groups = _Groups(net.nodes.xy, [ids for product in products for ids in (product.src, product.dst)], 4 * spacing)
    found = [_linked(net, product, groups, n, left) for n, product in enumerate(products)]
    src, dst, low = (np.concatenate(part) for part in zip(*found, strict=True))
    of = groups.side[src] // 2
    tests = np.array([0 if p.transition < 0 else net.transitions[p.transition].way.tests for p in products])

    def make(which: Ints, have: Floats, most: Floats) -> Ints:
        made = []  # taken up at once: the graph's edges are many
        for n in np.unique(of[which]).tolist():
            mine = which[of[which] == n]
            for k in np.array_split(mine, 1 + len(mine) * _MOST**2 // _PAIRS):
                a, b = groups.pairs(src[k], dst[k])
                bound = net.bounds(a, b, products[n].space, products[n].transition, most[b] - have[a])
                use = have[a] + bound < most[b]
                made.append((a[use], b[use], bound[use], np.full(np.count_nonzero(use), products[n].transition)))
        return net.add(*(np.concatenate(part) for part in zip(*made, strict=True))) if made else which[:0]

    return Bicliques(groups.nodes, groups.begin, src, dst, low, tests[of], make)


def _linked(net: TangentGraph, product: Product, groups: _Groups, n: int, left: Floats) -> tuple[Ints, Ints, Floats]:
    """Return which groups of a product may have edges between them, and lower bounds of the weights of these."""
    first, second = (np.flatnonzero(groups.side == 2 * n + end) for end in (0, 1))
    spare = np.maximum.reduceat(left[groups.nodes], groups.begin)
    found = []
    for some in np.array_split(first, 1 + len(first) * len(second) // _PAIRS):
        i, j = (g.ravel() for g in np.meshgrid(some, second, indexing="ij"))
        apart = groups.apart(i, j)
        low = apart if product.transition < 0 else net.transitions[product.transition].at_least(apart)
        near = low <= spare[i]
        i, j, low = i[near], j[near], low[near]
        if product.transition < 0:
            use = ~_walled(net.spaces[product.space].walls, groups.corners[i], groups.corners[j])
        else:
            use = _may_cross(net, net.transitions[product.transition], groups, i, j)
        found.append((i[use], j[use], low[use]))
    i, j, low = (np.concatenate(part) for part in zip(*found, strict=True))
    return i, j, low


def _walled(walls: Grown, p: Floats, q: Floats) -> Bools:
    """Say between which boxes (corners ``(n, 4, 2)`` each) a wall stands that all straights run into."""
    walled = np.zeros(len(p), dtype=bool)
    walls = walls.capsules(walls.long & (walls.rho > TOUCH))
    if not walls.empty and len(p):
        a, b = p.mean(axis=1), q.mean(axis=1)
        row, k = walls.meeting(np.minimum(a, b), np.maximum(a, b))
        cross = gaps2(a[row], b[row], walls.spines[k]) == 0
        row, k = row[cross], k[cross]
        # Of the spines between the middles of two boxes the longest is asked alone.
        x0, y0, x1, y1 = walls.spines[k].T
        order = np.lexsort((-np.hypot(x1 - x0, y1 - y0), row))
        row, first = np.unique(row[order], return_index=True)
        walled[row] = all_cross(p[row], q[row], walls.spines[k[order][first]])
    return walled


def _may_cross(net: TangentGraph, way: Transition, groups: _Groups, i: Ints, j: Ints) -> Bools:
    """Say between which groups chords may run through the solid: from straight rims they do not run outward."""
    if way.source != way.dest or way.firm is not None:
        return np.ones(len(i), dtype=bool)
    mine, on_rim = groups.nodes, net.nodes.ref[groups.nodes] >= 0
    normal = np.zeros((len(mine), 2))
    normal[on_rim] = net.rims.frame(net.nodes.ref[mine[on_rim]], net.nodes.param[mine[on_rim]])[1]
    out = np.minimum.reduceat(normal, groups.begin)
    bent = (out != np.maximum.reduceat(normal, groups.begin)).any(axis=1) | ~out.any(axis=1)
    deep = np.maximum.reduceat((net.nodes.xy[mine] * normal).sum(axis=1), groups.begin)
    ahead = (groups.corners[j] * out[i][:, None]).sum(axis=2).min(axis=1)
    return np.asarray(bent[i] | (ahead < deep[i] - RIM))
