"""Lists every enemy of a model, each charge answered with the certainty of `check`."""

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
    """List every enemy of a model, reachable or not, each with the answer of `check`.

    The arcs where an enemy's base can be touched are those for models exactly at their places.

    Parameters
    ----------
    table, model
        The table, and the id of the charger.
    within
        Leave out enemies whose bases are farther away than this, inches.
    told
        Called with each entry as it is found, and the number of all.
    progress
        Called with the number of entries found, and of all; ``print`` will do.

    Raises
    ------
    UnknownNameError, QuestionError
        If there is no such model; if it is not on the table, or if its side, Move or a height that matters is missing.

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
