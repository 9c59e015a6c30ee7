"""What befalls models by other rules than those for moving: slain, set down elsewhere, kept outside.

These stand in a record beside the moves, because what is allowed later hangs on them (CHG.2, CZ.3, REINF.2).
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from sbg_sim.errors import QuestionError
from sbg_sim.phase.step import Judged, Step
from sbg_sim.rules.contact import touched
from sbg_sim.solver.judge import ends_badly
from sbg_sim.solver.verdict import Violation
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.record import MoveRecord


def judge_event(table: Table, move: MoveRecord) -> Judged:
    """Judge what befalls a model; only a place can be forbidden.

    Raises
    ------
    UnknownNameError
        For a model or platform that the table does not have.
    QuestionError
        For an entry that says two things, or a delay of a model that is on the table.

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
    """Return what keeps a model from being set down at a place: zones do not, contact with an enemy does (CZ.3)."""
    here = replace(model, on=on)
    wrong = [v for v in ends_badly(table, here, at, on) if not v.rule.startswith(("CZ", "CHG"))]
    wrong += [
        Violation("CZ.3", f"{model.id} would be set down in contact with {name}", at, name)
        for name in touched(table, here, at, on)
        if name not in model.engaged
    ]
    return tuple(wrong)


def befallen(table: Table, judged: Judged) -> tuple[Step, Table]:
    """Return the step of what befell a model, and the table after it."""
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
    step = Step(
        model.id,
        legal=True,
        reason=f"{model.id} is set down{how} at ({now.at[0]:.4g}, {now.at[1]:.4g}){on}",
        move=move,
        at=now.at,
        on=now.on,
        prone=now.prone,
        engaged=tuple(sorted(now.engaged)),
    )
    return step, after


def _without(table: Table, gone: Model) -> Table:
    """Take a model off; who fought it alone is free again, and may move if it has not (CHG.2)."""
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
    """Set a model down; it stays engaged with those whose bases it still touches."""
    assert move.place is not None
    prone = True if move.lie else False if move.stand else model.prone
    stays = math.dist(move.place, model.at) <= TOUCH and move.on == model.on and model.id not in table.off
    at = model.at if stays else move.place
    now = replace(model, at=at, on=move.on, prone=prone, climbed=model.climbed if stays else 0.0)
    kept = model.engaged if stays else model.engaged & set(touched(table, now, move.place, move.on))
    models = {
        name: replace(other, engaged=other.engaged - {model.id}) if name in model.engaged - kept else other
        for name, other in table.models.items()
    }
    models[model.id] = replace(now, engaged=kept)
    return replace(table, models=FrozenMap(models), off=table.off - {model.id})
