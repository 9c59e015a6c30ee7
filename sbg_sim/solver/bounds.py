"""Lower bounds of the costs of a whole list of charges, from one search, and routes that reach these bounds.

The search leaves out every obstacle that any way over could cross, counts difficult ground once, and keeps Control
Zones closed. No charge costs less than its path to the rim of the enemy's zone, plus the inch from there to contact.
For most enemies behind a front line this bound exceeds the horizon, and they need no search of their own. If such a
path is legal among all obstacles, it is the cheapest.
"""

from __future__ import annotations

import math
from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.arrays import unit
from sbg_sim.geometry.breaks import circles_breaks
from sbg_sim.geometry.grown import grown, joined
from sbg_sim.solver.field.cost_field import CostField
from sbg_sim.solver.graph.graph_builder import GraphBuilder
from sbg_sim.solver.graph.label_search import Limits, settle
from sbg_sim.solver.graph.tangent_graph import SPACING
from sbg_sim.solver.path.options import Option, Options, farthest
from sbg_sim.solver.path.paths import Link, OnCircle, Path, Wrap
from sbg_sim.solver.path.routes import route_of
from sbg_sim.solver.space.configuration_space import zone_discs
from sbg_sim.solver.space.rings import make_rings
from sbg_sim.solver.space.surroundings import make_surroundings
from sbg_sim.solver.space.transitions import length_per_cost
from sbg_sim.tolerance import ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sbg_sim.arrays import Floats
    from sbg_sim.rules.ground import Block
    from sbg_sim.rules.zones import Zone
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.space.configuration_space import Space
    from sbg_sim.solver.space.surroundings import Surroundings
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model


def contact_bounds(table: Table, mover: Model, enemies: Sequence[Model], horizon: float) -> dict[str, Options]:
    """Return by enemy a lower bound of the cost of contact, inches, and a way of that cost if one is found.

    Enemies without a bound are left out.

    Parameters
    ----------
    table, mover
        The table and the charger; the bounds do not contain the cost of standing up.
    enemies
        The enemies.
    horizon
        The greatest bound of interest, inches; an enemy beyond it gets the horizon as its bound.

    """
    plain = table.rulings["zones_across_surfaces"] == "no" and mover.climbed <= TOUCH
    apart = {e.id: math.dist(e.at, mover.at) - e.radius - mover.radius for e in enemies}
    beyond = farthest(table, mover, horizon)
    far = {name: Options([], horizon) for name, gap in apart.items() if gap > beyond}
    wanted = [e for e in enemies if e.id not in far]
    if not plain or not wanted:
        return far
    surroundings = make_surroundings(table, mover, reach=horizon)
    # Climbs may shift the mover for free, so a path may be longer than its cost.
    longer = length_per_cost(surroundings.transitions)
    if longer > 1:
        surroundings = make_surroundings(table, mover, reach=longer * horizon)
    most = longer * horizon
    space = _relaxed(surroundings)
    if not space.free(np.array([mover.at]))[0]:
        return far
    net = GraphBuilder(replace(surroundings, spaces=(space,), transitions=()), None, SPACING, most).build()
    labels = settle(net.graph, dict.fromkeys(net.source, 0.0), Limits(most))
    field = CostField(table, mover, net, labels, 0, 0, bound=False, cutoff=most, sampling_error=0.0)
    # A mover that starts in its target's zone may come nearer than it starts: no bound for such targets.
    stuck = {zone.id for zone in space.zones if zone.stuck}
    wanted = [e for e in wanted if e.id not in stuck]
    room = np.array([1.0 if e.has_zone else 0.0 for e in wanted])
    circles = np.array([(*e.at, e.radius + mover.radius + w) for e, w in zip(wanted, room, strict=True)]).reshape(-1, 3)
    ways = list(zip(*field.to_circles(circles), strict=True))
    for n, cost, bend in _at_corners(field, space, circles):
        ways[n] = min(ways[n], (cost, bend), key=itemgetter(0))
    least = [float(cost + w) / longer - ROUNDING for (cost, _), w in zip(ways, room.tolist(), strict=True)]
    found = {e.id: Options([], min(cost, horizon)) for e, cost in zip(wanted, least, strict=True)}
    if mover.on is None and longer == 1:
        near = [(e, bend) for e, (_, bend) in zip(wanted, ways, strict=True) if bend and found[e.id].beyond < horizon]
        for enemy, way in _ways_on(net, surroundings, near):
            if way.cost <= found[enemy].beyond + 2 * ROUNDING:
                found[enemy].found.append(way)
    return far | found


