"""The panorama of an eye: the prisms about it, and the angles at which their outlines begin, end and cross.

Everything is relative to the eye: it is the origin, and a slope is rise over run. In the picture an edge at relative
height ``k`` is that edge scaled by ``1/|k|``: segments stay segments and circles stay circles.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sbg_sim.arrays import ranges
from sbg_sim.tolerance import GRAZE, ROUNDED, SHARE, TINY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Floats, Ints
    from sbg_sim.geometry.shapes import Shape


Place: TypeAlias = tuple[float, float, float]
"""A point in space, inches."""


@dataclass(frozen=True, slots=True)
class Prism:
    """An upright prism.

    Parameters
    ----------
    shape
        Its outline seen from above, inches.
    low, high
        The heights of its foot and its top, inches; ``high`` may be infinite.

    """

    shape: Shape
    low: float
    high: float


@dataclass(frozen=True)
class Round:
    """Capsules as arrays: ends ``(n, 4)``, radius, low, high (relative to the eye), owner."""

    ends: Floats
    radius: Floats
    low: Floats
    high: Floats
    owner: Ints

    def __bool__(self) -> bool:
        return len(self.owner) > 0


@dataclass(frozen=True)
class Cornered:
    """One polygon with its holes: edges ``(n, 4)`` relative to the eye."""

    edges: Floats
    low: float
    high: float
    owner: int


@dataclass(frozen=True)
class Panorama:
    """A target (``centre``, ``radius``, ``low``, ``high``) and the prisms in the way, all relative to the eye."""

    eye: Place
    centre: tuple[float, float]
    radius: float
    low: float
    high: float
    round: Round
    cornered: tuple[Cornered, ...]
    lapping: frozenset[int] = frozenset()  # prisms that share ground with the target
    abutting: tuple[tuple[int, int], ...] = ()  # pairs of polygons that may share an edge, in both orders

    @classmethod
    def make(cls, eye: Place, target: Prism, prisms: Sequence[Prism]) -> Panorama:
        """Shift everything so that the eye is the origin, and leave out prisms that no look can meet."""
        x, y, z = eye
        (tx, ty), radius = target.shape.spine[0], target.shape.radius
        low, high = target.low - z, target.high - z
        ends: list[Floats] = [np.zeros((0, 4))]
        rows: list[tuple[float, float, float, int]] = []
        cornered: list[Cornered] = []
        lapping: set[int] = set()
        shift = np.array([x, y, x, y])
        for i, prism in enumerate(prisms):
            if prism.high <= min(z, target.low) or prism.low >= max(z, target.high):
                continue
            edges = prism.shape.capsules - shift
            span = (prism.low - z, prism.high - z)
            if prism.shape.rings:
                cornered.append(Cornered(edges, *span, i))
            else:
                ends.append(edges)
                rows += [(prism.shape.radius, *span, i)] * len(edges)
            x0, y0, x1, y1 = prism.shape.bounds
            beside = max(x0 - tx, tx - x1, y0 - ty, ty - y1) >= radius
            if not beside and float(prism.shape.distance((tx, ty))) < radius:
                lapping.add(i)
        radii, lows, highs, owners = np.array(rows, dtype=float).reshape(-1, 4).T
        discs = Round(np.concatenate(ends), radii, lows, highs, owners.astype(np.intp))
        pairs = [
            (i, k)
            for i, k in itertools.combinations(range(len(cornered)), 2)
            if _abut(prisms[cornered[i].owner].shape, prisms[cornered[k].owner].shape)
        ]
        both = (*pairs, *((k, i) for i, k in pairs))
        here = (tx - x, ty - y)
        return cls(eye, here, radius, low, high, discs, tuple(cornered), frozenset(lapping), both)

    @property
    def distance(self) -> float:
        """The distance from the eye to the target's centre over the ground, inches."""
        return math.hypot(*self.centre)

    @property
    def facing(self) -> float:
        """Angle of the target's centre, radians."""
        return math.atan2(self.centre[1], self.centre[0])

    @property
    def half_width(self) -> float:
        """Half the angle under which the target is seen."""
        return math.asin(self.radius / self.distance) if self.distance > self.radius else math.pi

    def window(self, angles: Floats) -> Floats:
        """Sort angles, each once, leave out those that miss the target, and add its middle and its two tangents."""
        turn = np.remainder(angles - self.facing + math.pi, 2 * math.pi) - math.pi
        half = self.half_width
        turn = np.sort(np.concatenate([turn[np.abs(turn) < half], [-half, 0.0, half]]))
        fresh = np.concatenate([[True], np.diff(turn) > ROUNDED])
        return np.asarray(turn[fresh] + self.facing)

    def events(self) -> Floats:
        """Return the angles at which outlines begin and end: corners, and tangents of round ends."""
        ends = self.round.ends.reshape(-1, 2)
        away = np.hypot(ends[:, 0], ends[:, 1])
        radius = np.repeat(self.round.radius, 2)
        outside = away >= radius
        angle = np.arctan2(ends[outside, 1], ends[outside, 0])
        lean = np.arcsin(np.minimum(1.0, radius[outside] / np.maximum(away[outside], TINY)))
        corners = [np.arctan2(c.edges[:, 1], c.edges[:, 0]) for c in self.cornered]
        sides = _sides(self.round).reshape(-1, 2)
        straight = np.arctan2(sides[:, 1], sides[:, 0])
        return np.concatenate([angle - lean, angle + lean, straight, *corners])

    def crossings(self) -> Floats:
        """Return the angles at which two horizontal edges cross in the picture."""
        found = [np.zeros(0)]
        for sign in (-1.0, 1.0):
            segments, circles = self._picture(sign)
            found += [_segment_pairs(segments), _segment_circle_pairs(segments, circles), _circle_pairs(circles)]
        return np.concatenate(found)

    def _picture(self, sign: float) -> tuple[Floats, Floats]:
        """Return the edges above (or below) the eye as they look from it: segments and circles."""
        segments, circles = [np.zeros((0, 4))], [np.zeros((0, 3))]
        disc = np.array([[*self.centre, self.radius]])

        def draw(edges: Floats, discs: Floats, height: float) -> None:
            if height * sign > GRAZE and math.isfinite(height):
                segments.append(edges / abs(height))
                circles.append(discs / abs(height))

        for height in (self.low, self.high):
            draw(np.zeros((0, 4)), disc, height)
        sides = _sides(self.round).reshape(-1, 8)
        for i, owner in enumerate(self.round.owner):
            radius = self.round.radius[i]
            discs = np.column_stack([self.round.ends[i].reshape(2, 2), [radius, radius]])
            for height in self._heights(float(self.round.low[i]), float(self.round.high[i]), int(owner)):
                draw(sides[i].reshape(2, 4), discs, height)
                if owner in self.lapping:
                    draw(np.zeros((0, 4)), disc, height)
        for piece in self.cornered:
            for height in self._heights(piece.low, piece.high, piece.owner):
                draw(piece.edges, disc if piece.owner in self.lapping else np.zeros((0, 3)), height)
        return np.concatenate(segments), np.unique(np.concatenate(circles), axis=0)

    def _heights(self, low: float, high: float, owner: int) -> list[float]:
        """Return the heights of a prism's edges past which a look at the target could pass."""
        floor, ceiling = min(0.0, self.low), max(0.0, self.high)
        heights = [h for h, passes in ((low, low > floor), (high, high <= ceiling)) if passes]
        return [*heights, self.low, self.high] if owner in self.lapping else heights

    def chord(self, angles: Floats) -> tuple[Floats, Floats]:
        """Return where the target begins and ends along each angle, inches."""
        turn = angles - self.facing
        middle = self.distance * np.cos(turn)
        half = np.sqrt(np.maximum(0.0, self.radius**2 - (self.distance * np.sin(turn)) ** 2))
        return np.maximum(middle - half, GRAZE), np.maximum(middle + half, GRAZE)

    def slopes(self, angles: Floats) -> tuple[Floats, Floats]:
        """Return the least and the greatest slope of looks that meet the target, for each angle."""
        near, far = self.chord(angles)
        return self.low / (near if self.low <= 0 else far), self.high / (near if self.high >= 0 else far)


