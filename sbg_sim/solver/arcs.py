"""Arcs of a circle on which a cost stays within a limit.

A base that touches another can be rolled along it, so along an open stretch the cost grows no faster than the way
does: twice as fast where the ground is difficult. Between two samples it cannot fall or rise further than that, and
only where it might cross the limit are more samples taken (Piyavskii 1972, Shubert 1972, on Lipschitz functions).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.tolerance import ANGLE, ROUNDING

if TYPE_CHECKING:
    from collections.abc import Callable

    from sbg_sim.arrays import Floats

STEP: Final = math.tau / 48
"""Distance of the first samples, radians."""

_FINEST: Final = math.radians(0.05)  # what is narrower than this is not looked for between samples
_QUARTERS: Final = np.array([0.25, 0.5, 0.75])
_PARTS: Final = np.arange(1, 32) / 32  # a look at many places takes hardly longer than one at few
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
    ends: dict[float, _End] = {}
    while True:
        after = np.append(angle[1:], angle[0] + math.tau)
        gap, near = after - angle, np.stack([value, np.roll(value, -1)], axis=1)
        good = near <= limit
        # Two samples beyond the limit may hide a dip, two within it a peak, as far as the cost can change between.
        swing = np.where(np.isfinite(near).all(axis=1), near.mean(axis=1), near.min(axis=1))
        k = np.flatnonzero((good[:, 0] == good[:, 1]) & (gap > _FINEST) & (np.abs(swing - limit) < rho * gap))
        for n in np.flatnonzero(good[:, 0] != good[:, 1]).tolist():
            (a, b), (one, two) = (float(angle[n]), float(after[n])), (near[n] - limit).tolist()
            back = math.tau if b >= math.tau else 0.0  # an arc begins in the first turn, or just before it
            ends.setdefault(a, _End(a, b, one) if good[n, 0] else _End(b - back, a - back, two, begins=True))
        closing = [end for end in ends.values() if end.open]
        if not len(k) and not closing:
            break
        asked = [(angle[k] + gap[k] * _QUARTERS[:, None]).ravel(), *(end.asked() for end in closing)]
        found = np.split(cost(np.concatenate(asked) % math.tau), np.cumsum([len(some) for some in asked[:-1]]))
        for end, some, costs in zip(closing, asked[1:], found[1:], strict=True):
            end.close_in(some, costs - limit)
        angle, value = np.append(angle, asked[0]), np.append(value, found[0])
        order = np.argsort(angle, kind="stable")
        angle, value = angle[order], value[order]
    if not ends:
        return ((0.0, math.tau),) if good.all() else ()
    lows, highs = ([end.good for end in ends.values() if end.begins == begins] for begins in (True, False))
    return tuple((low, min(high if high >= low else high + math.tau for high in highs)) for low in sorted(lows))


def samples(breaks: Floats, step: float = STEP) -> Floats:
    """Return angles a step apart at most, with both sides of every break."""
    even = np.arange(0.0, math.tau, step)
    sides = np.concatenate([breaks - ANGLE, breaks + ANGLE]) % math.tau
    return np.unique(np.concatenate([even, breaks, sides]))


@dataclass
class _End:
    """Where an arc begins, or ends: between an angle within the limit, ``good``, and one beyond it, radians.

    ``above`` is by how much the cost at the former lies above the limit, inches: none or less than none.
    """

    good: float
    bad: float
    above: float
    begins: bool = False

    @property
    def open(self) -> bool:
        """Whether a look may tell more: none does where the cost is the limit to rounding."""
        return abs(self.bad - self.good) > _CLOSE and self.above < -ROUNDING

    def asked(self) -> Floats:
        """Return the angles to look at next."""
        return np.asarray(self.good + _PARTS * (self.bad - self.good))

    def close_in(self, angle: Floats, above: Floats) -> None:
        """Go on between the first of some angles that is beyond the limit and the one before it."""
        every = [self.good, *angle.tolist(), self.bad]
        beyond = above > 0
        k = int(beyond.argmax()) if beyond.any() else len(above)
        self.good, self.bad = every[k : k + 2]
        self.above = float(above[k - 1]) if k else self.above
