"""Which type a polished path goes on to: where places met or an arc ran out, and where something is in its way.

Where places met the cost has a kink, which Newton's method does not see: they are put on the corner of their rims,
fixed, joined or left out. What a path runs into is put in as a ring, and one that no longer bends it is left out.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.solver.path.constraints import apart_from_rims, within_zone
from sbg_sim.solver.path.gathering import gather
from sbg_sim.solver.path.neighbours import beside_end
from sbg_sim.solver.path.normal_form import normal
from sbg_sim.solver.path.optimise import merits
from sbg_sim.solver.path.paths import Fixed, Link, Path, SamePlace, Slide, Wrap, place_of, put, without
from sbg_sim.tolerance import MET, RIM, ROUNDING, TINY, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Floats
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.path.batch import Legs
    from sbg_sim.solver.path.optimise import Optimum
    from sbg_sim.solver.space.configuration_space import Space


def joined(net: TangentGraph, path: Path) -> Path:
    """Join sliding places that both stand at a corner of two rims: the link between them has no length to weigh."""
    for i in reversed(path.slides[:-1]):
        one, two = path.elements[i], path.elements[i + 1]
        if not isinstance(one, Slide) or not isinstance(two, Slide) or path.links[i].transition >= 0:
            continue
        if math.dist(place_of(net, one), place_of(net, two)) <= ROUNDING:
            path = _on_corner(net, path, i) or path
    return path


def past_nothing(best: Optimum) -> bool:
    """Say whether an arc of a path has shrunk past nothing, so that it would turn the other way."""
    wraps = [(i, e.turn) for i, e in enumerate(best.path.elements) if isinstance(e, Wrap)]
    return any(best.sweep[i] * turn < -TOUCH for i, turn in wraps)


def met(net: TangentGraph, before: Path, best: Optimum) -> Path:
    """Return the type that an optimal path goes on to where its places met; the path itself where none did.

    The ends of an arc that shrank past nothing mean nothing: they are taken from the path ``before``.
    """
    if past_nothing(best):  # kept, such an arc would become one all the way round
        return _without_arc(net, before, best) or _merged(net, best) or best.path
    pinned = _pinned(net, best)
    if pinned is not best.path:
        return pinned
    return _merged(net, best) or _without_arc(net, before, best) or best.path


def _pinned(net: TangentGraph, best: Optimum) -> Path:
    """Fix a sliding place that came to rest on a fixed one, at a kink of the cost that Newton's method cannot see."""
    path = best.path
    for i in path.slides:
        element = path.elements[i]
        assert isinstance(element, Slide)
        at = place_of(net, element)
        for k, n in ((i - 1, i - 1), (i, i + 1)):
            if n == len(path.elements):
                continue  # the path ends on a line, at the place that slides
            other = path.elements[n]
            if path.links[k].transition < 0 and n > i and isinstance(other, Slide):
                cornered = _on_corner(net, path, i, best)
                if cornered is not None:
                    return cornered
            if path.links[k].transition >= 0 or not isinstance(other, Fixed) or math.dist(other.at, at) > MET:
                continue
            if net.pieces[element.piece].nearest(other.at)[1] <= ROUNDING:
                return put(path, i, Fixed(other.at))
    return path


def _on_corner(net: TangentGraph, path: Path, i: int, best: Optimum | None = None) -> Path | None:
    """Put two sliding places that met on the corner where their rims meet; None if that is dearer.

    Costs are those of the function minimised for ``best``, if one is given.
    """
    one, two = path.elements[i], path.elements[i + 1]
    assert isinstance(one, Slide)
    assert isinstance(two, Slide)
    here, there = net.pieces[one.piece], net.pieces[two.piece]
    at = here.at(np.array(one.u))
    if one.piece == two.piece or math.dist(at, there.at(np.array(two.u))) > MET:
        return None
    for x, y in net.rims.ends[[one.piece, two.piece]].reshape(-1, 2).tolist():
        if math.dist((x, y), at) <= MET and max(here.nearest((x, y))[1], there.nearest((x, y))[1]) <= ROUNDING:
            before, after = path.elements[:i], path.elements[i + 2 :]
            links = (*path.links[:i], *path.links[i + 1 :])
            trial = replace(path, elements=(*before, Fixed((x, y)), *after), links=links)
            both = [trial, path]
            new, old = gather(net, both).cost() if best is None else merits(net, both, [best, best])
            return trial if math.isfinite(new) and new <= old + ROUNDING else None
    return None


