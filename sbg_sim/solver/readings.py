"""Which readings of ambiguous rules would change an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbg_sim.errors import SbgError
from sbg_sim.rules.zones import zones
from sbg_sim.table.questions import Charge, Gap, Measure, Move, ReachOf, Sight

if TYPE_CHECKING:
    from collections.abc import Callable

    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table
    from sbg_sim.table.questions import Question


def relevant(table: Table, question: Question, verdict: Verdict) -> list[str]:
    """Return the rulings that can touch this question at all, so that only these are tried."""
    if isinstance(question, Measure | Gap | ReachOf):
        return []
    found: list[str] = []
    if isinstance(question, Sight | Charge):
        found += ["eye"]
        others = {m.id for m in table.standing()} - {question.model}
        if len(others) > 1:
            found += ["models_block_sight"]
        if isinstance(question, Sight):
            return found
    mover = table.model(question.model)
    if any(z.stuck for z in zones(table, mover)):
        found += ["stuck_no_closer"]
        found += ["stuck_then_charge"] if isinstance(question, Charge) else []
    if isinstance(question, Charge):
        found += ["charge_stays_in_zone"]
    pieces = table.terrain.values()
    half = None if mover.height is None else mover.height / 2
    if half is not None and any(p.height is not None and abs(p.height - half) <= 1e-9 for p in pieces):
        found += ["obstacle_exactly_half"]
    kinds = {t.kind for t in verdict.tests}
    if any(p.is_obstacle and p.height is not None and half is not None and p.height < half for p in pieces):
        found += ["end_on_low_obstacle"] if isinstance(question, Move) else []
    if "jump" in kinds:
        found += ["jump_landing", "jump_without_movement"]
    if "leap" in kinds or any("gap" in p.tags for p in pieces):
        found += ["leap_needs", "leap_width"]
    if "climb" in kinds:
        found += ["climb_over"]
    return found


def differing(
    table: Table, question: Question, verdict: Verdict, ask: Callable[..., Verdict]
) -> tuple[str, ...]:
    """Return ``"name = reading"`` for each reading under which the answer or the chance would differ."""
    found = []
    for name in relevant(table, question, verdict):
        for reading in table.rulings.alternatives(name):
            try:
                other = ask(table.under(name, reading), question, alternatives=False)
            except SbgError:
                continue
            if (other.answer, other.chance) != (verdict.answer, verdict.chance):
                found.append(f"{name} = {reading}")
    return tuple(found)
