"""The cost fields of one start, and the areas that they bound.

Two tangent graphs serve them all. Costs of places are polished from a *coarse* one. Areas are drawn from the labels of
a *fine* one, whose samples of rims lie closer, as they are; without ways over from the coarse one too, for costs along
rims are exact then. Fields of less movement or in a smaller window have the graphs of the ``wider`` ones that they came
from. Where dice are thrown, samples of difficult ground cost what the ``certain`` fields, without dice, say.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
import shapely

from sbg_sim.geometry.areas import difference, union
from sbg_sim.solver.field.cost_field import CostField
from sbg_sim.solver.field.fans import RayFans
from sbg_sim.solver.field.landings import apart_from, landing_lines, late_landings
from sbg_sim.solver.field.rim_costs import RIM_STEP
from sbg_sim.solver.field.sampled_costs import sampling_error
from sbg_sim.solver.graph.graph_builder import GraphBuilder
from sbg_sim.solver.graph.label_search import Labels, Limits, settle
from sbg_sim.solver.graph.tangent_graph import SPACING, TangentGraph
from sbg_sim.solver.path.options import MOST_TESTS, chance_of, late_ways
from sbg_sim.solver.space.transitions import length_per_cost
from sbg_sim.tolerance import BESIDE, FITS, OUTLINE_ERROR, RIM_AREA, SAGITTA, TOUCH

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from sbg_sim.arrays import Floats
    from sbg_sim.geometry.areas import Regions
    from sbg_sim.geometry.regions import Window
    from sbg_sim.solver.space.surroundings import Surroundings
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model

_RIM: Final = 0.01
"""Inches from what is certain within which a line that a die leads to is its rim: outlines are drawn with chords."""

Apart: TypeAlias = "Callable[[TangentGraph], Floats]"
"""What tells how far nodes of a graph are from where ways matter ``(n,)``, inches; infinitely where none leads."""


@dataclass(frozen=True, eq=False)
class CostFields:
    """The cost fields of one start, by surface and number of dice; each is made when it is first asked for.

    Parameters
    ----------
    table, mover
        Whose move it is.
    surroundings
        What stands within its range.
    most
        Movement for which the graphs are made, inches.
    limit
        Movement that is left, inches: nothing if it may not move at all.
    least
        Chances below this are not mapped.
    window
        Bounds of the places that matter, inches: what leads there within the limit is all that is found.
    wider
        Fields whose graphs serve these as well.
    apart
        Tells how far nodes are from where ways matter, as far as the window does not.
    certain
        The fields without dice, if there are ways that need a test.

    """

    table: Table
    mover: Model
    surroundings: Surroundings
    most: float
    limit: float
    least: Fraction
    window: Window | None = None
    wider: CostFields | None = None
    apart: Apart | None = None
    certain: CostFields | None = None
    _made: dict[tuple[int, str | None, bool], CostField] = field(default_factory=dict)

    @cached_property
    def coarse(self) -> tuple[TangentGraph, Labels]:
        """The tangent graph from which costs of places are polished."""
        return self._settled(SPACING) if self.wider is None else self.wider.coarse

    @cached_property
    def fine(self) -> tuple[TangentGraph, Labels]:
        """The tangent graph with closer samples along rims: areas are drawn from its labels as they are."""
        if self.wider is not None:
            return self.wider.fine
        # Without ways over costs along rims of difficult ground are polished.
        return self._settled(self._step) if self.surroundings.transitions else self.coarse

    @cached_property
    def _step(self) -> float:
        """Distance of samples along rims when areas are drawn, inches."""
        around = math.tau * max(self.most, 0.1)
        return min(RIM_STEP * self._finer, math.sqrt(12 * RIM_AREA / around))

    @property
    def _finer(self) -> float:
        """How much closer lies what is drawn where there is less than an inch of movement: it is looked at larger."""
        return min(max(self.most, 0.1), 1.0)

    def _settled(self, spacing: float) -> tuple[TangentGraph, Labels]:
        ways = self.surroundings.transitions
        error = sampling_error(ways, spacing)
        range_, lazy = self.most + error, spacing < SPACING
        window = None if self._late else self.window  # a way into it may begin far from it and cost more than is left
        net = GraphBuilder(self.surroundings, None, spacing, range_, window=window, lazy=lazy).build()
        dice = next(k for k in range(MOST_TESTS + 1) if k == MOST_TESTS or chance_of(k + 1, landing=True) < self.least)
        layers = dice if any(way.way.tests for way in ways) else 0
        cutoff = self.most + (error if net.pieces else FITS)
        apart = np.zeros(net.graph.size) if self.window is None else apart_from(self.window, net, self._late)
        apart = apart if self.apart is None else np.maximum(apart, self.apart(net))
        ahead = apart / length_per_cost(ways)
        start, known = dict.fromkeys(net.source, 0.0), self._known(net) if lazy else {}
        nodes = np.array([*known], dtype=np.int64)
        return net, settle(net.graph, start | known, Limits(cutoff, ahead), layers=layers, known=nodes)

    def _known(self, net: TangentGraph) -> dict[int, float]:
        """Return the samples of difficult ground whose exact costs are known from the fields without dice, inches."""
        if self.certain is None or self.certain.surroundings.transitions:
            return {}
        field = self.certain.at(0, self.surroundings.spaces[0].surface)
        k = np.flatnonzero(net.on_ground & (net.nodes.space == 0) & ~net.nodes.bound)
        if field.rims is None or not len(k):
            return {}
        cost = field.rims.between(field.net.rims, net.nodes.ref[k], net.nodes.param[k])
        return {node: c for node, c in zip(k.tolist(), cost.tolist(), strict=True) if math.isfinite(c)}

    def within(self, limit: float, window: Window | None) -> CostFields:
        """Return the fields of as much movement or less (inches), in the same window or less, of the same graphs."""
        return replace(self, limit=limit, window=window, wider=self.wider or self, _made={})

    @property
    def layers(self) -> range:
        """The numbers of dice behind which anything is reached, none left out."""
        cost = self.fine[1].cost
        missing = (k for k in range(len(cost)) if not (cost[k] <= self.limit).any())
        return range(next(missing, len(cost)))

    def at(self, layer: int, surface: str | None, *, fine: bool = False) -> CostField:
        """Return the cost field of a surface after a number of dice."""
        fine = fine and bool(self.surroundings.transitions)
        key = (layer, surface, fine)
        if key not in self._made:
            net, labels = self.fine if fine else self.coarse
            index = int(self.surroundings.index(surface) or 0)
            standing = replace(self.mover, prone=False)
            cutoff = self.limit + FITS
            error = sampling_error(self.surroundings.transitions, self._step if fine else SPACING)
            self._made[key] = CostField(
                self.table, standing, net, labels, index, layer, bound=False, cutoff=cutoff, sampling_error=error
            )
        return self._made[key]

    def area(
        self,
        layer: int,
        surface: str | None,
        *,
        fine: bool = True,
        stray: float = SAGITTA,
        known: shapely.Geometry | None = None,
    ) -> shapely.Geometry:
        """Return where the centre can end on a surface after a number of dice, but for fans within a known area.

        Chords stray from arcs by so much, inches; by less where there is less than an inch of movement.
        """
        field = (self.wider or self).at(layer, surface, fine=fine)  # what is found out along rims and rings serves all
        return RayFans(field, self.limit, stray * self._finer, self.window, known).region()

    def landings(self, layer: int, surface: str | None, known: shapely.Geometry) -> shapely.Geometry:
        """Return where the last of some dice puts the model down on a surface, as lines outside of a known area."""
        where = *self.fine, int(self.surroundings.index(surface) or 0), layer, self.limit
        lines = [landing_lines(*where)] if layer in self.layers else []
        lines += late_landings(*where, self._late, known, self.window)
        return difference(shapely.union_all(lines), known) if lines else shapely.GeometryCollection()

    @cached_property
    def _late(self) -> dict[str, float]:
        """The ways that may cost more than is left, of those there are."""
        kinds = {way.way.kind for way in self.surroundings.transitions if way.way.tests}
        return {kind: most for kind, most in late_ways(self.table, self.mover.move or 0.0).items() if kind in kinds}

    def regions(self, certain: Regions, surface: str | None) -> Regions:
        """Return areas by chance on a surface, nested: what is certain, where dice land one, and what lies beyond."""
        found = list(certain)
        for layer in itertools.takewhile(lambda k: chance_of(k, landing=True) >= self.least, itertools.count(1)):
            if layer >= len(self.layers) + bool(self._late):
                break  # a late landing takes one die more than leads anywhere in time
            whole = found[-1][1] if found else shapely.GeometryCollection()
            landings = self.landings(layer, surface, shapely.buffer(whole, _RIM))
            known = shapely.buffer(whole, BESIDE, join_style="mitre")
            area = union([whole, self.area(layer, surface, known=known)]) if layer in self.layers else whole
            if area.area - whole.area <= self.error(float(whole.length)) and landings.is_empty:
                continue
            found.append((chance_of(layer, landing=True), union([whole, landings])))
            if layer in self.layers:
                found.append((chance_of(layer, landing=False), union([area, landings])))
        return tuple(row for row in found if row[0] >= self.least)

    def error(self, outline: float) -> float:
        """Return a bound on the error of an area, square inches, from the length of its outline, inches.

        Behind rims whose costs are sampled (of difficult ground where there are ways over, and of ways over that
        take no dice) the front errs by the samples' distance as well.
        """
        net = self.fine[0] if self.surroundings.transitions else None
        pieces = [] if net is None else net.pieces[: net.difficult_pieces]
        free = [p for way in self.surroundings.transitions if not way.way.tests for p in (*way.near, *way.far)]
        sampled = sum(piece.length for piece in (*pieces, *free))
        return outline * OUTLINE_ERROR + min(sampled, outline) * self._step**2 / 12 + TOUCH
