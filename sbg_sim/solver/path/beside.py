"""Types of path next to one at rims of difficult ground: those that cross them beside a corner, a ring or an end."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.geometry.breaks import TAU
from sbg_sim.geometry.grown import crossings
from sbg_sim.solver.graph.tangent_graph import SPACING
from sbg_sim.solver.path.gathering import gather
from sbg_sim.solver.path.paths import Fixed, Link, Path, Slide, Wrap, put, without
from sbg_sim.tolerance import ANGLE, ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Floats, Ints
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.graph.tangent_graph import TangentGraph

_ASIDE: Final = 0.02  # inches from a corner at which a crossing beside it starts to be polished
_BEHIND: Final = 3  # elements behind the last crossing of a rim that may be in its way alone
_HIDDEN: Final = 3  # samples: what a longer way over gains they show


def beside(net: TangentGraph, paths: Sequence[Path]) -> list[list[Path]]:
    """Return the types next to paths that meet a rim at a corner, on a ring or at an end: they cross it beside."""
    return [
        [*beside_corners(net, path), *off, *past_an_end(net, path)]
        for path, off in zip(paths, off_rings(net, paths), strict=True)
    ]


def beside_corners(net: TangentGraph, path: Path) -> list[Path]:
    """Return the types next to a path that bends at a corner of a rim: those that cross the rim beside the corner."""
    found = []
    for i, element in enumerate(path.elements[1:-1], 1):
        if not isinstance(element, Fixed) or path.links[i - 1].transition >= 0 or path.links[i].transition >= 0:
            continue
        found += [put(path, i, slide) for slide in _aside(net, path.links[i].space, element.at)]
    return found


def past_an_end(net: TangentGraph, path: Path) -> list[Path]:
    """Return the types that cross the next pieces of a rim where a path crosses its last one at the end of a piece.

    What it turns round just behind may be in the way of that crossing alone: there are those without it as well.
    """
    i = _last_crossing(net, path)
    if not i:
        return []
    element = path.elements[i]
    if isinstance(element, Slide):
        aside = at_an_end(net, path, i)
        found = [put(path, i, slide) for slide in aside if slide.piece != element.piece]
    else:
        assert isinstance(element, Fixed)
        aside, found = _aside(net, path.links[i].space, element.at), []
    if i + 2 == len(path.elements) or not aside:
        return found
    # What is left out leads no farther than samples lie apart: farther off another sample tells of the crossing.
    at = net.pieces[aside[0].piece].at(np.array(aside[0].u))
    bare = path
    while len(bare.elements) > i + 2:
        bare = without(bare, i + 1)
    for other, near in ((without(path, i + 1), path.elements[i + 1]), (bare, path.elements[-1])):
        if isinstance(near, Fixed) and math.dist(at, near.at) <= SPACING:
            found += [put(other, i, slide) for slide in aside]
    return found


def _last_crossing(net: TangentGraph, path: Path) -> int:
    """Return which element crosses a rim last, at a corner of it or where it slides; 0 where none near the end does."""
    last = len(path.elements) - 1
    for i in range(last - 1, max(0, last - 2 - _BEHIND), -1):
        element = path.elements[i]
        if path.links[i - 1].transition >= 0 or path.links[i].transition >= 0:
            return 0
        if isinstance(element, Slide) or (
            isinstance(element, Fixed) and _rims_at(net, path.links[i].space, element.at)
        ):
            return i
    return 0


def at_an_end(net: TangentGraph, path: Path, i: int) -> list[Slide]:
    """Return where beside the end of a piece a path might cross rims that slides there; nothing where it does not."""
    element = path.elements[i]
    assert isinstance(element, Slide)
    piece = net.pieces[element.piece]
    if ROUNDING < element.u < piece.length - ROUNDING:
        return []
    x, y = piece.at(np.array(element.u)).tolist()
    return _aside(net, path.links[i - 1].space, (x, y))


def _aside(net: TangentGraph, space: int, at: Point) -> list[Slide]:
    """Return where beside a place on rims of difficult ground a path might cross them."""
    return along_rims(net, net.difficult_on(space), at, _ASIDE)


def along_rims(net: TangentGraph, pieces: Ints, at: Point, apart: float) -> list[Slide]:
    """Return the places some inches from one along those of some pieces of rims that go through it."""
    found = []
    for j, u in _through(net, pieces, at):
        length = net.pieces[j].length
        beside = min(apart, length / 2)
        found.append(Slide(j, u + beside if u < length / 2 else u - beside))
    return found


def off_rings(net: TangentGraph, paths: Sequence[Path]) -> list[list[Path]]:
    """Return the types next to paths that run along a ring across rims: those that cross beside the ring.

    Where a rim leans so that a path would rather bend away from the ring (Snell's law), running on along the ring
    is never the best, however little is gained: often less than samples on the rim can show.
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
    """Return the types that leave a ring at one rim more, each with the ring and which of its angles."""
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
    """Return the types that leave ring ``i`` of a path, entered at an angle and left after another (radians)."""
    found = []
    wrap, link = path.elements[i], path.links[i]
    assert isinstance(wrap, Wrap)
    ring = net.rings[wrap.ring]
    for k in ring.steps.tolist():
        angle, rises = float(ring.angles[k]), float(ring.weight[k] - ring.weight[k - 1]) * wrap.turn
        if not ANGLE < (angle - first) * wrap.turn % TAU < sweep * wrap.turn - ANGLE:
            continue
        away = np.array([math.cos(angle), math.sin(angle)])
        onward = wrap.turn * np.array([-away[1], away[0]])
        at = np.array(ring.center) + ring.rho * away
        for slide, along in _crossing(net, link.space, at, away):
            # How fast the cost falls as the crossing leaves the ring.
            if rises * float(along @ onward) > 0:
                beside = Link(link.space, bound=(link.bound[0], link.bound[0]))
                elements = (*path.elements[: i + 1], slide, *path.elements[i:])
                links = (*path.links[:i], beside, beside, *path.links[i:])
                found.append((k, replace(path, elements=elements, links=links)))
    return found


def over_rings(net: TangentGraph, path: Path) -> list[tuple[int, Path]]:
    """Return the types that go over what a path just goes round, each with how many dice more that takes.

    They gain less than samples of its rim can show.
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
            shares = np.sort(crossings(p[None], q[None], over.body)[0])
            ends = [p + t * (q - p) for t in shares[(shares > 0) & (shares < 1)]]
            if len(ends) < 2 or math.dist(ends[0], ends[-1]) > _HIDDEN * SPACING:
                continue
            rims = [net.rim_of(j, near=near) for near in (True, False)]
            slides = [_nearest(net, rim, at) for rim, at in zip(rims, (ends[0], ends[-1]), strict=True)]
            links = (*path.links[:i], Link(around.space, transition=j, bound=bound), *path.links[i:])
            elements = (*path.elements[:i], *slides, *path.elements[i + 1 :])
            found.append((over.way.tests, replace(path, elements=elements, links=links)))
    return found


def _nearest(net: TangentGraph, pieces: Ints, at: Floats) -> Slide:
    """Return the place on some pieces of rims nearest to one."""
    u, apart = net.rims.nearest(at[None])
    j = int(pieces[apart[0, pieces].argmin()])
    return Slide(j, float(u[0, j]))


def _crossing(net: TangentGraph, space: int, at: Floats, away: Floats) -> list[tuple[Slide, Floats]]:
    """Places on the rims through a point a little to one side of it, and the directions (unit vectors) to them."""
    found = []
    for j, u in _rims_at(net, space, (float(at[0]), float(at[1]))):
        piece = net.pieces[j]
        for v in (max(u - _ASIDE, 0.0), min(u + _ASIDE, piece.length)):
            along = piece.at(np.array(v)) - at
            length = float(np.hypot(*along))
            if length > TOUCH and float(along @ away) > 0:
                found.append((Slide(j, v), along / length))
    return found


def _rims_at(net: TangentGraph, space: int, at: Point) -> list[tuple[int, float]]:
    """Pieces of rims of difficult ground that go through a point, and where on them it lies, inches."""
    return _through(net, net.difficult_on(space), at)


def _through(net: TangentGraph, pieces: Ints, at: Point) -> list[tuple[int, float]]:
    """Return which of some pieces of rims go through a point, and where on them it lies, inches."""
    mine = set(pieces.tolist())
    return [(j, u) for j, u in net.rims.through(at) if j in mine]
