"""Neighbouring types of a path: they cross rims beside a corner, a ring or an end of a piece that the path meets.

Samples on rims are too far apart to show what these types gain.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.arrays import point
from sbg_sim.geometry.grown import parts
from sbg_sim.solver.graph.tangent_graph import SPACING
from sbg_sim.solver.path.gathering import gather
from sbg_sim.solver.path.paths import (
    Fixed,
    Link,
    Path,
    SamePlace,
    Slide,
    Wrap,
    at_end,
    on_own_ring,
    place_of,
    put,
    without,
)
from sbg_sim.tolerance import ANGLE, MET, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Floats, Ints
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.graph.tangent_graph import TangentGraph

_ASIDE: Final = 0.02  # inches from a corner at which a crossing beside it starts to be polished
_BEHIND: Final = 3  # elements behind the last crossing of a rim that may be there for its sake alone
_HIDDEN: Final = 3  # spacings of samples: the gain of a longer way over shows in sampled costs


def beside(net: TangentGraph, paths: Sequence[Path]) -> list[list[Path]]:
    """Return for each path the types that cross a rim beside the corner, ring or end of a piece where it meets it."""
    return [
        [*beside_corners(net, path), *off, *beside_last_crossing(net, path)]
        for path, off in zip(paths, off_rings(net, paths), strict=True)
    ]


def beside_corners(net: TangentGraph, path: Path) -> list[Path]:
    """Return the types that cross a rim beside a corner of it where a path bends."""
    found = []
    for i, element in enumerate(path.elements[1:-1], 1):
        if not isinstance(element, Fixed) or path.links[i - 1].transition >= 0 or path.links[i].transition >= 0:
            continue
        found += [put(path, i, slide) for slide in _aside(net, path.links[i].space, element.at)]
    return found


def let_go(net: TangentGraph, path: Path) -> list[Path]:
    """Return the types in which one fixed end of a way over slides along one of the pieces of the rim that meet there.

    The landing of a way straight across follows its begin. Both ends of the path itself stay.
    """
    found, last = [], len(path.elements) - 1
    opposite = {g.way for g in path.constraints if g.opposite}
    for n, i in enumerate(path.over):
        link = path.links[i].transition
        across = net.transitions[link].way.across or n in opposite
        for k in (0,) if across else (0, 1):
            element = path.elements[i + k]
            if i + k > 0 and i + max(k, across) < last and isinstance(element, Fixed):
                places = _through(net, net.rim_of(link, near=not k), element.at)
                found += [put(path, i + k, Slide(j, u)) for j, u in places]
    return found


def begun_where_landed(net: TangentGraph, path: Path) -> list[Path]:
    """Return the types in which a way over begins just where the one before it lands."""
    found = []
    for i in range(1, len(path.links) - 1):
        landed, between, begun = (link.transition for link in path.links[i - 1 : i + 2])
        element = path.elements[i]
        if between >= 0 or min(landed, begun) < 0 or not isinstance(element, Slide):
            continue
        piece, rim = net.pieces[element.piece], net.rim_of(begun, near=True)
        around = piece.at(np.clip(element.u + np.array([-MET, MET]), 0.0, piece.length))
        if all(_through(net, rim, (x, y)) for x, y in around.tolist()):
            found.append(put(path, i + 1, SamePlace()))
    return found


def walked_beside(net: TangentGraph, path: Path) -> list[Path]:
    """Return the types that walk those parts of a way to another level that lie on one of the two levels.

    The way over may begin where the chord last leaves the near rim, or land where it first meets the far one. That is
    the same path until a constraint bends the way over.
    """
    found, legs = [], gather(net, [path]).legs()
    for i in path.over:
        link = path.links[i]
        over, (p, q) = net.transitions[link.transition], (legs.p[0, i], legs.q[0, i])
        if over.source == over.dest or over.way.across:
            continue
        for near, ends in ((True, (q, p)), (False, (p, q))):
            met = net.rims.first_of(net.rim_of(link.transition, near=near), *ends)
            if met is not None:
                walk = Link(over.source if near else over.dest, bound=(link.bound[not near],) * 2)
                links = (walk, link) if near else (link, walk)
                elements = (*path.elements[: i + 1], Slide(*met), *path.elements[i + 1 :])
                found.append(replace(path, elements=elements, links=(*path.links[:i], *links, *path.links[i + 1 :])))
    return found


def landed_beside_ring(net: TangentGraph, path: Path) -> list[Path]:
    """Return the types that join a ring by a tangent where a path joins it, after a landing, at a place on its rim."""
    found = []
    for i in range(2, len(path.elements) - 1):
        slide, wrap, landed = path.elements[i], path.elements[i + 1], path.links[i - 2].transition >= 0
        if landed and path.links[i - 1].transition < 0 and on_own_ring(net, slide, wrap):
            found.append(without(path, i))
    return found


def beside_last_crossing(net: TangentGraph, path: Path) -> list[Path]:
    """Return the types that cross, instead of the end of a piece where a path crosses its last rim, the pieces beside.

    Also without the elements just behind, which may be there for the sake of that crossing alone.
    """
    i = _last_crossing(net, path)
    if not i:
        return []
    element = path.elements[i]
    if isinstance(element, Slide):
        aside = beside_end(net, path, i)
        found = [put(path, i, slide) for slide in aside if slide.piece != element.piece]
    else:
        assert isinstance(element, Fixed)
        aside, found = _aside(net, path.links[i].space, element.at), []
    if i + 2 == len(path.elements) or not aside:
        return found
    # Elements are left out only within the spacing of samples: farther off another sample shows the crossing.
    at = place_of(net, aside[0])
    bare = path
    while len(bare.elements) > i + 2:
        bare = without(bare, i + 1)
    for other, near in ((without(path, i + 1), path.elements[i + 1]), (bare, path.elements[-1])):
        if isinstance(near, Fixed) and math.dist(at, near.at) <= SPACING:
            found += [put(other, i, slide) for slide in aside]
    return found


def _last_crossing(net: TangentGraph, path: Path) -> int:
    """Return the index of the last element on a rim, at its corner or sliding; 0 if none is near the path's end."""
    last = len(path.elements) - 1
    for i in range(last - 1, max(0, last - 2 - _BEHIND), -1):
        element = path.elements[i]
        if path.links[i - 1].transition >= 0 or path.links[i].transition >= 0:
            return 0
        ground = net.difficult_on(path.links[i].space)
        if isinstance(element, Slide) or (isinstance(element, Fixed) and _through(net, ground, element.at)):
            return i
    return 0


