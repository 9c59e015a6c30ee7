"""Judges climbs up and down a face, and ladders."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from sbg_sim.referee.crossings import (
    changed,
    crossed,
    edge_between,
    met,
    off,
    straight_across,
    touches_outside,
    touches_rim,
)
from sbg_sim.referee.outline import signed_gap
from sbg_sim.table.joining import faces_of
from sbg_sim.table.levels import supports
from sbg_sim.table.violation import Violation
from sbg_sim.tolerance import ROUNDING, TOUCH

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Shape
    from sbg_sim.referee.curves import Spot
    from sbg_sim.referee.scene import Scene, Surface
    from sbg_sim.table.route import Leg
    from sbg_sim.table.terrain import Terrain


_LITTLE: Final = 10 * TOUCH  # by how much a nearer place is tried, inches


def hangs_on(scene: Scene, done: float) -> bool:
    """Say whether a mover that hangs on a face goes on up without a new test (ruling ``climb_test_each_turn``)."""
    return done > 0 and scene.table.rulings["climb_test_each_turn"] == "no"


def climbed_face(scene: Scene, leg: Leg, surface: Surface) -> str:
    """Return the id of the piece whose face is climbed: by the test, between two levels, or touched by the base."""
    if leg.test is not None:
        return leg.test.over
    if leg.surface != surface:
        edge = edge_between(scene, surface, leg.surface)
        return "" if edge is None else edge.id
    touched = (p.id for p, s in scene.pieces(surface) if p.is_obstacle and touches_outside(scene, leg.start, s))
    return next(touched, "")


def may_climb(scene: Scene, piece: Terrain, spot: Spot) -> list[Violation]:
    """Check that the mover may climb at all, and that a piece can be climbed (CLB.3)."""
    found = []
    if "cavalry" in scene.model.keywords:
        found.append(Violation("CLB.3", "cavalry may not climb", spot, piece.id))
    if "unscalable" in piece.tags:
        found.append(Violation("CLB.3", f"{piece.id} cannot be climbed", spot, piece.id))
    return found


def climb(scene: Scene, leg: Leg, surface: Surface, done: float, *, last: bool) -> list[Violation]:
    """Judge a Climb test up a face of which ``done`` inches lie below (CLB.1-4)."""
    if leg.test is None and not hangs_on(scene, done):
        return []
    face = climbed_face(scene, leg, surface)
    if not face:
        return [Violation("CLB.1", "the base touches nothing to climb on", leg.start)]
    piece = scene.table.piece(face)
    # From the bottom of a gap, or a step in it, up its side.
    out = surface == piece.id or ("gap" in piece.tags and piece.id in supports(scene.table, surface))
    # Or onto a platform whose side continues that of the gap beside it upwards.
    above = leg.surface == face and faces_of(scene.table, face, scene.elevation(surface), surface) is not None
    if piece.shape is None or not (out or above or (piece.is_obstacle and met(scene, piece, surface))):
        return [Violation("CLB.1", f"{piece.id} is nothing to climb on this surface", leg.start, piece.id)]
    found = may_climb(scene, piece, leg.start)
    tall = (piece.depth or 0.0) if out and "gap" in piece.tags else scene.tall(piece, surface)
    if leg.surface != surface:
        tall = scene.elevation(leg.surface) - scene.elevation(surface)
    if scene.no_taller(tall):
        found.append(Violation("CLB.1", f"{piece.id} is no taller than the model: it is jumped", leg.start, piece.id))
    missing = tall - done - leg.rise
    # A mover that hangs at the top of a wall already gets over it with one die more, as ruled.
    over = scene.table.rulings["climb_over"] == "over" and done >= tall - ROUNDING and leg.start != leg.end
    if leg.rise < 0 or (leg.rise == 0 and not over) or missing < -ROUNDING:
        found.append(Violation("CLB.1", f"the climb does not go up the face of {piece.id}", leg.start, piece.id))
    if missing > ROUNDING:
        if leg.start != leg.end or leg.surface != surface or not last:
            found.append(Violation("CLB.4", f"the climb stops below the top of {piece.id}", leg.end, piece.id))
        elif not _at_face(scene, leg.start, piece.shape, inside=out):
            found.append(Violation("CLB.1", f"the base does not touch {piece.id}", leg.start, piece.id))
    elif leg.surface != surface and (out or piece.id in {surface, leg.surface}):
        found += changed(scene, leg, surface, piece, "CLB.1")
    elif leg.surface != surface or not touches_outside(scene, leg.start, piece.shape):
        found.append(Violation("CLB.1", f"the climb does not lead up {piece.id} from touching it", leg.start, piece.id))
    elif leg.start != leg.end:
        found += crossed(scene, leg, piece.id, piece.shape, "CLB.1") or straight_across(scene, leg, piece, "CLB.1")
    return found


def on_top(scene: Scene, leg: Leg, surface: Surface) -> float:
    """Return the cost of a climb along the top of a wall, inches: a base's width up and one down are free (CLB.1)."""
    over = leg.surface == surface and leg.kind in {"climb", "descend"}
    return max(0.0, math.dist(leg.start, leg.end) - 4 * scene.radius) if over else 0.0


