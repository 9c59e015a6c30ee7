"""The edges of the tangent graph on open ground: tangents from points to rings, and common tangents of two rings.

Straights and ways over between groups of neighbouring places on rims become bicliques, made only when needed.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from sbg_sim.arrays import distances, ranges
from sbg_sim.geometry.spines import all_cross, gaps2
from sbg_sim.geometry.tangents import bitangents, leave_to_point
from sbg_sim.solver.graph.lazy_graph import Bicliques
from sbg_sim.solver.graph.tangent_graph import ON_RING, Nodes, tests_of
from sbg_sim.tolerance import RIM, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.geometry.grown import Grown
    from sbg_sim.solver.graph.graph_builder import GraphBuilder
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.space.transitions import Transition

_MOST: Final = 32  # nodes in a group
_PRODUCTS: Final = 100_000  # pairs of groups, or of nodes, in one array: as many as fit the processor's cache
_PAIRS: Final = 250_000  # pairs in one array: some ten megabytes


class _Ways(NamedTuple):
    """Ways round the rings of a space ``(n,)``: ring, turn, whether bound, centre ``(n, 2)`` and radius, inches."""

    ring: Ints
    turn: Ints
    bound: Bools
    center: Floats
    rho: Floats


def add_tangents(builder: GraphBuilder, i: int) -> None:
    """Add all tangent edges of one space."""
    ring_ids = [k for k, ring in enumerate(builder.rings) if ring.space == i]
    if not ring_ids:
        return
    states = [False, True] if builder.spaces[i].target is not None else [False]
    rows = [
        (k, turn, state)
        for k in ring_ids
        for state in states
        if builder.rings[k].open[int(state)].any()
        for turn in (1, -1)
    ]
    if not rows:
        return
    ring, turn, bound = (np.array(column) for column in zip(*rows, strict=True))
    ways = _Ways(ring, turn, bound, builder.arcs.center[ring], builder.arcs.rho[ring])
    point_tangents(builder, i, ways)
    ring_tangents(builder, i, ways)
    contact_tangents(builder, i, ways)


def blocks(n: int, m: int) -> list[Ints]:
    """Split ``n`` rows into blocks so that no block makes more than ``_PAIRS`` pairs with ``m`` columns."""
    return np.array_split(np.arange(n), max(1, math.ceil(n * m / _PAIRS)))


def touching(builder: GraphBuilder, i: int, ring: Ints, turn: Ints, bound: Bools, angle: Floats) -> Ints:
    """Add nodes at angles ``(n,)`` on rings, which must be open there (see :meth:`RingArcs.locate`); return them."""
    xy = builder.arcs.places(ring, angle)
    return builder.add_nodes(Nodes.on(xy, i, bound=bound, kind=ON_RING, ref=ring, turn=turn, param=angle))


def point_tangents(builder: GraphBuilder, i: int, ways: _Ways) -> None:
    """Add the tangents from points to rings, and from rings to points."""
    ring, turn, bound, c, rho = ways
    if not builder.points[i]:
        return
    pts = np.concatenate(builder.points[i])
    xy, pb = builder.nodes.xy[pts], builder.nodes.bound[pts]
    goal = np.isin(pts, builder.goals)
    start = np.isin(pts, builder.sources)
    # No straight leaves the near rim of a way over, and none enters its far rim.
    ins, outs = np.isin(pts, np.concatenate(builder.only_in)), np.isin(pts, np.concatenate(builder.only_out))
    near, ahead = builder.near(xy), builder.ahead(xy)
    first, last = builder.near(c) - rho, np.maximum(builder.ahead(c) - rho, 0)
    # First the tangents to rings, then those from rings.
    for rows, away in itertools.product(blocks(len(pts), len(ring)), (False, True)):
        apart = distances(xy[rows], c)
        use = (apart >= rho - TOUCH) & ~(bound & ~pb[rows, None] if away else ~bound & pb[rows, None])
        use &= ~(start | outs if away else goal | ins)[rows, None]
        # A bound by the ring's centre rules out most pairs before the tangents are computed.
        least = first + ahead[rows, None] if away else near[rows, None] + last
        use &= least + np.sqrt(np.maximum(apart * apart - rho * rho, 0.0)) <= builder.range + TOUCH
        row, m = np.nonzero(use)
        k = rows[row]
        angle, length = leave_to_point(c[m], rho[m], turn[m] if away else -turn[m], xy[k])
        ok = np.flatnonzero(np.isfinite(angle))
        ok = ok[builder.arcs.may_locate(ring[m[ok]], angle[ok], bound[m[ok]])]
        ok = ok[builder.arcs.locate(ring[m[ok]], angle[ok], bound[m[ok]]) >= 0]
        k, m, angle, length = k[ok], m[ok], angle[ok], length[ok]
        foot = builder.arcs.places(ring[m], angle)
        use = builder.within(foot, length, xy[k]) if away else builder.within(xy[k], length, foot)
        k, m, angle, length = k[use], m[use], angle[use], length[use]
        ids = touching(builder, i, ring[m], turn[m], bound[m], angle)
        if away:
            builder.edge(ids, pts[k], length)
        else:
            builder.edge(pts[k], ids, length)


def ring_tangents(builder: GraphBuilder, i: int, ways: _Ways) -> None:
    """Add the four common tangents of any two rings, in both directions."""
    ring, turn, bound, c, rho = ways
    begin, ahead = builder.near(c) - rho, np.maximum(builder.ahead(c) - rho, 0)
    found = []
    for rows in blocks(len(ring), len(ring)):
        a, b = (g.ravel() for g in np.meshgrid(rows, np.arange(len(ring)), indexing="ij"))
        apart = np.hypot(c[a, 0] - c[b, 0], c[a, 1] - c[b, 1])
        use = (ring[a] != ring[b]) & ~(bound[a] & ~bound[b])
        use &= begin[a] + ahead[b] + np.maximum(apart - rho[a] - rho[b], 0) <= builder.range
        a, b = a[use], b[use]
        t1, t2, length = bitangents(c[a], rho[a], turn[a], c[b], rho[b], turn[b], TOUCH)
        ok = np.isfinite(length) & (begin[a] + ahead[b] + np.nan_to_num(length) <= builder.range)
        for theta, side in ((t1, a), (t2, b)):
            k = np.flatnonzero(ok)
            ok[k] = builder.arcs.may_locate(ring[side[k]], theta[k], bound[side[k]])
        for theta, side in ((t1, a), (t2, b)):
            k = np.flatnonzero(ok)
            ok[k] = builder.arcs.locate(ring[side[k]], theta[k], bound[side[k]]) >= 0
        a, b, t1, t2, length = a[ok], b[ok], t1[ok], t2[ok], length[ok]
        ok = builder.within(builder.arcs.places(ring[a], t1), length, builder.arcs.places(ring[b], t2))
        found.append((a[ok], b[ok], t1[ok], t2[ok], length[ok]))
    a, b, t1, t2, length = (np.concatenate(part) for part in zip(*found, strict=True))
    n1 = touching(builder, i, ring[a], turn[a], bound[a], t1)
    n2 = touching(builder, i, ring[b], turn[b], bound[b], t2)
    builder.edge(n1, n2, length)


def contact_tangents(builder: GraphBuilder, i: int, ways: _Ways) -> None:
    """Add tangents from rings towards the centre of the contact circle; they end at contact."""
    ring, turn, bound, c, rho = ways
    goal = builder.goal
    if goal is None or builder.goal_space != i or len(goal.contact) != 1:
        return
    x, y, r = goal.contact[0]
    use = np.hypot(c[:, 0] - x, c[:, 1] - y) >= rho
    use &= ~(bound & (not goal.bound))
    m = np.flatnonzero(use)
    angle, length = leave_to_point(c[m], rho[m], turn[m], np.broadcast_to(np.array([x, y]), (len(m), 2)))
    ok = builder.arcs.locate(ring[m], angle, bound[m]) >= 0
    m, angle, length = m[ok], angle[ok], length[ok]
    ids = touching(builder, i, ring[m], turn[m], bound[m], angle)
    builder.edge(ids, np.full(len(ids), builder.goals[-1]), np.maximum(length - r, 0.0))


# -- bicliques ---------------------------------------------------------------------------------------------------------


class Product(NamedTuple):
    """All edges from nodes ``src`` to nodes ``dst``: straights of a space, or chords of a transition (0 or more)."""

    src: Ints
    dst: Ints
    space: int
    transition: int = -1


class _Groups:
    """Groups of consecutive nodes that lie close together, with a bounding box each.

    Parameters
    ----------
    xy
        Places of all nodes ``(n, 2)``.
    sides
        Lists of nodes; no group takes nodes from two lists.
    gap
        The greatest distance between consecutive nodes of a group, inches.

    """

    def __init__(self, xy: Floats, sides: Sequence[Ints], gap: float) -> None:
        self.nodes = np.concatenate(sides)
        side, p = np.repeat(np.arange(len(sides)), [len(ids) for ids in sides]), xy[self.nodes]
        chain = np.cumsum((np.hypot(*np.diff(p, axis=0, prepend=p[:1]).T) > gap) | (np.diff(side, prepend=0) > 0))
        self.begin = np.flatnonzero((np.arange(len(p)) - np.searchsorted(chain, chain)) % _MOST == 0)
        self.size, self.side = np.diff(self.begin, append=len(p)), side[self.begin]
        self.low, self.high = np.minimum.reduceat(p, self.begin), np.maximum.reduceat(p, self.begin)
        x, y = np.stack([self.low, self.high], axis=1).transpose(2, 0, 1)
        self.corners = np.stack([x[:, [0, 1, 0, 1]], y[:, [0, 0, 1, 1]]], axis=2)

    def apart(self, i: Ints, j: Ints) -> Floats:
        """Return the distances between the bounding boxes of groups, inches."""
        d = np.maximum(np.maximum(self.low[i] - self.high[j], self.low[j] - self.high[i]), 0.0)
        return np.asarray(np.hypot(d[..., 0], d[..., 1]))

    def pairs(self, i: Ints, j: Ints) -> tuple[Ints, Ints]:
        """Return, for each pair of groups, every node of the one with every node of the other."""
        count, size = self.size[i] * self.size[j], self.size[j]
        row, at = np.repeat(np.arange(len(i)), count), ranges(0 * count, count)
        return self.nodes[self.begin[i][row] + at // size[row]], self.nodes[self.begin[j][row] + at % size[row]]


def bicliques(net: TangentGraph, products: Sequence[Product], spacing: float, left: Floats) -> Bicliques | None:
    """Return the edges of products as bicliques between groups of neighbours; None if there are no edges.

    Parameters
    ----------
    net
        The tangent graph to which the edges belong.
    products
        The products.
    spacing
        Distance of samples on rims, inches.
    left
        By node, how much a path may still cost from there on ``(n,)``, inches.

    """
    products = [product for product in products if len(product.src) and len(product.dst)]
    if not products:
        return None
    groups = _Groups(net.nodes.xy, [ids for product in products for ids in (product.src, product.dst)], 4 * spacing)
    found = [_linked(net, product, groups, n, left) for n, product in enumerate(products)]
    src, dst, low = (np.concatenate(part) for part in zip(*found, strict=True))
    of = groups.side[src] // 2
    tests = tests_of(net.transitions)[[p.transition for p in products]]

    def make(which: Ints, have: Floats, most: Floats) -> Ints:
        made = []  # added in one go, since each addition copies all edges
        for n in np.unique(of[which]).tolist():
            mine = which[of[which] == n]
            for k in np.array_split(mine, 1 + len(mine) * _MOST**2 // _PRODUCTS):
                a, b = groups.pairs(src[k], dst[k])
                bound = net.bounds(a, b, products[n].space, products[n].transition, most[b] - have[a])
                use = have[a] + bound < most[b]
                made.append((a[use], b[use], bound[use], np.full(np.count_nonzero(use), products[n].transition)))
        return net.add(*(np.concatenate(part) for part in zip(*made, strict=True))) if made else which[:0]

    return Bicliques(groups.nodes, groups.begin, src, dst, low, tests[of], make)


def _linked(net: TangentGraph, product: Product, groups: _Groups, n: int, left: Floats) -> tuple[Ints, Ints, Floats]:
    """Return the pairs of groups of a product that may have edges, and lower bounds of the weights of those edges."""
    first, second = (np.flatnonzero(groups.side == 2 * n + end) for end in (0, 1))
    spare = np.maximum.reduceat(left[groups.nodes], groups.begin)
    found = []
    for block in np.array_split(first, 1 + len(first) * len(second) // _PRODUCTS):
        i, j = (g.ravel() for g in np.meshgrid(block, second, indexing="ij"))
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
    """Say between which boxes (corners ``(n, 4, 2)`` each) one wall blocks all straights."""
    walled = np.zeros(len(p), dtype=bool)
    walls = walls.capsules(walls.long & (walls.rho > TOUCH))
    if not walls.empty and len(p):
        a, b = p.mean(axis=1), q.mean(axis=1)
        row, k = walls.meeting(np.minimum(a, b), np.maximum(a, b))
        cross = gaps2(a[row], b[row], walls.spines[k]) == 0
        row, k = row[cross], k[cross]
        # Of the spines that cross the line between two middles only the longest is tested.
        x0, y0, x1, y1 = walls.spines[k].T
        order = np.lexsort((-np.hypot(x1 - x0, y1 - y0), row))
        row, first = np.unique(row[order], return_index=True)
        walled[row] = all_cross(p[row], q[row], walls.spines[k[order][first]])
    return walled


def _may_cross(net: TangentGraph, way: Transition, groups: _Groups, i: Ints, j: Ints) -> Bools:
    """Say between which groups chords may run through the solid: none does outward from a straight rim."""
    if way.source != way.dest or way.firm is not None:
        return np.ones(len(i), dtype=bool)
    nodes, on_rim = groups.nodes, net.nodes.ref[groups.nodes] >= 0
    normal = np.zeros((len(nodes), 2))
    normal[on_rim] = net.rims.frame(net.nodes.ref[nodes[on_rim]], net.nodes.param[nodes[on_rim]])[1]
    out = np.minimum.reduceat(normal, groups.begin)
    bent = (out != np.maximum.reduceat(normal, groups.begin)).any(axis=1) | ~out.any(axis=1)
    deep = np.maximum.reduceat((net.nodes.xy[nodes] * normal).sum(axis=1), groups.begin)
    ahead = (groups.corners[j] * out[i][:, None]).sum(axis=2).min(axis=1)
    return np.asarray(bent[i] | (ahead < deep[i] - RIM))