def beside_end(net: TangentGraph, path: Path, i: int) -> list[Slide]:
    """Return places on rims beside an element that slides at the end of its piece; none for another element."""
    element = path.elements[i]
    if not isinstance(element, Slide) or not at_end(net, element):
        return []
    return _aside(net, path.links[i - 1].space, place_of(net, element))


def _aside(net: TangentGraph, space: int, at: Point) -> list[Slide]:
    """Return places on the rims of difficult ground that go through a place, a little beside it."""
    return along_rims(net, net.difficult_on(space), at, _ASIDE)


def along_rims(net: TangentGraph, pieces: Ints, at: Point, apart: float) -> list[Slide]:
    """Return, on each of the given pieces that goes through a place, the place ``apart`` inches along it."""
    found = []
    for j, u in _through(net, pieces, at):
        length = net.pieces[j].length
        beside = min(apart, length / 2)
        found.append(Slide(j, u + beside if u < length / 2 else u - beside))
    return found


def off_rings(net: TangentGraph, paths: Sequence[Path]) -> list[list[Path]]:
    """Return for each path the types that cross a rim beside a ring, where it crosses the rim along the ring.

    Where a rim leans so that a path refracted by Snell's law leaves the ring, running on along the ring is never the
    shortest, though the gain is often less than samples on the rim can show.
    """
    every = _off_rings_once(net, paths)
    for found in every:
        last, known = found[-1:], {where for where, _ in found[-1:]}
        while last:
            last = [(where, c) for where, c in _off_rings_once(net, [last[0][1]])[0] if where not in known][-1:]
            known |= {where for where, _ in last}
            found.extend(last)
    return [[c for _, c in found] for found in every]


def _off_rings_once(net: TangentGraph, paths: Sequence[Path]) -> list[list[tuple[tuple[int, int], Path]]]:
    """Return the types that leave a ring at one rim, each with the ring and the number of the rim's angle on it."""
    found: list[list[tuple[tuple[int, int], Path]]] = [[] for _ in paths]
    runs = {
        n: [i for i, e in enumerate(c.elements[:-1]) if i and isinstance(e, Wrap) and len(net.rings[e.ring].steps)]
        for n, c in enumerate(paths)
    }
    some = [n for n, at in runs.items() if at]
    if not some:
        return found
    legs = gather(net, [paths[n] for n in some]).legs()
    for row, n in enumerate(some):
        path = paths[n]
        for i in runs[n]:
            wrap = path.elements[i]
            assert isinstance(wrap, Wrap)
            entered, sweep = legs.q[row, i - 1] - net.rings[wrap.ring].center, float(legs.sweep[row, i])
            first = math.atan2(entered[1], entered[0])
            found[n] += [((wrap.ring, k), c) for k, c in _off_ring(net, path, i, first, sweep)]
    return found


