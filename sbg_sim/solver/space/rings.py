"""Circles round which a path can wrap: which arcs are open, what they cost, and the runs of nodes along them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.arrays import unit
from sbg_sim.geometry.breaks import circle_parts, circles_breaks
from sbg_sim.geometry.grown import discs
from sbg_sim.solver.space.configuration_space import Space, zone_discs
from sbg_sim.tolerance import ANGLE, RIM, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.rules.zones import Zone

_KEPT: Final = 8  # sets of spaces whose rings are in the cache
_FEW: Final = 40  # places per ring, below which one comparison of all arrays beats a search ring by ring


@dataclass
class Ring:
    """One circle of one space, cut into arcs all along which the same holds.

    Parameters
    ----------
    center, rho
        Inches.
    space
        Index of its space.
    angles
        Sorted angles ``(m,)`` between the arcs; arc ``i`` runs counter-clockwise from ``angles[i]`` to the next.
    open
        ``(2, m)``: whether arc ``i`` can be travelled by a free (row 0) or a bound (row 1) mover.
    weight
        ``(m,)``: cost of an inch of each arc, 1 or 2.
    inner
        ``(m,)``: which of the zones that hold the mover's start the arc lies in, as bits.
    nearer
        ``(2, m)``: whether travel along the arc, counter-clockwise (row 0) or clockwise, brings a free mover nearer to
        an enemy in whose zone it started, if it may never come nearer (ruling ``stuck_no_closer``).
    entries
        Angles at which the ring meets the rim of the target's zone, where a free mover can become bound.

    """

    center: tuple[float, float]
    rho: float
    space: int
    angles: Floats
    open: Bools
    weight: Floats
    inner: Ints
    nearer: Bools
    entries: Floats

    def __post_init__(self) -> None:
        self.width = np.diff(np.concatenate([self.angles, [self.angles[0] + math.tau]]))
        # The weight of the whole ring; 0 if it changes along the ring.
        self.even = float(self.weight[0]) if (self.weight == self.weight[0]).all() else 0.0

    @cached_property
    def steps(self) -> Ints:
        """The indices of the angles where the weight changes and both arcs beside are open."""
        if self.even:
            return np.zeros(0, dtype=np.int64)
        passable = self.open.any(axis=0)
        return np.flatnonzero((self.weight != np.roll(self.weight, 1)) & passable & np.roll(passable, 1))

    def closes_at(self, at: Point) -> bool:
        """Say whether an open stretch of the ring begins or ends at a place."""
        dx, dy = at[0] - self.center[0], at[1] - self.center[1]
        if abs(math.hypot(dx, dy) - self.rho) > TOUCH:
            return False
        passable, off = self.open.any(axis=0), (self.angles - math.atan2(dy, dx)) % math.tau
        near = np.minimum(off, math.tau - off) * self.rho <= TOUCH
        return bool((near & (passable != np.roll(passable, 1))).any())


@dataclass(frozen=True)
class RingRuns:
    """The runs of arcs on all rings, by way round (see :func:`ways_round`) and arc ``(4n, m)``.

    Parameters
    ----------
    number
        The number of the run that contains the arc; -1 if the arc does not exist.
    until, base
        Angle, radians, and cost, inches, from the beginning of the first run to the arc.
    closes
        Whether the way leads all round the ring without an end ``(4n,)``.

    """

    number: Ints
    until: Floats
    base: Floats
    closes: Bools


class RingArcs:
    """The arcs of many rings as arrays, to look up places on all of them at once.

    Parameters
    ----------
    rings
        The rings.

    """

    def __init__(self, rings: Sequence[Ring]) -> None:
        most = max((len(ring.angles) for ring in rings), default=1)
        n = len(rings)
        self.center = np.array([ring.center for ring in rings], dtype=float).reshape(n, 2)
        self.rho = np.array([ring.rho for ring in rings], dtype=float)
        self.count = np.array([len(ring.angles) for ring in rings], dtype=np.int64)
        self.angle = np.full((n, most), np.inf)
        self.open, passes = np.zeros((2, n, most), dtype=bool), np.zeros((n, 4, most), dtype=bool)
        self.width, self.cost, self.inner = np.zeros((n, most)), np.zeros((n, most)), np.zeros((n, most), np.int64)
        for k, ring in enumerate(rings):
            m = len(ring.angles)
            self.angle[k, :m], self.width[k, :m], self.inner[k, :m] = ring.angles, ring.width, ring.inner
            self.cost[k, :m] = ring.weight * ring.rho
            self.open[:, k, :m] = ring.open
            passes[k, :, :m] = np.repeat(ring.open, 2, axis=0)
            passes[k, :2, :m] &= ~ring.nearer
        # Whether each arc can be travelled, by way round.
        self.passes = passes.reshape(4 * n, most)
        upto = np.cumsum(self.width * self.cost, axis=1)
        self.begin, self.whole = upto - self.width * self.cost, upto[:, -1]
        self.middle, self.half = _hulls(rings)
        self.from_first = self.angle - self.angle[:, :1] if n else self.angle
        self.number = {(ring.space, *ring.center, ring.rho): k for k, ring in enumerate(rings)}

    def places(self, ring: Ints, theta: Floats) -> Floats:
        """Return the places ``(n, 2)`` at given angles on rings ``(n,)``."""
        return np.asarray(self.center[ring] + self.rho[ring, None] * unit(theta))

    def costs(self, ring: Ints, start: Floats, sweep: Floats, turn: Floats) -> Floats:
        """Return the costs of travel on rings ``(n,)`` from points ``(n, 2)`` by signed angles, inches.

        An arc past nothing, whose angle runs against its turn (±1), costs a negative amount.
        """
        first = np.arctan2(*(start - self.center[ring]).T[::-1])
        rel = (np.where(sweep >= 0, first, first + sweep) - self.angle[ring, 0]) % math.tau
        cost = self._since(ring, rel + np.abs(sweep)) - self._since(ring, rel)
        return np.asarray(np.where(sweep * turn >= 0, cost, -cost))

    def _since(self, ring: Ints, rel: Floats) -> Floats:
        """Return the cost from the first angle of each ring over ``rel`` radians, which may exceed a full turn."""
        turns, rest = np.divmod(rel, math.tau)
        i = self._index(ring, rest)
        into = (rest - self.from_first[ring, i]) * self.cost[ring, i]
        return np.asarray(turns * self.whole[ring] + self.begin[ring, i] + into)

    def locate(self, ring: Ints, theta: Floats, bound: Bools | Ints, stray: float = 0.0) -> Ints:
        """Return the index of the open arc at each angle on rings ``(n,)``; -1 where the arc is closed.

        An angle may ``stray`` up to that many inches into a closed arc; it then counts to the open arc beside it.
        """
        if not len(ring):
            return np.zeros(0, dtype=np.int64)
        m = self.count[ring]
        rel = (theta - self.angle[ring, 0]) % math.tau
        i = self._index(ring, rel)
        into = rel - self.from_first[ring, i]
        row = np.asarray(bound, dtype=np.int64)
        ok = self.open[row, ring, i]
        before, after = (i - 1) % m, (i + 1) % m
        edge = np.maximum(ANGLE, stray / self.rho[ring])
        use_before = ~ok & (into <= edge) & self.open[row, ring, before]
        use_after = ~ok & ~use_before & (self.width[ring, i] - into <= edge) & self.open[row, ring, after]
        return np.asarray(np.where(ok, i, np.where(use_before, before, np.where(use_after, after, -1))))

    def may_locate(self, ring: Ints, theta: Floats, bound: Bools) -> Bools:
        """Say whether angles on rings ``(n,)`` may be open: a quick test that rules out the widest closed stretch."""
        row = np.asarray(bound, dtype=np.int64)
        off = np.abs((theta - self.middle[row, ring] + np.pi) % math.tau - np.pi)
        return np.asarray(off <= self.half[row, ring] + TOUCH / self.rho[ring])

    def passed(self, ring: Ints, arc: Ints, bound: Bools | Ints, turn: Ints) -> Bools:
        """Say which located arcs ``(n,)`` of rings a free or a bound mover can travel with a turn."""
        return np.asarray((arc >= 0) & self.passes[ways_round(ring, bound, turn), arc])

    @cached_property
    def runs(self) -> RingRuns:
        """The runs of arcs for every way round the rings."""
        n, most = self.angle.shape
        way, arc = np.arange(4 * n)[:, None], np.arange(most)
        ring, count = way // 4, self.count[way // 4]
        real, before = arc < count, (arc - 1) % count
        order = np.where(way % 2 == 0, arc, count - 1 - arc) % count
        ok, inner = self.passes[way, order] & real, self.inner[ring, order]
        # A mover may not go back into a zone that it has left (CZ.4): a run ends there.
        entering = (way % 4 < 2) & ((inner & ~inner[way, before]) != 0)
        after_closed = ok & ~ok[way, before]
        cut = real & (~ok | after_closed | entering)
        # Begin where an open arc follows a closed one: the last arc is then closed, and rounding cannot confuse its end
        # with the beginning of the first.
        first = np.where(after_closed.any(axis=1), after_closed.argmax(axis=1), cut.argmax(axis=1))
        shifted = (arc + first[:, None]) % count
        order, cut = order[way, shifted], cut[way, shifted] & real
        number, until, base = np.full(order.shape, -1), *np.zeros((2, *order.shape))
        row, k = np.nonzero(real)
        at = row, order[row, k]
        number[at] = np.cumsum(cut, axis=1)[row, k]
        for out, every in ((until, self.width), (base, self.width * self.cost)):
            each = every[ring, order]
            out[at] = (np.cumsum(each, axis=1) - each)[row, k]
        return RingRuns(number, until, base, ~cut.any(axis=1))

    def _index(self, ring: Ints, rel: Floats) -> Ints:
        """Return the index of the arc at an angle ``rel`` counted from the ring's first angle."""
        if len(ring) < _FEW * len(self.rho):
            return np.asarray((self.from_first[ring] <= rel[:, None]).sum(axis=1) - 1)
        out = np.empty(len(ring), dtype=np.int64)
        order = np.argsort(ring, kind="stable")
        ends = np.searchsorted(ring[order], np.arange(len(self.rho) + 1))
        for k in range(len(self.rho)):
            rows = order[ends[k] : ends[k + 1]]
            out[rows] = np.searchsorted(self.from_first[k, : self.count[k]], rel[rows], side="right") - 1
        return out

    def into(self, ring: Ints, theta: Floats, arc: Ints, stray: float = 0.0) -> Floats:
        """Return how far angles lie beyond the beginning of given arcs, radians; ``stray`` as in :meth:`locate`."""
        rel = (theta - self.angle[ring, arc]) % math.tau
        rel = np.where(rel > math.tau - 2 * np.maximum(ANGLE, stray / self.rho[ring]), 0.0, rel)
        return np.asarray(np.minimum(rel, self.width[ring, arc]))

    def upto(self, ring: Ints, theta: Floats, arc: Ints, turn: Ints, stray: float = 0.0) -> Floats:
        """Return the costs from where travel with a turn enters given arcs to angles on them, inches."""
        into = self.into(ring, theta, arc, stray)
        return np.asarray(np.where(turn > 0, into, self.width[ring, arc] - into) * self.cost[ring, arc])


