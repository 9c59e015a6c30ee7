"""Rays over one space: how far a straight move leads until it is used up, blocked, or the ground changes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from sbg_sim.arrays import unit
from sbg_sim.geometry.breaks import first_exit, first_hit, into_discs
from sbg_sim.geometry.grown import grown
from sbg_sim.geometry.rims import Rims
from sbg_sim.geometry.spines import chords, point_segment_distance, points_spines, points_spines2
from sbg_sim.tolerance import HAIR, NARROW, NO_GAIN, SAGITTA, TINY, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Array, Bools, Floats, Ints
    from sbg_sim.geometry.grown import Grown
    from sbg_sim.rules.zones import Zone
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.space.configuration_space import Space


STRAIGHT_ON: Final = 0.9
"""Least cosine between the directions of two rays that determine the wavefront between them."""

_KINDS: Final = 100000  # base of the numbers of what ends rays: more than there are spines or pieces
_FINER: Final = 2  # times that a gap between two rays that end at different things is parted in eight
_STEPS: Final = (4, 2, 1)  # halves, quarters, eighths of a gap
_SAME: Final = 10 * HAIR  # radians: rays on the two sides of a critical direction
_BATCH: Final = 4_000_000  # pairs of a ray and a shape that may end it, in one array


class Caster:
    """Casts rays on one space of a tangent graph.

    Parameters
    ----------
    net
        The tangent graph.
    space
        Index of the space.
    limit
        Movement that may be used, inches.

    """

    def __init__(self, net: TangentGraph, space: int, limit: float) -> None:
        self.space: Space = net.spaces[space]
        self.limit = limit
        self.closed = self.space.closed
        self.stuck = [z for z in self.space.zones if z.stuck]
        self.rims = Rims([net.pieces[j] for j in net.difficult_on(space).tolist()])

    def cast(self, p: Floats, angle: Floats, cost: Floats) -> tuple[Floats, Ints]:
        """Cast rays.

        Parameters
        ----------
        p, angle, cost
            Where rays start ``(n, 2)`` (inches), their directions ``(n,)`` (radians) and the costs there ``(n,)``.

        Returns
        -------
        ends, end
            Where they end ``(n, 2)``, and the number of what ends them ``(n,)``: for used up movement, minus the weight
            of the ground.

        """
        step = max(1, _BATCH // (len(self.closed.rho) + len(self.rims.length) + 1))
        parts = [
            self._lengths(p[k : k + step], angle[k : k + step], cost[k : k + step]) for k in range(0, len(p), step)
        ]
        length = np.concatenate([part[0] for part in parts]) if parts else np.zeros(0)
        end = np.concatenate([part[1] for part in parts]) if parts else np.zeros(0, dtype=np.int64)
        return p + length[:, None] * unit(angle), end

    def _lengths(self, p: Floats, angle: Floats, cost: Floats) -> tuple[Floats, Ints]:
        """Return the lengths of rays, and the numbers of what ends them."""
        space, far = self.space, np.maximum(self.limit - cost, 0.0)
        hits = [first_hit(p, angle, far, self.closed, TOUCH), self._edge(p, angle)]
        hits += [self._stuck_in(zone, p, unit(angle)) for zone in self.stuck]
        weight = np.ones(len(p))
        if not space.difficult.empty:
            beyond = p + TOUCH * unit(angle)
            weight = space.weight(beyond)
            hits.append(self.rims.first_hit(p, angle, far, TOUCH))
        hits.append(((self.limit - cost) / weight, np.zeros(len(p), dtype=np.int64)))
        length, which = (np.stack([hit[n] for hit in hits]) for n in (0, 1))
        what, n = np.argmin(length, axis=0), np.arange(len(p))
        end = np.where(what == len(hits) - 1, -weight.astype(np.int64), what * _KINDS + which[what, n])
        return np.clip(length[what, n], 0.0, None), end

    def _stuck_in(self, zone: Zone, p: Floats, e: Floats) -> tuple[Floats, Ints]:
        """Return the lengths of rays, with directions ``(n, 2)``, by the rule of a zone the mover starts in (CZ.4)."""
        inside, disc = zone.holds(p), np.empty((len(p), 3))
        disc[:, :2], disc[:, 2] = zone.at, np.where(inside, zone.closest, zone.radius)
        out = into_discs(p, e, disc, TOUCH)
        if self.space.monotone:
            out[inside & ((e * (p - zone.at)).sum(axis=1) < -TOUCH)] = 0.0
        return out, inside.astype(np.int64)

    def cut(self, one: Floats, two: Floats, end: Ints) -> Floats:
        """Return how deep the middles of chords between rays ``(..., 2)`` cut into the shape that ends both, inches."""
        what, which = np.divmod(end, _KINDS)
        solid, stuck = what == 0, (what > 1) & (what < 2 + len(self.stuck))
        row = np.where(stuck, len(self.closed.rho) + 2 * (what - 2) + which, which)
        spine, rho = self._ending
        found = np.zeros(end.shape)
        k = np.nonzero(solid | stuck)
        found[k] = rho[row[k]] - np.sqrt(points_spines2((one[k] + two[k]) / 2, spine[row[k]]))
        k = np.nonzero(what == 2 + len(self.stuck))
        k = tuple(n[self.rims.radius[which[k]] > 0] for n in k)
        mid = (one[k] + two[k]) / 2 - self.rims.start[which[k]]
        found[k] = self.rims.radius[which[k]] - np.hypot(mid[..., 0], mid[..., 1])
        return found

    def between(self, end: Ints, fan: Ints) -> Bools:
        """Say which rays end between two others at the same wall or side of the table: a chord may leave them out."""
        what, which = np.divmod(end, _KINDS)
        straight = end < _KINDS + 4
        k = np.flatnonzero(what == 2 + len(self.stuck))
        straight[k] = self.rims.radius[which[k]] == 0
        same = np.concatenate([[False], (end[1:] == end[:-1]) & (fan[1:] == fan[:-1]), [False]])
        return np.asarray((end >= 0) & straight & same[1:] & same[:-1])

    def go_on(self, one: Floats, two: Floats, end: Ints, other: Ints) -> Bools:
        """Say whether chords between two rays ``(..., 2)`` run along two pieces of a rim that meet just beside them."""
        rim = 2 + len(self.stuck)
        found = np.zeros(end.shape, dtype=bool)
        k = np.nonzero((end // _KINDS == rim) & (other // _KINDS == rim))
        if not len(k[0]):
            return found
        a, b = (self.rims.ends[what[k] % _KINDS] for what in (end, other))
        apart = np.hypot(*np.moveaxis(a[:, :, None] - b[:, None], -1, 0)).reshape(-1, 4)
        nearest = apart.argmin(axis=1)
        n = np.arange(len(nearest))
        off = point_segment_distance(a[n, nearest // 2], one[k], two[k])
        found[k] = (apart[n, nearest] <= TOUCH) & (off <= SAGITTA)
        return found

    @cached_property
    def _ending(self) -> tuple[Floats, Floats]:
        """Spines and radii of walls and closed zones, then of the zones in which the mover starts, inches."""
        discs = np.array([(*z.at, *z.at, rho) for z in self.stuck for rho in (z.radius, z.closest)]).reshape(-1, 5)
        return np.concatenate([self.closed.spines, discs[:, :4]]), np.concatenate([self.closed.rho, discs[:, 4]])

    def _edge(self, p: Floats, angle: Floats) -> tuple[Floats, Ints]:
        """Return how far rays stay on the table and the level, inches, and the number of the edge they come to."""
        x0, y0, x1, y1 = self.space.box
        # Rounding must not end a ray along the table's edge.
        x0, y0, x1, y1 = x0 - TOUCH, y0 - TOUCH, x1 + TOUCH, y1 + TOUCH
        ex, ey = np.cos(angle), np.sin(angle)
        with np.errstate(divide="ignore", invalid="ignore"):
            tx = np.where(ex > 0, (x1 - p[:, 0]) / ex, np.where(ex < 0, (x0 - p[:, 0]) / ex, np.inf))
            ty = np.where(ey > 0, (y1 - p[:, 1]) / ey, np.where(ey < 0, (y0 - p[:, 1]) / ey, np.inf))
        out = np.maximum(np.minimum(tx, ty), 0.0)
        side = np.where(tx < ty, np.where(ex > 0, 0, 1), np.where(ey > 0, 2, 3))
        inside = self.space.inside
        if inside is not None and not inside.rings:
            mid, half = chords(p, unit(angle), np.array(inside.spine[0]), inside.radius - self.space.margin)
            round_ = mid + np.fmax(half, 0.0)  # rounding may leave no chord where a ray touches
            side = np.where(round_ < out, 4, side)
            out = np.minimum(out, round_)
        elif inside is not None and not self.space.margin:
            length, which = self._leaves(p, np.stack([ex, ey], axis=1))
            length = np.where(inside.depth(p) > TOUCH, 0.0, length)  # no ray starts off the level, as over a pit in it
            side = np.where(length < out, 5 + which, side)
            out = np.minimum(out, length)
        return np.asarray(out), side

    @cached_property
    def _level(self) -> Grown:
        """A level whose rim the centre may reach, grown by a hair for places on that rim."""
        assert self.space.inside is not None
        return grown([(self.space.inside, 2 * TOUCH)])

    def _leaves(self, p: Floats, ahead: Floats) -> tuple[Floats, Ints]:
        """Return how far rays stay on a level whose rim the centre may reach, inches, and the side they come to."""
        level, reach = self._level, self.limit + 1
        first = np.minimum(first_exit(p, p + reach * ahead, level, 0.0), 1.0)
        which = points_spines(p + reach * first[:, None] * ahead, level.spines).argmin(axis=1)
        return reach * first, which


@dataclass(frozen=True)
class Rays:
    """Fans of rays that leave circles along their tangents; a fan from a place has a circle of radius 0.

    Parameters
    ----------
    center, rho, turn
        By fan the circle ``(m, 2)``, ``(m,)`` (inches) and the turn ``(m,)``; a turn of 0 means straight out.
    fan
        The fan of each ray ``(n,)``, neighbours in order.
    theta
        The angle of each ray's start on the circle ``(n,)``, radians.
    cost
        The cost at its start ``(n,)``, inches.

    """

    center: Floats
    rho: Floats
    turn: Floats
    fan: Ints
    theta: Floats
    cost: Floats

    @property
    def start(self) -> Floats:
        """Where they start ``(n, 2)``, inches."""
        out = unit(self.theta)
        return np.asarray(self.center[self.fan] + self.rho[self.fan, None] * out)

    @property
    def angle(self) -> Floats:
        """Their directions ``(n,)``, radians."""
        return np.asarray(self.theta + self.turn[self.fan] * (math.pi / 2))

    def joined(self, other: Rays) -> Rays:
        """Return the rays of other fans after these."""
        fans = ((self.center, other.center), (self.rho, other.rho), (self.turn, other.turn))
        rays = ((self.fan, other.fan + len(self.rho)), (self.theta, other.theta), (self.cost, other.cost))
        parts: list[Array] = [np.concatenate(pair) for pair in (*fans, *rays)]
        return Rays(*parts)


def cast_finely(caster: Caster, rays: Rays, stray: float) -> tuple[Rays, Floats, Ints]:
    """Cast rays, and more rays between two neighbours that end at different things.

    Such gaps are halved repeatedly. Most of the time is spent per call, so all rays of three halvings are cast in one
    call, and those that no halving needs are dropped. A gap is also halved if its chord would cut deeper than ``stray``
    inches into the shape that ends both rays. Return the rays, their ends and the numbers of what ends them.
    """
    ends, end = caster.cast(rays.start, rays.angle, rays.cost)
    for _ in range(_FINER):
        k = np.flatnonzero(rays.fan[1:] == rays.fan[:-1])
        k = k[_gaps(caster, stray, (rays.theta[k], ends[k], end[k]), (rays.theta[k + 1], ends[k + 1], end[k + 1]))]
        if not len(k):
            break
        theta, cost = _eighths(rays.theta, k), _eighths(rays.cost, k)
        fan = np.repeat(rays.fan[k], theta.shape[1] - 2)
        more = replace(rays, fan=fan, theta=theta[:, 1:-1].ravel(), cost=cost[:, 1:-1].ravel())
        new_ends, new_end = caster.cast(more.start, more.angle, more.cost)
        every = _within(ends, new_ends, k), _within(end, new_end, k)
        j = np.flatnonzero(_wanted(caster, stray, theta, *every)[:, 1:-1])
        order = np.argsort(
            np.concatenate([np.arange(len(ends)), np.repeat(k, theta.shape[1] - 2)[j] + 0.5]), kind="stable"
        )
        have, new = (rays.fan, rays.theta, rays.cost, ends, end), (more.fan, more.theta, more.cost, new_ends, new_end)
        fan, theta, cost, ends, end = (np.concatenate([a, b[j]])[order] for a, b in zip(have, new, strict=True))
        rays = replace(rays, fan=fan, theta=theta, cost=cost)
    return rays, ends, end


def _eighths(value: Floats, k: Ints) -> Floats:
    """Interpolate a value between rays ``k`` and the rays after them in eighths: ``(m, 9)``, both ends included."""
    found = np.empty((len(k), 9))
    found[:, 0], found[:, 8] = value[k], value[k + 1]
    for step in _STEPS:
        found[:, step : 8 : 2 * step] = (found[:, : 8 : 2 * step] + found[:, 2 * step :: 2 * step]) / 2
    return found


def _within(have: Array, new: Array, k: Ints) -> Array:
    """Join the values of rays ``k``, of the new rays after each, and of the next old ones: ``(m, 9, ...)``."""
    between = new.reshape(len(k), 7, *have.shape[1:])
    return np.concatenate([have[k, None], between, have[k + 1, None]], axis=1)


def _wanted(caster: Caster, stray: float, *rays: Array) -> Bools:
    """Say which of the rays of gaps parted in eight repeated halving would cast ``(m, 9)``."""
    wanted = np.zeros(rays[0].shape, dtype=bool)
    wanted[:, ::4] = True
    for step in _STEPS[1:]:
        one, two = slice(None, 8, 2 * step), slice(2 * step, None, 2 * step)
        gap = _gaps(caster, stray, [v[:, one] for v in rays], [v[:, two] for v in rays])
        wanted[:, step : 8 : 2 * step] = wanted[:, one] & wanted[:, two] & gap
    return wanted


def _gaps(caster: Caster, stray: float, one: Sequence[Array], two: Sequence[Array]) -> Bools:
    """Say between which rays (directions, ends, what ends them) a further ray is needed."""
    (theta, ends, end), (beyond, far, other) = one, two
    d = far - ends
    apart = (np.hypot(d[..., 0], d[..., 1]) > NARROW) & (np.abs(beyond - theta) > _SAME)
    gap = (end != other) & ~caster.go_on(ends, far, end, other)
    if stray < math.inf:
        gap |= caster.cut(ends, far, end) > stray
    return np.asarray(apart & gap)


def wavefront(ends: Floats, angle: Floats, end: Ints, fan: Ints) -> tuple[Floats, Ints]:
    """Return the ends of rays, with one more place between neighbours where the movement is used up.

    The place lies beyond the chord by four thirds of an arc's sagitta, so that the two chords to it bound the same area
    as the arc.

    Parameters
    ----------
    ends, angle, end
        Where rays end ``(n, 2)`` (inches), their directions (radians) and what ends them ``(n,)``.
    fan
        The fan of each ray ``(n,)``; no place is added between two fans.

    Returns
    -------
    The places of the wavefront ``(m, 2)``, and which of them are the rays' own ends ``(n,)``.

    """
    if len(ends) < 2:
        return ends, np.arange(len(ends))
    d = unit(angle)
    bend = ((d[1:] - d[:-1]) * (ends[1:] - ends[:-1])).sum(axis=1)
    close = (
        ((d[1:] * d[:-1]).sum(axis=1) > STRAIGHT_ON) & (end[1:] < 0) & (end[1:] == end[:-1]) & (np.abs(bend) > NO_GAIN)
    )
    close &= fan[1:] == fan[:-1]
    mean = d[1:] + d[:-1]
    mean /= np.maximum(np.hypot(mean[:, 0], mean[:, 1]), TINY)[:, None]
    mid = (ends[1:] + ends[:-1]) / 2 + mean * (bend / 6)[:, None]
    own = np.arange(len(ends)) + np.concatenate([[0], np.cumsum(close)])
    points = np.empty((len(ends) + int(close.sum()), 2))
    points[own], points[own[:-1][close] + 1] = ends, mid[close]
    return points, own


def polygons(parts: Sequence[Floats]) -> Array:
    """Return polygons through rows of places; rows of fewer than three are left out."""
    parts = [part for part in parts if len(part) >= 3]
    if not parts:
        return np.zeros(0, dtype=object)
    which = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    return np.asarray(shapely.polygons(shapely.linearrings(np.concatenate(parts), indices=which)))
