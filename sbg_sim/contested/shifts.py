"""The smallest shift of one base that turns an answer: by bounds where they settle it, else by asking.

The first guess comes from the pull of the taut string (`pulls`), is walked to the place where cost and allowance meet
by steps of Newton's method in the plane, and is then settled by asking again: just inside it the answer stands, just
beyond it turns. Where nothing pulls (a look, a way that is shut, a bystander) a fan of directions is asked.
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
"""How far from the turning point it is asked again, inches: half a micro-inch of TOUCH decides nothing there."""

STEPS: Final = 12  # of Newton's method; it takes three or four
_ROUNDS: Final = 4  # of looking for a smaller shift elsewhere
_FAN: Final = 16  # directions asked where nothing pulls
_BESIDE: Final = (0.25, 0.5, 1.0)  # to either side of a shift that is known, as shares of half a step of the fan
_TURNS: Final = 60  # of a direction to a better one; it takes about twenty
_FINE: Final = 10 * TOUCH  # radians: turned by less, a shift of an inch may shrink by as little
_RINGS: Final = (0.02, 0.1, 0.35, 1.0)  # how far out, as shares of the limit


@dataclass(frozen=True)
class Shift:
    """The smallest shift found that turns the answer.

    Parameters
    ----------
    model
        Whose base; empty for all at once.
    inches
        How far; None when no shift within the limit turns the answer.
    moves
        The shift along x and y by model, inches.
    answer
        What the answer turns into.
    verified
        Whether asking again confirmed it: it stands a micro-inch less, and turns a micro-inch further.

    """

    model: str
    inches: float | None
    moves: Mapping[str, Point] = field(default_factory=dict, hash=False)
    answer: str | None = None
    verified: bool = False

    @property
    def direction(self) -> Point | None:
        """The unit vector of a single base's shift."""
        if not self.inches or self.model not in self.moves:
            return None
        x, y = self.moves[self.model]
        return (x / self.inches, y / self.inches)


def single(asker: Asker, model: str, gradient: Point | None, limit: float) -> Shift:
    """Find the smallest shift of one base: by bounds where they settle it, then by asking."""
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
        best = SETTLED / 4 * away(asker, np.array(gradient))  # it hangs by less than a hair: along the pull
    return Shift(model, None) if best is None else settled(asker, model, {model: best})


def settled(asker: Asker, model: str, moves: Mapping[str, Floats]) -> Shift:
    """State a shift, once asking again has confirmed it."""
    size = max(float(np.hypot(*v)) for v in moves.values())

    def scaled(by: float) -> dict[str, Floats]:
        return {name: v * ((size + by) / size) if size > 0 else v for name, v in moves.items()}

    beyond = asker.at(scaled(SETTLED))
    inside = asker.at(scaled(-SETTLED)) if size > SETTLED else asker.verdict
    good = beyond is not None and asker.turned(beyond) and inside is not None and not asker.turned(inside)
    told = {name: (float(v[0]), float(v[1])) for name, v in moves.items()}
    return Shift(model, size, told, None if beyond is None else beyond.answer, good)


def _along_the_pull(asker: Asker, model: str, limit: float, start: Floats | None = None) -> Floats | None:
    """Walk to the nearest place where cost and allowance meet, then settle it along that direction."""
    move = np.zeros(2) if start is None else start
    direction: Floats | None = None
    for _ in range(STEPS):
        slope = asker.slope({model: move}, model)
        if slope is None:
            break
        margin, grad = slope
        after = grad * (float(grad @ move) - margin) / float(grad @ grad)  # what pulls not has no slope
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
    """Find by bisection where the answer turns along given directions, near a guess if it can be; else None."""
    low, high = 0.0, None
    for share in (guess + SETTLED / 2, 1.01 * guess + 2 * SETTLED, 1.1 * guess, 1.5 * guess, 2 * guess, limit):
        if share > limit * (1 + ROUNDING):  # the limit itself, the last, is tried all the same
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
    """Ask in a fan of directions, further and further out than is sure; bisect and turn to the best.

    Where a shift is known a wider fan will do, and a narrow one about it: beside it another way may turn sooner.
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
    """Bisect along the directions that turn the answer, and follow the pull there, or turn until nothing is gained.

    How far is found the more closely the finer the turns, as the square of them: more would be lost by turning.
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
    """Return where the answer turns along a direction, when it does at ``high``: from there down, then halving."""
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
    """Return the direction in which a base works against the answer: dearer for a yes, cheaper for a no."""
    size = float(np.hypot(*gradient))
    sign = 1.0 if asker.dearer_turns else -1.0
    return sign * np.asarray(gradient) / size if size > 0 else np.zeros(2)
