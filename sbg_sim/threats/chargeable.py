"""The ground on which a model could be charged by one enemy next turn.

The enemy goes from its place, past the zones of all standing models, to a place from which its base touches the
model's: one at which it could end anyway (its reach, grown by both radii). It must see the model before it moves
(CHG.1). Ways through other zones inside the model's own zone are added in `hops`.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from sbg_sim.errors import QuestionError
from sbg_sim.geometry.areas import NOWHERE, buffered, clipped, difference, intersection, merged, opened, parts_joined
from sbg_sim.rules.contact import in_contact_across
from sbg_sim.rules.zones import ZONE_WIDTH, stuck_zones
from sbg_sim.solver.path.options import beyond_the_move, farthest
from sbg_sim.solver.reach import reach
from sbg_sim.table.joining import level_of, piece_under
from sbg_sim.threats.shadows import hidden
from sbg_sim.tolerance import SAGITTA, STRIP

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sbg_sim.geometry.areas import Regions
    from sbg_sim.geometry.regions import Window
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.reach_areas import Reach
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model


ROUND: Final = 48
"""Segments of a quarter circle where outlines are grown."""
ASIDE: Final = 0.1
"""Margin about the places that matter, inches."""
_TURN: Final = 0.02  # radians between places of a base round another


def without(table: Table, model: Model) -> Table:
    """Return the table without a model."""
    return replace(table, off=table.off | {model.id})


def placed(table: Table, model: Model, at: Point, surface: str | None) -> Table:
    """Return the table after a model has moved to a place on a level, upright: one that lay has stood up."""
    there = (float(at[0]), float(at[1]))
    on = piece_under(table, level_of(table, surface), there)
    return table.with_model(replace(table.model(model.id), at=there, on=on, moved=True, climbed=0.0, prone=False))


def next_turn(table: Table, side: str) -> Table:
    """Return the table at the start of a side's next move: its models that have moved may move again."""
    for model in table.standing():
        if model.side == side and model.moved:
            table = table.with_model(replace(model, moved=False))
    return table


def enemies_of(table: Table, model: Model) -> tuple[Model, ...]:
    """Return the enemies that might charge a model; QuestionError if the Move of one is unknown."""
    found = tuple(m for m in table.standing() if m.is_enemy(model))
    for enemy in found:
        if enemy.move is None:
            raise QuestionError(f"models.{enemy.id}.move is missing, and whether it comes to {model.id} hangs on it")
    return found


def walked(walk: Reach, model: Model, within: shapely.Geometry) -> Regions:
    """Return where a model could be charged by an enemy that comes into contact where it may end its move anyway.

    Parameters
    ----------
    walk
        The enemy's reach near those places, on the table without the model.
    model
        The model.
    within
        The places of the model's centre that matter, inches: those at which the enemy sees it.

    Returns
    -------
    Nested areas with the chance of a charge, the best chance first.

    """
    if not walk.may_move or within.is_empty:
        return ()
    rows, by = in_contact(walk, model), walk.mover.radius + model.radius
    some = touching([area for _, area in rows], by, within)
    found = ((chance, area) for (chance, _), area in zip(rows, some, strict=True))
    return tuple((chance, area) for chance, area in found if not area.is_empty)


def touching(areas: Iterable[shapely.Geometry], by: float, within: shapely.Geometry) -> list[shapely.Geometry]:
    """Return for nested areas the places of ``within`` at distance ``by`` inches from a place of the area.

    A place nearer than that to all of a part is left out: a model there would cover the part, and the enemy would come
    to it only past where it must not end.
    """
    found: list[shapely.Geometry] = []
    known: dict[bytes, shapely.Geometry] = {}  # most small parts of an area are parts of the next area too
    for area in areas:
        parts = parts_joined(area)
        small = shapely.minimum_bounding_radius(parts) < by
        whole = grown(shapely.union_all(parts[~small]), by) if small.any() else grown(area, by)
        if small.any():
            near = shapely.dwithin(parts[small], difference(within, whole), by)  # other parts add nothing
            some = dict(zip(shapely.to_wkb(parts[small][near]).tolist(), parts[small][near], strict=True))
            known |= {name: _about(part, by) for name, part in some.items() if name not in known}
            whole = shapely.union_all([whole, *(known[name] for name in some)])
        found.append(intersection(whole, within))
    return found


