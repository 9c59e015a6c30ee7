"""A dragged model: whether it may end at the pointer, its way there, and the nearest place where it could end."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely

from sbg_sim import report
from sbg_sim.phase.legality import judge
from sbg_sim.solver.answer import ask
from sbg_sim.table.joining import joined
from sbg_sim.table.levels import elevation, is_level
from sbg_sim.table.placement import placement_faults
from sbg_sim.table.questions import Charge, Move
from sbg_sim.table.record import MoveRecord
from sbg_sim.tolerance import SNAP, TOUCH
from sbg_sim.web.drawing import route_paths

if TYPE_CHECKING:
    from collections.abc import Callable

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.field.cost_field import CostField
    from sbg_sim.solver.reach_areas import Reach
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.route import Route

NEAR: Final = 0.3
"""Distance at which a model snaps to base contact, to the rim of a zone or to the end of its reach, inches."""

_INWARD: Final = (0.0, 5e-4, 2e-3, 1e-2)  # inches by which a place on an outline is moved inwards until it is legal
_BY_HAND: Final = 0.1  # radians of an arc for each line of its polyline
_FAR: Final = "far"


def held(
    reach: Reach,
    pointer: Point,
    *,
    snap: bool,
    settled: bool,
    contact: Callable[[str], CostField | None] = lambda _: None,
) -> dict[str, Any]:
    """Judge a model dragged over the table.

    Parameters
    ----------
    reach
        The reach of the model from its place.
    pointer
        The place of the centre of its base during the drag, inches.
    snap
        Whether it may snap to base contact, out of a zone, or to the end of its reach.
    settled
        Whether the pointer rests; only then is the nearest legal place verified.
    contact
        Returns the costs of ending in contact with an enemy, so that the pointer can choose the place.

    Returns
    -------
    Plain data: the place, its verdict, the way there as path data, and the nearest legal place if it is not legal.

    """
    at, refused = _rounded(pointer), None
    for surface in surfaces_at(reach.table, reach.mover, at):
        told = _held_over(reach, at, surface, pointer, contact, snap=snap, settled=settled)
        if told["verdict"]["answer"] != "no":
            return told
        refused = refused or told
    assert refused is not None
    return refused


def _held_over(
    reach: Reach,
    at: Point,
    surface: str | None,
    pointer: Point,
    contact: Callable[[str], CostField | None],
    *,
    snap: bool,
    settled: bool,
) -> dict[str, Any]:
    """Judge a model dragged over one level at a place."""
    table, mover = reach.table, reach.mover
    targets = _touched(table, mover, at, surface, NEAR if snap else TOUCH)
    if targets:
        verdict = ask(table, Charge(mover.id, targets if len(targets) > 1 else targets[0]), alternatives=False)
        if verdict.answer == "yes" and len(targets) == 1:
            chosen = _chosen(reach, targets[0], pointer, contact(targets[0]))
            if chosen is not None:
                return _answer(reach, verdict, chosen.legs[-1].end, surface, "contact", targets, pointer) | {
                    "way": route_paths(chosen, math.inf)[0],
                    "path": _polyline(chosen),
                    "here": round(chosen.cost, SNAP),
                }
        return _answer(reach, verdict, _end(verdict) or at, surface, "contact", targets, pointer)
    verdict = ask(table, Move(mover.id, at, surface), alternatives=False)
    if verdict.answer != "no":
        return _answer(reach, verdict, at, surface, "", (), pointer)
    nearest = legal_near(reach, pointer, sure=settled or snap)
    if snap and nearest is not None and math.dist(nearest, pointer) <= NEAR:
        there = ask(table, Move(mover.id, nearest, mover.on), alternatives=False)
        if there.answer != "no":
            return _answer(reach, there, nearest, mover.on, _what(table, mover, nearest), (), pointer)
    told = _answer(reach, verdict, at, surface, "", (), pointer)
    return {**told, "nearest": None if nearest is None else list(nearest)}


def _answer(
    reach: Reach,
    verdict: Verdict,
    at: Point,
    on: str | None,
    snap: str,
    targets: tuple[str, ...],
    pointer: Point,
) -> dict[str, Any]:
    nearest = None
    if verdict.answer == "no" and targets:
        nearest = legal_near(reach, pointer, sure=True)
    return {
        "model": reach.model,
        "pointer": list(pointer),
        "at": list(at),
        "on": on,
        "snap": snap,
        "targets": list(targets),
        "nearest": None if nearest is None else list(nearest),
        **drawn(verdict),
    }


def drawn(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as plain data, with its way as path data instead of points."""
    allowed = verdict.allowance if verdict.allowance is not None else math.inf
    shown = verdict.play or verdict.route
    way, beyond = ("", "") if shown is None else route_paths(shown, allowed)
    data = report.as_json(verdict)
    data.pop("path", None)
    data.pop("legs", None)
    return {
        "verdict": data,
        "violations": [
            {"rule": v.rule, "reason": v.reason, "place": v.place and list(v.place), "blame": v.blame}
            for v in verdict.violations
        ],
        "way": way,
        "beyond": beyond,
        "fails": [list(t.at) for t in (() if shown is None else shown.tests)],
    }


