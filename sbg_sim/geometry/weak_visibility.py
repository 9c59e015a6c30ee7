"""Weak visibility: whether a target is seen from anywhere on a level disc (Avis and Toussaint 1981).

Prisms over and under which no look passes leave a problem in the plane. The lines that meet two closed discs and enter
no shape between them form a closed set; if it is not empty it contains a line that cannot be turned further, and such a
line touches two outlines: corners, round ends, or the discs themselves. So the common tangents of all pairs decide
(:func:`free_starts`). For lower prisms: if none floats, everything above a free line is free; so an eye inside the
disc may slide along the look to the rim (forwards when it looks down, backwards when it looks up) and sees no less. The
rim is searched in arcs. To move the eye by at most ``d`` is to move everything else by at most ``d``: if the middle of
an arc does not see the target grown by ``d`` past prisms shrunk by ``d``, no eye of the arc sees the target.

The answer is exact up to outlines moved by :data:`~sbg_sim.tolerance.GRAZE`, with two limits, which it reports: where
prisms higher than the eye reach over the disc the eye cannot slide, and a look over or round a low prism that is shut
by a few micro-inches along a whole stretch of the rim may exhaust the number of arcs.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from sbg_sim.geometry.panorama import Panorama, Prism, cornered_spans, round_spans
from sbg_sim.geometry.shapes import Shape, circle
from sbg_sim.geometry.sight import View, view
from sbg_sim.tolerance import GRAZE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sbg_sim.arrays import Bools, Floats
    from sbg_sim.geometry.panorama import Place
    from sbg_sim.geometry.shapes import Point

_ARCS: Final = 600
"""Arcs of the rim that are tested before the search gives up."""


_TANGENTS: Final = 40
"""Lines free of all tall prisms that are tried before the rim is searched."""


def view_from_disc(
    eye: Place, radius: float, target: Prism, prisms: Sequence[Prism], *, grazing: bool = True
) -> tuple[View, Place, bool]:
    """Find an eye on a level disc that sees the target.

    Parameters
    ----------
    eye, radius
        Centre and radius of the disc of eyes, inches.
    target, prisms, grazing
        As for :func:`~sbg_sim.geometry.sight.view`.

    Returns
    -------
    The view, the eye that has it (the centre if nothing is seen), and whether the answer is certain.

    """
    centre = view(eye, target, prisms, grazing=grazing)
    if centre.seen:
        return centre, eye, True
    if _hidden_about(eye, radius, target, prisms, grazing=grazing) is None:
        return centre, eye, True
    found = None
    if grazing:
        starts, sure = _past_what_is_tall(eye, radius, target, prisms)
        if sure and not starts:
            return centre, eye, True
        found = _first_seen(((x, y, eye[2]) for x, y in starts[:_TANGENTS]), target, prisms)
    found = found or _round_the_rim(eye, radius, target, prisms, grazing=grazing)
    if found is not None:
        return (*found, True) if found[0].seen else (centre, eye, False)
    return centre, eye, not any(p.high > eye[2] and _overlaps(p, eye[:2], radius) for p in prisms)


def _past_what_is_tall(eye: Place, radius: float, target: Prism, prisms: Sequence[Prism]) -> tuple[list[Point], bool]:
    """Return starts of lines that enter no tall prism, and whether there is certainly no such line if none is found."""
    tall = [p for p in prisms if _bars_every_height(p, eye[2], target)]
    (goal,) = target.shape.spine
    discs = ((eye[:2], radius), (goal, target.shape.radius))
    sure = not any(_overlaps(p, spot, size) for p in tall for spot, size in discs)
    return free_starts(eye[:2], radius, target.shape, [p.shape for p in tall]), sure


def _first_seen(eyes: Iterable[Place], target: Prism, prisms: Sequence[Prism]) -> tuple[View, Place] | None:
    for eye in eyes:
        found = view(eye, target, prisms, told=False)
        if found.seen:
            return found, eye
    return None


def _round_the_rim(
    eye: Place, radius: float, target: Prism, prisms: Sequence[Prism], *, grazing: bool
) -> tuple[View, Place] | None:
    """Search the rim: return a view that sees, a blind one if the search gives up, None if all is hidden."""
    (tx, ty) = target.shape.spine[0]
    facing = math.atan2(ty - eye[1], tx - eye[0])
    arcs = deque((facing + k * math.pi / 4, math.pi / 8) for k in (0, 2, -2, 1, -1, 4, 3, -3))
    for _ in range(_ARCS):
        if not arcs:
            return None
        angle, half = arcs.popleft()
        spot = (eye[0] + radius * math.cos(angle), eye[1] + radius * math.sin(angle), eye[2])
        found = view(spot, target, prisms, grazing=grazing, told=False)
        if found.seen:
            return found, spot
        reach = 2 * radius * math.sin(half / 2)
        doubt = _hidden_about(spot, reach, target, prisms, grazing=grazing)
        if doubt is not None and reach <= GRAZE:
            return doubt, spot
        if doubt is not None:
            arcs += [(angle - half / 2, half / 2), (angle + half / 2, half / 2)]
    return View(seen=False), eye


def _bars_every_height(prism: Prism, height: float, target: Prism) -> bool:
    """Say whether no look from a height to the target passes under or over a prism."""
    return prism.low <= min(height, target.low) and prism.high > max(height, target.high) + GRAZE


def _overlaps(prism: Prism, spot: Point, radius: float) -> bool:
    return float(prism.shape.distance(spot)) < radius - GRAZE


def _hidden_about(eye: Place, reach: float, target: Prism, prisms: Sequence[Prism], *, grazing: bool) -> View | None:
    """Return None if certainly no eye within reach sees the target, else the view that leaves it open."""
    (spot,) = target.shape.spine
    wide = Prism(circle(spot, target.shape.radius + reach), target.low, target.high)
    found = view(eye, wide, [thin for p in prisms for thin in _shrunk(p, reach)], grazing=grazing, told=False)
    return found if found.seen else None


def _shrunk(prism: Prism, by: float) -> list[Prism]:
    """Return a prism inside all copies of this one that are moved over the ground by no more than ``by``."""
    shape = prism.shape
    if not shape.rings:
        if shape.radius <= by:
            return []
        return [Prism(Shape(shape.kind, (), shape.spine, shape.radius - by), prism.low, prism.high)]
    # the mitred inner offset lies within the true one: never too much is left
    body = shapely.buffer(shape.to_shapely(), -by, join_style="mitre", mitre_limit=8.0)
    rings = [
        tuple((float(x), float(y)) for x, y in ring.coords[:-1])
        for part in shapely.get_parts(body)
        if not part.is_empty
        for ring in (part.exterior, *part.interiors)
    ]
    return [Prism(Shape("polygon", tuple(rings)), prism.low, prism.high)] if rings else []


# -- in the plane ------------------------------------------------------------------------------------------------------


def free_starts(center: Point, radius: float, goal: Shape, shapes: Sequence[Shape]) -> list[Point]:
    """Find points of one disc from which a straight line runs free to another.

    Parameters
    ----------
    center, radius
        The disc to start from, inches.
    goal
        The disc to reach.
    shapes
        The shapes that no line may enter; shapes that overlap one of the discs are not judged exactly.

    Returns
    -------
    Points on the rim of the first disc, one for each free common tangent; none if no line at all is free.

    """
    target = Prism(circle(goal.spine[0], goal.radius), 0.0, 0.0)
    scene = Panorama.make((*center, 0.0), target, [Prism(s, -1.0, 1.0) for s in shapes])
    normals, offsets = _tangents(_outlines(scene, radius))
    far = np.array(scene.centre)
    meets = (np.abs(offsets) <= radius + GRAZE) & (np.abs(normals @ far - offsets) <= goal.radius + GRAZE)
    normals, offsets = normals[meets], offsets[meets]
    ahead = np.column_stack([normals[:, 1], -normals[:, 0]])
    turn = np.sign(ahead @ far)
    ahead *= np.where(turn == 0, 1.0, turn)[:, None]
    start = normals * offsets[:, None] + ahead * _half(radius, offsets)[:, None]
    run = ((far - start) * ahead).sum(axis=1) - _half(goal.radius, normals @ far - offsets)
    free = ~_entered(scene, start, ahead, run)
    return [(center[0] + float(x), center[1] + float(y)) for x, y in start[free]]


def _half(radius: float, off: Floats) -> Floats:
    return np.asarray(np.sqrt(np.maximum(0.0, radius**2 - off**2)))


def _outlines(scene: Panorama, radius: float) -> Floats:
    """Return circles ``(n, 3)`` that a line can touch: the two discs, round ends, corners of radius 0."""
    ends = scene.round.ends.reshape(-1, 2)
    corners = [np.pad(c.edges[:, :2], ((0, 0), (0, 1))) for c in scene.cornered]
    discs = np.array([[0.0, 0.0, radius], [*scene.centre, scene.radius]])
    rounded = np.column_stack([ends, np.repeat(scene.round.radius, 2)])
    return np.unique(np.concatenate([discs, rounded, *corners]), axis=0)


def _tangents(circles: Floats) -> tuple[Floats, Floats]:
    """Return the common tangents of all pairs: unit normals ``(n, 2)``, distances from the origin."""
    i, k = np.triu_indices(len(circles), 1)
    normals, offsets = [np.zeros((0, 2))], [np.zeros(0)]
    for one in (-1.0, 1.0):
        for other in (-1.0, 1.0):
            a, b = circles[i], circles[k]
            # a corner has one side only
            keep = ((one > 0) | (a[:, 2] > 0)) & ((other > 0) | (b[:, 2] > 0))
            a, b = a[keep], b[keep]
            d = b[:, :2] - a[:, :2]
            apart = np.hypot(d[:, 0], d[:, 1])
            shift = other * b[:, 2] - one * a[:, 2]
            exists = (apart > 0) & (np.abs(shift) <= apart * (1 + GRAZE))
            a, d, apart, shift = a[exists], d[exists], apart[exists], shift[exists]
            lean = np.arccos(np.clip(shift / apart, -1.0, 1.0))
            for side in (-1.0, 1.0):
                angle = np.arctan2(d[:, 1], d[:, 0]) + side * lean
                normal = np.column_stack([np.cos(angle), np.sin(angle)])
                normals.append(normal)
                offsets.append((normal * a[:, :2]).sum(axis=1) - one * a[:, 2])
    return np.concatenate(normals), np.concatenate(offsets)


def _entered(scene: Panorama, start: Floats, ahead: Floats, run: Floats) -> Bools:
    """Say for each segment whether it enters a shape."""
    angles = np.arctan2(ahead[:, 1], ahead[:, 0])

    def shifted(rows: Floats, aside: float) -> Floats:
        origin = start + aside * np.column_stack([-ahead[:, 1], ahead[:, 0]])
        return np.asarray(rows[None, :, :] - np.tile(origin, 2)[:, None, :])

    spans = []
    if scene.round:
        spans.append(round_spans(replace(scene.round, ends=shifted(scene.round.ends, 0.0)), angles, -GRAZE))
    right = [cornered_spans(replace(c, edges=shifted(c.edges, -GRAZE)), angles) for c in scene.cornered]
    left = [cornered_spans(replace(c, edges=shifted(c.edges, GRAZE)), angles) for c in scene.cornered]
    for i, k in (*((i, i) for i in range(len(right))), *scene.abutting):
        begin = np.maximum(right[i][0][:, :, None], left[k][0][:, None, :]).reshape(len(angles), -1)
        end = np.minimum(right[i][1][:, :, None], left[k][1][:, None, :]).reshape(len(angles), -1)
        spans.append((begin, end))
    entered = np.zeros(len(angles), dtype=bool)
    for begin, end in spans:
        entered |= (np.minimum(end, run[:, None]) - begin > GRAZE).any(axis=1)
    return entered
