"""Mending: a polished path that runs into something is changed until nothing is in its way."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from sbg_sim.solver.path.constraints import (
    constrain,
    constrain_to_sides,
    fix_at_corners,
    fix_touching_ends,
    leads_over,
    off_touching_ends,
    touching_ends,
    ways_of,
    within_zone,
)
from sbg_sim.solver.path.gathering import gather
from sbg_sim.solver.path.grazing import constrain_further, constrain_grazing
from sbg_sim.solver.path.neighbours import nearest_on
from sbg_sim.solver.path.normal_form import normal
from sbg_sim.solver.path.onward import mend, past_nothing
from sbg_sim.solver.path.optimise import optimise
from sbg_sim.solver.path.options import NEAR_BEST
from sbg_sim.solver.path.paths import Fixed, Path, PathType, Slide, at_end, fix_where_closed, place_of, put, type_of
from sbg_sim.solver.path.polish import Polished, parted, polish
from sbg_sim.solver.path.routes import route_of
from sbg_sim.tolerance import FITS, MET, ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sbg_sim.arrays import Floats
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.route import Route

_MENDS: Final = 8  # times a path is mended
_SHALLOW: Final = 0.25  # inches: a way over may do best to touch two things, a rim cut no deeper than this and another
Done: TypeAlias = "tuple[Route, Path]"
_Off: TypeAlias = "tuple[int, int, Floats]"  # what _come_off_zone yields


@dataclass(eq=False)
class _Mending:
    """A path while it is mended.

    Parameters
    ----------
    polished, sampled, most
        See :meth:`Mender.mended`.
    path, other, path_type
        The path now; the path it is changed to next, and the type of that.
    allowed
        The best legal route made of it so far, with its path.
    stood
        Variants to polish as well: ways over fixed at the end of a rim, or held to difficult ground that they touch.
    back
        Changed paths that, polished, came back to the path they were changed from.
    clear, dear
        Whether nothing is in its way; whether it was given up because of its cost.

    """

    polished: Path
    sampled: Path
    most: float
    allowed: Done | None = None
    stood: list[Path] = field(default_factory=list)
    back: list[Path] = field(default_factory=list)
    path_type: PathType = ()
    clear: bool = False
    dear: bool = False

    def __post_init__(self) -> None:
        self.path = self.other = self.polished


@dataclass(frozen=True)
class Mender:
    """Mends paths of one tangent graph with a number of dice; types that many of them come to are polished once.

    Parameters
    ----------
    table, mover
        The table and the mover.
    net
        The tangent graph.
    tests
        Number of dice.
    landed
        Whether the paths end where the last die puts the mover down.
    dear
        Types that were given up because of their cost, with the states of their links.

    ``_known`` keeps each type that a path was changed to, with its states and constraints, as polished, and the bar
    (inches) up to which that was done.

    """

    table: Table
    mover: Model
    net: TangentGraph
    tests: int
    landed: bool = False
    dear: set[PathType] = field(default_factory=set)
    _known: dict[PathType, tuple[Polished, float]] = field(default_factory=dict)

    def gave_up(self, path: Path) -> bool:
        """Say whether the type of a path was given up because of its cost."""
        return _in_states(path) in self.dear

    def route(self, path: Path) -> Route | None:
        """Return the route of a path as it stands; None if it is not legal or takes another number of dice.

        A last way that may exceed the movement left must lead over something, not just touch it.
        """
        route = route_of(self.table, self.mover, self.net, path)
        if route is None or len(route.tests) != self.tests:
            return None
        last = route.legs[-1].cost if route.legs else 0.0
        dear = (
            (g.begun is not None and route.cost - last > g.begun + FITS)
            or (g.alone is not None and last > g.alone + FITS)
            for g in path.constraints
        )
        late = any(g.begun is not None for g in path.constraints)
        return None if any(dear) or (late and not leads_over(self.net, path)) else route

    def first_allowed(self, polished: Sequence[Polished], most: float = math.inf) -> tuple[int, Route] | None:
        """Return the index and route of the cheapest path that is legal as it stands and costs at most ``most`` inches.

        Paths are tried in order of cost, as checking a route leg by leg is slow.
        """
        order = sorted(range(len(polished)), key=lambda n: polished[n].cost)
        routes = ((n, self.route(polished[n].path)) for n in order if polished[n].cost <= most)
        return next(((n, route) for n, route in routes if route is not None), None)

    def mended(
        self, paths: Sequence[tuple[Path, Path, float]], bar: float = math.inf, *, turns: int = _MENDS
    ) -> list[Done | None]:
        """Change polished paths until nothing is in their way; return route and path of each, None where that fails.

        The changed paths are polished together.

        Parameters
        ----------
        paths
            Each path, the one that it was polished from, and the most that its route may cost, inches.
        bar
            Types that come to cost more are given up, inches: mending makes no path cheaper.
        turns
            How often a path with nothing in its way is refined and mended again, at most.

        """
        every = [_Mending(*path) for path in paths]
        live = every
        for _ in range(_MENDS):
            live = [one for one in live if self._changed(one)]
            if not live:
                break
            fresh: dict[PathType, Path] = {}
            for one in live:
                best, looked = self._known.get(one.path_type, (Polished(one.path, math.inf), -math.inf))
                # Polish it again if it came back to the path that had to be mended, or was only known to cost more.
                if best.path == one.path or looked < min(best.cost, bar):
                    fresh.setdefault(one.path_type, one.other)
            polished = polish(self.net, list(fresh.values()), most=bar)
            self._known.update((of, (best, bar)) for of, best in zip(fresh, polished, strict=True))
            for one in live:
                best, _ = self._known[one.path_type]
                one.back += [one.other] if _type_held(best.path) == _type_held(one.path) else []
                one.path, one.dear = best.path, best.cost > bar
            self.dear.update(_in_states(one.polished) for one in live if one.dear)
            live = [one for one in live if not one.dear]
        self._refine([one for one in every if one.clear], turns)
        barred = [one for one in every if one.allowed is None and not one.dear]
        for one, done in zip(barred, self.kept([(one.sampled, one.most) for one in barred]), strict=True):
            one.allowed = done
        stood = iter(self._tried([(path, one.most) for one in every for path in one.stood], bar))
        back = iter(self._came_back([(path, one.most) for one in every for path in one.back]))
        ends = [
            [*itertools.islice(stood, len(one.stood)), *itertools.islice(back, len(one.back)), one.allowed]
            for one in every
        ]
        return [min(filter(None, some), key=lambda done: done[0].cost, default=None) for some in ends]

    def _changed(self, one: _Mending) -> bool:
        """Change a path where something is in its way, and say so; otherwise keep its route, if legal, in ``one``."""
        route = self.route(one.path)
        beside = constrain_grazing(self.net, one.path, depth=_SHALLOW)
        one.stood += [beside] if beside is not None and len(beside.constraints) > 1 else []
        if route is not None and route.cost <= one.most + TOUCH:
            one.clear = route.cost <= float(gather(self.net, [one.path]).cost()[0]) + TOUCH
            if one.clear:
                one.allowed = route, one.path
                return False
            one.allowed = one.allowed or (route, one.path)  # legal, but over more difficult ground than its weights say
        off = list(_come_off_zone(self.net, one.path, one.sampled))
        beside = _begun_off_zone(self.net, one.path, one.sampled, off)
        one.stood += [] if beside is None else [beside]
        other = _begun_in_zone(self.net, one.sampled, off) or constrain(self.net, one.path, one.sampled)
        if other is not None:
            fixed = fix_touching_ends(self.net, other, one.path)
            one.stood += [] if fixed is other else [fixed]
            one.sampled = other
        else:
            other = mend(self.net, [one.path])[0]
        if other is None:
            return False
        one.other, one.path_type = other, _type_held(other)
        return True

    def _tried(
        self, paths: Sequence[tuple[Path, float]], bar: float = math.inf, *, hops: bool = True
    ) -> list[Done | None]:
        """Polish paths; return route and path of each, None where it is barred or costs more than its limit, inches."""
        polished = polish(self.net, [path for path, _ in paths], hops=hops, most=bar)
        return [self._within(best.path, most) for best, (_, most) in zip(polished, paths, strict=True)]

    def _within(self, path: Path, most: float) -> Done | None:
        """Return the route of a path with the path; None if it is barred or costs more than ``most`` inches."""
        route = self.route(path)
        return None if route is None or route.cost > most + TOUCH else (route, path)

    def _came_back(self, paths: Sequence[tuple[Path, float]]) -> list[Done | None]:
        """Polish paths that came back to one that is barred, keeping arcs that have run out.

        Where the cost hardly falls as an arc runs out, a path without the arc slides on into what the arc led past.
        """
        bests = optimise(self.net, normal(self.net, [path for path, _ in paths]), within=True) if paths else []
        return [
            self._within(best.path, most) if best.clears and not past_nothing(best) else None
            for best, (_, most) in zip(bests, paths, strict=True)
        ]

    def kept(self, paths: Sequence[tuple[Path, float]]) -> list[Done | None]:
        """Polish paths without leaving the pieces of rims that they were sampled on, beyond which they may be barred.

        Failing that, with their ways over fixed at corners, or fixed where rings are closed. Each path comes with the
        most it may cost, inches; None where it is not legal or costs more.
        """
        found = self._tried(paths, hops=False)
        for fix in (fix_at_corners, fix_where_closed):
            fixed = {n: fix(self.net, paths[n][0]) for n, done in enumerate(found) if done is None}
            barred = [n for n, path in fixed.items() if path is not paths[n][0]]
            for n, done in zip(barred, self._tried([(fixed[n], paths[n][1]) for n in barred], hops=False), strict=True):
                found[n] = done
        return found

    def cheaper_along(self, polished: Sequence[Polished], bar: float) -> list[int]:
        """Return the polished paths that get below a bar (inches) once held to the difficult ground they touch.

        Only paths that cost little more than the bar are tried, and of equal ones only the first.
        """
        held: dict[int, Path] = {}
        seen: set[tuple[float, PathType]] = set()
        for n, (path, cost, _) in enumerate(polished):
            if not bar < cost <= bar + NEAR_BEST or (alike := (round(cost / TOUCH), type_of(path))) in seen:
                continue
            seen.add(alike)
            along = constrain_grazing(self.net, path)
            if along is not None:
                held[n] = along
        return [n for n, best in zip(held, polish(self.net, list(held.values())), strict=True) if best.cost < bar]

    def _refine(self, clear: Sequence[_Mending], turns: int) -> None:
        """Slide ways over along what they touch, part those that meet, and hold leaps to corners of their gaps.

        A change is kept where it is legal and costs less; its result is refined again, ``turns`` times at most.
        """
        allowed = [one.allowed for one in clear if one.allowed is not None]
        along, barred = self._along({path: route for route, path in allowed})
        allowed = [along.get(path, (route, path)) for route, path in allowed]
        todo = list(range(len(clear)))
        changes: list[Callable[[list[Path]], list[Path | None]]] = [
            lambda paths: [barred.get(path) for path in paths],
            lambda paths: parted(self.net, paths),
            lambda paths: [off_touching_ends(self.net, path) for path in paths],
            lambda paths: [constrain_to_sides(self.net, path) for path in paths],
        ]
        for change in changes if turns else ():
            others = zip(todo, change([allowed[n][1] for n in todo]), strict=True)
            some = {n: other for n, other in others if other is not None}
            most = {n: allowed[n][0].cost - 2 * TOUCH for n in some}
            polished = polish(self.net, list(some.values()), most=max(most.values(), default=0.0))
            tries = [(n, best.path) for n, best in zip(some, polished, strict=True)]
            # A path that comes back to the ends it was moved off turns into the circle by less than rounding shows.
            tries = [(n, path) for n, path in tries if not _touches_again(self.net, allowed[n][1], some[n], path)]
            if not tries:
                continue
            bar = max(most[n] for n, _ in tries)
            again = self.mended([(path, some[n], most[n]) for n, path in tries], bar, turns=turns - 1)
            done = {n: found for (n, _), found in zip(tries, again, strict=True) if found is not None}
            allowed = [done.get(n, found) for n, found in enumerate(allowed)]
            todo = [n for n in todo if n not in done]
        for one, best in zip(clear, allowed, strict=True):
            one.allowed = best

    def _along(self, routes: dict[Path, Route]) -> tuple[dict[Path, Done], dict[Path, Path]]:
        """Slide ways over along difficult ground that they touch; return the results that are legal and no dearer.

        Also the paths held to that ground whose results something else bars.
        """
        best: dict[Path, Done] = {}
        barred: dict[Path, Path] = {}
        held = {path: constrain_grazing(self.net, path) for path in routes}
        for _ in range(_MENDS):
            live = {path: one for path, one in held.items() if one is not None}
            if not live:
                break
            slid = polish(self.net, list(live.values()), stops=True)
            tries = [[best.path] for best in slid]
            on = {n: best.further for n, best in enumerate(slid) if best.further is not None}
            for n, best_on in zip(on, polish(self.net, list(on.values())), strict=True):
                tries[n].append(best_on.path)
            for (path, one), others, (_, cost, _) in zip(live.items(), tries, slid, strict=True):
                for other in others:
                    along = self.route(other)
                    if (along is None or along.cost > cost + TOUCH) and cost < routes[path].cost - TOUCH:
                        barred.setdefault(path, one)
                    if along is not None and along.cost <= routes[path].cost + ROUNDING:
                        best[path], routes[path] = (along, other), along
                held[path] = constrain_further(self.net, one, others[-1]) or constrain_grazing(self.net, others[-1])
        return best, {path: one for path, one in barred.items() if path not in best}


def _in_states(path: Path) -> PathType:
    """Return the type of a path with the states of its links: what is legal inside a zone may be barred outside."""
    return (type_of(path), *(link.bound for link in path.links))


def _type_held(path: Path) -> PathType:
    """Return the type of a path with the states of its links and its constraints."""
    return (*_in_states(path), path.constraints)


def _touches_again(net: TangentGraph, before: Path, moved: Path, path: Path) -> bool:
    """Say whether ends of ways over that were moved off a circle, at ends of rims, have come back to touch it."""
    touched = set(touching_ends(net, before).values())
    return touched > set(touching_ends(net, moved).values()) and set(touching_ends(net, path).values()) >= touched


def _begun_in_zone(net: TangentGraph, sampled: Path, off: Sequence[_Off]) -> Path | None:
    """Fix the begin of a way over that was sampled on the edge of the charged enemy's zone and came off it.

    There it enters that zone at the same instant as others that bind it as soon as it is on their level (CHG.3).
    """
    for i, _, _ in off:
        element = sampled.elements[i]
        if sampled.links[i].bound == (False, True) and isinstance(element, Slide) and at_end(net, element):
            return put(sampled, i, Fixed(place_of(net, element)))
    return None


def _begun_off_zone(net: TangentGraph, polished: Path, sampled: Path, off: Sequence[_Off]) -> Path | None:
    """Begin such a way just off the edge of that zone, held to clear the others until it has entered it."""
    for i, j, edge in off:
        path, k = (sampled, i) if sampled.links[i].bound == (False, True) else (polished, j)
        element, held = path.elements[k], constrain(net, polished, sampled)
        if isinstance(element, Slide) and held is not None:
            on, long = nearest_on(net, np.array([element.piece]), edge), net.pieces[element.piece].length
            beside = replace(on, u=float(np.clip(on.u, min(MET, long / 2), max(long - MET, long / 2))))
            return replace(put(path, k, beside), constraints=held.constraints)
    return None


def _come_off_zone(net: TangentGraph, polished: Path, sampled: Path) -> Iterator[_Off]:
    """Yield the begins of ways over that were sampled in the charged enemy's zone and, polished, came off it.

    Each as its element's index in the sampled and in the polished path, and the place ``(2,)`` sampled, inches.
    """
    ways = zip(sampled.over, polished.over, ways_of(net, sampled), ways_of(net, polished), strict=False)
    for i, j, (p, _), (now, _) in ways:
        target = net.transitions[sampled.links[i].transition].there.target
        into = sampled.links[i].bound[1] and polished.links[j].bound == (False, True)
        if into and within_zone(target, p) and not within_zone(target, now):
            yield i, j, p[0]