def _abut(one: Shape, other: Shape) -> bool:
    """Say whether two polygons may share part of an edge: then a corner of one is on an edge of the other."""
    a, b = one.bounds, other.bounds
    if not all(a[i] <= b[i + 2] + GRAZE and b[i] <= a[i + 2] + GRAZE for i in (0, 1)):
        return False
    return any(bool((s.edge_distance(t.capsules[:, :2]) <= GRAZE).any()) for s, t in ((one, other), (other, one)))


def _sides(discs: Round) -> Floats:
    """Return the two straight sides of each capsule, shape ``(n, 2, 4)``."""
    a, b = discs.ends[:, :2], discs.ends[:, 2:]
    d = b - a
    length = np.maximum(np.hypot(d[:, 0], d[:, 1]), TINY)
    n = np.column_stack([-d[:, 1], d[:, 0]]) * (discs.radius / length)[:, None]
    return np.stack([np.hstack([a + n, b + n]), np.hstack([a - n, b - n])], axis=1)


def _segment_pairs(segments: Floats) -> Floats:
    """Return the directions of the crossings among segments ``(n, 4)``, radians; parallel pairs have none."""
    i, j = np.triu_indices(len(segments), 1)
    p, q = segments[i, :2], segments[j, :2]
    d, e = segments[i, 2:] - p, segments[j, 2:] - q
    area = d[:, 0] * e[:, 1] - d[:, 1] * e[:, 0]
    cut = area != 0
    p, d, e, w, area = p[cut], d[cut], e[cut], (q - p)[cut], area[cut]
    t = (w[:, 0] * e[:, 1] - w[:, 1] * e[:, 0]) / area
    s = (w[:, 0] * d[:, 1] - w[:, 1] * d[:, 0]) / area
    hit = (t >= -SHARE) & (t <= 1 + SHARE) & (s >= -SHARE) & (s <= 1 + SHARE)
    found = p[hit] + t[hit, None] * d[hit]
    return np.asarray(np.arctan2(found[:, 1], found[:, 0]))


