"""Tells quickly that a goal is closed off at any Move, by the connected free space; never wrongly, but not always.

Obstacles are drawn as polygons inside their true outlines, so that there is a little more free space than in truth:
if the mover and its goal are in different components even of that, there is no way (Minkowski sums and cells of free
space: de Berg and others, Computational Geometry, ch. 13).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from sbg_sim.arrays import unit
from sbg_sim.geometry.areas import fillings
from sbg_sim.geometry.regions import disc_region
from sbg_sim.rules.passages import passages
from sbg_sim.solver.space.surroundings import make_surroundings
from sbg_sim.solver.space.transitions import led_to
from sbg_sim.table.board import horizon_of
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from sbg_sim.geometry.regions import Region
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.path.options import Search
    from sbg_sim.solver.space.configuration_space import Space
    from sbg_sim.solver.space.surroundings import Goal, Surroundings
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model

_NEAR: Final = 3.0
_FAR: Final = 9.0
"""Half widths of the windows round the goal and round the mover, inches: most pockets are small."""

_WHOLE: Final = 120
"""Most models and pieces of terrain with which the whole table is examined: with more, that takes too long."""

_TURNS: Final = 720
"""Places examined round a contact circle."""

_SEGMENTS: Final = 16
"""Chords per quarter of a circle: a gap narrower than 1e-3 of a radius may be missed, never the other way."""


def closed_off(search: Search) -> bool:
    """Say that no way leads to the goal of a search at any Move; False if that cannot be told."""
    table, mover, goal, surface = search.table, search.mover, search.goal, search.goal.surface
    if crowded_out(table, mover, goal) is not None:
        return True
    if surface != mover.on and _unfed(table, mover, surface):
        return True
    if surface is not None or mover.on is not None or goal.lines:
        return False
    x, y, radius = goal.focus
    windows = [((x, y), _NEAR), (mover.at, _NEAR), ((x, y), _FAR)]
    if len(table.models) + len(table.terrain) <= _WHOLE:
        # The whole table shows all that a smaller window shows.
        windows = [((x, y), max(table.width, table.depth))]
    for centre, half in windows:
        near = disc_region(centre, 1.5 * half, mover.radius)
        surroundings = _without_ways_over(search, near)
        if not _leaves(surroundings) and _apart(surroundings, centre, half, mover.at, (x, y, radius)):
            return True
    return False


def covered(search: Search) -> bool:
    """Say whether a base has no room in contact with the one charged enemy; exact, for a goal of one contact circle."""
    goal = search.goal
    if len(goal.contact) != 1:
        return False
    x, y, rho = goal.contact[0]
    surroundings = _without_ways_over(search, disc_region((x, y), rho, search.mover.radius))
    end = surroundings.index(goal.surface)
    if end is None or (goal.bound and surroundings.spaces[end].target is None):
        return False
    return not surroundings.spaces[end].has_room((x, y, rho), bound=goal.bound)


def _without_ways_over(search: Search, near: Region) -> Surroundings:
    goal, charging, without = search.goal, search.charging, search.without
    return make_surroundings(
        *(search.table, search.mover),
        region=near,
        surface=goal.surface,
        charging=charging,
        without=without,
        began=search.began,
        over=False,
        to=goal.at,
        contact=goal.contact,
    )


def crowded_out(table: Table, mover: Model, goal: Goal) -> str | None:
    """Say where a base has no room on a level, in words (empty: anywhere); None if it has room (MOV.5)."""
    shape = None if goal.surface is None else table.piece(goal.surface).shape
    if shape is None or table.rulings["stand_on"] == "centre":
        return None
    widest = shape.radius
    if shape.rings:
        widest = shapely.length(shapely.maximum_inscribed_circle(shape.to_shapely(), TOUCH / 10))
    if widest < mover.radius - TOUCH:
        return ""
    turn = np.linspace(0.0, math.tau, _TURNS, endpoint=False)
    for x, y, r in goal.contact:
        depth = shape.depth(np.array([x, y]) + r * unit(turn))
        # Depth changes by at most the distance moved: between two of these places by no more than half their distance.
        if (depth > TOUCH - mover.radius + r * math.pi / _TURNS).all():
            return " beside whom it charges"
    return None


def _unfed(table: Table, mover: Model, surface: str | None) -> bool:
    """Say whether no way between levels leads onto a level, or no chain of ways from the mover's level."""
    shape = None if surface is None else table.piece(surface).shape
    small = len(table.models) + len(table.terrain) <= _WHOLE
    middle, windows = (table.width / 2, table.depth / 2), [table.width + table.depth] if small else []
    if shape is not None:
        x0, y0, x1, y1 = shape.to_shapely(0.0).bounds
        middle, half = ((x0 + x1) / 2, (y0 + y1) / 2), math.hypot(x1 - x0, y1 - y0) / 2
        # No leap is longer than the horizon: no way from outside this window leads onto the surface.
        window = half + horizon_of(table, mover.move or 0.0)
        windows = [window, *(window + around for around in windows)]
    for around in windows:
        region = disc_region(middle, around + 2 * mover.radius, mover.radius)
        surroundings = make_surroundings(table, mover, region=region, surface=surface)
        # The levels from which ways lead there: backwards.
        onto = led_to(((way.dest, way.source) for way in surroundings.transitions), surroundings.index(surface))
        whole = around > table.width + table.depth - TOUCH
        if (len(onto) == 1 and surface is not None) or (whole and surroundings.index(mover.on) not in onto):
            return True
    return False


