"""Makes the play of a route: the effect on the model of every result of every die.

Rules JMP.1, LEAP.2, CLB.2, CLB.4, FALL.1, FALL.2 and PRN.5. A play stops where the allowance ends.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from sbg_sim.dice.play import End, Go, Play, Stage
from sbg_sim.errors import QuestionError
from sbg_sim.rules import results
from sbg_sim.rules.contact import in_contact_across
from sbg_sim.solver.judge import CRAWL
from sbg_sim.table.board import allowance as move_of
from sbg_sim.table.joining import level_of
from sbg_sim.table.questions import Charge, Move
from sbg_sim.table.route import FACES
from sbg_sim.tolerance import FITS, TOUCH

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.questions import Question
    from sbg_sim.table.route import Leg, Route

Goal: TypeAlias = Callable[[End], bool]

_PASSED: Final = {
    "jump": "jumps over",
    "jump-prone": "jumps over",
    "leap": "leaps",
    "climb": "tops",
    "descend": "gets down",
}
_FAILED: Final = {
    "jump": "stumbles at",
    "jump-prone": "stumbles at",
    "leap": "falls into",
    "climb": "falls off",
    "descend": "falls off",
}


def goal_of(table: Table, question: Question) -> Goal:
    """Return a function that says whether an end reaches the goal of a question.

    For a move the centre must be at ``to`` on the surface of the question; for a charge all targets must be touched.

    Raises
    ------
    QuestionError
        For questions that no move answers.

    """
    if isinstance(question, Move):
        to, on = question.to, level_of(table, question.on)
        return lambda end: not end.climbed and level_of(table, end.on) == on and math.dist(end.at, to) <= TOUCH
    if isinstance(question, Charge):
        mover = table.model(question.model)
        targets = [table.model(name) for name in question.targets]

        def touches(end: End, target: Model) -> bool:
            apart = abs(math.dist(end.at, target.at) - mover.radius - target.radius)
            return apart <= TOUCH and in_contact_across(table, mover, end.on, target.on)

        return lambda end: not end.prone and all(touches(end, target) for target in targets)
    raise QuestionError(f"a {question.ask} question is not about where a move ends; ask move or charge")


def play_of(verdict: Verdict) -> Play:
    """Return the best play of a verdict: that of the route with the best chance.

    If no play reaches the goal the model stays where it is.

    Raises
    ------
    QuestionError
        For questions that no move answers.

    """
    table, question = verdict.table, verdict.question
    goal = goal_of(table, question)
    assert isinstance(question, Move | Charge)
    if verdict.play is None:
        mover = table.model(question.model)
        return Play((), End(at=mover.at, on=mover.on, prone=mover.prone, climbed=mover.climbed, label="stays"))
    return route_play(table, question.model, verdict.play, goal)


def route_play(table: Table, model: str, route: Route, goal: Goal | None = None) -> Play:
    """Return the play of a route that a model follows as far as its Move allows.

    Parameters
    ----------
    table
        The table before the move.
    model
        The mover.
    route
        Its route; it may cost more than the model has, and is then broken off: a walk anywhere, a jump or leap before
        it is begun, a climb on the face.
    goal
        Says which ends are a success besides that of the route.

    Raises
    ------
    QuestionError
        If the model's Move is unknown.

    """
    return _Player(table, table.model(model), route, goal or (lambda _: False)).play()


def point_on(leg: Leg, share: float) -> Point:
    """Return the point a share (0 to 1) of the way along a leg."""
    if leg.center is not None:
        (cx, cy), (x, y) = leg.center, leg.start
        turn = share * leg.sweep
        c, s = math.cos(turn), math.sin(turn)
        return (cx + c * (x - cx) - s * (y - cy), cy + s * (x - cx) + c * (y - cy))
    (ax, ay), (bx, by) = leg.start, leg.end
    return (ax + share * (bx - ax), ay + share * (by - ay))


def may_begin(table: Table, leg: Leg, most: float) -> bool:
    """Say whether a jump or leap may be begun with less movement left than it costs (JMP.2, LEAP.1 and rulings).

    Parameters
    ----------
    table
        The table, for its rulings.
    leg
        A leg with a jump or leap.
    most
        The maximum Move, inches.

    """
    if leg.kind == "leap":
        return table.rulings["leap_needs"] == "maximum" and leg.cost <= most + FITS
    return table.rulings["jump_without_movement"] == "yes"


def failed(table: Table, mover: Model, leg: Leg, used: float, on: str | None, climbed: float = 0.0) -> End:
    """Return the end of the move on a 1.

    Parameters
    ----------
    table, mover
        The table, and the model that tests.
    leg
        The leg with its test.
    used, on
        Movement used so far, inches, and the model's level before the leg.
    climbed
        Inches of a face below it, if it hangs on one.

    """
    assert leg.test is not None
    one, test = results.failed(table, mover, leg, on, climbed), leg.test
    if one.must_charge:
        at = test.fail_at or one.at
        return End(at=at, on=on, used=used + math.dist(test.at, at), label=f"stumbles and charges {test.over}")
    label = f"{_FAILED.get(test.kind, 'fails at')} {test.over}"
    return End(test.fail_at or one.at, one.on, used, one.prone, one.hits, label=label)


@dataclass
class _Player:
    """Follows a route once and collects its dice."""

    table: Table
    mover: Model
    route: Route
    goal: Goal

    def play(self) -> Play:
        most = move_of(self.mover)
        stages: list[Stage] = []
        used, crawled, on, climbed = 0.0, 0.0, self.mover.on, self.mover.climbed
        last = End(at=self.mover.at, on=on, prone=self.mover.prone, climbed=climbed, label="stays")
        for i, leg in enumerate(self.route.legs):
            # A crawl is an inch for any Move, and uses none of it (PRN.2).
            left = CRAWL - crawled if leg.kind == "crawl" else most - (used - crawled)
            test = leg.test
            fits = leg.cost <= left + FITS
            if test is None:
                if not fits:
                    return Play(tuple(stages), self._broken(leg, last, left, most))
                # After a climb up a wall without a new die it hangs at the top (CLB.4).
                climbed = last.climbed + leg.rise if leg.kind == "climb" and leg.start == leg.end else 0.0
                used, on = used + leg.cost, leg.surface
                crawled += leg.cost if leg.kind == "crawl" else 0.0
                last = self._arrived(i, leg.end, on, used, _lies(leg.kind, last.prone))
                last = replace(last, climbed=climbed, success=False) if climbed else last
                continue
            if leg.kind in FACES and not fits:
                if left <= FITS:
                    return Play(tuple(stages), last)
                perched = self._broken(leg, replace(last, climbed=climbed), left, most)
                fall = failed(self.table, self.mover, leg, used, on, climbed)
                stages.append(Stage.split(test.kind, test.over, fall, perched, perched))
                return Play(tuple(stages), perched)
            if not fits and not may_begin(self.table, leg, most):
                return Play(tuple(stages), replace(last, label=f"stops at {test.over}"))
            fall = failed(self.table, self.mover, leg, used, on, climbed)
            if test.kind == "jump-prone":  # over an enemy a 1 is a charge, perhaps that of the question
                fall = self._judged(fall)
            used, on, climbed = used + leg.cost, test.landing_on, 0.0
            passed = f"{_PASSED.get(test.kind, 'passes')} {test.over}"
            last = self._arrived(i, test.landing, on, used, prone=False, label=passed)
            if test.kind == "climb" and leg.start == leg.end:  # up a wall without a top to stand on: it hangs there
                climbed = self.table.piece(test.over).top
                last = replace(last, climbed=climbed, success=False)
            further: End | Go = last if self._nothing_after(i) else Go.ON
            short = results.stops_short(self.table, self.mover, leg)
            middle = last if short is None else self._judged(replace(last, at=short, success=False))
            stages.append(Stage.split(test.kind, test.over, fall, middle, further))
        return Play(tuple(stages), last if self.route.legs else self._judged(replace(last, success=True)))

    def _arrived(self, i: int, at: Point, on: str | None, used: float, prone: bool, label: str = "") -> End:
        done = self._nothing_after(i)
        end = End(at=at, on=on, used=used, prone=prone, success=done, label=label or ("arrives" if done else "goes"))
        return self._judged(end)

    def _nothing_after(self, i: int) -> bool:
        """Say whether only a hair of walking is left of the route after this leg."""
        rest = self.route.legs[i + 1 :]
        return all(leg.test is None for leg in rest) and math.fsum(leg.cost for leg in rest) <= TOUCH

    def _judged(self, end: End) -> End:
        return end if end.success else replace(end, success=self.goal(end))

    def _broken(self, leg: Leg, last: End, left: float, most: float) -> End:
        """Return where a leg is broken off with ``left`` inches to go."""
        if leg.stops_anywhere:
            share = max(0.0, left) / leg.cost
            at = point_on(leg, share)
            return self._judged(
                replace(last, at=at, on=leg.surface, used=most, success=False, label="runs out of Move")
            )
        if leg.kind in FACES:
            up = leg.rise >= 0
            high = leg.risen(left) + (last.climbed if up else -leg.rise)
            at = leg.start if up else leg.end
            on = last.on if up else leg.surface
            return replace(last, at=at, on=on, used=most, climbed=high, success=False, label="stays on the face")
        return last


def _lies(kind: str, prone: bool) -> bool:
    return {"stand": False, "lie": True}.get(kind, prone)