def _about(part: shapely.Geometry, by: float) -> shapely.Geometry:
    """Return the places within ``by`` inches of a small part, but not within ``by`` inches of all of it."""
    corners = shapely.points(shapely.get_coordinates(shapely.convex_hull(part)))
    covered = shapely.intersection_all(shapely.buffer(corners, by, quad_segs=ROUND))
    return difference(grown(part, by), covered)


def in_sight(table: Table, enemy: Model, model: Model, within: shapely.Geometry) -> shapely.Geometry:
    """Return those of some places of a model's centre that an enemy could reach straight ahead, and sees.

    If zones of other models hold the enemy (CZ.4), only those at which it may charge the model.
    """
    near = _unheld(table, enemy, model, in_range(table, enemy, model, within))
    return difference(near, hidden(table, enemy, model, near))


def _unheld(table: Table, enemy: Model, model: Model, within: shapely.Geometry) -> shapely.Geometry:
    """Return the places at which an enemy that starts in other zones may charge the model (``stuck_then_charge``)."""
    if table.rulings["stuck_then_charge"] == "yes" or not stuck_zones(without(table, model), enemy):
        return within
    binds = model.on == enemy.on or table.rulings["zones_across_surfaces"] == "yes"
    if not (binds and model.has_zone):
        return NOWHERE
    far = enemy.radius + model.radius + ZONE_WIDTH
    return opened(intersection(within, shapely.buffer(shapely.Point(enemy.at), far, quad_segs=ROUND)), STRIP)


def walk_of(table: Table, enemy: Model, model: Model, within: Iterable[shapely.Geometry]) -> Reach | None:
    """Return the reach of an enemy near enough to charge a model at some places.

    Parameters
    ----------
    table, enemy, model
        The table without the model, the enemy, and the model.
    within
        The places of the model's centre that matter, inches, on each level.

    Returns
    -------
    The enemy's reach about those places; None if there are none.

    """
    every = shapely.GeometryCollection([shapely.box(*area.bounds) for area in within if not area.is_empty])
    return None if every.is_empty else reach(table, enemy.id).near(around(every, enemy, model))


def in_range(table: Table, enemy: Model, model: Model, within: shapely.Geometry) -> shapely.Geometry:
    """Return those places of a model's centre, and some beside them, that an enemy could reach straight ahead."""
    (x, y), most = enemy.at, enemy.move or 0.0
    far = farthest(table, enemy, most) + beyond_the_move(table, enemy, most) + enemy.radius + model.radius + ASIDE
    if within.is_empty or shapely.distance(within, shapely.Point(x, y)) > far:
        return NOWHERE
    return clipped(within, (x - far, y - far, x + far, y + far))


def around(within: shapely.Geometry, enemy: Model, model: Model) -> Window:
    """Return the bounds of the places at which an enemy touches a model at some places, or its zone."""
    far = enemy.radius + model.radius + ZONE_WIDTH + ASIDE
    x0, y0, x1, y1 = within.bounds
    return x0 - far, y0 - far, x1 + far, y1 + far


def in_contact(found: Reach, model: Model) -> Regions:
    """Return the areas by chance on the surfaces from which a base can touch one on the model's surface."""
    enemy, here = found.mover, model.on
    others = [name for name in surfaces(found) if name != here and in_contact_across(found.table, enemy, name, here)]
    return merged(*(found.on(name) for name in (here, *others)))


def surfaces(found: Reach) -> list[str | None]:
    """Return the surfaces of a mover's reach."""
    return [space.surface for space in found.surroundings.spaces]


def grown(area: shapely.Geometry, by: float) -> shapely.Geometry:
    """Grow an area by some inches; its outline is simplified first, within its error, which is much quicker."""
    return buffered(shapely.simplify(area, SAGITTA / 4), by, ROUND)


def covered(charger: Model, target: Model, arcs: Iterable[tuple[float, float]]) -> shapely.Geometry:
    """Return the area that a base covers in contact with another, anywhere on some arcs of it (radians)."""
    (x, y), out = target.at, target.radius + charger.radius
    ways = []
    for first, last in arcs:
        span = last - first if last >= first else last - first + math.tau
        angles = first + span * np.linspace(0.0, 1.0, 2 + int(span / _TURN))
        ways.append(shapely.linestrings(x + out * np.cos(angles), y + out * np.sin(angles)))
    return shapely.union_all(shapely.buffer(ways, charger.radius, quad_segs=ROUND))
