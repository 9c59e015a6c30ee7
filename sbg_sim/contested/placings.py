"""How far models may be off, and tables that allow all, or only what, every such placement allows."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from sbg_sim.errors import LengthError, QuestionError
from sbg_sim.rules.defended import defended
from sbg_sim.rules.zones import ZONE_WIDTH
from sbg_sim.table.questions import Charge, Move
from sbg_sim.tolerance import POINT, ROUNDING, TOUCH
from sbg_sim.units import inches

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model

_CROSSINGS = 12  # free shifts of one move that a smaller base could find shorter, generously


def doubts_of(table: Table) -> dict[str, float]:
    """Return how far each model on the table may be off, inches: its own doubt, else the table's tolerance."""
    found = {m.id: table.tolerance if m.doubt is None else m.doubt for m in table.standing()}
    return {name: doubt for name, doubt in found.items() if doubt > 0}


def given(table: Table, doubts: Mapping[str, float | str]) -> dict[str, float]:
    """Return doubts that somebody names, inches, or refuse them; those of nothing are left out."""
    found = {}
    for name, doubt in doubts.items():
        try:
            found[table.model(name).id] = size = inches(doubt)
        except LengthError as error:
            raise QuestionError(f"the doubt of {name}: {error}") from None
        if size < 0:
            raise QuestionError(f"the doubt of {name} must not be less than 0, and is {doubt!r}")
    return {name: size for name, size in found.items() if size > 0}


def possibly_stuck(table: Table, mover: Model, off: Mapping[str, float]) -> list[Model]:
    """Return the enemies in whose zone the mover may stand before it moves (CZ.4)."""
    return [m for m, room in _zones(table, mover) if room < off.get(mover.id, 0.0) + off.get(m.id, 0.0)]


def surely_stuck(table: Table, mover: Model, off: Mapping[str, float]) -> list[Model]:
    """Return the enemies in whose zone the mover stands wherever the two are (CZ.4)."""
    return [m for m, room in _zones(table, mover) if room < -off.get(mover.id, 0.0) - off.get(m.id, 0.0)]


def _zones(table: Table, mover: Model) -> list[tuple[Model, float]]:
    return [
        (m, math.dist(m.at, mover.at) - m.radius - mover.radius - ZONE_WIDTH)
        for m in table.standing()
        if m.id != mover.id and m.is_enemy(mover) and m.has_zone
    ]


def left(model: Model, doubt: float) -> float:
    """Return how much of a base its middle covers wherever within a doubt it stands, inches across; 0 for a point."""
    across = model.base - 2 * doubt
    return across if across >= POINT else 0.0


def less_doubt(
    table: Table, question: Move | Charge, off: Mapping[str, float], *, target: str = "", slim: bool = False
) -> Table:
    """Return a table that allows all that any placement within the doubts allows.

    Other bases cover at least a disc that is smaller by their doubt, or none when no more than a point is left; contact
    with a target ends within its doubt. A zone in which the mover may or may not start does not count. The mover starts
    where the file has it: either it can go from there to wherever it really stands (`roomy`), or it is slim: a way from
    any place within its doubt, shifted to where the file has it, is a way for a base smaller by its doubt, and ends
    within twice that.

    Parameters
    ----------
    table, question
        What is asked of what.
    off
        Doubts by model, inches.
    target
        The one enemy whose contact is looked for; the zones of all other targets do not count.
    slim
        Whether the mover is made smaller by its doubt, which has to leave some of it (`left`).

    """
    mover = table.model(question.model)
    own = off.get(mover.id, 0.0) if slim else 0.0
    loose = {m.id for m in possibly_stuck(table, mover, off)} if off else set()
    several = isinstance(question, Charge) and len(question.targets) > 1
    models = table.models
    gone = set()
    for m in table.standing():
        doubt = off.get(m.id, 0.0)
        if m.id == mover.id:
            models = models.with_item(m.id, replace(m, base=left(m, own)))
        elif m.id == target:
            models = models.with_item(
                m.id, replace(m, base=m.base + 2 * doubt + 4 * own + (8 * own if takes_dice(table) else 0))
            )
        elif not left(m, doubt):
            gone.add(m.id)
        else:
            dropped = m.id in loose or (several and m.is_enemy(mover))
            less = replace(m, base=left(m, doubt), side="" if dropped else m.side)
            models = models.with_item(m.id, less)
    there = replace(table, models=models, off=table.off | gone)
    return there.under("charge_stays_in_zone", "no") if target in loose else there