def _hulls(rings: Sequence[Ring]) -> tuple[Floats, Floats]:
    """Return middle and half width, by state, of the rest of each ring without its widest closed stretch, radians."""
    middle, half = np.zeros((2, len(rings))), np.full((2, len(rings)), -1.0)
    for k, ring in enumerate(rings):
        for state in (0, 1):
            open_ = np.flatnonzero(ring.open[state])
            if not len(open_):
                continue
            first, last = ring.angles[open_], ring.angles[open_] + ring.width[open_]
            gap = np.append(first[1:], first[0] + math.tau) - last
            j = int(gap.argmax())
            width = math.tau - float(gap[j])
            begin = float(np.append(first[1:], first[0] + math.tau)[j])
            middle[state, k], half[state, k] = begin + width / 2, width / 2
    return middle, half


@lru_cache(maxsize=_KEPT)
def make_rings(
    spaces: tuple[Space, ...], wanted: frozenset[tuple[float, float, float]] | None = None
) -> tuple[tuple[Ring, ...], RingArcs]:
    """Return the rings of all spaces, and their arcs as arrays; equal arguments give the cached rings.

    If ``wanted`` is given, rings are made on those circles ``(x, y, radius)`` only.
    """
    rings = tuple(ring for i, space in enumerate(spaces) for ring in _rings_of(i, space, wanted))
    return rings, RingArcs(rings)


