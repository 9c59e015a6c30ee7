"""What dice make of a route: where it ends, lying or hurt (JMP.1, LEAP.2, CLB.2, FALL.2, PRN.5)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from sbg_sim.errors import QuestionError
from sbg_sim.rules.results import failed, stops_short
from sbg_sim.table.levels import level_of, piece_under
from sbg_sim.table.route import Route
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.route import Leg, Test

Roller: TypeAlias = "Callable[[Test], int]"
"""Gives the die for a test when it is needed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a move ended.

    Parameters
    ----------
    at, on
        The centre, inches, and the surface; None is the ground.
    prone
        Whether it lies there.
    climbed
        Inches of a face below it when it hangs on one.
    used
        Movement used, inches; what is crawled is not counted (PRN.2).
    hits
        Strength 3 hits from a fall.
    rolls
        The dice in the order thrown.
    told
        What each die did, one phrase each.
    done
        Whether the whole route was made.
    must_charge
        The prone enemy that is charged instead of jumped (PRN.5); empty when there is none.
    route
        The part of the route that was made.

    """

    at: Point
    on: str | None
    prone: bool
    climbed: float
    used: float
    hits: int
    rolls: tuple[int, ...]
    told: tuple[str, ...]
    done: bool
    must_charge: str
    route: Route


class Cup:
    """Dice that are given beforehand, taken one by one.

    Parameters
    ----------
    rolls
        The dice in order.
    who
        Whose they are, for messages.

    """

    def __init__(self, rolls: Iterable[int], who: str) -> None:
        self.rolls = tuple(rolls)
        self.who = who
        self.taken = 0
        for number, roll in enumerate(self.rolls, 1):
            shown(roll, f"roll {number} of {who}")

    def __call__(self, test: Test) -> int:
        """Return the next die; QuestionError when there is none."""
        if self.taken == len(self.rolls):
            dice = "die is" if self.taken == 1 else "dice are"
            raise QuestionError(
                f"{self.taken or 'no'} {dice if self.taken else 'dice are'} given for {self.who}, "
                f"and one more is needed: {test.kind} over {test.over}"
            )
        self.taken += 1
        return self.rolls[self.taken - 1]

    def finish(self) -> None:
        """Complain about dice left over (QuestionError)."""
        if self.taken < len(self.rolls):
            needed = (
                f"only {self.taken} {'is' if self.taken == 1 else 'are'} needed" if self.taken else "none is needed"
            )
            raise QuestionError(f"{len(self.rolls)} dice are given for {self.who}, and {needed}")


def shown(roll: int, what: str) -> int:
    """Return a die; QuestionError when it shows no number from 1 to 6."""
    if isinstance(roll, bool) or not isinstance(roll, int) or not 1 <= roll <= 6:
        raise QuestionError(f"{what} is {roll!r}; a die shows 1 to 6")
    return roll


def roll_out(table: Table, mover: Model, route: Route, roller: Roller) -> Outcome:
    """Go along a route, throwing a die wherever one is needed.

    Parameters
    ----------
    table
        The table before the move.
    mover
        Who moves; for a reinforcement its place means nothing.
    route
        The route, within what the mover has.
    roller
        Gives the dice.

    """
    return _Walker(table, mover, roller).walk(route)


class _Walker:
    """The state of a mover under way."""

    def __init__(self, table: Table, mover: Model, roller: Roller) -> None:
        self.table, self.mover, self.roller = table, mover, roller
        self.at, self.on = mover.at, level_of(table, mover.on)
        self.prone, self.climbed, self.used = mover.prone, mover.climbed, 0.0
        self.rolls: list[int] = []
        self.told: list[str] = []

    def walk(self, route: Route) -> Outcome:
        for index, leg in enumerate(route.legs):
            last = index == len(route.legs) - 1
            if leg.test is None:
                self._make(leg)
                continue
            roll = shown(self.roller(leg.test), f"the roll for {leg.test.kind} over {leg.test.over}")
            self.rolls.append(roll)
            if roll == 1:
                return self._fail(leg, leg.test, Route(route.legs[:index]))
            self._say(leg.test, roll, "passed" if last else "goes on" if roll == 6 else "passed, and stops there")
            self._make(leg)
            short = stops_short(self.table, self.mover, leg) if roll < 6 else None
            if short is not None:
                self.at = short
            if roll < 6 and not (last and short is None):
                return self._outcome(Route(route.legs[: index + 1]), done=False)
        return self._outcome(route, done=True)

    def _make(self, leg: Leg) -> None:
        if leg.kind != "crawl":
            self.used += leg.cost
        if leg.kind in {"climb", "ladder"} and leg.rise > 0 and leg.surface == self.on and not _passes(leg):
            self.climbed += leg.rise  # it hangs on the face (CLB.4)
        elif leg.kind not in {"stand", "lie"}:
            self.climbed = 0.0
        self.prone = {"stand": False, "lie": True}.get(leg.kind, self.prone)
        self.at, self.on = leg.end, leg.surface
        if self._atop(leg):
            assert leg.test is not None
            self.at, self.climbed = leg.start, self.table.piece(leg.test.over).top

    def _atop(self, leg: Leg) -> bool:
        """Say whether a leg ends on a wall that cannot be stood on: the model hangs at its top."""
        return leg.kind == "climb" and leg.surface == self.on and _passes(leg) and self._over_wall(leg)

    def _over_wall(self, leg: Leg) -> bool:
        return leg.test is not None and self.table.rulings["climb_over"] == "down" and leg.test.over != leg.surface

    def _fail(self, leg: Leg, test: Test, made: Route) -> Outcome:
        one = failed(self.table, self.mover, leg, self.on, self.climbed)
        self.at, self.on, self.prone = test.fail_at or one.at, one.on, self.prone or one.prone
        if not one.prone:
            self._say(
                test, 1, f"failed, and must charge {one.must_charge}" if one.must_charge else "failed, and stops there"
            )
            return self._outcome(made, done=False, must_charge=one.must_charge)
        self.climbed = 0.0
        hurt = f", falls {one.drop:g} in" if one.drop > 0 else ""
        hurt += f": {one.hits} Strength 3 hit{'s' if one.hits > 1 else ''}" if one.hits else ""
        self._say(test, 1, f"failed{hurt}, and lies prone at the bottom")
        return self._outcome(made, done=False, hits=one.hits)

    def _say(self, test: Test, roll: int, what: str) -> None:
        self.told.append(f"{test.kind} over {test.over}: {roll}, {what}")

    def _outcome(self, made: Route, *, done: bool, hits: int = 0, must_charge: str = "") -> Outcome:
        on = piece_under(self.table, self.on, self.at)
        return Outcome(
            self.at, on, self.prone, self.climbed, self.used, hits, tuple(self.rolls), tuple(self.told),
            done, must_charge, made,
        )  # fmt: skip


def _passes(leg: Leg) -> bool:
    """Say whether a climb leads anywhere but up the face it starts at."""
    return math.dist(leg.start, leg.end) > TOUCH
