"""Levels: the surfaces one can stand on, and which pieces of terrain make one level together.

A level is the ground (None), the top of a platform, or the bottom of a gap whose depth is told; it goes by the
id of its piece. Tops of one height that touch or overlap are one level, which goes by the first of their ids;
so are the bottoms of gaps that touch. A platform that stands in a gap and fills it to the brim is part of what
the gap is cut into.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import shapely

from sbg_sim.geometry.shapes import Shape, polygon, shape_distance
from sbg_sim.table.board import sound
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.tolerance import ROUNDING, SLIVER, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain

_MADE: Final = frozenset({"platform", "gap"})


@dataclass(frozen=True)
class _Joined:
    """Terrain with one piece for each level.

    Parameters
    ----------
    terrain
        The pieces; those that are part of another piece's level are left out.
    level
        The level that each left out piece is part of.
    parts
        By level, the pieces it is made of where there are several.

    """

    terrain: FrozenMap[str, Terrain]
    level: FrozenMap[str, str | None] = field(default_factory=FrozenMap)
    parts: FrozenMap[str, tuple[Terrain, ...]] = field(default_factory=FrozenMap)


def is_level(piece: Terrain) -> bool:
    """Say whether a piece has a surface to stand on: a platform's top, or the bottom of a gap of known depth."""
    if piece.shape is None:
        return False
    return ("platform" in piece.tags and math.isfinite(piece.top)) or ("gap" in piece.tags and piece.depth is not None)


def elevation(table: Table, level: str | None) -> float:
    """Return how high a level lies above the ground, inches; below 0 at the bottom of a gap.

    Raises
    ------
    UnknownNameError
        When the table has no such piece.

    """
    total, seen = 0.0, set()
    while level is not None and level not in seen:
        seen.add(level)
        piece = table.piece(level)
        total += -(piece.depth or 0.0) if "gap" in piece.tags else piece.top
        level = piece.on
    return total


def supports(table: Table, level: str | None) -> tuple[str, ...]:
    """Return what a level stands on or is cut into, down to the ground."""
    found: list[str] = []
    on = None if level is None else table.piece(level).on
    while on is not None and on not in found:
        found.append(on)
        on = table.piece(on).on
    return tuple(found)


def top_of(table: Table, piece: Terrain) -> float:
    """Return how high the top of a piece lies above the ground, inches."""
    return elevation(table, piece.on) + piece.top


def joined(table: Table) -> Table:
    """Return the table with one piece for each level: what touches and is level is one piece.

    The same table when there is nothing to join.
    """
    made = _made(sound(table))
    aloft = table.models.derived("aloft", _aloft) if made.level else ()
    moved = {m.id: replace(m, on=made.level[m.on]) for m in aloft if m.on and m.on in made.level}
    if made.terrain is table.terrain and not moved:
        return table
    models = FrozenMap({**table.models, **moved}) if moved else table.models
    return replace(table, terrain=made.terrain, models=models)


def _aloft(models: FrozenMap[str, Model]) -> tuple[Model, ...]:
    return tuple(m for m in models.values() if m.on)


def level_of(table: Table, name: str | None) -> str | None:
    """Return the id of the level that a piece is part of, in the table as :func:`joined` gives it."""
    level = _made(table).level
    return level[name] if name is not None and name in level else name


def piece_under(table: Table, level: str | None, at: Point) -> str | None:
    """Return which of the pieces that make a level lies under a place; the level itself where none does."""
    if level is None:
        return None
    parts = _made(table).parts.get(level, ())
    found = [p.id for p in parts if p.shape is not None and float(p.shape.distance([at])[0]) <= TOUCH]
    return level if not found or level in found else found[0]


def faces_of(table: Table, level: str, high: float) -> Shape | None:
    """Return the part of a platform's outline that reaches down to an elevation (inches); None when none does.

    What stands on a platform ends on it, but for where its side goes on down flush with that platform's own: under
    what sticks out of it one can go.
    """
    return table.terrain.derived(f"faces of {level} {high!r}", lambda _: _faces(table, level, high))


def _faces(table: Table, level: str, high: float) -> Shape | None:
    piece = table.piece(level)
    parts = _made(table).parts.get(level, ()) or (piece,)
    low = [p for p in parts if elevation(table, p.on) <= high + ROUNDING]
    if len(low) == len(parts):
        return piece.shape
    shapes = [p.shape for p in low if p.shape is not None]
    shapes += [s for p in parts if p not in low and (s := _flush(table, p, high)) is not None]
    return shapes[0] if len(shapes) == 1 else _union(shapes) if shapes else None


def _flush(table: Table, piece: Terrain, high: float) -> Shape | None:
    """Return what of a piece stands over the faces of the platform below that reach down to an elevation (inches)."""
    if piece.on is None or "platform" not in table.piece(piece.on).tags or not _cornered(piece, table.piece(piece.on)):
        return None
    below = faces_of(table, piece.on, high)
    if below is None or not below.rings or piece.shape is None or not _flush_somewhere(piece.shape, below):
        return None
    both = shapely.intersection(piece.shape.to_shapely(), below.to_shapely())
    corners = [p for shape in (piece.shape, below) for ring in shape.rings for p in ring]
    return None if both.area <= SLIVER else _outline(both, corners)


