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

import shapely

from sbg_sim.rules.zones import ZONE_WIDTH
from sbg_sim.solver.answer import ask
from sbg_sim.solver.field.fans import SAGITTA
from sbg_sim.solver.reach import reach
from sbg_sim.table.questions import Charge
from sbg_sim.threats.shadows import hidden

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point
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


def walked(table: Table, enemy: Model, model: Model, within: shapely.Geometry) -> Rows:
    """Return where a model could be charged by an enemy that walks, as it may end its move anyway, into contact.

    Parameters
    ----------
    table
        The table at the start of the enemy's turn; where the model stands on it does not matter.
    enemy, model
        Who charges whom.
    within
        The places of the model's centre that matter, inches.

    Returns
    -------
    Nested areas with the chance of a charge, the best first.

    """
    found = reach(without(table, model), enemy.id)
    if found.blocked or within.is_empty:
        return ()
    contact = enemy.radius + model.radius
    rows = [(chance, _clip(area, contact, within)) for chance, area in _same_level(found, model)]
    unseen = hidden(table, enemy, model, rows[-1][1]) if rows else shapely.Polygon()
    if not unseen.is_empty:
        rows = [(chance, shapely.difference(area, unseen)) for chance, area in rows]
    return tuple((chance, area) for chance, area in rows if not area.is_empty)


def _same_level(found: Reach, model: Model) -> Rows:
    """Return the areas by chance on the surface the model stands on."""
    if model.on == found.surface:
        return tuple(found.regions)
    return tuple(found.platforms.get(model.on, ()))


def grown(area: shapely.Geometry, by: float) -> shapely.Geometry:
    """Grow an area by some inches; what its outline errs by anyway is left out first, which is much quicker."""
    return shapely.buffer(shapely.simplify(area, SAGITTA / 4), by, quad_segs=ROUND)


def _clip(area: shapely.Geometry, by: float, within: shapely.Geometry) -> shapely.Geometry:
    return shapely.intersection(grown(area, by), within)


def hopped(
    table: Table, enemy: Model, model: Model, within: shapely.Geometry, *, most_asked: int
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
    empty = without(table, model)
    friends = [m for m in empty.standing() if m.is_enemy(enemy) and m.has_zone]
    contact, most = enemy.radius + model.radius, enemy.move or 0.0
    near = [m for m in friends if math.dist(m.at, enemy.at) < most + enemy.radius + contact + 2]
    spent = ZONE_WIDTH * (2 if enemy.prone else 1)
    if not model.has_zone or not near or within.is_empty or most <= spent:
        return (), nowhere
    if shapely.distance(within, shapely.Point(enemy.at)) > most + contact:
        return (), nowhere
    free = _same_level(reach(empty, enemy.id, without=frozenset(m.id for m in friends)), model)
    room = _opened(_clip(free[-1][1], contact, within)) if free else nowhere
    if room.is_empty:
        return (), nowhere
    short = _same_level(reach(empty.with_model(replace(empty.model(enemy.id), move=most - spent)), enemy.id), model)
    rows = [(chance, _clip(area, contact + ZONE_WIDTH, room)) for chance, area in short]
    if not rows or rows[-1][1].is_empty:
        return (), nowhere
    unseen = hidden(table, enemy, model, rows[-1][1])
    rows = [(chance, _opened(shapely.difference(area, unseen))) for chance, area in rows]
    barred = shapely.buffer(_bars(empty, enemy), contact + ZONE_WIDTH, quad_segs=ROUND)
    sure = [(chance, shapely.difference(area, barred)) for chance, area in rows]
    asked, doubt = _judged(table, enemy, model, shapely.intersection(rows[-1][1], barred), most_asked)
    chances = sorted({chance for chance, _ in (*sure, *asked)}, reverse=True)
    found = ((least, shapely.union_all([a for c, a in (*sure, *asked) if c >= least])) for least in chances)
    return tuple((chance, area) for chance, area in found if not area.is_empty), doubt


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
    if hop.is_empty:
        return (), shapely.Polygon()
    known: dict[tuple[int, int], Fraction] = {}

    def chance(i: int, j: int) -> Fraction:
        if (i, j) not in known:
            there = placed(table, model, (i * _FINE, j * _FINE))
            known[i, j] = ask(there, Charge(enemy.id, model.id), alternatives=False).chance or Fraction(0)
        return known[i, j]

    settled: dict[Fraction, list[shapely.Geometry]] = {}
    doubt: list[shapely.Geometry] = []
    size = round(_COARSE / _FINE)
    x0, y0, x1, y1 = (math.floor(v / _COARSE) for v in hop.bounds)
    cells = [(i * size, j * size, size) for i in range(x0, x1 + 1) for j in range(y0, y1 + 1)]
    shapely.prepare(hop)
    while cells:
        i, j, n = cells.pop(0)
        cell = shapely.box(i * _FINE, j * _FINE, (i + n) * _FINE, (j + n) * _FINE)
        if not shapely.intersects(hop, cell):
            continue
        corners = [(i, j), (i + n, j), (i, j + n), (i + n, j + n), (i + n // 2, j + n // 2)]
        said = {chance(*corner) for corner in corners} if len(known) < most else set()
        if len(said) == 1:
            settled.setdefault(said.pop(), []).append(cell)
        elif n > 1 and said:
            half = n // 2
            cells += [(i + a, j + b, half) for a in (0, half) for b in (0, half)]
        else:
            doubt.append(cell)
    rows = [(c, shapely.intersection(hop, shapely.union_all(some))) for c, some in settled.items() if c > 0]
    open_ = shapely.intersection(hop, shapely.union_all(doubt)) if doubt else shapely.Polygon()
    return tuple(sorted(rows, key=lambda row: -row[0])), open_
