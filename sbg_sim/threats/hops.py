"""Finds the ground on which a model can be charged only by a way through other zones inside its own (CHG.5).

The enemy walks past the zones of standing models until it enters the model's own with an inch of Move left, and goes on
inside it through any other zones. There are two bounds. It certainly reaches the ground where it may enter, grown by an
inch of movement over ground on which it could end. And it ends only where it could without any zones. Single charges
are judged only between the two.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from sbg_sim.geometry.areas import (
    NOWHERE,
    areas_only,
    clipped,
    difference,
    intersection,
    lines_of,
    merged,
    opened,
    parts_joined,
    union,
    with_chance,
)
from sbg_sim.geometry.regions import disc_region
from sbg_sim.rules.zones import ZONE_WIDTH
from sbg_sim.solver.field.landings import landing_lines
from sbg_sim.solver.judge import judge_charge
from sbg_sim.solver.path.options import SIX, farthest, late_ways
from sbg_sim.solver.reach import HangingReach, reach
from sbg_sim.table.nearby import pieces_near, standing_near
from sbg_sim.table.questions import Charge
from sbg_sim.threats.begun import beside_landings, over_in_time, rim_places
from sbg_sim.threats.chargeable import ASIDE, ROUND, around, grown, in_contact, placed, surfaces, touching
from sbg_sim.tolerance import ROUNDING, SPECK, SPECK_SHARE, STRIP

if TYPE_CHECKING:
    from sbg_sim.geometry.areas import Regions
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.reach_areas import Reach
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model

_COARSE: Final = 0.4
_FINE: Final = 0.1
_HAIR: Final = 0.45 * STRIP
_WAYS: Final = np.array([(1, 1), (-1, 1), (1, -1), (-1, -1)])
_STEPS: Final = 8  # steps in which ground is grown by an inch; chords at round corners are then a hair too short


def hopped(
    table: Table, walk: Reach, model: Model, within: shapely.Geometry, ends: shapely.Geometry, *, most_asked: int
) -> tuple[Regions, shapely.Geometry]:
    """Return where an enemy comes into contact only by a way through other zones inside the model's own (CHG.5).

    Parameters
    ----------
    table
        The table at the start of the enemy's turn; the model's place on it does not matter.
    walk
        The enemy's reach on the table without the model.
    model
        The model.
    within
        The places of the model's centre that matter, inches: those at which the enemy sees it.
    ends
        The places where the model can end its move, and lines on which dice land it.
    most_asked
        The most single charges to judge.

    Returns
    -------
    Areas by chance like those of `walked`, and strips at most `_FINE` wide in which single charges differ, or were not
    judged.

    """
    if isinstance(walk, HangingReach):
        found = [(route, hopped(table, there, model, within, ends, most_asked=0)) for route, there in walk.begun]
        rows = [tuple((SIX ** len(begun.tests) * c, area) for c, area in some) for begun, (some, _) in found]
        asked, doubt, _ = judged(table, walk.mover, model, union([left for _, (_, left) in found]), ends, most_asked)
        return merged(*rows, asked), doubt
    enemy, empty = walk.mover, walk.table
    friends = [m for m in empty.standing() if m.is_enemy(enemy) and m.has_zone]
    contact, most = enemy.radius + model.radius, enemy.move or 0.0
    near = [m for m in friends if math.dist(m.at, enemy.at) < most + enemy.radius + contact + 2]
    spent = ZONE_WIDTH * (2 if enemy.prone else 1)
    within = _opened(areas_only(within))
    if walk.blocked or not model.has_zone or not near or within.is_empty or most <= spent:
        return (), NOWHERE
    # With less Move it enters no more ground than with all of it, which is drawn already.
    within = _opened(_entering(walk, model, _entered(walk, model), within))
    if within.is_empty:
        return (), NOWHERE
    window = around(within, enemy, model)
    if walk.offset or enemy.prone:
        less = reach(empty.with_model(replace(empty.model(enemy.id), move=most - spent)), enemy.id).near(window)
    else:
        less = walk.near(window, less=spent)
    free = reach(empty, enemy.id, without=frozenset(m.id for m in friends)).near(window)
    surely: Regions = ()
    if model.on == less.surface:
        # Where it comes for certain dice do not matter: ways with dice are sought only beyond.
        surely = _grown_into(less, ((Fraction(1), less.area),), free.area, model, within)
        within = _opened(difference(within, with_chance(surely, 1)))
        if within.is_empty:
            return surely, NOWHERE
        window = around(within, enemy, model)
        less, free = less.near(window), free.near(window)
    entered = _entered(less, model)
    within = _opened(_entering(less, model, entered, within))
    reached = in_contact(free, model) if not within.is_empty else ()
    within = _opened(intersection(within, grown(reached[-1][1], contact))) if reached else NOWHERE
    if within.is_empty:
        return surely, NOWHERE
    # On one level alone: seen from above, joining ground may be on two.
    begun = less.on(model.on)
    if table.rulings["charge_on_a_six"] == "no":
        begun = tuple(row for row in begun if row[0] == 1)  # dice that land it in the model's zone may be barred
    surely = merged(surely, _grown_into(less, begun, with_chance(free.on(model.on), 0), model, within))
    onward, possible = _gone_on(less, model, entered), list[tuple[Fraction, shapely.Geometry]]()
    for chance, area in reached:
        landing = 0 < chance < 1 and chance.numerator > 1
        entering = _entering(less, model, entered if landing else onward, within, chance)
        (found,) = touching([area], contact, entering)
        # A last die lands it in contact, or it is not in contact at all: it cannot go on.
        possible.append((chance, intersection(found, beside_landings(walk, contact, chance)) if landing else found))
    unsettled = [difference(area, with_chance(surely, chance)) for chance, area in possible]
    asked, doubt, _ = judged(table, enemy, model, _opened(union(unsettled)), ends, most_asked)
    return merged(surely, asked), doubt


def _entered(found: Reach, model: Model) -> Regions:
    """Return the reach by chance on the surfaces on which the model's zone binds (``zones_across_surfaces``)."""
    if found.table.rulings["zones_across_surfaces"] == "no":
        return found.on(model.on)
    return merged(*map(found.on, surfaces(found)))


