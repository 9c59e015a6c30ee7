"""The tangent graph: places where a shortest path can bend (tangent points, rim samples, corners), and edges.

A node is a place in a space, free or bound. On a ring (a circle round which a path can wrap) it also has a turn.
Edges are straights, weighed by the spaces, or chords of ways over. They are weighed only when the search asks.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.arrays import Rows
from sbg_sim.geometry.rims import Rims
from sbg_sim.geometry.spines import chord_lengths
from sbg_sim.solver.space.transitions import length_per_cost
from sbg_sim.tolerance import SHALLOW, TINY, TOUCH, WALLED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.geometry.grown import Grown
    from sbg_sim.geometry.pieces import Piece
    from sbg_sim.solver.graph.lazy_graph import Graph
    from sbg_sim.solver.space.configuration_space import Space
    from sbg_sim.solver.space.rings import Ring, RingArcs
    from sbg_sim.solver.space.surroundings import Goal
    from sbg_sim.solver.space.transitions import Transition

SPACING: Final = 0.25
"""Distance of samples on rims, inches; polishing makes the answer exact whatever the distance."""

POINT, ON_RING, SAMPLE, VIRTUAL = 0, 1, 2, 3


def rim_owner(transition: int, *, near: bool) -> int:
    """Return the owner number of the rim pieces of a way over."""
    return 2 * transition + (not near)


def tests_of(ways: Sequence[Transition]) -> Ints:
    """Return the number of dice of each way over, and a last 0, so that index -1 (no way over) gives no dice."""
    return np.array([*(way.way.tests for way in ways), 0])


@dataclass(frozen=True)
class Nodes(Rows):
    """Places where paths can bend, a row for each.

    Parameters
    ----------
    xy
        The place ``(n, 2)``, inches.
    space, bound
        The index of its space ``(n,)``, and whether the mover is bound there.
    kind
        ``POINT``, ``ON_RING`` (a tangent point), ``SAMPLE`` (of a rim) or ``VIRTUAL`` (centre of a contact circle).
    ref
        The index of its ring or rim piece; -1 for neither.
    turn
        Direction of travel round the ring: 1 counter-clockwise, -1 clockwise, 0 off rings.
    param
        The angle on the ring (radians), the place on the piece, or the radius of the contact circle about it (inches).

    """

    xy: Floats
    space: Ints
    bound: Bools
    kind: Ints
    ref: Ints
    turn: Ints
    param: Floats

    @classmethod
    def on(
        cls,
        xy: Floats,
        space: int,
        *,
        bound: Bools | bool,
        kind: int,
        ref: Ints | int = -1,
        turn: Ints | int = 0,
        param: Floats | float = 0.0,
    ) -> Nodes:
        """Return places of one space as nodes; a scalar holds for all of them."""
        return cls(xy, *(np.full(len(xy), column) for column in (space, bound, kind, ref, turn, param)))


@dataclass
class TangentGraph:
    """A tangent graph (visibility graph of circles), with samples on rims and ways over.

    Parameters
    ----------
    spaces, rings, arcs, pieces, transitions
        The things that nodes and edges refer to; the arcs are those of the rings.
    piece_space
        The index of each piece's space.
    nodes
        The places where paths can bend.
    graph
        Edges and runs, for the search.
    source
        Start nodes.
    goals
        Goal nodes.
    run_ring, run_turn
        The ring and the turn of each run.
    difficult_pieces
        How many pieces, the first ones, are rims of difficult ground; the rest are rims of ways over or goal lines.
    ground
        The difficult ground that weighs a way over, by its number; all there is for ways not named.

    """

    spaces: Sequence[Space]
    rings: Sequence[Ring]
    arcs: RingArcs
    pieces: list[Piece]
    piece_space: list[int]
    transitions: list[Transition]
    nodes: Nodes
    graph: Graph
    source: list[int]
    goals: Ints
    run_ring: Ints
    run_turn: Ints
    difficult_pieces: int
    ground: dict[int, Grown] = field(default_factory=dict)

    @property
    def transition_of(self) -> Ints:
        """The transition of each edge, -1 for straights."""
        return self.graph.mark

    @cached_property
    def rims(self) -> Rims:
        """The rim pieces as arrays; pieces join into one course only within one rim and on ground of one weight."""
        rims, space = Rims(self.pieces), np.array(self.piece_space, dtype=np.int64)
        kind = np.arange(len(space)) >= self.difficult_pieces
        ground = np.zeros(len(space))
        for i in np.unique(space[kind]).tolist():
            k = np.flatnonzero(kind & (space == i))
            ground[k] = self.spaces[i].weight(rims.at(k, rims.length[k] / 2))
        rows = np.column_stack([kind, space, self.owner, ground])
        return Rims(self.pieces, np.unique(rows, axis=0, return_inverse=True)[1].ravel())

    @cached_property
    def owner(self) -> Ints:
        """By rim piece its owner: the number of the shape of difficult ground, else :func:`rim_owner`."""
        return np.array([piece.owner for piece in self.pieces], dtype=np.int64)

    @cached_property
    def on_ground(self) -> Bools:
        """Whether each node is a sample of a rim of difficult ground ``(n,)``."""
        return np.asarray((self.nodes.kind == SAMPLE) & (self.nodes.ref < self.difficult_pieces))

    def difficult_on(self, space: int) -> Ints:
        """Return the pieces that are rims of difficult ground of a space."""
        return np.flatnonzero(self._ground_of == space)

    @cached_property
    def _ground_of(self) -> Ints:
        """The space of each piece that is a rim of difficult ground."""
        return np.array(self.piece_space[: self.difficult_pieces], dtype=np.int64)

    def rim_of(self, transition: int, *, near: bool) -> Ints:
        """Return the pieces of the rim on which a way over begins (near) or ends."""
        first = self.difficult_pieces
        return first + np.flatnonzero(self.owner[first:] == rim_owner(transition, near=near))

    def samples_of(self, piece: int) -> Ints:
        """Return the samples of a rim piece in order along it: one node for each place, a free one if it exists."""
        first, last = np.searchsorted(self._sampled, [piece, piece + 1])
        return self.samples[first:last]

    @cached_property
    def _sampled(self) -> Ints:
        """The rim piece of each of the :attr:`samples`."""
        return np.asarray(self.nodes.ref[self.samples])

    @cached_property
    def samples(self) -> Ints:
        """The samples of all rim pieces, piece by piece, in the order of :meth:`samples_of`."""
        nodes = np.flatnonzero(self.nodes.kind == SAMPLE)
        nodes = nodes[np.lexsort((nodes, self.nodes.param[nodes], self.nodes.ref[nodes]))]
        new = (np.diff(self.nodes.ref[nodes], prepend=-1) != 0) | (np.diff(self.nodes.param[nodes], prepend=-1.0) != 0)
        return np.asarray(nodes[new])

    def ends(self, e: Ints) -> tuple[Floats, Floats]:
        """Return first and last places ``(n, 2)`` of edges; an edge to a virtual node ends on its contact circle."""
        p, q = self.nodes.xy[self.graph.src[e]], self.nodes.xy[self.graph.dst[e]]
        onto = self._to_contact(e)
        if onto.any():
            d = p[onto] - q[onto]
            rho = self.nodes.param[self.graph.dst[e[onto]], None]
            q[onto] += d / np.maximum(np.hypot(d[:, 0], d[:, 1])[:, None], TINY) * rho
        return p, q

    def _to_contact(self, e: Ints) -> Bools:
        return np.asarray(self.nodes.kind[self.graph.dst[e]] == VIRTUAL)

    def add(self, a: Ints, b: Ints, low: Floats, transition: Ints) -> Ints:
        """Add straights (transition -1) or chords of ways over from nodes ``a`` to ``b``; return the edges' numbers."""
        return self.graph.add(a, b, low, tests_of(self.transitions)[transition], transition)

    def bounds(self, a: Ints, b: Ints, space: int, transition: int, most: Floats) -> Floats:
        """Return lower bounds, inches, of the weights of straights on a space, or of chords of a way over.

        Straights shorter than ``most`` ``(n,)`` that begin or end on a rim are tested further. The bound is infinite if
        the straight leads into the wall behind that rim, and higher if it leads into difficult ground there.
        """
        d: Floats = np.hypot(*(self.nodes.xy[b] - self.nodes.xy[a]).T)
        if transition >= 0:
            return self.transitions[transition].at_least(d)
        k = np.flatnonzero((d < most) & ((self.nodes.kind[a] == SAMPLE) | (self.nodes.kind[b] == SAMPLE)))
        a, b, discs = a[k], b[k], self.spaces[space].ground_parts[1]
        p, q, deep = self.nodes.xy[a], self.nodes.xy[b], np.where(self._chords(space, a, b), d[k], 0.0)
        for n in (a, b):
            deep[chord_lengths(self._backs[n], p, q) > 0] = np.inf
            j = np.flatnonzero(self._ground[n] >= 0)
            deep[j] = np.maximum(deep[j], chord_lengths(discs[self._ground[n[j]]], p[j], q[j]))
        d[k] += deep
        return d

    @cached_property
    def _backs(self) -> Floats:
        """By node a disc ``(n, 3)`` inside the wall whose rim is sampled there, inches; of radius 0 if there is none.

        Walls are grown by the mover's base, so a disc of that size touches their rim from within.
        """
        found = np.zeros((len(self.nodes.xy), 3))
        for i, space in enumerate(self.spaces):
            k = np.flatnonzero((self.nodes.kind == SAMPLE) & (self.nodes.space == i))
            at = self.nodes.xy[k] - space.radius * self.rims.frame(self.nodes.ref[k], self.nodes.param[k])[1]
            walled = ~space.walls.clears(at, space.radius - TOUCH)
            found[k[walled]] = np.column_stack([at, np.full(len(k), space.radius - WALLED)])[walled]
        return found

    @cached_property
    def _ground(self) -> Ints:
        """By node the number of the difficult ground whose rim is sampled there, -1 for none."""
        found = np.full(len(self.nodes.ref), -1)
        found[self.on_ground] = self.owner[self.nodes.ref[self.on_ground]]
        return found

    def _chords(self, i: int, a: Ints, b: Ints) -> Bools:
        """Say which straights between nodes of a space are chords of a single convex piece of difficult ground."""
        found, ground = np.zeros(len(a), dtype=bool), self._ground
        k = np.flatnonzero((ground[a] == ground[b]) & np.isin(ground[a], self.spaces[i].ground_parts[0]))
        if len(k):
            d = self.nodes.xy[b[k]] - self.nodes.xy[a[k]]
            d /= np.maximum(np.hypot(d[:, 0], d[:, 1]), TINY)[:, None]
            out, back = (self.rims.frame(self.nodes.ref[n[k]], self.nodes.param[n[k]])[1] for n in (a, b))
            found[k] = ((d * out).sum(axis=1) < -SHALLOW) & ((d * back).sum(axis=1) > SHALLOW)
        return found

    def ahead(self, goal: Goal) -> Floats:
        """Return lower bounds of the cost from each node to a goal ``(n,)``, inches: the straight, less free shifts."""
        return goal.ahead(self.nodes.xy) / length_per_cost(self.transitions)

    def weigh(self, e: Ints) -> Floats:
        """Return the true weights of edges ``(n,)``, inches; infinite for one that is not legal."""
        out = np.full(len(e), np.inf)
        src, dst, transition = self.graph.src[e], self.graph.dst[e], self.transition_of[e]
        p, q = self.ends(e)
        fb, tb = self.nodes.bound[src], self.nodes.bound[dst]
        for i, space in enumerate(self.spaces):
            k = np.flatnonzero((transition == -1) & (self.nodes.space[src] == i))
            if len(k):
                out[k] = space.straight(p[k], q[k], fb[k], tb[k])
                ends = k[self._to_contact(e[k])]
                out[ends[~space.may_end(q[ends])]] = np.inf
        for j in np.unique(transition[transition >= 0]):
            k = np.flatnonzero(transition == j)
            way = self.transitions[j]
            good = way.open(p[k], q[k], fb[k], tb[k])
            out[k[good]] = way.cost(p[k[good]], q[k[good]], self.ground.get(int(j)))
        return out

    def optimistic(self, by: float) -> TangentGraph | None:
        """Return the same graph with ways over weighed as if difficult ground began ``by`` inches farther in.

        The length of a chord through round ground grows as the root of its depth, so between two samples a way over may
        be much cheaper than at either. Other known weights are kept. None if no way over may cut difficult ground.
        """
        ground = {
            j: replace(way.difficult, rho=np.maximum(way.difficult.rho - by, TINY), edge=None)
            for j, way in enumerate(self.transitions)
            if way.way.horizontal and not way.difficult.empty
        }
        old = self.graph
        again = np.isin(self.transition_of, list(ground)) & np.isfinite(old.low)
        if not again.any():
            return None
        low, k = old.low.copy(), np.flatnonzero(again)
        p, q = self.ends(k)
        for j in ground:
            through = self.transition_of[k] == j
            low[k[through]] = self.transitions[j].at_least(np.hypot(*(q[through] - p[through]).T))

        def weigh(edges: Ints) -> Floats:
            return whole.weigh(edges)

        whole = replace(self, graph=replace(old, low=low, known=old.known & ~again, weigh=weigh), ground=ground)
        return whole
