"""Where a model can end its move: areas by chance, costs and routes to any place, contact arcs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from dataclasses import field as hidden
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from sbg_sim.errors import QuestionError
from sbg_sim.geometry.areas import difference, union
from sbg_sim.pictured import Pictured
from sbg_sim.rules.contact import in_contact_across
from sbg_sim.solver.field.cost_field import CostField
from sbg_sim.solver.field.fans import OUTLINE_ERROR, RIM_STEP, SAGITTA, Fanner
from sbg_sim.solver.field.landings import landing_lines
from sbg_sim.solver.graph.graph_builder import GraphBuilder
from sbg_sim.solver.graph.label_search import Labels, settle
from sbg_sim.solver.graph.tangent_graph import SPACING, TangentGraph
from sbg_sim.solver.hanging import coming_down
from sbg_sim.solver.judge import CRAWL, may_move
from sbg_sim.solver.path.options import MOST_TESTS, SIX, SLACK, TWO_UP
from sbg_sim.solver.space.setting import Setting, make_setting
from sbg_sim.solver.verdict import Verdict
from sbg_sim.table.board import allowance
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.levels import joined
from sbg_sim.table.nearby import without_difficult
from sbg_sim.table.questions import ReachOf
from sbg_sim.table.route import Leg, Route
from sbg_sim.tolerance import FITS, TOUCH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model

Floats = np.ndarray

_RIM: Final = 0.01
"""Inches from what is certain within which a line that a die leads to is its rim: outlines are drawn with chords."""

RIM_SHARE: Final = 0.004
"""Square inches that sampled rims may add to the error of an area: a front behind a sampled rim errs on average by half
of its curvature (1/in) times the mean square distance to a sample."""


LEAST: Final = Fraction(1, 36)
"""Chances below this are not mapped unless asked for."""


@dataclass(frozen=True)
class Reach(Pictured):
    """Everything about where one model can end its move without charging.

    Parameters
    ----------
    table, model
        The table and the mover's id.
    allowance
        Maximum Move, inches.
    surface
        The surface of the areas: the one the mover starts on.
    blocked
        Why it may not move at all; empty when it may.
    without
        Enemies whose Control Zones are left out.
    least
        Chances below this are not mapped.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> found = sbg.reach(sbg.load("scenarios/movement-2.toml"), "frodo")
    >>> found.area.geom_type, found.path((found.mover.at)).cost
    ('Polygon', 0.0)
    >>> found == sbg.reach(found.table, "frodo")
    True

    """

    table: Table = hidden(repr=False)
    model: str
    allowance: float
    surface: str | None
    offset: float
    crawling: bool
    blocked: tuple[str, ...]
    setting: Setting = hidden(repr=False, compare=False)
    without: frozenset[str] = frozenset()
    least: Fraction = LEAST

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

    def field(self, layer: int, surface: str | None = None, *, here: bool = True, fine: bool = False) -> CostField:
        """Return the cost field of a surface after a number of dice.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> type(reach.field(0)).__name__
        'CostField'

        """
        index = self.setting.index(self.surface if here else surface)
        key = (layer, index, fine)
        if key not in self._fields:
            net, labels = self._fine if fine else self._coarse
            self._fields[key] = CostField(
                self.table,
                replace(self.mover, prone=False),
                net,
                labels,
                int(index or 0),
                layer,
                bound=False,
                cutoff=self.limit + FITS,
            )
        return self._fields[key]

    @cached_property
    def _fields(self) -> dict[tuple[int, int | None, bool], CostField]:
        """The cost fields asked for so far: by dice, index of the space, and whether rims are sampled finely."""
        return {}

    @cached_property
    def _coarse(self) -> tuple[TangentGraph, Labels]:
        """The network from which costs of places are polished."""
        return _woven(self.setting, self.mover, self.allowance - self.offset, SPACING, self.least)

    @cached_property
    def _fine(self) -> tuple[TangentGraph, Labels]:
        """The network with closer samples along rims: areas are drawn from its labels as they are."""
        if not self.setting.transitions:
            return self._coarse  # costs along rims of difficult ground are polished
        return _woven(self.setting, self.mover, self.allowance - self.offset, self._rim_step, self.least)

    @cached_property
    def _rim_step(self) -> float:
        """Distance of samples along rims when areas are drawn, inches."""
        around = math.tau * max(self.allowance - self.offset, 0.1)
        return min(RIM_STEP, math.sqrt(12 * RIM_SHARE / around))

    # -- areas ----------------------------------------------------------------------------------------------

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
        if self.blocked:
            return shapely.Point(self.mover.at)
        here = shapely.Point(self.mover.at)
        region = Fanner(self.field(0, fine=True), self.limit).region() if self.limit > TOUCH else here
        region = here if region.is_empty else region
        return union([region, self._crawl_area()]) if self.mover.prone else region

    def sketch(self, stray: float) -> shapely.Geometry:
        """Return the area as it is drawn while it changes: chords may stray from arcs by more than they do in `area`.

        Parameters
        ----------
        stray
            By how much, inches. What is decided hangs on the costs of places, never on this.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> abs(reach.sketch(0.05).area - reach.area.area) < 1
        True

        """
        if self.blocked or self.limit <= TOUCH:
            return shapely.Point(self.mover.at)
        region = Fanner(self.field(0), self.limit, stray).region()
        return union([region, self._crawl_area(stray)]) if self.mover.prone else region

    def _crawl_area(self, stray: float = SAGITTA) -> shapely.Geometry:
        other = _crawl_reach(self.table, self.mover)
        return Fanner(other.field(0, fine=True), CRAWL, stray).region()

    @cached_property
    def regions(self) -> tuple[tuple[Fraction, shapely.Geometry], ...]:
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
        return self._by_chance([(Fraction(1), self.area)], self.surface, here=True)

    def _landings(self, layer: int, surface: str | None) -> shapely.Geometry:
        """Where the last of some dice puts the model down on a surface, as lines."""
        return landing_lines(*self._fine, int(self.setting.index(surface) or 0), layer, self.limit)

    @cached_property
    def platforms(self) -> Mapping[str | None, tuple[tuple[Fraction, shapely.Geometry], ...]]:
        """Areas by chance on the other surfaces the mover can get to, nested like the regions.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> dict(reach.platforms)
        {}

        """
        found: dict[str | None, tuple[tuple[Fraction, shapely.Geometry], ...]] = {}
        for space in self.setting.spaces:
            if space.surface == self.surface or self.blocked:
                continue
            certain = Fanner(self.field(0, space.surface, here=False, fine=True), self.limit).region()
            rows = self._by_chance([] if certain.is_empty else [(Fraction(1), certain)], space.surface, here=False)
            if rows:
                found[space.surface] = rows
        return found

    def _by_chance(
        self, found: list[tuple[Fraction, shapely.Geometry]], surface: str | None, *, here: bool
    ) -> tuple[tuple[Fraction, shapely.Geometry], ...]:
        """Add to what is certain on a surface what some dice add: where they land the model, and what lies beyond."""
        cost = self._fine[1].cost
        for layer in range(1, len(cost)):
            if self.blocked or not (cost[layer] <= self.limit).any():
                break
            whole = found[-1][1] if found else shapely.GeometryCollection()
            landings = difference(self._landings(layer, surface), shapely.buffer(whole, _RIM))
            beyond = Fanner(self.field(layer, surface, here=here, fine=True), self.limit).region()
            area = union([whole, beyond])
            if area.area - whole.area <= self.area_error and landings.is_empty:
                continue
            found.append((SIX ** (layer - 1) * TWO_UP, union([whole, landings])))
            found.append((SIX**layer, union([area, landings])))
        return tuple(row for row in found if row[0] >= self.least)

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

        Behind rims whose costs are sampled (of difficult ground where there are ways over, and of ways over that
        take no dice) the front errs by the samples' distance as well.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> reach.area_error < 0.01
        True

        """
        length = float(self.area.length)
        net = self._fine[0] if self.setting.transitions else None
        pieces = [] if net is None else net.pieces[: net.difficult_pieces]
        free = [p for way in self.setting.transitions if not way.way.tests for p in (*way.near, *way.far)]
        sampled = sum(piece.length for piece in (*pieces, *free))
        return length * OUTLINE_ERROR + min(sampled, length) * self._rim_step**2 / 12 + 1e-6

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
        from sbg_sim.solver.charges import charges

        near = charges(self.table, self.model, within=self.allowance + FITS)
        return {e.target: e.arcs for e in near.entries if e.arcs}

    # -- places ---------------------------------------------------------------------------------------------

    def distance(self, xy: Floats) -> Floats:
        """Cost of ending at places without any die.

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
        p = np.asarray(xy, dtype=float)
        if p.shape[-1:] != (2,):
            raise QuestionError(f"places are [x, y], or rows of them, inches, not an array of shape {p.shape}")
        flat = p.reshape(-1, 2)
        space = self.setting.spaces[int(self.setting.index(self.surface) or 0)]
        if self.blocked:
            out = np.where(np.hypot(*(flat - np.array(self.mover.at)).T) <= FITS, 0.0, np.inf)
        else:
            out = self.field(0).distance(flat) + self.offset
            if self.mover.prone:
                out = np.minimum(out, _crawl_reach(self.table, self.mover).field(0).distance(flat))
        at_home = np.hypot(*(flat - np.array(self.mover.at)).T) <= FITS
        ends = space.may_end(flat) & ~_in_contact(self.table, self.mover, space.surface, flat)
        out = np.where(ends | at_home, np.where(at_home, 0.0, out), np.inf)
        return np.asarray(out.reshape(p.shape[:-1]))

    def chance(self, xy: Point) -> Fraction:
        """Return the best probability of ending at a place.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> reach.chance((10, 12))
        Fraction(1, 6)

        """
        from sbg_sim.solver.judge import judge_move
        from sbg_sim.table.questions import Move

        return judge_move(self.table, Move(self.model, xy, self.surface)).chance

    def path(self, xy: Point) -> Route | None:
        """Return the best certain route to a place, None when there is none within the allowance.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> reach = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> round(reach.path((7, 12)).cost, 3), reach.path((10, 12))
        (1.0, None)

        """
        if not np.isfinite(self.distance(np.array(xy))):
            return None
        if math.dist(xy, self.mover.at) <= FITS:
            return Route()
        if self.mover.prone or self.mover.climbed:
            from sbg_sim.solver.judge import judge_move
            from sbg_sim.table.questions import Move

            best = judge_move(self.table, Move(self.model, xy, self.surface)).best
            return None if best is None else best.route
        route = self.field(0).route(xy)
        if route is None or not self.offset:
            return route
        up = Leg("stand", self.mover.at, self.mover.at, self.offset, self.mover.on)
        return Route((up, *route.legs))

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
        area = float(self.area.area)
        why = (
            f"{self.model} may not move: {self.blocked[0]}"
            if self.blocked
            else (f"{self.model} can certainly end on {area:.3f} square inches")
        )
        return Verdict(
            self.table,
            ReachOf(self.model),
            name,
            allowance=self.allowance,
            chance=Fraction(1),
            rules=("MOV.3",),
            reason=why,
            area=area,
            areas=self.areas,
        )

    def __repr__(self) -> str:
        return f"<Reach of {self.model}: {float(self.area.area):.3f} square inches within {self.allowance:g} in>"


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
    offset = limit / 2 if mover.prone else 0.0
    blocked = tuple(v.reason for v in may_move(mover))
    if mover.climbed > TOUCH:
        down = coming_down(table, mover)
        if down is None or down.test is not None:
            high = f"{mover.climbed:g} in up a face"
            blocked += (f"{mover.id} hangs {high}: nowhere below is certain before a Climb test",)
        else:
            offset += down.cost
    chance = Fraction(least).limit_denominator(10**9)
    if not 0 < chance <= 1:
        raise QuestionError(f"least = {chance} is no chance: it must be above 0 and at most 1")
    found = _make(table, mover, limit, offset, blocked, without=without, crawling=False)
    return replace(found, least=chance)


def _in_contact(table: Table, mover: Model, surface: str | None, p: Floats) -> Floats:
    """Say at which places ``(n, 2)`` the base touches an enemy that it does not touch yet: that is a charge (CHG.1)."""
    found = np.zeros(len(p), dtype=bool)
    for other in table.standing():
        reach = other.radius + mover.radius + TOUCH
        if (
            mover.is_enemy(other)
            and in_contact_across(table, mover, surface, other.on)
            and math.dist(mover.at, other.at) > reach
        ):
            found |= np.hypot(p[:, 0] - other.at[0], p[:, 1] - other.at[1]) <= reach
    return found


def _crawl_reach(table: Table, mover: Model) -> Reach:
    plain = without_difficult(table)
    return _make(plain, mover, CRAWL, 0.0, (), without=frozenset(), crawling=True)


def _make(
    table: Table,
    mover: Model,
    limit: float,
    offset: float,
    blocked: tuple[str, ...],
    *,
    without: frozenset[str],
    crawling: bool,
) -> Reach:
    standing = replace(mover, prone=False)
    setting = make_setting(table, standing, reach=limit - offset, without=without, dice=not crawling)
    return Reach(table, mover.id, limit, mover.on, offset, crawling, blocked, setting, without)


def _woven(
    setting: Setting, mover: Model, limit: float, spacing: float, least: Fraction
) -> tuple[TangentGraph, Labels]:
    net = GraphBuilder(setting.spaces, setting.transitions, (0, mover.at), None, spacing, limit + SLACK).build()
    dice = next(k for k in range(MOST_TESTS + 1) if k == MOST_TESTS or SIX**k * TWO_UP < least)
    layers = dice if any(p.way.tests for p in setting.transitions) else 0
    labels = settle(
        net.graph,
        dict.fromkeys(net.source, 0.0),
        layers=layers,
        cutoff=limit + (SLACK if net.pieces else FITS),
    )
    return net, labels
