"""How far rays run before they meet the rim of a grown set."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.geometry.grown import Grown
    from sbg_sim.geometry.pieces import Piece

Floats = np.ndarray
_ABOUT: Final = 1e-3  # inches about a piece at which a ray is looked at: far more than what counts as its ends


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
    discs, of = body.ends
    cx, cy, radius = discs[:, 0], discs[:, 1], np.maximum(discs[:, 2] - slack, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        ux, uy = p[:, :1] - cx, p[:, 1:] - cy
        b, c = ux * ex + uy * ey, ux * ux + uy * uy - radius * radius
        disc = b * b - c
        t = -b - np.sqrt(disc)
        best = np.where((disc > 0) & (t >= 0), t, np.where((c < 0) & (b < 0), 0.0, math.inf))
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
            best, of = np.concatenate([best, np.where(deep, 0.0, t)], axis=1), np.concatenate([of, k])
    which = np.argmin(best, axis=1)
    return best[np.arange(len(p)), which], of[which]


def pieces_hit(p: Floats, angle: Floats, pieces: Sequence[Piece], skip: float) -> tuple[Floats, Floats]:
    """Length of rays until they meet one of some rim pieces beyond ``skip`` inches, and which: ``(n,)`` each.

    Infinite if never; pieces are counted segments first, then arcs.
    """
    flat = np.array([(*q.start, *q.toward, q.length) for q in pieces if not q.radius]).reshape(-1, 5)
    arcs = np.array([(*q.start, q.radius, q.toward[0], q.length / q.radius) for q in pieces if q.radius]).reshape(-1, 5)
    ex, ey = np.cos(angle), np.sin(angle)
    half = arcs[:, 4] / 2
    middle = arcs[:, 3] + half
    # Only pieces with a disc about them that the ray comes through can be met.
    x = np.concatenate([flat[:, 0] + flat[:, 4] / 2 * flat[:, 2], arcs[:, 0] + arcs[:, 2] * np.cos(middle)])
    y = np.concatenate([flat[:, 1] + flat[:, 4] / 2 * flat[:, 3], arcs[:, 1] + arcs[:, 2] * np.sin(middle)])
    wide = np.concatenate([flat[:, 4] / 2, 2 * arcs[:, 2] * np.sin(np.minimum(half, math.pi) / 2)]) + _ABOUT
    ux, uy = x - p[:, :1], y - p[:, 1:]
    near = np.abs(ux * ey[:, None] - uy * ex[:, None]) <= wide
    near &= ux * ex[:, None] + uy * ey[:, None] >= -wide
    i, j = np.nonzero(near)
    k, m = j < len(flat), j >= len(flat)
    t = np.full(len(i), math.inf)
    with np.errstate(invalid="ignore", divide="ignore"):
        t[k] = _to_segments(p[i[k]], ex[i[k]], ey[i[k]], flat[j[k]], skip)
        t[m] = _to_arcs(p[i[m]], ex[i[m]], ey[i[m]], arcs[j[m] - len(flat)], skip)
    best, which = np.full(len(p), math.inf), np.zeros(len(p), dtype=np.int64)
    order = np.lexsort((j, t, i))
    first = order[np.flatnonzero(np.diff(i[order], prepend=-1))]
    best[i[first]], which[i[first]] = t[first], j[first]
    return best, which


def _to_segments(p: Floats, ex: Floats, ey: Floats, flat: Floats, skip: float) -> Floats:
    """Length of rays until they meet one segment each ``(n,)``, infinite if never."""
    ux, uy = flat[:, 0] - p[:, 0], flat[:, 1] - p[:, 1]
    cross = ex * flat[:, 3] - ey * flat[:, 2]
    t = (ux * flat[:, 3] - uy * flat[:, 2]) / cross
    along = (ux * ey - uy * ex) / cross
    return np.where((t > skip) & (along >= -skip) & (along <= flat[:, 4] + skip), t, math.inf)


def _to_arcs(p: Floats, ex: Floats, ey: Floats, arcs: Floats, skip: float) -> Floats:
    """Length of rays until they meet one arc each ``(n,)``, infinite if never."""
    ux, uy = p[:, 0] - arcs[:, 0], p[:, 1] - arcs[:, 1]
    b = ux * ex + uy * ey
    root = np.sqrt(b * b - (ux * ux + uy * uy - arcs[:, 2] ** 2))
    best = np.full(b.shape, math.inf)
    for t in (-b - root, -b + root):
        at = np.arctan2(uy + t * ey, ux + t * ex)
        ok = (t > skip) & ((at - arcs[:, 3]) % (2 * math.pi) <= arcs[:, 4] + skip)
        best = np.minimum(best, np.where(ok, t, math.inf))
    return best
