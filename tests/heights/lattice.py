"""What moving over ruins costs, from the rule text alone: a lattice of places over a plan of heights, and Dijkstra.

Nothing of the package's search, geometry or referee is used: the plan is boxes of one height each, as they lie on
top of one another. A base stands where all of it lies over one height. It walks from place to place of one height; it
shifts straight across from one height to another where all it lies over on the way is of one of the two. Everything is
a legal way, so no cost here may be below the true one; on the other hand directions are those of the lattice, so a true
cost may be a few hundredths smaller.
"""

import heapq
import math
from itertools import product

import numpy as np

STEP = 0.125
R = 0.5
TALL = 1.5
WALKS = [d for d in product(range(-3, 4), repeat=2) if math.gcd(*d) == 1]
"""Directions in which one walks, in steps: no way is longer by more than one part in eighty for keeping to them."""
SHIFTS = [s for k in range(-6, 7) for s in ((8, k), (-8, k), (k, 8), (k, -8))]
"""Ways across a rim, in steps: a base's width straight on, and up to three quarters aside."""
TOUCH = 1e-9


def laid(table):
    """Boxes ``(x0, y0, x1, y1, height)`` of platforms and gaps, later ones on top, and boxes of difficult ground."""

    def below(piece):
        return [] if piece.on is None else [*below(table.terrain[piece.on]), piece.on]

    def height(piece):
        foot = 0.0 if piece.on is None else height(table.terrain[piece.on])
        return foot + (-piece.depth if "gap" in piece.tags else piece.height)

    pieces = sorted(table.terrain.values(), key=lambda p: len(below(p)))
    boxes = [(*p.shape.bounds, height(p)) for p in pieces if p.tags & {"platform", "gap"}]
    return boxes, [p.shape.bounds for p in pieces if "difficult" in p.tags]


