"""The doubts of models, and tables that allow more, or less, than every placement within them."""

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

_CROSSINGS = 12  # most free shifts of one move that may be shorter for a smaller base: a generous bound


def doubts_of(table: Table) -> dict[str, float]:
    """Return the doubt of each model on the table, inches: its own, else the table's tolerance; those of 0 left out."""
    found = {m.id: table.tolerance if m.doubt is None else m.doubt for m in table.standing()}
    return {name: doubt for name, doubt in found.items() if doubt > 0}


def given(table: Table, doubts: Mapping[str, float | str]) -> dict[str, float]:
    """Return given doubts in inches, those of 0 left out; QuestionError for impossible ones."""
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
    """Return the enemies in whose zone the mover stands for every placement of the two (CZ.4)."""
    return [m for m, room in _zones(table, mover) if room < -off.get(mover.id, 0.0) - off.get(m.id, 0.0)]


def _zones(table: Table, mover: Model) -> list[tuple[Model, float]]:
    return [
        (m, math.dist(m.at, mover.at) - m.radius - mover.radius - ZONE_WIDTH)
        for m in table.standing()
        if m.id != mover.id and m.is_enemy(mover) and m.has_zone
    ]


def left(model: Model, doubt: float) -> float:
    """Return the diameter of the disc that a base covers for every placement within a doubt, inches; 0 for a point."""
    across = model.base - 2 * doubt
    return across if across >= POINT else 0.0


def less_doubt(
    table: Table, question: Move | Charge, off: Mapping[str, float], *, target: str = "", slim: bool = False
) -> Table:
    """Return a table that allows all that any placement within the doubts allows.

    Other bases cover at least a disc that is smaller by their doubt, or nothing if no more than a point is left;
    contact with a target ends within its doubt. A zone in which the mover may or may not start does not count. The
    mover starts at its place in the file: either it can go from there to any place within its doubt (`roomy`), or it is
    slim: a way from any such place, shifted to the place in the file, is a way for a base smaller by the doubt, and
    ends within twice the doubt.

    Parameters
    ----------
    table, question
        The table, and the question.
    off
        Doubts by model, inches.
    target
        The one enemy whose contact is sought; the zones of all other targets do not count.
    slim
        Whether the mover is made smaller by its doubt, which must leave some of it (`left`).

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
    """Say whether difficult ground lies nearer to a place than ``radius`` inches."""
    return any(
        p.difficult and p.shape is not None and float(p.shape.distance(place)) < radius for p in table.terrain.values()
    )


def more_doubt(table: Table, question: Move | Charge, off: Mapping[str, float], extra: float) -> Table:
    """Return a harder table for finding robust ways: bases in the way larger by their doubts and ``extra`` inches.

    A base that the mover all but touches grows only until it touches the mover.
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
    """Say whether a mover can go straight to any place within its doubt, and whether difficult ground is near.

    Parameters
    ----------
    table, mover
        The table and the mover.
    off
        Doubts by model, inches; other bases count with the least that they cover.

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
    """Return how many inches a smaller base may save per inch of doubt where rims are crossed for free."""
    steep = [
        p
        for p in table.terrain.values()
        if p.shape is not None
        and (p.tags & {"platform"} or (p.is_obstacle and p.top > (mover.height or 0.0) and "unscalable" not in p.tags))
        and float(p.shape.distance(mover.at)) <= limit + 4 * mover.radius + 1
    ]
    return 2 * min(_CROSSINGS, 2 * len(steep))
