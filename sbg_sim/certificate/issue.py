"""Issues certificates: the table, the question, the claim and the way, sealed."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sbg_sim.certificate.form import FORMAT, VERSION
from sbg_sim.errors import QuestionError
from sbg_sim.rules.sight import look
from sbg_sim.scenario import as_data
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.questions import Charge, Move, ReachOf, Sight

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sbg_sim.table.board import Table
    from sbg_sim.table.questions import Question

_CLAIMED = (
    *("answer", "needed", "at_least", "at_most", "allowance", "margin", "chance", "chance_value"),
    *("inches", "rules", "rulings", "reason"),
)


def issue(table: Table, name: str, answer: Mapping[str, Any], maker: str = "sbg_sim") -> dict[str, Any]:
    """Return the certificate of an answer.

    Parameters
    ----------
    table, name
        The table and the id of the question in it.
    answer
        The answer as the JSON of the contract, legs included.
    maker
        The program and its version.

    Raises
    ------
    UnknownNameError
        If the table has no such question.
    QuestionError
        For a reach, whose answer is an area and no claim about one move.

    """
    asked = table.asked(name)
    if isinstance(asked.question, ReachOf):
        raise QuestionError(f"questions.{name}.ask is reach: an area has no certificate; ask for a move or a charge")
    alone = replace(table, questions=FrozenMap({name: asked}), record=None)
    content = {
        "format": FORMAT,
        "version": VERSION,
        "made_by": maker,
        "table": as_data(alone),
        "question": name,
        "claim": {key: answer[key] for key in _CLAIMED},
        "legs": answer["legs"],
        "sightlines": _sightlines(table, asked.question, answer),
        "bound": _bound(table, asked.question, answer),
    }
    content = json.loads(json.dumps(content, allow_nan=False))
    return {**content, "seal": seal(content)}


def text_of(certificate: Mapping[str, Any]) -> str:
    """Return a certificate as the text of a file."""
    return json.dumps(certificate, indent=1, allow_nan=False) + "\n"


def seal(content: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a certificate without its seal, as JSON with sorted keys, no blanks, in ASCII."""
    bare = {key: value for key, value in content.items() if key != "seal"}
    text = json.dumps(bare, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def straight_bound(table: Table, question: Question) -> float | None:
    """Return a lower bound of the cost of a move or a charge: the straight line, standing up included, inches.

    Shifts across a rim are free, so there is no such bound if the way may change its level.
    """
    if not isinstance(question, Move | Charge):
        return None
    mover = table.model(question.model)
    if mover.id in table.off or mover.climbed or any(p.tags & {"platform", "ladder"} for p in table.terrain.values()):
        return None
    if any(p.is_obstacle and p.top > (mover.height or 0.0) for p in table.terrain.values()):
        return None
    rise = (mover.move or 0.0) / 2 if mover.prone else 0.0
    if isinstance(question, Move):
        return math.dist(mover.at, question.to) + (0.0 if mover.prone else rise)
    if any(p.is_obstacle for p in table.terrain.values()):
        return None  # contact across a barrier is farther from the base
    targets = [table.model(t) for t in question.targets]
    return rise + max(0.0, *(math.dist(mover.at, t.at) - t.radius - mover.radius for t in targets))


def _bound(table: Table, question: Question, answer: Mapping[str, Any]) -> dict[str, Any] | None:
    value = straight_bound(table, question) if answer["answer"] == "no" else None
    return None if value is None else {"kind": "straight", "value": value}


def _sightlines(table: Table, question: Question, answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the lines of sight from the model to the enemies that it charges, or looks at."""
    if isinstance(question, Sight):
        targets: tuple[str, ...] = (question.target,)
    elif isinstance(question, Charge) and answer["answer"] != "no":
        targets = question.targets
    else:
        return []
    found = []
    for target in targets:
        line = look(table, question.model, target).line
        if line is not None:
            found.append({"target": target, "line": [[float(v) for v in spot] for spot in line]})
    return found
