"""Finds the readings of ambiguous rules under which an answer would differ."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sbg_sim.errors import SbgError
from sbg_sim.geometry.regions import disc_region
from sbg_sim.geometry.shapes import circle
from sbg_sim.rules.defended import defended
from sbg_sim.rules.passages import passages
from sbg_sim.rules.sight import has_volume, look, standing_height
from sbg_sim.rules.zones import stuck_zones, zones
from sbg_sim.solver.judge import charge_refusals, judge_charge, judge_move, may_move
from sbg_sim.solver.path.options import JUMPS, MOST_TESTS
from sbg_sim.table.joining import joined, level_of
from sbg_sim.table.levels import elevation, is_level, is_stood_on
from sbg_sim.table.nearby import pieces_near, platforms_near, standing_near
from sbg_sim.table.questions import Charge, Gap, Measure, Move, ReachOf, Sight
from sbg_sim.tolerance import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sbg_sim.geometry.regions import Region
    from sbg_sim.geometry.shapes import Shape
    from sbg_sim.solver.path.options import Known
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.questions import Question
    from sbg_sim.table.terrain import Terrain
    from sbg_sim.table.violation import Violation


_BEYOND: Final = 0.1  # inches beyond the Move up to which other readings are searched, so that no cost is too close
_SIGHT: Final = frozenset({"eye", "models_block_sight", "sight_grazing", "sight_within"})
_NO_NEARER: Final = frozenset(
    {
        *("charge_stays_in_zone", "charge_on_a_six"),
        *("obstacle_exactly_half", "end_on_low_obstacle", "jump_landing", "jump_without_movement", "jump_into_contact"),
        *("leap_needs", "leap_width", "leap_landing", "climb_over", "climb_test_each_turn", "jump_prone_height"),
    }
)
"""Rulings whose readings change no base, and no zone before the mover enters the target's."""

_REFUSING: Final = _SIGHT | {"stuck_then_charge", "zones_across_surfaces", "charge_a_climber"}
"""Rulings that can forbid a charge whatever its route."""

_FREER: Final = {
    "eye": ("centre", "volume"),
    "models_block_sight": ("yes", "no"),
    "sight_grazing": ("blocks", "passes"),
    "sight_within": ("blocks", "ignored"),
    "defended_opposite": ("overlap", "anywhere"),
    "defended_behind": ("test", "any"),
    "stuck_no_closer": ("monotone", "start"),
    "stuck_then_charge": ("no", "yes"),
    "zone_once_left": ("closed", "nearer"),
    "jump_into_contact": ("apart", "charge"),
    "leap_needs": ("remaining", "maximum"),
    "leap_landing": ("neither", "lower", "both"),
    "charge_stays_in_zone": ("yes", "no"),
    "charge_on_a_six": ("no", "yes"),
    "end_on_low_obstacle": ("no", "yes"),
    "jump_landing": ("across", "any"),
    "jump_without_movement": ("no", "yes"),
    "climb_test_each_turn": ("yes", "no"),
    "charge_a_climber": ("no", "yes"),
    "jump_prone_height": ("half", "any"),
}
"""Readings in order: each allows all that the ones before it allow, and cannot turn their yes into a no.

Two rulings have no such order. Of an obstacle exactly half as high: a free step is no jump, and so may not cost more
than is left. Of ``stand_on``: by its centre a model is put down at the very edge, not where its whole base stands.
"""


def relevant(table: Table, question: Question, verdict: Verdict) -> list[str]:
    """Return the rulings that can affect this question, so that only these are tried."""
    if isinstance(question, Measure | Gap | ReachOf):
        return []
    found: list[str] = []
    if isinstance(question, Sight | Charge):
        found += _of_sight(table, question)
        if isinstance(question, Sight):
            return found
    mover = table.model(question.model)
    near = _around(mover, verdict)
    if stuck_zones(table, mover):
        found += ["stuck_no_closer", "zone_once_left"]
        found += ["stuck_then_charge"] if isinstance(question, Charge) else []
    if _zones_reach_other_surfaces(table, mover, near):
        found += ["zones_across_surfaces"]
    if isinstance(question, Charge):
        found += ["charge_stays_in_zone"]
        found += ["charge_a_climber"] if any(table.model(t).climbed for t in question.targets) else []
        found += ["defended_opposite"] if any(defended(table, mover.id, t) for t in question.targets) else []
        found += ["defended_behind"] if _defended_by_low(table, mover, question) else []
    found += _of_heights(table, question, verdict, mover, near)
    found += ["climb_test_each_turn"] if mover.climbed else []
    return found


def _around(mover: Model, verdict: Verdict) -> Region:
    """Return the region that a way within the Move can come near, free shifts of climbs included."""
    return disc_region(mover.at, (verdict.allowance or 0.0) + MOST_TESTS * 4 * mover.radius, mover.radius)


