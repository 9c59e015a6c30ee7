"""The question where a model can end its move."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from sbg_sim.errors import QuestionError
from sbg_sim.solver.judge import may_move
from sbg_sim.solver.on_a_face import coming_down
from sbg_sim.solver.reach_costs import LEAST
from sbg_sim.solver.reach_map import Reach
from sbg_sim.solver.space.setting import make_setting
from sbg_sim.table.board import allowance, standing_up
from sbg_sim.table.joining import joined
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from sbg_sim.table.board import Table


def reach(table: Table, model: str, *, without: frozenset[str] = frozenset(), least: Fraction | float = LEAST) -> Reach:
    """Find everything about where a model can end its move without charging.

    Parameters
    ----------
    table
        The table.
    model
        Id of the mover.
    without
        Enemies whose Control Zones are left out.
    least
        Chances below this are not mapped.

    Raises
    ------
    UnknownNameError
        When there is no such model.
    QuestionError
        When its Move, or a height that matters, is missing, it is not on the table yet, or ``least`` is no chance.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> found = reach(table, "merry")
    >>> float(found.distance((12, 15))), found.path((12, 15)).cost
    (3.0, 3.0)

    """
    table = joined(table)
    mover = table.present(model)
    limit = allowance(mover)
    offset = standing_up(mover)
    blocked = tuple(v.reason for v in may_move(mover))
    if mover.climbed > TOUCH:
        down = coming_down(table, mover)
        if down is None or down.test is not None:
            high = f"{mover.climbed:g} in up a face"
            why = "it cannot climb down" if down is None else "nowhere below is certain before a Climb test"
            blocked += (f"{mover.id} hangs {high}: {why}",)
        else:
            offset += down.cost
    chance = Fraction(least).limit_denominator(10**9)
    if not 0 < chance <= 1:
        raise QuestionError(f"least = {chance} is no chance: it must be above 0 and at most 1")
    setting = make_setting(table, replace(mover, prone=False), reach=limit - offset, without=without)
    return Reach(table, model, limit, mover.on, offset, blocked, setting, without, chance)
