"""Pieces of rims: arcs and segments on the boundary of grown sets, with a parameter in inches."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.geometry.breaks import TAU, circle_breaks, segment_breaks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sbg_sim.geometry.grown import Grown

Floats = np.ndarray
_SHORT = 1e-9  # a piece shorter than this (inches) holds no place that its neighbours do not hold


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

    def outward(self, u: Floats) -> Floats:
        """Return unit normals ``(..., 2)`` out of the set."""
        u = np.asarray(u, dtype=float)
        if self.radius:
            a = self.toward[0] + u / self.radius
            return np.stack([np.cos(a), np.sin(a)], axis=-1)
        return np.broadcast_to(np.array(self.normal), (*u.shape, 2))

    def tangent(self, u: Floats) -> Floats:
        """Return unit vectors ``(..., 2)`` in the direction of growing ``u``."""
        u = np.asarray(u, dtype=float)
        if self.radius:
            a = self.toward[0] + u / self.radius
            return np.stack([-np.sin(a), np.cos(a)], axis=-1)
        return np.broadcast_to(np.array(self.toward), (*u.shape, 2))

    def nearest(self, p: tuple[float, float]) -> tuple[float, float]:
        """Return the parameter nearest to a point and the distance there, inches."""
        if self.radius:
            a = (math.atan2(p[1] - self.start[1], p[0] - self.start[0]) - self.toward[0]) % TAU
            u = a * self.radius
            if u > self.length:
                u = 0.0 if (TAU - a) * self.radius < u - self.length else self.length
        else:
            u = (p[0] - self.start[0]) * self.toward[0] + (p[1] - self.start[1]) * self.toward[1]
            u = min(max(u, 0.0), self.length)
        q = self.at(np.array(u))
        return u, math.hypot(p[0] - q[0], p[1] - q[1])

    def samples(self, spacing: float) -> Floats:
        """Return parameters no farther apart than ``spacing`` inches, ends included."""
        return np.linspace(0.0, self.length, max(2, math.ceil(self.length / spacing) + 1))


def rim_pieces(
    body: Grown,
    others: Sequence[Grown],
    keep: Callable[[Floats], Floats],
    *,
    owner: int | None = None,
    slack: float = 1e-9,
) -> list[Piece]:
    """Return the boundary of a grown set, cut where other sets' rims cross it.

    Parameters
    ----------
    body
        The set whose boundary is wanted.
    others
        Sets whose rims cut it.
    keep
        Given midpoints ``(n, 2)``, says which pieces to keep.
    owner
        Only the rims of this one piece of the set.
    slack
        How far inside the set a rim may seem to lie by rounding, inches.

    """
    cutters = [body, *others]
    found: list[Piece] = []
    mids: list[Floats] = []
    seen: set[tuple[float, float, float]] = set()
    for (ax, ay, bx, by), rho, own in zip(body.spines.tolist(), body.rho.tolist(), body.owner.tolist(), strict=True):
        if owner is not None and own != owner:
            continue
        if rho > 0:
            for x, y in dict.fromkeys([(ax, ay), (bx, by)]):
                if (x, y, rho) not in seen:
                    seen.add((x, y, rho))
                    _arcs(np.array([x, y]), rho, int(own), cutters, found, mids)
        if (ax, ay) != (bx, by):
            _edges((ax, ay), (bx, by), rho, int(own), cutters, found, mids)
    if not found:
        return []
    mid = np.array(mids)
    good = (body.clearance(mid) >= -slack) & keep(mid)
    return [piece for piece, ok in zip(found, good, strict=True) if ok]


def _arcs(c: Floats, rho: float, own: int, cutters: Sequence[Grown], found: list[Piece], mids: list[Floats]) -> None:
    angles = np.unique(np.concatenate([circle_breaks(c, rho, cutter) for cutter in cutters]))
    if not len(angles):
        angles = np.zeros(1)
    widths = np.diff(np.concatenate([angles, [angles[0] + TAU]]))
    for first, width in zip(angles.tolist(), widths.tolist(), strict=True):
        if width * rho > _SHORT:
            piece = Piece((float(c[0]), float(c[1])), (first, 0.0), width * rho, rho, owner=own)
            found.append(piece)
            mids.append(piece.at(np.array(width * rho / 2)))


def _edges(
    a: tuple[float, float],
    b: tuple[float, float],
    rho: float,
    own: int,
    cutters: Sequence[Grown],
    found: list[Piece],
    mids: list[Floats],
) -> None:
    length = math.dist(a, b)
    t = ((b[0] - a[0]) / length, (b[1] - a[1]) / length)
    for side in (1.0, -1.0):
        n = (-t[1] * side, t[0] * side)
        p = np.array([a[0] + rho * n[0], a[1] + rho * n[1]])
        q = np.array([b[0] + rho * n[0], b[1] + rho * n[1]])
        cuts = np.concatenate([segment_breaks(p, q, cutter) for cutter in cutters])
        marks = np.unique(np.concatenate([[0.0], cuts, [1.0]])) * length
        for u0, u1 in zip(marks[:-1].tolist(), marks[1:].tolist(), strict=True):
            if u1 - u0 > _SHORT:
                start = (float(p[0] + u0 * t[0]), float(p[1] + u0 * t[1]))
                piece = Piece(start, t, u1 - u0, 0.0, n, own)
                found.append(piece)
                mids.append(piece.at(np.array((u1 - u0) / 2)))
