"""Many rim pieces in arrays: places, directions and nearest parameters of any number of them at once."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from sbg_sim.arrays import distances, ranges, unit
from sbg_sim.geometry.boxes import Boxes
from sbg_sim.geometry.breaks import each_once, first_met, ray_ends
from sbg_sim.geometry.spines import chords
from sbg_sim.tolerance import ABOUT, NOTCH_COSINE, SMOOTH_COSINE, TINY, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.geometry.pieces import Piece
    from sbg_sim.geometry.shapes import Point

_MANY: Final = 24  # up to this many pieces shorter than the spacing of samples, each is sampled
_AROUND: Final = 4  # spacings: this near a circle all tiny pieces are sampled
_CLOSE = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0])  # samples near a bend, in halves of its distance
_QUARTER: Final = np.array([-1.0, 1.0])  # factors that turn a direction, its coordinates swapped, by a quarter


class Rims:
    """Rim pieces as arrays.

    Parameters
    ----------
    pieces
        The pieces, in the order in which they are numbered.
    rim
        The number of the rim of each piece ``(n,)``; by default the pieces of one owner are one rim.

    """

    def __init__(self, pieces: Sequence[Piece], rim: Ints | None = None) -> None:
        self.start = np.array([q.start for q in pieces], dtype=float).reshape(-1, 2)
        self.toward = np.array([q.toward for q in pieces], dtype=float).reshape(-1, 2)
        self.normal = np.array([q.normal for q in pieces], dtype=float).reshape(-1, 2)
        self.length = np.array([q.length for q in pieces], dtype=float)
        self.radius = np.array([q.radius for q in pieces], dtype=float)
        self.rim = np.array([q.owner for q in pieces], dtype=np.int64) if rim is None else rim
        self._through: dict[Point, list[tuple[int, float]]] = {}

    @cached_property
    def ends(self) -> Floats:
        """The two ends of each piece ``(n, 2, 2)``, inches."""
        every = np.arange(len(self.length))
        return np.stack([self.at(every, np.zeros(len(every))), self.at(every, self.length)], axis=1)

    @cached_property
    def corners(self) -> tuple[Floats, Floats]:
        """The places ``(m, 2)`` of corners of the rims, and directions there out of the set.

        The corners of a grown set turn inward: an outward corner has become an arc.
        """
        every = np.arange(len(self.length))
        out = np.concatenate([self.frame(every, u)[1] for u in (0 * self.length, self.length)])
        at = self.ends.swapaxes(0, 1).reshape(-1, 2)
        i, j = np.nonzero(np.triu(distances(at, at) <= TOUCH, 1))
        turned = (out[i] * out[j]).sum(axis=1) < 1 - NOTCH_COSINE
        i, j = i[turned], j[turned]
        return np.asarray(at[i]), np.asarray(out[i] + out[j])

    @cached_property
    def boxes(self) -> Boxes:
        """Bounding boxes of the pieces, wider by TOUCH."""
        every = np.arange(len(self.length))
        places = np.stack([self.at(every, share * self.length) for share in (0.0, 0.5, 1.0)])
        # The sagitta of half an arc: so far it bulges beyond the chords of its halves.
        bulge = (self.radius * (1 - np.cos(self.length / np.maximum(4 * self.radius, TINY))) + TOUCH)[:, None]
        return Boxes(np.concatenate([places.min(axis=0) - bulge, places.max(axis=0) + bulge], axis=1))

    @cached_property
    def courses(self) -> tuple[Ints, Floats]:
        """For each piece the number of its course, and how far along the course it begins, inches."""
        every = np.arange(len(self.length))
        (first, out), (last, still) = (
            (self.at(every, u), self.frame(every, u)[1]) for u in (0 * self.length, self.length)
        )

        i, j = shapely.STRtree(shapely.points(first)).query(shapely.points(last), "dwithin", TOUCH)
        smooth = (still[i] * out[j]).sum(axis=1) > 1 - SMOOTH_COSINE
        goes_on = np.flatnonzero(smooth & (i != j) & (self.rim[i] == self.rim[j]))
        i, j = (v[goes_on] for v in (i, j))
        onward = np.full(len(every), -1)
        onward[i] = j
        course, begin = np.full(len(every), -1), np.zeros(len(every))
        # First the open courses, from their first pieces, then the closed ones.
        for start in [*np.setdiff1d(every, j).tolist(), *every.tolist()]:
            far, k, number = 0.0, start, int(course.max(initial=-1)) + 1
            while k >= 0 and course[k] < 0:
                course[k], begin[k] = number, far
                far, k = far + float(self.length[k]), onward[k]
        return course, begin

    @cached_property
    def place(self) -> Ints:
        """For each piece its rank in the order of courses."""
        course, begin = self.courses
        place = np.empty(len(course), dtype=np.int64)
        place[np.lexsort((begin + self.length, begin, course))] = np.arange(len(course))
        return place

    @cached_property
    def whole(self) -> Floats:
        """The lengths of the courses ``(m,)``, inches."""
        course, begin = self.courses
        found = np.zeros(int(course.max(initial=-1)) + 1)
        np.maximum.at(found, course, begin + self.length)
        return found

    @cached_property
    def _spread(self) -> float:
        """The distance between the begins of courses laid out on one line, inches: more than the longest course."""
        return 1.0 + float(self.whole.max(initial=0.0))

    @cached_property
    def _in_order(self) -> tuple[Ints, Ints, Floats]:
        """The pieces in the order of courses, the index there of each course's first, and their begins on one line."""
        order = np.argsort(self.place)
        first = np.searchsorted(self.courses[0][order], np.arange(len(self.whole) + 1))
        return order, first, self.along(order, np.zeros(len(order)))

    def on_piece(self, course: Ints, origin: Floats, u: Floats) -> tuple[Ints, Floats]:
        """Return piece and parameter of places ``u`` inches beyond origins on courses, ``(...)`` each.

        Beyond the ends of a course the last piece is extended. On a piece that begins at the origin the parameter is
        ``u`` to the bit.
        """
        order, first, starts = self._in_order
        k = first[course]
        if len(order) > len(self.whole):
            far = course * self._spread + np.clip(origin + u, 0.0, self.whole[course])
            k = np.clip(np.searchsorted(starts, far, side="right") - 1, k, first[course + 1] - 1)
        piece = order[k]
        return piece, origin - self.courses[1][piece] + u

    def along(self, j: Ints, u: Floats) -> Floats:
        """Return the positions of places on the one line on which all courses are laid out, inches."""
        course, begin = self.courses
        return np.asarray(course[j] * self._spread + begin[j] + u)

    def apart(self, j: Ints, u: Floats) -> Floats:
        """Return the distance along a course from the first to the second place of each pair ``(n, 2)``, inches."""
        begin = self.courses[1][j] if (j[:, 0] != j[:, 1]).any() else 0.0
        return np.asarray((begin + u) @ np.array([-1.0, 1.0]))

    def between(self, j: Ints, u: Floats, share: Floats | float) -> tuple[Ints, Floats]:
        """Return piece and parameter ``(n,)`` of the place a share of the way from one place of a course to another."""
        piece, at = j[:, 0].copy(), u[:, 0] + share * self.apart(j, u)
        k = np.flatnonzero(j[:, 0] != j[:, 1])
        if len(k):
            course, begin = self.courses
            piece[k], at[k] = self.on_piece(course[piece[k]], begin[piece[k]], at[k])
        return piece, at

    def at(self, j: Ints, u: Floats) -> Floats:
        """Return places ``(..., 2)`` on pieces ``j`` at parameters ``u`` (``(...)`` each, inches)."""
        radius, toward, u = self.radius[j], self.toward[j], np.asarray(u)
        moved = u[..., None] * toward
        arc = radius > 0
        if arc.any():
            radius = radius[arc]
            moved[arc] = radius[:, None] * unit(toward[arc][:, 0] + u[arc] / radius)
        return np.asarray(self.start[j] + moved)

    def frame(self, j: Ints, u: Floats) -> tuple[Floats, Floats, Floats]:
        """Return tangents ``(..., 2)``, unit normals out of the set ``(..., 2)`` and curvatures ``(...)`` (1/inch).

        The second derivative of the place is the normal times minus the curvature.
        """
        tangent, normal, radius = self.toward.take(j, axis=0), self.normal.take(j, axis=0), self.radius[j]
        arc, curve = radius > 0, np.zeros(np.shape(j))
        if arc.any():
            radius = radius[arc]
            out = normal[arc] = unit(tangent[arc][:, 0] + np.asarray(u)[arc] / radius)
            tangent[arc] = out[:, ::-1] * _QUARTER
            curve[arc] = 1 / radius
        return tangent, normal, curve

    def nearest(self, p: Floats) -> tuple[Floats, Floats]:
        """Return the nearest parameters and the distances ``(n, m)`` of places ``(n, 2)`` on every piece, inches."""
        u, apart = np.empty((2, len(p), len(self.length)))
        straight, arc = np.flatnonzero(self.radius == 0), np.flatnonzero(self.radius > 0)
        d, toward = p[:, None] - self.start[straight], self.toward[straight]
        u[:, straight] = along = np.clip((d * toward).sum(axis=2), 0.0, self.length[straight])
        apart[:, straight] = np.hypot(*np.moveaxis(d - along[..., None] * toward, -1, 0))
        if len(arc):
            d, radius, length = p[:, None] - self.start[arc], self.radius[arc], self.length[arc]
            turn = (np.arctan2(d[..., 1], d[..., 0]) - self.toward[arc, 0]) % math.tau
            past = turn * radius
            i, j = np.nonzero(past > length)  # beyond the arc: its nearer end
            end = np.where((math.tau - turn[i, j]) * radius[j] < past[i, j] - length[j], 0, 1)
            past[i, j] = length[j] * end
            off = np.abs(np.hypot(d[..., 0], d[..., 1]) - radius)
            off[i, j] = np.hypot(*(p[i] - self.ends[arc[j], end]).T)
            u[:, arc], apart[:, arc] = past, off
        return u, apart

    def evenly(self, spacing: float) -> tuple[Ints, Floats]:
        """Return the pieces and parameters (inches) of evenly spaced places along all pieces, ends included."""
        every = np.arange(len(self.length))
        steps = np.maximum(1, np.ceil(self.length / spacing).astype(np.int64))
        row = np.repeat(every, steps)
        u = ranges(np.zeros_like(steps), steps) * (self.length / steps)[row]
        return np.concatenate([row, every]), np.concatenate([u, self.length])

    def through(self, at: Point) -> list[tuple[int, float]]:
        """Return the pieces that go through a place, and where on them it lies, inches; cached by place."""
        if at not in self._through:
            u, apart = (part[0] for part in self.nearest(np.array([at])))
            self._through[at] = [(j, float(u[j])) for j in np.flatnonzero(apart <= TOUCH).tolist()]
        return self._through[at]

    def marks(
        self,
        spacing: float,
        anchors: Sequence[Point],
        circles: Sequence[tuple[float, float, float]] = (),
        ground: Floats | None = None,
    ) -> tuple[Ints, Floats]:
        """Sample all pieces, ever finer towards their ends and towards the feet of the perpendiculars from anchors.

        Near a place where a path bends, a crossing moves along the rim as fast as the other end of its link does. So
        the spacing there must be like the distance of that place, or the sampled cost says nothing.

        Parameters
        ----------
        spacing
            The greatest distance between samples, inches.
        anchors
            Places where paths can bend.
        circles
            Circles ``(x, y, radius)`` near which every piece is sampled, inches.
        ground
            The weight of each piece ``(n,)``: there is a sample wherever it changes.

        Returns
        -------
        Piece and parameter (inches) of every sample, in order.

        """
        every = np.arange(len(self.length))
        row, u = self.evenly(spacing)
        rows, places = [row], [u]
        for anchor in anchors:
            foot, gap = (row[0] for row in self.nearest(np.array([anchor])))
            # The foot itself always: a leap of the greatest length leads straight across from there alone.
            rows.append(every)
            places.append(foot)
            k = np.flatnonzero(gap < 4 * spacing)
            step = np.maximum(gap[k], ABOUT)[:, None] / 2 * _CLOSE
            i, j = np.nonzero(step < 2 * spacing)
            rows += [k[i], k[i]]
            places += [foot[k[i]] - step[i, j], foot[k[i]] + step[i, j]]
        rows += [every, every]
        places += [np.full(len(every), spacing / 4.0), self.length - spacing / 4.0]
        row, u = np.concatenate(rows), np.concatenate(places)
        inside = (u >= 0) & (u <= self.length[row]) & self._sampled(row, u, spacing, anchors, circles, ground)
        return each_once(row[inside], u[inside])

    def halved(self, row: Ints, u: Floats, least: float) -> tuple[Ints, Floats]:
        """Return samples with, between those of one piece more than ``least`` inches apart, their middles; in order."""
        wide = np.flatnonzero((np.diff(row) == 0) & (np.diff(u) > least + TOUCH))
        middles = (u[wide] + u[wide + 1]) / 2
        return each_once(np.concatenate([row, row[wide]]), np.concatenate([u, middles]))

    def _sampled(
        self,
        row: Ints,
        u: Floats,
        spacing: float,
        anchors: Sequence[Point],
        circles: Sequence[tuple[float, float, float]],
        ground: Floats | None,
    ) -> Bools:
        """Say which places are samples: in a row of many tiny pieces one stands for each stretch of a quarter spacing.

        The cost is as smooth along such a row as along one long piece; polishing carries crossings from piece to piece.
        """
        tiny = self.length < spacing
        if np.count_nonzero(tiny) <= _MANY:
            return np.ones(len(row), dtype=bool)
        far = tiny.copy()
        for anchor in anchors:
            far &= self.nearest(np.array([anchor]))[1][0] > spacing
        for x, y, rho in circles:
            far &= self.nearest(np.array([(x, y)]))[1][0] > rho + _AROUND * spacing
        stretch = np.floor(np.concatenate([[0.0], np.cumsum(self.length)]) / (spacing / 4))
        first = np.diff(stretch, prepend=-1.0)[:-1] > 0
        # A piece that does not touch the piece before it begins a row of its own.
        every = np.arange(len(self.length))
        ends = self.at(every, self.length)
        first[1:] |= np.hypot(*(self.at(every[1:], np.zeros(len(every) - 1)) - ends[:-1]).T) > spacing / 4
        # Where a smooth course ends, or other ground begins, the cost may have a kink.
        order = np.argsort(self.place)
        kinks = np.diff(self.courses[0][order], append=-1) != 0
        if ground is not None:
            kinks |= np.diff(ground[order], append=0.0) != 0
        last = order[kinks]
        sampled = shapely.STRtree(shapely.points(self.at(every[first], np.zeros(np.count_nonzero(first)))))
        twice, _ = sampled.query(shapely.points(ends[last]), "dwithin", TOUCH)
        last = np.delete(last, twice)
        return np.asarray(~far[row] | (first[row] & (u == 0.0)) | (np.isin(row, last) & (u == self.length[row])))

    # -- rays -----------------------------------------------------------------------------------------------

    def first_hit(self, p: Floats, angle: Floats, far: Floats, skip: float) -> tuple[Floats, Ints]:
        """Return the lengths of rays until they meet a piece beyond ``skip`` inches, and its number: ``(n,)`` each.

        Infinite if never; pieces farther away than ``far`` ``(n,)`` may be left out.
        """
        e = unit(angle)
        i, j = self.boxes.crossed(p, ray_ends(p, e, far))
        t = np.full(len(i), math.inf)
        with np.errstate(invalid="ignore", divide="ignore"):
            for kind, met in ((self.radius[j] == 0, self._to_segments), (self.radius[j] > 0, self._to_arcs)):
                t[kind] = met(p[i[kind]], e[i[kind]], j[kind], skip)
        return first_met(len(p), i, t, j)

    def first_of(self, j: Ints, p: Floats, q: Floats) -> tuple[int, float] | None:
        """Return the first of some pieces that a segment meets between its ends ``(2,)``, and where on it, inches."""
        far = float(np.hypot(*(q - p)))
        here, e = np.tile(p, (len(j), 1)), np.tile((q - p) / max(far, TINY), (len(j), 1))
        with np.errstate(invalid="ignore", divide="ignore"):
            t = np.where(self.radius[j] > 0, self._to_arcs(here, e, j, TOUCH), self._to_segments(here, e, j, TOUCH))
        k = int(t.argmin()) if len(j) else -1
        if k < 0 or not t[k] < far - TOUCH:
            return None
        return int(j[k]), float(self.nearest((p + t[k] * e[k])[None])[0][0, j[k]])

    def _to_segments(self, p: Floats, e: Floats, j: Ints, skip: float) -> Floats:
        """Return the lengths of rays until they meet one segment each ``(n,)``, infinite if never."""
        u, toward = self.start[j] - p, self.toward[j]
        cross = e[:, 0] * toward[:, 1] - e[:, 1] * toward[:, 0]
        t = (u[:, 0] * toward[:, 1] - u[:, 1] * toward[:, 0]) / cross
        along = (u[:, 0] * e[:, 1] - u[:, 1] * e[:, 0]) / cross
        return np.where((t > skip) & (along >= -skip) & (along <= self.length[j] + skip), t, math.inf)

    def _to_arcs(self, p: Floats, e: Floats, j: Ints, skip: float) -> Floats:
        """Return the lengths of rays until they meet one arc each ``(n,)``, infinite if never."""
        best, (mid, half) = np.full(len(j), math.inf), chords(p, e, self.start[j], self.radius[j])
        for t in (mid - half, mid + half):
            k = np.flatnonzero(t > skip)  # few rays meet the circle ahead of them
            x, y = (p[k] + t[k, None] * e[k] - self.start[j[k]]).T
            turn = (np.arctan2(y, x) - self.toward[j[k], 0]) % math.tau
            ok = turn <= self.length[j[k]] / self.radius[j[k]] + skip
            best[k[ok]] = np.minimum(best[k[ok]], t[k[ok]])
        return best
