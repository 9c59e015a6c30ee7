"""The configuration space of one surface: where the mover's centre may be, and what a straight step costs there.

A mover is *free* or *bound*. A free mover keeps out of every Control Zone. A bound mover is inside the zone of the
enemy it charges, and only bases and terrain stop it (CHG.3 - CHG.5). Every decision compares the distance to an
original shape with a radius, in closed form.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.arrays import distances, unit
from sbg_sim.geometry.areas import convex_parts_and_discs
from sbg_sim.geometry.breaks import circle_breaks
from sbg_sim.geometry.grown import Grown, along_edges, discs, grown, inside_share, joined, segments_clear
from sbg_sim.geometry.pieces import outline
from sbg_sim.geometry.spines import chords, from_spines, gaps2, keep_off
from sbg_sim.tolerance import NO_LENGTH, RIM, ROUNDING, STEP_RIM, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.geometry.shapes import Point, Shape
    from sbg_sim.rules.ground import Block, Ground
    from sbg_sim.rules.zones import Zone

_STEPS: Final = 3  # Newton steps off an overlap: from TOUCH, two of them reach rounding
_FEW: Final = 10  # times TOUCH: the farthest that a place is moved off an overlap
_KEPT: Final = 32  # spaces in the cache: while one model moves, the others stand still


@dataclass(frozen=True, eq=False)
class Space:
    """The configuration space of one surface. It is compared by identity, since it caches what it derives.

    Parameters
    ----------
    ground
        The bases, solids and ground of the level, as they concern the mover.
    radius
        The mover's radius, inches.
    blocks
        The bases and solids; the owner index of a wall counts in them.
    walls
        Grown bases and solids.
    difficult
        Grown difficult ground.
    low
        Grown obstacles that may be crossed but not ended on.
    box
        Where the centre stays on the table: ``x0, y0, x1, y1``.
    zones
        Zones that bind on this surface, the target's own included.
    target
        The zone of the charged enemy, if that zone binds here.
    stays
        Whether a bound mover must stay inside the target's zone.
    monotone
        Whether a mover stuck in a zone may never lessen its distance.
    margin
        How far the centre keeps from the level's rim, inches: the radius, or nothing (ruling ``stand_on``).
    grown_by
        How far each block is grown, inches: the radius, or a little less for a block that the mover touches.

    """

    ground: Ground
    radius: float
    blocks: tuple[Block, ...]
    walls: Grown
    difficult: Grown
    low: Grown
    box: tuple[float, float, float, float]
    zones: tuple[Zone, ...]
    target: Zone | None
    stays: bool
    monotone: bool
    margin: float = 0.0
    grown_by: tuple[float, ...] = ()

    @property
    def surface(self) -> str | None:
        """The id of the platform, or of the gap whose bottom this is; None for the ground."""
        return self.ground.surface

    @property
    def inside(self) -> Shape | None:
        """The outline of the level, None for the ground."""
        return self.ground.inside

    def in_bounds(self, p: Floats) -> Bools:
        """Say which points keep the whole base on the table and on the platform (MOV.5)."""
        x0, y0, x1, y1 = self.box
        ok = (
            (p[..., 0] >= x0 - TOUCH)
            & (p[..., 0] <= x1 + TOUCH)
            & (p[..., 1] >= y0 - TOUCH)
            & (p[..., 1] <= y1 + TOUCH)
        )
        if self.inside is not None:
            ok &= self.inside.depth(p) <= -self.margin + TOUCH
        return np.asarray(ok)

    @cached_property
    def border(self) -> Grown:
        """The lines that the centre may not cross: the edges of the table and of the level (MOV.5).

        The edges of a polygonal level from which the centre keeps a margin are among the walls instead.
        """
        x0, y0, x1, y1 = self.box
        sides = np.array([[x0, y0, x1, y0], [x1, y0, x1, y1], [x1, y1, x0, y1], [x0, y1, x0, y0]])
        sides = sides[np.isfinite(sides).all(axis=1)]
        border = Grown(sides, np.zeros(len(sides)), owner=np.arange(len(sides)))
        if self.inside is None or (self.inside.rings and self.margin):
            return border
        return joined(border, grown([(self.inside, -self.margin)]))

    @cached_property
    def closed(self) -> Grown:
        """What stops a straight walk of a free mover: walls, and the zones in which it does not start."""
        return joined(self.walls, zone_discs(tuple(z for z in self.zones if not z.stuck)))

    @cached_property
    def left(self) -> Grown:
        """The zones in which the mover starts, less their rims: from the rim it may not go back inside (CZ.4)."""
        return discs([(*z.at, z.radius - 2 * TOUCH) for z in self.zones if z.stuck])

    @cached_property
    def curved(self) -> Grown:
        """Everything on whose circles a path may bend or end."""
        return joined(self.walls, zone_discs(self.zones), self.difficult)

    @cached_property
    def ground_parts(self) -> tuple[Ints, Floats]:
        """The numbers of the convex pieces of difficult ground, and by piece an inscribed disc ``(m, 3)``, inches."""
        return convex_parts_and_discs(self.difficult)

    def breaks(self, centre: tuple[float, float], rho: float) -> Floats:
        """Return the angles at which the surroundings of a circle change: sorted, without repeats.

        Between two of them the same shapes, zones and edges cover every place of the circle.
        """
        c, found = np.array(centre), []
        for body in (self.walls, self.difficult, self.low, zone_discs(self.zones), self.border):
            angle = circle_breaks(c, rho, body)
            if body is self.walls or body is self.difficult or body is self.low:
                # The rim of a capsule within other capsules is no rim of their union.
                at = c + rho * unit(angle)
                angle = angle[body.clears(at, 2 * TOUCH) & ~body.clears(at, -TOUCH / 2)]
            found.append(angle)
        return np.unique(np.concatenate(found))

    def passable(self, p: Floats) -> Bools:
        """Say which points ``(n, 2)`` overlap no base, no solid and no edge, whatever the zones."""
        ok = self.in_bounds(p)
        if not self.walls.empty:
            ok &= self.walls.clears(p, TOUCH)
        return np.asarray(ok)

    def free(self, p: Floats) -> Bools:
        """Say at which points a free mover may be: zones in which it does not start are closed (CZ.1, CZ.4)."""
        return np.asarray(self.passable(p) & self._outside_zones(p))

    def _outside_zones(self, p: Floats) -> Bools:
        at, radius, closest = self._circles
        bar = np.where(closest > 0, closest, radius) - TOUCH
        return np.asarray((distances(p, at) >= bar).all(axis=1))

    @cached_property
    def _circles(self) -> tuple[Floats, Floats, Floats]:
        """Centres ``(n, 2)``, radii and closest distances ``(n,)`` of the zones, inches."""
        rows = np.array([(*z.at, z.radius, z.closest) for z in self.zones], dtype=float).reshape(-1, 4)
        return rows[:, :2], rows[:, 2], rows[:, 3]

    @cached_property
    def _rounds(self) -> Grown:
        """The zones as a set of discs, in order."""
        return discs([(*z.at, z.radius) for z in self.zones])

    @property
    def begins(self) -> tuple[bool, ...]:
        """How a move may begin: free, or bound to the target in whose zone it starts (CHG.3, CZ.4)."""
        if self.target is None or not self.target.stuck:
            return (False,)
        return (True,) if self.target.entered else (False, True)

    def bound(self, p: Floats) -> Bools:
        """Say at which points a mover bound to the target may be."""
        held = self.in_target(p)
        return np.asarray(held & self.passable(p)) if held.any() else held

    def in_target(self, p: Floats) -> Bools:
        """Say which points ``(n, 2)`` lie in the target's zone; all do if the charger need not stay there."""
        if self.target is None or not self.stays:
            return np.full(len(p), self.target is not None)
        return self.target.reaches(p)

    def off_overlaps(self, p: Floats) -> Floats:
        """Return places ``(n, 2)``; one that touches several shapes and overlaps one is moved to just touch them all.

        Arcs are cut at the exact rims, so they end beside such a place, and no path would lead to it.
        """
        out, rims = p.copy(), joined(self.walls, zone_discs(self.zones))
        rows = np.arange(len(p))
        for _ in range(_STEPS):
            i, j = rims.meeting(out[rows], out[rows])
            off, away = from_spines(out[rows[i]], rims.spines[j])
            off -= rims.rho[j]
            met = np.abs(off) <= TOUCH
            i, off, away = rows[i[met]], off[met], away[met]
            rows = np.unique(i[off < NO_LENGTH])
            for k in rows.tolist():
                step = np.linalg.lstsq(away[i == k], RIM - off[i == k], rcond=ROUNDING)[0]
                if np.count_nonzero(i == k) > 1 and np.hypot(*step) <= _FEW * TOUCH:
                    out[k] += step
        return out

    def states(self, p: Floats) -> tuple[Bools, Bools]:
        """Return :meth:`free` and :meth:`bound` of points; cheaper than one after the other."""
        ok = self.passable(p)
        return np.asarray(ok & self._outside_zones(p)), np.asarray(ok & self.in_target(p))

    def may_end(self, p: Floats) -> Bools:
        """Say which points are in bounds and on no obstacle that may only be crossed (ruling end_on_low_obstacle)."""
        ok = self.in_bounds(p)
        return ok if self.low.empty else np.asarray(ok & self.low.clears(p, TOUCH))

    def takes(self, p: Floats, *, bound: bool) -> Bools:
        """Say at which points a move may end, bound to the target or free."""
        return np.asarray((self.bound(p) if bound else self.free(p)) & self.may_end(p))

    def has_room(self, circle: tuple[float, float, float], *, bound: bool) -> bool:
        """Say whether a move may end anywhere on a circle ``(x, y, radius)``, inches, bound to the target or free."""
        x, y, rho = circle
        angle = self.breaks((x, y), rho)
        between = (angle + np.append(angle[1:], angle[:1] + math.tau)) / 2 if len(angle) else np.zeros(1)
        angle = np.concatenate([angle, between])
        return bool(self.takes(np.array([x, y]) + rho * unit(angle), bound=bound).any())

    def weight(self, p: Floats) -> Floats:
        """Return 2 where any of the base is on difficult ground, 1 elsewhere (TER.2)."""
        if self.difficult.empty:
            return np.ones(len(p))
        return np.where(self.difficult.clears(p, RIM), 1.0, 2.0)

    def straight(self, p: Floats, q: Floats, from_bound: Bools, to_bound: Bools) -> Floats:
        """Return the costs of straight steps from ``p`` to ``q`` (``(n, 2)`` each), inches; infinite if not allowed.

        ``from_bound`` and ``to_bound`` ``(n,)`` say whether the mover is bound at the beginning and at the end.
        """
        ok = self._past_walls(p, q)
        k = np.flatnonzero(ok)
        ok[k] = self.minds_zones(p[k], q[k], from_bound[k], to_bound[k])
        cost = np.full(len(p), np.inf)
        k = np.flatnonzero(ok)
        cost[k] = self.length(p[k], q[k])
        return cost

    def length(self, p: Floats, q: Floats) -> Floats:
        """Return the costs of straight lines, inches: double inside difficult ground. Obstacles are not asked about."""
        d = np.hypot(q[:, 0] - p[:, 0], q[:, 1] - p[:, 1])
        return np.asarray(d * (1 + inside_share(p, q, self.difficult)))

    def _past_walls(self, p: Floats, q: Floats) -> Bools:
        """Say which straight lines keep clear of walls and stay on the level."""
        ok = np.ones(len(p), dtype=bool)
        if self.inside is not None and (len(self.inside.spine) > 2 or not self.margin):
            # A chord may leave such a platform: it follows a bent line, or the centre may reach its very rim.
            ok &= inside_share(p, q, grown([(self.inside, TOUCH - self.margin)])) >= 1 - ROUNDING
            ok |= np.hypot(q[:, 0] - p[:, 0], q[:, 1] - p[:, 1]) <= ROUNDING
        if not self.walls.empty:
            ok &= segments_clear(p, q, self.walls, TOUCH)
        return np.asarray(ok)

    def until_bound(self, p: Floats, q: Floats, from_bound: Bools, to_bound: Bools) -> tuple[Floats, Bools]:
        """Return where lines enter the target's zone if they begin free and end bound, else where they end.

        The places are ``(n, 2)``. The second array ``(n,)`` is False for a line that should enter but misses the zone.
        """
        if self.target is None:
            return q.copy(), np.ones(len(p), dtype=bool)
        crossing = ~from_bound & to_bound
        entry = first_entry(p, q, self.target.at, self.target.radius)
        t = np.where(crossing, np.minimum(entry, 1.0), 1.0)
        return p + t[:, None] * (q - p), ~crossing | (entry <= 1)

    def minds_zones(self, p: Floats, q: Floats, from_bound: Bools, to_bound: Bools) -> Bools:
        """Say which straight lines obey the rules of zones (CZ.1, CZ.4, CHG.3 - CHG.5)."""
        end, enters = self.until_bound(p, q, from_bound, to_bound)
        ok = ~(from_bound & ~to_bound) & enters
        target = self.target
        if target is not None and self.stays:
            ok &= ~to_bound | target.reaches(q)
        i, j = self._rounds.meeting(np.minimum(p, end), np.maximum(p, end))
        if not len(i):
            return np.asarray(ok)
        is_target = np.array([zone is target for zone in self.zones], dtype=bool)
        binding = ~(from_bound[i] | (is_target[j] & to_bound[i]))
        i, j = i[binding], j[binding]
        at, radius, closest = (part[j] for part in self._circles)
        d = np.sqrt(gaps2(p[i], end[i], self._rounds.spines[j]))
        starts_in = (np.hypot(p[i, 0] - at[:, 0], p[i, 1] - at[:, 1]) < radius - TOUCH) & (closest > 0)
        barred = d < np.where(starts_in, closest, radius) - TOUCH
        if self.monotone and starts_in.any():
            barred |= starts_in & (((q[i] - p[i]) * (p[i] - at)).sum(axis=1) < -TOUCH)
        ok[i[barred]] = False
        return np.asarray(ok)


