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

_FINER: Final = 5  # times that a band is parted in four while its two rays end at different things, or far apart
_FINEST: Final = 10  # the same for a band whose rays diverge widely
_BEND: Final = 0.05  # slopes at neighbouring samples that differ by more belong to different ways
_STRIPS: Final = (32, 4, 1)  # bands in one polygon
_BACK: Final = 0.01  # inches before their rim at which bands begin: fans that end at the rim leave gaps at chords


@dataclass(frozen=True)
class Bands(Rows):
    """Stretches of rims from ``u[:, 0]`` on ``piece[:, 0]`` to ``u[:, 1]`` on ``piece[:, 1]``, a row for each.

    ``cost`` and ``slope`` hold at both ends; ``sides`` says on which sides paths go on, ``met`` whether two types of
    path may meet in between.
    """

    piece: Ints
    u: Floats
    cost: Floats
    slope: Floats
    sides: Bools
    met: Bools


def drawn(bands: Bands, rims: Rims, caster: Caster, window: Window | None = None) -> list[shapely.Polygon]:
    """Return bands as polygons, on the sides on which paths go on; with a window, only bands that can come to it."""
    bands = _cut(_kinked(bands, rims), caster.limit, rims)
    if window is not None:
        far = outside(window, rims.at(bands.piece, bands.u)).min(axis=1)
        left = caster.limit - bands.cost.min(axis=1) + rims.apart(bands.piece, bands.u)
        bands = bands.some(np.flatnonzero(far <= left + _BACK))
    out, into = (np.flatnonzero(bands.sides[:, n]) for n in (0, 1))
    side = np.repeat([1.0, -1.0], [len(out), len(into)])
    return _drawn(bands.some(np.concatenate([out, into])), side, rims, caster) if len(side) else []


def sampled_bands(rims: Rims, piece: Ints, u: Floats, cost: Floats) -> tuple[Bands, Floats, Floats]:
    """Return the bands between samples along courses of pieces, and the places where the bands end.

    Where the slope rises from one stretch to the next, a band of no length turns from one direction to the other.

    Parameters
    ----------
    rims
        The pieces.
    piece, u, cost
        The piece of each sample, the place on it and its cost ``(n,)``, inches; infinite for samples not reached.

    Returns
    -------
    The bands in order, and places ``(m, 2)`` with their costs ``(m,)``, inches.

    """
    along = rims.along(piece, u)
    order = np.lexsort((rims.place[piece], along))
    piece, u, cost, along = piece[order], u[order], cost[order], along[order]
    # Where two pieces join there are two samples; the cheaper cost counts.
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
    # Where slopes fall at both ends, two types of path meet in between.
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
    once = number_places(at, cost)[1]
    return bands, at[once], cost[once]


def _at_samples(slope: Floats, h: Floats, count: int) -> tuple[Floats, Floats, Floats, Ints]:
    """Return slopes before and after ``count`` samples, from those of stretches between, ``h`` long; NaN if none.

    Return as well the slopes at the samples where both sides join smoothly, else NaN; and where they do not, 1 for a
    rising slope and -1 for a falling one.
    """
    before, after = np.append(np.nan, slope)[:count], np.append(slope, np.nan)[:count]
    near, far = np.append(np.inf, h)[:count], np.append(h, np.inf)[:count]
    with np.errstate(invalid="ignore"):
        bend = after - before
        # Along a curved rim the slope changes everywhere at the same rate: that is smooth.
        off = np.abs(np.diff(bend / (near + far), prepend=np.nan, append=np.nan))
        smooth = (np.abs(bend) < _BEND) | (np.fmax(off[:-1], off[1:]) * (near + far) < _BEND / 2)
        # The slope of the parabola through a sample and its neighbours.
        mean = np.where(smooth, (before * far + after * near) / (near + far), np.nan)
        turns = np.where(smooth, 0, (bend > 0) * 1 - (bend < 0))
    return before, after, mean, turns


