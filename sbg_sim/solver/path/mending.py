"""Mending: a polished path that runs into something is changed until nothing is in its way."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from sbg_sim.solver.path.gathering import gather
from sbg_sim.solver.path.grazing import clearing, grazing
from sbg_sim.solver.path.neighbours import at_corners, constrained, mend, standing
from sbg_sim.solver.path.paths import PathType, type_of
from sbg_sim.solver.path.polish import parted, polish
from sbg_sim.solver.path.routes import route_of
from sbg_sim.tolerance import ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.path.paths import Path
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.route import Route

_MENDS: Final = 8  # times a path is mended
Done: TypeAlias = "tuple[Route, Path]"


@dataclass(eq=False)
class _Mending:
    """A path while it is mended.

    Parameters
    ----------
    polished, sampled, most
        See :meth:`Mender.mended`.
    path, other, path_type
        Where it stands; what it is changed to, and of which type that is.
    allowed, stood
        What is allowed of it, and where ways over stand at the end of a rim.

    """

    polished: Path
    sampled: Path
    most: float
    allowed: Done | None = None
    stood: list[Done] = field(default_factory=list)
    path_type: PathType = ()

    def __post_init__(self) -> None:
        self.path = self.other = self.polished


@dataclass(frozen=True)
class Mender:
    """Mends the paths of one network that take so many dice; many come to the same types, which are polished once.

    Parameters
    ----------
    table, mover
        Whose move it is.
    net
        The network.
    tests
        How many dice.
    dear
        Types that were given up, for what they cost.

    """

    table: Table
    mover: Model
    net: TangentGraph
    tests: int
    dear: set[PathType] = field(default_factory=set)
    _known: dict[PathType, tuple[Path, float]] = field(default_factory=dict)

    def route(self, path: Path) -> Route | None:
        """Return the route of a path as it is, None where that is not allowed or takes another number of dice."""
        route = route_of(self.table, self.mover, self.net, path)
        return route if route is not None and len(route.tests) == self.tests else None

    def polished(self, path: Path, most: float) -> Done | None:
        """Polish and mend a path: its route and what it was mended to, None when none below ``most`` (inches) is."""
        return self.mended(polish(self.net, [path])[0][0], path, most)

    def mended(self, polished: Path, sampled: Path, most: float, bar: float = math.inf) -> Done | None:
        """Mend a polished path until nothing is in its way: its route and what it was mended to, None when that fails.

        Parameters
        ----------
        polished, sampled
            The path, and the one of its type it was polished from.
        most
            Routes that cost more are not taken, inches.
        bar
            Types that come to cost more are given up, inches: mending makes no path cheaper.

        """
        return self.each_mended([(polished, sampled, most)], bar)[0]

    def each_mended(self, paths: Sequence[tuple[Path, Path, float]], bar: float) -> list[Done | None]:
        """Mend several paths as :meth:`mended` does one, each with where it was sampled and the most it may cost.

        What they are changed to is polished together.
        """
        every = [_Mending(*path) for path in paths]
        live = every
        for _ in range(_MENDS):
            live = [one for one in live if self._changed(one)]
            fresh: dict[PathType, Path] = {}
            for one in live:
                known = self._known.get(one.path_type)
                if known is None or known[0] == one.path:  # polished from elsewhere, it came to what had to be mended
                    fresh.setdefault(one.path_type, one.other)
            self._known.update(zip(fresh, polish(self.net, list(fresh.values())), strict=True))
            dear = [one for one in live if self._known[one.path_type][1] > bar]
            self.dear.update(type_of(one.polished) for one in dear)
            live = [one for one in live if one not in dear]
            for one in live:
                one.path = self._known[one.path_type][0]
        for one in live:
            one.allowed = one.allowed or self.kept(one.sampled, one.most)
        ends = ([*one.stood, *([one.allowed] if one.allowed else [])] for one in every)
        return [min(some, key=lambda done: done[0].cost, default=None) for some in ends]

    def _changed(self, one: _Mending) -> bool:
        """Say whether something in its way makes a path another one; if not, what is allowed of it is noted."""
        route = self.route(one.path)
        if route is not None and route.cost <= one.most + TOUCH:
            if route.cost <= float(gather(self.net, [one.path]).cost()[0]) + TOUCH:
                route, path = self._along(one.path, route) or (route, one.path)
                one.allowed = self._apart(path, route.cost) or (route, path)
                return False
            one.allowed = one.allowed or (route, one.path)  # but over more difficult ground than was thought
        other = constrained(self.net, one.path, one.sampled)
        if other is not None:
            fixed = standing(self.net, other, one.path)
            one.stood += [] if fixed is other else filter(None, [self._tried(fixed, one.most)])
            one.sampled = other
        else:
            other = mend(self.net, [one.path])[0]
        if other is None:
            one.allowed = one.allowed or self.kept(one.sampled, one.most)
            return False
        one.other, one.path_type = other, (type_of(other), other.constraints, *(link.bound for link in other.links))
        return True

    def _tried(self, path: Path, most: float, *, hops: bool = True) -> Done | None:
        """Make a path shortest: its route and what came of it, None where that is barred or costs more (inches)."""
        path = polish(self.net, [path], hops=hops)[0][0]
        route = self.route(path)
        return None if route is None or route.cost > most + TOUCH else (route, path)

    def kept(self, sampled: Path, most: float) -> Done | None:
        """Make a path shortest on the very pieces of rims that it was sampled on: it may be barred beyond them.

        Or beside the corners from and to which its ways over lead. None when it is not allowed there, or costs more
        than ``most`` (inches).
        """
        return self._tried(sampled, most, hops=False) or self._tried(at_corners(self.net, sampled), most, hops=False)

    def _along(self, path: Path, route: Route) -> Done | None:
        """Slide ways over that touch difficult ground along it, if that is allowed and costs no more."""
        best, held = None, grazing(self.net, path)
        for _ in range(_MENDS):
            if held is None:
                break
            stuck: dict[int, Path] = {}
            tries = polish(self.net, [held], stuck=stuck)
            for other, _ in (*tries, *polish(self.net, list(stuck.values()))):
                along = self.route(other)
                if along is not None and along.cost <= route.cost + ROUNDING:
                    best, route = (along, other), along
            held = clearing(self.net, held, other) or grazing(self.net, other)
        return best

    def _apart(self, path: Path, cost: float) -> Done | None:
        """Part two ways over that meet at a corner, if that is allowed and costs less (inches)."""
        other = parted(self.net, path)
        return None if other is None else self.mended(polish(self.net, [other])[0][0], other, cost - 2 * TOUCH)