def _rings_of(index: int, space: Space, wanted: frozenset[tuple[float, float, float]] | None) -> list[Ring]:
    """Return the rings of one space that are open anywhere."""
    zones = zone_discs(space.zones)
    circles: dict[tuple[float, float, float], bool] = {}
    for body, is_difficult in ((space.walls, False), (zones, False), (space.difficult, True)):
        for (ax, ay, bx, by), rho in zip(body.spines.tolist(), body.rho.tolist(), strict=True):
            if rho > 0:
                circles.setdefault((ax, ay, rho), is_difficult)
                circles.setdefault((bx, by, rho), is_difficult)
    if wanted is not None:
        circles = {circle: is_difficult for circle, is_difficult in circles.items() if circle in wanted}
    if not circles:
        return []
    every = np.array(list(circles))
    c, rho = every[:, :2], every[:, 2]
    difficult = np.array(list(circles.values()))
    cutters = [space.walls, zones, space.difficult, space.border]
    # An arc on the rim of one piece of difficult ground is of use only where no other piece covers it.
    stuck = [zone for zone in space.zones if zone.stuck]
    nearest = stuck if space.monotone else []
    row, angle, last, first, covered = circle_parts(
        c, rho, cutters, [True, False, difficult, False], _turning_points(nearest, c)
    )
    mid = angle + (last - angle) / 2
    points = c[row] + rho[row, None] * unit(mid)
    left = np.flatnonzero(~covered)
    free, bound, deep = np.zeros((3, len(row)), dtype=bool)
    inner = np.zeros(len(row), dtype=np.int64)
    free[left], bound[left] = space.states(points[left])
    deep[left] = ~space.difficult.clears(points[left], RIM)
    inner[left] = _inner(stuck, points[left])
    usable = ~deep | ~difficult[row]
    open_, weight = np.stack([free & usable, bound & usable]), np.where(deep, 2.0, 1.0)
    nearer = _nearer(nearest, c[row], mid, inner)
    keep = _changes(open_, weight, inner, nearer, first)
    begin = np.concatenate([[0], np.cumsum(keep)])[first]
    angle, weight, inner, first = angle[keep], weight[keep], inner[keep], begin
    open_, nearer = open_[:, keep], nearer[:, keep]
    # The angles at which the circles meet the target's zone.
    target = discs([] if space.target is None else [(*space.target.at, space.target.radius)])
    entered, at = circles_breaks(c, rho, target)
    rings = []
    for k, (x, y, radius) in enumerate(circles):
        s = slice(int(first[k]), int(first[k + 1]))
        if open_[:, s].any():
            of = open_[:, s], weight[s], inner[s], nearer[:, s]
            rings.append(Ring((x, y), radius, index, angle[s], *of, at[entered == k]))
    return rings


