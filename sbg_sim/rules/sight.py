"""Line of sight by the rules: the eye, and the volumes of models and terrain in the way (CHG.1, PRN.1).

The eye is above the centre of the base at the model's height, half that if it is prone; or, by the ruling ``eye``,
anywhere over the base at that height. Every piece of terrain with a height is an upright prism on the level where it
stands, every model a round one; the volumes of the looker and of the target are never in the way. No look passes
between a platform and a piece that stands on it, and looks pass under pieces that jut out over a platform's edge
(:mod:`~sbg_sim.table.bodies`). At the bottom of a gap of known depth the sides of the gap are in the way.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.errors import QuestionError
from sbg_sim.geometry.panorama import Prism
from sbg_sim.geometry.regions import Region
from sbg_sim.geometry.shapes import circle
from sbg_sim.geometry.sight import View, in_the_way, view
from sbg_sim.geometry.vista import plain_looks
from sbg_sim.geometry.weak_visibility import view_from_disc
from sbg_sim.table.board import height_of
from sbg_sim.table.bodies import bodies, reach_of_body
from sbg_sim.table.joining import ground_about
from sbg_sim.table.levels import supports
from sbg_sim.table.nearby import pieces_near, standing_near
from sbg_sim.table.terrain import Terrain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.geometry.panorama import Place
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model


@dataclass(frozen=True, slots=True)
class Look:
    """Whether one model sees another.

    Parameters
    ----------
    seen
        Whether any part of the target is seen.
    line
        The sightline as two points in space, inches; None when nothing is seen.
    hidden_by
        Ids of the terrain and models that together hide all of the target.
    hides
        Ids, each with the angles between which it hides at least a part of the target: radians, counter-clockwise, seen
        from :attr:`eye`.
    margin
        Height of the widest visible band found, inches; 0 when the look only grazes, negative when hidden.
    eye
        The point from which the answer is given, inches.
    certain
        False if the search for an eye ended undecided (only under ``eye = "volume"``).

    """

    seen: bool
    line: tuple[Place, Place] | None = None
    hidden_by: tuple[str, ...] = ()
    hides: tuple[tuple[str, float, float], ...] = ()
    margin: float = -math.inf
    eye: Place = (0.0, 0.0, 0.0)
    certain: bool = True


def look(table: Table, looker_id: str, target_id: str, *, at: Point | None = None, widest: bool = True) -> Look:
    """Find whether a model sees any part of another.

    A missing height is an error only if something stands between the two.

    Parameters
    ----------
    table
        The table.
    looker_id, target_id
        Ids of the model that looks, and of the model that it looks at.
    at
        The place of the looker's centre, inches; by default where it stands.
    widest
        Whether the sightline with the widest band is wanted; if not, any will do.

    Returns
    -------
    The look: a sightline, or the terrain and models that hide the target.

    Raises
    ------
    UnknownNameError
        For an id that the table does not have.
    QuestionError
        If a model looks at itself or is not on the table yet, or if a missing height may decide the answer.

    """
    looker, target = table.model(looker_id), table.model(target_id)
    if looker_id == target_id:
        raise QuestionError(f"{looker_id} cannot look at itself")
    for name in {target_id} if at is not None else {looker_id, target_id}:
        if name in table.off:
            raise QuestionError(f"{name} is not on the table yet")
    x, y = at if at is not None else looker.at
    foot, goal = standing_height(table, looker), _volume(table, target, missing=0.0)
    width = looker.radius if table.rulings["eye"] == "volume" else 0.0
    names, prisms = _in_the_way(table, (looker, target), goal, (x, y), width)
    if prisms:
        height_of(target)
    eye = (x, y, foot + (_tall(looker) if prisms or looker.height is not None else 0.0))
    grazing = table.rulings["sight_grazing"] == "passes" or not prisms  # without prisms nothing is grazed
    certain = True
    if width and prisms:
        found, eye, certain = view_from_disc(eye, width, goal, prisms, grazing=grazing)
    else:
        found = view(eye, goal, prisms, grazing=grazing, widest=widest)
    return _look_of(found, eye, names, certain=certain)


def looks_at_once(table: Table, looker: Model, targets: Sequence[Model]) -> dict[str, Look]:
    """Return the looks at those targets that are plainly seen or hidden, by id; the others are left to :func:`look`.

    Parameters
    ----------
    table, looker, targets
        The table, the model that looks, and the models that it looks at; all of them stand on the table.

    """
    block = table.rulings["models_block_sight"] == "yes"
    others = [m for m in table.standing() if m.id != looker.id] if block else []
    if table.rulings["eye"] != "centre" or table.rulings["sight_grazing"] != "passes":
        return {}
    if any(m.height is None for m in (looker, *targets, *others)):
        return {}
    foot = standing_height(table, looker)
    goals = [_volume(table, target) for target in targets]
    number = {target.id: i for i, target in enumerate(targets)}
    every = [piece for piece in table.terrain.values() if has_volume(piece)]
    things: list[tuple[Terrain | Model | None, Prism]] = [(one, prism) for one in every for prism in _solid(table, one)]
    if (least := min([foot, *(goal.low for goal in goals)])) < 0:
        things += [(None, Prism(shape, least - 1.0, 0.0)) for _, shape in ground_about(table)]
    own = np.array([*(-1 for _ in things), *(number.get(other.id, -1) for other in others)], dtype=np.intp)
    things += [(other, _body(table, other)) for other in others]
    seen, hidden = plain_looks((*looker.at, foot + _tall(looker)), goals, [prism for _, prism in things], own)
    found = {target.id: Look(seen=True) for target, plain in zip(targets, seen, strict=True) if plain}
    for i, k in hidden.items():
        hider, _ = things[k]
        inside = isinstance(hider, Terrain) and _within(table, hider, looker, looker.at, goals[i])
        if hider is not None and not inside:
            found[targets[i].id] = Look(seen=False, hidden_by=(hider.id,))
    return found


def standing_height(table: Table, thing: Model | Terrain) -> float:
    """Return the height above the table of a model's feet, or of the foot of a piece of terrain, inches.

    Raises
    ------
    UnknownNameError
        If it stands on a platform that the table does not have.
    QuestionError
        If platforms stand on each other in a ring.

    """
    height = getattr(thing, "climbed", 0.0)
    on, passed = thing.on, [thing.id]
    while on is not None:
        if on in passed:
            raise QuestionError(f"{' stands on '.join([*passed, on])}: nothing can stand on itself")
        passed.append(on)
        piece = table.piece(on)
        height += -(piece.depth or 0.0) if "gap" in piece.tags else piece.top
        on = piece.on
    return height


def has_volume(piece: Terrain) -> bool:
    """Say whether a piece of terrain can be in the way of a look: it has a shape and rises above its level."""
    return piece.shape is not None and piece.top > 0 and not piece.tags & {"gap", "ladder"}


def _tall(model: Model) -> float:
    """Return the height of a model that counts for a look: half of it if prone (PRN.1)."""
    return height_of(model) / (2 if model.prone else 1)


def _volume(table: Table, model: Model, *, missing: float | None = None) -> Prism:
    foot = standing_height(table, model)
    height = missing if model.height is None and missing is not None else _tall(model)
    return Prism(circle(model.at, model.radius), foot, foot + height)


def _in_the_way(
    table: Table, pair: tuple[Model, Model], goal: Prism, at: Point, width: float
) -> tuple[list[str], list[Prism]]:
    """Return the prisms near the strip between the looker and its target, with their names."""
    looker, target = pair
    unknown = looker.height is None or target.height is None
    foot = standing_height(table, looker)
    eye = (*at, foot if unknown else foot + _tall(looker))
    # with an unknown height no prism is left out by its height
    wide = Prism(circle(target.at, target.radius + width), goal.low, math.inf if unknown else goal.high)
    names, prisms = [], []

    def consider(name: str, prism: Prism) -> None:
        if in_the_way(eye, wide, prism):
            names.append(name)
            prisms.append(prism)

    strip = Region(at, target.at, math.dist(at, target.at), wide.shape.radius)
    for piece in pieces_near(table, strip):
        if has_volume(piece) and not _within(table, piece, looker, at, goal):
            for prism in _solid(table, piece):
                consider(piece.id, prism)
    if min(foot, goal.low) < 0:
        for first, shape in ground_about(table):
            name = next((_gap_under(table, m) for m in pair if standing_height(table, m) < 0), first)
            consider(name, Prism(shape, min(foot, goal.low) - 1.0, 0.0))
    if table.rulings["models_block_sight"] == "yes":
        for other in standing_near(table, strip):
            if other not in pair and in_the_way(eye, wide, _volume(table, other, missing=math.inf)):
                consider(other.id, _body(table, other))
    return names, prisms


def _solid(table: Table, piece: Terrain) -> list[Prism]:
    """Return the prisms of a piece of terrain."""
    return [Prism(shape, low, high) for shape, low, high in bodies(table, piece)]


def _body(table: Table, model: Model) -> Prism:
    """Return a model as a prism in the way, reaching down to its level; for one that hangs on a face, its volume."""
    body, low = _volume(table, model), reach_of_body(table, model)
    return body if low is None else replace(body, low=low)


def _gap_under(table: Table, model: Model) -> str:
    """Return the gap in which a model stands, at its bottom or on a stone in it: the ground about it is in the way."""
    on = model.on or ""
    return ([on, *supports(table, on)] if on else [on])[-1]


def _within(table: Table, piece: Terrain, looker: Model, at: Point, goal: Prism) -> bool:
    """Say whether the looker or the target is inside a piece which, by the ruling, does not hide it."""
    if table.rulings["sight_within"] == "blocks" or piece.shape is None:
        return False
    low = standing_height(table, piece)
    (spot,) = goal.shape.spine
    return any(
        low <= foot < low + piece.top and float(piece.shape.distance(where)) < radius
        for where, radius, foot in (
            (at, looker.radius, standing_height(table, looker)),
            (spot, goal.shape.radius, goal.low),
        )
    )


def _look_of(found: View, eye: Place, names: list[str], *, certain: bool) -> Look:
    hides = tuple((names[i], first, last) for i, first, last in found.hides)
    by = tuple(dict.fromkeys(name for name, _, _ in hides))
    return Look(found.seen, found.line, by, hides, found.margin, eye, certain)