def _ways_on(
    net: TangentGraph, surroundings: Surroundings, bends: Sequence[tuple[Model, Path]]
) -> Iterator[tuple[str, Option]]:
    """Yield ways that go on straight to contact from last bends found on the relaxed ground, if they are legal."""
    table, mover, ground = surroundings.table, surroundings.mover, surroundings.spaces[0]
    used = {e.ring for _, bend in bends for e in bend.elements if isinstance(e, Wrap)}
    rings, arcs = make_rings((ground,), frozenset((*net.rings[k].center, net.rings[k].rho) for k in used))
    same = [arcs.number.get((0, *ring.center, ring.rho), -1) for ring in net.rings]
    for enemy, bend in bends:
        if any(isinstance(e, Wrap) and same[e.ring] < 0 for e in bend.elements):
            continue  # obstacles left out of the search cover the whole ring
        target = next((zone for zone in ground.zones if zone.id == enemy.id), None)
        circle = OnCircle((*enemy.at, enemy.radius + mover.radius))
        elements = [replace(e, ring=same[e.ring]) if isinstance(e, Wrap) else e for e in bend.elements]
        path = Path(tuple(elements), bend.links).then(Link(0, bound=(False, target is not None)), circle)
        true = replace(net, spaces=(replace(ground, target=target),), rings=rings, arcs=arcs)
        route = route_of(table, mover, true, path)
        if route is not None:
            yield enemy.id, Option(0, landing=False, cost=route.cost, slack=ROUNDING, route=route)


def _relaxed(surroundings: Surroundings) -> Space:
    """Return the ground without obstacles that could be crossed or passed from above, and without difficult ground.

    Seen from above every path is legal on it, whatever levels it leads over.
    """
    space = next(space for space in surroundings.spaces if space.surface is None)
    # A leap between levels passes above obstacles beside them.
    leaps = [way for way in surroundings.transitions if way.way.kind == "leap" and way.source != way.dest]
    leapt = {i for way in leaps for i in (way.source, way.dest)}
    leap = 2 * (surroundings.mover.height or 0.0)
    tops = [(s.inside, leap * (i in leapt)) for i, s in enumerate(surroundings.spaces) if s.inside is not None]

    def beside_a_top(at: Floats, radius: float) -> bool:
        return any(float(top.distance(at).min()) < radius + more for top, more in tops)

    def stays(block: Block) -> bool:
        return not block.ways and not beside_a_top(
            block.shape.capsules.reshape(-1, 2), block.shape.radius + space.radius
        )

    def binds(zone: Zone) -> bool:
        return not beside_a_top(np.array([zone.at]), zone.radius)

    stay = [(block, by) for block, by in zip(space.blocks, space.grown_by, strict=True) if stays(block)]
    blocks, grown_by = tuple(block for block, _ in stay), tuple(by for _, by in stay)
    walls = grown((block.shape, by) for block, by in stay)
    zones = tuple(zone for zone in space.zones if binds(zone))
    left = replace(space, blocks=blocks, grown_by=grown_by, walls=walls, zones=zones, target=None)
    return replace(left, difficult=grown(()), low=grown(()))


def _at_corners(field: CostField, space: Space, circles: Floats) -> Iterator[tuple[int, float, Path | None]]:
    """Yield for places where walls and zones meet the rims of circles the circle, a bound of the cost, and the path."""
    row, angle = circles_breaks(circles[:, :2], circles[:, 2], joined(space.walls, zone_discs(space.zones)))
    p = circles[row, :2] + circles[row, 2:] * unit(angle)
    free = np.flatnonzero(space.free(p))
    for k, cost, bend in zip(free.tolist(), *field.to_places(p[free]), strict=True):
        yield int(row[k]), float(cost), None if bend is None else field.ended_at(bend, p[k])
