"""The ground on which a model could be charged by one enemy next turn.

The enemy goes from where it stands, past the zones of those who stand, to a place from which its base touches the
model's. Three bounds meet here: it ends where it could end anyway (its reach, grown by both radii); it may have
entered the model's own zone first and passed through other zones inside it (CHG.5), a hop that is judged place by
place; and it must see the model before it moves (CHG.1).
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from sbg_sim.geometry.areas import intersection, union
from sbg_sim.rules.zones import ZONE_WIDTH
from sbg_sim.solver.answer import ask
from sbg_sim.solver.field.fans import SAGITTA
from sbg_sim.solver.reach import reach
from sbg_sim.table.levels import is_level
from sbg_sim.table.questions import Charge
from sbg_sim.threats.shadows import hidden
from sbg_sim.tolerance import SPECK

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.field.fans import Bounds
    from sbg_sim.solver.reach import Reach
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model

Rows = tuple[tuple[Fraction, shapely.Geometry], ...]

ROUND: Final = 48
"""Segments of a quarter circle where outlines are grown."""
SLIVER: Final = 0.004
"""Width up to which a strip that hangs on a hop through a zone counts as nothing, inches."""
_COARSE: Final = 0.4
_FINE: Final = 0.05
_HAIR: Final = 0.45 * SLIVER
_WAYS: Final = np.array([(1, 1), (-1, 1), (1, -1), (-1, -1)])
_ASIDE: Final = 0.1  # inches that are drawn round what matters
_RIM: Final = 3.0  # inches that going across the rim of a level adds at most


def without(table: Table, model: Model) -> Table:
    """Return the table with a model taken off it."""
    return replace(table, off=table.off | {model.id})


def placed(table: Table, model: Model, at: Point) -> Table:
    """Return the table after a model has moved to a place."""
    return table.with_model(replace(table.model(model.id), at=(float(at[0]), float(at[1])), moved=True, climbed=0.0))


def next_turn(table: Table, side: str) -> Table:
    """Return the table at the start of a side's next move: those of it that have moved may move again."""
    for model in table.standing():
        if model.side == side and model.moved:
            table = table.with_model(replace(model, moved=False))
    return table


def merged(one: Rows, two: Rows) -> Rows:
    """Return nested areas by chance of both."""
    if not two:
        return one
    chances = sorted({chance for chance, _ in (*one, *two)}, reverse=True)
    return tuple((least, shapely.union_all([a for c, a in (*one, *two) if c >= least])) for least in chances)


def walked(table: Table, walk: Reach, model: Model, within: shapely.Geometry) -> Rows:
    """Return where a model could be charged by an enemy that walks, as it may end its move anyway, into contact.

    Parameters
    ----------
    table
        The table at the start of the enemy's turn; where the model stands on it does not matter.
    walk
        Where near those places the enemy may end its move on the table without the model.
    model
        Who is charged.
    within
        The places of the model's centre that matter, inches.

    Returns
    -------
    Nested areas with the chance of a charge, the best first.

    """
    if walk.blocked or within.is_empty:
        return ()
    enemy = walk.mover
    rows = _touching(walk, model, 0.0, within)
    unseen = hidden(table, enemy, model, rows[-1][1]) if rows else shapely.Polygon()
    if not unseen.is_empty:
        rows = [(chance, shapely.difference(area, unseen)) for chance, area in rows]
    return tuple((chance, area) for chance, area in rows if not area.is_empty)


def walk_of(table: Table, enemy: Model, model: Model, within: shapely.Geometry) -> Reach | None:
    """Return where an enemy can end its move near enough to charge a model, taken off the table, that stands somewhere.

    None when no straight way would do.
    """
    near = _in_range(table, enemy, model, within)
    return None if near.is_empty else reach(table, enemy.id).near(_around(near, enemy, model))


def _in_range(table: Table, enemy: Model, model: Model, within: shapely.Geometry) -> shapely.Geometry:
    """Return the places of a model's centre, and more beside them, to which an enemy comes on straight ways."""
    (x, y), far = enemy.at, (enemy.move or 0.0) + enemy.radius + model.radius + _ASIDE
    if any(map(is_level, table.terrain.values())):
        far += _RIM
    if within.is_empty or shapely.distance(within, shapely.Point(x, y)) > far:
        return shapely.Polygon()
    return shapely.clip_by_rect(within, x - far, y - far, x + far, y + far)