def _segment_circle_pairs(segments: Floats, circles: Floats) -> Floats:
    """Return the directions of the crossings of segments ``(n, 4)`` with circles ``(m, 3)``, radians."""
    a = segments[:, None, :2]
    d = segments[:, None, 2:] - a
    length = np.hypot(d[..., 0], d[..., 1])
    d = d / np.where(length > 0, length, 1.0)[..., None]
    w = circles[None, :, :2] - a
    foot = w[..., 0] * d[..., 0] + w[..., 1] * d[..., 1]
    off = w[..., 0] * d[..., 1] - w[..., 1] * d[..., 0]
    radius = circles[None, :, 2]
    hit = (np.abs(off) <= radius * (1 + SHARE)) & (length > 0)
    half = np.sqrt(np.maximum(0.0, radius**2 - off**2))
    found = [np.zeros(0)]
    for t in (foot - half, foot + half):
        inside = hit & (t >= -SHARE * length) & (t <= length * (1 + SHARE))
        spot = (a + t[..., None] * d)[inside]
        found.append(np.arctan2(spot[:, 1], spot[:, 0]))
    return np.concatenate(found)


def _circle_pairs(circles: Floats) -> Floats:
    """Return the directions of the crossings among circles ``(n, 3)``, radians."""
    i, j = np.triu_indices(len(circles), 1)
    a, b = circles[i, :2], circles[j, :2]
    r, s = circles[i, 2], circles[j, 2]
    apart = np.hypot(*(b - a).T)
    hit = (apart > 0) & (apart <= (r + s) * (1 + SHARE)) & (apart >= np.abs(r - s) * (1 - SHARE))
    a, b, r, s, apart = a[hit], b[hit], r[hit], s[hit], apart[hit]
    d = (b - a) / apart[:, None]
    foot = (apart**2 + r**2 - s**2) / (2 * apart)
    half = np.sqrt(np.maximum(0.0, r**2 - foot**2))
    normal = np.column_stack([-d[:, 1], d[:, 0]])
    spots = np.concatenate([a + foot[:, None] * d + sign * half[:, None] * normal for sign in (-1, 1)])
    return np.asarray(np.arctan2(spots[:, 1], spots[:, 0]))


