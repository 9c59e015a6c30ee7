"""Where a model can end its move: areas by chance, costs and routes to any place, contact arcs."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from sbg_sim.errors import QuestionError
from sbg_sim.geometry.areas import merged, union
from sbg_sim.pictured import Pictured
from sbg_sim.solver.field.cost_fields import CostFields
from sbg_sim.solver.hanging import beginnings
from sbg_sim.solver.judge import may_move
from sbg_sim.solver.path.options import SIX, beyond_the_move, chance_of, late_ways
from sbg_sim.solver.reach_costs import LEAST, ReachCosts
from sbg_sim.solver.space.surroundings import make_surroundings
from sbg_sim.solver.verdict import Verdict
from sbg_sim.table.board import allowance, standing_up
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.joining import joined
from sbg_sim.table.questions import ReachOf
from sbg_sim.table.route import Route
from sbg_sim.tolerance import FITS, SAGITTA, TOUCH
from sbg_sim.units import area

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sbg_sim.geometry.areas import Regions
    from sbg_sim.geometry.regions import Window
    from sbg_sim.solver.space.surroundings import Surroundings
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model


class Reach(ReachCosts, Pictured):
    """Everything about where one model can end its move without charging.

    Parameters
    ----------
    table, model
        The table and the mover's id.
    allowance
        Maximum Move, inches.
    surface
        The surface of the areas: the one the mover starts on.
    offset
        Movement that standing up and coming down a face cost, inches.
    blocked
        Why it may not move at all; empty when it may.
    surroundings
        What stands within its range, as the solver meets it.
    without
        Enemies whose Control Zones are left out.
    least
        Chances below this are not mapped.
    window
        Bounds of the places that matter, inches: outside them areas are not whole. None for the whole table.
    wider
        The reach in a wider window whose graphs serve this one.
    apart
        Tells how far nodes are from where ways matter; areas hold what those lead to.
    begun
        Of who hangs on a face: how it may begin, and what is within its reach from there (CLB.4).

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> found = sbg.reach(sbg.load("scenarios/movement-2.toml"), "frodo")
    >>> found.area.geom_type, found.path((found.mover.at)).cost
    ('Polygon', 0.0)
    >>> found == sbg.reach(found.table, "frodo")
    True

    """

    begun: tuple[tuple[Route, Reach], ...]

    # -- areas ----------------------------------------------------------------------------------------------

    def near(self, window: Window | None, *, less: float = 0.0) -> Reach:
        """Return the reach with less Move, whole only within a window; that of as wide a window shares its graphs.

        Parameters
        ----------
        window
            Bounds of the places that matter, inches; None for those there are.
        less
            Inches by which the mover moves less.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> reach.near((5.5, 11.5, 6.5, 12.5)).area.area < reach.area.area
        True

        """
        wider = self if window is None or self.window is not None else None
        begun = tuple((route, there.near(window, less=less)) for route, there in self.begun)
        window = self.window if window is None else window
        return replace(self, allowance=self.allowance - less, window=window, wider=wider, begun=begun)

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
        """Return the area as it is drawn while it changes: chords may stray from arcs by more than they do in `area`.

        Parameters
        ----------
        stray
            By how much, inches; over difficult ground, whose rims are sampled, by 0.03 or so as well. What is decided
            hangs on the costs of places, never on this.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> abs(reach.sketch(0.05).area - reach.area.area) < 1
        True

        """
        return self._drawn(stray, fine=False)

    def within(self, cost: float, surface: str | None) -> shapely.Geometry:
        """Return where the centre certainly ends on one level for a cost at most, from the graphs of the whole Move.

        Parameters
        ----------
        cost
            Inches, at most the allowance.
        surface
            The id of its piece, None for the ground; nothing is within reach on one that the mover cannot get to.

        Raises
        ------
        QuestionError
            When the cost is no part of the allowance.

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
        less = self.near(None, less=self.allowance - float(cost))
        if surface == self.surface:
            return less.area
        if self.begun:
            return union(_led_to(less.begun, surface))
        there = less.limit > 0 and self.surroundings.index(surface) is not None
        return less.certain.area(0, surface) if there else shapely.Polygon()

    def _drawn(self, stray: float, *, fine: bool) -> shapely.Geometry:
        here = shapely.Point(self.mover.at)
        space = self.surroundings.spaces[int(self.surroundings.index(self.surface) or 0)]
        if self.begun:
            return union([here, *_led_to(self.begun, self.surface, stray, fine=fine)])
        if self.blocked or not space.passable(np.array([self.mover.at])).all():
            return here  # from where it may not be it goes nowhere
        region = self.certain.area(0, self.surface, fine=fine, stray=stray) if self.limit > TOUCH else here
        region = here if region.is_empty else region
        return union([region, self._crawling.area(0, self.surface, stray=stray)]) if self.mover.prone else region

    def _lifted(self, surface: str | None) -> Iterator[Regions]:
        """Yield where who hangs ends on a surface, by chance, for each way to begin."""
        for begun, there in self.begun:
            tests = len(begun.tests)
            rows = [(SIX**tests * chance, some) for chance, some in there.on(surface)]
            if tests and there.surface == surface:
                rows.insert(0, (chance_of(tests, landing=True), shapely.Point(there.mover.at)))
            yield tuple((chance, some) for chance, some in rows if chance >= self.least)

    @cached_property
    def afoot(self) -> shapely.Geometry:
        """Where the centre certainly ends on the mover's surface by ways that keep to it: no test, no other level.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> reach.afoot.equals(reach.area)
        True

        """
        if self.begun:
            onward = [there for begun, there in self.begun if not begun.tests and there.surface == self.surface]
            return union([there.afoot for there in onward])
        some = self.surroundings.transitions
        ways = tuple(way for way in some if not way.way.tests and way.source == way.dest)
        if self.blocked or len(ways) == sum(not way.way.tests for way in some):
            return self.area
        surroundings, most = replace(self.surroundings, transitions=ways), self.allowance - self.offset
        fields = CostFields(self.table, self.mover, surroundings, most, self.limit, Fraction(1), self.window)
        return fields.area(0, self.surface)

    @cached_property
    def regions(self) -> Regions:
        """Areas by chance, nested: the best chance first; each holds the ones before it.

        Where a die lands the model (5/6, 5/36, ...) is a line, the far rim of what is crossed; it is part of the
        geometry and adds nothing to its area.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> [str(chance) for chance, _ in reach.regions]
        ['1', '5/6', '1/6']

        """
        certain = ((Fraction(1), self.area),)
        if self.begun:
            return merged(certain, *self._lifted(self.surface))
        return certain if self.blocked else self.fields.regions(certain, self.surface)

    @cached_property
    def platforms(self) -> Mapping[str | None, Regions]:
        """Areas by chance on the other surfaces the mover can get to, nested like the regions.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> dict(reach.platforms)
        {}

        """
        found: dict[str | None, Regions] = {}
        for space in self.surroundings.spaces:
            if space.surface != self.surface and (rows := self._elsewhere(space.surface)):
                found[space.surface] = rows
        return found

    def on(self, surface: str | None) -> Regions:
        """Return areas by chance on one surface, nested like the regions; none where the mover cannot get to.

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
        return self._elsewhere(surface) if self.surroundings.index(surface) is not None else ()

    def _elsewhere(self, surface: str | None) -> Regions:
        """Return areas by chance on a surface that the mover does not stand on."""
        if self.begun:
            return merged(*self._lifted(surface))
        if self.blocked:
            return ()
        certain = self.certain.area(0, surface)
        return self.fields.regions(() if certain.is_empty else ((Fraction(1), certain),), surface)

    @cached_property
    def swept(self) -> shapely.Geometry:
        """What the base can certainly cover, as a shapely geometry.

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
        fields = [there.certain for _, there in self.begun] or [self.certain]
        return max(field.error(float(self.area.length)) for field in fields)

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
        return FrozenMap({f"{c.numerator}/{c.denominator}": float(g.area) for c, g in self.regions})

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


