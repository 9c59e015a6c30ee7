"""Doubts about a table: entries that can be played with but are hardly meant. They are reported, not refused."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
import shapely

from sbg_sim.table.joining import joined
from sbg_sim.table.levels import elevation
from sbg_sim.table.questions import Charge
from sbg_sim.tolerance import LOOSE, ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain

Told: TypeAlias = "Iterator[tuple[tuple[str | int, ...], str]]"

_FACES: Final = frozenset({"obstacle", "platform", "gap"})
_ABOUT_SIDES: Final = frozenset({"move", "charge", "reach"})


def table_doubts(table: Table) -> list[tuple[tuple[str | int, ...], str]]:
    """Return the doubtful entries of a table that has no fault.

    Returns
    -------
    Pairs of a path such as ``("models", "lurtz", "engaged")`` and a sentence with the consequence.

    """
    of_models = (*_sides(table), *_apart(table), *_touching(table), *_hanging(table))
    return [*of_models, *_untagged(table), *_odd_gaps(table), *_ladders(table)]


def _sides(table: Table) -> Told:
    """Yield models without a side, if a question involves Control Zones or charges (CZ.1, CHG.1).

    Models that a charge names are left out: its answer says so itself.
    """
    questions = [entry.question for entry in table.questions.values()]
    asked, charges = {question.ask for question in questions}, [q for q in questions if isinstance(q, Charge)]
    none = [model for model in table.models.values() if not model.side]
    if not none or len(table.models) < 2 or not asked & _ABOUT_SIDES:
        return
    if len(none) == len(table.models):
        yield ("models",), "no model has a side: nobody is an enemy, and nobody has a Control Zone"
        return
    told = {name for charge in charges for name in (charge.model, *charge.targets)}
    for model in (model for model in none if model.id not in told):
        yield ("models", model.id, "side"), "is missing: it is nobody's enemy, and its Control Zone binds nobody"


def _apart(table: Table) -> Told:
    """Yield models that are engaged, and so in contact, but stand apart (CHG.7), and at no barrier (CHG.8)."""
    slack = max(table.tolerance, LOOSE)
    for model in table.standing():
        for name in sorted(model.engaged & table.models.keys()):
            foe = table.models[name]
            if name < model.id or name in table.off or (model.on, model.climbed) != (foe.on, foe.climbed):
                continue
            apart = math.dist(model.at, foe.at) - model.radius - foe.radius
            if apart > slack and not _across(table, model, foe, slack):
                reason = f"`{name}` stands {apart:.4g} in away; engaged models are in contact"
                yield ("models", model.id, "engaged"), reason


def _across(table: Table, one: Model, other: Model, slack: float) -> bool:
    """Say whether two models stand at one obstacle that lies between them: contact across a barrier (CHG.8)."""
    line = shapely.LineString([one.at, other.at])
    return any(
        piece.shape is not None
        and "obstacle" in piece.tags
        and piece.on == one.on
        and all(float(piece.shape.distance(m.at)) <= m.radius + slack for m in (one, other))
        and line.intersects(piece.shape.to_shapely())
        for piece in joined(table).terrain.values()
    )


def _touching(table: Table) -> Told:
    """Yield enemies in contact of whom one is not engaged: that one may move, and both fight (CHG.2, PAIR.1)."""
    models = [m for m in table.standing() if m.side and not m.climbed]
    if not models:
        return
    places, radii = shapely.points([m.at for m in models]), np.array([m.radius for m in models])
    one, other = shapely.STRtree(places).query(places, predicate="dwithin", distance=radii + radii.max() + TOUCH)
    for i, k in zip(one.tolist(), other.tolist(), strict=True):
        model, foe = models[i], models[k]
        free = model.is_enemy(foe) and foe.id not in model.engaged and not (model.engaged and foe.engaged)
        if i < k and free and model.on == foe.on and math.dist(model.at, foe.at) <= radii[i] + radii[k] + TOUCH:
            first, second = (model, foe) if not model.engaged else (foe, model)
            reason = f"touches `{second.id}`, an enemy, and may move: who is held by it says `engaged`"
            yield ("models", first.id, "at"), reason


def _hanging(table: Table) -> Told:
    """Yield models some way up a face that touch no face, or none as high (CLB.4)."""
    for model in table.standing():
        if not model.climbed:
            continue
        heights = [_face(table, piece, model) for piece in table.terrain.values() if _touches(piece, model)]
        hangs = f"it hangs {model.climbed:g} in up a face, and "
        if not heights:
            yield ("models", model.id, "climbed"), hangs + "its base touches nothing that can be climbed"
        elif model.climbed > max(heights) + ROUNDING:
            yield ("models", model.id, "climbed"), f"{hangs}what its base touches is {max(heights):g} in high"


def _touches(piece: Terrain, model: Model) -> bool:
    """Say whether a base touches the foot of a ladder, or a face: that of a gap from inside."""
    if "ladder" in piece.tags:
        return piece.at is not None and math.dist(piece.at, model.at) <= model.radius + TOUCH
    if piece.shape is None or not piece.tags & _FACES:
        return False
    return abs(abs(float(piece.shape.edge_distance([model.at])[0])) - model.radius) <= TOUCH


def _face(table: Table, piece: Terrain, model: Model) -> float:
    """Return the height of a piece that a model touches above the model's level, inches."""
    foot, below = elevation(table, model.on), elevation(table, piece.on)
    if "ladder" in piece.tags:
        return piece.height or (elevation(table, piece.to) if piece.to else below) - foot
    return below + (0.0 if "gap" in piece.tags else piece.top) - foot