def let_down(scene: Scene, leg: Leg, surface: Surface, done: float) -> list[Violation]:
    """Judge coming down ``done`` inches of a face climbed before, at most the model's height (FALL.1)."""
    found = []
    if leg.start != leg.end or leg.surface != surface:
        found.append(Violation("CLB.4", "it hangs on a face, and comes down where it hangs", leg.start))
    if not scene.no_taller(done):
        found.append(Violation("FALL.1", f"{done:.6g} inches down is more than the model's height", leg.start))
    return found


def _at_face(scene: Scene, spot: Spot, shape: Shape, *, inside: bool) -> bool:
    """Say whether the base touches the climbed face: from outside, or from inside, as on a top and in a gap."""
    return touches_rim(scene, spot, shape, climbing=True) if inside else touches_outside(scene, spot, shape)


def left_below(scene: Scene, leg: Leg, surface: Surface, done: float) -> float:
    """Return the inches of a face that remain below the mover after a leg down it (CLB.4)."""
    drop = done if surface == leg.surface else scene.elevation(surface) - scene.elevation(leg.surface)
    left = drop + leg.rise
    return 0.0 if abs(left) <= ROUNDING else left


def descend(scene: Scene, leg: Leg, surface: Surface, left: float, drop: float) -> list[Violation]:
    """Judge a Climb test down ``drop`` inches of a side or a face, of which ``left`` are not climbed down (FALL.1)."""
    if leg.test is None:
        return []
    piece = scene.table.piece(leg.test.over)
    found = may_climb(scene, piece, leg.start)
    if surface != leg.surface:
        found += off(scene, leg, surface)
    else:
        foot = piece.shape is not None and _at_face(scene, leg.end, piece.shape, inside="gap" in piece.tags)
        if piece.shape is None or leg.surface != surface or not foot:
            found.append(Violation("FALL.1", f"the way down does not end at the foot of {piece.id}", leg.end, piece.id))
        elif leg.start != leg.end:
            found += crossed(scene, leg, piece.id, piece.shape, "FALL.1") or straight_across(
                scene, leg, piece, "FALL.1"
            )
    if drop > 0 and scene.no_taller(drop):
        reason = f"{drop:.6g} inches down is no more than the model's height: it takes no test"
        found.append(Violation("FALL.1", reason, leg.start, piece.id))
    if leg.rise >= 0 or left:
        reason = f"the way down is {left - leg.rise:.6g} inches, not {-leg.rise:.6g}"
        found.append(Violation("FALL.1", reason, leg.start, piece.id))
    return found