class Plan:
    """Heights, rough ground and what stands about, as arrays."""

    def __init__(self, table):
        """Lay the pieces of a table on one another; the lattice reaches as far about the mover as its Move."""
        self.me = table.model("m")
        half = math.ceil(self.me.move / STEP) * STEP
        self.n = 2 * round(half / STEP) + 1
        self.origin = np.array(self.me.at) - half
        boxes, self.rough = laid(table)
        xs = sorted({-1e3, 1e3, *(b[0] for b in boxes), *(b[2] for b in boxes)})
        ys = sorted({-1e3, 1e3, *(b[1] for b in boxes), *(b[3] for b in boxes)})
        self.cells = np.array(list(product(range(len(xs) - 1), range(len(ys) - 1))))
        low = np.array([[xs[i], ys[j]] for i, j in self.cells])
        high = np.array([[xs[i + 1], ys[j + 1]] for i, j in self.cells])
        self.low, self.high, mid = low, high, (low + high) / 2
        self.height = np.zeros(len(low))
        for x0, y0, x1, y1, z in boxes:
            self.height[(mid[:, 0] > x0) & (mid[:, 0] < x1) & (mid[:, 1] > y0) & (mid[:, 1] < y1)] = z
        self.level = self._levels()
        self.others = [m for m in table.models.values() if m.id != "m"]

    def _levels(self):
        """Number the cells: those of one height that touch along a side are one level."""
        level = np.arange(len(self.cells))
        where = {tuple(c): k for k, c in enumerate(self.cells.tolist())}
        changed = True
        while changed:
            changed = False
            for (i, j), k in where.items():
                for beside in ((i + 1, j), (i, j + 1)):
                    m = where.get(beside)
                    if m is not None and abs(self.height[m] - self.height[k]) < TOUCH and level[m] != level[k]:
                        level[level == max(level[m], level[k])] = min(level[m], level[k])
                        changed = True
        return level

    def under(self, p):
        """Which cells a base over places ``(n, 2)`` lies over: ``(n, cells)``."""
        d = np.maximum(np.maximum(self.low[None] - p[:, None], p[:, None] - self.high[None]), 0.0)
        return np.hypot(d[..., 0], d[..., 1]) < R - TOUCH

    def levels(self, p):
        """The level under each place when it is a single one, else -1."""
        under = self.under(p)
        first = self.level[under.argmax(axis=1)]
        return np.where((under & (self.level[None] != first[:, None])).any(axis=1), -1, first)

    def only(self, p, one, two):
        """Whether a base over each place lies over those two levels alone."""
        return ~(self.under(p) & (self.level[None] != one[:, None]) & (self.level[None] != two[:, None])).any(axis=1)

    def past(self, p, q, one, two):
        """Whether no corner of any other cell is met by a base on its straight ways."""
        (x0, y0), (x1, y1) = self.low.T, self.high.T
        corners = np.stack([np.stack(corner, axis=-1) for corner in product((x0, x1), (y0, y1))], axis=1)
        along = (q - p)[:, None, None]
        share = ((corners - p[:, None, None]) * along).sum(axis=-1) / np.square(along).sum(axis=-1)
        nearest = p[:, None, None] + np.clip(share, 0, 1)[..., None] * along
        met = (np.hypot(*np.moveaxis(corners - nearest, -1, 0)) < R - TOUCH).any(axis=2)
        return ~(met & (self.level[None] != one[:, None]) & (self.level[None] != two[:, None])).any(axis=1)

    def level_at(self, at):
        """The level at a place, and its height."""
        inside = ((self.low <= at) & (self.high >= at)).all(axis=1)
        k = int(inside.argmax())
        return int(self.level[k]), float(self.height[k])

    def clear(self, p, level):
        """Whether a base at places on levels overlaps no base and reaches into no zone that binds there."""
        ok = np.ones(len(p), dtype=bool)
        for m in self.others:
            apart = np.hypot(*(p - np.array(m.at)).T)
            own, _ = self.level_at(np.array(m.at))
            zone = m.side != self.me.side and not m.prone
            ok &= apart >= 2 * R - TOUCH
            if zone:
                ok &= (level != own) | (apart >= 2 * R + 1 - TOUCH)
        return ok

    def share(self, p, q):
        """Which share of straight ways counts double."""
        t = (np.arange(8) + 0.5) / 8
        at = p[:, None] + t[None, :, None] * (q - p)[:, None]
        rough = np.zeros(at.shape[:2], dtype=bool)
        for x0, y0, x1, y1 in self.rough:
            dx = np.maximum(np.maximum(x0 - at[..., 0], at[..., 0] - x1), 0.0)
            dy = np.maximum(np.maximum(y0 - at[..., 1], at[..., 1] - y1), 0.0)
            rough |= np.hypot(dx, dy) < R - TOUCH
        return rough.mean(axis=1)

    def costs(self, dice=1):
        """Cost of every place of the lattice after up to so many dice: ``(dice + 1, n, n)``, and the level there."""
        n = self.n
        grid = np.stack(np.meshgrid(np.arange(n), np.arange(n), indexing="ij"), axis=-1).reshape(-1, 2)
        place = self.origin + grid * STEP
        level = self.levels(place)
        stand = (level >= 0) & self.clear(place, level)
        height = dict(zip(self.level.tolist(), self.height.tolist(), strict=True))
        links = [[] for _ in range(n * n)]
        for dx, dy in WALKS:
            self._walks(grid, place, level, stand, (dx, dy), links)
        for d in SHIFTS:
            self._shifts(grid, place, level, stand, d, links, height)
        start = np.rint((np.array(self.me.at) - self.origin) / STEP).astype(int)
        return _dijkstra(links, int(start[0] * n + start[1]), dice).reshape(dice + 1, n, n), level.reshape(n, n)

    def _pairs(self, grid, stand, d):
        """Which places have a partner a shift away on the lattice, and which."""
        to = grid + np.array(d)
        k = np.flatnonzero(stand & (to >= 0).all(axis=1) & (to < self.n).all(axis=1))
        j = to[k, 0] * self.n + to[k, 1]
        keep = stand[j]
        return k[keep], j[keep]

    def _walks(self, grid, place, level, stand, d, links):
        k, j = self._pairs(grid, stand, d)
        same = level[k] == level[j]
        k, j = k[same], j[same]
        mid = [place[k] + t * (place[j] - place[k]) for t in (0.25, 0.5, 0.75)] if max(map(abs, d)) > 1 else []
        ok = np.ones(len(k), dtype=bool)
        for at in mid:
            ok &= (self.levels(at) == level[k]) & self.clear(at, level[k])
        ok[ok] = self.past(place[k[ok]], place[j[ok]], level[k[ok]], level[k[ok]])
        k, j = k[ok], j[ok]
        cost = math.hypot(*d) * STEP * (1 + self.share(place[k], place[j]))
        for a, b, c in zip(k.tolist(), j.tolist(), cost.tolist(), strict=True):
            links[a].append((b, c, 0))

    def _shifts(self, grid, place, level, stand, d, links, height):
        k, j = self._pairs(grid, stand, d)
        other = level[k] != level[j]
        k, j = k[other], j[other]
        if not len(k):
            return
        rise = np.array([height[b] - height[a] for a, b in zip(level[k].tolist(), level[j].tolist(), strict=True)])
        ok = np.ones(len(k), dtype=bool)
        for t in np.arange(9) / 8:
            at = place[k] + t * (place[j] - place[k])
            ok &= self.only(at, level[k], level[j]) & self.clear(at, level[k]) & self.clear(at, level[j])
        ok[ok] = self.past(place[k[ok]], place[j[ok]], level[k[ok]], level[j[ok]])
        k, j, rise = k[ok], j[ok], rise[ok]
        along = math.hypot(*d) * STEP * (1 + self.share(place[k], place[j]))
        straight = 0 in d
        for a, b, up, c in zip(k.tolist(), j.tolist(), rise.tolist(), along.tolist(), strict=True):
            if -TALL - TOUCH <= up < TALL / 2 - TOUCH:
                links[a].append((b, c, 0))
            elif 0 < up <= TALL + TOUCH:
                links[a].append((b, c, 1))
            elif straight and abs(up) > TALL + TOUCH:
                links[a].append((b, 2 * abs(up), 1))


def _dijkstra(links, start, dice):
    cost = np.full((dice + 1, len(links)), math.inf)
    cost[0, start] = 0.0
    heap = [(0.0, 0, start)]
    while heap:
        c, used, k = heapq.heappop(heap)
        if c > cost[used, k]:
            continue
        for to, length, test in links[k]:
            if used + test <= dice and c + length < cost[used + test, to] - 1e-12:
                cost[used + test, to] = c + length
                heapq.heappush(heap, (c + length, used + test, to))
    return np.minimum.accumulate(cost, axis=0)
