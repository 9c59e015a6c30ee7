"""Slow and plainly right: one crossing with straight ways to it and from it, sampled ever more finely.

Shares no code with the solver. Every path it finds is legal, so no answer may be dearer. Knows walls, zones as walls,
difficult ground; steps up, jumps, leaps, climbs onto platforms, and ways down from them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sbg_sim.geometry.shapes import circle
from tests.fuzz.oracle import TAU, Body, Oracle, from_segments, interval

FIRST, FINE, STAGES = 24, 11, 12


def body_of(shapes):
    body = Body()
    for shape, grow in shapes:
        body.add(shape, grow)
    body.settle()
    return body


def from_rim(p, shape):
    """Distance of places inside a shape from its outline."""
    d = from_segments(p, shape.capsules).min(axis=1)
    return d - shape.radius if shape.rings else shape.radius - d


def outlines(shape, reach):
    """Circles ``("arc", x, y, R)`` and edges ``("edge", ax, ay, bx, by)`` at a distance from a shape's spines."""
    found = []
    for ax, ay, bx, by in shape.capsules.tolist():
        if reach > 0:
            found += [("arc", ax, ay, reach), ("arc", bx, by, reach)]
        n = math.hypot(bx - ax, by - ay)
        for side in (1, -1) if n > 0 else ():
            ox, oy = -(by - ay) / n * reach * side, (bx - ax) / n * reach * side
            found.append(("edge", ax + ox, ay + oy, bx + ox, by + oy))
    return list(dict.fromkeys(found))


class Surface(Oracle):
    """One surface: what stands there, grown by the mover's radius."""

    def __init__(self, table, me, on):
        r = me.radius
        self.radius, self.solids = r, {}
        self.box = (r, r, table.width - r, table.depth - r)
        self.inside = None if on is None else table.terrain[on].shape
        mire = []
        for model in table.standing():
            if model.id != me.id and model.on == on:
                zone = 1.0 if me.is_enemy(model) and model.has_zone else 0.0
                self.solids[model.id] = (circle(model.at, model.radius), r + zone)
        for piece in table.terrain.values():
            if piece.on != on or piece.shape is None:
                continue
            if piece.difficult:
                mire.append((piece.shape, r))
            high = piece.is_obstacle and piece.top >= me.height / 2
            if "gap" in piece.tags or "platform" in piece.tags or high:
                self.solids[piece.id] = (piece.shape, r)
        self.walls, self.mire = body_of(self.solids.values()), body_of(mire)

    def without(self, name):
        """What stands there but for one thing."""
        return body_of(v for k, v in self.solids.items() if k != name)

    def legal(self, p):
        ok = super().legal(p)
        if self.inside is not None and len(p):
            ok &= np.asarray(self.inside.contains(p)) & (from_rim(p, self.inside) >= self.radius - 1e-9)
        return ok


@dataclass
class Crossing:
    """A way over, up or down: outlines to begin and to end on, and what it must keep off."""

    near: tuple
    far: tuple
    others: Body
    die: int
    fixed: float | None = None
    body: Body | None = None
    longest: float = math.inf