def reach(table: Table, model: str, *, without: frozenset[str] = frozenset(), least: Fraction | float = LEAST) -> Reach:
    """Find everything about where a model can end its move without charging.

    Parameters
    ----------
    table
        The table.
    model
        Id of the mover.
    without
        Enemies whose Control Zones are left out.
    least
        Chances below this are not mapped.

    Raises
    ------
    UnknownNameError
        When there is no such model.
    QuestionError
        When its Move, or a height that matters, is missing, it is not on the table yet, or ``least`` is no chance.

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
    # Who hangs may go on from a base or two beside where it is: shifts across rims are free.
    aside = 2 * mover.base if mover.climbed > TOUCH else 0.0
    surroundings = _surroundings(table, replace(mover, prone=False), limit - offset + aside, without)
    found = Reach(table, model, limit, mover.on, offset, blocked, surroundings, without, chance)
    return _from_a_face(found) if mover.climbed > TOUCH and not mover.prone and not blocked else found


def _from_a_face(found: Reach) -> Reach:
    """Return the reach of a mover with inches climbed: what its ways to begin lead to, and why nothing is certain."""
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
        tested = "nowhere is certain before a Climb test"
        why = tested if begun else "it cannot climb down"
        found = replace(found, blocked=(f"{mover.id} hangs {mover.climbed:g} in up a face: {why}",))
    return replace(found, begun=tuple(begun))


def _led_to(
    begun: Iterable[tuple[Route, Reach]], surface: str | None, stray: float = SAGITTA, *, fine: bool = True
) -> list[shapely.Geometry]:
    """Return where who hangs certainly ends on a surface, by each way to begin that takes no die."""
    ways = [there for route, there in begun if not route.tests]
    here = [there.area if fine else there.sketch(stray) for there in ways if there.surface == surface]
    ways = [there for there in ways if there.surface != surface and there.surroundings.index(surface) is not None]
    return [*here, *(there.certain.area(0, surface) for there in ways)]


def _surroundings(
    table: Table, mover: Model, left: float, without: frozenset[str], began: Model | None = None
) -> Surroundings:
    """Collect what is within the movement left, and where a last way over may cost more, what it may lead to."""
    found = make_surroundings(table, mover, reach=left, without=without, began=began)
    loose, late = beyond_the_move(table, mover, left), late_ways(table, mover.move or 0.0)
    if not loose:
        return found
    wider = make_surroundings(table, mover, reach=left + loose, without=without, began=began)
    return wider if any(way.way.kind in late for way in wider.transitions) else found