def round_spans(discs: Round, angles: Floats, grow: float) -> tuple[Floats, Floats]:
    """Return where each capsule begins and ends along each angle, shape ``(angles, capsules)``.

    Ends of shape ``(angles, capsules, 4)`` are taken each relative to the start of its own ray.
    """
    ux, uy = np.cos(angles)[:, None], np.sin(angles)[:, None]
    radius = np.maximum(discs.radius + grow, 0.0)
    begin = np.full((len(angles), radius.shape[-1]), np.inf)
    end = -begin
    ends = discs.ends
    for x, y in ((ends[..., 0], ends[..., 1]), (ends[..., 2], ends[..., 3])):
        off = ux * y - uy * x
        middle = ux * x + uy * y
        half = np.sqrt(np.maximum(0.0, radius**2 - off**2))
        hit = np.abs(off) < radius
        begin = np.where(hit, np.minimum(begin, middle - half), begin)
        end = np.where(hit, np.maximum(end, middle + half), end)
    d = ends[..., 2:] - ends[..., :2]
    length = np.hypot(d[..., 0], d[..., 1])
    if (length > 0).any():
        dx, dy = d[..., 0] / np.maximum(length, TINY), d[..., 1] / np.maximum(length, TINY)
        x0 = -(ends[..., 0] * dx + ends[..., 1] * dy)
        y0 = ends[..., 0] * dy - ends[..., 1] * dx
        s, t = ux * dx + uy * dy, uy * dx - ux * dy
        s, t = np.where(s == 0, TINY, s), np.where(t == 0, TINY, t)
        x_near, x_far = np.sort(np.stack([-x0 / s, (length - x0) / s]), axis=0)
        y_near, y_far = np.sort(np.stack([(-radius - y0) / t, (radius - y0) / t]), axis=0)
        near, far = np.maximum(x_near, y_near), np.minimum(x_far, y_far)
        hit = (near < far) & (length > 0)
        begin = np.where(hit, np.minimum(begin, near), begin)
        end = np.where(hit, np.maximum(end, far), end)
    return np.maximum(begin, 0.0), end


def cornered_spans(piece: Cornered, angles: Floats) -> tuple[Floats, Floats]:
    """Return where a polygon's inside begins and ends along each angle, shape ``(angles, spans)``.

    Edges of shape ``(angles, edges, 4)`` are taken each relative to the start of its own ray.
    """
    ux, uy = np.cos(angles)[:, None], np.sin(angles)[:, None]
    px, py, qx, qy = np.moveaxis(piece.edges, -1, 0)
    cp, cq = ux * py - uy * px, ux * qy - uy * qx
    crosses = (cp > 0) != (cq > 0)
    # A ray crosses few of many edges.
    row, k = np.nonzero(crosses)
    t = cp[row, k] / (cp - cq)[row, k]
    ax, ay, bx, by = (piece.edges[k] if piece.edges.ndim == 2 else piece.edges[row, k]).T
    run = ux[row, 0] * (ax + t * (bx - ax)) + uy[row, 0] * (ay + t * (by - ay))
    row, run = row[run > 0], run[run > 0]
    order = np.lexsort((run, row))
    row, run = row[order], run[order]
    count = np.bincount(row, minlength=len(angles))
    odd = count % 2  # an odd number: the eye is inside
    width = 2 * max(1, int((count.max(initial=0) + 1) // 2))
    runs = np.full((len(angles), width), np.inf)
    runs[odd == 1, 0] = 0.0
    runs[row, ranges(odd, count)] = run
    return runs[:, 0::2], runs[:, 1::2]