def _gone_on(found: Reach, model: Model, entered: Regions) -> Regions:
    """Return the part of the entered ground from which a mover may go on, not a landing that ends the move (LEAP.1)."""
    net, labels = found.fields.fine
    if not {way.way.kind for way in net.transitions} & set(late_ways(found.table, found.mover.move or 0.0)):
        return entered
    names = [model.on] if found.table.rulings["zones_across_surfaces"] == "no" else surfaces(found)
    spaces = [index for name in names for index in [found.surroundings.index(name)] if index is not None]
    rows: list[tuple[Fraction, shapely.Geometry]] = []
    for chance, area in entered:
        layers = [k for k in range(1, len(labels.cost)) if SIX**k >= chance]
        lines = [landing_lines(net, labels, space, k, found.limit) for space in spaces for k in layers]
        rows.append((chance, union([areas_only(area), *lines])))
    return tuple(rows)


def _entering(
    less: Reach, model: Model, entered: Regions, within: shapely.Geometry, chance: Fraction = Fraction(0)
) -> shapely.Geometry:
    """Return the places of a model whose zone an enemy enters with an inch left, with at least some chance.

    It enters the zone on ground where it may end a move, or over an obstacle, a platform or a prone model, where no
    move ends. From another level it may enter it by the way that leads onto the model's level.
    """
    r, widest = less.mover.radius, with_chance(entered, chance)
    if model.on != less.surface:
        widest = union([widest, _got_onto(less, model.on, certain=chance == 1)])
    if widest.is_empty:
        return NOWHERE
    free = (less.mover.height or 0.0) / 2 + ROUNDING  # no test up to this height (TER.3)
    more = r + model.radius + ZONE_WIDTH
    far = farthest(less.table, less.mover, less.limit) + ASIDE
    shapely.prepare(widest)
    bodies = {
        piece.id: body
        for piece in pieces_near(less.table, disc_region(less.mover.at, far, r))
        if piece.shape is not None and piece.is_obstacle and "unscalable" not in piece.tags
        if chance < 1 or piece.top <= free or "platform" in piece.tags or piece.on != less.surface
        for body in [piece.shape.to_shapely().buffer(r, quad_segs=ROUND)]
        if shapely.dwithin(widest, body, ASIDE)
    }
    for lying in standing_near(less.table, disc_region(less.mover.at, far, r)) if chance < 1 else ():
        body = shapely.buffer(shapely.Point(lying.at), r + lying.radius, quad_segs=ROUND)
        if lying.prone and lying.id != less.mover.id and shapely.dwithin(widest, body, ASIDE):
            bodies[lying.id] = body  # it may be jumped too (PRN.5)
    met = over_in_time(less, bodies, chance, more=ZONE_WIDTH)
    return intersection(union([grown(widest, more), shapely.buffer(union(met), more, quad_segs=ROUND)]), within)


