"""Reads a drawn line that leads from level to level: where it comes onto a level or leaves it, and by which leg."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sbg_sim.referee.climbs import climb, descend, hangs_on, left_below, on_top
from sbg_sim.referee.crossings import edge_between, stands_inside, touches_rim
from sbg_sim.referee.curves import Curve, Spot, of_leg, segment
from sbg_sim.referee.ground import weigh
from sbg_sim.referee.ladders import by_ladder
from sbg_sim.referee.leaps import leap
from sbg_sim.referee.outline import above, across, below, comes_onto, left_at, signed_gap, to_its_end
from sbg_sim.referee.scene import floor_beyond, step_at
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.levels import supports
from sbg_sim.table.route import TEST_RULES, Leg, Test
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sbg_sim.geometry.shapes import Shape
    from sbg_sim.referee.scene import Scene, Surface
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain
    from sbg_sim.table.violation import Violation


@dataclass(slots=True)
class Pen:
    """The state of the reading of a drawn path.

    Parameters
    ----------
    scene
        The mover and its table.
    spot, surface
        The mover's centre and level, as far as the path has been read.
    climbed
        Inches of a face below it.
    legs
        The legs read so far.
    aim
        The level on which the path should end, if known: it decides whether to go onto a platform that juts out over
        the path, or to pass under it.
    turns
        For each fork, in order, whether to take its second reading. At a fork the line can be read in two ways, as
        walked or leapt for example.
    forks
        The number of forks met so far.

    """

    scene: Scene
    spot: Spot
    surface: Surface
    climbed: float = 0.0
    legs: list[Leg] = field(default_factory=list)
    aim: Surface = None
    turns: tuple[bool, ...] = ()
    forks: int = 0

    def otherwise(self) -> bool:
        """Count a fork, and say whether to take its second reading."""
        self.forks += 1
        return self.forks <= len(self.turns) and self.turns[self.forks - 1]

    def go(self, end: Spot) -> None:
        """Walk straight to a point."""
        if math.dist(end, self.spot) > 0:
            weight = weigh(self.scene, segment(self.spot, end), (self.surface,))
            self.legs.append(Leg("straight", self.spot, end, weight.cost, self.surface))
            self.spot = end

    def back_to(self, shape: Shape, apart: float, top: float = math.inf) -> None:
        """Take back the walk nearer than ``apart`` inches to a shape, if it came from farther off.

        A way over the shape begins at that distance, even if the line bends at its rim. A step up just before is taken
        back too, if a top at elevation ``top``, inches, can be reached from below it.
        """
        legs, spot, surface, first = list(self.legs), self.spot, self.surface, 0.0
        while legs and signed_gap(spot, shape) < apart - TOUCH and first <= TOUCH:
            last = legs.pop()
            near = below(of_leg(last), shape, apart)
            first = near[-1][0] if near else 0.0
            if last.kind not in {"straight", "arc", "up"} or (last.kind != "straight" and first > TOUCH):
                return
            spot, surface = last.start, legs[-1].surface if legs else self.scene.model.on
            if last.kind == "up" and not self.scene.no_taller(top - self.scene.elevation(surface)):
                return
        if signed_gap(spot, shape) >= apart - TOUCH:
            self.legs, self.spot, self.surface = legs, spot, surface
            if first > TOUCH:
                self.go(of_leg(last).at(first))

    def cross(self, leg: Leg) -> None:
        """Add a leg that crosses something, and move to its end."""
        self.legs.append(leg)
        self.spot, self.surface, self.climbed = leg.end, leg.surface, 0.0


@dataclass(frozen=True, slots=True)
class Meeting:
    """A piece of terrain or a model that a straight piece runs into.

    Parameters
    ----------
    first, last
        Where the base begins and ceases to touch it, inches along the piece.
    piece, model
        The terrain, or the model.

    """

    first: float
    last: float
    piece: Terrain | None = None
    model: Model | None = None


def leaves(pen: Pen, piece: Curve) -> tuple[float, float] | None:
    """Return where a piece begins to leave its platform, and where the base has wholly left it; None if it stays."""
    if pen.surface is None:
        return None
    shape = pen.scene.top(pen.surface)
    if not pen.scene.margin:
        gone = above(piece, shape, TOUCH)
        if not gone or _steps_on(pen, piece.at(min(gone[0][0] + TOUCH, piece.length))):
            return None
        if (centred := _leaves_centred(pen, piece, shape, gone)) is not None:
            return centred
    begin = left_at(piece, shape, pen.scene.radius)
    if begin is None:
        return None
    beyond = [a for a, _ in above(piece, shape, pen.scene.radius) if a >= begin]
    # A piece may end where the base just touches the side that it came down.
    touching = not below(segment(piece.end, piece.end), shape, pen.scene.radius - TOUCH)
    return begin, (to_its_end(piece, beyond[0]) if beyond else piece.length if touching else math.inf)


def _steps_on(pen: Pen, spot: Spot) -> bool:
    """Say whether a centre that has left its level is over a platform that it steps up onto (ruling ``stand_on``)."""
    scene, held = pen.scene, supports(pen.scene.table, pen.surface)
    tops = ((p, s) for p, s in scene.pieces(pen.surface) if "platform" in p.tags and p.id not in held)
    return any(scene.is_seam(piece, pen.surface) and signed_gap(spot, shape) <= TOUCH for piece, shape in tops)


def _leaves_centred(
    pen: Pen, piece: Curve, shape: Shape, out: Sequence[tuple[float, float]]
) -> tuple[float, float] | None:
    """Return where a centre crosses the rim of its level, and where the way down ends (ruling ``stand_on``).

    ``out`` are the stretches of the piece off the level. None if the way down is longer than the model is tall: it is
    climbed, and begins with the whole base on the top.
    """
    scene, surface = pen.scene, pen.surface
    assert surface is not None
    rim = next((a for a, b in above(piece, shape, 0.0) if b >= out[0][1]), out[0][0])
    off = next((a for a, _ in above(piece, shape, scene.radius) if a >= rim), piece.length)
    for end, free in ((min(out[0][0] + TOUCH, piece.length), scene.is_step), (off, scene.no_taller)):
        floor = floor_beyond(scene, piece.at(end), surface)
        if floor is not None and free(abs(scene.elevation(surface) - scene.elevation(floor[0]))):
            return rim, end
    return None


def go_off(pen: Pen, piece: Curve, leaving: tuple[float, float]) -> bool:
    """Leave a platform or a gap's bottom for the level beside it; say whether the piece leaves it.

    If the piece leads on to another top that can be reached by a leap, it leaps where it would else have to climb down;
    where it could go down freely that is a fork.
    """
    scene, surface = pen.scene, pen.surface
    assert surface is not None
    beyond = floor_beyond(scene, piece.at(leaving[1]), surface) if math.isfinite(leaving[1]) else None
    drop = 0.0 if beyond is None else scene.elevation(surface) - scene.elevation(beyond[0])
    if "platform" in scene.table.piece(surface).tags:
        over = _leap_onto(pen, piece)
        if over is not None and (not (beyond and scene.no_taller(drop)) or pen.otherwise()):
            pen.go(over.start)
            pen.cross(over)
            return True
    if beyond is None:
        return False
    end, there = piece.at(leaving[1]), beyond[0]
    edge = edge_between(scene, surface, there)
    if edge is not None and edge.id == there and not scene.margin and not scene.is_step(drop):
        # A deeper gap beside this one: go in as from its brim.
        near = [] if edge.shape is None else below(piece, edge.shape, scene.radius)
        return go_in(pen, piece, near[0][0] if near else 0.0, edge)
    ladder = None if edge is None else by_ladder(scene, pen.climbed, piece, edge, (surface, there), -drop, *leaving)
    if ladder is not None:
        pen.go(ladder.start)
        pen.cross(ladder)
        return True
    pen.go(piece.at(leaving[0]))
    if drop < 0:
        _go_out(pen, end, there)
    else:
        _go_down(pen, surface, [end, *_straight_off(pen, surface)], there)
    return True


def _go_down(pen: Pen, over: str, ends: Sequence[Spot], there: Surface) -> None:
    """Go down to a lower level: freely to the first place of ``ends``, or by a Climb test to the first allowed."""
    scene, start, surface = pen.scene, pen.spot, pen.surface
    drop = scene.elevation(surface) - scene.elevation(there)
    if scene.no_taller(drop):
        weight = weigh(scene, segment(start, ends[0]), {surface, there})
        pen.cross(Leg("down", start, ends[0], weight.cost, there))
        return
    tests = (a_test("descend", over, start, end, there) for end in ends)
    legs = [Leg("descend", start, test.landing, 2 * drop, there, rise=-drop, test=test) for test in tests]
    pen.cross(allowed(legs, lambda leg: descend(scene, leg, surface, left_below(scene, leg, surface, 0.0), -leg.rise)))


def _go_out(pen: Pen, end: Spot, there: Surface) -> None:
    """Go up out of a gap: by a step, a Jump or a Climb test."""
    scene, start, surface = pen.scene, pen.spot, pen.surface
    assert surface is not None
    gap, rise = scene.table.piece(surface), scene.elevation(there) - scene.elevation(surface) - pen.climbed
    weight = weigh(scene, segment(start, end), {surface, there})
    if scene.is_step(rise):
        pen.cross(Leg("up", start, end, weight.cost, there))
    elif scene.no_taller(rise):
        test = a_test("jump", surface, start, end, there)
        pen.cross(Leg("jump", start, end, weight.cost, there, test=test))
    else:
        climb_up(pen, gap, [end, *_straight_off(pen, surface)], there, rise)


def _straight_off(pen: Pen, surface: str) -> list[Spot]:
    """Return where the base has left a level straight over its nearest side, if it can."""
    straight = straight_over(pen, pen.scene.top(surface))
    off = leaves(pen, straight)
    return [] if off is None or not math.isfinite(off[1]) else [straight.at(off[1])]


def go_in(pen: Pen, piece: Curve, first: float, gap: Terrain) -> bool:
    """Go down into a gap where the whole base first has room at its bottom; say whether it has."""
    if gap.depth is None or gap.shape is None:
        return False
    scene, drop = pen.scene, pen.scene.elevation(pen.surface) - pen.scene.elevation(gap.id)
    inside = _landing(pen, piece, gap.shape, first, scene.inside_of(drop))
    if inside is None:
        return False
    down = by_ladder(scene, pen.climbed, piece, gap, (pen.surface, gap.id), -drop, first, inside)
    if down is not None:
        pen.go(down.start)
        pen.cross(down)
        return True
    pen.go(piece.at(first))
    if not scene.is_step(drop):
        pen.back_to(gap.shape, scene.radius)
    end, straight = piece.at(inside), straight_over(pen, gap.shape)
    there = comes_onto(straight, gap.shape, 0.0, pen.scene.radius)
    _go_down(pen, gap.id, [end, *([] if there is None else [straight.at(there)])], gap.id)
    return True


def _leap_onto(pen: Pen, piece: Curve) -> Leg | None:
    """Return the allowed leap to the first other top that a piece comes onto, if there is one."""
    scene, found = pen.scene, []
    begin = left_at(piece, scene.top(pen.surface or ""), scene.margin)
    if begin is None:
        return None
    start = piece.at(begin)
    for other in scene.table.terrain.values():
        if other.id == pen.surface or other.shape is None or "platform" not in other.tags:
            continue
        inside = comes_onto(piece, other.shape, begin, scene.margin)
        # On a top just as wide as the base all places are at the rim: the leap may end where the piece does.
        far = [piece.length] if inside is not None and touches_rim(scene, piece.end, other.shape) else []
        for along in (*far, *([] if inside is None else [inside])):
            end = piece.at(along)
            weight = weigh(scene, segment(start, end), {pen.surface, other.id})
            test = a_test("leap", other.id, start, end, other.id)
            leg = Leg("leap", start, end, weight.cost, other.id, test=test)
            if not leap(scene, leg, pen.surface) and stands_inside(scene, of_leg(leg), other.id):
                found.append((inside or 0.0, leg))
                break
    return min(found, key=lambda row: row[0])[1] if found else None


def _landing(pen: Pen, piece: Curve, shape: Shape, first: float, margin: float) -> float | None:
    """Return where a piece comes onto a top: the first place, or, at a fork, the next after it leaves the top again."""
    inside = comes_onto(piece, shape, first, margin)
    gone = [b for _, b in below(piece, shape, TOUCH - margin) if inside is not None and b >= inside]
    later = comes_onto(piece, shape, gone[0] + TOUCH, margin) if gone else None
    return inside if later is None or not pen.otherwise() else later


def go_up(pen: Pen, piece: Curve, meeting: Meeting, terrain: Terrain) -> bool:
    """Go up onto a platform where the piece has room on it; say whether it does."""
    scene, low = pen.scene, pen.surface
    assert terrain.shape is not None
    rise = scene.elevation(terrain.id) - scene.elevation(low) - pen.climbed
    inside = _landing(pen, piece, terrain.shape, meeting.first, scene.inside_of(rise + pen.climbed))
    if inside is None:  # without room for the whole base it is climbed onto with the centre
        inside = comes_onto(piece, terrain.shape, meeting.first, scene.margin)
    if inside is None:
        return False
    begin = meeting.first
    up = by_ladder(scene, pen.climbed, piece, terrain, (low, terrain.id), rise, begin, inside)
    jumped = scene.no_taller(rise + pen.climbed) and not scene.is_step(rise + pen.climbed)
    if up is not None and not (jumped and pen.otherwise()):
        pen.go(up.start)
        pen.cross(up)
        return True
    step = None if scene.margin or not jumped else step_at(scene, piece.at(inside), low, terrain)
    if step is not None and pen.otherwise():
        pen.go(piece.at(inside))
        for onto in (step, terrain.id):
            pen.cross(Leg("up", pen.spot, pen.spot, 0.0, onto))
        return True
    if not scene.margin and not scene.is_step(rise + pen.climbed):  # a test begins with the base beside the platform
        begin = max((a for a, _ in below(piece, terrain.shape, scene.radius) if a <= begin), default=begin)
    pen.go(piece.at(begin))
    if not scene.is_step(rise + pen.climbed):
        pen.back_to(terrain.shape, scene.radius, scene.elevation(terrain.id))
        low = pen.surface
        rise = scene.elevation(terrain.id) - scene.elevation(low) - pen.climbed
    start, end = pen.spot, piece.at(inside)
    weight = weigh(scene, segment(start, end), {low, terrain.id})
    if scene.is_step(rise + pen.climbed):
        leg = Leg("up", start, end, weight.cost, terrain.id)
    elif jumped:
        test = a_test("jump", terrain.id, start, end, terrain.id)
        leg = Leg("jump", start, end, weight.cost, terrain.id, test=test)
    else:
        straight = straight_over(pen, terrain.shape)
        there = comes_onto(straight, terrain.shape, 0.0, scene.radius)
        climb_up(pen, terrain, [end] if there is None else [end, straight.at(there)], terrain.id, rise)
        return True
    pen.cross(leg)
    return True


def climb_up(pen: Pen, terrain: Terrain, ends: Sequence[Spot], on: Surface, rise: float) -> None:
    """Climb ``rise`` inches up a piece, to the first place of ``ends`` to which that is allowed."""
    start, surface = pen.spot, pen.surface
    hangs = hangs_on(pen.scene, pen.climbed)
    tests = [None if hangs else a_test("climb", terrain.id, start, end, on) for end in ends]
    legs = [Leg("climb", start, end, 2 * rise, on, rise=rise, test=test) for end, test in zip(ends, tests, strict=True)]
    legs = [replace(leg, cost=leg.cost + on_top(pen.scene, leg, surface)) for leg in legs]
    pen.cross(allowed(legs, lambda leg: climb(pen.scene, leg, surface, pen.climbed, last=False)))


def allowed(legs: Sequence[Leg], faults: Callable[[Leg], Sequence[Violation]]) -> Leg:
    """Return the first leg without faults; if all have faults, the first."""
    return next((leg for leg in legs if not faults(leg)), legs[0])


def straight_over(pen: Pen, shape: Shape) -> Curve:
    """Return a piece from the base straight across the nearest side of a shape, and past all of the shape."""
    (x, y), (ux, uy), (x0, y0, x1, y1) = pen.spot, across(pen.spot, shape), shape.bounds
    far = math.hypot(x - x0, y - y0) + math.hypot(x1 - x0, y1 - y0) + 4 * pen.scene.radius
    return segment(pen.spot, (x + far * ux, y + far * uy))


_RESULTS = {
    "jump": ("stays before it, move over", "over, and stops there", "over, and may go on"),
    "jump-prone": ("fails", "over, and stops there", "over, and may go on"),
    "leap": ("falls in, prone", "across, and stops there", "across, and may go on"),
    "climb": ("falls to the foot, prone", "up, and stops there", "up, and may go on"),
    "descend": ("falls to the foot, prone", "down, and stops there", "down, and may go on"),
}


def a_test(kind: str, over: str, at: Spot, landing: Spot, on: Surface) -> Test:
    """Return a test, with its results in words."""
    results = FrozenMap(dict(zip(("1", "2-5", "6"), _RESULTS[kind], strict=True)))
    return Test(kind, over, at, landing, results, TEST_RULES[kind], on)
