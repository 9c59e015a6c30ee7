"""Mending: a polished path that runs into something is changed until nothing is in its way."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from sbg_sim.solver.path.gathering import gather
from sbg_sim.solver.path.grazing import clearing, grazing
from sbg_sim.solver.path.neighbours import at_corners, constrained, mend, standing
from sbg_sim.solver.path.path_types import kind_of
from sbg_sim.solver.path.polish import parted, polish
from sbg_sim.solver.path.routes import route_of
from sbg_sim.tolerance import ROUNDING, TOUCH

if TYPE_CHECKING:
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.path.path_types import PathType
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.route import Route

_MENDS: Final = 8  # times a path is mended
Kind: TypeAlias = tuple[object, ...]


@dataclass(frozen=True)
class Mender:
    """Mends the paths of one network that take so many dice; many come to the same kinds, which are polished once.

    Parameters
    ----------
    table, mover
        Whose move it is.
    net
        The network.
    tests
        How many dice.
    dear
        Kinds that were given up, for what they cost.

    """

    table: Table
    mover: Model
    net: TangentGraph
    tests: int
    dear: set[Kind] = field(default_factory=set)
    _known: dict[Kind, tuple[PathType, float]] = field(default_factory=dict)

    def route(self, path: PathType) -> Route | None:
        """Return the route of a path as it is, None where that is not allowed or takes another number of dice."""
        route = route_of(self.table, self.mover, self.net, path)
        return route if route is not None and len(route.tests) == self.tests else None

    def polished(self, path: PathType, most: float) -> tuple[Route, PathType] | None:
        """Polish and mend a path: its route and what it was mended to, None when none below ``most`` (inches) is."""
        return self.mended(polish(self.net, [path])[0][0], path, most)

    def mended(
        self, polished: PathType, sampled: PathType, most: float, bar: float = math.inf
    ) -> tuple[Route, PathType] | None:
        """Mend a polished path until nothing is in its way: its route and what it was mended to, None when that fails.

        Parameters
        ----------
        polished, sampled
            The path, and the one of its kind it was polished from.
        most
            Routes that cost more are not taken, inches.
        bar
            Kinds that come to cost more are given up, inches: mending makes no path cheaper.

        """
        stood: list[tuple[Route, PathType]] = []
        done = self._cleared(polished, sampled, most, bar, stood)
        return min([*stood, *([done] if done else [])], key=lambda one: one[0].cost, default=None)

    def _cleared(
        self, polished: PathType, sampled: PathType, most: float, bar: float, stood: list[tuple[Route, PathType]]
    ) -> tuple[Route, PathType] | None:
        """Mend as :meth:`mended` does, noting what is allowed where ways over stand at the end of a rim."""
        path, allowed = polished, None
        for _ in range(_MENDS):
            route = self.route(path)
            if route is not None and route.cost <= most + TOUCH:
                if route.cost <= float(gather(self.net, [path]).cost()[0]) + TOUCH:
                    route, path = self._along(path, route) or (route, path)
                    return self._apart(path, route.cost) or (route, path)
                allowed = allowed or (route, path)  # but over more difficult ground than was thought
            other = constrained(self.net, path, sampled)
            if other is not None:
                fixed = standing(self.net, other, path)
                stood += [] if fixed is other else filter(None, [self._tried(fixed, most)])
                sampled = other
            else:
                other = mend(self.net, [path])[0]
                if other is None:
                    break
            kind = (kind_of(other), other.constraints, *(link.bound for link in other.links))
            known = self._known.get(kind)
            if known is None or known[0] == path:  # polished from elsewhere, it came to what had to be mended
                self._known[kind] = polish(self.net, [other])[0]
            path, cost = self._known[kind]
            if cost > bar:
                self.dear.add(kind_of(polished))
                return allowed
        return allowed or self.kept(sampled, most)

    def _tried(self, path: PathType, most: float, *, hops: bool = True) -> tuple[Route, PathType] | None:
        """Make a path shortest: its route and what came of it, None where that is barred or costs more (inches)."""
        path = polish(self.net, [path], hops=hops)[0][0]
        route = self.route(path)
        return None if route is None or route.cost > most + TOUCH else (route, path)

    def kept(self, sampled: PathType, most: float) -> tuple[Route, PathType] | None:
        """Make a path shortest on the very pieces of rims that it was sampled on: it may be barred beyond them.

        Or beside the corners from and to which its ways over lead. None when it is not allowed there, or costs more
        than ``most`` (inches).
        """
        return self._tried(sampled, most, hops=False) or self._tried(at_corners(self.net, sampled), most, hops=False)

    def _along(self, path: PathType, route: Route) -> tuple[Route, PathType] | None:
        """Slide ways over that touch difficult ground along it, if that is allowed and costs no more."""
        best, held = None, grazing(self.net, path)
        for _ in range(_MENDS):
            if held is None:
                break
            stuck: dict[int, PathType] = {}
            tries = polish(self.net, [held], stuck=stuck)
            for other, _ in (*tries, *polish(self.net, list(stuck.values()))):
                along = self.route(other)
                if along is not None and along.cost <= route.cost + ROUNDING:
                    best, route = (along, other), along
            held = clearing(self.net, held, other) or grazing(self.net, other)
        return best

    def _apart(self, path: PathType, cost: float) -> tuple[Route, PathType] | None:
        """Part two ways over that meet at a corner, if that is allowed and costs less (inches)."""
        other = parted(self.net, path)
        return None if other is None else self.mended(polish(self.net, [other])[0][0], other, cost - 2 * TOUCH)