def surfaces_at(table: Table, mover: Model, at: Point) -> tuple[str | None, ...]:
    """Return the levels on which the base could stand at a place, the highest first; None is the ground.

    If it could stand on none of them, only the highest is returned.
    """
    table = joined(table)
    least = -mover.radius if table.rulings["stand_on"] == "whole" else 0.0
    shapes = ((p.id, p.shape) for p in table.terrain.values() if is_level(p))
    found = [None, *(name for name, shape in shapes if shape is not None and shape.depth([at])[0] <= least + TOUCH)]
    found.sort(key=lambda level: -elevation(table, level))
    if len(found) == 1:
        return (None,)
    fits = [level for level in found if not placing_faults(table, replace(mover, at=at, on=level))]
    return tuple(fits or found[:1])


def placing_faults(table: Table, model: Model) -> list[str]:
    """Return the faults of a model's place on a table, as sentences."""
    there = table.with_model(replace(model, engaged=frozenset()))
    faults = placement_faults(there, there.terrain, about=model.id)
    return [reason for key, reason in faults if key[1] == model.id or f"`{model.id}`" in reason]


def _touched(table: Table, mover: Model, at: Point, on: str | None, near: float) -> tuple[str, ...]:
    """Return the enemies within ``near`` inches of the dragged base, at most two, the nearest first."""
    found = []
    for enemy in table.standing():
        apart = math.dist(at, enemy.at) - enemy.radius - mover.radius
        if mover.is_enemy(enemy) and apart <= near and enemy.on == on:
            found.append((apart, enemy.id))
    return tuple(name for _, name in sorted(found)[:2])


def _chosen(reach: Reach, target: str, pointer: Point, costs: CostField | None) -> Route | None:
    """Return the way into contact with an enemy at the side of the pointer; None if none is certain there."""
    table, mover, enemy = reach.table, reach.mover, reach.table.model(target)
    away = math.dist(pointer, enemy.at)
    if costs is None or mover.prone or mover.climbed or away < TOUCH:
        return None
    scale = (enemy.radius + mover.radius) / away
    at = tuple(c + (p - c) * scale for p, c in zip(pointer, enemy.at, strict=True))
    place = (at[0], at[1])
    if not costs.net.spaces[costs.space].may_end(np.array([place]))[0]:
        return None
    route = costs.route(place)
    if route is None or not route.legs or any(not leg.walked for leg in route.legs):
        return None
    drawn = MoveRecord(mover.id, charge=(target,), path=tuple((x, y) for x, y in _polyline(route)))
    return None if judge(table, drawn).violations else route


def _polyline(route: Route) -> list[list[float]]:
    """Return a way as a polyline, with arcs as tangents on their outer side, so that no corner is cut."""
    found = [[float(c) for c in route.legs[0].start]]
    for leg in route.legs:
        if leg.center is not None:
            count = max(1, math.ceil(abs(leg.sweep) / _BY_HAND))
            step = leg.sweep / count
            first = math.atan2(leg.start[1] - leg.center[1], leg.start[0] - leg.center[0])
            far = leg.radius / math.cos(step / 2)
            angles = (first + (k + 0.5) * step for k in range(count))
            found += [[leg.center[0] + far * math.cos(a), leg.center[1] + far * math.sin(a)] for a in angles]
        found.append([float(leg.end[0]), float(leg.end[1])])
    return found


def _end(verdict: Verdict) -> Point | None:
    """Return the end of the way of a charge, or None if it cannot succeed."""
    if verdict.answer == "no" or verdict.play is None or not verdict.play.legs:
        return None
    return _rounded(verdict.play.legs[-1].end)


def legal_near(reach: Reach, pointer: Point, *, sure: bool) -> Point | None:
    """Return the nearest place on the model's surface where it can certainly end; None if there is none.

    With ``sure`` the place is judged, and moved inwards by the error of the outline's chords if need be; without it has
    that error.
    """
    line = shapely.get_coordinates(shapely.shortest_line(reach.area, shapely.Point(pointer)))
    edge = (float(line[0][0]), float(line[0][1]))
    if not sure:
        return _rounded(edge)
    away = math.dist(edge, pointer)
    ux, uy = ((edge[0] - pointer[0]) / away, (edge[1] - pointer[1]) / away) if away > TOUCH else (0.0, 0.0)
    for inward in _INWARD:
        place = _exact(reach.table, reach.mover, _rounded((edge[0] + ux * inward, edge[1] + uy * inward)))
        verdict = ask(reach.table, Move(reach.model, place, reach.surface), alternatives=False)
        if verdict.answer == "yes":
            return place
    return _rounded(reach.mover.at) if not reach.blocked else None


def _exact(table: Table, mover: Model, place: Point) -> Point:
    """Return a place moved onto the rim of a zone if it is very near to one (CZ.1: the rim may be touched)."""
    for enemy, rim in _rims(table, mover):
        apart = math.dist(place, enemy.at)
        if 0 < abs(apart - rim) <= 2e-3:
            scale = rim / apart
            at = enemy.at
            return _rounded((at[0] + (place[0] - at[0]) * scale, at[1] + (place[1] - at[1]) * scale))
    return place


def _rims(table: Table, mover: Model) -> list[tuple[Model, float]]:
    from sbg_sim.rules.zones import zones

    return [(table.model(z.id), z.radius) for z in zones(table, mover) if not z.stuck]


def _what(table: Table, mover: Model, place: Point) -> str:
    """Return the kind of thing to which a model has snapped."""
    at_zone = any(abs(math.dist(place, enemy.at) - rim) <= 4e-3 for enemy, rim in _rims(table, mover))
    return "zone" if at_zone else _FAR


def _rounded(place: Point) -> Point:
    return round(float(place[0]), SNAP), round(float(place[1]), SNAP)
