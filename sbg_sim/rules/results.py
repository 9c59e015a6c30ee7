"""The results of the dice of tests: what each face does to a model (JMP.1, LEAP.2, CLB.2, FALL.1, FALL.2, PRN.5)."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from sbg_sim.arrays import point
from sbg_sim.geometry.grown import Grown, along_edges, grown
from sbg_sim.geometry.pieces import rim_pieces, segment
from sbg_sim.geometry.regions import disc_region
from sbg_sim.geometry.shapes import polygon
from sbg_sim.rules.ground import climbed_on, fall_hits, ground
from sbg_sim.table.board import height_of
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.levels import elevation, floor_at, supports
from sbg_sim.table.nearby import pieces_near
from sbg_sim.table.outlines import corners, outline
from sbg_sim.table.route import Leg, Test
from sbg_sim.tolerance import APART, ROUNDING, SLIVER, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Bools, Floats
    from sbg_sim.geometry.pieces import Piece
    from sbg_sim.geometry.shapes import Point, Shape
    from sbg_sim.rules.ground import Ground
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain

_WORDS: Final = {
    "jump": {
        "1": "stumbles and stops touching the obstacle",
        "2-5": "gets over, placed touching the far side, and stops there",
        "6": "gets over and may go on",
    },
    "leap": {
        "1": "falls to the bottom of the gap, prone",
        "2-5": "lands touching the far side and stops there",
        "6": "lands and may go on",
    },
    "climb": {
        "1": "falls, prone at the foot",
        "2-5": "climbs and stops",
        "6": "climbs and may go on from the top",
    },
    "descend": {
        "1": "falls, prone at the foot",
        "2-5": "climbs down and stops",
        "6": "climbs down and may go on",
    },
    "jump-prone": {
        "1": "fails and stops short",
        "2-5": "gets over, placed next to the prone model, and stops there",
        "6": "gets over and may go on",
    },
}
_ONTO: Final = {  # onto another level
    "jump": {"2-5": "gets up, placed where its base first stands there, and stops", "6": "gets up and may go on"},
    "leap": {"2-5": "lands where its base first stands there and stops"},
}

_BASES: Final = 12  # radii beyond a leap's length within which room to lie is sought


@dataclass(frozen=True, slots=True)
class Result:
    """The state of a model after a face of a die.

    Parameters
    ----------
    at, on
        The centre (inches) and the level.
    prone
        Whether it is prone there.
    drop
        Inches fallen.
    hits
        Strength 3 hits of the fall (FALL.2).
    must_charge
        The prone enemy that must be charged instead of jumped (PRN.5); empty if there is none.

    """

    at: Point
    on: str | None
    prone: bool = False
    drop: float = 0.0
    hits: int = 0
    must_charge: str = ""


def failed(table: Table, mover: Model, leg: Leg, on: str | None, climbed: float = 0.0) -> Result:
    """Return the result of a 1.

    Parameters
    ----------
    table, mover
        The table, and the model that tests.
    leg
        The leg that needs the die.
    on
        The level on which it begins.
    climbed
        Inches of a face below a mover that hangs on it.

    """
    test = leg.test
    assert test is not None
    held_back = mover.id in table.off and table.rulings["reinforcement_must_charge"] == "no"
    if (
        test.kind == "jump-prone"
        and test.over in table.models
        and mover.is_enemy(table.models[test.over])
        and not held_back
    ):
        return Result(leg.start, on, must_charge=test.over)
    if test.kind in {"jump", "jump-prone"}:
        return Result(leg.start, on)
    if test.kind == "leap":
        return _fallen(table, mover, leg, on)
    place, level, drop = leg.start, on, climbed
    if test.kind == "descend":  # a descent that ends half way falls from where it began all the same
        place, level, drop = leg.end, leg.surface, max(test.drop, -leg.rise)
    return Result(place, level, prone=True, drop=drop, hits=_hits(table, mover, drop))


def _fallen(table: Table, mover: Model, leg: Leg, on: str | None) -> Result:
    """Return where a failed leap ends: on the highest level below, at the foot of the level left (LEAP.2, FALL.2).

    By the other reading of ``leap_fall`` under the middle of the leap. If it has no room there, as near as it has.
    """
    (ax, ay), (bx, by) = leg.start, leg.end
    high, middle = min(elevation(table, on), elevation(table, leg.surface)), ((ax + bx) / 2, (ay + by) / 2)
    near = pieces_near(table, disc_region(middle, math.dist(leg.start, leg.end) / 2, TOUCH))
    level = floor_at(table, middle, high, near)
    over = table.terrain.get(leg.test.over if leg.test else "")
    if level is None and over is not None and over.depth is not None:
        middle, level = _where_deep(table, leg, high, near) or (middle, None)
    bottom = (on, elevation(table, on)) if level is None else level
    drop = elevation(table, on) - bottom[1]
    at = middle if level is None else _lying(table, mover, leg, bottom[0], middle)
    return Result(at, bottom[0], prone=True, drop=drop, hits=_hits(table, mover, drop))


def _where_deep(
    table: Table, leg: Leg, high: float, near: Sequence[Terrain]
) -> tuple[Point, tuple[str | None, float]] | None:
    """Return the place along a leap nearest to its middle with a level below, and the level; None if there is none.

    Over a corner of a gap, or a strip of ground in it, the middle of the leap may not be over the gap.
    """
    way = shapely.LineString([leg.start, leg.end])
    outlines = [piece.shape.to_shapely().boundary for piece in near if piece.shape is not None]
    crossed = shapely.points(shapely.get_coordinates(shapely.intersection(way, outlines)))
    marks = np.unique(np.concatenate([[0.0, way.length], shapely.line_locate_point(way, crossed)])).tolist()
    found = []
    for low, upper in itertools.pairwise(marks):
        x, y = shapely.get_coordinates(way.interpolate((low + upper) / 2))[0].tolist()
        level = floor_at(table, (x, y), high, near)
        if level is not None:
            at = min(max(way.length / 2, low), upper)
            found.append((abs(at - way.length / 2), at, level))
    if not found:
        return None
    _, at, level = min(found, key=lambda row: row[0])
    return point(shapely.get_coordinates(way.interpolate(at))[0]), level


def _lying(table: Table, mover: Model, leg: Leg, level: str | None, middle: Point) -> Point:
    """Return where on a level a model lies that fell while it leapt: the nearest place with room to where it fell.

    That is the place itself, or one on a rim of the obstacles for its centre. If its base has no room at all, as in a
    notch narrower than it, its centre lies within the level as near as may be to the middle of the leap.
    """
    start = leg.start if table.rulings["leap_fall"] == "foot" else middle
    far = math.dist(leg.start, leg.end) + _BASES * mover.radius
    floor = ground(table, mover, level, region=disc_region(start, 0.0, far + mover.radius))
    inside = floor.inside or polygon([(0, 0), (table.width, 0), (table.width, table.depth), (0, table.depth)])
    solid = _in_its_way(table, mover, floor)

    def nearest(wanted: Point, inside: Shape, within: float) -> Point | None:
        def roomy(spots: Floats) -> Bools:
            return np.asarray(solid.clears(spots, ROUNDING) & (inside.depth(spots) <= ROUNDING - within))

        if roomy(np.array([wanted]))[0]:
            return wanted
        rims = _rims(solid, inside, within)
        spots = np.array([wanted, *(piece.at(np.array(piece.nearest(wanted)[0])) for piece in rims)])
        away = np.hypot(*(spots - wanted).T)
        room = (away <= far) & roomy(spots)
        return point(spots[np.where(room, away, np.inf).argmin()]) if room.any() else None

    return nearest(start, inside, mover.radius) or nearest(middle, _on_the_table(table, mover, inside), 0.0) or middle


def _on_the_table(table: Table, mover: Model, level: Shape) -> Shape:
    """Return the part of a level where a mover's base is on the table; a round level whole."""
    r, (x0, y0, x1, y1) = mover.radius, level.bounds
    if not level.rings or (r <= min(x0, y0) and x1 <= table.width - r and y1 <= table.depth - r):
        return level
    both = shapely.intersection(level.to_shapely(), shapely.box(r, r, table.width - r, table.depth - r))
    return level if both.area <= SLIVER else outline(both, corners(level))


