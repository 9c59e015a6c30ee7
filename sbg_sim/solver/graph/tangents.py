"""The edges of the tangent graph on open ground: common tangents of points and rings."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from sbg_sim.arrays import distances
from sbg_sim.geometry.tangents import bitangents, leave_to_point
from sbg_sim.solver.graph.tangent_graph import ON_RING, Nodes
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.solver.graph.graph_builder import GraphBuilder

_PAIRS: Final = 250_000  # looked at in one go: some ten megabytes


class _Ways(NamedTuple):
    """Ways round the rings of a space ``(n,)``: rings, turns, whether bound, centres ``(n, 2)`` and radii, inches."""

    ring: Ints
    turn: Ints
    bound: Bools
    center: Floats
    rho: Floats


def tangents(builder: GraphBuilder, i: int) -> None:
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
    """Cut ``n`` rows into blocks that make no more than so many pairs with ``m`` others."""
    return np.array_split(np.arange(n), max(1, math.ceil(n * m / _PAIRS)))


def touching(builder: GraphBuilder, i: int, ring: Ints, turn: Ints, bound: Bools, angle: Floats) -> Ints:
    """Make tangent nodes at angles at which the rings are open, as :meth:`RingArcs.locate` says; return their ids."""
    xy = builder.arcs.places(ring, angle)
    return builder.add_nodes(Nodes.on(xy, i, bound=bound, kind=ON_RING, ref=ring, turn=turn, param=angle))


def point_tangents(builder: GraphBuilder, i: int, ways: _Ways) -> None:
    """Add tangents between points and rings, both ways."""
    ring, turn, bound, c, rho = ways
    if not builder.points[i]:
        return
    pts = np.concatenate(builder.points[i])
    xy, pb = builder.nodes.xy[pts], builder.nodes.bound[pts]
    goal = np.isin(pts, builder.goals)
    start = np.isin(pts, builder.sources)
    # At the near rim of a way a path only ends its walk, at the far rim it only begins one.
    ins, outs = np.isin(pts, np.concatenate(builder.only_in)), np.isin(pts, np.concatenate(builder.only_out))
    near, ahead = builder.near(xy), builder.ahead(xy)
    first, last = builder.near(c) - rho, np.maximum(builder.ahead(c) - rho, 0)
    # Towards the ring, then away from it.
    for rows, away in itertools.product(blocks(len(pts), len(ring)), (False, True)):
        apart = distances(xy[rows], c)
        use = (apart >= rho - TOUCH) & ~(bound & ~pb[rows, None] if away else ~bound & pb[rows, None])
        use &= ~(start | outs if away else goal | ins)[rows, None]
        # What is too far by a first look at the ring's centre need not be looked up.
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
    """Add the four common tangents of every two rings."""
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
    """Add tangents from rings straight at a target's centre, ended at contact."""
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
