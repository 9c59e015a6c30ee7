"""What a search for one goal is asked, and the ways to it that it finds."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

from sbg_sim.geometry.regions import disc_region
from sbg_sim.solver.graph.tangent_graph import SPACING
from sbg_sim.solver.path.jumped import longest_jump
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.levels import elevation
from sbg_sim.table.nearby import pieces_near
from sbg_sim.tolerance import FITS, ROUNDING, TINY

if TYPE_CHECKING:
    from collections.abc import Hashable

    from sbg_sim.solver.path.paths import Path
    from sbg_sim.solver.space.surroundings import Goal, Surroundings
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.route import Route

MOST_TESTS: Final = 6
"""Dice looked ahead; a seventh test in one move would have a chance below 1 in 46656."""

NEAR_BEST: Final = 0.05
"""How far (inches) a sampled cost may lie above the best before its type of path is left unpolished: twice what
the samples' spacing can hide at two crossings."""

SAMPLING_ERROR: Final = SPACING
"""How far (inches) a sampled cost may lie above the true one where a way over must just clear something: there
the error grows with the distance between samples, not with its square."""

JUMPS: Final = frozenset({"jump", "jump-up", "jump-prone", "leap"})
"""Ways, and tests on them, that put a model down beyond what it crosses."""

SIX = Fraction(1, 6)
TWO_UP = Fraction(5, 6)


@dataclass(frozen=True)
class Option:
    """One way to the goal.

    Parameters
    ----------
    tests
        Dice on the way.
    landing
        Whether the last die already puts the mover on the goal.
    cost
        Exact cost, inches.
    slack
        Width of the certificate: the true least cost of this type is within ``[cost - slack, cost]``.
    route
        The witness.
    begun
        Movement used when the last die is thrown, inches.
    snap
        What sampling could hide at this route's crossings, inches; other types of path are ruled out only while
        it stays below NEAR_BEST.
    path
        What the route was made of, in the tangent graph it was found in.

    """

    tests: int
    landing: bool
    cost: float
    slack: float
    route: Route
    begun: float = 0.0
    snap: float = 0.0
    path: Path | None = field(default=None, compare=False)

    @property
    def chance(self) -> Fraction:
        """Probability that the dice allow it."""
        return chance_of(self.tests, landing=self.landing)


def chance_of(tests: int, *, landing: bool) -> Fraction:
    """Return the probability of so many sixes; of the last a 2 will do where it puts the mover on its goal."""
    return SIX ** (tests - 1) * TWO_UP if landing else SIX**tests


@dataclass(frozen=True)
class Search:
    """What is fixed while the range grows.

    Parameters
    ----------
    table, mover
        The table and who moves (already standing, with its place).
    charging
        Whose zone may be entered.
    goal
        What to look for.
    allowance
        The maximum Move, inches.
    dice
        Whether tests may be taken.
    horizon
        Costs beyond this are not looked for, inches.
    landing
        Whether the goal may be ended on only by being put down there by the last die.
    used
        Movement used before (standing up, coming down), inches: no part of any other cost here.
    least
        What any way is known to cost at least, inches.
    cheapest
        A way that is known to cost no more than any.
    set_down
        Whether a jump's or leap's 2 to 5 may put it down on the goal (ruling ``jump_into_contact``).
    charged
        Ids of those who are charged: who jumps over one of them is put down apart from it (PRN.5).
    without
        Enemies whose zones are left out.
    began
        The mover where its move began, if it has moved since: the zones it was in then are those it is stuck in (CZ.4).
    bound
        Whether the mover has entered the zone of whom it charges before (CHG.3).
    only_fits
        Whether any way within the allowance will do, not the cheapest: none is then made shorter than it was sampled.
    chance
        A chance that is had already: only ways of a better one are looked for.

    """

    table: Table
    mover: Model
    charging: str | None
    goal: Goal
    allowance: float
    dice: bool
    horizon: float
    landing: bool = False
    used: float = 0.0
    least: float = 0.0
    cheapest: Option | None = None
    set_down: bool = True
    charged: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()
    began: Model | None = None
    bound: bool = False
    only_fits: bool = False
    chance: Fraction = Fraction(0)

    @property
    def left(self) -> float:
        """Movement left for what is searched, inches."""
        return self.allowance - self.used

    @property
    def most_tests(self) -> int:
        """Dice looked ahead: no more than may give a better chance than is had."""
        return max((k for k in range(1, MOST_TESTS + 1) if chance_of(k, landing=True) > self.chance), default=0)

    @cached_property
    def near(self) -> float:
        """Distance from the mover to the goal, as the crow flies, inches: no way costs less but for free shifts."""
        return self.goal.apart(self.mover.at)

    def around(self, cost: float) -> Surroundings:
        """Collect all that paths can come near which cost no more than so many inches."""
        return self.goal.surroundings(
            *(self.table, self.mover, cost),
            charging=self.charging,
            without=self.without,
            began=self.began,
            bound=self.bound,
            dice=self.dice,
        )

    @cached_property
    def meets(self) -> tuple[Hashable, ...]:
        """All on which it hangs what ways fit: searches that meet the same find the same, under whatever readings."""
        loose = beyond_the_move(self.table, self.mover, self.left, self.goal)
        around = self.around(self.left + loose)
        kinds = {way.way.kind for way in around.transitions}
        late = {kind: most for kind, most in late_ways(self.table, self.allowance).items() if loose and kind in kinds}
        if loose and not late:
            around = self.around(self.left)
        over = self.table.rulings["climb_over"] if "climb-over" in kinds else None
        return (*self.asked, self.set_down, FrozenMap(late), over, around.holds)

    @property
    def asked(self) -> tuple[Hashable, ...]:
        """Who asks for what way, whatever stands there and by whichever readings."""
        of = (self.mover, self.charging, self.goal, self.allowance, self.used, self.dice, self.landing)
        return (*of, self.charged, self.without, self.began, self.bound)

    def fits(self, option: Option) -> bool:
        """Say whether an option can be taken with the movement that is left."""
        return fits(self.table, option, self.left, self.allowance)

    def cannot_cost_less(self, option: Option) -> bool:
        """Say whether an option costs no more than any way is known to."""
        return option.cost <= self.least + 2 * ROUNDING

    def may_end(self, option: Option) -> bool:
        """Say whether an option may end the way it does."""
        last = option.route.legs[-1].test if option.route.legs else None
        if last is not None and last.kind == "jump-prone" and last.over in self.charged:
            return False
        return self.set_down or not option.landing or option.route.tests[-1].kind not in JUMPS