def _flush_somewhere(shape: Shape, other: Shape) -> bool:
    """Say whether two outlines run along one another."""
    near = shapely.buffer(shapely.boundary(other.to_shapely()), TOUCH)
    return bool(shapely.intersection(shapely.boundary(shape.to_shapely()), near).length > 4 * TOUCH)


def floor_at(table: Table, at: Point, below: float) -> tuple[str | None, float] | None:
    """Return the highest level under a place and below an elevation (inches), with its own; None when it is not told.

    Where a gap of unknown depth is cut into a level, that level is not there.
    """
    found: list[tuple[float, str | None]] = []
    pieces = [p for p in table.terrain.values() if p.shape is not None and float(p.shape.distance([at])[0]) <= TOUCH]
    cut = {p.on for p in pieces if "gap" in p.tags}
    if None not in cut:
        found.append((0.0, None))
    found += [(elevation(table, p.id), p.id) for p in pieces if is_level(p) and p.id not in cut]
    under = [row for row in found if row[0] < below - ROUNDING]
    if not under:
        return None
    high, level = max(under, key=lambda row: row[0])
    return level, high


def without_pits(table: Table, level: str, shape: Shape) -> list[Shape]:
    """Return an outline without the gaps of known depth that are cut into its level: one shape, or none."""
    pits = [p.shape for p in table.terrain.derived("pits", _pits) if p.on == level and p.shape]
    if not pits or not shape.rings:
        return [shape]
    for pit in pits:
        left = _less(shape, pit)
        if left is None:
            return []
        shape = left
    return [shape]


def _pits(terrain: FrozenMap[str, Terrain]) -> tuple[Terrain, ...]:
    return tuple(p for p in terrain.values() if "gap" in p.tags and p.depth)


def ground_about(table: Table) -> list[tuple[str, Shape]]:
    """Return the ground with the gaps of known depth cut out of it, under the id of the first; none without a gap."""
    pits = [p for p in table.terrain.values() if "gap" in p.tags and p.depth and p.on is None and p.shape]
    if not pits:
        return []
    x, y = 2 * table.width, 2 * table.depth
    whole = polygon([(-x, -y), (2 * x, -y), (2 * x, 2 * y), (-x, 2 * y)])
    rest = shapely.difference(whole.to_shapely(), shapely.union_all([p.shape.to_shapely() for p in pits if p.shape]))
    corners = [p for pit in pits if pit.shape for ring in pit.shape.rings for p in ring]
    return [(pits[0].id, _outline(rest, corners))]


# -- joining ---------------------------------------------------------------------------------------------------


def _made(table: Table) -> _Joined:
    return table.terrain.derived("joined", lambda terrain: _join(replace(table, terrain=terrain)))


def _join(table: Table) -> _Joined:
    """Find what makes one level together."""
    made = {p.id: p for p in table.terrain.values() if is_level(p) or ("gap" in p.tags and p.shape is not None)}
    if len(made) < 2:
        return _Joined(table.terrain)
    high = {name: elevation(table, name) for name in made}
    level: dict[str, str | None] = {}
    terrain = dict(table.terrain)
    for fill in _fillings(made, high):
        gap = made[fill.on or ""]
        assert gap.shape is not None
        assert fill.shape is not None
        left = _less(terrain[gap.id].shape or gap.shape, fill.shape)
        level[fill.id] = gap.on
        terrain = _filled(terrain, gap, fill, left)
        made.pop(fill.id)
        made[gap.id] = terrain[gap.id]
    parts: dict[str, tuple[Terrain, ...]] = {}
    for group in _groups(list(made.values()), high):
        if len(group) > 1:
            first = group[0]
            parts[first.id] = tuple(group)
            level.update({p.id: first.id for p in group[1:]})
            terrain = _united(terrain, group, high[first.id])
    if not level:
        return _Joined(table.terrain)
    for name, piece in list(terrain.items()):
        on, to = level.get(piece.on or "", piece.on), level.get(piece.to or "", piece.to)
        # Of what is left no level is part of another any more.
        terrain[name] = replace(piece, on=level.get(on or "", on), to=to)
    parts = {n: tuple(replace(p, on=level.get(p.on or "", p.on)) for p in group) for n, group in parts.items()}
    result = FrozenMap(terrain)
    whole = _Joined(result, FrozenMap(level), FrozenMap(parts))
    return result.derived("joined", lambda _: whole)  # what is joined stays as it is, and knows the names it had


def _fillings(made: dict[str, Terrain], high: dict[str, float]) -> list[Terrain]:
    """Return the platforms that fill the gap they stand in to the brim."""
    found = []
    for piece in made.values():
        gap = made.get(piece.on or "")
        if gap is None or "gap" not in gap.tags or "platform" not in piece.tags or not _cornered(gap, piece):
            continue
        brim = 0.0 if gap.on is None else high.get(gap.on, math.nan)
        if abs(high[piece.id] - brim) <= ROUNDING:
            found.append(piece)
    return found


