"""Asks the same question of tables with shifted bases, if models can stand there."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from sbg_sim.arrays import point
from sbg_sim.contested.certain import surely
from sbg_sim.contested.pulls import pulls
from sbg_sim.errors import SbgError
from sbg_sim.rules.zones import ZONE_WIDTH
from sbg_sim.solver.answer import ask
from sbg_sim.table.placement import placement_faults
from sbg_sim.table.questions import Charge, Gap, Sight
from sbg_sim.tolerance import CHORD, TOUCH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sbg_sim.arrays import Floats
    from sbg_sim.geometry.shapes import Point, Shape
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.questions import Question


def shifted(table: Table, moves: Mapping[str, Any]) -> Table:
    """Return a table with bases shifted along x and y, inches; a model that hangs on a face keeps touching it."""
    models = table.models
    for name, (dx, dy) in moves.items():
        x, y = models[name].at
        at = (x + float(dx), y + float(dy))
        models = models.with_item(name, replace(models[name], at=_on_its_face(table, models[name], at)))
    return replace(table, models=models)


def _on_its_face(table: Table, model: Model, at: Point) -> Point:
    """Return the place nearest to ``at`` at which a hanging model still touches its face; else ``at`` (CLB.4)."""
    pieces = table.terrain.values() if model.climbed else ()
    for shape in [p.shape for p in pieces if p.shape is not None and (p.is_obstacle or "gap" in p.tags)]:
        if abs(abs(float(shape.edge_distance([model.at])[0])) - model.radius) <= TOUCH:
            kept, spot = math.dist(model.at, _nearest_on(shape, model.at)), _nearest_on(shape, at)
            apart = math.dist(at, spot)
            if apart > 0:
                return spot[0] + kept * (at[0] - spot[0]) / apart, spot[1] + kept * (at[1] - spot[1]) / apart
    return at


def _nearest_on(shape: Shape, at: Point) -> Point:
    """Return the place of a shape's spine, or of a polygon's outline, that is nearest to another place, inches."""
    p, rows = np.array(at), shape.capsules.reshape(-1, 2, 2)
    ends = [a + np.clip((p - a) @ (b - a) / (((b - a) @ (b - a)) or 1.0), 0, 1) * (b - a) for a, b in rows]
    return point(min(ends, key=lambda end: float(np.hypot(*(end - p)))))


def faults(table: Table) -> frozenset[tuple[Any, ...]]:
    """Return the faults of the models' places: over an edge, in each other, in something solid."""
    sound = {name: piece for name, piece in table.terrain.items() if piece.shape is not None}
    return frozenset((key, reason.rstrip("0123456789. in")[:40]) for key, reason in placement_faults(table, sound))


