"""Finds the smallest shifts that flip an answer: of each base, and of all bases at once."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sbg_sim.arrays import unit
from sbg_sim.contested.asking import Asker
from sbg_sim.contested.pulls import Bend, pulls
from sbg_sim.contested.shifts import SETTLED, STEPS, Shift, away, on_ray, settled, single
from sbg_sim.errors import QuestionError
from sbg_sim.pictured import Pictured
from sbg_sim.report import number
from sbg_sim.table.board import sound
from sbg_sim.table.questions import Measure, ReachOf
from sbg_sim.units import MM_PER_INCH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sbg_sim.arrays import Floats
    from sbg_sim.dice.executors import Progress
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table
    from sbg_sim.table.questions import Question


_LEAST: Final = 0.25  # inches: the least range that is searched
_MOST: Final = 3.0  # inches: a base that is off by more is no error of measurement, it stands elsewhere


@dataclass(frozen=True)
class Flips(Pictured):
    """The shifts that would change an answer.

    Parameters
    ----------
    verdict
        The answer as the table stands.
    limit
        The greatest shift that was tried, inches.
    shifts
        One per base, the smallest first; those that change nothing last.
    together
        All bases at once, each as far in its own worst direction; None if that changes nothing within the limit.
    gradient
        The derivatives of the cost by shifts along x and y, by model, inches per inch.
    bends
        The bends of the way, at which it is held.

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
        """The smallest shift of one base that changes the answer.

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


def flips(
    table: Table, question: Question | str, *, limit: float | None = None, progress: Progress | None = None
) -> Flips:
    """Find the shifts that would change an answer.

    Parameters
    ----------
    table
        The table.
    question
        A question, or the id of one of the table's.
    limit
        The greatest shift to try, inches; by default a little more than the margin, and at most 3.
    progress
        Called with the number of bases that have been shifted, at last of all at once, and of all; ``print`` will do.

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
    given: Any = limit
    number = isinstance(given, Real) and not isinstance(given, bool)
    if limit is not None and (not number or not 0 < limit < math.inf):
        raise QuestionError(f"a limit of {given!r:.60} inches is none; it must be above 0")
    asker = Asker.of(table, asked, name)
    verdict = asker.verdict
    found = pulls(verdict) if verdict.margin is not None else None
    gradient = dict(found.gradient) if found is not None else {}
    if verdict.inches is not None:
        gradient = asker.gap_gradient()
    looked = 1.0 if verdict.margin is None else max(_LEAST, 1.25 * abs(verdict.margin) + 0.05)
    across = math.hypot(table.width, table.depth)  # a model off by more is off the table
    far = min(limit, across) if limit is not None else min(_MOST, looked)
    movable = list(asker.movable(far))
    shifts = []
    for model in movable:
        shifts.append(single(asker, model, gradient.get(model), far))
        if progress is not None:
            progress(len(shifts), len(movable) + 1)
    still = [Shift(m.id, None) for m in asker.standing if m.id not in {s.model for s in shifts}]
    shifts = sorted([*shifts, *still], key=lambda s: (math.inf if s.inches is None else round(s.inches, 5), s.model))
    together = _together(asker, gradient, shifts, far)
    if progress is not None:
        progress(len(movable) + 1, len(movable) + 1)
    return Flips(verdict, far, tuple(shifts), together, gradient, () if found is None else found.bends)


def _together(asker: Asker, gradient: Mapping[str, Point], shifts: list[Shift], limit: float) -> Shift | None:
    """Find the least distance by which all bases must be off at once, each in its worst direction."""
    pulled = {name: away(asker, np.array(g)) for name, g in gradient.items() if name in asker.table.models}
    alone = {s.model: np.array(s.direction) for s in shifts if s.direction is not None}
    coming = {name: unit(asker.toward(name)) for name in asker.coming(limit)} if pulled else {}
    first = shifts[0] if shifts and shifts[0].inches is not None else None
    found, far = None, limit if first is None else first.inches or 0.0  # one base alone: the others are not shifted
    for rays in (
        pulled,
        {**pulled, **coming, **alone, **pulled},
    ):  # bystanders do not pull yet, but may change the answer sooner
        if rays and far > 0 and (rays is pulled or rays.keys() != pulled.keys()):
            found = _all_along(asker, gradient, rays, shifts, far) or found
            far = far if found is None else (found.inches or 0.0) - 2 * SETTLED
    if found is None and first is not None:
        return replace(first, model="")  # if others cannot be shifted as well, as over an edge, one base alone decides
    return found


def _all_along(
    asker: Asker, gradient: Mapping[str, Point], rays: dict[str, Floats], shifts: list[Shift], limit: float
) -> Shift | None:
    """Find the least distance by which bases must be off at once, each along a direction that follows its pull."""
    steep = sum(float(np.hypot(*g)) for g in gradient.values())
    margin = abs(asker.verdict.margin or 0.0)
    smallest = next((s.inches for s in shifts if s.inches is not None), limit)
    guess = margin / steep if steep > 0 else smallest / len(rays)
    for _ in range(STEPS):  # the directions turn a little as the bases move
        slopes = asker.slopes({n: guess * v for n, v in rays.items()}) if gradient else None
        if slopes is None or not slopes[1]:
            break
        left, grads = slopes
        total = sum(float(np.hypot(*g)) for g in grads.values())  # above 0: bases without pull are not in it
        rays = {**rays, **{n: away(asker, g) for n, g in grads.items()}}
        after = guess + abs(left) / total * (1 if (left >= 0) == ((asker.verdict.margin or 0.0) >= 0) else -1)
        done = abs(after - guess) < SETTLED / 10
        guess = max(after, 0.0)
        if done:
            break
    found = on_ray(asker, rays, max(guess, SETTLED), limit)
    moves = {name: v for name, v in found.items() if v is not None}
    return settled(asker, "", moves) if moves else None