def _turning_points(stuck: Sequence[Zone], c: Floats) -> tuple[Ints, Floats]:
    """Return circles about centres ``(n, 2)``, by number, and the angles nearest to and farthest from each enemy."""
    away = c[:, None] - np.array([zone.at for zone in stuck]).reshape(-1, 2)
    toward = np.arctan2(away[..., 1], away[..., 0])
    angle = np.stack([toward, toward + math.pi], axis=-1) % math.tau % math.tau
    return np.repeat(np.arange(len(c)), 2 * len(stuck)), angle.ravel()


def _nearer(stuck: Sequence[Zone], c: Floats, angle: Floats, inner: Ints) -> Bools:
    """Say where travel round centres ``(n, 2)`` brings a mover nearer to an enemy, as in ``Ring.nearer``."""
    nearer = np.zeros((2, len(c)), dtype=bool)
    for k, zone in enumerate(stuck):
        x, y = (c - np.array(zone.at)).T
        by = y * np.cos(angle) - x * np.sin(angle)  # slope of the distance, counter-clockwise, up to a positive factor
        held = (inner >> k & 1).astype(bool)
        nearer |= held & np.stack([by < -TOUCH, by > TOUCH])
    return nearer


def _changes(open_: Bools, weight: Floats, inner: Ints, nearer: Bools, first: Ints) -> Bools:
    """Say which arcs ``(n,)`` differ from the arc before on the same circle; if none does, mark the circle's first."""
    before = np.arange(-1, len(weight) - 1)
    before[first[:-1]] = first[1:] - 1
    used: Bools = np.asarray(open_.any(axis=0))
    other = (open_ != open_[:, before]).any(axis=0) | (weight != weight[before]) | (inner != inner[before])
    other |= (nearer != nearer[:, before]).any(axis=0)
    keep = other & (used | used[before])  # between two closed arcs nothing changes
    alone = ~np.logical_or.reduceat(keep, first[:-1]) & used[first[:-1]]
    keep[first[:-1][alone]] = True
    return np.asarray(keep)


