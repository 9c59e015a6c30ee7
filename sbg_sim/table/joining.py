"""Joins pieces of terrain that make one level, and cuts gaps out of the levels in which they lie.

Tops of one height that touch or overlap are one level, named by the first of their ids; so are the bottoms of gaps that
touch, and with them the top of a step in one gap that is flush with the bottom of the next. The sections of a wall are
one obstacle, and a piece that occurs twice is one piece. A platform that stands in a gap and fills it to the brim is
part of the level into which the gap is cut. A gap that reaches the side of that level is open there: its bottom is a
level beside the other, like a lower platform.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import shapely

from sbg_sim.geometry.shapes import Shape, polygon
from sbg_sim.table.board import sound
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.gaps import Draft, level_groups, settle
from sbg_sim.table.levels import elevation, is_level, supports
from sbg_sim.table.obstacles import one_obstacle
from sbg_sim.table.outlines import cornered, corners, flush_somewhere, less, outline, union
from sbg_sim.tolerance import ROUNDING, SLIVER, TOUCH

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain


@dataclass(frozen=True)
class _Joined:
    """Terrain with one piece for each level.

    Parameters
    ----------
    terrain
        The pieces, without those that are part of another piece's level.
    level
        The level of each piece that is left out.
    parts
        The pieces of each level that has several.

    """

    terrain: FrozenMap[str, Terrain]
    level: FrozenMap[str, str | None] = field(default_factory=FrozenMap)
    parts: FrozenMap[str, tuple[Terrain, ...]] = field(default_factory=FrozenMap)


def joined(table: Table) -> Table:
    """Return the table with one piece for each level: pieces of one height that touch are one piece.

    It is the same table if there is nothing to join.
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
    """Return the id of the level to which a piece belongs, in the table as :func:`joined` returns it."""
    level = _made(table).level
    return level[name] if name is not None and name in level else name


def piece_under(table: Table, level: str | None, at: Point) -> str | None:
    """Return the id of the piece of a level that lies under a place; that of the level if none does."""
    part = part_under(table, level, at)
    return None if part is None else part.id


def part_under(table: Table, level: str | None, at: Point) -> Terrain | None:
    """Return the piece of a level under a place, which a joined table no longer has by its id; None on the ground."""
    if level is None:
        return None
    parts = _made(table).parts.get(level, ())
    found = [p for p in parts if p.shape is not None and float(p.shape.distance([at])[0]) <= TOUCH]
    own = not found or level in {p.id for p in found}
    return table.piece(level) if own else found[0]


def faces_of(table: Table, level: str, high: float, below: str | None = None) -> Shape | None:
    """Return the part of a platform's outline that reaches down to an elevation (inches); None if none does.

    The sides of a piece that stands on a platform end on it, except where they are flush with the platform's own, or
    with the side of the gap ``below``. A base can go under a part that juts out.
    """
    name = f"faces of {level} {high!r} {below}"
    return table.terrain.derived(name, lambda _: _faces(table, level, high, below))


def _faces(table: Table, level: str, high: float, below: str | None) -> Shape | None:
    piece = table.piece(level)
    parts = _made(table).parts.get(level, ()) or (piece,)
    low = [p for p in parts if elevation(table, p.on) <= high + ROUNDING or _above_a_gap(table, p, below)]
    if len(low) == len(parts):
        return piece.shape
    shapes = [p.shape for p in low if p.shape is not None]
    shapes += [s for p in parts if p not in low and (s := _flush(table, p, high, below)) is not None]
    return shapes[0] if len(shapes) == 1 else union(shapes) if shapes else None


def _above_a_gap(table: Table, piece: Terrain, below: str | None) -> bool:
    """Say whether a piece stands at the brim of the gap in which a level lies, and not over it."""
    gap = gap_under(table, below, piece.on)
    if gap is None or gap.shape is None or piece.shape is None:
        return False
    return bool(shapely.intersection(gap.shape.to_shapely(), piece.shape.to_shapely()).area <= SLIVER)


def gap_under(table: Table, level: str | None, cut: str | None) -> Terrain | None:
    """Return the gap cut into level ``cut`` that holds another level, at its bottom or on a piece in it; else None."""
    names = () if level is None else (level, *supports(table, level))
    return next((p for p in map(table.piece, names) if "gap" in p.tags and p.on == cut), None)


def beside_step(table: Table, gap: Terrain, step: str) -> tuple[Shape, ...] | None:
    """Return the rest of a gap beside a step in it, as one shape or none; None if the step is off the gap's sides."""
    return table.terrain.derived(f"beside {step} in {gap.id}", lambda _: _beside_step(gap, table.piece(step)))


def _beside_step(gap: Terrain, step: Terrain) -> tuple[Shape, ...] | None:
    if not cornered(gap, step) or not gap.shape or not step.shape or not flush_somewhere(step.shape, gap.shape):
        return None
    left = less(gap.shape, step.shape)
    return () if left is None else (left,)


def beside_both(table: Table, low: str | None, top: str | None) -> tuple[Shape, ...]:
    """Return all that lies beside two levels, as one shape or none: no way from one to the other leads over it.

    Beside the ground there are only solids and gaps, which bar a way as such.
    """
    if low is None or top is None:
        return ()
    centred, both = table.rulings["stand_on"] == "centre", (table.piece(low), table.piece(top))
    name = f"beside {low} and {top}, {'a hair off' if centred else 'just so'}"
    return table.terrain.derived(name, lambda _: _beside_both(*both, just_so=not centred))


