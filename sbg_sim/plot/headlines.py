"""The heading of a picture of a verdict, its model, and the route that it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbg_sim.plot.words import chance_text, inches_text
from sbg_sim.report import described, in_words
from sbg_sim.simulate.plays import may_begin
from sbg_sim.table.route import FACES
from sbg_sim.tolerance import FITS

if TYPE_CHECKING:
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.models import Model
    from sbg_sim.table.questions import Question
    from sbg_sim.table.route import Route


def shown_route(verdict: Verdict) -> Route | None:
    """Return the route that a picture shows: with dice that of the play with the best chance, else the best route."""
    if verdict.answer == "chance" and verdict.play is not None:
        return verdict.play
    return verdict.route or verdict.play


def allowed(verdict: Verdict) -> float | None:
    """Return the cost up to which the shown route can be gone, inches: its Move, and what a late jump or leap adds.

    A jump or leap may be begun with less movement left than it costs, as the table is ruled; it ends the move (LEAP.1).
    """
    route, most = shown_route(verdict), verdict.allowance
    if route is None or most is None:
        return most
    used = 0.0
    for leg in route.legs:
        if leg.cost > most - used + FITS:
            late = leg.test is not None and leg.kind not in FACES and may_begin(verdict.table, leg, most)
            return used + leg.cost if late else most
        used += leg.cost
    return most


def mover_of(verdict: Verdict) -> Model | None:
    """Return the model the question is about; None for a measurement."""
    name = getattr(verdict.question, "model", None)
    return verdict.table.models.get(name) if name else None


def heading(name: str, question: Question | None) -> str:
    """Return the beginning of a title: the question's id in its file, or the question in words, if there is one."""
    asked = name or ("" if question is None else described(question))
    return f"{asked}: " if asked else ""


def headline(verdict: Verdict) -> str:
    """Return the answer as the heading of a picture."""
    head = f"{verdict.name}: " if verdict.name else ""
    asked = in_words(verdict.question)
    head += asked[0].lower() + asked[1:]
    if verdict.answer is not None:
        head += f" {verdict.answer.upper()}"
    notes = []
    if verdict.chance is not None and verdict.answer == "chance":
        notes.append(chance_text(verdict.chance))
    if verdict.needed is not None:
        limit = verdict.allowance
        notes.append(
            f"{inches_text(verdict.needed, limit)} needed" + (f" of {inches_text(limit)}" if limit is not None else "")
        )
    if verdict.inches is not None:
        notes.append(inches_text(verdict.inches))
    if verdict.area is not None:
        notes.append(f"{verdict.area:.2f} square inches certain")
    if notes:
        head += f" · {', '.join(notes)}"
    return head + (f" · {', '.join(verdict.rules)}" if verdict.rules else "")
