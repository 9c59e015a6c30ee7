"""Judges legs that cross something: jumps, and free ways up and down; with the checks that all crossings share."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from sbg_sim.referee.curves import Curve, Spot, meets_line, point_to_segment, segment
from sbg_sim.referee.outline import above, below, edges, signed_gap
from sbg_sim.table.board import height_of
from sbg_sim.table.joining import beside_both, beside_step, faces_of, gap_under
from sbg_sim.table.levels import supports
from sbg_sim.table.route import TEST_RULES
from sbg_sim.table.violation import Violation
from sbg_sim.tolerance import ABOUT, AT_CORNER, SHALLOW, TOUCH

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Shape
    from sbg_sim.referee.scene import Scene, Surface
    from sbg_sim.table.route import Leg
    from sbg_sim.table.terrain import Terrain

_ASLANT: Final = 0.05  # radians by which places tried beside another lie towards the start

TEST_KINDS = {"jump": ("jump", "jump-prone"), "leap": ("leap",), "climb": ("climb",), "descend": ("descend",)}
"""The kinds of tests that a leg of each kind may have."""


def named_test(leg: Leg, *, hangs: bool) -> list[Violation]:
    """Check that a leg names the test it needs, and no other."""
    if hangs and leg.kind == "climb":
        return [] if leg.test is None else [Violation("CLB.4", "who hangs on a face goes on without a test", leg.start)]
    kinds = TEST_KINDS.get(leg.kind, ())
    rule = TEST_RULES.get(leg.kind, "MOV.3")
    if leg.test is None:
        return [Violation(rule, f"a leg of kind {leg.kind!r} names no test", leg.start)] if kinds else []
    if leg.test.kind not in kinds:
        return [Violation(rule, f"a leg of kind {leg.kind!r} asks for a {leg.test.kind!r} test", leg.start)]
    if math.dist(leg.test.at, leg.start) > TOUCH or math.dist(leg.test.landing, leg.end) > TOUCH:
        return [Violation(rule, "the test is not taken where its leg begins and ends", leg.start, leg.test.over)]
    return []


def touches_outside(scene: Scene, spot: Spot, shape: Shape) -> bool:
    """Say whether the base touches a shape from outside."""
    return abs(signed_gap(spot, shape) - scene.radius) <= TOUCH


def touches_rim(scene: Scene, spot: Spot, shape: Shape, *, climbing: bool = False) -> bool:
    """Say whether the base stands on a shape, at its rim; a climber may stand there with all of its base as well."""
    off = signed_gap(spot, shape)
    return abs(off + scene.margin) <= TOUCH or (climbing and abs(off + scene.radius) <= TOUCH)


def jump(scene: Scene, leg: Leg, surface: Surface) -> list[Violation]:
    """Judge a Jump test over an obstacle, onto a platform, or over a prone model (TER.4, JMP, PRN.5)."""
    if leg.test is None:
        return []
    if leg.test.kind == "jump-prone":
        return _jump_prone(scene, leg, surface)
    piece = scene.table.piece(leg.test.over)
    if piece.shape is None:
        return [Violation("JMP.1", f"{piece.id} is no obstacle on this surface", leg.start, piece.id)]
    found = []
    if leg.surface != surface and (piece.id in {surface, leg.surface} or _in_gap(scene, surface, piece)):
        rise = scene.elevation(leg.surface) - scene.elevation(surface)
        if rise < 0:
            found.append(Violation("FALL.1", f"the jump leads {-rise:.6g} inches down", leg.start, piece.id))
        if not scene.no_taller(rise):
            found.append(
                Violation("JMP.3", f"{rise:.6g} inches up are more than the model's height", leg.start, piece.id)
            )
        found += changed(scene, leg, surface, piece, "JMP.1")
        found += stood_before(scene, leg, "JMP.1", None if leg.surface == piece.id else piece)
        found += _jumped_across(scene, leg, piece)
    elif leg.surface == surface and scene.is_stood_on(piece, surface):
        found.append(Violation("JMP.1", f"{piece.id} is jumped onto, not over", leg.start, piece.id))
    elif leg.surface == surface and piece.is_obstacle and met(scene, piece, surface):
        if not scene.no_taller(scene.tall(piece, surface)):
            found.append(Violation("JMP.3", f"{piece.id} is taller than the model", leg.start, piece.id))
        found += crossed(scene, leg, piece.id, piece.shape, "JMP.1")
        found += _jumped_across(scene, leg, piece)
    else:
        found.append(Violation("JMP.1", f"the jump does not land beyond or on top of {piece.id}", leg.end, piece.id))
    return found


def _jump_prone(scene: Scene, leg: Leg, surface: Surface) -> list[Violation]:
    assert leg.test is not None
    other = scene.table.model(leg.test.over)
    found = []
    if not other.prone:
        found.append(Violation("PRN.5", f"{other.id} is not prone and cannot be jumped", leg.start, other.id))
    if other.on != surface or leg.surface != surface:
        found.append(Violation("PRN.5", f"{other.id} is not on this surface", leg.start, other.id))
    if scene.table.rulings["jump_prone_height"] == "half" and not scene.no_taller(height_of(other) / 2):
        found.append(Violation("PRN.5", f"half the height of {other.id} is more than the model's", leg.start, other.id))
    reach = scene.radius + other.radius
    for spot, side in ((leg.start, "near"), (leg.end, "far")):
        if abs(math.dist(spot, other.at) - reach) > TOUCH:
            reason = f"the jump over {other.id} is not as near as can be on the {side} side"
            found.append(Violation("PRN.5", reason, spot, other.id))
    return found


def met(scene: Scene, piece: Terrain, surface: Surface) -> bool:
    """Say whether a piece stands on a surface, or reaches down to it."""
    return any(other.id == piece.id for other, _ in scene.pieces(surface))


def changed(scene: Scene, leg: Leg, surface: Surface, piece: Terrain, rule: str) -> list[Violation]:
    """Check a shift across the outline of a platform or a gap: from touching it outside to its rim inside, or back.

    Returns the violations, with ``rule`` as their id.
    """
    assert piece.shape is not None
    step = next((name for name in (leg.surface, surface) if name != piece.id and _in_gap(scene, name, piece)), None)
    inward = leg.surface in {piece.id, step or piece.id}
    outside, inside = (leg.start, leg.end) if inward else (leg.end, leg.start)
    found = []
    shape = piece.shape
    foot = surface if inward else leg.surface
    if "platform" in piece.tags and leg.kind in ({"climb"} if inward else {"descend"}):
        face = faces_of(scene.table, piece.id, scene.elevation(foot), foot)
        if face is None:
            return [Violation(rule, f"{piece.id} has no face down there", leg.start, piece.id)]
        shape = face
        if signed_gap(outside, piece.shape) < scene.margin - TOUCH:
            found.append(Violation(rule, f"the base stands under {piece.id}, not at its side", outside, piece.id))
        if not inward and face.rings and signed_gap(inside, face) > TOUCH:
            found.append(Violation(rule, f"{piece.id} has no face where it is climbed down", inside, piece.id))
    rise = abs(scene.elevation(surface) - scene.elevation(leg.surface))
    if scene.margin == 0 and scene.is_step(rise):
        if math.dist(leg.start, leg.end) <= 4 * TOUCH and abs(signed_gap(outside, shape)) <= 4 * TOUCH:
            return []
        return [Violation(rule, f"the centre does not cross the rim of {piece.id}", outside, piece.id)]
    if abs(signed_gap(outside, shape) - scene.radius) > TOUCH:
        found.append(Violation(rule, f"the base does not touch the face of {piece.id}", outside, piece.id))
    away = segment(leg.start, leg.end)
    if step is not None and any(
        below(away, rest, scene.radius - TOUCH) for rest in beside_step(scene.table, piece, step) or ()
    ):
        found.append(Violation(rule, f"the base lies over {piece.id} on its way", leg.start, piece.id))
    low, top = sorted((surface, leg.surface), key=scene.elevation)
    aside = beside_both(scene.table, low, top) if leg.kind != "ladder" else ()
    if any(below(away, rest, scene.margin - TOUCH) for rest in aside):
        reason = f"the base lies over what is beside {low} and {top} on its way"
        found.append(Violation(rule, reason, leg.start, piece.id))
    if not touches_rim(scene, inside, piece.shape, climbing=leg.kind in {"climb", "descend", "ladder"}):
        found.append(Violation(rule, f"the base does not come to stand at the rim of {piece.id}", inside, piece.id))
    if found or leg.kind not in {"climb", "descend"}:
        return found
    if not _at_its_side(leg, shape if inward else piece.shape, scene.radius):
        found.append(Violation(rule, f"the base does not touch the side of {piece.id} it crosses", leg.start, piece.id))
    elif not _to_opposite(leg, shape, piece.shape, inward=inward):
        found.append(Violation(rule, f"the way does not lead straight across the rim of {piece.id}", leg.end, piece.id))
    return found


def stood_before(scene: Scene, leg: Leg, rule: str, gap: Terrain | None = None) -> list[Violation]:
    """Check that a leg onto a level, or out of a gap, ends where the base first stands on that level."""
    away = segment(leg.start, leg.end)
    every = [(0.0, away.length)]
    on = every if leg.surface is None else below(away, scene.top(leg.surface), -scene.margin - TOUCH)
    off = every if gap is None or gap.shape is None else above(away, gap.shape, scene.radius + TOUCH)
    stood = [max(a, c) for a, b in on for c, d in off if min(b, d) - max(a, c) > TOUCH]
    if not stood:
        return []
    reason = f"the base stands on {leg.surface or 'the ground'} before the {leg.kind} ends"
    return [Violation(rule, reason, away.at(min(stood)), leg.surface or "")]


def _in_gap(scene: Scene, level: Surface, gap: Terrain) -> bool:
    """Say whether a level is a step that stands in a gap."""
    return "gap" in gap.tags and level is not None and gap.id in supports(scene.table, level)


def edge_between(scene: Scene, one: Surface, two: Surface) -> Terrain | None:
    """Return the piece whose outline lies between two levels: the gap that is cut in, or the higher platform."""
    pieces = [scene.table.piece(name) for name in (one, two) if name is not None]
    lower, high = sorted((one, two), key=scene.elevation)
    top = None if high is None else scene.table.piece(high)
    gap = gap_under(scene.table, lower, high if top is None or "gap" not in top.tags else top.on)
    if gap is not None and gap.id not in {lower, high}:
        return gap
    gaps = [p for p in pieces if "gap" in p.tags and p.on in {one, two}]
    tops = sorted((p for p in pieces if "platform" in p.tags), key=lambda p: scene.elevation(p.id))
    low = sorted((p for p in pieces if "gap" in p.tags), key=lambda p: scene.elevation(p.id))
    return next(iter([*gaps, *tops[::-1], *low]), None)


def crossed(scene: Scene, leg: Leg, name: str, shape: Shape, rule: str) -> list[Violation]:
    """Check a leg from touching the near side of a shape to touching its far side, without coming off it between."""
    found = []
    if not touches_outside(scene, leg.start, shape):
        found.append(Violation(rule, f"the base does not touch {name} where the crossing begins", leg.start, name))
    if not touches_outside(scene, leg.end, shape):
        found.append(Violation(rule, f"the base does not touch {name} where the crossing ends", leg.end, name))
    way = segment(leg.start, leg.end)
    within = below(way, shape, scene.radius - TOUCH)
    if not within:
        found.append(Violation(rule, f"the crossing does not lead over {name}", leg.start, name))
    off = above(way, shape, scene.radius + TOUCH)
    for (_, left), (again, _) in pairwise(within):
        # A base that just touches the corner between two arms of a shape has not come off it.
        if again - left > AT_CORNER or any(first < again and last > left for first, last in off):
            found.append(Violation(rule, f"the crossing goes on after {name} has been left", way.at(left), name))
            break
    return found


def straight_across(scene: Scene, leg: Leg, piece: Terrain, rule: str) -> list[Violation]:
    """Check that a leg over a piece leads at right angles to the face that the base touches."""
    if piece.shape is None or _straight_at(leg, piece.shape, scene.radius):
        return []
    return [Violation(rule, f"the {leg.kind} does not lead straight across {piece.id}", leg.start, piece.id)]


def _jumped_across(scene: Scene, leg: Leg, piece: Terrain) -> list[Violation]:
    """Check that a jump leads straight across, if so ruled (``jump_landing``)."""
    if scene.table.rulings["jump_landing"] != "across" or piece.shape is None:
        return []
    if leg.surface == piece.id and _nearest_room(leg, piece.shape, scene.margin):
        return []  # beside a corner of a top the shift leads to the nearest room
    return straight_across(scene, leg, piece, "JMP.1")


def _to_opposite(leg: Leg, face: Shape, top: Shape, *, inward: bool) -> bool:
    """Say whether a climb leads to the nearest place across the rim: its shift costs nothing (CLB.1)."""
    entered, left = (top, face) if inward else (face, top)
    room = abs(signed_gap(leg.end, entered))
    if _nearest_room(leg, entered, room, outside=not inward):
        return True
    if _straight_at(leg, left, 2 * room) and _nearest_room(leg, entered, room, outside=not inward, aslant=_ASLANT):
        return True
    # From a top with room for a single place the climb may lead over any of its sides.
    start = signed_gap(leg.start, top)
    return not inward and all(signed_gap(_beside(leg.start, k * math.pi / 4), top) > start for k in range(8))


def _at_its_side(leg: Leg, outline: Shape, radius: float) -> bool:
    """Say whether a climb begins at the side of a polygon that it crosses first: a base's radius away (CLB.1)."""
    curve, crossed = segment(leg.start, leg.end), []
    for a, b in edges(outline) if outline.rings else ():
        side = segment(a, b)
        normal = (-side.uy, side.ux)
        for t in meets_line(curve, a, normal, 0.0):
            if point_to_segment(curve.at(t), a, b) <= TOUCH:
                away = (leg.start[0] - a[0]) * normal[0] + (leg.start[1] - a[1]) * normal[1]
                crossed.append((t, abs(away)))
    first = min((t for t, _ in crossed), default=0.0)
    return not crossed or any(t <= first + TOUCH and away <= radius + TOUCH for t, away in crossed)


