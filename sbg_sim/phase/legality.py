"""Judges one move of a record: its route, or the reasons why it is not allowed.

The solver finds moves to a place and charges; hand-drawn paths are taken as drawn. In either case the referee judges
the whole route once more, all along.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from sbg_sim.errors import QuestionError
from sbg_sim.phase.events import enter
from sbg_sim.phase.too_far import as_far_as_it_goes, asked_over_tall_faces, too_far, zones_matter
from sbg_sim.phase.turn import Judged
from sbg_sim.referee import audit, audit_path
from sbg_sim.rules.contact import touched
from sbg_sim.rules.sight import look
from sbg_sim.solver.answer import ask
from sbg_sim.solver.judge import CRAWL, charge_refusals, may_move
from sbg_sim.solver.path.options import SIX, TWO_UP
from sbg_sim.table.board import allowance
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.joining import level_of
from sbg_sim.table.questions import Charge, Move
from sbg_sim.table.route import Leg, Route
from sbg_sim.table.violation import Violation
from sbg_sim.tolerance import FITS, TOUCH
from sbg_sim.wording import length

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.record import MoveRecord


def judge(table: Table, move: MoveRecord, *, closely: bool = True) -> Judged:
    """Judge a move on a table, whatever the turn.

    Parameters
    ----------
    table, move
        The table and the move.
    closely
        Whether to find every reason why a charge is not allowed; else one is enough.

    Raises
    ------
    UnknownNameError
        For a model or platform that the table does not have.
    QuestionError
        For a move without an action, or with two at once; or if the table lacks a height or Move.

    """
    mover = _checked(table, move)
    if move.arrive is None and mover.id in table.off:
        reason = f"{mover.id} is not on the table yet: it has to come on from a point of an edge"
        return Judged(move, (Violation("REINF.1", reason),), rules=("REINF.1",), chance=Fraction(0))
    if move.arrive is not None:
        found = _arrived(table, mover, move)
    elif move.path is not None:
        found = _drawn(table, mover, move)
    elif move.crawl is not None:
        found = _crawled(table, mover, move, move.crawl)
    elif move.charge:
        found = _charged(table, mover, move, closely=closely)
    elif move.to is not None:
        found = _moved(table, mover, move, move.to)
    else:
        found = _posed(table, mover, move)
    rules = tuple(dict.fromkeys((*found.rules, *(v.rule for v in found.violations))))
    return replace(found, move=move, rules=rules, chance=found.chance if not found.violations else Fraction(0))


def _checked(table: Table, move: MoveRecord) -> Model:
    mover = table.model(move.model)
    for name in move.charge:
        table.model(name)
        if name == mover.id:
            raise QuestionError(f"{name} cannot charge itself")
    if len(set(move.charge)) < len(move.charge):
        raise QuestionError(f"{mover.id} charges the same model twice in one move")
    if move.on is not None:
        table.piece(move.on)
    ways = [w for w in ("to", "path", "crawl") if getattr(move, w) is not None]
    if move.charge and not move.path:
        ways.append("charge")
    if len(ways) > 1 or (move.crawl is not None and move.arrive is not None):
        raise QuestionError(f"{mover.id} can do only one of these in a move: {', '.join(ways)}")
    if not ways and move.arrive is None and not (move.stand or move.lie):
        raise QuestionError(f"the move of {mover.id} says nothing: charge, to, path, stand, lie, crawl or arrive")
    points = [p for p in (move.to, move.crawl, move.arrive, *(move.path or ())) if p is not None]
    for point in points:
        try:
            finite = all(map(math.isfinite, point)) and len(point) == 2
        except TypeError:
            finite = False
        if not finite:
            raise QuestionError(f"the move of {mover.id} has a point that is not two finite numbers: {point!r:.60}")
    return mover


def _arrived(table: Table, mover: Model, move: MoveRecord) -> Judged:
    wrong, route = enter(table, mover, move)
    return Judged(move, wrong, route, (), ("REINF.1", *_rules(route)), _odds(route), move.to)


def _drawn(table: Table, mover: Model, move: MoveRecord) -> Judged:
    """Judge a hand-drawn path as drawn (MOV.3): it charges the enemies with which it ends in contact."""
    path = move.path or ()
    found = audit_path(table, mover.id, path, charging=move.charge, stand=move.stand, lie=move.lie, on=move.on)
    targets = move.charge
    if not targets and found.route.legs:
        last = found.route.legs[-1]
        over = last.test.over if last.test is not None else ""  # it lands apart from a model that it jumps (PRN.5)
        targets = tuple(t for t in touched(table, mover, last.end, last.surface, leaving=mover.at) if t != over)
        if targets:
            found = audit_path(table, mover.id, path, charging=targets, stand=move.stand, lie=move.lie, on=move.on)
    wrong = [*found.violations, *_unseen(table, mover, targets)]
    if move.on is not None and found.route.legs and found.route.legs[-1].surface != level_of(table, move.on):
        wrong.append(Violation("MOV.5", f"the path does not end on {move.on}", found.route.legs[-1].end, move.on))
    rules = _rules(found.route, targets)
    aim = found.route.legs[-1].end if found.route.legs and not targets else None
    return Judged(move, tuple(wrong), found.route, targets, rules, _odds(found.route), aim)


def _unseen(table: Table, mover: Model, targets: tuple[str, ...]) -> list[Violation]:
    """Return the targets that the mover does not see before it moves (CHG.1)."""
    found = []
    for name in targets:
        sight = look(table, mover.id, name)
        if not sight.seen:
            hidden = ", ".join(sight.hidden_by) or "what stands between"
            reason = f"{mover.id} does not see {name}: hidden by {hidden}"
            found.append(Violation("CHG.1", reason, table.model(name).at, name))
    return found


def _crawled(table: Table, mover: Model, move: MoveRecord, to: Point) -> Judged:
    """Judge a crawl of at most an inch, and standing up after it if the Move suffices (PRN.2)."""
    if not mover.prone:
        return _refused(move, "PRN.2", f"{mover.id} is not prone and cannot crawl", mover)
    verdict = ask(table, Move(mover.id, to, move.on or mover.on), alternatives=False)
    if verdict.violations and move.on is None and mover.on is not None:  # off its level, down to the ground
        below = ask(table, Move(mover.id, to, None), alternatives=False)
        verdict = verdict if below.violations else below
    legs = () if verdict.play is None else verdict.play.legs
    if any(leg.kind == "stand" for leg in legs) or (verdict.play is None and not verdict.violations):
        way = math.dist(mover.at, to) if verdict.play is None else verdict.play.cost - allowance(mover) / 2
        reason = f"{mover.id} would crawl {length(way, CRAWL)} inches, and may crawl {CRAWL:g}"
        if verdict.play is not None and verdict.play.tests and way <= CRAWL + FITS:
            tried = " and ".join(test.named for test in verdict.play.tests)
            reason = f"{mover.id} would have to {tried} on the way, and who crawls takes no test"
        return _refused(move, "PRN.2", reason, mover)
    crawl = [replace(leg, kind="crawl") if leg.walked else leg for leg in legs]
    return _posture_judged(table, mover, move, crawl, verdict.violations, to)


def _charged(table: Table, mover: Model, move: MoveRecord, *, closely: bool) -> Judged:
    if mover.prone and not move.stand:
        return _refused(move, "PRN.3", f"{mover.id} is prone and may not charge before it stands up", mover)
    if move.lie:
        return _refused(move, "PRN.3", f"{mover.id} cannot charge and lie down in one move", mover)
    for name in move.charge:
        if name in table.off:
            return _refused(move, "CHG.1", f"{name} is not on the table", mover)
    unseen = _unseen(table, mover, move.charge) if mover.prone else []  # as it lies, before it stands up
    if unseen:
        return Judged(move, (*may_move(mover), *unseen), targets=move.charge, rules=("CHG.1",))
    target = move.charge[0] if len(move.charge) == 1 else move.charge
    return _found(table, mover, move, Charge(mover.id, target), None, closely=closely)


def _moved(table: Table, mover: Model, move: MoveRecord, to: Point) -> Judged:
    if mover.prone and not move.stand:
        return _crawled(table, mover, replace(move, crawl=to), to)
    return _found(table, mover, move, Move(mover.id, to, move.on), to)


def _found(
    table: Table,
    mover: Model,
    move: MoveRecord,
    question: Move | Charge,
    aim: Point | None,
    *,
    closely: bool = True,
) -> Judged:
    """Let the solver find the way with the Move left by standing up and lying down."""
    if move.stand and not mover.prone:
        return _refused(move, "PRN.3", f"{mover.id} is not prone and cannot stand up", mover)
    if move.stand and move.lie:
        return _refused(move, "PRN.3", f"{mover.id} may not stand up and lie down in one phase", mover)
    half = allowance(mover) / 2
    left = allowance(mover) - half * (move.stand + move.lie)
    ready = table.with_model(replace(mover, prone=False, move=left))
    hopeless = _hopeless(ready, question, left) if isinstance(question, Charge) else ()
    if hopeless:
        return Judged(move, hopeless, targets=move.charge, rules=("CHG.1",))
    verdict = ask(ready, question, alternatives=False)
    if isinstance(question, Move):
        verdict = asked_over_tall_faces(ready, question, left, verdict)
    route, wrong = verdict.play, verdict.violations
    if route is None:
        short = isinstance(question, Move) and verdict.route is not None and all(v.rule == "MOV.3" for v in wrong)
        route = as_far_as_it_goes(verdict.route, left, mover) if short and verdict.route is not None else None
        if route is None:
            wrong = (
                *(wrong or (Violation("MOV.3", verdict.reason, mover.at),)),
                *(_short_way(ready, question, wrong) if closely else ()),
            )
            if (move.stand or move.lie) and any(violation.rule == "MOV.3" for violation in wrong):
                taken = f"{'standing up' if move.stand else 'lying down'} takes {half:g} in of its Move"
                wrong = (*wrong, Violation("PRN.3", taken, mover.at))
            return Judged(move, wrong, verdict.route or Route(), move.charge, verdict.rules, aim=aim)
        wrong, aim = (), None
    legs = list(route.legs)
    if move.stand:
        legs.insert(0, Leg("stand", mover.at, mover.at, half, mover.on))
    if move.lie:
        end, on = (legs[-1].end, legs[-1].surface) if legs else (mover.at, mover.on)
        legs.append(Leg("lie", end, end, half, on))
    whole = Route(tuple(legs))
    checked = audit(table, mover.id, whole, charging=move.charge, hanging=True)
    across = ("CHG.8",) if "CHG.8" in verdict.rules else ()
    rules = (*_rules(whole, move.charge), *across)
    return Judged(move, (*wrong, *checked.violations), whole, move.charge, rules, _odds(whole), aim)


def _hopeless(table: Table, question: Charge, left: float) -> tuple[Violation, ...]:
    """Return the violations of a charge whatever its way; none if a way must be sought."""
    mover = table.model(question.model)
    targets = [table.model(name) for name in question.targets]
    found = charge_refusals(table, mover, targets)
    far = too_far(table, mover, targets, left)
    return (*found, *(() if far is None else (far,)))


def _short_way(table: Table, question: Move | Charge, wrong: tuple[Violation, ...]) -> tuple[Violation, ...]:
    """Return the violations of the way that would be short enough, if zones make the allowed one too long."""
    if not wrong or any(v.rule != "MOV.3" for v in wrong):
        return ()
    mover = table.model(question.model)
    targets = question.targets if isinstance(question, Charge) else ()
    hit = [table.model(name) for name in targets]
    goals = [t.at for t in hit] if isinstance(question, Charge) else [question.to]
    reach = max((t.radius + mover.radius for t in hit), default=0.0)
    if not zones_matter(table, mover, goals, reach, allowance(mover), without=targets):
        return ()
    barring = {m.id for m in table.models.values() if mover.is_enemy(m) and m.id not in targets}
    open_way = ask(without_zones(table, barring, mover.id), question, alternatives=False).play
    return () if open_way is None else audit(table, mover.id, open_way, charging=targets).violations


def without_zones(table: Table, names: AbstractSet[str], mover: str) -> Table:
    """Return a table on which some models are already in contact with a mover, and so have no zones (CHG.7)."""
    models = {n: replace(m, engaged=m.engaged | {mover}) if n in names else m for n, m in table.models.items()}
    return replace(table, models=FrozenMap(models))


def _posed(table: Table, mover: Model, move: MoveRecord) -> Judged:
    """Judge standing up or lying down without a move (PRN.3)."""
    if move.stand and move.lie:
        return _refused(move, "PRN.3", f"{mover.id} may not stand up and lie down in one phase", mover)
    return _posture_judged(table, mover, move, [], (), mover.at)


def _posture_judged(
    table: Table, mover: Model, move: MoveRecord, legs: list[Leg], wrong: tuple[Violation, ...], aim: Point
) -> Judged:
    """Add standing up and lying down to legs, and let the referee judge the whole."""
    half = allowance(mover) / 2
    ends, on = (legs[-1].end, legs[-1].surface) if legs else (mover.at, mover.on)
    legs += [Leg("stand", ends, ends, half, on)] if move.stand else []
    legs += [Leg("lie", ends, ends, half, on)] if move.lie else []
    route = Route(tuple(legs))
    checked = audit(table, mover.id, route)
    held = [v for v in may_move(mover) if v.rule not in {c.rule for c in checked.violations}] if legs else []
    return Judged(move, (*wrong, *checked.violations, *held), route, (), _rules(route), aim=aim)


def _refused(move: MoveRecord, rule: str, reason: str, mover: Model) -> Judged:
    held = may_move(mover)
    return Judged(move, (*held, Violation(rule, reason, mover.at)), targets=move.charge, rules=(rule,))


def _odds(route: Route) -> Fraction:
    """Return the probability that the dice let a route be made to its end: for a last die any but a 1 will do."""
    dice = [i for i, leg in enumerate(route.legs) if leg.test is not None]
    if not dice:
        return Fraction(1)
    rest = math.fsum(leg.cost for leg in route.legs[dice[-1] + 1 :])
    return SIX ** (len(dice) - 1) * (SIX if rest > FITS else TWO_UP)


_BY_KIND = {"crawl": "PRN.2", "stand": "PRN.3", "lie": "PRN.3", "ladder": "CLB.5", "down": "FALL.1"}


def _rules(route: Route, targets: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the ids of the rules that apply to a route."""
    found = ["MOV.3"] if any(leg.kind not in _BY_KIND for leg in route.legs) else []
    found += [_BY_KIND[leg.kind] for leg in route.legs if leg.kind in _BY_KIND]
    found += [leg.test.table for leg in route.legs if leg.test is not None]
    found += ["TER.2" for leg in route.legs if leg.walked and leg.cost > leg.length + TOUCH]
    found += ["CHG.1", "CHG.2"] if targets else []
    found += ["CHG.6"] if len(targets) > 1 else []
    return tuple(dict.fromkeys(found))
