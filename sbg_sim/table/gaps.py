"""Gaps and the platforms in them while pieces are joined: which are filled, open at a side, or flush with a step.

A platform that fills its gap to the brim is part of the level around the gap. A gap that reaches the side of that level
is a level beside it. A step in a gap that is flush with the bottom of the next gap is a gap of that depth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import shapely

from sbg_sim.geometry.shapes import shape_distance
from sbg_sim.table.outlines import cornered, corners, flush_somewhere, less, outline, union
from sbg_sim.tolerance import ROUNDING, SLIVER, TOUCH

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Shape
    from sbg_sim.table.terrain import Terrain

_MADE: Final = frozenset({"platform", "gap"})


@dataclass(frozen=True)
class Draft:
    """The pieces while levels are found among them, by id.

    Parameters
    ----------
    terrain, made
        All pieces, and those that make levels: platforms and gaps.
    high
        The elevations of those, inches.
    level
        The level of each piece that is left out.

    """

    terrain: dict[str, Terrain]
    made: dict[str, Terrain]
    high: dict[str, float]
    level: dict[str, str | None]


def settle(draft: Draft) -> None:
    """Fill gaps, open them at the sides of their levels, and give them the steps beside them (in place)."""
    _fill(draft)
    _open(draft)
    _fill(draft)  # an open gap may be cut deeper than its level is high
    _sink(draft)


def _fill(draft: Draft) -> None:
    """Make the platforms that fill their gaps to the brim part of the level around the gap (in place)."""
    for fill, gap in _fillings(draft):
        draft.level[fill.id] = gap.on
        _leave_rough(draft.terrain, replace(fill, on=gap.on))
        draft.made.pop(fill.id)
        if gap.id in draft.made:
            _cut_off(draft, gap, fill, gap.on)


def _fillings(draft: Draft) -> list[tuple[Terrain, Terrain]]:
    """Return the platforms that fill the gap in which they stand to the brim, with that gap."""
    found = []
    for piece in draft.made.values():
        gap = draft.made.get(piece.on or "")
        if gap is None or "gap" not in gap.tags or "platform" not in piece.tags or not cornered(gap, piece):
            continue
        brim = 0.0 if gap.on is None else draft.high.get(gap.on, math.nan)
        if abs(draft.high[piece.id] - brim) <= ROUNDING:
            found.append((piece, gap))
    return found


def _open(draft: Draft) -> None:
    """Make the gaps that reach the side of their level levels beside it, and cut them off it (in place)."""
    terrain, made, level = draft.terrain, draft.made, draft.level
    while (found := _reaching(made, draft.high)) is not None:
        gap, left, inner = found
        over = made[gap.on or ""]
        for name, shape in left.items():
            terrain[name] = made[name] = replace(made[name], shape=shape)
        for ladder in [p for p in terrain.values() if "ladder" in p.tags and p.on == gap.id and p.to is None]:
            terrain[ladder.id] = replace(ladder, to=over.id)
        rise = (over.top if "platform" in over.tags else -(over.depth or 0.0)) - (gap.depth or 0.0)
        beside = replace(gap, shape=inner, on=over.on, depth=None, lets_through=over.lets_through)
        if abs(rise) <= ROUNDING:
            level[gap.id] = over.on
            made.pop(gap.id)
            _leave_rough(terrain, beside)
            continue
        tags = gap.tags - {"gap", "unscalable"} | {"platform"} | over.tags & {"unscalable"}
        beside = replace(beside, depth=-rise) if rise < 0 else replace(beside, tags=tags, height=rise)
        terrain[gap.id] = made[gap.id] = beside


def _reaching(made: dict[str, Terrain], high: dict[str, float]) -> tuple[Terrain, dict[str, Shape], Shape] | None:
    """Return a gap that reaches the side of its level, the rest of that level, and the part of the gap within it."""
    for gap in made.values():
        over = made.get(gap.on or "")
        if over is None or "gap" not in gap.tags or not gap.depth or gap.lets_through or not cornered(gap, over):
            continue
        group = next(found for found in level_groups(list(made.values()), high) if over in found)
        shapes = {p.id: p.shape for p in group if p.shape is not None}
        side = union(shapes.values()) if len(shapes) > 1 else shapes[over.id]
        assert gap.shape is not None
        inner = shapely.intersection(gap.shape.to_shapely(), side.to_shapely())
        out = gap.shape.to_shapely().area - inner.area > SLIVER
        if inner.area <= SLIVER or not (out or flush_somewhere(gap.shape, side)):
            continue
        within = outline(inner, corners(gap.shape, side))
        left = {name: less(shape, gap.shape, within) for name, shape in shapes.items()}
        if all(left.values()):
            return gap, {name: shape for name, shape in left.items() if shape is not None}, within
    return None


def _sink(draft: Draft) -> None:
    """Make the steps in gaps that are flush with the bottom of a gap beside them gaps of that depth (in place)."""
    while (found := _flush_with_gaps(draft.made, draft.high)) is not None:
        gap, step = found
        draft.terrain[step.id] = draft.made[step.id] = step
        _cut_off(draft, gap, step, step.id)


def _flush_with_gaps(made: dict[str, Terrain], high: dict[str, float]) -> tuple[Terrain, Terrain] | None:
    """Return a gap, and as a gap the step in it that touches another gap with whose bottom its top is flush."""
    gaps = [p for p in made.values() if "gap" in p.tags]
    for step in made.values():
        gap = made.get(step.on or "")
        if gap is None or "gap" not in gap.tags or "platform" not in step.tags or not cornered(gap, step):
            continue
        tags = step.tags - {"platform"} | {"gap"}
        for beside in gaps:
            sunk = replace(step, tags=tags, on=gap.on, height=None, depth=beside.depth)
            if beside is not gap and _alike(sunk, beside, high) and _meet(sunk, beside):
                return gap, sunk
    return None


def _leave_rough(terrain: dict[str, Terrain], piece: Terrain) -> None:
    """Reduce a piece at the height of the level below it to its difficult ground, if it is any (in place)."""
    if piece.difficult:
        terrain[piece.id] = replace(piece, tags=frozenset({"difficult"}), height=None)
    else:
        del terrain[piece.id]


def _cut_off(draft: Draft, gap: Terrain, other: Terrain, whole: str | None) -> None:
    """Cut the outline of a piece off a gap (in place); a gap of which nothing is left belongs to level ``whole``."""
    left = _without(draft.made[gap.id], other)
    if left is None:
        draft.level[gap.id] = whole
        del draft.terrain[gap.id], draft.made[gap.id]
    else:
        draft.terrain[gap.id] = draft.made[gap.id] = left


def _without(piece: Terrain, other: Terrain) -> Terrain | None:
    """Return a piece without the outline of another; None if nothing is left."""
    assert piece.shape is not None
    assert other.shape is not None
    shape = less(piece.shape, other.shape)
    return None if shape is None else replace(piece, shape=shape)


def level_groups(pieces: list[Terrain], high: dict[str, float]) -> list[list[Terrain]]:
    """Group pieces of one height and kind that touch, in the order of the table: each group is one level."""
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
    if abs(high[one.id] - high[other.id]) > ROUNDING or not cornered(one, other):
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