def _straight_at(leg: Leg, shape: Shape, most: float) -> bool:
    """Say whether a leg begins straight at the nearest face: its distance shrinks by as much as is travelled.

    From inside, as out of a gap, the distance may also grow by as much.
    """
    curve = segment(leg.start, leg.end)
    step = min(most, curve.length) / 2
    first, then = (signed_gap(spot, shape) for spot in (leg.start, curve.at(step)))
    return step - math.copysign(1.0, first) * (first - then) <= TOUCH


def _nearest_room(leg: Leg, shape: Shape, margin: float, *, outside: bool = False, aslant: float = SHALLOW) -> bool:
    """Say whether a leg ends at the place with room that is nearest to its start, in a shape or outside it.

    It does if there is no room to either side of the end, a little nearer, nor along the shape's edges: a shape just
    as wide as the base has room on a line only.
    """
    side, far = 1.0 if outside else -1.0, math.dist(leg.start, leg.end)
    back = math.atan2(leg.start[1] - leg.end[1], leg.start[0] - leg.end[0])
    turns = [back + math.pi / 2 - aslant, back - math.pi / 2 + aslant]
    for a, b in edges(shape) if shape.rings else ():
        along = math.atan2(b[1] - a[1], b[0] - a[0])
        nearer = math.dist(_beside(leg.end, along), leg.start) < far
        along += 0.0 if nearer else math.pi
        if math.dist(_beside(leg.end, along), leg.start) < far - 2 * aslant * ABOUT:
            turns.append(along)
    return all(side * signed_gap(_beside(leg.end, a), shape) < margin - TOUCH for a in turns)


