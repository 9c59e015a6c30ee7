"""What flips an answer: the smallest shift of each base, of the mover, and of all at once that turns it.

The first guess comes from the pull of the taut string (`pulls`), is walked to the place where cost and allowance
meet by steps of Newton's method in the plane, and is then settled by asking again: just inside it the answer stands,
just beyond it turns. Where nothing pulls (a look, a way that is shut, a bystander) a fan of directions is asked.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sbg_sim.contested.asking import Asker
from sbg_sim.contested.pulls import Bend, pulls
from sbg_sim.errors import QuestionError
from sbg_sim.pictured import Pictured
from sbg_sim.report import number
from sbg_sim.table.board import sound
from sbg_sim.table.questions import Measure, ReachOf
from sbg_sim.units import MM_PER_INCH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table
    from sbg_sim.table.questions import Question

    Vector = NDArray[np.float64]

SETTLED: Final = 1e-6
"""How far from the turning point it is asked again, inches: half a micro-inch of TOUCH decides nothing there."""

_STEPS: Final = 12  # of Newton's method; it takes three or four
_ROUNDS: Final = 4  # of looking for a smaller shift elsewhere
_FAN: Final = 16  # directions asked where nothing pulls
_FINE: Final = 1e-5  # radians: turned by less, a shift of an inch may shrink by as little
_RINGS: Final = (0.02, 0.1, 0.35, 1.0)  # how far out, as shares of the limit
_LEAST: Final = 0.25  # inches: no smaller range is looked through
_MOST: Final = 3.0  # inches: a base that is off by more is not measured wrongly, it stands elsewhere


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


@dataclass(frozen=True)
class Flips(Pictured):
    """What would have to be off for the answer to be otherwise.

    Parameters
    ----------
    verdict
        The answer as the table stands.
    limit
        How far shifts were looked for, inches.
    shifts
        One per base, the smallest first; those that turn nothing last.
    together
        All bases at once, each as far in its own worst direction; None when that turns nothing within the limit.
    gradient
        What an inch of shift along x and y adds to the cost, by model, inches per inch.
    bends
        Where the way is held: what decides.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> found = sbg.flips(table, sbg.Charge("lurtz", "merry"))
    >>> round(found.smallest.inches, 3)
    1.0

    """

    verdict: Verdict
    limit: float
    shifts: tuple[Shift, ...]
    together: Shift | None
    gradient: Mapping[str, Point] = field(hash=False)
    bends: tuple[Bend, ...]

    @property
    def smallest(self) -> Shift | None:
        """The base whose shift turns the answer soonest.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/control-zones.toml")
        >>> found = sbg.flips(table, "a-hair-inside")
        >>> round(found.smallest.inches, 4)
        0.0043

        """
        return self.shifts[0] if self.shifts and self.shifts[0].inches is not None else None

    def as_json(self) -> dict[str, Any]:
        """Return what the command line prints, ready for :func:`json.dumps`.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/control-zones.toml")
        >>> found = sbg.flips(table, "a-hair-inside")
        >>> found.as_json()["answer"]
        'no'

        """
        mover = getattr(self.verdict.question, "model", "")
        return {
            "question": self.verdict.name,
            "answer": self.verdict.answer,
            "needed": number(self.verdict.needed),
            "allowance": number(self.verdict.allowance),
            "margin": number(self.verdict.margin),
            "limit": number(self.limit),
            "mover": mover,
            "shifts": [self._shift(shift) for shift in self.shifts],
            "together": None if self.together is None else self._shift(self.together),
            "decides": [
                {
                    "around": bend.around,
                    "what": bend.what,
                    "at": [number(v) for v in bend.at],
                    "angle": number(bend.angle),
                    "pull": number(bend.pull),
                }
                for bend in self.bends
            ],
        }

    def _shift(self, shift: Shift) -> dict[str, Any]:
        found: dict[str, Any] = {
            "model": shift.model or None,
            "inches": number(shift.inches),
            "millimetres": None if shift.inches is None else number(shift.inches * MM_PER_INCH),
            "direction": None if shift.direction is None else [number(v) for v in shift.direction],
            "answer": shift.answer,
            "verified": shift.verified,
        }
        if shift.model:
            gradient = self.gradient.get(shift.model, (0.0, 0.0))
            return {**found, "gradient": [number(v) for v in gradient]}
        return {**found, "moves": {name: [number(v) for v in move] for name, move in shift.moves.items()}}

    def __repr__(self) -> str:
        first = self.smallest
        said = f"nothing within {self.limit:g} in" if first is None else f"{first.model} by {first.inches:.4g} in"
        return f"<Flips: {self.verdict.answer}; {said}>"


def flips(table: Table, question: Question | str, *, limit: float | None = None) -> Flips:
    """Find what would have to be off for an answer to be otherwise.

    Parameters
    ----------
    table
        The table.
    question
        A question, or the id of one of the table's.
    limit
        How far to look, inches; a little further than what is missing or left over when not given, and no more than 3.

    Raises
    ------
    UnknownNameError
        For a name the table does not have.
    QuestionError
        For a question without a yes or no: a distance or a reach.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> [shift.model for shift in flips(table, sbg.Charge("lurtz", "merry")).shifts]
    ['lurtz', 'merry']

    """
    name = question if isinstance(question, str) else ""
    asked = sound(table).asked(question).question
    if isinstance(asked, Measure | ReachOf):
        raise QuestionError(f"a question of kind {asked.ask!r} has no answer that could turn")
    if limit is not None and not 0 < limit < math.inf:
        raise QuestionError(f"a limit of {limit!r} inches is none; it must be above 0")
    asker = Asker.of(table, asked, name)
    verdict = asker.verdict
    found = pulls(verdict) if verdict.margin is not None else None
    gradient = dict(found.gradient) if found is not None else {}
    if verdict.inches is not None:
        gradient = asker.gap_gradient()
    looked = 1.0 if verdict.margin is None else max(_LEAST, 1.25 * abs(verdict.margin) + 0.05)
    far = limit if limit is not None else min(_MOST, looked)
    shifts = [_single(asker, model, gradient.get(model), far) for model in asker.movable(far)]
    still = [Shift(m.id, None) for m in asker.standing if m.id not in {s.model for s in shifts}]
    shifts = sorted([*shifts, *still], key=lambda s: (math.inf if s.inches is None else s.inches, s.model))
    together = _together(asker, gradient, shifts, far)
    return Flips(verdict, far, tuple(shifts), together, gradient, () if found is None else found.bends)


# -- one base ----------------------------------------------------------------------------------------------------


def _single(asker: Asker, model: str, gradient: Point | None, limit: float) -> Shift:
    """Find the smallest shift of one base: by bounds where they settle it, then by asking."""
    sure = next((share * limit for share in reversed(_RINGS) if asker.surely({model: share * limit})), 0.0)
    if sure == limit:
        return Shift(model, None)
    best = _along_the_pull(asker, model, limit) if gradient is not None else None
    for _ in range(_ROUNDS):
        reach = limit if best is None else float(np.hypot(*best)) - 2 * SETTLED
        if best is not None and asker.surely({model: reach}):
            break
        nearer = _by_fan(asker, model, sure, reach, full=best is None)
        if nearer is None:
            break
        best = nearer
    return Shift(model, None) if best is None else _settled(asker, model, {model: best})


def _settled(asker: Asker, model: str, moves: Mapping[str, Vector]) -> Shift:
    """State a shift, once asking again has confirmed it."""
    size = max(float(np.hypot(*v)) for v in moves.values())

    def scaled(by: float) -> dict[str, Vector]:
        return {name: v * ((size + by) / size) if size > 0 else v for name, v in moves.items()}

    beyond = asker.at(scaled(SETTLED))
    inside = asker.at(scaled(-SETTLED)) if size > SETTLED else asker.verdict
    good = beyond is not None and asker.turned(beyond) and inside is not None and not asker.turned(inside)
    told = {name: (float(v[0]), float(v[1])) for name, v in moves.items()}
    return Shift(model, size, told, None if beyond is None else beyond.answer, good)


def _along_the_pull(asker: Asker, model: str, limit: float, start: Vector | None = None) -> Vector | None:
    """Walk to the nearest place where cost and allowance meet, then settle it along that direction."""
    move = np.zeros(2) if start is None else start
    direction: Vector | None = None
    for _ in range(_STEPS):
        slope = asker.slope({model: move}, model)
        if slope is None:
            break
        margin, grad = slope
        steep = float(grad @ grad)
        if steep < 1e-12:
            break
        after = grad * (float(grad @ move) - margin) / steep
        if np.hypot(*after) > 4 * limit:
            break
        direction = after
        if np.hypot(*(after - move)) < SETTLED / 10:
            break
        move = after
    if direction is None or np.hypot(*direction) == 0:
        return None
    return _on_ray(asker, {model: direction / np.hypot(*direction)}, float(np.hypot(*direction)), limit)[model]


def _on_ray(asker: Asker, rays: Mapping[str, Vector], guess: float, limit: float) -> dict[str, Vector | None]:
    """Find by bisection where the answer turns along given directions, near a guess if it can be; else None."""
    low, high = 0.0, None
    for share in (guess + SETTLED / 2, 1.01 * guess + 2 * SETTLED, 1.1 * guess, 1.5 * guess, 2 * guess, limit):
        if share > limit * (1 + 1e-9):
            break
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


def _by_fan(asker: Asker, model: str, sure: float, limit: float, *, full: bool) -> Vector | None:
    """Ask in a fan of directions, further and further out than is sure; bisect and turn to the best."""
    if limit <= 2 * SETTLED:
        return None
    start = asker.toward(model)
    several = _FAN if full else _FAN // 2
    angles = [start + 2 * math.pi * i / several for i in range(several)]
    for ring in _RINGS if full else (1.0,):
        radius = ring * limit
        hits = [a for a in angles if asker.turns({model: radius * _unit(a)})] if radius > sure else []
        if hits:
            return _refined(asker, model, hits, sure, radius)
    return None


def _refined(asker: Asker, model: str, hits: list[float], low: float, high: float) -> Vector:
    """Bisect along the directions that turn the answer, and follow the pull there, or turn until nothing is gained.

    How far is found the more closely the finer the turns, as the square of them: more would be lost by turning.
    """
    best, angle, step = high, hits[0], math.pi / _FAN
    while step > _FINE:
        close = max(SETTLED / 4, best * step * step / 8)
        for a in hits:
            if asker.turns({model: (best - 2 * close) * _unit(a)}):
                best, angle = _bisected(asker, model, a, low, best - 2 * close, close), a
        if step == math.pi / _FAN:
            pulled = _along_the_pull(asker, model, best, best * _unit(angle))
            if pulled is not None:
                return pulled
        if angle not in hits[1:]:
            step /= 2
        hits = [angle, angle - step, angle + step]
    return _bisected(asker, model, angle, low, best, SETTLED / 4) * _unit(angle)


def _bisected(asker: Asker, model: str, angle: float, low: float, high: float, close: float) -> float:
    """Return where the answer turns along a direction, when it does at ``high``: from there down, then halving."""
    step = 2 * close
    while high - step > low and asker.turns({model: (high - step) * _unit(angle)}):
        high, step = high - step, 4 * step
    low = max(low, high - step)
    while high - low > close:
        middle = (low + high) / 2
        if asker.turns({model: middle * _unit(angle)}):
            high = middle
        else:
            low = middle
    return high


def _unit(angle: float) -> Vector:
    return np.array([math.cos(angle), math.sin(angle)])


# -- all at once -------------------------------------------------------------------------------------------------


def _together(asker: Asker, gradient: Mapping[str, Point], shifts: list[Shift], limit: float) -> Shift | None:
    """Find how far all bases have to be off at once, each in the direction in which it matters most."""
    rays = {name: _away(asker, np.array(g)) for name, g in gradient.items() if name in asker.table.models}
    if not rays:
        rays = {s.model: np.array(s.direction) for s in shifts if s.direction is not None}
    if not rays:
        return None
    steep = sum(float(np.hypot(*g)) for g in gradient.values())
    margin = abs(asker.verdict.margin or 0.0)
    smallest = next((s.inches for s in shifts if s.inches is not None), limit)
    guess = margin / steep if steep > 0 else smallest / len(rays)
    for _ in range(_STEPS):  # the directions turn a little as the bases go
        slopes = asker.slopes({n: guess * v for n, v in rays.items()}) if gradient else None
        if slopes is None or not slopes[1]:
            break
        left, grads = slopes
        kept = {n: _away(asker, g) for n, g in grads.items() if n in rays and np.hypot(*g) > 1e-9}
        total = sum(float(np.hypot(*g)) for g in grads.values())
        if not kept or total <= 0:
            break
        rays = {**rays, **kept}
        after = guess + abs(left) / total * (1 if (left >= 0) == ((asker.verdict.margin or 0.0) >= 0) else -1)
        done = abs(after - guess) < SETTLED / 10
        guess = max(after, 0.0)
        if done:
            break
    found = _on_ray(asker, rays, max(guess, SETTLED), limit)
    moves = {name: v for name, v in found.items() if v is not None}
    return _settled(asker, "", moves) if moves else None


def _away(asker: Asker, gradient: Vector) -> Vector:
    """Return the direction in which a base works against the answer: dearer for a yes, cheaper for a no."""
    size = float(np.hypot(*gradient))
    sign = 1.0 if asker.dearer_turns else -1.0
    return sign * np.asarray(gradient) / size if size > 0 else np.zeros(2)
