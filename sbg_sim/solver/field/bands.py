"""Bands of rays that leave the rims of difficult ground, where paths bend by Snell's law."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from sbg_sim.arrays import Rows
from sbg_sim.geometry.regions import outside
from sbg_sim.solver.field.rays import STRAIGHT_ON, Caster, wavefront
from sbg_sim.tolerance import FRONT_DEPTH, HAIR, KINK, NARROW, ROUNDING, SMOOTH, TOUCH

if TYPE_CHECKING:
    from sbg_sim.arrays import Array, Bools, Floats, Ints
    from sbg_sim.geometry.regions import Window
    from sbg_sim.geometry.rims import Rims
    from sbg_sim.solver.field.rim_costs import RimCosts

_FINER: Final = 5  # times that a band is parted in four whose rays end at different things, or far apart
_FINEST: Final = 10  # ... and where its rays turn so far that what ends one of them lies far beside the other
_BEND: Final = 0.05  # slopes that differ more than this between samples belong to different ways
_STRIPS: Final = (32, 4, 1)  # bands in one polygon
_BACK: Final = 0.01  # inches bands begin before their rim: what chords of fans that end at a rim leave open


@dataclass(frozen=True)
class Bands(Rows):
    """Stretches of rims from ``u[:, 0]`` on ``piece[:, 0]`` to ``u[:, 1]`` on ``piece[:, 1]``, costs and slopes there.

    ``sides`` says to which sides paths go on, ``met`` whether two types of path may meet in between.
    """

    piece: Ints
    u: Floats
    cost: Floats
    slope: Floats
    sides: Bools
    met: Bools


def drawn(bands: Bands, rims: Rims, caster: Caster, window: Window | None = None) -> list[shapely.Polygon]:
    """Draw bands on the sides to which paths go on, those that come to a window (bounds, inches) alone."""
    bands = _cut(_kinked(bands, rims), caster.limit, rims)
    if window is not None:
        far = outside(window, rims.at(bands.piece, bands.u)).min(axis=1)
        left = caster.limit - bands.cost.min(axis=1) + rims.apart(bands.piece, bands.u)
        bands = bands.some(np.flatnonzero(far <= left + _BACK))
    out, into = (np.flatnonzero(bands.sides[:, n]) for n in (0, 1))
    side = np.repeat([1.0, -1.0], [len(out), len(into)])
    return _drawn(bands.some(np.concatenate([out, into])), side, rims, caster) if len(side) else []


def sampled_bands(rims: Rims, piece: Ints, u: Floats, cost: Floats) -> tuple[Bands, Floats, Floats]:
    """Return the bands between samples along smooth courses of pieces, and the places at which those end.

    Where slopes rise from one stretch to the next, a band of no length turns from the one to the other.

    Parameters
    ----------
    rims
        The pieces.
    piece, u, cost
        On which of them each sample lies, where, and its cost ``(n,)``, inches; what is not reached is among them.

    Returns
    -------
    The bands in order, and places ``(m, 2)`` with their costs ``(m,)``, inches.

    """
    along = rims.along(piece, u)
    order = np.lexsort((rims.place[piece], along))
    piece, u, cost, along = piece[order], u[order], cost[order], along[order]
    # Where one piece goes on as another there are two samples, and one cost.
    first = np.flatnonzero(np.diff(along, prepend=-np.inf) > TOUCH)
    last = np.append(first[1:], len(along)) - 1
    cost = np.minimum.reduceat(cost, first) if len(first) else cost
    h, whole = np.diff(along[first]), np.diff(rims.courses[0][piece[first]]) == 0
    with np.errstate(invalid="ignore"):
        rise = np.diff(cost) / h
    slope = np.where(whole & np.isfinite(rise), rise, np.nan)
    before, after, mean, turns = _at_samples(slope, h, len(first))
    k = np.flatnonzero(np.isfinite(slope))
    pair = np.stack([mean[k], mean[k + 1]], axis=1)
    pair = np.where(np.isfinite(pair), pair, slope[k, None])
    # Where slopes fall at both ends, ways of two types meet in between.
    falls = turns < 0
    met = falls[k] & falls[k + 1]
    pair[met] = np.stack([before[k], after[k + 1]], axis=1)[met]
    turn = np.flatnonzero(turns > 0)
    order = np.argsort(np.concatenate([k + 0.5, turn]))
    ends = np.stack([np.append(last[k], first[turn]), np.append(first[k + 1], last[turn])], axis=1)[order]
    both = np.stack([np.append(k, turn), np.append(k + 1, turn)], axis=1)[order]
    pair = np.concatenate([pair, np.stack([before, after], axis=1)[turn]])[order]
    met = np.append(met, np.zeros(len(turn), dtype=bool))[order]
    bands = Bands(piece[ends], u[ends], cost[both], pair, np.ones((len(both), 2), dtype=bool), met)
    end = np.isfinite(cost) & ~(np.isfinite(before) & np.isfinite(after))
    at, cost = rims.at(piece[first[end]], u[first[end]]), cost[end]
    once = alike(at, cost)[1]
    return bands, at[once], cost[once]


def _at_samples(slope: Floats, h: Floats, count: int) -> tuple[Floats, Floats, Floats, Ints]:
    """Return slopes before and after so many samples from those between them, ``h`` apart: NaN where none is.

    With them the slopes there where they go on smoothly, else NaN; and 1 where they rise at once, -1 where they fall.
    """
    before, after = np.append(np.nan, slope)[:count], np.append(slope, np.nan)[:count]
    near, far = np.append(np.inf, h)[:count], np.append(h, np.inf)[:count]
    with np.errstate(invalid="ignore"):
        bend = after - before
        # Where a rim curves its costs bend everywhere alike.
        off = np.abs(np.diff(bend / (near + far), prepend=np.nan, append=np.nan))
        smooth = (np.abs(bend) < _BEND) | (np.fmax(off[:-1], off[1:]) * (near + far) < _BEND / 2)
        # Of the parabola through a sample and its neighbours.
        mean = np.where(smooth, (before * far + after * near) / (near + far), np.nan)
        turns = np.where(smooth, 0, (bend > 0) * 1 - (bend < 0))
    return before, after, mean, turns


def alike(at: Floats, cost: Floats) -> tuple[Ints, Ints]:
    """Number places ``(n, 2)`` so that those that are one have one number ``(n,)``; of each number the cheapest."""
    of = np.unique(np.round(at / HAIR), axis=0, return_inverse=True)[1].ravel()
    order = np.lexsort((cost, of))
    return of, order[np.flatnonzero(np.diff(of[order], prepend=-1))]


def exact_bands(costs: RimCosts) -> Bands:
    """Return the bands along all rims whose costs are exact."""
    k = np.flatnonzero(costs.joined)
    both = k[:, None] + np.array([0, 1])
    sides = costs.sides[k] | costs.sides[k + 1]
    met = costs.path_type[k] != costs.path_type[k + 1]
    return Bands(costs.piece[both], costs.u[both], costs.cost[both], costs.slope[both], sides, met)


def _cut(bands: Bands, limit: float, rims: Rims) -> Bands:
    """Leave out what lies beyond the limit; a stretch that crosses it ends where the movement is used up."""
    bands = bands.some(np.flatnonzero(bands.cost.min(axis=1) < limit))
    for end, other in ((0, 1), (1, 0)):
        k = np.flatnonzero(bands.cost[:, end] > limit)
        share = (limit - bands.cost[k, other]) / (bands.cost[k, end] - bands.cost[k, other])
        on, at = rims.between(bands.piece[k], bands.u[k], share if end else 1 - share)
        bands.piece[k, end], bands.u[k, end] = on, at
        bands.cost[k, end], bands.slope[k, end] = limit, bands.slope[k, other]
    return bands


def _parted(bands: Bands, k: Ints, piece: Ints, u: Floats, cost: Floats, slope: tuple[Floats, Floats]) -> Bands:
    """Part stretches ``k`` at places with given costs, and slopes before and after those; in order."""
    first = k + np.arange(len(k))
    bands = bands.some(np.sort(np.append(np.arange(len(bands.met)), k)))
    for column, (before, after) in (
        (bands.piece, (piece, piece)),
        (bands.u, (u, u)),
        (bands.cost, (cost, cost)),
        (bands.slope, slope),
    ):
        column[first, 1], column[first + 1, 0] = before, after
    return bands


def _kinked(bands: Bands, rims: Rims) -> Bands:
    """Part stretches where the costs of their two ends meet in a kink."""
    width = rims.apart(bands.piece, bands.u)
    fall = bands.slope[:, 0] - bands.slope[:, 1]
    rise = (bands.cost[:, 1] - bands.cost[:, 0]) / np.maximum(width, ROUNDING)
    # From either end on the cost lies on its own tangent, so the chord is less steep than one, steeper than the other.
    kink = bands.met & (fall > KINK) & (rise < bands.slope[:, 0]) & (rise > bands.slope[:, 1]) & (width > ROUNDING)
    k = np.flatnonzero(kink)
    ahead = np.clip((bands.cost[k, 1] - bands.cost[k, 0] - bands.slope[k, 1] * width[k]) / fall[k], 0.0, width[k])
    cost = bands.cost[k, 0] + bands.slope[k, 0] * ahead
    on, at = rims.between(bands.piece[k], bands.u[k], ahead / width[k])
    return _parted(bands, k, on, at, cost, (bands.slope[k, 0], bands.slope[k, 1]))


@dataclass(frozen=True)
class _Cast(Rows):
    """Bands with their rays: where they begin ``(n, 2, 2)``, directions, ends and what ends them ``(n, 2)``.

    With them slopes, sides and places in order of the bands.
    """

    base: Floats
    angle: Floats
    ends: Floats
    end: Ints
    slope: Floats
    side: Floats
    place: Floats

    @property
    def spread(self) -> Floats:
        """How far apart the directions of the two rays of a band lead, as far as the longer goes ``(n,)``, inches."""
        length = np.hypot(*np.moveaxis(self.ends - self.base, -1, 0)).max(axis=1)
        return np.asarray(length * np.abs(np.sin(self.angle[:, 1] - self.angle[:, 0])))

    @property
    def crossing(self) -> tuple[Bools, Floats]:
        """Whether the two rays of a band cross, and where ``(n, 2)``; behind it other ways cost less."""
        (p, q), (d, e) = self.base.swapaxes(0, 1), (self.ends - self.base).swapaxes(0, 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            s, t = (_across(q - p, v) / _across(d, e) for v in (e, d))
            return (s > 0) & (s < 1) & (t > 0) & (t < 1), p + s[:, None] * d


def _across(one: Floats, two: Floats) -> Floats:
    return np.asarray(one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0])


def _cast(bands: Bands, sides: Floats, place: Floats, rims: Rims, caster: Caster) -> _Cast:
    p, side = rims.at(bands.piece, bands.u), sides[:, None, None]
    tangent, normal, _ = rims.frame(bands.piece, bands.u)
    off = p + side * 2 * TOUCH * normal  # in a wall for certain, if that is what lies there
    weight = caster.space.weight(off.reshape(-1, 2)).reshape(bands.u.shape)
    g = np.clip(bands.slope / weight, -1.0, 1.0)[..., None]
    d = g * tangent + side * np.sqrt(1 - g * g) * normal
    angle = np.arctan2(d[..., 1], d[..., 0])
    ends, end = caster.cast(off.reshape(-1, 2), angle.ravel(), bands.cost.ravel())
    # No farther than what is left leads, difficult as the ground may be there.
    back = np.minimum(_BACK, np.maximum(caster.limit - bands.cost, 0.0) / 2)[..., None]
    base, ends, end = p - side * back * normal, ends.reshape(p.shape), end.reshape(bands.u.shape)
    return _Cast(base, angle, ends, end, bands.slope, sides, place)


def _halved(bands: Bands, rims: Rims) -> Bands:
    """Part bands in the middle, where the cost follows from costs and slopes at the ends."""
    piece, mid = rims.between(bands.piece, bands.u, 0.5)
    width = rims.apart(bands.piece, bands.u)
    cost = bands.cost.mean(axis=1) + width / 8 * (bands.slope[:, 0] - bands.slope[:, 1])
    # Of the cubic, where costs and slopes fit each other.
    mean = bands.slope.mean(axis=1)
    cubic = 1.5 * (bands.cost[:, 1] - bands.cost[:, 0]) / np.maximum(width, ROUNDING) - mean / 2
    between = ((cubic - bands.slope[:, 0]) * (cubic - bands.slope[:, 1]) <= 0) & (width > ROUNDING)
    slope = np.where(between, cubic, mean)
    return _parted(bands, np.arange(len(width)), piece, mid, cost, (slope, slope))


def _cast_finely(bands: Bands, side: Floats, rims: Rims, caster: Caster) -> _Cast:
    """Cast the rays of bands, which are parted in four, and again, where their two rays differ; in order."""
    place, kept = np.arange(float(len(side))), []
    for n in range(_FINEST + 1):
        done = _cast(bands, side, place, rims, caster)
        k = _differing(bands, done, rims)[: None if n < _FINEST else 0]
        k = k if n < _FINER else k[done.some(k).spread > 4 * NARROW]
        kept.append(done.some(np.delete(np.arange(len(side)), k)))
        if not len(k):
            break
        bands, side = _halved(_halved(bands.some(k), rims), rims), np.repeat(side[k], 4)
        place = (place[k, None] + np.arange(4) / 4 ** (n + 1)).ravel()
    every = _Cast.joined(kept)
    return every.some(np.argsort(every.place))


def _differing(bands: Bands, done: _Cast, rims: Rims) -> Ints:
    """Return the bands whose two rays end at different things, or far from each other."""
    apart, turn = np.hypot(*(done.ends[:, 1] - done.ends[:, 0]).T), done.angle[:, 1] - done.angle[:, 0]
    parted = (np.cos(turn) < STRAIGHT_ON) | (apart * np.abs(np.sin(turn)) > 8 * FRONT_DEPTH)
    # What lies behind a crossing is covered by others.
    parted = (parted | (done.end[:, 0] != done.end[:, 1])) & ~done.crossing[0]
    wide = (rims.apart(bands.piece, bands.u) > ROUNDING) | (np.abs(turn) > HAIR)
    return np.flatnonzero(parted & (apart > NARROW) & wide)


def _drawn(bands: Bands, side: Floats, rims: Rims, caster: Caster) -> list[shapely.Polygon]:
    done = _cast_finely(bands, side, rims, caster)
    apart = np.hypot(*(done.base[1:, 0] - done.base[:-1, 1]).T) > TOUCH
    apart |= (np.abs(done.slope[1:, 0] - done.slope[:-1, 1]) > ROUNDING) | (np.diff(done.side) != 0)
    every = np.arange(len(done.side))
    crossed, at = done.crossing
    done.ends[crossed], done.end[crossed] = at[crossed, None], 0  # what lies behind is covered by others
    begins = np.concatenate([[True], apart | crossed[1:] | crossed[:-1]])
    since = every - np.maximum.accumulate(np.where(begins, every, 0))
    fans: list[shapely.Polygon] = []
    for most in _STRIPS:  # those that cross themselves are drawn in smaller parts
        begins = np.concatenate([[True], begins[1:] | (np.diff(every) != 1)]) | (since % most == 0)
        strip = np.cumsum(begins) - 1
        strips = _strips(done, strip)
        whole = shapely.is_valid(strips) if most > 1 else np.ones(len(strips), dtype=bool)
        fans += strips[whole].tolist()
        k = np.flatnonzero(~whole[strip])
        if not len(k):
            break
        begins, since, every = begins[k], since[k], every[k]
        done = done.some(k)
    return fans


def _strips(rays: _Cast, strip: Ints) -> Array:
    """Join the bands that follow each other in one strip each; ``strip`` numbers them in order."""
    last = np.flatnonzero(np.append(np.diff(strip) != 0, True))
    order = np.argsort(np.concatenate([np.arange(len(strip)), last + 0.5]), kind="stable")
    of = np.concatenate([strip, strip[last]])[order]
    ends, angle, end, base = (
        np.concatenate([v[:, 0], v[last, 1]])[order] for v in (rays.ends, rays.angle, rays.end, rays.base)
    )
    points, own = wavefront(ends, angle, end, of)
    which = np.concatenate([of[np.searchsorted(own, np.arange(len(points)), side="right") - 1], of[::-1]])
    round_ = np.argsort(which, kind="stable")
    places = np.concatenate([points, base[::-1]])[round_]
    return np.asarray(shapely.polygons(shapely.linearrings(places, indices=which[round_])))


def corners(costs: RimCosts, rims: Rims, caster: Caster) -> list[tuple[Floats, float]]:
    """Return the corners about which whole fans have to be drawn, with their costs.

    They are the ends of pieces, but for those at which one goes on as another and both may be gone along; and where
    a zone is left for good.
    """
    first = np.concatenate([[True], ~costs.joined])
    last = np.concatenate([~costs.joined, [True]])
    leaves = np.abs(caster.space.left.clearance(costs.xy)) <= ROUNDING
    k = np.flatnonzero((first | last | leaves) & (costs.cost < caster.limit - ROUNDING))
    tangent, normal, _ = rims.frame(costs.piece[k], costs.u[k])
    rise = costs.slope[k, None] * tangent
    of, cheapest = alike(costs.xy[k], costs.cost[k])
    order, count = np.argsort(of, kind="stable"), np.bincount(of)
    one, two = order[np.cumsum(count) - count], order[np.cumsum(count) - 1]
    turns = [np.abs(v[one] - v[two]).max(axis=1, initial=0.0) for v in (normal, rise)]
    smooth = (count == 2) & ~leaves[k[one]] & (turns[0] < SMOOTH) & (turns[1] < SMOOTH)
    alone = (first & last)[k]
    smooth &= ~(alone[one] | alone[two])
    k = k[cheapest[~smooth]]
    return list(zip(costs.xy[k], costs.cost[k].tolist(), strict=True))