def _got_onto(less: Reach, surface: str | None, *, certain: bool) -> shapely.Geometry:
    """Return the places, grown a little, at which ways from other levels may lead an enemy onto a surface."""
    index = less.surroundings.index(surface)
    ways = [way for way in less.surroundings.transitions if way.dest == index != way.source]
    lines = [shapely.linestrings(p) for way in ways if not (certain and way.way.tests) for p in rim_places(way.far)]
    far = farthest(less.table, less.mover, less.limit) + ASIDE
    disc = shapely.buffer(shapely.Point(less.mover.at), far, quad_segs=ROUND)
    return intersection(shapely.buffer(union(lines), STRIP), disc)


def _grown_into(
    less: Reach, entered: Regions, floor: shapely.Geometry, model: Model, within: shapely.Geometry
) -> Regions:
    """Return by chance where an enemy certainly touches the model: an inch further on ground where it could end."""
    contact = less.mover.radius + model.radius
    box = shapely.buffer(within, contact + ZONE_WIDTH).bounds
    slow = [
        piece.shape.to_shapely().buffer(less.mover.radius, quad_segs=ROUND)
        for piece in less.table.terrain.values()
        if piece.shape is not None and "difficult" in piece.tags
    ]
    floor = areas_only(clipped(floor, box))
    quick = difference(floor, union(slow))
    rows: list[tuple[Fraction, shapely.Geometry]] = []
    known, step = NOWHERE, ZONE_WIDTH / _STEPS
    for chance, area in entered:
        ground = intersection(areas_only(clipped(area, box)), floor)
        if ground.area - known.area <= SPECK:
            continue  # a landing by a last die ends the move
        # The ground of better chances is grown already.
        known, ground = ground, areas_only(difference(ground, known))
        for _ in range(_STEPS):
            # A whole step only from open ground; half of one on difficult ground.
            ahead = [ground, intersection(grown(intersection(ground, quick), step), quick)]
            ground = union([*ahead, intersection(grown(ground, step / 2), floor)] if slow else ahead)
        rows.append((chance, *touching([ground], contact, within)))
    return merged(*((row,) for row in rows if not row[1].is_empty))


def _opened(area: shapely.Geometry) -> shapely.Geometry:
    """Return an area without the strips that come from the chords of outlines."""
    return opened(area, STRIP)


