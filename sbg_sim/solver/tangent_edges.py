"""The edges along common tangents: from points to rings, between rings, and towards contact."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.geometry.tangents import bitangents, leave_to_point
from sbg_sim.solver.network import TANGENT
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from sbg_sim.solver.weaver import Weaver

Floats = np.ndarray


def tangents(w: Weaver, i: int) -> None:
    """Add all tangent edges of one sheet."""
    ring_ids = [k for k, ring in enumerate(w.rings) if ring.sheet == i]
    if not ring_ids:
        return
    states = [False, True] if w.sheets[i].target is not None else [False]
    rows = [
        (k, turn, state) for k in ring_ids for state in states if w.rings[k].open[int(state)].any() for turn in (1, -1)
    ]
    if not rows:
        return
    ring = np.array([r[0] for r in rows])
    turn = np.array([r[1] for r in rows])
    bound = np.array([r[2] for r in rows])
    c = np.array([w.rings[k].center for k in ring.tolist()])
    rho = np.array([w.rings[k].rho for k in ring.tolist()])
    point_tangents(w, i, ring, turn, bound, c, rho)
    ring_tangents(w, i, ring, turn, bound, c, rho)
    aimed_tangents(w, i, ring, turn, bound, c, rho)


def touching(w: Weaver, i: int, ring: Floats, turn: Floats, bound: Floats, angle: Floats) -> Floats:
    """Make tangent nodes where the ring is open there; -1 where it is not."""
    ids = np.full(len(ring), -1, dtype=np.int64)
    ok = np.isfinite(angle)
    theta = np.where(ok, angle, 0.0)
    for k in np.unique(ring[ok]):
        mine = np.flatnonzero(ok & (ring == k))
        arc = w.rings[k].locate(theta[mine], bound[mine])
        ok[mine] = arc >= 0
    good = np.flatnonzero(ok)
    if len(good):
        r = ring[good]
        c = np.array([w.rings[k].center for k in r.tolist()])
        rho = np.array([w.rings[k].rho for k in r.tolist()])
        t = theta[good]
        xy = c + rho[:, None] * np.stack([np.cos(t), np.sin(t)], axis=1)
        ids[good] = w.nodes.add(xy, i, bound=bound[good], kind=TANGENT, ref=r, turn=turn[good], param=t)
    return ids


def point_tangents(w: Weaver, i: int, ring: Floats, turn: Floats, bound: Floats, c: Floats, rho: Floats) -> None:
    """Add tangents between points and rings, both ways."""
    if not w.points[i]:
        return
    pts = np.concatenate(w.points[i])
    xy, pb = np.concatenate(w.nodes.xy)[pts], np.concatenate(w.nodes.bound)[pts]
    goal = np.isin(pts, w.goals)
    start = np.isin(pts, w.sources)
    # At the near rim of a way a path only ends its walk, at the far rim it only begins one.
    ins, outs = np.isin(pts, w.joined(w.only_in)), np.isin(pts, w.joined(w.only_out))
    a, b = (g.ravel() for g in np.meshgrid(np.arange(len(pts)), np.arange(len(ring)), indexing="ij"))
    outside = np.hypot(*(xy[a] - c[b]).T) >= rho[b] - TOUCH
    a, b = a[outside], b[outside]
    # Towards the ring, then away from it.
    for away in (False, True):
        use = ~(pb[a] & ~bound[b]) if not away else ~(bound[b] & ~pb[a])
        use &= ~(start | ins)[a] if away else ~(goal | outs)[a]
        k, m = a[use], b[use]
        angle, length = leave_to_point(c[m], rho[m], turn[m] if away else -turn[m], xy[k])
        begin = w.near(c[m]) - rho[m] if away else w.near(xy[k])
        use = begin + length <= w.range
        k, m, angle, length = k[use], m[use], angle[use], length[use]
        ids = touching(w, i, ring[m], turn[m], bound[m], angle)
        ok = ids >= 0
        if away:
            w.edge(ids[ok], pts[k[ok]], length[ok])
        else:
            w.edge(pts[k[ok]], ids[ok], length[ok])


def ring_tangents(w: Weaver, i: int, ring: Floats, turn: Floats, bound: Floats, c: Floats, rho: Floats) -> None:
    """Add the four common tangents of every two rings."""
    a, b = (g.ravel() for g in np.meshgrid(np.arange(len(ring)), np.arange(len(ring)), indexing="ij"))
    use = (ring[a] != ring[b]) & ~(bound[a] & ~bound[b])
    a, b = a[use], b[use]
    t1, t2, length = bitangents(c[a], rho[a], turn[a], c[b], rho[b], turn[b], TOUCH)
    ok = np.isfinite(length) & (w.near(c[a]) - rho[a] + np.nan_to_num(length) <= w.range)
    a, b, t1, t2, length = a[ok], b[ok], t1[ok], t2[ok], length[ok]
    for k in np.unique(ring):
        for theta, side in ((t1, a), (t2, b)):
            mine = np.flatnonzero(ring[side] == k)
            closed = w.rings[k].locate(theta[mine], bound[side[mine]]) < 0
            theta[mine[closed]] = np.nan
    ok = np.isfinite(t1) & np.isfinite(t2)
    a, b, t1, t2, length = a[ok], b[ok], t1[ok], t2[ok], length[ok]
    n1 = touching(w, i, ring[a], turn[a], bound[a], t1)
    n2 = touching(w, i, ring[b], turn[b], bound[b], t2)
    ok = (n1 >= 0) & (n2 >= 0)
    w.edge(n1[ok], n2[ok], length[ok])


def aimed_tangents(w: Weaver, i: int, ring: Floats, turn: Floats, bound: Floats, c: Floats, rho: Floats) -> None:
    """Add tangents from rings straight at a target's centre, ended at contact."""
    goal = w.goal
    if goal is None or goal.sheet != i or len(goal.contact) != 1:
        return
    x, y, r = goal.contact[0]
    use = np.hypot(c[:, 0] - x, c[:, 1] - y) >= rho
    use &= ~(bound & (not goal.bound))
    m = np.flatnonzero(use)
    angle, length = leave_to_point(c[m], rho[m], turn[m], np.broadcast_to(np.array([x, y]), (len(m), 2)))
    ids = touching(w, i, ring[m], turn[m], bound[m], angle)
    ok = ids >= 0
    centre = np.full(int(ok.sum()), w.goals[-1])
    w.edge(ids[ok], centre, np.maximum(length[ok] - r, 0.0), aim=0)
