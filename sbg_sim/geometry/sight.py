"""Lines of sight between upright prisms, exact at the edges.

From a fixed eye every look is a direction: an angle in the plane and a slope. Along one angle the problem has two
dimensions: the target is a rectangle, each prism covers rectangles, and each of these bars an open interval of slopes.
The free directions form a closed set, so if there are any, one of them has the least angle of its neighbourhood; and
that one lies at the end of an outline as seen from the eye (a corner, a tangent) or where two horizontal edges cross in
the picture. Both have closed forms (see :mod:`~sbg_sim.geometry.panorama`). To try these angles, and no others, decides
the question.

To allow for rounding, all prisms in the way are shrunk by :data:`~sbg_sim.tolerance.GRAZE`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.arrays import unit
from sbg_sim.geometry.panorama import Cornered, Panorama, Place, Prism, cornered_spans, round_spans
from sbg_sim.geometry.spines import point_segment_distance
from sbg_sim.tolerance import ABOUT, GRAZE, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sbg_sim.arrays import Floats, Ints


_ABOUT: Final = np.linspace(-0.96, 0.96, 17)  # looks tried first, as shares of half the width of the target


@dataclass(frozen=True, slots=True)
class View:
    """What an eye sees of a target.

    Parameters
    ----------
    seen
        Whether any part is seen.
    line
        The sightline, from the eye to a point of the target; None when nothing is seen.
    margin
        Height of the widest visible band among the directions tried, inches at the target's nearest point;
        0 for a look that only grazes, negative when nothing is seen.
    hides
        If nothing is seen: index of a prism, and the angles (radians, seen from the eye, counter-clockwise)
        between which it hides at least a part of the target.

    """

    seen: bool
    line: tuple[Place, Place] | None = None
    margin: float = -math.inf
    hides: tuple[tuple[int, float, float], ...] = ()


def view(
    eye: Place,
    target: Prism,
    prisms: Sequence[Prism],
    *,
    grazing: bool = True,
    told: bool = True,
    widest: bool = True,
) -> View:
    """Find a straight segment from the eye to the target that enters none of the prisms.

    Parameters
    ----------
    eye
        The start of all looks, inches.
    target
        A round prism, closed: touching it anywhere is seeing it.
    prisms
        The prisms that may be in the way.
    grazing
        Whether a line may touch a prism without entering it.
    told
        Whether to find the prisms that hide a target that is not seen.
    widest
        Whether the sightline with the widest band is wanted; if not, any will do.

    Returns
    -------
    The view, with the sightline or with the prisms that hide the target.

    """
    if grazing and widest:
        # Most targets are seen by the look at their middle, which few prisms come near.
        axis = replace(target, shape=replace(target.shape, radius=ABOUT))
        scene = Panorama.make(eye, target, [prism for prism in prisms if in_the_way(eye, axis, prism)])
        angles = np.array([scene.facing])
        ahead = _best(scene, angles, _barred(scene, angles, grazing=True), grazing=True)
        if ahead.margin > 4 * GRAZE:
            return ahead
    scene = Panorama.make(eye, target, prisms)
    if not widest:
        about = scene.facing + scene.half_width * _ABOUT
        barred = _barred(scene, about, grazing=grazing)
        here = _best(scene, about, barred, grazing=grazing)
        if here.margin > 4 * GRAZE:
            return here
        # Most hidden targets are hidden by a single prism.
        low, high, owner = barred
        floor, ceiling = scene.slopes(about)
        look, span = np.nonzero((low <= floor[:, None]) & (high >= ceiling[:, None]))
        for i in bar_all(look, owner[span], len(about))[1].tolist():
            alone = Panorama.make(eye, target, [prisms[i]])
            if plainly_hides(alone) or not _found(alone, grazing=grazing, told=False).seen:
                first, last = scene.facing - scene.half_width, scene.facing + scene.half_width
                return View(seen=False, hides=((i, first, last),) if told else ())
    return _found(scene, grazing=grazing, told=told)


def plainly_hides(scene: Panorama) -> bool:
    """Say whether the one prism in a scene, higher and lower than any look, stands before all of the target.

    It does if both looks past the sides of the target enter it, and its outline between those places neither turns back
    nor touches the target. Several prisms never count.
    """
    if scene.distance <= scene.radius + GRAZE or scene.lapping:
        return False
    rays = scene.facing + (scene.half_width + TOUCH) * np.array([-1.0, 1.0])
    if len(scene.cornered) == 1 and not scene.round:
        front, low, high = _front(scene.cornered[0].edges, rays), scene.cornered[0].low, scene.cornered[0].high
    elif len(scene.round.owner) == 1 and not scene.cornered:
        begin, end = round_spans(scene.round, rays, 0.0)
        front = begin * unit(rays) if (end > begin + TOUCH).all() else begin[:0]
        low, high = scene.round.low[0], scene.round.high[0]
    else:
        return False
    if low > min(0.0, scene.low) or high <= max(0.0, scene.high) + GRAZE or not len(front):
        return False
    nearer = np.hypot(*front[[0, -1]].T) + TOUCH < math.sqrt(scene.distance**2 - scene.radius**2)
    away = point_segment_distance(np.array(scene.centre), front[:-1], front[1:])
    return bool(nearer.all()) and float(away.min()) > scene.radius + TOUCH


def _front(edges: Floats, rays: Floats) -> Floats:
    """Return a polygon's outline ``(n, 2)`` from one ray to the other; empty if it turns back or misses a ray."""
    p, q = edges[:, :2], edges[:, 2:]
    ux, uy = unit(rays).T[:, :, None]
    cp, cq = ux * p[:, 1] - uy * p[:, 0], ux * q[:, 1] - uy * q[:, 0]
    t = np.where((cp > 0) != (cq > 0), cp / np.where(cp == cq, 1.0, cp - cq), np.nan)
    run = ux * (p[:, 0] + t * (q[:, 0] - p[:, 0])) + uy * (p[:, 1] + t * (q[:, 1] - p[:, 1]))
    run = np.where(run > 0, run, np.inf)
    first, ends = run.argmin(axis=1), run.min(axis=1)[:, None] * unit(rays)
    turns = p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]
    if turns[first[0]] < 0:
        first, ends = first[::-1], ends[::-1]
    way = (first[0] + np.arange((first[1] - first[0]) % len(edges) + 1)) % len(edges)
    onward = (turns[way] > 0).all() or (turns[way] < 0).all()
    if not (np.isfinite(ends).all() and onward and (q[way[:-1]] == p[way[1:]]).all()):
        return np.zeros((0, 2))
    return np.concatenate([ends[:1], q[way[:-1]], ends[1:]])


