"""Slow and plainly right: a dense graph of samples on every grown rim, refined where the best path bends.

Shares no code with the solver. Every edge is weighed by closed forms, so each path found is a legal one and its
cost an upper bound of the true cost; refining brings it near. Knows walls, zones as walls, and difficult ground;
no dice, no heights, no zones that the mover starts in.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import shapely

import sbg_sim as sbg

OFF = 1e-8  # samples lie this far outside their rim, so that rounding puts none inside
TAU = 2 * math.pi


@dataclass
class Body:
    """A grown set: capsules ``(n, 4)`` with radii, and polygons whose inside belongs to it."""

    caps: list[tuple[float, float, float, float]] = field(default_factory=list)
    radii: list[float] = field(default_factory=list)
    insides: list[shapely.Geometry] = field(default_factory=list)

    def add(self, piece: sbg.Shape, grow: float) -> None:
        self.caps += [tuple(c) for c in piece.capsules.tolist()]
        self.radii += [piece.radius + grow] * len(piece.capsules)
        if piece.rings:
            self.insides.append(shapely.Polygon(piece.rings[0], piece.rings[1:]))

    def settle(self) -> None:
        self.c = np.array(self.caps, dtype=float).reshape(-1, 4)
        self.r = np.array(self.radii, dtype=float)
        for g in self.insides:
            shapely.prepare(g)

    def clearance(self, p):
        """Distance of points outside, something negative inside."""
        out = np.full(len(p), np.inf)
        if len(self.r):
            out = (from_segments(p, self.c) - self.r).min(axis=1)
        for g in self.insides:
            out = np.where(shapely.contains_xy(g, p[:, 0], p[:, 1]), -1.0, out)
        return out


def from_segments(p, s):
    a, d = s[None, :, :2], s[None, :, 2:] - s[None, :, :2]
    dd = (d * d).sum(-1)
    t = ((p[:, None] - a) * d).sum(-1) / np.where(dd > 0, dd, 1.0)
    return np.linalg.norm(p[:, None] - a - np.clip(t, 0, 1)[..., None] * d, axis=-1)


def interval(p, q, s, r):
    """Where lines from ``p`` (one) to ``q`` (n) run within ``r`` of segments: first and last parameter ``(n, m)``."""
    e = (q - p)[:, None]
    lo, hi = np.full((len(q), len(s)), np.inf), np.full((len(q), len(s)), -np.inf)
    ee = np.maximum((e * e).sum(-1), 1e-30)
    for c in (s[:, :2], s[:, 2:]):
        u = (p - c)[None]
        b, g = (e * u).sum(-1) / ee, ((u * u).sum(-1) - r * r) / ee
        disc = b * b - g
        root = np.sqrt(np.maximum(disc, 0))
        lo = np.where(disc > 0, np.minimum(lo, -b - root), lo)
        hi = np.where(disc > 0, np.maximum(hi, -b + root), hi)
    d = s[:, 2:] - s[:, :2]
    n = np.linalg.norm(d, axis=1)
    long = n > 0
    x = d / np.where(long, n, 1.0)[:, None]
    y = np.stack([-x[:, 1], x[:, 0]], axis=1)
    first, last = np.full(lo.shape, -np.inf), np.full(lo.shape, np.inf)
    for axis, low, high in ((x, np.zeros(len(s)), n), (y, -r, r)):
        here, speed = ((p - s[:, :2]) * axis).sum(-1)[None], (e * axis[None]).sum(-1)
        with np.errstate(divide="ignore", invalid="ignore"):
            t1, t2 = (low - here) / speed, (high - here) / speed
        still = np.abs(speed) < 1e-15
        within = (here > low) & (here < high)
        first = np.maximum(first, np.where(still, np.where(within, -np.inf, np.inf), np.minimum(t1, t2)))
        last = np.minimum(last, np.where(still, np.where(within, np.inf, -np.inf), np.maximum(t1, t2)))
    ok = long[None] & (first < last)
    return np.where(ok, np.minimum(lo, first), lo), np.where(ok, np.maximum(hi, last), hi)


class Oracle:
    """Costs of places for one mover on one table."""

    def __init__(self, table: sbg.Table, name: str = "me", spacing: float = 0.25, reach: float = 8.0) -> None:
        me = table.model(name)
        self.start, self.spacing, r = np.array(me.at), spacing, me.radius
        self.box = (r, r, table.width - r, table.depth - r)
        self.walls, self.mire = Body(), Body()
        for other in table.standing():
            if other.id != name and other.on == me.on and math.dist(other.at, me.at) < reach + 4:
                grow = r + (1.0 if me.is_enemy(other) and other.has_zone else 0.0)
                self.walls.add(sbg.circle(other.at, other.radius), grow)
        for piece in table.terrain.values():
            if piece.shape is None or float(piece.shape.distance(self.start)) > reach + 2:
                continue
            if piece.difficult:
                self.mire.add(piece.shape, r)
            if piece.is_obstacle and (piece.height is None or piece.height > me.height / 2):
                self.walls.add(piece.shape, r)
        self.walls.settle()
        self.mire.settle()
        self.reach = reach
        self.rings = self._rings()

    def _rings(self):
        """Circles ``("arc", x, y, R)`` and offset edges ``("edge", ax, ay, bx, by)`` that paths may bend on."""
        found = set()
        for body in (self.walls, self.mire):
            for (ax, ay, bx, by), rho in zip(body.caps, body.radii, strict=True):
                if rho > 0:
                    found |= {("arc", ax, ay, rho + OFF), ("arc", bx, by, rho + OFF)}
                n = math.hypot(bx - ax, by - ay)
                if n > 0:
                    for side in (1, -1):
                        ox, oy = -(by - ay) / n * (rho + OFF) * side, (bx - ax) / n * (rho + OFF) * side
                        found.add(("edge", ax + ox, ay + oy, bx + ox, by + oy))
        x0, y0, x1, y1 = self.box
        for e in ((x0, y0, x1, y0), (x1, y0, x1, y1), (x1, y1, x0, y1), (x0, y1, x0, y0)):
            found.add(("edge", *e))
        return sorted(found, key=str)

    @staticmethod
    def place(ring, u):
        """Points of a ring at parameters (angle on circles, inches on edges)."""
        if ring[0] == "arc":
            _, x, y, r = ring
            return np.stack([x + r * np.cos(u), y + r * np.sin(u)], axis=1)
        a, b = np.array(ring[1:3]), np.array(ring[3:5])
        return a + np.outer(u / max(np.linalg.norm(b - a), 1e-12), b - a)

    @staticmethod
    def span(ring):
        return TAU * ring[3] if ring[0] == "arc" else math.dist(ring[1:3], ring[3:5])

    def legal(self, p):
        x0, y0, x1, y1 = self.box
        ok = (p[:, 0] >= x0 - 1e-9) & (p[:, 0] <= x1 + 1e-9) & (p[:, 1] >= y0 - 1e-9) & (p[:, 1] <= y1 + 1e-9)
        return ok & (self.walls.clearance(p) >= -1e-9)

    def edges(self, p, q):
        """Costs of the straight lines from ``p`` to each of ``q``; infinite where a wall is in the way."""
        n = np.linalg.norm(q - p, axis=1)
        cost = n.copy()
        if len(self.walls.r):
            lo, hi = interval(p, q, self.walls.c, self.walls.r - 2e-9)
            cost[((np.minimum(hi, 1) > np.maximum(lo, 0)) & (hi > lo)).any(axis=1)] = np.inf
            mid = (p + q) / 2
            for g in self.walls.insides:
                cost[shapely.contains_xy(g, mid[:, 0], mid[:, 1])] = np.inf
        k = np.flatnonzero(np.isfinite(cost))
        if len(self.mire.r) and len(k):
            cost[k] += n[k] * self.share(p, q[k])
        return cost

    def share(self, p, q):
        lo, hi = interval(p, q, self.mire.c, self.mire.r)
        ok = hi > lo
        t = np.concatenate([np.where(ok, lo, 0), np.where(ok, hi, 0)], axis=1)
        t = np.sort(np.concatenate([np.clip(t, 0, 1), np.zeros((len(q), 1)), np.ones((len(q), 1))], axis=1), axis=1)
        width = np.diff(t, axis=1)
        row, col = np.nonzero(width > 1e-12)
        m = (t[row, col] + t[row, col + 1]) / 2
        inside = self.mire.clearance(p + m[:, None] * (q[row] - p)) < -1e-9
        return np.bincount(row[inside], weights=width[row[inside], col[inside]], minlength=len(q))

    def arc_cost(self, ring, u, v):
        """Cost of running along a circle between two angles; infinite where a wall is in the way."""
        _, _x, _y, r = ring
        p = self.place(ring, np.linspace(u, v, 33))
        if not self.legal(p).all():
            return np.inf
        deep = self.mire.clearance(p) < -1e-7
        # A stretch counts double as soon as one of its ends or its middle does: the cost stays an upper bound.
        heavy = deep[:-1:2] | deep[1::2] | deep[2::2]
        return r * abs(v - u) * (1 + heavy.mean())

    # -- search -----------------------------------------------------------------------------------------------

    def nodes(self, samples, goals):
        xy, ring, param = [np.array([self.start])], [np.array([-1])], [np.zeros(1)]
        for i, u in samples.items():
            p = self.place(self.rings[i], u)
            keep = self.legal(p) & ((self.mire.clearance(p) >= -1e-6) | (self.walls.clearance(p) < 1e-6))
            keep &= np.linalg.norm(p - self.start, axis=1) < self.reach
            xy.append(p[keep])
            ring.append(np.full(keep.sum(), i))
            param.append(u[keep])
        xy.append(goals)
        ring.append(np.full(len(goals), -1))
        param.append(np.zeros(len(goals)))
        return np.concatenate(xy), np.concatenate(ring), np.concatenate(param)

    def search(self, samples, goals):
        """Dijkstra over all samples: costs of the goals and the nodes of their paths."""
        xy, ring, param = self.nodes(samples, goals)
        n = len(xy)
        cost, before, done = np.full(n, np.inf), np.full(n, -1), np.zeros(n, dtype=bool)
        cost[0] = 0
        beside = self._beside(ring, param)
        left = set(range(n - len(goals), n))
        while left:
            i = int(np.argmin(np.where(done, np.inf, cost)))
            if done[i] or not np.isfinite(cost[i]) or cost[i] > self.reach:
                break
            done[i] = True
            left.discard(i)
            k = np.flatnonzero(~done & (cost > cost[i] + np.linalg.norm(xy - xy[i], axis=1)))
            if len(k):
                w = cost[i] + self.edges(xy[i], xy[k])
                better = w < cost[k]
                cost[k[better]], before[k[better]] = w[better], i
            for j, u, v in beside.get(i, ()):
                w = cost[i] + self.arc_cost(self.rings[ring[i]], u, v)
                if w < cost[j]:
                    cost[j], before[j] = w, i
        paths = []
        for g in range(n - len(goals), n):
            path = [g]
            while before[path[-1]] >= 0:
                path.append(int(before[path[-1]]))
            paths.append([(int(ring[k]), float(param[k]), tuple(xy[k])) for k in path[::-1]])
        return cost[n - len(goals) :], paths

    def _beside(self, ring, param):
        found: dict[int, list[tuple[int, float, float]]] = {}
        for i in np.unique(ring[ring >= 0]).tolist():
            if self.rings[i][0] != "arc":
                continue
            on = np.flatnonzero(ring == i)
            on = on[np.argsort(param[on] % TAU)]
            u = param[on] % TAU
            for a in range(len(on)):
                b = (a + 1) % len(on)
                v = u[b] + (TAU if b <= a else 0)
                if v - u[a] < 0.9:
                    found.setdefault(int(on[a]), []).append((int(on[b]), u[a], v))
                    found.setdefault(int(on[b]), []).append((int(on[a]), v, u[a]))
        return found

    def coarse(self):
        samples = {}
        for i, ring in enumerate(self.rings):
            size = self.span(ring)
            n = max(8 if ring[0] == "arc" else 2, math.ceil(size / self.spacing) + 1)
            samples[i] = np.linspace(0, TAU, n, endpoint=False) if ring[0] == "arc" else np.linspace(0, size, n)
        return samples

    def costs(self, goals, stages: int = 4):
        """Costs of several places, each refined about the bends of its path."""
        goals = np.asarray(goals, dtype=float).reshape(-1, 2)
        first, paths = self.search(self.coarse(), goals)
        out = first.copy()
        self.paths = paths
        for g in range(len(goals)):
            if not np.isfinite(first[g]) or len(paths[g]) == 2:
                continue
            step, path = self.spacing, paths[g]
            for _ in range(stages):
                value, found = self.search(self._finer(path, step), goals[g : g + 1])
                if value[0] <= out[g]:
                    out[g], path = value[0], found[0]
                step /= 5
            self.paths[g] = path
        return out

    def _finer(self, path, step):
        """Samples about every bend: fine ones where a run on a ring begins and ends, those in between as they are."""
        samples: dict[int, list[float]] = {}
        for k, (i, u, p) in enumerate(path):
            for j, ring in enumerate(self.rings):
                near = self._foot(ring, np.array(p))
                if near is None or near[1] > 1.5 * step:
                    continue
                inner = 0 < k < len(path) - 1 and path[k - 1][0] == i and path[k + 1][0] == i and j == i
                if inner:
                    samples.setdefault(j, []).append(u)
                    continue
                scale = ring[3] if ring[0] == "arc" else 1.0
                fine = near[0] + 1.5 * step / scale * np.linspace(-1, 1, 16)
                if ring[0] == "edge":
                    fine = np.clip(fine, 0, self.span(ring))
                samples.setdefault(j, []).extend([near[0], *fine.tolist()])
            if i >= 0:
                samples.setdefault(i, []).append(u)
        return {j: np.unique(np.array(u)) for j, u in samples.items()}

    @staticmethod
    def _foot(ring, p):
        if ring[0] == "arc":
            _, x, y, r = ring
            d = p - (x, y)
            return math.atan2(d[1], d[0]), abs(np.linalg.norm(d) - r)
        a, b = np.array(ring[1:3]), np.array(ring[3:5])
        n = np.linalg.norm(b - a)
        if n == 0:
            return None
        t = min(max(float((p - a) @ (b - a)) / n, 0.0), n)
        return t, float(np.linalg.norm(p - a - t * (b - a) / n))
