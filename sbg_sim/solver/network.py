"""The network of places a shortest path can bend at: tangent points, rim samples, corners, portals.

Nodes are places in a sheet, free or bound. On rings (circles that can be wrapped round) a node also has a turn.
Straight edges are weighed by the sheets only when the search asks for them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.geometry.breaks import circle_breaks, segment_breaks
from sbg_sim.geometry.grown import discs, joined
from sbg_sim.geometry.pieces import Piece, rim_pieces
from sbg_sim.geometry.tangents import bitangents, leave_to_point
from sbg_sim.solver.rings import Ring, make_rings
from sbg_sim.solver.search import Graph
from sbg_sim.solver.sheet import Sheet, zone_discs
from sbg_sim.solver.ways import Portal, nearest_on
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.geometry.shapes import Point

Floats = np.ndarray

SPACING: Final = 0.25
"""Distance of first samples on rims, inches; polishing makes the answer exact whatever it is."""

POINT, TANGENT, SAMPLE, VIRTUAL = 0, 1, 2, 3


@dataclass(frozen=True)
class Goal:
    """Where a path may end.

    Parameters
    ----------
    sheet
        Index of the sheet.
    at
        A point (inches), or None when the goal is contact with circles.
    contact
        Circles ``(x, y, radius)`` of centre positions in contact; with several the goal is where all meet.
    bound
        Whether the goal is reached by a bound mover.

    """

    sheet: int
    at: Point | None = None
    contact: tuple[tuple[float, float, float], ...] = ()
    bound: bool = False


@dataclass
class Nodes:
    """Nodes as growing lists, turned into arrays once."""

    xy: list[Floats] = field(default_factory=list)
    sheet: list[Floats] = field(default_factory=list)
    bound: list[Floats] = field(default_factory=list)
    kind: list[Floats] = field(default_factory=list)
    ref: list[Floats] = field(default_factory=list)
    turn: list[Floats] = field(default_factory=list)
    param: list[Floats] = field(default_factory=list)
    size: int = 0

    def add(
        self, xy: Floats, sheet: int, *, bound: Floats | bool, kind: int, ref: Floats | int = -1,
        turn: Floats | int = 0, param: Floats | float = 0.0,
    ) -> Floats:
        """Add places ``(n, 2)``; return their numbers."""
        n = len(xy)
        self.xy.append(np.asarray(xy, dtype=float).reshape(n, 2))
        self.sheet.append(np.full(n, sheet, dtype=np.int64))
        self.bound.append(np.broadcast_to(np.asarray(bound, dtype=bool), (n,)))
        self.kind.append(np.full(n, kind, dtype=np.int64))
        self.ref.append(np.broadcast_to(np.asarray(ref, dtype=np.int64), (n,)))
        self.turn.append(np.broadcast_to(np.asarray(turn, dtype=np.int64), (n,)))
        self.param.append(np.broadcast_to(np.asarray(param, dtype=float), (n,)))
        self.size += n
        return np.arange(self.size - n, self.size)


@dataclass
class Network:
    """The finished network.

    Parameters
    ----------
    sheets, rings, pieces, portals
        What nodes refer to.
    xy, sheet, bound, kind, ref, turn, param
        Per node: place, sheet, bound or free, kind, ring or rim piece, turn on a ring, angle or rim parameter.
    graph
        The graph for the search.
    source
        Start nodes.
    goals
        Goal nodes.
    portal_of
        Per edge the portal it goes through, -1 for straight edges, -2 for free changes of state.
    aim
        Per edge the circle whose rim ends it (a row of ``aims``), -1 for none.
    string_ring, string_turn
        Per run the ring and the turn.
    mire_pieces
        The first so many of the pieces are rims of difficult ground.

    """

    sheets: Sequence[Sheet]
    rings: list[Ring]
    pieces: list[Piece]
    piece_sheet: list[int]
    portals: list[Portal]
    xy: Floats
    sheet: Floats
    bound: Floats
    kind: Floats
    ref: Floats
    turn: Floats
    param: Floats
    graph: Graph
    source: list[int]
    goals: Floats
    portal_of: Floats
    aim: Floats
    aims: Floats
    string_ring: Floats
    string_turn: Floats
    mire_pieces: int

    def samples_of(self, piece: int) -> Floats:
        """Return the parameters (inches) at which a rim piece was sampled."""
        return np.unique(self.param[(self.kind == SAMPLE) & (self.ref == piece)])

    def ends(self, e: Floats) -> tuple[Floats, Floats]:
        """Return where straight edges start and end ``(n, 2)`` each; goal edges end on the contact circle."""
        p, q = self.xy[self.graph.src[e]], self.xy[self.graph.dst[e]]
        aimed = self.aim[e] >= 0
        if aimed.any():
            q = q.copy()
            c = self.aims[self.aim[e[aimed]]]
            d = p[aimed] - c[:, :2]
            n = np.hypot(d[:, 0], d[:, 1])[:, None]
            q[aimed] = c[:, :2] + d / np.maximum(n, 1e-12) * c[:, 2:]
        return p, q

    def weigh(self, e: Floats) -> Floats:
        """True weights of edges."""
        out = np.full(len(e), np.inf)
        src, dst, portal = self.graph.src[e], self.graph.dst[e], self.portal_of[e]
        p, q = self.ends(e)
        fb, tb = self.bound[src], self.bound[dst]
        for i, sheet in enumerate(self.sheets):
            k = np.flatnonzero((portal == -1) & (self.sheet[src] == i))
            if len(k):
                out[k] = sheet.straight(p[k], q[k], fb[k], tb[k])
        free = portal == -2
        out[free] = self.graph.low[e[free]]
        for j in np.unique(portal[portal >= 0]):
            k = np.flatnonzero(portal == j)
            way = self.portals[j]
            sheet = self.sheets[way.source]
            good = way.open(p[k], q[k], sheet, fb[k], tb[k])
            out[k[good]] = way.cost(p[k[good]], q[k[good]], sheet)
        return out


class Weaver:
    """Builds a network: rings and rims first, then nodes, then edges."""

    def __init__(
        self,
        sheets: Sequence[Sheet],
        portals: Sequence[Portal],
        source: tuple[int, Point],
        goal: Goal | None,
        spacing: float = SPACING,
        range_: float = math.inf,
    ) -> None:
        self.sheets, self.portals, self.spacing = sheets, list(portals), spacing
        # Shifts straight across are free, so with them no straight distance bounds a cost from below.
        free_shift = any(not p.way.horizontal for p in self.portals)
        self.range = math.inf if free_shift else range_ + 1e-6
        self.start, self.goal = source, goal
        self.anchors = [source[1]] + ([goal.at] if goal is not None and goal.at is not None else [])
        self.rings = make_rings(sheets, [[] for _ in sheets])
        self.nodes = Nodes()
        self.pieces: list[Piece] = []
        self.piece_sheet: list[int] = []
        self.on_ring: list[tuple[int, int, float]] = []  # point nodes strung on rings: node, ring, angle
        self.src: list[Floats] = []
        self.dst: list[Floats] = []
        self.low: list[Floats] = []
        self.toll: list[Floats] = []
        self.portal: list[Floats] = []
        self.aim: list[Floats] = []
        self.aims: list[tuple[float, float, float]] = []
        self.points: dict[int, list[Floats]] = {i: [] for i in range(len(sheets))}
        self.goals: list[int] = []

    # -- nodes ------------------------------------------------------------------------------------------------

    def weave(self) -> Network:
        """Build everything."""
        self._source()
        self._goal_point()
        for i in range(len(self.sheets)):
            self._rim_samples(i)
        self.mire_pieces = len(self.pieces)
        for i in range(len(self.sheets)):
            self._zone_corners(i)
            self._ring_corners(i)
        self._contact()
        self._portal_edges()
        for i in range(len(self.sheets)):
            self._tangents(i)
            self._point_pairs(i)
        return self._finish()

    def _states(self, sheet: Sheet, p: Floats) -> list[tuple[bool, Floats]]:
        found = [(False, np.flatnonzero(sheet.free(p)))]
        if sheet.target is not None:
            found.append((True, np.flatnonzero(sheet.bound(p))))
        return found

    def _add_points(self, i: int, p: Floats, kind: int = POINT, ref: int = -1, param: Floats | None = None) -> Floats:
        """Add the legal ones of some places in every state they are legal in; returns node numbers."""
        sheet = self.sheets[i]
        made = []
        for bound, k in self._states(sheet, p):
            if len(k):
                u = 0.0 if param is None else param[k]
                ids = self.nodes.add(p[k], i, bound=bound, kind=kind, ref=ref, param=u)
                self.points[i].append(ids)
                made.append(ids)
        return np.concatenate(made) if made else np.zeros(0, dtype=np.int64)

    def _source(self) -> None:
        i, at = self.start
        sheet = self.sheets[i]
        p = np.array([at], dtype=float)
        self.sources = self.nodes.add(p, i, bound=False, kind=POINT).tolist()
        target = sheet.target
        if target is not None and target.stuck:
            self.sources += self.nodes.add(p, i, bound=True, kind=POINT).tolist()
        self.points[i].append(np.array(self.sources))

    def _goal_point(self) -> None:
        goal = self.goal
        if goal is None or goal.at is None:
            return
        p = np.array([goal.at], dtype=float)
        sheet = self.sheets[goal.sheet]
        if not (sheet.free(p) & sheet.may_end(p)).all():
            return
        ids = self.nodes.add(p, goal.sheet, bound=False, kind=POINT)
        self.points[goal.sheet].append(ids)
        self.goals += ids.tolist()

    def _rim_samples(self, i: int) -> None:
        sheet = self.sheets[i]
        if sheet.mire.empty:
            return
        zones = zone_discs(sheet.zones)
        keep = lambda mid: sheet.passable(mid)  # noqa: E731
        for piece in rim_pieces(sheet.mire, [sheet.walls, zones], keep):
            self._sample(i, piece)

    def _sample(self, i: int, piece: Piece) -> Floats:
        index = len(self.pieces)
        self.pieces.append(piece)
        self.piece_sheet.append(i)
        ids = self._samples(i, piece, index)
        if piece.radius:
            ring = self._ring_at(i, piece.start, piece.radius)
            if ring is not None:
                self._string(ids, ring)
        return ids

    def _marks(self, piece: Piece) -> Floats:
        """Sample a rim, ever finer towards the feet of the start and the goal and towards its ends.

        Near a place where a path bends, a crossing moves along the rim as fast as the other end does; samples must
        be as close as that place is near, or the sampled cost says nothing.
        """
        marks = [piece.samples(self.spacing)]
        for anchor in self.anchors:
            foot, gap = piece.nearest(anchor)
            if gap < 4 * self.spacing:
                steps = max(gap, 1e-3) / 2 * np.array([0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0])
                steps = steps[steps < 2 * self.spacing]
                marks += [foot - steps, foot + steps]
        fine = self.spacing / np.array([2.0, 4.0, 8.0])
        marks += [fine, piece.length - fine]
        u = np.unique(np.concatenate(marks))
        return u[(u >= 0) & (u <= piece.length)]

    def _samples(self, i: int, piece: Piece, index: int) -> Floats:
        u = self._marks(piece) if piece.length else np.zeros(1)
        p = piece.at(u)
        near = self._near(p) <= self.range + self.spacing
        return self._add_points(i, p[near], SAMPLE, index, u[near])

    def _ring_at(self, i: int, c: Point, rho: float) -> int | None:
        for k, ring in enumerate(self.rings):
            if ring.sheet == i and ring.center == c and ring.rho == rho:
                return k
        return None

    def _zone_corners(self, i: int) -> None:
        """Places on the target's rim where another zone's rim or a wall crosses it: a bound mover may bend there."""
        sheet = self.sheets[i]
        if sheet.target is None:
            return
        zone = sheet.target
        others = tuple(z for z in sheet.zones if z is not zone)
        angles = circle_breaks(np.array(zone.at), zone.radius, zone_discs(others))
        if len(angles):
            p = np.stack(
                [zone.at[0] + zone.radius * np.cos(angles), zone.at[1] + zone.radius * np.sin(angles)], axis=1
            )
            self._add_points(i, p)

    def _ring_corners(self, i: int) -> None:
        """Places where a ring's weight changes, or where it enters the target's zone."""
        sheet = self.sheets[i]
        for k, ring in enumerate(self.rings):
            if ring.sheet != i:
                continue
            change = ring.weight != np.roll(ring.weight, 1)
            touching = (ring.open | np.roll(ring.open, 1, axis=1)).any(axis=0)
            angles = ring.angles[change & touching]
            angles = np.concatenate([angles, ring.seams])
            if not len(angles):
                continue
            p = np.stack(
                [ring.center[0] + ring.rho * np.cos(angles), ring.center[1] + ring.rho * np.sin(angles)], axis=1
            )
            ids = self._add_points(i, p)
            self._string(ids, k)
        del sheet

    def _string(self, ids: Floats, ring: int) -> None:
        xy = np.concatenate(self.nodes.xy)[ids] if len(ids) else np.zeros((0, 2))
        c = self.rings[ring].center
        for node, (x, y) in zip(ids.tolist(), xy.tolist(), strict=True):
            self.on_ring.append((node, ring, math.atan2(y - c[1], x - c[0])))

    def _contact(self) -> None:
        goal = self.goal
        if goal is None or not goal.contact:
            return
        i, sheet = goal.sheet, self.sheets[goal.sheet]
        p = self._meeting_points(goal) if len(goal.contact) > 1 else self._contact_corners(goal)
        if len(p):
            ok = (sheet.bound(p) if goal.bound else sheet.free(p)) & sheet.may_end(p)
            ids = self.nodes.add(p[ok], i, bound=goal.bound, kind=POINT)
            self.points[i].append(ids)
            self.goals += ids.tolist()
            self._string_everywhere(ids, i)
        if len(goal.contact) == 1:
            x, y, rho = goal.contact[0]
            self.aims.append((x, y, rho))
            centre = self.nodes.add(np.array([[x, y]]), i, bound=goal.bound, kind=VIRTUAL)
            self.goals += centre.tolist()

    def _meeting_points(self, goal: Goal) -> Floats:
        (x, y, rho), *rest = goal.contact
        angles = circle_breaks(np.array([x, y]), rho, discs([rest[0]]))
        touch = math.hypot(rest[0][0] - x, rest[0][1] - y) - rho - rest[0][2]
        if not len(angles) and abs(touch) <= TOUCH:
            angles = np.array([math.atan2(rest[0][1] - y, rest[0][0] - x)])
        p = np.stack([x + rho * np.cos(angles), y + rho * np.sin(angles)], axis=1)
        for cx, cy, cr in rest[1:]:
            p = p[np.abs(np.hypot(p[:, 0] - cx, p[:, 1] - cy) - cr) <= TOUCH]
        return p

    def _contact_corners(self, goal: Goal) -> Floats:
        sheet = self.sheets[goal.sheet]
        x, y, rho = goal.contact[0]
        cutters = joined(sheet.walls, sheet.mire, sheet.low, zone_discs(sheet.zones))
        angles = np.unique(circle_breaks(np.array([x, y]), rho, cutters))
        return np.stack([x + rho * np.cos(angles), y + rho * np.sin(angles)], axis=1)

    def _string_everywhere(self, ids: Floats, i: int) -> None:
        if not len(ids):
            return
        xy = np.concatenate(self.nodes.xy)[ids]
        for k, ring in enumerate(self.rings):
            if ring.sheet == i:
                d = np.abs(np.hypot(xy[:, 0] - ring.center[0], xy[:, 1] - ring.center[1]) - ring.rho)
                self._string(ids[d <= 1e-9], k)

    # -- edges ------------------------------------------------------------------------------------------------

    def _near(self, p: Floats) -> Floats:
        """Straight distance from the start: no cost can be less."""
        return np.asarray(np.hypot(p[..., 0] - self.start[1][0], p[..., 1] - self.start[1][1]))

    def _edge(
        self, src: Floats, dst: Floats, low: Floats, *, toll: bool = False, portal: int = -1, aim: int = -1
    ) -> None:
        self.src.append(np.asarray(src, dtype=np.int64))
        self.dst.append(np.asarray(dst, dtype=np.int64))
        self.low.append(np.asarray(low, dtype=float))
        self.toll.append(np.full(len(src), toll))
        self.portal.append(np.full(len(src), portal, dtype=np.int64))
        self.aim.append(np.full(len(src), aim, dtype=np.int64))

    def _portal_edges(self) -> None:
        for j, portal in enumerate(self.portals):
            near = self._portal_rim(portal.source, portal.near, portal)
            if not len(near):
                continue
            xy = np.concatenate(self.nodes.xy)
            if portal.way.across or portal.way.foot is not None:
                q = portal.landing(xy[near])
                ok = np.isfinite(q).all(axis=1)
                far = self._landing_nodes(portal, near[ok], q[ok])
                self._link(j, portal, near[ok], far)
                self._link_to_goals(j, portal)
            else:
                far = self._portal_rim(portal.dest, portal.far, portal)
                extra = [g for g in self.goals if self._on_far(portal, g)]
                far = np.concatenate([far, np.array(extra, dtype=np.int64)])
                a, b = np.meshgrid(near, far, indexing="ij")
                self._link(j, portal, a.ravel(), b.ravel())

    def _link_to_goals(self, j: int, portal: Portal) -> None:
        """Straight across, a goal on the far rim is landed on from just one place: the one opposite."""
        for goal in [g for g in self.goals if self._on_far(portal, g)]:
            at = np.concatenate(self.nodes.xy)[[goal]]
            if portal.source == portal.dest:
                feet = portal.landing(at)
            else:
                feet = np.concatenate([nearest_on(piece, at) for piece in portal.near])
            feet = feet[np.isfinite(feet).all(axis=1)]
            back = portal.landing(feet) if len(feet) else feet
            feet = feet[np.hypot(*(back - at).T) <= TOUCH] if len(feet) else feet
            if len(feet):
                near = self._add_points(portal.source, feet)
                self._link(j, portal, near, np.full(len(near), goal))

    def _on_far(self, portal: Portal, node: int) -> bool:
        sheets = np.concatenate(self.nodes.sheet)
        kinds = np.concatenate(self.nodes.kind)
        if sheets[node] != portal.dest or kinds[node] == VIRTUAL:
            return False
        x, y = np.concatenate(self.nodes.xy)[node]
        return any(piece.nearest((float(x), float(y)))[1] <= TOUCH for piece in portal.far)

    def _portal_rim(self, i: int, rim: Sequence[Piece], portal: Portal) -> Floats:
        """Sample a portal's rim where it is legal to stand; pieces are cut where legality changes."""
        sheet = self.sheets[i]
        made = []
        for piece in rim:
            for part in self._cut(sheet, piece):
                index = len(self.pieces)
                self.pieces.append(part)
                self.piece_sheet.append(i)
                made.append(self._samples(i, part, index))
        return np.concatenate(made) if made else np.zeros(0, dtype=np.int64)

    def _cut(self, sheet: Sheet, piece: Piece) -> list[Piece]:
        if piece.length == 0:
            return [piece]
        cutters = joined(sheet.walls, sheet.mire, zone_discs(sheet.zones), sheet.low)
        if piece.radius:
            c = np.array(piece.start)
            u = ((circle_breaks(c, piece.radius, cutters) - piece.toward[0]) % (2 * math.pi)) * piece.radius
        else:
            ends = piece.at(np.array([0.0, piece.length]))
            u = segment_breaks(ends[0], ends[1], cutters) * piece.length
        marks = np.unique(np.concatenate([[0.0], u[(u > 0) & (u < piece.length)], [piece.length]]))
        parts = []
        for u0, u1 in zip(marks[:-1].tolist(), marks[1:].tolist(), strict=True):
            mid = piece.at(np.array([(u0 + u1) / 2]))
            if u1 - u0 > 1e-9 and (sheet.free(mid) | sheet.bound(mid)).all():
                parts.append(part_of(piece, u0, u1))
        return parts

    def _landing_nodes(self, portal: Portal, near: Floats, q: Floats) -> Floats:
        sheet = self.sheets[portal.dest]
        bound = np.concatenate(self.nodes.bound)[near]
        ok = np.where(bound, sheet.bound(q), sheet.free(q))
        ids = np.full(len(near), -1, dtype=np.int64)
        for state in (False, True):
            k = np.flatnonzero(ok & (bound == state))
            if len(k):
                ids[k] = self.nodes.add(q[k], portal.dest, bound=state, kind=POINT)
                self.points[portal.dest].append(ids[k])
        return ids

    def _link(self, j: int, portal: Portal, a: Floats, b: Floats) -> None:
        ok = b >= 0
        a, b = a[ok], b[ok]
        if not len(a):
            return
        xy, bound = np.concatenate(self.nodes.xy), np.concatenate(self.nodes.bound)
        d = np.hypot(*(xy[b] - xy[a]).T)
        keep = ~(bound[a] & ~bound[b]) & (d <= portal.way.longest + 4 * portal.radius + TOUCH)
        a, b, d = a[keep], b[keep], d[keep]
        low = (d if portal.way.horizontal else np.zeros(len(a))) + portal.way.cost
        tests = portal.way.tests
        if tests <= 1:
            self._edge(a, b, low, toll=tests == 1, portal=j)
            return
        mid = self.nodes.add((xy[a] + xy[b]) / 2, portal.source, bound=bound[a], kind=VIRTUAL)
        self._edge(mid, b, np.zeros(len(a)), toll=True, portal=-2)
        good = portal.open(xy[a], xy[b], self.sheets[portal.source], bound[a], bound[b])
        cost = portal.cost(xy[a], xy[b], self.sheets[portal.source])
        self._edge(a, mid, np.where(good, cost, np.inf), toll=True, portal=-2)

    def _tangents(self, i: int) -> None:
        ring_ids = [k for k, ring in enumerate(self.rings) if ring.sheet == i]
        if not ring_ids:
            return
        states = [False, True] if self.sheets[i].target is not None else [False]
        rows = [
            (k, turn, state) for k in ring_ids for state in states if self.rings[k].open[int(state)].any() for turn in (1, -1)
        ]
        if not rows:
            return
        ring = np.array([r[0] for r in rows])
        turn = np.array([r[1] for r in rows])
        bound = np.array([r[2] for r in rows])
        c = np.array([self.rings[k].center for k in ring.tolist()])
        rho = np.array([self.rings[k].rho for k in ring.tolist()])
        self._point_tangents(i, ring, turn, bound, c, rho)
        self._ring_tangents(i, ring, turn, bound, c, rho)
        self._aimed_tangents(i, ring, turn, bound, c, rho)

    def _touching(self, i: int, ring: Floats, turn: Floats, bound: Floats, angle: Floats) -> Floats:
        """Make tangent nodes where the ring is open there; -1 where it is not."""
        ids = np.full(len(ring), -1, dtype=np.int64)
        ok = np.isfinite(angle)
        theta = np.where(ok, angle, 0.0)
        for k in np.unique(ring[ok]):
            mine = np.flatnonzero(ok & (ring == k))
            arc = self.rings[k].locate(theta[mine], bound[mine])
            ok[mine] = arc >= 0
        good = np.flatnonzero(ok)
        if len(good):
            r = ring[good]
            c = np.array([self.rings[k].center for k in r.tolist()])
            rho = np.array([self.rings[k].rho for k in r.tolist()])
            t = theta[good]
            xy = c + rho[:, None] * np.stack([np.cos(t), np.sin(t)], axis=1)
            ids[good] = self.nodes.add(xy, i, bound=bound[good], kind=TANGENT, ref=r, turn=turn[good], param=t)
        return ids

    def _point_tangents(
        self, i: int, ring: Floats, turn: Floats, bound: Floats, c: Floats, rho: Floats
    ) -> None:
        if not self.points[i]:
            return
        pts = np.concatenate(self.points[i])
        xy, pb = np.concatenate(self.nodes.xy)[pts], np.concatenate(self.nodes.bound)[pts]
        goal = np.isin(pts, self.goals)
        start = np.isin(pts, self.sources)
        a, b = (g.ravel() for g in np.meshgrid(np.arange(len(pts)), np.arange(len(ring)), indexing="ij"))
        outside = np.hypot(*(xy[a] - c[b]).T) >= rho[b] - TOUCH
        a, b = a[outside], b[outside]
        # Towards the ring, then away from it.
        for away in (False, True):
            use = ~(pb[a] & ~bound[b]) if not away else ~(bound[b] & ~pb[a])
            use &= ~start[a] if away else ~goal[a]
            k, m = a[use], b[use]
            angle, length = leave_to_point(c[m], rho[m], turn[m] if away else -turn[m], xy[k])
            begin = self._near(c[m]) - rho[m] if away else self._near(xy[k])
            use = begin + length <= self.range
            k, m, angle, length = k[use], m[use], angle[use], length[use]
            ids = self._touching(i, ring[m], turn[m], bound[m], angle)
            ok = ids >= 0
            if away:
                self._edge(ids[ok], pts[k[ok]], length[ok])
            else:
                self._edge(pts[k[ok]], ids[ok], length[ok])

    def _ring_tangents(self, i: int, ring: Floats, turn: Floats, bound: Floats, c: Floats, rho: Floats) -> None:
        a, b = (g.ravel() for g in np.meshgrid(np.arange(len(ring)), np.arange(len(ring)), indexing="ij"))
        use = (ring[a] != ring[b]) & ~(bound[a] & ~bound[b])
        a, b = a[use], b[use]
        t1, t2, length = bitangents(c[a], rho[a], turn[a], c[b], rho[b], turn[b], TOUCH)
        ok = np.isfinite(length) & (self._near(c[a]) - rho[a] + np.nan_to_num(length) <= self.range)
        a, b, t1, t2, length = a[ok], b[ok], t1[ok], t2[ok], length[ok]
        for k in np.unique(ring):
            for theta, side in ((t1, a), (t2, b)):
                mine = np.flatnonzero(ring[side] == k)
                closed = self.rings[k].locate(theta[mine], bound[side[mine]]) < 0
                theta[mine[closed]] = np.nan
        ok = np.isfinite(t1) & np.isfinite(t2)
        a, b, t1, t2, length = a[ok], b[ok], t1[ok], t2[ok], length[ok]
        n1 = self._touching(i, ring[a], turn[a], bound[a], t1)
        n2 = self._touching(i, ring[b], turn[b], bound[b], t2)
        ok = (n1 >= 0) & (n2 >= 0)
        self._edge(n1[ok], n2[ok], length[ok])

    def _aimed_tangents(self, i: int, ring: Floats, turn: Floats, bound: Floats, c: Floats, rho: Floats) -> None:
        goal = self.goal
        if goal is None or goal.sheet != i or len(goal.contact) != 1:
            return
        x, y, r = goal.contact[0]
        use = np.hypot(c[:, 0] - x, c[:, 1] - y) >= rho
        use &= ~(bound & (not goal.bound))
        m = np.flatnonzero(use)
        angle, length = leave_to_point(c[m], rho[m], turn[m], np.broadcast_to(np.array([x, y]), (len(m), 2)))
        ids = self._touching(i, ring[m], turn[m], bound[m], angle)
        ok = ids >= 0
        centre = np.full(int(ok.sum()), self.goals[-1])
        self._edge(ids[ok], centre, np.maximum(length[ok] - r, 0.0), aim=0)

    def _point_pairs(self, i: int) -> None:
        if not self.points[i]:
            return
        pts = np.concatenate(self.points[i])
        xy, pb = np.concatenate(self.nodes.xy), np.concatenate(self.nodes.bound)
        a, b = (g.ravel() for g in np.meshgrid(pts, pts, indexing="ij"))
        ends = np.isin(a, [g for g in self.goals if g in set(pts.tolist())]) | np.isin(b, self.sources)
        use = (a != b) & ~(pb[a] & ~pb[b]) & ~ends
        a, b = a[use], b[use]
        d = np.hypot(*(xy[b] - xy[a]).T)
        use = self._near(xy[a]) + d <= self.range
        self._edge(a[use], b[use], d[use])
        goal = self.goal
        if goal is not None and goal.sheet == i and len(goal.contact) == 1:
            x, y, r = goal.contact[0]
            a = pts[~(pb[pts] & (not goal.bound)) & ~np.isin(pts, self.goals)]
            low = np.maximum(np.hypot(xy[a, 0] - x, xy[a, 1] - y) - r, 0.0)
            self._edge(a, np.full(len(a), self.goals[-1]), low, aim=0)

    # -- finish -----------------------------------------------------------------------------------------------

    def _finish(self) -> Network:
        n = self.nodes
        xy, sheet, bound = np.concatenate(n.xy), np.concatenate(n.sheet), np.concatenate(n.bound)
        kind, ref = np.concatenate(n.kind), np.concatenate(n.ref)
        turn, param = np.concatenate(n.turn), np.concatenate(n.param)
        along, reached, string, string_ring, string_turn = self._strings(bound, kind, ref, turn, param)
        empty = [np.zeros(0, dtype=np.int64)]
        graph = Graph(
            n.size,
            np.concatenate(self.src or empty),
            np.concatenate(self.dst or empty),
            np.concatenate(self.low or [np.zeros(0)]),
            np.concatenate(self.toll or [np.zeros(0, dtype=bool)]),
            lambda e: np.zeros(len(e)),
            along,
            reached,
            string,
        )
        network = Network(
            self.sheets, self.rings, self.pieces, self.piece_sheet, self.portals, xy, sheet, bound, kind, ref, turn,
            param, graph, self.sources, np.array(self.goals, dtype=np.int64),
            np.concatenate(self.portal or empty), np.concatenate(self.aim or empty),
            np.array(self.aims).reshape(-1, 3), string_ring, string_turn, self.mire_pieces,
        )
        graph.weigh = network.weigh
        return network

    def _strings(
        self, bound: Floats, kind: Floats, ref: Floats, turn: Floats, param: Floats
    ) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        points: dict[int, list[tuple[int, float]]] = {}
        for node, ring, angle in self.on_ring:
            points.setdefault(ring, []).append((node, angle))
        along, reached, string = [np.zeros(0, dtype=np.int64)], [np.zeros(0)], [np.zeros(0, dtype=np.int64)]
        count = 0
        rings: list[int] = []
        turns: list[int] = []
        tangent = kind == TANGENT
        for k, ring in enumerate(self.rings):
            mine = np.flatnonzero(tangent & (ref == k))
            extra = points.get(k, [])
            for state in (False, True):
                pts = [(n, a) for n, a in extra if bound[n] == state]
                p_ids = np.array([n for n, _ in pts], dtype=np.int64)
                p_ang = np.array([a for _, a in pts])
                for way in (1, -1):
                    ids = mine[(bound[mine] == state) & (turn[mine] == way)]
                    ids, theta = np.concatenate([ids, p_ids]), np.concatenate([param[ids], p_ang])
                    if not len(ids):
                        continue
                    ids, cost, number = _string(ring, ids, theta, int(state), way)
                    along.append(ids)
                    reached.append(cost)
                    string.append(number + count)
                    new = int(number.max(initial=-1)) + 1
                    count += new
                    rings += [k] * new
                    turns += [way] * new
        return (
            np.concatenate(along), np.concatenate(reached), np.concatenate(string),
            np.array(rings, dtype=np.int64), np.array(turns, dtype=np.int64),
        )