def _inner(stuck: Sequence[Zone], p: Floats) -> Ints:
    within = (zone.holds(p).astype(np.int64) << k for k, zone in enumerate(stuck))
    return sum(within, start=np.zeros(len(p), dtype=np.int64))


def make_runs(
    arcs: RingArcs, ids: Ints, ring: Ints, turn: Ints, theta: Floats, bound: Bools
) -> tuple[Ints, Floats, Ints, Ints, Ints]:
    """Sort nodes into runs along their rings, in the order of travel.

    Parameters
    ----------
    arcs
        The arcs of all rings.
    ids, ring, turn, theta
        The nodes, their rings, turns and angles (radians) ``(n,)``; a node on a closed arc is left out.
    bound
        The states of all nodes, by number.

    Returns
    -------
    Node, cost since the run's start (inches) and run number in order; ring and turn of every run.

    """
    state, runs = bound[ids].astype(np.int64), arcs.runs
    arc, way = arcs.locate(ring, theta, state), ways_round(ring, state, turn)
    # A run that ends at the rim of a zone reaches that very place, where the mover may become bound (CZ.4, CHG.3).
    before = (arc - turn) % arcs.count[ring]
    cut = np.flatnonzero((arc >= 0) & arcs.passes[way, before] & (runs.number[way, before] != runs.number[way, arc]))
    cut = cut[arcs.upto(ring[cut], theta[cut], arc[cut], turn[cut]) <= TOUCH]
    arc[cut] = before[cut]
    ok = arcs.passed(ring, arc, state, turn)
    ids, ring, turn, theta, arc, way = ids[ok], ring[ok], turn[ok], theta[ok], arc[ok], way[ok]
    place, run = runs.base[way, arc] + arcs.upto(ring, theta, arc, turn), runs.number[way, arc]
    again = np.flatnonzero(runs.closes[way])
    place = np.concatenate([place, place[again] + arcs.whole[ring[again]]])
    ids, way, run = (np.concatenate([column, column[again]]) for column in (ids, way, run))
    order = np.lexsort((place, run, way))
    way, run = way[order], run[order]
    new = (np.diff(way, prepend=-1) != 0) | (np.diff(run, prepend=-1) != 0)
    return ids[order], place[order], np.cumsum(new) - 1, way[new] // 4, 1 - 2 * (way[new] % 2)


def ways_round(ring: Ints | int, bound: Ints | Bools | int, turn: Ints | int) -> Ints:
    """Number the ways round rings: by ring, then free before bound, then counter-clockwise before clockwise."""
    return np.asarray(4 * ring + 2 * bound + (turn < 0))
