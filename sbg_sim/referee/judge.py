"""Judges a route: every leg along its whole length, by nothing taken from the search."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from sbg_sim.errors import QuestionError
from sbg_sim.referee.climbs import climb, climbed_face, descend, hangs_on, ladder, left_below, let_down, on_top
from sbg_sim.referee.crossings import jump, named_test, stands_inside, stepped_down, stepped_up
from sbg_sim.referee.curves import Curve, Spot, of_leg, segment
from sbg_sim.referee.findings import Audit, Entry
from sbg_sim.referee.ground import barred, beyond_edge, clearance, ends_atop, off_top, overlapped, weigh
from sbg_sim.referee.leaps import leap
from sbg_sim.referee.posture import Posture
from sbg_sim.referee.scene import Scene, Track
from sbg_sim.referee.stops import outcomes
from sbg_sim.referee.zones import Way, contact_faults, judged, left_undone, stays, strays_into_contact
from sbg_sim.table.joining import joined, level_of
from sbg_sim.table.route import LEG_KINDS, Route
from sbg_sim.table.violation import Violation
from sbg_sim.tolerance import DOUBLED_ROUNDING, FITS, ROUNDING, TOUCH

if TYPE_CHECKING:
    from sbg_sim.referee.scene import Box, Surface
    from sbg_sim.table.board import Table
    from sbg_sim.table.route import Leg

CHANGES = frozenset({"up", "down", "climb", "descend", "ladder", "jump", "leap"})
"""Legs after which the mover may be on another surface."""


@dataclass(slots=True)
class Walk:
    """The state of a mover as its legs are judged one by one."""

    scene: Scene
    spot: Spot
    surface: Surface
    posture: Posture
    climbed: float
    faults: list[Violation] = field(default_factory=list)
    tracks: list[Track] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)
    free: float = 0.0
    offset: float = 0.0
    outside: frozenset[str] = frozenset()
    hanging: bool = False


def audit(
    table: Table,
    model_id: str,
    route: Route | None,
    *,
    charging: Sequence[str] = (),
    allowance: float | None = None,
    contact: bool = True,
    hanging: bool = False,
) -> Audit:
    """Judge a route.

    Parameters
    ----------
    table, model_id
        The table, and the id of the mover.
    route
        The route; that of an answer without a way is None, and is refused.
    charging
        Ids of the enemies it charges; empty for a move that is no charge.
    allowance
        Movement that it may use, inches; None for its maximum Move. An infinite one judges a route that is too long.
    contact
        Whether a charge must end in contact; not if dice have cut it short.
    hanging
        Whether a way down a face may end half way, over the foot (CLB.4).

    Raises
    ------
    UnknownNameError
        For a model or piece of terrain that the table does not have.
    QuestionError
        If the table lacks a height or Move that the judgement needs, or if there is no route.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.load("scenarios/charging-2.toml")
    >>> verdict = sbg.check(table, "third-to-pippin")
    >>> seen = audit(table, "uruk-3", verdict.route, charging=("pippin",))
    >>> seen.legal, [v.rule for v in seen.violations]
    (False, ['MOV.3'])

    """
    if not isinstance(route, Route):
        msg = f"a route is judged, such as the one of a verdict that has a way; there is none in {type(route).__name__}"
        raise QuestionError(msg)
    targets: Any = charging
    if isinstance(targets, str) or not isinstance(targets, Sequence):
        raise QuestionError(f"charging holds the ids of those who are charged, not {targets!r:.60}")
    table, route = joined(table), on_levels(table, route)
    scene = Scene(table, table.model(model_id))
    limit = scene.move if allowance is None else allowance
    if route.legs:
        scene = scene.near(_box(route))
    walk = Walk(scene, _starting_spot(scene, route), scene.model.on, Posture(scene.model.prone), scene.model.climbed)
    walk.faults += _may_move(scene, route) + _may_charge(scene, charging)
    walk.hanging = hanging
    if model_id in table.off:
        walk.faults += _enters(walk, charging)
    for index, leg in enumerate(route.legs):
        _judge_leg(walk, leg, index, last=index == len(route.legs) - 1)
    walk.faults += _fits(scene, route, walk, limit)
    way = Way(tuple(walk.tracks))
    walk.faults += judged(scene, way, charging) if way.tracks else []
    walk.faults += left_undone(scene, way, route, charging) if way.tracks else []
    walk.faults += _ends(walk, route, charging, contact=contact)
    return _account(walk, way, route, limit)


def on_levels(table: Table, route: Route) -> Route:
    """Return a route with the levels named as :func:`~sbg_sim.table.joining.joined` names them."""
    legs = (replace(leg, surface=level_of(table, leg.surface)) for leg in route.legs)
    over = ((leg, leg.test and level_of(table, leg.test.over)) for leg in legs)
    return Route(tuple(replace(g, test=replace(g.test, over=name)) if g.test and name else g for g, name in over))


def _account(walk: Walk, way: Way, route: Route, limit: float) -> Audit:
    within = stays(walk.scene, way) if way.tracks else []
    return Audit(
        violations=tuple({(v.rule, v.blame or v.reason): v for v in reversed(walk.faults)}.values())[::-1],
        cost=math.fsum(walk.costs),
        allowance=limit,
        tests=route.tests,
        entered=tuple(Entry(s.enemy.id, s.place, s.first) for s in within if not s.from_start),
        stuck=tuple(s.enemy.id for s in within if s.from_start),
        clearance=clearance(replace(walk.scene, crowd=None), walk.tracks),
        stops=outcomes(walk.scene, route, walk.costs),
        route=route,
    )


def _box(route: Route) -> Box:
    boxes = [of_leg(leg).box for leg in route.legs]
    return (
        min(b[0] for b in boxes),
        min(b[1] for b in boxes),
        max(b[2] for b in boxes),
        max(b[3] for b in boxes),
    )


def _starting_spot(scene: Scene, route: Route) -> Spot:
    """Return where the mover starts: a reinforcement starts where its route does."""
    if scene.model.id in scene.table.off and route.legs:
        return route.legs[0].start
    return scene.model.at


def _may_move(scene: Scene, route: Route) -> list[Violation]:
    """Return the reasons why a model may not move at all (MOV.6)."""
    model = scene.model
    if not route.legs:
        return []
    found = []
    if model.engaged:
        reason = f"it is engaged with {', '.join(sorted(model.engaged))}"
        found.append(Violation("MOV.6", reason, model.at, min(model.engaged)))
    if model.moved:
        found.append(Violation("MOV.6", "it has already moved this phase", model.at))
    if not model.may_move:
        found.append(Violation("MOV.6", "an effect keeps it from moving", model.at))
    return found


def _may_charge(scene: Scene, charging: Sequence[str]) -> list[Violation]:
    """Return the targets that may not be charged (CHG.1)."""
    found = []
    for name in charging:
        target = scene.table.model(name)
        if name in scene.table.off:
            found.append(Violation("CHG.1", f"{name} is not on the table", None, name))
        elif not target.is_enemy(scene.model):
            found.append(Violation("CHG.1", f"{name} is no enemy", target.at, name))
        elif scene.table.rulings["charge_a_climber"] == "no" and target.climbed > scene.height / 2 + ROUNDING:
            found.append(Violation("CHG.1", f"{name} hangs {target.climbed:g} in up a face", target.at, name))
    return found


def _enters(walk: Walk, charging: Sequence[str]) -> list[Violation]:
    """Check that a reinforcement comes on from an edge, and does not charge (REINF.1)."""
    found = []
    table, (x, y) = walk.scene.table, walk.spot
    depth = -walk.scene.radius if table.rulings["edge_entry"] == "outside" else 0.0
    rooms = {"left": x, "right": table.width - x, "lower": y, "upper": table.depth - y}
    walk.outside = frozenset(name for name, room in rooms.items() if abs(room - depth) <= TOUCH)
    if not walk.outside:
        found.append(Violation("REINF.1", "it does not come on from an edge of the table", walk.spot))
    if charging:
        found.append(Violation("REINF.1", "a reinforcement may not charge in the phase it comes on", walk.spot))
    return found


def _judge_leg(walk: Walk, leg: Leg, index: int, *, last: bool) -> None:
    """Judge one leg and move the mover to its end."""
    if leg.kind not in LEG_KINDS:
        raise QuestionError(f"leg {index}: {leg.kind!r} is no kind of leg; there are {', '.join(LEG_KINDS)}")
    curve = of_leg(leg)
    walk.faults += _continues(walk, leg) + named_test(leg, hangs=hangs_on(walk.scene, walk.climbed))
    prone = walk.posture.prone
    walk.faults += walk.posture.judged(walk.scene, leg)
    cost, most, slack = _cost(walk, leg, curve)
    if not cost - slack <= leg.cost <= most + slack:
        reason = f"leg {index} ({leg.kind}) costs {cost:.9g} inches, not {leg.cost:.9g}"
        walk.faults.append(Violation("MOV.3", reason, leg.start))
    walk.costs.append(cost)
    if leg.kind == "crawl" or (prone and leg.kind in {"up", "down"}):
        walk.free += cost
    walk.faults += _legs_own_rules(walk, leg, last=last)
    over_a_wall = leg.kind == "climb" and leg.surface == walk.surface  # it ends on the wall, not above the ground
    if leg.test is not None and not last and not over_a_wall:
        walk.faults += ends_atop(walk.scene, leg.end, leg.surface, "a 2 to 5 would end the move")
    surfaces = frozenset({walk.surface, leg.surface}) if leg.kind in CHANGES else frozenset({walk.surface})
    over = _passed_over(walk, leg)
    track = Track(curve, walk.offset, surfaces, index, over)
    walk.faults += overlapped(walk.scene, track)
    # Obstacles under a leap between levels are judged by height, but other gaps are judged here.
    walk.faults += barred(walk.scene, track, gaps=leg.kind == "leap" and leg.surface != walk.surface)
    walk.faults += _on_the_table(walk, curve)
    if leg.surface is not None and leg.surface != walk.surface:
        walk.faults += off_top(walk.scene, segment(leg.end, leg.end), leg.surface)
    if walk.surface is not None and leg.surface == walk.surface and leg.kind != "leap":
        walk.faults += off_top(walk.scene, curve, walk.surface)
    walk.tracks.append(track)
    walk.offset += curve.length
    walk.spot, walk.surface = leg.end, leg.surface


def _continues(walk: Walk, leg: Leg) -> list[Violation]:
    """Check that a leg starts where the one before ended, and that an arc ends where it says (MOV.3)."""
    found = []
    first = not walk.tracks
    if math.dist(leg.start, walk.spot) > (TOUCH if first else ROUNDING):
        what = (
            "the path does not start where the model stands"
            if first
            else "the path is broken off and taken up elsewhere"
        )
        found.append(Violation("MOV.3", what, leg.start))
    if leg.kind == "arc" or (leg.kind == "crawl" and leg.center is not None):
        if leg.center is None or leg.radius <= 0 or leg.sweep == 0:
            raise QuestionError("an arc needs a centre, a radius above 0 and a sweep other than 0")
        angle = math.atan2(leg.start[1] - leg.center[1], leg.start[0] - leg.center[0]) + leg.sweep
        end = (leg.center[0] + leg.radius * math.cos(angle), leg.center[1] + leg.radius * math.sin(angle))
        off = abs(math.dist(leg.start, leg.center) - leg.radius)
        if max(off, math.dist(end, leg.end)) > ROUNDING:
            found.append(Violation("MOV.3", "an arc does not lead from its start to its end", leg.start))
    if leg.kind not in CHANGES and leg.surface != walk.surface:
        where = "the ground" if leg.surface is None else leg.surface
        found.append(Violation("MOV.3", f"a leg of kind {leg.kind!r} does not lead onto {where}", leg.start))
    return found


def _cost(walk: Walk, leg: Leg, curve: Curve) -> tuple[float, float, float]:
    """Return the cost of a leg, the most that it may be counted as, and the rounding allowed, inches."""
    if leg.kind in ("stand", "lie"):
        half = walk.scene.move / 2
        return half, half, ROUNDING
    if leg.kind in ("climb", "descend"):
        cost = 2 * abs(leg.rise) + on_top(walk.scene, leg, walk.surface)
        return cost, cost, ROUNDING
    if leg.kind == "ladder":
        return abs(leg.rise), abs(leg.rise), ROUNDING
    if leg.kind == "crawl":
        return curve.length, curve.length, ROUNDING
    if walk.posture.prone and leg.kind in {"up", "down"}:
        return curve.length, curve.length, ROUNDING
    on = {walk.surface, leg.surface} if leg.kind in CHANGES else {walk.surface}
    weighed = weigh(walk.scene, curve, on)
    return weighed.cost, weighed.most, DOUBLED_ROUNDING if weighed.doubled else ROUNDING


def _passed_over(walk: Walk, leg: Leg) -> str:
    """Return the id of the piece or model that a leg passes over by a test, or up or down a side."""
    if leg.test is not None and leg.kind in CHANGES:
        return leg.test.over
    if leg.kind == "climb":
        return climbed_face(walk.scene, leg, walk.surface)
    if leg.kind in ("up", "ladder") and leg.surface is not None:
        return leg.surface
    if leg.kind in ("down", "ladder") and walk.surface is not None:
        return walk.surface
    return ""


def _legs_own_rules(walk: Walk, leg: Leg, *, last: bool) -> list[Violation]:
    """Judge a leg by the rules of its kind."""
    scene, surface, done = walk.scene, walk.surface, walk.climbed
    found: list[Violation] = []
    if done > 0 and leg.kind not in ("climb", "descend", "ladder", "down"):
        found.append(Violation("CLB.4", "it hangs on a face, and can only climb on or come down", leg.start))
    if leg.test is not None and level_of(scene.table, leg.test.over) is None:
        reason = f"{leg.test.over} lies open and is on a level with the ground: there is nothing to cross"
        found.append(Violation(leg.test.rule or "LEAP.1", reason, leg.start, leg.test.over))
    elif leg.kind == "jump":
        found += jump(scene, leg, surface)
    elif leg.kind == "leap":
        found += leap(scene, leg, surface)
        if not stands_inside(scene, of_leg(leg), leg.surface):
            found.append(
                Violation("LEAP.1", "the base does not stand fully on the far side", leg.end, leg.surface or "")
            )
    elif leg.kind == "up":
        found += stepped_up(scene, leg, surface)
    elif leg.kind == "down" and done > 0:
        found += let_down(scene, leg, surface, done)
        walk.climbed = 0.0
    elif leg.kind == "down":
        found += stepped_down(scene, leg, surface)
    elif leg.kind == "climb":
        found += climb(scene, leg, surface, done, last=last)
        walk.climbed = 0.0 if leg.surface != surface or _climbed_over(walk, leg) else done + leg.rise
    elif leg.kind == "descend":
        walk.climbed = left_below(scene, leg, surface, done)
        hangs = walk.hanging and last and walk.climbed > 0
        found += descend(scene, leg, surface, 0.0 if hangs else walk.climbed, walk.climbed - leg.rise)
    elif leg.kind == "ladder":
        found += ladder(scene, leg, surface, done, last=last, hanging=walk.hanging and last)
        walk.climbed = 0.0
    return found


def _climbed_over(walk: Walk, leg: Leg) -> bool:
    """Say whether a climb also brings the mover down on the far side, as ruled (``climb_over``)."""
    return leg.start != leg.end and walk.scene.table.rulings["climb_over"] == "over"


def _on_the_table(walk: Walk, curve: Curve) -> list[Violation]:
    """Check the table's edges (MOV.5); a reinforcement may still be crossing the edge from which it comes."""
    if walk.outside:
        found = beyond_edge(walk.scene, curve, walk.outside)
        end = Curve(curve.end, curve.end, 0.0)
        if not beyond_edge(walk.scene, end):
            walk.outside = frozenset()
        return found
    return beyond_edge(walk.scene, curve)


