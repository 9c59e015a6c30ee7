"""Builds a tangent graph: first rings and rims, then the nodes on them, then the edges."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.arrays import distances, unit
from sbg_sim.geometry.breaks import circle_breaks
from sbg_sim.geometry.grown import discs, joined
from sbg_sim.geometry.pieces import carriers, rim_pieces
from sbg_sim.geometry.regions import outside
from sbg_sim.geometry.rims import Rims
from sbg_sim.solver.graph.edges import Product, add_tangents, bicliques
from sbg_sim.solver.graph.lazy_graph import Graph
from sbg_sim.solver.graph.tangent_graph import (
    ON_RING,
    POINT,
    SAMPLE,
    SPACING,
    VIRTUAL,
    Nodes,
    TangentGraph,
    tests_of,
)
from sbg_sim.solver.graph.ways_over import add_ways_over, in_rim_order
from sbg_sim.solver.space.configuration_space import zone_discs
from sbg_sim.solver.space.cutting import cut
from sbg_sim.solver.space.rings import make_rings, make_runs
from sbg_sim.solver.space.transitions import length_per_cost
from sbg_sim.tolerance import ROUNDING, TANGENT, TOUCH

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.geometry.pieces import Piece
    from sbg_sim.geometry.regions import Window
    from sbg_sim.solver.space.surroundings import Goal, Surroundings

_PAIRS: Final = 100_000  # pairs of nodes in one array: as many as fit the processor's cache


class GraphBuilder:
    """Builds the tangent graph of one mover's surroundings.

    Parameters
    ----------
    surroundings
        Spaces and transitions; paths begin where the mover stands.
    goal
        Where paths end, None for everywhere.
    spacing
        Distance of samples on rims, inches.
    range_
        The greatest cost of interest, inches.
    window
        Without a goal, bounds of the places that matter, inches; None for no bounds.
    lazy
        Whether edges between large groups of nodes become bicliques, made only when the search needs them.
    begun
        The greatest cost at which a way over may begin, inches; also of paths to the goal, but for those by ``late``.
    late
        Kinds of ways over that may be the last step of a path to the goal that costs more than ``begun``.
    absorbing
        Whether a path ends as soon as it meets the goal, so that no way over begins there.

    """

    def __init__(
        self,
        surroundings: Surroundings,
        goal: Goal | None,
        spacing: float = SPACING,
        range_: float = math.inf,
        *,
        window: Window | None = None,
        lazy: bool = False,
        begun: float = math.inf,
        late: Collection[str] = (),
        absorbing: bool = False,
    ) -> None:
        self.absorbing = absorbing
        self.spaces, self.transitions, self.spacing = surroundings.spaces, list(surroundings.transitions), spacing
        self.range, self.begun = (cost * length_per_cost(self.transitions) + TOUCH for cost in (range_, begun))
        self.start, self.goal, self.window = surroundings.mover.at, goal, window
        end = None if goal is None else surroundings.index(goal.surface)
        self.goal_space = -1 if end is None else end
        self.late = list(self._late_starts(late))
        self.anchors = [self.start] + ([] if goal is None or goal.at is None else [goal.at])
        self.rings, self.arcs = make_rings(self.spaces)
        none = np.zeros(0, dtype=np.int64)
        self.nodes = Nodes.on(np.zeros((0, 2)), 0, bound=False, kind=POINT)
        self.pieces: list[Piece] = []
        self.piece_space: list[int] = []
        self.on_ring: list[tuple[Ints, Ints, Floats]] = []  # point nodes on rings: node, ring, angle
        self.edges: list[tuple[Ints, Ints, Floats, Ints]] = [(none, none, np.zeros(0), none)]
        self.points: dict[int, list[Ints]] = {i: [] for i in range(len(self.spaces))}
        self.sources: list[int] = []
        self.goals: list[int] = []
        self.products: list[Product] | None = [] if lazy else None
        self.difficult_pieces = 0  # how many pieces, the first ones, are rims of difficult ground
        self.only_in: list[Ints] = [none]  # nodes that straights only enter (near rims), or only leave (far rims)
        self.only_out: list[Ints] = [none]

    # -- nodes ------------------------------------------------------------------------------------------------

    def build(self) -> TangentGraph:
        """Build the graph."""
        p = np.array([self.start], dtype=float)
        self.points[0] += [self.add_nodes(Nodes.on(p, 0, bound=state, kind=POINT)) for state in self.spaces[0].begins]
        self.sources = np.concatenate(self.points[0]).tolist()
        if self.goal is not None and self.goal.at is not None:
            p = np.array([self.goal.at], dtype=float)
            self._add_goals(self.goal, p[self._may_end(self.goal, p)])
        for i in range(len(self.spaces)):
            self._rim_samples(i)
        self.difficult_pieces = len(self.pieces)
        for i in range(len(self.spaces)):
            self._level_corners(i)
            self._ring_corners(i)
        self._contact()
        self._lines()
        # Before all straights: no straight leaves a node where a way over begins, and none enters one where it lands.
        add_ways_over(self)
        for i in range(len(self.spaces)):
            add_tangents(self, i)
            self._straights_to_contact(i)
        net = self._finish()
        for i in range(len(self.spaces)):
            self._point_pairs(net, i)
        if self.products is not None:
            net.graph.bicliques = bicliques(net, self.products, self.spacing, self.range - self.near(net.nodes.xy))
        return net

    def add_nodes(self, more: Nodes) -> Ints:
        """Add nodes; return their numbers."""
        first = len(self.nodes.xy)
        self.nodes = Nodes.joined([self.nodes, more])
        return np.arange(first, len(self.nodes.xy))

    def add_points(
        self, i: int, p: Floats, kind: int = POINT, ref: Ints | int = -1, param: Floats | float = 0.0
    ) -> tuple[Ints, Ints]:
        """Add places ``(n, 2)`` in every state in which they are legal; return nodes, and the row in ``p`` of each."""
        free, bound = (np.flatnonzero(legal) for legal in self.spaces[i].states(p))
        of, states = np.concatenate([free, bound]), np.repeat([False, True], [len(free), len(bound)])
        ref, param = (np.broadcast_to(column, len(p))[of] for column in (ref, param))
        ids = self.add_nodes(Nodes.on(p[of], i, bound=states, kind=kind, ref=ref, param=param))
        self.points[i] += [ids] if len(ids) else []
        return ids, of

    def _may_end(self, goal: Goal, p: Floats) -> Bools:
        """Say at which places ``(n, 2)`` the move may end in the goal's state."""
        return self.spaces[self.goal_space].takes(p, bound=goal.bound)

    def _add_goals(self, goal: Goal, p: Floats, kind: int = POINT, ref: int = -1, param: Floats | float = 0.0) -> Ints:
        """Add places at which the move may end; return their nodes."""
        ids = self.add_nodes(Nodes.on(p, self.goal_space, bound=goal.bound, kind=kind, ref=ref, param=param))
        self.points[self.goal_space].append(ids)
        self.goals += ids.tolist()
        return ids

    def _rim_samples(self, i: int) -> None:
        """Sample the rims of difficult ground of a space."""
        space = self.spaces[i]
        if space.difficult.empty:
            return
        zones = joined(zone_discs(space.zones), space.left)
        rims = rim_pieces(space.difficult, [space.walls, zones, space.border], space.passable)
        ids, ref = self.samples(i, rims)
        rings = np.array([self.arcs.number.get((i, *p.start, p.radius), -1) for p in self.pieces])
        if len(ids):
            on = rings[ref]
            self._onto_rings(ids[on >= 0], on[on >= 0])

    def samples(self, i: int, pieces: Sequence[Piece], *, twice: bool = False) -> tuple[Ints, Ints]:
        """Add rim pieces of a space, and samples on them, ``twice`` as close as usual if asked for.

        Return the nodes within range, and the piece of each.
        """
        first = len(self.pieces)
        self.pieces += pieces
        self.piece_space += [i] * len(pieces)
        rims = Rims(pieces)
        ground = self.spaces[i].weight(rims.at(np.arange(len(pieces)), rims.length / 2))
        row, u = rims.marks(self.spacing, self.anchors, () if self.goal is None else self.goal.contact, ground)
        row, u = rims.halved(row, u, self.spacing / 2) if twice else (row, u)
        p = rims.at(row, u)
        near = self.near(p) + self.ahead(p) <= self.range + self.spacing
        row, u, p = row[near], u[near], p[near]
        ids, of = self.add_points(i, p, SAMPLE, row + first, u)
        return ids, row[of] + first

    def _level_corners(self, i: int) -> None:
        """Add the corners of a level whose rim the centre may reach: a path bends at its inward corners."""
        space = self.spaces[i]
        if space.inside is None or space.margin:
            return
        for ring in space.inside.rings:
            p = np.array(ring)
            self.add_points(i, p[self.near(p) + self.ahead(p) <= self.range])

    def _ring_corners(self, i: int) -> None:
        """Add places where a ring's weight changes, or where it meets the target's zone."""
        rows, angles = [], []
        for k, ring in enumerate(self.rings):
            if ring.space != i or (ring.even and not len(ring.entries)):
                continue
            change = ring.weight != np.roll(ring.weight, 1)
            touching = (ring.open | np.roll(ring.open, 1, axis=1)).any(axis=0)
            found = np.concatenate([ring.angles[change & touching], ring.entries])
            rows.append(np.full(len(found), k))
            angles.append(found)
        if rows:
            row, angle = np.concatenate(rows), np.concatenate(angles)
            p = self.arcs.places(row, angle)
            ids, of = self.add_points(i, p)
            self._onto_rings(ids, row[of])

    def _onto_rings(self, ids: Ints, ring: Ints) -> None:
        """Record that point nodes lie on rings, so that runs contain them."""
        if len(ids):
            d = self.nodes.xy[ids] - self.arcs.center[ring]
            self.on_ring.append((ids, ring, np.arctan2(d[:, 1], d[:, 0])))

    def _contact(self) -> None:
        """Add the goal nodes of a goal that is contact with enemies."""
        goal = self.goal
        if goal is None or not goal.contact:
            return
        p = self._meeting_points(goal) if len(goal.contact) > 1 else self._contact_corners(goal)
        if len(p):
            self._onto_every_ring(self._add_goals(goal, p[self._may_end(goal, p)]), self.goal_space)
        if len(goal.contact) == 1:
            x, y, rho = goal.contact[0]
            at = np.array([[x, y]])
            centre = self.add_nodes(Nodes.on(at, self.goal_space, bound=goal.bound, kind=VIRTUAL, param=rho))
            self.goals += centre.tolist()

    def _lines(self) -> None:
        """Sample the lines on which the move may end; polishing later slides the end of a path along them."""
        goal = self.goal
        if goal is None or not goal.lines:
            return
        for piece in cut(self.spaces[self.goal_space], goal.lines):
            if not self._may_end(goal, piece.at(np.array([piece.length / 2])))[0]:
                continue
            u = Rims([piece]).marks(self.spacing, self.anchors)[1]
            p = piece.at(u)
            ok = self._may_end(goal, p) & (self.near(p) <= self.range + self.spacing)
            kind, index = (SAMPLE, len(self.pieces)) if piece.length else (POINT, -1)
            if piece.length:
                self.pieces.append(piece)
                self.piece_space.append(self.goal_space)
            self._add_goals(goal, p[ok], kind, index, u[ok])

    def _meeting_points(self, goal: Goal) -> Floats:
        """Return the places ``(n, 2)`` where all contact circles of a goal meet."""
        (x, y, rho), *rest = goal.contact
        angles = circle_breaks(np.array([x, y]), rho, discs([rest[0]]))
        touch = math.hypot(rest[0][0] - x, rest[0][1] - y) - rho - rest[0][2]
        if abs(touch) <= TANGENT or (not len(angles) and abs(touch) <= TOUCH):
            angles = np.array([math.atan2(rest[0][1] - y, rest[0][0] - x)])
        p = np.array([x, y]) + rho * unit(angles)
        for cx, cy, cr in rest[1:]:
            p = p[np.abs(np.hypot(p[:, 0] - cx, p[:, 1] - cy) - cr) <= TOUCH]
        return p

    def _contact_corners(self, goal: Goal) -> Floats:
        """Return the places ``(n, 2)`` of a contact circle where its surroundings change."""
        x, y, rho = goal.contact[0]
        space = self.spaces[self.goal_space]
        p = np.array([x, y]) + rho * unit(space.breaks((x, y), rho))
        if space.margin or space.inside is None:
            return p
        # If the centre may reach the rim of a level, a climb still ends with the whole base on top, inside that rim.
        far = [piece for way in self.transitions if way.dest == self.goal_space for piece in way.far]
        q = np.array([x, y]) + rho * unit(np.unique(circle_breaks(np.array([x, y]), rho, carriers(far))))
        return np.concatenate([p, q[(distances(q, p) > TOUCH).all(axis=1)]])

    def _onto_every_ring(self, ids: Ints, i: int) -> None:
        """Record on which rings of a space point nodes lie."""
        if not len(ids):
            return
        xy = self.nodes.xy[ids]
        rings = np.array([k for k, ring in enumerate(self.rings) if ring.space == i], dtype=np.int64)
        c, rho = self.arcs.center[rings], self.arcs.rho[rings]
        off = np.abs(distances(xy, c) - rho)
        node, ring = np.nonzero(off <= ROUNDING)
        self._onto_rings(ids[node], rings[ring])

    # -- edges ------------------------------------------------------------------------------------------------

    def near(self, p: Floats) -> Floats:
        """Return the straight distance of places from the start, a lower bound of their cost, inches."""
        return np.asarray(np.hypot(p[..., 0] - self.start[0], p[..., 1] - self.start[1]))

    def ahead(self, p: Floats) -> Floats:
        """Return a lower bound of the cost from places to the goal, or to the window, inches.

        If only a last way over may cost more than ``begun``, it is the distance to the goal or to where such a way
        begins, plus the rest of the range.
        """
        if self.goal is None or self.begun >= self.range:
            return outside(self.window, p) if self.goal is None else self.goal.ahead(p)
        least = np.min([self.goal.ahead(p), *(outside(bounds, p) for bounds in self.late)], axis=0)
        return np.asarray(least + self.range - self.begun)

    def _late_starts(self, kinds: Collection[str]) -> Iterator[Window]:
        """Yield bounds of the places, within ``begun``, where ways of some kinds begin that can land on the goal."""
        if self.goal is None or self.begun >= self.range:
            return
        x, y, radius = self.goal.focus
        for way in self.transitions:
            lands = way.way.kind in kinds and way.dest == self.goal_space
            if lands and way.near and float(way.to_far(np.array([[x, y]]))[0]) <= radius + 2 * TOUCH:
                rims = Rims(way.near)
                p = rims.at(*rims.evenly(self.spacing))
                p = p[self.near(p) <= self.begun + self.spacing]
                if len(p):
                    low, high = p.min(axis=0) - self.spacing, p.max(axis=0) + self.spacing
                    yield low[0], low[1], high[0], high[1]

    def within(self, p: Floats, length: Floats, q: Floats) -> Bools:
        """Say which steps of some length from ``p`` to ``q`` can be part of a path within range."""
        return np.asarray(self.near(p) + length + self.ahead(q) <= self.range)

    def edge(self, src: Ints, dst: Ints, low: Floats, transition: int = -1) -> None:
        """Add straights, or chords of a way over, with lower bounds of their weights, inches."""
        self.edges.append((src, dst, low, np.full(len(src), transition)))

    def _straights_to_contact(self, i: int) -> None:
        goal = self.goal
        if goal is not None and self.goal_space == i and len(goal.contact) == 1 and self.points[i]:
            pts, pb = np.concatenate(self.points[i]), self.nodes.bound
            a = pts[~(pb[pts] & (not goal.bound)) & ~np.isin(pts, self.goals)]
            x, y, r = goal.contact[0]
            p = self.nodes.xy[a]
            low = np.maximum(np.hypot(p[:, 0] - x, p[:, 1] - y) - r, 0.0)
            self.edge(a, np.full(len(a), self.goals[-1]), low)

    def _point_pairs(self, net: TangentGraph, i: int) -> None:
        """Add the straights between the points of a space."""
        if not self.points[i]:
            return
        pts, xy, pb = np.concatenate(self.points[i]), net.nodes.xy, net.nodes.bound
        froms = pts[~np.isin(pts, np.concatenate(self.only_in)) & ~np.isin(pts, self.goals)]
        tos = pts[~np.isin(pts, np.concatenate(self.only_out)) & ~np.isin(pts, self.sources)]
        if self.products is not None:
            self.products.append(Product(in_rim_order(self, [froms]), in_rim_order(self, [tos]), i))
            return
        rows = []
        for block in np.array_split(froms, 1 + len(froms) * len(tos) // _PAIRS):
            d = distances(xy[block], xy[tos])
            use = self.within(xy[block, None], d, xy[tos]) & (block[:, None] != tos) & ~(pb[block, None] & ~pb[tos])
            j, k = np.nonzero(use)
            rows.append((block[j], tos[k]))
        a, b = (np.concatenate(part) for part in zip(*rows, strict=True))
        low = net.bounds(a, b, i, -1, np.full(len(a), np.inf))
        use = np.isfinite(low)
        net.add(a[use], b[use], low[use], np.full(np.count_nonzero(use), -1))

    # -- finish -----------------------------------------------------------------------------------------------

    def _finish(self) -> TangentGraph:
        """Form the runs of all nodes on rings, and return the graph with all edges added so far."""
        n = self.nodes
        touching = np.flatnonzero(n.kind == ON_RING)
        strung: list[tuple[Ints, Ints, Ints, Floats]] = [
            (touching, n.ref[touching], n.turn[touching], n.param[touching])
        ]
        strung += [(ids, ring, np.full(len(ids), way), at) for ids, ring, at in self.on_ring for way in (1, -1)]
        ids, ring, turn, angle = (np.concatenate(part) for part in zip(*strung, strict=True))
        along, reached, run, run_ring, run_turn = make_runs(self.arcs, ids, ring, turn, angle, n.bound)
        src, dst, low, transition = (np.concatenate(part) for part in zip(*self.edges, strict=True))

        def weigh(edges: Ints) -> Floats:
            return whole.weigh(edges)

        tests = tests_of(self.transitions)[transition]
        graph = Graph(len(n.xy), src, dst, low, tests, weigh, along, reached, run, mark=transition)
        whole = TangentGraph(
            self.spaces,
            self.rings,
            self.arcs,
            self.pieces,
            self.piece_space,
            self.transitions,
            n,
            graph,
            self.sources,
            np.array(self.goals, dtype=np.int64),
            run_ring,
            run_turn,
            self.difficult_pieces,
        )
        return whole