def _apart(
    surroundings: Surroundings, centre: Point, half: float, start: Point, end: tuple[float, float, float]
) -> bool:
    """Say whether the component of free space round one end, in a window, holds neither the other end nor a way out.

    The window of half width ``half`` is centred on ``start`` or on ``end``.
    """
    space = surroundings.spaces[0]
    x, y = centre
    window = shapely.box(
        max(x - half, space.box[0] - TOUCH),
        max(y - half, space.box[1] - TOUCH),
        min(x + half, space.box[2] + TOUCH),
        min(y + half, space.box[3] + TOUCH),
    )
    cells = shapely.get_parts(shapely.difference(window, _barriers(space)))
    # Cells that reach the window's border within the table go on outside it.
    rim = shapely.difference(
        shapely.box(x - half, y - half, x + half, y + half).exterior,
        shapely.buffer(shapely.box(*space.box).exterior, 2 * TOUCH),
    )
    here = shapely.Point(start)
    there = shapely.Point(end[:2]).buffer(end[2] / math.cos(math.pi / 4 / _SEGMENTS) + TOUCH, _SEGMENTS)
    near = here if centre == start else there
    far = there if centre == start else here
    component = cells[shapely.dwithin(cells, near, 2 * TOUCH)]
    return not (shapely.dwithin(component, far, 2 * TOUCH).any() or shapely.dwithin(component, rim, 2 * TOUCH).any())


def _leaves(surroundings: Surroundings) -> bool:
    """Say whether any way leads from the mover's level to another one."""
    levels = [space.surface for space in surroundings.spaces]
    return len(levels) > 1 and any(
        p.source == levels[0] for p in passages(surroundings.table, surroundings.mover, levels)
    )


def _barriers(space: Space) -> shapely.Geometry:
    """Return what is closed, as polygons inside the true outlines: solids without any way over them, bases, zones."""
    walls = space.walls
    names = np.array([not block.ways for block in space.blocks] + [True], dtype=bool)
    impassable = names[np.minimum(walls.owner, len(names) - 1)]
    lines = shapely.linestrings(walls.spines[impassable].reshape(-1, 2, 2))
    parts = list(shapely.buffer(lines, walls.rho[impassable] - 2 * TOUCH, quad_segs=_SEGMENTS))
    parts += [solid for group, solid in fillings(walls).items() if names[group]]
    if space.target is not None and not space.stays:
        return shapely.union_all(parts)
    binding = [z for z in space.zones if z is not space.target]
    centres = shapely.points(np.array([z.at for z in binding], dtype=float).reshape(-1, 2))
    radii = np.array([z.bar - 2 * TOUCH for z in binding])
    zones = shapely.union_all(shapely.buffer(centres, radii, quad_segs=_SEGMENTS))
    if space.target is not None:
        wide = space.target.radius / math.cos(math.pi / 4 / _SEGMENTS) + 2 * TOUCH
        zones = shapely.difference(zones, shapely.Point(space.target.at).buffer(wide, _SEGMENTS))
    return shapely.union_all([*parts, zones])
