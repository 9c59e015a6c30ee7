"""Checks whether one straight look is free, along its line alone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

from sbg_sim.geometry.shapes import circle
from sbg_sim.referee.curves import segment
from sbg_sim.referee.outline import below
from sbg_sim.table.bodies import bodies, reach_of_body
from sbg_sim.table.levels import elevation
from sbg_sim.tolerance import GRAZE, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sbg_sim.geometry.shapes import Shape
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain

Prism: TypeAlias = "tuple[str, Shape, float, float]"
"""An id, an outline, and the heights of its foot and its top, inches."""


def sightline_faults(table: Table, looker: Model, target: Model, line: Sequence[Sequence[float]]) -> list[str]:
    """Return the faults of a line of sight, a sentence each; empty if it is free (CHG.1).

    Parameters
    ----------
    table
        The table.
    looker, target
        The model that looks, and its target.
    line
        The eye and a place of the target's volume, ``[x, y, z]`` each, inches.

    """
    (x, y, z), (u, v, w) = line
    found = []
    wide = looker.radius if table.rulings["eye"] == "volume" else 0.0
    eye = _foot(table, looker) + _tall(looker)
    if math.dist((x, y), looker.at) > wide + TOUCH or abs(z - eye) > TOUCH:
        found.append(f"the look does not start at the eye of {looker.id}")
    foot = _foot(table, target)
    if math.dist((u, v), target.at) > target.radius + TOUCH or not -TOUCH <= w - foot <= _tall(target) + TOUCH:
        found.append(f"the look does not end on {target.id}")
    return found + [
        f"{name} is in the way of the look at {target.id}" for name in hidden_by(table, looker, target, line)
    ]


def hidden_by(table: Table, looker: Model, target: Model, line: Sequence[Sequence[float]]) -> list[str]:
    """Return the ids of the models and terrain that a straight look passes through."""
    (x, y, z), (u, v, w) = line
    curve = segment((x, y), (u, v))
    blocks = table.rulings["sight_grazing"] == "blocks"
    found = []
    reach = GRAZE if blocks else -GRAZE
    for name, shape, foot, high in _prisms(table, looker, target):
        for first, last in below(curve, shape, reach):
            share = (first / curve.length, last / curve.length) if curve.length else (0.0, 1.0)
            heights = [z + (w - z) * s for s in share]
            between = min(heights) < high + reach and max(heights) > foot - reach
            if between and (last - first > GRAZE or blocks):
                found.append(name)
                break
    return found


def _prisms(table: Table, looker: Model, target: Model) -> Iterator[Prism]:
    for piece in table.terrain.values():
        if piece.shape is None or piece.top <= 0 or piece.tags & {"gap", "ladder"}:
            continue
        if table.rulings["sight_within"] == "ignored" and any(_inside(table, m, piece) for m in (looker, target)):
            continue
        yield from ((piece.id, *body) for body in bodies(table, piece))
    if table.rulings["models_block_sight"] == "yes":
        for other in table.standing():
            if other.id not in {looker.id, target.id} and other.height is not None:
                foot, low = _foot(table, other), reach_of_body(table, other)
                yield other.id, circle(other.at, other.radius), foot if low is None else low, foot + _tall(other)


def _inside(table: Table, model: Model, piece: Terrain) -> bool:
    assert piece.shape is not None
    low, foot = _foot(table, piece), _foot(table, model)
    return low <= foot < low + piece.top and float(piece.shape.distance(model.at)) < model.radius


def _tall(model: Model) -> float:
    return (model.height or 0.0) / (2 if model.prone else 1)


def _foot(table: Table, thing: Model | Terrain) -> float:
    """Return the height above the ground of the foot of a model or piece, inches."""
    return float(getattr(thing, "climbed", 0.0)) + elevation(table, thing.on)