def ladder(scene: Scene, leg: Leg, surface: Surface, done: float, *, last: bool, hanging: bool) -> list[Violation]:
    """Judge a way up or down a ladder (CLB.5); with ``hanging`` a way down may end half way."""
    up = leg.rise > 0
    if not up and leg.surface == surface and done > 0:
        near = [p for p in _ladders(scene, surface, None) if _at_foot(scene, leg.start, p)]
        if near and leg.start == leg.end and (abs(leg.rise + done) <= ROUNDING or (hanging and leg.rise + done > 0)):
            return []
        return [Violation("CLB.5", "the ladder leg does not lead down to the foot of a ladder", leg.end)]
    edge = None if leg.surface == surface else edge_between(scene, surface, leg.surface)
    if up and leg.surface == surface:
        # Stopped half way: any ladder within touch will do.
        reached = [p for p in _ladders(scene, surface, None) if _at_foot(scene, leg.start, p)]
        if last and leg.start == leg.end and reached:
            return []
        return [Violation("CLB.5", "the ladder leg does not end on the platform it leads to", leg.end)]
    if edge is None or edge.shape is None:
        return [Violation("CLB.5", "no ladder leads there", leg.start)]
    low, high = (surface, leg.surface) if up else (leg.surface, surface)
    foot, head = (leg.start, leg.end) if up else (leg.end, leg.start)
    platform = edge.id
    found = []
    near = [p for p in _ladders(scene, low, high) if _at_foot(scene, foot, p)]
    if not near:
        found.append(Violation("CLB.5", f"the base does not touch a ladder of {platform}", foot, platform))
    elif not any(_at_head(scene, head, p, edge, high) for p in near):
        found.append(Violation("CLB.5", f"the base does not stand at the ladder's head on {platform}", head, platform))
    given = [p.height for p in near if p.height is not None]
    rise = given[0] if given else scene.elevation(high) - scene.elevation(low)
    tall = rise - (done if up else 0.0)
    if abs(abs(leg.rise) - tall) > ROUNDING and not (hanging and not up and -leg.rise < tall):
        reason = f"the ladder has {tall:.6g} inches to go, not {abs(leg.rise):.6g}"
        found.append(Violation("CLB.5", reason, leg.start, platform))
    return found


def _ladders(scene: Scene, low: Surface, platform: str | None) -> list[Terrain]:
    found = [p for p in scene.table.terrain.values() if "ladder" in p.tags and p.at is not None and p.on == low]
    return [p for p in found if platform is None or p.to == platform or (p.to is None and p.on != platform)]


def _at_foot(scene: Scene, spot: Spot, piece: Terrain) -> bool:
    return piece.at is not None and math.dist(spot, piece.at) <= scene.radius + TOUCH


def _at_head(scene: Scene, spot: Spot, piece: Terrain, edge: Terrain, high: Surface) -> bool:
    """Say whether the base stands on the top, at the rim, and touches the head of the ladder."""
    assert piece.at is not None
    assert edge.shape is not None
    if not _at_face(scene, spot, edge.shape, inside=edge.id == high):
        return False
    off = signed_gap(piece.at, edge.shape)
    if math.dist(spot, piece.at) <= scene.radius + max(0.0, off if edge.id == high else -off) + TOUCH:
        return True
    return edge.id == high and _nearest_room(scene, spot, piece.at, edge.shape)


def _nearest_room(scene: Scene, spot: Spot, head: Spot, top: Shape) -> bool:
    """Say whether a base has no room on a top a little nearer to a ladder's head, as is so beside a corner."""
    toward = math.atan2(head[1] - spot[1], head[0] - spot[0])
    turns = (toward + k * math.pi / 8 for k in range(-3, 4))
    nearer = ((spot[0] + _LITTLE * math.cos(a), spot[1] + _LITTLE * math.sin(a)) for a in turns)
    return all(signed_gap(place, top) > TOUCH - scene.radius for place in nearer)