def number_places(at: Floats, cost: Floats) -> tuple[Ints, Ints]:
    """Number places ``(n, 2)`` so that equal places share a number ``(n,)``; return also the cheapest of each."""
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
    """Return bands within the limit; a stretch that crosses it ends where the movement is used up."""
    bands = bands.some(np.flatnonzero(bands.cost.min(axis=1) < limit))
    for end, other in ((0, 1), (1, 0)):
        k = np.flatnonzero(bands.cost[:, end] > limit)
        share = (limit - bands.cost[k, other]) / (bands.cost[k, end] - bands.cost[k, other])
        on, at = rims.between(bands.piece[k], bands.u[k], share if end else 1 - share)
        bands.piece[k, end], bands.u[k, end] = on, at
        bands.cost[k, end], bands.slope[k, end] = limit, bands.slope[k, other]
    return bands


def _parted(bands: Bands, k: Ints, piece: Ints, u: Floats, cost: Floats, slope: tuple[Floats, Floats]) -> Bands:
    """Part stretches ``k`` at places with given costs, and slopes before and after; the order of stretches is kept."""
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
    """Part stretches at the kink where the costs that rise from their two ends meet."""
    width = rims.apart(bands.piece, bands.u)
    fall = bands.slope[:, 0] - bands.slope[:, 1]
    rise = (bands.cost[:, 1] - bands.cost[:, 0]) / np.maximum(width, ROUNDING)
    # The cost follows the tangent of either end up to the kink, so the slope of the chord lies between theirs.
    kink = bands.met & (fall > KINK) & (rise < bands.slope[:, 0]) & (rise > bands.slope[:, 1]) & (width > ROUNDING)
    k = np.flatnonzero(kink)
    ahead = np.clip((bands.cost[k, 1] - bands.cost[k, 0] - bands.slope[k, 1] * width[k]) / fall[k], 0.0, width[k])
    cost = bands.cost[k, 0] + bands.slope[k, 0] * ahead
    on, at = rims.between(bands.piece[k], bands.u[k], ahead / width[k])
    return _parted(bands, k, on, at, cost, (bands.slope[k, 0], bands.slope[k, 1]))


@dataclass(frozen=True)
class _Cast(Rows):
    """Bands with their two rays: where the rays begin ``(n, 2, 2)``, directions, ends and what ends them ``(n, 2)``.

    ``place`` sorts the bands along their rims.
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
        """How far the two rays of each band diverge over the length of the longer one ``(n,)``, inches."""
        length = np.hypot(*np.moveaxis(self.ends - self.base, -1, 0)).max(axis=1)
        return np.asarray(length * np.abs(np.sin(self.angle[:, 1] - self.angle[:, 0])))

    @property
    def crossing(self) -> tuple[Bools, Floats]:
        """Whether the two rays of each band cross, and where ``(n, 2)``; behind that place other ways cost less."""
        (p, q), (d, e) = self.base.swapaxes(0, 1), (self.ends - self.base).swapaxes(0, 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            s, t = (_across(q - p, v) / _across(d, e) for v in (e, d))
            return (s > 0) & (s < 1) & (t > 0) & (t < 1), p + s[:, None] * d


def _across(one: Floats, two: Floats) -> Floats:
    return np.asarray(one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0])


def _cast(bands: Bands, sides: Floats, place: Floats, rims: Rims, caster: Caster) -> _Cast:
    """Cast the two rays of each band, by Snell's law from the slopes of the cost along the rim."""
    p, side = rims.at(bands.piece, bands.u), sides[:, None, None]
    tangent, normal, _ = rims.frame(bands.piece, bands.u)
    off = p + side * 2 * TOUCH * normal  # certainly inside the wall, if a wall lies on that side
    weight = caster.space.weight(off.reshape(-1, 2)).reshape(bands.u.shape)
    g = np.clip(bands.slope / weight, -1.0, 1.0)[..., None]
    d = g * tangent + side * np.sqrt(1 - g * g) * normal
    angle = np.arctan2(d[..., 1], d[..., 0])
    ends, end = caster.cast(off.reshape(-1, 2), angle.ravel(), bands.cost.ravel())
    # No farther back than the movement left would lead over difficult ground.
    back = np.minimum(_BACK, np.maximum(caster.limit - bands.cost, 0.0) / 2)[..., None]
    base, ends, end = p - side * back * normal, ends.reshape(p.shape), end.reshape(bands.u.shape)
    return _Cast(base, angle, ends, end, bands.slope, sides, place)


