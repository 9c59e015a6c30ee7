"""Mending: a polished path that runs into something is changed until nothing is in its way.

What is allowed of it is a route, whose legs are checked once more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from sbg_sim.geometry.breaks import TAU
from sbg_sim.rules.ground import climbed_on
from sbg_sim.rules.results import with_results
from sbg_sim.solver.path.constraints import (
    constrain,
    constrain_further,
    constrain_grazing,
    fix_at_corners,
    fix_touching_ends,
)
from sbg_sim.solver.path.gathering import gather
from sbg_sim.solver.path.neighbours import mend
from sbg_sim.solver.path.paths import Link, OnCircle, Path, PathType, Wrap, type_of
from sbg_sim.solver.path.polish import parted, polish
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.route import Leg, Route, Test
from sbg_sim.tolerance import ANGLE, HAIR, NO_LENGTH, ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Floats
    from sbg_sim.geometry.pieces import Piece
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.space.configuration_space import Space
    from sbg_sim.solver.space.transitions import Transition
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model

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
    dear
        Whether it was given up, for what it costs.

    """

    polished: Path
    sampled: Path
    most: float
    allowed: Done | None = None
    stood: list[Done] = field(default_factory=list)
    path_type: PathType = ()
    dear: bool = False

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
    wanted
        Types that are polished to more than this, inches, need not be mended.
    dear
        Types that were given up, for what they cost.

    """

    table: Table
    mover: Model
    net: TangentGraph
    tests: int
    wanted: float = math.inf
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
            for one in live:
                one.path, cost = self._known[one.path_type]
                one.dear = cost > bar
            self.dear.update(type_of(one.polished) for one in live if one.dear)
            live = [one for one in live if not one.dear]
        barred = [one for one in every if one.allowed is None and not one.dear]
        for one, done in zip(barred, self.kept([(one.sampled, one.most) for one in barred]), strict=True):
            one.allowed = done
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
        other = constrain(self.net, one.path, one.sampled)
        if other is not None:
            fixed = fix_touching_ends(self.net, other, one.path)
            one.stood += [] if fixed is other else filter(None, self._tried([(fixed, one.most)]))
            one.sampled = other
        else:
            other = mend(self.net, [one.path])[0]
        if other is None:
            return False
        one.other, one.path_type = other, (type_of(other), other.constraints, *(link.bound for link in other.links))
        return True

    def _tried(self, paths: Sequence[tuple[Path, float]], *, hops: bool = True) -> list[Done | None]:
        """Make paths shortest: routes and what came of each, None where it is barred or costs more (inches)."""
        polished = polish(self.net, [path for path, _ in paths], hops=hops)
        routes = [self.route(path) for path, _ in polished]
        return [
            None if route is None or route.cost > most + TOUCH else (route, path)
            for route, (path, _), (_, most) in zip(routes, polished, paths, strict=True)
        ]

    def kept(self, paths: Sequence[tuple[Path, float]]) -> list[Done | None]:
        """Make paths shortest on the very pieces of rims that they were sampled on: they may be barred beyond them.

        Or beside the corners from and to which their ways over lead. Each with the most it may cost, inches; None
        where it is not allowed there, or costs more.
        """
        found = self._tried(paths, hops=False)
        beside = {n: fix_at_corners(self.net, paths[n][0]) for n, done in enumerate(found) if done is None}
        barred = [n for n, path in beside.items() if path is not paths[n][0]]
        for n, done in zip(barred, self._tried([(beside[n], paths[n][1]) for n in barred], hops=False), strict=True):
            found[n] = done
        return found

    def _along(self, path: Path, route: Route) -> Done | None:
        """Slide ways over that touch difficult ground along it, if that is allowed and costs no more."""
        best, held = None, constrain_grazing(self.net, path)
        for _ in range(_MENDS):
            if held is None:
                break
            stuck: dict[int, Path] = {}
            tries = polish(self.net, [held], stuck=stuck)
            for other, _ in (*tries, *polish(self.net, list(stuck.values()))):
                along = self.route(other)
                if along is not None and along.cost <= route.cost + ROUNDING:
                    best, route = (along, other), along
            held = constrain_further(self.net, held, other) or constrain_grazing(self.net, other)
        return best

    def _apart(self, path: Path, cost: float) -> Done | None:
        """Part two ways over that meet at a corner, if that is allowed and costs less (inches)."""
        other = parted(self.net, path)
        return None if other is None else self.mended(polish(self.net, [other])[0][0], other, cost - 2 * TOUCH)


# -- routes ------------------------------------------------------------------------------------------------------------


def route_of(table: Table, mover: Model, net: TangentGraph, path: Path) -> Route | None:
    """Turn a path into a route, weighing every leg anew; None when a leg turns out not to be allowed."""
    all_legs = gather(net, [path]).legs()
    starts, ends, sweeps = all_legs.p[0], all_legs.q[0], all_legs.sweep[0].tolist()
    if not (np.isfinite(starts).all() and np.isfinite(ends).all()):
        return None  # a place within a ring, from which no tangent leads to it
    legs: list[Leg] = []
    bound = path.links[0].bound[0] if path.links else False
    for i, link in enumerate(path.links):
        element = path.elements[i]
        space = net.spaces[link.space]
        if isinstance(element, Wrap) and i:
            arc = _arc(net, element, ends[i - 1], sweeps[i], bound, space)
            if arc is None:
                return None
            legs += arc
        p, q = starts[i], ends[i]
        if link.transition >= 0:
            made = _over(table, mover, net, net.transitions[link.transition], p, q, link)
            if made is None:
                return None
            legs += made
            bound = link.bound[1]
            continue
        then = bound or (link.bound[1] and _inside_target(space, q))
        if math.dist(p, q) > NO_LENGTH:
            cost = float(space.straight(p[None], q[None], np.array([bound]), np.array([then]))[0])
            if not math.isfinite(cost):
                return None
            legs.append(Leg("straight", _pt(p), _pt(q), cost, space.surface))
        bound = then
        if isinstance(path.elements[i + 1], OnCircle) and not bool(space.may_end(q[None])[0]):
            return None
    return Route(tuple(legs))


def _pt(p: Floats) -> Point:
    return (float(p[0]), float(p[1]))


def _inside_target(space: Space, q: Floats) -> bool:
    zone = space.target
    if zone is None:
        return False
    return not space.stays or math.dist(zone.at, _pt(q)) <= zone.radius + TOUCH


def _arc(net: TangentGraph, wrap: Wrap, start: Floats, sweep: float, bound: bool, space: Space) -> list[Leg] | None:
    """Cut an arc where its weight changes; None when part of it is closed."""
    ring = net.rings[wrap.ring]
    if abs(sweep) * ring.rho < NO_LENGTH:
        return []
    if sweep * wrap.turn < 0:
        return [] if abs(sweep) < HAIR else None
    cx, cy = ring.center
    first = math.atan2(start[1] - cy, start[0] - cx)
    rel = ((ring.angles - first) * wrap.turn) % TAU
    marks = np.sort(rel[(rel > ANGLE) & (rel < abs(sweep) - ANGLE)])
    edges = np.concatenate([[0.0], marks, [abs(sweep)]])
    pieces: list[tuple[float, float, int]] = []
    for a, b in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        if b <= a:  # two of the ring's cuts fall together
            continue
        mid = np.array([first + wrap.turn * (a + b) / 2])
        i = int(ring.locate(mid, np.array([bound]))[0])
        if i < 0 and (b - a) * ring.rho >= TOUCH:
            return None
        pieces.append((a, b, i))
    legs: list[Leg] = []
    for a, b, i in _without_specks(pieces):
        s, e = first + wrap.turn * a, first + wrap.turn * b
        p = (cx + ring.rho * math.cos(s), cy + ring.rho * math.sin(s))
        q = (cx + ring.rho * math.cos(e), cy + ring.rho * math.sin(e))
        cost = float(ring.weight[i]) * ring.rho * (b - a)
        legs.append(Leg("arc", p, q, cost, space.surface, (cx, cy), ring.rho, wrap.turn * (b - a)))
    return _joined(legs)


def _without_specks(pieces: list[tuple[float, float, int]]) -> list[tuple[float, float, int]]:
    """Give specks that seem closed to the piece beside them, so that an arc ends where the next leg begins."""
    out: list[tuple[float, float, int]] = []
    for a, b, i in pieces:
        if out and (i < 0 or out[-1][2] < 0):
            out[-1] = (out[-1][0], b, max(i, out[-1][2]))
        else:
            out.append((a, b, i))
    return [piece for piece in out if piece[2] >= 0]


def _joined(legs: list[Leg]) -> list[Leg]:
    """Join neighbouring arcs of one weight."""
    out: list[Leg] = []
    for leg in legs:
        last = out[-1] if out else None
        if last is not None and abs(last.cost / last.length - leg.cost / leg.length) < ROUNDING:
            out[-1] = replace(last, end=leg.end, cost=last.cost + leg.cost, sweep=last.sweep + leg.sweep)
        else:
            out.append(leg)
    return out


def _over(
    table: Table, mover: Model, net: TangentGraph, transition: Transition, p: Floats, q: Floats, link: Link
) -> list[Leg] | None:
    space = net.spaces[transition.source]
    if not (_on_rim(transition.near, p) and _on_rim(transition.far, q)):
        return None
    flags = np.array([link.bound[0]]), np.array([link.bound[1]])
    if not bool(transition.open(p[None], q[None], space, *flags)[0]):
        return None
    dest = net.spaces[transition.dest]
    if not bool(dest.passable(q[None])[0] and dest.may_end(q[None])[0]):
        return None
    cost = float(transition.cost(p[None], q[None])[0])
    kind, way = transition.way.kind, transition.way
    face = table.terrain.get(transition.block)
    hung = climbed_on(mover, face, abs(way.rise)) if face is not None and mover.on == space.surface else 0.0
    a, b, here, surface = _pt(p), _pt(q), space.surface, dest.surface
    if kind in {"up", "down", "ladder"}:
        return [Leg(kind, a, b, cost, surface, rise=way.rise)]

    def tested(leg: Leg, kind: str, climbed: float = 0.0, on: str | None = here) -> Leg:
        test = Test(kind, transition.block, leg.start, leg.end, FrozenMap(), way.rule, leg.surface)
        return with_results(table, mover, replace(leg, test=test), on, climbed)

    if kind == "climb-over" and table.rulings["climb_over"] == "down":
        # First to the top of the face it climbs; the shift across goes with the die that brings it down.
        down = tested(Leg("descend", a, b, 2 * way.rise, surface, rise=-way.rise), "descend")
        left = way.rise - hung
        if left <= ROUNDING:
            return [replace(down, cost=cost)]
        climb = Leg("climb", a, a, cost - 2 * way.rise, surface, rise=left)
        return [tested(climb, "climb", hung) if way.tests > 1 else climb, down]
    test = {"climb-over": "climb", "jump-up": "jump"}.get(kind, kind)
    named = {"jump-prone": "jump"}.get(test, test)
    # What was climbed in an earlier turn is not climbed again (CLB.4).
    rise = way.rise - hung if named == "climb" else way.rise
    leg = Leg(named, a, b, cost, surface, rise=rise)
    return [tested(leg, test, hung) if way.tests else leg]


def _on_rim(rim: Sequence[Piece], p: Floats) -> bool:
    """Say whether a place touches what is crossed: bending round a neighbour can draw it off."""
    return bool(np.isfinite(p).all()) and any(piece.nearest(_pt(p))[1] <= TOUCH for piece in rim)
