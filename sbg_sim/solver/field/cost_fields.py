"""The cost fields of one start, and the areas within a cost.

Two tangent graphs serve all fields. Costs of places are polished from a *coarse* graph. Areas are drawn from the labels
of a *fine* graph, whose samples on rims lie closer; without ways over the coarse graph serves for areas too, since the
costs along rims are exact then. Fields with less movement or a smaller window share the graphs of the ``wider`` fields
they were made from. With dice, the ``certain`` fields, without dice, give the costs of samples of difficult ground.
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
"""Inches from the certain area within which a line of landings counts as its rim, since outlines have chords."""

Apart: TypeAlias = "Callable[[TangentGraph], Floats]"
"""Returns for the nodes of a graph lower bounds ``(n,)``, inches, of the distance to the places that matter.

Infinity leaves out a node.
"""


@dataclass(frozen=True, eq=False)
class CostFields:
    """The cost fields of one start, by surface and number of dice; each is made at first need.

    Parameters
    ----------
    table, mover
        The table and the mover.
    surroundings
        The spaces and ways within its range.
    most
        Movement for which the graphs are made, inches.
    limit
        Movement left, inches: 0 if the mover may not move at all.
    least
        The smallest chance to be mapped.
    window
        Bounds of the places that matter, inches; only paths that lead there within the limit are found.
    wider
        Fields whose graphs these share.
    apart
        Gives further bounds of the distance from nodes to the places that matter, beside those by the window.
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
        """The tangent graph with closer samples along rims, from whose labels areas are drawn."""
        if self.wider is not None:
            return self.wider.fine
        # Without ways over, the costs along rims of difficult ground are exact, and the coarse graph will do.
        return self._settled(self._step) if self.surroundings.transitions else self.coarse

    @cached_property
    def _step(self) -> float:
        """Distance of samples along rims when areas are drawn, inches."""
        around = math.tau * max(self.most, 0.1)
        return min(RIM_STEP * self._finer, math.sqrt(12 * RIM_AREA / around))

    @property
    def _finer(self) -> float:
        """A factor of at most 1 on distances in drawings: with less than an inch of movement they are enlarged more."""
        return min(max(self.most, 0.1), 1.0)

    def _settled(self, spacing: float) -> tuple[TangentGraph, Labels]:
        """Build the tangent graph with samples ``spacing`` apart, and settle its labels."""
        ways = self.surroundings.transitions
        error = sampling_error(ways, spacing)
        range_, lazy = self.most + error, spacing < SPACING
        window = None if self._late else self.window  # a late way into the window may begin far from it
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
        """Return the exact costs of samples of difficult ground that the fields without dice know, inches."""
        if self.certain is None or self.certain.surroundings.transitions:
            return {}
        field = self.certain.at(0, self.surroundings.spaces[0].surface)
        k = np.flatnonzero(net.on_ground & (net.nodes.space == 0) & ~net.nodes.bound)
        if field.rims is None or not len(k):
            return {}
        cost = field.rims.between(field.net.rims, net.nodes.ref[k], net.nodes.param[k])
        return {node: c for node, c in zip(k.tolist(), cost.tolist(), strict=True) if math.isfinite(c)}

    def within(self, limit: float, window: Window | None) -> CostFields:
        """Return the fields within a smaller limit (inches) or window, from the same graphs."""
        return replace(self, limit=limit, window=window, wider=self.wider or self, _made={})

    @property
    def layers(self) -> range:
        """The numbers of dice, from 0 on without a gap, after which any place is reached."""
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
        """Return where the centre can end on a surface after a number of dice, without fans inside a known area.

        Chords may ``stray`` from arcs by that many inches; by less with less than an inch of movement.
        """
        field = (self.wider or self).at(layer, surface, fine=fine)  # shares its costs along rims and rings
        return RayFans(field, self.limit, stray * self._finer, self.window, known).region()

    def landings(self, layer: int, surface: str | None, known: shapely.Geometry) -> shapely.Geometry:
        """Return where the last of some dice puts the model down on a surface, as lines outside a known area."""
        where = *self.fine, int(self.surroundings.index(surface) or 0), layer, self.limit
        lines = [landing_lines(*where)] if layer in self.layers else []
        lines += late_landings(*where, self._late, known, self.window)
        return difference(shapely.union_all(lines), known) if lines else shapely.GeometryCollection()

    @cached_property
    def _late(self) -> dict[str, float]:
        """The kinds of ways here that, as the last, may cost more than is left, with their greatest costs, inches."""
        kinds = {way.way.kind for way in self.surroundings.transitions if way.way.tests}
        return {kind: most for kind, most in late_ways(self.table, self.mover.move or 0.0).items() if kind in kinds}

    def regions(self, certain: Regions, surface: str | None) -> Regions:
        """Return areas by chance on a surface, nested: the certain area; then, by dice, landings and areas beyond."""
        found = list(certain)
        for layer in itertools.takewhile(lambda k: chance_of(k, landing=True) >= self.least, itertools.count(1)):
            if layer >= len(self.layers) + bool(self._late):
                break  # a late landing takes one die more than any place reached in time
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

        Behind rims with sampled costs (of difficult ground if there are ways over, and of ways over without dice) the
        front has a further error from the distance of samples.
        """
        net = self.fine[0] if self.surroundings.transitions else None
        pieces = [] if net is None else net.pieces[: net.difficult_pieces]
        free = [p for way in self.surroundings.transitions if not way.way.tests for p in (*way.near, *way.far)]
        sampled = sum(piece.length for piece in (*pieces, *free))
        return outline * OUTLINE_ERROR + min(sampled, outline) * self._step**2 / 12 + TOUCH
