"""How far rays run before they meet the rim of a grown set."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.arrays import unit
from sbg_sim.geometry.grown import parts
from sbg_sim.tolerance import LARGEST, ROUNDING

if TYPE_CHECKING:
    from sbg_sim.arrays import Floats, Ints
    from sbg_sim.geometry.grown import Grown
    from sbg_sim.geometry.rims import Rims


def first_hit(p: Floats, angle: Floats, far: Floats, body: Grown, slack: float) -> tuple[Floats, Ints]:
    """Length of rays until they enter a grown set's capsules, and which capsule it is.

    Parameters
    ----------
    p, angle
        Starts ``(n, 2)`` (inches) and directions ``(n,)`` (radians).
    far
        How far rays run at most ``(n,)``, inches; what is met farther away may be left out.
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
    e = unit(angle)
    discs, of = body.ends
    q, k = _ends(p, e, far), np.flatnonzero(body.long)
    (i, j), (n, m) = body.end_boxes.crossed(p, q), body.long_boxes.crossed(p, q)
    t = _into_discs(p[i], e[i], discs[j], slack), _into_slabs(p[n], e[n], body.spines[k[m]], body.rho[k[m]] - slack)
    return _first(len(p), np.concatenate([i, n]), np.concatenate(t), np.concatenate([of[j], k[m]]))


def _ends(p: Floats, e: Floats, far: Floats) -> Floats:
    """Return where rays end ``(n, 2)``, inches."""
    return p + np.minimum(far, LARGEST)[:, None] * e


def _first(n: int, ray: Ints, length: Floats, what: Ints) -> tuple[Floats, Ints]:
    """Return for each of ``n`` rays the least length and what is met there, of pairs ``(m,)``."""
    best, which = np.full(n, math.inf), np.zeros(n, dtype=np.int64)
    k = np.flatnonzero(np.isfinite(length))
    order = k[np.lexsort((what[k], length[k], ray[k]))]
    first = order[np.flatnonzero(np.diff(ray[order], prepend=-1))]
    best[ray[first]], which[ray[first]] = length[first], what[first]
    return best, which


def _into_discs(p: Floats, e: Floats, disc: Floats, slack: float) -> Floats:
    """Length of rays until they enter one disc each ``(n,)``."""
    u, radius = p - disc[:, :2], np.maximum(disc[:, 2] - slack, 0.0)
    b, c = (u * e).sum(axis=1), (u * u).sum(axis=1) - radius * radius
    gap = b * b - c
    with np.errstate(invalid="ignore"):
        t = -b - np.sqrt(gap)
    return np.where((gap > 0) & (t >= 0), t, np.where((c < 0) & (b < 0), 0.0, math.inf))


def _into_slabs(p: Floats, e: Floats, s: Floats, rho: Floats) -> Floats:
    """Length of rays until they enter the slab between the two ends of one capsule each ``(n,)``."""
    d, rho = s[:, 2:] - s[:, :2], np.maximum(rho, 0.0)
    long = np.hypot(d[:, 0], d[:, 1])
    tx, ty = d[:, 0] / long, d[:, 1] / long
    qx, qy = p[:, 0] - s[:, 0], p[:, 1] - s[:, 1]
    off, run = -qx * ty + qy * tx, qx * tx + qy * ty
    down, along = -e[:, 0] * ty + e[:, 1] * tx, e[:, 0] * tx + e[:, 1] * ty
    with np.errstate(invalid="ignore", divide="ignore"):
        # The ray meets the side of the slab it starts on.
        t = (np.sign(off) * rho - off) / down
        at = run + t * along
    t = np.where((np.abs(off) >= rho) & (t >= 0) & (at >= 0) & (at <= long), t, math.inf)
    deep = (np.abs(off) < rho) & (run > 0) & (run < long) & (off * down < 0)
    return np.where(deep, 0.0, t)


def first_exit(p: Floats, q: Floats, body: Grown, slack: float) -> Floats:
    """Parameters at which segments ``pq`` that begin in a grown set leave it first ``(n,)``; infinite where none does.

    What lies no more than ``slack`` deep in it (inches) is outside.
    """
    row, begin, end = parts(np.ones(len(p)), [body.breaks(p, q)])
    k = (begin > ROUNDING) & (end - begin > ROUNDING)
    row, begin, end = row[k], begin[k], end[k]
    outside = body.clears(p[row] + ((begin + end) / 2)[:, None] * (q - p)[row], slack)
    first = np.full(len(p), np.inf)
    np.minimum.at(first, row[outside], begin[outside])
    return first


def pieces_hit(p: Floats, angle: Floats, far: Floats, rims: Rims, skip: float) -> tuple[Floats, Ints]:
    """Length of rays until they meet one of some rim pieces beyond ``skip`` inches, and which: ``(n,)`` each.

    Infinite if never; what is met farther away than ``far`` ``(n,)`` may be left out.
    """
    e = unit(angle)
    i, j = rims.boxes.crossed(p, _ends(p, e, far))
    t = np.full(len(i), math.inf)
    with np.errstate(invalid="ignore", divide="ignore"):
        for kind, met in ((rims.radius[j] == 0, _to_segments), (rims.radius[j] > 0, _to_arcs)):
            t[kind] = met(p[i[kind]], e[i[kind]], rims, j[kind], skip)
    return _first(len(p), i, t, j)


def _to_segments(p: Floats, e: Floats, rims: Rims, j: Ints, skip: float) -> Floats:
    """Length of rays until they meet one segment each ``(n,)``, infinite if never."""
    u, toward = rims.start[j] - p, rims.toward[j]
    cross = e[:, 0] * toward[:, 1] - e[:, 1] * toward[:, 0]
    t = (u[:, 0] * toward[:, 1] - u[:, 1] * toward[:, 0]) / cross
    along = (u[:, 0] * e[:, 1] - u[:, 1] * e[:, 0]) / cross
    return np.where((t > skip) & (along >= -skip) & (along <= rims.length[j] + skip), t, math.inf)


def _to_arcs(p: Floats, e: Floats, rims: Rims, j: Ints, skip: float) -> Floats:
    """Length of rays until they meet one arc each ``(n,)``, infinite if never."""
    best = np.full(len(j), math.inf)
    u, radius = p - rims.start[j], rims.radius[j]
    b = (u * e).sum(axis=1)
    root2 = b * b - ((u * u).sum(axis=1) - radius * radius)
    for side in (-1.0, 1.0):
        t = side * np.sqrt(root2) - b
        k = np.flatnonzero(t > skip)  # few rays meet the circle at all, ahead of them
        x, y = (u[k] + t[k, None] * e[k]).T
        ok = (np.arctan2(y, x) - rims.toward[j[k], 0]) % math.tau <= rims.length[j[k]] / radius[k] + skip
        best[k[ok]] = np.minimum(best[k[ok]], t[k[ok]])
    return best
