"""Mending paths whose optimum runs into something, and finding the types of path that lie next to them.

A ring that no longer bends a path is left out, one that it runs into is put in; a way over is held to just clear
what it would cut.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.geometry.spines import segments_spines
from sbg_sim.solver.path.beside import at_an_end
from sbg_sim.solver.path.gathering import gather
from sbg_sim.solver.path.paths import Constraint, Element, Fixed, Link, Path, Slide, Wrap, put, without
from sbg_sim.tolerance import CLEARED, MET, RIM, ROUNDING, TINY, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Floats
    from sbg_sim.geometry.grown import Grown
    from sbg_sim.rules.zones import Zone
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.path.batch import Legs
    from sbg_sim.solver.space.configuration_space import Space
    from sbg_sim.solver.space.transitions import Transition

_PART: Final = np.linspace(0.0, 1.0, 65)[1:, None]
"""Shares of the change from one way to another at which it is looked at what is cut."""


def constrained(net: TangentGraph, polished: Path, sampled: Path) -> Path | None:
    """Hold a way over to the tangent of what it would cut, on the side of it on which the sampled way passes."""
    _, legs = ways_of(net, polished)
    _, first = ways_of(net, sampled)
    links = [link for link in polished.links if link.transition >= 0]
    if len(legs) != len(first):
        return None
    for k, (p, q) in enumerate(legs):
        transition = net.transitions[links[k].transition]
        if _lands_outside(net, links[k], q):
            return _free_from(sampled, k)
        too_long = (
            np.isfinite(transition.way.longest) and float(transition.over(p, q)[0]) > transition.way.longest + TOUCH
        )
        if too_long and not any(g.way == k and g.circle is None for g in sampled.constraints):
            return _shortened(net, sampled, k, first[k])
        before, after = (np.array([bound]) for bound in links[k].bound)
        bodies: list[tuple[int | None, Floats, Floats]] = [(None, q, _corners(transition.others))]
        for i in sorted({transition.source, transition.dest}) if not before else []:
            space = net.spaces[i]
            if not (after and i == transition.dest and _within(space.target, p)):
                come = i != transition.source
                bodies.append((i, space.until_bound(p, q, before, after)[0], _zones(space, p[0], come=come)))
        circles = np.concatenate([some for _, _, some in bodies])
        of = np.repeat(np.arange(len(bodies)), [len(some) for _, _, some in bodies])
        notch = _notch(transition, (p, q), first[k])
        if notch is not None and not any(g.way == k and g.circle == notch for g in sampled.constraints):
            return passing(sampled, k, first[k], notch)
        if not len(circles):
            continue
        away = [_between(first[k], (p, end), some) for _, end, some in bodies]
        depth = np.concatenate(away, axis=1)
        worst = _first_met(depth)
        if depth[-1, worst] >= -TOUCH:
            end = _end_to_pass(transition.others, (p, q), first[k])
            if end is None:
                continue
            worst = end
        x, y, rho = circles[worst].tolist()
        zone = bodies[of[worst]][0]
        if zone is not None and _lands_within(net, links[k], q, (x, y, rho)):
            return _bound_from(sampled, k)
        if any(g.way == k and g.circle == (x, y, rho) for g in sampled.constraints):
            continue
        return passing(sampled, k, first[k], (x, y, rho), zone=zone)
    return None


def standing(net: TangentGraph, path: Path, polished: Path) -> Path:
    """Fix the ends of a way over that touch, at the end of a rim, what it was held to last; where it was polished to.

    There the way can turn off a circle while its distance from it hardly grows.
    """
    held = path.constraints[-1] if path.constraints else None
    if held is None or held.circle is None:
        return path
    i, j = ([k for k, link in enumerate(one.links) if link.transition >= 0][held.way] for one in (path, polished))
    for k in (0, 1):
        one, other = path.elements[i + k], polished.elements[j + k]
        if not (isinstance(one, Slide) and one == other and one.u in {0.0, net.pieces[one.piece].length}):
            continue
        x, y = net.pieces[one.piece].at(np.array(one.u)).tolist()
        if abs(math.dist((x, y), held.circle[:2]) - held.circle[2]) <= ROUNDING:
            path = put(path, i + k, Fixed((x, y)))
    return path


def _between(one: tuple[Floats, Floats], other: tuple[Floats, Floats], circles: Floats) -> Floats:
    """Return how far ways from one to another are from the rims of circles ``(m, 3)``: ``(n, m)``, inches."""
    p, q = ((1 - _PART) * a + _PART * b for a, b in zip(one, other, strict=True))
    return from_rims(p, q, circles)


def _first_met(depth: Floats) -> int:
    """Return which circle is cut first as a way changes, of those it cuts in the end; any where it cuts none."""
    cut = (depth < -TOUCH) & (depth[-1] < -TOUCH)
    first = int(cut.any(axis=1).argmax())
    return int(np.where(cut[first], depth[first], np.inf).argmin())


def passing(
    path: Path,
    way: int,
    ends: tuple[Floats, Floats],
    circle: tuple[float, float, float],
    *,
    zone: int | None = None,
    ground: Grown | None = None,
) -> Path:
    """Hold a way over to just clear a circle, on the side of it on which a way between two ends passes."""
    side = beside_way(ends, np.array([circle[:2]]))[0]
    held = Constraint(way, circle, 1.0 if side > 0 else -1.0, zone=zone, ground=ground)
    return replace(path, constraints=(*path.constraints, held))


def beside_way(way: tuple[Floats, Floats], at: Floats) -> Floats:
    """Return how far to the left of a way places ``(n, 2)`` lie, inches."""
    p, along = way[0][0], way[1][0] - way[0][0]
    off = along[0] * (at[:, 1] - p[1]) - along[1] * (at[:, 0] - p[0])
    return np.asarray(off / max(float(np.hypot(*along)), TINY))


def _notch(
    transition: Transition, way: tuple[Floats, Floats], sampled: tuple[Floats, Floats]
) -> tuple[float, float, float] | None:
    """Return the inward corner of a solid that a way passes farthest on the wrong side, as a circle of no radius."""
    if not transition.leaves(*way)[0]:
        return None
    off = beside_way(way, transition.notches)
    wrong = np.where(off * beside_way(sampled, transition.notches) < 0, np.abs(off), 0.0)
    k = int(wrong.argmax())
    x, y = transition.notches[k].tolist()
    return (x, y, 0.0) if wrong[k] > TOUCH else None


def _within(zone: Zone | None, p: Floats) -> bool:
    """Say whether a place ``(1, 2)`` lies within a zone."""
    return zone is not None and math.dist(p[0], zone.at) <= zone.radius + TOUCH


def _lands_within(net: TangentGraph, link: Link, q: Floats, zone: tuple[float, float, float]) -> bool:
    """Say whether a way over that ends free ends inside the zone of whom it charges, which it may enter (CHG.3)."""
    target = net.spaces[net.transitions[link.transition].dest].target
    if target is None or any(link.bound) or (*target.at, target.radius) != zone:
        return False
    return math.dist(q[0], target.at) < target.radius - TOUCH


def _lands_outside(net: TangentGraph, link: Link, q: Floats) -> bool:
    """Say whether a way over that is to end bound ends outside the zone of whom it charges."""
    target = net.spaces[net.transitions[link.transition].dest].target
    if target is None or link.bound != (False, True):
        return False
    return math.dist(q[0], target.at) > target.radius + TOUCH


def _free_from(path: Path, way: int) -> Path:
    """Let a path be free where one of its ways over lands; it is bound only from the next element on."""
    at = [i for i, link in enumerate(path.links) if link.transition >= 0][way]
    links = list(path.links)
    links[at] = replace(links[at], bound=(False, False))
    if at + 1 < len(links):
        links[at + 1] = replace(links[at + 1], bound=(False, links[at + 1].bound[1]))
    return replace(path, links=tuple(links))


def _bound_from(path: Path, way: int) -> Path:
    """Let a path be bound to whom it charges from the landing of one of its ways over."""
    at = [i for i, link in enumerate(path.links) if link.transition >= 0][way]
    after = tuple(replace(link, bound=(True, True)) for link in path.links[at + 1 :])
    landing = replace(path.links[at], bound=(False, True))
    return replace(path, links=(*path.links[:at], landing, *after))


def _end_to_pass(body: Grown, way: tuple[Floats, Floats], sampled: tuple[Floats, Floats]) -> int | None:
    """Return which corner of a side that a way cuts far from its ends is to be passed: that nearest to another way.

    The corner is one of :func:`_corners`; None when no side is cut.
    """
    if body.empty:
        return None
    depth = segments_spines(*way, body.spines)[0] - body.rho
    cut = int(np.argmin(depth))
    if depth[cut] >= -TOUCH:
        return None
    ends = body.spines[cut].reshape(2, 2)
    return cut + len(body.rho) * int(segments_spines(*sampled, np.tile(ends, 2))[0].argmin())


def _shortened(net: TangentGraph, path: Path, way: int, ends: tuple[Floats, Floats]) -> Path:
    """Hold a way over to its greatest length; one without any to spare goes straight across.

    One that is shorter than straight across, as beside a corner, has some to spare.
    """
    i = ways_of(net, path)[0][way]
    transition = net.transitions[path.links[i].transition]
    over = (float(transition.over(ends[0], to)[0]) for to in (transition.landing(ends[0]), ends[1]))
    held = Constraint(way, None, opposite=all(-TOUCH <= transition.way.longest - some < CLEARED for some in over))
    elements, landing = list(path.elements), path.elements[i + 1]
    if held.opposite and isinstance(landing, Fixed):
        x, y = transition.landing(np.array([landing.at]))[0].tolist()
        elements[i] = Fixed((x, y))
    return replace(path, elements=tuple(elements), constraints=(*path.constraints, held))


def ways_of(net: TangentGraph, path: Path) -> tuple[list[int], list[tuple[Floats, Floats]]]:
    """Return the links of a path that are ways over, and where they begin and end."""
    legs = gather(net, [path]).legs()
    at = [i for i, link in enumerate(path.links) if link.transition >= 0]
    return at, [(legs.p[:, i], legs.q[:, i]) for i in at]


def at_corners(net: TangentGraph, path: Path) -> Path:
    """Fix ways over that must go straight across, and begin or land at a corner or at the end of a piece of a rim."""
    for i, (p, q) in zip(*ways_of(net, path), strict=True):
        over = net.transitions[path.links[i].transition]
        straight = over.way.across or over.way.longest - float(over.over(p, q)[0]) < CLEARED
        if straight and any(_at_a_corner(net, path.elements[k]) for k in (i, i + 1)):
            for k, at in ((i, p), (i + 1, q)):
                path = put(path, k, Fixed((float(at[0, 0]), float(at[0, 1]))))
    return path


def _at_a_corner(net: TangentGraph, element: Element) -> bool:
    if isinstance(element, Slide):
        return element.u in {0.0, net.pieces[element.piece].length}
    return isinstance(element, Fixed)


def mend(net: TangentGraph, paths: Sequence[Path], back: Sequence[int] = ()) -> list[Path | None]:
    """Leave out a ring polished paths no longer bend round, or put in one they run into; None where neither.

    Which arc of each has shrunk past nothing may be known (its element, 0 for none): in a path it is a full turn.
    """
    if not paths:
        return []
    batch = gather(net, paths)
    legs = batch.legs()
    shrunk = back or batch.shrunk(legs).tolist()
    found: list[Path | None] = [without(c, i) if i else None for c, i in zip(paths, shrunk, strict=True)]
    ahead = [(n, i) for n, k in enumerate(shrunk) if not k for i in range(len(paths[n].links))]
    for (n, i), met in _run_into(net, paths, ahead, legs).items():
        path, link = paths[n], paths[n].links[i]
        ends = (path.elements[i], path.elements[i + 1])
        if met in ends or any(isinstance(e, Wrap) and e.ring == met.ring for e in ends):
            continue
        elements = (*path.elements[: i + 1], met, *path.elements[i + 1 :])
        there = _bound_beside(net, link, (legs.p[n, i], legs.q[n, i]), met)
        two = (replace(link, bound=(link.bound[0], there)), replace(link, bound=(there, link.bound[1])))
        found[n] = replace(path, elements=elements, links=(*path.links[:i], *two, *path.links[i + 1 :]))
    return found


def _bound_beside(net: TangentGraph, link: Link, ends: tuple[Floats, Floats], met: Wrap) -> bool:
    """Say whether a mover is bound where a straight link comes nearest to the centre of a ring it runs into."""
    if link.bound[0] == link.bound[1]:
        return link.bound[0]
    p, along = ends[0], ends[1] - ends[0]
    share = float(np.clip((np.array(net.rings[met.ring].center) - p) @ along / max(float(along @ along), TINY), 0, 1))
    return _within(net.spaces[link.space].target, (p + share * along)[None])


def neighbours(net: TangentGraph, paths: Sequence[Path], back: Sequence[int] = ()) -> list[list[Path]]:
    """Return the types next to some that are blocked where they stand, or at the end of a rim.

    A ring it no longer bends round (arcs that have shrunk past nothing as for :func:`mend`) is left out or one that it
    runs into put in; places that have run into each other become one; and a place at the end of its rim goes on along
    the next.
    """
    return [
        [*([] if mended is None else [mended]), *_onward(net, path)]
        for path, mended in zip(paths, mend(net, paths, back), strict=True)
    ]


def _onward(net: TangentGraph, path: Path) -> list[Path]:
    """Return the types in which sliding places that have met are one, or go on beyond the end of a rim."""
    found = []
    points = {i: net.pieces[e.piece].at(np.array(e.u)) for i, e in enumerate(path.elements) if isinstance(e, Slide)}
    for i, at in points.items():
        if i + 1 in points and float(np.hypot(*(points[i + 1] - at))) < MET:
            found += [without(path, i), without(path, i + 1)]
        element = path.elements[i]
        assert isinstance(element, Slide)
        found += [put(path, i, slide) for slide in at_an_end(net, path, i) if slide.piece != element.piece]
    return found


def further(net: TangentGraph, paths: Sequence[Path]) -> list[list[Path]]:
    """Return the types in which places at the ends of their rims go on along the next, where that costs less."""
    batch = gather(net, paths)
    legs = batch.legs()
    pull = batch.weight[..., None] * np.stack([np.cos(legs.phi), np.sin(legs.phi)], axis=-1)
    found: list[list[Path]] = [[] for _ in paths]
    for n, i in np.argwhere(batch.ended).tolist():
        for slide in at_an_end(net, paths[n], i):
            away = net.pieces[slide.piece].at(np.array(slide.u)) - legs.q[n, i - 1]
            if (pull[n, i - 1] - pull[n, i]) @ away < -ROUNDING:
                found[n].append(put(paths[n], i, slide))
    return found


def _run_into(
    net: TangentGraph, paths: Sequence[Path], ahead: Sequence[tuple[int, int]], legs: Legs
) -> dict[tuple[int, int], Wrap]:
    """Return the first straight link of each path that cuts a solid or zone, of some links (path and number).

    With it the ring of what it cuts deepest, with the turn that goes round it. Difficult ground is cut where none is
    known to be crossed and nothing else is in the way.
    """
    alike: dict[tuple[int, tuple[bool, bool], bool], list[tuple[int, int]]] = {}
    for n, i in ahead:
        link = paths[n].links[i]
        if link.transition < 0:
            alike.setdefault((link.space, link.bound, False), []).append((n, i))
            if link.weight == 1.0:
                alike.setdefault((link.space, link.bound, True), []).append((n, i))
    cut: list[tuple[bool, tuple[int, int], tuple[float, float, float]]] = []
    for (space, bound, heavy), some in alike.items():
        rows, cols = np.array(some).T
        ends, on = (legs.p[rows, cols], legs.q[rows, cols]), net.spaces[space]
        if heavy:
            circles = _corners(on.difficult)
            depth = from_rims(*ends, circles)
        else:
            circles, depth = rounds(on, *ends, bound)
        if not len(circles):
            continue
        worst = np.argmin(depth, axis=1)
        into = np.flatnonzero(depth[np.arange(len(some)), worst] < -(RIM if heavy else TOUCH))
        cut += [(heavy, some[k], tuple(circles[worst[k]].tolist())) for k in into.tolist()]
    found: dict[tuple[int, int], Wrap] = {}
    done: set[int] = set()
    for _, (n, i), (x, y, rho) in sorted(cut):
        if n in done:
            continue
        space = paths[n].links[i].space
        p, q = legs.p[n, i], legs.q[n, i]
        side = (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0])
        for j, ring in enumerate(net.rings):
            if ring.space == space and ring.center == (x, y) and ring.rho == rho:
                found[n, i] = Wrap(j, 1 if side > 0 else -1)
                done.add(n)
                break
    return found


def rounds(space: Space, p: Floats, q: Floats, bound: tuple[bool, bool] = (False, False)) -> tuple[Floats, Floats]:
    """Return what paths on a space may have to go round, and how far lines are from it, inches.

    Circles ``(m, 3)``, of zones for a mover while it is free, and distances from their rims of lines from ``p`` to
    ``q`` ``(n, 2)``: ``(n, m)``, negative inside. It is bound at either end of them or at neither, or ends so.
    """
    free = [] if bound[0] else [z for z in space.zones if not (bound[1] and z is space.target)]
    left = [(*z.at, z.radius) for z in free if z.stuck]
    walls, zones = _corners(space.walls), np.array([*((*z.at, z.bar) for z in free), *left]).reshape(-1, 3)
    entered = space.until_bound(p, q, *(np.full(len(p), state) for state in bound))[0]
    apart = np.concatenate([from_rims(p, q, walls), from_rims(p, entered, zones)], axis=1)
    circles = np.concatenate([walls, zones])
    # A zone that a mover starts in is closed to it as a whole once it has left.
    for k, (x, y, rho) in enumerate(left, len(circles) - len(left)):
        apart[np.hypot(p[:, 0] - x, p[:, 1] - y) < rho - TOUCH, k] = np.inf
    return circles, apart


def from_rims(p: Floats, q: Floats, circles: Floats) -> Floats:
    """Return how far lines ``pq`` ``(n, 2)`` are from the rims of circles ``(m, 3)``: ``(n, m)``, inches."""
    return np.asarray(segments_spines(p, q, circles[:, [0, 1, 0, 1]]) - circles[:, 2])


def _corners(body: Grown) -> Floats:
    """Return the circles round the ends of a grown set's spines ``(n, 3)``."""
    s, rho = body.spines, body.rho
    return np.concatenate([np.column_stack([s[:, :2], rho]), np.column_stack([s[:, 2:], rho])])


def _zones(space: Space, p: Floats, *, come: bool) -> Floats:
    """Return the circles a free mover at a place keeps out of ``(n, 3)``, as one that left them if it has ``come``."""
    left = [
        (come and not z.reopened and z is not space.target) or math.dist(p, z.at) >= z.radius - TOUCH
        for z in space.zones
    ]
    rho = [z.radius if out else z.bar for z, out in zip(space.zones, left, strict=True)]
    return np.array([(*z.at, r) for z, r in zip(space.zones, rho, strict=True)]).reshape(-1, 3)