def _off_ring(net: TangentGraph, path: Path, i: int, first: float, sweep: float) -> list[tuple[int, Path]]:
    """Return the types that leave the ring of element ``i`` at one rim, with the numbers of the rims' angles.

    The path enters the ring at angle ``first`` and runs round it by ``sweep``, radians.
    """
    found = []
    wrap, link = path.elements[i], path.links[i]
    assert isinstance(wrap, Wrap)
    ring = net.rings[wrap.ring]
    for k in ring.steps.tolist():
        angle, rises = float(ring.angles[k]), float(ring.weight[k] - ring.weight[k - 1]) * wrap.turn
        before = (angle - first) * wrap.turn % math.tau
        if not ANGLE < before < sweep * wrap.turn - ANGLE:
            continue
        # From farther aside an arc beside the crossing would be past nothing, and count as all but a full turn.
        aside = min(_ASIDE, ring.rho * min(before, sweep * wrap.turn - before) ** 2 / 8)
        away = np.array([math.cos(angle), math.sin(angle)])
        onward = wrap.turn * np.array([-away[1], away[0]])
        at = np.array(ring.center) + ring.rho * away
        for slide, along in _crossing(net, link.space, at, away, max(aside, 2 * TOUCH)):
            # Only where the cost falls as the crossing leaves the ring.
            if rises * float(along @ onward) > 0:
                beside = Link(link.space, bound=(link.bound[0], link.bound[0]))
                elements = (*path.elements[: i + 1], slide, *path.elements[i:])
                links = (*path.links[:i], beside, beside, *path.links[i:])
                found.append((k, replace(path, elements=elements, links=links)))
    return found


def over_rings(net: TangentGraph, path: Path) -> list[tuple[int, Path]]:
    """Return the types that go over a solid round which a path just bends, each with the number of its further dice.

    Their gain is less than samples on the solid's rim can show.
    """
    found = []
    for i, wrap in enumerate(path.elements):
        if not isinstance(wrap, Wrap):
            continue
        around, bound = net.rings[wrap.ring], (path.links[i - 1].bound[1],) * 2
        legs = gather(net, [without(path, i)]).legs()
        p, q = legs.p[0, i - 1], legs.q[0, i - 1]
        for j, over in enumerate(net.transitions):
            if not (over.source == over.dest == around.space and over.way.horizontal and over.turns_at(around)):
                continue
            # The path without the ring may begin or end on the solid's rim.
            _, low, high = parts(np.ones(1), [over.body.breaks(p[None], q[None])])
            within = ~over.body.clears(p + ((low + high) / 2)[:, None] * (q - p), TOUCH)
            if not within.any():
                continue
            ends = p + low[within][0] * (q - p), p + high[within][-1] * (q - p)
            if math.dist(*ends) > _HIDDEN * SPACING:
                continue
            rims = [net.rim_of(j, near=near) for near in (True, False)]
            if not all(len(rim) for rim in rims):
                continue  # no way may begin or land anywhere on the rim
            slides = [nearest_on(net, rim, at) for rim, at in zip(rims, ends, strict=True)]
            links = (*path.links[:i], Link(around.space, transition=j, bound=bound), *path.links[i:])
            elements = (*path.elements[:i], *slides, *path.elements[i + 1 :])
            # The numbers of the ways over that follow grow by one.
            before = sum(k < i for k in path.over)
            held = tuple(replace(g, way=g.way + (g.way >= before)) for g in path.constraints)
            found.append((over.way.tests, Path(elements, links, held)))
    return found


def nearest_on(net: TangentGraph, pieces: Ints, at: Floats) -> Slide:
    """Return the place on the given pieces of rims that is nearest to ``at``."""
    u, apart = net.rims.nearest(at[None])
    j = int(pieces[apart[0, pieces].argmin()])
    return Slide(j, float(u[0, j]))


def _crossing(net: TangentGraph, space: int, at: Floats, away: Floats, aside: float) -> list[tuple[Slide, Floats]]:
    """Return places on the rims through a point, a little off it on the side ``away``, with unit vectors to them."""
    found = []
    for j, u in _through(net, net.difficult_on(space), point(at)):
        piece = net.pieces[j]
        for v in (max(u - aside, 0.0), min(u + aside, piece.length)):
            along = piece.at(np.array(v)) - at
            length = float(np.hypot(*along))
            if length > TOUCH and float(along @ away) > 0:
                found.append((Slide(j, v), along / length))
    return found


def _through(net: TangentGraph, pieces: Ints, at: Point) -> list[tuple[int, float]]:
    """Return which of the given pieces of rims go through a point, and where on them it lies, inches."""
    return [(j, u) for j, u in net.rims.through(at) if (pieces == j).any()]