def _in_its_way(table: Table, mover: Model, floor: Ground) -> Grown:
    """Return the obstacles for a mover's centre on a level, without the level's edges; enemies a hair wider."""
    r = mover.radius
    bases = ((one.shape, APART if mover.is_enemy(table.models[one.id]) else 0.0) for one in floor.bases)
    low = floor.low if table.rulings["end_on_low_obstacle"] == "no" else ()
    solid = (*(one.shape for one in floor.solids), *(shape for _, shape in low))
    return grown((shape, r + more) for shape, more in (*((one, 0.0) for one in solid), *bases))


def _rims(solid: Grown, inside: Shape, within: float) -> list[Piece]:
    """Return the rims of the obstacles for a centre, and of the level, from whose edges it must stay some inches."""
    edges = along_edges(inside, within if inside.rings else max(inside.radius - within, 0.0))
    # In a pit just as wide as the base only its middle has room.
    middle = [] if inside.rings else [segment(side[:2], side[2:]) for side in inside.capsules.tolist()]
    return [*rim_pieces(solid, [edges]), *rim_pieces(edges, [solid]), *middle]


def _hits(table: Table, mover: Model, drop: float) -> int:
    return fall_hits(table, height_of(mover), drop) if drop > 0 else 0


def stops_short(table: Table, mover: Model, leg: Leg) -> Point | None:
    """Return where a 2 to 5 puts down a model that would touch an enemy without a zone; None if it may touch.

    By one reading of ``jump_into_contact`` a landing stops short of contact (JMP.1, LEAP.2).
    """
    test = leg.test
    if test is None or test.kind not in {"jump", "jump-prone", "leap"}:
        return None
    if table.rulings["jump_into_contact"] == "charge":
        return None
    x, y = leg.end
    for other in table.standing():
        apart = math.dist(other.at, leg.end)
        foe = other.is_enemy(mover) and not other.has_zone and other.id != test.over
        if foe and other.on == leg.surface and apart <= other.radius + mover.radius + TOUCH:
            step = APART / max(apart, TOUCH)
            return (x + step * (x - other.at[0]), y + step * (y - other.at[1]))
    return None


