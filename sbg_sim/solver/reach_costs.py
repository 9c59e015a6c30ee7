"""The costs of a reach: its cost fields, and costs, chances and routes of single places."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sbg_sim.arrays import lengths
from sbg_sim.errors import QuestionError
from sbg_sim.geometry.grown import discs
from sbg_sim.rules.contact import touchable
from sbg_sim.solver.field.cost_fields import CostFields
from sbg_sim.solver.judge import CRAWL, judge_move
from sbg_sim.solver.space.surroundings import make_surroundings
from sbg_sim.table.nearby import without_difficult
from sbg_sim.table.questions import Move, place
from sbg_sim.table.route import Route
from sbg_sim.tolerance import FITS

if TYPE_CHECKING:
    from sbg_sim.arrays import Floats
    from sbg_sim.geometry.regions import Window
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.field.cost_fields import Apart
    from sbg_sim.solver.space.surroundings import Surroundings
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model

LEAST: Final = Fraction(1, 36)
"""The smallest chance that is mapped by default."""


@dataclass(frozen=True)
class ReachCosts:
    """The costs of a reach; its parameters are those of `Reach`."""

    table: Table
    model: str
    allowance: float
    surface: str | None
    offset: float
    blocked: tuple[str, ...]
    surroundings: Surroundings = field(compare=False)
    without: frozenset[str] = frozenset()
    least: Fraction = LEAST
    window: Window | None = None
    wider: ReachCosts | None = field(default=None, compare=False)
    apart: Apart | None = field(default=None, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the graphs: they hold functions, which cannot be pickled, and are made again when needed."""
        return {name: value for name, value in vars(self).items() if not isinstance(value, CostFields)}

    @property
    def mover(self) -> Model:
        """The mover.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> reach.mover.id
        'pippin'

        """
        return self.table.model(self.model)

    @property
    def limit(self) -> float:
        """Movement left for walking, inches.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> reach.limit
        4.0

        """
        return 0.0 if self.blocked else self.allowance - self.offset

    @cached_property
    def fields(self) -> CostFields:
        """The cost fields from which costs and areas are read.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> list(reach.fields.layers)
        [0, 1]

        """
        if self.wider is not None:
            return self.wider.fields.within(self.limit, self.window)
        certain = self.certain if any(way.way.tests for way in self.surroundings.transitions) else None
        return self._fields_in(self.surroundings, self.least, certain)

    @cached_property
    def certain(self) -> CostFields:
        """The cost fields of moves without dice: a way that needs a test leads to no certain place.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> list(reach.certain.layers)
        [0]

        """
        if self.wider is not None:
            return self.wider.certain.within(self.limit, self.window)
        ways = tuple(way for way in self.surroundings.transitions if not way.way.tests)
        if len(ways) == len(self.surroundings.transitions):
            return self.fields
        return self._fields_in(replace(self.surroundings, transitions=ways), Fraction(1))

    def _fields_in(self, surroundings: Surroundings, least: Fraction, certain: CostFields | None = None) -> CostFields:
        most, how = self.allowance - self.offset, (self.limit, least, self.window)
        return CostFields(self.table, self.mover, surroundings, most, *how, apart=self.apart, certain=certain)

    @cached_property
    def _crawling(self) -> CostFields:
        """The cost fields of a prone mover that crawls; difficult ground costs it no more (PRN.2)."""
        plain, standing = without_difficult(self.table), replace(self.mover, prone=False)
        surroundings = make_surroundings(plain, standing, reach=CRAWL, dice=False)
        return CostFields(plain, self.mover, surroundings, CRAWL, CRAWL, LEAST)

    # -- places ---------------------------------------------------------------------------------------------

    def distance(self, xy: Floats) -> Floats:
        """Return the costs of ending at places without a die.

        Parameters
        ----------
        xy
            Places of the centre ``(..., 2)``, inches.

        Returns
        -------
        ``(...)`` inches; infinite where it cannot certainly end within the allowance.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> reach.distance([[6, 13], [7, 12]]).tolist()
        [1.0, 1.0]

        """
        return self.distance_on(self.surface, xy)

    def distance_on(self, surface: str | None, xy: Floats) -> Floats:
        """Return the costs of ending at places on one surface without a die.

        Parameters
        ----------
        surface
            The id of its piece, None for the ground.
        xy
            Places of the centre ``(..., 2)``, inches.

        Returns
        -------
        ``(...)`` inches; infinite where it cannot certainly end within the allowance.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> reach.distance_on(None, [[6, 13], [7, 12]]).tolist()
        [1.0, 1.0]

        """
        p = _numbers(xy)
        if p.shape[-1:] != (2,):
            raise QuestionError(f"places are [x, y], or rows of them, inches, not an array of shape {p.shape}")
        if np.isnan(p).any():
            raise QuestionError("places are [x, y], or rows of them, inches; one of these is not a number (nan)")
        flat, index, here = p.reshape(-1, 2), self.surroundings.index(surface), surface == self.surface
        if index is None and not here:
            return np.full(p.shape[:-1], np.inf)
        space = self.surroundings.spaces[int(index or 0)]
        at_home = (np.hypot(*(flat - np.array(self.mover.at)).T) <= FITS) & here
        ends = space.may_end(flat)
        enemies = touchable(self.table, self.mover, space.surface, self.table.standing())
        near = discs([(*other.at, apart) for other, apart in enemies])
        i, j = near.meeting(flat, flat)
        ends[i[lengths(*(flat[i] - near.spines[j, :2]).T) <= near.rho[j]]] = False
        out = np.where(at_home, 0.0, np.where(ends, self._costs(surface, flat), np.inf))
        return np.asarray(out.reshape(p.shape[:-1]))

    def _costs(self, surface: str | None, xy: Floats) -> Floats:
        """Return the costs ``(n,)`` of reaching places ``(n, 2)`` on a surface, whether or not a move may end there."""
        if self.blocked:
            return np.full(len(xy), np.inf)
        out = self.certain.at(0, surface).distance(self._off_overlaps(surface, xy)) + self.offset
        if self.mover.prone and surface == self.surface:
            out = np.minimum(out, self._crawling.at(0, surface).distance(xy))
        return out

    def _off_overlaps(self, surface: str | None, xy: Floats) -> Floats:
        index = self.surroundings.index(surface)
        return xy if index is None else self.surroundings.spaces[index].off_overlaps(xy)

    def chance(self, xy: Point) -> Fraction:
        """Return the best probability of ending at a place ``(x, y)``, inches.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> reach.chance((10, 12))
        Fraction(1, 6)

        """
        return judge_move(self.table, Move(self.model, place(xy, "xy"), self.surface)).chance

    def path(self, xy: Point) -> Route | None:
        """Return the best certain route to a place ``(x, y)``, inches; None when there is none within the allowance.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> round(reach.path((7, 12)).cost, 3), reach.path((10, 12))
        (1.0, None)

        """
        xy = place(xy, "xy")
        if not np.isfinite(self.distance(np.array(xy))):
            return None
        if math.dist(xy, self.mover.at) <= FITS:
            return Route()
        moved = (self._off_overlaps(self.surface, np.array([xy])) != xy).any()
        if self.mover.prone or self.mover.climbed or moved:
            best = judge_move(self.table, Move(self.model, xy, self.surface)).best
            return None if best is None else best.route
        return self.certain.at(0, self.surface).route(xy)


def _numbers(xy: Any) -> Floats:
    """Return places as an array of floats; raise QuestionError if they are no numbers."""
    try:
        return np.asarray(xy, dtype=float)
    except (TypeError, ValueError):
        raise QuestionError(f"places are [x, y], or rows of them, inches, not {xy!r:.60}") from None
