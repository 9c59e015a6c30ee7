"""Reads a hand-drawn polyline as a route: it jumps over a wall, climbs up a face, and leaps over a gap."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sbg_sim.errors import QuestionError
from sbg_sim.referee.curves import Curve, Spot, nearest_to_point, of_leg, segment
from sbg_sim.referee.drawn import (
    Meeting,
    Pen,
    a_test,
    climb_up,
    go_in,
    go_off,
    go_up,
    leaves,
    straight_over,
)
from sbg_sim.referee.ground import barrier, weigh
from sbg_sim.referee.judge import audit
from sbg_sim.referee.leaps import leap
from sbg_sim.referee.outline import below, comes_onto, edges, near_point, to_its_end
from sbg_sim.referee.scene import Scene, Surface
from sbg_sim.referee.stops import reached
from sbg_sim.referee.zones import ZONE
from sbg_sim.table.joining import joined, level_of
from sbg_sim.table.levels import supports
from sbg_sim.table.route import Leg, Route
from sbg_sim.table.violation import Violation
from sbg_sim.tolerance import PATH_STEP, ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sbg_sim.referee.findings import Audit
    from sbg_sim.table.board import Table
    from sbg_sim.table.terrain import Terrain

_READINGS: Final = 16  # most readings of one line that are judged: two for each of four forks


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
    on: str | None = None,
) -> Audit:
    """Judge a polyline of the base's centre, all along.

    Straight pieces that cross a jumpable obstacle, a face, a gap or a prone model become jumps, climbs, leaps and ways
    up and down. A prone model that does not stand up first crawls along it. Of several readings of a line the allowed
    one with the fewest dice, and then the least cost, is meant.

    Parameters
    ----------
    table, model_id
        The table, and the id of the mover.
    points
        The centre's places in order, the first where the model stands; inches.
    charging
        Ids of the enemies it charges.
    rolls
        The dice in the order needed: the move is judged as far as they let it go on. None judges the whole path as if
        every die let it go on, and ``stops`` tells where each result would end it.
    stand, lie
        Whether it stands up before the move, or lies down after it.
    allowance
        Movement that it may use, inches; None for its maximum Move.
    on
        The level on which it ends, or None. The path goes onto a platform that juts out over it if that is this level,
        or that of the first charged enemy, and else passes under it.

    Raises
    ------
    UnknownNameError
        For a model that the table does not have.
    QuestionError
        For points that are no finite numbers, or rolls that are no dice, too few or too many.

    """
    table = joined(table)
    scene = Scene(table, table.model(model_id))
    drawn = _checked(points) or [scene.model.at]
    aim = on if on is None else table.piece(level_of(table, on) or "").id
    if aim is None and isinstance(charging, tuple | list) and all(isinstance(name, str) for name in charging):
        aim = next((table.models[name].on for name in charging if name in table.models), None)

    def judge(route: Route) -> Audit:
        return audit(table, model_id, route, charging=charging, allowance=allowance)

    route, whole = _meant(lambda turns: _read(scene, drawn, stand, lie, aim, turns), judge)
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


def _meant(
    read: Callable[[tuple[bool, ...]], tuple[Route, int]], judge: Callable[[Route], Audit]
) -> tuple[Route, Audit]:
    """Return the meant reading of a line that can be read in several ways, with its judgement.

    It is the allowed one with the fewest dice, and then the least cost; if none is allowed, the first.
    """
    waiting: list[tuple[bool, ...]] = [()]
    found: list[tuple[tuple[bool, int, float], Route, Audit]] = []
    while waiting and len(found) < _READINGS:
        turns = waiting.pop(0)
        route, forks = read(turns)
        seen = judge(route)
        found.append(((bool(seen.violations), len(route.tests), round(seen.cost / ROUNDING) * ROUNDING), route, seen))
        if found[0][0][:2] == (False, 0):
            break  # no reading has fewer dice
        waiting += [(*turns, *[False] * (n - len(turns)), True) for n in range(len(turns), forks)]
    allowed = [row for row in found if not row[0][0]] or found[:1]
    return min(allowed, key=lambda row: row[0])[1:]


def _read(
    scene: Scene, points: Sequence[Spot], stand: bool, lie: bool, aim: Surface, turns: tuple[bool, ...]
) -> tuple[Route, int]:
    """Read a polyline as a route of legs; it walks into obstacles that it cannot cross, for the judge to see.

    Returns also the number of forks, at which it can be read in two ways.
    """
    start = points[0]
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    scene = scene.near((min(xs), min(ys), max(xs), max(ys)))
    pen = Pen(scene, start, scene.model.on, scene.model.climbed, aim=aim, turns=turns)
    if stand:
        pen.legs.append(Leg("stand", start, start, scene.move / 2, pen.surface))
    prone = scene.model.prone and not stand
    for point in _unbroken(points)[1:]:
        if not _round(pen, point):
            _draw(pen, point)
    if prone:
        pen.legs = [_crawled(leg) for leg in pen.legs]
    if lie:
        pen.legs.append(Leg("lie", pen.spot, pen.spot, scene.move / 2, pen.surface))
    return Route(tuple(pen.legs)), pen.forks


def _crawled(leg: Leg) -> Leg:
    """Return a leg as a crawl: on any ground an inch costs an inch (PRN.2)."""
    if leg.walked:
        return replace(leg, kind="crawl", cost=leg.length)
    return replace(leg, cost=leg.length) if leg.kind in {"up", "down"} else leg


def _unbroken(points: Sequence[Spot]) -> list[Spot]:
    """Leave out points on the segment between their neighbours, so that a crossing is one piece."""
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

    A reported path samples its arcs so, and the chords cut a hair into circles that the arcs only touch.
    """
    scene = pen.scene
    if not 4 * TOUCH < math.dist(pen.spot, end) <= 2 * PATH_STEP:
        return False
    near = ZONE + scene.radius + TOUCH
    centers = [(m.at, m.radius + near) for m in scene.everyone()]  # zones of other levels may bind on this one
    level = [] if pen.surface is None else [scene.top(pen.surface)]  # its rim may turn inward
    for shape in (*(shape for _, shape in scene.pieces(pen.surface)), *level):
        centers += [(a, scene.radius + shape.radius + TOUCH) for edge in edges(shape) for a in edge]
    for center, reach in centers:
        radius = (math.dist(pen.spot, center) + math.dist(end, center)) / 2  # both ends are rounded
        if TOUCH < radius <= reach and abs(math.dist(end, center) - radius) <= ROUNDING:
            sweep = _turn(center, pen.spot, end)
            arc = Leg("arc", pen.spot, end, 0.0, pen.surface, center, radius, sweep)
            if not _keeps_level(pen, of_leg(arc)):
                return False
            cost = weigh(scene, of_leg(arc), (pen.surface,)).cost
            pen.legs.append(replace(arc, cost=cost))
            pen.spot = end
            return True
    return False


