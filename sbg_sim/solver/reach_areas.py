"""The areas of a reach: where a model can end its move, by chance and by surface; and its contact arcs."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from numbers import Real
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import shapely

from sbg_sim.errors import QuestionError
from sbg_sim.geometry.areas import NOWHERE, union
from sbg_sim.pictured import Pictured
from sbg_sim.solver.reach_costs import ReachCosts
from sbg_sim.solver.verdict import Verdict
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.questions import ReachOf
from sbg_sim.tolerance import SAGITTA, TOUCH
from sbg_sim.units import area
from sbg_sim.wording import fraction

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sbg_sim.geometry.areas import Regions
    from sbg_sim.geometry.regions import Window


class Reach(ReachCosts, Pictured):
    """Where one model can end its move without charging: areas, costs, routes and contact arcs.

    Parameters
    ----------
    table, model
        The table and the mover's id.
    allowance
        Maximum Move, inches.
    surface
        The surface on which the mover starts, and of its areas.
    offset
        Movement that standing up and coming down a face cost, inches.
    blocked
        The reasons why it may not move at all; empty when it may.
    surroundings
        The spaces and ways within its range.
    without
        Enemies whose Control Zones are left out.
    least
        The smallest chance to be mapped.
    window
        Bounds of the places that matter, inches; areas are incomplete outside them. None for the whole table.
    wider
        The reach in a wider window that shares its graphs with this one.
    apart
        Gives the distance of nodes from the ways that matter; areas hold only the places to which those lead.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> found = sbg.reach(sbg.load("scenarios/movement-2.toml"), "frodo")
    >>> found.area.geom_type, found.path((found.mover.at)).cost
    ('Polygon', 0.0)
    >>> found == sbg.reach(found.table, "frodo")
    True

    """

    @property
    def may_move(self) -> bool:
        """Whether the mover may move at all.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin").may_move
        True

        """
        return not self.blocked

    # -- areas ----------------------------------------------------------------------------------------------

    def near(self, window: Window | None, *, less: float = 0.0) -> Self:
        """Return the reach with less Move, complete only within a window.

        It shares the graphs of this reach, unless a window is given and this reach has none.

        Parameters
        ----------
        window
            Bounds of the places that matter, inches; None for the present ones.
        less
            Inches taken off the Move.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> reach.near((5.5, 11.5, 6.5, 12.5)).area.area < reach.area.area
        True

        """
        wider = self if window is None or self.window is not None else None
        window = self.window if window is None else window
        return replace(self, allowance=self.allowance - less, window=window, wider=wider)

    @cached_property
    def area(self) -> shapely.Geometry:
        """Where the centre can certainly end on the mover's surface, square inches as a shapely geometry.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> round(reach.area.area, 1)
        22.3

        """
        return self._drawn(SAGITTA, fine=True)

    def sketch(self, stray: float) -> shapely.Geometry:
        """Return a coarser area, to draw while the table changes: chords may stray farther from arcs than in `area`.

        Parameters
        ----------
        stray
            How far, inches; over difficult ground, whose rims are sampled, about 0.03 more. Decisions rest on the costs
            of places, never on this.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> abs(reach.sketch(0.05).area - reach.area.area) < 1
        True

        """
        return self._drawn(stray, fine=False)

    def within(self, cost: float, surface: str | None) -> shapely.Geometry:
        """Return where the centre can certainly end on one level within a cost, from the graphs of the whole Move.

        Parameters
        ----------
        cost
            Inches, at most the allowance.
        surface
            The id of its piece, None for the ground; the area is empty on a level out of reach.

        Raises
        ------
        QuestionError
            If the cost is no part of the allowance.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> reach.within(2.0, None).area < reach.within(3.0, None).area < reach.area.area
        True

        """
        given: Any = cost
        if isinstance(given, bool) or not isinstance(given, Real) or not 0 <= float(given) <= self.allowance:
            raise QuestionError(f"cost = {cost!r} is no part of the Move: it must be from 0 to {self.allowance:g} in")
        return self.near(None, less=self.allowance - float(cost)).certainly_on(surface)

    def certainly_on(self, surface: str | None) -> shapely.Geometry:
        """Return where the centre can certainly end on one surface; an empty area if the surface is out of reach.

        Parameters
        ----------
        surface
            The id of its piece, None for the ground.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> reach.certainly_on(None) == reach.area
        True

        """
        if surface == self.surface:
            return self.area
        there = self.limit > 0 and self.surroundings.index(surface) is not None
        return self.certain.area(0, surface) if there else NOWHERE

    def _drawn(self, stray: float, *, fine: bool) -> shapely.Geometry:
        here = shapely.Point(self.mover.at)
        space = self.surroundings.spaces[int(self.surroundings.index(self.surface) or 0)]
        if self.blocked or not space.passable(np.array([self.mover.at])).all():
            return here  # a model at an illegal place goes nowhere
        region = self.certain.area(0, self.surface, fine=fine, stray=stray) if self.limit > TOUCH else here
        region = here if region.is_empty else region
        return union([region, self._crawling.area(0, self.surface, stray=stray)]) if self.mover.prone else region

    @cached_property
    def afoot(self) -> shapely.Geometry:
        """Where the centre can certainly end on the mover's surface without ever leaving it.

        A prone model stands up first: places that it could only crawl to do not count; crawling is no charge (PRN.2).

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> reach.afoot.equals(reach.area)
        True

        """
        every = self.surroundings.transitions
        ways = tuple(way for way in every if not way.way.tests and way.source == way.dest)
        if self.blocked or (not self.mover.prone and len(ways) == sum(not way.way.tests for way in every)):
            return self.area
        return self._fields_in(replace(self.surroundings, transitions=ways), Fraction(1)).area(0, self.surface)

    @cached_property
    def regions(self) -> Regions:
        """Areas by chance, nested: the best chance first; each contains the ones before it.

        The places where a die lands the model (5/6, 5/36, ...) are lines, the far rims of the obstacles crossed; they
        are part of the geometry and add nothing to its area.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> [str(chance) for chance, _ in reach.regions]
        ['1', '5/6', '1/6']

        """
        return self._by_chance(self.surface)

    def _by_chance(self, surface: str | None) -> Regions:
        area = self.certainly_on(surface)
        certain = () if area.is_empty else ((Fraction(1), area),)
        return certain if self.blocked else self.fields.regions(certain, surface)

    @cached_property
    def platforms(self) -> Mapping[str | None, Regions]:
        """Areas by chance on the other surfaces within reach, nested like the regions.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> dict(reach.platforms)
        {}

        """
        found: dict[str | None, Regions] = {}
        for space in self.surroundings.spaces:
            if space.surface != self.surface and (rows := self._by_chance(space.surface)):
                found[space.surface] = rows
        return found

    def on(self, surface: str | None) -> Regions:
        """Return areas by chance on one surface, nested like the regions; none if the surface is out of reach.

        Parameters
        ----------
        surface
            The id of its piece, None for the ground.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> reach.on(None) == reach.regions
        True

        """
        if surface == self.surface:
            return self.regions
        if self.window is None:
            return self.platforms.get(surface, ())
        return self._by_chance(surface) if self.surroundings.index(surface) is not None else ()

    @cached_property
    def swept(self) -> shapely.Geometry:
        """The area that the base can certainly cover, as a shapely geometry.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> reach.swept.contains(reach.area)
        True

        """
        return shapely.buffer(self.area, self.mover.radius, quad_segs=48)

    @property
    def area_error(self) -> float:
        """Bound on the error of the certain area, square inches: a share of its outline's length.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> reach.area_error < 0.01
        True

        """
        return self.certain.error(float(self.area.length))

    @property
    def areas(self) -> FrozenMap[str, float]:
        """Square inches by chance as ``"1/1"``, ``"5/6"``, ``"1/6"``, nested.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> list(reach.areas)
        ['1/1', '5/6', '1/6']

        """
        return FrozenMap({fraction(chance): float(part.area) for chance, part in self.regions})

    @cached_property
    def contacts(self) -> Mapping[str, tuple[tuple[float, float], ...]]:
        """By enemy, the arcs (radians, seen from its centre) where the mover can certainly end in contact.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/control-zones.toml")
        >>> sorted(sbg.reach(table, "uruk-2").contacts)
        ['boromir']

        """
        from sbg_sim.solver.charges import contacts

        return contacts(self.table, self.model)

    # -- views ----------------------------------------------------------------------------------------------

    def verdict(self, name: str = "") -> Verdict:
        """Return the reach as the answer to a question.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> reach.verdict().question
        ReachOf(model='pippin')

        """
        certain = float(self.area.area)
        told = area(certain, self.area_error)
        why = f"can certainly end on {told} square inches"
        if self.blocked:
            why = f"goes nowhere for certain: {self.blocked[0]}"
        return Verdict(
            self.table,
            ReachOf(self.model),
            name,
            allowance=self.allowance,
            chance=Fraction(1),
            rules=("MOV.3",),
            reason=f"{self.model} {why}",
            area=certain,
            areas=self.areas,
        )

    def __repr__(self) -> str:
        told = area(float(self.area.area), self.area_error)
        return f"<Reach of {self.model}: {told} square inches within {self.allowance:g} in>"