class Heights:
    """Costs of a place over one crossing, by whether it takes a die."""

    def __init__(self, table, name="m"):
        self.table, self.me = table, table.model(name)
        names = dict.fromkeys([None, self.me.on, *(k for k, p in table.terrain.items() if "platform" in p.tags)])
        self.sheets = {on: Surface(table, self.me, on) for on in names}

    def ways(self, source, dest):
        """The crossings from one surface to another."""
        me, r, sheet = self.me, self.me.radius, self.sheets[source]
        if source == dest:
            for name, (shape, grow) in sheet.solids.items():
                piece = self.table.terrain.get(name)
                prone = piece is None and self.table.model(name).prone
                gap = piece is not None and "gap" in piece.tags
                wall = piece is not None and "platform" not in piece.tags and not gap and piece.top <= me.height
                if prone or wall or gap:
                    rim = (source, shape, grow)
                    longest = 2 * me.height if gap else math.inf
                    yield Crossing(rim, rim, sheet.without(name), 1, None, body_of([(shape, grow)]), longest)
            return
        up = dest is not None
        piece = self.table.terrain[dest if up else source]
        if piece.on != (source if up else dest):
            return
        steep = piece.top > me.height
        if steep and ("unscalable" in piece.tags or "cavalry" in me.keywords):
            return
        outer, inner = (piece.on, piece.shape, r), (piece.id, piece.shape, -r)
        others = self.sheets[piece.on].without(piece.id)
        if steep and not up:
            return
        die = int(steep or (up and piece.top >= me.height / 2))
        yield Crossing(*((outer, inner) if up else (inner, outer)), others, die, 2 * piece.top if steep else None)

    def places(self, rim, marks):
        """Places of a rim at marks per outline, with where they are; only those that are of use."""
        on, shape, grow = rim
        rings = outlines(shape, abs(grow) if shape.rings else shape.radius + grow)
        xy, ring, param = [np.zeros((0, 2))], [np.zeros(0, dtype=int)], [np.zeros(0)]
        for i, g in enumerate(rings):
            if marks is not None and i != marks[0]:
                continue
            top = TAU if g[0] == "arc" else Oracle.span(g)
            u = np.linspace(0, top, FIRST) if marks is None else marks[1] + marks[2] * top * np.linspace(-1, 1, FINE)
            u = np.clip(u, 0, top) if g[0] == "edge" else u
            p = Oracle.place(g, u)
            ok = self.sheets[on].legal(p)
            off = body_of([(shape, grow)]).clearance(p) if grow > 0 else from_rim(p, shape) + grow
            ok &= np.abs(off) <= 1e-9
            xy.append(p[ok])
            ring.append(np.full(int(ok.sum()), i))
            param.append(u[ok])
        return np.concatenate(xy), np.concatenate(ring), np.concatenate(param)

    def one(self, way, at, below):
        """The least cost over one crossing, refined about the best pair of places."""
        sheet, end = self.sheets[way.near[0]], self.sheets[way.far[0]]
        best, marks, width = math.inf, (None, None), 1.0
        for _ in range(STAGES):
            p, pr, pu = self.places(way.near, marks[0])
            q, qr, qu = self.places(way.far, marks[1])
            if not len(p) or not len(q):
                break
            first, last = sheet.edges(np.array(self.me.at), p), end.edges(at, q)
            over = np.full((len(p), len(q)), np.inf)
            for i in np.flatnonzero(first < below).tolist():
                far = np.flatnonzero(first[i] + last + np.hypot(*(q - p[i]).T) < below + 0.3)
                if len(far):
                    over[i, far] = self._over(way, p[i], q, far, sheet)
            total = first[:, None] + over + last[None]
            i, j = np.unravel_index(int(np.argmin(total)), total.shape)
            if not math.isfinite(total[i, j]):
                break
            best = min(best, float(total[i, j]))
            width = 1.5 / FIRST if width == 1.0 else width / 3
            marks = ((int(pr[i]), pu[i], width), (int(qr[j]), qu[j], width))
        return best

    def climb(self, way, at):
        """The least cost of a climb, straight across; platforms are boxes or discs."""
        sheet, end = self.sheets[way.near[0]], self.sheets[way.far[0]]
        best, marks, width, r = math.inf, None, 1.0, self.me.radius
        shape = way.far[1]
        for _ in range(2 * STAGES):
            p, ring, u = self.places(way.near, marks)
            if shape.rings:
                x0, y0, x1, y1 = shape.bounds
                q = np.clip(p, (x0 + r, y0 + r), (x1 - r, y1 - r))
            else:
                off = p - np.array(shape.spine[0])
                q = np.array(shape.spine[0]) + off / np.hypot(*off.T)[:, None] * (shape.radius - r)
            cost = sheet.edges(np.array(self.me.at), p) + way.fixed + end.edges(at, q)
            for i in np.flatnonzero(np.isfinite(cost)).tolist():
                if not end.legal(q[i : i + 1])[0] or not self._clear(way, p[i], q[i : i + 1])[0]:
                    cost[i] = np.inf
            if not len(p) or not np.isfinite(cost).any():
                break
            i = int(np.argmin(cost))
            best, width = min(best, float(cost[i])), 1.5 / FIRST if width == 1.0 else width / 2
            marks = (int(ring[i]), u[i], width)
        return best

    @staticmethod
    def _clear(way, p, q):
        if not len(way.others.r):
            return np.ones(len(q), dtype=bool)
        lo, hi = interval(p, q, way.others.c, way.others.r - 2e-9)
        return ~((np.minimum(hi, 1) > np.maximum(lo, 0)) & (hi > lo)).any(axis=1)

    def _over(self, way, p, q, far, sheet):
        d = np.hypot(*(q - p).T)
        q, d = q[far], d[far]
        ok = (d > 1e-3) & (d <= way.longest) & self._clear(way, p, q)
        if way.body is not None and ok.any():
            t = np.linspace(0.04, 0.96, 12)[:, None, None]
            ok &= (way.body.clearance((p + t * (q - p)).reshape(-1, 2)) <= 1e-9).reshape(12, -1).all(axis=0)
        cost = np.full(len(q), np.inf)
        if ok.any():
            cost[ok] = d[ok] * ((1 + sheet.share(p, q[ok])) if len(sheet.mire.r) else 1.0)
        return cost

    def costs(self, to, on, below):
        """Least costs of a place found without a die and with one, as far as they lie below some inches."""
        found, at = [math.inf, math.inf], np.array(to, dtype=float)
        if not self.sheets[on].legal(at[None])[0]:
            return found
        if on == self.me.on:
            found[0] = float(self.sheets[on].edges(np.array(self.me.at), at[None])[0])
        for way in self.ways(self.me.on, on):
            cost = self.one(way, at, below) if way.fixed is None else self.climb(way, at)
            found[way.die] = min(found[way.die], cost)
        return found
