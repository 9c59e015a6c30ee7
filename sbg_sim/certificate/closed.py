"""Checks whether every way is closed: whether grown bases, zones and unscalable terrain part start and goal.

There is no search, and nothing of the solver: areas certainly closed to every way are cut out of the table, and the
rest falls into components. Obstacles that might be crossed by a test are left open, and circles are taken a little too
small, so that a goal found closed is closed.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import shapely
from shapely import affinity

from sbg_sim.table.questions import Charge, Move
from sbg_sim.tolerance import ABOUT, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model

ZONE: Final = 1.0
"""Width of a Control Zone, inches (CZ.1)."""

_ROUND: Final = 64  # corners per quarter of a circle, all of them on it: the polygon is too small by less than _NEAR
_NEAR: Final = ABOUT  # inches within which a place counts as part of an area


def closed_by(table: Table, question: Move | Charge, within: float = math.inf) -> tuple[str, ...]:
    """Return the ids of what parts a model from its goal, so that no way leads there; nothing if that is not certain.

    Only for the ground: a table with levels has other ways, and so have readings by which zones bind less.

    Parameters
    ----------
    table, question
        The table, and the question.
    within
        The greatest cost of ways, inches: they stay in an ellipse about start and goal. By default any cost.

    """
    mover = table.model(question.model)
    if not _plain(table, mover, question):
        return ()
    near = _ellipses(table, mover, question, within)
    if near is None:
        return ()
    r = mover.radius
    closed = dict(_closed(table, mover, question))
    board = shapely.box(r, r, table.width - r, table.depth - r)
    open_ = shapely.difference(shapely.intersection(board, near), shapely.union_all(list(closed.values())))
    parts = shapely.get_parts(open_)
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


def _ellipses(table: Table, mover: Model, question: Move | Charge, within: float) -> shapely.Geometry | None:
    """Return an area that contains all ways of ``within`` inches; None if parts of ways may be free.

    For any place on such a way the straight lines from the start and to the goal are together no longer.
    """
    if math.isinf(within):
        return shapely.box(0, 0, table.width, table.depth)
    if any(
        p.is_obstacle and p.top > (mover.height or 0.0) and "unscalable" not in p.tags for p in table.terrain.values()
    ):
        return None
    goals = (
        [(question.to, 0.0)]
        if isinstance(question, Move)
        else [(t.at, t.radius + mover.radius) for t in map(table.model, question.targets)]
    )
    rows = [_ellipse(mover.at, goal, within + more + _NEAR) for goal, more in goals]
    return shapely.intersection_all(rows)


def _ellipse(start: Point, goal: Point, length: float) -> shapely.Geometry:
    """Return a polygon round an ellipse, given by its foci and the sum of the distances from them, inches."""
    apart = math.dist(start, goal)
    if length <= apart:
        return shapely.Polygon()
    turn = math.atan2(goal[1] - start[1], goal[0] - start[0])
    grow = 1 / math.cos(math.pi / (4 * _ROUND)) / 2
    round_ = shapely.buffer(shapely.Point(0, 0), 1.0, quad_segs=_ROUND)
    there = affinity.scale(round_, length * grow, math.sqrt(length**2 - apart**2) * grow, origin=(0, 0))
    there = affinity.rotate(there, turn, origin=(0, 0), use_radians=True)
    return affinity.translate(there, (start[0] + goal[0]) / 2, (start[1] + goal[1]) / 2)


def _plain(table: Table, mover: Model, question: Move | Charge) -> bool:
    """Say whether the question is about the ground only, and contact is contact of bases."""
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
    """Yield the areas where the centre cannot be, each with the id and kind of what closes it."""
    r = mover.radius
    targets = question.targets if isinstance(question, Charge) else ()
    bound = shapely.union_all([_disc(table.model(t), ZONE + r + _NEAR) for t in targets])
    for other in table.standing():
        if other.id == mover.id:
            continue
        if not other.prone:  # a prone model may be jumped
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
    """Say whether a goal lies, or may lie, in an area."""
    if isinstance(question, Move):
        return bool(shapely.distance(part, shapely.Point(question.to)) <= _NEAR)
    targets = [table.model(name) for name in question.targets]
    return all(shapely.distance(part, shapely.Point(t.at)) <= t.radius + mover.radius + _NEAR for t in targets)
