"""The edges along common tangents: from points to rings, between rings, and towards contact."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.geometry.tangents import bitangents, leave_to_point
from sbg_sim.solver.graph.tangent_graph import ON_RING
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.solver.graph.graph_builder import GraphBuilder

_PAIRS: Final = 250_000  # looked at in one go: some ten megabytes


def tangents(w: GraphBuilder, i: int) -> None:
    """Add all tangent edges of one space."""
    ring_ids = [k for k, ring in enumerate(w.rings) if ring.space == i]
    if not ring_ids:
        return
    states = [False, True] if w.spaces[i].target is not None else [False]
    rows = [
        (k, turn, state) for k in ring_ids for state in states if w.rings[k].open[int(state)].any() for turn in (1, -1)
    ]
    if not rows:
        return
    ring = np.array([r[0] for r in rows])
    turn = np.array([r[1] for r in rows])
    bound = np.array([r[2] for r in rows])
    c, rho = w.arcs.center[ring], w.arcs.rho[ring]
    point_tangents(w, i, ring, turn, bound, c, rho)
    ring_tangents(w, i, ring, turn, bound, c, rho)
    aimed_tangents(w, i, ring, turn, bound, c, rho)


def blocks(n: int, m: int) -> list[Ints]:
    """Cut ``n`` rows into blocks that make no more than so many pairs with ``m`` others."""
    return np.array_split(np.arange(n), max(1, math.ceil(n * m / _PAIRS)))


def touching(w: GraphBuilder, i: int, ring: Ints, turn: Ints, bound: Bools, angle: Floats) -> Ints:
    """Make tangent nodes at angles at which the rings are open, as :meth:`Arcs.locate` says; returns their numbers."""
    xy = w.arcs.places(ring, angle)
    return w.nodes.add(xy, i, bound=bound, kind=ON_RING, ref=ring, turn=turn, param=angle)


def point_tangents(w: GraphBuilder, i: int, ring: Ints, turn: Ints, bound: Bools, c: Floats, rho: Floats) -> None:
    """Add tangents between points and rings, both ways."""
    if not w.points[i]:
        return
    pts = np.concatenate(w.points[i])
    xy, pb = np.concatenate(w.nodes.xy)[pts], np.concatenate(w.nodes.bound)[pts]
    goal = np.isin(pts, w.goals)
    start = np.isin(pts, w.sources)
    # At the near rim of a way a path only ends its walk, at the far rim it only begins one.
    ins, outs = np.isin(pts, w.joined(w.only_in)), np.isin(pts, w.joined(w.only_out))
    # Towards the ring, then away from it.
    for rows, away in itertools.product(blocks(len(pts), len(ring)), (False, True)):
        a, b = (g.ravel() for g in np.meshgrid(rows, np.arange(len(ring)), indexing="ij"))
        outside = np.hypot(*(xy[a] - c[b]).T) >= rho[b] - TOUCH
        a, b = a[outside], b[outside]
        use = ~(pb[a] & ~bound[b]) if not away else ~(bound[b] & ~pb[a])
        use &= ~(start | outs)[a] if away else ~(goal | ins)[a]
        k, m = a[use], b[use]
        angle, length = leave_to_point(c[m], rho[m], turn[m] if away else -turn[m], xy[k])
        # What is too far by a first look at the ring's centre need not be looked up.
        least = (
            w.near(c[m]) - rho[m] + w.ahead(xy[k]) if away else w.near(xy[k]) + np.maximum(w.ahead(c[m]) - rho[m], 0)
        )
        ok = np.flatnonzero(np.isfinite(angle) & (least + length <= w.range))
        ok = ok[w.arcs.may_locate(ring[m[ok]], angle[ok], bound[m[ok]])]
        ok = ok[w.arcs.locate(ring[m[ok]], angle[ok], bound[m[ok]]) >= 0]
        k, m, angle, length = k[ok], m[ok], angle[ok], length[ok]
        foot = w.arcs.places(ring[m], angle)
        use = w.within(foot, length, xy[k]) if away else w.within(xy[k], length, foot)
        k, m, angle, length = k[use], m[use], angle[use], length[use]
        ids = touching(w, i, ring[m], turn[m], bound[m], angle)
        if away:
            w.edge(ids, pts[k], length)
        else:
            w.edge(pts[k], ids, length)


def ring_tangents(w: GraphBuilder, i: int, ring: Ints, turn: Ints, bound: Bools, c: Floats, rho: Floats) -> None:
    """Add the four common tangents of every two rings."""
    begin, ahead = w.near(c) - rho, np.maximum(w.ahead(c) - rho, 0)
    found = []
    for rows in blocks(len(ring), len(ring)):
        a, b = (g.ravel() for g in np.meshgrid(rows, np.arange(len(ring)), indexing="ij"))
        apart = np.hypot(c[a, 0] - c[b, 0], c[a, 1] - c[b, 1])
        use = (ring[a] != ring[b]) & ~(bound[a] & ~bound[b])
        use &= begin[a] + ahead[b] + np.maximum(apart - rho[a] - rho[b], 0) <= w.range
        a, b = a[use], b[use]
        t1, t2, length = bitangents(c[a], rho[a], turn[a], c[b], rho[b], turn[b], TOUCH)
        ok = np.isfinite(length) & (begin[a] + ahead[b] + np.nan_to_num(length) <= w.range)
        for theta, side in ((t1, a), (t2, b)):
            k = np.flatnonzero(ok)
            ok[k] = w.arcs.may_locate(ring[side[k]], theta[k], bound[side[k]])
        for theta, side in ((t1, a), (t2, b)):
            k = np.flatnonzero(ok)
            ok[k] = w.arcs.locate(ring[side[k]], theta[k], bound[side[k]]) >= 0
        a, b, t1, t2, length = a[ok], b[ok], t1[ok], t2[ok], length[ok]
        ok = w.within(w.arcs.places(ring[a], t1), length, w.arcs.places(ring[b], t2))
        found.append((a[ok], b[ok], t1[ok], t2[ok], length[ok]))
    a, b, t1, t2, length = (np.concatenate(part) for part in zip(*found, strict=True))
    n1 = touching(w, i, ring[a], turn[a], bound[a], t1)
    n2 = touching(w, i, ring[b], turn[b], bound[b], t2)
    w.edge(n1, n2, length)


def aimed_tangents(w: GraphBuilder, i: int, ring: Ints, turn: Ints, bound: Bools, c: Floats, rho: Floats) -> None:
    """Add tangents from rings straight at a target's centre, ended at contact."""
    goal = w.goal
    if goal is None or goal.space != i or len(goal.contact) != 1:
        return
    x, y, r = goal.contact[0]
    use = np.hypot(c[:, 0] - x, c[:, 1] - y) >= rho
    use &= ~(bound & (not goal.bound))
    m = np.flatnonzero(use)
    angle, length = leave_to_point(c[m], rho[m], turn[m], np.broadcast_to(np.array([x, y]), (len(m), 2)))
    ok = w.arcs.locate(ring[m], angle, bound[m]) >= 0
    m, angle, length = m[ok], angle[ok], length[ok]
    ids = touching(w, i, ring[m], turn[m], bound[m], angle)
    w.edge(ids, np.full(len(ids), w.goals[-1]), np.maximum(length - r, 0.0), ends_on=0)
