"""What must be true of a table and of a move, told by shapely alone: no part of the solver or the referee is asked."""

from __future__ import annotations

import itertools
import math
from functools import cache
from typing import TYPE_CHECKING

import shapely

if TYPE_CHECKING:
    from shapely import Geometry

    from sbg_sim.geometry.shapes import Shape
    from sbg_sim.phase import Step
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.route import Leg
    from sbg_sim.table.terrain import Terrain

SLACK = 2e-6  # places are rounded to six decimals
ROUND = 1e-3  # circles are polygons here


@cache
def body(shape: Shape) -> Geometry:
    """Return a shape that has straight sides, or the point or line that a round one is grown from."""
    if shape.rings:
        return shapely.Polygon(shape.rings[0], shape.rings[1:])
    return shapely.Point(shape.spine[0]) if len(shape.spine) == 1 else shapely.LineString(shape.spine)


def off(piece: Terrain, geometry: Geometry) -> float:
    """Return the distance of a geometry from a piece."""
    assert piece.shape is not None
    return body(piece.shape).distance(geometry) - piece.shape.radius


def barring(table: Table, model: Model, on: str | None) -> list[Terrain]:
    """Return the pieces on a surface that no base may lie over."""
    return [
        piece
        for piece in table.terrain.values()
        if piece.shape is not None
        and piece.on == on
        and (piece.is_obstacle or "gap" in piece.tags)
        and model.id not in piece.lets_through
    ]


def unsound(table: Table) -> list[str]:
    """Say what is wrong with where models stand."""
    found = [wrong for model in table.standing() for wrong in misplaced(table, model)]
    for one, other in itertools.combinations(table.standing(), 2):
        gap = math.dist(one.at, other.at) - one.radius - other.radius
        apart = one.on != other.on and (in_a_slit(table, one) or in_a_slit(table, other))  # one lies far below
        if gap < -SLACK and not apart:
            found.append(f"{one.id} overlaps {other.id}")
        engaged = other.id in one.engaged
        if engaged != (one.id in other.engaged):
            found.append(f"only one of {one.id} and {other.id} is engaged")
        if engaged and not one.is_enemy(other):
            found.append(f"{one.id} and {other.id} are friends and engaged")
        if engaged and gap > SLACK and not across(table, one, other):
            found.append(f"{one.id} and {other.id} are engaged {gap} apart")
        if not engaged and gap < SLACK / 4 and one.on == other.on and one.is_enemy(other):
            found.append(f"{one.id} and {other.id} are in contact and not engaged")
    return found


def misplaced(table: Table, model: Model) -> list[str]:
    """Say what is wrong with where one model stands."""
    (x, y), r = model.at, model.radius
    here = shapely.Point(model.at)
    found = []
    if min(x, y, table.width - x, table.depth - y) < r - SLACK:
        found.append(f"{model.id} off the table")
    if model.on is not None:
        top = table.terrain[model.on].shape
        assert top is not None
        inside = body(top)
        room = inside.exterior.distance(here) if inside.geom_type == "Polygon" else top.radius - inside.distance(here)
        if in_a_slit(table, model):  # it lies amid its leap, with its centre in the slit
            room = r
        if room < r - SLACK or (inside.geom_type == "Polygon" and not inside.contains(here)):
            found.append(f"{model.id} sticks out over the rim of {model.on}")
    for piece in barring(table, model, model.on):
        fallen = "gap" in piece.tags and model.prone
        if not fallen and off(piece, here) < r - SLACK:
            found.append(f"{model.id} inside {piece.id}")
    return found


def in_a_slit(table: Table, model: Model) -> bool:
    """Say whether a model lies in a gap that has no room for its base anywhere."""
    gap = table.terrain.get(model.on or "")
    if not model.prone or gap is None or "gap" not in gap.tags or gap.shape is None or not gap.shape.rings:
        return False
    return bool(body(gap.shape).buffer(SLACK - model.radius).is_empty)


def across(table: Table, one: Model, other: Model) -> bool:
    """Say whether two stand on either side of one barrier, one of them touching it (CHG.8)."""
    between = shapely.LineString([one.at, other.at])
    return any(
        off(piece, between) <= 0 and min(abs(off(piece, shapely.Point(m.at)) - m.radius) for m in (one, other)) < SLACK
        for piece in table.terrain.values()
        if piece.is_obstacle and piece.shape is not None
    )


# -- one move -------------------------------------------------------------------------------------------------


