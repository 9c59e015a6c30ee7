"""Finds whether a model sees another for every placement within the doubts, or for none.

The line from an eye to a place of the target moves with the two by at most the greater of their doubts. So a line that
is free of all things grown by that much, and by their own doubts, is free for every placement; and a target that is
hidden by all things shrunk by as much is hidden for every placement.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import shapely

from sbg_sim.errors import SbgError
from sbg_sim.geometry import shapes
from sbg_sim.geometry.regions import Region
from sbg_sim.rules.sight import look
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.nearby import pieces_near
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sbg_sim.geometry.shapes import Shape
    from sbg_sim.table.board import Table


def surely_sees(table: Table, looker: str, target: str, off: Mapping[str, float]) -> bool | None:
    """Return True if a model sees another for every placement, False if for none, None if that depends on it.

    Parameters
    ----------
    table, looker, target
        The table, and the ids of the model that looks and of its target.
    off
        Doubts by model, inches.

    """
    ends = max(off.get(looker, 0.0), off.get(target, 0.0))
    try:
        if look(_changed(table, {looker, target}, off, ends), looker, target).seen:
            return True
        if not look(_changed(table, {looker, target}, off, -ends, shrink=True), looker, target).seen:
            return False
    except SbgError:
        return None
    return None


def _changed(table: Table, pair: set[str], off: Mapping[str, float], by: float, *, shrink: bool = False) -> Table:
    """Return a table with models and terrain in the way larger, or smaller, by their doubts and that of the line."""
    models = table.models
    gone = set()
    for m in table.standing():
        if m.id not in pair:
            base = m.base + 2 * (by - off.get(m.id, 0.0) if shrink else by + off.get(m.id, 0.0))
            if base <= 0:
                gone.add(m.id)
            else:
                models = models.with_item(m.id, replace(m, base=base))
    pieces = dict(table.terrain)
    ignored = table.rulings["sight_within"] == "ignored"
    one, other = (table.model(name) for name in pair)
    both, wide = np.array([one.at, other.at]), np.array([one.radius, other.radius])
    # A thing farther from the line between the two than lines of sight can move hides neither of them.
    between = Region(one.at, other.at, math.dist(one.at, other.at), float(wide.max()) + abs(by) + TOUCH)
    for piece in pieces_near(table, between):
        if piece.shape is None:
            continue
        inside = shrink and ignored and (piece.shape.distance(both) - wide).min() < -by
        shape = None if inside else resized(piece.shape, by)
        if shape is not None:
            pieces[piece.id] = replace(piece, shape=shape)
        elif inside or "platform" not in piece.tags:
            del pieces[piece.id]  # where the looker or the target may be within it hides neither
    there = replace(table, models=models, terrain=FrozenMap(pieces), off=table.off | gone)
    return there if shrink else there.under("sight_within", "blocks")


def resized(shape: Shape, by: float) -> Shape | None:
    """Return a shape grown by some inches (more at corners), or shrunk if negative; None if nothing is left."""
    if by == 0:
        return shape
    if not shape.rings:
        return replace_radius(shape, shape.radius + by)
    body = shape.to_shapely().buffer(by, join_style="mitre", mitre_limit=50)
    if body.is_empty or body.geom_type != "Polygon":
        return None if by < 0 else shapes.polygon(list(shapely.convex_hull(body).exterior.coords))
    return shapes.polygon(list(body.exterior.coords), [list(ring.coords) for ring in body.interiors])


def replace_radius(shape: Shape, radius: float) -> Shape | None:
    """Return a circle or a thick line with another radius; None if nothing is left."""
    return None if radius <= 0 else replace(shape, radius=radius)
