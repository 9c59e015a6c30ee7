"""Shapes and areas as patches: circles stay circles, areas are drawn with few vertices."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely
from matplotlib.patches import Circle, PathPatch
from matplotlib.path import Path
from matplotlib.textpath import TextPath
from matplotlib.transforms import Affine2D

from sbg_sim.table.levels import taller_tops
from sbg_sim.tolerance import SLIVER

if TYPE_CHECKING:
    from matplotlib.patches import Patch

    from sbg_sim.geometry.shapes import Point, Shape
    from sbg_sim.table.board import Table
    from sbg_sim.table.frozen import FrozenMap
    from sbg_sim.table.terrain import Terrain

_FINE: Final = 0.004  # inches by which an outline may be off: a tenth of a line's width at the usual scale
_PART: Final = 1e-3  # and as a share of the thing's extent, for views that are enlarged


def shape_patch(shape: Shape, **style: Any) -> Patch:
    """Return a patch of a table shape: a true circle for a disc."""
    if shape.kind == "circle":
        return Circle(shape.spine[0], shape.radius, **style)
    return area_patch(_body(shape), **style)


def area_patch(area: shapely.Geometry, **style: Any) -> Patch:
    """Return a patch of an area in inches."""
    return PathPatch(path_of(area), **style)


def open_to_view(table: Table, piece: Terrain) -> shapely.Geometry | None:
    """Return the part of a piece that is seen from above, perhaps empty; None if no taller top covers any of it.

    A piece that overlaps a taller platform on the same level ends at its rim.
    """
    return table.terrain.derived(f"open to view {piece.id}", lambda terrain: _open_to_view(terrain, piece))


def _open_to_view(terrain: FrozenMap[str, Terrain], piece: Terrain) -> shapely.Geometry | None:
    if piece.shape is None:
        return None
    body = _body(piece.shape)
    over = [_body(p.shape) for p in taller_tops(terrain, piece) if p.shape is not None]
    over = [top for top in over if shapely.intersection(top, body).area > SLIVER]
    if not over:
        return None
    left = shapely.difference(body, shapely.union_all(over))
    return shapely.MultiPolygon([part for part in polygons(left) if part.area > SLIVER])


def _body(shape: Shape) -> shapely.Geometry:
    x0, y0, x1, y1 = shape.bounds
    return shape.to_shapely(tolerance=min(_FINE, _PART * max(x1 - x0, y1 - y0)))


def sign_of(text: str) -> Path:
    """Return a text as a marker path; matplotlib's own text markers are formulas, and names may hold dollar signs."""
    path = TextPath((0, 0), text, size=1)
    return path.transformed(Affine2D().translate(*(-np.asarray(path.get_extents().get_points()).mean(axis=0))))


def path_of(area: shapely.Geometry, fine: float = _FINE, share: float = _PART) -> Path:
    """Return an area (polygons with holes, any number of them) as one path that strays by at most ``fine`` inches.

    A small area may be all that is seen: the path strays by no more than ``share`` of its extent.
    """
    x0, y0, x1, y1 = area.bounds
    fine = min(fine, share * max(x1 - x0, y1 - y0))
    simple = shapely.simplify(area, fine) if fine > 0 else area
    vertices: list[np.ndarray[Any, Any]] = []
    codes: list[Any] = []
    for part in polygons(simple):
        ordered = shapely.geometry.polygon.orient(part)
        for ring in (ordered.exterior, *ordered.interiors):
            xy = np.asarray(ring.coords)[:, :2]
            vertices.append(np.round(xy, 5))
            codes += [Path.MOVETO, *([Path.LINETO] * (len(xy) - 2)), Path.CLOSEPOLY]
    if not vertices:
        return Path(np.zeros((1, 2)), [Path.MOVETO])
    return Path(np.concatenate(vertices), codes)


def polygons(area: shapely.Geometry) -> list[shapely.Polygon]:
    """Return the polygons in an area, empty ones and loose lines left out."""
    return (
        [p for p in shapely.get_parts(area).tolist() if isinstance(p, shapely.Polygon) and not p.is_empty]
        if (not isinstance(area, shapely.GeometryCollection) or isinstance(area, shapely.MultiPolygon))
        else [q for p in area.geoms for q in polygons(p)]
    )


def lines_of(area: shapely.Geometry) -> list[shapely.LineString]:
    """Return the loose lines in an area (places with a length but no breadth), joined where they meet."""
    merged = shapely.line_merge(shapely.MultiLineString(_pieces(area)))
    return [line for line in shapely.get_parts(merged).tolist() if not line.is_empty]


def _pieces(area: shapely.Geometry) -> list[shapely.LineString]:
    parts = shapely.get_parts(area).tolist() if not area.is_empty else []
    found = [p for p in parts if isinstance(p, shapely.LineString)]
    return found + [q for p in parts if isinstance(p, shapely.MultiLineString) for q in _pieces(p)]


def shape_middle(shape: Shape) -> Point:
    """Return a point well inside a shape, for its label."""
    if shape.kind == "circle":
        return shape.spine[0]
    if shape.kind == "line":
        return _half_way(list(shape.spine))
    body = shape.to_shapely(tolerance=_FINE)
    middle = body.centroid
    if not body.contains(middle):
        middle = body.representative_point()
    return float(middle.x), float(middle.y)


def _half_way(points: list[Point]) -> Point:
    """Return the midpoint of a polyline, by length."""
    left = sum(math.dist(a, b) for a, b in itertools.pairwise(points)) / 2
    for a, b in itertools.pairwise(points):
        step = math.dist(a, b)
        if left <= step and step > 0:
            return a[0] + (b[0] - a[0]) * left / step, a[1] + (b[1] - a[1]) * left / step
        left -= step
    return points[-1]
