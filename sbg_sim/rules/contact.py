"""Base contact between levels: whether bases that meet as seen from above are in contact (CHG.1)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sbg_sim.table.joining import level_of
from sbg_sim.table.levels import elevation
from sbg_sim.tolerance import ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model


def in_contact_across(table: Table, mover: Model, one: str | None, other: str | None) -> bool:
    """Say whether bases on two levels can be in contact.

    On one level they can; between two whose heights differ by up to half the mover's, as ruled
    (``contact_across_heights``).

    Parameters
    ----------
    table, mover
        The table, and whose height counts.
    one, other
        The levels.

    """
    if level_of(table, one) == level_of(table, other):
        return True
    if table.rulings["contact_across_heights"] == "no" or mover.height is None:
        return False
    return abs(elevation(table, one) - elevation(table, other)) <= mover.height / 2 + ROUNDING


def within_reach(table: Table, mover: Model, target: Model) -> bool:
    """Say whether a charger can touch whom it charges: who hangs on a face may be too high (``charge_a_climber``)."""
    if table.rulings["charge_a_climber"] == "yes" or mover.height is None:
        return True
    return target.climbed <= mover.height / 2 + ROUNDING


def touchable(
    table: Table, mover: Model, surface: str | None, others: Iterable[Model]
) -> Iterator[tuple[Model, float]]:
    """Yield the enemies that a move to a surface could come into contact with, and how near that is (CHG.1).

    Parameters
    ----------
    table, mover
        The table and who moves.
    surface
        The level the move ends on.
    others
        Whom to look at; those that the mover touches already are left out.

    Yields
    ------
    The enemy, and the distance of centres at which bases meet, inches.

    """
    for other in others:
        apart = other.radius + mover.radius + TOUCH
        new = mover.is_enemy(other) and math.dist(mover.at, other.at) > apart
        if new and in_contact_across(table, mover, surface, other.on):
            yield other, apart


def touched(table: Table, mover: Model, at: Point, on: str | None, *, leaving: Point | None = None) -> tuple[str, ...]:
    """Return the enemies whose bases a base at a place touches, sorted.

    Parameters
    ----------
    table, mover
        Who stands there.
    at, on
        Where, inches, and on which surface.
    leaving
        Where it stood before, inches: who was touched already there is left out.

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
