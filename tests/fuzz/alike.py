"""The same table in other words has the same answers (metamorphic testing): told elsewhere, or made of other pieces.

Turned by quarters or by any angle, mirrored, shifted, in another size, with the corners of all pieces given in the
other order, with a piece cut in two along a chord, or with one there twice: verdicts agree each time, and by turns so
do areas of reaches, costs of places, lists of charges and what zones take away.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import shapely
import shapely.ops

import sbg_sim as sbg
from sbg_sim.geometry.shapes import circle, from_shapely
from sbg_sim.solver.answer import ask
from sbg_sim.table.faults import table_faults
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.joining import joined
from sbg_sim.tolerance import LARGEST
from tests.fuzz.contacts import overlaps
from tests.fuzz.judging import BARE, CLOSE, FAR, by_quarters
from tests.fuzz.kinds import rebuilt
from tests.heights.ruins import placed

WIDE = 60.0  # inches that a table turned by any angle has more of on every side
SIZES = (0.05, 0.5, 1 / 0.7, 3.0, 25.4)
SPECK = 1e-3  # square inches: a half that is smaller is no piece
SPOTS = 24  # places within a reach, and beside its outline
ARCS = 1e-4  # radians by which arcs of contact may differ
FLAT = frozenset({"unscalable", "difficult"})


@dataclass(frozen=True)
class Pair:
    """A table with a question, and both in other words: where a place is then, and by what lengths are multiplied."""

    one: tuple[Any, Any]
    other: tuple[Any, Any]
    there: Any = tuple
    size: float = 1.0


def faults(table, question, seed, count):
    """Everything in which an answer hangs on the words that it is asked in; what is held so is counted."""
    found, pairs = [], {}
    for words in WORDS:
        pair = words(table, question, random.Random(f"{words.__name__} {seed}"))
        if pair is not None and len(table_faults(pair.other[0])) <= len(table_faults(pair.one[0])):
            pairs[words.__name__] = pair
    for k, (words, pair) in enumerate(pairs.items()):
        wrong = [*verdicts(pair)]
        count["words"] += 1
        if k == seed % len(pairs) and max(table.model(question.model).at) < FAR:
            wrong += [*reaches(pair, np.random.default_rng(seed)), *lists(pair)]
            count["areas"] += 1
        found += [f"alike: {words}, {one}" for one in wrong]
    return found


# -- words ----------------------------------------------------------------------------------------------------------


def turned(table, question, dice):
    """Mirrored or not, and turned by quarters, table edges and all."""
    there = by_quarters(table.width, dice)
    return Pair((table, question), rebuilt(table, question, there), there)


def aslant(table, question, dice):
    """On a wider table, mirrored or not, turned by any angle and shifted."""
    wide = table.width + 2 * WIDE
    at, (asked,) = placed(table, [question], 0.0, (WIDE, WIDE))
    turn, mirror, c = dice.uniform(0, math.tau), dice.random() < 0.5, wide / 2
    x, y = circle((c, c), 1.0).moved(turn, (0.0, 0.0), mirror=mirror).spine[0]
    shift = (c - x + dice.uniform(-20, 20), c - y + dice.uniform(-20, 20))
    other, (asked_too,) = placed(at, [asked], turn, shift, mirror=mirror)
    sizes = {"width": wide, "depth": wide}

    def there(p):
        return circle(p, 1.0).moved(turn, shift, mirror=mirror).spine[0]

    return Pair((replace(at, **sizes), asked), (replace(other, **sizes), asked_too), there)


def scaled(table, question, dice):
    """In another size, Move and bases too; without what is measured in inches: zones, heights, who lies."""
    me = table.model(question.model)
    if me.on is not None or me.prone or not me.move:
        return None
    to = question.to if isinstance(question, sbg.Move) else table.model(question.targets[0]).at
    models = {n: m for n, m in table.models.items() if not (m.is_enemy(me) or m.prone or m.on)}
    flat = {n: p for n, p in table.terrain.items() if p.tags <= FLAT and p.on is None and p.height is None}
    plain = replace(table, models=FrozenMap(models), terrain=FrozenMap(flat), rulings=sbg.Table(1, 1).rulings)
    # What is overlapped by rounding is more than that where all is larger.
    most = 1.0 if any(overlaps(plain, me, p) for p in (me.at, to)) else math.inf
    by, asked = dice.choice([size for size in SIZES if size <= min(most, LARGEST / table.width)]), sbg.Move(me.id, to)

    def there(p):
        return (p[0] * by, p[1] * by)

    return Pair((plain, asked), rebuilt(plain, asked, there, by), there, by)


def cut(table, question, dice):
    """With a polygon cut in two along a chord, where both halves are still one obstacle or level."""
    whole = [p for p in table.terrain.values() if p.shape and p.shape.kind == "polygon" and "ladder" not in p.tags]
    whole = [p for p in whole if p.tags <= FLAT or p.tags & {"platform", "obstacle", "gap"}]
    if not whole:
        return None
    piece = dice.choice(whole)
    x0, y0, x1, y1 = piece.shape.bounds
    through = (dice.uniform(x0, x1), dice.uniform(y0, y1))
    start = table.model(question.model).at  # what one looks along, or walks along, now and then
    aim = math.atan2(through[1] - start[1], through[0] - start[0])
    angle = dice.choice([0.0, math.pi / 2, dice.uniform(0, math.pi), aim])
    far = (x1 - x0) + (y1 - y0) + 1.0
    dx, dy = far * math.cos(angle), far * math.sin(angle)
    line = shapely.LineString([(through[0] - dx, through[1] - dy), (through[0] + dx, through[1] + dy)])
    parts = shapely.get_parts(shapely.ops.split(piece.shape.to_shapely(), line))
    if len(parts) < 2 or min(part.area for part in parts) < SPECK:
        return None
    names = [piece.id, *(f"{piece.id}-half-{i}" for i in range(1, len(parts)))]
    halves = {n: replace(piece, id=n, shape=from_shapely(part)) for n, part in zip(names, parts, strict=True)}

    def under(name, at):
        return min(halves, key=lambda n: float(halves[n].shape.distance([at])[0])) if name == piece.id else name

    terrain = {}
    for name, other in table.terrain.items():
        if name == piece.id:
            terrain.update(halves)
        else:
            middle = other.at or (shapely.centroid(other.shape.to_shapely()).coords[0] if other.shape else None)
            told = {key: under(getattr(other, key), middle) for key in ("on", "to") if middle and getattr(other, key)}
            terrain[name] = replace(other, **told)
    models = {n: replace(m, on=under(m.on, m.at)) for n, m in table.models.items()}
    asked = replace(question, on=under(question.on, question.to)) if isinstance(question, sbg.Move) else question
    made = replace(table, terrain=FrozenMap(terrain), models=FrozenMap(models))
    walls = piece.tags & {"platform", "obstacle", "gap"}
    if walls and len(joined(made).terrain) != len(joined(table).terrain):
        return None  # two obstacles, one behind the other
    return Pair((table, question), (made, asked))


def doubled(table, question, dice):
    """With a piece there twice, as a file has it into which it was copied once too often."""
    pieces = [p for p in table.terrain.values() if p.shape is not None]
    if not pieces:
        return None
    piece = dice.choice(pieces)
    terrain = {**table.terrain, "twin": replace(piece, id="twin")}
    return Pair((table, question), (replace(table, terrain=FrozenMap(terrain)), question))


def backwards(table, question, dice):
    """With the corners of every polygon and line given in the other order, polygons from another one on."""

    def other(shape):
        at = dice.randrange(8)
        rings = tuple((ring[at % len(ring) :] + ring[: at % len(ring)])[::-1] for ring in shape.rings)
        return replace(shape, rings=rings, spine=shape.spine[::-1])

    terrain = {n: replace(p, shape=p.shape and other(p.shape)) for n, p in table.terrain.items()}
    return Pair((table, question), (replace(table, terrain=FrozenMap(terrain)), question))


WORDS = (turned, aslant, scaled, backwards, cut, doubled)


# -- answers --------------------------------------------------------------------------------------------------------


def verdicts(pair):
    """Both say the same of the question."""
    one, other = (ask(*asked, alternatives=False) for asked in (pair.one, pair.other))
    if not same(one, other, pair.size):
        yield f"{said(one)}, but {said(other)} for {pair.size:g} times the lengths"


def same(one, other, size=1.0):
    """Whether two verdicts agree, but for a hair where a margin is one."""
    costs = one.needed, other.needed
    if None not in costs and abs(size * costs[0] - costs[1]) > 2 * CLOSE * max(size, 1.0):
        return False
    if size == 1.0 and (costs[0] is None) != (costs[1] is None):
        return False  # how far is looked is told in inches
    hair = any(v.margin is not None and abs(v.margin) <= 2 * CLOSE * max(size, 1.0) for v in (one, other))
    return hair or (one.answer == other.answer and one.chance == other.chance)


def said(verdict):
    """A verdict in a few words."""
    return f"{verdict.answer} {verdict.chance} {verdict.needed}"


def reaches(pair, dice):
    """Reaches have the same area, and their places the same costs."""
    (one, _), (other, _) = pair.one, pair.other
    a, b = (sbg.reach(table, pair.one[1].model) for table in (one, other))
    errors = pair.size**2 * a.area_error + b.area_error
    if abs(pair.size**2 * a.area.area - b.area.area) > errors:
        yield f"area {a.area.area} becomes {b.area.area}, with errors of {errors} for {pair.size:g} times the lengths"
    if a.area.area < BARE:
        return
    rim, (x0, y0, x1, y1) = a.area.boundary, a.area.bounds
    at = shapely.get_coordinates(shapely.line_interpolate_point(rim, dice.uniform(0, rim.length, SPOTS)))
    size = a.mover.radius
    at = np.concatenate([at + dice.uniform(-size / 5, size / 5, at.shape), dice.uniform((x0, y0), (x1, y1), at.shape)])
    costs = pair.size * a.distance(at), b.distance(np.array([pair.there(p) for p in at.tolist()]))
    least, most = np.minimum(*costs), np.maximum(*costs)
    apart = np.subtract(most, least, out=np.zeros(len(at)), where=np.isfinite(least))
    known = least <= pair.size * a.allowance - CLOSE * max(pair.size, 1.0)
    for k in np.flatnonzero(known & (apart > 2 * CLOSE * max(pair.size, 1.0))).tolist()[:1]:
        yield f"{at[k].tolist()} costs {costs[0][k]}, but {costs[1][k]}, {pair.size:g} times the lengths"
    for surface, rows in a.platforms.items():
        others = dict(b.platforms.get(surface, ()))
        for chance, area in rows:
            there = others.get(chance, shapely.Point())
            if abs(area.area - there.area) > a.area_error + b.area_error + CLOSE + 1e-3 * area.length:
                yield f"area on {surface} by {chance} is {area.area}, but {there.area}"


def lists(pair):
    """Lists of charges, with their arcs, and what zones take away, agree."""
    (one, asked), (other, _) = pair.one, pair.other
    me = one.model(asked.model)
    if pair.size != 1.0 or not any(m.is_enemy(me) for m in one.standing()):
        return
    charges = {entry.target: entry for entry in sbg.charges(other, me.id)}
    for entry in sbg.charges(one, me.id):
        there = charges[entry.target]
        if not same(entry.verdict, there.verdict):
            yield f"charge of {entry.target}: {said(entry.verdict)}, but {said(there.verdict)}"
        spans = [sum(last - first for first, last in some.arcs) for some in (entry, there)]
        if abs(spans[0] - spans[1]) > ARCS:
            yield f"arcs about {entry.target}: {spans[0]}, but {spans[1]} radians"
    if me.move is None:
        return
    first, second = sbg.denials(one, me.id), sbg.denials(other, me.id)
    lost = {entry.enemy: entry for entry in second}
    for entry in first:
        if abs(entry.area - lost[entry.enemy].area) > 2 * (first.area_error + second.area_error):
            yield f"{entry.enemy} takes away {entry.area}, but {lost[entry.enemy].area} square inches"
