"""How far rays run before they meet the rim of a grown set."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.geometry.grown import Grown
    from sbg_sim.geometry.pieces import Piece

Floats = np.ndarray


def first_hit(p: Floats, angle: Floats, body: Grown, slack: float) -> tuple[Floats, Floats]:
    """Length of rays until they enter a grown set's capsules, and which capsule it is.

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
    ``(n,)`` inches, infinite where nothing is met, 0 where a ray starts inside and goes deeper; and ``(n,)`` numbers
    of the spines.

    """
    if body.empty:
        return np.full(len(p), math.inf), np.zeros(len(p), dtype=np.int64)
    s, rho = body.spines, np.maximum(body.rho - slack, 0.0)
    ex, ey = np.cos(angle)[:, None], np.sin(angle)[:, None]
    best = np.full((len(p), len(rho)), math.inf)
    with np.errstate(invalid="ignore", divide="ignore"):
        for cx, cy in ((s[:, 0], s[:, 1]), (s[:, 2], s[:, 3])):
            ux, uy = p[:, :1] - cx, p[:, 1:] - cy
            b, c = ux * ex + uy * ey, ux * ux + uy * uy - rho * rho
            disc = b * b - c
            t = -b - np.sqrt(disc)
            t = np.where((disc > 0) & (t >= 0), t, np.where((c < 0) & (b < 0), 0.0, math.inf))
            best = np.minimum(best, t)
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
            best[:, k] = np.minimum(best[:, k], np.where(deep, 0.0, t))
    which = np.argmin(best, axis=1)
    return best[np.arange(len(p)), which], which


def pieces_hit(p: Floats, angle: Floats, pieces: Sequence[Piece], skip: float) -> tuple[Floats, Floats]:
    """Length of rays until they meet one of some rim pieces beyond ``skip`` inches, and which: ``(n,)`` each.

    Infinite if never; pieces are counted segments first, then arcs.
    """
    found = [np.full((len(p), 1), math.inf)]
    ex, ey = np.cos(angle)[:, None], np.sin(angle)[:, None]
    flat = np.array([(*q.start, *q.toward, q.length) for q in pieces if not q.radius]).reshape(-1, 5)
    with np.errstate(invalid="ignore", divide="ignore"):
        if len(flat):
            ux, uy = flat[:, 0] - p[:, :1], flat[:, 1] - p[:, 1:]
            cross = ex * flat[:, 3] - ey * flat[:, 2]
            t = (ux * flat[:, 3] - uy * flat[:, 2]) / cross
            along = (ux * ey - uy * ex) / cross
            ok = (t > skip) & (along >= -skip) & (along <= flat[:, 4] + skip)
            found.append(np.where(ok, t, math.inf))
        arcs = np.array([(*q.start, q.radius, q.toward[0], q.length / q.radius) for q in pieces if q.radius]).reshape(
            -1, 5
        )
        if len(arcs):
            ux, uy = p[:, :1] - arcs[:, 0], p[:, 1:] - arcs[:, 1]
            b = ux * ex + uy * ey
            root = np.sqrt(b * b - (ux * ux + uy * uy - arcs[:, 2] ** 2))
            best = np.full(b.shape, math.inf)
            for t in (-b - root, -b + root):
                at = np.arctan2(uy + t * ey, ux + t * ex)
                ok = (t > skip) & ((at - arcs[:, 3]) % (2 * math.pi) <= arcs[:, 4] + skip)
                best = np.minimum(best, np.where(ok, t, math.inf))
            found.append(best)
    every = np.concatenate(found, axis=1)
    which = np.argmin(every, axis=1)
    return every[np.arange(len(p)), which], which
