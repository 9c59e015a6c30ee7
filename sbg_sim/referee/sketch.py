"""A hand-drawn polyline read as a route: over a wall it jumps, up a face it climbs, over a gap it leaps."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sbg_sim.errors import QuestionError
from sbg_sim.referee.climbs import climb, descend, hangs_on, left_below
from sbg_sim.referee.curves import Curve, Spot, nearest_to_point, of_leg, segment
from sbg_sim.referee.ground import barrier, weigh
from sbg_sim.referee.judge import audit
from sbg_sim.referee.outline import above, across, below, edges, near_point
from sbg_sim.referee.scene import Scene, Surface
from sbg_sim.referee.stops import reached
from sbg_sim.referee.zones import ZONE
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.joining import joined
from sbg_sim.table.route import TEST_RULES, Leg, Route, Test
from sbg_sim.table.violation import Violation
from sbg_sim.tolerance import PATH_STEP, ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sbg_sim.geometry.shapes import Shape
    from sbg_sim.referee.findings import Audit
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain


def audit_path(
    table: Table,
    model_id: str,
    points: Sequence[Spot],
    *,
    charging: Sequence[str] = (),
    rolls: Sequence[int] | None = None,
    stand: bool = False,
    lie: bool = False,
    allowance: float | None = None,
) -> Audit:
    """Judge a polyline of the base's centre, at every point of it.

    Straight pieces that cross a jumpable obstacle, a face, a gap or a prone model become jumps, climbs,
    leaps and ways up and down. A prone model that does not stand up first crawls along it.

    Parameters
    ----------
    table, model_id
        Who moves where.
    points
        The centre's places in order, the first where the model stands; inches.
    charging
        Ids of the enemies it charges.
    rolls
        The dice in the order needed: the move is judged as far as they let it come. None judges the whole
        path as if every die let it go on, and ``stops`` tells where each result would end it.
    stand, lie
        Whether it stands up before, or lies down after.
    allowance
        Movement it may use, inches; None for its maximum Move.

    Raises
    ------
    UnknownNameError
        For a model that the table does not have.
    QuestionError
        For points that are no finite numbers, or dice that are none, too few or too many.

    """
    table = joined(table)
    scene = Scene(table, table.model(model_id))
    drawn = _checked(points) or [scene.model.at]
    route = sketch(scene, drawn, stand=stand, lie=lie)
    whole = audit(table, model_id, route, charging=charging, allowance=allowance)
    if not route.legs and math.dist(drawn[0], scene.model.at) > TOUCH and model_id not in table.off:
        elsewhere = Violation("MOV.3", "the path does not start where the model stands", drawn[0])
        whole = replace(whole, violations=(elsewhere, *whole.violations))
    if rolls is None:
        return whole
    costs = [leg.cost for leg in route.legs]
    end = reached(scene, route, costs, rolls)
    if end.legs == len(route.legs):
        return replace(whole, reached=end)
    made = Route(route.legs[: end.legs])
    judged = audit(table, model_id, made, charging=charging, allowance=allowance, contact=False)
    return replace(judged, tests=route.tests, stops=whole.stops, reached=end, route=route)


def _checked(points: Sequence[Spot]) -> list[Spot]:
    found: list[Spot] = []
    for number, point in enumerate(points, 1):
        try:
            x, y = (float(v) for v in point)
        except (TypeError, ValueError):
            raise QuestionError(f"point {number} of the path is {point!r}; it must be two numbers") from None
        if not (math.isfinite(x) and math.isfinite(y)):
            raise QuestionError(f"point {number} of the path is {point!r}; it must be finite")
        if not found or found[-1] != (x, y):
            found.append((x, y))
    return found


@dataclass(slots=True)
class Pen:
    """The state of a path while it is read.

    Parameters
    ----------
    scene
        The mover and its table.
    spot, surface
        Where it is.
    climbed
        Inches of a face below it.
    legs
        What has been read.

    """

    scene: Scene
    spot: Spot
    surface: Surface
    climbed: float = 0.0
    legs: list[Leg] = field(default_factory=list)

    def go(self, end: Spot) -> None:
        """Walk straight to a point."""
        if math.dist(end, self.spot) > 0:
            weight = weigh(self.scene, segment(self.spot, end), (self.surface,))
            self.legs.append(Leg("straight", self.spot, end, weight.cost, self.surface))
            self.spot = end

    def cross(self, leg: Leg) -> None:
        """Take a leg that crosses something."""
        self.legs.append(leg)
        self.spot, self.surface, self.climbed = leg.end, leg.surface, 0.0


@dataclass(frozen=True, slots=True)
class Meeting:
    """Something that a straight piece runs into.

    Parameters
    ----------
    first, last
        Where the base begins to touch it and ceases to, inches along the piece.
    piece, model
        What it is.

    """

    first: float
    last: float
    piece: Terrain | None = None
    model: Model | None = None


def sketch(scene: Scene, points: Sequence[Spot], *, stand: bool, lie: bool) -> Route:
    """Read a polyline as a route of legs; what cannot be crossed is walked into, for the judge to see."""
    start = points[0]
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    scene = scene.near((min(xs), min(ys), max(xs), max(ys)))
    pen = Pen(scene, start, scene.model.on, scene.model.climbed)
    if stand:
        pen.legs.append(Leg("stand", start, start, scene.move / 2, pen.surface))
    prone = scene.model.prone and not stand
    for point in _unbroken(points)[1:]:
        if prone:
            pen.legs.append(Leg("crawl", pen.spot, point, math.dist(pen.spot, point), pen.surface))
            pen.spot = point
        elif not _round(pen, point):
            _draw(pen, point)
    if lie:
        pen.legs.append(Leg("lie", pen.spot, pen.spot, scene.move / 2, pen.surface))
    return Route(tuple(pen.legs))


def _unbroken(points: Sequence[Spot]) -> list[Spot]:
    """Leave out points on the straight way between their neighbours, so that a crossing is one piece."""
    kept: list[Spot] = []
    for point in points:
        if len(kept) > 1:
            piece = segment(kept[-2], point)
            ahead = nearest_to_point(piece, kept[-1])
            if ahead and math.dist(piece.at(ahead[0]), kept[-1]) <= ROUNDING:
                kept.pop()
        kept.append(point)
    return kept


def _round(pen: Pen, end: Spot) -> bool:
    """Read a short chord of a circle round a base, a zone or a corner as that circle's arc.

    A reported path samples its arcs so, and the chords cut a hair into what the arcs only touch.
    """
    scene = pen.scene
    if pen.surface is not None or math.dist(pen.spot, end) > 2 * PATH_STEP:
        return False
    near = ZONE + scene.radius + TOUCH
    centers = [(m.at, m.radius + near) for m in scene.others(pen.surface)]
    for _, shape in scene.pieces(pen.surface):
        centers += [(a, scene.radius + shape.radius + TOUCH) for edge in edges(shape) for a in edge]
    for center, reach in centers:
        radius = math.dist(pen.spot, center)
        if TOUCH < radius <= reach and abs(math.dist(end, center) - radius) <= ROUNDING:
            sweep = _turn(center, pen.spot, end)
            arc = Leg("arc", pen.spot, end, 0.0, pen.surface, center, radius, sweep)
            cost = weigh(scene, of_leg(arc), (pen.surface,)).cost
            pen.legs.append(replace(arc, cost=cost))
            pen.spot = end
            return True
    return False


def _turn(center: Spot, start: Spot, end: Spot) -> float:
    """Return the angle between two points seen from a centre, radians, at most half a turn either way."""
    ax, ay, bx, by = start[0] - center[0], start[1] - center[1], end[0] - center[0], end[1] - center[1]
    return math.atan2(ax * by - ay * bx, ax * bx + ay * by)


def _draw(pen: Pen, end: Spot) -> None:
    """Read one straight piece."""
    given_up: set[str] = set()
    for _ in range(1000):
        piece = segment(pen.spot, end)
        if piece.length <= TOUCH and pen.climbed == 0:
            break
        leaving = _leaves(pen, piece)
        meeting = _first_meeting(pen, piece, given_up)
        if leaving is not None and (meeting is None or leaving[0] <= meeting.first):
            if not _go_down(pen, piece, leaving):
                break
        elif meeting is None:
            break
        else:
            _go_over(pen, piece, meeting, given_up)
    pen.go(end)


def _first_meeting(pen: Pen, piece: Curve, given_up: set[str]) -> Meeting | None:
    """Return what bars a straight piece first."""
    scene, found = pen.scene, []
    for terrain, shape in scene.pieces(pen.surface):
        if terrain.id in given_up or not (terrain.is_obstacle or "gap" in terrain.tags):
            continue
        hits = below(piece, shape, scene.radius - TOUCH)
        if hits and barrier(scene, terrain, pen.surface) is not None:
            # Cut at the rim itself: the stretch just found begins and ends TOUCH inside it.
            rims = [r for r in below(piece, shape, scene.radius) if r[0] <= hits[0][0] and hits[0][1] <= r[1]]
            found.append(Meeting(*(rims or hits)[0], piece=terrain))
    for other in scene.others(pen.surface):
        if not other.prone or other.id in given_up:
            continue
        reach = scene.radius + other.radius
        if near_point(piece, other.at, reach - TOUCH):
            found.append(Meeting(*near_point(piece, other.at, reach)[0], model=other))
    return min(found, key=lambda m: m.first, default=None)


def _leaves(pen: Pen, piece: Curve) -> tuple[float, float] | None:
    """Return where a piece begins to leave its platform and where the base has wholly left it."""
    if pen.surface is None:
        return None
    shape = pen.scene.top(pen.surface)
    out = above(piece, shape, TOUCH - pen.scene.radius)
    if not out:
        return None
    begin = next((a for a, b in above(piece, shape, -pen.scene.radius) if b >= out[0][1]), out[0][0])
    beyond = [a for a, _ in above(piece, shape, pen.scene.radius) if a >= begin]
    # A piece may end where the base just touches the side that it came down.
    touching = not below(segment(piece.end, piece.end), shape, pen.scene.radius - TOUCH)
    return begin, (beyond[0] if beyond else piece.length if touching else math.inf)


def _go_down(pen: Pen, piece: Curve, leaving: tuple[float, float]) -> bool:
    """Leave a platform by a ladder, a free way down or a Climb test; say whether the piece gets off it."""
    scene, surface = pen.scene, pen.surface
    assert surface is not None
    if not math.isfinite(leaving[1]):
        return False
    pen.go(piece.at(leaving[0]))
    start, end = pen.spot, piece.at(leaving[1])
    low = scene.table.piece(surface).on
    drop = scene.elevation(surface) - scene.elevation(low)
    weight = weigh(scene, segment(start, end), {surface, low})
    if _has_ladder(scene, low, surface, end):
        pen.cross(Leg("ladder", start, end, drop, low, rise=-drop))
    elif scene.no_taller(drop):
        pen.cross(Leg("down", start, end, weight.cost, low))
    else:
        ends = [end]
        straight = _straight(pen, scene.top(surface))
        if (off := _leaves(pen, straight)) is not None and math.isfinite(off[1]):
            ends.append(straight.at(off[1]))
        tests = (_test("descend", surface, start, end, low) for end in ends)
        legs = [Leg("descend", start, test.landing, 2 * drop, low, rise=-drop, test=test) for test in tests]
        pen.cross(_allowed(legs, lambda leg: descend(scene, leg, surface, left_below(scene, leg, surface, 0.0))))
    return True


def _go_over(pen: Pen, piece: Curve, meeting: Meeting, given_up: set[str]) -> None:
    """Cross what bars the way by the test it asks for, or give up on it."""
    start, end = piece.at(meeting.first), piece.at(meeting.last)
    through = meeting.last < piece.length or _just_touches(pen, meeting, piece)
    if meeting.model is not None:
        given_up.add(meeting.model.id)
        if through:
            pen.go(start)
            _jump(pen, end, meeting.model.id, "jump-prone")
        return
    terrain = meeting.piece
    assert terrain is not None
    if "platform" in terrain.tags and _go_up(pen, piece, meeting, terrain):
        return
    if not through or pen.scene.is_stood_on(terrain, pen.surface):
        given_up.add(terrain.id)
    elif "gap" in terrain.tags:
        pen.go(start)
        weight = weigh(pen.scene, segment(pen.spot, end), (pen.surface,))
        test = _test("leap", terrain.id, pen.spot, end, pen.surface)
        pen.cross(Leg("leap", pen.spot, end, weight.cost, pen.surface, test=test))
    elif pen.scene.no_taller(terrain.top):
        pen.go(start)
        _jump(pen, end, terrain.id, "jump")
    elif "unscalable" not in terrain.tags and "cavalry" not in pen.scene.model.keywords:
        pen.go(start)
        _climb_over(pen, end, terrain)
    else:
        given_up.add(terrain.id)


def _just_touches(pen: Pen, meeting: Meeting, piece: Curve) -> bool:
    """Say whether a piece that ends within a stretch ends touching from the far side, to rounding."""
    shape = meeting.piece.shape if meeting.piece is not None else None
    if shape is None:
        return meeting.model is not None and math.dist(piece.end, meeting.model.at) >= (
            pen.scene.radius + meeting.model.radius - TOUCH
        )
    return not below(Curve(piece.end, piece.end, 0.0), shape, pen.scene.radius - TOUCH)


def _jump(pen: Pen, end: Spot, over: str, kind: str) -> None:
    weight = weigh(pen.scene, segment(pen.spot, end), (pen.surface,))
    test = _test(kind, over, pen.spot, end, pen.surface)
    pen.cross(Leg("jump", pen.spot, end, weight.cost, pen.surface, test=test))


def _climb_over(pen: Pen, end: Spot, terrain: Terrain) -> None:
    """Climb a wall and come down its other side (ruling ``climb_over``)."""
    assert terrain.shape is not None
    straight = _straight(pen, terrain.shape)
    ends = [end, *(straight.at(last) for _, last in below(straight, terrain.shape, pen.scene.radius)[:1])]
    _climb(pen, terrain, ends, pen.surface)
    end = pen.spot
    if pen.scene.table.rulings["climb_over"] == "down":
        down = _test("descend", terrain.id, end, end, pen.surface)
        pen.cross(Leg("descend", end, end, 2 * terrain.top, pen.surface, rise=-terrain.top, test=down))


def _go_up(pen: Pen, piece: Curve, meeting: Meeting, terrain: Terrain) -> bool:
    """Go up onto a platform where the piece comes to stand wholly on it; say whether it does."""
    scene, low = pen.scene, pen.surface
    assert terrain.shape is not None
    inside = _comes_onto(scene, piece, terrain.shape, meeting.first)
    if inside is None or inside > meeting.last:
        return False
    pen.go(piece.at(meeting.first))
    start, end = pen.spot, piece.at(inside)
    rise = terrain.top - pen.climbed
    weight = weigh(scene, segment(start, end), {low, terrain.id})
    if _has_ladder(scene, low, terrain.id, start):
        leg = Leg("ladder", start, end, rise, terrain.id, rise=rise)
    elif scene.is_step(terrain.top):
        leg = Leg("up", start, end, weight.cost, terrain.id)
    elif scene.no_taller(terrain.top):
        test = _test("jump", terrain.id, start, end, terrain.id)
        leg = Leg("jump", start, end, weight.cost, terrain.id, test=test)
    else:
        straight = _straight(pen, terrain.shape)
        there = _comes_onto(scene, straight, terrain.shape, 0.0)
        _climb(pen, terrain, [end] if there is None else [end, straight.at(there)], terrain.id)
        return True
    pen.cross(leg)
    return True


def _comes_onto(scene: Scene, piece: Curve, top: Shape, after: float) -> float | None:
    """Return where, from some inches along a piece on, a base first stands wholly on a top; None for nowhere."""
    exact = [a for a, b in below(piece, top, -scene.radius) if a >= after and b > a]
    inside = [a for a, _ in below(piece, top, TOUCH - scene.radius) if a >= after]
    return min(exact[:1] or inside[:1], default=None)


def _climb(pen: Pen, terrain: Terrain, ends: Sequence[Spot], on: Surface) -> None:
    """Climb up something to the first of some places to which that is allowed."""
    rise, start, surface = terrain.top - pen.climbed, pen.spot, pen.surface
    hangs = hangs_on(pen.scene, pen.climbed)
    tests = [None if hangs else _test("climb", terrain.id, start, end, on) for end in ends]
    legs = [Leg("climb", start, end, 2 * rise, on, rise=rise, test=test) for end, test in zip(ends, tests, strict=True)]
    pen.cross(_allowed(legs, lambda leg: climb(pen.scene, leg, surface, pen.climbed, last=False)))


def _allowed(legs: Sequence[Leg], faults: Callable[[Leg], Sequence[Violation]]) -> Leg:
    """Return the first leg that is allowed, as drawn or straight across; if none is, the one that was drawn."""
    return next((leg for leg in legs if not faults(leg)), legs[0])


def _straight(pen: Pen, shape: Shape) -> Curve:
    """Return a piece from where the base is straight across the nearest side of a shape, and past all of it."""
    (x, y), (ux, uy), (x0, y0, x1, y1) = pen.spot, across(pen.spot, shape), shape.bounds
    far = math.hypot(x - x0, y - y0) + math.hypot(x1 - x0, y1 - y0) + 4 * pen.scene.radius
    return segment(pen.spot, (x + far * ux, y + far * uy))


def _has_ladder(scene: Scene, low: Surface, platform: str, foot: Spot) -> bool:
    return any(
        "ladder" in p.tags and p.on == low and p.to == platform and p.at is not None
        and math.dist(p.at, foot) <= scene.radius + TOUCH
        for p in scene.table.terrain.values()
    )  # fmt: skip


_RESULTS = {
    "jump": ("stays before it, move over", "over, and stops there", "over, and may go on"),
    "jump-prone": ("fails", "over, and stops there", "over, and may go on"),
    "leap": ("falls in, prone", "across, and stops there", "across, and may go on"),
    "climb": ("falls to the foot, prone", "up, and stops there", "up, and may go on"),
    "descend": ("falls to the foot, prone", "down, and stops there", "down, and may go on"),
}


def _test(kind: str, over: str, at: Spot, landing: Spot, on: Surface) -> Test:
    results = FrozenMap(dict(zip(("1", "2-5", "6"), _RESULTS[kind], strict=True)))
    return Test(kind, over, at, landing, results, TEST_RULES[kind], on)