def takes_dice(table: Table) -> bool:
    """Say whether anything on a table can be jumped, leapt or climbed."""
    return any(p.is_obstacle or "gap" in p.tags for p in table.terrain.values()) or any(
        m.prone for m in table.standing()
    )


def mired(table: Table, place: Point, radius: float) -> bool:
    """Say whether difficult ground lies nearer to a place than so many inches."""
    return any(
        p.difficult and p.shape is not None and float(p.shape.distance(place)) < radius for p in table.terrain.values()
    )


def more_doubt(table: Table, question: Move | Charge, off: Mapping[str, float], extra: float) -> Table:
    """Return a harder table to look for robust ways on: bases in the way larger by their doubts and a little.

    A base that the mover touches, or nearly, grows no further than to touch it.
    """
    mover = table.model(question.model)
    named = {mover.id, *(question.targets if isinstance(question, Charge) else ())}
    models = table.models
    for m in table.standing():
        if m.id in named:
            continue
        room = math.dist(m.at, mover.at) - mover.radius
        grown = max(m.radius, min(m.radius + off.get(m.id, 0.0) + extra, room - ROUNDING))
        models = models.with_item(m.id, replace(m, base=2 * grown))
    return replace(table, models=models)


def roomy(table: Table, mover: Model, off: Mapping[str, float]) -> tuple[bool, bool]:
    """Say whether a mover can go straight to wherever within its doubt it stands, and whether on open ground alone.

    Parameters
    ----------
    table, mover
        Where it stands.
    off
        Doubts by model, inches; of other bases no more is held to be there than the least.

    """
    own = off.get(mover.id, 0.0)
    for other in table.standing():
        least = other.radius - off.get(other.id, 0.0)
        if other.id != mover.id and math.dist(other.at, mover.at) < mover.radius + least + own:
            return False, False
    doubled = False
    for piece in table.terrain.values():
        if piece.shape is None:
            continue
        inside = piece.id == mover.on
        room = float(-piece.shape.depth(mover.at) if inside else piece.shape.distance(mover.at)) - mover.radius
        doubled |= piece.difficult and room < own
        if room < own and (inside or piece.is_obstacle or "gap" in piece.tags) and (inside or piece.on == mover.on):
            return False, doubled
    return True, doubled


def possibly_defended(table: Table, mover: str, target: str, off: Mapping[str, float]) -> bool:
    """Say whether a target may be defended by an obstacle in some placement."""
    if defended(table, mover, target):
        return True
    foe = table.model(target)
    doubt = off.get(target, 0.0)
    return doubt > 0 and any(
        p.is_obstacle and p.shape is not None and abs(float(p.shape.distance(foe.at)) - foe.radius) <= doubt + 2 * TOUCH
        for p in table.terrain.values()
    )


def free_shifts(table: Table, mover: Model, limit: float) -> int:
    """Return how many inches a smaller base may lose for every inch of doubt where rims are crossed for free."""
    steep = [
        p
        for p in table.terrain.values()
        if p.shape is not None
        and (p.tags & {"platform"} or (p.is_obstacle and p.top > (mover.height or 0.0) and "unscalable" not in p.tags))
        and float(p.shape.distance(mover.at)) <= limit + 4 * mover.radius + 1
    ]
    return 2 * min(_CROSSINGS, 2 * len(steep))