def _merged(net: TangentGraph, best: Optimum) -> Path | None:
    """Join two sliding places on one rim that have met; None where none have."""
    path, length = best.path, best.length
    for i, link in enumerate(path.links):
        one, two = path.elements[i], path.elements[i + 1]
        if link.transition >= 0 or not isinstance(two, Slide) or not float(length[i]) < MET:
            continue
        if not isinstance(one, Slide):
            if i and _follows(net, path, i):
                return put(path, i + 1, SamePlace())
        # A place at the end of a transition stays, or the way over would be left out with it.
        elif not i or path.links[i - 1].transition < 0:
            return _left_out(net, path, i) or without(path, i)
        elif i + 1 < len(path.links) and path.links[i + 1].transition < 0:
            return without(path, i + 1)
        elif _one_line(net, one, two):
            return put(path, i + 1, SamePlace())
    return None


def _without_arc(net: TangentGraph, before: Path, best: Optimum) -> Path | None:
    """Leave out a ring between sliding places whose arc has run out; None where none has."""
    path = best.path
    for i, element in enumerate(path.elements[1:-1], 1):
        beside = (path.elements[i - 1], path.elements[i + 1])
        if not isinstance(element, Wrap) or not any(isinstance(e, Slide) for e in beside):
            continue
        left = best.sweep[i] * element.turn
        if left < TOUCH:
            sides = (before, path) if left < -TOUCH else (path,)
            begun = (_arc_run_out(net, one, i) for one in sides)
            return next(filter(None, begun), None) or _clear_of_ground(net, [without(one, i) for one in sides])
    return None


def _clear_of_ground(net: TangentGraph, sides: Sequence[Path]) -> Path:
    """Choose from a path before and after a step: after it, unless ways over make that less sure.

    With ways over it is the path before, unless only the one after leads over no more difficult ground than it weighs.
    """
    if not sides[-1].over or len(sides) == 1:
        return sides[-1]
    clear = [len(form.slides) <= len(one.slides) for one, form in zip(sides, normal(net, sides), strict=True)]
    return sides[-1] if clear[-1] and not clear[0] else sides[0]


def _arc_run_out(net: TangentGraph, path: Path, i: int) -> Path | None:
    """Let a way over begin where the one before it lands, as the arc ``i`` between them has run out; None if it cannot.

    The arc belongs to the rim of one of the two ways: a straight line in its place would lead through the solid.
    """
    if not 1 < i < len(path.links) - 1 or min(path.links[i - 2].transition, path.links[i + 1].transition) < 0:
        return None
    legs, one, two = gather(net, [path]).legs(), path.elements[i - 1], path.elements[i + 1]
    for slide, (x, y) in ((two, legs.q[0, i - 2].tolist()), (one, legs.p[0, i + 1].tolist())):
        if isinstance(slide, Slide) and net.pieces[slide.piece].nearest((x, y))[1] <= MET:
            same = put(without(path, i), i, SamePlace())
            if isinstance(one, Slide) and isinstance(two, Slide) and _one_line(net, one, two):
                return same
            return put(put(same, i - 1, Fixed((x, y))), i, Fixed((x, y))) if isinstance(one, Slide) else same
    return None


def _left_out(net: TangentGraph, path: Path, i: int) -> Path | None:
    """Leave out two sliding places that met where it is cheaper to go straight past the rim; None where it is not."""
    if not 0 < i < len(path.links) - 1 or path.links[i + 1].transition >= 0:
        return None
    if path.links[i - 1].weight != path.links[i + 1].weight:
        return None
    bare = normal(net, [without(without(path, i + 1), i)])[0]
    new, old = gather(net, [bare, path]).cost().tolist()
    return bare if new < old - TOUCH else None


def _one_line(net: TangentGraph, one: Slide, two: Slide) -> bool:
    """Say whether two sliding places that met could slide on together: around them their rims are one line."""
    here, there = net.pieces[one.piece], net.pieces[two.piece]
    around = np.clip(one.u + np.array([-MET, MET]), 0.0, here.length)
    return all(there.nearest((x, y))[1] <= ROUNDING for x, y in here.at(around).tolist())


def _follows(net: TangentGraph, path: Path, i: int) -> bool:
    """Say whether an element is the landing of a way straight across that moves on the line the next one slides on."""
    start, before, two = path.elements[i - 1], path.links[i - 1], path.elements[i + 1]
    if before.transition < 0 or not net.transitions[before.transition].way.across or not isinstance(start, Slide):
        return False
    assert isinstance(two, Slide)
    piece = net.pieces[start.piece]
    # The rim that a way lands on may end a touch beyond the one that the next begins on.
    end = min(TOUCH, piece.length / 2)
    around = piece.at(np.clip(start.u + np.array([-MET, MET]), end, piece.length - end))
    landings = net.transitions[before.transition].landing(around)
    return all(net.pieces[two.piece].nearest((x, y))[1] <= ROUNDING for x, y in landings.tolist())


