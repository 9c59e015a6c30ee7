"""Pieces of rims: arcs and segments on the boundary of grown sets, with a parameter in inches."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.arrays import unit
from sbg_sim.geometry.breaks import circle_parts
from sbg_sim.geometry.grown import Grown, grown, parts, segments_meet
from sbg_sim.tolerance import ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.geometry.shapes import Shape

_KEPT: Final = 256
"""Outlines of pieces of terrain cached between questions: terrain stands still while models move."""

_SHORT = ROUNDING  # a shorter piece has no place that its neighbours lack


@dataclass(frozen=True)
class Piece:
    """A segment, or an arc travelled counter-clockwise, with ``u`` in [0, length] inches along it.

    Parameters
    ----------
    start
        Of a segment: its first point. Of an arc: the centre.
    toward
        Of a segment: unit direction. Of an arc: ``(first angle, 0)``.
    length
        Inches.
    radius
        Radius of an arc, 0 for a segment.
    normal
        Of a segment: the unit normal that points out of the set whose rim it is.
    owner
        Index of the piece of terrain or model whose rim it is.

    """

    start: tuple[float, float]
    toward: tuple[float, float]
    length: float
    radius: float = 0.0
    normal: tuple[float, float] = (0.0, 0.0)
    owner: int = -1

    def at(self, u: Floats) -> Floats:
        """Return points ``(..., 2)`` at parameters ``(...)``, inches."""
        u = np.asarray(u, dtype=float)
        if self.radius:
            a = self.toward[0] + u / self.radius
            return np.stack([self.start[0] + self.radius * np.cos(a), self.start[1] + self.radius * np.sin(a)], axis=-1)
        return np.stack([self.start[0] + u * self.toward[0], self.start[1] + u * self.toward[1]], axis=-1)

    def nearest(self, p: tuple[float, float]) -> tuple[float, float]:
        """Return the parameter nearest to a point and the distance there, inches."""
        if self.radius:
            a = (math.atan2(p[1] - self.start[1], p[0] - self.start[0]) - self.toward[0]) % math.tau
            u = a * self.radius
            if u > self.length:
                u = 0.0 if (math.tau - a) * self.radius < u - self.length else self.length
        else:
            u = (p[0] - self.start[0]) * self.toward[0] + (p[1] - self.start[1]) * self.toward[1]
            u = min(max(u, 0.0), self.length)
        q = self.at(np.array(u))
        return u, math.hypot(p[0] - q[0], p[1] - q[1])

    def part(self, first: float, last: float) -> Piece:
        """Return the part between two parameters, inches."""
        if self.radius:
            return replace(self, toward=(self.toward[0] + first / self.radius, 0.0), length=last - first)
        x, y = self.at(np.array(first)).tolist()
        return replace(self, start=(x, y), length=last - first)


def segment(a: Sequence[float], b: Sequence[float]) -> Piece:
    """Return the piece from one place to another, inches; of length 0 if they are one."""
    length = math.dist(a, b)
    toward = ((b[0] - a[0]) / length, (b[1] - a[1]) / length) if length else (1.0, 0.0)
    return Piece((a[0], a[1]), toward, length)


def carriers(pieces: Sequence[Piece]) -> Grown:
    """Return the segments and whole circles on which pieces lie, as a grown set: segments with radius 0."""
    ends = [(*p.start, *p.start) if p.radius else (*p.start, *p.at(np.array(p.length)).tolist()) for p in pieces]
    return Grown(np.array(ends).reshape(-1, 4), np.array([p.radius for p in pieces]))


def rim_pieces(
    body: Grown,
    others: Sequence[Grown] = (),
    keep: Callable[[Floats], Bools] | None = None,
) -> list[Piece]:
    """Return the boundary of a grown set, cut where other sets' rims cross it.

    Parameters
    ----------
    body
        The set.
    others
        Sets whose rims cut it.
    keep
        Given midpoints ``(n, 2)``, says which pieces to keep; None keeps all.

    """
    cutters = [body, *others]
    arcs, edges = _circles(body), _sides(body)
    c, rho = arcs[:, :2], arcs[:, 2]
    row, first, last, _, covered = circle_parts(c, rho, cutters, [True, *(False for _ in others)])
    width = (last - first) * rho[row]
    centre = first + width / rho[row] / 2
    mid = [c[row] + rho[row, None] * unit(centre)]
    side, u0, u1 = _marks(edges, cutters)
    mid.append(edges[side, :2] + ((u0 + u1) / 2)[:, None] * edges[side, 4:6])
    length = np.concatenate([width, u1 - u0])
    good = length > _SHORT
    good[: len(row)] &= ~covered
    places = np.concatenate(mid)[good]
    if len(places):
        good[good] = body.clears(places, ROUNDING) & (True if keep is None else keep(places))
    made: list[tuple[float, Piece]] = []
    n = len(row)
    for j, k in zip(*without_specks(row, first * rho[row], last * rho[row], good[:n]), strict=True):
        x, y, r, owner, order = arcs[row[j]].tolist()
        wide = float(width[j] if j == k else (last[k] - first[j]) * r)
        made.append((order, Piece((x, y), (float(first[j]), 0.0), wide, r, owner=int(owner))))
    for j, k in zip(*without_specks(side, u0, u1, good[n:]), strict=True):
        x, y, _, _, tx, ty, nx, ny, owner, order = edges[side[j]].tolist()
        u, end = float(u0[j]), float(u1[k])
        made.append((order, Piece((x + u * tx, y + u * ty), (tx, ty), end - u, 0.0, (nx, ny), int(owner))))
    return [piece for _, piece in sorted(made, key=lambda pair: pair[0])]


def without_specks(row: Ints, begin: Floats, end: Floats, of_use: Bools) -> tuple[Ints, Ints]:
    """Join useful parts of lines that are no longer than TOUCH to a useful part beside them.

    A circle that touches a line meets it at two places that only rounding sets apart.

    Parameters
    ----------
    row, begin, end
        For every part ``(n,)``, in order, its line, and where on the line it begins and ends, inches.
    of_use
        Which parts are of use.

    Returns
    -------
    first, last
        The numbers of the first and the last part of every joined part.

    """
    k = np.flatnonzero(of_use)
    if not len(k):
        return k, k
    row, begin, end = row[k], begin[k], end[k]
    goes_on = (row[1:] == row[:-1]) & (begin[1:] - end[:-1] <= ROUNDING)
    run = np.concatenate([[0], np.cumsum(~goes_on)])
    long = end - begin > TOUCH
    # A run of nothing but short parts is kept.
    kept = np.flatnonzero(long | ~np.isin(run, run[long]))
    starts = np.concatenate([[True], run[kept[1:]] != run[kept[:-1]]])
    first = np.where(starts, np.searchsorted(run, run[kept]), kept)
    last = np.where(np.concatenate([starts[1:], [True]]), np.searchsorted(run, run[kept], "right"), np.roll(first, -1))
    return k[first], k[last - 1]


@lru_cache(maxsize=_KEPT)
def outline(shape: Shape, radius: float) -> tuple[Grown, tuple[Piece, ...]]:
    """Return a shape grown by a radius (inches), its ``edge`` filled in, and its boundary in pieces."""
    body = grown([(shape, radius)])
    rim = tuple(rim_pieces(body))
    return replace(body, edge=np.array([_row(piece) for piece in rim], dtype=float).reshape(-1, 6)), rim


def _row(piece: Piece) -> tuple[float, ...]:
    """Return a piece as a row of :attr:`Grown.edge`."""
    if not piece.radius:
        return (*piece.start, *piece.toward, piece.length, 0.0)
    half = piece.length / piece.radius / 2
    middle = piece.toward[0] + half
    return (*piece.start, math.cos(middle), math.sin(middle), math.cos(min(half, math.pi)), piece.radius)


def _circles(body: Grown) -> Floats:
    """Circles about the ends of spines, each once: rows of ``x, y, radius, owner, order``."""
    rows: dict[tuple[float, float, float], tuple[float, float]] = {}
    for i, ((ax, ay, bx, by), rho, owner) in enumerate(
        zip(body.spines.tolist(), body.rho.tolist(), body.owner.tolist(), strict=True)
    ):
        if rho > 0:
            rows.setdefault((ax, ay, rho), (owner, 4 * i))
            rows.setdefault((bx, by, rho), (owner, 4 * i + 1))
    return np.array([(*circle, *more) for circle, more in rows.items()], dtype=float).reshape(-1, 5)


def _sides(body: Grown) -> Floats:
    """Both sides of every spine: rows of ``px, py, qx, qy``, unit direction, unit normal, owner, order.

    They lead round the set counter-clockwise, as arcs do, whatever the order of its corners.
    """
    s = body.spines
    k = np.flatnonzero((s[:, 0] != s[:, 2]) | (s[:, 1] != s[:, 3]))
    a, b, rho = s[k, :2], s[k, 2:], body.rho[k, None]
    t = (b - a) / np.hypot(*(b - a).T)[:, None]
    rows = []
    for order, (first, last, along) in ((2, (b, a, -t)), (3, (a, b, t))):
        n = np.column_stack([along[:, 1], -along[:, 0]])
        rows.append(np.column_stack([first + rho * n, last + rho * n, along, n, body.owner[k], 4 * k + order]))
    return np.concatenate(rows)


def _marks(edges: Floats, cutters: Sequence[Grown]) -> tuple[Ints, Floats, Floats]:
    """Cut straight rims where they meet the rims of sets; return row, begin and end of each part, inches along it."""
    n = len(edges)
    length = np.hypot(edges[:, 2] - edges[:, 0], edges[:, 3] - edges[:, 1])
    breaks = [segments_meet(edges[:, :2], edges[:, 2:4], cutter) for cutter in cutters]
    return (
        parts(length, [(i, t * length[i]) for i, t in breaks])
        if n
        else (np.zeros(0, dtype=np.int64), *np.zeros((2, 0)))
    )
