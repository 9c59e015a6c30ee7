"""The rims within which a level is stood on: its outline, shrunk by what a base keeps from it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from sbg_sim.geometry.grown import Grown, grown
from sbg_sim.geometry.pieces import Piece, rim_pieces, segment
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sbg_sim.geometry.shapes import Shape
    from sbg_sim.solver.space.configuration_space import Space

_KEPT: Final = 256
"""Rims of pieces of terrain kept from question to question: they stand still while models move."""


def inner_rim(space: Space, shape: Shape | None = None) -> tuple[Piece, ...]:
    """Return the rim within which a platform's top, or another shape, is stood on: it shrunk by the mover's radius."""
    shape = space.inside if shape is None else shape
    assert shape is not None
    return _inner_rim(shape, space.margin, space.radius)


def whole_rim(space: Space, shape: Shape | None = None) -> tuple[Piece, ...]:
    """Return the rim of where the whole base stands on a top, if it has such room: who climbs starts and ends there."""
    shape = space.inside if shape is None else shape
    assert shape is not None
    return _inner_rim(shape, space.radius, space.radius) or inner_rim(space, shape)


@lru_cache(maxsize=_KEPT)
def _inner_rim(shape: Shape, margin: float, radius: float) -> tuple[Piece, ...]:
    if not shape.rings:
        room = shape.radius - margin
        if room < -TOUCH:
            return ()
        if room <= TOUCH:  # just as wide as the base: the middle is all there is to stand on
            return tuple(segment(a, b) for a, b in shape.capsules.reshape(-1, 2, 2).tolist())
        return tuple(rim_pieces(grown([(shape, -margin)])))
    caps = shape.capsules
    if not margin:
        return tuple(segment(a, b) for a, b in caps.reshape(-1, 2, 2).tolist())
    body = Grown(caps, np.full(len(caps), radius), (), np.zeros(len(caps), dtype=np.int64), ())
    rim = tuple(rim_pieces(body, [], shape.contains))
    return rim or _only_place(shape, radius)


def _only_place(shape: Shape, radius: float) -> tuple[Piece, ...]:
    """Return the one place for a base on a top that is just as wide; none where it is narrower."""
    line = shapely.maximum_inscribed_circle(shape.to_shapely(), TOUCH / 10)
    x, y = line.coords[0]
    return (segment((x, y), (x, y)),) if line.length >= radius - TOUCH else ()


def flush_with(rim: Iterable[Piece], inner: Space) -> tuple[Piece, ...]:
    """Return the parts of a face that lie flush with a level's own outline: not those under what sticks out of it."""
    assert inner.inside is not None
    shape, apart = inner.inside, inner.margin - TOUCH
    return tuple(p for p in rim if float(shape.depth(p.at(np.array([p.length / 2])))[0]) >= apart)
