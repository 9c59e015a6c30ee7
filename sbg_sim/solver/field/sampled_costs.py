"""Sampled costs: the costs of places by the labels of a tangent graph, and the paths to last bends.

From a last bend (a place, or the tangent that leaves a ring) a path goes on straight. The label gives the cost of the
last bend, too high by at most the sampling error. Only the best straights are tested against obstacles.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.arrays import Rows, distances, lengths, point
from sbg_sim.solver.field.runs import Runs
from sbg_sim.solver.graph.tangent_graph import POINT, SAMPLE, SPACING
from sbg_sim.solver.path.cheapest import MOST_TYPES, Sampled, cheapest_of_each
from sbg_sim.solver.path.gathering import as_path, detours, trace
from sbg_sim.solver.path.mending import Mender
from sbg_sim.solver.path.neighbours import beside
from sbg_sim.solver.path.options import NEAR_BEST
from sbg_sim.solver.path.paths import Fixed, Link, Path, Wrap, type_of
from sbg_sim.tolerance import ROUNDING, TINY

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.graph.label_search import Labels
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.path.options import Option
    from sbg_sim.solver.path.paths import PathType
    from sbg_sim.solver.space.transitions import Transition
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.route import Route

    _Types: TypeAlias = dict[PathType, Sampled]

_AHEAD: Final = 64  # straights tested in the first call; twice as many in each next call
_MOST: Final = 4096  # the greatest number of them


def sampling_error(ways: Sequence[Transition], spacing: float) -> float:
    """Return how much sampled costs may lie above true ones, inches: just behind a rim, half the samples' distance.

    Parameters
    ----------
    ways
        The ways over, which end at samples.
    spacing
        Distance of samples along rims, inches.

    """
    return max(NEAR_BEST, spacing) if ways else NEAR_BEST + spacing / 2


@dataclass(frozen=True)
class LastBends(Rows):
    """The bends from which paths may go on straight to places: a row for each place, a column for each bend.

    Parameters
    ----------
    low
        Lower bounds of the costs of places by these bends ``(n, c)``, inches; exact once the straight was tested.
    start
        The places where the last straights begin ``(n, c, 2)``, inches.
    node
        The nodes that label the bends ``(n, c)``.

    """

    low: Floats
    start: Floats
    node: Ints


class SampledCosts:
    """Sampled costs of places on one space, free or bound, after a number of dice, and paths by last bends.

    Parameters
    ----------
    table, mover
        The table and the mover.
    net, labels
        The settled tangent graph.
    space
        Index of the space.
    layer
        Number of dice taken.
    bound
        Whether the mover is bound at the places.
    cutoff
        The greatest cost of interest, inches.
    sampling_error
        How much (inches) a sampled cost may lie above the true one.

    """

    def __init__(
        self,
        table: Table,
        mover: Model,
        net: TangentGraph,
        labels: Labels,
        space: int,
        layer: int,
        *,
        bound: bool,
        cutoff: float,
        sampling_error: float,
    ) -> None:
        self.table, self.mover, self.net, self.labels = table, mover, net, labels
        self.space, self.layer, self.bound = space, layer, bound
        self.cutoff, self.sampling_error, self.sampled = cutoff, sampling_error, cutoff + sampling_error
        cost = labels.cost[layer]
        here = (net.nodes.space == space) & (cost <= self.sampled)
        if not bound:
            here &= ~net.nodes.bound
        self.points: Ints = np.flatnonzero(here & ((net.nodes.kind == POINT) | (net.nodes.kind == SAMPLE)))
        self.cost = cost
        self._prefixes: dict[int, Path] = {}

    @cached_property
    def runs(self) -> Runs:
        """The runs reached within the cutoff and the sampling error."""
        return Runs(self.net, self.space, self.cost, self.sampled, bound=self.bound)

    def open_pieces(self, pieces: Ints) -> Bools:
        """Say which rim pieces of the space are open to a free mover; pieces are cut where that changes."""
        middle = self.net.rims.at(pieces, self.net.rims.length[pieces] / 2)
        return self.net.spaces[self.space].free(middle)

    # -- costs ------------------------------------------------------------------------------------

    def last_bends(self, xy: Floats, points: Ints, beyond: float = 0.0) -> LastBends:
        """Return the last bends of paths to places ``(n, 2)``: given points, and all runs.

        Places may cost ``beyond`` inches more than the cutoff.
        """
        at = self.net.nodes.xy[points]
        away = distances(xy, at)
        low, start, node = self.runs.leave(xy, self.sampled + beyond)
        return LastBends(
            np.concatenate([self.cost[points] + away, low], axis=1),
            np.concatenate([np.broadcast_to(at, (*away.shape, 2)), start], axis=1),
            np.concatenate([np.broadcast_to(points, away.shape), node], axis=1),
        )

    def promising(self, xy: Floats, bends: LastBends, best: Floats) -> tuple[Bools, Bools]:
        """Say which last bends ``(n, c)`` may lead to the best paths, and which of them lie on rims just beside places.

        If a path crosses a rim just before a place, the samples say little about its cost: along the rim the cost
        changes by an inch an inch, and from the next sample the straight may cost double. But a sample whose cost
        exceeds the best by more than its distance has no type of path that reaches the place for less.
        """
        near = bends.low <= best[:, None] + NEAR_BEST
        points, beside = bends.node.shape[1] - len(self.runs), np.zeros(near.shape, dtype=bool)
        start, node = bends.start[:, :points], bends.node[:, :points]
        away = lengths(xy[:, :1] - start[..., 0], xy[:, 1:] - start[..., 1])
        beside[:, :points] = self.net.on_ground[node] & (away <= SPACING) & (self.cost[node] - away <= best[:, None])
        return beside | near, beside

    def verify(self, ends: Floats, bends: LastBends, points: Ints, *, at_once: int = _AHEAD) -> tuple[Floats, Ints]:
        """Test the most promising straight of every place until the best one is legal.

        Return the costs, and the numbers of their last bends. Straights end at ``ends``, ``(n, c, 2)``, or
        ``(n, 1, 2)`` if the end does not depend on the bend. The first call tests ``at_once`` straights, each next
        call twice as many.
        """
        every, low, start = np.arange(len(ends)), bends.low, bends.start
        ends = np.broadcast_to(ends, start.shape)
        best, choice = np.full(len(ends), np.inf), np.zeros(len(ends), dtype=np.int64)
        known = np.zeros(low.shape, dtype=bool)
        states = np.concatenate([self.net.nodes.bound[points], self.runs.state])
        space, most = self.net.spaces[self.space], at_once
        open_ = every if low.shape[1] else every[:0]
        while len(open_):
            choice[open_] = np.argmin(low[open_], axis=1)
            best[open_] = low[open_, choice[open_]]
            open_ = open_[(best[open_] <= self.sampled) & ~known[open_, choice[open_]]]
            if not len(open_):
                break
            # For few places several straights at once, since most of the time is spent per call.
            ahead, most = min(max(1, most // len(open_)), low.shape[1]), min(2 * most, _MOST)
            c = np.argpartition(low[open_], ahead - 1, axis=1)[:, :ahead].ravel() if ahead > 1 else choice[open_]
            r = np.repeat(open_, ahead)
            use = (low[r, c] <= self.sampled) & ~known[r, c]
            r, c = r[use], c[use]
            p, q = start[r, c], ends[r, c]
            plain = np.hypot(*(q - p).T)
            true = space.straight(p, q, states[c], np.full(len(r), self.bound))
            low[r, c] = low[r, c] - plain + true
            known[r, c] = True
        return best, choice

    def to_circles(self, circles: Floats) -> tuple[Floats, list[Path | None]]:
        """Return the least costs ``(n,)`` of reaching the rims of circles ``(n, 3)``, inches, and paths to last bends.

        The last straights aim at the centres. Beyond the cutoff the cost is infinite, and the path None.
        """
        centre, rho = circles[:, :2], circles[:, 2]
        bends = self.last_bends(centre, self.points, float(rho.max(initial=0.0)))
        ahead = centre[:, None] - bends.start
        apart = np.hypot(*np.moveaxis(ahead, -1, 0))
        share = np.clip(1 - rho[:, None] / np.maximum(apart, TINY), 0.0, 1.0)
        return self._to(bends.start + share[..., None] * ahead, replace(bends, low=bends.low - rho[:, None]))

    def to_places(self, xy: Floats) -> tuple[Floats, list[Path | None]]:
        """Return the sampled costs of places ``(n, 2)``, and paths to last bends, as :meth:`to_circles` does."""
        return self._to(xy[:, None], self.last_bends(xy, self.points))

    def _to(self, ends: Floats, bends: LastBends) -> tuple[Floats, list[Path | None]]:
        """Test the straights to given ends; return the least costs up to the cutoff, and paths to last bends."""
        best, choice = self.verify(ends, bends, self.points)
        reached, node = best <= self.cutoff, bends.node[np.arange(len(ends)), choice]
        last = zip(choice.tolist(), node.tolist(), reached.tolist(), strict=True)
        paths = [self.prefix_of(c, n) if ok else None for c, n, ok in last]
        return np.where(reached, best, np.inf), paths

    # -- paths ----------------------------------------------------------------------------------------------

    def prefix_of(self, c: int, node: int) -> Path:
        """Return the path to last bend ``c``, labelled by a node."""
        return self._onto_run(self.prefix(node), c - len(self.points))

    def detours_of(self, c: int, node: int) -> list[Path]:
        """Return detours of the path to last bend ``c`` that are not much dearer, the cheapest first."""
        steps = trace(self.net, self.labels, self.layer, node)
        others = sorted(detours(self.net, self.labels, self.layer, steps, NEAR_BEST), key=itemgetter(1))
        return [self._onto_run(as_path(self.net, other), c - len(self.points)) for other, _ in others[:MOST_TYPES]]

    def prefix(self, node: int) -> Path:
        """Return the path to a node, by the labels."""
        if node not in self._prefixes:
            self._prefixes[node] = as_path(self.net, trace(self.net, self.labels, self.layer, node))
        return self._prefixes[node]

    def _onto_run(self, path: Path, run: int) -> Path:
        """Return a path with the ring of a run as its last element; the path itself for a negative run."""
        if run < 0:
            return path
        wrap, state = Wrap(int(self.runs.ring[run]), int(self.runs.turn[run])), bool(self.runs.state[run])
        return path if path.elements[-1] == wrap else path.then(Link(self.space, bound=(state, state)), wrap)

    def ended_at(self, prefix: Path, at: Floats) -> Path:
        """Return a path to a last bend with the straight on to a place ``at``, inches."""
        return prefix.then(Link(self.space, bound=(False, self.bound)), Fixed(point(at)))

    def route(self, at: Point) -> Route | None:
        """Return the best route to one place, None when it is not reached."""
        return self.routes(np.array([at], dtype=float))[0]

    def routes(self, xy: Floats) -> list[Route | None]:
        """Return the best routes to places ``(n, 2)``, inches; None for a place that is not reached."""
        space = self.net.spaces[self.space]
        k = np.flatnonzero(space.bound(xy) if self.bound else space.free(xy))
        bends = self.last_bends(xy[k], self.points)
        best, _ = self.verify(xy[k, None], bends, self.points)
        promising, _ = self.promising(xy[k], bends, best)
        reached = np.flatnonzero(np.isfinite(best)).tolist()
        types = [self._types(xy[k[n]], bends.low[n], bends.node[n], np.flatnonzero(promising[n])) for n in reached]
        mender = Mender(self.table, self.mover, self.net, self.layer)
        winners: list[Option | None] = [None] * len(types)
        for which in (0, 1):
            groups = [list(some[which].values())[:MOST_TYPES] for some in types]
            winners = [winner for winner, _ in cheapest_of_each(mender, groups, winners, math.inf)]
        found = dict(zip(k[reached].tolist(), winners, strict=True))
        return [None if (winner := found.get(n)) is None else winner.route for n in range(len(xy))]

    def _types(self, at: Floats, low: Floats, node: Ints, near: Ints) -> tuple[_Types, _Types]:
        """Return the types of path to a place by last bends ``near``, and those beside them, with sampled costs.

        ``low`` and ``node`` are lower bounds by last bend, and the nodes that label the bends ``(c,)``.
        """
        types: _Types = {}
        further: _Types = {}
        near = near[np.argsort(low[near], kind="stable")]
        # The labelled paths of all last bends come before the detours of the best.
        prefixes = [(c, self.prefix_of(c, int(node[c]))) for c in near.tolist()]
        best = near[low[near] <= low[near].min(initial=np.inf) + ROUNDING].tolist()
        prefixes += [(c, path) for c in best for path in self.detours_of(c, int(node[c]))]
        for c, prefix in prefixes:
            sampled, whole = float(low[c]), self.ended_at(prefix, at)
            types.setdefault(type_of(whole), Sampled(sampled, whole))
            for path in beside(self.net, [whole])[0]:
                further.setdefault(type_of(path), Sampled(sampled, path))
        return types, further
