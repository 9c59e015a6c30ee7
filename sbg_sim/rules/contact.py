"""Base contact between levels: whether bases that meet as seen from above are in contact (CHG.1)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sbg_sim.geometry.regions import disc_region
from sbg_sim.table.joining import faces_of, level_of
from sbg_sim.table.levels import elevation
from sbg_sim.table.nearby import levels_near
from sbg_sim.tolerance import ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sbg_sim.geometry.shapes import Point, Shape
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model


def in_contact_across(table: Table, mover: Model, one: str | None, other: str | None) -> bool:
    """Say whether bases on two levels can be in contact.

    On one level they can; on two levels whose heights differ by at most half the mover's, as ruled
    (``contact_across_heights``).

    Parameters
    ----------
    table, mover
        The table, and the model whose height counts.
    one, other
        The levels.

    """
    if level_of(table, one) == level_of(table, other):
        return True
    if table.rulings["contact_across_heights"] == "no" or mover.height is None:
        return False
    return abs(elevation(table, one) - elevation(table, other)) <= mover.height / 2 + ROUNDING


def within_reach(table: Table, mover: Model, target: Model) -> bool:
    """Say whether a charger can touch an enemy: one that hangs on a face may be too high (``charge_a_climber``)."""
    if table.rulings["charge_a_climber"] == "yes" or mover.height is None:
        return True
    return target.climbed <= mover.height / 2 + ROUNDING


def contact_levels(table: Table, mover: Model, targets: list[Model]) -> list[str | None]:
    """Return the levels on which a base can be in contact with all targets, their own last.

    By ``contact_across_heights`` also levels up to half the mover's height above or below all targets.
    """
    own = list(dict.fromkeys(t.on for t in targets))
    far = max(math.dist(t.at, mover.at) + t.radius for t in targets)
    near = levels_near(table, disc_region(targets[0].at, far, 2 * mover.radius))
    others = dict.fromkeys([None, *(piece.id for piece in near)] if near else [])

    def touches(level: str | None) -> bool:
        near_enough = all(in_contact_across(table, mover, level, t.on) for t in targets)
        return near_enough and _beside(table, mover, targets, level)

    every = [*(name for name in others if name not in own), *own]
    return [level for level in every if own == [level] or touches(level)]


def _beside(table: Table, mover: Model, targets: list[Model], level: str | None) -> bool:
    """Say whether a level is near enough to all targets, in plan, for a base on it to touch them."""
    shape = None if level is None else table.piece(level).shape
    if shape is None:
        # From the ground a target on a platform is touched past a side that reaches the ground; a base passes under
        # the rest of the platform.
        sides = [(t, _side(table, t.on)) for t in targets if t.on is not None]
        return all(side is None or float(-side.depth([t.at])[0]) <= t.radius + TOUCH for t, side in sides)
    return all(float(shape.distance([t.at])[0]) <= t.radius + 2 * mover.radius for t in targets)


def _side(table: Table, level: str) -> Shape | None:
    """Return the part of a level's outline that reaches down to the ground; the whole outline of a gap."""
    piece = table.piece(level)
    return piece.shape if "gap" in piece.tags else faces_of(table, level, 0.0)


def touchable(
    table: Table, mover: Model, surface: str | None, others: Iterable[Model]
) -> Iterator[tuple[Model, float]]:
    """Yield the enemies with which a move to a surface could come into contact (CHG.1).

    Parameters
    ----------
    table, mover
        The table and the mover.
    surface
        The level on which the move ends.
    others
        The models to consider; enemies that the mover touches already are left out.

    Yields
    ------
    The enemy, and the distance of centres up to which bases touch, inches.

    """
    for other in others:
        apart = other.radius + mover.radius + TOUCH
        new = mover.is_enemy(other) and math.dist(mover.at, other.at) > apart
        if new and in_contact_across(table, mover, surface, other.on):
            yield other, apart


def touched(table: Table, mover: Model, at: Point, on: str | None, *, leaving: Point | None = None) -> tuple[str, ...]:
    """Return the ids of the enemies that a base at a place touches, sorted.

    Parameters
    ----------
    table, mover
        The table, and the model that stands there.
    at, on
        Its centre there, inches, and its surface.
    leaving
        Its centre before, inches: enemies that it touched there are left out.

    """
    found = []
    for other in table.standing():
        if not other.is_enemy(mover) or not in_contact_across(table, mover, on, other.on):
            continue
        reach = other.radius + mover.radius + TOUCH
        before = leaving is not None and math.dist(leaving, other.at) <= reach
        if math.dist(at, other.at) <= reach and not before:
            found.append(other.id)
    return tuple(sorted(found))
