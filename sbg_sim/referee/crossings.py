"""Legs that cross something: jumps, leaps, climbs, ways up and down, ladders, judged by what they cross."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sbg_sim.referee.curves import Curve, Spot, nearest_approach, segment
from sbg_sim.referee.outline import above, below, edges, merged, signed_gap
from sbg_sim.table.levels import faces_of
from sbg_sim.table.violation import Violation
from sbg_sim.tolerance import ROUNDING, TOUCH

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Shape
    from sbg_sim.referee.scene import Scene, Surface
    from sbg_sim.table.route import Leg
    from sbg_sim.table.terrain import Terrain

TEST_KINDS = {"jump": ("jump", "jump-prone"), "leap": ("leap",), "climb": ("climb",), "descend": ("descend",)}
"""Which dice go with which legs."""


def hangs_on(scene: Scene, done: float) -> bool:
    """Say whether a mover that hangs on a face goes on up without a new test (ruling ``climb_test_each_turn``)."""
    return done > 0 and scene.table.rulings["climb_test_each_turn"] == "no"


def climbed_face(scene: Scene, leg: Leg, surface: Surface) -> str:
    """Return whose face a climb leads up: as its test says, the platform it leads to, or what the base touches."""
    if leg.test is not None:
        return leg.test.over
    if leg.surface is not None and leg.surface != surface:
        return leg.surface
    touched = (p.id for p, s in scene.pieces(surface) if p.is_obstacle and touches_outside(scene, leg.start, s))
    return next(touched, "")


def named_test(leg: Leg, *, hangs: bool) -> list[Violation]:
    """Check that a leg names the test it needs, and no other."""
    if hangs and leg.kind == "climb":
        return [] if leg.test is None else [Violation("CLB.4", "who hangs on a face goes on without a test", leg.start)]
    kinds = TEST_KINDS.get(leg.kind, ())
    rule = {"jump": "JMP.1", "leap": "LEAP.2", "climb": "CLB.2", "descend": "FALL.1"}.get(leg.kind, "MOV.3")
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


def touches_rim(scene: Scene, spot: Spot, shape: Shape) -> bool:
    """Say whether the base stands wholly on a shape and touches its rim from inside."""
    return abs(signed_gap(spot, shape) + scene.margin) <= TOUCH


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
    if leg.surface != surface and piece.id in {surface, leg.surface}:
        rise = scene.elevation(leg.surface) - scene.elevation(surface)
        if not scene.no_taller(rise):
            found.append(
                Violation("JMP.3", f"{rise:.6g} inches up are more than the model's height", leg.start, piece.id)
            )
        found += _changed(scene, leg, surface, piece, "JMP.1")
        found += _straight_across(scene, leg, piece)
    elif leg.surface == surface and piece.is_obstacle and _met(scene, piece, surface):
        if not scene.no_taller(scene.tall(piece, surface)):
            found.append(Violation("JMP.3", f"{piece.id} is taller than the model", leg.start, piece.id))
        found += _crossed(scene, leg, piece.id, piece.shape, "JMP.1")
        found += _straight_across(scene, leg, piece)
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
    reach = scene.radius + other.radius
    for spot, side in ((leg.start, "near"), (leg.end, "far")):
        if abs(math.dist(spot, other.at) - reach) > TOUCH:
            reason = f"the jump over {other.id} is not as near as can be on the {side} side"
            found.append(Violation("PRN.5", reason, spot, other.id))
    return found


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
    found = _crossed(scene, leg, piece.id, piece.shape, "LEAP.1")
    width = gap_width(scene, piece.shape, segment(leg.start, leg.end))
    if width > 2 * scene.height + ROUNDING:
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
    if width > 2 * scene.height + ROUNDING:
        reason = f"it is {width:.6g} inches from rim to rim, more than twice the model's height"
        found.append(Violation("LEAP.1", reason, leg.start, piece.id))
    return [*found, *_landing_level(scene, leg, surface), *_in_the_air(scene, curve, surface, leg.surface)]


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
    if width > 2 * scene.height + ROUNDING:
        reason = f"it is {width:.6g} inches from rim to rim, more than twice the model's height"
        found.append(Violation("LEAP.1", reason, leg.start, gap.id))
    curve = segment(leg.start, leg.end)
    return [*found, *_landing_level(scene, leg, surface), *_in_the_air(scene, curve, surface, leg.surface)]


def _landing_level(scene: Scene, leg: Leg, surface: Surface) -> list[Violation]:
    """Say when a leap lands too high or too low (ruling ``leap_landing``)."""
    rise = scene.elevation(leg.surface) - scene.elevation(surface)
    reading = scene.table.rulings["leap_landing"]
    ruled = reading == "both" or (reading == "lower" and rise < 0)
    if abs(rise) <= ROUNDING or (ruled and scene.no_taller(abs(rise))):
        return []
    where = leg.surface or ""
    return [Violation("LEAP.1", f"it lands {rise:+.6g} inches from the level it leaps from", leg.end, where)]


def _in_the_air(scene: Scene, curve: Curve, surface: Surface, onto: Surface) -> list[Violation]:
    """Return what stands higher than the level it leaps from and is in the way."""
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


def _met(scene: Scene, piece: Terrain, surface: Surface) -> bool:
    return any(other.id == piece.id for other, _ in scene.pieces(surface))


def _changed(scene: Scene, leg: Leg, surface: Surface, piece: Terrain, rule: str) -> list[Violation]:
    """Check a shift across the outline of a platform or a gap: from touching it outside to its rim inside, or back."""
    assert piece.shape is not None
    inward = leg.surface == piece.id
    outside, inside = (leg.start, leg.end) if inward else (leg.end, leg.start)
    found = []
    shape = piece.shape
    if inward and "platform" in piece.tags and leg.kind in {"up", "climb", "jump"}:
        face = faces_of(scene.table, piece.id, scene.elevation(surface))
        if face is None:
            return [Violation(rule, f"{piece.id} has no face down there", leg.start, piece.id)]
        shape = face
        if signed_gap(outside, piece.shape) < scene.margin - TOUCH:
            found.append(Violation(rule, f"the base stands under {piece.id}, not at its side", outside, piece.id))
    rise = abs(scene.elevation(surface) - scene.elevation(leg.surface))
    if scene.margin == 0 and scene.is_step(rise):
        if math.dist(leg.start, leg.end) <= 4 * TOUCH and abs(signed_gap(outside, shape)) <= 4 * TOUCH:
            return []
        return [Violation(rule, f"the centre does not cross the rim of {piece.id}", outside, piece.id)]
    if abs(signed_gap(outside, shape) - scene.radius) > TOUCH:
        found.append(Violation(rule, f"the base does not touch the face of {piece.id}", outside, piece.id))
    if not touches_rim(scene, inside, piece.shape):
        found.append(Violation(rule, f"the base does not come to stand at the rim of {piece.id}", inside, piece.id))
    return found


def _edge(scene: Scene, one: Surface, two: Surface) -> Terrain | None:
    """Return the piece whose outline lies between two levels: the gap that is cut in, or what stands out higher."""
    pieces = [scene.table.piece(name) for name in (one, two) if name is not None]
    gaps = [p for p in pieces if "gap" in p.tags and p.on in {one, two}]
    tops = sorted((p for p in pieces if "platform" in p.tags), key=lambda p: scene.elevation(p.id))
    low = sorted((p for p in pieces if "gap" in p.tags), key=lambda p: scene.elevation(p.id))
    return next(iter([*gaps, *tops[::-1], *low]), None)


def gap_width(scene: Scene, shape: Shape, curve: Curve) -> float:
    """Return how wide a gap is for a leap, along it or at its narrowest (ruling ``leap_width``), inches."""
    over = below(curve, shape, 0.0)
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


def _crossed(scene: Scene, leg: Leg, name: str, shape: Shape, rule: str) -> list[Violation]:
    """Check a chord from touching the near side to touching the far side, without a landing between."""
    found = []
    if not touches_outside(scene, leg.start, shape):
        found.append(Violation(rule, f"the base does not touch {name} where the crossing begins", leg.start, name))
    if not touches_outside(scene, leg.end, shape):
        found.append(Violation(rule, f"the base does not touch {name} where the crossing ends", leg.end, name))
    within = below(segment(leg.start, leg.end), shape, scene.radius - TOUCH)
    if not within:
        found.append(Violation(rule, f"the crossing does not lead over {name}", leg.start, name))
    if len(within) > 1:
        place = segment(leg.start, leg.end).at(within[0][1])
        found.append(Violation(rule, f"the crossing goes on after {name} has been left", place, name))
    return found


def _straight_across(scene: Scene, leg: Leg, piece: Terrain) -> list[Violation]:
    """Check that a jump leads straight at the face it touches, where that is ruled (``jump_landing``)."""
    if scene.table.rulings["jump_landing"] != "across" or piece.shape is None:
        return []
    curve = segment(leg.start, leg.end)
    # Straight at a face, the distance to it shrinks by exactly what is travelled.
    step = min(scene.radius, curve.length) / 2
    drop = signed_gap(leg.start, piece.shape) - signed_gap(curve.at(step), piece.shape)
    if step - drop > TOUCH:
        return [Violation("JMP.1", f"the jump does not lead straight across {piece.id}", leg.start, piece.id)]
    return []


def stepped_up(scene: Scene, leg: Leg, surface: Surface) -> list[Violation]:
    """Judge a free way up onto a platform lower than half the model's height (TER.3)."""
    edge = _edge(scene, surface, leg.surface)
    rise = scene.elevation(leg.surface) - scene.elevation(surface)
    if edge is None or rise < 0:
        return [Violation("TER.3", "the way up does not lead onto a platform that stands here", leg.start)]
    found = _changed(scene, leg, surface, edge, "TER.3")
    if not scene.is_step(rise):
        found.append(Violation("TER.3", f"{edge.id} is too tall to be stepped onto", leg.start, edge.id))
    return found


