"""Slopes and curvatures of a merit by central differences; closed forms replace them for links that are too short.

Differences reach past the end of a rim. They also tell which places are held there, with or without a kink.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from sbg_sim.arrays import Bools, Floats, Ints, unit
from sbg_sim.solver.path.batch import FOLLOW, Batch
from sbg_sim.tolerance import DIFFERENCE, HAIR, ROUNDING, SLOPE_JUMPS, SMOOTH

Merit = Callable[[Batch], Floats]
"""The merit ``(b,)`` of some paths, inches: what Newton's method minimises."""


_JUMP: Final = 0.01  # inches: if the merit changes by more in one step, a place cannot slide there
_DIRECTIONS: Final = unit(np.linspace(0.0, math.pi / 2, 91)[:-1]).T  # the shares by which each of two places moves
_SHORT: Final = 0.01  # inches: for a longer link differences give the curvature to 1e-4
_BLOCK: Final = 20_000  # rows of differences computed at once


def columns(batch: Batch) -> tuple[Ints, Bools]:
    """Return the sliding elements of each path ``(b, s)``, filled up with others, and which of these do slide."""
    slides = batch.slides
    count = slides.sum(axis=1)
    cols = np.argsort(~slides, axis=1, kind="stable")[:, : int(count.max(initial=0))]
    return cols, np.arange(cols.shape[1]) < count[:, None]


def steps_aside(batch: Batch) -> Floats:
    """Return a step along its rim for each sliding place, in order ``(b, s, k)``, inches; 0 for other elements."""
    cols, real = columns(batch)
    b, s = cols.shape
    steps = np.zeros((b, s, batch.u.shape[1]))
    steps[np.arange(b)[:, None], np.arange(s), cols] = real * DIFFERENCE
    return steps


def differences(batch: Batch, merit: Merit, *, tied: bool = False) -> tuple[Floats, Floats]:
    """Return the first and second derivatives ``(b, s)`` and ``(b, s, s)`` at sliding places; 0 where undefined.

    Mixed derivatives are taken of neighbouring places only, or, ``tied``, of all pairs. Where one side of a place is
    closed, or the cost jumps there because a landing does, the slope is taken on the other side.
    Differences fail for links shorter than their step, as from a start that all but touches a rim: closed forms
    replace them for such links if they are straight.
    """
    short = _short_links(batch)
    if not short.any():
        return _differences(batch, merit, tied=tied)
    rest, alone = (replace(batch, weight=np.where(these, batch.weight, 0.0)) for these in (~short, short))
    slope, hess = _differences(rest, merit, tied=tied)
    cols, real = columns(batch)
    rows, every = np.arange(len(batch))[:, None], np.arange(cols.shape[1])
    steep, bend, tie = (np.where(np.isfinite(part), part, 0.0) for part in alone.slopes())
    slope += np.where(real, steep[rows, cols], 0.0)
    hess[:, every, every] += np.where(real, bend[rows, cols], 0.0)
    both = real[:, 1:] & (cols[:, 1:] == cols[:, :-1] + 1)
    more = np.where(both, tie[rows, np.minimum(cols[:, :-1], tie.shape[1] - 1)], 0.0)
    hess[:, every[1:], every[:-1]] += more
    hess[:, every[:-1], every[1:]] += more
    return slope, hess


def _short_links(batch: Batch) -> Bools:
    """Say which straight links between places are too short for differences ``(b, k - 1)``.

    Links along which their own places slide do not count: where the places meet the cost has a kink, which closed
    forms miss. Two places on one arc count, for they turn off the straight between them.
    """
    place = (batch.turned == 0) & (batch.kind != FOLLOW)
    short = place[:, 1:] & place[:, :-1] & (batch.slides[:, 1:] | batch.slides[:, :-1]) & (batch.weight > 0)
    if short.any():
        whole = batch.apart()
        short &= (whole > ROUNDING) & (whole < _SHORT)
    if short.any():
        (dx, dy), (tangent, _, curve) = np.moveaxis(np.diff(batch.places(), axis=1), -1, 0), batch.frame()
        ends = (tangent[:, :-1], batch.slides[:, :-1]), (tangent[:, 1:], batch.slides[:, 1:])
        one, other = (slides & (np.abs(t[..., 0] * dy - t[..., 1] * dx) > SMOOTH * whole) for t, slides in ends)
        both, round_ = batch.slides[:, :-1] & batch.slides[:, 1:], curve > 0
        short &= one | other | (both & round_[:, 1:])
    return np.asarray(short)


