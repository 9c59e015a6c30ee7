"""Distances of points and segments from segments, and points in rings, many at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.tolerance import NO_LENGTH, TINY, TOUCH

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sbg_sim.arrays import Bools, Floats, Ints


def in_rings(p: Floats, sides: Floats, group: Ints, count: int) -> Bools:
    """Say which points ``(n, 2)`` lie inside groups of closed rings (even-odd within a group).

    Parameters
    ----------
    p
        Points ``(n, 2)``.
    sides
        Sides of all rings ``(m, 4)``.
    group
        For each side the index of its group ``(m,)``.
    count
        The number of groups.

    Returns
    -------
    ``(n, count)``.

    """
    (x, y), (ax, ay, bx, by) = p.T, sides.T
    j, i = np.nonzero((ay[:, None] > y) != (by[:, None] > y))
    left = x[i] < ax[j] + (y[i] - ay[j]) * (bx[j] - ax[j]) / (by[j] - ay[j])
    crossed = np.bincount(i[left] * count + group[j[left]], minlength=len(p) * count)
    return np.asarray(crossed.reshape(len(p), count) % 2 == 1)


def points_spines(p: Floats, s: Floats) -> Floats:
    """Distance of points ``(n, 2)`` from segments ``(m, 4)``: ``(n, m)``, inches."""
    return np.asarray(np.hypot(*_off(p[:, :1] - s[:, 0], p[:, 1:] - s[:, 1], s[:, 2] - s[:, 0], s[:, 3] - s[:, 1])))


def points_spines2(p: Floats, s: Floats) -> Floats:
    """Squared distances of points ``(n, 2)`` from segments ``(n, 4)``, pair by pair ``(n,)``."""
    x, y = _off(p[:, 0] - s[:, 0], p[:, 1] - s[:, 1], s[:, 2] - s[:, 0], s[:, 3] - s[:, 1])
    return np.square(x) + np.square(y)


def point_segment_distance(p: Floats, a: ArrayLike, b: ArrayLike) -> Floats:
    """Distance from points ``(..., 2)`` to segments ``ab`` (``(2,)``, or ``(..., 2)`` alike), inches."""
    a = np.asarray(a, dtype=float)
    d, q = np.asarray(b, dtype=float) - a, p - a
    return np.asarray(np.hypot(*_off(q[..., 0], q[..., 1], d[..., 0], d[..., 1])))


def _off(qx: Floats, qy: Floats, dx: Floats, dy: Floats) -> tuple[Floats, Floats]:
    """Return the vectors to points from their nearest places on segments that run from the origin to ``dx, dy``."""
    t = np.clip((qx * dx + qy * dy) / np.maximum(dx * dx + dy * dy, TINY), 0.0, 1.0)
    return qx - t * dx, qy - t * dy


def from_spines(p: Floats, s: Floats) -> tuple[Floats, Floats]:
    """Return how far points ``(n, 2)`` are from segments ``(n, 4)``, inches, and unit vectors away, pair by pair."""
    a = s[:, :2]
    away = np.stack(_off(*(p - a).T, *(s[:, 2:] - a).T), axis=1)
    d = np.hypot(*away.T)
    return d, away / np.maximum(d, TINY)[:, None]


def keep_off(rim: float, apart: Floats) -> float:
    """Return the distance ``rim`` to keep off an edge, or the least of ``apart`` that falls short of it by up to TOUCH.

    A mover at such a place touches the edge; inches.
    """
    return float(apart[(apart >= rim - TOUCH) & (apart < rim - NO_LENGTH)].min(initial=rim))


def segments_spines(p: Floats, q: Floats, s: Floats) -> Floats:
    """Distance of segments ``pq`` (``(n, 2)`` each) from segments ``(m, 4)``: ``(n, m)``, 0 when they cross, inches."""
    i, j = np.broadcast_arrays(np.arange(len(p))[:, None], np.arange(len(s)))
    gap2 = gaps2(p[i.ravel()], q[i.ravel()], s[j.ravel()])
    return np.asarray(np.sqrt(gap2).reshape(len(p), len(s)))


def chords(p: Floats, e: Floats, c: Floats, rho: Floats | float) -> tuple[Floats, Floats]:
    """Return the chords that circles cut off lines, pair by pair.

    Parameters
    ----------
    p, e
        Places and directions of the lines ``(n, 2)``.
    c, rho
        Centres ``(n, 2)`` and radii ``(n,)``, inches.

    Returns
    -------
    The middles and half lengths of the chords ``(n,)``, as multiples of ``e`` from ``p`` on; half is NaN if a line
    misses its circle.

    """
    ex, ey = e[..., 0], e[..., 1]
    ux, uy = c[..., 0] - p[..., 0], c[..., 1] - p[..., 1]
    ee = np.maximum(ex * ex + ey * ey, TINY)
    with np.errstate(divide="ignore", invalid="ignore", under="ignore"):
        half = np.sqrt(rho * rho / ee - np.square(ux * ey - uy * ex) / np.square(ee))
    return (ux * ex + uy * ey) / ee, half


def chord_lengths(discs: Floats, p: Floats, q: Floats) -> Floats:
    """Return the lengths of segments ``pq`` (``(n, 2)`` each) in discs ``(n, 3)``, pair by pair ``(n,)``, inches."""
    e = q - p
    mid, half = chords(p, e, discs[:, :2], discs[:, 2])
    share = np.minimum(mid + half, 1.0) - np.maximum(mid - half, 0.0)
    return np.asarray(np.fmax(share, 0.0) * np.hypot(e[:, 0], e[:, 1]))


def gaps2(p: Floats, q: Floats, s: Floats) -> Floats:
    """Squared distances of segments ``pq`` from segments ``s``, pair by pair ``(n,)``; 0 where they cross."""
    dx, dy = s[:, 2] - s[:, 0], s[:, 3] - s[:, 1]
    ex, ey = q[:, 0] - p[:, 0], q[:, 1] - p[:, 1]
    ax, ay = s[:, 0] - p[:, 0], s[:, 1] - p[:, 1]
    ee = np.maximum(ex * ex + ey * ey, TINY)
    ta = np.clip((ax * ex + ay * ey) / ee, 0.0, 1.0)
    best = np.square(ax - ta * ex) + np.square(ay - ta * ey)
    k = np.flatnonzero((dx != 0) | (dy != 0))
    if len(k):
        dx, dy, ex, ey, ax, ay, ee = dx[k], dy[k], ex[k], ey[k], ax[k], ay[k], ee[k]
        bx, by = ax + dx, ay + dy
        dd = dx * dx + dy * dy
        tb = np.clip((bx * ex + by * ey) / ee, 0.0, 1.0)
        d2 = np.minimum(best[k], np.square(bx - tb * ex) + np.square(by - tb * ey))
        up = np.clip(-(ax * dx + ay * dy) / dd, 0.0, 1.0)
        d2 = np.minimum(d2, np.square(ax + up * dx) + np.square(ay + up * dy))
        fx, fy = ax - ex, ay - ey
        uq = np.clip(-(fx * dx + fy * dy) / dd, 0.0, 1.0)
        d2 = np.minimum(d2, np.square(fx + uq * dx) + np.square(fy + uq * dy))
        s1, s2 = ex * ay - ey * ax, ex * by - ey * bx
        s3, s4 = dx * -ay + dy * ax, dx * -fy + dy * fx
        best[k] = np.where((s1 * s2 < 0) & (s3 * s4 < 0), 0.0, d2)
    return np.asarray(best)


def all_cross(p: Floats, q: Floats, s: Floats) -> Bools:
    """Say whether all segments from one convex shape to another cross a third segment: ``(n,)``.

    Whether two segments cross depends on the signs of four areas, each linear in either end: the corners of the shapes
    decide for all places between.

    Parameters
    ----------
    p, q
        Corners of the shapes ``(n, k, 2)`` each, inches.
    s
        The segments ``(n, 4)``.

    """
    a, b = s[:, None, :2], s[:, None, 2:]
    crossed = _parted(side(a, b, p), side(a, b, q))
    k = np.flatnonzero(crossed)
    at, to = p[k, :, None], q[k, None]
    left, right = (side(at, to, ends[k, None]).reshape(len(k), p.shape[1] * q.shape[1]) for ends in (a, b))
    crossed[k] = _parted(left, right)
    return crossed


def side(a: Floats, b: Floats, p: Floats) -> Floats:
    """Return the cross products that tell on which side of the lines ``ab`` places are: positive on the left."""
    u, v = b - a, p - a
    return np.asarray(u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0])


def _parted(one: Floats, other: Floats) -> Bools:
    """Say in which rows all numbers of one array are on one side of 0 and all of the other on the other side."""
    low, high = np.minimum(one.max(axis=1), other.max(axis=1)), np.maximum(one.min(axis=1), other.min(axis=1))
    return np.asarray((low < 0) & (high > 0))


def where_crossed(p: Floats, q: Floats, lines: Floats) -> Floats:
    """Return the shares of segments ``pq`` ``(n, 2)`` at which they cross infinite lines ``(m, 4)``: ``(n, m)``."""
    a, along, way = lines[:, :2], lines[:, 2:] - lines[:, :2], q - p
    turned = way[:, :1] * along[:, 1] - way[:, 1:] * along[:, 0]
    d = a - p[:, None]
    flat = np.where(np.abs(turned) < TINY, TINY, turned)
    return np.asarray((d[..., 0] * along[:, 1] - d[..., 1] * along[:, 0]) / flat)
