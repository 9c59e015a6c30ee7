"""Whether every way is closed: bases, zones and what is sheer, grown by the mover's base, part start from goal.

No search, and nothing of the solver: areas that are open for certain to no part of any way are taken out of the
table, and what is left falls into pieces. What might be crossed by a test is left open, and circles are taken a
little too small, so that what is closed here is closed.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import shapely

from sbg_sim.table.questions import Charge, Move
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model

ZONE: Final = 1.0
"""Width of a Control Zone, inches (CZ.1)."""

_ROUND: Final = 64  # corners per quarter of a circle, all of them on it: the polygon is too small by less than _NEAR
_NEAR: Final = 1e-3  # inches within which a place counts as part of an area


def closed_by(table: Table, question: Move | Charge) -> tuple[str, ...]:
    """Return what parts a model from its goal, so that no way leads there at any cost; nothing when it cannot be told.

    Told on the ground alone: a table with levels has other ways, and so have readings by which zones bind less.

    Parameters
    ----------
    table, question
        What is asked of what.

    """
    mover = table.model(question.model)
    if not _plain(table, mover, question):
        return ()
    r = mover.radius
    closed = dict(_closed(table, mover, question))
    board = shapely.box(r, r, table.width - r, table.depth - r)
    parts = shapely.get_parts(shapely.difference(board, shapely.union_all(list(closed.values()))))
    start = shapely.Point(mover.at)
    here = [part for part in parts if shapely.distance(part, start) <= _NEAR]
    if not here or any(_holds(part, table, mover, question) for part in here):
        return ()
    if isinstance(question, Move):
        to = shapely.Point(question.to)
        there = [name for (name, _), area in closed.items() if shapely.distance(area, to) == 0]
        if there or shapely.distance(board, to) > 0:
            return tuple(dict.fromkeys(there)) or ("the edge of the table",)
    about = shapely.union_all(here)
    return tuple(dict.fromkeys(name for (name, _), area in closed.items() if shapely.distance(area, about) <= TOUCH))


def _plain(table: Table, mover: Model, question: Move | Charge) -> bool:
    """Say whether all happens on the ground, and contact is contact of bases."""
    levels = any(p.tags & {"platform", "ladder"} or ("gap" in p.tags and p.depth) for p in table.terrain.values())
    if levels or mover.climbed or mover.id in table.off or mover.on is not None or mover.height is None:
        return False
    if isinstance(question, Move):
        return question.on is None
    targets = [table.model(name) for name in question.targets]
    barriers = [p.shape for p in table.terrain.values() if p.is_obstacle and p.shape is not None]
    defended = any(float(b.distance([t.at])[0]) <= t.radius + TOUCH for t in targets for b in barriers)
    return table.rulings["charge_stays_in_zone"] == "yes" and not defended


def _closed(table: Table, mover: Model, question: Move | Charge) -> Iterator[tuple[tuple[str, str], shapely.Geometry]]:
    """Yield where the centre cannot be, by what closes it and how."""
    r = mover.radius
    targets = question.targets if isinstance(question, Charge) else ()
    bound = shapely.union_all([_disc(table.model(t), ZONE + r + _NEAR) for t in targets])
    for other in table.standing():
        if other.id == mover.id:
            continue
        if not other.prone:  # who lies may be jumped
            yield (other.id, "base"), _disc(other, r - TOUCH)
        inside = math.dist(other.at, mover.at) < other.radius + r + ZONE - TOUCH
        if other.is_enemy(mover) and other.has_zone and other.id not in targets and not inside:
            yield (other.id, "zone"), shapely.difference(_disc(other, ZONE + r - TOUCH), bound)
    for piece in table.terrain.values():
        sheer = "unscalable" in piece.tags and piece.top > (mover.height or 0.0) + TOUCH
        if sheer and piece.shape is not None and mover.id not in piece.lets_through:
            yield (piece.id, "terrain"), shapely.buffer(piece.shape.to_shapely(), r - TOUCH, quad_segs=_ROUND)


def _disc(model: Model, more: float) -> shapely.Geometry:
    return shapely.buffer(shapely.Point(model.at), model.radius + more, quad_segs=_ROUND)


def _holds(part: shapely.Geometry, table: Table, mover: Model, question: Move | Charge) -> bool:
    """Say whether a goal lies in an area, or might."""
    if isinstance(question, Move):
        return bool(shapely.distance(part, shapely.Point(question.to)) <= _NEAR)
    targets = [table.model(name) for name in question.targets]
    return all(shapely.distance(part, shapely.Point(t.at)) <= t.radius + mover.radius + _NEAR for t in targets)
