"""Slow and plainly right: dense lines over one polygon that crosses the table, refined about the best.

Jumps straight across a wall (``jump_landing = "across"``) and leaps over a gap as long as may be, with straight ways to
them and from them or along the rim. Shares no code with the solver; every path it finds is legal, so no answer may be
dearer.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import numpy as np
import shapely

STEP, BEST, ROUNDS, MARKS = 0.03, 12, 24, 11
SLACK = 1e-9


def cross(u, v):
    return u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]


class Grown:
    """A polygon grown by a radius: its rim in pieces, by turns an arc about a corner and the side after it."""

    def __init__(self, ring, r):
        at = np.array(ring, dtype=float)
        self.r, self.a = r, at if cross(at, np.roll(at, -1, 0)).sum() > 0 else at[::-1].copy()
        self.b = np.roll(self.a, -1, 0)
        self.along = self.b - self.a
        self.length = np.hypot(*self.along.T)
        self.along = self.along / self.length[:, None]
        self.out = np.stack([self.along[:, 1], -self.along[:, 0]], 1)
        turned = np.arctan2(cross(np.roll(self.out, 1, 0), self.out), (np.roll(self.out, 1, 0) * self.out).sum(1))
        self.spans = np.stack([np.maximum(turned, 0.0) * r, self.length], 1).ravel()

    def at(self, k, u):
        """Places of a piece of the rim, and which way is out there."""
        i = k // 2
        if k % 2:
            return self.a[i] + u[:, None] * self.along[i] + self.r * self.out[i], np.tile(self.out[i], (len(u), 1))
        angle = math.atan2(*self.out[i - 1][::-1]) + u / self.r
        out = np.stack([np.cos(angle), np.sin(angle)], 1)
        return self.a[i] + self.r * out, out

    def off(self, p):
        """How far places are from the polygon, inches; negative inside."""
        d = p[:, None] - self.a
        t = np.clip((d * self.along).sum(-1), 0, self.length)
        apart = np.hypot(*np.moveaxis(d - t[..., None] * self.along, -1, 0)).min(1)
        up = (self.a[:, 1] > p[:, None, 1]) != (self.b[:, 1] > p[:, None, 1])
        x = self.a[:, 0] + (p[:, None, 1] - self.a[:, 1]) * self.along[:, 0] / np.where(
            self.along[:, 1] == 0, 1, self.along[:, 1]
        )
        inside = (up & (p[:, None, 0] < x)).sum(1) % 2 == 1
        return np.where(inside, -apart, apart)

    def clear(self, p, q):
        """Which straight ways keep the base off the polygon."""
        p, e = np.broadcast_to(p, q.shape), q - p
        ok = np.minimum(self.off(p), self.off(q)) >= self.r - SLACK
        t = ((self.a - p[:, None]) * e[:, None]).sum(-1) / np.maximum((e * e).sum(-1), 1e-300)[:, None]
        apart = self.a - p[:, None] - np.clip(t, 0, 1)[..., None] * e[:, None]
        ok &= np.hypot(*np.moveaxis(apart, -1, 0)).min(1) >= self.r - SLACK
        d = self.b - self.a
        over = (cross(d, p[:, None] - self.a) * cross(d, q[:, None] - self.a) < 0) & (
            cross(e[:, None], self.a - p[:, None]) * cross(e[:, None], self.b - p[:, None]) < 0
        )
        return ok & ~over.any(1)

    def cuts(self, p, e):
        """Where rays meet the lines and circles of the rim, inches along them ``(n, m)``."""
        found = []
        with np.errstate(divide="ignore", invalid="ignore"):
            for a, out in zip(self.a, self.out, strict=True):
                found += [((a + side * self.r * out - p) @ out) / (e @ out) for side in (1, -1)]
                h, c = ((p - a) * e).sum(1), ((p - a) ** 2).sum(1) - self.r**2
                found += [-h - np.sqrt(h * h - c), -h + np.sqrt(h * h - c)]
        return np.nan_to_num(np.stack(found, 1), nan=np.inf, posinf=np.inf, neginf=np.inf)

    def across(self, p, out):
        """Where straight shifts from the rim first come off the polygon; nan where they lead into none."""
        t = np.sort(np.where((c := self.cuts(p, -out)) > SLACK, np.minimum(c, 1e3), 1e3), 1)
        t = np.concatenate([np.zeros((len(p), 1)), t], 1)
        mid = p[:, None] - ((t[:, 1:] + t[:, :-1]) / 2)[..., None] * out[:, None]
        off = (self.off(mid.reshape(-1, 2)).reshape(mid.shape[:2]) > self.r) & (np.diff(t, axis=1) > SLACK)
        first = t[np.arange(len(p)), off.argmax(1)]
        return np.where((off.any(1) & (first > SLACK))[:, None], p - first[:, None] * out, np.nan)

    def width(self, p, q):
        """How much of chords lies between the first side and the last that they cross, inches."""
        d, e = self.b - self.a, (q - p)[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            t, s = cross(self.a - p[:, None], d) / cross(e, d), cross(self.a - p[:, None], e) / cross(e, d)
        met = (t >= 0) & (t <= 1) & (s >= -1e-12) & (s <= 1 + 1e-12)
        first, last = np.where(met, t, np.inf).min(1), np.where(met, t, -np.inf).max(1)
        return np.where(met.any(1), last - first, 0.0) * np.hypot(*(q - p).T)

    def leapt(self, p, q, longest):
        """Which chords are leaps: over no more of the gap than may be, and off it nowhere."""
        width = self.width(p, q)
        ok = (width <= longest + SLACK) & (width > 1e-6)
        k = np.flatnonzero(ok)
        length = np.hypot(*(q[k] - p[k]).T)[:, None]
        e = (q[k] - p[k]) / length
        t = np.sort(np.concatenate([np.zeros_like(length), np.clip(self.cuts(p[k], e), 0, length), length], 1), 1)
        mid = p[k][:, None] + ((t[:, 1:] + t[:, :-1]) / 2)[..., None] * e[:, None]
        over = self.off(mid.reshape(-1, 2)).reshape(mid.shape[:2]) <= self.r + SLACK
        ok[k] = (over | (np.diff(t, axis=1) < SLACK)).all(1)
        return ok


class Ways:
    """The least ways from a place to samples on the whole rim: straight, or to a sample and along the rim."""

    def __init__(self, body, start):
        self.body, self.start = body, np.array(start)
        parts = []
        for k in np.flatnonzero(body.spans > 0).tolist():
            u = np.linspace(0, body.spans[k], int(body.spans[k] / STEP) + 2)
            p, out = body.at(k, u)
            ok = (body.off(p) >= body.r - 1e-10) & (abs(p[:, 1] - 20) < 8)
            parts.append((p[ok], out[ok], np.full(ok.sum(), k), u[ok]))
        self.p, self.out, self.k, self.u = (np.concatenate(part) for part in zip(*parts, strict=True))
        self.d = self.straight(self.p)
        apart = np.where(np.diff(self.k) == 0, abs(np.diff(self.u)), np.hypot(*np.diff(self.p, axis=0).T))
        apart = np.where(apart > 3 * STEP, np.inf, apart)
        for i in [*range(1, len(self.d)), *range(len(self.d) - 2, -1, -1)]:
            for j in (i - 1, i + 1):
                if 0 <= j < len(self.d):
                    self.d[i] = min(self.d[i], self.d[j] + apart[min(i, j)])

    def straight(self, p):
        return np.where(self.body.clear(self.start, p), np.hypot(*(p - self.start).T), np.inf)

    def to(self, k, u):
        """The least ways to places of a piece of the rim."""
        p = self.body.at(k, u)[0]
        mine = self.k == k
        along = np.abs(self.u[mine] - u[:, None]) + self.d[mine]
        near = np.where(np.abs(self.u[mine] - u[:, None]) < 2 * STEP, along, np.inf).min(1, initial=np.inf)
        return np.where(self.body.off(p) >= self.body.r - SLACK, np.minimum(self.straight(p), near), np.inf)


@dataclass(frozen=True)
class Case:
    """A polygon across the table, a base, where it starts and where it is to go."""

    ring: list
    r: float
    start: tuple
    goal: tuple

    def across(self, climb=None):
        """The least cost of a jump straight across; of a climb, its price for height: two bases of it are free."""
        body = Grown(self.ring, self.r)
        near, far = Ways(body, self.start), Ways(body, self.goal)

        def cost(p, out, d):
            q = np.nan_to_num(body.across(p, out), nan=1e6)
            led = np.hypot(*(q - p).T)
            return d + (led if climb is None else climb + np.maximum(0.0, led - 4 * self.r)) + far.straight(q)

        first, best = cost(near.p, near.out, near.d), math.inf
        for i in np.argsort(first)[:BEST].tolist():
            k, mid, width = near.k[i], near.u[i], 1.5 * STEP
            for _ in range(ROUNDS if math.isfinite(first[i]) else 0):
                u = np.clip(mid + width * np.linspace(-1, 1, MARKS), 0, body.spans[k])
                found = cost(*body.at(k, u), near.to(k, u))
                mid, width, best = u[found.argmin()], width / 2, min(best, float(found.min()))
        return best

    def leap(self, longest):
        """The least cost of a leap over no more than so many inches."""
        body = Grown(self.ring, self.r)
        near, far = Ways(body, self.start), Ways(body, self.goal)
        total = near.d[:, None] + np.hypot(*np.moveaxis(near.p[:, None] - far.p, -1, 0)) + far.d
        pairs = {}
        order = np.argsort(total, axis=None)
        for some in np.array_split(order[: np.isfinite(total).sum()], 50):
            i, j = np.unravel_index(some, total.shape)
            ok = body.leapt(near.p[i], far.p[j], longest)
            for one, two in zip(i[ok].tolist(), j[ok].tolist(), strict=True):
                pairs.setdefault((near.k[one], far.k[two]), (one, two))
            if len(pairs) > 5:
                break
        best = math.inf
        for (k, m), (i, j) in pairs.items():
            mid, width, least = (near.u[i], far.u[j]), 1.6 * STEP, total[i, j]
            for _ in range(ROUNDS):
                u, v = (
                    np.clip(x + width * np.linspace(-1, 1, MARKS), 0, body.spans[n])
                    for x, n in zip(mid, (k, m), strict=True)
                )
                p, q = body.at(k, u)[0], body.at(m, v)[0]
                found = near.to(k, u)[:, None] + np.hypot(*np.moveaxis(p[:, None] - q, -1, 0)) + far.to(m, v)
                one, two = (x.ravel() for x in np.indices(found.shape))
                found = np.where(body.leapt(p[one], q[two], longest), found.ravel(), np.inf)
                n = int(found.argmin())
                if found[n] <= least:
                    least, mid = float(found[n]), (u[one[n]], v[two[n]])
                width /= 2
            best = min(best, least)
        return best


def side(dice, x, wide):
    """A side with corners near the middle of the table."""
    every = sorted(20 + dice.uniform(-0.9, 0.9) for _ in range(dice.randint(1, 3)))
    corners = [y for i, y in enumerate(every) if i == 0 or y - every[i - 1] > 0.05]
    return [(x + dice.uniform(-wide, wide), y) for y in (-1.0, *corners, 41.0)]


def make(seed, thick=(0.1, 1.5)):
    """A random polygon with corners on both sides, and places on either side of it."""
    dice, thinnest, thickest = random.Random(seed), *thick
    while True:
        thick, wide = dice.uniform(thinnest, thickest), dice.choice([0.1, 0.5, 1.2])
        near, far = side(dice, 10, wide), side(dice, 10 + thick, wide)
        ring = near + far[::-1]
        if shapely.Polygon(ring).is_valid and shapely.LineString(near).distance(shapely.LineString(far)) > 0.05:
            break
    r = dice.choice([0.5, 0.5, 0.25, 0.8])
    body, xs = Grown(ring, r), [x for x, _ in ring]
    while True:
        start = (min(xs) - r - dice.uniform(-1, 2.5), 20 + dice.uniform(-2, 2))
        goal = (max(xs) + r + dice.uniform(-1, 2.5), 20 + dice.uniform(-2.5, 2.5))
        if start[0] < 10 < goal[0] and (body.off(np.array([start, goal])) > r + 0.01).all():
            return Case(ring, r, start, goal)


def tall(case, seed):
    """A height for which a leap is about as wide as may be: twice that is some part of the gap's least width."""
    body = Grown(case.ring, case.r)
    y = 20 + np.linspace(-2, 2, 41)
    least = body.width(np.stack([np.full(41, 5.0), y], 1), np.stack([np.full(41, 15.0), y], 1)).min()
    return least * random.Random(-seed - 1).choice([1.0, 1.02, 1.1, 1.3, 3]) / 2