def _keeps_level(pen: Pen, curve: Curve) -> bool:
    """Say whether a piece comes onto no other level."""
    if leaves(pen, curve) is not None:
        return False
    beside = ((p, s) for p, s in pen.scene.pieces(pen.surface) if p.tags & {"platform", "gap"})
    return not any(below(curve, shape, pen.scene.outside_of(p, pen.surface) - TOUCH) for p, shape in beside)


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
        leaving = leaves(pen, piece)
        meeting = _first_meeting(pen, piece, given_up)
        if leaving is not None and (meeting is None or leaving[0] <= meeting.first - _sooner(meeting)):
            if not go_off(pen, piece, leaving):
                break
        elif meeting is None:
            break
        else:
            _go_over(pen, piece, meeting, given_up)
    pen.go(end)


def _stuck_out(pen: Pen, piece: Curve, given_up: set[str]) -> list[Meeting]:
    """Return where a piece meets the platform it aims at, if that juts out over the path: it goes onto it."""
    scene, aim = pen.scene, pen.aim
    if aim is None or aim == pen.surface or aim in given_up or "platform" not in scene.table.piece(aim).tags:
        return []
    terrain, rise = scene.table.piece(aim), scene.elevation(aim) - scene.elevation(pen.surface)
    under = aim in supports(scene.table, pen.surface)  # the way out of a gap in it leads over the gap's own rim
    if terrain.shape is None or under or rise <= 0 or not scene.no_taller(rise):
        return []
    hits = below(piece, terrain.shape, scene.outside_of(terrain, pen.surface))
    return [Meeting(*hits[0], piece=terrain)] if hits and hits[0][1] > hits[0][0] else []


def _sooner(meeting: Meeting) -> float:
    """Return by how much a way off a level goes before a meeting, inches: before a platform or gap met as soon."""
    level = meeting.piece is not None and bool(meeting.piece.tags & {"platform", "gap"})
    return TOUCH if level else 0.0


def _first_meeting(pen: Pen, piece: Curve, given_up: set[str]) -> Meeting | None:
    """Return the first thing that bars a straight piece."""
    scene, found, held = pen.scene, [], supports(pen.scene.table, pen.surface)
    for terrain, shape in scene.pieces(pen.surface):
        if terrain.id in given_up or terrain.id in held or not (terrain.is_obstacle or "gap" in terrain.tags):
            continue
        out = scene.outside_of(terrain, pen.surface)
        hits = below(piece, shape, out - TOUCH)
        if hits and barrier(scene, terrain, pen.surface) is not None:
            # Cut at the rim itself, for the stretch just found begins and ends TOUCH inside it.
            rims = [r for r in below(piece, shape, out) if r[0] <= hits[0][0] and hits[0][1] <= r[1]]
            found.append(Meeting(*(rims or hits)[0], piece=terrain))
    found += _stuck_out(pen, piece, given_up)
    for other in scene.others(pen.surface):
        if not other.prone or other.id in given_up:
            continue
        reach = scene.radius + other.radius
        if near_point(piece, other.at, reach - TOUCH):
            found.append(Meeting(*near_point(piece, other.at, reach)[0], model=other))
    first = min(found, key=lambda m: m.first, default=None)
    if first is None:
        return None
    # Of platforms with flush sides the highest on which the piece has room.
    flush = [m for m in found if m.first <= first.first + TOUCH and m.piece and "platform" in m.piece.tags]
    onto = [m for m in flush if m.piece and _has_room(pen, piece, m, m.piece)]
    return max(onto, key=lambda m: scene.elevation(m.piece.id if m.piece else None), default=first)


