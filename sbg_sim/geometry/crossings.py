"""Where segments and circles cross, many pairs at once, as directions seen from the origin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.tolerance import SHARE

if TYPE_CHECKING:
    from sbg_sim.arrays import Floats


def segment_pairs(segments: Floats) -> Floats:
    """Return the directions of the crossings among segments ``(n, 4)``, radians; parallel pairs have none."""
    i, j = np.triu_indices(len(segments), 1)
    p, q = segments[i, :2], segments[j, :2]
    d, e = segments[i, 2:] - p, segments[j, 2:] - q
    area = d[:, 0] * e[:, 1] - d[:, 1] * e[:, 0]
    cut = area != 0
    p, d, e, w, area = p[cut], d[cut], e[cut], (q - p)[cut], area[cut]
    t = (w[:, 0] * e[:, 1] - w[:, 1] * e[:, 0]) / area
    s = (w[:, 0] * d[:, 1] - w[:, 1] * d[:, 0]) / area
    hit = (t >= -SHARE) & (t <= 1 + SHARE) & (s >= -SHARE) & (s <= 1 + SHARE)
    found = p[hit] + t[hit, None] * d[hit]
    return np.asarray(np.arctan2(found[:, 1], found[:, 0]))


def segment_circle_pairs(segments: Floats, circles: Floats) -> Floats:
    """Return the directions of the crossings of segments ``(n, 4)`` with circles ``(m, 3)``, radians."""
    a = segments[:, None, :2]
    d = segments[:, None, 2:] - a
    length = np.hypot(d[..., 0], d[..., 1])
    d = d / np.where(length > 0, length, 1.0)[..., None]
    w = circles[None, :, :2] - a
    foot = w[..., 0] * d[..., 0] + w[..., 1] * d[..., 1]
    off = w[..., 0] * d[..., 1] - w[..., 1] * d[..., 0]
    radius = circles[None, :, 2]
    hit = (np.abs(off) <= radius * (1 + SHARE)) & (length > 0)
    half = np.sqrt(np.maximum(0.0, radius**2 - off**2))
    found = [np.zeros(0)]
    for t in (foot - half, foot + half):
        inside = hit & (t >= -SHARE * length) & (t <= length * (1 + SHARE))
        spot = (a + t[..., None] * d)[inside]
        found.append(np.arctan2(spot[:, 1], spot[:, 0]))
    return np.concatenate(found)


def circle_pairs(circles: Floats) -> Floats:
    """Return the directions of the crossings among circles ``(n, 3)``, radians."""
    i, j = np.triu_indices(len(circles), 1)
    a, b = circles[i, :2], circles[j, :2]
    r, s = circles[i, 2], circles[j, 2]
    apart = np.hypot(*(b - a).T)
    hit = (apart > 0) & (apart <= (r + s) * (1 + SHARE)) & (apart >= np.abs(r - s) * (1 - SHARE))
    a, b, r, s, apart = a[hit], b[hit], r[hit], s[hit], apart[hit]
    d = (b - a) / apart[:, None]
    foot = (apart**2 + r**2 - s**2) / (2 * apart)
    half = np.sqrt(np.maximum(0.0, r**2 - foot**2))
    normal = np.column_stack([-d[:, 1], d[:, 0]])
    spots = np.concatenate([a + foot[:, None] * d + sign * half[:, None] * normal for sign in (-1, 1)])
    return np.asarray(np.arctan2(spots[:, 1], spots[:, 0]))
