"""Which readings of ambiguous rules would change an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sbg_sim.errors import SbgError
from sbg_sim.geometry.regions import disc_region
from sbg_sim.rules.defended import defended
from sbg_sim.rules.sight import has_volume, look
from sbg_sim.rules.zones import stuck_zones, zones
from sbg_sim.table.nearby import pieces_near, platforms_near
from sbg_sim.table.questions import Charge, Gap, Measure, ReachOf, Sight

if TYPE_CHECKING:
    from collections.abc import Callable

    from sbg_sim.geometry.regions import Region
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.questions import Question


_CLIMBS: Final = 6  # a seventh climb in one move would have a chance below 1 in 46656
_SIGHT: Final = frozenset({"eye", "models_block_sight", "sight_grazing", "sight_within"})
_FREER: Final = {
    "eye": "volume",
    "models_block_sight": "no",
    "sight_grazing": "passes",
    "sight_within": "ignored",
    "defended_opposite": "anywhere",
    "stuck_no_closer": "start",
    "stuck_then_charge": "yes",
    "zone_once_left": "nearer",
    "contact_across_heights": "yes",
    "jump_into_contact": "charge",
    "leap_needs": "maximum",
    "charge_stays_in_zone": "no",
    "end_on_low_obstacle": "yes",
    "obstacle_exactly_half": "free",
    "jump_landing": "any",
    "jump_without_movement": "yes",
    "climb_test_each_turn": "no",
}
"""Of rulings with two readings, the one that allows all the other does: it cannot turn a yes into a no."""


def relevant(table: Table, question: Question, verdict: Verdict) -> list[str]:
    """Return the rulings that can touch this question at all, so that only these are tried."""
    if isinstance(question, Measure | Gap | ReachOf):
        return []
    found: list[str] = []
    if isinstance(question, Sight | Charge):
        found += _of_sight(table, question)
        if isinstance(question, Sight):
            return found
    mover = table.model(question.model)
    # Further away nothing touches a way within the Move, free shifts over what is climbed included.
    far = (verdict.allowance or 0.0) + _CLIMBS * 4 * mover.radius
    near = disc_region(mover.at, far, mover.radius)
    pieces = pieces_near(table, near)
    if stuck_zones(table, mover):
        found += ["stuck_no_closer", "zone_once_left"]
        found += ["stuck_then_charge"] if isinstance(question, Charge) else []
    if _zones_reach_other_surfaces(table, mover, near):
        found += ["zones_across_surfaces"]
    if isinstance(question, Charge):
        found += ["charge_stays_in_zone"]
        found += ["defended_opposite"] if any(defended(table, mover.id, t) for t in question.targets) else []
    half = None if mover.height is None else mover.height / 2
    if half is not None and any(p.height is not None and abs(p.height - half) <= 1e-9 for p in pieces):
        found += ["obstacle_exactly_half"]
    kinds = {t.kind for t in verdict.tests}
    if any(p.is_obstacle and p.height is not None and half is not None and p.height < half for p in pieces):
        found += ["end_on_low_obstacle"]
    if "jump" in kinds:
        found += ["jump_landing", "jump_without_movement"]
    if kinds & {"jump", "jump-prone", "leap"} and isinstance(question, Charge):
        found += ["jump_into_contact"]
    if "leap" in kinds or any("gap" in p.tags for p in pieces):
        found += ["leap_needs", "leap_width"]
    if "climb" in kinds:
        found += ["climb_over"]
    found += ["climb_test_each_turn"] if mover.climbed else []
    return found


def _zones_reach_other_surfaces(table: Table, mover: Model, near: Region) -> bool:
    """Say whether a zone nearby lies, as seen from above, where there is another surface than the enemy's own."""
    found = zones(table, mover, region=near)
    tops = [p.shape for p in platforms_near(table, near) if p.shape is not None] if found else []
    return any(
        zone.on is not None or any(float(top.distance([zone.at])[0]) < zone.radius for top in tops) for zone in found
    )


def _of_sight(table: Table, question: Sight | Charge) -> list[str]:
    """Return the rulings about looks that have anything to be about."""
    pair = {question.model, *(question.targets if isinstance(question, Charge) else (question.target,))}
    models = any(m.id not in pair for m in table.standing())
    terrain = any(has_volume(p) for p in table.terrain.values())
    found = ["eye", "sight_grazing"] if models or terrain or len(pair) > 2 else []
    found += ["models_block_sight"] if models or len(pair) > 2 else []
    return found + (["sight_within"] if terrain else [])


def _settled(name: str, reading: str, verdict: Verdict) -> bool:
    """Whether a reading can only allow more than a yes, or only less than a no."""
    freer = _FREER.get(name)
    if freer is None:
        return False
    return verdict.answer == "yes" if reading == freer else verdict.answer == "no"


def _looks_alike(table: Table, other: Table, question: Charge) -> bool:
    return all(look(table, question.model, t).seen == look(other, question.model, t).seen for t in question.targets)


def differing(table: Table, question: Question, verdict: Verdict, ask: Callable[..., Verdict]) -> tuple[str, ...]:
    """Return ``"name = reading"`` for each reading under which the answer or the chance would differ."""
    found = []
    for name in relevant(table, question, verdict):
        for reading in table.rulings.alternatives(name):
            if _settled(name, reading, verdict):
                continue
            there = table.under(name, reading)
            try:
                if name in _SIGHT and isinstance(question, Charge) and _looks_alike(table, there, question):
                    continue  # a charge depends on these through what is seen alone
                other = ask(there, question, alternatives=False)
            except SbgError:
                continue
            if (other.answer, other.chance) != (verdict.answer, verdict.chance):
                found.append(f"{name} = {reading}")
    return tuple(found)