def _around(within: shapely.Geometry, enemy: Model, model: Model) -> Bounds:
    """Return the bounds of where an enemy touches a model that stands somewhere, or comes within its zone."""
    far = enemy.radius + model.radius + ZONE_WIDTH + _ASIDE
    x0, y0, x1, y1 = within.bounds
    return x0 - far, y0 - far, x1 + far, y1 + far


def _touching(
    walk: Reach, model: Model, more: float, within: shapely.Geometry
) -> list[tuple[Fraction, shapely.Geometry]]:
    """Return by chance where a model would be touched, or come as near as some inches, at the end of a walk."""
    by = walk.mover.radius + model.radius + more
    return [(chance, intersection(grown(area, by), within)) for chance, area in _same_level(walk, model)]


def _same_level(found: Reach, model: Model) -> Rows:
    """Return the areas by chance on the surface the model stands on."""
    if model.on == found.surface:
        return tuple(found.regions)
    return tuple(found.platforms.get(model.on, ()))


def grown(area: shapely.Geometry, by: float) -> shapely.Geometry:
    """Grow an area by some inches; what its outline errs by anyway is left out first, which is much quicker."""
    return shapely.buffer(shapely.simplify(area, SAGITTA / 4), by, quad_segs=ROUND)


def hopped(
    table: Table, walk: Reach, model: Model, within: shapely.Geometry, *, most_asked: int
) -> tuple[Rows, shapely.Geometry]:
    """Return where an enemy comes into contact only by a way through other zones inside the model's own (CHG.5).

    It enters the model's zone with an inch of Move left and goes straight on. Where it enters it is an inch or more
    from the contact with those whose zones it leaves aside, so they are not in its way; where something without a
    zone may be, single charges are asked, no more than ``most_asked``.

    Returns
    -------
    Areas by chance like those of `walked`, and strips no more than `_FINE` wide where single charges differ, or that
    were not asked.

    """
    nowhere = shapely.Polygon()
    enemy, empty = walk.mover, walk.table
    friends = [m for m in empty.standing() if m.is_enemy(enemy) and m.has_zone]
    contact, most = enemy.radius + model.radius, enemy.move or 0.0
    near = [m for m in friends if math.dist(m.at, enemy.at) < most + enemy.radius + contact + 2]
    spent = ZONE_WIDTH * (2 if enemy.prone else 1)
    in_range = _in_range(empty, enemy, model, within)
    if walk.blocked or not model.has_zone or not near or in_range.is_empty or most <= spent:
        return (), nowhere
    window = _around(in_range, enemy, model)
    if walk.offset or enemy.prone:
        less = reach(empty.with_model(replace(empty.model(enemy.id), move=most - spent)), enemy.id).near(window)
    else:
        less = walk.near(window, less=spent)
    rows = _touching(less, model, ZONE_WIDTH, within)
    over = intersection(_passed_over(less, model), within)
    rows = [(chance, union([area, over])) for chance, area in rows]
    if not rows or _opened(rows[-1][1]).is_empty:
        return (), nowhere
    free = reach(empty, enemy.id, without=frozenset(m.id for m in friends))
    room = _touching(free.near(_around(rows[-1][1], enemy, model)), model, 0.0, within)
    rows = [(chance, intersection(area, _opened(room[-1][1]))) for chance, area in rows] if room else []
    if not rows or _opened(rows[-1][1]).is_empty:
        return (), nowhere
    unseen = hidden(table, enemy, model, rows[-1][1])
    rows = [(chance, _opened(shapely.difference(area, unseen))) for chance, area in rows]
    barred = shapely.buffer(_bars(empty, enemy), contact + ZONE_WIDTH, quad_segs=ROUND)
    sure = [(chance, shapely.difference(area, barred)) for chance, area in rows]
    asked, doubt = _judged(table, enemy, model, shapely.intersection(rows[-1][1], barred), most_asked)
    chances = sorted({chance for chance, _ in (*sure, *asked)}, reverse=True)
    found = ((least, shapely.union_all([a for c, a in (*sure, *asked) if c >= least])) for least in chances)
    return tuple((chance, area) for chance, area in found if not area.is_empty), doubt


