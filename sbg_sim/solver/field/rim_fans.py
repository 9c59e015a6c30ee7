"""Bands of rays that leave the rims of difficult ground, where paths bend by Snell's law."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.solver.field.casting import CLOSE, OFF, Caster, front, outside, polygon
from sbg_sim.tolerance import ROUNDING, SLIVER, TINY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import shapely

    from sbg_sim.geometry.rims import Rims
    from sbg_sim.solver.field.rim_costs import RimCosts

Floats = np.ndarray
_FINER: Final = 6  # times that a band is parted whose rays end at different things
_SHORT: Final = 1e-4  # inches: bands are not parted further
_BEND: Final = 0.05  # slopes that differ more than this between samples belong to different ways
_STRIP: Final = 32  # bands in one polygon
_KINK: Final = 1e-3  # slopes that fall by more than this between places of different kinds cross at a kink
_BACK: Final = 0.01  # inches bands begin before their rim: what chords of fans that end at a rim leave open
_SMOOTH: Final = 1e-4  # of slopes and normals where two pieces of a rim go on as one


@dataclass(frozen=True)
class Bands:
    """Stretches of rims from ``u[:, 0]`` to ``u[:, 1]`` with costs and slopes at both ends.

    ``sides`` says to which sides paths go on, ``met`` whether two kinds of path may meet in between.
    """

    piece: Floats
    u: Floats
    cost: Floats
    slope: Floats
    sides: Floats
    met: Floats


def rim_fans(
    costs: RimCosts, rims: Rims, caster: Caster, window: Sequence[float] | None = None
) -> tuple[list[shapely.Polygon | None], list[tuple[Floats, float]]]:
    """Return the bands along all rims, and the corners about which whole fans have to be drawn, with their costs."""
    return drawn([_bands(costs)], rims, caster, window), _corners(costs, rims, caster.limit)


def drawn(
    bands: Sequence[Bands], rims: Rims, caster: Caster, window: Sequence[float] | None = None
) -> list[shapely.Polygon | None]:
    """Draw bands on the sides to which paths go on, those that come to a window (bounds, inches) alone."""
    if not bands:
        return []
    every = Bands(*(np.concatenate(parts) for parts in zip(*map(_values, bands), strict=True)))
    whole = _kinked(_cut(every, caster.limit))
    if window is not None:
        far = outside(window, rims.at(np.repeat(whole.piece[:, None], 2, axis=1), whole.u)).min(axis=1)
        left = caster.limit - whole.cost.min(axis=1) + whole.u[:, 1] - whole.u[:, 0]
        whole = _some(whole, np.flatnonzero(far <= left + _BACK))
    fans: list[shapely.Polygon | None] = []
    for n, side in enumerate((1.0, -1.0)):
        k = np.flatnonzero(whole.sides[:, n])
        if len(k):
            fans += _drawn(_some(whole, k), side, rims, caster)
    return fans


def sampled_bands(piece: int, u: Floats, cost: Floats) -> tuple[Bands, Floats]:
    """Return the bands between samples of a piece, and which samples the cost bends at, both ends among them.

    Parameters
    ----------
    piece
        The piece.
    u, cost
        Its samples and their costs ``(n,)``, inches.

    """
    h = np.diff(u)
    with np.errstate(invalid="ignore"):
        slope = np.diff(cost) / h
        bent = np.concatenate([[True], ~(np.abs(np.diff(slope)) < _BEND), [True]])
        # Of the parabola through a sample and its neighbours.
        mean = np.concatenate([slope[:1], (slope[:-1] * h[1:] + slope[1:] * h[:-1]) / (h[1:] + h[:-1]), slope[-1:]])
    right = np.where(bent, np.append(slope, slope[-1]), mean)
    left = np.where(bent, np.append(slope[0], slope), mean)
    k = np.flatnonzero(np.isfinite(slope))
    both = k[:, None] + np.array([0, 1])
    pair = np.stack([right[k], left[k + 1]], axis=1)
    pair = np.where(np.isfinite(pair), pair, slope[k, None])
    true = np.ones((len(k), 2), dtype=bool)
    return Bands(np.full(len(k), piece), u[both], cost[both], pair, true, ~true[:, 0]), bent


def _values(bands: Bands) -> Iterable[Floats]:
    return vars(bands).values()


def _bands(costs: RimCosts) -> Bands:
    k = np.flatnonzero(costs.linked)
    both = k[:, None] + np.array([0, 1])
    sides = costs.sides[k] | costs.sides[k + 1]
    met = costs.kind[k] != costs.kind[k + 1]
    return Bands(costs.piece[k], costs.u[both], costs.cost[both], costs.slope[both], sides, met)


def _some(bands: Bands, k: Floats) -> Bands:
    return Bands(bands.piece[k], bands.u[k], bands.cost[k], bands.slope[k], bands.sides[k], bands.met[k])


def _cut(bands: Bands, limit: float) -> Bands:
    """Leave out what lies beyond the limit; a stretch that crosses it ends where the movement is used up."""
    bands = _some(bands, np.flatnonzero(bands.cost.min(axis=1) < limit))
    u, cost, slope = bands.u.copy(), bands.cost.copy(), bands.slope.copy()
    for end, other in ((0, 1), (1, 0)):
        k = np.flatnonzero(bands.cost[:, end] > limit)
        share = (limit - bands.cost[k, other]) / (bands.cost[k, end] - bands.cost[k, other])
        u[k, end] = bands.u[k, other] + share * (bands.u[k, end] - bands.u[k, other])
        cost[k, end], slope[k, end] = limit, slope[k, other]
    return replace(bands, u=u, cost=cost, slope=slope)


def _kinked(bands: Bands) -> Bands:
    """Part stretches where the costs of their two ends meet in a kink."""
    width = bands.u[:, 1] - bands.u[:, 0]
    fall = bands.slope[:, 0] - bands.slope[:, 1]
    rise = (bands.cost[:, 1] - bands.cost[:, 0]) / np.maximum(width, TINY)
    # From either end on the cost lies on its own tangent, so the chord is less steep than one, steeper than the other.
    kink = bands.met & (fall > _KINK) & (rise < bands.slope[:, 0]) & (rise > bands.slope[:, 1]) & (width > ROUNDING)
    k = np.flatnonzero(kink)
    ahead = np.clip((bands.cost[k, 1] - bands.cost[k, 0] - bands.slope[k, 1] * width[k]) / fall[k], 0.0, width[k])
    at, cost = bands.u[k, 0] + ahead, bands.cost[k, 0] + bands.slope[k, 0] * ahead
    u, costs, slope = bands.u.copy(), bands.cost.copy(), bands.slope.copy()
    u[k, 1], costs[k, 1], slope[k, 1] = at, cost, slope[k, 0]
    second = Bands(
        bands.piece[k],
        np.stack([at, bands.u[k, 1]], axis=1),
        np.stack([cost, bands.cost[k, 1]], axis=1),
        np.repeat(bands.slope[k, 1:], 2, axis=1),
        bands.sides[k],
        bands.met[k],
    )
    order = np.argsort(np.concatenate([np.arange(len(u)), k + 0.5]), kind="stable")
    return Bands(*_merged(replace(bands, u=u, cost=costs, slope=slope), second, order))


@dataclass(frozen=True)
class _Cast:
    """Bands with their rays: where they begin ``(n, 2, 2)``, directions, ends and what ends them ``(n, 2)``."""

    base: Floats
    angle: Floats
    ends: Floats
    end: Floats


def _cast(bands: Bands, side: float, rims: Rims, caster: Caster) -> _Cast:
    piece = np.repeat(bands.piece[:, None], 2, axis=1)
    p = rims.at(piece, bands.u)
    tangent, normal, _ = rims.frame(piece, bands.u)
    off = p + side * OFF * normal
    weight = caster.space.weight(off.reshape(-1, 2)).reshape(bands.u.shape)
    g = np.clip(bands.slope / weight, -1.0, 1.0)[..., None]
    d = g * tangent + side * np.sqrt(1 - g * g) * normal
    angle = np.arctan2(d[..., 1], d[..., 0])
    ends, end = caster.cast(off.reshape(-1, 2), angle.ravel(), bands.cost.ravel())
    return _Cast(p - side * _BACK * normal, angle, ends.reshape(p.shape), end.reshape(bands.u.shape))


def _halved(bands: Bands) -> Bands:
    """Part bands in the middle, where the cost follows from costs and slopes at the ends."""
    mid = bands.u.mean(axis=1)
    width = bands.u[:, 1] - bands.u[:, 0]
    cost = bands.cost.mean(axis=1) + width / 8 * (bands.slope[:, 0] - bands.slope[:, 1])
    slope = bands.slope.mean(axis=1)
    return Bands(
        np.repeat(bands.piece, 2),
        _doubled(bands.u, mid),
        _doubled(bands.cost, cost),
        _doubled(bands.slope, slope),
        np.repeat(bands.sides, 2, axis=0),
        np.repeat(bands.met, 2),
    )


def _doubled(pair: Floats, mid: Floats) -> Floats:
    return np.stack([pair[:, 0], mid, mid, pair[:, 1]], axis=1).reshape(-1, 2)


def _drawn(bands: Bands, side: float, rims: Rims, caster: Caster) -> list[shapely.Polygon | None]:
    done = _cast(bands, side, rims, caster)
    for _ in range(_FINER):
        apart = np.hypot(*(done.ends[:, 1] - done.ends[:, 0]).T) > CLOSE
        k = np.flatnonzero((done.end[:, 0] != done.end[:, 1]) & apart & (bands.u[:, 1] - bands.u[:, 0] > _SHORT))
        if not len(k):
            break
        halves = _halved(_some(bands, k))
        new = _cast(halves, side, rims, caster)
        at = np.concatenate([np.delete(np.arange(len(bands.piece)), k), np.repeat(k, 2)])
        order = np.argsort(at, kind="stable")
        keep = np.delete(np.arange(len(bands.piece)), k)
        bands = Bands(*_merged(_some(bands, keep), halves, order))
        done = _Cast(*_merged(_Cast(*(v[keep] for v in vars(done).values())), new, order))
    fans: list[shapely.Polygon | None] = []
    apart = (np.diff(bands.piece) != 0) | (np.abs(bands.u[1:, 0] - bands.u[:-1, 1]) > SLIVER)
    apart |= np.abs(bands.slope[1:, 0] - bands.slope[:-1, 1]) > ROUNDING
    for run in np.split(np.arange(len(bands.piece)), np.flatnonzero(apart) + 1):
        for first in range(0, len(run), _STRIP):
            part = run[first : first + _STRIP]
            strip = _strip(done, part)
            if strip is not None and strip.is_valid:
                fans.append(strip)
            else:
                fans += [_strip(done, part[m : m + 1]) for m in range(len(part))]
    return fans


def _merged(one: object, two: object, order: Floats) -> Iterator[Floats]:
    pairs = zip(vars(one).values(), vars(two).values(), strict=True)
    return (np.concatenate(pair)[order] for pair in pairs)


def _strip(rays: _Cast, part: Floats) -> shapely.Polygon | None:
    """Join the bands of neighbouring stretches."""
    last = part[-1:]
    ends, angle, end, base = (
        np.concatenate([v[part, 0], v[last, 1]]) for v in (rays.ends, rays.angle, rays.end, rays.base)
    )
    return polygon(np.concatenate([base, front(ends, angle, end)[0][::-1]]))


def _corners(costs: RimCosts, rims: Rims, limit: float) -> list[tuple[Floats, float]]:
    """Ends of pieces, but for those at which one piece goes on as another."""
    first = np.concatenate([[True], ~costs.linked])
    last = np.concatenate([~costs.linked, [True]])
    k = np.flatnonzero((first | last) & (costs.cost < limit - ROUNDING))
    tangent, normal, _ = rims.frame(costs.piece[k], costs.u[k])
    rise = costs.slope[k, None] * tangent
    found: dict[tuple[float, ...], list[int]] = {}
    for n, (x, y) in enumerate(np.round(costs.xy[k], 7).tolist()):
        found.setdefault((x, y), []).append(n)
    out = []
    for same in found.values():
        smooth = (
            len(same) == 2
            and float(np.abs(normal[same[0]] - normal[same[1]]).max()) < _SMOOTH
            and float(np.abs(rise[same[0]] - rise[same[1]]).max()) < _SMOOTH
        )
        if not smooth:
            n = min(same, key=lambda m: float(costs.cost[k[m]]))
            out.append((costs.xy[k[n]], float(costs.cost[k[n]])))
    return out
