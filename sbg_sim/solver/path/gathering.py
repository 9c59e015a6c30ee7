"""Paths put into arrays, and taken from them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from sbg_sim.solver.path.batch import FOLLOW, SLIDE, WRAP, Batch
from sbg_sim.solver.path.paths import Fixed, OnCircle, SamePlace, Slide, Wrap, put
from sbg_sim.tolerance import ROUNDING, SMOOTH, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.path.paths import Element, Path
    from sbg_sim.solver.space.transitions import Transition

Locus: TypeAlias = tuple[object, ...]
"""The places along a path: its straight links and ways over, and which rings it turns round."""
_DIGITS: Final = 7  # of places in inches: paths that differ by less lead the same way


def gather(net: TangentGraph, paths: Sequence[Path], of: Ints | None = None, *, aside: float = 0.0) -> Batch:
    """Put paths into arrays; each is one of its own if it is not said of which it is a row.

    What slides can do so along its whole piece of a rim, and so far ``aside`` along its smooth course, inches.
    """
    sizes = [len(c.elements) for c in paths]
    b, k = len(paths), max(sizes, default=1)
    kind, ring, course = (np.zeros((b, k), dtype=np.int64) for _ in range(3))
    xy = np.zeros((b, k, 2))
    turned, heavy, u, top, origin = (np.zeros((b, k)) for _ in range(5))
    rim, size = np.zeros(b), np.array(sizes, dtype=np.int64)
    still: list[tuple[int, int, tuple[float, ...]]] = []
    wraps: list[tuple[int, int, int, int, tuple[float, ...], float, float]] = []
    slides: list[tuple[int, int, int, float]] = []
    for i, path in enumerate(paths):
        for j, e in enumerate(path.elements):
            if isinstance(e, Fixed):
                still.append((i, j, e.at))
            elif isinstance(e, Wrap):
                around = net.rings[e.ring]
                wraps.append((i, j, WRAP, e.ring, around.center, e.turn * around.rho, around.even))
            elif isinstance(e, Slide):
                slides.append((i, j, e.piece, e.u))
            elif isinstance(e, OnCircle):
                still.append((i, j, e.circle[:2]))
                rim[i] = e.circle[2]
            elif isinstance(e, SamePlace):
                kind[i, j] = FOLLOW
    for places, arrays in ((still, (xy,)), (wraps, (kind, ring, xy, turned, heavy)), (slides, (course, u))):
        if places:
            rows, cols, *values = zip(*places, strict=True)
            at = np.array(rows), np.array(cols)
            for array, value in zip(arrays, values, strict=True):
                array[at] = value
            if places is slides:
                kind[at] = SLIDE
                course[at], origin[at], u[at], top[at] = _stretches(net, course[at], u[at], aside)
    beyond = np.arange(k) >= size[:, None]
    xy = np.where(beyond[..., None], xy[np.arange(b), size - 1][:, None], xy)
    space, weight, transition, bound = _links(net, paths, kind)
    past, of = np.full((b, k), SMOOTH), np.arange(b) if of is None else of
    where = (net, kind, ring, course, xy, turned, heavy, u, top, origin)
    return Batch(*where, space, weight, transition, bound, rim, size, past, of)


def _stretches(net: TangentGraph, piece: Ints, u: Floats, aside: float) -> tuple[Ints, Floats, Floats, Floats]:
    """Return along what places slide: courses, where on these it begins, where on it they stand, and how long it is.

    On rims of difficult ground that is their piece alone: beyond its end other links may run over that ground.
    """
    rims = net.rims
    course, begin = rims.courses[0][piece], rims.courses[1][piece]
    past = np.where(piece < net.difficult_pieces, 0.0, aside)
    before = np.minimum(0.0, np.maximum(u - past, -begin))  # where it begins, from the beginning of the piece
    after = np.maximum(rims.length[piece], np.minimum(u + past, rims.whole[course] - begin))
    return course, begin + before, u - before, after - before


def _links(net: TangentGraph, paths: Sequence[Path], kind: Ints) -> tuple[Ints, Floats, Ints, Bools]:
    """Return spaces, weights, transitions and states of links, and note among the kinds ``(b, k)`` what follows."""
    b, k = kind.shape
    space, transition = np.zeros((b, k - 1), dtype=np.int64), np.full((b, k - 1), -1)
    weight, bound = np.zeros((b, k - 1)), np.zeros((b, k - 1, 2), dtype=bool)
    every = [link for path in paths for link in path.links]
    if not every:
        return space, weight, transition, bound
    real = np.arange(k - 1) < np.array([len(path.links) for path in paths])[:, None]
    space[real] = [link.space for link in every]
    bound[real] = [link.bound for link in every]
    transition[real] = [link.transition for link in every]
    weight[real] = [link.weight if link.transition < 0 else 0.0 for link in every]
    for i in np.flatnonzero((transition >= 0).any(axis=1)).tolist():
        path = paths[i]
        opposite = {constraint.way for constraint in path.constraints if constraint.opposite}
        for way, j in enumerate(np.flatnonzero(transition[i] >= 0).tolist()):
            over = net.transitions[path.links[j].transition]
            if (over.way.across and not _lands(over, path.elements[j], path.elements[j + 1])) or way in opposite:
                kind[i, j + 1] = FOLLOW  # straight across, the landing follows the start
    return space, weight, transition, bound


def _lands(over: Transition, one: Element, other: Element) -> bool:
    """Say whether a way straight across leads from one still place to another: from a corner it can lead to several."""
    if not (isinstance(one, Fixed) and isinstance(other, Fixed)):
        return False
    p, q = np.array(one.at), np.array(other.at)
    return bool(np.hypot(*(over.opposite(p, q) - q)) <= TOUCH)


def placed(path: Path, u: Floats) -> Path:
    """Return a path with its sliding places where a row of a batch has them on their pieces ``(k,)``."""
    elements = [replace(e, u=float(u[i])) if isinstance(e, Slide) else e for i, e in enumerate(path.elements)]
    return replace(path, elements=tuple(elements))


def slid(batch: Batch, paths: Sequence[Path]) -> list[Path]:
    """Return paths with their sliding places where the rows of a batch have them along their courses."""
    rims, found = batch.net.rims, list(paths)
    row, col = batch.slides.nonzero()
    u, origin, course = batch.u[row, col], batch.origin[row, col], batch.course[row, col]
    ended = u >= batch.top[row, col]
    elements = [paths[n].elements[i] for n, i in zip(row.tolist(), col.tolist(), strict=True)]
    before = np.array([e.piece for e in elements if isinstance(e, Slide)], dtype=np.int64)
    at = origin - rims.courses[1][before] + u
    other, _ = rims.on_piece(course, origin, u - ROUNDING * ended)  # of two that meet there the one that ends
    piece = np.where((at >= 0) & (at <= rims.length[before]), before, other)
    at = origin - rims.courses[1][piece] + u
    at = np.where(ended & (np.abs(at - rims.length[piece]) <= ROUNDING), rims.length[piece], at)
    for n, i, j, v in zip(row.tolist(), col.tolist(), piece.tolist(), at.tolist(), strict=True):
        found[n] = put(found[n], i, Slide(j, v))
    return found


def loci_of(net: TangentGraph, paths: Sequence[Path]) -> list[Locus]:
    """Return the loci of paths, without what they touch there: types that are made shortest to one are one way.

    What has no length is left out; by what ground ways over are held is not.
    """
    legs = gather(net, paths).legs()
    long, turns = (legs.length > ROUNDING).tolist(), (np.abs(legs.sweep) > SMOOTH).tolist()
    ends = np.round(np.concatenate([legs.p, legs.q], axis=2), _DIGITS).tolist()
    found = []
    for n, path in enumerate(paths):
        locus: list[object] = [path.constraints]
        for i, link in enumerate(path.links):
            if turns[n][i]:
                locus.append(path.elements[i])
            if long[n][i] or link.transition >= 0:
                locus.append((*ends[n][i], link.transition, link.bound))
        found.append(tuple(locus))
    return found
