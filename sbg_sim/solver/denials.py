"""Ranks enemies by how much of a reach their Control Zones take away: the reach without the zone, less the reach."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np
import shapely

from sbg_sim.arrays import distances, unit
from sbg_sim.geometry.areas import NOWHERE, clipped, difference, opened
from sbg_sim.geometry.breaks import circle_breaks
from sbg_sim.geometry.grown import joined
from sbg_sim.solver.arcs import STEP, samples
from sbg_sim.solver.path.options import NEAR_BEST
from sbg_sim.solver.reach import reach
from sbg_sim.solver.space.configuration_space import zone_discs
from sbg_sim.solver.space.transitions import length_per_cost
from sbg_sim.solver.verdict import PerEnemy
from sbg_sim.table.board import side_of, sound
from sbg_sim.tolerance import SAGITTA, SNAP, SPECK, TOUCH
from sbg_sim.units import area

if TYPE_CHECKING:
    from sbg_sim.arrays import Array, Floats
    from sbg_sim.dice.executors import Progress
    from sbg_sim.geometry.regions import Window
    from sbg_sim.rules.zones import Zone
    from sbg_sim.solver.field.cost_fields import Apart
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.reach_areas import Reach
    from sbg_sim.solver.space.transitions import Transition
    from sbg_sim.table.board import Table

_PAD: Final = 0.05  # inches added to the farthest that a move can lead


@dataclass(frozen=True)
class Denial:
    """The end positions that one enemy's zone takes away (CZ.1).

    Parameters
    ----------
    enemy
        The enemy's id.
    area
        Square inches of certain end positions lost to the zone; 0 when no part is larger than a speck.
    region
        The lost positions, without specks of 1e-4 square inches and less.
    area_without
        Square inches of certain end positions if this one zone did not exist.

    """

    enemy: str
    area: float
    region: shapely.Geometry = field(repr=False)
    area_without: float

    def __repr__(self) -> str:
        return f"<Denial by {self.enemy}: {area(self.area)} square inches>"


@dataclass(frozen=True)
class DenialList(PerEnemy[Denial]):
    """The losses of one model to the zones of its enemies, each zone on its own, the largest loss first.

    Parameters
    ----------
    table, model
        The table and the mover's id.
    area
        Square inches of certain end positions with all zones.
    area_error
        Bound on the error of that area; the error of a loss is at most twice that.
    entries
        A row per enemy that has a zone. Ground under two zones counts as lost to neither.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.load("scenarios/charging-2.toml")
    >>> [entry.enemy for entry in sbg.denials(table, "uruk-3")]
    ['aragorn', 'boromir', 'pippin']

    """

    table: Table = field(repr=False)
    model: str
    area: float
    area_error: float
    entries: tuple[Denial, ...]
    _about: ClassVar[str] = "enemy"

    def __repr__(self) -> str:
        rows = "".join(
            f"\n  {entry.enemy} takes away {area(entry.area, 2 * self.area_error)} square inches"
            for entry in self.entries
            if entry.area > 0
        )
        if self.entries and not rows:
            rows = "\n  no zone takes any away"
        return f"<Denials to {self.model}: {area(self.area, self.area_error)} square inches are left>{rows}"


def denials(table: Table, model: str, *, progress: Progress | None = None) -> DenialList:
    """Rank the enemies of a model by the area that their zones take away from its reach.

    Parameters
    ----------
    table
        The table.
    model
        The mover's id.
    progress
        Called with the number of zones that are done, and of all; ``print`` will do.

    Raises
    ------
    UnknownNameError
        If there is no such model.
    QuestionError
        If its maximum Move or its side is not given, or it is not on the table yet.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.load("scenarios/control-zones.toml")
    >>> denials(table, "uruk-2")[0]
    <Denial by boromir: 13.90 square inches>

    """
    mover = sound(table).present(model)
    side_of(mover)
    now = reach(table, model, least=1)
    found = []
    enemies = [enemy for enemy in table.standing() if mover.is_enemy(enemy) and enemy.has_zone]
    for enemy in enemies:
        lost: shapely.Geometry = NOWHERE
        through = _through(now, enemy.id)
        if through is not None:
            window, apart = through
            freed = replace(reach(table, model, without=frozenset({enemy.id}), least=1).near(window), apart=apart)
            lost = _cleaned(difference(*(clipped(one.area, window) for one in (freed, now))))
        found.append(Denial(enemy.id, lost.area, lost, now.area.area + lost.area))
        if progress is not None:
            progress(len(found), len(enemies))
    found.sort(key=lambda denial: -round(denial.area, SNAP))  # equal losses stay in the order of the table
    return DenialList(table, model, now.area.area, now.area_error, tuple(found))


def _cleaned(region: shapely.Geometry) -> shapely.Geometry:
    """Return a region without specks and without slivers, which may come from chords in place of arcs."""
    return shapely.union_all([part for part in shapely.get_parts(opened(region, 4 * SAGITTA)) if part.area > SPECK])


def _through(now: Reach, enemy: str) -> tuple[Window, Apart | None] | None:
    """Return bounds of the places to which a move could lead through an enemy's zone, None if there are none.

    The rest of the Move at the zone's rim bounds how far beyond it a move can lead. If every such way enters at the rim
    of one zone, a function is returned as well that leaves out nodes on no way through that zone.
    """
    surroundings, mover = now.surroundings, now.mover
    free = [way for way in surroundings.transitions if not way.way.tests]
    far, longer = 0.0, length_per_cost(free)
    rims: list[Zone | None] = []
    for i, space in enumerate(surroundings.spaces):
        for zone in (z for z in space.zones if z.id == enemy):
            here = space.surface == now.surface
            ways = [way for way in free if i in {way.source, way.dest}]
            if zone.stuck or (ways and (not here or any(_over(way, zone) for way in ways))):
                cost, rim = max(0.0, math.dist(mover.at, zone.at) - zone.radius), None
            elif here:
                cost, rim = float(_to_rim(now, zone, STEP)[1].min()), zone
            else:
                continue
            left = (now.limit - cost) * longer
            if left > 0:
                far = max(far, zone.radius + left + _PAD)
                rims.append(rim)
    if not far:
        return None
    x, y = now.table.model(enemy).at
    (rim,) = rims if len(rims) == 1 else (None,)
    return (x - far, y - far, x + far, y + far), None if rim is None else _apart(now, rim, longer)


def _apart(now: Reach, zone: Zone, longer: float) -> Apart:
    """Return a function that gives 0 for nodes on a possible way through a zone, infinity for all others.

    On a way through the zone, the costs of a node and of some place on the rim, both known from the present reach,
    differ by no less than the straight between them costs.
    """
    step, (net, labels) = STEP / 4, now.certain.fine
    rim, costs = _to_rim(now, zone, step)
    rim, costs = rim[np.isfinite(costs)], costs[np.isfinite(costs)]
    slack = 2.5 * zone.radius * step + 2 * NEAR_BEST  # for samples on the rim, and for the error of labels
    order = np.argsort(labels.cost[0], kind="stable")
    places, first = np.unique(_places(net)[order], return_index=True)
    known = labels.cost[0, order[first]]

    def apart(other: TangentGraph) -> Floats:
        here, out = _places(other), np.zeros(len(other.nodes.xy))
        k = np.minimum(np.searchsorted(places, here), len(places) - 1)
        same = np.flatnonzero((places[k] == here) & np.isfinite(known[k]))
        straight = distances(other.nodes.xy[same], rim) / longer
        on_the_way = straight <= np.abs(known[k[same], None] - costs) + slack
        out[same[~on_the_way.any(axis=1)]] = np.inf
        return out

    return apart


def _places(net: TangentGraph) -> Array:
    """Return the places of nodes as complex numbers; equal places of one space, after rounding, are equal."""
    return np.asarray(np.round(net.nodes.xy, SNAP) @ np.array([1, 1j]) + net.nodes.space / 2**20)


def _to_rim(now: Reach, zone: Zone, step: float) -> tuple[Floats, Floats]:
    """Return places on the rim of a zone, and lower bounds of the cost near each, infinite if beyond the Move."""
    field = now.certain.at(0, now.surface, fine=True)
    space, rho = field.net.spaces[field.space], zone.radius + TOUCH
    breaks = circle_breaks(np.array(zone.at), rho, joined(space.walls, zone_discs(space.zones), space.border))
    at = np.array(zone.at) + rho * unit(samples(breaks, step))
    # Along an open rim the costs of two places differ by at most twice their distance.
    return at, field.distance(at, exact=(math.inf, math.inf)) - rho * step - NEAR_BEST


def _over(way: Transition, zone: Zone) -> bool:
    return float(way.body.clearance(np.array([zone.at]))[0]) <= zone.radius