def _untagged(table: Table) -> Told:
    """Yield terrain without a tag: models walk through it, whatever its height (TER)."""
    for piece in table.terrain.values():
        if piece.tags:
            continue
        if piece.height:
            reason = "hides what is behind it, and hinders nobody: it has no tag; `obstacle` would put it in the way"
            yield ("terrain", piece.id, "height"), reason
        else:
            yield ("terrain", piece.id), "has neither tag nor height: it changes no answer"


def _odd_gaps(table: Table) -> Told:
    """Yield gaps with the tag of an obstacle or a platform, which has no effect (LEAP.1)."""
    for piece in table.terrain.values():
        for tag in sorted(piece.tags & {"obstacle", "platform"}) if "gap" in piece.tags else ():
            yield ("terrain", piece.id, "tags"), f"make it a gap: beside that tag `{tag}` has no effect"


def _ladders(table: Table) -> Told:
    """Yield ladders that stand farther from their platform than it is high, or in another platform (CLB.5)."""
    for piece in table.terrain.values():
        if "ladder" not in piece.tags or piece.at is None or piece.to is None:
            continue
        top, rise = table.piece(piece.to).shape, elevation(table, piece.to) - elevation(table, piece.on)
        apart = 0.0 if top is None else abs(float(top.edge_distance([piece.at])[0]))
        if apart > max(rise, 1.0):
            reason = f"is {apart:.4g} in from the rim of `{piece.to}`, which is {rise:g} in high"
            yield ("terrain", piece.id, "at"), reason
            continue
        own = 0.0 if top is None else float(top.depth([piece.at])[0])
        for within in _around(table, piece, piece.on, min(own, 0.0)):
            stands, above = within, [within]
            while above:
                stands = above[0]
                above = list(_around(table, piece, stands.id, min(own, 0.0)))
            reason = f'lies in `{within.id}`, where nobody can stand; if it stands on top, say on = "{stands.id}"'
            yield ("terrain", piece.id, "at"), reason


def _around(table: Table, ladder: Terrain, on: str | None, depth: float) -> Iterator[Terrain]:
    """Yield the platforms of a level that contain the foot of a ladder, other than the one to which it leads."""
    for other in table.terrain.values():
        if "platform" not in other.tags or other.on != on or other.id == ladder.to or other.shape is None:
            continue
        if ladder.at is not None and float(other.shape.depth([ladder.at])[0]) < depth - TOUCH:
            yield other
