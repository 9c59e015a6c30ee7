"""Faults of placement: models over the table's edge, in each other, in something solid, or over a rim."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import shapely

from sbg_sim.table.joining import joined
from sbg_sim.table.levels import is_level
from sbg_sim.tolerance import LARGEST, ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from sbg_sim.arrays import Bools, Floats
    from sbg_sim.geometry.shapes import Shape
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain

Told: TypeAlias = "Iterator[tuple[tuple[str | int, ...], str]]"

LISTED: Final = 100
"""At most this many overlaps are listed: a heap of models has as many as it has pairs."""

_CHUNK: Final = 100  # bases or pieces compared with all others at a time: bounds the memory for a heap of models


def placement_faults(table: Table, sound: Mapping[str, Terrain], *, about: str | None = None) -> Told:
    """Yield the faults of the places of models.

    Parameters
    ----------
    table
        The table.
    sound
        The pieces whose shapes can be used.
    about
        The id of a model: only models that could touch it are examined.

    """
    if all(p.on is None or p.on in sound for p in table.terrain.values()) and len(sound) == len(table.terrain):
        table = joined(table)
        sound = table.terrain
    me = None if about is None else table.models[about]
    some = [m for m in table.standing() if me is None or math.dist(m.at, me.at) <= m.radius + me.radius]
    standing = [m for m in some if m.base > 0 and all(abs(v) <= LARGEST for v in (*m.at, m.base))]
    for model in standing:
        (x, y), r = model.at, model.radius
        over = max(r - x, r - y, x + r - table.width, y + r - table.depth)
        if over > TOUCH:
            yield ("models", model.id, "at"), f"its base lies {over:.6g} in over the table's edge"
    by_surface: dict[str | None, list[Model]] = {}
    solid: dict[str | None, list[Terrain]] = {}
    for model in standing:
        by_surface.setdefault(model.on, []).append(model)
    for piece in sound.values():
        if piece.shape is not None and (piece.is_obstacle or "gap" in piece.tags):
            solid.setdefault(piece.on, []).append(piece)
    for surface, there in by_surface.items():
        at = np.array([m.at for m in there])
        radii = np.array([m.radius for m in there])
        yield from _overlaps(there, at, radii)
        yield from _inside(there, at, radii, solid.get(surface, []), table)
        top = sound.get(surface or "")
        if top is not None and top.shape is not None and is_level(top):
            out = top.shape.depth(at)
            reach = out + (radii if table.rulings["stand_on"] == "whole" else 0.0)
            yield from _over_the_rim(there, reach, out <= TOUCH, top)


def _over_the_rim(there: list[Model], over: Floats, within: Bools, top: Terrain) -> Told:
    for i in np.flatnonzero(over > TOUCH):
        fell = there[i].prone and "gap" in top.tags and within[i]  # into a gap narrower than its base
        if not there[i].climbed and not fell:  # a climber hangs on the face
            yield (
                ("models", there[i].id, "at"),
                f"its base reaches {over[i]:.6g} in over the rim of `{top.id}`",
            )


def _boxes(at: Floats, radii: Floats) -> NDArray[Any]:
    boxes: NDArray[Any] = shapely.box(at[:, 0] - radii, at[:, 1] - radii, at[:, 0] + radii, at[:, 1] + radii)
    return boxes


def _overlaps(there: list[Model], at: Floats, radii: Floats) -> Told:
    boxes = _boxes(at, radii)
    tree = shapely.STRtree(boxes)
    told = 0
    for start in range(0, len(there), _CHUNK):
        one, two = tree.query(boxes[start : start + _CHUNK])  # in chunks: a heap has n*n pairs
        one = one + start
        one, two = one[one > two], two[one > two]
        lack = radii[one] + radii[two] - np.hypot(*(at[one] - at[two]).T)
        for i in np.flatnonzero(lack > TOUCH):
            key = ("models", there[one[i]].id, "at")
            told += 1
            if told > LISTED:
                yield key, f"and more: only the first {LISTED} overlaps are listed"
                return
            by = f"{lack[i]:.6g} in"
            yield key, f"its base overlaps that of `{there[two[i]].id}` by {by}; they may only touch"


def _inside(
    there: list[Model],
    at: Floats,
    radii: Floats,
    pieces: list[Terrain],
    table: Table,
) -> Told:
    """Yield the bases that overlap something solid, or a gap, on their own surface."""
    tree = shapely.STRtree(_boxes(at, radii))
    points = shapely.points(at)
    told = 0
    for start in range(0, len(pieces), _CHUNK):
        some = pieces[start : start + _CHUNK]
        shapes = [p.shape for p in some if p.shape is not None]
        which, who = tree.query(shapely.box(*np.array([s.bounds for s in shapes]).T))
        bodies = np.full(len(shapes), None)
        for i in np.unique(which):
            bodies[i] = _body(shapes[i])
        grown = np.array([s.radius for s in shapes])
        lack = radii[who] + grown[which] - shapely.distance(bodies[which], points[who])
        for i in np.flatnonzero(lack > TOUCH):
            reason = _why_not_there(there[who[i]], some[which[i]], table)
            if reason:
                told += 1
                if told > LISTED:
                    return
                yield ("models", there[who[i]].id, "at"), reason


def _body(shape: Shape) -> shapely.Geometry:
    """Return a shape without its radius, as a geometry: distances to it are exact."""
    if shape.rings:
        return shape.to_shapely()  # several parts, where gaps cut a top in two
    return shapely.Point(shape.spine[0]) if len(shape.spine) == 1 else shapely.LineString(shape.spine)


def _why_not_there(model: Model, piece: Terrain, table: Table) -> str:
    """Say why a base may not overlap a piece on its own surface; empty if it may."""
    assert piece.shape is not None
    if model.id in piece.lets_through:
        return ""
    half, exactly = (model.height or 0) / 2, table.rulings["obstacle_exactly_half"] == "free"

    def free(rise: float | None) -> bool:
        return model.height is not None and rise is not None and (rise < half or (exactly and rise <= half))

    # By its centre it stands half over the next step or ditch.
    beside = table.rulings["stand_on"] == "centre" and float(piece.shape.depth([model.at])[0]) >= -TOUCH
    if not piece.is_obstacle:  # a gap: only a model that fell in, and is prone, is in it
        return "" if model.prone or (beside and free(piece.depth)) else f"its base stands over the gap `{piece.id}`"
    if piece.tags & {"platform"} and piece.height is not None:
        if beside and piece.top <= (model.height or 0) + ROUNDING:
            return ""
        return f'its base overlaps `{piece.id}`; if it stands on top, say on = "{piece.id}"'
    if table.rulings["end_on_low_obstacle"] == "yes" and free(piece.top):
        return ""
    return f"its base overlaps `{piece.id}`; they may only touch"
