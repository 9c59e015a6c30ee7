"""The one door to all answers: ask a table a question, get a verdict."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from sbg_sim.errors import QuestionError
from sbg_sim.geometry.shapes import Shape, circle, shape_distance
from sbg_sim.rules.sight import look
from sbg_sim.solver.judge import Finding, judge_charge, judge_move
from sbg_sim.solver.verdict import Verdict, Violation
from sbg_sim.table.questions import Asked, Charge, Gap, Measure, Move, Question, ReachOf, Sight
from sbg_sim.tolerance import FITS, TOUCH

if TYPE_CHECKING:
    from collections.abc import Callable

    from sbg_sim.table.board import Table

_QUESTIONS = (Measure, Gap, Sight, Move, Charge, ReachOf)


def ask(table: Table, question: Question | Asked | str, name: str = "", *, alternatives: bool = True) -> Verdict:
    """Answer a question.

    Parameters
    ----------
    table
        The table.
    question
        A question, or the id of one in the table's file.
    name
        Its id, to be carried into the verdict.
    alternatives
        Whether to look for rulings under which the answer would differ.

    Raises
    ------
    UnknownNameError
        For a model, piece of terrain or question that the table does not have.
    QuestionError
        For a question that cannot be asked of this table.

    """
    if isinstance(question, str):
        name = name or question
        question = table.asked(question)
    if isinstance(question, Asked):
        question = question.question
    if not isinstance(question, _QUESTIONS):
        raise QuestionError(f"{question!r} is not a question: use Measure, Gap, Sight, Move, Charge or ReachOf")
    if not isinstance(question, Measure | Gap):
        for model in (question.model,):
            if model in table.off and not isinstance(question, ReachOf):
                raise QuestionError(f"{model} is not on the table yet")
    verdict = _answer(table, question, name)
    if alternatives and not isinstance(question, Measure | ReachOf):
        from sbg_sim.solver.readings import differing

        verdict = replace(verdict, rulings=differing(table, question, verdict))
    return verdict


def _answer(table: Table, question: Question, name: str) -> Verdict:
    answerers: dict[type, Callable[..., Verdict]] = {
        Measure: _measure,
        Gap: _gap,
        Sight: _sight,
        Move: _move,
        Charge: _charge,
        ReachOf: _reach,
    }
    return answerers[type(question)](table, question, name)


# -- measuring --------------------------------------------------------------------------------------------------


def _outline(table: Table, name: str) -> tuple[Shape, str | None]:
    if name in table.models:
        model = table.model(name)
        return circle(model.at, model.radius), model.on
    piece = table.terrain.get(name)
    if piece is None:
        table.model(name)
    assert piece is not None
    if piece.shape is None:
        assert piece.at is not None
        return circle(piece.at, 0.0), piece.on
    return piece.shape, piece.on


def _measure(table: Table, question: Measure, name: str) -> Verdict:
    one, two = _outline(table, question.start)[0], _outline(table, question.end)[0]
    inches = _apart(one, two)
    touching = "they touch" if inches == 0 else f"{inches:.6g} in between their nearest edges"
    reason = f"{question.start} to {question.end}: {touching}"
    return Verdict(table, question, name, inches=inches, reason=reason, rules=("MOV.3",))


def _apart(one: Shape, two: Shape) -> float:
    inches = shape_distance(one, two)
    return 0.0 if inches <= TOUCH else inches


def _gap(table: Table, question: Gap, name: str) -> Verdict:
    one, two = (_outline(table, n)[0] for n in question.between)
    mover = table.model(question.model)
    inches = shape_distance(one, two)
    margin = inches - mover.base
    through = [p for n in question.between if (p := table.terrain.get(n)) is not None and mover.id in p.lets_through]
    fits = margin >= -TOUCH or bool(through)
    answer = "yes" if fits else "no"
    if table.tolerance and abs(margin) <= table.tolerance and not through:
        answer = "too-close"
    rules = ("MOV.8",) if through and margin < -TOUCH else ("MOV.4",)
    a, b = question.between
    room = "just wide enough" if abs(margin) <= TOUCH else f"{abs(margin):.6g} in too {'wide' if margin > 0 else 'narrow'}"
    if margin > TOUCH:
        room = f"wide enough with {margin:.6g} in to spare"
    reason = f"the gap between {a} and {b} is {inches:.6g} in, the base of {mover.id} {mover.base:.6g} in: {room}"
    if through and margin < -TOUCH:
        reason += ", but the players agreed that it may pass"
    return Verdict(table, question, name, answer=answer, inches=inches, margin=margin, reason=reason, rules=rules)


# -- seeing ------------------------------------------------------------------------------------------------------


def _sight(table: Table, question: Sight, name: str) -> Verdict:
    table.model(question.model)
    table.model(question.target)
    seen = look(table, question.model, question.target)
    rules = ("LOS",) + (("PRN.1",) if table.model(question.target).prone else ())
    if seen.seen:
        reason = f"{question.model} sees {question.target}"
    else:
        reason = f"{question.model} does not see {question.target}: hidden by {', '.join(seen.hidden_by)}"
    violations = () if seen.seen else (Violation("LOS", reason, table.model(question.target).at),)
    return Verdict(
        table,
        question,
        name,
        answer="yes" if seen.seen else "no",
        sightline=seen.line,
        hidden_by=seen.hidden_by,
        rules=rules,
        reason=reason,
        violations=violations,
    )


# -- moving ------------------------------------------------------------------------------------------------------


def _move(table: Table, question: Move, name: str) -> Verdict:
    finding = judge_move(table, question)
    place = f"({question.to[0]:g}, {question.to[1]:g})" + (f" on {question.on}" if question.on else "")
    return _verdict(table, question, name, finding, f"{question.model} to {place}")


def _charge(table: Table, question: Charge, name: str) -> Verdict:
    finding = judge_charge(table, question)
    return _verdict(table, question, name, finding, f"{question.model} into {' and '.join(question.targets)}")


def _verdict(table: Table, question: Move | Charge, name: str, finding: Finding, what: str) -> Verdict:
    needed = finding.needed
    margin = None if needed is None else finding.limit - needed
    if finding.chance == 1:
        answer = "yes"
    elif finding.chance > 0:
        answer = "chance"
    else:
        answer = "no"
    close = margin is not None and table.tolerance > 0 and abs(margin) <= table.tolerance
    if close and not finding.violations:
        answer = "too-close"
    best = finding.best
    return Verdict(
        table,
        question,
        name,
        answer=answer,
        needed=needed,
        at_least=None if best is None else max(0.0, best.cost - best.slack),
        at_most=None if best is None else best.cost,
        allowance=finding.limit,
        margin=margin,
        chance=finding.chance,
        route=None if best is None else best.route,
        play=best.route if best is not None and finding.chance > 0 else None,
        rules=_rules(table, question, finding),
        reason=_reason(finding, answer, what, margin),
        violations=finding.violations or _too_far(question, finding, margin),
    )


def _too_far(question: Move | Charge, finding: Finding, margin: float | None) -> tuple[Violation, ...]:
    if margin is None or margin >= -FITS or finding.chance > 0 or finding.best is None:
        return ()
    place = _place_at(finding.best.route.points(), finding.limit, finding)
    reason = f"{question.model} needs {finding.best.cost:.4f} in and has {finding.limit:g} in"
    return (Violation("MOV.3", reason, place),)


def _place_at(points: list[tuple[float, float]], limit: float, finding: Finding) -> tuple[float, float] | None:
    """Where the movement runs out."""
    assert finding.best is not None
    left = limit
    for leg in finding.best.route.legs:
        if leg.cost > left:
            path = leg.points()
            share = left / leg.cost if leg.cost else 0.0
            k = min(int(share * (len(path) - 1)), len(path) - 2) if len(path) > 1 else 0
            rest = share * (len(path) - 1) - k
            (x0, y0), (x1, y1) = path[k], path[min(k + 1, len(path) - 1)]
            return (x0 + rest * (x1 - x0), y0 + rest * (y1 - y0))
        left -= leg.cost
    return points[-1] if points else None


def _rules(table: Table, question: Move | Charge, finding: Finding) -> tuple[str, ...]:
    found = ["MOV.3"]
    if isinstance(question, Charge):
        found.append("CHG.1")
    mover = table.model(question.model)
    if finding.best is not None:
        found += _rules_of_route(table, question, finding)
    if mover.prone:
        found.append("PRN.2" if finding.limit == 1.0 else "PRN.3")
    found += [v.rule for v in finding.violations]
    return tuple(dict.fromkeys(found))


def _rules_of_route(table: Table, question: Move | Charge, finding: Finding) -> list[str]:
    assert finding.best is not None
    found: list[str] = []
    mover = table.model(question.model)
    for leg in finding.best.route.legs:
        if leg.test is not None:
            found.append(leg.test.rule)
        if leg.kind == "ladder":
            found.append("CLB.5")
        if leg.kind == "down":
            found.append("FALL.1")
        if leg.kind in {"straight", "arc"} and leg.cost > leg.length + 1e-9:
            found.append("TER.2")
        if leg.kind == "arc" and leg.center is not None:
            found += _rule_of_arc(table, mover.radius, leg.center, leg.radius)
    if isinstance(question, Charge):
        zoned = [t for t in question.targets if table.model(t).has_zone]
        found += ["CHG.3"] if zoned else []
        found += ["CHG.6"] if len(question.targets) > 1 else []
        found += ["PRN.4"] if any(table.model(t).prone for t in question.targets) else []
    return found


def _rule_of_arc(table: Table, r: float, center: tuple[float, float], radius: float) -> list[str]:
    for model in table.models.values():
        if math.dist(model.at, center) <= TOUCH:
            if abs(model.radius + r - radius) <= TOUCH:
                return ["MOV.4"]
            return ["CZ.1"] if abs(model.radius + r + 1 - radius) <= TOUCH else ["CZ.4"]
    for piece in table.terrain.values():
        if piece.shape is not None and float(piece.shape.distance([center])[0]) <= radius and piece.is_obstacle:
            return ["TER.5" if "unscalable" in piece.tags else "TER.4"]
    return []


def _reason(finding: Finding, answer: str, what: str, margin: float | None) -> str:
    if finding.violations:
        return f"{what}: no, {finding.violations[0].reason} ({finding.violations[0].rule})"
    best = finding.best
    if best is None or margin is None:
        return f"{what}: no, there is no way at any Move"
    cost = f"{best.cost:.4f} of {finding.limit:g} in"
    if answer == "yes":
        return f"{what}: yes, {cost}, {max(margin, 0.0):.4f} in to spare"
    if answer == "chance":
        dice = ", ".join(f"{t.kind} over {t.over}" for t in best.route.tests)
        return f"{what}: with a chance of {finding.chance} ({dice}), {cost}"
    if answer == "too-close":
        return f"{what}: too close to call, {cost}, within the table's tolerance"
    return f"{what}: no, needs {best.cost:.4f} in and has {finding.limit:g}, {-margin:.4f} in short"


def _reach(table: Table, question: ReachOf, name: str) -> Verdict:
    from sbg_sim.solver.reach import reach

    found = reach(table, question.model)
    return found.verdict(name)


def certainly(chance: Fraction | None) -> bool:
    """Whether a chance is a certainty."""
    return chance is not None and chance == 1
