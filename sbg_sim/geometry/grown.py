"""Grown shapes: the places a disc's centre may not be, and where a step weighs double.

A grown set is every point nearer than ``rho`` to a segment (an open capsule), for many segments, together with
the inside of closed rings. Bases, zones, walls and difficult ground all are such sets for the mover's centre.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.geometry.boxes import Boxes, boxes_meet
from sbg_sim.geometry.spines import chords, gaps2, in_rings, points_spines, points_spines2
from sbg_sim.tolerance import HAIR, RIM, ROUNDED, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.geometry.shapes import Shape

_MANY: Final = 1_000_000
"""Pairs of a point and a side that are compared at once."""

_FEW: Final = 20_000
"""Pairs of a point and a side up to which comparing all is quicker than first excluding distant pairs."""

_ASKED: Final = 8
"""Capsules near a point that are tested first if there are many."""


@dataclass(frozen=True)
class Grown:
    """An open grown set.

    Parameters
    ----------
    spines
        Segments ``(n, 4)`` as ``ax, ay, bx, by``; a disc has both ends alike.
    rho
        Radii ``(n,)``, inches.
    rings
        Closed rings whose inside belongs to the set, each ``(m, 2)``; even-odd within one ``group``.
    owner
        For each spine the index of the piece it came from, ``(n,)``.
    groups
        For each ring the index of the piece it came from.
    edge
        The boundary, where it is known, as rows of six (inches): of a segment ``x, y`` of its start, unit direction,
        length, 0; of an arc centre, unit vector towards its middle, cosine of half its span, radius.

    """

    spines: Floats
    rho: Floats
    rings: tuple[Floats, ...] = ()
    owner: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    groups: tuple[int, ...] = ()
    edge: Floats | None = None

    @property
    def empty(self) -> bool:
        """Whether the set holds no point."""
        return len(self.rho) == 0

    @cached_property
    def _filled(self) -> tuple[list[int], Floats, Ints]:
        """The groups, every side of every ring ``(m, 4)``, and for each side the index of its group."""
        groups = list(dict.fromkeys(self.groups))
        rings = [np.asarray(ring) for ring in self.rings]
        sides = [np.concatenate([ring, np.roll(ring, -1, axis=0)], axis=1) for ring in rings]
        of = [np.full(len(ring), groups.index(g)) for g, ring in zip(self.groups, rings, strict=True)]
        return groups, np.concatenate([np.zeros((0, 4)), *sides]), np.concatenate([np.zeros(0, dtype=np.int64), *of])

    @cached_property
    def _ring_boxes(self) -> Floats:
        """Bounding boxes of the rings of each group ``(m, 4)``."""
        groups, sides, of = self._filled
        boxes = np.tile([np.inf, np.inf, -np.inf, -np.inf], (len(groups), 1))
        np.minimum.at(boxes[:, :2], of, sides[:, :2])
        np.maximum.at(boxes[:, 2:], of, sides[:, :2])
        return boxes

    @cached_property
    def ends(self) -> tuple[Floats, Ints]:
        """The discs about the ends of the spines, each once ``(m, 3)``, and for each the first spine it belongs to."""
        rows = np.column_stack([self.spines.reshape(-1, 2), np.repeat(self.rho, 2)])
        discs, first = np.unique(rows, axis=0, return_index=True)
        return discs, first // 2

    @cached_property
    def end_boxes(self) -> Boxes:
        """Bounding boxes of the discs of :attr:`ends`, wider by TOUCH."""
        at, r = np.split(self.ends[0], [2], axis=1)
        return Boxes(np.concatenate([at - r - TOUCH, at + r + TOUCH], axis=1))

    @cached_property
    def long(self) -> Bools:
        """Which capsules are more than a disc ``(n,)``."""
        return np.asarray((self.spines[:, :2] != self.spines[:, 2:]).any(axis=1))

    @cached_property
    def boxes(self) -> Floats:
        """Bounding boxes of the capsules, wider by TOUCH: ``(n, 4)`` as ``x0, y0, x1, y1``."""
        s, r = self.spines, self.rho + TOUCH
        low = np.minimum(s[:, :2], s[:, 2:]) - r[:, None]
        high = np.maximum(s[:, :2], s[:, 2:]) + r[:, None]
        return np.concatenate([low, high], axis=1)

    @cached_property
    def long_boxes(self) -> Boxes:
        """Boxes of the capsules that are more than a disc."""
        return Boxes(self.boxes[self.long])

    @cached_property
    def _whole_boxes(self) -> Floats:
        """Bounding boxes of all capsules and rings of each owner ``(m, 4)``, wider by TOUCH."""
        owner = self.owner if len(self.owner) == len(self.rho) else np.zeros(len(self.rho), dtype=np.int64)
        _, which = np.unique(owner, return_inverse=True)
        s, r = self.spines, np.abs(self.rho) + TOUCH
        boxes = np.tile([np.inf, np.inf, -np.inf, -np.inf], (int(which.max(initial=-1)) + 1, 1))
        np.minimum.at(boxes[:, :2], which, np.minimum(s[:, :2], s[:, 2:]) - r[:, None])
        np.maximum.at(boxes[:, 2:], which, np.maximum(s[:, :2], s[:, 2:]) + r[:, None])
        return boxes

    def beside(self, p: Floats, q: Floats) -> Ints:
        """Return which segments ``pq`` (``(n, 2)`` each) meet the box of any owner, in order."""
        i = boxes_meet(self._whole_boxes, np.minimum(p, q), np.maximum(p, q))[0]
        return np.flatnonzero(np.bincount(i, minlength=len(p)))

    @cached_property
    def _capsule_boxes(self) -> Boxes:
        return Boxes(self.boxes)

    @cached_property
    def _edge_boxes(self) -> Boxes:
        x, y, dx, dy, size, radius = self._edge.T
        arc = radius > 0
        wide = np.where(arc, radius * np.sqrt(2 * np.maximum(1 - size, 0.0)), 0.0) + TOUCH
        x0, y0 = x + np.where(arc, radius * dx, 0.0), y + np.where(arc, radius * dy, 0.0)
        x1, y1 = np.where(arc, x0, x + size * dx), np.where(arc, y0, y + size * dy)
        low = np.stack([np.minimum(x0, x1) - wide, np.minimum(y0, y1) - wide], axis=1)
        high = np.stack([np.maximum(x0, x1) + wide, np.maximum(y0, y1) + wide], axis=1)
        return Boxes(np.concatenate([low, high], axis=1))

    @property
    def _edge(self) -> Floats:
        assert self.edge is not None
        return self.edge

    def without(self, owner: int) -> Grown:
        """Return the set without the capsules and rings of one owner."""
        keep = self.owner != owner
        rings = [(ring, group) for ring, group in zip(self.rings, self.groups, strict=True) if group != owner]
        of = tuple(group for _, group in rings)
        return Grown(self.spines[keep], self.rho[keep], tuple(ring for ring, _ in rings), self.owner[keep], of)

    def capsules(self, which: Bools) -> Grown:
        """Return some of the capsules alone, without rings."""
        return Grown(self.spines[which], self.rho[which], (), self.owner[which], ())

    def meeting(self, low: Floats, high: Floats) -> tuple[Ints, Ints]:
        """Return which boxes from ``low`` to ``high`` (``(n, 2)`` each) meet which capsules' boxes, pair by pair."""
        return self._capsule_boxes.meeting(low, high)

    def crossed(self, p: Floats, q: Floats) -> tuple[Ints, Ints]:
        """Return which segments ``pq`` (``(n, 2)`` each) meet which capsules' boxes, pair by pair."""
        return self._capsule_boxes.crossed(p, q)

    def breaks(self, p: Floats, q: Floats) -> tuple[Ints, Floats]:
        """Return parameters in (0, 1) at which segments ``pq`` may enter or leave the set, each with its segment.

        If the boundary is known these are its crossings; else the crossings of all capsules' rims.
        """
        if self.edge is None:
            return segments_meet(p, q, self)
        i, j = self._edge_boxes.crossed(p, q)
        row, t = _crossed(p[i], q[i], self.edge[j])
        return i[row], t

    def clears(self, p: Floats, slack: float) -> Bools:
        """Say whether points ``(n, 2)`` lie at most some inches deep in the set; quicker than :meth:`clearance`."""
        if self.empty:
            return np.ones(len(p), dtype=bool)
        if float(self.rho.min()) <= slack:
            # The distance from thin capsules does not tell how deep a point lies inside the rings.
            near = self._in_ring(p)
            near[self.meeting(p, p)[0]] = True
            near[near] = self.clearance(p[near]) < -slack
            return ~near
        (i, j), ok = self.meeting(p, p), np.ones(len(p), dtype=bool)
        if len(i) > 2 * _ASKED * len(p):
            # Amid many capsules most points lie deep in more than one of them.
            first = np.arange(len(i)) - np.searchsorted(i, i) < _ASKED
            ok[self._deep(p, i[first], j[first], slack)] = False
            left = np.flatnonzero(~first & ok[i])
            i, j = i[left], j[left]
        ok[self._deep(p, i, j, slack)] = False
        ok[ok] = ~self._in_ring(p[ok])
        return ok

    def _deep(self, p: Floats, i: Ints, j: Ints, slack: float) -> Ints:
        """Return the points ``i`` of all ``p`` that lie deeper than ``slack`` (inches) in capsules ``j``."""
        return i[points_spines2(p[i], self.spines[j]) < np.square(self.rho[j] - slack)]

    def _in_ring(self, p: Floats) -> Bools:
        """Say which points ``(n, 2)`` lie inside the rings."""
        groups, sides, of = self._filled
        if not groups:
            return np.zeros(len(p), dtype=bool)
        if len(p) * len(sides) <= _FEW:
            return np.asarray(in_rings(p, sides, of, len(groups)).any(axis=1))
        # Outside the box about the rings of a group no point lies within them.
        found, (i, k) = np.zeros(len(p), dtype=bool), boxes_meet(self._ring_boxes, p, p)
        for n in np.unique(k).tolist():
            rows, group_sides = i[k == n], sides[of == n]
            one, step = np.zeros(len(group_sides), dtype=np.int64), max(1, _MANY // len(group_sides))
            for some in (rows[at : at + step] for at in range(0, len(rows), step)):
                found[some] |= in_rings(p[some], group_sides, one, 1)[:, 0]
        return found

    def clearance(self, p: Floats) -> Floats:
        """Signed distance from points ``(..., 2)`` to the set: negative inside, inches."""
        shape = p.shape[:-1]
        if self.empty:
            return np.full(shape, math.inf)
        flat = p.reshape(-1, 2)
        out = (points_spines(flat, self.spines) - self.rho).min(axis=1)
        groups, edges, of = self._filled
        inside = in_rings(flat, edges, of, len(groups))
        for k in np.flatnonzero(inside.any(axis=0)).tolist():
            here, of_group = inside[:, k], self.owner == groups[k]
            d = points_spines(flat[here], self.spines[of_group]) + self.rho[of_group]
            out[here] = np.minimum(out[here], -d.min(axis=1))
        return np.asarray(out.reshape(shape))


def grown(shapes: Iterable[tuple[Shape, float]]) -> Grown:
    """Grow shapes, each by its own radius (inches), into one set; owners count the shapes in order."""
    spines, rho, owner, rings, groups = [], [], [], [], []
    for i, (shape, r) in enumerate(shapes):
        caps = shape.capsules
        spines.append(caps)
        rho.append(np.full(len(caps), shape.radius + r))
        owner.append(np.full(len(caps), i, dtype=np.int64))
        for ring in shape.rings:
            rings.append(np.array(ring))
            groups.append(i)
    if not spines:
        return Grown(np.zeros((0, 4)), np.zeros(0))
    return Grown(np.concatenate(spines), np.concatenate(rho), tuple(rings), np.concatenate(owner), tuple(groups))


def along_edges(shape: Shape, rho: float) -> Grown:
    """Return the places nearer than ``rho`` (inches) to the segments that carry a shape's edge, on either side."""
    sides = shape.capsules
    return Grown(sides, np.full(len(sides), rho), (), np.zeros(len(sides), dtype=np.int64))


def discs(centres: Sequence[tuple[float, float, float]]) -> Grown:
    """Make a grown set of discs given as ``(x, y, radius)``, inches."""
    c = np.array(centres, dtype=float).reshape(-1, 3)
    return Grown(c[:, [0, 1, 0, 1]], c[:, 2], (), np.arange(len(c)), ())


def joined(*parts: Grown) -> Grown:
    """Put grown sets together; owners are renumbered in order."""
    spines, rho, owner, rings, groups = [], [], [], [], []
    base = 0
    edges = [part.edge for part in parts if not part.empty]
    for part in parts:
        spines.append(part.spines)
        rho.append(part.rho)
        owner.append(part.owner + base)
        rings += list(part.rings)
        groups += [g + base for g in part.groups]
        base += int(part.owner.max()) + 1 if len(part.owner) else 0
    if not spines:
        return Grown(np.zeros((0, 4)), np.zeros(0))
    edge = None if any(e is None for e in edges) else np.concatenate([np.zeros((0, 6)), *edges])
    return Grown(np.concatenate(spines), np.concatenate(rho), tuple(rings), np.concatenate(owner), tuple(groups), edge)


def segments_clear(p: Floats, q: Floats, body: Grown, slack: float) -> Bools:
    """Say which segments ``pq`` (``(n, 2)`` each) lie at most some inches deep in the capsules of a set."""
    ok = np.ones(len(p), dtype=bool)
    if body.empty or not len(p):
        return ok
    i, j = body.crossed(p, q)
    near = gaps2(p[i], q[i], body.spines[j]) < np.square(np.maximum(body.rho[j] - slack, 0.0))
    ok[i[near]] = False
    return ok


def crossings(p: Floats, q: Floats, body: Grown) -> Floats:
    """Return parameters in [0, 1] at which segments ``pq`` meet the rims of capsules ``(n, 6 m)``; 1 for no meeting."""
    i, j = np.broadcast_arrays(np.arange(len(p))[:, None], np.arange(len(body.rho)))
    t = _met(p[i.ravel()], q[i.ravel()], body.spines[j.ravel()], body.rho[j.ravel()])
    return t.reshape(6, *i.shape).transpose(1, 0, 2).reshape(len(p), 6 * len(body.rho))


def segments_meet(p: Floats, q: Floats, body: Grown) -> tuple[Ints, Floats]:
    """Return segments ``pq`` that meet rims of a grown set's capsules, and parameters in (0, 1), pair by pair."""
    if body.empty or not len(p):
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    i, j = body.meeting(np.minimum(p, q), np.maximum(p, q))
    t = _met(p[i], q[i], body.spines[j], body.rho[j])
    kind, k = np.nonzero(t < 1)
    return i[k], t[kind, k]


def parts(length: Floats, breaks: Sequence[tuple[Ints, Floats]]) -> tuple[Ints, Floats, Floats]:
    """Cut lines of given lengths ``(n,)`` at breaks (index, inches along): line, begin and end of every part."""
    every = np.arange(len(length))
    row = np.concatenate([every, every, *(i for i, _ in breaks)])
    u = np.concatenate([np.zeros(len(length)), length, *(at for _, at in breaks)])
    inside = (u >= 0) & (u <= length[row])
    row, u = row[inside], u[inside]
    order = np.lexsort((u, row))
    row, u = row[order], u[order]
    same = row[1:] == row[:-1]
    return row[:-1][same], u[:-1][same], u[1:][same]


def _met(p: Floats, q: Floats, s: Floats, rho: Floats) -> Floats:
    """Return parameters of segments at the circles and sides of capsules, pair by pair: ``(6, n)``, 1 if not met."""
    e, d, found = q - p, s[:, 2:] - s[:, :2], []
    for end in (s[:, :2], s[:, 2:]):
        mid, half = chords(p, e, end, rho)
        found += [mid - half, mid + half]
    with np.errstate(divide="ignore", invalid="ignore"):
        n = np.hypot(d[:, 0], d[:, 1])
        nx, ny = -d[:, 1] / n, d[:, 0] / n
        en = e[:, 0] * nx + e[:, 1] * ny
        off = (s[:, 0] - p[:, 0]) * nx + (s[:, 1] - p[:, 1]) * ny
        found += [(off - rho) / en, (off + rho) / en]
    t = np.stack(found)
    return np.asarray(np.where((t > 0) & (t < 1), t, 1.0))


def _crossed(p: Floats, q: Floats, edge: Floats) -> tuple[Ints, Floats]:
    """Return where segments cross rows of a boundary, pair by pair: index of the pair and parameter in (0, 1).

    A little beyond the ends of a row counts as well, so that nothing slips through where two rows meet.
    """
    x, y, dx, dy, size, radius = edge.T
    ex, ey, ux, uy = q[:, 0] - p[:, 0], q[:, 1] - p[:, 1], x - p[:, 0], y - p[:, 1]
    arc = radius > 0
    k, arcs = np.flatnonzero(~arc), np.flatnonzero(arc)
    low, high = np.where(arc, radius * size, 0.0) - HAIR, np.where(arc, np.inf, size + HAIR)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = [(k, (ux[k] * dy[k] - uy[k] * dx[k]) / (ex[k] * dy[k] - ey[k] * dx[k]))]
        if len(arcs):
            mid, half = chords(p[arcs], (q - p)[arcs], edge[arcs, :2], radius[arcs])
            found += [(arcs, mid - half), (arcs, mid + half)]
        row, t = (np.concatenate(part) for part in zip(*found, strict=True))
        along = (t * ex[row] - ux[row]) * dx[row] + (t * ey[row] - uy[row]) * dy[row]
        on = (t > 0) & (t < 1) & (along >= low[row]) & (along <= high[row])
    return row[on], t[on]


def inside_share(p: Floats, q: Floats, body: Grown) -> Floats:
    """Return the share of each segment ``pq`` that runs inside the open grown set: ``(n,)`` in [0, 1]."""
    row, begin, end = _inside(p, q, body)
    return np.asarray(np.bincount(row, weights=end - begin, minlength=len(p)), dtype=np.float64)


def inside_span(p: Floats, q: Floats, body: Grown) -> Floats:
    """Return the share ``(n,)`` of each segment ``pq`` from its first entry into the open set to its last exit."""
    row, begin, end = _inside(p, q, body)
    first, last = np.ones(len(p)), np.zeros(len(p))
    np.minimum.at(first, row, begin)
    np.maximum.at(last, row, end)
    return np.maximum(last - first, 0.0)


def _inside(p: Floats, q: Floats, body: Grown) -> tuple[Ints, Floats, Floats]:
    """Return the parts of segments inside the open grown set: index of the segment, begin and end as shares of it."""
    if body.empty or not len(p):
        return np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0)
    near = body.beside(p, q)
    if not len(near):
        return near, np.zeros(0), np.zeros(0)
    p, q = p[near], q[near]
    row, begin, end = parts(np.ones(len(p)), [body.breaks(p, q)])
    k = end - begin > ROUNDED
    row, begin, end = row[k], begin[k], end[k]
    at = p[row] + 0.5 * (begin + end)[:, None] * (q[row] - p[row])
    # A part that runs along the rim itself is not inside: the rim weighs like open ground.
    inside = ~body.clears(at, RIM)
    return near[row[inside]], begin[inside], end[inside]
