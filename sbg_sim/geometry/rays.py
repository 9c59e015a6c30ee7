"""How far rays run before they meet the rim of a grown set."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sbg_sim.geometry.grown import Grown

Floats = np.ndarray


def first_hit(p: Floats, angle: Floats, body: Grown, slack: float) -> Floats:
    """Length of rays until they enter a grown set's capsules.

    Parameters
    ----------
    p, angle
        Starts ``(n, 2)`` (inches) and directions ``(n,)`` (radians).
    body
        The set; rings do not matter, since a ray from outside meets the capsules of an edge first.
    slack
        Radii are taken this much smaller (inches), so that a ray along a rim or a touching start is not a hit.

    Returns
    -------
    ``(n,)`` inches, infinite where nothing is met; 0 where a ray starts inside and goes deeper.

    """
    if body.empty:
        return np.full(len(p), math.inf)
    s, rho = body.spines, np.maximum(body.rho - slack, 0.0)
    ex, ey = np.cos(angle)[:, None], np.sin(angle)[:, None]
    best = np.full(len(p), math.inf)
    with np.errstate(invalid="ignore", divide="ignore"):
        for cx, cy in ((s[:, 0], s[:, 1]), (s[:, 2], s[:, 3])):
            ux, uy = p[:, :1] - cx, p[:, 1:] - cy
            b, c = ux * ex + uy * ey, ux * ux + uy * uy - rho * rho
            disc = b * b - c
            t = -b - np.sqrt(disc)
            t = np.where((disc > 0) & (t >= 0), t, np.where((c < 0) & (b < 0), 0.0, math.inf))
            best = np.minimum(best, t.min(axis=1))
        dx, dy = s[:, 2] - s[:, 0], s[:, 3] - s[:, 1]
        n = np.hypot(dx, dy)
        k = np.flatnonzero(n > 0)
        if len(k):
            tx, ty = dx[k] / n[k], dy[k] / n[k]
            qx, qy = p[:, :1] - s[k, 0], p[:, 1:] - s[k, 1]
            off, run = -qx * ty + qy * tx, qx * tx + qy * ty
            down, along = -ex * ty + ey * tx, ex * tx + ey * ty
            # The ray meets the side of the slab it starts on.
            t = (np.sign(off) * rho[k] - off) / down
            at = run + t * along
            t = np.where((np.abs(off) >= rho[k]) & (t >= 0) & (at >= 0) & (at <= n[k]), t, math.inf)
            deep = (np.abs(off) < rho[k]) & (run > 0) & (run < n[k]) & (off * down < 0)
            best = np.minimum(best, np.where(deep, 0.0, t).min(axis=1))
    return best


def rim_hit(p: Floats, angle: Floats, body: Grown, skip: float) -> Floats:
    """Length of rays until they cross the boundary of a grown set from either side, beyond ``skip`` inches."""
    if body.empty:
        return np.full(len(p), math.inf)
    from sbg_sim.geometry.grown import crossings

    far = 1e3
    q = p + far * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    t = np.sort(crossings(p, q, body), axis=1) * far
    out = np.full(len(p), math.inf)
    first = p + skip * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    inside = body.clearance(first) < 0
    live = np.arange(len(p))
    for column in range(t.shape[1]):
        at = t[live, column]
        keep = at < far
        live, at = live[keep], at[keep]
        if not len(live):
            break
        test = at > skip
        if column + 1 < t.shape[1]:
            nxt = np.minimum(t[live, column + 1], at + 1.0)
        else:
            nxt = at + 1.0
        mid = p[live] + ((at + nxt) / 2)[:, None] * np.stack([np.cos(angle[live]), np.sin(angle[live])], axis=1)
        changed = test & (nxt - at > 1e-12)
        now = np.zeros(len(live), dtype=bool)
        if changed.any():
            now[changed] = (body.clearance(mid[changed]) < 0) != inside[live[changed]]
        out[live[now]] = at[now]
        live = live[~now]
    return out
