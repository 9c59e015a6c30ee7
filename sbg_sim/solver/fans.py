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

from sbg_sim.geometry.areas import difference, union
from sbg_sim.geometry.breaks import TAU
from sbg_sim.geometry.grown import Grown, joined
from sbg_sim.geometry.rays import first_hit, pieces_hit
from sbg_sim.solver.network import POINT, SAMPLE
from sbg_sim.solver.sheet import MIRE_RIM, Sheet, zone_discs
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from sbg_sim.geometry.pieces import Piece
    from sbg_sim.solver.field import Field

Floats = np.ndarray
SAGITTA: Final = 5e-5
"""How far a chord may stray from an arc of a reach area, inches."""

RIM_STEP: Final = 0.06
"""Distance of samples along rims when areas are drawn, inches: a sampled crossing then errs by 0.0003 on average."""

_STRIP: Final = 24  # bands in one strip

_BATCH: Final = 20000  # rays measured at once

_BEND: Final = 0.05  # slopes that differ more than this between samples belong to different ways

_ASIDE: Final = 1e-7  # radians: rays pass critical directions this near on both sides
_OFF: Final = 1e-6  # inches: a ray that starts on a rim is looked at just beyond it


class Fanner:
    """Draws the fans of one field.

    Parameters
    ----------
    field
        The cost field (free, one sheet, one number of dice).
    limit
        Movement that may be used, inches.

    """

    def __init__(self, field: Field, limit: float) -> None:
        self.field, self.limit = field, limit
        self.sheet: Sheet = field.net.sheets[field.sheet]
        self.zones = zone_discs(tuple(z for z in self.sheet.zones if not z.stuck))
        self.stuck = [z for z in self.sheet.zones if z.stuck]
        self.bends: list[tuple[Floats, float]] = []
        net = field.net
        self.rims = [net.pieces[j] for j in range(net.mire_pieces) if net.piece_sheet[j] == field.sheet]
        self.curved = joined(self.sheet.walls, zone_discs(self.sheet.zones), self.sheet.mire)

    def region(self) -> shapely.Geometry:
        """Return the area of centre positions, inches."""
        fans = self._ring_fans() + self._rim_fans()
        fans += self._spread(self._spots())
        fans = [f if f.is_valid else shapely.make_valid(f) for f in fans if f is not None and f.area > 1e-12]
        if not fans:
            return shapely.Polygon()
        area = union(fans)
        blocked = self._blocked()
        if not blocked.is_empty:
            area = difference(area, blocked)
        return _areas_only(area)

    def _blocked(self) -> shapely.Geometry:
        """What the chords of the fans may have cut into, and where a move may not end."""
        parts = [_outline(self.sheet.walls), _outline(self.zones), _outline(self.sheet.low)]
        for group in dict.fromkeys(self.sheet.low.groups):
            parts += [
                shapely.Polygon(r)
                for g, r in zip(self.sheet.low.groups, self.sheet.low.rings, strict=True)
                if g == group
            ]
        for zone in self.stuck:
            parts.append(shapely.buffer(shapely.Point(zone.at), zone.floor, quad_segs=64))
        return union([p for p in parts if not p.is_empty])

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
        angles = [self._angles(p, cost) for p, cost in spots]
        if not angles:
            return []
        counts = [len(a) for a in angles]
        starts = np.repeat(np.array([p for p, _ in spots]), counts, axis=0)
        cost = np.repeat(np.array([c for _, c in spots]), counts)
        angle = np.concatenate(angles)
        length = np.concatenate(
            [
                self._lengths(starts[k : k + _BATCH], angle[k : k + _BATCH], cost[k : k + _BATCH])
                for k in range(0, len(angle), _BATCH)
            ]
        )
        ends = starts + length[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        return [_polygon(part) for part in np.split(ends, np.cumsum(counts)[:-1])]

    def _angles(self, p: Floats, cost: float) -> Floats:
        left = self.limit - cost
        step = min(0.2, math.sqrt(8 * SAGITTA / max(left, 0.02)))
        even = np.linspace(0.0, TAU, 4 * max(1, math.ceil(TAU / step / 4)) + 1)
        return np.asarray(np.sort(np.concatenate([even, self._critical_from(p, left) % TAU])))

    def _ring_fans(self) -> list[shapely.Polygon | None]:
        fans: list[shapely.Polygon | None] = []
        for ring_id, turn, state, nodes, _ in self.field.runs:
            if state:
                continue
            ring = self.field.net.rings[ring_id]
            c = np.array(ring.center)
            number, order, closes = ring.chain(0, turn)
            first = int(ring.locate(self.field.angle(nodes[:1], c), np.array([False]))[0])
            arcs = [i for i in order.tolist() if number[i] == number[first] and ring.open[0, i]]
            if not arcs:
                continue
            fans += self._ring_fan(ring_id, turn, arcs, closes=closes)
        return fans

    def _ring_fan(self, ring_id: int, turn: int, arcs: list[int], *, closes: bool) -> list[shapely.Polygon | None]:
        """Rays that leave one open stretch of a ring along its tangents."""
        field, ring = self.field, self.field.net.rings[ring_id]
        c = np.array(ring.center)
        span = float(sum(ring.width[i] for i in arcs))
        begin = float(ring.angles[arcs[0]]) if turn > 0 else float(ring.angles[arcs[0]] + ring.width[arcs[0]])
        step = math.sqrt(8 * SAGITTA / max(self.limit, ring.rho))
        reps = 2 if closes else 1
        offsets = np.linspace(0.0, span * reps, max(3, math.ceil(span * reps / step)))
        critical = self._critical_on(ring_id, turn, begin, span * reps)
        joined_at = [
            ((field.angle(nodes, c) - begin) * turn) % TAU
            for k, way, state, nodes, _ in field.runs
            if k == ring_id and way == turn and not state
        ]
        joins = np.concatenate([*joined_at, *(j + TAU for j in joined_at)])
        joins = np.concatenate([joins, joins + _ASIDE])
        offsets = np.unique(np.concatenate([offsets, critical, joins[joins < span * reps]]))
        theta = begin + turn * offsets
        p = c + ring.rho * np.stack([np.cos(theta), np.sin(theta)], axis=1)
        cost = self._run_cost(ring_id, turn, theta, p)
        live = cost < self.limit - 1e-9
        fans: list[shapely.Polygon | None] = []
        edges = np.flatnonzero(np.diff(np.concatenate([[False], live, [False]]).astype(int)))
        for a, b in edges.reshape(-1, 2):
            if b - a < 2:
                continue
            k = np.arange(a, b)
            direction = theta[k] + turn * math.pi / 2
            length = self._lengths(p[k], direction, cost[k])
            ends = p[k] + length[:, None] * np.stack([np.cos(direction), np.sin(direction)], axis=1)
            for i in range(0, len(k) - 1, 64):
                s = slice(i, min(i + 65, len(k)))
                fans.append(_polygon(np.concatenate([p[k][s], ends[s][::-1]])))
        del field
        return fans

    def _run_cost(self, ring_id: int, turn: int, theta: Floats, p: Floats) -> Floats:
        """Cost of coming to places on a ring in travel with a turn."""
        field = self.field
        best = np.full(len(theta), np.inf)
        for k, (ring, way, state, nodes, reached) in enumerate(field.runs):
            if ring == ring_id and way == turn and not state:
                low, _, _ = field.ring_candidate(p, ring, way, state, nodes, reached)
                best = np.minimum(best, low)
            del k
        return best

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

    def _rim_fans(self) -> list[shapely.Polygon | None]:
        """Bands of rays from rims (of difficult ground, of landings), in the directions in which paths leave them."""
        net, field = self.field.net, self.field
        reached = set(net.ref[field.points[net.kind[field.points] == SAMPLE]].tolist())
        mine = [
            j
            for j in range(len(net.pieces))
            if net.piece_sheet[j] == field.sheet and net.pieces[j].length and (j < net.mire_pieces or j in reached)
        ]
        if not mine:
            return []
        fans: list[shapely.Polygon | None] = []
        nodes = np.flatnonzero((net.kind == SAMPLE) & ~net.bound)
        for j in mine:
            own = nodes[net.ref[nodes] == j]
            u, first = np.unique(net.param[own], return_index=True)
            cost = field.cost[own[first]]
            if len(u) > 1 and (cost < self.limit).any():
                fans += self._bands(net.pieces[j], u, cost)
        return fans

    def _bands(self, piece: Piece, u: Floats, cost: Floats) -> list[shapely.Polygon | None]:
        p, n, t = piece.at(u), piece.outward(u), piece.tangent(u)
        fans: list[shapely.Polygon | None] = []
        live = cost < self.limit - 1e-9
        with np.errstate(invalid="ignore"):
            slope = np.diff(cost) / np.diff(u)
            jump = np.abs(np.diff(slope))
        bent = np.concatenate([[True], ~(jump < _BEND), [True]])
        with np.errstate(invalid="ignore"):
            mean = np.concatenate([slope[:1], (slope[:-1] + slope[1:]) / 2, slope[-1:]])
        right = np.where(bent, np.concatenate([slope, slope[-1:]]), mean)
        left = np.where(bent, np.concatenate([slope[:1], slope]), mean)
        both = np.flatnonzero(live[:-1] & live[1:] & np.isfinite(slope))
        for side in (1.0, -1.0):
            weight = self.sheet.weight(p + side * _OFF * n)
            rays = []
            # Neighbouring bands share a ray, so that no wedge stays open between them.
            for i, bend in ((both, right[both]), (both + 1, left[both + 1])):
                g = np.clip(bend / weight[i], -1.0, 1.0)
                d = g[:, None] * t[i] + (side * np.sqrt(1 - g * g))[:, None] * n[i]
                angle = np.arctan2(d[:, 1], d[:, 0])
                length = self._lengths(p[i] + side * _OFF * n[i], angle, cost[i])
                rays.append(p[i] + length[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1))
            fans += _strips(p, both, rays[0], rays[1])
        # Where the cost bends (a corner, a place where two ways meet) a whole fan fills the wedge between the bands.
        # Along the front the movement runs out between two samples.
        edge = live & ~(np.roll(live, 1) & np.roll(live, -1))
        self.bends += [(p[i], float(cost[i])) for i in np.flatnonzero((bent & live) | edge).tolist()]
        return fans

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

    def _lengths(self, p: Floats, angle: Floats, cost: Floats) -> Floats:
        """Length of rays: until the movement is used up, a wall or a zone stands in the way, or the ground changes."""
        sheet = self.sheet
        out = np.minimum(first_hit(p, angle, sheet.walls, TOUCH), first_hit(p, angle, self.zones, TOUCH))
        for zone in self.stuck:
            inside = np.hypot(p[:, 0] - zone.at[0], p[:, 1] - zone.at[1]) < zone.radius - TOUCH
            for radius, k in ((zone.floor, inside), (zone.radius, ~inside)):
                if k.any():
                    disc = Grown(np.array([[*zone.at, *zone.at]]), np.array([radius]))
                    out[k] = np.minimum(out[k], first_hit(p[k], angle[k], disc, TOUCH))
            if sheet.monotone:
                toward = (np.cos(angle) * (p[:, 0] - zone.at[0]) + np.sin(angle) * (p[:, 1] - zone.at[1])) < -TOUCH
                out[inside & toward] = 0.0
        out = np.minimum(out, self._edge(p, angle))
        weight = np.ones(len(p))
        if not sheet.mire.empty:
            beyond = p + _OFF * np.stack([np.cos(angle), np.sin(angle)], axis=1)
            weight = np.where(sheet.mire.clearance(beyond) < -MIRE_RIM, 2.0, 1.0)
            out = np.minimum(out, pieces_hit(p, angle, self.rims, _OFF))
        return np.asarray(np.clip(np.minimum(out, (self.limit - cost) / weight), 0.0, None))

    def _edge(self, p: Floats, angle: Floats) -> Floats:
        x0, y0, x1, y1 = self.sheet.box
        # A ray along the table's edge must not end there by rounding.
        x0, y0, x1, y1 = x0 - TOUCH, y0 - TOUCH, x1 + TOUCH, y1 + TOUCH
        ex, ey = np.cos(angle), np.sin(angle)
        with np.errstate(divide="ignore", invalid="ignore"):
            tx = np.where(ex > 0, (x1 - p[:, 0]) / ex, np.where(ex < 0, (x0 - p[:, 0]) / ex, np.inf))
            ty = np.where(ey > 0, (y1 - p[:, 1]) / ey, np.where(ey < 0, (y0 - p[:, 1]) / ey, np.inf))
        out = np.maximum(np.minimum(tx, ty), 0.0)
        inside = self.sheet.inside
        if inside is not None and not inside.rings:
            c, big = np.array(inside.spine[0]), inside.radius - self.sheet.radius
            u = p - c
            b = u[:, 0] * ex + u[:, 1] * ey
            out = np.minimum(out, -b + np.sqrt(np.maximum(b * b - (u * u).sum(axis=1) + big * big, 0.0)))
        return np.asarray(out)


def _strips(p: Floats, at: Floats, near: Floats, far: Floats) -> list[shapely.Polygon | None]:
    """Join the bands between samples ``at`` and ``at + 1`` into strips; a strip that folds over stays in bands."""
    fans: list[shapely.Polygon | None] = []
    breaks = np.flatnonzero((np.diff(at) != 1) | (np.abs(far[:-1] - near[1:]).max(axis=1) > 1e-12)) + 1
    for run in np.split(np.arange(len(at)), breaks):
        for k in range(0, len(run), _STRIP):
            part = run[k : k + _STRIP]
            base = np.concatenate([p[at[part]], p[at[part[-1:]] + 1]])
            front = np.concatenate([near[part], far[part[-1:]]])
            strip = _polygon(np.concatenate([base, front[::-1]]))
            if strip is not None and strip.is_valid:
                fans.append(strip)
            else:
                fans += [_polygon(np.stack([p[at[m]], p[at[m] + 1], far[m], near[m]])) for m in part.tolist()]
    return fans


def _polygon(points: Floats) -> shapely.Polygon | None:
    return shapely.Polygon(points) if len(points) >= 3 else None


def _outline(body: Grown) -> shapely.Geometry:
    if body.empty:
        return shapely.Polygon()
    parts = []
    for (ax, ay, bx, by), rho in zip(body.spines.tolist(), body.rho.tolist(), strict=True):
        spine = shapely.Point(ax, ay) if (ax, ay) == (bx, by) else shapely.LineString([(ax, ay), (bx, by)])
        # A little less than the whole, so that rounding never cuts off a touching place.
        parts.append(shapely.buffer(spine, max(rho - TOUCH, 0.0), quad_segs=48))
    return union(parts)


def _areas_only(shape: shapely.Geometry) -> shapely.Geometry:
    """Drop the lines and points that unions leave behind."""
    if shape.geom_type in {"Polygon", "MultiPolygon"}:
        return shape
    parts = [g for g in getattr(shape, "geoms", []) if g.geom_type in {"Polygon", "MultiPolygon"}]
    return union(parts) if parts else shapely.Polygon()
