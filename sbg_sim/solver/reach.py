"""Finds the reach of any model, standing or hanging on a face: the entry to areas, costs and routes."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cached_property
from numbers import Real
from typing import TYPE_CHECKING, Self

import numpy as np
import shapely

from sbg_sim.errors import QuestionError
from sbg_sim.geometry.areas import merged, union
from sbg_sim.solver.judge import may_move
from sbg_sim.solver.path.options import SIX, beyond_the_move, chance_of, late_ways
from sbg_sim.solver.path.routes import beginnings
from sbg_sim.solver.reach_areas import Reach
from sbg_sim.solver.reach_costs import LEAST
from sbg_sim.solver.space.surroundings import make_surroundings
from sbg_sim.table.board import allowance, standing_up
from sbg_sim.table.joining import joined
from sbg_sim.table.route import Route
from sbg_sim.tolerance import FITS, SAGITTA, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sbg_sim.arrays import Floats
    from sbg_sim.geometry.areas import Regions
    from sbg_sim.geometry.regions import Window
    from sbg_sim.solver.space.surroundings import Surroundings
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model


@dataclass(frozen=True, repr=False)
class HangingReach(Reach):
    """The reach of a model that hangs on a face: all that its ways to begin lead to (CLB.4).

    Parameters
    ----------
    begun
        Each way to begin, with the reach from where it ends; at least one.

    """

    begun: tuple[tuple[Route, Reach], ...] = ()

    @property
    def may_move(self) -> bool:
        """Whether the mover may move at all, if only by dice."""
        return True

    def near(self, window: Window | None, *, less: float = 0.0) -> Self:
        """Return the reach with less Move, complete only within a window."""
        begun = tuple((route, there.near(window, less=less)) for route, there in self.begun)
        return replace(super().near(window, less=less), begun=begun)

    @cached_property
    def afoot(self) -> shapely.Geometry:
        """Where the centre can certainly end on the mover's surface, after its beginning, without leaving it again."""
        return union([there.afoot for _, there in self._surely if there.surface == self.surface])

    @property
    def area_error(self) -> float:
        """Bound on the error of the certain area, square inches."""
        return max(there.certain.error(float(self.area.length)) for _, there in self.begun)

    def certainly_on(self, surface: str | None) -> shapely.Geometry:
        """Return where the centre can certainly end on one surface."""
        return self.area if surface == self.surface else union(self._led_to(surface))

    @property
    def _surely(self) -> list[tuple[Route, Reach]]:
        """The ways to begin without a die."""
        return [(route, there) for route, there in self.begun if not route.tests]

    def _led_to(self, surface: str | None, stray: float = SAGITTA, *, fine: bool = True) -> list[shapely.Geometry]:
        here = [there.area if fine else there.sketch(stray) for _, there in self._surely if there.surface == surface]
        return [*here, *(there.certainly_on(surface) for _, there in self._surely if there.surface != surface)]

    def _drawn(self, stray: float, *, fine: bool) -> shapely.Geometry:
        return union([shapely.Point(self.mover.at), *self._led_to(self.surface, stray, fine=fine)])

    def _by_chance(self, surface: str | None) -> Regions:
        certain = ((Fraction(1), self.area),) if surface == self.surface else ()
        return merged(certain, *self._lifted(surface))

    def _lifted(self, surface: str | None) -> Iterator[Regions]:
        """Yield for each way to begin the areas on a surface by chance."""
        for begun, there in self.begun:
            tests = len(begun.tests)
            rows = [(SIX**tests * chance, region) for chance, region in there.on(surface)]
            if tests and there.surface == surface:
                rows.insert(0, (chance_of(tests, landing=True), shapely.Point(there.mover.at)))
            yield tuple((chance, region) for chance, region in rows if chance >= self.least)

    def _costs(self, surface: str | None, xy: Floats) -> Floats:
        costs = [route.cost + there.distance_on(surface, xy) for route, there in self._surely]
        return np.asarray(np.min([np.full(len(xy), np.inf), *costs], axis=0))


def reach(table: Table, model: str, *, without: frozenset[str] = frozenset(), least: Fraction | float = LEAST) -> Reach:
    """Return the reach of a model: where it can end its move without charging.

    Parameters
    ----------
    table
        The table.
    model
        Id of the mover.
    without
        Enemies whose Control Zones are left out.
    least
        The smallest chance to be mapped.

    Raises
    ------
    UnknownNameError
        If there is no such model.
    QuestionError
        If its Move, or a height that matters, is missing, it is not on the table yet, or ``least`` is no chance.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> found = reach(table, "merry")
    >>> float(found.distance((12, 15))), found.path((12, 15)).cost
    (3.0, 3.0)

    """
    table = joined(table)
    mover = table.present(model)
    limit = allowance(mover)
    offset = standing_up(mover)
    blocked = tuple(v.reason for v in may_move(mover))
    if isinstance(least, bool) or not isinstance(least, Real) or not 0 < least <= 1:  # never true of NaN
        raise QuestionError(f"least = {least} is no chance: it must be above 0 and at most 1")
    chance = Fraction(least).limit_denominator(10**9)
    # A model on a face may go on from up to two bases beside its place, since shifts across rims are free.
    aside = 2 * mover.base if mover.climbed > TOUCH else 0.0
    surroundings = _surroundings(table, replace(mover, prone=False), limit - offset + aside, without)
    found = Reach(table, model, limit, mover.on, offset, blocked, surroundings, without, chance)
    return _from_a_face(found) if mover.climbed > TOUCH and not mover.prone and not blocked else found


def _from_a_face(found: Reach) -> Reach:
    """Return the reach of a mover that hangs on a face, with the reason if nothing in it is certain."""
    table, mover, begun = found.table, found.mover, list[tuple[Route, Reach]]()
    for route, there, _ in beginnings(table, mover, found.surroundings):
        left = found.allowance - route.cost
        if left < -FITS:
            continue
        surroundings = _surroundings(table, there, max(left, 0.0), found.without, began=mover)
        least = min(found.least * 6 ** len(route.tests), Fraction(1))
        onward = replace(found, table=table.with_model(there), allowance=left, surface=there.on, least=least)
        begun.append((route, replace(onward, surroundings=surroundings)))
    if all(route.tests for route, _ in begun):
        why = "nowhere is certain before a Climb test" if begun else "it cannot climb down"
        found = replace(found, blocked=(f"{mover.id} hangs {mover.climbed:g} in up a face: {why}",))
    known = {name.name: getattr(found, name.name) for name in fields(found)}
    return HangingReach(**known, begun=tuple(begun)) if begun else found


def _surroundings(
    table: Table, mover: Model, left: float, without: frozenset[str], began: Model | None = None
) -> Surroundings:
    """Return the surroundings within ``left`` inches, and farther if a last way over may cost more than is left."""
    loose, late = beyond_the_move(table, mover, left), late_ways(table, mover.move or 0.0)
    if loose:
        wider = make_surroundings(table, mover, reach=left + loose, without=without, began=began)
        if any(way.way.kind in late for way in wider.transitions):
            return wider
    return make_surroundings(table, mover, reach=left, without=without, began=began)