def _beside_both(low: Terrain, top: Terrain, *, just_so: bool) -> tuple[Shape, ...]:
    """Return all that lies beside two levels; not ``just_so`` a hair off, for a centre may begin at their corner."""
    if not cornered(low, top) or not low.shape or not top.shape:
        return ()
    both = shapely.union_all([low.shape.to_shapely(), top.shape.to_shapely()])
    frame = shapely.buffer(shapely.box(*both.bounds), 1, join_style="mitre")
    around = shapely.difference(frame, shapely.buffer(both, TOUCH, join_style="mitre"))
    return (outline(around, corners(low.shape, top.shape) if just_so else []),)


def _flush(table: Table, piece: Terrain, high: float, low: str | None) -> Shape | None:
    """Return the part of a piece over those faces of the platform below that reach down to an elevation (inches)."""
    if piece.on is None or "platform" not in table.piece(piece.on).tags or not cornered(piece, table.piece(piece.on)):
        return None
    below = faces_of(table, piece.on, high, low)
    if below is None or not below.rings or piece.shape is None or not flush_somewhere(piece.shape, below):
        return None
    both = shapely.intersection(piece.shape.to_shapely(), below.to_shapely())
    return None if both.area <= SLIVER else outline(both, corners(piece.shape, below))


def without_pits(table: Table, level: str, shape: Shape) -> list[tuple[Shape, float]]:
    """Return the parts of a level that gaps of known depth leave: the level without them, and the bottoms at its side.

    Each has the depth of its top below the level, inches. The bottom of a gap amid the level is hidden and left out.
    """
    pits = [p for p in table.terrain.derived("pits", _pits) if p.on == level and p.shape]
    if not pits or not shape.rings:
        return [(shape, 0.0)]
    left: Shape | None = shape
    under: list[tuple[Shape, float]] = []
    for pit in pits:
        assert pit.shape is not None
        both = shapely.intersection(pit.shape.to_shapely(), shape.to_shapely())
        if both.area > SLIVER and (both.area < pit.shape.to_shapely().area or flush_somewhere(pit.shape, shape)):
            under.append((outline(both, corners(pit.shape, shape)), pit.depth or 0.0))
        left = left and less(left, pit.shape)
    return [*([(left, 0.0)] if left else []), *under]


def _pits(terrain: FrozenMap[str, Terrain]) -> tuple[Terrain, ...]:
    return tuple(p for p in terrain.values() if "gap" in p.tags and p.depth)


def ground_about(table: Table) -> list[tuple[str, Shape]]:
    """Return the ground without the gaps of known depth, under the id of the first gap; nothing without gaps."""
    pits = [p for p in table.terrain.values() if "gap" in p.tags and p.depth and p.on is None and p.shape]
    if not pits:
        return []
    x, y = 2 * table.width, 2 * table.depth
    whole = polygon([(-x, -y), (2 * x, -y), (2 * x, 2 * y), (-x, 2 * y)])
    rest = shapely.difference(whole.to_shapely(), shapely.union_all([p.shape.to_shapely() for p in pits if p.shape]))
    return [(pits[0].id, outline(rest, corners(*(p.shape for p in pits if p.shape))))]


def _made(table: Table) -> _Joined:
    return table.terrain.derived("joined", lambda terrain: _join(replace(table, terrain=terrain)))


def _join(table: Table) -> _Joined:
    """Find the pieces that make one level together."""
    level: dict[str, str | None] = {**_copies(table.terrain)}
    if level:
        kept = {n: _led(p, level) for n, p in table.terrain.items() if n not in level}
        table = replace(table, terrain=FrozenMap(kept))
    made = {p.id: p for p in table.terrain.values() if is_level(p) or ("gap" in p.tags and p.shape is not None)}
    walls = one_obstacle(table.terrain)
    if len(made) < 2 and not walls and not level:
        return _Joined(table.terrain)
    high = {name: elevation(table, name) for name in made}
    terrain = dict(table.terrain)
    settle(Draft(terrain, made, high, level))
    parts: dict[str, tuple[Terrain, ...]] = {}
    for group in level_groups(list(made.values()), high):
        if len(group) > 1:
            first = group[0]
            parts[first.id] = tuple(group)
            level.update({p.id: first.id for p in group[1:]})
            terrain = _united(terrain, group, high[first.id])
    for wall, rest in walls:
        terrain[wall.id] = wall
        for name in rest:
            del terrain[name]
            level[name] = wall.id
    if not level and terrain == dict(table.terrain):
        return _Joined(table.terrain)
    while True:  # until no level belongs to one that belongs to another
        last = {name: level.get(whole or "", whole) for name, whole in level.items()}
        if last == level:
            break
        level = last
    for name, piece in list(terrain.items()):
        terrain[name] = _led(piece, level)
    parts = {n: tuple(replace(p, on=level.get(p.on or "", p.on)) for p in group) for n, group in parts.items()}
    result = FrozenMap(terrain)
    whole = _Joined(result, FrozenMap(level), FrozenMap(parts))
    return result.derived("joined", lambda _: whole)  # a joined table is not joined again, and keeps the old names


def _copies(terrain: FrozenMap[str, Terrain]) -> dict[str, str]:
    """Return the ids of pieces that equal an earlier one in all but their ids, with the id of that one."""
    first: dict[Terrain, str] = {}
    found = {name: first.setdefault(replace(piece, id=""), name) for name, piece in terrain.items()}
    return {name: other for name, other in found.items() if name != other}


def _led(piece: Terrain, level: dict[str, str | None]) -> Terrain:
    """Return a piece with the levels on which it lies, and to which it leads, named as joined."""
    return replace(piece, on=level.get(piece.on or "", piece.on), to=level.get(piece.to or "", piece.to))


def _united(terrain: dict[str, Terrain], group: list[Terrain], high: float) -> dict[str, Terrain]:
    """Replace the pieces of one level by one piece."""
    first = group[0]
    whole = union([p.shape for p in group if p.shape is not None])
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