def unfair(before: Table, step: Step) -> list[str]:
    """Say what is wrong with a move that was made."""
    mover = before.model(step.model)
    legs = step.route.legs
    # A last leap is within the maximum Move, whatever is left of it (LEAP.1, ruling leap_needs).
    last = legs[-1].cost if legs and legs[-1].kind == "leap" else 0.0
    most = (mover.move or 0) + SLACK
    found = [] if last <= most and step.used - last <= most else [f"{mover.id} used {step.used}"]
    if math.fsum(leg.length for leg in legs if leg.kind == "crawl") > 1 + SLACK:
        found.append(f"{mover.id} crawled too far")
    for one, two in itertools.pairwise(legs):
        if math.dist(one.end, two.start) > SLACK:
            found.append(f"a jerk from {one.end} to {two.start}")
    if legs and step.model not in before.off and math.dist(legs[0].start, mover.at) > SLACK:
        found.append("it starts elsewhere")
    for leg in legs:
        if leg.kind in {"straight", "arc", "crawl"}:
            found += grazed(before, mover, leg)
            found += miscounted(before, mover, leg)
    return found + trespassed(before, mover, step)


def line_of(leg: Leg) -> Geometry:
    points = leg.points(1e-3)
    return shapely.LineString(points) if leg.length > 0 else shapely.Point(points[0])


def grazed(before: Table, mover: Model, leg: Leg) -> list[str]:
    """Say through what a walked leg leads: bases, solids, beyond the edge."""
    way, r = line_of(leg), mover.radius
    found = [
        f"{leg} leads through {other.id}"
        for other in before.standing()
        if other.id != mover.id and other.on == leg.surface
        and way.distance(shapely.Point(other.at)) < r + other.radius - SLACK
    ]  # fmt: skip
    for piece in barring(before, mover, leg.surface):
        low = piece.height is not None and mover.height is not None and piece.height < mover.height / 2
        fallen = "gap" in piece.tags and mover.prone
        if not fallen and not (low and "platform" not in piece.tags) and off(piece, way) < r - SLACK:
            found.append(f"{leg} leads through {piece.id}")
    x0, y0, x1, y1 = way.bounds
    if mover.id not in before.off and min(x0, y0, before.width - x1, before.depth - y1) < r - SLACK:
        found.append(f"{leg} leads beyond the edge")
    return found


def miscounted(before: Table, mover: Model, leg: Leg) -> list[str]:
    """Say whether a walked leg costs anything but its length, doubled over difficult ground."""
    if leg.kind == "crawl" or leg.length == 0:
        return []
    way, r = line_of(leg), mover.radius
    deep = [
        (body(p.shape), p.shape.radius + r)
        for p in before.terrain.values()
        if p.difficult and p.shape is not None and p.on == leg.surface and mover.id not in p.lets_through
    ]
    grown = [shape.buffer(reach, quad_segs=256) for shape, reach in deep]
    doubled = way.intersection(shapely.union_all(grown)).length
    # A way along a rim lies within rounding of it, and polygons lie inside circles: what is near may count or not.
    near = [
        shape.buffer(reach + ROUND, quad_segs=256).difference(inner)
        for (shape, reach), inner in zip(deep, grown, strict=True)
    ]
    unsure = way.intersection(shapely.union_all(near)).length + 1e-5
    if not doubled - unsure <= leg.cost - leg.length <= doubled + unsure:
        return [f"{leg} costs {leg.cost}, and is {leg.length} long, {doubled} of it doubled"]
    return []


def trespassed(before: Table, mover: Model, step: Step) -> list[str]:
    """Say into which zones a move led that ended of its own will without a charge (CZ.1, CZ.4)."""
    if step.engaged or step.rolls or not step.route.legs or step.at is None:
        return []
    found = []
    for enemy in before.standing():
        if not (enemy.is_enemy(mover) and enemy.has_zone and enemy.on == mover.on == step.on):
            continue
        width = mover.radius + enemy.radius + 1
        first = math.dist(mover.at, enemy.at)
        held = mover.id not in before.off and first < width - SLACK
        legs = [leg for leg in step.route.legs if leg.surface == enemy.on and leg.kind in {"straight", "arc", "crawl"}]
        near = min((line_of(leg).distance(shapely.Point(enemy.at)) for leg in legs), default=math.inf)
        if near < (first if held else width) - SLACK:
            found.append(f"{mover.id} comes within {near} of {enemy.id}")
    return found
