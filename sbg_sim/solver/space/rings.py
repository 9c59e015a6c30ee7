"""Circles a path can wrap round: which arcs are open, what they cost, and how nodes are strung along them."""

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

_KEPT: Final = 8  # sets of spaces whose rings are remembered
_FEW: Final = 40  # places per ring up to which one comparison of all is quicker than a search ring by ring


@dataclass
class Ring:
    """One circle of one space.

    Parameters
    ----------
    center, rho
        Inches.
    space
        Index of its space.
    angles
        Sorted angles ``(m,)`` at which what the arc may do changes; arc ``i`` runs from ``angles[i]`` on.
    open
        ``(2, m)``: whether arc ``i`` can be travelled by a free (row 0) or a bound (row 1) mover.
    weight
        ``(m,)`` 1 or 2.
    inner
        ``(m,)`` which zones the arc lies in that the mover started in, as bits.
    nearer
        ``(2, m)``: whether travel along the arc, counter-clockwise (row 0) or clockwise, brings a free mover nearer to
        an enemy in whose zone it started, where it may never come nearer (ruling ``stuck_no_closer``).
    entries
        Angles at which the target's zone begins, so that a free mover can become bound.

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
        # The weight of all of it; 0 where it changes along the ring.
        self.even = float(self.weight[0]) if (self.weight == self.weight[0]).all() else 0.0

    @cached_property
    def steps(self) -> Ints:
        """At which angles the weight changes and a mover can go along the ring on both sides."""
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
    """The runs of all :func:`ways_round` rings, by way and arc ``(4n, m)``.

    Parameters
    ----------
    number
        The number of the run that an arc is part of; -1 for none.
    until, base
        How far it is, radians, and what it costs, inches, to come to the arc from where the first run begins.
    closes
        Which ways close on themselves ``(4n,)``.

    """

    number: Ints
    until: Floats
    base: Floats
    closes: Bools


class RingArcs:
    """The arcs of many rings as arrays, so that places on all of them are looked up at once.

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
        # Which arcs can be travelled, by way round.
        self.passes = passes.reshape(4 * n, most)
        upto = np.cumsum(self.width * self.cost, axis=1)
        self.begin, self.whole = upto - self.width * self.cost, upto[:, -1]
        self.middle, self.half = _hulls(rings)
        self.from_first = self.angle - self.angle[:, :1] if n else self.angle
        self.number = {(ring.space, *ring.center, ring.rho): k for k, ring in enumerate(rings)}

    def places(self, ring: Ints, theta: Floats) -> Floats:
        """Return the places ``(n, 2)`` at angles on rings."""
        return np.asarray(self.center[ring] + self.rho[ring, None] * unit(theta))

    def costs(self, ring: Ints, start: Floats, sweep: Floats, turn: Floats) -> Floats:
        """Cost of arcs on rings ``(n,)`` from points ``(n, 2)`` by signed angles, inches.

        Those past nothing, against their turn (±1), count negative.
        """
        first = np.arctan2(*(start - self.center[ring]).T[::-1])
        rel = (np.where(sweep >= 0, first, first + sweep) - self.angle[ring, 0]) % math.tau
        cost = self._since(ring, rel + np.abs(sweep)) - self._since(ring, rel)
        return np.asarray(np.where(sweep * turn >= 0, cost, -cost))

    def _since(self, ring: Ints, rel: Floats) -> Floats:
        """Cost since the first angle of each ring for angles counted on beyond a full turn."""
        turns, rest = np.divmod(rel, math.tau)
        i = self._index(ring, rest)
        into = (rest - self.from_first[ring, i]) * self.cost[ring, i]
        return np.asarray(turns * self.whole[ring] + self.begin[ring, i] + into)

    def locate(self, ring: Ints, theta: Floats, bound: Bools | Ints, stray: float = 0.0) -> Ints:
        """Arc index of angles on rings ``(n,)`` on which a mover can be, -1 where the arc is closed.

        Angles may ``stray`` by so much of the ring (inches) into a closed arc beside an open one.
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
        """Say quickly whether angles on rings ``(n,)`` lie between the outermost open arcs: if not, all is closed."""
        row = np.asarray(bound, dtype=np.int64)
        off = np.abs((theta - self.middle[row, ring] + np.pi) % math.tau - np.pi)
        return np.asarray(off <= self.half[row, ring] + TOUCH / self.rho[ring])

    def passed(self, ring: Ints, arc: Ints, bound: Bools | Ints, turn: Ints) -> Bools:
        """Say which arcs ``(n,)`` of rings, as located, can be travelled with a turn by a free or a bound mover."""
        return np.asarray((arc >= 0) & self.passes[ways_round(ring, bound, turn), arc])

    @cached_property
    def runs(self) -> RingRuns:
        """How the arcs follow one another, whichever way a mover goes round."""
        n, most = self.angle.shape
        way, arc = np.arange(4 * n)[:, None], np.arange(most)
        ring, count = way // 4, self.count[way // 4]
        real, before = arc < count, (arc - 1) % count
        order = np.where(way % 2 == 0, arc, count - 1 - arc) % count
        ok, inner = self.passes[way, order] & real, self.inner[ring, order]
        # Into a zone that has been left there is no way back (CZ.4).
        entering = (way % 4 < 2) & ((inner & ~inner[way, before]) != 0)
        after_closed = ok & ~ok[way, before]
        cut = real & (~ok | after_closed | entering)
        # Begin where an open arc follows a closed one: then nothing lies at the end of the last arc, where rounding
        # could not tell it from the beginning.
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
        """Number of the arc that holds an angle counted from the first of its ring."""
        if len(ring) < _FEW * len(self.rho):
            return np.asarray((self.from_first[ring] <= rel[:, None]).sum(axis=1) - 1)
        out = np.empty(len(ring), dtype=np.int64)
        order = np.argsort(ring, kind="stable")
        ends = np.searchsorted(ring[order], np.arange(len(self.rho) + 1))
        for k in range(len(self.rho)):
            mine = order[ends[k] : ends[k + 1]]
            out[mine] = np.searchsorted(self.from_first[k, : self.count[k]], rel[mine], side="right") - 1
        return out

    def into(self, ring: Ints, theta: Floats, arc: Ints, stray: float = 0.0) -> Floats:
        """By how much angles lie beyond the beginning of given arcs counter-clockwise, radians; ``stray`` as above."""
        rel = (theta - self.angle[ring, arc]) % math.tau
        rel = np.where(rel > math.tau - 2 * np.maximum(ANGLE, stray / self.rho[ring]), 0.0, rel)
        return np.asarray(np.minimum(rel, self.width[ring, arc]))

    def upto(self, ring: Ints, theta: Floats, arc: Ints, turn: Ints, stray: float = 0.0) -> Floats:
        """Cost of coming to angles from where travel with a turn comes to given arcs, inches; ``stray`` as above."""
        into = self.into(ring, theta, arc, stray)
        return np.asarray(np.where(turn > 0, into, self.width[ring, arc] - into) * self.cost[ring, arc])


def _hulls(rings: Sequence[Ring]) -> tuple[Floats, Floats]:
    """Return the middle and half the width of what is left of each ring without its widest closed stretch, by state."""
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
    """Make the rings of all spaces, or those on some circles ``(x, y, radius)`` alone, and their arcs as arrays.

    The same again for the same spaces.
    """
    rings = tuple(ring for i, space in enumerate(spaces) for ring in _rings_of(i, space, wanted))
    return rings, RingArcs(rings)


def _rings_of(index: int, space: Space, wanted: frozenset[tuple[float, float, float]] | None) -> list[Ring]:
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
    # The rim of difficult ground is of use only where it is the rim of all of it.
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
    # Where the circles enter the target's zone.
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
    """Return where circles about centres ``(n, 2)`` are nearest to and farthest from some models: circle and angle."""
    away = c[:, None] - np.array([zone.at for zone in stuck]).reshape(-1, 2)
    toward = np.arctan2(away[..., 1], away[..., 0])
    angle = np.stack([toward, toward + math.pi], axis=-1) % math.tau % math.tau
    return np.repeat(np.arange(len(c)), 2 * len(stuck)), angle.ravel()


def _nearer(stuck: Sequence[Zone], c: Floats, angle: Floats, inner: Ints) -> Bools:
    """Say where travel round centres ``(n, 2)`` brings a mover nearer to whom it may not; as ``Ring.nearer``."""
    nearer = np.zeros((2, len(c)), dtype=bool)
    for k, zone in enumerate(stuck):
        x, y = (c - np.array(zone.at)).T
        by = y * np.cos(angle) - x * np.sin(angle)  # inches an inch, counter-clockwise, but for a positive factor
        held = (inner >> k & 1).astype(bool)
        nearer |= held & np.stack([by < -TOUCH, by > TOUCH])
    return nearer


def _changes(open_: Bools, weight: Floats, inner: Ints, nearer: Bools, first: Ints) -> Bools:
    """Say of which arcs ``(n,)`` the one before is another, circle by circle; of arcs that are all alike, the first."""
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
    """String nodes along their rings, in the order of travel with their turns.

    Parameters
    ----------
    arcs
        The arcs of all rings.
    ids, ring, turn, theta
        Which nodes, on which rings, which way round and at what angles (radians) ``(n,)``; where a mover cannot be on
        its ring a node is left out.
    bound
        The states of all nodes, by number.

    Returns
    -------
    Node, cost since the run's start (inches) and run number in order; ring and turn of every run.

    """
    state, runs = bound[ids].astype(np.int64), arcs.runs
    arc, way = arcs.locate(ring, theta, state), ways_round(ring, state, turn)
    # Whose way ends where a zone it had left begins comes to that very place, and may be bound there (CZ.4, CHG.3).
    before = (arc - turn) % arcs.count[ring]
    cut = np.flatnonzero((arc >= 0) & arcs.passes[way, before] & (runs.number[way, before] != runs.number[way, arc]))
    cut = cut[arcs.upto(ring[cut], theta[cut], arc[cut], turn[cut]) <= TOUCH]
    arc[cut] = before[cut]
    ok = arcs.passed(ring, arc, state, turn)
    ids, ring, turn, theta, arc, way = ids[ok], ring[ok], turn[ok], theta[ok], arc[ok], way[ok]
    place, run = runs.base[way, arc] + arcs.upto(ring, theta, arc, turn), runs.number[way, arc]
    again = np.flatnonzero(runs.closes[way])
    place = np.concatenate([place, place[again] + arcs.whole[ring[again]]])
    ids, way, run = (np.concatenate([some, some[again]]) for some in (ids, way, run))
    order = np.lexsort((place, run, way))
    way, run = way[order], run[order]
    new = (np.diff(way, prepend=-1) != 0) | (np.diff(run, prepend=-1) != 0)
    return ids[order], place[order], np.cumsum(new) - 1, way[new] // 4, 1 - 2 * (way[new] % 2)


def ways_round(ring: Ints | int, bound: Ints | Bools | int, turn: Ints | int) -> Ints:
    """Number the ways round rings: ring by ring, free before bound, counter-clockwise before clockwise."""
    return np.asarray(4 * ring + 2 * bound + (turn < 0))