def _filled(terrain: dict[str, Terrain], gap: Terrain, fill: Terrain, left: Shape | None) -> dict[str, Terrain]:
    if left is None:
        del terrain[gap.id]
    else:
        terrain[gap.id] = replace(terrain[gap.id], shape=left)
    if fill.difficult:
        terrain[fill.id] = replace(fill, tags=frozenset({"difficult"}), height=None, on=gap.on)
    else:
        del terrain[fill.id]
    return terrain


def _cornered(*pieces: Terrain) -> bool:
    """Say whether pieces are polygons: what joins them is one, too."""
    return all(p.shape is not None and p.shape.rings and not p.shape.radius for p in pieces)


def _groups(pieces: list[Terrain], high: dict[str, float]) -> list[list[Terrain]]:
    """Put together what is level, alike and touches, in the table's order."""
    group = {p.id: [p] for p in pieces}
    for i, one in enumerate(pieces):
        for other in pieces[i + 1 :]:
            if group[one.id] is group[other.id] or not _alike(one, other, high) or not _meet(one, other):
                continue
            whole = sorted([*group[one.id], *group[other.id]], key=pieces.index)
            for piece in whole:
                group[piece.id] = whole
    return list({id(found): found for found in group.values()}.values())


def _alike(one: Terrain, other: Terrain, high: dict[str, float]) -> bool:
    if abs(high[one.id] - high[other.id]) > ROUNDING or not _cornered(one, other):
        return False
    if "gap" in one.tags and (one.on != other.on or one.depth != other.depth):
        return False
    kept = _MADE | {"unscalable"}
    return one.tags & kept == other.tags & kept and one.lets_through == other.lets_through


def _meet(one: Terrain, other: Terrain) -> bool:
    """Say whether two outlines touch along more than a point, or overlap."""
    assert one.shape is not None
    assert other.shape is not None
    a, b = one.shape.bounds, other.shape.bounds
    if a[0] > b[2] + TOUCH or b[0] > a[2] + TOUCH or a[1] > b[3] + TOUCH or b[1] > a[3] + TOUCH:
        return False
    return shape_distance(one.shape, other.shape) <= TOUCH


def _united(terrain: dict[str, Terrain], group: list[Terrain], high: float) -> dict[str, Terrain]:
    """Put one piece in the place of several that make one level."""
    first = group[0]
    whole = _union([p.shape for p in group if p.shape is not None])
    lowest = next((p for p in group if p.on is None), first)
    rough = [p for p in group if p.difficult]
    tags = first.tags - {"difficult"} | ({"difficult"} if len(rough) == len(group) else frozenset())
    height = high if lowest.on is None and "platform" in first.tags else lowest.height
    for piece in group[1:]:
        del terrain[piece.id]
    terrain[first.id] = replace(first, shape=whole, tags=tags, on=lowest.on, height=height)
    if 0 < len(rough) < len(group):
        for piece in rough:
            name = piece.id if piece is not first else f"{piece.id} (top)"
            shape = piece.shape
            terrain[name] = replace(
                piece, id=name, tags=frozenset({"difficult"}), shape=shape, height=None, on=first.id
            )
    return terrain


def _union(shapes: Iterable[Shape]) -> Shape:
    """Join polygons that touch within TOUCH into one outline, with no seam and no corners on straight sides."""
    grown = [shapely.buffer(s.to_shapely(), TOUCH, join_style="mitre") for s in shapes]
    whole = shapely.buffer(shapely.union_all(grown), -TOUCH, join_style="mitre")
    return _outline(whole, [p for s in shapes for ring in s.rings for p in ring])


def _less(shape: Shape, other: Shape) -> Shape | None:
    """Take one polygon off another; None when nothing is left."""
    rest = shapely.difference(shape.to_shapely(), shapely.buffer(other.to_shapely(), TOUCH, join_style="mitre"))
    if rest.area <= SLIVER:
        return None
    return _outline(rest, [p for s in (shape, other) for ring in s.rings for p in ring])


def _outline(area: shapely.Geometry, corners: list[Point]) -> Shape:
    """Turn an area into a shape whose corners are, where they lie within touch of them, the given ones."""
    rings: list[list[Point]] = []
    for part in shapely.get_parts(shapely.simplify(area, ROUNDING)):
        if part.geom_type == "Polygon" and part.area > SLIVER:
            rings += [list(ring.coords) for ring in (part.exterior, *part.interiors)]
    first, *more = _snapped(rings, corners)
    return polygon(first, more)


def _snapped(rings: list[list[Point]], corners: list[Point]) -> list[list[Point]]:
    def near(p: Point) -> Point:
        return min((c for c in corners if math.dist(c, p) <= 4 * TOUCH), key=lambda c: math.dist(c, p), default=p)

    return [[near((p[0], p[1])) for p in ring] for ring in rings]
