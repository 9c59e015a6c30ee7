"""Events of models beside their moves on the table: they come on, are slain, set down elsewhere or kept outside.

A reinforcement starts with its base touching the edge from outside at a point, or with its centre on the edge, as
ruled (``edge_entry``), and its whole way counts (REINF.1). To find that way the table is extended beyond that edge far
enough for the base to stand there; the referee judges the way on the table as it is. Changes of models by other rules
are in a record beside the moves, because later moves depend on them (CHG.2, CZ.3, REINF.2).
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from sbg_sim.errors import QuestionError
from sbg_sim.phase.turn import Judged, Step
from sbg_sim.referee import audit, audit_path
from sbg_sim.rules.contact import touched
from sbg_sim.rules.zones import zones
from sbg_sim.solver.judge import judge_move
from sbg_sim.solver.why_not import ends_badly
from sbg_sim.table.board import allowance
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.questions import Move
from sbg_sim.table.route import Leg, Route
from sbg_sim.table.violation import Violation
from sbg_sim.tolerance import TOUCH
from sbg_sim.wording import length

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.record import MoveRecord
    from sbg_sim.table.terrain import Terrain


def inward(table: Table, point: Point) -> Point | None:
    """Return the direction from a point of the edge onto the table; None for a point on no edge.

    At a corner it leads in over both edges.
    """
    x, y = point
    if not (-TOUCH <= x <= table.width + TOUCH and -TOUCH <= y <= table.depth + TOUCH):
        return None
    dx = (abs(x) <= TOUCH) - (abs(x - table.width) <= TOUCH)
    dy = (abs(y) <= TOUCH) - (abs(y - table.depth) <= TOUCH)
    return None if dx == dy == 0 else (float(dx), float(dy))


def starting_spot(table: Table, mover: Model, point: Point) -> Point | None:
    """Return where the centre of a reinforcement starts, inches; None for a point on no edge."""
    way = inward(table, point)
    if way is None:
        return None
    back = mover.radius if table.rulings["edge_entry"] == "outside" else 0.0
    return (point[0] - back * way[0], point[1] - back * way[1])


def enter(table: Table, mover: Model, move: MoveRecord) -> tuple[tuple[Violation, ...], Route]:
    """Judge a reinforcement's move.

    Parameters
    ----------
    table
        The table, the mover among those off it.
    mover
        The reinforcement.
    move
        The point of the edge, and the rest of the move: ``to``, ``path``, or nothing, to stand just on the table.

    Returns
    -------
    The violations, and its route onto the table.

    """
    assert move.arrive is not None
    if mover.id not in table.off:
        return _no("REINF.1", f"{mover.id} is on the table already and cannot come on", mover.at)
    if move.charge:
        return _no("REINF.1", f"{mover.id} comes on as a reinforcement and may not charge in this phase", move.arrive)
    start = starting_spot(table, mover, move.arrive)
    if start is None:
        x, y = move.arrive
        return _no("REINF.1", f"({x:g}, {y:g}) is no point of the table's edge", move.arrive)
    closed = _closed(table, mover, start)
    if closed is not None:
        return (closed,), Route()
    if move.path is not None:
        points = [start, *(p for i, p in enumerate(move.path) if i or math.dist(p, move.arrive) > TOUCH)]
        found = audit_path(table, mover.id, points, stand=move.stand, lie=move.lie)
        return found.violations or _left_outside(table, mover, found.route), found.route
    end = move.to if move.to is not None else _just_inside(table, mover, move.arrive)
    legs, wrong = _way(table, mover, start, end, move)
    if wrong:
        return wrong, Route(legs)
    if move.lie:
        legs = (*legs, Leg("lie", legs[-1].end, legs[-1].end, allowance(mover) / 2, legs[-1].surface))
    route = Route(legs)
    return audit(table, mover.id, route).violations or _left_outside(table, mover, route), route


def _left_outside(table: Table, mover: Model, route: Route) -> tuple[Violation, ...]:
    """Return the violation of a die thrown where a 1 would leave a reinforcement over the table's edge (MOV.5)."""
    for leg in route.legs:
        x, y = leg.start if leg.test is None or leg.test.fail_at is None else leg.test.fail_at
        if leg.test is not None and min(x, y, table.width - x, table.depth - y) < mover.radius - TOUCH:
            reason = (
                f"it is not yet wholly on the table where it would have to {leg.test.named}: a 1 would leave it there"
            )
            return (Violation("MOV.5", reason, leg.start, leg.test.over),)
    return ()


