"""The tangent graph: places a shortest path can bend at: tangent points, rim samples, corners, transitions.

Nodes are places in a space, free or bound. On rings (circles that can be wrapped round) a node also has a turn.
Straight edges are weighed by the spaces only when the search asks for them.

A run is one way round the open arcs of a ring. The least cost at which a path leaves it towards a place is the least
label of the nodes it has passed, the arc from there on, and the tangent (Chang and others 2005).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.arrays import unit
from sbg_sim.geometry.rims import Rims
from sbg_sim.geometry.tangents import leave_to_point
from sbg_sim.solver.space.transitions import length_per_cost
from sbg_sim.tolerance import HAIR, ROUNDING, SHALLOW, TINY, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.geometry.pieces import Piece
    from sbg_sim.solver.graph.lazy_graph import Graph
    from sbg_sim.solver.space.configuration_space import Space
    from sbg_sim.solver.space.rings import Ring, RingArcs
    from sbg_sim.solver.space.surroundings import Goal
    from sbg_sim.solver.space.transitions import Transition

SPACING: Final = 0.25
"""Distance of first samples on rims, inches; polishing makes the answer exact whatever it is."""

POINT, ON_RING, SAMPLE, VIRTUAL = 0, 1, 2, 3


def rim_owner(transition: int, *, near: bool) -> int:
    """Return the number by which the pieces of a rim of a way over go."""
    return 2 * transition + (not near)


@dataclass
class Nodes:
    """Nodes as growing lists, turned into arrays once."""

    xy: list[Floats] = field(default_factory=list)
    space: list[Ints] = field(default_factory=list)
    bound: list[Bools] = field(default_factory=list)
    kind: list[Ints] = field(default_factory=list)
    ref: list[Ints] = field(default_factory=list)
    turn: list[Ints] = field(default_factory=list)
    param: list[Floats] = field(default_factory=list)
    size: int = 0

    def add(
        self,
        xy: Floats,
        space: int,
        *,
        bound: Bools | bool,
        kind: int,
        ref: Ints | int = -1,
        turn: Ints | int = 0,
        param: Floats | float = 0.0,
    ) -> Ints:
        """Add places ``(n, 2)``; return their numbers."""
        n = len(xy)
        self.xy.append(np.asarray(xy, dtype=float).reshape(n, 2))
        self.space.append(np.full(n, space, dtype=np.int64))
        self.bound.append(np.broadcast_to(np.asarray(bound, dtype=bool), (n,)))
        self.kind.append(np.full(n, kind, dtype=np.int64))
        self.ref.append(np.broadcast_to(np.asarray(ref, dtype=np.int64), (n,)))
        self.turn.append(np.broadcast_to(np.asarray(turn, dtype=np.int64), (n,)))
        self.param.append(np.broadcast_to(np.asarray(param, dtype=float), (n,)))
        self.size += n
        return np.arange(self.size - n, self.size)


@dataclass
class TangentGraph:
    """A tangent graph (visibility graph of circles), with samples on rims and ways over.

    Parameters
    ----------
    spaces, rings, arcs, pieces, transitions
        What nodes refer to; the arcs are those of the rings.
    xy, space, bound, kind, ref, turn, param
        Per node: place, space, bound or free, kind, ring or rim piece, turn on a ring, angle, rim parameter, or radius
        of the contact circle about it.
    graph
        The graph for the search.
    source
        Start nodes.
    goals
        Goal nodes.
    transition_of
        Per edge the transition it goes through, -1 for straight edges.
    run_ring, run_turn
        Per run the ring and the turn.
    difficult_pieces
        The first so many of the pieces are rims of difficult ground.

    """

    spaces: Sequence[Space]
    rings: Sequence[Ring]
    arcs: RingArcs
    pieces: list[Piece]
    piece_space: list[int]
    transitions: list[Transition]
    xy: Floats
    space: Ints
    bound: Bools
    kind: Ints
    ref: Ints
    turn: Ints
    param: Floats
    graph: Graph
    source: list[int]
    goals: Ints
    transition_of: Ints
    run_ring: Ints
    run_turn: Ints
    difficult_pieces: int

    @cached_property
    def rims(self) -> Rims:
        """The rim pieces as arrays."""
        return Rims(self.pieces)

    @cached_property
    def owner(self) -> Ints:
        """By rim piece what it is of: of difficult ground the number of the shape, else :func:`rim_owner`."""
        return np.array([piece.owner for piece in self.pieces], dtype=np.int64)

    @cached_property
    def piece_ends(self) -> Floats:
        """Where the rim pieces start and end: ``(n, 2, 2)``, inches."""
        ends = [piece.at(np.array([0.0, piece.length])) for piece in self.pieces]
        return np.stack(ends) if ends else np.zeros((0, 2, 2))

    def difficult_on(self, space: int) -> Ints:
        """Return which pieces are rims of difficult ground on a space."""
        return np.flatnonzero(np.array(self.piece_space[: self.difficult_pieces]) == space)

    def rim_of(self, transition: int, *, near: bool) -> Ints:
        """Return which pieces are the rim on which a way over begins (near), or that on which it ends."""
        first = self.difficult_pieces
        return first + np.flatnonzero(self.owner[first:] == rim_owner(transition, near=near))

    def samples_of(self, piece: int) -> Ints:
        """Return the nodes at which a rim piece was sampled, in order along it: one a place, a free one if there is."""
        nodes = np.flatnonzero((self.kind == SAMPLE) & (self.ref == piece))
        return nodes[np.unique(self.param[nodes], return_index=True)[1]]

    def ends(self, e: Ints) -> tuple[Floats, Floats]:
        """Return where straight edges start and end ``(n, 2)`` each; goal edges end on the contact circle."""
        p, q = self.xy[self.graph.src[e]], self.xy[self.graph.dst[e]]
        onto = self._to_contact(e)
        if onto.any():
            d = p[onto] - q[onto]
            rho = self.param[self.graph.dst[e[onto]], None]
            q[onto] += d / np.maximum(np.hypot(d[:, 0], d[:, 1])[:, None], TINY) * rho
        return p, q

    def _to_contact(self, e: Ints) -> Bools:
        return np.asarray(self.kind[self.graph.dst[e]] == VIRTUAL)

    def add(self, a: Ints, b: Ints, low: Floats, transition: int = -1) -> Ints:
        """Add straights, or chords of a way over, between nodes; return the numbers of the edges."""
        up = 0 if transition < 0 else self.transitions[transition].way.tests
        self.transition_of = np.concatenate([self.transition_of, np.full(len(a), transition)])
        return self.graph.add(a, b, low, np.full(len(a), up))

    def bounds(self, a: Ints, b: Ints, space: int, transition: int = -1) -> Floats:
        """Return lower bounds of the weights of straights on a space, or of chords of a way over, between nodes."""
        d = np.hypot(*(self.xy[b] - self.xy[a]).T)
        return self.transitions[transition].at_least(d) if transition >= 0 else d * (1 + self._chords(space, a, b))

    def _chords(self, i: int, a: Ints, b: Ints) -> Bools:
        """Say which straights between nodes of a space are chords of one convex piece of difficult ground."""
        found = np.zeros(len(a), dtype=bool)
        owner = self.owner[: self.difficult_pieces]
        sample = (self.kind == SAMPLE) & (self.ref < len(owner))
        k = np.flatnonzero(sample[a] & sample[b])
        k = k[owner[self.ref[a[k]]] == owner[self.ref[b[k]]]]
        k = k[np.isin(owner[self.ref[a[k]]], self.spaces[i].difficult.convex)]
        if len(k):
            d = self.xy[b[k]] - self.xy[a[k]]
            d /= np.maximum(np.hypot(d[:, 0], d[:, 1]), TINY)[:, None]
            out, back = (self.rims.frame(self.ref[n[k]], self.param[n[k]])[1] for n in (a, b))
            found[k] = ((d * out).sum(axis=1) < -SHALLOW) & ((d * back).sum(axis=1) > SHALLOW)
        return found

    def ahead(self, goal: Goal) -> Floats:
        """Return lower bounds of the cost from each node to a goal ``(n,)``, inches: straight, but for what is free."""
        return goal.ahead(self.xy) / length_per_cost(self.transitions)

    def weigh(self, e: Ints) -> Floats:
        """True weights of edges."""
        out = np.full(len(e), np.inf)
        src, dst, transition = self.graph.src[e], self.graph.dst[e], self.transition_of[e]
        p, q = self.ends(e)
        fb, tb = self.bound[src], self.bound[dst]
        for i, space in enumerate(self.spaces):
            k = np.flatnonzero((transition == -1) & (self.space[src] == i))
            if len(k):
                out[k] = space.straight(p[k], q[k], fb[k], tb[k])
                ends = k[self._to_contact(e[k])]
                out[ends[~space.may_end(q[ends])]] = np.inf
        for j in np.unique(transition[transition >= 0]):
            k = np.flatnonzero(transition == j)
            way = self.transitions[j]
            good = way.open(p[k], q[k], fb[k], tb[k])
            out[k[good]] = way.cost(p[k[good]], q[k[good]])
        return out


# -- runs --------------------------------------------------------------------------------------------------------------


class Runs:
    """The runs of one space that are reached within a cutoff.

    Parameters
    ----------
    net
        The tangent graph.
    space
        Index of the space.
    bound
        Whether runs of a bound mover count as well.
    cost
        Labels of the nodes ``(n,)``, inches.
    cutoff
        Runs none of whose labels is as low are left out, inches.

    """

    def __init__(self, net: TangentGraph, space: int, cost: Floats, cutoff: float, *, bound: bool) -> None:
        graph = net.graph
        self.rings, self.arcs = net.rings, net.arcs
        first, last = _reached(net, space, cost, cutoff, bound=bound)
        run, head = graph.run[first], graph.along[first]
        self.ring, self.turn, self.state = net.run_ring[run], net.run_turn[run], net.bound[head]
        self.nodes = [graph.along[a:b] for a, b in zip(first.tolist(), last.tolist(), strict=True)]
        self.least = np.array([cost[nodes].min() for nodes in self.nodes], dtype=float)
        self.total = np.array([self.rings[k].begin[-1] for k in self.ring.tolist()], dtype=float)
        # The runs of the arcs of each ring; where along the ring a run begins, and whether it comes round to itself.
        n = len(first)
        self.number = np.full((n, self.arcs.angle.shape[1]), -1, dtype=np.int64)
        self.origin, self.closed = np.zeros(n), np.zeros(n, dtype=bool)
        # Node by node along all runs: how far along, the label from there on less that, and the node that gives it.
        at, label, source = [np.zeros(0)], [np.zeros(0)], [head[:0]]
        for k, (ring, turn, state) in enumerate(zip(self.ring.tolist(), self.turn.tolist(), self.state, strict=True)):
            r, nodes, along = self.rings[ring], self.nodes[k], graph.reached[first[k] : last[k]]
            number, order, _ = r.runs(int(state), turn)
            self.number[k, : len(number)] = number
            self.origin[k] = r.begin[order[0]] if turn > 0 else self.total[k] - r.begin[order[0] + 1]
            self.closed[k] = along[-1] > self.total[k] or (len(nodes) > 1 and len(np.unique(nodes)) < len(nodes))
            low = np.minimum.accumulate(cost[nodes] - along)
            # The node that gives the label last: cheaper ones before it come round to it.
            new = np.concatenate([[True], low[1:] < low[:-1]])
            at.append(along)
            label.append(low)
            source.append(nodes[np.maximum.accumulate(np.where(new, np.arange(len(nodes)), 0))])
        self.label, self.source = np.concatenate(label), np.concatenate(source)
        self.begin = np.concatenate([[0], np.cumsum(last - first)])
        d = net.xy[head] - self.arcs.center[self.ring]
        arc = self.arcs.locate(self.ring, np.arctan2(d[:, 1], d[:, 0]), self.state)
        self.mine = self.number[np.arange(n), arc] if n else head
        # One sorted list serves the look-ups of all runs: each is shifted beyond the ones before it.
        self.shift = 3.0 * (self.total.max(initial=0.0) + 1.0) * np.arange(n)
        self.key = np.concatenate(at) + np.repeat(self.shift, last - first)

    def __len__(self) -> int:
        return len(self.ring)

    def stretch(self, k: int) -> tuple[float, float]:
        """Return where the open stretch that a free run goes along begins, and how far it goes, radians.

        It goes twice round where it closes on itself, and nowhere where nothing is open.
        """
        ring, turn = self.rings[int(self.ring[k])], int(self.turn[k])
        number, order, closes = ring.runs(0, turn)
        arcs = order[(number[order] == self.mine[k]) & ring.open[0, order]]
        if not len(arcs):
            return 0.0, 0.0
        begin = float(ring.angles[arcs[0]]) + (0.0 if turn > 0 else float(ring.width[arcs[0]]))
        return begin, float(sum(ring.width[arcs].tolist())) * (2 if closes else 1)

    def along(self, k: int, step: float) -> Floats:
        """Return angles along a free run in the order of travel, both its ends among them, radians; none at once."""
        begin, span = self.stretch(k)
        span = min(span, math.tau)
        count = math.ceil(span / step) + 1 if span else 0
        return np.asarray(begin + self.turn[k] * np.linspace(0.0, span, count))

    def leave(self, xy: Floats, cutoff: float = np.inf) -> tuple[Floats, Floats, Ints]:
        """Leave every run for places.

        Parameters
        ----------
        xy
            Places ``(n, 2)``, inches.
        cutoff
            What costs more than this for certain is not looked at, inches.

        Returns
        -------
        low, start, node
            Lower bounds of costs (inches) by way of every run ``(n, m)``, where the last straight leaves its ring
            ``(n, m, 2)``, and the nodes whose labels they come from.

        """
        n, m = len(xy), len(self.ring)
        low, start = np.full((n, m), np.inf), np.zeros((n, m, 2))
        node = np.zeros((n, m), dtype=np.int64)
        if not m:
            return low, start, node
        c, rho = self.arcs.center[self.ring], self.arcs.rho[self.ring]
        away = np.hypot(xy[:, :1] - c[:, 0], xy[:, 1:] - c[:, 1])
        i, j = np.nonzero((away >= rho - TOUCH) & (self.least + away - rho <= cutoff))
        low[i, j], start[i, j], node[i, j] = self.pairs(xy[i], j)
        return low, start, node

    def pairs(self, xy: Floats, j: Ints) -> tuple[Floats, Floats, Ints]:
        """Leave runs ``j`` for one place each ``(n, 2)``: as :meth:`leave`, a row a pair."""
        ring, turn, state = self.ring[j], self.turn[j], self.state[j]
        c, rho = self.arcs.center[ring], self.arcs.rho[ring]
        theta, length = leave_to_point(c, rho, turn, xy)
        arc = self.arcs.locate(ring, theta, state)
        mine = (arc >= 0) & (self.number[j, np.maximum(arc, 0)] == self.mine[j])
        mine &= np.hypot(*(xy - c).T) >= rho - TOUCH
        arc = np.maximum(arc, 0)
        total = self.total[j]
        place = self.arcs.begin[ring, arc] + self.arcs.into(ring, theta, arc) * self.arcs.cost[ring, arc]
        place = (np.where(turn > 0, place, total - place) - self.origin[j]) % total
        place = np.where(place > total - HAIR, 0.0, place)
        k = np.searchsorted(self.key, self.shift[j] + place + ROUNDING, side="right") - 1
        known = mine & (k >= self.begin[j])
        k = np.maximum(k, self.begin[j])
        low, node = np.where(known, self.label[k] + place, np.inf), self.source[k]
        again = np.flatnonzero(mine & self.closed[j])
        if len(again):
            far = place[again] + total[again]
            k = np.searchsorted(self.key, self.shift[j[again]] + far + ROUNDING, side="right") - 1
            k = np.maximum(k, self.begin[j[again]])
            round_ = self.label[k] + far
            better = round_ < low[again]
            node[again[better]] = self.source[k[better]]
            low[again] = np.minimum(low[again], round_)
        start = c + rho[:, None] * unit(theta)
        return low + length, start, node


def _reached(net: TangentGraph, space: int, cost: Floats, cutoff: float, *, bound: bool) -> tuple[Ints, Ints]:
    """Return where the runs begin and end, in the order of the graph, that are of use; as :class:`Runs`."""
    graph, run = net.graph, net.graph.run
    first = np.flatnonzero(np.concatenate([[True], run[1:] != run[:-1]])) if len(run) else run
    last = np.append(first[1:], len(run))
    least = np.minimum.reduceat(cost[graph.along], first) if len(first) else np.zeros(0)
    spaces = np.array([ring.space for ring in net.rings], dtype=np.int64)
    use = (spaces[net.run_ring[run[first]]] == space) & (least <= cutoff) & (~net.bound[graph.along[first]] | bound)
    return first[use], last[use]