def _halved(bands: Bands, rims: Rims) -> Bands:
    """Part bands in the middle; the cost there is that of the cubic through the costs and slopes of both ends."""
    piece, mid = rims.between(bands.piece, bands.u, 0.5)
    width = rims.apart(bands.piece, bands.u)
    cost = bands.cost.mean(axis=1) + width / 8 * (bands.slope[:, 0] - bands.slope[:, 1])
    # The slope of the cubic too, unless it lies outside the slopes of the ends.
    mean = bands.slope.mean(axis=1)
    cubic = 1.5 * (bands.cost[:, 1] - bands.cost[:, 0]) / np.maximum(width, ROUNDING) - mean / 2
    between = ((cubic - bands.slope[:, 0]) * (cubic - bands.slope[:, 1]) <= 0) & (width > ROUNDING)
    slope = np.where(between, cubic, mean)
    return _parted(bands, np.arange(len(width)), piece, mid, cost, (slope, slope))


def _cast_finely(bands: Bands, side: Floats, rims: Rims, caster: Caster) -> _Cast:
    """Cast the rays of bands; part a band in four, again and again, while its two rays differ. The order is kept."""
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
    """Return the numbers of the bands whose two rays end at different things, or far from each other."""
    apart, turn = np.hypot(*(done.ends[:, 1] - done.ends[:, 0]).T), done.angle[:, 1] - done.angle[:, 0]
    parted = (np.cos(turn) < STRAIGHT_ON) | (apart * np.abs(np.sin(turn)) > 8 * FRONT_DEPTH)
    # Other bands cover the area behind a crossing.
    parted = (parted | (done.end[:, 0] != done.end[:, 1])) & ~done.crossing[0]
    wide = (rims.apart(bands.piece, bands.u) > ROUNDING) | (np.abs(turn) > HAIR)
    return np.flatnonzero(parted & (apart > NARROW) & wide)


def _drawn(bands: Bands, side: Floats, rims: Rims, caster: Caster) -> list[shapely.Polygon]:
    """Return bands as polygons, with consecutive ones in strips."""
    done = _cast_finely(bands, side, rims, caster)
    apart = np.hypot(*(done.base[1:, 0] - done.base[:-1, 1]).T) > TOUCH
    apart |= (np.abs(done.slope[1:, 0] - done.slope[:-1, 1]) > ROUNDING) | (np.diff(done.side) != 0)
    every = np.arange(len(done.side))
    crossed, at = done.crossing
    done.ends[crossed], done.end[crossed] = at[crossed, None], 0  # other bands cover the area behind
    begins = np.concatenate([[True], apart | crossed[1:] | crossed[:-1]])
    since = every - np.maximum.accumulate(np.where(begins, every, 0))
    fans: list[shapely.Polygon] = []
    for most in _STRIPS:  # a strip that crosses itself is drawn in smaller parts
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
    """Return polygons of consecutive bands, one for each number in ``strip``."""
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
    """Return the corners that need a whole fan, with their costs.

    They are the ends of pieces, except where one piece runs smoothly into another and both are open; and places where a
    path leaves a zone for good.
    """
    first = np.concatenate([[True], ~costs.joined])
    last = np.concatenate([~costs.joined, [True]])
    leaves = np.abs(caster.space.left.clearance(costs.xy)) <= ROUNDING
    k = np.flatnonzero((first | last | leaves) & (costs.cost < caster.limit - ROUNDING))
    tangent, normal, _ = rims.frame(costs.piece[k], costs.u[k])
    rise = costs.slope[k, None] * tangent
    of, cheapest = number_places(costs.xy[k], costs.cost[k])
    order, count = np.argsort(of, kind="stable"), np.bincount(of)
    one, two = order[np.cumsum(count) - count], order[np.cumsum(count) - 1]
    turns = [np.abs(v[one] - v[two]).max(axis=1, initial=0.0) for v in (normal, rise)]
    smooth = (count == 2) & ~leaves[k[one]] & (turns[0] < SMOOTH) & (turns[1] < SMOOTH)
    alone = (first & last)[k]
    smooth &= ~(alone[one] | alone[two])
    k = k[cheapest[~smooth]]
    return list(zip(costs.xy[k], costs.cost[k].tolist(), strict=True))
