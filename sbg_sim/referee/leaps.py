"""Judges leaps: over a gap, from roof to roof, and between a gap's brim and a roof."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sbg_sim.referee.crossings import crossed, stood_before, touches_outside, touches_rim
from sbg_sim.referee.curves import Curve, nearest_approach, segment
from sbg_sim.referee.outline import above, below, edges, merged
from sbg_sim.table.violation import Violation
from sbg_sim.tolerance import ROUNDING, TOUCH

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Shape
    from sbg_sim.referee.scene import Scene, Surface
    from sbg_sim.table.route import Leg
    from sbg_sim.table.terrain import Terrain


def leap(scene: Scene, leg: Leg, surface: Surface) -> list[Violation]:
    """Judge a Leap test over a gap (LEAP.1)."""
    if leg.test is None:
        return []
    piece = scene.table.piece(leg.test.over)
    if surface is not None and piece.id == leg.surface and "platform" in piece.tags:
        return _from_roof_to_roof(scene, leg, surface, piece)
    if piece.shape is None or "gap" not in piece.tags or piece.on not in {surface, leg.surface}:
        return [Violation("LEAP.1", f"{piece.id} is no gap in this surface", leg.start, piece.id)]
    if surface != leg.surface:
        return _between_roof_and_brim(scene, leg, surface, piece)
    found = crossed(scene, leg, piece.id, piece.shape, "LEAP.1")
    width = gap_width(scene, piece.shape, segment(leg.start, leg.end))
    if width > 2 * scene.height + TOUCH:
        reason = f"{piece.id} is {width:.6g} inches wide there, more than twice the model's height"
        found.append(Violation("LEAP.1", reason, leg.start, piece.id))
    return found


def _from_roof_to_roof(scene: Scene, leg: Leg, surface: str, piece: Terrain) -> list[Violation]:
    """Judge a leap from one platform to another, or over a notch of its own outline (LEAP.1)."""
    found = []
    start, end = scene.top(surface), scene.top(piece.id)
    for spot, shape, side in ((leg.start, start, "begins"), (leg.end, end, "ends")):
        if not touches_rim(scene, spot, shape):
            found.append(
                Violation("LEAP.1", f"the base does not stand at the rim where the leap {side}", spot, piece.id)
            )
    curve = segment(leg.start, leg.end)
    firm = merged((a, b) for shape in {id(start): start, id(end): end}.values() for a, b in below(curve, shape, 0.0))
    width = curve.length - math.fsum(b - a for a, b in firm)
    if width <= TOUCH:
        found.append(Violation("LEAP.1", "there is no gap to leap over", leg.start, piece.id))
    if width > 2 * scene.height + TOUCH:
        reason = f"it is {width:.6g} inches from rim to rim, more than twice the model's height"
        found.append(Violation("LEAP.1", reason, leg.start, piece.id))
    found += [*stood_before(scene, leg, "LEAP.1"), *_landing_level(scene, leg, surface)]
    return [*found, *_in_the_air(scene, curve, surface, leg.surface)]


def _between_roof_and_brim(scene: Scene, leg: Leg, surface: Surface, gap: Terrain) -> list[Violation]:
    """Judge a leap over a gap between its brim and a platform in it or beside it (LEAP.1)."""
    roof = leg.surface if gap.on == surface else surface
    if roof is None or gap.shape is None or "platform" not in scene.table.piece(roof).tags:
        return [Violation("LEAP.1", f"no leap over {gap.id} leads there", leg.start, gap.id)]
    found = []
    top, (on_top, at_brim) = scene.top(roof), (leg.end, leg.start) if roof == leg.surface else (leg.start, leg.end)
    if not touches_rim(scene, on_top, top):
        found.append(Violation("LEAP.1", f"the base does not stand at the rim of {roof}", on_top, roof))
    if not touches_outside(scene, at_brim, gap.shape):
        found.append(Violation("LEAP.1", f"the base does not stand at the brim of {gap.id}", at_brim, gap.id))
    away = segment(on_top, at_brim)
    left = [b for _, b in below(away, gap.shape, 0.0)]
    width = (max(left) if left else 0.0) - min((a for a, _ in above(away, top, 0.0)), default=away.length)
    if width <= TOUCH:
        found.append(Violation("LEAP.1", "there is no gap to leap over", leg.start, gap.id))
    if width > 2 * scene.height + TOUCH:
        reason = f"it is {width:.6g} inches from rim to rim, more than twice the model's height"
        found.append(Violation("LEAP.1", reason, leg.start, gap.id))
    curve = segment(leg.start, leg.end)
    found += stood_before(scene, leg, "LEAP.1") if leg.surface == roof else []
    return [*found, *_landing_level(scene, leg, surface), *_in_the_air(scene, curve, surface, leg.surface)]


def _landing_level(scene: Scene, leg: Leg, surface: Surface) -> list[Violation]:
    """Check that a leap lands neither too high nor too low (ruling ``leap_landing``)."""
    rise = scene.elevation(leg.surface) - scene.elevation(surface)
    reading = scene.table.rulings["leap_landing"]
    ruled = reading == "both" or (reading == "lower" and rise < 0)
    if abs(rise) <= ROUNDING or (ruled and scene.no_taller(abs(rise))):
        return []
    where = leg.surface or ""
    return [Violation("LEAP.1", f"it lands {rise:+.6g} inches from the level it leaps from", leg.end, where)]


def _in_the_air(scene: Scene, curve: Curve, surface: Surface, onto: Surface) -> list[Violation]:
    """Return the obstacles and models in the way of a leap that are higher than the level where it begins."""
    found = []
    feet = scene.elevation(surface)
    for other in scene.table.terrain.values():
        foot = scene.elevation(other.on)
        barring = other.is_obstacle and "gap" not in other.tags and other.id not in {surface, onto}
        if other.shape is None or not barring or scene.lets_through(other):
            continue
        if foot + other.top > feet + ROUNDING and foot < feet + scene.height - ROUNDING:
            hit = below(curve, other.shape, scene.radius - TOUCH)
            if hit:
                found.append(Violation("LEAP.1", f"{other.id} stands in the way", curve.at(hit[0][0]), other.id))
    for model in scene.everyone():
        foot = scene.elevation(model.on)
        head = foot + (model.height or 0.0) / (2 if model.prone else 1)
        nearest, t = nearest_approach(curve, model.at)
        if head > feet + ROUNDING and foot < feet + scene.height and nearest < scene.radius + model.radius - TOUCH:
            found.append(Violation("MOV.4", f"{model.id} stands in the way", curve.at(t), model.id))
    return found


def gap_width(scene: Scene, shape: Shape, curve: Curve) -> float:
    """Return the width of a gap for a leap, along the leap or at its narrowest (ruling ``leap_width``), inches."""
    # A line that only touches a corner of the gap is not over it, though by rounding it may cut the tip.
    over = [(a, b) for a, b in below(curve, shape, 0.0) if b - a > TOUCH]
    along = over[-1][1] - over[0][0] if over else 0.0
    if scene.table.rulings["leap_width"] == "line":
        return along
    return min(along, narrowest(shape))


def narrowest(shape: Shape) -> float:
    """Return the least width of a shape between two parallel lines, inches."""
    points = [p for edge in edges(shape) for p in edge]
    widths = []
    for p in points:
        for q in points:
            apart = math.dist(p, q)
            if apart > TOUCH:
                nx, ny = (p[1] - q[1]) / apart, (q[0] - p[0]) / apart
                aside = [(x - p[0]) * nx + (y - p[1]) * ny for x, y in points]
                widths.append(max(aside) - min(aside))
    return min(widths, default=0.0) + 2 * shape.radius
