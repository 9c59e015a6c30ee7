"""Unions and differences of areas that never fail on slivers.

Overlay of many thin polygons can stumble over rounding. Each operation is tried as it is, then on a grid so fine
that no stated error notices, then piece by piece.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import shapely

if TYPE_CHECKING:
    from collections.abc import Sequence

_GRIDS: Final = (0.0, 1e-9, 1e-7)  # inches; far below the error an area is reported with


def union(parts: Sequence[shapely.Geometry]) -> shapely.Geometry:
    """Return the union of areas (and lines), inches."""
    kept = [p if p.is_valid else shapely.make_valid(p) for p in parts if not p.is_empty]
    if not kept:
        return shapely.Polygon()
    for grid in _GRIDS:
        try:
            return shapely.union_all(kept, grid_size=grid or None)
        except shapely.errors.GEOSException:
            continue
    whole = kept[0]
    for part in kept[1:]:
        whole = _either(shapely.union, whole, part)
    return whole


def difference(one: shapely.Geometry, two: shapely.Geometry) -> shapely.Geometry:
    """Return what of one area lies outside another, inches."""
    return _either(shapely.difference, one, two)


def _either(operation: object, one: shapely.Geometry, two: shapely.Geometry) -> shapely.Geometry:
    for grid in _GRIDS:
        try:
            return operation(one, two, grid_size=grid or None)  # type: ignore[operator]
        except shapely.errors.GEOSException:
            continue
    sound = [shapely.make_valid(shapely.set_precision(shape, 1e-6)) for shape in (one, two)]
    return operation(*sound, grid_size=1e-6)  # type: ignore[operator]
