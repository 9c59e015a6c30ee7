"""How a model that hangs on a face begins its move: down to the foot, or on up or over what it hangs on (CLB.4)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.arrays import point
from sbg_sim.rules.results import coming_down
from sbg_sim.solver.path.routes import legs_over
from sbg_sim.table.route import Route

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sbg_sim.solver.space.surroundings import Surroundings
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model


def beginnings(
    table: Table, mover: Model, around: Surroundings, *, charging: bool = False
) -> Iterator[tuple[Route, Model, bool]]:
    """Yield how a mover with inches climbed begins, where it is then, and whether that is bound to whom it charges.

    Parameters
    ----------
    table, mover
        The table, and who hangs.
    around
        What stands within its range, the levels a base or two beside it too: shifts across rims are free.
    charging
        Whether it charges: then a climb may lead it into the zone of its target (CHG.3).

    """
    down = coming_down(table, mover)
    if down is not None:
        yield Route((down,)), replace(mover, climbed=0.0), False
    start = np.array([mover.at])
    for way in around.transitions:
        if way.source or way.way.foot is None or way.way.rise < 0:  # a climb that goes on, or a ladder
            continue
        for end in np.concatenate([way.landing(start), way.tied(start)[1]]):
            for bound in [False, True] if charging else [False]:
                legs = legs_over(table, mover, way, start[0], end, (False, bound))
                if legs is not None:
                    yield Route(tuple(legs)), replace(mover, at=point(end), on=way.there.surface, climbed=0.0), bound