def _no(rule: str, reason: str, place: Point) -> tuple[tuple[Violation, ...], Route]:
    return (Violation(rule, reason, place),), Route()


def _closed(table: Table, mover: Model, start: Point) -> Violation | None:
    """Return the violation of a zone over the point of entry: to come on there would enter it (CZ.1)."""
    for zone in zones(table, mover):
        if zone.binds(None) and math.dist(zone.at, start) < zone.radius - TOUCH:
            return Violation("CZ.1", f"the point lies within the Control Zone of {zone.id}", start, zone.id)
    return None


def _just_inside(table: Table, mover: Model, point: Point) -> Point:
    """Return the first place straight ahead where the whole base is on the table."""
    way = inward(table, point)
    assert way is not None
    r = mover.radius
    return (
        point[0] + r * way[0] if way[0] else point[0],
        point[1] + r * way[1] if way[1] else point[1],
    )


def _way(
    table: Table, mover: Model, start: Point, end: Point, move: MoveRecord
) -> tuple[tuple[Leg, ...], tuple[Violation, ...]]:
    """Find the way from the starting spot to a place on the table."""
    left = allowance(mover) / (2 if move.lie else 1)
    outside = replace(mover, at=start, on=None, prone=False, move=left, moved=mover.moved)
    wrong = ends_badly(table, outside, end, move.on)
    if wrong:
        return (), tuple(wrong)
    shift, wide = _widened(table, outside)
    inside = wide.model(mover.id)
    finding = judge_move(wide, Move(mover.id, _moved(end, shift), move.on))
    best = finding.best
    if finding.violations:
        return (), finding.violations
    if best is None:
        reason = f"{inside.id} needs {finding.shortfall}, from the edge"
        return (), (Violation("MOV.3", reason, end),)
    legs = tuple(_leg_back(leg, shift) for leg in best.route.legs)
    if finding.chance == 0:
        reason = f"{inside.id} needs {length(best.cost, left)} inches from the edge and has {left:g}"
        return legs, (Violation("MOV.3", reason, end),)
    if any(_outside(table, mover, leg.end) for leg in legs):
        return legs, (Violation("REINF.1", f"{mover.id} would go along the table's edge outside it", start),)
    return legs, ()


def _outside(table: Table, mover: Model, at: Point) -> bool:
    """Say whether a base is as far outside as at its start."""
    depth = -mover.radius if table.rulings["edge_entry"] == "outside" else 0.0
    rooms = (at[0], table.width - at[0], at[1], table.depth - at[1])
    return min(rooms) <= depth + TOUCH


def _widened(table: Table, outside: Model) -> tuple[Point, Table]:
    """Return the shift, and the table extended so that the starting spot lies on it."""
    x, y = outside.at
    r = outside.radius
    left, low = max(0.0, r - x), max(0.0, r - y)
    right, high = max(0.0, x + r - table.width), max(0.0, y + r - table.depth)
    shift = (left, low)
    models = {name: replace(m, at=_moved(m.at, shift)) for name, m in table.models.items()}
    models[outside.id] = replace(outside, at=_moved(outside.at, shift))
    wide = replace(
        table,
        width=table.width + left + right,
        depth=table.depth + low + high,
        models=FrozenMap(models),
        terrain=FrozenMap({name: _piece(piece, shift) for name, piece in table.terrain.items()}),
    )
    return shift, wide


def _moved(point: Point, shift: Point) -> Point:
    return (point[0] + shift[0], point[1] + shift[1])


def _piece(piece: Terrain, shift: Point) -> Terrain:
    shape = None if piece.shape is None else piece.shape.moved(0.0, shift)
    return replace(piece, shape=shape, at=None if piece.at is None else _moved(piece.at, shift))


def _leg_back(leg: Leg, shift: Point) -> Leg:
    back = (-shift[0], -shift[1])
    test = leg.test
    if test is not None:
        fail = None if test.fail_at is None else _moved(test.fail_at, back)
        test = replace(test, at=_moved(test.at, back), landing=_moved(test.landing, back), fail_at=fail)
    center = None if leg.center is None else _moved(leg.center, back)
    return replace(leg, start=_moved(leg.start, back), end=_moved(leg.end, back), center=center, test=test)


# -- what befalls models ---------------------------------------------------------------------------------------