def _found(scene: Panorama, *, grazing: bool, told: bool) -> View:
    """Try all angles that decide whether there is a sightline."""
    angles = scene.window(scene.events())
    found = _try(scene, angles, grazing=grazing)
    if found.seen:
        return found
    crossed = scene.crossings()
    if len(crossed):
        angles = scene.window(np.concatenate([angles, crossed]))
        found = _try(scene, angles, grazing=grazing)
    return found if found.seen or not told else replace(found, hides=_hiding(scene, angles, grazing=grazing))


def in_the_way(eye: Place, target: Prism, prism: Prism) -> bool:
    """Say whether a prism could bar any line from the eye to the target; quick, and True when in doubt."""
    (tx, ty), radius = target.shape.spine[0], target.shape.radius
    if prism.high <= min(eye[2], target.low) or prism.low >= max(eye[2], target.high):
        return False
    if len(prism.shape.spine) == 1:
        (cx, cy), reach = prism.shape.spine[0], prism.shape.radius
    else:
        x0, y0, x1, y1 = prism.shape.bounds
        cx, cy, reach = (x0 + x1) / 2, (y0 + y1) / 2, math.hypot(x1 - x0, y1 - y0) / 2
    # every line runs inside the strip of the target's width about the segment from the eye to its centre
    dx, dy = tx - eye[0], ty - eye[1]
    along = dx * dx + dy * dy
    t = 0.0 if along == 0 else min(1.0, max(0.0, ((cx - eye[0]) * dx + (cy - eye[1]) * dy) / along))
    return math.hypot(cx - eye[0] - t * dx, cy - eye[1] - t * dy) < reach + radius


