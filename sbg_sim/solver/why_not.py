"""Explains a no: what closes a place or a way, with the rule, the place and the blame."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.arrays import distances, point
from sbg_sim.geometry.regions import Region, disc_region
from sbg_sim.rules.passages import passages
from sbg_sim.rules.results import coming_down
from sbg_sim.solver.path.best_path import options
from sbg_sim.solver.path.closed import closed_off, crowded_out
from sbg_sim.solver.path.options import Search
from sbg_sim.solver.space.surroundings import Goal, make_surroundings
from sbg_sim.solver.space.transitions import led_to
from sbg_sim.table.board import allowance, horizon_of
from sbg_sim.table.levels import is_level
from sbg_sim.table.route import Leg, Route
from sbg_sim.table.violation import Violation
from sbg_sim.tolerance import ROUNDING, STEP_RIM, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sbg_sim.arrays import Bools, Floats
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.rules.passages import Passage
    from sbg_sim.rules.zones import Zone
    from sbg_sim.solver.space.configuration_space import Space
    from sbg_sim.solver.space.surroundings import Surroundings
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model

_STEP: Final = 0.02  # inches between the places of a way that are tested
_PARTS: Final = 300  # parts of such a step, tested together: three rounds come down to rounding
_LITTLE_LONGER: Final = 1.05  # times the straight distance: so narrow an ellipse is soon searched


def ends_badly(table: Table, mover: Model, to: Point, on: str | None) -> list[Violation]:
    """Return the reasons why a model may not end at a place, whatever its route."""
    # A wide margin: exact tests follow below.
    near = disc_region(to, 0.0, 2 * mover.radius)
    surroundings = make_surroundings(table, mover, region=near, surface=on, dice=False)
    i = surroundings.index(on)
    if i is None:
        return [Violation("MOV.5", f"{on} is no surface to stand on", to)]
    found = _unfit(surroundings.spaces[i], to)
    found += [_trespass(zone, to) for zone in surroundings.spaces[i].zones if zone.bars(np.array(to))]
    for name, shape in surroundings.spaces[i].ground.low:
        on_it = float(shape.distance(np.array([to]))[0]) < mover.radius - TOUCH
        if on_it and table.rulings["end_on_low_obstacle"] == "no":
            found.append(Violation("TER.3", f"a move may not end on top of {name}", to, name))
    return found


def _unfit(space: Space, to: Point) -> list[Violation]:
    """Return the blocks that a base at a place would overlap, and the level if it would stick out (MOV.4, MOV.5)."""
    p = np.array([to], dtype=float)
    found = []
    if not bool(space.in_bounds(p)[0]):
        where = "the table" if space.surface is None else space.surface
        found.append(Violation("MOV.5", f"the base would not be wholly on {where}", to))
    for block in space.blocks:
        reach = STEP_RIM if block.step else space.radius
        if float(block.shape.depth(p)[0]) < reach - TOUCH:
            reason = f"the base would overlap {block.reason or block.id}"
            found.append(Violation(block.rule, reason, to, block.id))
    return found


def _trespass(zone: Zone, to: Point) -> Violation:
    """Return the violation of a move that ends inside a zone."""
    if zone.stuck or zone.reopened:
        return Violation("CZ.4", f"the place is closer to {zone.id} than the start of the move", to, zone.id)
    return Violation("CZ.1", f"the place lies in the Control Zone of {zone.id}", to, zone.id)


# -- no way --------------------------------------------------------------------------------------------------


def why_no_way(table: Table, mover: Model, goal: Goal, targets: tuple[str, ...] = ()) -> list[Violation]:
    """Return what closes every way to a goal: zones, bases or terrain, without which there would be a way.

    For a goal beyond the horizon it is enough that the goal would not be plainly closed off; only ways little longer
    than the straight one are searched for an obstacle to name.

    Parameters
    ----------
    table, mover
        The table and the mover.
    goal
        Where the mover is to end.
    targets
        The charged enemies.

    """
    shut = (
        _too_narrow(table, mover, goal)
        or _no_way_up_or_down(table, mover, goal.surface)
        or _cannot_come_down(table, mover)
    )
    if shut:
        return shut
    enemies = frozenset(m.id for m in table.models.values() if mover.is_enemy(m))
    alone = replace(table, models=type(table.models)({mover.id: mover}))
    nobody: frozenset[str] = frozenset()
    trials = [
        ("CZ.1", "Control Zones close", table, enemies),
        ("MOV.4", "bases close", alone, nobody),
        ("TER.5", "terrain closes", _levelled(table), frozenset(targets)),
    ]
    limit, standing, apart = allowance(mover), replace(mover, prone=False), goal.apart(mover.at)
    horizon = horizon_of(table, limit)
    beyond = apart > horizon
    most = _LITTLE_LONGER * apart if beyond else max(horizon, 2 * apart)
    for rule, closing, other, without in trials:
        search = Search(other, standing, None, goal, limit, dice=True, horizon=most, without=without)
        if beyond and closed_off(search):
            continue
        ways = options(search)
        if not ways.found and (beyond or math.isfinite(ways.beyond)):
            return [Violation(rule, f"{closing} every way", mover.at)]
        if found := ways.found:
            best = min(found, key=lambda o: o.cost)
            first = why_not_along(table, mover, best.route, targets)
            if first is None:
                return [Violation(rule, f"{closing} every way", mover.at)]
            return [replace(first, reason=f"{closing} every way; the shortest is barred: {first.reason}")]
    return [Violation("MOV.4", "bases, zones and terrain together close every way", mover.at)]


def why_no_contact(table: Table, mover: Model, targets: list[Model], level: str | None) -> list[Violation]:
    """Return what closes every way into contact with all targets on a level."""
    goal = Goal(level, contact=_circles(mover, targets))
    return why_no_way(table, mover, goal, tuple(t.id for t in targets))


def why_not_together(mover: Model, targets: list[Model]) -> list[Violation]:
    """Return why no place is in contact with all targets, wherever the mover stands; nothing if one is (CHG.6)."""
    for one, two in combinations(targets, 2):
        if not _both_touched(mover, one, two):
            between = ((one.at[0] + two.at[0]) / 2, (one.at[1] + two.at[1]) / 2)
            reason = f"a base of {mover.base:g} in cannot touch {one.id} and {two.id} at once"
            return [Violation("CHG.6", reason, between, two.id)]
    if len(targets) > 2 and not _common_place(_circles(mover, targets)):
        names = ", ".join(t.id for t in targets)
        return [Violation("CHG.6", f"no place touches all of {names}", targets[-1].at, targets[-1].id)]
    return []


def _circles(mover: Model, targets: list[Model]) -> tuple[tuple[float, float, float], ...]:
    return tuple((*t.at, t.radius + mover.radius) for t in targets)


def _both_touched(mover: Model, one: Model, two: Model) -> bool:
    apart = math.dist(one.at, two.at)
    near = abs(one.radius - two.radius) - TOUCH
    return near <= apart <= one.radius + two.radius + 2 * mover.radius + TOUCH


def _common_place(circles: tuple[tuple[float, float, float], ...]) -> bool:
    """Say whether contact circles have a point in common."""
    (ax, ay, a), (bx, by, b) = circles[:2]
    apart = math.dist((ax, ay), (bx, by))
    along = (apart**2 + a * a - b * b) / (2 * apart)
    off = math.sqrt(max(0.0, a * a - along * along))
    ux, uy = (bx - ax) / apart, (by - ay) / apart
    spots = [(ax + along * ux - s * uy, ay + along * uy + s * ux) for s in (off, -off)]
    return any(all(abs(math.dist(p, c[:2]) - c[2]) <= TOUCH for c in circles[2:]) for p in spots)


def _too_narrow(table: Table, mover: Model, goal: Goal) -> list[Violation]:
    """Return a violation if a surface has no room for the base, or none in contact with the targets (MOV.5)."""
    whom = crowded_out(table, mover, goal)
    if whom is None:
        return []
    reason = f"{goal.surface} has no room for a base of {mover.base:.6g} in to stand wholly on it{whom}"
    return [Violation("MOV.5", reason, mover.at, str(goal.surface))]


def _no_way_up_or_down(table: Table, mover: Model, surface: str | None) -> list[Violation]:
    """Return why no way leads to a level, whoever stands there: the mover rides, a face is sheer, or there is none."""
    levels: list[str | None] = [None, *(p.id for p in table.terrain.values() if is_level(p))]
    climber = replace(mover, keywords=mover.keywords - {"cavalry"})
    rough = {name: replace(p, tags=p.tags - {"unscalable"}) for name, p in table.terrain.items()}
    scaled = replace(table, terrain=type(table.terrain)(rough))
    reached = _led_to(passages(table, mover, levels), mover.on)
    if surface in reached:
        return []
    for rule, template, other, who in (
        ("CLB.3", "cavalry may not climb {}", table, climber),
        ("TER.5", "{} cannot be scaled", scaled, climber),
    ):
        ways = list(passages(other, who, levels))
        if surface in _led_to(ways, mover.on):
            over = [w for w in ways if w.source in reached and w.way.to not in reached]
            leading = [w for w in over if surface in _led_to(ways, w.way.to)]
            first = min(leading, key=lambda w: w.source != mover.on)
            reason = f"{template.format(first.block)}, and no other way leads to {surface or 'the ground'}"
            return [Violation(rule, reason, mover.at, first.block)]
    reason = f"no way leads from {mover.on or 'the ground'} to {surface or 'the ground'}"
    return [Violation("TER.5", reason, mover.at, surface or mover.on or "")]


def _cannot_come_down(table: Table, mover: Model) -> list[Violation]:
    """Return why a mover that hangs on a face cannot come down: it rides, or the face is sheer (CLB.3, TER.5)."""
    if not mover.climbed or coming_down(table, mover) is not None:
        return []
    hangs = f"{mover.id} hangs {mover.climbed:g} in up a face"
    if "cavalry" in mover.keywords:
        return [Violation("CLB.3", f"{hangs}, and cavalry may not climb down", mover.at)]
    return [Violation("TER.5", f"{hangs} that cannot be scaled", mover.at)]


def _led_to(ways: Iterable[Passage], start: str | None) -> set[str | None]:
    """Return the levels that can be reached from ``start`` over ways, ``start`` included."""
    return led_to(((way.source, way.way.to) for way in ways), start)


def _levelled(table: Table) -> Table:
    """Return the table without terrain; levels stay as places without height."""
    flat = {
        piece.id: replace(piece, tags=frozenset({"platform"}), height=0.0, depth=None, on=None)
        for piece in table.terrain.values()
        if is_level(piece)
    }
    return replace(table, terrain=type(table.terrain)(flat))


def why_not_along(table: Table, mover: Model, route: Route, targets: tuple[str, ...]) -> Violation | None:
    """Return the first obstacle on a route, with the place; None if there is none."""
    points = [p for leg in route.legs for p in (leg.start, leg.end, *leg.points())]
    far = max((math.dist(mover.at, p) for p in points), default=0.0)
    return _first_trouble(route, targets, make_surroundings(table, mover, reach=far + TOUCH))


def why_not_straight(table: Table, mover: Model, to: Point, targets: tuple[str, ...]) -> Violation | None:
    """Return the first obstacle on the straight way to a place; None if there is none."""
    near = Region(mover.at, to, math.dist(mover.at, to), mover.radius)
    surroundings = make_surroundings(table, mover, region=near, dice=False, over=False)
    return _first_trouble(Route((Leg("straight", mover.at, to, 0.0, mover.on),)), targets, surroundings)


def _first_trouble(route: Route, targets: tuple[str, ...], surroundings: Surroundings) -> Violation | None:
    """Return the first obstacle among given surroundings on a route that was found without them."""
    bound = False
    for leg in route.legs:
        i = surroundings.index(leg.surface)
        space = surroundings.spaces[i if i is not None else 0]
        if not leg.walked:
            continue
        places = along(leg)
        inside = np.logical_or.accumulate([bound, *_in_zones(space, places[:-1], targets)])
        for k in np.flatnonzero(_closed_at(space, places, targets, inside)[1:]).tolist():
            if _barred(space, point(places[k + 1]), targets, bound=inside[k + 1]) is not None:
                return _barred_between(space, places[k], places[k + 1], targets, bound=inside[k + 1])
        bound = bool(inside[-1])
    return None


def along(leg: Leg) -> Floats:
    """Return places ``(n, 2)`` along a straight or an arc, at most ``_STEP`` apart, both ends included."""
    if leg.kind != "straight":
        return np.array(leg.points(_STEP), dtype=float)
    count = max(1, math.ceil(leg.length / _STEP))
    shares = np.linspace(0.0, 1.0, count + 1)[:, None]
    return np.asarray((1 - shares) * leg.start + shares * leg.end)


def _in_zones(space: Space, places: Floats, targets: tuple[str, ...]) -> Bools:
    """Say which places ``(n, 2)`` lie in the zone of a target."""
    found = np.zeros(len(places), dtype=bool)
    for zone in space.zones:
        if zone.id in targets:
            found |= zone.reaches(places)
    return found


def _closed_at(space: Space, places: Floats, targets: tuple[str, ...], bound: Bools) -> Bools:
    """Say at which places ``(n, 2)`` a mover, bound or free, may not be: :func:`_barred` for many places."""
    barring = np.array([(*zone.at, zone.bar) for zone in space.zones if zone.id not in targets]).reshape(-1, 3)
    in_zones = (distances(places, barring[:, :2]) < barring[:, 2] - TOUCH).any(axis=1)
    return np.asarray(~space.passable(places) | (in_zones & ~bound))


def _barred(space: Space, spot: Point, targets: tuple[str, ...], *, bound: bool) -> Violation | None:
    """Return what keeps a mover from a place; zones do so only while it is not bound to a target (CHG.5)."""
    for wrong in _unfit(space, spot):
        return wrong
    for zone in () if bound else space.zones:
        if zone.bars(np.array(spot)) and zone.id not in targets:
            if zone.stuck or zone.reopened:
                return Violation("CZ.4", f"it would come closer to {zone.id}", spot, zone.id)
            if targets:
                return Violation("CHG.3", f"the zone of {zone.id} would be entered first", spot, zone.id)
            return Violation("CZ.1", f"it would enter the zone of {zone.id}", spot, zone.id)
    return None


def _barred_between(
    space: Space, good: Floats, bad: Floats, targets: tuple[str, ...], *, bound: bool
) -> Violation | None:
    """Divide the step from an open place to a closed one, and return what closes it at the first rim."""
    while math.dist(good, bad) >= ROUNDING:
        places = np.linspace(good, bad, _PARTS + 1)
        closed = _closed_at(space, places[1:-1], targets, np.array([bound]))
        k = int(np.argmax(np.append(closed, True)))
        good, bad = places[k], places[k + 1]
    return _barred(space, point(bad), targets, bound=bound)
