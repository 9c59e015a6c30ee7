"""Breaks: where circles, segments and rays meet rims of grown sets; between two breaks of a curve nothing changes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.arrays import unit
from sbg_sim.geometry.grown import parts
from sbg_sim.geometry.spines import chords
from sbg_sim.tolerance import LARGEST, ROUNDING, TANGENT, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.geometry.grown import Grown

_CIRCLES: Final = 500  # circles cut at once: where thousands lie together, each meets hundreds
_TURN: Final = 8.0  # more than a full turn: the angles of all circles are laid out on one line, this far apart


def circle_breaks(c: Floats, rho: float, body: Grown) -> Floats:
    """Angles at which one circle meets the rims of a grown set's capsules.

    Parameters
    ----------
    c, rho
        Centre ``(2,)`` and radius, inches.
    body
        The set; the same circle in it is ignored.

    Returns
    -------
    Angles in [0, 2 pi), unsorted, with repetitions.

    """
    return circles_breaks(np.asarray(c, dtype=float)[None], np.array([rho]), body)[1]


def circles_breaks(c: Floats, rho: Floats, body: Grown) -> tuple[Ints, Floats]:
    """Angles at which circles meet the rims of a grown set's capsules; as :func:`circle_breaks`, for many at once.

    Parameters
    ----------
    c, rho
        Centres ``(n, 2)`` and radii ``(n,)``, inches.
    body
        The set.

    Returns
    -------
    For every break the index of its circle and its angle in [0, 2 pi), unsorted, with repetitions.

    """
    if body.empty or not len(rho):
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    return _breaks_with(c, rho, body, *body.meeting(c - rho[:, None], c + rho[:, None]))


def _breaks_with(c: Floats, rho: Floats, body: Grown, i: Ints, j: Ints) -> tuple[Ints, Floats]:
    """Return the breaks of circles ``i`` with capsules ``j``, pair by pair, as :func:`circles_breaks` does."""
    s, r = body.spines[j], body.rho[j]
    ends = [(c[i], rho[i], i, s[:, :2], r)]
    long = (s[:, 0] != s[:, 2]) | (s[:, 1] != s[:, 3])
    i, s, r = i[long], s[long], r[long]
    ends.append((c[i], rho[i], i, s[:, 2:], r))
    found = [part for end in ends for part in _with_circles(*end)]
    found += _with_sides(c[i], rho[i], i, s, r)
    rows, angles = zip(*found, strict=True)
    # Twice: an angle below 0 by rounding becomes 2 pi at first.
    return np.concatenate(rows), np.concatenate(angles) % math.tau % math.tau


def _with_circles(c: Floats, rho: Floats, row: Ints, end: Floats, r: Floats) -> list[tuple[Ints, Floats]]:
    """Where circles meet the circles about the ends of capsules, pair by pair."""
    dx, dy = end[:, 0] - c[:, 0], end[:, 1] - c[:, 1]
    dist = np.hypot(dx, dy)
    # Circles that only touch, up to rounding, count as meeting.
    k = np.flatnonzero((dist > TANGENT) & (np.abs(dist * dist + rho * rho - r * r) <= (1 + TANGENT) * (2 * dist * rho)))
    dist, rho, r = dist[k], rho[k], r[k]
    cosine = (dist * dist + rho * rho - r * r) / (2 * dist * rho)
    base, half = np.arctan2(dy[k], dx[k]), np.arccos(np.clip(cosine, -1, 1))
    return [(row[k], base - half), (row[k], base + half)]


def _with_sides(c: Floats, rho: Floats, row: Ints, s: Floats, r: Floats) -> list[tuple[Ints, Floats]]:
    """Where circles meet the straight sides of capsules, and the lines across their ends, pair by pair."""
    dx, dy = s[:, 2] - s[:, 0], s[:, 3] - s[:, 1]
    n = np.hypot(dx, dy)
    tx, ty = dx / n, dy / n
    nx, ny = -ty, tx
    ax, ay = s[:, 0] - c[:, 0], s[:, 1] - c[:, 1]
    bx, by = s[:, 2] - c[:, 0], s[:, 3] - c[:, 1]
    h = ax * nx + ay * ny
    phi, along = np.arctan2(ny, nx), np.arctan2(ty, tx)
    found = []
    # A line that only touches the circle, as an edge does that of its own corner, gives a break as well.
    for level, turn, most in (
        (h - r, phi, 1 + TANGENT),
        (h + r, phi, 1 + TANGENT),
        (ax * tx + ay * ty, along, 1.0),
        (bx * tx + by * ty, along, 1.0),
    ):
        ratio = level / rho
        k = np.flatnonzero(np.abs(ratio) <= most)
        half = np.arccos(np.clip(ratio[k], -1, 1))
        found += [(row[k], turn[k] - half), (row[k], turn[k] + half)]
    return found


def _in_order(count: int, breaks: Sequence[tuple[Ints, Floats]]) -> tuple[Ints, Floats, Ints]:
    """Sort breaks by circle and angle, each once, and return them with the index of each circle's first.

    A circle without breaks is given one at 0.
    """
    if not count:
        return np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(1, dtype=np.int64)
    row = np.concatenate([np.arange(count), *(i for i, _ in breaks)])
    angle = np.concatenate([np.full(count, np.inf), *(a for _, a in breaks)])
    row, angle = each_once(row, angle)
    # The placeholder stays only on a circle without breaks.
    alone = np.bincount(row[np.isfinite(angle)], minlength=count) == 0
    keep = np.isfinite(angle) | alone[row]
    row, angle = row[keep], np.where(np.isfinite(angle[keep]), angle[keep], 0.0)
    return row, angle, np.searchsorted(row, np.arange(count + 1))


def each_once(row: Ints, u: Floats) -> tuple[Ints, Floats]:
    """Return places on numbered lines, given by line and parameter ``(n,)`` each, sorted and without repetitions."""
    order = np.lexsort((u, row))
    row, u = row[order], u[order]
    new = np.concatenate([[True], (row[1:] != row[:-1]) | (u[1:] != u[:-1])])[: len(row)]
    return row[new], u[new]


def circle_parts(
    c: Floats,
    rho: Floats,
    bodies: Sequence[Grown],
    closed: Sequence[Bools | bool],
    marks: tuple[Ints, Floats] | None = None,
) -> tuple[Ints, Floats, Floats, Ints, Bools]:
    """Cut circles where they meet the rims of grown sets.

    Parameters
    ----------
    c, rho
        Centres ``(n, 2)`` and radii ``(n,)``, inches.
    bodies
        The sets.
    closed
        For each set the circles ``(n,)`` whose parts deep inside it are of no use; they are not cut there.
    marks
        Further cuts: circles, and angles from 0 to a full turn.

    Returns
    -------
    row, begin, end, first, covered
        For every part its circle and the angles between which it lies, in order; the index of each circle's first part
        ``(n + 1,)``; and which parts are known to lie inside a set where they are of no use.

    """
    breaks: list[tuple[Ints, Floats]] = [] if marks is None else [marks]
    hidden: list[Floats] = []
    for low in range(0, len(rho), _CIRCLES):
        at, radius = c[low : low + _CIRCLES], rho[low : low + _CIRCLES]
        pairs = [body.meeting(at - radius[:, None], at + radius[:, None]) for body in bodies]
        deep = [np.zeros((2, 0))]
        for body, (i, j), which in zip(bodies, pairs, closed, strict=True):
            k = np.flatnonzero(np.broadcast_to(which, len(rho))[low + i])
            deep += _deep_arcs(at, radius, body, i[k], j[k]) if len(k) else []
        begin, end = joined_spans(np.concatenate(deep, axis=1))
        for body, (i, j) in zip(bodies, pairs, strict=True):
            row, angle = _breaks_with(at, radius, body, i, j) if len(i) else (i, np.zeros(0))
            if len(begin):
                turned = _TURN * row + angle
                shown = np.append(end, -1.0)[np.searchsorted(begin, turned, "right") - 1] <= turned
                row, angle = row[shown], angle[shown]
            breaks.append((row + low, angle))
        hidden.append(begin + _TURN * low)
    row, begin, first = _in_order(len(rho), breaks)
    end = np.append(begin[1:], 0.0)[: len(begin)]
    end[first[1:] - 1] = begin[first[:-1]] + math.tau
    covered = np.zeros(len(row), dtype=bool)
    if hidden:
        # A deep arc contains no breaks but marks: it begins in a part that covers it and may end a little beyond it.
        inside = np.concatenate(hidden)
        of, k = (inside // _TURN).astype(np.int64), np.searchsorted(_TURN * row + begin, inside, "right") - 1
        covered[np.where(k < first[of], first[of + 1] - 1, k)] = True
    return row, begin, end, first, covered


def _deep_arcs(c: Floats, rho: Floats, body: Grown, i: Ints, j: Ints) -> list[Floats]:
    """Return the arcs of circles ``i`` deep inside capsules ``j``, as rows of first and last angle on the common line.

    These are arcs within the discs about the capsules' ends, and, for the circle about such an end, within the capsule.
    """
    found = []
    radius, r, s = rho[i], body.rho[j] - 2 * TOUCH, body.spines[j] - np.tile(c[i], 2)
    for x, y, to_x, to_y in (s.T, s[:, [2, 3, 0, 1]].T):
        dist = np.hypot(x, y)
        with np.errstate(divide="ignore", invalid="ignore"):
            cosine = (dist * dist + radius * radius - r * r) / (2 * dist * radius)
            found.append((i, np.arctan2(y, x), np.where(r > 0, cosine, np.nan)))
            # For the circle about one end: from the rim of the disc about the other end to the line across the side.
            long = np.hypot(to_x, to_y)
            k = np.flatnonzero((dist == 0) & (r > 0) & (long * long + radius * radius - r * r <= 2 * long * long))
        k = k[body.rho[j[k]] == radius[k]]
        found.append((i[k], np.arctan2(to_y[k], to_x[k]), np.sqrt(1 - np.square(r[k] / radius[k]))))
    row, toward, cosine = (np.concatenate(part) for part in zip(*found, strict=True))
    k = np.flatnonzero(cosine < 1)
    half = np.arccos(np.maximum(cosine[k], -1.0))
    begin = (toward[k] - half) % math.tau % math.tau
    begin[half >= math.pi] = 0.0
    end, turned = begin + 2 * half, _TURN * row[k]
    over = end > math.tau
    return [
        np.stack([turned + begin, turned + np.minimum(end, math.tau)]),
        np.stack([turned[over], turned[over] + end[over] - math.tau]),
    ]


def joined_spans(spans: Floats) -> tuple[Floats, Floats]:
    """Return the union of spans ``(2, n)`` of a line: the begins and ends of its parts, in order."""
    begin, end = spans[:, np.argsort(spans[0])]
    end = np.maximum.accumulate(end)
    new = np.flatnonzero(np.append(True, begin[1:] > end[:-1])[: len(begin)])
    return begin[new], end[np.append(new[1:], len(end))[: len(new)] - 1]


# -- rays and segments -------------------------------------------------------------------------------------------------


def first_hit(p: Floats, angle: Floats, far: Floats, body: Grown, slack: float) -> tuple[Floats, Ints]:
    """Return the lengths of rays until they enter a grown set's capsules, and the capsule that each enters.

    Parameters
    ----------
    p, angle
        Starts ``(n, 2)`` (inches) and directions ``(n,)`` (radians).
    far
        The greatest length of rays ``(n,)``, inches; capsules farther away may be left out.
    body
        The set; rings do not matter, since a ray from outside meets the capsules of an edge first.
    slack
        By how much radii are reduced (inches), so that a ray along a rim or from a touching start is not a hit.

    Returns
    -------
    ``(n,)`` inches, infinite where nothing is met, 0 where a ray starts inside and goes deeper; and ``(n,)`` numbers
    of the spines.

    """
    if body.empty:
        return np.full(len(p), math.inf), np.zeros(len(p), dtype=np.int64)
    e = unit(angle)
    discs, of = body.ends
    q, k = ray_ends(p, e, far), np.flatnonzero(body.long)
    i, j = body.end_boxes.crossed(p, q)
    t, what = into_discs(p[i], e[i], discs[j], slack), of[j]
    if not len(k):
        return first_met(len(p), i, t, what)
    n, m = body.long_boxes.crossed(p, q)
    into = _into_slabs(p[n], e[n], body.spines[k[m]], body.rho[k[m]] - slack)
    return first_met(len(p), np.concatenate([i, n]), np.concatenate([t, into]), np.concatenate([what, k[m]]))


def ray_ends(p: Floats, e: Floats, far: Floats) -> Floats:
    """Return the ends ``(n, 2)`` of rays from ``p`` in directions ``e`` (``(n, 2)`` each) of length ``far``, inches."""
    return p + np.minimum(far, LARGEST)[:, None] * e


def first_met(n: int, ray: Ints, length: Floats, what: Ints) -> tuple[Floats, Ints]:
    """Return for each of ``n`` rays the least length and the number ``what`` met there, given hits ``(m,)``."""
    best, which = np.full(n, math.inf), np.zeros(n, dtype=np.int64)
    k = np.flatnonzero(np.isfinite(length))
    order = k[np.lexsort((what[k], length[k], ray[k]))]
    first = order[np.flatnonzero(np.diff(ray[order], prepend=-1))]
    best[ray[first]], which[ray[first]] = length[first], what[first]
    return best, which


def into_discs(p: Floats, e: Floats, disc: Floats, slack: float) -> Floats:
    """Return the lengths of rays until they enter one disc each ``(n,)``."""
    radius = np.maximum(disc[:, 2] - slack, 0.0)
    mid, half = chords(p, e, disc[:, :2], radius)
    t, within = mid - half, np.square(p - disc[:, :2]).sum(axis=1) < radius * radius
    return np.where((half > 0) & (t >= 0), t, np.where(within & (mid > 0), 0.0, math.inf))


def _into_slabs(p: Floats, e: Floats, s: Floats, rho: Floats) -> Floats:
    """Return the lengths of rays until they enter the rectangle between the two ends of one capsule each ``(n,)``."""
    d, rho = s[:, 2:] - s[:, :2], np.maximum(rho, 0.0)
    long = np.hypot(d[:, 0], d[:, 1])
    tx, ty = d[:, 0] / long, d[:, 1] / long
    qx, qy = p[:, 0] - s[:, 0], p[:, 1] - s[:, 1]
    off, run = -qx * ty + qy * tx, qx * tx + qy * ty
    down, along = -e[:, 0] * ty + e[:, 1] * tx, e[:, 0] * tx + e[:, 1] * ty
    with np.errstate(invalid="ignore", divide="ignore"):
        # A ray enters through the side of the rectangle on which it starts.
        t = (np.sign(off) * rho - off) / down
        at = run + t * along
    t = np.where((np.abs(off) >= rho) & (t >= 0) & (at >= 0) & (at <= long), t, math.inf)
    deep = (np.abs(off) < rho) & (run > 0) & (run < long) & (off * down < 0)
    return np.where(deep, 0.0, t)


def first_exit(p: Floats, q: Floats, body: Grown, slack: float) -> Floats:
    """Return parameters ``(n,)`` at which segments ``pq`` that begin in a grown set first leave it; infinite if never.

    A place at most ``slack`` inches deep in the set counts as outside.
    """
    row, begin, end = parts(np.ones(len(p)), [body.breaks(p, q)])
    k = (begin > ROUNDING) & (end - begin > ROUNDING)
    row, begin, end = row[k], begin[k], end[k]
    outside = body.clears(p[row] + ((begin + end) / 2)[:, None] * (q - p)[row], slack)
    first = np.full(len(p), np.inf)
    np.minimum.at(first, row[outside], begin[outside])
    return first
