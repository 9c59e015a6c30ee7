"""Every enemy of a model, each charge answered as sure as it is for every placement within the doubt."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from sbg_sim.contested.certain import weighed
from sbg_sim.contested.placings import doubts_of
from sbg_sim.solver.charges import charges as listed
from sbg_sim.solver.charges import cheapest_first
from sbg_sim.table.board import sound

if TYPE_CHECKING:
    from collections.abc import Callable

    from sbg_sim.dice.executors import Progress
    from sbg_sim.solver.charges import ChargeEntry, ChargeList
    from sbg_sim.table.board import Table


def charges(
    table: Table,
    model: str,
    *,
    within: float = math.inf,
    told: Callable[[ChargeEntry, int], None] | None = None,
    progress: Progress | None = None,
) -> ChargeList:
    """List every enemy of a model, reachable or not, each answer as sure as `check` says.

    Where on its base an enemy can be charged is told for models that stand as the file has them.

    Parameters
    ----------
    table, model
        The table, and the id of the charger.
    within
        Leave out enemies whose bases are further away than this, inches.
    told
        Told each entry as it is found, and how many there will be.
    progress
        Told how many have been found, and of how many; ``print`` will do.

    Raises
    ------
    UnknownNameError, QuestionError
        When there is no such model; when it is not on the table, or its side, Move or a height that matters is missing.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.load("scenarios/charging-2.toml")
    >>> charges(table, "uruk-3")["pippin"].binds
    ('aragorn', 'boromir')

    """
    entries: list[ChargeEntry] = []
    off = doubts_of(sound(table))

    def found(entry: ChargeEntry, total: int) -> None:
        entries.append(replace(entry, verdict=weighed(table, entry.verdict, off)))
        if told is not None:
            told(entries[-1], total)
        if progress is not None:
            progress(len(entries), total)

    every = listed(table, model, within=within, told=found)
    return replace(every, entries=tuple(sorted(entries, key=cheapest_first)))