def _differences(batch: Batch, merit: Merit, *, tied: bool) -> tuple[Floats, Floats]:
    cols, _ = columns(batch)
    b, s = cols.shape
    if batch.inner:
        # Near the end of a piece differences are taken a little inside, and the curvature corrects the slope.
        within = np.minimum(DIFFERENCE, batch.top / 2)
        aside = np.clip(batch.u, within, batch.top - within) - batch.u
        slope, hess = _differences(replace(batch, u=batch.u + aside, inner=False), merit, tied=tied)
        return slope - (hess @ np.take_along_axis(aside, cols, axis=1)[..., None])[..., 0], hess
    unit = steps_aside(batch)
    first, second = np.tril_indices(s, -1) if tied else (np.arange(1, s), np.arange(s - 1))
    # With multipliers only pairs on one line: over a corner the path became dearer (tests/exact/mended/over-a-corner).
    way = _same_way(batch, cols[:, first], cols[:, second], 0.0 if merit is Batch.cost else HAIR - 1)
    both = unit[:, first] + way[..., None] * unit[:, second]
    shifts = np.concatenate([np.zeros((b, 1, unit.shape[2])), unit, -unit, both, -both], axis=1)
    f = np.concatenate(
        [_shifted(batch, k, shifts[k], merit) for k in np.array_split(np.arange(b), 1 + shifts[..., 0].size // _BLOCK)]
    )
    up, down = f[:, 1 : 1 + s], f[:, 1 + s : 1 + 2 * s]
    plus, minus = f[:, 1 + 2 * s : 1 + 2 * s + len(first)], f[:, 1 + 2 * s + len(first) :]
    with np.errstate(invalid="ignore"):
        slope, hess = (up - down) / (2 * DIFFERENCE), np.zeros((b, s, s))
        hess[:, np.arange(s), np.arange(s)] = (up - 2 * f[:, :1] + down) / DIFFERENCE**2
        alone = up[:, first] + down[:, first] + up[:, second] + down[:, second]
        hess[:, first, second] = way * (plus + minus - alone + 2 * f[:, :1]) / (2 * DIFFERENCE**2)
        hess[:, second, first] = hess[:, first, second]
        above, below = (~(np.abs(beside - f[:, :1]) < _JUMP) for beside in (up, down))
        shut = above | below
        if shut.any():
            up_to, from_ = np.maximum(f[:, :1] - down, 0.0) / DIFFERENCE, np.minimum(up - f[:, :1], 0.0) / DIFFERENCE
            slope = np.select((above & below, above, below), (np.zeros((b, s)), up_to, from_), slope)
            hess[shut[:, :, None] | shut[:, None, :]] = 0.0
    hess[~np.isfinite(hess)], slope[~np.isfinite(slope)] = 0.0, 0.0
    return slope, hess


def _same_way(batch: Batch, first: Ints, second: Ints, most: float) -> Floats:
    """Return -1 for pairs ``(b, p)`` of sliding places close together whose rims run opposite ways, else 1.

    They run opposite ways if the cosine of the angle between them is below ``most``. Shifted the same way, two places
    keep the short link between them as it is; if the link turned, its cost would be no parabola.
    """
    rows, short = np.arange(len(batch))[:, None], first == second + 1
    if short.any():
        links = np.pad(batch.apart(), ((0, 0), (0, 1)))  # none after the last
        short &= links[rows, second] < _SHORT
    if not short.any():
        return np.ones(short.shape)
    ahead = replace(batch, u=batch.u + DIFFERENCE * batch.slides).places() - batch.places()
    opposite = (ahead[rows, first] * ahead[rows, second]).sum(axis=2) < most * DIFFERENCE**2
    return np.where(opposite & short, -1.0, 1.0)


def _shifted(batch: Batch, k: Ints, shifts: Floats, merit: Merit) -> Floats:
    many = batch.rows(np.repeat(k, shifts.shape[1]))
    return merit(replace(many, u=many.u + shifts.reshape(many.u.shape))).reshape(shifts.shape[:2])


def held_at_ends(batch: Batch, slope: Floats, hess: Floats) -> Bools:
    """Say which sliding places ``(b, s)`` are held at an end of their rim, given slopes and curvatures by differences.

    Where the cost has a kink, as where two places meet at a corner, differences past the end mislead: such a place is
    held if the cost rises in every direction in which it can move, alone or with a neighbour.
    """
    cols, rows = columns(batch)[0], np.arange(len(batch))[:, None]
    u, top = batch.u[rows, cols], batch.top[rows, cols]
    held, ends = at_ends(u, top, slope), (u <= 0) | (u >= top)
    kink = np.diagonal(hess, axis1=1, axis2=2) * DIFFERENCE / 2
    kinked = kink > SLOPE_JUMPS
    if not (kinked & ends).any():
        return held
    inward = np.where(u <= 0, 1.0, -1.0)
    rise, ways = slope * inward, batch.frame()[0][rows, cols] * inward[..., None]
    for k, i in zip(*np.nonzero(kinked & ends), strict=True):
        held[k, i] = rise[k, i] + kink[k, i] > 0
        for j in np.flatnonzero(kinked[k] & (np.abs(np.arange(len(ways[k])) - i) == 1)).tolist():
            weight, cosine = (kink[k, i] + kink[k, j]) / 2, float(ways[k, i] @ ways[k, j])
            held[k, i] &= _rises(rise[k, [i, j]], weight, cosine, either=not ends[k, j])
    return held


def _rises(rise: Floats, weight: float, cosine: float, *, either: bool) -> bool:
    """Say whether a cost rises in every direction in which two places that meet can move, the second ``either`` way.

    Parameters
    ----------
    rise
        The slope of the cost as each place moves ``(2,)``, without the link between them.
    weight, cosine
        The cost per inch between them, and the cosine of the angle between their directions.

    """
    one, other = _DIRECTIONS
    for way in (1.0, -1.0) if either else (1.0,):
        apart = np.sqrt(np.maximum(1 - 2 * way * cosine * one * other, 0.0))  # of shares whose squares add up to 1
        if (rise[0] * one + way * rise[1] * other + weight * apart <= 0).any():
            return False
    return True


def at_ends(u: Floats, top: Floats, slope: Floats) -> Bools:
    """Say which places are held at an end of their rim by the slope alone, without regard to kinks."""
    return np.asarray(((u <= 0) & (slope > 0)) | ((u >= top) & (slope < 0)))