@dataclass(frozen=True)
class Asker:
    """One question, asked of one table and of others like it.

    Parameters
    ----------
    table
        The table.
    question
        The question.
    verdict
        The answer as the table stands.

    """

    table: Table
    question: Question
    verdict: Verdict

    @classmethod
    def of(cls, table: Table, question: Question, name: str = "") -> Asker:
        """Return the asker of a question, with its answer on the table as it is."""
        return cls(table, question, ask(table, question, name, alternatives=False))

    @cached_property
    def _faults(self) -> frozenset[tuple[Any, ...]]:
        return faults(self.table)

    @property
    def standing(self) -> tuple[Model, ...]:
        """The models that are on the table."""
        return self.table.standing()

    def at(self, moves: Mapping[str, Any], *, most: float | None = None) -> Verdict | None:
        """Return the answer with bases shifted; None if models cannot stand so, or if the question has no answer.

        Ways that cost more than ``most`` inches are not sought.
        """
        if most is None and not any(map(np.any, moves.values())):
            return self.verdict
        there = shifted(self.table if most is None else replace(self.table, horizon=most), moves)
        if faults(there) - self._faults:
            return None
        try:
            return ask(there, self.question, self.verdict.name, alternatives=False)
        except SbgError:
            return None

    def turned(self, verdict: Verdict) -> bool:
        """Say whether an answer differs from the first."""
        return verdict.answer != self.verdict.answer

    def turns(self, moves: Mapping[str, Any]) -> bool:
        """Say whether the answer differs with bases shifted."""
        if self._left_alone(moves):
            return False
        found = self.at(moves, most=self.verdict.allowance)
        return found is not None and self.turned(found)

    def surely(self, moves: Mapping[str, float]) -> bool:
        """Say whether the answer holds, by bounds, with each base off by at most its inches in ``moves``."""
        try:
            return surely(self.table, self.question, self.verdict, moves)
        except SbgError:
            return False

    def _left_alone(self, moves: Mapping[str, Any]) -> bool:
        """Say whether shifted bystanders stay clear of the way and the lines of sight, and barred no better answer."""
        if self.verdict.answer == "no" or (self._named | self._barring) & set(moves) or isinstance(self.question, Gap):
            return False
        there = shifted(self.table, moves)
        return all(self._room(there.model(name)) > CHORD for name in moves)

    @property
    def dearer_turns(self) -> bool:
        """Whether a higher cost works against the answer, as against a yes; a wider gap works against a no."""
        return self.verdict.answer != "no"

    def slopes(self, moves: Mapping[str, Any]) -> tuple[float, dict[str, Floats]] | None:
        """Return the margin with bases shifted, and the gradient of the cost by each base; None without a margin."""
        found = self.at(moves)
        if found is None or found.margin is None or (found.violations and found.violations[0].rule != "MOV.3"):
            return None
        if isinstance(self.question, Gap):
            gradient = Asker(found.table, self.question, found).gap_gradient()
        else:
            gradient = dict(pulls(found).gradient)
        return found.margin, {name: np.array(g) for name, g in gradient.items()}

    def slope(self, moves: Mapping[str, Any], model: str) -> tuple[float, Floats] | None:
        """Return the margin with bases shifted, and its gradient by one base; None if there is none."""
        found = self.slopes(moves)
        if found is None or model not in found[1]:
            return None
        return found[0], -found[1][model]

    def gap_gradient(self) -> dict[str, Point]:
        """Return the decrease of a gap per inch of shift along x and y, by model."""
        assert isinstance(self.question, Gap)
        found = {}
        for one, other in (self.question.between, self.question.between[::-1]):
            if one in self.table.models:
                toward = self._nearest(one, other)
                if toward is not None:
                    found[one] = toward
        return found

    def _nearest(self, model: str, other: str) -> Point | None:
        """Return the unit vector from a model to the nearest place of another model or piece of terrain."""
        at = np.array(self.table.model(model).at)
        if other in self.table.models:
            spot = np.array(self.table.model(other).at)
        else:
            piece = self.table.piece(other)
            spot = np.array(piece.at if piece.shape is None else _nearest_on(piece.shape, self.table.model(model).at))
        apart = float(np.hypot(*(spot - at)))
        return None if apart == 0 else ((spot[0] - at[0]) / apart, (spot[1] - at[1]) / apart)

    # -- which bases can matter -----------------------------------------------------------------------------------

    def movable(self, limit: float) -> list[str]:
        """Return the models whose shift by at most ``limit`` inches could change the answer at all.

        A bystander changes an answer only by coming in the way, or by leaving it if it alone bars a better answer.
        """
        near = self.coming(limit) | self._barring | self._named
        return [m.id for m in self.standing if m.id in near]

    def coming(self, limit: float) -> set[str]:
        """Return the bystanders that can come in the way by at most ``limit`` inches; none if the answer is no."""
        return set() if self.verdict.answer == "no" else {m.id for m in self._bystanders if self._room(m) <= limit}

    @cached_property
    def _bystanders(self) -> list[Model]:
        if isinstance(self.question, Gap):
            return []
        return [m for m in self.standing if m.id not in self._named]

    @cached_property
    def _named(self) -> set[str]:
        q = self.question
        if isinstance(q, Gap):
            return {n for n in q.between if n in self.table.models}
        targets = q.targets if isinstance(q, Charge) else (q.target,) if isinstance(q, Sight) else ()
        return {getattr(q, "model", ""), *targets}

    @cached_property
    def _barring(self) -> set[str]:
        """The bystanders any one of which bars a better answer alone."""
        return set() if self.verdict.answer == "yes" else set(self._barred([m.id for m in self._bystanders]))

    def _barred(self, names: list[str]) -> list[str]:
        """Return those of some bystanders that alone bar a better answer: by halving, for fewer bases close no way."""
        if not names:
            return []
        without = replace(self.table, off=self.table.off | set(names), horizon=self.verdict.allowance)
        try:
            if not self.turned(ask(without, self.question, alternatives=False)):
                return []
        except SbgError:
            pass
        half = len(names) // 2
        return names if half == 0 else [*self._barred(names[:half]), *self._barred(names[half:])]

    def _room(self, model: Model) -> float:
        """Return how far a bystander is from being in the way, or in a line of sight, inches."""
        mover = self.table.model(self.question.model)  # type: ignore[union-attr]
        reach = model.radius + (ZONE_WIDTH if model.is_enemy(mover) and model.has_zone else 0.0)
        path = self.verdict.path or []
        way = math.inf
        if self.verdict.route is not None and path:
            way = _apart(path, model.at) - reach - mover.radius
        looked = math.inf
        for name in self._named - {mover.id}:
            looked = min(looked, _apart([mover.at, self.table.model(name).at], model.at))
            looked -= model.radius + self.table.model(name).radius
        return min(way, looked) - TOUCH

    def toward(self, model: str) -> float:
        """Return the angle from a model to the way or the line of sight, radians: the first direction of a fan."""
        at = self.table.model(model).at
        path = self.verdict.path or self._lines()
        spots = [p for p in path if math.dist(p, at) > TOUCH]
        if not spots:
            return 0.0
        near = _nearest_of(path, at)
        if math.dist(near, at) <= TOUCH:  # it stands there, as the mover does: toward the next place
            near = min(spots, key=lambda p: math.dist(p, at))
        return math.atan2(near[1] - at[1], near[0] - at[0])

    def _lines(self) -> list[Point]:
        """Return the straight lines from the first model of the question to the others, as one path."""
        names = sorted(
            self._named & set(self.table.models), key=lambda n: (n != getattr(self.question, "model", ""), n)
        )
        first, *others = [self.table.model(n).at for n in names]
        return [p for other in others for p in (first, other)] or [first]


def _apart(path: list[Point], spot: Point) -> float:
    return math.dist(_nearest_of(path, spot), spot)


def _nearest_of(path: list[Point], spot: Point) -> Point:
    """Return the place of a path that is nearest to a spot."""
    import shapely

    line = shapely.LineString(path) if len(path) > 1 else shapely.Point(path[0])
    (x, y), _ = shapely.get_coordinates(shapely.shortest_line(line, shapely.Point(spot)))
    return (float(x), float(y))
