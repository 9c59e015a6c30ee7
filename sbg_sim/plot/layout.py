"""Places for the spaces of a board that gives none: a stress layout from a fixed start, the same on every run.

Distances on paper follow the number of steps between spaces (classical scaling first, then majorisation of
the stress with weights of one over the distance squared, after Gansner, Koren and North 2004).
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sbg_sim.arrays import Bools, Floats
    from sbg_sim.geometry.shapes import Point

_ROUNDS = 120
_BETWEEN = 1.0  # steps between the components of a board


def spread(
    names: Mapping[str, str], links: Iterable[tuple[str, str]], like: Mapping[str, Point] | None = None
) -> dict[str, Point]:
    """Return a place for every space, with neighbours about 1 apart.

    Parameters
    ----------
    names
        The names of the spaces by id. Names such as "Northern Mirkwood" tell where north is.
    links
        Pairs of neighbours.
    like
        Places in a picture of a larger part of the board: every component is turned as it is there, and the components
        lie in the same directions from each other.

    """
    index = {name: i for i, name in enumerate(names)}
    count = len(names)
    if count == 0:
        return {}
    if count == 1:
        return dict.fromkeys(names, (0.0, 0.0))
    steps, parts = _steps(count, [(index[a], index[b]) for a, b in links if a in index and b in index and a != b])
    xy = _relaxed(_scaled(steps), steps)
    if like is None:
        xy = _upright(xy, list(names.values()))
    else:
        xy = _as_in(xy, np.array([like[name] for name in names]), parts)
    return {name: (float(xy[i, 0]), float(xy[i, 1])) for name, i in index.items()}


def _steps(count: int, links: list[tuple[int, int]]) -> tuple[Floats, list[Bools]]:
    """Return the steps between any two spaces ``(n, n)``, a set number between components; and the components."""
    near: list[list[int]] = [[] for _ in range(count)]
    for a, b in links:
        near[a].append(b)
        near[b].append(a)
    steps = np.full((count, count), np.inf)
    for start in range(count):
        steps[start, start] = 0
        queue = deque([start])
        while queue:
            here = queue.popleft()
            for there in near[here]:
                if np.isinf(steps[start, there]):
                    steps[start, there] = steps[start, here] + 1
                    queue.append(there)
    hang = np.isfinite(steps)
    longest = steps[hang].max()
    steps[~hang] = longest / 2 + 2
    return steps, [np.asarray(hang[i]) for i in range(count) if not hang[i, :i].any()]


def _scaled(steps: Floats) -> Floats:
    """Return the classical scaling of the distances to the plane ``(n, 2)``."""
    count = len(steps)
    centre = np.eye(count) - 1 / count
    values, vectors = np.linalg.eigh(-0.5 * centre @ steps**2 @ centre)
    xy = vectors[:, [-1, -2]] * np.sqrt(np.maximum(values[[-1, -2]], 1e-6))
    # spaces with the same distances to all others would coincide: a small spiral separates them
    turn = np.arange(count) * 2.399963
    return np.asarray(xy + 0.05 * np.column_stack([np.cos(turn), np.sin(turn)]))


def _relaxed(xy: Floats, steps: Floats) -> Floats:
    weights = np.zeros_like(steps)
    apart = steps > 0
    weights[apart] = steps[apart] ** -2.0
    laplacian = np.diag(weights.sum(axis=1)) - weights
    inverse = np.linalg.pinv(laplacian)
    for _ in range(_ROUNDS):
        offset = xy[:, None, :] - xy[None, :, :]
        far = np.maximum(np.hypot(offset[..., 0], offset[..., 1]), 1e-9)
        pull = -weights * steps / far
        np.fill_diagonal(pull, 0.0)
        np.fill_diagonal(pull, -pull.sum(axis=1))
        xy = inverse @ (pull @ xy)
    return xy


def _upright(xy: Floats, words: Sequence[str]) -> Floats:
    """Turn and mirror the picture: north up if names tell where north is, else the longer side along x."""
    xy = xy - xy.mean(axis=0)
    hints = np.array([_compass(name) for name in words])
    if np.count_nonzero(hints.any(axis=0)) == 2 and np.count_nonzero(hints.any(axis=1)) > 2:
        # the turn or mirror image that brings the spaces nearest to the directions in their names (Procrustes)
        u, _, v = np.linalg.svd(xy.T @ (hints * np.abs(xy).max()))
        return np.asarray(np.round(xy @ (u @ v), 4))
    _, _, axes = np.linalg.svd(xy, full_matrices=False)
    xy = xy @ axes.T
    # the first space in the lower left half, so that mirror images are one picture
    return np.asarray(np.round(xy * np.where(xy[0] > 0, -1.0, 1.0), 4))


def _as_in(xy: Floats, wanted: Floats, parts: Sequence[Bools]) -> Floats:
    """Turn and mirror each component so that its spaces lie nearest to their places in another picture (Procrustes).

    The components lie in the same directions from each other, as near together as they can without meeting.
    """
    turned, middles, wide = np.zeros_like(xy), [], []
    for part in parts:
        here, there = xy[part] - xy[part].mean(axis=0), wanted[part] - wanted[part].mean(axis=0)
        u, _, v = np.linalg.svd(here.T @ there)
        turned[part] = here @ (u @ v)
        middles.append(wanted[part].mean(axis=0))
        wide.append(np.hypot(*turned[part].T).max() + _BETWEEN / 2)
    apart = [(np.hypot(*(middles[i] - middles[k])), wide[i] + wide[k]) for i in range(len(parts)) for k in range(i)]
    scale = max((least / far for far, least in apart if far > 0), default=1.0)
    for part, middle in zip(parts, middles, strict=True):
        turned[part] += scale * middle
    return np.asarray(np.round(turned - turned.mean(axis=0), 4))


_WEST = ("west", "western", "coast", "shores", "bay")
"""Words that mean west: in Middle-earth the sea lies there."""


def _compass(name: str) -> tuple[float, float]:
    """Return the direction that a name tells, x to the east and y to the north; (0, 0) if it tells none."""
    words = name.casefold().replace("-", " ").split()
    x = sum(w in ("east", "eastern") for w in words) - sum(w in _WEST for w in words)
    y = sum(w in ("north", "northern") for w in words) - sum(w in ("south", "southern") for w in words)
    return float(x), float(y)