def _string(ring: Ring, ids: Floats, theta: Floats, state: int, turn: int) -> tuple[Floats, Floats, Floats]:
    """Order nodes along a ring in travel with a turn: node, cost since the beginning, string number."""
    arc = ring.locate(theta, np.full(len(ids), state))
    ok = arc >= 0
    ids, theta, arc = ids[ok], theta[ok], arc[ok]
    number, order, closes = ring.chain(state, turn)
    total = float(ring.begin[-1])
    place = ring.along(theta, arc)
    place = place if turn > 0 else total - place
    origin = float(ring.begin[order[0]]) if turn > 0 else total - float(ring.begin[order[0] + 1])
    place = (place - origin) % total if total else place
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    # A node at the very start may seem to lie a whole turn on by rounding.
    wrapped = (place > total - 1e-7) & (rank[arc] == 0) & (len(order) > 1)
    place = np.where(wrapped, 0.0, place)
    sort = np.lexsort((place, number[arc]))
    ids, place, strings = ids[sort], place[sort], number[arc][sort]
    if closes:
        ids, place, strings = np.tile(ids, 2), np.concatenate([place, place + total]), np.tile(strings, 2)
    _, strings = np.unique(strings, return_inverse=True)
    return ids, place, strings


def part_of(piece: Piece, u0: float, u1: float) -> Piece:
    """Return the part of a rim piece between two parameters."""
    if piece.radius:
        return Piece(piece.start, (piece.toward[0] + u0 / piece.radius, 0.0), u1 - u0, piece.radius, piece.normal, piece.owner)
    x, y = piece.at(np.array(u0)).tolist()
    return Piece((x, y), piece.toward, u1 - u0, 0.0, piece.normal, piece.owner)

