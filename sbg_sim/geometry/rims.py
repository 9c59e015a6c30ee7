"""Many rim pieces in arrays: places, directions and nearest parameters of any number of them at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.geometry.breaks import TAU

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.geometry.pieces import Piece

Floats = np.ndarray


class Rims:
    """Rim pieces as arrays.

    Parameters
    ----------
    pieces
        The pieces, in the order in which they are numbered.

    """

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.start = np.array([q.start for q in pieces], dtype=float).reshape(-1, 2)
        self.toward = np.array([q.toward for q in pieces], dtype=float).reshape(-1, 2)
        self.normal = np.array([q.normal for q in pieces], dtype=float).reshape(-1, 2)
        self.length = np.array([q.length for q in pieces], dtype=float)
        self.radius = np.array([q.radius for q in pieces], dtype=float)

    def at(self, j: Floats, u: Floats) -> Floats:
        """Return places ``(..., 2)`` on pieces ``j`` at parameters ``u`` (``(...)`` each, inches)."""
        arc = self.radius[j] > 0
        a = self._angle(j, u)
        around = self.radius[j][..., None] * np.stack([np.cos(a), np.sin(a)], axis=-1)
        along = np.asarray(u)[..., None] * self.toward[j]
        return np.asarray(self.start[j] + np.where(arc[..., None], around, along))

    def frame(self, j: Floats, u: Floats) -> tuple[Floats, Floats, Floats]:
        """Return tangents ``(..., 2)``, unit normals out of the set ``(..., 2)`` and curvatures ``(...)`` (1/inch).

        The second derivative of the place is the normal times minus the curvature.
        """
        arc = (self.radius[j] > 0)[..., None]
        a = self._angle(j, u)
        cos, sin = np.cos(a), np.sin(a)
        tangent = np.where(arc, np.stack([-sin, cos], axis=-1), self.toward[j])
        normal = np.where(arc, np.stack([cos, sin], axis=-1), self.normal[j])
        with np.errstate(divide="ignore"):
            curve = np.where(arc[..., 0], 1 / self.radius[j], 0.0)
        return np.asarray(tangent), np.asarray(normal), np.asarray(curve)

    def _angle(self, j: Floats, u: Floats) -> Floats:
        radius = self.radius[j]
        return np.asarray(self.toward[j][..., 0] + u / np.where(radius > 0, radius, 1.0))

    def nearest(self, p: Floats) -> tuple[Floats, Floats]:
        """Return the nearest parameters and the distances ``(n, m)`` of places ``(n, 2)`` on every piece, inches."""
        d = p[:, None, :] - self.start
        arc = self.radius > 0
        radius = np.where(arc, self.radius, 1.0)
        turn = (np.arctan2(d[..., 1], d[..., 0]) - self.toward[:, 0]) % TAU
        past = turn * radius
        over = past > self.length
        back = (TAU - turn) * radius < past - self.length
        around = np.where(over, np.where(back, 0.0, self.length), past)
        along = np.clip(d[..., 0] * self.toward[:, 0] + d[..., 1] * self.toward[:, 1], 0.0, self.length)
        u = np.where(arc, around, along)
        j = np.broadcast_to(np.arange(len(self.length)), u.shape)
        apart = np.hypot(*np.moveaxis(self.at(j, u) - p[:, None, :], -1, 0))
        return u, np.asarray(apart)