def first_entry(p: Floats, q: Floats, c: tuple[float, float], radius: float) -> Floats:
    """Return the parameter at which segments ``pq`` first come within ``radius`` of ``c``: 0 at ``p``, inf if never."""
    mid, half = chords(p, q - p, np.array(c), radius)
    t = mid - half
    # An end on the rim counts as within, whichever way rounding falls.
    near, at_end = (np.hypot(end[:, 0] - c[0], end[:, 1] - c[1]) <= radius + TOUCH for end in (p, q))
    return np.where(near, 0.0, np.where((t >= 0) & (t <= 1), t, np.where(at_end, 1.0, np.inf)))


@lru_cache(maxsize=_KEPT)
def make_space(
    ground: Ground,
    radius: float,
    box: tuple[float, float, float, float],
    zones: tuple[Zone, ...],
    target: Zone | None,
    *,
    stays: bool,
    monotone: bool,
    may_end_low: bool,
    margin: float,
    touched: tuple[Point, ...] = (),
) -> Space:
    """Grow the shapes on one surface by the mover's radius; equal arguments give the cached space.

    A block that a place in ``touched`` overlaps by at most TOUCH is grown less: its rim then leads through that place.
    """
    blocks = (*ground.bases, *ground.solids)
    places = np.array(touched).reshape(-1, 2)
    by = tuple(
        STEP_RIM if block.step else keep_off(radius, block.shape.depth(places)) if touched else radius
        for block in blocks
    )
    walls = grown((block.shape, r) for block, r in zip(blocks, by, strict=True))
    if ground.inside is not None and ground.inside.rings and margin:
        walls = joined(walls, along_edges(ground.inside, margin))
    difficult = joined(*(outline(shape, radius)[0] for _, shape in ground.difficult))
    low = grown(() if may_end_low else ((shape, radius) for _, shape in ground.low))
    return Space(ground, radius, blocks, walls, difficult, low, box, zones, target, stays, monotone, margin, by)


@lru_cache(maxsize=_KEPT)
def zone_discs(zones: tuple[Zone, ...]) -> Grown:
    """Return the discs of zones as one grown set; a zone that holds the start adds its disc of ``closest``."""
    rows = [(*z.at, z.radius) for z in zones] + [(*z.at, z.closest) for z in zones if z.stuck]
    return discs(rows)


def all_even(spaces: Sequence[Space]) -> bool:
    """Say whether no space has difficult ground."""
    return all(space.difficult.empty for space in spaces)