def judge_event(table: Table, move: MoveRecord) -> Judged:
    """Judge an event; only a place can be forbidden.

    Raises
    ------
    UnknownNameError
        For a model or platform that the table does not have.
    QuestionError
        For an entry with two events, or a delay of a model that is on the table.

    """
    model = table.model(move.model)
    if move.on is not None:
        table.piece(move.on)
    said = [
        name
        for name in ("place", "slain", "delayed", "to", "path", "crawl", "arrive", "charge", "rolls")
        if getattr(move, name) not in (None, False, ())
    ]
    if len(said) > 1:
        raise QuestionError(f"{model.id} can meet with only one of these at once: {', '.join(said)}")
    if move.stand and move.lie:
        raise QuestionError(f"{model.id} cannot both stand and lie")
    if move.delayed and model.id not in table.off:
        raise QuestionError(f"{model.id} is on the table already")
    if move.place is None:
        return Judged(move, rules=("REINF.2",) if move.delayed else ())
    if not all(map(math.isfinite, move.place)):
        raise QuestionError(f"the place of {model.id} has to be finite")
    wrong = _misplaced(table, model, move.place, move.on)
    return Judged(move, wrong, rules=tuple(dict.fromkeys(v.rule for v in wrong)), aim=move.place)


def _misplaced(table: Table, model: Model, at: Point, on: str | None) -> tuple[Violation, ...]:
    """Return the violations of setting a model down at a place: not by zones, but by contact with an enemy (CZ.3)."""
    here = replace(model, on=on)
    wrong = [v for v in ends_badly(table, here, at, on) if not v.rule.startswith(("CZ", "CHG"))]
    wrong += [
        Violation("CZ.3", f"{model.id} would be set down in contact with {name}", at, name)
        for name in touched(table, here, at, on)
        if name not in model.engaged
    ]
    return tuple(wrong)


def befallen(table: Table, judged: Judged) -> tuple[Step, Table]:
    """Return the step of an event, and the table after it."""
    move = judged.move
    model = table.model(move.model)
    if move.slain:
        return Step(model.id, legal=True, reason=f"{model.id} is slain", move=move), _without(table, model)
    if move.delayed:
        reason = f"{model.id} waits outside until the next turn"
        return Step(model.id, legal=True, reason=reason, move=move, rules=("REINF.2",)), table
    after = _placed(table, model, move)
    now = after.model(model.id)
    how, on = " prone" if now.prone else "", f" on {now.on}" if now.on else ""
    hangs = f", {now.climbed:.4g} in up a face" if now.climbed else ""
    step = Step(
        model.id,
        legal=True,
        reason=f"{model.id} is set down{how} at ({now.at[0]:.4g}, {now.at[1]:.4g}){on}{hangs}",
        move=move,
        at=now.at,
        on=now.on,
        prone=now.prone,
        climbed=now.climbed,
        engaged=tuple(sorted(now.engaged)),
    )
    return step, after


def _without(table: Table, gone: Model) -> Table:
    """Take a model off; models that fought it alone are free again, and may move if they have not (CHG.2)."""
    models = {
        other.id: replace(other, engaged=other.engaged - {gone.id}) if gone.id in other.engaged else other
        for other in table.models.values()
        if other.id != gone.id
    }
    terrain = table.terrain
    if any(gone.id in piece.lets_through for piece in terrain.values()):
        terrain = FrozenMap({n: replace(p, lets_through=p.lets_through - {gone.id}) for n, p in terrain.items()})
    return replace(table, models=FrozenMap(models), terrain=terrain, off=table.off - {gone.id})


def _placed(table: Table, model: Model, move: MoveRecord) -> Table:
    """Set a model down; it stays engaged with enemies whose bases it still touches.

    One that hangs on a face goes on hanging where it is, unless it becomes prone: then it lies at the foot (FALL.2).
    """
    assert move.place is not None
    prone = True if move.lie else False if move.stand else model.prone
    stays = math.dist(move.place, model.at) <= TOUCH and move.on == model.on and model.id not in table.off
    at = model.at if stays else move.place
    climbed = model.climbed if stays and not prone else 0.0
    now = replace(model, at=at, on=move.on, prone=prone, climbed=climbed, waited=0)
    kept = model.engaged if stays else model.engaged & set(touched(table, now, move.place, move.on))
    models = {
        name: replace(other, engaged=other.engaged - {model.id}) if name in model.engaged - kept else other
        for name, other in table.models.items()
    }
    models[model.id] = replace(now, engaged=kept)
    return replace(table, models=FrozenMap(models), off=table.off - {model.id})