def stepped_down(scene: Scene, leg: Leg, surface: Surface) -> list[Violation]:
    """Judge a free way down by no more than the model's height (FALL.1)."""
    found = _off(scene, leg, surface)
    drop = scene.elevation(surface) - scene.elevation(leg.surface)
    if not scene.no_taller(drop):
        reason = f"{drop:.6g} inches down is more than the model's height"
        found.append(Violation("FALL.1", reason, leg.start, surface or ""))
    return found


def let_down(scene: Scene, leg: Leg, surface: Surface, done: float) -> list[Violation]:
    """Judge coming down the ``done`` inches of a face that were climbed before, by no more than the height (FALL.1)."""
    found = []
    if leg.start != leg.end or leg.surface != surface:
        found.append(Violation("CLB.4", "it hangs on a face, and comes down where it hangs", leg.start))
    if not scene.no_taller(done):
        found.append(Violation("FALL.1", f"{done:.6g} inches down is more than the model's height", leg.start))
    return found


def _off(scene: Scene, leg: Leg, surface: Surface) -> list[Violation]:
    """Check a shift from a platform's rim to touching its face from outside."""
    edge = _edge(scene, surface, leg.surface)
    if edge is None or surface == leg.surface:
        return [Violation("FALL.1", "the way down does not lead to where the platform stands", leg.start)]
    return _changed(scene, leg, surface, edge, "FALL.1")


