"""Reach areas as unions of fans: the straight rays that leave the bends of shortest paths.

From every place where paths bend (the start, rings, rims of difficult ground, corners) rays run until the movement is
used up, a wall blocks them, or the ground changes, where the next fan begins. On both sides of every critical direction
a ray is cast, so shadows have true edges. The only errors are chords in place of arcs and, if there are ways over,
samples of rims.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from sbg_sim.arrays import distances, ranges, unit
from sbg_sim.geometry.areas import GRIDS, HALF, areas_only, closed, difference, fillings, outlines, union
from sbg_sim.geometry.breaks import each_once
from sbg_sim.geometry.grown import grown
from sbg_sim.geometry.regions import outside
from sbg_sim.geometry.tangents import bitangents, run_to_circles
from sbg_sim.solver.field.bands import corners, drawn, exact_bands, number_places, sampled_bands
from sbg_sim.solver.field.rays import Caster, Rays, cast_finely, polygons, wavefront
from sbg_sim.solver.field.runs import Runs
from sbg_sim.solver.graph.tangent_graph import SAMPLE
from sbg_sim.tolerance import HAIR, ROUNDED, ROUNDING, SAGITTA, SLIVER, SPECK, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Array, Bools, Floats, Ints
    from sbg_sim.geometry.regions import Window
    from sbg_sim.solver.field.cost_field import CostField
    from sbg_sim.solver.graph.tangent_graph import TangentGraph

_SEEN: Final = 0.125  # share of the sagitta of a sketch by which its fans are simplified, and cracks are closed


_STRETCH: Final = 64  # rays in one fan of a ring


class RayFans:
    """Draws the fans of one field.

    Parameters
    ----------
    field
        The cost field (free, one space, one number of dice).
    limit
        Movement that may be used, inches.
    sagitta
        How far a chord may stray from an arc, inches.
    window
        Bounds of the places that matter, inches: fans that cannot come there are left out. None for no bounds.
    known
        A known area: fans inside it are left out.

    """

    def __init__(
        self,
        field: CostField,
        limit: float,
        sagitta: float = SAGITTA,
        window: Window | None = None,
        known: shapely.Geometry | None = None,
    ) -> None:
        self.field, self.limit, self.sagitta, self.window, self.known = field, limit, sagitta, window, known
        self.coarse = math.sqrt(sagitta / SAGITTA)  # how much longer chords are than usual
        self.sketchy = self.coarse > 1
        self.net: TangentGraph = field.net
        self.cost: Floats = field.cost
        self.runs: Runs = field.runs
        if not self.sketchy:
            self.net, self.cost = field.sharp
        if self.net is not field.net:
            self.runs = Runs(self.net, field.space, self.cost, field.sampled, bound=field.bound)
        self.caster = Caster(field.net, field.space, limit)
        self.space = self.caster.space
        self.bends: list[tuple[Floats, float]] = []
        arcs = field.net.arcs
        mine = np.array([ring.space == field.space for ring in field.net.rings], dtype=bool)
        self.rings = np.flatnonzero(mine & (arcs.half[0] >= 0))
        self.circles = np.column_stack([arcs.center[self.rings], arcs.rho[self.rings]])
        # In a sketch chords may cut into obstacles by no more than the sagitta; bands cut in deeper.
        self._cut = not self.sketchy or len(field.net.pieces) > 0

    def region(self) -> shapely.Geometry:
        """Return the area of centre positions, inches."""
        crack = _SEEN * self.sagitta if self.sketchy else TOUCH  # width of gaps that are closed
        bands = self._that_matter(self._bands())  # first: the fans of their corners come from them
        fans = self._that_matter(self._fans())
        if self.sketchy:
            area = union(shapely.simplify([*fans, *bands], crack, preserve_topology=False))
        else:  # edges of bands all but coincide, and there are few of them
            area = union([*fans, union(bands, GRIDS[1])])
        if area.is_empty:
            return area
        if self.sketchy or len(bands):  # only bands beside rims leave any
            area = closed(area, 2 * crack)
        blocked = self._blocked(area)
        if not blocked.is_empty:
            area = difference(area, blocked)
        return _without_pinholes(areas_only(area), blocked, self.sagitta if self.sketchy else 0.0)

    def _that_matter(self, shapes: Sequence[shapely.Polygon] | Array) -> Array:
        """Return the shapes that have an area, meet the window and are not inside the known area."""
        found: Array = np.array(shapes, dtype=object)
        found = found[shapely.area(found) > SLIVER]
        if self.window is not None:
            found = found[shapely.intersects(found, shapely.box(*self.window))]
        if self.known is not None:
            shapely.prepare(self.known)
            found = found[~shapely.covers(self.known, found)]
        return found

    def _bands(self) -> list[shapely.Polygon]:
        """Draw the bands from rims of difficult ground; in a sketch, or with ways over, from all sampled rims.

        Without ways over the costs along rims are exact; else the costs of samples serve, also on rims of landings.
        """
        if self.sketchy or self.field.net.transitions:
            return self._sampled_rim_bands()
        costs, rims = self.field.rims, self.field.net.rims
        if costs is None:
            return []
        self.bends += corners(costs, rims, self.caster)
        return drawn(exact_bands(costs), rims, self.caster, self.window)

    def _blocked(self, area: shapely.Geometry) -> shapely.Geometry:
        """Return the area to be taken out: obstacles into which fans may have cut, and places where no move may end."""
        half = 2 * max(1, round(HALF / 2 / self.coarse))
        bodies = (self.caster.closed, self.space.low) if self._cut else (self.space.low,)
        parts = [p for body in bodies for p in outlines(body, half)]
        parts += [part for body in bodies for part in fillings(body).values()]
        if self._cut:
            parts += [shapely.buffer(shapely.Point(zone.at), zone.closest, quad_segs=64) for zone in self.caster.stuck]
        level = self.space.inside
        if level is not None and not (level.rings and self.space.margin):
            # The rim of such a level is no wall, and bands begin a little before their rims.
            top = level.to_shapely() if level.rings else union(outlines(grown([(level, -self.space.margin)]), half))
            parts.append(difference(shapely.box(*area.bounds).buffer(1.0), top))
        shapely.prepare(area)
        return union([p for p, meets in zip(parts, shapely.intersects(area, parts), strict=True) if meets])

    # -- fans -----------------------------------------------------------------------------------------------

    def _fans(self) -> Array:
        """Draw the fans of all rings and points, with all rays cast together."""
        rings, spots = self._ring_rays(), self._spot_rays()
        rays, ends, end = cast_finely(self.caster, rings.joined(spots), self.sagitta if self.sketchy else math.inf)
        start, parts = rays.start, []
        points, own = wavefront(ends, rays.angle, end, rays.fan)
        shown = np.ones(len(points), dtype=bool)
        if self._cut:
            shown[own[self.caster.between(end, rays.fan)]] = False
        first = np.searchsorted(rays.fan, np.arange(len(rays.rho) + 1)).tolist()
        for fan, (a, b) in enumerate(itertools.pairwise(first)):
            if fan >= len(rings.rho):
                parts.append(points[own[a] : own[b - 1] + 1][shown[own[a] : own[b - 1] + 1]])
                continue
            for i in range(a, b - 1, _STRETCH):
                j = min(i + _STRETCH, b - 1)
                shown[own[[i, j]]] = True
                far = points[own[i] : own[j] + 1][shown[own[i] : own[j] + 1]]
                parts.append(np.concatenate([start[i : j + 1], far[::-1]]))
        return polygons(parts)

    def _spot_rays(self) -> Rays:
        """Return rays in every direction from the points where paths may bend."""
        net, field = self.field.net, self.field
        pts = field.points
        sampled = pts[net.nodes.kind[pts] == SAMPLE]
        ids = pts[~np.isin(pts, sampled[net.rims.length[net.nodes.ref[sampled]] > 0])]  # places, and corners of rims
        ids = ids[self.cost[ids] < self.limit - ROUNDING]
        at = np.concatenate([net.nodes.xy[ids], np.array([p for p, _ in self.bends]).reshape(-1, 2)])
        cost = np.concatenate([self.cost[ids], [c for _, c in self.bends]])
        # Corners of rims may belong to bands that matter while their own fans do not.
        near = outside(self.window, at) <= self.limit - cost
        at, cost = at[near], cost[near]
        once = number_places(at, cost)[1]  # a corner of a rim may be the end of several pieces, and a sample
        at, cost = at[once], cost[once]
        spot, critical = self._critical_from(at, self.limit - cost)
        fan, angle = [spot], [critical % math.tau]
        for n, left in enumerate((self.limit - cost).tolist()):
            step = min(0.2, math.sqrt(8 * self.sagitta / max(left, 0.02)))
            even = np.linspace(0.0, math.tau, 4 * max(1, math.ceil(math.tau / step / 4)) + 1)
            fan.append(np.full(len(even), n))
            angle.append(even)
        which, theta = np.concatenate(fan), np.concatenate(angle)
        order = np.lexsort((theta, which))
        none = np.zeros(len(at))
        return Rays(at, none, none, which[order], theta[order], cost[which[order]])

    def _critical_from(self, at: Floats, left: Floats) -> tuple[Ints, Floats]:
        """Return points and directions (radians) of rays just beside a circle within the movement ``left``, inches."""
        c, rho = self.circles[:, :2], self.circles[:, 2]
        apart = distances(at, c)
        i, j = np.nonzero((apart > rho - TOUCH) & (apart < left[:, None] + rho))
        angle, touch, _ = run_to_circles(at[i], c[j], rho[j])
        k = np.flatnonzero(self._may_touch(np.tile(j, 2), touch.ravel()))
        i, angle = np.tile(i, 2)[k], angle.ravel()[k]
        return np.tile(i, 2), np.concatenate([angle - HAIR, angle + HAIR])

    def _may_touch(self, circle: Ints, angle: Floats) -> Bools:
        """Say at which angles (radians) of circles a free mover's ray may touch: the rest is covered by shapes."""
        return self.field.net.arcs.may_locate(self.rings[circle], angle, np.zeros(len(circle), dtype=bool))

    def _ring_rays(self) -> Rays:
        """Return rays that leave the open stretches of rings along their tangents."""
        runs, arcs = self.runs, self.field.net.arcs
        own = np.flatnonzero(~runs.state)
        begin, span = (some[own] for some in runs.stretches)
        ring, turn = runs.ring[own], runs.turn[own]
        center, rho = arcs.center[ring], arcs.rho[ring]
        mine = (runs.ring == ring[:, None]) & (runs.turn == turn[:, None]) & ~runs.state
        of, offset = self._offsets(begin, span, ring, turn, mine)
        theta = begin[of] + turn[of] * offset
        p = center[of] + rho[of, None] * unit(theta)
        place, run = np.nonzero(mine[of])
        cost = np.full(len(theta), np.inf)
        np.minimum.at(cost, place, runs.pairs(p[place], run)[0])
        live = (cost < self.limit - ROUNDING) & (outside(self.window, p) <= self.limit - cost)
        begins = live & np.concatenate([[True], ~live[:-1] | (of[1:] != of[:-1])])[: len(live)]
        fan = np.cumsum(begins) - 1
        live &= (np.bincount(fan[live], minlength=len(live) + 1) > 1)[fan]  # one ray alone bounds nothing
        fans, fan = np.unique(fan[live], return_inverse=True)
        where = of[np.flatnonzero(begins)[fans]]
        return Rays(center[where], rho[where], turn[where].astype(float), fan, theta[live], cost[live])

    def _offsets(self, begin: Floats, span: Floats, ring: Ints, turn: Ints, mine: Bools) -> tuple[Ints, Floats]:
        """Return places along stretches for rays: at even steps, where paths join, and at critical directions.

        For each place its stretch and its offset along it, radians, in order.
        """
        runs, arcs = self.runs, self.field.net.arcs
        center, rho = arcs.center[ring], arcs.rho[ring]
        of, run = np.nonzero(mine)
        nodes = [runs.joins[k] for k in run.tolist()]
        of, every = np.repeat(of, [len(some) for some in nodes]), np.concatenate([self.field.points[:0], *nodes])
        left = self.limit - np.where(mine, runs.least, self.limit).min(axis=1, initial=self.limit)
        count = np.maximum(3, np.ceil(span / np.sqrt(8 * self.sagitta / np.maximum(left, rho)))).astype(np.int64)
        row = np.repeat(np.arange(len(span)), count)
        last = np.cumsum(count) - 1
        even = ranges(np.zeros_like(count), count) * (span / (count - 1))[row]
        even[last] = span
        d = self.net.nodes.xy[every] - center[of]
        joins = np.arctan2(d[:, 1], d[:, 0])
        at, critical = self._critical_on(ring, turn)
        join, bend = (
            # By rounding a path may join a hair before its stretch begins; a ray has to leave just after that.
            (((angle - begin[k]) * turn[k] + HAIR / 2) % math.tau - HAIR / 2 + np.array([[0.0], [math.tau]])).ravel()
            for angle, k in ((joins, of), (critical, at))
        )
        rows = [row, *[np.tile(of, 2)] * 2, *[np.tile(at, 2)] * 2]
        every = np.concatenate([even, join, join + HAIR, bend - HAIR, bend + HAIR])
        row = np.concatenate(rows)
        keep = (np.arange(len(every)) < len(even)) | ((every > 0) & (every < span[row]))
        line, along = each_once(row[keep], every[keep])
        # A place where a path joins and the ground changes would come twice.
        apart = (np.diff(line, prepend=-1) != 0) | (np.diff(along, prepend=0.0) > ROUNDED)
        return line[apart], along[apart]

    def _critical_on(self, ring: Ints, turn: Ints) -> tuple[Ints, Floats]:
        """Return rings and angles (radians) where a tangent ray touches another circle, or where the ground changes."""
        net, n, m = self.field.net, len(ring), len(self.circles)
        center, rho = net.arcs.center[ring], net.arcs.rho[ring]
        i, j = np.repeat(np.arange(n), 2 * m), np.tile(np.arange(m), 2 * n)
        side = np.tile(np.repeat([1, -1], m), n)
        other = self.circles[j]
        theta, touch, _ = bitangents(center[i], rho[i], turn[i], other[:, :2], other[:, 2], side, 0.0)
        k = np.flatnonzero(np.isfinite(theta) & self._may_touch(j, touch))
        # Where the ground changes the cost along the ring has a kink.
        steps = [net.rings[r].angles[net.rings[r].steps] for r in ring.tolist()]
        of = np.repeat(np.arange(n), [len(some) for some in steps])
        return np.append(i[k], of), np.concatenate([theta[k], *steps])

    def _sampled_rim_bands(self) -> list[shapely.Polygon]:
        """Draw bands from rims (of difficult ground, of landings) by the costs of their samples."""
        net, field = self.field.net, self.field
        k = np.flatnonzero((net.nodes.kind == SAMPLE) & (net.nodes.space == field.space) & ~net.nodes.bound)
        k = k[net.rims.length[net.nodes.ref[k]] > 0]
        if not (field.cost[k] < self.limit).any():
            return []
        piece, u, cost = net.nodes.ref[k], net.nodes.param[k], field.cost[k]
        # Between its two end samples a piece may lie in an enemy's zone: a sample without a cost closes it.
        shut = np.unique(piece)
        shut = shut[~field.open_pieces(shut)]
        piece, u = np.append(piece, shut), np.append(u, net.rims.length[shut] / 2)
        bands, at, cost = sampled_bands(net.rims, piece, u, np.append(cost, np.full(len(shut), np.inf)))
        live = cost < self.limit - ROUNDING
        self.bends += zip(at[live], cost[live].tolist(), strict=True)
        return drawn(bands, net.rims, self.caster, self.window)


def _without_pinholes(area: shapely.Geometry, blocked: shapely.Geometry, stray: float) -> shapely.Geometry:
    """Fill slivers that bands leave open where two types of path meet; blocked ones stay open.

    In a sketch chords leave slivers open too, at most as wide as chords may ``stray``, inches.
    """
    found = []
    for part in shapely.get_parts(area):
        if part.geom_type == "Polygon" and len(part.interiors):
            rings = np.array([shapely.Polygon(r) for r in part.interiors])
            small = (shapely.area(rings) < np.maximum(SPECK, stray * shapely.length(rings))) & ~shapely.intersects(
                blocked, rings
            )
            found.append(
                shapely.Polygon(part.exterior, [r for r, s in zip(part.interiors, small, strict=True) if not s])
            )
        else:
            found.append(part)
    return found[0] if len(found) == 1 else shapely.MultiPolygon(found)