# -- what runs into something ------------------------------------------------------------------------------------------


def mend(net: TangentGraph, paths: Sequence[Path], past: Sequence[int] = ()) -> list[Path | None]:
    """Leave out of each path a ring that it no longer bends round, or put in one that it runs into; None for neither.

    ``past`` may tell the element of each path whose arc has shrunk past nothing, 0 for none: of a single path such an
    arc cannot be told from a full turn.
    """
    if not paths:
        return []
    batch = gather(net, paths)
    legs = batch.legs()
    past = past or batch.past_nothing(legs).tolist()
    found: list[Path | None] = [without(c, i) if i else None for c, i in zip(paths, past, strict=True)]
    ahead = [(n, i) for n, k in enumerate(past) if not k for i in range(len(paths[n].links))]
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
    """Say whether the mover is bound where a straight link comes nearest to the centre of a ring that it runs into."""
    if link.bound[0] == link.bound[1]:
        return link.bound[0]
    p, along = ends[0], ends[1] - ends[0]
    share = float(np.clip((np.array(net.rings[met.ring].center) - p) @ along / max(float(along @ along), TINY), 0, 1))
    return within_zone(net.spaces[link.space].target, (p + share * along)[None])


def onto_next_pieces(net: TangentGraph, paths: Sequence[Path]) -> list[list[Path]]:
    """Return for each path the types in which a place at the end of its piece goes on along the next, if cheaper."""
    batch = gather(net, paths)
    legs = batch.legs()
    pull = batch.weight[..., None] * legs.ahead
    found: list[list[Path]] = [[] for _ in paths]
    for n, i in np.argwhere(batch.ended).tolist():
        for slide in beside_end(net, paths[n], i):
            away = place_of(net, slide) - legs.q[n, i - 1]
            if (pull[n, i - 1] - pull[n, i]) @ away < -ROUNDING:
                found[n].append(put(paths[n], i, slide))
    return found


def _run_into(
    net: TangentGraph, paths: Sequence[Path], ahead: Sequence[tuple[int, int]], legs: Legs
) -> dict[tuple[int, int], Wrap]:
    """Return the first straight link of each path, among ``ahead``, that cuts a solid or a zone.

    With it the ring of the circle that it cuts deepest, and the turn that goes round it. Difficult ground counts where
    the link's weight knows of none and nothing else is in the way.
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
            circles = on.difficult.ends[0]
            depth = apart_from_rims(*ends, circles)
        else:
            circles, depth = obstacles(on, *ends, bound)
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
        p, q = legs.p[n, i], legs.q[n, i]
        side = (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0])
        ring = net.arcs.number.get((paths[n].links[i].space, x, y, rho))
        if ring is not None:
            found[n, i] = Wrap(ring, 1 if side > 0 else -1)
            done.add(n)
    return found


def obstacles(space: Space, p: Floats, q: Floats, bound: tuple[bool, bool] = (False, False)) -> tuple[Floats, Floats]:
    """Return the circles that paths on a space may have to go round, and how far lines are from their rims, inches.

    Circles ``(m, 3)``, those of zones only for a mover while it is free; distances ``(n, m)`` of lines from ``p`` to
    ``q`` ``(n, 2)``, negative inside. ``bound`` tells the mover's states at both ends.
    """
    free = [] if bound[0] else [z for z in space.zones if not (bound[1] and z is space.target)]
    left = [(*z.at, z.radius) for z in free if z.stuck]
    walls, zones = space.walls.ends[0], np.array([*((*z.at, z.bar) for z in free), *left]).reshape(-1, 3)
    entered = space.until_bound(p, q, *(np.full(len(p), state) for state in bound))[0]
    apart = np.concatenate([apart_from_rims(p, q, walls), apart_from_rims(p, entered, zones)], axis=1)
    circles = np.concatenate([walls, zones])
    # A zone that the mover starts in is closed to it as a whole once it has left it.
    for k, (x, y, rho) in enumerate(left, len(circles) - len(left)):
        apart[np.hypot(p[:, 0] - x, p[:, 1] - y) < rho - TOUCH, k] = np.inf
    return circles, apart
