"""Where circles and segments meet the rims of grown sets: the places where what a curve may do can change."""

from __future__ import annotations

import math

import numpy as np

from sbg_sim.geometry.grown import Grown, crossings

Floats = np.ndarray
TAU = 2 * math.pi


def circle_breaks(c: Floats, rho: float, body: Grown) -> Floats:
    """Angles at which one circle meets the rims of a grown set's capsules.

    Parameters
    ----------
    c, rho
        Centre ``(2,)`` and radius, inches.
    body
        The set; its own copy of the circle is passed over.

    Returns
    -------
    Angles in [0, 2 pi), unsorted, with repetitions.

    """
    if body.empty:
        return np.zeros(0)
    s, r = body.spines, body.rho
    found = []
    ends = np.concatenate([s[:, :2], s[:, 2:]])
    rr = np.concatenate([r, r])
    d = ends - c
    dist = np.hypot(d[:, 0], d[:, 1])
    with np.errstate(invalid="ignore", divide="ignore"):
        cosine = (dist * dist + rho * rho - rr * rr) / (2 * dist * rho)
        # Circles that only touch, up to rounding, meet in one place.
        ok = (np.abs(cosine) <= 1 + 1e-12) & (dist > 1e-12)
        base, half = np.arctan2(d[ok, 1], d[ok, 0]), np.arccos(np.clip(cosine[ok], -1, 1))
        found += [base - half, base + half]
        dx, dy = s[:, 2] - s[:, 0], s[:, 3] - s[:, 1]
        n = np.hypot(dx, dy)
        long = n > 0
        nx, ny = -dy[long] / n[long], dx[long] / n[long]
        h = (s[long, 0] - c[0]) * nx + (s[long, 1] - c[1]) * ny
        phi = np.arctan2(ny, nx)
        for level in (h - r[long], h + r[long]):
            ratio = level / rho
            # A line that only touches (an edge running into its own corner's circle) is a break as well.
            ok = np.abs(ratio) <= 1 + 1e-12
            half = np.arccos(np.clip(ratio[ok], -1, 1))
            found += [phi[ok] - half, phi[ok] + half]
        for ax, ay in ((s[long, 0], s[long, 1]), (s[long, 2], s[long, 3])):
            tx, ty = dx[long] / n[long], dy[long] / n[long]
            ratio = ((ax - c[0]) * tx + (ay - c[1]) * ty) / rho
            ok = np.abs(ratio) <= 1
            half = np.arccos(ratio[ok])
            along = np.arctan2(ty[ok], tx[ok])
            found += [along - half, along + half]
    return np.concatenate(found) % TAU


def line_breaks(x0: float, y0: float, x1: float, y1: float, c: Floats, rho: float) -> Floats:
    """Angles at which a circle meets the four lines of a box, in [0, 2 pi)."""
    found = []
    for level in ((x0 - c[0]) / rho, (x1 - c[0]) / rho):
        if abs(level) <= 1:
            half = math.acos(level)
            found += [half, -half]
    for level in ((y0 - c[1]) / rho, (y1 - c[1]) / rho):
        if abs(level) <= 1:
            half = math.acos(level)
            found += [HALF + half, HALF - half]
    return np.array(found) % TAU


HALF = math.pi / 2


def segment_breaks(p: Floats, q: Floats, body: Grown) -> Floats:
    """Parameters in (0, 1) at which one segment meets the rims of a grown set's capsules, sorted."""
    if body.empty:
        return np.zeros(0)
    t = crossings(p[None], q[None], body)[0]
    return np.unique(t[t < 1])
