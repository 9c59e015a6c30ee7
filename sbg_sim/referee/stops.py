"""The stops of a route: where each result of a test, or given dice, ends it (JMP.1, LEAP.2, CLB.2, PRN.5)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sbg_sim.errors import QuestionError
from sbg_sim.referee.findings import Stop
from sbg_sim.referee.outline import signed_gap
from sbg_sim.tolerance import APART, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.referee.curves import Spot
    from sbg_sim.referee.scene import Scene
    from sbg_sim.table.route import Leg, Route


def outcomes(scene: Scene, route: Route, costs: Sequence[float]) -> tuple[Stop, ...]:
    """Return the stops of a route: each test failed, each passed with 2 to 5, and the end after sixes alone."""
    found: list[Stop] = []
    before: tuple[str, ...] = ()
    for index, leg in enumerate(route.legs):
        if leg.test is None:
            continue
        found.append(_failed(scene, route, index, costs, (*before, "1")))
        put = _kept_apart(scene, leg)
        if index == len(route.legs) - 1 and put is None:
            before = (*before, "2-6")
        else:
            spent = math.fsum(costs[: index + 1])
            found.append(Stop((*before, "2-5"), put or leg.end, leg.surface, index + 1, spent))
            before = (*before, "6")
    if route.legs:
        last = route.legs[-1]
        prone = _prone_at_end(scene, route.legs)
        found.append(Stop(before, last.end, last.surface, len(route.legs), math.fsum(costs), prone))
    else:
        found.append(Stop((), scene.model.at, scene.model.on, 0, 0.0, scene.model.prone))
    return tuple(found)


def reached(scene: Scene, route: Route, costs: Sequence[float], rolls: Sequence[int]) -> Stop:
    """Return the stop at which given dice end a route.

    Raises
    ------
    QuestionError
        For a roll that is not 1 to 6, or for too few or too many dice.

    """
    for number, roll in enumerate(rolls, 1):
        if isinstance(roll, bool) or roll not in range(1, 7):
            raise QuestionError(f"roll {number} is {roll!r}; a die shows 1 to 6")
    stops = {stop.results: stop for stop in outcomes(scene, route, costs)}
    results: tuple[str, ...] = ()
    for number, roll in enumerate(rolls, 1):
        names = [name for name in _names(roll) if (*results, name) in {s[: len(results) + 1] for s in stops}]
        if not names:
            raise QuestionError(f"{len(rolls)} rolls are given, and only {number - 1} are needed")
        results = (*results, names[0])
        if results in stops:
            if number < len(rolls):
                raise QuestionError(f"{len(rolls)} rolls are given, and only {number} are needed")
            return stops[results]
    if results in stops:
        return stops[results]
    raise QuestionError(f"{len(rolls)} rolls are given, and at least {len(rolls) + 1} are needed")


def _names(roll: int) -> tuple[str, ...]:
    return ("1",) if roll == 1 else ("6", "2-6") if roll == 6 else ("2-5", "2-6")


def _failed(scene: Scene, route: Route, index: int, costs: Sequence[float], results: tuple[str, ...]) -> Stop:
    """Return the stop after a 1: before the jump, at the gap's bottom, or at the foot of the face."""
    leg = route.legs[index]
    test = leg.test
    assert test is not None
    spent = math.fsum(costs[:index])
    at = leg.start if test.fail_at is None else test.fail_at
    surface = (
        (scene.model.on if index == 0 else route.legs[index - 1].surface) if leg.kind != "descend" else leg.surface
    )
    if leg.kind == "descend" and test.fail_at is None:
        at = leg.end
    if leg.kind == "leap":
        middle = ((leg.start[0] + leg.end[0]) / 2, (leg.start[1] + leg.end[1]) / 2)
        at = middle if test.fail_at is None else test.fail_at
        high = min(scene.elevation(surface), scene.elevation(leg.surface))
        # Over a corner of a gap, or a strip of ground in it, the middle of the leap may not be over the gap.
        spots = [spot for spot in (middle, at) if scene.elevation(scene.below(spot, high)) < high - TOUCH]
        spot = spots[0] if spots else middle
        surface = scene.below(spot, high) if _has_level(scene, spot) else surface
    must = ""
    comes_on = scene.model.id in scene.table.off and scene.table.rulings["reinforcement_must_charge"] == "no"
    if test.kind == "jump-prone" and scene.table.model(test.over).is_enemy(scene.model) and not comes_on:
        must = test.over
    return Stop(results, at, surface, index, spent, leg.kind != "jump", must)


def _kept_apart(scene: Scene, leg: Leg) -> Spot | None:
    """Return where a 2 to 5 puts down a mover that would touch an enemy without a zone, as ruled; None if it may touch.

    By one reading of ``jump_into_contact`` it keeps a small distance, and only a 6 lets it go on into contact.
    """
    assert leg.test is not None
    if scene.table.rulings["jump_into_contact"] != "apart" or leg.kind not in {"jump", "leap"}:
        return None
    (x, y), over = leg.end, leg.test.over
    for other in scene.others(leg.surface):
        if other.id == over or other.has_zone or not other.is_enemy(scene.model):
            continue
        apart = math.dist(leg.end, other.at)
        if apart <= scene.radius + other.radius + TOUCH:
            step = APART / apart
            return (x + step * (x - other.at[0]), y + step * (y - other.at[1]))
    return None


def _has_level(scene: Scene, spot: Spot) -> bool:
    """Say whether there is a level under a place: not in a gap of the ground of unknown depth."""
    lost = [p for p in scene.table.terrain.values() if "gap" in p.tags and p.on is None and p.depth is None]
    return not any(p.shape is not None and signed_gap(spot, p.shape) <= TOUCH for p in lost)


def _prone_at_end(scene: Scene, legs: Sequence[Leg]) -> bool:
    prone = scene.model.prone
    for leg in legs:
        prone = leg.kind == "lie" or (prone and leg.kind != "stand")
    return prone