@dataclass(frozen=True)
class Options:
    """What was found on the way to a goal.

    Parameters
    ----------
    found
        The cheapest option of each type: those within the allowance are all there, beyond it the cheapest is.
    beyond
        No way that is not there costs less than this, inches; infinite where there is known to be none at any Move.

    """

    found: list[Option]
    beyond: float = math.inf


UNTOLD: Final = Options([], 0.0)
"""What is known of ways of which nothing is known."""


Known: TypeAlias = list[tuple[Search, Options]]
"""What searches of one question found, in their order: those under the readings that hold before others."""


def fits(table: Table, option: Option, left: float, most: float) -> bool:
    """Say whether an option can be taken with some movement ``left`` of a maximum Move ``most``, inches.

    By some readings a last jump or leap may cost more than is left (JMP.1, LEAP.1).
    """
    if option.cost <= left + FITS:
        return True
    if not option.landing or option.begun > left + FITS:
        return False
    alone = late_ways(table, most).get(option.route.tests[-1].kind, -math.inf)
    return option.cost - option.begun <= alone + FITS


def late_ways(table: Table, most: float) -> dict[str, float]:
    """Return what kinds of ways may, as the last of a move, cost more than is left, each with what it may cost itself.

    By the readings of JMP.1 and LEAP.1, inches, of a maximum Move ``most``.
    """
    found: dict[str, float] = {}
    if table.rulings["leap_needs"] == "maximum":
        found["leap"] = most
    if table.rulings["jump_without_movement"] == "yes":
        found |= dict.fromkeys(JUMPS - {"leap"}, math.inf)
    return found


def farthest(table: Table, mover: Model, left: float) -> float:
    """Return how far as the crow flies no way leads with some movement left, inches.

    Shifts across the rims of what is climbed cost nothing (CLB.1, CLB.5): a base wide for what is climbed up or down,
    two for what is climbed over. A climb is higher than the mover and costs twice that at least; a ladder costs what it
    is high.
    """
    ladders, high = table.terrain.derived("rises", lambda _: _rises(table))
    climbs = mover.height is not None and mover.height < mover.base and "cavalry" not in mover.keywords
    rises = [*ladders, *([mover.height] if climbs and mover.height is not None and high > mover.height else [])]
    gain = max(1.0, mover.base / max(TINY, min(rises, default=math.inf)))
    begun = 2 * mover.base if mover.climbed else 0.0
    return gain * left + begun


def _rises(table: Table) -> tuple[tuple[float, ...], float]:
    """Return how high the ladders of a table are, and how far its lowest level lies below its highest, inches."""
    ladders = []
    for piece in table.terrain.values():
        if "ladder" in piece.tags:
            on = None if piece.on is None else table.piece(piece.on).on
            top = elevation(table, on if piece.to is None else piece.to)
            ladders.append(abs(top - elevation(table, piece.on)) if piece.height is None else piece.height)
    tops = [0.0, *(elevation(table, p.id) for p in table.terrain.values() if "unscalable" not in p.tags)]
    return tuple(ladders), max(tops) - min(tops)


def beyond_the_move(table: Table, mover: Model, budget: float, goal: Goal | None = None) -> float:
    """Return by how much a last jump or leap may cost more than is left, by the table's readings, inches.

    Nothing when it is known where a way is to end and nothing is there that it could have been set down beside (JMP.1,
    LEAP.2). A leap is no longer than the Move; a jump only as what it leads over allows.
    """
    after_jump = table.rulings["jump_without_movement"] == "yes"
    whole_leap = table.rulings["leap_needs"] == "maximum" and mover.height is not None
    more = 0.0
    if after_jump:
        onto = None if goal is None else (*goal.focus[:2], goal.focus[2] + NEAR_BEST)
        more = longest_jump(table, mover, farthest(table, mover, budget), onto)
    if whole_leap:
        # A leap lands beside a gap or on a platform.
        landed_by = {"gap"} if goal is not None and goal.surface is None else {"gap", "platform"}
        near = None if goal is None else disc_region(goal.focus[:2], goal.focus[2], mover.radius + NEAR_BEST)
        pieces = table.terrain.values() if near is None else pieces_near(table, near)
        if any(piece.tags & landed_by for piece in pieces):
            more = max(more, mover.move or 0.0)
    return more
