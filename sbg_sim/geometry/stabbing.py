"""Straight lines from one disc to another past shapes, in the plane, exactly.

Lines that meet both closed discs and enter no shape between them form a closed set in the plane of lines.
If it is not empty it has a line that cannot be turned further, and such a line touches two outlines:
corners, round ends, or the discs themselves. Trying the common tangents of all pairs decides the question.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.geometry.panorama import Panorama, Prism, cornered_spans, round_spans
from sbg_sim.geometry.shapes import circle
from sbg_sim.tolerance import GRAZE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Bools, Floats
    from sbg_sim.geometry.shapes import Point, Shape


def free_starts(center: Point, radius: float, goal: Shape, shapes: Sequence[Shape]) -> list[Point]:
    """Find points of one disc from which a straight line runs free to another.

    Parameters
    ----------
    center, radius
        The disc to start from, inches.
    goal
        The disc to reach.
    shapes
        What no line may enter; shapes that lie over one of the discs are not judged exactly.

    Returns
    -------
    Points on the rim of the first disc, one for each free common tangent; none when no line at all is free.

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
