"""The ways between levels: up, down, by ladders, and leaps from one to another (TER.3, TER.4, LEAP, CLB, FALL)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from sbg_sim.geometry.shapes import boxes_distance, shape_distance
from sbg_sim.rules.ground import Way, climbed_on, must_test, needs_test
from sbg_sim.table.board import height_of
from sbg_sim.table.joining import beside_both, beside_step, faces_of, gap_under
from sbg_sim.table.levels import elevation, supports
from sbg_sim.tolerance import ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sbg_sim.geometry.shapes import Shape
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain


@dataclass(frozen=True)
class Passage:
    """A way from one level to another.

    Parameters
    ----------
    block
        The piece whose rim is crossed, or the platform on which a leap lands.
    way
        The way; its ``to`` is the level on which it ends.
    source
        The level from which it leads.
    rim
        The part of the crossed outline at which the way can begin or end.
    inward
        Whether it leads from outside that outline to inside.
    by_centre
        Whether it leads the centre just across the outline, while the base overlaps both levels (ruling ``stand_on``).
    past
        The pieces on which the platform stands: sides of theirs that are flush with its own are passed as well.
    beside
        For a step that stands in the gap at its side: the rest of the gap, over which the way does not lead.
    aside
        Other levels beside the two, over which the way may not lead.

    """

    block: str
    way: Way
    source: str | None
    rim: Shape
    inward: bool
    by_centre: bool = False
    past: frozenset[str] = frozenset()
    beside: tuple[Shape, ...] | None = None
    aside: tuple[Shape, ...] = ()


def passages(table: Table, mover: Model, levels: Sequence[str | None], *, tests: bool = True) -> Iterator[Passage]:
    """Yield all ways between levels that meet in plan, and the leaps between levels.

    Parameters
    ----------
    table, mover
        The table, with one piece for each level, and the mover.
    levels
        The levels to consider.
    tests
        Whether ways that need a test are included.

    """
    high = {level: elevation(table, level) for level in levels}
    for one, two in combinations(levels, 2):
        low, top = (one, two) if high[one] <= high[two] else (two, one)
        rise = high[top] - high[low]
        edge = _edge_between(table, low, top)
        if edge is not None:
            yield from _up_and_down(table, mover, edge, low, top, rise, tests=tests)
    if tests:
        for one in levels:
            for two in levels:
                yield from _leap(table, mover, one, two, high)
        for gap in table.terrain.values():
            if "gap" in gap.tags and gap.shape is not None and gap.on in high:
                for top in levels:
                    yield from _leap_over(table, mover, gap, top, high)


def _edge_between(table: Table, low: str | None, top: str | None) -> Terrain | None:
    """Return the piece whose outline lies between two levels that meet in plan: the gap cut in, or the platform.

    Between a step in a gap and the level into which the gap is cut, or a shallower gap beside it, that is the gap.
    """
    below = None if low is None else table.piece(low)
    above = None if top is None else table.piece(top)
    cut = top if above is None or "gap" not in above.tags else above.on
    gap = gap_under(table, low, cut)
    if gap is not None and gap.id not in {low, top} and beside_step(table, gap, low or "") is not None:
        edge, other = gap, above if gap.on != top else None
    elif below is not None and "gap" in below.tags and (below.on == top or above is None or "gap" in above.tags):
        edge, other = below, above if below.on != top else None
    elif above is not None and "gap" not in above.tags:
        edge, other = above, below
    else:
        return None
    if other is None:
        return edge
    assert edge.shape is not None
    assert other.shape is not None
    if boxes_distance(edge.shape, other.shape) > TOUCH:
        return None
    return edge if shape_distance(edge.shape, other.shape) <= TOUCH else None


def _up_and_down(
    table: Table, mover: Model, edge: Terrain, low: str | None, top: str | None, rise: float, *, tests: bool
) -> Iterator[Passage]:
    assert edge.shape is not None
    inward = edge.id == top
    by_centre = table.rulings["stand_on"] == "centre" and not needs_test(table, mover, rise)
    # A gap's sides reach down to its bottom; a platform's only down to the level on which it stands.
    face = faces_of(table, edge.id, elevation(table, low), low) if inward else edge.shape
    up = _up(table, mover, edge, top, rise)
    past = frozenset(supports(table, edge.id)) if "platform" in edge.tags else frozenset()
    beside = None if low is None or inward or edge.id == low else beside_step(table, edge, low)
    aside = beside_both(table, low, top)
    # Only a climb needs a face that reaches down; a step, a jump and a free way down need the height (TER.3, FALL.1).
    rim = face if up is not None and up.kind == "climb" else edge.shape
    if up is not None and rim is not None:
        up = replace(up, across=up.across or by_centre)
        for one in (up, *_going_on(table, mover, edge, low, up)):
            if tests or not one.tests:
                yield Passage(edge.id, one, low, rim, inward, by_centre, past, beside, aside)
    down = _down(mover, edge, low, rise)
    if down is not None and (tests or not down.tests):
        side = face if inward and down.tests else edge.shape
        down = replace(down, across=down.across or by_centre)
        if side is not None:
            yield Passage(edge.id, down, top, side, not inward, by_centre, past, beside, aside)
    for ladder in _ladders(table, low, top, edge):
        assert ladder.at is not None
        height = rise if ladder.height is None else ladder.height
        near = mover.on == low and math.dist(mover.at, ladder.at) <= mover.radius + TOUCH
        left = height - (min(mover.climbed, height) if near else 0.0)
        for to, cost, way in ((top, left, height), (low, height, -height)):
            sign = 1.0 if way > 0 else -1.0
            found = Way("ladder", "CLB.5", sign * cost, cost, horizontal=False, across=True, tests=0, to=to)
            found = _at_foot(found, ladder)
            source = low if to == top else top
            yield Passage(edge.id, found, source, edge.shape, inward == (to == top), past=past)


def _at_foot(way: Way, ladder: Terrain) -> Way:
    return replace(way, foot=ladder.at)


def _up(table: Table, mover: Model, edge: Terrain, top: str | None, rise: float) -> Way | None:
    if not needs_test(table, mover, rise):
        return Way("up", "TER.3", tests=0, to=top)
    if rise <= height_of(mover) + ROUNDING:
        across = table.rulings["jump_landing"] == "across"
        return Way("jump-up", "TER.4", across=across, to=top)
    if not _climbs(mover, edge):
        return None
    return Way("climb", "CLB.1", rise, 2 * rise, horizontal=False, across=True, to=top)


def _going_on(table: Table, mover: Model, edge: Terrain, low: str | None, up: Way) -> Iterator[Way]:
    """Yield the rest of a climb for a mover that hangs on the face: it begins where the mover hangs (CLB.4)."""
    hung = climbed_on(mover, edge, up.rise) if up.kind == "climb" and mover.on == low else 0.0
    if hung:
        tests = 1 if must_test(table, hung) else 0
        yield replace(up, cost=2 * (up.rise - hung), tests=tests, foot=mover.at)


def _down(mover: Model, edge: Terrain, low: str | None, rise: float) -> Way | None:
    if rise <= height_of(mover) + ROUNDING:
        return Way("down", "FALL.1", tests=0, to=low)
    if not _climbs(mover, edge):
        return None
    return Way("descend", "FALL.1", -rise, 2 * rise, horizontal=False, across=True, to=low)


def _climbs(mover: Model, edge: Terrain) -> bool:
    return "unscalable" not in edge.tags and "cavalry" not in mover.keywords


def _ladders(table: Table, low: str | None, top: str | None, edge: Terrain) -> list[Terrain]:
    """Return the ladders between two levels: to a platform, or out of the gap in which they stand."""
    found = []
    for piece in table.terrain.values():
        if "ladder" not in piece.tags or piece.at is None or piece.on != low:
            continue
        if piece.to == top or (piece.to is None and edge.id == low):
            found.append(piece)
    return found


def _leap(
    table: Table, mover: Model, one: str | None, two: str | None, high: dict[str | None, float]
) -> Iterator[Passage]:
    """Yield the leap from one platform to another of about its height, or over a notch in its own outline (LEAP.1)."""
    if one is None or two is None:
        return
    start, end = table.piece(one), table.piece(two)
    if start.shape is None or end.shape is None or not {"platform"} <= start.tags & end.tags:
        return
    longest = 2 * height_of(mover)
    if one == two:
        if not _notched(start.shape):
            return
    elif boxes_distance(start.shape, end.shape) > longest + TOUCH:
        return
    if not _lands(table, mover, high[two] - high[one]):
        return
    if one != two and not TOUCH < shape_distance(start.shape, end.shape) <= longest + TOUCH:
        return
    yield Passage(two, Way("leap", "LEAP.1", to=two, longest=longest), one, end.shape, inward=True)


def _leap_over(
    table: Table, mover: Model, gap: Terrain, top: str | None, high: dict[str | None, float]
) -> Iterator[Passage]:
    """Yield the leaps between the brim of a gap and a platform of about its height in or beside the gap (LEAP.1)."""
    platform = None if top is None else table.piece(top)
    if platform is None or platform.shape is None or "platform" not in platform.tags or top == gap.on:
        return
    assert gap.shape is not None
    longest = 2 * height_of(mover)
    rise = high[top] - high[gap.on]
    far = boxes_distance(gap.shape, platform.shape) > longest + TOUCH
    if far or abs(rise) > height_of(mover) + ROUNDING or shape_distance(gap.shape, platform.shape) > longest + TOUCH:
        return
    past = frozenset(supports(table, top)) - {gap.on}
    for source, to, up in ((gap.on, top, rise), (top, gap.on, -rise)):
        if _lands(table, mover, up):
            way = Way("leap", "LEAP.1", to=to, longest=longest)
            yield Passage(gap.id, way, source, gap.shape, inward=to == top, past=past)


def _notched(shape: Shape) -> bool:
    """Say whether a straight line from one place of a shape to another can leave it."""
    if not shape.rings:
        return len(shape.spine) > 2
    area = shape.to_shapely()
    return bool(area.convex_hull.area > area.area + TOUCH)


def _lands(table: Table, mover: Model, rise: float) -> bool:
    """Say whether a leap may rise by some inches, or drop (ruling ``leap_landing``)."""
    if abs(rise) <= ROUNDING:
        return True
    if abs(rise) > height_of(mover) + ROUNDING:
        return False
    reading = table.rulings["leap_landing"]
    return reading == "both" or (reading == "lower" and rise < 0)


def in_the_air(table: Table, mover: Model, one: str | None, two: str | None) -> list[tuple[str, Shape]]:
    """Return the obstacles and models higher than the level where a leap begins, over which it may not lead (LEAP.1).

    Parameters
    ----------
    table, mover
        The table and the model that leaps.
    one, two
        The levels from which and to which it leads.

    """
    from sbg_sim.rules.ground import disc

    start = elevation(table, one)
    head = start + height_of(mover)
    found = []
    for piece in table.terrain.values():
        barring = piece.is_obstacle and "gap" not in piece.tags and piece.id not in {one, two}
        if piece.shape is None or not barring or mover.id in piece.lets_through:
            continue
        foot = elevation(table, piece.on)
        if foot + piece.top > start + ROUNDING and foot < head - ROUNDING:
            found.append((piece.id, piece.shape))
    for other in table.standing():
        foot = elevation(table, other.on)
        tall = (other.height or 0.0) / (2 if other.prone else 1)
        if other.id != mover.id and (other.on in {one, two} or (foot + tall > start + ROUNDING and foot < head)):
            found.append((other.id, disc(other.at, other.radius)))
    return found