def _beside(spot: Spot, angle: float) -> Spot:
    return spot[0] + ABOUT * math.cos(angle), spot[1] + ABOUT * math.sin(angle)


def stepped_up(scene: Scene, leg: Leg, surface: Surface) -> list[Violation]:
    """Judge a free way up onto a platform lower than half the model's height (TER.3)."""
    edge = edge_between(scene, surface, leg.surface)
    rise = scene.elevation(leg.surface) - scene.elevation(surface)
    if edge is None or rise < 0:
        return [Violation("TER.3", "the way up does not lead onto a platform that stands here", leg.start)]
    found = changed(scene, leg, surface, edge, "TER.3")
    if not scene.is_step(rise):
        found.append(Violation("TER.3", f"{edge.id} is too tall to be stepped onto", leg.start, edge.id))
    return found


def stepped_down(scene: Scene, leg: Leg, surface: Surface) -> list[Violation]:
    """Judge a free way down by no more than the model's height (FALL.1)."""
    found = off(scene, leg, surface)
    drop = scene.elevation(surface) - scene.elevation(leg.surface)
    if drop < 0:
        found.append(Violation("FALL.1", f"the way down leads {-drop:.6g} inches up", leg.start, surface or ""))
    if not scene.no_taller(drop):
        reason = f"{drop:.6g} inches down is more than the model's height"
        found.append(Violation("FALL.1", reason, leg.start, surface or ""))
    return found


def off(scene: Scene, leg: Leg, surface: Surface) -> list[Violation]:
    """Check a shift from a platform's rim to touching its face from outside."""
    edge = edge_between(scene, surface, leg.surface)
    if edge is None or surface == leg.surface:
        return [Violation("FALL.1", "the way down does not lead to where the platform stands", leg.start)]
    return changed(scene, leg, surface, edge, "FALL.1")


def stands_inside(scene: Scene, curve: Curve, surface: Surface) -> bool:
    """Say whether the end of a leg stands wholly on a surface."""
    return surface is None or not above(segment(curve.end, curve.end), scene.top(surface), TOUCH - scene.margin)