def may_climb(scene: Scene, piece: Terrain, spot: Spot) -> list[Violation]:
    """Check that the mover may climb at all, and that this can be climbed (CLB.3)."""
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
    out = surface == piece.id  # from the bottom of a gap, up its side
    if piece.shape is None or not (out or (piece.is_obstacle and _met(scene, piece, surface))):
        return [Violation("CLB.1", f"{piece.id} is nothing to climb on this surface", leg.start, piece.id)]
    found = may_climb(scene, piece, leg.start)
    tall = (piece.depth or 0.0) if out and "gap" in piece.tags else scene.tall(piece, surface)
    if leg.surface != surface:
        tall = scene.elevation(leg.surface) - scene.elevation(surface)
    if scene.no_taller(tall):
        found.append(Violation("CLB.1", f"{piece.id} is no taller than the model: it is jumped", leg.start, piece.id))
    missing = tall - done - leg.rise
    if leg.rise <= 0 or missing < -ROUNDING:
        found.append(Violation("CLB.1", f"the climb does not go up the face of {piece.id}", leg.start, piece.id))
    if missing > ROUNDING:
        if leg.start != leg.end or leg.surface != surface or not last:
            found.append(Violation("CLB.4", f"the climb stops below the top of {piece.id}", leg.end, piece.id))
        elif not (touches_rim if out else touches_outside)(scene, leg.start, piece.shape):
            found.append(Violation("CLB.1", f"the base does not touch {piece.id}", leg.start, piece.id))
    elif leg.surface != surface and piece.id in {surface, leg.surface}:
        found += _changed(scene, leg, surface, piece, "CLB.1")
    elif leg.surface != surface or not touches_outside(scene, leg.start, piece.shape):
        found.append(Violation("CLB.1", f"the climb does not lead up {piece.id} from touching it", leg.start, piece.id))
    elif leg.start != leg.end:
        found += _crossed(scene, leg, piece.id, piece.shape, "CLB.1")
    return found