def _of_heights(table: Table, question: Move | Charge, verdict: Verdict, mover: Model, near: Region) -> list[str]:
    """Return the rulings about steps, jumps, leaps, climbs and levels that can matter."""
    if mover.height is None:
        return []
    h, kinds, pieces = mover.height, {t.kind for t in verdict.tests}, pieces_near(table, near)
    levels = [p for p in pieces if is_level(p)]
    high = {0.0, *(elevation(table, p.id) for p in levels)}
    steps = {abs(a - b) for a in high for b in high if a != b}
    solid = [p.top for p in pieces if _crossed(table, mover, p)]
    walls = [*solid, *steps]
    unsure = verdict.answer != "yes"  # a yes takes no dice: other readings of tests cannot better it
    found = []
    if any(abs(tall - h / 2) <= ROUNDING for tall in walls):
        found += ["obstacle_exactly_half"]
    if any(tall <= h / 2 + ROUNDING for tall in solid):
        found += ["end_on_low_obstacle"]
    if levels:
        found += ["stand_on"]
    if any(step <= h / 2 + ROUNDING for step in steps) and _enemies_near(table, mover, near):
        found += ["contact_across_heights"]
    lying = [m for m in standing_near(table, near) if m.prone and m.id != mover.id]
    jumped = bool(lying) or any(h / 2 - ROUNDING <= tall <= h + ROUNDING for tall in walls)
    gaps = any("gap" in p.tags for p in pieces)
    rises = _leaps(table, mover, levels)
    if kinds & (JUMPS - {"leap"}) or (unsure and jumped):
        found += ["jump_landing"]
        found += ["jump_without_movement"] if _set_down(table, question, near) else []
    if isinstance(question, Charge) and (kinds & JUMPS or (unsure and (jumped or gaps or rises))):
        found += ["jump_into_contact"]
    climbed = bool(mover.climbed) or any(h < tall < math.inf for tall in walls)
    over = kinds or (unsure and (jumped or gaps or rises or climbed))
    if isinstance(question, Charge) and over and any(table.model(t).has_zone for t in question.targets):
        found += ["charge_on_a_six"]
    if any((m.height or 0.0) / 2 > h + ROUNDING for m in lying):
        found += ["jump_prone_height"]
    if "leap" in kinds or (unsure and (gaps or rises)):
        found += ["leap_needs"]
    if gaps and ("leap" in kinds or unsure):
        found += ["leap_width"]
    if any(abs(rise) > ROUNDING for rise in rises) and ("leap" in kinds or unsure):
        found += ["leap_landing"]
    if "climb" in kinds or (unsure and any(h < tall < math.inf for tall in solid)):
        found += ["climb_over"]
    return found


def _enemies_near(table: Table, mover: Model, near: Region) -> bool:
    """Say whether enemies stand nearby, which the mover might touch from another level."""
    return any(mover.is_enemy(other) for other in standing_near(table, near))


def _leaps(table: Table, mover: Model, levels: list[Terrain]) -> list[float]:
    """Return the rises of all leaps between some levels, whatever the ruling allows, inches."""
    at = joined(table.under("leap_landing", "both"))
    named = {level_of(at, p.id) for p in levels} | {None}
    found = passages(at, mover, sorted(named, key=str))
    return [elevation(at, p.way.to) - elevation(at, p.source) for p in found if p.way.kind == "leap"]


def _defended_by_low(table: Table, mover: Model, question: Charge) -> bool:
    """Say whether a barrier that would defend a target is crossed without a test."""
    half, any_ = (mover.height or 0.0) / 2, table.under("defended_behind", "any")
    found = (defence for target in question.targets for defence in defended(any_, mover.id, target))
    return any(defence.locus and table.piece(defence.barrier).top <= half + ROUNDING for defence in found)


def _zones_reach_other_surfaces(table: Table, mover: Model, near: Region) -> bool:
    """Say whether a zone nearby overlaps, as seen from above, a surface other than the enemy's own."""
    found = zones(table, mover, region=near)
    tops = [p.shape for p in platforms_near(table, near) if p.shape is not None] if found else []
    return any(
        zone.on is not None or any(float(top.distance([zone.at])[0]) < zone.radius for top in tops) for zone in found
    )


def _of_sight(table: Table, question: Sight | Charge) -> list[str]:
    """Return the rulings about looks that can matter on this table."""
    pair = {question.model, *(question.targets if isinstance(question, Charge) else (question.target,))}
    models = any(m.id not in pair for m in table.standing())
    terrain = any(has_volume(p) for p in table.terrain.values())
    sunk = any(standing_height(table, table.model(name)) < 0 for name in pair)  # the ground itself hides
    found = ["eye", "sight_grazing"] if models or terrain or sunk or len(pair) > 2 else []
    found += ["models_block_sight"] if models or len(pair) > 2 else []
    return found + (["sight_within"] if terrain else [])


