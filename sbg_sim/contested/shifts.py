"""Finds the smallest shift of one base that changes an answer: by bounds if they decide, else by asking.

The first guess comes from the pull of the taut string (`pulls`). Steps of Newton's method in the plane lead it to the
place where cost and allowance are equal; then asking again confirms it: just short of it the answer holds, just beyond
it changes. Where nothing pulls (a look, a closed way, a bystander) a fan of directions is tried.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.arrays import unit
from sbg_sim.tolerance import ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sbg_sim.arrays import Floats
    from sbg_sim.contested.asking import Asker
    from sbg_sim.geometry.shapes import Point


SETTLED: Final = TOUCH
"""How far on either side of the shift found the question is asked again, inches: TOUCH decides nothing there."""

STEPS: Final = 12  # of Newton's method; it takes three or four
_ROUNDS: Final = 4  # searches for a smaller shift in another direction
_FAN: Final = 16  # directions tried where nothing pulls
_BESIDE: Final = (0.25, 0.5, 1.0)  # directions on either side of a known shift, as shares of half a step of the fan
_TURNS: Final = 60  # most turns to a better direction; about twenty are usual
_FINE: Final = 10 * TOUCH  # radians: the least turn; a smaller one changes a shift of an inch by as little
_RINGS: Final = (0.02, 0.1, 0.35, 1.0)  # lengths of shifts tried, as shares of the limit


@dataclass(frozen=True)
class Shift:
    """The smallest shift found that changes the answer.

    Parameters
    ----------
    model
        The id of the model; empty for all at once.
    inches
        Its length; None if no shift within the limit changes the answer.
    moves
        The shift along x and y by model, inches.
    answer
        The answer after the shift.
    verified
        Whether asking again confirmed it: the answer holds a micro-inch short of it, and changes a micro-inch beyond.

    """

    model: str
    inches: float | None
    moves: Mapping[str, Point] = field(default_factory=dict, hash=False)
    answer: str | None = None
    verified: bool = False

    @property
    def direction(self) -> Point | None:
        """The direction of a single base's shift, a unit vector."""
        if not self.inches or self.model not in self.moves:
            return None
        x, y = self.moves[self.model]
        return (x / self.inches, y / self.inches)


def single(asker: Asker, model: str, gradient: Point | None, limit: float) -> Shift:
    """Find the smallest shift of one base: by bounds if they decide, else by asking."""
    best = _along_the_pull(asker, model, limit) if gradient is not None else None
    reach = limit

    @cache
    def sure() -> float:
        radii = [share * limit for share in reversed(_RINGS)]
        return next((r for r in radii if r < reach and asker.surely({model: r})), 0.0)

    for _ in range(_ROUNDS):
        reach = limit if best is None else float(np.hypot(*best)) - 2 * SETTLED
        if asker.surely({model: reach}):
            break
        nearer = _by_fan(asker, model, sure, reach, best)
        if nearer is None:
            break
        best = nearer
    if best is not None and gradient is not None and np.hypot(*best) < SETTLED:
        best = SETTLED / 4 * away(asker, np.array(gradient))  # less than a hair decides: along the pull
    return Shift(model, None) if best is None else settled(asker, model, {model: best})


def settled(asker: Asker, model: str, moves: Mapping[str, Floats]) -> Shift:
    """Return a shift, with whether asking again confirms it."""
    size = max(float(np.hypot(*v)) for v in moves.values())

    def scaled(by: float) -> dict[str, Floats]:
        return {name: v * ((size + by) / size) if size > 0 else v for name, v in moves.items()}

    beyond = asker.at(scaled(SETTLED))
    inside = asker.at(scaled(-SETTLED)) if size > SETTLED else asker.verdict
    good = beyond is not None and asker.turned(beyond) and inside is not None and not asker.turned(inside)
    told = {name: (float(v[0]), float(v[1])) for name, v in moves.items()}
    return Shift(model, size, told, None if beyond is None else beyond.answer, good)


