"""Finds which of many targets an eye plainly sees or not, with all prisms about the eye at once.

Along a few angles to each target all spans of prisms that bar a look are found together. A prism counts as solid from
where a look first enters it to where it last leaves it, and as a little broader than it is, so that a target still seen
is seen for certain. Only its top and foot are drawn in a little, as in :mod:`sbg_sim.geometry.sight`, for many looks
just pass over a prism. Most hidden targets are hidden by a single prism, one of those that bar all looks at it. The
other targets are left to :func:`sbg_sim.geometry.sight.view`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from sbg_sim.arrays import ranges
from sbg_sim.geometry.panorama import Panorama, Round, round_spans
from sbg_sim.geometry.sight import bar_all, plainly_hides
from sbg_sim.geometry.spines import point_segment_distance
from sbg_sim.tolerance import GRAZE, TINY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.geometry.panorama import Place, Prism

_ABOUT: Final = np.linspace(-0.96, 0.96, 9)  # looks that are tried, as shares of half the width of a target
_PLAIN: Final = GRAZE / 4  # inches; a band higher than this is open whatever rounding does


_Pair: TypeAlias = "tuple[Floats, Floats]"


@dataclass(frozen=True)
class _Looks:
    """Looks at targets, one target after another; each look is a pair of rays, one on either side of it."""

    target: Ints
    angle: Floats
    turn: Floats  # radians between a look and either of its rays
    near: Floats
    far: Floats
    floor: Floats  # the least and the greatest slope that meets the target
    ceiling: Floats


def plain_looks(
    eye: Place, targets: Sequence[Prism], prisms: Sequence[Prism], own: Ints
) -> tuple[Bools, dict[int, int]]:
    """Say which targets are certainly seen, and which are hidden by one prism; other targets are left open.

    Parameters
    ----------
    eye
        The start of all looks, inches.
    targets
        Round prisms.
    prisms
        The prisms that may be in the way.
    own
        For each prism the index of the target whose own volume it is, which is not in the way of a look at that target;
        -1 for any other prism.

    Returns
    -------
    For each target whether it is certainly seen; and for hidden targets, by index, the index of the one prism that
    hides it: the first that bars all looks tried, if it plainly hides the target.

    """
    if not targets or not prisms:
        return np.ones(len(targets), dtype=bool), {}
    ends = np.concatenate([p.shape.capsules for p in prisms]) - np.tile(eye[:2], 2)
    owner = np.repeat(np.arange(len(prisms)), [len(p.shape.capsules) for p in prisms])
    radius = np.array([p.shape.radius for p in prisms])[owner]
    if (point_segment_distance(np.zeros(2), ends[:, :2], ends[:, 2:]) <= radius + GRAZE).any():
        return np.zeros(len(targets), dtype=bool), {}  # a prism is so near that rounding might decide
    looks = _looks(eye, targets)
    rays = np.concatenate([looks.angle - looks.turn, looks.angle + looks.turn])
    cornered = np.array([bool(p.shape.rings) for p in prisms])[owner]
    met = [
        _edges(ends[cornered], owner[cornered], rays),
        _rounds(ends[~cornered], radius[~cornered], owner[~cornered], rays),
    ]
    ray, prism, begin, end = (np.concatenate([m[i] for m in met]) for i in range(4))
    look = ray % len(looks.angle)
    there = (begin < looks.far[look] + GRAZE) & (own[prism] != looks.target[look])
    look, prism, begin = look[there], prism[there], begin[there]
    low, high = _heights(eye[2], (prisms, prism), (targets, looks.target[look]))
    low, high = _bars(begin, np.minimum(end[there], looks.far[look]), low, high)
    seen = np.zeros(len(targets), dtype=bool)
    seen[looks.target[_widest(looks, look, low, high) * looks.near > _PLAIN]] = True
    whole = (low <= looks.floor[look]) & (high >= looks.ceiling[look])
    hidden, hiding = bar_all(look[whole], prism[whole], len(_ABOUT))
    hidden, first = np.unique(hidden, return_index=True)
    hidden = looks.target[len(_ABOUT) * hidden]
    barring = zip(hidden[~seen[hidden]].tolist(), hiding[first][~seen[hidden]].tolist(), strict=True)
    return seen, {i: k for i, k in barring if plainly_hides(Panorama.make(eye, targets[i], [prisms[k]]))}


def _looks(eye: Place, targets: Sequence[Prism]) -> _Looks:
    """Return looks at all targets; none at a target in which the eye is."""
    rows = []
    for i, target in enumerate(targets):
        scene = Panorama.make(eye, target, ())
        if scene.distance <= scene.radius + GRAZE:
            continue
        angles = scene.facing + scene.half_width * _ABOUT
        near, far = scene.chord(angles)
        floor, ceiling = scene.slopes(angles)
        turn = GRAZE / max(1.0, scene.distance)
        rows.append([np.full(len(angles), i), angles, np.full(len(angles), turn), near, far, floor, ceiling])
    columns = [np.concatenate(column) for column in zip(*rows, strict=True)] or [np.zeros(0)] * 7
    return _Looks(columns[0].astype(np.intp), *columns[1:])


def _between(first: Floats, last: Floats, rays: Floats) -> tuple[Ints, Ints]:
    """Return all pairs of an interval of angles and a ray in it, modulo a full turn."""
    order = np.argsort(np.remainder(rays, 2 * np.pi))
    once = np.remainder(rays, 2 * np.pi)[order]
    turns = np.concatenate([once + 2 * np.pi * turn for turn in range(-2, 3)])
    begin, end = np.searchsorted(turns, first - GRAZE), np.searchsorted(turns, last + GRAZE)
    count = end - begin
    which = np.repeat(np.arange(len(first)), count)
    return which, order[ranges(begin, count) % len(rays)]


def _directions(segments: Floats) -> tuple[Floats, Floats]:
    """Return the directions of both ends of segments ``(n, 4)`` from the eye, at most half a turn apart, radians."""
    one, other = (np.arctan2(segments[:, k + 1], segments[:, k]) for k in (0, 2))
    return one, one + np.remainder(other - one + np.pi, 2 * np.pi) - np.pi


def _edges(edges: Floats, owner: Ints, rays: Floats) -> tuple[Ints, Ints, Floats, Floats]:
    """Return ray, prism, and where the prism begins and ends along the ray, for each ray that meets a polygon."""
    one, other = _directions(edges)
    k, ray = _between(np.minimum(one, other), np.maximum(one, other), rays)
    ux, uy = np.cos(rays)[ray], np.sin(rays)[ray]
    px, py, qx, qy = edges[k].T
    cp, cq = ux * py - uy * px, ux * qy - uy * qx
    crossed = (cp > 0) != (cq > 0)
    k, ray, ux, uy, px, py, qx, qy, cp, cq = (a[crossed] for a in (k, ray, ux, uy, px, py, qx, qy, cp, cq))
    t = cp / (cp - cq)
    run = ux * (px + t * (qx - px)) + uy * (py + t * (qy - py))
    order = np.lexsort((run, owner[k], ray))
    ray, prism, run = ray[order], owner[k][order], run[order]
    fresh = np.flatnonzero(np.diff(ray, prepend=-1).astype(bool) | np.diff(prism, prepend=-1).astype(bool))
    last = np.append(fresh, len(run))[1:]
    inside = (last - fresh) % 2 == 1  # an odd number: the eye is inside
    return ray[fresh], prism[fresh], np.where(inside, 0.0, run[fresh]), run[last - 1]


def _rounds(ends: Floats, radius: Floats, owner: Ints, rays: Floats) -> tuple[Ints, Ints, Floats, Floats]:
    """Return ray, prism, and where the prism begins and ends along the ray, for each ray that meets a capsule."""
    away = np.hypot(ends[:, 0::2], ends[:, 1::2])
    lean = np.arcsin(np.minimum(1.0, (radius[:, None] + GRAZE) / np.maximum(away, TINY)))
    one, other = _directions(ends)
    begin, end = np.minimum(one - lean[:, 0], other - lean[:, 1]), np.maximum(one + lean[:, 0], other + lean[:, 1])
    k, ray = _between(begin, end, rays)
    discs = Round(ends[k][:, None], radius[k][:, None], radius[k], radius[k], owner[k])
    near, far = (span[:, 0] for span in round_spans(discs, rays[ray], GRAZE))
    hit = near < far
    return ray[hit], owner[k][hit], near[hit], far[hit]


def _heights(height: float, prisms: tuple[Sequence[Prism], Ints], targets: tuple[Sequence[Prism], Ints]) -> _Pair:
    """Return the low and high ends of prisms relative to the eye; infinite if beyond all looks at the target."""
    (low, high), (foot, top) = (
        np.array([(p.low - height, p.high - height) for p in some])[which].T for some, which in (prisms, targets)
    )
    low = np.where(low <= np.minimum(0.0, foot), -np.inf, low + GRAZE)
    return low, np.where(high > np.maximum(0.0, top) + GRAZE, np.inf, high - GRAZE)


def _bars(begin: Floats, end: Floats, low: Floats, high: Floats) -> _Pair:
    """Return the least and greatest slopes of looks that enter spans of prisms."""
    begin, end = np.maximum(begin - GRAZE, TINY), np.maximum(end + GRAZE, TINY)
    return np.where(low < 0, low / begin, low / end), np.where(high > 0, high / begin, high / end)


def _widest(looks: _Looks, look: Ints, low: Floats, high: Floats) -> Floats:
    """Return for each look the width of the widest band of slopes that no prism bars."""
    order = np.lexsort((low, look))
    look, low, high = look[order], low[order], high[order]
    count = np.bincount(look, minlength=len(looks.angle))
    place = ranges(np.zeros_like(count), count)
    lows = np.full((len(count), int(count.max(initial=0)) + 1), np.inf)
    highs = np.full(lows.shape, -np.inf)
    lows[look, place], highs[look, place + 1] = low, high
    highs[:, 0] = looks.floor
    begin = np.maximum.accumulate(highs, axis=1)
    return np.asarray((np.minimum(lows, looks.ceiling[:, None]) - begin).max(axis=1, initial=-np.inf))
