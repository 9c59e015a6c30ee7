"""Makes verdicts on moves and charges: states a finding in words, bounds and rule ids."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.geometry.regions import Region, disc_region
from sbg_sim.geometry.spines import point_segment_distance
from sbg_sim.rules.zones import stuck_zones, zones
from sbg_sim.solver.judge import CRAWL, Finding, judge_charge, judge_move
from sbg_sim.solver.path.options import UNTOLD
from sbg_sim.solver.verdict import Verdict
from sbg_sim.solver.why_not import along, why_not_along, why_not_straight
from sbg_sim.table.joining import joined
from sbg_sim.table.nearby import pieces_near, standing_near
from sbg_sim.table.questions import Charge, Move
from sbg_sim.table.violation import Violation
from sbg_sim.tolerance import FITS, ROUNDING, TOUCH
from sbg_sim.wording import length

if TYPE_CHECKING:
    from sbg_sim.rules.sight import Look
    from sbg_sim.solver.path.options import Known, Options
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.route import Route


def move_verdict(table: Table, question: Move, name: str, known: Known) -> Verdict:
    """Answer whether a model can end its move at a place; ``known`` keeps the results of searches."""
    finding = judge_move(table, question, known=known)
    place = f"({question.to[0]:g}, {question.to[1]:g})" + (f" on {question.on}" if question.on else "")
    return _verdict(table, question, name, finding, f"{question.model} to {place}")


def charge_verdict(
    table: Table,
    question: Charge,
    name: str = "",
    *,
    told: Options = UNTOLD,
    sight: Look | None = None,
    known: Known | None = None,
) -> Verdict:
    """Answer whether a model can end its move in contact with its targets.

    ``told``, ``sight`` and ``known`` are those of :func:`judge_charge`.
    """
    finding = judge_charge(table, question, told=told, sight=sight, known=known)
    across = f" across {finding.across}" if finding.across else ""
    return _verdict(table, question, name, finding, f"{question.model} into {' and '.join(question.targets)}{across}")


def _verdict(table: Table, question: Move | Charge, name: str, finding: Finding, move: str) -> Verdict:
    """Return the verdict that states a finding; ``move`` names the move in its sentence."""
    needed = finding.needed
    margin = None if needed is None else finding.limit - needed
    if finding.chance == 1:
        answer = "yes"
    elif finding.chance > 0:
        answer = "chance"
    else:
        answer = "no"
    best = finding.best
    far = () if finding.violations else _too_far(table, question, finding, margin)
    shut = bool(far) and far[0].rule != "MOV.3"
    return Verdict(
        table,
        question,
        name,
        answer=answer,
        needed=needed,
        at_least=_at_least(finding),
        at_most=None if best is None else best.cost,
        allowance=finding.limit,
        margin=margin,
        chance=finding.chance,
        route=None if best is None else best.route,
        play=best.route if best is not None and finding.chance > 0 else None,
        rules=tuple(dict.fromkeys([*_rules(table, question, finding), *(v.rule for v in far)])),
        reason=_reason(replace(finding, violations=far) if shut else finding, answer, move, margin),
        violations=finding.violations or far,
    )


def _at_least(finding: Finding) -> float | None:
    """Return the proven lower bound of the cost, inches; None if no way exists at any Move."""
    best = finding.best
    if best is not None:
        return max(0.0, best.cost - best.slack)
    return finding.beyond if math.isfinite(finding.beyond) else None


def _too_far(table: Table, question: Move | Charge, finding: Finding, margin: float | None) -> tuple[Violation, ...]:
    """Return why the movement does not suffice (MOV.3), with the obstacle to blame if one can be named."""
    if finding.best is None and math.isfinite(finding.beyond):
        reason = f"{question.model} needs {finding.shortfall}"
        to = question.to if isinstance(question, Move) else table.model(question.targets[0]).at
        targets = question.targets if isinstance(question, Charge) else ()
        mover = table.model(question.model)
        # If the place is farther away than the bound, no obstacle is needed to explain it.
        near = math.dist(mover.at, to) <= finding.beyond
        # Friends can be to blame only if the straight distance is within the Move.
        apart = math.dist(mover.at, to) - sum(mover.radius + table.model(name).radius for name in targets)
        shut = _shut_by_friends(table, question, finding.limit) if apart <= finding.limit + FITS else None
        if shut is not None:
            return (shut, Violation("MOV.3", reason, shut.place or to))
        barred = why_not_straight(table, mover, to, targets) if near else None
        if barred is None or barred.blame in targets:
            return (Violation("MOV.3", reason, to),)
        return (Violation("MOV.3", reason, barred.place or to), barred)
    if margin is None or margin >= -FITS or finding.chance > 0 or finding.best is None:
        return ()
    place = _place_at(finding.best.route, finding.limit)
    reason = f"{question.model} needs {length(finding.best.cost, finding.limit)} in and has {finding.limit:g} in"
    return (Violation("MOV.3", reason, place),)


def _shut_by_friends(table: Table, question: Move | Charge, limit: float) -> Violation | None:
    """Return the friend that bars the best way, if without friends there were one within the Move (MOV.4)."""
    mover = table.model(question.model)
    friends = {m.id for m in table.standing() if m.id != mover.id and not mover.is_enemy(m)}
    if not friends:
        return None
    others = type(table.models)({name: m for name, m in table.models.items() if name not in friends})
    without = replace(table, models=others, horizon=limit)
    if isinstance(question, Move):
        best = judge_move(without, question, only_fits=True).best
    else:
        best = judge_charge(without, question, only_fits=True).best
    if best is None or best.cost > limit + FITS:
        return None
    targets = question.targets if isinstance(question, Charge) else ()
    first = why_not_along(table, mover, best.route, targets)
    reason = f"friends shut every way of {limit:g} in"
    if first is None:
        return Violation("MOV.4", reason, mover.at)
    return Violation("MOV.4", f"{reason}; the best is barred: {first.reason}", first.place, first.blame)


def _place_at(route: Route, left: float) -> tuple[float, float] | None:
    """Return the place on a route where ``left`` inches of movement run out."""
    for leg in route.legs:
        if leg.cost > left:
            path = leg.points()
            share = left / leg.cost if leg.cost else 0.0
            k = min(int(share * (len(path) - 1)), len(path) - 2) if len(path) > 1 else 0
            rest = share * (len(path) - 1) - k
            (x0, y0), (x1, y1) = path[k], path[min(k + 1, len(path) - 1)]
            return (x0 + rest * (x1 - x0), y0 + rest * (y1 - y0))
        left -= leg.cost
    points = route.points()
    return points[-1] if points else None


def _rules(table: Table, question: Move | Charge, finding: Finding) -> tuple[str, ...]:
    """Return the ids of the rules that decided the answer."""
    table = joined(table)
    found = ["MOV.3"]
    if isinstance(question, Charge):
        found.append("CHG.1")
    mover = table.model(question.model)
    found += ["CZ.4"] if any(zone.binds(mover.on) for zone in stuck_zones(table, mover)) else []
    if finding.best is not None:
        found += _rules_of_route(table, question, finding)
    if mover.prone:
        found.append("PRN.2" if finding.limit == CRAWL else "PRN.3")
    found += [v.rule for v in finding.violations]
    return tuple(dict.fromkeys(found))


def _rules_of_route(table: Table, question: Move | Charge, finding: Finding) -> list[str]:
    """Return the ids of the rules that the best route is an example of."""
    assert finding.best is not None
    found: list[str] = []
    mover = table.model(question.model)
    for leg in finding.best.route.legs:
        if leg.test is not None:
            found += [leg.test.rule, leg.test.table]
        elif leg.kind == "climb":
            found.append("CLB.4")
        if leg.kind == "ladder":
            found.append("CLB.5")
        if leg.kind in {"up", "down"}:
            found.append("TER.3" if leg.kind == "up" else "FALL.1")
        if leg.kind in {"straight", "arc", "jump", "leap", "up", "down"} and leg.cost > leg.length + ROUNDING:
            found.append("TER.2")
        if leg.kind == "arc" and leg.center is not None:
            found += _rule_of_arc(table, mover.radius, leg.center, leg.radius)
    found += _bent_by_zones(table, question, mover, finding.best.route)
    found += _passed_freely(table, mover, finding.best.route)
    if isinstance(question, Charge):
        zoned = [t for t in question.targets if table.model(t).has_zone]
        found += ["CHG.3"] if zoned else []
        found += ["CHG.6"] if len(question.targets) > 1 else []
        found += ["CHG.8"] if finding.across else []
        found += ["PRN.4"] if any(table.model(t).prone for t in question.targets) else []
    return found


def _bent_by_zones(table: Table, question: Move | Charge, mover: Model, route: Route) -> list[str]:
    """Return CZ.1 if a jump or leap just clears a Control Zone: no arc is left there to tell of it."""
    targets = frozenset(question.targets) if isinstance(question, Charge) else frozenset()
    last = len(route.legs) - 1
    for i, leg in enumerate(route.legs):
        if leg.kind not in {"jump", "leap"}:
            continue
        for zone in zones(table, mover, without=targets, region=Region(leg.start, leg.end, leg.length, mover.radius)):
            apart = float(point_segment_distance(np.array(zone.at), np.array(leg.start), np.array(leg.end)))
            chosen = i < last or math.dist(zone.at, leg.end) > apart + TOUCH  # the end is where the question puts it
            if zone.binds(leg.surface) and not zone.stuck and abs(apart - zone.radius) <= TOUCH and chosen:
                return ["CZ.1"]
    return []


def _passed_freely(table: Table, mover: Model, route: Route) -> list[str]:
    """Return the rules by which the route passes over obstacles that would bar others (TER.3, MOV.8)."""
    found = []
    for leg in route.legs:
        if not leg.walked:
            continue
        places = along(leg)
        for piece in pieces_near(table, Region(leg.start, leg.end, leg.length, mover.radius)):
            barring = piece.is_obstacle or "gap" in piece.tags
            if not barring or piece.on != leg.surface or piece.shape is None or piece.id == leg.surface:
                continue
            if float(piece.shape.distance(places).min()) < mover.radius - TOUCH:
                found.append("MOV.8" if mover.id in piece.lets_through else "TER.3")
    return found


def _rule_of_arc(table: Table, r: float, center: tuple[float, float], radius: float) -> list[str]:
    """Return the rule by which a route bends along an arc: of a base, a zone, a solid or difficult ground."""
    spot = disc_region(center, TOUCH)
    for model in standing_near(table, spot):
        if math.dist(model.at, center) <= TOUCH:
            if abs(model.radius + r - radius) <= TOUCH:
                return ["MOV.4"]
            return ["CZ.1"] if abs(model.radius + r + 1 - radius) <= TOUCH else ["CZ.4"]
    for piece in pieces_near(table, disc_region(center, radius)):
        if piece.shape is not None and float(piece.shape.distance([center])[0]) <= radius and piece.is_obstacle:
            return ["TER.5" if "unscalable" in piece.tags else "TER.4"]
    mired = (p.shape for p in pieces_near(table, spot) if p.difficult and p.shape is not None)
    return ["TER.2"] if any(float(shape.distance([center])[0]) <= TOUCH for shape in mired) else []


def _reason(finding: Finding, answer: str, move: str, margin: float | None) -> str:
    """Return the sentence of a verdict."""
    if finding.violations:
        return f"{move}: no, {finding.violations[0].reason} ({finding.violations[0].rule})"
    best = finding.best
    if best is None or margin is None:  # beyond the horizon; if no way exists at all, there are violations
        return f"{move}: no, needs {finding.shortfall}"
    cost = f"{best.cost:.4f} of {finding.limit:g} in"
    if answer == "yes":
        return f"{move}: yes, {cost}, {max(margin, 0.0):.4f} in to spare"
    if answer == "chance":
        dice = ", ".join(t.named for t in best.route.tests)
        return f"{move}: with a chance of {finding.chance} ({dice}), {cost}"
    return (
        f"{move}: no, needs {length(best.cost, finding.limit)} in and has {finding.limit:g}, {length(-margin)} in short"
    )
