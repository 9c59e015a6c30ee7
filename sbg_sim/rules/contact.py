"""Base contact between levels: whether bases that meet as seen from above are in contact (CHG.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbg_sim.table.levels import elevation, level_of
from sbg_sim.tolerance import ROUNDING

if TYPE_CHECKING:
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
