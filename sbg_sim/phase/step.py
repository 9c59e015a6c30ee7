"""A move before its dice and after them: what is said of it, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sbg_sim.table.route import Route
from sbg_sim.tolerance import PRINTED

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.board import Table
    from sbg_sim.table.record import MoveRecord
    from sbg_sim.table.violation import Violation


@dataclass(frozen=True)
class Judged:
    """What is to be said of a move before its dice are thrown.

    Parameters
    ----------
    move
        The move.
    violations
        Everything that forbids it; empty when it is allowed.
    route
        What the model sets out to do.
    targets
        Whom it charges, named or touched by a hand-drawn path.
    rules
        Rule ids that decided it.
    chance
        Probability that its dice let it go the whole way.
    aim
        Where the centre is to end, when the move says so itself, inches.

    """

    move: MoveRecord
    violations: tuple[Violation, ...] = ()
    route: Route = field(default_factory=Route)
    targets: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    chance: Fraction = Fraction(1)
    aim: Point | None = None


@dataclass(frozen=True)
class Step:
    """One move of a phase.

    Parameters
    ----------
    model
        Who moved.
    legal
        Whether the rules allow it.
    reason
        One sentence for people.
    move
        The move as recorded, with its dice.
    at, on, prone, climbed, engaged
        The model afterwards: place in inches, surface, whether it lies, inches climbed on a face, enemies in
        contact.
    used
        Movement used, inches.
    rolls
        The dice in order.
    hits
        Strength 3 hits taken in a fall.
    rules
        Rule ids that decided it.
    route
        The way that was made.
    violations
        Why it is not allowed, with rule ids and places.

    """

    model: str
    legal: bool
    reason: str
    move: MoveRecord
    at: Point | None = None
    on: str | None = None
    prone: bool = False
    climbed: float = 0.0
    engaged: tuple[str, ...] = ()
    used: float = 0.0
    rolls: tuple[int, ...] = ()
    hits: int = 0
    rules: tuple[str, ...] = ()
    route: Route = field(default_factory=Route, repr=False)
    violations: tuple[Violation, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the step as plain data, with the keys of the file format's replays."""
        return {
            "model": self.model,
            "legal": self.legal,
            "used": printed(self.used),
            "at": self.at and [printed(x) for x in self.at],
            "on": self.on,
            "prone": self.prone,
            "climbed": printed(self.climbed),
            "engaged": list(self.engaged),
            "rolls": list(self.rolls),
            "hits": self.hits,
            "rules": list(self.rules),
            "reason": self.reason,
            "violations": [
                {
                    "rule": v.rule,
                    "reason": v.reason,
                    "place": v.place and [printed(x) for x in v.place],
                    "blame": v.blame,
                }
                for v in self.violations
            ],
        }


def printed(length: float) -> float:
    """Round a length as all JSON is rounded; no negative zero."""
    return round(float(length), PRINTED) + 0.0


def refused(table: Table, judged: Judged) -> Step:
    """Return the step of a move that is not allowed: the model stays as it was."""
    model = table.model(judged.move.model)
    first = judged.violations[0]
    return Step(
        model.id,
        legal=False,
        reason=f"{model.id}: {first.reason} ({first.rule})",
        move=judged.move,
        at=None if model.id in table.off else model.at,
        on=model.on,
        prone=model.prone,
        climbed=model.climbed,
        engaged=tuple(sorted(model.engaged)),
        rolls=judged.move.rolls,
        rules=tuple(dict.fromkeys(v.rule for v in judged.violations)),
        violations=judged.violations,
    )