def _has_room(pen: Pen, piece: Curve, meeting: Meeting, top: Terrain) -> bool:
    scene = pen.scene
    inside = scene.inside_of(scene.elevation(top.id) - scene.elevation(pen.surface))
    return comes_onto(piece, scene.top(top.id), meeting.first, inside) is not None


def _go_over(pen: Pen, piece: Curve, meeting: Meeting, given_up: set[str]) -> None:
    """Cross a thing that bars the path by the test that it needs, or give up on it."""
    start, end = piece.at(meeting.first), piece.at(to_its_end(piece, meeting.last))
    through = meeting.last < piece.length or _just_touches(pen, meeting, piece)
    if meeting.model is not None:
        given_up.add(meeting.model.id)
        if through:
            pen.go(start)
            _jump(pen, end, meeting.model.id, "jump-prone")
        return
    terrain = meeting.piece
    assert terrain is not None
    if "platform" in terrain.tags and go_up(pen, piece, meeting, terrain):
        return
    if "gap" in terrain.tags:
        if not _past_gap(pen, piece, meeting, terrain, through=through):
            given_up.add(terrain.id)
    elif not through or pen.scene.is_stood_on(terrain, pen.surface):
        given_up.add(terrain.id)
    elif pen.scene.no_taller(pen.scene.tall(terrain, pen.surface)):
        pen.go(start)
        _jump(pen, end, terrain.id, "jump")
    elif "unscalable" not in terrain.tags and "cavalry" not in pen.scene.model.keywords:
        pen.go(start)
        _climb_over(pen, end, terrain)
        if math.dist(pen.spot, piece.end) >= math.dist(start, piece.end):
            given_up.add(terrain.id)  # straight across leads back, as along a thin wall from beside its end
    else:
        given_up.add(terrain.id)


def _past_gap(pen: Pen, piece: Curve, meeting: Meeting, gap: Terrain, *, through: bool) -> bool:
    """Go down into a gap, or leap over it if the piece leads beyond; say whether either is done.

    A gap that the mover can step into is walked through without a die, unless a model stands in the way there.
    """
    start, end = piece.at(meeting.first), piece.at(to_its_end(piece, meeting.last))
    shallow = gap.depth is not None and pen.scene.is_step(gap.depth) and not _manned(pen.scene, piece, gap)
    over = _leap_over(pen, start, end, gap.id) if through else None
    leaps = over is not None and not leap(pen.scene, over, pen.surface)
    if leaps and gap.depth is not None:
        leaps = pen.otherwise() == shallow
    if not leaps and go_in(pen, piece, meeting.first, gap):
        return True
    if over is not None:
        pen.go(start)
        pen.cross(over)
    return over is not None


def _manned(scene: Scene, piece: Curve, gap: Terrain) -> bool:
    near = scene.radius + ZONE
    return any(near_point(piece, other.at, near + other.radius) for other in scene.others(gap.id))


def _just_touches(pen: Pen, meeting: Meeting, piece: Curve) -> bool:
    """Say whether a piece that ends within a meeting ends just touching the far side, to rounding."""
    shape = meeting.piece.shape if meeting.piece is not None else None
    if shape is None:
        return meeting.model is not None and math.dist(piece.end, meeting.model.at) >= (
            pen.scene.radius + meeting.model.radius - TOUCH
        )
    return not below(Curve(piece.end, piece.end, 0.0), shape, pen.scene.radius - TOUCH)


def _leap_over(pen: Pen, start: Spot, end: Spot, over: str) -> Leg:
    weight = weigh(pen.scene, segment(start, end), (pen.surface,))
    return Leg("leap", start, end, weight.cost, pen.surface, test=a_test("leap", over, start, end, pen.surface))


def _jump(pen: Pen, end: Spot, over: str, kind: str) -> None:
    weight = weigh(pen.scene, segment(pen.spot, end), (pen.surface,))
    test = a_test(kind, over, pen.spot, end, pen.surface)
    pen.cross(Leg("jump", pen.spot, end, weight.cost, pen.surface, test=test))


def _climb_over(pen: Pen, end: Spot, terrain: Terrain) -> None:
    """Climb a wall and come down its other side (ruling ``climb_over``)."""
    assert terrain.shape is not None
    straight = straight_over(pen, terrain.shape)
    ends = [end, *(straight.at(last) for _, last in below(straight, terrain.shape, pen.scene.radius)[:1])]
    climb_up(pen, terrain, ends, pen.surface, terrain.top - pen.climbed)
    end = pen.spot
    if pen.scene.table.rulings["climb_over"] == "down":
        down = a_test("descend", terrain.id, end, end, pen.surface)
        pen.cross(Leg("descend", end, end, 2 * terrain.top, pen.surface, rise=-terrain.top, test=down))