def _settled(name: str, reading: str, verdict: Verdict) -> bool:
    """Say whether the reading cannot change the answer: it allows more than a yes, or less than a no."""
    if name == "stand_on":
        # From a step at the side of a deep gap no model that stands by its centre gets to the ground (docs/rulings.md).
        table = verdict.table
        steps = (p for p in table.terrain.values() if p.on is not None and "gap" in table.piece(p.on).tags)
        return verdict.answer == "yes" and reading == "centre" and not any(map(is_level, steps))
    freer = _freer(verdict.table, name, reading)
    return freer is not None and verdict.answer == ("yes" if freer else "no")


def _freer(table: Table, name: str, reading: str) -> bool | None:
    """Say whether a reading allows all that the table's own allows, or only less; None if it may be neither."""
    order = _FREER.get(name)
    return None if order is None else order.index(reading) > order.index(table.rulings[name])


def _refusals(table: Table, question: Question) -> list[Violation]:
    """Return what forbids a move or charge whatever its route."""
    if isinstance(question, Charge):
        table = joined(table)
        return charge_refusals(table, table.model(question.model), [table.model(t) for t in question.targets])
    return may_move(table.model(question.model)) if isinstance(question, Move) else []


def _set_down(table: Table, question: Move | Charge, near: Region) -> bool:
    """Say whether a jump could put the mover down at its goal: there its base touches the obstacle it jumped."""
    shapes = [p.shape for p in pieces_near(table, near) if p.is_obstacle or is_level(p)]
    return _beside(table, question, [*shapes, *(circle(m.at, m.radius) for m in standing_near(table, near) if m.prone)])


def _beside(table: Table, question: Move | Charge, shapes: Iterable[Shape | None]) -> bool:
    """Say whether the mover can touch one of some shapes where it is to end."""
    mover = table.model(question.model)
    if isinstance(question, Move):
        spots = [(question.to, mover.radius)]
    elif any(defended(table, mover.id, target) for target in question.targets):
        return True
    else:
        # A base in contact lies wholly within this distance of the target's centre.
        spots = [(table.model(t).at, table.model(t).radius + mover.base) for t in question.targets]
    return any(
        shape is not None and float(shape.distance([at])[0]) <= radius + _BEYOND
        for shape in shapes
        for at, radius in spots
    )


def _crossed(table: Table, mover: Model, piece: Terrain) -> bool:
    """Say whether a piece is an obstacle to be crossed, and no level on which the mover can stand."""
    return piece.is_obstacle and not ("platform" in piece.tags and is_stood_on(table, piece, mover.radius))


def differing(table: Table, question: Question, verdict: Verdict, known: Known) -> tuple[str, ...]:
    """Return ``"name = reading"`` for each reading under which the answer or the chance would differ.

    ``known`` holds the results of the verdict's searches, used again where a reading changes nothing they met.
    """
    refused = bool(_refusals(table, question)) if verdict.answer == "no" else False

    def differs(changes: Sequence[tuple[str, str]]) -> bool:
        """Say whether the answer differs under all given readings at once; no if the question then cannot be asked."""
        there = table
        for name, reading in changes:
            there = there.under(name, reading)
        if verdict.allowance is not None:
            # It counts only whether a way fits, not how much more it would need.
            there = replace(there, horizon=verdict.allowance + _BEYOND)
        try:
            if isinstance(question, Sight):
                return ("yes" if look(there, question.model, question.target).seen else "no") != verdict.answer
            assert isinstance(question, Move | Charge)
            if isinstance(question, Move):
                return judge_move(there, question, only_fits=True, known=known).chance != verdict.chance
            permission = changes[0][0] in _REFUSING - {"zones_across_surfaces"}
            if permission and not refused and not _refusals(there, question):
                return False  # the charge is allowed under both readings, and the ways are the same
            return judge_charge(there, question, only_fits=True, known=known).chance != verdict.chance
        except SbgError:
            return False

    changes = [
        (name, reading)
        for name in relevant(table, question, verdict)
        if name in _REFUSING or not refused
        for reading in table.rulings.alternatives(name)
        if not _settled(name, reading, verdict)
    ]
    spared: set[tuple[str, str]] = set()
    for group in _ordered(table, changes):
        # All freer readings at once allow what each of them allows; all stricter ones forbid what each forbids.
        if len(group) > 1 and not differs(list(dict(group).items())):
            spared |= set(group)
    return tuple(f"{n} = {reading}" for n, reading in changes if (n, reading) not in spared and differs([(n, reading)]))


def _ordered(table: Table, changes: Sequence[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    """Return two lists, the changes to freer readings and those to stricter ones, each ruling's furthest change last.

    Changes of bases or zones are left out: those often change an answer, so each is tried alone.
    """
    freer: list[tuple[int, tuple[str, str]]] = []
    for name, reading in changes:
        order = _FREER.get(name) if name in _NO_NEARER else None
        if order is not None:
            freer.append((order.index(reading) - order.index(table.rulings[name]), (name, reading)))
    freer.sort(key=lambda row: abs(row[0]))
    return [[change for by, change in freer if by > 0], [change for by, change in freer if by < 0]]