def _along_the_pull(asker: Asker, model: str, limit: float, start: Floats | None = None) -> Floats | None:
    """Find the nearest place where cost and allowance are equal, then the shift in that direction by bisection."""
    move = np.zeros(2) if start is None else start
    direction: Floats | None = None
    for _ in range(STEPS):
        slope = asker.slope({model: move}, model)
        if slope is None:
            break
        margin, grad = slope
        after = grad * (float(grad @ move) - margin) / float(grad @ grad)  # a base without pull has no slope
        if np.hypot(*after) > 4 * limit:
            break
        direction = after
        if np.hypot(*(after - move)) < SETTLED / 10:
            break
        move = after
    if direction is None or np.hypot(*direction) == 0:
        return None
    return on_ray(asker, {model: direction / np.hypot(*direction)}, float(np.hypot(*direction)), limit)[model]


def on_ray(asker: Asker, rays: Mapping[str, Floats], guess: float, limit: float) -> dict[str, Floats | None]:
    """Find by bisection where the answer changes along given directions, near a guess if possible; else None."""
    low, high = 0.0, None
    for share in (guess + SETTLED / 2, 1.01 * guess + 2 * SETTLED, 1.1 * guess, 1.5 * guess, 2 * guess, limit):
        if share > limit * (1 + ROUNDING):  # the limit itself, the last, is tried in any case
            continue
        if asker.turns({n: share * v for n, v in rays.items()}):
            high = share
            break
        low = share
    if high is None:
        return dict.fromkeys(rays)
    if low == 0.0 and guess > SETTLED and not asker.turns({n: (guess - SETTLED / 2) * v for n, v in rays.items()}):
        low = guess - SETTLED / 2
    while high - low > SETTLED / 4:
        middle = (low + high) / 2
        if asker.turns({n: middle * v for n, v in rays.items()}):
            high = middle
        else:
            low = middle
    return {n: high * v for n, v in rays.items()}


def _by_fan(asker: Asker, model: str, sure: Callable[[], float], limit: float, best: Floats | None) -> Floats | None:
    """Ask in a fan of directions, ever farther out, beyond the range that is sure; bisect, and turn to the best.

    If a shift is known, a wider fan will do, and a narrow one about it: beside it a shorter one may be found.
    """
    if limit <= 2 * SETTLED:
        return None
    start = asker.toward(model)
    several = _FAN if best is None else _FAN // 2
    angles = [start + 2 * math.pi * i / several for i in range(several)]
    if best is not None:
        known = math.atan2(best[1], best[0])
        angles += [known + side * turn * math.pi / _FAN for turn in _BESIDE for side in (1, -1)]
    for ring in _RINGS if best is None else (1.0,):
        radius = ring * limit
        if best is None and radius <= sure():
            continue
        hits = [a for a in angles if asker.turns({model: radius * unit(a)})]
        if hits:
            return _refined(asker, model, hits, sure(), radius)
    return None


def _refined(asker: Asker, model: str, hits: list[float], low: float, high: float) -> Floats:
    """Bisect along the directions that change the answer, and follow the pull there, or turn until nothing is gained.

    The precision of the length is the square of the turn's: more than that is lost by turning anyway.
    """
    best, angle, step = high, hits[0], math.pi / _FAN
    for turn in range(_TURNS):
        close = max(SETTLED / 4, best * step * step / 8)
        for a in hits:
            if best - 2 * close > low and asker.turns({model: (best - 2 * close) * unit(a)}):
                best, angle = _bisected(asker, model, a, low, best - 2 * close, close), a
        pulled = _along_the_pull(asker, model, best, best * unit(angle)) if turn == 0 else None
        if pulled is not None:
            return pulled
        if angle not in hits[1:]:
            step /= 2
        if step < _FINE:
            break
        hits = [angle, angle - step, angle + step]
    return _bisected(asker, model, angle, low, best, SETTLED / 4) * unit(angle)


def _bisected(asker: Asker, model: str, angle: float, low: float, high: float, close: float) -> float:
    """Return where the answer changes along a direction, if it does at ``high``: from there down, then by bisection."""
    step = 2 * close
    while high - step > low and asker.turns({model: (high - step) * unit(angle)}):
        high, step = high - step, 4 * step
    low = max(low, high - step)
    while high - low > close:
        middle = (low + high) / 2
        if asker.turns({model: middle * unit(angle)}):
            high = middle
        else:
            low = middle
    return high


def away(asker: Asker, gradient: Floats) -> Floats:
    """Return the direction in which a base works against the answer: to a higher cost for a yes, a lower for a no."""
    size = float(np.hypot(*gradient))
    sign = 1.0 if asker.dearer_turns else -1.0
    return sign * np.asarray(gradient) / size if size > 0 else np.zeros(2)
