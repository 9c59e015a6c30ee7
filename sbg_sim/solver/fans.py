"""Reach areas as unions of fans: the straight rays that leave each bend of the shortest paths.

From every place where paths bend (the start, rings, rims of difficult ground, corners) rays run until the
movement is used up, a wall stands in the way, or the ground changes; there the next fan takes over. Rays pass
every critical direction on both sides, so shadows have true edges; chords of arcs are the only error.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from sbg_sim.geometry.areas import difference, outlines, union
from sbg_sim.geometry.breaks import TAU
from sbg_sim.geometry.grown import joined
from sbg_sim.solver.casting import Caster, Rays, cast_finely, front, polygon
from sbg_sim.solver.configuration_space import zone_discs
from sbg_sim.solver.rim_costs import rim_costs
from sbg_sim.solver.rim_fans import drawn, rim_fans, sampled_bands
from sbg_sim.solver.tangent_graph import POINT, SAMPLE
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from sbg_sim.solver.cost_field import CostField

Floats = np.ndarray
SAGITTA: Final = 4e-4
"""How far a chord between two rays may stray from an arc, inches; a third place between them, so set that the area is
that of the arc, then leaves a third of it."""

OUTLINE_ERROR: Final = 1e-4
"""What an inch of outline may add to or take from a reach area, square inches: two chords between rays stray from their
arc by a third of SAGITTA to either side in equal parts, so that only where other fans cut them off half way anything is
left of it. Outlines traced by bisecting exact costs differ by a twentieth of this on open ground, by a third where
difficult pieces overlap."""

RIM_STEP: Final = 0.06
"""Distance of samples along rims when areas are drawn, inches: a sampled crossing then errs by 0.0003 on average."""

_PINHOLE: Final = 1e-4  # square inches

_STRETCH: Final = 64  # rays in one fan of a ring

_ASIDE: Final = 1e-7  # radians: rays pass critical directions this near on both sides


class Fanner:
    """Draws the fans of one field.

    Parameters
    ----------
    field
        The cost field (free, one space, one number of dice).
    limit
        Movement that may be used, inches.

    """

    def __init__(self, field: CostField, limit: float) -> None:
        self.field, self.limit = field, limit
        self.caster = Caster(field.net, field.space, limit)
        self.space = self.caster.space
        self.bends: list[tuple[Floats, float]] = []
        self.curved = joined(self.space.walls, zone_discs(self.space.zones), self.space.difficult)

    def region(self) -> shapely.Geometry:
        """Return the area of centre positions, inches."""
        fans = self._ring_fans() + (self._sampled_rim_fans() if self.field.net.transitions else self._rim_fans())
        fans += self._spread(self._spots())
        fans = [f if f.is_valid else shapely.make_valid(f) for f in fans if f is not None and f.area > 1e-12]
        if not fans:
            return shapely.Polygon()
        area = union(fans)
        blocked = self._blocked(area)
        if not blocked.is_empty:
            area = difference(area, blocked)
        return _without_pinholes(_areas_only(area), blocked)

    def _rim_fans(self) -> list[shapely.Polygon | None]:
        """Bands from rims of difficult ground whose costs are exact."""
        costs = rim_costs(self.field, RIM_STEP, self.limit)
        if costs is None:
            return []
        fans, corners = rim_fans(costs, self.field.net.rims, self.caster)
        self.bends += corners
        return fans

    def _blocked(self, area: shapely.Geometry) -> shapely.Geometry:
        """What the fans may have cut into, and where a move may not end."""
        parts = [*outlines(self.space.walls), *outlines(self.caster.zones), *outlines(self.space.low)]
        parts += [shapely.Polygon(r) for r in self.space.low.rings]
        parts += [shapely.buffer(shapely.Point(zone.at), zone.floor, quad_segs=64) for zone in self.caster.stuck]
        shapely.prepare(area)
        return union([p for p, meets in zip(parts, shapely.intersects(area, parts), strict=True) if meets])

    # -- fans -----------------------------------------------------------------------------------------------

    def _spots(self) -> list[tuple[Floats, float]]:
        """Points from which rays leave in every direction, with their costs."""
        net, field = self.field.net, self.field
        pts = field.points
        spots = np.array(
            [net.kind[n] == SAMPLE and net.pieces[net.ref[n]].length == 0 for n in pts.tolist()], dtype=bool
        )
        ids = pts[(net.kind[pts] == POINT) | spots]
        xy, cost = net.xy[ids], field.cost[ids]
        return [(p, float(c)) for p, c in zip(xy, cost, strict=True) if c < self.limit - 1e-9] + self.bends

    def _spread(self, spots: list[tuple[Floats, float]]) -> list[shapely.Polygon | None]:
        """Draw whole fans about many points, all their rays measured at once."""
        if not spots:
            return []
        angles = [self._angles(p, cost) for p, cost in spots]
        counts = [len(a) for a in angles]
        fan = np.repeat(np.arange(len(spots)), counts)
        at, cost = np.array([p for p, _ in spots])[fan], np.array([c for _, c in spots])[fan]
        none = np.zeros(len(fan))
        rays, ends, end = cast_finely(self.caster, Rays(fan, at, none, none, np.concatenate(angles), cost))
        cuts = np.flatnonzero(np.diff(rays.fan)) + 1
        parts = zip(np.split(ends, cuts), np.split(rays.angle, cuts), np.split(end, cuts), strict=True)
        return [polygon(front(*part)) for part in parts]

    def _angles(self, p: Floats, cost: float) -> Floats:
        left = self.limit - cost
        step = min(0.2, math.sqrt(8 * SAGITTA / max(left, 0.02)))
        even = np.linspace(0.0, TAU, 4 * max(1, math.ceil(TAU / step / 4)) + 1)
        return np.asarray(np.sort(np.concatenate([even, self._critical_from(p, left) % TAU])))

    def _ring_fans(self) -> list[shapely.Polygon | None]:
        """Draw the fans of all rings, their rays measured at once."""
        found: list[Rays] = []
        runs = self.field.runs
        for ring_id, turn, state, nodes in zip(
            runs.ring.tolist(), runs.turn.tolist(), runs.state, runs.nodes, strict=True
        ):
            if state:
                continue
            ring = self.field.net.rings[ring_id]
            c = np.array(ring.center)
            number, order, closes = ring.chain(0, turn)
            first = int(ring.locate(self.field.angle(nodes[:1], c), np.array([False]))[0])
            arcs = [i for i in order.tolist() if number[i] == number[first] and ring.open[0, i]]
            if not arcs:
                continue
            found += self._ring_rays(ring_id, turn, arcs, closes=closes)
        if not found:
            return []
        for n, rays in enumerate(found):
            rays.fan = np.full(len(rays.theta), n)
        every = Rays(*(np.concatenate(parts) for parts in zip(*(vars(rays).values() for rays in found), strict=True)))
        rays, ends, end = cast_finely(self.caster, every)
        start, angle = rays.start, rays.angle
        fans: list[shapely.Polygon | None] = []
        for run in np.split(np.arange(len(start)), np.flatnonzero(np.diff(rays.fan)) + 1):
            for i in range(0, len(run) - 1, _STRETCH):
                s = run[i : i + _STRETCH + 1]
                fans.append(polygon(np.concatenate([start[s], front(ends[s], angle[s], end[s])[::-1]])))
        return fans

    def _ring_rays(self, ring_id: int, turn: int, arcs: list[int], *, closes: bool) -> list[Rays]:
        """Rays that leave one open stretch of a ring along its tangents."""
        field, ring = self.field, self.field.net.rings[ring_id]
        c = np.array(ring.center)
        span = float(sum(ring.width[i] for i in arcs))
        begin = float(ring.angles[arcs[0]]) if turn > 0 else float(ring.angles[arcs[0]] + ring.width[arcs[0]])
        step = math.sqrt(8 * SAGITTA / max(self.limit, ring.rho))
        reps = 2 if closes else 1
        offsets = np.linspace(0.0, span * reps, max(3, math.ceil(span * reps / step)))
        critical = self._critical_on(ring_id, turn, begin, span * reps)
        runs = field.runs
        mine = np.flatnonzero((runs.ring == ring_id) & (runs.turn == turn) & ~runs.state)
        joined_at = [((field.angle(runs.nodes[k], c) - begin) * turn) % TAU for k in mine.tolist()]
        joins = np.concatenate([*joined_at, *(j + TAU for j in joined_at)])
        joins = np.concatenate([joins, joins + _ASIDE])
        offsets = np.unique(np.concatenate([offsets, critical, joins[joins < span * reps]]))
        theta = begin + turn * offsets
        p = c + ring.rho * np.stack([np.cos(theta), np.sin(theta)], axis=1)
        cost = np.full(len(theta), np.inf)
        for k in mine.tolist():
            cost = np.minimum(cost, runs.pairs(p, np.full(len(p), k))[0])
        live = cost < self.limit - 1e-9
        found = []
        edges = np.flatnonzero(np.diff(np.concatenate([[False], live, [False]]).astype(int)))
        for a, b in edges.reshape(-1, 2):
            if b - a >= 2:
                same = np.zeros(b - a)
                at = np.tile(c, (b - a, 1))
                found.append(Rays(same, at, same + ring.rho, same + turn, theta[a:b], cost[a:b]))
        return found

    def _critical_on(self, ring_id: int, turn: int, begin: float, span: float) -> Floats:
        """Offsets along a ring at which its tangent ray touches another circle."""
        from sbg_sim.geometry.tangents import bitangents

        ring = self.field.net.rings[ring_id]
        body = self.curved
        if body.empty:
            return np.zeros(0)
        found = []
        for cx, cy in ((0, 1), (2, 3)):
            c2 = body.spines[:, [cx, cy]]
            n = len(c2)
            c1 = np.broadcast_to(np.array(ring.center), (n, 2))
            ones = np.ones(n)
            for s2 in (1.0, -1.0):
                t1, _, _ = bitangents(c1, ring.rho * ones, turn * ones, c2, body.rho, s2 * ones, 0.0)
                found.append(t1[np.isfinite(t1)])
        theta = np.concatenate(found)
        offset = ((theta - begin) * turn) % TAU
        offset = np.concatenate([offset, offset + TAU])
        near = np.concatenate([offset - _ASIDE, offset + _ASIDE])
        return near[(near > 0) & (near < span)]

    def _sampled_rim_fans(self) -> list[shapely.Polygon | None]:
        """Bands of rays from rims (of difficult ground, of landings) whose costs are those of the samples."""
        net, field = self.field.net, self.field
        reached = set(net.ref[field.points[net.kind[field.points] == SAMPLE]].tolist())
        mine = [
            j
            for j in range(len(net.pieces))
            if net.piece_space[j] == field.space and net.pieces[j].length and (j < net.difficult_pieces or j in reached)
        ]
        nodes = np.flatnonzero((net.kind == SAMPLE) & ~net.bound)
        found = []
        for j in mine:
            own = nodes[net.ref[nodes] == j]
            u, first = np.unique(net.param[own], return_index=True)
            cost = field.cost[own[first]]
            if len(u) > 1 and (cost < self.limit).any():
                bands, bent = sampled_bands(j, u, cost)
                found.append(bands)
                at, live = net.pieces[j].at(u), bent & (cost < self.limit - 1e-9)
                self.bends += [(at[i], float(cost[i])) for i in np.flatnonzero(live).tolist()]
        return drawn(found, field.net.rims, self.caster)

    def _critical_from(self, p: Floats, left: float) -> Floats:
        body = self.curved
        if body.empty:
            return np.zeros(0)
        found = []
        for cx, cy in ((0, 1), (2, 3)):
            d = body.spines[:, [cx, cy]] - p
            dist = np.hypot(d[:, 0], d[:, 1])
            k = (dist > body.rho - TOUCH) & (dist < left + body.rho)
            base = np.arctan2(d[k, 1], d[k, 0])
            half = np.arcsin(np.clip(body.rho[k] / dist[k], 0, 1))
            found += [base - half, base + half]
        angles = np.concatenate(found)
        return np.concatenate([angles - _ASIDE, angles + _ASIDE])


def _without_pinholes(area: shapely.Geometry, blocked: shapely.Geometry) -> shapely.Geometry:
    """Fill the slivers that bands leave open where two kinds of path meet; what is blocked stays open."""
    found = []
    for part in shapely.get_parts(area):
        if part.geom_type == "Polygon" and len(part.interiors):
            rings = np.array([shapely.Polygon(r) for r in part.interiors])
            small = (shapely.area(rings) < _PINHOLE) & ~shapely.intersects(blocked, rings)
            found.append(
                shapely.Polygon(part.exterior, [r for r, s in zip(part.interiors, small, strict=True) if not s])
            )
        else:
            found.append(part)
    return found[0] if len(found) == 1 else shapely.MultiPolygon(found)


def _areas_only(shape: shapely.Geometry) -> shapely.Geometry:
    """Drop the lines and points that unions leave behind."""
    if shape.geom_type in {"Polygon", "MultiPolygon"}:
        return shape
    parts = [g for g in getattr(shape, "geoms", []) if g.geom_type in {"Polygon", "MultiPolygon"}]
    return union(parts) if parts else shapely.Polygon()