def judged(
    table: Table, enemy: Model, model: Model, area: shapely.Geometry, ends: shapely.Geometry, most: int
) -> tuple[Regions, shapely.Geometry, int]:
    """Judge single charges over an area, closer together where they differ.

    Parameters
    ----------
    table, enemy, model
        The table, the enemy, and the model on its level.
    area
        The places of the model's centre, inches.
    ends
        The places where it can end its move; on a line charges are judged along the line only.
    most
        The most single charges to judge.

    Returns
    -------
    Areas by chance, the area that stays open, and the number of charges left.

    """
    known: dict[Point, Fraction] = {}

    def chance(at: Point) -> Fraction:
        if at not in known:
            # Only the chance matters, not the cost.
            there = replace(placed(table, model, at, model.on), horizon=0.0)
            known[at] = judge_charge(there, Charge(enemy.id, model.id), only_fits=True).chance
        return known[at]

    settled: dict[Fraction, list[shapely.Geometry]] = {}
    doubt: list[shapely.Geometry] = []
    lines = lines_of(ends)
    flat = area if lines.is_empty else areas_only(ends)
    size = round(_COARSE / _FINE)
    x0, y0, x1, y1 = (0, 0, -1, -1) if area.is_empty else (math.floor(v / _COARSE) for v in area.bounds)
    cells = [(i * size, j * size, size) for i in range(x0, x1 + 1) for j in range(y0, y1 + 1)]
    while cells:
        i, j, n = cells.pop(0)
        cell = shapely.box(i * _FINE, j * _FINE, (i + n) * _FINE, (j + n) * _FINE)
        part = intersection(area, cell)
        if part.area <= 0:
            continue
        corners = [(i, j), (i + n, j), (i, j + n), (i + n, j + n), (i + n // 2, j + n // 2)]
        whole = part.area > (1 - SPECK_SHARE) * cell.area
        along = lines_of(difference(intersection(part, lines), flat))  # a line may only touch the cell
        beside = part if lines.is_empty else areas_only(intersection(part, flat))
        spots = [(a * _FINE, b * _FINE) for a, b in corners] if whole else _looked_at(beside) + _looked_along(along)
        if not spots:
            continue  # only beside a line
        said = {known[at] for at in known if shapely.intersects_xy(part, *at)}
        for at in spots:
            if len(said) > 1 or (len(known) >= most and at not in known):
                break  # charges that differ already decide
            said.add(chance(at))
        else:
            if len(said) == 1:
                settled.setdefault(said.pop(), []).append(part)
                continue
        wide = not along.is_empty or not shapely.buffer(part, -_FINE / 2).is_empty
        if n > 1 and len(said) > 1 and wide:
            half = n // 2
            cells += [(i + a, j + b, half) for a in (0, half) for b in (0, half)]
        else:
            doubt.append(part)
    rows = sorted(((c, union(some)) for c, some in settled.items() if c > 0), key=lambda row: -row[0])
    return tuple(rows), union(doubt), most - len(known)


def _looked_at(part: shapely.Geometry) -> list[Point]:
    """Return places that stand for an area: for each part one inside and, a hair inside, the outermost ones."""
    found: dict[Point, None] = {}
    for piece in shapely.get_parts(part) if not part.is_empty else ():
        inner = shapely.get_coordinates(shapely.buffer(piece, -_HAIR))
        outermost = [inner[i] for way in _WAYS for i in [int(np.argmax(inner @ way))]] if len(inner) else []
        for x, y in [shapely.get_coordinates(shapely.point_on_surface(piece))[0], *outermost]:
            found[float(x), float(y)] = None
    return list(found)


def _looked_along(lines: shapely.Geometry) -> list[Point]:
    """Return places that stand for lines: the middle of each and, a hair inside, its ends."""
    found: dict[Point, None] = {}
    for line in parts_joined(lines):
        hair = min(_HAIR, line.length / 4)
        at = shapely.line_interpolate_point(line, [hair, line.length - hair, line.length / 2])
        for x, y in shapely.get_coordinates(at):
            found[float(x), float(y)] = None
    return list(found)
