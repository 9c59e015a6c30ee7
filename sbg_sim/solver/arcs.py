"""Arcs of a circle on which a cost stays within a limit.

A base that touches another can be rolled along it, so along an open stretch the cost grows no faster than the way
does: twice as fast where the ground is difficult. Between two samples it cannot fall or rise further than that, and
only where it might cross the limit are more samples taken (Piyavskii 1972, Shubert 1972, on Lipschitz functions).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.tolerance import ANGLE, ROUNDING

if TYPE_CHECKING:
    from collections.abc import Callable

    from sbg_sim.arrays import Floats

STEP: Final = math.tau / 48
"""Distance of the first samples, radians."""

_FINEST: Final = math.radians(0.05)  # what is narrower than this is not looked for between samples
_ROUNDS: Final = 40  # looks at an end of an arc at most; three are usual, at a jump as well
_BENT: Final = 0.25  # of a stretch's angle (radians): so much of the stretch a secant may be off
_OFF: Final = np.array([-64.0, -8.0, -1.0, 1.0, 8.0, 64.0])  # times as much, should it be off by more
_QUARTERS: Final = np.array([0.25, 0.5, 0.75])
_EVENLY: Final = np.arange(1, 32) / 32
_BESIDE: Final = 2.0 ** np.arange(-24, 0)
"""Shares of a stretch at which a jump of the cost is looked for; first beside its good end, where most are."""
_CLOSE: Final = 4 * ANGLE  # radians: ends are as sharp as the sides of a break lie apart


def within(
    cost: Callable[[Floats], Floats], breaks: Floats, rho: float, limit: float
) -> tuple[tuple[float, float], ...]:
    """Find the arcs of a circle where a cost is within a limit.

    Parameters
    ----------
    cost
        Costs (inches) at angles ``(n,)`` (radians); infinite where none may be, or where it is far above the limit.
    breaks
        Sorted angles in [0, 2 pi) between which it is either infinite or changes no faster than twice the way.
    rho
        Radius of the circle, inches.
    limit
        Inches.

    Returns
    -------
    First and last angle of every arc, the last beyond 2 pi where it passes 0; ``((0, 2 pi),)`` for the whole circle.

    """
    angle = samples(breaks)
    value = cost(angle)
    while True:
        near, gap = _pairs(angle, value)
        # Two samples beyond the limit may hide a dip, two within it a peak, as far as the cost can change between.
        swing = np.where(np.isfinite(near).all(axis=1), near.mean(axis=1), near.min(axis=1))
        open_ = (gap > _FINEST) & (np.abs(swing - limit) < rho * gap)
        open_ &= (near <= limit).all(axis=1) | (near > limit).all(axis=1)
        k = np.flatnonzero(open_)
        if not len(k):
            break
        # A look at many places takes hardly longer than one at few.
        more = (angle[k] + gap[k] * _QUARTERS[:, None]).ravel()
        order = np.argsort(np.concatenate([angle, more]), kind="stable")
        angle, value = np.concatenate([angle, more])[order], np.concatenate([value, cost(more % math.tau)])[order]
    good = value <= limit
    if good.all() and not len(breaks):
        return ((0.0, math.tau),)
    if not good.any():
        return ()
    return _joined(cost, angle, value, limit)


def samples(breaks: Floats, step: float = STEP) -> Floats:
    """Return angles a step apart at most, with both sides of every break."""
    even = np.arange(0.0, math.tau, step)
    sides = np.concatenate([breaks - ANGLE, breaks + ANGLE]) % math.tau
    return np.unique(np.concatenate([even, breaks, sides]))


def _pairs(angle: Floats, value: Floats) -> tuple[Floats, Floats]:
    """Return the values at both ends of every stretch between samples, and its width."""
    gap = np.diff(np.append(angle, angle[0] + math.tau))
    return np.stack([value, np.roll(value, -1)], axis=1), gap


def _joined(
    cost: Callable[[Floats], Floats], angle: Floats, value: Floats, limit: float
) -> tuple[tuple[float, float], ...]:
    """Join samples within the limit to arcs, their ends closed in on."""
    good = value <= limit
    begins = np.flatnonzero(good & ~np.roll(good, 1))
    ends = np.flatnonzero(good & ~np.roll(good, -1))
    if not len(begins):
        return ((0.0, math.tau),)
    n = len(angle)
    before, after = (begins - 1) % n, (ends + 1) % n
    bad = np.concatenate([angle[before] - math.tau * (before > begins), angle[after] + math.tau * (after < ends)])
    at = np.concatenate([begins, ends])
    rim = _closed_in(cost, angle[at], value[at], bad, value[np.concatenate([before, after])], limit)
    lows, highs = rim[: len(begins)], rim[len(begins) :]
    arcs = []
    for low, i in zip(lows.tolist(), begins.tolist(), strict=True):
        k = int(np.argmin((ends - i) % n))
        high = float(highs[k])
        arcs.append((low, high if high >= low else high + math.tau))
    return tuple(arcs)


def _closed_in(
    cost: Callable[[Floats], Floats], good: Floats, low: Floats, bad: Floats, high: Floats, limit: float
) -> Floats:
    """Find where the cost crosses the limit between pairs of angles, every pair looked at in several places a round."""
    good, bad, low, high = good.copy(), bad.copy(), low - limit, high - limit
    for done in range(_ROUNDS):
        # Where the cost is the limit to rounding no look tells more.
        k = np.flatnonzero((np.abs(bad - good) > _CLOSE) & (low < -ROUNDING))
        if not len(k):
            break
        jumps = ~np.isfinite(high[k])
        if jumps.any():  # first: nothing tells where between its sides the cost jumps
            k = k[jumps]
            inner = np.tile(_EVENLY if done else _BESIDE, (len(k), 1))
        else:
            inner = _shares(low[k], high[k], np.abs(bad - good)[k])
        share = np.concatenate([np.zeros((len(k), 1)), inner, np.ones((len(k), 1))], axis=1)
        angle = good[k, None] + share * (bad - good)[k, None]
        there = (cost(angle[:, 1:-1].ravel() % math.tau) - limit).reshape(len(k), -1)
        value = np.concatenate([low[k, None], there, high[k, None]], axis=1)
        first = np.arange(len(k)), np.argmax(value[:, 1:] > 0, axis=1)
        after = first[0], first[1] + 1
        good[k], low[k], bad[k], high[k] = angle[first], value[first], angle[after], value[after]
    return np.asarray(good)


def _shares(low: Floats, high: Floats, width: Floats) -> Floats:
    """Return shares of stretches ``(n, m)``, rising: its quarters, and both sides of the secant's guess."""
    guess = np.where(high > low, low / np.where(high > low, low - high, 1.0), 0.5)
    off = np.maximum(_BENT * width, _CLOSE)
    shares = np.concatenate([np.tile(_QUARTERS, (len(low), 1)), guess[:, None] + off[:, None] * _OFF], axis=1)
    return np.sort(np.clip(shares, 0.0, 1.0), axis=1)
