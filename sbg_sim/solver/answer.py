"""The entry to all answers: ask a table a question, get a verdict."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sbg_sim.errors import QuestionError
from sbg_sim.geometry.shapes import Shape, circle, shape_distance
from sbg_sim.rules.sight import look
from sbg_sim.solver.moving import charge_verdict, move_verdict
from sbg_sim.solver.readings import differing
from sbg_sim.solver.verdict import Verdict
from sbg_sim.table.board import side_of, sound
from sbg_sim.table.questions import Charge, Gap, Measure, Move, Question, ReachOf, Sight, named
from sbg_sim.table.violation import Violation
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sbg_sim.solver.path.options import Known
    from sbg_sim.table.board import Table
    from sbg_sim.table.questions import Asked


def ask(
    table: Table,
    question: Question | Asked | str | Mapping[str, Any],
    name: str = "",
    *,
    alternatives: bool = True,
) -> Verdict:
    """Answer a question with every model exactly where the table has it; ``sbg_sim.check`` also considers doubt.

    Parameters
    ----------
    table
        The table.
    question
        A question, the id of a question in the table's file, or its keys as in a file.
    name
        The question's id, for the verdict.
    alternatives
        Whether to look for rulings under which the answer would differ.

    Raises
    ------
    UnknownNameError
        For a model, piece of terrain or question that the table does not have.
    QuestionError
        For a question that cannot be asked of this table.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.load("scenarios/charging-2.toml")
    >>> ask(table, "third-to-pippin").answer
    'no'
    >>> ask(table, sbg.Measure("uruk-3", "pippin")).inches
    4.515748031496063

    """
    table = sound(table)
    if isinstance(question, str):
        name = name or question
    question = table.asked(question).question
    given: tuple[Any, ...] = named(question)
    for model in given:
        if not isinstance(model, str):
            table.model(model)  # raises, and says what an id is
        if model in table.off:
            table.present(model)
    known: Known = []
    if isinstance(question, Charge):
        for model in (question.model, *question.targets):
            side_of(table.model(model))
        verdict = charge_verdict(table, question, name, known=known)
    elif isinstance(question, Move):
        verdict = move_verdict(table, question, name, known)
    else:
        others: dict[type, Callable[..., Verdict]] = {Measure: _measure, Gap: _gap, Sight: _sight, ReachOf: _reach}
        verdict = others[type(question)](table, question, name)
    if alternatives and not isinstance(question, Measure | ReachOf):
        verdict = replace(verdict, rulings=differing(table, question, verdict, known))
    return verdict


# -- measuring --------------------------------------------------------------------------------------------------


def _outline(table: Table, name: str) -> Shape:
    """Return the shape of a model, a piece of terrain or a marked place."""
    if name in table.models:
        model = table.model(name)
        return circle(model.at, model.radius)
    piece = table.terrain.get(name)
    if piece is None:
        table.model(name)
    assert piece is not None
    if piece.shape is None:
        assert piece.at is not None
        return circle(piece.at, 0.0)
    return piece.shape


def _measure(table: Table, question: Measure, name: str) -> Verdict:
    if question.start == question.end:
        raise QuestionError(f"a measure runs between two things, not from {question.start} to itself")
    inches = shape_distance(_outline(table, question.start), _outline(table, question.end))
    inches = 0.0 if inches <= TOUCH else inches
    touching = "they touch" if inches == 0 else f"{inches:.6g} in between their nearest edges"
    reason = f"{question.start} to {question.end}: {touching}"
    return Verdict(table, question, name, inches=inches, reason=reason, rules=("MOV.3",))


def _gap(table: Table, question: Gap, name: str) -> Verdict:
    if question.between[0] == question.between[1]:
        raise QuestionError(f"a gap lies between two things, not between {question.between[0]} and itself")
    if question.model in question.between:
        raise QuestionError(f"{question.model} is one of the two things that the gap lies between")
    one, two = (_outline(table, n) for n in question.between)
    mover = table.model(question.model)
    inches = shape_distance(one, two)
    margin = inches - mover.base
    through = [p for n in question.between if (p := table.terrain.get(n)) is not None and mover.id in p.lets_through]
    fits = margin >= -TOUCH or bool(through)
    answer = "yes" if fits else "no"
    rules = ("MOV.8",) if through and margin < -TOUCH else ("MOV.4",)
    a, b = question.between
    room = (
        "just wide enough" if abs(margin) <= TOUCH else f"{abs(margin):.6g} in too {'wide' if margin > 0 else 'narrow'}"
    )
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


def _reach(table: Table, question: ReachOf, name: str) -> Verdict:
    from sbg_sim.solver.reach import reach

    found = reach(table, question.model)
    return found.verdict(name)