def _passed_over(walk: Reach, model: Model) -> shapely.Geometry:
    """Return where a model might be come at from on top of obstacles that a walk leads to: no move ends there."""
    r = walk.mover.radius
    bodies = [
        piece.shape.to_shapely().buffer(r, quad_segs=ROUND)
        for piece in walk.table.terrain.values()
        if piece.shape is not None and "obstacle" in piece.tags and "unscalable" not in piece.tags
    ]
    widest = union([area for _, area in _same_level(walk, model)])
    met = [body for body in bodies if shapely.distance(widest, body) < _ASIDE]
    return shapely.buffer(union(met), r + model.radius + ZONE_WIDTH, quad_segs=ROUND)


def _bars(table: Table, enemy: Model) -> shapely.Geometry:
    """Return where an enemy's centre may be barred or slowed by something other than the zones of its own enemies."""
    bars = [
        shapely.Point(m.at).buffer(m.radius + enemy.radius, quad_segs=ROUND)
        for m in table.standing()
        if m.id != enemy.id and not (m.is_enemy(enemy) and m.has_zone)
    ]
    bars += [
        piece.shape.to_shapely().buffer(enemy.radius, quad_segs=ROUND)
        for piece in table.terrain.values()
        if piece.shape is not None and piece.tags
    ]
    return shapely.union_all(bars) if bars else shapely.Polygon()


def _opened(area: shapely.Geometry) -> shapely.Geometry:
    """Leave out strips that come from the chords of outlines."""
    return shapely.buffer(shapely.buffer(area, -SLIVER / 2), SLIVER / 2)


def _judged(
    table: Table, enemy: Model, model: Model, hop: shapely.Geometry, most: int
) -> tuple[Rows, shapely.Geometry]:
    """Ask single charges over an area, closer where they differ; return areas by chance, and what stays open."""
    known: dict[Point, Fraction] = {}

    def chance(at: Point) -> Fraction:
        if at not in known:
            # What a charge that fails would need is not asked.
            there = replace(placed(table, model, at), horizon=0.0)
            known[at] = ask(there, Charge(enemy.id, model.id), alternatives=False).chance or Fraction(0)
        return known[at]

    settled: dict[Fraction, list[shapely.Geometry]] = {}
    doubt: list[shapely.Geometry] = []
    size = round(_COARSE / _FINE)
    x0, y0, x1, y1 = (0, 0, -1, -1) if hop.is_empty else (math.floor(v / _COARSE) for v in hop.bounds)
    cells = [(i * size, j * size, size) for i in range(x0, x1 + 1) for j in range(y0, y1 + 1)]
    while cells:
        i, j, n = cells.pop(0)
        cell = shapely.box(i * _FINE, j * _FINE, (i + n) * _FINE, (j + n) * _FINE)
        part = intersection(hop, cell)
        if part.area <= 0:
            continue
        corners = [(i, j), (i + n, j), (i, j + n), (i + n, j + n), (i + n // 2, j + n // 2)]
        whole = part.area > (1 - SPECK) * cell.area
        spots = [(a * _FINE, b * _FINE) for a, b in corners] if whole else _looked_at(part)
        said = {chance(at) for at in spots} if len(known) < most else set()
        if len(said) == 1:
            settled.setdefault(said.pop(), []).append(part)
        elif n > 1 and said:
            half = n // 2
            cells += [(i + a, j + b, half) for a in (0, half) for b in (0, half)]
        else:
            doubt.append(part)
    rows = sorted(((c, union(some)) for c, some in settled.items() if c > 0), key=lambda row: -row[0])
    return tuple(rows), union(doubt)


def _looked_at(part: shapely.Geometry) -> list[Point]:
    """Return places that speak for an area: of each piece one inside and, a hair inside, the outermost ones."""
    found: dict[Point, None] = {}
    for piece in shapely.get_parts(part):
        inner = shapely.get_coordinates(shapely.buffer(piece, -_HAIR))
        outermost = [inner[i] for way in _WAYS for i in [int(np.argmax(inner @ way))]] if len(inner) else []
        for x, y in [shapely.get_coordinates(shapely.point_on_surface(piece))[0], *outermost]:
            found[float(x), float(y)] = None
    return list(found)