def descend(scene: Scene, leg: Leg, surface: Surface, done: float) -> list[Violation]:
    """Judge a Climb test down a platform's side or the ``done`` inches of a face (FALL.1)."""
    if leg.test is None:
        return []
    piece = scene.table.piece(leg.test.over)
    found = may_climb(scene, piece, leg.start)
    if surface != leg.surface:
        drop = scene.elevation(surface) - scene.elevation(leg.surface)
        found += _off(scene, leg, surface)
    else:
        drop = done
        if piece.shape is None or leg.surface != surface or not touches_outside(scene, leg.end, piece.shape):
            found.append(Violation("FALL.1", f"the way down does not end at the foot of {piece.id}", leg.end, piece.id))
        elif leg.start != leg.end:
            found += _crossed(scene, leg, piece.id, piece.shape, "FALL.1")
    if abs(leg.rise + drop) > ROUNDING or drop <= 0:
        reason = f"the way down is {drop:.6g} inches, not {-leg.rise:.6g}"
        found.append(Violation("FALL.1", reason, leg.start, piece.id))
    return found


def ladder(scene: Scene, leg: Leg, surface: Surface, done: float, *, last: bool) -> list[Violation]:
    """Judge a ladder used up or down (CLB.5)."""
    up = leg.rise > 0
    if not up and leg.surface == surface and done > 0:
        near = [p for p in _ladders(scene, surface, None) if _at_foot(scene, leg.start, p)]
        if near and leg.start == leg.end and abs(leg.rise + done) <= ROUNDING:
            return []
        return [Violation("CLB.5", "the ladder leg does not lead down to the foot of a ladder", leg.end)]
    edge = None if leg.surface == surface else _edge(scene, surface, leg.surface)
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
    if abs(abs(leg.rise) - tall) > ROUNDING:
        reason = f"the ladder has {tall:.6g} inches to go, not {abs(leg.rise):.6g}"
        found.append(Violation("CLB.5", reason, leg.start, platform))
    return found


def _ladders(scene: Scene, low: Surface, platform: str | None) -> list[Terrain]:
    found = [p for p in scene.table.terrain.values() if "ladder" in p.tags and p.at is not None and p.on == low]
    return [p for p in found if platform is None or p.to == platform or (p.to is None and p.on != platform)]


def _at_foot(scene: Scene, spot: Spot, piece: Terrain) -> bool:
    return piece.at is not None and math.dist(spot, piece.at) <= scene.radius + TOUCH


def _at_head(scene: Scene, spot: Spot, piece: Terrain, edge: Terrain, high: Surface) -> bool:
    """Say whether the base stands on the top, at the rim, within touch of where the ladder comes up."""
    if piece.at is None or edge.shape is None:
        return False
    if not (touches_rim if edge.id == high else touches_outside)(scene, spot, edge.shape):
        return False
    off = signed_gap(piece.at, edge.shape)
    return math.dist(spot, piece.at) <= scene.radius + max(0.0, off if edge.id == high else -off) + TOUCH


def stands_inside(scene: Scene, curve: Curve, surface: Surface) -> bool:
    """Say whether the end of a leg stands wholly on a surface."""
    return surface is None or not above(segment(curve.end, curve.end), scene.top(surface), TOUCH - scene.margin)