def _try(scene: Panorama, angles: Floats, *, grazing: bool) -> View:
    """Look along the angles and between them; where grazing is not allowed, between them only."""
    gaps = np.diff(angles)
    between = (angles[:-1] + gaps / 2)[gaps > GRAZE]
    angles = np.concatenate([between, angles]) if grazing else between
    if not len(angles):
        return View(seen=False)
    return _best(scene, angles, _barred(scene, angles, grazing=grazing), grazing=grazing)


def _best(scene: Panorama, angles: Floats, barred: tuple[Floats, Floats, Ints], *, grazing: bool) -> View:
    """Return the look with the widest visible band among angles, given what bars them."""
    low, high, _ = barred
    floor, ceiling = scene.slopes(angles)
    begin, end = _bands(low, high, floor, ceiling)
    near, _ = scene.chord(angles)
    width = (end - begin) * near[:, None]
    best = np.unravel_index(int(np.argmax(width)), width.shape)
    margin = float(width[best])
    seen = margin >= 0 if grazing else margin > GRAZE
    if not seen:
        return View(seen=False, margin=margin)
    slope = float(begin[best] + end[best]) / 2
    return View(seen=True, line=_line(scene, float(angles[best[0]]), slope), margin=margin)


def bar_all(look: Ints, prism: Ints, count: int) -> tuple[Ints, Ints]:
    """Return pairs of a target and a prism that bars all looks at it; each target has ``count`` consecutive looks.

    Parameters
    ----------
    look, prism
        Pairs of a look and a prism that bars it ``(n,)``; a pair may occur twice.
    count
        The number of looks at each target.

    """
    size = 1 + int(prism.max(initial=0))
    each = np.unique(look * size + prism)
    pairs, barred = np.unique(each // size // count * size + each % size, return_counts=True)
    return np.divmod(pairs[barred == count], size)


def _bands(low: Floats, high: Floats, floor: Floats, ceiling: Floats) -> tuple[Floats, Floats]:
    """Return the begins and ends of slopes between barred intervals ``(angles, bands)``; an empty band ends first."""
    order = np.argsort(low, axis=1)
    low, high = np.take_along_axis(low, order, 1), np.take_along_axis(high, order, 1)
    begin = np.maximum.accumulate(np.hstack([floor[:, None], high]), axis=1)
    end = np.minimum(np.hstack([low, np.full((len(low), 1), np.inf)]), ceiling[:, None])
    return begin, end


def _line(scene: Panorama, angle: float, slope: float) -> tuple[Place, Place]:
    """Return the sightline from the eye to where it enters the target."""
    near, far = (float(s[0]) for s in scene.chord(np.array([angle])))
    run = near
    if slope * near > scene.high or slope * near < scene.low:
        run = (scene.high if slope < 0 else scene.low) / slope if slope else near
    run = min(max(run, near), far)
    x, y, z = scene.eye
    rise = min(max(slope * run, scene.low), scene.high)
    return scene.eye, (x + run * math.cos(angle), y + run * math.sin(angle), z + rise)


def _barred(scene: Panorama, angles: Floats, *, grazing: bool) -> tuple[Floats, Floats, Ints]:
    """Return the open intervals of slopes that each span of each prism bars, and the prism's index.

    Shapes ``(angles, spans)`` twice and ``(spans,)``. Spans that bar nothing run from inf to -inf.
    """
    grow = -GRAZE if grazing else GRAZE
    discs = scene.round
    columns = [(*round_spans(discs, angles, grow), discs.low, discs.high, discs.owner)]
    for piece, begin, end in _cornered_bars(scene, angles, grazing=grazing):
        alike = np.zeros(begin.shape[1], dtype=np.intp)
        lows, highs = np.add(alike, piece.low), np.add(alike, piece.high)
        columns.append((begin, end, lows, highs, alike + piece.owner))
    begin, end = np.hstack([c[0] for c in columns]), np.hstack([c[1] for c in columns])
    low, high = np.concatenate([c[2] for c in columns]), np.concatenate([c[3] for c in columns])
    owner = np.concatenate([c[4] for c in columns])
    near, far = (s[:, None] for s in scene.chord(angles))
    # a prism whose foot is below every look, or whose top is above all, bars everything on that side
    low = np.where(low <= min(0.0, scene.low), -np.inf, low - grow)
    high = np.where(high > max(0.0, scene.high) - grow, np.inf, high + grow)
    parts = [_bars(begin, np.minimum(end, near), low, high)]
    if scene.lapping:
        over, under = np.maximum(begin, near), np.minimum(end, far)
        if scene.high < 0:  # from above: the look may be cut off over the target's top
            parts.append(_bars(over, under, np.maximum(low, scene.high), high))
        if scene.low > 0:
            parts.append(_bars(over, under, low, np.minimum(high, scene.low)))
    return np.hstack([p[0] for p in parts]), np.hstack([p[1] for p in parts]), np.tile(owner, len(parts))


def _cornered_bars(scene: Panorama, angles: Floats, *, grazing: bool) -> Iterator[tuple[Cornered, Floats, Floats]]:
    """Yield polygons with their spans along each angle: grazing a corner or an edge is not a span.

    A look is inside where it is inside a little to the left and a little to the right; so an edge that two
    polygons share is inside both together, and no look passes along the seam of two walls.
    """
    if not grazing:
        yield from ((piece, *cornered_spans(piece, angles)) for piece in scene.cornered)
        return
    turn = GRAZE / max(1.0, scene.distance)
    both_sides, n = np.concatenate([angles - turn, angles + turn]), len(angles)
    spans = [cornered_spans(piece, both_sides) for piece in scene.cornered]
    for i, k in (*((i, i) for i in range(len(spans))), *scene.abutting):
        begin = np.maximum(spans[i][0][:n, :, None], spans[k][0][n:, None, :])
        end = np.minimum(spans[i][1][:n, :, None], spans[k][1][n:, None, :])
        one, other = scene.cornered[i], scene.cornered[k]
        both = replace(one, low=max(one.low, other.low), high=min(one.high, other.high))
        if both.low < both.high:
            yield both, begin.reshape(len(angles), -1), end.reshape(len(angles), -1)


def _bars(begin: Floats, end: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return the slopes from the origin that enter open rectangles ``(begin, end) x (low, high)``."""
    with np.errstate(divide="ignore", invalid="ignore"):
        least = np.where(low < 0, low / begin, low / end)
        most = np.where(high > 0, high / begin, high / end)
        real = (end - begin > GRAZE) & (high > low)
    return np.where(real, least, np.inf), np.where(real, most, -np.inf)


def _hiding(scene: Panorama, angles: Floats, *, grazing: bool) -> tuple[tuple[int, float, float], ...]:
    """Return a few prisms that together hide the whole target, each with the angles at which it hides some of it."""
    cells = angles[:-1] + np.diff(angles) / 2
    low, high, owner = _barred(scene, cells, grazing=grazing)
    floor, ceiling = scene.slopes(cells)

    def open_cells(owners: list[int]) -> int:
        among = np.zeros(int(owner.max(initial=0)) + 1, dtype=bool)
        among[owners] = True
        mine = among[owner]
        begin, end = _bands(np.where(mine, low, np.inf), np.where(mine, high, -np.inf), floor, ceiling)
        return int((end - begin > 0).any(axis=1).sum())

    hidden = (low < ceiling[:, None]) & (high > floor[:, None])
    everyone = sorted({int(i) for i in owner[hidden.any(axis=0)]}, key=lambda i: open_cells([i]))
    least = open_cells(everyone)
    kept = everyone
    for i in reversed(everyone):  # those that hide least by themselves are dropped first
        fewer = [k for k in kept if k != i]
        if open_cells(fewer) <= least:
            kept = fewer
    found = []
    for i in kept:
        mine = hidden[:, owner == i].any(axis=1)
        edge = np.flatnonzero(np.diff(np.concatenate([[0], mine.astype(int), [0]])))
        found += [(i, float(angles[a]), float(angles[b])) for a, b in edge.reshape(-1, 2)]
    return tuple(found)