def _fits(scene: Scene, route: Route, walk: Walk, limit: float) -> list[Violation]:
    """Check that the cost is within the allowance (MOV.3), in which a crawl does not count (PRN.2)."""
    used = math.fsum(walk.costs) - walk.free
    if not route.legs or used <= limit + FITS:
        return []
    final, before = route.legs[-1], used - walk.costs[-1]
    rulings = scene.table.rulings
    if final.kind == "jump" and rulings["jump_without_movement"] == "yes" and before <= limit + FITS:
        return []
    far_enough = walk.costs[-1] <= limit + FITS and before <= limit + FITS
    if final.kind == "leap" and rulings["leap_needs"] == "maximum" and far_enough:
        return []
    rule = "LEAP.1" if final.kind == "leap" and before <= limit + FITS else "MOV.3"
    return [Violation(rule, f"it needs {used:.9g} inches and has {limit:.9g}", final.end)]


def _ends(walk: Walk, route: Route, charging: Sequence[str], *, contact: bool) -> list[Violation]:
    """Judge where and how the move ends (TER.3, MOV.5, CHG.1, PRN.3)."""
    if not route.legs and not charging:
        return []
    scene, last = walk.scene, route.legs[-1] if route.legs else None
    found = []
    if last is not None and last.end != scene.model.at:
        found += ends_atop(scene, walk.spot, walk.surface)
    found += beyond_edge(scene, Curve(walk.spot, walk.spot, 0.0)) if walk.outside else []
    if walk.climbed > 0 and last is not None and last.kind == "climb" and last.start != last.end:
        found.append(Violation("CLB.1", "the move ends on top of a wall that cannot be stood on", walk.spot))
    if charging and (walk.posture.prone or walk.posture.crawled):
        found.append(Violation("PRN.3", "a prone model may not charge", walk.spot))
    jumped = last.test.over if last is not None and last.test is not None else ""
    if charging and contact:
        found += contact_faults(scene, walk.spot, walk.surface, charging)
        if jumped in charging:
            found.append(Violation("PRN.5", f"beside {jumped}, whom it jumps, it is set down apart", walk.spot, jumped))
    elif last is not None and not charging:
        found += strays_into_contact(scene, walk.spot, walk.surface, jumped)
    return found