def with_results(table: Table, mover: Model, leg: Leg, on: str | None, climbed: float = 0.0) -> Leg:
    """Return a leg with the results of its test filled in.

    Parameters
    ----------
    table, mover
        The table, and the model that tests.
    leg
        A leg with its test.
    on
        The level on which it begins.
    climbed
        Inches of a face below a mover that hangs on it.

    """
    test = leg.test
    assert test is not None
    one = failed(table, mover, leg, on, climbed)
    filled = replace(
        test,
        results=_words(table, leg, on, one),
        drop=one.drop,
        prone_on_fail=one.prone,
        fail_at=one.at,
        fail_on=one.on,
        fail_hits=one.hits,
    )
    return replace(leg, test=filled)


def coming_down(table: Table, mover: Model) -> Leg | None:
    """Return the leg down to the foot of the face on which the mover hangs; None if there is no way down.

    Free from up to the mover's height (FALL.1), by a ladder at the cost of the height (CLB.5), else by a Climb test.
    """
    at, high = mover.at, mover.climbed
    under = (mover.on, *supports(table, mover.on))
    pieces = [p for p in table.terrain.values() if p.on == mover.on or ("gap" in p.tags and p.id in under)]
    if any("ladder" in p.tags and p.at is not None and math.dist(p.at, at) <= mover.radius + TOUCH for p in pieces):
        return Leg("ladder", at, at, high, mover.on, rise=-high)
    if high <= height_of(mover) + ROUNDING:
        return Leg("down", at, at, 0.0, mover.on, rise=-high)
    face = next((p for p in pieces if climbed_on(mover, p) and "unscalable" not in p.tags), None)
    if face is None or "cavalry" in mover.keywords:
        return None
    test = Test("descend", face.id, at, at, rule="FALL.1", landing_on=mover.on)
    return with_results(table, mover, Leg("descend", at, at, 2 * high, mover.on, rise=-high, test=test), mover.on)


def _words(table: Table, leg: Leg, on: str | None, one: Result) -> FrozenMap[str, str]:
    """Return the effect of each result of a die, in words."""
    test = leg.test
    assert test is not None
    words = FrozenMap(_WORDS[test.kind] | (_ONTO.get(test.kind, {}) if leg.surface != on else {}))
    said = words["1"]
    if test.kind == "leap":
        piece = table.terrain.get(test.over)
        if one.drop <= 0:
            said += "; how deep it is, and what hits that costs, is not said"
        elif piece is not None and one.on != piece.id:
            said = f"falls {one.drop:g} in onto {one.on or 'the ground'}, prone"
    if one.must_charge:
        said = f"must charge {one.must_charge} instead"
    if one.hits:
        said += f"; falls {one.drop:g} in: {one.hits} Strength 3 hit{'s' if one.hits > 1 else ''}"
    return words.with_item("1", said)
